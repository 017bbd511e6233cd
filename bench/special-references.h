/* bench/special-references.h - balls that hold values of special functions (Johansson, Arb, IEEE
   Trans. Comput. 66, 1281), for bench/accuracy-special.c; special-functions.c lists them. */
#ifndef AGN_SPECIAL_REFERENCES_H
#define AGN_SPECIAL_REFERENCES_H

#include <agnesi/agnesi.h>

/* a library of its own before FLINT 3 */
#if __has_include(<flint/acb_elliptic.h>)
#include <flint/acb_calc.h>
#include <flint/acb_dirichlet.h>
#include <flint/acb_elliptic.h>
#include <flint/acb_hypgeom.h>
#include <flint/acb_modular.h>
#include <flint/arb_hypgeom.h>
#include <flint/bernoulli.h>
#else
#include <acb_calc.h>
#include <acb_dirichlet.h>
#include <acb_elliptic.h>
#include <acb_hypgeom.h>
#include <acb_modular.h>
#include <arb_hypgeom.h>
#include <bernoulli.h>
#endif

#include <float.h>
#include <stdint.h>

enum { MOST_ARGUMENTS = 4, MOST_JOINTS = 6 };

/* y: real and imaginary part; x: the arguments, then both parts of what was found, for functions that are
   given by an equation; k: attributes; any result that is no number, or whose radius stays, says
   nothing */
typedef void reference_value(arb_ptr y, arb_srcptr x, const int64_t *k, slong prec);
/* what an error is a part of, from the value y */
typedef void reference_unit(arb_t u, arb_srcptr y, arb_srcptr x, const int64_t *k, slong prec);

typedef struct special {
    const char *name;
    int n;
    double box[MOST_ARGUMENTS][2]; /* what the header promises */
    int64_t low[2], high[2];       /* of the attributes */
    double joint[MOST_JOINTS];     /* of methods, roots, poles; 0 ends them */
    double stated;
    reference_unit *unit; /* NULL: the value's size */
    reference_value *value;
    agn_status (*run)(agn_tensor **y, agn_tensor *const *x, const int64_t *k);
    bool whole;  /* the first argument is whole */
    bool narrow; /* no arguments far from the box */
} special;
extern const special special_functions[];
extern const int n_special;

#define VALUE(name) void value_##name(arb_ptr y, arb_srcptr x, const int64_t *k, slong prec)
#define UNIT(name) \
    void unit_##name(arb_t u, arb_srcptr y, arb_srcptr x, const int64_t *k, slong prec)
#define UNUSED_K (void)k
#define UNUSED_UNIT (void)y, (void)x, (void)k, (void)prec

#define ROW(name, n, box, low, high, joints, stated, unit, run) VALUE(name);
#define FAR ROW
#include "bench/special-functions.def"
#undef FAR
#undef ROW
UNIT(airy);
UNIT(airy_slope);
UNIT(bessel);
UNIT(spherical);
UNIT(kelvin_first);
UNIT(kelvin_second);
UNIT(jacobi_elliptic);
UNIT(legendre);
UNIT(chebyshev_t);
UNIT(chebyshev_u);
UNIT(gegenbauer);
UNIT(jacobi);
UNIT(hermite);
UNIT(hermite_e);
UNIT(laguerre);
UNIT(assoc_legendre);
UNIT(sph_harm);
UNIT(cosine_integral);
UNIT(betaln);
UNIT(dirichlet_eta);
UNIT(voigt);
UNIT(log_wright);
UNIT(mathieu_value);
UNIT(one);
UNIT(spheroidal_value);
UNIT(legendre_q);
UNIT(parabolic_w);
UNIT(bessel_integral);
UNIT(pro_ang1);
UNIT(obl_ang1);
UNIT(modified_mathieu);
UNIT(modified_odd);
UNIT(nctdtrit);
UNIT(radial);
UNIT(parabolic_v);
UNIT(tklmbda);
UNIT(besselpoly);
UNIT(one_more);

/* I_z(a, b) and P(a, x), or their complements (references-distribution.c) */
void agni_set_beta(arb_t y, const arb_t a, const arb_t b, const arb_t z, bool upper, slong prec);
void agni_set_gamma(arb_t y, const arb_t a, const arb_t x, bool upper, slong prec);

/* y = f(x + 0 i), whose imaginary part is nothing but its radius */
static inline void keep_real(arb_ptr y, acb_t z)
{
    arb_set(y, acb_realref(z));
}

#endif
