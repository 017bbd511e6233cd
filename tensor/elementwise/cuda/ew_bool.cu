/* tensor/elementwise/cuda/ew_bool.cu - element-wise kernels for bool. */
#include "tensor/elementwise/cuda/scalar.cuh"

using T = bool;
using TR = bool;
using TC = bool;
#define SFX bool
#define DT AGN_BOOL
#define HAS_R 0
#define HAS_C 0
#define HAS_Z 0
#define HAS_I 0
#define HAS_BI 1
#define HAS_Q 0
#define HAS_N 0
#define HAS_BN 1
#define HAS_BQ 1
#include "tensor/elementwise/cuda/elementwise.cuh"
