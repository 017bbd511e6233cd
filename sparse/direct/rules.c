/* sparse/direct/rules.c - direct solves: op rows, inference and derivatives.

   A rule solves with the values of the primal, whose factor is in the cache. */
#include "sparse/direct/direct.h"
#include "sparse/products/products.h"

#include <string.h>

/* ---- inference ------------------------------------------------------------------------------ */

static const agni_pattern *call_pattern(const agni_call *c)
{
    return (const agni_pattern *)c->at->obj;
}

static agn_status check_values(const agni_call *c, bool square, int64_t method, int64_t order)
{
    const agni_pattern *p = call_pattern(c);
    const agn_tensor *v = c->in[0];
    if (method < 0 || method >= AGN_SPARSE_N_METHODS || order < 0 ||
        order >= AGN_SPARSE_N_ORDERS)
        return agni_fail(AGN_EARG, "%s: method %lld by order %lld is not known",
                         c->op->name, (long long)method, (long long)order);
    if (v->ndim < 1 || v->shape[v->ndim - 1] != p->nnz)
        return agni_fail(AGN_ESHAPE, "%s: values are %s, the pattern has %lld entries",
                         c->op->name, AGNI_SHAPE(v), (long long)p->nnz);
    if (square && p->rows != p->cols)
        return agni_fail(AGN_ESHAPE, "%s: a square matrix is needed, a is [%lld,%lld]",
                         c->op->name, (long long)p->rows, (long long)p->cols);
    return AGN_OK;
}

static agn_status check_rhs(const agni_call *c, int64_t rows)
{
    const agni_pattern *p = call_pattern(c);
    const agn_tensor *b = c->in[1];
    if (b->ndim >= 2 && b->shape[b->ndim - 2] == rows)
        return AGN_OK;
    return agni_fail(AGN_ESHAPE, "%s: rows differ: a is [%lld,%lld], b is %s",
                     c->op->name, (long long)p->rows, (long long)p->cols,
                     AGNI_SHAPE(b));
}

static agn_status infer_linsolve(agni_call *c)
{
    const agn_tensor *b = c->in[1];
    agn_status st = check_values(c, true, c->at->i[1], c->at->i[2]);
    if (!st)
        st = check_rhs(c, call_pattern(c)->rows);
    return st ? st : agni_infer_over_batch(c, c->in[0], 1, b, 2, 2, b->shape + b->ndim - 2);
}

/* modes of least squares: the x of least |A x - b|, A^H A x = b, the shortest x of A^H x = b */
enum { LEAST, GRAM, NORM };

static agn_status infer_lstsq(agni_call *c)
{
    const agni_pattern *p = call_pattern(c);
    const agn_tensor *b = c->in[1];
    int64_t mode = c->at->i[0];
    agn_status st = check_values(c, false, 0, c->at->i[1]);
    if (!st && (mode < LEAST || mode > NORM))
        st = agni_fail(AGN_EARG, "%s: mode %lld is none of %d", c->op->name, (long long)mode,
                       NORM + 1);
    if (!st && p->rows < p->cols)
        st = agni_fail(AGN_ESHAPE,
                       "%s: at least as many rows as columns are needed: [%lld,%lld]",
                       c->op->name, (long long)p->rows, (long long)p->cols);
    if (!st)
        st = check_rhs(c, mode == LEAST ? p->rows : p->cols);
    int64_t rows = mode == NORM ? p->rows : p->cols;
    return st ? st
              : agni_infer_over_batch(c, c->in[0], 1, b, 2, 2,
                                      (int64_t[]){rows, b->shape[b->ndim - 1]});
}

static agn_status infer_logdet(agni_call *c)
{
    agn_status st = check_values(c, true, c->at->i[0], c->at->i[1]);
    if (!st)
        st = agni_infer_over_batch(c, c->in[0], 1, NULL, 0, 0, NULL);
    c->meta->dtype = AGN_F64;
    return st;
}

