/* tensor/random/cpu/philox_vector.c - vectorised Philox4x32-10 (Salmon et al. 2011) and the
   transforms of its words, compiled once per CPU level. */
#include "tensor/random/cpu/random.h"

#include "core/random/philox.h"
#include "tensor/cpu/special/normal.h"
#include "tensor/cpu/simd/level_functions.h"

#define EVERY(i, n) for (int64_t i = 0; i < (n); i += AGNI_L_F64)

AGNI_INLINE vu64 load_u64(const void *p)
{
    vu64 v;
    memcpy(&v, p, sizeof v);
    return v;
}
AGNI_INLINE void store_u64(void *p, vu64 v)
{
    memcpy(p, &v, sizeof v);
}

/* ---- Philox4x32-10: a block in each lane, its four words in four vectors ------------------ */

/* a0 b0 a1 b1 ... */
AGNI_INLINE void store_pairs(uint32_t *w, vu64 a, vu64 b)
{
#if AGNI_VBYTES == 64
    const vu64 low = {0, 8, 1, 9, 2, 10, 3, 11}, high = {4, 12, 5, 13, 6, 14, 7, 15};
    store_u64(w, (vu64)_mm512_permutex2var_epi64((__m512i)a, (__m512i)low, (__m512i)b));
    store_u64(w + 16, (vu64)_mm512_permutex2var_epi64((__m512i)a, (__m512i)high, (__m512i)b));
#elif AGNI_VBYTES == 32
    __m256i even = _mm256_unpacklo_epi64((__m256i)a, (__m256i)b);
    __m256i odd = _mm256_unpackhi_epi64((__m256i)a, (__m256i)b);
    store_u64(w, (vu64)_mm256_permute2x128_si256(even, odd, 0x20));
    store_u64(w + 8, (vu64)_mm256_permute2x128_si256(even, odd, 0x31));
#else
    store_u64(w, (vu64){a[0], b[0]});
    store_u64(w + 4, (vu64){a[1], b[1]});
#endif
}

