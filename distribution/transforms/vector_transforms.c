/* distribution/transforms/vector_transforms.c - transforms of vectors: simplex, order, zero sum,
   Cholesky factors (Stan Development Team, Stan Reference Manual, Constraint Transforms;
   Lewandowski, Kurowicka & Joe 2009). */
#include "distribution/transforms/transform.h"
#include "distribution/expression.h"

#include <stdlib.h>

#define TO(name) static T name(agn_scope *s, const agn_transform *t, T x)
#define LOG_DET(name) static T name(agn_scope *s, const agn_transform *t, T x, T y)
#define SHAPE(name) \
    static bool name(const agn_transform *t, bool inverse, const int64_t *in, int64_t *out)
#define ROW(NAME, ...) static const agni_transform_row NAME##_row = {.name = #NAME, __VA_ARGS__}

/* entries first to stop of the last axis */
static T part_of(agn_scope *s, T x, int64_t first, int64_t stop)
{
    int64_t start[AGN_MAX_RANK] = {0}, end[AGN_MAX_RANK];
    if (!x)
        return NULL;
    for (int i = 0; i < x->ndim; i++)
        end[i] = x->shape[i];
    start[x->ndim - 1] = first;
    end[x->ndim - 1] = stop;
    return ag_slice(s, x, x->ndim, start, end, NULL);
}
static int64_t last_size(T x) { return x ? x->shape[x->ndim - 1] : 0; }

/* n constants as a vector of the dtype of x */
static T vector_of(agn_scope *s, T x, int64_t n, double (*f)(int64_t i, int64_t n))
{
    if (!x)
        return NULL;
    double *v = agni_alloc((size_t)(n ? n : 1) * sizeof *v);
    if (!v) {
        agn_scope_fail(s, agni_nomem("transform", (size_t)n * sizeof *v));
        return NULL;
    }
    for (int64_t i = 0; i < n; i++)
        v[i] = f(i, n);
    T y = ag_cast(s, ag_from_host(s, AGN_F64, 1, &n, v), x->dtype);
    agni_free(v);
    return y;
}

/* ---- simplex by breaking a stick ---------------------------------------------------- */

/* the share that leaves all pieces equal at 0 is one of those left */
static double log_left(int64_t i, int64_t n) { return log((double)(n - i)); }
TO(stick_shares) { (void)t; return SUB(x, vector_of(s, x, last_size(x), log_left)); }

/* log of what is left before each break */
static T log_rest(agn_scope *s, T u, int flags)
{
    return FN(cumsum_as, NEG(FN(softplus, u)), -1, flags);
}
TO(stick_forward)
{
    T u = stick_shares(s, t, x), before = log_rest(s, u, AGN_SCAN_EXCLUSIVE);
    T pieces = FN(exp, SUB(before, FN(softplus, NEG(u))));
    T last = FN(exp, FN(sum, NEG(FN(softplus, u)), (const int32_t[]){-1}, 1, true));
    return FN(concat, (T[]){pieces, last}, 2, -1);
}
TO(stick_inverse)
{
    (void)t;
    int64_t n = last_size(x) - 1;
    T rest = FN(cumsum_as, x, -1, AGN_SCAN_REVERSE | AGN_SCAN_EXCLUSIVE);
    T u = SUB(FN(log, part_of(s, x, 0, n)), FN(log, part_of(s, rest, 0, n)));
    return ADD(u, vector_of(s, x, n, log_left));
}
LOG_DET(stick_log_det)
{
    (void)y;
    T u = stick_shares(s, t, x), before = log_rest(s, u, AGN_SCAN_EXCLUSIVE);
    return agni_sum_last(s, SUB(before, ADD(FN(softplus, u), FN(softplus, NEG(u)))), 1);
}
SHAPE(stick_shape)
{
    (void)t;
    out[0] = inverse ? in[0] - 1 : in[0] + 1;
    return out[0] >= 0;
}
ROW(stick_breaking, .domain = 1, .codomain = 1, .forward = stick_forward, .inverse = stick_inverse,
    .log_det = stick_log_det, .shape = stick_shape);

