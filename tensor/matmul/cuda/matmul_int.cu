/* tensor/matmul/cuda/matmul_int.cu - integer matmul, which cuBLAS does not have: it wraps
   around. */

#include "tensor/cuda/cuda.h"
#include <cuda_runtime.h>

namespace {

struct sizes {
    int64_t m, n, k, stride[6]; /* rows and columns of out, a, b */
};

template <class U>
__global__ void __launch_bounds__(256) int_matmul(const __grid_constant__ agni_cu_walk w, sizes z)
{
    int64_t mn = z.m * z.n;
    AGNI_CU_EACH (e, w.size * mn) {
        int64_t l = e / mn, r = (e - l * mn) / z.n, q = e - l * mn - r * z.n, at[3];
        agni_cu_place<3>(w, l, at);
        const U *a = (const U *)w.p[1] + at[1] + r * z.stride[2];
        const U *b = (const U *)w.p[2] + at[2] + q * z.stride[5];
        U sum = 0;
        for (int64_t j = 0; j < z.k; j++)
            sum += a[j * z.stride[3]] * b[j * z.stride[4]];
        ((U *)w.p[0])[at[0] + r * z.stride[0] + q * z.stride[1]] = sum;
    }
}

} // namespace

extern "C" void agni_cu_int_matmul(const agn_kernel_call *c, const agni_cu_walk *w,
                                   const int64_t *size, const int64_t *stride);
extern "C" void agni_cu_int_matmul(const agn_kernel_call *c, const agni_cu_walk *w,
                                   const int64_t *size, const int64_t *stride)
{
    sizes z = {size[0], size[1], size[2], {}};
    for (int i = 0; i < 6; i++)
        z.stride[i] = stride[i];
    unsigned blocks = agni_cu_blocks(w->size * z.m * z.n, 256);
    if (c->out[0].dtype == AGN_I32)
        int_matmul<uint32_t><<<blocks, 256, 0, (cudaStream_t)c->stream>>>(*w, z);
    else
        int_matmul<uint64_t><<<blocks, 256, 0, (cudaStream_t)c->stream>>>(*w, z);
}
