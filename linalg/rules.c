/* linalg/rules.c - derivatives and batching of factorisations and solves (Giles 2008; Murray 2016).
   Cotangents are in the pairing Re<u, v>; ^H is the conjugate transpose. */
#include "linalg/linalg.h"
#include "tensor/create/constants.h"

#include <agnesi/ag.h>

const agn_tensor *agni_matrix_transpose(agn_scope *s, const agn_tensor *x)
{
    return agni_apply_in(s, &agni_op_permute, &(agni_attr){.ni = 2, .i = (const int64_t[]){-1, -2}},
                         1, &x);
}

const agn_tensor *agni_conjugate_dense(agn_scope *s, const agn_tensor *x)
{
    if (!x || agni_kind(x->dtype) != AGNI_KIND_COMPLEX)
        return x;
    return agni_apply_in(s, &agni_op_conj, NULL, 1, &x);
}

const agn_tensor *agni_conjugate_transpose(agn_scope *s, const agn_tensor *x)
{
    return agni_matrix_transpose(s, agni_conjugate_dense(s, x));
}

static const agn_tensor *apply_matmul(agn_scope *s, const agn_tensor *a, const agn_tensor *b)
{
    return agni_apply_in(s, &agni_op_matmul, NULL, 2, (const agn_tensor *[]){a, b});
}

static const agn_tensor *subtract_present(agn_scope *s, const agn_tensor *a, const agn_tensor *b)
{
    b = agni_apply_in(s, &agni_op_neg, NULL, 1, &b);
    return agni_add_present(s, a, b);
}

static const agn_tensor *apply_triangle(agn_scope *s, const agn_tensor *x, bool upper,
                                        double diagonal)
{
    return agni_apply_in(
        s, &agni_op_linalg_triangle,
        &(agni_attr){.ni = 1, .i = (const int64_t[]){upper}, .nf = 1, .f = &diagonal}, 1, &x);
}

const agn_tensor *agni_solve_triangle(agn_scope *s, const agn_tensor *t, const agn_tensor *b,
                                      int64_t triangle)
{
    return agni_apply_in(s, &agni_op_linalg_triangular_solve,
                         &(agni_attr){.ni = 1, .i = &triangle}, 2, (const agn_tensor *[]){t, b});
}

/* ---- triangle: linear, its own adjoint ------------------------------------------- */

const agn_tensor *agni_triangle_transpose(agn_scope *s, const agni_rule *r, int i,
                                          const agn_tensor *g)
{
    (void)i;
    return agni_apply_in(s, r->op, r->at, 1, &g);
}

const agn_tensor *agni_complete_triangle(agn_scope *s, const agn_tensor *t, bool upper)
{
    const agn_tensor *half = apply_triangle(s, t, upper, 0.5);
    return agni_add_present(s, half, agni_conjugate_transpose(s, half));
}

/* ---- Cholesky -------------------------------------------------------------------- */

/* a = l l^H: dl = l P(l^-1 da l^-H), P keeps the lower triangle and half the diagonal
   (Murray 2016, section 3). The function reads one triangle, so da = t + t^H with t
   that triangle of the tangent and half its diagonal. u = l^H gives du = P'(l^-1 da
   l^-H) u, P' the upper. */
void agni_cholesky_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                       const agn_tensor **ty)
{
    bool upper = r->at->i[0];
    const agn_tensor *l = upper ? agni_conjugate_transpose(s, r->y[0]) : r->y[0];
    const agn_tensor *p = agni_solve_triangle(s, l, apply_triangle(s, t[0], upper, 0.5), 0);
    const agn_tensor *m = agni_solve_triangle(s, l, agni_conjugate_transpose(s, p), 0);
    m = agni_add_present(s, m, agni_conjugate_transpose(s, m));
    m = apply_triangle(s, m, upper, 0.5);
    ty[0] = upper ? apply_matmul(s, m, r->y[0]) : apply_matmul(s, l, m);
}

/* the same, with nothing of the matrices that failed */
void agni_cholesky_info_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                            const agn_tensor **ty)
{
    const agn_tensor *code = r->y[1], *good = ag_eq(s, code, agni_full_like(s, 0, code));
    good = ag_expand_dims(s, ag_expand_dims(s, good, -1), -1);
    const agn_tensor *kept = ag_where(s, good, t[0], ag_zeros_like(s, t[0]));
    if (kept)
        agni_cholesky_jvp(s, r, &kept, ty);
}

/* ---- l x = b: dx = l^-1 (db - dl x) ---------------------------------------------- */

/* the entries that are read */
static const agn_tensor *tangent_triangle(agn_scope *s, const agn_tensor *x, int64_t triangle)
{
    return apply_triangle(s, x, triangle & AGNI_TRIANGLE_UPPER, !(triangle & AGNI_TRIANGLE_UNIT));
}

