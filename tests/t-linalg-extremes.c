/* t-linalg-extremes - functions of matrices at the ends of the range: what is right, and what has no digit left and is
   refused or NaN. Values in closed form. */
#include "t-linalg.h"

typedef const agn_tensor *of_one(agn_scope *s, const agn_tensor *a);
static const struct {
    const char *name;
    of_one *f;
} functions[] = {{"matrix_exp", ag_linalg_matrix_exp}, {"sinm", ag_linalg_sinm},   {"tanm", ag_linalg_tanm},
                 {"sinhm", ag_linalg_sinhm},           {"tanhm", ag_linalg_tanhm}, {"logm", ag_linalg_logm},
                 {"sqrtm", ag_linalg_sqrtm}};
enum { EXP, SIN, TAN, SINH, TANH, LOG, ROOT };

/* each entry to a few eps of itself */
static void expect(const char *text, int f, int dtype, int n, const double *a, const double *want)
{
    agn_tensor *x = of_reals(dtype, 2, (int64_t[]){n, n}, a);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = functions[f].f(s, x);
    double worst = y ? 0 : (double)INFINITY;
    for (int i = 0; y && i < n * n; i++) {
        const double off = cabs(peekz(y, i) - want[i]);
        worst = fmax(worst, want[i] != 0 ? off / fabs(want[i]) : off > 0 ? (double)INFINITY : 0);
        worst = off == off ? worst : (double)INFINITY;
    }
    ok(worst < 64 * eps_of(dtype), "%s of %s, %s: off by %.1e %s", functions[f].name, text, agn_dtype_name(dtype), worst,
       agn_scope_status(s) ? agn_error_message() : "");
    agn_status st = agn_scope_close(s);
    (void)st;
    agn_release(x);
}

static void refuse(const char *text, int f, int dtype, int n, const double *a, const char *why)
{
    agn_tensor *x = of_reals(dtype, 2, (int64_t[]){n, n}, a);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = functions[f].f(s, x);
    const bool nan = y && isnan(creal(peekz(y, 0)));
    agn_status st = agn_scope_close(s);
    if (why)
        ok(st == AGN_EDOMAIN && strstr(agn_error_message(), why), "%s of %s is refused: %s", functions[f].name, text,
           agn_error_message());
    else
        ok(!st && nan, "%s of %s is NaN", functions[f].name, text);
    agn_release(x);
}

/* of a value that is NaN no derivative is a number */
static void refuse_gradient(const char *text, int f, int n, const double *a)
{
    agn_tensor *x = of_reals(AGN_F64, 2, (int64_t[]){n, n}, a), *v = NULL, *g = NULL;
    must(agn_watch(&v, x));
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = functions[f].f(s, v);
    agn_status st = agn_gradient(&g, &y, 1, (const agn_tensor *const *)&v, 1, NULL);
    bool numbers = false;
    for (int i = 0; !st && i < n * n; i++)
        numbers = numbers || !isnan(peek(g, i));
    ok(st == AGN_EDOMAIN || (!st && !numbers), "%s of %s: the gradient is no number: %s", functions[f].name, text,
       st ? agn_error_message() : "NaN");
    must(agn_scope_close(s));
    agn_tensor *all[] = {x, v, g};
    for (int i = 0; i < COUNT(all); i++)
        agn_release(all[i]);
}

