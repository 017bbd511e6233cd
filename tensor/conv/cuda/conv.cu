/* tensor/conv/cuda/conv.cu - convolution and its two gradients by their definition, a thread for
   each number of the part that is made, its sum in one order (tensor/conv/conv.h has the relation
   of places, taps and pixels). */
#include "tensor/cuda/cuda.h"
#include <cuda_runtime.h>
#include <thrust/complex.h>

namespace {

using c64 = thrust::complex<float>;
using c128 = thrust::complex<double>;

enum { IMAGE, FILTER, RESULT, PARTS, MOST = 6, PER_AXIS = 4 };
typedef struct convolution {
    int d;
    int64_t images, groups, in, out; /* channels of a group */
    int64_t n[MOST], m[MOST], l[MOST], stride[MOST], before[MOST], dilation[MOST];
    int64_t pixels, taps, places, size; /* size: numbers made in one of a batch */
} convolution;

/* pixel of a place and a tap, counted in row-major order; -1 outside */
inline __device__ int64_t pixel_of(const convolution &g, int64_t place, int64_t tap)
{
    int64_t at = 0, unit = 1;
    for (int k = g.d - 1; k >= 0; k--) {
        int64_t p = place % g.l[k] * g.stride[k] + tap % g.m[k] * g.dilation[k] - g.before[k];
        if (p < 0 || p >= g.n[k])
            return -1;
        at += p * unit;
        unit *= g.n[k];
        place /= g.l[k], tap /= g.m[k];
    }
    return at;
}
/* the place that a tap brings to a pixel; -1 where there is none */
inline __device__ int64_t place_of(const convolution &g, int64_t pixel, int64_t tap)
{
    int64_t at = 0, unit = 1;
    for (int k = g.d - 1; k >= 0; k--) {
        int64_t far = pixel % g.n[k] - tap % g.m[k] * g.dilation[k] + g.before[k];
        if (far < 0 || far % g.stride[k] || far / g.stride[k] >= g.l[k])
            return -1;
        at += far / g.stride[k] * unit;
        unit *= g.l[k];
        pixel /= g.n[k], tap /= g.m[k];
    }
    return at;
}

template <class T>
inline __device__ T result_at(const convolution &g, const T *x, const T *w, int64_t e)
{
    int64_t place = e % g.places, o = e / g.places % (g.groups * g.out),
            image = e / (g.places * g.groups * g.out);
    T sum = T(0);
    for (int64_t i = 0; i < g.in; i++) {
        const T *from = x + ((image * g.groups + o / g.out) * g.in + i) * g.pixels,
                *by = w + (o * g.in + i) * g.taps;
        for (int64_t q = 0; q < g.taps; q++) {
            int64_t p = pixel_of(g, place, q);
            if (p >= 0)
                sum += from[p] * by[q];
        }
    }
    return sum;
}
template <class T>
inline __device__ T image_at(const convolution &g, const T *w, const T *y, int64_t e)
{
    int64_t pixel = e % g.pixels, c = e / g.pixels % (g.groups * g.in),
            image = e / (g.pixels * g.groups * g.in);
    int64_t group = c / g.in, i = c % g.in;
    T sum = T(0);
    for (int64_t o = group * g.out; o < (group + 1) * g.out; o++) {
        const T *from = y + (image * g.groups * g.out + o) * g.places,
                *by = w + (o * g.in + i) * g.taps;
        for (int64_t q = 0; q < g.taps; q++) {
            int64_t p = place_of(g, pixel, q);
            if (p >= 0)
                sum += from[p] * by[q];
        }
    }
    return sum;
}
template <class T>
inline __device__ T filter_at(const convolution &g, const T *x, const T *y, int64_t e)
{
    int64_t q = e % g.taps, i = e / g.taps % g.in, o = e / (g.taps * g.in);
    T sum = T(0);
    for (int64_t image = 0; image < g.images; image++) {
        const T *a = x + ((image * g.groups + o / g.out) * g.in + i) * g.pixels;
        const T *b = y + (image * g.groups * g.out + o) * g.places;
        for (int64_t place = 0; place < g.places; place++) {
            int64_t p = pixel_of(g, place, q);
            if (p >= 0)
                sum += a[p] * b[place];
        }
    }
    return sum;
}

/* operands of the walk: what is made, then both that are given, in the order of the parts */
template <class T, int part>
__global__ void __launch_bounds__(128)
    convolve(const __grid_constant__ agni_cu_walk batch, convolution g)
{
    AGNI_CU_EACH (i, batch.size * g.size) {
        int64_t at[3], e = i % g.size;
        agni_cu_place<3>(batch, i / g.size, at);
        const T *a = (const T *)batch.p[1] + at[1], *b = (const T *)batch.p[2] + at[2];
        ((T *)batch.p[0])[at[0] + e] = part == RESULT  ? result_at(g, a, b, e)
                                       : part == IMAGE ? image_at(g, a, b, e)
                                                       : filter_at(g, a, b, e);
    }
}

template <class T> agn_status run_conv(const agn_kernel_call *c)
{
    const int part = (int)c->ints[0], d = (c->n_int - 2) / PER_AXIS;
    if (d > MOST)
        return agn_backend_fail(AGN_EUNSUPPORTED, "conv: cuda has a kernel for at most 6 axes");
    const agn_array *x[PARTS], *y = c->out;
    /* the given ones as tensor/conv/conv.c has them: of the image filter and result, else */
    static const int given[PARTS][2] = {{FILTER, RESULT}, {IMAGE, RESULT}, {IMAGE, FILTER}};
    x[given[part][0]] = c->in, x[given[part][1]] = c->in + 1, x[part] = y;
    const agn_array *image = x[IMAGE], *filter = x[FILTER], *result = x[RESULT];
    convolution g = {};
    g.d = d, g.groups = c->ints[1], g.pixels = g.taps = g.places = g.size = 1;
    g.images = image->shape[image->ndim - d - 2];
    g.in = filter->shape[filter->ndim - d - 1];
    g.out = filter->shape[filter->ndim - d - 2] / g.groups;
    for (int k = 0; k < d; k++) {
        const int64_t *i = c->ints + 2 + PER_AXIS * k;
        g.n[k] = image->shape[image->ndim - d + k];
        g.m[k] = filter->shape[filter->ndim - d + k];
        g.l[k] = result->shape[result->ndim - d + k];
        g.stride[k] = i[1], g.before[k] = i[2], g.dilation[k] = i[3];
        if ((g.l[k] && i[1] > INT64_MAX / 4 / g.l[k]) ||
            (g.m[k] && i[3] > INT64_MAX / 4 / g.m[k]) || g.n[k] > INT64_MAX / 4)
            return agn_backend_fail(AGN_EUNSUPPORTED,
                                    "conv: strides or dilations reach beyond 64 bits");
        g.pixels *= g.n[k], g.taps *= g.m[k], g.places *= g.l[k];
    }
    for (int k = y->ndim - d - 2; k < y->ndim; k++)
        g.size *= y->shape[k];
    agn_array out = *y, in[2] = {c->in[0], c->in[1]};
    out.ndim -= d + 2, in[0].ndim -= d + 2, in[1].ndim -= d + 2;
    agni_cu_walk w;
    agni_cu_make_walk(&w, &out, 2, in);
    if (w.size * g.size == 0)
        return AGN_OK;
    int was = agni_cu_enter(c->device);
    unsigned blocks = agni_cu_blocks(w.size * g.size, 128);
    cudaStream_t stream = (cudaStream_t)c->stream;
    if (part == RESULT)
        convolve<T, RESULT><<<blocks, 128, 0, stream>>>(w, g);
    else if (part == IMAGE)
        convolve<T, IMAGE><<<blocks, 128, 0, stream>>>(w, g);
    else
        convolve<T, FILTER><<<blocks, 128, 0, stream>>>(w, g);
    agn_status st = agni_cu_check_launch(c);
    agni_cu_leave(was);
    return st;
}

/* integers wrap around */
const agn_kernel_entry table[] = {
    {"conv", AGN_F32, false, run_conv<float>},    {"conv", AGN_F64, false, run_conv<double>},
    {"conv", AGN_I32, false, run_conv<uint32_t>}, {"conv", AGN_I64, false, run_conv<uint64_t>},
    {"conv", AGN_C64, false, run_conv<c64>},      {"conv", AGN_C128, false, run_conv<c128>},
};

} // namespace

extern "C" const agni_cu_table agni_cu_convolutions = {table, (int)(sizeof table / sizeof *table)};
