/* sparse/pattern/mirror_entries.c - the entry (j, i) of each entry (i, j) of a structurally
   symmetric pattern, without its transpose. */
#include "sparse/pattern/pattern.h"

#include <string.h>

/* at[e] = f for entries e = (i, j) and f = (j, i), in one pass over the rows: the columns of a row
   ascend, so the entries left of the diagonal of row i were paired from the rows above, in order,
   and next[i] is the first entry of row i that was not. next: [rows] */
#define PAIR_ENTRIES(name, type) \
    static bool name(const agni_pattern *p, type *next, type *at) \
    { \
        const type *begin = p->indptr, *col = p->index; \
        memcpy(next, begin, (size_t)p->rows * sizeof *next); \
        for (int64_t i = 0; i < p->rows; i++) { \
            type e = next[i], end = begin[i + 1]; \
            if (e < end && col[e] == i) { \
                at[e] = e; \
                e++; \
            } \
            for (; e < end; e++) { \
                type j = col[e], f = next[j]; \
                if (j < i || f == begin[j + 1] || col[f] != i) \
                    return false; \
                at[e] = f; \
                at[f] = e; \
                next[j] = f + 1; \
            } \
        } \
        return true; \
    }
PAIR_ENTRIES(pair_entries, int32_t)
PAIR_ENTRIES(pair_entries_wide, int64_t)

static agn_status fail_unpaired_entry(const char *op, const agni_pattern *p)
{
    const agni_transposed_pattern *t = agni_pattern_transposed(p);
    if (!t)
        return agni_nomem(op, (size_t)p->nnz * 2 * sizeof(int32_t));
    for (int64_t i = 0; i < p->rows; i++) {
        int64_t e = agni_row_begin(p, i), f = agni_row_begin(t->p, i);
        int64_t e_end = agni_row_begin(p, i + 1), f_end = agni_row_begin(t->p, i + 1);
        for (; e < e_end || f < f_end; e++, f++) {
            int64_t j = e < e_end ? agni_entry_col(p, e) : INT64_MAX;
            int64_t k = f < f_end ? agni_entry_col(t->p, f) : INT64_MAX;
            if (j != k)
                return agni_fail(
                    AGN_EARG,
                    "%s: the pattern is not symmetric: entry [%lld,%lld] is there "
                    "without [%lld,%lld]",
                    op, (long long)(j < k ? i : k), (long long)(j < k ? j : i),
                    (long long)(j < k ? j : i), (long long)(j < k ? i : k));
        }
    }
    return AGN_OK;
}

agn_status agni_find_mirror_entries(agni_mirror_map *out, bool *symmetric, const char *op,
                                    const agni_pattern *p)
{
    const agni_transposed_pattern *t = atomic_load(
        &agni_csr_pattern_of(p)->turned); /* if it is known already */
    if (t && p->head.type->equal(&p->head, &t->p->head)) {
        *out = (agni_mirror_map){t->from, p->wide, false};
        *symmetric = true;
        return AGN_OK;
    }
    size_t one = p->wide ? sizeof(int64_t) : sizeof(int32_t);
    void *next = agni_alloc((size_t)(p->rows + 1) * one),
         *at = agni_alloc((size_t)(p->nnz + 1) * one);
    agn_status st = next && at ? AGN_OK : agni_nomem(op, (size_t)(p->rows + p->nnz) * one);
    bool found = !st && p->rows == p->cols &&
                 (p->wide ? pair_entries_wide(p, next, at) : pair_entries(p, next, at));
    agni_free(next);
    if (found)
        *out = (agni_mirror_map){at, p->wide, true};
    else
        agni_free(at);
    if (!st)
        *symmetric = found;
    return st;
}

agn_status agni_mirror_entries(agni_mirror_map *out, const char *op, const agni_pattern *p)
{
    bool symmetric = false;
    agn_status st = agni_find_mirror_entries(out, &symmetric, op, p);
    return st || symmetric ? st : fail_unpaired_entry(op, p);
}

void agni_mirror_map_free(agni_mirror_map *m)
{
    if (m->own)
        agni_free(m->at);
    *m = (agni_mirror_map){0};
}
