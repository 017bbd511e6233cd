/* sparse/products/cpu/spmm.c - SpMM, SDDMM, scatter and gather over a pattern. Threads share the
   rows of the result; for the transposed product of one column its columns, or partial sums of
   their own. */
#include "config.h"

#include "sparse/products/cpu/spmm_kernels.h"

#include "core/device/cpu_level.h"
#include "sparse/products/products.h"

#include <string.h>

static const agni_products *select_kernels(const agni_pattern *p, int dtype)
{
    static const agni_product_table *const levels[] = {
        [AGNI_CPU_BASE] = &agni_products_base,
#ifdef AGNI_HAVE_AVX2
        [AGNI_CPU_AVX2] = &agni_products_avx2,
#endif
#ifdef AGNI_HAVE_AVX512
        [AGNI_CPU_AVX512] = &agni_products_avx512,
#endif
    };
    int k = dtype == AGN_F32 ? 0 : dtype == AGN_F64 ? 1 : dtype == AGN_C64 ? 2 : 3;
    return &(*levels[agni_cpu_level_below(AGNI_COUNT(levels))])[p->wide][k];
}

/* Single numbers at random columns are prefetched where they are more than caches hold; below that
   the prefetch costs more than it saves. */
enum { FAR_BYTES = 8 << 20 };
static agni_lines rows_of_pattern(const agni_pattern *p, int64_t bytes)
{
    return (agni_lines){p->indptr, p->index, NULL, p->cols > FAR_BYTES / bytes};
}

/* ---- a batch, cut into runs of rows ---------------------------------------------- */

typedef struct job job;
typedef void run_rows(const job *q, int64_t b, int64_t lo, int64_t hi);
struct job {
    const agn_kernel_call *c;
    const agni_pattern *p; /* or its transpose */
    const agni_products *f;
    agni_lines a;
    int64_t n, bytes; /* columns of the dense operands */
    int64_t runs;
    const agni_column_partition *cuts;
    char *sums;  /* of folds but the first */
    char *pairs; /* of each worker: partial sums and operand interleaved (add_pairs) */
    run_rows *run;
};

enum { WORTH_A_THREAD = 1 << 14 }; /* multiplications */

static void run_share(void *user, int64_t k, int worker)
{
    const job *q = user;
    int64_t r = k % q->runs;
    (void)worker;
    q->run(q, k / q->runs, agni_pattern_split_rows(q->p, r, q->runs),
           agni_pattern_split_rows(q->p, r + 1, q->runs));
}

/* rows are many to a run where they are short: runs depend on sizes alone */
static void run_shares(job *q, int64_t batch)
{
    int64_t rows = q->p->rows, work = q->p->nnz * (q->n ? q->n : 1) + rows;
    if (rows == 0)
        return;
    q->runs = work / WORTH_A_THREAD + 1;
    q->runs = q->runs < rows ? q->runs : rows;
    if (batch * work < 2 * WORTH_A_THREAD)
        for (int64_t k = 0; k < batch * q->runs; k++)
            run_share(q, k, 0);
    else
        agni_parallel_for(batch * q->runs, run_share, q);
}

int64_t agni_batch_offset(const agn_array *x, int xa, const agn_array *y, int ya, int64_t b)
{
    int64_t off = 0;
    for (int d = y->ndim - ya - 1; d >= 0; d--) {
        int e = d - (y->ndim - ya) + (x->ndim - xa);
        if (e >= 0 && x->shape[e] != 1)
            off += b % y->shape[d] * x->stride[e];
        b /= y->shape[d];
    }
    return off;
}

static int64_t batch_size(const agn_array *y, int ya)
{
    int64_t n = 1;
    for (int d = 0; d < y->ndim - ya; d++)
        n *= y->shape[d];
    return n;
}

static const char *element_at(const agn_array *x, int64_t element)
{
    return (const char *)x->data + element * agni_dtypes[x->dtype].bytes;
}

static void spmm_rows(const job *q, int64_t b, int64_t lo, int64_t hi)
{
    const agn_array *y = q->c->out, *v = q->c->in, *x = q->c->in + 1;
    q->f->spmm(&q->a, element_at(v, agni_batch_offset(v, 1, y, 2, b)),
               element_at(x, agni_batch_offset(x, 2, y, 2, b)),
               (char *)y->data + b * q->p->rows * q->n * q->bytes, q->n, lo, hi);
}

