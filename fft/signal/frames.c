/* fft/signal/frames.c - overlapping frames as a view, and their overlap-add: each the adjoint of
   the other (Allen & Rabiner 1977). */
#include "fft/signal/signal.h"
#include "tensor/dispatch/shape_attributes.h"

#include <agnesi/ag.h>
#include <string.h>

static agn_status infer_frame(agni_call *c)
{
    const agn_tensor *x = c->in[0];
    int64_t length = c->at->i[0], hop = c->at->i[1], shape[AGNI_MAX_RANK + 1], size;
    if (!x->ndim || x->ndim == AGNI_MAX_RANK || length < 1 || hop < 1 ||
        length > x->shape[x->ndim - 1])
        return agni_fail(AGN_ESHAPE,
                         "signal_frame: frames of %lld at steps of %lld do not fit the last "
                         "axis of %s",
                         (long long)length, (long long)hop, AGNI_SHAPE(x));
    memcpy(shape, x->shape, (size_t)x->ndim * sizeof *shape);
    shape[x->ndim - 1] = (x->shape[x->ndim - 1] - length) / hop + 1;
    shape[x->ndim] = length;
    agn_status st = agni_shape_check("signal_frame", x->ndim + 1, shape, &size);
    if (!st)
        agni_set_meta(c->meta, x->dtype, x->ndim + 1, shape);
    return st;
}

static agn_status view_frame(const agni_call *c, agn_tensor **out)
{
    const agn_tensor *x = c->in[0];
    int64_t stride[AGNI_MAX_RANK];
    memcpy(stride, x->stride, (size_t)x->ndim * sizeof *stride);
    stride[x->ndim] = stride[x->ndim - 1];
    stride[x->ndim - 1] *= c->at->i[1];
    return agni_tensor_view(out, x, c->meta->ndim, c->meta->shape, stride, 0);
}

const agn_tensor *agni_frame_transpose(agn_scope *s, const agni_rule *r, int i, const agn_tensor *g)
{
    const agn_tensor *x = r->x[0];
    (void)i;
    return agni_signal_overlap_add(s, g, x->shape[x->ndim - 1], r->at->i[1]);
}

static agn_status infer_overlap_add(agni_call *c)
{
    const agn_tensor *g = c->in[0];
    int64_t n = c->at->i[0], hop = c->at->i[1], shape[AGNI_MAX_RANK], size;
    if (g->ndim < 2 || hop < 1 || n < 0)
        return agni_fail(AGN_ESHAPE,
                         "signal_overlap_add: %s in steps of %lld to %lld samples; frames "
                         "[..., frames, length] and positive steps are needed",
                         AGNI_SHAPE(g), (long long)hop, (long long)n);
    int64_t frames = g->shape[g->ndim - 2], length = g->shape[g->ndim - 1], last, end;
    bool fits = frames == 0 || (agni_checked_mul(frames - 1, hop, &last) &&
                                agni_checked_add(last, length, &end) && end <= n);
    if (!fits)
        return agni_fail(AGN_ESHAPE,
                         "signal_overlap_add: frames %s in steps of %lld reach beyond %lld "
                         "samples",
                         AGNI_SHAPE(g), (long long)hop, (long long)n);
    memcpy(shape, g->shape, (size_t)(g->ndim - 2) * sizeof *shape);
    shape[g->ndim - 2] = n;
    agn_status st = agni_shape_check("signal_overlap_add", g->ndim - 1, shape, &size);
    if (!st)
        agni_set_meta(c->meta, g->dtype, g->ndim - 1, shape);
    return st;
}

typedef struct overlap_job {
    const agn_array *g, *y;
    int64_t frames, length, n, hop;
} overlap_job;

#define ADD(T, s) \
    static void add_##s(const void *gv, void *yv, const overlap_job *q, int64_t step, int64_t each) \
    { \
        const T *g = gv; \
        T *y = yv; \
        for (int64_t i = 0; i < q->n; i++) \
            y[i] = 0; \
        for (int64_t f = 0; f < q->frames; f++) { \
            const T *from = g + f * step; \
            T *to = y + f * q->hop; \
            if (each == 1) \
                for (int64_t i = 0; i < q->length; i++) \
                    to[i] += from[i]; \
            else \
                for (int64_t i = 0; i < q->length; i++) \
                    to[i] += from[i * each]; \
        } \
    }
ADD(uint32_t, i32)
ADD(uint64_t, i64)
ADD(float, f32)
ADD(double, f64)
ADD(float _Complex, c64)
ADD(double _Complex, c128)

