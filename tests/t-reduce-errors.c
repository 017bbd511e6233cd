/* tests/t-reduce-errors.c - every documented error of reductions, scans, order, statistics,
   calculus and distances, provoked: its status, the op and the two facts in the message, out
   untouched. */
#include "laws.h"

#undef I /* of <complex.h> */

static agn_tensor *X, *V, *Z, *I, *E, *S, *F;
static tally t;

#define AXES(...)     \
    (const int32_t[]) \
    {                 \
        __VA_ARGS__   \
    }
#define TENSORS(...)       \
    (const agn_tensor *[]) \
    {                      \
        __VA_ARGS__        \
    }
/* the call writes y, and u where it has a second result */
#define NO(call, want, op, fact1, fact2)                                              \
    do {                                                                              \
        agn_tensor *y = untouched, *u = untouched;                                    \
        agn_status no_st = call;                                                      \
        check(&t, refused(no_st, want, op, fact1, fact2, y) && u == untouched, "%s: %s", \
              #call, agn_error_message());                                            \
    } while (0)
/* a NULL out: nothing to see untouched */
#define NO_OUT(call, op)                                                   \
    do {                                                                   \
        agn_tensor *u = untouched;                                         \
        agn_status no_st = call;                                           \
        const char *m = agn_error_message();                               \
        check(&t,                                                          \
              no_st == AGN_ENULL && !strncmp(m, op ":", strlen(op) + 1) && \
                  strstr(m, "NULL") && u == untouched,                     \
              "%s: %s \"%s\"", #call, agn_status_name(no_st), m);          \
        (void)u;                                                           \
    } while (0)

/* ---- reductions over axes ---------------------------------------------------------- */

typedef agn_status reduction(agn_tensor **, const agn_tensor *, const int32_t *, int32_t, bool);
typedef agn_status corrected(agn_tensor **, const agn_tensor *, const int32_t *, int32_t, double,
                             bool);
typedef agn_status two_results(agn_tensor **, agn_tensor **, const agn_tensor *, const int32_t *,
                               int32_t, double, bool);
enum { ORDERED = 1, NONEMPTY = 2 };

static void axes(const char *op, agn_status (*call)(agn_tensor **, const agn_tensor *,
                                                    const int32_t *, int32_t))
{
    NO(call(&y, NULL, NULL, 0), AGN_ENULL, op, "x", NULL);
    NO(call(&y, X, AXES(2), 1), AGN_EINDEX, op, "axis 2", "2 axes");
    NO(call(&y, X, AXES(-3), 1), AGN_EINDEX, op, "axis -3", "2 axes");
    NO(call(&y, X, AXES(1, -1), 2), AGN_EARG, op, "axis 1", "twice");
    NO(call(&y, X, AXES(0, 1, 0), 3), AGN_EARG, op, "3 axes", "[3,4]");
    agn_status st = call(NULL, X, NULL, 0);
    check(&t, st == AGN_ENULL, "%s without out: %s", op, agn_error_message());
}

#define PLAIN(name)                                                                          \
    static agn_status call_##name(agn_tensor **o, const agn_tensor *x, const int32_t *a,      \
                                  int32_t n)                                                  \
    {                                                                                        \
        return agn_##name(o, x, a, n, false);                                                \
    }
#define WITH(name, call)                                                                     \
    static agn_status call_##name(agn_tensor **o, const agn_tensor *x, const int32_t *a,      \
                                  int32_t n)                                                  \
    {                                                                                        \
        return call;                                                                         \
    }
#define EACH(F)                                                                              \
    F(amax, ORDERED | NONEMPTY) F(sum_compensated, 0)                                        \
    F(amin, ORDERED | NONEMPTY) F(all, 0) F(any, 0) F(count_nonzero, 0) F(nansum, 0)         \
        F(nanprod, 0) F(nanmean, 0) F(ptp, ORDERED | NONEMPTY) F(nanmax, ORDERED | NONEMPTY)               \
            F(nanmin, ORDERED | NONEMPTY) F(median, ORDERED | NONEMPTY)                      \
                F(nanmedian, ORDERED | NONEMPTY)
#define EACH_WITH(F)                                                                         \
    F(var, 0)                                                                                \
    F(std, 0) F(nanvar, 0) F(nanstd, 0) F(sum_as, 0) F(pnorm, 0)                             \
        F(quantile, ORDERED | NONEMPTY) F(nanquantile, ORDERED | NONEMPTY)                   \
            F(percentile, ORDERED | NONEMPTY) F(nanpercentile, ORDERED | NONEMPTY)           \
            F(aminmax, ORDERED | NONEMPTY) F(var_mean, 0)  \
                F(std_mean, 0)
