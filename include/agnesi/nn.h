/**
 * agnesi/nn.h - networks: activations, losses, layers, initial values
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Everything is a composition of operators: it has derivatives of any order in every
 * mode. Floating arguments are promoted together; integers beside them take their
 * dtype, and are f64 alone. f16 and bf16 are computed as f32 and rounded once. At a
 * kink the derivative is that of the lower side unless said otherwise. relu, gelu,
 * sigmoid and tanh are element-wise operators of agnesi/elementwise.h.
 */
#ifndef AGNESI_NN_H
#define AGNESI_NN_H

#include <agnesi/graph.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- activations ----------------------------------------------------------------- */

/**
 * agn_nn_elu - x above 0, alpha (exp(x) - 1) below
 *
 * @param out    out, shape of x
 * @param x      real
 * @param alpha  minus the limit at minus infinity
 * @errors       AGN_ENULL, AGN_EDTYPE (complex), AGN_ENOMEM
 * @grad         alpha at 0
 * @cost         O(n)
 * @ref          Clevert, Unterthiner & Hochreiter 2016
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_elu(agn_tensor **out, const agn_tensor *x,
                                             double alpha);

/**
 * agn_nn_celu - x above 0, alpha (exp(x / alpha) - 1) below: smooth for any alpha
 *
 * @param out    out, shape of x
 * @param x      real
 * @param alpha  not 0
 * @errors       AGN_ENULL, AGN_EDTYPE (complex), AGN_EARG (alpha is 0), AGN_ENOMEM
 * @grad         everywhere
 * @cost         O(n)
 * @ref          Barron 2017
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_celu(agn_tensor **out, const agn_tensor *x,
                                              double alpha);

/**
 * agn_nn_selu - elu scaled so that mean 0 and variance 1 are a fixed point
 *
 * @param out  out, shape of x
 * @param x    real
 * @errors     AGN_ENULL, AGN_EDTYPE (complex), AGN_ENOMEM
 * @grad       that of the lower side at 0
 * @cost       O(n)
 * @ref        Klambauer et al. 2017
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_selu(agn_tensor **out, const agn_tensor *x);

/**
 * agn_nn_gelu_tanh - x / 2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))), near agn_gelu
 *
 * Written with a sigmoid: all digits for negative x too. -inf gives 0.
 *
 * @param out  out, shape of x
 * @param x    real
 * @errors     AGN_ENULL, AGN_EDTYPE (complex), AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 * @ref        Hendrycks & Gimpel 2016
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_gelu_tanh(agn_tensor **out,
                                                   const agn_tensor *x);

/**
 * agn_nn_silu - x sigmoid(x), also called swish; -inf gives 0
 *
 * @param out  out, shape of x
 * @param x    real
 * @errors     AGN_ENULL, AGN_EDTYPE (complex), AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_silu(agn_tensor **out, const agn_tensor *x);

/**
 * agn_nn_mish - x tanh(softplus(x)); -inf gives 0
 *
 * @param out  out, shape of x
 * @param x    real
 * @errors     AGN_ENULL, AGN_EDTYPE (complex), AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 * @ref        Misra 2019
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_mish(agn_tensor **out, const agn_tensor *x);

/**
 * agn_nn_softplus - log(1 + exp(beta x)) / beta, and x where beta x is large
 *
 * @param out        out, shape of x
 * @param x          real
 * @param beta       not 0
 * @param threshold  of beta x, above which x is returned; INFINITY for none:
 *                   agn_softplus overflows nowhere
 * @errors           AGN_ENULL, AGN_EDTYPE (complex), AGN_EARG (beta is 0), AGN_ENOMEM
 * @grad             everywhere
 * @cost             O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_softplus(agn_tensor **out, const agn_tensor *x,
                                                  double beta, double threshold);

/**
 * agn_nn_log_sigmoid - log(1 / (1 + exp(-x)))
 *
 * @param out  out, shape of x
 * @param x    real
 * @errors     AGN_ENULL, AGN_EDTYPE (complex), AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_log_sigmoid(agn_tensor **out,
                                                     const agn_tensor *x);

/**
 * agn_nn_softsign - x / (1 + |x|); 1 and -1 at the infinities
 *
 * @param out  out, shape of x
 * @param x    real
 * @errors     AGN_ENULL, AGN_EDTYPE (complex), AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_softsign(agn_tensor **out,
                                                  const agn_tensor *x);

/**
 * agn_nn_tanhshrink - x - tanh(x)
 *
 * @param out  out, shape of x
 * @param x    real
 * @errors     AGN_ENULL, AGN_EDTYPE (complex), AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_tanhshrink(agn_tensor **out,
                                                    const agn_tensor *x);

/**
 * agn_nn_softshrink - x brought towards 0 by lambda; 0 where |x| <= lambda
 *
 * @param out     out, shape of x
 * @param x       real
 * @param lambda  not negative
 * @errors        AGN_ENULL, AGN_EDTYPE (complex), AGN_EARG (lambda), AGN_ENOMEM
 * @grad          0 at the kinks
 * @cost          O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_softshrink(agn_tensor **out,
                                                    const agn_tensor *x, double lambda);

/**
 * agn_nn_hardshrink - x, but 0 where |x| <= lambda
 *
 * @param out     out, shape of x
 * @param x       real
 * @param lambda  not negative
 * @errors        AGN_ENULL, AGN_EDTYPE (complex), AGN_EARG (lambda), AGN_ENOMEM
 * @grad          0 at the jumps
 * @cost          O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_hardshrink(agn_tensor **out,
                                                    const agn_tensor *x, double lambda);

/**
 * agn_nn_hardtanh - x, kept between lo and hi
 *
 * @param out  out, shape of x
 * @param x    real; NaN stays
 * @param lo   least value
 * @param hi   largest value, not below lo
 * @errors     AGN_ENULL, AGN_EDTYPE (complex), AGN_EARG (hi below lo), AGN_ENOMEM
 * @grad       0 at the kinks
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_hardtanh(agn_tensor **out, const agn_tensor *x,
                                                  double lo, double hi);

/**
 * agn_nn_relu6 - x, kept between 0 and 6
 *
 * @param out  out, shape of x
 * @param x    real; NaN stays
 * @errors     AGN_ENULL, AGN_EDTYPE (complex), AGN_ENOMEM
 * @grad       0 at the kinks
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_relu6(agn_tensor **out, const agn_tensor *x);

/**
 * agn_nn_hardsigmoid - x / 6 + 1 / 2, kept between 0 and 1
 *
 * @param out  out, shape of x
 * @param x    real; NaN stays
 * @errors     AGN_ENULL, AGN_EDTYPE (complex), AGN_ENOMEM
 * @grad       0 at the kinks
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_hardsigmoid(agn_tensor **out,
                                                     const agn_tensor *x);

/**
 * agn_nn_hardswish - x hardsigmoid(x); -inf gives 0
 *
 * @param out  out, shape of x
 * @param x    real
 * @errors     AGN_ENULL, AGN_EDTYPE (complex), AGN_ENOMEM
 * @grad       0 at -3, 1 at 3
 * @cost       O(n)
 * @ref        Howard et al. 2019
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_hardswish(agn_tensor **out,
                                                   const agn_tensor *x);

/**
 * agn_nn_leaky_relu - x above 0, slope x below
 *
 * @param out    out, shape of x
 * @param x      real
 * @param slope  any number
 * @errors       AGN_ENULL, AGN_EDTYPE (complex), AGN_ENOMEM
 * @grad         slope at 0
 * @cost         O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_leaky_relu(agn_tensor **out,
                                                    const agn_tensor *x, double slope);

/**
 * agn_nn_thresholded_relu - x above a threshold, else a value
 *
 * @param out        out, shape of x
 * @param x          real; NaN stays
 * @param threshold  any number
 * @param value      any number
 * @errors           AGN_ENULL, AGN_EDTYPE (complex), AGN_ENOMEM
 * @grad             0 at the jump
 * @cost             O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_thresholded_relu(agn_tensor **out,
                                                          const agn_tensor *x,
                                                          double threshold,
                                                          double value);

/**
 * agn_nn_prelu - x above 0, weight x below, with weights that are learned
 *
 * @param out     out, shape of x
 * @param x       real
 * @param weight  one element, or [size of the axis]
 * @param axis    in [-ndim, ndim) of x; not looked at for one element
 * @errors        AGN_ENULL, AGN_EDTYPE (complex), AGN_EINDEX (axis), AGN_ESHAPE
 *                (weight), AGN_ENOMEM
 * @grad          weight at 0
 * @cost          O(n)
 * @ref           He et al. 2015
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_prelu(agn_tensor **out, const agn_tensor *x,
                                               const agn_tensor *weight, int32_t axis);

/**
 * agn_nn_rrelu - leaky_relu with a random slope for each element
 *
 * @param out    out, shape of x
 * @param x      real
 * @param key    random key (agn_key); NULL: the middle of the slopes
 * @param lower  least slope
 * @param upper  slopes are below; not below lower
 * @errors       AGN_ENULL, AGN_EDTYPE (complex, key), AGN_EARG (upper below lower),
 *               AGN_ENOMEM
 * @grad         the slope at 0
 * @cost         O(n)
 * @ref          Xu et al. 2015
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_rrelu(agn_tensor **out, const agn_tensor *x,
                                               const agn_tensor *key, double lower,
                                               double upper);

/**
 * agn_nn_glu - first half of an axis times the sigmoid of the second
 *
 * @param out   out, shape of x with the axis halved
 * @param x     real
 * @param axis  in [-ndim, ndim), of even size
 * @errors      AGN_ENULL, AGN_EDTYPE (complex), AGN_EINDEX (axis), AGN_ESHAPE (odd
 *              size), AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(n)
 * @ref         Dauphin et al. 2017
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_glu(agn_tensor **out, const agn_tensor *x,
                                             int32_t axis);

/**
 * agn_nn_maxout - the largest of each group of neighbours along an axis
 *
 * @param out     out, shape of x with the axis divided by groups
 * @param x       real
 * @param groups  neighbours in a group, at least 1, divides the size of the axis
 * @param axis    in [-ndim, ndim)
 * @errors        AGN_ENULL, AGN_EDTYPE (complex), AGN_EINDEX (axis), AGN_EARG (groups),
 *                AGN_ESHAPE (does not divide), AGN_ENOMEM
 * @grad          to the first of equals
 * @cost          O(n)
 * @ref           Goodfellow et al. 2013
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_maxout(agn_tensor **out, const agn_tensor *x,
                                                int64_t groups, int32_t axis);

/**
 * agn_nn_softmax - exp(x) over its sum along an axis
 *
 * The maximum is taken off first: never overflows. A lane of nothing but -inf, or with
 * +inf, is NaN.
 *
 * @param out   out, shape of x
 * @param x     real
 * @param axis  in [-ndim, ndim)
 * @errors      AGN_ENULL, AGN_EDTYPE (complex), AGN_EINDEX (axis), AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_softmax(agn_tensor **out, const agn_tensor *x,
                                                 int32_t axis);

/**
 * agn_nn_log_softmax - x - log sum exp(x) along an axis
 *
 * @param out   out, shape of x
 * @param x     real
 * @param axis  in [-ndim, ndim)
 * @errors      AGN_ENULL, AGN_EDTYPE (complex), AGN_EINDEX (axis), AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_log_softmax(agn_tensor **out,
                                                     const agn_tensor *x, int32_t axis);

/**
 * agn_nn_gumbel_softmax - a differentiable sample of a class
 *
 * The softmax of (x + noise) / tau. Hard: exactly one 1, with the gradient of the soft
 * sample.
 *
 * @param out   out, shape of x
 * @param x     logarithms of probabilities, real; up to a constant for each lane
 * @param key   random key (agn_key)
 * @param tau   temperature, positive
 * @param hard  one-hot values
 * @param axis  of classes, in [-ndim, ndim)
 * @errors      AGN_ENULL, AGN_EDTYPE (complex, key), AGN_EINDEX (axis), AGN_EARG (tau),
 *              AGN_ENOMEM
 * @grad        in x
 * @cost        O(n)
 * @ref         Jang, Gu & Poole 2017
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_gumbel_softmax(agn_tensor **out,
                                                        const agn_tensor *x,
                                                        const agn_tensor *key,
                                                        double tau, bool hard,
                                                        int32_t axis);

/* ---- losses ---------------------------------------------------------------------- */