static agn_status infer_inverse(agni_call *c)
{
    agn_status st = check_values(c, true, c->at->i[0], c->at->i[1]);
    return st ? st : agni_infer_over_batch(c, c->in[0], 1, NULL, 0, 1, &call_pattern(c)->nnz);
}

/* ---- pieces of rules ------------------------------------------------------------------------- */

static const agn_tensor *negate_values(agn_scope *s, const agn_tensor *x)
{
    return x ? agni_apply_in(s, &agni_op_neg, NULL, 1, &x) : NULL;
}

static const agn_tensor *apply_spmm(agn_scope *s, agni_obj *p, const agn_tensor *v,
                                    const agn_tensor *x, int64_t turned)
{
    return agni_apply_in(s, &agni_op_sparse_spmm, &(agni_attr){.ni = 1, .i = &turned, .obj = p}, 2,
                         (const agn_tensor *[]){v, x});
}

/* t of a = t + t^H: the lower triangle of v, and half the diagonal */
static const agn_tensor *lower_half(agn_scope *s, agni_obj *p, const agn_tensor *v)
{
    const agn_tensor *w = agni_pattern_lower((const agni_pattern *)(const void *)p);
    if (!w)
        agn_scope_fail(s, agni_nomem("sparse_solve", sizeof *w));
    return agni_apply_in(s, &agni_op_mul, NULL, 2, (const agn_tensor *[]){v, w});
}

/* u_i conj(w_j) at the entries (i, j) */
static const agn_tensor *outer_at_entries(agn_scope *s, agni_obj *p, const agn_tensor *u,
                                          const agn_tensor *w)
{
    return agni_apply_in(s, &agni_op_sparse_sddmm, &(agni_attr){.obj = p}, 2,
                         (const agn_tensor *[]){u, agni_conjugate(s, w)});
}

/* ---- a x = b --------------------------------------------------------------------------------- */

static const agn_tensor *apply_linsolve(agn_scope *s, agni_obj *p, const agn_tensor *v,
                                        const agn_tensor *b, int64_t turned, const int64_t *how)
{
    int64_t at[3] = {turned, how[0], how[1]};
    return agni_apply_in(s, &agni_op_sparse_linsolve, &(agni_attr){.ni = 3, .i = at, .obj = p}, 2,
                         (const agn_tensor *[]){v, b});
}

/* a x or a^T x for the matrix that values v make by the method */
static const agn_tensor *multiply_matrix(agn_scope *s, agni_obj *p, int64_t method,
                                         const agn_tensor *v, const agn_tensor *x, int64_t turned)
{
    if (method != AGN_SPARSE_CHOLESKY_LOWER)
        return apply_spmm(s, p, v, x, turned);
    v = lower_half(s, p, v);
    return agni_add_present(s, apply_spmm(s, p, v, x, turned),
                            apply_spmm(s, p, agni_conjugate(s, v), x, !turned));
}

/* the cotangent of values whose matrix has u w^H */
static const agn_tensor *cotangent_of_values(agn_scope *s, const agni_rule *r, const agn_tensor *u,
                                             const agn_tensor *w)
{
    agni_obj *p = r->at->obj;
    if (r->at->i[1] != AGN_SPARSE_CHOLESKY_LOWER)
        return outer_at_entries(s, p, u, w);
    return lower_half(
        s, p, agni_add_present(s, outer_at_entries(s, p, u, w), outer_at_entries(s, p, w, u)));
}

/* dx = a^-1 (db - da x), and with a^T for a */
static void linsolve_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                         const agn_tensor **ty)
{
    const int64_t *i = r->at->i;
    const agn_tensor *rhs = t[1];
    if (t[0])
        rhs = agni_add_present(
            s, rhs, negate_values(s, multiply_matrix(s, r->at->obj, i[1], t[0], r->y[0], i[0])));
    ty[0] = apply_linsolve(s, r->at->obj, r->x[0], rhs, i[0], i + 1);
}