#define PLAIN_OF(name, flags) PLAIN(name)
static const double half = 0.5;
static agn_tensor *other;
EACH(PLAIN_OF)
WITH(var, agn_var(o, x, a, n, 0, false))
WITH(std, agn_std(o, x, a, n, 0, false))
WITH(nanvar, agn_nanvar(o, x, a, n, 0, false))
WITH(nanstd, agn_nanstd(o, x, a, n, 0, false))
WITH(sum_as, agn_sum_as(o, x, a, n, false, AGN_F64))
WITH(pnorm, agn_pnorm(o, x, 2, a, n, false))
WITH(quantile, agn_quantile(o, x, &half, 1, a, n, false, 0))
WITH(nanquantile, agn_nanquantile(o, x, &half, 1, a, n, false, 0))
WITH(percentile, agn_percentile(o, x, &half, 1, a, n, false, 0))
WITH(nanpercentile, agn_nanpercentile(o, x, &half, 1, a, n, false, 0))
WITH(aminmax, agn_aminmax(o, &other, x, a, n, false))
WITH(var_mean, agn_var_mean(o, &other, x, a, n, 0, false))
WITH(std_mean, agn_std_mean(o, &other, x, a, n, 0, false))

static void test_reductions(void)
{
    static const struct {
        const char *name;
        agn_status (*call)(agn_tensor **, const agn_tensor *, const int32_t *, int32_t);
        int flags;
    } all[] = {
#define ENTER(name, flags) {#name, call_##name, flags},
        EACH(ENTER) EACH_WITH(ENTER)};
    for (int k = 0; k < COUNT(all); k++) {
        axes(all[k].name, all[k].call);
        if (all[k].flags & ORDERED)
            NO(all[k].call(&y, Z, NULL, 0), AGN_EDTYPE, all[k].name, "c128", NULL);
        if (all[k].flags & NONEMPTY)
            NO(all[k].call(&y, E, AXES(0), 1), AGN_ESHAPE, all[k].name, "[0,3]", "1 axes");
    }
    NO_OUT(agn_aminmax(&u, NULL, X, NULL, 0, false), "aminmax");
    NO_OUT(agn_var_mean(&u, NULL, X, NULL, 0, 0, false), "var_mean");
    NO_OUT(agn_std_mean(&u, NULL, X, NULL, 0, 0, false), "std_mean");
    NO(agn_sum_as(&y, X, NULL, 0, false, 99), AGN_EDTYPE, "sum_as", "99", "12");
    NO(agn_pnorm(&y, X, (double)NAN, NULL, 0, false), AGN_EDOMAIN, "pnorm", "nan", "inf");
    NO(agn_pnorm(&y, E, -(double)INFINITY, NULL, 0, false), AGN_ESHAPE, "pnorm", "[0,3]", NULL);
    static const double wrong[][2] = {{0, 1.5}, {-0.1, 0}, {(double)NAN, 0}};
    for (int k = 0; k < COUNT(wrong); k++)
        NO(agn_quantile(&y, X, wrong[k], 2, NULL, 0, false, 0), AGN_EDOMAIN, "quantile",
           "quantile", "0 to 1");
    NO(agn_percentile(&y, X, (double[]){150}, 1, NULL, 0, false, 0), AGN_EDOMAIN, "percentile",
       "150", "0 to 100");
    NO(agn_nanquantile(&y, X, (double[]){2}, 1, NULL, 0, false, 0), AGN_EDOMAIN, "nanquantile", "2",
       "0 to 1");
    NO(agn_quantile(&y, X, &half, 0, NULL, 0, false, 0), AGN_EARG, "quantile", "0 quantiles", NULL);
    NO(agn_quantile(&y, X, &half, 1, NULL, 0, false, 5), AGN_EARG, "quantile", "method 5", "0 to 4");
    NO(agn_percentile(&y, X, &half, 1, NULL, 0, false, -1), AGN_EARG, "percentile", "method -1",
       "0 to 4");
    NO(agn_nanpercentile(&y, X, &half, 1, NULL, 0, false, 7), AGN_EARG, "nanpercentile", "method 7",
       "0 to 4");
    NO(agn_nanpercentile(&y, X, (double[]){-1}, 1, NULL, 0, false, 0), AGN_EDOMAIN, "nanpercentile",
       "-1", "0 to 100");
    NO(agn_nanpercentile(&y, X, NULL, 1, NULL, 0, false, 0), AGN_ENULL, "nanpercentile", "q", NULL);
    NO(agn_nanquantile(&y, X, &half, -1, NULL, 0, false, 0), AGN_EARG, "nanquantile",
       "-1 quantiles", NULL);
    NO(agn_quantile(&y, X, NULL, 1, NULL, 0, false, 0), AGN_ENULL, "quantile", "q", NULL);
    NO(agn_average(&y, X, NULL, NULL, 0, false), AGN_ENULL, "average", "weights", NULL);
    NO(agn_average(&y, NULL, X, NULL, 0, false), AGN_ENULL, "average", "x", NULL);
    NO_OUT(agn_average(NULL, X, X, NULL, 0, false), "average");
    NO(agn_average(&y, X, V, NULL, 0, false), AGN_ESHAPE, "average", "[4]", "[3,4]");
    NO(agn_average(&y, X, V, AXES(0), 1, false), AGN_ESHAPE, "average", "[4]", "[3,4]");
    NO(agn_average(&y, X, V, AXES(5), 1, false), AGN_EINDEX, "average", "axis 5", "2 axes");
    NO(agn_average(&y, X, V, AXES(1, 1), 2, false), AGN_EARG, "average", "axis 1", "twice");
    NO(agn_reduce_as(&y, X, NULL), AGN_ENULL, "reduce_as", "like", NULL);
    NO(agn_reduce_as(&y, NULL, X), AGN_ENULL, "reduce_as", "x", NULL);
    NO_OUT(agn_reduce_as(NULL, X, X), "reduce_as");
    NO(agn_reduce_as(&y, X, E), AGN_ESHAPE, "reduce_as", "[0,3]", "[3,4]");
    NO(agn_reduce_as(&y, V, X), AGN_ESHAPE, "reduce_as", "[3,4]", "[4]");
    typedef agn_status place(agn_tensor **, const agn_tensor *, int32_t, bool);
    static place *const places[] = {agn_nanargmax, agn_nanargmin};
    for (int k = 0; k < COUNT(places); k++) {
        const char *op = k ? "nanargmin" : "nanargmax";
        NO(places[k](&y, NULL, 0, false), AGN_ENULL, op, "x", NULL);
        check(&t, places[k](NULL, X, 0, false) == AGN_ENULL, "%s without out", op);
        NO(places[k](&y, Z, 0, false), AGN_EDTYPE, op, "c128", NULL);
        NO(places[k](&y, X, 2, false), AGN_EINDEX, op, "axis 2", "2 axes");
        NO(places[k](&y, S, 0, false), AGN_EINDEX, op, "axis 0", "0 axes");
        NO(places[k](&y, E, 0, false), AGN_ESHAPE, op, "[0,3]", NULL);
    }
    NO(agn_trace(&y, NULL, 0, 0, 1), AGN_ENULL, "trace", "x", NULL);
    NO_OUT(agn_trace(NULL, X, 0, 0, 1), "trace");
    NO(agn_trace(&y, X, 0, 0, 2), AGN_EINDEX, "trace", "axis 2", "2 axes");
    NO(agn_trace(&y, X, 0, -3, 1), AGN_EINDEX, "trace", "axis -3", "2 axes");
    NO(agn_trace(&y, X, 0, -1, 1), AGN_EARG, "trace", "-1", "1");
    tell(&t, "reductions: NULL, dtype, axes, shapes, nothing to compare");
    t = (tally){0};
}

