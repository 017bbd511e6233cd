/* tensor/conv/conv.c - convolution of any rank: one op with three parts, which computes image,
   filter or result from the other two. It is closed under transposition: the rule applies
   another part. */
#include "tensor/conv/conv.h"
#include "tensor/dispatch/op_helpers.h"
#include "tensor/rows/traits.h"

#include <string.h>

enum { PER_AXIS = 4 }; /* integers for each axis, behind the two that come first */

/* the operands of a part */
static const int given[AGNI_PARTS][2] = {[AGNI_IMAGE] = {AGNI_FILTER, AGNI_RESULT},
                                         [AGNI_FILTER] = {AGNI_IMAGE, AGNI_RESULT},
                                         [AGNI_RESULT] = {AGNI_IMAGE, AGNI_FILTER}};
static const char *const words[AGNI_PARTS] = {"image", "filter", "result"};

static int count_axes(const agni_attr *at)
{
    return (at->ni - 2) / PER_AXIS;
}
/* 0: size of the part, 1: stride, 2: zeros before, 3: dilation */
static int64_t axis_attribute(const agni_attr *at, int k, int what)
{
    return at->i[2 + PER_AXIS * k + what];
}

enum { MOST = 1 << 30 }; /* of strides and the like: sums and products stay in range */

static agn_status check_numbers(const agni_attr *at)
{
    if (at->i[0] < 0 || at->i[0] >= AGNI_PARTS)
        return agni_fail(AGN_EARG, "conv: there is no part %lld; there are 0 to %d",
                         (long long)at->i[0], AGNI_PARTS - 1);
    if (count_axes(at) < 1)
        return agni_fail(AGN_EARG, "conv: part %lld of 0 axes: at least 1 must slide",
                         (long long)at->i[0]);
    if (at->i[1] < 1 || at->i[1] > MOST)
        return agni_fail(AGN_EARG, "conv: groups is %lld; it must be from 1 to %d",
                         (long long)at->i[1], MOST);
    for (int k = 0; k < count_axes(at); k++) {
        int64_t step = axis_attribute(at, k, 1), before = axis_attribute(at, k, 2),
                wide = axis_attribute(at, k, 3);
        if (step < 1 || step > MOST || wide < 1 || wide > MOST)
            return agni_fail(AGN_EARG,
                             "conv: along axis %d of %d stride is %lld and dilation %lld; "
                             "both must be from 1 to %d",
                             k, count_axes(at), (long long)step, (long long)wide, MOST);
        if (before < -MOST || before > MOST)
            return agni_fail(AGN_EARG,
                             "conv: along axis %d of %d there are %lld zeros before, "
                             "beyond %d",
                             k, count_axes(at), (long long)before, MOST);
    }
    return AGN_OK;
}

/* channels of image and result as told by the shapes given */
static agn_status match_channels(const agni_call *c, const agn_tensor *const *x, int d,
                                 int64_t *image, int64_t *result)
{
    const agn_tensor *a = c->in[0], *b = c->in[1];
    const int64_t groups = c->at->i[1];
    const agn_tensor *filter = x[AGNI_FILTER];
    *image = x[AGNI_IMAGE] ? x[AGNI_IMAGE]->shape[x[AGNI_IMAGE]->ndim - d - 1] : -1;
    *result = x[AGNI_RESULT] ? x[AGNI_RESULT]->shape[x[AGNI_RESULT]->ndim - d - 1] : -1;
    if (filter) {
        int64_t of_filter, made = filter->shape[filter->ndim - d - 2];
        if (!agni_checked_mul(filter->shape[filter->ndim - d - 1], groups, &of_filter) ||
            (*image >= 0 && *image != of_filter) || (*result >= 0 && *result != made))
            return agni_fail(
                AGN_ESHAPE,
                "conv: channels differ: %s is %s, %s is %s, groups are %lld",
                words[given[c->at->i[0]][0]], AGNI_SHAPE(a),
                words[given[c->at->i[0]][1]], AGNI_SHAPE(b), (long long)groups);
        *image = of_filter;
        *result = made;
    } else if (x[AGNI_IMAGE]->shape[x[AGNI_IMAGE]->ndim - d - 2] !=
               x[AGNI_RESULT]->shape[x[AGNI_RESULT]->ndim - d - 2]) {
        return agni_fail(AGN_ESHAPE, "conv: numbers of images differ: %s and %s",
                         AGNI_SHAPE(a), AGNI_SHAPE(b));
    }
    if (*image % groups || *result % groups)
        return agni_fail(AGN_ESHAPE,
                         "conv: %lld and %lld channels do not make %lld groups",
                         (long long)*image, (long long)*result, (long long)groups);
    return AGN_OK;
}

