/* Schedules of a rate: beside those of PyTorch; values by their formulas; what is out of range. */
#include "tests/laws.h"

#include <agnesi/optim.h>

enum { STEPS = 40 };
static const struct {
    const char *name;
    double want[STEPS];
} references[] = {
#include "tests/data/optim-schedules.inc"
};

static double factor(void *user, int64_t t)
{
    (void)user;
    return 1 - 0.5 / ((double)t + 1);
}
static double square(void *user, int64_t t)
{
    (void)user;
    return 1 / (1 + (double)(t * t));
}

#define S(name, ...) static double rate_##name(int64_t t) { return agn_optim_schedule_##__VA_ARGS__; }
static const int64_t stones[] = {3, 11, 12};
S(exponential, exponential(t, 0.5, 0.93))
S(step, step(t, 0.5, 7, 0.6))
S(multi_step, multi_step(t, 0.5, stones, 3, 0.4))
S(linear, linear(t, 0.5, 17, 0.25, 0.9))
S(polynomial, polynomial(t, 0.5, 30, 0, 1.7, false))
S(cosine, cosine_annealing(t, 0.5, 15, 0.02))
S(restarts, cosine_restarts(t, 0.5, 5, 2, 0.01))
S(one_cycle, one_cycle(t, 0.5, 35, 20, 0.5 / 20 / 100, 0.3, false, false))
S(three, one_cycle(t, 0.5, 38, 10, 0.5 / 10 / 50, 0.4, true, true))
S(triangular, cyclic(t, 0.1, 0.7, 6, 3, AGN_OPTIM_CYCLE_TRIANGULAR, 1))
S(triangular2, cyclic(t, 0.1, 0.7, 4, 4, AGN_OPTIM_CYCLE_TRIANGULAR2, 1))
S(waves, cyclic(t, 0.1, 0.7, 4, 7, AGN_OPTIM_CYCLE_EXPONENTIAL, 0.9))
S(multiplicative, multiplicative(t, 0.5, factor, NULL))
S(lambda, lambda(t, 0.5, square, NULL))
static double rate_plateau(int64_t t)
{
    agn_optim_plateau p = {.size = sizeof p, .rate = 0.5, .factor = 0.5, .patience = 2, .cooldown = 3,
                           .least_rate = 0.04};
    double rate = 0;
    for (int64_t i = 0; i <= t; i++)
        must(agn_optim_plateau_step(&rate, &p, i < 9 ? 1 / (1 + (double)i) : 0.1 - 0.01 * (i == 30)));
    return rate == p.rate ? rate : (double)NAN;
}

static void test_references(void)
{
    static const struct {
        const char *name;
        double (*rate)(int64_t t);
    } rows[] = {
        {"exponential", rate_exponential}, {"step", rate_step}, {"multi-step", rate_multi_step},
        {"linear", rate_linear}, {"polynomial", rate_polynomial}, {"cosine", rate_cosine},
        {"restarts", rate_restarts}, {"one cycle", rate_one_cycle},
        {"one cycle, linear, three phases", rate_three}, {"triangular", rate_triangular},
        {"triangular2", rate_triangular2}, {"exponential cycles", rate_waves},
        {"multiplicative", rate_multiplicative}, {"lambda", rate_lambda}, {"plateau", rate_plateau},
    };
    is_int(COUNT(rows), COUNT(references), "a row for each reference");
    for (int i = 0; i < COUNT(rows) && i < COUNT(references); i++) {
        double worst = strcmp(rows[i].name, references[i].name) ? (double)INFINITY : 0;
        int compared = 0;
        for (int t = 0; t < STEPS; t++) {
            double want = references[i].want[t];
            compared += want >= 0;
            if (want >= 0)
                worst = fmax(worst, fabs(rows[i].rate(t) - want) / 0.5);
        }
        ok(worst < 1e-13 && compared > 30, "%s: %d steps, %.1e off", references[i].name, compared, worst);
    }
}

