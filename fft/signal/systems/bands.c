/* fft/signal/systems/bands.c - s replaced by a quotient p / q: c(p / q) q^n is linear in the
   coefficients of c. The bilinear
   map (Oppenheim & Schafer 2010, 7.2) and maps of bands (Constantinides 1970). */
#include "fft/signal/systems/systems.h"

#include <agnesi/ag.h>
#include <math.h>
#include <string.h>

enum { TAPS_MOST = 1024 };

typedef struct quotient {
    int degree;
    double p[3], q[3]; /* highest power first */
} quotient;

/* y times a polynomial of the degree, in place; n coefficients before */
static void multiply_in_place(double *y, int64_t n, const double *by, int degree)
{
    for (int64_t k = n + degree - 1; k >= 0; k--) {
        double sum = 0;
        for (int j = 0; j <= degree; j++)
            if (k - j >= 0 && k - j < n)
                sum += y[k - j] * by[j];
        y[k] = sum;
    }
}

/* row i: coefficients of p^(n - 1 - i) q^i */
static const agn_tensor *make_substitution(agn_scope *s, int dtype, int64_t n, const quotient *map)
{
    agn_tensor *wide = NULL, *made = NULL;
    int64_t columns = (n - 1) * map->degree + 1;
    size_t size = (size_t)(n * columns) * sizeof(double);
    double *m = agn_scope_status(s) ? NULL : agni_alloc(size);
    if (!m) {
        if (!agn_scope_status(s))
            agn_scope_fail(s, agni_nomem("signal_substitute", size));
        return NULL;
    }
    memset(m, 0, size);
    for (int64_t i = 0; i < n; i++) {
        double *row = m + i * columns;
        row[0] = 1;
        for (int64_t k = 0; k < n - 1; k++)
            multiply_in_place(row, k * map->degree + 1, k < i ? map->q : map->p, map->degree);
    }
    agn_status st = agn_from_host(&wide, AGN_F64, 2, (int64_t[]){n, columns}, m);
    if (!st)
        st = agn_cast(&made, wide, agni_dtypes[dtype].real);
    agni_free(m);
    agn_release(wide);
    return agni_cast(s, agni_adopt_constant(s, st, made), dtype);
}

static agn_status substitute_polynomial(agn_tensor **b, agn_tensor **a, const char *op,
                                        const agn_tensor *num, const agn_tensor *den,
                                        const quotient *map)
{
    AGNI_NEED(op, b);
    AGNI_NEED(op, a);
    AGNI_NEED(op, num);
    AGNI_NEED(op, den);
    int64_t m = num->ndim ? num->shape[num->ndim - 1] : 0,
            n = den->ndim ? den->shape[den->ndim - 1] : 0;
    int64_t most = m > n ? m : n;
    if (!m || !n || most > TAPS_MOST || num->ndim >= AGNI_MAX_RANK || den->ndim >= AGNI_MAX_RANK)
        return agni_fail(AGN_ESHAPE,
                         "%s: num is %s, den %s; each has 1 to %d coefficients along its last axis",
                         op, AGNI_SHAPE(num), AGNI_SHAPE(den), TAPS_MOST);
    int dtype = agni_signal_common_dtype(2, (const agn_tensor *[]){num, den});
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *t = make_substitution(s, dtype, most, map), *y[2] = {num, den};
    for (int k = 0; k < 2; k++) {
        y[k] = agni_signal_zeros(s, agni_cast(s, y[k], dtype), most - (k ? n : m), 0);
        y[k] = ag_squeeze(s, ag_matmul(s, ag_expand_dims(s, y[k], -2), t), -2);
    }
    const agn_tensor *first = y[1] ? agni_signal_part(s, y[1], 0, 1) : NULL;
    agn_scope_return(s, b, ag_div(s, y[0], first));
    agn_scope_return(s, a, ag_div(s, y[1], first));
    return agni_rename_error(op, agn_scope_close(s));
}

