/* tensor/reduce/cumulative_extremes.c - cumulative maximum, minimum and log-sum-exp. Attributes:
     argcummax      axis (negative), smallest
     logcumsumexp   axis, reverse                                                           */
#include "tensor/reduce/reduce.h"

#include <math.h>
#include <string.h>

typedef void slab_loop(const void *x, void *y, int64_t n, int64_t inner, int64_t lo, int64_t hi,
                       bool flag);
typedef struct scan_job {
    slab_loop *loop;
    const char *x;
    char *y;
    int64_t x_bytes, y_bytes;
    bool flag;
} scan_job;

static void scan_slab(void *user, const agni_axis_lanes *l, int64_t o, int64_t lo, int64_t hi)
{
    const scan_job *q = user;
    int64_t slab = o * l->n * l->inner;
    q->loop(q->x + slab * q->x_bytes, q->y + slab * q->y_bytes, l->n, l->inner, lo, hi, q->flag);
}

static void scan_lanes(const agn_kernel_call *c, slab_loop *loop)
{
    enum { TILE = 256 };
    scan_job q = {loop,
                  c->in[0].data,
                  c->out[0].data,
                  agni_dtypes[c->in[0].dtype].bytes,
                  agni_dtypes[c->out[0].dtype].bytes,
                  c->ints[1] != 0};
    agni_axis_lanes l = agni_find_lanes(c->in, c->ints[0]);
    agni_for_each_slab(&l, TILE, scan_slab, &q);
}

/* ---- cumulative extremes -------------------------------------------------------------------- */

static agn_status infer_argcummax(agni_call *c)
{
    agni_infer_same(c);
    c->meta[0].dtype = AGN_I64;
    return AGN_OK;
}

/* the first of equals; the first NaN beats all */
#define RUNNING(T, s) \
    static void running_##s(const void *xv, void *yv, int64_t n, int64_t inner, int64_t lo, \
                            int64_t hi, bool least) \
    { \
        const T *x = xv; \
        int64_t *y = yv; \
        for (int64_t j = lo; j < hi; j++) { \
            T best = x[j]; \
            int64_t at = 0; \
            y[j] = 0; \
            for (int64_t k = 1; k < n; k++) { \
                T v = x[k * inner + j]; \
                if (best == best && (v != v || (least ? v < best : v > best))) \
                    best = v, at = k; \
                y[k * inner + j] = at; \
            } \
        } \
    }
RUNNING(uint8_t, u8)
RUNNING(int32_t, i32)
RUNNING(int64_t, i64)
RUNNING(float, f32)
RUNNING(double, f64)

static agn_status cpu_argcummax(const agn_kernel_call *c)
{
    static slab_loop *const by_dtype[AGN_NDTYPES] = {
        [AGN_BOOL] = running_u8, [AGN_I32] = running_i32, [AGN_I64] = running_i64,
        [AGN_F32] = running_f32, [AGN_F64] = running_f64,
    };
    scan_lanes(c, by_dtype[c->in[0].dtype]);
    return AGN_OK;
}

/* ---- cumulative log-sum-exp ----------------------------------------------------------------- */

/* y_k = log(exp y_(k-1) + exp x_k) = max + log1p(exp(min - max)), in f64: in f32 the increments of
   long lanes would be rounded away */
#define LOGCUMSUMEXP(T, s) \
    static void logcumsumexp_##s(const void *xv, void *yv, int64_t n, int64_t inner, int64_t lo, \
                                 int64_t hi, bool back) \
    { \
        const T *x = xv; \
        T *y = yv; \
        int64_t step = back ? -inner : inner, first = back ? (n - 1) * inner : 0; \
        for (int64_t j = lo; j < hi; j++) { \
            double run = y[first + j] = x[first + j]; \
            for (int64_t k = 1, at = first + step + j; k < n; k++, at += step) { \
                double v = x[at], top = run > v ? run : v, d = run > v ? v - run : run - v; \
                run = v != v || run != run ? v + run \
                      : v == run           ? v + 0.69314718055994530942 \
                                           : top + log1p(exp(d)); \
                y[at] = (T)run; \
            } \
        } \
    }
LOGCUMSUMEXP(float, f32)
LOGCUMSUMEXP(double, f64)

static agn_status cpu_logcumsumexp(const agn_kernel_call *c)
{
    scan_lanes(c, c->in[0].dtype == AGN_F32 ? logcumsumexp_f32 : logcumsumexp_f64);
    return AGN_OK;
}

/* exp(y_k) t'_k = exp(y_(k-1)) t'_(k-1) + exp(x_k) t_k, divided by exp(y_k): a recurrence whose
   factors are at most 1. An x_k = -inf is absent; from the only infinity on, all is its share. */
