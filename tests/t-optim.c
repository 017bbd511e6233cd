/* Minimisers: where they get, by which steps, and that nothing disturbs them. */
#include "tests/laws.h"

/* ---- objectives --------------------------------------------------------------------- */

static agn_status rosenbrock(void *user, agn_scope *s, const agn_tensor *const *in,
                             const agn_tensor **out)
{
    (void)user;
    static const int64_t zero = 0, one = 1, end = AGN_END, last = -1;
    const agn_tensor *a = ag_slice(s, in[0], 1, &zero, &last, NULL),
                     *b = ag_slice(s, in[0], 1, &one, &end, NULL);
    const agn_tensor *up = ag_square(s, ag_sub(s, b, ag_square(s, a)));
    out[0] = ag_sum_all(s, ag_add(s, ag_mul_c(s, up, 100), ag_square(s, ag_sub_c(s, a, 1))));
    return agn_scope_status(s);
}

/* x'Ax/2 - b'x with the data A, b */
static agn_status quadratic(void *user, agn_scope *s, const agn_tensor *const *in,
                            const agn_tensor **out)
{
    (void)user;
    const agn_tensor *x = in[0], *ax = ag_matmul(s, in[1], x);
    out[0] = ag_sub(s, ag_mul_c(s, ag_matmul(s, x, ax), 0.5), ag_matmul(s, in[2], x));
    return agn_scope_status(s);
}

/* sum of cosh(x - 1) + (x - y)^2: two parameters of any shape */
static agn_status bowl(void *user, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    (void)user;
    const agn_tensor *y = ag_sum_all(s, ag_square(s, ag_sub_c(s, in[1], 0.5)));
    out[0] = ag_add(s, ag_sum_all(s, ag_cosh(s, ag_sub_c(s, in[0], 1))), y);
    return agn_scope_status(s);
}

/* sum of x - log x: not a number left of 0; minimum at 1 */
static agn_status barrier(void *user, agn_scope *s, const agn_tensor *const *in,
                          const agn_tensor **out)
{
    (void)user;
    out[0] = ag_sum_all(s, ag_sub(s, in[0], ag_log(s, in[0])));
    return agn_scope_status(s);
}

static agn_fn *objective(agn_body *body, int32_t n_in, int32_t n_params)
{
    static const int32_t argnums[] = {0, 1, 2, 3};
    agn_fn *f, *g;
    must(agn_fn_new(&f, body, NULL, NULL, n_in, 1));
    must(agn_fn_value_and_grad(&g, f, argnums, n_params));
    agn_fn_release(f);
    return g;
}

/* results as they are written: value and gradient by hand */
static agn_status downhill(void *user, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    const double *sign = user;
    out[0] = ag_sum_all(s, ag_square(s, in[0]));
    out[1] = ag_mul_c(s, in[0], *sign);
    return agn_scope_status(s);
}

/* ---- helpers --------------------------------------------------------------------------- */

static agn_tensor *start_of(int dtype, int64_t n)
{
    double *v = room_for((size_t)n * sizeof *v);
    for (int64_t i = 0; i < n; i++)
        v[i] = i % 2 ? 1 : -1.2;
    agn_tensor *x = of_reals(dtype, 1, &n, v);
    free(v);
    return x;
}
static agn_optim *optimiser(int32_t kind, const agn_optim_options *opts, const agn_tensor *x)
{
    agn_optim *o = NULL;
    must(agn_optim_new(&o, kind, &x, 1, opts));
    return o;
}
static agn_optim_info info_of(const agn_optim *o)
{
    agn_optim_info i = {.size = sizeof i};
    must(agn_optim_describe(&i, o));
    return i;
}
static agn_tensor *point_of(const agn_optim *o)
{
    agn_tensor *x[4];
    must(agn_optim_params(x, agn_optim_n_params(o), o));
    for (int i = 1; i < agn_optim_n_params(o); i++)
        agn_release(x[i]);
    return x[0];
}
static double error_from(const agn_optim *o, double want)
{
    agn_tensor *x = point_of(o);
    double most = 0;
    for (int64_t i = 0; i < agn_numel(x); i++)
        most = fmax(most, fabs(peek(x, i) - want));
    agn_release(x);
    return most;
}
static bool same_state(const agn_optim *a, const agn_optim *b)
{
    agn_tensor *x, *y;
    must(agn_optim_state_get(&x, a));
    must(agn_optim_state_get(&y, b));
    bool same = same_values(x, y);
    agn_release(x);
    agn_release(y);
    return same;
}

static const char *const names[] = {"Adam", "L-BFGS", "BFGS", "SSBFGS", "SSBroyden"};
enum { KINDS = 5 };

/* ---- where they get ---------------------------------------------------------------------- */

static void test_rosenbrock(void)
{
    agn_fn *f = objective(rosenbrock, 1, 1);
    static const int64_t sizes[] = {2, 10, 100};
    static const int64_t most[] = {60, 140, 1000};
    for (int kind = AGN_OPTIM_LBFGS; kind < KINDS; kind++)
        for (int k = 0; k < COUNT(sizes); k++) {
            agn_tensor *x = start_of(AGN_F64, sizes[k]);
            agn_optim *o = optimiser(kind, NULL, x);
            int32_t reason = AGN_OPTIM_RUNNING;
            tally wolfe = {0, 0}, falls = {0, 0};
            double before = (double)INFINITY;
            while (reason == AGN_OPTIM_RUNNING) {
                double value;
                must(agn_optim_step(&value, &reason, o, f, NULL, 0));
                agn_optim_info i = info_of(o);
                double slack = 4 * 0x1p-52 * fabs(i.value_before);
                check(&wolfe,
                      i.strong_wolfe &&
                          i.value <= i.value_before + 1e-4 * i.length * i.slope_before + slack &&
                          fabs(i.slope_after) <= 0.9 * fabs(i.slope_before),
                      "%s step %d: f %g to %g, slope %g to %g", names[kind], (int)i.steps,
                      i.value_before, i.value, i.slope_before, i.slope_after);
                check(&falls, value <= before && value == i.value, "%g after %g", value, before);
                before = value;
                if (i.steps > 5000)
                    break;
            }
            agn_optim_info i = info_of(o);
            is_int(reason, AGN_OPTIM_GRADIENT, "%s, %d-D Rosenbrock: stops by the gradient",
                   names[kind], (int)sizes[k]);
            ok(error_from(o, 1) < 1e-8 && i.gradient <= 1e-10, "at the minimum");
            ok(i.steps <= most[k] && i.evaluations < 2 * i.steps, "%d steps, %d evaluations",
               (int)i.steps, (int)i.evaluations);
            tell(&wolfe, "strong Wolfe conditions at every step");
            tell(&falls, "no step goes up");
            agn_optim_release(o);
            agn_release(x);
        }
    agn_fn_release(f);
}

