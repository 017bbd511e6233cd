/* t-log-density - sums of log densities as one op beside the expressions of their laws: values, slopes, second
   derivatives in both modes, batches, patterns of Hessians, numbers outside of the support. */
#include "distribution/log_density.h"
#include "tensor/dispatch/op.h"

#include <agnesi/ag.h>
#include <agnesi/sparse.h>
#include <agnesi/sparse_derivative.h>
#include <agnesi/univariate_laws.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tap.h"

#define must(call) \
    if (call)      \
    bail_out("%s: %s", #call, agn_error_message())

typedef const agn_tensor *T;
enum { ARGS = 4, LONGEST = 300 };

static unsigned state = 1;
static double unit(void)
{
    state = state * 1664525u + 1013904223u;
    return ((double)(state >> 8) + 0.5) * 0x1p-24;
}

/* ---- laws ----------------------------------------------------------------------------------- */

typedef struct law_case {
    const char *name;
    int args;          /* the number, then parameters */
    unsigned constant; /* bits of arguments that stay constants */
    double low[ARGS], high[ARGS];
    bool logarithmic[ARGS], whole[ARGS];
} law_case;
static const law_case cases[] = {
    {"normal", 3, 0, {-5, -3, 0.01}, {5, 3, 100}, {false, false, true}, {false}},
    {"half_cauchy", 2, 0, {1e-3, 1e-2}, {1e3, 1e2}, {true, true}, {false}},
    {"uniform", 3, 0, {0, -2, 1}, {1, 0, 2}, {false}, {false}},
    {"exponential", 2, 0, {0.01, 0.01}, {10, 10}, {true, true}, {false}},
    {"gamma", 3, 0, {0.1, 0.01, 0.1}, {30, 7.9, 10}, {true, true, true}, {false}},
    {"gamma", 3, 0, {3, 5, 0.3}, {300, 100, 3}, {true, true, true}, {false}},
    {"poisson", 2, 1, {0, 0.1}, {40, 60}, {false, true}, {true}},
    {"student_t", 4, 2, {-9, 0.5, -3, 0.1}, {9, 50, 3, 10}, {false, true, false, true}, {false}},
    {"binomial_logits", 3, 3, {0, 30, -5}, {30, 60, 5}, {false}, {true, true}},
};
enum { CASES = (int)(sizeof cases / sizeof *cases) };

static const agn_distribution *make_law(agn_scope *s, const law_case *c, T const *x)
{
    static const agn_distribution_options unchecked = {.size = sizeof unchecked, .unchecked = true};
    const agn_distribution_options *o = &unchecked;
    if (!strcmp(c->name, "normal"))
        return ag_distribution_normal(s, x[1], x[2], o);
    if (!strcmp(c->name, "half_cauchy"))
        return ag_distribution_half_cauchy(s, x[1], o);
    if (!strcmp(c->name, "uniform"))
        return ag_distribution_uniform(s, x[1], x[2], o);
    if (!strcmp(c->name, "exponential"))
        return ag_distribution_exponential(s, x[1], o);
    if (!strcmp(c->name, "gamma"))
        return ag_distribution_gamma(s, x[1], x[2], o);
    if (!strcmp(c->name, "poisson"))
        return ag_distribution_poisson(s, x[1], o);
    if (!strcmp(c->name, "student_t"))
        return ag_distribution_student_t(s, x[1], x[2], x[3], o);
    return ag_distribution_binomial_logits(s, x[1], x[2], o);
}

/* f of the arguments that are not constant */
typedef struct sum_of {
    const law_case *c;
    agn_tensor *x[ARGS];
    bool op; /* by the op, else by expressions */
} sum_of;
static agn_status sum_body(void *user, agn_scope *s, T const *in, T *out)
{
    const sum_of *q = user;
    T x[ARGS];
    for (int i = 0, k = 0; i < q->c->args; i++)
        x[i] = q->c->constant >> i & 1 ? q->x[i] : in[k++];
    const agn_distribution *d = make_law(s, q->c, x);
    out[0] = q->op ? agni_log_density_sum(s, d, x[0])
                   : ag_sum_all(s, ag_distribution_log_prob(s, d, x[0]));
    return agn_scope_status(s);
}

static int count_free(const law_case *c)
{
    return c->args - __builtin_popcount(c->constant);
}
static void draw(const law_case *c, int i, double *v, int64_t n)
{
    for (int64_t k = 0; k < n; k++) {
        double a = c->low[i], b = c->high[i];
        v[k] = c->logarithmic[i] ? a * pow(b / a, unit()) : a + (b - a) * unit();
        v[k] = c->whole[i] ? floor(v[k]) : v[k];
    }
}
/* results of both ways, n_out of them; in: those of the transform of f */
static void call_both(sum_of *q, agn_status (*transform)(agn_fn **, const agn_fn *), T const *in, int n_in,
                      agn_tensor *out[2][2 * ARGS + 1], int n_out)
{
    for (int k = 0; k < 2; k++) {
        q->op = k == 0;
        agn_fn *f = NULL, *g = NULL;
        must(agn_fn_new(&f, sum_body, q, NULL, count_free(q->c), 1));
        must(transform(&g, f));
        must(agn_fn_call(out[k], n_out, g, in, n_in));
        for (int i = 0; i < n_out; i++) { /* zeros may be one number */
            agn_tensor *row = NULL;
            must(agn_contiguous(&row, out[k][i]));
            agn_release(out[k][i]);
            out[k][i] = row;
        }
        agn_fn_release(f);
        agn_fn_release(g);
    }
}
static int n_free;
static const int32_t all[] = {0, 1, 2, 3};
static agn_status value_and_grad(agn_fn **out, const agn_fn *f)
{
    return agn_fn_value_and_grad(out, f, all, n_free);
}
static agn_status forward_over_reverse(agn_fn **out, const agn_fn *f)
{
    return agn_fn_hvp(out, f, all, n_free);
}
static agn_status reverse_over_reverse(agn_fn **out, const agn_fn *f)
{
    agn_fn *g = NULL;
    agn_status st = agn_fn_grad(&g, f, all, n_free);
    st = st ? st : agn_fn_vjp(out, g);
    agn_fn_release(g);
    return st;
}
static agn_status lanes_of_gradients(agn_fn **out, const agn_fn *f)
{
    agn_fn *g = NULL;
    agn_status st = agn_fn_value_and_grad(&g, f, all, n_free);
    st = st ? st : agn_fn_vmap(out, g, NULL, 0, NULL, 0);
    agn_fn_release(g);
    return st;
}

/* the worst difference by the largest number of both; equal infinities and NaN are alike */
static double differ(const agn_tensor *a, const agn_tensor *b)
{
    const double *v = agn_data(a), *w = agn_data(b);
    double most = 1e-300, worst = 0;
    if (agn_numel(a) != agn_numel(b))
        return (double)INFINITY;
    for (int64_t i = 0; i < agn_numel(a); i++)
        most = isfinite(w[i]) && fabs(w[i]) > most ? fabs(w[i]) : most;
    for (int64_t i = 0; i < agn_numel(a); i++) {
        double e = v[i] == w[i] || (isnan(v[i]) && isnan(w[i])) ? 0 : fabs(v[i] - w[i]) / most;
        worst = e <= worst ? worst : isnan(e) ? (double)INFINITY : e;
    }
    return worst;
}
static void release_both(agn_tensor *out[2][2 * ARGS + 1], int n)
{
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < n; i++)
            agn_release(out[k][i]);
}