/* rows to the columns of into; a third operand asks for a second result
   (sparse/products/spmm_sddmm.c) */
static void add_rows(const job *q, int64_t b, char *into, const char *first, const char *last,
                     int64_t lo, int64_t hi)
{
    const agn_array *y = q->c->out, *v = q->c->in, *x = v + 1;
    bool both = q->c->n_in == 3, paired = q->pairs != NULL;
    q->f->spread(&q->a, element_at(v, agni_batch_offset(v, 1, y, 2, b)),
                 element_at(x, agni_batch_offset(x, 2, y, 2, b)),
                 paired ? into + q->bytes
                 : both ? v[2].data
                        : NULL,
                 into, both ? y[1].data : NULL, first, last, lo, hi, paired);
}

/* the part of rows [lo, hi) in columns [from, to): where it begins and ends in each row */
typedef struct strip {
    const char *first, *last;
    int64_t lo, hi, from, to;
} strip;

static strip make_strip(const job *q, int64_t k, int64_t lo, int64_t hi)
{
    const agni_column_partition *c = q->cuts;
    const agni_pattern *p = q->p;
    int64_t wide = p->wide ? (int64_t)sizeof(int64_t) : (int64_t)sizeof(int32_t);
    const char *begins = p->indptr;
    strip s = {begins, begins + wide, lo, hi, 0, p->cols};
    if (c) {
        const char *ends = (const char *)c->at + (k - 1) * p->rows * wide;
        s.first = k ? ends : s.first;
        s.last = k < c->n - 1 ? ends + p->rows * wide : s.last;
        s.lo = lo > c->first[k] ? lo : c->first[k];
        s.hi = hi < c->last[k] ? hi : c->last[k];
        s.hi = s.lo < s.hi ? s.hi : s.lo;
        s.from = c->bound[k];
        s.to = c->bound[k + 1];
    }
    return s;
}

/* from zeros, to the columns of into */
static void add_strip(const job *q, int64_t b, char *into, const strip *s)
{
    if (s->to > s->from)
        memset(into + s->from * q->bytes, 0, (size_t)((s->to - s->from) * q->bytes));
    add_rows(q, b, into, s->first, s->last, s->lo, s->hi);
}

static int64_t count_parts(const job *q)
{
    return q->cuts ? q->cuts->n : 1;
}

/* y = A^T x of one column: each thread adds all rows to columns of its own */
static void multiply_transposed_part(void *user, int64_t k, int worker)
{
    const job *q = user;
    int64_t parts = count_parts(q);
    strip s = make_strip(q, k % parts, 0, q->p->rows);
    (void)worker;
    add_strip(q, k / parts, (char *)q->c->out->data + k / parts * q->p->cols * q->bytes, &s);
}

/* ---- many entries to a column: rows in folds with partial sums, added in order ------- */

/* Folds let threads share the rows, and cost partial sums that are written, read and added: two
   where a column has some dozen entries. More threads than folds share the columns of one. */
enum { MOST_FOLDS = 8, TO_A_COLUMN = 6 };

/* by the pattern alone: that decides in what order elements are summed */
static int64_t count_folds(const agni_pattern *p)
{
    int64_t n = 1;
    while (n < MOST_FOLDS && 2 * n * TO_A_COLUMN * (p->cols + 1) <= p->nnz)
        n *= 2;
    return n;
}

/* the first fold goes to the result itself */
static char *fold_address(const job *q, int64_t b, int64_t k)
{
    char *y = q->c->out->data;
    int64_t bytes = q->p->cols * q->bytes;
    return k ? q->sums + (b * (q->runs - 1) + k - 1) * bytes : y + b * bytes;
}

/* ---- two results: operand and partial sums interleaved ------------------------------------- */

/* Two numbers of a random column in one cache line are one miss, apart they are two:
   worth two more passes over columns of many entries. */
#define PAIRING(T, name) \
    static void pair_##name(void *restrict to, const void *restrict from, int64_t n) \
    { \
        T *y = to; \
        const T *w = from; \
        for (int64_t j = 0; j < n; j++) { \
            y[2 * j] = (T){0}; \
            y[2 * j + 1] = w[j]; \
        } \
    } \
    static void part_##name(void *restrict to, const void *restrict from, int64_t n) \
    { \
        T *y = to; \
        const T *p = from; \
        for (int64_t j = 0; j < n; j++) \
            y[j] = p[2 * j]; \
    }
