/* distribution/multivariate.c - laws of vectors, and of one of several: Dirichlet, multinomial,
   multivariate normal, categorical (Kotz, Balakrishnan & Johnson 2000, 45, 49; Johnson, Kotz &
   Balakrishnan 1997, 35). */
#include "distribution/expression.h"

#define FIRST d->param[0]
#define SECOND d->param[1]
static const int32_t last_axis[] = {-1};

static T sum_last(agn_scope *s, T x) { return FN(sum, x, last_axis, 1, false); }
static T total_of(agn_scope *s, T x) { return FN(sum, x, last_axis, 1, true); }
static T minus_infinity(agn_scope *s) { return LIT(-(double)INFINITY); }
static int64_t last_size(const agn_tensor *x) { return x->shape[x->ndim - 1]; }

static agn_status check_events(const char *op, const agn_distribution *d)
{
    const agn_tensor *a = d->param[0], *b = d->param[1];
    int64_t n = last_size(a), rows = b->shape[b->ndim - 2], columns = last_size(b);
    if (rows != n || columns != n)
        return agni_fail(AGN_ESHAPE,
                         "%s: loc is %s, scale_tril %s; [..., n] and [..., n, n] are needed", op,
                         AGNI_SHAPE(a), AGNI_SHAPE(b));
    return AGN_OK;
}

/* ---- Dirichlet ---------------------------------------------------------------------- */

/* as shares of gamma numbers, by their logarithms: those of small concentrations underflow */
DRAW(dirichlet_rsample)
{
    T g = FN(random_log_gamma, key, FIRST, ndim, shape);
    T top = FN(stop_gradient, FN(max, g, last_axis, 1, true)), e = FN(exp, SUB(g, top));
    return DIV(e, total_of(s, e));
}
static T dirichlet_log_unit(agn_scope *s, T a)
{
    return SUB(sum_last(s, FN(lgamma, a)), FN(lgamma, sum_last(s, a)));
}
OF_X(dirichlet_log_prob)
{
    double slack = d->batch.dtype == AGN_F32 ? 1e-4 : 1e-9;
    T y = SUB(sum_last(s, FN(xlogy, PLUS(FIRST, -1), x)), dirichlet_log_unit(s, FIRST));
    T negative = FN(any, LT(x, LIT(0)), last_axis, 1, false);
    T off = GT(FN(abs, PLUS(sum_last(s, x), -1)), LIT(slack));
    return SEL(FN(logical_or, negative, off), minus_infinity(s), y);
}
OF_PARAMETERS(dirichlet_mean) { return DIV(FIRST, total_of(s, FIRST)); }
OF_PARAMETERS(dirichlet_variance)
{
    T sum = total_of(s, FIRST), m = DIV(FIRST, sum);
    return DIV(MUL(m, SUB(LIT(1), m)), PLUS(sum, 1));
}
OF_PARAMETERS(dirichlet_mode)
{
    double n = (double)last_size(FIRST);
    T inside = FN(all, GT(FIRST, LIT(1)), last_axis, 1, true);
    return SEL(inside, DIV(PLUS(FIRST, -1), PLUS(total_of(s, FIRST), -n)), LIT((double)NAN));
}
OF_PARAMETERS(dirichlet_entropy)
{
    double n = (double)last_size(FIRST);
    T sum = sum_last(s, FIRST), rest = sum_last(s, MUL(PLUS(FIRST, -1), FN(digamma, FIRST)));
    return SUB(ADD(dirichlet_log_unit(s, FIRST), MUL(PLUS(sum, -n), FN(digamma, sum))), rest);
}
OF_BOTH(agni_kl_dirichlet)
{
    T a = p->param[0], b = q->param[0];
    T gap = SUB(FN(digamma, a), FN(digamma, total_of(s, a)));
    return ADD(SUB(dirichlet_log_unit(s, b), dirichlet_log_unit(s, a)),
               sum_last(s, MUL(SUB(a, b), gap)));
}
const agni_law agni_law_dirichlet = {
    .name = "dirichlet", .n = 1, .param = {"concentration"}, .domain = {AGNI_POSITIVE}, .rank = {1},
    .event_rank = 1, .support = AGN_SUPPORT_SIMPLEX, .rsample = dirichlet_rsample,
    .log_prob = dirichlet_log_prob, .mean = dirichlet_mean, .variance = dirichlet_variance,
    .mode = dirichlet_mode, .entropy = dirichlet_entropy,
};

/* ---- multivariate normal, by a Cholesky factor of its covariance -------------------- */