static void test_scans(void)
{
    typedef agn_status with_flags(agn_tensor **, const agn_tensor *, int32_t, int32_t);
    static const struct {
        const char *name;
        with_flags *f;
        int32_t wrong;
    } scans[] = {{"cumsum_as", agn_cumsum_as, 4},
                 {"cumprod", agn_cumprod, -1},
                 {"logcumsumexp", agn_logcumsumexp, AGN_SCAN_EXCLUSIVE}};
    for (int k = 0; k < COUNT(scans); k++) {
        const char *op = scans[k].name;
        NO(scans[k].f(&y, NULL, 0, 0), AGN_ENULL, op, "x", NULL);
        check(&t, scans[k].f(NULL, X, 0, 0) == AGN_ENULL, "%s without out", op);
        NO(scans[k].f(&y, X, 2, 0), AGN_EINDEX, op, "axis 2", "2 axes");
        NO(scans[k].f(&y, S, 0, 0), AGN_EINDEX, op, "axis 0", "0 axes");
        NO(scans[k].f(&y, X, 0, scans[k].wrong), AGN_EARG, op, "flags", NULL);
    }
    NO(agn_logcumsumexp(&y, Z, 0, 0), AGN_EDTYPE, "logcumsumexp", "c128", NULL);
    NO(agn_nancumsum(&y, NULL, 0), AGN_ENULL, "nancumsum", "x", NULL);
    NO_OUT(agn_nancumsum(NULL, X, 0), "nancumsum");
    NO(agn_nancumsum(&y, X, -3), AGN_EINDEX, "nancumsum", "axis -3", "2 axes");
    NO(agn_nancumprod(&y, NULL, 0), AGN_ENULL, "nancumprod", "x", NULL);
    NO_OUT(agn_nancumprod(NULL, X, 0), "nancumprod");
    NO(agn_nancumprod(&y, X, 2), AGN_EINDEX, "nancumprod", "axis 2", "2 axes");
    NO(agn_cummax(&y, &u, NULL, 0), AGN_ENULL, "cummax", "x", NULL);
    NO_OUT(agn_cummax(NULL, &u, X, 0), "cummax");
    NO(agn_cummax(&y, &u, Z, 0), AGN_EDTYPE, "cummax", "c128", NULL);
    NO(agn_cummax(&y, &u, X, 7), AGN_EINDEX, "cummax", "axis 7", "2 axes");
    NO(agn_cummin(&y, &u, NULL, 0), AGN_ENULL, "cummin", "x", NULL);
    NO_OUT(agn_cummin(NULL, &u, X, 0), "cummin");
    NO(agn_cummin(&y, &u, Z, 0), AGN_EDTYPE, "cummin", "c128", NULL);
    NO(agn_cummin(&y, &u, X, 7), AGN_EINDEX, "cummin", "axis 7", "2 axes");
    NO(agn_recurrence(&y, NULL, X, 0, 0), AGN_ENULL, "recurrence", "a", NULL);
    NO(agn_recurrence(&y, X, NULL, 0, 0), AGN_ENULL, "recurrence", "b", NULL);
    NO_OUT(agn_recurrence(NULL, X, X, 0, 0), "recurrence");
    NO(agn_recurrence(&y, X, E, 0, 0), AGN_ESHAPE, "recurrence", "[3,4]", "[0,3]");
    NO(agn_recurrence(&y, X, V, 2, 0), AGN_EINDEX, "recurrence", "axis 2", "2 axes");
    NO(agn_recurrence(&y, X, V, 0, AGN_SCAN_EXCLUSIVE), AGN_EARG, "recurrence", "flags 2", NULL);
    NO(agn_op_apply(&y, 1, "recurrence", TENSORS(X, V), 2, (int64_t[]){-1, 0}, 2, NULL, 0),
       AGN_ESHAPE, "recurrence", "[3,4]", "[4]");
    tell(&t, "scans: NULL, dtype, axis, flags, shapes");
    t = (tally){0};
}

