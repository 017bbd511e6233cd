/* linalg/lu.c - LU factors with row interchanges, taken apart and used again (Golub & Van Loan
   2013, 3.4). */
#include "linalg/linalg.h"
#include "tensor/create/constants.h"

#include <agnesi/ag.h>
#include <agnesi/linalg.h>
#include <string.h>

/* ---- the op ---------------------------------------------------------------------- */

static agn_status infer_lu(agni_call *c)
{
    const agn_tensor *a = c->in[0];
    agn_status st = agni_check_matrix(c->op->name, a);
    st = st ? st : agni_infer_same(c);
    if (!st) {
        c->meta[1] = c->meta[0];
        c->meta[1].dtype = AGN_I64;
        c->meta[1].ndim--;
        c->meta[1].shape[c->meta[1].ndim - 1] = a->shape[a->ndim - 2];
    }
    return st;
}

/* rows of x in the order perm [..., m], or brought back from it */
static const agn_tensor *permute_rows(agn_scope *s, const agn_tensor *x, const agn_tensor *perm,
                                      bool back)
{
    if (back)
        perm = ag_argsort(s, perm, -1, false);
    if (!x || !perm)
        return NULL;
    if (perm->ndim == 1)
        return ag_gather(s, x, perm, -2);
    int64_t shape[AGNI_MAX_RANK];
    memcpy(shape, x->shape, (size_t)x->ndim * sizeof *shape);
    const agn_tensor *at = ag_broadcast_to(s, ag_expand_dims(s, perm, -1), x->ndim, shape);
    return ag_take_along_axis(s, x, at, -2);
}

const agn_tensor *agni_leading_block(agn_scope *s, const agn_tensor *x, int64_t rows, int64_t cols)
{
    if (!x)
        return NULL;
    int64_t start[AGNI_MAX_RANK] = {0}, stop[AGNI_MAX_RANK], step[AGNI_MAX_RANK];
    for (int d = 0; d < x->ndim; d++) {
        stop[d] = x->shape[d];
        step[d] = 1;
    }
    stop[x->ndim - 2] = rows;
    stop[x->ndim - 1] = cols;
    return ag_slice(s, x, x->ndim, start, stop, step);
}

/* unit lower triangle of k columns, upper triangle of k rows */
static const agn_tensor *lower_part(agn_scope *s, const agn_tensor *lu)
{
    int64_t m = lu->shape[lu->ndim - 2], n = lu->shape[lu->ndim - 1], k = m < n ? m : n;
    const agn_tensor *low = ag_tril(s, agni_leading_block(s, lu, m, k), -1);
    return low ? ag_add(s, low, agni_eye_beside(s, m, k, low)) : NULL;
}
static const agn_tensor *upper_part(agn_scope *s, const agn_tensor *lu)
{
    int64_t m = lu->shape[lu->ndim - 2], n = lu->shape[lu->ndim - 1], k = m < n ? m : n;
    return ag_triu(s, agni_leading_block(s, lu, k, n), 0);
}

/* x u^-1 with u upper triangular */
static const agn_tensor *divide_right(agn_scope *s, const agn_tensor *x, const agn_tensor *u)
{
    return agni_matrix_transpose(s, ag_linalg_triangular_solve(s, agni_matrix_transpose(s, u),
                                                               agni_matrix_transpose(s, x), false));
}

/* p a = l u with k = min(m, n) pivots. f = l_k^-1 (p da)_k u_k^-1 of the leading blocks splits into
   l_k^-1 dl_k below and du_k u_k^-1 on and above the diagonal; what is beyond the blocks follows:
   (p da - l du) u_k^-1 below them, l_k^-1 (p da - dl u) beside them. */
