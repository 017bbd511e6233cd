/* linalg/cuda/spectral.cu - QR by reflectors, Hermitian eigenpairs and singular values by Jacobi's
   rotations (Golub & Van Loan 2013, 5.2, 8.5, 8.6), one block of threads for each matrix. Pairs of
   a round do not meet, so that the threads of a block rotate them at once. Large matrices are
   cuSOLVER's (large_spectral.cu). */
#include "linalg/cuda/large.cuh"

namespace {

using namespace block;

enum { SWEEPS = 60 };

/* the power of two that brings the largest entry of n numbers next to 1 */
template <class T> inline __device__ real_t<T> unit_of(const T *a, int64_t n)
{
    double most = 0;
    AGNI_CU_FOR (i, n)
        most = fmax(most, size_of(a[i]));
    most = largest(most, 0, NULL);
    int e = 0;
    if (most > 0)
        (void)frexp(most, &e);
    int narrow = sizeof(real_t<T>) == 4 ? 100 : 1000;
    return (real_t<T>)ldexp(1.0, e > narrow ? -narrow : e < -narrow ? narrow : -e);
}
template <class T> inline __device__ void scale(T *a, int64_t n, real_t<T> by)
{
    AGNI_CU_FOR (i, n)
        a[i] = a[i] * by;
    __syncthreads();
}

/* ---- QR ------------------------------------------------------------------------------------- */

/* reflector k of column k: 1 - tau v v^H with v[k] = 1 takes the column to a real number */
template <class T> inline __device__ T reflector(T *a, int64_t rows, int64_t n, int64_t k)
{
    using R = real_t<T>;
    R sum = 0;
    AGNI_CU_FOR (i, rows - k - 1)
        sum += square(a[(k + 1 + i) * n + k]);
    sum = total(sum);
    T alpha = a[k * n + k];
    __syncthreads();
    if (sum == 0 && imaginary_part(alpha) == 0)
        return T(0);
    R norm = sqrt(sum + square(alpha)), beta = real_part(alpha) < 0 ? norm : -norm;
    T by = T(1) / (alpha - T(beta));
    AGNI_CU_FOR (i, rows - k - 1)
        a[(k + 1 + i) * n + k] = a[(k + 1 + i) * n + k] * by;
    if (threadIdx.x == 0)
        a[k * n + k] = T(beta);
    __syncthreads();
    return (T(beta) - alpha) / beta; /* of 1 - conj(tau) v v^H; the conjugate belongs to q */
}
/* x -= t v (v^H x), columns from first on; v lies in column k of a */
template <class T>
inline __device__ void reflect(T *x, int64_t cols, int64_t first, const T *a, int64_t n,
                               int64_t rows, int64_t k, T t)
{
    AGNI_CU_FOR (e, cols - first) {
        int64_t j = first + e;
        T sum = x[k * cols + j];
        for (int64_t i = k + 1; i < rows; i++)
            sum += conjugate(a[i * n + k]) * x[i * cols + j];
        sum = sum * t;
        x[k * cols + j] -= sum;
        for (int64_t i = k + 1; i < rows; i++)
            x[i * cols + j] -= a[i * n + k] * sum;
    }
    __syncthreads();
}

template <class T>
__global__ void __launch_bounds__(THREADS)
    factor_qr(const T *x, T *room, T *q, T *r, int64_t rows, int64_t n, int64_t cols, int64_t batch,
              unsigned long long *fault)
{
    int64_t k = rows < n ? rows : n, r_rows = cols;
    T *a = room + blockIdx.x * (rows * n + k), *tau = a + rows * n;
    AGNI_CU_MATRICES (m, batch) {
        T *to = q + m * rows * cols, *up = r + m * r_rows * n;
        bool wild = copy_finite(a, x + m * rows * n, rows * n);
        if (wild) {
            spoil(to, rows * cols);
            spoil(up, r_rows * n);
            report(fault, AGNI_CU_NOT_FINITE, m);
            __syncthreads();
            continue;
        }
        real_t<T> unit = unit_of(a, rows * n);
        scale(a, rows * n, unit);
        for (int64_t j = 0; j < k; j++) {
            T t = reflector(a, rows, n, j);
            if (threadIdx.x == 0)
                tau[j] = t;
            reflect(a, n, j + 1, a, n, rows, j, conjugate(t));
        }
        AGNI_CU_FOR (e, r_rows * n)
            up[e] = e / n <= e % n && e / n < k ? a[e] / unit : T(0);
        AGNI_CU_FOR (e, rows * cols)
            to[e] = T(e / cols == e % cols);
        __syncthreads();
        for (int64_t j = k - 1; j >= 0; j--)
            reflect(to, cols, j, a, n, rows, j, tau[j]);
    }
}

template <class T> agn_status run_qr(const agn_kernel_call *c)
{
    const agn_array *x = c->in;
    int64_t rows = x->shape[x->ndim - 2], n = x->shape[x->ndim - 1], k = rows < n ? rows : n,
            batch = 1;
    int64_t cols = c->ints[0] ? rows : k;
    for (int d = 0; d < x->ndim - 2; d++)
        batch *= x->shape[d];
    if (!batch || !rows || !cols)
        return AGN_OK;
    unsigned blocks = matrices(batch < 512 ? batch : 512);
    void *room = NULL;
    int was = agni_cu_enter(c->device);
    if (goes_alone(k, batch)) {
        agn_status st = large_qr<T>(c, rows, n, cols, batch);
        agni_cu_leave(was);
        return st;
    }
    agn_status st = agni_cu_scratch(c, (size_t)(blocks * (rows * n + k)) * sizeof(T), &room);
    if (!st) {
        factor_qr<T><<<blocks, THREADS, 0, (cudaStream_t)c->stream>>>(
            (const T *)x->data, (T *)room, (T *)c->out[0].data, (T *)c->out[1].data, rows, n, cols,
            batch, agni_cu_fault_word(c->device));
        st = agni_cu_check_launch(c);
    }
    agni_cu_scratch_free(c, room);
    agni_cu_leave(was);
    return st;
}

/* ---- pairs of a round ----------------------------------------------------------------------- */

/* pair i of round r among n (even) players: of the circle, one stays */
static inline __device__ void pair_of(int64_t n, int64_t r, int64_t i, int64_t *p, int64_t *q)
{
    int64_t turn = n - 1, a = i == 0 ? n - 1 : (r + i) % turn,
            b = i == 0 ? r % turn : (r + turn - i) % turn;
    *p = a < b ? a : b;
    *q = a < b ? b : a;
}

/* of [[a, z], [conj z, b]]: c, s real, e of modulus 1, with columns p, q becoming c p - s conj(e)
   q, s e p + c q */
template <class T> struct rotation {
    real_t<T> c, s;
    T e;
};
template <class T> inline __device__ rotation<T> rotation_of(real_t<T> a, real_t<T> b, T z)
{
    using R = real_t<T>;
    R r = modulus(z), theta = (b - a) / (2 * r);
    R t = (theta < 0 ? R(-1) : R(1)) / (fabs(theta) + hypot(theta, R(1)));
    rotation<T> y;
    y.c = 1 / sqrt(t * t + 1);
    y.s = t * y.c;
    y.e = z / r;
    return y;
}

/* columns p and q of x [rows, n] */
template <class T>
inline __device__ void rotate(T *x, int64_t n, int64_t i, int64_t p, int64_t q,
                              const rotation<T> &g)
{
    T a = x[i * n + p], b = x[i * n + q];
    x[i * n + p] = a * g.c - conjugate(g.e) * b * g.s;
    x[i * n + q] = g.e * a * g.s + b * g.c;
}

/* column j of v [rows, n]: the phase that makes its first entry next to the largest real and
   positive */
template <class T> inline __device__ T phase_of(const T *v, int64_t rows, int64_t n, int64_t j)
{
    real_t<T> most = 0;
    for (int64_t i = 0; i < rows; i++)
        most = fmax(most, modulus(v[i * n + j]));
    if (!(most > 0))
        return T(1);
    int64_t i = 0;
    while (!(modulus(v[i * n + j]) >= most * (real_t<T>)PHASE_NEAR))
        i++;
    T z = v[i * n + j];
    return conjugate(z) / modulus(z);
}

/* ---- eigenpairs ----------------------------------------------------------------------------- */

/* false: no convergence. h becomes diagonal, v (or NULL) its vectors in columns */
template <class T> inline __device__ bool diagonalise(T *h, T *v, rotation<T> *turn, int64_t n)
{
    using R = real_t<T>;
    int64_t even = n + (n & 1);
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        R off = 0, all = 0;
        AGNI_CU_FOR (e, n * n) {
            R a = square(h[e]);
            all += a;
            off += e % (n + 1) ? a : 0;
        }
        off = total(off), all = total(all);
        R eps = epsilon(R(0));
        if (!(off > eps * eps * all))
            return true;
        for (int64_t r = 0; r < even - 1; r++) {
            AGNI_CU_FOR (i, even / 2) {
                int64_t p, q;
                pair_of(even, r, i, &p, &q);
                rotation<T> g = {1, 0, T(1)};
                if (q < n && modulus(h[p * n + q]) > 0)
                    g = rotation_of<T>(real_part(h[p * n + p]), real_part(h[q * n + q]),
                                       h[p * n + q]);
                turn[i] = g;
            }
            __syncthreads();
            AGNI_CU_FOR (e, n * (even / 2)) {
                int64_t p, q, i = e / n, k = e % n;
                pair_of(even, r, i, &p, &q);
                if (q < n) {
                    rotate(h, n, k, p, q, turn[i]);
                    if (v)
                        rotate(v, n, k, p, q, turn[i]);
                }
            }
            __syncthreads();
            AGNI_CU_FOR (e, n * (even / 2)) {
                int64_t p, q, i = e / n, k = e % n;
                pair_of(even, r, i, &p, &q);
                if (q < n) {
                    rotation<T> g = turn[i];
                    T a = h[p * n + k], b = h[q * n + k];
                    h[p * n + k] = a * g.c - g.e * b * g.s;
                    h[q * n + k] = conjugate(g.e) * a * g.s + b * g.c;
                    if (k == q) /* what the rotation is for */
                        h[p * n + q] = T(0);
                    if (k == p)
                        h[q * n + p] = T(0);
                }
            }
            __syncthreads();
        }
    }
    return false;
}

