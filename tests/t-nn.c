/* tests/t-nn.c - activations, losses and layers: values, gradients and Hessians as PyTorch has
   them, all modes to order 3, the ends of the range, dtypes and layouts, errors. */
#include "tests/modes.h"

#undef I /* of <complex.h> */

/* ---- another library's answers (tests/data/make-nn.py) --------------------------------- */

enum { ARGS = 8 };
typedef const agn_tensor *const *args;
typedef const agn_tensor *function(agn_scope *s, args x);

#define AXES(...)     \
    (const int32_t[]) \
    {                 \
        __VA_ARGS__   \
    }
#define TRIPLET(...) (&(agn_nn_triplet_options){sizeof(agn_nn_triplet_options), __VA_ARGS__})
#define CLASSES(...)                                                        \
    (&(agn_nn_class_options){.size = sizeof(agn_nn_class_options), __VA_ARGS__})
#define SEQUENCE(...) \
    (&(agn_nn_sequence_options){.size = sizeof(agn_nn_sequence_options), __VA_ARGS__})

static agn_status l1_distance(void *user, agn_scope *s, args in, const agn_tensor **out)
{
    (void)user;
    out[0] = ag_sum(s, ag_abs(s, ag_sub(s, in[0], in[1])), AXES(-1), 1, false);
    return agn_scope_status(s);
}
static const agn_tensor *with_distance(agn_scope *s, args x)
{
    agn_fn *f = NULL;
    agn_scope_fail(s, agn_fn_new(&f, l1_distance, NULL, NULL, 2, 1));
    const agn_tensor *y =
        ag_nn_triplet_margin_loss(s, x[0], x[1], x[2], 2.3, TRIPLET(.distance = f));
    agn_fn_release(f);
    return y;
}
static const agn_tensor *whole_row(agn_scope *s, int n, const int64_t *v)
{
    agn_tensor *x = NULL;
    agn_status st = agn_from_host(&x, AGN_I64, 1, (int64_t[]){n}, v);
    return agn_scope_adopt(s, st, x);
}
static const agn_tensor *whole_rows(agn_scope *s, int n, int m, const int64_t *v)
{
    return ag_reshape(s, whole_row(s, n * m, v), 2, (int64_t[]){n, m});
}
#define ROW(n, ...) whole_row(s, n, (int64_t[]){__VA_ARGS__})
#define ROWS(n, m, ...) whole_rows(s, n, m, (int64_t[]){__VA_ARGS__})
static const agn_tensor *ctc(agn_scope *s, args x, int reduction)
{
    return ag_nn_ctc_loss(s, ag_nn_log_softmax(s, x[0], 2),
                          ROWS(3, 3, 0, 3, 2, 2, 2, 1, 3, 9, 9), ROW(3, 6, 5, 4),
                          ROW(3, 3, 2, 1), SEQUENCE(.blank = 1, .reduction = reduction));
}
static const agn_tensor *trained(agn_scope *s, args x, int which)
{
    agn_tensor *y[3] = {NULL};
    agn_tensor *m = of_reals(AGN_F64, 1, (int64_t[]){3}, (double[]){0.3, -0.2, 1.1}),
               *v = of_reals(AGN_F64, 1, (int64_t[]){3}, (double[]){1, 0.7, 0.4});
    agn_status st = agn_nn_batch_norm_train(&y[0], &y[1], &y[2], x[0], m, v, NULL, NULL, 1,
                                            0.1, 1e-3);
    agn_release(m);
    agn_release(v);
    for (int k = 0; k < 3; k++)
        if (k != which)
            agn_release(y[k]);
    return agn_scope_adopt(s, st, y[which]);
}
static const agn_tensor *train_only(agn_scope *s, args x)
{
    agn_tensor *y = NULL;
    agn_status st = agn_nn_batch_norm_train(&y, NULL, NULL, x[0], NULL, NULL, x[1], x[2], 1, 0.1,
                                            1e-3);
    return agn_scope_adopt(s, st, y);
}
static const agn_tensor *spectral(agn_scope *s, args x)
{
    agn_tensor *y = NULL, *u = NULL;
    agn_status st = agn_nn_spectral_norm(&y, &u, x[0], x[1], 3, 1e-12);
    if (!st)
        agn_release(u);
    return agn_scope_adopt(s, st, y);
}
static const agn_tensor *adaptive(agn_scope *s, args x)
{
    return ag_nn_adaptive_log_softmax(s, x[0], x[1], x[2], x + 3, (int64_t[]){2, 5}, 2);
}

#define N1(f, ...) ag_nn_##f(s, x[0], __VA_ARGS__)
#define N2(f, ...) ag_nn_##f(s, x[0], x[1], __VA_ARGS__)
#define N3(f, ...) ag_nn_##f(s, x[0], x[1], x[2], __VA_ARGS__)
#define MEAN AGN_NN_MEAN
#define NONE AGN_NN_NONE
#define EACH(F)                                                                             \
    F(elu, N1(elu, 0.7))                                                                    \
    F(celu, N1(celu, 0.7))                                                                  \
    F(selu, ag_nn_selu(s, x[0]))                                                            \
    F(gelu_tanh, ag_nn_gelu_tanh(s, x[0]))                                                  \
    F(silu, ag_nn_silu(s, x[0]))                                                            \
    F(mish, ag_nn_mish(s, x[0]))                                                            \
    F(softplus, N1(softplus, 1.7, 5))                                                       \
    F(log_sigmoid, ag_nn_log_sigmoid(s, x[0]))                                              \
    F(softsign, ag_nn_softsign(s, x[0]))                                                    \
    F(tanhshrink, ag_nn_tanhshrink(s, x[0]))                                                \
    F(softshrink, N1(softshrink, 0.5))                                                      \
    F(hardshrink, N1(hardshrink, 0.5))                                                      \
    F(hardtanh, N1(hardtanh, -1.5, 1))                                                      \
    F(relu6, ag_nn_relu6(s, x[0]))                                                          \
    F(hardsigmoid, ag_nn_hardsigmoid(s, x[0]))                                              \
    F(hardswish, ag_nn_hardswish(s, x[0]))                                                  \
    F(leaky_relu, N1(leaky_relu, 0.1))                                                      \
    F(thresholded_relu, N1(thresholded_relu, 1, -0.3))                                      \
    F(prelu, N2(prelu, 1))                                                                  \
    F(prelu_one, N2(prelu, 0))                                                              \
    F(rrelu_middle, N1(rrelu, NULL, 0.1, 0.3))                                              \
    F(glu, N1(glu, 1))                                                                      \
    F(maxout, N1(maxout, 3, 1))                                                             \
    F(softmax, N1(softmax, 1))                                                              \
    F(log_softmax, N1(log_softmax, 0))                                                      \
    F(mse_mean, N2(mse_loss, MEAN))                                                         \
    F(mse_sum, N2(mse_loss, AGN_NN_SUM))                                                    \
    F(mse_none, N2(mse_loss, NONE))                                                         \
    F(l1, N2(l1_loss, MEAN))                                                                \
    F(smooth_l1, N2(smooth_l1_loss, 1.03, NONE))                                            \
    F(huber, N2(huber_loss, 1.27, NONE))                                                    \
    F(bce, N3(bce_loss, MEAN))                                                              \
    F(bce_with_logits, ag_nn_bce_with_logits_loss(s, x[0], x[1], x[2], x[3], MEAN))         \
    F(sigmoid_focal, N2(sigmoid_focal_loss, 0.25, 2, MEAN))                                 \
    F(log_loss, N2(log_loss, 1e-4, NONE))                                                   \
    F(kl_batchmean, N2(kl_div, false, AGN_NN_BATCHMEAN))                                    \
    F(kl_log, N2(kl_div, true, MEAN))                                                       \
    F(poisson_log, N2(poisson_nll_loss, true, true, 1e-8, MEAN))                            \
    F(poisson, N2(poisson_nll_loss, false, false, 1e-3, MEAN))                              \
    F(gaussian_nll, N3(gaussian_nll_loss, true, 1e-6, MEAN))                                \
    F(soft_margin, N2(soft_margin_loss, MEAN))                                              \
    F(multi_label_soft_margin, N3(multi_label_soft_margin_loss, MEAN))                      \
    F(hinge_embedding, N2(hinge_embedding_loss, 0.97, MEAN))                                \
    F(margin_ranking, N3(margin_ranking_loss, 0.33, MEAN))                                  \
    F(cosine_embedding, N3(cosine_embedding_loss, 0.05, MEAN))                              \
    F(triplet, N3(triplet_margin_loss, 1.9, TRIPLET(.reduction = NONE)))                    \
    F(triplet_swap_p3, N3(triplet_margin_loss, 1.9, TRIPLET(.p = 3, .swap = true)))         \
    F(triplet_distance, with_distance(s, x))                                                \
    F(nll, N2(nll_loss, 1, NULL))                                                           \
    F(nll_weight_ignore,                                                                    \
      N2(nll_loss, 1, CLASSES(.weight = x[2], .ignore = true, .ignore_index = 2)))          \
    F(cross_entropy, N2(cross_entropy, -1, NULL))                                           \
    F(cross_entropy_all,                                                                    \
      N2(cross_entropy, 1,                                                                  \
         CLASSES(.weight = x[2], .ignore = true, .ignore_index = 2, .smoothing = 0.15)))    \
    F(cross_entropy_none,                                                                   \
      N2(cross_entropy, 1,                                                                  \
         CLASSES(.weight = x[2], .ignore = true, .ignore_index = 2, .smoothing = 0.15,      \
                 .reduction = NONE)))                                                       \
    F(cross_entropy_axis, N2(cross_entropy, 1, NULL))                                       \
    F(cross_entropy_soft, N2(cross_entropy, 1, CLASSES(.weight = x[2], .smoothing = 0.1)))  \
    F(cross_entropy_soft_axis, N2(cross_entropy, 1, CLASSES(.reduction = NONE)))            \
    F(margin_cross_entropy, N2(margin_cross_entropy, 0.9, 0.4, 0.15, 8, MEAN))              \
    F(multi_margin, N2(multi_margin_loss, 1, 0.73, x[2], MEAN))                             \
    F(multi_margin_3, N2(multi_margin_loss, 3, 0.73, NULL, NONE))                           \
    F(dice, N2(dice_loss, 1e-5, MEAN))                                                      \
    F(npair, N3(npair_loss, 0.3))                                                           \
    F(hsigmoid, N3(hsigmoid_loss, x[3], NONE))                                              \
    F(adaptive_log_softmax, adaptive(s, x))                                                 \
    F(ctc, ctc(s, x, NONE))                                                                 \
    F(ctc_mean, ctc(s, x, MEAN))                                                            \
    F(rnnt, ag_nn_rnnt_loss(s, ag_nn_log_softmax(s, x[0], 3), ROWS(2, 2, 1, 2, 2, 9),       \
                            ROW(2, 4, 3), ROW(2, 2, 1), SEQUENCE(.reduction = NONE)))       \
    F(linear, ag_nn_linear(s, x[0], x[1], x[2]))                                            \
    F(bilinear, ag_nn_bilinear(s, x[0], x[1], x[2], x[3]))                                  \
    F(embedding, N2(embedding, 1))                                                          \
    F(layer_norm, N1(layer_norm, 2, x[1], x[2], 1e-3))                                      \
    F(rms_norm, N1(rms_norm, 1, x[1], 1e-3))                                                \
    F(batch_norm, N3(batch_norm, x[3], x[4], 1, 1e-3))                                      \
    F(batch_norm_train, train_only(s, x))                                                   \
    F(running_mean, trained(s, x, 1))                                                       \
    F(running_var, trained(s, x, 2))                                                        \
    F(group_norm, N1(group_norm, 2, x[1], x[2], 1e-3))                                      \
    F(instance_norm, N3(instance_norm, 1e-3))                                               \
    F(local_response_norm, N1(local_response_norm, 3, 0.7, 0.75, 1.2))                      \
    F(local_response_norm_even, N1(local_response_norm, 4, 0.7, 0.75, 1.2))                 \
    F(normalize, N1(normalize, 2, 1, 1e-12))                                                \
    F(normalize_p1, N1(normalize, 1, 1, 1e-12))                                             \
    F(normalize_p3, N1(normalize, 3, 0, 1e-12))                                             \
    F(normalize_inf, N1(normalize, (double)INFINITY, 1, 1e-12))                             \
    F(cosine_similarity, N2(cosine_similarity, 1, 1e-8))                                    \
    F(weight_norm, N2(weight_norm, 1))                                                      \
    F(spectral_norm, spectral(s, x))

