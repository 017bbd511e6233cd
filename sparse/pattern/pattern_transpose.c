/* sparse/pattern/pattern_transpose.c - the transpose of a pattern by parallel counting sort. */
#include "sparse/pattern/pattern.h"

#include <string.h>

void agni_transposed_pattern_free(agni_transposed_pattern *t)
{
    if (t) {
        agni_free(t->from);
        if (t->p)
            agni_obj_release(&t->p->head);
    }
    agni_free(t);
}

typedef struct transpose_job {
    const agni_pattern *p;
    int64_t shares;
    bool scattering;
    void *at, *indptr, *index, *from;
} transpose_job;

#define INT int32_t
#define NAME(x) x##_i32
#include "sparse/pattern/pattern_transpose_body.h"
#undef INT
#undef NAME
#define INT int64_t
#define NAME(x) x##_i64
#include "sparse/pattern/pattern_transpose_body.h"
#undef INT
#undef NAME

static void run_share(void *user, int64_t k, int worker)
{
    const transpose_job *q = user;
    int64_t lo = agni_pattern_split_rows(q->p, k, q->shares),
            hi = agni_pattern_split_rows(q->p, k + 1, q->shares);
    (void)worker;
    if (q->scattering)
        (q->p->wide ? scatter_entries_i64 : scatter_entries_i32)(q, k, lo, hi);
    else
        (q->p->wide ? count_columns_i64 : count_columns_i32)(q, k, lo, hi);
}

enum { TO_SHARE = 1 << 15 }; /* entries that are worth a thread */

/* counts of shares take no more room than the entries */
static int64_t count_shares(const agni_pattern *p)
{
    int64_t n = agni_parallel_width(), most = p->nnz / TO_SHARE, room = p->nnz / (p->cols + 1);
    n = n < most ? n : most;
    n = n < room ? n : room;
    return n > 1 ? n : 1;
}

static agni_transposed_pattern *build_transpose(const agni_pattern *p)
{
    size_t b = p->wide ? sizeof(int64_t) : sizeof(int32_t),
           n = (size_t)(p->nnz ? p->nnz : 1);
    agni_transposed_pattern *t = agni_zalloc(sizeof *t);
    void *indptr = agni_alloc((size_t)(p->cols + 1) * b), *index = agni_alloc(n * b);
    transpose_job q = {.p = p, .shares = count_shares(p), .indptr = indptr, .index = index};
    q.at = agni_alloc((size_t)q.shares * (size_t)(p->cols + 1) * b);
    if (!t || !indptr || !index || !q.at || !(t->from = q.from = agni_alloc(n * b))) {
        agni_free(indptr);
        agni_free(index);
        agni_free(q.at);
        agni_transposed_pattern_free(t);
        return NULL;
    }
    agni_parallel_for(q.shares, run_share, &q);
    (p->wide ? sum_counts_i64 : sum_counts_i32)(&q);
    q.scattering = true;
    agni_parallel_for(q.shares, run_share, &q);
    agni_free(q.at);
    if (agni_pattern_adopt(&t->p, p->cols, p->rows, p->wide, indptr, index)) {
        agni_transposed_pattern_free(t);
        return NULL;
    }
    return t;
}

const agni_transposed_pattern *agni_pattern_transposed(const agni_pattern *p)
{
    agni_csr_pattern *q = agni_csr_pattern_of(p);
    agni_transposed_pattern *t = atomic_load(&q->turned), *none = NULL;
    if (t || !(t = build_transpose(p)))
        return t;
    if (atomic_compare_exchange_strong(&q->turned, &none, t))
        return t;
    agni_transposed_pattern_free(t);
    return none;
}
