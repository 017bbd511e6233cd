/* sparse/layout/cpu/packed_keys.c - sorting of places by radix: once by the leading bits into parts
   that fit a cache, then each part by its other bits (Knuth 1998, 5.2.5). Threads share stretches
   of the entries, then parts. Keys differ, so there is one order. */
#include "sparse/layout/packed_keys.h"

#include <string.h>

enum {
    STRETCH = 1 << 16, /* entries that one task scatters */
    PART = 1 << 12,    /* entries of a part, where they are spread evenly */
    MOST_BITS = 12,    /* of parts */
    DIGIT = 8,
    FEW = 32 /* are inserted */
};

typedef struct radix_job {
    int ndim, bits[AGNI_MAX_RANK];
    const int64_t *const *at;
    agni_keys k;
    uint64_t *other;          /* as long as the keys */
    int top, rest;            /* bits that name a part, bits below them but for the entry's */
    int64_t stretches, parts;
    int64_t *count;           /* [stretches, parts], then where each begins */
    int64_t *part;            /* [parts + 1] */
} radix_job;

static int bits_needed(int64_t size)
{
    int bits = 0;
    while (bits < 63 && size - 1 >= (int64_t)1 << bits)
        bits++;
    return bits;
}

bool agni_keys_fit(int ndim, const int64_t *shape, int64_t n)
{
    int bits = bits_needed(n);
    for (int d = 0; d < ndim; d++)
        bits += bits_needed(shape[d]);
    return bits <= 64;
}

/* ---- into parts ----------------------------------------------------------------------------- */

static uint64_t pack_key(const radix_job *q, int64_t e)
{
    uint64_t key = 0;
    for (int d = 0; d < q->ndim; d++)
        key = key << q->bits[d] | (uint64_t)q->at[d][e];
    return key << q->k.shift | (uint64_t)e;
}

static void count_stretch(void *user, int64_t k, int worker)
{
    const radix_job *q = user;
    int64_t lo = k * STRETCH, hi = lo + STRETCH < q->k.n ? lo + STRETCH : q->k.n;
    int64_t *count = q->count + k * q->parts;
    int down = q->k.shift + q->rest;
    (void)worker;
    if (q->ndim == 2) /* by far the most */
        for (int64_t e = lo; e < hi; e++)
            q->other[e] = ((uint64_t)q->at[0][e] << q->bits[1] | (uint64_t)q->at[1][e])
                              << q->k.shift |
                          (uint64_t)e;
    else
        for (int64_t e = lo; e < hi; e++)
            q->other[e] = pack_key(q, e);
    for (int64_t e = lo; q->top && e < hi; e++)
        count[q->other[e] >> down]++;
}

static void scatter_stretch(void *user, int64_t k, int worker)
{
    const radix_job *q = user;
    int64_t lo = k * STRETCH, hi = lo + STRETCH < q->k.n ? lo + STRETCH : q->k.n;
    int64_t *to = q->count + k * q->parts;
    int down = q->k.shift + q->rest;
    (void)worker;
    for (int64_t e = lo; e < hi; e++)
        q->k.key[to[q->other[e] >> down]++] = q->other[e];
}

/* ---- a part --------------------------------------------------------------------------------- */

static void insertion_sort(uint64_t *v, int64_t n)
{
    for (int64_t i = 1; i < n; i++) {
        uint64_t x = v[i];
        int64_t j = i;
        for (; j > 0 && v[j - 1] > x; j--)
            v[j] = v[j - 1];
        v[j] = x;
    }
}

/* entries of a part are in the order of their numbers, which need not be sorted by */
static void sort_part(void *user, int64_t k, int worker)
{
    const radix_job *q = user;
    int64_t lo = q->part[k], n = q->part[k + 1] - lo;
    uint64_t *a = q->k.key + lo, *b = q->other + lo;
    (void)worker;
    if (n <= FEW) {
        insertion_sort(a, n);
        return;
    }
    int passes = (q->rest + DIGIT - 1) / DIGIT, wide = passes ? (q->rest + passes - 1) / passes : 0;
    int64_t count[64 / DIGIT][1 << DIGIT];
    uint64_t mask = ((uint64_t)1 << wide) - 1;
    memset(count, 0, (size_t)passes * sizeof *count);
    for (int64_t e = 0; e < n; e++) {
        uint64_t rest = (a[e] >> q->k.shift) & (((uint64_t)1 << q->rest) - 1);
        for (int p = 0; p < passes; p++, rest >>= wide)
            count[p][rest & mask]++;
    }
    for (int p = 0; p < passes; p++) {
        int down = q->k.shift + p * wide;
        int64_t *to = count[p], sum = 0;
        uint64_t within = p < passes - 1 ? mask : ((uint64_t)1 << (q->rest - p * wide)) - 1;
        for (uint64_t j = 0; j <= within; j++) {
            int64_t here = to[j];
            to[j] = sum;
            sum += here;
        }
        for (int64_t e = 0; e < n; e++)
            b[to[a[e] >> down & within]++] = a[e];
        uint64_t *t = a;
        a = b;
        b = t;
    }
    if (a != q->k.key + lo)
        memcpy(q->k.key + lo, a, (size_t)n * sizeof *a);
}

/* ---- all ------------------------------------------------------------------------------------- */

/* where stretches put what belongs to parts: earlier ones in front */
static void prefix_sum_parts(radix_job *q)
{
    int64_t sum = 0;
    for (int64_t j = 0; j < q->parts; j++) {
        q->part[j] = sum;
        for (int64_t k = 0; k < q->stretches; k++) {
            int64_t *c = q->count + k * q->parts + j, here = *c;
            *c = sum;
            sum += here;
        }
    }
    q->part[q->parts] = sum;
}

