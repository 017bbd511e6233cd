/* linalg/cuda/large.cuh - matrices beyond the size that one block of threads factors well: by
   cuSOLVER. Each function takes row-major matrices and gives what the kernels of lu.cu and
   spectral.cu give, faults with it. */
#ifndef AGNI_LINALG_LARGE_CUH
#define AGNI_LINALG_LARGE_CUH

#include "linalg/cuda/block.cuh"

namespace block {

/* Rows and columns up to which one block of threads takes a matrix. Above, what has no batched
   function in cuSOLVER goes there one by one if there are few, or if each keeps a device busy. */
enum { SMALL = 32, FEW = 16, FULL = 256 };
static inline bool goes_alone(int64_t n, int64_t batch)
{
    return n > SMALL && (batch <= FEW || n >= FULL);
}
#define PHASE_NEAR (1 - 0x1p-6) /* AGNI_PHASE_NEAR */

template <class T>
agn_status large_lu_factor(const agn_kernel_call *c, int64_t n, int64_t batch);
template <class T>
agn_status large_lu_solve(const agn_kernel_call *c, const agni_cu_walk &w, int64_t n, int64_t cols);
template <class T>
agn_status large_lu(const agn_kernel_call *c, int64_t rows, int64_t n, int64_t batch);
template <class T>
agn_status large_determinant(const agn_kernel_call *c, int64_t n, int64_t batch);
template <class T>
agn_status large_qr(const agn_kernel_call *c, int64_t rows, int64_t n, int64_t cols, int64_t batch);
template <class T> agn_status large_eigh(const agn_kernel_call *c, int64_t n, int64_t batch);
template <class T>
agn_status large_svd(const agn_kernel_call *c, const T *x, T *u, real_t<T> *s, T *vh, int64_t rows,
                     int64_t cols, bool full, int64_t batch);

/* ---- determinants --------------------------------------------------------------------------- */

/* a number times a power of two, so that products of pivots do not overflow on their way */
struct scaled {
    c128 z;
    int64_t e;
};
static inline __device__ scaled times(scaled s, const c128 &d)
{
    s.z *= d;
    double most = fmax(fabs(s.z.real()), fabs(s.z.imag()));
    if (most > 0) {
        int e;
        (void)frexp(most, &e);
        s.z = c128(ldexp(s.z.real(), -e), ldexp(s.z.imag(), -e));
        s.e += e;
    }
    return s;
}
static inline __device__ float narrow(const c128 &z, float) { return (float)z.real(); }
static inline __device__ double narrow(const c128 &z, double) { return z.real(); }
static inline __device__ c64 narrow(const c128 &z, const c64 &)
{
    return c64((float)z.real(), (float)z.imag());
}
static inline __device__ c128 narrow(const c128 &z, const c128 &) { return z; }
static inline __device__ double exponent_of(int64_t e)
{
    return (double)(e < -4000 ? -4000 : e > 4000 ? 4000 : e);
}

/* the product of the diagonal of a, of the other sign if it is odd; log: NULL for the determinant
   itself. Of one thread */
template <class T>
static inline __device__ void write_determinant(const T *a, int64_t n, bool odd, T *y,
                                                real_t<T> *log_of)
{
    scaled s = {c128(odd ? -1 : 1), 0};
    for (int64_t k = 0; k < n; k++)
        s = times(s, c128((double)real_part(a[k * (n + 1)]),
                          (double)imaginary_part(a[k * (n + 1)])));
    double size = hypot(s.z.real(), s.z.imag());
    int e = (int)exponent_of(s.e);
    if (log_of) {
        *y = size == 0 ? T(0) : narrow(s.z / size, T(0));
        *log_of = (real_t<T>)(size == 0 ? -(double)INFINITY
                                        : log(size) + (double)s.e * 0.69314718055994530942);
    } else {
        *y = narrow(c128(ldexp(s.z.real(), e), ldexp(s.z.imag(), e)), T(0));
    }
}

} // namespace block

#endif
