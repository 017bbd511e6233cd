/* t-linalg-functions - determinants, exponentials, inverses, least squares, reflectors, norms: by their
   identities and closed forms, in every mode, and every documented failure. */
#include "t-linalg.h"

/* x / 4 + a multiple of 1: well conditioned */
static const agn_tensor *tame(agn_scope *s, const agn_tensor *x)
{
    const int64_t *n = agn_shape(x);
    int d = agn_ndim(x);
    return ag_add(s, ag_mul_c(s, x, 0.25), ag_eye(s, agn_dtype_of(x), n[d - 2], n[d - 1], 0));
}

static void test_identities(void)
{
    static const int64_t sizes[][2] = {{1, 0}, {0, 3}, {1, 1}, {2, 2}, {3, 5}, {100, 4}, {1, 30}};
    tally q = {0, 0};
    for (int d = 0; d < COUNT(dtypes); d++)
        for (int k = 0; k < COUNT(sizes); k++)
            for (int l = 0; l < N_LAYOUTS; l++) {
                int64_t n = sizes[k][1], shape[] = {sizes[k][0], n, n};
                agn_scope *s = agn_scope_open(NULL);
                agn_tensor *x0 = random_of(dtypes[d], 3, shape, -1, 1), *sign = NULL, *logs = NULL;
                const agn_tensor *a0 = tame(s, x0);
                agn_tensor *a = laid_out(a0, l);
                double tol = 30 * (double)(n + 2) * eps_of(dtypes[d]);
                const agn_tensor *one = ag_broadcast_like(s, ag_eye(s, dtypes[d], n, n, 0), a);
                const agn_tensor *inverse = ag_linalg_inv(s, a), *pinv = ag_linalg_pinv(s, a, -1);
                check(&q, relative(ag_matmul(s, inverse, a), one) < tol, "inv(a) a - 1");
                check(&q, relative(pinv, inverse) < tol, "pinv - inv is %.1e", relative(pinv, inverse));
                must(agn_linalg_slogdet(&sign, &logs, a));
                const agn_tensor *det = ag_linalg_det(s, a);
                check(&q, relative(ag_mul(s, sign, ag_exp(s, logs)), det) < tol, "slogdet and det");
                const agn_tensor *twice = ag_linalg_det(s, ag_matmul(s, a, a));
                check(&q, relative(twice, ag_mul(s, det, det)) < tol, "det(a a) = det(a)^2");
                const agn_tensor *e = ag_linalg_matrix_exp(s, ag_mul_c(s, a, 3));
                const agn_tensor *minus = ag_linalg_matrix_exp(s, ag_mul_c(s, a, -3));
                check(&q, relative(ag_matmul(s, e, minus), one) < 100 * tol, "exp(a) exp(-a) - 1 is %.1e",
                      relative(ag_matmul(s, e, minus), one));
                const agn_tensor *third = ag_linalg_matrix_exp(s, a);
                check(&q, relative(ag_linalg_matrix_power(s, third, 3), e) < tol, "exp(a)^3 = exp(3 a)");
                check(&q, relative(ag_matmul(s, ag_linalg_matrix_power(s, a, -2), ag_matmul(s, a, a)), one) < tol,
                      "a^-2 a^2");
                check(&q, relative(ag_linalg_matrix_power(s, a, 0), one) == 0, "a^0");
                const agn_tensor *spd = ag_add(s, ag_matmul(s, a, adjoint(s, a)), one);
                for (int upper = 0; upper < 2; upper++) {
                    const agn_tensor *c = ag_linalg_cholesky(s, spd, upper);
                    const agn_tensor *y = ag_linalg_cholesky_solve(s, c, a, upper);
                    check(&q, relative(ag_matmul(s, spd, y), a) < tol, "cholesky_solve");
                    y = ag_linalg_cholesky_inverse(s, c, upper);
                    check(&q, relative(ag_matmul(s, spd, y), one) < tol, "cholesky_inverse");
                }
                agn_status st = agn_scope_close(s);
                check(&q, !st, "%s n %d: %s", agn_dtype_name(dtypes[d]), (int)n, agn_error_message());
                agn_release(x0);
                agn_release(a);
                agn_release(sign);
                agn_release(logs);
            }
    tell(&q, "inv, pinv, det, slogdet, exp, powers, Cholesky's solves: identities");
}

