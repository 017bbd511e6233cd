/* tensor/special/hypergeometric/cuda/special.cu - special functions of one element on a device: the
   files of the host's values (tensor/special, NIST DLMF), read once more as device code, and a row
   for each op. An element costs microseconds on the host, so that operands are found by
   division. */

#include "tensor/cuda/cuda.h"

#include <cmath>
#include <cstdlib>
#include <cuda_runtime.h>
#include <thrust/complex.h>

#define AGNI_DEVICE 1
#define AGNI_FN static inline __device__
#define AGNI_TABLE static __device__
#define AGNI_VALUE static inline __device__
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
inline __device__ double pow_double(double a, double b) { return ::pow(a, b); }
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
inline __device__ z_t cexp(const z_t &z) { return thrust::exp(z); }
inline __device__ z_t clog(const z_t &z) { return thrust::log(z); }
inline __device__ z_t csqrt(const z_t &z) { return thrust::sqrt(z); }

#include "tensor/special/airy.c"
#include "tensor/special/bessel.c"
#include "tensor/special/bessel_order.c"
#include "tensor/special/elliptic.c"
#include "tensor/special/exponential_integral.c"
#include "tensor/special/faddeeva.c"
#include "tensor/special/lambert_w.c"
#include "tensor/special/owens_t.c"
#include "tensor/special/polynomials.c"

#include "tensor/special/hypergeometric/gauss.c"
#include "tensor/special/hypergeometric/jacobi_elliptic.c"
#include "tensor/special/hypergeometric/kummer.c"
#include "tensor/special/hypergeometric/lambert_plane.c"
#include "tensor/special/hypergeometric/polylog.c"
#include "tensor/special/hypergeometric/spherical_bessel.c"
#include "tensor/special/hypergeometric/struve.c"

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
    for (int k = 0; k < c->n_int && k < INTS; k++) {
        at.i[k] = c->ints[k];
        if (k >= F::VALUES && c->ints[k])
            return agn_backend_fail(AGN_EUNSUPPORTED,
                                    "derivatives in parameters: there are kernels for cpu alone");
    }
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
    ROW_UNTIL(name, INTS)
/* the same without slopes: attributes from the `values`-th on are orders of derivatives that the
   host alone has */
#define ROW_UNTIL(name, values) \
    struct row_##name { \
        enum { VALUES = values }; \
        static __device__ double at(const double *x, const int64_t *i, const double *r); \
    }; \
    inline __device__ double row_##name::at(const double *x, const int64_t *i, const double *r)

ROW(airy) { return agni_airy(x[0], (int)i[0]); }
ROW(fresnel)
{
    double sc[2];
    agni_fresnel(x[0], sc);
    return sc[i[0] != 0];
}
ROW(lambert_w) { return agni_lambert_w(x[0], (int)i[0], i[1] != 0); }
ROW(bessel)
{
    if (i[1] && (i[0] <= AGNI_BESSEL_I || i[0] == AGNI_BESSEL_IE))
        return agni_bessel_order(x[0], x[1], (int)i[0], (int)i[1]);
    return agni_bessel(x[0], x[1], (int)i[0], (int)i[1], (int)i[2]);
}
ROW(elliptic)
{
    return i[3] ? agni_elliptic_complete(x[0], x[2], (int)i[0], (int)i[1], (int)i[2])
                : agni_elliptic(x[0], x[1], x[2], (int)i[0], (int)i[1], (int)i[2]);
}
ROW(carlson)
{
    const int k[4] = {(int)i[0], (int)i[1], (int)i[2], (int)i[3]};
    return agni_carlson(x, k);
}
ROW(expn) { return agni_expn(x[0], i[0]); }
ROW(expi) { return agni_ei(x[0]); }
ROW(owens_t) { return agni_owens_t(x[0], x[1]); }
ROW(faddeeva)
{
    double w[2];
    agni_faddeeva(x[0], x[1], (int)i[0], w);
    return w[i[1] != 0];
}
ROW(polynomial) { return agni_polynomial(x[0], (int)i[0], i[1], r[0], r[1]); }
ROW_UNTIL(kummer, 1) { return i[0] ? agni_hypu(x[0], x[1], x[2]) : agni_hyp1f1(x[0], x[1], x[2]); }
ROW_UNTIL(hyp2f1, 0) { return agni_hyp2f1(x[0], x[1], x[2], x[3]); }
ROW(jacobi_elliptic) { return agni_jacobi_elliptic(x[0], x[1], (int)i[0]); }
ROW(lambert_plane)
{
    double w[2];
    agni_lambert_plane(x[0], x[1], i[0], w);
    return w[i[1] != 0];
}
ROW(spherical_bessel) { return agni_spherical_bessel(x[0], (int)i[0], i[1]); }
ROW_UNTIL(struve, 1) { return agni_struve(x[0], x[1], i[0] != 0); }
ROW_UNTIL(polylog, 0) { return agni_polylog(x[0], x[1]); }
ROW(gamma_partial)
{
    return i[1] ? agni_gamma_d_partial(x[0], x[1], (int)i[0])
                : agni_gamma_partial(x[0], x[1], (int)i[0]);
}
ROW(beta_partial)
{
    return i[2] ? agni_beta_d_partial(x[0], x[1], x[2], (int)i[0], (int)i[1])
                : agni_beta_partial(x[0], x[1], x[2], (int)i[0], (int)i[1]);
}
ROW(zeta_partial) { return agni_zeta_partial(x[0], x[1], (int)i[0]); }

#define BOTH(name) \
    {#name, AGN_F32, true, run_elements<row_##name, float>}, \
    { \
#name, AGN_F64, true, run_elements < row_##name, double> \
    }
const agn_kernel_entry table[] = {
    BOTH(airy),          BOTH(fresnel),       BOTH(lambert_w),       BOTH(bessel),
    BOTH(elliptic),      BOTH(carlson),       BOTH(expn),            BOTH(expi),
    BOTH(owens_t),       BOTH(faddeeva),      BOTH(polynomial),      BOTH(kummer),
    BOTH(hyp2f1),        BOTH(jacobi_elliptic), BOTH(lambert_plane), BOTH(spherical_bessel),
    BOTH(struve),        BOTH(polylog),       BOTH(gamma_partial),   BOTH(beta_partial),
    BOTH(zeta_partial),
};

} // namespace

extern "C" const agni_cu_table agni_cu_special = {table, (int)(sizeof table / sizeof *table)};
