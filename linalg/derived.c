/* linalg/derived.c - functions that are compositions of factorisations: inverses, solves with
   factors, least squares, norms, rank, powers, covariance. Their derivatives are those of their
   parts. */
#include "linalg/linalg.h"
#include "tensor/create/constants.h"

#include <agnesi/ag.h>
#include <agnesi/linalg.h>
#include <math.h>
#include <string.h>

agn_status agni_need_square(const char *op, const agn_tensor *a)
{
    if (a->layout != AGN_DENSE)
        return agni_fail(AGN_EUNSUPPORTED, "%s: a is sparse, a dense one is needed: %s", op,
                         AGNI_SHAPE(a));
    return agni_check_square(op, a);
}

agn_status agni_need_matrix(const char *op, const agn_tensor *a)
{
    if (a->layout != AGN_DENSE)
        return agni_fail(AGN_EUNSUPPORTED, "%s: a is sparse, a dense one is needed: %s", op,
                         AGNI_SHAPE(a));
    return agni_check_matrix(op, a);
}

/* x as one of the four dtypes of LAPACK: whole numbers are f64, narrow floats f32 */
const agn_tensor *agni_as_field(agn_scope *s, const agn_tensor *x)
{
    if (!x)
        return NULL;
    int kind = agni_kind(x->dtype);
    return kind <= AGNI_KIND_INT ? ag_cast(s, x, AGN_F64)
           : agni_dtypes[x->dtype].wide != x->dtype ? ag_cast(s, x, agni_dtypes[x->dtype].wide)
                                                    : x;
}

const agn_tensor *agni_identity_like(agn_scope *s, const agn_tensor *a)
{
    return a ? agni_eye_beside(s, a->shape[a->ndim - 1], a->shape[a->ndim - 1], a) : NULL;
}

/* ---- inverses and solves with factors -------------------------------------------- */

/* the identity as a view of 2 n - 1 numbers, which is less to write than n^2: entry [i, j] is that
   at n - 1 - i + j */
static const agn_tensor *slanted_identity(agn_scope *s, const agn_tensor *x)
{
    if (!x)
        return NULL;
    const int64_t n = x->shape[x->ndim - 1], length = n > 0 ? 2 * n - 1 : 0;
    agn_tensor *line = NULL, *y = NULL;
    void *p = NULL;
    agn_status st = agn_scope_status(s);
    st = st ? st : agn_zeros(&line, x->dtype, 1, &length);
    st = st || !n ? st : agn_data_mut(&p, line);
    if (p)
        switch (x->dtype) {
        case AGN_F32:
            ((float *)p)[n - 1] = 1;
            break;
        case AGN_C64:
            ((float *)p)[2 * (n - 1)] = 1;
            break;
        default:
            ((double *)p)[(x->dtype == AGN_C128 ? 2 : 1) * (n - 1)] = 1;
        }
    st = st ? st
            : agni_tensor_view(&y, line, 2, (int64_t[]){n, n}, (int64_t[]){-1, 1}, n ? n - 1 : 0);
    agn_release(line);
    return agni_put_beside(s, agni_adopt_constant(s, st, y), x);
}

agn_status agn_linalg_inv(agn_tensor **out, const agn_tensor *a)
{
    AGNI_NEED("linalg_inv", out);
    AGNI_NEED("linalg_inv", a);
    agn_status st = agni_need_square("linalg_inv", a);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x = agni_as_field(s, a);
    return agni_return("linalg_inv", s, out, ag_linalg_solve(s, x, slanted_identity(s, x)));
}

/* b of a a^-1 with a = l l^H or u^H u */
static const agn_tensor *solve_factored(agn_scope *s, const agn_tensor *l, const agn_tensor *b,
                                        bool upper)
{
    const agn_tensor *h = agni_conjugate_transpose(s, l);
    const agn_tensor *y = ag_linalg_triangular_solve(s, upper ? h : l, b, false);
    return ag_linalg_triangular_solve(s, upper ? l : h, y, true);
}

agn_status agn_linalg_cholesky_solve(agn_tensor **out, const agn_tensor *l, const agn_tensor *b,
                                     bool upper)
{
    AGNI_NEED("linalg_cholesky_solve", out);
    AGNI_NEED("linalg_cholesky_solve", l);
    AGNI_NEED("linalg_cholesky_solve", b);
    agn_status st = agni_need_square("linalg_cholesky_solve", l);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    return agni_return("linalg_cholesky_solve", s, out,
                       solve_factored(s, agni_as_field(s, l), b, upper));
}