typedef struct two_words {
    uint64_t w[2];
} two_words;
PAIRING(uint32_t, 4)
PAIRING(uint64_t, 8)
PAIRING(two_words, 16)
static const struct {
    void (*pair)(void *restrict to, const void *restrict from, int64_t n);
    void (*part)(void *restrict to, const void *restrict from, int64_t n);
} pairings[] = {{pair_4, part_4}, {pair_8, part_8}, {pair_16, part_16}};

/* a strip to a fold, which is not read, through pairs of this worker */
static void add_pairs(const job *q, char *into, const strip *s, int worker)
{
    int64_t k = q->bytes / 8, n = s->to - s->from, at = s->from * q->bytes; /* 4, 8 and 16 */
    char *pairs = q->pairs + 2 * worker * q->p->cols * q->bytes;
    pairings[k].pair(pairs + 2 * at, (const char *)q->c->in[2].data + at, n);
    add_rows(q, 0, pairs, s->first, s->last, s->lo, s->hi);
    pairings[k].part(into + at, pairs + 2 * at, n);
}

static void multiply_transposed_fold(void *user, int64_t k, int worker)
{
    const job *q = user;
    int64_t parts = count_parts(q), fold = k / parts % q->runs, b = k / parts / q->runs;
    strip s = make_strip(q, k % parts, agni_pattern_split_rows(q->p, fold, q->runs),
                         agni_pattern_split_rows(q->p, fold + 1, q->runs));
    char *into = fold_address(q, b, fold);
    if (q->pairs)
        add_pairs(q, into, &s, worker);
    else
        add_strip(q, b, into, &s);
}

static void add_f32(float *restrict y, const float *restrict x, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        y[i] += x[i];
}
static void add_f64(double *restrict y, const double *restrict x, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        y[i] += x[i];
}

enum { FOLD_BLOCK = 1 << 14 }; /* bytes of a result that one thread adds up at a time */

static void add_folds(void *user, int64_t i, int worker)
{
    const job *q = user;
    int64_t bytes = q->p->cols * q->bytes, blocks = (bytes + FOLD_BLOCK - 1) / FOLD_BLOCK;
    int64_t b = i / blocks, lo = i % blocks * FOLD_BLOCK, n = bytes - lo;
    bool single = q->c->out->dtype == AGN_F32 || q->c->out->dtype == AGN_C64;
    n = n < FOLD_BLOCK ? n : FOLD_BLOCK;
    (void)worker;
    for (int64_t k = 1; k < q->runs; k++) {
        void *y = fold_address(q, b, 0) + lo;
        const void *x = fold_address(q, b, k) + lo;
        if (single)
            add_f32(y, x, n / (int64_t)sizeof(float));
        else
            add_f64(y, x, n / (int64_t)sizeof(double));
    }
}

/* 0 without folds: few entries to a column, or few at all */
static size_t fold_bytes(job *q, int64_t batch)
{
    q->runs = count_folds(q->p);
    bool worth = q->p->nnz + q->p->rows >= 2 * WORTH_A_THREAD;
    return worth ? (size_t)(batch * (q->runs - 1) * q->p->cols * q->bytes) : 0;
}

static agn_status multiply_by_folds(job *q, int64_t batch)
{
    int64_t bytes = q->p->cols * q->bytes, blocks = (bytes + FOLD_BLOCK - 1) / FOLD_BLOCK;
    size_t room = fold_bytes(q, batch);
    char *own = NULL;
    q->sums = q->c->scratch;
    if (q->c->scratch_size < room && !(q->sums = own = agni_alloc(room)))
        return agni_nomem(q->c->op, room);
    if (q->c->n_in == 3) /* without memory they are done without */
        q->pairs = agni_alloc((size_t)(2 * agni_parallel_width() * q->p->cols * q->bytes));
    int64_t width = agni_parallel_width(), folds = batch * q->runs;
    if (width > folds) /* ... and without */
        q->cuts = agni_pattern_column_partition(q->p, (int)((width + folds - 1) / folds));
    agni_parallel_for(folds * count_parts(q), multiply_transposed_fold, q);
    agni_parallel_for(batch * blocks, add_folds, q);
    agni_free(q->pairs);
    agni_free(own);
    return AGN_OK;
}

