/* nn/hierarchical_softmax.c - softmax over many classes in sublinear time: a binary tree,
   clusters. */
#include "nn/nn.h"
#include "tensor/dispatch/op_helpers.h"

/* ---- a complete binary tree (Morin & Bengio 2005) -------------------------------- */

/* The way from the root to each leaf: for each step the row of the weights and the sign
   of the branch, 0 past the leaf. Label l is node l + n, node k has the parent k / 2.
   */
static agn_status make_tree_paths(agn_tensor **rows, agn_tensor **signs, int64_t n, int64_t *steps)
{
    int64_t most = 0;
    while (most < 62 && (int64_t)1 << (most + 1) <= 2 * n - 1)
        most++;
    int64_t shape[2] = {n, *steps = most};
    agn_status st = agni_tensor_make(rows, "nn_hsigmoid_loss", AGN_I64, 2, shape,
                                     AGN_CPU);
    st = st ? st
            : agni_tensor_make(signs, "nn_hsigmoid_loss", AGN_F64, 2, shape, AGN_CPU);
    if (st)
        return st;
    int64_t *row = (*rows)->data;
    double *sign = (*signs)->data;
    for (int64_t l = 0; l < n; l++)
        for (int64_t k = 0, node = l + n; k < most; k++, node /= 2, row++, sign++) {
            *row = node > 1 ? node / 2 - 1 : 0;
            *sign = node <= 1 ? 0 : node % 2 ? 1 : -1;
        }
    return AGN_OK;
}

agn_status agn_nn_hsigmoid_loss(agn_tensor **out, const agn_tensor *x,
                                const agn_tensor *target, const agn_tensor *weight,
                                const agn_tensor *bias, int32_t reduction)
{
    enum { X, TARGET, WEIGHT, BIAS };
    agni_nn c = {.op = "nn_hsigmoid_loss",
                 .in = {{"x", x, 0},
                        {"target", target, AGNI_NN_WHOLE},
                        {"weight", weight, 0},
                        {"bias", bias, AGNI_NN_OPTIONAL}},
                 .reduction = reduction};
    agn_status st = agni_nn_open(&c, out);
    if (st)
        return st;
    agn_scope *s = c.s;
    const agn_tensor *y = NULL;
    if (x->ndim < 1 || weight->ndim != 2 || weight->shape[1] != x->shape[x->ndim - 1])
        AGNI_NN_FAIL(&c, AGN_ESHAPE,
                     "nn_hsigmoid_loss: x is %s, weight %s; [..., n] and "
                     "[classes - 1, n] are needed",
                     AGNI_SHAPE(x), AGNI_SHAPE(weight));
    else if (agni_nn_shaped(&c, TARGET, x->ndim - 1, x->shape) &&
             agni_nn_shaped(&c, BIAS, 1, weight->shape)) {
        int64_t n = weight->shape[0] + 1, steps = 0;
        agn_tensor *rows = NULL, *signs = NULL;
        st = make_tree_paths(&rows, &signs, n, &steps);
        const agn_tensor *t = agni_nn_checked(&c, TARGET, "label", n);
        const agn_tensor *row = agni_adopt_constant(s, rows ? AGN_OK : st, rows);
        const agn_tensor *sign = agni_adopt_constant(s, st, signs);
        row = ag_gather(s, row, t, 0);
        sign = ag_gather(s, ag_cast(s, sign, c.wide), t, 0);
        const agn_tensor *z = ag_matmul(s, ag_gather(s, c.x[WEIGHT], row, 0),
                                        ag_expand_dims(s, c.x[X], -1));
        z = ag_squeeze(s, z, -1);
        z = c.x[BIAS] ? ag_add(s, z, ag_gather(s, c.x[BIAS], row, 0)) : z;
        /* an odd node has probability sigmoid(z), its neighbour sigmoid(-z) */
        const agn_tensor *cost = ag_softplus(s, ag_neg(s, ag_mul(s, sign, z)));
        y = ag_sum(s, ag_mul(s, ag_abs(s, sign), cost), (int32_t[]){-1}, 1, false);
        y = agni_nn_reduce(&c, y);
    }
    return agni_nn_close(&c, out, y);
}

/* ---- clusters of rare classes (Grave et al. 2017) -------------------------------- */

enum { MOST_CLUSTERS = 16, X = 0, HEAD, BIAS };

