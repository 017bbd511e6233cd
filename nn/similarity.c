/* nn/similarity.c - norms and angles of lanes: norms that neither overflow nor have NaN
   derivatives at 0, normalisation, cosine similarity, losses of them. */
#include "nn/nn.h"

#include <math.h>

const agn_tensor *agni_nn_norm(agn_scope *s, const agn_tensor *x, double p, int axis)
{
    return ag_pnorm(s, x, p, (int32_t[]){axis}, 1, true);
}

static const agn_tensor *divide_by_norm(agn_scope *s, const agn_tensor *x, double p, int axis,
                                        double eps)
{
    return ag_div(s, x, ag_maximum(s, agni_nn_norm(s, x, p, axis), ag_lit(s, eps)));
}

agn_status agn_nn_normalize(agn_tensor **out, const agn_tensor *x, double p,
                            int32_t axis, double eps)
{
    agni_nn c = {.op = "nn_normalize", .in = {{"x", x, 0}}};
    if (!(p >= 0) || !(eps > 0))
        return agni_fail(AGN_EARG,
                         "nn_normalize: p is %g, eps %g; p must not be negative, eps "
                         "positive",
                         p, eps);
    agn_status st = agni_nn_open(&c, out);
    int d;
    if (st)
        return st;
    const agn_tensor *y = NULL;
    if (agni_nn_axis(&c, 0, axis, &d))
        y = divide_by_norm(c.s, c.x[0], p, d, eps);
    return agni_nn_close(&c, out, y);
}

/* unit vectors first: their product does not overflow */
const agn_tensor *agni_nn_cosine(agn_scope *s, const agn_tensor *a, const agn_tensor *b,
                                 int axis, double eps)
{
    const agn_tensor *product = ag_mul(s, divide_by_norm(s, a, 2, axis, eps),
                                       divide_by_norm(s, b, 2, axis, eps));
    return ag_sum(s, product, &axis, 1, false);
}

agn_status agn_nn_cosine_similarity(agn_tensor **out, const agn_tensor *a,
                                    const agn_tensor *b, int32_t axis, double eps)
{
    agni_nn c = {.op = "nn_cosine_similarity", .in = {{"a", a, 0}, {"b", b, 0}}};
    if (!(eps > 0))
        return agni_fail(AGN_EARG,
                         "nn_cosine_similarity: eps is %g; it must be positive", eps);
    agn_status st = agni_nn_open(&c, out);
    int d;
    if (st)
        return st;
    const agn_tensor *y = NULL;
    if (agni_nn_axis(&c, 0, axis, &d)) {
        if (a->ndim != b->ndim || a->shape[d] != b->shape[d])
            AGNI_NN_FAIL(&c, AGN_ESHAPE,
                         "nn_cosine_similarity: axis %d of a %s and b %s differs", d,
                         AGNI_SHAPE(a), AGNI_SHAPE(b));
        else
            y = agni_nn_cosine(c.s, c.x[0], c.x[1], d, eps);
    }
    return agni_nn_close(&c, out, y);
}

agn_status agn_nn_cosine_embedding_loss(agn_tensor **out, const agn_tensor *a,
                                        const agn_tensor *b, const agn_tensor *target,
                                        double margin, int32_t reduction)
{
    agni_nn c = {.op = "nn_cosine_embedding_loss",
                 .in = {{"a", a, 0}, {"b", b, 0}, {"target", target, 0}},
                 .reduction = reduction};
    agn_status st = agni_nn_open(&c, out);
    if (st)
        return st;
    const agn_tensor *y = NULL;
    if (agni_nn_fits(&c, 0, 1) && agni_nn_fits(&c, 1, 0) && agni_nn_fits(&c, 2, 1)) {
        agn_scope *s = c.s;
        const agn_tensor *spread = ag_broadcast_to(s, c.x[1], a->ndim, a->shape);
        /* lengths of 0 count as tiny ones */
        const agn_tensor *cos = agni_nn_cosine(s, c.x[0], spread, a->ndim - 1, 1e-30);
        const agn_tensor *alike = ag_sub(s, ag_lit(s, 1), cos);
        const agn_tensor *apart = ag_relu(s, ag_sub_c(s, cos, margin));
        y = ag_where(s, ag_gt(s, c.x[2], ag_lit(s, 0)), alike, apart);
        y = agni_nn_reduce(&c, y);
    }
    return agni_nn_close(&c, out, y);
}

/* ---- triplets -------------------------------------------------------------------- */

static const agn_tensor *triplet_distance(agn_scope *s, const agn_nn_triplet_options *o,
                                          const agn_tensor *a, const agn_tensor *b)
{
    const agn_tensor *y = NULL;
    if (o->distance) {
        if (a && b)
            agn_fn_apply(s, &y, 1, o->distance, AGN_ARGS(a, b));
        return y;
    }
    const agn_tensor *d = ag_sub(s, a, b);
    if (o->eps > 0)
        d = ag_add_c(s, d, o->eps);
    return d ? ag_squeeze(s, agni_nn_norm(s, d, o->p, d->ndim - 1), -1) : NULL;
}

