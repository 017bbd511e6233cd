/* kalman.c - an autoregressive process about a trend, by the likelihood of a Kalman filter: the
   level of Lake Huron (Brockwell & Davis 1991, 3.1). The filter begins in the stationary law, a
   solution of Lyapunov's equation; gradient and Hessian go through both. With an argument a picture
   with a forecast is written there. */
#include "chart.h"
#include "lake_huron.h"
#include <agnesi/agnesi.h>
#include <agnesi/linalg.h>
#include <agnesi/optim.h>
#include <agnesi/series_laws.h>

enum { AHEAD = 15 };

static const agn_tensor *entry(agn_scope *s, const agn_tensor *v, int i)
{
    return ag_index_axis(s, v, 0, i);
}
static const agn_tensor *matrix(agn_scope *s, const agn_tensor *a, const agn_tensor *b,
                                const agn_tensor *c, const agn_tensor *d)
{
    const agn_tensor *const all[] = {a, b, c, d};
    return ag_reshape(s, ag_stack(s, all, 4, 0), 2, (const int64_t[]){2, 2});
}

/* minus the log likelihood of phi_1, phi_2, level, slope and the log of the deviation of a step */
static agn_status surprise(void *user, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    (void)user;
    const agn_tensor *p[5], *zero = ag_lit(s, 0), *one = ag_lit(s, 1);
    for (int i = 0; i < 5; i++)
        p[i] = entry(s, in[0], i);
    const agn_tensor *sd = ag_exp(s, p[4]);
    const agn_tensor *f = matrix(s, p[0], p[1], one, zero), *step = matrix(s, sd, zero, zero, zero);
    const agn_tensor *begin = ag_linalg_cholesky(
        s, ag_linalg_discrete_lyapunov(s, f, ag_square(s, step)), false);
    const agn_tensor *year = ag_arange(s, AGN_F64, -45, LAKE_YEARS - 45, 1); /* from 1920 */
    const agn_tensor *y = ag_from_host(s, AGN_F64, 2, (const int64_t[]){LAKE_YEARS, 1}, lake_level);
    const agn_tensor *trend = ag_add(s, p[2], ag_mul(s, p[3], year));
    agn_distribution *law = NULL;
    agn_status st = agn_scope_status(s);
    st = st ? st
            : agn_distribution_gaussian_state_space(
                  &law, LAKE_YEARS, ag_zeros(s, AGN_F64, 1, (const int64_t[]){2}), begin, f, step,
                  ag_from_host(s, AGN_F64, 2, (const int64_t[]){1, 2}, (const double[]){1, 0}),
                  ag_zeros(s, AGN_F64, 2, (const int64_t[]){1, 1}), NULL);
    const agn_distribution *d = agn_distribution_adopt(s, st, &law);
    out[0] = ag_neg(s, ag_distribution_log_prob(s, d, ag_sub(s, y, ag_expand_dims(s, trend, 1))));
    return agn_scope_status(s);
}
/* of all numbers: phi from partial correlations, tanh of the first two, so that the process is
   stationary */
static const agn_tensor *constrain(agn_scope *s, const agn_tensor *v)
{
    const agn_tensor *r1 = ag_tanh(s, entry(s, v, 0)), *r2 = ag_tanh(s, entry(s, v, 1));
    const agn_tensor *const all[] = {ag_mul(s, r1, ag_add_c(s, ag_neg(s, r2), 1)), r2,
                                     ag_add_c(s, entry(s, v, 2), 579), entry(s, v, 3),
                                     entry(s, v, 4)};
    return ag_stack(s, all, 5, 0);
}
static agn_status loss(void *user, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    const agn_tensor *p = constrain(s, in[0]);
    return surprise(user, s, &p, out);
}

/* what is expected of the years after the last one: deviations from the trend die away, their
   variance grows */
