/* tensor/cuda/cast.cu - copies and casts of any strides. Casts pass through the widest type
   of their kind, as on the CPU (tensor/value/convert_elements.c): integers wrap around, floats
   saturate and NaN is 0, complex numbers drop their imaginary part. */
#include "tensor/cuda/cuda.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

namespace {

template <class U>
__global__ void __launch_bounds__(256) copy(const __grid_constant__ agni_cu_walk w)
{
    AGNI_CU_EACH (i, w.size) {
        int64_t at[2];
        agni_cu_place<2>(w, i, at);
        ((U *)w.p[0])[at[0]] = ((const U *)w.p[1])[at[1]];
    }
}

/* where C++'s conversion is the right one */
template <class To, class From>
__global__ void __launch_bounds__(256) plain(const __grid_constant__ agni_cu_walk w)
{
    AGNI_CU_EACH (i, w.size) {
        int64_t at[2];
        agni_cu_place<2>(w, i, at);
        ((To *)w.p[0])[at[0]] = (To)((const From *)w.p[1])[at[1]];
    }
}

struct wide {
    int64_t i;
    double re, im;
};

__device__ inline wide load_element(int dtype, const void *p, int64_t at)
{
    wide v = {0, 0, 0};
    switch (dtype) {
    case AGN_BOOL:
    case AGN_U8: v.i = ((const uint8_t *)p)[at]; break;
    case AGN_I8: v.i = ((const int8_t *)p)[at]; break;
    case AGN_I16: v.i = ((const int16_t *)p)[at]; break;
    case AGN_I32: v.i = ((const int32_t *)p)[at]; break;
    case AGN_I64: v.i = ((const int64_t *)p)[at]; break;
    case AGN_F16: v.re = (double)__half2float(((const __half *)p)[at]); break;
    case AGN_BF16: v.re = (double)__bfloat162float(((const __nv_bfloat16 *)p)[at]); break;
    case AGN_F32: v.re = (double)((const float *)p)[at]; break;
    case AGN_F64: v.re = ((const double *)p)[at]; break;
    case AGN_C64:
        v.re = (double)((const float *)p)[2 * at];
        v.im = (double)((const float *)p)[2 * at + 1];
        break;
    default:
        v.re = ((const double *)p)[2 * at];
        v.im = ((const double *)p)[2 * at + 1];
    }
    return v;
}

/* beyond 2^53 an integer is rounded to odd, so that a second rounding is the only one */
__device__ inline double round_to_odd(int64_t v)
{
    uint64_t u = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
    if (u >> 53 && u & 0xfff)
        u = (u & ~(uint64_t)0xfff) | 0x1000;
    return v < 0 ? -(double)u : (double)u;
}

__device__ inline int64_t saturate_to_int(const wide &v, bool whole, int64_t lo, int64_t hi)
{
    if (whole)
        return v.i;
    return v.re != v.re ? 0 : v.re <= (double)lo ? lo : v.re >= (double)hi ? hi : (int64_t)v.re;
}

__device__ inline void store_element(int dtype, void *p, int64_t at, const wide &v, bool whole)
{
    double r = whole ? (double)v.i : v.re;
    switch (dtype) {
    case AGN_BOOL: ((bool *)p)[at] = whole ? v.i != 0 : v.re != 0 || v.im != 0; break;
    case AGN_U8: ((uint8_t *)p)[at] = (uint8_t)saturate_to_int(v, whole, 0, UINT8_MAX); break;
    case AGN_I8: ((int8_t *)p)[at] = (int8_t)saturate_to_int(v, whole, INT8_MIN, INT8_MAX); break;
    case AGN_I16:
        ((int16_t *)p)[at] = (int16_t)saturate_to_int(v, whole, INT16_MIN, INT16_MAX);
        break;
    case AGN_I32:
        ((int32_t *)p)[at] = (int32_t)saturate_to_int(v, whole, INT32_MIN, INT32_MAX);
        break;
    case AGN_I64: ((int64_t *)p)[at] = saturate_to_int(v, whole, INT64_MIN, INT64_MAX); break;
    case AGN_F16: ((__half *)p)[at] = __double2half(r); break;
    case AGN_BF16:
        ((__nv_bfloat16 *)p)[at] = __double2bfloat16(whole ? round_to_odd(v.i) : v.re);
        break;
    case AGN_F32: ((float *)p)[at] = whole ? (float)v.i : (float)v.re; break;
    case AGN_F64: ((double *)p)[at] = r; break;
    case AGN_C64:
        ((float *)p)[2 * at] = whole ? (float)v.i : (float)v.re;
        ((float *)p)[2 * at + 1] = (float)v.im;
        break;
    default:
        ((double *)p)[2 * at] = r;
        ((double *)p)[2 * at + 1] = v.im;
    }
}

__global__ void __launch_bounds__(256)
    any(const __grid_constant__ agni_cu_walk w, int to, int from)
{
    AGNI_CU_EACH (i, w.size) {
        int64_t at[2];
        agni_cu_place<2>(w, i, at);
        store_element(to, w.p[0], at[0], load_element(from, w.p[1], at[1]), from <= AGN_I64);
    }
}

template <class U> void start_copy(const agni_cu_walk &w, cudaStream_t s)
{
    copy<U><<<agni_cu_blocks(w.size, 256), 256, 0, s>>>(w);
}
template <class To, class From> void start_plain(const agni_cu_walk &w, cudaStream_t s)
{
    plain<To, From><<<agni_cu_blocks(w.size, 256), 256, 0, s>>>(w);
}

} // namespace

extern "C" void agni_cu_convert(const agni_cu_walk *w, int to, int from, cudaStream_t s)
{
    if (w->size == 0)
        return;
    if (to == from) {
        switch (agni_cu_bytes(to)) {
        case 1: start_copy<uint8_t>(*w, s); break;
        case 2: start_copy<uint16_t>(*w, s); break;
        case 4: start_copy<uint32_t>(*w, s); break;
        case 8: start_copy<uint64_t>(*w, s); break;
        default: start_copy<double2>(*w, s);
        }
    } else if (to == AGN_F64 && from == AGN_F32) {
        start_plain<double, float>(*w, s);
    } else if (to == AGN_F32 && from == AGN_F64) {
        start_plain<float, double>(*w, s);
    } else if (to == AGN_F64 && from == AGN_BOOL) {
        start_plain<double, bool>(*w, s);
    } else if (to == AGN_F32 && from == AGN_BOOL) {
        start_plain<float, bool>(*w, s);
    } else {
        any<<<agni_cu_blocks(w->size, 256), 256, 0, s>>>(*w, to, from);
    }
}
