/* linalg/functions/options.c - forms of functions with more to choose: ranks by given bounds, norms
   along given axes, inverses of Hermitian matrices, covariance of weighted samples, systems from
   the right. Compositions: derivatives are those of their parts. */
#include "linalg/linalg.h"
#include "tensor/create/constants.h"

#include <agnesi/ag.h>
#include <agnesi/linalg.h>
#include <math.h>
#include <string.h>

agn_status agn_linalg_solve_right(agn_tensor **out, const agn_tensor *a, const agn_tensor *b)
{
    static const char op[] = "linalg_solve_right";
    AGNI_NEED(op, out);
    AGNI_NEED(op, a);
    AGNI_NEED(op, b);
    agn_status st = agni_need_square(op, a);
    if (!st && b->layout != AGN_DENSE)
        st = agni_fail(AGN_EUNSUPPORTED, "%s: b is sparse, a dense one is needed: %s", op,
                       AGNI_SHAPE(b));
    if (!st && (b->ndim == 0 || b->shape[b->ndim - 1] != a->shape[a->ndim - 1]))
        st = agni_fail(AGN_ESHAPE, "%s: columns differ: a is %s, b is %s", op, AGNI_SHAPE(a),
                       AGNI_SHAPE(b));
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const bool one = b->ndim == 1;
    const agn_tensor *x = ag_linalg_solve(s, agni_matrix_transpose(s, a),
                                          one ? b : agni_matrix_transpose(s, b));
    return agni_return(op, s, out, one ? x : agni_matrix_transpose(s, x));
}

/* ---- ranks and inverses ----------------------------------------------------------- */

