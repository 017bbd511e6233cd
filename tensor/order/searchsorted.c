/* tensor/order/searchsorted.c - insertion points in sorted rows by binary search. searchsorted
   takes rows [b.., n] and values [b.., any..]; attribute: right. NaN is larger than any number,
   as in sort. */
#include "tensor/reduce/reduce.h"

#include <string.h>

static agn_status infer_searchsorted(agni_call *c)
{
    const agn_tensor *rows = c->in[0], *v = c->in[1];
    bool fits = rows->ndim > 0 && v->ndim >= rows->ndim - 1;
    for (int d = 0; fits && d < rows->ndim - 1; d++)
        fits = rows->shape[d] == v->shape[d];
    if (!fits)
        return agni_fail(AGN_ESHAPE, "searchsorted: sorted rows %s do not serve values %s",
                         AGNI_SHAPE(rows), AGNI_SHAPE(v));
    agni_meta *m = c->meta;
    m->dtype = AGN_I64;
    m->ndim = v->ndim;
    if (v->ndim)
        memcpy(m->shape, v->shape, (size_t)v->ndim * sizeof *v->shape);
    return AGN_OK;
}

typedef struct search_job {
    const agn_kernel_call *c;
    int64_t n, m; /* of a row, of its values */
    bool right;
} search_job;

/* binary search without branches: counts elements below v, with right also equal ones */
#define SEARCH(T, s) \
    static void search_##s(const search_job *q, int64_t row, int64_t lo, int64_t hi) \
    { \
        const T *a = (const T *)q->c->in[0].data + row * q->n, \
                *v = (const T *)q->c->in[1].data + row * q->m; \
        int64_t *y = (int64_t *)q->c->out[0].data + row * q->m; \
        bool right = q->right; \
        for (int64_t k = lo; k < hi; k++) { \
            T x = v[k]; \
            const T *base = a; \
            for (int64_t n = q->n; n > 0; n -= (n + 1) / 2) { \
                int64_t half = (n + 1) / 2; \
                T b = base[half - 1]; \
                bool before = right ? b <= x || x != x : b < x || (x != x && b == b); \
                base += before ? half : 0; \
            } \
            y[k] = base - a; \
        } \
    }
SEARCH(uint8_t, u8)
SEARCH(int32_t, i32)
SEARCH(int64_t, i64)
SEARCH(float, f32)
SEARCH(double, f64)

static void search_slab(void *user, const agni_axis_lanes *l, int64_t o, int64_t lo, int64_t hi)
{
    static void (*const by_dtype[AGN_NDTYPES])(const search_job *, int64_t, int64_t, int64_t) = {
        [AGN_BOOL] = search_u8, [AGN_I32] = search_i32, [AGN_I64] = search_i64,
        [AGN_F32] = search_f32, [AGN_F64] = search_f64,
    };
    const search_job *q = user;
    (void)l;
    by_dtype[q->c->in[0].dtype](q, o, lo, hi);
}

static agn_status cpu_searchsorted(const agn_kernel_call *c)
{
    const agn_array *a = c->in, *v = c->in + 1;
    search_job q = {c, a->shape[a->ndim - 1], 1, c->ints[0] != 0};
    agni_axis_lanes l = {1, 8, 1}; /* a value costs some steps */
    for (int d = 0; d < v->ndim; d++)
        *(d < a->ndim - 1 ? &l.outer : &l.inner) *= v->shape[d];
    q.m = l.inner;
    agni_for_each_slab(&l, 1 << 12, search_slab, &q);
    return AGN_OK;
}

static agni_slots slots;
const agni_op agni_op_searchsorted = {.name = "searchsorted",
                                      .takes = "sorted x right:b",
                                      .cls = AGNI_DISCRETE,
                                      .nin = 2,
                                      .nout = 1,
                                      .dtypes = AGNI_REALS | AGNI_BIT(BOOL),
                                      .promote = 3,
                                      .ew = -1,
                                      .infer = infer_searchsorted,
                                      .cpu = cpu_searchsorted,
                                      .contiguous = true,
                                      .batch = agni_batch_all,
                                      .slots = &slots,
                                      .lo = -3,
                                      .hi = 3,
                                      .lo2 = -3,
                                      .hi2 = 3,
                                      .doc = "insertion points that keep rows sorted"};

static agn_status apply_searchsorted(const char *op, agn_tensor **out, const agn_tensor *sorted,
                                     const agn_tensor *x, bool right)
{
    int64_t at[1] = {right};
    return agni_rename_error(op, agni_apply_public(out, &agni_op_searchsorted,
                                                   &(agni_attr){.ni = 1, .i = at}, 2,
                                                   (const agn_tensor *[]){sorted, x}));
}

agn_status agn_searchsorted(agn_tensor **out, const agn_tensor *sorted, const agn_tensor *x,
                            bool right)
{
    AGNI_NEED("searchsorted", sorted);
    AGNI_NEED("searchsorted", x);
    return apply_searchsorted("searchsorted", out, sorted, x, right);
}

agn_status agn_bucketize(agn_tensor **out, const agn_tensor *x, const agn_tensor *edges,
                         bool right)
{
    AGNI_NEED("bucketize", x);
    AGNI_NEED("bucketize", edges);
    if (edges->ndim != 1)
        return agni_fail(AGN_ESHAPE, "bucketize: edges are %s, one axis is needed; x is %s",
                         AGNI_SHAPE(edges), AGNI_SHAPE(x));
    return apply_searchsorted("bucketize", out, edges, x, right);
}