/** What becomes of the losses of single elements or samples. */
enum {
    AGN_NN_MEAN,     /* their mean; of none: NaN */
    AGN_NN_SUM,      /* their sum */
    AGN_NN_NONE,     /* they stay */
    AGN_NN_BATCHMEAN /* their sum over the size of the first axis */
};

/**
 * agn_nn_mse_loss - (x - target)^2
 *
 * @param out        out, [] or shape of x
 * @param x          real
 * @param target     real, broadcasts to the shape of x
 * @param reduction  AGN_NN_MEAN, ...
 * @errors           AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (target), AGN_EARG
 *                   (reduction), AGN_ENOMEM
 * @grad             everywhere
 * @cost             O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_mse_loss(agn_tensor **out, const agn_tensor *x,
                                                  const agn_tensor *target,
                                                  int32_t reduction);

/**
 * agn_nn_l1_loss - |x - target|
 *
 * @param out        out, [] or shape of x
 * @param x          real
 * @param target     real, broadcasts to the shape of x
 * @param reduction  AGN_NN_MEAN, ...
 * @errors           AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (target), AGN_EARG
 *                   (reduction), AGN_ENOMEM
 * @grad             0 where they are equal
 * @cost             O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_l1_loss(agn_tensor **out, const agn_tensor *x,
                                                 const agn_tensor *target,
                                                 int32_t reduction);

/**
 * agn_nn_smooth_l1_loss - |x - target| with a parabola around 0
 *
 * d^2 / (2 beta) where d = |x - target| is below beta, else d - beta / 2.
 *
 * @param out        out, [] or shape of x
 * @param x          real
 * @param target     real, broadcasts to the shape of x
 * @param beta       not negative; 0 gives the l1 loss
 * @param reduction  AGN_NN_MEAN, ...
 * @errors           AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (target), AGN_EARG
 *                   (beta, reduction), AGN_ENOMEM
 * @grad             everywhere; with beta 0 as agn_nn_l1_loss
 * @cost             O(n)
 * @ref              Girshick 2015
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_smooth_l1_loss(agn_tensor **out,
                                                        const agn_tensor *x,
                                                        const agn_tensor *target,
                                                        double beta, int32_t reduction);

/**
 * agn_nn_huber_loss - (x - target)^2 / 2 that goes over into lines
 *
 * d^2 / 2 where d = |x - target| is below delta, else delta (d - delta / 2).
 *
 * @param out        out, [] or shape of x
 * @param x          real
 * @param target     real, broadcasts to the shape of x
 * @param delta      positive
 * @param reduction  AGN_NN_MEAN, ...
 * @errors           AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (target), AGN_EARG
 *                   (delta, reduction), AGN_ENOMEM
 * @grad             everywhere
 * @cost             O(n)
 * @ref              Huber 1964
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_huber_loss(agn_tensor **out,
                                                    const agn_tensor *x,
                                                    const agn_tensor *target,
                                                    double delta, int32_t reduction);

/**
 * agn_nn_bce_loss - -t log p - (1 - t) log(1 - p): cross entropy of two classes
 *
 * 0 log 0 is 0; a certainty that is wrong costs infinity. Probabilities beyond [0, 1]
 * give NaN.
 *
 * @param out        out, [] or shape of p
 * @param p          probabilities
 * @param target     t, broadcasts to the shape of p
 * @param weight     factor of each loss, broadcasts to the shape of p; NULL: 1
 * @param reduction  AGN_NN_MEAN, ...
 * @errors           AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (target, weight),
 *                   AGN_EARG (reduction), AGN_ENOMEM
 * @grad             everywhere
 * @cost             O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_bce_loss(agn_tensor **out, const agn_tensor *p,
                                                  const agn_tensor *target,
                                                  const agn_tensor *weight,
                                                  int32_t reduction);

/**
 * agn_nn_bce_with_logits_loss - agn_nn_bce_loss of sigmoid(x), to all digits
 *
 * @param out         out, [] or shape of x
 * @param x           real
 * @param target      t, broadcasts to the shape of x
 * @param weight      factor of each loss, broadcasts to the shape of x; NULL: 1
 * @param pos_weight  further factor of -t log p, likewise; NULL: 1
 * @param reduction   AGN_NN_MEAN, ...
 * @errors            AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (target, weight,
 *                    pos_weight), AGN_EARG (reduction), AGN_ENOMEM
 * @grad              everywhere
 * @cost              O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_bce_with_logits_loss(
    agn_tensor **out, const agn_tensor *x, const agn_tensor *target,
    const agn_tensor *weight, const agn_tensor *pos_weight, int32_t reduction);

/**
 * agn_nn_sigmoid_focal_loss - bce_with_logits that cares for what is hard
 *
 * Times (1 - q)^gamma, where q is the probability given to the right answer.
 *
 * @param out        out, [] or shape of x
 * @param x          real
 * @param target     t in [0, 1], broadcasts to the shape of x
 * @param alpha      factor for t = 1, 1 - alpha for t = 0; negative: none
 * @param gamma      not negative
 * @param reduction  AGN_NN_MEAN, ...
 * @errors           AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (target), AGN_EARG
 *                   (gamma, reduction), AGN_ENOMEM
 * @grad             everywhere
 * @cost             O(n)
 * @ref              Lin et al. 2017
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_sigmoid_focal_loss(agn_tensor **out,
                                                            const agn_tensor *x,
                                                            const agn_tensor *target,
                                                            double alpha, double gamma,
                                                            int32_t reduction);

/**
 * agn_nn_log_loss - -t log(p + eps) - (1 - t) log(1 - p + eps)
 *
 * @param out        out, [] or shape of p
 * @param p          probabilities
 * @param target     t, broadcasts to the shape of p
 * @param eps        keeps the logarithms finite
 * @param reduction  AGN_NN_MEAN, ...
 * @errors           AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (target), AGN_EARG
 *                   (reduction), AGN_ENOMEM
 * @grad             everywhere
 * @cost             O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_log_loss(agn_tensor **out, const agn_tensor *p,
                                                  const agn_tensor *target, double eps,
                                                  int32_t reduction);

/**
 * agn_nn_kl_div - t (log t - x): divergence of exp(x) from the target
 *
 * @param out         out, [] or shape of x
 * @param x           logarithms of probabilities
 * @param target      t, or log t; broadcasts to the shape of x; t = 0 costs 0
 * @param log_target  the target is log t
 * @param reduction   AGN_NN_BATCHMEAN is the divergence of distributions on the other
 *                    axes
 * @errors            AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (target), AGN_EARG
 *                    (reduction), AGN_ENOMEM
 * @grad              everywhere; in t not at 0
 * @cost              O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_kl_div(agn_tensor **out, const agn_tensor *x,
                                                const agn_tensor *target,
                                                bool log_target, int32_t reduction);

/**
 * agn_nn_poisson_nll_loss - minus the log probability of a count
 *
 * @param out        out, [] or shape of x
 * @param x          logarithm of the expected count, or the count itself
 * @param target     count, broadcasts to the shape of x
 * @param log_input  x is a logarithm
 * @param full       add Stirling's approximation of log target! where the target is
 *                   above 1
 * @param eps        added to an x that is no logarithm before its logarithm is taken
 * @param reduction  AGN_NN_MEAN, ...
 * @errors           AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (target), AGN_EARG
 *                   (reduction), AGN_ENOMEM
 * @grad             everywhere
 * @cost             O(n)
 */
