/* tensor/special/integrals/eta_plane.c - Dirichlet's eta function of a complex argument and its
   derivatives: the alternating series with weights of a Chebyshev polynomial (Borwein, An efficient
   algorithm for the Riemann zeta function, 2000, algorithm 2), each term differentiated; left of 0
   Riemann's functional equation (DLMF 25.4.1) on power series. */
#include "tensor/special/integrals/complex_parts.h"
#include "tensor/special/integrals/values.h"

#include "tensor/cpu/special/constants.h"
#include <math.h>

enum { MOST_TERMS = 340, MOST_SERIES = 13 };

typedef struct series {
    int n; /* the highest power */
    z_t c[MOST_SERIES];
} series;

/* f times g */
static void multiply_series(series *f, const series *g)
{
    for (int m = f->n; m >= 0; m--) {
        z_t sum = 0.0;
        for (int j = 0; j <= m; j++)
            sum += f->c[j] * g->c[m - j];
        f->c[m] = sum;
    }
}
/* f over g */
static void divide_series(series *f, const series *g)
{
    for (int m = 0; m <= f->n; m++) {
        for (int j = 0; j < m; j++)
            f->c[m] -= f->c[j] * g->c[m - j];
        f->c[m] /= g->c[0];
    }
}
/* exp of l: n e_n = sum of k l_k e_(n - k) */
static series exp_of_series(const series *l)
{
    series e = {.n = l->n};
    e.c[0] = cexp(l->c[0]);
    for (int m = 1; m <= l->n; m++) {
        e.c[m] = 0.0;
        for (int k = 1; k <= m; k++)
            e.c[m] += (double)k * l->c[k] * e.c[m - k];
        e.c[m] /= (double)m;
    }
    return e;
}
/* 1 - base^(s + d), log_base; times value */
static series one_less_power(z_t s, double log_base, int n)
{
    series l = {.n = n}, e;
    l.c[0] = s * log_base;
    if (n > 0)
        l.c[1] = log_base;
    e = exp_of_series(&l);
    for (int m = 0; m <= n; m++)
        e.c[m] = -e.c[m];
    e.c[0] += 1.0;
    return e;
}
/* log gamma(z + d) less (z - 1/2) (log z - 1), Re z >= 14: Stirling's series (DLMF 5.11.1), whose powers
   are those of z + d */
static series log_gamma_series(z_t z, int n)
{
    static const double c[] = {1.0 / 12,   -1.0 / 360,      1.0 / 1260, -1.0 / 1680,
                               1.0 / 1188, -691.0 / 360360, 1.0 / 156,  -3617.0 / 122400};
    series l = {.n = n};
    z_t log_z = clog(z), power = 1.0;
    l.c[0] = 0.41893853320467274178; /* (log(2 pi) - 1) / 2 */
    for (int m = 1; m <= n; m++) { /* of (z - 1/2) log z - z: log z - 1 / (2 z) and derivatives */
        z_t lead = m == 1 ? log_z : (m % 2 ? -1.0 : 1.0) / (double)(m * (m - 1)) / power;
        power *= z; /* z^m */
        l.c[m] = lead + (m % 2 ? -0.5 : 0.5) / (double)m / power;
    }
    for (int k = 0; k < 8; k++) { /* z^-(2 k + 1) */
        z_t term = c[k] * cpow(z, -(2.0 * k + 1));
        for (int m = 0; m <= n; m++) {
            l.c[m] += term;
            term *= -(2.0 * k + 1 + m) / (double)(m + 1) / z;
        }
    }
    return l;
}
/* exp((z - 1/2) log(z / (2 pi e)) + pi |Im z| / 2): a power, whose logarithm has digits beyond f64, and
   a phase of two parts */
static z_t stirling_power(z_t z)
{
    double x = creal(z), y = cimag(z), r = hypot(x, y) / 17.079468445347132704, log_r = log(r),
           angle = atan2(y, x), one = y * log_r, other = (x - 0.5) * angle, phase = one + other,
           back = phase - one;
    double low = fma(y, log_r, -one) + fma(x - 0.5, angle, -other) + (one - (phase - back)) + (other - back);
    double size = pow(r, x - 0.5) * exp(fabs(y) * atan2(x, fabs(y)));
    return size * agni_complex_parts(cos(phase) - low * sin(phase), sin(phase) + low * cos(phase));
}
static void eta_right(double x, double y, int k, double out[2]);

