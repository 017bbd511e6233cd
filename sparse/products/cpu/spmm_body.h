/* sparse/products/cpu/spmm_body.h - SpMM, SDDMM and transposed SpMV for one type T and integers
   INT; NAME(x) names a function. Each result is summed by one thread in an order that the pattern
   and sizes alone decide. */

/* one column: a plain loop, which waits for memory alone */
static inline void NAME(dot_rows)(const agni_lines *a, const T *restrict v, const T *restrict x,
                              T *restrict y, int64_t lo, int64_t hi, bool far)
{
    const INT *indptr = a->indptr, *index = a->index;
    int64_t e = lo < hi ? indptr[lo] : 0, stop = lo < hi ? indptr[hi] - FAR : 0;
    for (int64_t i = lo; i < hi; i++) {
        T sum = 0;
        for (int64_t last = indptr[i + 1]; e < last; e++) {
            ONE_BY_ONE();
            if (far && e < stop)
                __builtin_prefetch(x + index[e + FAR], 0, 3);
            MAC(sum, v[e], x[index[e]]);
        }
        y[i] = sum;
    }
}
static void NAME(spmv)(const agni_lines *a, const T *v, const T *x, T *y, int64_t lo, int64_t hi)
{
    if (a->far)
        NAME(dot_rows)(a, v, x, y, lo, hi, true);
    else
        NAME(dot_rows)(a, v, x, y, lo, hi, false);
}

#if VECTORS
typedef T NAME(vec) __attribute__((vector_size(32), aligned(sizeof(T)), may_alias));
enum { NAME(LANES) = 32 / sizeof(T) };

/* BLOCK vectors of columns, whose sums stay in registers: while more than `beyond` vectors are
   left; the last block ends with the row and makes some columns again */
#define COLUMNS(BLOCK, beyond)                                                  \
    while (n >= BLOCK * NAME(LANES) && n - j > (beyond) * NAME(LANES)) {        \
        NAME(vec) sum[BLOCK] = {{0}};                                           \
        j = j + BLOCK * NAME(LANES) < n ? j : n - BLOCK * NAME(LANES);          \
        for (int64_t e = first; e < last; e++) {                                \
            T c = v[from ? from[e] : (INT)e];                                   \
            const NAME(vec) *p = (const void *)(x + (int64_t)index[e] * n + j); \
            if (e + AHEAD < end)                                                \
                prefetch_lines(x + (int64_t)index[e + AHEAD] * n + j, BLOCK * 32);         \
            for (int k = 0; k < BLOCK; k++)                                     \
                sum[k] += c * p[k];                                             \
        }                                                                       \
        NAME(vec) *into = (void *)(to + j);                                     \
        for (int k = 0; k < BLOCK; k++)                                         \
            into[k] = sum[k];                                                   \
        j += BLOCK * NAME(LANES);                                               \
    }
#endif

/* Rows [lo, hi) of y = A x; the value of entry e is v[from ? from[e] : e]. */
static void NAME(spmm)(const agni_lines *a, const void *vv, const void *xv, void *yv,
                       int64_t n, int64_t lo, int64_t hi)
{
    const T *restrict v = vv, *restrict x = xv;
    T *restrict y = yv;
    const INT *indptr = a->indptr, *index = a->index, *from = a->from;
    if (n == 1 && !from) {
        NAME(spmv)(a, v, x, y, lo, hi);
        return;
    }
#if VECTORS
    int64_t end = indptr[hi];
#endif
    for (int64_t i = lo; i < hi; i++) {
        T *to = y + i * n;
        int64_t first = indptr[i], last = indptr[i + 1], j = 0;
#if VECTORS
        COLUMNS(8, 4)
        COLUMNS(4, 2)
        COLUMNS(2, 1)
        COLUMNS(1, 0)
#endif
        for (; j < n; j++) {
            T sum = 0;
            for (int64_t e = first; e < last; e++)
                MAC(sum, v[from ? from[e] : (INT)e], x[(int64_t)index[e] * n + j]);
            to[j] = sum;
        }
    }
}