static void spd(double *a, double *b, int n)
{
    double r[64];
    for (int i = 0; i < n * n; i++)
        r[i] = rnd_in(-1, 1);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            a[i * n + j] = i == j ? 0.5 + i : 0;
            for (int k = 0; k < n; k++)
                a[i * n + j] += r[i * n + k] * r[j * n + k];
        }
    for (int i = 0; i < n; i++)
        b[i] = rnd_in(-1, 1);
}

/* With nearly exact line searches, BFGS from a multiple of the identity walks the directions of
   conjugate gradients (Nocedal & Wright 2006, theorem 8.4): done after n steps. */
static void test_quadratic(void)
{
    enum { N = 8 };
    double a[N * N], b[N], zero[N] = {0};
    spd(a, b, N);
    agn_tensor *data[] = {of_reals(AGN_F64, 2, (int64_t[]){N, N}, a),
                          of_reals(AGN_F64, 1, (int64_t[]){N}, b)};
    agn_tensor *x = of_reals(AGN_F64, 1, (int64_t[]){N}, zero);
    agn_fn *f = objective(quadratic, 3, 1);
    for (int kind = AGN_OPTIM_LBFGS; kind <= AGN_OPTIM_BFGS; kind++) {
        agn_optim_options opts = {.size = sizeof opts, .c1 = 1e-10, .c2 = 1e-9,
                                  .gradient_tol = 1e-7};
        agn_optim *o = optimiser(kind, &opts, x);
        int32_t reason;
        must(agn_optim_minimise(&reason, o, f, (const agn_tensor *const *)data, 2, 100, NULL,
                                NULL));
        agn_optim_info i = info_of(o);
        ok(reason == AGN_OPTIM_GRADIENT && i.steps <= N, "%s: a quadratic of %d in %d steps",
           names[kind], N, (int)i.steps);
        agn_tensor *y = point_of(o);
        double most = 0;
        for (int r = 0; r < N; r++) {
            double sum = -b[r];
            for (int c = 0; c < N; c++)
                sum += a[r * N + c] * peek(y, c);
            most = fmax(most, fabs(sum));
        }
        ok(most < 1e-7, "A x = b");
        agn_release(y);
        agn_optim_release(o);
    }
    agn_fn_release(f);
    agn_release(data[0]);
    agn_release(data[1]);
    agn_release(x);
}

/* ---- the BFGS family against dense matrices, formula by formula ----------------------------- */

enum { M = 6 };

static void dense_update(int kind, double h[M][M], const double *s, const double *y, double sbs)
{
    double hy[M] = {0}, v[M], sy = 0, yhy = 0;
    for (int i = 0; i < M; i++) {
        for (int j = 0; j < M; j++)
            hy[i] += h[i][j] * y[j];
        sy += s[i] * y[i];
        yhy += y[i] * hy[i];
    }
    double bk = sbs / sy, hk = yhy / sy, ak = bk * hk - 1, tau = 1, phi = 1;
    if (kind != AGN_OPTIM_BFGS)
        tau = fmin(1, 1 / bk);
    if (kind == AGN_OPTIM_SSBROYDEN) {
        double ck = sqrt(ak / (ak + 1)), rho = fmin(1, hk * (1 - ck));
        double theta = fmax((rho - 1) / ak, fmin(1 / rho, (1 - bk) / bk));
        double sigma = 1 + theta * ak, root = pow(sigma, 1.0 / (1 - M));
        tau = theta > 0 ? tau * fmin(root, 1 / theta) : fmin(tau * root, sigma);
        phi = (1 - theta) / (1 + ak * theta);
    }
    for (int i = 0; i < M; i++)
        v[i] = sqrt(yhy) * (s[i] / sy - hy[i] / yhy);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++)
            h[i][j] = (h[i][j] - hy[i] * hy[j] / yhy + phi * v[i] * v[j]) / tau + s[i] * s[j] / sy;
}

static void test_family(void)
{
    agn_fn *f = objective(rosenbrock, 1, 1);
    double v[M], eye[M * M] = {0};
    for (int i = 0; i < M; i++) {
        v[i] = rnd_in(-1, 1);
        eye[i * M + i] = 0.01 + 0.001 * i;
    }
    agn_tensor *x0 = of_reals(AGN_F64, 1, (int64_t[]){M}, v);
    agn_tensor *h0 = of_reals(AGN_F64, 2, (int64_t[]){M, M}, eye);
    for (int kind = AGN_OPTIM_BFGS; kind < KINDS; kind++) {
        agn_optim_options opts = {.size = sizeof opts, .inverse_hessian = h0};
        agn_optim *o = optimiser(kind, &opts, x0);
        double h[M][M], off = 0, s[M], y[M], secant = 0;
        memcpy(h, eye, sizeof h);
        agn_tensor *x = point_of(o), *r[2], *rn[2];
        must(agn_fn_call(r, 2, f, (const agn_tensor *const *)&x, 1));
        for (int k = 0; k < 25; k++) {
            must(agn_optim_step(NULL, NULL, o, f, NULL, 0));
            double t = info_of(o).length, size = 0, most = 0, sg = 0;
            agn_tensor *xn = point_of(o);
            must(agn_fn_call(rn, 2, f, (const agn_tensor *const *)&xn, 1));
            for (int i = 0; i < M; i++) {
                double d = 0;
                for (int j = 0; j < M; j++)
                    d -= h[i][j] * peek(r[1], j);
                s[i] = peek(xn, i) - peek(x, i);
                y[i] = peek(rn[1], i) - peek(r[1], i);
                sg += s[i] * peek(r[1], i);
                most = fmax(most, fabs(s[i] - t * d));
                size = fmax(size, fabs(s[i]));
            }
            off = fmax(off, most / size);
            dense_update(kind, h, s, y, -t * sg);
            for (int i = 0; i < M; i++) {
                double hy = 0;
                for (int j = 0; j < M; j++)
                    hy += h[i][j] * y[j];
                secant = fmax(secant, fabs(hy - s[i]) / size);
            }
            agn_release(x);
            agn_release(r[0]);
            agn_release(r[1]);
            x = xn;
            memcpy(r, rn, sizeof r);
        }
        agn_release(x);
        agn_release(r[0]);
        agn_release(r[1]);
        ok(off < 1e-7, "%s: 25 directions are -H g of the dense formulas (off by %.1e)", names[kind],
           off);
        ok(secant < 1e-9, "which hold H y = s");
        agn_optim_release(o);
    }
    agn_release(x0);
    agn_release(h0);
    agn_fn_release(f);
}

