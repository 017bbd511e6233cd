/* fft/signal/stft_op.c - ops of the short-time Fourier transform (Griffin & Lim 1984): a view of
   frames, times a window, through one batched plan. Transform and adjoint are an op of signals and
   windows each, the one the adjoint of the other in the signal: of real signals with one side of
   the spectrum, and of complex ones with both. */
#include "fft/fft.h"
#include "fft/signal/signal.h"
#include "tensor/dispatch/shape_attributes.h"

#include <agnesi/ag.h>

/* the window, and steps of it that fit */
static agn_status check_frames(const agni_call *c, int64_t hop)
{
    const agn_tensor *x = c->in[0], *w = c->in[1];
    if (w->ndim != 1 || w->size < 1 || w->size > INT32_MAX || hop < 1)
        return agni_fail(
            AGN_ESHAPE,
            "%s: a window %s in steps of %lld; it is [n] of 1 to 2^31 - 1, steps are positive",
            c->op->name, AGNI_SHAPE(w), (long long)hop);
    if (agni_dtypes[x->dtype].real != w->dtype)
        return agni_fail(AGN_EDTYPE, "%s: x is %s, the window %s; they are of one precision",
                         c->op->name, agni_dtypes[x->dtype].name, agni_dtypes[w->dtype].name);
    return AGN_OK;
}

static bool is_stft(const agni_op *op)
{
    return op == &agni_op_signal_stft || op == &agni_op_signal_stft_both;
}
/* of the exponent of a transform of both sides; 0: of real signals */
static int sign_of(const agni_op *op, const agni_attr *a)
{
    return op == &agni_op_signal_stft_both           ? (int)a->i[1]
           : op == &agni_op_signal_stft_both_adjoint ? (int)a->i[2]
                                                     : 0;
}
static double pairs_of(const agni_op *op, const agni_attr *a)
{
    return sign_of(op, a) ? 1 : a->f[1];
}

static agn_status check_sign(const agni_call *c, int64_t sign)
{
    return sign == 1 || sign == -1 ? AGN_OK
                                   : agni_fail(AGN_EARG, "%s: sign %lld is neither 1 nor -1",
                                               c->op->name, (long long)sign);
}

static agn_status infer_forwards(agni_call *c, bool both)
{
    const agn_tensor *x = c->in[0], *w = c->in[1];
    int64_t hop = c->at->i[0], shape[AGNI_MAX_RANK + 1], size;
    agn_status st = check_frames(c, hop);
    if (!st && both)
        st = check_sign(c, c->at->i[1]);
    if (!st && (!x->ndim || x->ndim == AGNI_MAX_RANK || x->shape[x->ndim - 1] < w->size))
        st = agni_fail(AGN_ESHAPE, "%s: frames of %lld do not fit the last axis of %s", c->op->name,
                       (long long)w->size, AGNI_SHAPE(x));
    if (st)
        return st;
    memcpy(shape, x->shape, (size_t)x->ndim * sizeof *shape);
    shape[x->ndim - 1] = (x->shape[x->ndim - 1] - w->size) / hop + 1;
    shape[x->ndim] = both ? w->size : w->size / 2 + 1;
    st = agni_shape_check(c->op->name, x->ndim + 1, shape, &size);
    if (!st)
        agni_set_meta(c->meta, w->dtype == AGN_F32 ? AGN_C64 : AGN_C128, x->ndim + 1, shape);
    return st;
}
static agn_status infer_stft(agni_call *c)
{
    return infer_forwards(c, false);
}
static agn_status infer_stft_both(agni_call *c)
{
    return infer_forwards(c, true);
}

static agn_status infer_backwards(agni_call *c, bool both)
{
    const agn_tensor *g = c->in[0], *w = c->in[1];
    int64_t n = c->at->i[0], hop = c->at->i[1], shape[AGNI_MAX_RANK], size, last, end;
    agn_status st = check_frames(c, hop);
    if (!st && both)
        st = check_sign(c, c->at->i[2]);
    if (st)
        return st;
    int64_t frames = g->ndim < 2 ? 0 : g->shape[g->ndim - 2],
            bins = both ? w->size : w->size / 2 + 1;
    bool fits = g->ndim >= 2 && g->shape[g->ndim - 1] == bins &&
                (!frames || (agni_checked_mul(frames - 1, hop, &last) &&
                             agni_checked_add(last, w->size, &end) && end <= n));
    if (!fits || n < 0)
        return agni_fail(
            AGN_ESHAPE,
            "%s: %s in steps of %lld to %lld samples; there are %lld bins, and the frames "
            "fit",
            c->op->name, AGNI_SHAPE(g), (long long)hop, (long long)n, (long long)bins);
    memcpy(shape, g->shape, (size_t)(g->ndim - 2) * sizeof *shape);
    shape[g->ndim - 2] = n;
    st = agni_shape_check(c->op->name, g->ndim - 1, shape, &size);
    if (!st)
        agni_set_meta(c->meta, both ? g->dtype : w->dtype, g->ndim - 1, shape);
    return st;
}
static agn_status infer_stft_adjoint(agni_call *c)
{
    return infer_backwards(c, false);
}
static agn_status infer_stft_both_adjoint(agni_call *c)
{
    return infer_backwards(c, true);
}

