/* linalg/orthogonal/sketch.c - sparse embeddings of rows (Clarkson & Woodruff 2013), and the choice
   of the parameter of damped least squares: generalised cross-validation (Golub, Heath & Wahba
   1979), the L-curve (Hansen & O'Leary 1993). */
#include "linalg/linalg.h"
#include "tensor/create/constants.h"

#include <agnesi/ag.h>
#include <agnesi/linalg.h>
#include <string.h>

/* one draw of [0, 2 rows) for each row: where it goes, and its sign */
agn_status agn_linalg_clarkson_woodruff(agn_tensor **out, const agn_tensor *key,
                                        const agn_tensor *a, int64_t rows)
{
    static const char op[] = "linalg_clarkson_woodruff";
    AGNI_NEED(op, out);
    AGNI_NEED(op, key);
    AGNI_NEED(op, a);
    agn_status st = agni_need_matrix(op, a);
    if (!st && (rows < 1 || rows > INT32_MAX))
        st = agni_fail(AGN_EARG, "%s: a sketch of %lld rows, a is %s", op, (long long)rows,
                       AGNI_SHAPE(a));
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x = agni_as_field(s, a);
    int64_t m = a->shape[a->ndim - 2], shape[AGNI_MAX_RANK];
    const agn_tensor *draw = ag_random_integers(s, key, agni_full(s, 0, AGN_I64, 0, NULL),
                                                agni_full(s, 2 * (double)rows, AGN_I64, 0, NULL),
                                                AGN_I64, 1, &m);
    const agn_tensor *half = draw ? ag_floor_divide(s, draw, agni_full_like(s, 2, draw)) : NULL;
    const agn_tensor *odd = half ? ag_sub(s, draw, ag_add(s, half, half)) : NULL;
    const agn_tensor *sign = x && odd
                                 ? ag_cast(s,
                                           ag_sub_c(s, ag_mul_c(s, ag_cast(s, odd, AGN_F64), 2), 1),
                                           x->dtype)
                                 : NULL;
    const agn_tensor *signed_rows = ag_mul(s, x, ag_expand_dims(s, sign, -1)), *y = NULL;
    if (signed_rows && half) {
        memcpy(shape, signed_rows->shape, (size_t)signed_rows->ndim * sizeof *shape);
        shape[signed_rows->ndim - 2] = rows;
        y = ag_scatter_add(s, agni_full(s, 0, signed_rows->dtype, signed_rows->ndim, shape), half,
                           signed_rows, -2);
    }
    return agni_return(op, s, out, y);
}

/* ---- damped least squares over many parameters --------------------------------------- */

/* of a = u diag(w) vh: w^2 [..., 1, k], |u^H b|^2 over columns [..., 1, k], the square of what u
   does not reach [..., 1]; alpha [q, 1] */
typedef struct damped {
    const agn_tensor *square, *part, *beyond, *alpha;
    int64_t rows;
} damped;

static const agn_tensor *squared_size(agn_scope *s, const agn_tensor *x)
{
    return ag_real(s, ag_mul(s, x, ag_conj(s, x)));
}

static agn_status open_damped(const char *op, agn_scope **scope, damped *d, const agn_tensor *a,
                              const agn_tensor *b, const agn_tensor *alpha)
{
    agn_status st = agni_need_matrix(op, a);
    if (!st && b->layout != AGN_DENSE)
        st = agni_fail(AGN_EUNSUPPORTED, "%s: b is sparse, a dense one is needed: %s", op,
                       AGNI_SHAPE(b));
    if (!st && (b->ndim == 0 || b->shape[b->ndim == 1 ? 0 : b->ndim - 2] != a->shape[a->ndim - 2]))
        st = agni_fail(AGN_ESHAPE, "%s: rows differ: a is %s, b is %s", op, AGNI_SHAPE(a),
                       AGNI_SHAPE(b));
    if (!st && agni_kind(alpha->dtype) == AGNI_KIND_COMPLEX)
        st = agni_fail(AGN_EDTYPE, "%s: alpha is %s, real numbers are needed for a of %s", op,
                       agni_dtypes[alpha->dtype].name, AGNI_SHAPE(a));
    if (!st && (alpha->ndim != 1 || alpha->layout != AGN_DENSE))
        st = agni_fail(AGN_ESHAPE, "%s: alpha has one axis, not %s, for a of %s", op,
                       AGNI_SHAPE(alpha), AGNI_SHAPE(a));
    if (st)
        return st;
    agn_scope *s = *scope = agn_scope_open(NULL);
    const int32_t last = -1, both[] = {-2, -1};
    const agn_tensor *x = agni_as_field(s, a), *f[3] = {NULL},
                     *y = b->ndim == 1 ? ag_expand_dims(s, b, -1) : b;
    y = agni_as_field(s, y);
    if (x && y) { /* of one dtype */
        agn_dtype all = (agn_dtype)agni_promote(x->dtype, y->dtype);
        x = ag_cast(s, x, all);
        y = ag_cast(s, y, all);
    }
    if (x)
        agni_apply_many_in(s, &agni_op_linalg_svd, &(agni_attr){.ni = 1, .i = (const int64_t[]){0}},
                           1, &x, 3, f);
    const agn_tensor *c = ag_matmul(s, agni_conjugate_transpose(s, f[0]), y);
    const agn_tensor *rest = ag_sub(s, y, ag_matmul(s, f[0], c));
    d->square = ag_expand_dims(s, ag_square(s, f[1]), -2);
    d->part = ag_expand_dims(s, ag_sum(s, squared_size(s, c), &last, 1, false), -2);
    d->beyond = ag_expand_dims(s, ag_sum(s, squared_size(s, rest), both, 2, false), -1);
    d->alpha = f[1] ? ag_expand_dims(s, ag_cast(s, alpha, f[1]->dtype), -1) : NULL;
    d->rows = a->shape[a->ndim - 2];
    return AGN_OK;
}

