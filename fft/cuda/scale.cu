/* fft/cuda/scale.cu - scales of transforms (fft/fft.h: "inside" is every bin but 0 and, for
   even n, n/2). */
#include "fft/cuda/kernels.h"
#include <cuda_runtime.h>

namespace {

template <class R> __global__ void __launch_bounds__(256) all(R *p, int64_t reals, R f)
{
    AGNI_CU_EACH (i, reals)
        p[i] *= f;
}

template <class R>
__global__ void __launch_bounds__(256)
    each_bin(R *p, int64_t lines, int64_t bins, int64_t n, R f, R inside)
{
    AGNI_CU_EACH (i, lines * bins) {
        int64_t k = i % bins;
        R s = k == 0 || 2 * k == n ? f : inside;
        p[2 * i] *= s;
        p[2 * i + 1] *= s;
    }
}

} // namespace

extern "C" void agni_cu_scale(bool single, void *p, int64_t reals, double f, cudaStream_t s)
{
    if (f == 1)
        return;
    unsigned blocks = agni_cu_blocks(reals, 256);
    if (single)
        all<float><<<blocks, 256, 0, s>>>((float *)p, reals, (float)f);
    else
        all<double><<<blocks, 256, 0, s>>>((double *)p, reals, f);
}

extern "C" void agni_cu_scale_bins(bool single, void *p, int64_t lines, int64_t bins, int64_t n,
                                   double f, double w, cudaStream_t s)
{
    if (f == 1 && w == 1)
        return;
    unsigned blocks = agni_cu_blocks(lines * bins, 256);
    if (single)
        each_bin<float><<<blocks, 256, 0, s>>>((float *)p, lines, bins, n, (float)f,
                                               (float)(f * w));
    else
        each_bin<double><<<blocks, 256, 0, s>>>((double *)p, lines, bins, n, f, f * w);
}
