/* fft/signal/systems/response.c - what systems do to frequencies: at s = i w, or at z = e^(i w)
   (Oppenheim & Schafer 2010,
   5.1; Smith 2007). */
#include "fft/signal/systems/systems.h"

#include <agnesi/ag.h>
#include <agnesi/linalg.h>

static agn_status check_frequencies(const char *op, const agn_tensor *w)
{
    AGNI_NEED(op, w);
    if (agni_kind(w->dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "%s: w is %s %s; frequencies are real", op,
                         agni_dtypes[w->dtype].name, AGNI_SHAPE(w));
    if (w->ndim != 1)
        return agni_fail(AGN_ESHAPE, "%s: w is %s of rank %d; it is [frequencies]", op,
                         AGNI_SHAPE(w), w->ndim);
    return AGN_OK;
}

static agn_status check_coefficients(const char *op, const agn_tensor *b, const agn_tensor *a)
{
    AGNI_NEED(op, b);
    AGNI_NEED(op, a);
    if (!b->ndim || !a->ndim || !b->shape[b->ndim - 1] || !a->shape[a->ndim - 1])
        return agni_fail(AGN_ESHAPE, "%s: b is %s, a %s; each has coefficients along its last axis",
                         op, AGNI_SHAPE(b), AGNI_SHAPE(a));
    return AGN_OK;
}

/* i w, or e^(i w), of the precision of dtype */
static const agn_tensor *make_points(agn_scope *s, const agn_tensor *w, int dtype, bool analog)
{
    w = agni_cast(s, w, agni_dtypes[dtype].real);
    if (!w)
        return NULL;
    return analog ? ag_complex(s, ag_mul_c(s, w, 0), w) : ag_complex(s, ag_cos(s, w), ag_sin(s, w));
}

agn_status agn_signal_freqs(agn_tensor **out, const agn_tensor *b, const agn_tensor *a,
                            const agn_tensor *w)
{
    static const char op[] = "signal_freqs";
    AGNI_NEED(op, out);
    agn_status st = check_coefficients(op, b, a);
    if (!st)
        st = check_frequencies(op, w);
    if (st)
        return st;
    int dtype = agni_signal_common_dtype(3, (const agn_tensor *[]){b, a, w});
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x = make_points(s, w, dtype, true);
    return agni_return(
        op, s, out,
        ag_div(s, agni_polynomial_evaluate(s, b, x), agni_polynomial_evaluate(s, a, x)));
}

agn_status agn_signal_roots_response(agn_tensor **out, const agn_tensor *zeros,
                                     const agn_tensor *poles, const agn_tensor *gain,
                                     const agn_tensor *w, bool analog)
{
    static const char op[] = "signal_roots_response";
    AGNI_NEED(op, out);
    AGNI_NEED(op, zeros);
    AGNI_NEED(op, poles);
    AGNI_NEED(op, gain);
    agn_status st = check_frequencies(op, w);
    if (!st && (!zeros->ndim || !poles->ndim || zeros->ndim == AGNI_MAX_RANK ||
                poles->ndim == AGNI_MAX_RANK || gain->ndim == AGNI_MAX_RANK))
        st = agni_fail(
            AGN_ESHAPE,
            "%s: zeros are %s, poles %s, the gain is of rank %d; roots lie along an axis, "
            "with room "
            "for another",
            op, AGNI_SHAPE(zeros), AGNI_SHAPE(poles), gain->ndim);
    if (st)
        return st;
    int dtype = agni_signal_common_dtype(4, (const agn_tensor *[]){zeros, poles, gain, w}),
        z = agni_complex_of(dtype);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x = make_points(s, w, dtype, analog);
    const agn_tensor *y = ag_div(s, agni_roots_evaluate(s, agni_cast(s, zeros, z), x),
                                 agni_roots_evaluate(s, agni_cast(s, poles, z), x));
    return agni_return(op, s, out, ag_mul(s, ag_expand_dims(s, agni_cast(s, gain, z), -1), y));
}

agn_status agn_signal_state_response(agn_tensor **out, const agn_tensor *a, const agn_tensor *b,
                                     const agn_tensor *c, const agn_tensor *d, const agn_tensor *w,
                                     bool analog)
{
    static const char op[] = "signal_state_response";
    agni_system y;
    AGNI_NEED(op, out);
    agn_status st = agni_system_check(&y, op, a, b, c, d, 1);
    if (!st)
        st = check_frequencies(op, w);
    if (st)
        return st;
    int dtype = agni_promote(y.dtype, w->dtype);
    y.dtype = agni_complex_of(agni_signal_dtype(dtype));
    agn_scope *s = agn_scope_open(NULL);
    agni_system_cast(s, &y);
    const agn_tensor *x = make_points(s, w, y.dtype, analog), *m[4];
    for (int k = 0; k < 4; k++)
        m[k] = y.m[k] ? ag_expand_dims(s, y.m[k], -3) : NULL;
    x = ag_expand_dims(s, ag_expand_dims(s, x, -1), -1);
    const agn_tensor *away = ag_sub(
        s, ag_mul(s, x, ag_eye(s, (agn_dtype)y.dtype, y.order, y.order, 0)), m[0]);
    const agn_tensor *h = ag_matmul(s, m[2], ag_linalg_solve(s, away, m[1]));
    return agni_return(op, s, out, m[3] ? ag_add(s, h, m[3]) : h);
}

/* Of c = b times a backwards, whose response is that of b / a but for a real factor and order
   samples: the delay is the
   mean power of c e^(-i w) there, less the order. */
agn_status agn_signal_group_delay(agn_tensor **out, const agn_tensor *b, const agn_tensor *a,
                                  const agn_tensor *w)
{
    static const char op[] = "signal_group_delay";
    AGNI_NEED(op, out);
    agn_status st = check_coefficients(op, b, a);
    if (!st)
        st = check_frequencies(op, w);
    if (st)
        return st;
    int dtype = agni_signal_common_dtype(3, (const agn_tensor *[]){b, a, w});
    int64_t n = a->shape[a->ndim - 1], taps = b->shape[b->ndim - 1];
    agn_tensor *made = NULL;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *late = ag_flip(s, agni_cast(s, a, dtype), (int32_t[]){-1}, 1);
    if (agni_kind(dtype) == AGNI_KIND_COMPLEX)
        late = ag_conj(s, late);
    const agn_tensor *c = ag_signal_convolve(s, agni_cast(s, b, dtype), late, AGN_FULL,
                                             AGN_CONVOLVE_DIRECT);
    /* powers of e^(-i w), the lowest first: of e^(i w), highest first, but for a factor that both
       sums share */
    st = agn_scope_status(s)
             ? AGN_OK
             : agn_arange(&made, agni_dtypes[dtype].real, 0, (double)(n + taps - 1), 1);
    const agn_tensor *k = agn_scope_status(s) ? NULL : agni_adopt_constant(s, st, made);
    const agn_tensor *x = make_points(s, w, dtype, false);
    const agn_tensor *ratio = ag_div(s, agni_polynomial_evaluate(s, ag_mul(s, c, k), x),
                                     agni_polynomial_evaluate(s, c, x));
    const agn_tensor *y = ag_add_c(s, ag_real(s, ratio), -(double)(n - 1));
    return agni_return(op, s, out, y);
}
