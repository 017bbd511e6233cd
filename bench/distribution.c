/* bench/distribution.c - random numbers, log densities, divergences and their gradients, steps of
   Hamiltonian dynamics and a posterior by NUTS. Definitions: the peers' list of workloads. */
#include "bench.h"
#include "matrices.h"

#include <agnesi/infer.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef const agn_tensor *T;
enum { MILLION = 1000000 };

/* ---- random numbers: 1 where the mean of x, and of x^2, is within five of its errors ------- */

typedef struct sampler sampler;
typedef agn_status draw(agn_tensor **out, const sampler *p, T key);
struct sampler {
    draw *f;
    int64_t n;
    agn_dtype dtype;
    double mean, square; /* of a number, exact */
    agn_tensor *a, *b;
    agn_distribution *d;
    agn_generator *g;
    agn_tensor *y;
};

static void sampler_call(void *user)
{
    sampler *p = user;
    agn_tensor *key = NULL;
    agn_release(p->y);
    p->y = NULL;
    TRY(agn_key(&key, p->g));
    TRY(p->f(&p->y, p, key));
    agn_release(key);
}
static double is_near(const double *v, int64_t n, int64_t dim, double exact, bool squares)
{
    double mean = 0, square = 0;
    for (int64_t i = 0; i < n; i++) {
        double u = 0;
        for (int64_t k = 0; k < dim; k++) {
            double x = v[i * dim + k];
            u += (squares ? x * x : x) / (double)dim;
        }
        mean += u / (double)n;
        square += u * u / (double)n;
    }
    double error = sqrt(fmax(square - mean * mean, 0) / (double)n);
    return fabs(mean - exact) <= 5 * error + 1e-9 * fabs(exact);
}
static int sampler_check(void *user, double *value)
{
    const sampler *p = user;
    agn_tensor *x = bench_f64(p->y);
    const int64_t n = agn_shape(x)[0], dim = agn_numel(x) / n;
    const double *v = agn_data(x);
    bool one = n == MILLION && p->mean > 4e5; /* a permutation: one draw */
    value[0] = is_near(v, one ? 1 : n, one ? n : dim, p->mean, false);
    value[1] = is_near(v, one ? 1 : n, one ? n : dim, p->square, true);
    agn_release(x);
    return 2;
}

static agn_status draw_uniform(agn_tensor **out, const sampler *p, T key)
{
    return agn_uniform(out, key, p->dtype, 1, &p->n);
}
static agn_status draw_normal(agn_tensor **out, const sampler *p, T key)
{
    return agn_normal(out, key, p->dtype, 1, &p->n);
}
static agn_status draw_exponential(agn_tensor **out, const sampler *p, T key)
{
    return agn_exponential(out, key, p->dtype, 1, &p->n);
}
static agn_status draw_gamma(agn_tensor **out, const sampler *p, T key)
{
    return agn_random_gamma(out, key, p->a, 1, &p->n);
}
static agn_status draw_beta(agn_tensor **out, const sampler *p, T key)
{
    return agn_random_beta(out, key, p->a, p->b, 1, &p->n);
}
static agn_status draw_poisson(agn_tensor **out, const sampler *p, T key)
{
    return agn_random_poisson(out, key, p->a, AGN_I64, 1, &p->n);
}
static agn_status draw_binomial(agn_tensor **out, const sampler *p, T key)
{
    agn_tensor *trials = NULL;
    agn_status st = agn_cast(&trials, p->a, AGN_I64);
    st = st ? st : agn_random_binomial(out, key, trials, p->b, AGN_I64, 1, &p->n);
    agn_release(trials);
    return st;
}
static agn_status draw_categorical(agn_tensor **out, const sampler *p, T key)
{
    return agn_random_multinomial(out, key, p->a, p->n, true);
}
static agn_status draw_permutation(agn_tensor **out, const sampler *p, T key)
{
    return agn_random_permutation(out, key, p->n);
}
static agn_status draw_law(agn_tensor **out, const sampler *p, T key)
{
    return agn_distribution_sample(out, p->d, key, 1, &p->n);
}
/* the covariance is factored in the call */
static agn_status draw_mvn(agn_tensor **out, const sampler *p, T key)
{
    agn_distribution *d = NULL;
    agn_status st = agn_distribution_multivariate_normal_covariance(&d, p->a, p->b, NULL);
    st = st ? st : agn_distribution_sample(out, d, key, 1, &p->n);
    agn_distribution_release(d);
    return st;
}

