/* t-burgers-tools.c - the Burgers example's options and colours. */
#include "tap.h"
#include "examples/burgers_colour.h"
#include "examples/burgers_ui.h"

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
    test_options();
    test_colours();
    return done();
}