static void test_rectangles(void)
{
    static const int64_t sizes[][3] = {{1, 1, 1}, {2, 5, 3}, {2, 3, 5}, {1, 4, 4}, {1, 30, 20}};
    tally q = {0, 0};
    for (int d = 0; d < COUNT(dtypes); d++)
        for (int k = 0; k < COUNT(sizes); k++) {
            int64_t m = sizes[k][1], n = sizes[k][2], r = m < n ? m : n;
            agn_scope *s = agn_scope_open(NULL);
            agn_tensor *a = random_of(dtypes[d], 3, sizes[k], -1, 1);
            agn_tensor *b = random_of(dtypes[d], 3, (int64_t[]){sizes[k][0], m, 2}, -1, 1);
            double tol = 300 * (double)(m + n) * eps_of(dtypes[d]);
            const agn_tensor *p = ag_linalg_pinv(s, a, -1), *x = ag_linalg_lstsq(s, a, b);
            const agn_tensor *ap = ag_matmul(s, a, p), *pa = ag_matmul(s, p, a);
            check(&q, relative(ag_matmul(s, ap, a), a) < tol, "a p a = a");
            check(&q, relative(ag_matmul(s, pa, p), p) < tol, "p a p = p");
            check(&q, relative(adjoint(s, ap), ap) < tol && relative(adjoint(s, pa), pa) < tol,
                  "a p and p a are Hermitian");
            check(&q, relative(x, ag_matmul(s, p, b)) < tol, "lstsq is p b: off by %.1e",
                  relative(x, ag_matmul(s, p, b)));
            const agn_tensor *rank = ag_linalg_matrix_rank(s, a, -1);
            check(&q, peek(rank, 0) == (double)r, "rank %g of %d", peek(rank, 0), (int)r);
            if (m >= n && n >= 1) { /* reflectors that are unitary: tau = 2 / |v|^2 */
                const int32_t rows = -2;
                const agn_tensor *v = ag_tril(s, a, -1);
                v = ag_add(s, v, ag_eye(s, dtypes[d], m, n, 0));
                const agn_tensor *size = ag_sum(s, ag_square(s, ag_abs(s, v)), &rows, 1, false);
                const agn_tensor *tau = ag_cast(s, ag_div(s, ag_lit(s, 2), size), dtypes[d]);
                const agn_tensor *h = ag_linalg_householder_product(s, a, tau);
                check(&q, relative(ag_matmul(s, adjoint(s, h), h),
                                   ag_broadcast_like(s, ag_eye(s, dtypes[d], n, n, 0), pa)) < tol,
                      "reflectors are orthonormal");
                const agn_tensor *full = ag_linalg_ormqr(s, a, tau, ag_broadcast_like(s, ag_eye(s, dtypes[d], m, m, 0), ap), true, false);
                const int64_t zero[3] = {0}, one[3] = {1, 1, 1}, stop[] = {sizes[k][0], m, n};
                check(&q, relative(ag_slice(s, full, 3, zero, stop, one), h) < tol, "ormqr of 1");
                const agn_tensor *y = ag_linalg_ormqr(s, a, tau, b, true, false);
                check(&q, relative(ag_linalg_ormqr(s, a, tau, y, true, true), b) < tol, "q^H q b = b");
                check(&q, relative(ag_linalg_ormqr(s, a, tau, adjoint(s, b), false, true),
                                   adjoint(s, y)) < tol, "b^H q^H = (q b)^H");
            }
            agn_status st = agn_scope_close(s);
            check(&q, !st, "%s", agn_error_message());
            agn_release(a);
            agn_release(b);
        }
    tell(&q, "pinv, lstsq, rank, reflectors: identities of tall and wide matrices");
}

static double number(const agn_tensor *x)
{
    return x ? peek(x, 0) : (double)NAN;
}