/* sums over singular values of terms times |u^H b|^2 */
static const agn_tensor *weighted_sum(agn_scope *s, const damped *d, const agn_tensor *terms)
{
    const int32_t last = -1;
    return ag_sum(s, ag_mul(s, terms, d->part), &last, 1, false);
}

/* rho = |a x - b|^2: parts (alpha / (w^2 + alpha))^2 */
static const agn_tensor *squared_residual(agn_scope *s, const damped *d, const agn_tensor *both)
{
    return ag_add(s, weighted_sum(s, d, ag_square(s, ag_div(s, d->alpha, both))), d->beyond);
}

agn_status agn_linalg_ridge_gcv(agn_tensor **out, const agn_tensor *a, const agn_tensor *b,
                                const agn_tensor *alpha)
{
    static const char op[] = "linalg_ridge_gcv";
    AGNI_NEED(op, out);
    AGNI_NEED(op, a);
    AGNI_NEED(op, b);
    AGNI_NEED(op, alpha);
    agn_scope *s = NULL;
    damped d = {0};
    agn_status st = open_damped(op, &s, &d, a, b, alpha);
    if (st)
        return st;
    const int32_t last = -1;
    const agn_tensor *both = ag_add(s, d.square, d.alpha);
    const agn_tensor *used = ag_sum(s, ag_div(s, d.square, both), &last, 1, false);
    const agn_tensor *left = ag_add_c(s, ag_neg(s, used), (double)d.rows);
    const agn_tensor *y = ag_mul_c(s, squared_residual(s, &d, both), (double)d.rows);
    return agni_return(op, s, out, ag_div(s, y, ag_square(s, left)));
}

/* With eta = |x|^2, e = eta', rho' = -alpha e; curvature of (log rho, log eta) / 2 along alpha */
agn_status agn_linalg_ridge_lcurve(agn_tensor **residual, agn_tensor **size, agn_tensor **curvature,
                                   const agn_tensor *a, const agn_tensor *b,
                                   const agn_tensor *alpha)
{
    static const char op[] = "linalg_ridge_lcurve";
    AGNI_NEED(op, residual);
    AGNI_NEED(op, size);
    AGNI_NEED(op, curvature);
    AGNI_NEED(op, a);
    AGNI_NEED(op, b);
    AGNI_NEED(op, alpha);
    agn_scope *s = NULL;
    damped d = {0};
    agn_status st = open_damped(op, &s, &d, a, b, alpha);
    if (st)
        return st;
    const agn_tensor *both = ag_add(s, d.square, d.alpha), *al = ag_squeeze(s, d.alpha, -1);
    const agn_tensor *one = ag_reciprocal(s, both), *base = ag_mul(s, d.square, ag_square(s, one));
    const agn_tensor *rho = squared_residual(s, &d, both), *eta = weighted_sum(s, &d, base);
    const agn_tensor *e = ag_mul_c(s, weighted_sum(s, &d, ag_mul(s, base, one)), -2);
    const agn_tensor *e2 = ag_mul_c(s, weighted_sum(s, &d, ag_mul(s, base, ag_square(s, one))), 6);
    const agn_tensor *ae = ag_mul(s, al, e), *x1 = ag_neg(s, ag_div(s, ae, rho)),
                     *y1 = ag_div(s, e, eta);
    const agn_tensor *x2 = ag_sub(s, ag_neg(s, ag_div(s, ag_add(s, e, ag_mul(s, al, e2)), rho)),
                                  ag_square(s, x1));
    const agn_tensor *y2 = ag_sub(s, ag_div(s, e2, eta), ag_square(s, y1));
    const agn_tensor *turn = ag_sub(s, ag_mul(s, x1, y2), ag_mul(s, y1, x2)); /* 4 times */
    const agn_tensor *speed = ag_add(s, ag_square(s, x1), ag_square(s, y1)); /* 4 times */
    const agn_tensor *kappa = ag_mul_c(s, ag_div(s, turn, ag_mul(s, speed, ag_sqrt(s, speed))), 2);
    agn_scope_return(s, residual, ag_sqrt(s, rho));
    agn_scope_return(s, size, ag_sqrt(s, eta));
    agn_scope_return(s, curvature, kappa);
    return agni_rename_error(op, agn_scope_close(s));
}
