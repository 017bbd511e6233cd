/* sparse/graph/traversal.c - connected components, breadth-first search, reverse Cuthill-McKee:
   from the pattern alone. */
#include "sparse/graph/graph.h"
#include "tensor/dispatch/host_run.h"

#include <agnesi/ag.h>
#include <agnesi/sparse_layout.h>
#include <string.h>

/* ---- edges ----------------------------------------------------------------------------------- */

agn_status agni_edges_open(agni_edges *g, const char *op, const agn_tensor *a, bool both,
                           int arrays)
{
    *g = (agni_edges){.op = op};
    if (a->layout == AGN_DENSE)
        return agni_fail(AGN_EUNSUPPORTED, "%s: a is dense, a sparse one is needed: %s %s", op,
                         agni_dtypes[a->dtype].name, AGNI_SHAPE(a));
    if (a->ndim < 2 || a->shape[a->ndim - 2] != a->shape[a->ndim - 1])
        return agni_fail(AGN_ESHAPE, "%s: a is %s; a square matrix is needed, not %lld rows", op,
                         AGNI_SHAPE(a), (long long)(a->ndim < 2 ? 0 : a->shape[a->ndim - 2]));
    agn_status st = a->layout == AGN_CSR ? AGN_OK
                                         : agni_rename_error(op, agn_sparse_to_csr(&g->rows, a));
    if (st)
        return st;
    g->c = agni_csr_of(g->rows ? g->rows : a);
    const agni_pattern *p = g->c->pattern;
    const agni_wide *w = agni_pattern_wide(p);
    const agni_transposed_pattern *t = both && w ? agni_pattern_transposed(p) : NULL;
    const agni_wide *back = t ? agni_pattern_wide(t->p) : NULL;
    g->n = p->rows;
    g->room = agni_zalloc((size_t)((g->n + 1) * (arrays + 1)) * sizeof *g->room);
    if (!w || (both && !back) || !g->room) {
        agni_edges_close(g);
        return agni_nomem(op, (size_t)(p->nnz + p->rows) * sizeof *g->room);
    }
    g->begin = w->indptr;
    g->to = w->index;
    g->start = back ? back->indptr : NULL;
    g->of = back ? back->index : NULL;
    return AGN_OK;
}

void agni_edges_close(agni_edges *g)
{
    agni_free(g->room);
    agn_release(g->rows);
    g->room = NULL;
    g->rows = NULL;
}

agn_status agni_edges_ints(agn_tensor **out, const agni_edges *g, int64_t n, const int64_t *v)
{
    agn_tensor *x = NULL;
    agn_status st = agni_tensor_make(&x, g->op, AGN_I64, 1, &n, AGN_CPU);
    if (st)
        return st;
    if (n)
        memcpy(x->data, v, (size_t)n * sizeof *v);
    *out = x;
    return AGN_OK;
}

