/* tensor/conv/conv_im2col.c - implicit im2col: images laid out so that windows are rows at
   offsets, and tiles of output positions. */
#include "tensor/conv/conv_im2col.h"

#include <string.h>

enum { LINE = 64 };

/* ---- images with all taps at offsets --------------------------------------------- */

static int64_t greatest_divisor(int64_t a, int64_t b)
{
    return b ? greatest_divisor(b, a % b) : a;
}

static int64_t cache_lines(int64_t bytes)
{
    return (bytes + LINE - 1) / LINE;
}

/* false if the layout would be far larger than the image, or too large */
static bool plan_layout(agni_windows *t)
{
    const agni_conv *g = t->g;
    double size = 1;
    t->plane = t->channel = 1;
    for (int k = 0; k < g->d; k++) {
        int64_t period = g->stride[k] / greatest_divisor(g->stride[k], g->dilation[k]);
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
    t->used = t->channel;
    t->channel = (cache_lines((t->channel + t->lanes) * t->bytes) | 1) * LINE / t->bytes;
    return true;
}

void agni_windows_rows(const agni_windows *t, int64_t *row)
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
        row[r] = r / g->taps * t->channel + which * t->plane + place;
    }
}

static void copy_row(char *to, int64_t to_step, const char *from, int64_t from_step,
                     int64_t n, int64_t bytes)
{
    if (to_step == 1 && from_step == 1)
        memcpy(to, from, (size_t)(n * bytes));
    else if (bytes == 4)
        for (int64_t i = 0; i < n; i++)
            memcpy(to + i * to_step * 4, from + i * from_step * 4, 4);
    else /* a c64 lies where a float may lie */
        for (int64_t i = 0; i < n; i++)
            memcpy(to + i * to_step * 8, from + i * from_step * 8, 8);
}

void agni_windows_copy_plane(const agni_windows *t, char *to, char *image, bool back)
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

/* ---- tiles ----------------------------------------------------------------------- */

static int64_t whole_vectors(const agni_windows *t, int64_t n)
{
    return (n + t->lanes - 1) / t->lanes;
}

static void plan_tiles(agni_windows *t)
{
    const agni_conv *g = t->g;
    const int last = g->d - 1;
    const int64_t w = g->l[last], wide = t->e[last],
                  all = last > 0 ? g->l[last - 1] : 1;
    int64_t most = AGNI_CONV_CACHE / (g->out * t->bytes);
    most = most < 4 * t->lanes ? 4 * t->lanes : most > 512 ? 512 : most;
    most = most / t->lanes * t->lanes;
    t->cols = w < most ? w : most;
    t->rows = most / wide < all ? most / wide : all;
    t->flat = t->rows > 1 &&
              whole_vectors(t, (t->rows - 1) * wide + w) < t->rows * whole_vectors(t, w);
    t->pitch = t->flat ? wide : whole_vectors(t, t->cols) * t->lanes;
    if (!t->flat) {
        int64_t rows = most / t->pitch < AGNI_CONV_ROWS ? most / t->pitch
                                                        : AGNI_CONV_ROWS;
        t->rows = t->cols < w || rows < 1 ? 1 : rows < all ? rows : all;
    }
    t->row_blocks = (all + t->rows - 1) / t->rows;
    t->col_blocks = (w + t->cols - 1) / t->cols;
    t->count = t->row_blocks * t->col_blocks * (g->places / (all * w));
    t->ld = whole_vectors(t, (t->rows - 1) * t->pitch + t->cols) * t->lanes;
}

agni_tile agni_tile_at(const agni_windows *t, int64_t i)
{
    const agni_conv *g = t->g;
    const int last = g->d - 1;
    const int64_t w = g->l[last], wide = t->e[last],
                  all = last > 0 ? g->l[last - 1] : 1;
    int64_t col = i % t->col_blocks * t->cols,
            outer = i / t->col_blocks / t->row_blocks;
    int64_t row = i / t->col_blocks % t->row_blocks * t->rows;
    agni_tile a = {.x = row * wide + col,
                   .y = (outer * all + row) * w + col,
                   .rows = all - row < t->rows ? all - row : t->rows,
                   .cols = w - col < t->cols ? w - col : t->cols};
    int64_t unit = last > 0 ? t->e[last - 1] * wide : 0;
    for (int k = last - 2; k >= 0; k--) {
        a.x += outer % g->l[k] * unit;
        outer /= g->l[k];
        unit *= t->e[k];
    }
    a.ld = whole_vectors(t, (a.rows - 1) * t->pitch + a.cols) * t->lanes;
    a.runs = t->flat ? 1 : a.rows;
    a.T = t->flat ? a.ld : whole_vectors(t, a.cols) * t->lanes;
    return a;
}

int64_t agni_window_run(const agni_windows *t, const agni_tile *a, int64_t run)
{
    return a->x + run * t->e[t->g->d - 1];
}

void agni_tile_load(const agni_windows *t, const agni_tile *a, char *to, const char *result)
{
    const int64_t w = t->g->l[t->g->d - 1], b = t->bytes;
    const bool one = a->cols == t->pitch &&
                     a->cols == w; /* rows are contiguous on both sides */
    const int64_t rows = one ? 1 : a->rows, cols = one ? a->rows * w : a->cols;
    for (int64_t o = 0; o < t->g->out; o++, to += a->ld * b, result += t->g->places * b)
        for (int64_t r = 0; r < rows; r++) {
            int64_t end = r + 1 < rows ? (r + 1) * t->pitch : a->ld, at = r * t->pitch;
            memcpy(to + at * b, result + (a->y + r * w) * b, (size_t)(cols * b));
            if (end > at + cols)
                memset(to + (at + cols) * b, 0, (size_t)((end - at - cols) * b));
        }
}

/* Rows of a tile go to planes far apart: their cache lines are prefetched some planes ahead. */
enum { PLANES_AHEAD = 6 };
static void prefetch_lines(const char *p, int64_t bytes)
{
    for (int64_t k = 0; k < bytes; k += LINE)
        __builtin_prefetch(p + k, 1);
}

void agni_tile_store(const agni_windows *t, const agni_tile *a, const char *from, char *result)
{
    const int64_t w = t->g->l[t->g->d - 1], b = t->bytes;
    const bool one = a->cols == t->pitch && a->cols == w;
    const int64_t rows = one ? 1 : a->rows, cols = one ? a->rows * w : a->cols;
    for (int64_t o = 0; o < t->g->out;
         o++, from += a->ld * b, result += t->g->places * b)
        for (int64_t r = 0; r < rows; r++) {
            char *to = result + (a->y + r * w) * b;
            if (o + PLANES_AHEAD < t->g->out)
                prefetch_lines(to + PLANES_AHEAD * t->g->places * b, cols * b);
            memcpy(to, from + r * t->pitch * b, (size_t)(cols * b));
        }
}

/* ---- all ------------------------------------------------------------------------- */

bool agni_windows_plan(agni_windows *t, const agni_conv *g, int64_t bytes,
                       int64_t lanes)
{
    *t = (agni_windows){
        .g = g, .bytes = bytes, .lanes = lanes, .depth = g->in * g->taps};
    if (!plan_layout(t))
        return false;
    plan_tiles(t);
    return true;
}