static agn_status infer_conv(agni_call *c)
{
    agn_status st = check_numbers(c->at);
    if (st)
        return st;
    const int d = count_axes(c->at), part = (int)c->at->i[0];
    const agn_tensor *a = c->in[0], *b = c->in[1], *x[AGNI_PARTS] = {0};
    x[given[part][0]] = a;
    x[given[part][1]] = b;
    if (a->ndim < d + 2 || b->ndim < d + 2)
        return agni_fail(
            AGN_ESHAPE,
            "conv: %d axes and two before them are meant: %s is %s, %s is %s", d,
            words[given[part][0]], AGNI_SHAPE(a), words[given[part][1]], AGNI_SHAPE(b));
    int64_t image, result, size;
    st = match_channels(c, x, d, &image, &result);
    if (st)
        return st;
    agni_meta *o = c->meta;
    o->dtype = a->dtype;
    o->ndim = a->ndim - d - 2;
    memcpy(o->shape, a->shape, (size_t)o->ndim * sizeof *o->shape);
    if (!agni_broadcast_into(o, b->ndim - d - 2, b->shape))
        return agni_fail(
            AGN_ESHAPE, "conv: batches do not broadcast: %s is %s, %s is %s",
            words[given[part][0]], AGNI_SHAPE(a), words[given[part][1]], AGNI_SHAPE(b));
    const agn_tensor *rows = x[part == AGNI_IMAGE ? AGNI_RESULT : AGNI_IMAGE];
    o->shape[o->ndim++] = part == AGNI_FILTER ? result
                                              : rows->shape[rows->ndim - d - 2];
    o->shape[o->ndim++] = part == AGNI_FILTER  ? image / c->at->i[1]
                          : part == AGNI_IMAGE ? image
                                               : result;
    for (int k = 0; k < d; k++) {
        if (axis_attribute(c->at, k, 0) < 0)
            return agni_fail(AGN_ESHAPE, "conv: size %lld along axis %d of %d",
                             (long long)axis_attribute(c->at, k, 0), k, d);
        o->shape[o->ndim++] = axis_attribute(c->at, k, 0);
    }
    return agni_shape_check("conv", o->ndim, o->shape, &size);
}

/* ---- running --------------------------------------------------------------------- */

/* do offsets of output positions and taps stay well within 64 bits? */
static bool offsets_fit(const agni_conv *g)
{
    for (int k = 0; k < g->d; k++) {
        int64_t far, wide, most = INT64_MAX / 4;
        if (!agni_checked_mul(g->l[k], g->stride[k], &far) || far > most || g->n[k] > most ||
            !agni_checked_mul(g->m[k], g->dilation[k], &wide) || wide > most)
            return false;
    }
    return true;
}

