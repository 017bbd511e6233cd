/* tensor/special/quadrature_roots.c - nodes and weights of Gauss' rules: eigenvalues of the
   tridiagonal matrix of the recurrence (Golub and Welsch, Math. Comp. 23, 221) by counts of signs
   (Givens' bisection), mended by Newton's step; weights by Christoffel's sum of squares (DLMF
   3.5(v)). */
#include "tensor/special/special.h"

#include <agnesi/create.h>
#include <agnesi/special.h>
#include <float.h>
#include <math.h>

enum { MOST_NODES = 2000, BISECTIONS = 60 };

/* x p_k = sqrt(b[k + 1]) p_(k+1) + a[k] p_k + sqrt(b[k]) p_(k-1), orthonormal; moment: of degree 0
 */
typedef struct recurrence {
    double *a, *b, log_moment;
    int n;
} recurrence;

static int count_below(const recurrence *r, double x)
{
    double q = r->a[0] - x;
    int count = q < 0;
    for (int k = 1; k < r->n; k++) {
        q = r->a[k] - x - r->b[k] / (q == 0 ? DBL_MIN : q);
        count += q < 0;
    }
    return count;
}
/* the step of Newton's method for p_n at x, and log of the sum of squares of p_0 to p_(n-1), all of
   which are scaled where they grow */
static double step_at(const recurrence *r, double x, double *log_sum)
{
    double before = 0, p = 1, before_slope = 0, slope = 0, sum = 0, scale = 0, tiny = 0x1p-500;
    for (int k = 0; k < r->n; k++) {
        sum += p * p;
        double down = k ? sqrt(r->b[k]) : 0, up = k + 1 < r->n ? 1 / sqrt(r->b[k + 1]) : 1;
        double next = ((x - r->a[k]) * p - down * before) * up,
               next_slope = ((x - r->a[k]) * slope + p - down * before_slope) * up;
        before = p, p = next, before_slope = slope, slope = next_slope;
        if (fabs(p) > 0x1p+500 || fabs(slope) > 0x1p+500) {
            p *= tiny, before *= tiny, slope *= tiny, before_slope *= tiny;
            sum *= tiny * tiny;
            scale += 1000 * 0.69314718055994530942;
        }
    }
    *log_sum = log(sum) + scale;
    return p / slope;
}
static void find_nodes(const recurrence *r, bool symmetric, double *x, double *w)
{
    double low = INFINITY, high = -INFINITY, log_sum;
    for (int k = 0; k < r->n; k++) { /* Gershgorin's circles */
        double out = sqrt(r->b[k]) + (k + 1 < r->n ? sqrt(r->b[k + 1]) : 0);
        low = fmin(low, r->a[k] - (k ? out : out - sqrt(r->b[0])));
        high = fmax(high, r->a[k] + out);
    }
    for (int i = 0; i < r->n; i++) {
        double from = i ? x[i - 1] : low, to = high;
        for (int k = 0; k < BISECTIONS; k++) {
            double middle = 0.5 * (from + to);
            if (count_below(r, middle) > i)
                to = middle;
            else
                from = middle;
        }
        x[i] = 0.5 * (from + to);
        double step = step_at(r, x[i], &log_sum);
        if (fabs(step) < 1e-12 * fmax(fabs(low), fabs(high)))
            x[i] -= step;
    }
    for (int i = 0; symmetric && i < r->n / 2; i++) {
        double half = 0.5 * (x[r->n - 1 - i] - x[i]);
        x[i] = -half, x[r->n - 1 - i] = half;
    }
    if (symmetric && r->n % 2)
        x[r->n / 2] = 0;
    for (int i = 0; i < r->n; i++) {
        step_at(r, x[i], &log_sum);
        w[i] = exp(r->log_moment - log_sum);
    }
}

/* coefficients by kind: a and b of x^a, or (1 - x)^a (1 + x)^b */
static void fill_recurrence(recurrence *r, int kind, double a, double b)
{
    double both = a + b;
    for (int k = 0; k < r->n; k++) {
        double m = 2.0 * k + both;
        switch (kind) {
        case AGNI_JACOBI:
            r->a[k] = k ? (b - a) * both / (m * (m + 2)) : (b - a) / (both + 2);
            r->b[k] = k == 0   ? 0
                      : k == 1 ? 4 * (1 + a) * (1 + b) / ((2 + both) * (2 + both) * (3 + both))
                               : 4 * k * (k + a) * (k + b) * (k + both) / (m * m * (m * m - 1));
            break;
        case AGNI_LAGUERRE:
            r->a[k] = 2 * k + 1 + a, r->b[k] = k * (k + a);
            break;
        default:
            r->a[k] = 0, r->b[k] = 0.5 * k;
        }
    }
    r->log_moment = kind == AGNI_JACOBI     ? (both + 1) * 0.69314718055994530942 + lgamma(a + 1) +
                                              lgamma(b + 1) - lgamma(both + 2)
                    : kind == AGNI_LAGUERRE ? lgamma(a + 1)
                                            : 0.57236494292470008707; /* log(pi) / 2 */
}
static agn_status make_rule(agn_tensor *out[], const char *name, int kind, int32_t n, double a,
                            double b)
{
    AGNI_NEED(name, out);
    if (n < 1 || n > MOST_NODES)
        return agni_fail(AGN_EARG, "%s: n = %d is not in 1 to %d", name, (int)n, MOST_NODES);
    if (!(a > -1 && a <= 100 && b > -1 && b <= 100))
        return agni_fail(AGN_EARG, "%s: exponents %g, %g are not above -1 and up to 100", name, a,
                         b);
    double *room = agni_alloc(4 * (size_t)n * sizeof *room), *x = room, *w = room ? room + n : NULL;
    if (!room)
        return agni_fail(AGN_ENOMEM, "%s: no memory", name);
    recurrence r = {room + 2 * n, room + 3 * n, 0, (int)n};
    fill_recurrence(&r, kind, a, b);
    find_nodes(&r, kind == AGNI_HERMITE || (kind == AGNI_JACOBI && a == b), x, w);
    int64_t shape = n;
    agn_tensor *made[2] = {NULL, NULL};
    agn_status st = agn_from_host(&made[0], AGN_F64, 1, &shape, x);
    if (!st)
        st = agn_from_host(&made[1], AGN_F64, 1, &shape, w);
    agni_free(room);
    if (st) {
        agn_release(made[0]);
        return st;
    }
    out[0] = made[0], out[1] = made[1];
    return AGN_OK;
}
agn_status agn_roots_jacobi(agn_tensor *out[], int32_t n, double a, double b)
{
    return make_rule(out, "roots_jacobi", AGNI_JACOBI, n, a, b);
}
agn_status agn_roots_laguerre(agn_tensor *out[], int32_t n, double a)
{
    return make_rule(out, "roots_laguerre", AGNI_LAGUERRE, n, a, 0);
}
agn_status agn_roots_hermite(agn_tensor *out[], int32_t n)
{
    return make_rule(out, "roots_hermite", AGNI_HERMITE, n, 0, 0);
}
