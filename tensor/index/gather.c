/* tensor/index/gather.c - gather, its adjoints scatter_add and scatter_put, and the kernel of every
   scatter. Attributes: axis (negative, in x) and batch, the number of leading axes that x, idx and
   v share. With x [batch.., outer.., n, inner..] and idx [batch.., m..] the picked slices are
   [batch.., outer.., m.., inner..]. Indices in [-n, n) count from either end.            */
#include "tensor/index/gather.h"

#include "tensor/cpu/level_dispatch.h"
#include "tensor/rows/traits.h"

#include <math.h>
#include <string.h>

static agn_status infer_picked_shape(const agni_call *c, int *axis, int *batch, agni_meta *m)
{
    const agn_tensor *x = c->in[0], *idx = c->in[1];
    const char *op = c->op->name;
    if (agni_kind(idx->dtype) != AGNI_KIND_INT)
        return agni_fail(AGN_EDTYPE, "%s: the index is %s, an integer dtype is needed", op,
                         agni_dtypes[idx->dtype].name);
    int64_t a = c->at->i[0], b = c->at->i[1];
    *axis = (int)a + x->ndim;
    *batch = (int)b;
    bool fits = b >= 0 && b <= *axis && b <= idx->ndim;
    for (int d = 0; fits && d < b; d++)
        fits = x->shape[d] == idx->shape[d];
    if (!fits)
        return agni_fail(AGN_ESHAPE, "%s: %lld leading axes are not shared by %s and %s", op,
                         (long long)b, AGNI_SHAPE(x), AGNI_SHAPE(idx));
    int n = x->ndim - 1 + idx->ndim - (int)b;
    if (n > AGNI_MAX_RANK)
        return agni_fail(AGN_ESHAPE, "%s: the result has rank %d, above %d", op, n, AGN_MAX_RANK);
    m->dtype = x->dtype;
    m->ndim = n;
    int k = 0;
    for (int d = 0; d < *axis; d++)
        m->shape[k++] = x->shape[d];
    for (int d = (int)b; d < idx->ndim; d++)
        m->shape[k++] = idx->shape[d];
    for (int d = *axis + 1; d < x->ndim; d++)
        m->shape[k++] = x->shape[d];
    int64_t size;
    return agni_shape_check(op, n, m->shape, &size);
}

static agn_status infer_gather(agni_call *c)
{
    int axis, batch;
    return infer_picked_shape(c, &axis, &batch, c->meta);
}

agn_status agni_infer_scatter(agni_call *c)
{
    int axis, batch;
    agni_meta m;
    agn_status st = infer_picked_shape(c, &axis, &batch, &m);
    if (st)
        return st;
    const agn_tensor *v = c->in[2];
    if (v->ndim != m.ndim || memcmp(v->shape, m.shape, (size_t)m.ndim * sizeof *m.shape))
        return agni_fail(AGN_ESHAPE, "%s: the values are %s, the indexed places %s", c->op->name,
                         AGNI_SHAPE(v), agni_shape_text((char[96]){0}, 96, m.ndim, m.shape));
    return agni_infer_same(c);
}

/* ---- kernels --------------------------------------------------------------------------- */

typedef struct plan {
    int64_t batch, outer, n, inner, m; /* m picked per batch */
    int64_t bytes;
} plan;

static plan measure_slices(const agn_kernel_call *c)
{
    const agn_array *x = c->in, *idx = c->in + 1;
    int axis = (int)c->ints[0] + x->ndim, b = (int)c->ints[1];
    plan p = {1, 1, x->shape[axis], 1, 1, agni_dtypes[x->dtype].bytes};
    for (int d = 0; d < axis; d++)
        *(d < b ? &p.batch : &p.outer) *= x->shape[d];
    for (int d = axis + 1; d < x->ndim; d++)
        p.inner *= x->shape[d];
    for (int d = b; d < idx->ndim; d++)
        p.m *= idx->shape[d];
    return p;
}

