/* fft/signal/design/response.c - filters as polynomials, and their frequency response H(w) =
   B(e^-iw) / A(e^-iw) (Oppenheim & Schafer 2010, 5.1). */
#include "fft/signal/signal.h"

#include <agnesi/ag.h>

/* e^(-i w k) for k < taps, [taps, w] */
static const agn_tensor *phase_turns(agn_scope *s, const agn_tensor *w, int64_t taps)
{
    agn_tensor *made = NULL;
    if (!w)
        return NULL;
    agn_status st = agn_arange(&made, w->dtype, 0, (double)taps, 1);
    const agn_tensor *k = agni_adopt_constant(s, st, made);
    const agn_tensor *t = ag_mul(s, ag_expand_dims(s, k, -1), w);
    return ag_complex(s, ag_cos(s, t), ag_neg(s, ag_sin(s, t)));
}

/* sum over k of b_k e^(-i w k), [..., w] */
static const agn_tensor *evaluate_polynomial(agn_scope *s, const agn_tensor *b, const agn_tensor *e)
{
    if (!b || !e)
        return NULL;
    const agn_tensor *y = ag_matmul(s, ag_expand_dims(s, agni_cast(s, b, e->dtype), -2), e);
    return ag_squeeze(s, y, -2);
}

/* the real dtype of the result; w is real, [w] */
static agn_status check_response(const char *op, agn_tensor *const *out, const agn_tensor *b,
                                 const agn_tensor *a, const agn_tensor *w, int *dtype)
{
    if (!out || !b || !a || !w)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op,
                         !out ? "out"
                         : !w ? "w"
                         : b  ? "a"
                         : a  ? "b"
                              : "sos");
    if (agni_kind(w->dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "%s: w is %s %s; frequencies are real", op,
                         agni_dtypes[w->dtype].name, AGNI_SHAPE(w));
    if (w->ndim != 1)
        return agni_fail(AGN_ESHAPE, "%s: w is %s; for coefficients %s it is [frequencies]", op,
                         AGNI_SHAPE(w), AGNI_SHAPE(b));
    int d = agni_signal_dtype(agni_promote(agni_promote(b->dtype, a->dtype), w->dtype));
    *dtype = agni_dtypes[d].real;
    return AGN_OK;
}

agn_status agn_signal_freqz(agn_tensor **out, const agn_tensor *b, const agn_tensor *a,
                            const agn_tensor *w)
{
    static const char op[] = "signal_freqz";
    int dtype;
    agn_status st = check_response(op, out, b, a, w, &dtype);
    if (!st && (!b->ndim || !a->ndim || !b->shape[b->ndim - 1] || !a->shape[a->ndim - 1]))
        st = agni_fail(AGN_ESHAPE, "%s: b is %s, a %s; each has coefficients along its last axis",
                       op, AGNI_SHAPE(b), AGNI_SHAPE(a));
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    w = agni_cast(s, w, dtype);
    const agn_tensor *up = evaluate_polynomial(s, b, phase_turns(s, w, b->shape[b->ndim - 1])),
                     *down = evaluate_polynomial(s, a, phase_turns(s, w, a->shape[a->ndim - 1]));
    return agni_return(op, s, out, ag_div(s, up, down));
}

static agn_status check_sos(const char *op, const agn_tensor *sos)
{
    return sos->ndim >= 2 && sos->shape[sos->ndim - 1] == 6 && sos->shape[sos->ndim - 2]
               ? AGN_OK
               : agni_fail(AGN_ESHAPE, "%s: sos is %s; it is [..., sections, 6]", op,
                           AGNI_SHAPE(sos));
}

agn_status agn_signal_sosfreqz(agn_tensor **out, const agn_tensor *sos, const agn_tensor *w)
{
    static const char op[] = "signal_sosfreqz";
    int dtype;
    agn_status st = check_response(op, out, sos, sos, w, &dtype);
    if (!st)
        st = check_sos(op, sos);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *e = phase_turns(s, agni_cast(s, w, dtype), 3);
    const agn_tensor *up = evaluate_polynomial(s, agni_signal_part(s, sos, 0, 3), e),
                     *down = evaluate_polynomial(s, agni_signal_part(s, sos, 3, 3), e);
    return agni_return(op, s, out, ag_prod(s, ag_div(s, up, down), (int32_t[]){-2}, 1, false));
}

agn_status agn_signal_sections_to_polynomials(agn_tensor **b, agn_tensor **a, const agn_tensor *sos)
{
    static const char op[] = "signal_sections_to_polynomials";
    if (!b || !a || !sos)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, !b ? "b" : !a ? "a" : "sos");
    agn_status st = check_sos(op, sos);
    if (st)
        return st;
    agn_tensor *both[2] = {NULL, NULL};
    agn_scope *s = agn_scope_open(NULL);
    sos = agni_cast(s, sos, agni_signal_dtype(sos->dtype));
    for (int half = 0; half < 2; half++) {
        const agn_tensor *all = NULL;
        for (int64_t k = 0; sos && k < sos->shape[sos->ndim - 2] && !agn_scope_status(s); k++) {
            const agn_tensor *one = agni_signal_part(s, ag_index_axis(s, sos, -2, k), 3 * half, 3);
            /* times c_0 + c_1 / z + c_2 / z^2: sums of three shifted multiples */
            const agn_tensor *sum = k ? NULL : one;
            for (int j = 0; k && all && j < 3; j++)
                sum = agni_add_present(s, sum, ag_mul(s, agni_signal_zeros(s, all, j, 2 - j),
                                                      agni_signal_part(s, one, j, 1)));
            all = sum;
        }
        agn_scope_return(s, &both[half], all);
    }
    st = agni_rename_error(op, agn_scope_close(s));
    if (st) {
        agn_release(both[0]);
        agn_release(both[1]);
        return st;
    }
    *b = both[0];
    *a = both[1];
    return AGN_OK;
}
