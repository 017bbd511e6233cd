/* tests/t-noncentral.c - laws of Fisher and Student and noncentral ones, Wright's function, spheroidal functions, zeros: values and
   derivatives of mpmath (tests/data/make-noncentral.py), every mode against the families, round trips of quantiles, ends of the
   range, what is refused. */
#include "laws.h"

typedef struct truth {
    const char *name;
    int n;
    double x[4];
    int n_attr;
    int64_t k[6];
    double want;
} truth;
static const truth table[] = {
#include "data/noncentral.inc"
};

static double at(const char *op, int n, const double *x, int n_attr, const int64_t *k)
{
    agn_tensor *in[4], *y = NULL;
    for (int i = 0; i < n; i++)
        in[i] = scalar_of(AGN_F64, x[i]);
    must(agn_op_apply(&y, 1, op, (const agn_tensor *const *)in, n, k, n_attr, NULL, 0));
    double v = peek(y, 0);
    for (int i = 0; i < n; i++)
        agn_release(in[i]);
    agn_release(y);
    return v;
}
/* what an error is a part of: of functions that oscillate or vanish 1 at least */
static double unit_of(const truth *p)
{
    if (!strncmp(p->name, "spheroidal", 10))
        return fmax(fabs(p->want), strlen(p->name) > 10 ? fabs(p->x[0]) : 1);
    return fabs(p->want);
}
static double bound_of(const truth *p)
{
    int64_t orders = 0;
    for (int i = !strcmp(p->name, "noncentral") ? 2 : 1; i < p->n_attr; i++)
        orders += p->k[i];
    if (!strcmp(p->name, "fisher") || !strcmp(p->name, "student"))
        return orders > 1 ? 1e-11 : orders ? 1e-12 : 1e-13;
    if (!strncmp(p->name, "spheroidal", 10))
        return 1e-12;
    return orders && strcmp(p->name, "wright") ? 1e-11 : 2e-13;
}
static void test_values(void)
{
    for (int i = 0; i < COUNT(table); i++) {
        const truth *p = &table[i];
        double v;
        if (strstr(p->name, "zeros")) {
            agn_tensor *y = NULL;
            must(*p->name == 'a' ? agn_airy_zeros(&y, (int32_t)p->k[0], (int32_t)p->k[1])
                                 : agn_kelvin_zeros(&y, (int32_t)p->k[0], (int32_t)p->k[1]));
            v = peek(y, p->k[1] - 1);
            agn_release(y);
        } else {
            v = at(p->name, p->n, p->x, p->n_attr, p->k);
        }
        double e = fabs(v - p->want) / unit_of(p);
        ok(e < bound_of(p), "%s(%g, %g, %g, %g; %d %d %d): %.17g, %.2g off", p->name, p->x[0], p->x[1], p->x[2], p->x[3], (int)p->k[0],
           (int)p->k[1], (int)p->k[2], v, e);
    }
}

