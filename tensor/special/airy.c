/* tensor/special/airy.c - Airy functions: Taylor series of y'' = x y about the nearest whole number
   within -9 < x <= 10, asymptotic series (DLMF 9.7) beyond. The nodes are mpmath's values. */
#include "tensor/special/values.h"

#include "tensor/cpu/special/constants.h"
#include <math.h>

/* Ai, Ai', Bi, Bi' at -9, ..., 10 */
AGNI_TABLE const double node[20][4] = {
    {-0.022133721547341403, -0.9756639809263316, 0.3249473234552449, -0.05740051384366925},
    {-0.0527050503563862, 0.9355609381983065, -0.33125158075113786, -0.1594504978129814},
    {0.18428083525050565, -0.7710081684101265, 0.293762071854414, 0.4982445900581135},
    {-0.3291451736298231, 0.3459354872813429, -0.14669837667055705, -0.812898785105067},
    {0.35076100902411433, 0.32719281855444315, -0.13836913490160058, 0.7784117730018992},
    {-0.07026553294928951, -0.7906285753685813, 0.3922347057069993, -0.1166705674383409},
    {-0.37881429367765806, 0.3145837692165988, -0.19828962637492653, -0.6756112226852585},
    {0.22740742820168558, 0.618259020741691, -0.4123025879563985, 0.2787951669211695},
    {0.5355608832923521, -0.01016056711664521, 0.1039973894969446, 0.5923756264227924},
    {0.3550280538878172, -0.2588194037928068, 0.6149266274460007, 0.4482883573538264},
    {0.13529241631288141, -0.1591474412967932, 1.2074235949528713, 0.9324359333927756},
    {0.03492413042327438, -0.05309038443365363, 3.2980949999782148, 4.10068204993289},
    {0.006591139357460719, -0.011912976705951319, 14.037328963730232, 22.92221496638217},
    {0.0009515638512048018, -0.001958640950204179, 83.84707140846814, 161.9266835046134},
    {0.00010834442813607442, -0.0002474138908684625, 657.7920441711711, 1435.8190802179824},
    {9.947694360252889e-06, -2.4765200397034955e-05, 6536.446104809864, 15725.602621930477},
    {7.492128863997167e-07, -2.008150894738792e-06, 80327.79070943025, 209552.6708739713},
    {4.6922076160992316e-08, -1.3414392979067865e-07, 1199586.00412446, 3354342.3127445388},
    {2.47116843087249e-09, -7.480641389658946e-09, 21472868.891435347, 63807489.78090821},
    {1.1047532552898686e-10, -3.5206336767389236e-10, 455641153.54822514, 1429236134.4828658},
};

/* the solution with value y and slope d at c, or its derivative, at c + h */
AGNI_FN double step_taylor(double c, double h, double y, double d, bool slope)
{
    enum { TERMS = 40 };
    double a[TERMS] = {y, d, c * y / 2}, sum = 0;
    for (int k = 1; k + 2 < TERMS; k++)
        a[k + 2] = (c * a[k] + a[k - 1]) / ((k + 1) * (k + 2));
    for (int k = TERMS - 1; k >= slope; k--)
        sum = sum * h + (slope ? k : 1) * a[k];
    return sum;
}

/* zeta = 2/3 x^(3/2), with what rounding took from it */
AGNI_FN double airy_phase(double x, double *rest)
{
    double s = sqrt(x), e = fma(-s, s, x) / (2 * s), p = x * s, q = 2 * p / 3;
    *rest = fma(-3, q, 2 * p) / 3 + 2 * (fma(x, s, -p) + x * e) / 3;
    return q;
}

/* sums of the even and of the odd terms of u_k or v_k / zeta^k; sign: those of (-1)^floor(k / 2) */
AGNI_FN void airy_sums(double zeta, bool slope, double sign, double sum[2])
{
    double u = 1, last = 1;
    sum[0] = sum[1] = 0;
    for (int k = 0; k < 60; k++) {
        double term = (slope ? -(6.0 * k + 1) / (6.0 * k - 1) : 1) * u;
        if (fabs(term) > fabs(last) && k > 1)
            break;
        sum[k & 1] += (k >> 1 & 1) ? sign * term : term;
        if (fabs(term) < 1e-18)
            break;
        last = term;
        u *= (6.0 * k + 5) * (6.0 * k + 3) * (6.0 * k + 1) /
             (216 * (k + 1.0) * (2.0 * k + 1) * zeta);
    }
}

AGNI_FN double airy_far(double x, int kind)
{
    double rest, zeta = airy_phase(fabs(x), &rest), s[2], root = sqrt(sqrt(fabs(x)));
    bool slope = kind & 1, second = kind > 1;
    double scale = (slope ? root : 1 / root) / sqrt(AGNI_PI);
    if (x > 0) {
        airy_sums(zeta, slope, 1, s);
        double part = zeta < 650 ? 1 : 0.5, e = exp(second ? part * zeta : -part * zeta);
        double more = zeta < 650 ? 1 : e; /* twice, where there is no room for all of it */
        if (second)
            return scale * (s[0] + s[1]) * e * more * (1 + rest);
        return (slope ? -0.5 : 0.5) * scale * (s[0] - s[1]) * e * more * (1 - rest);
    }
    airy_sums(zeta, slope, -1, s);
    double c0 = cos(zeta), d0 = sin(zeta), c1 = cos(rest), d1 = sin(rest); /* of 6e14, the rest is up to 0.1 */
    double c = c0 * c1 - d0 * d1, d = d0 * c1 + c0 * d1;
    double cp = (c + d) * sqrt(0.5), sp = (d - c) * sqrt(0.5); /* cosine and sine of zeta - pi / 4 */
    switch (kind) {
    case 0:
        return scale * (cp * s[0] + sp * s[1]);
    case 1:
        return scale * (sp * s[0] - cp * s[1]);
    case 2:
        return scale * (-sp * s[0] + cp * s[1]);
    default:
        return scale * (cp * s[0] + sp * s[1]);
    }
}

AGNI_VALUE double agni_airy(double x, int kind)
{
    if (isnan(x))
        return x;
    if (x > 1e4)
        return kind > 1 ? (double)INFINITY : kind ? -0.0 : 0.0;
    if (x < -1e10) /* the phase has no digit left without its rest */
        return x < -1e300 && !(kind & 1) && isinf(x) ? 0 : (double)NAN;
    if (x <= -9 || x > 10)
        return airy_far(x, kind);
    double c = x < 0 ? nearbyint(x) : kind > 1 ? floor(x) : ceil(x); /* terms of one sign */
    const double *at = node[(int)c + 9] + (kind > 1 ? 2 : 0);
    return step_taylor(c, x - c, at[0], at[1], kind & 1);
}