/* array number i of a batch of the shape of y, as an address in x */
static char *batch_element(const agni_conv *g, const agn_array *x, const agn_array *y, int64_t i,
                           int64_t bytes)
{
    int64_t at = 0, unit = 1, own = g->d + 2;
    for (int k = x->ndim - (int)own; k < x->ndim; k++)
        unit *= x->shape[k];
    for (int k = y->ndim - (int)own - 1; k >= 0; k--) {
        int e = k - (y->ndim - x->ndim);
        if (e >= 0) {
            at += x->shape[e] == 1 ? 0 : i % y->shape[k] * unit;
            unit *= x->shape[e];
        }
        i /= y->shape[k];
    }
    return (char *)x->data + at * bytes;
}

static int64_t count_batch(const agn_array *x, int d)
{
    int64_t n = 1;
    for (int k = 0; k < x->ndim - d - 2; k++)
        n *= x->shape[k];
    return n;
}

static agn_status convolve_one(const agni_conv *g, int dtype, char *const *p, size_t made)
{
    bool done = agni_conv_line(g, dtype, p);
    if (!done && (dtype == AGN_F32 || dtype == AGN_F64)) {
        agn_status st = agni_conv_gemm(g, dtype, p, &done);
        if (st)
            return st;
    }
    if (!done) {
        memset(p[g->part], 0, made);
        agni_conv_direct(g, dtype, p);
    }
    return AGN_OK;
}

static agn_status cpu_conv(const agn_kernel_call *c)
{
    const int part = (int)c->ints[0], d = (c->n_int - 2) / PER_AXIS;
    const int64_t bytes = agni_dtypes[c->out->dtype].bytes;
    const agn_array *x[AGNI_PARTS];
    x[given[part][0]] = c->in;
    x[given[part][1]] = c->in + 1;
    x[part] = c->out;
    agni_conv g = {.part = part,
                   .d = d,
                   .groups = c->ints[1],
                   .pixels = 1,
                   .taps = 1,
                   .places = 1};
    const agn_array *image = x[AGNI_IMAGE], *filter = x[AGNI_FILTER],
                    *result = x[AGNI_RESULT];
    g.images = image->shape[image->ndim - d - 2];
    g.in = filter->shape[filter->ndim - d - 1];
    g.out = filter->shape[filter->ndim - d - 2] / g.groups;
    for (int k = 0; k < d; k++) {
        const int64_t *i = c->ints + 2 + PER_AXIS * k;
        g.n[k] = image->shape[image->ndim - d + k];
        g.m[k] = filter->shape[filter->ndim - d + k];
        g.l[k] = result->shape[result->ndim - d + k];
        g.stride[k] = i[1];
        g.before[k] = i[2];
        g.dilation[k] = i[3];
        g.pixels *= g.n[k];
        g.taps *= g.m[k];
        g.places *= g.l[k];
    }
    int64_t batch = count_batch(c->out, d), made = bytes;
    for (int k = c->out->ndim - d - 2; k < c->out->ndim; k++)
        made *= c->out->shape[k];
    if (batch * g.images * g.in * g.out * g.pixels * g.taps * g.places == 0) {
        memset(c->out->data, 0, (size_t)(batch * made));
        return AGN_OK;
    }
    if (!offsets_fit(&g))
        return agni_fail(
            AGN_EUNSUPPORTED,
            "conv: strides or dilations reach beyond 64 bits for %lld places",
            (long long)g.places);
    /* one filter for all: the batch is more images */
    if (part != AGNI_FILTER && count_batch(filter, d) == 1 && count_batch(image, d) == batch &&
        count_batch(result, d) == batch) {
        g.images *= batch;
        made *= batch;
        batch = 1;
    }
    /* one image with a filter of its own each: the batch is more groups */
    if (g.images == 1 && count_batch(filter, d) == batch && count_batch(image, d) == batch &&
        count_batch(result, d) == batch) {
        g.groups *= batch;
        made *= batch;
        batch = 1;
    }
    agn_status st = AGN_OK;
    for (int64_t i = 0; !st && i < batch; i++) {
        char *p[AGNI_PARTS];
        for (int k = 0; k < AGNI_PARTS; k++)
            p[k] = batch_element(&g, x[k], c->out, i, bytes);
        st = convolve_one(&g, c->out->dtype, p, (size_t)made);
    }
    return st;
}

