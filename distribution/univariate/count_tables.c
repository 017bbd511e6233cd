/* distribution/univariate/count_tables.c - laws of counts by tables of their probabilities: Conway-Maxwell-Poisson
   (Shmueli & al. 2005), generalised Poisson (Consul & Jain 1973). */
#include "distribution/expression.h"

#include <agnesi/univariate_laws.h>

#define FIRST d->param[0]
#define SECOND d->param[1]
#define OPTS const agn_distribution_options *opts
#define MAKE(law, ...) \
    agni_distribution_make(out, &agni_law_##law, (const agn_tensor *[]){__VA_ARGS__}, opts)

/* TABLE whole numbers k along a last axis, step apart, LEFT of them below the middle where there are so
   many: ten deviations, of up to 48 steps, on either side; log of their weights, and whether what the
   table lacks is next to nothing */
enum { TABLE = 1024, LEFT = 490 };
typedef struct table {
    T k, log_weight, step, whole;
} table;

static T total(agn_scope *s, T x) { return FN(sum, x, (const int32_t[]){-1}, 1, false); }
static T at_place(agn_scope *s, T x, int64_t i) { return FN(index_axis, x, -1, i); }
/* NaN where x is not known, and so are its derivatives */
static T if_known(agn_scope *s, T known, T x)
{
    return MUL(x, SEL(known, FN(ones_like, x), LIT((double)NAN)));
}
static void weigh_table(agn_scope *s, table *t, T log_weight)
{
    t->log_weight = log_weight;
    T top = FN(max, t->log_weight, (const int32_t[]){-1}, 1, false), low = PLUS(top, -50);
    T zero = FN(eq, at_place(s, t->k, 0), LIT(0)), single = FN(eq, at_place(s, t->step, 0), LIT(1));
    T left = FN(logical_or, FN(logical_and, zero, single), LT(at_place(s, t->log_weight, 0), low));
    t->whole = FN(logical_and, left, LT(at_place(s, t->log_weight, TABLE - 1), low));
}
/* Numbers about m for Poisson's law of mean m to a power: where it is broad, every step-th number, since 24 of
   them lie within a deviation sqrt(m / power) (Trefethen & Weideman 2014) */
static table place_table(agn_scope *s, const agn_distribution *d, T m, T power)
{
    T still = OVER(FN(stop_gradient, m)), spread = FN(sqrt, DIV(still, OVER(FN(stop_gradient, power))));
    T step = FN(maximum, FN(floor, TIMES(spread, 1.0 / 24)), LIT(1));
    T low = FN(maximum, SUB(FN(floor, still), TIMES(step, LEFT)), LIT(0));
    T k = ADD(low, MUL(step, count_up(s, d, TABLE)));
    return (table){k, NULL, step, NULL};
}
/* below mean 1 by powers, which have derivatives at 0 */
T agni_poisson_table(agn_scope *s, const agn_distribution *d, T mean, T *count)
{
    T near = LT(mean, LIT(1)), m = SEL(near, mean, LIT(0)), most = SEL(near, LIT(1), mean);
    table t = place_table(s, d, most, LIT(1));
    weigh_table(s, &t, agni_poisson_log_mass(s, OVER(most), t.k));
    T far = if_known(s, OVER(t.whole), MUL(FN(exp, t.log_weight), t.step));
    T fall = FN(exp, SUB(NEG(OVER(m)), FN(lgamma, PLUS(t.k, 1))));
    *count = t.k;
    return SEL(OVER(near), MUL(FN(pow, OVER(m), t.k), fall), far);
}

/* The sum over the TABLE numbers next to x, above it or from it down, and whether that is all of them */
static T sum_beside(agn_scope *s, const agn_distribution *d, T x, bool above, T *whole)
{
    T j = count_up(s, d, TABLE), at = OVER(x), k = above ? ADD(PLUS(at, 1), j) : SUB(at, j);
    T there = GE(k, LIT(0)), log_p = d->law->log_prob(s, d, SEL(there, k, LIT(0)));
    log_p = SEL(there, log_p, LIT(-(double)INFINITY));
    T top = FN(max, FN(stop_gradient, log_p), (const int32_t[]){-1}, 1, false);
    *whole = LT(at_place(s, log_p, TABLE - 1), PLUS(top, -50)); /* of logs: all of p may be 0 */
    if (!above)
        *whole = FN(logical_or, *whole, LT(x, LIT(TABLE)));
    return total(s, SEL(there, FN(exp, SEL(there, log_p, LIT(0))), LIT(0)));
}
/* By the sum on the side asked for, or by what the other one leaves, if that is the larger part; NaN
   where neither is known. For laws with one mode whose tails fall exponentially. */
T agni_count_share(agn_scope *s, const agn_distribution *d, T x, bool above)
{
    T params[AGNI_PATH_PARAMS], own, other, k = FN(stop_gradient, x);
    for (int i = 0; i < d->law->n; i++)
        params[i] = OVER(d->param[i]);
    const agn_distribution *e = agni_distribution_with(s, d, params);
    if (!e)
        return NULL;
    T part = sum_beside(s, e, k, above, &own), rest = sum_beside(s, e, k, !above, &other);
    T known = FN(logical_or, own, FN(logical_and, other, LE(rest, LIT(0.5))));
    T share = if_known(s, known, SEL(own, part, SUB(LIT(1), rest)));
    return SEL(FN(isnan, x), x, share);
}
/* numbers of a table by inversion; NaN where it lacks some */
static T draw_from(agn_scope *s, const agn_distribution *d, const table *t, T key, int ndim,
                   const int64_t *shape)
{
    int nb = d->batch.ndim, more = ndim - nb;
    int64_t rows[AGN_MAX_RANK + 1], all[AGN_MAX_RANK];
    int32_t from[AGN_MAX_RANK], to[AGN_MAX_RANK];
    for (int i = 0; i < nb; i++) {
        rows[i] = all[i] = d->batch.shape[i];
        from[i] = i, to[i] = more + i;
    }
    rows[nb] = TABLE;
    for (int i = 0; i < more; i++)
        all[nb + i] = shape[i];
    T w = MUL(FN(exp, FN(stop_gradient, t->log_weight)), t->step);
    T sum = FN(broadcast_to, FN(cumsum, w, -1), nb + 1, rows), end = at_place(s, sum, TABLE - 1);
    T u = FN(uniform, key, d->batch.dtype, ndim, all);
    for (int i = 0; i < more; i++)
        end = OVER(end);
    T place = FN(searchsorted, sum, MUL(u, end), true);
    place = nb && more ? FN(moveaxis, place, from, to, nb) : place;
    T ok = FN(logical_and, t->whole, FN(eq, at_place(s, t->step, 0), LIT(1)));
    T k = ADD(at_place(s, t->k, 0), FN(cast, place, d->batch.dtype));
    return SEL(ok, k, LIT((double)NAN));
}
/* of a law whose weights are probabilities */
static T entropy_of(agn_scope *s, const table *t)
{
    T h = NEG(total(s, MUL(MUL(FN(exp, t->log_weight), t->log_weight), t->step)));
    return if_known(s, t->whole, h);
}

/* ---- Conway-Maxwell-Poisson: probabilities proportional to rate^k / (k!)^nu ------------------- */

/* That is Poisson's law of mean rate^(1 / nu) to the power nu; NaN where the mean is no number that
   can be stepped through. */
OF_PARAMETERS(conway_middle)
{
    T m = FN(exp, DIV(FN(log, FIRST), SECOND));
    return if_known(s, LT(m, LIT(d->batch.dtype == AGN_F32 ? 0x1p20 : 0x1p48)), m);
}
/* log of the weight of k: Poisson's to the power nu; below mean 1, where those are large and cancel, as it stands */
static T conway_log_weight(agn_scope *s, T rate, T nu, T m, T k)
{
    T near = LT(m, LIT(1)), plain = SUB(MUL(k, FN(log, rate)), MUL(nu, FN(lgamma, PLUS(k, 1))));
    return SEL(near, plain, MUL(nu, agni_poisson_log_mass(s, SEL(near, LIT(1), m), k)));
}
/* log of the sum of the weights, and the table of probabilities */
static T conway_unit(agn_scope *s, const agn_distribution *d, table *t)
{
    T m = conway_middle(s, d);
    *t = place_table(s, d, m, SECOND);
    weigh_table(s, t, conway_log_weight(s, OVER(FIRST), OVER(SECOND), OVER(m), t->k));
    T sum = FN(logsumexp, ADD(t->log_weight, FN(log, t->step)), (const int32_t[]){-1}, 1, false);
    sum = if_known(s, t->whole, sum);
    t->log_weight = SUB(t->log_weight, OVER(sum));
    return sum;
}
OF_X(conway_log_prob)
{
    table t;
    T unit = conway_unit(s, d, &t);
    return SUB(conway_log_weight(s, FIRST, SECOND, conway_middle(s, d), x), unit);
}
OF_X(conway_cdf) { return agni_count_share(s, d, x, false); }
OF_X(conway_survival) { return agni_count_share(s, d, x, true); }
DRAW(conway_draw)
{
    table t;
    (void)conway_unit(s, d, &t);
    return draw_from(s, d, &t, key, ndim, shape);
}
/* the mean less the middle, and the table */
static T conway_lean(agn_scope *s, const agn_distribution *d, table *t, T *weight)
{
    (void)conway_unit(s, d, t);
    *weight = MUL(FN(exp, t->log_weight), t->step);
    return total(s, MUL(*weight, SUB(t->k, OVER(conway_middle(s, d)))));
}
OF_PARAMETERS(conway_mean)
{
    table t;
    T w;
    return ADD(conway_middle(s, d), conway_lean(s, d, &t, &w));
}
OF_PARAMETERS(conway_variance)
{
    table t;
    T w, lean = conway_lean(s, d, &t, &w), gap = SUB(t.k, OVER(conway_middle(s, d)));
    return total(s, MUL(w, FN(square, SUB(gap, OVER(lean)))));
}
OF_PARAMETERS(conway_mode) { return FN(floor, FN(stop_gradient, conway_middle(s, d))); }
OF_PARAMETERS(conway_entropy)
{
    table t;
    (void)conway_unit(s, d, &t);
    return entropy_of(s, &t);
}
static const agni_law agni_law_conway_maxwell_poisson = {
    .name = "conway_maxwell_poisson",
    .n = 2,
    .param = {"rate", "nu"},
    .domain = {AGNI_POSITIVE, AGNI_POSITIVE},
    .support = AGN_SUPPORT_COUNTS,
    .draw = conway_draw,
    .log_prob = conway_log_prob,
    .cdf = conway_cdf,
    .survival = conway_survival,
    .mean = conway_mean,
    .variance = conway_variance,
    .mode = conway_mode,
    .entropy = conway_entropy,
};
agn_status agn_distribution_conway_maxwell_poisson(agn_distribution **out, const agn_tensor *rate,
                                                   const agn_tensor *nu, OPTS)
{
    return MAKE(conway_maxwell_poisson, rate, nu);
}

/* ---- generalised Poisson: all of a family whose members have Poisson's number of children ----- */

/* Poisson's probability of k at r = rate + dispersion k, times rate / r */
OF_X(generalized_log_prob)
{
    T r = ADD(FIRST, MUL(SECOND, x));
    return ADD(agni_poisson_log_mass(s, r, x), SUB(FN(log, FIRST), FN(log, r)));
}
OF_X(generalized_cdf) { return agni_count_share(s, d, x, false); }
OF_X(generalized_survival) { return agni_count_share(s, d, x, true); }
OF_PARAMETERS(generalized_mean) { return DIV(FIRST, SUB(LIT(1), SECOND)); }
OF_PARAMETERS(generalized_variance)
{
    T rest = SUB(LIT(1), SECOND);
    return DIV(DIV(DIV(FIRST, rest), rest), rest);
}
static table generalized_table(agn_scope *s, const agn_distribution *d)
{
    T params[AGNI_PATH_PARAMS] = {OVER(FIRST), OVER(SECOND)}, one = FN(ones_like, params[0]);
    const agn_distribution *e = agni_distribution_with(s, d, params);
    T far = TIMES(FN(sqrt, generalized_variance(s, d)), 12), low = SUB(generalized_mean(s, d), far);
    low = FN(floor, FN(maximum, FN(stop_gradient, low), LIT(0)));
    T k = ADD(OVER(low), count_up(s, d, TABLE));
    table t = {k, NULL, one, NULL};
    weigh_table(s, &t, e ? generalized_log_prob(s, e, k) : NULL);
    return t;
}
DRAW(generalized_draw)
{
    table t = generalized_table(s, d);
    return draw_from(s, d, &t, key, ndim, shape);
}
OF_PARAMETERS(generalized_entropy)
{
    table t = generalized_table(s, d);
    return entropy_of(s, &t);
}
/* of the table, the first of the most likely numbers */
OF_PARAMETERS(generalized_mode)
{
    table t = generalized_table(s, d);
    T top = FN(argmax, FN(stop_gradient, t.log_weight), -1, false);
    T k = ADD(at_place(s, t.k, 0), FN(cast, top, d->batch.dtype));
    return SEL(t.whole, k, LIT((double)NAN));
}
static const agni_law agni_law_generalized_poisson = {
    .name = "generalized_poisson",
    .n = 2,
    .param = {"rate", "dispersion"},
    .domain = {AGNI_POSITIVE, AGNI_INSIDE_UNIT},
    .support = AGN_SUPPORT_COUNTS,
    .draw = generalized_draw,
    .log_prob = generalized_log_prob,
    .cdf = generalized_cdf,
    .survival = generalized_survival,
    .mean = generalized_mean,
    .variance = generalized_variance,
    .mode = generalized_mode,
    .entropy = generalized_entropy,
};
agn_status agn_distribution_generalized_poisson(agn_distribution **out, const agn_tensor *rate,
                                                const agn_tensor *dispersion, OPTS)
{
    return MAKE(generalized_poisson, rate, dispersion);
}