static void test_law(const law_case *c)
{
    static const int64_t sizes[] = {1, 2, 7, 8, 21, 127, 128, 129, 300};
    double worst[4] = {0};
    n_free = count_free(c);
    for (int round = 0; round < 9 * 8; round++) {
        int64_t n = sizes[round / 8], two = 3;
        sum_of q = {.c = c};
        T in[3 * ARGS];
        agn_tensor *lanes[ARGS] = {NULL}, *seed[2 * ARGS] = {NULL}, *out[2][2 * ARGS + 1];
        int k = 0;
        for (int i = 0; i < c->args; i++) {
            double v[3 * LONGEST];
            int64_t one = 1, size = round >> i & 1 && i ? one : n;
            draw(c, i, v, 3 * size);
            must(agn_from_host(&q.x[i], AGN_F64, 1, &size, v));
            if (c->constant >> i & 1)
                continue;
            must(agn_from_host(&lanes[k], AGN_F64, 2, (int64_t[]){two, size}, v));
            for (int64_t e = 0; e < size; e++)
                v[e] = unit() - 0.5;
            must(agn_from_host(&seed[k], AGN_F64, 1, &size, v));
            in[n_free + k] = seed[k];
            in[k++] = q.x[i];
        }
        call_both(&q, value_and_grad, in, n_free, out, 1 + n_free);
        for (int i = 0; i < 1 + n_free; i++)
            worst[0] = fmax(worst[0], differ(out[0][i], out[1][i]));
        release_both(out, 1 + n_free);
        call_both(&q, forward_over_reverse, in, 2 * n_free, out, n_free);
        for (int i = 0; i < n_free; i++)
            worst[1] = fmax(worst[1], differ(out[0][i], out[1][i]));
        release_both(out, n_free);
        call_both(&q, reverse_over_reverse, in, 2 * n_free, out, 2 * n_free);
        for (int i = 0; i < 2 * n_free; i++)
            worst[2] = fmax(worst[2], differ(out[0][i], out[1][i]));
        release_both(out, 2 * n_free);
        call_both(&q, lanes_of_gradients, (T *)lanes, n_free, out, 1 + n_free);
        for (int i = 0; i < 1 + n_free; i++)
            worst[3] = fmax(worst[3], differ(out[0][i], out[1][i]));
        release_both(out, 1 + n_free);
        for (int i = 0; i < ARGS; i++) {
            agn_release(q.x[i]);
            agn_release(lanes[i]);
            agn_release(seed[i]);
        }
    }
    ok(worst[0] < 2e-12, "%s: values and slopes, %.2g", c->name, worst[0]);
    ok(worst[1] < 2e-12, "%s: forward over reverse, %.2g", c->name, worst[1]);
    ok(worst[2] < 2e-12, "%s: reverse over reverse, %.2g", c->name, worst[2]);
    ok(worst[3] < 2e-12, "%s: lanes, %.2g", c->name, worst[3]);
}