/* With the exact inverse Hessian the first trial is the minimum. */
static void test_given_hessian(void)
{
    double a[4] = {4, 1, 1, 3}, b[2] = {1, 2}, inv[4] = {3 / 11.0, -1 / 11.0, -1 / 11.0, 4 / 11.0};
    agn_tensor *data[] = {of_reals(AGN_F64, 2, (int64_t[]){2, 2}, a),
                          of_reals(AGN_F64, 1, (int64_t[]){2}, b)};
    agn_tensor *x = start_of(AGN_F64, 2), *h = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, inv);
    agn_fn *f = objective(quadratic, 3, 1);
    agn_optim_options opts = {.size = sizeof opts, .inverse_hessian = h};
    agn_optim *o = optimiser(AGN_OPTIM_BFGS, &opts, x);
    must(agn_optim_step(NULL, NULL, o, f, (const agn_tensor *const *)data, 2));
    agn_tensor *y = point_of(o);
    near(peek(y, 0), 1 / 11.0, 1e-14, "Newton's step with a given inverse Hessian");
    near(peek(y, 1), 7 / 11.0, 1e-14, "second component");
    agn_release(y);
    agn_optim_release(o);
    agn_release(h);
    agn_release(x);
    agn_release(data[0]);
    agn_release(data[1]);
    agn_fn_release(f);
}

/* ---- Adam ------------------------------------------------------------------------------- */

/* The averages as sums over all gradients, not as a recurrence: m_t / (1 - b1^t) =
   (1 - b1) sum b1^(t - i) g_i / (1 - b1^t). */
static void adam_reference(double *x, int steps, double decay, bool schedule)
{
    static long double g[2][200];
    for (int t = 1; t <= steps; t++) {
        long double rate = schedule && t > 50 ? 0.005L : 0.01L, a = x[0], b = x[1];
        g[0][t] = -400 * a * (b - a * a) - 2 * (1 - a);
        g[1][t] = 200 * (b - a * a);
        for (int j = 0; j < 2; j++) {
            long double m = 0, v = 0;
            for (int i = 1; i <= t; i++) {
                m += 0.1L * powl(0.9L, t - i) * g[j][i];
                v += 0.001L * powl(0.999L, t - i) * g[j][i] * g[j][i];
            }
            m /= 1 - powl(0.9L, t);
            v /= 1 - powl(0.999L, t);
            long double y = x[j];
            x[j] = (double)(y - rate * (m / (sqrtl(v) + 1e-8L) + (long double)decay * y));
        }
    }
}

static void test_adam(void)
{
    agn_fn *f = objective(rosenbrock, 1, 1);
    for (int variant = 0; variant < 3; variant++) {
        static const char *const what[] = {"plain", "with decoupled decay", "with a schedule"};
        agn_optim_options opts = {.size = sizeof opts, .rate = 0.01,
                                  .weight_decay = variant == 1 ? 0.1 : 0};
        agn_tensor *x = start_of(AGN_F64, 2);
        agn_optim *o = optimiser(AGN_OPTIM_ADAM, &opts, x);
        double want[2] = {-1.2, 1}, first = (double)NAN;
        for (int t = 1; t <= 100; t++) {
            if (variant == 2 && t == 51)
                must(agn_optim_rate_set(o, 0.005));
            double value;
            must(agn_optim_step(&value, NULL, o, f, NULL, 0));
            if (t == 1)
                first = value;
        }
        adam_reference(want, 100, variant == 1 ? 0.1 : 0, variant == 2);
        agn_tensor *y = point_of(o);
        near(peek(y, 0), want[0], 1e-12, "Adam, 100 steps, %s", what[variant]);
        near(peek(y, 1), want[1], 1e-12, "second parameter");
        near(first, 24.2, 1e-14, "the value is the one before the step");
        near(agn_optim_rate(o), variant == 2 ? 0.005 : 0.01, 0, "rate");
        agn_release(y);
        agn_optim_release(o);
        agn_release(x);
    }
    agn_fn_release(f);
}

/* ---- shapes and dtypes -------------------------------------------------------------------- */

