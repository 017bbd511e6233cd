/* fft/cpu/scales.c - normalisations and weights of row-major results: all numbers, bins of real
   data, the ends of an axis. */
#include "fft/fft.h"

void agni_fft_scale_run(bool single, char *p, int64_t reals, double f)
{
    if (f == 1)
        return;
    if (single)
        for (int64_t i = 0; i < reals; i++)
            ((float *)(void *)p)[i] *= (float)f;
    else
        for (int64_t i = 0; i < reals; i++)
            ((double *)(void *)p)[i] *= f;
}

/* multiplies row-major bins along an axis by f, the inside ones by f w */
void agni_fft_scale_bins(bool single, char *p, int64_t outer, int64_t bins, int64_t inner,
                         int64_t n, double f, double w)
{
    int64_t real = single ? 4 : 8, step = 2 * inner;
    if (w == 1) {
        agni_fft_scale_run(single, p, outer * bins * step, f);
        return;
    }
    int64_t ends = n % 2 ? bins : bins - 1; /* inside is [1, ends) */
    for (int64_t o = 0; o < outer; o++, p += bins * step * real) {
        agni_fft_scale_run(single, p, step, f);
        if (ends > 1)
            agni_fft_scale_run(single, p + step * real, (ends - 1) * step, f * w);
        if (bins > 1)
            agni_fft_scale_run(single, p + ends * step * real, (bins - ends) * step, f);
    }
}

static int64_t count_elements(const int64_t *shape, int from, int to)
{
    int64_t n = 1;
    for (int d = from; d < to; d++)
        n *= shape[d];
    return n;
}

/* multiplies row-major numbers by f at the ends of an axis: 1 the first, 2 the last */
void agni_fft_scale_ends(bool single, char *p, const int64_t *shape, int ndim, int axis, int ends,
                         double f)
{
    int64_t real = single ? 4 : 8, outer = count_elements(shape, 0, axis), n = shape[axis],
            inner = count_elements(shape, axis + 1, ndim);
    if (f == 1)
        return;
    for (int64_t o = 0; o < outer; o++, p += n * inner * real) {
        if (ends & 1)
            agni_fft_scale_run(single, p, inner, f);
        if (ends & 2)
            agni_fft_scale_run(single, p + (n - 1) * inner * real, inner, f);
    }
}
