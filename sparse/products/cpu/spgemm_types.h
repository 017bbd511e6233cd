/* sparse/products/cpu/spgemm_types.h - the loops for integers INT and every dtype. */
#define MAC AGNI_REAL_MAC
#define T float
#define NAME(x) IN(x, f32)
#include "sparse/products/cpu/spgemm_body.h"
#undef T
#undef NAME
#define T double
#define NAME(x) IN(x, f64)
#include "sparse/products/cpu/spgemm_body.h"
#undef T
#undef NAME
#undef MAC

#define MAC AGNI_COMPLEX_MAC
#define T float complex
#define NAME(x) IN(x, c64)
#include "sparse/products/cpu/spgemm_body.h"
#undef T
#undef NAME
#define T double complex
#define NAME(x) IN(x, c128)
#include "sparse/products/cpu/spgemm_body.h"
#undef T
#undef NAME
#undef MAC
