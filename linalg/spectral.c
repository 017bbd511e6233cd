/* linalg/spectral.c - Hermitian eigenpairs, singular values and QR: records, derivatives, public
   functions (Magnus 1985; Townsend 2016; Walter & Lehmann 2010). Phases of complex vectors are
   fixed, so the derivatives are those of the vectors that are given. */
#include "linalg/linalg.h"

#include <agnesi/ag.h>
#include <agnesi/linalg.h>
#include <string.h>

/* ---- shapes ---------------------------------------------------------------------- */

static int real_partner(int dtype)
{
    return dtype == AGN_C64 ? AGN_F32 : dtype == AGN_C128 ? AGN_F64 : dtype;
}

static void set_matrix(agni_meta *o, const agn_tensor *a, int64_t m, int64_t n)
{
    o->dtype = a->dtype;
    o->ndim = a->ndim;
    memcpy(o->shape, a->shape, (size_t)a->ndim * sizeof *o->shape);
    o->shape[o->ndim - 2] = m;
    o->shape[o->ndim - 1] = n;
}

static void set_values(agni_meta *o, const agn_tensor *a, int64_t n)
{
    o->dtype = real_partner(a->dtype);
    o->ndim = a->ndim - 1;
    memcpy(o->shape, a->shape, (size_t)o->ndim * sizeof *o->shape);
    o->shape[o->ndim - 1] = n;
}

static agn_status infer_eigh(agni_call *c)
{
    const agn_tensor *a = c->in[0];
    agn_status st = agni_check_square(c->op->name, a);
    if (st)
        return st;
    int64_t n = a->shape[a->ndim - 1];
    set_values(&c->meta[0], a, n);
    if (c->nout > 1)
        set_matrix(&c->meta[1], a, n, n);
    return AGN_OK;
}

static agn_status infer_svd(agni_call *c)
{
    const agn_tensor *a = c->in[0];
    agn_status st = agni_check_matrix(c->op->name, a);
    if (st)
        return st;
    int64_t m = a->shape[a->ndim - 2], n = a->shape[a->ndim - 1], k = m < n ? m : n, size;
    if (c->nout == 1) {
        set_values(&c->meta[0], a, k);
        return AGN_OK;
    }
    bool full = c->at->i[0];
    set_matrix(&c->meta[0], a, m, full ? m : k);
    set_values(&c->meta[1], a, k);
    set_matrix(&c->meta[2], a, full ? n : k, n);
    for (int o = 0; !st && o < 3; o++)
        st = agni_shape_check(c->op->name, c->meta[o].ndim, c->meta[o].shape, &size);
    return st;
}

static agn_status infer_qr(agni_call *c)
{
    const agn_tensor *a = c->in[0];
    agn_status st = agni_check_matrix(c->op->name, a);
    if (st)
        return st;
    int64_t m = a->shape[a->ndim - 2], n = a->shape[a->ndim - 1], k = m < n ? m : n, size;
    bool complete = c->at->i[0];
    set_matrix(&c->meta[0], a, m, complete ? m : k);
    set_matrix(&c->meta[1], a, complete ? m : k, n);
    return agni_shape_check(c->op->name, c->meta[0].ndim, c->meta[0].shape, &size);
}

/* ---- rules ----------------------------------------------------------------------- */

static bool is_complex(const agn_tensor *x)
{
    return agni_kind(x->dtype) == AGNI_KIND_COMPLEX;
}

/* i theta of each column [..., 1, n]: the turn of dv that its fixed entry does not allow */
static const agn_tensor *phase_rate(agn_scope *s, const agn_tensor *v, const agn_tensor *dv)
{
    const int32_t rows = -2;
    const agn_tensor *size = ag_abs(s, ag_stop_gradient(s, v));
    const agn_tensor *near = ag_ge(s, size, ag_mul_c(s, ag_amax(s, size, &rows, 1, true),
                                                     AGNI_PHASE_NEAR));
    if (!near)
        return NULL;
    const agn_tensor *at = ag_argmax(s, ag_cast(s, near, AGN_I32), rows, true);
    const agn_tensor *fixed = ag_real(s, ag_take_along_axis(s, v, at, rows));
    const agn_tensor *turn = ag_div(s, ag_imag(s, ag_take_along_axis(s, dv, at, rows)), fixed);
    return turn ? ag_complex(s, ag_zeros_like(s, turn), turn) : NULL;
}

