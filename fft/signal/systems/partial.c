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

/* the places of all roots but the k-th, for each k: [n (n - 1)] */
static const agn_tensor *places_of_others(agn_scope *s, int64_t n)
{
    int64_t count = n * (n - 1), *v = agni_alloc((size_t)(count + 1) * sizeof *v), at = 0;
    agn_tensor *made = NULL;
    if (!v) {
        agn_scope_fail(s, agni_nomem("signal_residues", (size_t)(count + 1) * sizeof *v));
        return NULL;
    }
    for (int64_t k = 0; k < n; k++)
        for (int64_t j = 0; j < n; j++)
            if (j != k)
                v[at++] = j;
    agn_status st = agn_from_host(&made, AGN_I64, 1, &count, v);
    agni_free(v);
    return agni_adopt_constant(s, st, made);
}

agn_status agn_signal_residues_to_polynomials(agn_tensor **b, agn_tensor **a,
                                              const agn_tensor *residues, const agn_tensor *poles,
                                              const agn_tensor *direct)
{
    static const char op[] = "signal_residues_to_polynomials";
    enum { MOST = 1 << 10 };
    AGNI_NEED(op, b);
    AGNI_NEED(op, a);
    AGNI_NEED(op, residues);
    AGNI_NEED(op, poles);
    AGNI_NEED(op, direct);
    int64_t n = poles->ndim ? poles->shape[poles->ndim - 1] : 0,
            m = direct->ndim ? direct->shape[direct->ndim - 1] : 0;
    if (n < 1 || n > MOST || m < 1 || poles->ndim >= AGNI_MAX_RANK ||
        !agni_same_shape(residues, poles))
        return agni_fail(AGN_ESHAPE,
                         "%s: residues are %s, poles %s, direct %s; the first two are alike, 1 to "
                         "%d, and the last has a coefficient",
                         op, AGNI_SHAPE(residues), AGNI_SHAPE(poles), AGNI_SHAPE(direct), MOST);
    int dtype = agni_signal_common_dtype(3, (const agn_tensor *[]){residues, poles, direct});
    int64_t shape[AGNI_MAX_RANK];
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *p = agni_cast(s, poles, dtype), *k = agni_cast(s, direct, dtype),
                     *r = ag_expand_dims(s, agni_cast(s, residues, dtype), -1);
    const agn_tensor *all = agni_roots_multiply(s, p), *others = places_of_others(s, n);
    others = others && p ? ag_gather(s, p, others, -1) : NULL;
    for (int d = 0; d < poles->ndim; d++)
        shape[d] = poles->shape[d];
    shape[poles->ndim] = n - 1;
    others = others ? agni_reshape(s, others, poles->ndim + 1, shape) : NULL;
    others = agni_roots_multiply(s, others);
    const agn_tensor *rest = ag_sum(s, ag_mul(s, r, others), (int32_t[]){-2}, 1, false);
    const agn_tensor *whole = k && all ? ag_signal_convolve(s, k, all, AGN_FULL,
                                                            AGN_CONVOLVE_DIRECT)
                                       : NULL;
    agn_scope_return(s, b, ag_add(s, whole, agni_signal_zeros(s, rest, m, 0)));
    agn_scope_return(s, a, all);
    return agni_rename_error(op, agn_scope_close(s));
}
