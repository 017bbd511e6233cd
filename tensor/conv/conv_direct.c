/* tensor/conv/conv_direct.c - direct convolution: every tap of every pair of channels, row by
   row. Only pairs of the definition are multiplied, so NaN and infinities do not spread. */
#include "tensor/conv/conv.h"

#include <complex.h>

/* n pairs of a row of the image, step apart, and one of the result, with one tap between */
typedef void row_fn(char *x, int64_t step, char *w, char *y, int64_t n);
#define ROWS(T, name)                                                             \
    static void image_##name(char *x, int64_t step, char *w, char *y, int64_t n)  \
    {                                                                             \
        const T tap = *(const T *)(void *)w, *from = (const T *)(void *)y;        \
        T *to = (T *)(void *)x;                                                   \
        for (int64_t i = 0; i < n; i++)                                           \
            to[i * step] += tap * from[i];                                        \
    }                                                                             \
    static void filter_##name(char *x, int64_t step, char *w, char *y, int64_t n) \
    {                                                                             \
        const T *a = (const T *)(void *)x, *b = (const T *)(void *)y;             \
        T sum = *(T *)(void *)w;                                                  \
        for (int64_t i = 0; i < n; i++)                                           \
            sum += a[i * step] * b[i];                                            \
        *(T *)(void *)w = sum;                                                    \
    }                                                                             \
    static void result_##name(char *x, int64_t step, char *w, char *y, int64_t n) \
    {                                                                             \
        const T tap = *(const T *)(void *)w, *from = (const T *)(void *)x;        \
        T *to = (T *)(void *)y;                                                   \
        for (int64_t i = 0; i < n; i++)                                           \
            to[i] += tap * from[i * step];                                        \
    }
ROWS(float, f32)
ROWS(double, f64)
ROWS(uint32_t, i32) /* integers wrap around */
ROWS(uint64_t, i64)
ROWS(float complex, c64)
ROWS(double complex, c128)

#define ENTRY(DTYPE, name) [AGN_##DTYPE] = {image_##name, filter_##name, result_##name}
static row_fn *const rows[AGN_NDTYPES][AGNI_PARTS] = {
    ENTRY(F32, f32), ENTRY(F64, f64), ENTRY(I32, i32),
    ENTRY(I64, i64), ENTRY(C64, c64), ENTRY(C128, c128)};

typedef struct direct_job {
    const agni_conv *g;
    char *const *p;
    int64_t bytes;
    row_fn *row;
} direct_job;

/* one tap of one pair of planes; q counts taps in row-major order */
static void add_tap(const direct_job *u, int64_t q, char *x, char *w, char *y)
{
    const agni_conv *g = u->g;
    const int last = g->d - 1;
    int64_t lo[AGNI_MAX_RANK], hi[AGNI_MAX_RANK], shift[AGNI_MAX_RANK],
        o[AGNI_MAX_RANK];
    for (int64_t k = last, rest = q; k >= 0; rest /= g->m[k--]) {
        shift[k] = rest % g->m[k] * g->dilation[k] - g->before[k];
        agni_conv_span(g->l[k], g->stride[k], shift[k], g->n[k], &lo[k], &hi[k]);
        if (lo[k] == hi[k])
            return;
        o[k] = lo[k];
    }
    for (int k = 0; k >= 0;) {
        int64_t pixel = 0, place = 0;
        for (k = 0; k < last; k++) {
            pixel = (pixel + o[k] * g->stride[k] + shift[k]) * g->n[k + 1];
            place = (place + o[k]) * g->l[k + 1];
        }
        pixel += lo[last] * g->stride[last] + shift[last];
        place += lo[last];
        u->row(x + pixel * u->bytes, g->stride[last], w + q * u->bytes,
               y + place * u->bytes, hi[last] - lo[last]);
        for (k = last - 1; k >= 0 && ++o[k] == hi[k]; k--)
            o[k] = lo[k];
    }
}

/* every tap between channel i of the image and channel o of the result, within a group */
static void add_channel_pair(const direct_job *u, int64_t image, int64_t group, int64_t i,
                             int64_t o)
{
    const agni_conv *g = u->g;
    int64_t from = (image * g->groups + group) * g->in + i,
            to = (image * g->groups + group) * g->out + o,
            by = (group * g->out + o) * g->in + i;
    for (int64_t q = 0; q < g->taps; q++)
        add_tap(u, q, u->p[AGNI_IMAGE] + from * g->pixels * u->bytes,
                u->p[AGNI_FILTER] + by * g->taps * u->bytes,
                u->p[AGNI_RESULT] + to * g->places * u->bytes);
}

/* A job is one plane of what is made: of an image, of a filter, or of a result. */
static void convolve_plane(void *user, int64_t job, int worker)
{
    const direct_job *u = user;
    const agni_conv *g = u->g;
    (void)worker;
    if (g->part == AGNI_IMAGE) {
        int64_t group = job / g->in % g->groups, image = job / g->in / g->groups;
        for (int64_t o = 0; o < g->out; o++)
            add_channel_pair(u, image, group, job % g->in, o);
    } else if (g->part == AGNI_RESULT) {
        int64_t group = job / g->out % g->groups, image = job / g->out / g->groups;
        for (int64_t i = 0; i < g->in; i++)
            add_channel_pair(u, image, group, i, job % g->out);
    } else {
        int64_t i = job % g->in, o = job / g->in % g->out, group = job / g->in / g->out;
        for (int64_t image = 0; image < g->images; image++)
            add_channel_pair(u, image, group, i, o);
    }
}

void agni_conv_direct(const agni_conv *g, int dtype, char *const *p)
{
    direct_job u = {g, p, agni_dtypes[dtype].bytes, rows[dtype][g->part]};
    int64_t planes = g->part == AGNI_IMAGE    ? g->images * g->in
                     : g->part == AGNI_RESULT ? g->images * g->out
                                              : g->in * g->out;
    int64_t jobs = planes * g->groups;
    /* few numbers are not worth a thread */
    if ((double)jobs * (double)g->taps * (double)g->places < 1 << 18)
        for (int64_t i = 0; i < jobs; i++)
            convolve_plane(&u, i, 0);
    else
        agni_parallel_for(jobs, convolve_plane, &u);
}
