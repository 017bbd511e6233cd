/* sparse/products/cpu/spmm_types.h - the kernels for integers INT of patterns and every dtype. A
   vector holds LANES numbers; complex ones are taken one by one. */
#define MAC AGNI_REAL_MAC
#define VECTORS 1
#define T float
#define NAME(x) IN(x, f32)
#include "sparse/products/cpu/spmm_body.h"
#undef T
#undef NAME
#define T double
#define NAME(x) IN(x, f64)
#include "sparse/products/cpu/spmm_body.h"
#undef T
#undef NAME
#undef MAC
#undef VECTORS

#define MAC AGNI_COMPLEX_MAC
#define VECTORS 0
#define T float complex
#define NAME(x) IN(x, c64)
#include "sparse/products/cpu/spmm_body.h"
#undef T
#undef NAME
#define T double complex
#define NAME(x) IN(x, c128)
#include "sparse/products/cpu/spmm_body.h"
#undef T
#undef NAME
#undef MAC
#undef VECTORS
