/* gp_regression.c - regression by a Gaussian process (Rasmussen & Williams 2006, 2.2 and 5.4):
   scale, length and noise are those of the largest marginal likelihood, by its gradient; the curve
   with its band is what data say of it, with a gap of fifteen years to be bridged. The gradient is
   compared with the formula for it. With an argument a picture is written there. */
#include "chart.h"
#include "lake_huron.h"
#include <agnesi/agnesi.h>
#include <agnesi/linalg.h>
#include <agnesi/optim.h>

enum { GAP = 40, GAP_END = 55, SEEN = LAKE_YEARS - (GAP_END - GAP), GRID = 120 };
static const int64_t seen = SEEN;

static const agn_tensor *entry(agn_scope *s, const agn_tensor *v, int i)
{
    return ag_index_axis(s, v, 0, i);
}
/* the covariance of values at years a and b: Matern 3/2, theta are logs of scale, length and noise
   */
static const agn_tensor *covariance(agn_scope *s, const agn_tensor *theta, const agn_tensor *a,
                                    const agn_tensor *b)
{
    const agn_tensor *far = ag_abs(s, ag_sub(s, ag_expand_dims(s, a, 1), ag_expand_dims(s, b, 0)));
    const agn_tensor *r = ag_mul(s, ag_mul_c(s, far, sqrt(3.0)),
                                 ag_exp(s, ag_neg(s, entry(s, theta, 1))));
    return ag_mul(s, ag_exp(s, ag_mul_c(s, entry(s, theta, 0), 2)),
                  ag_mul(s, ag_add_c(s, r, 1), ag_exp(s, ag_neg(s, r))));
}
static const agn_tensor *noisy(agn_scope *s, const agn_tensor *theta, const agn_tensor *years)
{
    const agn_tensor *noise = ag_exp(s, ag_mul_c(s, entry(s, theta, 2), 2));
    return ag_add(s, covariance(s, theta, years, years),
                  ag_mul(s, ag_eye(s, AGN_F64, SEEN, SEEN, 0), noise));
}

/* minus the log marginal likelihood of theta; in: theta, years, levels */
static agn_status surprise(void *user, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    (void)user;
    const agn_tensor *l = ag_linalg_cholesky(s, noisy(s, in[0], in[1]), false);
    const agn_tensor *white = ag_linalg_triangular_solve(s, l, ag_expand_dims(s, in[2], 1), false);
    const agn_tensor *fit = ag_mul_c(s, ag_sum_all(s, ag_square(s, white)), 0.5);
    const agn_tensor *det = ag_sum_all(s, ag_log(s, ag_diagonal(s, l, 0, 0, 1)));
    out[0] = ag_add_c(s, ag_add(s, fit, det), SEEN * 0.91893853320467274);
    return agn_scope_status(s);
}
static agn_status matrix_of_data(void *user, agn_scope *s, const agn_tensor *const *in,
                                 const agn_tensor **out)
{
    (void)user;
    out[0] = noisy(s, in[0], in[1]);
    return agn_scope_status(s);
}

/* the largest difference between the gradient and tr((K^-1 - a a') dK) / 2 with a = K^-1 y (5.9
   there) */
static const agn_tensor *difference(agn_scope *s, const agn_fn *f, const agn_fn *of_data,
                                    const agn_tensor *const *in)
{
    agn_fn *df = NULL, *dk = NULL;
    const agn_tensor *g = NULL, *j = NULL;
    agn_status st = agn_fn_grad(&df, f, NULL, 1);
    st = st ? st : agn_fn_jacobian(&dk, of_data, 0);
    st = st ? st : agn_fn_apply(s, &g, 1, df, in, 3);
    st = st ? st : agn_fn_apply(s, &j, 1, dk, in, 2);
    agn_scope_fail(s, st);
    const agn_tensor *inverse = ag_linalg_inv(s, noisy(s, in[0], in[1]));
    const agn_tensor *a = ag_matmul(s, inverse, in[2]);
    const agn_tensor *const both[] = {ag_sub(s, inverse, ag_outer(s, a, a)), j};
    const agn_tensor *formula = ag_mul_c(s, ag_einsum(s, "ab,bak->k", both, 2), 0.5);
    agn_fn_release(df);
    agn_fn_release(dk);
    return ag_max(s, ag_abs(s, ag_sub(s, g, formula)), NULL, 0, false);
}