/* Second derivatives of <w, f(a)>, linear in w of any size: along the identity those of log are -<w, a^-2>. */
static void test_sizes_of_cotangents(int dtype, int n)
{
    static const double sizes[] = {1, 1e-20, 1e-12, 1e12, 1e20};
    agn_tensor *noise = random_of(dtype, 2, (int64_t[]){n, n}, -1, 1), *w = random_of(dtype, 2, (int64_t[]){n, n}, -1, 1);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *one = ag_eye(s, (agn_dtype)dtype, n, n, 0), *first[2] = {NULL},
                     *a = ag_add(s, ag_matmul(s, noise, adjoint(s, noise)), ag_add(s, one, ag_mul_c(s, noise, 0.1)));
    for (int f = 0; f < 2; f++)
        for (int k = 0; k < COUNT(sizes); k++) {
            agn_tensor *outer = NULL, *inner = NULL, *g = NULL, *h = NULL, *weights = NULL;
            must(agn_mul_c(&weights, w, sizes[k]));
            must(agn_watch(&outer, a));
            must(agn_watch(&inner, outer));
            const agn_tensor *y = f ? ag_linalg_fractional_power(s, inner, 0.3) : ag_linalg_logm(s, inner);
            must(agn_gradient(&g, &y, 1, (const agn_tensor *const *)&inner, 1, (const agn_tensor *const *)&weights));
            must(agn_gradient(&h, (const agn_tensor *const *)&g, 1, (const agn_tensor *const *)&outer, 1, &one));
            const agn_tensor *unit = ag_mul_c(s, h, 1 / sizes[k]);
            first[f] = k ? first[f] : unit;
            ok(relative(unit, first[f]) < 1e-8, "%s of %d, %s: cotangents of size %g: %.1e", f ? "a^0.3" : "logm", n,
               agn_dtype_name(dtype), sizes[k], relative(unit, first[f]));
            if (!f) {
                const agn_tensor *v = ag_linalg_inv(s, ag_matmul(s, a, a));
                const agn_tensor *want = ag_sum(s, ag_real(s, ag_mul(s, ag_conj(s, w), v)), NULL, 0, false),
                                 *got = ag_sum(s, ag_real(s, ag_diagonal(s, unit, 0, -2, -1)), NULL, 0, false);
                ok(fabs(peek(got, 0) + peek(want, 0)) < 1e-8 * (1 + fabs(peek(want, 0))), "<w, a^-2> of size %g: %g and %g",
                   sizes[k], peek(got, 0), peek(want, 0));
            }
            agn_release(outer), agn_release(inner), agn_release(weights), agn_release(g), agn_release(h);
        }
    must(agn_scope_close(s));
    agn_release(noise), agn_release(w);
}

/* (c a)^0.3 and log of c a, whose gradients are those at a times c^-0.7 and c^-1; c a power of 2^10 */
static void test_sizes_of_matrices(int dtype, int e)
{
    agn_tensor *noise = random_of(dtype, 2, (int64_t[]){4, 4}, -1, 1), *w = random_of(dtype, 2, (int64_t[]){4, 4}, -1, 1);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *a = ag_add(s, ag_matmul(s, noise, adjoint(s, noise)), ag_mul_c(s, noise, 0.1));
    for (int f = 0; f < 2; f++) {
        agn_tensor *g[2] = {NULL};
        for (int k = 0; k < 2; k++) {
            agn_tensor *v = NULL;
            must(agn_watch(&v, ag_mul_c(s, a, ldexp(1, k ? e : 0))));
            const agn_tensor *y = f ? ag_linalg_fractional_power(s, v, 0.3) : ag_linalg_logm(s, v);
            must(agn_gradient(&g[k], &y, 1, (const agn_tensor *const *)&v, 1, (const agn_tensor *const *)&w));
            agn_release(v);
        }
        const agn_tensor *back = ag_mul_c(s, g[1], ldexp(1, f ? e / 10 * 7 : e));
        ok(relative(back, g[0]) < 1e6 * eps_of(dtype), "%s of a 2^%d, %s: gradient off by %.1e", f ? "a^0.3" : "logm", e,
           agn_dtype_name(dtype), relative(back, g[0]));
        agn_release(g[0]), agn_release(g[1]);
    }
    must(agn_scope_close(s));
    agn_release(noise), agn_release(w);
}

