/* fft/cuda/filters.cu - signals on a device: sums of overlapping frames, recursive filters, cosine
   and sine transforms by their definition (fft/r2r.c has it; Wang & Hunt 1985). */
#include "tensor/cuda/cuda.h"
#include <cmath>
#include <cuda_runtime.h>
#include <thrust/complex.h>

namespace {

using c64 = thrust::complex<float>;
using c128 = thrust::complex<double>;

/* ---- frames: a sample adds the frames that cover it, the first one first -------------------- */

template <class T>
__global__ void __launch_bounds__(256) overlap_add(const T *g, T *y, int64_t frames, int64_t length,
                                                   int64_t n, int64_t hop, int64_t rows)
{
    AGNI_CU_EACH (e, rows * n) {
        int64_t i = e % n, row = e / n;
        int64_t first = i < length ? 0 : (i - length) / hop + 1,
                last = i / hop < frames - 1 ? i / hop : frames - 1;
        T sum = T(0);
        for (int64_t f = first; f <= last; f++)
            sum += g[(row * frames + f) * length + i - f * hop];
        y[e] = sum;
    }
}
template <class T> agn_status run_overlap_add(const agn_kernel_call *c)
{
    const agn_array *g = c->in;
    int64_t n = c->ints[0], size = agni_cu_size(c->out);
    if (size == 0)
        return AGN_OK;
    int was = agni_cu_enter(c->device);
    overlap_add<T><<<agni_cu_blocks(size, 256), 256, 0, (cudaStream_t)c->stream>>>(
        (const T *)g->data, (T *)c->out[0].data, g->shape[g->ndim - 2], g->shape[g->ndim - 1], n,
        c->ints[1], size / n);
    agn_status st = agni_cu_check_launch(c);
    agni_cu_leave(was);
    return st;
}

/* ---- y_t = v_t - sum of a_k y_(t-k), or backwards its adjoint: a thread for each row -------- */

template <class T>
__global__ void __launch_bounds__(64) all_pole(const T *v, const T *a, T *y, int64_t n, int64_t p,
                                               bool varying, bool back, int64_t rows)
{
    AGNI_CU_EACH (row, rows) {
        const T *from = v + row * n, *by = a + row * (varying ? n * p : p);
        T *to = y + row * n;
        for (int64_t s = 0; s < n; s++) {
            int64_t t = back ? n - 1 - s : s;
            T sum = from[t];
            for (int64_t k = s < p ? s : p; k > 0; k--) {
                int64_t u = back ? t + k : t - k;
                sum -= by[varying ? (back ? u : t) * p + k - 1 : k - 1] * to[u];
            }
            to[t] = sum;
        }
    }
}
template <class T> agn_status run_all_pole(const agn_kernel_call *c)
{
    const agn_array *v = c->in, *a = c->in + 1;
    int64_t n = v->shape[v->ndim - 1], size = agni_cu_size(v);
    if (size == 0)
        return AGN_OK;
    int was = agni_cu_enter(c->device);
    all_pole<T><<<agni_cu_blocks(size / n, 64), 64, 0, (cudaStream_t)c->stream>>>(
        (const T *)v->data, (const T *)a->data, (T *)c->out[0].data, n, a->shape[a->ndim - 1],
        a->ndim > v->ndim, c->ints[0] != 0, size / n);
    agn_status st = agni_cu_check_launch(c);
    agni_cu_leave(was);
    return st;
}

/* ---- cosine and sine transforms ------------------------------------------------------------- */

enum { FIRST = 1, LAST = 2 };
/* kinds 0 to 3 are cosines, 4 to 7 sines; before and after: the ends that have these factors
   (agni_r2r_kinds) */
typedef struct transform {
    bool sine;
    int j2, k2, longer;  /* angle pi (2 j + j2) (2 k + k2) / (4 (n + longer)) */
    int single; /* ends that count once */
    int before, after;
} transform;
__constant__ transform kinds[8] = {
    {false, 0, 0, -1, FIRST | LAST, FIRST | LAST, FIRST | LAST},
    {false, 1, 0, 0, 0, 0, FIRST},
    {false, 0, 1, 0, FIRST, FIRST, 0},
    {false, 1, 1, 0, 0, 0, 0},
    {true, 2, 2, 1, 0, 0, 0},
    {true, 1, 2, 0, 0, 0, LAST},
    {true, 2, 1, 0, LAST, LAST, 0},
    {true, 1, 1, 0, 0, 0, 0},
};

/* along the middle of [outer, n, inner]; scale of the whole only with the last axis */
template <class S, class T>
__global__ void __launch_bounds__(128)
    cosines(const S *x, T *y, int kind, int64_t n, int64_t inner, int64_t size, double scale,
            double before, double after)
{
    const transform q = kinds[kind];
    const double pi = 3.14159265358979323846;
    AGNI_CU_EACH (e, size) {
        int64_t k = e / inner % n, base = e - k * inner;
        int64_t whole = 4 * (n + q.longer), turn = 2 * whole;
        double sum = 0;
        for (int64_t j = 0; j < n; j++) {
            double v = (double)x[base + j * inner];
            int end = (j == 0 ? FIRST : 0) | (j == n - 1 ? LAST : 0);
            v *= (end & q.before & FIRST ? before : 1) * (end & q.before & LAST ? before : 1);
            int64_t a = ((2 * j + q.j2) % turn) * ((2 * k + q.k2) % turn) % turn;
            double angle = pi * ((double)a / (double)whole), w = q.sine ? sin(angle) : cos(angle);
            sum += (end & q.single ? 1 : 2) * v * w;
        }
        int end = (k == 0 ? FIRST : 0) | (k == n - 1 ? LAST : 0);
        sum *= (end & q.after & FIRST ? after : 1) * (end & q.after & LAST ? after : 1);
        y[e] = (T)(sum * scale);
    }
}

template <class T> agn_status run_r2r(const agn_kernel_call *c)
{
    const agn_array *y = c->out;
    int64_t size = agni_cu_size(y);
    int axes = c->n_int - 1, kind = (int)c->ints[1];
    if (size == 0)
        return AGN_OK;
    void *room[2] = {NULL, NULL};
    int was = agni_cu_enter(c->device);
    agn_status st = AGN_OK;
    for (int r = 0; r < 2 && r < axes - 1 && !st; r++)
        st = agni_cu_scratch(c, (size_t)size * sizeof(double), &room[r]);
    for (int k = 0; k < axes && !st; k++) {
        int axis = y->ndim + (int)c->ints[k ? k + 1 : 0];
        int64_t n = y->shape[axis], inner = 1;
        for (int d = axis + 1; d < y->ndim; d++)
            inner *= y->shape[d];
        bool first = k == 0, last = k == axes - 1;
        double scale = last ? c->reals[0] : 1;
        unsigned blocks = agni_cu_blocks(size, 128);
        cudaStream_t s = (cudaStream_t)c->stream;
        const double *from = (const double *)room[(k + 1) % 2];
        double *to = (double *)room[k % 2];
        if (first && last)
            cosines<T, T><<<blocks, 128, 0, s>>>((const T *)c->in[0].data, (T *)y->data, kind, n,
                                                 inner, size, scale, c->reals[1], c->reals[2]);
        else if (first)
            cosines<T, double><<<blocks, 128, 0, s>>>((const T *)c->in[0].data, to, kind, n, inner,
                                                      size, scale, c->reals[1], c->reals[2]);
        else if (last)
            cosines<double, T><<<blocks, 128, 0, s>>>(from, (T *)y->data, kind, n, inner, size,
                                                      scale, c->reals[1], c->reals[2]);
        else
            cosines<double, double><<<blocks, 128, 0, s>>>(from, to, kind, n, inner, size, scale,
                                                           c->reals[1], c->reals[2]);
        st = agni_cu_check_launch(c);
    }
    agni_cu_scratch_free(c, room[0]);
    agni_cu_scratch_free(c, room[1]);
    agni_cu_leave(was);
    return st;
}

const agn_kernel_entry table[] = {
    {"signal_overlap_add", AGN_F32, false, run_overlap_add<float>},
    {"signal_overlap_add", AGN_F64, false, run_overlap_add<double>},
    {"signal_overlap_add", AGN_I32, false, run_overlap_add<uint32_t>},
    {"signal_overlap_add", AGN_I64, false, run_overlap_add<uint64_t>},
    {"signal_overlap_add", AGN_C64, false, run_overlap_add<c64>},
    {"signal_overlap_add", AGN_C128, false, run_overlap_add<c128>},
    {"signal_allpole", AGN_F32, false, run_all_pole<float>},
    {"signal_allpole", AGN_F64, false, run_all_pole<double>},
    {"signal_allpole", AGN_C64, false, run_all_pole<c64>},
    {"signal_allpole", AGN_C128, false, run_all_pole<c128>},
    {"fft_r2r", AGN_F32, false, run_r2r<float>},
    {"fft_r2r", AGN_F64, false, run_r2r<double>},
};

} // namespace

extern "C" const agni_cu_table agni_cu_filters = {table, (int)(sizeof table / sizeof *table)};
