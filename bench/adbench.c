/* bench/adbench.c - two of the objectives of ADBench (Srajer, Kukelova & Fitzgibbon 2018) with
   their derivatives: mixtures of Gaussians and the adjustment of bundles. */
#include "task.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- ADBench: a mixture of Gaussians --------------------------------------------------------- */

typedef struct mixture {
    mixture_sizes of;
    agn_tensor *place, *below; /* of the entries of l in a lower triangle; 1 below the diagonal */
} mixture;

static agn_status mixture_body(void *user, agn_scope *s, const agn_tensor *const *in,
                               const agn_tensor **out)
{
    const mixture *m = user;
    const agn_tensor *alpha = in[0], *mu = in[1], *icf = in[2], *x = in[3];
    int64_t d = m->of.d, K = m->of.K, n = m->of.n, from[] = {0, 0}, to[] = {K, d}, step[] = {1, 1};
    const agn_tensor *q = ag_slice(s, icf, 2, from, to, step);
    from[1] = d;
    to[1] = d * (d + 1) / 2;
    const agn_tensor *l = ag_slice(s, icf, 2, from, to, step);
    const agn_tensor *lower =
        ag_reshape(s, ag_gather(s, l, m->place, 1), 3, (int64_t[]){K, d, d});
    const agn_tensor *e = ag_exp(s, q);
    const agn_tensor *Q = ag_add(s, ag_mul(s, lower, m->below),
                                 ag_mul(s, ag_eye(s, AGN_F64, d, d, 0), ag_expand_dims(s, e, 2)));
    const agn_tensor *rows = ag_reshape(s, Q, 2, (int64_t[]){K * d, d});
    const agn_tensor *Qx = ag_reshape(s, ag_matmul(s, x, ag_transpose(s, rows)), 3,
                                      (int64_t[]){n, K, d});
    const agn_tensor *Qmu = ag_squeeze(s, ag_matmul(s, Q, ag_expand_dims(s, mu, 2)), 2);
    const agn_tensor *z = ag_square(s, ag_sub(s, Qx, Qmu));
    const agn_tensor *inner =
        ag_sub(s, ag_add(s, alpha, ag_sum(s, q, (int32_t[]){1}, 1, false)),
               ag_mul_c(s, ag_sum(s, z, (int32_t[]){2}, 1, false), 0.5));
    const agn_tensor *fit = ag_sum_all(s, ag_logsumexp(s, inner, (int32_t[]){1}, 1, false));
    const agn_tensor *weights = ag_logsumexp(s, alpha, (int32_t[]){0}, 1, false);
    const agn_tensor *wishart =
        ag_mul_c(s, ag_add(s, ag_sum_all(s, ag_square(s, e)), ag_sum_all(s, ag_square(s, l))), 0.5);
    out[0] = ag_add_c(s, ag_add(s, ag_sub(s, fit, ag_mul_c(s, weights, (double)n)), wishart),
                      m->of.constant);
    return AGN_OK;
}

static void run_mixture(int64_t d, int64_t K, int64_t n)
{
    char id[64];
    snprintf(id, sizeof id, "adbench/gmm/d%lld-k%lld-n%lld/f64", (long long)d, (long long)K,
             (long long)n);
    if (!task_asked(id))
        return;
    const double pi = acos(-1);
    mixture m = {.of = {.d = d, .K = K, .n = n}};
    int64_t *place = calloc((size_t)(d * d), sizeof *place);
    double *below = calloc((size_t)(d * d), sizeof *below);
    if (!place || !below)
        bench_die("memory");
    for (int64_t i = 0, k = 0; i < d; i++)
        for (int64_t j = i + 1; j < d; j++) {
            place[j * d + i] = k++;
            below[j * d + i] = 1;
        }
    TRY(agn_from_host(&m.place, AGN_I64, 1, (int64_t[]){d * d}, place));
    TRY(agn_from_host(&m.below, AGN_F64, 2, (int64_t[]){d, d}, below));
    free(place);
    free(below);
    double C = -0.5 * (double)((d + 1) * d) * log(2) - 0.25 * (double)(d * (d - 1)) * log(pi);
    for (int64_t j = 1; j <= d; j++)
        C -= lgamma(0.5 * (double)(d + 1) + 0.5 * (double)(1 - j));
    m.of.constant = -0.5 * (double)(n * d) * log(2 * pi) - (double)K * C;
    task t = {.in = {grid1(K, -1, 1, 1, AGN_F64), grid2(K, d, -1, 1, 2, AGN_F64),
                     grid2(K, d * (d + 1) / 2, -0.5, 0.5, 3, AGN_F64),
                     grid2(n, d, -1, 1, 4, AGN_F64)},
              .check = value_and_norm};
    agn_fn *f = NULL, *df = NULL;
    TRY(agn_fn_new(&f, mixture_body, &m, NULL, 4, 1));
    TRY(agn_fn_value_and_grad(&df, f, (int32_t[]){0, 1, 2}, 3));
    task_run(id, &t, f, df);
    task_by_hand(id, &t, by_hand_mixture, &m.of, AGN_F64, 4,
                 (int64_t[]){1, K, K * d, K * d * (d + 1) / 2});
    task_close(&t);
    agn_release(m.place);
    agn_release(m.below);
}

/* ---- ADBench: bundle adjustment ------------------------------------------------------------- */