static agn_status complete_options(agn_nn_triplet_options *o)
{
    if (agni_check_size("nn_triplet_margin_loss", agn_nn_triplet_options, o))
        return AGN_EARG;
    if (!(o->p >= 0))
        return agni_fail(
            AGN_EARG, "nn_triplet_margin_loss: p is %g; it must not be negative", o->p);
    if (o->distance &&
        (agn_fn_n_in(o->distance) != 2 || agn_fn_n_out(o->distance) != 1))
        return agni_fail(
            AGN_EARG,
            "nn_triplet_margin_loss: the distance has %d arguments and %d results; 2 "
            "and 1 are needed",
            agn_fn_n_in(o->distance), agn_fn_n_out(o->distance));
    o->p = o->p == 0 ? 2 : o->p;
    o->eps = o->eps == 0 ? 1e-6 : o->eps;
    return AGN_OK;
}

agn_status agn_nn_triplet_margin_loss(agn_tensor **out, const agn_tensor *anchor,
                                      const agn_tensor *positive,
                                      const agn_tensor *negative, double margin,
                                      const agn_nn_triplet_options *opts)
{
    agn_nn_triplet_options o = {.size = sizeof o};
    if (opts)
        o = *opts;
    agn_status st = complete_options(&o);
    agni_nn c = {.op = "nn_triplet_margin_loss",
                 .in = {{"anchor", anchor, 0},
                        {"positive", positive, 0},
                        {"negative", negative, 0}},
                 .reduction = o.reduction};
    st = st ? st : agni_nn_open(&c, out);
    if (st)
        return st;
    const agn_tensor *y = NULL;
    if (agni_nn_fits(&c, 0, 1) && agni_nn_fits(&c, 1, 0) && agni_nn_fits(&c, 2, 0)) {
        agn_scope *s = c.s;
        const agn_tensor *near = triplet_distance(s, &o, c.x[0], c.x[1]);
        const agn_tensor *far = triplet_distance(s, &o, c.x[0], c.x[2]);
        if (o.swap)
            far = ag_minimum(s, far, triplet_distance(s, &o, c.x[1], c.x[2]));
        y = ag_relu(s, ag_add_c(s, ag_sub(s, near, far), margin));
        y = agni_nn_reduce(&c, y);
    }
    return agni_nn_close(&c, out, y);
}

/* ---- weights with a length of their own ------------------------------------------ */

agn_status agn_nn_weight_norm(agn_tensor **out, const agn_tensor *v,
                              const agn_tensor *g, int32_t axis)
{
    agni_nn c = {.op = "nn_weight_norm", .in = {{"v", v, 0}, {"g", g, 0}}};
    agn_status st = agni_nn_open(&c, out);
    int d;
    if (st)
        return st;
    const agn_tensor *y = NULL;
    if (agni_nn_axis(&c, 0, axis, &d)) {
        agn_scope *s = c.s;
        const agn_tensor *length = agni_nn_along(&c, 1, v->ndim, d, v->shape[d]);
        int32_t others[AGNI_MAX_RANK];
        int n = 0;
        for (int k = 0; k < v->ndim; k++)
            if (k != d)
                others[n++] = k;
        const agn_tensor *norm = ag_pnorm(s, c.x[0], 2, others, n, true);
        y = ag_mul(s, c.x[0], ag_div(s, length, norm));
    }
    return agni_nn_close(&c, out, y);
}

agn_status agn_nn_spectral_norm(agn_tensor **out, agn_tensor **u_out,
                                const agn_tensor *weight, const agn_tensor *u,
                                int32_t iterations, double eps)
{
    agni_nn c = {.op = "nn_spectral_norm", .in = {{"weight", weight, 0}, {"u", u, 0}}};
    if (iterations < 1 || !(eps > 0))
        return agni_fail(
            AGN_EARG,
            "nn_spectral_norm: %d iterations, eps %g; 1 or more are needed, "
            "and eps positive",
            iterations, eps);
    agn_status st = agni_nn_open(&c, out);
    if (st)
        return st;
    agn_scope *s = c.s;
    const agn_tensor *y = NULL;
    if (agni_nn_fits(&c, 0, 2) && agni_nn_shaped(&c, 1, 1, weight->shape)) {
        int64_t n = weight->shape[0], m = n ? weight->size / n : 0;
        const agn_tensor *w = ag_reshape(s, c.x[0], 2, (int64_t[]){n, m});
        const agn_tensor *still = ag_stop_gradient(s, w),
                         *left = ag_stop_gradient(s, c.x[1]);
        const agn_tensor *right = NULL;
        for (int k = 0; k < iterations; k++) {
            right = divide_by_norm(s, ag_matmul(s, left, still), 2, 0, eps);
            left = divide_by_norm(s, ag_matmul(s, still, right), 2, 0, eps);
        }
        const agn_tensor *sigma = ag_matmul(s, left, ag_matmul(s, w, right));
        y = ag_div(s, c.x[0], sigma);
        if (u_out)
            agn_scope_return(s, u_out, left ? ag_cast(s, left, c.dtype) : NULL);
    }
    return agni_nn_close(&c, out, y);
}
