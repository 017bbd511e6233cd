/* tensor/special/laws/noncentral.c - noncentral laws of chi square, of the beta prime and of
   Student (Johnson, Kotz and Balakrishnan, Continuous Univariate Distributions 2, 29 to 31): the first
   two are sums of central ones by Poisson's weights, all of one sign, whose derivatives in the
   noncentrality are the weights times Charlier polynomials (DLMF 18.19); Student's is the mean of
   a normal law over the root of a chi square, by the trapezoidal rule, which converges
   exponentially. */
#include "tensor/special/laws/values.h"

#include "tensor/cpu/special/beta_slope.h"
#include "tensor/cpu/special/gamma_slope.h"
#include "tensor/cpu/special/incomplete_inverse.h"

enum { MOST_ORDERS = 9, MOST_NODES = 40000 };

typedef struct central_law {
    bool beta;
    double a, b, v; /* beta prime: of v = r / (1 - r) */
    double r, s;    /* shares r, 1 - r */
    int kind, i, j, n;
} central_law;

/* derivative of order n in v of the density, of orders i in a and j in b: by
   g' = ((a - 1) / v - (a + b) / (1 + v)) g, or ((a - 1) / v - 1) g (Leibniz) */
static double central_density(const central_law *c, double a)
{
    double t[MOST_ORDERS][MOST_ORDERS][MOST_ORDERS];
    if (c->v == 0) /* v^(a - 1 - n) */
        return a > c->n + 1 ? 0
               : c->n || c->i + c->j || a < 1
                   ? (a < 1 && !c->n && !c->i && !c->j ? (double)INFINITY : (double)NAN)
               : c->beta ? c->b
                         : 1;
    for (int i = 0; i <= c->i; i++)
        for (int j = 0; j <= c->j; j++) {
            if (c->beta)
                t[i][j][0] = c->s * c->s *
                             (i + j ? agni_beta_d_partial(a, c->b, c->r, i, j)
                                    : agni_beta_front(a, c->b, c->r, c->s, 1));
            else
                t[i][j][0] = i ? agni_gamma_d_partial(a, c->v, i) : agni_gamma_d(a, c->v);
            for (int n = 0; n < c->n; n++) {
                double sum = 0, near = 1 / c->v,
                       far = c->beta ? 1 / (1 + c->v)
                             : n     ? 0
                                     : 1,
                       choose = 1;
                for (int k = 0; k <= n; k++) {
                    double w = (a - 1) * near - (c->beta ? (a + c->b) * far : k ? 0 : 1);
                    sum += choose * w * t[i][j][n - k];
                    if (i)
                        sum += choose * i * (near - (c->beta ? far : 0)) * t[i - 1][j][n - k];
                    if (j)
                        sum -= choose * j * far * t[i][j - 1][n - k];
                    choose *= (double)(n - k) / (k + 1);
                    near *= -(k + 1) / c->v, far *= -(k + 1) / (1 + c->v);
                }
                t[i][j][n + 1] = sum;
            }
        }
    return t[c->i][c->j][c->n];
}
static double central_value(const central_law *c, double a)
{
    if (c->kind == 2)
        return central_density(c, a);
    if (c->i + c->j) {
        double y = c->beta ? agni_beta_partial(a, c->b, c->r, c->i, c->j)
                           : agni_gamma_partial(a, c->v, c->i);
        return c->kind ? -y : y;
    }
    if (!c->beta)
        return c->kind ? agni_gammaincc(a, c->v) : agni_gammainc(a, c->v);
    if (c->r == 0 || c->s == 0)
        return (c->r == 0) == (c->kind == 1) ? 1 : 0;
    return c->kind ? agni_beta_ratio(c->b, a, c->s, c->r) : agni_beta_ratio(a, c->b, c->r, c->s);
}
/* sum over k of Poisson's weight times Charlier's polynomial of degree m, over 2^m; *size: with its
   parts as positive numbers */
