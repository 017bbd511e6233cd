/* autograd/tape.c - gradients for those who think in tapes. */
#include "autograd/transform.h"

#include <agnesi/tape.h>

static agn_status check_tape(agn_tensor **out, const agn_tensor *const *ys, int n_y,
                             const agn_tensor *const *xs, int n_x, uint64_t *first)
{
    if (!out || !ys || !xs)
        return agni_fail(AGN_ENULL, "gradient: %s is NULL", !out ? "out" : !ys ? "ys" : "xs");
    if (n_y < 1 || n_x < 1)
        return agni_fail(AGN_EARG, "gradient: %d results of %d arguments: at least one each", n_y,
                         n_x);
    *first = UINT64_MAX;
    for (int i = 0; i < n_y; i++)
        if (!ys[i])
            return agni_fail(AGN_ENULL, "gradient: ys[%d] of %d is NULL", i, n_y);
    for (int i = 0; i < n_x; i++) {
        if (!xs[i])
            return agni_fail(AGN_ENULL, "gradient: xs[%d] of %d is NULL", i, n_x);
        if (!xs[i]->node)
            return agni_fail(AGN_EARG, "gradient: xs[%d] %s is not watched", i, AGNI_SHAPE(xs[i]));
        if (!agni_smooth(xs[i]))
            return agni_fail(AGN_EDTYPE, "gradient: xs[%d] is %s; a floating dtype is needed", i,
                             agni_dtypes[xs[i]->dtype].name);
        *first = xs[i]->node->id < *first ? xs[i]->node->id : *first;
    }
    return AGN_OK;
}

/* Is some x computed from another? Then each needs a walk of its own, since a leaf hides what
   is behind it. */
static bool independent(const agn_tensor *const *xs, int n_x, uint64_t first)
{
    for (int i = 0; i < n_x && n_x > 1; i++)
        if (xs[i]->node->op != &agni_op_watch ||
            (xs[i]->node->nin && xs[i]->node->in[0]->node &&
             xs[i]->node->in[0]->node->id >= first))
            return false;
    return true;
}

static void gradient_of(agn_scope *s, const agn_tensor *const *ys, int n_y,
                        const agn_tensor *const *g, const agn_tensor *const *xs, int n_x,
                        uint64_t first, const agn_tensor **gx)
{
    agni_prog *p = NULL;
    agni_walk w = {.p = NULL};
    if (!agn_scope_status(s) && !agn_scope_fail(s, agni_prog_gather(&p, n_x, xs, n_y, ys, first)) &&
        agni_walk_open(&w, s, p, first, NULL)) {
        agni_sweep_vjp(&w, g, gx);
        for (int i = 0; i < n_x && !agn_scope_status(s); i++) {
            for (int k = 0; k < i && !gx[i]; k++) /* an x named again */
                if (xs[k]->node == xs[i]->node && xs[k]->out == xs[i]->out)
                    gx[i] = gx[k];
            gx[i] = agni_or_zero(s, gx[i], xs[i]);
        }
    }
    agni_walk_close(&w);
    agni_prog_release(p);
}

agn_status agn_gradient(agn_tensor *out[], const agn_tensor *const *ys, int32_t n_y,
                        const agn_tensor *const *xs, int32_t n_x,
                        const agn_tensor *const *cotangents)
{
    uint64_t first = 0;
    agn_status st = check_tape(out, ys, n_y, xs, n_x, &first);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor **g = agni_zalloc((size_t)(n_y + n_x) * sizeof *g);
    if (!g)
        agn_scope_fail(s, agni_nomem("gradient", (size_t)(n_y + n_x) * sizeof *g));
    for (int o = 0; o < n_y && g && !agn_scope_status(s); o++) {
        const agn_tensor *c = cotangents ? cotangents[o] : NULL;
        if (!agni_smooth(ys[o]))
            continue;
        if (!c)
            g[o] = agni_full_like(s, 1, ys[o]);
        else
            g[o] = agni_seed(s, "gradient", "cotangent", o, c, ys[o]);
    }
    if (g && independent(xs, n_x, first))
        gradient_of(s, ys, n_y, g, xs, n_x, first, g + n_y);
    else
        for (int i = 0; g && i < n_x; i++)
            gradient_of(s, ys, n_y, g, xs + i, 1, xs[i]->node->id, g + n_y + i);
    for (int i = 0; g && i < n_x && !agn_scope_status(s); i++)
        agn_scope_return(s, out + i, g[n_y + i]);
    agni_free(g);
    return agn_scope_close(s);
}
