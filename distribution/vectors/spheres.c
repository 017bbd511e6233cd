/* distribution/vectors/spheres.c - laws of directions by normal and beta numbers: projected normal (Presnell,
   Morrison & Littell 1998), power spherical (De Cao & Aziz 2020). */
#include "distribution/vectors/vectors.h"
#include "tensor/elementwise/partials.h"

#include <agnesi/vector_laws.h>

#define FIRST d->param[0]
#define K d->param[1]

static double count_dimensions(const agn_distribution *d) { return (double)agni_size_at(FIRST, 1); }
static T along(agn_scope *s, T a, T b) { return agni_sum_last(s, MUL(a, b), 1); }
static agn_status check_size(const char *op, const agn_distribution *d, const char *name, int64_t most)
{
    int64_t n = agni_size_at(FIRST, 1);
    if (n < 2 || n > most)
        return agni_fail(AGN_ESHAPE, "%s: %s is %s; vectors of 2 to %lld numbers are possible", op, name,
                         AGNI_SHAPE(FIRST), (long long)most);
    return AGN_OK;
}
static T on_the_sphere(agn_scope *s, const agn_distribution *d, T x, T log_p)
{
    T off = GT(FN(abs, PLUS(agni_squares(s, x, 1), -1)), LIT(agni_slack(d)));
    return SEL(off, agni_minus_infinity(s), log_p);
}

/* ---- projected normal: the direction of a normal vector of mean loc ---------------------------- */

enum { MOST = 64 }; /* the rule of agni_half_line resolves r^63 */
static agn_status check_projected(const char *op, const agn_distribution *d)
{
    return check_size(op, d, "loc", MOST);
}
/* log of the integral I_n of r^(n - 1) exp(-r^2 / 2 + r t) over r > 0. For t >= 0 by quotients of I_(n + 1)
   = t I_n + (n - 1) I_(n - 1), times exp(-t^2 / 2) / sqrt(2 pi); below 0, where these cancel, by r over
   its likeliest value. */
static T log_radial_right(agn_scope *s, T t, int n)
{
    T ratio = ADD(t, agni_inverse_mills(s, t)), sum = FN(log_ndtr, t);
    for (int k = 1; k < n; k++) {
        sum = ADD(sum, FN(log, ratio));
        ratio = ADD(t, DIV(LIT(k), ratio));
    }
    return sum;
}
static T log_radial_left(agn_scope *s, const agn_distribution *d, T t, int n)
{
    T still = FN(stop_gradient, t), root = FN(sqrt, PLUS(FN(square, still), 4.0 * (n - 1)));
    T top = DIV(LIT(2.0 * (n - 1)), SUB(root, still)), square = FN(square, top);
    T w, u = agni_half_line(s, d, &w), less = PLUS(u, -1);
    T bow = MUL(OVER(square), TIMES(MUL(less, PLUS(u, 1)), 0.5));
    T g = ADD(SUB(TIMES(FN(log, u), n - 1), bow), MUL(OVER(MUL(t, top)), less));
    T sum = FN(log, agni_integrate(s, w, FN(exp, g)));
    return ADD(ADD(TIMES(FN(log, top), n), SUB(MUL(t, top), TIMES(square, 0.5))), sum);
}
OF_X(projected_log_prob)
{
    int n = (int)count_dimensions(d);
    T t = along(s, x, FIRST), right = GE(t, LIT(0)), none = FN(zeros_like, t);
    T apart = agni_squares(s, SUB(FIRST, MUL(x, agni_column(s, t))), 1); /* |loc|^2 - t^2 */
    T near = PLUS(log_radial_right(s, SEL(right, t, none), n), -(n - 1) * LOG_SQRT_2PI);
    near = SUB(near, TIMES(apart, 0.5));
    T far = PLUS(log_radial_left(s, d, SEL(right, PLUS(none, -1), t), n), -n * LOG_SQRT_2PI);
    far = SUB(far, TIMES(agni_squares(s, FIRST, 1), 0.5));
    return on_the_sphere(s, d, x, ADD(SEL(right, near, far), TIMES(t, 0)));
}
DRAW(projected_rsample)
{
    return agni_direction(s, ADD(FIRST, FN(normal, key, d->batch.dtype, ndim, shape)));
}
/* loc Gamma((n + 1) / 2) / (sqrt 2 Gamma(n / 2 + 1)) 1F1(1/2, n / 2 + 1, -|loc|^2 / 2) */
OF_PARAMETERS(projected_mean)
{
    double n = count_dimensions(d), c = exp(lgamma((n + 1) / 2) - lgamma(n / 2 + 1)) * SQRT_HALF;
    T y = TIMES(agni_squares(s, FIRST, 1), -0.5);
    T m = FN(hyp1f1, make_number(s, d, 0.5), make_number(s, d, n / 2 + 1), y);
    return MUL(FIRST, agni_column(s, TIMES(m, c)));
}
OF_PARAMETERS(projected_mode) { return agni_direction(s, FIRST); }
static const agni_law projected_law = {
    .name = "projected_normal",
    .n = 1,
    .param = {"loc"},
    .domain = {AGNI_REAL},
    .rank = {1},
    .event_rank = 1,
    .support = AGN_SUPPORT_SPHERE,
    .check = check_projected,
    .rsample = projected_rsample,
    .log_prob = projected_log_prob,
    .mean = projected_mean,
    .mode = projected_mode,
};
agn_status agn_distribution_projected_normal(agn_distribution **out, const agn_tensor *loc,
                                             const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &projected_law, &loc, opts);
}