static double poisson_mean(const central_law *c, double nc, int m, double *size)
{
    double mu = nc / 2, peak = floor(mu), sum = 0, half = 1;
    double top = peak > 0
                     ? agni_gamma_power(peak, mu) / (sqrt(AGNI_2PI * peak) * agni_gamma_star(peak))
                     : exp(-mu);
    *size = 0;
    for (int k = 0; k < m; k++)
        half *= 0.5;
    for (int side = 0; side < 2; side++) {
        double weight = top;
        int quiet = 0; /* parts that are nothing: one alone may be a root */
        for (double k = peak; k >= 0;) {
            if (!side || k < peak) {
                double charlier = 0,
                       term = m & 1 ? -1 : 1; /* sum of C(m, l) (-1)^(m - l) k ... / mu^l */
                for (int l = 0; l <= m; l++) {
                    charlier += term;
                    term *= -(double)(m - l) / (l + 1) * (k - l);
                    term = m - l > 0 ? term / mu : 0;
                }
                double part = weight * charlier * central_value(c, c->a + k);
                sum += part;
                *size += fabs(part);
                /* parts fall on from here: weights by a quotient, central laws no faster up than they did */
                double fall = side ? k / mu : mu / (k + 1);
                quiet = fabs(part) <= 1e-19 * *size * (1 - fall) ? quiet + 1 : 0;
                if (fall < 0.9 && *size > 0 && quiet > m + c->n + 1 && fabs(k - peak) > 8 + m)
                    break;
            }
            weight *= side ? k / mu : mu / (k + 1);
            k += side ? -1 : 1;
            if (weight == 0)
                break;
        }
    }
    *size *= half;
    return sum * half;
}
/* of nc = 0 a derivative of order m is a difference of central laws */
static double central_difference(const central_law *c, int m)
{
    double sum = 0, choose = m & 1 ? -1 : 1, half = 1;
    for (int l = 0; l <= m; l++) {
        sum += choose * central_value(c, c->a + l);
        choose *= -(double)(m - l) / (l + 1);
        half *= l ? 0.5 : 1;
    }
    return sum * half;
}

/* law 0: chi square, of a = df / 2 and v = x / 2; 1: beta prime. Kind 0: lower part, 1: upper part,
   2: density in v. Orders: in a, b, nc, v, the last one of a density alone. */
double agni_noncentral(double a, double b, double nc, double v, int law, int kind,
                       const int order[4])
{
    central_law c = {.beta = law == 1,
                     .a = a,
                     .b = b,
                     .v = v,
                     .kind = kind,
                     .i = order[0],
                     .j = law == 1 ? order[1] : 0,
                     .n = order[3]};
    if (!(a > 0 && nc >= 0 && nc <= 2e4 && v >= 0 && a < 1e6 && v < (double)INFINITY) ||
        (c.beta && !(b > 0 && b < 1e6)))
        return (double)NAN;
    if (law == 0 && order[1])
        return 0;
    c.r = v / (1 + v), c.s = 1 / (1 + v);
    int m = order[2];
    if (nc == 0)
        return central_difference(&c, m);
    double size, other;
    double y = poisson_mean(&c, nc, m, &size);
    if (kind == 2 || c.i + c.j + m == 0 || c.i + c.j)
        return y;
    c.kind = !kind; /* the smaller side */
    double rest = -poisson_mean(&c, nc, m, &other);
    return size < other ? y : rest;
}

/* derivative of order m in nc and n in t of Phi(t r - nc) or, upper, its complement, density: of
   the density r phi */
static double normal_part(double t, double nc, double r, int kind, int m, int n)
{
    double z = t * r - nc, sign = m & 1 ? -1 : 1;
    int k = m + n - (kind == 2 ? 0 : 1);
    for (int q = 0; q < n + (kind == 2); q++)
        sign *= r;
    if (kind == 1 && m + n > 0)
        sign = -sign;
    if (k < 0)
        return agni_ndtr(kind ? -z : z);
    double h = 1, last = 0; /* (-1)^k He_k */
    for (int q = 0; q < k; q++) {
        double next = -z * h - q * last;
        last = h, h = next;
    }
    return sign * h * exp(-0.5 * z * z) / sqrt(AGNI_2PI);
}
/* the mean over s = chi square of df over df, s = e^u: density exp(df / 2 (u - e^u)) up to what is 1
   at the peak; its i-th derivative in df by Bell polynomials of (u + 1 - e^u + log(df / 2) -
   psi(df / 2)) / 2 and constants */