#define BODY(name, expr)                                       \
    static const agn_tensor *f_##name(agn_scope *s, args x)    \
    {                                                          \
        return expr;                                           \
    }
EACH(BODY)

static const struct {
    const char *name;
    function *f;
} functions[] = {
#define ENTER(name, expr) {#name, f_##name},
    EACH(ENTER)};

static const struct {
    const char *name;
    const double *v;
} golden[] = {
#define GOLDEN(name, ...) {name, (const double[]){__VA_ARGS__}},
#include "tests/data/nn.inc"
};

/* a function of the real arguments; the others are constants */
typedef struct problem {
    function *f;
    int n, n_real, real[ARGS];
    agn_tensor *x[ARGS];
} problem;
static agn_status body(void *user, agn_scope *s, args in, const agn_tensor **out)
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

static agn_tensor *read_tensor(const double **p, int dtype)
{
    int64_t shape[AGN_MAX_RANK];
    int ndim = (int)*(*p)++;
    for (int d = 0; d < ndim; d++)
        shape[d] = (int64_t) * (*p)++;
    agn_tensor *x = of_reals(dtype, ndim, shape, *p);
    *p += agn_numel(x);
    return x;
}
static agn_tensor *read_like(const double **p, const agn_tensor *x)
{
    agn_tensor *y = of_reals(AGN_F64, agn_ndim(x), agn_shape(x), *p);
    *p += agn_numel(x);
    return y;
}

static double worst[3];
static void compare(tally *t, int order, const agn_tensor *have, const agn_tensor *want,
                    const char *name, const char *what)
{
    double d = modes_apart(have, want);
    worst[order] = fmax(worst[order], d);
    check(t, d < 4e-14, "%s: %s apart by %.2g", name, what, d);
}

/* these have derivatives that differ from differences on purpose */
static bool holds_constants(const char *name)
{
    static const char *const some[] = {"embedding", "running_mean", "running_var",
                                       "spectral_norm"};
    for (int k = 0; k < COUNT(some); k++)
        if (!strcmp(name, some[k]))
            return true;
    return false;
}

static void one_golden(tally *t, const char *name, function *f, const double *p)
{
    problem q = {.f = f};
    agn_tensor *g[ARGS], *h[ARGS];
    const agn_tensor *x[2 * ARGS];
    int32_t every[ARGS];
    q.n = (int)*p++;
    for (int i = 0; i < q.n; i++) {
        int kind = (int)*p++;
        q.x[i] = read_tensor(&p, kind == 1 ? AGN_I64 : AGN_F64);
        if (kind == 0)
            q.real[q.n_real++] = i;
    }
    agn_tensor *want = read_tensor(&p, AGN_F64), *w = read_like(&p, want), *y = NULL, *z = NULL;
    for (int i = 0; i < q.n_real; i++) {
        every[i] = i;
        x[i] = q.x[q.real[i]];
    }
    agn_fn *fn, *fast, *scalar, *grad, *hvp;
    must(agn_fn_new(&fn, body, &q, NULL, q.n_real, 1));
    agn_status st = agn_fn_call(fn, &y, x);
    if (st)
        bail_out("%s: %s", name, agn_error_message());
    compare(t, 0, y, want, name, "value");
    must(agn_fn_compile(&fast, fn, NULL));
    must(agn_fn_call(fast, &z, x));
    compare(t, 0, z, want, name, "compiled value");
    const agn_tensor *ws[1] = {w};
    modes_scalar m = {fn, 0, 1, q.n_real, 0, ws, NULL};
    must(agn_fn_new(&scalar, modes_scalar_body, &m, NULL, q.n_real, 1));
    must(agn_fn_grad(&grad, scalar, every, q.n_real));
    must(agn_fn_hvp(&hvp, scalar, every, q.n_real));
    must(agn_fn_call(grad, g, x));
    for (int i = 0; i < q.n_real; i++) {
        agn_tensor *u = read_like(&p, x[i]);
        compare(t, 1, g[i], u, name, "gradient");
        agn_release(u);
        agn_release(g[i]);
    }
    for (int i = 0; i < q.n_real; i++)
        x[q.n_real + i] = read_like(&p, x[i]);
    must(agn_fn_call(hvp, h, x));
    for (int i = 0; i < q.n_real; i++) {
        agn_tensor *u = read_like(&p, x[i]);
        compare(t, 2, h[i], u, name, "product with the Hessian");
        agn_release(u);
        agn_release(h[i]);
        agn_release((agn_tensor *)(uintptr_t)x[q.n_real + i]);
    }
    if (q.n_real <= MODES_ARGS && tap_scale(2) == 2 && !holds_constants(name))
        in_every_mode(fn, q.n_real, x, 5e-3, 2e-8, name);
    agn_fn_release(fn);
    agn_fn_release(fast);
    agn_fn_release(scalar);
    agn_fn_release(grad);
    agn_fn_release(hvp);
    for (int i = 0; i < q.n; i++)
        agn_release(q.x[i]);
    agn_release(want);
    agn_release(w);
    agn_release(y);
    agn_release(z);
}

static void test_golden(void)
{
    tally t = {0, 0};
    for (int k = 0; k < COUNT(golden); k++) {
        function *f = NULL;
        for (int i = 0; i < COUNT(functions); i++)
            if (!strcmp(functions[i].name, golden[k].name))
                f = functions[i].f;
        if (f)
            one_golden(&t, golden[k].name, f, golden[k].v);
        check(&t, f != NULL, "no function for %s", golden[k].name);
    }
    for (int i = 0; i < COUNT(functions); i++) {
        bool found = false;
        for (int k = 0; k < COUNT(golden); k++)
            found |= !strcmp(functions[i].name, golden[k].name);
        check(&t, found, "no answers for %s", functions[i].name);
    }
    tell(&t, "%d functions against PyTorch: values to %.1e, gradients %.1e, Hessians %.1e",
         COUNT(golden), worst[0], worst[1], worst[2]);
}

/* ---- the ends of the range --------------------------------------------------------------- */

static const agn_tensor *one_of(function *f, agn_scope *s, double v)
{
    agn_tensor *x = NULL;
    agn_status st = agn_full(&x, AGN_F64, 0, NULL, v);
    const agn_tensor *in[] = {agn_scope_adopt(s, st, x)};
    return f(s, in);
}
static double value_at(function *f, double v)
{
    agn_scope *s = agn_scope_open(NULL);
    agn_tensor *y = NULL;
    agn_scope_return(s, &y, one_of(f, s, v));
    must(agn_scope_close(s));
    double r = peek(y, 0);
    agn_release(y);
    return r;
}
static const agn_tensor *f_elu_neg(agn_scope *s, args x)
{
    return N1(elu, -0.2);
}
static const agn_tensor *f_softplus_all(agn_scope *s, args x)
{
    return N1(softplus, 1, (double)INFINITY);
}