static int64_t read_index(const agn_array *idx, int64_t k)
{
    switch (idx->dtype) {
    case AGN_U8:
        return ((const uint8_t *)idx->data)[k];
    case AGN_I8:
        return ((const int8_t *)idx->data)[k];
    case AGN_I16:
        return ((const int16_t *)idx->data)[k];
    case AGN_I32:
        return ((const int32_t *)idx->data)[k];
    default:
        return ((const int64_t *)idx->data)[k];
    }
}

enum { GROUP = 1024, CHECKED = 1 << 15 }; /* indices checked by one vector loop, and by one job */
#define WITHIN(T, name) \
    static bool within_##name(const T *v, int64_t m, int64_t n) \
    { \
        bool good = true; \
        for (int64_t i = 0; i < m; i++) \
            good &= v[i] >= -n && v[i] < n; \
        return good; \
    }
WITHIN(int64_t, i64)
WITHIN(int32_t, i32)

typedef struct checking {
    const agn_array *idx;
    int64_t n, count;
    atomic_bool bad;
} checking;

/* the common dtypes, at the speed of memory */
static void check_job(void *user, int64_t job, int worker)
{
    checking *q = user;
    int64_t k = job * CHECKED, end = k + CHECKED < q->count ? k + CHECKED : q->count;
    bool good = true, wide = q->idx->dtype == AGN_I64;
    (void)worker;
    for (; good && k < end; k += GROUP) {
        int64_t m = end - k < GROUP ? end - k : GROUP;
        good = wide ? within_i64((const int64_t *)q->idx->data + k, m, q->n)
                    : within_i32((const int32_t *)q->idx->data + k, m, q->n);
    }
    if (!good)
        atomic_store(&q->bad, true);
}

/* every index is checked before anything is written */
static agn_status check_indices(const agn_kernel_call *c, const plan *p)
{
    const agn_array *idx = c->in + 1;
    checking q = {.idx = idx, .n = p->n, .count = p->batch * p->m};
    int64_t jobs = (q.count + CHECKED - 1) / CHECKED;
    if (idx->dtype == AGN_I64 || idx->dtype == AGN_I32) {
        if (q.count >= 4 * CHECKED)
            agni_parallel_for(jobs, check_job, &q);
        else
            for (int64_t i = 0; i < jobs; i++)
                check_job(&q, i, 0);
        if (!atomic_load(&q.bad))
            return AGN_OK;
    }
    for (int64_t k = 0; k < q.count; k++) {
        int64_t i = read_index(idx, k);
        if (i < -p->n || i >= p->n)
            return agni_fail(AGN_EINDEX,
                             "%s: index %lld at place %lld is out of range for size %lld", c->op,
                             (long long)i, (long long)k, (long long)p->n);
    }
    return AGN_OK;
}

static int64_t wrap_index(const agn_array *idx, int64_t k, int64_t n)
{
    int64_t i = read_index(idx, k);
    return i < 0 ? i + n : i;
}

/* Rows at random addresses are prefetched AHEAD rows early: their first lines, after which the
   hardware prefetcher follows. */
enum { LINE = 64, LINES = 8, AHEAD = 16 };
static inline void prefetch_row(const char *p, int64_t bytes, bool write)
{
    int64_t end = bytes < LINES * LINE ? bytes : LINES * LINE;
    for (int64_t k = 0; k < end; k += LINE)
        if (write)
            __builtin_prefetch(p + k, 1);
        else
            __builtin_prefetch(p + k, 0);
}

typedef struct gathering {
    const agn_kernel_call *c;
    plan p;
    int64_t share, shares; /* of m */
} gathering;

/* y[j] = x[idx[j]] for j < m, rows of x, which has n */
typedef void pick(char *y, const char *x, const void *idx, int64_t n, int64_t row, int64_t m);
#define PICK(bytes, T, name)                                                                        \
    static void pick_##bytes##_##name(char *y, const char *x, const void *idx, int64_t n, int64_t row, \
                                      int64_t m)                                                    \
    {                                                                                               \
        const T *at = idx;                                                                          \
        (void)row;                                                                                  \
        for (int64_t j = 0; j < m; j++)                                                             \
            memcpy(y + j * (bytes), x + (at[j] + (at[j] < 0 ? n : 0)) * (bytes), bytes);            \
    }