static void test_order(void)
{
    NO(agn_topk(&y, &u, NULL, 1, 0, true), AGN_ENULL, "topk", "x", NULL);
    NO_OUT(agn_topk(NULL, &u, X, 1, 0, true), "topk");
    NO_OUT(agn_topk(&u, NULL, X, 1, 0, true), "topk");
    NO(agn_topk(&y, &u, X, 4, 0, true), AGN_EARG, "topk", "4", "3 elements");
    NO(agn_topk(&y, &u, X, -1, 0, true), AGN_EARG, "topk", "-1", "3 elements");
    NO(agn_topk(&y, &u, X, 1, 2, true), AGN_EINDEX, "topk", "axis 2", "2 axes");
    NO(agn_topk(&y, &u, Z, 1, 0, true), AGN_EDTYPE, "topk", "c128", NULL);
    NO(agn_kthvalue(&y, &u, NULL, 1, 0, true), AGN_ENULL, "kthvalue", "x", NULL);
    NO_OUT(agn_kthvalue(NULL, &u, X, 1, 0, true), "kthvalue");
    NO_OUT(agn_kthvalue(&u, NULL, X, 1, 0, true), "kthvalue");
    NO(agn_kthvalue(&y, &u, X, 0, 0, true), AGN_EARG, "kthvalue", "element 0", "3");
    NO(agn_kthvalue(&y, &u, X, 4, 0, true), AGN_EARG, "kthvalue", "element 4", "3");
    NO(agn_kthvalue(&y, &u, X, 1, -3, true), AGN_EINDEX, "kthvalue", "axis -3", "2 axes");
    NO(agn_kthvalue(&y, &u, Z, 1, 0, true), AGN_EDTYPE, "kthvalue", "c128", NULL);
    NO(agn_mode(&y, &u, NULL, 0, true), AGN_ENULL, "mode", "x", NULL);
    NO_OUT(agn_mode(NULL, &u, X, 0, true), "mode");
    NO_OUT(agn_mode(&u, NULL, X, 0, true), "mode");
    NO(agn_mode(&y, &u, E, 0, true), AGN_ESHAPE, "mode", "[0,3]", "axis 0");
    NO(agn_mode(&y, &u, X, 2, true), AGN_EINDEX, "mode", "axis 2", "2 axes");
    NO(agn_mode(&y, &u, Z, 0, true), AGN_EDTYPE, "mode", "c128", NULL);
    typedef agn_status placed(agn_tensor **, const agn_tensor *, int64_t, int32_t);
    static const struct {
        const char *name;
        placed *f;
    } both[] = {{"partition", agn_partition}, {"argpartition", agn_argpartition}};
    for (int k = 0; k < 2; k++) {
        NO(both[k].f(&y, NULL, 0, 0), AGN_ENULL, both[k].name, "x", NULL);
        check(&t, both[k].f(NULL, X, 0, 0) == AGN_ENULL, "%s without out", both[k].name);
        NO(both[k].f(&y, X, 3, 0), AGN_EINDEX, both[k].name, "place 3", "axis of 3");
        NO(both[k].f(&y, X, 0, 2), AGN_EINDEX, both[k].name, "axis 2", "2 axes");
        NO(both[k].f(&y, Z, 0, 0), AGN_EDTYPE, both[k].name, "c128", NULL);
    }
    NO(agn_lexsort(&y, NULL, 1, 0), AGN_ENULL, "lexsort", "keys", NULL);
    NO_OUT(agn_lexsort(NULL, TENSORS(X), 1, 0), "lexsort");
    NO(agn_lexsort(&y, TENSORS(X, NULL), 2, 0), AGN_ENULL, "lexsort", "key 1", "2");
    NO(agn_lexsort(&y, TENSORS(X), 0, 0), AGN_EARG, "lexsort", "0 keys", "1");
    NO(agn_lexsort(&y, TENSORS(X, V), 2, 0), AGN_ESHAPE, "lexsort", "[3,4]", "[4]");
    NO(agn_lexsort(&y, TENSORS(Z), 1, 0), AGN_EDTYPE, "lexsort", "c128", NULL);
    NO(agn_lexsort(&y, TENSORS(X), 1, 2), AGN_EINDEX, "lexsort", "axis 2", "2 axes");
    NO(agn_searchsorted(&y, NULL, X, true), AGN_ENULL, "searchsorted", "sorted", NULL);
    NO(agn_searchsorted(&y, X, NULL, true), AGN_ENULL, "searchsorted", "x", NULL);
    NO_OUT(agn_searchsorted(NULL, V, X, true), "searchsorted");
    NO(agn_searchsorted(&y, X, E, true), AGN_ESHAPE, "searchsorted", "[3,4]", "[0,3]");
    NO(agn_searchsorted(&y, S, X, true), AGN_ESHAPE, "searchsorted", "[]", "[3,4]");
    NO(agn_searchsorted(&y, Z, Z, true), AGN_EDTYPE, "searchsorted", "c128", NULL);
    NO(agn_bucketize(&y, X, NULL, true), AGN_ENULL, "bucketize", "edges", NULL);
    NO(agn_bucketize(&y, NULL, V, true), AGN_ENULL, "bucketize", "x", NULL);
    NO_OUT(agn_bucketize(NULL, X, V, true), "bucketize");
    NO(agn_bucketize(&y, X, X, true), AGN_ESHAPE, "bucketize", "[3,4]", "one axis");
    NO(agn_bucketize(&y, Z, V, true), AGN_EDTYPE, "bucketize", "c128", NULL);
    NO(agn_op_apply(&y, 1, "argsort_window", TENSORS(X), 1, (int64_t[]){-1, 0, 2, 3}, 4, NULL, 0),
       AGN_EARG, "argsort_window", "3 places from 2", "4");
    NO(agn_unique(&y, &u, NULL, NULL, NULL), AGN_ENULL, "unique", "x", NULL);
    NO_OUT(agn_unique(NULL, &u, NULL, NULL, X), "unique");
    NO(agn_unique(&y, &u, NULL, NULL, Z), AGN_EDTYPE, "unique", "c128", NULL);
    NO(agn_unique_along(&y, &u, NULL, NULL, NULL, 0), AGN_ENULL, "unique_along", "x", NULL);
    NO_OUT(agn_unique_along(NULL, &u, NULL, NULL, X, 0), "unique_along");
    NO(agn_unique_along(&y, &u, NULL, NULL, Z, 0), AGN_EDTYPE, "unique_along", "c128", NULL);
    NO(agn_unique_along(&y, &u, NULL, NULL, X, 2), AGN_EINDEX, "unique_along", "axis 2", "2 axes");
    NO(agn_unique_consecutive(&y, &u, NULL, NULL), AGN_ENULL, "unique_consecutive", "x", NULL);
    NO_OUT(agn_unique_consecutive(NULL, &u, NULL, X), "unique_consecutive");
    NO(agn_unique_consecutive_along(&y, &u, NULL, NULL, 0), AGN_ENULL, "unique_consecutive_along",
       "x", NULL);
    NO_OUT(agn_unique_consecutive_along(NULL, &u, NULL, X, 0), "unique_consecutive_along");
    NO(agn_unique_consecutive_along(&y, &u, NULL, X, -3), AGN_EINDEX, "unique_consecutive_along",
       "axis -3", "2 axes");
    NO(agn_argwhere(&y, NULL), AGN_ENULL, "argwhere", "x", NULL);
    NO_OUT(agn_argwhere(NULL, X), "argwhere");
    NO(agn_nonzero(&y, 2, NULL), AGN_ENULL, "nonzero", "x", NULL);
    NO_OUT(agn_nonzero(NULL, 2, X), "nonzero");
    NO(agn_nonzero(&y, 1, X), AGN_ESHAPE, "nonzero", "1 results", "2 axes");
    NO(agn_nonzero(&y, 0, S), AGN_ESHAPE, "nonzero", "0 results", "0 axes");
    tell(&t, "order: NULL, dtype, axis, k, place, shapes");
    t = (tally){0};
}

