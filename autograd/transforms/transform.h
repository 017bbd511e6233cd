/* transform.h - transforms: what a transformed function remembers, and one recorded call of the
   inner function. */
#ifndef AGNI_TRANSFORM_H
#define AGNI_TRANSFORM_H

#include "autograd/modes/modes.h"

#include <agnesi/autograd.h>
#include <string.h>

/* What a transformed function remembers. */
typedef struct agni_transform {
    agn_fn *f;
    int32_t n, order;
    int32_t *list; /* argument numbers, axes or orders */
    int64_t chunk; /* lanes per chunk; 0: all */
} agni_transform;

agn_status agni_transform_new(agn_fn **out, agni_fn_run *run, const agn_fn *f, int n_in, int n_out,
                              int n, const int32_t *list, int len, int order);

/* a copy of list[n], at least of one number; NULL without memory */
int32_t *agni_copy_list(const int32_t *list, int n);
/* 0, 1, ..., n - 1; to be freed */
int32_t *agni_list_indices(const char *op, int n, agn_status *st);

/* checks of arguments of public functions */
agn_status agni_check_handles(const char *op, const void *out, const agn_fn *f);
agn_status agni_check_argnums(const char *op, const agn_fn *f, const int32_t **argnums,
                              int32_t *n);
agn_status agni_check_argnum(const char *op, const void *out, const agn_fn *f, int32_t argnum);

/* a real scalar; else AGN_ESHAPE, AGN_EDTYPE */
agn_status agni_check_scalar(const char *op, const agn_tensor *y);

/* One recorded call, with its traversal open. */
typedef struct agni_recorded {
    agni_prog *p;
    uint64_t first;
    agni_traversal w;
} agni_recorded;
bool agni_record_call(agni_recorded *r, agn_scope *s, const agn_fn *f,
                      const agn_tensor *const *in, const bool *want);
void agni_recorded_close(agni_recorded *r);
/* result o as a reference of the scope: it outlives the recording */
const agn_tensor *agni_recorded_result(agni_recorded *r, agn_scope *s, int o);
const agn_tensor *agni_detach_result(agn_scope *s, const agn_tensor *x);
const agn_tensor *agni_or_zero(agn_scope *s, const agn_tensor *x, const agn_tensor *like);
/* marks list[n] among n_in; to be freed */
bool *agni_argnum_mask(agn_scope *s, int n_in, int n, const int32_t *list);
/* the named arguments are floating; else AGN_EDTYPE */
agn_status agni_check_smooth(const char *op, int n, const int32_t *list,
                             const agn_tensor *const *in);

/* The linear part of a recorded call in n arguments, of n_y results, as two bodies: tangents to
   tangents, cotangents to cotangents. */
typedef struct agni_linear_map {
    agni_recorded *r;
    int n;
    const int32_t *list;
    int n_y;
    const int32_t *y;
} agni_linear_map;
agn_body agni_linear_map_push, agni_linear_map_pull;
/* bytes of what the nodes of p, a linear program, make of one seed */
double agni_bytes_of_seed(const agni_prog *p);
/* Is forward mode from its arguments cheaper for all blocks than reverse mode from its results?
   pairs: the blocks of each argument with the result of the same number. */
agn_status agni_choose_forward(bool *yes, const agni_linear_map *q, int batch, bool pairs);

/* second derivatives, with pairs only those of each argument with itself */
agn_status agni_hessian(const char *op, agn_fn **out, const agn_fn *f, const int32_t *argnums,
                        int32_t n, bool pairs, const agn_jacobian_options *opts);

/* A function that replays a program gathered from live values (name is for messages). What it
   captured and is recorded, or has no value, is passed along. */
agn_status agni_fn_from_program(agn_fn **out, const char *name, const agni_prog *live);

static inline bool agni_is_complex(const agn_tensor *x)
{
    return agni_kind(x->dtype) == AGNI_KIND_COMPLEX;
}

/* remembers the axes of arguments and results in list; NULL: all 0 */
typedef struct agni_lane_axes {
    const int32_t *in;
    int32_t n_in;
    const int32_t *out;
    int32_t n_out;
} agni_lane_axes;

agn_status agni_transform_new_mapped(const char *op, agn_fn **out, agni_fn_run *run,
                                     const agn_fn *f, agni_lane_axes at, int order);
/* arguments with the batch axis that m->list names in front; lane[i] describes one lane; gives the
   number of lanes */
int64_t agni_lanes_to_front(const char *op, agn_scope *s, const agni_transform *m,
                            const agn_tensor *const *in, const agn_tensor **front,
                            const agn_tensor **lane, bool *on);

/* ---- ops that hold functions of the user (callback_batching.c) ---- */

/* the most arguments of an implicit node: arrays of its rules have this length */
enum { AGNI_MOST_ARGS = 32 };
/* A function of all lanes at once, along axis 0 of all arguments and results; lane by lane where
   f reads values. */
agn_status agni_fn_over_lanes(agn_fn **out, const agn_fn *f);
/* The rules of a node over all lanes are the lanes of the rules of one: of the same op with the
   attribute one. Every argument of r has the lanes in front. */
void agni_callback_lanes_jvp(agn_scope *s, const agni_rule *r, agni_obj *one, int64_t lanes,
                             const agn_tensor *const *t, const agn_tensor **ty);
void agni_callback_lanes_vjp(agn_scope *s, const agni_rule *r, agni_obj *one, int64_t lanes,
                             const agn_tensor *const *g, const bool *want, const agn_tensor **gx);

/* ---- one Taylor expansion of a function (jet_api.c) ---- */

/* c[i * (K + 1) + k], NULL for zero; y[o * (K + 1) + k] likewise, k = 0 the value */
agn_status agni_expand_jet(const agn_fn *f, agn_scope *s, const agni_grading *g,
                           const agn_tensor *const *c, const agn_tensor **y);

#endif