static void test_dtypes(void)
{
    agn_fn *f = objective(bowl, 2, 2);
    static const int dtypes[][2] = {{AGN_F64, AGN_F64}, {AGN_F32, AGN_F32}, {AGN_F64, AGN_F32}};
    for (int kind = 0; kind < KINDS; kind++)
        for (int k = 0; k < COUNT(dtypes); k++) {
            agn_tensor *a = random_of(dtypes[k][0], 2, (int64_t[]){3, 2}, -1, 1);
            agn_tensor *b = random_of(dtypes[k][1], 0, NULL, -1, 1);
            agn_tensor *p[] = {laid_out(a, TRANSPOSED), b}, *y[2];
            uint64_t hash = hash_of(p[0]);
            agn_optim_options opts = {.size = sizeof opts, .rate = 0.05, .gradient_tol = 1e-4};
            agn_optim *o;
            must(agn_optim_new(&o, kind, (const agn_tensor *const *)p, 2, &opts));
            must(agn_optim_params(y, 2, o));
            ok(same_values(y[0], a) && same_values(y[1], b), "%s begins at the parameters, %s %s",
               names[kind], agn_dtype_name(dtypes[k][0]), agn_dtype_name(dtypes[k][1]));
            agn_release(y[0]);
            agn_release(y[1]);
            int32_t reason;
            must(agn_optim_minimise(&reason, o, f, NULL, 0, 2000, NULL, NULL));
            is_int(reason, AGN_OPTIM_GRADIENT, "and converges");
            must(agn_optim_params(y, 2, o));
            double most = fabs(peek(y[1], 0) - 0.5);
            for (int i = 0; i < 6; i++)
                most = fmax(most, fabs(peek(y[0], i) - 1));
            ok(most < 2e-4 && agn_dtype_of(y[0]) == dtypes[k][0] && agn_ndim(y[0]) == 2,
               "to the minimum (%.1e)", most);
            ok(hash_of(p[0]) == hash, "the caller's parameters are as before");
            agn_release(y[0]);
            agn_release(y[1]);
            agn_optim_release(o);
            agn_release(a);
            agn_release(p[0]);
            agn_release(b);
        }
    agn_fn_release(f);
}

static agn_status only_first(void *user, agn_scope *s, const agn_tensor *const *in,
                             const agn_tensor **out)
{
    (void)user;
    out[0] = ag_sum_all(s, ag_square(s, in[0]));
    return agn_scope_status(s);
}

static void test_zero_gradient(void)
{
    agn_fn *f = objective(only_first, 2, 2);
    for (int kind = 0; kind < KINDS; kind++) {
        agn_tensor *p[] = {start_of(AGN_F64, 3), start_of(AGN_F64, 2)}, *y[2];
        agn_optim *o;
        must(agn_optim_new(&o, kind, (const agn_tensor *const *)p, 2, NULL));
        int32_t reason;
        must(agn_optim_minimise(&reason, o, f, NULL, 0, 30, NULL, NULL));
        must(agn_optim_params(y, 2, o));
        ok(same_values(y[1], p[1]), "%s: a parameter without gradient stays", names[kind]);
        agn_release(y[0]);
        agn_release(y[1]);
        agn_optim_release(o);
        agn_release(p[0]);
        p[0] = of_reals(AGN_F64, 1, (int64_t[]){3}, (double[]){0, 0, 0});
        must(agn_optim_new(&o, kind, (const agn_tensor *const *)p, 2, NULL));
        must(agn_optim_minimise(&reason, o, f, NULL, 0, 30, NULL, NULL));
        ok(reason == AGN_OPTIM_GRADIENT && info_of(o).steps == 0, "at a minimum no step is made");
        agn_optim_release(o);
        agn_release(p[0]);
        agn_release(p[1]);
    }
    agn_fn_release(f);
}

/* ---- stops --------------------------------------------------------------------------------- */

static void test_not_finite(void)
{
    agn_fn *f = objective(barrier, 1, 1);
    for (int kind = 0; kind < KINDS; kind++) {
        agn_tensor *bad = of_reals(AGN_F64, 1, (int64_t[]){2}, (double[]){3, -1}), *y;
        agn_optim *o = optimiser(kind, NULL, bad);
        int32_t reason;
        must(agn_optim_minimise(&reason, o, f, NULL, 0, 10, NULL, NULL));
        is_int(reason, AGN_OPTIM_NOT_FINITE, "%s: a NaN objective stops", names[kind]);
        y = point_of(o);
        ok(same_values(y, bad) && info_of(o).steps == 0, "where it began");
        agn_release(y);
        agn_optim_release(o);
        agn_release(bad);
        if (kind == AGN_OPTIM_ADAM)
            continue;
        /* from 1e-3 the first trial of length 1 is fine, from 30 curvature leads below 0 */
        static const double from[] = {1e-3, 30, 1e5};
        for (int k = 0; k < COUNT(from); k++) {
            agn_tensor *x = of_reals(AGN_F64, 1, (int64_t[]){1}, &from[k]);
            o = optimiser(kind, NULL, x);
            must(agn_optim_minimise(&reason, o, f, NULL, 0, 200, NULL, NULL));
            ok(reason == AGN_OPTIM_GRADIENT && error_from(o, 1) < 1e-9,
               "%s: from %g, past trials that are not finite", names[kind], from[k]);
            agn_optim_release(o);
            agn_release(x);
        }
    }
    agn_fn_release(f);
}

/* value by hand, and the gradient that the user gives */
static agn_status given_gradient(void *user, agn_scope *s, const agn_tensor *const *in,
                                 const agn_tensor **out)
{
    out[0] = ag_sum_all(s, ag_square(s, in[0]));
    out[1] = ag_add(s, ag_mul_c(s, in[0], 0), user);
    return agn_scope_status(s);
}

/* NaN at any place of a gradient of any length is seen, whatever follows it */
static void test_gradient_not_finite(void)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY}, rest[] = {0, 1, 1e300};
    for (int kind = 0; kind < KINDS; kind++) {
        int missed = 0, moved = 0, cases = 0;
        for (int64_t n = 1; n <= 67; n = n < 3 ? n + 1 : n + 16)
            for (int k = 0; k < COUNT(bad) * COUNT(rest); k++)
                for (int64_t at = 0; at < n; at += n < 4 ? 1 : 11) {
                    double g[67];
                    for (int64_t i = 0; i < n; i++)
                        g[i] = i == at ? bad[k / COUNT(rest)] : rest[k % COUNT(rest)];
                    agn_tensor *x = start_of(AGN_F64, n), *y,
                               *slope = of_reals(AGN_F64, 1, &n, g);
                    agn_fn *f;
                    must(agn_fn_new(&f, given_gradient, slope, NULL, 1, 2));
                    agn_optim *o = optimiser(kind, NULL, x);
                    int32_t reason;
                    must(agn_optim_minimise(&reason, o, f, NULL, 0, 10, NULL, NULL));
                    y = point_of(o);
                    missed += reason != AGN_OPTIM_NOT_FINITE;
                    moved += !same_values(x, y) || info_of(o).steps != 0;
                    cases++;
                    agn_release(y);
                    agn_optim_release(o);
                    agn_fn_release(f);
                    agn_release(slope);
                    agn_release(x);
                }
        ok(!missed && !moved,
           "%s: of %d gradients with NaN or infinity %d were missed, and %d points moved",
           names[kind], cases, missed, moved);
    }
}

