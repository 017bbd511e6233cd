/* tests/t-hidden-states.c - states of hidden Markov and linear Gaussian models: filters,
   smoothers, Viterbi's path and draws against sums over all paths and joint normal laws
   (tests/data/make-hidden-states.py). */
#include "tests/laws.h"

#include "tests/data/hidden-states.inc"

typedef const agn_tensor *T;
enum { STEPS = 5, K = 3, N = 4, ANSWERS = 7 };

static const double first[] = {0.2, -0.4, 0.9}, next[] = {1, 0.1, -0.5, 0.3, 0.8, 0, -1, 0.4, 0.6};
static const double loc[] = {-1, 0.5, 2}, scale[] = {0.6, 1.1, 0.9},
                    x[] = {0.7, -0.2, 1.1, 2.4, 1.9};
static const double m[] = {0.4, -0.3}, p[] = {1.1, 7, 0.2, 0.8}, f[] = {0.9, 0.3, -0.2, 0.7};
static const double q[] = {0.5, 7, 0.1, 0.4}, h[] = {1, 0.5, 0, 1, 0.3, -0.4};
static const double r[] = {0.6, 7, 7, 0.1, 0.7, 7, -0.2, 0.3, 0.5};
static const double seen[] = {0.3, -0.1, 0.8, 1.2, 0.4, -0.6, -0.5, 0.9, 0.2, 0.7, -1.1, 0.1};

static agn_tensor *vector(int64_t n, const double *v)
{
    return of_reals(AGN_F64, 1, &n, v);
}
static agn_tensor *matrix(int64_t rows, int64_t cols, const double *v)
{
    return of_reals(AGN_F64, 2, (int64_t[]){rows, cols}, v);
}
static agn_tensor *key_of(int64_t n)
{
    return of_reals(AGN_I64, 1, (int64_t[]){2}, (double[]){(double)n, 29});
}
static void drop(agn_tensor *const *t, int n)
{
    for (int i = 0; i < n; i++)
        agn_release(t[i]);
}
static agn_status make_chain(agn_distribution **out, T const *in)
{
    agn_distribution *e = NULL;
    agn_status st = agn_distribution_normal(&e, in[2], in[3], NULL);
    st = st ? st : agn_distribution_hidden_markov(out, STEPS, in[0], in[1], e, NULL);
    agn_distribution_release(e);
    return st;
}
static void chain_arguments(agn_tensor **in)
{
    in[0] = vector(K, first);
    in[1] = matrix(K, K, next);
    in[2] = vector(K, loc);
    in[3] = vector(K, scale);
    in[4] = vector(STEPS, x);
}
static agn_distribution *chain(void)
{
    agn_tensor *in[5];
    agn_distribution *d = NULL;
    chain_arguments(in);
    must(make_chain(&d, (T const *)in));
    drop(in, 5);
    return d;
}
static agn_status make_space(agn_distribution **out, T const *in)
{
    return agn_distribution_gaussian_state_space(out, N, in[0], in[1], in[2], in[3], in[4], in[5],
                                                 NULL);
}
static void space_arguments(agn_tensor **in)
{
    in[0] = vector(2, m);
    in[1] = matrix(2, 2, p);
    in[2] = matrix(2, 2, f);
    in[3] = matrix(2, 2, q);
    in[4] = matrix(3, 2, h);
    in[5] = matrix(3, 3, r);
    in[6] = matrix(N, 3, seen);
}
static agn_distribution *space(bool still)
{
    agn_tensor *in[7];
    agn_distribution *d = NULL;
    space_arguments(in);
    if (still) {
        agn_release(in[3]);
        in[3] = matrix(2, 2, (double[]){0, 0, 0, 0});
    }
    must(make_space(&d, (T const *)in));
    drop(in, 7);
    return d;
}
static double farthest(T y, const double *want)
{
    double gap = 0;
    for (int64_t i = 0; i < agn_numel(y); i++) {
        double apart = fabs(peek(y, i) - want[i]);
        gap = isnan(apart) ? apart : fmax(gap, apart);
    }
    return gap;
}

/* ---- hidden Markov -------------------------------------------------------------------- */