template <class T>
__global__ void __launch_bounds__(THREADS)
    eigenpairs(const T *x, T *room, real_t<T> *w, T *vectors, bool upper, int64_t n, int64_t batch,
               unsigned long long *fault)
{
    using R = real_t<T>;
    int64_t even = n + (n & 1), own = 2 * n * n;
    T *h = room + blockIdx.x * own, *v = h + n * n;
    rotation<T> *turn = (rotation<T> *)(room + gridDim.x * own) + blockIdx.x * (even / 2);
    AGNI_CU_MATRICES (m, batch) {
        const T *a = x + m * n * n;
        bool wild = false;
        AGNI_CU_FOR (e, n * n) { /* from one triangle; diagonals are real */
            int64_t i = e / n, j = e % n;
            bool own_side = upper ? j >= i : j <= i;
            T z = own_side ? a[e] : conjugate(a[j * n + i]);
            wild = wild || !isfinite(real_part(z)) || !isfinite(imaginary_part(z));
            h[e] = i == j ? T(real_part(z)) : z;
            v[e] = T(i == j);
        }
        wild = __syncthreads_or(wild);
        bool good = false;
        R unit = 1;
        if (!wild) {
            unit = unit_of(h, n * n);
            scale(h, n * n, unit);
            good = diagonalise(h, vectors ? v : (T *)NULL, turn, n);
        }
        if (!good) {
            spoil(w + m * n, n);
            if (vectors)
                spoil(vectors + m * n * n, n * n);
            report(fault, wild ? AGNI_CU_NOT_FINITE : AGNI_CU_NO_CONVERGENCE, m);
        }
        AGNI_CU_FOR (j, good ? n : 0) {
            R value = real_part(h[j * (n + 1)]);
            int64_t rank = 0;
            for (int64_t i = 0; i < n; i++) {
                R other = real_part(h[i * (n + 1)]);
                rank += other < value || (other == value && i < j);
            }
            w[m * n + rank] = value / unit;
            if (vectors) {
                T phase = phase_of(v, n, n, j);
                for (int64_t i = 0; i < n; i++)
                    vectors[m * n * n + i * n + rank] = v[i * n + j] * phase;
            }
        }
        __syncthreads();
    }
}

