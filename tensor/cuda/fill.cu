/* tensor/cuda/fill.cu - copies of one value. */
#include "tensor/cuda/cuda.h"
#include "tensor/cuda/device.h"

#include <cstring>

namespace {

constexpr int THREADS = 256;

template <class T> __global__ void __launch_bounds__(THREADS) fill(T *p, T value, int64_t n)
{
    AGNI_CU_EACH (i, n)
        p[i] = value;
}

template <class T> void start_fill(void *p, const void *value, size_t count, cudaStream_t s)
{
    T v;
    memcpy(&v, value, sizeof v);
    fill<T><<<agni_cu_blocks((int64_t)count, THREADS), THREADS, 0, s>>>((T *)p, v, (int64_t)count);
}

} // namespace

extern "C" agn_status agni_cu_fill(void *, int32_t device, void *dst, const void *value,
                                   size_t value_bytes, size_t count)
{
    cudaStream_t s = (cudaStream_t)agni_cu_stream(device);
    if (!s)
        return AGN_EDEVICE;
    int was = agni_cu_enter(device);
    switch (value_bytes) {
    case 1: start_fill<uint8_t>(dst, value, count, s); break;
    case 2: start_fill<uint16_t>(dst, value, count, s); break;
    case 4: start_fill<uint32_t>(dst, value, count, s); break;
    case 8: start_fill<uint64_t>(dst, value, count, s); break;
    default: start_fill<uint4>(dst, value, count, s); break;
    }
    agn_status st = agni_cu_check(device, "device_fill", cudaGetLastError());
    agni_cu_leave(was);
    return st;
}
