/* geometric/kernels/cuda/graph_copy.c - graphs on a device: incidence lists by a counting sort
   on the host, one copy that lives as long as the graph. */
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

/* [end, edge, begin] of either side; the addresses are those in memory */
static void fill_lists(int64_t *host, const int64_t *memory, const agn_graph_view *v,
                       agni_cu_graph *g)
{
    int64_t at = 0, m = v->edges;
    for (int side = 0; side < 2; side++) {
        int64_t *end = host + at, *edge = end + m, *begin = edge + m, n = v->nodes[side];
        for (int64_t e = 0; e < m; e++)
            end[e] = v->wide ? ((const int64_t *)v->end[side])[e]
                             : ((const int32_t *)v->end[side])[e];
        sort_edges(begin, edge, end, n, m);
        g->nodes[side] = n;
        g->end[side] = memory + at;
        g->edge[side] = memory + at + m;
        g->begin[side] = memory + at + 2 * m;
        at += 2 * m + n + 1;
    }
    g->edges = m;
}

static agn_status make_copy(const agn_kernel_call *c, const agn_graph_view *v, copy **out)
{
    size_t bytes = (size_t)(4 * v->edges + v->nodes[0] + v->nodes[1] + 2) * sizeof(int64_t);
    int64_t *host = malloc(bytes);
    copy *m = malloc(sizeof *m);
    void *memory = NULL;
    agn_status st = !host || !m ? agn_backend_fail(AGN_ENOMEM, "graph: no memory for its lists")
                                : agni_cu_scratch(c, bytes, &memory);
    if (!st) {
        *m = (copy){.device = c->device, .memory = memory};
        fill_lists(host, memory, v, &m->g);
        cudaError_t e = cudaMemcpyAsync(memory, host, bytes, cudaMemcpyHostToDevice, c->stream);
        st = agni_cu_check(c->device, c->op, e ? e : cudaStreamSynchronize(c->stream));
    }
    free(host);
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
