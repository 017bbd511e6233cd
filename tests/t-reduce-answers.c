/* tests/t-reduce-answers.c - reductions, scans, order, statistics and distances against answers
   of NumPy, SciPy and PyTorch, which tests/data/make-reduce.py recorded. */
#include "laws.h"

#undef I /* of <complex.h> */
#include <agnesi/ag.h>

#define NAN_ (double)NAN
#define INF_ (double)INFINITY
typedef struct answer {
    const char *name;
    int dtype, ndim;
    int64_t shape[4];
    int at; /* in the pool; a complex number is two */
} answer;
#include "data/reduce.inc"

typedef const agn_tensor *V;
static agn_tensor *X, *N, *T, *I, *P, *Q, *E, *W, *Z, *B;

#define AXES(...)     \
    (const int32_t[]) \
    {                 \
        __VA_ARGS__   \
    }
#define LONGS(...)    \
    (const int64_t[]) \
    {                 \
        __VA_ARGS__   \
    }

/* ---- "op array axes": functions of one shape -------------------------------------------- */

typedef V reduction(agn_scope *s, V x, const int32_t *axes, int32_t n);
#define PLAIN(name)                                                             \
    static V r_##name(agn_scope *s, V x, const int32_t *axes, int32_t n)        \
    {                                                                           \
        return ag_##name(s, x, axes, n, false);                                 \
    }
#define OTHER(name, expression)                                                 \
    static V r_##name(agn_scope *s, V x, const int32_t *axes, int32_t n)        \
    {                                                                           \
        (void)n;                                                                \
        return expression;                                                      \
    }
#define EACH_PLAIN(F)                                                           \
    F(all)                                                                      \
    F(any) F(count_nonzero) F(ptp) F(amax) F(amin) F(median) F(nansum) F(nanmean) F(nanmax) \
        F(nanmin) F(nanprod) F(nanmedian)
EACH_PLAIN(PLAIN)

static V first_of(agn_scope *s, agn_status st, agn_tensor *y)
{
    return agn_scope_adopt(s, st, &y);
}
static V running(agn_scope *s, V x, int32_t axis, bool least)
{
    agn_tensor *v = NULL;
    agn_status st = (least ? agn_cummin : agn_cummax)(&v, NULL, x, axis);
    return first_of(s, st, v);
}
OTHER(var, ag_var(s, x, axes, n, 0, false))
OTHER(std1, ag_std(s, x, axes, n, 1, false))
OTHER(nanvar, ag_nanvar(s, x, axes, n, 0, false))
OTHER(nanstd1, ag_nanstd(s, x, axes, n, 1, false))
OTHER(nancumsum, ag_nancumsum(s, x, *axes))
OTHER(nancumprod, ag_nancumprod(s, x, *axes))
OTHER(nanargmax, ag_nanargmax(s, x, *axes, false))
OTHER(nanargmin, ag_nanargmin(s, x, *axes, false))
OTHER(cumprod, ag_cumprod(s, x, *axes, 0))
OTHER(cummax, running(s, x, *axes, false))
OTHER(cummin, running(s, x, *axes, true))

static const struct {
    const char *name;
    reduction *f;
} reductions[] = {
#define ENTER(name) {#name, r_##name},
    EACH_PLAIN(ENTER) ENTER(var) ENTER(std1) ENTER(nanvar) ENTER(nanstd1) ENTER(nancumsum)
        ENTER(nancumprod) ENTER(nanargmax) ENTER(nanargmin) ENTER(cumprod) ENTER(cummax) ENTER(cummin)};
static const char *const methods[] = {"linear", "lower", "higher", "midpoint", "nearest"};

