/* sparse/derivative/derivative.h - sparse derivatives, step by step:
     dependence.c          on which elements of an argument the elements of a result depend
     detect_pattern.c      index sets propagated along a program: the pattern
     control_flow.c        ... and through the bodies of control ops
     colouring.c           rows and columns that may share one product
     compressed_columns.c  values from products with coloured seeds
     sparse_tangents.c     values from tangents of one column for each element
     api.c                 the functions, which keep all that for shapes and dtypes */
#ifndef AGNI_SPARSE_DERIVATIVE_H
#define AGNI_SPARSE_DERIVATIVE_H

#include "autograd/transforms/transform.h"
#include "sparse/pattern/pattern.h"

#include <agnesi/sparse_derivative.h>

/* ---- sources ------------------------------------------------------------------------- */

/* Element e of a result depends on the elements of group from[e] of the argument (-1: on
   none), or on item[begin[e] .. begin[e + 1]); beyond that on what result element before[e]
   depends on. */
typedef struct agni_element_sources {
    int64_t n, m;   /* elements of the result and of the argument */
    int64_t *group; /* [m] group of each element, -1: none; NULL: each its own */
    int64_t groups; /* with group: how many */
    int64_t *from;  /* [n]; NULL: group e, or a list */
    int64_t *begin; /* [n + 1] of a list, or NULL */
    int64_t *item;
    int64_t *before; /* [n] a result element that comes earlier, or -1; or NULL */
    bool backwards;  /* elements are visited from the last to the first */
    bool plain;      /* the element is a plain sum of those: no factors */
} agni_element_sources;

/* Of argument i and result o of node k of a program at hand; free with agni_element_sources_free,
   also after a failure. */
agn_status agni_element_sources_of(agni_element_sources *q, const agni_prog *p, int k, int i,
                                   int o);
void agni_element_sources_free(agni_element_sources *q);
/* every element of the result has at most one: from tells which */
static inline bool agni_element_sources_is_single(const agni_element_sources *q)
{
    return !q->group && !q->begin && !q->before;
}

/* ---- patterns ------------------------------------------------------------------------ */

/* The pattern of d result 0 / d input argnum, [size of the result, size of the input]; with
   symmetric, and of its transpose. */
agn_status agni_detect_pattern(agni_pattern **out, const agni_prog *p, int argnum, bool symmetric);

/* ---- colours ------------------------------------------------------------------------- */

/* colour -1: nothing is read from that column or row */
typedef struct agni_colours {
    int32_t *column, *row;
    int32_t n_column, n_row;
} agni_colours;

agn_status agni_colour_pattern(agni_colours *out, const agni_pattern *p, agn_colour_by by,
                               agn_colour_order order);
void agni_colours_free(agni_colours *c);
agn_status agni_check_colouring(const char *op, int by, int order);

/* ---- values -------------------------------------------------------------------------- */

/* The entries on p of the derivative of result 0 in argnum, [nnz]; NULL where the scope
   failed. */
const agn_tensor *agni_entries_by_colours(agn_scope *s, agni_recorded *r, int argnum,
                                          const agni_pattern *p, const agni_colours *c, bool star);

/* The same element by element; NULL, without a failure, where an op cannot be followed or more
   than `most` tangents at once would be needed. *n_tangents of the result. */
const agn_tensor *agni_entries_by_tangents(agn_scope *s, agni_recorded *r, int argnum,
                                           const agni_pattern *p, int most, int *n_tangents);

/* values that are sums of elements of x [k]: pick[e] and the list more of pairs (entry,
   element) say which; -1 is none */
const agn_tensor *agni_sum_picked(agn_scope *s, const agn_tensor *x, int64_t nnz,
                                  const int64_t *pick, int64_t n_more, const int64_t *more);

#endif
