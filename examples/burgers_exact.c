/*
 * burgers_exact.c - Cole-Hopf by the trapezoidal rule
 *
 * With s = 2 sqrt(nu t) and y = x - s z the solution is an average of -sin(pi y) under
 * a positive weight (Hopf 1950, Cole 1951):
 *
 *     u(t,x) = - int sin(pi y) exp(E(z)) dz / int exp(E(z)) dz,
 *     E(z)   = -cos(pi y) / (2 pi nu) - z^2.
 *
 * Three facts make this form safe. E reaches 1/(2 pi nu), hundreds for small nu, so the
 * weights are scaled by their running maximum and never leave the range of a double. As
 * t goes to 0 so does s, and the average becomes -sin(pi x) without a division by t.
 * And |dE/dz + 2z| <= sqrt(t/nu), so that beyond Z0 = sqrt(t/nu)/2 the weight falls
 * below exp(-(|z| - Z0)^2) times its value at Z0: the range of summation is known in
 * advance.
 *
 * The integrands are entire, so the trapezoidal rule converges geometrically (Trefethen
 * and Weideman 2014, section 5): halving the step squares the error. The step is
 * halved, with the old nodes kept, until the value stands still.
 */
#include "burgers_exact.h"

#include <math.h>
#include <stdbool.h>

#define PI 3.14159265358979323846

/* exp(-TAIL^2) < 1e-18: what is cut off cannot be seen in a double. */
#define TAIL 6.5
/* A change this small leaves an error of its square (and the rounding of the
 * exponents). */
#define STILL 1e-13
#define MAX_HALVINGS 12

/* Weighted sums whose common factor exp(top) is left out. */
typedef struct {
    double top, weight, moment;
} sums;

static void add_node(sums *a, double nu, double s, double x, double z)
{
    double y = PI * (x - s * z), e = -cos(y) / (2 * PI * nu) - z * z;
    if (e > a->top) {
        double shrink = exp(a->top - e);
        a->weight *= shrink;
        a->moment *= shrink;
        a->top = e;
    }
    double w = exp(e - a->top);
    a->weight += w;
    a->moment += w * sin(y);
}

/* The nodes +-first, +-(first + step), ... of one refinement. */
static void add_nodes(sums *a, double nu, double s, double x, double first, double step,
                      double end)
{
    long n = (long)floor((end - first) / step);
    for (long k = 0; k <= n; k++) {
        double z = first + (double)k * step;
        add_node(a, nu, s, x, z);
        add_node(a, nu, s, x, -z);
    }
}

double burgers_exact(double nu, double t, double x, double *error)
{
    double ignored, *err = error ? error : &ignored;
    bool valid = nu > 0 && isfinite(nu) && t >= 0 && isfinite(t) && isfinite(x);
    *err = HUGE_VAL;
    if (!valid)
        return nan("");

    double s = 2 * sqrt(nu * t), end = 0.5 * sqrt(t / nu) + TAIL, step = 0.5;
    x = remainder(x, 2.0);
    sums a = {-HUGE_VAL, 0, 0};
    add_node(&a, nu, s, x, 0);
    add_nodes(&a, nu, s, x, step, step, end);
    double u = -a.moment / a.weight;
    for (int i = 0; i<MAX_HALVINGS && * err> STILL; i++) {
        add_nodes(&a, nu, s, x, step / 2, step, end);
        step /= 2;
        double finer = -a.moment / a.weight;
        *err = fabs(finer - u);
        u = finer;
    }
    return u;
}

double burgers_exact_grid(double *u, double nu, const double *t, size_t nt,
                          const double *x, size_t nx)
{
    double worst = 0;
    for (size_t i = 0; i < nt; i++) {
        for (size_t j = 0; j < nx; j++) {
            double error;
            u[i * nx + j] = burgers_exact(nu, t[i], x[j], &error);
            worst = fmax(worst, error);
        }
    }
    return worst;
}

double burgers_relative_l2(const double *u, const double *v, size_t n)
{
    double difference = 0, size = 0;
    for (size_t i = 0; i < n; i++) {
        difference += (u[i] - v[i]) * (u[i] - v[i]);
        size += v[i] * v[i];
    }
    if (difference == 0)
        return 0;
    return sqrt(difference / size);
}
