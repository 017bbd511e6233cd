/* tensor/elementwise/cuda/ew_i32.cu - element-wise kernels for i32. */
#include "tensor/elementwise/cuda/scalar.cuh"

using T = int32_t;
using TR = int32_t;
using TC = int32_t;
#define SFX i32
#define DT AGN_I32
#define HAS_R 0
#define HAS_C 0
#define HAS_Z 0
#define HAS_I 1
#define HAS_BI 1
#define HAS_Q 1
#define HAS_N 1
#define HAS_BN 1
#define HAS_BQ 1
#include "tensor/elementwise/cuda/elementwise.cuh"
