/* tests/t-one-hot.c - classes as vectors against the categorical law; correlation factors by
   vines against the moments of their law; what is refused. */
#include "tests/laws.h"

typedef const agn_tensor *T;
enum { K = 4, MANY = 20000, SIDE = 4 };
static const double logits[] = {0.4, -1.1, 2, 0.3}, others[] = {-0.2, 0.7, 1.1, 0.1};

static agn_tensor *vector(int64_t n, const double *v)
{
    return of_reals(AGN_F64, 1, &n, v);
}
static agn_tensor *key_of(int64_t n)
{
    return of_reals(AGN_I64, 1, (int64_t[]){2}, (double[]){(double)n, 31});
}
static double taken(agn_tensor *y)
{
    double v = peek(y, 0);
    agn_release(y);
    return v;
}

static void test_one_hot(void)
{
    agn_tensor *a = vector(K, logits), *b = vector(K, others), *y, *z;
    agn_distribution *d, *e, *c, *f;
    must(agn_distribution_one_hot_categorical(&d, a, NULL));
    must(agn_distribution_one_hot_categorical(&e, b, NULL));
    must(agn_distribution_categorical(&c, a, NULL));
    must(agn_distribution_categorical(&f, b, NULL));
    tally t = {0, 0};
    double p[K], sum = 0;
    for (int i = 0; i < K; i++)
        sum += p[i] = exp(logits[i]);
    for (int i = 0; i < K; i++) {
        double v[K] = {0};
        v[i] = 1;
        p[i] /= sum;
        agn_tensor *x = vector(K, v);
        must(agn_distribution_log_prob(&y, d, x));
        check(&t, fabs(taken(y) - log(p[i])) < 1e-14, "class %d", i);
        agn_release(x);
    }
    must(agn_distribution_mean(&y, d));
    must(agn_distribution_variance(&z, d));
    for (int i = 0; i < K; i++)
        check(&t, fabs(peek(y, i) - p[i]) < 1e-15 && fabs(peek(z, i) - p[i] * (1 - p[i])) < 1e-15,
              "moments");
    agn_release(y);
    agn_release(z);
    must(agn_distribution_mode(&y, d));
    check(&t, peek(y, 2) == 1 && peek(y, 0) + peek(y, 1) + peek(y, 3) == 0, "mode");
    agn_release(y);
    must(agn_distribution_entropy(&y, d));
    must(agn_distribution_entropy(&z, c));
    check(&t, fabs(peek(y, 0) - taken(z)) < 1e-15, "entropy");
    agn_release(y);
    must(agn_distribution_kl(&y, d, e));
    must(agn_distribution_kl(&z, c, f));
    check(&t, peek(y, 0) > 0 && fabs(peek(y, 0) - taken(z)) < 1e-15, "divergence");
    agn_release(y);
    static const double off[][K] = {{0, 0, 0, 0}, {1, 1, 0, 0}, {0.5, 0.5, 0, 0}, {2, 0, 0, -1}};
    for (int i = 0; i < COUNT(off); i++) {
        agn_tensor *x = vector(K, off[i]);
        must(agn_distribution_log_prob(&y, d, x));
        check(&t, taken(y) == -(double)INFINITY, "no class %d", i);
        agn_release(x);
    }
    agn_tensor *nan = vector(K, (double[]){0, 1, (double)NAN, 0});
    must(agn_distribution_log_prob(&y, d, nan));
    check(&t, isnan(taken(y)), "NaN");
    agn_tensor *key = key_of(1);
    must(agn_distribution_sample(&y, d, key, 1, (int64_t[]){MANY}));
    must(agn_distribution_log_prob(&z, d, y));
    for (int i = 0; i < K; i++) {
        double count = 0;
        for (int j = 0; j < MANY; j++)
            count += peek(y, j * K + i) / MANY;
        check(&t, fabs(count - p[i]) < 4.5 * sqrt(p[i] / MANY), "share of class %d: %g, not %g", i,
              count, p[i]);
    }
    for (int j = 0; j < MANY; j++)
        check(&t, isfinite(peek(z, j)), "draw %d is no class", j);
    tell(&t, "one-hot: as the categorical law");
    agn_release(y);
    agn_release(z);
    y = untouched;
    ok(refused(agn_distribution_rsample(&y, d, key, 0, NULL), AGN_EUNSUPPORTED,
               "distribution_rsample", "one_hot", NULL, y),
       "no path");
    agn_release(a);
    agn_release(b);
    agn_release(nan);
    agn_release(key);
    agn_distribution_release(d);
    agn_distribution_release(e);
    agn_distribution_release(c);
    agn_distribution_release(f);
}

