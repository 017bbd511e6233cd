/* tests/t-parameters.c - derivatives of special functions in their parameters: values of Arb
   (tests/data/make-parameter-slopes.py), every mode to order 4, ends of the range, orders that are refused. */
#include "laws.h"

typedef struct truth {
    const char *op;
    int64_t at[5];
    int n_int;
    double x[4];
    int n;
    double value, amplitude;
} truth;
static const truth table[] = {
#include "data/parameter-slopes.inc"
};

static agn_status apply(agn_tensor **y, const truth *p, int dtype)
{
    agn_tensor *x[4];
    for (int k = 0; k < p->n; k++)
        x[k] = scalar_of(dtype, p->x[k]);
    agn_status st = agn_op_apply(y, 1, p->op, (const agn_tensor *const *)x, p->n, p->at, p->n_int, NULL, 0);
    for (int k = 0; k < p->n; k++)
        agn_release(x[k]);
    return st;
}
static double value_of(const truth *p, int dtype)
{
    agn_tensor *y = NULL;
    must(apply(&y, p, dtype));
    double v = peek(y, 0);
    agn_release(y);
    return v;
}

static void test_values(void)
{
    for (int k = 0; k < COUNT(table);) {
        tally t = {0, 0};
        const char *op = table[k].op;
        double worst = 0;
        int unknown = 0, rows = 0;
        for (; k < COUNT(table) && !strcmp(table[k].op, op); k++, rows++) {
            const truth *p = &table[k];
            double v = value_of(p, AGN_F64), e = fabs(v - p->value) / (p->amplitude > 0 ? p->amplitude : fabs(p->value));
            if (isnan(v)) {
                unknown++;
                continue;
            }
            check(&t, e < 1e-12, "%s(%.17g, %.17g, %.17g, %.17g) = %.17g, not %.17g: %.2g", op, p->x[0], p->x[1], p->x[2],
                  p->x[3], v, p->value, e);
            worst = fmax(worst, e);
        }
        diag("%s: %.2g, %d of %d NaN", op, worst, unknown, rows);
        check(&t, unknown <= rows / 20, "%d of %d NaN", unknown, rows);
        tell(&t, "%s: derivatives in parameters, of Arb", op);
    }
}
/* derivatives in both arguments, by mpmath's diff at 120 digits and more: where neighbours in the order cancel, and
   where powers of negative orders are large */
