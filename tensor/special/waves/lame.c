/* tensor/special/waves/lame.c - Lame's functions (DLMF 29.12): a product of roots and a
   polynomial in s^2 - h^2, whose coefficients are a vector of a tridiagonal matrix, of leading
   coefficient 1 in s; those of the second kind by an integral, the norm by one over both other
   coordinates. */
#include "tensor/special/integrals/tridiagonal.h"
#include "tensor/special/waves/values.h"

#include "tensor/cpu/special/constants.h"

#include <math.h>

enum { MOST_DEGREE = 40, MOST_TERMS = MOST_DEGREE / 2 + 1 };

/* s^at_0 |s^2 - h^2|^(at_h / 2) |s^2 - k^2|^(at_k / 2) times sum of c_j (s^2 - h^2)^j */
typedef struct lame {
    double h2, k2, c[MOST_TERMS];
    int n, at_0, at_h, at_k, degree;
    /* H of (s^2 - h^2) (s^2 - k^2) E'' + s (2 s^2 - h^2 - k^2) E' + (H - n (n + 1) s^2) E = 0 */
    double value;
} lame;

/* the function of number p among the 2 n + 1 of degree n, in four kinds (Hobson, 1931) */
static bool find_kind(lame *e, int n, int p)
{
    int half = n / 2, size[4] = {half + 1, n - half, n - half, half}, odd = n % 2, kind = 0;
    for (p--; kind < 4 && p >= size[kind]; kind++)
        p -= size[kind];
    if (kind == 4)
        return false;
    e->n = n;
    e->at_0 = kind == 0 || kind == 3 ? odd : !odd;
    e->at_h = kind == 1 || kind == 3;
    e->at_k = kind >= 2;
    e->degree = size[kind] - 1;
    double b = e->k2 - e->h2, h2 = e->h2, at[3] = {0.5 + e->at_0, 0.5 + e->at_h, 0.5 + e->at_k};
    double all = at[0] + at[1] + at[2], v[1][AGNI_MOST_ROWS], value[1], scale = 1;
    int last = e->degree;
    agni_tridiagonal t = {.rows = last + 1};
    double up[MOST_TERMS], low[MOST_TERMS];
    for (int j = 0; j <= last; j++) { /* of t^j: low of j, diagonal, up to j + 1 */
        t.diagonal[j] = j * (j - 1 + at[1]) * (h2 - b) + j * (at[2] * h2 - at[0] * b);
        up[j] = -h2 * b * (j + 1) * (j + at[1]);
        low[j] = (j - 1) * (j - 2 + all) - last * (last + all - 1);
    }
    for (int j = 0; j < last; j++)
        t.beside[j] = sqrt(up[j] * low[j + 1]);
    agni_tridiagonal_expand(&t, 1, last - p, 0, value, v);
    for (int j = 0; j <= last; j++) {
        e->c[j] = scale * v[0][j];
        if (j < last)
            scale *= -sqrt(low[j + 1] / up[j]);
    }
    for (int j = 0; j <= last; j++)
        e->c[j] /= e->c[last] == 0 ? (double)NAN : j < last ? e->c[last] : 1;
    e->c[last] = 1;
    /* of the first two powers of t, of the whole function, at t = 0 */
    double mu = 0.5 * e->at_h,
           y1 = 0.5 * e->at_0 / h2 - 0.5 * e->at_k / b + (last ? e->c[1] / e->c[0] : 0);
    e->value = n * (n + 1) * h2 - 4 * (h2 - b) * mu * mu + y1 * h2 * b * (mu + 1) * (4 * mu + 2);
    return true;
}
/* E and its slope at s, t = s^2 - h^2, u = s^2 - k^2; false: digits are lost */
static bool evaluate_lame(const lame *e, double s, double t, double u, double y[2])
{
    double sum = 0, slope = 0, size = 0, edge = 1, edge_slope = 0;
    for (int j = e->degree; j >= 0; j--) {
        slope = slope * t + sum;
        sum = sum * t + e->c[j];
        size = size * fabs(t) + fabs(e->c[j]);
    }
    slope *= 2 * s;
    if (e->at_0) {
        edge_slope = edge_slope * s + edge;
        edge *= s;
    }
    double part[2] = {e->at_h ? t : 1, e->at_k ? u : 1};
    for (int i = 0; i < 2; i++)
        if (i ? e->at_k : e->at_h) {
            double w = sqrt(fabs(part[i])), dw = part[i] < 0 ? -s / w : s / w;
            edge_slope = edge_slope * w + edge * dw;
            edge *= w;
        }
    y[0] = edge * sum, y[1] = edge_slope * sum + edge * slope;
    /* all zeros lie below k: the height of a wave there, else the value */
    double h = sqrt(e->h2), part_of = t < 0 ? h : u < 0 ? (e->k2 - e->h2) / (sqrt(e->k2) + h) : 0;
    return size < 1000 * (fabs(slope) * part_of / (e->degree + 1) + fabs(sum));
}
static bool evaluate_at(const lame *e, double s, double y[2])
{
    return evaluate_lame(e, s, fma(s, s, -e->h2), fma(s, s, -e->k2), y);
}
/* integral over u > s > k of (E(s) / E(u))^2 du / sqrt((u^2 - h^2) (u^2 - k^2)), first: E(s), by u =
   k cosh of v: a rule of double exponentials from arcosh(s / k) on. Where E(u) leaves the range
   nothing is left. */
