/* tensor/cpu/special/special.c - the special functions, compiled once for all CPU levels. */
#include "config.h"

#include "tensor/cpu/special/bessel.h"
#include "tensor/cpu/special/incomplete.h"
#include "tensor/cpu/special/incomplete_inverse.h"
#include "tensor/cpu/special/normal.h"
#include "tensor/cpu/special/special.h"

#define SPECIAL(fn, params, args) \
    double agni_special_##fn params; \
    double agni_special_##fn params \
    { \
        return agni_##fn args; \
    }
#define SPECIAL1(fn) SPECIAL(fn, (double x), (x))
#define SPECIALP(fn) SPECIAL(fn, (double x, int64_t n), (x, n))
#define SPECIAL2(fn) SPECIAL(fn, (double a, double b), (a, b))
#define SPECIAL3(fn) SPECIAL(fn, (double a, double b, double w), (a, b, w))
#include "tensor/cpu/special/special.def"