static void test_struve(void)
{
    const truth far = {"struve", {1, 0, 0}, 3, {-30, 5e-152}, 2, 0, 0};
    ok(value_of(&far, AGN_F64) == -(double)INFINITY, "the power of order -30 leaves the range below");
    static const truth rows[] = {
        {"struve", {0, 0, 4}, 3, {7.731296982149093, 872.7503500163509}, 2, 48339.7669584436376, 48339.8},
        {"struve", {0, 0, 2}, 3, {2.5, 45.25}, 2, -0.0140650772225457811, 0.147043},
        {"struve", {0, 0, 3}, 3, {-3.25, 81.5}, 2, 0.0416971010987747588, 0.110096},
        {"struve", {0, 0, 1}, 3, {99.0, 700.0}, 2, 1.75693196727299714e+93, 1.75693e+93},
        {"struve", {0, 0, 5}, 3, {0.25, 3.5}, 2, -0.307950322017720957, 0.471405},
        {"struve", {1, 0, 4}, 3, {-30.25, 0.5}, 2, -5.6034387625220774e+54, 0},
        {"struve", {1, 0, 3}, 3, {12.5, 600.0}, 2, 5.38539840147233749e+258, 0},
        {"struve", {1, 1, 0}, 3, {-25.703718241998857, 676.4950500231032}, 2, 2.24734980428085105e+290, 0},
        {"struve", {1, 2, 0}, 3, {5.5, 300.0}, 2, -1.27711661822851972e+126, 0},
        {"struve", {0, 1, 1}, 3, {1.25, 9.5}, 2, 0.326028184545521866, 0.326028},
        {"struve", {0, 2, 2}, 3, {-0.75, 4.5}, 2, -0.988365049603619358, 0.988365},
        {"struve", {1, 1, 2}, 3, {3.25, 7.5}, 2, -46.4497816890025232, 0},
        {"struve", {0, 1, 2}, 3, {4.25, 120.5}, 2, 35.6184902972352808, 35.6185},
    };
    for (int k = 0; k < COUNT(rows); k++) {
        double v = value_of(&rows[k], AGN_F64), size = rows[k].amplitude > 0 ? rows[k].amplitude : fabs(rows[k].value);
        ok(fabs(v - rows[k].value) < 1e-12 * size, "struve %d: %.17g, not %.17g", k, v, rows[k].value);
    }
}
/* Lerch's transcendent: values to 1e-13, derivatives to 1e-12; places where it is another function */
static const truth lerch[] = {
#include "data/lerch.inc"
};
static double lerch_at(double z, double s, double a, int k, int n)
{
    truth p = {"lerch", {k, n}, 2, {z, s, a}, 3, 0, 0};
    return value_of(&p, AGN_F64);
}
static void test_lerch(void)
{
    tally t = {0, 0};
    int unknown = 0;
    double worst[2] = {0, 0};
    for (int i = 0; i < COUNT(lerch); i++) {
        const truth *p = &lerch[i];
        double v = value_of(p, AGN_F64), e = fabs(v / p->value - 1);
        bool slope = p->at[0] || p->at[1];
        if (isnan(v)) {
            unknown++;
            continue;
        }
        check(&t, e < (slope ? 1e-12 : 1e-13), "lerch(%.17g, %.17g, %.17g; %d, %d) = %.17g, not %.17g: %.2g", p->x[0], p->x[1],
              p->x[2], (int)p->at[0], (int)p->at[1], v, p->value, e);
        worst[slope] = fmax(worst[slope], e);
    }
    diag("lerch: %.2g, derivatives %.2g, %d of %d NaN", worst[0], worst[1], unknown, COUNT(lerch));
    check(&t, unknown <= COUNT(lerch) / 20, "%d of %d NaN", unknown, COUNT(lerch));
    tell(&t, "lerch: values and derivatives of Arb");

    agn_tensor *z = scalar_of(AGN_F64, 0.75), *s = scalar_of(AGN_F64, 2.5), *a = scalar_of(AGN_F64, 0.6), *one = scalar_of(AGN_F64, 1),
               *below = scalar_of(AGN_F64, -1), *y[6] = {NULL};
    must(agn_lerch_phi(&y[0], z, s, one));
    must(agn_polylog(&y[1], s, z));
    must(agn_lerch_phi(&y[2], one, s, a));
    must(agn_zeta(&y[3], s, a));
    must(agn_lerch_phi(&y[4], below, s, one));
    must(agn_dirichlet_eta(&y[5], s));
    ok(fabs(peek(y[0], 0) * 0.75 / peek(y[1], 0) - 1) < 1e-14, "z Phi(z, s, 1) is the polylogarithm");
    ok(fabs(peek(y[2], 0) / peek(y[3], 0) - 1) < 1e-14, "Phi(1, s, a) is Hurwitz' zeta function");
    ok(fabs(peek(y[4], 0) / peek(y[5], 0) - 1) < 1e-14, "Phi(-1, s, 1) is Dirichlet's eta function");
    agn_tensor *z3 = NULL, *a5 = NULL, *c = scalar_of(AGN_C128, 0.5), *no = untouched;
    int64_t three = 3, five = 5;
    must(agn_full(&z3, AGN_F64, 1, &three, 0.5));
    must(agn_full(&a5, AGN_F64, 1, &five, 0.5));
    ok(refused(agn_lerch_phi(&no, z, NULL, a), AGN_ENULL, "lerch_phi", "NULL", NULL, no), "NULL s");
    ok(refused(agn_lerch_phi(&no, z, s, c), AGN_EDTYPE, "lerch_phi", "c128", NULL, no), "complex a");
    ok(refused(agn_lerch_phi(&no, z3, s, a5), AGN_ESHAPE, "lerch_phi", "[3]", "[5]", no), "shapes");
    agn_tensor *all[] = {z, s, a, one, below, y[0], y[1], y[2], y[3], y[4], y[5], z3, a5, c};
    for (int i = 0; i < COUNT(all); i++)
        agn_release(all[i]);

    const double inf = (double)INFINITY, nan = (double)NAN;
    ok(lerch_at(1, 1, 0.5, 0, 0) == inf && lerch_at(1, -2, 0.5, 0, 0) == inf && lerch_at(1, 1, 0.5, 1, 0) == -inf &&
           lerch_at(1, 2, 0.5, 0, 1) == inf,
       "where the sum grows without end at z = 1");
    ok(isnan(lerch_at(1.5, 2, 1, 0, 0)) && isnan(lerch_at(0.5, 101, 1, 0, 0)) && isnan(lerch_at(0.5, nan, 1, 0, 0)) &&
           isnan(lerch_at(0.5, 2, nan, 0, 0)) && isnan(lerch_at(nan, 2, 1, 0, 0)) && isnan(lerch_at(-inf, 2, 1, 0, 0)) &&
           isnan(lerch_at(0.5, 2, inf, 0, 0)) && isnan(lerch_at(0.5, 2, -3, 0, 0)) && isnan(lerch_at(0.5, 2, 0, 0, 0)) &&
           isnan(lerch_at(0.5, 2.5, -0.5, 0, 0)) && isnan(lerch_at(0.5, 2, -0.5, 1, 0)) && isnan(lerch_at(0.5, 2, -1000, 0, 0)) &&
           isnan(lerch_at(1, 1, -0.5, 0, 0)) && isnan(lerch_at(-1, -2, 1, 0, 0)) && isnan(lerch_at(0.5, 50, 1e-100, 0, 0)),
       "NaN outside of what is known, and where terms cancel");
    /* Phi(z, 0, a) = 1 / (1 - z); Phi(z, -1, a) = a / (1 - z) + z / (1 - z)^2; Phi(0, s, a) = a^-s */
    ok(fabs(lerch_at(0.75, 0, 1e5, 0, 0) / 4 - 1) < 1e-14 && fabs(lerch_at(-7, 0, 0.3, 0, 0) * 8 - 1) < 1e-13 &&
           fabs(lerch_at(0.75, -1, 2.5, 0, 0) / 22 - 1) < 1e-14 && lerch_at(0, 2, 4, 0, 0) == 0.0625 &&
           fabs(lerch_at(0, 2, 4, 1, 0) / (-0.0625 * log(4)) - 1) < 1e-15 && lerch_at(0, 2, 4, 0, 1) == 0.04,
       "closed forms");
    /* next to a = 0, where Phi(z, s, a) is a^-s + z Phi(z, s, a + 1); the last two are Arb's values */
    ok(fabs(lerch_at(-2, 0, 1e-299, 0, 0) * 3 - 1) < 1e-13 && fabs(lerch_at(-2, -1, 1e-100, 0, 0) * -4.5 - 1) < 1e-13 &&
           fabs(lerch_at(-100, -20, 1e-299, 0, 0) / -1038.7429515428403 - 1) < 1e-13 &&
           fabs(lerch_at(-1, 0.001, 1e-299, 0, 0) / 1.4904475781530242 - 1) < 1e-13 && isnan(lerch_at(-86.98, 0, 1e-299, 0, 0)),
       "next to a = 0");
}
/* f32 is f64, rounded */
static void test_f32(void)
{
    static const truth at[] = {
        {"kummer", {0, 1, 2, 1}, 4, {0.5, 1.25, -3}, 3, 0, 0}, {"kummer", {1, 2, 1, 0}, 4, {0.5, 1.25, 3}, 3, 0, 0},
        {"hyp2f1", {1, 0, 2, 1}, 4, {0.5, 1.25, 3, 0.75}, 4, 0, 0}, {"struve", {0, 2, 0}, 3, {0.5, 1.25}, 2, 0, 0},
        {"polylog", {2, 1}, 2, {2.5, -1.25}, 2, 0, 0},                {"lerch", {1, 1}, 2, {-1.25, 2.5, 0.75}, 3, 0, 0},
    };
    tally t = {0, 0};
    for (int k = 0; k < COUNT(at); k++)
        check(&t, fabs(value_of(&at[k], AGN_F32) / value_of(&at[k], AGN_F64) - 1) < 1e-6, "%s in f32", at[k].op);
    tell(&t, "f32");
}