static agn_tensor *number(double v)
{
    double *p = malloc(sizeof *p);
    if (!p)
        bench_die("memory");
    *p = v;
    return bench_tensor_of(p, AGN_F64, 0, NULL);
}
static void measure_sampler(const char *id, sampler p)
{
    if (bench_asked(id)) {
        TRY(agn_generator_new(&p.g, 1));
        bench_measure(id, &(bench_work){.call = sampler_call, .check = sampler_check, .user = &p});
        agn_generator_release(p.g);
        agn_release(p.y);
    }
    agn_release(p.a);
    agn_release(p.b);
    agn_distribution_release(p.d);
}
static agn_tensor *mixed(int64_t n, double lo, double hi, int salt)
{
    return bench_tensor_of(bench_mix_of(n, lo, hi, salt), AGN_F64, 1, &n);
}

static void bench_samples(void)
{
    const int64_t ten = 10 * MILLION, n = MILLION;
    for (int f32 = 0; f32 < 2; f32++) {
        agn_dtype t = f32 ? AGN_F32 : AGN_F64;
        measure_sampler(
            f32 ? "distribution/sample-uniform/1e7/f32" : "distribution/sample-uniform/1e7/f64",
            (sampler){.f = draw_uniform, .n = ten, .dtype = t, .mean = 0.5, .square = 1.0 / 3});
        measure_sampler(f32 ? "distribution/sample-normal/1e7/f32"
                            : "distribution/sample-normal/1e7/f64",
                        (sampler){.f = draw_normal, .n = ten, .dtype = t, .mean = 0, .square = 1});
    }
    measure_sampler(
        "distribution/sample-exponential/1e6/f64",
        (sampler){.f = draw_exponential, .n = n, .dtype = AGN_F64, .mean = 1, .square = 2});
    static const double shape[] = {0.3, 3}, rate[] = {0.5, 50};
    for (int k = 0; k < 2; k++) {
        double a = shape[k], r = rate[k];
        char id[64];
        snprintf(id, sizeof id, "distribution/sample-gamma-%g/1e6/f64", a);
        measure_sampler(
            id,
            (sampler){.f = draw_gamma, .n = n, .a = number(a), .mean = a, .square = a * (a + 1)});
        snprintf(id, sizeof id, "distribution/sample-poisson-%g/1e6/i64", r);
        measure_sampler(
            id,
            (sampler){.f = draw_poisson, .n = n, .a = number(r), .mean = r, .square = r * (r + 1)});
    }
    measure_sampler("distribution/sample-beta-0.5-2/1e6/f64",
                    (sampler){.f = draw_beta,
                              .n = n,
                              .a = number(0.5),
                              .b = number(2),
                              .mean = 0.2,
                              .square = 0.5 * 1.5 / (2.5 * 3.5)});
    measure_sampler("distribution/sample-binomial-100-0.3/1e6/i64", (sampler){.f = draw_binomial,
                                                                              .n = n,
                                                                              .a = number(100),
                                                                              .b = number(0.3),
                                                                              .mean = 30,
                                                                              .square = 921});
    if (bench_asked("distribution/sample-categorical-1000/1e5/i64")) {
        enum { CLASSES = 1000 };
        double *w = bench_mix_of(CLASSES, 0.1, 1, 0), sum = 0, m = 0, square = 0;
        for (int i = 0; i < CLASSES; i++) {
            sum += w[i];
            m += w[i] * i;
            square += w[i] * i * i;
        }
        measure_sampler("distribution/sample-categorical-1000/1e5/i64",
                        (sampler){.f = draw_categorical,
                                  .n = 100000,
                                  .a = bench_tensor_of(w, AGN_F64, 1, (int64_t[]){CLASSES}),
                                  .mean = m / sum,
                                  .square = square / sum});
    }
    if (bench_asked("distribution/sample-dirichlet-10/1e5/f64")) {
        double *al = bench_mix_of(10, 0.5, 3, 0), sum = 0, square = 0;
        for (int i = 0; i < 10; i++)
            sum += al[i];
        for (int i = 0; i < 10; i++)
            square += al[i] * (al[i] + 1) / (10 * sum * (sum + 1));
        agn_tensor *a = bench_tensor_of(al, AGN_F64, 1, (int64_t[]){10});
        sampler p = {.f = draw_law, .n = 100000, .mean = 0.1, .square = square};
        TRY(agn_distribution_dirichlet(&p.d, a, NULL));
        agn_release(a);
        measure_sampler("distribution/sample-dirichlet-10/1e5/f64", p);
    }
    if (bench_asked("distribution/sample-mvn-100/1e4/f64")) {
        enum { D = 100 };
        double *g = bench_mix_of(D * D, -1, 1, 0), *c = malloc(D * D * sizeof *c),
               *m = bench_mix_of(D, -1, 1, 3);
        double mean = 0, square = 0;
        if (!c)
            bench_die("memory");
        for (int i = 0; i < D; i++) {
            for (int j = 0; j < D; j++) {
                double u = i == j;
                for (int k = 0; k < D; k++)
                    u += g[i * D + k] * g[j * D + k] / D;
                c[i * D + j] = u;
            }
            mean += m[i] / D;
            square += (c[i * D + i] + m[i] * m[i]) / D;
        }
        free(g);
        measure_sampler("distribution/sample-mvn-100/1e4/f64",
                        (sampler){.f = draw_mvn,
                                  .n = 10000,
                                  .a = bench_tensor_of(m, AGN_F64, 1, (int64_t[]){D}),
                                  .b = bench_tensor_of(c, AGN_F64, 2, (int64_t[]){D, D}),
                                  .mean = mean,
                                  .square = square});
    }
    measure_sampler(
        "distribution/permutation/1e6/i64",
        (sampler){
            .f = draw_permutation, .n = n, .mean = 499999.5, .square = 999999.0 * 1999999 / 6});
}

