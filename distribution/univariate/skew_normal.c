/* distribution/univariate/skew_normal.c - the skew normal law (Azzalini 1985; Azzalini & Capitanio
   2014, 2). */
#include "distribution/expression.h"
#include "tensor/elementwise/partials.h"

enum { SKEW_LOC, SKEW_SCALE, ALPHA };
#define AT d->param[SKEW_LOC]
#define BY d->param[SKEW_SCALE]

/* alpha / sqrt(1 + alpha^2) */
static T delta_of(agn_scope *s, const agn_distribution *d)
{
    return DIV(d->param[ALPHA], FN(hypot, LIT(1), d->param[ALPHA]));
}
DRAW(skew_rsample)
{
    T keys = FN(key_split, key, 2), delta = delta_of(s, d);
    T u = FN(abs, FN(normal, FN(index_axis, keys, 0, 0), d->batch.dtype, ndim, shape));
    T v = FN(normal, FN(index_axis, keys, 0, 1), d->batch.dtype, ndim, shape);
    T z = ADD(MUL(delta, u), DIV(v, FN(hypot, LIT(1), d->param[ALPHA])));
    return ADD(AT, MUL(BY, z));
}
OF_X(skew_log_prob)
{
    T z = DIV(SUB(x, AT), BY);
    T base = SUB(TIMES(FN(square, z), -0.5), PLUS(FN(log, BY), LOG_SQRT_2PI - LOG_2));
    return ADD(base, FN(log_ndtr, MUL(d->param[ALPHA], z)));
}
OF_PARAMETERS(skew_mean) { return ADD(AT, TIMES(MUL(BY, delta_of(s, d)), sqrt(2 / PI))); }
OF_PARAMETERS(skew_variance)
{
    T less = TIMES(FN(square, delta_of(s, d)), -2 / PI);
    return MUL(FN(square, BY), PLUS(less, 1));
}
/* For z <= 0 and a >= 0 the share below z over the density there, the integral over t of exp((1 + a^2)
   (z t - t^2 / 2)) erfcx(a (t - z) / sqrt 2) / erfcx(-a z / sqrt 2): all of it is positive. */
static T skew_mills_ratio(agn_scope *s, const agn_distribution *d, T z, T a)
{
    T w, t = agni_half_line(s, d, &w), fall = FN(hypot, LIT(1), a);
    T width = FN(stop_gradient, FN(reciprocal, MUL(fall, PLUS(MUL(fall, NEG(z)), 1))));
    T u = MUL(OVER(width), t);
    T shape = MUL(OVER(FN(square, fall)), SUB(MUL(OVER(z), u), TIMES(FN(square, u), 0.5)));
    T far = FN(erfcx, TIMES(MUL(OVER(a), SUB(u, OVER(z))), SQRT_HALF));
    T near = FN(erfcx, TIMES(MUL(a, z), -SQRT_HALF));
    return MUL(width, DIV(agni_integrate(s, w, MUL(FN(exp, shape), far)), near));
}
/* log of the share below z, z <= 0, of loc 0 and scale 1. For a < 0 it is what the share for -a, of
   Phi(z) at most, lacks to 2 Phi(z). */