static void test_modes(void)
{
    static const truth at[] = {
        {"kummer", {0, 0, 0, 0}, 4, {0.7, 1.3, 0.9}, 3, 0, 0},   {"kummer", {0, 0, 0, 0}, 4, {-1.2, 2.3, -4}, 3, 0, 0},
        {"kummer", {0, 1, 1, 0}, 4, {1.7, 0.8, 2.5}, 3, 0, 0},   {"kummer", {1, 0, 0, 0}, 4, {0.7, 1.3, 0.9}, 3, 0, 0},
        {"kummer", {1, 0, 0, 0}, 4, {-1.4, 1.3, 2.9}, 3, 0, 0},  {"kummer", {1, 1, 0, 1}, 4, {0.3, -0.8, 1.6}, 3, 0, 0},
        {"hyp2f1", {0, 0, 0, 0}, 4, {0.7, 1.3, 1.9, 0.4}, 4, 0, 0}, {"hyp2f1", {0, 0, 1, 0}, 4, {0.7, -1.3, 1.9, -1.4}, 4, 0, 0},
        {"hyp2f1", {0, 0, 0, 0}, 4, {0.7, 0.3, 1.4, 0.8}, 4, 0, 0}, {"struve", {0, 0, 0}, 3, {0.7, 2.3}, 2, 0, 0},
        {"struve", {1, 0, 0}, 3, {1.2, 2.3}, 2, 0, 0},              {"struve", {0, 1, 0}, 3, {-0.7, 3.1}, 2, 0, 0},
        {"polylog", {0, 0}, 2, {1.7, 0.4}, 2, 0, 0},             {"polylog", {0, 0}, 2, {2.2, -1.4}, 2, 0, 0},
        {"polylog", {0, 0}, 2, {0.3, 0.8}, 2, 0, 0},             {"polylog", {1, 1}, 2, {2.5, -0.4}, 2, 0, 0},
        {"lerch", {0, 0}, 2, {0.7, 2.3, 0.6}, 3, 0, 0},          {"lerch", {0, 0}, 2, {-1.7, 2.4, 1.6}, 3, 0, 0},
        {"lerch", {0, 0}, 2, {0.4, -1.4, 0.8}, 3, 0, 0},         {"lerch", {1, 1}, 2, {0.3, 1.5, 1.2}, 3, 0, 0},
        {"bessel", {4, 0, 0}, 3, {1.5, 2.25}, 2, 0, 0},          {"bessel", {4, 1, 0}, 3, {-0.75, 1.5}, 2, 0, 0},
    };
    for (int k = 0; k < COUNT(at); k++) {
        agn_tensor *x[4];
        for (int i = 0; i < at[k].n; i++)
            x[i] = scalar_of(AGN_F64, at[k].x[i]);
        agn_check_options o = {.size = sizeof o, .orders = 4, .tolerance = 1e-6};
        agn_status st = agn_op_check(NULL, at[k].op, (const agn_tensor *const *)x, at[k].n, at[k].at, at[k].n_int, NULL, 0, &o);
        ok(!st, "%s %d: derivatives of order 4 in every mode", at[k].op, k);
        if (st)
            diag("%s", agn_error_message());
        for (int i = 0; i < at[k].n; i++)
            agn_release(x[i]);
    }
}