static void test_statistics(void)
{
    NO(agn_bincount(&y, NULL, NULL, 3), AGN_ENULL, "bincount", "x", NULL);
    NO_OUT(agn_bincount(NULL, I, NULL, 3), "bincount");
    NO(agn_bincount(&y, X, NULL, 3), AGN_EDTYPE, "bincount", "f64", "[3,4]");
    NO(agn_bincount(&y, I, X, 3), AGN_ESHAPE, "bincount", "[3,4]", "[4]");
    NO(agn_bincount(&y, I, NULL, 4), AGN_EINDEX, "bincount", "index 4", "size 4");
    NO(agn_bincount(&y, I, NULL, 0), AGN_EINDEX, "bincount", "index", "size 0");
    NO(agn_bincount(&y, I, NULL, INT64_MAX), AGN_ENOMEM, "bincount", "9223372036854775807", NULL);
    static const int64_t large[] = {INT64_MAX, INT64_MAX - 1, INT64_C(1) << 53, INT64_C(1) << 52};
    for (int k = 0; k < 4; k++) {
        agn_tensor *one = NULL;
        must(agn_from_host(&one, AGN_I64, 1, (int64_t[]){1}, &large[k]));
        NO(agn_bincount(&y, one, NULL, -1), AGN_ENOMEM, "bincount", NULL, NULL);
        agn_release(one);
    }
    agn_tensor *below = of_reals(AGN_I64, 1, (int64_t[]){3}, (double[]){2, -1, 0});
    NO(agn_bincount(&y, below, NULL, 5), AGN_EINDEX, "bincount", "place 1", "size 5");
    NO(agn_bincount(&y, below, NULL, -1), AGN_EINDEX, "bincount", "place 1", "size 3");
    agn_release(below);
    static const double odd[][2] = {{2, 1}, {(double)NAN, 1}, {0, (double)INFINITY}};
    NO(agn_histogram_bin_edges(&y, NULL, 3, NULL), AGN_ENULL, "histogram_bin_edges", "x", NULL);
    NO_OUT(agn_histogram_bin_edges(NULL, X, 3, NULL), "histogram_bin_edges");
    NO(agn_histogram_bin_edges(&y, X, 0, NULL), AGN_EARG, "histogram_bin_edges", "0 bins", "1");
    NO(agn_histogram_bin_edges(&y, F, 3, NULL), AGN_EDOMAIN, "histogram_bin_edges", "inf", "x");
    NO(agn_histogram_bin_edges(&y, Z, 3, NULL), AGN_EDTYPE, "histogram_bin_edges", "c128", NULL);
    for (int k = 0; k < COUNT(odd); k++)
        NO(agn_histogram_bin_edges(&y, X, 3, odd[k]), AGN_EDOMAIN, "histogram_bin_edges", "range",
           "finite");
    NO(agn_histogram(&y, NULL, V, NULL, false), AGN_ENULL, "histogram", "x", NULL);
    NO(agn_histogram(&y, X, NULL, NULL, false), AGN_ENULL, "histogram", "edges", NULL);
    NO_OUT(agn_histogram(NULL, X, V, NULL, false), "histogram");
    NO(agn_histogram(&y, X, X, NULL, false), AGN_ESHAPE, "histogram", "[3,4]", "edges");
    NO(agn_histogram(&y, X, V, V, false), AGN_ESHAPE, "histogram", "[4]", "[3,4]");
    NO(agn_histogram(&y, Z, V, NULL, false), AGN_EDTYPE, "histogram", "c128", NULL);
    NO(agn_histogramdd(&y, NULL, TENSORS(V), 1, NULL, false), AGN_ENULL, "histogramdd", "x", NULL);
    NO(agn_histogramdd(&y, X, NULL, 4, NULL, false), AGN_ENULL, "histogramdd", "edges", NULL);
    NO_OUT(agn_histogramdd(NULL, X, TENSORS(V), 1, NULL, false), "histogramdd");
    NO(agn_histogramdd(&y, X, TENSORS(V), 1, NULL, false), AGN_ESHAPE, "histogramdd", "[3,4]", "1");
    NO(agn_histogramdd(&y, X, TENSORS(V, V, NULL, V), 4, NULL, false), AGN_ENULL, "histogramdd",
       "edges 2", NULL);
    NO(agn_histogramdd(&y, X, TENSORS(V, X, V, V), 4, NULL, false), AGN_ESHAPE, "histogramdd",
       "edges 1", "[3,4]");
    NO(agn_histogramdd(&y, X, TENSORS(V, V, V, V), 4, V, false), AGN_ESHAPE, "histogramdd", "[4]",
       "[3,4]");
    NO(agn_histogramdd(&y, Z, TENSORS(V, V), 2, NULL, false), AGN_EDTYPE, "histogramdd", "c128",
       NULL);
    tell(&t, "statistics: NULL, dtype, shapes, range, numbers without a bin");
    t = (tally){0};
}

