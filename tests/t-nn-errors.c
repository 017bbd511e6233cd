/* tests/t-nn-errors.c - every documented error of agnesi/nn.h, provoked: status, the
   two facts in the message, results untouched. */
#include "tests/nn.h"

#define NO(call, want, op, fact1, fact2)                                         \
    do {                                                                         \
        agn_tensor *y = untouched;                                               \
        agn_status no_st = call;                                                 \
        check(&t, refused(no_st, want, "nn_" op, fact1, fact2, y), "%s", #call); \
    } while (0)
#define NO_OUT(call, op)                                                             \
    do {                                                                             \
        agn_tensor *y = untouched;                                                   \
        agn_status no_st = call;                                                     \
        check(&t, refused(no_st, AGN_ENULL, "nn_" op, "out is NULL", NULL, y), "%s", \
              #call);                                                                \
    } while (0)

/* what is true of every function: NULLs and complex numbers. Z stands where a bad
   argument is. */
#define EACH_BAD(F)                                                                 \
    F(elu, "x", (o, Z, 1))                                                          \
    F(celu, "x", (o, Z, 1))                                                         \
    F(selu, "x", (o, Z))                                                            \
    F(gelu_tanh, "x", (o, Z))                                                       \
    F(silu, "x", (o, Z))                                                            \
    F(mish, "x", (o, Z))                                                            \
    F(softplus, "x", (o, Z, 1, 20))                                                 \
    F(log_sigmoid, "x", (o, Z))                                                     \
    F(softsign, "x", (o, Z))                                                        \
    F(tanhshrink, "x", (o, Z))                                                      \
    F(softshrink, "x", (o, Z, 1))                                                   \
    F(hardshrink, "x", (o, Z, 1))                                                   \
    F(hardtanh, "x", (o, Z, -1, 1))                                                 \
    F(relu6, "x", (o, Z))                                                           \
    F(hardsigmoid, "x", (o, Z))                                                     \
    F(hardswish, "x", (o, Z))                                                       \
    F(leaky_relu, "x", (o, Z, 0.1))                                                 \
    F(thresholded_relu, "x", (o, Z, 1, 0))                                          \
    F(prelu, "x", (o, Z, X, 0))                                                     \
    F(prelu, "weight", (o, X, Z, 0))                                                \
    F(rrelu, "x", (o, Z, NULL, 0, 1))                                               \
    F(glu, "x", (o, Z, 0))                                                          \
    F(maxout, "x", (o, Z, 1, 0))                                                    \
    F(softmax, "x", (o, Z, 0))                                                      \
    F(log_softmax, "x", (o, Z, 0))                                                  \
    F(gumbel_softmax, "x", (o, Z, K, 1, false, 0))                                  \
    F(mse_loss, "x", (o, Z, X, 0))                                                  \
    F(mse_loss, "target", (o, X, Z, 0))                                             \
    F(l1_loss, "target", (o, X, Z, 0))                                              \
    F(smooth_l1_loss, "target", (o, X, Z, 1, 0))                                    \
    F(huber_loss, "target", (o, X, Z, 1, 0))                                        \
    F(bce_loss, "target", (o, X, Z, NULL, 0))                                       \
    F(bce_with_logits_loss, "target", (o, X, Z, NULL, NULL, 0))                     \
    F(sigmoid_focal_loss, "target", (o, X, Z, 0.25, 2, 0))                          \
    F(log_loss, "target", (o, X, Z, 1e-4, 0))                                       \
    F(kl_div, "target", (o, X, Z, false, 0))                                        \
    F(poisson_nll_loss, "target", (o, X, Z, false, false, 0, 0))                    \
    F(gaussian_nll_loss, "var", (o, X, X, Z, false, 1e-6, 0))                       \
    F(soft_margin_loss, "target", (o, X, Z, 0))                                     \
    F(multi_label_soft_margin_loss, "target", (o, X, Z, NULL, 0))                   \
    F(hinge_embedding_loss, "target", (o, X, Z, 1, 0))                              \
    F(margin_ranking_loss, "target", (o, X, X, Z, 1, 0))                            \
    F(cosine_embedding_loss, "target", (o, X, X, Z, 1, 0))                          \
    F(triplet_margin_loss, "negative", (o, X, X, Z, 1, NULL))                       \
    F(nll_loss, "x", (o, Z, L, 1, NULL))                                            \
    F(nll_loss, "target", (o, X, Z, 1, NULL))                                       \
    F(cross_entropy, "x", (o, Z, L, 1, NULL))                                       \
    F(cross_entropy, "target", (o, X, Z, 1, NULL))                                  \
    F(margin_cross_entropy, "x", (o, Z, L, 1, 0, 0, 1, 0))                          \
    F(margin_cross_entropy, "target", (o, X, Z, 1, 0, 0, 1, 0))                     \
    F(multi_margin_loss, "target", (o, X, Z, 1, 1, NULL, 0))                        \
    F(dice_loss, "target", (o, X, Z, 1e-5, 0))                                      \
    F(npair_loss, "labels", (o, X, X, Z, 0))                                        \
    F(ctc_loss, "x", (o, Z, LL, NULL, NULL, NULL))                                  \
    F(ctc_loss, "target", (o, X3, Z, NULL, NULL, NULL))                             \
    F(rnnt_loss, "x", (o, Z, LL, NULL, NULL, NULL))                                 \
    F(rnnt_loss, "target", (o, X4, Z, NULL, NULL, NULL))                            \
    F(hsigmoid_loss, "target", (o, X, Z, X, NULL, 0))                               \
    F(adaptive_log_softmax, "head", (o, X, Z, NULL, tails, cutoffs, 1))             \
    F(linear, "weight", (o, X, Z, NULL))                                            \
    F(bilinear, "weight", (o, X, X, Z, NULL))                                       \
    F(embedding, "idx", (o, Z, X, -1))                                              \
    F(one_hot, "idx", (o, Z, 3, AGN_F32))                                           \
    F(layer_norm, "x", (o, Z, 1, NULL, NULL, 0))                                    \
    F(rms_norm, "x", (o, Z, 1, NULL, 0))                                            \
    F(batch_norm, "var", (o, X, C, Z, NULL, NULL, 1, 0))                            \
    F(batch_norm_train, "x", (o, NULL, NULL, Z, NULL, NULL, NULL, NULL, 1, 0.1, 0)) \
    F(group_norm, "x", (o, Z, 1, NULL, NULL, 0))                                    \
    F(instance_norm, "x", (o, Z, NULL, NULL, 0))                                    \
    F(local_response_norm, "x", (o, Z, 1, 1, 1, 1))                                 \
    F(normalize, "x", (o, Z, 2, 0, 1e-12))                                          \
    F(cosine_similarity, "b", (o, X, Z, 0, 1e-8))                                   \
    F(weight_norm, "g", (o, X, Z, 0))                                               \
    F(spectral_norm, "u", (o, NULL, X, Z, 1, 1e-12))

static agn_tensor *X, *X3, *X4, *C, *L, *LL, *K, *wrong_label[2];
static const agn_tensor *tails[2];
static const int64_t cutoffs[1] = {1};

static void each_bad(tally *t)
{
    agn_tensor *z = scalar_of(AGN_C128, 1);
#define CALL(name, what, arguments)                                                \
    for (int k = 0; k < 3; k++) {                                                  \
        const agn_tensor *Z = k == 0 ? NULL : k == 1 ? z : X;                      \
        agn_tensor *y = untouched, **o = k == 2 ? NULL : &y;                       \
        agn_status st = agn_nn_##name arguments;                                   \
        check(t,                                                                   \
              refused(st, k == 1 ? AGN_EDTYPE : AGN_ENULL, "nn_" #name,            \
                      k == 2 ? "out is NULL" : what, k == 1 ? "c128" : "NULL", y), \
              "%s, %s %s", #name, what,                                            \
              k == 0   ? "NULL"                                                    \
              : k == 1 ? "complex"                                                 \
                       : "no out");                                                \
    }
    EACH_BAD(CALL)
    agn_release(z);
}

/* a label out of range where there are no values: the program looks when it runs */
static agn_status compiled_loss(void *user, agn_scope *s, args in,
                                const agn_tensor **out)
{
    (void)user;
    out[0] = ag_nn_cross_entropy(s, in[0], in[1], 1, NULL);
    return agn_scope_status(s);
}
static agn_status compiled_hot(void *user, agn_scope *s, args in,
                               const agn_tensor **out)
{
    (void)user;
    out[0] = ag_nn_one_hot(s, in[1], agn_shape(in[0])[1], AGN_F64);
    return agn_scope_status(s);
}

static void test_labels(void)
{
    tally t = {0, 0};
    static const char *const facts[2] = {"-1 at place 1", "4 at place 1"};
    for (int k = 0; k < 2; k++) {
        const agn_tensor *B = wrong_label[k];
        const char *f = facts[k];
        NO(agn_nn_nll_loss(&y, X, B, 1, NULL), AGN_EINDEX, "nll_loss", f, "0 to 3");
        NO(agn_nn_cross_entropy(&y, X, B, 1, NULL), AGN_EINDEX, "cross_entropy", f,
           "0 to 3");
        NO(agn_nn_margin_cross_entropy(&y, X, B, 1, 0, 0, 1, 0), AGN_EINDEX,
           "margin_cross_entropy", f, "0 to 3");
        NO(agn_nn_multi_margin_loss(&y, X, B, 1, 1, NULL, 0), AGN_EINDEX,
           "multi_margin_loss", f, "0 to 3");
        NO(agn_nn_dice_loss(&y, X, B, 0, 0), AGN_EINDEX, "dice_loss", f, "0 to 3");
        NO(agn_nn_hsigmoid_loss(&y, X, B, X, NULL, 0), AGN_EINDEX, "hsigmoid_loss", f,
           "0 to 3");
        NO(agn_nn_embedding(&y, B, X4, -1), AGN_ESHAPE, "embedding", "[2,3,4,4]",
           "2 axes");
        NO(agn_nn_one_hot(&y, B, 4, AGN_F32), AGN_EINDEX, "one_hot", f, "0 to 3");
        agn_body *const bodies[] = {compiled_loss, compiled_hot};
        for (int b = 0; b < 2; b++)
            for (int mode = 0; mode < 2; mode++) {
                agn_fn *fn, *g;
                agn_tensor *y = NULL, *x1 = NULL, *b1 = NULL;
                must(agn_fn_new(&fn, bodies[b], NULL, NULL, 2, 1));
                if (mode) {
                    must(agn_fn_vmap(&g, fn, NULL, 0, NULL, 0));
                    must(agn_stack(&x1, (const agn_tensor *[]){X, X}, 2, 0));
                    must(agn_stack(&b1, (const agn_tensor *[]){L, B}, 2, 0));
                } else {
                    must(agn_fn_compile(&g, fn, NULL));
                    x1 = agn_retain(X), b1 = agn_retain(B);
                }
                agn_status st = agn_fn_call(&y, 1, g, AGN_ARGS(x1, b1));
                check(&t, st == AGN_EINDEX, "%s: %s, %s", mode ? "lanes" : "compiled",
                      agn_status_name(st), st ? agn_error_message() : "");
                agn_release(y), agn_release(x1), agn_release(b1);
                agn_fn_release(fn), agn_fn_release(g);
            }
    }
    NO(agn_nn_embedding(&y, wrong_label[0], X, -1), AGN_EINDEX, "embedding", "-1",
       "0 to 2");
    NO(agn_nn_embedding(&y, wrong_label[1], X, -1), AGN_EINDEX, "embedding", "4",
       "0 to 2");
    NO(agn_nn_embedding(&y, L, X, 3), AGN_EINDEX, "embedding", "row 3", "[3,4]");
    tell(&t, "labels -1 and C: AGN_EINDEX naming label, place and classes (N4, N10)");
}

static void test_errors(void)
{
    tally t = {0, 0};
    each_bad(&t);
    agn_tensor *two = V(2, 1, 2);
    const double nan = NAN;
    /* numbers */
    NO(agn_nn_celu(&y, X, 0), AGN_EARG, "celu", "alpha is 0", NULL);
    NO(agn_nn_softplus(&y, X, 0, 20), AGN_EARG, "softplus", "beta is 0", NULL);
    NO(agn_nn_softshrink(&y, X, -1), AGN_EARG, "softshrink", "-1", NULL);
    NO(agn_nn_hardshrink(&y, X, nan), AGN_EARG, "hardshrink", "nan", NULL);
    NO(agn_nn_hardtanh(&y, X, 1, -1), AGN_EARG, "hardtanh", "-1", "1");
    NO(agn_nn_rrelu(&y, X, K, 0.3, 0.1), AGN_EARG, "rrelu", "0.1", "0.3");
    NO(agn_nn_rrelu(&y, X, X, 0.1, 0.3), AGN_EDTYPE, "rrelu", "f64", NULL);
    NO(agn_nn_gumbel_softmax(&y, X, X, 1, false, 0), AGN_EDTYPE, "gumbel_softmax",
       "f64", NULL);
    NO(agn_nn_gumbel_softmax(&y, X, NULL, 1, false, 0), AGN_ENULL, "gumbel_softmax",
       "key", NULL);
    NO(agn_nn_gumbel_softmax(&y, X, K, 0, false, 0), AGN_EARG, "gumbel_softmax",
       "tau is 0", NULL);
    NO(agn_nn_maxout(&y, X, 0, 1), AGN_EARG, "maxout", "0", "1");
    NO(agn_nn_smooth_l1_loss(&y, X, X, -1, 0), AGN_EARG, "smooth_l1_loss", "-1", NULL);
    NO(agn_nn_huber_loss(&y, X, X, 0, 0), AGN_EARG, "huber_loss", "delta is 0", NULL);
    NO(agn_nn_sigmoid_focal_loss(&y, X, X, 0.25, -2, 0), AGN_EARG, "sigmoid_focal_loss",
       "-2", NULL);
    NO(agn_nn_gaussian_nll_loss(&y, X, X, X, false, 0, 0), AGN_EARG,
       "gaussian_nll_loss", "eps is 0", NULL);
    NO(agn_nn_multi_margin_loss(&y, X, L, 0.5, 1, NULL, 0), AGN_EARG,
       "multi_margin_loss", "0.5", NULL);
    NO(agn_nn_layer_norm(&y, X, 3, NULL, NULL, 0), AGN_EARG, "layer_norm", "3 axes",
       "[3,4]");
    NO(agn_nn_layer_norm(&y, X, 1, NULL, NULL, -1), AGN_EARG, "layer_norm", "eps is -1",
       NULL);
    NO(agn_nn_rms_norm(&y, X, 0, NULL, 0), AGN_EARG, "rms_norm", "0 axes", "[3,4]");
    NO(agn_nn_rms_norm(&y, X, 1, NULL, nan), AGN_EARG, "rms_norm", "eps is nan", NULL);
    NO(agn_nn_batch_norm(&y, X, C, C, NULL, NULL, 1, -1), AGN_EARG, "batch_norm", "-1",
       NULL);
    NO(agn_nn_batch_norm_train(&y, NULL, NULL, X, NULL, NULL, NULL, NULL, 1, 0, -1),
       AGN_EARG, "batch_norm_train", "-1", NULL);
    NO(agn_nn_group_norm(&y, X, 3, NULL, NULL, 0), AGN_EARG, "group_norm", "3 groups",
       "4");
    NO(agn_nn_group_norm(&y, X, 0, NULL, NULL, 0), AGN_EARG, "group_norm", "0 groups",
       "4");
    NO(agn_nn_group_norm(&y, X, -1, NULL, NULL, 0), AGN_EARG, "group_norm", "groups",
       "4");
    NO(agn_nn_group_norm(&y, X, 1, NULL, NULL, -1), AGN_EARG, "group_norm", "eps",
       "-1");
    NO(agn_nn_instance_norm(&y, X, NULL, NULL, -1), AGN_EARG, "instance_norm", "eps",
       "-1");
    NO(agn_nn_local_response_norm(&y, X, 0, 1, 1, 1), AGN_EARG, "local_response_norm",
       "0", "1");
    NO(agn_nn_normalize(&y, X, -1, 0, 1e-12), AGN_EARG, "normalize", "p is -1", NULL);
    NO(agn_nn_normalize(&y, X, 2, 0, 0), AGN_EARG, "normalize", "eps 0", NULL);
    NO(agn_nn_cosine_similarity(&y, X, X, 0, 0), AGN_EARG, "cosine_similarity",
       "eps is 0", NULL);
    NO(agn_nn_spectral_norm(&y, NULL, X, C, 0, 1e-12), AGN_EARG, "spectral_norm",
       "0 iterations", NULL);
    NO(agn_nn_spectral_norm(&y, NULL, X, C, 1, 0), AGN_EARG, "spectral_norm", "eps 0",
       NULL);
    NO(agn_nn_adaptive_log_softmax(&y, X, X, NULL, tails, cutoffs, 17), AGN_EARG,
       "adaptive_log_softmax", "17", "16");
    NO(agn_nn_adaptive_log_softmax(&y, X, X, NULL, NULL, cutoffs, 1), AGN_ENULL,
       "adaptive_log_softmax", "tails", NULL);
    NO(agn_nn_adaptive_log_softmax(&y, X, X, NULL, (const agn_tensor *[]){X, NULL},
                                   cutoffs, 1),
       AGN_ENULL, "adaptive_log_softmax", "tails[1]", NULL);
    NO(agn_nn_adaptive_log_softmax(&y, X, X, NULL, tails, (int64_t[]){-1}, 1), AGN_EARG,
       "adaptive_log_softmax", "cutoffs[0] is -1", NULL);
    /* axes */
    NO(agn_nn_prelu(&y, X, C, 2), AGN_EINDEX, "prelu", "2", NULL);
    NO(agn_nn_glu(&y, X, 2), AGN_EINDEX, "glu", "2", NULL);
    NO(agn_nn_maxout(&y, X, 1, -3), AGN_EINDEX, "maxout", "-3", "2");
    NO(agn_nn_softmax(&y, X, 2), AGN_EINDEX, "softmax", "2", NULL);
    NO(agn_nn_log_softmax(&y, X, -3), AGN_EINDEX, "log_softmax", "-3", NULL);
    NO(agn_nn_gumbel_softmax(&y, X, K, 1, false, 2), AGN_EINDEX, "gumbel_softmax", "2",
       NULL);
    NO(agn_nn_nll_loss(&y, X, L, 2, NULL), AGN_EINDEX, "nll_loss", "2", NULL);
    NO(agn_nn_cross_entropy(&y, X, L, -3, NULL), AGN_EINDEX, "cross_entropy", "-3",
       NULL);
    NO(agn_nn_batch_norm(&y, X, C, C, NULL, NULL, 2, 0), AGN_EINDEX, "batch_norm", "2",
       NULL);
    NO(agn_nn_batch_norm_train(&y, NULL, NULL, X, NULL, NULL, NULL, NULL, 2, 0, 0),
       AGN_EINDEX, "batch_norm_train", "2", NULL);
    NO(agn_nn_normalize(&y, X, 2, 2, 1e-12), AGN_EINDEX, "normalize", "2", NULL);
    NO(agn_nn_cosine_similarity(&y, X, X, 2, 1e-8), AGN_EINDEX, "cosine_similarity",
       "2", NULL);
    NO(agn_nn_weight_norm(&y, X, C, 2), AGN_EINDEX, "weight_norm", "2", NULL);
    /* shapes */
    NO(agn_nn_prelu(&y, X, two, 1), AGN_ESHAPE, "prelu", "[2]", "[4]");
    NO(agn_nn_glu(&y, X, 0), AGN_ESHAPE, "glu", "axis 0", "[3,4]");
    NO(agn_nn_maxout(&y, X, 3, 1), AGN_ESHAPE, "maxout", "[3,4]", "3");
    NO(agn_nn_mse_loss(&y, X, two, 0), AGN_ESHAPE, "mse_loss", "[2]", "[3,4]");
    NO(agn_nn_mse_loss(&y, C, X, 0), AGN_ESHAPE, "mse_loss", "[3,4]", "[4]");
    NO(agn_nn_l1_loss(&y, X, two, 0), AGN_ESHAPE, "l1_loss", "[2]", "[3,4]");
    NO(agn_nn_smooth_l1_loss(&y, X, two, 1, 0), AGN_ESHAPE, "smooth_l1_loss", "[2]",
       "[3,4]");
    NO(agn_nn_huber_loss(&y, X, two, 1, 0), AGN_ESHAPE, "huber_loss", "[2]", "[3,4]");
    NO(agn_nn_bce_loss(&y, X, X, two, 0), AGN_ESHAPE, "bce_loss", "weight", "[2]");
    NO(agn_nn_bce_with_logits_loss(&y, X, X, NULL, two, 0), AGN_ESHAPE,
       "bce_with_logits_loss", "pos_weight", "[2]");
    NO(agn_nn_sigmoid_focal_loss(&y, X, two, 1, 1, 0), AGN_ESHAPE, "sigmoid_focal_loss",
       "[2]", "[3,4]");
    NO(agn_nn_log_loss(&y, X, two, 1, 0), AGN_ESHAPE, "log_loss", "[2]", "[3,4]");
    NO(agn_nn_kl_div(&y, X, two, false, 0), AGN_ESHAPE, "kl_div", "[2]", "[3,4]");
    NO(agn_nn_poisson_nll_loss(&y, X, two, false, false, 0, 0), AGN_ESHAPE,
       "poisson_nll_loss", "[2]", "[3,4]");
    NO(agn_nn_gaussian_nll_loss(&y, X, X, two, false, 1, 0), AGN_ESHAPE,
       "gaussian_nll_loss", "var is [2]", "[3,4]");
    NO(agn_nn_soft_margin_loss(&y, X, two, 0), AGN_ESHAPE, "soft_margin_loss", "[2]",
       "[3,4]");
    NO(agn_nn_multi_label_soft_margin_loss(&y, X, X, two, 0), AGN_ESHAPE,
       "multi_label_soft_margin_loss", "[2]", "[4]");
    NO(agn_nn_hinge_embedding_loss(&y, X, two, 1, 0), AGN_ESHAPE,
       "hinge_embedding_loss", "[2]", "[3,4]");
    NO(agn_nn_margin_ranking_loss(&y, X, two, X, 1, 0), AGN_ESHAPE,
       "margin_ranking_loss", "b is [2]", "[3,4]");
    NO(agn_nn_cosine_embedding_loss(&y, X, X, X, 1, 0), AGN_ESHAPE,
       "cosine_embedding_loss", "[3,4]", "[3]");
    NO(agn_nn_triplet_margin_loss(&y, X, X, two, 1, NULL), AGN_ESHAPE,
       "triplet_margin_loss", "negative is [2]", "[3,4]");
    NO(agn_nn_nll_loss(&y, X, two, 1, NULL), AGN_EDTYPE, "nll_loss", "f64", "target");
    NO(agn_nn_nll_loss(&y, X, L, 0, NULL), AGN_ESHAPE, "nll_loss", "target is [3]",
       "[4]");
    NO(agn_nn_nll_loss(&y, X, L, 1, CLASSES(.weight = two)), AGN_ESHAPE, "nll_loss",
       "weight is [2]", "[4]");
    NO(agn_nn_cross_entropy(&y, X, two, 1, NULL), AGN_ESHAPE, "cross_entropy", "[2]",
       "[3,4]");
    NO(agn_nn_margin_cross_entropy(&y, X3, L, 1, 0, 0, 1, 0), AGN_ESHAPE,
       "margin_cross_entropy", "[3]", "[2,3]");
    NO(agn_nn_multi_margin_loss(&y, X, L, 1, 1, two, 0), AGN_ESHAPE,
       "multi_margin_loss", "[2]", "[4]");
    NO(agn_nn_dice_loss(&y, C, L, 1, 0), AGN_ESHAPE, "dice_loss", "[4]", "2 axes");
    NO(agn_nn_dice_loss(&y, X3, L, 1, 0), AGN_ESHAPE, "dice_loss", "[3]", "[2,3]");
    NO(agn_nn_npair_loss(&y, X3, X, L, 1), AGN_ESHAPE, "npair_loss", "[2,3,4]",
       "2 axes");
    NO(agn_nn_npair_loss(&y, X, C, L, 1), AGN_ESHAPE, "npair_loss", "[4]", "[3,4]");
    NO(agn_nn_hsigmoid_loss(&y, X, L, X3, NULL, 0), AGN_ESHAPE, "hsigmoid_loss",
       "[3,4]", "[2,3,4]");
    NO(agn_nn_hsigmoid_loss(&y, X, L, X, two, 0), AGN_ESHAPE, "hsigmoid_loss", "[2]",
       "[3]");
    NO(agn_nn_adaptive_log_softmax(&y, X, X, NULL, tails, cutoffs, 1), AGN_ESHAPE,
       "adaptive_log_softmax", "head is [3,4]", "[2,4]");
    NO(agn_nn_linear(&y, X, two, NULL), AGN_ESHAPE, "linear", "[3,4]", "[2]");
    NO(agn_nn_linear(&y, X, X, two), AGN_ESHAPE, "linear", "bias is [2]", "[3]");
    NO(agn_nn_bilinear(&y, X, X, X, NULL), AGN_ESHAPE, "bilinear", "[3,4]", "weight");
    NO(agn_nn_one_hot(&y, L, -1, AGN_F32), AGN_ESHAPE, "one_hot", "-1 classes", NULL);
    NO(agn_nn_one_hot(&y, L, 5, 99), AGN_EDTYPE, "one_hot", "99", "11");
    NO(agn_nn_layer_norm(&y, X, 1, two, NULL, 0), AGN_ESHAPE, "layer_norm",
       "weight is [2]", "[4]");
    NO(agn_nn_rms_norm(&y, X, 2, two, 0), AGN_ESHAPE, "rms_norm", "weight is [2]",
       "[3,4]");
    NO(agn_nn_batch_norm(&y, X, two, C, NULL, NULL, 1, 0), AGN_ESHAPE, "batch_norm",
       "mean is [2]", "[4]");
    NO(agn_nn_batch_norm_train(&y, NULL, NULL, C, NULL, NULL, NULL, NULL, 0, 0, 0),
       AGN_ESHAPE, "batch_norm_train", "1 elements", "4 channels");
    agn_tensor *mean = untouched;
    NO(agn_nn_batch_norm_train(&y, &mean, NULL, X, two, NULL, NULL, NULL, 1, 0, 0),
       AGN_ESHAPE, "batch_norm_train", "mean is [2]", "[4]");
    NO(agn_nn_batch_norm_train(&y, &mean, NULL, X, NULL, NULL, NULL, NULL, 1, 0, 0),
       AGN_ENULL, "batch_norm_train", "mean is NULL", NULL);
    check(&t, mean == untouched, "the second result");
    NO(agn_nn_group_norm(&y, C, 1, NULL, NULL, 0), AGN_ESHAPE, "group_norm", "[4]",
       "2 axes");
    NO(agn_nn_group_norm(&y, X, 1, two, NULL, 0), AGN_ESHAPE, "group_norm", "[2]",
       "[4]");
    NO(agn_nn_instance_norm(&y, X3, NULL, two, 0), AGN_ESHAPE, "instance_norm", "bias",
       "[3]");
    NO(agn_nn_local_response_norm(&y, C, 1, 1, 1, 1), AGN_ESHAPE, "local_response_norm",
       "[4]", "2 axes");
    NO(agn_nn_cosine_similarity(&y, X, C, 0, 1e-8), AGN_ESHAPE, "cosine_similarity",
       "[3,4]", "[4]");
    NO(agn_nn_weight_norm(&y, X, two, 1), AGN_ESHAPE, "weight_norm", "[2]", "[4]");
    NO(agn_nn_spectral_norm(&y, NULL, C, C, 1, 1e-12), AGN_ESHAPE, "spectral_norm",
       "[4]", "2 axes");
    NO(agn_nn_spectral_norm(&y, &mean, X, two, 1, 1e-12), AGN_ESHAPE, "spectral_norm",
       "[2]", "[3]");
    /* options */
    agn_nn_class_options co = {.size = 3};
    NO(agn_nn_nll_loss(&y, X, L, 1, &co), AGN_EARG, "nll_loss", "3 bytes", NULL);
    NO(agn_nn_nll_loss(&y, X, L, 1, CLASSES(.smoothing = 0.1)), AGN_EARG, "nll_loss",
       "smoothing is 0.1", NULL);
    NO(agn_nn_cross_entropy(&y, X, L, 1, CLASSES(.smoothing = 1.5)), AGN_EARG,
       "cross_entropy", "smoothing is 1.5", NULL);
    NO(agn_nn_cross_entropy(&y, X, X, 1, CLASSES(.ignore = true, .ignore_index = 7)),
       AGN_EARG, "cross_entropy", "label 7", "f64");
    NO(agn_nn_cross_entropy(&y, X, L, 1, CLASSES(.reduction = 9)), AGN_EARG,
       "cross_entropy", "reduction 9", "3");
    NO(agn_nn_mse_loss(&y, X, X, -1), AGN_EARG, "mse_loss", "reduction -1", "3");
    agn_nn_triplet_options to = {.size = 3};
    NO(agn_nn_triplet_margin_loss(&y, X, X, X, 1, &to), AGN_EARG, "triplet_margin_loss",
       "3 bytes", NULL);
    NO(agn_nn_triplet_margin_loss(&y, X, X, X, 1, TRIPLET(.p = -1)), AGN_EARG,
       "triplet_margin_loss", "p is -1", NULL);
    agn_fn *one;
    must(agn_fn_new(&one, l1_distance, NULL, NULL, 1, 1));
    NO(agn_nn_triplet_margin_loss(&y, X, X, X, 1, TRIPLET(.distance = one)), AGN_EARG,
       "triplet_margin_loss", "1 arguments", "2");
    agn_fn_release(one);
    /* sequences */
    agn_nn_sequence_options so = {.size = 3};
    NO(agn_nn_ctc_loss(&y, X3, LL, NULL, NULL, &so), AGN_EARG, "ctc_loss", "3 bytes",
       NULL);
    NO(agn_nn_ctc_loss(&y, X3, LL, NULL, NULL, SEQUENCE(.blank = 4)), AGN_EARG,
       "ctc_loss", "symbol 4", "4");
    NO(agn_nn_ctc_loss(&y, X, LL, NULL, NULL, NULL), AGN_ESHAPE, "ctc_loss", "[3,4]",
       "3 axes");
    NO(agn_nn_ctc_loss(&y, X3, L, NULL, NULL, NULL), AGN_ESHAPE, "ctc_loss", "[3]",
       "[3,0]");
    NO(agn_nn_ctc_loss(&y, X3, LL, L, NULL, NULL), AGN_EINDEX, "ctc_loss", "length 3",
       "input_lengths");
    NO(agn_nn_ctc_loss(&y, X3, LL, NULL, L, NULL), AGN_EINDEX, "ctc_loss", "length 3",
       "target_lengths");
    NO(agn_nn_ctc_loss(&y, X3, LL, NULL, NULL, SEQUENCE(.reduction = 5)), AGN_EARG,
       "ctc_loss", "reduction 5", NULL);
    agn_tensor *far = of_reals(AGN_I64, 2, (int64_t[]){3, 2},
                               (double[]){0, 1, 2, 4, 1, 1});
    NO(agn_nn_ctc_loss(&y, X3, far, NULL, NULL, NULL), AGN_EINDEX, "ctc_loss",
       "label 4", "0 to 3");
    agn_release(far);
    NO(agn_nn_rnnt_loss(&y, X3, LL, NULL, NULL, NULL), AGN_ESHAPE, "rnnt_loss",
       "[2,3,4]", "4 axes");
    NO(agn_nn_rnnt_loss(&y, X4, LL, NULL, NULL, NULL), AGN_ESHAPE, "rnnt_loss", "[3,2]",
       "[2,3]");
    NO(agn_nn_rnnt_loss(&y, X4, LL, NULL, NULL, SEQUENCE(.blank = -1)), AGN_EARG,
       "rnnt_loss", "symbol -1", NULL);
    agn_tensor *ok2 = of_reals(AGN_I64, 2, (int64_t[]){2, 3},
                               (double[]){0, 1, 2, 3, 1, 1}),
               *none = INTS(2, 3, 0);
    NO(agn_nn_rnnt_loss(&y, X4, ok2, none, NULL, NULL), AGN_EINDEX, "rnnt_loss", "-1",
       "input_lengths");
    agn_release(ok2), agn_release(none);
    tell(&t, "%" PRId64 " bad calls: status, two facts, results untouched", t.checks);
    agn_release(two);
}
static void test_init(void)
{
    tally t = {0, 0};
    static const int64_t s[3] = {4, 2, 3}, bad[3] = {4, -2, 3};
#define RANDOM(op, ...)                                                              \
    NO_OUT(agn_nn_##op(NULL, K, AGN_F32, 2, s, 1 __VA_ARGS__), #op);                 \
    NO(agn_nn_##op(&y, NULL, AGN_F32, 2, s, 1 __VA_ARGS__), AGN_ENULL, #op, "key",   \
       NULL);                                                                        \
    NO(agn_nn_##op(&y, K, AGN_F32, 2, NULL, 1 __VA_ARGS__), AGN_ENULL, #op, "shape", \
       NULL);                                                                        \
    NO(agn_nn_##op(&y, X, AGN_F32, 2, s, 1 __VA_ARGS__), AGN_EDTYPE, #op, "f64",     \
       NULL);                                                                        \
    NO(agn_nn_##op(&y, K, AGN_I32, 2, s, 1 __VA_ARGS__), AGN_EDTYPE, #op, "i32",     \
       "f16");                                                                       \
    NO(agn_nn_##op(&y, K, 99, 2, s, 1 __VA_ARGS__), AGN_EDTYPE, #op, "99", "11");    \
    NO(agn_nn_##op(&y, K, AGN_F32, 1, s, 1 __VA_ARGS__), AGN_ESHAPE, #op, "1 axes",  \
       "2");                                                                         \
    NO(agn_nn_##op(&y, K, AGN_F32, 3, bad, 1 __VA_ARGS__), AGN_ESHAPE, #op, "-2",    \
       "axis 1")
#define COMMA ,
    RANDOM(init_xavier_uniform, );
    RANDOM(init_xavier_normal, );
    RANDOM(init_kaiming_uniform, COMMA 0);
    RANDOM(init_kaiming_normal, COMMA 1);
    NO(agn_nn_init_kaiming_uniform(&y, K, AGN_F32, 2, s, 1, 2), AGN_EARG,
       "init_kaiming_uniform", "fan 2", "1");
    NO(agn_nn_init_kaiming_normal(&y, K, AGN_F32, 2, s, 1, -1), AGN_EARG,
       "init_kaiming_normal", "fan -1", "1");
    NO_OUT(agn_nn_init_dirac(NULL, AGN_F32, 3, s, 1), "init_dirac");
    NO(agn_nn_init_dirac(&y, AGN_F32, 3, NULL, 1), AGN_ENULL, "init_dirac", "shape",
       NULL);
    NO(agn_nn_init_dirac(&y, -1, 3, s, 1), AGN_EDTYPE, "init_dirac", "-1", "11");
    NO(agn_nn_init_dirac(&y, AGN_F32, 2, s, 1), AGN_ESHAPE, "init_dirac", "2 axes",
       "3");
    NO(agn_nn_init_dirac(&y, AGN_F32, 3, s, 3), AGN_EARG, "init_dirac", "3 groups",
       "4");
    NO_OUT(agn_nn_init_bilinear(NULL, AGN_F32, 3, s), "init_bilinear");
    NO(agn_nn_init_bilinear(&y, AGN_F32, 3, NULL), AGN_ENULL, "init_bilinear", "shape",
       NULL);
    NO(agn_nn_init_bilinear(&y, AGN_C64, 3, s), AGN_EDTYPE, "init_bilinear", "c64",
       "f16");
    NO(agn_nn_init_bilinear(&y, AGN_F32, 1, s), AGN_ESHAPE, "init_bilinear", "1 axes",
       "2");
    double g = 7;
    check(&t,
          agn_nn_gain(NULL, "relu", 0) == AGN_ENULL &&
              agn_nn_gain(&g, NULL, 0) == AGN_ENULL,
          "gain of nothing");
    check(&t,
          agn_nn_gain(&g, "swish", 0) == AGN_EARG && g == 7 &&
              strstr(agn_error_message(), "nn_gain: no gain is known for \"swish\""),
          "gain of swish: %s", agn_error_message());
    tell(&t, "%" PRId64 " bad calls for initial weights", t.checks);
}

int main(void)
{
    X = random_of(AGN_F64, 2, (int64_t[]){3, 4}, 0.1, 0.9);
    X3 = random_of(AGN_F64, 3, (int64_t[]){2, 3, 4}, 0.1, 0.9);
    X4 = random_of(AGN_F64, 4, (int64_t[]){2, 3, 4, 4}, 0.1, 0.9);
    C = random_of(AGN_F64, 1, (int64_t[]){4}, 0.1, 0.9);
    L = INTS(3, 1, 0, 3);
    LL = of_reals(AGN_I64, 2, (int64_t[]){3, 2}, (double[]){1, 2, 1, 3, 2, 2});
    wrong_label[0] = INTS(3, 0, -1, 1);
    wrong_label[1] = INTS(3, 0, 4, 1);
    K = key_of(3);
    tails[0] = tails[1] = X;
    test_labels();
    test_errors();
    test_init();
    agn_tensor *const all[] = {X, X3, X4, C, L, LL, K, wrong_label[0], wrong_label[1]};
    for (int k = 0; k < COUNT(all); k++)
        agn_release(all[k]);
    return done();
}
