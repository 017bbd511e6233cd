/* nn/elementwise_losses.c - losses of single elements. Each is an expression in the arguments
   x[] and numbers p; the result has the shape of the first argument before it is reduced. */
#include "nn/nn.h"

#include <math.h>

typedef const agn_tensor *expression(agn_scope *s, const agn_tensor *const *x,
                                     const double *p);

/* less: last axes of the first argument that the others do not have */
static agn_status apply_loss(agn_tensor **out, agni_nn *c, expression *f, const double *p)
{
    agn_status st = agni_nn_open(c, out);
    if (st)
        return st;
    bool good = true;
    for (int i = 1; good && i < AGNI_NN_ARGS && c->in[i].name; i++)
        good = agni_nn_fits(c, i, 0);
    return agni_nn_close(c, out, good ? agni_nn_reduce(c, f(c->s, c->x, p)) : NULL);
}

static const agn_tensor *one_minus(agn_scope *s, const agn_tensor *x)
{
    return ag_sub(s, ag_lit(s, 1), x);
}
static const agn_tensor *apply_weight(agn_scope *s, const agn_tensor *y, const agn_tensor *w)
{
    return w ? ag_mul(s, y, w) : y;
}

/* ---- distances ------------------------------------------------------------------- */

static const agn_tensor *squared_error(agn_scope *s, const agn_tensor *const *x, const double *p)
{
    (void)p;
    return ag_square(s, ag_sub(s, x[0], x[1]));
}
agn_status agn_nn_mse_loss(agn_tensor **out, const agn_tensor *x,
                           const agn_tensor *target, int32_t reduction)
{
    agni_nn c = {.op = "nn_mse_loss",
                 .in = {{"x", x, 0}, {"target", target, 0}},
                 .reduction = reduction};
    return apply_loss(out, &c, squared_error, NULL);
}

static const agn_tensor *absolute_error(agn_scope *s, const agn_tensor *const *x, const double *p)
{
    (void)p;
    return ag_abs(s, ag_sub(s, x[0], x[1]));
}
agn_status agn_nn_l1_loss(agn_tensor **out, const agn_tensor *x,
                          const agn_tensor *target, int32_t reduction)
{
    agni_nn c = {.op = "nn_l1_loss",
                 .in = {{"x", x, 0}, {"target", target, 0}},
                 .reduction = reduction};
    return apply_loss(out, &c, absolute_error, NULL);
}

/* a parabola that goes over into a line of slope p1 at p0 */
static const agn_tensor *huber_error(agn_scope *s, const agn_tensor *const *x, const double *p)
{
    const agn_tensor *d = absolute_error(s, x, NULL);
    const agn_tensor *bend = ag_mul_c(s, ag_square(s, d), p[1] / (2 * p[0]));
    const agn_tensor *line = ag_mul_c(s, ag_sub_c(s, d, p[0] / 2), p[1]);
    return ag_where(s, ag_lt(s, d, ag_lit(s, p[0])), bend, line);
}
agn_status agn_nn_smooth_l1_loss(agn_tensor **out, const agn_tensor *x,
                                 const agn_tensor *target, double beta,
                                 int32_t reduction)
{
    agni_nn c = {.op = "nn_smooth_l1_loss",
                 .in = {{"x", x, 0}, {"target", target, 0}},
                 .reduction = reduction};
    if (!(beta >= 0))
        return agni_fail(
            AGN_EARG, "nn_smooth_l1_loss: beta is %g; it must not be negative", beta);
    return apply_loss(out, &c, beta == 0 ? absolute_error : huber_error, (double[]){beta, 1});
}
agn_status agn_nn_huber_loss(agn_tensor **out, const agn_tensor *x,
                             const agn_tensor *target, double delta, int32_t reduction)
{
    agni_nn c = {.op = "nn_huber_loss",
                 .in = {{"x", x, 0}, {"target", target, 0}},
                 .reduction = reduction};
    if (!(delta > 0))
        return agni_fail(AGN_EARG, "nn_huber_loss: delta is %g; it must be positive",
                         delta);
    return apply_loss(out, &c, huber_error, (double[]){delta, delta});
}