static void test_formulas(void)
{
    static const int64_t bounds[] = {2, 5};
    static const double rates[] = {3, 2, 0};
    double worst = 0;
#define SAME(call, want) worst = fmax(worst, fabs(agn_optim_schedule_##call - (want)))
    SAME(noam(0, 64, 10, 2), 0);
    SAME(noam(5, 64, 10, 2), 0.25 * 5 * pow(10, -1.5));
    SAME(noam(40, 64, 10, 2), 0.25 / sqrt(40));
    SAME(piecewise(0, bounds, rates, 2), 3);
    SAME(piecewise(2, bounds, rates, 2), 2);
    SAME(piecewise(4, bounds, rates, 2), 2);
    SAME(piecewise(5, bounds, rates, 2), 0);
    SAME(piecewise(9, NULL, rates, 0), 3);
    SAME(natural_exponential(7, 0.5, 0.1), 0.5 * exp(-0.7));
    SAME(inverse_time(7, 0.5, 0.1), 0.5 / 1.7);
    SAME(polynomial(0, 0.5, 10, 0.1, 2, true), 0.5);
    SAME(polynomial(10, 0.5, 10, 0.1, 2, true), 0.1);
    SAME(polynomial(11, 0.5, 10, 0.1, 2, true), 0.4 * 0.45 * 0.45 + 0.1);
    SAME(polynomial(99, 0.5, 10, 0.1, 2, false), 0.1);
    SAME(linear_warmup(3, 4, 0.1, 0.5, 9), 0.4);
    SAME(linear_warmup(4, 4, 0.1, 0.5, 9), 9);
    SAME(cosine_restarts(23, 0.5, 5, 1, 0.1), 0.1 + 0.4 * (1 + cos(acos(-1) * 0.6)) / 2);
    SAME(one_cycle(99, 0.5, 20, 10, 1e-3, 0.3, false, false), 1e-3);
    SAME(cyclic(INT64_MAX, 0.1, 0.1, 3, 4, AGN_OPTIM_CYCLE_TRIANGULAR2, 1), 0.1);
    SAME(cosine_restarts(INT64_MAX, 0.5, 1, INT64_MAX, 0.5), 0.5);
    ok(worst < 1e-15, "values by the formulas: %.1e off", worst);
}

static void test_out_of_range(void)
{
    static const int64_t back[] = {3, 3};
    static const double rates[] = {1, 1, -1}, bad = NAN;
    int finite = 0;
#define NO(...) finite += !isnan(agn_optim_schedule_##__VA_ARGS__)
    NO(noam(-1, 64, 10, 1)), NO(noam(1, 0, 10, 1)), NO(noam(1, 64, 0, 1)), NO(noam(1, 64, 10, -1));
    NO(piecewise(-1, NULL, rates, 0)), NO(piecewise(1, NULL, NULL, 0)), NO(piecewise(1, NULL, rates, 1));
    NO(piecewise(1, back, rates, 2)), NO(piecewise(9, (int64_t[]){1, 2}, rates, 2));
    NO(piecewise(1, back, rates, -1)), NO(piecewise(1, NULL, rates, 2));
    NO(multi_step(1, 1, NULL, 2, 1));
    NO(natural_exponential(-1, 1, 1)), NO(natural_exponential(1, 0, 1)), NO(natural_exponential(1, 1, -1));
    NO(exponential(-1, 1, 1)), NO(exponential(1, bad, 1)), NO(exponential(1, 1, 0));
    NO(inverse_time(-1, 1, 1)), NO(inverse_time(1, 0, 1)), NO(inverse_time(1, 1, bad));
    NO(polynomial(-1, 1, 1, 0, 1, 0)), NO(polynomial(1, 0, 1, 0, 1, 0)), NO(polynomial(1, 1, 0, 0, 1, 0));
    NO(polynomial(1, 1, 1, -1, 1, 0)), NO(polynomial(1, 1, 1, 0, 0, 0));
    NO(linear_warmup(-1, 1, 0, 1, 1)), NO(linear_warmup(1, 0, 0, 1, 1)), NO(linear_warmup(0, 1, -1, 1, 1));
    NO(linear_warmup(0, 1, 0, -1, 1)), NO(linear_warmup(1, 1, 0, 1, bad));
    NO(linear(-1, 1, 1, 1, 1)), NO(linear(1, 0, 1, 1, 1)), NO(linear(1, 1, 0, 1, 1));
    NO(linear(1, 1, 1, 0, 1)), NO(linear(1, 1, 1, 1, -1));
    NO(step(-1, 1, 1, 1)), NO(step(1, 0, 1, 1)), NO(step(1, 1, 0, 1)), NO(step(1, 1, 1, 0));
    NO(multi_step(-1, 1, back, 1, 1)), NO(multi_step(1, 0, back, 1, 1)), NO(multi_step(1, 1, back, 2, 1));
    NO(multi_step(1, 1, NULL, 1, 1)), NO(multi_step(1, 1, back, -1, 1)), NO(multi_step(1, 1, back, 1, 0));
    NO(lambda(-1, 1, factor, NULL)), NO(lambda(1, 0, factor, NULL)), NO(lambda(1, 1, NULL, NULL));
    NO(multiplicative(-1, 1, factor, NULL)), NO(multiplicative(1, 0, factor, NULL));
    NO(multiplicative(1, 1, NULL, NULL));
    NO(cosine_annealing(-1, 1, 1, 0)), NO(cosine_annealing(1, 0, 1, 0)), NO(cosine_annealing(1, 1, 0, 0));
    NO(cosine_annealing(1, 1, 1, -1));
    NO(cosine_restarts(-1, 1, 1, 1, 0)), NO(cosine_restarts(1, 0, 1, 1, 0)), NO(cosine_restarts(1, 1, 0, 1, 0));
    NO(cosine_restarts(1, 1, 1, 0, 0)), NO(cosine_restarts(1, 1, 1, 1, bad));
    NO(one_cycle(-1, 1, 9, 1, 0, 0.3, 0, 0)), NO(one_cycle(1, 0, 9, 1, 0, 0.3, 0, 0));
    NO(one_cycle(1, 1, 1, 1, 0, 0.3, 0, 0)), NO(one_cycle(1, 1, 9, 0, 0, 0.3, 0, 0));
    NO(one_cycle(1, 1, 9, 1, -1, 0.3, 0, 0)), NO(one_cycle(1, 1, 9, 1, 0, 0, 0, 0));
    NO(one_cycle(1, 1, 9, 1, 0, 1.1, 0, 0)), NO(one_cycle(1, 1, 9, 1, 0, 0.6, 0, 1));
    NO(cyclic(-1, 1, 2, 1, 1, 0, 1)), NO(cyclic(1, 0, 2, 1, 1, 0, 1)), NO(cyclic(1, 1, 0.5, 1, 1, 0, 1));
    NO(cyclic(1, 1, 2, 0, 1, 0, 1)), NO(cyclic(1, 1, 2, 1, 0, 0, 1)), NO(cyclic(1, 1, 2, 1, 1, 3, 1));
    NO(cyclic(1, 1, 2, 1, 1, -1, 1)), NO(cyclic(1, 1, 2, 1, 1, 0, 0));
    NO(cyclic(1, 1, 2, INT64_MAX, 1, 0, 1));
    is_int(finite, 0, "rates of arguments out of range that are not NaN");
}

