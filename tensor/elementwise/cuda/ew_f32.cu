/* tensor/elementwise/cuda/ew_f32.cu - element-wise kernels for f32. */
#include "tensor/elementwise/cuda/scalar.cuh"

using T = float;
using TR = float;
using TC = dev::c64;
#define SFX f32
#define DT AGN_F32
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