/* ---- power spherical: density proportional to (1 + m x)^k --------------------------------------- */

static agn_status check_power(const char *op, const agn_distribution *d)
{
    return check_size(op, d, "mean_direction", INT64_C(1) << 30);
}
static double half_rank(const agn_distribution *d) { return 0.5 * (count_dimensions(d) - 1); }
/* log of the factor before ((1 + m x) / 2)^k: of 2^(-2 b) pi^-b Gamma(a + b) / Gamma(a), a = b + k */
OF_PARAMETERS(power_log_unit)
{
    double b = half_rank(d);
    T beta = agni_log_beta(s, PLUS(K, b), make_number(s, d, b));
    return NEG(PLUS(beta, 2 * b * LOG_2 + b * LOG_PI - lgamma(b)));
}
OF_X(power_log_prob)
{
    T far = agni_squares(s, SUB(x, agni_direction(s, FIRST)), 1); /* 2 (1 - m x) */
    T bend = FN(xlog1py, K, TIMES(FN(minimum, far, LIT(4)), -0.25));
    return on_the_sphere(s, d, x, ADD(power_log_unit(s, d), bend));
}
/* (1 - m x) / 2 is a beta number of b and b + k */
DRAW(power_rsample)
{
    T keys = FN(key_split, key, 2), m = agni_direction(s, FIRST);
    T less = FN(random_beta, agni_one_key(s, keys, 0), make_number(s, d, half_rank(d)),
                PLUS(K, half_rank(d)), ndim - 1, shape);
    T z = FN(normal, agni_one_key(s, keys, 1), d->batch.dtype, ndim, shape);
    T across = agni_direction(s, SUB(z, MUL(m, agni_column(s, along(s, z, m)))));
    T height = TIMES(FN(sqrt, MUL(less, SUB(LIT(1), less))), 2), to = PLUS(TIMES(less, -2), 1);
    return ADD(MUL(m, agni_column(s, to)), MUL(across, agni_column(s, height)));
}
OF_PARAMETERS(power_mean)
{
    T length = DIV(K, PLUS(K, 2 * half_rank(d)));
    return MUL(agni_direction(s, FIRST), agni_column(s, length));
}
OF_PARAMETERS(power_mode) { return agni_direction(s, FIRST); }
OF_PARAMETERS(power_entropy)
{
    T step = agni_digamma_step(s, PLUS(K, half_rank(d)), half_rank(d));
    return SUB(MUL(K, step), power_log_unit(s, d));
}
static const agni_law power_law = {
    .name = "power_spherical",
    .n = 2,
    .param = {"mean_direction", "concentration"},
    .domain = {AGNI_REAL, AGNI_POSITIVE},
    .rank = {1, 0},
    .event_rank = 1,
    .support = AGN_SUPPORT_SPHERE,
    .check = check_power,
    .rsample = power_rsample,
    .log_prob = power_log_prob,
    .mean = power_mean,
    .mode = power_mode,
    .entropy = power_entropy,
};
agn_status agn_distribution_power_spherical(agn_distribution **out, const agn_tensor *mean_direction,
                                            const agn_tensor *concentration,
                                            const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &power_law, (T[]){mean_direction, concentration}, opts);
}