static void test_chain(void)
{
    agn_distribution *d = chain();
    agn_tensor *s = vector(STEPS, x), *y = NULL;
    must(agn_hidden_markov_filter(&y, d, s));
    ok(has_shape(y, 2, (int64_t[]){STEPS, K}) && farthest(y, filtered) < 1e-13, "filter: %g",
       farthest(y, filtered));
    agn_release(y);
    must(agn_hidden_markov_smooth(&y, d, s));
    ok(has_shape(y, 2, (int64_t[]){STEPS, K}) && farthest(y, smoothed) < 1e-13, "smoother: %g",
       farthest(y, smoothed));
    agn_release(y);
    must(agn_hidden_markov_viterbi(&y, d, s));
    ok(has_shape(y, 1, (int64_t[]){STEPS}) && farthest(y, best_path) == 0,
       "the most probable path");
    agn_release(y);
    /* two series at once; the second turned */
    double two[2 * STEPS];
    for (int i = 0; i < STEPS; i++)
        two[i] = x[i], two[STEPS + i] = x[STEPS - 1 - i];
    agn_tensor *both = matrix(2, STEPS, two), *other = vector(STEPS, two + STEPS), *one = NULL;
    typedef agn_status of_series(agn_tensor **, const agn_distribution *, const agn_tensor *);
    static of_series *const fs[] = {agn_hidden_markov_filter, agn_hidden_markov_smooth,
                                    agn_hidden_markov_viterbi};
    tally t = {0, 0};
    for (int k = 0; k < 3; k++) {
        must(fs[k](&y, d, both));
        must(fs[k](&one, d, other));
        for (int64_t i = 0; i < agn_numel(one); i++)
            check(&t, fabs(peek(y, agn_numel(one) + i) - peek(one, i)) < 1e-14, "function %d, %d",
                  k, (int)i);
        agn_release(y);
        agn_release(one);
    }
    tell(&t, "a batch of series");
    agn_release(both);
    agn_release(other);
    agn_release(s);
    agn_distribution_release(d);
}

static void test_impossible(void)
{
    /* uniform emissions: no state shows 5 */
    agn_tensor *in[5], *low = vector(K, (double[]){0, 1, 2}),
                       *high = vector(K, (double[]){1.5, 2.5, 3.5});
    agn_distribution *e = NULL, *d = NULL;
    chain_arguments(in);
    must(agn_distribution_uniform(&e, low, high, NULL));
    must(agn_distribution_hidden_markov(&d, STEPS, in[0], in[1], e, NULL));
    agn_tensor *seen_by_one = vector(STEPS, (double[]){0.5, 2, 3, 1.2, 0.1}), *y = NULL,
               *key = key_of(3);
    agn_tensor *none = vector(STEPS, (double[]){0.5, 2, 5, 1.2, 0.1});
    must(agn_hidden_markov_viterbi(&y, d, seen_by_one));
    ok(peek(y, 0) == 0 && peek(y, 2) == 2 && peek(y, 4) == 0, "states that alone are possible");
    agn_release(y);
    must(agn_hidden_markov_sample_states(&y, d, seen_by_one, key, 0, NULL));
    ok(peek(y, 0) == 0 && peek(y, 2) == 2 && peek(y, 4) == 0, "drawn ones");
    agn_release(y);
    must(agn_hidden_markov_smooth(&y, d, seen_by_one));
    ok(peek(y, 0) == 0 && peek(y, 1) == -(double)INFINITY && !isnan(peek(y, 4)),
       "their probabilities");
    agn_release(y);
    must(agn_hidden_markov_viterbi(&y, d, none));
    ok(isnan(peek(y, 0)) && isnan(peek(y, 4)), "no path for what is impossible");
    agn_release(y);
    must(agn_hidden_markov_sample_states(&y, d, none, key, 0, NULL));
    ok(isnan(peek(y, 0)) && isnan(peek(y, 4)), "nor a draw");
    agn_release(y);
    must(agn_hidden_markov_smooth(&y, d, none));
    ok(isnan(peek(y, 0)) && isnan(peek(y, 14)), "nor probabilities");
    agn_release(y);
    must(agn_hidden_markov_filter(&y, d, none));
    ok(peek(y, 0) == 0 && isnan(peek(y, 6)) && isnan(peek(y, 14)), "from that step on");
    agn_release(y);
    drop((agn_tensor *[]){low, high, seen_by_one, none, key}, 5);
    drop(in, 5);
    agn_distribution_release(e);
    agn_distribution_release(d);
}

