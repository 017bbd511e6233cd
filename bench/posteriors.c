/* bench/posteriors.c - gradients of log posterior densities: models of BUGS (Lunn & al. 2000, examples) and
   posteriordb (Magnusson & al. 2024) with published data, by the model builder. Peer: bench/peers/posteriors.py. */
#include "bench.h"
#include "matrices.h"

#include <agnesi/ag.h>
#include <agnesi/infer.h>
#include <agnesi/univariate_laws.h>

#include <math.h>
#include <stdlib.h>

typedef const agn_tensor *T;
typedef const agn_distribution *D;
#define COUNT(a) ((int64_t)(sizeof(a) / sizeof *(a)))
#define DATA(name) ag_from_host(s, AGN_F64, 1, (int64_t[]){COUNT(name)}, name)
#define LIT(v) ag_lit(s, v)
#define BODY(name) static agn_status name(void *user, agn_scope *s, agn_model_trace *t)

static D normal(agn_scope *s, T mean, T sd) { return ag_distribution_normal(s, mean, sd, NULL); }
static T one(agn_scope *s, agn_model_trace *t, const char *name, D prior)
{
    return agn_model_parameter(s, t, name, prior, 0, NULL);
}
static T many(agn_scope *s, agn_model_trace *t, const char *name, D prior, int64_t n)
{
    return agn_model_parameter(s, t, name, prior, 1, &n);
}
static T wide(agn_scope *s, agn_model_trace *t, const char *name, double sd)
{
    return one(s, t, name, normal(s, LIT(0), LIT(sd)));
}
static T scale(agn_scope *s, agn_model_trace *t, const char *name, double by)
{
    return one(s, t, name, ag_distribution_half_cauchy(s, LIT(by), NULL));
}

/* eight schools, not centred (Rubin 1981) */
static const double effect[] = {28, 8, -3, 7, -1, 1, 18, 12}, deviation[] = {15, 10, 16, 11, 9, 11, 10, 18};
BODY(schools)
{
    (void)user;
    T mu = wide(s, t, "mu", 5), tau = scale(s, t, "tau", 5);
    T theta = ag_add(s, mu, ag_mul(s, tau, many(s, t, "eta", normal(s, LIT(0), LIT(1)), 8)));
    agn_model_observe(s, t, normal(s, theta, DATA(deviation)), DATA(effect));
    return agn_scope_status(s);
}

/* germination of seeds on 21 plates (Crowder 1978) */
static const double germs[] = {10, 23, 23, 26, 17, 5, 53, 55, 32, 46, 10, 8, 10, 8, 23, 0, 3, 22, 15, 32, 3};
static const double plated[] = {39, 62, 81, 51, 39, 6,  74, 72, 51, 79, 13,
                                16, 30, 28, 45, 4,  12, 41, 30, 51, 7};