static void test_closed_forms(void)
{
    agn_scope *s = agn_scope_open(NULL);
#define MATRIX(m, n, ...) \
    agn_scope_adopt(s, AGN_OK, (agn_tensor *const[]){of_reals(AGN_F64, 2, (int64_t[]){m, n}, (double[]){__VA_ARGS__})})
    const agn_tensor *a = MATRIX(2, 2, 3, -1, 2, 4), *jordan = MATRIX(2, 2, 1, 1, 0, 1),
                     *turn = MATRIX(2, 2, 0, -2, 2, 0), *flat = MATRIX(2, 2, 1, 2, 2, 4),
                     *tiny = MATRIX(2, 2, 1e-200, 0, 0, 1e-200), *x = MATRIX(2, 3, 1, 2, 4, -1, 0, 5);
    ok(fabs(number(ag_linalg_det(s, a)) - 14) < 1e-14, "det");
    ok(number(ag_linalg_det(s, flat)) == 0, "det of a singular matrix is 0");
    agn_tensor *sign = NULL, *logs = NULL;
    must(agn_linalg_slogdet(&sign, &logs, flat));
    ok(peek(sign, 0) == 0 && isinf(peek(logs, 0)), "slogdet of a singular matrix");
    agn_release(sign);
    agn_release(logs);
    must(agn_linalg_slogdet(&sign, &logs, tiny));
    ok(fabs(peek(logs, 0) - 400 * log(0.1)) < 1e-11 && number(ag_linalg_det(s, tiny)) == 0,
       "log of a determinant that underflows");
    const agn_tensor *e = ag_linalg_matrix_exp(s, jordan), *c = ag_linalg_matrix_exp(s, turn);
    ok(fabs(peek(e, 0) - M_E) < 1e-15 && fabs(peek(e, 1) - M_E) < 1e-15 && fabs(peek(e, 2)) < 1e-16,
       "exp of a Jordan block");
    ok(fabs(peek(c, 0) - cos(2)) < 1e-15 && fabs(peek(c, 1) + sin(2)) < 1e-15, "exp of a rotation");
    const agn_tensor *p = ag_linalg_pinv(s, flat, -1);
    ok(fabs(peek(p, 0) - 0.04) < 1e-16 && fabs(peek(p, 3) - 0.16) < 1e-15, "pinv of rank 1");
    ok(number(ag_linalg_matrix_rank(s, flat, -1)) == 1, "rank 1");
    static const struct {
        agn_matrix_norm_kind p;
        double want;
    } norms[] = {{AGN_NORM_ONE, 5}, {AGN_NORM_MINUS_ONE, 5}, {AGN_NORM_INFINITY, 6},
                 {AGN_NORM_MINUS_INFINITY, 4}, {AGN_NORM_FROBENIUS, 5.477225575051661}};
    for (int k = 0; k < COUNT(norms); k++)
        ok(fabs(number(ag_linalg_matrix_norm(s, a, norms[k].p)) - norms[k].want) < 1e-14, "norm %d",
           norms[k].p);
    double top = number(ag_linalg_matrix_norm(s, a, AGN_NORM_TWO)),
           low = number(ag_linalg_matrix_norm(s, a, AGN_NORM_MINUS_TWO));
    ok(fabs(top * low - 14) < 1e-13 && fabs(top * top + low * low - 30) < 1e-13, "norms 2 and -2");
    ok(fabs(number(ag_linalg_matrix_norm(s, a, AGN_NORM_NUCLEAR)) - top - low) < 1e-14, "nuclear norm");
    ok(fabs(number(ag_linalg_cond(s, a, AGN_NORM_TWO)) - top / low) < 1e-14 &&
           fabs(number(ag_linalg_cond(s, a, AGN_NORM_MINUS_TWO)) - low / top) < 1e-14,
       "cond by singular values");
    ok(fabs(number(ag_linalg_cond(s, a, AGN_NORM_ONE)) - 5 * 6 / 14.0) < 1e-14, "cond, 1-norm");
    /* means 7/3 and 4/3 */
    const agn_tensor *v = ag_linalg_cov(s, x, 1), *r = ag_linalg_corrcoef(s, x);
    ok(fabs(peek(v, 0) - 7 / 3.0) < 1e-14 && fabs(peek(v, 1) - 29 / 6.0) < 1e-14 &&
           fabs(peek(v, 3) - 31 / 3.0) < 1e-13, "cov: %g %g %g", peek(v, 0), peek(v, 1), peek(v, 3));
    ok(fabs(peek(r, 0) - 1) < 1e-15 && fabs(peek(r, 1) - 29 / 6.0 / sqrt(7 / 3.0 * 31 / 3)) < 1e-14,
       "corrcoef");
    agn_release(sign);
    agn_release(logs);
    must(agn_scope_close(s));
}

/* ---- derivatives ----------------------------------------------------------------- */

