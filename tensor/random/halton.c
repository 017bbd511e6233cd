/* tensor/random/halton.c - the Halton sequence: radical inverses in prime bases, with a random
   linear scramble of the digits (Matousek 1998). */
#include "tensor/random/cpu/sequences.h"
#include "tensor/random/quasi_random.h"

enum { HALTON_DIMENSIONS = 1000 };

/* table: for each dimension its prime p and the factors and shifts of its digits, 0 < a < p,
   0 <= c < p: digit d becomes a d + c modulo p (Matousek 1998), for as many digits as f64 resolves;
   the plain sequence has a = 1 and c = 0. */
enum { ROW = 1 + 2 * AGNI_SEQ_BITS };

static uint64_t fair_integer(uint64_t key, uint64_t element, uint64_t n)
{
    return agni_sample_bounded_integer(key, element, agni_philox_block(key, element).w, n);
}

static void fill_halton_table(void *user, int64_t k, int worker)
{
    const agni_sequence *q = user;
    (void)worker;
    uint64_t *t = q->table + k * q->room, key = agni_lane_subkey(q->c, q->from + k), p = 2;
    bool random = q->c->ints[AGNI_SEQ_SCRAMBLE] != 0;
    for (int64_t j = 0; j < q->dims; p++) {
        bool prime = true;
        for (int64_t i = 0; prime && i < j && t[ROW * i] * t[ROW * i] <= p; i++)
            prime = p % t[ROW * i] != 0;
        if (!prime)
            continue;
        uint64_t *row = t + ROW * j;
        row[0] = p;
        for (uint64_t i = 0; i < AGNI_SEQ_BITS; i++) {
            uint64_t at = (uint64_t)j << 7 | 2 * i;
            row[1 + 2 * i] = random ? 1 + fair_integer(key, at, p - 1) : 1;
            row[2 + 2 * i] = random ? fair_integer(key, at + 1, p) : 0;
        }
        j++;
    }
}

static void draw_halton_points(void *user, int64_t job, int worker)
{
    const agni_sequence *q = user;
    (void)worker;
    int64_t lane = q->from + job / q->jobs, lo = job % q->jobs * AGNI_SEQ_GRAIN;
    int64_t hi = lo + AGNI_SEQ_GRAIN < q->n ? lo + AGNI_SEQ_GRAIN : q->n;
    const uint64_t *t = q->table + job / q->jobs * q->room;
    double most = q->c->out[0].dtype == AGN_F32 ? 1 - 0x1p-24 : 1 - 0x1p-53;
    for (int64_t k = lo; k < hi; k++)
        for (int64_t j = 0; j < q->dims; j++) {
            double x = agni_radical_inverse((uint64_t)(q->c->ints[AGNI_SEQ_FIRST] + k), t + ROW * j,
                                       q->c->ints[AGNI_SEQ_SCRAMBLE] != 0);
            agni_store_coordinate(q->c->out, (lane * q->n + k) * q->dims + j, x < most ? x : most);
        }
}

agn_status agni_cpu_halton(const agn_kernel_call *c)
{
    return agni_run_points(c, ROW * c->ints[AGNI_SEQ_DIMS], fill_halton_table, draw_halton_points);
}
agn_status agni_infer_halton(agni_call *c)
{
    return agni_infer_points(c, HALTON_DIMENSIONS);
}
