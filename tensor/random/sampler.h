/* tensor/random/sampler.h - the driver of samplers. Arguments of a random op are a key and
   parameters that broadcast to the result, attributes end in the shape of one lane. Leading axes
   of a key are lanes.

   A sampler fills blocks of elements; element i of a lane depends on the key of the lane, on i
   and on its parameters alone, so that blocks may run on any thread in any order. */
#ifndef AGNI_SAMPLE_H
#define AGNI_SAMPLE_H

#include "tensor/dispatch/op_helpers.h"

#include "core/random/philox.h"
#include "tensor/cpu/level_dispatch.h"
#include "tensor/random/cpu/random.h"

enum { AGNI_SAMPLE = 256, AGNI_SAMPLE_ROOM = AGNI_SAMPLE + AGNI_RANDOM_SLACK };

/* numbers of one block: f for real dtypes, i for integers */
typedef union agni_sample_block_values {
    double f[AGNI_SAMPLE_ROOM];
    int64_t i[AGNI_SAMPLE_ROOM];
} agni_sample_block_values;

typedef struct agni_sample {
    const agn_kernel_call *call;
    const agni_vrandom *fast;
    uint64_t key;              /* of the lane */
    int64_t lane, first;       /* first element of the block in its lane */
    int n;                     /* elements, at most AGNI_SAMPLE */
    const agni_sample_block_values *p; /* parameters of the elements */
} agni_sample;

/* Fills y->f or y->i, whichever the result's dtype asks for; elements behind n may be written. */
typedef void agni_sample_fn(const agni_sample *b, agni_sample_block_values *y);
/* Checks the parameters of a block and reports the first invalid one. */
typedef agn_status agni_sample_check(const agni_sample *b);

agn_status agni_sample_draw_all(const agn_kernel_call *c, agni_sample_fn *draw,
                                agni_sample_check *valid);
/* "op: name is 1.1 at [0,3], need is needed": of element j of a block, parameter p */
agn_status agni_sample_fail_parameter(const agni_sample *b, int j, int p, const char *name,
                                      const char *need);
/* elements first, ... of x broadcast to y */
void agni_sample_gather(agni_sample_block_values *to, const agn_array *x, const agn_array *y,
                        int64_t first, int n);
/* stores y[first], ... */
void agni_sample_store(const agn_array *y, int64_t first, int n,
                       const agni_sample_block_values *from);

/* an unbiased integer in [0, n), n > 0, of an element under a sub-key; w: the Philox block of the
   element (discrete.c) */
uint64_t agni_sample_bounded_integer(uint64_t key, uint64_t element, const uint32_t w[4],
                                     uint64_t n);
/* words of try 0 of all elements of a block */
void agni_sample_philox_words(const agni_sample *b, uint32_t w[4 * AGNI_SAMPLE_ROOM]);

/* standard normal numbers between bounds (truncated_normal.c) */
const agn_tensor *agni_truncated_normal(agn_scope *s, const agn_tensor *key, const agn_tensor *low,
                                        const agn_tensor *high, int32_t ndim,
                                        const int64_t *shape);

/* ---- inference and batching ------------------------------------------------------------------ */

agn_status agni_check_key(const char *op, const agn_tensor *key);
/* result of [lanes of the key..., c->at->i[skip], ...], against which parameters broadcast */
agn_status agni_infer_sample(agni_call *c, int dtype, int skip);
/* the same with the dtype of the first parameter */
agn_status agni_infer_distribution(agni_call *c);
/* and with dtype at->i[0], which is i32 or i64 */
agn_status agni_infer_count(agni_call *c);
agni_batch_fn agni_batch_sample;
/* reparameterised draws: the identity in the first argument, with derivatives in the others */
agn_status agni_infer_reparameterised(agni_call *c);
agn_status agni_view_reparameterised(const agni_call *c, agn_tensor **out);
agn_kernel agni_sample_copy;
agni_batch_fn agni_batch_reparameterised;
/* the body of a public function: op on key and params, attributes lead[n_lead] and shape */
agn_status agni_sample_apply_public(agn_tensor **out, const agni_op *op, const agn_tensor *key,
                                    int n_param, const agn_tensor *const *param, int n_lead,
                                    const int64_t *lead, int32_t ndim, const int64_t *shape);

#endif
