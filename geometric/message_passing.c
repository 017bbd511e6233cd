/* geometric/message_passing.c - message passing (Gilmer et al. 2017) by pairs of nodes: over a
   graph made for the call, and where there is none, on devices, of complex rows and traced edges,
   as a composition of gather and scatter. */

#include "core/memory/scope.h"
#include "geometric/message/message.h"

#include <agnesi/ag.h>
#include <agnesi/geometric.h>
#include <string.h>

static agn_status check_ends(const char *op, const char *what, const agn_tensor *x)
{
    agn_status st = agni_require_dense(x, op);
    if (!st && agni_kind(x->dtype) != AGNI_KIND_INT)
        st = agni_fail(AGN_EDTYPE, "%s: %s is %s, an integer dtype is needed", op, what,
                       agni_dtypes[x->dtype].name);
    if (!st && x->ndim != 1)
        st = agni_fail(AGN_ESHAPE, "%s: %s is %s with %d axes, one is needed", op, what,
                       AGNI_SHAPE(x), x->ndim);
    return st;
}

/* every node in [0, n), where the values are known */
static agn_status check_nodes(const char *op, const char *what, const agn_tensor *x, int64_t n)
{
    agn_tensor *alias = agni_tensor_alias(x), *wide = NULL, *rows = NULL;
    agn_status st = alias ? agn_cast(&wide, alias, AGN_I64) : agni_nomem(op, sizeof *alias);
    if (!st)
        st = agn_contiguous(&rows, wide);
    if (!st)
        st = agni_require_host(rows, op);
    const int64_t *v = st ? NULL : rows->data;
    for (int64_t k = 0; !st && k < x->size; k++)
        if (v[k] < 0 || v[k] >= n)
            st = agni_fail(AGN_EINDEX, "%s: edge %lld has %s %lld, out of range for %lld nodes", op,
                           (long long)k, what, (long long)v[k], (long long)n);
    agn_release(rows);
    agn_release(wide);
    agn_release(alias);
    return st;
}

/* Values are unknown while tracing, and on a device. Negative nodes, which gather and scatter would
   count from the end, become n, which the kernel refuses. */
static const agn_tensor *exclude_negative_nodes(agn_scope *s, const agn_tensor *x, int64_t n)
{
    if (x->st && x->st->device == AGN_CPU)
        return x;
    agn_tensor *neg = NULL, *y = NULL;
    const agn_tensor *wide = agni_cast(s, x, AGN_I64);
    const agn_tensor *zero = agni_full(s, 0, AGN_I64, 0, NULL);
    const agn_tensor *end = agni_full(s, (double)n, AGN_I64, 0, NULL);
    if (!wide || !zero || !end)
        return NULL;
    agn_status st = agn_lt(&neg, wide, zero);
    const agn_tensor *below = agn_scope_adopt(s, st, &neg);
    st = below ? agn_where(&y, below, end, wide) : AGN_OK;
    return agn_scope_adopt(s, st, &y);
}

/* what no message reaches stays 0 */
static const agn_tensor *scatter_messages(agn_scope *s, const agni_op *op, const agn_tensor *v,
                                          const agn_tensor *dst, int64_t rows)
{
    int64_t shape[AGNI_MAX_RANK], at[3] = {-v->ndim, 0, 0};
    memcpy(shape, v->shape, (size_t)v->ndim * sizeof *shape);
    shape[0] = rows;
    const agn_tensor *in[3] = {agni_full(s, 0, v->dtype, v->ndim, shape), dst, v};
    int attributes = op == &agni_op_scatter_add ? 2 : 3;
    return in[0] ? agni_apply_in(s, op, &(agni_attr){.ni = attributes, .i = at}, 3, in) : NULL;
}

