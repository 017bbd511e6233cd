/* distribution/vectors/counts.c - vectors of counts: multinomial, Dirichlet-multinomial; drawn
   without replacement: hypergeometric (Johnson, Kotz & Balakrishnan 1997, 35; Johnson, Kemp & Kotz
   2005, 6). */
#include "distribution/vectors/vectors.h"

#include <agnesi/vector_laws.h>

enum { WEIGHTS, TOTAL }; /* logits or concentrations first: they have the axis of the event */
#define TOTAL_COUNT d->param[TOTAL]
static const int32_t last_axis[] = {-1};

int64_t agni_largest(agn_scope *s, const char *op, const char *name, const agn_tensor *x)
{
    double *v, most = 0;
    agn_status st = agni_law_values(op, x, &v);
    if (!st && !v && x->size)
        st = agni_fail(AGN_EUNSUPPORTED,
                       "%s: %s has no value here, and the number of terms depends on it", op, name);
    for (int64_t i = 0; !st && v && i < x->size; i++)
        most = v[i] > most ? v[i] : most;
    agni_free(v);
    if (!st && most > 1e8)
        st = agni_fail(AGN_EUNSUPPORTED, "%s: %s is %g; sums have 1e8 terms at most", op, name,
                       most);
    return agn_scope_fail(s, st) ? -1 : (int64_t)most;
}

/* counts that add up to the total, none below 0, all whole */
static T where_counts(agn_scope *s, const agn_distribution *d, T x, T y)
{
    T bad = FN(logical_or, LT(x, LIT(0)), GT(FN(abs, SUB(x, FN(floor, x))), LIT(0)));
    T off = GT(FN(abs, SUB(agni_sum_last(s, x, 1), TOTAL_COUNT)), LIT(0.5));
    return SEL(FN(logical_or, agni_any_last(s, bad, 1), off), agni_minus_infinity(s), y);
}

/* One class after the other, each binomial of what is left, by its share of the classes left. */
static T draw_counts(agn_scope *s, const agn_distribution *d, T key, T logits, int ndim,
                     const int64_t *shape)
{
    int64_t n = shape[ndim - 1];
    if (!n || agn_scope_status(s))
        return ag_full(s, d->batch.dtype, ndim, shape, 0);
    T rest = FN(logcumsumexp, logits, -1, AGN_SCAN_REVERSE);
    T share = FN(stop_gradient, FN(minimum, FN(exp, SUB(logits, rest)), LIT(1)));
    T keys = FN(key_split, key, n), left = FN(cast, TOTAL_COUNT, AGN_I64);
    T *parts = agni_alloc((size_t)n * sizeof *parts), y = NULL;
    if (!parts)
        agn_scope_fail(s, agni_nomem("distribution_sample", (size_t)n * sizeof *parts));
    for (int64_t i = 0; parts && i < n; i++) {
        if (i + 1 < n) {
            T k = FN(random_binomial, agni_one_key(s, keys, i), left, FN(index_axis, share, -1, i),
                     AGN_I64, ndim - 1, shape);
            parts[i] = FN(cast, k, d->batch.dtype);
            left = SUB(left, k);
        } else
            parts[i] = FN(cast, ag_broadcast_to(s, left, ndim - 1, shape), d->batch.dtype);
    }
    if (parts)
        y = FN(stack, parts, (int32_t)n, -1);
    agni_free(parts);
    return y;
}

/* ---- multinomial ----------------------------------------------------------------------- */