AGN_API AGN_MUST_CHECK agn_status
agn_nn_poisson_nll_loss(agn_tensor **out, const agn_tensor *x, const agn_tensor *target,
                        bool log_input, bool full, double eps, int32_t reduction);

/**
 * agn_nn_gaussian_nll_loss - minus the log density of a normal target
 *
 * @param out        out, [] or shape of x
 * @param x          expected values
 * @param target     broadcasts to the shape of x
 * @param var        variances, broadcasts to the shape of x; those below eps count as
 *                   eps
 * @param full       add log(2 pi) / 2
 * @param eps        positive
 * @param reduction  AGN_NN_MEAN, ...
 * @errors           AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (target, var), AGN_EARG
 *                   (eps, reduction), AGN_ENOMEM
 * @grad             everywhere; 0 in variances below eps
 * @cost             O(n)
 * @ref              Nix & Weigend 1994
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_gaussian_nll_loss(
    agn_tensor **out, const agn_tensor *x, const agn_tensor *target,
    const agn_tensor *var, bool full, double eps, int32_t reduction);

/**
 * agn_nn_soft_margin_loss - log(1 + exp(-target x)), targets 1 and -1
 *
 * @param out        out, [] or shape of x
 * @param x          real
 * @param target     broadcasts to the shape of x
 * @param reduction  AGN_NN_MEAN, ...
 * @errors           AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (target), AGN_EARG
 *                   (reduction), AGN_ENOMEM
 * @grad             everywhere
 * @cost             O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_soft_margin_loss(agn_tensor **out,
                                                          const agn_tensor *x,
                                                          const agn_tensor *target,
                                                          int32_t reduction);

/**
 * agn_nn_multi_label_soft_margin_loss - mean over the last axis of bce_with_logits
 *
 * @param out        out, [] or shape of x without its last axis
 * @param x          [..., classes], real
 * @param target     0 or 1 for each class, broadcasts to the shape of x
 * @param weight     [classes]; NULL: 1
 * @param reduction  AGN_NN_MEAN, ...
 * @errors           AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (0-D, target, weight),
 *                   AGN_EARG (reduction), AGN_ENOMEM
 * @grad             everywhere
 * @cost             O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_multi_label_soft_margin_loss(
    agn_tensor **out, const agn_tensor *x, const agn_tensor *target,
    const agn_tensor *weight, int32_t reduction);

/**
 * agn_nn_hinge_embedding_loss - x for a target of 1, max(0, margin - x) for -1
 *
 * @param out        out, [] or shape of x
 * @param x          distances
 * @param target     1 or -1, broadcasts to the shape of x
 * @param margin     distance that is enough
 * @param reduction  AGN_NN_MEAN, ...
 * @errors           AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (target), AGN_EARG
 *                   (reduction), AGN_ENOMEM
 * @grad             0 at the kink
 * @cost             O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_hinge_embedding_loss(agn_tensor **out,
                                                              const agn_tensor *x,
                                                              const agn_tensor *target,
                                                              double margin,
                                                              int32_t reduction);

/**
 * agn_nn_margin_ranking_loss - max(0, margin - target (a - b))
 *
 * @param out        out, [] or shape of a
 * @param a          real
 * @param b          real, broadcasts to the shape of a
 * @param target     1 where a should be larger, else -1; broadcasts to the shape of a
 * @param margin     difference that is enough
 * @param reduction  AGN_NN_MEAN, ...
 * @errors           AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (b, target), AGN_EARG
 *                   (reduction), AGN_ENOMEM
 * @grad             0 at the kink
 * @cost             O(n)
 */
