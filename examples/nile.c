/* nile.c - the level of the Nile at Aswan, 1871 to 1970, as a random walk seen with errors (Durbin
   & Koopman 2012, 2.2): the likelihood of both variances by an integral over all levels, which is
   exact as all of them are normal; its maximum by exact gradients; the smoothed levels. With an
   argument a picture is written there. */
#include "picture.h"
#include <agnesi/agnesi.h>
#include <agnesi/infer_approximation.h>
#include <agnesi/linalg.h>
#include <agnesi/optim.h>
#include <math.h>

enum { YEARS = 100 };
static const double flow[YEARS] = {
    1120, 1160, 963, 1210, 1160, 1160, 813,  1230, 1370, 1140, 995,  935,  1110, 994,  1020,
    960,  1180, 799, 958,  1140, 1100, 1210, 1150, 1250, 1260, 1220, 1030, 1100, 774,  840,
    874,  694,  940, 833,  701,  916,  692,  1020, 1050, 969,  831,  726,  456,  824,  702,
    1120, 1100, 832, 764,  821,  768,  845,  864,  862,  698,  845,  744,  796,  1040, 759,
    781,  865,  845, 944,  984,  897,  822,  1010, 771,  676,  649,  846,  812,  742,  801,
    1040, 860,  874, 848,  890,  744,  749,  838,  1050, 918,  986,  797,  923,  975,  815,
    1020, 906,  901, 1170, 912,  746,  919,  718,  714,  740};
static const int64_t years = YEARS;

/* log density of levels in hundreds and of the flows, given logs of both deviations */
static agn_status joint(void *user, agn_scope *s, const agn_tensor *const *in,
                        const agn_tensor **out)
{
    (void)user;
    static const int64_t zero = 0, one = 1, two = 2, last = YEARS - 1;
    const agn_tensor *y = ag_mul_c(s, ag_from_host(s, AGN_F64, 1, &years, flow), 0.01);
    const agn_tensor *of_level = ag_slice(s, in[1], 1, &zero, &one, NULL),
                     *of_error = ag_slice(s, in[1], 1, &one, &two, NULL);
    const agn_tensor *steps = ag_sub(s, ag_slice(s, in[0], 1, &one, &years, NULL),
                                     ag_slice(s, in[0], 1, &zero, &last, NULL));
    const agn_tensor *walk = ag_mul(s, ag_sum_all(s, ag_square(s, steps)),
                                    ag_exp(s, ag_mul_c(s, of_level, -2)));
    const agn_tensor *error = ag_mul(s, ag_sum_all(s, ag_square(s, ag_sub(s, y, in[0]))),
                                     ag_exp(s, ag_mul_c(s, of_error, -2)));
    const agn_tensor *logs = ag_add(s, ag_mul_c(s, of_level, YEARS - 1),
                                    ag_mul_c(s, of_error, YEARS));
    out[0] = ag_neg(s, ag_sum_all(s, ag_add(s, ag_mul_c(s, ag_add(s, walk, error), 0.5), logs)));
    return agn_scope_status(s);
}
/* of the deviations, and of the levels where the search for their mode begins */
static agn_status loss(void *integral, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    const agn_tensor *y[2] = {NULL, NULL}, *args[2] = {in[1], in[0]};
    agn_status st = agn_fn_apply(s, y, 2, integral, args, 2);
    out[0] = ag_neg(s, y[0]);
    return st ? st : agn_scope_status(s);
}

