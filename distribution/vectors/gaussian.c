/* distribution/vectors/gaussian.c - normal laws of vectors by covariance, precision, low rank and
   diagonal; of matrices; of vectors with heavy tails (Kotz & Nadarajah 2004; Gupta & Nagar 2000, 2;
   Woodbury 1950). */
#include "distribution/vectors/vectors.h"
#include "tensor/dispatch/op_helpers.h"

#include <agnesi/vector_laws.h>

enum { LOC, TRIL, THIRD };

agn_status agni_check_sides_equal(const char *op, const agn_distribution *d, int i)
{
    const agn_tensor *x = d->param[i];
    if (agni_size_at(x, 1) != agni_size_at(x, 2))
        return agni_fail(AGN_ESHAPE, "%s: %s is %s; [..., n, n] is needed", op, d->law->param[i],
                         AGNI_SHAPE(x));
    return AGN_OK;
}
agn_status agni_check_location_and_triangle(const char *op, const agn_distribution *d)
{
    const agn_tensor *a = d->param[LOC], *b = d->param[TRIL];
    agn_status st = agni_check_sides_equal(op, d, TRIL);
    if (!st && agni_size_at(a, 1) != agni_size_at(b, 1))
        st = agni_fail(AGN_ESHAPE, "%s: loc is %s, %s %s; [..., n] and [..., n, n] are needed", op,
                       AGNI_SHAPE(a), d->law->param[TRIL], AGNI_SHAPE(b));
    return st;
}

/* ---- by covariance and precision: the factor is found, and the law is that of the factor -- */

typedef T find_factor(agn_scope *s, T matrix);
static T factor_of_covariance(agn_scope *s, T c) { return FN(linalg_cholesky, c, false); }
/* P = U U' with U upper triangular, from the other corner; U^-T is the factor of the covariance */
static T factor_of_precision(agn_scope *s, T p)
{
    static const int32_t both[] = {-1, -2};
    T u = FN(flip, FN(linalg_cholesky, FN(flip, p, both, 2), false), both, 2);
    int64_t n = p ? agni_size_at(p, 1) : 0;
    T eye = p ? ag_eye(s, p->dtype, n, n, 0) : NULL;
    return agni_transposed(s, FN(linalg_triangular_solve, u, eye, true));
}
static agn_status by_matrix(agn_distribution **out, const char *op, const char *name,
                            const agn_tensor *loc, const agn_tensor *matrix, find_factor *find,
                            const agn_distribution_options *opts)
{
    if (!out || !loc || !matrix)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, !out ? "out" : !loc ? "loc" : name);
    if (matrix->ndim < 2 || agni_size_at(matrix, 1) != agni_size_at(matrix, 2))
        return agni_fail(AGN_ESHAPE, "%s: %s is %s; [..., n, n] is needed", op, name,
                         AGNI_SHAPE(matrix));
    if (agni_kind(matrix->dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "%s: %s is %s; f32 or f64 is needed", op, name,
                         agni_dtypes[matrix->dtype].name);
    agn_tensor *tril = NULL;
    agn_scope *s = agn_scope_open(NULL);
    agn_scope_return(s, &tril, find(s, matrix));
    agn_status st = agn_scope_close(s);
    st = st ? st : agn_distribution_multivariate_normal(out, loc, tril, opts);
    agn_release(tril);
    return st ? agni_rename_error(op, st) : AGN_OK;
}
agn_status agn_distribution_multivariate_normal_covariance(agn_distribution **out,
                                                           const agn_tensor *loc,
                                                           const agn_tensor *covariance,
                                                           const agn_distribution_options *opts)
{
    return by_matrix(out, "distribution_multivariate_normal_covariance", "covariance", loc,
                     covariance, factor_of_covariance, opts);
}
agn_status agn_distribution_multivariate_normal_precision(agn_distribution **out,
                                                          const agn_tensor *loc,
                                                          const agn_tensor *precision,
                                                          const agn_distribution_options *opts)
{
    return by_matrix(out, "distribution_multivariate_normal_precision", "precision", loc, precision,
                     factor_of_precision, opts);
}

