/* tests/nn.h - the functions of agnesi/nn.h as expressions in an array of arguments. */
#ifndef AGN_TESTS_NN_H
#define AGN_TESTS_NN_H

#include "tests/modes.h"

#undef I /* of <complex.h> */

enum { ARGS = 8 };
typedef const agn_tensor *const *args;
typedef const agn_tensor *function(agn_scope *s, args x);

#define AXES(...)     \
    (const int32_t[]) \
    {                 \
        __VA_ARGS__   \
    }
#define TRIPLET(...) \
    (&(agn_nn_triplet_options){sizeof(agn_nn_triplet_options), __VA_ARGS__})
#define CLASSES(...) \
    (&(agn_nn_class_options){.size = sizeof(agn_nn_class_options), __VA_ARGS__})
#define SEQUENCE(...) \
    (&(agn_nn_sequence_options){.size = sizeof(agn_nn_sequence_options), __VA_ARGS__})

static inline agn_status l1_distance(void *user, agn_scope *s, args in,
                                     const agn_tensor **out)
{
    (void)user;
    out[0] = ag_sum(s, ag_abs(s, ag_sub(s, in[0], in[1])), AXES(-1), 1, false);
    return agn_scope_status(s);
}
static inline const agn_tensor *with_distance(agn_scope *s, args x)
{
    agn_fn *f = NULL;
    agn_scope_fail(s, agn_fn_new(&f, l1_distance, NULL, NULL, 2, 1));
    const agn_tensor *y = ag_nn_triplet_margin_loss(s, x[0], x[1], x[2], 2.3,
                                                    TRIPLET(.distance = f));
    agn_fn_release(f);
    return y;
}
static inline const agn_tensor *whole_row(agn_scope *s, int n, const int64_t *v)
{
    agn_tensor *x = NULL;
    agn_status st = agn_from_host(&x, AGN_I64, 1, (int64_t[]){n}, v);
    return agn_scope_adopt(s, st, &x);
}
static inline const agn_tensor *whole_rows(agn_scope *s, int n, int m, const int64_t *v)
{
    return ag_reshape(s, whole_row(s, n * m, v), 2, (int64_t[]){n, m});
}
#define ROW(n, ...) whole_row(s, n, (int64_t[]){__VA_ARGS__})
#define ROWS(n, m, ...) whole_rows(s, n, m, (int64_t[]){__VA_ARGS__})
static inline const agn_tensor *ctc(agn_scope *s, args x, int reduction)
{
    return ag_nn_ctc_loss(
        s, ag_nn_log_softmax(s, x[0], 2), ROWS(3, 3, 0, 3, 2, 2, 2, 1, 3, 9, 9),
        ROW(3, 6, 5, 4), ROW(3, 3, 2, 1), SEQUENCE(.blank = 1, .reduction = reduction));
}
static inline const agn_tensor *trained(agn_scope *s, args x, int which)
{
    agn_tensor *y[3] = {NULL};
    agn_tensor *m = of_reals(AGN_F64, 1, (int64_t[]){3}, (double[]){0.3, -0.2, 1.1}),
               *v = of_reals(AGN_F64, 1, (int64_t[]){3}, (double[]){1, 0.7, 0.4});
    agn_status st = agn_nn_batch_norm_train(&y[0], &y[1], &y[2], x[0], m, v, NULL, NULL,
                                            1, 0.1, 1e-3);
    agn_release(m);
    agn_release(v);
    for (int k = 0; k < 3; k++)
        if (k != which)
            agn_release(y[k]);
    return agn_scope_adopt(s, st, &y[which]);
}
static inline const agn_tensor *train_only(agn_scope *s, args x)
{
    agn_tensor *y = NULL;
    agn_status st = agn_nn_batch_norm_train(&y, NULL, NULL, x[0], NULL, NULL, x[1],
                                            x[2], 1, 0.1, 1e-3);
    return agn_scope_adopt(s, st, &y);
}
static inline const agn_tensor *spectral(agn_scope *s, args x)
{
    agn_tensor *y = NULL, *u = NULL;
    agn_status st = agn_nn_spectral_norm(&y, &u, x[0], x[1], 3, 1e-12);
    if (!st)
        agn_release(u);
    return agn_scope_adopt(s, st, &y);
}
static inline const agn_tensor *adaptive(agn_scope *s, args x)
{
    return ag_nn_adaptive_log_softmax(s, x[0], x[1], x[2], x + 3, (int64_t[]){2, 5}, 2);
}