OF_PARAMETERS(log_shares)
{
    T x = d->param[WEIGHTS];
    return SUB(x, FN(logsumexp, x, last_axis, 1, true));
}
OF_PARAMETERS(total_column) { return agni_column(s, TOTAL_COUNT); }
DRAW(multinomial_draw) { return draw_counts(s, d, key, d->param[WEIGHTS], ndim, shape); }
/* independent Poisson numbers, given their sum: large logarithms of factorials do not meet */
OF_X(multinomial_log_prob)
{
    T rate = MUL(total_column(s, d), FN(exp, log_shares(s, d)));
    T all = agni_poisson_log_mass(s, TOTAL_COUNT, TOTAL_COUNT);
    return where_counts(s, d, x, SUB(agni_sum_last(s, agni_poisson_log_mass(s, rate, x), 1), all));
}
OF_PARAMETERS(multinomial_mean) { return MUL(total_column(s, d), FN(exp, log_shares(s, d))); }
OF_PARAMETERS(multinomial_variance)
{
    T p = FN(exp, log_shares(s, d));
    return MUL(MUL(total_column(s, d), p), SUB(LIT(1), p));
}
/* -log N! - N sum p log p + sum of E[log x_i!], x_i binomial */
OF_PARAMETERS(multinomial_entropy)
{
    int64_t most = agni_largest(s, "distribution_entropy", "total_count", TOTAL_COUNT);
    if (most < 0)
        return NULL;
    T log_p = agni_column(s, log_shares(s, d)), p = FN(exp, log_p),
      n = agni_column(s, total_column(s, d));
    T j = agni_places(s, d, most + 1), in = LE(j, n), k = SEL(in, j, n);
    T mass = SEL(in, FN(exp, agni_binomial_log_mass(s, n, p, k)), LIT(0));
    T mean_log = agni_sum_last(s, MUL(mass, FN(lgamma, PLUS(k, 1))), 2);
    T shares = MUL(TOTAL_COUNT, agni_sum_last(s, MUL(p, log_p), 2));
    return SUB(mean_log, ADD(FN(lgamma, PLUS(TOTAL_COUNT, 1)), shares));
}
/* laws of the same number of trials */
static OF_BOTH(multinomial_kl)
{
    T n = p->param[TOTAL], m = q->param[TOTAL], lp = log_shares(s, p), lq = log_shares(s, q);
    T kl = MUL(n, agni_sum_last(s, MUL(FN(exp, lp), SUB(lp, lq)), 1));
    return SEL(FN(eq, n, m), kl, LIT((double)INFINITY));
}
static const agni_law multinomial_law = {
    .name = "multinomial",
    .n = 2,
    .param = {"logits", "total_count"},
    .domain = {AGNI_REAL, AGNI_COUNT},
    .rank = {1, 0},
    .event_rank = 1,
    .support = AGN_SUPPORT_COUNT_VECTOR,
    .draw = multinomial_draw,
    .log_prob = multinomial_log_prob,
    .mean = multinomial_mean,
    .variance = multinomial_variance,
    .entropy = multinomial_entropy,
    .kl = multinomial_kl,
};
agn_status agn_distribution_multinomial(agn_distribution **out, const agn_tensor *total_count,
                                        const agn_tensor *logits,
                                        const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &multinomial_law, (T[]){logits, total_count}, opts);
}

/* ---- Dirichlet-multinomial: the shares are Dirichlet ------------------------------------- */

DRAW(polya_draw)
{
    T keys = FN(key_split, key, 2);
    T g = FN(random_log_gamma, agni_one_key(s, keys, 0), d->param[WEIGHTS], ndim, shape);
    return draw_counts(s, d, agni_one_key(s, keys, 1), g, ndim, shape);
}
/* log of N B(A, N) / prod over x > 0 of x B(a, x) */
static T log_count_beta(agn_scope *s, T a, T n)
{
    T some = SEL(LE(n, LIT(0)), LIT(1), n);
    return SEL(FN(eq, n, LIT(0)), LIT(0), ADD(FN(log, some), agni_log_beta(s, a, some)));
}
OF_X(polya_log_prob)
{
    T a = d->param[WEIGHTS], all = log_count_beta(s, agni_sum_last(s, a, 1), TOTAL_COUNT);
    return where_counts(s, d, x, SUB(all, agni_sum_last(s, log_count_beta(s, a, x), 1)));
}
OF_PARAMETERS(polya_shares)
{
    T a = d->param[WEIGHTS];
    return DIV(a, FN(sum, a, last_axis, 1, true));
}
OF_PARAMETERS(polya_mean) { return MUL(total_column(s, d), polya_shares(s, d)); }
OF_PARAMETERS(polya_variance)
{
    T p = polya_shares(s, d), sum = FN(sum, d->param[WEIGHTS], last_axis, 1, true);
    T over = DIV(ADD(total_column(s, d), sum), PLUS(sum, 1));
    return MUL(MUL(polya_mean(s, d), SUB(LIT(1), p)), over);
}
static const agni_law polya_law = {
    .name = "dirichlet_multinomial",
    .n = 2,
    .param = {"concentration", "total_count"},
    .domain = {AGNI_POSITIVE, AGNI_COUNT},
    .rank = {1, 0},
    .event_rank = 1,
    .support = AGN_SUPPORT_COUNT_VECTOR,
    .draw = polya_draw,
    .log_prob = polya_log_prob,
    .mean = polya_mean,
    .variance = polya_variance,
};
agn_status agn_distribution_dirichlet_multinomial(agn_distribution **out,
                                                  const agn_tensor *total_count,
                                                  const agn_tensor *concentration,
                                                  const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &polya_law, (T[]){concentration, total_count}, opts);
}

/* ---- hypergeometric: good ones among those drawn, without replacement -------------------- */

enum { POPULATION, GOOD, DRAWN };
#define ALL d->param[POPULATION]
#define K d->param[GOOD]
#define M d->param[DRAWN]

OF_PARAMETERS(fewest) { return FN(relu, SUB(ADD(M, K), ALL)); }
OF_PARAMETERS(most_of) { return FN(minimum, M, K); }
/* as three binomial probabilities at the share M / ALL, whose large terms meet in each of them;
   with shares of 0 and 1 by the logarithms */
