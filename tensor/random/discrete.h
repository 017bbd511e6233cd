/* tensor/random/discrete.h - tries of rejection samplers of integers. Try 0 of element i takes
   the words of Philox block i, try t those of the counter (i, t, 0). */
#ifndef AGNI_DISCRETE_H
#define AGNI_DISCRETE_H

#include "tensor/random/cpu/rejection.h"
#include "tensor/random/sampler.h"

static inline agni_philox_tries agni_first_try(const agni_sample *b, const uint32_t *w, int j)
{
    return (agni_philox_tries){
        .key = b->key, .element = (uint64_t)(b->first + j), .next = 1, .w = w + 4 * j};
}

/* tensor/random/poisson_binomial.c */
agni_sample_fn agni_draw_poisson, agni_draw_binomial;

#endif
