/* tensor/conv/conv_gemm.c - convolution in f32 and f64 as tiled GEMM on implicit im2col
   (conv_im2col.h):

     result:  tile[out][t] = filter[out][tap]   window[tap][t]
     filter:  filter      += tile[out][t]       window[tap][t]
     image:   window[tap][t] += filter[out][tap] tile[out][t], windows scattered by addition */
#include "tensor/conv/conv_im2col.h"
#include "tensor/cpu/level_dispatch.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

enum {
    LAID_OUT = 1 << 22, /* bytes of images that are laid out at a time */
    SUMS = 1 << 23,     /* bytes of partial sums of a filter */
    MOST_SUMS = 16,
    TAPS = 256, /* a block of the filter that stays in cache */
    OUTS = 96,
    JOB = 1 << 19 /* multiplications that are worth a job */
};

typedef struct tiles {
    agni_windows w;
    const agni_conv *g;
    const agni_real_kernels *vk;
    char *const *p;
    int64_t bytes;
    int64_t *row; /* where the row of each tap of each channel begins */
    /* one region at a time: */
    char *packed, *laid, *sums;
    int64_t first, chunk;  /* images that are laid out */
    int64_t parts;         /* partial sums */
    int64_t per;           /* tiles in a job */
    int64_t block, blocks; /* channels in a job, and how many such blocks there are */
    atomic_bool starved;
} tiles;

/* ---- images with all taps at offsets --------------------------------------------- */

static void lay_out_plane(void *user, int64_t job, int worker)
{
    const tiles *t = user;
    const int64_t per_image = t->g->groups * t->g->in;
    (void)worker;
    char *to = t->laid + job * t->w.channel * t->bytes;
    agni_windows_copy_plane(
        &t->w, to, t->p[AGNI_IMAGE] + (t->first * per_image + job) * t->g->pixels * t->bytes,
        false);
    /* what a vector reads across the end is a number */
    memset(to + t->w.used * t->bytes, 0,
           (size_t)((t->w.channel - t->w.used) * t->bytes));
}

