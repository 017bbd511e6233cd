/* linalg/structured/cholesky_pivoted.c - Cholesky's factors of semidefinite matrices: a[perm, perm]
   = l l^H with the largest diagonal first (Higham 2002, 10.3). The order is an op; the factor is
   composed, so that it can be differentiated. */
#include "linalg/linalg.h"
#include "tensor/create/constants.h"

#include <agnesi/ag.h>
#include <agnesi/linalg.h>
#include <string.h>

static agn_status infer_order(agni_call *c)
{
    const agn_tensor *a = c->in[0];
    agn_status st = agni_check_square(c->op->name, a);
    if (!st && c->at->f[0] != c->at->f[0])
        st = agni_fail(AGN_EARG, "%s: tol is %g for a of %s", c->op->name, c->at->f[0],
                       AGNI_SHAPE(a));
    if (st)
        return st;
    for (int k = 0; k < 2; k++) {
        c->meta[k].dtype = AGN_I64;
        c->meta[k].ndim = a->ndim - 1 - k;
        memcpy(c->meta[k].shape, a->shape, (size_t)c->meta[k].ndim * sizeof *a->shape);
    }
    return AGN_OK;
}

static agni_slots slots;
const agni_op agni_op_linalg_cholesky_pivots = {
    .name = "linalg_cholesky_pivots",
    .takes = "a upper:b tol:r",
    .cls = AGNI_DISCRETE,
    .nin = 1,
    .nout = 2,
    .dtypes = AGNI_FIELDS,
    .promote = 1,
    .ew = -1,
    .infer = infer_order,
    .cpu = agni_cpu_cholesky_pivots,
    .batch = agni_batch_front,
    .slots = &slots,
    .lo = -2,
    .hi = 2,
    .doc = "order of rows of a semidefinite matrix, and its rank"};

/* rows and columns of x in the order perm */
static const agn_tensor *reorder_rows(agn_scope *s, const agn_tensor *x, const agn_tensor *perm)
{
    if (!x || !perm)
        return NULL;
    x = ag_take_along_axis(s, x, ag_broadcast_to(s, ag_expand_dims(s, perm, -1), x->ndim, x->shape),
                           -2);
    return x ? ag_take_along_axis(
                   s, x, ag_broadcast_to(s, ag_expand_dims(s, perm, -2), x->ndim, x->shape), -1)
             : NULL;
}

/* with the leading block a11 of that order beside an identity: l11 = chol(a11), l21 = a21 l11^-H */
static const agn_tensor *factor_of_rank(agn_scope *s, const agn_tensor *x, const agn_tensor *rank)
{
    if (!x || !rank)
        return NULL;
    int64_t n = x->shape[x->ndim - 1];
    const agn_tensor *kept = ag_lt(s, ag_arange(s, AGN_I64, 0, (double)n, 1),
                                   ag_expand_dims(s, rank, -1));
    const agn_tensor *column = ag_expand_dims(s, kept, -2),
                     *both = ag_logical_and(s, column, ag_expand_dims(s, kept, -1));
    const agn_tensor *none = ag_zeros_like(s, x);
    const agn_tensor *lead = ag_where(s, both, x, agni_eye_beside(s, n, n, x));
    const agn_tensor *l = ag_linalg_cholesky(s, lead, false);
    const agn_tensor *y = ag_linalg_triangular_solve(
        s, l, agni_conjugate_transpose(s, ag_where(s, column, x, none)), false);
    y = ag_tril(s, agni_conjugate_transpose(s, y), 0);
    return ag_where(s, column, y, none);
}

agn_status agn_linalg_cholesky_pivoted(agn_tensor **l, agn_tensor **perm, agn_tensor **rank,
                                       const agn_tensor *a, double tol, bool upper)
{
    static const char op[] = "linalg_cholesky_pivoted";
    AGNI_NEED(op, l);
    AGNI_NEED(op, perm);
    AGNI_NEED(op, rank);
    AGNI_NEED(op, a);
    agn_status st = agni_need_square(op, a);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x = agni_as_field(s, a), *f[2] = {NULL};
    const int64_t side = upper;
    if (x)
        agni_apply_many_in(s, &agni_op_linalg_cholesky_pivots,
                           &(agni_attr){.ni = 1, .i = &side, .nf = 1, .f = &tol}, 1, &x, 2, f);
    const agn_tensor *y = f[0] ? factor_of_rank(
                                     s, reorder_rows(s, agni_complete_triangle(s, x, upper), f[0]),
                                     f[1])
                               : NULL;
    agn_scope_return(s, l, y);
    agn_scope_return(s, perm, f[0]);
    agn_scope_return(s, rank, f[1]);
    return agni_rename_error(op, agn_scope_close(s));
}