/* ---- densities and divergences, and gradients in parameters -------------------------------- */

typedef struct function {
    agn_fn *f;
    agn_tensor *in[5], *y[6];
    int n, n_out;
} function;
static void function_call(void *user)
{
    function *p = user;
    for (int i = 0; i < p->n_out; i++) {
        agn_release(p->y[i]);
        p->y[i] = NULL;
    }
    TRY(agn_fn_call(p->y, p->n_out, p->f, (T const *)p->in, p->n));
}
static double magnitude(const agn_tensor *x)
{
    agn_tensor *y = bench_f64(x);
    const double *v = agn_data(y);
    double sum = 0;
    for (int64_t i = 0; i < agn_numel(y); i++)
        sum += fabs(v[i]);
    agn_release(y);
    return sum;
}
static int function_check(void *user, double *value)
{
    const function *p = user;
    TRY(agn_item_f64(&value[0], p->y[0]));
    for (int i = 1; i < p->n_out; i++)
        value[i] = magnitude(p->y[i]);
    return p->n_out;
}
/* f of the n tensors of in, which are taken; gradients in those from first on */
static void measure_function(const char *id, agn_body *body, void *user, agn_tensor *const *in,
                             int n, int first)
{
    function p = {.n = n, .n_out = 1 + n - first};
    agn_fn *f = NULL, *slope = NULL;
    for (int i = 0; i < n; i++)
        p.in[i] = in[i];
    if (bench_asked(id)) {
        int32_t wrt[5];
        for (int i = first; i < n; i++)
            wrt[i - first] = i;
        TRY(agn_fn_new(&f, body, user, NULL, n, 1));
        if (first < n)
            TRY(agn_fn_value_and_grad(&slope, f, wrt, n - first));
        TRY(agn_fn_compile(&p.f, slope ? slope : f, NULL));
        bench_measure(id,
                      &(bench_work){.call = function_call, .check = function_check, .user = &p});
        bench_explained(p.f);
        agn_fn_release(f);
        agn_fn_release(slope);
        agn_fn_release(p.f);
        for (int i = 0; i < p.n_out; i++)
            agn_release(p.y[i]);
    }
    for (int i = 0; i < n; i++)
        agn_release(p.in[i]);
}