/* u = a^-H g, db = u, da = -u x^H; of a^T: the transpose of that */
static void linsolve_vjp(agn_scope *s, const agni_rule *r, const agn_tensor *const *g,
                         const bool *want, const agn_tensor **gx)
{
    const int64_t *i = r->at->i;
    agni_obj *p = r->at->obj;
    const agn_tensor *u = agni_conjugate(s, g[0]), *x = r->y[0];
    u = agni_conjugate(s, apply_linsolve(s, p, r->x[0], u, !i[0], i + 1));
    if (want[1])
        gx[1] = agni_unbroadcast(s, u, r->x[1]);
    if (want[0]) {
        const agn_tensor *d = i[0] ? agni_conjugate(s, cotangent_of_values(s, r, x, u))
                                   : cotangent_of_values(s, r, u, x);
        gx[0] = agni_unbroadcast(s, negate_values(s, d), r->x[0]);
    }
}

/* ---- least squares --------------------------------------------------------------------------- */

static const agn_tensor *apply_lstsq(agn_scope *s, const agni_rule *r, int64_t mode,
                                     const agn_tensor *b)
{
    int64_t at[2] = {mode, r->at->i[1]};
    return agni_apply_in(s, r->op, &(agni_attr){.ni = 2, .i = at, .obj = r->at->obj}, 2,
                         (const agn_tensor *[]){r->x[0], b});
}

/* A^H x for values v of A */
static const agn_tensor *adjoint_times(agn_scope *s, agni_obj *p, const agn_tensor *v,
                                       const agn_tensor *x)
{
    return apply_spmm(s, p, agni_conjugate(s, v), x, 1);
}

/* x = A z with A^H A z = b: dx = w - A A^+ w + A G^-1 (db - dA^H x), w = dA z */
static void norm_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                     const agn_tensor **ty)
{
    agni_obj *p = r->at->obj;
    const agn_tensor *rhs = t[1], *y = NULL;
    if (t[0]) {
        const agn_tensor *z = apply_lstsq(s, r, GRAM, r->x[1]);
        const agn_tensor *w = apply_spmm(s, p, t[0], z, 0);
        y = agni_add_present(
            s, w, negate_values(s, apply_spmm(s, p, r->x[0], apply_lstsq(s, r, LEAST, w), 0)));
        rhs = agni_add_present(s, rhs, negate_values(s, adjoint_times(s, p, t[0], r->y[0])));
    }
    ty[0] = agni_add_present(s, y, apply_lstsq(s, r, NORM, rhs));
}

/* u = A^+ g: db = u, dA = (g - A u) z^H - x u^H */
static void norm_vjp(agn_scope *s, const agni_rule *r, const agn_tensor *g, const bool *want,
                     const agn_tensor **gx)
{
    agni_obj *p = r->at->obj;
    const agn_tensor *u = apply_lstsq(s, r, LEAST, g);
    if (want[1])
        gx[1] = agni_unbroadcast(s, u, r->x[1]);
    if (!want[0])
        return;
    const agn_tensor *z = apply_lstsq(s, r, GRAM, r->x[1]);
    const agn_tensor *off = agni_add_present(s, g,
                                             negate_values(s, apply_spmm(s, p, r->x[0], u, 0)));
    const agn_tensor *d = agni_add_present(s, outer_at_entries(s, p, off, z),
                                           negate_values(s, outer_at_entries(s, p, r->y[0], u)));
    gx[0] = agni_unbroadcast(s, d, r->x[0]);
}

/* Golub & Pereyra 1973: dx = A^+ (db - dA x) + G^-1 dA^H r with G = A^H A, r = b - A x; for
   G x = c: dx = G^-1 (dc - dA^H A x - A^H dA x) */