/* ---- low rank and diagonal: covariance W W' + diag(v) ------------------------------------- */

#define W d->param[TRIL]
#define DIAGONAL d->param[THIRD]
static agn_status check_low_rank(const char *op, const agn_distribution *d)
{
    int64_t n = agni_size_at(d->param[LOC], 1);
    if (agni_size_at(W, 2) != n || agni_size_at(DIAGONAL, 1) != n)
        return agni_fail(
            AGN_ESHAPE,
            "%s: loc is %s, factor %s, diagonal %s; [..., n], [..., n, k] and [..., n] are needed",
            op, AGNI_SHAPE(d->param[LOC]), AGNI_SHAPE(W), AGNI_SHAPE(DIAGONAL));
    return AGN_OK;
}
DRAW(low_rank_rsample)
{
    int64_t few[AGN_MAX_RANK];
    for (int i = 0; i < ndim; i++)
        few[i] = shape[i];
    few[ndim - 1] = agni_size_at(W, 1);
    T keys = FN(key_split, key, 2);
    T e = FN(normal, agni_one_key(s, keys, 0), d->batch.dtype, ndim, few);
    T z = FN(normal, agni_one_key(s, keys, 1), d->batch.dtype, ndim, shape);
    T shared = agni_uncolumn(s, FN(matmul, W, agni_column(s, e)));
    return ADD(d->param[LOC], ADD(shared, MUL(FN(sqrt, DIAGONAL), z)));
}
/* D^-1/2 W, and the factor of I + W' D^-1 W */
static T scaled_factor(agn_scope *s, const agn_distribution *d)
{
    return DIV(W, FN(sqrt, agni_column(s, DIAGONAL)));
}
static T capacitance(agn_scope *s, const agn_distribution *d, T scaled)
{
    int64_t k = agni_size_at(W, 1);
    T inner = FN(matmul, agni_transposed(s, scaled), scaled);
    return FN(linalg_cholesky, ADD(inner, ag_eye(s, d->batch.dtype, k, k, 0)), false);
}
static T half_log_det(agn_scope *s, const agn_distribution *d, T cap)
{
    return ADD(agni_log_diagonal(s, cap), TIMES(agni_sum_last(s, FN(log, DIAGONAL), 1), 0.5));
}
OF_X(low_rank_log_prob)
{
    T scaled = scaled_factor(s, d), cap = capacitance(s, d, scaled);
    T r = DIV(SUB(x, d->param[LOC]), FN(sqrt, DIAGONAL));
    T inner = agni_uncolumn(s, FN(matmul, agni_transposed(s, scaled), agni_column(s, r)));
    T square = SUB(agni_squares(s, r, 1), agni_squares(s, agni_under_vector(s, cap, inner), 1));
    double unit = (double)agni_size_at(d->param[LOC], 1) * LOG_SQRT_2PI;
    return NEG(ADD(TIMES(square, 0.5), PLUS(half_log_det(s, d, cap), unit)));
}
OF_PARAMETERS(loc_of) { (void)s; return d->param[LOC]; }
OF_PARAMETERS(low_rank_variance) { return ADD(agni_squares(s, W, 1), DIAGONAL); }
OF_PARAMETERS(low_rank_entropy)
{
    double n = (double)agni_size_at(d->param[LOC], 1);
    return PLUS(half_log_det(s, d, capacitance(s, d, scaled_factor(s, d))),
                n * (0.5 + LOG_SQRT_2PI));
}
static const agni_law low_rank_law = {
    .name = "low_rank_normal", .n = 3, .param = {"loc", "factor", "diagonal"},
    .domain = {AGNI_REAL, AGNI_REAL, AGNI_POSITIVE}, .rank = {1, 2, 1}, .event_rank = 1,
    .support = AGN_SUPPORT_VECTOR, .check = check_low_rank, .rsample = low_rank_rsample,
    .log_prob = low_rank_log_prob, .mean = loc_of, .variance = low_rank_variance, .mode = loc_of,
    .entropy = low_rank_entropy,
};
agn_status agn_distribution_low_rank_normal(agn_distribution **out, const agn_tensor *loc,
                                            const agn_tensor *factor, const agn_tensor *diagonal,
                                            const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &low_rank_law, (T[]){loc, factor, diagonal}, opts);
}

