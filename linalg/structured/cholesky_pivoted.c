/* linalg/structured/cholesky_pivoted.c - Cholesky's factors of semidefinite matrices: a[perm, perm]
   = l l^H with the largest diagonal first (Higham 2002, 10.3). */
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
    for (int k = 0; k < 3; k++) {
        c->meta[k].dtype = k ? AGN_I64 : a->dtype;
        c->meta[k].ndim = a->ndim - k;
        memcpy(c->meta[k].shape, a->shape, (size_t)c->meta[k].ndim * sizeof *a->shape);
    }
    return AGN_OK;
}

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

/* Of the leading columns l11 (l21 below them, e beside them for the rest): dl11 as of a definite
   matrix, and with it [da11; da21] = dl l11^H + l dl11^H gives all of dl. */
static void cholesky_pivots_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                                const agn_tensor **ty)
{
    const agn_tensor *l = r->y[0], *perm = r->y[1], *rank = r->y[2];
    const agn_tensor *da = reorder_rows(s, agni_complete_triangle(s, t[0], r->at->i[0]), perm);
    int64_t n = l->shape[l->ndim - 1];
    if (!da || !n) {
        ty[0] = da;
        return;
    }
    const agn_tensor *kept = ag_lt(s, ag_arange(s, AGN_I64, 0, (double)n, 1),
                                   ag_expand_dims(s, rank, -1));
    const agn_tensor *column = ag_expand_dims(s, kept, -2),
                     *both = ag_logical_and(s, column, ag_expand_dims(s, kept, -1));
    const agn_tensor *none = ag_zeros_like(s, l);
    const agn_tensor *lead = ag_where(s, both, l, agni_eye_beside(s, n, n, l)),
                     *dlead = ag_where(s, both, da, none), *dl = NULL;
    if (!lead || !dlead)
        return;
    const agni_attr lower = {.ni = 1, .i = (const int64_t[]){0}};
    const agni_rule definite = {&agni_op_linalg_cholesky, &lower, 1, 1, r->x, &lead};
    agni_cholesky_jvp(s, &definite, &dlead, &dl);
    const agn_tensor *rest = ag_sub(s, da, ag_matmul(s, l, agni_conjugate_transpose(s, dl)));
    rest = ag_where(s, column, rest, none);
    rest = agni_conjugate_transpose(
        s, ag_linalg_triangular_solve(s, lead, agni_conjugate_transpose(s, rest), false));
    ty[0] = ag_tril(s, ag_where(s, column, rest, none), 0);
}

static agni_slots slots;
const agni_op agni_op_linalg_cholesky_pivots = {
    .name = "linalg_cholesky_pivots",
    .takes = "a upper:b tol:r",
    .cls = AGNI_SOLVE,
    .nin = 1,
    .nout = 3,
    .dtypes = AGNI_FIELDS,
    .diff = 1,
    .promote = 1,
    .ew = -1,
    .infer = infer_order,
    .cpu = agni_cpu_cholesky_pivots,
    .may_fail = true,
    .jvp = cholesky_pivots_jvp,
    .batch = agni_batch_front,
    .slots = &slots,
    .lo = -2,
    .hi = 2,
    .doc = "factor of a semidefinite matrix, the order of its rows, its rank"};

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
    agn_tensor *y[3] = {NULL};
    const int64_t side = upper;
    st = agni_apply(&agni_op_linalg_cholesky_pivots,
                    &(agni_attr){.ni = 1, .i = &side, .nf = 1, .f = &tol}, 1, &a, 3, y);
    if (st)
        return agni_rename_error(op, st);
    *l = y[0];
    *perm = y[1];
    *rank = y[2];
    return AGN_OK;
}
