/* distribution/vectors/matrices.c - laws of positive definite matrices: Wishart and its inverse
   (Gupta & Nagar 2000, 3; Bartlett 1933), and of Cholesky factors of correlation matrices
   (Lewandowski, Kurowicka & Joe 2009). */
#include "distribution/vectors/vectors.h"

#include <agnesi/vector_laws.h>

enum { TRIL, DF };
#define V d->param[DF]
#define L d->param[TRIL]

static int64_t matrix_order(const agn_distribution *d) { return agni_size_at(L, 1); }

static agn_status check_wishart(const char *op, const agn_distribution *d)
{
    double *v = NULL;
    int64_t n = matrix_order(d);
    agn_status st = agni_check_sides_equal(op, d, TRIL);
    st = st ? st : agni_law_values(op, V, &v);
    for (int64_t i = 0; !st && v && i < V->size; i++)
        if (v[i] <= (double)(n - 1))
            st = agni_fail(AGN_EDOMAIN,
                           "%s: df is %g; for matrices [%lld,%lld] it must be above %lld", op, v[i],
                           (long long)n, (long long)n, (long long)(n - 1));
    agni_free(v);
    return st;
}
/* (v - i) / 2, i = 0 ... n - 1, along a new last axis */
static T make_halves(agn_scope *s, T half_v, int64_t n)
{
    return half_v ? SUB(agni_column(s, half_v),
                        TIMES(ag_arange(s, half_v->dtype, 0, (double)n, 1), 0.5))
                  : NULL;
}
T agni_log_multigamma(agn_scope *s, T half_v, int64_t n)
{
    return PLUS(agni_sum_last(s, FN(lgamma, make_halves(s, half_v, n)), 1),
                0.25 * LOG_PI * (double)n * (double)(n - 1));
}
static T multi_digamma(agn_scope *s, T half_v, int64_t n)
{
    return agni_sum_last(s, FN(digamma, make_halves(s, half_v, n)), 1);
}
/* lower triangle A with A A' of the Wishart law of the identity */
static T draw_bartlett(agn_scope *s, const agn_distribution *d, T key, int ndim,
                       const int64_t *shape)
{
    T keys = FN(key_split, key, 2);
    T z = FN(tril, FN(normal, agni_one_key(s, keys, 0), d->batch.dtype, ndim, shape), -1);
    T g = FN(random_log_gamma, agni_one_key(s, keys, 1),
             make_halves(s, TIMES(V, 0.5), matrix_order(d)), ndim - 1, shape);
    T root = FN(exp, TIMES(PLUS(g, LOG_2), 0.5));
    return ADD(z, FN(diag_embed, root, 0, -2, -1));
}
static T scale_matrix(agn_scope *s, const agn_distribution *d)
{
    T l = agni_triangle(s, L);
    return FN(matmul, l, agni_transposed(s, l));
}
/* v, as it multiplies matrices */
static T as_matrix(agn_scope *s, T v) { return agni_column(s, agni_column(s, v)); }
/* products of the diagonal of m: m_ii m_jj */
static T diagonal_products(agn_scope *s, T m)
{
    T w = FN(diagonal, m, 0, -2, -1);
    return MUL(agni_column(s, w), FN(expand_dims, w, -2));
}

/* ---- Wishart ----------------------------------------------------------------------------- */

