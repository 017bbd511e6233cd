/* audio/biquad.c - second-order sections by frequency, quality and gain (Bristow-Johnson, Cookbook
   formulae for audio equalizer biquad filter coefficients, 1998), and linear prediction (Burg
   1968). */
#include "audio/audio.h"

#include <agnesi/ag.h>
#include <float.h>
#include <math.h>

#define PI 3.14159265358979323846

/* p + q c for numbers p, q that are tensors of one shape */
static const agn_tensor *combine_linearly(agn_scope *s, const agn_tensor *p, const agn_tensor *q,
                                          const agn_tensor *c)
{
    return ag_add(s, p, ag_mul(s, q, c));
}

/* b_0 b_1 b_2 a_0 a_1 a_2 of cos w, alpha = sin w / (2 q) and a = 10^(gain / 40) */
static void fill_section(agn_scope *s, int32_t kind, const agn_tensor *c, const agn_tensor *al,
                         const agn_tensor *a, const agn_tensor **k)
{
    const agn_tensor *one = ag_add_c(s, ag_mul_c(s, c, 0), 1), *minus2c = ag_mul_c(s, c, -2);
    const agn_tensor *plus = ag_add_c(s, al, 1), *minus = ag_add_c(s, ag_neg(s, al), 1);
    k[3] = plus;
    k[4] = minus2c;
    k[5] = minus;
    switch (kind) {
    case AGN_BIQUAD_LOW_PASS:
        k[1] = ag_add_c(s, ag_neg(s, c), 1);
        k[0] = k[2] = ag_mul_c(s, k[1], 0.5);
        break;
    case AGN_BIQUAD_HIGH_PASS:
        k[1] = ag_add_c(s, ag_neg(s, c), -1);
        k[0] = k[2] = ag_mul_c(s, k[1], -0.5);
        break;
    case AGN_BIQUAD_BAND_PASS:
        k[0] = al;
        k[1] = ag_mul_c(s, al, 0);
        k[2] = ag_neg(s, al);
        break;
    case AGN_BIQUAD_NOTCH:
        k[0] = k[2] = one;
        k[1] = minus2c;
        break;
    case AGN_BIQUAD_ALL_PASS:
        k[0] = minus;
        k[1] = minus2c;
        k[2] = plus;
        break;
    case AGN_BIQUAD_PEAK: {
        const agn_tensor *up = ag_mul(s, al, a), *down = ag_div(s, al, a);
        k[0] = ag_add_c(s, up, 1);
        k[1] = k[4] = minus2c;
        k[2] = ag_add_c(s, ag_neg(s, up), 1);
        k[3] = ag_add_c(s, down, 1);
        k[5] = ag_add_c(s, ag_neg(s, down), 1);
        break;
    }
    default: { /* shelves; the high one is the low one with -c, and the odd coefficients' signs */
        bool high = kind == AGN_BIQUAD_HIGH_SHELF;
        const agn_tensor *u = high ? ag_neg(s, c) : c, *p = ag_add_c(s, a, 1),
                         *m = ag_add_c(s, a, -1);
        const agn_tensor *root = ag_mul_c(s, ag_mul(s, ag_sqrt(s, a), al), 2);
        const agn_tensor *top = ag_sub(s, p, ag_mul(s, m, u)), *low = combine_linearly(s, p, m, u);
        const agn_tensor *odd = ag_mul_c(s, ag_mul(s, a, ag_sub(s, m, ag_mul(s, p, u))),
                                         high ? -2 : 2);
        k[0] = ag_mul(s, a, ag_add(s, top, root));
        k[1] = odd;
        k[2] = ag_mul(s, a, ag_sub(s, top, root));
        k[3] = ag_add(s, low, root);
        k[4] = ag_mul_c(s, combine_linearly(s, m, p, u), high ? 2 : -2);
        k[5] = ag_sub(s, low, root);
    }
    }
}