#define INF ((double)INFINITY)
static void test_ends(void)
{
    static const struct {
        const char *name;
        function *f;
        double low, high; /* at -inf and inf */
    } ends[] = {{"elu", f_elu, -0.7, INF},
                {"celu", f_celu, -0.7, INF},
                {"selu", f_selu, -1.7580993408473766, INF},
                {"gelu_tanh", f_gelu_tanh, 0, INF},
                {"silu", f_silu, 0, INF},
                {"mish", f_mish, 0, INF},
                {"softplus", f_softplus, 0, INF},
                {"softplus without threshold", f_softplus_all, 0, INF},
                {"log_sigmoid", f_log_sigmoid, -INF, 0},
                {"softsign", f_softsign, -1, 1},
                {"tanhshrink", f_tanhshrink, -INF, INF},
                {"softshrink", f_softshrink, -INF, INF},
                {"hardshrink", f_hardshrink, -INF, INF},
                {"hardtanh", f_hardtanh, -1.5, 1},
                {"relu6", f_relu6, 0, 6},
                {"hardsigmoid", f_hardsigmoid, 0, 1},
                {"hardswish", f_hardswish, 0, INF},
                {"leaky_relu", f_leaky_relu, -INF, INF},
                {"thresholded_relu", f_thresholded_relu, -0.3, INF}};
    tally t = {0, 0};
    for (int k = 0; k < COUNT(ends); k++) {
        double lo = value_at(ends[k].f, -INF), hi = value_at(ends[k].f, INF);
        check(&t, tap_close(lo, ends[k].low, 1e-15), "%s at -inf: %g", ends[k].name, lo);
        check(&t, tap_close(hi, ends[k].high, 1e-15), "%s at inf: %g", ends[k].name, hi);
        check(&t, isnan(value_at(ends[k].f, NAN)), "%s of NaN (D16)", ends[k].name);
        /* derivatives of the first three orders are finite far out */
        for (int side = -1; side < 2; side += 2) {
            problem q = {ends[k].f, 1, 1, {0}, {NULL}};
            agn_tensor *in[4] = {scalar_of(AGN_F64, side * 1e4), scalar_of(AGN_F64, 1),
                                 scalar_of(AGN_F64, 0), scalar_of(AGN_F64, 0)},
                       *out[4];
            agn_fn *fn, *jet;
            must(agn_fn_new(&fn, body, &q, NULL, 1, 1));
            must(agn_fn_jet(&jet, fn, 3));
            must(agn_fn_call(jet, out, (const agn_tensor *const *)in));
            for (int i = 0; i < 4; i++) {
                check(&t, isfinite(peek(out[i], 0)), "%s: coefficient %d at %g is %g",
                      ends[k].name, i, side * 1e4, peek(out[i], 0));
                agn_release(out[i]);
                agn_release(in[i]);
            }
            agn_fn_release(fn);
            agn_fn_release(jet);
        }
    }
    check(&t, fabs(value_at(f_elu_neg, -1) - 0.12642411176571153) < 1e-16, "elu (A7)");
    check(&t, value_at(f_elu_neg, 6) == 6, "elu (A7)");
    tell(&t, "activations at infinities, NaN and far out (A7, D16)");
    /* the left tail to all digits (N6) */
    double gelu = 0;
    for (double v = -6; v < 6; v += 1.0 / 64) {
        long double z = (long double)v, u = 0.797884560802865355879892119868763737L *
                                            (z + 0.044715L * z * z * z);
        long double want = z / (1 + expl(-2 * u));
        gelu = fmax(gelu, (double)fabsl((long double)value_at(f_gelu_tanh, v) - want) /
                              (1e-300 + (double)fabsl(want)));
    }
    ok(gelu < 40 * 0x1p-52, "gelu_tanh in relative terms: %.1f eps (N6)", gelu * 0x1p52);
}

/* ---- softmax of long and extreme lanes (E7, E9) -------------------------------------------- */

static void test_softmax(void)
{
    static const int64_t lengths[] = {1, 2, 1024, 1025, 99999, 100000, 100001, 1000000};
    static const double shifts[] = {0, 330, -330, 1e4, -1e4};
    tally t = {0, 0};
    double off[2] = {0, 0};
    for (int k = 0; k < COUNT(lengths); k++)
        for (int j = 0; j < COUNT(shifts); j++) {
            int64_t n = lengths[k];
            if (n > 1025 && tap_scale(2) != 2)
                continue;
            agn_tensor *x = random_of(AGN_F64, 1, &n, shifts[j], shifts[j] + 30), *p, *l, *g;
            must(agn_nn_softmax(&p, x, -1));
            must(agn_nn_log_softmax(&l, x, 0));
            long double sum = 0;
            for (int64_t i = 0; i < n; i++)
                sum += expl((long double)peek(x, i) - (long double)shifts[j] - 30);
            double total = 0, worst_p = 0, worst_l = 0;
            for (int64_t i = 0; i < n; i++) {
                long double z = (long double)peek(x, i) - (long double)shifts[j] - 30;
                double want = (double)(expl(z) / sum), lw = (double)(z - logl(sum));
                worst_p = fmax(worst_p, fabs(peek(p, i) / want - 1));
                worst_l = fmax(worst_l, fabs(peek(l, i) - lw) / (1 + fabs(lw)));
                total += peek(p, i);
            }
            off[0] = fmax(off[0], worst_p);
            off[1] = fmax(off[1], worst_l);
            check(&t, worst_p < 1e-13 && worst_l < 1e-14 && fabs(total - 1) < 1e-11,
                  "%" PRId64 " elements from %g: %.1e, %.1e, sum %.17g", n, shifts[j], worst_p,
                  worst_l, total);
            /* one large cotangent: its own column of the Jacobian */
            agn_tensor *w, *y, *e;
            must(agn_watch(&w, x));
            must(agn_nn_softmax(&y, w, -1));
            int64_t at = n / 2;
            double *cotangent = room_for((size_t)n * sizeof *cotangent);
            cotangent[at] = 1e6;
            e = of_reals(AGN_F64, 1, &n, cotangent);
            free(cotangent);
            must(agn_gradient(&g, (const agn_tensor *const *)&y, 1,
                              (const agn_tensor *const *)&w, 1,
                              (const agn_tensor *const *)&e));
            double bad = 0, q = peek(p, at);
            for (int64_t i = 0; i < n; i++) {
                double want = 1e6 * q * ((i == at) - peek(p, i));
                bad = fmax(bad, fabs(peek(g, i) - want) / (1e6 * q));
            }
            check(&t, bad < 1e-14, "%" PRId64 " elements from %g: gradient off by %.1e", n,
                  shifts[j], bad);
            agn_release(x), agn_release(p), agn_release(l), agn_release(g);
            agn_release(w), agn_release(y), agn_release(e);
        }
    tell(&t, "softmax to %.1e, log_softmax to %.1e, lanes to 10^6, shifted by 1e4 (E7, E9)",
         off[0], off[1]);
    double some[4] = {-INF, 3, -INF, 3}, none[3] = {-INF, -INF, -INF};
    agn_tensor *x = of_reals(AGN_F64, 1, (int64_t[]){4}, some),
               *z = of_reals(AGN_F64, 1, (int64_t[]){3}, none), *y, *u;
    must(agn_nn_softmax(&y, x, 0));
    must(agn_nn_log_softmax(&u, x, 0));
    ok(peek(y, 0) == 0 && peek(y, 1) == 0.5 && peek(u, 2) == -INF &&
           fabs(peek(u, 3) + log(2)) < 1e-16,
       "masked entries have probability 0");
    agn_release(y), agn_release(u);
    must(agn_nn_softmax(&y, z, 0));
    ok(isnan(peek(y, 0)), "a lane of nothing but -inf is NaN");
    agn_release(x), agn_release(y), agn_release(z);
    x = random_of(AGN_F64, 2, (int64_t[]){3, 0}, 0, 1);
    must(agn_nn_softmax(&y, x, 1));
    ok(has_shape(y, 2, (int64_t[]){3, 0}), "empty lanes");
    agn_release(x), agn_release(y);
}

/* ---- losses at their ends ------------------------------------------------------------------ */

static double item(agn_status st, agn_tensor **y)
{
    must(st);
    double v = peek(*y, 0);
    agn_release(*y);
    return v;
}
static agn_tensor *row(int n, const double *v)
{
    return of_reals(AGN_F64, 1, (int64_t[]){n}, v);
}
#define V(n, ...) row(n, (double[]){__VA_ARGS__})
static agn_tensor *ints(int n, const double *v)
{
    return of_reals(AGN_I64, 1, (int64_t[]){n}, v);
}
#define INTS(n, ...) ints(n, (double[]){__VA_ARGS__})

