/* fft/signal/design/iir.c - recursive filters of an analog prototype by the bilinear map s = 4 (z -
   1) / (z + 1) (Oppenheim & Schafer 2010, 7.2), as roots and as second-order sections. */
#include "fft/signal/design/roots.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

/* ---- bands ---------------------------------------------------------------------------------- */

static int count_roots(const agni_roots *r)
{
    return r->reals + 2 * r->pairs;
}

static void scale_roots(agni_roots *r, double w)
{
    for (int k = 0; k < r->reals; k++)
        r->real[k] *= w;
    for (int k = 0; k < r->pairs; k++)
        r->pair[k] *= w;
}

static void invert_roots(agni_roots *r, double w)
{
    for (int k = 0; k < r->reals; k++)
        r->real[k] = w / r->real[k];
    for (int k = 0; k < r->pairs; k++)
        r->pair[k] = conj(w / r->pair[k]);
}

/* s to (s^2 + w^2) / s: each root z to z +- sqrt(z^2 - w^2), z halved before */
static void split_roots(agni_roots *r, double w)
{
    agni_roots two = {.reals = 0};
    for (int k = 0; k < r->reals; k++) {
        double z = r->real[k], inside = z * z - w * w, q = sqrt(fabs(inside));
        if (inside < 0) {
            agni_roots_add(&two, agni_root(z, q));
        } else { /* the sum without cancellation, the other by their product */
            double far = z < 0 ? z - q : z + q;
            agni_roots_add(&two, far);
            agni_roots_add(&two, w * w / far);
        }
    }
    for (int k = 0; k < r->pairs; k++) {
        double complex z = r->pair[k], q = csqrt(z * z - w * w);
        double complex far = cabs(z + q) > cabs(z - q) ? z + q : z - q;
        agni_roots_add(&two, far);
        agni_roots_add(&two, w * w / far);
    }
    *r = two;
}

static void fill_roots(agni_roots *r, int n, double at)
{
    for (; n > 0; n--)
        agni_roots_add(r, at);
}

/* a low pass with the edge 1 as a pass of analog edges lo and hi */
static void shape_band(agni_zpk *f, int32_t band, double lo, double hi)
{
    int degree = count_roots(&f->p) - count_roots(&f->z);
    double middle = sqrt(lo * hi), width = hi - lo;
    switch (band) {
    case AGN_BAND_LOW:
        scale_roots(&f->z, lo);
        scale_roots(&f->p, lo);
        f->k *= pow(lo, degree);
        break;
    case AGN_BAND_HIGH:
    case AGN_BAND_STOP:
        f->k *= agni_roots_product(&f->z, 0) / agni_roots_product(&f->p, 0);
        invert_roots(&f->z, band == AGN_BAND_HIGH ? lo : width / 2);
        invert_roots(&f->p, band == AGN_BAND_HIGH ? lo : width / 2);
        if (band == AGN_BAND_HIGH) {
            fill_roots(&f->z, degree, 0);
            break;
        }
        split_roots(&f->z, middle);
        split_roots(&f->p, middle);
        for (int k = 0; k < degree; k++)
            agni_roots_add(&f->z, agni_root(0, middle));
        break;
    default:
        scale_roots(&f->z, width / 2);
        scale_roots(&f->p, width / 2);
        split_roots(&f->z, middle);
        split_roots(&f->p, middle);
        fill_roots(&f->z, degree, 0);
        f->k *= pow(width, degree);
    }
}

static void map_roots(agni_roots *r)
{
    for (int k = 0; k < r->reals; k++)
        r->real[k] = (4 + r->real[k]) / (4 - r->real[k]);
    for (int k = 0; k < r->pairs; k++)
        r->pair[k] = (4 + r->pair[k]) / (4 - r->pair[k]);
}

static agn_status check_iir(const char *op, const agn_signal_iir_options *a)
{
    double half = a->rate == 0 ? 1 : a->rate / 2;
    bool two = a->band == AGN_BAND_PASS || a->band == AGN_BAND_STOP;
    if (a->family < 0 || a->family > AGN_IIR_BESSEL || a->band < 0 || a->band > AGN_BAND_STOP)
        return agni_fail(AGN_EARG, "%s: family %d, band %d; there are 0 to %d and 0 to %d", op,
                         a->family, a->band, AGN_IIR_BESSEL, AGN_BAND_STOP);
    int most = a->family == AGN_IIR_BESSEL ? 24 : AGNI_IIR_ORDER;
    if (a->order < 1 || a->order > most)
        return agni_fail(AGN_EARG, "%s: the order is %d; it is 1 to %d", op, a->order, most);
    if (!(half > 0) || !isfinite(half) || !(a->low > 0 && a->low < half) ||
        (two && !(a->high > a->low && a->high < half)))
        return agni_fail(AGN_EARG,
                         "%s: edges %g and %g; they rise, between 0 and %g, half the rate", op,
                         a->low, a->high, half);
    bool ripple = a->family == AGN_IIR_CHEBYSHEV || a->family == AGN_IIR_ELLIPTIC;
    bool stop = a->family == AGN_IIR_INVERSE_CHEBYSHEV || a->family == AGN_IIR_ELLIPTIC;
    if ((ripple && !(a->ripple > 0 && a->ripple < 300)) ||
        (stop && !(a->attenuation > 0 && a->attenuation < 300)) ||
        (ripple && stop && !(a->ripple < a->attenuation)))
        return agni_fail(
            AGN_EARG,
            "%s: a ripple of %g dB, an attenuation of %g dB; both are positive, the first "
            "the lower, and below 300",
            op, a->ripple, a->attenuation);
    return AGN_OK;
}

