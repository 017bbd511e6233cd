/* tensor/cpu/vmath/special_maps.h - the table of special functions on vectors of one CPU level, by
   index into agni_simd_kernels.real. */
#ifndef AGNI_CPU_SPECIAL_MAPS_H
#define AGNI_CPU_SPECIAL_MAPS_H

#include "tensor/cpu/simd/kernel_table.h"

/* f(x): name, and the bounds of what goes by vectors */
#define AGNI_VSPECIALS(X) \
    X(lgamma, 1e-150, 1e150) X(digamma, 1e-150, 1e150) X(trigamma, 1e-150, 1e150) \
    X(ndtr, -1e300, 1e300) X(log_ndtr, -1e150, 1e300) X(ndtri, 2e-11, 1 - 2e-11) \
    X(erfinv, 4e-11 - 1, 1 - 4e-11)
/* f(a, b): name, and the bounds of b */
#define AGNI_VSPECIALS2(X) X(xlogy, 0x1p-1022, 1e300) X(xlog1py, -1 + 0x1p-53, 1e300)
/* f(a, b) of all numbers: a^b, and that times the first and second power of log a */
#define AGNI_VPOWERS(X) X(pow) X(pow_log) X(pow_log2)

typedef void agni_simd_map2(void *y, const void *a, const void *b, int64_t n);

#define AGNI_MEMBER(name, least, most) agni_simd_map *name[AGNI_SIMD_REALS];
#define AGNI_POWER_MEMBER(name) agni_simd_map2 *name[AGNI_SIMD_REALS];
#define AGNI_MEMBER2(name, least, most) AGNI_POWER_MEMBER(name)
typedef struct agni_vspecials {
    AGNI_VSPECIALS(AGNI_MEMBER)
    AGNI_VSPECIALS2(AGNI_MEMBER2)
    AGNI_VPOWERS(AGNI_POWER_MEMBER)
} agni_vspecials;
#undef AGNI_MEMBER2
#undef AGNI_POWER_MEMBER
#undef AGNI_MEMBER

#endif