/* every public function, by number */
static const agn_tensor *call(agn_scope *s, int f, const agn_tensor *const *x)
{
    switch (f) {
    case 0: return ag_fdtr(s, x[0], x[1], x[2]);
    case 1: return ag_fdtrc(s, x[0], x[1], x[2]);
    case 2: return ag_stdtr(s, x[0], x[1]);
    case 3: return ag_stdtrc(s, x[0], x[1]);
    case 4: return ag_chndtr(s, x[0], x[1], x[2]);
    case 5: return ag_chndtrix(s, x[0], x[1], x[2]);
    case 6: return ag_ncfdtr(s, x[0], x[1], x[2], x[3]);
    case 7: return ag_ncfdtri(s, x[0], x[1], x[2], x[3]);
    case 8: return ag_nctdtr(s, x[0], x[1], x[2]);
    case 9: return ag_nctdtrit(s, x[0], x[1], x[2]);
    case 10: return ag_wright_bessel(s, x[0], x[1], x[2]);
    case 11: return ag_log_wright_bessel(s, x[0], x[1], x[2]);
    case 12: return ag_pro_cv(s, x[0], 1, 3);
    case 13: return ag_obl_cv(s, x[0], 0, 2);
    case 14: return ag_pro_ang1(s, x[0], x[1], 1, 3);
    default: return ag_obl_ang1(s, x[0], x[1], 2, 3);
    }
}
static const struct {
    const char *name;
    int n;
    double x[4];
} calls[] = {
    {"fdtr", 3, {3.5, 6, 0.8}},       {"fdtrc", 3, {3.5, 6, 0.8}},         {"stdtr", 2, {4.5, 0.7}},
    {"stdtrc", 2, {4.5, -0.7}},       {"chndtr", 3, {5, 3.5, 2}},          {"chndtrix", 3, {0.3, 3.5, 2}},
    {"ncfdtr", 4, {3.5, 6, 2, 1.5}},  {"ncfdtri", 4, {3.5, 6, 2, 0.4}},    {"nctdtr", 3, {4.5, 0.8, 1.2}},
    {"nctdtrit", 3, {4.5, 0.8, 0.6}}, {"wright_bessel", 3, {0.6, 1.4, 2}}, {"log_wright_bessel", 3, {0.6, 1.4, 2}},
    {"pro_cv", 1, {1.5}},             {"obl_cv", 1, {1.5}},                {"pro_ang1", 2, {1.5, 0.4}},
    {"obl_ang1", 2, {1.5, -0.3}},
};
static agn_status body(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    out[0] = call(s, *(const int *)user, in);
    return agn_scope_status(s);
}
static double value_of(int f, const double *at_x, int dtype)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x[4] = {NULL};
    for (int i = 0; i < calls[f].n; i++)
        x[i] = ag_full(s, dtype, 0, NULL, at_x[i]);
    double v = peek(call(s, f, x), 0);
    must(agn_scope_close(s));
    return v;
}
static void test_modes(void)
{
    for (int f = 0; f < COUNT(calls); f++) {
        agn_fn *fn = NULL;
        agn_tensor *x[4] = {NULL};
        for (int i = 0; i < calls[f].n; i++)
            x[i] = scalar_of(AGN_F64, calls[f].x[i]);
        must(agn_fn_new(&fn, body, &f, NULL, calls[f].n, 1));
        agn_check_options o = {.size = sizeof o, .orders = 3, .tolerance = 1e-5};
        agn_status st = agn_check_grads(NULL, fn, (const agn_tensor *const *)x, calls[f].n, &o);
        ok(!st, "%s: derivatives in every mode", calls[f].name);
        if (st)
            diag("%s", agn_error_message());
        agn_fn_release(fn);
        for (int i = 0; i < calls[f].n; i++)
            agn_release(x[i]);
        double wide = value_of(f, calls[f].x, AGN_F64), narrow = value_of(f, calls[f].x, AGN_F32);
        ok(fabs(narrow - wide) < 1e-6 * (1 + fabs(wide)), "%s of f32: %.9g for %.9g", calls[f].name, narrow, wide);
    }
}
/* the law at its quantile; the last argument is the probability, or the first one */
static void test_quantiles(void)
{
    static const struct {
        int quantile, law, p;
        double x[4];
    } rows[] = {
        {5, 4, 0, {1e-12, 3, 5}},       {5, 4, 0, {0.999, 30, 200}},   {5, 4, 0, {0.5, 0.75, 0}},
        {7, 6, 3, {3, 5, 4, 1e-9}},     {7, 6, 3, {30, 2, 80, 0.75}},  {9, 8, 2, {4, 2, 1e-10}},
        {9, 8, 2, {4, -2, 0.25}},       {9, 8, 2, {60, 5, 0.9375}},    {9, 8, 2, {2, 0, 0.5}},
    };
    for (int k = 0; k < COUNT(rows); k++) {
        double x[4], p = rows[k].x[rows[k].p];
        memcpy(x, rows[k].x, sizeof x);
        x[rows[k].p] = value_of(rows[k].quantile, x, AGN_F64);
        double q = value_of(rows[k].law, x, AGN_F64);
        ok(fabs(q - p) < 1e-12 * p, "%s(%g) and back: %.17g", calls[rows[k].quantile].name, p, q);
    }
}
static void test_ends(void)
{
#define V(f, ...) value_of(f, (const double[4]){__VA_ARGS__}, AGN_F64)
    ok(V(0, 3, 4, 0) == 0 && V(1, 3, 4, 0) == 1 && V(0, 3, 4, INFINITY) == 1 && V(1, 3, 4, INFINITY) == 0, "F at its ends");
    ok(V(2, 3, 0) == 0.5 && V(2, 3, -INFINITY) == 0 && V(2, 3, INFINITY) == 1 && V(3, 3, INFINITY) == 0, "Student at its ends");
    ok(isnan(V(2, 0, 1)) && isnan(V(2, -1, 1)) && isnan(V(2, NAN, 1)) && isnan(V(2, 3, NAN)), "stdtr: NaN for df not above 0, and NaN");
    ok(fabs(V(2, 0.02, -1e300) / 4.7427487150965789e-7 - 1) < 1e-13 && fabs(V(2, 0.001, 1e200) - 0.68582678751388493) < 1e-15,
       "stdtr far out, where df / t^2 leaves the range");
    ok(isnan(V(0, 1e-10, 4, 1e-300)) && V(0, 4, 4, 1e-300) == 0, "fdtr: NaN where a share is lost, unless its power is 0");
    ok(isnan(V(0, 0, 4, 1)) && isnan(V(0, 3, -4, 1)) && isnan(V(0, 3, 4, -1)), "fdtr: NaN out of its range");
    ok(V(4, 0, 3, 2) == 0 && isnan(V(4, -1, 3, 2)) && isnan(V(4, 1, 3, -2)) && isnan(V(4, 1, 0, 2)) && isnan(V(4, 1, 3, 3e4)),
       "chndtr: 0 at 0, NaN out of its range");
    ok(V(5, 0, 3, 2) == 0 && V(5, 1, 3, 2) == (double)INFINITY && isnan(V(5, 1.5, 3, 2)) && isnan(V(5, -0.5, 3, 2)), "chndtrix at its ends");
    ok(isnan(V(6, 3, 4, -1, 1)) && V(6, 3, 4, 1, 0) == 0 && isnan(V(7, 3, 4, 1, 2)) &&
           isnan(V(6, 6e-64, 200, 2, 1e-287)),
       "ncfdtr and its quantile out of range");
    ok(V(8, 3, 1, INFINITY) == 1 && V(8, 3, 1, -INFINITY) == 0 && isnan(V(8, 3, 2e4, 1)) && V(9, 3, 1, 0) == -(double)INFINITY,
       "nctdtr at its ends");
    ok(fabs(V(4, 2.5, 3, 0) / value_of(4, (const double[4]){2.5, 3, 1e-300}, AGN_F64) - 1) < 1e-15, "nc = 0 is the central law");
    ok(fabs(V(8, 5, 0, 1.25) / V(2, 5, 1.25) - 1) < 1e-13, "nc = 0 is Student's law");
    ok(V(10, 0.5, 0, 0) == 0 && V(10, 0.5, 1, 0) == 1 && isnan(V(10, -1, 1, 1)) && isnan(V(10, 1, 1, -1)), "wright_bessel at its ends");
    ok(isnan(V(11, 0, 1, 1e7)) && V(11, 1, 1, 4e6) > 3900, "log_wright_bessel beyond the range, NaN of too many terms");
    ok(V(13, 0) == 6 && V(12, 0) == 12 && isnan(V(12, 101)), "characteristic values of c = 0, NaN beyond 100");
    ok(isnan(V(14, 1, 1.5)) && V(14, 1, 1) == 0, "pro_ang1 at 1 and beyond");
}
static void test_refused(void)
{
    agn_tensor *x = scalar_of(AGN_F64, 1), *y = NULL;
    ok(agn_pro_cv(&y, x, 61, 70) == AGN_EARG && strstr(agn_error_message(), "61"), "pro_cv: order 61");
    ok(agn_obl_cv(&y, x, 3, 2) == AGN_EARG && strstr(agn_error_message(), "degree 2"), "obl_cv: degree below the order");
    ok(agn_pro_ang1(&y, x, x, 0, 101) == AGN_EARG && agn_obl_ang1(&y, x, x, -1, 2) == AGN_EARG, "ang1: degree 101, order -1");
    ok(agn_airy_zeros(&y, 4, 1) == AGN_EARG && agn_airy_zeros(&y, 0, 0) == AGN_EARG, "airy_zeros: kind 4, none");
    ok(agn_kelvin_zeros(&y, 8, 1) == AGN_EARG && agn_kelvin_zeros(&y, 0, 151) == AGN_EARG, "kelvin_zeros: kind 8, 151 of them");
    int64_t k[6] = {0, 0, 9, 0, 0, 0};
    const agn_tensor *in[4] = {x, x, x, x};
    ok(agn_op_apply(&y, 1, "noncentral", in, 4, k, 6, NULL, 0) == AGN_EARG && strstr(agn_error_message(), "derivative 9"),
       "noncentral: a ninth derivative");
    ok(!y, "nothing is given");
    agn_release(x);
}
int main(void)
{
    test_values();
    test_modes();
    test_quantiles();
    test_ends();
    test_refused();
    return done();
}
