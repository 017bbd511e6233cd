/* linalg/cuda/gaps.cu - what derivatives of eigenvalues are made of, on a device: quotients by
   gaps and diagonals at ties, by the rules of linalg/cpu/spectral_gaps.c (Kato 1995, II.2). A
   block of threads for each matrix; a tie that the choice of vectors would decide makes NaN and a
   fault. Values of general matrices, which are complex, are declined. */
#include "linalg/cuda/block.cuh"

namespace {

using namespace block;

enum { GAP_THREADS = 128 };

/* the largest modulus of n numbers, known to all threads; NaN wins. room[GAP_THREADS] */
template <class T> __device__ double largest_entry(const T *p, int64_t n, double *room)
{
    double most = 0;
    for (int64_t i = threadIdx.x; i < n; i += blockDim.x) {
        double a = (double)modulus(p[i]);
        most = a > most || a != a ? a : most;
    }
    room[threadIdx.x] = most;
    __syncthreads();
    for (unsigned w = GAP_THREADS / 2; w > 0; w /= 2) {
        if (threadIdx.x < w) {
            double a = room[threadIdx.x + w];
            most = a > most || a != a ? a : most;
            room[threadIdx.x] = most;
        }
        __syncthreads();
    }
    most = room[0];
    __syncthreads();
    return most;
}

template <class T>
__global__ void __launch_bounds__(GAP_THREADS)
    gap_quotient(const T *p, const T *u, const T *v, T *y, int64_t m, int64_t n, int64_t batch,
                 double tie, double noise, bool skip, unsigned long long *fault)
{
    __shared__ double room[GAP_THREADS];
    for (int64_t b = blockIdx.x; b < batch; b += gridDim.x) {
        const T *pb = p + b * m * n, *ub = u + b * m, *vb = v + b * n;
        double scale = fmax(largest_entry(ub, m, room), largest_entry(vb, n, room));
        double most = largest_entry(pb, m * n, room);
        for (int64_t e = threadIdx.x; e < m * n; e += blockDim.x) {
            int64_t i = e / n, j = e - i * n;
            T a = pb[e], gap = vb[j] - ub[i];
            if (skip && i == j) {
                y[b * m * n + e] = T(0);
                continue;
            }
            if ((double)modulus(gap) <= tie * scale) {
                double size = (double)modulus(a);
                if (size > noise * most) {
                    atomicMin_system(fault, AGNI_CU_FAULT(AGNI_CU_TIE, b));
                    a = T((real_t<T>)NAN);
                } else {
                    a = size == size ? T(0) : a; /* NaN stays */
                }
                gap = T(1);
            }
            y[b * m * n + e] = a / gap;
        }
        __syncthreads();
    }
}

/* eigenvalues of a Hermitian block h [n, n], by Jacobi's rotations, sorted into w */
__device__ inline void block_values(c128 *h, int64_t n, double *w, bool descending)
{
    for (int sweep = 0; sweep < 60; sweep++) {
        double off = 0, all = 0;
        for (int64_t e = 0; e < n * n; e++) {
            double a = modulus(h[e]);
            all += a * a;
            off += e / n == e % n ? 0 : a * a;
        }
        if (!(off > 0x1p-106 * all))
            break;
        for (int64_t p = 0; p < n; p++)
            for (int64_t q = p + 1; q < n; q++) {
                c128 z = h[p * n + q];
                double r = modulus(z);
                if (!(r > 0))
                    continue;
                double theta = (h[q * n + q].real() - h[p * n + p].real()) / (2 * r);
                double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
                double cs = 1 / sqrt(t * t + 1), sn = t * cs;
                c128 e = z / r;
                for (int64_t k = 0; k < n; k++) {
                    c128 a = h[k * n + p], b = h[k * n + q];
                    h[k * n + p] = cs * a - sn * conjugate(e) * b;
                    h[k * n + q] = sn * e * a + cs * b;
                }
                for (int64_t k = 0; k < n; k++) {
                    c128 a = h[p * n + k], b = h[q * n + k];
                    h[p * n + k] = cs * a - sn * e * b;
                    h[q * n + k] = sn * conjugate(e) * a + cs * b;
                }
            }
    }
    for (int64_t i = 0; i < n; i++) {
        double x = h[i * n + i].real();
        int64_t k = i;
        for (; k > 0 && (descending ? w[k - 1] < x : w[k - 1] > x); k--)
            w[k] = w[k - 1];
        w[k] = x;
    }
}

struct ties {
    int64_t n, batch, order;
    bool zero; /* values are not negative, and 0 is a tie with its mirror */
    double eps;
};

/* the diagonal of p at clusters of values w that are equal to rounding; room: n (n + 1) numbers
   a matrix */
template <class T>
__global__ void __launch_bounds__(GAP_THREADS)
    tie_diagonal(const T *p, const real_t<T> *w, real_t<T> *y, c128 *room, ties q,
                 unsigned long long *fault)
{
    __shared__ double seen[GAP_THREADS];
    int64_t n = q.n;
    for (int64_t b = blockIdx.x; b < q.batch; b += gridDim.x) {
        const T *pb = p + b * n * n;
        const real_t<T> *wb = w + b * n;
        real_t<T> *yb = y + b * n;
        double scale = largest_entry(wb, n, seen), most = largest_entry(pb, n * n, seen);
        double equal = 8 * (double)n * q.eps * scale, noise = 32 * (double)n * q.eps * most;
        for (int64_t i = 0, k; i < n && threadIdx.x == 0; i = k) {
            for (k = i + 1; k < n && fabs((double)wb[k] - (double)wb[k - 1]) <= equal; k++)
                ;
            bool dark = q.zero && fabs((double)wb[i]) <= equal;
            double off = 0;
            for (int64_t r = i; r < k; r++)
                for (int64_t c = i; c < k; c++)
                    if (r != c || dark)
                        off = fmax(off, (double)modulus(pb[r * n + c]));
            if (off <= noise) {
                for (int64_t r = i; r < k; r++)
                    yb[r] = real_part(pb[r * n + r]);
                continue;
            }
            if (q.order > 1 || dark) {
                atomicMin_system(fault, AGNI_CU_FAULT(AGNI_CU_TIE, b));
                for (int64_t r = i; r < k; r++)
                    yb[r] = (real_t<T>)NAN;
                continue;
            }
            int64_t size = k - i;
            c128 *h = room + b * n * (n + 1);
            double *values = (double *)(h + n * n);
            for (int64_t r = 0; r < size; r++)
                for (int64_t c = 0; c < size; c++) {
                    T x = pb[(i + r) * n + i + c], z = conjugate(pb[(i + c) * n + i + r]);
                    double re = (double)real_part(x) + (double)real_part(z);
                    double im = (double)imaginary_part(x) + (double)imaginary_part(z);
                    h[r * size + c] = c128(re / 2, im / 2);
                }
            block_values(h, size, values, q.zero);
            for (int64_t r = 0; r < size; r++)
                yb[i + r] = (real_t<T>)values[r];
        }
        __syncthreads();
    }
}

/* g on the diagonal; where values are within rounding of each other, their cotangents must be
   equal */
template <class R>
__global__ void __launch_bounds__(GAP_THREADS)
    tie_embed(const R *g, const R *w, R *y, ties q, unsigned long long *fault)
{
    __shared__ double seen[GAP_THREADS];
    int64_t n = q.n;
    for (int64_t b = blockIdx.x; b < q.batch; b += gridDim.x) {
        const R *gb = g + b * n, *wb = w + b * n;
        double scale = largest_entry(wb, n, seen), most = largest_entry(gb, n, seen);
        double blur = (double)n * q.eps * scale, allowed = sqrt(q.eps) * most,
               noise = 32 * (double)n * q.eps * most;
        for (int64_t e = threadIdx.x; e < n * n; e += blockDim.x) {
            int64_t i = e / n;
            y[b * n * n + e] = e == i * (n + 1) ? gb[i] : R(0);
        }
        for (int64_t i = threadIdx.x; i < n; i += blockDim.x) {
            double here = (double)gb[i], next = i + 1 < n ? (double)gb[i + 1] : here;
            double gap = i + 1 < n ? fabs((double)wb[i + 1] - (double)wb[i]) : 1;
            bool apart = fabs(next - here) * blur > allowed * gap && fabs(next - here) > noise;
            apart |= q.zero && fabs(here) * blur > allowed * fabs((double)wb[i]);
            if (apart)
                atomicMin_system(fault, AGNI_CU_FAULT(AGNI_CU_TIE, b));
        }
        __syncthreads();
    }
}

/* ---- calls ---------------------------------------- */

int64_t batch_count(const agn_array *x, int own)
{
    int64_t n = 1;
    for (int d = 0; d < x->ndim - own; d++)
        n *= x->shape[d];
    return n;
}
/* below this part of the scale a gap of that order is a tie */
double tie_of(double eps, int64_t order, int64_t n)
{
    return order == 0 ? 8 * (double)n * eps : pow(eps, 0.5 / (double)(order > 1 ? order : 1));
}
template <class T> double eps_of()
{
    return sizeof(real_t<T>) == 4 ? 0x1p-23 : 0x1p-52;
}
unsigned blocks_of(int64_t batch)
{
    return (unsigned)(batch < 8192 ? batch : 8192);
}

template <class T> agn_status run_quotient(const agn_kernel_call *c)
{
    const agn_array *y = c->out;
    int64_t m = y->shape[y->ndim - 2], n = y->shape[y->ndim - 1], batch = batch_count(y, 2);
    if (agni_cu_size(y) == 0)
        return AGN_OK;
    double eps = eps_of<T>();
    int was = agni_cu_enter(c->device);
    gap_quotient<T><<<blocks_of(batch), GAP_THREADS, 0, (cudaStream_t)c->stream>>>(
        (const T *)c->in[0].data, (const T *)c->in[1].data, (const T *)c->in[2].data, (T *)y->data,
        m, n, batch, tie_of(eps, c->ints[0], m + n), 16 * (double)(m + n) * eps, c->ints[1] != 0,
        agni_cu_fault_word(c->device));
    agn_status st = agni_cu_check_launch(c);
    agni_cu_leave(was);
    return st;
}

template <class T> ties read_ties(const agn_kernel_call *c)
{
    const agn_array *w = c->in + 1;
    ties q = {w->shape[w->ndim - 1], batch_count(w, 1), c->ints[0], c->ints[1] != 0, eps_of<T>()};
    return q;
}
/* are the values those of a general matrix? */
bool is_general(const agn_kernel_call *c)
{
    return c->in[1].dtype == AGN_C64 || c->in[1].dtype == AGN_C128;
}

template <class T> agn_status run_diagonal(const agn_kernel_call *c)
{
    ties q = read_ties<T>(c);
    void *room = NULL;
    if (q.n * q.batch == 0)
        return AGN_OK;
    if (is_general(c))
        return agn_backend_fail(AGN_EUNSUPPORTED, "values of general matrices have no kernel");
    int was = agni_cu_enter(c->device);
    agn_status st = agni_cu_scratch(c, (size_t)(q.batch * q.n * (q.n + 1)) * sizeof(c128), &room);
    if (!st) {
        tie_diagonal<T><<<blocks_of(q.batch), GAP_THREADS, 0, (cudaStream_t)c->stream>>>(
            (const T *)c->in[0].data, (const real_t<T> *)c->in[1].data, (real_t<T> *)c->out->data,
            (c128 *)room, q, agni_cu_fault_word(c->device));
        st = agni_cu_check_launch(c);
    }
    agni_cu_scratch_free(c, room);
    agni_cu_leave(was);
    return st;
}

template <class R> agn_status run_embed(const agn_kernel_call *c)
{
    ties q = read_ties<R>(c);
    if (q.n * q.batch == 0)
        return AGN_OK;
    int was = agni_cu_enter(c->device);
    tie_embed<R><<<blocks_of(q.batch), GAP_THREADS, 0, (cudaStream_t)c->stream>>>(
        (const R *)c->in[0].data, (const R *)c->in[1].data, (R *)c->out->data, q,
        agni_cu_fault_word(c->device));
    agn_status st = agni_cu_check_launch(c);
    agni_cu_leave(was);
    return st;
}

const agn_kernel_entry table[] = {
    AGNI_CU_FOUR("linalg_gap_quotient", run_quotient),
    AGNI_CU_FOUR("linalg_tie_diagonal", run_diagonal),
    {"linalg_tie_embed", AGN_F32, false, run_embed<float>},
    {"linalg_tie_embed", AGN_F64, false, run_embed<double>},
};

} // namespace

extern "C" const agni_cu_table agni_cu_gaps = {table, (int)(sizeof table / sizeof *table)};
