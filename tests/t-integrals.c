/* tests/t-integrals.c - functions of agnesi/integrals.h: values of mpmath (tests/data/make-integrals.py) in f64 and f32, inverses
   by round trip, derivatives in every mode, ends of the range, what is refused. */
#include "laws.h"

typedef struct truth {
    const char *name;
    int k;
    double x[3];
    int n;
    double value, amplitude;
} truth;
static const truth table[] = {
#include "data/integrals.inc"
};

#define ORDER(F) F(debye) F(transport) F(kelvin_ber) F(kelvin_bei) F(kelvin_ker) F(kelvin_kei)
#define ONE(F) \
    F(sine_integral) F(cosine_integral) F(sinh_integral) F(cosh_integral) F(clausen) F(rgamma) F(gamma) F(digammainv) \
    F(wright_omega) F(exprel) F(cosm1) F(ellipkm1) F(spence) F(dirichlet_eta) F(log1pmx) F(kolmogorov)
#define TWO(F) \
    F(fermi_dirac) F(beta) F(betaln) F(binom) F(boxcox) F(boxcox1p) F(inv_boxcox) F(inv_boxcox1p) F(agm) F(parabolic_d) F(parabolic_v) F(stdtr) \
    F(stdtrc) F(stdtrit) F(chdtr) F(chdtrc) F(chdtri) F(pdtr) F(pdtrc) F(pdtri) F(log_gammainc) F(log_gammaincc) F(hankel1) F(hankel2) \
    F(poch) F(kl_div) F(huber) F(pseudo_huber) F(modstruve)
#define THREE(F) \
    F(elliprg) F(fdtr) F(fdtrc) F(fdtri) F(gdtr) F(gdtrc) F(gdtrix) F(bdtr) F(bdtrc) F(bdtri) F(nbdtr) F(nbdtrc) F(nbdtri) \
    F(log_betainc) F(log_betaincc)

