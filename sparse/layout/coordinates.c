/* sparse/layout/coordinates.c - places of entries by coordinates: life, order, sorting. */
#include "sparse/layout/packed_keys.h"
#include "sparse/layout/layout.h"

#include <string.h>

int64_t *agni_alloc_indices(int64_t n)
{
    int64_t bytes;
    return agni_checked_mul(n ? n : 1, (int64_t)sizeof(int64_t), &bytes) ? agni_alloc((size_t)bytes)
                                                                 : NULL;
}

static void places_destroy(agni_obj *o)
{
    agni_free((void *)(uintptr_t)((agni_coordinates *)o)->at);
    agni_free(o);
}

static bool places_equal(const agni_obj *a, const agni_obj *b)
{
    const agni_coordinates *p = (const agni_coordinates *)a, *q = (const agni_coordinates *)b;
    return p->ndim == q->ndim && p->nnz == q->nnz && p->coalesced == q->coalesced &&
           !memcmp(p->shape, q->shape, (size_t)p->ndim * sizeof *p->shape) &&
           (!p->nnz || !memcmp(p->at, q->at, (size_t)(p->ndim * p->nnz) * sizeof *p->at));
}
static const agni_obj_type places_type = {
    .name = "places", .destroy = places_destroy, .equal = places_equal};

bool agni_is_coordinates(const agni_obj *o)
{
    return o && o->type == &places_type;
}

agn_status agni_make_coordinates(agni_coordinates **out, const char *op, int ndim,
                                 const int64_t *shape, int64_t nnz, bool coalesced, int64_t *at)
{
    size_t bytes = sizeof(agni_coordinates) + (size_t)ndim * sizeof *shape;
    agni_coordinates *p = at ? agni_zalloc(bytes) : NULL;
    if (!p) {
        agni_free(at);
        return agni_nomem(op, at ? bytes : (size_t)(ndim * nnz) * sizeof *at);
    }
    agni_ref_init(&p->head.ref);
    p->head.type = &places_type;
    p->coalesced = coalesced;
    p->ndim = ndim;
    p->nnz = nnz;
    p->at = at;
    if (ndim)
        memcpy(p->shape, shape, (size_t)ndim * sizeof *shape);
    *out = p;
    return AGN_OK;
}

int agni_compare_coordinates(const agni_coordinates *p, int64_t e, const agni_coordinates *q,
                             int64_t f)
{
    for (int d = 0; d < p->ndim; d++) {
        int64_t a = p->at[d * p->nnz + e], b = q->at[d * q->nnz + f];
        if (a != b)
            return a < b ? -1 : 1;
    }
    return 0;
}

/* ---- sorting ------------------------------------------------------------------------ */

static bool is_sorted(const agni_coordinates *p, bool *repeats)
{
    *repeats = false;
    for (int64_t e = 1; e < p->nnz; e++) {
        int c = agni_compare_coordinates(p, e - 1, p, e);
        if (c > 0)
            return false;
        *repeats |= c == 0;
    }
    return true;
}

enum { DIGIT_BITS = 11 };

/* One stable pass of radix sort by a digit of a coordinate. */
static void radix_pass(int64_t *to, const int64_t *from, int64_t n, const int64_t *at, int shift,
                       int bits)
{
    int64_t count[1 << DIGIT_BITS], sum = 0, mask = ((int64_t)1 << bits) - 1;
    memset(count, 0, sizeof *count << bits);
    for (int64_t e = 0; e < n; e++)
        count[at[e] >> shift & mask]++;
    for (int64_t k = 0; k <= mask; k++) {
        int64_t here = count[k];
        count[k] = sum;
        sum += here;
    }
    for (int64_t k = 0; k < n; k++)
        to[count[at[from[k]] >> shift & mask]++] = from[k];
}

/* least significant coordinates and digits first (Knuth 1998, 5.2.5) */
static int64_t *radix_sort(const agni_coordinates *p, int64_t *order, int64_t *other)
{
    for (int d = p->ndim - 1; d >= 0; d--) {
        int bits = 0;
        while (bits < 62 && p->shape[d] - 1 >= (int64_t)1 << bits)
            bits++;
        int passes = (bits + DIGIT_BITS - 1) / DIGIT_BITS;
        for (int k = 0, shift = 0; k < passes; k++) {
            int wide = (bits - shift + passes - k - 1) / (passes - k);
            radix_pass(other, order, p->nnz, p->at + d * p->nnz, shift, wide);
            int64_t *t = order;
            order = other;
            other = t;
            shift += wide;
        }
    }
    return order;
}

/* by packed keys, which most shapes fit */
static agn_status sort_packed(const agni_coordinates *p, const char *op, int64_t **order,
                              bool *repeats)
{
    const int64_t *at[AGNI_MAX_RANK];
    agni_keys k;
    for (int d = 0; d < p->ndim; d++)
        at[d] = p->at + d * p->nnz;
    agn_status st = agni_keys_sort(&k, op, p->ndim, p->shape, p->nnz, at);
    if (st)
        return st;
    *repeats = false;
    int64_t *to = (int64_t *)k.key;
    for (int64_t i = 1; i < k.n && !*repeats; i++)
        *repeats = !agni_keys_is_first(&k, i);
    for (int64_t i = 0; i < k.n; i++)
        to[i] = agni_keys_entry(&k, i);
    *order = to;
    return AGN_OK;
}

agn_status agni_order_coordinates(const agni_coordinates *p, const char *op, int64_t **order,
                                  bool *repeats)
{
    *order = NULL;
    if (is_sorted(p, repeats))
        return AGN_OK;
    if (agni_keys_fit(p->ndim, p->shape, p->nnz))
        return sort_packed(p, op, order, repeats);
    int64_t *a = agni_alloc_indices(p->nnz), *b = agni_alloc_indices(p->nnz);
    if (!a || !b) {
        agni_free(a);
        agni_free(b);
        return agni_nomem(op, (size_t)p->nnz * sizeof *a);
    }
    for (int64_t e = 0; e < p->nnz; e++)
        a[e] = e;
    *order = radix_sort(p, a, b);
    agni_free(*order == a ? b : a);
    *repeats = false;
    for (int64_t k = 1; k < p->nnz && !*repeats; k++)
        *repeats = agni_compare_coordinates(p, (*order)[k - 1], p, (*order)[k]) == 0;
    return AGN_OK;
}