static void lstsq_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                      const agn_tensor **ty)
{
    agni_obj *p = r->at->obj;
    if (r->at->i[0] == NORM) {
        norm_jvp(s, r, t, ty);
        return;
    }
    const agn_tensor *v = r->x[0], *x = r->y[0], *y = NULL;
    const agn_tensor *ax = t[0] ? apply_spmm(s, p, v, x, 0) : NULL;
    const agn_tensor *dax = t[0] ? negate_values(s, apply_spmm(s, p, t[0], x, 0)) : NULL;
    if (r->at->i[0] == GRAM) {
        if (t[0])
            y = agni_add_present(s, negate_values(s, adjoint_times(s, p, t[0], ax)),
                                 adjoint_times(s, p, v, dax));
        ty[0] = apply_lstsq(s, r, GRAM, agni_add_present(s, t[1], y));
        return;
    }
    y = apply_lstsq(s, r, LEAST, agni_add_present(s, t[1], dax));
    if (t[0]) {
        const agn_tensor *res = agni_add_present(s, r->x[1], negate_values(s, ax));
        y = agni_add_present(s, y, apply_lstsq(s, r, GRAM, adjoint_times(s, p, t[0], res)));
    }
    ty[0] = y;
}

/* u = G^-1 g: db = A u, the shortest with A^H A u = g, dA = r u^H - (A u) x^H; of G: dc = u, dA =
   -(A x) u^H - (A u) x^H */
static void lstsq_vjp(agn_scope *s, const agni_rule *r, const agn_tensor *const *g,
                      const bool *want, const agn_tensor **gx)
{
    agni_obj *p = r->at->obj;
    bool gram = r->at->i[0] == GRAM;
    if (r->at->i[0] == NORM) {
        norm_vjp(s, r, g[0], want, gx);
        return;
    }
    const agn_tensor *v = r->x[0], *x = r->y[0];
    const agn_tensor *u = gram || want[0] ? apply_lstsq(s, r, GRAM, g[0]) : NULL;
    const agn_tensor *au = !gram       ? apply_lstsq(s, r, NORM, g[0])
                           : want[0] ? apply_spmm(s, p, v, u, 0)
                                     : NULL;
    if (want[1])
        gx[1] = agni_unbroadcast(s, gram ? u : au, r->x[1]);
    if (want[0]) {
        const agn_tensor *res = negate_values(s, apply_spmm(s, p, v, x, 0));
        if (!gram)
            res = agni_add_present(s, r->x[1], res);
        const agn_tensor *d = agni_add_present(s, outer_at_entries(s, p, res, u),
                                               negate_values(s, outer_at_entries(s, p, au, x)));
        gx[0] = agni_unbroadcast(s, d, v);
    }
}

/* ---- determinants ---------------------------------------------------------------------------- */

static const agn_tensor *inverse_entries(agn_scope *s, const agni_rule *r)
{
    return agni_apply_in(s, &agni_op_sparse_inverse, r->at, 1, r->x);
}

/* d log |det a| = Re sum over entries of (a^-1)[j, i] da_ij; for da = t + t^H twice that of t */
static void logdet_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                       const agn_tensor **ty)
{
    const agn_tensor *da = t[0];
    if (r->at->i[0] == AGN_SPARSE_CHOLESKY_LOWER && (da = lower_half(s, r->at->obj, da)))
        da = agni_apply_in(s, &agni_op_add, NULL, 2, (const agn_tensor *[]){da, da});
    const agn_tensor *z = da ? agni_apply_in(s, &agni_op_mul, NULL, 2,
                                             (const agn_tensor *[]){inverse_entries(s, r), da})
                             : NULL;
    if (z && agni_kind(z->dtype) == AGNI_KIND_COMPLEX)
        z = agni_apply_in(s, &agni_op_real, NULL, 1, &z);
    ty[0] = z ? agni_sum_axes(s, z, 1, (int64_t[]){-1}, false) : NULL;
}

