/* tensor/reduce/max_min.c - max, min, amax, amin, argmax. The derivative of max and min goes to the
   first extreme, that of amax and amin equally to all. Attributes:
     max min amax amin   keep, axes (negative)...
     argmax              axis, keep, smallest                                              */
#include "tensor/reduce/reduce.h"
#include "tensor/rows/traits.h"

#include <agnesi/ag.h>
#include <string.h>

static bool is_least(const agni_op *op)
{
    return op == &agni_op_min || op == &agni_op_amin;
}

static agn_status infer_extreme(agni_call *c)
{
    const agn_tensor *x = c->in[0];
    agn_status st = agni_infer_reduction(c);
    if (st)
        return st;
    int count = c->at->ni - 1;
    if (agni_count_along(x, c->at->i + 1, count) == 0)
        return agni_fail(AGN_ESHAPE, "%s: %d axes of %s hold nothing to compare", c->op->name,
                         count, AGNI_SHAPE(x));
    return AGN_OK;
}

static agn_status cpu_extreme(const agn_kernel_call *c)
{
    bool least = !strcmp(c->op, "min") || !strcmp(c->op, "amin");
    return agni_reduce_axes(c, least ? AGNI_REDUCE_MIN : AGNI_REDUCE_MAX);
}

/* lanes of x merged into a last axis */
static const agn_tensor *merge_lanes(agn_scope *s, const agni_rule *r, const agn_tensor *x)
{
    int64_t shape[AGNI_MAX_RANK];
    int nout;
    return agni_merge_axes_last(s, x, r->at->ni - 1, r->at->i + 1, false, &nout, shape);
}

static const agn_tensor *first_winner(agn_scope *s, const agn_tensor *x, bool least)
{
    return x ? agni_apply_in(s, &agni_op_argmax,
                             &(agni_attr){.ni = 3, .i = (int64_t[]){-1, 1, least}}, 1, &x)
             : NULL;
}

static void jvp_first(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                      const agn_tensor **ty)
{
    const agn_tensor *i = first_winner(s, merge_lanes(s, r, r->x[0]), is_least(r->op));
    const agn_tensor *y = agni_gather_last(s, merge_lanes(s, r, t[0]), i);
    ty[0] = y ? agni_reshape(s, y, r->y[0]->ndim, r->y[0]->shape) : NULL;
}

/* the mean of the tangents of all extremes; if there are NaN, of these */
static void jvp_shared(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                       const agn_tensor **ty)
{
    const agn_tensor *x = r->x[0];
    const int64_t *a = r->at->i + 1;
    int count = r->at->ni - 1;
    const agn_tensor *top = agni_apply_unary(s, &agni_op_stop_gradient, r->y[0]);
    top = agni_restore_kept_axes(s, top, x->ndim, x->shape, count, a);
    const agn_tensor *won = agni_apply_binary(s, &agni_op_logical_or,
                                              agni_apply_binary(s, &agni_op_eq, x, top),
                                              agni_apply_unary(s, &agni_op_isnan, x));
    const agn_tensor *none = agni_full(s, 0, t[0]->dtype, 0, NULL);
    const agn_tensor *sum = agni_sum_axes(s, agni_select_by(s, won, t[0], none), count, a,
                                          r->at->i[0] != 0);
    const agn_tensor *many = won ? agni_sum_axes(s, agni_cast(s, won, t[0]->dtype), count, a,
                                                 r->at->i[0] != 0)
                                 : NULL;
    ty[0] = agni_apply_binary(s, &agni_op_div, sum, many);
}

/* for devices without a kernel: a gather by argmax */
static agn_status eval_extreme(const agni_call *c, agn_tensor **out)
{
    agni_rule r = {.op = c->op, .at = c->at, .nin = 1, .nout = 1, .x = c->in};
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x = agni_detach_node(s, c->op->name, c->in[0]);
    x = merge_lanes(s, &r, x);
    const agn_tensor *y = agni_gather_last(s, x, first_winner(s, x, is_least(c->op)));
    agn_scope_return(s, out, y ? agni_reshape(s, y, c->meta->ndim, c->meta->shape) : NULL);
    return agn_scope_close(s);
}

/* ---- argmax ------------------------------------------------------------------------------- */

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

