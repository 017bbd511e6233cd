/* tests/t-random-edges.c - samplers at the ends of what their parameters may be: intervals wider
   than any number or narrower than the quantile can tell, weights next to overflow and underflow. */
#include "laws.h"

#undef I /* of <complex.h> */
#include <agnesi/ag.h>

#include <float.h>

enum { N = 20000 };
static const int64_t shape[1] = {N};
static agn_tensor *K;

/* share of the numbers below lo + part (hi - lo), which should be part: six standard deviations */
static bool uniform_between(const agn_tensor *y, double lo, double hi)
{
    bool good = y != NULL;
    for (int q = 1; q < 8 && good; q++) {
        double part = q / 8.0, below = 0, limit = 6 * sqrt(part * (1 - part) / N);
        for (int64_t i = 0; i < N; i++) {
            double u = (peek(y, i) / 2 - lo / 2) / (hi / 2 - lo / 2);
            good = good && u >= 0 && u <= 1;
            below += u < part;
        }
        good = good && fabs(below / N - part) < limit;
    }
    return good;
}
static bool all_are(const agn_tensor *y, double v)
{
    bool good = y != NULL;
    for (int64_t i = 0; good && i < agn_numel(y); i++)
        good = v != v ? isnan(peek(y, i)) : peek(y, i) == v;
    return good;
}

static void test_uniform(void)
{
    agn_scope *s = agn_scope_open(NULL);
    static const double wide[][2] = {{-1e308, 1e308}, {-DBL_MAX, DBL_MAX}, {1e308, -1e308}};
    for (int k = 0; k < COUNT(wide); k++)
        ok(uniform_between(ag_random_uniform(s, K, ag_lit(s, wide[k][0]), ag_lit(s, wide[k][1]), 1,
                                             shape),
                           wide[k][0], wide[k][1]),
           "uniform from %g to %g, a distance above all numbers", wide[k][0], wide[k][1]);
    const agn_tensor *low = ag_full(s, AGN_F32, 0, NULL, -3e38);
    const agn_tensor *high = ag_full(s, AGN_F32, 0, NULL, 3e38);
    ok(uniform_between(ag_random_uniform(s, K, low, high, 1, shape), (double)-3e38f, (double)3e38f),
       "in f32 as well");
    ok(all_are(ag_random_uniform(s, K, ag_lit(s, 0), ag_lit(s, (double)INFINITY), 1, shape),
               (double)NAN),
       "an infinite interval has no uniform numbers");
    ok(all_are(ag_random_uniform(s, K, ag_lit(s, 5e-324), ag_lit(s, 1e-323), 1, shape), 5e-324),
       "the one number of an interval of subnormal ones");
    must(agn_scope_close(s));
}

static void test_truncated(void)
{
    agn_scope *s = agn_scope_open(NULL);
    static const double narrow[][2] = {{0, 1e-17},      {-1e-12, 3e-12}, {0.5, 0.5 + 0x1p-40},
                                       {-0x1p-30, 0},   {0, 1e-300},     {-0.75, -0.75 + 0x1p-35},
                                       {-1e-5, 1e-5},   {3, 3 + 0x1p-40}};
    for (int k = 0; k < COUNT(narrow); k++)
        ok(uniform_between(ag_random_truncated_normal(s, K, ag_lit(s, 0), ag_lit(s, 1),
                                                      ag_lit(s, narrow[k][0]),
                                                      ag_lit(s, narrow[k][1]), 1, shape),
                           narrow[k][0], narrow[k][1]),
           "truncated to %g + [0, %g]: almost uniform", narrow[k][0], narrow[k][1] - narrow[k][0]);
    ok(uniform_between(ag_random_truncated_normal(s, K, ag_lit(s, 0), ag_lit(s, 1e300),
                                                  ag_lit(s, 0), ag_lit(s, 1), 1, shape),
                       0, 1),
       "and where the deviation is 1e300");
    must(agn_scope_close(s));
}