/* ---- derivative ------------------------------------------------------------------ */

static const agn_tensor *conv_transpose(agn_scope *s, const agni_rule *r, int i,
                                        const agn_tensor *g)
{
    const int d = count_axes(r->at), from = (int)r->at->i[0], to = given[from][i];
    const agn_tensor *other = r->x[!i], *x = r->x[i], *v[AGNI_PARTS] = {0};
    int64_t ints[2 + PER_AXIS * AGNI_MAX_RANK];
    memcpy(ints, r->at->i, (size_t)r->at->ni * sizeof *ints);
    ints[0] = to;
    for (int k = 0; k < d; k++)
        ints[2 + PER_AXIS * k] = x->shape[x->ndim - d + k];
    if (agni_kind(other->dtype) == AGNI_KIND_COMPLEX)
        other = agni_apply_in(s, &agni_op_conj, NULL, 1, &other);
    v[from] = g;
    v[given[from][!i]] = other;
    if (!g || !other)
        return NULL;
    const agni_attr at = {.ni = r->at->ni, .i = ints};
    const agn_tensor *y = agni_apply_in(s, &agni_op_conv, &at, 2,
                                        (const agn_tensor *[]){v[given[to][0]], v[given[to][1]]});
    return agni_unbroadcast(s, y, x);
}

static agni_slots slots_conv;
const agni_op agni_op_conv = {
    .name = "conv",
    .takes = "a b part:i groups:i (size:i stride:i before:i dilation:i)*",
    .cls = AGNI_MULTI,
    .nin = 2,
    .nout = 1,
    .dtypes = AGNI_NUMBERS,
    .diff = 3,
    .promote = 3,
    .result = AGNI_OUT_SAME,
    .ew = -1,
    .infer = infer_conv,
    .cpu = cpu_conv,
    .contiguous = true,
    .transpose = conv_transpose,
    .batch = agni_batch_aligned,
    .slots = &slots_conv,
    .traits = AGNI_ZERO_LOST,
    .lo = -2,
    .hi = 2,
    .lo2 = -2,
    .hi2 = 2,
    .zeros = AGNI_ZEROS_JOINED,
    .doc = "what two of image, filter and result of a convolution make of the third",
};

/* ---- the public functions -------------------------------------------------------- */

/* the options as the attributes of a part, whose size is yet to be told */
typedef struct conv_attributes {
    agn_conv_options o;
    int64_t ints[2 + PER_AXIS * AGNI_MAX_RANK];
} conv_attributes;

static int64_t option_or(const int64_t *v, int k, int64_t otherwise)
{
    return v ? v[k] : otherwise;
}

static agn_status read_options(conv_attributes *q, const char *op, agn_tensor *const *out,
                               const agn_tensor *x, const agn_tensor *w, int32_t axes,
                               const agn_conv_options *opts, int part)
{
    AGNI_NEED(op, out);
    AGNI_NEED(op, x);
    AGNI_NEED(op, w);
    q->o = (agn_conv_options){.size = sizeof q->o};
    if (agni_check_size(op, agn_conv_options, opts))
        return AGN_EARG;
    if (opts)
        q->o = *opts;
    if (axes < 1 || axes > x->ndim - 2 || axes > w->ndim - 2)
        return agni_fail(AGN_ESHAPE,
                         "%s: %d axes and two before them are meant: x is %s, w is %s",
                         op, axes, AGNI_SHAPE(x), AGNI_SHAPE(w));
    if (x->dtype == AGN_BOOL && w->dtype == AGN_BOOL)
        return agni_fail(AGN_EDTYPE, "%s: not defined for bool, for numbers: x is %s, w is %s", op,
                         AGNI_SHAPE(x), AGNI_SHAPE(w));
    q->ints[0] = part;
    q->ints[1] = q->o.groups ? q->o.groups : 1;
    for (int k = 0; k < axes; k++) {
        int64_t *i = q->ints + 2 + PER_AXIS * k;
        i[0] = 0;
        i[1] = option_or(q->o.stride, k, 1);
        i[2] = option_or(q->o.before, k, 0);
        i[3] = option_or(q->o.dilation, k, 1);
        int64_t after = option_or(q->o.after, k, 0), extra = option_or(q->o.extra, k, 0);
        if (after < -MOST || after > MOST || extra < 0 || extra > MOST)
            return agni_fail(AGN_EARG,
                             "%s: along axis %d of %d after is %lld and extra is %lld, "
                             "beyond %d",
                             op, k, axes, (long long)after, (long long)extra, MOST);
    }
    return agni_rename_error(op,
                             check_numbers(&(agni_attr){.ni = 2 + PER_AXIS * axes, .i = q->ints}));
}

