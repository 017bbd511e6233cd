/* tensor/special/hypergeometric/cuda/elements.cuh - special functions of one element on a
   device: the functions of C that the files of the host's values (tensor/special) call, and a
   kernel for each row. An element costs microseconds on the host, so that operands are found by
   division. Read first, and once, in a file. */
#ifndef AGNI_ELEMENTS_CUH
#define AGNI_ELEMENTS_CUH

/* the headers of values declare what a file of rows does not read; inline and still called */
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wattributes"
#ifdef __NVCC__
#pragma nv_diag_suppress 177
#endif

#include "tensor/cuda/cuda.h"

#include <cmath>
#include <cstdlib>
#include <cuda_runtime.h>
#include <thrust/complex.h>

/* sums of two f64 are a few operations; all else is called, so that one copy serves every caller:
   inlined, the incomplete beta function made kernels of 100 000 lines, minutes to compile */
#define AGNI_DEVICE 1
#define AGNI_FN static inline __device__
#include "tensor/cpu/special/double_double.h"
#undef AGNI_FN
#define CALLED __device__ __attribute__((noinline))
#define AGNI_FN static inline CALLED
#define AGNI_TABLE static __device__
#define AGNI_VALUE static CALLED
#include "tensor/cpu/special/beta_slope.h"
#include "tensor/cpu/special/gamma_slope.h"

namespace {

/* of doubles, as in C, also where an argument is an int: the overloads of C++ are the host's */
inline __device__ double fma_double(double a, double b, double c) { return ::fma(a, b, c); }
inline __device__ double fmod_double(double a, double b) { return ::fmod(a, b); }
inline __device__ double fmax_double(double a, double b) { return ::fmax(a, b); }
inline __device__ double fmin_double(double a, double b) { return ::fmin(a, b); }
inline __device__ double hypot_double(double a, double b) { return ::hypot(a, b); }
inline __device__ double copysign_double(double a, double b) { return ::copysign(a, b); }
inline CALLED double pow_double(double a, double b) { return ::pow(a, b); }
#define fma fma_double
#define fmod fmod_double
#define fmax fmax_double
#define fmin fmin_double
#define hypot hypot_double
#define copysign copysign_double
#define pow pow_double

/* complex numbers of C */
typedef thrust::complex<double> z_t;
inline __device__ double creal(const z_t &z) { return z.real(); }
inline __device__ double cimag(const z_t &z) { return z.imag(); }
inline __device__ double cabs(const z_t &z) { return thrust::abs(z); }
inline __device__ z_t conj(const z_t &z) { return thrust::conj(z); }
inline CALLED z_t cexp(const z_t &z) { return thrust::exp(z); }
inline CALLED z_t clog(const z_t &z) { return thrust::log(z); }
inline CALLED z_t csqrt(const z_t &z) { return thrust::sqrt(z); }

enum { OPERANDS = 4, INTS = 4, REALS = 2 };
struct attributes {
    int64_t i[INTS];
    double r[REALS];
};

template <class F, class T>
__global__ void __launch_bounds__(128) elements(const __grid_constant__ agni_cu_walk w,
                                                const void *last, int64_t last_size, attributes at)
{
    AGNI_CU_EACH (i, w.size) {
        int64_t place[4];
        agni_cu_place<4>(w, i, place);
        double x[OPERANDS];
        for (int k = 0; k < 3; k++)
            x[k] = w.p[k + 1] ? (double)((const T *)w.p[k + 1])[place[k + 1]] : 0;
        x[3] = last ? (double)((const T *)last)[last_size == 1 ? 0 : i] : 0;
        ((T *)w.p[0])[place[0]] = (T)F::at(x, at.i, at.r);
    }
}

/* a fourth operand is a scalar, or made dense of the result's shape */
template <class F, class T> agn_status run_elements(const agn_kernel_call *c)
{
    agni_cu_walk w;
    attributes at = {};
    agn_array in[OPERANDS];
    for (int k = 0; k < 3; k++)
        in[k] = c->in[k < c->n_in ? k : 0];
    agni_cu_make_walk(&w, c->out, 3, in);
    if (w.size == 0)
        return AGN_OK;
    for (int k = c->n_in; k < 3; k++)
        w.p[k + 1] = NULL;
    for (int k = 0; k < c->n_int && k < INTS; k++)
        at.i[k] = c->ints[k];
    for (int k = 0; k < c->n_real && k < REALS; k++)
        at.r[k] = c->reals[k];
    int was = agni_cu_enter(c->device);
    const void *last = NULL;
    void *held = NULL;
    int64_t last_size = 0, stride[AGN_MAX_RANK], wide[AGN_MAX_RANK];
    agn_status st = AGN_OK;
    if (c->n_in > 3) {
        agn_array x = c->in[3];
        last_size = agni_cu_size(&x);
        if (last_size != 1) {
            agni_cu_broadcast_strides(wide, 1, &x, c->out->ndim);
            x.ndim = c->out->ndim, x.shape = c->out->shape, x.stride = wide;
            st = agni_cu_make_dense(c, &x, stride, &held);
        }
        last = x.data;
    }
    if (!st) {
        elements<F, T><<<agni_cu_blocks(w.size, 128), 128, 0, (cudaStream_t)c->stream>>>(
            w, last, last_size, at);
        st = agni_cu_check_launch(c);
    }
    agni_cu_scratch_free(c, held);
    agni_cu_leave(was);
    return st;
}

/* the value of op at x[0], ...; i and r are its attributes */
#define ROW(name) \
    struct row_##name { \
        static CALLED double at(const double *x, const int64_t *i, const double *r); \
    }; \
    inline __device__ double row_##name::at(const double *x, const int64_t *i, const double *r)

#define BOTH(name) \
    {#name, AGN_F32, true, run_elements<row_##name, float>}, \
    { \
#name, AGN_F64, true, run_elements < row_##name, double> \
    }

} // namespace

#endif