template <class T> agn_status run_eigh(const agn_kernel_call *c)
{
    const agn_array *x = c->in;
    int64_t n = x->shape[x->ndim - 1], size = agni_cu_size(x), batch = n ? size / (n * n) : 0;
    if (!batch)
        return AGN_OK;
    unsigned blocks = matrices(batch < 512 ? batch : 512);
    void *room = NULL;
    int was = agni_cu_enter(c->device);
    if (n > SMALL) {
        agn_status st = large_eigh<T>(c, n, batch);
        agni_cu_leave(was);
        return st;
    }
    agn_status st = agni_cu_scratch(
        c, blocks * ((size_t)(2 * n * n) * sizeof(T) + (size_t)((n + 1) / 2) * sizeof(rotation<T>)),
        &room);
    if (!st) {
        eigenpairs<T><<<blocks, THREADS, 0, (cudaStream_t)c->stream>>>(
            (const T *)x->data, (T *)room, (real_t<T> *)c->out[0].data,
            c->n_out > 1 ? (T *)c->out[1].data : NULL, c->ints[0] != 0, n, batch,
            agni_cu_fault_word(c->device));
        st = agni_cu_check_launch(c);
    }
    agni_cu_scratch_free(c, room);
    agni_cu_leave(was);
    return st;
}