static void test_calculus(void)
{
    NO(agn_diff(&y, NULL, 1, 0, NULL, NULL), AGN_ENULL, "diff", "x", NULL);
    NO_OUT(agn_diff(NULL, X, 1, 0, NULL, NULL), "diff");
    NO(agn_diff(&y, X, 1, 2, NULL, NULL), AGN_EINDEX, "diff", "axis 2", "2 axes");
    NO(agn_diff(&y, X, -1, 0, NULL, NULL), AGN_EARG, "diff", "-1", "[3,4]");
    NO(agn_diff(&y, X, 1, 0, V, NULL), AGN_ESHAPE, "diff", NULL, NULL);
    NO(agn_diff(&y, X, 1, 0, NULL, E), AGN_ESHAPE, "diff", NULL, NULL);
    static const char *const g = "gradient_of_samples";
    NO(agn_gradient_of_samples(&y, NULL, 0, NULL, 1, 1), AGN_ENULL, g, "x", NULL);
    NO_OUT(agn_gradient_of_samples(NULL, X, 0, NULL, 1, 1), "gradient_of_samples");
    NO(agn_gradient_of_samples(&y, X, 2, NULL, 1, 1), AGN_EINDEX, g, "axis 2", "2 axes");
    NO(agn_gradient_of_samples(&y, X, 0, NULL, 1, 3), AGN_EARG, g, "edge_order is 3", "2");
    NO(agn_gradient_of_samples(&y, E, 0, NULL, 1, 1), AGN_ESHAPE, g, "[0,3]", "2 samples");
    NO(agn_gradient_of_samples(&y, X, 0, V, 1, 1), AGN_ESHAPE, g, "[4]", "[3,4]");
    typedef agn_status integral(agn_tensor **, const agn_tensor *, const agn_tensor *, double,
                                int32_t);
    static const struct {
        const char *name;
        integral *f;
    } both[] = {{"trapezoid", agn_trapezoid}, {"cumulative_trapezoid", agn_cumulative_trapezoid}};
    for (int k = 0; k < 2; k++) {
        NO(both[k].f(&y, NULL, NULL, 1, 0), AGN_ENULL, both[k].name, "y", NULL);
        check(&t, both[k].f(NULL, X, NULL, 1, 0) == AGN_ENULL, "%s without out", both[k].name);
        NO(both[k].f(&y, X, NULL, 1, -3), AGN_EINDEX, both[k].name, "axis -3", "2 axes");
        NO(both[k].f(&y, X, V, 1, 0), AGN_ESHAPE, both[k].name, "[4]", "[3,4]");
    }
    NO(agn_interp(&y, NULL, V, V), AGN_ENULL, "interp", "x", NULL);
    NO(agn_interp(&y, X, NULL, V), AGN_ENULL, "interp", "xp", NULL);
    NO(agn_interp(&y, X, V, NULL), AGN_ENULL, "interp", "fp", NULL);
    NO_OUT(agn_interp(NULL, X, V, V), "interp");
    NO(agn_interp(&y, X, V, X), AGN_ESHAPE, "interp", "[4]", "[3,4]");
    NO(agn_interp(&y, Z, V, V), AGN_EDTYPE, "interp", "c128", NULL);
    NO(agn_polyval(&y, NULL, X), AGN_ENULL, "polyval", "c", NULL);
    NO(agn_polyval(&y, V, NULL), AGN_ENULL, "polyval", "x", NULL);
    NO_OUT(agn_polyval(NULL, V, X), "polyval");
    NO(agn_polyval(&y, X, X), AGN_ESHAPE, "polyval", "[3,4]", "one axis");
    tell(&t, "calculus: NULL, axis, order, shapes");
    t = (tally){0};
}