/* ---- outside of the support ----------------------------------------------------------------- */

static void test_ends(void)
{
    static const double odd[] = {(double)INFINITY, -(double)INFINITY, (double)NAN, -1, 0, 0.5, 1e300, 2};
    enum { ODD = sizeof odd / sizeof *odd };
    for (int k = 0; k < CASES; k++) {
        const law_case *c = &cases[k];
        double worst = 0, beyond = 0;
        n_free = count_free(c);
        for (int j = 0; j < ODD; j++) {
            sum_of q = {.c = c};
            T in[ARGS];
            agn_tensor *out[2][2 * ARGS + 1];
            int64_t n = 3;
            for (int i = 0, f = 0; i < c->args; i++) {
                double v[3];
                draw(c, i, v, n);
                if (i == 0)
                    v[1] = odd[j];
                must(agn_from_host(&q.x[i], AGN_F64, 1, &n, v));
                if (!(c->constant >> i & 1))
                    in[f++] = q.x[i];
            }
            call_both(&q, value_and_grad, in, n_free, out, 1 + n_free);
            for (int i = 0; i < 1 + n_free; i++) {
                /* the expressions have NaN where the slope in a rate has none, and overflow at 1e300 */
                double *v = (double *)(uintptr_t)agn_data(out[0][i]);
                const double *w = agn_data(out[1][i]);
                for (int64_t e = 0; e < agn_numel(out[0][i]); e++) {
                    beyond += isnan(v[e]) && !isnan(w[e]);
                    v[e] = isnan(w[e]) ? w[e] : v[e];
                }
                worst = fmax(worst, differ(out[0][i], out[1][i]));
            }
            release_both(out, 1 + n_free);
            for (int i = 0; i < c->args; i++)
                agn_release(q.x[i]);
        }
        ok(worst < 2e-12 && beyond == 0, "%s at infinities, NaN and ends: %.2g", c->name, worst);
    }
}