static agn_status multiply_transposed(job *q, int64_t batch)
{
    int64_t work = q->p->nnz + q->p->rows;
    int width = agni_parallel_width();
    if (fold_bytes(q, batch))
        return multiply_by_folds(q, batch);
    if (batch * work < 2 * WORTH_A_THREAD || width == 1) {
        for (int64_t b = 0; b < batch; b++)
            multiply_transposed_part(q, b, 0);
        return AGN_OK;
    }
    if (batch < width && !(q->cuts = agni_pattern_column_partition(q->p, width)))
        return agni_nomem(q->c->op, (size_t)q->p->rows * sizeof(int64_t));
    agni_parallel_for(batch * count_parts(q), multiply_transposed_part, q);
    return AGN_OK;
}

static job make_job(const agn_kernel_call *c)
{
    const agn_array *y = c->out;
    return (job){.c = c, .p = c->object, .run = spmm_rows, .n = y->shape[y->ndim - 1],
                 .bytes = agni_dtypes[y->dtype].bytes};
}

size_t agni_spmm_scratch(const agn_kernel_call *c)
{
    job q = make_job(c);
    return c->ints[0] && q.n == 1 ? fold_bytes(&q, batch_size(c->out, 2)) : 0;
}

agn_status agni_cpu_spmm(const agn_kernel_call *c)
{
    const agn_array *y = c->out;
    job q = make_job(c);
    int64_t batch = batch_size(y, 2);
    q.f = select_kernels(q.p, y->dtype);
    q.a = rows_of_pattern(q.p, q.bytes);
    if (c->ints[0] && q.n == 1)
        return multiply_transposed(&q, batch);
    if (c->ints[0]) {
        const agni_transposed_pattern *t = agni_pattern_transposed(q.p);
        if (!t)
            return agni_nomem(c->op, (size_t)q.p->nnz * 2 * sizeof(int64_t));
        q.p = t->p;
        q.a = rows_of_pattern(t->p, q.bytes);
        q.a.from = t->from;
    }
    run_shares(&q, batch);
    return AGN_OK;
}

static void sddmm_rows(const job *q, int64_t b, int64_t lo, int64_t hi)
{
    const agn_array *y = q->c->out, *u = q->c->in, *w = q->c->in + 1;
    q->f->sddmm(&q->a, element_at(u, agni_batch_offset(u, 2, y, 1, b)),
                element_at(w, agni_batch_offset(w, 2, y, 1, b)),
                (char *)y->data + b * q->p->nnz * q->bytes, q->n, lo, hi);
}

agn_status agni_cpu_sddmm(const agn_kernel_call *c)
{
    const agn_array *u = c->in, *y = c->out;
    job q = {.c = c, .p = c->object, .run = sddmm_rows, .n = u->shape[u->ndim - 1]};
    q.f = select_kernels(q.p, y->dtype);
    q.bytes = agni_dtypes[y->dtype].bytes;
    q.a = rows_of_pattern(q.p, q.bytes);
    run_shares(&q, batch_size(y, 1));
    return AGN_OK;
}

/* ---- dense matrices -------------------------------------------------------------- */

agn_status agni_cpu_scatter(const agn_kernel_call *c)
{
    const agn_array *y = c->out;
    const agni_pattern *p = c->object;
    int64_t bytes = agni_dtypes[y->dtype].bytes, batch = batch_size(y, 2);
    size_t whole = (size_t)(batch * p->rows * p->cols * bytes);
    const char *v = c->in[0].data;
    char *row = y->data;
    if (whole)
        memset(row, 0, whole);
    for (int64_t b = 0; b < batch; b++)
        for (int64_t i = 0; i < p->rows; i++, row += p->cols * bytes)
            for (int64_t e = agni_row_begin(p, i); e < agni_row_begin(p, i + 1);
                 e++, v += bytes)
                memcpy(row + agni_entry_col(p, e) * bytes, v, (size_t)bytes);
    return AGN_OK;
}

agn_status agni_cpu_gather(const agn_kernel_call *c)
{
    const agn_array *y = c->out;
    const agni_pattern *p = c->object;
    int64_t bytes = agni_dtypes[y->dtype].bytes, batch = batch_size(y, 1);
    const char *row = c->in[0].data;
    char *v = y->data;
    for (int64_t b = 0; b < batch; b++)
        for (int64_t i = 0; i < p->rows; i++, row += p->cols * bytes)
            for (int64_t e = agni_row_begin(p, i); e < agni_row_begin(p, i + 1);
                 e++, v += bytes)
                memcpy(v, row + agni_entry_col(p, e) * bytes, (size_t)bytes);
    return AGN_OK;
}
