/* tensor/elementwise/cuda/ew_c64.cu - element-wise kernels for c64. */
#include "tensor/elementwise/cuda/scalar.cuh"

using T = dev::c64;
using TR = float;
using TC = dev::c64;
#define SFX c64
#define DT AGN_C64
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