enum { NORMAL, GAMMA, STUDENT };
static agn_status density(void *user, agn_scope *s, T const *in, T *out)
{
    int law = *(const int *)user;
    agn_distribution_options o = {.size = sizeof o, .unchecked = true};
    const agn_distribution *d = law == NORMAL ? ag_distribution_normal(s, in[1], in[2], &o)
                                : law == GAMMA
                                    ? ag_distribution_gamma(s, in[1], in[2], &o)
                                    : ag_distribution_student_t(s, in[1], in[2], in[3], &o);
    out[0] = ag_sum_all(s, ag_distribution_log_prob(s, d, in[0]));
    return agn_scope_status(s);
}
static agn_status divergence(void *user, agn_scope *s, T const *in, T *out)
{
    int law = *(const int *)user;
    agn_distribution_options o = {.size = sizeof o, .unchecked = true};
    const agn_distribution *p = law == NORMAL ? ag_distribution_normal(s, in[0], in[1], &o)
                                              : ag_distribution_gamma(s, in[0], in[1], &o);
    const agn_distribution *q = law == NORMAL ? ag_distribution_normal(s, in[2], in[3], &o)
                                              : ag_distribution_gamma(s, in[2], in[3], &o);
    out[0] = ag_sum_all(s, ag_distribution_kl(s, p, q));
    return agn_scope_status(s);
}
static agn_status gamma_numbers(void *user, agn_scope *s, T const *in, T *out)
{
    T z = ag_random_gamma(s, user, in[0], 1, (const int64_t[]){MILLION});
    out[0] = ag_sum_all(s, z);
    return agn_scope_status(s);
}
static int gamma_check(void *user, double *value)
{
    const function *p = user;
    agn_tensor *g = bench_f64(p->y[1]);
    double sum = 0, alpha = magnitude(p->in[0]);
    TRY(agn_item_f64(&sum, p->y[0]));
    value[0] = fabs(sum - alpha) <= 5 * sqrt(alpha);
    value[1] = is_near(agn_data(g), agn_numel(g), 1, 1, false);
    agn_release(g);
    return 2;
}

static void bench_densities(void)
{
    static const char *const names[] = {"normal", "gamma", "student-t"};
    const int64_t n = MILLION;
    for (int law = 0; law < 3; law++)
        for (int slope = 0; slope < 2; slope++) {
            char id[64];
            snprintf(id, sizeof id, "distribution/%slog-prob-%s/1e6/f64", slope ? "grad-" : "",
                     names[law]);
            if (!bench_asked(id))
                continue;
            agn_tensor *in[4];
            int k = 0;
            in[k++] = law == GAMMA ? mixed(n, 0.1, 5, 0) : mixed(n, -3, 3, 0);
            if (law == STUDENT)
                in[k++] = mixed(n, 2, 10, 3);
            in[k++] = law == GAMMA ? mixed(n, 0.3, 4, 1) : mixed(n, -1, 1, 1);
            in[k++] = mixed(n, 0.5, 2, 2);
            measure_function(id, density, &law, in, k, slope ? 1 : k);
        }
    int law = NORMAL;
    if (bench_asked("distribution/grad-log-prob-normal-scalar/1e6/f64")) {
        agn_tensor *in[] = {mixed(n, -3, 3, 0), number(0.1), number(1.5)};
        measure_function("distribution/grad-log-prob-normal-scalar/1e6/f64", density, &law, in, 3,
                         1);
    }
    for (law = 0; law < 2; law++) {
        const char *id = law ? "distribution/grad-kl-gamma/1e6/f64"
                             : "distribution/grad-kl-normal/1e6/f64";
        if (!bench_asked(id))
            continue;
        double lo = law ? 0.3 : -1, hi = law ? 4 : 1;
        agn_tensor *in[] = {mixed(n, lo, hi, 1), mixed(n, 0.5, 2, 2), mixed(n, lo, hi, 3),
                            mixed(n, 0.5, 2, 4)};
        measure_function(id, divergence, &law, in, 4, 0);
    }
    const char *id = "distribution/grad-rsample-gamma/1e6/f64";
    if (bench_asked(id)) {
        function p = {.n = 1, .n_out = 2, .in = {mixed(n, 0.5, 5, 1)}};
        agn_generator *g = NULL;
        agn_tensor *key = NULL;
        agn_fn *f = NULL, *slope = NULL;
        TRY(agn_generator_new(&g, 1));
        TRY(agn_key(&key, g));
        TRY(agn_fn_new(&f, gamma_numbers, key, NULL, 1, 1));
        TRY(agn_fn_value_and_grad(&slope, f, (int32_t[]){0}, 1));
        TRY(agn_fn_compile(&p.f, slope, NULL));
        bench_measure(id, &(bench_work){.call = function_call, .check = gamma_check, .user = &p});
        agn_fn_release(f);
        agn_fn_release(slope);
        agn_fn_release(p.f);
        agn_release(p.in[0]);
        agn_release(p.y[0]);
        agn_release(p.y[1]);
        agn_release(key);
        agn_generator_release(g);
    }
}