/* ---- two classes ----------------------------------------------------------------- */

static const agn_tensor *bce_of_probability(agn_scope *s, const agn_tensor *const *x,
                                            const double *p)
{
    (void)p;
    const agn_tensor *yes = ag_mulz(s, x[1], ag_log(s, x[0]));
    const agn_tensor *no = ag_mulz(s, one_minus(s, x[1]), ag_log1p(s, ag_neg(s, x[0])));
    return apply_weight(s, ag_neg(s, ag_add(s, yes, no)), x[2]);
}
agn_status agn_nn_bce_loss(agn_tensor **out, const agn_tensor *p,
                           const agn_tensor *target, const agn_tensor *weight,
                           int32_t reduction)
{
    agni_nn c = {.op = "nn_bce_loss",
                 .in = {{"p", p, 0},
                        {"target", target, 0},
                        {"weight", weight, AGNI_NN_OPTIONAL}},
                 .reduction = reduction};
    return apply_loss(out, &c, bce_of_probability, NULL);
}

const agn_tensor *agni_nn_bce(agn_scope *s, const agn_tensor *x, const agn_tensor *t,
                              const agn_tensor *w)
{
    const agn_tensor *yes = ag_mulz(s, apply_weight(s, t, w), ag_softplus(s, ag_neg(s, x)));
    return ag_add(s, yes, ag_mulz(s, one_minus(s, t), ag_softplus(s, x)));
}
static const agn_tensor *bce_with_logits(agn_scope *s, const agn_tensor *const *x,
                                         const double *p)
{
    (void)p;
    return apply_weight(s, agni_nn_bce(s, x[0], x[1], x[3]), x[2]);
}
agn_status agn_nn_bce_with_logits_loss(agn_tensor **out, const agn_tensor *x,
                                       const agn_tensor *target,
                                       const agn_tensor *weight,
                                       const agn_tensor *pos_weight, int32_t reduction)
{
    agni_nn c = {.op = "nn_bce_with_logits_loss",
                 .in = {{"x", x, 0},
                        {"target", target, 0},
                        {"weight", weight, AGNI_NN_OPTIONAL},
                        {"pos_weight", pos_weight, AGNI_NN_OPTIONAL}},
                 .reduction = reduction};
    return apply_loss(out, &c, bce_with_logits, NULL);
}

/* 1 - p_t without a difference: t sigmoid(-x) + (1 - t) sigmoid(x) */
static const agn_tensor *focal_loss(agn_scope *s, const agn_tensor *const *x, const double *p)
{
    const agn_tensor *t = x[1], *f = one_minus(s, t);
    const agn_tensor *wrong = ag_add(s, ag_mul(s, t, ag_sigmoid(s, ag_neg(s, x[0]))),
                                     ag_mul(s, f, ag_sigmoid(s, x[0])));
    const agn_tensor *y = ag_mulz(s, ag_pow_c(s, wrong, p[1]),
                                  agni_nn_bce(s, x[0], t, NULL));
    if (p[0] < 0)
        return y;
    return ag_mul(s, y, ag_add(s, ag_mul_c(s, t, p[0]), ag_mul_c(s, f, 1 - p[0])));
}
agn_status agn_nn_sigmoid_focal_loss(agn_tensor **out, const agn_tensor *x,
                                     const agn_tensor *target, double alpha,
                                     double gamma, int32_t reduction)
{
    agni_nn c = {.op = "nn_sigmoid_focal_loss",
                 .in = {{"x", x, 0}, {"target", target, 0}},
                 .reduction = reduction};
    if (!(gamma >= 0))
        return agni_fail(AGN_EARG,
                         "nn_sigmoid_focal_loss: gamma is %g; it must not be negative",
                         gamma);
    return apply_loss(out, &c, focal_loss, (double[]){alpha, gamma});
}

