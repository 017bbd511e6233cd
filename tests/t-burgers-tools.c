/* t-burgers-tools.c - the Burgers example's minimiser, options and colours. */
#include "tap.h"
#include "examples/burgers_bfgs.h"
#include "examples/burgers_colour.h"
#include "examples/burgers_ui.h"

enum { N = 50 };

/* Chained Rosenbrock; the minimum is 0 at (1, ..., 1). */
static bool valley(void *user, const double *x, double *value, double *gradient)
{
    long *left = user;
    if (left && --*left < 0)
        return false;
    *value = 0;
    memset(gradient, 0, N * sizeof *gradient);
    for (int i = 0; i + 1 < N; i++) {
        double a = x[i + 1] - x[i] * x[i], b = 1 - x[i];
        *value += 100 * a * a + b * b;
        gradient[i] += -400 * a * x[i] - 2 * b;
        gradient[i + 1] += 200 * a;
    }
    return true;
}

/* Curvatures from 1 to 1e8; NaN beyond a wall that long steps meet. */
static bool bowl(void *user, const double *x, double *value, double *gradient)
{
    (void)user;
    *value = 0;
    for (int i = 0; i < N; i++) {
        double c = pow(10, 8.0 * i / (N - 1));
        *value += 0.5 * c * x[i] * x[i];
        gradient[i] = c * x[i];
        if (fabs(x[i]) > 3)
            *value = nan("");
    }
    return true;
}

static bool climbing(void *user, const double *x, double *value, double *gradient)
{
    (void)user;
    *value = x[0];
    gradient[0] = -1; /* a lie: no step goes down */
    return true;
}

static double descend(bfgs_objective *objective, double begin, long *evaluations)
{
    double x[N];
    for (int i = 0; i < N; i++)
        x[i] = begin + 0.01 * i;
    bfgs *b = bfgs_new(N, objective, NULL);
    bfgs_start(b, x);
    double last = b->value;
    bool falling = true;
    while (b->value > 1e-20 && b->evaluations < 5000 && bfgs_step(b) == BFGS_OK) {
        falling &= b->value <= last;
        last = b->value;
    }
    ok(falling, "every step makes the value smaller");
    *evaluations = b->evaluations;
    bfgs_free(b);
    return last;
}

static void test_bfgs(void)
{
    long evaluations, left = 20;
    double last = descend(valley, -1.2, &evaluations);
    ok(last < 1e-20 && evaluations < 600, "valley: %.1e after %ld evaluations", last,
       evaluations);
    last = descend(bowl, -0.7, &evaluations);
    ok(last < 1e-20 && evaluations < 600, "bowl: %.1e after %ld evaluations", last,
       evaluations);

    double x[N] = {0};
    bfgs *b = bfgs_new(N, valley, &left);
    bfgs_status status = bfgs_start(b, x);
    while (status == BFGS_OK)
        status = bfgs_step(b);
    double value, gradient[N];
    valley(NULL, b->x, &value, gradient);
    ok(status == BFGS_STOPPED && value == b->value,
       "stops with its objective, state whole");
    bfgs_free(b);

    b = bfgs_new(1, climbing, NULL);
    bfgs_start(b, x);
    ok(bfgs_step(b) == BFGS_STALLED && b->value == 0, "a false gradient stalls");
    bfgs_free(b);
    bfgs_free(NULL);
}

static int parse(burgers_options *o, const char *first, const char *second)
{
    char program[] = "burgers", a[40] = "", b[40] = "";
    char *argv[] = {program, a, b, NULL};
    snprintf(a, sizeof a, "%s", first);
    snprintf(b, sizeof b, "%s", second ? second : "");
    return burgers_options_parse(o, second ? 3 : 2, argv);
}

static void test_options(void)
{
    burgers_options o = {.seed = 1, .width = 20};
    ok(parse(&o, "--seed", "7") == -1 && o.seed == 7 && o.width == 20, "a value apart");
    ok(parse(&o, "--width=32", "--long") == -1 && o.width == 32 && o.go_on,
       "joined, flag");
    ok(parse(&o, "--nu=1e-2", NULL) == -1 && o.nu == 0.01, "a real number");
    static const char *const bad[][2] = {
        {"--sed", "7"},      {"--seed", "x"},       {"--seed", "2.5"},
        {"--seed", ""},      {"--seed", "-1"},      {"--nu", "nan"},
        {"--nu", "0"},       {"--long=1", NULL},    {"--width", NULL},
        {"--width=", NULL},  {"--width=1e9", NULL}, {"name", NULL},
        {"--points", "10k"}, {"--out", NULL},       {"", NULL},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        ok(parse(&o, bad[i][0], bad[i][1]) == 2, "refused: '%s' '%s'", bad[i][0],
           bad[i][1] ? bad[i][1] : "");
    ok(o.seed == 7 && o.width == 32 && o.nu == 0.01, "what is refused changes nothing");
}

static double luminance(colour c)
{
    return 0.2126 * pow(c.red, 2.2) + 0.7152 * pow(c.green, 2.2) +
           0.0722 * pow(c.blue, 2.2);
}

static void test_colours(void)
{
    bool rises = true, folds = true, clamped = true;
    for (int i = 1; i <= 100; i++) {
        double v = i / 100.0, before = v - 0.01;
        double change = luminance(colour_diverging(v)) -
                        luminance(colour_diverging(before));
        rises &= luminance(colour_sequential(v)) > luminance(colour_sequential(before));
        folds &= i <= 50 ? change > 0 : change < 0;
    }
    clamped &= colour_sequential(-3).red == colour_sequential(0).red;
    clamped &= colour_sequential(3).red == colour_sequential(1).red;
    clamped &= colour_diverging(nan("")).red == colour_diverging(nan("")).blue;
    ok(rises && folds,
       "light rises along the one map, and towards the middle of the other");
    ok(clamped, "outside values are clamped, NaN is grey");
}

int main(void)
{
    test_bfgs();
    test_options();
    test_colours();
    return done();
}