/* ---- models -------------------------------------------------------------------------------- */

enum { SCHOOLS = 8, POINTS = 10000, WEIGHTS = 100, LEAPS = 100 };
static const double effect[] = {28, 8, -3, 7, -1, 1, 18, 12},
                    deviation[] = {15, 10, 16, 11, 9, 11, 10, 18};
static const int64_t schools = SCHOOLS;

/* not centred: mu, log tau, theta */
static agn_status schools_density(void *user, agn_scope *s, T const *in, T *out)
{
    (void)user;
    T y = ag_from_host(s, AGN_F64, 1, &schools, effect),
      sd = ag_from_host(s, AGN_F64, 1, &schools, deviation);
    T mu = ag_index_axis(s, in[0], 0, 0), log_tau = ag_index_axis(s, in[0], 0, 1),
      tau = ag_exp(s, log_tau);
    T theta = ag_slice(s, in[0], 1, (const int64_t[]){2}, (const int64_t[]){10}, NULL);
    const agn_distribution *wide = ag_distribution_normal(s, ag_lit(s, 0), ag_lit(s, 5), NULL);
    const agn_distribution *unit = ag_distribution_normal(s, ag_lit(s, 0), ag_lit(s, 1), NULL);
    const agn_distribution *half = ag_distribution_half_cauchy(s, ag_lit(s, 5), NULL);
    const agn_distribution *seen = ag_distribution_normal(s, ag_add(s, mu, ag_mul(s, tau, theta)),
                                                          sd, NULL);
    T prior = ag_add(s, ag_distribution_log_prob(s, wide, mu),
                     ag_distribution_log_prob(s, half, tau));
    T theta_prior = ag_sum_all(s, ag_distribution_log_prob(s, unit, theta));
    T likelihood = ag_sum_all(s, ag_distribution_log_prob(s, seen, y));
    out[0] = ag_add(s, ag_add(s, prior, log_tau), ag_add(s, theta_prior, likelihood));
    return agn_scope_status(s);
}
static agn_status logistic_density(void *user, agn_scope *s, T const *in, T *out)
{
    agn_tensor *const *data = user;
    T e = ag_matmul(s, data[0], in[0]), b2 = ag_mul_c(s, ag_sum_all(s, ag_square(s, in[0])), 0.5);
    T fit = ag_sub(s, ag_sum_all(s, ag_mul(s, data[1], e)), ag_sum_all(s, ag_softplus(s, e)));
    out[0] = ag_sub(s, fit, b2);
    return agn_scope_status(s);
}
static void logistic_data(agn_tensor **data)
{
    double *x = bench_mix_of(POINTS * WEIGHTS, -1, 1, 0), *w = bench_mix_of(WEIGHTS, -1, 1, 1);
    double *y = bench_mix_of(POINTS, -1, 1, 3);
    for (int i = 0; i < POINTS; i++) {
        for (int k = 0; k < WEIGHTS; k++)
            y[i] += x[i * WEIGHTS + k] * w[k];
        y[i] = y[i] > 0;
    }
    free(w);
    data[0] = bench_tensor_of(x, AGN_F64, 2, (int64_t[]){POINTS, WEIGHTS});
    data[1] = bench_tensor_of(y, AGN_F64, 1, (int64_t[]){POINTS});
}
static agn_tensor *schools_start(void)
{
    double *t = bench_mix_of(SCHOOLS, -1, 1, 0), *q = malloc((SCHOOLS + 2) * sizeof *q);
    if (!q)
        bench_die("memory");
    q[0] = 1;
    q[1] = 0.5;
    memcpy(q + 2, t, SCHOOLS * sizeof *q);
    free(t);
    return bench_tensor_of(q, AGN_F64, 1, (int64_t[]){SCHOOLS + 2});
}

