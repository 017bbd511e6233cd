/* linalg/structured/ldl.c - factors l d l^H and l d l^T of indefinite matrices and solves with them
   (Golub & Van Loan 2013, 4.4). */
#include "linalg/linalg.h"

#include <agnesi/ag.h>
#include <agnesi/linalg.h>
#include <string.h>

static agn_status infer_ldl(agni_call *c)
{
    const agn_tensor *a = c->in[0];
    agn_status st = agni_check_square(c->op->name, a);
    st = st ? st : agni_infer_same(c);
    if (!st) {
        c->meta[1] = c->meta[2] = c->meta[0];
        c->meta[2].dtype = AGN_I64;
        c->meta[2].ndim--;
    }
    return st;
}

/* rows (axis -2) or columns (-1) of x in the order perm [..., n] */
static const agn_tensor *take_order(agn_scope *s, const agn_tensor *x, const agn_tensor *perm,
                                    int axis)
{
    if (!x || !perm)
        return NULL;
    const agn_tensor *at = ag_broadcast_to(s, ag_expand_dims(s, perm, axis == -2 ? -1 : -2),
                                           x->ndim, x->shape);
    return ag_take_along_axis(s, x, at, axis);
}

static const agn_tensor *transpose_adjoint(agn_scope *s, const agn_tensor *x, bool hermitian)
{
    return hermitian ? agni_conjugate_transpose(s, x) : agni_matrix_transpose(s, x);
}

/* d^-1 x with d of blocks of 1 and 2 */
static const agn_tensor *divide_blocks(agn_scope *s, const agn_tensor *d, const agn_tensor *x)
{
    return ag_linalg_solve_tridiagonal(s, ag_diagonal(s, d, -1, -2, -1),
                                       ag_diagonal(s, d, 0, -2, -1), ag_diagonal(s, d, 1, -2, -1),
                                       x);
}

/* The order and the blocks are kept: m = l^-1 da l^-H has dd in the blocks, and l^-1 dl d below
   them. */
static void ldl_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                    const agn_tensor **ty)
{
    bool upper = r->at->i[0], hermitian = r->at->i[1];
    const agn_tensor *l = r->y[0], *d = r->y[1], *da = t[0];
    if (l->shape[l->ndim - 1] == 0) {
        ty[0] = ty[1] = da;
        return;
    }
    if (hermitian)
        da = agni_complete_triangle(s, da, upper);
    else {
        const agn_tensor *half = upper ? ag_triu(s, da, 1) : ag_tril(s, da, -1);
        da = ag_add(s, upper ? ag_triu(s, da, 0) : ag_tril(s, da, 0),
                    agni_matrix_transpose(s, half));
    }
    da = take_order(s, take_order(s, da, r->y[2], -2), r->y[2], -1);
    const agn_tensor *m = ag_linalg_triangular_solve(s, l, da, false);
    m = transpose_adjoint(
        s, ag_linalg_triangular_solve(s, l, transpose_adjoint(s, m, hermitian), false), hermitian);
    const agn_tensor *one = d ? agni_identity_like(s, d) : NULL, *none = ag_zeros_like(s, m);
    const agn_tensor *in_block = ag_ne(
        s, ag_add(s, ag_stop_gradient(s, ag_abs(s, d)), ag_abs(s, one)), ag_abs(s, none));
    ty[1] = ag_where(s, in_block, m, none);
    const agn_tensor *below = ag_tril(s, ag_where(s, in_block, none, m), -1);
    ty[0] = ag_matmul(s, l,
                      transpose_adjoint(s,
                                        divide_blocks(s, transpose_adjoint(s, d, hermitian),
                                                      transpose_adjoint(s, below, hermitian)),
                                        hermitian));
}

static agni_slots slots;
const agni_op agni_op_linalg_ldl = {
    .name = "linalg_ldl",
    .takes = "a upper:b hermitian:b",
    .cls = AGNI_SOLVE,
    .nin = 1,
    .nout = 3,
    .dtypes = AGNI_FIELDS,
    .diff = 1,
    .promote = 1,
    .ew = -1,
    .infer = infer_ldl,
    .cpu = agni_cpu_ldl,
    .jvp = ldl_jvp,
    .batch = agni_batch_front,
    .slots = &slots,
    .lo = -2,
    .hi = 2,
    .doc = "unit lower and block diagonal factor of an indefinite matrix, and the order of rows"};

