/* gradient.c - gradients of recorded values with respect to recorded values (the tape
   interface). */
#include "autograd/transforms/transform.h"

#include <agnesi/tape.h>

/* what is recorded of x: of a sparse tensor its values */
static const agn_tensor *recorded_part(const agn_tensor *x)
{
    return x && x->layout != AGN_DENSE ? agni_values_of(x) : x;
}

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
        if (!agni_is_differentiable(xs[i]))
            return agni_fail(AGN_EDTYPE, "gradient: xs[%d] is %s; a floating dtype is needed", i,
                             agni_dtypes[xs[i]->dtype].name);
        *first = xs[i]->node->id < *first ? xs[i]->node->id : *first;
    }
    return AGN_OK;
}

/* Is no x computed from another? Else each needs a traversal of its own, since a leaf hides what
   it was computed from. */
static bool are_independent(const agn_tensor *const *xs, int n_x, uint64_t first)
{
    for (int i = 0; i < n_x && n_x > 1; i++)
        if (xs[i]->node->op != &agni_op_watch ||
            (xs[i]->node->nin && xs[i]->node->in[0]->node &&
             xs[i]->node->in[0]->node->id >= first))
            return false;
    return true;
}

/* what a gradient is of, and with respect to what; constants are leaves that nobody asks for */
typedef struct gradient_request {
    const agn_tensor *const *ys, *const *xs, *const *constants;
    int n_y, n_constant;
} gradient_request;

static void accumulate_gradient(agn_scope *s, const gradient_request *q, const agn_tensor *const *g,
                                int from, int n_x, uint64_t first, const agn_tensor **gx)
{
    int n = n_x + q->n_constant;
    agni_prog *p = NULL;
    agni_traversal w = {.p = NULL};
    const agn_tensor **leaf = agni_alloc((size_t)n * sizeof *leaf);
    const agn_tensor **got = agni_zalloc((size_t)n * sizeof *got);
    bool *want = agni_zalloc((size_t)n);
    if (!leaf || !got || !want) {
        agn_scope_fail(s, agni_nomem("gradient", (size_t)n * sizeof *leaf));
    } else {
        memcpy(leaf, q->xs + from, (size_t)n_x * sizeof *leaf);
        if (q->n_constant)
            memcpy(leaf + n_x, q->constants, (size_t)q->n_constant * sizeof *leaf);
        memset(want, true, (size_t)n_x);
        if (!agn_scope_status(s) &&
            !agn_scope_fail(s, agni_prog_gather(&p, n, leaf, q->n_y, q->ys, first)) &&
            agni_traversal_open(&w, s, p, first, want)) {
            agni_traverse_vjp(&w, g, got);
        }
        for (int i = 0; i < n_x && !agn_scope_status(s); i++) {
            gx[i] = agni_detach_result(s, got[i]);
            for (int k = 0; k < i && !gx[i]; k++) /* an x named again */
                if (leaf[k]->node == leaf[i]->node && leaf[k]->out == leaf[i]->out)
                    gx[i] = gx[k];
        }
    }
    agni_traversal_close(&w);
    agni_prog_release(p);
    agni_free(leaf);
    agni_free(got);
    agni_free(want);
}

static agn_status check_gradient_options(const agn_gradient_options *o)
{
    if (agni_check_size("gradient", agn_gradient_options, o))
        return AGN_EARG;
    if (o->unused < 0 || o->unused > AGN_UNUSED_ERROR)
        return agni_fail(AGN_EARG, "gradient: there is no policy %d for unused xs; the last is %d",
                         o->unused, AGN_UNUSED_ERROR);
    if (o->n_constant < 0 || (o->n_constant && !o->constants))
        return agni_fail(o->n_constant < 0 ? AGN_EARG : AGN_ENULL,
                         "gradient: %d constants are named, the array is %s", o->n_constant,
                         o->constants ? "given" : "NULL");
    for (int i = 0; i < o->n_constant; i++)
        if (!o->constants[i] || !o->constants[i]->node)
            return agni_fail(o->constants[i] ? AGN_EARG : AGN_ENULL,
                             "gradient: constants[%d] of %d is %s", i, o->n_constant,
                             o->constants[i] ? "not watched" : "NULL");
    return AGN_OK;
}

/* the gradient with respect to an x on which no y depends */
static const agn_tensor *unused_gradient(agn_scope *s, const agn_gradient_options *o,
                                         const agn_tensor *x, int i)
{
    if (o->unused == AGN_UNUSED_ERROR)
        agn_scope_fail(
            s, agni_fail(AGN_EARG, "gradient: no y depends on xs[%d] %s", i, AGNI_SHAPE(x)));
    return o->unused == AGN_UNUSED_ZERO ? agni_zeros_like(s, x) : NULL;
}