/* The first block whose extreme beats those before it, then the first element equal to it.
   An extreme is NaN as soon as one element is. */
enum { BLOCK = 4096, TILE = 256 };
#define BEATS(a, b) ((a) == (a) && ((b) != (b) || (least ? (b) < (a) : (b) > (a))))
#define ARG(T, s) \
    static int64_t arg_run_##s(agni_reduce_fn *f, bool least, const T *v, int64_t n) \
    { \
        T best = v[0]; \
        int64_t at = 0; \
        for (int64_t k = 0; k < n; k += BLOCK) { \
            T top; \
            int64_t m = n - k < BLOCK ? n - k : BLOCK; \
            f(&top, 1, v + k, m, NULL, 0, 1, m, 1, 1); \
            if (BEATS(best, top)) \
                best = top, at = k; \
        } \
        while (best == best ? v[at] != best : v[at] == v[at]) \
            at++; \
        return at; \
    } \
    static void arg_##s(const argmax_job *q, const agni_axis_lanes *l, int64_t o, int64_t lo, \
                        int64_t hi) \
    { \
        const T *v = (const T *)q->x + o * l->n * l->inner; \
        int64_t *y = q->y + o * l->inner; \
        bool least = q->least; \
        if (l->inner == 1) { \
            y[0] = arg_run_##s(q->f, least, v, l->n); \
            return; \
        } \
        T best[TILE]; \
        int64_t at[TILE]; \
        for (int64_t j = lo; j < hi; j++) \
            best[j - lo] = v[j], at[j - lo] = 0; \
        for (int64_t k = 1; k < l->n; k++) \
            for (int64_t j = lo; j < hi; j++) { \
                T b = v[k * l->inner + j]; \
                bool beats = BEATS(best[j - lo], b); \
                best[j - lo] = beats ? b : best[j - lo]; \
                at[j - lo] = beats ? k : at[j - lo]; \
            } \
        memcpy(y + lo, at, (size_t)(hi - lo) * sizeof *y); \
    }

typedef struct argmax_job {
    int dtype;
    bool least;
    agni_reduce_fn *f;
    const void *x;
    int64_t *y;
} argmax_job;
ARG(uint8_t, u8)
ARG(int32_t, i32)
ARG(int64_t, i64)
ARG(float, f32)
ARG(double, f64)

static void arg_slab(void *user, const agni_axis_lanes *l, int64_t o, int64_t lo, int64_t hi)
{
    static void (*const by_dtype[AGN_NDTYPES])(const argmax_job *, const agni_axis_lanes *, int64_t,
                                               int64_t, int64_t) = {
        [AGN_BOOL] = arg_u8, [AGN_I32] = arg_i32, [AGN_I64] = arg_i64,
        [AGN_F32] = arg_f32, [AGN_F64] = arg_f64,
    };
    const argmax_job *q = user;
    by_dtype[q->dtype](q, l, o, lo, hi);
}

static agn_status cpu_argmax(const agn_kernel_call *c)
{
    bool least = c->ints[2] != 0;
    int dtype = c->in[0].dtype;
    argmax_job q = {dtype, least,
                    agni_find_reduction(least ? AGNI_REDUCE_MIN : AGNI_REDUCE_MAX, dtype),
                    c->in[0].data, c->out[0].data};
    agni_axis_lanes l = agni_find_lanes(c->in, c->ints[0]);
    agni_for_each_slab(&l, TILE, arg_slab, &q);
    return AGN_OK;
}

/* ---- op records --------------------------------------------------------------------------- */

static agni_slots slots[5];
#define ROW(name_, takes_, k) \
    .name = #name_, .takes = takes_, .nin = 1, .nout = 1, .dtypes = AGNI_REALS | AGNI_BIT(BOOL), .promote = 1, \
    .ew = -1, .contiguous = true, .batch = agni_batch_front, .slots = &slots[k], .lo = -3, \
    .hi = 3
#define EXTREME(name_, k) \
    ROW(name_, "x keep:b axes:a*", k), .cls = AGNI_CHOICE, .diff = 1, .result = AGNI_OUT_SAME, \
                   .infer = infer_extreme, .cpu = cpu_extreme, .eval = eval_extreme