typedef struct answer {
    int law; /* of cases */
    double x[ARGS], value, slope[ARGS];
} answer;
/* by mpmath, 80 and 900 digits, slopes by differences of 1e-25 */
static void test_far(void)
{
    static const answer answers[] = {
        {0, {100000.0, 2.5, 0.001}, -4999750003124994.0, {-99997500000.0, 99997500000.0, 9.999500006249998e+18}},
        {0, {0.3, 0.25, 1e+100}, -231.17744783260923, {-4.999999999999999e-202, 4.999999999999999e-202, -1e-100}},
        {1, {1e+200, 3.0}, -920.3870076142396, {-2e-200, 0.3333333333333333}},
        {1, {1e-200, 3.0}, -1.5501949939575645, {-2.2222222222222223e-201, -0.3333333333333333}},
        {1, {2.0, 1e+160}, -368.8651975843368, {-4e-320, -1e-160}},
        {4, {1e+300, 20.0, 0.5}, -5e+299, {-0.5, 687.1118567254116, -1e+300}},
        {4, {1e-300, 0.3, 2.0}, 482.6550156880995, {-7e+299, -686.5798564954537, 0.15}},
        {5, {1000000.0, 1000003.0, 1.0}, -7.826696895517643, {2e-06, -2.4999969166716667e-06, 3.0}},
        {5, {300000.0, 1000000000000.0, 3000000.0}, -5360515657.541267, {333333.33333, -0.1053605156573263, 33333.333333333336}},
        {5, {2.5, 8.0, 4.0}, -1.020771348987204, {-1.2, 0.2869436150384357, -0.5}},
        {4, {2.5, 7.75, 4.0}, -1.096714657486285, {-1.3, 0.3207935302997001, -0.5625}},
        {6, {1000000.0, 1000077.0}, -7.829658243351264, {0.0, -7.699407145649785e-05}},
        {6, {7.0, 0.001}, -56.88044831394037, {0.0, 6999.0}},
        {6, {6.0, 3.0}, -2.987577480001443, {0.0, 1.0}},
        {6, {0.0, 1e-290}, -1e-290, {0.0, -1.0}},
        {7, {1e-09, 1000000000.0, 0.0, 2.0}, -1.612085714014618, {-2.5000000025e-10, 0.0, 2.5000000025e-10, -0.5}},
        {7, {3.0, 0.5, 1.0, 0.25}, -3.569097868062873, {-0.7441860465116279, 0.0, 0.7441860465116279, 1.9534883720930232}},
        {8, {50.0, 60.0, 40.0}, -374.95400610117696, {0.0, 0.0, -10.0}},
        {8, {60.0, 60.0, -40.0}, -2400.0, {0.0, 0.0, 60.0}},
        {8, {3.0, 10.0, 0.001}, -2.145981312817355, {0.0, 0.0, -2.0024999997916666}},
        {7, {1e+200, 3.0, 1.5, 2.0}, -1838.792297125844, {-4e-200, 0.0, 4e-200, 1.5}},
        {8, {0.0, 60.0, 700.0}, -42000.0, {0.0, 0.0, -60.0}},
        /* the product of rate and number underflows, or overflows */
        {4, {2.2250738585072014e-308, 1e15, 2.0}, -7.4124204774661412e+17,
         {(double)INFINITY, -742.24204774661485, 500000000000000.0}},
        {4, {1e-200, 0.3, 1e-200}, 183.11100944470559,
         {-7.0000000000000002e+199, -917.53151297541814, 2.9999999999999999e+199}},
        {4, {5e-324, 9.0, 2.0}, -5959.8868536487558,
         {(double)INFINITY, -745.88756621877693, 4.5}},
        {4, {1.7e308, 1e100, 2.0}, -(double)INFINITY, {-2.0, 480.16147477438362, -1.7e308}},
        {6, {1e15, 2.2250738585072014e-308}, -7.4193519492717481e+17, {0.0, (double)INFINITY}},
    };
    for (size_t k = 0; k < sizeof answers / sizeof *answers; k++) {
        const answer *a = &answers[k];
        const law_case *c = &cases[a->law];
        sum_of q = {.c = c, .op = true};
        T in[ARGS];
        agn_fn *f = NULL, *g = NULL;
        agn_tensor *out[ARGS + 1];
        n_free = count_free(c);
        double worst = 0;
        for (int i = 0, m = 0; i < c->args; i++) {
            must(agn_from_host(&q.x[i], AGN_F64, 1, (int64_t[]){1}, &a->x[i]));
            if (!(c->constant >> i & 1))
                in[m++] = q.x[i];
        }
        must(agn_fn_new(&f, sum_body, &q, NULL, n_free, 1));
        must(value_and_grad(&g, f));
        must(agn_fn_call(out, 1 + n_free, g, in, n_free));
        for (int i = 0, m = 1; i <= c->args; i++) {
            if (i && c->constant >> (i - 1) & 1)
                continue;
            double v = *(const double *)agn_data(out[i ? m++ : 0]), w = i ? a->slope[i - 1] : a->value;
            worst = fmax(worst, v == w ? 0 : isnan(v) ? (double)INFINITY : fabs(v - w) / fabs(w));
        }
        ok(worst < 4e-15, "%s at %g: %.2g", c->name, a->x[0], worst);
        for (int i = 0; i < 1 + n_free; i++)
            agn_release(out[i]);
        for (int i = 0; i < c->args; i++)
            agn_release(q.x[i]);
        agn_fn_release(f), agn_fn_release(g);
    }
}