static void test_other_reasons(void)
{
    agn_fn *f = objective(rosenbrock, 1, 1), *wall = objective(barrier, 1, 1), *lie;
    agn_tensor *x = start_of(AGN_F64, 2), *three = scalar_of(AGN_F64, 3);
    double uphill = -2;
    must(agn_fn_new(&lie, downhill, &uphill, NULL, 1, 2));
    for (int kind = AGN_OPTIM_LBFGS; kind < KINDS; kind++) {
        int32_t reason;
        agn_optim *o = optimiser(kind, NULL, x);
        must(agn_optim_minimise(&reason, o, lie, NULL, 0, 50, NULL, NULL));
        agn_tensor *y = point_of(o);
        ok(reason == AGN_OPTIM_LINE_SEARCH && same_values(x, y),
           "%s: a wrong gradient ends in the line search, at the beginning", names[kind]);
        agn_release(y);
        agn_optim_release(o);

        agn_optim_options opts = {.size = sizeof opts, .gradient_tol = AGN_OPTIM_NONE,
                                  .value_tol = 1e-3};
        o = optimiser(kind, &opts, three);
        must(agn_optim_minimise(&reason, o, wall, NULL, 0, 500, NULL, NULL));
        is_int(reason, AGN_OPTIM_VALUE, "by the value");
        agn_optim_release(o);
        opts.value_tol = 0;
        opts.step_tol = 1e-3;
        o = optimiser(kind, &opts, x);
        must(agn_optim_minimise(&reason, o, f, NULL, 0, 500, NULL, NULL));
        is_int(reason, AGN_OPTIM_STEP, "by the step");
        agn_optim_release(o);
        opts.step_tol = 0;
        o = optimiser(kind, &opts, x);
        must(agn_optim_minimise(&reason, o, f, NULL, 0, 5000, NULL, NULL));
        ok(reason != AGN_OPTIM_MAX_STEPS && error_from(o, 1) < 1e-9,
           "without any tolerance it ends, too (reason %d)", reason);
        agn_optim_release(o);
        opts.idle_steps = -1;
        o = optimiser(kind, &opts, x);
        must(agn_optim_minimise(&reason, o, f, NULL, 0, 5000, NULL, NULL));
        ok(reason != AGN_OPTIM_VALUE && error_from(o, 1) < 1e-9,
           "and not by idle steps where these do not count (reason %d)", reason);
        agn_optim_release(o);
        opts.idle_steps = 0;
        o = optimiser(kind, &opts, x);
        must(agn_optim_minimise(&reason, o, f, NULL, 0, 5, NULL, NULL));
        ok(reason == AGN_OPTIM_MAX_STEPS && info_of(o).steps == 5, "after 5 steps");
        must(agn_optim_minimise(&reason, o, f, NULL, 0, 0, NULL, NULL));
        ok(reason == AGN_OPTIM_MAX_STEPS && info_of(o).steps == 5, "after none");
        agn_optim_release(o);
    }
    agn_fn_release(lie);
    agn_fn_release(wall);
    agn_fn_release(f);
    agn_release(three);
    agn_release(x);
}

/* ---- interruption ------------------------------------------------------------------------------ */

static bool stop_at(void *user, agn_optim *o, double value)
{
    int *left = user;
    agn_tensor *x, *y;
    must(agn_optim_params(&x, 1, o));
    must(agn_optim_state_get(&y, o));
    agn_release(x);
    agn_release(y);
    return isfinite(value) && --*left > 0;
}
static bool interrupt(void *user)
{
    int *left = user;
    return --*left < 0;
}

static void test_cancel(void)
{
    agn_fn *f = objective(rosenbrock, 1, 1);
    agn_tensor *x = start_of(AGN_F64, 4);
    for (int kind = 0; kind < KINDS; kind++) {
        agn_optim *o = optimiser(kind, NULL, x), *all = optimiser(kind, NULL, x);
        int32_t reason;
        int left = 7;
        must(agn_optim_minimise(&reason, o, f, NULL, 0, 100, stop_at, &left));
        ok(reason == AGN_OPTIM_CANCELLED && info_of(o).steps == 7, "%s: cancelled by the callback",
           names[kind]);
        must(agn_optim_minimise(&reason, o, f, NULL, 0, 13, NULL, NULL));
        must(agn_optim_minimise(&reason, all, f, NULL, 0, 20, NULL, NULL));
        ok(same_state(o, all), "and gone on with the same bits");
        agn_optim_release(o);

        /* at every place where the host is asked */
        tally t = {0, 0};
        for (int n = 0; n < 40; n++) {
            o = optimiser(kind, NULL, x);
            left = n;
            agn_hooks hooks = {.size = sizeof hooks, .user = &left, .interrupt = interrupt};
            must(agn_hooks_set(&hooks));
            must(agn_optim_minimise(&reason, o, f, NULL, 0, 20, NULL, NULL));
            must(agn_hooks_set(NULL));
            check(&t, reason == (left < 0 ? AGN_OPTIM_CANCELLED : AGN_OPTIM_MAX_STEPS),
                  "reason %d", reason);
            int64_t rest = 20 - info_of(o).steps;
            must(agn_optim_minimise(&reason, o, f, NULL, 0, rest, NULL, NULL));
            agn_tensor *a = point_of(o), *b = point_of(all);
            check(&t, same_values(a, b), "interrupted at question %d", n);
            agn_release(a);
            agn_release(b);
            agn_optim_release(o);
        }
        tell(&t, "interrupted anywhere by the host");
        agn_optim_release(all);
    }
    agn_release(x);
    agn_fn_release(f);
}