/* entries of rows [lo, hi): v_e = sum_j u[row, j] w[col, j] */
static void NAME(sddmm)(const agni_lines *a, const void *uv, const void *wv, void *vv,
                        int64_t n, int64_t lo, int64_t hi)
{
    const T *restrict u = uv, *restrict w = wv;
    T *restrict v = vv;
    const INT *indptr = a->indptr, *index = a->index;
    if (n == 1) {
        for (int64_t i = lo; i < hi; i++) {
            T c = u[i];
            for (int64_t e = indptr[i], last = indptr[i + 1]; e < last; e++) {
                T sum = 0;
                ONE_BY_ONE();
                MAC(sum, c, w[index[e]]);
                v[e] = sum;
            }
        }
        return;
    }
    int64_t end = indptr[hi];
    for (int64_t i = lo; i < hi; i++)
        for (int64_t e = indptr[i]; e < indptr[i + 1]; e++) {
            const T *p = u + i * n, *q = w + (int64_t)index[e] * n;
            T sum = 0;
            int64_t j = 0;
            if (e + AHEAD < end)
                prefetch_lines(w + (int64_t)index[e + AHEAD] * n, n * (int64_t)sizeof *w);
#if VECTORS
            enum { L = NAME(LANES) };
            NAME(vec) part[4] = {{0}};
            for (; j + 4 * L <= n; j += 4 * L)
                for (int k = 0; k < 4; k++)
                    part[k] += *(const NAME(vec) *)(const void *)(p + j + k * L) *
                               *(const NAME(vec) *)(const void *)(q + j + k * L);
            for (; j + L <= n; j += L)
                part[0] += *(const NAME(vec) *)(const void *)(p + j) *
                           *(const NAME(vec) *)(const void *)(q + j);
            part[0] = (part[0] + part[1]) + (part[2] + part[3]);
            for (int k = 0; k < L; k++)
                sum += part[0][k];
#endif
            for (; j < n; j++)
                MAC(sum, p[j], q[j]);
            v[e] = sum;
        }
}

/* y += A^T x, and v's like x[row] w[col] into u where w is given; elements of y and w are step
   apart */
static inline void NAME(add_rows)(const agni_lines *a, const T *restrict v, const T *restrict x,
                                  const T *restrict w, T *restrict y, T *restrict u,
                                  const INT *first, const INT *last, int64_t lo, int64_t hi,
                                  int64_t step, bool far)
{
    const INT *index = a->index;
    int64_t stop = lo < hi ? last[hi - 1] - FAR : 0;
    for (int64_t i = lo; i < hi; i++) {
        T c = x[i];
        for (int64_t e = first[i], end = last[i]; e < end; e++) {
            int64_t j = index[e] * step;
            if (far && e < stop)
                __builtin_prefetch(y + index[e + FAR] * step, 1, 3);
            if (w) {
                T at = 0;
                MAC(at, c, w[j]);
                u[e] = at;
            }
            MAC(y[j], v[e], c);
        }
    }
}
/* the same loop for each case, which is known when it is compiled */
#define ADD_ROWS(w, u, step) \
    (a->far ? NAME(add_rows)(a, v, x, w, y, u, first, last, lo, hi, step, true) \
            : NAME(add_rows)(a, v, x, w, y, u, first, last, lo, hi, step, false))
static void NAME(spmv_transposed)(const agni_lines *a, const void *v, const void *x, const void *w,
                         void *y, void *u, const void *first, const void *last, int64_t lo,
                         int64_t hi, bool paired)
{
    if (paired)
        ADD_ROWS(w, u, 2);
    else if (w)
        ADD_ROWS(w, u, 1);
    else
        ADD_ROWS(NULL, NULL, 1);
}
#undef ADD_ROWS
#undef COLUMNS
