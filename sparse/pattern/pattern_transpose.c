/* sparse/pattern/pattern_transpose.c - the transpose of a pattern, found by threads. */
#include "sparse/pattern/pattern.h"

#include <string.h>

void agni_turned_free(agni_turned *t)
{
    if (t) {
        agni_free(t->from);
        if (t->p)
            agni_obj_release(&t->p->head);
    }
    agni_free(t);
}

typedef struct turning {
    const agni_pattern *p;
    int64_t shares;
    bool dealing;
    void *at, *indptr, *index, *from;
} turning;

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

static void turn_share(void *user, int64_t k, int worker)
{
    const turning *q = user;
    int64_t lo = agni_pattern_share(q->p, k, q->shares),
            hi = agni_pattern_share(q->p, k + 1, q->shares);
    (void)worker;
    if (q->dealing)
        (q->p->wide ? deal_i64 : deal_i32)(q, k, lo, hi);
    else
        (q->p->wide ? count_i64 : count_i32)(q, k, lo, hi);
}

enum { TO_SHARE = 1 << 15 }; /* entries that are worth a thread */

/* counts of shares take no more room than the entries */
static int64_t shares_of(const agni_pattern *p)
{
    int64_t n = agni_parallel_width(), most = p->nnz / TO_SHARE, room = p->nnz / (p->cols + 1);
    n = n < most ? n : most;
    n = n < room ? n : room;
    return n > 1 ? n : 1;
}

static agni_turned *turn(const agni_pattern *p)
{
    size_t b = p->wide ? sizeof(int64_t) : sizeof(int32_t),
           n = (size_t)(p->nnz ? p->nnz : 1);
    agni_turned *t = agni_zalloc(sizeof *t);
    void *indptr = agni_alloc((size_t)(p->cols + 1) * b), *index = agni_alloc(n * b);
    turning q = {.p = p, .shares = shares_of(p), .indptr = indptr, .index = index};
    q.at = agni_alloc((size_t)q.shares * (size_t)(p->cols + 1) * b);
    if (!t || !indptr || !index || !q.at || !(t->from = q.from = agni_alloc(n * b))) {
        agni_free(indptr);
        agni_free(index);
        agni_free(q.at);
        agni_turned_free(t);
        return NULL;
    }
    agni_parallel_for(q.shares, turn_share, &q);
    (p->wide ? begins_i64 : begins_i32)(&q);
    q.dealing = true;
    agni_parallel_for(q.shares, turn_share, &q);
    agni_free(q.at);
    if (agni_pattern_take(&t->p, p->cols, p->rows, p->wide, indptr, index)) {
        agni_turned_free(t);
        return NULL;
    }
    return t;
}

const agni_turned *agni_pattern_turned(const agni_pattern *p)
{
    agni_csr_pattern *q = agni_inside(p);
    agni_turned *t = atomic_load(&q->turned), *none = NULL;
    if (t || !(t = turn(p)))
        return t;
    if (atomic_compare_exchange_strong(&q->turned, &none, t))
        return t;
    agni_turned_free(t);
    return none;
}
