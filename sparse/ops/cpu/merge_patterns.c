/* sparse/ops/cpu/merge_patterns.c - union and intersection of the rows of two patterns, and sums of
   values over the union. Threads share runs of rows, then runs of entries; each entry is summed by
   one thread, A before B. */
#include "sparse/ops/merge_patterns.h"

#include <complex.h>
#include <string.h>

typedef struct lines {
    const void *indptr, *index;
} lines;
/* what one run of rows writes: index from its first entry on, the rest as in agni_merged_pattern */
typedef struct run {
    void *index, *at[2], *end;
} run;

#define INT int32_t
#define NAME(x) x##_i32
#include "sparse/ops/cpu/merge_patterns_body.h"
#undef INT
#undef NAME
#define INT int64_t
#define NAME(x) x##_i64
#include "sparse/ops/cpu/merge_patterns_body.h"
#undef INT
#undef NAME

typedef struct loops {
    int64_t (*merge[2])(const lines *a, const lines *b, const run *r, int64_t lo, int64_t hi);
    void (*shift)(void *to, const void *from, int64_t n, int64_t by);
    void (*add[4])(void *y, const void *u, const void *to, int64_t lo, int64_t hi);
} loops;
#define LOOPS(i) \
    {{merge_union_##i, merge_intersection_##i}, shift_indices_##i, \
     {add_f32_##i, add_f64_##i, add_c64_##i, add_c128_##i}}
static const loops all[2] = {LOOPS(i32), LOOPS(i64)};

/* ---- patterns ----------------------------------------------------------------------------- */

typedef struct merge_job {
    const agni_pattern *a, *b;
    const loops *f;
    size_t bytes; /* of an integer */
    bool both;
    int64_t runs;
    int64_t *begin; /* [runs + 1]: the first entry of each run, after the prefix sum */
    char *index, *at[2], *indptr; /* as long as they may become */
    char *to_index, *to[2];
} merge_job;

static int64_t first_row(const merge_job *q, int64_t k)
{
    return agni_pattern_split_rows(q->a, k, q->runs);
}
/* upper bound of the entries in the rows before this one */
static int64_t entries_before(const merge_job *q, int64_t row)
{
    return agni_row_begin(q->a, row) + (q->both ? 0 : agni_row_begin(q->b, row));
}

static void merge_run(void *user, int64_t k, int worker)
{
    const merge_job *q = user;
    int64_t lo = first_row(q, k), hi = first_row(q, k + 1), at = entries_before(q, lo);
    size_t skip = q->both ? (size_t)at * q->bytes : 0;
    (void)worker;
    q->begin[k + 1] = q->f->merge[q->both](
        &(lines){q->a->indptr, q->a->index}, &(lines){q->b->indptr, q->b->index},
        &(run){q->index + (size_t)at * q->bytes, {q->at[0] + skip, q->at[1] + skip},
               q->indptr + q->bytes},
        lo, hi);
}

/* the numbers of a run count from those before it */
static void place_run(void *user, int64_t k, int worker)
{
    const merge_job *q = user;
    const agni_pattern *p[2] = {q->a, q->b};
    int64_t lo = first_row(q, k), hi = first_row(q, k + 1), by = q->begin[k];
    int64_t n = q->begin[k + 1] - by;
    size_t b = q->bytes, at = (size_t)entries_before(q, lo) * b, to = (size_t)by * b;
    (void)worker;
    char *end = q->indptr + (size_t)(lo + 1) * b;
    q->f->shift(end, end, hi - lo, by);
    memcpy(q->to_index + to, q->index + at, (size_t)n * b);
    for (int i = 0; i < 2; i++) {
        int64_t first = agni_row_begin(p[i], lo);
        if (q->both)
            memcpy(q->to[i] + to, q->at[i] + at, (size_t)n * b);
        else
            q->f->shift(q->at[i] + (size_t)first * b, q->at[i] + (size_t)first * b,
                        agni_row_begin(p[i], hi) - first, by);
    }
}

static void *alloc_indices(int64_t n, size_t bytes)
{
    return agni_alloc((size_t)(n ? n : 1) * bytes);
}

static agn_status merge_rows(agni_merged_pattern *m, const char *op, merge_job *q)
{
    enum { ENTRIES = 1 << 16 }; /* of a run */
    int64_t n[2] = {q->a->nnz, q->b->nnz}, rows = q->a->rows;
    int64_t most = q->both ? n[0] : n[0] + n[1];
    q->runs = (n[0] + n[1]) / ENTRIES + 1;
    q->begin = agni_zalloc((size_t)(q->runs + 1) * sizeof *q->begin);
    q->index = alloc_indices(most, q->bytes);
    q->indptr = agni_zalloc((size_t)(rows + 1) * q->bytes);
    for (int i = 0; i < 2; i++)
        q->at[i] = alloc_indices(q->both ? most : n[i], q->bytes);
    if (!q->begin || !q->index || !q->indptr || !q->at[0] || !q->at[1])
        return agni_nomem(op, (size_t)most * q->bytes);
    agni_parallel_for(q->runs, merge_run, q);
    for (int64_t k = 0; k < q->runs; k++)
        q->begin[k + 1] += q->begin[k];
    int64_t nnz = q->begin[q->runs];
    q->to_index = alloc_indices(nnz, q->bytes);
    for (int i = 0; q->both && i < 2; i++)
        q->to[i] = alloc_indices(nnz, q->bytes);
    if (!q->to_index || (q->both && (!q->to[0] || !q->to[1])))
        return agni_nomem(op, (size_t)nnz * q->bytes);
    agni_parallel_for(q->runs, place_run, q);
    m->nnz = nnz;
    m->wide = q->a->wide;
    for (int i = 0; i < 2; i++) {
        char **found = q->both ? &q->to[i] : &q->at[i];
        m->n[i] = n[i];
        m->at[i] = *found;
        *found = NULL;
    }
    agn_status st = agni_pattern_adopt(&m->c, rows, q->a->cols, m->wide, q->indptr, q->to_index);
    q->indptr = q->to_index = NULL;
    return st;
}

agn_status agni_merge_patterns(agni_merged_pattern *m, const char *op, const agni_pattern *a,
                               const agni_pattern *b, int what)
{
    merge_job q = {.a = a,
                   .b = b,
                   .f = &all[a->wide],
                   .bytes = a->wide ? sizeof(int64_t) : sizeof(int32_t),
                   .both = what == AGNI_PATTERN_INTERSECTION};
    agn_status st = merge_rows(m, op, &q);
    void *rest[] = {q.begin, q.index, q.at[0], q.at[1], q.indptr, q.to_index, q.to[0], q.to[1]};
    for (size_t k = 0; k < sizeof rest / sizeof *rest; k++)
        agni_free(rest[k]);
    return st;
}

/* ---- values ------------------------------------------------------------------------------- */

enum {
    PLACES = 1 << 11, /* they stay in the innermost cache until both have been added */
    RUN = 32 * PLACES
};

typedef struct add_job {
    const agn_kernel_call *c;
    const agni_merged_pattern *m;
    const loops *f;
    int dtype; /* row of add */
    int64_t bytes, runs;
} add_job;

static void add_run(void *user, int64_t k, int worker)
{
    const add_job *q = user;
    const agni_merged_pattern *m = q->m;
    const agn_array *y = q->c->out;
    int64_t b = k / q->runs, lo = k % q->runs * RUN, end = lo + RUN < m->nnz ? lo + RUN : m->nnz;
    int64_t e[2], bytes = m->wide ? (int64_t)sizeof(int64_t) : (int64_t)sizeof(int32_t);
    (void)worker;
    char *to = (char *)y->data + b * m->nnz * q->bytes;
    for (int i = 0; i < 2; i++)
        e[i] = agni_lower_bound(m->at[i], m->wide, m->n[i], lo);
    for (; lo < end; lo += PLACES) {
        int64_t hi = lo + PLACES < end ? lo + PLACES : end;
        memset(to + lo * q->bytes, 0, (size_t)((hi - lo) * q->bytes));
        for (int i = 0; i < 2; i++) {
            const agn_array *v = &q->c->in[i];
            int64_t left = m->n[i] - e[i], most = hi - lo < left ? hi - lo : left;
            const char *from = (const char *)m->at[i] + e[i] * bytes;
            int64_t stop = e[i] + agni_lower_bound(from, m->wide, most, hi);
            q->f->add[q->dtype](to,
                                (const char *)v->data + agni_batch_offset(v, 1, y, 1, b) * q->bytes,
                                m->at[i], e[i], stop);
            e[i] = stop;
        }
    }
}

agn_status agni_cpu_join(const agn_kernel_call *c)
{
    const agn_array *y = c->out;
    const agni_merged_pattern *m = c->object;
    add_job q = {.c = c, .m = m, .f = &all[m->wide], .bytes = agni_dtypes[y->dtype].bytes};
    q.dtype = y->dtype == AGN_F32 ? 0 : y->dtype == AGN_F64 ? 1 : y->dtype == AGN_C64 ? 2 : 3;
    q.runs = (m->nnz + RUN - 1) / RUN;
    int64_t batch = 1;
    for (int d = 0; d < y->ndim - 1; d++)
        batch *= y->shape[d];
    if (batch * m->nnz < RUN)
        for (int64_t k = 0; k < batch * q.runs; k++)
            add_run(&q, k, 0);
    else
        agni_parallel_for(batch * q.runs, add_run, &q);
    return AGN_OK;
}
