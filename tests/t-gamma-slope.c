/* t-gamma-slope - first derivatives of the gamma distribution function in the concentration, by series, continued
   fraction and quadrature: one answer wherever the ways meet; exact values at concentration 1. */
#include "tensor/cpu/special/gamma_slope.h"
#include "tensor/dispatch/op.h"

#include <agnesi/ag.h>
#include <math.h>

#include "tests/tap.h"

#define must(call) \
    if (call)      \
    bail_out("%s: %s", #call, agn_error_message())

extern const agni_op agni_op_gamma_slope;
typedef const agn_tensor *T;

/* quotients at n pairs, by the op */
static agn_tensor *slopes(const double *a, const double *t, int64_t n)
{
    agn_tensor *x = NULL, *y = NULL, *out = NULL;
    must(agn_from_host(&x, AGN_F64, 1, &n, a));
    must(agn_from_host(&y, AGN_F64, 1, &n, t));
    agn_scope *s = agn_scope_open(NULL);
    int64_t order = 1;
    agn_scope_return(s, &out, agni_apply_in(s, &agni_op_gamma_slope, &(agni_attr){.ni = 1, .i = &order}, 2,
                                            (T[]){x, y}));
    must(agn_scope_close(s));
    agn_release(x);
    agn_release(y);
    return out;
}

static unsigned state = 1;
static double unit(void)
{
    state = state * 1664525u + 1013904223u;
    return (double)(state >> 8) * 0x1p-24;
}

int main(void)
{
    enum { N = 20000 };
    static double a[N], t[N];
    const double lo[] = {1e-9, 0.01, 0.3, 3, 30, 80, 900}, hi[] = {0.01, 0.5, 4, 40, 90, 1200, 6000};
    for (int k = 0; k < 7; k++) {
        int64_t n = tap_scale(N);
        for (int64_t i = 0; i < n; i++) {
            a[i] = lo[k] * pow(hi[k] / lo[k], unit());
            /* about the middle of the law, and far from it */
            double z = 8 * unit() - 4;
            t[i] = i % 2 ? log(a[i]) + z / sqrt(a[i] + 0.3) : 12 * unit() - 8;
        }
        agn_tensor *y = slopes(a, t, n);
        const double *v = agn_data(y);
        double worst = 0;
        int64_t at = 0;
        for (int64_t i = 0; i < n; i++) {
            double e = fabs(v[i] / agni_gamma_slope(a[i], t[i], 1) - 1);
            if (!(e <= worst)) {
                worst = e;
                at = i;
            }
        }
        /* beyond 90 the rounding of t alone moves the answer by eps t sqrt(a) */
        ok(worst < (hi[k] > 90 ? 1e-12 : 1e-13), "concentrations from %g to %g: %.2g at a = %.17g, log y = %.17g", lo[k], hi[k], worst, a[at],
           t[at]);
        /* the bits of an element are its own: the same in another order, and alone */
        static double turned_a[N], turned_t[N];
        for (int64_t i = 0; i < n; i++) {
            turned_a[i] = a[(i * 7919 + 13) % n];
            turned_t[i] = t[(i * 7919 + 13) % n];
        }
        agn_tensor *z = slopes(turned_a, turned_t, n);
        int moved = 0;
        for (int64_t i = 0; i < n; i++)
            moved += ((const double *)agn_data(z))[i] != v[(i * 7919 + 13) % n];
        agn_release(z);
        for (int64_t i = 0; i < 50; i++) {
            z = slopes(a + i, t + i, 1);
            moved += ((const double *)agn_data(z))[0] != v[i];
            agn_release(z);
        }
        is_int(moved, 0, "whatever stands beside it");
        agn_release(y);
    }
    /* dF/da / h by mpmath 1.3 with 40 digits (tests/data/make-gamma-slope.py) */
    static const double exact[][3] = {
#include "tests/data/gamma-slope.inc"
    };
    enum { ROWS = sizeof exact / sizeof exact[0] };
    double worst = 0;
    for (int i = 0; i < ROWS; i++) {
        a[i] = exact[i][0];
        t[i] = log(exact[i][1]);
    }
    agn_tensor *y = slopes(a, t, ROWS);
    for (int i = 0; i < ROWS; i++)
        worst = fmax(worst, fabs(((const double *)agn_data(y))[i] / exact[i][2] - 1));
    agn_release(y);
    ok(worst < 1e-13, "%d values of mpmath: %.2g", (int)ROWS, worst);
    /* what has no answer */
    double odd_a[] = {-1, 0, NAN, 2, INFINITY}, odd_t[] = {1, 1, 1, NAN, 1};
    y = slopes(odd_a, odd_t, 5);
    int wrong = 0;
    for (int i = 0; i < 5; i++)
        wrong += !isnan(((const double *)agn_data(y))[i]);
    is_int(wrong, 0, "NaN where there is no law");
    agn_release(y);
    return done();
}
