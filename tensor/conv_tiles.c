/* tensor/conv_tiles.c - convolution in f32 and f64 as products of tiles.

   Each channel of an image is laid out once, with the zeros around it, and with the pixels
   of one remainder by the stride side by side. Then every tap of every channel is one row
   of numbers at a fixed offset from the place where the window begins, and neighbouring
   places are neighbours in it: the matrix of all windows needs no memory of its own. Tiles
   are rows of places, or several rows together where those are short; the numbers between
   two rows then give places that nobody asked for, and that are left out.

     result:  tile[out][t] = filter[out][tap]   window[tap][t]
     filter:  filter      += tile[out][t]       window[tap][t]
     image:   window[tap][t] += filter[out][tap] tile[out][t], windows added where they lie */
#include "tensor/conv.h"
#include "tensor/cpu/levels.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

enum {
    LINE = 64,
    IN_CACHE = 1 << 16,     /* bytes of a tile */
    LAID_OUT = 1 << 22,     /* bytes of images that are laid out at a time */
    SUMS = 1 << 23,         /* bytes of partial sums of a filter */
    MOST_SUMS = 16,
    TAPS = 256, OUTS = 96,  /* a block of the filter that stays in cache */
    MOST_ROWS = 16,         /* of a tile: a sum over them stays in registers */
    JOB = 1 << 19           /* multiplications that are worth a job */
};

typedef struct tiles {
    const agni_conv *g;
    const agni_vk_real *vk;
    char *const *p;
    int64_t bytes, lanes;
    int64_t u[AGNI_MAX_RANK], e[AGNI_MAX_RANK]; /* remainders that occur; sizes for each */
    int64_t plane, channel;                     /* elements: of one remainder, of all */
    int64_t depth;                              /* taps of all channels of a group */
    int64_t *row;                               /* where the row of each of them begins */
    bool flat;                                  /* the rows of a tile are one run */
    int64_t rows, cols;                         /* of places in a tile, at most */
    int64_t pitch;                              /* columns from row to row of a tile */
    int64_t row_blocks, col_blocks, count;      /* tiles of one image */
    int64_t ld;                                 /* columns of a tile at most */
    /* one region at a time: */
    char *packed, *laid, *sums;
    int64_t first, chunk;  /* images that are laid out */
    int64_t parts;         /* partial sums */
    int64_t per;           /* tiles in a job */
    int64_t block, blocks; /* channels in a job, and how many such blocks there are */
    atomic_bool starved;
} tiles;

/* ---- images with all taps at offsets --------------------------------------------- */

static int64_t gcd(int64_t a, int64_t b)
{
    return b ? gcd(b, a % b) : a;
}

static int64_t lines(int64_t bytes)
{
    return (bytes + LINE - 1) / LINE;
}

/* false where the layout would be far larger than what lies in it, or too large at all */
static bool plan_layout(tiles *t)
{
    const agni_conv *g = t->g;
    double size = 1;
    t->plane = t->channel = 1;
    for (int k = 0; k < g->d; k++) {
        int64_t period = g->stride[k] / gcd(g->stride[k], g->dilation[k]);
        t->u[k] = g->m[k] < period ? g->m[k] : period;
        t->e[k] = g->l[k] + (g->m[k] - 1) * g->dilation[k] / g->stride[k];
        size *= (double)t->u[k] * (double)t->e[k];
        if (size > 8.0 * (double)(g->pixels + g->places) + 1e6)
            return false;
        t->plane *= t->e[k];
        t->channel *= t->u[k] * t->e[k];
    }
    /* an odd number of lines: channels do not meet in one set of the cache; a vector may be
       read across the end */
    t->channel = (lines((t->channel + t->lanes) * t->bytes) | 1) * LINE / t->bytes;
    return true;
}

/* where the row of each tap of each channel begins */
static void plan_rows(tiles *t)
{
    const agni_conv *g = t->g;
    for (int64_t r = 0; r < t->depth; r++) {
        int64_t q = r % g->taps, place = 0, unit = 1, which = 0, units = 1;
        for (int k = g->d - 1; k >= 0; k--) {
            int64_t tap = q % g->m[k];
            q /= g->m[k];
            place += tap * g->dilation[k] / g->stride[k] * unit;
            which += tap % t->u[k] * units;
            unit *= t->e[k];
            units *= t->u[k];
        }
        t->row[r] = r / g->taps * t->channel + which * t->plane + place;
    }
}

