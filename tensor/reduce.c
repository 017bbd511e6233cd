/* tensor/reduce.c - sum, cumsum and argmax as primitives; mean, prod, max, min and logsumexp
   as compositions, so that their derivatives follow. Attributes (axes negative):
     sum      keep, axes...
     cumsum   axis, reverse
     argmax   axis, keep, smallest                                                          */
#include "tensor/help.h"

#include <math.h>
#include <string.h>

/* ---- which axes -------------------------------------------------------------------------- */

static agn_status infer_sum(agni_call *c)
{
    const agn_tensor *x = c->in[0];
    bool gone[AGNI_MAX_RANK] = {false};
    for (int k = 1; k < c->at->ni; k++) {
        int64_t a = c->at->i[k];
        if (gone[a + x->ndim])
            return agni_fail(AGN_EINDEX, "sum: axis %lld of %d is named twice", (long long)a,
                             x->ndim);
        gone[a + x->ndim] = true;
    }
    agni_meta *m = c->meta;
    m->dtype = x->dtype;
    m->ndim = 0;
    for (int d = 0; d < x->ndim; d++)
        if (!gone[d] || c->at->i[0])
            m->shape[m->ndim++] = gone[d] ? 1 : x->shape[d];
    return AGN_OK;
}

/* ---- sum --------------------------------------------------------------------------------------- */

/* Pairwise in blocks of 128 with eight accumulators: the error grows like log n, and the
   order depends on n alone (Higham 2002, 4.2). */
#define PAIRWISE(T, s) \
    static T sum_##s(const T *x, int64_t n) \
    { \
        if (n <= 128) { \
            T a[8] = {0}; \
            int64_t k = 0; \
            for (; k + 8 <= n; k += 8) \
                for (int j = 0; j < 8; j++) \
                    a[j] += x[k + j]; \
            for (int j = 0; k < n; k++, j++) \
                a[j] += x[k]; \
            return ((a[0] + a[1]) + (a[2] + a[3])) + ((a[4] + a[5]) + (a[6] + a[7])); \
        } \
        int64_t half = (n / 2 + 127) / 128 * 128; \
        return sum_##s(x, half) + sum_##s(x + half, n - half); \
    } \
    /* rows of width m, n of them, into y: pairwise over rows */ \
    static void rows_##s(T *y, const T *x, int64_t n, int64_t m, T *tmp) \
    { \
        if (n <= 16) { \
            for (int64_t j = 0; j < m; j++) \
                y[j] = x[j]; \
            for (int64_t i = 1; i < n; i++) \
                for (int64_t j = 0; j < m; j++) \
                    y[j] += x[i * m + j]; \
            return; \
        } \
        int64_t half = (n / 2 + 15) / 16 * 16; \
        rows_##s(y, x, half, m, tmp); \
        rows_##s(tmp, x + half * m, n - half, m, tmp + m); \
        for (int64_t j = 0; j < m; j++) \
            y[j] += tmp[j]; \
    }
PAIRWISE(float, f32)
PAIRWISE(double, f64)
PAIRWISE(uint32_t, u32)
PAIRWISE(uint64_t, u64)

/* [outer, n, inner] -> [outer, inner] */
typedef struct summing {
    int dtype;
    const char *x;
    char *y;
    int64_t n, inner, bytes;
    bool failed;
} summing;

static void sum_slab(void *user, int64_t o, int worker)
{
    summing *q = user;
    (void)worker;
    const char *x = q->x + o * q->n * q->inner * q->bytes;
    char *y = q->y + o * q->inner * q->bytes;
#define RUN(T, s) \
    if (q->inner == 1) { \
        *(T *)(void *)y = sum_##s((const T *)(const void *)x, q->n); \
    } else if (q->n == 0) { \
        memset(y, 0, (size_t)(q->inner * q->bytes)); \
    } else { \
        T *tmp = agni_alloc((size_t)q->inner * 64 * sizeof(T)); \
        if (tmp) \
            rows_##s((T *)(void *)y, (const T *)(const void *)x, q->n, q->inner, tmp); \
        else \
            q->failed = true; \
        agni_free(tmp); \
    } \
    break
    switch (q->dtype) {
    case AGN_F32: RUN(float, f32);
    case AGN_F64: RUN(double, f64);
    case AGN_I32: RUN(uint32_t, u32);
    default: RUN(uint64_t, u64);
    }
#undef RUN
}

