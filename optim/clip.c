/* optim/clip.c - gradients clipped by their norms (Pascanu, Mikolov & Bengio 2013, algorithm 1):
   the factor most / max(norm, most) is 1 below, and has a derivative at 0. */
#include "tensor/dispatch/op_helpers.h"
#include <agnesi/ag.h>
#include <agnesi/optim.h>

#include <math.h>

static agn_status check_clipped(const char *op, const agn_tensor *const *x, int32_t n, double most)
{
    if (n < 1)
        return agni_fail(AGN_EARG, "%s: there are %d gradients; at least 1 is needed", op, n);
    if (!(most > 0 && isfinite(most)))
        return agni_fail(AGN_EARG, "%s: the norm of %d gradients is to be at most %g; it must be "
                         "positive", op, n, most);
    for (int i = 0; i < n; i++)
        if (!x[i])
            return agni_fail(AGN_ENULL, "%s: gradient %d of %d is NULL", op, i, n);
    for (int i = 0; i < n; i++)
        if (!(AGNI_FIELDS >> x[i]->dtype & 1))
            return agni_fail(AGN_EDTYPE, "%s: gradient %d is %s; f32, f64, c64 or c128 is needed",
                             op, i, agni_dtypes[x[i]->dtype].name);
    return AGN_OK;
}

/* norms are in this unit, in which none overflows */
#define NORM_UNIT 0x1p32

/* x in f64 or c128 */
static const agn_tensor *widen(agn_scope *s, const agn_tensor *x)
{
    const bool complex = x->dtype == AGN_C64 || x->dtype == AGN_C128;
    return ag_cast(s, x, complex ? AGN_C128 : AGN_F64);
}

/* most / max(norm, most) of the norm of all, f64 */
static const agn_tensor *find_factor(agn_scope *s, const agn_tensor *const *x, int32_t n,
                                     double most)
{
    const agn_tensor **norm = agni_alloc((size_t)n * sizeof *norm);
    const agn_tensor *bound = agni_full(s, most / NORM_UNIT, AGN_F64, 0, NULL); /* on no device */
    const agn_tensor *factor = NULL;
    if (!norm)
        agn_scope_fail(s, agni_nomem("optim", (size_t)n * sizeof *norm));
    for (int i = 0; norm && i < n; i++) {
        norm[i] = ag_pnorm(s, ag_mul_c(s, widen(s, x[i]), 1 / NORM_UNIT), 2, NULL, 0, false);
        norm[i] = ag_reshape(s, norm[i], 1, (int64_t[]){1});
    }
    if (norm) {
        const agn_tensor *all = ag_pnorm(s, ag_concat(s, norm, n, 0), 2, NULL, 0, false);
        factor = ag_div(s, bound, ag_maximum(s, all, bound));
    }
    agni_free(norm);
    return factor;
}

static agn_status clip_all(const char *op, agn_tensor *out[], const agn_tensor *const *x, int32_t n,
                           double most)
{
    agn_status st = check_clipped(op, x, n, most);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *factor = find_factor(s, x, n, most);
    for (int i = 0; i < n; i++) /* a factor of f32 could lose its digits */
        agn_scope_return(s, out + i, ag_cast(s, ag_mul(s, widen(s, x[i]), factor), x[i]->dtype));
    return agn_scope_close(s);
}

agn_status agn_optim_clip_by_norm(agn_tensor **out, const agn_tensor *x, double most)
{
    if (!out || !x)
        return agni_fail(AGN_ENULL, "optim_clip_by_norm: %s is NULL", out ? "x" : "out");
    return clip_all("optim_clip_by_norm", out, &x, 1, most);
}

agn_status agn_optim_clip_by_global_norm(agn_tensor *out[], const agn_tensor *const *x, int32_t n,
                                         double most)
{
    if (!out || !x)
        return agni_fail(AGN_ENULL, "optim_clip_by_global_norm: %s is NULL", out ? "x" : "out");
    return clip_all("optim_clip_by_global_norm", out, x, n, most);
}