static void copy_row(char *to, int64_t to_step, const char *from, int64_t from_step,
                     int64_t n, int64_t bytes)
{
    if (to_step == 1 && from_step == 1)
        memcpy(to, from, (size_t)(n * bytes));
    else if (bytes == 4)
        for (int64_t i = 0; i < n; i++)
            ((uint32_t *)(void *)to)[i * to_step] =
                ((const uint32_t *)(const void *)from)[i * from_step];
    else
        for (int64_t i = 0; i < n; i++)
            ((uint64_t *)(void *)to)[i * to_step] =
                ((const uint64_t *)(const void *)from)[i * from_step];
}

/* one plane of an image into its layout, or back, where pixels no tap meets are 0 */
static void lay(const tiles *t, char *to, char *image, bool back)
{
    const agni_conv *g = t->g;
    const int last = g->d - 1;
    const int64_t step = g->stride[last], width = t->e[last], b = t->bytes;
    int64_t remainders = 1;
    for (int k = 0; k < g->d; k++)
        remainders *= t->u[k];
    if (back)
        memset(image, 0, (size_t)(g->pixels * b));
    for (int64_t f = 0; f < remainders; f++) {
        int64_t lo[AGNI_MAX_RANK], hi[AGNI_MAX_RANK], shift[AGNI_MAX_RANK];
        for (int64_t k = last, rest = f; k >= 0; rest /= t->u[k--]) {
            shift[k] = rest % t->u[k] * g->dilation[k] % g->stride[k] - g->before[k];
            agni_conv_span(t->e[k], g->stride[k], shift[k], g->n[k], &lo[k], &hi[k]);
        }
        for (int64_t i = 0; i < t->plane / width; i++, to += width * b) {
            int64_t pixel = 0, unit = g->n[last];
            bool inside = true;
            for (int64_t k = last - 1, rest = i; k >= 0; rest /= t->e[k--]) {
                int64_t at = rest % t->e[k];
                inside = inside && at >= lo[k] && at < hi[k];
                pixel += (at * g->stride[k] + shift[k]) * unit;
                unit *= g->n[k];
            }
            int64_t n = inside ? hi[last] - lo[last] : 0, left = inside ? lo[last] : 0;
            pixel += left * step + shift[last];
            if (back) {
                if (n)
                    copy_row(image + pixel * b, step, to + left * b, 1, n, b);
                continue;
            }
            memset(to, 0, (size_t)(left * b));
            if (n)
                copy_row(to + left * b, 1, image + pixel * b, step, n, b);
            memset(to + (left + n) * b, 0, (size_t)((width - left - n) * b));
        }
    }
}

static void job_lay(void *user, int64_t job, int worker)
{
    const tiles *t = user;
    const int64_t per_image = t->g->groups * t->g->in;
    (void)worker;
    char *to = t->laid + job * t->channel * t->bytes;
    lay(t, to,
        t->p[AGNI_IMAGE] + (t->first * per_image + job) * t->g->pixels * t->bytes, false);
    /* what a vector reads across the end is a number */
    int64_t used = t->plane;
    for (int k = 0; k < t->g->d; k++)
        used *= t->u[k];
    memset(to + used * t->bytes, 0, (size_t)((t->channel - used) * t->bytes));
}

/* ---- tiles ----------------------------------------------------------------------- */

static int64_t vectors(const tiles *t, int64_t n)
{
    return (n + t->lanes - 1) / t->lanes;
}