const agni_op agni_op_max = {EXTREME(max, 0), .jvp = jvp_first,
                             .traits = AGNI_ZERO_KEPT, .doc = "largest element"};
const agni_op agni_op_min = {EXTREME(min, 1), .jvp = jvp_first,
                             .traits = AGNI_ZERO_KEPT, .doc = "smallest element"};
const agni_op agni_op_amax = {EXTREME(amax, 2), .jvp = jvp_shared,
                              .traits = AGNI_ZERO_KEPT,
                              .doc = "largest element, derivatives shared among equals"};
const agni_op agni_op_amin = {EXTREME(amin, 3), .jvp = jvp_shared,
                              .traits = AGNI_ZERO_KEPT,
                              .doc = "smallest element, derivatives shared among equals"};
const agni_op agni_op_argmax = {ROW(argmax, "x axis:a keep:b smallest:b", 4), .cls = AGNI_DISCRETE,
                                .infer = infer_argmax, .cpu = cpu_argmax,
                                .traits = AGNI_ZERO_LOST, .doc = "index of an extreme"};

/* ---- public functions --------------------------------------------------------------------- */

static agn_status apply_extreme(agn_tensor **out, const agni_op *op, const agn_tensor *x,
                                const int32_t *axes, int32_t n, bool keep)
{
    int64_t at[AGNI_MAX_RANK + 1] = {keep};
    int count;
    AGNI_NEED(op->name, out);
    agn_status st = agni_normalise_axes(op->name, x, axes, n, at + 1, &count);
    if (st)
        return st;
    if (agni_kind(x->dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "%s: %s numbers %s have no order, real ones have", op->name,
                         agni_dtypes[x->dtype].name, AGNI_SHAPE(x));
    return agni_rename_error(
        op->name, agni_apply_public(out, op, &(agni_attr){.ni = count + 1, .i = at}, 1, &x));
}

#define PUBLIC(name) \
    agn_status agn_##name(agn_tensor **out, const agn_tensor *x, const int32_t *axes, int32_t n, \
                          bool keep) \
    { \
        return apply_extreme(out, &agni_op_##name, x, axes, n, keep); \
    }
PUBLIC(max)
PUBLIC(min)
PUBLIC(amax)
PUBLIC(amin)

agn_status agn_aminmax(agn_tensor **least, agn_tensor **most, const agn_tensor *x,
                       const int32_t *axes, int32_t n, bool keep)
{
    agn_tensor *lo = NULL, *hi = NULL;
    AGNI_NEED("aminmax", least);
    AGNI_NEED("aminmax", most);
    agn_status st = agn_amin(&lo, x, axes, n, keep);
    if (!st)
        st = agn_amax(&hi, x, axes, n, keep);
    if (st) {
        agn_release(lo);
        return agni_rename_error("aminmax", st);
    }
    *least = lo;
    *most = hi;
    return AGN_OK;
}

agn_status agn_ptp(agn_tensor **out, const agn_tensor *x, const int32_t *axes, int32_t n,
                   bool keep)
{
    AGNI_NEED("ptp", out);
    AGNI_NEED("ptp", x);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = ag_sub(s, ag_max(s, x, axes, n, keep), ag_min(s, x, axes, n, keep));
    return agni_return("ptp", s, out, y);
}

static agn_status apply_argmax(const char *op, agn_tensor **out, const agn_tensor *x, int32_t axis,
                               bool keep, bool least)
{
    int d;
    AGNI_NEED(op, x);
    if (x->ndim == 0)
        return agni_fail(AGN_ESHAPE, "%s: shape is %s, at least one axis is needed", op,
                         AGNI_SHAPE(x));
    agn_status st = agni_axis(op, axis, x->ndim, &d);
    int64_t at[3] = {d - x->ndim, keep, least};
    return st ? st
              : agni_rename_error(op, agni_apply_public(out, &agni_op_argmax,
                                                        &(agni_attr){.ni = 3, .i = at}, 1, &x));
}
agn_status agn_argmax(agn_tensor **out, const agn_tensor *x, int32_t axis, bool keep)
{
    return apply_argmax("argmax", out, x, axis, keep, false);
}
agn_status agn_argmin(agn_tensor **out, const agn_tensor *x, int32_t axis, bool keep)
{
    return apply_argmax("argmin", out, x, axis, keep, true);
}
