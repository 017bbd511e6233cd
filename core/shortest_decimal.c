/* core/shortest_decimal.c - Schubfach (Giulietti 2021, "The Schubfach way to render doubles",
   figure 7): the number and the middles to its neighbours are scaled by a power of ten that leaves
   one or two candidates of the right length, all with 128 bits of the power and rounded to odd,
   which is enough to compare as the exact ones would (section 9.9). */
#include "core/shortest_decimal.h"

#include <pthread.h>
#include <string.h>

enum { LOWEST = -292, HIGHEST = 324, LIMBS = 25 };

/* 10^k = g 2^(e - 127), 2^127 <= g < 2^128 rounded up, e = floor(log2 10^k) */
typedef struct power {
    uint64_t high, low;
} power;
static power powers[HIGHEST - LOWEST + 1];
static pthread_once_t powers_once = PTHREAD_ONCE_INIT;

/* floor(log2 10^k), and floor(log10 2^q) or of 3/4 of it: exact in this range (section 9.8) */
static int log2_of_power(int k)
{
    return (int)((k * INT64_C(913124641741)) >> 38);
}
static int log10_of_power(int q, bool three_quarters)
{
    return (int)((q * INT64_C(661971961083) - (three_quarters ? INT64_C(274743187321) : 0)) >> 41);
}

/* ---- powers, exactly, on limbs of 32 bits from the lowest up ------------------------------- */

static void multiply_limbs(uint32_t *a, int n, uint32_t by)
{
    uint64_t carry = 0;
    for (int i = 0; i < n; i++) {
        carry += (uint64_t)a[i] * by;
        a[i] = (uint32_t)carry;
        carry >>= 32;
    }
}
static bool subtract_if_not_less(uint32_t *a, const uint32_t *b,
                                 int n) /* a - b, where that is not negative */
{
    uint32_t d[LIMBS];
    uint64_t borrow = 0;
    for (int i = 0; i < n; i++) {
        uint64_t x = (uint64_t)a[i] - b[i] - borrow;
        d[i] = (uint32_t)x;
        borrow = x >> 63;
    }
    if (!borrow)
        memcpy(a, d, (size_t)n * sizeof *a);
    return !borrow;
}

/* the first 128 binary digits of a / b, 1 <= a / b < 2, rounded up */
static power divide_to_128_bits(uint32_t *a, const uint32_t *b, int n)
{
    power g = {0, 0};
    bool rest = false;
    for (int i = 0; i < 128; i++) {
        g.high = g.high << 1 | g.low >> 63;
        g.low = g.low << 1 | subtract_if_not_less(a, b, n);
        multiply_limbs(a, n, 2);
    }
    for (int i = 0; i < n; i++)
        rest |= a[i] != 0;
    g.low += rest;
    g.high += rest && !g.low;
    return g;
}

static void compute_powers(void)
{
    uint32_t five[LIMBS] = {1};
    for (int k = 0; k <= HIGHEST; k++, multiply_limbs(five, LIMBS, 5)) {
        /* 5^k over the power of two below it, and the power above it over 5^k */
        uint32_t a[LIMBS], two[LIMBS] = {0};
        int e = log2_of_power(k) - k, n = (e + 2) / 32 + 1;
        two[e / 32] = 1u << e % 32;
        memcpy(a, five, sizeof a);
        powers[k - LOWEST] = divide_to_128_bits(a, two, n);
        if (k > 0 && -k >= LOWEST) {
            memset(two, 0, sizeof two);
            two[(e + 1) / 32] = 1u << (e + 1) % 32;
            powers[-k - LOWEST] = divide_to_128_bits(two, five, n);
        }
    }
}

/* ---- a number ------------------------------------------------------------------------------- */

static uint64_t multiply_128(uint64_t a, uint64_t b, uint64_t *low)
{
    uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    uint64_t m = a1 * b0 + (a0 * b0 >> 32), n = a0 * b1 + (uint32_t)m;
    *low = a * b;
    return a1 * b1 + (m >> 32) + (n >> 32);
}

/* floor(c g / 2^128), with its last bit set where the quotient is not exact (round to odd) */
static uint64_t scale_round_to_odd(uint64_t c, power g)
{
    uint64_t low, rest, carried = multiply_128(c, g.low, &rest), y = multiply_128(c, g.high, &low);
    low += carried;
    y += low < carried;
    return y | (low > 1);
}

uint64_t agni_shortest_decimal(uint64_t c, int q, bool closer, int *k)
{
    pthread_once(&powers_once, compute_powers);
    int odd = c & 1, e = log10_of_power(q, closer), h = q + log2_of_power(-e) + 1;
    power g = powers[-e - LOWEST];
    uint64_t v = scale_round_to_odd(4 * c << h, g);
    uint64_t below = scale_round_to_odd((4 * c - (closer ? 1 : 2)) << h, g) + (unsigned)odd;
    uint64_t above = scale_round_to_odd((4 * c + 2) << h, g) - (unsigned)odd;
    uint64_t s = v / 4, tens = s / 10;
    *k = e + 1;
    if (s >= 10) { /* one digit less */
        bool down = below <= 40 * tens, up = 40 * tens + 40 <= above;
        if (down != up)
            return tens + up;
    }
    *k = e;
    bool down = below <= 4 * s, up = 4 * s + 4 <= above;
    if (down != up)
        return s + up;
    uint64_t middle = 4 * s + 2;
    return s + (v > middle || (v == middle && (s & 1)));
}