/* mean and deviation of the curve at years of a grid */
static void predict(agn_scope *s, const agn_tensor *theta, const agn_tensor *years,
                    const agn_tensor *y, const agn_tensor *at, const agn_tensor **mean,
                    const agn_tensor **sd)
{
    const agn_tensor *l = ag_linalg_cholesky(s, noisy(s, theta, years), false);
    const agn_tensor *cross = covariance(s, theta, years, at);
    const agn_tensor *w = ag_linalg_triangular_solve(s, l, cross, false);
    const agn_tensor *v = ag_linalg_triangular_solve(s, l, ag_expand_dims(s, y, 1), false);
    const int32_t rows = 0;
    *mean = ag_sum(s, ag_mul(s, w, v), &rows, 1, false);
    const agn_tensor *prior = ag_exp(s, ag_mul_c(s, entry(s, theta, 0), 2));
    *sd = ag_sqrt(s, ag_sub(s, prior, ag_sum(s, ag_square(s, w), &rows, 1, false)));
}

static void draw(const char *path, const double *mean, const double *sd, const double *at,
                 double centre)
{
    chart c = {picture_open(path, 640, 310), 60, 25, 560, 240, 1870, 1980, 575, 583};
    double low[GRID], high[GRID], middle[GRID];
    for (int i = 0; i < GRID; i++) {
        middle[i] = centre + mean[i];
        low[i] = middle[i] - 1.96 * sd[i];
        high[i] = middle[i] + 1.96 * sd[i];
    }
    chart_band(&c, GRID, at, low, high, CHART_PALE);
    chart_frame(&c, "Lake Huron: a Gaussian process with 95 %; red: not shown to it");
    chart_axes(&c, "year", "level, feet");
    chart_curve(&c, GRID, at, middle, CHART_BLUE);
    for (int i = 0; i < LAKE_YEARS; i++)
        chart_point(&c, LAKE_FIRST + i, lake_level[i], 2.2,
                    i >= GAP && i < GAP_END ? CHART_RED : "black");
    picture_close(c.f);
}

int main(int argc, char **argv)
{
    double year[SEEN], level[SEEN], centre = 0, value = 0;
    int n = 0;
    for (int i = 0; i < LAKE_YEARS; i++)
        if (i < GAP || i >= GAP_END) {
            year[n] = LAKE_FIRST + i;
            centre += lake_level[i] / SEEN;
            level[n++] = lake_level[i];
        }
    for (int i = 0; i < SEEN; i++)
        level[i] -= centre;
    agn_fn *f = NULL, *of_data = NULL;
    agn_tensor *best = NULL;
    agn_status st = agn_fn_new(&f, surprise, NULL, NULL, 3, 1);
    st = st ? st : agn_fn_new(&of_data, matrix_of_data, NULL, NULL, 2, 1);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *years = ag_from_host(s, AGN_F64, 1, &seen, year);
    const agn_tensor *y = ag_from_host(s, AGN_F64, 1, &seen, level);
    const double begin[] = {0, 1, -1};
    const agn_tensor *theta = ag_from_host(s, AGN_F64, 1, (const int64_t[]){3}, begin);
    const agn_tensor *in[] = {theta, years, y};
    agn_optim_options opts = {.size = sizeof opts, .gradient_tol = 1e-7};
    st = st ? st : agn_scope_status(s);
    st = st ? st : agn_fn_minimise(&best, 1, &value, NULL, f, in, 3, AGN_OPTIM_BFGS, 100, &opts);
    agn_scope_fail(s, st);
    const agn_tensor *off = difference(s, f, of_data, in);
    const agn_tensor *at = ag_linspace(s, AGN_F64, LAKE_FIRST - 5, LAKE_FIRST + LAKE_YEARS + 6,
                                       GRID);
    const agn_tensor *mean = NULL, *sd = NULL;
    predict(s, best, years, y, at, &mean, &sd);
    if (!agn_scope_status(s)) {
        const double *v = agn_data(best), *d = agn_data(off);
        printf("gradient: %s\n", *d < 1e-10 ? "as by the formula" : "not as by the formula");
        printf("scale %.2f feet, length %.1f years, noise %.2f feet\n", exp(v[0]), exp(v[1]),
               exp(v[2]));
        printf("log marginal likelihood %.3f\n", -value);
        if (argc > 1)
            draw(argv[1], agn_data(mean), agn_data(sd), agn_data(at), centre);
    }
    st = agn_scope_close(s);
    if (st)
        fprintf(stderr, "%s\n", agn_error_message());
    agn_fn_release(f);
    agn_fn_release(of_data);
    agn_release(best);
    return st != AGN_OK;
}
