/* tests/emulator/emulator.h - CUDA C++ as plain C++: included before each .cu file, whose launches and shared
   variables tests/emulator/launches.awk has rewritten. A kernel is a function that a fiber runs once per
   thread; threadIdx and its like are variables that the scheduler sets (grid.cpp). */
#ifndef AGNESI_EMULATOR_H
#define AGNESI_EMULATOR_H

#ifdef EMULATED_TEXT /* compiled at run time: kernels alone, which the emulator finds by name */
#include <vector_types.h>
typedef struct CUstream_st *cudaStream_t;
#else
#include <cuda_runtime.h>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <thrust/complex.h>
#endif

#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <type_traits>

#undef __global__
#undef __launch_bounds__
#undef __grid_constant__
#ifdef EMULATED_TEXT
#undef __device__
#undef __align__
#define __device__
#define __align__(n)
#define __global__ __attribute__((visibility("default")))
#else
#define __global__ static __attribute__((unused))
#endif
#define __launch_bounds__(...)
#define __grid_constant__
#define __CUDACC__ 1

namespace emulator {

extern uint3 thread_index, block_index;
extern dim3 block_size, grid_size;

/* queues a kernel; each call of body is one thread */
void launch(const char *name, dim3 grid, dim3 block, size_t shared, cudaStream_t stream,
            std::function<void()> body, bool together = false);

/* what a conditional node of a graph asks before each run of its body */
void set_conditional(unsigned long long handle, unsigned value);

/* memory of the block that runs: the same for all of its threads, unset when it begins */
void *shared_memory(const void *which, size_t bytes, size_t align);
void *dynamic_shared();
template <class S> S &shared_variable()
{
    static char which;
    return *(S *)shared_memory(&which, sizeof(S), alignof(S));
}

template <class F> struct launcher {
    F kernel;
    const char *name;
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
    template <class... A> void operator()(A... a) const
    {
        F k = kernel;
        launch(name, grid, block, shared, stream, [=] { k(a...); });
    }
};
template <class F>
launcher<F> start(F kernel, const char *name, dim3 grid, dim3 block, size_t shared = 0,
                  cudaStream_t stream = nullptr)
{
    return {kernel, name, grid, block, shared, stream};
}

/* ---- meetings ---- */

enum class reduce { none, count, all, some };
int block_meet(reduce how, int value);
/* other blocks of a cooperative launch run meanwhile */
void sleep();

/* the lanes of mask meet; values of all of them, until the next meeting */
const uint64_t *warp_meet(unsigned mask, uint64_t value);
unsigned lane();
unsigned active_lanes();

template <class T> uint64_t as_bits(T v)
{
    static_assert(sizeof(T) <= 8, "a shuffle moves at most 8 bytes");
    uint64_t u = 0;
    memcpy(&u, &v, sizeof v);
    return u;
}
template <class T> T of_bits(uint64_t u)
{
    T v;
    memcpy(&v, &u, sizeof v);
    return v;
}
/* where the source is no lane of the group, the lane keeps its own value (CUDA C++ Programming Guide, warp
   shuffle functions); a source that is not in the mask gives a value that is nothing */
template <class T> T shuffle(unsigned mask, T v, int from, bool inside)
{
    const uint64_t *all = warp_meet(mask, as_bits(v));
    if (!inside)
        return v;
    return mask >> from & 1 ? of_bits<T>(all[from]) : of_bits<T>(~(uint64_t)0);
}

/* ---- atomics ---- */

/* what the block wrote before its last barrier is seen by a block that takes a ticket later, by an
   atomic access, and then fences as well (PTX memory consistency model, causality order) */
void fence();
void note_atomic(const void *p, size_t bytes);
/* its own accesses are no plain ones, of which races.cpp would hear */
template <class T, class F>
__attribute__((noinline, no_sanitize("thread"))) T atomically(T *p, F f)
{
    note_atomic(p, sizeof *p);
    T old, now;
    memcpy(&old, p, sizeof old);
    now = f(old);
    memcpy(p, &now, sizeof now);
    return old;
}

} // namespace emulator

#define threadIdx emulator::thread_index
#define blockIdx emulator::block_index
#define blockDim emulator::block_size
#define gridDim emulator::grid_size
#undef warpSize
#define warpSize 32

