/* tensor/order/sort.c - the ops sort and argsort, by radix sort on keys (sort by vector kernels
   where the CPU level has them). The derivative of sort gathers by argsort. NaN comes last in
   either direction, the order is stable. Attributes:
     sort argsort     axis (negative), descending
     argsort_window   axis, descending, first, count: this window of the order               */
#include "core/threads/cancel.h"
#include "tensor/order/radix_sort.h"
#include "tensor/reduce/reduce.h"
#include "tensor/order/sort.h"

#include <math.h>
#include <string.h>

static agn_status infer_argsort(agni_call *c)
{
    agni_infer_same(c);
    c->meta[0].dtype = AGN_I64;
    return AGN_OK;
}

static agn_status infer_window(agni_call *c)
{
    agni_meta *m = c->meta;
    infer_argsort(c);
    int64_t first = c->at->i[2], count = c->at->i[3], *n = &m->shape[c->at->i[0] + m->ndim];
    if (first < 0 || count < 0 || first > *n || count > *n - first)
        return agni_fail(AGN_EARG, "%s: %lld places from %lld on are not in an order of %lld",
                         c->op->name, (long long)count, (long long)first, (long long)*n);
    *n = count;
    return AGN_OK;
}

/* ---- keys: an order-preserving map of values to unsigned numbers ----------------------------- */

#define FLOAT_KEY(T, U, s) \
    static U key_##s(T x, bool down) \
    { \
        union { \
            T x; \
            U u; \
        } v = {.x = x + 0}; /* -0 becomes 0: they are equal */ \
        U last = 8 * sizeof(U) - 1, minus = v.u >> last, nan = x != x; \
        return (v.u ^ (-minus | (U)1 << last) ^ -(U)down) | -nan; \
    } \
    static T value_##s(U k, bool down) \
    { \
        U top = (U)1 << (8 * sizeof(U) - 1); \
        U u = down ? (U)~k : k; \
        union { \
            U u; \
            T x; \
        } v = {u & top ? u ^ top : (U)~u}; \
        return k == (U)-1 ? (T)NAN : v.x; \
    }
#define INT_KEY(T, U, s, top) \
    static U key_##s(T x, bool down) \
    { \
        U k = (U)x ^ (top); \
        return down ? (U)~k : k; \
    } \
    static T value_##s(U k, bool down) \
    { \
        return (T)((down ? (U)~k : k) ^ (top)); \
    }
FLOAT_KEY(float, uint32_t, f32)
FLOAT_KEY(double, uint64_t, f64)
INT_KEY(uint8_t, uint32_t, u8, 0u)
INT_KEY(int32_t, uint32_t, i32, (uint32_t)1 << 31)
INT_KEY(int64_t, uint64_t, i64, (uint64_t)1 << 63)

/* ---- lanes ----------------------------------------------------------------------------------- */

/* least length of a lane for counting sorts of thousands of digits */
enum { MANY = 1 << 12 };
/* and of a lane before which the host may be asked whether to stop */
enum { LONG = 1 << 8 };

static uint32_t *sort_keys_u32(uint32_t *v, uint32_t *tmp, int64_t n)
{
    if (n >= MANY)
        return agni_radix_lsd_u32(v, tmp, n);
    agni_radix_msd_u32(v, tmp, n, 0, n);
    return v;
}

/* by upper halves, then runs of equal upper halves by the whole key */
static uint64_t *sort_keys_u64(uint64_t *v, uint64_t *tmp, int64_t n)
{
    if (n < MANY) {
        agni_radix_msd_u64(v, tmp, n, 0, n);
        return v;
    }
    uint64_t *r = agni_radix_lsd_u64(v, tmp, n);
    tmp = r == v ? tmp : v;
    for (int64_t a = 0, b = 1; b <= n; b++) {
        if (b < n && r[b] >> 32 == r[a] >> 32)
            continue;
        if (b - a >= LONG && agni_cancel_point())
            break;
        if (b - a > 1)
            agni_radix_msd_u64(r + a, tmp, b - a, 0, b - a);
        a = b;
    }
    return r;
}

/* The digits from[0] to from[1] whose items meet the window [first, first + many) of the order,
   by a histogram of the digits. Returns how many items have smaller ones. */
static int64_t find_window_digits(const int64_t *count, int64_t first, int64_t many,
                                  int64_t from[2])
{
    int64_t before = 0, b = 0;
    for (; before + count[b] <= first; b++)
        before += count[b];
    from[0] = b;
    for (int64_t end = before; end < first + many; b++)
        end += count[b];
    from[1] = b - 1;
    return before;
}