/* dv without what would turn the phases of v */
const agn_tensor *agni_hold_phases(agn_scope *s, const agn_tensor *v, const agn_tensor *dv)
{
    if (!dv || !is_complex(v) || v->shape[v->ndim - 1] == 0)
        return dv;
    return ag_sub(s, dv, ag_mul(s, v, phase_rate(s, v, dv)));
}

/* a v_i = w_i v_i: dw = diag(p), dv = v (p_ij / (w_j - w_i)), p = v^H da v */
static const agn_tensor *eigen_tangent(agn_scope *s, const agn_tensor *t, const agn_tensor *v,
                                       bool upper)
{
    const agn_tensor *da = agni_complete_triangle(s, t, upper);
    return ag_matmul(s, agni_conjugate_transpose(s, v), ag_matmul(s, da, v));
}

void agni_eigh_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                   const agn_tensor **ty)
{
    const agn_tensor *w = r->y[0], *v = r->y[1];
    const agn_tensor *p = eigen_tangent(s, t[0], v, r->at->i[0]);
    ty[0] = agni_tie_diagonal(s, p, w, 1, false);
    ty[1] = agni_hold_phases(s, v, ag_matmul(s, v, agni_gap_quotient(s, p, w, w, 1, true)));
}

void agni_eigvalsh_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                       const agn_tensor **ty)
{
    const agn_tensor *y[2] = {NULL};
    if (!agni_apply_many_in(s, &agni_op_linalg_eigh, r->at, 1, r->x, 2, y))
        return;
    ty[0] = agni_tie_diagonal(s, eigen_tangent(s, t[0], y[1], r->at->i[0]), y[0], 1, false);
}

/* half of x + x^H and of x - x^H */
static const agn_tensor *hermitian_part(agn_scope *s, const agn_tensor *x, bool skew)
{
    const agn_tensor *h = agni_conjugate_transpose(s, x);
    return ag_mul_c(s, skew ? ag_sub(s, x, h) : ag_add(s, x, h), 0.5);
}

static const agn_tensor *zero_values(agn_scope *s, const agn_tensor *x)
{
    int64_t shape[AGNI_MAX_RANK];
    if (!x)
        return NULL;
    memcpy(shape, x->shape, (size_t)x->ndim * sizeof *shape);
    return agni_full(s, 0, x->dtype, x->ndim - 1, shape);
}

/* what a change brings from outside of the span of u: (b - u p) / s */
static const agn_tensor *from_outside(agn_scope *s, const agn_tensor *b, const agn_tensor *u,
                                      const agn_tensor *p, const agn_tensor *values)
{
    const agn_tensor *rest = ag_sub(s, b, ag_matmul(s, u, p));
    return agni_gap_quotient(s, rest, zero_values(s, rest), values, 1, false);
}

/* p = u^H da v: ds = diag(p); u^H du and v^H dv are h / (s_j - s_i) +- k / (s_j + s_i), with h and
   k the Hermitian and skew parts of p */
static void svd_tangent(agn_scope *s, const agn_tensor *da, const agn_tensor *const *y,
                        const agn_tensor **ty, bool vectors)
{
    const agn_tensor *u = y[0], *w = y[1], *v = agni_conjugate_transpose(s, y[2]);
    const agn_tensor *right = ag_matmul(s, da, v);
    const agn_tensor *p = ag_matmul(s, agni_conjugate_transpose(s, u), right);
    const agn_tensor *h = hermitian_part(s, p, false), *k = hermitian_part(s, p, true);
    ty[0] = agni_tie_diagonal(s, h, w, 1, true);
    if (!vectors || agn_scope_status(s))
        return;
    const agn_tensor *a = agni_gap_quotient(s, h, w, w, 1, true);
    const agn_tensor *b = agni_gap_quotient(s, k, ag_neg(s, w), w, 1, false);
    const agn_tensor *du = ag_matmul(s, u, ag_add(s, a, b));
    const agn_tensor *dv = ag_matmul(s, v, ag_sub(s, a, b));
    if (u->shape[u->ndim - 2] > u->shape[u->ndim - 1])
        du = agni_add_present(s, du, from_outside(s, right, u, p, w));
    if (v && v->shape[v->ndim - 2] > v->shape[v->ndim - 1])
        dv = agni_add_present(s, dv,
                              from_outside(s, ag_matmul(s, agni_conjugate_transpose(s, da), u), v,
                                           agni_conjugate_transpose(s, p), w));
    if (du && dv && is_complex(u) && u->shape[u->ndim - 1] > 0) {
        const agn_tensor *turn = phase_rate(s, u, du);
        du = ag_sub(s, du, ag_mul(s, u, turn));
        dv = ag_sub(s, dv, ag_mul(s, v, turn));
    }
    ty[1] = du;
    ty[2] = agni_conjugate_transpose(s, dv);
}