DRAW(wishart_rsample)
{
    T y = FN(matmul, agni_triangle(s, L), draw_bartlett(s, d, key, ndim, shape));
    return FN(matmul, y, agni_transposed(s, y));
}
OF_X(wishart_log_prob)
{
    int64_t n = matrix_order(d);
    T c = FN(linalg_cholesky, x, false), half = TIMES(V, 0.5);
    T trace = agni_squares(s, agni_under(s, L, agni_triangle(s, c)), 2);
    T power = MUL(PLUS(V, -(double)n - 1), agni_log_diagonal(s, c));
    T unit = ADD(MUL(V, PLUS(agni_log_diagonal(s, L), 0.5 * LOG_2 * (double)n)),
                 agni_log_multigamma(s, half, n));
    return SUB(SUB(power, TIMES(trace, 0.5)), unit);
}
OF_PARAMETERS(wishart_mean) { return MUL(as_matrix(s, V), scale_matrix(s, d)); }
OF_PARAMETERS(wishart_variance)
{
    T m = scale_matrix(s, d);
    return MUL(as_matrix(s, V), ADD(FN(square, m), diagonal_products(s, m)));
}
OF_PARAMETERS(wishart_mode)
{
    T factor = PLUS(V, -(double)matrix_order(d) - 1);
    factor = SEL(GE(factor, LIT(0)), factor, LIT((double)NAN));
    return MUL(as_matrix(s, factor), scale_matrix(s, d));
}
OF_PARAMETERS(wishart_entropy)
{
    int64_t n = matrix_order(d);
    double m = (double)n;
    T half = TIMES(V, 0.5);
    T place = PLUS(TIMES(agni_log_diagonal(s, L), m + 1), 0.5 * m * (m + 1) * LOG_2);
    T shape = SUB(agni_log_multigamma(s, half, n),
                  MUL(TIMES(PLUS(V, -m - 1), 0.5), multi_digamma(s, half, n)));
    return ADD(ADD(place, shape), TIMES(half, m));
}
static OF_BOTH(wishart_kl)
{
    T vp = p->param[DF], vq = q->param[DF], lp = p->param[TRIL], lq = q->param[TRIL];
    int64_t n = agni_size_at(lp, 1);
    T hp = TIMES(vp, 0.5), hq = TIMES(vq, 0.5);
    T logs = MUL(vq, SUB(agni_log_diagonal(s, lq), agni_log_diagonal(s, lp)));
    T trace = PLUS(agni_squares(s, agni_under(s, lq, agni_triangle(s, lp)), 2), -(double)n);
    T gammas = SUB(agni_log_multigamma(s, hq, n), agni_log_multigamma(s, hp, n));
    return ADD(ADD(logs, MUL(hp, trace)), ADD(gammas, MUL(SUB(hp, hq), multi_digamma(s, hp, n))));
}
static const agni_law wishart_law = {
    .name = "wishart",
    .n = 2,
    .param = {"scale_tril", "df"},
    .domain = {AGNI_REAL, AGNI_POSITIVE},
    .rank = {2, 0},
    .event_rank = 2,
    .support = AGN_SUPPORT_POSITIVE_DEFINITE,
    .check = check_wishart,
    .rsample = wishart_rsample,
    .log_prob = wishart_log_prob,
    .mean = wishart_mean,
    .variance = wishart_variance,
    .mode = wishart_mode,
    .entropy = wishart_entropy,
    .kl = wishart_kl,
};
agn_status agn_distribution_wishart(agn_distribution **out, const agn_tensor *df,
                                    const agn_tensor *scale_tril,
                                    const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &wishart_law, (T[]){scale_tril, df}, opts);
}

/* ---- inverse Wishart: the inverse is Wishart of the inverse scale --------------------------- */