AGN_API AGN_MUST_CHECK agn_status
agn_nn_margin_ranking_loss(agn_tensor **out, const agn_tensor *a, const agn_tensor *b,
                           const agn_tensor *target, double margin, int32_t reduction);

/**
 * agn_nn_cosine_embedding_loss - angles of vectors that are alike or not
 *
 * 1 - cosine where the target is 1, max(0, cosine - margin) where it is -1.
 *
 * @param out        out, [] or shape of a without its last axis
 * @param a          [..., n], real
 * @param b          broadcasts to the shape of a
 * @param target     1 or -1, broadcasts to the shape of a without its last axis
 * @param margin     cosine that is small enough
 * @param reduction  AGN_NN_MEAN, ...
 * @errors           AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (0-D, b, target),
 *                   AGN_EARG (reduction), AGN_ENOMEM
 * @grad             0 at the kink
 * @cost             O(size of a)
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_cosine_embedding_loss(
    agn_tensor **out, const agn_tensor *a, const agn_tensor *b,
    const agn_tensor *target, double margin, int32_t reduction);

/** Options of agn_nn_triplet_margin_loss; zero bytes are defaults. */
typedef struct agn_nn_triplet_options {
    size_t size;            /* sizeof(agn_nn_triplet_options) */
    double p;               /* of the p-norm over the last axis; 0: 2 */
    double eps;             /* added to each difference; 0: 1e-6; negative: none */
    const agn_fn *distance; /* of two tensors, instead of a norm; NULL: the norm */
    bool swap;         /* the negative's distance from the anchor or the positive */
    int32_t reduction; /* AGN_NN_MEAN, ... */
} agn_nn_triplet_options;

/**
 * agn_nn_triplet_margin_loss - an anchor nearer to a positive than to a negative
 *
 * max(0, margin + d(anchor, positive) - d(anchor, negative)).
 *
 * @param out       out, [] or shape of a distance: that of anchor without its last axis
 * @param anchor    [..., n], real
 * @param positive  broadcasts to the shape of anchor
 * @param negative  broadcasts to the shape of anchor
 * @param margin    difference that is enough
 * @param opts      NULL for defaults
 * @errors          AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (0-D, positive,
 *                  negative), AGN_EARG (unknown size, p, reduction, a distance that is
 *                  no function of two), AGN_ENOMEM, those of the distance
 * @grad            0 at the kink
 * @cost            O(size of anchor)
 * @ref             Schroff, Kalenichenko & Philbin 2015; Balntas et al. 2016 (swap)
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_triplet_margin_loss(
    agn_tensor **out, const agn_tensor *anchor, const agn_tensor *positive,
    const agn_tensor *negative, double margin, const agn_nn_triplet_options *opts);

/** Options of agn_nn_nll_loss and agn_nn_cross_entropy; zero bytes are defaults. */
typedef struct agn_nn_class_options {
    size_t size;              /* sizeof(agn_nn_class_options) */
    const agn_tensor *weight; /* [classes] factor of each class; NULL: 1 */
    bool ignore;              /* some labels count for nothing: */
    int64_t ignore_index;     /* those; any integer */
    double smoothing;  /* in [0, 1]: part of each target spread over all classes; cross
                                 entropy only */
    int32_t reduction; /* AGN_NN_MEAN, ... */
} agn_nn_class_options;

/**
 * agn_nn_nll_loss - minus the log probability of each label
 *
 * The mean of labels is weighted: over the sum of the weights that count. Where none
 * counts it is 0.
 *
 * @param out     out, [] or shape of target
 * @param x       logarithms of probabilities, real
 * @param target  integers in [0, classes); shape of x without the axis
 * @param axis    of classes, in [-ndim, ndim)
 * @param opts    NULL for defaults
 * @errors        AGN_ENULL, AGN_EDTYPE (complex, a target that is not integer),
 *                AGN_EINDEX (axis; a label out of range: names it), AGN_ESHAPE (target,
 *                weight), AGN_EARG (unknown size, smoothing, reduction), AGN_ENOMEM
 * @grad          in x and weight
 * @cost          O(size of x)
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_nll_loss(agn_tensor **out, const agn_tensor *x,
                                                  const agn_tensor *target,
                                                  int32_t axis,
                                                  const agn_nn_class_options *opts);

/**
 * agn_nn_cross_entropy - cross entropy of softmax(x) and a target
 *
 * Labels are integers: the mean is weighted as that of agn_nn_nll_loss, and 0 where no
 * label counts. Probabilities for each class are a target of the shape of x; their mean
 * is over samples.
 *
 * @param out     out, [] or shape of x without the axis
 * @param x       real
 * @param target  integers in [0, classes) of the shape of x without the axis, or real
 *                of the shape of x
 * @param axis    of classes, in [-ndim, ndim)
 * @param opts    NULL for defaults
 * @errors        AGN_ENULL, AGN_EDTYPE (complex), AGN_EINDEX (axis; a label out of
 *                range: names it), AGN_ESHAPE (target, weight), AGN_EARG (unknown size,
 *                smoothing, reduction, ignored labels where there are none), AGN_ENOMEM
 * @grad          in x, weight and probabilities
 * @cost          O(size of x)
 * @ref           Szegedy et al. 2016 (smoothing)
 */
