/* What draws and models are worth: smoothed weights and leave-one-out against ArviZ, predicted data, calibration. */
#include "tests/infer.h"
#include "tests/data/infer.inc"

static double uniform(int64_t i, int64_t n, int64_t by)
{
    return ((double)(i * by % n) + 0.5) / (double)n;
}
static void test_weights(void)
{
    enum { N = 1000 };
    static const int64_t at[] = {0, 1, 13, 137, 500, 999};
    double *v = room_for(3 * N * sizeof *v), big = 0;
    int64_t top = 0;
    for (int r = 0; r < 3; r++)
        for (int64_t i = 0; i < N; i++)
            v[r * N + i] = -(r == 0 ? 0.2 : r == 1 ? 0.6 : 1.1) * log(uniform(i, N, 7919));
    for (int64_t i = 0; i < N; i++)
        if (v[i] > big) {
            big = v[i];
            top = i;
        }
    agn_tensor *x = of_reals(AGN_F64, 2, (int64_t[]){3, N}, v), *w = NULL, *k = NULL;
    must(agn_infer_psis(&w, &k, x, 0.7));
    tally t = {0, 0};
    for (int r = 0; r < 3; r++) {
        double sum = 0;
        check(&t, fabs(peek(k, r) - psis_k[r]) < 1e-10, "k %.15g, %.15g", peek(k, r), psis_k[r]);
        check(&t, fabs(peek(w, r * N + top) - psis_top[r]) < 1e-10, "largest %.15g, %.15g", peek(w, r * N + top),
              psis_top[r]);
        for (int i = 0; i < COUNT(at); i++)
            check(&t, fabs(peek(w, r * N + at[i]) - psis_weights[r * COUNT(at) + i]) < 1e-10, "weight %d of row %d",
                  i, r);
        for (int64_t i = 0; i < N; i++)
            sum += exp(peek(w, r * N + i));
        check(&t, fabs(sum - 1) < 1e-13, "sum %g", sum);
    }
    tell(&t, "smoothed weights are those of ArviZ");
    agn_release(w);
    agn_release(k);
    agn_release(x);
    for (int64_t i = 0; i < N; i++) {
        v[i] = i == 5 ? (double)NAN : v[i];
        v[N + i] = -(double)INFINITY;
        v[2 * N + i] = i == 3 ? 0 : i % 2 ? -1 : -(double)INFINITY;
    }
    x = of_reals(AGN_F64, 2, (int64_t[]){3, N}, v);
    must(agn_infer_psis(&w, &k, x, 1));
    ok(isnan(peek(w, 0)) && isnan(peek(k, 0)) && isnan(peek(w, N + 9)) && isnan(peek(k, 1)) &&
           exp(peek(w, 2 * N)) == 0 && peek(w, 2 * N + 3) > peek(w, 2 * N + 5),
       "ratios that are no numbers, or all 0, or some 0");
    agn_release(x);
    agn_release(w);
    agn_release(k);
    free(v);
}
static void test_leave_one_out(void)
{
    enum { N = 1000, EACH = 4 };
    double *v = room_for(N * EACH * sizeof *v);
    for (int j = 0; j < EACH; j++)
        for (int64_t i = 0; i < N; i++)
            v[i * EACH + j] = -0.5 * log(uniform(i, N, 7919 + 2 * j)) * (0.3 + 0.5 * j) * sin((double)(i + j)) - 1;
    agn_tensor *x = of_reals(AGN_F64, 3, (int64_t[]){2, 500, EACH}, v), *e = NULL, *p = NULL, *k = NULL, *y = untouched;
    must(agn_infer_loo(&e, &p, &k, x, 0.9));
    tally t = {0, 0};
    double sum = 0;
    for (int j = 0; j < EACH; j++) {
        check(&t, fabs(peek(e, j) - loo_elpd[j]) < 1e-10, "elpd %.15g, %.15g", peek(e, j), loo_elpd[j]);
        check(&t, fabs(peek(k, j) - loo_k[j]) < 1e-10, "k %.15g, %.15g", peek(k, j), loo_k[j]);
        sum += peek(p, j);
    }
    check(&t, fabs(sum - loo_p[0]) < 1e-9, "p %.15g, %.15g", sum, loo_p[0]);
    tell(&t, "leave-one-out is ArviZ's");
    agn_release(e);
    agn_release(p);
    agn_release(k);
    must(agn_infer_waic(&e, &p, x));
    t = (tally){0, 0};
    sum = 0;
    for (int j = 0; j < EACH; j++) {
        check(&t, fabs(peek(e, j) - waic_elpd[j]) < 1e-10, "elpd %.15g, %.15g", peek(e, j), waic_elpd[j]);
        sum += peek(p, j);
    }
    check(&t, fabs(sum - waic_p[0]) < 1e-10, "p %.15g, %.15g", sum, waic_p[0]);
    tell(&t, "the widely applicable criterion is ArviZ's");
    agn_release(e);
    agn_release(p);
    v[5] = (double)NAN;
    agn_tensor *bad = of_reals(AGN_F64, 3, (int64_t[]){2, 500, EACH}, v), *flat = scalar_of(AGN_F64, 1), *few;
    few = of_reals(AGN_F64, 3, (int64_t[]){2, 2, 1}, v);
    must(agn_infer_loo(&e, &p, &k, bad, 0));
    ok(isnan(peek(e, 1)) && isnan(peek(k, 1)) && isfinite(peek(e, 0)) && isfinite(peek(k, 2)),
       "NaN stays with its number");
    agn_release(e);
    agn_release(p);
    agn_release(k);
    e = p = k = untouched;
    agn_tensor *whole = scalar_of(AGN_I64, 1);
    ok(refused(agn_infer_loo(NULL, &p, &k, x, 0), AGN_ENULL, "infer_loo", "elpd", "NULL", y) &&
           refused(agn_infer_loo(&e, &p, &k, NULL, 0), AGN_ENULL, "infer_loo", "log_lik", "NULL", e) &&
           refused(agn_infer_loo(&e, &p, &k, x, -1), AGN_EARG, "infer_loo", "-1", NULL, e) &&
           refused(agn_infer_loo(&e, &p, &k, flat, 0), AGN_ESHAPE, "infer_loo", "log_lik", NULL, e) &&
           refused(agn_infer_loo(&e, &p, &k, few, 0), AGN_ESHAPE, "infer_loo", "4 draws", NULL, e) &&
           refused(agn_infer_loo(&e, &p, &k, whole, 0), AGN_EDTYPE, "infer_loo", "i64", NULL, e) &&
           refused(agn_infer_waic(&e, NULL, x), AGN_ENULL, "infer_waic", "p_waic", "NULL", e) &&
           refused(agn_infer_waic(&e, &p, flat), AGN_ESHAPE, "infer_waic", "log_lik", NULL, e) &&
           refused(agn_infer_waic(&e, &p, whole), AGN_EDTYPE, "infer_waic", "i64", NULL, e) &&
           refused(agn_infer_psis(NULL, &k, x, 1), AGN_ENULL, "infer_psis", "log_weights", "NULL", y) &&
           refused(agn_infer_psis(&e, &k, x, 1), AGN_ESHAPE, "infer_psis", "log_ratios", NULL, e) &&
           refused(agn_infer_psis(&e, &k, whole, 1), AGN_EDTYPE, "infer_psis", "i64", NULL, e) &&
           refused(agn_infer_psis(&e, &k, x, 0), AGN_EARG, "infer_psis", "relative_ess", NULL, e), "refused");
    agn_release(x);
    agn_release(bad);
    agn_release(flat);
    agn_release(few);
    agn_release(whole);
    free(v);
}