static const double kind[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
static const double extract[] = {0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1};
BODY(seeds)
{
    (void)user;
    T x1 = DATA(kind), x2 = DATA(extract), a[4];
    static const char *const names[] = {"alpha0", "alpha1", "alpha2", "alpha12"};
    for (int i = 0; i < 4; i++)
        a[i] = wide(s, t, names[i], 1);
    T sigma = scale(s, t, "sigma", 1), b = many(s, t, "b", normal(s, LIT(0), sigma), 21);
    T eta = ag_add(s, ag_add(s, a[0], ag_mul(s, a[1], x1)), ag_mul(s, a[2], x2));
    eta = ag_add(s, ag_add(s, eta, ag_mul(s, a[3], ag_mul(s, x1, x2))), b);
    agn_model_observe(s, t, ag_distribution_binomial_logits(s, DATA(plated), eta, NULL), DATA(germs));
    return agn_scope_status(s);
}

/* weights of 30 rats in five weeks (Gelfand & al. 1990) */
static const double rat[] = {
    151, 199, 246, 283, 320, 145, 199, 249, 293, 354, 147, 214, 263, 312, 328, 155, 200, 237, 272, 297,
    135, 188, 230, 280, 323, 159, 210, 252, 298, 331, 141, 189, 231, 275, 305, 159, 201, 248, 297, 338,
    177, 236, 285, 350, 376, 134, 182, 220, 260, 296, 160, 208, 261, 313, 352, 143, 188, 220, 273, 314,
    154, 200, 244, 289, 325, 171, 221, 270, 326, 358, 163, 216, 242, 281, 312, 160, 207, 248, 288, 324,
    142, 187, 234, 280, 316, 156, 203, 243, 283, 317, 157, 212, 259, 307, 336, 152, 203, 246, 286, 321,
    154, 205, 253, 298, 334, 139, 190, 225, 267, 302, 146, 191, 229, 272, 302, 157, 211, 250, 285, 323,
    132, 185, 237, 286, 331, 160, 207, 257, 303, 345, 169, 216, 261, 295, 333, 157, 205, 248, 289, 316,
    137, 180, 219, 258, 291, 153, 200, 244, 286, 324};
static const double week[] = {-14, -7, 0, 7, 14};
BODY(rats)
{
    (void)user;
    T ma = wide(s, t, "mu_alpha", 100), mb = wide(s, t, "mu_beta", 100), sy = scale(s, t, "sigma_y", 10);
    T sa = scale(s, t, "sigma_alpha", 10), sb = scale(s, t, "sigma_beta", 10);
    T alpha = many(s, t, "alpha", normal(s, ma, sa), 30), beta = many(s, t, "beta", normal(s, mb, sb), 30);
    T line = ag_add(s, ag_expand_dims(s, alpha, -1), ag_mul(s, ag_expand_dims(s, beta, -1), DATA(week)));
    agn_model_observe(s, t, normal(s, line, sy), ag_from_host(s, AGN_F64, 2, (int64_t[]){30, 5}, rat));
    return agn_scope_status(s);
}

/* deaths after operations of infants in 12 hospitals (Lunn & al. 2000) */
static const double operations[] = {47, 148, 119, 810, 211, 196, 148, 215, 207, 97, 256, 360};
static const double deaths[] = {0, 18, 8, 46, 8, 13, 9, 31, 14, 8, 29, 24};
BODY(surgical)
{
    (void)user;
    T mu = wide(s, t, "mu", 1000), sigma = scale(s, t, "sigma", 1);
    T b = many(s, t, "b", normal(s, mu, sigma), 12);
    agn_model_observe(s, t, ag_distribution_binomial_logits(s, DATA(operations), b, NULL), DATA(deaths));
    return agn_scope_status(s);
}

/* lengths of 27 dugongs by age (Ratkowsky 1983) */
static const double age[] = {1,  1.5, 1.5, 1.5, 2.5, 4,  5,    5,    7,    8,  8.5,  9,  9.5, 9.5,
                             10, 12,  12,  13,  13,  14.5, 15.5, 15.5, 16.5, 17, 22.5, 29, 31.5};
static const double size[] = {1.8,  1.85, 1.87, 1.77, 2.02, 2.27, 2.15, 2.26, 2.47, 2.19, 2.26, 2.4,  2.39, 2.41,
                              2.5,  2.32, 2.32, 2.43, 2.47, 2.56, 2.65, 2.47, 2.64, 2.56, 2.7,  2.72, 2.57};
BODY(dugongs)
{
    (void)user;
    T alpha = wide(s, t, "alpha", 1000), beta = wide(s, t, "beta", 1000);
    T lambda = one(s, t, "lambda", ag_distribution_uniform(s, LIT(0.5), LIT(1), NULL));
    T tau = one(s, t, "tau", ag_distribution_gamma(s, LIT(0.01), LIT(0.01), NULL));
    T mean = ag_sub(s, alpha, ag_mul(s, beta, ag_pow(s, lambda, DATA(age))));
    agn_model_observe(s, t, normal(s, mean, ag_reciprocal(s, ag_sqrt(s, tau))), DATA(size));
    return agn_scope_status(s);
}

/* failures of ten pumps (Gaver & O'Muircheartaigh 1987) */
static const double hours[] = {94.3, 15.7, 62.9, 126, 5.24, 31.4, 1.05, 1.05, 2.1, 10.5};
static const double failures[] = {5, 1, 5, 14, 3, 19, 1, 1, 4, 22};
BODY(pumps)
{
    (void)user;
    T alpha = one(s, t, "alpha", ag_distribution_exponential(s, LIT(1), NULL));
    T beta = one(s, t, "beta", ag_distribution_gamma(s, LIT(0.1), LIT(1), NULL));
    T theta = many(s, t, "theta", ag_distribution_gamma(s, alpha, beta, NULL), 10);
    agn_model_observe(s, t, ag_distribution_poisson(s, ag_mul(s, theta, DATA(hours)), NULL), DATA(failures));
    return agn_scope_status(s);
}

/* loss of ammonia in a plant, with Student's errors (Brownlee 1965) */
static const double plant[] = {80, 27, 89, 80, 27, 88, 75, 25, 90, 62, 24, 87, 62, 22, 87, 62, 23, 87, 62, 24, 93,
                               62, 24, 93, 58, 23, 87, 58, 18, 80, 58, 18, 89, 58, 17, 88, 58, 18, 82, 58, 19, 93,
                               50, 18, 89, 50, 18, 86, 50, 19, 72, 50, 19, 79, 50, 20, 80, 56, 20, 82, 70, 20, 91};
static const double loss[] = {42, 37, 37, 28, 18, 18, 19, 20, 15, 14, 14, 13, 11, 12, 8, 7, 8, 8, 9, 15, 15};
BODY(stacks)
{
    (void)user;
    T b0 = wide(s, t, "beta0", 100), b = many(s, t, "beta", normal(s, LIT(0), LIT(10)), 3);
    T sigma = scale(s, t, "sigma", 5), x = ag_from_host(s, AGN_F64, 2, (int64_t[]){21, 3}, plant);
    T mean = ag_add(s, b0, ag_matmul(s, x, b));
    agn_model_observe(s, t, ag_distribution_student_t(s, LIT(4), mean, sigma, NULL), DATA(loss));
    return agn_scope_status(s);
}

/* autoregression of order 5 of the Nile's yearly flow (Cobb 1978), (flow - 900) / 150 */
enum { YEARS = 100, ORDER = 5 };
static const double nile[YEARS] = {
    1120, 1160, 963, 1210, 1160, 1160, 813,  1230, 1370, 1140, 995,  935,  1110, 994,  1020,
    960,  1180, 799, 958,  1140, 1100, 1210, 1150, 1250, 1260, 1220, 1030, 1100, 774,  840,
    874,  694,  940, 833,  701,  916,  692,  1020, 1050, 969,  831,  726,  456,  824,  702,
    1120, 1100, 832, 764,  821,  768,  845,  864,  862,  698,  845,  744,  796,  1040, 759,
    781,  865,  845, 944,  984,  897,  822,  1010, 771,  676,  649,  846,  812,  742,  801,
    1040, 860,  874, 848,  890,  744,  749,  838,  1050, 918,  986,  797,  923,  975,  815,
    1020, 906,  901, 1170, 912,  746,  919,  718,  714,  740
};
BODY(ark)
{
    (void)user;
    double lag[(YEARS - ORDER) * ORDER], now[YEARS - ORDER];
    for (int i = ORDER; i < YEARS; i++) {
        now[i - ORDER] = (nile[i] - 900) / 150;
        for (int k = 0; k < ORDER; k++)
            lag[(i - ORDER) * ORDER + k] = (nile[i - 1 - k] - 900) / 150;
    }
    T x = ag_from_host(s, AGN_F64, 2, (int64_t[]){YEARS - ORDER, ORDER}, lag);
    T alpha = wide(s, t, "alpha", 10), beta = many(s, t, "beta", normal(s, LIT(0), LIT(10)), ORDER);
    T sigma = scale(s, t, "sigma", 2.5), mean = ag_add(s, alpha, ag_matmul(s, x, beta));
    agn_model_observe(s, t, normal(s, mean, sigma), DATA(now));
    return agn_scope_status(s);
}

typedef struct gradient {
    agn_fn *f;
    agn_tensor *at, *value, *slope;
} gradient;
static void gradient_call(void *user)
{
    gradient *g = user;
    TRY(agn_fn_call_into((agn_tensor *[]){g->value, g->slope}, 2, g->f, (T const *)&g->at, 1));
}
/* values differ by constants between builders; gradients do not */
static int gradient_check(void *user, double *value)
{
    const gradient *g = user;
    const double *v = agn_data(g->slope);
    value[0] = value[1] = 0;
    for (int64_t i = 0; i < agn_numel(g->slope); i++) {
        value[0] += fabs(v[i]);
        value[1] += v[i] / (double)(i + 1);
    }
    return 2;
}

void bench_posteriors(void)
{
    static const struct {
        const char *id;
        agn_model_body *body;
    } models[] = {{"distribution/grad-posterior-schools/10/f64", schools},
                  {"distribution/grad-posterior-seeds/26/f64", seeds},
                  {"distribution/grad-posterior-rats/65/f64", rats},
                  {"distribution/grad-posterior-surgical/14/f64", surgical},
                  {"distribution/grad-posterior-dugongs/4/f64", dugongs},
                  {"distribution/grad-posterior-pumps/12/f64", pumps},
                  {"distribution/grad-posterior-stacks/5/f64", stacks},
                  {"distribution/grad-posterior-ark/7/f64", ark}};
    for (int k = 0; k < COUNT(models); k++) {
        if (!bench_asked(models[k].id))
            continue;
        agn_model *m = NULL;
        agn_fn *f = NULL, *slope = NULL;
        gradient g = {NULL, NULL, NULL, NULL};
        TRY(agn_model_new(&m, models[k].body, NULL, NULL));
        int64_t n = agn_model_dims(m);
        TRY(agn_model_log_density(&f, m));
        TRY(agn_fn_value_and_grad(&slope, f, (int32_t[]){0}, 1));
        TRY(agn_fn_compile(&g.f, slope, NULL));
        double *q = malloc((size_t)n * sizeof *q);
        if (!q)
            bench_die("memory");
        for (int64_t i = 0; i < n; i++) /* as the peer has them */
            q[i] = 0.3 + 0.05 * (double)(i % 7);
        g.at = bench_tensor_of(q, AGN_F64, 1, &n);
        TRY(agn_zeros(&g.value, AGN_F64, 0, NULL));
        TRY(agn_zeros(&g.slope, AGN_F64, 1, &n));
        bench_measure(models[k].id, &(bench_work){.call = gradient_call, .check = gradient_check, .user = &g});
        bench_explained(g.f);
        agn_fn_release(f);
        agn_fn_release(slope);
        agn_fn_release(g.f);
        agn_release(g.at);
        agn_release(g.value);
        agn_release(g.slope);
        agn_model_release(m);
    }
}