/* a plan with its memory kept, as samplers call it */
typedef struct dynamics {
    agn_fn *f;
    agn_tensor *at, *value, *slope, *start;
    double *q, *p, *p0, step; /* p0: the momenta at the start */
    int64_t n;
} dynamics;
static void open_dynamics(dynamics *d, agn_body *body, void *user, agn_tensor *start, double step)
{
    agn_fn *f = NULL, *slope = NULL;
    *d = (dynamics){.start = start, .step = step, .n = agn_numel(start)};
    TRY(agn_fn_new(&f, body, user, NULL, 1, 1));
    TRY(agn_fn_value_and_grad(&slope, f, (int32_t[]){0}, 1));
    TRY(agn_fn_compile(&d->f, slope, NULL));
    agn_fn_release(f);
    agn_fn_release(slope);
    TRY(agn_copy(&d->at, start));
    TRY(agn_zeros(&d->value, AGN_F64, 0, NULL));
    TRY(agn_zeros(&d->slope, AGN_F64, 1, &d->n));
    d->q = malloc((size_t)(2 * d->n) * sizeof *d->q);
    if (!d->q)
        bench_die("memory");
    d->p = d->q + d->n;
    d->p0 = bench_mix_of(d->n, -1, 1, 9);
}
static void close_dynamics(dynamics *d)
{
    agn_fn_release(d->f);
    agn_release(d->at);
    agn_release(d->value);
    agn_release(d->slope);
    agn_release(d->start);
    free(d->q);
    free(d->p0);
}
static void gradient_call(void *user)
{
    dynamics *d = user;
    TRY(agn_fn_call_into((agn_tensor *[]){d->value, d->slope}, 2, d->f, (T const *)&d->at, 1));
}
static int gradient_check(void *user, double *value)
{
    const dynamics *d = user;
    TRY(agn_item_f64(&value[0], d->value));
    value[1] = magnitude(d->slope);
    return 2;
}
static void leapfrog_call(void *user)
{
    dynamics *d = user;
    double *q = NULL;
    TRY(agn_data_mut((void **)&q, d->at));
    memcpy(q, agn_data(d->start), (size_t)d->n * sizeof *q);
    memcpy(d->p, d->p0, (size_t)d->n * sizeof *q);
    gradient_call(d);
    for (int k = 0; k < LEAPS; k++) {
        const double *g = agn_data(d->slope);
        TRY(agn_data_mut((void **)&q, d->at));
        for (int64_t i = 0; i < d->n; i++) {
            d->p[i] += d->step / 2 * g[i];
            q[i] += d->step * d->p[i];
        }
        gradient_call(d);
        g = agn_data(d->slope);
        for (int64_t i = 0; i < d->n; i++)
            d->p[i] += d->step / 2 * g[i];
    }
}
static int leapfrog_check(void *user, double *value)
{
    const dynamics *d = user;
    value[0] = magnitude(d->at);
    value[1] = 0;
    for (int64_t i = 0; i < d->n; i++)
        value[1] += fabs(d->p[i]);
    TRY(agn_item_f64(&value[2], d->value));
    return 3;
}
static void measure_dynamics(const char *gradient, const char *leapfrog, agn_body *body, void *user,
                             agn_tensor *start, double step)
{
    dynamics d;
    open_dynamics(&d, body, user, start, step);
    if (bench_asked(gradient))
        bench_measure(gradient,
                      &(bench_work){.call = gradient_call, .check = gradient_check, .user = &d});
    if (bench_asked(leapfrog))
        bench_measure(leapfrog,
                      &(bench_work){.call = leapfrog_call, .check = leapfrog_check, .user = &d});
    bench_explained(d.f);
    close_dynamics(&d);
}

