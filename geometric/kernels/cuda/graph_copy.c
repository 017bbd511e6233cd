/* geometric/kernels/cuda/graph_copy.c - graphs on a device: incidence lists by a counting sort
   on the host, those of hubs in parts, one copy that lives as long as the graph. */
#include "geometric/kernels/cuda/kernels.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_DEVICES = 256 };
static char keys[MAX_DEVICES]; /* their addresses tell devices apart */

typedef struct copy {
    int32_t device;
    void *memory;
    agni_cu_graph g;
} copy;

/* in the order of the stream, as every free of a device's memory */
static void copy_free(void *user)
{
    copy *m = user;
    agn_kernel_call c = {.op = "graph", .device = m->device};
    agni_cu_scratch_free(&c, m->memory);
    free(m);
}

/* begin[n + 1] and edge[m] of the nodes in end[m] */
static void sort_edges(int64_t *begin, int64_t *edge, const int64_t *end, int64_t n, int64_t m)
{
    memset(begin, 0, (size_t)(n + 1) * sizeof *begin);
    for (int64_t e = 0; e < m; e++)
        begin[end[e] + 1]++;
    for (int64_t i = 0; i < n; i++)
        begin[i + 1] += begin[i];
    for (int64_t e = 0; e < m; e++)
        edge[begin[end[e]]++] = e;
    memmove(begin + 1, begin, (size_t)n * sizeof *begin);
    begin[0] = 0;
}

/* parts and hubs of nodes with these lists; those that are not NULL are written */
static void cut_hubs(const int64_t *begin, int64_t n, int64_t *parts, int64_t *hubs, int64_t *part,
                     int64_t *node_of, int64_t *first_part)
{
    *parts = *hubs = 0;
    for (int64_t i = 0; i < n; i++) {
        int64_t edges = begin[i + 1] - begin[i], size = agni_cu_part_size(edges);
        if (edges <= size)
            continue;
        if (first_part)
            first_part[*hubs] = *parts;
        ++*hubs;
        for (int64_t at = size; at < edges; at += size, ++*parts)
            if (part) {
                part[*parts] = begin[i] + at;
                node_of[*parts] = i;
            }
    }
    if (first_part)
        first_part[*hubs] = *parts;
}

static void read_ends(int64_t *end, const agn_graph_view *v, int side)
{
    for (int64_t e = 0; e < v->edges; e++)
        end[e] = v->wide ? ((const int64_t *)v->end[side])[e]
                         : ((const int32_t *)v->end[side])[e];
}

/* [end, edge, begin] of either side, then its [part, node_of, first_part] */
static int64_t size_of_lists(const agn_graph_view *v, const agni_cu_graph *g)
{
    int64_t all = 4 * v->edges + v->nodes[0] + v->nodes[1] + 2;
    for (int side = 0; side < 2; side++)
        all += 2 * g->parts[side] + g->hubs[side] + 1;
    return all;
}
/* lists: of size_of_lists, those of edges are there; the addresses are those in memory */
static void fill_lists(int64_t *lists, const int64_t *memory, const agn_graph_view *v,
                       agni_cu_graph *g)
{
    int64_t at = 0, m = v->edges, rest = 4 * m + v->nodes[0] + v->nodes[1] + 2;
    for (int side = 0; side < 2; side++) {
        int64_t n = v->nodes[side], parts = g->parts[side], hubs = g->hubs[side], n_part, n_hub;
        g->end[side] = memory + at;
        g->edge[side] = memory + at + m;
        g->begin[side] = memory + at + 2 * m;
        g->part[side] = memory + rest;
        g->node_of[side] = memory + rest + parts;
        g->first_part[side] = memory + rest + 2 * parts;
        cut_hubs(lists + at + 2 * m, n, &n_part, &n_hub, lists + rest, lists + rest + parts,
                 lists + rest + 2 * parts);
        at += 2 * m + n + 1;
        rest += 2 * parts + hubs + 1;
    }
}

/* the lists, to be freed; NULL without memory */
static int64_t *make_lists(const agn_graph_view *v, agni_cu_graph *g)
{
    int64_t at = 0, m = v->edges;
    int64_t *lists = malloc((size_t)(4 * m + v->nodes[0] + v->nodes[1] + 2) * sizeof *lists);
    if (!lists)
        return NULL;
    g->edges = m;
    for (int side = 0; side < 2; side++) {
        int64_t n = v->nodes[side], *begin = lists + at + 2 * m;
        g->nodes[side] = n;
        read_ends(lists + at, v, side);
        sort_edges(begin, lists + at + m, lists + at, n, m);
        cut_hubs(begin, n, &g->parts[side], &g->hubs[side], NULL, NULL, NULL);
        at += 2 * m + n + 1;
    }
    int64_t *more = realloc(lists, (size_t)size_of_lists(v, g) * sizeof *lists);
    if (!more)
        free(lists);
    return more;
}

static agn_status make_copy(const agn_kernel_call *c, const agn_graph_view *v, copy **out)
{
    copy *m = malloc(sizeof *m);
    int64_t *lists = NULL;
    void *memory = NULL;
    agn_status st = AGN_OK;
    if (m)
        *m = (copy){.device = c->device};
    if (!m || !(lists = make_lists(v, &m->g)))
        st = agn_backend_fail(AGN_ENOMEM, "graph: no memory for its lists");
    size_t bytes = st ? 0 : (size_t)size_of_lists(v, &m->g) * sizeof *lists;
    if (!st)
        st = agni_cu_scratch(c, bytes, &memory);
    if (!st) {
        m->memory = memory;
        fill_lists(lists, memory, v, &m->g);
        cudaError_t e = cudaMemcpyAsync(memory, lists, bytes, cudaMemcpyHostToDevice, c->stream);
        st = agni_cu_check(c->device, c->op, e ? e : cudaStreamSynchronize(c->stream));
    }
    free(lists);
    if (st) {
        agni_cu_scratch_free(c, memory);
        free(m);
        return st;
    }
    *out = m;
    return AGN_OK;
}

agn_status agni_cu_graph_of(const agn_kernel_call *c, agni_cu_graph *out)
{
    agn_graph_view v;
    copy *m = agn_graph_mirror(c->object, keys + c->device);
    agn_status st = AGN_OK;
    if (!m) {
        st = agn_graph_read(&v, c->object);
        if (!st)
            st = make_copy(c, &v, &m);
        if (!st && !(m = agn_graph_keep(c->object, keys + c->device, m, copy_free)))
            st = agn_backend_fail(AGN_ENOMEM, "graph: no memory for its lists");
    }
    if (!st)
        *out = m->g;
    return st;
}
