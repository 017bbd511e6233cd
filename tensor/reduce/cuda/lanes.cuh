/* tensor/reduce/cuda/lanes.cuh - a row-major array as [outer, n, inner]: its lanes along one
   axis. */
#ifndef AGNI_CUDA_LANES_CUH
#define AGNI_CUDA_LANES_CUH

#include "tensor/cuda/cuda.h"

namespace {

struct lanes {
    int64_t outer, n, inner;
    __host__ __device__ int64_t count() const { return outer * inner; }
    /* of element 0 of lane e */
    __device__ __forceinline__ int64_t begin(int64_t e) const
    {
        int64_t o = e / inner;
        return o * n * inner + (e - o * inner);
    }
};
inline lanes lanes_of(const agn_array *x, int axis)
{
    lanes l = {1, x->shape[axis], 1};
    for (int d = 0; d < axis; d++)
        l.outer *= x->shape[d];
    for (int d = axis + 1; d < x->ndim; d++)
        l.inner *= x->shape[d];
    return l;
}

} // namespace

#endif