AGN_API AGN_MUST_CHECK agn_status
agn_nn_cross_entropy(agn_tensor **out, const agn_tensor *x, const agn_tensor *target,
                     int32_t axis, const agn_nn_class_options *opts);

/**
 * agn_nn_margin_cross_entropy - cross entropy of cosines with margins at the label
 *
 * The label's cosine becomes cos(m1 angle + m2) - m3; all are multiplied by scale.
 *
 * @param out        out, [] or shape of target
 * @param x          [..., classes] cosines
 * @param target     [...] integers in [0, classes)
 * @param m1         factor of the angle
 * @param m2         added to the angle
 * @param m3         taken off its cosine
 * @param scale      of the logits
 * @param reduction  AGN_NN_MEAN, ...
 * @errors           AGN_ENULL, AGN_EDTYPE (complex, target), AGN_EINDEX (a label out of
 *                   range: names it), AGN_ESHAPE (0-D, target), AGN_EARG (reduction),
 *                   AGN_ENOMEM
 * @grad             where the label's cosine is within (-1, 1)
 * @cost             O(size of x)
 * @ref              Deng et al. 2019
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_margin_cross_entropy(
    agn_tensor **out, const agn_tensor *x, const agn_tensor *target, double m1,
    double m2, double m3, double scale, int32_t reduction);

/**
 * agn_nn_multi_margin_loss - the label ahead of all other classes
 *
 * The mean over classes c of max(0, margin + x_c - x_label)^p, with 0 for the label.
 *
 * @param out        out, [] or shape of target
 * @param x          [..., classes], real
 * @param target     [...] integers in [0, classes)
 * @param p          at least 1
 * @param margin     difference that is enough
 * @param weight     [classes] factor for each label; NULL: 1
 * @param reduction  AGN_NN_MEAN, ...
 * @errors           AGN_ENULL, AGN_EDTYPE (complex, target), AGN_EINDEX (a label out of
 *                   range: names it), AGN_ESHAPE (0-D, target, weight), AGN_EARG (p,
 *                   reduction), AGN_ENOMEM
 * @grad             0 at the kinks
 * @cost             O(size of x)
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_multi_margin_loss(
    agn_tensor **out, const agn_tensor *x, const agn_tensor *target, double p,
    double margin, const agn_tensor *weight, int32_t reduction);

/**
 * agn_nn_dice_loss - overlap of probabilities and one-hot labels y
 *
 * 1 - 2 sum(x y) / (sum(x) + sum(y) + eps) for each sample.
 *
 * @param out        out, [] or [samples]
 * @param x          [samples, ..., classes] probabilities
 * @param target     [samples, ...] integers in [0, classes)
 * @param eps        keeps the quotient finite
 * @param reduction  AGN_NN_MEAN, ...
 * @errors           AGN_ENULL, AGN_EDTYPE (complex, target), AGN_EINDEX (a label out of
 *                   range: names it), AGN_ESHAPE (fewer than 2 axes, target), AGN_EARG
 *                   (reduction), AGN_ENOMEM
 * @grad             everywhere
 * @cost             O(size of x)
 * @ref              Milletari, Navab & Ahmadi 2016
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_dice_loss(agn_tensor **out,
                                                   const agn_tensor *x,
                                                   const agn_tensor *target, double eps,
                                                   int32_t reduction);

/**
 * agn_nn_npair_loss - each anchor against the positives of all samples
 *
 * Cross entropy of the products anchor positive^T, where samples of one label share the
 * target, plus l2_reg / 4 times the mean squared lengths of both.
 *
 * @param out       out, []
 * @param anchor    [samples, n], real
 * @param positive  [samples, n], real
 * @param labels    [samples] integers
 * @param l2_reg    factor
 * @errors          AGN_ENULL, AGN_EDTYPE (complex, labels), AGN_ESHAPE, AGN_ENOMEM
 * @grad            everywhere
 * @cost            O(samples^2 n)
 * @ref             Sohn 2016
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_npair_loss(agn_tensor **out,
                                                    const agn_tensor *anchor,
                                                    const agn_tensor *positive,
                                                    const agn_tensor *labels,
                                                    double l2_reg);

/* ---- losses of sequences --------------------------------------------------------- */

/** Options of agn_nn_ctc_loss and agn_nn_rnnt_loss; zero bytes are defaults. */
typedef struct agn_nn_sequence_options {
    size_t size;        /* sizeof(agn_nn_sequence_options) */
    int64_t blank;      /* the symbol that says nothing */
    bool zero_infinity; /* a target that cannot be said costs 0 instead of infinity */
    int32_t reduction;  /* AGN_NN_MEAN: ctc: of losses over target lengths */
} agn_nn_sequence_options;

/**
 * agn_nn_ctc_loss - minus the log probability of labels, however they lie in time
 *
 * @param out             out, [] or [samples]
 * @param x               [time, samples, symbols] logarithms of probabilities
 * @param target          [samples, labels] integers in [0, symbols), none of them
 *                        blank; what lies beyond the target's length is not looked at
 * @param input_lengths   [samples] integers in [0, time]; NULL: time
 * @param target_lengths  [samples] integers in [0, labels]; NULL: labels
 * @param opts            NULL for defaults
 * @errors                AGN_ENULL, AGN_EDTYPE (complex, not integer), AGN_ESHAPE,
 *                        AGN_EINDEX (a label or length out of range: names it),
 *                        AGN_EARG (unknown size, blank, reduction), AGN_ENOMEM
 * @grad                  in x, of any order; 0 for targets that cannot be said
 * @cost                  O(time samples labels)
 * @ref                   Graves et al. 2006
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_ctc_loss(agn_tensor **out, const agn_tensor *x,
                                                  const agn_tensor *target,
                                                  const agn_tensor *input_lengths,
                                                  const agn_tensor *target_lengths,
                                                  const agn_nn_sequence_options *opts);

/**
 * agn_nn_rnnt_loss - minus the log probability of labels under a transducer
 *
 * At time t after u labels the transducer says label u + 1 and stays, or blank and goes
 * on.
 *
 * @param out             out, [] or [samples]
 * @param x               [samples, time, labels + 1, symbols] logarithms of
 *                        probabilities
 * @param target          [samples, labels] integers in [0, symbols), none of them blank
 * @param input_lengths   [samples] integers in [1, time]; NULL: time
 * @param target_lengths  [samples] integers in [0, labels]; NULL: labels
 * @param opts            NULL for defaults
 * @errors                AGN_ENULL, AGN_EDTYPE (complex, not integer), AGN_ESHAPE,
 *                        AGN_EINDEX (a label or length out of range: names it),
 *                        AGN_EARG (unknown size, blank, reduction), AGN_ENOMEM
 * @grad                  in x, of any order
 * @cost                  O(samples (time + labels) labels)
 * @ref                   Graves 2012
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_rnnt_loss(agn_tensor **out,
                                                   const agn_tensor *x,
                                                   const agn_tensor *target,
                                                   const agn_tensor *input_lengths,
                                                   const agn_tensor *target_lengths,
                                                   const agn_nn_sequence_options *opts);

/* ---- many classes ---------------------------------------------------------------- */

