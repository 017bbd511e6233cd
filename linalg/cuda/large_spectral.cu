/* linalg/cuda/large_spectral.cu - QR, Hermitian eigenpairs and singular values of large matrices by
   cuSOLVER (Golub & Van Loan 2013, 5.2, 8.5, 8.6). */
#include "linalg/cuda/large_kernels.cuh"

namespace {

/* ---- QR ------------------------------------------------------------------------------------- */

/* r [r_rows, n] of what lies by columns in a, rows apart */
template <class T>
__global__ void __launch_bounds__(256)
    upper_part(const T *a, int64_t step, T *r, int64_t rows, int64_t n, int64_t r_rows,
               int64_t batch, const bits *most)
{
    AGNI_CU_EACH (e, batch * r_rows * n) {
        int64_t m = e / (r_rows * n), i = e / n % r_rows, j = e % n;
        real_t<T> unit = is_wild(most[m]) ? real_t<T>(1) : unit_from<T>(most[m]);
        r[e] = i <= j && i < rows ? a[m * step + j * rows + i] / unit : T(0);
    }
}
template <class T> struct upper_job {
    const stage *q;
    const T *a;
    T *r;
    int64_t step, rows, n, r_rows, batch;
    const bits *most;
};
template <class T> void start_upper(void *user)
{
    const upper_job<T> *j = (const upper_job<T> *)user;
    upper_part<T><<<agni_cu_blocks(j->batch * j->r_rows * j->n, 256), 256, 0, j->q->s>>>(
        j->a, j->step, j->r, j->rows, j->n, j->r_rows, j->batch, j->most);
}

/* ---- phases --------------------------------------------------------------------------------- */

/* column j < k of u [rows, u_cols] times the phase that makes its first entry next to the largest
   real and positive; row j of v [.., v_cols] times its conjugate. v: NULL, or v_step numbers a
   matrix. A block for each column */
template <class T>
__global__ void __launch_bounds__(THREADS)
    turn_phases(T *u, int64_t rows, int64_t u_cols, int64_t k, T *v, int64_t v_cols, int64_t v_step,
                int64_t batch)
{
    AGNI_CU_MATRICES (e, batch * k) {
        int64_t m = e / k, j = e % k, at;
        T *a = u + m * rows * u_cols + j, *b = v + m * v_step + j * v_cols;
        double most = 0;
        AGNI_CU_FOR (i, rows)
            most = fmax(most, (double)modulus(a[i * u_cols]));
        most = largest(most, 0, NULL);
        int64_t first = rows;
        for (int64_t i = threadIdx.x; i < rows && first == rows; i += THREADS)
            if ((double)modulus(a[i * u_cols]) >= most * PHASE_NEAR)
                first = i;
        (void)largest(first < rows ? 1 : 0, first, &at);
        T phase = T(1);
        if (most > 0 && at < rows)
            phase = conjugate(a[at * u_cols]) / modulus(a[at * u_cols]);
        __syncthreads();
        AGNI_CU_FOR (i, rows)
            a[i * u_cols] = a[i * u_cols] * phase;
        AGNI_CU_FOR (i, v ? v_cols : 0)
            b[i] = b[i] * conjugate(phase);
        __syncthreads();
    }
}
template <class T>
void start_phases(const stage &q, T *u, int64_t rows, int64_t u_cols, int64_t k, T *v,
                  int64_t v_cols, int64_t v_step, int64_t batch)
{
    turn_phases<T><<<matrices(batch * k), THREADS, 0, q.s>>>(u, rows, u_cols, k, v, v_cols, v_step,
                                                             batch);
}

} // namespace

