/* distribution/vectors/directional.c - laws of angles and directions: von Mises, wrapped Cauchy, von Mises-Fisher
   (Mardia & Jupp 2000, 3.5, 9.3; Wood 1994). */
#include "distribution/vectors/vectors.h"

#include <agnesi/vector_laws.h>

enum { LOC, K };
#define MU d->param[LOC]
#define KAPPA d->param[K]

/* ---- the cosine of the angle to the mean direction in p dimensions: 1 - w of a share z of a beta
   law of (p - 1) / 2 and (p - 1) / 2, accepted with more than 0.65; the first of 48 accepted, NaN
   where none is (once in 1e22 numbers). Written with 1 - w, which a large concentration leaves
   small. */
enum { ROUNDS = 48 };
static T one_less_cosine(agn_scope *s, const agn_distribution *d, T key, double p, int ndim,
                         const int64_t *shape)
{
    T k = FN(stop_gradient, KAPPA), keys = FN(key_split, key, 2 * ROUNDS), found = NULL;
    T b = DIV(LIT(p - 1), ADD(TIMES(k, 2), FN(hypot, TIMES(k, 2), LIT(p - 1))));
    T half = make_number(s, d, 0.5 * (p - 1)), top = DIV(TIMES(b, 2), PLUS(b, 1)); /* 1 - x0 */
    for (int i = 0; i < ROUNDS; i++) {
        T z = FN(random_beta, agni_one_key(s, keys, 2 * i), half, half, ndim, shape);
        T u = open_uniform(s, d, agni_one_key(s, keys, 2 * i + 1), ndim, shape);
        T base = SUB(LIT(1), MUL(SUB(LIT(1), b), z)), gap = DIV(TIMES(MUL(b, z), 2), base);
        /* k (w - x0) + (p - 1) (log(1 - x0 w) - log(1 - x0^2)), where 1 - x0 w = 2 b / ((1 + b)
           base) */
        T logs = SUB(SUB(FN(log1p, b), LIT(LOG_2)), FN(log, base));
        T level = ADD(MUL(k, SUB(top, gap)), TIMES(logs, p - 1));
        T good = GE(level, FN(log, u)), mine = SEL(good, gap, LIT((double)NAN));
        found = found ? SEL(FN(isnan, found), mine, found) : mine;
    }
    return found;
}

/* ---- von Mises ------------------------------------------------------------------------------- */

static T wrap_angle(agn_scope *s, T x)
{
    T turns = FN(floor, TIMES(PLUS(x, PI), 0.5 / PI));
    return SUB(x, TIMES(turns, 2 * PI));
}
DRAW(von_mises_draw)
{
    T keys = FN(key_split, key, 2),
      gap = one_less_cosine(s, d, agni_one_key(s, keys, 0), 2, ndim, shape);
    T angle = TIMES(FN(asin, FN(sqrt, FN(minimum, TIMES(gap, 0.5), LIT(1)))), 2);
    T left = LT(FN(uniform, agni_one_key(s, keys, 1), d->batch.dtype, ndim, shape), LIT(0.5));
    return FN(clip, wrap_angle(s, ADD(MU, SEL(left, NEG(angle), angle))), LIT(-PI), LIT(PI));
}
/* log of 2 pi I_0(k) exp(-k) */
static T log_turn(agn_scope *s, T k) { return PLUS(FN(log, FN(i0e, k)), LOG_2 + LOG_PI); }
OF_X(von_mises_log_prob)
{
    T half = FN(sin, TIMES(SUB(x, MU), 0.5));
    return NEG(ADD(TIMES(MUL(KAPPA, FN(square, half)), 2), log_turn(s, KAPPA)));
}
static T one_less_length(agn_scope *s, T k)
{
    T zero = FN(i0e, k), one = FN(i1e, k);
    return DIV(SUB(zero, one), zero);
}
OF_PARAMETERS(von_mises_low) { return make_number(s, d, -PI); }
OF_PARAMETERS(von_mises_high) { return make_number(s, d, PI); }
OF_PARAMETERS(von_mises_mean) { return wrap_angle(s, MU); }
OF_PARAMETERS(von_mises_variance) { return one_less_length(s, KAPPA); }
OF_PARAMETERS(von_mises_entropy)
{
    return ADD(log_turn(s, KAPPA), MUL(KAPPA, one_less_length(s, KAPPA)));
}
static OF_BOTH(von_mises_kl)
{
    T k = p->param[K], k2 = q->param[K], less = one_less_length(s, k);
    T half = FN(sin, TIMES(SUB(p->param[LOC], q->param[LOC]), 0.5)),
      turn = TIMES(FN(square, half), 2);             /* 1 - cos */
    T gap = ADD(less, MUL(SUB(LIT(1), less), turn)); /* 1 - A cos */
    return ADD(SUB(log_turn(s, k2), log_turn(s, k)), SUB(MUL(k2, gap), MUL(k, less)));
}
static const agni_law von_mises_law = {
    .name = "von_mises",
    .n = 2,
    .param = {"loc", "concentration"},
    .domain = {AGNI_REAL, AGNI_POSITIVE},
    .support = AGN_SUPPORT_INTERVAL,
    .low = von_mises_low,
    .high = von_mises_high,
    .draw = von_mises_draw,
    .log_prob = von_mises_log_prob,
    .mean = von_mises_mean,
    .variance = von_mises_variance,
    .mode = von_mises_mean,
    .entropy = von_mises_entropy,
    .kl = von_mises_kl,
};
agn_status agn_distribution_von_mises(agn_distribution **out, const agn_tensor *loc,
                                      const agn_tensor *concentration,
                                      const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &von_mises_law, (T[]){loc, concentration}, opts);
}