/* Of a long lane only candidates for the window are collected: items whose keys agree with it in
   the bits above `shift`. For a short window in front: items that beat its last element so far. */
enum { SIEVE = 13, FRONT = 1024 };
#define ORDER(T, s) \
    static int64_t collect_front_##s(const agni_sort_lane *l, const T *x, agni_keyed *v, \
                                     agni_find_beyond_fn *f) \
    { \
        int64_t m = 0, most = 2 * l->count + FRONT; \
        uint64_t limit = UINT64_MAX; \
        T last = 0; \
        bool known = false; \
        for (int64_t k = 0; k < l->n; k++) { \
            if (known && last == last) \
                k += f(x + k, l->n - k, &last, !l->down); \
            if (k == l->n) \
                break; \
            uint64_t key = key_##s(x[k], l->down); \
            if (known && key >= limit) \
                continue; \
            v[m++] = (agni_keyed){key, k}; \
            if (m < most) \
                continue; \
            agni_radix_msd_keyed(v, v + m, m, 0, l->count); \
            m = l->count; \
            limit = v[m - 1].key; \
            last = x[v[m - 1].at]; \
            known = true; \
        } \
        return m; \
    } \
    static int64_t collect_window_##s(const agni_sort_lane *l, const T *x, agni_keyed *v, \
                                      int64_t *first) \
    { \
        uint64_t lo = UINT64_MAX, hi = 0; \
        for (int64_t k = 0; k < l->n; k++) { \
            uint64_t key = key_##s(x[k * l->step], l->down); \
            lo = key < lo ? key : lo; \
            hi = key > hi ? key : hi; \
        } \
        int64_t count[1 << SIEVE] = {0}, from[2], m = 0; \
        int top = lo == hi ? 0 : 64 - __builtin_clzll(lo ^ hi), \
            shift = top > SIEVE ? top - SIEVE : 0; \
        for (int64_t k = 0; k < l->n; k++) \
            count[((uint64_t)key_##s(x[k * l->step], l->down) >> shift) - (lo >> shift)]++; \
        *first -= find_window_digits(count, l->first, l->count, from); \
        for (int64_t k = 0; k < l->n; k++) { \
            uint64_t key = key_##s(x[k * l->step], l->down); \
            int64_t b = (int64_t)((key >> shift) - (lo >> shift)); \
            if (b >= from[0] && b <= from[1]) \
                v[m++] = (agni_keyed){key, k}; \
        } \
        return m; \
    } \
    static void argsort_lane_##s(const agni_sort_lane *l, const void *xv, void *yv, \
                                 void *workspace) \
    { \
        const T *x = xv; \
        int64_t *y = yv, first = l->first, m = l->n; \
        agni_keyed *v = workspace; \
        if (l->front && l->first == 0 && l->step == 1 && 2 * l->count + FRONT < l->n / 2) \
            m = collect_front_##s(l, x, v, l->front); \
        else if (l->n >= MANY && l->count < l->n / 2) \
            m = collect_window_##s(l, x, v, &first); \
        else \
            for (int64_t k = 0; k < m; k++) \
                v[k] = (agni_keyed){key_##s(x[k * l->step], l->down), k}; \
        agni_radix_msd_keyed(v, v + m, m, first, first + l->count); \
        for (int64_t k = 0; k < l->count; k++) \
            y[k * l->step] = v[first + k].at; \
    }
/* ---- the whole order as words: the upper half of a key, and the index ----------------------- */

enum { PART = 1 << 15, WIDE = 1 << 18 }; /* items of a job; and those worth several threads */

typedef struct packed_lane {
    const agni_sort_lane *l;
    const void *x;
    uint64_t *v, *tmp;
    int64_t *y;
    const int64_t *start; /* of the first run of equal upper halves in each part */
} packed_lane;

typedef void packed_job(void *user, int64_t part, int worker);

static int64_t count_parts(const packed_lane *q)
{
    return q->l->n / PART + 1;
}
static void for_each_part(packed_lane *q, packed_job *job)
{
    if (q->l->n >= WIDE)
        agni_parallel_for(count_parts(q), job, q);
    else
        for (int64_t i = 0; i < count_parts(q); i++)
            job(q, i, 0);
}
static int64_t end_of_part(const packed_lane *q, int64_t part)
{
    return (part + 1) * PART < q->l->n ? (part + 1) * PART : q->l->n;
}

/* where a run begins, at k or behind it */
static int64_t find_run(const uint64_t *v, int64_t n, int64_t k)
{
    while (k > 0 && k < n && v[k] >> 32 == v[k - 1] >> 32)
        k++;
    return k < n ? k : n;
}

static void write_order(void *user, int64_t part, int worker)
{
    const packed_lane *q = user;
    (void)worker;
    for (int64_t k = part * PART; k < end_of_part(q, part) && k < q->l->count; k++)
        q->y[k * q->l->step] = (int64_t)(q->v[q->l->first + k] & UINT32_MAX);
}

/* Runs begin in parts, of which there may be more than a short list takes: several parts at
   once. */
static void order_runs(const packed_lane *q, packed_job *job)
{
    enum { LIST = 256 };
    int64_t start[LIST + 1], n = q->l->n, parts = count_parts(q), k = 0;
    packed_lane of = *q;
    start[0] = 0;
    of.start = start;
    for (int64_t first = 0; first < parts; first += LIST, start[0] = start[k]) {
        for (k = 0; k < LIST && first + k < parts; k++)
            start[k + 1] = find_run(q->v, n, (first + k + 1) * PART);
        for (int64_t i = 1; i <= k; i++)
            start[i] = start[i] < start[i - 1] ? start[i - 1] : start[i];
        if (n >= WIDE)
            agni_parallel_for(k, job, &of);
        else
            for (int64_t i = 0; i < k; i++)
                job(&of, i, 0);
    }
}

/* Words of the upper half of a key and the index are sorted; then runs of equal upper halves by the
   lower halves (UPPER, LOWER: those of a key). The runs are found before any is changed. */
#define ORDER_PACKED(T, s, UPPER, LOWER) \
    ORDER(T, s) \
    static void pack_##s(void *user, int64_t part, int worker) \
    { \
        const packed_lane *q = user; \
        const T *x = q->x; \
        (void)worker; \
        for (int64_t k = part * PART; k < end_of_part(q, part); k++) \
            q->v[k] = UPPER(key_##s(x[k * q->l->step], q->l->down)) | (uint64_t)k; \
    } \
    static void order_runs_##s(void *user, int64_t part, int worker) \
    { \
        const packed_lane *q = user; \
        const T *x = q->x; \
        uint64_t *v = q->v; \
        int64_t n = q->l->n, end = q->start[part + 1]; \
        (void)worker; \
        for (int64_t a = q->start[part], b = a + 1; a < end; b++) { \
            if (b < n && b < end && v[b] >> 32 == v[a] >> 32) \
                continue; \
            if (b - a >= LONG && agni_cancel_point()) \
                return; \
            for (int64_t k = a; k < b && b - a > 1; k++) { \
                uint64_t at = v[k] & UINT32_MAX; \
                v[k] = LOWER(key_##s(x[(int64_t)at * q->l->step], q->l->down)) | at; \
            } \
            if (b - a > 1) \
                agni_radix_msd_packed(v + a, q->tmp + a, b - a, 0, b - a); \
            a = b; \
        } \
    } \
    static void argsort_packed_##s(const agni_sort_lane *l, const void *xv, void *yv, \
                                   void *workspace) \
    { \
        uint64_t *v = l->direct ? yv : workspace, *tmp = l->direct ? workspace : v + l->n; \
        packed_lane q = {.l = l, .x = xv, .v = v, .tmp = tmp, .y = yv}; \
        for_each_part(&q, pack_##s); \
        if (l->n < MANY || l->count < l->n) { \
            agni_radix_msd_packed(v, tmp, l->n, l->first, l->first + l->count); \
        } else { \
            uint64_t *r = l->n < WIDE ? agni_radix_lsd_u64(v, tmp, l->n) \
                                          : agni_sort_words(v, tmp, l->n); \
            q.tmp = r == v ? tmp : v; \
            q.v = r; \
        } \
        if (LOWER(1)) \
            order_runs(&q, order_runs_##s); \
        for_each_part(&q, write_order); \
    }
#define UPPER_OF_32(k) ((uint64_t)(k) << 32)
#define LOWER_OF_32(k) ((uint64_t)(k) & 0)
#define UPPER_OF_64(k) ((uint64_t)(k) >> 32 << 32)
#define LOWER_OF_64(k) ((uint64_t)(k) << 32)
/* Keys hold neither the signs of zeros nor the payloads of NaN: where there are any, they are
   copied from the input, in its order. */
#define VALUES(T, U, s, u) \
    static void sort_lane_##s(const agni_sort_lane *l, const void *xv, void *yv, void *workspace) \
    { \
        const T *x = xv; \
        T *y = yv; \
        U *v = l->direct ? yv : workspace, *tmp = l->direct ? workspace : v + l->n; \
        U zero = key_##s(0, l->down); \
        int64_t zeros = 0, nans = 0; \
        for (int64_t k = 0; k < l->n; k++) { \
            T a = x[k * l->step]; \
            v[k] = key_##s(a, l->down); \
            zeros += a == 0; \
            nans += a != a; \
        } \
        v = sort_keys_##u(v, tmp, l->n); \
        if (l->n >= MANY && agni_cancel_point()) \
            return; \
        int64_t at = 0, last = l->n - nans; \
        while (zeros && v[at] < zero) \
            at++; \
        for (int64_t k = 0; k < l->n; k++) { \
            U key = v[k]; /* y may be v */ \
            y[k * l->step] = value_##s(key, l->down); \
        } \
        if (!zeros && !nans) \
            return; \
        for (int64_t k = 0; k < l->n; k++) { \
            T a = x[k * l->step]; \
            if (a == 0) \
                y[at++ * l->step] = a; \
            else if (a != a) \
                y[last++ * l->step] = a; \
        } \
    }
ORDER_PACKED(uint8_t, u8, UPPER_OF_32, LOWER_OF_32)
ORDER_PACKED(int32_t, i32, UPPER_OF_32, LOWER_OF_32)
ORDER_PACKED(float, f32, UPPER_OF_32, LOWER_OF_32)
ORDER_PACKED(int64_t, i64, UPPER_OF_64, LOWER_OF_64)
ORDER_PACKED(double, f64, UPPER_OF_64, LOWER_OF_64)
VALUES(uint8_t, uint32_t, u8, u32)
VALUES(int32_t, uint32_t, i32, u32)
VALUES(float, uint32_t, f32, u32)
VALUES(int64_t, uint64_t, i64, u64)
VALUES(double, uint64_t, f64, u64)

static const struct sorter {
    agni_sort_lane_fn *values, *order, *packed;
} sorters[AGN_NDTYPES] = {
    [AGN_BOOL] = {sort_lane_u8, argsort_lane_u8, argsort_packed_u8},
    [AGN_I32] = {sort_lane_i32, argsort_lane_i32, argsort_packed_i32},
    [AGN_I64] = {sort_lane_i64, argsort_lane_i64, argsort_packed_i64},
    [AGN_F32] = {sort_lane_f32, argsort_lane_f32, argsort_packed_f32},
    [AGN_F64] = {sort_lane_f64, argsort_lane_f64, argsort_packed_f64},
};

typedef struct sort_job {
    agni_sort_lane_fn *sort;
    agni_sort_lane l;
    const char *x;
    char *y;
    int64_t x_bytes, y_bytes, item;
    size_t (*workspace)(int64_t n, int64_t item, bool direct); /* bytes for a lane */
    atomic_bool failed;
} sort_job;

static size_t workspace_bytes(int64_t n, int64_t item, bool direct)
{
    return (direct ? 1 : 2) * (size_t)n * (size_t)item;
}

static void sort_slab(void *user, const agni_axis_lanes *l, int64_t o, int64_t lo, int64_t hi)
{
    sort_job *q = user;
    _Alignas(32) char few[4096];
    size_t bytes = q->workspace(l->n, q->item, q->l.direct);
    void *workspace = bytes <= sizeof few ? few : agni_alloc(bytes);
    for (int64_t j = lo; workspace && j < hi && !(q->l.n >= LONG && agni_cancel_point()); j++)
        q->sort(&q->l, q->x + (o * l->n * l->inner + j) * q->x_bytes,
                q->y + (o * q->l.count * l->inner + j) * q->y_bytes, workspace);
    if (!workspace)
        atomic_store(&q->failed, true);
    if (workspace != few)
        agni_free(workspace);
}

static agn_status sort_lanes(const agn_kernel_call *c, sort_job *q, const agni_axis_lanes *l)
{
    enum { TILE = 8 };
    q->l.n = l->n;
    q->l.step = l->inner;
    q->l.down = c->ints[1] != 0;
    q->x = c->in[0].data;
    q->y = c->out[0].data;
    q->x_bytes = agni_dtypes[c->in[0].dtype].bytes;
    q->y_bytes = agni_dtypes[c->out[0].dtype].bytes;
    q->l.direct = l->inner == 1 && q->l.count == l->n && q->y_bytes == q->item && q->x != q->y;
    if (q->l.count > 0)
        agni_for_each_slab(l, TILE, sort_slab, q);
    return atomic_load(&q->failed) ? agni_nomem(c->op, q->workspace(l->n, q->item, q->l.direct))
                                   : AGN_OK;
}

static agn_status cpu_sort(const agn_kernel_call *c)
{
    int dtype = c->in[0].dtype;
    agni_axis_lanes l = agni_find_lanes(c->in, c->ints[0]);
    int64_t item = agni_dtypes[dtype].bytes;
    sort_job q = {.sort = sorters[dtype].values,
                  .l.count = l.n,
                  .item = item > 4 ? item : 4,
                  .workspace = workspace_bytes};
    if (agni_find_vsort(dtype)->sort) {
        q.sort = agni_sort_values[dtype];
        q.workspace = agni_sort_values_workspace;
    }
    return sort_lanes(c, &q, &l);
}

static agn_status cpu_argsort(const agn_kernel_call *c)
{
    const struct sorter *f = &sorters[c->in[0].dtype];
    agni_axis_lanes l = agni_find_lanes(c->in, c->ints[0]);
    /* not for a window: runs of equal upper halves at its ends would not be whole */
    bool packed = c->n_int == 2 && l.n <= (int64_t)UINT32_MAX;
    sort_job q = {.sort = packed ? f->packed : f->order,
                  .item = packed ? sizeof(uint64_t) : sizeof(agni_keyed),
                  .workspace = workspace_bytes};
    q.l.front = agni_find_vsort(c->in[0].dtype)->find_beyond;
    q.l.first = c->n_int == 4 ? c->ints[2] : 0;
    q.l.count = c->n_int == 4 ? c->ints[3] : l.n;
    return sort_lanes(c, &q, &l);
}

/* ---- op records ------------------------------------------------------------------------------ */

static void jvp_sort(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                     const agn_tensor **ty)
{
    int d = (int)r->at->i[0] + r->x[0]->ndim;
    const agn_tensor *order = agni_apply_in(s, &agni_op_argsort, r->at, 1, &r->x[0]);
    agn_tensor *y = NULL;
    if (order && !agn_scope_status(s)) {
        agn_status st = agn_take_along_axis(&y, t[0], order, d);
        ty[0] = agn_scope_adopt(s, st, &y);
    }
}

static agni_slots slots[3];
#define ROW(name_, takes_, k) \
    .name = #name_, .takes = takes_, .nin = 1, .nout = 1, \
    .dtypes = AGNI_REALS | AGNI_BIT(BOOL), .promote = 1, .ew = -1, .contiguous = true, \
    .batch = agni_batch_front, .slots = &slots[k], .lo = -3, .hi = 3
const agni_op agni_op_sort = {ROW(sort, "x axis:a descending:b", 0), .cls = AGNI_CHOICE,
                              .diff = 1, .result = AGNI_OUT_SAME, .infer = agni_infer_same,
                              .cpu = cpu_sort, .jvp = jvp_sort, .doc = "elements in order"};
const agni_op agni_op_argsort = {ROW(argsort, "x axis:a descending:b", 1),
                                 .cls = AGNI_DISCRETE, .infer = infer_argsort,
                                 .cpu = cpu_argsort, .doc = "the permutation that sorts"};
const agni_op agni_op_argsort_window = {
    ROW(argsort_window, "x axis:a descending:b first:i count:i", 2), .cls = AGNI_DISCRETE,
    .infer = infer_window, .cpu = cpu_argsort, .doc = "a window of the permutation that sorts"};

/* ---- public functions ------------------------------------------------------------------------ */

static agn_status apply_along_axis(const agni_op *op, agn_tensor **out, const agn_tensor *x,
                                   int32_t axis, bool descending)
{
    int d;
    agn_status st = agni_normalise_axis(op->name, x, axis, &d);
    if (st)
        return st;
    int64_t at[2] = {d - x->ndim, descending};
    return agni_apply_public(out, op, &(agni_attr){.ni = 2, .i = at}, 1, &x);
}

agn_status agn_argsort(agn_tensor **out, const agn_tensor *x, int32_t axis, bool descending)
{
    return apply_along_axis(&agni_op_argsort, out, x, axis, descending);
}
agn_status agn_sort(agn_tensor **out, const agn_tensor *x, int32_t axis, bool descending)
{
    return apply_along_axis(&agni_op_sort, out, x, axis, descending);
}
