/* fft/signal/systems/partial.c - polynomials divided: quotient and remainder, partial fractions
   (Oppenheim & Schafer 2010,
   3.3). */
#include "fft/signal/systems/systems.h"

#include <agnesi/ag.h>
#include <agnesi/linalg.h>

/* the power series of x / divisor, as far as it has whole powers; x has n samples, the divisor taps
   */
static const agn_tensor *divide_polynomials(agn_scope *s, const agn_tensor *x,
                                            const agn_tensor *divisor)
{
    if (!x || !divisor)
        return NULL;
    int64_t n = x->shape[x->ndim - 1], taps = divisor->shape[divisor->ndim - 1];
    if (taps > n) /* 0, of the shape of both */
        return ag_add(s, ag_mul_c(s, agni_signal_part(s, x, 0, 1), 0),
                      ag_mul_c(s, agni_signal_part(s, divisor, 0, 1), 0));
    int64_t one[] = {1};
    const agn_tensor *unit = agni_full(s, 1, x->dtype, 1, one),
                     *part = agni_signal_part(s, x, 0, n - taps + 1);
    return unit && part ? agni_signal_filter(s, unit, divisor, part, NULL, NULL) : NULL;
}

agn_status agn_signal_deconvolve(agn_tensor **quotient, agn_tensor **remainder, const agn_tensor *x,
                                 const agn_tensor *divisor)
{
    static const char op[] = "signal_deconvolve";
    AGNI_NEED(op, quotient);
    AGNI_NEED(op, remainder);
    AGNI_NEED(op, x);
    AGNI_NEED(op, divisor);
    if (!x->ndim || !divisor->ndim || !x->shape[x->ndim - 1] || !divisor->shape[divisor->ndim - 1])
        return agni_fail(AGN_ESHAPE,
                         "%s: x is %s, the divisor %s; each has numbers along its last axis", op,
                         AGNI_SHAPE(x), AGNI_SHAPE(divisor));
    int64_t n = x->shape[x->ndim - 1], taps = divisor->shape[divisor->ndim - 1];
    int dtype = agni_signal_common_dtype(2, (const agn_tensor *[]){x, divisor});
    agn_scope *s = agn_scope_open(NULL);
    x = agni_cast(s, x, dtype);
    divisor = agni_cast(s, divisor, dtype);
    const agn_tensor *q = divide_polynomials(s, x, divisor);
    const agn_tensor *product = q && taps <= n ? ag_signal_convolve(s, q, divisor, AGN_FULL,
                                                                    AGN_CONVOLVE_DIRECT)
                                               : q;
    agn_scope_return(s, quotient, q);
    agn_scope_return(s, remainder, ag_sub(s, x, product));
    return agni_rename_error(op, agn_scope_close(s));
}

/* the derivative of a polynomial of order 1 and more */
static const agn_tensor *derive_polynomial(agn_scope *s, const agn_tensor *a)
{
    agn_tensor *made = NULL;
    if (!a)
        return NULL;
    int64_t n = a->shape[a->ndim - 1] - 1;
    agn_status st = agn_arange(&made, agni_dtypes[a->dtype].real, (double)n, 0, -1);
    return ag_mul(s, agni_signal_part(s, a, 0, n), agni_adopt_constant(s, st, made));
}

agn_status agn_signal_residues(agn_tensor **residues, agn_tensor **poles, agn_tensor **direct,
                               const agn_tensor *b, const agn_tensor *a)
{
    static const char op[] = "signal_residues";
    AGNI_NEED(op, residues);
    AGNI_NEED(op, poles);
    AGNI_NEED(op, direct);
    AGNI_NEED(op, b);
    AGNI_NEED(op, a);
    int64_t taps = b->ndim ? b->shape[b->ndim - 1] : 0,
            order = a->ndim ? a->shape[a->ndim - 1] - 1 : 0;
    if (taps < 1 || order < 1 || a->ndim >= AGNI_MAX_RANK)
        return agni_fail(AGN_ESHAPE,
                         "%s: b is %s, a %s; b has a coefficient, a an order of 1 at least", op,
                         AGNI_SHAPE(b), AGNI_SHAPE(a));
    int dtype = agni_signal_common_dtype(2, (const agn_tensor *[]){b, a});
    agn_scope *s = agn_scope_open(NULL);
    b = agni_cast(s, b, dtype);
    a = agni_cast(s, a, dtype);
    const agn_tensor *p = ag_linalg_eigvals(s, ag_linalg_companion(s, a));
    const agn_tensor *q = divide_polynomials(s, b, a), *rest = b;
    if (q && taps > order) /* what the polynomial part leaves */
        rest = agni_signal_part(
            s, ag_sub(s, b, ag_signal_convolve(s, q, a, AGN_FULL, AGN_CONVOLVE_DIRECT)),
            taps - order, order);
    agn_scope_return(s, residues,
                     ag_div(s, agni_polynomial_evaluate(s, rest, p),
                            agni_polynomial_evaluate(s, derive_polynomial(s, a), p)));
    agn_scope_return(s, poles, p);
    agn_scope_return(s, direct, q);
    return agni_rename_error(op, agn_scope_close(s));
}