#define EMULATED_LAUNCH(kernel, ...) \
    emulator::start([](const auto &...a) { kernel(a...); }, #kernel, __VA_ARGS__)

#define cudaGraphSetConditional emulator::set_conditional
#define __syncthreads() ((void)emulator::block_meet(emulator::reduce::none, 0))
#define __syncthreads_count(v) emulator::block_meet(emulator::reduce::count, (v) != 0)
#define __syncthreads_and(v) emulator::block_meet(emulator::reduce::all, (v) != 0)
#define __syncthreads_or(v) emulator::block_meet(emulator::reduce::some, (v) != 0)
static inline void emulated_syncwarp(unsigned mask = 0xffffffffu) { (void)emulator::warp_meet(mask, 0); }
#define __syncwarp emulated_syncwarp
#define __nanosleep(ns) emulator::sleep()
#define __activemask emulator::active_lanes
#define __threadfence() emulator::fence()
#define __threadfence_block() ((void)0)
#define __threadfence_system() ((void)0)

template <class T> T __shfl_sync(unsigned mask, T v, int from, int width = 32)
{
    int base = (int)emulator::lane() & ~(width - 1);
    return emulator::shuffle(mask, v, base + (from & (width - 1)), true);
}
template <class T> T __shfl_up_sync(unsigned mask, T v, unsigned d, int width = 32)
{
    int me = (int)emulator::lane(), base = me & ~(width - 1), from = me - (int)d;
    return emulator::shuffle(mask, v, from, from >= base);
}
template <class T> T __shfl_down_sync(unsigned mask, T v, unsigned d, int width = 32)
{
    int me = (int)emulator::lane(), end = (me & ~(width - 1)) + width, from = me + (int)d;
    return emulator::shuffle(mask, v, from, from < end);
}
template <class T> T __shfl_xor_sync(unsigned mask, T v, int bits, int width = 32)
{
    int me = (int)emulator::lane(), end = (me & ~(width - 1)) + width, from = me ^ bits;
    return emulator::shuffle(mask, v, from, from < end);
}
static inline unsigned __ballot_sync(unsigned mask, int v)
{
    const uint64_t *all = emulator::warp_meet(mask, v != 0);
    unsigned r = 0;
    for (int l = 0; l < 32; l++)
        r |= mask >> l & 1 ? (unsigned)all[l] << l : 0;
    return r;
}
static inline int __any_sync(unsigned mask, int v) { return __ballot_sync(mask, v) != 0; }
static inline int __all_sync(unsigned mask, int v) { return __ballot_sync(mask, v) == mask; }

#define EMULATED_ATOMIC(name, type, value)                                              \
    template <class T> T name(T *p, type v)                                               \
    {                                                                                     \
        return emulator::atomically(p, [=](T old) { return (T)(value); });                \
    }                                                                                     \
    template <class T> T name##_system(T *p, type v) { return name(p, v); }               \
    template <class T> T name##_block(T *p, type v) { return name(p, v); }
EMULATED_ATOMIC(atomicAdd, std::common_type_t<T>, old + v)
EMULATED_ATOMIC(atomicSub, std::common_type_t<T>, old - v)
EMULATED_ATOMIC(atomicMin, std::common_type_t<T>, v < old ? v : old)
EMULATED_ATOMIC(atomicMax, std::common_type_t<T>, v > old ? v : old)
EMULATED_ATOMIC(atomicExch, std::common_type_t<T>, (old, v))
EMULATED_ATOMIC(atomicAnd, std::common_type_t<T>, old & v)
EMULATED_ATOMIC(atomicOr, std::common_type_t<T>, old | v)
EMULATED_ATOMIC(atomicXor, std::common_type_t<T>, old ^ v)
EMULATED_ATOMIC(atomicInc, std::common_type_t<T>, old >= v ? 0 : old + 1)
#undef EMULATED_ATOMIC
template <class T> T atomicCAS(T *p, std::common_type_t<T> is, std::common_type_t<T> v)
{
    return emulator::atomically(p, [=](T old) { return old == is ? v : old; });
}

static inline int __popc(unsigned x) { return __builtin_popcount(x); }
static inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
static inline int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
static inline int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
static inline int __ffs(int x) { return __builtin_ffs(x); }
static inline int __ffsll(long long x) { return __builtin_ffsll(x); }
template <class T> T __ldg(const T *p) { return *p; }

#endif