static const agn_tensor *log_loss(agn_scope *s, const agn_tensor *const *x,
                                  const double *p)
{
    const agn_tensor *yes = ag_mul(s, x[1], ag_log(s, ag_add_c(s, x[0], p[0])));
    const agn_tensor *rest = ag_sub(s, ag_lit(s, 1 + p[0]), x[0]);
    return ag_neg(s, ag_add(s, yes, ag_mul(s, one_minus(s, x[1]), ag_log(s, rest))));
}
agn_status agn_nn_log_loss(agn_tensor **out, const agn_tensor *p,
                           const agn_tensor *target, double eps, int32_t reduction)
{
    agni_nn c = {.op = "nn_log_loss",
                 .in = {{"p", p, 0}, {"target", target, 0}},
                 .reduction = reduction};
    return apply_loss(out, &c, log_loss, &eps);
}

static const agn_tensor *soft_margin_loss(agn_scope *s, const agn_tensor *const *x, const double *p)
{
    (void)p;
    return ag_softplus(s, ag_neg(s, ag_mul(s, x[0], x[1])));
}
agn_status agn_nn_soft_margin_loss(agn_tensor **out, const agn_tensor *x,
                                   const agn_tensor *target, int32_t reduction)
{
    agni_nn c = {.op = "nn_soft_margin_loss",
                 .in = {{"x", x, 0}, {"target", target, 0}},
                 .reduction = reduction};
    return apply_loss(out, &c, soft_margin_loss, NULL);
}

agn_status agn_nn_multi_label_soft_margin_loss(agn_tensor **out, const agn_tensor *x,
                                               const agn_tensor *target,
                                               const agn_tensor *weight,
                                               int32_t reduction)
{
    agni_nn c = {.op = "nn_multi_label_soft_margin_loss",
                 .in = {{"x", x, 0},
                        {"target", target, 0},
                        {"weight", weight, AGNI_NN_OPTIONAL}},
                 .reduction = reduction};
    agn_status st = agni_nn_open(&c, out);
    if (st)
        return st;
    const agn_tensor *y = NULL;
    if (agni_nn_fits(&c, 0, 1) && agni_nn_fits(&c, 1, 0) &&
        agni_nn_shaped(&c, 2, 1, x->shape + x->ndim - 1)) {
        y = apply_weight(c.s, agni_nn_bce(c.s, c.x[0], c.x[1], NULL), c.x[2]);
        y = agni_nn_reduce(&c, ag_mean(c.s, y, (int32_t[]){-1}, 1, false));
    }
    return agni_nn_close(&c, out, y);
}

/* ---- densities ------------------------------------------------------------------- */

static const agn_tensor *kl_loss(agn_scope *s, const agn_tensor *const *x, const double *p)
{
    bool logs = p[0] != 0;
    const agn_tensor *t = logs ? ag_exp(s, x[1]) : x[1],
                     *log_t = logs ? x[1] : ag_log(s, x[1]);
    return ag_mulz(s, t, ag_sub(s, log_t, x[0]));
}
agn_status agn_nn_kl_div(agn_tensor **out, const agn_tensor *x,
                         const agn_tensor *target, bool log_target, int32_t reduction)
{
    agni_nn c = {.op = "nn_kl_div",
                 .in = {{"x", x, 0}, {"target", target, 0}},
                 .reduction = reduction};
    return apply_loss(out, &c, kl_loss, (double[]){log_target});
}

