/* fft/signal/systems/roots.c - polynomials by their roots, and roots by eigenvalues of companion
   matrices (Golub & Van
   Loan 2013, 7.4.6) or the quadratic formula. */
#include "fft/signal/systems/systems.h"

#include <agnesi/ag.h>
#include <agnesi/linalg.h>

const agn_tensor *agni_roots_multiply(agn_scope *s, const agn_tensor *root)
{
    int64_t shape[AGNI_MAX_RANK];
    if (!root)
        return NULL;
    int64_t n = root->shape[root->ndim - 1];
    for (int d = 0; d < root->ndim; d++)
        shape[d] = root->shape[d];
    shape[root->ndim - 1] = 1;
    const agn_tensor *p = agni_full(s, 1, root->dtype, root->ndim, shape);
    for (int64_t k = 0; k < n && !agn_scope_status(s); k++)
        p = ag_sub(s, agni_signal_zeros(s, p, 0, 1),
                   ag_mul(s, agni_signal_zeros(s, p, 1, 0), agni_signal_part(s, root, k, 1)));
    return p;
}

agn_status agn_signal_roots_to_polynomials(agn_tensor **b, agn_tensor **a, const agn_tensor *zeros,
                                           const agn_tensor *poles, const agn_tensor *gain)
{
    static const char op[] = "signal_roots_to_polynomials";
    AGNI_NEED(op, b);
    AGNI_NEED(op, a);
    AGNI_NEED(op, zeros);
    AGNI_NEED(op, poles);
    AGNI_NEED(op, gain);
    if (!zeros->ndim || !poles->ndim || gain->ndim == AGNI_MAX_RANK)
        return agni_fail(
            AGN_ESHAPE,
            "%s: zeros are %s, poles %s, the gain is of rank %d; roots lie along an axis", op,
            AGNI_SHAPE(zeros), AGNI_SHAPE(poles), gain->ndim);
    int dtype = agni_signal_common_dtype(3, (const agn_tensor *[]){zeros, poles, gain});
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *k = ag_expand_dims(s, agni_cast(s, gain, dtype), -1);
    agn_scope_return(s, b, ag_mul(s, agni_roots_multiply(s, agni_cast(s, zeros, dtype)), k));
    agn_scope_return(s, a, agni_roots_multiply(s, agni_cast(s, poles, dtype)));
    return agni_rename_error(op, agn_scope_close(s));
}

/* the roots of a polynomial with more than no coefficients, [..., n], complex */
static const agn_tensor *find_roots(agn_scope *s, const agn_tensor *c)
{
    int64_t shape[AGNI_MAX_RANK];
    if (!c)
        return NULL;
    if (c->shape[c->ndim - 1] > 1)
        return ag_linalg_eigvals(s, ag_linalg_companion(s, c));
    for (int d = 0; d < c->ndim; d++)
        shape[d] = c->shape[d];
    shape[c->ndim - 1] = 0;
    return agni_full(s, 0, agni_complex_of(c->dtype), c->ndim, shape);
}

agn_status agn_signal_polynomials_to_roots(agn_tensor **zeros, agn_tensor **poles,
                                           agn_tensor **gain, const agn_tensor *b,
                                           const agn_tensor *a)
{
    static const char op[] = "signal_polynomials_to_roots";
    AGNI_NEED(op, zeros);
    AGNI_NEED(op, poles);
    AGNI_NEED(op, gain);
    AGNI_NEED(op, b);
    AGNI_NEED(op, a);
    if (!b->ndim || !a->ndim || !b->shape[b->ndim - 1] || !a->shape[a->ndim - 1])
        return agni_fail(AGN_ESHAPE, "%s: b is %s, a %s; each has coefficients along its last axis",
                         op, AGNI_SHAPE(b), AGNI_SHAPE(a));
    int dtype = agni_signal_common_dtype(2, (const agn_tensor *[]){b, a});
    agn_scope *s = agn_scope_open(NULL);
    b = agni_cast(s, b, dtype);
    a = agni_cast(s, a, dtype);
    const agn_tensor *k = ag_div(s, agni_signal_part(s, b, 0, 1), agni_signal_part(s, a, 0, 1));
    agn_scope_return(s, zeros, find_roots(s, b));
    agn_scope_return(s, poles, find_roots(s, a));
    agn_scope_return(s, gain, ag_squeeze(s, k, -1));
    return agni_rename_error(op, agn_scope_close(s));
}

/* both roots of c_0 x^2 + c_1 x + c_2, of [..., sections, 3], as [..., 2 sections] */
static const agn_tensor *solve_quadratics(agn_scope *s, const agn_tensor *c)
{
    if (!c)
        return NULL;
    int ndim = c->ndim - 1;
    const agn_tensor *k[3];
    for (int i = 0; i < 3; i++)
        k[i] = agni_cast(s, agni_signal_part(s, c, i, 1), agni_complex_of(c->dtype));
    const agn_tensor *half = ag_mul_c(s, k[1], -0.5);
    const agn_tensor *r = ag_sqrt(s, ag_sub(s, ag_square(s, half), ag_mul(s, k[0], k[2])));
    const agn_tensor *both[] = {ag_div(s, ag_add(s, half, r), k[0]),
                                ag_div(s, ag_sub(s, half, r), k[0])};
    return agn_scope_status(s) ? NULL : ag_flatten(s, ag_concat(s, both, 2, -1), ndim - 1, ndim);
}

agn_status agn_signal_sections_to_roots(agn_tensor **zeros, agn_tensor **poles, agn_tensor **gain,
                                        const agn_tensor *sos)
{
    static const char op[] = "signal_sections_to_roots";
    AGNI_NEED(op, zeros);
    AGNI_NEED(op, poles);
    AGNI_NEED(op, gain);
    AGNI_NEED(op, sos);
    if (sos->ndim < 2 || sos->shape[sos->ndim - 1] != 6 || !sos->shape[sos->ndim - 2])
        return agni_fail(AGN_ESHAPE,
                         "%s: sos is %s of rank %d; it is [..., sections, 6], with a section", op,
                         AGNI_SHAPE(sos), sos->ndim);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *c = agni_cast(s, sos, agni_signal_dtype(sos->dtype));
    const agn_tensor *k = ag_div(s, agni_signal_part(s, c, 0, 1), agni_signal_part(s, c, 3, 1));
    agn_scope_return(s, zeros, solve_quadratics(s, agni_signal_part(s, c, 0, 3)));
    agn_scope_return(s, poles, solve_quadratics(s, agni_signal_part(s, c, 3, 3)));
    agn_scope_return(s, gain, ag_prod(s, ag_squeeze(s, k, -1), (int32_t[]){-1}, 1, false));
    return agni_rename_error(op, agn_scope_close(s));
}