agn_status agn_linalg_cholesky_inverse(agn_tensor **out, const agn_tensor *l, bool upper)
{
    AGNI_NEED("linalg_cholesky_inverse", out);
    AGNI_NEED("linalg_cholesky_inverse", l);
    agn_status st = agni_need_square("linalg_cholesky_inverse", l);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x = agni_as_field(s, l);
    return agni_return("linalg_cholesky_inverse", s, out,
                       solve_factored(s, x, agni_identity_like(s, x), upper));
}

/* ---- least squares --------------------------------------------------------------- */

/* r = d n with n of unit diagonal; a pivot that is rounding is refused */
const agn_tensor *agni_split_triangle(agn_scope *s, const agn_tensor *r, const agn_tensor **inverse)
{
    const agn_tensor *d = ag_diagonal(s, r, 0, -2, -1);
    const agn_tensor *one = ag_ones_like(s, ag_expand_dims(s, d, -2));
    const agn_tensor *at = ag_sum(s, ag_zeros_like(s, one), (const int32_t[]){-1}, 1, false);
    *inverse = agni_matrix_transpose(s, agni_gap_quotient(s, one, at, d, 0, false));
    return ag_mul(s, *inverse, r);
}

/* by the factors of a, or of a^H, which has independent columns */
const agn_tensor *agni_lstsq_by_qr(agn_scope *s, const agn_tensor *x, const agn_tensor *y)
{
    const agn_tensor *f[2] = {NULL}, *inverse = NULL;
    bool wide = x && x->shape[x->ndim - 2] < x->shape[x->ndim - 1];
    if (wide)
        x = agni_conjugate_transpose(s, x);
    if (!x || !y ||
        !agni_apply_many_in(s, &agni_op_linalg_qr,
                            &(agni_attr){.ni = 1, .i = (const int64_t[]){0}}, 1, &x, 2, f))
        return NULL;
    const agn_tensor *unit = agni_split_triangle(s, f[1], &inverse);
    if (wide) { /* a = r^H q^H: the shortest solution is q r^-H b */
        y = ag_linalg_triangular_solve(s, agni_conjugate_transpose(s, unit), y, false);
        return ag_matmul(s, f[0], ag_mul(s, agni_conjugate_dense(s, inverse), y));
    }
    y = ag_matmul(s, agni_conjugate_transpose(s, f[0]), y);
    return ag_linalg_triangular_solve(s, unit, ag_mul(s, inverse, y), true);
}

agn_status agn_linalg_lstsq(agn_tensor **out, const agn_tensor *a, const agn_tensor *b)
{
    AGNI_NEED("linalg_lstsq", out);
    AGNI_NEED("linalg_lstsq", a);
    AGNI_NEED("linalg_lstsq", b);
    agn_status st = agni_need_matrix("linalg_lstsq", a);
    if (st)
        return st;
    if (b->ndim == 0 || b->shape[b->ndim == 1 ? 0 : b->ndim - 2] != a->shape[a->ndim - 2])
        return agni_fail(AGN_ESHAPE, "linalg_lstsq: rows differ: a is %s, b is %s", AGNI_SHAPE(a),
                         AGNI_SHAPE(b));
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x = agni_as_field(s, a), *y = b->ndim == 1 ? ag_expand_dims(s, b, -1) : b;
    const agn_tensor *f[3] = {NULL}, *z = NULL;
    const double none = 0;
    if (x && y) {
        agni_apply_many_in(
            s, &agni_op_linalg_lstsq,
            &(agni_attr){.ni = 1, .i = (const int64_t[]){AGN_LSTSQ_GELS}, .nf = 1, .f = &none}, 2,
            (const agn_tensor *[]){x, y}, 3, f);
        z = f[0];
    }
    return agni_return("linalg_lstsq", s, out, b->ndim == 1 && z ? ag_squeeze(s, z, -1) : z);
}

/* ---- reflectors: h_1 h_2 .. = 1 - v t v^H, t = (1 + d s)^-1 d (Schreiber & Van Loan 1989) --- */