static int64_t min_int(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static void *alloc_workspace(tiles *t, int64_t elements)
{
    void *p = agni_alloc_aligned((size_t)(elements * t->bytes));
    if (!p)
        atomic_store(&t->starved, true);
    return p;
}

static void add_row(const tiles *t, char *to, const char *from, int64_t n)
{
    const agni_simd_operand in[2] = {{to, n, 1}, {from, n, 1}};
    t->vk->loop2[AGNI_V2_add](to, n, in, 1, n);
}

/* Zero padding is multiplied by every tap: harmless if the filter is finite. */
static bool is_filter_finite(const tiles *t)
{
    const int64_t n = t->g->groups * t->g->out * t->w.depth;
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
    const int64_t size = g->out * t->w.depth;
    for (int64_t f = 0; f < g->groups; f++)
        for (int64_t k = 0; k < t->w.depth; k += TAPS)
            for (int64_t j = 0; j < g->out; j += OUTS) {
                int64_t nk = min_int(TAPS, t->w.depth - k), nj = min_int(OUTS, g->out - j);
                char *w = t->p[AGNI_FILTER] +
                          (f * size + j * t->w.depth + k) * t->bytes;
                t->vk->pack(t->packed + (f * size + k * g->out + j * nk) * t->bytes,
                            (agni_simd_matrix){w, 1, t->w.depth}, nk, nj);
            }
}

static void multiply_result_tiles(void *user, int64_t job, int worker)
{
    tiles *t = user;
    const agni_conv *g = t->g;
    const int64_t jobs = (t->w.count + t->per - 1) / t->per, b = t->bytes;
    const int64_t group = job / jobs % g->groups, image = job / jobs / g->groups;
    const int64_t at = image * g->groups + group;
    const char *x = t->laid + at * g->in * t->w.channel * b;
    const char *w = t->packed + group * g->out * t->w.depth * b;
    char *y = t->p[AGNI_RESULT] + (t->first * g->groups + at) * g->out * g->places * b;
    char *c = alloc_workspace(t, g->out * t->w.ld);
    (void)worker;
    if (!c)
        return;
    for (int64_t i = job % jobs * t->per, end = min_int(i + t->per, t->w.count); i < end; i++) {
        const agni_tile a = agni_tile_at(&t->w, i);
        for (int64_t k = 0; k < t->w.depth; k += TAPS)
            for (int64_t j = 0; j < g->out; j += OUTS)
                for (int64_t r = 0; r < a.runs; r++) {
                    int64_t nk = min_int(TAPS, t->w.depth - k), nj = min_int(OUTS, g->out - j);
                    t->vk->row_product((agni_simd_tile){c + (j * a.ld + r * t->w.pitch) * b, a.ld},
                                     w + (k * g->out + j * nk) * b,
                                     x + agni_window_run(&t->w, &a, r) * b, t->row + k, nk, nj, a.T,
                                     k > 0);
                }
        agni_tile_store(&t->w, &a, c, y);
    }
    agni_free(c);
}

/* calls f for each group of images that are laid out together */
static void for_each_image_group(tiles *t, void (*f)(tiles *t))
{
    const agni_conv *g = t->g;
    const int64_t most = t->chunk;
    for (t->first = 0; t->first < g->images; t->first += most) {
        t->chunk = min_int(most, g->images - t->first);
        agni_parallel_for(t->chunk * g->groups * g->in, lay_out_plane, t);
        f(t);
    }
}

static void compute_results(tiles *t)
{
    agni_parallel_for(t->chunk * t->g->groups * ((t->w.count + t->per - 1) / t->per),
                      multiply_result_tiles, t);
}

/* ---- the filter ------------------------------------------------------------------ */

/* Part number p of the sum over the tiles of all images that are laid out, for some
   channels of a group. */
static void sum_filter_part(void *user, int64_t job, int worker)
{
    tiles *t = user;
    const agni_conv *g = t->g;
    const int64_t b = t->bytes, all = t->chunk * t->w.count;
    const int64_t block = job % t->blocks, group = job / t->blocks % g->groups;
    const int64_t part = job / t->blocks / g->groups;
    const int64_t lo = part * all / t->parts, hi = (part + 1) * all / t->parts;
    const int64_t c0 = block * t->block, channels = min_int(t->block, g->in - c0);
    char *d = t->sums +
              ((part * g->groups + group) * g->out * t->w.depth + c0 * g->taps) * b;
    char *buf = alloc_workspace(t, g->out * t->w.ld);
    (void)worker;
    for (int64_t i = lo; buf && i < hi; i++) {
        const agni_tile a = agni_tile_at(&t->w, i % t->w.count);
        const int64_t at = i / t->w.count * g->groups + group;
        char *x = t->laid + (at * g->in + c0) * t->w.channel * b;
        agni_simd_tile X[AGNI_CONV_ROWS], G[AGNI_CONV_ROWS];
        agni_tile_load(&t->w, &a, buf,
                       t->p[AGNI_RESULT] + (t->first * g->groups + at) * g->out * g->places * b);
        for (int64_t r = 0; r < a.runs; r++) {
            X[r] = (agni_simd_tile){x + agni_window_run(&t->w, &a, r) * b, 0};
            G[r] = (agni_simd_tile){buf + r * t->w.pitch * b, a.ld};
        }
        t->vk->outer_row_product((agni_simd_matrix){d, 1, t->w.depth}, X, t->row, G, (int)a.runs,
                          channels * g->taps, g->out, a.T);
    }
    agni_free(buf);
}

static void compute_filter_sums(tiles *t)
{
    agni_parallel_for(t->parts * t->g->groups * t->blocks, sum_filter_part, t);
}

/* adds the partial sums in order */
static void add_filter_parts(const tiles *t)
{
    const int64_t n = t->g->groups * t->g->out * t->w.depth;
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
    const int64_t size = g->out * t->w.depth;
    for (int64_t f = 0; f < g->groups; f++)
        for (int64_t c = 0; c < g->in; c += t->block)
            for (int64_t k = 0; k < g->out; k += TAPS) {
                int64_t nj = min_int(t->block, g->in - c) * g->taps;
                char *w = t->p[AGNI_FILTER] +
                          (f * size + k * t->w.depth + c * g->taps) * t->bytes;
                t->vk->pack(t->packed + (f * size + c * g->taps * g->out + k * nj) * t->bytes,
                            (agni_simd_matrix){w, t->w.depth, 1}, min_int(TAPS, g->out - k), nj);
            }
}

/* some channels of a group of one image, which nobody else writes */
static void multiply_image_tiles(void *user, int64_t job, int worker)
{
    tiles *t = user;
    const agni_conv *g = t->g;
    const int64_t b = t->bytes, block = job % t->blocks, at = job / t->blocks;
    const int64_t group = at % g->groups, c0 = block * t->block;
    const int64_t channels = min_int(t->block, g->in - c0), depth = channels * g->taps;
    char *laid = alloc_workspace(t, channels * t->w.channel + (g->out + depth) * t->w.ld);
    char *from = laid + channels * t->w.channel * b,
         *window = from + g->out * t->w.ld * b;
    const char *w = t->packed + (group * t->w.depth + c0 * g->taps) * g->out * b;
    (void)worker;
    if (!laid)
        return;
    memset(laid, 0, (size_t)(channels * t->w.channel * b));
    for (int64_t i = 0; i < t->w.count; i++) {
        const agni_tile a = agni_tile_at(&t->w, i);
        agni_tile_load(&t->w, &a, from, t->p[AGNI_RESULT] + at * g->out * g->places * b);
        for (int64_t k = 0; k < g->out; k += TAPS)
            t->vk->packed_product((agni_simd_tile){window, a.ld}, w + k * depth * b,
                                  (agni_simd_tile){from + k * a.ld * b, a.ld},
                                  min_int(TAPS, g->out - k), depth, a.ld, k > 0);
        for (int64_t q = 0; q < depth; q++)
            for (int64_t r = 0; r < a.runs; r++)
                add_row(t, laid + (t->row[q] + agni_window_run(&t->w, &a, r)) * b,
                        window + (q * a.ld + r * t->w.pitch) * b, a.T);
    }
    for (int64_t c = 0; c < channels; c++)
        agni_windows_copy_plane(&t->w, laid + c * t->w.channel * b,
                                t->p[AGNI_IMAGE] + (at * g->in + c0 + c) * g->pixels * b, true);
    agni_free(laid);
}

/* ---- all ------------------------------------------------------------------------- */

static void plan_jobs(tiles *t)
{
    const agni_conv *g = t->g;
    const double work = (double)g->out * (double)t->w.depth * (double)t->w.ld;
    t->per = work * 2 > JOB ? 1 : (int64_t)(JOB / work);
    t->per = min_int(t->per, t->w.count);
    int64_t image = g->groups * g->in * t->w.channel * t->bytes;
    t->chunk = image < LAID_OUT ? min_int(LAID_OUT / image, g->images) : 1;
    int64_t filter = g->groups * g->out * t->w.depth * t->bytes;
    t->parts = filter * MOST_SUMS < SUMS ? MOST_SUMS
               : filter < SUMS           ? SUMS / filter
                                         : 1;
    t->parts = min_int(t->parts, t->chunk * t->w.count);
    /* so many channels that their windows stay in cache, and enough jobs for all threads */
    t->block = AGNI_CONV_CACHE / (g->taps * t->w.ld * t->bytes);
    t->block = g->part == AGNI_FILTER ? g->in : t->block < 1 ? 1 : min_int(t->block, g->in);
    int64_t others = g->groups * (g->part == AGNI_FILTER ? t->parts : g->images);
    while (t->block > 1 && others * ((g->in + t->block - 1) / t->block) < MOST_SUMS)
        t->block = (t->block + 1) / 2;
    t->blocks = (g->in + t->block - 1) / t->block;
}

static agn_status run_part(tiles *t, bool *done)
{
    const agni_conv *g = t->g;
    const int64_t filter = g->groups * g->out * t->w.depth * t->bytes;
    const size_t laid = (size_t)(t->chunk * g->groups * g->in * t->w.channel *
                                 t->bytes);
    *done = true;
    if (g->part == AGNI_IMAGE) {
        pack_channels(t);
        agni_parallel_for(g->images * g->groups * t->blocks, multiply_image_tiles, t);
        return AGN_OK;
    }
    if (!(t->laid = agni_alloc_aligned(laid)))
        return agni_nomem("conv", laid);
    if (g->part == AGNI_RESULT) {
        pack_blocks(t);
        for_each_image_group(t, compute_results);
        return AGN_OK;
    }
    if (!(t->sums = agni_alloc_aligned((size_t)(t->parts * filter))))
        return agni_nomem("conv", (size_t)(t->parts * filter));
    memset(t->sums, 0, (size_t)(t->parts * filter));
    for_each_image_group(t, compute_filter_sums);
    add_filter_parts(t);
    *done = is_filter_finite(t);
    return AGN_OK;
}

agn_status agni_conv_gemm(const agni_conv *g, int dtype, char *const *p, bool *done)
{
    const agni_simd_kernels *vk = agni_simd_kernels_get();
    const int64_t bytes = agni_dtypes[dtype].bytes;
    tiles t = {.g = g,
               .p = p,
               .bytes = bytes,
               .vk = &vk->real[dtype == AGN_F64 ? AGNI_SIMD_F64 : AGNI_SIMD_F32]};
    atomic_init(&t.starved, false);
    *done = false;
    if (!agni_windows_plan(&t.w, g, bytes, vk->vbytes / bytes) ||
        (g->part != AGNI_FILTER && !is_filter_finite(&t)))
        return AGN_OK;
    plan_jobs(&t);
    const size_t rows = (size_t)t.w.depth * sizeof *t.row,
                 packed = (size_t)(g->groups * g->out * t.w.depth * bytes);
    agn_status st = AGN_OK;
    t.row = agni_alloc(rows);
    t.packed = g->part == AGNI_FILTER ? NULL : agni_alloc_aligned(packed);
    if (!t.row || (!t.packed && g->part != AGNI_FILTER)) {
        st = agni_nomem("conv", t.row ? packed : rows);
    } else {
        agni_windows_rows(&t.w, t.row);
        st = run_part(&t, done);
    }
    if (!st && atomic_load(&t.starved))
        st = agni_nomem("conv", (size_t)((g->out + t.w.depth) * t.w.ld * bytes));
    agni_free(t.row);
    agni_free(t.packed);
    agni_free(t.laid);
    agni_free(t.sums);
    return st;
}
