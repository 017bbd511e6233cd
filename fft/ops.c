/* fft/ops.c - records of the transforms, shape inference, public functions. */
#include "fft/fft.h"

#include <agnesi/fft.h>
#include <math.h>
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

static agn_status check_length(const agni_call *c, int64_t n)
{
    if (n < 1 || n > INT32_MAX)
        return agni_fail(AGN_EARG,
                         "%s: length %lld of axis %lld is not in 1 to 2^31 - 1",
                         c->op->name, (long long)n, (long long)c->at->i[0]);
    return AGN_OK;
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
    agn_status st = check_length(c, n);
    return st ? st
              : infer_resized(c, axis, n / 2 + 1, c->in[0]->dtype == AGN_F32 ? AGN_C64 : AGN_C128);
}

static agn_status infer_c2r(agni_call *c)
{
    int64_t m;
    int axis = find_axis(c, &m);
    agn_status st = check_length(c, c->at->i[1]);
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
    agn_status st = check_length(c, n);
    if (!st && c->at->i[1] != 1 && c->at->i[1] != -1)
        st = agni_fail(AGN_EARG, "%s: sign %lld is neither 1 nor -1", c->op->name,
                       (long long)c->at->i[1]);
    return st ? st : agni_infer_same(c);
}

/* ---- op records ------------------------------------------------------------------- */

static agni_slots slots[3];
#define TRANSFORM(name_, takes_, dt, k)                                           \
    .name = "fft_" #name_, .takes = takes_, .cls = AGNI_LINEAR, .nin = 1, .nout = 1, .dtypes = dt, \
    .diff = 1, .promote = 1, .ew = -1, .bounded = 1, .infer = infer_##name_,      \
    .cpu = agni_cpu_##name_, .transpose = agni_##name_##_transpose,               \
    .batch = agni_batch_front, .slots = &slots[k], .lo = -3, .hi = 3
const agni_op agni_op_fft_r2c = {TRANSFORM(r2c, "x axis:a scale:r pairs:r", AGNI_FLOATS, 0),
                                 .doc = "Fourier transform of real data"};
const agni_op agni_op_fft_c2r = {TRANSFORM(c2r, "x axis:a length:i scale:r pairs:r", AGNI_COMPLEXES, 1),
                                 .doc = "real data from its Fourier transform"};
const agni_op agni_op_fft_c2c = {TRANSFORM(c2c, "x axis:a sign:i scale:r", AGNI_COMPLEXES, 2),
                                 .doc = "Fourier transform of complex data"};

/* ---- public functions ------------------------------------------------------------ */

static bool is_known_norm(int32_t norm)
{
    return norm >= AGN_FFT_BACKWARD && norm <= AGN_FFT_FORWARD;
}

static double norm_scale(int64_t n, int32_t norm, bool inverse)
{
    bool whole = norm == (inverse ? AGN_FFT_BACKWARD : AGN_FFT_FORWARD);
    return norm == AGN_FFT_ORTHO ? 1 / sqrt((double)n) : whole ? 1 / (double)n : 1;
}

/* x cut off or padded with zeros at the end of an axis */
static const agn_tensor *crop_or_pad(agn_scope *s, const agn_tensor *x, int axis, int64_t n)
{
    int64_t have = x->shape[axis], shape[AGNI_MAX_RANK];
    agn_tensor *y = NULL;
    agn_status st;
    if (have == n)
        return x;
    if (have > n) {
        int64_t start[AGNI_MAX_RANK], stop[AGNI_MAX_RANK], step[AGNI_MAX_RANK];
        for (int d = 0; d <= axis; d++) {
            start[d] = 0;
            stop[d] = d == axis ? n : x->shape[d];
            step[d] = 1;
        }
        st = agn_slice(&y, x, axis + 1, start, stop, step);
        return agn_scope_adopt(s, st, y);
    }
    memcpy(shape, x->shape, (size_t)x->ndim * sizeof *shape);
    shape[axis] = n - have;
    const agn_tensor *zeros = agni_full(s, 0, x->dtype, x->ndim, shape);
    if (!zeros)
        return NULL;
    st = agn_concat(&y, (const agn_tensor *[]){x, zeros}, 2, axis);
    return agn_scope_adopt(s, st, y);
}