#define N1(f, ...) ag_nn_##f(s, x[0], __VA_ARGS__)
#define N2(f, ...) ag_nn_##f(s, x[0], x[1], __VA_ARGS__)
#define N3(f, ...) ag_nn_##f(s, x[0], x[1], x[2], __VA_ARGS__)
#define MEAN AGN_NN_MEAN
#define NONE AGN_NN_NONE
#define EACH(F)                                                                        \
    F(elu, N1(elu, 0.7))                                                               \
    F(celu, N1(celu, 0.7))                                                             \
    F(selu, ag_nn_selu(s, x[0]))                                                       \
    F(gelu_tanh, ag_nn_gelu_tanh(s, x[0]))                                             \
    F(silu, ag_nn_silu(s, x[0]))                                                       \
    F(mish, ag_nn_mish(s, x[0]))                                                       \
    F(softplus, N1(softplus, 1.7, 5))                                                  \
    F(log_sigmoid, ag_nn_log_sigmoid(s, x[0]))                                         \
    F(softsign, ag_nn_softsign(s, x[0]))                                               \
    F(tanhshrink, ag_nn_tanhshrink(s, x[0]))                                           \
    F(softshrink, N1(softshrink, 0.5))                                                 \
    F(hardshrink, N1(hardshrink, 0.5))                                                 \
    F(hardtanh, N1(hardtanh, -1.5, 1))                                                 \
    F(relu6, ag_nn_relu6(s, x[0]))                                                     \
    F(hardsigmoid, ag_nn_hardsigmoid(s, x[0]))                                         \
    F(hardswish, ag_nn_hardswish(s, x[0]))                                             \
    F(leaky_relu, N1(leaky_relu, 0.1))                                                 \
    F(thresholded_relu, N1(thresholded_relu, 1, -0.3))                                 \
    F(prelu, N2(prelu, 1))                                                             \
    F(prelu_one, N2(prelu, 0))                                                         \
    F(rrelu_middle, N1(rrelu, NULL, 0.1, 0.3))                                         \
    F(glu, N1(glu, 1))                                                                 \
    F(maxout, N1(maxout, 3, 1))                                                        \
    F(softmax, N1(softmax, 1))                                                         \
    F(log_softmax, N1(log_softmax, 0))                                                 \
    F(mse_mean, N2(mse_loss, MEAN))                                                    \
    F(mse_sum, N2(mse_loss, AGN_NN_SUM))                                               \
    F(mse_none, N2(mse_loss, NONE))                                                    \
    F(l1, N2(l1_loss, MEAN))                                                           \
    F(smooth_l1, N2(smooth_l1_loss, 1.03, NONE))                                       \
    F(huber, N2(huber_loss, 1.27, NONE))                                               \
    F(bce, N3(bce_loss, MEAN))                                                         \
    F(bce_with_logits, ag_nn_bce_with_logits_loss(s, x[0], x[1], x[2], x[3], MEAN))    \
    F(sigmoid_focal, N2(sigmoid_focal_loss, 0.25, 2, MEAN))                            \
    F(log_loss, N2(log_loss, 1e-4, NONE))                                              \
    F(kl_batchmean, N2(kl_div, false, AGN_NN_BATCHMEAN))                               \
    F(kl_log, N2(kl_div, true, MEAN))                                                  \
    F(poisson_log, N2(poisson_nll_loss, true, true, 1e-8, MEAN))                       \
    F(poisson, N2(poisson_nll_loss, false, false, 1e-3, MEAN))                         \
    F(gaussian_nll, N3(gaussian_nll_loss, true, 1e-6, MEAN))                           \
    F(soft_margin, N2(soft_margin_loss, MEAN))                                         \
    F(multi_label_soft_margin, N3(multi_label_soft_margin_loss, MEAN))                 \
    F(hinge_embedding, N2(hinge_embedding_loss, 0.97, MEAN))                           \
    F(margin_ranking, N3(margin_ranking_loss, 0.33, MEAN))                             \
    F(cosine_embedding, N3(cosine_embedding_loss, 0.05, MEAN))                         \
    F(triplet, N3(triplet_margin_loss, 1.9, TRIPLET(.reduction = NONE)))               \
    F(triplet_swap_p3, N3(triplet_margin_loss, 1.9, TRIPLET(.p = 3, .swap = true)))    \
    F(triplet_distance, with_distance(s, x))                                           \
    F(nll, N2(nll_loss, 1, NULL))                                                      \
    F(nll_weight_ignore,                                                               \
      N2(nll_loss, 1, CLASSES(.weight = x[2], .ignore = true, .ignore_index = 2)))     \
    F(cross_entropy, N2(cross_entropy, -1, NULL))                                      \
    F(cross_entropy_all, N2(cross_entropy, 1,                                          \
                            CLASSES(.weight = x[2], .ignore = true, .ignore_index = 2, \
                                    .smoothing = 0.15)))                               \
    F(cross_entropy_none,                                                              \
      N2(cross_entropy, 1,                                                             \
         CLASSES(.weight = x[2], .ignore = true, .ignore_index = 2, .smoothing = 0.15, \
                 .reduction = NONE)))                                                  \
    F(cross_entropy_axis, N2(cross_entropy, 1, NULL))                                  \
    F(cross_entropy_soft,                                                              \
      N2(cross_entropy, 1, CLASSES(.weight = x[2], .smoothing = 0.1)))                 \
    F(cross_entropy_soft_axis, N2(cross_entropy, 1, CLASSES(.reduction = NONE)))       \
    F(margin_cross_entropy, N2(margin_cross_entropy, 0.9, 0.4, 0.15, 8, MEAN))         \
    F(multi_margin, N2(multi_margin_loss, 1, 0.73, x[2], MEAN))                        \
    F(multi_margin_3, N2(multi_margin_loss, 3, 0.73, NULL, NONE))                      \
    F(dice, N2(dice_loss, 1e-5, MEAN))                                                 \
    F(npair, N3(npair_loss, 0.3))                                                      \
    F(hsigmoid, N3(hsigmoid_loss, x[3], NONE))                                         \
    F(adaptive_log_softmax, adaptive(s, x))                                            \
    F(ctc, ctc(s, x, NONE))                                                            \
    F(ctc_mean, ctc(s, x, MEAN))                                                       \
    F(rnnt, ag_nn_rnnt_loss(s, ag_nn_log_softmax(s, x[0], 3), ROWS(2, 2, 1, 2, 2, 9),  \
                            ROW(2, 4, 3), ROW(2, 2, 1), SEQUENCE(.reduction = NONE)))  \
    F(linear, ag_nn_linear(s, x[0], x[1], x[2]))                                       \
    F(bilinear, ag_nn_bilinear(s, x[0], x[1], x[2], x[3]))                             \
    F(embedding, N2(embedding, 1))                                                     \
    F(layer_norm, N1(layer_norm, 2, x[1], x[2], 1e-3))                                 \
    F(rms_norm, N1(rms_norm, 1, x[1], 1e-3))                                           \
    F(batch_norm, N3(batch_norm, x[3], x[4], 1, 1e-3))                                 \
    F(batch_norm_train, train_only(s, x))                                              \
    F(running_mean, trained(s, x, 1))                                                  \
    F(running_var, trained(s, x, 2))                                                   \
    F(group_norm, N1(group_norm, 2, x[1], x[2], 1e-3))                                 \
    F(instance_norm, N3(instance_norm, 1e-3))                                          \
    F(local_response_norm, N1(local_response_norm, 3, 0.7, 0.75, 1.2))                 \
    F(local_response_norm_even, N1(local_response_norm, 4, 0.7, 0.75, 1.2))            \
    F(normalize, N1(normalize, 2, 1, 1e-12))                                           \
    F(normalize_p1, N1(normalize, 1, 1, 1e-12))                                        \
    F(normalize_p3, N1(normalize, 3, 0, 1e-12))                                        \
    F(normalize_inf, N1(normalize, (double)INFINITY, 1, 1e-12))                        \
    F(cosine_similarity, N2(cosine_similarity, 1, 1e-8))                               \
    F(weight_norm, N2(weight_norm, 1))                                                 \
    F(spectral_norm, spectral(s, x))

