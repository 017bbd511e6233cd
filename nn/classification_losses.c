/* nn/classification_losses.c - losses of samples that belong to one of several classes. Classes are
   the last axis here; labels are checked first. */
#include "nn/nn.h"
#include "tensor/dispatch/op_helpers.h"

#include <math.h>

static const agn_tensor *classes_last(agn_scope *s, const agn_tensor *x)
{
    return ag_expand_dims(s, x, -1);
}

/* The target of x [..., classes] must be [...]. */
static bool labels_fit(agni_nn *c, int i)
{
    return agni_nn_fits(c, 0, 1) &&
           agni_nn_shaped(c, i, c->in[0].x->ndim - 1, c->in[0].x->shape);
}

/* ---- negative log likelihood, cross entropy -------------------------------------- */

enum { X, TARGET, WEIGHT };

typedef struct classes {
    agni_nn c;
    const agn_nn_class_options *o;
    int64_t n;
    const agn_tensor *logp; /* [..., n] */
} classes;

/* what a label costs: its weight, 0 where it is ignored; safe becomes a label that
   exists */
static const agn_tensor *label_weights(classes *q, const agn_tensor **safe)
{
    agn_scope *s = q->c.s;
    const agn_tensor *t = ag_cast(s, agni_nn_arg(&q->c, TARGET), AGN_I64),
                     *counts = NULL;
    if (q->o->ignore) {
        agn_tensor *which = NULL;
        agn_status st = agn_scope_status(s);
        st = st ? st : agn_full_i64(&which, AGN_I64, 0, NULL, q->o->ignore_index);
        counts = ag_ne(s, t, agni_adopt_constant(s, st, which));
        t = ag_where(s, counts, t, ag_lit(s, 0));
        counts = ag_cast(s, counts, q->c.wide);
    }
    *safe = agni_nn_in_range(&q->c, t, "target", "label", q->n);
    const agn_tensor *w = q->c.x[WEIGHT] ? ag_gather(s, q->c.x[WEIGHT], *safe, 0)
                                         : NULL;
    return w && counts ? ag_mul(s, w, counts) : w ? w : counts;
}

/* over the sum of the weights w; where that is 0 nothing counts */
static const agn_tensor *weighted_mean(agni_nn *c, const agn_tensor *loss,
                                       const agn_tensor *w)
{
    agn_scope *s = c->s;
    if (!loss || c->reduction != AGN_NN_MEAN)
        return agni_nn_reduce(c, loss);
    const agn_tensor *sum = ag_sum_all(s, loss);
    if (!w)
        return loss->size ? ag_div_c(s, sum, (double)loss->size) : sum;
    const agn_tensor *all = ag_sum_all(s, w), *zero = ag_lit(s, 0);
    return ag_where(s, ag_eq(s, all, zero), zero, ag_div(s, sum, all));
}

/* labels; part of each target is spread over all classes */
static const agn_tensor *loss_of_labels(classes *q)
{
    agn_scope *s = q->c.s;
    double spread = q->o->smoothing;
    const agn_tensor *safe, *w = label_weights(q, &safe);
    const agn_tensor *y = ag_neg(s, agni_nn_pick(s, q->logp, safe));
    y = w ? ag_mulz(s, w, y) : y;
    if (spread > 0) {
        const agn_tensor *each = ag_neg(s, q->logp), *part;
        each = q->c.x[WEIGHT] ? ag_mul(s, each, q->c.x[WEIGHT]) : each;
        part = ag_sum(s, each, (int32_t[]){-1}, 1, false);
        if (q->o->ignore)
            part = ag_mulz(s, ag_cast(s, ag_ne(s, w, ag_lit(s, 0)), q->c.wide), part);
        y = ag_add(s, ag_mul_c(s, y, 1 - spread),
                   ag_mul_c(s, part, spread / (double)q->n));
    }
    return weighted_mean(&q->c, y, w);
}

static const agn_tensor *loss_of_probabilities(classes *q, int axis)
{
    agn_scope *s = q->c.s;
    double spread = q->o->smoothing;
    const agn_tensor *t = agni_move_axis(s, q->c.x[TARGET], axis, -1);
    if (spread > 0)
        t = ag_add_c(s, ag_mul_c(s, t, 1 - spread), spread / (double)q->n);
    t = q->c.x[WEIGHT] ? ag_mul(s, t, q->c.x[WEIGHT]) : t;
    const agn_tensor *y = ag_sum(s, ag_mulz(s, t, q->logp), (int32_t[]){-1}, 1, false);
    return weighted_mean(&q->c, ag_neg(s, y), NULL);
}

static agn_status check_options(const char *op, const agn_nn_class_options *o,
                                bool smooth)
{
    if (agni_check_size(op, agn_nn_class_options, o))
        return AGN_EARG;
    if (!(o->smoothing >= 0 && o->smoothing <= 1) || (o->smoothing > 0 && !smooth))
        return agni_fail(AGN_EARG, "%s: smoothing is %g; it must be %s", op,
                         o->smoothing, smooth ? "in 0 to 1" : "0");
    return AGN_OK;
}