static const agn_tensor *poisson_nll(agn_scope *s, const agn_tensor *const *x, const double *p)
{
    const agn_tensor *t = x[1];
    const agn_tensor *mean = p[0] != 0 ? ag_exp(s, x[0]) : x[0];
    const agn_tensor *log_mean = p[0] != 0 ? x[0] : ag_log(s, ag_add_c(s, x[0], p[2]));
    const agn_tensor *y = ag_sub(s, mean, ag_mul(s, t, log_mean));
    if (p[1] == 0)
        return y;
    const agn_tensor *log_t = ag_log(s, t);
    const agn_tensor *stirling = ag_add(
        s, ag_sub(s, ag_mul(s, t, log_t), t),
        ag_add_c(s, ag_mul_c(s, log_t, 0.5),
                 0.91893853320467274178)); /* log(2 pi) / 2 */
    return ag_add(s, y, ag_where(s, ag_gt(s, t, ag_lit(s, 1)), stirling, ag_lit(s, 0)));
}
agn_status agn_nn_poisson_nll_loss(agn_tensor **out, const agn_tensor *x,
                                   const agn_tensor *target, bool log_input, bool full,
                                   double eps, int32_t reduction)
{
    agni_nn c = {.op = "nn_poisson_nll_loss",
                 .in = {{"x", x, 0}, {"target", target, 0}},
                 .reduction = reduction};
    return apply_loss(out, &c, poisson_nll, (double[]){log_input, full, eps});
}

static const agn_tensor *gaussian_nll(agn_scope *s, const agn_tensor *const *x, const double *p)
{
    const agn_tensor *var = ag_maximum(s, ag_lit(s, p[1]), x[2]);
    const agn_tensor *z2 = ag_div(s, ag_square(s, ag_sub(s, x[0], x[1])), var);
    const agn_tensor *y = ag_mul_c(s, ag_add(s, ag_log(s, var), z2), 0.5);
    return p[0] != 0 ? ag_add_c(s, y, 0.91893853320467274178) : y;
}
agn_status agn_nn_gaussian_nll_loss(agn_tensor **out, const agn_tensor *x,
                                    const agn_tensor *target, const agn_tensor *var,
                                    bool full, double eps, int32_t reduction)
{
    agni_nn c = {.op = "nn_gaussian_nll_loss",
                 .in = {{"x", x, 0}, {"target", target, 0}, {"var", var, 0}},
                 .reduction = reduction};
    if (!(eps > 0))
        return agni_fail(AGN_EARG,
                         "nn_gaussian_nll_loss: eps is %g; it must be positive", eps);
    return apply_loss(out, &c, gaussian_nll, (double[]){full, eps});
}

/* ---- hinges ---------------------------------------------------------------------- */

static const agn_tensor *hinge_loss(agn_scope *s, const agn_tensor *const *x, const double *p)
{
    const agn_tensor *apart = ag_relu(s, ag_sub(s, ag_lit(s, p[0]), x[0]));
    return ag_where(s, ag_gt(s, x[1], ag_lit(s, 0)), x[0], apart);
}
agn_status agn_nn_hinge_embedding_loss(agn_tensor **out, const agn_tensor *x,
                                       const agn_tensor *target, double margin,
                                       int32_t reduction)
{
    agni_nn c = {.op = "nn_hinge_embedding_loss",
                 .in = {{"x", x, 0}, {"target", target, 0}},
                 .reduction = reduction};
    return apply_loss(out, &c, hinge_loss, &margin);
}

static const agn_tensor *ranking_loss(agn_scope *s, const agn_tensor *const *x, const double *p)
{
    const agn_tensor *lead = ag_mul(s, x[2], ag_sub(s, x[0], x[1]));
    return ag_relu(s, ag_sub(s, ag_lit(s, p[0]), lead));
}
agn_status agn_nn_margin_ranking_loss(agn_tensor **out, const agn_tensor *a,
                                      const agn_tensor *b, const agn_tensor *target,
                                      double margin, int32_t reduction)
{
    agni_nn c = {.op = "nn_margin_ranking_loss",
                 .in = {{"a", a, 0}, {"b", b, 0}, {"target", target, 0}},
                 .reduction = reduction};
    return apply_loss(out, &c, ranking_loss, &margin);
}