static const agn_tensor *turn_frames(agn_scope *s, const agn_tensor *x, int sign, double scale)
{
    agni_attr at = {.ni = 2, .i = (int64_t[]){-1, sign}, .nf = 1, .f = &scale};
    return x ? agni_apply_in(s, &agni_op_fft_c2c, &at, 1, &x) : NULL;
}
/* what an inverse transform makes of g, frame by frame */
static const agn_tensor *frames_of_bins(agn_scope *s, const agn_tensor *g, int64_t length, int sign,
                                        double scale, double pairs)
{
    if (sign)
        return turn_frames(s, g, sign, scale);
    agni_attr at = {.ni = 2, .i = (int64_t[]){-1, length}, .nf = 2, .f = (double[]){scale, pairs}};
    return g ? agni_apply_in(s, &agni_op_fft_c2r, &at, 1, &g) : NULL;
}

/* the ops as compositions, for other devices and windows of lanes: w goes with frames */
static const agn_tensor *compose(agn_scope *s, const agni_op *op, const agni_attr *a,
                                 const agn_tensor *x, const agn_tensor *w)
{
    int64_t length = w ? w->shape[w->ndim - 1] : 1;
    int sign = sign_of(op, a);
    if (!is_stft(op))
        return agni_signal_overlap_add(
            s, ag_mul(s, frames_of_bins(s, x, length, sign, a->f[0], pairs_of(op, a)), w), a->i[0],
            a->i[1]);
    const agn_tensor *y = ag_mul(s, agni_signal_frames(s, x, length, a->i[0]), w);
    agni_attr at = {.ni = 1, .i = (int64_t[]){-1}, .nf = 2, .f = a->f};
    return sign ? turn_frames(s, y, sign, a->f[0])
           : y  ? agni_apply_in(s, &agni_op_fft_r2c, &at, 1, &y)
                : NULL;
}
static agn_status eval_short_time(const agni_call *c, agn_tensor **out)
{
    agn_scope *s = agn_scope_open(NULL);
    return agni_return(c->op->name, s, out, compose(s, c->op, c->at, c->in[0], c->in[1]));
}

const agn_tensor *agni_signal_apply_stft(agn_scope *s, const agn_tensor *x, const agn_tensor *w,
                                         int64_t hop, int sign, double scale, double pairs)
{
    agni_attr at = {.ni = sign ? 2 : 1,
                    .i = (int64_t[]){hop, sign},
                    .nf = sign ? 1 : 2,
                    .f = (double[]){scale, pairs}};
    const agni_op *op = sign ? &agni_op_signal_stft_both : &agni_op_signal_stft;
    return x && w ? agni_apply_in(s, op, &at, 2, (const agn_tensor *[]){x, w}) : NULL;
}
const agn_tensor *agni_signal_apply_stft_adjoint(agn_scope *s, const agn_tensor *g,
                                                 const agn_tensor *w, int64_t n, int64_t hop,
                                                 int sign, double scale, double pairs)
{
    agni_attr at = {.ni = sign ? 3 : 2,
                    .i = (int64_t[]){n, hop, sign},
                    .nf = sign ? 1 : 2,
                    .f = (double[]){scale, pairs}};
    const agni_op *op = sign ? &agni_op_signal_stft_both_adjoint : &agni_op_signal_stft_adjoint;
    return g && w ? agni_apply_in(s, op, &at, 2, (const agn_tensor *[]){g, w}) : NULL;
}