static agn_status apply_class_loss(agn_tensor **out, const char *op, bool logits,
                                   const agn_tensor *x, const agn_tensor *target, int32_t axis,
                                   const agn_nn_class_options *opts)
{
    agn_nn_class_options o = {.size = sizeof o};
    if (opts)
        o = *opts;
    bool soft = logits && target && agni_kind(target->dtype) != AGNI_KIND_INT;
    classes q = {.o = &o,
                 .c = {.op = op,
                       .in = {{"x", x, 0},
                              {"target", target, soft ? 0 : AGNI_NN_WHOLE},
                              {"weight", o.weight, AGNI_NN_OPTIONAL}},
                       .reduction = o.reduction}};
    agni_nn *c = &q.c;
    agn_status st = check_options(op, &o, logits);
    if (!st && soft && o.ignore)
        st = agni_fail(AGN_EARG,
                       "%s: label %lld is to be ignored, and the target is %s %s", op,
                       (long long)o.ignore_index, agni_dtypes[target->dtype].name,
                       AGNI_SHAPE(target));
    st = st ? st : agni_nn_open(c, out);
    int d;
    if (st)
        return st;
    if (!agni_nn_axis(c, X, axis, &d))
        return agni_nn_close(c, out, NULL);
    int64_t shape[AGN_MAX_RANK];
    int k = 0;
    for (int i = 0; i < x->ndim; i++)
        if (soft || i != d)
            shape[k++] = x->shape[i];
    q.n = x->shape[d];
    const agn_tensor *y = NULL;
    if (agni_nn_shaped(c, TARGET, k, shape) && agni_nn_shaped(c, WEIGHT, 1, &q.n)) {
        q.logp = agni_move_axis(c->s, c->x[X], d, -1);
        if (logits && q.logp)
            q.logp = agni_nn_log_softmax(c->s, q.logp, x->ndim - 1);
        y = soft ? loss_of_probabilities(&q, d) : loss_of_labels(&q);
    }
    return agni_nn_close(c, out, y);
}
agn_status agn_nn_nll_loss(agn_tensor **out, const agn_tensor *x,
                           const agn_tensor *target, int32_t axis,
                           const agn_nn_class_options *opts)
{
    return apply_class_loss(out, "nn_nll_loss", false, x, target, axis, opts);
}
agn_status agn_nn_cross_entropy(agn_tensor **out, const agn_tensor *x,
                                const agn_tensor *target, int32_t axis,
                                const agn_nn_class_options *opts)
{
    return apply_class_loss(out, "nn_cross_entropy", true, x, target, axis, opts);
}

/* ---- margins --------------------------------------------------------------------- */

/* x with the label's entry replaced by y */
static const agn_tensor *replace_label_entry(agni_nn *c, const agn_tensor *t, const agn_tensor *y)
{
    const agn_tensor *x = c->x[0];
    const agn_tensor *at = agni_nn_hot(c->s, t, x ? x->shape[x->ndim - 1] : 0,
                                       AGN_BOOL);
    return ag_where(c->s, at, y, x);
}

agn_status agn_nn_margin_cross_entropy(agn_tensor **out, const agn_tensor *x,
                                       const agn_tensor *target, double m1, double m2,
                                       double m3, double scale, int32_t reduction)
{
    agni_nn c = {.op = "nn_margin_cross_entropy",
                 .in = {{"x", x, 0}, {"target", target, AGNI_NN_WHOLE}},
                 .reduction = reduction};
    agn_status st = agni_nn_open(&c, out);
    if (st)
        return st;
    const agn_tensor *y = NULL;
    if (labels_fit(&c, TARGET)) {
        agn_scope *s = c.s;
        const agn_tensor *t = agni_nn_checked(&c, TARGET, "label",
                                              x->shape[x->ndim - 1]);
        const agn_tensor *angle = ag_acos(s, agni_nn_pick(s, c.x[0], t));
        const agn_tensor *bent = ag_cos(s, ag_add_c(s, ag_mul_c(s, angle, m1), m2));
        const agn_tensor *z = replace_label_entry(&c, t, classes_last(s, ag_sub_c(s, bent, m3)));
        z = agni_nn_log_softmax(s, ag_mul_c(s, z, scale), x->ndim - 1);
        y = agni_nn_reduce(&c, ag_neg(s, agni_nn_pick(s, z, t)));
    }
    return agni_nn_close(&c, out, y);
}