/* row r of the batch; the frames have any strides */
static void add_row(void *user, int64_t r, int worker)
{
    static void (*const by_dtype[AGN_NDTYPES])(const void *, void *, const overlap_job *, int64_t,
                                               int64_t) = {
        [AGN_I32] = add_i32, [AGN_I64] = add_i64, [AGN_F32] = add_f32,
        [AGN_F64] = add_f64, [AGN_C64] = add_c64, [AGN_C128] = add_c128};
    const overlap_job *q = user;
    const agn_array *g = q->g;
    (void)worker;
    int64_t bytes = agni_dtypes[g->dtype].bytes, at = 0, left = r;
    for (int d = g->ndim - 3; d >= 0; d--) {
        at += left % g->shape[d] * g->stride[d];
        left /= g->shape[d];
    }
    by_dtype[g->dtype]((const char *)g->data + at * bytes, (char *)q->y->data + r * q->n * bytes, q,
                       g->stride[g->ndim - 2], g->stride[g->ndim - 1]);
}

static agn_status cpu_overlap_add(const agn_kernel_call *c)
{
    const agn_array *g = c->in, *y = c->out;
    overlap_job q = {g, y, g->shape[g->ndim - 2], g->shape[g->ndim - 1], c->ints[0], c->ints[1]};
    int64_t rows = 1;
    for (int d = 0; d < g->ndim - 2; d++)
        rows *= g->shape[d];
    if (q.n)
        agni_parallel_for(rows, add_row, &q);
    return AGN_OK;
}

const agn_tensor *agni_overlap_add_transpose(agn_scope *s, const agni_rule *r, int i,
                                             const agn_tensor *g)
{
    const agn_tensor *x = r->x[0];
    int64_t frames = x->shape[x->ndim - 2], length = x->shape[x->ndim - 1], hop = r->at->i[1];
    (void)i;
    if (!frames || !length)
        return agni_zeros_like(s, x);
    return agni_signal_frames(s, agni_signal_part(s, g, 0, (frames - 1) * hop + length), length,
                              hop);
}

static agni_slots slots[2];
#define FRAMES(name_, takes_, k) \
    .name = "signal_" #name_, .takes = takes_, .cls = AGNI_LINEAR, .nin = 1, .nout = 1, \
    .dtypes = AGNI_NUMBERS, .diff = 1, .promote = 1, .result = AGNI_OUT_SAME, .ew = -1, .bounded = 1, \
    .infer = infer_##name_, .transpose = agni_##name_##_transpose, .batch = agni_batch_front, \
    .zeros = AGNI_ZEROS_PLACED, .slots = &slots[k], .lo = -3, .hi = 3
const agni_op agni_op_signal_frame = {FRAMES(frame, "x length:i hop:i", 0), .view = view_frame,
                                      .doc = "overlapping frames of the last axis"};
const agni_op agni_op_signal_overlap_add = {FRAMES(overlap_add, "x samples:i hop:i", 1),
                                            .cpu = cpu_overlap_add,
                                            .doc = "sum of overlapping frames"};

/* ---- within a scope ------------------------------------------------------------------------- */

const agn_tensor *agni_signal_frames(agn_scope *s, const agn_tensor *x, int64_t length, int64_t hop)
{
    int64_t i[] = {length, hop};
    return x ? agni_apply_in(s, &agni_op_signal_frame, &(agni_attr){.ni = 2, .i = i}, 1, &x) : NULL;
}

const agn_tensor *agni_signal_overlap_add(agn_scope *s, const agn_tensor *g, int64_t n, int64_t hop)
{
    int64_t i[] = {n, hop};
    return g ? agni_apply_in(s, &agni_op_signal_overlap_add, &(agni_attr){.ni = 2, .i = i}, 1, &g)
             : NULL;
}

const agn_tensor *agni_signal_part(agn_scope *s, const agn_tensor *x, int64_t from, int64_t count)
{
    int64_t start[AGNI_MAX_RANK] = {0}, stop[AGNI_MAX_RANK], step[AGNI_MAX_RANK];
    if (!x || (from == 0 && count == x->shape[x->ndim - 1]))
        return x;
    for (int d = 0; d < x->ndim; d++) {
        stop[d] = x->shape[d];
        step[d] = 1;
    }
    start[x->ndim - 1] = from;
    stop[x->ndim - 1] = from + count;
    return ag_slice(s, x, x->ndim, start, stop, step);
}