static agn_status check_reflectors(const char *op, const agn_tensor *v, const agn_tensor *tau)
{
    agn_status st = agni_need_matrix(op, v);
    if (st)
        return st;
    int64_t m = v->shape[v->ndim - 2], n = v->shape[v->ndim - 1];
    if (tau->ndim != v->ndim - 1 || tau->shape[tau->ndim - 1] > n || n > m)
        return agni_fail(AGN_ESHAPE, "%s: reflectors do not fit: a is %s, tau is %s", op,
                         AGNI_SHAPE(v), AGNI_SHAPE(tau));
    return AGN_OK;
}

/* v with unit diagonal, and t */
static void compact_wy(agn_scope *s, const agn_tensor *a, const agn_tensor *tau,
                       const agn_tensor **v, const agn_tensor **t)
{
    int64_t m = a->shape[a->ndim - 2], k = tau->shape[tau->ndim - 1];
    const agn_tensor *low = ag_tril(s, agni_leading_block(s, a, m, k), -1);
    *v = low ? ag_add(s, low, agni_eye_beside(s, m, k, low)) : NULL;
    const agn_tensor *gram = ag_matmul(s, agni_conjugate_transpose(s, *v), *v);
    const agn_tensor *rows = ag_mul(s, ag_expand_dims(s, tau, -1), ag_triu(s, gram, 1));
    const agn_tensor *d = ag_diag_embed(s, tau, 0, -2, -1);
    *t = ag_linalg_triangular_solve(s, ag_add(s, rows, agni_identity_like(s, gram)), d, true);
}

agn_status agn_linalg_householder_product(agn_tensor **out, const agn_tensor *a,
                                          const agn_tensor *tau)
{
    AGNI_NEED("linalg_householder_product", out);
    AGNI_NEED("linalg_householder_product", a);
    AGNI_NEED("linalg_householder_product", tau);
    agn_status st = check_reflectors("linalg_householder_product", a, tau);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x = agni_as_field(s, a), *v = NULL, *t = NULL;
    int64_t m = a->shape[a->ndim - 2], n = a->shape[a->ndim - 1];
    if (x)
        compact_wy(s, x, tau, &v, &t);
    const agn_tensor *head = v ? agni_conjugate_transpose(
                                     s, agni_leading_block(s, v, n, tau->shape[tau->ndim - 1]))
                               : NULL;
    const agn_tensor *y = ag_matmul(s, v, ag_matmul(s, t, head));
    return agni_return("linalg_householder_product", s, out,
                       y ? ag_sub(s, agni_eye_beside(s, m, n, y), y) : NULL);
}

agn_status agn_linalg_ormqr(agn_tensor **out, const agn_tensor *a, const agn_tensor *tau,
                            const agn_tensor *c, bool left, bool adjoint)
{
    AGNI_NEED("linalg_ormqr", out);
    AGNI_NEED("linalg_ormqr", a);
    AGNI_NEED("linalg_ormqr", tau);
    AGNI_NEED("linalg_ormqr", c);
    agn_status st = check_reflectors("linalg_ormqr", a, tau);
    if (st)
        return st;
    int64_t m = a->shape[a->ndim - 2];
    if (c->ndim < 2 || c->shape[c->ndim - (left ? 2 : 1)] != m)
        return agni_fail(AGN_ESHAPE, "linalg_ormqr: sizes differ: a is %s, c is %s", AGNI_SHAPE(a),
                         AGNI_SHAPE(c));
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x = agni_as_field(s, a), *v = NULL, *t = NULL;
    if (x)
        compact_wy(s, x, tau, &v, &t);
    if (adjoint)
        t = agni_conjugate_transpose(s, t);
    const agn_tensor *vh = agni_conjugate_transpose(s, v);
    const agn_tensor *y = left ? ag_matmul(s, v, ag_matmul(s, t, ag_matmul(s, vh, c)))
                               : ag_matmul(s, ag_matmul(s, ag_matmul(s, c, v), t), vh);
    return agni_return("linalg_ormqr", s, out, ag_sub(s, c, y));
}

/* ---- powers, rank, norms --------------------------------------------------------- */

