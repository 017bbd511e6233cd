/* tensor/conv/conv_line.c - convolution along one axis with few channels and few taps, in f32 and
   f64, as filters of signals and wavelets are (Mallat 1989): phases of a block of the image lie
   side by side, and each sum stays in registers over its taps. The image as a part is its phases,
   each a filter of the result by every other tap. */
#include "tensor/conv/conv.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

enum {
    MOST_TAPS = 64,
    MOST_CHANNELS = 4,
    MOST_STRIDE = 2,
    LEAST = 256, /* places that are worth it */
    BLOCK = 1024,
    LANES = 16,
    ROOM = BLOCK + LANES + MOST_TAPS
};

typedef struct line_job {
    const agni_conv *g;
    char *const *p;
    int64_t pieces; /* of a line */
    bool single;
} line_job;

/* Sums of taps: to[o] = sum over q of tap[q] from[q % s][o + q / s], n of them in steps of four
   vectors, that is of LANES at most: rooms are long enough to go beyond n. With s = 1 from[1] is
   not read. */
#define LINE(T, name) \
    typedef T vec_##name __attribute__((vector_size(16), aligned(sizeof(T)), may_alias)); \
    static void sum_taps_##name(T *to, const T *const *from, const T *tap, int64_t taps, \
                                int64_t s, int64_t n, bool add) \
    { \
        enum { V = 16 / sizeof(T) }; \
        for (int64_t o = 0; o < n; o += 4 * V) { \
            vec_##name *y = (vec_##name *)(void *)(to + o), a = {0}, b = a, c = a, d = a; \
            if (add) { \
                a = y[0]; \
                b = y[1]; \
                c = y[2]; \
                d = y[3]; \
            } \
            for (int64_t q = 0; q < taps; q++) { \
                const vec_##name \
                    *x = (const vec_##name *)(const void *)(from[s == 2 ? q & 1 : 0] + o + \
                                                            (s == 2 ? q >> 1 : q)); \
                a += tap[q] * x[0]; \
                b += tap[q] * x[1]; \
                c += tap[q] * x[2]; \
                d += tap[q] * x[3]; \
            } \
            y[0] = a; \
            y[1] = b; \
            y[2] = c; \
            y[3] = d; \
        } \
    } \
    /* room[phase][i] = x[at + i s + phase], 0 outside of 0 to n */ \
    static void lay_out_##name(T(*room)[ROOM], const T *x, int64_t n, int64_t at, int64_t s, \
                               int64_t count) \
    { \
        int64_t i = 0, lo = at < 0 ? (-at + s - 1) / s : 0, \
                hi = n - at < s ? 0 : (n - at - s) / s + 1; \
        if (s == 1) { \
            lo = lo < count ? lo : count; \
            hi = hi < count ? hi : count; \
            hi = hi < lo ? lo : hi; \
            memset(room[0], 0, (size_t)lo * sizeof(T)); \
            memset(room[0] + hi, 0, (size_t)(ROOM - hi) * sizeof(T)); \
            if (lo < hi) \
                memcpy(room[0] + lo, x + at + lo, (size_t)(hi - lo) * sizeof(T)); \
            return; \
        } \
        for (int k = 0; k < 2; k++) \
            memset(room[k] + count, 0, (size_t)(ROOM - count) * sizeof(T)); \
        for (; i < count && i < lo; i++) \
            for (int64_t k = 0; k < 2; k++) \
                room[k][i] = at + 2 * i + k >= 0 && at + 2 * i + k < n ? x[at + 2 * i + k] : 0; \
        for (; i + 8 <= count && i + 8 <= hi; i += 8) \
            for (int k = 0; k < 8; k++) { \
                room[0][i + k] = x[at + 2 * (i + k)]; \
                room[1][i + k] = x[at + 2 * (i + k) + 1]; \
            } \
        for (; i < count; i++) \
            for (int64_t k = 0; k < 2; k++) \
                room[k][i] = at + 2 * i + k >= 0 && at + 2 * i + k < n ? x[at + 2 * i + k] : 0; \
    } \
    static void result_##name(const line_job *u, int64_t line, int64_t from, T(*room)[ROOM], \
                              T(*sum)[ROOM]) \
    { \
        const agni_conv *g = u->g; \
        int64_t s = g->stride[0], n = g->l[0] - from < BLOCK ? g->l[0] - from : BLOCK, \
                group = line % g->groups; \
        for (int64_t i = 0; i < g->in; i++) { \
            lay_out_##name( \
                room, (const T *)(const void *)u->p[AGNI_IMAGE] + (line * g->in + i) * g->pixels, \
                g->n[0], from * s - g->before[0], s, n + (g->taps - 1) / s + 1); \
            for (int64_t o = 0; o < g->out; o++) \
                sum_taps_##name(sum[o], (const T *const[]){room[0], room[1]}, \
                                (const T *)(const void *)u->p[AGNI_FILTER] + \
                                    ((group * g->out + o) * g->in + i) * g->taps, \
                                g->taps, s, n, i > 0); \
        } \
        for (int64_t o = 0; o < g->out; o++) \
            memcpy((T *)(void *)u->p[AGNI_RESULT] + (line * g->out + o) * g->places + from, \
                   sum[o], (size_t)n * sizeof(T)); \
    } \
    /* pixels p with p + before = s (from + j) + phase, j < count: \
       sum over q = s k + phase of tap[q] result[from + j - k] */ \
    static void image_##name(const line_job *u, int64_t line, int64_t from, T(*room)[ROOM], \
                             T(*sum)[ROOM]) \
    { \
        const agni_conv *g = u->g; \
        int64_t s = g->stride[0], group = line % g->groups, most = (g->taps + s - 1) / s; \
        for (int64_t i = 0; i < g->in; i++) { \
            T *x = (T *)(void *)u->p[AGNI_IMAGE] + (line * g->in + i) * g->pixels; \
            for (int64_t o = 0; o < g->out; o++) { \
                const T *w = (const T *)(const void *)u->p[AGNI_FILTER] + \
                             ((group * g->out + o) * g->in + i) * g->taps; \
                lay_out_##name(room, \
                               (const T *)(const void *)u->p[AGNI_RESULT] + \
                                   (line * g->out + o) * g->places, \
                               g->l[0], from - (most - 1), 1, BLOCK + most - 1); \
                for (int64_t phase = 0; phase < s; phase++) { \
                    T tap[MOST_TAPS]; \
                    int64_t own = (g->taps - phase + s - 1) / s; \
                    for (int64_t k = 0; k < own; k++) \
                        tap[k] = w[s * (own - 1 - k) + phase]; \
                    sum_taps_##name(sum[phase], (const T *const[]){room[0] + most - own}, tap, \
                                    own, 1, BLOCK, o > 0); \
                } \
            } \
            int64_t p = s * from - g->before[0], j = p < 0 ? (-p + s - 1) / s : 0, \
                    end = (g->n[0] - p) / s; \
            end = end < BLOCK ? end : BLOCK; \
            if (s == 2 && j > 0 && j <= BLOCK && p + 2 * j - 1 >= 0 && p + 2 * j - 1 < g->n[0]) \
                x[p + 2 * j - 1] = sum[1][j - 1]; \
            if (s == 1 && j < end) \
                memcpy(x + p + j, sum[0] + j, (size_t)(end - j) * sizeof(T)); \
            for (; s == 2 && j < end; j++) { \
                x[p + 2 * j] = sum[0][j]; \
                x[p + 2 * j + 1] = sum[1][j]; \
            } \
            if (s == 2 && j < BLOCK && j >= end && p + 2 * j >= 0 && p + 2 * j < g->n[0]) \
                x[p + 2 * j] = sum[0][j]; \
        } \
    } \
    static void run_piece_##name(void *user, int64_t job, int worker) \
    { \
        const line_job *u = user; \
        T room[MOST_STRIDE][ROOM], sum[MOST_CHANNELS][ROOM]; \
        int64_t line = job / u->pieces, from = job % u->pieces * BLOCK; \
        (void)worker; \
        if (u->g->part == AGNI_RESULT) \
            result_##name(u, line, from, room, sum); \
        else \
            image_##name(u, line, from + u->g->before[0] / u->g->stride[0], room, sum); \
    } \
    static bool all_finite_##name(const T *w, int64_t n) \
    { \
        for (int64_t i = 0; i < n; i++) \
            if (!isfinite(w[i])) \
                return false; \
        return true; \
    }