/* y / max(number of messages, 1) */
static const agn_tensor *divide_by_count(agn_scope *s, const agn_tensor *y, const agn_tensor *dst)
{
    int dtype = agni_kind(y->dtype) <= AGNI_KIND_INT ? AGN_F64
                                                     : agni_dtypes[y->dtype].real;
    const agn_tensor *one = agni_full(s, 1, dtype, 1, dst->shape);
    const agn_tensor *n = one ? scatter_messages(s, &agni_op_scatter_add, one, dst, y->shape[0])
                              : NULL;
    int64_t shape[AGNI_MAX_RANK] = {y->shape[0]};
    for (int d = 1; d < y->ndim; d++)
        shape[d] = 1;
    agn_tensor *most = NULL, *q = NULL;
    if (!n)
        return NULL;
    agn_status st = agn_maximum_c(&most, n, 1);
    n = agn_scope_adopt(s, st, &most);
    n = n ? agni_reshape(s, n, y->ndim, shape) : NULL;
    st = n ? agn_div(&q, y, n) : AGN_OK;
    return agn_scope_adopt(s, st, &q);
}

/* ---- a call --------------------------------------------------------------------------------- */

/* u: rows of sources; v: rows of destinations or edges, NULL for none */
typedef struct passing {
    const char *op;
    const agn_tensor *u, *v, *src, *dst;
    int64_t n_src, n_dst;
    int32_t message, reduce;
} passing;

static agn_status check_passing(const passing *q)
{
    agn_status st = agni_require_dense(q->u, q->op);
    if (!st && q->v)
        st = agni_require_dense(q->v, q->op);
    if (!st && q->src)
        st = check_ends(q->op, "src", q->src);
    return st ? st : check_ends(q->op, "dst", q->dst);
}

static agn_status check_ranks(const passing *q)
{
    for (int k = 0; k < 2; k++) {
        const agn_tensor *x = k ? q->v : q->u;
        if (x && x->ndim == 0)
            return agni_fail(AGN_ESHAPE, "%s: %s is %s with %d axes, rows are needed", q->op,
                             k ? "y" : "x", AGNI_SHAPE(x), x->ndim);
    }
    return !q->src || q->src->shape[0] == q->dst->shape[0]
               ? AGN_OK
               : agni_fail(AGN_ESHAPE, "%s: lengths differ: src is %s, dst is %s", q->op,
                           AGNI_SHAPE(q->src), AGNI_SHAPE(q->dst));
}

/* Values on a device are looked at by its kernels: a node out of range is a fault there. */
static bool is_read(const agn_tensor *x)
{
    return x && x->st && x->st->device == AGN_CPU;
}

static agn_status check_range(const passing *q)
{
    agn_status st = is_read(q->src) ? check_nodes(q->op, "src", q->src, q->n_src) : AGN_OK;
    return !st && is_read(q->dst) ? check_nodes(q->op, q->src ? "dst" : "ids", q->dst, q->n_dst)
                                  : st;
}

/* do loops over the edges take it? */
static bool has_kernel(const passing *q)
{
    for (int k = 0; k < 2; k++) {
        const agn_tensor *x = k ? q->v : q->u, *i = k ? q->src : q->dst;
        if (x && (agni_tensor_device(x) != AGN_CPU || agni_kind(x->dtype) == AGNI_KIND_COMPLEX))
            return false;
        if (i && (!i->st || i->st->device != AGN_CPU))
            return false;
    }
    return true;
}

/* A graph of the edges; the segments of rows are those of edges that begin at one node. The scope
   keeps it. */
static const agn_graph *graph_of_edges(agn_scope *s, const passing *q)
{
    agn_graph *g = NULL;
    int64_t m = 0;
    const int64_t *to = agni_read_integers(s, q->op, "dst", q->dst, &m), *from = NULL;
    if (to && q->src)
        from = agni_read_integers(s, q->op, "src", q->src, &m);
    if (to && (from || !q->src))
        agn_scope_fail(s, agni_graph_make(&g, q->op, q->src ? q->n_src : 1, q->n_dst, m, from, to));
    return g && !agni_scope_adopt(s, &g->head) ? g : NULL;
}

static const agn_tensor *gather_rows(agn_scope *s, const agn_tensor *x, const agn_tensor *at)
{
    return x && at ? agni_apply_in(s, &agni_op_gather,
                                   &(agni_attr){.ni = 2, .i = (const int64_t[]){-x->ndim, 0}}, 2,
                                   (const agn_tensor *[]){x, at})
                   : NULL;
}

