/* fft/signal/analysis/sequences.c - binary sequences of shift registers (Golomb 1967), sweeps along
   polynomials, how well events keep a period (Goldberg & Brown 1969). */
#include "fft/signal/signal.h"

#include <agnesi/ag.h>
#include <agnesi/signal_analysis.h>
#include <math.h>

#define PI 3.14159265358979323846

enum { MOST_BITS = 32, MOST_PERIOD = 28 };

/* a primitive polynomial each: taps beside the first (Golomb 1967; Zierler & Brillhart 1968) */
static const unsigned char register_taps[MOST_BITS + 1][3] = {
    [2] = {1},           [3] = {2},           [4] = {3},           [5] = {3},
    [6] = {5},           [7] = {6},           [8] = {7, 6, 1},     [9] = {5},
    [10] = {7},          [11] = {9},          [12] = {11, 10, 4},  [13] = {12, 11, 8},
    [14] = {13, 12, 2},  [15] = {14},         [16] = {15, 13, 4},  [17] = {14},
    [18] = {11},         [19] = {18, 17, 14}, [20] = {17},         [21] = {19},
    [22] = {21},         [23] = {18},         [24] = {23, 22, 17}, [25] = {22},
    [26] = {25, 24, 20}, [27] = {26, 25, 22}, [28] = {25},         [29] = {27},
    [30] = {29, 28, 7},  [31] = {28},         [32] = {31, 30, 10}};

agn_status agn_signal_maximum_length(agn_tensor **out, uint8_t *state, int32_t bits, int64_t n)
{
    static const char op[] = "signal_maximum_length";
    uint8_t own[MOST_BITS];
    bool some = !state;
    AGNI_NEED(op, out);
    if (bits < 2 || bits > MOST_BITS || n < 0 || (!n && bits > MOST_PERIOD))
        return agni_fail(AGN_EARG,
                         "%s: %d bits, %lld numbers; bits are 2 to %d, of a whole period to %d, "
                         "numbers not negative",
                         op, bits, (long long)n, MOST_BITS, MOST_PERIOD);
    n = n ? n : ((int64_t)1 << bits) - 1;
    for (int32_t k = 0; k < bits; k++) {
        own[k] = state ? state[k] : 1;
        some = some || own[k];
        if (own[k] > 1)
            return agni_fail(AGN_EARG, "%s: bit %d of the state is %d; it is 0 or 1", op, k,
                             own[k]);
    }
    if (!some)
        return agni_fail(AGN_EARG, "%s: all %d bits of the state are 0", op, bits);
    uint8_t *v = agni_alloc((size_t)n);
    if (!v)
        return agni_nomem(op, (size_t)n);
    int64_t at = 0;
    for (int64_t i = 0; i < n; i++, at = at + 1 == bits ? 0 : at + 1) {
        uint8_t next = v[i] = own[at];
        for (int k = 0; k < 3 && register_taps[bits][k]; k++)
            next ^= own[(register_taps[bits][k] + at) % bits];
        own[at] = next;
    }
    agn_status st = agn_from_host(out, AGN_U8, 1, &n, v);
    agni_free(v);
    for (int32_t k = 0; !st && state && k < bits; k++)
        state[k] = own[(k + at) % bits];
    return st;
}

agn_status agn_signal_sweep_polynomial(agn_tensor **out, const agn_tensor *t,
                                       const double *coefficients, int32_t count, double phase)
{
    static const char op[] = "signal_sweep_polynomial";
    AGNI_NEED(op, out);
    AGNI_NEED(op, t);
    AGNI_NEED(op, coefficients);
    if (agni_kind(t->dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "%s: t is %s %s; times are real", op,
                         agni_dtypes[t->dtype].name, AGNI_SHAPE(t));
    bool finite = count >= 1 && count <= 64 && isfinite(phase);
    for (int32_t k = 0; finite && k < count; k++)
        finite = isfinite(coefficients[k]);
    if (!finite)
        return agni_fail(
            AGN_EARG, "%s: %d coefficients, a phase of %g for t %s; there are 1 to 64, all finite",
            op, count, phase, AGNI_SHAPE(t));
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *v = agni_cast(s, t, agni_signal_dtype(t->dtype)), *sum = NULL;
    for (int32_t k = 0; k < count; k++) { /* the integral, by Horner's scheme */
        double c = coefficients[k] / (count - k);
        sum = sum ? ag_mul(s, ag_add_c(s, sum, c), v) : ag_mul_c(s, v, c);
    }
    return agni_return(op, s, out,
                       ag_cos(s, ag_add_c(s, ag_mul_c(s, sum, 2 * PI), phase)));
}

agn_status agn_signal_vector_strength(agn_tensor **strength, agn_tensor **phase,
                                      const agn_tensor *events, const agn_tensor *period)
{
    static const char op[] = "signal_vector_strength";
    AGNI_NEED(op, strength);
    AGNI_NEED(op, phase);
    AGNI_NEED(op, events);
    AGNI_NEED(op, period);
    if (agni_kind(events->dtype) == AGNI_KIND_COMPLEX ||
        agni_kind(period->dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "%s: events are %s, periods %s; both are real", op,
                         agni_dtypes[events->dtype].name, agni_dtypes[period->dtype].name);
    if (events->ndim != 1 || !events->size || period->ndim == AGNI_MAX_RANK)
        return agni_fail(AGN_ESHAPE, "%s: events are %s, periods %s; events are [n], not 0", op,
                         AGNI_SHAPE(events), AGNI_SHAPE(period));
    int dtype = agni_signal_common_dtype(2, (const agn_tensor *[]){events, period});
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *turn = ag_div(s, agni_cast(s, events, dtype),
                                    ag_expand_dims(s, agni_cast(s, period, dtype), -1));
    turn = ag_mul_c(s, turn, 2 * PI);
    const agn_tensor *c = ag_mean(s, ag_cos(s, turn), (int32_t[]){-1}, 1, false),
                     *v = ag_mean(s, ag_sin(s, turn), (int32_t[]){-1}, 1, false);
    agn_scope_return(s, strength, ag_hypot(s, c, v));
    agn_scope_return(s, phase, ag_atan2(s, v, c));
    return agni_rename_error(op, agn_scope_close(s));
}