LINE(float, f32)
LINE(double, f64)

bool agni_conv_line(const agni_conv *g, int dtype, char *const *p)
{
    int64_t s = g->stride[0];
    bool fits = g->d == 1 && (dtype == AGN_F32 || dtype == AGN_F64) && g->part != AGNI_FILTER &&
                s <= MOST_STRIDE && g->dilation[0] == 1 && g->taps <= MOST_TAPS &&
                g->in <= MOST_CHANNELS && g->out <= MOST_CHANNELS &&
                g->in * g->out <= MOST_CHANNELS && g->places >= LEAST && g->before[0] >= 0;
    if (!fits)
        return false;
    int64_t w = g->groups * g->in * g->out * g->taps;
    bool single = dtype == AGN_F32;
    if (single ? !all_finite_f32((const float *)(const void *)p[AGNI_FILTER], w)
               : !all_finite_f64((const double *)(const void *)p[AGNI_FILTER], w))
        return false;
    int64_t whole = g->part == AGNI_RESULT ? g->places : (g->n[0] + g->before[0] % s + s - 1) / s;
    line_job u = {g, p, (whole + BLOCK - 1) / BLOCK, single};
    agni_parallel_for(g->images * g->groups * u.pieces, single ? run_piece_f32 : run_piece_f64, &u);
    return true;
}