/* ---- softmax: not injective, the inverse is the logarithm --------------------------- */

TO(softmax_forward)
{
    (void)t;
    T peak = FN(stop_gradient, FN(amax, x, (const int32_t[]){-1}, 1, true));
    T e = FN(exp, SUB(x, peak));
    return DIV(e, FN(sum, e, (const int32_t[]){-1}, 1, true));
}
TO(softmax_inverse) { (void)t; return FN(log, x); }
ROW(softmax, .domain = 1, .codomain = 1, .forward = softmax_forward, .inverse = softmax_inverse);

/* ---- ascending order ---------------------------------------------------------------- */

TO(ordered_forward)
{
    (void)t;
    T steps = FN(exp, part_of(s, x, 1, last_size(x)));
    return FN(cumsum, FN(concat, (T[]){part_of(s, x, 0, 1), steps}, 2, -1), -1);
}
TO(ordered_inverse)
{
    (void)t;
    int64_t n = last_size(x);
    T steps = SUB(part_of(s, x, 1, n), part_of(s, x, 0, n ? n - 1 : 0));
    return FN(concat, (T[]){part_of(s, x, 0, 1), FN(log, steps)}, 2, -1);
}
LOG_DET(ordered_log_det)
{
    (void)t, (void)y;
    return agni_sum_last(s, part_of(s, x, 1, last_size(x)), 1);
}
ROW(ordered, .domain = 1, .codomain = 1, .forward = ordered_forward, .inverse = ordered_inverse,
    .log_det = ordered_log_det);

/* ---- zero sum: the rows of Helmert's matrix, which are orthonormal ------------------ */

/* row k, from 1: k entries of 1 / sqrt(k (k + 1)), then -k of them */
static T make_helmert(agn_scope *s, T like, int64_t n)
{
    if (!like)
        return NULL;
    double *v = agni_zalloc((size_t)(n * (n + 1) + 1) * sizeof *v);
    if (!v) {
        agn_scope_fail(s, agni_nomem("transform", (size_t)(n * (n + 1)) * sizeof *v));
        return NULL;
    }
    for (int64_t k = 1; k <= n; k++) {
        double r = 1 / sqrt((double)k * (double)(k + 1));
        for (int64_t j = 0; j < k; j++)
            v[(k - 1) * (n + 1) + j] = r;
        v[(k - 1) * (n + 1) + k] = -(double)k * r;
    }
    T h = ag_cast(s, ag_from_host(s, AGN_F64, 2, (const int64_t[]){n, n + 1}, v), like->dtype);
    agni_free(v);
    return h;
}
TO(zero_sum_forward) { (void)t; return FN(matmul, x, make_helmert(s, x, last_size(x))); }
TO(zero_sum_inverse)
{
    (void)t;
    return FN(matmul, x, FN(swapaxes, make_helmert(s, x, last_size(x) - 1), 0, 1));
}
LOG_DET(zero_sum_log_det) { (void)t, (void)y; return agni_sum_last(s, FN(zeros_like, x), 1); }
ROW(zero_sum, .domain = 1, .codomain = 1, .forward = zero_sum_forward, .inverse = zero_sum_inverse,
    .log_det = zero_sum_log_det, .shape = stick_shape);

/* ---- matrices ----------------------------------------------------------------------- */

/* n with n (n - 1) / 2 + extra n = size; -1: none */
static int64_t side_of(int64_t size, int extra)
{
    for (int64_t n = 0; n * (n - 1) / 2 + extra * n <= size; n++)
        if (n * (n - 1) / 2 + extra * n == size && (n || !extra || !size) && (extra || n))
            return n;
    return -1;
}
static int64_t strict_side(int64_t size) { return size == 0 ? 1 : side_of(size, 0); }