static void plan_tiles(tiles *t)
{
    const agni_conv *g = t->g;
    const int last = g->d - 1;
    const int64_t w = g->l[last], wide = t->e[last], all = last > 0 ? g->l[last - 1] : 1;
    int64_t most = IN_CACHE / (g->out * t->bytes);
    most = most < 4 * t->lanes ? 4 * t->lanes : most > 512 ? 512 : most;
    most = most / t->lanes * t->lanes;
    t->cols = w < most ? w : most;
    t->rows = most / wide < all ? most / wide : all;
    t->flat = t->rows > 1 && vectors(t, (t->rows - 1) * wide + w) < t->rows * vectors(t, w);
    t->pitch = t->flat ? wide : vectors(t, t->cols) * t->lanes;
    if (!t->flat) {
        int64_t rows = most / t->pitch < MOST_ROWS ? most / t->pitch : MOST_ROWS;
        t->rows = t->cols < w || rows < 1 ? 1 : rows < all ? rows : all;
    }
    t->row_blocks = (all + t->rows - 1) / t->rows;
    t->col_blocks = (w + t->cols - 1) / t->cols;
    t->count = t->row_blocks * t->col_blocks * (g->places / (all * w));
    t->ld = vectors(t, (t->rows - 1) * t->pitch + t->cols) * t->lanes;
}

typedef struct tile {
    int64_t x, y;       /* where it begins: in a channel that is laid out, in a result */
    int64_t rows, cols; /* of places */
    int64_t ld;         /* columns of the tile, in whole vectors */
    int64_t runs, T;    /* runs of T columns each, pitch apart */
} tile;

static tile tile_at(const tiles *t, int64_t i)
{
    const agni_conv *g = t->g;
    const int last = g->d - 1;
    const int64_t w = g->l[last], wide = t->e[last], all = last > 0 ? g->l[last - 1] : 1;
    int64_t col = i % t->col_blocks * t->cols, outer = i / t->col_blocks / t->row_blocks;
    int64_t row = i / t->col_blocks % t->row_blocks * t->rows;
    tile a = {.x = row * wide + col,
              .y = (outer * all + row) * w + col,
              .rows = all - row < t->rows ? all - row : t->rows,
              .cols = w - col < t->cols ? w - col : t->cols};
    int64_t unit = last > 0 ? t->e[last - 1] * wide : 0;
    for (int k = last - 2; k >= 0; k--) {
        a.x += outer % g->l[k] * unit;
        outer /= g->l[k];
        unit *= t->e[k];
    }
    a.ld = vectors(t, (a.rows - 1) * t->pitch + a.cols) * t->lanes;
    a.runs = t->flat ? 1 : a.rows;
    a.T = t->flat ? a.ld : vectors(t, a.cols) * t->lanes;
    return a;
}

/* where a run begins in a channel that is laid out */
static int64_t run_at(const tiles *t, const tile *a, int64_t run)
{
    return a->x + run * t->e[t->g->d - 1];
}

/* the result's numbers of a tile, with zeros between its rows and behind them */
static void take(const tiles *t, const tile *a, char *to, const char *result)
{
    const int64_t w = t->g->l[t->g->d - 1], b = t->bytes;
    const bool one = a->cols == t->pitch && a->cols == w; /* rows without gaps on both sides */
    const int64_t rows = one ? 1 : a->rows, cols = one ? a->rows * w : a->cols;
    for (int64_t o = 0; o < t->g->out; o++, to += a->ld * b, result += t->g->places * b)
        for (int64_t r = 0; r < rows; r++) {
            int64_t end = r + 1 < rows ? (r + 1) * t->pitch : a->ld, at = r * t->pitch;
            memcpy(to + at * b, result + (a->y + r * w) * b, (size_t)(cols * b));
            if (end > at + cols)
                memset(to + (at + cols) * b, 0, (size_t)((end - at - cols) * b));
        }
}

