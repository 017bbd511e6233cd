/* tensor/random/poisson_binomial.c - Poisson and binomial numbers: inversion for small means,
   transformed rejection (Hoermann 1993, PTRS and BTRS) else, with probabilities after Loader
   2000. */
#include "tensor/random/discrete.h"

/* Probabilities are kept from the second number in a row that has the same parameters. */
void agni_draw_poisson(const agni_sample *b, agni_sample_block_values *y)
{
    uint32_t w[4 * AGNI_SAMPLE_ROOM];
    agni_poisson_constants q = {.rate = -1};
    agni_seen known, *seen = NULL;
    agni_sample_philox_words(b, w);
    for (int j = 0; j < b->n; j++) {
        agni_philox_tries t = agni_first_try(b, w, j);
        if (b->p[0].f[j] != q.rate) {
            q = agni_prepare_poisson(b->p[0].f[j]);
            seen = NULL;
        } else if (!seen) {
            agni_forget_seen(seen = &known, q.rate);
        }
        y->i[j] = agni_draw_one_poisson(&t, &q, seen);
    }
}

void agni_draw_binomial(const agni_sample *b, agni_sample_block_values *y)
{
    uint32_t w[4 * AGNI_SAMPLE_ROOM];
    agni_binomial_constants q = {.n = -1};
    agni_seen known, *seen = NULL;
    agni_sample_philox_words(b, w);
    for (int j = 0; j < b->n; j++) {
        agni_philox_tries t = agni_first_try(b, w, j);
        int64_t n = b->p[0].i[j];
        double p = b->p[1].f[j], less = p > 0.5 ? 1 - p : p;
        if ((double)n != q.n || less != q.p) {
            q = agni_prepare_binomial((double)n, less);
            seen = NULL;
        } else if (!seen) {
            agni_forget_seen(seen = &known, q.n * q.p);
        }
        int64_t k = (int64_t)agni_draw_one_binomial(&t, &q, seen);
        k = k > n ? n : k;
        y->i[j] = p > 0.5 ? n - k : k;
    }
}
