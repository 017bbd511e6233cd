/* tests/t-hypergeometric.c - functions of hypergeometric kind: values of mpmath (tests/data/make-special-points.py) in f64
   and f32, derivatives in every mode, in the argument, or in all of them; ends of the range; what is refused. */
#include "laws.h"

typedef struct truth {
    const char *name;
    double x[6];
    int k;
    double value, amplitude;
} truth;
static const truth table[] = {
#include "data/hypergeometric.inc"
};

#define ORDER(F) F(spherical_jn) F(spherical_yn) F(spherical_in) F(spherical_kn)
#define TWO(F) F(struve) F(modstruve) F(polylog) F(jacobi_am) F(jacobi_sn) F(jacobi_cn) F(jacobi_dn)
#define THREE(F) F(hyp1f1) F(hyperu)

static agn_status call(agn_tensor **y, const truth *p, agn_tensor *const *x)
{
#define F(f) \
    if (!strcmp(p->name, #f)) \
        return agn_##f(y, x[0], p->k);
    ORDER(F)
#undef F
#define F(f) \
    if (!strcmp(p->name, #f)) \
        return agn_##f(y, x[0], x[1]);
    TWO(F)
#undef F
#define F(f) \
    if (!strcmp(p->name, #f)) \
        return agn_##f(y, x[0], x[1], x[2]);
    THREE(F)
#undef F
    if (!strcmp(p->name, "hyp2f1"))
        return agn_hyp2f1(y, x[0], x[1], x[2], x[3]);
    if (!strcmp(p->name, "assoc_legendre"))
        return agn_assoc_legendre(y, x[0], p->k / 1000, p->k % 1000);
    if (!strcmp(p->name, "sph_harm"))
        return agn_sph_harm(y, x[0], x[1], p->k / 1000, p->k % 1000);
    if (!strcmp(p->name, "lambertw_complex")) {
        agn_tensor *z = NULL;
        must(agn_complex(&z, x[0], x[1]));
        agn_status st = agn_lambertw_complex(y, z, p->k);
        agn_release(z);
        return st;
    }
    bail_out("no function %s", p->name);
    return AGN_EARG;
}
/* the first number: of a complex result its real part */
static double value_of(const truth *p, int dtype)
{
    agn_tensor *x[6], *y = NULL;
    if (!strcmp(p->name, "wigner_3j")) {
        double v = -9;
        int j[6];
        for (int i = 0; i < 6; i++)
            j[i] = (int)p->x[i];
        must(agn_wigner_3j(&v, j[0], j[1], j[2], j[3], j[4], j[5]));
        return v;
    }
    for (int i = 0; i < 6; i++)
        x[i] = scalar_of(dtype, p->x[i]);
    must(call(&y, p, x));
    agn_dtype is = agn_dtype_of(y);
    double v = is == AGN_C128 ? *(const double *)agn_data(y) : is == AGN_C64 ? (double)*(const float *)agn_data(y) : peek(y, 0);
    agn_release(y);
    for (int i = 0; i < 6; i++)
        agn_release(x[i]);
    return v;
}

static void test_values(void)
{
    for (int k = 0; k < COUNT(table);) {
        tally t = {0, 0};
        double worst = 0;
        const char *name = table[k].name;
        for (; k < COUNT(table) && !strcmp(table[k].name, name); k++) {
            const truth *p = &table[k];
            double v = value_of(p, AGN_F64), e = fabs(v - p->value) / (p->amplitude > 0 ? p->amplitude : fabs(p->value));
            if (p->value == 0)
                e = fabs(v);
            check(&t, e < 1e-13, "%s(%.17g, %.17g, %.17g, %.17g; %d) = %.17g, not %.17g: %.2g", name, p->x[0], p->x[1], p->x[2],
                  p->x[3], p->k, v, p->value, e);
            worst = fmax(worst, e);
        }
        diag("%s: %.2g", name, worst);
        tell(&t, "%s: values of mpmath", name);
    }
}
/* f32 is f64, rounded */
static void test_f32(void)
{
    static const truth at[] = {
        {"spherical_jn", {1.5}, 2, 0, 0}, {"hyp1f1", {0.5, 1.25, -3}, 0, 0, 0}, {"hyperu", {0.5, 1.25, 3}, 0, 0, 0},
        {"hyp2f1", {0.5, 1.25, 3, 0.75}, 0, 0, 0}, {"struve", {0.5, 1.25}, 0, 0, 0}, {"polylog", {2.5, -1.25}, 0, 0, 0},
        {"jacobi_cn", {0.5, 0.25}, 0, 0, 0}, {"lambertw_complex", {0.5, 0.25}, -2, 0, 0}, {"sph_harm", {0.5, 0.25}, 4002, 0, 0},
    };
    tally t = {0, 0};
    for (int i = 0; i < COUNT(at); i++)
        check(&t, fabs(value_of(&at[i], AGN_F32) / value_of(&at[i], AGN_F64) - 1) < 1e-6, "%s in f32", at[i].name);
    tell(&t, "f32");
}

/* ---- derivatives -------------------------------------------------------------------------------------- */

static void test_closed_families(void)
{
    static const struct {
        const char *op;
        int n, n_int;
        double x[4];
        int64_t at[4];
    } points[] = {
        {"jacobi_elliptic", 2, 1, {0.8, 0.4}, {0}}, {"jacobi_elliptic", 2, 1, {1.3, -0.7}, {1}},
        {"jacobi_elliptic", 2, 1, {-0.6, 0.9}, {2}}, {"jacobi_elliptic", 2, 1, {2.1, 0.6}, {3}},
        {"lambert_plane", 2, 2, {0.7, 0.9}, {0, 0}}, {"lambert_plane", 2, 2, {-1.7, 0.2}, {-1, 1}},
        {"spherical_bessel", 1, 2, {1.7}, {0, 0}}, {"spherical_bessel", 1, 2, {1.7}, {1, 2}},
        {"spherical_bessel", 1, 2, {0.9}, {2, 3}}, {"spherical_bessel", 1, 2, {0.9}, {3, 1}},
        {"bessel", 2, 3, {1.5, 3.25}, {0, 0, 0}}, {"bessel", 2, 3, {2.25, 1.5}, {1, 0, 0}},
        {"bessel", 2, 3, {0.75, 1.5}, {2, 0, 0}}, {"bessel", 2, 3, {-1.25, 2.5}, {2, 1, 0}},
        {"bessel", 2, 3, {-0.75, 2.5}, {0, 1, 0}}, {"bessel", 2, 3, {-2.25, 2.5}, {1, 1, 0}},
    };
    for (int k = 0; k < COUNT(points); k++) {
        agn_tensor *x[4] = {NULL};
        for (int i = 0; i < points[k].n; i++)
            x[i] = scalar_of(AGN_F64, points[k].x[i]);
        agn_check_options o = {.size = sizeof o, .orders = 3, .tolerance = 1e-6};
        agn_status st = agn_op_check(NULL, points[k].op, (const agn_tensor *const *)x, points[k].n, points[k].at, points[k].n_int,
                                     NULL, 0, &o);
        ok(!st, "%s %d: derivatives of order 3 in every mode", points[k].op, k);
        if (st)
            diag("%s", agn_error_message());
        for (int i = 0; i < points[k].n; i++)
            agn_release(x[i]);
    }
}

/* functions whose parameters are constants */
typedef struct member {
    const char *name;
    double p[3];
    double x;
} member;
static const agn_tensor *of_argument(const member *m, agn_scope *s, const agn_tensor *x)
{
    const agn_tensor *p[3];
    for (int k = 0; k < 3; k++)
        p[k] = ag_full(s, AGN_F64, 0, NULL, m->p[k]);
    if (!strcmp(m->name, "hyp1f1"))
        return ag_hyp1f1(s, p[0], p[1], x);
    if (!strcmp(m->name, "hyperu"))
        return ag_hyperu(s, p[0], p[1], x);
    if (!strcmp(m->name, "hyp2f1"))
        return ag_hyp2f1(s, p[0], p[1], p[2], x);
    if (!strcmp(m->name, "struve"))
        return ag_struve(s, p[0], x);
    if (!strcmp(m->name, "modstruve"))
        return ag_modstruve(s, p[0], x);
    if (!strcmp(m->name, "polylog"))
        return ag_polylog(s, p[0], x);
    if (!strcmp(m->name, "sph_harm"))
        return ag_real(s, ag_sph_harm(s, x, p[2], (int)m->p[0], (int)m->p[1]));
    return ag_assoc_legendre(s, x, (int)m->p[0], (int)m->p[1]);
}
static agn_status argument_body(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    out[0] = of_argument(user, s, in[0]);
    return agn_scope_status(s);
}
static const member members[] = {
    {"hyp1f1", {0.5, 1.5, 0}, -2.3},  {"hyp1f1", {-1.25, 0.5, 0}, 1.3},  {"hyperu", {0.75, 0.5, 0}, 1.4},
    {"hyperu", {-0.75, 2.5, 0}, 2.4}, {"hyp2f1", {0.5, 1, 1.5}, 0.8},    {"hyp2f1", {0.5, -1.25, 1.5}, -2},
    {"struve", {0, 0, 0}, 2.5},       {"struve", {1.5, 0, 0}, 0.5},      {"modstruve", {0.25, 0, 0}, 1.5},
    {"polylog", {2, 0, 0}, 0.7},      {"polylog", {1.5, 0, 0}, -2},      {"sph_harm", {3, 2, 0.4}, 1.1},
    {"sph_harm", {4, -3, 0.4}, 2.1},  {"assoc_legendre", {4, 3, 0}, 0.3}, {"assoc_legendre", {4, 2, 0}, -0.6},
};
static void test_arguments(void)
{
    for (int k = 0; k < COUNT(members); k++) {
        agn_fn *f = NULL;
        agn_tensor *x = scalar_of(AGN_F64, members[k].x);
        must(agn_fn_new(&f, argument_body, (void *)&members[k], NULL, 1, 1));
        agn_check_options o = {.size = sizeof o, .orders = 3, .tolerance = 1e-6};
        agn_status st = agn_check_grads(NULL, f, (const agn_tensor *const[]){x}, 1, &o);
        ok(!st, "%s at %g: derivatives of order 3 in every mode", members[k].name, members[k].x);
        if (st)
            diag("%s", agn_error_message());
        agn_fn_release(f);
        agn_release(x);
    }
}

/* ---- what is refused, and ends of the range ------------------------------------------------------------- */

static void test_refusals(void)
{
    agn_tensor *x = scalar_of(AGN_F64, 0.5), *z = scalar_of(AGN_C128, 0.5), *y = untouched;
    int64_t three = 3, five = 5;
    agn_tensor *a = NULL, *b = NULL;
    must(agn_full(&a, AGN_F64, 1, &three, 0.5));
    must(agn_full(&b, AGN_F64, 1, &five, 0.5));
    ok(refused(agn_struve(&y, NULL, x), AGN_ENULL, "struve", "NULL", NULL, y), "NULL");
    ok(refused(agn_hyp1f1(&y, x, x, z), AGN_EDTYPE, "hyp1f1", "c128", NULL, y), "complex");
    ok(refused(agn_polylog(&y, a, b), AGN_ESHAPE, "polylog", "[3]", "[5]", y), "shapes");
    ok(refused(agn_spherical_jn(&y, x, -1), AGN_EARG, "spherical_jn", "order -1", "0 to 499", y), "order -1");
    ok(refused(agn_spherical_kn(&y, x, 500), AGN_EARG, "spherical_kn", "order 500", "0 to 499", y), "order 500");
    ok(refused(agn_assoc_legendre(&y, x, -1, 0), AGN_EARG, "assoc_legendre", "degree -1", "0 to 200", y), "degree -1");
    ok(refused(agn_assoc_legendre(&y, x, 3, 4), AGN_EARG, "assoc_legendre", "order 4", "3", y), "order 4 of degree 3");
    ok(refused(agn_assoc_legendre(&y, x, 3, -2), AGN_EARG, "assoc_legendre", "order -2", "negative", y), "order -2");
    ok(refused(agn_assoc_legendre(&y, x, 90, 80), AGN_EARG, "assoc_legendre", "above 150", "90", y), "overflow");
    ok(refused(agn_sph_harm(&y, x, x, 201, 0), AGN_EARG, "sph_harm", "degree 201", "0 to 200", y), "degree 201");
    ok(refused(agn_sph_harm(&y, x, NULL, 1, 0), AGN_ENULL, "sph_harm", "phi", "NULL", y), "NULL phi");
    ok(refused(agn_sph_harm(&y, a, b, 1, 0), AGN_ESHAPE, "sph_harm", "[3]", "[5]", y), "shapes of angles");
    ok(refused(agn_lambertw_complex(&y, z, 2000000), AGN_EARG, "lambertw_complex", "branch 2000000", NULL, y), "branch");
    ok(refused(agn_lambertw_complex(&y, NULL, 0), AGN_ENULL, "lambertw_complex", "z", "NULL", y), "NULL z");
    double v = 7;
    ok(agn_wigner_3j(NULL, 1, 1, 0, 1, -1, 0) == AGN_ENULL, "NULL number");
    ok(agn_wigner_3j(&v, -1, 1, 0, 1, -1, 0) == AGN_EARG && strstr(agn_error_message(), "two_j1 = -1") && v == 7, "negative j");
    ok(agn_wigner_3j(&v, 2, 2, 0, 1, -1, 0) == AGN_EARG && strstr(agn_error_message(), "odd") && v == 7, "parity");
    ok(!agn_wigner_3j(&v, 2, 2, 6, 0, 0, 0) && v == 0 && !agn_wigner_3j(&v, 2, 2, 2, 0, 0, 0) && v == 0 &&
           !agn_wigner_3j(&v, 2, 2, 4, 2, 0, 0) && v == 0,
       "selection rules");
    agn_release(a);
    agn_release(b);
    agn_release(x);
    agn_release(z);
}

static double at(const char *name, double a, double b, double c, double d, int k)
{
    truth p = {name, {a, b, c, d}, k, 0, 0};
    return value_of(&p, AGN_F64);
}
static void test_ends(void)
{
    double inf = (double)INFINITY, nan = (double)NAN;
    ok(at("spherical_jn", 0, 0, 0, 0, 0) == 1 && at("spherical_jn", 0, 0, 0, 0, 3) == 0 && at("spherical_jn", inf, 0, 0, 0, 1) == 0 &&
           at("spherical_yn", 0, 0, 0, 0, 2) == -inf && at("spherical_kn", 0, 0, 0, 0, 2) == inf &&
           isnan(at("spherical_kn", -1, 0, 0, 0, 2)) && isnan(at("spherical_in", nan, 0, 0, 0, 2)) &&
           fabs(at("spherical_jn", 1e-300, 0, 0, 0, 1) / (1e-300 / 3) - 1) < 1e-14 &&
           at("spherical_jn", -1.5, 0, 0, 0, 3) == -at("spherical_jn", 1.5, 0, 0, 0, 3) &&
           at("spherical_yn", -1.5, 0, 0, 0, 2) == -at("spherical_yn", 1.5, 0, 0, 0, 2),
       "spherical Bessel functions at the ends");
    ok(at("hyp1f1", 2, 3, 0, 0, 0) == 1 && at("hyp1f1", 0, 3, 5, 0, 0) == 1 && isnan(at("hyp1f1", 1, -2, 5, 0, 0)) &&
           isnan(at("hyp1f1", 101, 2, 5, 0, 0)) && isnan(at("hyp1f1", nan, 2, 5, 0, 0)) && isnan(at("hyperu", 1, 2, -5, 0, 0)) &&
           at("hyperu", 1, 2, 0, 0, 0) == inf && fabs(at("hyperu", 1, 0.5, 0, 0, 0) - 2) < 1e-13 && at("hyperu", 0, 2, 3, 0, 0) == 1,
       "confluent functions at the ends");
    ok(isnan(at("hyp2f1", 1, 2, 3, 1.5, 0)) && isnan(at("hyp2f1", 1, 2, -3, 0.5, 0)) && at("hyp2f1", 1, 2, 3, 1, 0) == inf &&
           fabs(at("hyp2f1", 1, 2, 4, 1, 0) - 3) < 1e-13 && isnan(at("hyp2f1", 1, nan, 3, 0.5, 0)) &&
           fabs(at("hyp2f1", -2, 3, 1.5, 3, 0) - (1 - 4.0 * 3 + 3.2 * 9)) < 1e-12 && isnan(at("hyp2f1", 300, 2, 3, 0.5, 0)) &&
           isnan(at("hyp2f1", -82.193494918120265, -0.41412350535392761, -93.713294982910156, -7.8205966949462891, 0)),
       "Gauss' function at the ends");
    ok(at("struve", 0, 0, 0, 0, 0) == 0 && isnan(at("struve", 0.5, -1, 0, 0, 0)) && isnan(at("struve", 101, 1, 0, 0, 0)) &&
           at("struve", 0, -2, 0, 0, 0) == -at("struve", 0, 2, 0, 0, 0) && isnan(at("modstruve", nan, 1, 0, 0, 0)) &&
           at("modstruve", 1, -2, 0, 0, 0) == at("modstruve", 1, 2, 0, 0, 0) && at("modstruve", 1, inf, 0, 0, 0) == inf,
       "Struve's functions at the ends");
    ok(at("polylog", 2, 0, 0, 0, 0) == 0 && fabs(at("polylog", 2, 1, 0, 0, 0) - 1.6449340668482264) < 1e-14 &&
           at("polylog", 1, 1, 0, 0, 0) == inf && isnan(at("polylog", 2, 1.5, 0, 0, 0)) && isnan(at("polylog", nan, 0.5, 0, 0, 0)) &&
           isnan(at("polylog", -9, -3, 0, 0, 0)) && isnan(at("polylog", -40, -0.25, 0, 0, 0)) && isnan(at("polylog", -20, -0.5, 0, 0, 0)) &&
           fabs(at("polylog", -7.875, -0.4, 0, 0, 0) / 0.6886963475403155543 - 1) < 1e-13,
       "the polylogarithm at the ends, and where its series cancels");
    ok(at("jacobi_sn", 0, 0.5, 0, 0, 0) == 0 && fabs(at("jacobi_dn", 3, 0, 0, 0, 0) - 1) < 1e-15 && fabs(at("jacobi_sn", 1, 1, 0, 0, 0) - tanh(1)) < 1e-15 &&
           isnan(at("jacobi_am", 1, 1.5, 0, 0, 0)) && isnan(at("jacobi_cn", nan, 0.5, 0, 0, 0)) && isnan(at("jacobi_cn", 1e9, 0.5, 0, 0, 0)),
       "elliptic functions at the ends");
    ok(at("lambertw_complex", 0, 0, 0, 0, 0) == 0 && at("lambertw_complex", 0, 0, 0, 0, 2) == -inf &&
           isnan(at("lambertw_complex", nan, 0, 0, 0, 0)) && isnan(at("lambertw_complex", inf, 0, 0, 0, 0)),
       "Lambert's W at the ends");
    ok(isnan(at("assoc_legendre", 1.5, 0, 0, 0, 3001)) && at("assoc_legendre", 1, 0, 0, 0, 3001) == 0 &&
           at("assoc_legendre", 1, 0, 0, 0, 3000) == 1 && isnan(at("sph_harm", nan, 0, 0, 0, 3001)),
       "spherical harmonics at the ends");
}

int main(void)
{
    test_values();
    test_f32();
    test_closed_families();
    test_arguments();
    test_refusals();
    test_ends();
    return done();
}