/* entries of correlation matrices: 2 b - 1 of a beta law of twice eta + n / 2 - 1 */
static void test_vine(void)
{
    static const double at[] = {0.6, 1, 3.5};
    for (int k = 0; k < COUNT(at); k++) {
        agn_tensor *eta = scalar_of(AGN_F64, at[k]), *key = key_of(k), *l, *have, *want, *r;
        agn_distribution *d, *e;
        must(agn_distribution_lkj_cholesky_vine(&d, SIDE, eta, NULL));
        must(agn_distribution_lkj_cholesky(&e, SIDE, eta, NULL));
        must(agn_distribution_rsample(&l, d, key, 1, (int64_t[]){MANY}));
        must(agn_distribution_log_prob(&have, d, l));
        must(agn_distribution_log_prob(&want, e, l));
        must(agn_distribution_sample(&r, e, key, 1, (int64_t[]){MANY}));
        tally t = {0, 0};
        check(&t, same_values(have, want) && isfinite(peek(have, 0)),
              "the density is that of the onion's");
        double a = at[k] + SIDE / 2.0 - 1, variance = 1 / (2 * a + 1),
               fourth = 3 / ((2 * a + 1) * (2 * a + 3));
        double log_det[2] = {0, 0}, scatter = 0;
        for (int i = 0; i < SIDE; i++)
            for (int j = 0; j < i; j++) {
                double mean = 0, square = 0;
                for (int m = 0; m < MANY; m++) {
                    double c = 0;
                    for (int q = 0; q <= j; q++)
                        c += peek(l, m * SIDE * SIDE + i * SIDE + q) *
                             peek(l, m * SIDE * SIDE + j * SIDE + q);
                    mean += c / MANY;
                    square += c * c / MANY;
                }
                check(&t, fabs(mean) < 4.5 * sqrt(variance / MANY), "mean of %d, %d: %g", i, j,
                      mean);
                check(&t,
                      fabs(square - variance) < 4.5 * sqrt((fourth - variance * variance) / MANY),
                      "variance of %d, %d: %g, not %g", i, j, square, variance);
            }
        for (int m = 0; m < MANY; m++)
            for (int way = 0; way < 2; way++) {
                double sum = 0;
                for (int i = 0; i < SIDE; i++)
                    sum += 2 * log(peek(way ? r : l, m * SIDE * SIDE + i * (SIDE + 1)));
                log_det[way] += sum / MANY;
                scatter += sum * sum / MANY / 2;
            }
        scatter -= log_det[0] * log_det[1];
        check(&t, fabs(log_det[0] - log_det[1]) < 4.5 * sqrt(2 * scatter / MANY),
              "log determinants: %g, onion %g", log_det[0], log_det[1]);
        tell(&t, "vine, eta %g: correlations have their law", at[k]);
        agn_release(eta);
        agn_release(key);
        agn_release(l);
        agn_release(have);
        agn_release(want);
        agn_release(r);
        agn_distribution_release(d);
        agn_distribution_release(e);
    }
}

typedef struct probe {
    int kind;
} probe;
static agn_status body(void *user, agn_scope *s, T const *in, T *out)
{
    const probe *c = user;
    agn_distribution *made = NULL;
    agn_tensor *key = key_of(7);
    agn_status st = c->kind == 3 ? agn_distribution_lkj_cholesky_vine(&made, SIDE, in[0], NULL)
                                 : agn_distribution_one_hot_categorical(&made, in[0], NULL);
    const agn_distribution *d = agn_distribution_adopt(s, st, &made);
    T x = ag_from_host(s, AGN_F64, 1, (const int64_t[]){K}, (const double[]){0, 0, 1, 0});
    out[0] = c->kind == 0   ? ag_distribution_log_prob(s, d, x)
             : c->kind == 1 ? ag_distribution_entropy(s, d)
             : c->kind == 2 ? ag_distribution_mean(s, d)
                            : ag_distribution_rsample(s, d, key, 1, (const int64_t[]){2});
    agn_release(key);
    return agn_scope_status(s);
}
static void test_derivatives(void)
{
    for (int kind = 0; kind < 4; kind++) {
        probe c = {kind};
        agn_tensor *in = kind == 3 ? scalar_of(AGN_F64, 1.7) : vector(K, logits);
        agn_fn *f;
        must(agn_fn_new(&f, body, &c, NULL, 1, 1));
        agn_check_options o = {.size = sizeof o, .orders = 2, .tolerance = 2e-6, .step = 1e-3};
        if (kind ==
            3) /* the path keeps the quantile of a gamma number, the sampler for a key does not */
            o.modes = AGN_CHECK_TAYLOR | AGN_CHECK_PLAN;
        agn_status st = agn_check_grads(NULL, f, AGN_ARGS(in), &o);
        ok(!st, "derivatives of %d: %s", kind, st ? agn_error_message() : "");
        agn_fn_release(f);
        agn_release(in);
    }
}

