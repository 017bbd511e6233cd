/* gp_classification.c - classes along a line by a Gaussian process (Rasmussen & Williams 2006,
   3.4): its scale and length are those of the largest marginal likelihood, by Laplace's method with
   exact gradients. With an argument a picture of the probability is written there. */
#include "picture.h"
#include <agnesi/agnesi.h>
#include <agnesi/infer_approximation.h>
#include <agnesi/linalg.h>
#include <agnesi/optim.h>
#include <math.h>

enum { POINTS = 48 };
static const int64_t points = POINTS;

/* positions from -3 to 3; the class is 1 in the middle and on the right, with a few exceptions */
static double place(int i)
{
    return -3 + 6.0 * i / (POINTS - 1);
}
static double class_of(int i)
{
    bool one = fabs(place(i) + 0.3) < 0.8 || place(i) > 1.9;
    return one != (i == 5 || i == 22 || i == 45);
}

/* log p(classes | f) + log p(f | theta): a squared exponential covariance, theta the logs of scale
   and length */
static agn_status joint(void *user, agn_scope *s, const agn_tensor *const *in,
                        const agn_tensor **out)
{
    (void)user;
    static const int64_t zero = 0, one = 1, two = 2;
    double sign[POINTS], square[POINTS * POINTS], eye[POINTS * POINTS];
    for (int i = 0; i < POINTS; i++) {
        sign[i] = 2 * class_of(i) - 1;
        for (int j = 0; j < POINTS; j++) {
            square[i * POINTS + j] = -0.5 * (place(i) - place(j)) * (place(i) - place(j));
            eye[i * POINTS + j] = i == j ? 1e-6 : 0;
        }
    }
    const int64_t both[2] = {POINTS, POINTS}, column[2] = {POINTS, 1};
    const agn_tensor *scale = ag_slice(s, in[1], 1, &zero, &one, NULL),
                     *length = ag_slice(s, in[1], 1, &one, &two, NULL);
    const agn_tensor *k = ag_exp(s, ag_mul(s, ag_from_host(s, AGN_F64, 2, both, square),
                                           ag_exp(s, ag_mul_c(s, length, -2))));
    k = ag_mul(s, ag_add(s, k, ag_from_host(s, AGN_F64, 2, both, eye)),
               ag_exp(s, ag_mul_c(s, scale, 2)));
    const agn_tensor *l = ag_linalg_cholesky(s, k, false);
    const agn_tensor *white = ag_linalg_triangular_solve(s, l, ag_reshape(s, in[0], 2, column),
                                                         false);
    const agn_tensor *prior = ag_add(s, ag_mul_c(s, ag_sum_all(s, ag_square(s, white)), 0.5),
                                     ag_sum_all(s, ag_log(s, ag_diagonal(s, l, 0, -2, -1))));
    const agn_tensor *like = ag_sum_all(
        s, ag_softplus(s, ag_neg(s, ag_mul(s, in[0], ag_from_host(s, AGN_F64, 1, &points, sign)))));
    out[0] = ag_add_c(s, ag_neg(s, ag_add(s, prior, like)), -POINTS * 0.91893853320467274);
    return agn_scope_status(s);
}
static agn_status loss(void *integral, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    const agn_tensor *y[2] = {NULL, NULL}, *args[2] = {in[1], in[0]};
    agn_status st = agn_fn_apply(s, y, 2, integral, args, 2);
    out[0] = ag_neg(s, y[0]);
    return st ? st : agn_scope_status(s);
}

int main(int argc, char **argv)
{
    agn_fn *density = NULL, *integral = NULL, *f = NULL;
    agn_tensor *theta = NULL, *zero = NULL, *best = NULL, *y[2] = {NULL, NULL};
    double value = 0;
    int32_t reason = 0;
    agn_status st = agn_fn_new(&density, joint, NULL, NULL, 2, 1);
    st = st ? st : agn_fn_laplace(&integral, density, NULL);
    st = st ? st : agn_fn_new(&f, loss, integral, NULL, 2, 1);
    st = st ? st : agn_zeros(&theta, AGN_F64, 1, (const int64_t[]){2});
    st = st ? st : agn_zeros(&zero, AGN_F64, 1, &points);
    const agn_tensor *in[2] = {theta, zero};
    agn_optim_options opts = {.size = sizeof opts, .gradient_tol = 1e-5};
    st = st ? st : agn_fn_minimise(&best, 1, &value, &reason, f, in, 2, AGN_OPTIM_BFGS, 60, &opts);
    const agn_tensor *at[2] = {zero, best};
    st = st ? st : agn_fn_call(y, 2, integral, at, 2);
    if (!st) {
        const double *v = agn_data(best), *mode = agn_data(y[1]);
        printf("scale %.1f, length %.1f, log marginal likelihood %.1f\n", exp(v[0]), exp(v[1]),
               -value);
        for (int i = 3; i < POINTS; i += 9)
            printf("at %+.1f class %.0f, probability of 1 at the mode %.1f\n", place(i),
                   class_of(i), 1 / (1 + exp(-mode[i])));
        FILE *p = argc > 1 ? picture_open(argv[1], 620, 240) : NULL;
        for (int i = 0; p && i < POINTS; i++) {
            picture_disc(p, 310 + 95 * place(i), class_of(i) > 0 ? 20 : 220, 4,
                         class_of(i) * 0.7 + 0.1);
            picture_disc(p, 310 + 95 * place(i), 220 - 200 / (1 + exp(-mode[i])), 2.5, 0.5);
        }
        picture_close(p);
    }
    if (st)
        fprintf(stderr, "%s\n", agn_error_message());
    agn_fn_release(f);
    agn_fn_release(integral);
    agn_fn_release(density);
    agn_release(theta);
    agn_release(zero);
    agn_release(best);
    agn_release(y[0]);
    agn_release(y[1]);
    return st != AGN_OK;
}
