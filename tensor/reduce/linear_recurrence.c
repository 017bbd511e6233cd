/* tensor/reduce/linear_recurrence.c - linear recurrences y_k = a_k y_(k-1) + b_k, y_0 = b_0,
   along an axis; cumulative products are one. Attributes: axis (negative), reverse.

   The tangent is a recurrence with the same a, so derivatives of products of any order are right
   where elements are zero. */
#include "tensor/reduce/reduce.h"

#include <string.h>

static agn_status infer_recurrence(agni_call *c)
{
    const agn_tensor *a = c->in[0], *b = c->in[1];
    if (!agni_same_shape(a, b))
        return agni_fail(AGN_ESHAPE, "recurrence: shapes differ: a is %s, b is %s", AGNI_SHAPE(a),
                         AGNI_SHAPE(b));
    return agni_infer_same(c);
}

#define RUN(T, s) \
    static void run_##s(const void *av, const void *bv, void *yv, int64_t n, int64_t inner, \
                        int64_t lo, int64_t hi, bool back) \
    { \
        const T *a = av, *b = bv; \
        T *y = yv; \
        int64_t step = back ? -inner : inner, at = back ? (n - 1) * inner : 0; \
        for (int64_t j = lo; j < hi; j++) \
            y[at + j] = b[at + j]; \
        for (int64_t k = 1; k < n; k++) { \
            at += step; \
            for (int64_t j = lo; j < hi; j++) \
                y[at + j] = a[at + j] * y[at - step + j] + b[at + j]; \
        } \
    }
RUN(uint32_t, i32)
RUN(uint64_t, i64)
RUN(float, f32)
RUN(double, f64)
RUN(float _Complex, c64)
RUN(double _Complex, c128)

typedef struct recurrence_job {
    const agn_kernel_call *c;
    int64_t bytes;
} recurrence_job;

static void run_slab(void *user, const agni_axis_lanes *l, int64_t o, int64_t lo, int64_t hi)
{
    static void (*const by_dtype[AGN_NDTYPES])(const void *, const void *, void *, int64_t,
                                               int64_t, int64_t, int64_t, bool) = {
        [AGN_I32] = run_i32, [AGN_I64] = run_i64, [AGN_F32] = run_f32,
        [AGN_F64] = run_f64, [AGN_C64] = run_c64, [AGN_C128] = run_c128,
    };
    const recurrence_job *q = user;
    int64_t slab = o * l->n * l->inner * q->bytes;
    by_dtype[q->c->in[0].dtype]((const char *)q->c->in[0].data + slab,
                                (const char *)q->c->in[1].data + slab,
                                (char *)q->c->out[0].data + slab, l->n, l->inner, lo, hi,
                                q->c->ints[1] != 0);
}

static agn_status cpu_recurrence(const agn_kernel_call *c)
{
    agni_axis_lanes l = agni_find_lanes(c->in, c->ints[0]);
    recurrence_job q = {c, agni_dtypes[c->in[0].dtype].bytes};
    agni_for_each_slab(&l, 256, run_slab, &q);
    return AGN_OK;
}

static const agn_tensor *apply_recurrence(agn_scope *s, const agni_attr *at, const agn_tensor *a,
                                          const agn_tensor *b)
{
    return a && b ? agni_apply_in(s, &agni_op_recurrence, at, 2, (const agn_tensor *[]){a, b})
                  : NULL;
}

static void jvp_recurrence(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                           const agn_tensor **ty)
{
    bool back = r->at->i[1] != 0;
    int d = (int)r->at->i[0] + r->x[0]->ndim;
    const agn_tensor *b = t[1];
    if (t[0])
        b = agni_add_present(
            s, b, agni_apply_binary(s, &agni_op_mul, t[0], agni_shift_axis(s, r->y[0], d, back)));
    ty[0] = apply_recurrence(s, r->at, r->x[0], b);
}

/* l_k = g_k + conj(a_(k+1)) l_(k+1): the recurrence from the other end */
static void vjp_recurrence(agn_scope *s, const agni_rule *r, const agn_tensor *const *g,
                           const bool *want, const agn_tensor **gx)
{
    if (!g[0])
        return;
    bool back = r->at->i[1] != 0;
    int d = (int)r->at->i[0] + r->x[0]->ndim;
    int64_t at[2] = {r->at->i[0], !back};
    bool z = agni_kind(r->x[0]->dtype) == AGNI_KIND_COMPLEX;
    const agn_tensor *a = agni_shift_axis(s, r->x[0], d, !back);
    const agn_tensor *l = apply_recurrence(s, &(agni_attr){.ni = 2, .i = at},
                                           z ? agni_apply_unary(s, &agni_op_conj, a) : a, g[0]);
    if (want[0]) {
        const agn_tensor *y = agni_shift_axis(s, r->y[0], d, back);
        gx[0] = agni_apply_binary(s, &agni_op_mul, l,
                                  z ? agni_apply_unary(s, &agni_op_conj, y) : y);
    }
    if (want[1])
        gx[1] = l;
}