#define BODY(name, expr)                                           \
    static inline const agn_tensor *f_##name(agn_scope *s, args x) \
    {                                                              \
        return expr;                                               \
    }
EACH(BODY)

/* a function of the real arguments; the others are constants */
typedef struct problem {
    function *f;
    int n, n_real, real[ARGS];
    agn_tensor *x[ARGS];
} problem;
static inline agn_status body(void *user, agn_scope *s, args in, const agn_tensor **out)
{
    const problem *q = user;
    const agn_tensor *x[ARGS] = {NULL};
    for (int i = 0; i < q->n; i++)
        x[i] = q->x[i];
    for (int i = 0; i < q->n_real; i++)
        x[q->real[i]] = in[i];
    out[0] = q->f(s, x);
    return agn_scope_status(s);
}

static inline agn_tensor *key_of(uint64_t seed)
{
    agn_generator *g;
    agn_tensor *key;
    must(agn_generator_new(&g, seed));
    must(agn_key(&key, g));
    agn_generator_release(g);
    return key;
}
static inline agn_tensor *row(int n, const double *v)
{
    return of_reals(AGN_F64, 1, (int64_t[]){n}, v);
}
#define V(n, ...) row(n, (double[]){__VA_ARGS__})
static inline agn_tensor *ints(int n, const double *v)
{
    return of_reals(AGN_I64, 1, (int64_t[]){n}, v);
}
#define INTS(n, ...) ints(n, (double[]){__VA_ARGS__})

#endif