/* second derivatives along c e at c a, of functions of degree 0 or 1 in a: those at a, times c or not */
static const agn_tensor *condition_of(agn_scope *s, const agn_tensor *a) { return ag_linalg_cond(s, a, AGN_NORM_TWO); }
static const agn_tensor *form_of(agn_scope *s, const agn_tensor *a, bool schur)
{
    agn_tensor *y[2] = {NULL};
    const agn_status st = schur ? agn_linalg_schur(&y[0], &y[1], a) : agn_linalg_hessenberg(&y[0], &y[1], a);
    agn_scope_adopt(s, st, &y[1]);
    return agn_scope_adopt(s, st, &y[0]);
}
static const agn_tensor *schur_of(agn_scope *s, const agn_tensor *a) { return form_of(s, a, true); }
static const agn_tensor *hessenberg_of(agn_scope *s, const agn_tensor *a) { return form_of(s, a, false); }
static void test_scales(const char *name, of_one *f, int dtype, int degree)
{
    const int far = eps_of(dtype) > 1e-10 ? 100 : 900;
    agn_tensor *a = random_of(dtype, 2, (int64_t[]){4, 4}, -1, 1), *e = random_of(dtype, 2, (int64_t[]){4, 4}, -1, 1);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *first = NULL;
    for (int k = 0; k < 3; k++) {
        const double c = ldexp(1, k == 1 ? -far : k ? far : 0);
        agn_tensor *outer = NULL, *inner = NULL, *g = NULL, *h = NULL;
        const agn_tensor *along = ag_mul_c(s, e, degree ? 1 : c);
        must(agn_watch(&outer, ag_mul_c(s, a, c)));
        must(agn_watch(&inner, outer));
        const agn_tensor *y = f(s, inner);
        must(agn_gradient(&g, &y, 1, (const agn_tensor *const *)&inner, 1, NULL));
        must(agn_gradient(&h, (const agn_tensor *const *)&g, 1, (const agn_tensor *const *)&outer, 1, &along));
        const agn_tensor *back = ag_mul_c(s, h, c);
        first = k ? first : back;
        ok(relative(back, first) < 1e5 * eps_of(dtype), "%s, %s, times %g: second derivatives off by %.1e", name,
           agn_dtype_name(dtype), c, relative(back, first));
        agn_release(outer), agn_release(inner), agn_release(g), agn_release(h);
    }
    must(agn_scope_close(s));
    agn_release(a), agn_release(e);
}

/* <w, p> of pseudoinverses p of regular matrices: second derivatives are those of the inverse, though a p is 1 only to
   eps times the condition */
static void test_pseudoinverse(int dtype, double condition)
{
    enum { N = 4 };
    agn_tensor *x = random_of(dtype, 2, (int64_t[]){N, N}, -1, 1), *w = random_of(dtype, 2, (int64_t[]){N, N}, -1, 1), *h[2] = {NULL};
    agn_scope *s = agn_scope_open(NULL);
    agn_tensor *u = NULL, *v = NULL, *r = NULL;
    must(agn_linalg_qr(&u, &r, x, false));
    agn_release(r);
    must(agn_linalg_qr(&v, &r, w, false));
    double values[N * N] = {0};
    for (int i = 0; i < N; i++)
        values[i * (N + 1)] = pow(condition, -i / (N - 1.0));
    const agn_tensor *d = agn_scope_adopt(s, AGN_OK, (agn_tensor *const[]){of_reals(dtype, 2, (int64_t[]){N, N}, values)}),
                     *a = ag_matmul(s, u, ag_matmul(s, d, v));
    for (int k = 0; k < 2; k++) {
        agn_tensor *outer = NULL, *inner = NULL, *g = NULL;
        must(agn_watch(&outer, a));
        must(agn_watch(&inner, outer));
        const agn_tensor *y = k ? ag_linalg_pinv(s, inner, 0) : ag_linalg_inv(s, inner);
        must(agn_gradient(&g, &y, 1, (const agn_tensor *const *)&inner, 1, (const agn_tensor *const *)&w));
        must(agn_gradient(&h[k], (const agn_tensor *const *)&g, 1, (const agn_tensor *const *)&outer, 1, (const agn_tensor *const *)&x));
        agn_release(outer), agn_release(inner), agn_release(g);
    }
    ok(relative(h[1], h[0]) < 10 * condition * eps_of(dtype), "pinv of condition %g, %s: second derivatives off by %.1e", condition,
       agn_dtype_name(dtype), relative(h[1], h[0]));
    must(agn_scope_close(s));
    agn_tensor *all[] = {x, w, u, v, r, h[0], h[1]};
    for (int i = 0; i < COUNT(all); i++)
        agn_release(all[i]);
}