agn_status agn_linalg_matrix_power(agn_tensor **out, const agn_tensor *a, int64_t n)
{
    AGNI_NEED("linalg_matrix_power", out);
    AGNI_NEED("linalg_matrix_power", a);
    agn_status st = agni_need_square("linalg_matrix_power", a);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x = n < 0 ? ag_linalg_inv(s, a) : a, *y = NULL;
    uint64_t left = n < 0 ? 0 - (uint64_t)n : (uint64_t)n;
    if (left == 0)
        y = ag_broadcast_like(s, agni_identity_like(s, a), a);
    for (; left; left >>= 1) { /* repeated squaring */
        if (left & 1)
            y = y ? ag_matmul(s, y, x) : x;
        if (left > 1)
            x = ag_matmul(s, x, x);
        if (!x)
            break;
    }
    return agni_return("linalg_matrix_power", s, out, y == a ? ag_positive(s, a) : y);
}

agn_status agn_linalg_matrix_rank(agn_tensor **out, const agn_tensor *a, double rtol)
{
    AGNI_NEED("linalg_matrix_rank", out);
    AGNI_NEED("linalg_matrix_rank", a);
    agn_status st = agni_need_matrix("linalg_matrix_rank", a);
    if (st)
        return st;
    if (rtol != rtol || rtol >= 1)
        return agni_fail(AGN_EARG, "linalg_matrix_rank: rtol is %g, not below %g", rtol, 1.0);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *w = ag_stop_gradient(s, ag_linalg_svdvals(s, agni_as_field(s, a)));
    int64_t m = a->shape[a->ndim - 2], n = a->shape[a->ndim - 1];
    const int32_t last = -1;
    if (w && rtol < 0)
        rtol = (double)(m > n ? m : n) * (w->dtype == AGN_F32 ? 0x1p-23 : 0x1p-52);
    const agn_tensor *y = NULL;
    if (w && w->shape[w->ndim - 1] == 0)
        y = ag_count_nonzero(s, w, &last, 1, false);
    else if (w) {
        const agn_tensor *top = ag_mul_c(s, ag_max(s, w, &last, 1, true), rtol);
        y = ag_count_nonzero(s, ag_gt(s, w, top), &last, 1, false);
    }
    return agni_return("linalg_matrix_rank", s, out, y);
}

static const agn_tensor *norm_of(agn_scope *s, const agn_tensor *a, agn_matrix_norm_kind p)
{
    const int32_t last = -1, both[] = {-2, -1},
                  line = p == AGN_NORM_ONE || p == AGN_NORM_MINUS_ONE ? -2 : -1;
    switch (p) {
    case AGN_NORM_FROBENIUS:
        return ag_pnorm(s, a, 2, both, 2, false);
    case AGN_NORM_NUCLEAR:
        return ag_sum(s, ag_linalg_svdvals(s, a), &last, 1, false);
    case AGN_NORM_TWO:
        return ag_max(s, ag_linalg_svdvals(s, a), &last, 1, false);
    case AGN_NORM_MINUS_TWO:
        return ag_min(s, ag_linalg_svdvals(s, a), &last, 1, false);
    default: { /* sums of columns or rows: -1 is left once the other axis is summed */
        const agn_tensor *sums = ag_sum(s, ag_abs(s, a), &line, 1, false);
        return p == AGN_NORM_ONE || p == AGN_NORM_INFINITY ? ag_max(s, sums, &last, 1, false)
                                                           : ag_min(s, sums, &last, 1, false);
    }
    }
}

static agn_status check_norm(const char *op, agn_matrix_norm_kind p)
{
    if ((int)p < 0 || p > AGN_NORM_MINUS_INFINITY)
        return agni_fail(AGN_EARG, "%s: there is no norm %d of %d", op, (int)p,
                         AGN_NORM_MINUS_INFINITY + 1);
    return AGN_OK;
}

agn_status agn_linalg_matrix_norm(agn_tensor **out, const agn_tensor *a, agn_matrix_norm_kind p)
{
    AGNI_NEED("linalg_matrix_norm", out);
    AGNI_NEED("linalg_matrix_norm", a);
    agn_status st = check_norm("linalg_matrix_norm", p);
    st = st ? st : agni_need_matrix("linalg_matrix_norm", a);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    return agni_return("linalg_matrix_norm", s, out, norm_of(s, agni_as_field(s, a), p));
}

