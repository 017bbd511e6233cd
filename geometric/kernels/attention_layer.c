/* geometric/kernels/attention_layer.c - graph attention (Velickovic et al. 2018) as one op: what
   its value and its gradient write besides their results has one number for a node and a head. */
#include "geometric/kernels/attend.h"

#include <agnesi/ag.h>

/* [..., n, heads, width] as [..., heads, n, width], and back */
static const agn_tensor *swap_heads(agn_scope *s, const agn_tensor *x)
{
    return x ? agni_move_axis(s, x, -3, -2) : NULL;
}
static const agn_tensor *swap_last(agn_scope *s, const agn_tensor *x)
{
    return x ? agni_move_axis(s, x, -2, -1) : NULL;
}
static const agn_tensor *multiply_nodes(agn_scope *s, const agn_tensor *a, const agn_tensor *b)
{
    return a && b ? ag_matmul(s, a, b) : NULL;
}

const agn_tensor *agni_project_heads(agn_scope *s, const agn_tensor *u, const agn_tensor *p)
{
    return swap_heads(s, multiply_nodes(s, swap_heads(s, u), swap_last(s, swap_heads(s, p))));
}

/* sums over the nodes of c times rows of u, [..., 1, heads, width]; c [..., n, heads, 1] */
static const agn_tensor *sum_over_nodes(agn_scope *s, const agn_tensor *c, const agn_tensor *u)
{
    return swap_heads(s, multiply_nodes(s, swap_last(s, swap_heads(s, c)), swap_heads(s, u)));
}

/* what value and derivatives begin with */
typedef struct attention {
    agni_attending q;
    const agn_tensor *u, *p, *t, *a, *b, *l;
} attention;

static bool open_attention(agn_scope *s, attention *f, agni_attending q, const agn_tensor *const *x)
{
    *f = (attention){.q = q, .u = x[0], .p = x[1], .t = x[2]};
    f->a = agni_project_heads(s, f->u, f->p);
    f->b = agni_project_heads(s, f->u, f->t);
    f->l = f->a && f->b ? agni_graph_attend_norm(s, q, f->a, f->b) : NULL;
    return f->l;
}
static const agn_tensor *sum_attended(agn_scope *s, const attention *f, int64_t to, int64_t power,
                                      const agn_tensor *x)
{
    agni_attending q = {f->q.graph, to, power, f->q.slope};
    return x ? agni_graph_attend(s, q, f->a, f->b, f->l, x) : NULL;
}
static const agn_tensor *dot_attended(agn_scope *s, const attention *f, int64_t to, int64_t power,
                                      const agn_tensor *x, const agn_tensor *z)
{
    agni_attending q = {f->q.graph, to, power, f->q.slope};
    return x && z ? agni_graph_attend_dot(s, q, f->a, f->b, f->l, x, z) : NULL;
}
static const agn_tensor *mean_slope(agn_scope *s, const attention *f)
{
    int64_t shape[3] = {agni_graph_count((const agn_graph *)f->q.graph, AGN_GRAPH_SRC),
                        f->a->shape[f->a->ndim - 2], 1};
    return sum_attended(s, f, AGN_GRAPH_DST, 1, agni_full(s, 1, f->a->dtype, 3, shape));
}

static agni_attending read_attributes(const agni_attr *at)
{
    return (agni_attending){at->obj, AGN_GRAPH_DST, 0, at->f[0]};
}

static agn_status eval_layer(const agni_call *c, agn_tensor **out)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x[3], *y = NULL;
    attention f;
    for (int i = 0; i < 3; i++)
        x[i] = agni_detach_node(s, c->op->name, c->in[i]);
    if (x[0] && x[1] && x[2] && open_attention(s, &f, read_attributes(c->at), x))
        y = sum_attended(s, &f, AGN_GRAPH_DST, 0, f.u);
    return agni_return(c->op->name, s, out, y);
}

static const agn_tensor *add_nodes(agn_scope *s, const agn_tensor *a, const agn_tensor *b)
{
    return a && b ? ag_add(s, a, b) : NULL;
}
static const agn_tensor *tangent_of_term(agn_scope *s, const attention *f, const agn_tensor *tu,
                                         const agn_tensor *p, const agn_tensor *tp)
{
    const agn_tensor *y = tu ? agni_project_heads(s, tu, p) : NULL, *z = NULL;
    if (!tp)
        return y;
    z = agni_project_heads(s, f->u, tp);
    return y ? add_nodes(s, y, z) : z;
}

/* the tangent of a weight W is W (phi' (ta + tb) - tl), and tl is the sum of W phi' (ta + tb) */
static void layer_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                      const agn_tensor **ty)
{
    enum { SRC = AGN_GRAPH_SRC, DST = AGN_GRAPH_DST };
    attention f;
    if (!open_attention(s, &f, read_attributes(r->at), r->x))
        return;
    const agn_tensor *y = t[0] ? sum_attended(s, &f, DST, 0, t[0]) : NULL;
    const agn_tensor *ta = tangent_of_term(s, &f, t[0], f.p, t[1]),
                     *tb = tangent_of_term(s, &f, t[0], f.t, t[2]);
    const agn_tensor *tl = NULL;
    if (ta) {
        y = agni_add_present(s, y, sum_attended(s, &f, DST, 1, ag_mul(s, ta, f.u)));
        tl = sum_attended(s, &f, DST, 1, ta);
    }
    if (tb) {
        y = agni_add_present(s, y, ag_mul(s, tb, sum_attended(s, &f, DST, 1, f.u)));
        tl = agni_add_present(s, tl, ag_mul(s, tb, mean_slope(s, &f)));
    }
    ty[0] = tl ? ag_sub(s, y, ag_mul(s, tl, sum_attended(s, &f, DST, 0, f.u))) : y;
}