static void test_balanced(void)
{
    for (int e = 60; e <= 300; e += 80) {
        const double big = ldexp(1, 3 * e), small = ldexp(1, -3 * e), c = cosh(1), d = sinh(1);
        expect("[0, b; 1/b, 0]", EXP, AGN_F64, 2, (double[]){0, big, small, 0}, (double[]){c, big * d, small * d, c});
        expect("[0, b; 1/b, 0]", SINH, AGN_C128, 2, (double[]){0, big, small, 0}, (double[]){d * 0, big * d, small * d, d * 0});
        /* a chain: e^(d^-1 n d) with n nilpotent */
        expect("a chain", EXP, AGN_F64, 3, (double[]){0, big, 0, 0, 0, 1, 0, 0, 0},
               (double[]){1, big, big / 2, 0, 1, 1, 0, 0, 1});
    }
    const double f = ldexp(1, 60), c = cosh(1), d = sinh(1);
    expect("[0, b; 1/b, 0]", EXP, AGN_F32, 2, (double[]){0, f, 1 / f, 0}, (double[]){c, f * d, d / f, c});
}

static void test_no_digit(void)
{
    for (int e = 52; e < 1000; e += 79) {
        const double t = ldexp(1.3, e);
        refuse("a rotation", EXP, AGN_F64, 2, (double[]){0, t, -t, 0}, "digit");
        refuse("a rotation", EXP, AGN_C128, 3, (double[]){0, 0, t, 0, 1, 0, -t, 0, 0}, "digit");
        refuse("diag(-t, -1)", EXP, AGN_F64, 2, (double[]){-t, 0, 0, -1}, "digit");
        expect("0 under t", EXP, AGN_F64, 2, (double[]){0, t, 0, 0}, (double[]){1, t, 0, 1});
        expect("-t", EXP, AGN_F64, 1, &(double){-t}, &(double){0});
        expect("one number", SIN, AGN_F64, 1, &t, &(double){sin(t)});
    }
    /* the condition of the cosine is e^160 */
    refuse("diag(160, 0, 1)", TANH, AGN_F64, 3, (double[]){160, 0, 0, 0, 0, 0, 0, 0, 1}, NULL);
    refuse_gradient("diag(160, 0, 1)", TANH, 3, (double[]){160, 0, 0, 0, 0, 0, 0, 0, 1});
    refuse_gradient("diag(pi / 2, 1)", TAN, 2, (double[]){1.5707963267948966, 0, 0, 1});
    /* the imaginary part of a logarithm is pi, beside an entry of 1e7 */
    const double triangle[] = {-5e2, 7, 0, 0, 0, 1e-2, 6e-5, -3.6, 0, 0, -4e-7, 1.6e4, 0, 0, 0, -4e-2};
    refuse("a triangle", LOG, AGN_F32, 4, triangle, "real");
    refuse("a triangle", LOG, AGN_F64, 4, triangle, "real");
    refuse("a triangle", ROOT, AGN_F32, 4, triangle, "real");
}

static void test_small(void)
{
    static const double a[] = {1, -2, 3, 4};
    for (int f = SIN; f <= TANH; f++)
        for (int d = 0; d < COUNT(dtypes); d++)
            for (int e = -30; e >= (dtypes[d] == AGN_F64 || dtypes[d] == AGN_C128 ? -990 : -90); e -= 60) {
                double x[4];
                for (int i = 0; i < 4; i++)
                    x[i] = ldexp(a[i], e);
                expect("a small matrix", f, dtypes[d], 2, x, x);
            }
}

