/* tensor/correlate.c - sliding sums of products, and convolution over them.

   The primitive takes a [..., n1, ..., nd] and v [..., m1, ..., md], whose leading axes
   broadcast, and gives y[k] = sum_j a[k + j] v[j] wherever v lies inside a. It is
   closed under its transposes: in v it is itself, in a it is itself with v turned round
   and zeros around the other argument. */
#include "tensor/help.h"

#include <complex.h>
#include <string.h>

static int axes_of_op(const agni_attr *at)
{
    return (int)at->i[0];
}

static agn_status infer_correlate(agni_call *c)
{
    const agn_tensor *a = c->in[0], *v = c->in[1];
    int64_t d = c->at->i[0], size;
    if (d < 1 || d > a->ndim || d > v->ndim)
        return agni_fail(AGN_ESHAPE, "correlate: %lld axes are meant: a is %s, v is %s",
                         (long long)d, AGNI_SHAPE(a), AGNI_SHAPE(v));
    agni_meta *o = c->meta;
    o->dtype = a->dtype;
    o->ndim = a->ndim - (int)d;
    memcpy(o->shape, a->shape, (size_t)o->ndim * sizeof *o->shape);
    if (!agni_broadcast_into(o, v->ndim - (int)d, v->shape))
        return agni_fail(AGN_ESHAPE,
                         "correlate: batches do not broadcast: a is %s, v is %s",
                         AGNI_SHAPE(a), AGNI_SHAPE(v));
    for (int k = 0; k < d; k++) {
        int64_t n = a->shape[a->ndim - d + k], m = v->shape[v->ndim - d + k];
        if (m < 1 || m > n)
            return agni_fail(AGN_ESHAPE,
                             "correlate: v %s does not lie within a %s along the last "
                             "%lld axes",
                             AGNI_SHAPE(v), AGNI_SHAPE(a), (long long)d);
        o->shape[o->ndim++] = n - m + 1;
    }
    return agni_shape_check("correlate", o->ndim, o->shape, &size);
}

/* ---- one row --------------------------------------------------------------------- */

/* Blocks of sums that stay in registers; the order of a sum is that of v. */
enum { BLOCK = 16 };
#define ROW(T, name)                                                              \
    static void row_##name(void *to, const void *from, const void *by, int64_t n, \
                           int64_t m)                                             \
    {                                                                             \
        T *y = to;                                                                \
        const T *a = from, *v = by;                                               \
        int64_t k = 0;                                                            \
        for (; k + BLOCK <= n; k += BLOCK) {                                      \
            T sum[BLOCK];                                                         \
            memcpy(sum, y + k, sizeof sum);                                       \
            for (int64_t j = 0; j < m; j++)                                       \
                for (int q = 0; q < BLOCK; q++)                                   \
                    sum[q] += a[k + j + q] * v[j];                                \
            memcpy(y + k, sum, sizeof sum);                                       \
        }                                                                         \
        for (; k < n; k++)                                                        \
            for (int64_t j = 0; j < m; j++)                                       \
                y[k] += a[k + j] * v[j];                                          \
    }
ROW(float, f32)
ROW(double, f64)
ROW(uint32_t, i32) /* integers wrap around */
ROW(uint64_t, i64)
ROW(float complex, c64)
ROW(double complex, c128)

typedef void row_fn(void *y, const void *a, const void *v, int64_t n, int64_t m);
static row_fn *const rows[AGN_NDTYPES] = {
    [AGN_F32] = row_f32, [AGN_F64] = row_f64, [AGN_I32] = row_i32,
    [AGN_I64] = row_i64, [AGN_C64] = row_c64, [AGN_C128] = row_c128};

/* ---- all rows -------------------------------------------------------------------- */

typedef struct sliding {
    const agn_array *a, *v, *y;
    int d;         /* axes along which v slides */
    int64_t outer; /* rows of one array: all axes of y but the last, within the batch */
    int64_t a_step, v_step; /* elements of one array of the batch */
} sliding;

static int64_t step_of(const agn_array *x, int d)
{
    int64_t n = 1;
    for (int k = x->ndim - d; k < x->ndim; k++)
        n *= x->shape[k];
    return n;
}

/* which array of x belongs to array number i of y */
static int64_t array_of(const agn_array *x, const agn_array *y, int d, int64_t i)
{
    int64_t at = 0, unit = 1;
    for (int k = y->ndim - d - 1; k >= 0; k--) {
        int e = k - (y->ndim - x->ndim);
        if (e >= 0) {
            at += x->shape[e] == 1 ? 0 : i % y->shape[k] * unit;
            unit *= x->shape[e];
        }
        i /= y->shape[k];
    }
    return at;
}