agn_status agn_audio_biquad(agn_tensor **out, int32_t kind, const agn_tensor *frequency,
                            const agn_tensor *q, const agn_tensor *gain, double rate)
{
    static const char op[] = "audio_biquad";
    bool gains = kind >= AGN_BIQUAD_PEAK;
    if (!out || !frequency || !q || (gains && !gain))
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op,
                         !out         ? "out"
                         : !frequency ? "frequency"
                         : q          ? "gain"
                                      : "q");
    const agn_tensor *in[] = {frequency, q, gains ? gain : q};
    int dtype = agni_promote(agni_promote(in[0]->dtype, in[1]->dtype), in[2]->dtype);
    for (int k = 0; k < 3; k++)
        if (agni_kind(in[k]->dtype) == AGNI_KIND_COMPLEX)
            return agni_fail(AGN_EDTYPE, "%s: %s is %s; a real dtype is needed", op,
                             k == 0   ? "frequency"
                             : k == 1 ? "q"
                                      : "gain",
                             agni_dtypes[in[k]->dtype].name);
    if (kind < 0 || kind > AGN_BIQUAD_HIGH_SHELF || !(rate > 0) || !isfinite(rate))
        return agni_fail(AGN_EARG,
                         "%s: kind %d at a rate of %g; there are 0 to %d, the rate positive", op,
                         kind, rate, AGN_BIQUAD_HIGH_SHELF);
    dtype = agni_audio_dtype(dtype);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *zero = NULL, *k[6] = {NULL}, *v[3];
    for (int i = 0; i < 3; i++) {
        v[i] = ag_cast(s, in[i], dtype);
        zero = agni_add_present(s, zero, ag_mul_c(s, v[i], 0)); /* of the shape that all broadcast to */
    }
    const agn_tensor *w = ag_add(s, ag_mul_c(s, v[0], 2 * PI / rate), zero);
    const agn_tensor *al = ag_div(s, ag_sin(s, w), ag_mul_c(s, v[1], 2));
    const agn_tensor *a = gains ? ag_add(s, ag_exp(s, ag_mul_c(s, v[2], log(10) / 40)), zero)
                                : NULL;
    if (!agn_scope_status(s))
        fill_section(s, kind, ag_cos(s, w), al, a, k);
    return agni_return(op, s, out, agn_scope_status(s) ? NULL : ag_stack(s, k, 6, -1));
}

/* ---- linear prediction ---------------------------------------------------------------------- */

static const agn_tensor *dot_rows(agn_scope *s, const agn_tensor *a, const agn_tensor *b)
{
    return ag_sum(s, ag_mul(s, a, b), (int32_t[]){-1}, 1, true);
}

/* each step adds the reflection that leaves the least forward and backward errors */
agn_status agn_audio_lpc(agn_tensor **out, const agn_tensor *x, int32_t order)
{
    static const char op[] = "audio_lpc";
    agn_status st = agni_audio_check_real(op, out, x);
    if (!st && (!x->ndim || order < 1 || order >= x->shape[x->ndim - 1]))
        st = agni_fail(AGN_ESHAPE,
                       "%s: order %d of x %s; it is at least 1, and below the number of samples",
                       op, order, AGNI_SHAPE(x));
    if (st)
        return st;
    int dtype = agni_audio_dtype(x->dtype);
    int64_t n = x->shape[x->ndim - 1];
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = ag_cast(s, x, dtype), *f = agni_audio_part(s, y, 1, n - 1),
                     *b = agni_audio_part(s, y, 0, n - 1);
    const agn_tensor *a = ag_add_c(s, ag_mul_c(s, agni_audio_part(s, y, 0, 1), 0), 1);
    for (int32_t k = 0; k < order && !agn_scope_status(s); k++) {
        const agn_tensor *power = ag_add_c(s, ag_add(s, dot_rows(s, f, f), dot_rows(s, b, b)),
                                           dtype == AGN_F32 ? (double)FLT_MIN : DBL_MIN);
        const agn_tensor *r = ag_mul_c(s, ag_div(s, dot_rows(s, f, b), power), -2),
                         *next = combine_linearly(s, f, r, b);
        b = combine_linearly(s, b, r, f);
        int64_t left = n - 2 - k;
        f = left ? agni_audio_part(s, next, 1, left) : f;
        b = left ? agni_audio_part(s, b, 0, left) : b;
        int64_t lo[AGNI_MAX_RANK] = {0}, hi[AGNI_MAX_RANK] = {0};
        lo[x->ndim - 1] = 1;
        const agn_tensor *late = ag_flip(s, a, (int32_t[]){-1}, 1);
        late = ag_pad(s, late, x->ndim, lo, hi, 0);
        lo[x->ndim - 1] = 0;
        hi[x->ndim - 1] = 1;
        a = combine_linearly(s, ag_pad(s, a, x->ndim, lo, hi, 0), r, late);
    }
    return agni_return(op, s, out, a);
}