agn_status agn_linalg_ldl_factor(agn_tensor **l, agn_tensor **d, agn_tensor **perm,
                                 const agn_tensor *a, bool upper, bool hermitian)
{
    static const char op[] = "linalg_ldl_factor";
    AGNI_NEED(op, l);
    AGNI_NEED(op, d);
    AGNI_NEED(op, perm);
    AGNI_NEED(op, a);
    agn_tensor *y[3] = {NULL};
    agn_status st = agni_apply(&agni_op_linalg_ldl,
                               &(agni_attr){.ni = 2, .i = (const int64_t[]){upper, hermitian}}, 1,
                               &a, 3, y);
    if (st)
        return agni_rename_error(op, st);
    *l = y[0];
    *d = y[1];
    *perm = y[2];
    return AGN_OK;
}

agn_status agn_linalg_ldl_solve(agn_tensor **out, const agn_tensor *l, const agn_tensor *d,
                                const agn_tensor *perm, const agn_tensor *b, bool hermitian)
{
    static const char op[] = "linalg_ldl_solve";
    AGNI_NEED(op, out);
    AGNI_NEED(op, l);
    AGNI_NEED(op, d);
    AGNI_NEED(op, perm);
    AGNI_NEED(op, b);
    agn_status st = agni_need_square(op, l);
    st = st ? st : agni_need_square(op, d);
    if (st)
        return st;
    int64_t n = l->shape[l->ndim - 1];
    if (agni_kind(perm->dtype) != AGNI_KIND_INT)
        return agni_fail(AGN_EDTYPE, "%s: perm is %s, whole numbers are needed for l of %s", op,
                         agni_dtypes[perm->dtype].name, AGNI_SHAPE(l));
    if (d->ndim != l->ndim || memcmp(d->shape, l->shape, (size_t)l->ndim * sizeof *l->shape) ||
        perm->ndim != l->ndim - 1 ||
        memcmp(perm->shape, l->shape, (size_t)perm->ndim * sizeof *l->shape))
        return agni_fail(AGN_ESHAPE, "%s: sizes differ: l is %s, d is %s, perm is %s", op,
                         AGNI_SHAPE(l), AGNI_SHAPE(d), AGNI_SHAPE(perm));
    if (b->ndim == 0 || b->shape[b->ndim == 1 ? 0 : b->ndim - 2] != n)
        return agni_fail(AGN_ESHAPE, "%s: rows differ: l is %s, b is %s", op, AGNI_SHAPE(l),
                         AGNI_SHAPE(b));
    agni_meta all = {.ndim = l->ndim - 2};
    memcpy(all.shape, l->shape, (size_t)all.ndim * sizeof *all.shape);
    if (b->ndim > 2 && !agni_broadcast_into(&all, b->ndim - 2, b->shape))
        return agni_fail(AGN_ESHAPE, "%s: batches do not broadcast: l is %s, b is %s", op,
                         AGNI_SHAPE(l), AGNI_SHAPE(b));
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x = b->ndim == 1 ? ag_expand_dims(s, b, -1) : b;
    all.shape[all.ndim] = n; /* interchanges are made row by row of a whole batch */
    perm = ag_broadcast_to(s, perm, all.ndim + 1, all.shape);
    all.shape[all.ndim + 1] = x ? x->shape[x->ndim - 1] : 0;
    x = ag_broadcast_to(s, x, all.ndim + 2, all.shape);
    if (n > 0) {
        x = ag_linalg_triangular_solve(s, l, take_order(s, x, perm, -2), false);
        x = ag_linalg_triangular_solve(s, transpose_adjoint(s, l, hermitian),
                                       divide_blocks(s, d, x), true);
        x = take_order(s, x, ag_argsort(s, perm, -1, false), -2);
    }
    return agni_return(op, s, out,
                       b->ndim == 1 && x ? ag_squeeze(s, x, -1)
                       : n || !x         ? x
                                         : ag_positive(s, x));
}
