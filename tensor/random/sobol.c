/* tensor/random/sobol.c - the Sobol sequence: direction numbers (Bratley & Fox 1988), a random
   linear scramble and digital shift (Matousek 1998), points in Gray code order (Antonov & Saleev
   1979). */
#include "tensor/random/quasi_random.h"
#include "tensor/random/sobol.inc"

#include <string.h>

static uint64_t random53(uint64_t key, uint64_t block)
{
    agni_philox4 r = agni_philox_block(key, block);
    return ((uint64_t)r.w[0] << 32 | r.w[1]) >> (64 - AGNI_SEQ_BITS);
}

/* Direction numbers v_b = m_b 2^(AGNI_SEQ_BITS - b) of one dimension, m_b from the s before it
   by the polynomial x^s + a_1 x^(s-1) + ... + 1: m_b = 2 a_1 m_(b-1) ^ ... ^ 2^s m_(b-s) ^
   m_(b-s) (Bratley & Fox 1988). poly 1, of degree 0, stands for the first dimension, all m_b =
   1. */
static void fill_direction_numbers(uint64_t *v, int64_t step, int poly, const uint16_t *m)
{
    int s = 0;
    while (poly >> (s + 1))
        s++;
    for (int b = 0; b < AGNI_SEQ_BITS; b++) {
        uint64_t x;
        if (!s) {
            x = (uint64_t)1 << (AGNI_SEQ_BITS - 1 - b);
        } else if (b < s) {
            x = (uint64_t)m[b] << (AGNI_SEQ_BITS - 1 - b);
        } else {
            x = v[(b - s) * step] ^ v[(b - s) * step] >> s;
            for (int k = 1; k < s; k++)
                if (poly >> (s - k) & 1)
                    x ^= v[(b - k) * step];
        }
        v[b * step] = x;
    }
}

static int bit_parity(uint64_t x)
{
    for (int h = 32; h; h /= 2)
        x ^= x >> h;
    return (int)(x & 1);
}

/* A random lower triangular matrix with ones on its diagonal, applied to the bits of every
   direction number, the leading bit first (Matousek 1998); it keeps every net a net. */
static void scramble_matrix(uint64_t *v, int64_t step, uint64_t key, uint64_t dimension)
{
    uint64_t row[AGNI_SEQ_BITS];
    for (int r = 0; r < AGNI_SEQ_BITS; r++) {
        uint64_t own = (uint64_t)1 << (AGNI_SEQ_BITS - 1 - r), above = ~(2 * own - 1);
        row[r] = (random53(key, dimension << 6 | (uint64_t)r) & above) | own;
    }
    for (int b = 0; b < AGNI_SEQ_BITS; b++) {
        uint64_t x = 0;
        for (int r = 0; r < AGNI_SEQ_BITS; r++)
            x = x << 1 | (uint64_t)bit_parity(row[r] & v[b * step]);
        v[b * step] = x;
    }
}

/* table: direction numbers [AGNI_SEQ_BITS][dims], then the digital shift [dims] */
static void fill_sobol_table(void *user, int64_t k, int worker)
{
    const agni_sequence *q = user;
    (void)worker;
    uint64_t *t = q->table + k * q->room, key = agni_lane_subkey(q->c, q->from + k);
    bool random = q->c->ints[AGNI_SEQ_SCRAMBLE] != 0;
    const uint16_t *p = sobol_table;
    for (int64_t j = 0; j < q->dims; j++) {
        int poly = j ? *p++ : 1;
        fill_direction_numbers(t + j, q->dims, poly, p);
        for (int s = poly; j && s > 1; s >>= 1)
            p++;
        if (random)
            scramble_matrix(t + j, q->dims, key, (uint64_t)j);
        t[AGNI_SEQ_BITS * q->dims + j] = random ? random53(key, (uint64_t)j << 6 | 63) : 0;
    }
}

/* In Gray code order one direction number is added from a point to the next (Antonov & Saleev
   1979): number i is the sum over the bits of i ^ i / 2. */
static void draw_sobol_points(void *user, int64_t job, int worker)
{
    const agni_sequence *q = user;
    (void)worker;
    enum { FEW = 64 };
    int64_t lane = q->from + job / q->jobs, lo = job % q->jobs * AGNI_SEQ_GRAIN;
    int64_t hi = lo + AGNI_SEQ_GRAIN < q->n ? lo + AGNI_SEQ_GRAIN : q->n;
    const uint64_t *t = q->table + job / q->jobs * q->room;
    bool narrow = q->c->out[0].dtype == AGN_F32;
    for (int64_t j0 = 0; j0 < q->dims; j0 += FEW) {
        uint64_t x[FEW];
        int m = q->dims - j0 < FEW ? (int)(q->dims - j0) : FEW;
        uint64_t i = (uint64_t)(q->c->ints[AGNI_SEQ_FIRST] + lo), gray = i ^ i >> 1;
        memcpy(x, t + AGNI_SEQ_BITS * q->dims + j0, (size_t)m * sizeof *x);
        for (int b = 0; b < AGNI_SEQ_BITS; b++)
            for (int j = 0; j < m && gray >> b & 1; j++)
                x[j] ^= t[b * q->dims + j0 + j];
        for (int64_t k = lo; k < hi; k++) {
            int64_t at = (lane * q->n + k) * q->dims + j0;
            for (int j = 0; j < m; j++)
                agni_store_coordinate(q->c->out, at + j,
                                      narrow ? (double)(x[j] >> (AGNI_SEQ_BITS - 24)) * 0x1p-24
                                             : (double)x[j] * 0x1p-53);
            int b = 0;
            for (i++; b < AGNI_SEQ_BITS - 1 && !(i >> b & 1);)
                b++;
            for (int j = 0; j < m; j++)
                x[j] ^= t[b * q->dims + j0 + j];
        }
    }
}

agn_status agni_cpu_sobol(const agn_kernel_call *c)
{
    return agni_run_points(c, (AGNI_SEQ_BITS + 1) * c->ints[AGNI_SEQ_DIMS], fill_sobol_table,
                           draw_sobol_points);
}
agn_status agni_infer_sobol(agni_call *c)
{
    return agni_infer_points(c, SOBOL_DIMENSIONS);
}
