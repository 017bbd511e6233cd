/* bench/functions.c - the table of functions.def, where there is no reference, and how arguments
   come next to curves of roots. */
#include "bench/references.h"

#include <math.h>

static bool skip_underflown(const double *x) /* minutes for what is 0 */
{
    return x[0] > 1e4;
}
static bool skip_huge(const double *x) /* MPFR runs out of exponents */
{
    return fabs(x[0]) > 1e8;
}
/* sums of too many terms; poles of even order have no value */
static bool skip_order(const double *x)
{
    return x[0] < -300 || (x[0] <= 0 && x[0] == floor(x[0]));
}
static bool skip_hurwitz(const double *x)
{
    return !(x[0] > 1 && x[0] < 1e4 && x[1] > 0);
}
static bool skip_gamma(const double *x)
{
    return !(x[0] > 1e-90 && x[1] > 0 && x[0] < 1e6 && x[1] < 1e6);
}
static bool skip_beta(const double *x)
{
    return !(x[0] > 1e-90 && x[1] > 1e-90 && x[0] < 1e4 && x[1] < 1e4 && x[2] > 0 && x[2] < 1);
}

static void lead_equal(double *x, double step)
{
    x[1] = x[0] * (1 + step);
}
static void lead_mean(double *x, double step)
{
    double y = x[0] / (x[0] + x[1]) * (1 + step);
    x[2] = y > 0 && y < 1 ? y : x[2];
}
static void lead_logaddexp(double *x, double step) /* exp(a) + exp(b) = 1 */
{
    x[0] = -fabs(x[0]);
    x[1] = log1p(-exp(x[0])) * (1 + step);
}
static void lead_logaddexp2(double *x, double step)
{
    x[0] = -fabs(x[0]);
    x[1] = log2(1 - exp2(x[0])) * (1 + step);
}

#define LIST(...) {__VA_ARGS__, END}
#define BOX1(a, b) 1, {{a, b}}
#define BOX2(a, b, c, d) 2, {{a, b}, {c, d}}
#define BOX3(a, b, c, d, e, f) 3, {{a, b}, {c, d}, {e, f}}
#define AT1(...) {LIST(__VA_ARGS__)}
#define AT2(a, b) {LIST a, LIST b}
#define AT3(a, b, c) {LIST a, LIST b, LIST c}
#define ROW(id, name, op, order, skip, lead, ...) \
    {name, op, order, v_##id, q_##id, skip, lead, __VA_ARGS__},
const function functions[] = {
#include "bench/functions.def"
};
const int n_functions = (int)(sizeof functions / sizeof *functions);