/* L A^-T A^-1 L' */
DRAW(inverse_rsample)
{
    T y = agni_under(s, draw_bartlett(s, d, key, ndim, shape),
                     agni_transposed(s, agni_triangle(s, L)));
    return FN(matmul, agni_transposed(s, y), y);
}
OF_X(inverse_log_prob)
{
    int64_t n = matrix_order(d);
    T c = FN(linalg_cholesky, x, false), half = TIMES(V, 0.5);
    T trace = agni_squares(s, agni_under(s, c, agni_triangle(s, L)), 2);
    T power = MUL(PLUS(V, (double)n + 1), agni_log_diagonal(s, c));
    T unit = SUB(MUL(V, PLUS(agni_log_diagonal(s, L), -0.5 * LOG_2 * (double)n)),
                 agni_log_multigamma(s, half, n));
    return SUB(SUB(unit, TIMES(trace, 0.5)), power);
}
OF_PARAMETERS(inverse_mean)
{
    T factor = PLUS(V, -(double)matrix_order(d) - 1);
    factor = SEL(GT(factor, LIT(0)), FN(reciprocal, factor), LIT((double)NAN));
    return MUL(as_matrix(s, factor), scale_matrix(s, d));
}
OF_PARAMETERS(inverse_variance)
{
    double n = (double)matrix_order(d);
    T m = scale_matrix(s, d), a = PLUS(V, -n), b = PLUS(V, -n - 1), c = PLUS(V, -n - 3);
    T part = ADD(MUL(as_matrix(s, PLUS(a, 1)), FN(square, m)),
                 MUL(as_matrix(s, b), diagonal_products(s, m)));
    T unit = FN(reciprocal, MUL(MUL(a, FN(square, b)), c));
    return MUL(as_matrix(s, SEL(GT(c, LIT(0)), unit, LIT((double)NAN))), part);
}
OF_PARAMETERS(inverse_mode)
{
    return MUL(as_matrix(s, FN(reciprocal, PLUS(V, (double)matrix_order(d) + 1))),
               scale_matrix(s, d));
}
OF_PARAMETERS(inverse_entropy)
{
    int64_t n = matrix_order(d);
    double m = (double)n;
    T half = TIMES(V, 0.5);
    T place = PLUS(TIMES(agni_log_diagonal(s, L), m + 1), -0.5 * m * (m + 1) * LOG_2);
    T shape = SUB(agni_log_multigamma(s, half, n),
                  MUL(TIMES(PLUS(V, m + 1), 0.5), multi_digamma(s, half, n)));
    return ADD(ADD(place, shape), TIMES(half, m));
}
/* as of the Wishart laws of the inverses: a divergence does not see a bijection */
static OF_BOTH(inverse_kl)
{
    T vp = p->param[DF], vq = q->param[DF], lp = p->param[TRIL], lq = q->param[TRIL];
    int64_t n = agni_size_at(lp, 1);
    T hp = TIMES(vp, 0.5), hq = TIMES(vq, 0.5);
    T logs = MUL(vq, SUB(agni_log_diagonal(s, lp), agni_log_diagonal(s, lq)));
    T trace = PLUS(agni_squares(s, agni_under(s, lp, agni_triangle(s, lq)), 2), -(double)n);
    T gammas = SUB(agni_log_multigamma(s, hq, n), agni_log_multigamma(s, hp, n));
    return ADD(ADD(logs, MUL(hp, trace)), ADD(gammas, MUL(SUB(hp, hq), multi_digamma(s, hp, n))));
}
static const agni_law inverse_law = {
    .name = "inverse_wishart",
    .n = 2,
    .param = {"scale_tril", "df"},
    .domain = {AGNI_REAL, AGNI_POSITIVE},
    .rank = {2, 0},
    .event_rank = 2,
    .support = AGN_SUPPORT_POSITIVE_DEFINITE,
    .check = check_wishart,
    .rsample = inverse_rsample,
    .log_prob = inverse_log_prob,
    .mean = inverse_mean,
    .variance = inverse_variance,
    .mode = inverse_mode,
    .entropy = inverse_entropy,
    .kl = inverse_kl,
};
agn_status agn_distribution_inverse_wishart(agn_distribution **out, const agn_tensor *df,
                                            const agn_tensor *scale_tril,
                                            const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &inverse_law, (T[]){scale_tril, df}, opts);
}

/* ---- LKJ, of the Cholesky factor ------------------------------------------------------------ */

#define ETA d->param[0]
static int64_t lkj_side(const agn_distribution *d) { return d->event.shape[0]; }

/* Onion: row i of i + 1 entries is a point of the ball, sqrt(y) times a direction, y beta of i / 2
   and eta + (n - 1 - i) / 2; both y and 1 - y as shares of gamma numbers. */
DRAW(lkj_rsample)
{
    int64_t n = lkj_side(d);
    T keys = FN(key_split, key, 3), eta = agni_column(s, ETA);
    T i = agni_places(s, d, n), first = LT(i, LIT(0.5));
    T a = SEL(first, LIT(0.5), TIMES(i, 0.5)),
      b = ADD(eta, TIMES(PLUS(NEG(i), (double)n - 1), 0.5));
    T g = FN(random_log_gamma, agni_one_key(s, keys, 0), a, ndim - 1, shape);
    T h = FN(random_log_gamma, agni_one_key(s, keys, 1), b, ndim - 1, shape);
    T log_sum = FN(logaddexp, g, h);
    T out = FN(exp, TIMES(SUB(g, log_sum), 0.5)), in = FN(exp, TIMES(SUB(h, log_sum), 0.5));
    T z = FN(tril, FN(normal, agni_one_key(s, keys, 2), d->batch.dtype, ndim, shape), -1);
    T length = FN(sqrt, FN(sum, FN(square, z), (const int32_t[]){-1}, 1, true));
    T direction = DIV(z, SEL(GT(length, LIT(0)), length, LIT(1)));
    T rows = MUL(direction, agni_column(s, out)), diagonal = SEL(first, LIT(1), in);
    return ADD(rows, FN(diag_embed, diagonal, 0, -2, -1));
}
/* log of the integral of prod L_ii^(n - 1 - i + 2 (eta - 1)), i from 1 */
static T lkj_log_unit(agn_scope *s, const agn_distribution *d)
{
    double m = (double)(lkj_side(d) - 1);
    T top = PLUS(ETA, 0.5 * m);
    return SUB(PLUS(agni_log_multigamma(s, PLUS(top, -0.5), lkj_side(d) - 1), 0.5 * m * LOG_PI),
               TIMES(FN(lgamma, top), m));
}
OF_X(lkj_log_prob)
{
    int64_t n = lkj_side(d);
    T i = agni_places(s, d, n), diagonal = FN(diagonal, x, 0, -2, -1);
    T power = ADD(TIMES(PLUS(agni_column(s, ETA), -1), 2), PLUS(NEG(i), (double)n - 1));
    T first = LT(i, LIT(0.5)); /* a 1, of no power */
    T y = agni_sum_last(s, SEL(first, LIT(0), FN(xlogy, power, diagonal)), 1);
    T rows = FN(abs, PLUS(agni_squares(s, agni_triangle(s, x), 1), -1));
    T bad = agni_any_last(s, FN(logical_or, GT(rows, LIT(agni_slack(d))), LT(diagonal, LIT(0))), 1);
    T above = agni_any_last(s, GT(FN(abs, FN(triu, x, 1)), LIT(0)), 2);
    return SEL(FN(logical_or, bad, above), agni_minus_infinity(s), SUB(y, lkj_log_unit(s, d)));
}
/* Partial correlations z = b - (1 - b), below the diagonal in column j b of a beta law of equal
   shapes eta + (n - 2 - j) / 2; L_ij = z_ij times the product of sqrt(1 - z_ik^2), k < j. */