static agn_status design_prototype(agni_zpk *f, const char *op, const agn_signal_iir_options *given)
{
    if (!given)
        return agni_fail(AGN_ENULL, "%s: opts is NULL", op);
    if (agni_check_size(op, agn_signal_iir_options, given))
        return AGN_EARG;
    agn_signal_iir_options a = *given; /* edges and band do not count */
    a.band = AGN_BAND_LOW;
    a.rate = 0;
    a.low = 0.5;
    agn_status st = check_iir(op, &a);
    return st ? st : agni_iir_prototype(f, op, &a);
}

agn_status agni_iir_design(agni_zpk *f, const char *op, const agn_signal_iir_options *given)
{
    if (!given)
        return agni_fail(AGN_ENULL, "%s: opts is NULL", op);
    if (agni_check_size(op, agn_signal_iir_options, given))
        return AGN_EARG;
    agn_status st = check_iir(op, given);
    if (st)
        return st;
    double rate = given->rate == 0 ? 2 : given->rate;
    st = agni_iir_prototype(f, op, given);
    if (st)
        return st;
    shape_band(f, given->band, 4 * tan(PI * given->low / rate), 4 * tan(PI * given->high / rate));
    int degree = count_roots(&f->p) - count_roots(&f->z);
    f->k *= agni_roots_product(&f->z, 4) / agni_roots_product(&f->p, 4);
    map_roots(&f->z);
    map_roots(&f->p);
    fill_roots(&f->z, degree, -1);
    return AGN_OK;
}

/* ---- sections ------------------------------------------------------------------------------- */

/* takes root k of the pairs, or of the reals, away */
static double complex take_pair(agni_roots *r, int k)
{
    double complex z = r->pair[k];
    r->pair[k] = r->pair[--r->pairs];
    return z;
}
static double take_real(agni_roots *r, int k)
{
    double z = r->real[k];
    r->real[k] = r->real[--r->reals];
    return z;
}
static int nearest_pair(const agni_roots *r, double complex to)
{
    int best = 0;
    for (int k = 1; k < r->pairs; k++)
        if (cabs(r->pair[k] - to) < cabs(r->pair[best] - to))
            best = k;
    return best;
}
static int nearest_real(const agni_roots *r, double complex to)
{
    int best = 0;
    for (int k = 1; k < r->reals; k++)
        if (cabs(r->real[k] - to) < cabs(r->real[best] - to))
            best = k;
    return best;
}
/* the pole nearest to the unit circle: index of a pair, or of a real with *real */
static int find_outermost(const agni_roots *r, bool *real)
{
    int best = -1;
    double away = INFINITY;
    *real = false;
    for (int k = 0; k < r->pairs; k++)
        if (fabs(1 - cabs(r->pair[k])) < away) {
            away = fabs(1 - cabs(r->pair[k]));
            best = k;
        }
    for (int k = 0; k < r->reals; k++)
        if (fabs(1 - fabs(r->real[k])) < away) {
            away = fabs(1 - fabs(r->real[k]));
            best = k;
            *real = true;
        }
    return best;
}

static void put_pair(double *c, double complex z)
{
    c[0] = 1;
    c[1] = -2 * creal(z);
    c[2] = creal(z) * creal(z) + cimag(z) * cimag(z);
}
static void put_reals(double *c, double a, double b)
{
    c[0] = 1;
    c[1] = -(a + b);
    c[2] = a * b;
}

/* Poles nearest to the unit circle go to the last section, with the zeros nearest to them, so that
   no section amplifies much; f is used up. */