static const agn_tensor *part(agn_scope *s, const agn_tensor *x, int64_t from, int64_t to)
{
    return ag_slice(s, x, 1, &from, &to, (int64_t[]){1});
}
static const agn_tensor *dot(agn_scope *s, const agn_tensor *a, const agn_tensor *b)
{
    return ag_sum(s, ag_mul(s, a, b), (int32_t[]){0}, 1, true);
}
/* v: camera 11, point 3, weight 1; the image of the point beside its feature */
static agn_status residual(void *user, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    const agn_tensor *v = in[0], *rot = part(s, v, 0, 3);
    (void)user;
    const agn_tensor *angle = ag_sqrt(s, dot(s, rot, rot)), *k = ag_div(s, rot, angle);
    const agn_tensor *Y = ag_sub(s, part(s, v, 11, 14), part(s, v, 3, 6));
    const agn_tensor *cosine = ag_cos(s, angle);
    const agn_tensor *side = ag_mul(s, ag_cross(s, k, Y, -1), ag_sin(s, angle));
    const agn_tensor *along =
        ag_mul(s, dot(s, k, Y), ag_sub(s, ag_lit(s, 1), cosine));
    const agn_tensor *R =
        ag_add(s, ag_add(s, ag_mul(s, Y, cosine), side), ag_mul(s, k, along));
    const agn_tensor *q = ag_div(s, part(s, R, 0, 2), part(s, R, 2, 3)), *r2 = dot(s, q, q);
    const agn_tensor *lens =
        ag_add(s, ag_add_c(s, ag_mul(s, part(s, v, 9, 10), r2), 1),
               ag_mul(s, part(s, v, 10, 11), ag_square(s, r2)));
    const agn_tensor *image = ag_add(s, ag_mul(s, ag_mul(s, q, lens), part(s, v, 6, 7)),
                                     part(s, v, 7, 9));
    out[0] = ag_mul(s, part(s, v, 14, 15), ag_sub(s, image, in[1]));
    return AGN_OK;
}

typedef struct bundle {
    agn_fn *residuals, *jacobians; /* of all observations */
    agn_tensor *camera, *point;    /* of each observation */
} bundle;

static agn_status bundle_body(void *user, agn_scope *s, const agn_tensor *const *in,
                              const agn_tensor **out)
{
    const bundle *b = user;
    const agn_tensor *w = ag_expand_dims(s, in[2], 1);
    const agn_tensor *v = ag_concat(s,
                                    (const agn_tensor *[]){ag_gather(s, in[0], b->camera, 0),
                                                           ag_gather(s, in[1], b->point, 0), w},
                                    3, 1);
    const agn_tensor *a[] = {v, in[3]};
    agn_fn_apply(s, out, agn_fn_n_out(b->residuals), b->residuals, a, 2);
    agn_fn_apply(s, out + 1, agn_fn_n_out(b->jacobians), b->jacobians, a, 2);
    out[2] = ag_mul_c(s, in[2], -2);
    return AGN_OK;
}

static void run_bundle(int64_t n, int64_t m, int64_t p)
{
    char id[64];
    snprintf(id, sizeof id, "adbench/ba/c%lld-p%lld-o%lld/f64", (long long)n, (long long)m,
             (long long)p);
    if (!task_asked(id))
        return;
    int64_t *of = calloc((size_t)p, sizeof *of);
    if (!of)
        bench_die("memory");
    bundle b = {NULL, NULL, NULL, NULL};
    for (int64_t o = 0; o < p; o++)
        of[o] = o % n;
    TRY(agn_from_host(&b.camera, AGN_I64, 1, &p, of));
    for (int64_t o = 0; o < p; o++)
        of[o] = 7919 * o % m;
    TRY(agn_from_host(&b.point, AGN_I64, 1, &p, of));
    free(of);
    agn_tensor *piece[5] = {grid2(n, 3, 0.1, 0.5, 1, AGN_F64), grid2(n, 3, -0.5, 0.5, 2, AGN_F64),
                            grid2(n, 1, 0.9, 1.1, 3, AGN_F64), grid2(n, 2, -0.1, 0.1, 4, AGN_F64),
                            grid2(n, 2, -0.1, 0.1, 5, AGN_F64)};
    agn_tensor *place[2] = {grid2(m, 2, -1, 1, 6, AGN_F64), grid2(m, 1, 3, 5, 7, AGN_F64)};
    task t = {.in = {NULL, NULL, grid1(p, 0.5, 1, 8, AGN_F64), grid2(p, 2, -1, 1, 9, AGN_F64)},
              .check = each_square_sum};
    TRY(agn_concat(&t.in[0], (const agn_tensor *const *)piece, 5, 1));
    TRY(agn_concat(&t.in[1], (const agn_tensor *const *)place, 2, 1));
    for (int i = 0; i < 5; i++)
        agn_release(piece[i]);
    agn_release(place[0]);
    agn_release(place[1]);
    agn_fn *r = NULL, *J = NULL, *f = NULL;
    TRY(agn_fn_new(&r, residual, NULL, NULL, 2, 1));
    TRY(agn_fn_jacobian(&J, r, 0));
    TRY(agn_fn_vmap(&b.residuals, r, NULL, 0, NULL, 0));
    TRY(agn_fn_vmap(&b.jacobians, J, NULL, 0, NULL, 0));
    TRY(agn_fn_new(&f, bundle_body, &b, NULL, 4, 3));
    task_run(id, &t, NULL, f);
    task_by_hand(id, &t, by_hand_bundle, &(bundle_sizes){n, m, p}, AGN_F64, 3,
                 (int64_t[]){2 * p, 30 * p, p});
    task_close(&t);
    agn_fn_release(r);
    agn_fn_release(J);
    agn_fn_release(b.residuals);
    agn_fn_release(b.jacobians);
    agn_release(b.camera);
    agn_release(b.point);
}

void bench_adbench(void)
{
    run_mixture(10, 25, 1000);
    run_mixture(64, 100, 1000);
    run_bundle(49, 7776, 31843);
    bench_hand();
}