static void test_resume(void)
{
    agn_fn *f = objective(rosenbrock, 1, 1);
    for (int dtype = AGN_F32; dtype <= AGN_F64; dtype++)
        for (int kind = 0; kind < KINDS; kind++) {
            agn_tensor *x = start_of(dtype, 5), *other = random_of(dtype, 1, (int64_t[]){5}, 0, 1);
            agn_optim_options opts = {.size = sizeof opts, .history = 4, .rate = 0.02};
            agn_optim *all = optimiser(kind, &opts, x);
            tally t = {0, 0};
            agn_tensor *saved[20];
            for (int k = 0; k < 20; k++) {
                must(agn_optim_state_get(&saved[k], all));
                if (k == 10)
                    must(agn_optim_rate_set(all, 0.01));
                must(agn_optim_step(NULL, NULL, all, f, NULL, 0));
            }
            for (int k = 0; k < 20; k++) {
                agn_optim *o = optimiser(kind, &opts, other);
                if (k % 2) /* into one that was elsewhere */
                    must(agn_optim_step(NULL, NULL, o, f, NULL, 0));
                must(agn_optim_state_set(o, saved[k]));
                for (int i = k; i < 20; i++) {
                    if (i == 10)
                        must(agn_optim_rate_set(o, 0.01));
                    must(agn_optim_step(NULL, NULL, o, f, NULL, 0));
                }
                check(&t, same_state(o, all), "taken up after %d of 20 steps", k);
                agn_optim_release(o);
            }
            tell(&t, "%s, %s: taken up anywhere, the same bits", names[kind],
                 agn_dtype_name(dtype));
            for (int k = 0; k < 20; k++)
                agn_release(saved[k]);
            agn_optim_release(all);
            agn_release(x);
            agn_release(other);
        }
    agn_fn_release(f);
}

static void test_threads(void)
{
    agn_fn *f = objective(rosenbrock, 1, 1);
    static const struct {
        int kind;
        int64_t n;
    } cases[] = {{AGN_OPTIM_SSBROYDEN, 300}, {AGN_OPTIM_BFGS, 257}, {AGN_OPTIM_LBFGS, 40000}};
    for (int k = 0; k < COUNT(cases); k++) {
        agn_tensor *x = start_of(AGN_F64, cases[k].n), *state[3];
        for (int i = 0; i < 3; i++) {
            must(agn_threads_set(i == 0 ? 1 : i == 1 ? 2 : 7));
            agn_optim *o = optimiser(cases[k].kind, NULL, x);
            must(agn_optim_minimise(NULL, o, f, NULL, 0, 12, NULL, NULL));
            must(agn_optim_state_get(&state[i], o));
            agn_optim_release(o);
        }
        ok(same_values(state[0], state[1]) && same_values(state[0], state[2]),
           "%s of %d: the same bits with 1, 2 and 7 threads", names[cases[k].kind],
           (int)cases[k].n);
        for (int i = 0; i < 3; i++)
            agn_release(state[i]);
        agn_release(x);
    }
    must(agn_threads_set(0));
    agn_fn_release(f);
}

/* ---- other data between steps --------------------------------------------------------------------- */

static void test_new_data(void)
{
    double a[4] = {4, 1, 1, 3}, b[2] = {1, 2}, c[2] = {-3, 5}, zero[2] = {0};
    agn_tensor *A = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, a);
    agn_tensor *B = of_reals(AGN_F64, 1, (int64_t[]){2}, b);
    agn_tensor *C = of_reals(AGN_F64, 1, (int64_t[]){2}, c);
    agn_tensor *x = of_reals(AGN_F64, 1, (int64_t[]){2}, zero);
    agn_fn *f = objective(quadratic, 3, 1);
    for (int kind = AGN_OPTIM_LBFGS; kind < KINDS; kind++) {
        agn_optim *o = optimiser(kind, NULL, x);
        int32_t reason;
        must(agn_optim_minimise(&reason, o, f, (const agn_tensor *[]){A, B}, 2, 100, NULL, NULL));
        agn_tensor *y = point_of(o);
        near(peek(y, 0), 1 / 11.0, 1e-9, "%s: minimum of the first data", names[kind]);
        agn_release(y);
        must(agn_optim_minimise(&reason, o, f, (const agn_tensor *[]){A, C}, 2, 100, NULL, NULL));
        y = point_of(o);
        near(peek(y, 0), -14 / 11.0, 1e-9, "then of others");
        agn_release(y);
        /* the same tensor, written */
        void *data;
        must(agn_data_mut(&data, C));
        memcpy(data, b, sizeof b);
        must(agn_optim_minimise(&reason, o, f, (const agn_tensor *[]){A, C}, 2, 100, NULL, NULL));
        y = point_of(o);
        near(peek(y, 0), 1 / 11.0, 1e-9, "then of the same tensor with other numbers");
        agn_release(y);
        must(agn_data_mut(&data, C));
        memcpy(data, c, sizeof c);
        agn_optim_release(o);
    }
    agn_fn_release(f);
    agn_release(A);
    agn_release(B);
    agn_release(C);
    agn_release(x);
}

/* ---- compiled objectives ---------------------------------------------------------------------------- */

