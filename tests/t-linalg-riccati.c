/* t-linalg-riccati - Riccati's equations on published examples whose solutions are formulas: the
   collections of continuous and of discrete ones by Benner, Laub & Mehrmann (1995, CAREX and
   DAREX), with their hard parameters. */
#include "t-linalg.h"

enum { MOST = 100 };

typedef struct example {
    const char *name;
    bool discrete;
    int n, k;
    double tol; /* relative error of x: eps times the condition of the equation */
    double a[MOST * MOST], b[MOST * 4], q[MOST * MOST], r[16], x[MOST * MOST];
} example;

static void fill(double *to, int count, const double *from)
{
    memcpy(to, from, (size_t)count * sizeof *to);
}
#define FILL(field, ...) fill(e->field, COUNT(((double[]){__VA_ARGS__})), (double[]){__VA_ARGS__})

static void begin(example *e, const char *name, bool discrete, int n, int k, double tol)
{
    memset(e, 0, sizeof *e);
    e->name = name;
    e->discrete = discrete;
    e->n = n;
    e->k = k;
    e->tol = tol;
}
/* v diag(d) v with v = 1 - 2/3 of ones, which is its own inverse */
static void rotate_diagonal(double *to, const double *d)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            to[3 * i + j] = 0;
            for (int l = 0; l < 3; l++)
                to[3 * i + j] += ((i == l) - 2.0 / 3) * d[l] * ((l == j) - 2.0 / 3);
        }
}

static bool make_continuous(example *e, int i)
{
    switch (i) {
    case 0:
        begin(e, "CAREX 1", false, 2, 1, 1e-15);
        FILL(a, 0, 1, 0, 0), FILL(b, 0, 1), FILL(q, 1, 0, 0, 2), FILL(r, 1), FILL(x, 2, 1, 1, 2);
        return true;
    case 1: {
        double s = 1 + sqrt(2);
        begin(e, "CAREX 2", false, 2, 1, 1e-13);
        FILL(a, 4, 3, -4.5, -3.5), FILL(b, 1, -1), FILL(q, 9, 6, 6, 4), FILL(r, 1),
            FILL(x, 9 * s, 6 * s, 6 * s, 4 * s);
        return true;
    }
    case 2:
    case 3:
    case 4: {
        double d = i == 2 ? 1 : i == 3 ? 1e-3 : 1e-6, h = sqrt(1 + d * d), p = 1 / (2 + h);
        begin(e, "CAREX 7: a nearly uncontrollable state", false, 2, 1, 1e-14);
        FILL(a, 1, 0, 0, -2), FILL(b, d, 0), FILL(q, 1, 1, 1, 1), FILL(r, 1);
        FILL(x, (1 + h) / (d * d), p, p, (1 - d * d * p * p) / 4);
        return true;
    }
    case 5:
    case 6:
    case 7: {
        double d = i == 5 ? 1 : i == 6 ? 1e-6 : 1e6, h = sqrt(1 + 2 * d);
        begin(e, "CAREX 9: scales that differ", false, 2, 1, 1e-14);
        FILL(a, 0, d, 0, 0), FILL(b, 0, 1), FILL(q, 1, 0, 0, 1), FILL(r, 1),
            FILL(x, h / d, 1, 1, h);
        return true;
    }
    case 8:
    case 9: {
        double d = i == 8 ? 1 : 1e-5, up = d + 2 + sqrt((d + 2) * (d + 2) + d * d),
               low = d * (1 + sqrt(2));
        begin(e, "CAREX 10: values of the closed loop that differ", false, 2, 2, 1e-13);
        FILL(a, d + 1, 1, 1, d + 1), FILL(b, 1, 0, 0, 1), FILL(q, d * d, 0, 0, d * d),
            FILL(r, 1, 0, 0, 1);
        FILL(x, (up + low) / 2, (up - low) / 2, (up - low) / 2, (up + low) / 2);
        return true;
    }
    case 10:
    case 11: {
        double d = i == 10 ? 1 : 1e-6;
        begin(e, "CAREX 11: values near the axis", false, 2, 1, i == 10 ? 1e-14 : 1e-8);
        FILL(a, 3 - d, 1, 4, 2 - d), FILL(b, 1, 1),
            FILL(q, 4 * d - 11, 2 * d - 5, 2 * d - 5, 2 * d - 2), FILL(r, 1);
        FILL(x, 2, 1, 1, 1);
        return true;
    }
    case 12: {
        double d = 1e6, x[3], q[] = {1 / d, 1, d};
        begin(e, "CAREX 12: three scales in one", false, 3, 3, 1e-13);
        rotate_diagonal(e->a, (double[]){d, 2 * d, 3 * d});
        rotate_diagonal(e->q, q);
        for (int l = 0; l < 3; l++) {
            e->b[4 * l] = 1;
            e->r[4 * l] = d;
            x[l] = (l + 1) * d * d + sqrt((l + 1) * (l + 1) * d * d * d * d + d * q[l]);
        }
        rotate_diagonal(e->x, x);
        return true;
    }
    default:
        return false;
    }
}