/* the cotangent of a window: frames of samples times those of bins, added up */
static const agn_tensor *window_cotangent(agn_scope *s, const agn_tensor *x, const agn_tensor *g,
                                          int64_t length, int64_t hop, int sign, double scale,
                                          double pairs)
{
    const agn_tensor *y = frames_of_bins(s, g, length, sign, scale, pairs);
    int64_t frames = y ? y->shape[y->ndim - 2] : 0, shape[2] = {1, length};
    if (y && !frames)
        return agni_full(s, 0, agni_dtypes[y->dtype].real, 1, &length);
    x = y ? agni_signal_part(s, x, 0, (frames - 1) * hop + length) : NULL;
    x = agni_signal_frames(s, x, length, hop);
    y = ag_mul(s, sign ? ag_conj(s, x) : x, y);
    for (int d = 0; y && d < y->ndim - 1; d++)
        shape[0] *= y->shape[d];
    y = ag_sum(s, y ? agni_reshape(s, y, 2, shape) : NULL, (int32_t[]){0}, 1, false);
    return sign ? ag_real(s, y) : y;
}

static const agn_tensor *transpose_short_time(agn_scope *s, const agni_rule *r, int i,
                                              const agn_tensor *g)
{
    const agn_tensor *x = r->x[0], *w = r->x[1];
    double scale = r->at->f[0], pairs = pairs_of(r->op, r->at);
    int sign = -sign_of(r->op, r->at);
    if (is_stft(r->op)) {
        int64_t hop = r->at->i[0];
        return i ? window_cotangent(s, x, g, w->size, hop, sign, scale, pairs / 2)
                 : agni_signal_apply_stft_adjoint(s, g, w, x->shape[x->ndim - 1], hop, sign, scale,
                                                  pairs / 2);
    }
    int64_t hop = r->at->i[1], frames = x->shape[x->ndim - 2];
    if (i)
        return window_cotangent(s, g, x, w->size, hop, -sign, scale, pairs);
    if (!frames)
        return agni_zeros_like(s, x);
    g = agni_signal_part(s, g, 0, (frames - 1) * hop + w->size);
    return agni_signal_apply_stft(s, g, w, hop, sign, scale, 2 * pairs);
}

static void batch_short_time(agn_scope *s, const agni_rule *r, int64_t lanes,
                             const agn_tensor *const *in, const bool *batched,
                             const agn_tensor **out, bool *bout)
{
    const agn_tensor *w = in[1];
    bool adjoint = !is_stft(r->op);
    bout[0] = true;
    if (!batched[1]) {
        agni_apply_many_in(s, r->op, r->at, 2, in, 1, out);
        return;
    }
    /* a window of each lane: [lanes, 1, ..., length], beside frames */
    int ndim = r->x[0]->ndim + (adjoint ? 1 : 2);
    int64_t shape[AGNI_MAX_RANK + 2] = {lanes};
    for (int d = 1; d < ndim - 1; d++)
        shape[d] = 1;
    shape[ndim - 1] = w->shape[1];
    w = ndim <= AGNI_MAX_RANK ? agni_reshape(s, w, ndim, shape) : NULL;
    if (ndim > AGNI_MAX_RANK)
        agn_scope_fail(s, agni_fail(AGN_ESHAPE, "%s: x %s has no room for lanes of windows",
                                    r->op->name, AGNI_SHAPE(r->x[0])));
    if (w)
        out[0] = compose(s, r->op, r->at, in[0], w);
}

static agni_slots slots[4];
#define SHORT_TIME(name_, takes_, dt, k) \
    .name = "signal_" #name_, .takes = takes_, .cls = AGNI_MULTI, .nin = 2, .nout = 1, \
    .dtypes = dt, .diff = 3, .promote = 1, .ew = -1, .contiguous = true, .infer = infer_##name_, \
    .eval = eval_short_time, .cpu = agni_cpu_##name_, .transpose = transpose_short_time, \
    .batch = batch_short_time, .slots = &slots[k], .lo = -2, .hi = 2, .lo2 = -2, .hi2 = 2
const agni_op agni_op_signal_stft = {
    SHORT_TIME(stft, "x window hop:i scale:r pairs:r", AGNI_FLOATS, 0),
    .doc = "transform of windowed frames"};
const agni_op agni_op_signal_stft_adjoint = {
    SHORT_TIME(stft_adjoint, "x window samples:i hop:i scale:r pairs:r", AGNI_COMPLEXES, 1),
    .traits = AGNI_ZERO_LOST, /* it adds to 0 */
    .doc = "sum of windowed frames of transforms"};

const agni_op agni_op_signal_stft_both = {
    SHORT_TIME(stft_both, "x window hop:i sign:i scale:r", AGNI_COMPLEXES, 2),
    .doc = "transform of windowed frames of a complex signal"};
const agni_op agni_op_signal_stft_both_adjoint = {
    SHORT_TIME(stft_both_adjoint, "x window samples:i hop:i sign:i scale:r", AGNI_COMPLEXES, 3),
    .traits = AGNI_ZERO_LOST, /* it adds to 0 */
    .doc = "sum of windowed frames of transforms, complex"};