static agn_status check_clusters(const agni_nn *c, const agn_tensor *const *tails,
                                 const int64_t *cutoffs, int32_t clusters)
{
    if (!tails || !cutoffs)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", c->op,
                         tails ? "cutoffs" : "tails");
    if (clusters < 1 || clusters > MOST_CLUSTERS)
        return agni_fail(AGN_EARG, "%s: %d clusters; 1 to %d are possible", c->op,
                         clusters, MOST_CLUSTERS);
    for (int i = 0; i < 2 * clusters; i++) {
        if (!tails[i])
            return agni_fail(AGN_ENULL, "%s: tails[%d] is NULL", c->op, i);
        if (agni_kind(tails[i]->dtype) == AGNI_KIND_COMPLEX)
            return agni_fail(
                AGN_EDTYPE, "%s: tails[%d] is %s %s; real numbers are needed", c->op, i,
                agni_dtypes[tails[i]->dtype].name, AGNI_SHAPE(tails[i]));
    }
    for (int i = 0; i < clusters; i++)
        if (cutoffs[i] < 0 || (i && cutoffs[i] <= cutoffs[i - 1]))
            return agni_fail(AGN_EARG,
                             "%s: cutoffs[%d] is %lld; they must ascend from 0", c->op,
                             i, (long long)cutoffs[i]);
    return AGN_OK;
}

static bool clusters_fit(agni_nn *c, const agn_tensor *const *tails,
                         const int64_t *cutoffs, int32_t clusters)
{
    const agn_tensor *x = c->in[X].x;
    int64_t n = x->ndim ? x->shape[x->ndim - 1] : -1,
            head[2] = {cutoffs[0] + clusters, n};
    if (!agni_nn_fits(c, X, 1) || !agni_nn_shaped(c, HEAD, 2, head) ||
        !agni_nn_shaped(c, BIAS, 1, head))
        return false;
    for (int i = 0; i < clusters; i++) {
        const agn_tensor *p = tails[2 * i], *w = tails[2 * i + 1];
        int64_t size = i + 1 < clusters ? cutoffs[i + 1] - cutoffs[i] : -1;
        if (p->ndim != 2 || w->ndim != 2 || p->shape[1] != n ||
            w->shape[1] != p->shape[0] || (size >= 0 && w->shape[0] != size))
            return !AGNI_NN_FAIL(c, AGN_ESHAPE,
                                 "%s: cluster %d has the projection %s and weights "
                                 "%s; x is %s, its classes begin at %lld",
                                 c->op, i, AGNI_SHAPE(p), AGNI_SHAPE(w), AGNI_SHAPE(x),
                                 (long long)cutoffs[i]);
    }
    return true;
}

static const agn_tensor *multiply_transposed(agni_nn *c, const agn_tensor *x, const agn_tensor *w)
{
    return ag_matmul(c->s, x, ag_transpose(c->s, ag_cast(c->s, w, c->wide)));
}

agn_status agn_nn_adaptive_log_softmax(agn_tensor **out, const agn_tensor *x,
                                       const agn_tensor *head, const agn_tensor *bias,
                                       const agn_tensor *const *tails,
                                       const int64_t *cutoffs, int32_t clusters)
{
    agni_nn c = {
        .op = "nn_adaptive_log_softmax",
        .in = {{"x", x, 0}, {"head", head, 0}, {"bias", bias, AGNI_NN_OPTIONAL}}};
    agn_status st = check_clusters(&c, tails, cutoffs, clusters);
    st = st ? st : agni_nn_open(&c, out);
    if (st)
        return st;
    agn_scope *s = c.s;
    if (!clusters_fit(&c, tails, cutoffs, clusters))
        return agni_nn_close(&c, out, NULL);
    const agn_tensor *part[MOST_CLUSTERS + 1], *top = multiply_transposed(&c, c.x[X], c.x[HEAD]);
    int axis = x->ndim - 1;
    top = agni_nn_log_softmax(s, c.x[BIAS] ? ag_add(s, top, c.x[BIAS]) : top, axis);
    int64_t from[AGN_MAX_RANK] = {0}, to[AGN_MAX_RANK];
    for (int k = 0; k < axis; k++)
        to[k] = x->shape[k];
    to[axis] = cutoffs[0];
    part[0] = ag_slice(s, top, x->ndim, from, to, NULL);
    for (int i = 0; i < clusters; i++) {
        from[axis] = cutoffs[0] + i;
        to[axis] = from[axis] + 1;
        const agn_tensor *inside = multiply_transposed(
            &c, multiply_transposed(&c, c.x[X], tails[2 * i]), tails[2 * i + 1]);
        part[i + 1] = ag_add(s, ag_slice(s, top, x->ndim, from, to, NULL),
                             agni_nn_log_softmax(s, inside, axis));
    }
    return agni_nn_close(&c, out, ag_concat(s, part, clusters + 1, axis));
}
