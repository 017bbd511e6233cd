/* linalg/cuda/large_lu.cu - LU factors, solves with them and determinants of large matrices by
   cuSOLVER (Golub & Van Loan 2013, 3.4). */
#include "linalg/cuda/large_kernels.cuh"

namespace {

/* ---- LU ------------------------------------------------------------------------------------- */

/* pivots [3 n] of each matrix; factors that failed become 1 or NaN, as in lu.cu */
template <class T>
__global__ void __launch_bounds__(THREADS)
    finish_factor(T *y, const int64_t *from, int32_t *pivots, const int *code, int32_t *info,
                  int64_t n, int64_t batch, const bits *before, const bits *after, bits *fault)
{
    AGNI_CU_MATRICES (m, batch) {
        T *a = y + m * n * n;
        int32_t *p = pivots + 3 * m * n;
        bool wild = is_wild(before[m]);
        int32_t bad = wild ? 0 : code[m] ? code[m] : is_wild(after[m]);
        AGNI_CU_FOR (i, 3 * n)
            p[i] = i >= n ? 0 : (int32_t)(wild || bad ? i + 1 : from[m * n + i]);
        if (threadIdx.x == 0 && info)
            info[m] = wild ? -1 : bad;
        if (!wild && !bad)
            continue;
        if (info) {
            AGNI_CU_FOR (i, n * n)
                a[i] = T(i % (n + 1) == 0);
        } else {
            spoil(a, n * n);
            report(fault, wild ? AGNI_CU_NOT_FINITE : AGNI_CU_SINGULAR, m);
        }
    }
}

/* a solution by a factor that failed, whose first entry is NaN: BLAS may skip what is 0 */
template <class T>
__global__ void __launch_bounds__(256) spoil_solution(T *x, int64_t n, const T *lu)
{
    if (isfinite(real_part(lu[0])))
        return;
    AGNI_CU_EACH (i, n)
        x[i] = lu[0];
}

__global__ void widen_pivots(const int32_t *p, int64_t *to, int64_t n)
{
    AGNI_CU_EACH (i, n)
        to[i] = p[i];
}

/* the rows as they lie after interchanges p, of one thread a matrix */
__global__ void order_of(const int64_t *p, int64_t steps, int64_t *order, int64_t rows,
                         int64_t batch)
{
    AGNI_CU_EACH (m, batch) {
        int64_t *to = order + m * rows;
        for (int64_t i = 0; i < rows; i++)
            to[i] = i;
        for (int64_t k = 0; k < steps; k++) {
            int64_t at = p[m * steps + k] - 1, t = to[k];
            to[k] = to[at];
            to[at] = t;
        }
    }
}

template <class T>
__global__ void __launch_bounds__(THREADS)
    finish_determinant(const T *a, const int64_t *pivots, const int *code, T *y, real_t<T> *log_of,
                       int64_t n, int64_t batch, const bits *most, bits *fault)
{
    AGNI_CU_EACH (m, batch) {
        bool odd = false;
        for (int64_t k = 0; k < n; k++)
            odd = odd != (pivots[m * n + k] != k + 1);
        if (is_wild(most[m])) {
            y[m] = T((real_t<T>)NAN);
            if (log_of)
                log_of[m] = (real_t<T>)NAN;
            atomicMin_system(fault, AGNI_CU_FAULT(AGNI_CU_NOT_FINITE, m));
        } else if (code[m] > 0) { /* a step without a pivot */
            y[m] = T(0);
            if (log_of)
                log_of[m] = -(real_t<T>)INFINITY;
        } else {
            write_determinant(a + m * n * n, n, odd, y + m, log_of ? log_of + m : NULL);
        }
    }
}

} // namespace