static void test_losses(void)
{
    agn_tensor *y, *x = V(4, -2, -1, 0, 1), *t = V(4, 0, 0.5, 1, 0), *l = V(4, -INF, -1, 0, -2);
    near(item(agn_nn_kl_div(&y, x, t, false, AGN_NN_SUM), &y), 0.5 * log(0.5) + 0.5, 1e-15,
         "kl_div: a target of 0 costs 0 (L14)");
    double e = exp(-1), f = exp(-2);
    near(item(agn_nn_kl_div(&y, x, l, true, AGN_NN_SUM), &y), 0 * e + 0 + f * (-2 - 1), 1e-15,
         "kl_div: logarithms of targets, -inf among them");
    double sum = item(agn_nn_kl_div(&y, x, t, false, AGN_NN_SUM), &y);
    near(item(agn_nn_kl_div(&y, x, t, false, AGN_NN_MEAN), &y), sum / 4, 1e-15, "mean");
    near(item(agn_nn_kl_div(&y, x, t, false, AGN_NN_BATCHMEAN), &y), sum / 4, 1e-15, "batchmean");
    must(agn_nn_kl_div(&y, x, t, false, AGN_NN_NONE));
    ok(has_shape(y, 1, (int64_t[]){4}) && peek(y, 0) == 0 && peek(y, 2) == 0, "none");
    agn_release(y), agn_release(x), agn_release(t), agn_release(l);

    x = V(3, 0, 1, 1), t = V(3, 0, 1, 0);
    must(agn_nn_bce_loss(&y, x, t, NULL, AGN_NN_NONE));
    ok(peek(y, 0) == 0 && peek(y, 1) == 0 && peek(y, 2) == INF,
       "bce: certain and right costs 0, certain and wrong infinity");
    agn_release(y), agn_release(x);
    x = V(3, -800, 800, -40);
    must(agn_nn_bce_with_logits_loss(&y, x, t, NULL, NULL, AGN_NN_NONE));
    ok(peek(y, 0) == 0 && peek(y, 1) == 0 && fabs(peek(y, 2) / 4.248354255291589e-18 - 1) < 1e-15,
       "bce_with_logits keeps the digits of small losses");
    agn_release(y), agn_release(x), agn_release(t);

    /* ignored labels (N1): some, and all */
    x = random_of(AGN_F64, 2, (int64_t[]){3, 4}, -2, 2);
    t = INTS(3, 2, -100, 0);
    agn_tensor *none = INTS(3, -100, -100, -100), *w, *g, *p;
    agn_nn_class_options o = {.size = sizeof o, .ignore = true, .ignore_index = -100};
    must(agn_nn_log_softmax(&p, x, 1));
    near(item(agn_nn_cross_entropy(&y, x, t, 1, &o), &y), -(peek(p, 2) + peek(p, 8)) / 2, 1e-15,
         "cross_entropy: the mean is over labels that count (N1)");
    ok(item(agn_nn_cross_entropy(&y, x, none, 1, &o), &y) == 0, "no label counts: 0");
    must(agn_watch(&w, x));
    must(agn_nn_cross_entropy(&y, w, none, 1, &o));
    must(agn_gradient(&g, (const agn_tensor *const *)&y, 1, (const agn_tensor *const *)&w, 1,
                      NULL));
    bool zero = true;
    for (int i = 0; i < 12; i++)
        zero = zero && peek(g, i) == 0;
    ok(zero, "and so is its gradient");
    agn_release(y), agn_release(w), agn_release(g), agn_release(p), agn_release(x);
    agn_release(t), agn_release(none);

    /* soft labels, weights, axes and reductions (N2): one-hot rows are labels */
    tally q = {0, 0};
    for (int axis = -3; axis < 3; axis++)
        for (int r = AGN_NN_MEAN; r <= AGN_NN_BATCHMEAN; r++)
            for (int weighted = 0; weighted < 2; weighted++) {
                int64_t shape[3] = {2, 3, 4}, small[2];
                int d = axis < 0 ? axis + 3 : axis, k = 0;
                for (int i = 0; i < 3; i++)
                    if (i != d)
                        small[k++] = shape[i];
                x = random_of(AGN_F64, 3, shape, -3, 3);
                agn_tensor *label = random_of(AGN_I32, 2, small, 0, (double)shape[d] - 1), *hot,
                           *soft, *a = NULL, *b = NULL,
                           *cw = random_of(AGN_F64, 1, &shape[d], 0.5, 2);
                int32_t back[3];
                for (int i = 0, j = 0; i < 3; i++)
                    back[i] = i == d ? 2 : j++;
                must(agn_nn_one_hot(&hot, label, shape[d], AGN_F64));
                must(agn_permute(&soft, hot, back, 3));
                o = (agn_nn_class_options){.size = sizeof o, .reduction = r};
                o.weight = weighted ? cw : NULL;
                must(agn_nn_cross_entropy(&a, x, label, axis, &o));
                must(agn_nn_cross_entropy(&b, x, soft, axis, &o));
                bool by_weight = weighted && r == AGN_NN_MEAN; /* divided by another sum */
                check(&q, by_weight ? same_shapes(a, b) : modes_apart(a, b) < 1e-14,
                      "axis %d, reduction %d, weights %d", axis, r, weighted);
                agn_release(x), agn_release(label), agn_release(hot), agn_release(soft);
                agn_release(a), agn_release(b), agn_release(cw);
            }
    tell(&q, "one-hot targets cost what labels cost, all axes and reductions (N2)");
}

/* ---- norms at 0, tiny, huge (E11), layer_norm far from 0 (N5) ---------------------------------- */

static void test_norms(void)
{
    static const double ps[] = {0, 0.5, 1, 2, 3, (double)INFINITY};
    static const double scales[] = {0, 0x1p-1074, 1e-310, 1e-200, 1, 1e200, 1e308};
    tally t = {0, 0};
    for (int k = 0; k < COUNT(ps); k++)
        for (int j = 0; j < COUNT(scales); j++) {
            double v[3] = {scales[j], -scales[j] / 2, 0}, unit[3] = {1, -0.5, 0}, norm = 0;
            if (scales[j] == 0x1p-1074)
                v[1] = unit[1] = 0;
            for (int i = 0; i < 3; i++)
                norm = ps[k] == INF ? fmax(norm, fabs(unit[i]))
                                    : norm + (unit[i] != 0 ? pow(fabs(unit[i]), ps[k]) : 0);
            norm = ps[k] == INF || ps[k] == 0 ? norm : pow(norm, 1 / ps[k]);
            agn_tensor *x = row(3, v), *w, *y, *g;
            must(agn_watch(&w, x));
            double eps = scales[j] > 0 && scales[j] < 1 ? 1e-323 : 1e-12;
            must(agn_nn_normalize(&y, w, ps[k], 0, eps));
            must(agn_gradient(&g, (const agn_tensor *const *)&y, 1,
                              (const agn_tensor *const *)&w, 1, NULL));
            for (int i = 0; i < 3; i++) {
                double want = scales[j] == 0 ? 0 : ps[k] == 0 ? v[i] / norm : unit[i] / norm;
                /* a norm out of range is infinite, a slope near 0 too */
                want = ps[k] != 0 && isinf(norm * scales[j]) ? 0 : want;
                double step = scales[j] > 0 ? 1e-323 / scales[j] : 0; /* of numbers that small */
                check(&t, fabs(peek(y, i) - want) <= 4e-15 * (1 + fabs(want)) + step,
                      "p = %g, scale %g: element %d is %g, not %g", ps[k], scales[j], i,
                      peek(y, i), want);
                bool tiny = scales[j] > 0 && scales[j] < 1e-300;
                check(&t, isfinite(peek(g, i)) || tiny, "p = %g, scale %g: gradient %g", ps[k],
                      scales[j], peek(g, i));
            }
            agn_release(x), agn_release(w), agn_release(y), agn_release(g);
        }
    tell(&t, "normalize: p from 0 to inf at 0, subnormal and huge, gradients not NaN (E11)");
    agn_tensor *x = V(4, 1e8 + 1, 1e8 + 2, 1e8 + 3, 1e8 + 4), *y;
    must(agn_nn_layer_norm(&y, x, 1, NULL, NULL, 0));
    double bad = 0;
    for (int i = 0; i < 4; i++)
        bad = fmax(bad, fabs(peek(y, i) - (i - 1.5) / sqrt(1.25)));
    ok(bad < 4e-16, "layer_norm far from 0: off by %.1e (N5)", bad);
    agn_release(x), agn_release(y);
}

/* ---- random ones ------------------------------------------------------------------------------- */

static agn_tensor *key_of(uint64_t seed)
{
    agn_generator *g;
    agn_tensor *key;
    must(agn_generator_new(&g, seed));
    must(agn_key(&key, g));
    agn_generator_release(g);
    return key;
}

static void test_random(void)
{
    enum { N = 20000 };
    agn_tensor *key = key_of(11), *x, *y, *z, *w, *g, *u;
    double logits[3] = {0, log(3), log(6)}, count[3] = {0};
    agn_tensor *one = row(3, logits);
    must(agn_broadcast_to(&x, one, 2, (int64_t[]){N, 3}));
    must(agn_nn_gumbel_softmax(&y, x, key, 0.5, true, 1));
    must(agn_nn_gumbel_softmax(&z, x, key, 0.5, false, -1));
    bool hot = true, same = true;
    for (int i = 0; i < N; i++) {
        int best = 0;
        double sum = 0;
        for (int k = 0; k < 3; k++) {
            double v = peek(y, 3 * i + k);
            hot = hot && (v == 0 || v == 1);
            sum += v;
            count[k] += v;
            best = peek(z, 3 * i + k) > peek(z, 3 * i + best) ? k : best;
        }
        hot = hot && sum == 1;
        same = same && peek(y, 3 * i + best) == 1;
    }
    ok(hot && same, "a hard gumbel_softmax is the corner nearest to the soft one");
    double chi = 0;
    for (int k = 0; k < 3; k++) {
        double want = N * exp(logits[k]) / 10;
        chi += (count[k] - want) * (count[k] - want) / want;
    }
    ok(chi < 13.8, "classes come with their probabilities: chi^2 = %.2f", chi); /* 0.001 */
    agn_release(y), agn_release(z);
    must(agn_watch(&w, one));
    const agn_tensor *gs[2];
    double weights[3] = {1, 2, 3};
    agn_tensor *e = row(3, weights);
    for (int hard = 0; hard < 2; hard++) {
        must(agn_nn_gumbel_softmax(&y, w, key, 0.5, hard, 0));
        must(agn_gradient(&g, (const agn_tensor *const *)&y, 1, (const agn_tensor *const *)&w, 1,
                          (const agn_tensor *const *)&e));
        gs[hard] = g;
        agn_release(y);
    }
    ok(same_values(gs[0], gs[1]), "with the gradient of the soft one");
    agn_release((agn_tensor *)(uintptr_t)gs[0]);
    agn_release((agn_tensor *)(uintptr_t)gs[1]);
    agn_release(e), agn_release(w), agn_release(one), agn_release(x);
    must(agn_full(&x, AGN_F64, 1, (int64_t[]){N}, -1));
    must(agn_nn_rrelu(&u, x, key, 0.1, 0.3));
    double lo = 1, hi = 0, mean = 0;
    for (int i = 0; i < N; i++) {
        double v = -peek(u, i);
        lo = fmin(lo, v), hi = fmax(hi, v), mean += v / N;
    }
    ok(lo >= 0.1 && hi < 0.3 && fabs(mean - 0.2) < 4 * 0.2 / sqrt(12.0 * N), "slopes of rrelu");
    agn_release(u), agn_release(x), agn_release(key);
}

