/* tensor/random/discrete.h - tries of rejection samplers of integers. Try 0 of element i takes
   the words of Philox block i, try t those of the counter (i, t, 0). */
#ifndef AGNI_DISCRETE_H
#define AGNI_DISCRETE_H

#include "tensor/random/sampler.h"

typedef struct agni_philox_tries {
    uint64_t key, element;
    uint32_t next; /* number of the next try */
    const uint32_t *w;
    agni_philox4 r;
} agni_philox_tries;

static inline void agni_next_try(agni_philox_tries *t)
{
    t->r = agni_philox_try(t->key, t->element, t->next++, 0);
    t->w = t->r.w;
}
/* u in (0, 1), the middle of a cell, of words 2 k and 2 k + 1 */
static inline double agni_open_unit_interval(const agni_philox_tries *t, int k)
{
    return agni_philox_to_f64(t->w[2 * k], t->w[2 * k + 1] | 1u << 11);
}
static inline agni_philox_tries agni_first_try(const agni_sample *b, const uint32_t *w, int j)
{
    return (agni_philox_tries){
        .key = b->key, .element = (uint64_t)(b->first + j), .next = 1, .w = w + 4 * j};
}

/* tensor/random/poisson_binomial.c */
agni_sample_fn agni_draw_poisson, agni_draw_binomial;

#endif
