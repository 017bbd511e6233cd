/* tensor/reduce/count.c - any, all, count_nonzero. */
#include "tensor/reduce/reduce.h"

#include <agnesi/ag.h>

/* NaN is not zero */
static const agn_tensor *as_bool(agn_scope *s, const agn_tensor *x)
{
    return x->dtype == AGN_BOOL ? x : ag_ne(s, x, ag_lit(s, 0));
}

static agn_status reduce_bool(const char *op, agn_tensor **out, const agn_tensor *x,
                              const int32_t *axes, int32_t n, bool keep, bool all)
{
    int64_t a[AGNI_MAX_RANK];
    int count;
    AGNI_NEED(op, out);
    agn_status st = agni_normalise_axes(op, x, axes, n, a, &count);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = NULL;
    if (agni_count_along(x, a, count) == 0) /* an empty sum has the shape of the result */
        y = ag_eq(s, ag_sum(s, as_bool(s, x), axes, n, keep), ag_lit(s, all ? 0 : 1));
    else if (all)
        y = ag_min(s, as_bool(s, x), axes, n, keep);
    else
        y = ag_max(s, as_bool(s, x), axes, n, keep);
    return agni_return(op, s, out, y);
}

agn_status agn_all(agn_tensor **out, const agn_tensor *x, const int32_t *axes, int32_t n,
                   bool keep)
{
    return reduce_bool("all", out, x, axes, n, keep, true);
}
agn_status agn_any(agn_tensor **out, const agn_tensor *x, const int32_t *axes, int32_t n,
                   bool keep)
{
    return reduce_bool("any", out, x, axes, n, keep, false);
}

agn_status agn_count_nonzero(agn_tensor **out, const agn_tensor *x, const int32_t *axes,
                             int32_t n, bool keep)
{
    AGNI_NEED("count_nonzero", out);
    AGNI_NEED("count_nonzero", x);
    agn_scope *s = agn_scope_open(NULL);
    return agni_return("count_nonzero", s, out, ag_sum(s, as_bool(s, x), axes, n, keep));
}