/* orders whose f32 is computed as such, against f64 */
static void test_single(void)
{
    static const double sizes[] = {0.01, 0.1, 0.25};
    for (int k = 0; k < COUNT(sizes); k++)
        for (int z = 0; z < 2; z++) {
            const int64_t n = 64, both[] = {n, n};
            agn_tensor *x = random_of(z ? AGN_C64 : AGN_F32, 2, both, -sizes[k], sizes[k]),
                       *e = random_of(z ? AGN_C64 : AGN_F32, 2, both, -1, 1), *y[2] = {NULL}, *want[2] = {NULL};
            agn_scope *s = agn_scope_open(NULL);
            const int wide = z ? AGN_C128 : AGN_F64;
            must(agn_linalg_expm_frechet(&y[0], &y[1], x, e));
            must(agn_linalg_expm_frechet(&want[0], &want[1], ag_cast(s, x, wide), ag_cast(s, e, wide)));
            for (int i = 0; i < 2; i++) {
                const agn_tensor *got = agn_scope_adopt(s, AGN_OK, &y[i]);
                const double off = relative(ag_cast(s, got, wide), agn_scope_adopt(s, AGN_OK, &want[i]));
                ok(off < 16 * 0x1p-23, "f32 of order 64, %g, %s: off by %.1e", sizes[k], i ? "derivative" : "value", off);
            }
            must(agn_scope_close(s));
            agn_release(x);
            agn_release(e);
        }
}

/* terms of polynomials cancel where eigenvalues are negative: as many digits are left as the condition leaves */
static void test_decay(void)
{
    for (int k = 0; k < 15; k++)
        for (int z = 0; z < 2; z++) {
            const int64_t n = 64, both[] = {n, n};
            const double size = 1 + k;
            agn_tensor *x = random_of(z ? AGN_C64 : AGN_F32, 2, both, -1e-3, 1e-3);
            agn_scope *s = agn_scope_open(NULL);
            const int wide = z ? AGN_C128 : AGN_F64;
            const agn_tensor *a = ag_sub(s, x, ag_mul_c(s, ag_eye(s, agn_dtype_of(x), n, n, 0), size));
            const agn_tensor *got = ag_linalg_matrix_exp(s, a), *want = ag_linalg_matrix_exp(s, ag_cast(s, a, wide));
            const double off = relative(ag_cast(s, got, wide), want);
            ok(off < 16 * fmax(1, size) * 0x1p-24, "f32 of order 64 about -%g: off by %.1e", size, off);
            must(agn_scope_close(s));
            agn_release(x);
        }
}

/* the sum of singular values as the trace of the Hermitian polar factor, where they are equal and near */
static agn_status nuclear(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    (void)user;
    agn_tensor *y[2] = {NULL};
    agn_status st = agn_linalg_polar(&y[0], &y[1], in[0]);
    agn_scope_adopt(s, st, &y[0]);
    const agn_tensor *sum = ag_trace(s, agn_scope_adopt(s, st, &y[1]), 0, -2, -1);
    out[0] = sum && agn_dtype_of(sum) == AGN_C128 ? ag_real(s, sum) : sum;
    return agn_scope_status(s);
}
static void test_nuclear_norm(void)
{
    static const double near[] = {0, 0x1p-52, 0x1p-40, 0x1p-26};
    for (int k = 0; k < COUNT(near); k++)
        for (int c = 0; c < 2; c++) {
            const double t = 2 + near[k], a[] = {0, 2, -t, 0, 0, 0};
            agn_tensor *x = of_reals(c ? AGN_C128 : AGN_F64, 2, (int64_t[]){k % 2 ? 3 : 2, 2}, a);
            agn_fn *f = NULL;
            must(agn_fn_new(&f, nuclear, NULL, NULL, 1, 1));
            in_every_mode(f, 1, (const agn_tensor *[]){x}, 4e-3, 1e-6, "nuclear norm at a tie");
            agn_fn_release(f);
            agn_release(x);
        }
}

/* second derivatives of tr e^a and of tr b e^a through eigenpairs, at gaps of all sizes: those of the exponential, or
   refused */