static void draw(const char *path, const double *p)
{
    chart c = {picture_open(path, 640, 310), 60, 25, 560, 240, 1870, 1990, 575, 582.5};
    double year[LAKE_YEARS + AHEAD], trend[LAKE_YEARS + AHEAD], level[AHEAD], low[AHEAD],
        high[AHEAD];
    double weight[AHEAD + 1] = {1}, variance = 0; /* of a step on those that come */
    for (int i = 0; i < LAKE_YEARS + AHEAD; i++) {
        year[i] = LAKE_FIRST + i;
        trend[i] = p[2] + p[3] * (year[i] - 1920);
    }
    double last = lake_level[LAKE_YEARS - 1] - trend[LAKE_YEARS - 1],
           before = lake_level[LAKE_YEARS - 2] - trend[LAKE_YEARS - 2];
    for (int i = 0; i < AHEAD; i++) {
        double next = p[0] * last + p[1] * before;
        before = last;
        last = next;
        variance += weight[i] * weight[i] * exp(2 * p[4]);
        weight[i + 1] = p[0] * weight[i] + (i ? p[1] * weight[i - 1] : 0);
        level[i] = trend[LAKE_YEARS + i] + next;
        low[i] = level[i] - 1.96 * sqrt(variance);
        high[i] = level[i] + 1.96 * sqrt(variance);
    }
    chart_band(&c, AHEAD, year + LAKE_YEARS, low, high, CHART_PALE);
    chart_frame(&c, "Lake Huron: level (blue), trend (grey), forecast with 95 % (red)");
    chart_axes(&c, "year", "level, feet");
    chart_curve(&c, LAKE_YEARS + AHEAD, year, trend, CHART_GREY);
    chart_curve(&c, LAKE_YEARS, year, lake_level, CHART_BLUE);
    chart_curve(&c, AHEAD, year + LAKE_YEARS, level, CHART_RED);
    picture_close(c.f);
}

static agn_status report(agn_scope *s, const agn_tensor *best, double value, const char *path)
{
    static const char *const name[] = {"phi_1", "phi_2", "level in 1920", "slope"};
    agn_fn *f = NULL, *second = NULL;
    const agn_tensor *p = constrain(s, best), *h = NULL;
    agn_status st = agn_fn_new(&f, surprise, NULL, NULL, 1, 1);
    st = st ? st : agn_fn_hessian(&second, f, 0);
    st = st ? st : agn_fn_apply(s, &h, 1, second, &p, 1);
    const agn_tensor *error = ag_sqrt(s, ag_diagonal(s, ag_linalg_inv(s, h), 0, 0, 1));
    const double *v = agn_data(p), *e = agn_data(error);
    st = st ? st : agn_scope_status(s);
    if (!st) {
        for (int i = 0; i < 4; i++)
            printf("%-14s %9.4f, standard error %.4f\n", name[i], v[i], e[i]);
        printf("%-14s %9.4f\n%-14s %9.2f\n", "variance", exp(2 * v[4]), "log likelihood", -value);
        if (path)
            draw(path, v);
    }
    agn_fn_release(f);
    agn_fn_release(second);
    return st;
}

int main(int argc, char **argv)
{
    agn_fn *f = NULL;
    agn_tensor *start = NULL, *best = NULL;
    double value = 0;
    agn_optim_options opts = {.size = sizeof opts, .gradient_tol = 1e-7};
    agn_status st = agn_fn_new(&f, loss, NULL, NULL, 1, 1);
    st = st ? st : agn_zeros(&start, AGN_F64, 1, (const int64_t[]){5});
    const agn_tensor *in[] = {start};
    st = st ? st : agn_fn_minimise(&best, 1, &value, NULL, f, in, 1, AGN_OPTIM_BFGS, 200, &opts);
    agn_scope *s = agn_scope_open(NULL);
    st = st ? st : report(s, best, value, argc > 1 ? argv[1] : NULL);
    agn_scope_fail(s, st);
    st = agn_scope_close(s);
    if (st)
        fprintf(stderr, "%s\n", agn_error_message());
    agn_fn_release(f);
    agn_release(start);
    agn_release(best);
    return st != AGN_OK;
}