static void test_ends(void)
{
    const double nan = (double)NAN;
    const truth none[] = {
        {"kummer", {0, 1, 0, 0}, 4, {1, -2, 3}, 3, 0, 0},        {"kummer", {0, 1, 0, 0}, 4, {101, 2, 3}, 3, 0, 0},
        {"kummer", {0, 1, 0, 0}, 4, {1, nan, 3}, 3, 0, 0},       {"kummer", {1, 1, 0, 0}, 4, {1, 2, -3}, 3, 0, 0},
        {"kummer", {1, 0, 1, 0}, 4, {1, 2, 0}, 3, 0, 0},         {"hyp2f1", {1, 0, 0, 0}, 4, {1, 2, -3, 0.5}, 4, 0, 0},
        {"hyp2f1", {1, 0, 0, 0}, 4, {1, 2, 3, 1.5}, 4, 0, 0},    {"hyp2f1", {0, 0, 1, 0}, 4, {1, 2, 2.5, 1}, 4, 0, 0},
        {"struve", {0, 1, 0}, 3, {1, -2}, 2, 0, 0},                 {"struve", {1, 1, 0}, 3, {1, 900}, 2, 0, 0},
        {"struve", {0, 1, 0}, 3, {101, 2}, 2, 0, 0},                {"polylog", {1, 0}, 2, {2, 1.5}, 2, 0, 0},
        {"polylog", {1, 0}, 2, {1, 1}, 2, 0, 0},                 {"polylog", {1, 0}, 2, {nan, 0.5}, 2, 0, 0},
        {"polylog", {1, 0}, 2, {-9, -3}, 2, 0, 0},               {"bessel", {4, 1, 0}, 3, {1, -2}, 2, 0, 0},
    };
    tally t = {0, 0};
    for (int k = 0; k < COUNT(none); k++)
        check(&t, isnan(value_of(&none[k], AGN_F64)), "%s, row %d", none[k].op, k);
    tell(&t, "NaN outside of what is known");
    const truth zero[] = {
        {"kummer", {0, 1, 0, 0}, 4, {1, 2, 0}, 3, 0, 0},     {"kummer", {0, 0, 3, 0}, 4, {1, 2, 0}, 3, 0, 0},
        {"hyp2f1", {0, 1, 1, 0}, 4, {1, 2, 3, 0}, 4, 0, 0},  {"struve", {0, 1, 0}, 3, {1, 0}, 2, 0, 0},
        {"polylog", {2, 0}, 2, {1.5, 0}, 2, 0, 0},           {"polylog", {1, 1}, 2, {1.5, 0}, 2, 0, 0},
    };
    for (int k = 0; k < COUNT(zero); k++)
        check(&t, value_of(&zero[k], AGN_F64) == 0, "%s, row %d", zero[k].op, k);
    tell(&t, "0 at 0");
    /* M(a, b, x) of a = -1 is 1 - x / b; F(1, b; b; x) = 1 / (1 - x); F(a, b; c; 1) by gamma functions; Li_s of 1 */
    const truth known[] = {
        {"kummer", {0, 0, 1, 0}, 4, {-1, 2, 3000}, 3, 750, 0},
        {"kummer", {1, 0, 1, 0}, 4, {-1, 2, 3}, 3, -1, 0}, /* U = x - b */
        {"hyp2f1", {0, 0, 0, 2}, 4, {1, 2, 2, 0.5}, 4, 16, 0},
        {"hyp2f1", {0, 0, 1, 0}, 4, {1, 1, 3, 1}, 4, -1, 0}, /* (c - 1) / (c - 2) */
        {"polylog", {0, 2}, 2, {2, 0}, 2, 0.5, 0},
        {"polylog", {1, 0}, 2, {2, 1}, 2, -0.93754825431584376, 0},
        {"polylog", {0, 1}, 2, {1, -3}, 2, 0.25, 0},
    };
    for (int k = 0; k < COUNT(known); k++) {
        double v = value_of(&known[k], AGN_F64);
        check(&t, fabs(v / known[k].value - 1) < 1e-13, "%s, row %d: %.17g, not %.17g", known[k].op, k, v, known[k].value);
    }
    tell(&t, "closed forms");
}