static T hypergeometric_log_mass(agn_scope *s, const agn_distribution *d, T x)
{
    T rest = SUB(ALL, K), inner = FN(logical_and, GT(M, LIT(0)), LT(M, ALL));
    T p = SEL(inner, DIV(M, ALL), LIT(0.5));
    T large = SUB(ADD(agni_binomial_log_mass(s, K, p, x), agni_binomial_log_mass(s, rest, p, SUB(M, x))),
                  agni_binomial_log_mass(s, ALL, p, M));
    T plain = SUB(ADD(agni_log_choose(s, K, x), agni_log_choose(s, rest, SUB(M, x))), agni_log_choose(s, ALL, M));
    return SEL(inner, large, plain);
}
OF_X(hypergeometric_log_prob) { return hypergeometric_log_mass(s, d, x); }

/* 0, 1, ... along a new last axis up to the largest number possible, and their probabilities */
static T make_table(agn_scope *s, const agn_distribution *d, const char *op, T *places)
{
    int64_t a = agni_largest(s, op, "successes", K), b = agni_largest(s, op, "draws", M);
    if (a < 0 || b < 0)
        return NULL;
    T j = agni_places(s, d, (a < b ? a : b) + 1);
    agn_distribution wide = *d; /* borrows its parameters, with one axis more */
    wide.param[0] = (agn_tensor *)(uintptr_t)agni_column(s, ALL);
    wide.param[1] = (agn_tensor *)(uintptr_t)agni_column(s, K);
    wide.param[2] = (agn_tensor *)(uintptr_t)agni_column(s, M);
    if (agn_scope_status(s))
        return NULL;
    T in = FN(logical_and, GE(j, fewest(s, &wide)), LE(j, most_of(s, &wide)));
    T safe = SEL(in, j, most_of(s, &wide));
    *places = j;
    return SEL(in, hypergeometric_log_mass(s, &wide, safe), agni_minus_infinity(s));
}
static T tail_share(agn_scope *s, const agn_distribution *d, T x, bool above)
{
    T j = NULL, log_p = make_table(s, d, above ? "distribution_survival" : "distribution_cdf", &j);
    if (!log_p)
        return NULL;
    T at = agni_column(s, x), in = above ? GT(j, at) : LE(j, at);
    return ADD(agni_sum_last(s, SEL(in, FN(exp, log_p), LIT(0)), 1), TIMES(x, 0));
}
OF_X(hypergeometric_cdf) { return tail_share(s, d, x, false); }
OF_X(hypergeometric_survival) { return tail_share(s, d, x, true); }
/* the largest of log p + Gumbel numbers */
DRAW(hypergeometric_draw)
{
    int64_t wide[AGN_MAX_RANK];
    T j = NULL, log_p = make_table(s, d, "distribution_sample", &j);
    if (!log_p)
        return NULL;
    if (ndim == AGN_MAX_RANK) {
        agn_scope_fail(
            s, agni_fail(AGN_ESHAPE,
                         "distribution_sample: %d axes and that of the counts are too many", ndim));
        return NULL;
    }
    for (int i = 0; i < ndim; i++)
        wide[i] = shape[i];
    wide[ndim] = agni_size_at(j, 1);
    T g = FN(random_gumbel, key, make_number(s, d, 0), make_number(s, d, 1), ndim + 1, wide);
    return FN(cast, FN(argmax, ADD(FN(stop_gradient, log_p), g), -1, false), d->batch.dtype);
}
OF_PARAMETERS(hypergeometric_mean) { return DIV(MUL(M, K), ALL); }
OF_PARAMETERS(hypergeometric_variance)
{
    T p = DIV(K, ALL), v = MUL(MUL(M, MUL(p, SUB(LIT(1), p))), DIV(SUB(ALL, M), PLUS(ALL, -1)));
    return SEL(LE(ALL, LIT(1)), LIT(0), v);
}
OF_PARAMETERS(hypergeometric_mode)
{
    return FN(floor, DIV(MUL(PLUS(M, 1), PLUS(K, 1)), PLUS(ALL, 2)));
}
OF_PARAMETERS(hypergeometric_entropy)
{
    T j = NULL, log_p = make_table(s, d, "distribution_entropy", &j);
    return log_p ? agni_sum_last(s, FN(entr, FN(exp, log_p)), 1) : NULL;
}
static const agni_law hypergeometric_law = {
    .name = "hypergeometric",
    .n = 3,
    .param = {"population", "successes", "draws"},
    .domain = {AGNI_COUNT, AGNI_COUNT, AGNI_COUNT},
    .order = {{GOOD, POPULATION, false}, {DRAWN, POPULATION, false}},
    .n_order = 2,
    .support = AGN_SUPPORT_COUNTS_TO,
    .low = fewest,
    .high = most_of,
    .draw = hypergeometric_draw,
    .log_prob = hypergeometric_log_prob,
    .cdf = hypergeometric_cdf,
    .survival = hypergeometric_survival,
    .mean = hypergeometric_mean,
    .variance = hypergeometric_variance,
    .mode = hypergeometric_mode,
    .entropy = hypergeometric_entropy,
};
agn_status agn_distribution_hypergeometric(agn_distribution **out, const agn_tensor *population,
                                           const agn_tensor *successes, const agn_tensor *draws,
                                           const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &hypergeometric_law, (T[]){population, successes, draws},
                                  opts);
}