static void test_distances(void)
{
    const double nan = (double)NAN;
    NO(agn_dist(&y, NULL, X, 2), AGN_ENULL, "dist", "a", NULL);
    NO(agn_dist(&y, X, NULL, 2), AGN_ENULL, "dist", "b", NULL);
    NO_OUT(agn_dist(NULL, X, X, 2), "dist");
    NO(agn_dist(&y, X, E, 2), AGN_ESHAPE, "dist", "[3,4]", "[0,3]");
    NO(agn_dist(&y, X, X, (double)NAN), AGN_EDOMAIN, "dist", "nan", "inf");
    NO(agn_dist(&y, E, E, -1), AGN_ESHAPE, "dist", "[0,3]", NULL);
    NO(agn_cdist(&y, NULL, X, 2), AGN_ENULL, "cdist", "a", NULL);
    NO(agn_cdist(&y, X, NULL, 2), AGN_ENULL, "cdist", "b", NULL);
    NO_OUT(agn_cdist(NULL, X, X, 2), "cdist");
    NO(agn_cdist(&y, X, V, 2), AGN_ESHAPE, "cdist", "[3,4]", "[4]");
    NO(agn_cdist(&y, X, E, 2), AGN_ESHAPE, "cdist", "[3,4]", "[0,3]");
    NO(agn_cdist(&y, X, X, nan), AGN_EDOMAIN, "cdist", "nan", "inf");
    NO(agn_pdist(&y, NULL, 2), AGN_ENULL, "pdist", "x", NULL);
    NO_OUT(agn_pdist(NULL, X, 2), "pdist");
    NO(agn_pdist(&y, V, 2), AGN_ESHAPE, "pdist", "[4]", "2 axes");
    NO(agn_pdist(&y, X, -0.5), AGN_EDOMAIN, "pdist", "-0.5", "inf");
    NO(agn_renorm(&y, NULL, 2, 0, 1), AGN_ENULL, "renorm", "x", NULL);
    NO_OUT(agn_renorm(NULL, X, 2, 0, 1), "renorm");
    NO(agn_renorm(&y, X, 2, 2, 1), AGN_EINDEX, "renorm", "axis 2", "2 axes");
    NO(agn_renorm(&y, X, nan, 0, 1), AGN_EDOMAIN, "renorm", "nan", "inf");
    NO(agn_renorm(&y, X, 2, 0, -1), AGN_EDOMAIN, "renorm", "-1", "0");
    tell(&t, "distances: NULL, axis, p, shapes");
    t = (tally){0};
}