/* ---- Student's law of vectors -------------------------------------------------------------- */

#define DF d->param[THIRD]
DRAW(student_rsample)
{
    T keys = FN(key_split, key, 2), half = TIMES(DF, 0.5);
    T z = FN(normal, agni_one_key(s, keys, 0), d->batch.dtype, ndim, shape);
    T log_g = FN(random_log_gamma, agni_one_key(s, keys, 1), half, ndim - 1, shape);
    T far = agni_column(s, FN(exp, TIMES(SUB(FN(log, half), log_g), 0.5)));
    T y = agni_uncolumn(s, FN(matmul, agni_triangle(s, d->param[TRIL]), agni_column(s, z)));
    return ADD(d->param[LOC], MUL(y, far));
}
/* log gamma((v + n) / 2) - log gamma(v / 2) in n half steps, none of which cancels */
OF_PARAMETERS(student_log_unit)
{
    int64_t n = agni_size_at(d->param[LOC], 1);
    T steps = TIMES(ADD(agni_column(s, DF), agni_places(s, d, n)), 0.5);
    T gammas = agni_sum_last(s, agni_log_gamma_half_step(s, steps), 1);
    T rest = TIMES(PLUS(FN(log, DF), LOG_PI), 0.5 * (double)n);
    return SUB(gammas, ADD(rest, agni_log_diagonal(s, d->param[TRIL])));
}
OF_X(student_log_prob)
{
    double n = (double)agni_size_at(d->param[LOC], 1);
    T z = agni_under_vector(s, d->param[TRIL], SUB(x, d->param[LOC]));
    T log_1 = FN(log1p, DIV(agni_squares(s, z, 1), DF));
    return SUB(student_log_unit(s, d), MUL(TIMES(PLUS(DF, n), 0.5), log_1));
}
OF_PARAMETERS(student_mean)
{
    return SEL(GT(agni_column(s, DF), LIT(1)), d->param[LOC], LIT((double)NAN));
}
OF_PARAMETERS(student_variance)
{
    T v = agni_column(s, DF), unit = DIV(v, PLUS(v, -2));
    T heavy = SEL(GT(v, LIT(1)), LIT((double)INFINITY), LIT((double)NAN));
    return SEL(GT(v, LIT(2)), MUL(unit, agni_squares(s, agni_triangle(s, d->param[TRIL]), 1)),
               heavy);
}
OF_PARAMETERS(student_entropy)
{
    double n = (double)agni_size_at(d->param[LOC], 1);
    T half = TIMES(DF, 0.5), more = PLUS(half, 0.5 * n);
    return SUB(MUL(more, agni_digamma_step(s, half, 0.5 * n)), student_log_unit(s, d));
}
static const agni_law student_law = {
    .name = "multivariate_student_t",
    .n = 3,
    .param = {"loc", "scale_tril", "df"},
    .domain = {AGNI_REAL, AGNI_REAL, AGNI_POSITIVE},
    .rank = {1, 2, 0},
    .event_rank = 1,
    .support = AGN_SUPPORT_VECTOR,
    .check = agni_check_location_and_triangle,
    .rsample = student_rsample,
    .log_prob = student_log_prob,
    .mean = student_mean,
    .variance = student_variance,
    .mode = loc_of,
    .entropy = student_entropy,
};
agn_status agn_distribution_multivariate_student_t(agn_distribution **out, const agn_tensor *df,
                                                   const agn_tensor *loc,
                                                   const agn_tensor *scale_tril,
                                                   const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &student_law, (T[]){loc, scale_tril, df}, opts);
}

