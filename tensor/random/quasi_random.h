/* tensor/random/quasi_random.h - a quasi-random sequence: its attributes, tables and jobs. */
#ifndef AGNI_QUASI_RANDOM_H
#define AGNI_QUASI_RANDOM_H

#include "tensor/random/cpu/sequences.h"
#include "tensor/random/sampler.h"

/* attributes: dtype, number of the first point, scramble, points, dimensions */
enum { AGNI_SEQ_DTYPE, AGNI_SEQ_FIRST, AGNI_SEQ_SCRAMBLE, AGNI_SEQ_POINTS, AGNI_SEQ_DIMS };
enum { AGNI_SEQ_BITS = AGNI_SEQUENCE_BITS, AGNI_SEQ_GRAIN = 1 << 10 };

typedef struct agni_sequence {
    const agn_kernel_call *c;
    int64_t n, dims, jobs; /* jobs per lane */
    uint64_t *table;       /* the tables of the lanes at work */
    int64_t room;          /* numbers of the table of one lane */
    int64_t from;          /* lane of the first table */
} agni_sequence;

static inline uint64_t agni_lane_subkey(const agn_kernel_call *c, int64_t lane)
{
    const int64_t *k = (const int64_t *)c->in[0].data + 2 * lane;
    return agni_philox_subkey((uint64_t)k[0], (uint64_t)k[1]);
}

static inline void agni_store_coordinate(const agn_array *y, int64_t at, double x)
{
    if (y->dtype == AGN_F32)
        ((float *)y->data)[at] = (float)x;
    else
        ((double *)y->data)[at] = x;
}

agn_status agni_infer_points(agni_call *c, int64_t most_dims);
/* Fills the tables of some lanes by `fill`, then runs their blocks of points by `job`. */
agn_status agni_run_points(const agn_kernel_call *c, int64_t room, agni_job *fill, agni_job *job);

agn_kernel agni_cpu_sobol, agni_cpu_halton;
agn_status agni_infer_sobol(agni_call *c);
agn_status agni_infer_halton(agni_call *c);

#endif