/* The expressions of the gamma law and of what is made of it where number and shape are far from each
   other: by mpmath, 1300 digits, the slope in the shape by a difference of 1e-150. */
typedef struct far_answer {
    const char *law;
    double x[3], value, slope;
} far_answer;
static agn_status far_body(void *user, agn_scope *s, T const *in, T *out)
{
    static const agn_distribution_options o = {.size = sizeof o, .unchecked = true};
    const far_answer *a = user;
    const agn_distribution *d = !strcmp(a->law, "gamma")  ? ag_distribution_gamma(s, in[1], in[2], &o)
                                : !strcmp(a->law, "chi2") ? ag_distribution_chi2(s, in[1], &o)
                                                          : ag_distribution_inverse_gamma(s, in[1], in[2], &o);
    out[0] = ag_distribution_log_prob(s, d, in[0]);
    return agn_scope_status(s);
}
static void test_far_shapes(void)
{
    static const far_answer answers[] = {
        {"gamma", {1e+300, 20.0, 0.5}, -5.0000000000000003e+299, 687.11185672541161},
        {"gamma", {1e+200, 100000000.0, 1.0}, -9.9999999999999997e+199, 442.09633785985677},
        {"gamma", {1000000000000.0, 30.0, 1.0}, -999999999269.95743, 24.246582983243023},
        {"gamma", {1e+300, 1e+60, 1.0}, -1.0000000000000001e+300, 552.62042231857096},
        {"gamma", {1e-300, 1e+60, 1.0}, -8.279306334778564e+62, -828.93063347785645},
        {"gamma", {1e-20, 1e+300, 1.0}, -7.3582722975809466e+302, -736.82722975809462},
        {"gamma", {25.0, 10000000000.0, 1.0}, -188069751068.34745, -19.806975105022256},
        {"gamma", {1e+17, 9.0, 2.0}, -1.9999999999999969e+17, 37.696452283503112},
        {"inverse_gamma", {1e-300, 1000.0, 1.0}, -9.9999999999999997e+299, 683.86827270256489},
        {"inverse_gamma", {1e-200, 100000000.0, 1.0}, -1.0e+200, 442.09633785985677},
        {"inverse_gamma", {1e+150, 1e+150, 1.0}, -6.8977552789821369e+152, -690.77552789821371},
        {"chi2", {1e+300, 20.0, 0}, -5.0000000000000003e+299, 343.91531406429352},
        {"chi2", {1e+200, 100000000.0, 0}, -4.9999999999999998e+199, 221.04816893242839},
        {"chi2", {1e-300, 1e+60, 0}, -4.139653167389282e+62, -414.46531673892822},
    };
    for (size_t k = 0; k < sizeof answers / sizeof *answers; k++) {
        const far_answer *a = &answers[k];
        agn_fn *f = NULL, *g = NULL;
        agn_tensor *in[3], *out[2];
        const double want[] = {a->value, a->slope};
        double worst = 0;
        for (int i = 0; i < 3; i++)
            must(agn_from_host(&in[i], AGN_F64, 0, NULL, &a->x[i]));
        must(agn_fn_new(&f, far_body, (void *)(uintptr_t)a, NULL, 3, 1));
        must(agn_fn_value_and_grad(&g, f, (int32_t[]){1}, 1));
        must(agn_fn_call(out, 2, g, (T *)in, 3));
        for (int i = 0; i < 2; i++) {
            const double v = *(const double *)agn_data(out[i]);
            worst = fmax(worst, isnan(v) ? (double)INFINITY : fabs(v / want[i] - 1));
            agn_release(out[i]);
        }
        ok(worst < 4e-15, "%s of shape %g at %g: %.2g", a->law, a->x[1], a->x[0], worst);
        for (int i = 0; i < 3; i++)
            agn_release(in[i]);
        agn_fn_release(f), agn_fn_release(g);
    }
}

/* ---- what runs it --------------------------------------------------------------------------- */