namespace block {

template <class T>
agn_status large_lu_factor(const agn_kernel_call *c, int64_t n, int64_t batch)
{
    const T *x = (const T *)c->in[0].data;
    T *y = (T *)c->out[0].data;
    int32_t *info = c->n_out > 2 ? (int32_t *)c->out[2].data : NULL;
    stage q = stage_of(c);
    int64_t *pivots;
    bits *before, *after;
    int *code;
    room r;
    agn_status st = take_room(c, r, [&] {
        r.cut(pivots, batch * n);
        r.cut(before, batch);
        r.cut(after, batch);
        r.cut(code, batch);
    });
    if (st)
        return st;
    st = start_measure(q, x, n, n, WHOLE, batch, before);
    if (!st) {
        start_load(q, x, y, n, n, WHOLE, batch, before);
        agni_cu_matrices m = {dtype_of<T>(), n, n, batch, y, code};
        st = agni_cu_getrf(c, &m, pivots);
    }
    if (!st)
        st = start_measure(q, (const T *)y, n, n, WHOLE, batch, after);
    if (!st) {
        finish_factor<T><<<matrices(batch), THREADS, 0, q.s>>>(
            y, pivots, (int32_t *)c->out[1].data, code, info, n, batch, before, after, q.fault);
        st = agni_cu_check_launch(c);
    }
    agni_cu_scratch_free(c, r.p);
    return st;
}

/* Right-hand sides lie by rows: each is turned. The memory of the factor read by columns is that
   of the transpose. */
template <class T>
agn_status large_lu_solve(const agn_kernel_call *c, const agni_cu_walk &w, int64_t n, int64_t cols)
{
    bool transposed = c->ints[0] & 1, con = c->ints[0] & 2;
    char op = transposed ? 'N' : con ? 'C' : 'T';
    int turn = transposed && con ? CONJUGATE : 0;
    stage q = stage_of(c);
    int64_t *pivots;
    int *code;
    T *b;
    room r;
    agn_status st = take_room(c, r, [&] {
        r.cut(b, n * cols);
        r.cut(pivots, n);
        r.cut(code, 1);
    });
    if (st)
        return st;
    for (int64_t i = 0; i < w.size && !st; i++) {
        int64_t at[4] = {0, 0, 0, 0}, rest = i;
        for (int d = w.ndim - 1; d >= 0; d--) {
            for (int j = 0; j < 4; j++)
                at[j] += rest % w.shape[d] * w.stride[d][j];
            rest /= w.shape[d];
        }
        start_transpose(q, (const T *)w.p[3] + at[3], 0, b, 0, n, cols, turn, 1, NULL);
        widen_pivots<<<agni_cu_blocks(n, 256), 256, 0, q.s>>>((const int32_t *)w.p[2] + at[2],
                                                              pivots, n);
        agni_cu_matrices m = {dtype_of<T>(), n, n, 1, (T *)w.p[1] + at[1], code};
        st = agni_cu_getrs(c, &m, op, pivots, b, cols);
        T *x = (T *)w.p[0] + at[0];
        if (!st) {
            start_transpose(q, (const T *)b, 0, x, 0, cols, n, turn, 1, NULL);
            spoil_solution<T><<<agni_cu_blocks(n * cols, 256), 256, 0, q.s>>>(x, n * cols,
                                                                              (const T *)m.a);
        }
    }
    if (!st)
        st = agni_cu_check_launch(c);
    agni_cu_scratch_free(c, r.p);
    return st;
}

template <class T>
agn_status large_lu(const agn_kernel_call *c, int64_t rows, int64_t n, int64_t batch)
{
    const T *x = (const T *)c->in[0].data;
    T *y = (T *)c->out[0].data, *a;
    int64_t k = rows < n ? rows : n, *pivots;
    stage q = stage_of(c);
    bits *before, *after;
    int *code;
    room r;
    agn_status st = take_room(c, r, [&] {
        r.cut(a, batch * rows * n);
        r.cut(pivots, batch * k);
        r.cut(before, batch);
        r.cut(after, batch);
        r.cut(code, batch);
    });
    if (st)
        return st;
    st = start_measure(q, x, rows, n, WHOLE, batch, before);
    if (!st) {
        start_transpose(q, x, rows * n, a, rows * n, rows, n, 0, batch, before);
        agni_cu_matrices m = {dtype_of<T>(), rows, n, batch, a, code};
        st = agni_cu_getrf(c, &m, pivots);
    }
    if (!st) {
        start_transpose(q, (const T *)a, rows * n, y, rows * n, n, rows, 0, batch, NULL);
        order_of<<<agni_cu_blocks(batch, 32), 32, 0, q.s>>>(
            pivots, k, (int64_t *)c->out[1].data, rows, batch);
        st = start_measure(q, (const T *)y, rows, n, WHOLE, batch, after);
    }
    if (!st) {
        start_spoil(q, y, rows * n, batch, before, NULL, 0, true);
        start_spoil(q, y, rows * n, batch, after, NULL, 0, true);
        st = agni_cu_check_launch(c);
    }
    agni_cu_scratch_free(c, r.p);
    return st;
}

template <class T>
agn_status large_determinant(const agn_kernel_call *c, int64_t n, int64_t batch)
{
    const T *x = (const T *)c->in[0].data;
    stage q = stage_of(c);
    int64_t *pivots;
    bits *most;
    int *code;
    T *a;
    room r;
    agn_status st = take_room(c, r, [&] {
        r.cut(a, batch * n * n);
        r.cut(pivots, batch * n);
        r.cut(most, batch);
        r.cut(code, batch);
    });
    if (st)
        return st;
    st = start_measure(q, x, n, n, WHOLE, batch, most);
    if (!st) {
        start_load(q, x, a, n, n, WHOLE, batch, most);
        agni_cu_matrices m = {dtype_of<T>(), n, n, batch, a, code};
        st = agni_cu_getrf(c, &m, pivots);
    }
    if (!st) {
        finish_determinant<T><<<agni_cu_blocks(batch, THREADS), THREADS, 0, q.s>>>(
            a, pivots, code, (T *)c->out[0].data,
            c->n_out > 1 ? (real_t<T> *)c->out[1].data : NULL, n, batch, most, q.fault);
        st = agni_cu_check_launch(c);
    }
    agni_cu_scratch_free(c, r.p);
    return st;
}

#define INSTANCES(T) \
    template agn_status large_lu_factor<T>(const agn_kernel_call *, int64_t, int64_t); \
    template agn_status large_lu_solve<T>(const agn_kernel_call *, const agni_cu_walk &, int64_t, \
                                          int64_t); \
    template agn_status large_lu<T>(const agn_kernel_call *, int64_t, int64_t, int64_t); \
    template agn_status large_determinant<T>(const agn_kernel_call *, int64_t, int64_t);
INSTANCES(float)
INSTANCES(double)
INSTANCES(c64)
INSTANCES(c128)

} // namespace block
