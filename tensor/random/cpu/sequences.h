/* tensor/random/cpu/sequences.h - direction numbers of Sobol's sequence (Bratley & Fox 1988),
   radical inverses, and choices among categories: one text for the host and for devices. */
#ifndef AGNI_SEQUENCES_H
#define AGNI_SEQUENCES_H

#include "core/random/philox.h"
#include <stdbool.h>
#include <stdint.h>

#ifndef AGNI_FN
#define AGNI_FN static inline
#endif
#ifndef AGNI_TABLE
#define AGNI_TABLE static
#endif

enum { AGNI_SEQUENCE_BITS = 53 };

AGNI_FN uint64_t agni_random53(uint64_t key, uint64_t block)
{
    agni_philox4 r = agni_philox_block(key, block);
    return ((uint64_t)r.w[0] << 32 | r.w[1]) >> (64 - AGNI_SEQUENCE_BITS);
}

/* Direction numbers v_b = m_b 2^(AGNI_SEQUENCE_BITS - b) of one dimension, m_b from the s before it
   by the polynomial x^s + a_1 x^(s-1) + ... + 1: m_b = 2 a_1 m_(b-1) ^ ... ^ 2^s m_(b-s) ^
   m_(b-s) (Bratley & Fox 1988). poly 1, of degree 0, stands for the first dimension, all m_b =
   1. */
AGNI_FN void agni_fill_direction_numbers(uint64_t *v, int64_t step, int poly, const uint16_t *m)
{
    int s = 0;
    while (poly >> (s + 1))
        s++;
    for (int b = 0; b < AGNI_SEQUENCE_BITS; b++) {
        uint64_t x;
        if (!s) {
            x = (uint64_t)1 << (AGNI_SEQUENCE_BITS - 1 - b);
        } else if (b < s) {
            x = (uint64_t)m[b] << (AGNI_SEQUENCE_BITS - 1 - b);
        } else {
            x = v[(b - s) * step] ^ v[(b - s) * step] >> s;
            for (int k = 1; k < s; k++)
                if (poly >> (s - k) & 1)
                    x ^= v[(b - k) * step];
        }
        v[b * step] = x;
    }
}

AGNI_FN int agni_bit_parity(uint64_t x)
{
    for (int h = 32; h; h /= 2)
        x ^= x >> h;
    return (int)(x & 1);
}

/* A random lower triangular matrix with ones on its diagonal, applied to the bits of every
   direction number, the leading bit first (Matousek 1998); it keeps every net a net. */
AGNI_FN void agni_scramble_matrix(uint64_t *v, int64_t step, uint64_t key, uint64_t dimension)
{
    uint64_t row[AGNI_SEQUENCE_BITS];
    for (int r = 0; r < AGNI_SEQUENCE_BITS; r++) {
        uint64_t own = (uint64_t)1 << (AGNI_SEQUENCE_BITS - 1 - r), above = ~(2 * own - 1);
        row[r] = (agni_random53(key, dimension << 6 | (uint64_t)r) & above) | own;
    }
    for (int b = 0; b < AGNI_SEQUENCE_BITS; b++) {
        uint64_t x = 0;
        for (int r = 0; r < AGNI_SEQUENCE_BITS; r++)
            x = x << 1 | (uint64_t)agni_bit_parity(row[r] & v[b * step]);
        v[b * step] = x;
    }
}

/* the radical inverse of i: its digits in base p, reflected at the point */
AGNI_FN double agni_radical_inverse(uint64_t i, const uint64_t *row, bool random)
{
    uint64_t p = row[0], digit[AGNI_SEQUENCE_BITS];
    int places = 0;
    double reach = 1, x = 0;
    for (; places < AGNI_SEQUENCE_BITS && (random ? reach > 0x1p-53 : i > 0);
         reach /= (double)p, i /= p) {
        uint64_t d = i % p;
        digit[places] = random ? (row[1 + 2 * places] * d + row[2 + 2 * places]) % p : d;
        places++;
    }
    while (places-- > 0)
        x = (x + (double)digit[places]) / (double)p;
    return x;
}

/* ---- categories -------------------------------------------------------------------------- */

/* Inversion: the first category whose cumulative weight exceeds u times the total. A category of
   weight 0 is never drawn, even where rounding takes u times the total up to the total. */
AGNI_FN int64_t agni_invert_cumulative(const double *sum, int64_t n, double u)
{
    double aim = u * sum[n - 1];
    int64_t lo = 0, hi = n - 1;
    while (lo < hi) {
        int64_t mid = lo + (hi - lo) / 2;
        if (sum[mid] > aim)
            hi = mid;
        else
            lo = mid + 1;
    }
    while (lo > 0 && sum[lo] == sum[lo - 1])
        lo--;
    return lo;
}

/* a category and its arrival time; a max-heap of them holds the earliest seen */
typedef struct agni_arrival {
    double time;
    int64_t category;
} agni_arrival;
AGNI_FN bool agni_arrives_later(agni_arrival a, agni_arrival b)
{
    return a.time > b.time || (a.time == b.time && a.category > b.category);
}
AGNI_FN void agni_sift_down(agni_arrival *h, int64_t n, int64_t i)
{
    for (;;) {
        int64_t top = i, l = 2 * i + 1;
        for (int64_t k = l; k < l + 2 && k < n; k++)
            if (agni_arrives_later(h[k], h[top]))
                top = k;
        if (top == i)
            return;
        agni_arrival t = h[i];
        h[i] = h[top];
        h[top] = t;
        i = top;
    }
}

#endif
