/* linalg/cuda/lu.cu - LU factors, solves with them and determinants, one block of threads for each
   matrix (Golub & Van Loan 2013, 3.4). The factor for solves has interchanges of columns and a unit
   upper triangle, as that of the host. Large matrices are cuSOLVER's (large_lu.cu). */
#include "linalg/cuda/large.cuh"

namespace {

using namespace block;

/* ---- interchanges of columns: a p = l u, u of unit diagonal --------------------------------- */

/* 0, or 1 + the step without a pivot */
template <class T> inline __device__ int64_t factor_columns(T *a, int64_t n, int32_t *pivots)
{
    int64_t bad = 0;
    for (int64_t k = 0; k < n && !bad; k++) {
        double most = -1;
        int64_t at = k, p;
        AGNI_CU_FOR (j, n - k)
            if (size_of(a[k * n + k + j]) > most)
                most = size_of(a[k * n + k + j]), at = k + j;
        if (!(largest(most, at, &p) > 0)) {
            bad = k + 1;
            break;
        }
        if (threadIdx.x == 0)
            pivots[k] = (int32_t)(p + 1);
        if (p != k)
            AGNI_CU_FOR (i, n) {
                T t = a[i * n + k];
                a[i * n + k] = a[i * n + p];
                a[i * n + p] = t;
            }
        __syncthreads();
        T d = a[k * n + k];
        AGNI_CU_FOR (j, n - k - 1)
            a[k * n + k + 1 + j] = a[k * n + k + 1 + j] / d;
        __syncthreads();
        AGNI_CU_FOR (e, (n - k - 1) * (n - k - 1)) {
            int64_t i = k + 1 + e / (n - k - 1), j = k + 1 + e % (n - k - 1);
            a[i * n + j] -= a[i * n + k] * a[k * n + j];
        }
        __syncthreads();
    }
    return bad;
}

/* info: NULL, or what failed, of which the factor becomes that of 1 */
template <class T>
__global__ void __launch_bounds__(THREADS)
    lu_factor(const T *x, T *y, int32_t *pivots, int32_t *info, int64_t n, int64_t batch,
              unsigned long long *fault)
{
    AGNI_CU_MATRICES (m, batch) {
        T *a = y + m * n * n;
        int32_t *p = pivots + 3 * m * n;
        AGNI_CU_FOR (i, 3 * n)
            p[i] = 0;
        bool wild = copy_finite(a, x + m * n * n, n * n);
        int64_t bad = wild ? 0 : factor_columns(a, n, p);
        bool over = false;
        AGNI_CU_FOR (i, n * n)
            over = over || !isfinite(size_of(a[i]));
        over = __syncthreads_or(over);
        if (!bad && !wild && over)
            bad = 1;
        if (threadIdx.x == 0 && info)
            info[m] = wild ? -1 : (int32_t)bad;
        if (!wild && !bad)
            continue;
        AGNI_CU_FOR (i, n)
            p[i] = (int32_t)(i + 1);
        if (info) {
            AGNI_CU_FOR (i, n * n)
                a[i] = T(i % (n + 1) == 0);
        } else {
            spoil(a, n * n);
            report(fault, wild ? AGNI_CU_NOT_FINITE : AGNI_CU_SINGULAR, m);
        }
    }
}

template <class T> agn_status run_lu_factor(const agn_kernel_call *c)
{
    const agn_array *y = c->out;
    int64_t n = y->shape[y->ndim - 1], size = agni_cu_size(y), batch = n ? size / (n * n) : 0;
    int32_t *info = c->n_out > 2 ? (int32_t *)c->out[2].data : NULL;
    int was = agni_cu_enter(c->device);
    agn_status st = AGN_OK;
    if (!n && info) { /* matrices of no rows do not fail */
        st = agni_cu_check(c->device, c->op,
                           cudaMemsetAsync(info, 0, (size_t)agni_cu_size(c->out + 2) * sizeof *info,
                                           (cudaStream_t)c->stream));
    } else if (n > SMALL) {
        st = batch ? large_lu_factor<T>(c, n, batch) : AGN_OK;
    } else if (batch) {
        lu_factor<T><<<matrices(batch), THREADS, 0, (cudaStream_t)c->stream>>>(
            (const T *)c->in[0].data, (T *)y->data, (int32_t *)c->out[1].data, info, n, batch,
            agni_cu_fault_word(c->device));
        st = agni_cu_check_launch(c);
    }
    agni_cu_leave(was);
    return st;
}

/* operands of a batch: offsets of lu, pivots, b for matrix m, which broadcast */
template <class T>
__global__ void __launch_bounds__(THREADS)
    lu_solve(const __grid_constant__ agni_cu_walk w, int64_t n, int64_t cols, int64_t form)
{
    bool transposed = form & 1, con = form & 2;
    AGNI_CU_MATRICES (m, w.size) {
        int64_t at[4];
        agni_cu_place<4>(w, m, at);
        T *x = (T *)w.p[0] + at[0];
        const T *lu = (const T *)w.p[1] + at[1], *b = (const T *)w.p[3] + at[3];
        const int32_t *p = (const int32_t *)w.p[2] + at[2];
        AGNI_CU_FOR (i, n * cols)
            x[i] = b[i];
        __syncthreads();
        if (transposed)
            AGNI_CU_FOR (j, cols)
                for (int64_t r = 0; r < n; r++) {
                    T t = x[r * cols + j];
                    int64_t q = p[r] - 1;
                    x[r * cols + j] = x[q * cols + j];
                    x[q * cols + j] = t;
                }
        __syncthreads();
        for (int half = 0; half < 2; half++) {
            /* l forwards, u backwards; of the transposes u^T forwards, l^T backwards */
            bool lower = half == (transposed ? 1 : 0), forwards = half == 0;
            for (int64_t s = 0; s < n; s++) {
                int64_t r = forwards ? s : n - 1 - s, from = forwards ? r + 1 : 0, rest = n - 1 - s;
                T d = con ? conjugate(lu[r * (n + 1)]) : lu[r * (n + 1)];
                if (lower)
                    AGNI_CU_FOR (j, cols)
                        x[r * cols + j] = x[r * cols + j] / d;
                __syncthreads();
                AGNI_CU_FOR (e, rest * cols) {
                    int64_t i = from + e / cols, j = e % cols;
                    T v = transposed ? lu[r * n + i] : lu[i * n + r];
                    x[i * cols + j] -= (con ? conjugate(v) : v) * x[r * cols + j];
                }
                __syncthreads();
            }
        }
        if (!transposed)
            AGNI_CU_FOR (j, cols)
                for (int64_t r = n - 1; r >= 0; r--) {
                    T t = x[r * cols + j];
                    int64_t q = p[r] - 1;
                    x[r * cols + j] = x[q * cols + j];
                    x[q * cols + j] = t;
                }
        __syncthreads();
    }
}

template <class T> agn_status run_lu_solve(const agn_kernel_call *c)
{
    const agn_array *y = c->out;
    int64_t n = y->shape[y->ndim - 2], cols = y->shape[y->ndim - 1];
    if (agni_cu_size(y) == 0)
        return AGN_OK;
    agn_array out = *y, in[3] = {c->in[0], c->in[1], c->in[3]};
    out.ndim -= 2, in[0].ndim -= 2, in[1].ndim -= 1, in[2].ndim -= 2;
    agni_cu_walk w;
    agni_cu_make_walk(&w, &out, 3, in);
    int was = agni_cu_enter(c->device);
    agn_status st;
    if (goes_alone(n, w.size)) {
        st = large_lu_solve<T>(c, w, n, cols);
    } else {
        lu_solve<T>
            <<<matrices(w.size), THREADS, 0, (cudaStream_t)c->stream>>>(w, n, cols, c->ints[0]);
        st = agni_cu_check_launch(c);
    }
    agni_cu_leave(was);
    return st;
}

/* ---- interchanges of rows: a = p l u with l of unit diagonal -------------------------------- */

/* order: the rows as they lie now, or NULL; *odd: an odd number of interchanges. Without a pivot a
   step does nothing */
template <class T>
inline __device__ void factor_rows(T *a, int64_t m, int64_t n, int64_t *order, bool *odd)
{
    int64_t steps = m < n ? m : n;
    *odd = false;
    for (int64_t k = 0; k < steps; k++) {
        double most = -1;
        int64_t at = k, p;
        AGNI_CU_FOR (i, m - k)
            if (size_of(a[(k + i) * n + k]) > most)
                most = size_of(a[(k + i) * n + k]), at = k + i;
        if (!(largest(most, at, &p) > 0))
            continue;
        if (p != k) {
            *odd = !*odd;
            AGNI_CU_FOR (j, n) {
                T t = a[k * n + j];
                a[k * n + j] = a[p * n + j];
                a[p * n + j] = t;
            }
            if (threadIdx.x == 0 && order) {
                int64_t t = order[k];
                order[k] = order[p];
                order[p] = t;
            }
        }
        __syncthreads();
        T d = a[k * n + k];
        AGNI_CU_FOR (i, m - k - 1)
            a[(k + 1 + i) * n + k] = a[(k + 1 + i) * n + k] / d;
        __syncthreads();
        AGNI_CU_FOR (e, (m - k - 1) * (n - k - 1)) {
            int64_t i = k + 1 + e / (n - k - 1), j = k + 1 + e % (n - k - 1);
            a[i * n + j] -= a[i * n + k] * a[k * n + j];
        }
        __syncthreads();
    }
}

template <class T>
__global__ void __launch_bounds__(THREADS)
    lu_rows(const T *x, T *y, int64_t *order, int64_t rows, int64_t n, int64_t batch,
            unsigned long long *fault)
{
    AGNI_CU_MATRICES (m, batch) {
        T *a = y + m * rows * n;
        int64_t *p = order + m * rows;
        bool odd, over = false;
        AGNI_CU_FOR (i, rows)
            p[i] = i;
        bool wild = copy_finite(a, x + m * rows * n, rows * n);
        if (!wild)
            factor_rows(a, rows, n, p, &odd);
        AGNI_CU_FOR (i, rows * n)
            over = over || !isfinite(size_of(a[i]));
        over = __syncthreads_or(over);
        if (over) {
            spoil(a, rows * n);
            report(fault, AGNI_CU_NOT_FINITE, m);
        }
        __syncthreads();
    }
}

template <class T> agn_status run_lu(const agn_kernel_call *c)
{
    const agn_array *y = c->out, *p = c->out + 1;
    int64_t rows = y->shape[y->ndim - 2], n = y->shape[y->ndim - 1];
    int64_t batch = rows ? agni_cu_size(p) / rows : 0;
    if (!batch)
        return AGN_OK;
    int was = agni_cu_enter(c->device);
    agn_status st;
    if (goes_alone(rows < n ? rows : n, batch)) {
        st = large_lu<T>(c, rows, n, batch);
    } else {
        lu_rows<T><<<matrices(batch), THREADS, 0, (cudaStream_t)c->stream>>>(
            (const T *)c->in[0].data, (T *)y->data, (int64_t *)p->data, rows, n, batch,
            agni_cu_fault_word(c->device));
        st = agni_cu_check_launch(c);
    }
    agni_cu_leave(was);
    return st;
}

/* ---- determinants --------------------------------------------------------------------------- */

/* log: NULL for determinants themselves */
template <class T>
__global__ void __launch_bounds__(THREADS)
    determinant(const T *x, T *room, T *y, real_t<T> *log_of, int64_t n, int64_t batch,
                unsigned long long *fault)
{
    T *a = room + blockIdx.x * n * n;
    AGNI_CU_MATRICES (m, batch) {
        bool odd = false, wild = copy_finite(a, x + m * n * n, n * n);
        if (!wild)
            factor_rows(a, n, n, NULL, &odd);
        if (threadIdx.x == 0) {
            if (wild) {
                y[m] = T((real_t<T>)NAN);
                if (log_of)
                    log_of[m] = (real_t<T>)NAN;
            } else {
                write_determinant((const T *)a, n, odd, y + m, log_of ? log_of + m : NULL);
            }
        }
        if (wild)
            report(fault, AGNI_CU_NOT_FINITE, m);
        __syncthreads();
    }
}

template <class T> agn_status run_determinant(const agn_kernel_call *c)
{
    const agn_array *x = c->in;
    int64_t n = x->shape[x->ndim - 1], batch = agni_cu_size(c->out);
    if (!batch)
        return AGN_OK;
    void *room = NULL;
    unsigned blocks = matrices(batch);
    int was = agni_cu_enter(c->device);
    if (n > SMALL) {
        agn_status st = large_determinant<T>(c, n, batch);
        agni_cu_leave(was);
        return st;
    }
    agn_status st = agni_cu_scratch(c, (size_t)(blocks * n * n) * sizeof(T), &room);
    if (!st) {
        determinant<T><<<blocks, THREADS, 0, (cudaStream_t)c->stream>>>(
            (const T *)x->data, (T *)room, (T *)c->out[0].data,
            c->n_out > 1 ? (real_t<T> *)c->out[1].data : NULL, n, batch,
            agni_cu_fault_word(c->device));
        st = agni_cu_check_launch(c);
    }
    agni_cu_scratch_free(c, room);
    agni_cu_leave(was);
    return st;
}

const agn_kernel_entry table[] = {
    AGNI_CU_FOUR("linalg_lu_factor", run_lu_factor),
    AGNI_CU_FOUR("linalg_lu_info", run_lu_factor),
    AGNI_CU_FOUR("linalg_lu_solve", run_lu_solve),
    AGNI_CU_FOUR("linalg_lu", run_lu),
    AGNI_CU_FOUR("linalg_det", run_determinant),
    AGNI_CU_FOUR("linalg_slogdet", run_determinant),
};

} // namespace

extern "C" const agni_cu_table agni_cu_lu = {table, (int)(sizeof table / sizeof *table)};
