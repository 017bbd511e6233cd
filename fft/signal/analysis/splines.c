/* fft/signal/analysis/splines.c - splines of degree 2 and 3 through equidistant samples that are
   mirrored at their ends, as weights of B-splines (Unser, Aldroubi & Eden 1993). */
#include "fft/signal/signal.h"

#include <agnesi/ag.h>
#include <agnesi/linalg.h>
#include <agnesi/signal_analysis.h>

static agn_status check_degree(const char *op, int32_t degree, const agn_tensor *x)
{
    return degree == 2 || degree == 3
               ? AGN_OK
               : agni_fail(AGN_EARG, "%s: degree %d for x %s; it is 2 or 3", op, degree,
                           AGNI_SHAPE(x));
}

/* three rows [3, n]: below, on and above the diagonal of the values of splines at the samples */
static agn_status make_bands(agn_tensor **out, const char *op, int dtype, int64_t n, int32_t degree)
{
    agn_tensor *wide = NULL;
    size_t size = (size_t)(3 * n) * sizeof(double);
    double *v = agni_alloc(size), side = degree == 3 ? 1.0 / 6 : 1.0 / 8, middle = 1 - 2 * side;
    if (!v)
        return agni_nomem(op, size);
    for (int64_t i = 0; i < n; i++) {
        v[i] = i == n - 1 ? 2 * side : side;
        v[n + i] = n > 1 ? middle : 1;
        v[2 * n + i] = i == 0 ? 2 * side : side;
    }
    agn_status st = agn_from_host(&wide, AGN_F64, 2, (int64_t[]){3, n}, v);
    agni_free(v);
    if (!st)
        st = agn_cast(out, wide, dtype);
    agn_release(wide);
    return st;
}

agn_status agn_signal_spline_coefficients(agn_tensor **out, const agn_tensor *x, int32_t degree)
{
    static const char op[] = "signal_spline_coefficients";
    agn_tensor *made = NULL;
    agn_status st = agni_signal_check(op, out, x);
    if (!st)
        st = check_degree(op, degree, x);
    if (st)
        return st;
    int dtype = agni_signal_dtype(x->dtype);
    int64_t n = x->shape[x->ndim - 1];
    agn_scope *s = agn_scope_open(NULL);
    st = make_bands(&made, op, dtype, n, degree);
    const agn_tensor *t = agni_adopt_constant(s, st, made), *y = agni_cast(s, x, dtype);
    const agn_tensor *low = ag_index_axis(s, t, 0, 0), *up = ag_index_axis(s, t, 0, 2);
    if (!low || !up || !y)
        return agni_return(op, s, out, NULL);
    y = ag_linalg_solve_tridiagonal(s, agni_signal_part(s, low, 1, n - 1),
                                    ag_index_axis(s, t, 0, 1), agni_signal_part(s, up, 0, n - 1),
                                    ag_expand_dims(s, y, -1));
    return agni_return(op, s, out, ag_squeeze(s, y, -1));
}

/* k, a whole number as a float, mirrored to 0 .. n - 1, as an index; 0 where it is none */
static const agn_tensor *mirror_index(agn_scope *s, const agn_tensor *k, int64_t n)
{
    double turn = n > 1 ? 2 * (double)(n - 1) : 1;
    if (!k)
        return NULL;
    k = ag_where(s, ag_isfinite(s, k), k, agni_full_like(s, 0, k));
    k = ag_sub(s, k, ag_mul_c(s, ag_floor(s, ag_div_c(s, k, turn)), turn));
    k = ag_minimum(s, k, ag_add_c(s, ag_neg(s, k), turn));
    return ag_cast(s, ag_clip_c(s, k, 0, (double)(n - 1)), AGN_I64);
}

/* the weight of the spline whose middle is t + 1 to t - 2 away */
static const agn_tensor *weigh_spline(agn_scope *s, const agn_tensor *t, int32_t degree, int k)
{
    const agn_tensor *u = ag_add_c(s, ag_neg(s, t), degree == 3 ? 1 : 0.5),
                     *v = degree == 3 ? t : ag_add_c(s, t, 0.5);
    bool outer = k == 0 || k == degree;
    const agn_tensor *w = k == 0 || (degree == 3 && k == 1) ? u : v;
    if (degree == 2)
        return k == 1 ? ag_add_c(s, ag_neg(s, ag_square(s, t)), 0.75)
                      : ag_mul_c(s, ag_square(s, w), 0.5);
    if (outer)
        return ag_div_c(s, ag_mul(s, w, ag_square(s, w)), 6);
    /* 1/6 + w / 2 + w^2 / 2 - w^3 / 2 */
    const agn_tensor *cubic = ag_mul(s, w, ag_add_c(s, ag_mul(s, w, ag_add_c(s, ag_neg(s, w), 1)),
                                                    1));
    return ag_add_c(s, ag_mul_c(s, cubic, 0.5), 1.0 / 6);
}

agn_status agn_signal_spline_values(agn_tensor **out, const agn_tensor *c, const agn_tensor *at,
                                    int32_t degree)
{
    static const char op[] = "signal_spline_values";
    AGNI_NEED(op, at);
    agn_status st = agni_signal_check(op, out, c);
    if (!st)
        st = check_degree(op, degree, c);
    if (!st && agni_kind(at->dtype) == AGNI_KIND_COMPLEX)
        st = agni_fail(AGN_EDTYPE, "%s: places are %s %s; they are real", op,
                       agni_dtypes[at->dtype].name, AGNI_SHAPE(at));
    if (!st && at->ndim != 1)
        st = agni_fail(AGN_ESHAPE, "%s: places are %s; they are [m]", op, AGNI_SHAPE(at));
    if (st)
        return st;
    int dtype = agni_signal_dtype(c->dtype), real = agni_dtypes[dtype].real;
    int64_t n = c->shape[c->ndim - 1];
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = agni_cast(s, c, dtype), *x = agni_cast(s, at, real), *sum = NULL;
    const agn_tensor *k = ag_floor(s, degree == 3 ? x : ag_add_c(s, x, 0.5)), *t = ag_sub(s, x, k);
    for (int j = 0; j <= degree && !agn_scope_status(s); j++) {
        const agn_tensor *i = mirror_index(s, ag_add_c(s, k, j - 1), n);
        sum = agni_add_present(s, sum, ag_mul(s, ag_gather(s, y, i, -1),
                                              weigh_spline(s, t, degree, j)));
    }
    return agni_return(op, s, out, sum);
}