static agn_status largest(void *user, agn_scope *s, const T *in, T *out)
{
    (void)user;
    out[0] = ag_max(s, in[0], NULL, 0, false);
    return agn_scope_status(s);
}
static agn_status added_body(void *user, agn_scope *s, agn_model_trace *t)
{
    agn_status st = known_body(user, s, t);
    agn_model_add(s, t, number(s, 1));
    return st ? st : agn_scope_status(s);
}
static agn_status blind_body(void *user, agn_scope *s, agn_model_trace *t)
{
    (void)user;
    agn_model_parameter(s, t, "mu", law_of(s, agn_distribution_normal, number(s, 0), number(s, 1)), 0, NULL);
    return agn_scope_status(s);
}
/* parameters of every support, and data of each */
static agn_status supports_body(void *user, agn_scope *s, agn_model_trace *t)
{
    (void)user;
    static const int64_t two = 2;
    T x = agn_model_parameter(s, t, "x", law_of(s, agn_distribution_normal, number(s, 1.5), number(s, 0.5)), 1, &two);
    T g = agn_model_parameter(s, t, "g", law_of(s, agn_distribution_gamma, number(s, 3), number(s, 2)), 0, NULL);
    T b = agn_model_parameter(s, t, "b", law_of(s, agn_distribution_beta, number(s, 2), number(s, 4)), 0, NULL);
    agn_model_parameter(s, t, "u", law_of(s, agn_distribution_uniform, number(s, -3), number(s, 5)), 0, NULL);
    T p = agn_model_parameter(s, t, "p", law_of(s, agn_distribution_pareto, number(s, 2), number(s, 6)), 0, NULL);
    agn_model_observe(s, t, law_of(s, agn_distribution_normal, x, g), ag_full(s, AGN_F64, 1, &two, 1.25));
    agn_model_observe(s, t, law_of(s, agn_distribution_binomial, number(s, 7), b), ag_full(s, AGN_F64, 1, &two, 3));
    agn_model_observe(s, t, law_of(s, agn_distribution_gamma, p, g), number(s, 2));
    return agn_scope_status(s);
}
static void test_predictions(void)
{
    agn_model *m = model(supports_body), *known = model(known_body), *blind = model(blind_body);
    agn_dict *d = NULL, *e = NULL;
    is_int(agn_model_observations(m), 3, "data are met three times");
    must(agn_infer_predict(&d, m, NULL, 20000, 4));
    tally t = {0, 0};
    static const struct {
        const char *name;
        double mean, variance;
    } say[] = {{"x", 1.5, 0.25},
               {"g", 1.5, 0.75},
               {"b", 1.0 / 3, 8.0 / 36 / 7},
               {"u", 1, 64.0 / 12},
               {"p", 2.4, 4.0 * 6 / 25 / 4}};
    for (int i = 0; i < COUNT(say); i++) {
        double mean, variance;
        moments(d, say[i].name, 0, &mean, &variance);
        check(&t, fabs(mean - say[i].mean) < 5 * sqrt(say[i].variance / 20000), "%s: mean %g", say[i].name, mean);
        check(&t, fabs(variance / say[i].variance - 1) < 0.15, "%s: variance %g", say[i].name, variance);
    }
    double mean, variance;
    moments(d, "observed/0", 1, &mean, &variance); /* variance 0.25 + E g^2 */
    check(&t, fabs(mean - 1.5) < 0.07 && fabs(variance - 3.25) < 0.3, "data: %g, %g", mean, variance);
    moments(d, "observed/1", 0, &mean, &variance);
    check(&t, fabs(mean - 7.0 / 3) < 0.07, "counts: %g", mean);
    agn_tensor *x = quantity(d, "observed/1"), *p = quantity(d, "sampler/point");
    check(&t, has_shape(x, 3, (int64_t[]){1, 20000, 2}) && has_shape(p, 3, (int64_t[]){1, 20000, 6}), "shapes");
    tell(&t, "parameters and data drawn from the priors");
    agn_release(x);
    agn_release(p);
    /* the points are those of the parameters: values of the model there are the draws */
    agn_fn *values, *prior, *all, *each;
    must(agn_model_values(&values, m));
    must(agn_model_log_prior(&prior, m));
    must(agn_model_log_density(&all, m));
    must(agn_model_log_likelihood(&each, m));
    agn_tensor *y[5], *a, *b, *c, *row;
    p = quantity(d, "sampler/point");
    double q[6], worst = 0, gap = 0;
    for (int64_t i = 0; i < 50; i++) {
        for (int k = 0; k < 6; k++)
            q[k] = peek(p, i * 6 + k);
        row = of_reals(AGN_F64, 1, (int64_t[]){6}, q);
        must(agn_fn_call(y, 5, values, (T const *)&row, 1));
        for (int k = 0; k < 5; k++) {
            agn_tensor *z = quantity(d, say[k].name);
            double have = peek(y[k], 0), want = peek(z, k ? i : 2 * i);
            worst = fmax(worst, fabs(have - want) / (1 + fabs(want)));
            agn_release(z);
            agn_release(y[k]);
        }
        must(agn_fn_call(&a, 1, prior, (T const *)&row, 1));
        must(agn_fn_call(&b, 1, all, (T const *)&row, 1));
        must(agn_fn_call(&c, 1, each, (T const *)&row, 1));
        double sum = peek(a, 0);
        for (int k = 0; k < 5; k++)
            sum += peek(c, k);
        gap = fmax(gap, fabs(sum - peek(b, 0)) / (1 + fabs(sum)));
        if (!i)
            ok(has_shape(c, 1, (int64_t[]){5}), "the log densities of five numbers");
        agn_release(row);
        agn_release(a);
        agn_release(b);
        agn_release(c);
    }
    ok(worst < 1e-13 && gap < 1e-13, "what takes constraints off is the inverse: %g; terms sum to the density: %g",
       worst, gap);
    agn_release(p);
    agn_fn_release(values);
    agn_fn_release(prior);
    agn_fn_release(all);
    agn_fn_release(each);
    agn_dict_release(d);

    /* the posterior predictive law of a normal mean: N(1.6, 0.2 + 1) */
    must(agn_infer_nuts(&d, known, &(agn_nuts_options){.size = sizeof(agn_nuts_options), .draws = 4000, .seed = 5}));
    must(agn_infer_predict(&e, known, d, 0, 6));
    moments(e, "observed/0", 2, &mean, &variance);
    ok(fabs(mean - 1.6) < 0.06 && fabs(variance - 1.2) < 0.1, "predicted data: mean %g, variance %g", mean, variance);
    agn_tensor *ll = NULL, *elpd, *p_loo, *k;
    must(agn_infer_log_likelihood(&ll, known, d));
    must(agn_infer_loo(&elpd, &p_loo, &k, ll, 0));
    /* y_i given the others: N(their sum / 4, 1 + 1/4) */
    const double data[] = {1.2, 0.7, 2.9, 3.2};
    t = (tally){0, 0};
    for (int i = 0; i < 4; i++) {
        double want = -0.5 * log(6.283185307179586 * 1.25) - 0.5 * pow(data[i] - (8 - data[i]) / 4, 2) / 1.25;
        check(&t, fabs(peek(elpd, i) - want) < 0.03, "number %d: %g, %g", i, peek(elpd, i), want);
        check(&t, peek(k, i) < 0.7, "k %g", peek(k, i));
    }
    tell(&t, "leave-one-out is what leaving out gives");
    agn_release(ll);
    agn_release(elpd);
    agn_release(p_loo);
    agn_release(k);
    agn_fn *stat, *two;
    double share = -1;
    must(agn_fn_new(&stat, largest, NULL, NULL, 1, 1));
    must(agn_fn_new(&two, largest, NULL, NULL, 2, 1));
    agn_tensor *seen = of_reals(AGN_F64, 1, (int64_t[]){4}, data),
               *far = of_reals(AGN_F64, 1, (int64_t[]){4}, (double[]){90, 0, 0, 0}),
               *few = of_reals(AGN_F32, 1, (int64_t[]){4}, data);
    x = quantity(e, "observed/0");
    must(agn_infer_predictive_check(&share, x, seen, stat));
    ok(share > 0.1 && share < 0.9, "the largest number is as the model has it: %g", share);
    must(agn_infer_predictive_check(&share, x, far, stat));
    ok(share == 0, "another is not: %g", share);
    agn_tensor *u = untouched;
    ok(refused(agn_infer_predictive_check(NULL, x, seen, stat), AGN_ENULL, "infer_predictive_check", "p is", "NULL",
               u) &&
           refused(agn_infer_predictive_check(&share, x, seen, two), AGN_EARG, "infer_predictive_check",
                   "2 arguments", NULL, u) &&
           refused(agn_infer_predictive_check(&share, seen, seen, stat), AGN_ESHAPE, "infer_predictive_check",
                   "predicted", NULL, u) &&
           refused(agn_infer_predictive_check(&share, x, few, stat), AGN_EDTYPE, "infer_predictive_check", "f32",
                   NULL, u),
       "a check is refused");
    agn_release(x);
    agn_release(seen);
    agn_release(far);
    agn_release(few);
    agn_fn_release(stat);
    agn_fn_release(two);
    agn_dict_release(e);

    /* refused */
    agn_fn *f = NULL;
    agn_model *other = NULL;
    agn_tensor *one = scalar_of(AGN_F64, 1);
    e = NULL;
    ok(refused(agn_model_log_likelihood(&f, blind), AGN_EARG, "model_log_likelihood", "no data", NULL, u) &&
           refused(agn_model_log_likelihood(NULL, m), AGN_ENULL, "model_log_likelihood", "out", "NULL", u) &&
           refused(agn_model_predict(&f, blind), AGN_EARG, "model_predict", "no data", NULL, u) &&
           refused(agn_model_predict(&f, NULL), AGN_ENULL, "model_predict", "m is", "NULL", u) &&
           refused(agn_model_log_prior(NULL, m), AGN_ENULL, "model_log_prior", "out", "NULL", u) &&
           refused(agn_model_draw_prior(NULL, m), AGN_ENULL, "model_draw_prior", "out", "NULL", u) &&
           refused(agn_model_with_data(NULL, m, NULL, 0), AGN_ENULL, "model_with_data", "out", "NULL", u) &&
           refused(agn_model_with_data(&other, m, (T const *)&one, 1), AGN_EARG, "model_with_data", "3 times", NULL,
                   u) &&
           refused(agn_model_with_data(&other, known, (T const[]){one, one}, 2), AGN_ESHAPE, "model_with_data",
                   "data 0", NULL, u) &&
           refused(agn_infer_predict(NULL, m, NULL, 1, 0), AGN_ENULL, "infer_predict", "out", "NULL", u) &&
           refused(agn_infer_predict(&e, m, NULL, 0, 0), AGN_EARG, "infer_predict", "n is 0", NULL, u) &&
           refused(agn_infer_predict(&e, blind, NULL, 1, 0), AGN_EARG, "infer_predict", "no data", NULL, u) &&
           refused(agn_infer_predict(&e, m, d, 1, 0), AGN_ESHAPE, "infer_predict", "sampler/point", NULL, u) &&
           refused(agn_infer_log_likelihood(&u, m, NULL), AGN_ENULL, "infer_log_likelihood", "draws", "NULL", u) &&
           refused(agn_infer_log_likelihood(&u, m, d), AGN_ESHAPE, "infer_log_likelihood", "sampler/point", NULL,
                   u) &&
           !e && !other && agn_model_observations(NULL) == -1,
       "predictions: refused");
    agn_release(one);
    agn_dict_release(d);
    agn_model_release(m);
    agn_model_release(known);
    agn_model_release(blind);
}