static T as_column(agn_scope *s, T x) { return FN(expand_dims, x, -1); }
static T as_vector(agn_scope *s, T x) { return FN(squeeze, x, -1); }
DRAW(mvn_rsample)
{
    T z = FN(normal, key, d->batch.dtype, ndim, shape);
    return ADD(FIRST, as_vector(s, FN(matmul, FN(tril, SECOND, 0), as_column(s, z))));
}
static T log_diagonal(agn_scope *s, T l)
{
    return sum_last(s, FN(log, FN(diagonal, l, 0, -2, -1)));
}
OF_X(mvn_log_prob)
{
    double n = (double)last_size(FIRST);
    T z = as_vector(s, FN(linalg_triangular_solve, SECOND, as_column(s, SUB(x, FIRST)), false));
    T square = TIMES(sum_last(s, FN(square, z)), -0.5);
    return SUB(square, PLUS(log_diagonal(s, SECOND), n * LOG_SQRT_2PI));
}
OF_PARAMETERS(mvn_mean) { (void)s; return FIRST; }
OF_PARAMETERS(mvn_variance) { return sum_last(s, FN(square, FN(tril, SECOND, 0))); }
OF_PARAMETERS(mvn_entropy)
{
    return PLUS(log_diagonal(s, SECOND), (double)last_size(FIRST) * (0.5 + LOG_SQRT_2PI));
}
OF_BOTH(agni_kl_mvn)
{
    T lp = p->param[1], lq = q->param[1], gap = SUB(p->param[0], q->param[0]);
    double n = (double)last_size(p->param[0]);
    T ratio = FN(linalg_triangular_solve, lq, FN(tril, lp, 0), false);
    T trace = sum_last(s, sum_last(s, FN(square, ratio)));
    T z = as_vector(s, FN(linalg_triangular_solve, lq, as_column(s, gap), false));
    T half = TIMES(PLUS(ADD(trace, sum_last(s, FN(square, z))), -n), 0.5);
    return ADD(half, SUB(log_diagonal(s, lq), log_diagonal(s, lp)));
}
const agni_law agni_law_multivariate_normal = {
    .name = "multivariate_normal", .n = 2, .param = {"loc", "scale_tril"},
    .domain = {AGNI_REAL, AGNI_REAL}, .rank = {1, 2}, .event_rank = 1,
    .support = AGN_SUPPORT_VECTOR, .check = check_events, .rsample = mvn_rsample,
    .log_prob = mvn_log_prob, .mean = mvn_mean, .variance = mvn_variance, .mode = mvn_mean,
    .entropy = mvn_entropy,
};

/* ---- categorical: one of n, by logits ----------------------------------------------- */

OF_PARAMETERS(log_shares) { return SUB(FIRST, FN(logsumexp, FIRST, last_axis, 1, true)); }
OF_PARAMETERS(last_place) { return make_number(s, d, (double)last_size(FIRST) - 1); }
/* 0, 1, ... along the last axis of the logits */
OF_PARAMETERS(places)
{
    T ones = FN(broadcast_to, make_number(s, d, 1), 1, (const int64_t[]){last_size(FIRST)});
    return FN(cumsum_as, ones, -1, AGN_SCAN_EXCLUSIVE);
}
DRAW(categorical_draw)
{
    int64_t all[AGN_MAX_RANK];
    if (ndim == AGN_MAX_RANK) {
        agn_scope_fail(
            s,
            agni_fail(AGN_ESHAPE,
                      "distribution_sample: %d axes and that of the classes are too many", ndim));
        return NULL;
    }
    for (int i = 0; i < ndim; i++)
        all[i] = shape[i];
    all[ndim] = last_size(FIRST);
    T g = FN(random_gumbel, key, make_number(s, d, 0), make_number(s, d, 1), ndim + 1, all);
    return FN(cast, FN(argmax, ADD(FN(stop_gradient, FIRST), g), -1, false), d->batch.dtype);
}
OF_X(categorical_log_prob)
{
    T here = FN(eq, as_column(s, x), places(s, d));
    return ADD(sum_last(s, SEL(here, log_shares(s, d), LIT(0))), TIMES(x, 0));
}
OF_X(categorical_cdf)
{
    T below = LE(places(s, d), as_column(s, x));
    return ADD(sum_last(s, SEL(below, FN(exp, log_shares(s, d)), LIT(0))), TIMES(x, 0));
}
OF_X(categorical_survival)
{
    T above = GT(places(s, d), as_column(s, x));
    return ADD(sum_last(s, SEL(above, FN(exp, log_shares(s, d)), LIT(0))), TIMES(x, 0));
}
OF_PARAMETERS(categorical_mode) { return FN(argmax, FIRST, -1, false); }
OF_PARAMETERS(categorical_entropy)
{
    return sum_last(s, FN(entr, FN(exp, log_shares(s, d))));
}
OF_BOTH(agni_kl_categorical)
{
    T lp = log_shares(s, p), lq = log_shares(s, q);
    return sum_last(s, MUL(FN(exp, lp), SUB(lp, lq)));
}
const agni_law agni_law_categorical = {
    .name = "categorical", .n = 1, .param = {"logits"}, .domain = {AGNI_REAL}, .rank = {1},
    .support = AGN_SUPPORT_COUNTS_TO, .high = last_place, .draw = categorical_draw,
    .log_prob = categorical_log_prob, .cdf = categorical_cdf, .survival = categorical_survival,
    .mode = categorical_mode, .entropy = categorical_entropy,
};