/* ---- sequences that cannot be said ------------------------------------------------------------- */

static void test_sequences(void)
{
    agn_tensor *x = random_of(AGN_F64, 3, (int64_t[]){3, 2, 4}, -2, 0), *lp, *y, *w, *g,
               *t = of_reals(AGN_I64, 2, (int64_t[]){2, 2}, (double[]){1, 1, 2, 3}),
               *il = INTS(2, 2, 3), *zero = INTS(2, 0, 0);
    must(agn_nn_log_softmax(&lp, x, 2));
    must(agn_watch(&w, lp));
    agn_nn_sequence_options o = {.size = sizeof o, .reduction = AGN_NN_NONE};
    /* 1 1 needs a blank between: 3 steps, and there are 2 */
    must(agn_nn_ctc_loss(&y, w, t, il, NULL, &o));
    ok(peek(y, 0) == INF && isfinite(peek(y, 1)), "ctc: a target that does not fit costs infinity");
    must(agn_gradient(&g, (const agn_tensor *const *)&y, 1, (const agn_tensor *const *)&w, 1,
                      NULL));
    bool fine = true;
    for (int64_t i = 0; i < agn_numel(g); i++)
        fine = fine && isfinite(peek(g, i)) && (i / 4 % 2 || peek(g, i) == 0);
    ok(fine, "with a gradient of 0");
    agn_release(y), agn_release(g);
    o.zero_infinity = true;
    must(agn_nn_ctc_loss(&y, w, t, il, NULL, &o));
    ok(peek(y, 0) == 0 && peek(y, 1) > 0, "or nothing");
    agn_release(y);
    must(agn_nn_ctc_loss(&y, w, t, NULL, zero, &o));
    double blanks = -peek(lp, 0) - peek(lp, 8) - peek(lp, 16);
    near(peek(y, 0), blanks, 1e-15, "no labels: blanks all along");
    agn_release(y);
    must(agn_nn_ctc_loss(&y, w, t, zero, zero, &o));
    ok(peek(y, 0) == 0 && peek(y, 1) == 0, "no labels in no time cost nothing");
    agn_release(y);
    agn_release(w), agn_release(lp), agn_release(x), agn_release(il), agn_release(zero);
    /* probabilities of 0 */
    double v[8] = {0, -INF, -INF, 0, -INF, -INF, -INF, 0};
    x = of_reals(AGN_F32, 3, (int64_t[]){2, 1, 4}, v);
    agn_tensor *one = of_reals(AGN_I32, 2, (int64_t[]){1, 1}, (double[]){3});
    must(agn_watch(&w, x));
    must(agn_nn_ctc_loss(&y, w, one, NULL, NULL, &o));
    must(agn_gradient(&g, (const agn_tensor *const *)&y, 1, (const agn_tensor *const *)&w, 1,
                      NULL));
    fine = peek(y, 0) < 0 && agn_dtype_of(y) == AGN_F32;
    for (int64_t i = 0; i < 8; i++)
        fine = fine && isfinite(peek(g, i));
    ok(fine, "probabilities of 0: value %g and gradient are finite", peek(y, 0));
    agn_release(x), agn_release(w), agn_release(y), agn_release(g), agn_release(one);
    agn_release(t);
}

/* ---- dtypes, layouts, memory -------------------------------------------------------------------- */

static agn_status make_one(void *user, agn_tensor **out)
{
    const problem *q = user;
    agn_scope *s = agn_scope_open(NULL);
    agn_scope_return(s, out, q->f(s, (args)q->x));
    return agn_scope_close(s);
}

/* the function of what read_tensor made, each real argument changed by to */
static agn_tensor *remade(const problem *q, agn_tensor *(*to)(const agn_tensor *, int), int how)
{
    problem p = *q;
    agn_tensor *y = NULL;
    for (int i = 0; i < q->n; i++)
        p.x[i] = to(q->x[i], how);
    must(make_one(&p, &y));
    for (int i = 0; i < q->n; i++)
        agn_release(p.x[i]);
    return y;
}
static agn_tensor *as_dtype(const agn_tensor *x, int dtype)
{
    agn_tensor *y = NULL;
    if (kind_of(agn_dtype_of(x)) == KIND_INT)
        return agn_retain(x);
    must(agn_cast(&y, x, dtype));
    return y;
}

static void test_forms(void)
{
    tally layouts = {0, 0}, narrow = {0, 0};
    for (int k = 0; k < COUNT(golden); k++) {
        const double *p = golden[k].v;
        problem q = {.n = (int)*p++};
        for (int i = 0; i < COUNT(functions); i++)
            if (!strcmp(functions[i].name, golden[k].name))
                q.f = functions[i].f;
        bool mixed = strstr(golden[k].name, "running") || strstr(golden[k].name, "adaptive");
        for (int i = 0; i < q.n; i++) {
            int kind = (int)*p++;
            q.x[i] = read_tensor(&p, kind == 1 ? AGN_I64 : AGN_F64);
        }
        agn_tensor *y = NULL;
        must(make_one(&q, &y));
        for (int l = 1; l < N_LAYOUTS; l++) {
            agn_tensor *z = remade(&q, laid_out, l);
            check(&layouts, modes_apart(z, y) < 1e-14, "%s of arguments %s", golden[k].name,
                  layout_names[l]);
            agn_release(z);
        }
        static const struct {
            int dtype;
            double tol;
        } to[] = {{AGN_F32, 3e-5}, {AGN_F16, 0.05}, {AGN_BF16, 0.4}};
        for (int d = 0; d < COUNT(to) && !mixed; d++) {
            agn_tensor *z = remade(&q, as_dtype, to[d].dtype), *u = NULL;
            must(agn_cast(&u, z, AGN_F64));
            double apart = modes_apart(u, y);
            check(&narrow, agn_dtype_of(z) == to[d].dtype && apart < to[d].tol,
                  "%s in %s: %s, apart by %.1e", golden[k].name, agn_dtype_name(to[d].dtype),
                  agn_dtype_name(agn_dtype_of(z)), apart);
            agn_release(z);
            agn_release(u);
        }
        if (tap_scale(2) == 2 && !strstr(golden[k].name, "running"))
            every_allocation(make_one, &q, golden[k].name);
        agn_release(y);
        for (int i = 0; i < q.n; i++)
            agn_release(q.x[i]);
    }
    tell(&layouts, "all functions of arguments in every layout");
    tell(&narrow, "all functions in f32, f16 and bf16");
    agn_tensor *x = of_reals(AGN_I32, 1, (int64_t[]){2}, (double[]){-1, 2}), *y;
    must(agn_nn_elu(&y, x, 1));
    ok(agn_dtype_of(y) == AGN_F64 && fabs(peek(y, 0) - expm1(-1)) < 1e-16, "integers become f64");
    agn_release(x), agn_release(y);
    must(agn_lit(&x, -1));
    must(agn_nn_silu(&y, x));
    ok(agn_ndim(y) == 0 && fabs(peek(y, 0) + 1 / (1 + exp(1))) < 1e-16, "a literal");
    agn_release(x), agn_release(y);
}

/* ---- errors ------------------------------------------------------------------------------------ */