/**
 * agn_nn_hsigmoid_loss - minus the log probability of a leaf of a binary tree
 *
 * The complete tree: label l is node l + classes, node k has the parent k / 2 and row k
 * / 2 - 1 of the weights; an odd node is the branch of probability sigmoid(weight x +
 * bias).
 *
 * @param out        out, [] or shape of target
 * @param x          [..., n], real
 * @param target     [...] integers in [0, classes)
 * @param weight     [classes - 1, n]
 * @param bias       [classes - 1]; NULL: 0
 * @param reduction  AGN_NN_MEAN, ...
 * @errors           AGN_ENULL, AGN_EDTYPE (complex, target), AGN_EINDEX (a label out of
 *                   range: names it), AGN_ESHAPE, AGN_EARG (reduction), AGN_ENOMEM
 * @grad             everywhere
 * @cost             O(samples n log(classes))
 * @ref              Morin & Bengio 2005
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_hsigmoid_loss(
    agn_tensor **out, const agn_tensor *x, const agn_tensor *target,
    const agn_tensor *weight, const agn_tensor *bias, int32_t reduction);

/**
 * agn_nn_adaptive_log_softmax - log probabilities of classes in clusters
 *
 * The head gives the frequent classes and one entry for each cluster; cluster i has the
 * classes from cutoffs[i] to cutoffs[i + 1], the last one to its own end, by weights of
 * lower rank. For the loss see agn_nn_nll_loss.
 *
 * @param out       out, [..., classes]
 * @param x         [..., n], real
 * @param head      [cutoffs[0] + clusters, n]
 * @param bias      [cutoffs[0] + clusters]; NULL: 0
 * @param tails     for each cluster its projection [rank, n] and its weights [size,
 *                  rank]
 * @param cutoffs   first class of each cluster, ascending
 * @param clusters  number of them, 1 to 16
 * @errors          AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE, AGN_EARG (clusters,
 *                  cutoffs), AGN_ENOMEM
 * @grad            everywhere
 * @cost            O(samples classes rank)
 * @ref             Grave et al. 2017
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_adaptive_log_softmax(
    agn_tensor **out, const agn_tensor *x, const agn_tensor *head,
    const agn_tensor *bias, const agn_tensor *const *tails, const int64_t *cutoffs,
    int32_t clusters);

/* ---- layers ---------------------------------------------------------------------- */

/**
 * agn_nn_linear - x weight^T + bias
 *
 * @param out     out, [..., m]
 * @param x       [..., n], real
 * @param weight  [m, n]
 * @param bias    [m]; NULL: 0
 * @errors        AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE, AGN_ENOMEM
 * @grad          everywhere
 * @cost          O(samples m n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_linear(agn_tensor **out, const agn_tensor *x,
                                                const agn_tensor *weight,
                                                const agn_tensor *bias);

/**
 * agn_nn_bilinear - a weight_k b + bias_k for each k
 *
 * @param out     out, [..., m]
 * @param a       [..., p], real
 * @param b       [..., q], leading axes as of a
 * @param weight  [m, p, q]
 * @param bias    [m]; NULL: 0
 * @errors        AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE, AGN_ENOMEM
 * @grad          everywhere
 * @cost          O(samples m p q)
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_bilinear(agn_tensor **out, const agn_tensor *a,
                                                  const agn_tensor *b,
                                                  const agn_tensor *weight,
                                                  const agn_tensor *bias);

/**
 * agn_nn_embedding - rows of a table by number
 *
 * @param out      out, [..., n]
 * @param idx      [...] integers in [0, rows)
 * @param weight   [rows, n], any dtype
 * @param padding  a row that gets no gradient; negative: none
 * @errors         AGN_ENULL, AGN_EDTYPE (idx), AGN_EINDEX (a number out of range: names
 *                 it; padding), AGN_ESHAPE (weight), AGN_ENOMEM
 * @grad           in weight; equal numbers add
 * @cost           O(size of out)
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_embedding(agn_tensor **out,
                                                   const agn_tensor *idx,
                                                   const agn_tensor *weight,
                                                   int64_t padding);

/**
 * agn_nn_one_hot - 1 at the place of each label, else 0
 *
 * @param out      out, [..., classes]
 * @param idx      [...] integers in [0, classes)
 * @param classes  number of classes, not negative
 * @param dtype    of the result
 * @errors         AGN_ENULL, AGN_EDTYPE (idx, dtype), AGN_EINDEX (a label out of range:
 *                 names it), AGN_ESHAPE (classes, rank), AGN_ENOMEM
 * @grad           none: a constant
 * @cost           O(size of out)
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_one_hot(agn_tensor **out,
                                                 const agn_tensor *idx, int64_t classes,
                                                 agn_dtype dtype);

/**
 * agn_nn_layer_norm - (x - mean) / sqrt(variance + eps) over the last axes
 *
 * @param out     out, shape of x
 * @param x       real
 * @param axes    number of last axes, 1 to ndim
 * @param weight  factors, shape of these axes; NULL: 1
 * @param bias    added, shape of these axes; NULL: 0
 * @param eps     not negative
 * @errors        AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (weight, bias), AGN_EARG
 *                (axes, eps), AGN_ENOMEM
 * @grad          everywhere
 * @cost          O(n)
 * @ref           Ba, Kiros & Hinton 2016
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_layer_norm(agn_tensor **out,
                                                    const agn_tensor *x, int32_t axes,
                                                    const agn_tensor *weight,
                                                    const agn_tensor *bias, double eps);

/**
 * agn_nn_rms_norm - x / sqrt(mean of squares + eps) over the last axes
 *
 * @param out     out, shape of x
 * @param x       real
 * @param axes    number of last axes, 1 to ndim
 * @param weight  factors, shape of these axes; NULL: 1
 * @param eps     not negative
 * @errors        AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (weight), AGN_EARG (axes,
 *                eps), AGN_ENOMEM
 * @grad          everywhere
 * @cost          O(n)
 * @ref           Zhang & Sennrich 2019
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_rms_norm(agn_tensor **out, const agn_tensor *x,
                                                  int32_t axes,
                                                  const agn_tensor *weight, double eps);

/**
 * agn_nn_batch_norm - (x - mean) / sqrt(var + eps) with statistics that are given
 *
 * @param out     out, shape of x
 * @param x       real
 * @param mean    [size of the axis]
 * @param var     [size of the axis]
 * @param weight  [size of the axis] factors; NULL: 1
 * @param bias    [size of the axis] added; NULL: 0
 * @param axis    of channels, in [-ndim, ndim)
 * @param eps     not negative
 * @errors        AGN_ENULL, AGN_EDTYPE (complex), AGN_EINDEX (axis), AGN_ESHAPE
 *                (statistics, weight, bias), AGN_EARG (eps), AGN_ENOMEM
 * @grad          everywhere
 * @cost          O(n)
 */
