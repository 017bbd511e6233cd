/* tensor/special/integrals/sine_integral.c - sine and cosine integrals: their series (DLMF 6.6.5,
   6.6.6) in double-double, beyond them their expansion (6.12(ii)); the hyperbolic ones by Ei and E_1
   (6.5.3, 6.5.4). Clausen's integral by its series about 0 and pi (Wood, The computation
   of polylogarithms, 1992). */
#include "tensor/special/integrals/values.h"

#include "tensor/cpu/special/special.h"
#include "tensor/special/values.h"
#include "tensor/special/integrals/complex_parts.h"

/* sum of (side x^2)^k x^odd / ((2 k + odd) (2 k + odd)!), from 1 on where odd is 0 */
AGNI_FN agni_pair sum_series(double x, double side, int odd)
{
    agni_pair q = agni_pair_times(agni_pair_mul(agni_pair_of(x), agni_pair_of(x)), side),
              power = {1, 0}, sum = {0, 0};
    if (odd)
        power = sum = agni_pair_of(x);
    for (int k = 1; k < 200; k++) {
        double n = 2.0 * k + odd;
        power = agni_pair_div(agni_pair_mul(power, q), agni_pair_of(n * (n - 1)));
        agni_pair term = agni_pair_div(power, agni_pair_of(n));
        sum = agni_pair_add(sum, term);
        if (fabs(term.hi) < 1e-33 * fabs(sum.hi) || term.hi == 0)
            break;
    }
    return sum;
}
/* Euler's constant + log x + the series of even powers */
AGNI_FN double with_logarithm(double x, double side)
{
    const agni_pair euler = {0x1.2788cfc6fb619p-1, -0x1.6cb90701fbfabp-58};
    if (x < 1e-290)
        return euler.hi + log(x);
    return agni_pair_add(agni_pair_add(euler, agni_pair_log(agni_pair_of(x))),
                         sum_series(x, side, 0))
        .hi;
}
/* exp(i x) E_1(i x) = g - i f, x >= 36, by their expansions (DLMF 6.12(ii)): half of the least
   term leaves less than 1e-16 */
AGNI_FN void far_expansion(double x, double f[2])
{
    double q = 1 / x / x, even = 1, odd = 1, share = 1, sum[2] = {1, 1};
    for (int k = 1; share == 1 && fabs(even) > 1e-18; k++) {
        even *= -q * (2 * k) * (2 * k - 1), odd *= -q * (2 * k) * (2 * k + 1);
        share = 2 * k + 2 > x ? 0.5 : 1;
        sum[0] += share * odd;
        sum[1] += share * even;
    }
    f[0] = q * sum[0], f[1] = -sum[1] / x;
}

AGNI_VALUE double agni_sine_integral(double x, int kind)
{
    double a = fabs(x), f[2];
    if (isnan(x) || (x < 0 && (kind & 1)))
        return (double)NAN;
    if (kind >= 2 && a > 4) {
        double grow = agni_ei(a) / 2, fall = agni_expn(a, 1) / 2;
        return kind == 2 ? copysign(grow + fall, x) : grow - fall;
    }
    if (a <= 36) {
        if (kind & 1)
            return a == 0 ? -(double)INFINITY : with_logarithm(a, kind == 1 ? -1 : 1);
        return sum_series(x, kind ? 1 : -1, 1).hi;
    }
    if (isinf(a))
        return kind ? 0 : copysign(AGNI_PI / 2, x);
    far_expansion(a, f);
    double c = cos(a), s = sin(a); /* E_1(i x) = -Ci(x) + i (Si(x) - pi / 2) */
    if (kind)
        return -(c * f[0] + s * f[1]);
    return copysign(AGNI_PI / 2 + (c * f[1] - s * f[0]), x);
}

AGNI_VALUE double agni_clausen(double x)
{
    const agni_pair turn = {0x1.921fb54442d18p+2, 0x1.1a62633145c07p-52},
                    half = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
    if (!(fabs(x) < 1e8))
        return (double)NAN;
    agni_pair r = agni_pair_add(agni_pair_of(x), agni_pair_times(turn, -rint(x / turn.hi)));
    double side = r.hi < 0 ? -1 : 1, sum = 0;
    r = agni_pair_times(r, side);
    if (r.hi == 0)
        return 0;
    if (r.hi < 2) {
        double q = r.hi / turn.hi, power = q * q;
        for (int k = 1; k < 40; k++, power *= q * q)
            sum += agni_zeta(2 * k, 1) * power / (k * (2.0 * k + 1));
        return side * r.hi * (1 - log(r.hi) + sum);
    }
    double u = agni_pair_add(half, agni_pair_times(r, -1)).hi, q = u / turn.hi, power = 1;
    for (int k = 1; k < 40; k++) {
        power *= q * q;
        sum += (ldexp(1.0, 2 * k) - 1) * agni_zeta(2 * k, 1) * power / (k * (2.0 * k + 1));
    }
    return side * u * (AGNI_LN2 - sum);
}
