/* tests/t-nn-ends.c - networks at the ends of the range: infinities, NaN, long and
   shifted lanes, labels that do not count, tiny and huge norms, random ones, impossible
   sequences. */
#include "tests/nn.h"

/* ---- the ends of the range ------------------------------------------------------- */

static const agn_tensor *one_of(function *f, agn_scope *s, double v)
{
    agn_tensor *x = NULL;
    agn_status st = agn_full(&x, AGN_F64, 0, NULL, v);
    const agn_tensor *in[] = {agn_scope_adopt(s, st, &x)};
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
        check(&t, tap_close(lo, ends[k].low, 1e-15), "%s at -inf: %g", ends[k].name,
              lo);
        check(&t, tap_close(hi, ends[k].high, 1e-15), "%s at inf: %g", ends[k].name,
              hi);
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
            must(agn_fn_call(out, 4, jet, (const agn_tensor *const *)in, 4));
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
    ok(gelu < 40 * 0x1p-52, "gelu_tanh in relative terms: %.1f eps (N6)",
       gelu * 0x1p52);
}

/* ---- softmax of long and extreme lanes (E7, E9) ---------------------------------- */

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
            agn_tensor *x = random_of(AGN_F64, 1, &n, shifts[j], shifts[j] + 30), *p,
                       *l, *g;
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
                  "%" PRId64 " elements from %g: %.1e, %.1e, sum %.17g", n, shifts[j],
                  worst_p, worst_l, total);
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
            check(&t, bad < 1e-14, "%" PRId64 " elements from %g: gradient off by %.1e",
                  n, shifts[j], bad);
            agn_release(x), agn_release(p), agn_release(l), agn_release(g);
            agn_release(w), agn_release(y), agn_release(e);
        }
    tell(&t,
         "softmax to %.1e, log_softmax to %.1e, lanes to 10^6, shifted by 1e4 (E7, E9)",
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

/* ---- losses at their ends -------------------------------------------------------- */

static double item(agn_status st, agn_tensor **y)
{
    must(st);
    double v = peek(*y, 0);
    agn_release(*y);
    return v;
}

static void test_losses(void)
{
    agn_tensor *y, *x = V(4, -2, -1, 0, 1), *t = V(4, 0, 0.5, 1, 0),
                   *l = V(4, -INF, -1, 0, -2);
    near(item(agn_nn_kl_div(&y, x, t, false, AGN_NN_SUM), &y), 0.5 * log(0.5) + 0.5,
         1e-15, "kl_div: a target of 0 costs 0 (L14)");
    double e = exp(-1), f = exp(-2);
    near(item(agn_nn_kl_div(&y, x, l, true, AGN_NN_SUM), &y), 0 * e + 0 + f * (-2 - 1),
         1e-15, "kl_div: logarithms of targets, -inf among them");
    double sum = item(agn_nn_kl_div(&y, x, t, false, AGN_NN_SUM), &y);
    near(item(agn_nn_kl_div(&y, x, t, false, AGN_NN_MEAN), &y), sum / 4, 1e-15, "mean");
    near(item(agn_nn_kl_div(&y, x, t, false, AGN_NN_BATCHMEAN), &y), sum / 4, 1e-15,
         "batchmean");
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
    ok(peek(y, 0) == 0 && peek(y, 1) == 0 &&
           fabs(peek(y, 2) / 4.248354255291589e-18 - 1) < 1e-15,
       "bce_with_logits keeps the digits of small losses");
    agn_release(y), agn_release(x), agn_release(t);

    /* ignored labels (N1): some, and all */
    x = random_of(AGN_F64, 2, (int64_t[]){3, 4}, -2, 2);
    t = INTS(3, 2, -100, 0);
    agn_tensor *none = INTS(3, -100, -100, -100), *w, *g, *p;
    agn_nn_class_options o = {.size = sizeof o, .ignore = true, .ignore_index = -100};
    must(agn_nn_log_softmax(&p, x, 1));
    near(item(agn_nn_cross_entropy(&y, x, t, 1, &o), &y),
         -(peek(p, 2) + peek(p, 8)) / 2, 1e-15,
         "cross_entropy: the mean is over labels that count (N1)");
    ok(item(agn_nn_cross_entropy(&y, x, none, 1, &o), &y) == 0, "no label counts: 0");
    must(agn_watch(&w, x));
    must(agn_nn_cross_entropy(&y, w, none, 1, &o));
    must(agn_gradient(&g, (const agn_tensor *const *)&y, 1,
                      (const agn_tensor *const *)&w, 1, NULL));
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
                agn_tensor *label = random_of(AGN_I32, 2, small, 0,
                                              (double)shape[d] - 1),
                           *hot, *soft, *a = NULL, *b = NULL,
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
                bool by_weight = weighted &&
                                 r == AGN_NN_MEAN; /* divided by another sum */
                check(&q, by_weight ? same_shapes(a, b) : modes_apart(a, b) < 1e-14,
                      "axis %d, reduction %d, weights %d", axis, r, weighted);
                agn_release(x), agn_release(label), agn_release(hot), agn_release(soft);
                agn_release(a), agn_release(b), agn_release(cw);
            }
    tell(&q, "one-hot targets cost what labels cost, all axes and reductions (N2)");
}