static agn_status check_bound(const char *op, const char *name, const agn_tensor *bound,
                              const agn_tensor *a)
{
    if (!bound)
        return AGN_OK;
    if (bound->layout != AGN_DENSE)
        return agni_fail(AGN_EUNSUPPORTED, "%s: %s is sparse, a dense one is needed: %s", op, name,
                         AGNI_SHAPE(bound));
    if (agni_kind(bound->dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "%s: %s is %s, real numbers are needed for a of %s", op, name,
                         agni_dtypes[bound->dtype].name, AGNI_SHAPE(a));
    agni_meta all = {.ndim = a->ndim - 2};
    memcpy(all.shape, a->shape, (size_t)all.ndim * sizeof *all.shape);
    if (!agni_broadcast_into(&all, bound->ndim, bound->shape))
        return agni_fail(AGN_ESHAPE, "%s: batches do not broadcast: a is %s, %s is %s", op,
                         AGNI_SHAPE(a), name, AGNI_SHAPE(bound));
    return AGN_OK;
}

agn_status agn_linalg_matrix_rank_with(agn_tensor **out, const agn_tensor *a,
                                       const agn_tensor *atol, const agn_tensor *rtol,
                                       bool hermitian)
{
    static const char op[] = "linalg_matrix_rank_with";
    AGNI_NEED(op, out);
    AGNI_NEED(op, a);
    agn_status st = hermitian ? agni_need_square(op, a) : agni_need_matrix(op, a);
    st = st ? st : check_bound(op, "atol", atol, a);
    st = st ? st : check_bound(op, "rtol", rtol, a);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x = ag_stop_gradient(s, agni_as_field(s, a));
    const agn_tensor *w = hermitian ? ag_abs(s, ag_linalg_eigvalsh(s, x, false))
                                    : ag_linalg_svdvals(s, x),
                     *bound = NULL;
    if (!w)
        return agni_return(op, s, out, NULL);
    const int64_t m = a->shape[a->ndim - 2], n = a->shape[a->ndim - 1], k = w->shape[w->ndim - 1];
    const int32_t last = -1;
    const double eps = w->dtype == AGN_F32 ? 0x1p-23 : 0x1p-52,
                 usual = atol ? 0 : (double)(m > n ? m : n) * eps;
    const agn_tensor *top = k ? ag_amax(s, w, &last, 1, false) : ag_sum(s, w, &last, 1, false);
    bound = rtol ? ag_mul(s, top, ag_cast(s, rtol, w->dtype)) : ag_mul_c(s, top, usual);
    if (atol)
        bound = ag_maximum(s, bound, ag_cast(s, atol, w->dtype));
    const agn_tensor *more = ag_gt(s, w, ag_expand_dims(s, bound, -1));
    return agni_return(op, s, out, ag_count_nonzero(s, more, &last, 1, false));
}

agn_status agn_linalg_pinv_hermitian(agn_tensor **out, const agn_tensor *a, double rcond,
                                     bool upper)
{
    static const char op[] = "linalg_pinv_hermitian";
    AGNI_NEED(op, out);
    AGNI_NEED(op, a);
    agn_status st = agni_need_square(op, a);
    if (st)
        return st;
    if (rcond != rcond || rcond >= 1)
        return agni_fail(AGN_EARG, "%s: rcond is %g, not below %g", op, rcond, 1.0);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x = agni_as_field(s, a), *y = NULL;
    const int64_t hermitian = true;
    x = x ? agni_complete_triangle(s, x, upper) : NULL;
    if (x)
        y = agni_apply_in(s, &agni_op_linalg_pinv,
                          &(agni_attr){.ni = 1, .i = &hermitian, .nf = 1, .f = &rcond}, 1, &x);
    return agni_return(op, s, out, ag_mul_c(s, ag_add(s, y, agni_conjugate_transpose(s, y)), 0.5));
}

/* ---- norms ------------------------------------------------------------------------ */

agn_status agn_linalg_matrix_norm_with(agn_tensor **out, const agn_tensor *a,
                                       agn_matrix_norm_kind p, int32_t rows, int32_t columns,
                                       bool keep_dims)
{
    static const char op[] = "linalg_matrix_norm_with";
    AGNI_NEED(op, out);
    AGNI_NEED(op, a);
    if (a->layout != AGN_DENSE)
        return agni_fail(AGN_EUNSUPPORTED, "%s: a is sparse, a dense one is needed: %s", op,
                         AGNI_SHAPE(a));
    if (a->ndim < 2)
        return agni_fail(AGN_ESHAPE, "%s: matrices are needed, a is %s with %d axes", op,
                         AGNI_SHAPE(a), a->ndim);
    int32_t r = rows < 0 ? rows + a->ndim : rows, c = columns < 0 ? columns + a->ndim : columns;
    if (r < 0 || r >= a->ndim || c < 0 || c >= a->ndim || r == c)
        return agni_fail(AGN_EARG, "%s: axes %d and %d of %s", op, rows, columns, AGNI_SHAPE(a));
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x = ag_moveaxis(s, a, (const int32_t[]){r, c}, (const int32_t[]){-2, -1}, 2);
    const agn_tensor *y = ag_linalg_matrix_norm(s, x, p);
    if (keep_dims) /* the lower one first: then both are where they were */
        y = ag_expand_dims(s, ag_expand_dims(s, y, r < c ? r : c), r < c ? c : r);
    return agni_return(op, s, out, y);
}

/* ---- covariance --------------------------------------------------------------------- */

static agn_status check_weights(const char *op, const char *name, const agn_tensor *w,
                                const agn_tensor *x, bool whole)
{
    if (!w)
        return AGN_OK;
    if (w->layout != AGN_DENSE)
        return agni_fail(AGN_EUNSUPPORTED, "%s: %s is sparse, a dense one is needed: %s", op, name,
                         AGNI_SHAPE(w));
    if (agni_kind(w->dtype) == AGNI_KIND_COMPLEX || (whole && agni_kind(w->dtype) != AGNI_KIND_INT))
        return agni_fail(AGN_EDTYPE, "%s: %s is %s, %s are needed for x of %s", op, name,
                         agni_dtypes[w->dtype].name, whole ? "whole numbers" : "real numbers",
                         AGNI_SHAPE(x));
    if (w->ndim != 1 || w->shape[0] != x->shape[x->ndim - 1])
        return agni_fail(AGN_ESHAPE, "%s: one number for each sample is needed: x is %s, %s is %s",
                         op, AGNI_SHAPE(x), name, AGNI_SHAPE(w));
    return AGN_OK;
}

/* NaN where a number is negative */
static const agn_tensor *not_negative(agn_scope *s, const agn_tensor *w)
{
    const agn_tensor *none = ag_zeros_like(s, w);
    return none ? ag_where(s, ag_ge(s, w, none), w, agni_full_like(s, (double)NAN, none)) : NULL;
}

agn_status agn_linalg_cov_weighted(agn_tensor **out, const agn_tensor *x, double ddof,
                                   const agn_tensor *f, const agn_tensor *a)
{
    static const char op[] = "linalg_cov_weighted";
    AGNI_NEED(op, out);
    AGNI_NEED(op, x);
    agn_status st = agni_need_matrix(op, x);
    st = st ? st : check_weights(op, "f", f, x, true);
    st = st ? st : check_weights(op, "a", a, x, false);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const int32_t last = -1;
    const agn_tensor *y = agni_as_field(s, x);
    int64_t n = x->shape[x->ndim - 1];
    int real = !y ? AGN_F64 : y->dtype == AGN_F32 || y->dtype == AGN_C64 ? AGN_F32 : AGN_F64;
    const agn_tensor *w = f ? not_negative(s, ag_cast(s, f, (agn_dtype)real))
                            : agni_full(s, 1, real, 1, &n),
                     *b = NULL;
    if (a)
        b = not_negative(s, ag_cast(s, a, (agn_dtype)real));
    w = b ? ag_mul(s, w, b) : w;
    const agn_tensor *sum = ag_sum(s, w, &last, 1, false);
    const agn_tensor *lost = b     ? ag_div(s, ag_sum(s, ag_mul(s, w, b), &last, 1, false), sum)
                             : sum ? agni_full_like(s, 1, sum)
                                   : NULL;
    const agn_tensor *left = not_negative(s, ag_sub(s, sum, ag_mul_c(s, lost, ddof)));
    const agn_tensor *mean = ag_div(s, ag_sum(s, ag_mul(s, y, w), &last, 1, true), sum);
    const agn_tensor *d = ag_sub(s, y, mean);
    const agn_tensor *c = ag_matmul(s, ag_mul(s, d, w), agni_conjugate_transpose(s, d));
    return agni_return(op, s, out, ag_div(s, c, left));
}

/* ---- what a matrix looks like --------------------------------------------------------- */

agn_status agn_linalg_bandwidth(agn_tensor **lower, agn_tensor **upper, const agn_tensor *a)
{
    static const char op[] = "linalg_bandwidth";
    AGNI_NEED(op, lower);
    AGNI_NEED(op, upper);
    AGNI_NEED(op, a);
    agn_status st = agni_need_matrix(op, a);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const int32_t both[] = {-2, -1};
    const agn_tensor *x = ag_stop_gradient(s, a), *some = ag_ne(s, x, ag_zeros_like(s, x)),
                     *band[2] = {NULL};
    double m = (double)a->shape[a->ndim - 2], n = (double)a->shape[a->ndim - 1];
    const agn_tensor *below = ag_sub(s, ag_expand_dims(s, ag_arange(s, AGN_I64, 0, m, 1), -1),
                                     ag_arange(s, AGN_I64, 0, n, 1));
    const agn_tensor *none = ag_zeros_like(s, below);
    for (int k = 0; k < 2 && none; k++) {
        const agn_tensor *far = ag_where(s, some, ag_maximum(s, k ? ag_neg(s, below) : below, none),
                                         none);
        band[k] = m > 0 && n > 0 ? ag_amax(s, far, both, 2, false) : ag_sum(s, far, both, 2, false);
    }
    agn_scope_return(s, lower, band[0]);
    agn_scope_return(s, upper, band[1]);
    return agni_rename_error(op, agn_scope_close(s));
}

static agn_status compare_with_transpose(const char *op, agn_tensor **out, const agn_tensor *a,
                                         double atol, double rtol, bool conjugate)
{
    AGNI_NEED(op, out);
    AGNI_NEED(op, a);
    agn_status st = agni_need_square(op, a);
    if (!st && (!(atol >= 0) || !(rtol >= 0)))
        st = agni_fail(AGN_EARG, "%s: bounds %g and %g, not negative ones", op, atol, rtol);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x = ag_stop_gradient(s, agni_as_field(s, a));
    const agn_tensor *t = conjugate ? agni_conjugate_transpose(s, x) : agni_matrix_transpose(s, x);
    const agn_tensor *bound = ag_add_c(s, ag_mul_c(s, ag_abs(s, t), rtol), atol);
    const agn_tensor *near = ag_le(s, ag_abs(s, ag_sub(s, x, t)), bound);
    near = ag_logical_or(s, ag_eq(s, x, t), near); /* infinities are equal */
    return agni_return(op, s, out, ag_all(s, near, (const int32_t[]){-2, -1}, 2, false));
}

agn_status agn_linalg_is_symmetric(agn_tensor **out, const agn_tensor *a, double atol, double rtol)
{
    return compare_with_transpose("linalg_is_symmetric", out, a, atol, rtol, false);
}
agn_status agn_linalg_is_hermitian(agn_tensor **out, const agn_tensor *a, double atol, double rtol)
{
    return compare_with_transpose("linalg_is_hermitian", out, a, atol, rtol, true);
}