typedef enum which { INV, DET, LOGDET, EXP, PINV, LSTSQ, PRODUCT, ORMQR, CHOL_SOLVE, CHOL_INV, POWER, NUC, COND, COV, CORR } which;
static agn_status body(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    agn_tensor *y[2] = {NULL};
    agn_status st;
    const int32_t last = -1;
    switch (*(const which *)user) {
    case INV: out[0] = ag_linalg_inv(s, in[0]); break;
    case DET: out[0] = ag_linalg_det(s, in[0]); break;
    case LOGDET:
        st = agn_linalg_slogdet(&y[0], &y[1], in[0]);
        out[0] = ag_mul(s, agn_scope_adopt(s, st, &y[0]), agn_scope_adopt(s, st, &y[1]));
        break;
    case EXP: out[0] = ag_linalg_matrix_exp(s, in[0]); break;
    case PINV: out[0] = ag_linalg_pinv(s, in[0], -1); break;
    case LSTSQ: out[0] = ag_linalg_lstsq(s, in[0], in[1]); break;
    case PRODUCT: out[0] = ag_linalg_householder_product(s, in[0], ag_sum(s, in[0], (const int32_t[]){-2}, 1, false)); break;
    case ORMQR: out[0] = ag_linalg_ormqr(s, in[0], ag_sum(s, in[0], (const int32_t[]){-2}, 1, false), in[1], true, true); break;
    case CHOL_SOLVE: out[0] = ag_linalg_cholesky_solve(s, in[0], in[1], false); break;
    case CHOL_INV: out[0] = ag_linalg_cholesky_inverse(s, in[0], true); break;
    case POWER: out[0] = ag_linalg_matrix_power(s, in[0], -3); break;
    case NUC: out[0] = ag_linalg_matrix_norm(s, in[0], AGN_NORM_NUCLEAR); break;
    case COND: out[0] = ag_linalg_cond(s, in[0], AGN_NORM_FROBENIUS); break;
    case COV: out[0] = ag_linalg_cov(s, in[0], 1); break;
    default: out[0] = ag_linalg_corrcoef(s, ag_concat(s, (const agn_tensor *[]){in[0], in[1]}, 2, last));
    }
    return agn_scope_status(s);
}

static void test_modes(void)
{
    static const char *const names[] = {"inv", "det", "slogdet", "matrix_exp", "pinv", "lstsq",
                                        "householder_product", "ormqr", "cholesky_solve",
                                        "cholesky_inverse", "matrix_power", "nuclear norm", "cond",
                                        "cov", "corrcoef"};
    static const int64_t shapes[][3] = {{2, 3, 3}, {2, 4, 2}, {2, 2, 4}};
    for (int c = 0; c < 2; c++)
        for (int k = 0; k < COUNT(names); k++)
            for (int f = 0; f < 3; f++) {
                which w = (which)k;
                bool any = w == PINV || w == LSTSQ || w == NUC || w == COV || w == CORR;
                if (f && !(any || (f == 1 && (w == PRODUCT || w == ORMQR))))
                    continue;
                int dtype = c ? AGN_C128 : AGN_F64, n = w == LSTSQ || w == ORMQR || w == CHOL_SOLVE || w == CORR ? 2 : 1;
                agn_tensor *x0 = random_of(dtype, 3, shapes[f], -1, 1), *a = NULL;
                agn_tensor *b = random_of(dtype, 3, (int64_t[]){2, shapes[f][1], 2}, -1, 1);
                agn_scope *s = agn_scope_open(NULL);
                agn_scope_return(s, &a, tame(s, x0));
                must(agn_scope_close(s));
                const agn_tensor *x[2] = {a, b};
                agn_fn *g = NULL;
                char name[96];
                must(agn_fn_new(&g, body, &w, NULL, n, 1));
                snprintf(name, sizeof name, "%s, %s, %s", names[k], agn_dtype_name(dtype), SHAPE_TEXT(a));
                in_every_mode(g, n, x, 2e-3, 1e-6, name);
                agn_fn_release(g);
                agn_release(a);
                agn_release(b);
                agn_release(x0);
            }
}