static const agn_tensor *fit_rows(agn_scope *s, const agn_tensor *y, const agn_tensor *x)
{
    return y ? agni_unbroadcast(s, y, x) : NULL;
}

/* - g . y over the width; the products are let go of before others are made */
static const agn_tensor *minus_dot(agn_scope *s, const agn_tensor *g, const agn_tensor *y)
{
    agn_tensor *z = NULL;
    agn_scope *own = agn_scope_open(NULL);
    const agn_tensor *p = ag_mul(own, g, y);
    agn_scope_return(own, &z,
                     ag_neg(own, p ? agni_sum_axes(own, p, 1, (int64_t[]){-1}, true) : NULL));
    return agn_scope_adopt(s, agn_scope_close(own), &z);
}

static void layer_vjp(agn_scope *s, const agni_rule *r, const agn_tensor *const *g,
                      const bool *want, const agn_tensor **gx)
{
    enum { SRC = AGN_GRAPH_SRC, DST = AGN_GRAPH_DST };
    attention f;
    if (!g[0] || !open_attention(s, &f, read_attributes(r->at), r->x))
        return;
    const agn_tensor *gl = minus_dot(s, g[0], r->y[0]);
    const agn_tensor *ga = add_nodes(s, dot_attended(s, &f, SRC, 1, g[0], f.u),
                                     sum_attended(s, &f, SRC, 1, gl));
    const agn_tensor *gb = add_nodes(s, dot_attended(s, &f, DST, 1, f.u, g[0]),
                                     ag_mul(s, gl, mean_slope(s, &f)));
    if (!ga || !gb)
        return;
    if (want[0]) {
        agni_attending q = {f.q.graph, SRC, 0, f.q.slope};
        gx[0] = fit_rows(s,
                         agni_graph_attend_plus(s, q, f.a, f.b, f.l, g[0],
                                                (const agn_tensor *[]){ga, f.p, gb, f.t}),
                         f.u);
    }
    if (want[1])
        gx[1] = fit_rows(s, sum_over_nodes(s, ga, f.u), f.p);
    if (want[2])
        gx[2] = fit_rows(s, sum_over_nodes(s, gb, f.u), f.t);
}

static agn_status infer_layer(agni_call *c)
{
    const agn_graph *g = (const agn_graph *)c->at->obj;
    const agn_tensor *u = c->in[0];
    agni_meta *o = c->meta, batch = {.ndim = 0};
    int64_t size;
    for (int i = 0; i < 3; i++) {
        const agn_tensor *x = c->in[i];
        int front = x->ndim - 3;
        int64_t n = i ? 1 : g->n[AGN_GRAPH_SRC];
        if (front < 0 || x->shape[front] != n || x->shape[front + 1] != u->shape[u->ndim - 2] ||
            x->shape[front + 2] != u->shape[u->ndim - 1])
            return agni_fail(AGN_ESHAPE, "%s: argument %d is %s, [...,%lld,heads,width] is needed",
                             c->op->name, i, AGNI_SHAPE(x), (long long)n);
        if (!agni_broadcast_into(&batch, front, x->shape))
            return agni_fail(AGN_ESHAPE, "%s: batches do not broadcast: %s and %s", c->op->name,
                             AGNI_SHAPE(u), AGNI_SHAPE(x));
    }
    o->dtype = u->dtype;
    o->ndim = batch.ndim + 3;
    if (o->ndim > AGNI_MAX_RANK)
        return agni_fail(AGN_ESHAPE, "%s: the result has rank %d, above %d", c->op->name, o->ndim,
                         AGN_MAX_RANK);
    for (int d = 0; d < batch.ndim; d++)
        o->shape[d] = batch.shape[d];
    o->shape[batch.ndim] = g->n[AGN_GRAPH_DST];
    o->shape[batch.ndim + 1] = u->shape[u->ndim - 2];
    o->shape[batch.ndim + 2] = u->shape[u->ndim - 1];
    return agni_shape_check(c->op->name, o->ndim, o->shape, &size);
}

static agni_slots slots;
const agni_op agni_op_graph_attention = {
    .name = "graph_attention",
    .takes = "u s t slope:r graph:o",
    .cls = AGNI_SOLVE,
    .nin = 3,
    .nout = 1,
    .dtypes = AGNI_FLOATS,
    .diff = 7,
    .promote = 7,
    .result = AGNI_OUT_SAME,
    .ew = -1,
    .zeros = AGNI_ZEROS_ABSENT,
    .infer = infer_layer,
    .eval = eval_layer,
    .jvp = layer_jvp,
    .vjp = layer_vjp,
    .batch = agni_batch_aligned,
    .slots = &slots,
    .lo = -2,
    .hi = 2,
    .lo2 = -2,
    .hi2 = 2,
    .doc = "graph attention whose terms are products with rows"};

const agn_tensor *agni_graph_attention_layer(agn_scope *s, agni_attending q, const agn_tensor *u,
                                             const agn_tensor *p, const agn_tensor *t)
{
    if (!u || !p || !t)
        return NULL;
    agni_attr at = {.nf = 1, .f = &q.slope, .obj = (agni_obj *)(uintptr_t)q.graph};
    return agni_apply_in(s, &agni_op_graph_attention, &at, 3, (const agn_tensor *[]){u, p, t});
}
