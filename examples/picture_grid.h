/* picture_grid.h - a table of numbers as one image of an SVG: a PNG of 256 colours whose bytes are
   not packed (W3C PNG 3; RFC 1950 and 1951), in base 64. */
#ifndef PICTURE_GRID_H
#define PICTURE_GRID_H

#include "picture.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct grid_bytes {
    unsigned char *p;
    size_t n;
} grid_bytes;

static inline void grid_put(grid_bytes *b, uint32_t v, int bytes)
{
    for (int k = bytes - 1; k >= 0; k--)
        b->p[b->n++] = (unsigned char)(v >> (8 * k));
}

/* the length before, and the sum behind, what is from start on: name and content of a chunk */
static inline void grid_end_chunk(grid_bytes *b, size_t start)
{
    grid_bytes head = {b->p + start - 4, 0};
    uint32_t sum = ~0u;
    grid_put(&head, (uint32_t)(b->n - start - 4), 4);
    for (size_t i = start; i < b->n; i++) {
        sum ^= b->p[i];
        for (int k = 0; k < 8; k++)
            sum = sum >> 1 ^ (sum & 1 ? 0xedb88320u : 0);
    }
    grid_put(b, ~sum, 4);
}

static inline size_t grid_begin_chunk(grid_bytes *b, const char *name)
{
    b->n += 4; /* its length */
    memcpy(b->p + b->n, name, 4);
    b->n += 4;
    return b->n - 4;
}

/* one row, its filter 0 and its colours, as a block that is not packed */
static inline void grid_put_row(grid_bytes *b, const double *t, int columns, bool last,
                                uint32_t *low, uint32_t *high)
{
    uint32_t n = (uint32_t)columns + 1;
    grid_put(b, last, 1);
    for (int k = 0; k < 2; k++) { /* the length, little end first, and its complement */
        grid_put(b, (k ? ~n : n) & 255, 1);
        grid_put(b, (k ? ~n : n) >> 8 & 255, 1);
    }
    for (int j = -1; j < columns; j++) {
        double v = j < 0 ? 0 : 255 * (t[j] < 0 ? 0 : t[j] > 1 ? 1 : t[j]) + 0.5;
        grid_put(b, (uint32_t)v, 1);
        *low = (*low + (uint32_t)v) % 65521;
        *high = (*high + *low) % 65521;
    }
}

/* numbers from 0 to 1 by their colours, rows from below, fewer than 65535 columns */
static inline void picture_grid(FILE *f, double x, double y, double width, double height,
                                const double *t, int rows, int columns)
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    grid_bytes b = {f ? calloc((size_t)rows * ((size_t)columns + 6) + 1024, 1) : NULL, 8};
    uint32_t low = 1, high = 0;
    if (!b.p)
        return;
    memcpy(b.p, "\x89PNG\r\n\x1a\n", 8);
    size_t start = grid_begin_chunk(&b, "IHDR");
    grid_put(&b, (uint32_t)columns, 4);
    grid_put(&b, (uint32_t)rows, 4);
    grid_put(&b, 0x08030000, 4); /* 8 bits, by a table of colours */
    grid_put(&b, 0, 1);
    grid_end_chunk(&b, start);
    start = grid_begin_chunk(&b, "PLTE");
    for (int k = 0; k < 256; k++)
        for (int c = 0; c < 3; c++)
            grid_put(&b, (uint32_t)picture_part(k / 255.0, c), 1);
    grid_end_chunk(&b, start);
    start = grid_begin_chunk(&b, "IDAT");
    grid_put(&b, 0x7801, 2);
    for (int i = rows - 1; i >= 0; i--)
        grid_put_row(&b, t + (size_t)i * (size_t)columns, columns, i == 0, &low, &high);
    grid_put(&b, high << 16 | low, 4);
    grid_end_chunk(&b, start);
    grid_end_chunk(&b, grid_begin_chunk(&b, "IEND"));
    fprintf(f,
            "<image x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" preserveAspectRatio=\"none\" "
            "href=\"data:image/png;base64,",
            x, y, width, height);
    for (size_t i = 0; i < b.n; i += 3) {
        uint32_t v = (uint32_t)b.p[i] << 16;
        v |= i + 1 < b.n ? (uint32_t)b.p[i + 1] << 8 : 0;
        v |= i + 2 < b.n ? b.p[i + 2] : 0;
        for (int k = 0; k < 4; k++)
            fputc(i + (size_t)k > b.n ? '=' : digit[v >> (18 - 6 * k) & 63], f);
    }
    fputs("\"/>\n", f);
    free(b.p);
}

#endif