#define NO(call, want, op, fact1, fact2)                                          \
    do {                                                                          \
        agn_tensor *y = untouched;                                                \
        agn_status no_st = call;                                                  \
        check(&t, refused(no_st, want, "nn_" op, fact1, fact2, y), "%s", #call);  \
    } while (0)
#define NO_OUT(call, op)                                                              \
    do {                                                                              \
        agn_tensor *y = untouched;                                                    \
        agn_status no_st = call;                                                      \
        check(&t, refused(no_st, AGN_ENULL, "nn_" op, "out is NULL", NULL, y), "%s", \
              #call);                                                                 \
    } while (0)

/* what is true of every function: NULLs and complex numbers. Z stands where a bad argument is. */
#define EACH_BAD(F)                                                                          \
    F(elu, "x", (o, Z, 1))                                                                   \
    F(celu, "x", (o, Z, 1))                                                                  \
    F(selu, "x", (o, Z))                                                                     \
    F(gelu_tanh, "x", (o, Z))                                                                \
    F(silu, "x", (o, Z))                                                                     \
    F(mish, "x", (o, Z))                                                                     \
    F(softplus, "x", (o, Z, 1, 20))                                                          \
    F(log_sigmoid, "x", (o, Z))                                                              \
    F(softsign, "x", (o, Z))                                                                 \
    F(tanhshrink, "x", (o, Z))                                                               \
    F(softshrink, "x", (o, Z, 1))                                                            \
    F(hardshrink, "x", (o, Z, 1))                                                            \
    F(hardtanh, "x", (o, Z, -1, 1))                                                          \
    F(relu6, "x", (o, Z))                                                                    \
    F(hardsigmoid, "x", (o, Z))                                                              \
    F(hardswish, "x", (o, Z))                                                                \
    F(leaky_relu, "x", (o, Z, 0.1))                                                          \
    F(thresholded_relu, "x", (o, Z, 1, 0))                                                   \
    F(prelu, "x", (o, Z, X, 0))                                                              \
    F(prelu, "weight", (o, X, Z, 0))                                                         \
    F(rrelu, "x", (o, Z, NULL, 0, 1))                                                        \
    F(glu, "x", (o, Z, 0))                                                                   \
    F(maxout, "x", (o, Z, 1, 0))                                                             \
    F(softmax, "x", (o, Z, 0))                                                               \
    F(log_softmax, "x", (o, Z, 0))                                                           \
    F(gumbel_softmax, "x", (o, Z, K, 1, false, 0))                                           \
    F(mse_loss, "x", (o, Z, X, 0))                                                           \
    F(mse_loss, "target", (o, X, Z, 0))                                                      \
    F(l1_loss, "target", (o, X, Z, 0))                                                       \
    F(smooth_l1_loss, "target", (o, X, Z, 1, 0))                                             \
    F(huber_loss, "target", (o, X, Z, 1, 0))                                                 \
    F(bce_loss, "target", (o, X, Z, NULL, 0))                                                \
    F(bce_with_logits_loss, "target", (o, X, Z, NULL, NULL, 0))                              \
    F(sigmoid_focal_loss, "target", (o, X, Z, 0.25, 2, 0))                                   \
    F(log_loss, "target", (o, X, Z, 1e-4, 0))                                                \
    F(kl_div, "target", (o, X, Z, false, 0))                                                 \
    F(poisson_nll_loss, "target", (o, X, Z, false, false, 0, 0))                             \
    F(gaussian_nll_loss, "var", (o, X, X, Z, false, 1e-6, 0))                                \
    F(soft_margin_loss, "target", (o, X, Z, 0))                                              \
    F(multi_label_soft_margin_loss, "target", (o, X, Z, NULL, 0))                            \
    F(hinge_embedding_loss, "target", (o, X, Z, 1, 0))                                       \
    F(margin_ranking_loss, "target", (o, X, X, Z, 1, 0))                                     \
    F(cosine_embedding_loss, "target", (o, X, X, Z, 1, 0))                                   \
    F(triplet_margin_loss, "negative", (o, X, X, Z, 1, NULL))                                \
    F(nll_loss, "x", (o, Z, L, 1, NULL))                                                     \
    F(nll_loss, "target", (o, X, Z, 1, NULL))                                                \
    F(cross_entropy, "x", (o, Z, L, 1, NULL))                                                \
    F(cross_entropy, "target", (o, X, Z, 1, NULL))                                           \
    F(margin_cross_entropy, "x", (o, Z, L, 1, 0, 0, 1, 0))                                   \
    F(margin_cross_entropy, "target", (o, X, Z, 1, 0, 0, 1, 0))                              \
    F(multi_margin_loss, "target", (o, X, Z, 1, 1, NULL, 0))                                 \
    F(dice_loss, "target", (o, X, Z, 1e-5, 0))                                               \
    F(npair_loss, "labels", (o, X, X, Z, 0))                                                 \
    F(ctc_loss, "x", (o, Z, LL, NULL, NULL, NULL))                                           \
    F(ctc_loss, "target", (o, X3, Z, NULL, NULL, NULL))                                      \
    F(rnnt_loss, "x", (o, Z, LL, NULL, NULL, NULL))                                          \
    F(rnnt_loss, "target", (o, X4, Z, NULL, NULL, NULL))                                     \
    F(hsigmoid_loss, "target", (o, X, Z, X, NULL, 0))                                        \
    F(adaptive_log_softmax, "head", (o, X, Z, NULL, tails, cutoffs, 1))                      \
    F(linear, "weight", (o, X, Z, NULL))                                                     \
    F(bilinear, "weight", (o, X, X, Z, NULL))                                                \
    F(embedding, "idx", (o, Z, X, -1))                                                       \
    F(one_hot, "idx", (o, Z, 3, AGN_F32))                                                    \
    F(layer_norm, "x", (o, Z, 1, NULL, NULL, 0))                                             \
    F(rms_norm, "x", (o, Z, 1, NULL, 0))                                                     \
    F(batch_norm, "var", (o, X, C, Z, NULL, NULL, 1, 0))                                     \
    F(batch_norm_train, "x", (o, NULL, NULL, Z, NULL, NULL, NULL, NULL, 1, 0.1, 0))          \
    F(group_norm, "x", (o, Z, 1, NULL, NULL, 0))                                             \
    F(instance_norm, "x", (o, Z, NULL, NULL, 0))                                             \
    F(local_response_norm, "x", (o, Z, 1, 1, 1, 1))                                          \
    F(normalize, "x", (o, Z, 2, 0, 1e-12))                                                   \
    F(cosine_similarity, "b", (o, X, Z, 0, 1e-8))                                            \
    F(weight_norm, "g", (o, X, Z, 0))                                                        \
    F(spectral_norm, "u", (o, NULL, X, Z, 1, 1e-12))

static agn_tensor *X, *X3, *X4, *C, *L, *LL, *K, *wrong_label[2];
static const agn_tensor *tails[2];
static const int64_t cutoffs[1] = {1};

static void each_bad(tally *t)
{
    agn_tensor *z = scalar_of(AGN_C128, 1);
#define CALL(name, what, arguments)                                                       \
    for (int k = 0; k < 3; k++) {                                                         \
        const agn_tensor *Z = k == 0 ? NULL : k == 1 ? z : X;                             \
        agn_tensor *y = untouched, **o = k == 2 ? NULL : &y;                              \
        agn_status st = agn_nn_##name arguments;                                          \
        check(t,                                                                          \
              refused(st, k == 1 ? AGN_EDTYPE : AGN_ENULL, "nn_" #name,                   \
                      k == 2 ? "out is NULL" : what, k == 1 ? "c128" : "NULL", y),        \
              "%s, %s %s", #name, what, k == 0 ? "NULL" : k == 1 ? "complex" : "no out"); \
    }
    EACH_BAD(CALL)
    agn_release(z);
}

/* a label out of range where there are no values: the program looks when it runs */
static agn_status compiled_loss(void *user, agn_scope *s, args in, const agn_tensor **out)
{
    (void)user;
    out[0] = ag_nn_cross_entropy(s, in[0], in[1], 1, NULL);
    return agn_scope_status(s);
}
static agn_status compiled_hot(void *user, agn_scope *s, args in, const agn_tensor **out)
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
        NO(agn_nn_cross_entropy(&y, X, B, 1, NULL), AGN_EINDEX, "cross_entropy", f, "0 to 3");
        NO(agn_nn_margin_cross_entropy(&y, X, B, 1, 0, 0, 1, 0), AGN_EINDEX,
           "margin_cross_entropy", f, "0 to 3");
        NO(agn_nn_multi_margin_loss(&y, X, B, 1, 1, NULL, 0), AGN_EINDEX, "multi_margin_loss", f,
           "0 to 3");
        NO(agn_nn_dice_loss(&y, X, B, 0, 0), AGN_EINDEX, "dice_loss", f, "0 to 3");
        NO(agn_nn_hsigmoid_loss(&y, X, B, X, NULL, 0), AGN_EINDEX, "hsigmoid_loss", f, "0 to 3");
        NO(agn_nn_embedding(&y, B, X4, -1), AGN_ESHAPE, "embedding", "[2,3,4,4]", "2 axes");
        NO(agn_nn_one_hot(&y, B, 4, AGN_F32), AGN_EINDEX, "one_hot", f, "0 to 3");
        agn_body *const bodies[] = {compiled_loss, compiled_hot};
        for (int b = 0; b < 2; b++)
            for (int mode = 0; mode < 2; mode++) {
                agn_fn *fn, *g;
                agn_tensor *y = NULL, *x1 = NULL, *b1 = NULL;
                must(agn_fn_new(&fn, bodies[b], NULL, NULL, 2, 1));
                if (mode) {
                    must(agn_fn_vmap(&g, fn, NULL, NULL));
                    must(agn_stack(&x1, (const agn_tensor *[]){X, X}, 2, 0));
                    must(agn_stack(&b1, (const agn_tensor *[]){L, B}, 2, 0));
                } else {
                    must(agn_fn_compile(&g, fn, NULL));
                    x1 = agn_retain(X), b1 = agn_retain(B);
                }
                agn_status st = agn_fn_call(g, &y, (const agn_tensor *[]){x1, b1});
                check(&t, st == AGN_EINDEX, "%s: %s, %s", mode ? "lanes" : "compiled",
                      agn_status_name(st), st ? agn_error_message() : "");
                agn_release(y), agn_release(x1), agn_release(b1);
                agn_fn_release(fn), agn_fn_release(g);
            }
    }
    NO(agn_nn_embedding(&y, wrong_label[0], X, -1), AGN_EINDEX, "embedding", "-1", "0 to 2");
    NO(agn_nn_embedding(&y, wrong_label[1], X, -1), AGN_EINDEX, "embedding", "4", "0 to 2");
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
    NO(agn_nn_gumbel_softmax(&y, X, X, 1, false, 0), AGN_EDTYPE, "gumbel_softmax", "f64", NULL);
    NO(agn_nn_gumbel_softmax(&y, X, NULL, 1, false, 0), AGN_ENULL, "gumbel_softmax", "key",
       NULL);
    NO(agn_nn_gumbel_softmax(&y, X, K, 0, false, 0), AGN_EARG, "gumbel_softmax", "tau is 0",
       NULL);
    NO(agn_nn_maxout(&y, X, 0, 1), AGN_EARG, "maxout", "0", "1");
    NO(agn_nn_smooth_l1_loss(&y, X, X, -1, 0), AGN_EARG, "smooth_l1_loss", "-1", NULL);
    NO(agn_nn_huber_loss(&y, X, X, 0, 0), AGN_EARG, "huber_loss", "delta is 0", NULL);
    NO(agn_nn_sigmoid_focal_loss(&y, X, X, 0.25, -2, 0), AGN_EARG, "sigmoid_focal_loss", "-2",
       NULL);
    NO(agn_nn_gaussian_nll_loss(&y, X, X, X, false, 0, 0), AGN_EARG, "gaussian_nll_loss",
       "eps is 0", NULL);
    NO(agn_nn_multi_margin_loss(&y, X, L, 0.5, 1, NULL, 0), AGN_EARG, "multi_margin_loss", "0.5",
       NULL);
    NO(agn_nn_layer_norm(&y, X, 3, NULL, NULL, 0), AGN_EARG, "layer_norm", "3 axes", "[3,4]");
    NO(agn_nn_layer_norm(&y, X, 1, NULL, NULL, -1), AGN_EARG, "layer_norm", "eps is -1", NULL);
    NO(agn_nn_rms_norm(&y, X, 0, NULL, 0), AGN_EARG, "rms_norm", "0 axes", "[3,4]");
    NO(agn_nn_rms_norm(&y, X, 1, NULL, nan), AGN_EARG, "rms_norm", "eps is nan", NULL);
    NO(agn_nn_batch_norm(&y, X, C, C, NULL, NULL, 1, -1), AGN_EARG, "batch_norm", "-1", NULL);
    NO(agn_nn_batch_norm_train(&y, NULL, NULL, X, NULL, NULL, NULL, NULL, 1, 0, -1), AGN_EARG,
       "batch_norm_train", "-1", NULL);
    NO(agn_nn_group_norm(&y, X, 3, NULL, NULL, 0), AGN_EARG, "group_norm", "3 groups", "4");
    NO(agn_nn_group_norm(&y, X, 0, NULL, NULL, 0), AGN_EARG, "group_norm", "0 groups", "4");
    NO(agn_nn_group_norm(&y, X, -1, NULL, NULL, 0), AGN_EARG, "group_norm", "groups", "4");
    NO(agn_nn_group_norm(&y, X, 1, NULL, NULL, -1), AGN_EARG, "group_norm", "eps", "-1");
    NO(agn_nn_instance_norm(&y, X, NULL, NULL, -1), AGN_EARG, "instance_norm", "eps", "-1");
    NO(agn_nn_local_response_norm(&y, X, 0, 1, 1, 1), AGN_EARG, "local_response_norm", "0", "1");
    NO(agn_nn_normalize(&y, X, -1, 0, 1e-12), AGN_EARG, "normalize", "p is -1", NULL);
    NO(agn_nn_normalize(&y, X, 2, 0, 0), AGN_EARG, "normalize", "eps 0", NULL);
    NO(agn_nn_cosine_similarity(&y, X, X, 0, 0), AGN_EARG, "cosine_similarity", "eps is 0", NULL);
    NO(agn_nn_spectral_norm(&y, NULL, X, C, 0, 1e-12), AGN_EARG, "spectral_norm", "0 iterations",
       NULL);
    NO(agn_nn_spectral_norm(&y, NULL, X, C, 1, 0), AGN_EARG, "spectral_norm", "eps 0", NULL);
    NO(agn_nn_adaptive_log_softmax(&y, X, X, NULL, tails, cutoffs, 17), AGN_EARG,
       "adaptive_log_softmax", "17", "16");
    NO(agn_nn_adaptive_log_softmax(&y, X, X, NULL, NULL, cutoffs, 1), AGN_ENULL,
       "adaptive_log_softmax", "tails", NULL);
    NO(agn_nn_adaptive_log_softmax(&y, X, X, NULL, (const agn_tensor *[]){X, NULL}, cutoffs, 1),
       AGN_ENULL, "adaptive_log_softmax", "tails[1]", NULL);
    NO(agn_nn_adaptive_log_softmax(&y, X, X, NULL, tails, (int64_t[]){-1}, 1), AGN_EARG,
       "adaptive_log_softmax", "cutoffs[0] is -1", NULL);
    /* axes */
    NO(agn_nn_prelu(&y, X, C, 2), AGN_EINDEX, "prelu", "2", NULL);
    NO(agn_nn_glu(&y, X, 2), AGN_EINDEX, "glu", "2", NULL);
    NO(agn_nn_maxout(&y, X, 1, -3), AGN_EINDEX, "maxout", "-3", "2");
    NO(agn_nn_softmax(&y, X, 2), AGN_EINDEX, "softmax", "2", NULL);
    NO(agn_nn_log_softmax(&y, X, -3), AGN_EINDEX, "log_softmax", "-3", NULL);
    NO(agn_nn_gumbel_softmax(&y, X, K, 1, false, 2), AGN_EINDEX, "gumbel_softmax", "2", NULL);
    NO(agn_nn_nll_loss(&y, X, L, 2, NULL), AGN_EINDEX, "nll_loss", "2", NULL);
    NO(agn_nn_cross_entropy(&y, X, L, -3, NULL), AGN_EINDEX, "cross_entropy", "-3", NULL);
    NO(agn_nn_batch_norm(&y, X, C, C, NULL, NULL, 2, 0), AGN_EINDEX, "batch_norm", "2", NULL);
    NO(agn_nn_batch_norm_train(&y, NULL, NULL, X, NULL, NULL, NULL, NULL, 2, 0, 0), AGN_EINDEX,
       "batch_norm_train", "2", NULL);
    NO(agn_nn_normalize(&y, X, 2, 2, 1e-12), AGN_EINDEX, "normalize", "2", NULL);
    NO(agn_nn_cosine_similarity(&y, X, X, 2, 1e-8), AGN_EINDEX, "cosine_similarity", "2", NULL);
    NO(agn_nn_weight_norm(&y, X, C, 2), AGN_EINDEX, "weight_norm", "2", NULL);
    /* shapes */
    NO(agn_nn_prelu(&y, X, two, 1), AGN_ESHAPE, "prelu", "[2]", "[4]");
    NO(agn_nn_glu(&y, X, 0), AGN_ESHAPE, "glu", "axis 0", "[3,4]");
    NO(agn_nn_maxout(&y, X, 3, 1), AGN_ESHAPE, "maxout", "[3,4]", "3");
    NO(agn_nn_mse_loss(&y, X, two, 0), AGN_ESHAPE, "mse_loss", "[2]", "[3,4]");
    NO(agn_nn_mse_loss(&y, C, X, 0), AGN_ESHAPE, "mse_loss", "[3,4]", "[4]");
    NO(agn_nn_l1_loss(&y, X, two, 0), AGN_ESHAPE, "l1_loss", "[2]", "[3,4]");
    NO(agn_nn_smooth_l1_loss(&y, X, two, 1, 0), AGN_ESHAPE, "smooth_l1_loss", "[2]", "[3,4]");
    NO(agn_nn_huber_loss(&y, X, two, 1, 0), AGN_ESHAPE, "huber_loss", "[2]", "[3,4]");
    NO(agn_nn_bce_loss(&y, X, X, two, 0), AGN_ESHAPE, "bce_loss", "weight", "[2]");
    NO(agn_nn_bce_with_logits_loss(&y, X, X, NULL, two, 0), AGN_ESHAPE, "bce_with_logits_loss",
       "pos_weight", "[2]");
    NO(agn_nn_sigmoid_focal_loss(&y, X, two, 1, 1, 0), AGN_ESHAPE, "sigmoid_focal_loss", "[2]",
       "[3,4]");
    NO(agn_nn_log_loss(&y, X, two, 1, 0), AGN_ESHAPE, "log_loss", "[2]", "[3,4]");
    NO(agn_nn_kl_div(&y, X, two, false, 0), AGN_ESHAPE, "kl_div", "[2]", "[3,4]");
    NO(agn_nn_poisson_nll_loss(&y, X, two, false, false, 0, 0), AGN_ESHAPE, "poisson_nll_loss",
       "[2]", "[3,4]");
    NO(agn_nn_gaussian_nll_loss(&y, X, X, two, false, 1, 0), AGN_ESHAPE, "gaussian_nll_loss",
       "var is [2]", "[3,4]");
    NO(agn_nn_soft_margin_loss(&y, X, two, 0), AGN_ESHAPE, "soft_margin_loss", "[2]", "[3,4]");
    NO(agn_nn_multi_label_soft_margin_loss(&y, X, X, two, 0), AGN_ESHAPE,
       "multi_label_soft_margin_loss", "[2]", "[4]");
    NO(agn_nn_hinge_embedding_loss(&y, X, two, 1, 0), AGN_ESHAPE, "hinge_embedding_loss", "[2]",
       "[3,4]");
    NO(agn_nn_margin_ranking_loss(&y, X, two, X, 1, 0), AGN_ESHAPE, "margin_ranking_loss",
       "b is [2]", "[3,4]");
    NO(agn_nn_cosine_embedding_loss(&y, X, X, X, 1, 0), AGN_ESHAPE, "cosine_embedding_loss",
       "[3,4]", "[3]");
    NO(agn_nn_triplet_margin_loss(&y, X, X, two, 1, NULL), AGN_ESHAPE, "triplet_margin_loss",
       "negative is [2]", "[3,4]");
    NO(agn_nn_nll_loss(&y, X, two, 1, NULL), AGN_EDTYPE, "nll_loss", "f64", "target");
    NO(agn_nn_nll_loss(&y, X, L, 0, NULL), AGN_ESHAPE, "nll_loss", "target is [3]", "[4]");
    NO(agn_nn_nll_loss(&y, X, L, 1, CLASSES(.weight = two)), AGN_ESHAPE, "nll_loss",
       "weight is [2]", "[4]");
    NO(agn_nn_cross_entropy(&y, X, two, 1, NULL), AGN_ESHAPE, "cross_entropy", "[2]", "[3,4]");
    NO(agn_nn_margin_cross_entropy(&y, X3, L, 1, 0, 0, 1, 0), AGN_ESHAPE, "margin_cross_entropy",
       "[3]", "[2,3]");
    NO(agn_nn_multi_margin_loss(&y, X, L, 1, 1, two, 0), AGN_ESHAPE, "multi_margin_loss", "[2]",
       "[4]");
    NO(agn_nn_dice_loss(&y, C, L, 1, 0), AGN_ESHAPE, "dice_loss", "[4]", "2 axes");
    NO(agn_nn_dice_loss(&y, X3, L, 1, 0), AGN_ESHAPE, "dice_loss", "[3]", "[2,3]");
    NO(agn_nn_npair_loss(&y, X3, X, L, 1), AGN_ESHAPE, "npair_loss", "[2,3,4]", "2 axes");
    NO(agn_nn_npair_loss(&y, X, C, L, 1), AGN_ESHAPE, "npair_loss", "[4]", "[3,4]");
    NO(agn_nn_hsigmoid_loss(&y, X, L, X3, NULL, 0), AGN_ESHAPE, "hsigmoid_loss", "[3,4]",
       "[2,3,4]");
    NO(agn_nn_hsigmoid_loss(&y, X, L, X, two, 0), AGN_ESHAPE, "hsigmoid_loss", "[2]", "[3]");
    NO(agn_nn_adaptive_log_softmax(&y, X, X, NULL, tails, cutoffs, 1), AGN_ESHAPE,
       "adaptive_log_softmax", "head is [3,4]", "[2,4]");
    NO(agn_nn_linear(&y, X, two, NULL), AGN_ESHAPE, "linear", "[3,4]", "[2]");
    NO(agn_nn_linear(&y, X, X, two), AGN_ESHAPE, "linear", "bias is [2]", "[3]");
    NO(agn_nn_bilinear(&y, X, X, X, NULL), AGN_ESHAPE, "bilinear", "[3,4]", "weight");
    NO(agn_nn_one_hot(&y, L, -1, AGN_F32), AGN_ESHAPE, "one_hot", "-1 classes", NULL);
    NO(agn_nn_one_hot(&y, L, 5, 99), AGN_EDTYPE, "one_hot", "99", "11");
    NO(agn_nn_layer_norm(&y, X, 1, two, NULL, 0), AGN_ESHAPE, "layer_norm", "weight is [2]",
       "[4]");
    NO(agn_nn_rms_norm(&y, X, 2, two, 0), AGN_ESHAPE, "rms_norm", "weight is [2]", "[3,4]");
    NO(agn_nn_batch_norm(&y, X, two, C, NULL, NULL, 1, 0), AGN_ESHAPE, "batch_norm",
       "mean is [2]", "[4]");
    NO(agn_nn_batch_norm_train(&y, NULL, NULL, C, NULL, NULL, NULL, NULL, 0, 0, 0), AGN_ESHAPE,
       "batch_norm_train", "1 elements", "4 channels");
    agn_tensor *mean = untouched;
    NO(agn_nn_batch_norm_train(&y, &mean, NULL, X, two, NULL, NULL, NULL, 1, 0, 0), AGN_ESHAPE,
       "batch_norm_train", "mean is [2]", "[4]");
    NO(agn_nn_batch_norm_train(&y, &mean, NULL, X, NULL, NULL, NULL, NULL, 1, 0, 0), AGN_ENULL,
       "batch_norm_train", "mean is NULL", NULL);
    check(&t, mean == untouched, "the second result");
    NO(agn_nn_group_norm(&y, C, 1, NULL, NULL, 0), AGN_ESHAPE, "group_norm", "[4]", "2 axes");
    NO(agn_nn_group_norm(&y, X, 1, two, NULL, 0), AGN_ESHAPE, "group_norm", "[2]", "[4]");
    NO(agn_nn_instance_norm(&y, X3, NULL, two, 0), AGN_ESHAPE, "instance_norm", "bias", "[3]");
    NO(agn_nn_local_response_norm(&y, C, 1, 1, 1, 1), AGN_ESHAPE, "local_response_norm", "[4]",
       "2 axes");
    NO(agn_nn_cosine_similarity(&y, X, C, 0, 1e-8), AGN_ESHAPE, "cosine_similarity", "[3,4]",
       "[4]");
    NO(agn_nn_weight_norm(&y, X, two, 1), AGN_ESHAPE, "weight_norm", "[2]", "[4]");
    NO(agn_nn_spectral_norm(&y, NULL, C, C, 1, 1e-12), AGN_ESHAPE, "spectral_norm", "[4]",
       "2 axes");
    NO(agn_nn_spectral_norm(&y, &mean, X, two, 1, 1e-12), AGN_ESHAPE, "spectral_norm", "[2]",
       "[3]");
    /* options */
    agn_nn_class_options co = {.size = 3};
    NO(agn_nn_nll_loss(&y, X, L, 1, &co), AGN_EARG, "nll_loss", "3 bytes", NULL);
    NO(agn_nn_nll_loss(&y, X, L, 1, CLASSES(.smoothing = 0.1)), AGN_EARG, "nll_loss",
       "smoothing is 0.1", NULL);
    NO(agn_nn_cross_entropy(&y, X, L, 1, CLASSES(.smoothing = 1.5)), AGN_EARG, "cross_entropy",
       "smoothing is 1.5", NULL);
    NO(agn_nn_cross_entropy(&y, X, X, 1, CLASSES(.ignore = true, .ignore_index = 7)), AGN_EARG,
       "cross_entropy", "label 7", "f64");
    NO(agn_nn_cross_entropy(&y, X, L, 1, CLASSES(.reduction = 9)), AGN_EARG, "cross_entropy",
       "reduction 9", "3");
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
    NO(agn_nn_ctc_loss(&y, X3, LL, NULL, NULL, &so), AGN_EARG, "ctc_loss", "3 bytes", NULL);
    NO(agn_nn_ctc_loss(&y, X3, LL, NULL, NULL, SEQUENCE(.blank = 4)), AGN_EARG, "ctc_loss",
       "symbol 4", "4");
    NO(agn_nn_ctc_loss(&y, X, LL, NULL, NULL, NULL), AGN_ESHAPE, "ctc_loss", "[3,4]", "3 axes");
    NO(agn_nn_ctc_loss(&y, X3, L, NULL, NULL, NULL), AGN_ESHAPE, "ctc_loss", "[3]", "[3,0]");
    NO(agn_nn_ctc_loss(&y, X3, LL, L, NULL, NULL), AGN_EINDEX, "ctc_loss", "length 3",
       "input_lengths");
    NO(agn_nn_ctc_loss(&y, X3, LL, NULL, L, NULL), AGN_EINDEX, "ctc_loss", "length 3",
       "target_lengths");
    NO(agn_nn_ctc_loss(&y, X3, LL, NULL, NULL, SEQUENCE(.reduction = 5)), AGN_EARG, "ctc_loss",
       "reduction 5", NULL);
    agn_tensor *far = of_reals(AGN_I64, 2, (int64_t[]){3, 2}, (double[]){0, 1, 2, 4, 1, 1});
    NO(agn_nn_ctc_loss(&y, X3, far, NULL, NULL, NULL), AGN_EINDEX, "ctc_loss", "label 4",
       "0 to 3");
    agn_release(far);
    NO(agn_nn_rnnt_loss(&y, X3, LL, NULL, NULL, NULL), AGN_ESHAPE, "rnnt_loss", "[2,3,4]",
       "4 axes");
    NO(agn_nn_rnnt_loss(&y, X4, LL, NULL, NULL, NULL), AGN_ESHAPE, "rnnt_loss", "[3,2]",
       "[2,3]");
    NO(agn_nn_rnnt_loss(&y, X4, LL, NULL, NULL, SEQUENCE(.blank = -1)), AGN_EARG, "rnnt_loss",
       "symbol -1", NULL);
    agn_tensor *ok2 = of_reals(AGN_I64, 2, (int64_t[]){2, 3}, (double[]){0, 1, 2, 3, 1, 1}),
               *none = INTS(2, 3, 0);
    NO(agn_nn_rnnt_loss(&y, X4, ok2, none, NULL, NULL), AGN_EINDEX, "rnnt_loss", "-1",
       "input_lengths");
    agn_release(ok2), agn_release(none);
    tell(&t, "%" PRId64 " bad calls: status, two facts, results untouched", t.checks);
    agn_release(two);
}

int main(void)
{
    test_golden();
    test_ends();
    test_softmax();
    test_losses();
    test_norms();
    test_random();
    test_sequences();
    test_forms();
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
    agn_tensor *const all[] = {X, X3, X4, C, L, LL, K, wrong_label[0], wrong_label[1]};
    for (int k = 0; k < COUNT(all); k++)
        agn_release(all[k]);
    return done();
}