/* by pieces of so many bytes; the last one ends with the row and may overlap the one before */
#define PICK_PIECES(bytes, T, name) \
    static void pick_by_##bytes##_##name(char *y, const char *x, const void *idx, int64_t n, \
                                         int64_t row, int64_t m) \
    { \
        const T *at = idx; \
        for (int64_t j = 0; j < m; j++, y += row) { \
            const char *from = x + (at[j] + (at[j] < 0 ? n : 0)) * row; \
            if (row > LINE && j + AHEAD < m) \
                prefetch_row(x + (at[j + AHEAD] + (at[j + AHEAD] < 0 ? n : 0)) * row, row, false); \
            for (int64_t k = 0; k < row - (bytes); k += bytes) \
                memcpy(y + k, from + k, bytes); \
            memcpy(y + row - (bytes), from + row - (bytes), bytes); \
        } \
    }
#define PICKS(make) make(int32_t, i32) make(int64_t, i64)
#define PICK_ALL(T, name) \
    PICK(4, T, name) PICK(8, T, name) PICK_PIECES(8, T, name) PICK_PIECES(16, T, name)
PICKS(PICK_ALL)
#define PICK_ROW(T, name) {pick_4_##name, pick_8_##name, pick_by_8_##name, pick_by_16_##name},
static pick *select_pick(int dtype, int64_t row)
{
    enum { SMALL = 128 }; /* beyond, memcpy is as good */
    static pick *const all[2][4] = {PICKS(PICK_ROW)};
    int k = row == 4                    ? 0
            : row == 8                  ? 1
            : row > 8 && row < 16       ? 2
            : row >= 16 && row <= SMALL ? 3
                                        : -1;
    return k >= 0 && (dtype == AGN_I32 || dtype == AGN_I64) ? all[dtype == AGN_I64][k] : NULL;
}

static void gather_rows(const gathering *g, int64_t slab, int64_t lo, int64_t hi)
{
    const plan *p = &g->p;
    const agn_array *idx = g->c->in + 1;
    int64_t row = p->inner * p->bytes, first = slab / p->outer * p->m;
    const char *x = (const char *)g->c->in[0].data + slab * p->n * row;
    char *y = (char *)g->c->out[0].data + slab * p->m * row;
    pick *small = select_pick(idx->dtype, row);
    if (small) {
        int64_t from = (first + lo) * agni_dtypes[idx->dtype].bytes;
        small(y + lo * row, x, (const char *)idx->data + from, p->n, row, hi - lo);
        return;
    }
    for (int64_t j = lo; j < hi; j++) {
        if (row > LINE && j + AHEAD < hi)
            prefetch_row(x + wrap_index(idx, first + j + AHEAD, p->n) * row, row, false);
        memcpy(y + j * row, x + wrap_index(idx, first + j, p->n) * row, (size_t)row);
    }
}

/* a share of the indices of a slab */
static void gather_job(void *user, int64_t job, int worker)
{
    const gathering *g = user;
    int64_t lo = job % g->shares * g->share, hi = lo + g->share;
    (void)worker;
    gather_rows(g, job / g->shares, lo, hi < g->p.m ? hi : g->p.m);
}

static agn_status cpu_gather(const agn_kernel_call *c)
{
    enum { GRAIN = 1 << 16 };
    gathering g = {.c = c, .p = measure_slices(c)};
    agn_status st = check_indices(c, &g.p);
    if (st || g.p.m == 0 || g.p.inner == 0)
        return st;
    int64_t slabs = g.p.batch * g.p.outer;
    g.share = g.p.inner < GRAIN ? GRAIN / g.p.inner : 1;
    g.shares = (g.p.m + g.share - 1) / g.share;
    if (slabs * g.p.m * g.p.inner < GRAIN)
        for (int64_t i = 0; i < slabs * g.shares; i++)
            gather_job(&g, i, 0);
    else
        agni_parallel_for(slabs * g.shares, gather_job, &g);
    return AGN_OK;
}