static void test_paths(void)
{
    enum { MANY = 20000 };
    agn_distribution *d = chain();
    agn_tensor *s = vector(STEPS, x), *key = key_of(8), *y = NULL;
    must(agn_hidden_markov_sample_states(&y, d, s, key, 1, (int64_t[]){MANY}));
    tally t = {0, 0};
    check(&t, has_shape(y, 2, (int64_t[]){MANY, STEPS}), "shape");
    for (int i = 0; i < STEPS; i++)
        for (int k = 0; k < K; k++) {
            double count = 0, want = exp(smoothed[i * K + k]);
            for (int j = 0; j < MANY; j++)
                count += peek(y, j * STEPS + i) == k;
            check(&t, fabs(count / MANY - want) < 4.5 * sqrt(want / MANY),
                  "state %d at %d: %g, not %g", k, i, count / MANY, want);
        }
    /* pairs: the best path as often as its probability says */
    double count = 0;
    for (int j = 0; j < MANY; j++) {
        bool same = true;
        for (int i = 0; i < STEPS; i++)
            same = same && peek(y, j * STEPS + i) == best_path[i];
        count += same;
    }
    check(&t, fabs(count / MANY - best_share) < 4.5 * sqrt(best_share / MANY),
          "the best path: %g, not %g", count / MANY, best_share);
    tell(&t, "draws have the posterior probabilities");
    drop((agn_tensor *[]){s, key, y}, 3);
    agn_distribution_release(d);
}

/* ---- linear Gaussian ------------------------------------------------------------------- */

static void test_space(void)
{
    agn_tensor *s = matrix(N, 3, seen), *mean = NULL, *cov = NULL;
    agn_distribution *d = space(false);
    must(agn_gaussian_state_space_filter(&mean, &cov, d, s));
    ok(has_shape(mean, 2, (int64_t[]){N, 2}) && has_shape(cov, 3, (int64_t[]){N, 2, 2}) &&
           farthest(mean, filtered_mean) < 1e-13 && farthest(cov, filtered_covariance) < 1e-13,
       "Kalman's filter: %g, %g", farthest(mean, filtered_mean),
       farthest(cov, filtered_covariance));
    drop((agn_tensor *[]){mean, cov}, 2);
    must(agn_gaussian_state_space_smooth(&mean, &cov, d, s));
    ok(has_shape(mean, 2, (int64_t[]){N, 2}) && has_shape(cov, 3, (int64_t[]){N, 2, 2}) &&
           farthest(mean, smoothed_mean) < 1e-13 && farthest(cov, smoothed_covariance) < 1e-13,
       "smoother: %g, %g", farthest(mean, smoothed_mean), farthest(cov, smoothed_covariance));
    drop((agn_tensor *[]){mean, cov}, 2);
    agn_distribution_release(d);
    d = space(true);
    must(agn_gaussian_state_space_smooth(&mean, &cov, d, s));
    ok(farthest(mean, smoothed_mean_still) < 1e-13 &&
           farthest(cov, smoothed_covariance_still) < 1e-13,
       "states that no noise moves: %g, %g", farthest(mean, smoothed_mean_still),
       farthest(cov, smoothed_covariance_still));
    drop((agn_tensor *[]){mean, cov}, 2);
    agn_distribution_release(d);
    agn_release(s);
}
static void test_draws(void)
{
    enum { MANY = 20000 };
    agn_distribution *d = space(false);
    agn_tensor *s = matrix(N, 3, seen), *key = key_of(5), *y = NULL;
    must(agn_gaussian_state_space_sample_states(&y, d, s, key, 1, (int64_t[]){MANY}));
    tally t = {0, 0};
    check(&t, has_shape(y, 3, (int64_t[]){MANY, N, 2}), "shape");
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 4; b++) {
            double ma = 0, mb = 0, ab = 0;
            for (int j = 0; j < MANY; j++) {
                double u = peek(y, j * 2 * N + a), v = peek(y, j * 2 * N + b);
                ma += u / MANY, mb += v / MANY, ab += u * v / MANY;
            }
            /* of two states one after the other */
            double want = a / 2 == b / 2 ? smoothed_covariance[4 * (a / 2) + 2 * (a % 2) + b % 2]
                          : a < b        ? smoothed_lag[2 * a + b % 2]
                                         : smoothed_lag[2 * b + a % 2];
            double va = smoothed_covariance[4 * (a / 2) + 3 * (a % 2)];
            double vb = smoothed_covariance[4 * (b / 2) + 3 * (b % 2)];
            check(&t, fabs(ma - smoothed_mean[a]) < 4.5 * sqrt(va / MANY), "mean %d: %g", a, ma);
            check(&t, fabs(ab - ma * mb - want) < 4.5 * sqrt((va * vb + want * want) / MANY),
                  "covariance %d, %d: %g, not %g", a, b, ab - ma * mb, want);
        }
    tell(&t, "draws have the posterior means and covariances");
    drop((agn_tensor *[]){s, key, y}, 3);
    agn_distribution_release(d);
}