/* "X 0,2": the array and the axes, or "all" */
static V read_target(const char *text, int32_t *axes, int32_t *n)
{
    static agn_tensor *const *const named[] = {&X, &N, &T, &I, &Z, &B};
    *n = 0;
    for (const char *p = text + 1; *p && strcmp(text + 2, "all") != 0; p++)
        if (*p != ' ' && *p != ',')
            axes[(*n)++] = *p - '0';
    return *named[strchr("XNTIZB", *text) - "XNTIZB"];
}

static V by_name(agn_scope *s, const char *name)
{
    int32_t axes[4], n;
    for (int k = 0; k < COUNT(reductions); k++) {
        size_t len = strlen(reductions[k].name);
        const char *rest = name + len + 1;
        if (strncmp(name, reductions[k].name, len) != 0 || name[len] != ' ' || rest[1] != ' ')
            continue;
        V x = read_target(rest, axes, &n);
        return reductions[k].f(s, x, n ? axes : NULL, n);
    }
    for (int skip = 0; skip < 2; skip++)
        for (int m = 0; m < COUNT(methods); m++) {
            char head[40];
            int len = snprintf(head, sizeof head, "%squantile %s ", skip ? "nan" : "", methods[m]);
            if (strncmp(name, head, (size_t)len) != 0)
                continue;
            V x = read_target(name + len, axes, &n);
            const double *q = agn_data(Q);
            return (skip ? ag_nanquantile : ag_quantile)(s, x, q, 6, n ? axes : NULL, n, false, m);
        }
    return NULL;
}

/* ---- one by one ------------------------------------------------------------------------------ */

static V rows(agn_scope *s, V x, int n, const int64_t *at)
{
    return ag_gather(s, x, ag_from_host(s, AGN_I64, 1, LONGS(n), at), 0);
}
static V ordered(agn_scope *s, const char *what, int k)
{
    agn_tensor *v = NULL, *i = NULL;
    agn_status st = !strcmp(what, "topk")     ? agn_topk(&v, &i, X, 2, 1, true)
                    : !strcmp(what, "bottom") ? agn_topk(&v, &i, P, 4, 0, false)
                    : !strcmp(what, "kth")    ? agn_kthvalue(&v, &i, X, 2, 0, false)
                                              : agn_mode(&v, &i, X, 1, false);
    V a = agn_scope_adopt(s, st, &v), b = agn_scope_adopt(s, st, &i);
    return k ? b : a;
}
/* result k of unique */
static V distinct(agn_scope *s, V x, int axis, int k)
{
    agn_tensor *y[4] = {NULL};
    agn_status st = axis < 0 ? agn_unique(&y[0], &y[1], &y[2], &y[3], x)
                             : agn_unique_along(&y[0], &y[1], &y[2], &y[3], x, axis);
    V v[4];
    for (int i = 0; i < 4; i++)
        v[i] = agn_scope_adopt(s, st, &y[i]);
    return v[k];
}
static V runs(agn_scope *s, V x, int axis, int k)
{
    agn_tensor *y[3] = {NULL};
    agn_status st = axis < 0 ? agn_unique_consecutive(&y[0], &y[1], &y[2], x)
                             : agn_unique_consecutive_along(&y[0], &y[1], &y[2], x, axis);
    V v[3];
    for (int i = 0; i < 3; i++)
        v[i] = agn_scope_adopt(s, st, &y[i]);
    return v[k];
}
static V nonzero(agn_scope *s, int k)
{
    agn_tensor *y[2] = {NULL};
    agn_status st = agn_nonzero(y, 2, I);
    V v[2] = {agn_scope_adopt(s, st, &y[0]), agn_scope_adopt(s, st, &y[1])};
    return v[k];
}
static V list(agn_scope *s, int n, const double *v)
{
    return ag_from_host(s, AGN_F64, 1, LONGS(n), v);
}
#define LIST(...)                                                                  \
    list(s, (int)(sizeof((double[]){__VA_ARGS__}) / sizeof(double)), (double[]){__VA_ARGS__})
