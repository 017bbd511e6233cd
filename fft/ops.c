/* fft/ops.c - records of the transforms, shape inference. */
#include "fft/fft.h"

#include <string.h>

/* ---- shapes ---------------------------------------------------------------------- */

/* the axis from the front; *n is its size in in[0] */
static int find_axis(const agni_call *c, int64_t *n)
{
    const agn_tensor *x = c->in[0];
    int axis = (int)c->at->i[0] + x->ndim;
    *n = x->shape[axis];
    return axis;
}

static agn_status check_length(const agni_call *c, int64_t n, int64_t axis)
{
    if (n < 1 || n > AGNI_FFT_MOST_POINTS)
        return agni_fail(AGN_EARG,
                         "%s: length %lld of axis %lld is not in 1 to 2^46",
                         c->op->name, (long long)n, (long long)axis);
    return AGN_OK;
}

/* the axes after the first, from integer k on: each once, none empty */
static agn_status check_more_axes(const agni_call *c, int k)
{
    const agn_tensor *x = c->in[0];
    agn_status st = AGN_OK;
    for (int i = k; !st && i < c->at->ni; i++) {
        int64_t a = c->at->i[i];
        st = check_length(c, x->shape[x->ndim + a], a);
        for (int j = k - 1; !st && j < i; j++)
            if (a == c->at->i[j < k ? 0 : j])
                st = agni_fail(AGN_EARG, "%s: axis %lld is given twice for %s", c->op->name,
                               (long long)a, AGNI_SHAPE(x));
    }
    return st;
}

static agn_status infer_resized(agni_call *c, int axis, int64_t n, int dtype)
{
    int64_t size;
    agn_status st = agni_infer_same(c);
    c->meta[0].shape[axis] = n;
    c->meta[0].dtype = dtype;
    return st ? st
              : agni_shape_check(c->op->name, c->meta[0].ndim, c->meta[0].shape, &size);
}

static agn_status infer_r2c(agni_call *c)
{
    int64_t n;
    int axis = find_axis(c, &n);
    agn_status st = check_length(c, n, c->at->i[0]);
    if (!st)
        st = check_more_axes(c, 1);
    return st ? st
              : infer_resized(c, axis, n / 2 + 1, c->in[0]->dtype == AGN_F32 ? AGN_C64 : AGN_C128);
}

static agn_status infer_c2r(agni_call *c)
{
    int64_t m;
    int axis = find_axis(c, &m);
    agn_status st = check_length(c, c->at->i[1], c->at->i[0]);
    if (!st)
        st = check_more_axes(c, 2);
    if (st)
        return st;
    if (c->at->i[1] / 2 + 1 != m)
        return agni_fail(AGN_ESHAPE, "%s: length %lld does not belong to %lld bins",
                         c->op->name, (long long)c->at->i[1], (long long)m);
    return infer_resized(c, axis, c->at->i[1], agni_dtypes[c->in[0]->dtype].real);
}

static agn_status infer_c2c(agni_call *c)
{
    int64_t n;
    find_axis(c, &n);
    agn_status st = check_length(c, n, c->at->i[0]);
    if (!st)
        st = check_more_axes(c, 2);
    if (!st && c->at->i[1] != 1 && c->at->i[1] != -1)
        st = agni_fail(AGN_EARG, "%s: sign %lld is neither 1 nor -1", c->op->name,
                       (long long)c->at->i[1]);
    return st ? st : agni_infer_same(c);
}

static agn_status infer_r2r(agni_call *c)
{
    int64_t n, kind = c->at->i[1];
    find_axis(c, &n);
    agn_status st = check_length(c, n, c->at->i[0]);
    if (!st)
        st = check_more_axes(c, 2);
    if (!st && (kind < 0 || kind > 7))
        st = agni_fail(AGN_EARG, "%s: kind %lld is not in 0 to 7", c->op->name, (long long)kind);
    for (int i = 0; !st && i < c->at->ni; i++) {
        if (i == 1)
            continue;
        n = c->in[0]->shape[c->in[0]->ndim + c->at->i[i]];
        if (n + agni_r2r_kinds[kind].longer < 1)
            st = agni_fail(AGN_EARG,
                           "%s: type 1 of the cosine transform needs 2 points, axis %lld of "
                           "%s has fewer",
                           c->op->name, (long long)c->at->i[i], AGNI_SHAPE(c->in[0]));
    }
    return st ? st : agni_infer_same(c);
}

/* ---- op records ------------------------------------------------------------------- */

static agni_slots slots[4];
#define TRANSFORM(name_, takes_, dt, k)                                           \
    .name = "fft_" #name_, .takes = takes_, .cls = AGNI_LINEAR, .nin = 1, .nout = 1, .dtypes = dt, \
    .diff = 1, .promote = 1, .ew = -1, .bounded = 1, .infer = infer_##name_,      \
    .cpu = agni_cpu_##name_, .transpose = agni_##name_##_transpose,               \
    .batch = agni_batch_front, .slots = &slots[k], .lo = -3, .hi = 3
const agni_op agni_op_fft_r2c = {TRANSFORM(r2c, "x axis:a more:a* scale:r pairs:r", AGNI_FLOATS, 0),
                                 .doc = "Fourier transform of real data"};
const agni_op agni_op_fft_c2r = {
    TRANSFORM(c2r, "x axis:a length:i more:a* scale:r pairs:r", AGNI_COMPLEXES, 1),
    .doc = "real data from its Fourier transform"};
const agni_op agni_op_fft_c2c = {
    TRANSFORM(c2c, "x axis:a sign:i more:a* scale:r", AGNI_COMPLEXES, 2),
    .doc = "Fourier transform of complex data"};
const agni_op agni_op_fft_r2r = {
    TRANSFORM(r2r, "x axis:a kind:i more:a* scale:r before:r after:r", AGNI_FLOATS, 3),
    .doc = "cosine or sine transform of real data"};