static void test_calibration(void)
{
    agn_model *m = model(known_body), *added = model(added_body), *blind = model(blind_body);
    agn_nuts_options by = {.size = sizeof by, .warmup = 200};
    agn_sbc_options o = {.size = sizeof o, .simulations = 150, .ranks = 39, .thin = 5, .seed = 1, .sampler = &by};
    agn_tensor *ranks = untouched, *p = NULL, *u = untouched, *twice = NULL;
    must(agn_infer_sbc(&ranks, m, &o));
    must(agn_infer_sbc_check(&p, ranks, 39, 10));
    ok(has_shape(ranks, 2, (int64_t[]){150, 2}) && peek(p, 0) > 1e-3 && peek(p, 1) > 1e-3, "ranks are even: %g, %g",
       peek(p, 0), peek(p, 1));
    agn_release(p);
    o.simulations = 6;
    int32_t threads = agn_threads();
    must(agn_threads_set(1));
    must(agn_infer_sbc(&twice, m, &o));
    must(agn_threads_set(threads));
    bool same = true;
    for (int64_t i = 0; i < 12; i++)
        same = same && peek_int(ranks, i) == peek_int(twice, i);
    ok(same, "the same ranks for any number of threads");
    /* ranks that crowd at one end are seen */
    double v[300];
    for (int i = 0; i < 300; i++)
        v[i] = i % 2 ? i / 2 % 40 : i / 2 % 20;
    agn_tensor *odd = of_reals(AGN_I64, 2, (int64_t[]){150, 2}, v);
    must(agn_infer_sbc_check(&p, odd, 39, 10));
    ok(peek(p, 0) < 1e-10 && peek(p, 1) > 0.5, "ranks of one half are not: %g, %g", peek(p, 0), peek(p, 1));
    agn_release(p);
    ok(refused(agn_infer_sbc(NULL, m, &o), AGN_ENULL, "infer_sbc", "out", "NULL", u) &&
           refused(agn_infer_sbc(&u, NULL, &o), AGN_ENULL, "infer_sbc", "m is", "NULL", u) &&
           refused(agn_infer_sbc(&u, blind, &o), AGN_EARG, "infer_sbc", "no data", NULL, u) &&
           refused(agn_infer_sbc(&u, added, &o), AGN_EUNSUPPORTED, "infer_sbc", "1 terms", NULL, u) &&
           refused(agn_infer_sbc(&u, m, &(agn_sbc_options){.size = 2}), AGN_EARG, "infer_sbc", "2 bytes", NULL,
                   u) &&
           refused(agn_infer_sbc(&u, m, &(agn_sbc_options){.size = sizeof o, .thin = -1}), AGN_EARG, "infer_sbc",
                   "thin -1", NULL, u) &&
           refused(agn_infer_sbc_check(NULL, odd, 39, 10), AGN_ENULL, "infer_sbc_check", "out", "NULL", u) &&
           refused(agn_infer_sbc_check(&u, odd, 39, 1), AGN_EARG, "infer_sbc_check", "1 bins", NULL, u) &&
           refused(agn_infer_sbc_check(&u, odd, 9, 5), AGN_EDOMAIN, "infer_sbc_check", "rank", NULL, u),
       "calibration: refused");
    agn_tensor *reals = of_reals(AGN_F64, 2, (int64_t[]){150, 2}, v), *line = of_reals(AGN_I64, 1, (int64_t[]){5}, v);
    ok(refused(agn_infer_sbc_check(&u, reals, 39, 10), AGN_EDTYPE, "infer_sbc_check", "f64", NULL, u) &&
           refused(agn_infer_sbc_check(&u, line, 39, 10), AGN_ESHAPE, "infer_sbc_check", "[5]", NULL, u),
       "ranks: refused");
    agn_release(reals);
    agn_release(line);
    agn_release(odd);
    agn_release(ranks);
    agn_release(twice);
    agn_model_release(m);
    agn_model_release(added);
    agn_model_release(blind);
}

int main(void)
{
    test_weights();
    test_leave_one_out();
    test_predictions();
    test_calibration();
    return done();
}