AGN_API AGN_MUST_CHECK agn_status
agn_nn_batch_norm(agn_tensor **out, const agn_tensor *x, const agn_tensor *mean,
                  const agn_tensor *var, const agn_tensor *weight,
                  const agn_tensor *bias, int32_t axis, double eps);

/**
 * agn_nn_batch_norm_train - batch_norm with the statistics of x itself
 *
 * Running statistics go in and come out: (1 - momentum) old + momentum of this batch,
 * whose variance is then over n - 1. They are constants for derivatives.
 *
 * @param out       out, shape of x
 * @param mean_out  out, [size of the axis]; NULL to skip
 * @param var_out   out, [size of the axis]; NULL to skip
 * @param x         real; at least 2 elements in each channel
 * @param mean      [size of the axis]; NULL where mean_out is
 * @param var       [size of the axis]; NULL where var_out is
 * @param weight    [size of the axis] factors; NULL: 1
 * @param bias      [size of the axis] added; NULL: 0
 * @param axis      of channels, in [-ndim, ndim)
 * @param momentum  part of this batch in the running statistics
 * @param eps       not negative
 * @errors          AGN_ENULL, AGN_EDTYPE (complex), AGN_EINDEX (axis), AGN_ESHAPE
 *                  (statistics, weight, bias, fewer than 2 elements), AGN_EARG (eps),
 *                  AGN_ENOMEM
 * @grad            everywhere
 * @cost            O(n)
 * @ref             Ioffe & Szegedy 2015
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_batch_norm_train(
    agn_tensor **out, agn_tensor **mean_out, agn_tensor **var_out, const agn_tensor *x,
    const agn_tensor *mean, const agn_tensor *var, const agn_tensor *weight,
    const agn_tensor *bias, int32_t axis, double momentum, double eps);

/**
 * agn_nn_group_norm - layer_norm of groups of channels for each sample
 *
 * @param out     out, shape of x
 * @param x       [samples, channels, ...], real
 * @param groups  divides the number of channels
 * @param weight  [channels] factors; NULL: 1
 * @param bias    [channels] added; NULL: 0
 * @param eps     not negative
 * @errors        AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (fewer than 2 axes,
 *                weight, bias), AGN_EARG (groups, eps), AGN_ENOMEM
 * @grad          everywhere
 * @cost          O(n)
 * @ref           Wu & He 2018
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_group_norm(agn_tensor **out,
                                                    const agn_tensor *x, int64_t groups,
                                                    const agn_tensor *weight,
                                                    const agn_tensor *bias, double eps);

/**
 * agn_nn_instance_norm - group_norm of every channel by itself
 *
 * @param out     out, shape of x
 * @param x       [samples, channels, ...], real
 * @param weight  [channels] factors; NULL: 1
 * @param bias    [channels] added; NULL: 0
 * @param eps     not negative
 * @errors        AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (fewer than 2 axes,
 *                weight, bias), AGN_EARG (eps), AGN_ENOMEM
 * @grad          everywhere
 * @cost          O(n)
 * @ref           Ulyanov, Vedaldi & Lempitsky 2016
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_instance_norm(agn_tensor **out,
                                                       const agn_tensor *x,
                                                       const agn_tensor *weight,
                                                       const agn_tensor *bias,
                                                       double eps);

/**
 * agn_nn_local_response_norm - x less where neighbouring channels are large
 *
 * x / (k + alpha m)^beta, m the mean square of neighbouring channels.
 *
 * @param out       out, shape of x
 * @param x         [samples, channels, ...], real
 * @param channels  of the mean, at least 1: channels / 2 before, the rest from here on;
 *                  0 beyond the ends
 * @param alpha     factor
 * @param beta      power
 * @param k         added
 * @errors          AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (fewer than 2 axes),
 *                  AGN_EARG (channels), AGN_ENOMEM
 * @grad            where the base is positive
 * @cost            O(n)
 * @ref             Krizhevsky, Sutskever & Hinton 2012
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_local_response_norm(agn_tensor **out,
                                                             const agn_tensor *x,
                                                             int64_t channels,
                                                             double alpha, double beta,
                                                             double k);

/**
 * agn_nn_normalize - x over its p-norm along an axis, or over eps where that is larger
 *
 * The norm is scaled by the largest magnitude: neither overflows nor underflows.
 *
 * @param out   out, shape of x
 * @param x     real
 * @param p     at least 0; INFINITY for the largest magnitude, 0 for the number of
 *              non-zeros
 * @param axis  in [-ndim, ndim)
 * @param eps   least divisor, positive
 * @errors      AGN_ENULL, AGN_EDTYPE (complex), AGN_EINDEX (axis), AGN_EARG (p, eps),
 *              AGN_ENOMEM
 * @grad        everywhere; 1 / eps at 0
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_normalize(agn_tensor **out,
                                                   const agn_tensor *x, double p,
                                                   int32_t axis, double eps);

/**
 * agn_nn_cosine_similarity - cosine of the angle between lanes of a and b
 *
 * @param out   out, their broadcast shape without the axis
 * @param a     real
 * @param b     real, of as many axes
 * @param axis  in [-ndim, ndim)
 * @param eps   least length of each, positive
 * @errors      AGN_ENULL, AGN_EDTYPE (complex), AGN_EINDEX (axis), AGN_ESHAPE, AGN_EARG
 *              (eps), AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_cosine_similarity(agn_tensor **out,
                                                           const agn_tensor *a,
                                                           const agn_tensor *b,
                                                           int32_t axis, double eps);

/**
 * agn_nn_weight_norm - a direction times a length: g v / |v| for each index of an axis
 *
 * @param out   out, shape of v
 * @param v     real
 * @param g     [size of the axis] lengths
 * @param axis  in [-ndim, ndim)
 * @errors      AGN_ENULL, AGN_EDTYPE (complex), AGN_EINDEX (axis), AGN_ESHAPE (g),
 *              AGN_ENOMEM
 * @grad        where no |v| is 0
 * @cost        O(n)
 * @ref         Salimans & Kingma 2016
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_weight_norm(agn_tensor **out,
                                                     const agn_tensor *v,
                                                     const agn_tensor *g, int32_t axis);

/**
 * agn_nn_spectral_norm - weights over their largest singular value, by power iteration
 *
 * The weights are a matrix [first axis, all others]. The vector goes in and comes out.
 *
 * @param out         out, shape of weight
 * @param u_out       out, [size of the first axis]; NULL to skip
 * @param weight      2 axes or more, real
 * @param u           [size of the first axis] estimate of the left singular vector; a
 *                    constant for derivatives
 * @param iterations  of this call, at least 1
 * @param eps         least length in normalising, positive
 * @errors            AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE, AGN_EARG (iterations,
 *                    eps), AGN_ENOMEM
 * @grad              in weight
 * @cost              O(iterations n)
 * @ref               Miyato et al. 2018
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_spectral_norm(agn_tensor **out,
                                                       agn_tensor **u_out,
                                                       const agn_tensor *weight,
                                                       const agn_tensor *u,
                                                       int32_t iterations, double eps);

/* ---- initial values -------------------------------------------------------------- */