agn_status agn_linalg_cond(agn_tensor **out, const agn_tensor *a, agn_matrix_norm_kind p)
{
    AGNI_NEED("linalg_cond", out);
    AGNI_NEED("linalg_cond", a);
    agn_status st = check_norm("linalg_cond", p);
    bool spectral = p == AGN_NORM_TWO || p == AGN_NORM_MINUS_TWO;
    st = st         ? st
         : spectral ? agni_need_matrix("linalg_cond", a)
                    : agni_need_square("linalg_cond", a);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x = agni_as_field(s, a), *y = NULL;
    if (agn_numel(x) > 0) /* squares of values may leave the range */
        x = ag_mul(s, x, agni_unit_scale(s, x));
    if (spectral) {
        const int32_t last = -1;
        const agn_tensor *w = ag_linalg_svdvals(s, x), *top = ag_max(s, w, &last, 1, false),
                         *low = ag_min(s, w, &last, 1, false);
        y = p == AGN_NORM_TWO ? ag_div(s, top, low) : ag_div(s, low, top);
    } else
        y = ag_mul(s, norm_of(s, x, p), norm_of(s, ag_linalg_inv(s, x), p));
    return agni_return("linalg_cond", s, out, y);
}

/* ---- covariance ------------------------------------------------------------------ */

static const agn_tensor *sample_covariance(agn_scope *s, const agn_tensor *x, double ddof)
{
    const int32_t last = -1;
    const agn_tensor *d = ag_sub(s, x, ag_mean(s, x, &last, 1, true));
    if (!d)
        return NULL;
    double n = (double)x->shape[x->ndim - 1] - ddof;
    return ag_div_c(s, ag_matmul(s, d, agni_conjugate_transpose(s, d)), n);
}

/* axis: of the samples */
static agn_status check_samples(const char *op, const agn_tensor *x, int axis, double ddof)
{
    agn_status st = agni_need_matrix(op, x);
    if (st)
        return st;
    if (!((double)x->shape[x->ndim + axis] > ddof))
        return agni_fail(AGN_EARG, "%s: ddof %g leaves none of the %lld samples", op, ddof,
                         (long long)x->shape[x->ndim + axis]);
    return AGN_OK;
}

agn_status agn_linalg_cov(agn_tensor **out, const agn_tensor *x, double ddof)
{
    AGNI_NEED("linalg_cov", out);
    AGNI_NEED("linalg_cov", x);
    agn_status st = check_samples("linalg_cov", x, -1, ddof);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    return agni_return("linalg_cov", s, out, sample_covariance(s, agni_as_field(s, x), ddof));
}

/* entries over the roots of diagonal ones */
static const agn_tensor *correlation_of(agn_scope *s, const agn_tensor *c)
{
    const agn_tensor *d = ag_sqrt(s, ag_real(s, ag_diagonal(s, c, 0, -2, -1)));
    return ag_div(s, ag_div(s, c, ag_expand_dims(s, d, -1)), ag_expand_dims(s, d, -2));
}

agn_status agn_linalg_corrcoef(agn_tensor **out, const agn_tensor *x)
{
    AGNI_NEED("linalg_corrcoef", out);
    AGNI_NEED("linalg_corrcoef", x);
    agn_status st = check_samples("linalg_corrcoef", x, -1, 0);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *c = sample_covariance(s, agni_as_field(s, x), 0);
    return agni_return("linalg_corrcoef", s, out, correlation_of(s, c));
}

agn_status agn_linalg_cov_columns(agn_tensor **out, const agn_tensor *x, double ddof)
{
    static const char op[] = "linalg_cov_columns";
    AGNI_NEED(op, out);
    AGNI_NEED(op, x);
    agn_status st = check_samples(op, x, -2, ddof);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = agni_matrix_transpose(s, agni_as_field(s, x));
    return agni_return(op, s, out, sample_covariance(s, y, ddof));
}

agn_status agn_linalg_corrcoef_columns(agn_tensor **out, const agn_tensor *x)
{
    static const char op[] = "linalg_corrcoef_columns";
    AGNI_NEED(op, out);
    AGNI_NEED(op, x);
    agn_status st = check_samples(op, x, -2, 0);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = agni_matrix_transpose(s, agni_as_field(s, x));
    return agni_return(op, s, out, correlation_of(s, sample_covariance(s, y, 0)));
}
