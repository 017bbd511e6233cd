/* tensor/random/cuda/samplers.cu - laws that are drawn by tries, permutations, categories and
   quasi-random sequences on a device: the functions of one number are the host's own text
   (tensor/random/cpu), so integers are the same. */

#include "tensor/cuda/cuda.h"

#define AGNI_FN static inline __device__
#define AGNI_TABLE static __device__
#include "tensor/random/cpu/rejection.h"
#include "tensor/random/cpu/sequences.h"
#include "tensor/random/sobol.inc"

#include <cuda_runtime.h>

namespace {

inline __device__ uint64_t subkey(const int64_t *keys, int64_t lane)
{
    return agni_philox_subkey((uint64_t)keys[2 * lane], (uint64_t)keys[2 * lane + 1]);
}

/* ---- numbers with parameters ---------------------------------------------------------------- */

enum { PARAMS = 2 };
typedef union number {
    double f;
    int64_t i;
} number;

/* what a launch is told of its arrays: result and parameters are operands of the walk */
typedef struct sampling {
    const int64_t *keys;
    int64_t per_lane, option;
    int32_t out, param[PARAMS];
    unsigned long long *fault;
} sampling;

inline __device__ number load(const void *p, int dtype, int64_t at)
{
    number x;
    switch (dtype) {
    case AGN_F64: x.f = ((const double *)p)[at]; break;
    case AGN_F32: x.f = (double)((const float *)p)[at]; break;
    case AGN_I64: x.i = ((const int64_t *)p)[at]; break;
    case AGN_I32: x.i = ((const int32_t *)p)[at]; break;
    default: x.i = ((const bool *)p)[at];
    }
    return x;
}
inline __device__ void store(void *p, int dtype, int64_t at, number y)
{
    switch (dtype) {
    case AGN_F64: ((double *)p)[at] = y.f; break;
    case AGN_F32: ((float *)p)[at] = (float)y.f; break;
    case AGN_I64: ((int64_t *)p)[at] = y.i; break;
    case AGN_I32: ((int32_t *)p)[at] = (int32_t)y.i; break;
    case AGN_I16: ((int16_t *)p)[at] = (int16_t)y.i; break;
    case AGN_I8:
    case AGN_U8: ((uint8_t *)p)[at] = (uint8_t)y.i; break;
    default: ((bool *)p)[at] = y.i != 0;
    }
}

struct draw {
    uint64_t key, i; /* of the lane; number of the element in it */
    const number *p;
    int64_t option;
    int out;
    __device__ agni_philox_tries tries(const agni_philox4 *r) const
    {
        agni_philox_tries t;
        t.key = key, t.element = i, t.next = 1, t.w = r->w;
        return t;
    }
};

/* each law: are the parameters of an element valid, and its number */
struct integers {
    static __device__ bool valid(const draw &d)
    {
        static const int8_t bits[] = {1, 8, 8, 16, 32, 64};
        int wide = bits[d.out];
        int64_t half = wide < 64 ? (int64_t)1 << (wide - 1) : INT64_MAX;
        int64_t least = d.out == AGN_U8 ? 0
                        : wide < 64     ? -half
                                        : INT64_MIN,
                most = d.out == AGN_U8 ? 2 * half : half;
        return d.p[0].i >= least && d.p[0].i < most && d.p[0].i < d.p[1].i && d.p[1].i <= most;
    }
    static __device__ number one(const draw &d)
    {
        number y;
        agni_philox4 r = agni_philox_block(d.key, d.i);
        agni_philox_tries t = d.tries(&r);
        uint64_t low = (uint64_t)d.p[0].i;
        y.i = (int64_t)(low + agni_draw_below(&t, (uint64_t)d.p[1].i - low));
        return y;
    }
};
struct bernoulli {
    static __device__ bool valid(const draw &d) { return d.p[0].f >= 0 && d.p[0].f <= 1; }
    static __device__ number one(const draw &d)
    {
        number y;
        y.i = agni_philox_f64(d.key, d.i) < d.p[0].f;
        return y;
    }
};
struct poisson {
    static __device__ bool valid(const draw &d)
    {
        return d.p[0].f >= 0 && d.p[0].f <= (d.out == AGN_I32 ? 0x1p30 : 0x1p62);
    }
    static __device__ number one(const draw &d)
    {
        number y;
        agni_philox4 r = agni_philox_block(d.key, d.i);
        agni_philox_tries t = d.tries(&r);
        agni_poisson_constants q = agni_prepare_poisson(d.p[0].f);
        y.i = agni_draw_one_poisson(&t, &q, nullptr);
        return y;
    }
};
struct binomial {
    static __device__ bool valid(const draw &d)
    {
        return d.p[0].i >= 0 &&
               d.p[0].i <= (d.out == AGN_I32 ? (int64_t)INT32_MAX : (int64_t)1 << 62) &&
               d.p[1].f >= 0 && d.p[1].f <= 1;
    }
    static __device__ number one(const draw &d)
    {
        number y;
        agni_philox4 r = agni_philox_block(d.key, d.i);
        agni_philox_tries t = d.tries(&r);
        int64_t n = d.p[0].i;
        double p = d.p[1].f;
        agni_binomial_constants q = agni_prepare_binomial((double)n, p > 0.5 ? 1 - p : p);
        int64_t k = (int64_t)agni_draw_one_binomial(&t, &q, nullptr);
        k = k > n ? n : k;
        y.i = p > 0.5 ? n - k : k;
        return y;
    }
};
struct gamma_law {
    static __device__ bool valid(const draw &d)
    {
        return d.p[0].f >= 0x1p-1000 && d.p[0].f <= 0x1p1000;
    }
    static __device__ number one(const draw &d)
    {
        number y;
        agni_philox4 r = agni_philox_block(d.key, d.i);
        double z = agni_normal_at(agni_philox_to_f64(r.w[0], r.w[1]), 0x1p-54);
        y.f = agni_draw_one_gamma(d.key, d.i, d.p[0].f, z, r.w, d.option != 0);
        return y;
    }
};
struct truncated {
    static __device__ bool valid(const draw &d)
    {
        return d.p[0].f < (double)INFINITY && d.p[1].f >= d.p[0].f && d.p[1].f > -(double)INFINITY;
    }
    static __device__ number one(const draw &d)
    {
        number y;
        agni_between q = {(double)NAN, 0, 0, 0};
        y.f = agni_draw_one_truncated(d.key, d.i, d.p[0].f, d.p[1].f, &q);
        return y;
    }
};

template <class L>
__global__ void __launch_bounds__(128) sample(const __grid_constant__ agni_cu_walk w, sampling s)
{
    AGNI_CU_EACH (i, w.size) {
        int64_t at[3];
        agni_cu_place<3>(w, i, at);
        number p[PARAMS];
        for (int k = 0; k < PARAMS; k++)
            p[k] = load(w.p[k + 1], s.param[k], at[k + 1]);
        int64_t lane = i / s.per_lane;
        draw d = {subkey(s.keys, lane), (uint64_t)(i - lane * s.per_lane), p, s.option, s.out};
        number y;
        if (L::valid(d)) {
            y = L::one(d);
        } else {
            atomicMin_system(s.fault, AGNI_CU_FAULT(AGNI_CU_PARAMETER, i));
            if (s.out == AGN_F32 || s.out == AGN_F64)
                y.f = (double)NAN;
            else
                y.i = 0;
        }
        store(w.p[0], s.out, i, y);
    }
}

template <class L> agn_status run_sample(const agn_kernel_call *c)
{
    agn_array in[PARAMS] = {c->in[1], c->in[c->n_in - 1]};
    agni_cu_walk w;
    agni_cu_make_walk(&w, c->out, PARAMS, in);
    if (w.size == 0)
        return AGN_OK;
    int64_t lanes = agni_cu_size(c->in) / 2;
    sampling s = {(const int64_t *)c->in[0].data, w.size / lanes,
                  c->n_int ? c->ints[0] : 0,      c->out->dtype,
                  {in[0].dtype, in[1].dtype},     agni_cu_fault_word(c->device)};
    int was = agni_cu_enter(c->device);
    sample<L><<<agni_cu_blocks(w.size, 128), 128, 0, (cudaStream_t)c->stream>>>(w, s);
    agn_status st = agni_cu_check_launch(c);
    agni_cu_leave(was);
    return st;
}

/* ---- permutations: Fisher-Yates from the inside out, one thread for each lane --------------- */

__global__ void __launch_bounds__(64)
    shuffle(const int64_t *keys, int64_t *y, int64_t n, int64_t lanes)
{
    AGNI_CU_EACH (lane, lanes) {
        uint64_t key = subkey(keys, lane);
        int64_t *to = y + lane * n;
        for (int64_t i = 0; i < n; i++) {
            agni_philox4 r = agni_philox_block(key, (uint64_t)i);
            agni_philox_tries t;
            t.key = key, t.element = (uint64_t)i, t.next = 1, t.w = r.w;
            int64_t j = (int64_t)agni_draw_below(&t, (uint64_t)i + 1);
            if (j < i)
                to[i] = to[j];
            to[j] = i;
        }
    }
}
agn_status run_permutation(const agn_kernel_call *c)
{
    int64_t lanes = agni_cu_size(c->in) / 2, n = c->ints[0];
    if (!lanes || !n)
        return AGN_OK;
    int was = agni_cu_enter(c->device);
    shuffle<<<agni_cu_blocks(lanes, 64), 64, 0, (cudaStream_t)c->stream>>>(
        (const int64_t *)c->in[0].data, (int64_t *)c->out[0].data, n, lanes);
    agn_status st = agni_cu_check_launch(c);
    agni_cu_leave(was);
    return st;
}

/* ---- categories ----------------------------------------------------------------------------- */

enum { MANY, AGAIN }; /* attributes */

/* of each row: is it valid; sums of its weights, or the categories that arrive first */
template <class T>
__global__ void __launch_bounds__(64)
    weigh(const __grid_constant__ agni_cu_walk w, int64_t n, int64_t many, bool again,
          int64_t per_lane, const int64_t *keys, double *room, int64_t *y,
          unsigned long long *fault)
{
    AGNI_CU_EACH (row, w.size) {
        int64_t place[2], positive = 0;
        agni_cu_place<2>(w, row, place);
        const T *x = (const T *)w.p[1] + place[1];
        double s = 0;
        bool good = true;
        for (int64_t k = 0; k < n; k++) {
            double v = (double)x[k];
            positive += v > 0;
            good = good && v >= 0 && v < (double)INFINITY;
        }
        if (!good || positive < (again ? many > 0 : many)) {
            atomicMin_system(fault, AGNI_CU_FAULT(AGNI_CU_WEIGHTS, row));
            for (int64_t m = 0; m < many; m++)
                y[row * many + m] = -1;
            continue;
        }
        if (again) {
            double *sum = room + row * n;
            for (int64_t k = 0; k < n; k++)
                sum[k] = s += (double)x[k];
            if (!(s < (double)INFINITY)) {
                s = 0;
                for (int64_t k = 0; k < n; k++)
                    sum[k] = s += 0x1p-64 * (double)x[k];
            }
            continue;
        }
        agni_arrival *heap = (agni_arrival *)room + row * many;
        uint64_t key = subkey(keys, row / per_lane);
        int64_t have = 0, inner = row % per_lane;
        for (int64_t k = 0; k < n; k++) {
            double v = (double)x[k];
            if (v == 0)
                continue;
            agni_philox4 r = agni_philox_block(key, (uint64_t)(inner * n + k));
            agni_arrival e = {sqrt(-agni_plain_log(agni_unit_of_words(r.w[0], r.w[1]))) / sqrt(v),
                              k};
            if (have < many) {
                heap[have++] = e;
                if (have == many)
                    for (int64_t i = many / 2; i-- > 0;)
                        agni_sift_down(heap, many, i);
            } else if (many > 0 && agni_arrives_later(heap[0], e)) {
                heap[0] = e;
                agni_sift_down(heap, many, 0);
            }
        }
        for (int64_t m = many; m-- > 0;) {
            y[row * many + m] = heap[0].category;
            heap[0] = heap[m];
            agni_sift_down(heap, m, 0);
        }
    }
}
__global__ void __launch_bounds__(128)
    choose(const double *room, int64_t n, int64_t many, int64_t per_lane, int64_t rows,
           const int64_t *keys, int64_t *y)
{
    AGNI_CU_EACH (e, rows * many) {
        int64_t row = e / many, i = e % many;
        const double *sum = room + row * n;
        if (y[e] == -1) /* refused */
            continue;
        uint64_t key = subkey(keys, row / per_lane);
        y[e] = agni_invert_cumulative(sum, n,
                                      agni_philox_f64(key, (uint64_t)(row % per_lane * many + i)));
    }
}

template <class T> agn_status run_multinomial(const agn_kernel_call *c)
{
    int64_t lanes = agni_cu_size(c->in) / 2, many = c->ints[MANY],
            n = c->in[1].shape[c->in[1].ndim - 1];
    bool again = c->ints[AGAIN];
    agn_array rows = c->out[0], weights = c->in[1];
    rows.ndim--, weights.ndim--;
    agni_cu_walk w;
    agni_cu_make_walk(&w, &rows, 1, &weights);
    if (!w.size || !many)
        return AGN_OK;
    void *room = NULL;
    int64_t *y = (int64_t *)c->out[0].data;
    const int64_t *keys = (const int64_t *)c->in[0].data;
    int was = agni_cu_enter(c->device);
    agn_status st = agni_cu_scratch(c, (size_t)(w.size * (again ? n : 2 * many)) * sizeof(double),
                                    &room);
    if (!st)
        st = agni_cu_check(
            c->device, c->op,
            cudaMemsetAsync(y, 0, (size_t)(w.size * many) * sizeof *y, (cudaStream_t)c->stream));
    if (!st) {
        weigh<T><<<agni_cu_blocks(w.size, 64), 64, 0, (cudaStream_t)c->stream>>>(
            w, n, many, again, w.size / lanes, keys, (double *)room, y,
            agni_cu_fault_word(c->device));
        st = agni_cu_check_launch(c);
    }
    if (!st && again) {
        choose<<<agni_cu_blocks(w.size * many, 128), 128, 0, (cudaStream_t)c->stream>>>(
            (const double *)room, n, many, w.size / lanes, w.size, keys, y);
        st = agni_cu_check_launch(c);
    }
    agni_cu_scratch_free(c, room);
    agni_cu_leave(was);
    return st;
}

agn_status run_multinomial_of(const agn_kernel_call *c)
{
    return c->in[1].dtype == AGN_F32 ? run_multinomial<float>(c) : run_multinomial<double>(c);
}

/* ---- quasi-random sequences ----------------------------------------------------------------- */

enum { DTYPE, FIRST, SCRAMBLE, POINTS, DIMS, HALTON_ROW = 1 + 2 * AGNI_SEQUENCE_BITS };

/* [AGNI_SEQUENCE_BITS][dims] direction numbers, then shifts [dims], for each lane */
__global__ void __launch_bounds__(64)
    sobol_table_of(const int64_t *keys, uint64_t *table, int64_t dims, bool random, int64_t lanes)
{
    AGNI_CU_EACH (e, lanes * dims) {
        int64_t lane = e / dims, j = e % dims;
        uint64_t *t = table + lane * (AGNI_SEQUENCE_BITS + 1) * dims + j, key = subkey(keys, lane);
        const uint16_t *p = sobol_table;
        int poly = 1;
        for (int64_t k = 1; k <= j; k++) { /* a polynomial, and as many numbers as its degree */
            poly = *p++;
            for (int s = poly; k < j && s > 1; s >>= 1)
                p++;
        }
        agni_fill_direction_numbers(t, dims, j ? poly : 1, p);
        if (random)
            agni_scramble_matrix(t, dims, key, (uint64_t)j);
        t[AGNI_SEQUENCE_BITS * dims] = random ? agni_random53(key, (uint64_t)j << 6 | 63) : 0;
    }
}
__global__ void __launch_bounds__(64)
    halton_table_of(const int64_t *keys, uint64_t *table, int64_t dims, bool random, int64_t lanes)
{
    AGNI_CU_EACH (e, lanes * dims) {
        int64_t lane = e / dims, j = e % dims;
        uint64_t *row = table + e * HALTON_ROW, key = subkey(keys, lane), p = 2;
        for (int64_t found = 0;; p++) { /* prime number j */
            bool prime = true;
            for (uint64_t i = 2; prime && i * i <= p; i++)
                prime = p % i != 0;
            if (prime && found++ == j)
                break;
        }
        row[0] = p;
        for (uint64_t i = 0; i < AGNI_SEQUENCE_BITS; i++)
            for (uint64_t half = 0; half < 2; half++) {
                uint64_t at = ((uint64_t)j << 7 | 2 * i) + half;
                agni_philox4 r = agni_philox_block(key, at);
                agni_philox_tries t;
                t.key = key, t.element = at, t.next = 1, t.w = r.w;
                row[1 + 2 * i + half] = !random ? 1 - half
                                        : half  ? agni_draw_below(&t, p)
                                                : 1 + agni_draw_below(&t, p - 1);
            }
    }
}

template <bool SOBOL>
__global__ void __launch_bounds__(128)
    points(const uint64_t *table, int64_t first, int64_t n, int64_t dims, bool random, bool narrow,
           int64_t lanes, void *y)
{
    AGNI_CU_EACH (e, lanes * n * dims) {
        int64_t j = e % dims, k = e / dims % n, lane = e / (dims * n);
        double x;
        if (SOBOL) {
            const uint64_t *t = table + lane * (AGNI_SEQUENCE_BITS + 1) * dims + j;
            uint64_t i = (uint64_t)(first + k), gray = i ^ i >> 1, v = t[AGNI_SEQUENCE_BITS * dims];
            for (int b = 0; b < AGNI_SEQUENCE_BITS; b++)
                if (gray >> b & 1)
                    v ^= t[b * dims];
            x = narrow ? (double)(v >> (AGNI_SEQUENCE_BITS - 24)) * 0x1p-24 : (double)v * 0x1p-53;
        } else {
            double most = narrow ? 1 - 0x1p-24 : 1 - 0x1p-53;
            x = agni_radical_inverse((uint64_t)(first + k), table + (lane * dims + j) * HALTON_ROW,
                                     random);
            x = x < most ? x : most;
        }
        if (narrow)
            ((float *)y)[e] = (float)x;
        else
            ((double *)y)[e] = x;
    }
}

template <bool SOBOL> agn_status run_points(const agn_kernel_call *c)
{
    int64_t lanes = agni_cu_size(c->in) / 2, n = c->ints[POINTS], dims = c->ints[DIMS];
    int64_t row = SOBOL ? AGNI_SEQUENCE_BITS + 1 : HALTON_ROW;
    bool random = c->ints[SCRAMBLE];
    if (!lanes || !n)
        return AGN_OK;
    void *room = NULL;
    const int64_t *keys = (const int64_t *)c->in[0].data;
    cudaStream_t stream = (cudaStream_t)c->stream;
    int was = agni_cu_enter(c->device);
    agn_status st = agni_cu_scratch(c, (size_t)(lanes * dims * row) * sizeof(uint64_t), &room);
    if (!st) {
        if (SOBOL)
            sobol_table_of<<<agni_cu_blocks(lanes * dims, 64), 64, 0, stream>>>(
                keys, (uint64_t *)room, dims, random, lanes);
        else
            halton_table_of<<<agni_cu_blocks(lanes * dims, 64), 64, 0, stream>>>(
                keys, (uint64_t *)room, dims, random, lanes);
        points<SOBOL><<<agni_cu_blocks(lanes * n * dims, 128), 128, 0, stream>>>(
            (const uint64_t *)room, c->ints[FIRST], n, dims, random, c->ints[DTYPE] == AGN_F32,
            lanes, c->out[0].data);
        st = agni_cu_check_launch(c);
    }
    agni_cu_scratch_free(c, room);
    agni_cu_leave(was);
    return st;
}

const agn_kernel_entry table[] = {
    {"random_integers", -1, false, run_sample<integers>},
    {"random_bernoulli", -1, false, run_sample<bernoulli>},
    {"random_poisson", -1, false, run_sample<poisson>},
    {"random_binomial", -1, false, run_sample<binomial>},
    {"random_gamma", -1, false, run_sample<gamma_law>},
    {"random_truncated", -1, false, run_sample<truncated>},
    {"random_permutation", -1, false, run_permutation},
    {"random_multinomial", -1, false, run_multinomial_of},
    {"sobol", -1, false, run_points<true>},
    {"halton", -1, false, run_points<false>},
};

} // namespace

extern "C" const agni_cu_table agni_cu_samplers = {table, (int)(sizeof table / sizeof *table)};