/* one row of y: the sum over the rows of v that meet it */
static void slide(void *user, int64_t job, int worker)
{
    const sliding *s = user;
    const agn_array *a = s->a, *v = s->v, *y = s->y;
    int64_t batch = job / s->outer, r = job % s->outer,
            bytes = agni_dtypes[y->dtype].bytes;
    int64_t n = y->shape[y->ndim - 1], m = v->shape[v->ndim - 1], at[AGNI_MAX_RANK],
            j = 0;
    const char *from = (const char *)a->data +
                       array_of(a, y, s->d, batch) * s->a_step * bytes;
    const char *by = (const char *)v->data +
                     array_of(v, y, s->d, batch) * s->v_step * bytes;
    char *to = (char *)y->data + job * n * bytes;
    (void)worker;
    for (int k = s->d - 2; k >= 0; k--) {
        int64_t size = y->shape[y->ndim - s->d + k];
        at[k] = r % size;
        r /= size;
    }
    memset(to, 0, (size_t)(n * bytes));
    for (int64_t left = s->v_step / m; left > 0; left--, j++) {
        int64_t rest = j, place = 0, unit = 1;
        for (int k = s->d - 2; k >= 0; k--) {
            int64_t size = v->shape[v->ndim - s->d + k];
            place += (at[k] + rest % size) * unit;
            unit *= a->shape[a->ndim - s->d + k];
            rest /= size;
        }
        rows[y->dtype](to, from + place * a->shape[a->ndim - 1] * bytes,
                       by + j * m * bytes, n, m);
    }
}

static agn_status cpu_correlate(const agn_kernel_call *c)
{
    sliding s = {c->in, c->in + 1, c->out, (int)c->ints[0], 1, 0, 0};
    int64_t jobs = 1;
    for (int k = 0; k < s.y->ndim - 1; k++)
        jobs *= s.y->shape[k];
    for (int k = s.y->ndim - s.d; k < s.y->ndim - 1; k++)
        s.outer *= s.y->shape[k];
    s.a_step = step_of(s.a, s.d);
    s.v_step = step_of(s.v, s.d);
    if (jobs * s.y->shape[s.y->ndim - 1] * s.v_step < 1 << 18)
        for (int64_t i = 0; i < jobs; i++)
            slide(&s, i, 0);
    else
        agni_parallel(jobs, slide, &s);
    return AGN_OK;
}

/* ---- derivative ------------------------------------------------------------------ */

static const agn_tensor *correlated(agn_scope *s, const agni_attr *at,
                                    const agn_tensor *a, const agn_tensor *v)
{
    return agni_ap(s, &agni_op_correlate, at, 2, (const agn_tensor *[]){a, v});
}

/* zeros around the last d axes */
static const agn_tensor *surrounded(agn_scope *s, const agn_tensor *x, int d,
                                    const int64_t *before, const int64_t *behind)
{
    int64_t lo[AGNI_MAX_RANK] = {0}, hi[AGNI_MAX_RANK] = {0};
    agn_tensor *y = NULL;
    if (!x || agn_scope_status(s))
        return NULL;
    memcpy(lo + x->ndim - d, before, (size_t)d * sizeof *lo);
    memcpy(hi + x->ndim - d, behind, (size_t)d * sizeof *hi);
    agn_status st = agn_pad(&y, x, x->ndim, lo, hi, 0);
    return agn_scope_adopt(s, st, y);
}
/* the last d axes the other way round, numbers conjugate if asked */
static const agn_tensor *turned(agn_scope *s, const agn_tensor *x, int d,
                                bool conjugate)
{
    int32_t axes[AGNI_MAX_RANK];
    agn_tensor *y = NULL;
    if (x && conjugate && agni_kind(x->dtype) == AGNI_KIND_COMPLEX)
        x = agni_ap(s, &agni_op_conj, NULL, 1, &x);
    for (int k = 0; k < d; k++)
        axes[k] = -1 - k;
    if (!x || agn_scope_status(s))
        return NULL;
    agn_status st = agn_flip(&y, x, axes, d);
    return agn_scope_adopt(s, st, y);
}

static const agn_tensor *correlate_transpose(agn_scope *s, const agni_rule *r, int i,
                                             const agn_tensor *g)
{
    int d = axes_of_op(r->at);
    const agn_tensor *other = r->x[!i], *v = r->x[1];
    if (i == 1) {
        if (agni_kind(other->dtype) == AGNI_KIND_COMPLEX)
            other = agni_ap(s, &agni_op_conj, NULL, 1, &other);
        return agni_unbroadcast(s, correlated(s, r->at, other, g), v);
    }
    int64_t rim[AGNI_MAX_RANK];
    for (int k = 0; k < d; k++)
        rim[k] = v->shape[v->ndim - d + k] - 1;
    g = correlated(s, r->at, surrounded(s, g, d, rim, rim), turned(s, other, d, true));
    return agni_unbroadcast(s, g, r->x[0]);
}