/* Only the low halves of lanes count: a product takes no others. */
enum { GROUP = 2 }; /* vectors at once, to hide latency */
AGNI_INLINE void philox_group(uint32_t *w, uint64_t key, uint64_t first, uint32_t c2, uint32_t c3)
{
    vu64 c[GROUP][4], lane;
    for (int l = 0; l < AGNI_L_F64; l++)
        lane[l] = (uint64_t)l;
    AGNI_UNROLL
    for (int g = 0; g < GROUP; g++) {
        vu64 n = lane + (first + (uint64_t)(g * AGNI_L_F64));
        c[g][0] = n;
        c[g][1] = n >> 32;
        c[g][2] = (lane ^ lane) + c2;
        c[g][3] = (lane ^ lane) + c3;
    }
    uint32_t k0 = (uint32_t)key, k1 = (uint32_t)(key >> 32);
    AGNI_UNROLL
    for (int round = 0; round < 10; round++) {
        AGNI_UNROLL
        for (int g = 0; g < GROUP; g++) {
            vu64 p = agni_mul_low(c[g][0], (lane ^ lane) + 0xD2511F53u);
            vu64 q = agni_mul_low(c[g][2], (lane ^ lane) + 0xCD9E8D57u);
            c[g][0] = (q >> 32) ^ c[g][1] ^ k0;
            c[g][2] = (p >> 32) ^ c[g][3] ^ k1;
            c[g][1] = q;
            c[g][3] = p;
        }
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    AGNI_UNROLL
    for (int g = 0; g < GROUP; g++) {
        vu64 a = (c[g][0] & 0xffffffff) | c[g][1] << 32;
        vu64 b = (c[g][2] & 0xffffffff) | c[g][3] << 32;
        store_pairs(w + (int64_t)4 * g * AGNI_L_F64, a, b);
    }
}

AGNI_INLINE void philox_run(uint32_t *w, uint64_t key, uint64_t first, int64_t n, uint32_t c2,
                            uint32_t c3)
{
    const int64_t step = GROUP * AGNI_L_F64;
    int64_t i = 0;
    for (; i + step <= n; i += step)
        philox_group(w + 4 * i, key, first + (uint64_t)i, c2, c3);
    for (; i < n; i++) {
        agni_philox4 r = agni_philox_at(key, first + (uint64_t)i, c2, c3);
        memcpy(w + 4 * i, r.w, sizeof r.w);
    }
}
static void philox_blocks(uint32_t *w, uint64_t key, uint64_t first, int64_t n)
{
    philox_run(w, key, first, n, 0, 0);
}
static void philox_tries(uint32_t *w, uint64_t key, uint64_t first, int64_t n, uint32_t attempt,
                         uint32_t block)
{
    philox_run(w, key, first, n, attempt, block);
}

/* ---- integers to numbers in [0, 1) ----------------------------------------------------------- */

/* An integer below 2^53 in two parts, each below the last bit of a power of two: exact. */
AGNI_INLINE vf64 whole_f64(vu64 k)
{
    vf64 high = (vf64)((k >> 32) | 0x4530000000000000) - (0x1p84 + 0x1p52);
    return high + (vf64)((k & 0xffffffff) | 0x4330000000000000);
}
static void to_unit53(double *u, const uint32_t *w, int64_t n)
{
    EVERY(i, n) {
        vu64 v = load_u64(w + 2 * i);
        agni_store_f64(u + i, whole_f64((v << 32 | v >> 32) >> 11) * 0x1p-53);
    }
}
static void to_unit24(double *u, const uint32_t *w, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        u[i] = (double)(int32_t)(w[i] >> 8) * 0x1p-24;
}

static void narrow_to_f32(float *y, const double *u, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = (float)u[i];
}

/* ---- logarithms, normal numbers -------------------------------------------------------------- */

#define D vf64
#define U vu64
#define BITS(x) ((vu64)(x))
#define FROM(b) ((vf64)(b))
#define NAME log_f64
#define FN_ATTR AGNI_INLINE
#include "tensor/cpu/special/portable_log.h"

static void negative_log(double *y, const double *u, int64_t n)
{
    EVERY(i, n)
        agni_store_f64(y + i, -log_f64(agni_load_f64(u + i)));
}

/* (n[0] + n[1] r + ...) / (d[0] + d[1] r + ...), by Horner */
AGNI_INLINE vf64 rational_horner(vf64 r, const double n[8], const double d[8])
{
    vf64 num = r * n[7] + n[6], den = r * d[7] + d[6];
    AGNI_UNROLL
    for (int k = 5; k >= 0; k--) {
        num = num * r + n[k];
        den = den * r + d[k];
    }
    return num / den;
}

/* AS 241 (Wichura 1988): the central formula for |q| <= 0.425, 85 of 100; the tails are compacted,
   computed together and scattered. */
static void normal_quantiles(double *z, const double *q, int64_t n)
{
    enum { MANY = 256 };
    static const double a[] = {AGNI_AS241_A}, b[] = {AGNI_AS241_B}, c[] = {AGNI_AS241_C},
                        d[] = {AGNI_AS241_D};
    if (n > MANY) {
        for (int64_t i = 0; i < n; i += MANY)
            normal_quantiles(z + i, q + i, n - i < MANY ? n - i : MANY);
        return;
    }
    EVERY(i, n) {
        vf64 x = agni_load_f64(q + i);
        agni_store_f64(z + i, x * rational_horner(0.180625 - x * x, a, b));
    }
    int place[MANY + 1];
    double tail[MANY + AGNI_RANDOM_SLACK], far[MANY + AGNI_RANDOM_SLACK];
    int m = 0;
    for (int i = 0; i < n; i++) {
        place[m] = i;
        m += fabs(q[i]) > 0.425;
    }
    for (int k = 0; k < m; k++)
        tail[k] = 0.5 - fabs(q[place[k]]);
    for (int k = m; k < m + AGNI_L_F64; k++)
        tail[k] = 0.05;
    EVERY(k, m) {
        vf64 r = agni_sqrt_f64(-log_f64(agni_load_f64(tail + k)));
        agni_store_f64(far + k, rational_horner(r - 1.6, c, d));
    }
    for (int k = 0; k < m; k++) {
        double y = tail[k] < 0x1p-36 ? -agni_normal_quantile(tail[k]) : far[k];
        z[place[k]] = copysign(y, q[place[k]]);
    }
}

#include "tensor/random/cpu/gamma_body.h"
#include "tensor/random/cpu/gamma_slope_body.h"

const agni_vrandom AGNI_LV(agni_vrandom) = {
    .blocks = philox_blocks,
    .tries = philox_tries,
    .unit53 = to_unit53,
    .unit24 = to_unit24,
    .normal = normal_quantiles,
    .minus_log = negative_log,
    .narrow = narrow_to_f32,
    .gamma_first_try = gamma_first_try,
    .gamma_finish = gamma_finish,
    .gamma_slope_plan = gamma_slope_plan,
    .gamma_slope_series = gamma_slope_series,
    .gamma_slope_fraction = gamma_slope_fraction,
};