/* one message for each edge */
static const agn_tensor *write_messages(agn_scope *s, const passing *q, const agn_tensor *src,
                                        const agn_tensor *dst, bool both_ends)
{
    const agni_op *const ops[] = {NULL, &agni_op_add, &agni_op_sub, &agni_op_mul, &agni_op_div};
    const agn_tensor *a = q->src ? gather_rows(s, q->u, src) : q->u, *b = q->v;
    if (b && both_ends)
        b = gather_rows(s, b, dst);
    if (!a || !q->v)
        return a;
    int features = (a->ndim > q->v->ndim ? a->ndim : q->v->ndim) - 1;
    a = agni_lift_features(s, a, features);
    b = agni_lift_features(s, b, features);
    return a && b ? agni_apply_in(s, ops[q->message], NULL, 2, (const agn_tensor *[]){a, b}) : NULL;
}

static const agn_tensor *reduce_messages(agn_scope *s, const passing *q, const agn_tensor *m,
                                         const agn_tensor *dst)
{
    static const agni_op *const ops[] = {&agni_op_scatter_add, &agni_op_scatter_add,
                                         &agni_op_scatter_max, &agni_op_scatter_min};
    if (m && q->reduce == AGN_GEOMETRIC_MEAN && agni_kind(m->dtype) <= AGNI_KIND_INT)
        m = agni_cast(s, m, AGN_F64); /* sums of integers leave their range, their mean does not */
    const agn_tensor *y = m ? scatter_messages(s, ops[q->reduce], m, dst, q->n_dst) : NULL;
    return y && q->reduce == AGN_GEOMETRIC_MEAN ? divide_by_count(s, y, dst) : y;
}

/* both_ends: v stands at the destinations, and there is a result for each edge */
static agn_status pass_messages(agn_tensor **out, const passing *q, bool both_ends)
{
    const agn_tensor *y = NULL;
    agn_status st = AGN_OK;
    bool fused = has_kernel(q);
    if (!fused)
        st = check_range(q);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    if (fused) {
        const agn_graph *g = graph_of_edges(s, q);
        if (g && both_ends)
            y = agni_gsddmm(s, g, q->u, AGN_GRAPH_SRC, q->v, AGN_GRAPH_DST, q->message);
        else if (g)
            y = agni_gspmm(s, g, q->src ? q->u : NULL, q->src ? q->v : q->u, q->message, q->reduce);
    } else {
        const agn_tensor *src = q->src ? exclude_negative_nodes(s, q->src, q->n_src) : q->dst;
        const agn_tensor *dst = exclude_negative_nodes(s, q->dst, q->n_dst);
        y = src && dst ? write_messages(s, q, src, dst, both_ends) : NULL;
        if (!both_ends)
            y = reduce_messages(s, q, y, dst);
    }
    return agni_return(q->op, s, out, y);
}

/* ---- public functions ----------------------------------------------------------------------- */

agn_status agn_geometric_send_u_recv(agn_tensor **out, const agn_tensor *x, const agn_tensor *src,
                                     const agn_tensor *dst, int64_t out_size, int32_t reduce)
{
    static const char op[] = "geometric_send_u_recv";
    AGNI_NEED(op, out);
    AGNI_NEED(op, x);
    AGNI_NEED(op, src);
    AGNI_NEED(op, dst);
    passing q = {op, x, NULL, src, dst, 0, 0, AGN_MESSAGE_COPY, reduce};
    agn_status st = agni_check_reduction(op, reduce);
    if (!st)
        st = check_passing(&q);
    if (!st)
        st = check_ranks(&q);
    if (st)
        return st;
    q.n_src = x->shape[0];
    q.n_dst = out_size > 0 ? out_size : q.n_src;
    return pass_messages(out, &q, false);
}

agn_status agn_geometric_send_ue_recv(agn_tensor **out, const agn_tensor *x, const agn_tensor *y,
                                      const agn_tensor *src, const agn_tensor *dst,
                                      int64_t out_size, int32_t message, int32_t reduce)
{
    static const char op[] = "geometric_send_ue_recv";
    AGNI_NEED(op, out);
    AGNI_NEED(op, x);
    AGNI_NEED(op, y);
    AGNI_NEED(op, src);
    AGNI_NEED(op, dst);
    passing q = {op, x, y, src, dst, 0, 0, message, reduce};
    agn_status st = agni_check_message(op, message, AGN_MESSAGE_ADD, AGN_MESSAGE_DIV);
    if (!st)
        st = agni_check_reduction(op, reduce);
    if (!st)
        st = check_passing(&q);
    if (!st)
        st = check_ranks(&q);
    if (!st && y->shape[0] != dst->shape[0])
        st = agni_fail(AGN_ESHAPE, "%s: y is %s, a row for each of the %lld edges is needed", op,
                       AGNI_SHAPE(y), (long long)dst->shape[0]);
    if (st)
        return st;
    q.n_src = x->shape[0];
    q.n_dst = out_size > 0 ? out_size : q.n_src;
    return pass_messages(out, &q, false);
}