/* d(a^-1) = -a^-1 da a^-1: of that entries [j, i] are wanted, so all of the inverse */
static void inverse_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                        const agn_tensor **ty)
{
    agni_obj *p = r->at->obj;
    int64_t n = ((const agni_pattern *)(const void *)p)->rows;
    agn_tensor *one = NULL;
    agn_status st = agn_eye(&one, r->x[0]->dtype, n, n, 0);
    const agn_tensor *eye = agn_scope_adopt(s, st, &one);
    const agn_tensor *x = eye ? apply_linsolve(s, p, r->x[0], eye, 0, r->at->i) : NULL;
    const agn_tensor *y = x ? multiply_matrix(s, p, r->at->i[0], t[0], x, 0) : NULL;
    if (y)
        y = agni_move_axis(s, y, -1, -2);
    y = y ? agni_apply_in(s, &agni_op_sparse_sddmm, &(agni_attr){.obj = p}, 2,
                          (const agn_tensor *[]){y, x})
          : NULL;
    ty[0] = negate_values(s, y);
}

/* ---- rows ------------------------------------------------------------------------------------ */

#define WIDE_FIELDS (AGNI_BIT(F64) | AGNI_BIT(C128))
static agni_slots slots[4];
const agni_op agni_op_sparse_linsolve = {
    .name = "sparse_linsolve",
    .takes = "values b turned:b method:i order:i pattern:o",
    .cls = AGNI_SOLVE,
    .nin = 2,
    .nout = 1,
    .dtypes = WIDE_FIELDS,
    .diff = 3,
    .promote = 3,
    .ew = -1,
    .infer = infer_linsolve,
    .cpu = agni_cpu_linsolve,
    .contiguous = true,
    .jvp = linsolve_jvp,
    .vjp = linsolve_vjp,
    .batch = agni_batch_spmm,
    .slots = &slots[0],
    .lo = -2,
    .hi = 2,
    .lo2 = -2,
    .hi2 = 2,
    .doc = "solve with a sparse matrix by a direct method"};
const agni_op agni_op_sparse_lstsq = {
    .name = "sparse_lstsq",
    .takes = "values b mode:i order:i pattern:o",
    .cls = AGNI_SOLVE,
    .nin = 2,
    .nout = 1,
    .dtypes = WIDE_FIELDS,
    .diff = 3,
    .promote = 3,
    .ew = -1,
    .infer = infer_lstsq,
    .cpu = agni_cpu_lstsq,
    .contiguous = true,
    .jvp = lstsq_jvp,
    .vjp = lstsq_vjp,
    .batch = agni_batch_spmm,
    .slots = &slots[1],
    .lo = -2,
    .hi = 2,
    .lo2 = -2,
    .hi2 = 2,
    .doc = "least squares, A^H A x = b, or the shortest x of A^H x = b, by sparse QR"};
const agni_op agni_op_sparse_logdet = {.name = "sparse_logdet",
                                       .takes = "values method:i order:i pattern:o",
                                       .cls = AGNI_SOLVE,
                                       .nin = 1,
                                       .nout = 1,
                                       .dtypes = WIDE_FIELDS,
                                       .diff = 1,
                                       .promote = 1,
                                       .ew = -1,
                                       .infer = infer_logdet,
                                       .cpu = agni_cpu_logdet,
                                       .contiguous = true,
                                       .jvp = logdet_jvp,
                                       .batch = agni_batch_front,
                                       .slots = &slots[2],
                                       .lo = -2,
                                       .hi = 2,
                                       .doc = "logarithm of the absolute determinant"};
const agni_op agni_op_sparse_inverse = {
    .name = "sparse_inverse",
    .takes = "values method:i order:i pattern:o",
    .cls = AGNI_SOLVE,
    .nin = 1,
    .nout = 1,
    .dtypes = WIDE_FIELDS,
    .diff = 1,
    .promote = 1,
    .ew = -1,
    .infer = infer_inverse,
    .cpu = agni_cpu_inverse,
    .contiguous = true,
    .jvp = inverse_jvp,
    .batch = agni_batch_front,
    .slots = &slots[3],
    .lo = -2,
    .hi = 2,
    .doc = "entries of the inverse at the mirrored places"};