/* ---- wrapped Cauchy -------------------------------------------------------------------------- */

DRAW(wrapped_rsample)
{
    T u = open_uniform(s, d, key, ndim, shape), ratio = DIV(SUB(LIT(1), KAPPA), PLUS(KAPPA, 1));
    T angle = TIMES(FN(atan, MUL(ratio, FN(tan, TIMES(PLUS(u, -0.5), PI)))), 2);
    return FN(clip, wrap_angle(s, ADD(MU, angle)), LIT(-PI), LIT(PI));
}
/* |1 - q exp(i a)|^2, q at most 1 */
static T square_to_one(agn_scope *s, T q, T a)
{
    T turn = MUL(TIMES(q, 4), FN(square, FN(sin, TIMES(a, 0.5))));
    return ADD(FN(square, SUB(LIT(1), q)), turn);
}
static T log_less_square(agn_scope *s, T r) { return ADD(FN(log1p, NEG(r)), FN(log1p, r)); }
OF_X(wrapped_log_prob)
{
    T top = PLUS(log_less_square(s, KAPPA), -LOG_2 - LOG_PI);
    return SUB(top, FN(log, square_to_one(s, KAPPA, SUB(x, MU))));
}
/* of the angles from one to another half angle, as they are seen from the point r of the disc: their
   tangents by k = (1 + r) / (1 - r), the difference by the theorem of addition */
static T wrapped_share(agn_scope *s, const agn_distribution *d, T from, T to, T half)
{
    T k = DIV(PLUS(KAPPA, 1), SUB(LIT(1), KAPPA));
    T along = MUL(FN(cos, from), FN(cos, to)), across = MUL(FN(sin, from), FN(sin, to));
    T angle = FN(atan2, MUL(k, FN(sin, half)), ADD(along, MUL(FN(square, k), across)));
    return TIMES(angle, 1 / PI);
}
static T half_turn(agn_scope *s, const agn_distribution *d, double end)
{
    return TIMES(PLUS(NEG(MU), end), 0.5);
}
OF_X(wrapped_cdf)
{
    T at = TIMES(SUB(x, MU), 0.5);
    return wrapped_share(s, d, half_turn(s, d, -PI), at, TIMES(PLUS(x, PI), 0.5));
}
OF_X(wrapped_survival)
{
    T at = TIMES(SUB(x, MU), 0.5);
    return wrapped_share(s, d, at, half_turn(s, d, PI), TIMES(PLUS(NEG(x), PI), 0.5));
}
OF_PARAMETERS(wrapped_variance) { return SUB(LIT(1), KAPPA); }
OF_PARAMETERS(wrapped_entropy) { return PLUS(log_less_square(s, KAPPA), LOG_2 + LOG_PI); }
static OF_BOTH(wrapped_kl)
{
    T r = p->param[K], q2 = q->param[K], gap = SUB(p->param[LOC], q->param[LOC]);
    T turn = MUL(TIMES(MUL(r, q2), 4), FN(square, FN(sin, TIMES(gap, 0.5))));
    T rest = FN(exp, ADD(log_less_square(s, r), log_less_square(s, q2)));
    return FN(log1p, DIV(ADD(FN(square, SUB(r, q2)), turn), rest));
}
static const agni_law wrapped_law = {
    .name = "wrapped_cauchy",
    .n = 2,
    .param = {"loc", "concentration"},
    .domain = {AGNI_REAL, AGNI_INSIDE_UNIT},
    .support = AGN_SUPPORT_INTERVAL,
    .low = von_mises_low,
    .high = von_mises_high,
    .rsample = wrapped_rsample,
    .log_prob = wrapped_log_prob,
    .cdf = wrapped_cdf,
    .survival = wrapped_survival,
    .mean = von_mises_mean,
    .variance = wrapped_variance,
    .mode = von_mises_mean,
    .entropy = wrapped_entropy,
    .kl = wrapped_kl,
};
agn_status agn_distribution_wrapped_cauchy(agn_distribution **out, const agn_tensor *loc,
                                           const agn_tensor *concentration,
                                           const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &wrapped_law, (T[]){loc, concentration}, opts);
}