static bool make_discrete(example *e, int i)
{
    switch (i) {
    case 0: {
        double s = (1 + sqrt(5)) / 2;
        begin(e, "DAREX 1", true, 2, 1, 1e-13);
        FILL(a, 4, 3, -4.5, -3.5), FILL(b, 1, -1), FILL(q, 9, 6, 6, 4), FILL(r, 1),
            FILL(x, 9 * s, 6 * s, 6 * s, 4 * s);
        return true;
    }
    case 1:
    case 2: {
        double d = i == 1 ? 100 : 1e6;
        begin(e, "DAREX 12: entries that differ", true, 2, 1, 1e-15);
        FILL(a, 0, d, 0, 0), FILL(b, 0, 1), FILL(q, 1, 0, 0, 1), FILL(r, 1),
            FILL(x, 1, 0, 0, 1 + d * d);
        return true;
    }
    case 3: { /* scalars: x^2 / r + x (1 - q / r - a^2) = q */
        double a[] = {0, 1, 3}, x[3], r = 1e6, q = 1e6;
        begin(e, "DAREX 13: rotated scalars", true, 3, 3, 1e-13);
        rotate_diagonal(e->a, a);
        rotate_diagonal(e->q, (double[]){q, q, q});
        for (int l = 0; l < 3; l++) {
            double p = 1 - q / r - a[l] * a[l];
            e->b[4 * l] = 1;
            e->r[4 * l] = r;
            x[l] = r * (sqrt(p * p + 4 * q / r) - p) / 2;
        }
        rotate_diagonal(e->x, x);
        return true;
    }
    case 4: { /* a slow first state: b^2 x^2 + x (r - r a^2 - b^2) = r */
        double tau = 1e8, a = 1 - 1 / tau, b = 1 / tau, r = 0.25, p = r * (1 - a) * (1 + a) - b * b;
        begin(e, "DAREX 14: a value near the circle", true, 4, 1, 1e-7);
        e->a[0] = a;
        e->a[4] = e->a[9] = e->a[14] = 1;
        e->b[0] = b;
        e->q[15] = 1;
        e->r[0] = r;
        e->x[0] = 2 * r / (p + sqrt(p * p + 4 * b * b * r));
        e->x[5] = e->x[10] = e->x[15] = 1;
        return true;
    }
    case 5:
        begin(e, "DAREX 15: a chain of 100", true, MOST, 1, 1e-13);
        for (int l = 0; l < MOST; l++) {
            if (l + 1 < MOST)
                e->a[l * MOST + l + 1] = 1;
            e->q[l * (MOST + 1)] = 1;
            e->x[l * (MOST + 1)] = l + 1;
        }
        e->b[MOST - 1] = 1;
        e->r[0] = 1;
        return true;
    case 6: /* r = 0: x = q where b is regular */
        begin(e, "a weight of 0", true, 2, 2, 1e-14);
        FILL(a, 1, 2, 0, 3), FILL(b, 1, 1, 0, 1), FILL(q, 2, 1, 1, 3), FILL(x, 2, 1, 1, 3);
        return true;
    default:
        return false;
    }
}

typedef agn_status solver(agn_tensor **, const agn_tensor *, const agn_tensor *, const agn_tensor *,
                          const agn_tensor *);

