/* sparse/pattern/column_partition.c - the columns of a pattern partitioned into ranges of about
   equally many entries, for threads that add rows into columns of their own. An element of the
   result is summed in the order of the rows, whatever the partition. */
#include "sparse/pattern/pattern.h"

#include <string.h>

void agni_column_partition_free(agni_column_partition *c)
{
    if (c) {
        agni_free(c->bound);
        agni_free(c->at);
    }
    agni_free(c);
}

static void store_index(void *v, bool wide, int64_t k, int64_t x)
{
    if (wide)
        ((int64_t *)v)[k] = x;
    else
        ((int32_t *)v)[k] = (int32_t)x;
}

/* bound[k]: the first column of part k; count is scratch, [cols] */
static void find_bounds(const agni_pattern *p, int n, int64_t *bound, int64_t *count)
{
    int64_t seen = 0, j = 0;
    for (int64_t e = 0; e < p->nnz; e++)
        count[agni_entry_col(p, e)]++;
    bound[0] = 0;
    for (int k = 1; k < n; k++) {
        for (; j < p->cols && seen < p->nnz / n * k; j++)
            seen += count[j];
        bound[k] = j;
    }
    bound[n] = p->cols;
}

static agni_column_partition *build_partition(const agni_pattern *p, int n)
{
    size_t b = p->wide ? sizeof(int64_t) : sizeof(int32_t);
    agni_column_partition *c = agni_zalloc(sizeof *c);
    int64_t *count = agni_zalloc((size_t)(p->cols + 1) * sizeof *count);
    if (c)
        c->bound = agni_zalloc((size_t)(3 * n + 1) * sizeof *c->bound);
    if (!c || !count || !c->bound ||
        !(c->at = agni_alloc((size_t)(n - 1) * (size_t)(p->rows + 1) * b))) {
        agni_free(count);
        agni_column_partition_free(c);
        return NULL;
    }
    c->n = n;
    c->first = c->bound + n + 1;
    c->last = c->first + n;
    find_bounds(p, n, c->bound, count);
    agni_free(count);
    for (int64_t i = 0; i < p->rows; i++) {
        int64_t e = agni_row_begin(p, i), end = agni_row_begin(p, i + 1);
        for (int k = 0; k < n; k++) {
            int64_t begin = e;
            while (e < end && agni_entry_col(p, e) < c->bound[k + 1])
                e++;
            if (k < n - 1)
                store_index(c->at, p->wide, k * p->rows + i, e);
            if (begin < e) {
                c->first[k] = c->last[k] ? c->first[k] : i;
                c->last[k] = i + 1;
            }
        }
    }
    return c;
}

const agni_column_partition *agni_pattern_column_partition(const agni_pattern *p, int width)
{
    int k = 0;
    while (k < AGNI_MAX_COLUMN_PARTITIONS - 1 && 2 << k < width)
        k++;
    agni_csr_pattern *q = agni_csr_pattern_of(p);
    agni_column_partition *c = atomic_load(&q->cuts[k]), *none = NULL;
    if (c || !(c = build_partition(p, 2 << k)))
        return c;
    if (atomic_compare_exchange_strong(&q->cuts[k], &none, c))
        return c;
    agni_column_partition_free(c);
    return none;
}
