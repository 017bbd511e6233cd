/* sparse/products/cpu/collect.c - y_i = sum of x_j over the entries (i, j) of a pattern. The first
   call reads the rows as they are. Most rows have one entry, so a pattern that is used again gets a
   gather plan: one pass of loads by 32-bit indices, and the further entries added behind it. */
#include "sparse/products/products.h"

#include <complex.h>
#include <string.h>

enum { RUN = 1 << 15, BLOCK = 1 << 10 }; /* rows that one thread takes at a time */
enum { AHEAD = 24 }; /* entries ahead that are prefetched */

typedef struct job {
    const agni_gather_plan *k; /* or NULL: rows of p */
    const agni_pattern *p;
    const char *x;
    char *y;
    int64_t rows, cols, runs;
    int dtype;
} job;

/* a block of the result stays in the innermost cache until its further entries are added */
#define LOOPS(T, name) \
    static void block_##name(const agni_gather_plan *k, const T *restrict x, T *restrict y, \
                             int64_t lo, int64_t hi) \
    { \
        const int32_t *restrict first = k->first; \
        int64_t i = lo; \
        for (; i + 4 <= hi; i += 4) { \
            T a = x[first[i]], b = x[first[i + 1]], c = x[first[i + 2]]; \
            T d = x[first[i + 3]]; \
            y[i] = a; \
            y[i + 1] = b; \
            y[i + 2] = c; \
            y[i + 3] = d; \
        } \
        for (; i < hi; i++) \
            y[i] = x[first[i]]; \
        int64_t n = agni_lower_bound(k->none, false, k->n_none, hi); \
        for (int64_t e = agni_lower_bound(k->none, false, k->n_none, lo); e < n; e++) \
            y[k->none[e]] = 0; \
        n = agni_lower_bound(k->row, false, k->n_more, hi); \
        for (int64_t e = agni_lower_bound(k->row, false, k->n_more, lo); e < n; e++) \
            y[k->row[e]] += x[k->column[e]]; \
    } \
    static void picked_##name(const job *q, const T *x, T *y, int64_t lo, int64_t hi) \
    { \
        if (!q->cols) { \
            memset(y + lo, 0, (size_t)(hi - lo) * sizeof *y); \
            return; \
        } \
        for (; lo < hi; lo += BLOCK) \
            block_##name(q->k, x, y, lo, lo + BLOCK < hi ? lo + BLOCK : hi); \
    } \
    static void narrow_##name(const job *q, const T *x, T *y, int64_t lo, int64_t hi) \
    { \
        const int32_t *indptr = q->p->indptr, *index = q->p->index; \
        int64_t e = lo < hi ? indptr[lo] : 0, end = q->p->nnz - AHEAD; \
        for (int64_t i = lo; i < hi; i++) { \
            int64_t last = indptr[i + 1]; \
            for (int64_t f = e; f < last && f < end; f++) \
                __builtin_prefetch(x + index[f + AHEAD]); \
            T sum = e < last ? x[index[e]] : 0; \
            for (e++; e < last; e++) \
                sum += x[index[e]]; \
            e = last; \
            y[i] = sum; \
        } \
    } \
    static void wide_##name(const job *q, const T *x, T *y, int64_t lo, int64_t hi) \
    { \
        for (int64_t i = lo; i < hi; i++) { \
            int64_t e = agni_row_begin(q->p, i), last = agni_row_begin(q->p, i + 1); \
            T sum = e < last ? x[agni_entry_col(q->p, e)] : 0; \
            for (e++; e < last; e++) \
                sum += x[agni_entry_col(q->p, e)]; \
            y[i] = sum; \
        } \
    } \
    static void run_##name(const job *q, int64_t b, int64_t lo, int64_t hi) \
    { \
        const T *x = (const T *)(const void *)q->x + b * q->cols; \
        T *y = (T *)(void *)q->y + b * q->rows; \
        (q->k ? picked_##name : q->p->wide ? wide_##name : narrow_##name)(q, x, y, lo, hi); \
    }
LOOPS(float, f32)
LOOPS(double, f64)
LOOPS(float complex, c64)
LOOPS(double complex, c128)

static void collect_run(void *user, int64_t k, int worker)
{
    static void (*const run[AGN_NDTYPES])(const job *, int64_t, int64_t,
                                          int64_t) = {[AGN_F32] = run_f32,
                                                      [AGN_F64] = run_f64,
                                                      [AGN_C64] = run_c64,
                                                      [AGN_C128] = run_c128};
    const job *q = user;
    int64_t lo = k % q->runs * RUN, hi = lo + RUN < q->rows ? lo + RUN : q->rows;
    (void)worker;
    run[q->dtype](q, k / q->runs, lo, hi);
}

agn_status agni_cpu_collect(const agn_kernel_call *c)
{
    const agn_array *y = c->out;
    const agni_pattern *p = c->object;
    bool turned = c->ints[0];
    job q = {.p = p,
             .x = c->in[0].data,
             .y = y->data,
             .dtype = y->dtype,
             .rows = turned ? p->cols : p->rows,
             .cols = turned ? p->rows : p->cols};
    if (turned) {
        const agni_transposed_pattern *t = agni_pattern_transposed(p);
        if (!t)
            return agni_nomem(c->op, (size_t)(p->rows + p->nnz) * 2 * sizeof(int32_t));
        q.p = t->p;
    } else if (agni_pattern_is_reused(p)) {
        q.k = agni_pattern_gather_plan(p);
    }
    q.runs = (q.rows + RUN - 1) / RUN;
    int64_t batch = 1;
    for (int d = 0; d < y->ndim - 1; d++)
        batch *= y->shape[d];
    if (batch * q.rows < 4 * RUN)
        for (int64_t k = 0; k < batch * q.runs; k++)
            collect_run(&q, k, 0);
    else
        agni_parallel_for(batch * q.runs, collect_run, &q);
    return AGN_OK;
}