/* eta(s) = (1 - 2^(1 - s)) / (1 - 2^s) 2^s pi^(s - 1) sin(pi s / 2) gamma(1 - s) eta(1 - s) */
static void eta_left(double x, double y, int k, double out[2])
{
    z_t s = agni_complex_parts(x, y), z = 1.0 - s;
    int up = creal(z) < 14 ? (int)ceil(14 - creal(z)) : 0;
    series l = log_gamma_series(z + (double)up, k), f, g;
    for (int m = 1; m <= k; m += 2)
        l.c[m] = -l.c[m];                                        /* of 1 - (s + d) */
    l.c[0] += (0.5 + up) * 1.8378770664093454836 - 1.1447298858494001741; /* log(2 pi), log pi */
    if (k > 0)
        l.c[1] += 1.8378770664093454836;
    /* sin(pi s / 2) and its slopes over e^size, x less the nearest even number, exactly */
    double half = AGNI_PI / 2, near = remainder(x, 2), size = half * fabs(y);
    double sign = fmod(fabs(x - near), 4) == 2 ? -1 : 1, small = exp(-2 * size);
    double sine = sign * sin(half * near), cosine = sign * sin(half * (1 - fabs(near)));
    double even = 0.5 * (1 + small), odd = (y < 0 ? 0.5 : -0.5) * expm1(-2 * size);
    z_t wave[2] = {agni_complex_parts(sine * even, cosine * odd),
                   agni_complex_parts(cosine * even, -sine * odd)};
    f = exp_of_series(&l);
    g.n = k;
    double turn = 1;
    for (int m = 0; m <= k; m++) {
        g.c[m] = (m % 4 < 2 ? turn : -turn) * wave[m % 2];
        turn *= half / (m + 1);
    }
    multiply_series(&f, &g);
    for (int j = 0; j < up; j++) { /* gamma(z) = gamma(z + up) / (z (z + 1) ...) */
        g.c[0] = z + (double)j;
        for (int m = 1; m <= k; m++)
            g.c[m] = m == 1 ? -1.0 : 0.0;
        divide_series(&f, &g);
    }
    g = one_less_power(1.0 - s, AGNI_LN2, k);
    for (int m = 1; m <= k; m += 2)
        g.c[m] = -g.c[m];
    multiply_series(&f, &g);
    g = one_less_power(s, AGNI_LN2, k);
    divide_series(&f, &g);
    double factor = 1;
    for (int m = 0; m <= k; m++) {
        double part[2];
        eta_right(1 - x, -y, m, part);
        factor = m ? -factor * m : 1; /* (-1)^m m! */
        g.c[m] = agni_complex_parts(part[0], part[1]) / factor;
    }
    multiply_series(&f, &g);
    const z_t lead = stirling_power(z + (double)up); /* over e^-size */
    factor = 1;
    for (int m = 2; m <= k; m++)
        factor *= m;
    f.c[k] *= lead * factor;
    out[0] = creal(f.c[k]), out[1] = cimag(f.c[k]);
}

void agni_eta_plane(double x, double y, int k, double out[2])
{
    out[0] = out[1] = (double)NAN;
    if (!(x >= -150) || !(fabs(y) <= 300) || k >= MOST_SERIES)
        return;
    if (x < -0.5) /* next to 0 both sides of the equation's quotients vanish */
        eta_left(x, y, k, out);
    else
        eta_right(x, y, k, out);
}
static void eta_right(double x, double y, int k, double out[2])
{
    double term[MOST_TERMS + 1], rest = 0;
    out[0] = out[1] = (double)NAN;
    /* (3 + sqrt 8)^-n exp(pi |y| / 2) is what is left out */
    int n = 26 + 2 * k + (int)(0.9 * fabs(y));
    if (n > MOST_TERMS)
        return;
    term[0] = 1;
    double total = 1;
    for (int i = 0; i < n; i++) {
        term[i + 1] = term[i] * 4 * ((double)n + i) * (n - i) / ((2.0 * i + 1) * (2 * i + 2));
        total += term[i + 1];
    }
    double re = 0, im = 0;
    for (int j = n - 1; j >= 0; j--) {
        rest += term[j + 1];
        double weight = rest / total, l = log(j + 1.0), p = y * l, size = exp(-x * l) * weight;
        for (int i = 0; i < k; i++)
            size *= -l;
        if (j & 1)
            size = -size;
        double low = fma(y, l, -p), c = cos(p), s = sin(p);
        re += size * (c - s * low), im -= size * (s + c * low);
    }
    out[0] = re, out[1] = im;
}