/* how often each of two categories is drawn first, over N rows or N draws */
static void first_of(const agn_tensor *y, double *share)
{
    share[0] = share[1] = 0;
    int64_t each = agn_numel(y) / N;
    for (int64_t i = 0; i < N; i++)
        share[peek_int(y, i * each)] += 1.0 / N;
}
static void test_weights(void)
{
    static const double pairs[][2] = {{1e308, 1e308}, {DBL_MAX, DBL_MAX / 3}, {1e-320, 1e-320},
                                      {3e-310, 1e-310}};
    for (int k = 0; k < 2 * COUNT(pairs); k++) {
        const double *w = pairs[k / 2];
        bool again = k % 2;
        double want = w[0] / 2 / (w[0] / 2 + w[1] / 2), share[2];
        agn_scope *s = agn_scope_open(NULL);
        const agn_tensor *row = ag_from_host(s, AGN_F64, 1, (int64_t[]){2}, w);
        const agn_tensor *rows = ag_broadcast_to(s, row, 2, (int64_t[]){N, 2});
        const agn_tensor *y = ag_random_multinomial(s, K, again ? row : rows, again ? N : 2, again);
        bool good = y != NULL;
        if (good)
            first_of(y, share);
        ok(good && fabs(share[0] - want) < 6 * sqrt(want * (1 - want) / N),
           "categories of weights %g and %g, %s", w[0], w[1],
           again ? "with replacement" : "without");
        must(agn_scope_close(s));
    }
}

/* what is refused says what would be taken */
static void test_refusals(void)
{
    static tally t;
    agn_scope *s = agn_scope_open(NULL);
    agn_tensor *y = untouched;
    agn_status st = agn_uniform(&y, K, AGN_I64, 1, shape);
    check(&t, refused(st, AGN_EDTYPE, "uniform", "i64", "f16, bf16, f32 or f64", y), "uniform");
    st = agn_random_gamma(&y, K, ag_lit(s, 5e-324), 1, shape);
    check(&t, refused(st, AGN_EDOMAIN, "random_gamma", "4.94066e-324", "2^-1000", y), "gamma");
    must(agn_scope_close(s));
    tell(&t, "what is refused says what would be taken");
}

/* A count is that of its key, its place and its parameters: the same beside others of the same law, for
   which probabilities are kept, as beside others. */
static void test_neighbours(void)
{
    static const double law[][2] = {{100, 0.3}, {100, 0.7}, {5000, 0.4}, {40, 0.5}, {1e9, 0.2}};
    agn_scope *s = agn_scope_open(NULL);
    double many[N], p[N], rate[N];
    for (int k = 0; k < COUNT(law); k++) {
        for (int i = 0; i < N; i++) { /* two of the law, two others */
            bool own = i % 4 < 2;
            many[i] = own ? law[k][0] : 64;
            p[i] = own ? law[k][1] : 0.45;
            rate[i] = own ? law[k][0] * law[k][1] : 17;
        }
        const agn_tensor *n = ag_cast(s, ag_from_host(s, AGN_F64, 1, shape, many), AGN_I64),
                         *same_n = ag_cast(s, ag_lit(s, law[k][0]), AGN_I64),
                         *mixed = ag_random_binomial(s, K, n, ag_from_host(s, AGN_F64, 1, shape, p),
                                                     AGN_I64, 1, shape),
                         *alike = ag_random_binomial(s, K, same_n,
                                                     ag_lit(s, law[k][1]), AGN_I64, 1, shape),
                         *mixed_rate = ag_random_poisson(
                             s, K, ag_from_host(s, AGN_F64, 1, shape, rate), AGN_I64, 1, shape),
                         *alike_rate = ag_random_poisson(s, K, ag_lit(s, law[k][0] * law[k][1]),
                                                         AGN_I64, 1, shape);
        must(agn_scope_status(s));
        int bad = 0;
        for (int i = 0; i < N; i++)
            if (i % 4 < 2)
                bad += peek(mixed, i) != peek(alike, i) ||
                       peek(mixed_rate, i) != peek(alike_rate, i);
        ok(bad == 0, "counts of %g trials at %g beside others: %d differ", law[k][0], law[k][1],
           bad);
    }
    must(agn_scope_close(s));
}

int main(void)
{
    must(agn_from_host(&K, AGN_I64, 1, (int64_t[]){2}, (int64_t[]){2026, 11}));
    test_uniform();
    test_truncated();
    test_weights();
    test_refusals();
    test_neighbours();
    agn_release(K);
    return done();
}
