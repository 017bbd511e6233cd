/* tensor/random/cuda/random.cu - uniform, normal and exponential numbers, bits, folding of keys:
   the integers are those of core/random/philox.h, so the uniforms are those of the CPU bit for
   bit. */

#include "tensor/cuda/cuda.h"
#define AGNI_FN static __device__ __forceinline__
#include "core/random/philox.h"
#include "tensor/cpu/special/normal.h"
#include <cuda_runtime.h>

namespace {

enum law { UNIFORM, NORMAL, EXPONENTIAL };

/* exponential: -log of the middle of a cell twice as wide, never 0 or 1
   (tensor/random/uniform_normal.c) */
template <law of> __device__ float philox_number(const agni_philox4 &r, int j, float)
{
    float u = agni_philox_to_f32(of == EXPONENTIAL ? r.w[j] | 1u << 8 : r.w[j]);
    return of == NORMAL        ? (float)agni_normal_at((double)u, 0x1p-25)
           : of == EXPONENTIAL ? (float)-agni_plain_log((double)u)
                               : u;
}
template <law of> __device__ double philox_number(const agni_philox4 &r, int j, double)
{
    uint32_t low = r.w[2 * j + 1];
    double u = agni_philox_to_f64(r.w[2 * j], of == EXPONENTIAL ? low | 1u << 11 : low);
    return of == NORMAL ? agni_normal_at(u, 0x1p-54) : of == EXPONENTIAL ? -agni_plain_log(u) : u;
}

/* one thread per block of four words: four f32 or two f64 of one lane */
template <class T, law of>
__global__ void __launch_bounds__(256)
    draw(int64_t lanes, int64_t per_lane, const int64_t *keys, T *y)
{
    const int each = (int)(16 / sizeof(T));
    int64_t blocks = (per_lane + each - 1) / each;
    AGNI_CU_EACH (e, lanes * blocks) {
        int64_t lane = e / blocks, b = e - lane * blocks;
        uint64_t key = agni_philox_subkey((uint64_t)keys[2 * lane], (uint64_t)keys[2 * lane + 1]);
        agni_philox4 r = agni_philox_block(key, (uint64_t)b);
        for (int j = 0; j < each && b * each + j < per_lane; j++)
            y[lane * per_lane + b * each + j] = philox_number<of>(r, j, T(0));
    }
}

template <class T, law of> agn_status run_draw(const agn_kernel_call *c)
{
    int64_t lanes = agni_cu_size(c->in) / 2, size = agni_cu_size(c->out);
    if (size == 0)
        return AGN_OK;
    int was = agni_cu_enter(c->device);
    draw<T, of><<<agni_cu_blocks(size / (int64_t)(16 / sizeof(T)) + lanes, 256), 256, 0,
                      (cudaStream_t)c->stream>>>(lanes, size / lanes,
                                                 (const int64_t *)c->in[0].data,
                                                 (T *)c->out[0].data);
    agn_status st = agni_cu_check_launch(c);
    agni_cu_leave(was);
    return st;
}

/* number i of a lane: words 2 (i % 2), the high one, and the next of block i / 2; i counts modulo
   2^64 */
__global__ void __launch_bounds__(256)
    draw_bits(int64_t lanes, int64_t per_lane, uint64_t first, const int64_t *keys, int64_t *y)
{
    AGNI_CU_EACH (e, lanes * per_lane) {
        int64_t lane = e / per_lane;
        uint64_t i = first + (uint64_t)(e - lane * per_lane);
        uint64_t key = agni_philox_subkey((uint64_t)keys[2 * lane], (uint64_t)keys[2 * lane + 1]);
        agni_philox4 r = agni_philox_block(key, i / 2);
        y[e] = (int64_t)((uint64_t)r.w[2 * (i % 2)] << 32 | r.w[2 * (i % 2) + 1]);
    }
}
agn_status run_bits(const agn_kernel_call *c)
{
    int64_t lanes = agni_cu_size(c->in) / 2, size = agni_cu_size(c->out);
    if (size == 0)
        return AGN_OK;
    int was = agni_cu_enter(c->device);
    draw_bits<<<agni_cu_blocks(size, 256), 256, 0, (cudaStream_t)c->stream>>>(
        lanes, size / lanes, (uint64_t)c->ints[0], (const int64_t *)c->in[0].data,
        (int64_t *)c->out[0].data);
    agn_status st = agni_cu_check_launch(c);
    agni_cu_leave(was);
    return st;
}

__global__ void __launch_bounds__(256)
    fold_keys(const __grid_constant__ agni_cu_walk w, int64_t second, int64_t second_out)
{
    AGNI_CU_EACH (i, w.size) {
        int64_t at[3];
        agni_cu_place<3>(w, i, at);
        const int64_t *key = (const int64_t *)w.p[1] + at[1];
        int64_t *to = (int64_t *)w.p[0] + at[0];
        uint64_t sub = agni_philox_subkey((uint64_t)key[0], (uint64_t)key[second]);
        uint64_t n = (uint64_t)((const int64_t *)w.p[2])[at[2]];
        to[0] = (int64_t)agni_philox_fold(sub, n);
        to[second_out] = 0;
    }
}

/* the last axis of keys holds the pair: the walk goes over the others */
agn_status run_fold(const agn_kernel_call *c)
{
    agn_array y = c->out[0], in[2] = {c->in[0], c->in[1]};
    int64_t second = in[0].stride[--in[0].ndim], second_out = y.stride[--y.ndim];
    agni_cu_walk w;
    agni_cu_make_walk(&w, &y, 2, in);
    if (w.size == 0)
        return AGN_OK;
    int was = agni_cu_enter(c->device);
    fold_keys<<<agni_cu_blocks(w.size, 256), 256, 0, (cudaStream_t)c->stream>>>(w, second,
                                                                                second_out);
    agn_status st = agni_cu_check_launch(c);
    agni_cu_leave(was);
    return st;
}

const agn_kernel_entry table[] = {
    {"uniform", AGN_F32, false, run_draw<float, UNIFORM>},
    {"uniform", AGN_F64, false, run_draw<double, UNIFORM>},
    {"normal", AGN_F32, false, run_draw<float, NORMAL>},
    {"normal", AGN_F64, false, run_draw<double, NORMAL>},
    {"exponential", AGN_F32, false, run_draw<float, EXPONENTIAL>},
    {"exponential", AGN_F64, false, run_draw<double, EXPONENTIAL>},
    {"random_bits", AGN_I64, false, run_bits},
    {"key_fold", AGN_I64, true, run_fold},
};

} // namespace

extern "C" const agni_cu_table agni_cu_random = {table, (int)(sizeof table / sizeof *table)};
