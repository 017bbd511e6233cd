/* tests/t-special-worst.c - special functions where bench/accuracy-special once found errors beyond what their headers
   state: values of mpmath (tests/data/make-special-worst.py), and places that are refused. */
#include "laws.h"

typedef struct truth {
    const char *name;
    double x[4];
    int k;
    double value, unit;
} truth;
static const truth table[] = {
#include "data/special-worst.inc"
};

#define ONE(F) \
    F(dirichlet_eta, 1e-13) F(digammainv, 1e-14) F(cosh_integral, 1e-14) F(expi, 1e-14) F(airy_bip, 1e-15) F(airy_ai, 1e-15) F(fresnel_c, 1e-15) F(cosine_integral, 1e-15)
#define TWO(F) \
    F(gammaincinv, 1e-13) F(ellipkinc, 1e-14) F(jacobi_am, 1e-14) F(jacobi_sn, 1e-14) F(jacobi_cn, 1e-14) F(jacobi_dn, 1e-14) F(ive, 1e-13) F(jv, 1e-13) F(yv, 1e-13) F(kv, 1e-13) F(iv, 1e-13) \
    F(beta, 1e-13) F(binom, 1e-13) F(struve, 1e-13) F(stdtrit, 1e-13) F(boxcox, 1e-13) \
    F(boxcox1p, 1e-13) F(tklmbda, 1e-13) F(parabolic_v, 1e-12)
#define THREE(F) F(nbdtri, 1e-13) F(log_betaincc, 1e-13) F(hyperu, 1e-13) F(hyp1f1, 1e-13) F(bdtr, 1e-13) F(voigt_profile, 1e-13) F(nctdtrit, 1e-12) F(chndtrix, 1e-12)
#define FOUR(F) F(hyp2f1, 1e-13)
#define DEGREE(F) F(kelvin_ber, 1e-13) F(legendre, 1e-13) F(chebyshev_t, 1e-13) F(chebyshev_u, 1e-13) F(kelvin_ker, 1e-13) F(kelvin_kei, 1e-13) F(expn, 1e-14) \
    F(smirnov, 1e-13) F(smirnovi, 1e-13) F(bessel_integral, 1e-13)