static void test_compiled(void)
{
    agn_fn *f = objective(rosenbrock, 1, 1), *fast;
    must(agn_fn_compile(&fast, f, NULL));
    agn_tensor *x = start_of(AGN_F64, 30);
    for (int kind = 0; kind < KINDS; kind++) {
        agn_optim *o = optimiser(kind, NULL, x), *p = optimiser(kind, NULL, x);
        int64_t allocations = 0;
        double most = 0;
        for (int i = 0; i < 15; i++) {
            must(agn_optim_step(NULL, NULL, o, f, NULL, 0));
            int64_t before = agn_memory_count();
            must(agn_optim_step(NULL, NULL, p, fast, NULL, 0));
            if (i > 2)
                allocations += agn_memory_count() - before;
            agn_tensor *a = point_of(o), *b = point_of(p);
            for (int j = 0; j < 30; j++)
                most = fmax(most, fabs(peek(a, j) - peek(b, j)));
            agn_release(a);
            agn_release(b);
        }
        ok(most < 1e-8, "%s: a compiled objective leads the same way (%.1e)", names[kind], most);
        is_int(allocations, 0, "allocations in 12 steps");
        agn_optim_release(o);
        agn_optim_release(p);
    }
    agn_release(x);
    agn_fn_release(f);
    agn_fn_release(fast);
}

/* ---- how they end -------------------------------------------------------------------------- */

/* a least-squares fit whose residuals cancel: its value is rounded far above its last digit */
static agn_status fit_of_waves(void *user, agn_scope *s, const agn_tensor *const *in,
                               const agn_tensor **out)
{
    (void)user;
    const agn_tensor *model = ag_matmul(s, in[1], ag_sin(s, in[0]));
    out[0] = ag_mean_all(s, ag_square(s, ag_sub(s, ag_add_c(s, model, 1e3), in[2])));
    return agn_scope_status(s);
}
/* gradients that are not those of the value: scaled, turned, one term of two */
static agn_status lying(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const int *how = user;
    static const int64_t shape[] = {3};
    const agn_tensor *up = ag_square(s, in[0]), *tilt = ag_arange(s, AGN_F64, 1, 4, 1);
    tilt = ag_reshape(s, tilt, 1, shape);
    out[0] = ag_add(s, ag_sum_all(s, up), *how == 2 ? ag_mul_c(s, ag_sum_all(s, ag_mul(s, tilt, in[0])), -3)
                                                    : ag_sum_all(s, ag_square(s, up)));
    const agn_tensor *g = ag_add(s, ag_mul_c(s, in[0], 2), ag_mul_c(s, ag_mul(s, up, in[0]), 4));
    out[1] = *how == 0   ? ag_neg(s, g)
             : *how == 1 ? ag_roll(s, g, (const int64_t[]){1}, (const int32_t[]){0}, 1)
                         : ag_add(s, ag_mul_c(s, in[0], 2), ag_mul_c(s, tilt, 8));
    return agn_scope_status(s);
}

static void test_ends(void)
{
    static const char *const words[] = {"running", "gradient", "step", "value", "max steps", "line search",
                                        "not finite", "cancelled"};
    for (int i = 0; i < COUNT(words); i++)
        is_str(agn_optim_reason_name(i), words[i], "the name of reason %d", i);
    is_str(agn_optim_reason_name(-1), "unknown reason", "and of -1");
    is_str(agn_optim_reason_name(COUNT(words)), "unknown reason", "and of one too many");

    /* without tolerance every run ends at rounding, and none is called a failed search */
    agn_optim_options exact = {.size = sizeof exact, .gradient_tol = AGN_OPTIM_NONE};
    enum { ROWS = 40, COLUMNS = 6 };
    double a[ROWS * COLUMNS], b[ROWS];
    for (int i = 0; i < ROWS; i++) {
        b[i] = 1e3;
        for (int j = 0; j < COLUMNS; j++) {
            a[i * COLUMNS + j] = cos(0.1 * (i + 1) * (j + 1)) / (1 + j * j);
            b[i] += a[i * COLUMNS + j] * sin(0.3 * j - 0.5);
        }
    }
    agn_tensor *data[2] = {of_reals(AGN_F64, 2, (int64_t[]){ROWS, COLUMNS}, a),
                           of_reals(AGN_F64, 1, (int64_t[]){ROWS}, b)};
    agn_fn *fit = objective(fit_of_waves, 3, 1), *valley = objective(rosenbrock, 1, 1),
           *wall = objective(barrier, 1, 1);
    for (int kind = AGN_OPTIM_LBFGS; kind < KINDS; kind++)
        for (int problem = 0; problem < 3; problem++)
            for (int dtype = AGN_F32; dtype <= AGN_F64; dtype += AGN_F64 - AGN_F32) {
                agn_tensor *x = problem == 2 ? NULL : start_of(dtype, problem ? 4 : COLUMNS);
                if (problem == 2)
                    must(agn_full(&x, dtype, 1, (int64_t[]){5}, 3));
                agn_optim *o = optimiser(kind, &exact, x);
                int32_t reason;
                must(agn_optim_minimise(&reason, o, problem == 0 ? fit : problem == 1 ? valley : wall,
                                        (const agn_tensor *const *)data, problem ? 0 : 2, 20000, NULL, NULL));
                agn_optim_info end = info_of(o);
                ok(reason == AGN_OPTIM_VALUE || (reason == AGN_OPTIM_GRADIENT && end.gradient == 0), "%s, problem %d, %s: ends as \"%s\" at %g, gradient %g, step %d",
                   names[kind], problem, agn_dtype_name(dtype), agn_optim_reason_name(reason), end.value,
                   end.gradient, (int)end.steps);
                agn_optim_release(o);
                agn_release(x);
            }
    for (int how = 0; how < 3; how++) {
        agn_fn *lie = NULL;
        agn_tensor *x = of_reals(AGN_F64, 1, (int64_t[]){3}, (double[]){1, -2, 0.5});
        must(agn_fn_new(&lie, lying, &how, NULL, 1, 2));
        for (int kind = AGN_OPTIM_LBFGS; kind < KINDS; kind++) {
            int32_t reason;
            agn_optim *o = optimiser(kind, NULL, x);
            must(agn_optim_minimise(&reason, o, lie, NULL, 0, 500, NULL, NULL));
            ok(reason == AGN_OPTIM_LINE_SEARCH, "%s: wrong gradient %d ends as \"%s\"", names[kind], how,
               agn_optim_reason_name(reason));
            agn_optim_release(o);
        }
        agn_fn_release(lie);
        agn_release(x);
    }
    agn_release(data[0]), agn_release(data[1]);
    agn_fn_release(fit), agn_fn_release(valley), agn_fn_release(wall);
}