/* ---- singular values ------------------------------------------------------------------------ */

/* the square of a column that is rounding beside entries next to 1: its direction is nothing */
template <class R> inline __device__ R dead(R)
{
    return epsilon(R(0)) * epsilon(R(0)) / 16;
}

/* columns of a [m, k] become orthogonal, v (or NULL) [k, k] has what was done; false: no
   convergence */
template <class T> inline __device__ bool orthogonalise(T *a, T *v, int64_t m, int64_t k)
{
    using R = real_t<T>;
    int64_t even = k + (k & 1);
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        bool turned = false;
        for (int64_t r = 0; r < even - 1; r++) {
            AGNI_CU_FOR (i, even / 2) {
                int64_t p, q;
                pair_of(even, r, i, &p, &q);
                R aa = 0, bb = 0;
                T z = T(0);
                for (int64_t l = 0; q < k && l < m; l++) {
                    T x = a[l * k + p], y = a[l * k + q];
                    aa += square(x), bb += square(y);
                    z += conjugate(x) * y;
                }
                R size = modulus(z);
                R low = dead(R(0));
                if (!(size > epsilon(R(0)) * (R)(m + 4) * sqrt(aa) * sqrt(bb)) || !(aa > low) ||
                    !(bb > low))
                    continue;
                turned = true;
                rotation<T> g = rotation_of<T>(aa, bb, z);
                for (int64_t l = 0; l < m; l++)
                    rotate(a, k, l, p, q, g);
                for (int64_t l = 0; v && l < k; l++)
                    rotate(v, k, l, p, q, g);
            }
            __syncthreads();
        }
        if (!__syncthreads_or(turned))
            return true;
    }
    return false;
}

inline __device__ float of_parts(float re, float, float) { return re; }
inline __device__ double of_parts(double re, double, double) { return re; }
inline __device__ c64 of_parts(float re, float im, const c64 &) { return c64(re, im); }
inline __device__ c128 of_parts(double re, double im, const c128 &) { return c128(re, im); }

/* column j of u [m, cols] becomes a unit vector orthogonal to the columns before it: of the axes,
   the one that they cover least, twice made orthogonal */
template <class T> inline __device__ void complete(T *u, int64_t m, int64_t cols, int64_t j)
{
    using R = real_t<T>;
    double most = -1;
    int64_t at = 0, axis;
    AGNI_CU_FOR (i, m) {
        R covered = 0;
        for (int64_t l = 0; l < j; l++)
            covered += square(u[i * cols + l]);
        if (1 - (double)covered > most)
            most = 1 - (double)covered, at = i;
    }
    (void)largest(most, at, &axis);
    AGNI_CU_FOR (i, m)
        u[i * cols + j] = T(i == axis);
    __syncthreads();
    for (int again = 0; again < 3; again++) {
        for (int64_t l = 0; l < j; l++) {
            R re = 0, im = 0;
            AGNI_CU_FOR (i, m) {
                T z = conjugate(u[i * cols + l]) * u[i * cols + j];
                re += real_part(z), im += imaginary_part(z);
            }
            re = total(re), im = total(im);
            AGNI_CU_FOR (i, m)
                u[i * cols + j] -= of_parts(re, im, T(0)) * u[i * cols + l];
            __syncthreads();
        }
        R norm = 0;
        AGNI_CU_FOR (i, m)
            norm += square(u[i * cols + j]);
        norm = sqrt(total(norm));
        AGNI_CU_FOR (i, m)
            u[i * cols + j] = u[i * cols + j] / norm;
        __syncthreads();
    }
}