static void test_refusals(void)
{
    const truth bad[] = {
        {"kummer", {0, 25, 0, 0}, 4, {1, 2, 3}, 3, 0, 0}, {"kummer", {1, 11, 11, 0}, 4, {1, 2, 3}, 3, 0, 0},
        {"hyp2f1", {5, 5, 5, 0}, 4, {1, 2, 3, 0.5}, 4, 0, 0}, {"hyp2f1", {0, 0, 0, 33}, 4, {1, 2, 3, 0.5}, 4, 0, 0},
        {"kummer", {0, -1, 0, 0}, 4, {1, 2, 3}, 3, 0, 0},
    };
    for (int k = 0; k < COUNT(bad); k++) {
        agn_tensor *y = untouched;
        ok(refused(apply(&y, &bad[k], AGN_F64), AGN_EUNSUPPORTED, bad[k].op, "in the parameters", "at most 24", y),
           "%s: orders of row %d", bad[k].op, k);
    }
    const truth one[] = {{"struve", {0, 13, 0}, 3, {1, 2}, 2, 0, 0}, {"polylog", {13, 0}, 2, {1, 0.5}, 2, 0, 0},
                         {"polylog", {0, 13}, 2, {1, 0.5}, 2, 0, 0}, {"lerch", {13, 0}, 2, {0.5, 1, 1}, 3, 0, 0},
                         {"lerch", {0, 13}, 2, {0.5, 1, 1}, 3, 0, 0}};
    static const char *const what[] = {"derivative in the order 13", "derivative in s 13", "derivative in x 13",
                                       "derivative in s 13", "derivative in z 13"};
    for (int k = 0; k < COUNT(one); k++) {
        agn_tensor *y = untouched;
        ok(refused(apply(&y, &one[k], AGN_F64), AGN_EARG, one[k].op, what[k], "0 to 12", y), "%s: order 13", one[k].op);
    }
}

int main(void)
{
    test_values();
    test_struve();
    test_lerch();
    test_f32();
    test_modes();
    test_ends();
    test_refusals();
    return done();
}