agn_status agn_signal_bilinear(agn_tensor **b, agn_tensor **a, const agn_tensor *num,
                               const agn_tensor *den, double rate)
{
    static const char op[] = "signal_bilinear";
    if (!(rate > 0) || !isfinite(rate))
        return agni_fail(AGN_EARG, "%s: a rate of %g; it is positive", op, rate);
    quotient map = {1, {2 * rate, -2 * rate}, {1, 1}};
    return substitute_polynomial(b, a, op, num, den, &map);
}

agn_status agn_signal_transform_band(agn_tensor **b, agn_tensor **a, const agn_tensor *num,
                                     const agn_tensor *den, int32_t band, double low, double high)
{
    static const char op[] = "signal_transform_band";
    bool two = band == AGN_BAND_PASS || band == AGN_BAND_STOP;
    if (band < AGN_BAND_LOW || band > AGN_BAND_STOP || !(low > 0) || !isfinite(low) ||
        (two && (!(high > low) || !isfinite(high))))
        return agni_fail(
            AGN_EARG,
            "%s: band %d with edges %g and %g; bands are 0 to %d, edges positive and rising", op,
            band, low, high, AGN_BAND_STOP);
    double w2 = low * high, width = high - low;
    const quotient maps[] = {[AGN_BAND_LOW] = {1, {1, 0}, {0, low}},
                             [AGN_BAND_HIGH] = {1, {0, low}, {1, 0}},
                             [AGN_BAND_PASS] = {2, {1, 0, w2}, {0, width, 0}},
                             [AGN_BAND_STOP] = {2, {0, width, 0}, {1, 0, w2}}};
    return substitute_polynomial(b, a, op, num, den, &maps[band]);
}

/* (c + r) / (c - r) of each root */
static const agn_tensor *map_roots(agn_scope *s, const agn_tensor *r, double c)
{
    return ag_div(s, ag_add_c(s, r, c), ag_add_c(s, ag_neg(s, r), c));
}

agn_status agn_signal_bilinear_roots(agn_tensor **zeros, agn_tensor **poles, agn_tensor **gain,
                                     const agn_tensor *z, const agn_tensor *p, const agn_tensor *k,
                                     double rate)
{
    static const char op[] = "signal_bilinear_roots";
    AGNI_NEED(op, zeros);
    AGNI_NEED(op, poles);
    AGNI_NEED(op, gain);
    AGNI_NEED(op, z);
    AGNI_NEED(op, p);
    AGNI_NEED(op, k);
    if (!(rate > 0) || !isfinite(rate))
        return agni_fail(AGN_EARG, "%s: a rate of %g; it is positive", op, rate);
    if (!z->ndim || !p->ndim || z->shape[z->ndim - 1] > p->shape[p->ndim - 1])
        return agni_fail(
            AGN_ESHAPE,
            "%s: zeros are %s, poles %s; roots lie along an axis, zeros not more than poles", op,
            AGNI_SHAPE(z), AGNI_SHAPE(p));
    int64_t more = p->shape[p->ndim - 1] - z->shape[z->ndim - 1];
    int dtype = agni_signal_common_dtype(3, (const agn_tensor *[]){z, p, k});
    double c = 2 * rate;
    agn_scope *s = agn_scope_open(NULL);
    z = agni_cast(s, z, dtype);
    p = agni_cast(s, p, dtype);
    /* the roots added are -1: (x + 1) among zeros, less 1 */
    const agn_tensor *roots = ag_add_c(
        s, agni_signal_zeros(s, ag_add_c(s, map_roots(s, z, c), 1), 0, more), -1);
    const agn_tensor *up = ag_prod(s, ag_add_c(s, ag_neg(s, z), c), (int32_t[]){-1}, 1, false),
                     *down = ag_prod(s, ag_add_c(s, ag_neg(s, p), c), (int32_t[]){-1}, 1, false);
    agn_scope_return(s, zeros, roots);
    agn_scope_return(s, poles, map_roots(s, p, c));
    agn_scope_return(s, gain, ag_mul(s, agni_cast(s, k, dtype), ag_div(s, up, down)));
    return agni_rename_error(op, agn_scope_close(s));
}