agn_status agni_keys_sort(agni_keys *out, const char *op, int ndim, const int64_t *shape, int64_t n,
                          const int64_t *const *at)
{
    radix_job q = {.ndim = ndim, .at = at, .k = {.n = n, .shift = bits_needed(n)}};
    int all = 0, want = bits_needed(n / PART);
    for (int d = 0; d < ndim; d++)
        all += q.bits[d] = bits_needed(shape[d]);
    q.k.last = ndim ? q.bits[ndim - 1] : 0;
    q.top = want < MOST_BITS ? want : MOST_BITS;
    q.top = q.top < all ? q.top : all;
    q.rest = all - q.top;
    q.parts = (int64_t)1 << q.top;
    q.stretches = (n + STRETCH - 1) / STRETCH;
    size_t room = (size_t)(n ? n : 1) * sizeof *q.k.key;
    q.k.key = agni_alloc(room);
    q.other = agni_alloc(room);
    q.count = agni_zalloc((size_t)(q.stretches * q.parts + q.parts + 1) * sizeof *q.count);
    if (!q.k.key || !q.other || !q.count) {
        agni_free(q.k.key);
        agni_free(q.other);
        agni_free(q.count);
        return agni_nomem(op, 2 * room);
    }
    q.part = q.count + q.stretches * q.parts;
    agni_parallel_for(q.stretches, count_stretch, &q);
    if (q.top) {
        prefix_sum_parts(&q);
        agni_parallel_for(q.stretches, scatter_stretch, &q);
    } else {
        uint64_t *t = q.k.key;
        q.k.key = q.other;
        q.other = t;
        q.part[1] = n;
    }
    agni_parallel_for(q.parts, sort_part, &q);
    agni_free(q.other);
    agni_free(q.count);
    *out = q.k;
    return AGN_OK;
}

/* ---- patterns -------------------------------------------------------------------------------- */

typedef struct pattern_job {
    const agni_keys *k;
    int64_t rows, stretches;
    int64_t *first; /* [stretches + 1]: distinct coordinates before each */
    int32_t *indptr, *index, *begin, *entry;
} pattern_job;

static void count_entries(void *user, int64_t k, int worker)
{
    const pattern_job *q = user;
    int64_t lo = k * STRETCH, hi = lo + STRETCH < q->k->n ? lo + STRETCH : q->k->n, n = 0;
    (void)worker;
    for (int64_t i = lo; i < hi; i++)
        n += agni_keys_is_first(q->k, i);
    q->first[k + 1] = n;
}

static void write_entries(void *user, int64_t k, int worker)
{
    const pattern_job *q = user;
    const agni_keys *v = q->k;
    int64_t lo = k * STRETCH, hi = lo + STRETCH < v->n ? lo + STRETCH : v->n, m = q->first[k];
    uint64_t mask = ((uint64_t)1 << v->last) - 1;
    int64_t row = lo ? (int64_t)(v->key[lo - 1] >> v->shift >> v->last) : -1;
    (void)worker;
    for (int64_t i = lo; i < hi; i++) {
        q->entry[i] = (int32_t)agni_keys_entry(v, i);
        if (!agni_keys_is_first(v, i))
            continue;
        uint64_t place = v->key[i] >> v->shift;
        for (int64_t r = (int64_t)(place >> v->last); row < r;)
            q->indptr[++row] = (int32_t)m;
        q->index[m] = (int32_t)(place & mask);
        q->begin[m++] = (int32_t)i;
    }
    if (hi == v->n) {
        q->begin[m] = (int32_t)v->n;
        while (row < q->rows)
            q->indptr[++row] = (int32_t)m;
    }
}

static int32_t *alloc_i32(int64_t n)
{
    return agni_alloc((size_t)(n ? n : 1) * sizeof(int32_t));
}

agn_status agni_keys_pattern(agni_pattern **out, agni_pattern **names, const char *op,
                             const agni_keys *k, int64_t rows, int64_t cols)
{
    pattern_job q = {.k = k, .rows = rows, .stretches = k->n ? (k->n + STRETCH - 1) / STRETCH : 1};
    q.first = agni_zalloc((size_t)(q.stretches + 1) * sizeof *q.first);
    if (!q.first)
        return agni_nomem(op, (size_t)q.stretches * sizeof *q.first);
    agni_parallel_for(q.stretches, count_entries, &q);
    for (int64_t i = 0; i < q.stretches; i++)
        q.first[i + 1] += q.first[i];
    int64_t m = q.first[q.stretches];
    q.indptr = alloc_i32(rows + 1);
    q.index = alloc_i32(m);
    q.begin = alloc_i32(m + 1);
    q.entry = alloc_i32(k->n);
    bool ready = q.indptr && q.index && q.begin && q.entry;
    if (ready)
        agni_parallel_for(q.stretches, write_entries, &q);
    agni_free(q.first);
    if (!ready) {
        agni_free(q.indptr);
        agni_free(q.index);
        agni_free(q.begin);
        agni_free(q.entry);
        return agni_nomem(op, (size_t)(rows + 2 * m + k->n) * sizeof(int32_t));
    }
    agni_pattern *p = NULL;
    agn_status st = agni_pattern_adopt(&p, rows, cols, false, q.indptr, q.index);
    if (st) {
        agni_free(q.begin);
        agni_free(q.entry);
        return st;
    }
    st = agni_pattern_adopt(names, m, k->n, false, q.begin, q.entry);
    if (st)
        agni_obj_release(&p->head);
    else
        *out = p;
    return st;
}