/* a = left diag(s) right^H of a [m, k], m >= k: left [m, left_cols] and right [k, k] in columns */
template <class T>
__global__ void __launch_bounds__(THREADS)
    singular(const T *x, T *room, T *u, real_t<T> *s, T *vh, int64_t rows, int64_t cols, bool full,
             int64_t batch, unsigned long long *fault)
{
    using R = real_t<T>;
    bool wide = rows < cols;
    int64_t m = wide ? cols : rows, k = wide ? rows : cols, wide_cols = full ? m : k;
    T *a = room + blockIdx.x * (m * k + k * k + m * wide_cols), *v = a + m * k, *left = v + k * k;
    AGNI_CU_MATRICES (b, batch) {
        const T *from = x + b * rows * cols;
        bool wild = false;
        AGNI_CU_FOR (e, m * k) {
            int64_t i = e / k, j = e % k;
            T z = wide ? conjugate(from[j * cols + i]) : from[e];
            wild = wild || !isfinite(real_part(z)) || !isfinite(imaginary_part(z));
            a[e] = z;
        }
        AGNI_CU_FOR (e, k * k)
            v[e] = T(e % (k + 1) == 0);
        wild = __syncthreads_or(wild);
        bool good = false;
        R unit = 1;
        if (!wild) {
            unit = unit_of(a, m * k);
            scale(a, m * k, unit);
            good = orthogonalise(a, u ? v : (T *)NULL, m, k);
        }
        int64_t u_cols = full ? rows : k, vh_rows = full ? cols : k;
        if (!good) {
            spoil(s + b * k, k);
            if (u) {
                spoil(u + b * rows * u_cols, rows * u_cols);
                spoil(vh + b * vh_rows * cols, vh_rows * cols);
            }
            report(fault, wild ? AGNI_CU_NOT_FINITE : AGNI_CU_NO_CONVERGENCE, b);
            __syncthreads();
            continue;
        }
        T *right = u ? vh + b * vh_rows * cols : NULL, *to = u ? u + b * rows * u_cols : NULL;
        /* rank of each column by its norm; left in order */
        int64_t mine = 0; /* columns that are there, of this thread's */
        AGNI_CU_FOR (j, k) {
            R own = 0;
            for (int64_t i = 0; i < m; i++)
                own += square(a[i * k + j]);
            int64_t rank = 0;
            for (int64_t l = 0; l < k; l++) {
                R other = 0;
                for (int64_t i = 0; i < m; i++)
                    other += square(a[i * k + l]);
                rank += other > own || (other == own && l < j);
            }
            R value = sqrt(own);
            s[b * k + rank] = value / unit;
            if (!u)
                continue;
            bool there = own > dead(R(0));
            mine += there;
            for (int64_t i = 0; i < m; i++)
                left[i * wide_cols + rank] = there ? a[i * k + j] / value : T(0);
            for (int64_t i = 0; i < k; i++) { /* column rank of the other factor */
                if (wide)
                    to[i * u_cols + rank] = v[i * k + j];
                else
                    right[rank * cols + i] = conjugate(v[i * k + j]);
            }
        }
        int64_t present = (int64_t)total((double)mine);
        if (!u)
            continue;
        for (int64_t j = present; j < wide_cols; j++)
            complete(left, m, wide_cols, j);
        AGNI_CU_FOR (e, m * wide_cols) {
            int64_t i = e / wide_cols, j = e % wide_cols;
            if (wide)
                right[j * cols + i] = conjugate(left[e]);
            else
                to[i * u_cols + j] = left[e];
        }
        __syncthreads();
        AGNI_CU_FOR (j, k) {
            T phase = phase_of(to, rows, u_cols, j);
            for (int64_t i = 0; i < rows; i++)
                to[i * u_cols + j] = to[i * u_cols + j] * phase;
            for (int64_t i = 0; i < cols; i++)
                right[j * cols + i] = right[j * cols + i] * conjugate(phase);
        }
        __syncthreads();
    }
}

template <class T>
agn_status start_singular(const agn_kernel_call *c, const void *x, void *u, void *s, void *vh,
                          int64_t rows, int64_t cols, bool full, int64_t batch)
{
    int64_t m = rows > cols ? rows : cols, k = rows + cols - m, wide = full ? m : k;
    unsigned blocks = matrices(batch < 512 ? batch : 512);
    void *room = NULL;
    if (goes_alone(k, batch))
        return large_svd<T>(c, (const T *)x, (T *)u, (real_t<T> *)s, (T *)vh, rows, cols, full,
                            batch);
    agn_status st = agni_cu_scratch(c, blocks * (size_t)(m * k + k * k + m * wide) * sizeof(T),
                                    &room);
    if (!st) {
        singular<T><<<blocks, THREADS, 0, (cudaStream_t)c->stream>>>(
            (const T *)x, (T *)room, (T *)u, (real_t<T> *)s, (T *)vh, rows, cols, full, batch,
            agni_cu_fault_word(c->device));
        st = agni_cu_check_launch(c);
    }
    agni_cu_scratch_free(c, room);
    return st;
}