/** Which neighbours of a weight agn_nn_init_kaiming_uniform and its kin count. */
enum { AGN_NN_FAN_IN, AGN_NN_FAN_OUT };

/**
 * agn_nn_gain - the factor of initial weights that an activation asks for
 *
 * @param out         out
 * @param activation  "linear", "sigmoid", "tanh", "relu", "leaky_relu" or "selu"
 * @param slope       of leaky_relu below 0; not looked at for others
 * @errors            AGN_ENULL, AGN_EARG (another name)
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_gain(double *out, const char *activation,
                                              double slope);

/**
 * agn_nn_init_xavier_uniform - uniform weights of variance 2 gain^2 / (fan in + fan
 * out)
 *
 * The fans of weights [out, in, ...] are in and out times the sizes of the other axes.
 *
 * @param out    out
 * @param key    random key (agn_key)
 * @param dtype  AGN_F16, AGN_BF16, AGN_F32 or AGN_F64
 * @param ndim   2 or more
 * @param shape  ndim sizes
 * @param gain   factor (agn_nn_gain)
 * @errors       AGN_ENULL, AGN_EDTYPE (dtype, key), AGN_ESHAPE, AGN_ENOMEM
 * @grad         none: a constant
 * @cost         O(n)
 * @ref          Glorot & Bengio 2010
 */
AGN_API AGN_MUST_CHECK agn_status
agn_nn_init_xavier_uniform(agn_tensor **out, const agn_tensor *key, agn_dtype dtype,
                           int32_t ndim, const int64_t *shape, double gain);

/**
 * agn_nn_init_xavier_normal - normal weights of variance 2 gain^2 / (fan in + fan out)
 *
 * @param out    out
 * @param key    random key (agn_key)
 * @param dtype  AGN_F16, AGN_BF16, AGN_F32 or AGN_F64
 * @param ndim   2 or more
 * @param shape  ndim sizes
 * @param gain   factor (agn_nn_gain)
 * @errors       AGN_ENULL, AGN_EDTYPE (dtype, key), AGN_ESHAPE, AGN_ENOMEM
 * @grad         none: a constant
 * @cost         O(n)
 * @ref          Glorot & Bengio 2010
 */
AGN_API AGN_MUST_CHECK agn_status
agn_nn_init_xavier_normal(agn_tensor **out, const agn_tensor *key, agn_dtype dtype,
                          int32_t ndim, const int64_t *shape, double gain);

/**
 * agn_nn_init_kaiming_uniform - uniform weights of variance gain^2 / fan
 *
 * @param out    out
 * @param key    random key (agn_key)
 * @param dtype  AGN_F16, AGN_BF16, AGN_F32 or AGN_F64
 * @param ndim   2 or more
 * @param shape  ndim sizes
 * @param gain   factor (agn_nn_gain)
 * @param fan    AGN_NN_FAN_IN keeps variances forward, AGN_NN_FAN_OUT backward
 * @errors       AGN_ENULL, AGN_EDTYPE (dtype, key), AGN_ESHAPE, AGN_EARG (fan),
 *               AGN_ENOMEM
 * @grad         none: a constant
 * @cost         O(n)
 * @ref          He et al. 2015
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_init_kaiming_uniform(
    agn_tensor **out, const agn_tensor *key, agn_dtype dtype, int32_t ndim,
    const int64_t *shape, double gain, int32_t fan);

/**
 * agn_nn_init_kaiming_normal - normal weights of variance gain^2 / fan
 *
 * @param out    out
 * @param key    random key (agn_key)
 * @param dtype  AGN_F16, AGN_BF16, AGN_F32 or AGN_F64
 * @param ndim   2 or more
 * @param shape  ndim sizes
 * @param gain   factor (agn_nn_gain)
 * @param fan    AGN_NN_FAN_IN keeps variances forward, AGN_NN_FAN_OUT backward
 * @errors       AGN_ENULL, AGN_EDTYPE (dtype, key), AGN_ESHAPE, AGN_EARG (fan),
 *               AGN_ENOMEM
 * @grad         none: a constant
 * @cost         O(n)
 * @ref          He et al. 2015
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_init_kaiming_normal(
    agn_tensor **out, const agn_tensor *key, agn_dtype dtype, int32_t ndim,
    const int64_t *shape, double gain, int32_t fan);

/**
 * agn_nn_init_dirac - weights of a convolution that keeps its channels as they are
 *
 * @param out     out
 * @param dtype   element type
 * @param ndim    3 or more
 * @param shape   [out, in, ...]
 * @param groups  each keeps its own channels; divides out
 * @errors        AGN_ENULL, AGN_EDTYPE (dtype), AGN_ESHAPE, AGN_EARG (groups),
 *                AGN_ENOMEM
 * @grad          none: a constant
 * @cost          O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_init_dirac(agn_tensor **out, agn_dtype dtype,
                                                    int32_t ndim, const int64_t *shape,
                                                    int64_t groups);

/**
 * agn_nn_init_bilinear - weights of a transposed convolution that interpolates
 *
 * Tents over the last two axes, which are as wide as twice the stride, less its parity.
 *
 * @param out    out
 * @param dtype  AGN_F16, AGN_BF16, AGN_F32 or AGN_F64
 * @param ndim   2 or more
 * @param shape  [..., height, width]
 * @errors       AGN_ENULL, AGN_EDTYPE (dtype), AGN_ESHAPE, AGN_ENOMEM
 * @grad         none: a constant
 * @cost         O(n)
 * @ref          Long, Shelhamer & Darrell 2015
 */
AGN_API AGN_MUST_CHECK agn_status agn_nn_init_bilinear(agn_tensor **out,
                                                       agn_dtype dtype, int32_t ndim,
                                                       const int64_t *shape);

#ifdef __cplusplus
}
#endif
#endif