/* ---- derivatives, refusals, memory -------------------------------------------------------- */

typedef struct probe {
    int kind;
} probe;
static agn_status body(void *user, agn_scope *s, T const *in, T *out)
{
    const probe *c = user;
    bool markov = c->kind < 2;
    agn_distribution *made = NULL;
    agn_status st = markov ? make_chain(&made, in) : make_space(&made, in);
    const agn_distribution *d = agn_distribution_adopt(s, st, &made);
    agn_tensor *key = key_of(4), *y = NULL, *z = NULL;
    st = agn_scope_status(s);
    switch (c->kind) {
    case 0:
        out[0] = ag_hidden_markov_filter(s, d, in[4]);
        break;
    case 1:
        out[0] = ag_hidden_markov_smooth(s, d, in[4]);
        break;
    case 4:
        out[0] = ag_gaussian_state_space_sample_states(s, d, in[6], key, 0, NULL);
        break;
    default:
        st = st             ? st
             : c->kind == 2 ? agn_gaussian_state_space_filter(&y, &z, d, in[6])
                            : agn_gaussian_state_space_smooth(&y, &z, d, in[6]);
        if (!st) {
            T a = agn_scope_adopt(s, AGN_OK, &y), b = agn_scope_adopt(s, AGN_OK, &z);
            out[0] = ag_add(s, ag_sum(s, a, (const int32_t[]){-1}, 1, false),
                            ag_sum(s, b, (const int32_t[]){-1, -2}, 2, false));
        }
    }
    agn_release(key);
    return st ? st : agn_scope_status(s);
}
static void test_derivatives(void)
{
    static const char *const names[] = {"filter", "smoother", "Kalman's filter", "Kalman smoother",
                                        "draws"};
    for (int kind = 0; kind < 5; kind++) {
        probe c = {kind};
        agn_tensor *in[7] = {NULL};
        int n = kind < 2 ? 5 : 7;
        (kind < 2 ? chain_arguments : space_arguments)(in);
        agn_fn *g;
        must(agn_fn_new(&g, body, &c, NULL, n, 1));
        agn_check_options o = {.size = sizeof o, .orders = 2, .tolerance = 2e-6, .step = 1e-3};
        if (kind == 4)
            o.modes = AGN_CHECK_FORWARD | AGN_CHECK_REVERSE | AGN_CHECK_TAYLOR | AGN_CHECK_PLAN;
        agn_status st = agn_check_grads(NULL, g, (T const *)in, n, &o);
        ok(!st, "%s: two derivatives: %s", names[kind], st ? agn_error_message() : "");
        agn_fn_release(g);
        drop(in, n);
    }
}

/* the seven functions, by number */
static agn_status call(int k, agn_tensor **y, agn_tensor **z, const agn_distribution *d, T s, T key,
                       int ndim, const int64_t *shape)
{
    switch (k) {
    case 0:
        return agn_hidden_markov_filter(y, d, s);
    case 1:
        return agn_hidden_markov_smooth(y, d, s);
    case 2:
        return agn_hidden_markov_viterbi(y, d, s);
    case 3:
        return agn_hidden_markov_sample_states(y, d, s, key, ndim, shape);
    case 4:
        return agn_gaussian_state_space_filter(y, z, d, s);
    case 5:
        return agn_gaussian_state_space_smooth(y, z, d, s);
    default:
        return agn_gaussian_state_space_sample_states(y, d, s, key, ndim, shape);
    }
}
static const char *const ops[] = {"hidden_markov_filter",
                                  "hidden_markov_smooth",
                                  "hidden_markov_viterbi",
                                  "hidden_markov_sample_states",
                                  "gaussian_state_space_filter",
                                  "gaussian_state_space_smooth",
                                  "gaussian_state_space_sample_states"};

