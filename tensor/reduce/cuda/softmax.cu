/* tensor/reduce/cuda/softmax.cu - softmax along an axis in one launch: maximum and sum online
   (Milakov & Gimelshein 2018), then the quotients. */
#include "tensor/reduce/cuda/lanes.cuh"
#include <cmath>
#include <cuda_runtime.h>

namespace {

enum { THREADS = 256 };

template <class T> __device__ __forceinline__ void take(T &top, T &sum, T x)
{
    if (x == top) { /* infinite ones, too */
        sum += 1;
    } else if (x < top) {
        sum += exp(x - top);
    } else if (top == top) {
        sum = sum * exp(top - x) + 1;
        top = x;
    }
}
/* a sum of 0 is of nothing */
template <class T> __device__ __forceinline__ void join(T &top, T &sum, T top2, T sum2)
{
    if (sum2 == 0)
        return;
    if (sum == 0 || top2 == top) {
        sum += sum2;
        top = top2;
    } else if (top2 < top) {
        sum += sum2 * exp(top2 - top);
    } else {
        sum = sum * exp(top - top2) + sum2;
        top = top2 > top ? top2 : top2 - top;
    }
}

/* what inf - inf makes NaN is no softmax */
template <class T> __device__ __forceinline__ T total(T top, T sum)
{
    return top - top == 0 ? sum : (T)NAN;
}

template <class T>
__global__ void __launch_bounds__(THREADS) softmax_by_thread(lanes l, const T *x, T *y)
{
    AGNI_CU_EACH (e, l.count()) {
        int64_t at = l.begin(e);
        T top = x[at], sum = 1;
        for (int64_t k = 1; k < l.n; k++)
            take(top, sum, x[at + k * l.inner]);
        sum = total(top, sum);
        for (int64_t k = 0; k < l.n; k++)
            y[at + k * l.inner] = exp(x[at + k * l.inner] - top) / sum;
    }
}

template <class T>
__global__ void __launch_bounds__(THREADS) softmax_by_block(lanes l, const T *x, T *y)
{
    __shared__ T tops[THREADS];
    __shared__ T sums[THREADS];
    for (int64_t e = blockIdx.x; e < l.count(); e += gridDim.x) {
        int64_t at = l.begin(e);
        T top = 0, sum = 0;
        if (threadIdx.x < l.n) {
            top = x[at + threadIdx.x * l.inner];
            sum = 1;
        }
        for (int64_t k = (int64_t)threadIdx.x + blockDim.x; k < l.n; k += blockDim.x)
            take(top, sum, x[at + k * l.inner]);
        tops[threadIdx.x] = top;
        sums[threadIdx.x] = sum;
        for (unsigned w = blockDim.x / 2; w > 0; w /= 2) {
            __syncthreads();
            if (threadIdx.x < w) {
                join(top, sum, tops[threadIdx.x + w], sums[threadIdx.x + w]);
                tops[threadIdx.x] = top;
                sums[threadIdx.x] = sum;
            }
        }
        __syncthreads();
        top = tops[0];
        sum = total(top, sums[0]);
        for (int64_t k = threadIdx.x; k < l.n; k += blockDim.x)
            y[at + k * l.inner] = exp(x[at + k * l.inner] - top) / sum;
        __syncthreads();
    }
}

template <class T> agn_status run_softmax(const agn_kernel_call *c)
{
    lanes l = lanes_of(c->in, (int)c->ints[0] + c->in[0].ndim);
    cudaStream_t s = (cudaStream_t)c->stream;
    const T *x = (const T *)c->in[0].data;
    T *y = (T *)c->out[0].data;
    if (l.count() * l.n == 0)
        return AGN_OK;
    int was = agni_cu_enter(c->device), threads = 32;
    while (threads < THREADS && threads < l.n / 2)
        threads *= 2;
    if (l.n >= 32 && (l.inner == 1 || l.count() < 4096))
        softmax_by_block<T><<<agni_cu_blocks(l.count(), 1), threads, 0, s>>>(l, x, y);
    else
        softmax_by_thread<T><<<agni_cu_blocks(l.count(), THREADS), THREADS, 0, s>>>(l, x, y);
    agn_status st = agni_cu_check_launch(c);
    agni_cu_leave(was);
    return st;
}

const agn_kernel_entry table[] = {
    {"softmax", AGN_F32, false, run_softmax<float>},
    {"softmax", AGN_F64, false, run_softmax<double>},
};

} // namespace

extern "C" const agni_cu_table agni_cu_softmax = {table, (int)(sizeof table / sizeof *table)};
