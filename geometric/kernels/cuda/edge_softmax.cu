/* geometric/kernels/cuda/edge_softmax.cu - softmax of the edges of each node of a graph on a device,
   with the largest and the sum behind it found in one pass (online normaliser, Milakov & Gimelshein
   2018); the edges of a hub are measured in parts, whose measures are joined in their order. */
#include "geometric/kernels/cuda/parts.cuh"

#include <cmath>
#include <cuda_runtime.h>

namespace {

enum { THREADS = 256 };

/* largest, and sum of exponentials behind it */
template <class T> struct behind {
    T top, sum;
};
/* one number after the other */
template <class T> __device__ inline behind<T> meet(const behind<T> &a, const behind<T> &b)
{
    if (a.top == b.top) /* infinite ones, too */
        return {a.top, a.sum + b.sum};
    if (b.top < a.top)
        return {a.top, a.sum + b.sum * exp(b.top - a.top)};
    if (a.top == a.top)
        return {b.top, a.sum * exp(a.top - b.top) + b.sum};
    return a;
}

template <class T>
__global__ void __launch_bounds__(THREADS)
    measure_edges(const __grid_constant__ agni_cu_graph g, int side, const T *x, behind<T> *to,
                  int64_t width, int64_t size)
{
    int64_t units = g.nodes[side] + g.parts[side];
    AGNI_CU_EACH (t, size) {
        int64_t line = t / width, b = line / units, u = line - b * units;
        stretch own = stretch_of(g, side, u);
        const T *from = x + b * g.edges * width + (t - line * width);
        behind<T> all = {0, 0};
        for (int64_t k = own.first; k < own.last; k++) {
            behind<T> v = {from[g.edge[side][k] * width], 1};
            all = k == own.first ? v : meet(all, v);
        }
        to[t] = all;
    }
}

/* the parts of each hub */
template <class T>
__global__ void __launch_bounds__(THREADS)
    join_measures(const __grid_constant__ agni_cu_graph g, int side, behind<T> *at, int64_t width,
                  int64_t size)
{
    int64_t n = g.nodes[side], hubs = g.hubs[side];
    AGNI_CU_EACH (t, size) {
        int64_t line = t / width, b = line / hubs, h = line - b * hubs;
        int64_t from = g.first_part[side][h], to = g.first_part[side][h + 1];
        behind<T> *own = at + b * (n + g.parts[side]) * width + (t - line * width);
        behind<T> all = own[g.node_of[side][from] * width];
        for (int64_t k = from; k < to; k++)
            all = meet(all, own[(n + k) * width]);
        own[g.node_of[side][from] * width] = all;
    }
}

template <class T>
__global__ void __launch_bounds__(THREADS)
    divide_edges(const __grid_constant__ agni_cu_graph g, int side, const T *x, T *y,
                 const behind<T> *of, int64_t width, int64_t size)
{
    AGNI_CU_EACH (t, size) {
        int64_t line = t / width, b = line / g.edges, e = line - b * g.edges;
        int64_t node = b * (g.nodes[side] + g.parts[side]) + g.end[side][e];
        behind<T> all = of[node * width + (t - line * width)];
        if (!(all.top - all.top == 0)) /* what inf - inf makes NaN is no softmax */
            all.sum = (T)NAN;
        y[t] = exp(x[t] - all.top) / all.sum;
    }
}

template <class T>
agn_status start_softmax(const agn_kernel_call *c, int64_t batch, int64_t width)
{
    agni_cu_graph g;
    const T *x = (const T *)c->in->data;
    int side = (int)c->ints[0];
    cudaStream_t s = (cudaStream_t)c->stream;
    void *room = NULL;
    agn_status st = agni_cu_graph_of(c, &g);
    if (st)
        return st;
    int64_t lines = batch * width, units = lines * (g.nodes[side] + g.parts[side]);
    st = agni_cu_scratch(c, (size_t)units * sizeof(behind<T>), &room);
    if (st)
        return st;
    behind<T> *of = (behind<T> *)room;
    measure_edges<T><<<agni_cu_blocks(units, THREADS), THREADS, 0, s>>>(g, side, x, of, width,
                                                                        units);
    if (g.hubs[side])
        join_measures<T><<<agni_cu_blocks(lines * g.hubs[side], THREADS), THREADS, 0, s>>>(
            g, side, of, width, lines * g.hubs[side]);
    divide_edges<T><<<agni_cu_blocks(lines * g.edges, THREADS), THREADS, 0, s>>>(
        g, side, x, (T *)c->out->data, of, width, lines * g.edges);
    st = agni_cu_check_launch(c);
    agni_cu_scratch_free(c, room);
    return st;
}

template <class T> agn_status run_softmax(const agn_kernel_call *c)
{
    const agn_array *x = c->in;
    int features = (int)c->ints[1];
    int64_t width = 1, batch = 1;
    if (agni_cu_size(x) == 0)
        return AGN_OK;
    for (int d = 0; d < x->ndim; d++)
        if (d < x->ndim - 1 - features)
            batch *= x->shape[d];
        else if (d > x->ndim - 1 - features)
            width *= x->shape[d];
    int was = agni_cu_enter(c->device);
    agn_status st = start_softmax<T>(c, batch, width);
    agni_cu_leave(was);
    return st;
}

const agn_kernel_entry table[] = {
    {"graph_softmax", AGN_F32, false, run_softmax<float>},
    {"graph_softmax", AGN_F64, false, run_softmax<double>},
};

} // namespace

extern "C" const agni_cu_table agni_cu_edge_softmax = {table,
                                                       (int)(sizeof table / sizeof *table)};