/* the call by name; ag_: in a scope */
static agn_status call(agn_tensor **y, const char *name, int k, const agn_tensor *const *x)
{
#define F(f) \
    if (!strcmp(name, #f)) \
        return agn_##f(y, x[0], k);
    ORDER(F)
#undef F
#define F(f) \
    if (!strcmp(name, #f)) \
        return agn_##f(y, x[0]);
    ONE(F)
#undef F
#define F(f) \
    if (!strcmp(name, #f)) \
        return agn_##f(y, x[0], x[1]);
    TWO(F)
#undef F
#define F(f) \
    if (!strcmp(name, #f)) \
        return agn_##f(y, x[0], x[1], x[2]);
    THREE(F)
#undef F
    bail_out("no function %s", name);
    return AGN_EARG;
}
static double value_of(const char *name, int k, int n, const double *p, int dtype)
{
    agn_tensor *x[3] = {NULL}, *y = NULL;
    for (int i = 0; i < n; i++)
        x[i] = scalar_of(dtype, p[i]);
    must(call(&y, name, k, (const agn_tensor *const *)x));
    double v = agn_dtype_of(y) == AGN_C128 ? ((const double *)agn_data(y))[1] : peek(y, 0);
    agn_release(y);
    for (int i = 0; i < n; i++)
        agn_release(x[i]);
    return v;
}
static double at(const char *name, int k, double a, double b, double c)
{
    const double p[] = {a, b, c};
    return value_of(name, k, 3, p, AGN_F64);
}

static void test_values(void)
{
    for (int k = 0; k < COUNT(table);) {
        tally t = {0, 0};
        double worst = 0;
        const char *name = table[k].name;
        for (; k < COUNT(table) && !strcmp(table[k].name, name); k++) {
            const truth *p = &table[k];
            double v = value_of(name, p->k, p->n, p->x, AGN_F64), e = fabs(v - p->value) / (p->amplitude > 0 ? p->amplitude : fabs(p->value));
            if (p->value == 0)
                e = fabs(v);
            check(&t, e < 2e-13, "%s(%.17g, %.17g, %.17g; %d) = %.17g, not %.17g: %.2g", name, p->x[0], p->x[1], p->x[2], p->k, v,
                  p->value, e);
            worst = fmax(worst, e);
            double f = value_of(name, p->k, p->n, (const double[]){p->x[0] < 1e-30 ? 0.5 : 0.75, 0.5, 0.25}, AGN_F32);
            check(&t, fabs(f - value_of(name, p->k, p->n, (const double[]){p->x[0] < 1e-30 ? 0.5 : 0.75, 0.5, 0.25}, AGN_F64)) <= 2e-6 * fmax(1, fabs(f)),
                  "%s in f32", name);
        }
        diag("%s: %.2g", name, worst);
        tell(&t, "%s: values of mpmath", name);
    }
}

/* F(quantile) = p */
static void test_inverses(void)
{
    static const struct {
        const char *inverse, *name;
        double a, b, p;
        bool one; /* one parameter */
    } pair[] = {
        {"stdtrit", "stdtr", 3.5, 0, 0.1, true},  {"stdtrit", "stdtr", 1, 0, 1e-9, true}, {"stdtrit", "stdtr", 40, 0, 0.45, true},
        {"stdtrit", "stdtr", 0.7, 0, 0.9, true},  {"fdtri", "fdtr", 3.5, 7, 0.1, false},  {"fdtri", "fdtr", 20, 2, 0.99, false},
        {"chdtri", "chdtrc", 4, 0, 0.01, true},   {"chdtri", "chdtrc", 0.5, 0, 0.7, true}, {"gdtrix", "gdtr", 2, 3.5, 0.2, false},
        {"gdtrix", "gdtr", 0.1, 50, 0.9, false},  {"pdtri", "pdtr", 4, 0, 0.3, true},     {"pdtri", "pdtr", 0, 0, 0.9, true},
        {"bdtri", "bdtr", 4, 10, 0.3, false},     {"bdtri", "bdtr", 0, 3, 0.01, false},   {"nbdtri", "nbdtr", 4, 10, 0.3, false},
        {"nbdtri", "nbdtr", 0, 2.5, 0.8, false},
    };
    tally t = {0, 0};
    for (int k = 0; k < COUNT(pair); k++) {
        bool one = pair[k].one;
        double q = one ? at(pair[k].inverse, 0, pair[k].a, pair[k].p, 0) : at(pair[k].inverse, 0, pair[k].a, pair[k].b, pair[k].p);
        double p = one ? at(pair[k].name, 0, pair[k].a, q, 0) : at(pair[k].name, 0, pair[k].a, pair[k].b, q);
        check(&t, fabs(p / pair[k].p - 1) < 1e-12, "%s(%g, %g): %.17g at %.17g, not %g", pair[k].inverse, pair[k].a, pair[k].b, p, q,
              pair[k].p);
    }
    tell(&t, "quantiles");
    for (double lambda = -1; lambda <= 1; lambda += 0.5) {
        double y = at("boxcox", 0, 2.25, lambda, 0), z = at("boxcox1p", 0, 1.25, lambda, 0);
        check(&t, fabs(at("inv_boxcox", 0, y, lambda, 0) - 2.25) < 1e-13 && fabs(at("inv_boxcox1p", 0, z, lambda, 0) - 1.25) < 1e-13,
              "lambda %g", lambda);
    }
    tell(&t, "transforms of Box and Cox");
}

/* ---- derivatives ------------------------------------------------------------------------------------------ */

static void test_ops(void)
{
    static const struct {
        const char *op;
        int n, n_int;
        double x[2];
        int64_t at[2];
    } points[] = {
        {"sine_integral", 1, 1, {1.7}, {0}}, {"sine_integral", 1, 1, {1.7}, {1}},  {"sine_integral", 1, 1, {-0.8}, {2}},
        {"sine_integral", 1, 1, {1.7}, {3}}, {"sine_integral", 1, 1, {6.3}, {0}},  {"clausen", 1, 0, {1.2}, {0}},
        {"clausen", 1, 0, {-4.2}, {0}},      {"debye", 1, 2, {1.7}, {3, 0}},       {"debye", 1, 2, {5.7}, {2, 0}},
        {"debye", 1, 2, {-2.7}, {1, 1}},     {"fermi_dirac", 2, 1, {1.5, 0.7}, {0}}, {"fermi_dirac", 2, 1, {0.5, -1.7}, {0}},
        {"fermi_dirac", 2, 1, {3.2, 4.7}, {1}}, {"kelvin", 1, 2, {1.7}, {0, 0}},   {"kelvin", 1, 2, {2.7}, {1, 1}},
        {"kelvin", 1, 2, {1.7}, {2, 0}},     {"kelvin", 1, 2, {2.7}, {3, 2}},      {"rgamma", 1, 1, {1.7}, {0}},
        {"rgamma", 1, 1, {-2}, {0}},         {"rgamma", 1, 1, {-1.3}, {1}},        {"digammainv", 1, 0, {0.4}, {0}},
        {"digammainv", 1, 0, {-2.4}, {0}},   {"wright_omega", 1, 0, {0.7}, {0}},   {"wright_omega", 1, 0, {-3}, {0}},
    };
    for (int k = 0; k < COUNT(points); k++) {
        agn_tensor *x[2] = {NULL};
        for (int i = 0; i < points[k].n; i++)
            x[i] = scalar_of(AGN_F64, points[k].x[i]);
        agn_check_options o = {.size = sizeof o, .orders = 4, .tolerance = 1e-6};
        agn_status st = agn_op_check(NULL, points[k].op, (const agn_tensor *const *)x, points[k].n, points[k].at, points[k].n_int,
                                     NULL, 0, &o);
        ok(!st, "%s %d: derivatives of order 4 in every mode", points[k].op, k);
        if (st)
            diag("%s", agn_error_message());
        for (int i = 0; i < points[k].n; i++)
            agn_release(x[i]);
    }
}
static agn_status body(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const truth *p = user;
#define F(f) \
    if (!strcmp(p->name, #f)) \
        out[0] = ag_##f(s, in[0], p->k);
    ORDER(F)
#undef F
#define F(f) \
    if (!strcmp(p->name, #f)) \
        out[0] = ag_##f(s, in[0]);
    ONE(F)
#undef F
#define F(f) \
    if (!strcmp(p->name, #f)) \
        out[0] = ag_##f(s, in[0], in[1]);
    TWO(F)
#undef F
#define F(f) \
    if (!strcmp(p->name, #f)) \
        out[0] = ag_##f(s, in[0], in[1], in[2]);
    THREE(F)
#undef F
    if (!strncmp(p->name, "hankel", 6))
        out[0] = ag_imag(s, out[0]);
    return agn_scope_status(s);
}
static void test_compositions(void)
{
    static const truth points[] = { /* value: orders, where differences of three are too coarse */
        {"transport", 3, {1.7}, 1, 0, 0},            {"gamma", 0, {2.3}, 1, 0, 0},           {"gamma", 0, {-1.3}, 1, 0, 0},
        {"beta", 0, {1.3, 2.2}, 2, 0, 0},            {"betaln", 0, {1.3, 2.2}, 2, 0, 0},     {"binom", 0, {4.3, 2.2}, 2, 0, 0},
        {"exprel", 0, {0}, 1, 0, 0},                 {"exprel", 0, {1.7}, 1, 0, 0},          {"cosm1", 0, {0.3}, 1, 0, 0},
        {"boxcox", 0, {1.7, 0}, 2, 0, 0},            {"boxcox", 0, {1.7, 0.8}, 2, 0, 0},     {"boxcox1p", 0, {0.7, 0}, 2, 0, 0},
        {"inv_boxcox", 0, {0.7, 0}, 2, 0, 0},        {"inv_boxcox1p", 0, {0.7, 0.9}, 2, 0, 0}, {"agm", 0, {0.7, 1.9}, 2, 0, 0},
        {"ellipkm1", 0, {0.4}, 1, 0, 0},             {"elliprg", 0, {0.4, 1.3, 2.2}, 3, 0, 0}, {"spence", 0, {1.4}, 1, 0, 0},
        {"spence", 0, {1}, 1, 0, 0},                 {"dirichlet_eta", 0, {1}, 1, 0, 0},     {"parabolic_d", 0, {1.4, 0}, 2, 0, 0},
        {"parabolic_d", 0, {-0.6, -1.3}, 2, 0, 0},   {"parabolic_d", 0, {1.7, 2.3}, 2, 0, 0}, {"hankel1", 0, {1.2, 2.3}, 2, 0, 0},
        {"stdtr", 0, {3.4, -1.2}, 2, 0, 0},          {"stdtrc", 0, {3.4, -1.2}, 2, 0, 0},    {"stdtrit", 0, {3.4, 0.2}, 2, 0, 0},
        {"fdtr", 0, {3.4, 5, 1.2}, 3, 0, 0},         {"fdtrc", 0, {3.4, 5, 1.2}, 3, 0, 0},   {"fdtri", 0, {3.4, 5, 0.4}, 3, 0, 0},
        {"chdtr", 0, {3.4, 2.2}, 2, 0, 0},           {"chdtri", 0, {3.4, 0.2}, 2, 0, 0},     {"gdtr", 0, {2, 3.4, 1.2}, 3, 0, 0},
        {"gdtrix", 0, {2, 3.4, 0.3}, 3, 0, 0},       {"log_gammainc", 0, {3.4, 2.2}, 2, 0, 0}, {"log_gammainc", 0, {40, 1.2}, 2, 0, 0},
        {"log_gammaincc", 0, {3.4, 90}, 2, 0, 0},    {"log_gammaincc", 0, {1.4, 0.7}, 2, 0, 0},
        {"log_betainc", 0, {2.4, 3, 0.4}, 3, 0, 0},  {"log_betainc", 0, {60, 3, 0.25}, 3, 2, 0},
        {"log_betaincc", 0, {2.4, 30, 0.92}, 3, 1, 0},
        {"log1pmx", 0, {0}, 1, 0, 0},                {"log1pmx", 0, {-0.3}, 1, 0, 0},        {"log1pmx", 0, {2.5}, 1, 0, 0},
        {"poch", 0, {2.3, 1.4}, 2, 0, 0},            {"poch", 0, {-1.3, 2.2}, 2, 0, 0},      {"poch", 0, {190, 2.5}, 2, 0, 0},
        {"kl_div", 0, {1.4, 1.5}, 2, 0, 0},          {"kl_div", 0, {1.4, 1.4}, 2, 0, 0},      {"kl_div", 0, {0.2, 3.5}, 2, 0, 0},
        {"huber", 0, {1.5, 0.7}, 2, 0, 0},           {"huber", 0, {0.5, -1.7}, 2, 0, 0},     {"pseudo_huber", 0, {1.5, 0.7}, 2, 0, 0},
        {"pseudo_huber", 0, {0.3, -2.7}, 2, 0, 0},   {"kolmogorov", 0, {0.4}, 1, 0, 0},      {"kolmogorov", 0, {1.3}, 1, 0, 0},
    };
    for (int k = 0; k < COUNT(points); k++) {
        agn_fn *f = NULL;
        agn_tensor *x[3] = {NULL};
        for (int i = 0; i < points[k].n; i++)
            x[i] = scalar_of(AGN_F64, points[k].x[i]);
        must(agn_fn_new(&f, body, (void *)&points[k], NULL, points[k].n, 1));
        agn_check_options o = {.size = sizeof o, .orders = points[k].value > 0 ? (int)points[k].value : 3, .tolerance = 1e-5};
        agn_status st = agn_check_grads(NULL, f, (const agn_tensor *const *)x, points[k].n, &o);
        ok(!st, "%s %d: derivatives in every mode", points[k].name, k);
        if (st)
            diag("%s", agn_error_message());
        agn_fn_release(f);
        for (int i = 0; i < points[k].n; i++)
            agn_release(x[i]);
    }
}

/* derivatives where parts of a composition once cancelled or left the range, by mpmath at 60 digits; k: argument, order */
static void test_far_slopes(void)
{
    static const struct {
        truth of;
        int k, order;
        double value, bound;
    } points[] = {
        {{"betaln", 0, {70877.53543549326, 0.00028904038261112763}, 2, 0, 0}, 0, 1, -4.07805405856786552e-9, 1e-13},
        {{"betaln", 0, {70877.53543549326, 0.00028904038261112763}, 2, 0, 0}, 0, 2, 5.75370290963824418e-14, 1e-13},
        {{"betaln", 0, {0.000345787624616567, 73113.63027050997}, 2, 0, 0}, 1, 2, 6.46872498594424073e-14, 1e-13},
        {{"elliprg", 0, {0.014143196133934999, 5280837545.127339, 5.7336337369670165}, 3, 0, 0}, 0, 1, 0.0000399446380287428397, 1e-12},
        {{"elliprg", 0, {0.014143196133934999, 5280837545.127339, 5.7336337369670165}, 3, 0, 0}, 0, 2, -0.0000112370086952532901, 1e-12},
        {{"elliprg", 0, {0.014143196133934999, 5280837545.127339, 5.7336337369670165}, 3, 0, 0}, 2, 1, 0.000036829955571126685, 1e-12},
        {{"elliprg", 0, {0.014143196133934999, 5280837545.127339, 5.7336337369670165}, 3, 0, 0}, 2, 2, -2.99333460664022898e-7, 1e-12},
        {{"log_gammainc", 0, {78.94254664613716, 0.02400809166177409}, 2, 0, 0}, 0, 2, -0.0125874530615410869, 1e-12},
        {{"log_gammainc", 0, {78.94254664613716, 0.02400809166177409}, 2, 0, 0}, 1, 2, -136960.663370032153, 1e-12},
        {{"log_gammaincc", 0, {64.54124238119877, 722.8756750876335}, 2, 0, 0}, 0, 2, -0.0156123358207167241, 1e-11},
        {{"log_gammaincc", 0, {64.54124238119877, 722.8756750876335}, 2, 0, 0}, 1, 2, -0.000121213950352635837, 1e-11},
        {{"log_betainc", 0, {62.515171956923126, 0.9503844866042882, 0.0033640291175576764}, 3, 0, 0}, 0, 2, 0.0000125024912642528762, 1e-12},
        {{"log_betainc", 0, {62.515171956923126, 0.9503844866042882, 0.0033640291175576764}, 3, 0, 0}, 2, 2, -5524155.99371030146, 1e-12},
        {{"modstruve", 0, {0.3, 22.5}, 2, 0, 0}, 0, 3, 942665.241791434659, 1e-11},
        {{"modstruve", 0, {0.3, 22.5}, 2, 0, 0}, 0, 4, 3120050.6908382242, 1e-11},
        {{"modstruve", 0, {0.1, 41.0}, 2, 0, 0}, 0, 3, 7377529119238.23052, 1e-11},
        {{"modstruve", 0, {0.1, 41.0}, 2, 0, 0}, 0, 4, 73744397059796.7547, 1e-11},
        {{"modstruve", 0, {2.25, 30.0}, 2, 0, 0}, 0, 3, 5293793333.95801098, 1e-11},
        {{"modstruve", 0, {2.25, 30.0}, 2, 0, 0}, 0, 4, 1647177961.02176777, 1e-11},
        {{"modstruve", 0, {5.5, 55.0}, 2, 0, 0}, 0, 3, 1.42405629085884405e+20, 1e-11},
        {{"modstruve", 0, {5.5, 55.0}, 2, 0, 0}, 0, 4, -530257743139173698.0, 1e-11},
        {{"modstruve", 0, {12.5, 50.0}, 2, 0, 0}, 0, 3, -50808391243752113.5, 1e-11},
        {{"modstruve", 0, {12.5, 50.0}, 2, 0, 0}, 0, 4, -144875720181198228.0, 1e-11},
        {{"modstruve", 0, {0.05, 9.0}, 2, 0, 0}, 0, 3, 1.94083574861505568, 1e-11},
        {{"modstruve", 0, {0.05, 9.0}, 2, 0, 0}, 0, 4, 48.3203191327843762, 1e-11},
        {{"modstruve", 0, {-0.4, 13.0}, 2, 0, 0}, 0, 3, -389.056200072938617, 1e-11},
        {{"modstruve", 0, {-0.4, 13.0}, 2, 0, 0}, 0, 4, 948.517795018484492, 1e-11},
        {{"modstruve", 0, {-7.3, 40.0}, 2, 0, 0}, 0, 3, -57990070376534.9253, 1e-11},
        {{"modstruve", 0, {-7.3, 40.0}, 2, 0, 0}, 0, 4, -16080467710170.8362, 1e-11},
        {{"modstruve", 0, {4.45, 0.19}, 2, 0, 0}, 0, 3, -1.76589691587907502e-6, 1e-11},
        {{"modstruve", 0, {4.45, 0.19}, 2, 0, 0}, 0, 4, 6.89741638982883502e-6, 1e-11},
        {{"binom", 0, {116.07039803307063, 0.00028904038261112763}, 2, 0, 0}, 0, 1, 2.48334966500092188e-6, 1e-13},
        {{"binom", 0, {116.07039803307063, 0.00028904038261112763}, 2, 0, 0}, 0, 2, -2.12970406167237874e-8, 1e-13},
        {{"binom", 0, {116.07039803307063, 0.00028904038261112763}, 2, 0, 0}, 0, 3, 3.65334556849090084e-10, 1e-13},
        {{"binom", 0, {84.07951194356883, 2.9}, 2, 0, 0}, 0, 3, 0.60144583120346736, 1e-13},
        {{"binom", 0, {5.5, 1e-10}, 2, 0, 0}, 0, 1, 1.66284535790749186e-11, 1e-13},
        {{"binom", 0, {5.5, 1e-10}, 2, 0, 0}, 0, 2, -2.75879107111071135e-12, 1e-13},
        {{"binom", 0, {5.5, 1e-10}, 2, 0, 0}, 1, 2, 3.80628337153979629, 1e-13},
        {{"binom", 0, {60.25, 33.5}, 2, 0, 0}, 0, 2, 60182390577400506.8, 1e-13},
        {{"binom", 0, {60.25, 33.5}, 2, 0, 0}, 1, 1, -21395754085209719.0, 1e-13},
        {{"binom", 0, {60.25, 33.5}, 2, 0, 0}, 1, 3, 3148708238930428.06, 1e-13},
        {{"poch", 0, {4.467349686974569, 1.0018658534106746}, 2, 0, 0}, 0, 2, 0.00041613036793054216, 1e-13},
        {{"poch", 0, {4.467349686974569, 1.0018658534106746}, 2, 0, 0}, 1, 2, 12.4403167034724926, 1e-13},
        {{"poch", 0, {0.012815353228926019, 2.25}, 2, 0, 0}, 0, 3, 0.789007490150210089, 1e-13},
        {{"poch", 0, {0.012815353228926019, 2.25}, 2, 0, 0}, 1, 2, 0.0131055532094518443, 1e-13},
        {{"poch", 0, {3.5, -3.25}, 2, 0, 0}, 0, 3, -600.485886834396163, 1e-13},
        {{"poch", 0, {3.5, -3.25}, 2, 0, 0}, 1, 3, -461.450955440740563, 1e-13},
        {{"poch", 0, {1e-09, 0.001}, 2, 0, 0}, 0, 1, 999.42177364333431, 1e-13},
        {{"poch", 0, {1e-09, 0.001}, 2, 0, 0}, 0, 2, -1998838.2628765589, 1e-13},
        {{"poch", 0, {1e-09, 0.001}, 2, 0, 0}, 1, 1, -0.000999997013336237329, 1e-13},
        {{"poch", 0, {1e-09, 0.001}, 2, 0, 0}, 1, 2, 1.9999939993573483, 1e-13},
        {{"pseudo_huber", 0, {0.001, 250.0}, 2, 0, 0}, 0, 1, 249.998000006, 1e-14},
        {{"pseudo_huber", 0, {0.001, 250.0}, 2, 0, 0}, 0, 3, 0.01199999999952, 1e-14},
        {{"pseudo_huber", 0, {0.001, 250.0}, 2, 0, 0}, 1, 1, 0.000999999999992000021, 1e-14},
        {{"pseudo_huber", 0, {0.001, 250.0}, 2, 0, 0}, 1, 2, 6.3999999998464004e-17, 1e-14},
        {{"pseudo_huber", 0, {0.001, 250.0}, 2, 0, 0}, 1, 3, -7.67999999969280048e-19, 1e-14},
        {{"pseudo_huber", 0, {0.03, -400000.0}, 2, 0, 0}, 0, 1, 399999.940000003375, 1e-14},
        {{"pseudo_huber", 0, {0.03, -400000.0}, 2, 0, 0}, 0, 3, 7.49999999999989453e-6, 1e-14},
        {{"pseudo_huber", 0, {0.03, -400000.0}, 2, 0, 0}, 1, 1, -0.0299999999999999145, 1e-14},
        {{"pseudo_huber", 0, {0.03, -400000.0}, 2, 0, 0}, 1, 2, 4.21874999999996394e-22, 1e-14},
        {{"pseudo_huber", 0, {0.03, -400000.0}, 2, 0, 0}, 1, 3, 3.16406249999995515e-27, 1e-14},
        {{"pseudo_huber", 0, {3.0, 7.0}, 2, 0, 0}, 0, 3, 0.281153458944287032, 1e-14},
        {{"pseudo_huber", 0, {3.0, 7.0}, 2, 0, 0}, 1, 3, -0.022131613386284985, 1e-14},
        {{"pseudo_huber", 0, {50.0, 0.002}, 2, 0, 0}, 0, 1, 3.19999999488000027e-17, 1e-14},
        {{"pseudo_huber", 0, {50.0, 0.002}, 2, 0, 0}, 0, 3, 1.53599999385600015e-19, 1e-14},
        {{"pseudo_huber", 0, {50.0, 0.002}, 2, 0, 0}, 1, 3, -2.39999999040000008e-6, 1e-14},
    };
    for (int k = 0; k < COUNT(points); k++) {
        const truth *p = &points[k].of;
        int order = points[k].order;
        agn_fn *f = NULL, *g = NULL;
        agn_tensor *x[15] = {NULL}, *y[5] = {NULL};
        must(agn_fn_new(&f, body, (void *)p, NULL, p->n, 1));
        must(agn_fn_jet(&g, f, order));
        for (int i = 0; i < p->n; i++)
            for (int o = 0; o <= order; o++)
                x[i * (order + 1) + o] = scalar_of(AGN_F64, o == 0 ? p->x[i] : o == 1 && i == points[k].k ? 1 : 0);
        must(agn_fn_call(y, order + 1, g, (const agn_tensor *const *)x, p->n * (order + 1)));
        double v = peek(y[order], 0) * tgamma(order + 1);
        ok(fabs(v / points[k].value - 1) < points[k].bound, "%s: derivative %d in %d: %.17g, not %.17g", p->name, order, points[k].k, v,
           points[k].value);
        for (int i = 0; i < p->n * (order + 1); i++)
            agn_release(x[i]);
        for (int o = 0; o <= order; o++)
            agn_release(y[o]);
        agn_fn_release(f);
        agn_fn_release(g);
    }
}

/* ---- ends and refusals -------------------------------------------------------------------------------------- */

static void test_ends(void)
{
    double inf = (double)INFINITY, nan = (double)NAN, half_pi = 1.5707963267948966;
    ok(at("sine_integral", 0, 0, 0, 0) == 0 && at("sine_integral", 0, inf, 0, 0) == half_pi && at("sine_integral", 0, -inf, 0, 0) == -half_pi &&
           at("cosine_integral", 0, 0, 0, 0) == -inf && at("cosine_integral", 0, inf, 0, 0) == 0 && isnan(at("cosine_integral", 0, -1, 0, 0)) &&
           at("sinh_integral", 0, inf, 0, 0) == inf && at("sinh_integral", 0, -2, 0, 0) == -at("sinh_integral", 0, 2, 0, 0) &&
           isnan(at("cosh_integral", 0, -1, 0, 0)) && isnan(at("sine_integral", 0, nan, 0, 0)),
       "sine integrals at the ends");
    ok(at("clausen", 0, 0, 0, 0) == 0 && isnan(at("clausen", 0, 1e9, 0, 0)) && isnan(at("clausen", 0, nan, 0, 0)) &&
           fabs(at("fdtrc", 0, 5.3424207026332916e-23, 58, 773.11191877761848) / 1.1958107589201363e-21 - 1) < 1e-13 &&
           isnan(at("gdtrc", 0, 1e-226, 1e-6, 1e-273)) && isnan(at("gdtr", 0, 1e-226, 1e-6, 1e-273)) && at("gdtrc", 0, 2, 3, 0) == 1 &&
           at("debye", 3, 0, 0, 0) == 1 && at("debye", 3, inf, 0, 0) == 0 && isnan(at("debye", 3, -700, 0, 0)) &&
           fabs(at("debye", 2, -5, 0, 0) - (at("debye", 2, 5, 0, 0) + 10 / 3.0)) < 1e-14,
       "Clausen's and Debye's functions at the ends");
    ok(isnan(at("fermi_dirac", 0, 0.5, 1001, 0)) && at("fermi_dirac", 0, 0.5, -800, 0) == 0 && isnan(at("fermi_dirac", 0, nan, 1, 0)) &&
           fabs(at("fermi_dirac", 0, 0, 2, 0) - log1p(exp(2))) < 1e-14,
       "Fermi's and Dirac's integral at the ends");
    ok(at("kelvin_ber", 0, 0, 0, 0) == 1 && at("kelvin_bei", 0, 0, 0, 0) == 0 && at("kelvin_ber", 1, 0, 0, 0) == 0 &&
           at("kelvin_ker", 0, 0, 0, 0) == inf && isnan(at("kelvin_ker", 0, -1, 0, 0)) && isnan(at("kelvin_ber", 0, 1000, 0, 0)) &&
           at("kelvin_bei", 1, -2, 0, 0) == -at("kelvin_bei", 1, 2, 0, 0) && at("kelvin_kei", 0, 2e4, 0, 0) == 0,
       "Kelvin functions at the ends");
    ok(at("rgamma", 0, -3, 0, 0) == 0 && at("rgamma", 0, 300, 0, 0) == 0 && isnan(at("rgamma", 0, -200, 0, 0)) && at("gamma", 0, 5, 0, 0) == 24 &&
           isinf(at("gamma", 0, -2, 0, 0)) && at("digammainv", 0, -inf, 0, 0) == 0 && at("digammainv", 0, inf, 0, 0) == inf &&
           isnan(at("digammainv", 0, nan, 0, 0)) && at("wright_omega", 0, -inf, 0, 0) == 0 && at("wright_omega", 0, inf, 0, 0) == inf,
       "functions about gamma at the ends");
    ok(fabs(at("log_gammainc", 0, 30, 1e-30, 0) - (30 * log(1e-30) - lgamma(31))) < 1e-11 && at("log_gammaincc", 0, 1, 5000, 0) == -5000 &&
           isnan(at("log_gammaincc", 0, 200, 1e6, 0)) && at("spence", 0, 1, 0, 0) == 0 && isnan(at("spence", 0, -1, 0, 0)) &&
           at("binom", 0, 5, 2, 0) == 10 && isnan(at("beta", 0, -200.5, 3, 0)),
       "compositions at the ends");
    ok(at("kolmogorov", 0, -1, 0, 0) == 1 && at("kolmogorov", 0, 0, 0, 0) == 1 && at("kolmogorov", 0, inf, 0, 0) == 0 &&
           isnan(at("kolmogorov", 0, nan, 0, 0)) && at("log1pmx", 0, -1, 0, 0) == -inf && isnan(at("log1pmx", 0, -1.5, 0, 0)) &&
           at("log1pmx", 0, 0, 0, 0) == 0,
       "Kolmogorov's distribution and log1pmx at the ends");
    ok(at("kl_div", 0, 0, 2, 0) == 2 && at("kl_div", 0, 2, 0, 0) == inf && at("kl_div", 0, -1, 2, 0) == inf && isnan(at("kl_div", 0, nan, 2, 0)) &&
           at("huber", 0, -1, 2, 0) == inf && at("huber", 0, 2, 2, 0) == 2 && at("huber", 0, 2, -5, 0) == 8 &&
           at("pseudo_huber", 0, 0, 3, 0) == 0 && at("pseudo_huber", 0, -1, 3, 0) == inf && isnan(at("pseudo_huber", 0, 1, nan, 0)) &&
           fabs(at("pseudo_huber", 0, 1e-307, 880, 0) / 8.8e-305 - 1) < 1e-14 &&
           fabs(at("kl_div", 0, 4.8998407541628551e-203, 7.5889500567692772e-203, 0) / 5.4547530575413976e-204 - 1) < 1e-12,
       "deviations at the ends");
    ok(at("poch", 0, 5, 3, 0) == 210 && at("binom", 0, 1e70, 1e70, 0) == 1 && at("poch", 0, 1e300, 1e300, 0) == inf &&
           at("poch", 0, -2.5, 0, 0) == 1 && at("poch", 0, -2, 5.5, 0) == 0 && isnan(at("poch", 0, -2, 1, 0)) &&
           isnan(at("poch", 0, -300.5, 2, 0)),
       "rising factorials at the ends");
}
static void test_refusals(void)
{
    agn_tensor *x = scalar_of(AGN_F64, 0.5), *z = scalar_of(AGN_C128, 0.5), *a = NULL, *b = NULL, *y = untouched;
    int64_t three = 3, five = 5;
    must(agn_full(&a, AGN_F64, 1, &three, 0.5));
    must(agn_full(&b, AGN_F64, 1, &five, 0.5));
    static const char *const names[] = {
#define F(f) #f,
        ORDER(F) ONE(F) TWO(F) THREE(F)
#undef F
    };
    for (int k = 0; k < COUNT(names); k++) {
        const agn_tensor *none[3] = {NULL}, *odd[3] = {z, z, z}, *shapes[3] = {a, b, b};
        y = untouched;
        bool two = k >= 22;
        ok(refused(call(&y, names[k], 2, none), AGN_ENULL, names[k], "NULL", NULL, y), "%s: NULL", names[k]);
        agn_status st = call(&y, names[k], 2, odd);
        if (!strcmp(names[k], "cosm1")) { /* of complex numbers, too */
            ok(!st && agn_dtype_of(y) == AGN_C128, "cosm1: complex");
            agn_release(y), y = untouched;
            continue;
        }
        ok(st == AGN_EDTYPE && y == untouched, "%s: complex", names[k]);
        if (two) {
            st = call(&y, names[k], 2, shapes);
            ok(st == AGN_ESHAPE && y == untouched, "%s: shapes", names[k]);
        }
    }
    ok(refused(agn_debye(&y, x, 0), AGN_EARG, "debye", "order 0", "1 to 20", y), "debye: order 0");
    ok(refused(agn_debye(&y, x, 21), AGN_EARG, "debye", "order 21", "1 to 20", y), "debye: order 21");
    ok(refused(agn_transport(&y, x, 1), AGN_EARG, "transport", "order 1", "2 to 21", y), "transport: order 1");
    ok(refused(agn_kelvin_ber(&y, x, -1), AGN_EARG, "kelvin_ber", "order -1", "0 to", y), "kelvin_ber: order -1");
    ok(refused(agn_kelvin_kei(&y, x, 21), AGN_EARG, "kelvin_kei", "order 21", "0 to 20", y), "kelvin_kei: order 21");
    agn_release(a);
    agn_release(b);
    agn_release(x);
    agn_release(z);
}

int main(void)
{
    test_values();
    test_inverses();
    test_ops();
    test_compositions();
    test_far_slopes();
    test_ends();
    test_refusals();
    return done();
}