/* one contiguous axis group summed; complex numbers are two columns */
static agn_status sum_group(int dtype, const void *x, void *y, int64_t outer, int64_t n,
                            int64_t inner)
{
    if (dtype == AGN_C64 || dtype == AGN_C128) {
        inner *= 2;
        dtype = dtype == AGN_C64 ? AGN_F32 : AGN_F64;
    }
    summing q = {dtype, x, y, n, inner, agni_dtypes[dtype].bytes, false};
    if (outer * n * inner < 1 << 16)
        for (int64_t o = 0; o < outer; o++)
            sum_slab(&q, o, 0);
    else
        agni_parallel(outer, sum_slab, &q);
    return q.failed ? agni_nomem("sum", (size_t)inner * 64 * 8) : AGN_OK;
}

static agn_status cpu_sum(const agn_kernel_call *c)
{
    const agn_array *x = c->in, *y = c->out;
    bool gone[AGNI_MAX_RANK] = {false};
    for (int k = 1; k < c->n_int; k++)
        gone[c->ints[k] + x->ndim] = true;
    /* neighbouring axes of one fate form a group; groups are summed from the last to the
       first, through buffers */
    int64_t size[AGNI_MAX_RANK + 1], bytes = agni_dtypes[x->dtype].bytes, total = 1;
    bool sum[AGNI_MAX_RANK + 1];
    int g = 0;
    for (int d = 0; d < x->ndim; d++) {
        total *= x->shape[d];
        if (g && sum[g - 1] == gone[d])
            size[g - 1] *= x->shape[d];
        else
            sum[g] = gone[d], size[g++] = x->shape[d];
    }
    int last = -1;
    for (int i = 0; i < g; i++)
        if (sum[i]) {
            last = i;
            break;
        }
    if (last < 0) { /* nothing to sum */
        memcpy(y->data, x->data, (size_t)(total * bytes));
        return AGN_OK;
    }
    const void *from = x->data;
    void *held = NULL;
    agn_status st = AGN_OK;
    for (int i = g - 1; !st && i >= 0; i--) {
        if (!sum[i])
            continue;
        int64_t outer = 1, inner = 1;
        for (int k = 0; k < i; k++)
            outer *= size[k];
        for (int k = i + 1; k < g; k++)
            inner *= sum[k] ? 1 : size[k];
        void *to = i == last ? y->data : agni_alloc((size_t)(outer * inner * bytes));
        if (!to) {
            st = agni_nomem("sum", (size_t)(outer * inner * bytes));
            break;
        }
        st = sum_group(x->dtype, from, to, outer, size[i], inner);
        agni_free(held);
        held = i == last ? NULL : to;
        from = to;
    }
    agni_free(held);
    return st;
}

static const agn_tensor *sum_transpose(agn_scope *s, const agni_rule *r, int i,
                                       const agn_tensor *g)
{
    const agn_tensor *x = r->x[0];
    int64_t shape[AGNI_MAX_RANK];
    (void)i;
    memcpy(shape, x->shape, (size_t)x->ndim * sizeof *shape);
    for (int k = 1; k < r->at->ni; k++)
        shape[r->at->i[k] + x->ndim] = 1;
    g = agni_reshape(s, g, x->ndim, shape);
    return g ? agni_broadcast(s, g, x->ndim, x->shape) : NULL;
}

/* ---- cumsum ------------------------------------------------------------------------------------- */

#define SCAN(T) \
    for (int64_t o = 0; o < outer; o++) \
        for (int64_t j = 0; j < inner; j++) { \
            T acc = 0; \
            const T *from = (const T *)c->in[0].data + o * n * inner + j; \
            T *to = (T *)c->out[0].data + o * n * inner + j; \
            for (int64_t k = 0; k < n; k++) { \
                int64_t at = (back ? n - 1 - k : k) * inner; \
                acc += from[at]; \
                to[at] = acc; \
            } \
        } \
    break
