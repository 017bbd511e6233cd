/* tests/ulps.h - distance of a number of f64 or f32 from what is right, in units of the last place
   (Goldberg 1991), and seeded arguments. */
#ifndef AGNI_TESTS_ULPS_H
#define AGNI_TESTS_ULPS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

static uint64_t state = 0x9e3779b97f4a7c15u;

/* xorshift64 (Marsaglia 2003): seeded, the same on every machine */
static uint64_t next(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

/* Error in units of the last place of the reference; infinite where they disagree about
 * NaN, infinity or the sign of zero. */
static double ulps(long double want, double got, bool f32)
{
    const long double most = f32 ? 0x1.fffffep127L : 0x1.fffffffffffffp1023L;
    const int digits = f32 ? 24 : 53, emin = f32 ? -125 : -1021;
    const double rounded = f32 ? (double)(float)want : (double)want;
    int e;
    if (isnan(want) || isnan(got))
        return isnan(want) && isnan(got) ? 0 : HUGE_VAL;
    if (want == 0 && got == 0)
        return !signbit(want) == !signbit(got) ? 0 : HUGE_VAL;
    if (isinf(rounded) || isinf(got)) {
        /* the next number beyond the largest is as good as infinity */
        if (rounded == got)
            return 0;
        return fabsl(want) >= most && fabs(got) >= (double)most ? 1 : HUGE_VAL;
    }
    frexpl(fabsl(want), &e);
    if (e < emin || want == 0)
        e = emin;
    return (double)ldexpl(fabsl(want - (long double)got), digits - e);
}

#endif