static double integrate_second(const lame *e, double s, double first)
{
    double k = sqrt(e->k2), gap = fma(s, s, -e->k2), sum = 0, step = 1 / 32.0;
    double start = log1p((gap / (s + k) + sqrt(gap)) / k);
    for (int j = -140; j <= 140; j++) {
        double a = j * step, w = exp(a - exp(-a)), v = start + w, side = k * sinh(v), y[2],
               square = side * side, t = square + (e->k2 - e->h2);
        bool good = evaluate_lame(e, k * cosh(v), t, square, y);
        if (isinf(y[0]))
            continue;
        if (!good)
            return (double)NAN;
        double share = first / y[0];
        sum += (1 + exp(-a)) * w * step * share * share / sqrt(t);
    }
    return sum;
}

double agni_lame(double s, double h2, double k2, int n, int p, bool second, bool sloped)
{
    lame e = {.h2 = h2, .k2 = k2};
    double y[2];
    if (!(h2 > 0 && h2 < k2 && k2 <= 1e30) || h2 < 1e-30 || n < 0 || n > MOST_DEGREE ||
        !isfinite(s) || !find_kind(&e, n, p))
        return (double)NAN;
    if (!evaluate_at(&e, s, y))
        return (double)NAN;
    if (!second)
        return y[sloped];
    double gap = fma(s, s, -k2);
    /* with room for what the integral needs beyond s */
    if (!(s > 0 && gap > 0 && s < 1e100 && fabs(y[0]) > 1e-250 && fabs(y[0]) < 1e250))
        return (double)NAN;
    double all = (2 * n + 1) * integrate_second(&e, s, y[0]);
    double root = sqrt(fma(s, s, -h2)) * sqrt(gap);
    return (sloped ? y[1] / y[0] * all - (2 * n + 1) / root : all) / y[0];
}

double agni_lame_value(double h2, double k2, int n, int p)
{
    lame e = {.h2 = h2, .k2 = k2};
    return find_kind(&e, n, p) ? e.value : (double)NAN;
}

/* 8 times that of (y^2 - x^2) (E(x) E(y))^2 over the roots, x from 0 to h and y from h to k: x =
   h sin, y^2 = h^2 + (k^2 - h^2) sin^2 make it periodic, so that the trapezoidal rule has all
   digits */
double agni_lame_norm(double h2, double k2, int n, int p)
{
    enum { POINTS = 200 };
    lame e = {.h2 = h2, .k2 = k2};
    double inner[POINTS + 1][2], sum = 0, y[2];
    if (!(h2 > 0 && h2 < k2 && k2 <= 1e30) || h2 < 1e-30 || n < 0 || n > MOST_DEGREE ||
        !find_kind(&e, n, p))
        return (double)NAN;
    for (int i = 0; i <= POINTS; i++) {
        double x = sqrt(h2) * sin(0.5 * AGNI_PI * i / POINTS);
        bool good = evaluate_at(&e, x, y);
        inner[i][0] = x * x;
        inner[i][1] = !good ? (double)NAN : y[0] * y[0] / sqrt(k2 - x * x) * (i % POINTS ? 1 : 0.5);
    }
    for (int j = 0; j <= POINTS; j++) {
        double sine = sin(0.5 * AGNI_PI * j / POINTS), square = h2 + (k2 - h2) * sine * sine;
        bool good = evaluate_at(&e, sqrt(square), y);
        double outer = !good ? (double)NAN : y[0] * y[0] / sqrt(square) * (j % POINTS ? 1 : 0.5);
        for (int i = 0; i <= POINTS; i++)
            sum += outer * inner[i][1] * (square - inner[i][0]);
    }
    double step = 0.5 * AGNI_PI / POINTS;
    return 8 * sum * step * step;
}