DRAW(vine_rsample)
{
    int64_t n = d->event.shape[0];
    T keys = FN(key_split, key, 2), eta = agni_column(s, agni_column(s, d->param[0]));
    T shapes = ADD(eta, TIMES(PLUS(NEG(agni_places(s, d, n)), (double)n - 2), 0.5));
    shapes = FN(maximum, shapes, TIMES(eta, 0.5)); /* the last column has no entry below the diagonal */
    T g = FN(random_log_gamma, agni_one_key(s, keys, 0), shapes, ndim, shape);
    T h = FN(random_log_gamma, agni_one_key(s, keys, 1), shapes, ndim, shape);
    T all = FN(logaddexp, g, h), up = SUB(g, all), down = SUB(h, all);
    T z = FN(tril, SUB(FN(exp, up), FN(exp, down)), -1);
    /* log of 1 - z^2 = 4 b (1 - b) */
    T left = FN(tril, PLUS(ADD(up, down), 2 * LOG_2), -1);
    T before = FN(exp, TIMES(FN(cumsum_as, left, -1, AGN_SCAN_EXCLUSIVE), 0.5));
    T one = ag_eye(s, d->batch.dtype, n, n, 0);
    return FN(tril, MUL(before, ADD(z, one)), 0);
}
#define LKJ                                                                                \
    .n = 1, .param = {"concentration"}, .domain = {AGNI_POSITIVE},                         \
    .support = AGN_SUPPORT_CORRELATION_CHOLESKY, .log_prob = lkj_log_prob
static const agni_law lkj_law = {LKJ, .name = "lkj_cholesky", .rsample = lkj_rsample};
static const agni_law vine_law = {LKJ, .name = "lkj_cholesky_vine", .rsample = vine_rsample};

static agn_status make_lkj(agn_distribution **out, const agni_law *law, int64_t n,
                           const agn_tensor *concentration, const agn_distribution_options *opts)
{
    agn_distribution *d = NULL;
    if (!out)
        return agni_fail(AGN_ENULL, "distribution_%s: out is NULL", law->name);
    if (n < 1 || n > 46340)
        return agni_fail(AGN_EARG, "distribution_%s: n is %lld; 1 to 46340 are possible", law->name,
                         (long long)n);
    agn_status st = agni_distribution_make(&d, law, &concentration, opts);
    if (st)
        return st;
    d->event.ndim = 2;
    d->event.shape[0] = d->event.shape[1] = n;
    *out = d;
    return AGN_OK;
}
agn_status agn_distribution_lkj_cholesky(agn_distribution **out, int64_t n,
                                         const agn_tensor *concentration,
                                         const agn_distribution_options *opts)
{
    return make_lkj(out, &lkj_law, n, concentration, opts);
}
agn_status agn_distribution_lkj_cholesky_vine(agn_distribution **out, int64_t n,
                                              const agn_tensor *concentration,
                                              const agn_distribution_options *opts)
{
    return make_lkj(out, &vine_law, n, concentration, opts);
}
