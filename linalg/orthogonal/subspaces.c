/* linalg/orthogonal/subspaces.c - polar factors and what rests on them and on orthonormal bases:
   Procrustes' problem, angles between subspaces, RQ, least squares of any rank, pencils of
   Hermitian matrices. */
#include "linalg/linalg.h"

#include <agnesi/ag.h>
#include <agnesi/linalg.h>
#include <string.h>

/* ---- polar factors: the op ------------------------------------------------------- */

static agn_status infer_polar(agni_call *c)
{
    const agn_tensor *a = c->in[0];
    agn_status st = agni_check_matrix(c->op->name, a);
    if (!st && a->shape[a->ndim - 1] > a->shape[a->ndim - 2])
        st = agni_fail(AGN_ESHAPE, "%s: more columns than rows: a is %s; take its adjoint",
                       c->op->name, AGNI_SHAPE(a));
    st = st ? st : agni_infer_same(c);
    if (!st) {
        c->meta[1] = c->meta[0];
        c->meta[1].shape[a->ndim - 2] = a->shape[a->ndim - 1];
    }
    return st;
}

/* a = u h: with x = u^H du, skew, x h + h x = u^H da - da^H u, dh = u^H da - x h, and what da
   brings from outside of the span of u is divided by h */
static void polar_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                      const agn_tensor **ty)
{
    const agn_tensor *u = r->y[0], *h = r->y[1],
                     *p = ag_matmul(s, agni_conjugate_transpose(s, u), t[0]);
    const agn_tensor *x = agni_sylvester(s, h, h, ag_sub(s, p, agni_conjugate_transpose(s, p)));
    ty[0] = ag_matmul(s, u, x);
    ty[1] = ag_sub(s, p, ag_matmul(s, x, h));
    if (u->shape[u->ndim - 2] > u->shape[u->ndim - 1]) {
        const agn_tensor *rest = ag_sub(s, t[0], ag_matmul(s, u, p));
        const agn_tensor *part = ag_linalg_solve(s, h, agni_conjugate_transpose(s, rest));
        ty[0] = ag_add(s, ty[0], agni_conjugate_transpose(s, part));
    }
}

static agni_slots slots;
const agni_op agni_op_linalg_polar = {.name = "linalg_polar",
                                      .takes = "a",
                                      .cls = AGNI_SOLVE,
                                      .nin = 1,
                                      .nout = 2,
                                      .dtypes = AGNI_FIELDS,
                                      .diff = 1,
                                      .promote = 1,
                                      .ew = -1,
                                      .infer = infer_polar,
                                      .cpu = agni_cpu_polar,
                                      .jvp = polar_jvp,
                                      .batch = agni_batch_front,
                                      .slots = &slots,
                                      .lo = -2,
                                      .hi = 2,
                                      .doc = "orthonormal and Hermitian factor"};

/* ---- public functions ------------------------------------------------------------ */

agn_status agn_linalg_polar(agn_tensor **u, agn_tensor **h, const agn_tensor *a)
{
    AGNI_NEED("linalg_polar", u);
    AGNI_NEED("linalg_polar", h);
    AGNI_NEED("linalg_polar", a);
    agn_tensor *y[2] = {NULL};
    agn_status st = agni_apply(&agni_op_linalg_polar, NULL, 1, &a, 2, y);
    if (st)
        return st;
    *u = y[0];
    *h = y[1];
    return AGN_OK;
}

static agn_status check_rows(const char *op, const agn_tensor *a, const agn_tensor *b)
{
    agn_status st = agni_need_matrix(op, a);
    st = st ? st : agni_need_matrix(op, b);
    if (!st && a->shape[a->ndim - 2] != b->shape[b->ndim - 2])
        st = agni_fail(AGN_ESHAPE, "%s: rows differ: a is %s, b is %s", op, AGNI_SHAPE(a),
                       AGNI_SHAPE(b));
    return st;
}

agn_status agn_linalg_procrustes(agn_tensor **out, const agn_tensor *a, const agn_tensor *b)
{
    static const char op[] = "linalg_procrustes";
    AGNI_NEED(op, out);
    AGNI_NEED(op, a);
    AGNI_NEED(op, b);
    agn_status st = check_rows(op, a, b);
    if (!st && a->shape[a->ndim - 1] != b->shape[b->ndim - 1])
        st = agni_fail(AGN_ESHAPE, "%s: columns differ: a is %s, b is %s", op, AGNI_SHAPE(a),
                       AGNI_SHAPE(b));
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y[2] = {NULL};
    const agn_tensor *m = ag_matmul(s, agni_conjugate_transpose(s, agni_as_field(s, a)),
                                    agni_as_field(s, b));
    if (m)
        agni_apply_many_in(s, &agni_op_linalg_polar, NULL, 1, &m, 2, y);
    return agni_return(op, s, out, y[0]);
}

/* an orthonormal basis of the columns, which are refused where they are dependent */
static const agn_tensor *basis_of(agn_scope *s, const agn_tensor *a)
{
    const agn_tensor *x = agni_as_field(s, a), *f[2] = {NULL}, *inverse;
    if (!x || !agni_apply_many_in(s, &agni_op_linalg_qr,
                                  &(agni_attr){.ni = 1, .i = (const int64_t[]){0}}, 1, &x, 2, f))
        return NULL;
    const agn_tensor *unit = agni_split_triangle(s, f[1], &inverse); /* of diagonal 1 */
    return ag_mul(s, f[0], ag_expand_dims(s, ag_diagonal(s, unit, 0, -2, -1), -2));
}

/* cosines where they are small, else sines: each where it is well conditioned (Bjorck & Golub
   1973) */
