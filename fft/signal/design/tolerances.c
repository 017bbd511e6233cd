/* fft/signal/design/tolerances.c - the lowest order of a recursive filter for its tolerances
   (Oppenheim & Schafer 2010, B), and taps and window of a finite one (Kaiser 1974). */
#include "fft/signal/design/roots.h"

#include <agnesi/signal_analysis.h>
#include <math.h>

#define PI 3.14159265358979323846

/* pass and stop edges in units of half the rate, or mapped to the analog axis */
typedef struct edges {
    double pass[2], stop[2];
} edges;

static agn_status check_tolerances(const char *op, const agn_signal_iir_options *a, double stop_low,
                                   double stop_high, edges *e)
{
    double half = a->rate == 0 ? 1 : a->rate / 2;
    if (a->family < 0 || a->family >= AGN_IIR_BESSEL || a->band < 0 || a->band > AGN_BAND_STOP)
        return agni_fail(AGN_EARG, "%s: family %d, band %d; there are 0 to %d and 0 to %d", op,
                         a->family, a->band, AGN_IIR_BESSEL - 1, AGN_BAND_STOP);
    bool two = a->band == AGN_BAND_PASS || a->band == AGN_BAND_STOP,
         outside = a->band == AGN_BAND_HIGH || a->band == AGN_BAND_PASS; /* where it stops */
    double lo = outside ? stop_low : a->low, hi = outside ? a->low : stop_low,
           lo2 = a->band == AGN_BAND_PASS ? a->high : stop_high,
           hi2 = a->band == AGN_BAND_PASS ? stop_high : a->high;
    if (!(half > 0) || !isfinite(half) || !(lo > 0 && lo < hi && hi < half) ||
        (two && !(hi < lo2 && lo2 < hi2 && hi2 < half)))
        return agni_fail(AGN_EARG,
                         "%s: band %d passes from %g to %g and stops from %g to %g; edges rise in "
                         "their order, between 0 and %g, half the rate",
                         op, a->band, a->low, a->high, stop_low, stop_high, half);
    if (!(a->ripple > 0 && a->ripple < a->attenuation && a->attenuation < 300))
        return agni_fail(AGN_EARG,
                         "%s: a ripple of %g dB, an attenuation of %g dB; both are positive, the "
                         "first the lower, and below 300",
                         op, a->ripple, a->attenuation);
    *e = (edges){{tan(PI / 2 * a->low / half), two ? tan(PI / 2 * a->high / half) : 1},
                 {tan(PI / 2 * stop_low / half), two ? tan(PI / 2 * stop_high / half) : 1}};
    return AGN_OK;
}

/* the stop edge of the low pass that the filter is made of, whose pass edge is 1. A stopped band is
   made symmetric: that is what the prototype can do, and the widest. */
static double find_stop_edge(edges *e, int32_t band)
{
    double *p = e->pass, *s = e->stop;
    if (band == AGN_BAND_LOW)
        return s[0] / p[0];
    if (band == AGN_BAND_HIGH)
        return p[0] / s[0];
    if (band == AGN_BAND_STOP) {
        p[0] = fmax(p[0], s[0] * s[1] / p[1]);
        p[1] = fmin(p[1], s[0] * s[1] / p[0]);
    }
    double least = (double)INFINITY;
    for (int k = 0; k < 2; k++) {
        double across = fabs(s[k] * s[k] - p[0] * p[1]), along = s[k] * (p[1] - p[0]);
        least = fmin(least, band == AGN_BAND_STOP ? along / across : across / along);
    }
    return least;
}

/* K(1 - m) of the parameter m */
static double quarter_period(double m)
{
    double a = 1, b = sqrt(m);
    for (int k = 0; k < 60 && fabs(a - b) > 1e-16 * a; k++) {
        double mean = (a + b) / 2;
        b = sqrt(a * b);
        a = mean;
    }
    return PI / (a + b);
}

/* edges of a filter whose low pass has its edge at w */
static void scale_edges(double *p, int32_t band, double w)
{
    double wide = p[1] - p[0], square = p[0] * p[1];
    if (band == AGN_BAND_LOW) {
        p[0] *= w;
    } else if (band == AGN_BAND_HIGH) {
        p[0] /= w;
    } else {
        double half = (band == AGN_BAND_PASS ? w * wide : wide / w) / 2,
               root = sqrt(half * half + square);
        p[0] = square / (root + half);
        p[1] = root + half;
    }
}

agn_status agn_signal_choose_iir_order(agn_signal_iir_options *out,
                                       const agn_signal_iir_options *opts, double stop_low,
                                       double stop_high)
{
    static const char op[] = "signal_choose_iir_order";
    agn_signal_iir_options a;
    edges e = {{0, 0}, {0, 0}};
    AGNI_NEED(op, out);
    AGNI_NEED(op, opts);
    if (agni_check_size(op, agn_signal_iir_options, opts))
        return AGN_EARG;
    a = *opts;
    agn_status st = check_tolerances(op, &a, stop_low, stop_high, &e);
    if (st)
        return st;
    double at = find_stop_edge(&e, a.band), pass = expm1(log(10) * a.ripple / 10),
           stop = expm1(log(10) * a.attenuation / 10), order = 0, w = 1;
    if (a.family == AGN_IIR_BUTTERWORTH) {
        order = ceil(log(stop / pass) / (2 * log(at)));
        w = pow(pass, -1 / (2 * order));
    } else if (a.family == AGN_IIR_ELLIPTIC) {
        double m = 1 / (at * at), m1 = pass / stop;
        order = ceil(quarter_period(1 - m) / quarter_period(m) * quarter_period(m1) /
                     quarter_period(1 - m1));
    } else {
        double reach = acosh(sqrt(stop / pass));
        order = ceil(reach / acosh(at));
        w = a.family == AGN_IIR_CHEBYSHEV ? 1 : cosh(reach / order);
    }
    if (!(order >= 1 && order <= AGNI_IIR_ORDER))
        return agni_fail(AGN_EDOMAIN, "%s: the order is %g; it is 1 to %d", op, order,
                         AGNI_IIR_ORDER);
    scale_edges(e.pass, a.band, w);
    double half = a.rate == 0 ? 1 : a.rate / 2;
    a.order = (int32_t)order;
    a.low = 2 / PI * half * atan(e.pass[0]);
    if (a.band == AGN_BAND_PASS || a.band == AGN_BAND_STOP)
        a.high = 2 / PI * half * atan(e.pass[1]);
    *out = a;
    return AGN_OK;
}

agn_status agn_signal_choose_kaiser(int64_t *taps, double *beta, double attenuation, double width)
{
    static const char op[] = "signal_choose_kaiser";
    AGNI_NEED(op, taps);
    AGNI_NEED(op, beta);
    if (!(attenuation >= 8 && attenuation < 1000) || !(width > 0 && width < 1))
        return agni_fail(
            AGN_EARG,
            "%s: %g dB over a width of %g; there are 8 to 1000 dB, widths lie between 0 "
            "and 1",
            op, attenuation, width);
    double n = ceil((attenuation - 7.95) / 2.285 / (PI * width) + 1);
    if (!(n < 0x1p62))
        return agni_fail(AGN_EARG, "%s: %g dB over a width of %g take %g taps", op, attenuation,
                         width, n);
    *taps = (int64_t)n;
    *beta = attenuation > 50   ? 0.1102 * (attenuation - 8.7)
            : attenuation > 21 ? 0.5842 * pow(attenuation - 21, 0.4) + 0.07886 * (attenuation - 21)
                               : 0;
    return AGN_OK;
}