agn_status agni_edges_weights(agn_tensor **out, const agni_edges *g)
{
    const agn_tensor *v = g->c->values;
    if (v->ndim != 1)
        return agni_fail(AGN_ESHAPE, "%s: values are %s with %d axes; a batch is not taken", g->op,
                         AGNI_SHAPE(v), v->ndim);
    if (agni_kind(v->dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "%s: values are %s; real weights are needed", g->op,
                         agni_dtypes[v->dtype].name);
    agn_tensor *near = NULL, *cast = NULL;
    agn_status st = agni_read_on_host(&near, v, g->op);
    if (st)
        return st;
    agn_tensor *alias = agni_tensor_alias(near);
    agn_release(near);
    st = alias ? agn_cast(&cast, alias, AGN_F64) : agni_nomem(g->op, sizeof *alias);
    if (!st)
        st = agn_copy(out, cast);
    agn_release(alias);
    agn_release(cast);
    return st;
}

const agn_tensor *agni_edges_indices(agn_scope *s, const agni_edges *g, int64_t n, const int64_t *v)
{
    agn_tensor *x = NULL;
    if (agn_scope_status(s))
        return NULL;
    agn_status st = agni_edges_ints(&x, g, n, v);
    return agni_adopt_constant(s, st, x);
}

/* [v, 0]: the zero is what a missing edge gathers */
const agn_tensor *agni_append_zero(agn_scope *s, const agn_tensor *v)
{
    int64_t none[AGNI_MAX_RANK] = {0}, one[AGNI_MAX_RANK] = {0};
    if (!v)
        return NULL;
    one[v->ndim - 1] = 1;
    return ag_pad(s, v, v->ndim, none, one, 0);
}

/* ---- components ------------------------------------------------------------------------------ */

static void weak_components(const agni_edges *g, int64_t *label)
{
    for (int64_t i = 0; i < g->n; i++)
        label[i] = i;
    for (int64_t i = 0; i < g->n; i++)
        for (int64_t e = g->begin[i]; e < g->begin[i + 1]; e++) {
            int64_t p = agni_find_root(label, i), q = agni_find_root(label, g->to[e]);
            label[p > q ? p : q] = p > q ? q : p;
        }
    for (int64_t i = 0; i < g->n; i++)
        label[i] = agni_find_root(label, i);
}

/* Tarjan's search with a stack of its own: low[i] is the first node in time that i leads back to;
   label gets a node of the component */
static void strong_components(const agni_edges *g, int64_t *label)
{
    int64_t *time = agni_edges_room(g, 1), *low = agni_edges_room(g, 2),
            *at = agni_edges_room(g, 3);
    int64_t *path = agni_edges_room(g, 4), *open = agni_edges_room(g, 5), now = 0, n_open = 0;
    for (int64_t i = 0; i < g->n; i++)
        label[i] = -1;
    for (int64_t first = 0; first < g->n; first++) {
        int64_t depth = 0;
        if (time[first])
            continue;
        for (path[0] = first; depth >= 0;) {
            int64_t i = path[depth];
            if (!time[i]) {
                time[i] = low[i] = ++now;
                at[i] = g->begin[i];
                open[n_open++] = i;
            }
            if (at[i] < g->begin[i + 1]) {
                int64_t j = g->to[at[i]++];
                if (!time[j])
                    path[++depth] = j;
                else if (label[j] < 0 && time[j] < low[i])
                    low[i] = time[j];
                continue;
            }
            if (low[i] == time[i])
                do
                    label[open[--n_open]] = i;
                while (open[n_open] != i);
            if (--depth >= 0 && low[i] < low[path[depth]])
                low[path[depth]] = low[i];
        }
    }
}

agn_status agn_sparse_components(agn_tensor **labels, int64_t *count, const agn_tensor *a,
                                 bool strongly)
{
    AGNI_NEED("sparse_components", labels);
    AGNI_NEED("sparse_components", a);
    agni_edges g;
    agn_status st = agni_edges_open(&g, "sparse_components", a, false, 6);
    if (st)
        return st;
    int64_t *label = agni_edges_room(&g, 0), *number = agni_edges_room(&g, 1), found = 0;
    if (strongly)
        strong_components(&g, label);
    else
        weak_components(&g, label);
    memset(number, 0, (size_t)(g.n + 1) * sizeof *number);
    for (int64_t i = 0; i < g.n; i++) { /* by the lowest node of each */
        int64_t *to = &number[label[i]];
        *to = *to ? *to : ++found;
        label[i] = *to - 1;
    }
    st = agni_edges_ints(labels, &g, g.n, label);
    if (!st && count)
        *count = found;
    agni_edges_close(&g);
    return st;
}

/* ---- breadth first --------------------------------------------------------------------------- */

static agn_status check_node(const agni_edges *g, int64_t start)
{
    return start >= 0 && start < g->n
               ? AGN_OK
               : agni_fail(AGN_EINDEX, "%s: node %lld is none of %lld", g->op, (long long)start,
                           (long long)g->n);
}

agn_status agn_sparse_bfs(agn_tensor **order, agn_tensor **from, const agn_tensor *a, int64_t start)
{
    AGNI_NEED("sparse_bfs", order);
    AGNI_NEED("sparse_bfs", a);
    agni_edges g;
    agn_tensor *o = NULL, *f = NULL;
    agn_status st = agni_edges_open(&g, "sparse_bfs", a, false, 2);
    if (!st)
        st = check_node(&g, start);
    if (st) {
        agni_edges_close(&g);
        return st;
    }
    int64_t *queue = agni_edges_room(&g, 0), *before = agni_edges_room(&g, 1), n = 1;
    for (int64_t i = 0; i < g.n; i++)
        before[i] = -1;
    queue[0] = start;
    for (int64_t k = 0; k < n; k++)
        for (int64_t e = g.begin[queue[k]]; e < g.begin[queue[k] + 1]; e++) {
            int64_t j = g.to[e];
            if (j == start || before[j] >= 0)
                continue;
            before[j] = queue[k];
            queue[n++] = j;
        }
    st = agni_edges_ints(&o, &g, n, queue);
    if (!st && from)
        st = agni_edges_ints(&f, &g, g.n, before);
    agni_edges_close(&g);
    if (st) {
        agn_release(o);
        return st;
    }
    *order = o;
    if (from)
        *from = f;
    return AGN_OK;
}

/* ---- reverse Cuthill-McKee ------------------------------------------------------------------- */

static int64_t node_degree(const agni_edges *g, int64_t i)
{
    return g->begin[i + 1] - g->begin[i] + g->start[i + 1] - g->start[i];
}

/* neighbours of i that are not in order yet, at its end: by degree, by number; gives the new end */
static int64_t append_neighbours(const agni_edges *g, int64_t i, int64_t mark, int64_t *seen,
                                 int64_t *order, int64_t n)
{
    int64_t first = n;
    for (int both = 0; both < 2; both++) {
        const int64_t *begin = both ? g->start : g->begin, *to = both ? g->of : g->to;
        for (int64_t e = begin[i]; e < begin[i + 1]; e++) {
            int64_t j = to[e], at = n;
            if (seen[j] == mark)
                continue;
            seen[j] = mark;
            for (; at > first; at--) { /* insertion sort: a node has few neighbours */
                int64_t k = order[at - 1];
                if (node_degree(g, k) < node_degree(g, j) ||
                    (node_degree(g, k) == node_degree(g, j) && k < j))
                    break;
                order[at] = k;
            }
            order[at] = j;
            n++;
        }
    }
    return n;
}

/* breadth first from i into order; the number of levels, and the node of least degree in the last
   */
static int64_t level_structure(const agni_edges *g, int64_t i, int64_t mark, int64_t *seen,
                               int64_t *order, int64_t *last, int64_t *end)
{
    int64_t n = 1, depth = 0, k = 0;
    order[0] = i;
    seen[i] = mark;
    *last = i;
    while (k < n) {
        int64_t stop = n;
        *last = order[k];
        for (int64_t j = k; j < stop; j++)
            *last = node_degree(g, order[j]) < node_degree(g, *last) ? order[j] : *last;
        for (; k < stop; k++)
            n = append_neighbours(g, order[k], mark, seen, order, n);
        depth++;
    }
    *end = n;
    return depth;
}

agn_status agn_sparse_rcm(agn_tensor **order, const agn_tensor *a)
{
    AGNI_NEED("sparse_rcm", order);
    AGNI_NEED("sparse_rcm", a);
    agni_edges g;
    agn_status st = agni_edges_open(&g, "sparse_rcm", a, true, 4);
    if (st)
        return st;
    int64_t *seen = agni_edges_room(&g, 0), *out = agni_edges_room(&g, 1),
            *by = agni_edges_room(&g, 2);
    int64_t *done = agni_edges_room(&g, 3), n = 0, mark = 0;
    for (int64_t i = 0; i < g.n; i++)
        by[i] = i;
    for (int64_t first = 0; first < g.n; first++) {
        int64_t i = by[first], rim, depth, deeper, len;
        if (done[i])
            continue;
        depth = level_structure(&g, i, ++mark, seen, out + n, &rim, &len);
        for (int tries = 0; tries < 8;
             tries++) { /* towards the rim as long as that is further off */
            deeper = level_structure(&g, rim, ++mark, seen, out + n, &rim, &len);
            i = out[n];
            if (deeper <= depth)
                break;
            depth = deeper;
        }
        for (int64_t k = 0; k < len; k++)
            done[out[n + k]] = 1;
        n += len;
    }
    for (int64_t k = 0; k < n / 2; k++) {
        int64_t t = out[k];
        out[k] = out[n - 1 - k];
        out[n - 1 - k] = t;
    }
    st = agni_edges_ints(order, &g, n, out);
    agni_edges_close(&g);
    return st;
}
