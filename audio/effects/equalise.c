/* audio/effects/equalise.c - curves of recordings undone (IEC 60098, IEC 60908), by the sections of
   SoX 14.4.2; features levelled over sliding windows (Viikki & Laurila 1998). */
#include "audio/audio.h"

#include <agnesi/ag.h>
#include <agnesi/audio_effects.h>
#include <math.h>

#define PI 3.14159265358979323846

/* zeros and poles of the curve of records, at each rate */
static bool find_record_curve(double *c, int64_t rate)
{
    static const struct {
        int64_t rate;
        double zero[2], pole[2];
    } rows[] = {{44100, {-0.2014898, 0.9233820}, {0.7083149, 0.9924091}},
                {48000, {-0.1766069, 0.9321590}, {0.7396325, 0.9931330}},
                {88200, {-0.1168735, 0.9648312}, {0.8590646, 0.9964002}},
                {96000, {-0.1141486, 0.9676817}, {0.8699137, 0.9966946}}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        if (rows[k].rate != rate)
            continue;
        const double *z = rows[k].zero, *p = rows[k].pole;
        double w = 2 * PI * 1000 / (double)rate, gain = 1;
        for (int i = 0; i < 2; i++) /* |1 - r e^(-i w)| of each */
            gain *= hypot(1 - p[i] * cos(w), p[i] * sin(w)) /
                    hypot(1 - z[i] * cos(w), z[i] * sin(w));
        double values[] = {gain, -gain * (z[0] + z[1]), gain * z[0] * z[1],
                           1,    -(p[0] + p[1]),        p[0] * p[1]};
        for (int i = 0; i < 6; i++)
            c[i] = values[i];
        return true;
    }
    return false;
}

/* a high shelf of the slope (Bristow-Johnson 1998) that is near to 50 and 15 us */
static bool find_disc_curve(double *c, int64_t rate)
{
    if (rate != 44100 && rate != 48000)
        return false;
    bool low = rate == 44100;
    double w = 2 * PI * (low ? 5283 : 5356) / (double)rate, slope = low ? 0.4845 : 0.479,
           a = pow(10, (low ? -9.477 : -9.62) / 40);
    double alpha = sin(w) / 2 * sqrt((a + 1 / a) * (1 / slope - 1) + 2), r = 2 * sqrt(a) * alpha,
           m = (a - 1) * cos(w), p = (a + 1) * cos(w);
    double first = a + 1 - m + r;
    double values[] = {a * (a + 1 + m + r), -2 * a * (a - 1 + p), a * (a + 1 + m - r), first,
                       2 * (a - 1 - p),     a + 1 - m - r};
    for (int i = 0; i < 6; i++)
        c[i] = values[i] / first;
    return true;
}

agn_status agn_audio_equalisation(agn_tensor **out, int32_t curve, int64_t rate)
{
    static const char op[] = "audio_equalisation";
    double c[6];
    AGNI_NEED(op, out);
    if (curve != AGN_EQUALISATION_RIAA && curve != AGN_EQUALISATION_CD)
        return agni_fail(AGN_EARG, "%s: curve %d; there are %d and %d", op, curve,
                         AGN_EQUALISATION_RIAA, AGN_EQUALISATION_CD);
    if (!(curve == AGN_EQUALISATION_RIAA ? find_record_curve(c, rate) : find_disc_curve(c, rate)))
        return agni_fail(AGN_EARG, "%s: a rate of %lld for curve %d; there are 44100, 48000%s", op,
                         (long long)rate, curve,
                         curve == AGN_EQUALISATION_RIAA ? ", 88200 and 96000" : " alone");
    return agn_from_host(out, AGN_F64, 2, (int64_t[]){1, 6}, c);
}

/* first frame of each window, and the one behind its last */
static void place_windows(int64_t *ends, int64_t frames, int64_t window, bool centred,
                          int64_t least)
{
    for (int64_t t = 0; t < frames; t++) {
        int64_t from = centred ? t - window / 2 : t - window;
        int64_t to = centred ? from + window : t + 1;
        if (from < 0) {
            to -= from;
            from = 0;
        }
        if (!centred)
            to = t + 1 > least ? t + 1 : least;
        if (to > frames) {
            from -= to - frames;
            to = frames;
            from = from < 0 ? 0 : from;
        }
        ends[t] = from;
        ends[frames + t] = to;
    }
}

/* sums over windows, of running sums from 0 on */
static const agn_tensor *sum_windows(agn_scope *s, const agn_tensor *x, const agn_tensor *first,
                                     const agn_tensor *behind)
{
    int64_t lo[AGNI_MAX_RANK] = {0}, hi[AGNI_MAX_RANK] = {0};
    if (!x)
        return NULL;
    lo[x->ndim - 1] = 1;
    const agn_tensor *sums = ag_pad(s, ag_cumsum(s, x, -1), x->ndim, lo, hi, 0);
    return ag_sub(s, ag_gather(s, sums, behind, -1), ag_gather(s, sums, first, -1));
}

agn_status agn_audio_sliding_normalise(agn_tensor **out, const agn_tensor *x, int64_t window,
                                       bool centred, int64_t least, bool variance)
{
    static const char op[] = "audio_sliding_normalise";
    static const int32_t time_axis[] = {-1};
    agn_status st = agni_audio_check_spectrum(op, out, x);
    if (!st && !x->shape[x->ndim - 1])
        st = agni_fail(AGN_ESHAPE, "%s: x is %s; it has a frame", op, AGNI_SHAPE(x));
    if (!st && (window < 1 || window > INT32_MAX || least < 0 || least > INT32_MAX))
        st = agni_fail(AGN_EARG,
                       "%s: windows of %lld frames, %lld at least; windows are positive, the least "
                       "is not negative",
                       op, (long long)window, (long long)least);
    if (st)
        return st;
    int64_t frames = x->shape[x->ndim - 1];
    size_t size = (size_t)(2 * frames) * sizeof(int64_t);
    int64_t *ends = agni_alloc(size);
    if (!ends)
        return agni_nomem(op, size);
    place_windows(ends, frames, window, centred, least);
    agn_tensor *made = NULL;
    st = agn_from_host(&made, AGN_I64, 2, (int64_t[]){2, frames}, ends);
    agni_free(ends);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *index = agni_adopt_constant(s, st, made);
    const agn_tensor *first = ag_index_axis(s, index, 0, 0),
                     *behind = ag_index_axis(s, index, 0, 1);
    /* running sums in f64, about the mean of all, so that little cancels */
    const agn_tensor *v = ag_cast(s, x, AGN_F64), *all = v;
    v = ag_sub(s, v, ag_mean(s, v, time_axis, 1, true));
    const agn_tensor *count = ag_cast(s, ag_sub(s, behind, first), AGN_F64);
    const agn_tensor *mean = ag_div(s, sum_windows(s, v, first, behind), count);
    const agn_tensor *y = ag_sub(s, v, mean);
    if (variance) {
        const agn_tensor *power = ag_div(s, sum_windows(s, ag_square(s, v), first, behind), count);
        const agn_tensor *var = ag_sub(s, power, ag_square(s, mean));
        /* what is constant but for rounding becomes 0 */
        const agn_tensor *floor_ = ag_add_c(
            s, ag_mul_c(s, ag_mean(s, ag_square(s, all), time_axis, 1, true), 1e-14), 1e-300);
        y = ag_div(s, y, ag_sqrt(s, ag_maximum(s, var, floor_)));
    }
    return agni_return(op, s, out, ag_cast(s, y, agni_audio_dtype(x->dtype)));
}
