/* tensor/sort.c - argsort by a stable merge sort; sort picks by it. Attributes: axis
   (negative), descending. */
#include "tensor/help.h"

#include <string.h>

static agn_status infer_argsort(agni_call *c)
{
    agni_infer_same(c);
    c->meta[0].dtype = AGN_I64;
    return AGN_OK;
}

/* a key beside its place; NaN sorts last either way, equal keys stay in order */
#define SORTER(T, s) \
    typedef struct { \
        T v; \
        int64_t i; \
    } item_##s; \
    static bool after_##s(T a, T b, bool down) \
    { \
        if (a != a) \
            return b == b; \
        return b == b && (down ? a < b : a > b); \
    } \
    static void sort_##s(item_##s *v, item_##s *tmp, int64_t n, bool down) \
    { \
        enum { RUN = 16 }; \
        for (int64_t lo = 0; lo < n; lo += RUN) { \
            int64_t hi = lo + RUN < n ? lo + RUN : n; \
            for (int64_t k = lo + 1; k < hi; k++) { \
                item_##s x = v[k]; \
                int64_t j = k; \
                for (; j > lo && after_##s(v[j - 1].v, x.v, down); j--) \
                    v[j] = v[j - 1]; \
                v[j] = x; \
            } \
        } \
        item_##s *from = v, *to = tmp; \
        for (int64_t w = RUN; w < n; w *= 2) { \
            for (int64_t lo = 0; lo < n; lo += 2 * w) { \
                int64_t mid = lo + w < n ? lo + w : n, hi = lo + 2 * w < n ? lo + 2 * w : n; \
                int64_t i = lo, j = mid; \
                for (int64_t k = lo; k < hi; k++) \
                    to[k] = i < mid && (j >= hi || !after_##s(from[i].v, from[j].v, down)) \
                                ? from[i++] \
                                : from[j++]; \
            } \
            item_##s *t = from; \
            from = to; \
            to = t; \
        } \
        if (from != v) \
            memcpy(v, from, (size_t)n * sizeof *v); \
    }
SORTER(uint8_t, b)
SORTER(int32_t, i32)
SORTER(int64_t, i64)
SORTER(float, f32)
SORTER(double, f64)

#define LANES(T, s) \
    { \
        item_##s *v = agni_alloc(2 * (size_t)(n ? n : 1) * sizeof *v); \
        if (!v) \
            return agni_nomem("argsort", 2 * (size_t)n * sizeof *v); \
        for (int64_t o = 0; o < outer; o++) \
            for (int64_t j = 0; j < inner; j++) { \
                const T *key = (const T *)c->in[0].data + o * n * inner + j; \
                for (int64_t k = 0; k < n; k++) \
                    v[k].v = key[k * inner], v[k].i = k; \
                sort_##s(v, v + n, n, down); \
                for (int64_t k = 0; k < n; k++) \
                    y[(o * n + k) * inner + j] = v[k].i; \
            } \
        agni_free(v); \
    } \
    break
static agn_status cpu_argsort(const agn_kernel_call *c)
{
    const agn_array *x = c->in;
    int axis = (int)c->ints[0] + x->ndim;
    bool down = c->ints[1] != 0;
    int64_t outer = 1, n = x->shape[axis], inner = 1, *y = c->out[0].data;
    for (int d = 0; d < axis; d++)
        outer *= x->shape[d];
    for (int d = axis + 1; d < x->ndim; d++)
        inner *= x->shape[d];
    switch (x->dtype) {
    case AGN_BOOL: LANES(uint8_t, b);
    case AGN_I32: LANES(int32_t, i32);
    case AGN_I64: LANES(int64_t, i64);
    case AGN_F32: LANES(float, f32);
    default: LANES(double, f64);
    }
    return AGN_OK;
}

#define BIT(d) (1u << AGN_##d)
static agni_slots slots_argsort;
const agni_op agni_op_argsort = {.name = "argsort",
                                 .takes = "x axis:a descending:b",
                                 .cls = AGNI_DISCRETE,
                                 .nin = 1,
                                 .nout = 1,
                                 .dtypes = BIT(BOOL) | BIT(I32) | BIT(I64) | BIT(F32) | BIT(F64),
                                 .promote = 1,
                                 .ew = -1,
                                 .infer = infer_argsort,
                                 .cpu = cpu_argsort,
                                 .contiguous = true,
                                 .batch = agni_batch_front,
                                 .slots = &slots_argsort,
                                 .lo = -3,
                                 .hi = 3,
                                 .doc = "the permutation that sorts"};

static agn_status axis_of(const char *op, const agn_tensor *x, int32_t axis, int *d)
{
    if (!x)
        return agni_fail(AGN_ENULL, "%s: x is NULL", op);
    return agni_axis(op, axis, x->ndim, d);
}

agn_status agn_argsort(agn_tensor **out, const agn_tensor *x, int32_t axis, bool descending)
{
    int d;
    agn_status st = axis_of("argsort", x, axis, &d);
    if (st)
        return st;
    int64_t at[2] = {d - x->ndim, descending};
    return agni_public(out, &agni_op_argsort, &(agni_attr){.ni = 2, .i = at}, 1, &x);
}

agn_status agn_sort(agn_tensor **out, const agn_tensor *x, int32_t axis, bool descending)
{
    int d;
    agn_status st = axis_of("sort", x, axis, &d);
    if (st)
        return st;
    agn_tensor *order = NULL;
    st = agn_argsort(&order, x, d, descending);
    if (!st)
        st = agn_take_along_axis(out, x, order, d);
    agn_release(order);
    return agni_in_name_of("sort", st);
}