typedef struct spectral {
    int kind; /* 0 by matrix_exp, 1 by values, 2 by values and vectors */
    const agn_tensor *b;
} spectral;
static agn_status trace_exp(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const spectral *u = user;
    if (u->kind == 1) {
        out[0] = ag_sum_all(s, ag_exp(s, ag_linalg_eigvalsh(s, in[0], false)));
        return agn_scope_status(s);
    }
    const agn_tensor *y;
    if (u->kind == 0) {
        y = ag_linalg_matrix_exp(s, in[0]);
    } else {
        agn_tensor *p[2] = {NULL};
        agn_status st = agn_linalg_eigh(&p[0], &p[1], in[0], false);
        const agn_tensor *w = agn_scope_adopt(s, st, &p[0]), *v = agn_scope_adopt(s, st, &p[1]);
        y = ag_matmul(s, ag_mul(s, v, ag_exp(s, w)), ag_swapaxes(s, v, -1, -2));
    }
    out[0] = ag_sum_all(s, ag_mul(s, y, u->b));
    return agn_scope_status(s);
}
static agn_status second(agn_body *body, void *u, const agn_tensor *x, const agn_tensor *e, double *y)
{
    agn_fn *f = NULL, *j = NULL, *h = NULL;
    agn_tensor *out[4] = {NULL}, *none = NULL;
    agn_scope *s = agn_scope_open(NULL);
    agn_scope_return(s, &none, ag_zeros_like(s, x));
    must(agn_scope_close(s));
    must(agn_fn_new(&f, body, u, NULL, 1, 1));
    must(agn_fn_jvp(&j, f));
    must(agn_fn_jvp(&h, j));
    agn_status st = agn_fn_call(out, 4, h, (const agn_tensor *[]){x, e, e, none}, 4);
    *y = st ? (double)NAN : peek(out[3], 0);
    for (int i = 0; i < 4; i++)
        agn_release(out[i]);
    agn_release(none);
    agn_fn_release(f);
    agn_fn_release(j);
    agn_fn_release(h);
    return st;
}
static void test_second_derivatives(void)
{
    enum { N = 4 };
    int right[3] = {0}, wrong[3] = {0}, none[3] = {0};
    for (int k = 0; k < 120; k++) {
        agn_scope *s = agn_scope_open(NULL);
        agn_tensor *g = random_of(AGN_F64, 2, (int64_t[]){N, N}, -1, 1), *q = NULL, *r = NULL,
                   *e0 = random_of(AGN_F64, 2, (int64_t[]){N, N}, -1, 1), *b0 = random_of(AGN_F64, 2, (int64_t[]){N, N}, -1, 1);
        must(agn_linalg_qr(&q, &r, g, false));
        const double gap = k % 6 ? ldexp(1, -k / 2) : 0, w[] = {1, 1 + gap, k % 2 ? 1 + 3 * gap : 2, -1};
        agn_tensor *values = of_reals(AGN_F64, 1, (int64_t[]){N}, w);
        const agn_tensor *a = ag_matmul(s, ag_mul(s, q, values), ag_swapaxes(s, q, -1, -2));
        a = ag_mul_c(s, ag_add(s, a, ag_swapaxes(s, a, -1, -2)), 0.5);
        const agn_tensor *e = ag_add(s, e0, ag_swapaxes(s, e0, -1, -2)), *b = ag_add(s, b0, ag_swapaxes(s, b0, -1, -2));
        const agn_tensor *one = ag_eye(s, AGN_F64, N, N, 0);
        for (int kind = 1; kind < 3; kind++) {
            spectral u = {0, kind == 1 ? one : b}, v = {kind, b};
            double want = 0, got = 0;
            must(second(trace_exp, &u, a, e, &want));
            agn_status st = second(trace_exp, &v, a, e, &got);
            *(st == AGN_EDOMAIN ? &none[kind] : !st && fabs(got - want) < 1e-5 * (1 + fabs(want)) ? &right[kind] : &wrong[kind]) += 1;
            if (!st && !(fabs(got - want) < 1e-5 * (1 + fabs(want))))
                printf("# kind %d, gap %g: %.15g for %.15g\n", kind, gap, got, want);
        }
        must(agn_scope_close(s));
        agn_tensor *all[] = {g, q, r, e0, b0, values};
        for (int i = 0; i < COUNT(all); i++)
            agn_release(all[i]);
    }
    for (int kind = 1; kind < 3; kind++)
        ok(!wrong[kind] && right[kind] > 10 && none[kind] > 10, "second derivatives through %s: %d right, %d refused, %d wrong",
           kind == 1 ? "eigenvalues" : "eigenpairs", right[kind], none[kind], wrong[kind]);
}