void agni_svd_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                  const agn_tensor **ty)
{
    const agn_tensor *a = r->x[0], *dy[3] = {NULL};
    if (r->at->i[0] && a->shape[a->ndim - 1] != a->shape[a->ndim - 2]) {
        agn_scope_fail(s, agni_fail(AGN_EUNSUPPORTED,
                                    "linalg_svd: no derivative of the full factors of %s: what "
                                    "completes the basis is arbitrary",
                                    AGNI_SHAPE(a)));
        return;
    }
    svd_tangent(s, t[0], r->y, dy, true);
    ty[0] = dy[1];
    ty[1] = dy[0];
    ty[2] = dy[2];
}

void agni_svdvals_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                      const agn_tensor **ty)
{
    const agn_tensor *y[3] = {NULL};
    if (agni_apply_many_in(s, &agni_op_linalg_svd,
                           &(agni_attr){.ni = 1, .i = (const int64_t[]){0}}, 1, r->x, 3, y))
        svd_tangent(s, t[0], y, ty, false);
}

/* b r^-1 of upper triangular r = d n, n with unit diagonal; a pivot that is rounding is refused */
static const agn_tensor *divide_by_triangle(agn_scope *s, const agn_tensor *b, const agn_tensor *r)
{
    const agn_tensor *d = ag_diagonal(s, r, 0, -2, -1);
    const agn_tensor *one = d ? ag_ones_like(s, ag_expand_dims(s, d, -2)) : NULL;
    const agn_tensor *inverse = agni_gap_quotient(s, one, one ? zero_values(s, one) : NULL, d, 0,
                                                  false); /* [..., 1, k] */
    const agn_tensor *unit = ag_mul(s, agni_matrix_transpose(s, inverse), r);
    const agn_tensor *x = ag_linalg_triangular_solve(s, agni_matrix_transpose(s, unit),
                                                     agni_matrix_transpose(s, b), false);
    return ag_mul(s, agni_matrix_transpose(s, x), inverse);
}

/* With k = min(m, n) columns: c = q^H da r^-1 = w + t, w skew with c's lower triangle, t upper
   triangular with real diagonal; dq = q w + (1 - q q^H) da r^-1, dr = q^H da - w r, which is t r
   where r is square */
void agni_qr_tangent(agn_scope *s, const agn_tensor *da, const agn_tensor *q, const agn_tensor *R,
                     int64_t m, int64_t n, const agn_tensor **ty)
{
    int64_t k = m < n ? m : n;
    const agn_tensor *b = divide_by_triangle(s, agni_leading_block(s, da, m, k),
                                             agni_leading_block(s, R, k, k));
    const agn_tensor *qh = agni_conjugate_transpose(s, q), *c = ag_matmul(s, qh, b);
    const agn_tensor *low = ag_tril(s, c, -1);
    const agn_tensor *w = ag_sub(s, low, agni_conjugate_transpose(s, low));
    if (c && is_complex(c)) {
        const agn_tensor *turn = ag_imag(s, ag_diagonal(s, c, 0, -2, -1));
        turn = turn ? ag_complex(s, ag_zeros_like(s, turn), turn) : NULL;
        w = ag_add(s, w, ag_diag_embed(s, turn, 0, -2, -1));
    }
    const agn_tensor *dq = ag_matmul(s, q, w);
    if (m > k)
        dq = ag_add(s, dq, ag_sub(s, b, ag_matmul(s, q, c)));
    ty[0] = dq;
    const agn_tensor *dr = n > k ? ag_sub(s, ag_matmul(s, qh, da), ag_matmul(s, w, R))
                                 : ag_matmul(s, ag_sub(s, c, w), R);
    ty[1] = ag_triu(s, dr, 0);
}

void agni_qr_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                 const agn_tensor **ty)
{
    const agn_tensor *a = r->x[0];
    int64_t m = a->shape[a->ndim - 2], n = a->shape[a->ndim - 1];
    if (r->at->i[0] && m > n) {
        agn_scope_fail(s, agni_fail(AGN_EUNSUPPORTED,
                                    "linalg_qr: no derivative of the complete factors of %s: what "
                                    "completes the basis is arbitrary",
                                    AGNI_SHAPE(a)));
        return;
    }
    agni_qr_tangent(s, t[0], r->y[0], r->y[1], m, n, ty);
}