void agni_triangular_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                         const agn_tensor **ty)
{
    const int64_t triangle = r->at->i[0];
    const agn_tensor *rhs = t[1];
    if (t[0])
        rhs = subtract_present(s, rhs,
                               apply_matmul(s, tangent_triangle(s, t[0], triangle), r->y[0]));
    ty[0] = agni_solve_triangle(s, r->x[0], rhs, triangle);
}

void agni_triangular_vjp(agn_scope *s, const agni_rule *r, const agn_tensor *const *g,
                         const bool *want, const agn_tensor **gx)
{
    const int64_t triangle = r->at->i[0];
    const agn_tensor *w = agni_solve_triangle(s, agni_conjugate_transpose(s, r->x[0]), g[0],
                                              triangle ^ AGNI_TRIANGLE_UPPER);
    if (want[1])
        gx[1] = agni_unbroadcast(s, w, r->x[1]);
    if (want[0]) {
        const agn_tensor *gl = apply_matmul(s, w, agni_conjugate_transpose(s, r->y[0]));
        gl = tangent_triangle(s, agni_apply_in(s, &agni_op_neg, NULL, 1, &gl), triangle);
        gx[0] = agni_unbroadcast(s, gl, r->x[0]);
    }
}

/* ---- op(a) x = b with the LU factor of a ------------------------------------------ */

static const agn_tensor *apply_form(agn_scope *s, const agn_tensor *a, int64_t form)
{
    if (form & AGNI_FORM_CONJUGATE)
        a = agni_conjugate_dense(s, a);
    return form & AGNI_FORM_TRANSPOSED ? agni_matrix_transpose(s, a) : a;
}

static const agn_tensor *apply_lu_solve(agn_scope *s, const agni_rule *r, const agn_tensor *b,
                                        int64_t form)
{
    return agni_apply_in(s, r->op, &(agni_attr){.ni = 1, .i = &form}, 4,
                         (const agn_tensor *[]){r->x[0], r->x[1], r->x[2], b});
}

void agni_lu_solve_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                       const agn_tensor **ty)
{
    int64_t form = r->at->i[0];
    const agn_tensor *rhs = t[3];
    if (t[2])
        rhs = subtract_present(s, rhs, apply_matmul(s, apply_form(s, t[2], form), r->y[0]));
    ty[0] = apply_lu_solve(s, r, rhs, form);
}

void agni_lu_solve_vjp(agn_scope *s, const agni_rule *r, const agn_tensor *const *g,
                       const bool *want, const agn_tensor **gx)
{
    int64_t form = r->at->i[0];
    const agn_tensor *w = apply_lu_solve(s, r, g[0],
                                         form ^ (AGNI_FORM_TRANSPOSED | AGNI_FORM_CONJUGATE));
    if (want[3])
        gx[3] = agni_unbroadcast(s, w, r->x[3]);
    if (want[2]) { /* -w x^H in op(a) */
        const agn_tensor *ga = apply_matmul(s, w, agni_conjugate_transpose(s, r->y[0]));
        ga = agni_apply_in(s, &agni_op_neg, NULL, 1, &ga);
        gx[2] = agni_unbroadcast(s, apply_form(s, ga, form), r->x[2]);
    }
}

/* ---- batching -------------------------------------------------------------------- */

void agni_batch_lu_solve(agn_scope *s, const agni_rule *r, int64_t lanes,
                         const agn_tensor *const *in, const bool *batched,
                         const agn_tensor **out, bool *bout)
{
    const agn_tensor *a[4];
    int rank = r->y[0]->ndim;
    /* the factor belongs to a: all three are batched or none */
    bool factor = batched[0] || batched[1] || batched[2];
    for (int i = 0; i < 3; i++) {
        a[i] = factor ? agni_ensure_batch_axis(s, in[i], batched[i], lanes) : in[i];
        a[i] = agni_align_rank(s, a[i], factor, i == 1 ? rank - 1 : rank);
    }
    a[3] = agni_align_rank(s, in[3], batched[3], rank);
    out[0] = agni_apply_in(s, r->op, r->at, 4, a);
    bout[0] = true;
}

const agn_tensor *agni_unit_scale(agn_scope *s, const agn_tensor *x)
{
    const double far = x && (x->dtype == AGN_F32 || x->dtype == AGN_C64) ? 125 : 1020;
    const agn_tensor *top = ag_max(s, ag_abs(s, x), (const int32_t[]){-2, -1}, 2, true),
                     *e = ag_round(s, ag_log2(s, ag_stop_gradient(s, top)));
    e = ag_clip_c(s, e, -far, far);
    e = ag_where(s, ag_isnan(s, e), e ? ag_zeros_like(s, e) : NULL, e); /* NaN stays where it is */
    return ag_exp2(s, ag_neg(s, e));
}