/* The entries of x, row by row, below (extra 0) or up to (extra 1) the diagonal of a matrix of
   zeros */
static T to_lower(agn_scope *s, T x, int64_t n, int extra)
{
    if (!x)
        return NULL;
    int64_t size = last_size(x), *at = agni_alloc((size_t)(n * n + 1) * sizeof *at), next = 0;
    if (!at) {
        agn_scope_fail(s, agni_nomem("transform", (size_t)(n * n) * sizeof *at));
        return NULL;
    }
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            at[i * n + j] = j < i + extra ? next++ : size;
    T where = ag_from_host(s, AGN_I64, 2, (const int64_t[]){n, n}, at);
    agni_free(at);
    T none = FN(zeros_like, FN(sum, x, (const int32_t[]){-1}, 1, true));
    return FN(gather, FN(concat, (T[]){x, none}, 2, -1), where, -1);
}
/* and back */
static T from_lower(agn_scope *s, T x, int extra)
{
    if (!x)
        return NULL;
    int64_t n = last_size(x), size = n * (n - 1) / 2 + extra * n, next = 0;
    int64_t *at = agni_alloc((size_t)(size + 1) * sizeof *at), shape[AGN_MAX_RANK];
    if (!at) {
        agn_scope_fail(s, agni_nomem("transform", (size_t)size * sizeof *at));
        return NULL;
    }
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < i + extra; j++)
            at[next++] = i * n + j;
    T where = ag_from_host(s, AGN_I64, 1, &size, at);
    agni_free(at);
    for (int i = 0; i < x->ndim - 2; i++)
        shape[i] = x->shape[i];
    shape[x->ndim - 2] = n * n;
    return FN(gather, FN(reshape, x, x->ndim - 1, shape), where, -1);
}
static T identity_like(agn_scope *s, T x, int64_t n)
{
    double one = 1;
    T row = x ? ag_broadcast_to(s, ag_from_host(s, AGN_F64, 0, NULL, &one), 1, &n) : NULL;
    return x ? ag_cast(s, ag_diag(s, row, 0), x->dtype) : NULL;
}

/* Cholesky factor of a correlation matrix: L_ij = z_ij prod_{k < j} sqrt(1 - z_ik^2), z = tanh x */
static T log_half_rest(agn_scope *s, T x) /* log(1 - tanh(x)^2) / 2 */
{
    return TIMES(PLUS(NEG(ADD(FN(softplus, TIMES(x, 2)), FN(softplus, TIMES(x, -2)))), 2 * LOG_2),
                 0.5);
}
TO(corr_forward)
{
    (void)t;
    int64_t n = strict_side(last_size(x));
    T w = to_lower(s, x, n, 0), before = FN(cumsum_as, log_half_rest(s, w), -1, AGN_SCAN_EXCLUSIVE);
    T z = ADD(FN(tanh, w), identity_like(s, x, n));
    return MUL(z, FN(exp, before));
}
TO(corr_inverse)
{
    (void)t;
    T rest = FN(cumsum_as, FN(square, x), -1, AGN_SCAN_REVERSE);
    /* what lies above the diagonal has 0 / 0 and is not read */
    T safe = SEL(GT(rest, LIT(0)), rest, LIT(1));
    T z = from_lower(s, DIV(x, FN(sqrt, safe)), 0);
    return FN(atanh, z);
}
LOG_DET(corr_log_det)
{
    (void)t, (void)y;
    int64_t n = strict_side(last_size(x));
    T w = to_lower(s, x, n, 0), half = log_half_rest(s, w);
    T before = FN(tril, FN(cumsum_as, half, -1, AGN_SCAN_EXCLUSIVE), -1);
    return agni_sum_last(s, ADD(TIMES(half, 2), before), 2);
}
SHAPE(corr_shape)
{
    (void)t;
    if (inverse) {
        out[0] = in[0] * (in[0] - 1) / 2;
        return in[0] == in[1] && in[0] > 0;
    }
    out[0] = out[1] = strict_side(in[0]);
    return out[0] > 0;
}
ROW(correlation_cholesky, .domain = 1, .codomain = 2, .forward = corr_forward,
    .inverse = corr_inverse, .log_det = corr_log_det, .shape = corr_shape);