/* the same of functions of a that factors give and products give too, at ties, near them and near a lower rank */
typedef const agn_tensor *of_two(agn_scope *s, const agn_tensor *a, const agn_tensor *b);
static const agn_tensor *turned(agn_scope *s, const agn_tensor *a)
{
    return ag_swapaxes(s, a, -1, -2);
}
static const agn_tensor *square(agn_scope *s, const agn_tensor *a, const agn_tensor *b)
{
    (void)b;
    return ag_matmul(s, turned(s, a), a);
}
static const agn_tensor *square_by_qr(agn_scope *s, const agn_tensor *a, const agn_tensor *b)
{
    agn_tensor *p[2] = {NULL};
    agn_status st = agn_linalg_qr(&p[0], &p[1], a, false);
    agn_scope_adopt(s, st, &p[0]);
    return square(s, agn_scope_adopt(s, st, &p[1]), b);
}
static const agn_tensor *square_by_polar(agn_scope *s, const agn_tensor *a, const agn_tensor *b)
{
    agn_tensor *p[2] = {NULL};
    agn_status st = agn_linalg_polar(&p[0], &p[1], a);
    agn_scope_adopt(s, st, &p[0]);
    return square(s, agn_scope_adopt(s, st, &p[1]), b);
}
static const agn_tensor *odd_cube(agn_scope *s, const agn_tensor *a, const agn_tensor *b)
{
    return ag_matmul(s, a, square(s, a, b));
}
static const agn_tensor *odd_cube_by_svd(agn_scope *s, const agn_tensor *a, const agn_tensor *b)
{
    (void)b;
    agn_tensor *p[3] = {NULL};
    agn_status st = agn_linalg_svd(&p[0], &p[1], &p[2], a, false);
    const agn_tensor *u = agn_scope_adopt(s, st, &p[0]), *w = agn_scope_adopt(s, st, &p[1]),
                     *v = agn_scope_adopt(s, st, &p[2]);
    return ag_matmul(s, ag_mul(s, u, ag_mul(s, w, ag_square(s, w))), v);
}
static const agn_tensor *cube(agn_scope *s, const agn_tensor *a, const agn_tensor *b)
{
    (void)b;
    return ag_matmul(s, a, ag_matmul(s, a, a));
}
static const agn_tensor *cube_by_eig(agn_scope *s, const agn_tensor *a, const agn_tensor *b)
{
    (void)b;
    agn_tensor *p[2] = {NULL};
    agn_status st = agn_linalg_eig(&p[0], &p[1], a);
    const agn_tensor *w = agn_scope_adopt(s, st, &p[0]), *v = agn_scope_adopt(s, st, &p[1]);
    const agn_tensor *x = ag_mul(s, v, ag_mul(s, w, ag_mul(s, w, w)));
    return ag_real(s, turned(s, ag_linalg_solve(s, turned(s, v), turned(s, x))));
}
static const agn_tensor *itself(agn_scope *s, const agn_tensor *a, const agn_tensor *b)
{
    return ag_add(s, b, ag_mul_c(s, a, 0));
}
static const agn_tensor *itself_by_lstsq(agn_scope *s, const agn_tensor *a, const agn_tensor *b)
{
    return ag_linalg_lstsq(s, a, ag_matmul(s, a, b));
}
enum { SINGULAR = 1, GENERAL = 2 };
static const struct {
    const char *name;
    of_two *factored, *plain;
    int kind; /* of a: with values near 0, with real eigenvalues */
    int loss; /* a rounding of the data moves the derivative by eps / gap to this power */
} factored[] = {{"svd", odd_cube_by_svd, odd_cube, 0, 0},  {"svd, near rank 3", odd_cube_by_svd, odd_cube, SINGULAR, 0},
                {"eig", cube_by_eig, cube, GENERAL, 0},       {"qr", square_by_qr, square, SINGULAR, 0},
                {"polar", square_by_polar, square, 0, 0},     {"polar, near rank 3", square_by_polar, square, SINGULAR, 0},
                {"lstsq", itself_by_lstsq, itself, SINGULAR, 3}};