static void test_examples(void)
{
    static example e;
    for (int discrete = 0; discrete < 2; discrete++)
        for (int i = 0; discrete ? make_discrete(&e, i) : make_continuous(&e, i); i++) {
            solver *solve = discrete ? agn_linalg_discrete_riccati : agn_linalg_continuous_riccati;
            int64_t nn[] = {e.n, e.n}, nk[] = {e.n, e.k}, kk[] = {e.k, e.k};
            agn_tensor *in[] = {of_reals(AGN_F64, 2, nn, e.a), of_reals(AGN_F64, 2, nk, e.b),
                                of_reals(AGN_F64, 2, nn, e.q), of_reals(AGN_F64, 2, kk, e.r),
                                of_reals(AGN_F64, 2, nn, e.x)},
                       *x = NULL;
            agn_status st = solve(&x, in[0], in[1], in[2], in[3]);
            double off = st ? (double)INFINITY : relative(x, in[4]);
            ok(off <= e.tol, "%s, parameter %d: %.1e", e.name, i, off);
            agn_release(x);
            for (int k = 0; k < COUNT(in); k++)
                agn_release(in[k]);
        }
}

/* a residual in the terms of the equation, of r = [1 + d, 1; 1, 1] that is nearly singular (CAREX
   8) */
static void test_near_singular(void)
{
    for (int i = 0; i < 3; i++) {
        double d = i == 0 ? 1 : i == 1 ? 1e-4 : 1e-8;
        agn_scope *s = agn_scope_open(NULL);
        int64_t two[] = {2, 2};
        agn_tensor *in[] = {of_reals(AGN_F64, 2, two, (double[]){-0.1, 0, 0, -0.02}),
                            of_reals(AGN_F64, 2, two, (double[]){0.1, 0, 0.001, 0.01}),
                            of_reals(AGN_F64, 2, two, (double[]){100, 1000, 1000, 10000}),
                            of_reals(AGN_F64, 2, two, (double[]){1 + d, 1, 1, 1})};
        const agn_tensor *x = ag_linalg_continuous_riccati(s, in[0], in[1], in[2], in[3]);
        const agn_tensor *ax = ag_matmul(s, ag_transpose(s, in[0]), x),
                         *bx = ag_matmul(s, ag_transpose(s, in[1]), x);
        const agn_tensor *sum = ag_add(s, ag_add(s, ax, ag_transpose(s, ax)), in[2]);
        const agn_tensor *back = ag_matmul(s, ag_transpose(s, bx), ag_linalg_solve(s, in[3], bx));
        double off = relative(back, sum);
        ok(off < 1e-14 / d, "CAREX 8, r nearly singular, %.0e: %.1e", d, off);
        must(agn_scope_close(s));
        for (int k = 0; k < COUNT(in); k++)
            agn_release(in[k]);
    }
}

/* values on the boundary, weights that are singular: refused by name */
static void test_refusals(void)
{
    int64_t one[] = {1, 1};
    agn_tensor *zero = of_reals(AGN_F64, 2, one, (double[]){0}),
               *unit = of_reals(AGN_F64, 2, one, (double[]){1}), *o = NULL;
    ok(agn_linalg_continuous_riccati(&o, zero, unit, zero, unit) == AGN_EDOMAIN && !o &&
           strstr(agn_error_message(), "no stabilising solution"),
       "a double value 0: %s", agn_error_message());
    ok(agn_linalg_discrete_riccati(&o, unit, unit, zero, unit) == AGN_EDOMAIN && !o &&
           strstr(agn_error_message(), "no stabilising solution"),
       "a double value 1: %s", agn_error_message());
    ok(agn_linalg_continuous_riccati(&o, unit, unit, unit, zero) == AGN_EDOMAIN && !o &&
           strstr(agn_error_message(), "r is singular"),
       "r = 0: %s", agn_error_message());
    ok(agn_linalg_discrete_riccati(&o, zero, zero, unit, zero) == AGN_EDOMAIN && !o,
       "no input at all: %s", agn_error_message());
    agn_release(zero);
    agn_release(unit);
}

int main(void)
{
    test_examples();
    test_near_singular();
    test_refusals();
    int64_t bytes, blocks, peak;
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