static void lu_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                   const agn_tensor **ty)
{
    const agn_tensor *lu = r->y[0];
    int64_t m = lu->shape[lu->ndim - 2], n = lu->shape[lu->ndim - 1], k = m < n ? m : n;
    const agn_tensor *l = lower_part(s, lu), *u = upper_part(s, lu);
    const agn_tensor *lk = agni_leading_block(s, l, k, k), *uk = agni_leading_block(s, u, k, k);
    const agn_tensor *da = permute_rows(s, t[0], r->y[1], false);
    const agn_tensor *f = divide_right(
        s, ag_linalg_triangular_solve(s, lk, agni_leading_block(s, da, k, k), false), uk);
    const agn_tensor *dl, *du;
    if (m > n) {
        du = ag_matmul(s, ag_triu(s, f, 0), uk);
        dl = divide_right(s, ag_sub(s, da, ag_matmul(s, l, du)), uk);
        int64_t rows = m - k, shape[AGNI_MAX_RANK];
        memcpy(shape, lu->shape, (size_t)lu->ndim * sizeof *shape);
        shape[lu->ndim - 2] = rows;
        const agn_tensor *none = agni_full(s, 0, lu->dtype, lu->ndim, shape);
        du = ag_concat(s, (const agn_tensor *[]){du, none}, 2, -2);
        dl = ag_tril(s, dl, -1);
    } else {
        dl = ag_matmul(s, lk, ag_tril(s, f, -1));
        du = ag_triu(
            s, ag_linalg_triangular_solve(s, lk, ag_sub(s, da, ag_matmul(s, dl, u)), false), 0);
        if (n > m) {
            int64_t shape[AGNI_MAX_RANK];
            memcpy(shape, lu->shape, (size_t)lu->ndim * sizeof *shape);
            shape[lu->ndim - 1] = n - k;
            const agn_tensor *none = agni_full(s, 0, lu->dtype, lu->ndim, shape);
            dl = ag_concat(s, (const agn_tensor *[]){dl, none}, 2, -1);
        }
    }
    ty[0] = ag_add(s, dl, du);
}

static agni_slots slots;
const agni_op agni_op_linalg_lu = {
    .name = "linalg_lu",
    .takes = "a",
    .cls = AGNI_SOLVE,
    .nin = 1,
    .nout = 2,
    .dtypes = AGNI_FIELDS,
    .diff = 1,
    .promote = 1,
    .ew = -1,
    .infer = infer_lu,
    .cpu = agni_cpu_lu,
    .jvp = lu_jvp,
    .batch = agni_batch_front,
    .slots = &slots,
    .lo = -2,
    .hi = 2,
    .doc = "LU factors with row interchanges, and the order of the rows"};

/* ---- factors --------------------------------------------------------------------- */

agn_status agn_linalg_lu_factor(agn_tensor **lu, agn_tensor **perm, const agn_tensor *a)
{
    AGNI_NEED("linalg_lu_factor", lu);
    AGNI_NEED("linalg_lu_factor", perm);
    AGNI_NEED("linalg_lu_factor", a);
    agn_tensor *y[2] = {NULL};
    agn_status st = agni_rename_error("linalg_lu_factor",
                                      agni_apply(&agni_op_linalg_lu, NULL, 1, &a, 2, y));
    if (st)
        return st;
    *lu = y[0];
    *perm = y[1];
    return AGN_OK;
}

/* perm [..., m] of lu [..., m, n] */
static agn_status check_factor(const char *op, const agn_tensor *lu, const agn_tensor *perm,
                               bool square)
{
    if (lu->layout != AGN_DENSE)
        return agni_fail(AGN_EUNSUPPORTED, "%s: lu is sparse, a dense one is needed: %s", op,
                         AGNI_SHAPE(lu));
    agn_status st = square ? agni_check_square(op, lu) : agni_check_matrix(op, lu);
    if (st)
        return st;
    if (agni_kind(perm->dtype) != AGNI_KIND_INT)
        return agni_fail(AGN_EDTYPE, "%s: perm is %s, whole numbers are needed for lu of %s", op,
                         agni_dtypes[perm->dtype].name, AGNI_SHAPE(lu));
    if (perm->ndim != lu->ndim - 1 ||
        memcmp(perm->shape, lu->shape, (size_t)perm->ndim * sizeof *lu->shape))
        return agni_fail(AGN_ESHAPE, "%s: rows differ: lu is %s, perm is %s", op, AGNI_SHAPE(lu),
                         AGNI_SHAPE(perm));
    return AGN_OK;
}

/* p with p [perm[i], i] = 1, so that a = p l u */
static const agn_tensor *permutation_matrix(agn_scope *s, const agn_tensor *perm,
                                            const agn_tensor *like)
{
    if (!perm || !like)
        return NULL;
    int64_t m = perm->shape[perm->ndim - 1];
    const agn_tensor *eye = agni_eye_beside(s, m, m, like);
    const agn_tensor *rows = ag_gather(s, eye, perm, -2); /* [..., m, m]: row i is e_perm[i] */
    return agni_matrix_transpose(s, rows);
}

static agn_status unpack_factors(const char *op, agn_scope *s, agn_tensor **p, agn_tensor **l,
                                 agn_tensor **u, const agn_tensor *lu, const agn_tensor *perm)
{
    agn_scope_return(s, p, lu ? permutation_matrix(s, perm, lu) : NULL);
    agn_scope_return(s, l, lu ? lower_part(s, lu) : NULL);
    agn_scope_return(s, u, lu ? upper_part(s, lu) : NULL);
    return agni_rename_error(op, agn_scope_close(s));
}