namespace block {

template <class T>
agn_status large_qr(const agn_kernel_call *c, int64_t rows, int64_t n, int64_t cols, int64_t batch)
{
    const T *x = (const T *)c->in[0].data;
    T *to = (T *)c->out[0].data, *up = (T *)c->out[1].data, *a, *tau;
    int64_t k = rows < n ? rows : n, step = rows * (n > cols ? n : cols);
    stage q = stage_of(c);
    bits *most;
    int *code;
    room r;
    agn_status st = take_room(c, r, [&] {
        r.cut(a, batch * step);
        r.cut(tau, batch * k);
        r.cut(most, batch);
        r.cut(code, batch);
    });
    if (st)
        return st;
    st = start_measure(q, x, rows, n, WHOLE, batch, most);
    if (!st) {
        upper_job<T> job = {&q, a, up, step, rows, n, cols, batch, most};
        agni_cu_matrices m = {dtype_of<T>(), rows, n, batch, a, code};
        start_transpose(q, x, rows * n, a, step, rows, n, SCALED, batch, most);
        st = agni_cu_geqrf(c, &m, step, tau, cols, start_upper<T>, &job);
    }
    if (!st) {
        start_transpose(q, (const T *)a, step, to, rows * cols, cols, rows, 0, batch, NULL);
        start_spoil(q, to, rows * cols, batch, most, NULL, 0, true);
        start_spoil(q, up, cols * n, batch, most, NULL, 0, false);
        st = agni_cu_check_launch(c);
    }
    agni_cu_scratch_free(c, r.p);
    return st;
}

/* Read by columns a matrix is its conjugate, whose vectors are those conjugated. */
template <class T> agn_status large_eigh(const agn_kernel_call *c, int64_t n, int64_t batch)
{
    using R = real_t<T>;
    const T *x = (const T *)c->in[0].data;
    T *v = c->n_out > 1 ? (T *)c->out[1].data : NULL, *a;
    R *w = (R *)c->out[0].data;
    bool upper = c->ints[0] != 0;
    int part = upper ? UPPER : LOWER;
    stage q = stage_of(c);
    bits *most;
    int *code;
    room r;
    agn_status st = take_room(c, r, [&] {
        r.cut(a, batch * n * n);
        r.cut(most, batch);
        r.cut(code, batch);
    });
    if (st)
        return st;
    st = start_measure(q, x, n, n, part, batch, most);
    if (!st) {
        start_load(q, x, a, n, n, part | SCALED, batch, most);
        agni_cu_matrices m = {dtype_of<T>(), n, n, batch, a, code};
        st = agni_cu_syevd(c, &m, upper, v != NULL, w);
    }
    if (!st) {
        unscale<T><<<agni_cu_blocks(batch * n, 256), 256, 0, q.s>>>(w, n, batch, most);
        if (v) {
            start_transpose(q, (const T *)a, n * n, v, n * n, n, n, CONJUGATE, batch, NULL);
            start_phases(q, v, n, n, n, (T *)NULL, 0, 0, batch);
        }
        spoil_failed<R><<<agni_cu_blocks(batch * n, 256), 256, 0, q.s>>>(
            w, n, batch, most, code, AGNI_CU_NO_CONVERGENCE, q.fault);
        start_spoil(q, v, n * n, batch, most, code, AGNI_CU_NO_CONVERGENCE, false);
        st = agni_cu_check_launch(c);
    }
    agni_cu_scratch_free(c, r.p);
    return st;
}

/* cuSOLVER takes no matrix with fewer rows than columns: a wide one is read as its transpose, as it
   lies, and its factors are written where they belong; a high one is turned, its factors back */
template <class T>
agn_status large_svd(const agn_kernel_call *c, const T *x, T *u, real_t<T> *s, T *vh, int64_t rows,
                     int64_t cols, bool full, int64_t batch)
{
    using R = real_t<T>;
    bool high = rows > cols;
    int64_t m = high ? rows : cols, k = rows + cols - m, wide = full ? m : k;
    int64_t u_cols = full ? rows : k, vh_rows = full ? cols : k;
    stage q = stage_of(c);
    T *a, *left = vh, *right = u;
    bits *most;
    int *code;
    room r;
    agn_status st = take_room(c, r, [&] {
        r.cut(a, batch * m * k);
        r.cut(most, batch);
        r.cut(code, batch);
        if (high && u) {
            r.cut(left, batch * m * wide);
            r.cut(right, batch * k * k);
        }
    });
    if (st)
        return st;
    st = start_measure(q, x, rows, cols, WHOLE, batch, most);
    if (!st) {
        agni_cu_matrices of = {dtype_of<T>(), m, k, batch, a, code};
        if (high)
            start_transpose(q, x, m * k, a, m * k, rows, cols, SCALED, batch, most);
        else
            start_load(q, x, a, rows, cols, SCALED, batch, most);
        st = agni_cu_gesvd(c, &of, full, left, s, right);
    }
    if (!st) {
        unscale<T><<<agni_cu_blocks(batch * k, 256), 256, 0, q.s>>>(s, k, batch, most);
        if (high && u) {
            start_transpose(q, (const T *)left, m * wide, u, m * wide, wide, m, 0, batch, NULL);
            start_transpose(q, (const T *)right, k * k, vh, k * k, k, k, 0, batch, NULL);
        }
        if (u)
            start_phases(q, u, rows, u_cols, k, vh, cols, vh_rows * cols, batch);
        spoil_failed<R><<<agni_cu_blocks(batch * k, 256), 256, 0, q.s>>>(
            s, k, batch, most, code, AGNI_CU_NO_CONVERGENCE, q.fault);
        start_spoil(q, u, rows * u_cols, batch, most, code, AGNI_CU_NO_CONVERGENCE, false);
        start_spoil(q, vh, vh_rows * cols, batch, most, code, AGNI_CU_NO_CONVERGENCE, false);
        st = agni_cu_check_launch(c);
    }
    agni_cu_scratch_free(c, r.p);
    return st;
}

#define INSTANCES(T) \
    template agn_status large_qr<T>(const agn_kernel_call *, int64_t, int64_t, int64_t, int64_t); \
    template agn_status large_eigh<T>(const agn_kernel_call *, int64_t, int64_t); \
    template agn_status large_svd<T>(const agn_kernel_call *, const T *, T *, real_t<T> *, T *, \
                                     int64_t, int64_t, bool, int64_t);
INSTANCES(float)
INSTANCES(double)
INSTANCES(c64)
INSTANCES(c128)

} // namespace block
