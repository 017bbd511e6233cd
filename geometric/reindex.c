/* geometric/reindex.c - compact numbering of the nodes of a sampled neighbourhood: the centres
   first, then the others in order of first appearance (an open-addressing hash table). */
#include "tensor/dispatch/host_run.h"
#include "tensor/dispatch/op_helpers.h"

#include <agnesi/ag.h>
#include <agnesi/geometric.h>

/* ---- node to number: open addressing, at most half full ------------------------------------ */

typedef struct numbering {
    uint64_t mask;
    int64_t n, *slot; /* slot[hash]: 1 + a number, or 0 */
    int64_t *node;    /* node[number] */
} numbering;

static agn_status numbering_open(const char *op, numbering *q, int64_t nodes)
{
    uint64_t slots = 4;
    while (slots / 2 < (uint64_t)nodes)
        slots *= 2;
    *q = (numbering){.mask = slots - 1};
    q->slot = agni_zalloc(slots * sizeof *q->slot);
    q->node = agni_alloc((size_t)(nodes + 1) * sizeof *q->node);
    return q->slot && q->node ? AGN_OK : agni_nomem(op, slots * sizeof *q->slot);
}

static void numbering_close(numbering *q)
{
    agni_free(q->slot);
    agni_free(q->node);
}

/* the number of a node; a new node gets the next one */
static int64_t number_node(numbering *q, int64_t node)
{
    uint64_t h = (uint64_t)node * 0x9e3779b97f4a7c15u; /* Fibonacci hashing, Knuth 6.4 */
    for (h = (h ^ h >> 32) & q->mask; q->slot[h]; h = (h + 1) & q->mask)
        if (q->node[q->slot[h] - 1] == node)
            return q->slot[h] - 1;
    q->node[q->n] = node;
    q->slot[h] = ++q->n;
    return q->n - 1;
}

/* ---- reindexing ------------------------------------------------------------------------------ */

/* the integers of a list, on the host, without gaps; NULL after a failure */
static const int64_t *read_integers(const char *op, agn_scope *s, const char *what, int32_t k,
                                    const agn_tensor *x, int64_t *n)
{
    agn_status st = x ? agni_require_dense(x, op)
                      : agni_fail(AGN_ENULL, "%s: %s %d is NULL", op, what, k);
    if (!st && agni_kind(x->dtype) != AGNI_KIND_INT)
        st = agni_fail(AGN_EDTYPE, "%s: %s %d is %s, an integer dtype is needed", op, what, k,
                       agni_dtypes[x->dtype].name);
    if (!st && x->ndim != 1)
        st = agni_fail(AGN_ESHAPE, "%s: %s %d is %s with %d axes, one is needed", op, what, k,
                       AGNI_SHAPE(x), x->ndim);
    if (agn_scope_fail(s, st) || !(x = agni_read_in(s, op, x)))
        return NULL;
    const agn_tensor *y = ag_contiguous(s, agni_cast(s, x, AGN_I64));
    *n = x->size;
    return y ? y->data : NULL;
}

/* do the counts of one type of edges fit its neighbours? */
static agn_status check_counts(const char *op, int32_t k, const int64_t *count, int64_t n,
                               int64_t centres, int64_t neighbours)
{
    int64_t left = neighbours, i = 0;
    if (n != centres)
        return agni_fail(AGN_ESHAPE, "%s: counts %d has %lld elements, there are %lld centres", op,
                         k, (long long)n, (long long)centres);
    for (; i < n && count[i] >= 0 && count[i] <= left; i++)
        left -= count[i];
    if (i < n && count[i] < 0)
        return agni_fail(AGN_EARG, "%s: counts %d has %lld at %lld, below 0", op, k,
                         (long long)count[i], (long long)i);
    if (i < n || left)
        return agni_fail(AGN_EARG, "%s: counts %d do not add up to the %lld neighbours", op, k,
                         (long long)neighbours);
    return AGN_OK;
}

typedef struct edges {
    const int64_t *neighbour, *count;
    int64_t n;
} edges;