agn_status agn_linalg_lu_unpack(agn_tensor **p, agn_tensor **l, agn_tensor **u,
                                const agn_tensor *lu, const agn_tensor *perm)
{
    AGNI_NEED("linalg_lu_unpack", p);
    AGNI_NEED("linalg_lu_unpack", l);
    AGNI_NEED("linalg_lu_unpack", u);
    AGNI_NEED("linalg_lu_unpack", lu);
    AGNI_NEED("linalg_lu_unpack", perm);
    agn_status st = check_factor("linalg_lu_unpack", lu, perm, false);
    return st ? st : unpack_factors("linalg_lu_unpack", agn_scope_open(NULL), p, l, u, lu, perm);
}

agn_status agn_linalg_lu(agn_tensor **p, agn_tensor **l, agn_tensor **u, const agn_tensor *a)
{
    AGNI_NEED("linalg_lu", p);
    AGNI_NEED("linalg_lu", l);
    AGNI_NEED("linalg_lu", u);
    AGNI_NEED("linalg_lu", a);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y[2] = {NULL};
    agni_apply_many_in(s, &agni_op_linalg_lu, NULL, 1, &a, 2, y);
    return unpack_factors("linalg_lu", s, p, l, u, y[0], y[1]);
}

/* op(p l u) x = b; the triangles are read where they lie */
static const agn_tensor *solve_packed(agn_scope *s, const agn_tensor *lu, const agn_tensor *perm,
                                      const agn_tensor *b, agn_matrix_form form)
{
    if (form == AGN_FORM_PLAIN) {
        const agn_tensor *y = agni_solve_triangle(s, lu, permute_rows(s, b, perm, false),
                                                  AGNI_TRIANGLE_UNIT);
        return agni_solve_triangle(s, lu, y, AGNI_TRIANGLE_UPPER);
    }
    lu = form == AGN_FORM_ADJOINT ? agni_conjugate_transpose(s, lu) : agni_matrix_transpose(s, lu);
    const agn_tensor *y = agni_solve_triangle(s, lu, b, 0);
    y = agni_solve_triangle(s, lu, y, AGNI_TRIANGLE_UPPER | AGNI_TRIANGLE_UNIT);
    return permute_rows(s, y, perm, true);
}

agn_status agn_linalg_lu_solve(agn_tensor **out, const agn_tensor *lu, const agn_tensor *perm,
                               const agn_tensor *b, agn_matrix_form form)
{
    static const char op[] = "linalg_lu_solve";
    AGNI_NEED(op, out);
    AGNI_NEED(op, lu);
    AGNI_NEED(op, perm);
    AGNI_NEED(op, b);
    if (form < AGN_FORM_PLAIN || form > AGN_FORM_ADJOINT)
        return agni_fail(AGN_EARG, "%s: there is no form %d of 3", op, (int)form);
    agn_status st = check_factor(op, lu, perm, true);
    if (st)
        return st;
    if (b->layout != AGN_DENSE)
        return agni_fail(AGN_EUNSUPPORTED, "%s: b is sparse, a dense one is needed: %s", op,
                         AGNI_SHAPE(b));
    int64_t n = lu->shape[lu->ndim - 1];
    if (b->ndim == 0 || b->shape[b->ndim == 1 ? 0 : b->ndim - 2] != n)
        return agni_fail(AGN_ESHAPE, "%s: rows differ: lu is %s, b is %s", op, AGNI_SHAPE(lu),
                         AGNI_SHAPE(b));
    agni_meta all = {.ndim = lu->ndim - 2};
    memcpy(all.shape, lu->shape, (size_t)all.ndim * sizeof *all.shape);
    if (b->ndim > 2 && !agni_broadcast_into(&all, b->ndim - 2, b->shape))
        return agni_fail(AGN_ESHAPE, "%s: batches do not broadcast: lu is %s, b is %s", op,
                         AGNI_SHAPE(lu), AGNI_SHAPE(b));
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x = b->ndim == 1 ? ag_expand_dims(s, b, -1) : b;
    if (all.ndim) { /* interchanges are made row by row of a whole batch */
        all.shape[all.ndim] = n;
        perm = ag_broadcast_to(s, perm, all.ndim + 1, all.shape);
        all.shape[all.ndim + 1] = x ? x->shape[x->ndim - 1] : 0;
        x = ag_broadcast_to(s, x, all.ndim + 2, all.shape);
    }
    x = solve_packed(s, lu, perm, x, form);
    return agni_return(op, s, out, b->ndim == 1 && x ? ag_squeeze(s, x, -1) : x);
}