const agn_tensor *agni_signal_zeros(agn_scope *s, const agn_tensor *x, int64_t front,
                                    int64_t behind)
{
    int64_t lo[AGNI_MAX_RANK] = {0}, hi[AGNI_MAX_RANK] = {0};
    if (!x || (!front && !behind))
        return x;
    lo[x->ndim - 1] = front;
    hi[x->ndim - 1] = behind;
    return ag_pad(s, x, x->ndim, lo, hi, 0);
}

/* the end of x mirrored: count elements up to the one at last, which is not among them */
static const agn_tensor *mirrored_part(agn_scope *s, const agn_tensor *x, int64_t from,
                                       int64_t count)
{
    return ag_flip(s, agni_signal_part(s, x, from, count), (int32_t[]){-1}, 1);
}

const agn_tensor *agni_signal_pad(agn_scope *s, const agn_tensor *x, int64_t front, int64_t behind,
                                  int32_t kind)
{
    if (!x || (!front && !behind))
        return x;
    int64_t n = x->shape[x->ndim - 1], lo[AGNI_MAX_RANK] = {0}, hi[AGNI_MAX_RANK] = {0};
    if (kind == AGN_SIGNAL_ZERO)
        return agni_signal_zeros(s, x, front, behind);
    if (kind == AGN_SIGNAL_REFLECT && front < n && behind < n && front && behind) {
        const agn_tensor *part[] = {mirrored_part(s, x, 1, front), x,
                                    mirrored_part(s, x, n - 1 - behind, behind)};
        return agn_scope_status(s) ? NULL : ag_concat(s, part, 3, -1);
    }
    if (kind == AGN_SIGNAL_WRAP && front <= n && behind <= n && front && behind) {
        const agn_tensor *part[] = {agni_signal_part(s, x, n - front, front), x,
                                    agni_signal_part(s, x, 0, behind)};
        return agn_scope_status(s) ? NULL : ag_concat(s, part, 3, -1);
    }
    lo[x->ndim - 1] = front;
    hi[x->ndim - 1] = behind;
    return ag_pad_with(s, x, x->ndim, lo, hi,
                       kind == AGN_SIGNAL_REFLECT ? AGN_PAD_REFLECT
                       : kind == AGN_SIGNAL_EDGE  ? AGN_PAD_EDGE
                                                  : AGN_PAD_WRAP);
}

int agni_signal_dtype(int dtype)
{
    if (agni_kind(dtype) == AGNI_KIND_COMPLEX)
        return dtype;
    return dtype == AGN_F16 || dtype == AGN_BF16 || dtype == AGN_F32 ? AGN_F32 : AGN_F64;
}

agn_status agni_signal_check(const char *op, agn_tensor *const *out, const agn_tensor *x)
{
    if (!out || !x)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, out ? "x" : "out");
    if (!x->ndim || !x->shape[x->ndim - 1])
        return agni_fail(AGN_ESHAPE, "%s: x is %s; its last axis holds at least one sample", op,
                         AGNI_SHAPE(x));
    return AGN_OK;
}

/* ---- public functions ----------------------------------------------------------------------- */

agn_status agn_signal_frame(agn_tensor **out, const agn_tensor *x, int64_t length, int64_t hop)
{
    agn_status st = agni_signal_check("signal_frame", out, x);
    return st ? st : agni_apply1(&agni_op_signal_frame,
                                 &(agni_attr){.ni = 2, .i = (int64_t[]){length, hop}}, 1, &x, out);
}

agn_status agn_signal_overlap_add(agn_tensor **out, const agn_tensor *x, int64_t hop)
{
    if (!out || !x)
        return agni_fail(AGN_ENULL, "signal_overlap_add: %s is NULL", out ? "x" : "out");
    int64_t frames = x->ndim < 2 ? 0 : x->shape[x->ndim - 2], n = 0;
    if (frames && (hop < 1 || !agni_checked_mul(frames - 1, hop, &n) ||
                   !agni_checked_add(n, x->shape[x->ndim - 1], &n)))
        return agni_fail(AGN_ESHAPE,
                         "signal_overlap_add: %s in steps of %lld; steps are positive, and "
                         "samples fewer than 2^63",
                         AGNI_SHAPE(x), (long long)hop);
    return agni_apply1(&agni_op_signal_overlap_add, &(agni_attr){.ni = 2, .i = (int64_t[]){n, hop}},
                       1, &x, out);
}