/* deviations of the levels: the inverse of a matrix with three diagonals */
static agn_status spread_of(double *sd, double level, double error)
{
    static double h[YEARS * YEARS];
    for (int i = 0; i < YEARS; i++) {
        h[i * YEARS + i] = 1 / (error * error) + (i > 0 ? 1 : 0) / (level * level) +
                           (i < YEARS - 1 ? 1 : 0) / (level * level);
        if (i > 0)
            h[i * YEARS + i - 1] = h[(i - 1) * YEARS + i] = -1 / (level * level);
    }
    agn_tensor *a = NULL, *inverse = NULL, *rows = NULL;
    const void *v = NULL;
    agn_status st = agn_from_host(&a, AGN_F64, 2, (const int64_t[]){YEARS, YEARS}, h);
    st = st ? st : agn_linalg_inv(&inverse, a);
    st = st ? st : agn_contiguous(&rows, inverse);
    st = st ? st : agn_data_contiguous(&v, rows);
    for (int i = 0; !st && i < YEARS; i++)
        sd[i] = sqrt(((const double *)v)[i * YEARS + i]);
    agn_release(a);
    agn_release(inverse);
    agn_release(rows);
    return st;
}
static void draw(const char *path, const double *level, const double *sd)
{
    FILE *f = picture_open(path, 620, 320);
    if (!f)
        return;
    fputs("<polygon fill=\"rgb(200,220,240)\" points=\"", f);
    for (int k = 0; k < 2 * YEARS; k++) {
        int i = k < YEARS ? k : 2 * YEARS - 1 - k;
        fprintf(f, "%.1f,%.1f ", 10 + 6.0 * i,
                310 - 0.22 * (100 * (level[i] + (k < YEARS ? 1.645 : -1.645) * sd[i]) - 400) * 1.3);
    }
    fputs("\"/>\n<polyline fill=\"none\" stroke=\"rgb(59,82,139)\" stroke-width=\"2\" points=\"",
          f);
    for (int i = 0; i < YEARS; i++)
        fprintf(f, "%.1f,%.1f ", 10 + 6.0 * i, 310 - 0.22 * (100 * level[i] - 400) * 1.3);
    fputs("\"/>\n", f);
    for (int i = 0; i < YEARS; i++)
        picture_disc(f, 10 + 6.0 * i, 310 - 0.22 * (flow[i] - 400) * 1.3, 2.5, 0.3);
    picture_close(f);
}

int main(int argc, char **argv)
{
    agn_fn *density = NULL, *integral = NULL, *f = NULL;
    agn_tensor *theta = NULL, *levels = NULL, *best = NULL, *y[2] = {NULL, NULL};
    double value = 0, sd[YEARS];
    int32_t reason = 0;
    agn_status st = agn_fn_new(&density, joint, NULL, NULL, 2, 1);
    st = st ? st : agn_fn_laplace(&integral, density, NULL);
    st = st ? st : agn_fn_new(&f, loss, integral, NULL, 2, 1);
    st = st ? st : agn_zeros(&theta, AGN_F64, 1, (const int64_t[]){2});
    st = st ? st : agn_full(&levels, AGN_F64, 1, &years, 9);
    const agn_tensor *in[2] = {theta, levels};
    agn_optim_options opts = {.size = sizeof opts, .gradient_tol = 1e-8};
    st = st ? st : agn_fn_minimise(&best, 1, &value, &reason, f, in, 2, AGN_OPTIM_BFGS, 100, &opts);
    const agn_tensor *at[2] = {levels, best};
    st = st ? st : agn_fn_call(y, 2, integral, at, 2);
    if (!st) {
        const double *v = agn_data(best), *level = agn_data(y[1]), a = exp(v[0]), b = exp(v[1]);
        printf("variance of the errors %.0f, of the steps of the level %.0f\n", 1e4 * b * b,
               1e4 * a * a);
        /* constants of 199 normal densities, of which the integral has one; flows are in hundreds
           */
        printf("diffuse log likelihood %.2f\n",
               -value - (YEARS - 0.5) * log(2 * acos(-1)) - (YEARS - 1) * log(100));
        st = spread_of(sd, a, b);
        for (int i = 0; !st && i < YEARS; i += 33)
            printf("%d: flow %.0f, level %.0f, give or take %.0f\n", 1871 + i, flow[i],
                   100 * level[i], 100 * sd[i]);
        if (!st && argc > 1)
            draw(argv[1], level, sd);
    }
    if (st)
        fprintf(stderr, "%s\n", agn_error_message());
    agn_fn_release(f);
    agn_fn_release(integral);
    agn_fn_release(density);
    agn_release(theta);
    agn_release(levels);
    agn_release(best);
    agn_release(y[0]);
    agn_release(y[1]);
    return st != AGN_OK;
}