static void jvp_logcumsumexp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                             const agn_tensor **ty)
{
    const agn_tensor *x = r->x[0], *y = r->y[0];
    int d = (int)r->at->i[0] + x->ndim;
    const agn_tensor *zero = agni_full(s, 0, y->dtype, 0, NULL);
    const agn_tensor *one = agni_full(s, 1, y->dtype, 0, NULL);
    const agn_tensor *none = agni_full(s, -(double)INFINITY, y->dtype, 0, NULL);
    const agn_tensor *infinite = agni_full(s, (double)INFINITY, y->dtype, 0, NULL);
    const agn_tensor *base = agni_select_by(s, agni_apply_unary(s, &agni_op_isneginf, y), zero, y);
    const agn_tensor *before = agni_shift_axis(s, y, d, r->at->i[1] != 0);
    const agn_tensor *late = agni_apply_binary(s, &agni_op_eq, before, infinite);
    const agn_tensor *here = agni_apply_binary(s, &agni_op_eq, x, infinite);
    /* above 0 at the first place alone, which reads nothing before it */
    const agn_tensor *drop = agni_apply_binary(
        s, &agni_op_minimum, agni_apply_binary(s, &agni_op_sub, before, base), zero);
    const agn_tensor *a = agni_apply_unary(s, &agni_op_exp, drop);
    const agn_tensor *b = agni_apply_unary(s, &agni_op_exp,
                                           agni_apply_binary(s, &agni_op_sub, x, base));
    const agn_tensor *other = agni_apply_unary(s, &agni_op_logical_not, here);
    a = agni_select_by(s, agni_apply_binary(s, &agni_op_logical_and, late, other), one, a);
    other = agni_apply_unary(s, &agni_op_logical_not, late);
    b = agni_select_by(s, agni_apply_binary(s, &agni_op_logical_and, here, other), one, b);
    const agn_tensor *in = agni_apply_binary(s, &agni_op_gt, x, none);
    b = agni_select_by(s, in, agni_apply_binary(s, &agni_op_mul, b, t[0]), zero);
    ty[0] = a && b ? agni_apply_in(s, &agni_op_recurrence, r->at, 2, (const agn_tensor *[]){a, b})
                   : NULL;
}

/* ---- op records ------------------------------------------------------------------------------ */

static agni_slots slots[2];
#define ROW(name_, takes_, dt, k) \
    .name = #name_, .takes = takes_, .nin = 1, .nout = 1, .dtypes = dt, .promote = 1, .ew = -1, \
    .cpu = cpu_##name_, .contiguous = true, .batch = agni_batch_front, .slots = &slots[k], \
    .lo = -3, .hi = 3
const agni_op agni_op_argcummax = {
    ROW(argcummax, "x axis:a smallest:b", AGNI_REALS | AGNI_BIT(BOOL), 0), .cls = AGNI_DISCRETE,
    .infer = infer_argcummax, .doc = "index of the extreme so far"};
const agni_op agni_op_logcumsumexp = {ROW(logcumsumexp, "x axis:a reverse:b", AGNI_FLOATS, 1),
                                      .cls = AGNI_SOLVE,
                                      .diff = 1,
                                      .result = AGNI_OUT_SAME,
                                      .infer = agni_infer_same,
                                      .jvp = jvp_logcumsumexp,
                                      .zeros = AGNI_ZEROS_ABSENT,
                                      .doc = "cumulative log of the sum of exponentials"};

/* ---- public functions ------------------------------------------------------------------------ */

static agn_status apply_argcummax(const char *op, agn_tensor **values, agn_tensor **indices,
                                  const agn_tensor *x, int32_t axis, bool least)
{
    int d;
    AGNI_NEED(op, values);
    agn_status st = agni_normalise_axis(op, x, axis, &d);
    int64_t at[2] = {x ? d - x->ndim : 0, least};
    agn_tensor *i = NULL, *v = NULL;
    if (!st)
        st = agni_apply1(&agni_op_argcummax, &(agni_attr){.ni = 2, .i = at}, 1, &x, &i);
    if (!st)
        st = agn_take_along_axis(&v, x, i, d);
    if (!st) {
        *values = v;
        if (indices) {
            *indices = i;
            i = NULL;
        }
    }
    agn_release(i);
    return agni_rename_error(op, st);
}

agn_status agn_cummax(agn_tensor **values, agn_tensor **indices, const agn_tensor *x,
                      int32_t axis)
{
    return apply_argcummax("cummax", values, indices, x, axis, false);
}
agn_status agn_cummin(agn_tensor **values, agn_tensor **indices, const agn_tensor *x,
                      int32_t axis)
{
    return apply_argcummax("cummin", values, indices, x, axis, true);
}

agn_status agn_logcumsumexp(agn_tensor **out, const agn_tensor *x, int32_t axis, int32_t flags)
{
    int d;
    AGNI_NEED("logcumsumexp", out);
    agn_status st = agni_normalise_axis("logcumsumexp", x, axis, &d);
    if (st)
        return st;
    if (flags & ~AGN_SCAN_REVERSE)
        return agni_fail(AGN_EARG, "logcumsumexp: flags %d are none of %d", flags,
                         AGN_SCAN_REVERSE);
    int64_t at[2] = {d - x->ndim, flags & AGN_SCAN_REVERSE};
    return agni_rename_error("logcumsumexp", agni_apply_public(out, &agni_op_logcumsumexp,
                                                         &(agni_attr){.ni = 2, .i = at}, 1, &x));
}