static void test_one_call(void)
{
    agn_tensor *x = of_reals(AGN_F32, 2, (int64_t[]){2, 2}, (double[]){3, -1, 0, 2}),
               *y = of_reals(AGN_F64, 1, (int64_t[]){3}, (double[]){4, 4, 4}), *got[2] = {NULL, NULL};
    agn_fn *f = NULL, *q = NULL, *bad = NULL;
    must(agn_fn_new(&f, bowl, NULL, NULL, 2, 1));
    must(agn_fn_new(&q, quadratic, NULL, NULL, 3, 1));
    for (int kind = 0; kind < KINDS; kind++) {
        double value = 0;
        int32_t reason = -1;
        agn_optim_options o = {.size = sizeof o, .rate = 0.05};
        must(agn_fn_minimise(got, 2, &value, &reason, f, AGN_ARGS(x, y), kind, 2000, kind ? NULL : &o));
        double most = fabs(value - 4);
        for (int i = 0; i < 4; i++)
            most = fmax(most, fabs(peek(got[0], i) - 1));
        for (int i = 0; i < 3; i++)
            most = fmax(most, fabs(peek(got[1], i) - 0.5));
        ok(most < 2e-3 && agn_dtype_of(got[0]) == AGN_F32 && agn_ndim(got[0]) == 2 &&
               agn_dtype_of(got[1]) == AGN_F64 && reason > 0 && reason != AGN_OPTIM_LINE_SEARCH,
           "%s by one call: %g from the minimum, \"%s\"", names[kind], most, agn_optim_reason_name(reason));
        agn_release(got[0]), agn_release(got[1]);
    }
    agn_tensor *a = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){2, 1, 1, 3}),
               *b = of_reals(AGN_F64, 1, (int64_t[]){2}, (double[]){1, 2}), *at = start_of(AGN_F64, 2);
    must(agn_fn_minimise(got, 1, NULL, NULL, q, AGN_ARGS(at, a, b), AGN_OPTIM_BFGS, 50, NULL));
    ok(fabs(peek(got[0], 0) - 0.2) < 1e-9 && fabs(peek(got[0], 1) - 0.6) < 1e-9, "constants come behind");
    agn_release(got[0]);
    must(agn_fn_minimise(got, 1, NULL, NULL, q, AGN_ARGS(at, a, b), AGN_OPTIM_BFGS, 0, NULL));
    ok(same_values(got[0], at), "no steps");
    agn_release(got[0]);

    int32_t reason = 77;
    double value = 77;
    got[0] = got[1] = untouched;
#define NOT(call, want, part)                                                                         \
    ok((call) == want && strstr(agn_error_message(), part) && got[0] == untouched && reason == 77 &&  \
           value == 77,                                                                               \
       "fn_minimise: %s", agn_error_message())
    NOT(agn_fn_minimise(NULL, 2, &value, &reason, f, AGN_ARGS(x, y), 1, 9, NULL), AGN_ENULL, "out is NULL");
    NOT(agn_fn_minimise(got, 2, &value, &reason, NULL, AGN_ARGS(x, y), 1, 9, NULL), AGN_ENULL, "f is NULL");
    NOT(agn_fn_minimise(got, 2, &value, &reason, f, NULL, 2, 1, 9, NULL), AGN_ENULL, "in is NULL");
    NOT(agn_fn_minimise(got, 2, &value, &reason, f, AGN_ARGS(x, NULL), 1, 9, NULL), AGN_ENULL, "optim_new");
    NOT(agn_fn_minimise(got, 1, &value, &reason, f, AGN_ARGS(x), 1, 9, NULL), AGN_EARG, "the function has 2");
    NOT(agn_fn_minimise(got, 0, &value, &reason, f, AGN_ARGS(x, y), 1, 9, NULL), AGN_EARG, "0 parameters");
    NOT(agn_fn_minimise(got, 3, &value, &reason, f, AGN_ARGS(x, y), 1, 9, NULL), AGN_EARG, "3 parameters");
    NOT(agn_fn_minimise(got, 2, &value, &reason, f, AGN_ARGS(x, y), 99, 9, NULL), AGN_EARG, "no method 99");
    NOT(agn_fn_minimise(got, 2, &value, &reason, f, AGN_ARGS(x, y), 1, -1, NULL), AGN_EARG, "-1 steps");
    NOT(agn_fn_minimise(got, 2, &value, &reason, f, AGN_ARGS(x, y), 1, 9, &(agn_optim_options){.size = 3}),
        AGN_EARG, "unknown size");
    agn_tensor *whole = of_reals(AGN_I64, 1, (int64_t[]){3}, (double[]){1, 2, 3});
    NOT(agn_fn_minimise(got, 2, &value, &reason, f, AGN_ARGS(x, whole), 1, 9, NULL), AGN_EDTYPE, "i64");
    must(agn_fn_new(&bad, barrier, NULL, NULL, 1, 1));
    got[0] = NULL;
    for (int64_t n = 0;; n++) {
        agn_memory_fail_after(n);
        agn_status st = agn_fn_minimise(got, 1, NULL, NULL, bad, AGN_ARGS(y), AGN_OPTIM_LBFGS, 3, NULL);
        agn_memory_fail_after(-1);
        if (!st || st != AGN_ENOMEM || got[0]) {
            ok(!st && n > 20, "each of %" PRId64 " allocations failed in turn", n);
            break;
        }
    }
    agn_release(got[0]), agn_release(whole), agn_release(a), agn_release(b), agn_release(at);
    agn_release(x), agn_release(y);
    agn_fn_release(f), agn_fn_release(q), agn_fn_release(bad);
}

int main(void)
{
    test_ends();
    test_one_call();
    test_rosenbrock();
    test_quadratic();
    test_family();
    test_given_hessian();
    test_adam();
    test_dtypes();
    test_zero_gradient();
    test_not_finite();
    test_gradient_not_finite();
    test_other_reasons();
    test_cancel();
    test_resume();
    test_threads();
    test_new_data();
    test_compiled();
    return done();
}