/* sum of w times e^m with m = a + x_0 b + x_1 c: in[1] is [w, a, b, c] */
static agn_status exp_of_plane(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const agn_tensor *m = ag_index_axis(s, in[1], 0, 1);
    (void)user;
    for (int k = 0; k < 2; k++)
        m = ag_add(s, m, ag_mul(s, ag_index_axis(s, in[0], 0, k), ag_index_axis(s, in[1], 0, 2 + k)));
    out[0] = ag_sum_all(s, ag_mul(s, ag_index_axis(s, in[1], 0, 0), ag_linalg_matrix_exp(s, m)));
    return agn_scope_status(s);
}
/* Operators carry lanes of coefficients that multiply as their algebra says; jvp of jvp knows none of it. */
static void test_operators_of_exp(void)
{
    static const int32_t orders[] = {2, 0, 0, 1, 2, 1, 1, 1};
    static const double weights[] = {1, 0.5, -2, 3};
    static const int along[][3] = {{0, 0, -1}, {1, -1, -1}, {0, 0, 1}, {0, 1, -1}};
    for (int64_t n = 1; n <= 3; n++) {
        agn_fn *f = NULL, *op = NULL, *d[4] = {NULL};
        agn_tensor *x = of_reals(AGN_F64, 1, (int64_t[]){2}, (double[]){0.3, -0.8});
        agn_tensor *p = random_of(AGN_F64, 3, (int64_t[]){4, n, n}, -1, 1), *y[16] = {NULL};
        agn_scope *s = agn_scope_open(NULL);
        double want = 0;
        must(agn_fn_new(&f, exp_of_plane, NULL, NULL, 2, 1));
        d[0] = f;
        for (int k = 1; k < 4; k++)
            must(agn_fn_jvp(&d[k], d[k - 1]));
        for (int t = 0; t < COUNT(along); t++) {
            const agn_tensor *a[16] = {x, p}, *z[8] = {NULL};
            int order = 0;
            for (; order < 3 && along[t][order] >= 0; order++) {
                double e[2] = {along[t][order] == 0, along[t][order] == 1};
                for (int i = 2 << order; i < 4 << order; i++)
                    a[i] = ag_zeros_like(s, i % 2 ? p : x);
                a[2 << order] = ag_from_host(s, AGN_F64, 1, (int64_t[]){2}, e);
            }
            must(agn_fn_apply(s, z, 1 << order, d[order], a, 2 << order));
            want += weights[t] * number(z[(1 << order) - 1]);
        }
        must(agn_fn_operator(&op, f, 0, orders, 4, 2, weights, NULL));
        must(agn_fn_call(y, 2, op, (const agn_tensor *[]){x, p}, 2));
        ok(fabs(peek(y[0], 0) - want) < 1e-12 * (1 + fabs(want)), "an operator of exp, n %d: %.15g, not %.15g",
           (int)n, peek(y[0], 0), want);
        agn_release(y[0]);
        agn_release(y[1]);
        agn_fn_release(op);
        /* m = (x_0 + 2 x_1) b: the Laplacian is 5 b^2 e^m, twice it 25 b^4 e^m */
        const agn_tensor *w = ag_index_axis(s, p, 0, 0), *b = ag_index_axis(s, p, 0, 2);
        const agn_tensor *of[] = {w, ag_zeros_like(s, b), b, ag_mul_c(s, b, 2)}, *q = ag_stack(s, of, 4, 0);
        for (int k = 1; k < 3; k++) {
            const agn_tensor *e = ag_linalg_matrix_exp(s, ag_mul_c(s, b, 0.3 - 1.6));
            e = ag_matmul(s, ag_linalg_matrix_power(s, b, 2 * k), e);
            want = (k == 1 ? 5 : 25) * number(ag_sum_all(s, ag_mul(s, w, e)));
            must(k == 1 ? agn_fn_laplacian(&op, f, 0) : agn_fn_biharmonic(&op, f, 0));
            must(agn_fn_call(y, 2, op, (const agn_tensor *[]){x, q}, 2));
            ok(fabs(peek(y[0], 0) - want) < 1e-11 * (1 + fabs(want)), "%s of exp, n %d: %.15g, not %.15g",
               k == 1 ? "Laplacian" : "biharmonic", (int)n, peek(y[0], 0), want);
            agn_release(y[0]);
            agn_release(y[1]);
            agn_fn_release(op);
        }
        must(agn_scope_close(s));
        for (int k = 0; k < 4; k++)
            agn_fn_release(d[k]);
        agn_release(x);
        agn_release(p);
    }
}

/* ---- failures -------------------------------------------------------------------- */

static void test_failures(void)
{
    tally q = {0, 0};
    agn_tensor *o = untouched, *p = untouched;
    agn_tensor *flat = of_reals(AGN_F64, 2, (int64_t[]){2, 3}, (double[6]){0});
    agn_tensor *vec = of_reals(AGN_F64, 1, (int64_t[]){3}, (double[3]){0});
    agn_tensor *bad = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){2, (double)NAN, 0, (double)INFINITY});
    agn_tensor *singular = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){1, 2, 2, 4});
    agn_tensor *one = of_reals(AGN_F64, 2, (int64_t[]){1, 1}, (double[]){1}), *sparse = NULL;
    must(agn_sparse_from_dense(&sparse, singular));
