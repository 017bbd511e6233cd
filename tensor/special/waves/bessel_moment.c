/* tensor/special/waves/bessel_moment.c - the integral of x^p J_v(2 a x) from 0 to 1
   (SciPy's besselpoly): the series of J by terms to 2 a x = 3 (DLMF 10.2.2), Gauss' rule over
   panels beyond. */
#include "tensor/special/values.h"
#include "tensor/special/waves/values.h"

#include "tensor/cpu/special/gauss_legendre.h"

#include <math.h>

/* from 0 to z of t^p J_v(t), over z^(p + 1): terms (-1)^k (z / 2)^(v + 2 k) over
   k! gamma(v + k + 1) (p + v + 2 k + 1) */
static double low_part(double z, double p, double v)
{
    double term = 1, sum = 0, q = z * z / 4;
    int first = v < 0 && v == floor(v) ? (int)-v : 0; /* J_-n = (-1)^n J_n */
    double order = first ? -v : v, sign = first % 2 ? -1 : 1;
    for (int k = 0; k < 40; k++) {
        sum += term / (p + order + 2 * k + 1);
        term *= -q / ((k + 1) * (order + k + 1));
    }
    return sign * sum * pow(z / 2, order) / tgamma(order + 1);
}

double agni_bessel_moment(double a, double power, double order)
{
    enum { MOST = 10000 };
    double side = fabs(order) == floor(fabs(order)) ? fabs(order) : order, z = 2 * fabs(a), sum = 0;
    if (isnan(a) || !(z <= MOST) || !(power + side > -1) || !(fabs(order) <= 150) ||
        !(fabs(power) <= 150))
        return (double)NAN;
    double sign = a < 0 ? order == floor(order) ? fmod(fabs(order), 2) != 0 ? -1 : 1 : (double)NAN
                        : 1;
    double low = fmin(z, 3);
    if (z > 3) { /* of t = z x, from 3 / z to 1 */
        for (double end, t0 = 3; t0 < z; t0 = end) {
            end = fmin(z, t0 + fmin(3, 8 * t0 / (1 + fabs(power))));
            for (int j = 0; j < AGNI_GAUSS_NODES; j++) {
                double by, t = agni_gauss_place(j, t0, end, &by);
                sum += by * pow(t / z, power) * agni_bessel(order, t, AGNI_BESSEL_J, 0, 0);
            }
        }
        sum /= z;
    }
    double begin = z > 3 ? pow(3 / z, power + 1) : 1;
    double all = sign * (sum + begin * low_part(low, power, order));
    return isfinite(all) || a == 0 ? all : (double)NAN; /* one of the parts may be out of range */
}
