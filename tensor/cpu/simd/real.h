/* real.h - binds the type parameters of the bodies (*_body.h), which are written once and
 * included for f64 and f32: define AGNI_REAL_F64 or AGNI_REAL_F32 first. No guard. */
#undef REAL
#undef VEC
#undef VANY
#undef IVEC
#undef UVEC
#undef SINT
#undef UINT
#undef FN
#undef LANES
#undef MANT
#undef BIAS
#undef PICK
#undef PICKU
#undef K
#undef POLY
#undef SELECT
#undef FMA
#undef FNMA
#undef ANY
#undef ABS
#undef SPLAT
#undef LOAD
#undef STORE
#undef LOAD_PART
#undef STORE_PART
#undef AT_MOST
#undef AT_LEAST

#ifdef AGNI_REAL_F64
#define REAL double
#define VEC vf64
#define VANY vf64_any
#define IVEC vi64
#define UVEC vu64
#define SINT int64_t
#define UINT uint64_t
#define FN(name) name##_f64
#define K(name) AGNI_##name##_F64
#define PICK(a, b) (a)
#define PICKU(a, b) (a)
#define LANES AGNI_L_F64
#define MANT 52
#define BIAS 1023
#else
#define REAL float
#define VEC vf32
#define VANY vf32_any
#define IVEC vi32
#define UVEC vu32
#define SINT int32_t
#define UINT uint32_t
#define FN(name) name##_f32
#define K(name) AGNI_##name##_F32
#define PICK(a, b) (b##f)
#define PICKU(a, b) (b)
#define LANES AGNI_L_F32
#define MANT 23
#define BIAS 127
#endif

/* The polynomial c at x (coef_f64.h, coef_f32.h) */
#define POLY(c, x) \
    FN(agni_poly)(x, FN(agni_c_##c), (int)(sizeof FN(agni_c_##c) / sizeof(REAL)))

#define SELECT FN(agni_select)
#define FMA(a, b, c) FN(agni_fma)(a, b, c)
#define FNMA(a, b, c) FN(agni_fnma)(a, b, c)
#define ANY FN(agni_any)
#define ABS FN(agni_abs)
#define SPLAT(a) FN(agni_splat)((REAL)(a))
#define AT_MOST(x, bound) FN(agni_most)(SPLAT(bound), x)
#define AT_LEAST(x, bound) FN(agni_least)(SPLAT(bound), x)
#define LOAD(p) FN(agni_load)(p)
#define STORE(p, v) FN(agni_store)(p, v)
#define LOAD_PART(p, n) FN(agni_load_part)(p, n)
#define STORE_PART(p, v, n) FN(agni_store_part)(p, v, n)
