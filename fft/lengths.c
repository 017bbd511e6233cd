/* fft/lengths.c - lengths that FFTW is fast for: products of 2, 3, 5 and 7 (Frigo & Johnson
   2005). */
#include "fft/fft.h"

#include <agnesi/fft.h>

static bool is_smooth(int64_t n)
{
    for (int64_t p = 2; p <= 7; p++)
        while (n % p == 0)
            n /= p;
    return n == 1;
}

int64_t agni_fft_fast_length(int64_t n)
{
    while (!is_smooth(n))
        n++;
    return n;
}

agn_status agn_fft_next_fast_length(int64_t *out, int64_t n)
{
    if (!out)
        return agni_fail(AGN_ENULL, "fft_next_fast_length: out is NULL");
    if (n < 1 || n > INT64_MAX / 2)
        return agni_fail(AGN_EARG, "fft_next_fast_length: n is %lld, not in 1 to %lld",
                         (long long)n, (long long)(INT64_MAX / 2));
    *out = agni_fft_fast_length(n);
    return AGN_OK;
}

agn_status agn_fft_prev_fast_length(int64_t *out, int64_t n)
{
    if (!out)
        return agni_fail(AGN_ENULL, "fft_prev_fast_length: out is NULL");
    if (n < 1)
        return agni_fail(AGN_EARG, "fft_prev_fast_length: n is %lld, not positive", (long long)n);
    while (!is_smooth(n))
        n--;
    *out = n;
    return AGN_OK;
}