/* results stand beside `like` */
static agn_status number_nodes(const char *op, agn_scope *s, agn_tensor **out[3],
                               const agn_tensor *like, const int64_t *centre, int64_t n,
                               const edges *e, int32_t types,
                               int64_t total)
{
    numbering q;
    agn_status st = numbering_open(op, &q, n + total);
    int64_t *src = agni_alloc((size_t)(2 * total + 2) * sizeof *src), *dst = src + total + 1;
    if (!st && !src)
        st = agni_nomem(op, (size_t)(2 * total + 2) * sizeof *src);
    for (int64_t i = 0; !st && i < n; i++) {
        int64_t first = number_node(&q, centre[i]);
        if (first != i)
            st = agni_fail(AGN_EARG, "%s: centre %lld is there twice: %lld and %lld", op,
                           (long long)centre[i], (long long)first, (long long)i);
    }
    int64_t at = 0;
    for (int32_t k = 0; !st && k < types; k++)
        for (int64_t i = 0, j = 0; i < n; i++)
            for (int64_t left = e[k].count[i]; left > 0; left--, j++, at++) {
                src[at] = number_node(&q, e[k].neighbour[j]);
                dst[at] = i;
            }
    if (!agn_scope_fail(s, st)) {
        const int64_t *const v[3] = {src, dst, q.node}, size[3] = {total, total, q.n};
        for (int k = 0; k < 3; k++)
            agn_scope_return(
                s, out[k], agni_beside(s, ag_from_host(s, AGN_I64, 1, &size[k], v[k]), like));
    }
    numbering_close(&q);
    agni_free(src);
    return agn_scope_status(s);
}

static agn_status reindex_graph(const char *op, agn_tensor **out[3], const agn_tensor *centres,
                                const agn_tensor *const *neighbours,
                                const agn_tensor *const *counts, int32_t types)
{
    agn_scope *s = agn_scope_open(NULL);
    edges *e = agni_zalloc((size_t)(types + 1) * sizeof *e);
    int64_t n = 0, m = 0, total = 0;
    if (!e)
        agn_scope_fail(s, agni_nomem(op, (size_t)types * sizeof *e));
    const int64_t *centre = e ? read_integers(op, s, "centres", 0, centres, &n) : NULL;
    for (int32_t k = 0; centre && k < types && !agn_scope_status(s); k++) {
        e[k].neighbour = read_integers(op, s, "neighbours", k, neighbours[k], &e[k].n);
        if (!e[k].neighbour || !(e[k].count = read_integers(op, s, "counts", k, counts[k], &m)))
            break;
        agn_scope_fail(s, check_counts(op, k, e[k].count, m, n, e[k].n));
        total += e[k].n;
    }
    if (!agn_scope_status(s))
        number_nodes(op, s, out, centres, centre, n, e, types, total);
    agni_free(e);
    return agni_rename_error(op, agn_scope_close(s));
}

agn_status agn_geometric_reindex(agn_tensor **src, agn_tensor **dst, agn_tensor **nodes,
                                 const agn_tensor *centres, const agn_tensor *neighbours,
                                 const agn_tensor *counts)
{
    return agn_geometric_reindex_heter(src, dst, nodes, centres, &neighbours, &counts, 1);
}

agn_status agn_geometric_reindex_heter(agn_tensor **src, agn_tensor **dst, agn_tensor **nodes,
                                       const agn_tensor *centres,
                                       const agn_tensor *const *neighbours,
                                       const agn_tensor *const *counts, int32_t types)
{
    const char *op = "geometric_reindex";
    AGNI_NEED(op, src);
    AGNI_NEED(op, dst);
    AGNI_NEED(op, nodes);
    AGNI_NEED(op, centres);
    AGNI_NEED(op, neighbours);
    AGNI_NEED(op, counts);
    if (types < 0)
        return agni_fail(AGN_EARG, "%s: %d types of edges, below 0", op, types);
    return reindex_graph(op, (agn_tensor * *[]){src, dst, nodes}, centres, neighbours, counts,
                         types);
}