agn_status agn_linalg_subspace_angles(agn_tensor **out, const agn_tensor *a, const agn_tensor *b)
{
    static const char op[] = "linalg_subspace_angles";
    AGNI_NEED(op, out);
    AGNI_NEED(op, a);
    AGNI_NEED(op, b);
    agn_status st = check_rows(op, a, b);
    if (st)
        return st;
    int64_t m = a->shape[a->ndim - 2], p = a->shape[a->ndim - 1], n = b->shape[b->ndim - 1];
    if (p > m || n > m)
        return agni_fail(AGN_ESHAPE, "%s: more columns than rows: a is %s, b is %s", op,
                         AGNI_SHAPE(a), AGNI_SHAPE(b));
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *u = basis_of(s, p >= n ? a : b), *v = basis_of(s, p >= n ? b : a);
    const agn_tensor *c = ag_matmul(s, agni_conjugate_transpose(s, u), v);
    const agn_tensor *cosine = ag_flip(s, ag_linalg_svdvals(s, c), (const int32_t[]){-1}, 1);
    const agn_tensor *sine = ag_linalg_svdvals(s, ag_sub(s, v, ag_matmul(s, u, c)));
    const agn_tensor *none = ag_zeros_like(s, sine);
    const agn_tensor *steep = ag_lt(s, cosine, none ? agni_full_like(s, 0.7, none) : NULL);
    const agn_tensor *y = ag_where(s, steep, ag_acos(s, ag_where(s, steep, cosine, none)),
                                   ag_asin(s, ag_where(s, steep, none, sine)));
    return agni_return(op, s, out, y);
}

/* with j the reversal: (j a)^H = q' r' gives a = (j r'^H j) (j q'^H) */
agn_status agn_linalg_rq(agn_tensor **r, agn_tensor **q, const agn_tensor *a)
{
    static const char op[] = "linalg_rq";
    const int32_t rows = -2, both[] = {-2, -1};
    AGNI_NEED(op, r);
    AGNI_NEED(op, q);
    AGNI_NEED(op, a);
    agn_status st = agni_need_matrix(op, a);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x = agni_conjugate_transpose(s, ag_flip(s, agni_as_field(s, a), &rows, 1)),
                     *f[2] = {NULL};
    if (x)
        agni_apply_many_in(s, &agni_op_linalg_qr, &(agni_attr){.ni = 1, .i = (const int64_t[]){0}},
                           1, &x, 2, f);
    agn_scope_return(s, r, ag_flip(s, agni_conjugate_transpose(s, f[1]), both, 2));
    agn_scope_return(s, q, ag_flip(s, agni_conjugate_transpose(s, f[0]), &rows, 1));
    return agni_rename_error(op, agn_scope_close(s));
}

agn_status agn_linalg_lstsq_min_norm(agn_tensor **out, agn_tensor **rank, const agn_tensor *a,
                                     const agn_tensor *b, double rcond)
{
    static const char op[] = "linalg_lstsq_min_norm";
    AGNI_NEED(op, out);
    AGNI_NEED(op, rank);
    AGNI_NEED(op, a);
    AGNI_NEED(op, b);
    agn_status st = agni_need_matrix(op, a);
    if (st)
        return st;
    if (rcond != rcond || rcond >= 1)
        return agni_fail(AGN_EARG, "%s: rcond is %g, not below %g", op, rcond, 1.0);
    if (b->ndim == 0 || b->shape[b->ndim == 1 ? 0 : b->ndim - 2] != a->shape[a->ndim - 2])
        return agni_fail(AGN_ESHAPE, "%s: rows differ: a is %s, b is %s", op, AGNI_SHAPE(a),
                         AGNI_SHAPE(b));
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x = agni_as_field(s, a);
    agn_scope_return(s, out, ag_matmul(s, ag_linalg_pinv(s, x, rcond), b));
    agn_scope_return(s, rank, ag_linalg_matrix_rank(s, x, rcond));
    return agni_rename_error(op, agn_scope_close(s));
}

/* b = l l^H takes it to l^-1 a l^-H y = w y, v = l^-H y (sygv's way; Golub & Van Loan 2013, 8.7) */
agn_status agn_linalg_eigh_generalized(agn_tensor **w, agn_tensor **v, const agn_tensor *a,
                                       const agn_tensor *b, bool upper)
{
    static const char op[] = "linalg_eigh_generalized";
    AGNI_NEED(op, w);
    AGNI_NEED(op, v);
    AGNI_NEED(op, a);
    AGNI_NEED(op, b);
    agn_status st = agni_need_square(op, a);
    st = st ? st : agni_need_square(op, b);
    if (!st && a->shape[a->ndim - 1] != b->shape[b->ndim - 1])
        st = agni_fail(AGN_ESHAPE, "%s: orders differ: a is %s, b is %s", op, AGNI_SHAPE(a),
                       AGNI_SHAPE(b));
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *l = ag_linalg_cholesky(s, agni_as_field(s, b), upper), *y[2] = {NULL};
    if (upper)
        l = agni_conjugate_transpose(s, l);
    const agn_tensor *x = agni_complete_triangle(s, agni_as_field(s, a), upper);
    x = ag_linalg_triangular_solve(s, l, x, false);
    x = ag_linalg_triangular_solve(s, l, agni_conjugate_transpose(s, x), false);
    if (x)
        agni_apply_many_in(s, &agni_op_linalg_eigh,
                           &(agni_attr){.ni = 1, .i = (const int64_t[]){0}}, 1, &x, 2, y);
    agn_scope_return(s, w, y[0]);
    agn_scope_return(s, v,
                     ag_linalg_triangular_solve(s, agni_conjugate_transpose(s, l), y[1], true));
    return agni_rename_error(op, agn_scope_close(s));
}