static void test_refused(void)
{
    agn_distribution *models[] = {chain(), space(false)};
    agn_tensor *series[] = {vector(STEPS, x), matrix(N, 3, seen)}, *key = key_of(1);
    agn_tensor *wrong = vector(4, x), *z = scalar_of(AGN_C128, 1);
    agn_tensor *complex_ones[] = {NULL, NULL};
    must(agn_cast(&complex_ones[0], series[0], AGN_C128));
    must(agn_cast(&complex_ones[1], series[1], AGN_C128));
    for (int k = 0; k < ANSWERS; k++) {
        agn_distribution *d = models[k > 3], *other = models[k <= 3];
        agn_tensor *s = series[k > 3], *y = untouched, *w = untouched;
        const char *op = ops[k];
        tally t = {0, 0};
        check(&t, refused(call(k, NULL, &w, d, s, key, 0, NULL), AGN_ENULL, op, "NULL", NULL, y),
              "out");
        check(&t,
              refused(call(k, &y, &w, NULL, s, key, 0, NULL), AGN_ENULL, op, "d is NULL", NULL, y),
              "d");
        check(&t,
              refused(call(k, &y, &w, d, NULL, key, 0, NULL), AGN_ENULL, op, "x is NULL", NULL, y),
              "x");
        check(&t, refused(call(k, &y, &w, other, s, key, 0, NULL), AGN_EARG, op, "law", NULL, y),
              "law");
        check(&t, refused(call(k, &y, &w, d, wrong, key, 0, NULL), AGN_ESHAPE, op, "[4]", NULL, y),
              "shape");
        check(&t,
              refused(call(k, &y, &w, d, complex_ones[k > 3], key, 0, NULL), AGN_EDTYPE, op, "c128",
                      NULL, y),
              "complex");
        if (k == 3 || k == 6) {
            check(&t, refused(call(k, &y, &w, d, s, NULL, 0, NULL), AGN_ENULL, op, "key", NULL, y),
                  "key");
            check(&t, refused(call(k, &y, &w, d, s, key, 1, NULL), AGN_ENULL, op, "shape", NULL, y),
                  "no shape");
            check(&t,
                  refused(call(k, &y, &w, d, s, key, 99, agn_shape(s)), AGN_ESHAPE, op, "99", NULL,
                          y),
                  "axes");
        }
        if (k == 4 || k == 5)
            check(&t,
                  refused(call(k, &y, NULL, d, s, key, 0, NULL), AGN_ENULL, op, "covariance", NULL,
                          y),
                  "covariance");
        check(&t, w == untouched, "nothing is written");
        tell(&t, "%s: what is refused", op);
    }
    drop((agn_tensor *[]){series[0], series[1], key, wrong, z, complex_ones[0], complex_ones[1]},
         7);
    agn_distribution_release(models[0]);
    agn_distribution_release(models[1]);
}

static void test_memory(void)
{
    agn_distribution *models[] = {chain(), space(false)};
    agn_tensor *series[] = {vector(STEPS, x), matrix(N, 3, seen)}, *key = key_of(1);
    for (int k = 0; k < ANSWERS; k++) {
        int64_t before, after;
        tally t = {0, 0};
        agn_memory_live(NULL, &before, NULL);
        agn_tensor *y = untouched, *z = untouched;
        for (int n = 0;; n += n < 60 ? 1 : 41) {
            agn_memory_fail_after(n);
            agn_status st = call(k, &y, &z, models[k > 3], series[k > 3], key, 1, (int64_t[]){2});
            agn_memory_fail_after(-1);
            if (!st)
                break;
            check(&t, st == AGN_ENOMEM && y == untouched && z == untouched, "allocation %d: %s", n,
                  agn_error_message());
        }
        agn_release(y);
        if (z != untouched)
            agn_release(z);
        agn_memory_live(NULL, &after, NULL);
        check(&t, before == after, "%d lost", (int)(after - before));
        tell(&t, "%s: allocations failed in turn", ops[k]);
    }
    drop((agn_tensor *[]){series[0], series[1], key}, 3);
    agn_distribution_release(models[0]);
    agn_distribution_release(models[1]);
}

int main(void)
{
    test_chain();
    test_impossible();
    test_paths();
    test_space();
    test_draws();
    test_derivatives();
    test_refused();
    test_memory();
    return done();
}