static agni_slots slots;
const agni_op agni_op_recurrence = {.name = "recurrence",
                                    .takes = "a b axis:a reverse:b",
                                    .cls = AGNI_SOLVE,
                                    .nin = 2,
                                    .nout = 1,
                                    .dtypes = AGNI_NUMBERS,
                                    .diff = 3,
                                    .promote = 3,
                                    .result = AGNI_OUT_SAME,
                                    .ew = -1,
                                    .infer = infer_recurrence,
                                    .cpu = cpu_recurrence,
                                    .contiguous = true,
                                    .jvp = jvp_recurrence,
                                    .vjp = vjp_recurrence,
                                    .batch = agni_batch_all,
                                    .slots = &slots,
                                    .lo = -2,
                                    .hi = 2,
                                    .lo2 = -2,
                                    .hi2 = 2,
                                    .doc = "y_k = a_k y_(k-1) + b_k"};

agn_status agn_recurrence(agn_tensor **out, const agn_tensor *a, const agn_tensor *b,
                          int32_t axis, int32_t flags)
{
    AGNI_NEED("recurrence", out);
    AGNI_NEED("recurrence", a);
    AGNI_NEED("recurrence", b);
    agni_meta m = {.ndim = 0};
    if (!agni_broadcast_into(&m, a->ndim, a->shape) || !agni_broadcast_into(&m, b->ndim, b->shape))
        return agni_fail(AGN_ESHAPE, "recurrence: shapes do not broadcast: a is %s, b is %s",
                         AGNI_SHAPE(a), AGNI_SHAPE(b));
    int d;
    agn_status st = agni_axis("recurrence", axis, m.ndim, &d);
    if (st)
        return st;
    if (flags & ~AGN_SCAN_REVERSE)
        return agni_fail(AGN_EARG, "recurrence: flags %d are none of %d", flags, AGN_SCAN_REVERSE);
    int64_t at[2] = {d - m.ndim, flags & AGN_SCAN_REVERSE};
    agn_scope *s = agn_scope_open(NULL);
    agn_scope_return(
        s, out,
        apply_recurrence(s, &(agni_attr){.ni = 2, .i = at},
                         agni_bools_to_ints(s, agni_broadcast(s, a, m.ndim, m.shape)),
                         agni_bools_to_ints(s, agni_broadcast(s, b, m.ndim, m.shape))));
    return agni_rename_error("recurrence", agn_scope_close(s));
}

/* the recurrence with b = (x_0, 0, 0, ...) */
agn_status agn_cumprod(agn_tensor **out, const agn_tensor *x, int32_t axis, int32_t flags)
{
    int d;
    AGNI_NEED("cumprod", out);
    agn_status st = agni_normalise_axis("cumprod", x, axis, &d);
    if (st)
        return st;
    if (flags & ~(AGN_SCAN_REVERSE | AGN_SCAN_EXCLUSIVE))
        return agni_fail(AGN_EARG, "cumprod: flags %d are none of %d", flags,
                         AGN_SCAN_REVERSE | AGN_SCAN_EXCLUSIVE);
    bool back = flags & AGN_SCAN_REVERSE;
    int64_t n = x->shape[d], at[2] = {d - x->ndim, back};
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *a = agni_bools_to_ints(s, x), *b = a;
    if (a && a->size && n) {
        const agn_tensor *first = agni_slice_axis(s, a, d, back ? n - 1 : 0, 1);
        int64_t shape[AGNI_MAX_RANK];
        if (flags & AGN_SCAN_EXCLUSIVE) {
            first = agni_full_like(s, 1, first);
            a = agni_shift_axis(s, a, d, back);
        }
        memcpy(shape, x->shape, (size_t)x->ndim * sizeof *shape);
        shape[d] = n - 1;
        const agn_tensor *none = first ? agni_full(s, 0, first->dtype, x->ndim, shape) : NULL;
        b = none ? agni_apply_in(s, &agni_op_concat, &(agni_attr){.ni = 1, .i = at}, 2,
                                 (const agn_tensor *[]){back ? none : first, back ? first : none})
                 : NULL;
    }
    agn_scope_return(s, out, apply_recurrence(s, &(agni_attr){.ni = 2, .i = at}, a, b));
    return agni_rename_error("cumprod", agn_scope_close(s));
}