/* ---- norms at 0, tiny, huge (E11), layer_norm far from 0 (N5) -------------------- */

static void test_norms(void)
{
    static const double ps[] = {0, 0.5, 1, 2, 3, (double)INFINITY};
    static const double scales[] = {0, 0x1p-1074, 1e-310, 1e-200, 1, 1e200, 1e308};
    tally t = {0, 0};
    for (int k = 0; k < COUNT(ps); k++)
        for (int j = 0; j < COUNT(scales); j++) {
            double v[3] = {scales[j], -scales[j] / 2, 0}, unit[3] = {1, -0.5, 0},
                   norm = 0;
            if (scales[j] == 0x1p-1074)
                v[1] = unit[1] = 0;
            for (int i = 0; i < 3; i++)
                norm = ps[k] == INF
                           ? fmax(norm, fabs(unit[i]))
                           : norm + (unit[i] != 0 ? pow(fabs(unit[i]), ps[k]) : 0);
            norm = ps[k] == INF || ps[k] == 0 ? norm : pow(norm, 1 / ps[k]);
            agn_tensor *x = row(3, v), *w, *y, *g;
            must(agn_watch(&w, x));
            double eps = scales[j] > 0 && scales[j] < 1 ? 1e-323 : 1e-12;
            must(agn_nn_normalize(&y, w, ps[k], 0, eps));
            must(agn_gradient(&g, (const agn_tensor *const *)&y, 1,
                              (const agn_tensor *const *)&w, 1, NULL));
            for (int i = 0; i < 3; i++) {
                double want = scales[j] == 0 ? 0
                              : ps[k] == 0   ? v[i] / norm
                                             : unit[i] / norm;
                /* a norm out of range is infinite, a slope near 0 too */
                want = ps[k] != 0 && isinf(norm * scales[j]) ? 0 : want;
                double step = scales[j] > 0 ? 1e-323 / scales[j]
                                            : 0; /* of numbers that small */
                check(&t, fabs(peek(y, i) - want) <= 4e-15 * (1 + fabs(want)) + step,
                      "p = %g, scale %g: element %d is %g, not %g", ps[k], scales[j], i,
                      peek(y, i), want);
                bool tiny = scales[j] > 0 && scales[j] < 1e-300;
                check(&t, isfinite(peek(g, i)) || tiny, "p = %g, scale %g: gradient %g",
                      ps[k], scales[j], peek(g, i));
            }
            agn_release(x), agn_release(w), agn_release(y), agn_release(g);
        }
    tell(
        &t,
        "normalize: p from 0 to inf at 0, subnormal and huge, gradients not NaN (E11)");
    agn_tensor *x = V(4, 1e8 + 1, 1e8 + 2, 1e8 + 3, 1e8 + 4), *y;
    must(agn_nn_layer_norm(&y, x, 1, NULL, NULL, 0));
    double bad = 0;
    for (int i = 0; i < 4; i++)
        bad = fmax(bad, fabs(peek(y, i) - (i - 1.5) / sqrt(1.25)));
    ok(bad < 4e-16, "layer_norm far from 0: off by %.1e (N5)", bad);
    agn_release(x), agn_release(y);
}