/* Lower triangle with a positive diagonal: its exponential */
static T on_diagonal(agn_scope *s, T matrix, T value)
{
    return FN(diagonal_scatter, matrix, value, 0, -2, -1);
}
TO(cholesky_forward)
{
    (void)t;
    T w = to_lower(s, x, side_of(last_size(x), 1), 1);
    return on_diagonal(s, w, FN(exp, FN(diagonal, w, 0, -2, -1)));
}
TO(cholesky_inverse)
{
    (void)t;
    return from_lower(s, on_diagonal(s, x, FN(log, FN(diagonal, x, 0, -2, -1))), 1);
}
LOG_DET(cholesky_log_det)
{
    (void)t;
    (void)x;
    return agni_sum_last(s, FN(log, FN(diagonal, y, 0, -2, -1)), 1);
}
SHAPE(cholesky_shape)
{
    (void)t;
    if (inverse) {
        out[0] = in[0] * (in[0] + 1) / 2;
        return in[0] == in[1];
    }
    out[0] = out[1] = side_of(in[0], 1);
    return out[0] >= 0;
}
ROW(lower_cholesky, .domain = 1, .codomain = 2, .forward = cholesky_forward,
    .inverse = cholesky_inverse, .log_det = cholesky_log_det, .shape = cholesky_shape);

/* L L', from the entries of L to those on and below the diagonal: 2^n prod L_ii^(n - i), i from
   0 */
TO(covariance_forward)
{
    T l = cholesky_forward(s, t, x);
    return FN(matmul, l, FN(swapaxes, l, -1, -2));
}
TO(covariance_inverse) { return cholesky_inverse(s, t, FN(linalg_cholesky, x, false)); }
static double power_of(int64_t i, int64_t n) { return (double)(n - i + 1); }
LOG_DET(covariance_log_det)
{
    (void)t, (void)y;
    int64_t n = side_of(last_size(x), 1);
    T log_l = FN(diagonal, to_lower(s, x, n, 1), 0, -2, -1); /* of the diagonal of L, before exp */
    T sum = agni_sum_last(s, MUL(log_l, vector_of(s, x, n, power_of)), 1);
    return PLUS(sum, (double)n * LOG_2);
}
ROW(positive_definite, .domain = 1, .codomain = 2, .forward = covariance_forward,
    .inverse = covariance_inverse, .log_det = covariance_log_det, .shape = cholesky_shape);

agn_status agn_transform_stick_breaking(agn_transform **out)
{
    return agni_transform_make(out, &stick_breaking_row, NULL, 0, NULL, 0);
}
agn_status agn_transform_softmax(agn_transform **out)
{
    return agni_transform_make(out, &softmax_row, NULL, 0, NULL, 0);
}
agn_status agn_transform_ordered(agn_transform **out)
{
    return agni_transform_make(out, &ordered_row, NULL, 0, NULL, 0);
}
agn_status agn_transform_zero_sum(agn_transform **out)
{
    return agni_transform_make(out, &zero_sum_row, NULL, 0, NULL, 0);
}
agn_status agn_transform_correlation_cholesky(agn_transform **out)
{
    return agni_transform_make(out, &correlation_cholesky_row, NULL, 0, NULL, 0);
}
agn_status agn_transform_lower_cholesky(agn_transform **out)
{
    return agni_transform_make(out, &lower_cholesky_row, NULL, 0, NULL, 0);
}
agn_status agn_transform_positive_definite(agn_transform **out)
{
    return agni_transform_make(out, &positive_definite_row, NULL, 0, NULL, 0);
}
