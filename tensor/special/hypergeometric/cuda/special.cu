/* tensor/special/hypergeometric/cuda/special.cu - special functions of one element on a device: the
   files of the host's values (tensor/special, NIST DLMF), read once more as device code, and a row
   for each op. */

#include "tensor/special/hypergeometric/cuda/elements.cuh"
#include "tensor/special/hypergeometric/cuda/slopes.h"

namespace {

#include "tensor/special/airy.c"
#include "tensor/special/bessel.c"
#include "tensor/special/bessel_order.c"
#include "tensor/special/elliptic.c"
#include "tensor/special/exponential_integral.c"
#include "tensor/special/faddeeva.c"
#include "tensor/special/lambert_w.c"
#include "tensor/special/owens_t.c"
#include "tensor/special/polynomials.c"

#include "tensor/special/hypergeometric/gauss.c"
#include "tensor/special/hypergeometric/jacobi_elliptic.c"
#include "tensor/special/hypergeometric/kummer.c"
#include "tensor/special/hypergeometric/lambert_plane.c"
#include "tensor/special/hypergeometric/polylog.c"
#include "tensor/special/hypergeometric/spherical_bessel.c"
#include "tensor/special/hypergeometric/struve.c"

ROW(airy) { return agni_airy(x[0], (int)i[0]); }
ROW(fresnel)
{
    double sc[2];
    agni_fresnel(x[0], sc);
    return sc[i[0] != 0];
}
ROW(lambert_w) { return agni_lambert_w(x[0], (int)i[0], i[1] != 0); }
ROW(bessel)
{
    return agni_bessel_slope(x[0], x[1], (int)i[0], (int)i[1], (int)i[2]);
}
ROW(elliptic)
{
    return i[3] ? agni_elliptic_complete(x[0], x[2], (int)i[0], (int)i[1], (int)i[2])
                : agni_elliptic(x[0], x[1], x[2], (int)i[0], (int)i[1], (int)i[2]);
}
ROW(carlson)
{
    const int k[4] = {(int)i[0], (int)i[1], (int)i[2], (int)i[3]};
    return agni_carlson(x, k);
}
ROW(expn) { return agni_expn(x[0], i[0]); }
ROW(expi) { return agni_ei(x[0]); }
ROW(owens_t) { return agni_owens_t(x[0], x[1]); }
ROW(faddeeva)
{
    double w[2];
    agni_faddeeva(x[0], x[1], (int)i[0], w);
    return w[i[1] != 0];
}
ROW(polynomial) { return agni_polynomial(x[0], (int)i[0], i[1], r[0], r[1]); }
ROW(kummer) { return i[0] ? agni_hypu(x[0], x[1], x[2]) : agni_hyp1f1(x[0], x[1], x[2]); }
ROW(hyp2f1) { return agni_hyp2f1(x[0], x[1], x[2], x[3]); }
ROW(jacobi_elliptic) { return agni_jacobi_elliptic(x[0], x[1], (int)i[0]); }
ROW(lambert_plane)
{
    double w[2];
    agni_lambert_plane(x[0], x[1], i[0], w);
    return w[i[1] != 0];
}
ROW(spherical_bessel) { return agni_spherical_bessel(x[0], (int)i[0], i[1]); }
ROW(struve) { return agni_struve(x[0], x[1], i[0] != 0, (int)i[2]); }
ROW(polylog) { return agni_polylog(x[0], x[1]); }
ROW(gamma_partial)
{
    return i[1] ? agni_gamma_d_partial(x[0], x[1], (int)i[0])
                : agni_gamma_partial(x[0], x[1], (int)i[0]);
}
ROW(beta_partial)
{
    return i[2] ? agni_beta_d_partial(x[0], x[1], x[2], (int)i[0], (int)i[1])
                : agni_beta_partial(x[0], x[1], x[2], (int)i[0], (int)i[1]);
}
ROW(gamma_slope) { return agni_gamma_slope(x[0], x[1], (int)i[0]); }
ROW(zeta_partial) { return agni_zeta_partial(x[0], x[1], (int)i[0]); }


/* attributes from the FIRST-th on are orders of derivatives, whose kernels are in slopes.cu */
template <class F, class T, int FIRST> agn_status run_sloped(const agn_kernel_call *c)
{
    for (int k = FIRST; k < c->n_int; k++)
        if (c->ints[k])
            return agni_cu_slopes(c);
    return run_elements<F, T>(c);
}
enum { FIRST_kummer = 1, FIRST_hyp2f1 = 0, FIRST_struve = 1, FIRST_polylog = 0 };
#define SLOPED(name) \
    {#name, AGN_F32, true, run_sloped<row_##name, float, FIRST_##name>}, \
    { \
#name, AGN_F64, true, run_sloped < row_##name, double, FIRST_##name> \
    }
const agn_kernel_entry table[] = {
    BOTH(airy),          BOTH(fresnel),       BOTH(lambert_w),       BOTH(bessel),
    BOTH(elliptic),      BOTH(carlson),       BOTH(expn),            BOTH(expi),
    BOTH(owens_t),       BOTH(faddeeva),      BOTH(polynomial),      SLOPED(kummer),
    SLOPED(hyp2f1),        BOTH(jacobi_elliptic), BOTH(lambert_plane), BOTH(spherical_bessel),
    SLOPED(struve),        SLOPED(polylog),       BOTH(gamma_partial),   BOTH(beta_partial),
    BOTH(zeta_partial),  BOTH(gamma_slope),
};

} // namespace

extern "C" const agni_cu_table agni_cu_special = {table, (int)(sizeof table / sizeof *table)};
