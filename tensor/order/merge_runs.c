/* tensor/order/merge_runs.c - distinct words by several threads: runs by radix sort, merged two by
   two; each merge is cut into pieces of equal length along its path (Green, Odeh & Birk 2014). The
   order of distinct words is one, whatever the runs are. */
#include "tensor/order/radix_sort.h"

#include "core/core.h"

#include <string.h>

enum { PIECE = 1 << 14, MOST_RUNS = 32 };

typedef struct merging {
    uint64_t *from, *to;
    int64_t n, run; /* words, and words of a run: a multiple of PIECE */
} merging;

static int64_t smaller_of(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static void sort_run(void *user, int64_t i, int worker)
{
    const merging *q = user;
    int64_t at = i * q->run, n = smaller_of(q->run, q->n - at);
    (void)worker;
    if (n <= 0)
        return;
    uint64_t *v = q->from + at, *r = agni_radix_lsd_u64(v, q->to + at, n);
    if (r != v)
        memcpy(v, r, (size_t)n * sizeof *v);
}

/* how many of the first `out` words of the merge come from a */
static int64_t find_split(const uint64_t *a, int64_t na, const uint64_t *b, int64_t nb, int64_t out)
{
    int64_t lo = out > nb ? out - nb : 0, hi = smaller_of(out, na);
    while (lo < hi) {
        int64_t i = lo + (hi - lo) / 2;
        if (a[i] < b[out - i - 1])
            lo = i + 1;
        else
            hi = i;
    }
    return lo;
}

static void merge_piece(void *user, int64_t piece, int worker)
{
    const merging *q = user;
    int64_t lo = piece * PIECE, hi = smaller_of(lo + PIECE, q->n);
    int64_t at = lo / (2 * q->run) * (2 * q->run);
    int64_t na = smaller_of(q->run, q->n - at), nb = smaller_of(q->run, q->n - at - na);
    const uint64_t *a = q->from + at, *b = a + na;
    int64_t i = find_split(a, na, b, nb, lo - at), j = lo - at - i;
    (void)worker;
    for (int64_t k = lo; k < hi; k++) {
        bool first = j >= nb || (i < na && a[i] < b[j]);
        q->to[k] = first ? a[i] : b[j];
        i += first;
        j += !first;
    }
}

uint64_t *agni_sort_words(uint64_t *v, uint64_t *tmp, int64_t n)
{
    int64_t width = agni_parallel_width(), runs = 1;
    while (runs < width && runs < MOST_RUNS)
        runs *= 2;
    if (runs == 1)
        return agni_radix_lsd_u64(v, tmp, n);
    merging q = {v, tmp, n, (n / runs / PIECE + 1) * PIECE};
    agni_parallel_for(runs, sort_run, &q);
    for (; q.run < n; q.run *= 2) {
        agni_parallel_for((n + PIECE - 1) / PIECE, merge_piece, &q);
        uint64_t *from = q.from;
        q.from = q.to;
        q.to = from;
    }
    return q.from;
}