#define BAD(call, st, op, a, b) check(&q, refused(call, st, op, a, b, o), "%s", agn_error_message())
#define EACH(op, ...)                                                                             \
    BAD(agn_linalg_##op(&o, flat __VA_ARGS__), AGN_ESHAPE, "linalg_" #op, "[2,3]", "square");     \
    BAD(agn_linalg_##op(&o, bad __VA_ARGS__), AGN_EDOMAIN, "linalg_" #op, "matrix 0", "[0,1]");   \
    BAD(agn_linalg_##op(&o, NULL __VA_ARGS__), AGN_ENULL, "linalg_" #op, "a is", NULL);           \
    BAD(agn_linalg_##op(NULL, one __VA_ARGS__), AGN_ENULL, "linalg_" #op, "out is", NULL)
    EACH(det, );
    EACH(matrix_exp, );
    EACH(inv, );
#define COMMA ,
    EACH(matrix_power, COMMA - 1);
    EACH(cond, COMMA AGN_NORM_ONE);
    BAD(agn_linalg_slogdet(&o, &p, flat), AGN_ESHAPE, "linalg_slogdet", "[2,3]", "square");
    BAD(agn_linalg_slogdet(&o, &p, bad), AGN_EDOMAIN, "linalg_slogdet", "matrix 0", "[0,1]");
    BAD(agn_linalg_slogdet(&o, &p, NULL), AGN_ENULL, "linalg_slogdet", "a is", NULL);
    BAD(agn_linalg_slogdet(&o, NULL, one), AGN_ENULL, "linalg_slogdet", "logabs is", NULL);
    BAD(agn_linalg_slogdet(NULL, &p, one), AGN_ENULL, "linalg_slogdet", "sign is", NULL);
    BAD(agn_linalg_inv(&o, singular), AGN_EDOMAIN, "linalg_inv", "singular", "pivot 1");
    BAD(agn_linalg_cond(&o, singular, AGN_NORM_ONE), AGN_EDOMAIN, "linalg_cond", "singular", "pivot 1");
    BAD(agn_linalg_matrix_power(&o, singular, -1), AGN_EDOMAIN, "linalg_matrix_power", "singular", NULL);
    BAD(agn_linalg_inv(&o, sparse), AGN_EUNSUPPORTED, "linalg_inv", "sparse", "[2,2]");
    BAD(agn_linalg_lstsq(&o, sparse, one), AGN_EUNSUPPORTED, "linalg_lstsq", "sparse", "[2,2]");
    BAD(agn_linalg_lstsq(&o, singular, singular), AGN_EDOMAIN, "linalg_lstsq", "dependent",
        "matrix 0 of 1");
    agn_tensor *no_columns = random_of(AGN_F64, 2, (int64_t[]){2, 0}, 0, 1);
    BAD(agn_linalg_lstsq(&o, singular, no_columns), AGN_EDOMAIN, "linalg_lstsq", "dependent", NULL);
    agn_release(no_columns);
    BAD(agn_linalg_lstsq(&o, bad, bad), AGN_EDOMAIN, "linalg_lstsq", "matrix 0", "[0,1]");
    BAD(agn_linalg_lstsq(&o, flat, vec), AGN_ESHAPE, "linalg_lstsq", "[2,3]", "[3]");
    BAD(agn_linalg_lstsq(&o, vec, vec), AGN_ESHAPE, "linalg_lstsq", "[3]", "1 axes");
    BAD(agn_linalg_lstsq(NULL, one, one), AGN_ENULL, "linalg_lstsq", "out is", NULL);
    BAD(agn_linalg_lstsq(&o, NULL, one), AGN_ENULL, "linalg_lstsq", "a is", NULL);
    BAD(agn_linalg_lstsq(&o, one, NULL), AGN_ENULL, "linalg_lstsq", "b is", NULL);
    BAD(agn_linalg_pinv(&o, vec, -1), AGN_ESHAPE, "linalg_pinv", "[3]", "1 axes");
    BAD(agn_linalg_pinv(&o, bad, -1), AGN_EDOMAIN, "linalg_pinv", "matrix 0", "[0,1]");
    BAD(agn_linalg_pinv(&o, one, 1), AGN_EARG, "linalg_pinv", "1", NULL);
    BAD(agn_linalg_pinv(&o, one, (double)NAN), AGN_EARG, "linalg_pinv", "nan", NULL);
    BAD(agn_linalg_pinv(&o, NULL, -1), AGN_ENULL, "linalg_pinv", "a is", NULL);
    BAD(agn_linalg_pinv(NULL, one, -1), AGN_ENULL, "linalg_pinv", "out is", NULL);
    BAD(agn_linalg_matrix_rank(&o, vec, -1), AGN_ESHAPE, "linalg_matrix_rank", "[3]", "1 axes");
    BAD(agn_linalg_matrix_rank(&o, bad, -1), AGN_EDOMAIN, "linalg_matrix_rank", "matrix 0", NULL);
    BAD(agn_linalg_matrix_rank(&o, one, 2), AGN_EARG, "linalg_matrix_rank", "2", NULL);
    BAD(agn_linalg_matrix_rank(&o, NULL, -1), AGN_ENULL, "linalg_matrix_rank", "a is", NULL);
    BAD(agn_linalg_matrix_rank(NULL, one, -1), AGN_ENULL, "linalg_matrix_rank", "out is", NULL);
    BAD(agn_linalg_matrix_norm(&o, one, (agn_matrix_norm_kind)8), AGN_EARG, "linalg_matrix_norm", "8", NULL);
    BAD(agn_linalg_matrix_norm(&o, vec, AGN_NORM_ONE), AGN_ESHAPE, "linalg_matrix_norm", "[3]", NULL);
    BAD(agn_linalg_matrix_norm(&o, bad, AGN_NORM_TWO), AGN_EDOMAIN, "linalg_matrix_norm", "matrix 0", NULL);
    BAD(agn_linalg_matrix_norm(&o, NULL, AGN_NORM_ONE), AGN_ENULL, "linalg_matrix_norm", "a is", NULL);
    BAD(agn_linalg_matrix_norm(NULL, one, AGN_NORM_ONE), AGN_ENULL, "linalg_matrix_norm", "out is", NULL);
    BAD(agn_linalg_cond(&o, one, (agn_matrix_norm_kind)9), AGN_EARG, "linalg_cond", "9", NULL);
    BAD(agn_linalg_cholesky_solve(&o, flat, one, 0), AGN_ESHAPE, "linalg_cholesky_solve", "[2,3]", "square");
    BAD(agn_linalg_cholesky_solve(&o, one, vec, 0), AGN_ESHAPE, "linalg_cholesky_solve", "rows", NULL);
    agn_tensor *zero = of_reals(AGN_F64, 2, (int64_t[]){1, 1}, (double[]){0});
    BAD(agn_linalg_cholesky_solve(&o, zero, one, 0), AGN_EDOMAIN, "linalg_cholesky_solve", "[0,0]", NULL);
    BAD(agn_linalg_cholesky_inverse(&o, zero, 0), AGN_EDOMAIN, "linalg_cholesky_inverse", "[0,0]", NULL);
    BAD(agn_linalg_cholesky_solve(&o, NULL, one, 0), AGN_ENULL, "linalg_cholesky_solve", "l is", NULL);
    BAD(agn_linalg_cholesky_solve(&o, one, NULL, 0), AGN_ENULL, "linalg_cholesky_solve", "b is", NULL);
    BAD(agn_linalg_cholesky_solve(NULL, one, one, 0), AGN_ENULL, "linalg_cholesky_solve", "out is", NULL);
    BAD(agn_linalg_cholesky_inverse(&o, flat, 0), AGN_ESHAPE, "linalg_cholesky_inverse", "[2,3]", NULL);
    BAD(agn_linalg_cholesky_inverse(&o, NULL, 0), AGN_ENULL, "linalg_cholesky_inverse", "l is", NULL);
    BAD(agn_linalg_cholesky_inverse(NULL, one, 0), AGN_ENULL, "linalg_cholesky_inverse", "out is", NULL);
    BAD(agn_linalg_householder_product(&o, flat, vec), AGN_ESHAPE, "linalg_householder_product", "[2,3]", "[3]");
    BAD(agn_linalg_householder_product(&o, NULL, vec), AGN_ENULL, "linalg_householder_product", "a is", NULL);
    BAD(agn_linalg_householder_product(&o, one, NULL), AGN_ENULL, "linalg_householder_product", "tau is", NULL);
    BAD(agn_linalg_householder_product(NULL, one, one), AGN_ENULL, "linalg_householder_product", "out is", NULL);
    agn_tensor *tau = of_reals(AGN_F64, 1, (int64_t[]){1}, (double[]){1});
    BAD(agn_linalg_ormqr(&o, flat, vec, one, true, false), AGN_ESHAPE, "linalg_ormqr", "[2,3]", "[3]");
    BAD(agn_linalg_ormqr(&o, one, tau, flat, true, false), AGN_ESHAPE, "linalg_ormqr", "[1,1]", "[2,3]");
    BAD(agn_linalg_ormqr(&o, NULL, tau, one, true, false), AGN_ENULL, "linalg_ormqr", "a is", NULL);
    BAD(agn_linalg_ormqr(&o, one, NULL, one, true, false), AGN_ENULL, "linalg_ormqr", "tau is", NULL);
    BAD(agn_linalg_ormqr(&o, one, tau, NULL, true, false), AGN_ENULL, "linalg_ormqr", "c is", NULL);
    BAD(agn_linalg_ormqr(NULL, one, tau, one, true, false), AGN_ENULL, "linalg_ormqr", "out is", NULL);
    BAD(agn_linalg_cov(&o, vec, 1), AGN_ESHAPE, "linalg_cov", "[3]", NULL);
    BAD(agn_linalg_cov(&o, flat, 3), AGN_EARG, "linalg_cov", "3", NULL);
    BAD(agn_linalg_cov(&o, sparse, 0), AGN_EUNSUPPORTED, "linalg_cov", "sparse", NULL);
    BAD(agn_linalg_cov(&o, NULL, 0), AGN_ENULL, "linalg_cov", "x is", NULL);
    BAD(agn_linalg_cov(NULL, one, 0), AGN_ENULL, "linalg_cov", "out is", NULL);
    BAD(agn_linalg_corrcoef(&o, vec), AGN_ESHAPE, "linalg_corrcoef", "[3]", NULL);
    BAD(agn_linalg_corrcoef(&o, NULL), AGN_ENULL, "linalg_corrcoef", "x is", NULL);
    BAD(agn_linalg_corrcoef(NULL, one), AGN_ENULL, "linalg_corrcoef", "out is", NULL);
    /* the slope of a determinant at 0 is refused, not a NaN */
    agn_tensor *x = NULL, *y = NULL;
    must(agn_watch(&x, singular));
    must(agn_linalg_det(&y, x));
    BAD(agn_gradient(&o, (const agn_tensor *const *)&y, 1, (const agn_tensor *const *)&x, 1, NULL),
        AGN_EDOMAIN, "linalg_solve", "singular", "pivot 1");
    check(&q, p == untouched, "a later result was written");
    tell(&q, "failures: status, op, two facts, nothing written");
    agn_tensor *all[] = {flat, vec, bad, singular, one, sparse, zero, tau, x, y};
    for (int i = 0; i < COUNT(all); i++)
        agn_release(all[i]);
}

typedef struct given {
    agn_tensor *a;
    which w;
} given;
static agn_status make(void *user, agn_tensor **out)
{
    given *g = user;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = NULL, *x[2] = {ag_watch(s, g->a), g->a};
    agn_status st = agn_scope_status(s);
    st = st ? st : body(&g->w, s, x, &y);
    agn_tensor *grad = NULL;
    if (!st)
        st = agn_gradient(&grad, &y, 1, x, 1, NULL);
    agn_scope_return(s, out, agn_scope_adopt(s, st, &grad));
    return agn_scope_close(s);
}

static void test_memory(void)
{
    agn_tensor *a = of_reals(AGN_F64, 2, (int64_t[]){3, 3}, (double[]){2, 1, 0, -1, 3, 1, 0.5, 0, 4});
    static const which some[] = {DET, EXP, PINV, LSTSQ, PRODUCT};
    for (int k = 0; k < COUNT(some); k++) {
        given g = {a, some[k]};
        char name[40];
        snprintf(name, sizeof name, "gradient, case %d", (int)some[k]);
        every_allocation(make, &g, name);
    }
    agn_release(a);
}

int main(void)
{
    test_identities();
    test_rectangles();
    test_closed_forms();
    test_modes();
    test_operators_of_exp();
    test_failures();
    test_memory();
    int64_t bytes, blocks, peak;
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