static void test_plateau(void)
{
    double rate = 77;
    agn_optim_plateau p = {.size = 3, .rate = 1};
#define REFUSED(a, b)                                                                                     \
    ok(refused(agn_optim_plateau_step(&rate, &p, 1), AGN_EARG, "optim_plateau_step", a, b, untouched) && \
           rate == 77, "%s", agn_error_message())
    ok(refused(agn_optim_plateau_step(&rate, NULL, 1), AGN_ENULL, "optim_plateau_step", "p", "NULL",
               untouched) && rate == 77, "%s", agn_error_message());
    REFUSED("size", "3");
    p = (agn_optim_plateau){.size = sizeof p};
    REFUSED("rate is 0", "range");
    p = (agn_optim_plateau){.size = sizeof p, .rate = 1, .factor = 1};
    REFUSED("factor 1", "range");
    p = (agn_optim_plateau){.size = sizeof p, .rate = 1, .threshold = -0.5};
    REFUSED("threshold -0.5", "range");
    p = (agn_optim_plateau){.size = sizeof p, .rate = 1, .least_rate = -1};
    REFUSED("least_rate -1", "range");
    p = (agn_optim_plateau){.size = sizeof p, .rate = 1, .least_fall = (double)NAN};
    REFUSED("least_fall nan", "range");
    p = (agn_optim_plateau){.size = sizeof p, .rate = 1, .patience = -2};
    REFUSED("patience is -2", "negative");
    p = (agn_optim_plateau){.size = sizeof p, .rate = 1, .cooldown = -1};
    REFUSED("cooldown -1", "negative");
    p = (agn_optim_plateau){.size = sizeof p, .rate = 1, .seen = -1};
    REFUSED("-1", "negative");
    /* larger is better, absolutely, at once */
    p = (agn_optim_plateau){.size = sizeof p, .rate = 1, .factor = 0.5, .patience = -1, .maximise = true,
                            .absolute = true, .threshold = 0.25};
    static const double measure[] = {NAN, 0, 0.25, 0.5, 0.7, 1}, want[] = {0.5, 0.5, 0.25, 0.25, 0.125, 0.125};
    bool right = true;
    for (int i = 0; i < COUNT(measure); i++) {
        must(agn_optim_plateau_step(&rate, &p, measure[i]));
        right = right && rate == want[i];
    }
    ok(right, "upwards by more than 1/4, without patience; NaN is no measure");
    /* of measures that begin infinite, or are below 0, a larger one is none better */
    for (int first = 0; first < 2; first++) {
        p = (agn_optim_plateau){.size = sizeof p, .rate = 1, .factor = 0.5, .patience = -1,
                                .bad = INT32_MAX};
        const double down[] = {first ? -1 : (double)INFINITY, -2, -1.9999, -3};
        const double rates[] = {1, 1, 0.5, 0.5};
        for (int i = 0; i < COUNT(down); i++) {
            must(agn_optim_plateau_step(&rate, &p, down[i]));
            right = right && rate == rates[i] && p.best == (i < 2 ? down[i] : i < 3 ? -2 : -3);
        }
        p.patience = p.bad = INT32_MAX;
        must(agn_optim_plateau_step(&rate, &p, -1));
        ok(right && p.bad == INT32_MAX, "downwards from %g", down[0]);
    }
}

int main(void)
{
    test_references();
    test_formulas();
    test_out_of_range();
    test_plateau();
    return done();
}