static agn_status call(agn_tensor **y, const truth *p, agn_tensor *const *x, double *stated)
{
#define F(f, bound) \
    if (!strcmp(p->name, #f)) \
        return *stated = bound, agn_##f(y, x[0]);
    ONE(F)
#undef F
#define F(f, bound) \
    if (!strcmp(p->name, #f)) \
        return *stated = bound, agn_##f(y, x[0], x[1]);
    TWO(F)
#undef F
#define F(f, bound) \
    if (!strcmp(p->name, #f)) \
        return *stated = bound, agn_##f(y, x[0], x[1], x[2]);
    THREE(F)
#undef F
#define F(f, bound) \
    if (!strcmp(p->name, #f)) \
        return *stated = bound, agn_##f(y, x[0], x[1], x[2], x[3]);
    FOUR(F)
#undef F
#define F(f, bound) \
    if (!strcmp(p->name, #f)) \
        return *stated = bound, agn_##f(y, x[0], p->k);
    DEGREE(F)
#undef F
    *stated = 1e-13;
    if (!strcmp(p->name, "laguerre"))
        return agn_laguerre(y, x[0], p->k, 0.5);
    if (!strcmp(p->name, "gegenbauer"))
        return agn_gegenbauer(y, x[0], p->k, 0.75);
    if (!strcmp(p->name, "jacobi"))
        return agn_jacobi(y, x[0], p->k, 0.5, 1.25);
    bail_out("no function %s", p->name);
    return AGN_EARG;
}
static double value_of(const truth *p, double *stated)
{
    agn_tensor *x[4], *y = NULL;
    for (int i = 0; i < 4; i++)
        x[i] = scalar_of(AGN_F64, p->x[i]);
    must(call(&y, p, x, stated));
    double v = peek(y, 0);
    agn_release(y);
    for (int i = 0; i < 4; i++)
        agn_release(x[i]);
    return v;
}
static double at(const char *name, double a, double b, double c)
{
    truth p = {name, {a, b, c, 1}, 0, 0, 0};
    double stated;
    return value_of(&p, &stated);
}

int main(void)
{
    for (int k = 0; k < COUNT(table); k++) {
        const truth *p = &table[k];
        double stated, v = value_of(p, &stated), unit = p->unit > 0 ? p->unit : fabs(p->value);
        double e = isinf(p->value) || p->value == 0 ? (v == p->value ? 0 : 1) : fabs(v - p->value) / unit;
        ok(e < stated, "%s(%.17g, %.17g, %.17g; %d): %.2g", p->name, p->x[0], p->x[1], p->x[2], p->k, e);
        if (!(e < stated))
            diag("%.17g, not %.17g", v, p->value);
    }
    agn_tensor *x[3], *y = NULL;
    for (int i = 0; i < 3; i++)
        x[i] = scalar_of(AGN_F64, i == 0 ? 0 : i == 1 ? 1e-300 : 1e10);
    must(agn_elliprg(&y, x[0], x[1], x[2]));
    ok(fabs(peek(y, 0) / 5e4 - 1) < 1e-14,
       "elliprg of sizes 1e310 apart: half of the largest's root");
    agn_release(y), y = NULL;
    for (int i = 0; i < 3; i++) {
        agn_release(x[i]);
        x[i] = scalar_of(AGN_F64, i == 0 ? 7e-9 : i == 1 ? -79.3 : 8396.5);
    }
    must(agn_hyperu(&y, x[0], x[1], x[2]));
    ok(isnan(peek(y, 0)), "hyperu whose parts leave the range is refused");
    agn_release(y);
    for (int i = 0; i < 3; i++)
        agn_release(x[i]);
    ok(isnan(at("nctdtrit", 0.49999999999999994, 0, 1.0569810015849809e-09)),
       "nctdtrit beyond the range of nctdtr is refused");
    static const double plane[4][4] = {/* z and eta, of mpmath's altzeta */
                                       {-4.0705927582144149e-56, -1.0038153899775851e-273, 0.5,
                                        -2.2665283470863350e-274},
                                       {-116, -5.6362866443961626e-31, -8.3384707833948370e+72,
                                        4.0945446382481570e+102},
                                       {-0.75, 40.5, -27.015875180747935, -23.790507983076750},
                                       {-3.25, 2.5, -1.4425836823595637, 0.31866262525811476}};
    for (int k = 0; k < COUNT(plane); k++) {
        agn_tensor *at_z = NULL, *eta = NULL;
        must(agn_from_host(&at_z, AGN_C128, 0, NULL, plane[k]));
        must(agn_dirichlet_eta_complex(&eta, at_z));
        const double *have = agn_data(eta), *want = plane[k] + 2;
        double e = hypot(have[0] - want[0], have[1] - want[1]) / (1 + hypot(want[0], want[1]));
        ok(e < 1e-13 && fabs(have[1] / want[1] - 1) < 1e-12,
           "dirichlet_eta_complex(%g, %g): %.2g", plane[k][0], plane[k][1], e);
        agn_release(at_z);
        agn_release(eta);
    }
    agn_tensor *z = NULL, *w = NULL;
    must(agn_from_host(&z, AGN_C128, 0, NULL, (const double[2]){-2.525594134727271, 0.99994259231893279}));
    must(agn_lambertw_complex(&w, z, 0));
    ok(fabs(((const double *)agn_data(w))[0] - 0.52238754892020021) < 1e-14 &&
           fabs(((const double *)agn_data(w))[1] - 1.5240265276962381) < 1e-14,
       "W of branch 0 is not that of its neighbour");
    agn_release(z);
    agn_release(w);
    ok(at("jacobi_sn", 0, 0.5, 0) == 0 && at("jacobi_dn", 0, -3, 0) == 1 && isnan(at("jacobi_cn", 1, 2, 0)) &&
           fabs(at("jacobi_sn", 0.5, 1, 0) - tanh(0.5)) < 1e-15,
       "Jacobi's functions at the ends");
    return done();
}