double agni_noncentral_t(double df, double nc, double t, int kind, const int order[3])
{
    double a = df / 2, c[MOST_ORDERS + 1], sum = 0;
    if (!(df > 0.05 && df < 1e6 && fabs(nc) <= 1e4) || isnan(t))
        return (double)NAN;
    int most = order[0];
    if (isinf(t))
        return most || order[1] || order[2] || kind == 2 ? 0 : (t > 0) == (kind == 0);
    double width = 1 / sqrt(a), h = 0.06 * fmin(1, 2 * width),
           lead = sqrt(a / AGNI_2PI) / agni_gamma_star(a); /* a^a e^-a / gamma(a) */
    c[1] = 0;
    if (most)
        c[1] = a < 20 ? 0.5 * (log(a) - agni_digamma(a)) : 0.5 * -(agni_digamma(a) - log(a));
    for (int k = 2; k <= most; k++) { /* of a log a - a - log gamma(a), half at a time */
        double power = 0.5, f = k % 2 ? -1 : 1;
        for (int q = 2; q < k; q++)
            f *= q - 1;
        for (int q = 1; q < k; q++)
            power *= 0.5;
        c[k] = power * f * (pow(a, 1 - k) - (k - 1) * agni_zeta(k, a));
    }
    /* from the peak of the product outwards: each side until parts are nothing */
    double size = 0, peak = 0, best = -(double)INFINITY;
    for (double u = -40; u <= 8; u += fmin(0.05, width / 4)) {
        double f = normal_part(t, nc, exp(u / 2), kind == 2 ? 2 : kind, 0, 0);
        double e = a * (u + 1 - exp(u)) + (f > 0 ? log(f) : -(double)INFINITY);
        if (e > best)
            best = e, peak = u;
    }
    /* the normal part turns within 2 / (t e^(u / 2)), at its middle 2 / nc */
    h = fmin(h, 0.35 / (1 + 0.5 * fmax(fabs(t) * exp(peak / 2), fabs(nc))));
    if (h < 1e-3 * width)
        return (double)NAN;
    for (int side = 0; side < 2; side++) {
        int quiet = 0;
        for (int k = side;; k++) {
            if (k >= MOST_NODES)
                return (double)NAN;
            double u = peak + (side ? -k * h : k * h), less = u - expm1(u);
            if (fabs(u) < 0.5) { /* e^u - 1 - u */
                double q = 1;
                for (int p = 18; p > 2; p--)
                    q = 1 + q * u / p;
                less = -0.5 * u * u * q;
            }
            double bell[MOST_ORDERS + 1];
            bell[0] = 1;
            for (int q = 1; q <= most; q++) {
                bell[q] = 0;
                double choose = 1;
                for (int p = 0; p < q; p++) {
                    bell[q] += choose * (p ? c[p + 1] : c[1] + 0.5 * less) * bell[q - 1 - p];
                    choose *= (double)(q - 1 - p) / (p + 1);
                }
            }
            double part = exp(a * less) * bell[most] *
                          normal_part(t, nc, exp(u / 2), kind, order[1], order[2]);
            sum += part;
            size = fmax(size, fabs(part));
            quiet = fabs(part) < 1e-18 * size ? quiet + 1 : 0;
            if ((quiet > 2 && k > 60) || (size == 0 && k > 2000))
                break;
        }
    }
    return sum * h * lead;
}

/* ---- quantiles: between bounds, by Newton's steps where they stay inside -------------------------- */

typedef struct quantile {
    double a, b, nc;
    int law; /* 2: Student */
} quantile;

static double law_at(const quantile *q, double v, int kind)
{
    const int none[4] = {0, 0, 0, 0};
    return q->law == 2 ? agni_noncentral_t(q->a, q->nc, v, kind, none)
                       : agni_noncentral(q->a, q->b, q->nc, v, q->law, kind, none);
}
double agni_noncentral_inverse(double a, double b, double nc, double p, int law)
{
    quantile q = {a, b, nc, law};
    if (!(p >= 0 && p <= 1) || isnan(law_at(&q, 1, 0)))
        return (double)NAN;
    if (p == 0 || p == 1)
        return p == 1 ? (double)INFINITY : law == 2 ? -(double)INFINITY : 0;
    /* by the smaller part: of a p near 1 its complement has as many digits as p */
    int kind = p > 0.5;
    double mean = law == 2 ? 1 : fmin(fmax(law ? (a + nc / 2) / b : a + nc / 2, 1e-200), 1e200),
           part = kind ? 1 - p : p, low = law == 2 ? -1 : mean, high = mean; /* where the search begins */
    for (int k = 0; k < 1100 && (law_at(&q, high, kind) < part) == !kind; k++)
        low = high, high *= 2;
    if (low == high || law == 2)
        for (int k = 0; k < 1100 && low != 0 && (law_at(&q, low, kind) < part) == kind; k++)
            high = low, low *= law == 2 && low < 0 ? 2 : law == 2 ? -1 : 0.5;
    if (isinf(low) || isinf(high)) /* beyond where the law is known */
        return (double)NAN;
    double x = 0.5 * (low + high);
    for (int k = 0; k < 200; k++) {
        /* Newton's step of the logarithm, above 0 over that of x: next to straight lines in the tails */
        double have = law_at(&q, x, kind), f = have - part,
               step = log(have / part) * have / law_at(&q, x, 2) * (kind ? -1 : 1),
               next = x > 0 ? x * exp(-step / x) : x - step;
        if (isnan(f))
            return (double)NAN;
        if (f == 0)
            return x;
        if ((f < 0) == !kind)
            low = x;
        else
            high = x;
        const bool newton = next > low && next < high;
        if (!newton)
            next = low > 0 && high > 4 * low ? sqrt(low * high) : 0.5 * (low + high);
        if ((newton && fabs(next - x) <= 1e-10 * fabs(x)) || high - low <= 2e-16 * fabs(high))
            return next;
        x = next;
    }
    return x;
}