static void put(const tiles *t, const tile *a, const char *from, char *result)
{
    const int64_t w = t->g->l[t->g->d - 1], b = t->bytes;
    const bool one = a->cols == t->pitch && a->cols == w;
    const int64_t rows = one ? 1 : a->rows, cols = one ? a->rows * w : a->cols;
    for (int64_t o = 0; o < t->g->out; o++, from += a->ld * b, result += t->g->places * b)
        for (int64_t r = 0; r < rows; r++)
            memcpy(result + (a->y + r * w) * b, from + r * t->pitch * b, (size_t)(cols * b));
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static void *room(tiles *t, int64_t elements)
{
    void *p = agni_alloc_aligned((size_t)(elements * t->bytes));
    if (!p)
        atomic_store(&t->starved, true);
    return p;
}

static void add_row(const tiles *t, char *to, const char *from, int64_t n)
{
    const agni_vop in[2] = {{to, n, 1}, {from, n, 1}};
    t->vk->loop2[AGNI_V2_add](to, n, in, 1, n);
}

/* The zeros around an image and between rows meet every tap: they do no harm where it is a
   number. */
static bool finite_filter(const tiles *t)
{
    const int64_t n = t->g->groups * t->g->out * t->depth;
    const char *w = t->p[AGNI_FILTER];
    for (int64_t i = 0; i < n; i++)
        if (!isfinite(t->bytes == 4 ? (double)((const float *)(const void *)w)[i]
                                    : ((const double *)(const void *)w)[i]))
            return false;
    return true;
}

/* ---- the result ------------------------------------------------------------------ */

/* Blocks of [depth][out] of each group, one after the other: by taps, then by outs. */
static void pack_blocks(const tiles *t)
{
    const agni_conv *g = t->g;
    const int64_t size = g->out * t->depth;
    for (int64_t f = 0; f < g->groups; f++)
        for (int64_t k = 0; k < t->depth; k += TAPS)
            for (int64_t j = 0; j < g->out; j += OUTS) {
                int64_t nk = least(TAPS, t->depth - k), nj = least(OUTS, g->out - j);
                char *w = t->p[AGNI_FILTER] + (f * size + j * t->depth + k) * t->bytes;
                t->vk->pack(t->packed + (f * size + k * g->out + j * nk) * t->bytes,
                            (agni_vmat){w, 1, t->depth}, nk, nj);
            }
}

static void job_result(void *user, int64_t job, int worker)
{
    tiles *t = user;
    const agni_conv *g = t->g;
    const int64_t jobs = (t->count + t->per - 1) / t->per, b = t->bytes;
    const int64_t group = job / jobs % g->groups, image = job / jobs / g->groups;
    const int64_t at = image * g->groups + group;
    const char *x = t->laid + at * g->in * t->channel * b;
    const char *w = t->packed + group * g->out * t->depth * b;
    char *y = t->p[AGNI_RESULT] +
              (t->first * g->groups + at) * g->out * g->places * b;
    char *c = room(t, g->out * t->ld);
    (void)worker;
    if (!c)
        return;
    for (int64_t i = job % jobs * t->per, end = least(i + t->per, t->count); i < end; i++) {
        const tile a = tile_at(t, i);
        for (int64_t k = 0; k < t->depth; k += TAPS)
            for (int64_t j = 0; j < g->out; j += OUTS)
                for (int64_t r = 0; r < a.runs; r++) {
                    int64_t nk = least(TAPS, t->depth - k), nj = least(OUTS, g->out - j);
                    t->vk->prod_rows(
                        (agni_vtile){c + (j * a.ld + r * t->pitch) * b, a.ld},
                        w + (k * g->out + j * nk) * b, x + run_at(t, &a, r) * b, t->row + k,
                        nk, nj, a.T, k > 0);
                }
        put(t, &a, c, y);
    }
    agni_free(c);
}

/* calls f for so many images at a time as are laid out together */
static void with_images(tiles *t, void (*f)(tiles *t))
{
    const agni_conv *g = t->g;
    const int64_t most = t->chunk;
    for (t->first = 0; t->first < g->images; t->first += most) {
        t->chunk = least(most, g->images - t->first);
        agni_parallel(t->chunk * g->groups * g->in, job_lay, t);
        f(t);
    }
}

static void make_results(tiles *t)
{
    agni_parallel(t->chunk * t->g->groups * ((t->count + t->per - 1) / t->per), job_result,
                  t);
}

/* ---- the filter ------------------------------------------------------------------ */

/* Part number p of the sum over the tiles of all images that are laid out, for some
   channels of a group. */
static void job_filter(void *user, int64_t job, int worker)
{
    tiles *t = user;
    const agni_conv *g = t->g;
    const int64_t b = t->bytes, all = t->chunk * t->count;
    const int64_t block = job % t->blocks, group = job / t->blocks % g->groups;
    const int64_t part = job / t->blocks / g->groups;
    const int64_t lo = part * all / t->parts, hi = (part + 1) * all / t->parts;
    const int64_t c0 = block * t->block, channels = least(t->block, g->in - c0);
    char *d = t->sums +
              ((part * g->groups + group) * g->out * t->depth + c0 * g->taps) * b;
    char *buf = room(t, g->out * t->ld);
    (void)worker;
    for (int64_t i = lo; buf && i < hi; i++) {
        const tile a = tile_at(t, i % t->count);
        const int64_t at = i / t->count * g->groups + group;
        char *x = t->laid + (at * g->in + c0) * t->channel * b;
        agni_vtile X[MOST_ROWS], G[MOST_ROWS];
        take(t, &a, buf,
             t->p[AGNI_RESULT] + (t->first * g->groups + at) * g->out * g->places * b);
        for (int64_t r = 0; r < a.runs; r++) {
            X[r] = (agni_vtile){x + run_at(t, &a, r) * b, 0};
            G[r] = (agni_vtile){buf + r * t->pitch * b, a.ld};
        }
        t->vk->outer_rows((agni_vmat){d, 1, t->depth}, X, t->row, G, (int)a.runs,
                          channels * g->taps, g->out, a.T);
    }
    agni_free(buf);
}

static void make_sums(tiles *t)
{
    agni_parallel(t->parts * t->g->groups * t->blocks, job_filter, t);
}

/* adds the parts in their order */
static void gather(const tiles *t)
{
    const int64_t n = t->g->groups * t->g->out * t->depth;
    char *to = t->p[AGNI_FILTER];
    memset(to, 0, (size_t)(n * t->bytes));
    for (int64_t p = 0; p < t->parts; p++)
        add_row(t, to, t->sums + p * n * t->bytes, n);
}

/* ---- the image ------------------------------------------------------------------- */

/* The filter's blocks of channels as [out][block taps]. */
static void pack_channels(const tiles *t)
{
    const agni_conv *g = t->g;
    const int64_t size = g->out * t->depth;
    for (int64_t f = 0; f < g->groups; f++)
        for (int64_t c = 0; c < g->in; c += t->block)
            for (int64_t k = 0; k < g->out; k += TAPS) {
                int64_t nj = least(t->block, g->in - c) * g->taps;
                char *w = t->p[AGNI_FILTER] +
                          (f * size + k * t->depth + c * g->taps) * t->bytes;
                t->vk->pack(t->packed +
                                (f * size + c * g->taps * g->out + k * nj) * t->bytes,
                            (agni_vmat){w, t->depth, 1}, least(TAPS, g->out - k), nj);
            }
}

/* some channels of a group of one image, which nobody else writes */
static void job_image(void *user, int64_t job, int worker)
{
    tiles *t = user;
    const agni_conv *g = t->g;
    const int64_t b = t->bytes, block = job % t->blocks, at = job / t->blocks;
    const int64_t group = at % g->groups, c0 = block * t->block;
    const int64_t channels = least(t->block, g->in - c0), depth = channels * g->taps;
    char *laid = room(t, channels * t->channel + (g->out + depth) * t->ld);
    char *from = laid + channels * t->channel * b, *window = from + g->out * t->ld * b;
    const char *w =
        t->packed + (group * t->depth + c0 * g->taps) * g->out * b;
    (void)worker;
    if (!laid)
        return;
    memset(laid, 0, (size_t)(channels * t->channel * b));
    for (int64_t i = 0; i < t->count; i++) {
        const tile a = tile_at(t, i);
        take(t, &a, from, t->p[AGNI_RESULT] + at * g->out * g->places * b);
        for (int64_t k = 0; k < g->out; k += TAPS)
            t->vk->prod_packed((agni_vtile){window, a.ld}, w + k * depth * b,
                               (agni_vtile){from + k * a.ld * b, a.ld},
                               least(TAPS, g->out - k), depth, a.ld, k > 0);
        for (int64_t q = 0; q < depth; q++)
            for (int64_t r = 0; r < a.runs; r++)
                add_row(t, laid + (t->row[q] + run_at(t, &a, r)) * b,
                        window + (q * a.ld + r * t->pitch) * b, a.T);
    }
    for (int64_t c = 0; c < channels; c++)
        lay(t, laid + c * t->channel * b,
            t->p[AGNI_IMAGE] + (at * g->in + c0 + c) * g->pixels * b, true);
    agni_free(laid);
}

/* ---- all ------------------------------------------------------------------------- */

static void plan_jobs(tiles *t)
{
    const agni_conv *g = t->g;
    const double work = (double)g->out * (double)t->depth * (double)t->ld;
    t->per = work * 2 > JOB ? 1 : (int64_t)(JOB / work);
    t->per = least(t->per, t->count);
    int64_t image = g->groups * g->in * t->channel * t->bytes;
    t->chunk = image < LAID_OUT ? least(LAID_OUT / image, g->images) : 1;
    int64_t filter = g->groups * g->out * t->depth * t->bytes;
    t->parts = filter * MOST_SUMS < SUMS ? MOST_SUMS : filter < SUMS ? SUMS / filter : 1;
    t->parts = least(t->parts, t->chunk * t->count);
    /* so many channels that their windows stay in cache, and enough jobs for all threads */
    t->block = IN_CACHE / (g->taps * t->ld * t->bytes);
    t->block = g->part == AGNI_FILTER ? g->in : t->block < 1 ? 1 : least(t->block, g->in);
    int64_t others = g->groups * (g->part == AGNI_FILTER ? t->parts : g->images);
    while (t->block > 1 && others * ((g->in + t->block - 1) / t->block) < MOST_SUMS)
        t->block = (t->block + 1) / 2;
    t->blocks = (g->in + t->block - 1) / t->block;
}

static agn_status run(tiles *t, bool *done)
{
    const agni_conv *g = t->g;
    const int64_t filter = g->groups * g->out * t->depth * t->bytes;
    const size_t laid = (size_t)(t->chunk * g->groups * g->in * t->channel * t->bytes);
    *done = true;
    if (g->part == AGNI_IMAGE) {
        pack_channels(t);
        agni_parallel(g->images * g->groups * t->blocks, job_image, t);
        return AGN_OK;
    }
    if (!(t->laid = agni_alloc_aligned(laid)))
        return agni_nomem("conv", laid);
    if (g->part == AGNI_RESULT) {
        pack_blocks(t);
        with_images(t, make_results);
        return AGN_OK;
    }
    if (!(t->sums = agni_alloc_aligned((size_t)(t->parts * filter))))
        return agni_nomem("conv", (size_t)(t->parts * filter));
    memset(t->sums, 0, (size_t)(t->parts * filter));
    with_images(t, make_sums);
    gather(t);
    *done = finite_filter(t);
    return AGN_OK;
}

agn_status agni_conv_tiles(const agni_conv *g, int dtype, char *const *p, bool *done)
{
    const agni_vk *vk = agni_vk_get();
    const int64_t bytes = agni_dtypes[dtype].bytes;
    tiles t = {.g = g, .p = p, .bytes = bytes, .lanes = vk->vbytes / bytes,
               .vk = &vk->real[dtype == AGN_F64 ? AGNI_VK_F64 : AGNI_VK_F32],
               .depth = g->in * g->taps};
    atomic_init(&t.starved, false);
    *done = false;
    if (!plan_layout(&t) || (g->part != AGNI_FILTER && !finite_filter(&t)))
        return AGN_OK;
    plan_tiles(&t);
    plan_jobs(&t);
    const size_t rows = (size_t)t.depth * sizeof *t.row,
                 packed = (size_t)(g->groups * g->out * t.depth * bytes);
    agn_status st = AGN_OK;
    t.row = agni_alloc(rows);
    t.packed = g->part == AGNI_FILTER ? NULL : agni_alloc_aligned(packed);
    if (!t.row || (!t.packed && g->part != AGNI_FILTER)) {
        st = agni_nomem("conv", t.row ? packed : rows);
    } else {
        plan_rows(&t);
        st = run(&t, done);
    }
    if (!st && atomic_load(&t.starved))
        st = agni_nomem("conv", (size_t)((g->out + t.depth) * t.ld * bytes));
    agni_free(t.row);
    agni_free(t.packed);
    agni_free(t.laid);
    agni_free(t.sums);
    return st;
}