static agn_status cpu_cumsum(const agn_kernel_call *c)
{
    const agn_array *x = c->in;
    int axis = (int)c->ints[0] + x->ndim;
    bool back = c->ints[1] != 0;
    int64_t outer = 1, n = x->shape[axis], inner = 1;
    for (int d = 0; d < axis; d++)
        outer *= x->shape[d];
    for (int d = axis + 1; d < x->ndim; d++)
        inner *= x->shape[d];
    switch (x->dtype) {
    case AGN_I32: SCAN(uint32_t);
    case AGN_I64: SCAN(uint64_t);
    case AGN_C64: SCAN(float _Complex);
    case AGN_F32: SCAN(float);
    case AGN_C128: SCAN(double _Complex);
    default: SCAN(double);
    }
    return AGN_OK;
}
static const agn_tensor *cumsum_transpose(agn_scope *s, const agni_rule *r, int i,
                                          const agn_tensor *g)
{
    int64_t at[2] = {r->at->i[0], !r->at->i[1]};
    (void)i;
    return agni_ap(s, &agni_op_cumsum, &(agni_attr){.ni = 2, .i = at}, 1, &g);
}

/* ---- argmax ----------------------------------------------------------------------------------------- */

static agn_status infer_argmax(agni_call *c)
{
    const agn_tensor *x = c->in[0];
    agni_meta *m = c->meta;
    int axis = (int)c->at->i[0] + x->ndim;
    if (x->shape[axis] == 0)
        return agni_fail(AGN_ESHAPE, "argmax: axis %d of %s is empty: nothing to compare", axis,
                         AGNI_SHAPE(x));
    m->dtype = AGN_I64;
    m->ndim = 0;
    for (int d = 0; d < x->ndim; d++)
        if (d != axis || c->at->i[1])
            m->shape[m->ndim++] = d == axis ? 1 : x->shape[d];
    return AGN_OK;
}

#define ARG(T) \
    for (int64_t o = 0; o < outer; o++) \
        for (int64_t j = 0; j < inner; j++) { \
            const T *v = (const T *)c->in[0].data + o * n * inner + j; \
            int64_t best = 0; \
            for (int64_t k = 1; k < n; k++) { \
                T a = v[best * inner], b = v[k * inner]; \
                if (a == a && (b != b || (least ? b < a : b > a))) \
                    best = k; \
            } \
            y[o * inner + j] = best; \
        } \
    break
static agn_status cpu_argmax(const agn_kernel_call *c)
{
    const agn_array *x = c->in;
    int axis = (int)c->ints[0] + x->ndim;
    bool least = c->ints[2] != 0;
    int64_t outer = 1, n = x->shape[axis], inner = 1, *y = c->out[0].data;
    for (int d = 0; d < axis; d++)
        outer *= x->shape[d];
    for (int d = axis + 1; d < x->ndim; d++)
        inner *= x->shape[d];
    switch (x->dtype) {
    case AGN_BOOL: ARG(uint8_t);
    case AGN_I32: ARG(int32_t);
    case AGN_I64: ARG(int64_t);
    case AGN_F32: ARG(float);
    default: ARG(double);
    }
    return AGN_OK;
}

/* ---- the table ------------------------------------------------------------------------------------------ */

#define BIT(d) (1u << AGN_##d)
#define REAL (BIT(I32) | BIT(I64) | BIT(F32) | BIT(F64))
#define NUMBERS (REAL | BIT(C64) | BIT(C128))
static agni_slots slots_sum, slots_cumsum, slots_argmax;
#define REDUCE(name_, takes_, dt) \
    .name = #name_, .takes = takes_, .nin = 1, .nout = 1, .dtypes = dt, .promote = 1, .ew = -1, \
    .cpu = cpu_##name_, .contiguous = true, .batch = agni_batch_front, \
    .slots = &slots_##name_, .lo = -3, .hi = 3
const agni_op agni_op_sum = {REDUCE(sum, "x keep:b axes:a*", NUMBERS), .cls = AGNI_LINEAR, .diff = 1,
                             .result = AGNI_OUT_SAME, .bounded = 1, .infer = infer_sum,
                             .transpose = sum_transpose, .doc = "sum over axes"};
const agni_op agni_op_cumsum = {REDUCE(cumsum, "x axis:a reverse:b", NUMBERS), .cls = AGNI_LINEAR, .diff = 1,
                                .result = AGNI_OUT_SAME, .bounded = 1, .infer = agni_infer_same,
                                .transpose = cumsum_transpose, .doc = "running sum"};
const agni_op agni_op_argmax = {REDUCE(argmax, "x axis:a keep:b smallest:b", REAL | BIT(BOOL)), .cls = AGNI_DISCRETE,
                                .infer = infer_argmax, .doc = "index of an extreme"};

/* ---- public functions --------------------------------------------------------------------------------------- */