static const agn_tensor *cast_to_complex(agn_scope *s, const agn_tensor *x)
{
    if (agni_kind(x->dtype) == AGNI_KIND_COMPLEX)
        return x;
    int w = agni_dtypes[x->dtype].wide;
    return agni_cast(s, x, w == AGN_F32 ? AGN_C64 : AGN_C128);
}

enum kind { RFFT, IRFFT, FFT, IFFT };
static const char *const names[] = {"fft_rfft", "fft_irfft", "fft_fft", "fft_ifft"};

static agn_status transform_axis(agn_tensor **out, enum kind kind, const agn_tensor *x, int64_t n,
                                 int32_t axis, int32_t norm)
{
    const char *op = names[kind];
    int d;
    if (!out || !x)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, out ? "x" : "out");
    agn_status st = agni_axis(op, axis, x->ndim, &d);
    if (st)
        return st;
    if (!is_known_norm(norm))
        return agni_fail(AGN_EARG, "%s: norm %d is none of 0, 1, 2", op, norm);
    if (kind == RFFT && agni_kind(x->dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "%s: x is %s, a real dtype is needed", op,
                         agni_dtypes[x->dtype].name);
    if (n < 0 || n > INT32_MAX)
        return agni_fail(AGN_EARG, "%s: length %lld is not in 0 to 2^31 - 1", op,
                         (long long)n);
    int64_t given = n;
    if (!n)
        n = kind == IRFFT ? 2 * (x->shape[d] - 1) : x->shape[d];
    if (n < 1 || n > INT32_MAX)
        return agni_fail(AGN_EARG,
                         "%s: length %lld, from n %lld and %lld entries along axis %d",
                         op, (long long)n, (long long)given, (long long)x->shape[d], d);
    bool inverse = kind == IRFFT || kind == IFFT;
    double f[2] = {norm_scale(n, norm, inverse), 1};
    int64_t i[2] = {d - x->ndim, kind == IRFFT ? n : inverse ? 1 : -1};
    static const agni_op *const ops[] = {&agni_op_fft_r2c, &agni_op_fft_c2r,
                                         &agni_op_fft_c2c, &agni_op_fft_c2c};
    agni_attr at = {
        .ni = kind == RFFT ? 1 : 2, .i = i, .nf = kind <= IRFFT ? 2 : 1, .f = f};
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = x->layout == AGN_DENSE && kind != RFFT ? cast_to_complex(s, x) : x;
    if (y && x->layout == AGN_DENSE)
        y = crop_or_pad(s, y, d, kind == IRFFT ? n / 2 + 1 : n);
    if (y)
        y = agni_apply_in(s, ops[kind], &at, 1, &y);
    agn_scope_return(s, out, y);
    return agn_scope_close(s);
}

agn_status agn_fft_rfft(agn_tensor **out, const agn_tensor *x, int64_t n, int32_t axis,
                        int32_t norm)
{
    return transform_axis(out, RFFT, x, n, axis, norm);
}
agn_status agn_fft_irfft(agn_tensor **out, const agn_tensor *x, int64_t n, int32_t axis,
                         int32_t norm)
{
    return transform_axis(out, IRFFT, x, n, axis, norm);
}
agn_status agn_fft_fft(agn_tensor **out, const agn_tensor *x, int64_t n, int32_t axis,
                       int32_t norm)
{
    return transform_axis(out, FFT, x, n, axis, norm);
}
agn_status agn_fft_ifft(agn_tensor **out, const agn_tensor *x, int64_t n, int32_t axis,
                        int32_t norm)
{
    return transform_axis(out, IFFT, x, n, axis, norm);
}
