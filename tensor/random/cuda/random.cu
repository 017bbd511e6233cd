/* tensor/random/cuda/random.cu - uniform and normal numbers, folding of keys: the integers are those of
   core/random/philox.h, so the uniforms are those of the CPU bit for bit. */

#include "tensor/cuda/cuda.h"
#define AGNI_FN static __device__ __forceinline__
#include "core/random/philox.h"
#include "tensor/cpu/special/normal.h"
#include <cuda_runtime.h>

namespace {

template <bool normal> __device__ float philox_number(const agni_philox4 &r, int j, float)
{
    float u = agni_philox_to_f32(r.w[j]);
    return normal ? (float)agni_normal_at((double)u, 0x1p-25) : u;
}
template <bool normal> __device__ double philox_number(const agni_philox4 &r, int j, double)
{
    double u = agni_philox_to_f64(r.w[2 * j], r.w[2 * j + 1]);
    return normal ? agni_normal_at(u, 0x1p-54) : u;
}

/* one thread per block of four words: four f32 or two f64 of one lane */
template <class T, bool normal>
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
            y[lane * per_lane + b * each + j] = philox_number<normal>(r, j, T(0));
    }
}

template <class T, bool normal> agn_status run_draw(const agn_kernel_call *c)
{
    int64_t lanes = agni_cu_size(c->in) / 2, size = agni_cu_size(c->out);
    if (size == 0)
        return AGN_OK;
    int was = agni_cu_enter(c->device);
    draw<T, normal><<<agni_cu_blocks(size / (int64_t)(16 / sizeof(T)) + lanes, 256), 256, 0,
                      (cudaStream_t)c->stream>>>(lanes, size / lanes,
                                                 (const int64_t *)c->in[0].data,
                                                 (T *)c->out[0].data);
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
    {"uniform", AGN_F32, false, run_draw<float, false>},
    {"uniform", AGN_F64, false, run_draw<double, false>},
    {"normal", AGN_F32, false, run_draw<float, true>},
    {"normal", AGN_F64, false, run_draw<double, true>},
    {"key_fold", AGN_I64, true, run_fold},
};

} // namespace

extern "C" const agni_cu_table agni_cu_random = {table, (int)(sizeof table / sizeof *table)};