static V five(agn_scope *s)
{
    return rows(s, X, 5, LONGS(0, 2, 0, 1, 2));
}
static V points(agn_scope *s)
{
    V x = ag_reshape(s, X, 1, LONGS(-1)), y = ag_reshape(s, ag_flip(s, X, AXES(1), 1), 1, LONGS(-1));
    return ag_stack(s, (V[]){x, y}, 2, 1);
}
static V cum(agn_scope *s)
{
    return ag_cumsum(s, W, 0);
}
static V head(agn_scope *s, V x, int64_t a, int64_t b)
{
    return ag_slice(s, x, 1, LONGS(a), LONGS(b), NULL);
}
#define NORMS(p, word)                                                        \
    {"norm " word, ag_pnorm(s, X, p, AXES(1), 1, false)},                     \
        {"norm complex " word, ag_pnorm(s, Z, p, AXES(0), 1, false)}
#define DISTANCES(p, word)                                                    \
    {"cdist " word, ag_cdist(s, X, ag_add_c(s, head(s, X, 0, 2), 0.5), p)},   \
        {"pdist " word, ag_pdist(s, X, p)},                                   \
        {"dist " word, ag_dist(s, head(s, X, 0, 1), head(s, X, 1, 3), p)}

static V one_by_one(agn_scope *s, const char *name)
{
    V e2[2] = {E, LIST(-7, 0, 3.5)}, run = LIST(1, 1, 2, 2, 2, 1, 3, 3);
    V sorted = ag_sort(s, X, 1, false), reversed = ag_flip(s, X, AXES(1), 1);
    V odd = LIST(1, 2, NAN_, NAN_), asked = LIST(2, NAN_, 3, 0);
    V one = ag_full(s, AGN_F64, 2, LONGS(3, 1), 1), two = ag_full(s, AGN_F64, 2, LONGS(3, 2), 0);
    const struct {
        const char *name;
        V value;
    } calls[] = {
        {"nanpercentile", ag_nanpercentile(s, N, (double[]){12.5, 80}, 2, AXES(0), 1, true, 0)},
        {"percentile", ag_percentile(s, X, (double[]){12.5, 80}, 2, AXES(0), 1, true, 0)},
        {"average axis", ag_average(s, X, W, AXES(1), 1, false)},
        {"average whole", ag_average(s, X, ag_square(s, X), AXES(-2), 1, false)},
        {"sum of i32 as i64",
         ag_sum_as(s, ag_cast(s, ag_slice(s, I, 2, LONGS(0, 0), LONGS(2, 1), NULL), AGN_I32),
                   AXES(1), 1, false, AGN_I64)},
        {"reduce_as", ag_reduce_as(s, X, ag_slice(s, X, 1, LONGS(0), LONGS(1), NULL))},
        {"trace swapped", ag_trace(s, T, 1, 2, 0)},
        {"argmax of ties", ag_argmax(s, T, 2, false)},
        {"argmin of NaN", ag_argmin(s, N, 1, false)},
        {"cumprod exclusive", ag_cumprod(s, X, 1, AGN_SCAN_EXCLUSIVE)},
        {"cumprod reverse", ag_cumprod(s, X, 1, AGN_SCAN_REVERSE)},
        {"cumsum reverse", ag_cumsum_as(s, X, 0, AGN_SCAN_REVERSE)},
        {"cumsum exclusive", ag_cumsum_as(s, X, 1, AGN_SCAN_EXCLUSIVE)},
        {"cumsum both", ag_cumsum_as(s, X, 1, AGN_SCAN_EXCLUSIVE | AGN_SCAN_REVERSE)},
        {"logcumsumexp", ag_logcumsumexp(s, ag_mul_c(s, X, 300), 1, 0)},
        {"logcumsumexp reverse", ag_logcumsumexp(s, X, 0, AGN_SCAN_REVERSE)},
        {"topk", ordered(s, "topk", 0)},
        {"topk smallest", ordered(s, "bottom", 1)},
        {"kthvalue", ordered(s, "kth", 0)},
        {"mode", ordered(s, "mode", 0)},
        {"lexsort", ag_lexsort(s, (V[]){P, LIST(1, 0, 1, 0, 0, 1)}, 2, 0)},
        {"partition", ag_partition(s, P, -2, 0)},
        {"searchsorted left", ag_searchsorted(s, E, X, false)},
        {"searchsorted right", ag_searchsorted(s, E, X, true)},
        {"searchsorted rows left", ag_searchsorted(s, sorted, reversed, false)},
        {"searchsorted rows right", ag_searchsorted(s, sorted, reversed, true)},
        {"searchsorted NaN left", ag_searchsorted(s, odd, asked, false)},
        {"searchsorted NaN right", ag_searchsorted(s, odd, asked, true)},
        {"bucketize", ag_bucketize(s, X, E, true)},
        {"unique values", distinct(s, I, -1, 0)},
        {"unique index", distinct(s, I, -1, 1)},
        {"unique inverse", distinct(s, I, -1, 2)},
        {"unique counts", distinct(s, I, -1, 3)},
        {"unique NaN", distinct(s, N, -1, 0)},
        {"unique rows values", distinct(s, five(s), 0, 0)},
        {"unique rows index", distinct(s, five(s), 0, 1)},
        {"unique rows inverse", distinct(s, five(s), 0, 2)},
        {"unique rows counts", distinct(s, five(s), 0, 3)},
        {"unique columns", distinct(s, B, 1, 0)},
        {"runs values", ag_cast(s, runs(s, run, -1, 0), AGN_I64)},
        {"runs inverse", runs(s, run, -1, 1)},
        {"runs counts", runs(s, run, -1, 2)},
        {"runs of rows", runs(s, rows(s, X, 4, LONGS(0, 0, 1, 0)), 0, 0)},
        {"argwhere", ag_argwhere(s, ag_gt(s, X, ag_lit(s, 1.5)))},
        {"nonzero 0", nonzero(s, 0)},
        {"nonzero 1", nonzero(s, 1)},
        {"bincount", ag_bincount(s, I, NULL, -1)},
        {"bincount weights",
         ag_bincount(s, I, ag_reshape(s, ag_arange(s, AGN_F64, 0, 2, 0.25), 2, LONGS(2, 4)), 10)},
        {"edges", ag_histogram_bin_edges(s, X, 7, NULL)},
        {"edges range", ag_histogram_bin_edges(s, X, 5, (double[]){0, 3})},
        {"edges of one", ag_histogram_bin_edges(s, LIST(2.5, 2.5, 2.5), 4, NULL)},
        {"edges of none", ag_histogram_bin_edges(s, ag_full(s, AGN_F64, 1, LONGS(0), 0), 4, NULL)},
        {"histogram", ag_histogram(s, X, E, NULL, false)},
        {"histogram even",
         ag_histogram(s, X, ag_histogram_bin_edges(s, X, 6, NULL), NULL, false)},
        {"histogram weights", ag_histogram(s, X, E, ag_square(s, X), false)},
        {"histogram density", ag_histogram(s, X, E, NULL, true)},
        {"histogramdd", ag_cast(s, ag_histogramdd(s, points(s), e2, 2, NULL, false), AGN_F64)},
        {"histogramdd density",
         ag_histogramdd(s, points(s), e2, 2, ag_arange(s, AGN_F64, 0, 15, 1), true)},
        {"diff 0", ag_diff(s, X, 0, 1, NULL, NULL)},
        {"diff 1", ag_diff(s, X, 1, 1, NULL, NULL)},
        {"diff 2", ag_diff(s, X, 2, 1, NULL, NULL)},
        {"diff 5", ag_diff(s, X, 5, 1, NULL, NULL)},
        {"diff around", ag_diff(s, X, 2, 1, one, two)},
        {"diff of bools", ag_diff(s, B, 1, 0, NULL, NULL)},
        {"gradient 1", ag_gradient_of_samples(s, X, 1, NULL, 0.5, 1)},
        {"gradient 2", ag_gradient_of_samples(s, X, 1, NULL, 0.5, 2)},
        {"gradient uneven 1", ag_gradient_of_samples(s, X, 1, cum(s), 1, 1)},
        {"gradient uneven 2", ag_gradient_of_samples(s, X, 1, cum(s), 1, 2)},
        {"gradient ends", ag_gradient_of_samples(s, head(s, X, 0, 2), 0, NULL, 1, 1)},
        {"trapezoid", ag_trapezoid(s, X, NULL, 1, 0)},
        {"trapezoid uneven", ag_trapezoid(s, X, cum(s), 1, 1)},
        {"trapezoid of pairs",
         ag_trapezoid(s, X, ag_cumsum(s, ag_square(s, X), 1), 1, 1)},
        {"cumulative_trapezoid", ag_cumulative_trapezoid(s, X, cum(s), 1, 1)},
        {"interp",
         ag_interp(s, ag_concat(s, (V[]){ag_reshape(s, X, 1, LONGS(-1)), LIST(NAN_)}, 2, 0), E, P)},
        {"interp one", ag_interp(s, LIST(1, 3), LIST(2), LIST(5))},
        {"polyval", ag_polyval(s, P, X)},
        {"polyval of nothing", ag_polyval(s, ag_full(s, AGN_F64, 1, LONGS(0), 0), X)},
        NORMS(0, "0"),
        NORMS(0.5, "0.5"),
        NORMS(1, "1"),
        NORMS(2, "2"),
        NORMS(3, "3"),
        NORMS(INF_, "inf"),
        NORMS(-INF_, "-inf"),
        DISTANCES(0.5, "0.5"),
        DISTANCES(1, "1"),
        DISTANCES(2, "2"),
        DISTANCES(3, "3"),
        DISTANCES(INF_, "inf"),
        {"renorm", ag_renorm(s, X, 2, 0, 1e9)},
        {"renorm capped", ag_renorm(s, X, 2, 0, 5)},
    };
    for (int k = 0; k < COUNT(calls); k++)
        if (!strcmp(calls[k].name, name))
            return calls[k].value;
    if (!strncmp(name, "trace ", 6))
        return ag_trace(s, T, atoi(name + 6), 1, 2);
    return NULL;
}