typedef void row_fn(int dtype, void *to, const void *from, int64_t n);

#define EACH(T, value) \
    for (int64_t k = 0; k < n; k++) { \
        const T a = ((const T *)to)[k], b = ((const T *)from)[k]; \
        ((T *)to)[k] = (T)(value); \
    } \
    break
/* of many reals or complex numbers by vectors; false: not done */
static bool fold_row(int kernel, int dtype, void *to, const void *from, int64_t n)
{
    enum { MANY = 16 };
    bool wide = dtype == AGN_F64 || dtype == AGN_C128;
    if (n < MANY || agni_kind(dtype) < AGNI_KIND_FLOAT)
        return false;
    n *= agni_kind(dtype) == AGNI_KIND_COMPLEX ? 2 : 1;
    agni_simd_kernels_get()->real[wide ? AGNI_SIMD_F64 : AGNI_SIMD_F32].loop2[kernel](
        to, 0, (agni_simd_operand[]){{to, 0, 1}, {from, 0, 1}}, 1, n);
    return true;
}
static void add_row(int dtype, void *to, const void *from, int64_t n)
{
    if (fold_row(AGNI_V2_add, dtype, to, from, n))
        return;
    switch (dtype) {
    case AGN_I32: EACH(int32_t, (uint32_t)a + (uint32_t)b);
    case AGN_I64: EACH(int64_t, (uint64_t)a + (uint64_t)b);
    case AGN_C64: n *= 2; /* fall through */
    case AGN_F32: EACH(float, a + b);
    case AGN_C128: n *= 2; /* fall through */
    default: EACH(double, a + b);
    }
}
static void put_row(int dtype, void *to, const void *from, int64_t n)
{
    memcpy(to, from, (size_t)(n * agni_dtypes[dtype].bytes));
}
/* NaN stays, whichever side it is on */
static void max_row(int dtype, void *to, const void *from, int64_t n)
{
    if (fold_row(AGNI_V2_max, dtype, to, from, n))
        return;
    switch (dtype) {
    case AGN_I32: EACH(int32_t, b > a ? b : a);
    case AGN_I64: EACH(int64_t, b > a ? b : a);
    case AGN_F32: EACH(float, b > a || isnan(b) ? b : a);
    default: EACH(double, b > a || isnan(b) ? b : a);
    }
}
static void min_row(int dtype, void *to, const void *from, int64_t n)
{
    if (fold_row(AGNI_V2_min, dtype, to, from, n))
        return;
    switch (dtype) {
    case AGN_I32: EACH(int32_t, b < a ? b : a);
    case AGN_I64: EACH(int64_t, b < a ? b : a);
    case AGN_F32: EACH(float, b < a || isnan(b) ? b : a);
    default: EACH(double, b < a || isnan(b) ? b : a);
    }
}
static const struct {
    const char *op;
    row_fn *f;
} rows[] = {{"scatter_add", add_row}, {"scatter_max", max_row}, {"scatter_min", min_row},
            {"scatter_put", put_row}};

/* numbers one by one, in the order of the indices */
typedef void number_fn(void *to, const void *idx, const void *from, int64_t n, int64_t m);
#define NUMBERS(what, T, I, x, i, value) \
    static void what##_##x##_##i(void *to, const void *idx, const void *from, int64_t n, int64_t m) \
    { \
        T *restrict y = to; \
        const T *restrict v = from; \
        const I *restrict at = idx; \
        for (int64_t k = 0; k < m; k++) { \
            T *p = y + at[k] + (at[k] < 0 ? n : 0), a = *p, b = v[k]; \
            *p = (value); \
        } \
    }
#define EACH_NUMBER(what, value) \
    NUMBERS(what, float, int32_t, f32, i32, value) \
    NUMBERS(what, float, int64_t, f32, i64, value) \
    NUMBERS(what, double, int32_t, f64, i32, value) \
    NUMBERS(what, double, int64_t, f64, i64, value)
