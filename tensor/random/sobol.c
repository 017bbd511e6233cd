/* tensor/random/sobol.c - the Sobol sequence: direction numbers (Bratley & Fox 1988), a random
   linear scramble and digital shift (Matousek 1998), points in Gray code order (Antonov & Saleev
   1979). */
#include "tensor/random/cpu/sequences.h"
#include "tensor/random/quasi_random.h"
#include "tensor/random/sobol.inc"

#include <string.h>

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
        agni_fill_direction_numbers(t + j, q->dims, poly, p);
        for (int s = poly; j && s > 1; s >>= 1)
            p++;
        if (random)
            agni_scramble_matrix(t + j, q->dims, key, (uint64_t)j);
        t[AGNI_SEQ_BITS * q->dims + j] = random ? agni_random53(key, (uint64_t)j << 6 | 63) : 0;
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
