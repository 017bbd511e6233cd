/* Score-function estimators: the value is the mean, derivatives are those of expectations in closed form within five of
   their errors, a baseline makes them less noisy, what is refused. */
#include "tests/laws.h"

typedef const agn_tensor *T;
enum { NUMBERS = 64, ROWS = 4096 };

/* the mean of x^2 of Poisson numbers of mean rate, [ROWS] of them: sum over rows */
typedef struct problem {
    T key, baseline;
} problem;
static agn_status mean_body(void *user, agn_scope *s, T const *in, T *out)
{
    const problem *q = user;
    const agn_distribution *d = ag_distribution_poisson(s, in[0], NULL);
    const agn_tensor *x = ag_distribution_sample(s, d, q->key, 1, (const int64_t[]){NUMBERS});
    T y = ag_distribution_score_mean(s, d, x, ag_mul(s, x, ag_mul(s, x, in[1])), q->baseline);
    out[0] = ag_sum(s, y, NULL, 0, false);
    return agn_scope_status(s);
}
static agn_status slope_body(void *user, agn_scope *s, T const *in, T *out)
{
    T y = NULL;
    (void)agn_fn_apply(s, &y, 1, user, in, 2);
    out[0] = ag_sum(s, y, NULL, 0, false);
    return agn_scope_status(s);
}
/* mean and deviation of ROWS estimates */
static void measure(T y, double *mean, double *spread)
{
    double sum = 0, square = 0;
    for (int i = 0; i < ROWS; i++)
        sum += peek(y, i) / ROWS;
    for (int i = 0; i < ROWS; i++)
        square += pow(peek(y, i) - sum, 2) / ROWS;
    *mean = sum;
    *spread = sqrt(square);
}

static void test_estimates(void)
{
    const double rate = 3.9, error = 5 / sqrt(ROWS);
    agn_tensor *key, *in[2], *zero = scalar_of(AGN_F64, 0), *y = NULL;
    must(agn_from_host(&key, AGN_I64, 1, (int64_t[]){2}, (int64_t[]){7, 11}));
    must(agn_full(&in[0], AGN_F64, 1, (int64_t[]){ROWS}, rate));
    in[1] = scalar_of(AGN_F64, 1);
    double mean, plain, less;
    for (int k = 0; k < 2; k++) {
        problem q = {key, k ? NULL : zero};
        agn_fn *f, *df, *sum, *ddf;
        must(agn_fn_new(&f, mean_body, &q, NULL, 2, 1));
        must(agn_fn_call(&y, 1, f, (T const *)in, 2));
        double value = peek(y, 0) / ROWS, spread;
        agn_release(y);
        ok(fabs(value - (rate + rate * rate)) < 0.1, "the value is the mean: %g", value);
        must(agn_fn_grad(&df, f, (const int32_t[]){0}, 1));
        must(agn_fn_call(&y, 1, df, (T const *)in, 2));
        measure(y, &mean, &spread);
        agn_release(y);
        *(k ? &less : &plain) = spread;
        ok(fabs(mean - (1 + 2 * rate)) < error * spread, "d/d rate E x^2: %g of %g, each to %g", mean, 1 + 2 * rate,
           spread);
        must(agn_fn_new(&sum, slope_body, df, NULL, 2, 1));
        must(agn_fn_grad(&ddf, sum, (const int32_t[]){0}, 1));
        must(agn_fn_call(&y, 1, ddf, (T const *)in, 2));
        measure(y, &mean, &spread);
        agn_release(y);
        ok(fabs(mean - 2) < error * spread, "its second derivative: %g of 2, each to %g", mean, spread);
        agn_fn_release(f), agn_fn_release(df), agn_fn_release(sum), agn_fn_release(ddf);
        /* by f itself, not by the density: the mean is linear in in[1] */
        must(agn_fn_new(&f, mean_body, &q, NULL, 2, 1));
        must(agn_fn_grad(&df, f, (const int32_t[]){1}, 1));
        must(agn_fn_call(&y, 1, df, (T const *)in, 2));
        ok(fabs(peek(y, 0) / ROWS - value) < 1e-12 * value, "the derivative that f has");
        agn_release(y);
        agn_fn_release(f), agn_fn_release(df);
    }
    ok(less < 0.8 * plain, "a baseline makes it less noisy: %g, not %g", less, plain);
    agn_release(key), agn_release(in[0]), agn_release(in[1]), agn_release(zero);
}

static void test_refused(void)
{
    agn_tensor *p = scalar_of(AGN_F64, 0.3), *x, *one, *c, *y = untouched;
    must(agn_full(&x, AGN_F64, 1, (int64_t[]){3}, 1));
    must(agn_full(&one, AGN_F64, 1, (int64_t[]){1}, 1));
    must(agn_full(&c, AGN_C128, 1, (int64_t[]){3}, 1));
    agn_distribution *d;
    must(agn_distribution_bernoulli(&d, p, NULL));
#define SAYS(st, code, ...) ok(refused(st, code, "distribution_score_mean", __VA_ARGS__, y), "refused: %s", #code)
    SAYS(agn_distribution_score_mean(NULL, d, x, x, p), AGN_ENULL, "out is", NULL);
    SAYS(agn_distribution_score_mean(&y, NULL, x, x, p), AGN_ENULL, "d is", NULL);
    SAYS(agn_distribution_score_mean(&y, d, NULL, x, p), AGN_ENULL, "x is", NULL);
    SAYS(agn_distribution_score_mean(&y, d, x, NULL, p), AGN_ENULL, "f is", NULL);
    SAYS(agn_distribution_score_mean(&y, d, x, c, p), AGN_EDTYPE, "c128", NULL);
    SAYS(agn_distribution_score_mean(&y, d, x, one, p), AGN_ESHAPE, "[1]", "[3]");
    SAYS(agn_distribution_score_mean(&y, d, p, p, p), AGN_ESHAPE, "[]", NULL);
    SAYS(agn_distribution_score_mean(&y, d, one, one, NULL), AGN_EARG, "1 number", NULL);
    ok(agn_distribution_score_mean(&y, d, one, one, x) == AGN_ESHAPE, "a baseline that does not broadcast");
    agn_distribution_release(d);
    agn_release(p), agn_release(x), agn_release(one), agn_release(c);
}

int main(void)
{
    test_estimates();
    test_refused();
    return done();
}