/* what the taps span, or -1 where they are too far apart to count */
static int64_t filter_span(const agn_tensor *w, const conv_attributes *q, int axes, int k)
{
    int64_t m = w->shape[w->ndim - axes + k], wide;
    if (m == 0)
        return 0;
    return agni_checked_mul(m - 1, q->ints[2 + PER_AXIS * k + 3], &wide) ? wide + 1 : -1;
}

static agn_status fail_empty(const char *op, const agn_tensor *x, const agn_tensor *w, int k,
                             int axes)
{
    return agni_fail(AGN_ESHAPE,
                     "%s: nothing is left along axis %d of %d: x is %s, w is %s", op, k,
                     axes, AGNI_SHAPE(x), AGNI_SHAPE(w));
}

agn_status agn_conv(agn_tensor **out, const agn_tensor *x, const agn_tensor *w,
                    int32_t axes, const agn_conv_options *opts)
{
    conv_attributes q;
    agn_status st = read_options(&q, "conv", out, x, w, axes, opts, AGNI_RESULT);
    for (int k = 0; !st && k < axes; k++) {
        int64_t *i = q.ints + 2 + PER_AXIS * k, span = filter_span(w, &q, axes, k);
        int64_t room = x->shape[x->ndim - axes + k] + i[2] + option_or(q.o.after, k, i[2]) - span;
        if (span < 0 || room < 0)
            return fail_empty("conv", x, w, k, axes);
        i[0] = room / i[1] + 1;
    }
    return st ? st
              : agni_apply_public(out, &agni_op_conv,
                            &(agni_attr){.ni = 2 + PER_AXIS * axes, .i = q.ints}, 2,
                            (const agn_tensor *[]){x, w});
}

agn_status agn_conv_transpose(agn_tensor **out, const agn_tensor *x,
                              const agn_tensor *w, int32_t axes,
                              const agn_conv_options *opts)
{
    conv_attributes q;
    agn_status st = read_options(&q, "conv_transpose", out, x, w, axes, opts, AGNI_IMAGE);
    for (int k = 0; !st && k < axes; k++) {
        int64_t *i = q.ints + 2 + PER_AXIS * k, span = filter_span(w, &q, axes, k);
        int64_t l = x->shape[x->ndim - axes + k], far;
        if (span < 0 || !agni_checked_mul(l - (l > 0), i[1], &far))
            return fail_empty("conv_transpose", x, w, k, axes);
        i[0] = far + span - i[2] - option_or(q.o.after, k, i[2]) + option_or(q.o.extra, k, 0);
        if (i[0] < 0)
            return fail_empty("conv_transpose", x, w, k, axes);
    }
    if (st)
        return st;
    const agni_attr at = {.ni = 2 + PER_AXIS * axes, .i = q.ints};
    return agni_rename_error("conv_transpose", agni_apply_public(out, &agni_op_conv, &at, 2,
                                                                 (const agn_tensor *[]){w, x}));
}