EACH_NUMBER(add, a + b)
EACH_NUMBER(max, b > a || b != b ? b : a)
EACH_NUMBER(min, b < a || b != b ? b : a)
EACH_NUMBER(put, ((void)a, b))
#define BY_DTYPES(what) \
    {{what##_f32_i32, what##_f32_i64}, {what##_f64_i32, what##_f64_i64}}
static number_fn *select_number_loop(const agn_kernel_call *c, const plan *p, row_fn *f)
{
    static number_fn *const all[][2][2] = {BY_DTYPES(add), BY_DTYPES(max), BY_DTYPES(min),
                                           BY_DTYPES(put)};
    int x = c->in[0].dtype, i = c->in[1].dtype;
    int k = f == add_row ? 0 : f == max_row ? 1 : f == min_row ? 2 : 3;
    bool known = p->inner == 1 && (x == AGN_F32 || x == AGN_F64) &&
                 (i == AGN_I32 || i == AGN_I64);
    return known ? all[k][x == AGN_F64][i == AGN_I64] : NULL;
}

typedef struct scattering {
    const agn_kernel_call *c;
    plan p;
    row_fn *f;
    int64_t parts; /* of the positions along the axis */
} scattering;

/* All values whose destinations are in one part, in the order of the indices. */
static void scatter_part(void *user, int64_t part, int worker)
{
    const scattering *q = user;
    const plan *p = &q->p;
    const agn_array *idx = q->c->in + 1;
    (void)worker;
    int64_t row = p->inner * p->bytes, slabs = p->batch * p->outer;
    int64_t lo = p->n * part / q->parts, hi = p->n * (part + 1) / q->parts;
    char *y = q->c->out[0].data;
    const char *v = q->c->in[2].data;
    number_fn *numbers = q->parts == 1 ? select_number_loop(q->c, p, q->f) : NULL;
    for (int64_t s = 0; numbers && s < slabs; s++, y += p->n * row, v += p->m * row)
        numbers(y, (const char *)idx->data + s / p->outer * p->m * agni_dtypes[idx->dtype].bytes, v,
                p->n, p->m);
    if (numbers)
        return;
    for (int64_t s = 0; s < slabs; s++, y += p->n * row)
        for (int64_t j = 0; j < p->m; j++, v += row) {
            int64_t k = s / p->outer * p->m + j, at = wrap_index(idx, k, p->n);
            if (row > LINE && j + AHEAD < p->m) {
                int64_t next = wrap_index(idx, k + AHEAD, p->n);
                if (next >= lo && next < hi) {
                    prefetch_row(y + next * row, row, true);
                    if (q->parts > 1) /* values that are left out break the stream of the others */
                        prefetch_row(v + AHEAD * row, row, false);
                }
            }
            if (at >= lo && at < hi)
                q->f(q->c->in[0].dtype, y + at * row, v, p->inner);
        }
}

static void scatter_rows(const agn_kernel_call *c, const plan *p, row_fn *f)
{
    enum { MANY = 1 << 16, COLUMNS = 16 }; /* each part reads all indices */
    scattering q = {c, *p, f, 1};
    if (p->inner >= COLUMNS && p->batch * p->outer * p->m * p->inner >= MANY)
        q.parts = agni_parallel_width();
    if (q.parts > p->n)
        q.parts = p->n;
    if (q.parts > 1)
        agni_parallel_for(q.parts, scatter_part, &q);
    else
        scatter_part(&q, 0, 0);
}

/* Each destination receives its values in the order of the indices: the same bits every time, and
   the last write wins. */
agn_status agni_scatter_kernel(const agn_kernel_call *c)
{
    plan p = measure_slices(c);
    agn_status st = check_indices(c, &p);
    if (st)
        return st;
    int64_t bytes = p.batch * p.outer * p.n * p.inner * p.bytes;
    size_t k = 0;
    while (strcmp(c->op, rows[k].op))
        k++;
    if (c->out[0].data != c->in[0].data && bytes > 0)
        memcpy(c->out[0].data, c->in[0].data, (size_t)bytes);
    if (c->n_int > 2 && !c->ints[2]) /* x takes no part: each destination begins with a value */
        scatter_rows(c, &p, put_row);
    scatter_rows(c, &p, rows[k].f);
    return AGN_OK;
}

/* ---- derivatives --------------------------------------------------------------------------- */

static const agn_tensor *gather_same(agn_scope *s, const agni_rule *r, const agn_tensor *x)
{
    return agni_apply_in(s, &agni_op_gather, &(agni_attr){.ni = 2, .i = r->at->i}, 2,
                         (const agn_tensor *[]){x, r->x[1]});
}

static const agn_tensor *transpose_gather(agn_scope *s, const agni_rule *r, int i,
                                          const agn_tensor *g)
{
    (void)i;
    const agn_tensor *x = r->x[0], *zero = agni_full(s, 0, g->dtype, x->ndim, x->shape);
    return agni_apply_in(s, &agni_op_scatter_add, r->at, 3,
                         (const agn_tensor *[]){zero, r->x[1], g});
}

static const agn_tensor *transpose_scatter_add(agn_scope *s, const agni_rule *r, int i,
                                               const agn_tensor *g)
{
    return i == 0 ? g : gather_same(s, r, g);
}

/* Of writes to one destination the last one stands: number the writes, scatter the numbers, and
   compare each number with the one at its destination. */
static const agn_tensor *find_last_writes(agn_scope *s, const agni_rule *r)
{
    const agn_tensor *v = r->x[2], *x = r->x[0];
    agn_tensor *n = NULL;
    if (agn_scope_status(s))
        return NULL;
    agn_status st = agn_arange(&n, AGN_I64, 0, (double)v->size, 1);
    const agn_tensor *order = agni_reshape(s, agni_adopt_constant(s, st, n), v->ndim, v->shape);
    const agn_tensor *none = agni_full(s, -1, AGN_I64, x->ndim, x->shape);
    const agn_tensor *last = agni_apply_in(s, &agni_op_scatter_put, r->at, 3,
                                           (const agn_tensor *[]){none, r->x[1], order});
    agn_tensor *eq = NULL;
    if (!last || agn_scope_status(s))
        return NULL;
    st = agn_eq(&eq, gather_same(s, r, last), order);
    return agn_scope_adopt(s, st, &eq);
}

static const agn_tensor *transpose_scatter_put(agn_scope *s, const agni_rule *r, int i,
                                               const agn_tensor *g)
{
    const agn_tensor *zero = agni_full(s, 0, g->dtype, 0, NULL);
    if (i == 0)
        return agni_apply_in(
            s, &agni_op_scatter_put, r->at, 3,
            (const agn_tensor *[]){g, r->x[1],
                                   agni_full(s, 0, g->dtype, r->x[2]->ndim, r->x[2]->shape)});
    if (r->at->ni > 2 && r->at->i[2]) /* distinct: every write stands */
        return gather_same(s, r, g);
    return agni_apply_in(
        s, &agni_op_where, NULL, 3,
        (const agn_tensor *[]){find_last_writes(s, r), gather_same(s, r, g), zero});
}

/* a batch axis of x alone becomes an outer axis; one of the index a shared axis */
void agni_batch_gather(agn_scope *s, const agni_rule *r, int64_t lanes,
                       const agn_tensor *const *in, const bool *batched, const agn_tensor **out,
                       bool *bout)
{
    if (!batched[1] && r->at->i[1] == 0 && r->nin == 2) {
        agni_batch_front(s, r, lanes, in, batched, out, bout);
        return;
    }
    const agn_tensor *a[3];
    for (int i = 0; i < r->nin; i++)
        a[i] = agni_ensure_batch_axis(s, in[i], batched[i], lanes);
    int64_t at[3] = {0};
    memcpy(at, r->at->i, (size_t)r->at->ni * sizeof *at);
    at[1]++;
    out[0] = agni_apply_in(s, r->op, &(agni_attr){.ni = r->at->ni, .i = at}, r->nin, a);
    bout[0] = true;
}

static agni_slots slots_gather, slots_add, slots_put;
const agni_op agni_op_gather = {.name = "gather", .takes = "x idx axis:a batch:i",
                                .cls = AGNI_LINEAR, .nin = 2, .nout = 1,
                                .dtypes = AGNI_ANY, .diff = 1, .ew = -1, .zero = 1, .bounded = 1,
                                .infer = infer_gather, .cpu = cpu_gather, .contiguous = true,
                                .transpose = transpose_gather, .batch = agni_batch_gather,
                                .slots = &slots_gather, .lo = -3, .hi = 3,
                                .traits = AGNI_ZERO_KEPT,
                                .zeros = AGNI_ZEROS_PLACED, .doc = "pick slices by index"};
#define SCATTER(name_, takes_, dt, slots_) \
    .name = #name_, .takes = takes_, .cls = AGNI_LINEAR, .nin = 3, .nout = 1, .dtypes = dt, .diff = 5, \
    .promote = 5, .result = AGNI_OUT_SAME, .ew = -1, .bounded = 1, .infer = agni_infer_scatter, \
    .cpu = agni_scatter_kernel, .contiguous = true, .batch = agni_batch_gather, .slots = &slots_, .lo = -3, \
    .hi = 3
const agni_op agni_op_scatter_add = {
    SCATTER(scatter_add, "x idx v axis:a batch:i", AGNI_NUMBERS, slots_add),
    .transpose = transpose_scatter_add, .traits = AGNI_ZERO_KEPT, .zeros = AGNI_ZEROS_PLACED,
    .doc = "add slices by index"};
const agni_op agni_op_scatter_put = {
    SCATTER(scatter_put, "x idx v axis:a batch:i distinct:b*", AGNI_ANY, slots_put),
    .transpose = transpose_scatter_put, .traits = AGNI_ZERO_KEPT, .zeros = AGNI_ZEROS_PLACED,
    .doc = "write slices by index"};

/* ---- public functions ----------------------------------------------------------------------- */

agn_status agn_gather(agn_tensor **out, const agn_tensor *x, const agn_tensor *idx, int32_t axis)
{
    AGNI_NEED("gather", x);
    int d;
    agn_status st = agni_axis("gather", axis, x->ndim, &d);
    int64_t at[2] = {d - x->ndim, 0};
    return st ? st : agni_apply_public(out, &agni_op_gather, &(agni_attr){.ni = 2, .i = at}, 2,
                                 (const agn_tensor *[]){x, idx});
}

agn_status agn_take_along_axis(agn_tensor **out, const agn_tensor *x, const agn_tensor *idx,
                               int32_t axis)
{
    AGNI_NEED("take_along_axis", out);
    AGNI_NEED("take_along_axis", x);
    AGNI_NEED("take_along_axis", idx);
    int d;
    agn_status st = agni_axis("take_along_axis", axis, x->ndim, &d);
    if (st)
        return st;
    bool fits = idx->ndim == x->ndim;
    for (int k = 0; fits && k < x->ndim; k++)
        fits = k == d || idx->shape[k] == x->shape[k];
    if (!fits)
        return agni_fail(AGN_ESHAPE, "take_along_axis: shapes differ beside axis %d: %s and %s", d,
                         AGNI_SHAPE(x), AGNI_SHAPE(idx));
    agn_scope *s = agn_scope_open(NULL);
    int64_t at[2] = {-1, x->ndim - 1};
    const agn_tensor *a[2] = {agni_move_axis(s, x, d, -1), agni_move_axis(s, idx, d, -1)};
    const agn_tensor *y = agni_apply_in(s, &agni_op_gather, &(agni_attr){.ni = 2, .i = at}, 2, a);
    return agni_return("take_along_axis", s, out, agni_move_axis(s, y, -1, d));
}

agn_status agn_scatter_add(agn_tensor **out, const agn_tensor *x, const agn_tensor *idx,
                           const agn_tensor *v, int32_t axis)
{
    AGNI_NEED("scatter_add", x);
    int d;
    agn_status st = agni_axis("scatter_add", axis, x->ndim, &d);
    int64_t at[2] = {d - x->ndim, 0};
    return st ? st : agni_apply_public(out, &agni_op_scatter_add, &(agni_attr){.ni = 2, .i = at}, 3,
                                 (const agn_tensor *[]){x, idx, v});
}