static bool runs_op(const law_case *c, int64_t n, int dtype)
{
    sum_of q = {.c = c, .op = true};
    T in[ARGS];
    agn_fn *f = NULL, *both = NULL, *g = NULL;
    agn_tensor *out[ARGS + 1];
    n_free = count_free(c);
    for (int i = 0, k = 0; i < c->args; i++) {
        double *v = malloc((size_t)n * sizeof *v);
        draw(c, i, v, n);
        agn_tensor *wide = NULL;
        must(agn_from_host(&wide, AGN_F64, 1, &n, v));
        must(agn_cast(&q.x[i], wide, dtype));
        agn_release(wide);
        free(v);
        if (!(c->constant >> i & 1))
            in[k++] = q.x[i];
    }
    must(agn_fn_new(&f, sum_body, &q, NULL, n_free, 1));
    must(value_and_grad(&both, f));
    must(agn_fn_compile(&g, both, NULL));
    must(agn_fn_call(out, 1 + n_free, g, in, n_free));
    size_t need;
    must(agn_plan_explain(NULL, 0, &need, g));
    char *text = malloc(need);
    must(agn_plan_explain(text, need, NULL, g));
    bool found = strstr(text, "log_density");
    free(text);
    for (int i = 0; i < 1 + n_free; i++)
        agn_release(out[i]);
    for (int i = 0; i < c->args; i++)
        agn_release(q.x[i]);
    agn_fn_release(f);
    agn_fn_release(both);
    agn_fn_release(g);
    return found;
}

static agn_status joint_body(void *user, agn_scope *s, T const *in, T *out)
{
    (void)user;
    T mean = ag_index_axis(s, in[0], 0, 0);
    T rest = ag_slice(s, in[0], 1, (int64_t[]){1}, (int64_t[]){9}, NULL);
    const agn_distribution *d = ag_distribution_normal(s, mean, ag_lit(s, 2), NULL);
    out[0] = agni_log_density_sum(s, d, rest);
    return agn_scope_status(s);
}
/* numbers that meet in their mean alone: an arrow */
static void test_pattern(void)
{
    agn_fn *f = NULL, *h = NULL;
    agn_tensor *x = NULL, *y = NULL, *dense = NULL;
    must(agn_full(&x, AGN_F64, 1, (int64_t[]){9}, 0.5));
    must(agn_fn_new(&f, joint_body, NULL, NULL, 1, 1));
    must(agn_fn_sparse_hessian(&h, f, 0, NULL, NULL));
    must(agn_fn_call(&y, 1, h, (T[]){x}, 1));
    must(agn_sparse_to_dense(&dense, y));
    const double *v = agn_data(dense);
    double worst = 0;
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < 9; j++) {
            double want = i == j ? (i ? -0.25 : -2) : i && j ? 0 : 0.25;
            worst = fmax(worst, fabs(v[9 * i + j] - want));
        }
    ok(worst < 1e-14 && agn_sparse_nnz(y) == 25, "an arrow of 25 entries: %.2g off, %lld", worst,
       (long long)agn_sparse_nnz(y));
    agn_release(x), agn_release(y), agn_release(dense);
    agn_fn_release(f), agn_fn_release(h);
}

static void test_refused(void)
{
    agn_tensor *x = NULL, *two = NULL, *y[2] = {NULL};
    must(agn_full(&x, AGN_F64, 1, (int64_t[]){3}, 1));
    must(agn_full(&two, AGN_F64, 1, (int64_t[]){2}, 1));
    static const struct {
        int64_t law, slopes;
        int n, code;
        const char *says;
    } bad[] = {{99, 0, 2, AGN_EARG, "law is 99"},
               {3, 0, 2, AGN_EARG, "exponential takes 3"},
               {3, 4, 3, AGN_EARG, "slopes 4"},
               {5, 1, 3, AGN_EARG, "slopes 1"},
               {3, 0, -3, AGN_ESHAPE, "[2]"}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        T in[] = {x, bad[k].n < 0 ? two : x, x};
        int64_t at[] = {bad[k].law, bad[k].slopes};
        agn_status st = agni_apply(&agni_op_log_density, &(agni_attr){.ni = 2, .i = at}, abs(bad[k].n), in, 1, y);
        ok(st == (agn_status)bad[k].code && strstr(agn_error_message(), bad[k].says), "refused: %s", agn_error_message());
    }
    agn_release(x);
    agn_release(two);
}

int main(void)
{
    for (int k = 0; k < CASES; k++)
        test_law(&cases[k]);
    test_ends();
    test_far();
    test_far_shapes();
    for (int k = 0; k < CASES; k++)
        ok(runs_op(&cases[k], 30, AGN_F64), "%s is one op", cases[k].name);
    ok(!runs_op(&cases[0], 2000, AGN_F64), "not of 2000 numbers");
    ok(!runs_op(&cases[0], 30, AGN_F32), "nor of f32");
    test_pattern();
    test_refused();
    return done();
}