static T skew_log_tail(agn_scope *s, const agn_distribution *d, T z, T a)
{
    T size = FN(abs, a), ratio = skew_mills_ratio(s, d, z, size);
    T base = PLUS(TIMES(FN(square, z), -0.5), LOG_2 - LOG_SQRT_2PI);
    T falling = ADD(ADD(base, FN(log_ndtr, MUL(size, z))), FN(log, ratio));
    T normal = TIMES(FN(erfcx, TIMES(z, -SQRT_HALF)), sqrt(PI / 2));
    T half = DIV(MUL(FN(ndtr, MUL(size, z)), ratio), normal);
    T rising = ADD(PLUS(FN(log_ndtr, z), LOG_2), FN(log1p, NEG(half)));
    return SEL(LT(a, LIT(0)), rising, falling);
}
/* Above 0, what lies beyond -z to the left and within z of 0, whatever the skewness. */
static T skew_share(agn_scope *s, const agn_distribution *d, T x, bool right, bool log)
{
    T z = DIV(SUB(x, AT), BY), a = d->param[ALPHA];
    z = right ? NEG(z) : z;
    a = right ? NEG(a) : a;
    T above = GT(z, LIT(0)), tail = skew_log_tail(s, d, SEL(above, NEG(z), z), a);
    T inner = FN(erf, TIMES(SEL(above, z, LIT(0)), SQRT_HALF));
    T share = ADD(inner, FN(exp, tail));
    if (!log)
        return share;
    /* of the other side where this one is the larger: z > 0 is then z < 0 with -a */
    T rest = skew_log_tail(s, d, SEL(above, NEG(z), LIT(0)), NEG(a));
    T small = LT(share, LIT(0.5)), large = FN(log1p, NEG(FN(exp, rest)));
    return SEL(above, SEL(small, FN(log, share), large), tail);
}
OF_X(skew_cdf) { return skew_share(s, d, x, false, false); }
OF_X(skew_survival) { return skew_share(s, d, x, true, false); }
OF_X(skew_log_cdf) { return skew_share(s, d, x, false, true); }
OF_X(skew_log_survival) { return skew_share(s, d, x, true, true); }
/* z = alpha phi(alpha z) / Phi(alpha z), one root between 0 and the sign of alpha */
static T skew_pull(agn_scope *s, T a, T z) { return MUL(a, agni_inverse_mills(s, MUL(a, z))); }
OF_PARAMETERS(skew_mode)
{
    T a = d->param[ALPHA], size = FN(abs, a), z = FN(stop_gradient, FN(zeros_like, a));
    for (int b = 1; b < 60; b++) {
        T more = PLUS(z, ldexp(1, -b));
        z = FN(stop_gradient, SEL(LT(more, skew_pull(s, size, more)), more, z));
    }
    z = SEL(LT(a, LIT(0)), NEG(z), z);
    for (int i = 0; i < 3; i++) { /* Newton; the last steps carry derivatives */
        T m = skew_pull(s, a, z), slope = PLUS(MUL(m, ADD(MUL(FN(square, a), z), m)), 1);
        z = SUB(z, DIV(SUB(z, m), slope));
    }
    return ADD(AT, MUL(BY, z));
}
/* log(2 pi e) / 2 + log(scale / 2) - E log Phi(alpha z), over z > 0 of 2 phi(z) (Phi log Phi + (1 -
   Phi) log(1 - Phi)) at alpha z */
OF_PARAMETERS(skew_entropy)
{
    T w, t = agni_half_line(s, d, &w), width = FN(reciprocal, FN(hypot, LIT(1), d->param[ALPHA]));
    t = MUL(OVER(width), t);
    T v = MUL(OVER(FN(abs, d->param[ALPHA])), t);
    T up = FN(log_ndtr, v), down = FN(log_ndtr, NEG(v));
    T pair = ADD(MUL(FN(exp, up), up), MUL(FN(exp, down), down));
    T phi = FN(exp, PLUS(TIMES(FN(square, t), -0.5), LOG_2 - LOG_SQRT_2PI));
    T known = PLUS(FN(log, BY), LOG_SQRT_2PI + 0.5 - LOG_2);
    return SUB(known, MUL(width, agni_integrate(s, w, MUL(phi, pair))));
}
const agni_law agni_law_skew_normal = {
    .name = "skew_normal", .n = 3, .param = {"loc", "scale", "alpha"},
    .domain = {AGNI_REAL, AGNI_POSITIVE, AGNI_REAL}, .support = AGN_SUPPORT_REAL,
    .rsample = skew_rsample, .log_prob = skew_log_prob, .mean = skew_mean,
    .variance = skew_variance, .cdf = skew_cdf, .survival = skew_survival,
    .log_cdf = skew_log_cdf, .log_survival = skew_log_survival, .mode = skew_mode,
    .entropy = skew_entropy,
};
