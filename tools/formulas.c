/* tools/formulas.c - formulas.def, read once for functions and once for the table. */
#include "config.h"
#include "verify.h"

#include <math.h>
#include <string.h>
#ifdef HAVE_GSL
#include <gsl/gsl_sf_psi.h>

static long double polygamma(int n, long double x)
{
    return (long double)gsl_sf_psi_n(n, (double)x);
}
#else
/* recurrence to x >= 30, then the asymptotic series (Abramowitz & Stegun 6.3.18,
   6.4.11); n is 0 or 2 */
static long double polygamma(int n, long double x)
{
    long double sum = 0;
    for (; x < 30; x++)
        sum -= n == 0 ? 1 / x : 2 / (x * x * x);
    long double q = 1 / (x * x);
    if (n == 0)
        return sum + logl(x) - 0.5L / x -
               q * (1 / 12.0L - q * (1 / 120.0L - q * (1 / 252.0L - q / 240)));
    return sum -
           q * (1 + 1 / x + q * (0.5L - q * (1 / 6.0L - q * (1 / 6.0L - q * 0.3L))));
}
#endif

#define RX(op, e, ...)                                      \
    static long double r_##op(long double a, long double b) \
    {                                                       \
        (void)a, (void)b;                                   \
        return e;                                           \
    }
#define Z(op, e)                       \
    static wide z_##op(wide a, wide b) \
    {                                  \
        (void)a, (void)b;              \
        return e;                      \
    }
#define R(op, e) RX(op, e, )
#define RZ(op, r, z) RX(op, r, ) Z(op, z)
#define RZX(op, r, z, ...) RX(op, r, ) Z(op, z)
#include "formulas.def"
#undef R
#undef RX
#undef RZ
#undef RZX
#undef Z

#define R(name, e) {.op = #name, .real = r_##name},
#define RX(name, e, ...) {.op = #name, .real = r_##name, __VA_ARGS__},
#define Z(name, e) {.op = #name, .cplx = z_##name},
#define RZ(name, r, z) {.op = #name, .real = r_##name, .cplx = z_##name},
#define RZX(name, r, z, ...) \
    {.op = #name, .real = r_##name, .cplx = z_##name, __VA_ARGS__},
static const formula formulas[] = {
#include "formulas.def"
};

const formula *formula_of(const char *op)
{
    for (int i = 0; i < (int)(sizeof formulas / sizeof *formulas); i++)
        if (!strcmp(formulas[i].op, op))
            return &formulas[i];
    return NULL;
}
