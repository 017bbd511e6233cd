/* distribution/vectors/vectors.h - the words in which laws of vectors and matrices are written. */
#ifndef AGNI_DISTRIBUTION_VECTORS_H
#define AGNI_DISTRIBUTION_VECTORS_H

#include "distribution/expression.h"
#include "distribution/transforms/transform.h"

static inline T agni_column(agn_scope *s, T x) { return FN(expand_dims, x, -1); }
static inline T agni_uncolumn(agn_scope *s, T x) { return FN(squeeze, x, -1); }
static inline T agni_transposed(agn_scope *s, T x) { return FN(swapaxes, x, -1, -2); }
static inline T agni_triangle(agn_scope *s, T l) { return FN(tril, l, 0); }
/* sum of the logarithms of a diagonal */
static inline T agni_log_diagonal(agn_scope *s, T l)
{
    return agni_sum_last(s, FN(log, FN(diagonal, l, 0, -2, -1)), 1);
}
/* l^-1 b, l lower triangular; of a vector */
static inline T agni_under(agn_scope *s, T l, T b)
{
    return FN(linalg_triangular_solve, l, b, false);
}
static inline T agni_under_vector(agn_scope *s, T l, T x)
{
    return agni_uncolumn(s, agni_under(s, l, agni_column(s, x)));
}
/* sums of squares over the last n axes */
static inline T agni_squares(agn_scope *s, T x, int n)
{
    return agni_sum_last(s, FN(square, x), n);
}
/* x over its length; over its largest entry first, so that squares are in range */
static inline T agni_direction(agn_scope *s, T x)
{
    T most = FN(max, FN(abs, FN(stop_gradient, x)), (const int32_t[]){-1}, 1, true), y = DIV(x, most);
    return DIV(y, FN(sqrt, agni_column(s, agni_squares(s, y, 1))));
}
static inline int64_t agni_size_at(const agn_tensor *x, int from_end)
{
    return x->shape[x->ndim - from_end];
}
/* condition in any of the last n axes */
static inline T agni_any_last(agn_scope *s, T condition, int n)
{
    static const int32_t axes[] = {-1, -2};
    return FN(any, condition, axes, n, false);
}
static inline T agni_minus_infinity(agn_scope *s) { return LIT(-(double)INFINITY); }
/* what a sum that has to be 1 may be off by */
static inline double agni_slack(const agn_distribution *d)
{
    return d->batch.dtype == AGN_F32 ? 1e-4 : 1e-9;
}
/* 0, 1, ... n - 1 of the dtype of d */
static inline T agni_places(agn_scope *s, const agn_distribution *d, int64_t n)
{
    return ag_arange(s, d->batch.dtype, 0, (double)n, 1);
}
/* key number i of n */
static inline T agni_one_key(agn_scope *s, T keys, int64_t i) { return FN(index_axis, keys, 0, i); }

/* params of the last axes [n] and [n, n], in this order */
agn_status agni_check_location_and_triangle(const char *op, const agn_distribution *d);
/* the last two axes of param[i] are equal */
agn_status agni_check_sides_equal(const char *op, const agn_distribution *d, int i);
/* the largest entry of x; -1 and a failed scope where it has no values */
int64_t agni_largest(agn_scope *s, const char *op, const char *name, const agn_tensor *x);
/* log of the multivariate gamma function at half v, [n, n] matrices */
T agni_log_multigamma(agn_scope *s, T half_v, int64_t n);

#endif