/* ---- what needs values, while tracing ------------------------------------------------ */

static agn_status needy(void *user, agn_scope *s, const agn_tensor *const *in, agn_tensor const **out)
{
    int64_t *which = user;
    agn_tensor *y = untouched, *u[1] = {untouched};
    agn_tensor *i = NULL;
    must(agn_cast(&i, in[0], AGN_I64));
    agn_status st = *which == 0   ? agn_unique(&y, NULL, NULL, NULL, in[0])
                    : *which == 1 ? agn_unique_along(&y, NULL, NULL, NULL, in[0], 0)
                    : *which == 2 ? agn_unique_consecutive(&y, NULL, NULL, in[0])
                    : *which == 3 ? agn_unique_consecutive_along(&y, NULL, NULL, in[0], 0)
                    : *which == 4 ? agn_argwhere(&y, in[0])
                    : *which == 5 ? agn_nonzero(u, 1, in[0])
                                  : agn_bincount(&y, i, NULL, -1);
    check(&t, st == AGN_ESYMBOLIC && y == untouched && u[0] == untouched, "function %d: %s",
          (int)*which, agn_error_message());
    agn_release(i);
    out[0] = in[0];
    return agn_scope_status(s);
}

static void test_symbolic(void)
{
    for (int64_t which = 0; which < 7; which++) {
        agn_fn *f = NULL, *fast = NULL;
        agn_tensor *y = NULL;
        must(agn_fn_new(&f, needy, &which, NULL, 1, 1));
        must(agn_fn_compile(&fast, f, NULL));
        must(agn_fn_call(&y, 1, fast, TENSORS(V), agn_fn_n_in(fast)));
        agn_release(y);
        agn_fn_release(fast);
        agn_fn_release(f);
    }
    tell(&t, "what depends on values is refused while tracing");
}

int main(void)
{
    X = random_of(AGN_F64, 2, (int64_t[]){3, 4}, 0, 1);
    V = of_reals(AGN_F64, 1, (int64_t[]){4}, (double[]){0, 1, 2, 4});
    Z = random_of(AGN_C128, 2, (int64_t[]){3, 2}, 0, 1);
    I = of_reals(AGN_I64, 1, (int64_t[]){4}, (double[]){0, 1, 4, 2});
    E = random_of(AGN_F64, 2, (int64_t[]){0, 3}, 0, 1);
    S = scalar_of(AGN_F64, 1);
    F = of_reals(AGN_F64, 1, (int64_t[]){2}, (double[]){0, (double)INFINITY});
    test_reductions();
    test_scans();
    test_order();
    test_statistics();
    test_calculus();
    test_distances();
    test_symbolic();
    agn_tensor *const all[] = {X, V, Z, I, E, S, F};
    for (int k = 0; k < COUNT(all); k++)
        agn_release(all[k]);
    return done();
}
