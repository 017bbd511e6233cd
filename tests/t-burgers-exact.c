/* t-burgers-exact.c - laws of the Burgers example's exact solution; prints TAP. */
#include "tap.h"
#include "examples/burgers_exact.h"

#define PI 3.14159265358979323846
#define LENGTH(a) (sizeof(a) / sizeof((a)[0]))

static const double viscosities[] = {1e-3, 0.01 / PI, 0.02, 0.3, 2};

static void test_reference(void)
{
    static const struct {
        double nu, t, x, u;
    } rows[] = {
#include "data/burgers_exact.inc"
    };
    double worst = 0;
    for (size_t i = 0; i < LENGTH(rows); i++)
        worst = fmax(worst, fabs(burgers_exact(rows[i].nu, rows[i].t, rows[i].x, NULL) -
                                 rows[i].u));
    ok(worst < 1e-12, "%zu values of mpmath at 40 digits: difference %.1e",
       LENGTH(rows), worst);
}

enum { NODES = 48, PANELS = 96 };

/* Gauss-Legendre on [-1, 1]: Newton's method on the three-term recurrence. */
static void gauss_legendre(double *node, double *weight)
{
    for (int i = 0; i < NODES; i++) {
        double z = cos(PI * (i + 0.75) / (NODES + 0.5)), slope = 1;
        for (int k = 0; k < 8; k++) {
            double p = 1, before = 0;
            for (int j = 0; j < NODES; j++) {
                double next = ((2 * j + 1) * z * p - j * before) / (j + 1);
                before = p;
                p = next;
            }
            slope = NODES * (z * p - before) / (z * z - 1);
            z -= p / slope;
        }
        node[i] = z;
        weight[i] = 2 / ((1 - z * z) * slope * slope);
    }
}

/* The same quotient in the variable y, by fixed panels. */
static double by_panels(const double *node, const double *weight, double nu, double t,
                        double x)
{
    double half = t + 14 * sqrt(4 * nu * t), width = 2 * half / PANELS, top = -HUGE_VAL;
    double total = 0, moment = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int p = 0; p < PANELS; p++) {
            for (int i = 0; i < NODES; i++) {
                double y = x - half + width * (p + 0.5 + 0.5 * node[i]);
                double e = -cos(PI * y) / (2 * PI * nu) -
                           (x - y) * (x - y) / (4 * nu * t);
                if (pass == 0) {
                    top = fmax(top, e);
                } else {
                    total += weight[i] * exp(e - top);
                    moment += weight[i] * exp(e - top) * sin(PI * y);
                }
            }
        }
    }
    return -moment / total;
}

static void test_second_quadrature(void)
{
    double node[NODES], weight[NODES];
    gauss_legendre(node, weight);
    for (size_t k = 0; k < LENGTH(viscosities); k++) {
        double nu = viscosities[k], worst = 0, claimed = 0;
        for (double t = 0.0023; t < 1; t += 0.0613) {
            for (double x = -1; x < 1.01; x += 0.0371) {
                double error, u = burgers_exact(nu, t, x, &error);
                worst = fmax(worst, fabs(u - by_panels(node, weight, nu, t, x)));
                claimed = fmax(claimed, error);
            }
        }
        ok(worst < 1e-12, "nu = %.4g: two quadratures differ by %.1e", nu, worst);
        ok(claimed < 1e-12, "nu = %.4g: halving the step changes %.1e", nu, claimed);
    }
}

static void test_symmetry(void)
{
    double odd = 0, period = 0, edge = 0, growth = 0;
    for (size_t k = 0; k < LENGTH(viscosities); k++) {
        double nu = viscosities[k];
        for (double t = 0; t < 1.01; t += 0.0437) {
            for (double x = 0; x < 1.01; x += 0.0291) {
                double u = burgers_exact(nu, t, x, NULL);
                odd = fmax(odd, fabs(u + burgers_exact(nu, t, -x, NULL)));
                period = fmax(period, fabs(u - burgers_exact(nu, t, x - 4, NULL)));
                growth = fmax(growth, fabs(u) - 1);
            }
            edge = fmax(edge, fabs(burgers_exact(nu, t, 1, NULL)));
            edge = fmax(edge, fabs(burgers_exact(nu, t, -1, NULL)));
        }
    }
    ok(odd < 1e-13, "u(t,-x) = -u(t,x): %.1e", odd);
    ok(edge < 1e-13, "u(t,+-1) = 0: %.1e", edge);
    ok(period < 1e-11, "period 2 in x: %.1e", period);
    ok(growth < 1e-13, "maximum principle: max |u| - 1 = %.1e", growth);
}