#define NEED(op, p) \
    if (!(p)) \
    return agni_fail(AGN_ENULL, op ": %s is NULL", #p)

/* axes[n], or all where NULL, as negative axes */
static agn_status axes_of(const char *op, const agn_tensor *x, const int32_t *axes, int32_t n,
                          int64_t *a, int *count)
{
    bool seen[AGNI_MAX_RANK] = {false};
    if (!x)
        return agni_fail(AGN_ENULL, "%s: x is NULL", op);
    if (axes && (n < 0 || n > x->ndim))
        return agni_fail(AGN_EARG, "%s: %d axes are named, %s has %d", op, n, AGNI_SHAPE(x),
                         x->ndim);
    *count = axes ? n : x->ndim;
    for (int k = 0; k < *count; k++) {
        int d = k;
        agn_status st = axes ? agni_axis(op, axes[k], x->ndim, &d) : AGN_OK;
        if (st)
            return st;
        if (seen[d])
            return agni_fail(AGN_EARG, "%s: axis %d is named twice in %d axes", op, d, n);
        seen[d] = true;
        a[k] = d - x->ndim;
    }
    return AGN_OK;
}

static bool counts_as_i64(int dtype)
{
    return agni_kind(dtype) <= AGNI_KIND_INT && dtype != AGN_I64;
}

static const agn_tensor *sum_in(agn_scope *s, const agn_tensor *x, int n, const int64_t *a,
                                bool keep)
{
    if (counts_as_i64(x->dtype))
        x = agni_cast(s, x, AGN_I64);
    return agni_sum_axes(s, x, n, a, keep);
}

agn_status agn_sum(agn_tensor **out, const agn_tensor *x, const int32_t *axes, int32_t n,
                   bool keep)
{
    NEED("sum", out);
    int64_t a[AGNI_MAX_RANK];
    int count;
    agn_status st = axes_of("sum", x, axes, n, a, &count);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    agn_scope_return(s, out, sum_in(s, x, count, a, keep));
    return agni_in_name_of("sum", agn_scope_close(s));
}

/* Compositions of several ops compute narrow floats wide from end to end, and integers that
   meet a function of real numbers as f64; the last step rounds back. */
static const agn_tensor *widened(agn_scope *s, const agn_tensor *x)
{
    return agni_kind(x->dtype) <= AGNI_KIND_INT ? agni_cast(s, x, AGN_F64)
                                                : agni_cast(s, x, agni_dtypes[x->dtype].wide);
}
static const agn_tensor *narrowed(agn_scope *s, const agn_tensor *y, const agn_tensor *x)
{
    return y && agni_kind(x->dtype) == AGNI_KIND_FLOAT ? agni_cast(s, y, x->dtype) : y;
}

agn_status agn_mean(agn_tensor **out, const agn_tensor *x, const int32_t *axes, int32_t n,
                    bool keep)
{
    NEED("mean", out);
    int64_t a[AGNI_MAX_RANK], many = 1;
    int count;
    agn_status st = axes_of("mean", x, axes, n, a, &count);
    if (st)
        return st;
    for (int k = 0; k < count; k++)
        many *= x->shape[a[k] + x->ndim];
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *z = widened(s, x);
    const agn_tensor *y = z ? agni_sum_axes(s, z, count, a, keep) : NULL;
    agn_tensor *q = NULL;
    if (y) {
        st = agn_div_c(&q, y, (double)many);
        agn_scope_return(s, out, narrowed(s, agn_scope_adopt(s, st, q), x));
    }
    return agni_in_name_of("mean", agn_scope_close(s));
}

agn_status agn_sum_all(agn_tensor **out, const agn_tensor *x)
{
    return agn_sum(out, x, NULL, 0, false);
}
agn_status agn_mean_all(agn_tensor **out, const agn_tensor *x)
{
    return agn_mean(out, x, NULL, 0, false);
}

/* the named axes merged into a last one: [kept..., n] */
static const agn_tensor *to_last(agn_scope *s, const agn_tensor *x, int n, const int64_t *a,
                                 bool keep, int *nout, int64_t *shape)
{
    bool gone[AGNI_MAX_RANK] = {false};
    int64_t order[AGNI_MAX_RANK], flat[AGNI_MAX_RANK + 1], many = 1;
    int k = 0, m = 0, left = 0;
    for (int i = 0; i < n; i++)
        gone[a[i] + x->ndim] = true;
    for (int d = 0; d < x->ndim; d++) {
        if (!gone[d]) {
            order[k++] = d - x->ndim;
            flat[m++] = x->shape[d];
        }
        if (!gone[d] || keep)
            shape[left++] = gone[d] ? 1 : x->shape[d];
    }
    *nout = left;
    for (int d = 0; d < x->ndim; d++)
        if (gone[d]) {
            order[k++] = d - x->ndim;
            many *= x->shape[d];
        }
    flat[m++] = many;
    x = agni_ap(s, &agni_op_permute, &(agni_attr){.ni = k, .i = order}, 1, &x);
    return x ? agni_reshape(s, x, m, flat) : NULL;
}

static const agn_tensor *cut(agn_scope *s, const agn_tensor *x, int64_t start, int64_t count)
{
    return agni_ap(s, &agni_op_slice, &(agni_attr){.ni = 3, .i = (int64_t[]){start, 1, count}}, 1,
                   &x);
}

/* Halves multiplied pairwise: O(log n) products, whose derivatives are right at any order
   wherever elements are zero. */
agn_status agn_prod(agn_tensor **out, const agn_tensor *x, const int32_t *axes, int32_t n,
                    bool keep)
{
    NEED("prod", out);
    int64_t a[AGNI_MAX_RANK], shape[AGNI_MAX_RANK];
    int count, nout;
    agn_status st = axes_of("prod", x, axes, n, a, &count);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *wide = counts_as_i64(x->dtype)              ? agni_cast(s, x, AGN_I64)
                             : agni_kind(x->dtype) <= AGNI_KIND_INT ? x
                                                                    : widened(s, x);
    const agn_tensor *y = wide ? to_last(s, wide, count, a, keep, &nout, shape) : NULL;
    while (y && y->ndim && y->size && y->shape[y->ndim - 1] > 1) {
        int64_t m = y->shape[y->ndim - 1], half = m / 2;
        const agn_tensor *p = agni_ap(s, &agni_op_mul, NULL, 2,
                                      (const agn_tensor *[]){cut(s, y, 0, half),
                                                             cut(s, y, half, half)});
        if (p && m % 2) {
            const agn_tensor *rest = cut(s, y, m - 1, 1);
            p = agni_ap(s, &agni_op_concat, &(agni_attr){.ni = 1, .i = (int64_t[]){-1}}, 2,
                        (const agn_tensor *[]){p, rest});
        }
        y = p;
    }
    if (y && y->size == 0) /* nothing to multiply, or no products at all */
        y = agni_full(s, 1, y->dtype, nout, shape);
    y = y ? agni_reshape(s, y, nout, shape) : NULL;
    agn_scope_return(s, out, narrowed(s, y, x));
    return agni_in_name_of("prod", agn_scope_close(s));
}

/* the extreme over the last axis, picked by its index */
static const agn_tensor *extreme_last(agn_scope *s, const agn_tensor *x, bool least)
{
    if (!x)
        return NULL;
    int64_t at[3] = {-1, 1, least}, g[2] = {-1, x->ndim - 1};
    const agn_tensor *i = agni_ap(s, &agni_op_argmax, &(agni_attr){.ni = 3, .i = at}, 1, &x);
    return i ? agni_ap(s, &agni_op_gather, &(agni_attr){.ni = 2, .i = g}, 2,
                       (const agn_tensor *[]){x, i})
             : NULL;
}

static agn_status extreme(const char *op, agn_tensor **out, const agn_tensor *x,
                          const int32_t *axes, int32_t n, bool keep, bool least)
{
    int64_t a[AGNI_MAX_RANK], shape[AGNI_MAX_RANK], many = 1;
    int count, nout;
    if (!out)
        return agni_fail(AGN_ENULL, "%s: out is NULL", op);
    agn_status st = axes_of(op, x, axes, n, a, &count);
    if (st)
        return st;
    if (agni_kind(x->dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "%s: %s numbers %s have no order", op,
                         agni_dtypes[x->dtype].name, AGNI_SHAPE(x));
    for (int k = 0; k < count; k++)
        many *= x->shape[a[k] + x->ndim];
    if (many == 0)
        return agni_fail(AGN_ESHAPE, "%s: %d axes of %s hold nothing to compare", op, count,
                         AGNI_SHAPE(x));
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = to_last(s, x, count, a, keep, &nout, shape);
    y = extreme_last(s, y, least);
    agn_scope_return(s, out, y ? agni_reshape(s, y, nout, shape) : NULL);
    return agni_in_name_of(op, agn_scope_close(s));
}

agn_status agn_max(agn_tensor **out, const agn_tensor *x, const int32_t *axes, int32_t n,
                   bool keep)
{
    return extreme("max", out, x, axes, n, keep, false);
}
agn_status agn_min(agn_tensor **out, const agn_tensor *x, const int32_t *axes, int32_t n,
                   bool keep)
{
    return extreme("min", out, x, axes, n, keep, true);
}

static agn_status arg_extreme(const char *op, agn_tensor **out, const agn_tensor *x, int32_t axis,
                              bool keep, bool least)
{
    int d;
    if (!x)
        return agni_fail(AGN_ENULL, "%s: x is NULL", op);
    if (x->ndim == 0)
        return agni_fail(AGN_ESHAPE, "%s: shape is %s, at least one axis is needed", op,
                         AGNI_SHAPE(x));
    agn_status st = agni_axis(op, axis, x->ndim, &d);
    int64_t at[3] = {d - x->ndim, keep, least};
    return st ? st
              : agni_in_name_of(op, agni_public(out, &agni_op_argmax,
                                                &(agni_attr){.ni = 3, .i = at}, 1, &x));
}
agn_status agn_argmax(agn_tensor **out, const agn_tensor *x, int32_t axis, bool keep)
{
    return arg_extreme("argmax", out, x, axis, keep, false);
}
agn_status agn_argmin(agn_tensor **out, const agn_tensor *x, int32_t axis, bool keep)
{
    return arg_extreme("argmin", out, x, axis, keep, true);
}

/* m + log sum exp(x - m), m the finite part of the maximum as a constant */
agn_status agn_logsumexp(agn_tensor **out, const agn_tensor *x, const int32_t *axes, int32_t n,
                         bool keep)
{
    NEED("logsumexp", out);
    int64_t a[AGNI_MAX_RANK], shape[AGNI_MAX_RANK];
    int count, nout;
    agn_status st = axes_of("logsumexp", x, axes, n, a, &count);
    if (st)
        return st;
    if (agni_kind(x->dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "logsumexp: %s numbers %s have no order",
                         agni_dtypes[x->dtype].name, AGNI_SHAPE(x));
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *z = widened(s, x);
    z = z ? to_last(s, z, count, a, keep, &nout, shape) : NULL;
    if (z && z->shape[z->ndim - 1] == 0) {
        z = agni_full(s, -(double)INFINITY, z->dtype, nout, shape);
        agn_scope_return(s, out, narrowed(s, z, x));
        return agni_in_name_of("logsumexp", agn_scope_close(s));
    }
    agn_tensor *t[6] = {NULL};
    const agn_tensor *m = extreme_last(s, z, false), *v[6] = {NULL};
#define STEP(i, call) \
    if (!agn_scope_status(s)) { \
        st = call; \
        v[i] = agn_scope_adopt(s, st, t[i]); \
    }
    STEP(0, agn_stop_gradient(&t[0], m))
    STEP(1, agn_isfinite(&t[1], v[0]))
    STEP(2, agn_where(&t[2], v[1], v[0], agni_full(s, 0, z->dtype, 0, NULL)))
    STEP(3, agn_sub(&t[3], z, v[2]))
    STEP(4, agn_exp(&t[4], v[3]))
    const agn_tensor *sum = v[4] ? agni_sum_axes(s, v[4], 1, (int64_t[]){-1}, true) : NULL;
    STEP(5, agn_log(&t[5], sum))
#undef STEP
    const agn_tensor *y = agni_plus(s, v[5], v[2]);
    y = y ? agni_reshape(s, y, nout, shape) : NULL;
    agn_scope_return(s, out, narrowed(s, y, x));
    return agni_in_name_of("logsumexp", agn_scope_close(s));
}

agn_status agn_cumsum(agn_tensor **out, const agn_tensor *x, int32_t axis)
{
    NEED("cumsum", x);
    int d;
    agn_status st = agni_axis("cumsum", axis, x->ndim, &d);
    if (st)
        return st;
    int64_t at[2] = {d - x->ndim, 0};
    agn_tensor *wide = NULL;
    if (counts_as_i64(x->dtype) && (st = agn_cast(&wide, x, AGN_I64)))
        return st;
    const agn_tensor *in = wide ? wide : x;
    st = agni_public(out, &agni_op_cumsum, &(agni_attr){.ni = 2, .i = at}, 1, &in);
    agn_release(wide);
    return st;
}
