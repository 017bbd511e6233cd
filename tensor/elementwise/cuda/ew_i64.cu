/* tensor/elementwise/cuda/ew_i64.cu - element-wise kernels for i64. */
#include "tensor/elementwise/cuda/scalar.cuh"

using T = int64_t;
using TR = int64_t;
using TC = int64_t;
#define SFX i64
#define DT AGN_I64
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
