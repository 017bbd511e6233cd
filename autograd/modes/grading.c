/* grading.c - products in a graded algebra: parts of Taylor series. */
#include "autograd/modes/grading.h"

#include <agnesi/ag.h>

agni_grading agni_grading_along(int K, int64_t lanes, bool collapsed)
{
    agni_grading g = {.K = K, .lanes = {1}};
    for (int k = 1; k <= K; k++)
        g.lanes[k] = k == K && collapsed ? 1 : lanes;
    return g;
}

const agn_tensor *agni_grading_zeros(agn_scope *s, const agni_grading *g, int k,
                                     const agn_tensor *x)
{
    if (!agni_has_lanes(g, k))
        return agni_zeros_like(s, x);
    int64_t shape[AGNI_MAX_RANK + 1] = {g->lanes[k]};
    for (int d = 0; d < x->ndim; d++)
        shape[1 + d] = x->shape[d];
    const agn_tensor *zero = agni_zeros_like(s, x);
    return zero ? agni_broadcast(s, zero, x->ndim + 1, shape) : NULL;
}

static const agn_tensor *scale_by(agn_scope *s, const agn_tensor *x, double w)
{
    return !x || w == 1 ? x
                        : agni_apply_in(s, &agni_op_mul, NULL, 2,
                                        (const agn_tensor *[]){x, agni_literal(s, w)});
}

static const agn_tensor *select_lane(agn_scope *s, const agn_tensor *x, bool laned, int64_t at)
{
    return laned && x ? ag_index_axis(s, x, 0, at) : x;
}

/* lane c of the result = sum over (a, b, w) of w u_a v_b */
static const agn_tensor *sum_weighted_pairs(agn_scope *s, const agni_grading *g,
                                            const agni_grading_weights *t, int j,
                                            const agn_tensor *u, int m, const agn_tensor *v,
                                            agni_pairing *pair, void *user)
{
    int64_t n = g->lanes[j + m];
    const agn_tensor **y = agni_zalloc((size_t)n * sizeof *y), *out = NULL;
    if (!y) {
        agn_scope_fail(s, agni_nomem("jet", (size_t)n * sizeof *y));
        return NULL;
    }
    for (int32_t i = 0; i < t->n && !agn_scope_status(s); i++) {
        const agni_grading_weight *q = &t->term[i];
        const agn_tensor *p = pair(user, select_lane(s, u, agni_has_lanes(g, j), q->a), false,
                                   select_lane(s, v, agni_has_lanes(g, m), q->b), false, 1);
        y[q->c] = agni_add_present(s, y[q->c], scale_by(s, p, q->w));
    }
    if (!agn_scope_status(s))
        out = n == 1 ? y[0] : ag_stack(s, y, (int32_t)n, 0);
    agni_free(y);
    return out;
}

const agn_tensor *agni_graded_product(agn_scope *s, const agni_grading *g, int j,
                                      const agn_tensor *u, int m, const agn_tensor *v,
                                      agni_pairing *pair, void *user)
{
    if (!u || !v || agn_scope_status(s))
        return NULL;
    bool ul = agni_has_lanes(g, j), vl = agni_has_lanes(g, m);
    const agni_grading_weights *t = g->by && j && m ? &g->by[j * (g->K + 1) + m] : NULL;
    if (t && !t->dot)
        return sum_weighted_pairs(s, g, t, j, u, m, v, pair, user);
    const agn_tensor *y = pair(user, u, ul, v, vl, g->lanes[ul ? j : m]);
    if (y && ul && vl && g->lanes[j + m] == 1)
        y = agni_sum_axes(s, y, 1, (int64_t[]){0}, false);
    return scale_by(s, y, t ? t->term[0].w : 1);
}