/* ---- normal law of matrices: rows and columns each have a covariance ------------------------ */

enum { ROWS = 1, COLUMNS };
static agn_status check_sides(const char *op, const agn_distribution *d)
{
    const agn_tensor *m = d->param[LOC], *r = d->param[ROWS], *c = d->param[COLUMNS];
    agn_status st = agni_check_sides_equal(op, d, ROWS);
    st = st ? st : agni_check_sides_equal(op, d, COLUMNS);
    if (!st &&
        (agni_size_at(r, 1) != agni_size_at(m, 2) || agni_size_at(c, 1) != agni_size_at(m, 1)))
        st = agni_fail(
            AGN_ESHAPE,
            "%s: loc is %s, row_tril %s, column_tril %s; [..., n, p], [..., n, n] and [..., p, p] are needed",
            op, AGNI_SHAPE(m), AGNI_SHAPE(r), AGNI_SHAPE(c));
    return st;
}
DRAW(matrix_rsample)
{
    T z = FN(normal, key, d->batch.dtype, ndim, shape), r = agni_triangle(s, d->param[ROWS]);
    T c = agni_transposed(s, agni_triangle(s, d->param[COLUMNS]));
    return ADD(d->param[LOC], FN(matmul, r, FN(matmul, z, c)));
}
OF_PARAMETERS(matrix_half_log_det)
{
    double n = (double)agni_size_at(d->param[LOC], 2), p = (double)agni_size_at(d->param[LOC], 1);
    return ADD(TIMES(agni_log_diagonal(s, d->param[ROWS]), p),
               TIMES(agni_log_diagonal(s, d->param[COLUMNS]), n));
}
static double count_entries(const agn_distribution *d)
{
    return (double)agni_size_at(d->param[LOC], 2) * (double)agni_size_at(d->param[LOC], 1);
}
OF_X(matrix_log_prob)
{
    T y = agni_under(s, d->param[ROWS], SUB(x, d->param[LOC]));
    T z = agni_under(s, d->param[COLUMNS], agni_transposed(s, y));
    return NEG(ADD(TIMES(agni_squares(s, z, 2), 0.5),
                   PLUS(matrix_half_log_det(s, d), count_entries(d) * LOG_SQRT_2PI)));
}
OF_PARAMETERS(matrix_variance)
{
    T r = agni_squares(s, agni_triangle(s, d->param[ROWS]), 1),
      c = agni_squares(s, agni_triangle(s, d->param[COLUMNS]), 1);
    return MUL(agni_column(s, r), FN(expand_dims, c, -2));
}
OF_PARAMETERS(matrix_entropy)
{
    return PLUS(matrix_half_log_det(s, d), count_entries(d) * (0.5 + LOG_SQRT_2PI));
}
static const agni_law matrix_law = {
    .name = "matrix_normal",
    .n = 3,
    .param = {"loc", "row_tril", "column_tril"},
    .domain = {AGNI_REAL, AGNI_REAL, AGNI_REAL},
    .rank = {2, 2, 2},
    .event_rank = 2,
    .support = AGN_SUPPORT_MATRIX,
    .check = check_sides,
    .rsample = matrix_rsample,
    .log_prob = matrix_log_prob,
    .mean = loc_of,
    .variance = matrix_variance,
    .mode = loc_of,
    .entropy = matrix_entropy,
};
agn_status agn_distribution_matrix_normal(agn_distribution **out, const agn_tensor *loc,
                                          const agn_tensor *row_tril, const agn_tensor *column_tril,
                                          const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &matrix_law, (T[]){loc, row_tril, column_tril}, opts);
}