agn_status agn_nn_multi_margin_loss(agn_tensor **out, const agn_tensor *x,
                                    const agn_tensor *target, double p, double margin,
                                    const agn_tensor *weight, int32_t reduction)
{
    agni_nn c = {.op = "nn_multi_margin_loss",
                 .in = {{"x", x, 0},
                        {"target", target, AGNI_NN_WHOLE},
                        {"weight", weight, AGNI_NN_OPTIONAL}},
                 .reduction = reduction};
    if (!(p >= 1))
        return agni_fail(AGN_EARG,
                         "nn_multi_margin_loss: p is %g; at least 1 is needed", p);
    agn_status st = agni_nn_open(&c, out);
    if (st)
        return st;
    const agn_tensor *y = NULL;
    if (labels_fit(&c, TARGET) &&
        agni_nn_shaped(&c, WEIGHT, 1, x->shape + x->ndim - 1)) {
        agn_scope *s = c.s;
        int64_t n = x->shape[x->ndim - 1];
        const agn_tensor *t = agni_nn_checked(&c, TARGET, "label", n);
        const agn_tensor *lead = classes_last(s, ag_sub_c(s, agni_nn_pick(s, c.x[0], t), margin));
        /* the label's own entry is level with the lead: it costs nothing */
        const agn_tensor *over = ag_relu(s, ag_sub(s, replace_label_entry(&c, t, lead), lead));
        over = p == 1 ? over : p == 2 ? ag_square(s, over) : ag_pow_c(s, over, p);
        y = ag_div_c(s, ag_sum(s, over, (int32_t[]){-1}, 1, false), (double)n);
        y = weight ? ag_mul(s, y, ag_gather(s, c.x[WEIGHT], t, 0)) : y;
        y = agni_nn_reduce(&c, y);
    }
    return agni_nn_close(&c, out, y);
}

/* ---- overlaps, pairs ------------------------------------------------------------- */

agn_status agn_nn_dice_loss(agn_tensor **out, const agn_tensor *x,
                            const agn_tensor *target, double eps, int32_t reduction)
{
    agni_nn c = {.op = "nn_dice_loss",
                 .in = {{"x", x, 0}, {"target", target, AGNI_NN_WHOLE}},
                 .reduction = reduction};
    agn_status st = agni_nn_open(&c, out);
    if (st)
        return st;
    const agn_tensor *y = NULL;
    if (agni_nn_fits(&c, 0, 2) && labels_fit(&c, TARGET)) {
        agn_scope *s = c.s;
        int64_t n = x->shape[x->ndim - 1];
        int32_t axes[AGN_MAX_RANK];
        for (int k = 1; k < x->ndim; k++)
            axes[k - 1] = k;
        const agn_tensor *t = agni_nn_checked(&c, TARGET, "label", n);
        const agn_tensor *one = agni_nn_hot(s, t, n, c.wide);
        const agn_tensor *both = ag_sum(s, ag_mul(s, c.x[0], one), axes, x->ndim - 1,
                                        false);
        const agn_tensor *all = ag_sum(s, ag_add(s, c.x[0], one), axes, x->ndim - 1,
                                       false);
        const agn_tensor *part = ag_div(s, ag_mul_c(s, both, 2), ag_add_c(s, all, eps));
        y = agni_nn_reduce(&c, ag_sub(s, ag_lit(s, 1), part));
    }
    return agni_nn_close(&c, out, y);
}

static const agn_tensor *mean_square(agn_scope *s, const agn_tensor *x)
{
    return ag_mean_all(s, ag_sum(s, ag_square(s, x), (int32_t[]){-1}, 1, false));
}

agn_status agn_nn_npair_loss(agn_tensor **out, const agn_tensor *anchor,
                             const agn_tensor *positive, const agn_tensor *labels,
                             double l2_reg)
{
    agni_nn c = {.op = "nn_npair_loss",
                 .in = {{"anchor", anchor, 0},
                        {"positive", positive, 0},
                        {"labels", labels, AGNI_NN_WHOLE}}};
    agn_status st = agni_nn_open(&c, out);
    if (st)
        return st;
    const agn_tensor *y = NULL;
    if (anchor->ndim != 2)
        AGNI_NN_FAIL(&c, AGN_ESHAPE,
                     "nn_npair_loss: anchor is %s; it must have 2 axes, not %d",
                     AGNI_SHAPE(anchor), anchor->ndim);
    else if (agni_nn_shaped(&c, 1, 2, anchor->shape) &&
             agni_nn_shaped(&c, 2, 1, anchor->shape)) {
        agn_scope *s = c.s;
        const agn_tensor *same = ag_eq(s, classes_last(s, c.x[2]), c.x[2]);
        const agn_tensor *t = ag_cast(s, same, c.wide);
        t = ag_div(s, t, ag_sum(s, t, (int32_t[]){-1}, 1, true));
        const agn_tensor *z = ag_matmul(s, c.x[0], ag_transpose(s, c.x[1]));
        z = ag_mulz(s, t, agni_nn_log_softmax(s, z, 1));
        const agn_tensor *lengths = ag_add(s, mean_square(s, c.x[0]),
                                           mean_square(s, c.x[1]));
        y = ag_mean_all(s, ag_sum(s, z, (int32_t[]){-1}, 1, false));
        y = ag_sub(s, ag_mul_c(s, lengths, l2_reg / 4), y);
    }
    return agni_nn_close(&c, out, y);
}
