/* tensor/elementwise/cuda/ew_c128.cu - element-wise kernels for c128. */
#include "tensor/elementwise/cuda/scalar.cuh"

using T = dev::c128;
using TR = double;
using TC = dev::c128;
#define SFX c128
#define DT AGN_C128
#define HAS_R 0
#define HAS_C 1
#define HAS_Z 1
#define HAS_I 0
#define HAS_BI 0
#define HAS_Q 0
#define HAS_N 1
#define HAS_BN 1
#define HAS_BQ 0
#include "tensor/elementwise/cuda/elementwise.cuh"