/* ---- random ones ----------------------------------------------------------------- */

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
    ok(chi < 13.8, "classes come with their probabilities: chi^2 = %.2f",
       chi); /* 0.001 */
    agn_release(y), agn_release(z);
    must(agn_watch(&w, one));
    const agn_tensor *gs[2];
    double weights[3] = {1, 2, 3};
    agn_tensor *e = row(3, weights);
    for (int hard = 0; hard < 2; hard++) {
        must(agn_nn_gumbel_softmax(&y, w, key, 0.5, hard, 0));
        must(agn_gradient(&g, (const agn_tensor *const *)&y, 1,
                          (const agn_tensor *const *)&w, 1,
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
    ok(lo >= 0.1 && hi < 0.3 && fabs(mean - 0.2) < 4 * 0.2 / sqrt(12.0 * N),
       "slopes of rrelu");
    agn_release(u), agn_release(x), agn_release(key);
}

/* ---- sequences that cannot be said ----------------------------------------------- */

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
    ok(peek(y, 0) == INF && isfinite(peek(y, 1)),
       "ctc: a target that does not fit costs infinity");
    must(agn_gradient(&g, (const agn_tensor *const *)&y, 1,
                      (const agn_tensor *const *)&w, 1, NULL));
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
    must(agn_gradient(&g, (const agn_tensor *const *)&y, 1,
                      (const agn_tensor *const *)&w, 1, NULL));
    fine = peek(y, 0) < 0 && agn_dtype_of(y) == AGN_F32;
    for (int64_t i = 0; i < 8; i++)
        fine = fine && isfinite(peek(g, i));
    ok(fine, "probabilities of 0: value %g and gradient are finite", peek(y, 0));
    agn_release(x), agn_release(w), agn_release(y), agn_release(g), agn_release(one);
    agn_release(t);
}
/* ---- initial weights ------------------------------------------------------------- */

static void moments(const agn_tensor *x, double *mean, double *var, double *most)
{
    int64_t n = agn_numel(x);
    *mean = *var = *most = 0;
    for (int64_t i = 0; i < n; i++)
        *mean += peek(x, i) / (double)n;
    for (int64_t i = 0; i < n; i++) {
        *var += (peek(x, i) - *mean) * (peek(x, i) - *mean) / (double)n;
        *most = fmax(*most, fabs(peek(x, i)));
    }
}

static void test_init(void)
{
    static const int64_t shape[3] = {40, 50, 6}; /* fans 300 and 240, 12000 weights */
    agn_tensor *key = key_of(5), *x[4], *y;
    static const double want[4] = {4 / 540.0, 4 / 540.0, 3 / 300.0, 3 / 240.0};
    must(agn_nn_init_xavier_uniform(&x[0], key, AGN_F64, 3, shape, sqrt(2)));
    must(agn_nn_init_xavier_normal(&x[1], key, AGN_F32, 3, shape, sqrt(2)));
    must(agn_nn_init_kaiming_uniform(&x[2], key, AGN_F32, 3, shape, sqrt(3),
                                     AGN_NN_FAN_IN));
    must(agn_nn_init_kaiming_normal(&x[3], key, AGN_F64, 3, shape, sqrt(3),
                                    AGN_NN_FAN_OUT));
    tally t = {0, 0};
    for (int k = 0; k < 4; k++) {
        double mean, var, most;
        moments(x[k], &mean, &var, &most);
        check(&t, fabs(mean) < 4 * sqrt(want[k] / 12000), "%d: mean %g", k, mean);
        check(&t, fabs(var / want[k] - 1) < 4 * sqrt(2.0 / 12000),
              "%d: variance %g, not %g", k, var, want[k]);
        check(&t,
              k % 2 || (most <= sqrt(3 * want[k]) && most > 0.99 * sqrt(3 * want[k])),
              "%d: uniform to %g", k, most);
        check(&t,
              has_shape(x[k], 3, shape) &&
                  agn_dtype_of(x[k]) == (k % 3 ? AGN_F32 : AGN_F64),
              "%d: shape and dtype", k);
        agn_release(x[k]);
    }
    tell(&t, "Xavier's and He's weights: mean, variance, range");
    must(agn_nn_init_xavier_normal(&y, key, AGN_BF16, 2, (int64_t[]){0, 3}, 1));
    ok(agn_numel(y) == 0 && agn_dtype_of(y) == AGN_BF16, "none at all, in bf16");
    agn_release(y), agn_release(key);
    const struct {
        const char *name;
        double gain;
    } gains[] = {{"linear", 1},
                 {"sigmoid", 1},
                 {"tanh", 5.0 / 3},
                 {"relu", sqrt(2)},
                 {"leaky_relu", sqrt(2 / 1.04)},
                 {"selu", 0.75}};
    for (int k = 0; k < COUNT(gains); k++) {
        double g = 0;
        must(agn_nn_gain(&g, gains[k].name, 0.2));
        near(g, gains[k].gain, 1e-15, "gain of %s", gains[k].name);
    }
    must(agn_nn_init_dirac(&y, AGN_F32, 3, (int64_t[]){4, 2, 3}, 2));
    double sum = 0;
    for (int i = 0; i < 24; i++)
        sum += peek(y, i);
    ok(sum == 4 && peek(y, 1) == 1 && peek(y, 10) == 1 && peek(y, 13) == 1 &&
           peek(y, 22) == 1,
       "dirac: two groups of two channels, in the middle");
    agn_release(y);
    must(agn_nn_init_bilinear(&y, AGN_F64, 3, (int64_t[]){2, 3, 4}));
    static const double rows[3] = {0.5, 1, 0.5}, cols[4] = {0.25, 0.75, 0.75, 0.25};
    bool tents = true;
    for (int i = 0; i < 24; i++)
        tents = tents && peek(y, i) == rows[i / 4 % 3] * cols[i % 4];
    ok(tents && agn_is_contiguous(y), "bilinear: tents");
    agn_release(y);
}

/* ---- nothing at all --------------------------------------------------------------- */

static void test_empty(void)
{
    tally t = {0, 0};
    agn_tensor *y = NULL, *x = random_of(AGN_F64, 2, (int64_t[]){0, 3}, 0, 1),
               *l = random_of(AGN_I64, 1, (int64_t[]){0}, 0, 1),
               *w = random_of(AGN_F64, 2, (int64_t[]){4, 3}, 0, 1),
               *x3 = random_of(AGN_F64, 3, (int64_t[]){5, 0, 3}, 0, 1),
               *x4 = random_of(AGN_F64, 4, (int64_t[]){0, 5, 3, 3}, 0, 1),
               *l2 = random_of(AGN_I64, 2, (int64_t[]){0, 2}, 0, 1);
#define EMPTY(nd, shape, call)                                                  \
    do {                                                                        \
        agn_status e_st = call;                                                 \
        check(&t, !e_st && has_shape(y, nd, (int64_t[])shape), "%s: %s", #call, \
              e_st ? agn_error_message() : SHAPE_TEXT(y));                      \
        if (!e_st)                                                              \
            agn_release(y);                                                     \
    } while (0)
#define AT(...) {__VA_ARGS__}
    EMPTY(2, AT(0, 3), agn_nn_elu(&y, x, 1));
    EMPTY(2, AT(0, 3), agn_nn_softmax(&y, x, 1));
    EMPTY(2, AT(0, 3), agn_nn_log_softmax(&y, x, 0));
    EMPTY(2, AT(0, 4), agn_nn_linear(&y, x, w, NULL));
    EMPTY(2, AT(0, 3), agn_nn_embedding(&y, l, w, -1));
    EMPTY(2, AT(0, 7), agn_nn_one_hot(&y, l, 7, AGN_BOOL));
    EMPTY(2, AT(0, 3), agn_nn_layer_norm(&y, x, 1, NULL, NULL, 1e-5));
    EMPTY(2, AT(0, 3), agn_nn_group_norm(&y, x, 1, NULL, NULL, 1e-5));
    EMPTY(2, AT(0, 3), agn_nn_normalize(&y, x, 2, 1, 1e-12));
    EMPTY(2, AT(0, 3), agn_nn_normalize(&y, x, 2, 0, 1e-12));
    EMPTY(1, AT(0), agn_nn_cosine_similarity(&y, x, x, 1, 1e-8));
    EMPTY(1, AT(0), agn_nn_nll_loss(&y, x, l, 1, CLASSES(.reduction = NONE)));
    EMPTY(1, AT(0), agn_nn_multi_margin_loss(&y, x, l, 1, 1, NULL, NONE));
    EMPTY(1, AT(0), agn_nn_hsigmoid_loss(&y, x, l, w, NULL, NONE));
    EMPTY(1, AT(0),
          agn_nn_ctc_loss(&y, x3, l2, NULL, NULL, SEQUENCE(.reduction = NONE)));
    EMPTY(1, AT(0),
          agn_nn_rnnt_loss(&y, x4, l2, NULL, NULL, SEQUENCE(.reduction = NONE)));
    EMPTY(0, AT(0), agn_nn_mse_loss(&y, x, x, AGN_NN_SUM));
    tell(&t, "no samples: empty results, no failure");
    ok(item(agn_nn_cross_entropy(&y, x, l, 1, NULL), &y) == 0, "no label: 0");
    ok(isnan(item(agn_nn_mse_loss(&y, x, x, AGN_NN_MEAN), &y)),
       "the mean of nothing is NaN");
    agn_release(x), agn_release(l), agn_release(w), agn_release(x3), agn_release(x4);
    agn_release(l2);
}

int main(void)
{
    test_ends();
    test_softmax();
    test_losses();
    test_norms();
    test_random();
    test_sequences();
    test_init();
    test_empty();
    return done();
}