agn_status agn_geometric_send_uv(agn_tensor **out, const agn_tensor *x, const agn_tensor *y,
                                 const agn_tensor *src, const agn_tensor *dst, int32_t message)
{
    static const char op[] = "geometric_send_uv";
    AGNI_NEED(op, out);
    AGNI_NEED(op, x);
    AGNI_NEED(op, y);
    AGNI_NEED(op, src);
    AGNI_NEED(op, dst);
    passing q = {op, x, y, src, dst, 0, 0, message, AGN_GEOMETRIC_SUM};
    agn_status st = agni_check_message(op, message, AGN_MESSAGE_ADD, AGN_MESSAGE_DIV);
    if (!st)
        st = check_passing(&q);
    if (!st)
        st = check_ranks(&q);
    if (st)
        return st;
    q.n_src = x->shape[0];
    q.n_dst = y->shape[0];
    return pass_messages(out, &q, true);
}

/* one more than the largest id */
static agn_status count_segments(const char *op, const agn_tensor *ids, int64_t *n)
{
    int64_t m = 0;
    agn_scope *s = agn_scope_open(NULL);
    *n = 0;
    if (agni_tensor_device(ids) != AGN_CPU && ids->size) { /* one number travels */
        const agn_tensor *most = agni_cast(s, ids, AGN_I64);
        most = agni_read_in(s, op, most ? ag_amax(s, most, NULL, 0, false) : NULL);
        int64_t last = most ? *(const int64_t *)most->data : 0;
        *n = last >= 0 && last < INT64_MAX ? last + 1 : 0;
        return agni_rename_error(op, agn_scope_close(s));
    }
    const int64_t *v = agni_read_integers(s, op, "ids", ids, &m);
    *n = v ? agni_count_nodes(m, v) : 0;
    return agni_rename_error(op, agn_scope_close(s));
}

static agn_status reduce_segments(const char *op, agn_tensor **out, const agn_tensor *x,
                                  const agn_tensor *ids, int64_t segments, int32_t reduce)
{
    AGNI_NEED(op, out);
    AGNI_NEED(op, x);
    AGNI_NEED(op, ids);
    passing q = {op, x, NULL, NULL, ids, 0, segments, AGN_MESSAGE_COPY, reduce};
    agn_status st = agni_check_reduction(op, reduce);
    if (!st)
        st = agni_require_dense(x, op);
    if (!st)
        st = check_ends(op, "ids", ids);
    if (!st)
        st = check_ranks(&q);
    if (!st && x->shape[0] != ids->shape[0])
        st = agni_fail(AGN_ESHAPE, "%s: x is %s, ids are %s: a row for each is needed", op,
                       AGNI_SHAPE(x), AGNI_SHAPE(ids));
    if (!st && segments <= 0)
        st = count_segments(op, ids, &q.n_dst);
    return st ? st : pass_messages(out, &q, false);
}

agn_status agn_geometric_segment_reduce(agn_tensor **out, const agn_tensor *x,
                                        const agn_tensor *ids, int64_t segments, int32_t reduce)
{
    return reduce_segments("geometric_segment_reduce", out, x, ids, segments, reduce);
}

#define SEGMENT(name, reduce)                                                                  \
    agn_status agn_geometric_segment_##name(agn_tensor **out, const agn_tensor *x,             \
                                            const agn_tensor *ids)                             \
    {                                                                                          \
        return reduce_segments("geometric_segment_" #name, out, x, ids, 0, reduce);            \
    }
SEGMENT(sum, AGN_GEOMETRIC_SUM)
SEGMENT(mean, AGN_GEOMETRIC_MEAN)
SEGMENT(max, AGN_GEOMETRIC_MAX)
SEGMENT(min, AGN_GEOMETRIC_MIN)