int agni_pair_sections(agni_zpk *f, double (*sos)[6])
{
    if (f->p.reals % 2) {
        f->p.real[f->p.reals++] = 0;
        f->z.real[f->z.reals++] = 0;
    }
    int n = count_roots(&f->p) / 2;
    for (int k = n - 1; k >= 0; k--) {
        bool real;
        int at = find_outermost(&f->p, &real);
        double complex p = real ? take_real(&f->p, at) : take_pair(&f->p, at);
        if (real) {
            agni_roots left = {.reals = f->p.reals};
            memcpy(left.real, f->p.real, sizeof left.real);
            at = find_outermost(&left, &real);
            put_reals(sos[k] + 3, creal(p), take_real(&f->p, at));
        } else {
            put_pair(sos[k] + 3, p);
        }
        /* reals come in twos: both counts of reals are even */
        int zp = nearest_pair(&f->z, p), zr = nearest_real(&f->z, p);
        bool by_pair = f->z.pairs &&
                       (f->z.reals < 2 || cabs(f->z.pair[zp] - p) < cabs(f->z.real[zr] - p));
        if (by_pair) {
            put_pair(sos[k], take_pair(&f->z, zp));
        } else {
            double one = take_real(&f->z, zr);
            put_reals(sos[k], one, take_real(&f->z, nearest_real(&f->z, p)));
        }
    }
    for (int j = 0; j < 3; j++)
        sos[0][j] *= f->k;
    return n;
}

/* |1 - root / z| of all roots */
static long double distance(const agni_roots *r, long double complex z)
{
    long double d = 1;
    for (int k = 0; k < r->pairs; k++)
        d *= cabsl(1 - r->pair[k] / z) * cabsl(1 - conj(r->pair[k]) / z);
    for (int k = 0; k < r->reals; k++)
        d *= cabsl(1 - r->real[k] / z);
    return d;
}

/* Are rounded sections still the filter? They are stable (Jury 1964), and beside a pole, where the
   denominator is least, it is what the poles say, to 0.01 dB. */
static bool keep_poles(const agni_zpk *f, int n, double (*sos)[6])
{
    for (int k = 0; k < n; k++)
        if (!(fabs(sos[k][5]) < 1 && fabs(sos[k][4]) < 1 + sos[k][5]))
            return false;
    for (int k = 0; k < f->p.pairs + f->p.reals; k++) {
        long double complex pole = k < f->p.pairs ? (long double complex)f->p.pair[k]
                                                  : f->p.real[k - f->p.pairs],
                            z = pole / cabsl(pole);
        long double have = 1;
        for (int j = 0; j < n && pole != 0; j++)
            have *= cabsl(1 + (sos[j][4] + sos[j][5] / z) / z);
        if (pole != 0 && !(fabsl(have / distance(&f->p, z) - 1) < 1e-3L))
            return false;
    }
    return true;
}

agn_status agn_signal_design_iir(agn_tensor **out, const agn_signal_iir_options *opts)
{
    static const char op[] = "signal_design_iir";
    double sos[AGNI_IIR_ROOTS][6];
    agni_zpk f;
    if (!out)
        return agni_fail(AGN_ENULL, "%s: out is NULL", op);
    agn_status st = agni_iir_design(&f, op, opts);
    if (st)
        return st;
    agni_zpk left = f;
    int n = agni_pair_sections(&left, sos);
    if (!keep_poles(&f, n, sos))
        return agni_fail(AGN_EDOMAIN,
                         "%s: order %d with edges %g and %g has poles so near to the circle that "
                         "sections of f64 lose them",
                         op, opts->order, opts->low, opts->high);
    return agn_from_host(out, AGN_F64, 2, (int64_t[]){n, 6}, sos);
}

static agn_status give_roots(agn_tensor **out, const agni_roots *r)
{
    double complex all[2 * AGNI_IIR_ROOTS];
    int n = 0;
    for (int k = 0; k < r->pairs; k++) {
        all[n++] = r->pair[k];
        all[n++] = conj(r->pair[k]);
    }
    for (int k = 0; k < r->reals; k++)
        all[n++] = r->real[k];
    return agn_from_host(out, AGN_C128, 1, &(int64_t){n}, all);
}

/* the roots and gain of the digital filter, or of its analog low pass with the edge 1 */
static agn_status give_filter(agn_tensor **zeros, agn_tensor **poles, double *gain, const char *op,
                              const agn_signal_iir_options *opts, bool analog)
{
    agn_tensor *z = NULL, *p = NULL;
    agni_zpk f;
    if (!zeros || !poles || !gain)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op,
                         !zeros   ? "zeros"
                         : !poles ? "poles"
                                  : "gain");
    agn_status st = analog ? design_prototype(&f, op, opts) : agni_iir_design(&f, op, opts);
    if (!st)
        st = give_roots(&z, &f.z);
    if (!st)
        st = give_roots(&p, &f.p);
    if (st) {
        agn_release(z);
        agn_release(p);
        return st;
    }
    *zeros = z;
    *poles = p;
    *gain = f.k;
    return AGN_OK;
}
agn_status agn_signal_design_iir_roots(agn_tensor **zeros, agn_tensor **poles, double *gain,
                                       const agn_signal_iir_options *opts)
{
    return give_filter(zeros, poles, gain, "signal_design_iir_roots", opts, false);
}
agn_status agn_signal_design_prototype(agn_tensor **zeros, agn_tensor **poles, double *gain,
                                       const agn_signal_iir_options *opts)
{
    return give_filter(zeros, poles, gain, "signal_design_prototype", opts, true);
}