typedef struct weighed {
    of_two *f;
    const agn_tensor *b;
} weighed;
static agn_status weigh(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const weighed *u = user;
    out[0] = ag_sum_all(s, ag_mul(s, u->f(s, in[0], u->b), u->b));
    return agn_scope_status(s);
}
static void test_second_of_factors(int row)
{
    enum { N = 4, TRIES = 80 };
    int right = 0, wrong = 0, none = 0;
    for (int k = 0; k < TRIES; k++) {
        agn_scope *s = agn_scope_open(NULL);
        agn_tensor *g[4], *q[2], *r[2];
        for (int i = 0; i < 4; i++)
            g[i] = random_of(AGN_F64, 2, (int64_t[]){N, N}, -1, 1);
        for (int i = 0; i < 2; i++)
            must(agn_linalg_qr(&q[i], &r[i], g[i], false));
        const int kind = factored[row].kind;
        const double gap = k % 6 ? ldexp(1, -k / 2) : 0,
                     w[] = {1, kind & SINGULAR ? 2 : 1 + gap, kind & SINGULAR ? 3 : k % 2 ? 1 + 3 * gap : 2,
                            kind & SINGULAR ? gap : -0.5};
        agn_tensor *values = of_reals(AGN_F64, 1, (int64_t[]){N}, w);
        const agn_tensor *x = kind & GENERAL ? ag_add(s, q[0], ag_mul_c(s, q[1], 0.25)) : q[0];
        const agn_tensor *a = ag_matmul(s, ag_mul(s, x, values),
                                        kind & GENERAL ? ag_linalg_inv(s, x) : turned(s, q[1]));
        weighed plain = {factored[row].plain, g[2]}, by_factors = {factored[row].factored, g[2]};
        double want = 0, got = 0;
        must(second(weigh, &plain, a, g[3], &want));
        const agn_status st = second(weigh, &by_factors, a, g[3], &got);
        const double lost = gap > 0 ? pow(gap, -factored[row].loss) - 1 : 0;
        const bool good = fabs(got - want) < 1e-5 * (1 + fabs(want)) + 0x1p-44 * lost;
        right += !st && good;
        wrong += st ? st != AGN_EDOMAIN : !good && !isnan(got);
        none += st == AGN_EDOMAIN || isnan(got);
        if (!st && !good)
            printf("# gap %g: %.15g for %.15g\n", gap, got, want);
        must(agn_scope_close(s));
        for (int i = 0; i < 4; i++)
            agn_release(g[i]);
        for (int i = 0; i < 2; i++) {
            agn_release(q[i]);
            agn_release(r[i]);
        }
        agn_release(values);
    }
    ok(!wrong && right > 10, "second derivatives through %s: %d right, %d refused, %d wrong", factored[row].name, right,
       none, wrong);
}

int main(void)
{
    test_second_derivatives();
    for (int row = 0; row < COUNT(factored); row++)
        test_second_of_factors(row);
    test_nuclear_norm();
    test_balanced();
    test_no_digit();
    test_small();
    test_single();
    test_decay();
    test_sizes_of_cotangents(AGN_F64, 3);
    test_sizes_of_cotangents(AGN_C128, 5);
    test_sizes_of_cotangents(AGN_F64, 24);
    for (int k = -1; k <= 1; k += 2) {
        test_sizes_of_matrices(AGN_F64, 960 * k);
        test_sizes_of_matrices(AGN_C128, 960 * k);
    }
    for (int d = 0; d < COUNT(dtypes); d++) {
        test_scales("cond", condition_of, dtypes[d], 0);
        if (d > 1) /* real ones have blocks */
            test_scales("schur", schur_of, dtypes[d], 1);
        test_scales("hessenberg", hessenberg_of, dtypes[d], 1);
    }
    for (int d = 0; d < COUNT(dtypes); d++)
        test_pseudoinverse(dtypes[d], eps_of(dtypes[d]) > 1e-10 ? 100 : 1e5);
    int64_t bytes, blocks, peak;
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