static agn_status school_model(void *user, agn_scope *s, agn_model_trace *t)
{
    (void)user;
    T y = ag_from_host(s, AGN_F64, 1, &schools, effect),
      sd = ag_from_host(s, AGN_F64, 1, &schools, deviation);
    const agn_distribution *wide = ag_distribution_normal(s, ag_lit(s, 0), ag_lit(s, 5), NULL);
    const agn_distribution *unit = ag_distribution_normal(s, ag_lit(s, 0), ag_lit(s, 1), NULL);
    T mu = agn_model_parameter(s, t, "mu", wide, 0, NULL);
    T tau = agn_model_parameter(s, t, "tau", ag_distribution_half_cauchy(s, ag_lit(s, 5), NULL), 0,
                                NULL);
    T eta = agn_model_parameter(s, t, "eta", unit, 1, &schools);
    agn_model_observe(s, t, ag_distribution_normal(s, ag_add(s, mu, ag_mul(s, tau, eta)), sd, NULL),
                      y);
    return agn_scope_status(s);
}
typedef struct posterior {
    agn_model *m;
    agn_dict *d;
} posterior;
static void nuts_call(void *user)
{
    posterior *p = user;
    agn_nuts_options o = {.size = sizeof o, .warmup = 500, .draws = 1000, .chains = 1};
    agn_dict_release(p->d);
    p->d = NULL;
    TRY(agn_infer_nuts(&p->d, p->m, &o));
}
static int nuts_check(void *user, double *value)
{
    const posterior *p = user;
    static const char *const names[] = {"mu", "tau"};
    for (int k = 0; k < 2; k++) {
        agn_tensor *x = NULL;
        TRY(agn_dict_get(&x, p->d, names[k]));
        const double *v = agn_data(x);
        double mean = 0;
        for (int64_t i = 0; i < agn_numel(x); i++)
            mean += (k ? log(v[i]) : v[i]) / (double)agn_numel(x);
        value[k] = k ? fabs(mean - 0.8) < 0.5 : fabs(mean - 4.4) < 1;
        agn_release(x);
    }
    return 2;
}

static void bench_models(void)
{
    static const char *const logistic[] = {"distribution/grad-logistic-regression/10000x100/f64",
                                           "distribution/leapfrog-100-logistic/10000x100/f64"};
    static const char *const eight[] = {"distribution/grad-eight-schools/10/f64",
                                        "distribution/leapfrog-100-eight-schools/10/f64"};
    if (bench_asked(logistic[0]) || bench_asked(logistic[1])) {
        agn_tensor *data[2];
        logistic_data(data);
        measure_dynamics(logistic[0], logistic[1], logistic_density, data, mixed(WEIGHTS, -1, 1, 2),
                         0.005);
        agn_release(data[0]);
        agn_release(data[1]);
    }
    if (bench_asked(eight[0]) || bench_asked(eight[1]))
        measure_dynamics(eight[0], eight[1], schools_density, NULL, schools_start(), 0.1);
    const char *id = "distribution/nuts-1500-eight-schools/10/f64";
    if (bench_asked(id)) {
        posterior p = {NULL, NULL};
        TRY(agn_model_new(&p.m, school_model, NULL, NULL));
        bench_measure(id, &(bench_work){.call = nuts_call, .check = nuts_check, .user = &p});
        agn_dict_release(p.d);
        agn_model_release(p.m);
    }
}

void bench_distribution(void)
{
    bench_samples();
    bench_densities();
    bench_models();
}
