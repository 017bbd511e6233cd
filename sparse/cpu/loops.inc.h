/* sparse/cpu/loops.inc.h - products with a pattern for one type T; NAME(x) names a
   function. Each result is summed by one thread in the order of the entries. */

/* one column: the same sums without strides */
static void NAME(spmv)(const lines *a, const T *v, const T *x, T *y, int64_t lo,
                       int64_t hi)
{
    const int64_t *index = a->index, *from = a->from;
    int64_t e = lo < hi ? a->indptr[lo] : 0;
    for (int64_t i = lo; i < hi; i++) {
        T sum = 0;
        int64_t last = a->indptr[i + 1];
        if (from)
            for (; e < last; e++)
                sum += v[from[e]] * x[index[e]];
        else
            for (; e < last; e++)
                sum += v[e] * x[index[e]];
        y[i] = sum;
    }
}

/* rows [lo, hi) of y = A x; entry e of a row has value v[from ? from[e] : e]. Columns
   are taken WIDE at a time, whose sums stay in registers. */
static void NAME(spmm)(const lines *a, const T *v, const T *x, T *y, int64_t n,
                       int64_t lo, int64_t hi)
{
    if (n == 1) {
        NAME(spmv)(a, v, x, y, lo, hi);
        return;
    }
    for (int64_t i = lo; i < hi; i++) {
        T *to = y + i * n;
        int64_t first = a->indptr[i], last = a->indptr[i + 1], j = 0;
        for (; j + WIDE <= n; j += WIDE) {
            T sum[WIDE] = {0};
            for (int64_t e = first; e < last; e++) {
                T c = v[a->from ? a->from[e] : e];
                const T *from = x + a->index[e] * n + j;
                for (int k = 0; k < WIDE; k++)
                    sum[k] += c * from[k];
            }
            memcpy(to + j, sum, sizeof sum);
        }
        for (; j < n; j++) {
            T sum = 0;
            for (int64_t e = first; e < last; e++)
                sum += v[a->from ? a->from[e] : e] * x[a->index[e] * n + j];
            to[j] = sum;
        }
    }
}

/* entries of rows [lo, hi): v_e = sum_j u[row, j] w[col, j], in WIDE partial sums */
static void NAME(sddmm)(const lines *a, const T *u, const T *w, T *v, int64_t n,
                        int64_t lo, int64_t hi)
{
    for (int64_t i = lo; i < hi; i++)
        for (int64_t e = a->indptr[i]; e < a->indptr[i + 1]; e++) {
            const T *p = u + i * n, *q = w + a->index[e] * n;
            T part[WIDE] = {0}, sum = 0;
            int64_t j = 0;
            for (; j + WIDE <= n; j += WIDE)
                for (int k = 0; k < WIDE; k++)
                    part[k] += p[j + k] * q[j + k];
            for (; j < n; j++)
                sum += p[j] * q[j];
            for (int k = 0; k < WIDE; k++)
                sum += part[k];
            v[e] = sum;
        }
}