static void test_initial_condition(void)
{
    for (size_t k = 0; k < LENGTH(viscosities); k++) {
        double nu = viscosities[k], at_zero = 0, quotient = 0;
        for (double x = -0.973; x < 1; x += 0.0617) {
            double u0 = -sin(PI * x), h = 1e-7 / (1 + nu);
            /* u(h) = u0 + h (nu u0'' - u0 u0') + O(h^2 (1/nu + ...)) */
            double rate = -nu * PI * PI * u0 + u0 * PI * cos(PI * x);
            double u = burgers_exact(nu, h, x, NULL);
            at_zero = fmax(at_zero, fabs(burgers_exact(nu, 0, x, NULL) - u0));
            quotient = fmax(quotient, fabs((u - u0) / h - rate));
        }
        ok(at_zero < 1e-15, "nu = %.4g: u(0,x) = -sin(pi x): %.1e", nu, at_zero);
        ok(quotient < 1e-4, "nu = %.4g: slope at t = 0 from the equation: %.1e", nu,
           quotient);
    }
}

/* Central differences of order 8 (Fornberg 1988), for distances 1 to 4. */
static const double first[] = {4. / 5, -1. / 5, 4. / 105, -1. / 280};
static const double second[] = {8. / 5, -1. / 5, 8. / 315, -1. / 560};

static void test_equation(void)
{
    for (size_t k = 0; k < LENGTH(viscosities); k++) {
        double nu = viscosities[k], h = fmin(0.05 * nu, 2e-3), worst = 0;
        for (double t = 0.0531; t < 1; t += 0.0787) {
            for (double x = -0.96; x < 1; x += 0.0320003) {
                double u = burgers_exact(nu, t, x, NULL), ut = 0, ux = 0;
                double uxx = -205. / 72 * u;
                for (int j = 0; j < 4; j++) {
                    double d = (j + 1) * h, right = burgers_exact(nu, t, x + d, NULL),
                           left = burgers_exact(nu, t, x - d, NULL);
                    ux += first[j] * (right - left);
                    uxx += second[j] * (right + left);
                    ut += first[j] * (burgers_exact(nu, t + d, x, NULL) -
                                      burgers_exact(nu, t - d, x, NULL));
                }
                ux /= h, ut /= h, uxx /= h * h;
                double scale = 1 + fabs(ut) + fabs(u * ux) + fabs(nu * uxx);
                worst = fmax(worst, fabs(ut + u * ux - nu * uxx) / scale);
            }
        }
        ok(worst < 1e-7, "nu = %.4g: residual %.1e of its terms", nu, worst);
    }
}

static void test_bad_arguments(void)
{
    const double bad[][3] = {{0, 0.5, 0.5},  {-1, 0.5, 0.5},   {nan(""), 0.5, 0.5},
                             {1, -0.1, 0.5}, {1, HUGE_VAL, 0}, {1, 0.5, nan("")}};
    bool refused = true;
    for (size_t i = 0; i < LENGTH(bad); i++) {
        double error = 0;
        refused &= isnan(burgers_exact(bad[i][0], bad[i][1], bad[i][2], &error));
        refused &= error == HUGE_VAL;
    }
    ok(refused, "arguments out of range give NaN and an infinite error");
}

static void test_grid_and_norm(void)
{
    double t[3] = {0, 0.5, 1}, x[2] = {-0.25, 0.75}, u[6], v[6] = {0};
    double worst = burgers_exact_grid(u, 0.01, t, 3, x, 2);
    bool rows = true;
    for (size_t i = 0; i < 6; i++)
        rows &= u[i] == burgers_exact(0.01, t[i / 2], x[i % 2], NULL);
    ok(rows && worst < 1e-12, "the grid holds times by rows");
    ok(burgers_relative_l2(u, u, 6) == 0 && burgers_relative_l2(v, v, 6) == 0 &&
           isinf(burgers_relative_l2(u, v, 6)) &&
           fabs(burgers_relative_l2(v, u, 6) - 1) < 1e-15,
       "relative L2 norm, also of zeros");
}

int main(void)
{
    test_reference();
    test_second_quadrature();
    test_symmetry();
    test_initial_condition();
    test_equation();
    test_bad_arguments();
    test_grid_and_norm();
    return done();
}