/* ---- comparing --------------------------------------------------------------------------------- */

static double worst; /* in eps (1 + |want|) */

static bool agrees(const answer *a, V y)
{
    bool z = a->dtype == AGN_C128;
    if (!y || agn_dtype_of(y) != a->dtype || !has_shape(y, a->ndim, a->shape))
        return false;
    for (int64_t i = 0; i < agn_numel(y); i++)
        for (int part = 0; part <= z; part++) {
            double want = pool[a->at + i * (1 + z) + part];
            double have = part ? cimag(peekz(y, i)) : peek(y, i);
            if (isnan(want) || isinf(want)) {
                if (isnan(want) ? !isnan(have) : have != want)
                    return false;
                continue;
            }
            double off = fabs(have - want) / (0x1p-52 * (1 + fabs(want)));
            worst = off > worst ? off : worst;
            if (!(off <= 16) || (kind_of(a->dtype) < KIND_FLOAT && off != 0))
                return false;
        }
    return true;
}

/* rows of laws.md that answers belong to */
static const struct {
    const char *head, *row;
} laws[] = {
    {"sum of i32 as i64", "E1"}, {"cumsum", "E4"},   {"trace", "E9, I10"}, {"argm", "E14"},
    {"cumm", "E14, X2-7"},       {"norm", "E11"},    {"diff", "E16"},      {"median", "E15"},
    {"quantile", "E15"},         {"kthvalue", "E15"}, {"mode", "E15"},     {"nan", "E15"},
    {"unique", "B2"},            {"dist", "H1"},
};
static const char *law_of(const char *name)
{
    for (int k = 0; k < COUNT(laws); k++)
        if (!strncmp(name, laws[k].head, strlen(laws[k].head)))
            return laws[k].row;
    return "";
}