/* ---- von Mises-Fisher ------------------------------------------------------------------------ */

static double count_dimensions(const agn_distribution *d) { return (double)agni_size_at(MU, 1); }
static agn_status check_direction(const char *op, const agn_distribution *d)
{
    if (agni_size_at(MU, 1) < 2)
        return agni_fail(AGN_ESHAPE,
                         "%s: mean_direction is %s; vectors of two numbers at least are needed", op,
                         AGNI_SHAPE(MU));
    return AGN_OK;
}
DRAW(fisher_draw)
{
    T keys = FN(key_split, key, 2), m = FN(stop_gradient, agni_direction(s, MU));
    T gap = one_less_cosine(s, d, agni_one_key(s, keys, 0), count_dimensions(d), ndim - 1, shape);
    T z = FN(normal, agni_one_key(s, keys, 1), d->batch.dtype, ndim, shape);
    T along = FN(sum, MUL(z, m), (const int32_t[]){-1}, 1, true);
    T across = agni_direction(s, SUB(z, MUL(along, m))), far = FN(sqrt, MUL(gap, SUB(LIT(2), gap)));
    return ADD(MUL(m, agni_column(s, SUB(LIT(1), gap))), MUL(across, agni_column(s, far)));
}
/* log of the factor before exp(k (m x - 1)) */
OF_PARAMETERS(fisher_log_unit)
{
    double half = 0.5 * count_dimensions(d);
    T bessel = FN(log, FN(ive, make_number(s, d, half - 1), KAPPA));
    return SUB(PLUS(TIMES(FN(log, KAPPA), half - 1), -half * (LOG_2 + LOG_PI)), bessel);
}
OF_X(fisher_log_prob)
{
    T far = agni_squares(s, SUB(x, agni_direction(s, MU)), 1); /* 2 (1 - m x) */
    T off = GT(FN(abs, PLUS(agni_squares(s, x, 1), -1)), LIT(agni_slack(d)));
    return SEL(off, agni_minus_infinity(s),
               SUB(fisher_log_unit(s, d), TIMES(MUL(KAPPA, far), 0.5)));
}
/* I_(p/2) / I_(p/2 - 1) */
OF_PARAMETERS(fisher_length)
{
    double half = 0.5 * count_dimensions(d);
    return DIV(FN(ive, make_number(s, d, half), KAPPA),
               FN(ive, make_number(s, d, half - 1), KAPPA));
}
OF_PARAMETERS(fisher_mean) { return MUL(agni_direction(s, MU), agni_column(s, fisher_length(s, d))); }
OF_PARAMETERS(fisher_mode) { return agni_direction(s, MU); }
OF_PARAMETERS(fisher_entropy)
{
    return SUB(MUL(KAPPA, SUB(LIT(1), fisher_length(s, d))), fisher_log_unit(s, d));
}
static OF_BOTH(fisher_kl)
{
    T k = p->param[K], k2 = q->param[K], a = fisher_length(s, p);
    T turn = TIMES(
        agni_squares(s, SUB(agni_direction(s, p->param[LOC]), agni_direction(s, q->param[LOC])), 1), 0.5);
    T own = MUL(k, SUB(LIT(1), a)), other = MUL(k2, SUB(LIT(1), MUL(a, SUB(LIT(1), turn))));
    return ADD(SUB(fisher_log_unit(s, p), fisher_log_unit(s, q)), SUB(other, own));
}
static const agni_law fisher_law = {
    .name = "von_mises_fisher",
    .n = 2,
    .param = {"mean_direction", "concentration"},
    .domain = {AGNI_REAL, AGNI_POSITIVE},
    .rank = {1, 0},
    .event_rank = 1,
    .support = AGN_SUPPORT_SPHERE,
    .check = check_direction,
    .draw = fisher_draw,
    .log_prob = fisher_log_prob,
    .mean = fisher_mean,
    .mode = fisher_mode,
    .entropy = fisher_entropy,
    .kl = fisher_kl,
};
agn_status agn_distribution_von_mises_fisher(agn_distribution **out,
                                             const agn_tensor *mean_direction,
                                             const agn_tensor *concentration,
                                             const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &fisher_law, (T[]){mean_direction, concentration}, opts);
}