/* of what is recorded: sparse ys and xs are their values */
static agn_status gradient_with(agn_tensor *out[], const agn_tensor *const *ys, int32_t n_y,
                                const agn_tensor *const *xs, int32_t n_x,
                                const agn_tensor *const *cotangents, const agn_gradient_options *o)
{
    uint64_t first = 0;
    agn_status st = check_tape(out, ys, n_y, xs, n_x, &first);
    if (!st)
        st = check_gradient_options(o);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor **g = agni_zalloc((size_t)(n_y + n_x) * sizeof *g), **gx = g ? g + n_y : NULL;
    const gradient_request q = {ys, xs, o->constants, n_y, o->n_constant};
    if (!g)
        agn_scope_fail(s, agni_nomem("gradient", (size_t)(n_y + n_x) * sizeof *g));
    for (int k = 0; k < n_y && g && !agn_scope_status(s); k++) {
        const agn_tensor *c = cotangents ? cotangents[k] : NULL;
        if (agni_is_differentiable(ys[k]))
            g[k] = c ? agni_fit_seed(s, "gradient", "cotangent", k, c, ys[k])
                     : agni_full_like(s, 1, ys[k]);
    }
    if (g && are_independent(xs, n_x, first))
        accumulate_gradient(s, &q, g, 0, n_x, first, gx);
    else
        for (int i = 0; g && i < n_x; i++)
            accumulate_gradient(s, &q, g, i, 1, xs[i]->node->id, gx + i);
    for (int i = 0; g && i < n_x && !agn_scope_status(s); i++)
        if (!gx[i])
            gx[i] = unused_gradient(s, o, xs[i], i);
    for (int i = 0; g && i < n_x && !agn_scope_status(s); i++)
        if (gx[i])
            agn_scope_return(s, out + i, gx[i]);
    st = agn_scope_close(s);
    for (int i = 0; !st && i < n_x; i++)
        if (!gx[i])
            out[i] = NULL;
    agni_free(g);
    return st;
}

/* the gradient of the stored values becomes a sparse tensor with the pattern of x */
static agn_status restore_sparse_gradient(agn_tensor **g, const agn_tensor *x)
{
    agn_tensor *y = NULL;
    if (x->layout == AGN_DENSE || !*g)
        return AGN_OK;
    agn_status st = agni_sparse.revalue(&y, "gradient", x, *g);
    if (!st) {
        agn_release(*g);
        *g = y;
    }
    return st;
}

agn_status agn_gradient_with(agn_tensor *out[], const agn_tensor *const *ys, int32_t n_y,
                             const agn_tensor *const *xs, int32_t n_x,
                             const agn_tensor *const *cotangents, const agn_gradient_options *opts)
{
    const agn_gradient_options none = {.size = sizeof none}, *o = opts ? opts : &none;
    bool sparse = false;
    for (int i = 0; ys && i < n_y; i++)
        sparse |= ys[i] && ys[i]->layout != AGN_DENSE;
    for (int i = 0; xs && i < n_x; i++)
        sparse |= xs[i] && xs[i]->layout != AGN_DENSE;
    if (!sparse || !out || !ys || !xs || n_y < 1 || n_x < 1)
        return gradient_with(out, ys, n_y, xs, n_x, cotangents, o);
    size_t n = (size_t)n_x + 2 * (size_t)n_y;
    const agn_tensor **part = agni_zalloc((n + 1) * sizeof *part), **y = part,
                     **c = part ? y + n_y : NULL;
    agn_tensor **g = agni_zalloc(((size_t)n_x + 1) * sizeof *g);
    agn_status st = part && g ? AGN_OK : agni_nomem("gradient", n * sizeof *part);
    for (int i = 0; !st && i < n_y; i++) {
        y[i] = recorded_part(ys[i]);
        c[i] = cotangents ? recorded_part(cotangents[i]) : NULL;
    }
    for (int i = 0; !st && i < n_x; i++)
        c[n_y + i] = recorded_part(xs[i]);
    if (!st)
        st = gradient_with(g, y, n_y, c + n_y, n_x, cotangents ? c : NULL, o);
    for (int i = 0; !st && i < n_x; i++)
        st = restore_sparse_gradient(&g[i], xs[i]);
    for (int i = 0; g && i < n_x; i++) {
        if (st)
            agn_release(g[i]);
        else
            out[i] = g[i];
    }
    agni_free(part);
    agni_free(g);
    return st;
}

agn_status agn_gradient(agn_tensor *out[], const agn_tensor *const *ys, int32_t n_y,
                        const agn_tensor *const *xs, int32_t n_x,
                        const agn_tensor *const *cotangents)
{
    return agn_gradient_with(out, ys, n_y, xs, n_x, cotangents, NULL);
}