static void test_refused(void)
{
    agn_distribution *const nothing = (agn_distribution *)(uintptr_t)0xd15, *d = nothing;
    agn_distribution_options odd = {.size = 3};
    agn_tensor *bad = vector(2, (double[]){0, (double)NAN}), *none = scalar_of(AGN_F64, -1),
               *one = scalar_of(AGN_F64, 1);
    agn_tensor *z = scalar_of(AGN_C128, 1), *y = untouched, *a = vector(K, logits);
    const char *hot = "distribution_one_hot_categorical", *vine = "distribution_lkj_cholesky_vine";
    tally t = {0, 0};
    check(&t,
          refused(agn_distribution_one_hot_categorical(NULL, a, NULL), AGN_ENULL, hot, "out", NULL,
                  y),
          "out");
    check(&t,
          refused(agn_distribution_one_hot_categorical(&d, NULL, NULL), AGN_ENULL, hot, "logits",
                  NULL, y),
          "logits");
    check(&t,
          refused(agn_distribution_one_hot_categorical(&d, bad, NULL), AGN_EDOMAIN, hot,
                  "logits[1]", NULL, y),
          "NaN");
    check(&t,
          refused(agn_distribution_one_hot_categorical(&d, one, NULL), AGN_ESHAPE, hot, "[]", NULL,
                  y),
          "no axis");
    check(&t,
          refused(agn_distribution_one_hot_categorical(&d, a, &odd), AGN_EARG, hot, "3 bytes", NULL,
                  y),
          "options");
    check(&t,
          refused(agn_distribution_lkj_cholesky_vine(NULL, 3, one, NULL), AGN_ENULL, vine, "out",
                  NULL, y),
          "out");
    check(&t,
          refused(agn_distribution_lkj_cholesky_vine(&d, 3, NULL, NULL), AGN_ENULL, vine,
                  "concentration", NULL, y),
          "eta");
    check(&t,
          refused(agn_distribution_lkj_cholesky_vine(&d, 0, one, NULL), AGN_EARG, vine, "n is 0",
                  NULL, y),
          "n");
    check(&t,
          refused(agn_distribution_lkj_cholesky_vine(&d, 3, none, NULL), AGN_EDOMAIN, vine, "-1",
                  NULL, y),
          "sign");
    check(&t,
          refused(agn_distribution_lkj_cholesky_vine(&d, 3, z, NULL), AGN_EDTYPE, vine, "c128",
                  NULL, y),
          "complex");
    check(&t, d == nothing, "nothing is written");
    tell(&t, "what is refused");
    agn_tensor *key = key_of(1);
    for (int way = 0; way < 2; way++) {
        int64_t before, after;
        tally m = {0, 0};
        agn_memory_live(NULL, &before, NULL);
        for (int n = 0;; n++) {
            agn_distribution *e = NULL;
            agn_tensor *x = NULL;
            agn_memory_fail_after(n);
            agn_status st = way ? agn_distribution_lkj_cholesky_vine(&e, 3, one, NULL)
                                : agn_distribution_one_hot_categorical(&e, a, NULL);
            st = st ? st : agn_distribution_sample(&x, e, key, 0, NULL);
            agn_memory_fail_after(-1);
            check(&m, !st || st == AGN_ENOMEM, "allocation %d: %s", n, agn_error_message());
            agn_distribution_release(e);
            agn_release(x);
            if (!st)
                break;
        }
        agn_memory_live(NULL, &after, NULL);
        check(&m, before == after, "%d lost", (int)(after - before));
        tell(&m, "%s: allocations failed in turn", way ? vine : hot);
    }
    agn_release(bad);
    agn_release(none);
    agn_release(one);
    agn_release(z);
    agn_release(a);
    agn_release(key);
}

int main(void)
{
    test_one_hot();
    test_vine();
    test_derivatives();
    test_refused();
    return done();
}
