/* Elementary functions on vectors, f64 and f32, inlined: agni_vx_exp_f64(x) and so on.
 * The array loops over them are in vmath.c; the tile engine's fused instructions may
 * use the vector forms directly.
 *
 * Accuracy (tests/t-vmath.c): 2 ulp or better for exp, expm1, log, log1p, tanh, sin,
 * cos; 4 ulp or better for the others, over all arguments, subnormals included. A
 * lane's result depends on that lane's argument alone.
 *
 * Methods: range reduction after Cody & Waite 1980; logarithm and the
 * kernels of sin and cos, compensated where nothing is fused, after Tang 1990 and Muller 2016,
 * chapters 9 to 11; erfc as
 * exp(-z^2)/(1 + 2z) times a polynomial in (z - c)/(z + c) after Schonfelder 1978;
 * tanh by its addition theorem, with no exponential at all. */
#ifndef AGNI_CPU_VMATH_H
#define AGNI_CPU_VMATH_H

#include <math.h>

#include "tensor/cpu/vmath/coef_f32.h"
#include "tensor/cpu/vmath/coef_f64.h"
#include "tensor/cpu/simd/vec.h"

#define AGNI_REAL_F64
#include "tensor/cpu/simd/real.h"
#include "tensor/cpu/vmath/vmath_body.h"
#include "tensor/cpu/vmath/vmath_large_f64.h"
#include "tensor/cpu/vmath/vmath_trig_body.h"
#undef AGNI_REAL_F64
#define AGNI_REAL_F32
#include "tensor/cpu/simd/real.h"
#include "tensor/cpu/vmath/vmath_body.h"
#include "tensor/cpu/vmath/vmath_large_f32.h"
#include "tensor/cpu/vmath/vmath_trig_body.h"
#undef AGNI_REAL_F32

#endif
