/* tests/t-linalg.h - what tests of linear algebra share: eps of a dtype, relative differences, adjoints. */
#ifndef AGN_TESTS_T_LINALG_H
#define AGN_TESTS_T_LINALG_H

#include "modes.h"

static const int dtypes[] = {AGN_F32, AGN_F64, AGN_C64, AGN_C128};

static inline double eps_of(int dtype)
{
    return dtype == AGN_F32 || dtype == AGN_C64 ? 0x1p-23 : 0x1p-52;
}

/* largest |x - y| over the largest |y|, at least 1e-30; infinite where shapes differ */
static inline double relative(const agn_tensor *x, const agn_tensor *y)
{
    double most = 1e-30, worst = same_shapes(x, y) ? 0 : (double)INFINITY;
    for (int64_t i = 0; i < agn_numel(y) && worst < 1e300; i++) {
        most = fmax(most, cabs(peekz(y, i)));
        double d = cabs(peekz(x, i) - peekz(y, i));
        worst = d > worst || d != d ? d : worst;
    }
    return worst / most;
}

static inline const agn_tensor *adjoint(agn_scope *s, const agn_tensor *x)
{
    return ag_conj(s, ag_swapaxes(s, x, -1, -2));
}

#endif