template <class T> agn_status run_svd(const agn_kernel_call *c)
{
    const agn_array *x = c->in;
    int64_t rows = x->shape[x->ndim - 2], cols = x->shape[x->ndim - 1], batch = 1;
    bool vectors = c->n_out > 1, full = vectors && c->ints[0];
    for (int d = 0; d < x->ndim - 2; d++)
        batch *= x->shape[d];
    if (!batch || (rows == 0 && cols == 0) || ((rows == 0 || cols == 0) && !full))
        return AGN_OK;
    int was = agni_cu_enter(c->device);
    agn_status st = start_singular<T>(c, x->data, vectors ? c->out[0].data : NULL,
                                      c->out[vectors].data, vectors ? c->out[2].data : NULL, rows,
                                      cols, full, batch);
    agni_cu_leave(was);
    return st;
}

/* y [cols, rows] = v diag(1 / s) u^H of the values above rcond times the largest */
template <class T>
__global__ void __launch_bounds__(256)
    invert(const T *u, const real_t<T> *s, const T *vh, T *y, int64_t rows, int64_t cols,
           int64_t batch, double rcond)
{
    int64_t k = rows < cols ? rows : cols;
    AGNI_CU_EACH (e, batch * rows * cols) {
        int64_t j = e % rows, i = e / rows % cols, b = e / (rows * cols);
        const real_t<T> *w = s + b * k;
        T sum = T(0);
        for (int64_t l = 0; l < k; l++)
            if ((double)w[l] > rcond * (double)w[0])
                sum += conjugate(vh[(b * k + l) * cols + i]) *
                       conjugate(u[(b * rows + j) * k + l]) / w[l];
        y[e] = isnan(w[0]) ? T((real_t<T>)NAN) : sum;
    }
}

template <class T> agn_status run_pinv(const agn_kernel_call *c)
{
    const agn_array *x = c->in;
    int64_t rows = x->shape[x->ndim - 2], cols = x->shape[x->ndim - 1], batch = 1;
    for (int d = 0; d < x->ndim - 2; d++)
        batch *= x->shape[d];
    int64_t most = rows > cols ? rows : cols, k = rows + cols - most, n = rows * k + k * cols;
    if (!batch || !k)
        return AGN_OK;
    double rcond = c->reals[0] < 0 ? (double)most * (sizeof(real_t<T>) == 4 ? 0x1p-23 : 0x1p-52)
                                   : c->reals[0];
    void *room = NULL;
    int was = agni_cu_enter(c->device);
    agn_status st = agni_cu_scratch(
        c, (size_t)(batch * n) * sizeof(T) + (size_t)(batch * k) * sizeof(real_t<T>), &room);
    T *u = (T *)room, *vh = u + batch * rows * k;
    real_t<T> *s = (real_t<T> *)(vh + batch * k * cols);
    if (!st)
        st = start_singular<T>(c, x->data, u, s, vh, rows, cols, false, batch);
    if (!st) {
        invert<T><<<agni_cu_blocks(batch * rows * cols, 256), 256, 0, (cudaStream_t)c->stream>>>(
            u, s, vh, (T *)c->out[0].data, rows, cols, batch, rcond);
        st = agni_cu_check_launch(c);
    }
    agni_cu_scratch_free(c, room);
    agni_cu_leave(was);
    return st;
}

const agn_kernel_entry table[] = {
    AGNI_CU_FOUR("linalg_qr", run_qr),         AGNI_CU_FOUR("linalg_eigh", run_eigh),
    AGNI_CU_FOUR("linalg_eigvalsh", run_eigh), AGNI_CU_FOUR("linalg_svd", run_svd),
    AGNI_CU_FOUR("linalg_svdvals", run_svd),   AGNI_CU_FOUR("linalg_pinv", run_pinv),
};

} // namespace

extern "C" const agni_cu_table agni_cu_spectral = {table, (int)(sizeof table / sizeof *table)};
