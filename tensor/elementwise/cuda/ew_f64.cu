/* tensor/elementwise/cuda/ew_f64.cu - element-wise kernels for f64. */
#include "tensor/elementwise/cuda/scalar.cuh"

using T = double;
using TR = double;
using TC = dev::c128;
#define SFX f64
#define DT AGN_F64
#define HAS_R 1
#define HAS_C 1
#define HAS_Z 0
#define HAS_I 0
#define HAS_BI 0
#define HAS_Q 1
#define HAS_N 1
#define HAS_BN 1
#define HAS_BQ 1
#include "tensor/elementwise/cuda/elementwise.cuh"
