/* geometric/kernels/cuda/attention.cu - attention over the edges of a graph by terms of nodes
   on a device (Velickovic et al. 2018): a warp for each node and head makes the weights of 32
   edges at a time, and hands them round; no array of scores is written. Sums have one order, that
   of the edges. */
#include "geometric/kernels/cuda/kernels.h"

#include <cmath>
#include <cuda_runtime.h>

namespace {

enum { LANES = 32, WARPS = 4, COLUMNS = 4 /* of a lane at a time */, MOST = 8 };
/* operands, as in geometric/kernels/attend.h */
enum { A, B, L, X, Z };
const unsigned ALL = 0xffffffffu;

/* Rows of the side `to` are near, those at the other ends far. */
struct attention {
    int32_t to, power, n_in;
    int64_t rows, heads, width, size; /* size: batch times rows times heads */
    double slope;
    int32_t n_batch;
    int64_t batch[AGN_MAX_RANK], stride[MOST][AGN_MAX_RANK];
    const void *x[MOST];
};

/* of node i and head h in one part of the batch; its edges */
template <class T> struct terms {
    const T *x[MOST];
    const T *near, *far;
    int64_t i, h, first, last;
};
/* of the n-th number of the result */
template <class T>
__device__ inline terms<T> find_terms(const attention &q, const agni_cu_graph &g, int64_t n)
{
    terms<T> t;
    int64_t line = n / q.heads, b = line / q.rows;
    t.h = n - line * q.heads;
    t.i = line - b * q.rows;
    t.first = g.begin[q.to][t.i];
    t.last = g.begin[q.to][t.i + 1];
    int64_t at[MOST] = {0, 0, 0, 0, 0, 0, 0, 0};
    for (int d = q.n_batch - 1; d >= 0; d--) {
        int64_t next = b / q.batch[d], j = b - next * q.batch[d];
        for (int k = 0; k < q.n_in; k++)
            at[k] += j * q.stride[k][d];
        b = next;
    }
    for (int k = 0; k < MOST; k++)
        t.x[k] = k < q.n_in ? (const T *)q.x[k] + at[k] : nullptr;
    t.near = t.x[q.to ? B : A];
    t.far = t.x[q.to ? A : B];
    return t;
}

/* the weight of an edge between node i and node j at its other end */
template <class T>
__device__ inline T weigh(const attention &q, const terms<T> &t, int64_t i, int64_t j, int64_t h)
{
    T v = t.near[i * q.heads + h] + t.far[j * q.heads + h], slope = (T)q.slope;
    T w = exp((v > 0 ? v : v * slope) - t.x[L][(q.to ? i : j) * q.heads + h]);
    for (int k = 0; k < q.power && !(v > 0); k++)
        w *= slope;
    return w;
}

template <class T> __device__ inline T sum_lanes(T v)
{
    for (int w = LANES / 2; w > 0; w /= 2)
        v += __shfl_xor_sync(ALL, v, w);
    return v;
}

template <class T>
__global__ void __launch_bounds__(LANES *WARPS)
    attend(const __grid_constant__ attention q, const __grid_constant__ agni_cu_graph g, T *y)
{
    int lane = (int)(threadIdx.x % LANES);
    int64_t step = (int64_t)gridDim.x * WARPS;
    for (int64_t n = (int64_t)blockIdx.x * WARPS + threadIdx.x / LANES; n < q.size; n += step) {
        terms<T> t = find_terms<T>(q, g, n);
        int64_t i = t.i, h = t.h, first = t.first, last = t.last;
        T dot = 0;
        for (int64_t c = 0; c < q.width; c += LANES * COLUMNS) {
            T sum[COLUMNS] = {0, 0, 0, 0};
            for (int64_t e = first; e < last; e += LANES) {
                int64_t j = e + lane < last ? g.end[1 - q.to][g.edge[q.to][e + lane]] : 0;
                T w = e + lane < last ? weigh(q, t, i, j, h) : (T)0;
                int many = last - e < LANES ? (int)(last - e) : (int)LANES;
                for (int k = 0; k < many; k++) {
                    T wk = __shfl_sync(ALL, w, k);
                    int64_t far = __shfl_sync(ALL, j, k);
                    const T *x = t.x[X] + (far * q.heads + h) * q.width + c + lane;
                    for (int m = 0; m < COLUMNS; m++)
                        if (c + lane + m * LANES < q.width)
                            sum[m] += wk * x[m * LANES];
                }
            }
            for (int m = 0; m < COLUMNS; m++) {
                int64_t at = c + lane + m * LANES, own = (i * q.heads + h) * q.width + at;
                if (at >= q.width)
                    continue;
                if (q.n_in == 5) {
                    dot += sum[m] * t.x[Z][own];
                    continue;
                }
                for (int k = 4; q.n_in == MOST && k < MOST; k += 2)
                    sum[m] += t.x[k][i * q.heads + h] * t.x[k + 1][h * q.width + at];
                y[n * q.width + at] = sum[m];
            }
        }
        if (q.n_in == 5) {
            dot = sum_lanes(dot);
            if (lane == 0)
                y[n] = dot;
        }
    }
}

/* log of the sum of exponentials of the scores; NaN wins; 0 without edges */
template <class T>
__global__ void __launch_bounds__(LANES *WARPS)
    attend_norm(const __grid_constant__ attention q, const __grid_constant__ agni_cu_graph g, T *y)
{
    int lane = (int)(threadIdx.x % LANES);
    int64_t step = (int64_t)gridDim.x * WARPS;
    for (int64_t n = (int64_t)blockIdx.x * WARPS + threadIdx.x / LANES; n < q.size; n += step) {
        terms<T> t = find_terms<T>(q, g, n);
        int64_t i = t.i, h = t.h, first = t.first, last = t.last;
        T most = (T)-INFINITY;
        double sum = 0;
        for (int pass = 0; pass < 2; pass++) {
            for (int64_t e = first + lane; e < last; e += LANES) {
                int64_t j = g.end[1 - q.to][g.edge[q.to][e]];
                T v = t.near[i * q.heads + h] + t.far[j * q.heads + h];
                v = v > 0 ? v : v * (T)q.slope;
                if (pass)
                    sum += (double)exp(v - most);
                else
                    most = v > most || v != v ? v : most;
            }
            for (int w = LANES / 2; w > 0 && !pass; w /= 2) {
                T other = __shfl_xor_sync(ALL, most, w);
                most = other > most || other != other ? other : most;
            }
        }
        sum = sum_lanes(sum);
        if (lane == 0)
            y[n] = first < last ? (T)((double)most + log(sum)) : (T)0;
    }
}

template <class T> agn_status run_attention(const agn_kernel_call *c, bool norm)
{
    attention q = {};
    agni_cu_graph g;
    const agn_array *y = c->out, *x = c->in + (norm ? A : X);
    if (agni_cu_size(y) == 0)
        return AGN_OK;
    q.to = (int32_t)c->ints[0];
    q.power = (int32_t)c->ints[1];
    q.slope = c->reals[0];
    q.n_in = c->n_in;
    q.rows = y->shape[y->ndim - 3];
    q.heads = y->shape[y->ndim - 2];
    q.width = norm ? 1 : x->shape[x->ndim - 1];
    q.size = q.rows * q.heads;
    q.n_batch = y->ndim - 3;
    for (int d = 0; d < q.n_batch; d++)
        q.size *= q.batch[d] = y->shape[d];
    for (int k = 0; k < c->n_in; k++) {
        agn_array front = c->in[k];
        q.x[k] = front.data;
        front.ndim -= 3;
        agni_cu_broadcast_strides(q.stride[k], 1, &front, q.n_batch);
    }
    int was = agni_cu_enter(c->device);
    agn_status st = agni_cu_graph_of(c, &g);
    if (!st) {
        unsigned blocks = agni_cu_blocks(q.size, WARPS);
        cudaStream_t s = (cudaStream_t)c->stream;
        if (norm)
            attend_norm<T><<<blocks, LANES * WARPS, 0, s>>>(q, g, (T *)y->data);
        else
            attend<T><<<blocks, LANES * WARPS, 0, s>>>(q, g, (T *)y->data);
        st = agni_cu_check_launch(c);
    }
    agni_cu_leave(was);
    return st;
}
template <class T> agn_status run_attend(const agn_kernel_call *c)
{
    return run_attention<T>(c, false);
}
template <class T> agn_status run_norm(const agn_kernel_call *c)
{
    return run_attention<T>(c, true);
}

#define FLOATS(name, run) {name, AGN_F32, false, run<float>}, {name, AGN_F64, false, run<double>}
const agn_kernel_entry table[] = {
    FLOATS("graph_attend", run_attend),
    FLOATS("graph_attend_plus", run_attend),
    FLOATS("graph_attend_dot", run_attend),
    FLOATS("graph_attend_norm", run_norm),
};

} // namespace

extern "C" const agni_cu_table agni_cu_attention = {table, (int)(sizeof table / sizeof *table)};