/* what NumPy refuses or has no dtype for */
static void test_ours(void)
{
    agn_scope *s = agn_scope_open(NULL);
    V lanes = ag_stack(s, (V[]){LIST(NAN_, NAN_), LIST(3, NAN_), LIST(NAN_, -3)}, 3, 0);
    V most = ag_nanargmax(s, lanes, 1, false), least = ag_nanargmin(s, lanes, 1, false);
    static const int64_t want[] = {-1, 0, 1};
    bool good = most && least;
    for (int k = 0; good && k < 3; k++)
        good = peek_int(most, k) == want[k] && peek_int(least, k) == want[k];
    ok(good, "E15: nanargmax and nanargmin of NaN alone are -1");
    static const int dtypes[][3] = {{AGN_F16, AGN_F16, AGN_F16}, {AGN_F32, AGN_F16, AGN_F32},
                                    {AGN_I32, AGN_I32, AGN_F64}, {AGN_F64, AGN_BF16, AGN_F64}};
    for (int k = 0; k < COUNT(dtypes); k++) {
        V y = ag_dist(s, ag_cast(s, LIST(0, 3), dtypes[k][0]), ag_cast(s, LIST(4, 0), dtypes[k][1]), 2);
        ok(y && agn_dtype_of(y) == dtypes[k][2] && peek(y, 0) == 5, "H1: dist of %s and %s",
           agn_dtype_name(dtypes[k][0]), agn_dtype_name(dtypes[k][1]));
    }
    must(agn_scope_close(s));
}