/* ---- records --------------------------------------------------------------------- */

static agni_slots slots[5];
#define RECORD(op, arguments, outs, shapes, number, text)                                   \
    const agni_op agni_op_linalg_##op = {.name = "linalg_" #op,                             \
                                         .takes = arguments,                                \
                                         .cls = AGNI_SOLVE,                                 \
                                         .nin = 1,                                          \
                                         .nout = outs,                                      \
                                         .dtypes = AGNI_FIELDS,                             \
                                         .diff = 1,                                         \
                                         .promote = 1,                                      \
                                         .ew = -1,                                          \
                                         .infer = shapes,                                   \
                                         .cpu = agni_cpu_##op,                              \
                                         .jvp = agni_##op##_jvp,                            \
                                         .batch = agni_batch_front,                         \
                                         .slots = &slots[number],                           \
                                         .lo = -2,                                          \
                                         .hi = 2,                                           \
                                         .doc = text}
RECORD(eigh, "a upper:b", 2, infer_eigh, 0, "eigenvalues and vectors of a Hermitian matrix");
RECORD(eigvalsh, "a upper:b", 1, infer_eigh, 1, "eigenvalues of a Hermitian matrix");
RECORD(svd, "a full:b", 3, infer_svd, 2, "singular values and vectors");
RECORD(svdvals, "a", 1, infer_svd, 3, "singular values");
RECORD(qr, "a complete:b", 2, infer_qr, 4, "orthonormal and triangular factor");

/* ---- public functions ------------------------------------------------------------ */

agn_status agn_linalg_eigh(agn_tensor **w, agn_tensor **v, const agn_tensor *a, bool upper)
{
    AGNI_NEED("linalg_eigh", w);
    AGNI_NEED("linalg_eigh", v);
    AGNI_NEED("linalg_eigh", a);
    agn_tensor *y[2] = {NULL};
    agn_status st = agni_apply(&agni_op_linalg_eigh,
                               &(agni_attr){.ni = 1, .i = (const int64_t[]){upper}}, 1, &a, 2, y);
    if (st)
        return st;
    *w = y[0];
    *v = y[1];
    return AGN_OK;
}

agn_status agn_linalg_eigvalsh(agn_tensor **out, const agn_tensor *a, bool upper)
{
    AGNI_NEED("linalg_eigvalsh", out);
    AGNI_NEED("linalg_eigvalsh", a);
    return agni_apply_public(out, &agni_op_linalg_eigvalsh,
                             &(agni_attr){.ni = 1, .i = (const int64_t[]){upper}}, 1, &a);
}

agn_status agn_linalg_svd(agn_tensor **u, agn_tensor **s, agn_tensor **vh, const agn_tensor *a,
                          bool full)
{
    AGNI_NEED("linalg_svd", u);
    AGNI_NEED("linalg_svd", s);
    AGNI_NEED("linalg_svd", vh);
    AGNI_NEED("linalg_svd", a);
    agn_tensor *y[3] = {NULL};
    agn_status st = agni_apply(&agni_op_linalg_svd,
                               &(agni_attr){.ni = 1, .i = (const int64_t[]){full}}, 1, &a, 3, y);
    if (st)
        return st;
    *u = y[0];
    *s = y[1];
    *vh = y[2];
    return AGN_OK;
}

agn_status agn_linalg_svdvals(agn_tensor **out, const agn_tensor *a)
{
    AGNI_NEED("linalg_svdvals", out);
    AGNI_NEED("linalg_svdvals", a);
    return agni_apply_public(out, &agni_op_linalg_svdvals, NULL, 1, &a);
}

agn_status agn_linalg_qr(agn_tensor **q, agn_tensor **r, const agn_tensor *a, bool complete)
{
    AGNI_NEED("linalg_qr", q);
    AGNI_NEED("linalg_qr", r);
    AGNI_NEED("linalg_qr", a);
    agn_tensor *y[2] = {NULL};
    agn_status st = agni_apply(
        &agni_op_linalg_qr, &(agni_attr){.ni = 1, .i = (const int64_t[]){complete}}, 1, &a, 2, y);
    if (st)
        return st;
    *q = y[0];
    *r = y[1];
    return AGN_OK;
}