static agni_slots slots_correlate;
const agni_op agni_op_correlate = {
    .name = "correlate",
    .takes = "a v axes:i",
    .cls = AGNI_MULTI,
    .nin = 2,
    .nout = 1,
    .dtypes = AGNI_NUMBERS,
    .diff = 3,
    .promote = 3,
    .result = AGNI_OUT_SAME,
    .ew = -1,
    .infer = infer_correlate,
    .cpu = cpu_correlate,
    .contiguous = true,
    .transpose = correlate_transpose,
    .batch = agni_batch_aligned,
    .slots = &slots_correlate,
    .lo = -2,
    .hi = 2,
    .lo2 = -2,
    .hi2 = 2,
    .doc = "sliding sums of products",
};

/* ---- the public functions -------------------------------------------------------- */

agn_status agni_check_sliding(const char *op, agn_tensor *const *out,
                              const agn_tensor *a, const agn_tensor *v, int32_t axes,
                              int32_t mode)
{
    if (!out || !a || !v)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op,
                         !out ? "out"
                         : !a ? "a"
                              : "v");
    if (mode < AGN_FULL || mode > AGN_VALID)
        return agni_fail(AGN_EARG, "%s: there is no mode %d; there are 0 to %d", op,
                         mode, AGN_VALID);
    if (axes < 1 || axes > a->ndim || axes > v->ndim)
        return agni_fail(AGN_ESHAPE, "%s: %d axes are meant: a is %s, v is %s", op,
                         axes, AGNI_SHAPE(a), AGNI_SHAPE(v));
    if (a->dtype == AGN_BOOL && v->dtype == AGN_BOOL)
        return agni_fail(AGN_EDTYPE, "%s: not defined for bool, for numbers: a is %s, v is %s", op,
                         AGNI_SHAPE(a), AGNI_SHAPE(v));
    bool longer = false, shorter = false;
    for (int k = 1; k <= axes; k++) {
        int64_t n = a->shape[a->ndim - k], m = v->shape[v->ndim - k];
        longer |= n > m;
        shorter |= n < m;
        if (n < 1 || m < 1)
            return agni_fail(AGN_ESHAPE, "%s: nothing to slide: a is %s, v is %s", op,
                             AGNI_SHAPE(a), AGNI_SHAPE(v));
    }
    if (mode == AGN_VALID && longer && shorter)
        return agni_fail(AGN_ESHAPE,
                         "%s: neither of a %s and v %s lies within the other", op,
                         AGNI_SHAPE(a), AGNI_SHAPE(v));
    return AGN_OK;
}

/* sum_j a[k + j - lead] w[j] with w turned round beforehand */
static agn_status slid(agn_tensor **out, const char *op, const agn_tensor *a,
                       const agn_tensor *v, int32_t d, int32_t mode, bool turn)
{
    agn_status st = agni_check_sliding(op, out, a, v, d, mode);
    if (st)
        return st;
    /* convolution does not mind which is which: the longer one is slid along */
    bool shorter = false;
    int64_t before[AGNI_MAX_RANK], behind[AGNI_MAX_RANK];
    for (int k = 0; k < d; k++) {
        int64_t n = a->shape[a->ndim - d + k], m = v->shape[v->ndim - d + k];
        shorter |= n < m;
        before[k] = mode == AGN_FULL ? m - 1 : mode == AGN_SAME ? m / 2 : 0;
        behind[k] = mode == AGN_FULL ? m - 1 : mode == AGN_SAME ? m - 1 - m / 2 : 0;
    }
    agn_scope *s = agn_scope_open(NULL);
    const agni_attr at = {.ni = 1, .i = (const int64_t[]){d}};
    const agn_tensor *w = turn ? turned(s, v, d, false) : v;
    if (!turn && agni_kind(v->dtype) == AGNI_KIND_COMPLEX)
        w = agni_ap(s, &agni_op_conj, NULL, 1, &v);
    const agn_tensor *y;
    if (mode == AGN_VALID && shorter)
        /* a within w: the same sums from the other end */
        y = turned(s, correlated(s, &at, w, a), d, false);
    else
        y = correlated(s, &at,
                       mode == AGN_VALID ? a : surrounded(s, a, d, before, behind), w);
    return agni_finish(op, s, out, y);
}
agn_status agn_convolve(agn_tensor **out, const agn_tensor *a, const agn_tensor *v,
                        int32_t axes, int32_t mode)
{
    return slid(out, "convolve", a, v, axes, mode, true);
}
agn_status agn_correlate(agn_tensor **out, const agn_tensor *a, const agn_tensor *v,
                         int32_t axes, int32_t mode)
{
    return slid(out, "correlate", a, v, axes, mode, false);
}