int main(void)
{
    static const int64_t x[] = {3, 5}, t[] = {2, 3, 4}, i[] = {2, 4}, z[] = {2, 3}, b[] = {3, 3};
    static const int64_t six[] = {6}, five_[] = {5};
    X = of_reals(AGN_F64, 2, x, in_X);
    N = of_reals(AGN_F64, 2, x, in_N);
    T = of_reals(AGN_F64, 3, t, in_T);
    I = of_reals(AGN_I64, 2, i, in_I);
    P = of_reals(AGN_F64, 1, six, in_P);
    Q = of_reals(AGN_F64, 1, six, in_Q);
    E = of_reals(AGN_F64, 1, six, in_E);
    W = of_reals(AGN_F64, 1, five_, in_W);
    B = of_reals(AGN_BOOL, 2, b, in_B);
    must(agn_from_host(&Z, AGN_C128, 2, z, in_Z));
    for (int k = 0; k < COUNT(answers); k++) {
        const answer *a = &answers[k];
        agn_scope *s = agn_scope_open(NULL);
        V y = by_name(s, a->name);
        y = y ? y : one_by_one(s, a->name);
        const char *law = law_of(a->name);
        bool good = agrees(a, y);
        ok(good, "%s%s%s", law, *law ? ": " : "", a->name);
        if (!good && y)
            diag("%s %s", agn_dtype_name(agn_dtype_of(y)), SHAPE_TEXT(y));
        for (int64_t j = 0; !good && y && j < agn_numel(y) && j < 24; j++)
            diag("%.17g, want %.17g", peek(y, j), pool[a->at + j]);
        agn_status st = agn_scope_close(s);
        if (st)
            diag("%s", agn_error_message());
    }
    diag("worst: %.1f eps (1 + |want|)", worst);
    agn_tensor *const all[] = {X, N, T, I, P, Q, E, W, Z, B};
    for (int k = 0; k < COUNT(all); k++)
        agn_release(all[k]);
    test_ours();
    return done();
}
