/* tensor/conv/conv_im2col.h - implicit im2col: the layout of images, and tiles of windows.

   Each channel of an image is laid out once, zero-padded, with the pixels of one remainder by
   the stride adjacent. Then every tap of every channel is a row at a fixed offset from the
   origin of the window, and adjacent output positions are adjacent in it: the im2col matrix is
   never stored. A tile is some rows of output positions. Each row is a run of columns; where
   rows are short, all rows of a tile are one run, and the elements between two rows are computed
   and dropped. */
#ifndef AGNI_CONV_WINDOWS_H
#define AGNI_CONV_WINDOWS_H

#include "tensor/conv/conv.h"

enum {
    AGNI_CONV_CACHE = 1 << 16, /* bytes of a tile */
    AGNI_CONV_ROWS = 16        /* of a tile at most */
};

typedef struct agni_windows {
    const agni_conv *g;
    int64_t bytes, lanes;
    int64_t u[AGNI_MAX_RANK],
        e[AGNI_MAX_RANK]; /* remainders that occur; sizes for each */
    int64_t plane, used,
        channel;        /* elements: of one remainder, of all, with what is behind */
    int64_t depth;      /* taps of all channels of a group */
    bool flat;          /* the rows of a tile are one run */
    int64_t rows, cols; /* of places in a tile, at most */
    int64_t pitch;      /* columns from row to row of a tile */
    int64_t row_blocks, col_blocks, count; /* tiles of one image */
    int64_t ld;                            /* columns of a tile at most */
} agni_windows;

typedef struct agni_tile {
    int64_t x, y; /* where it begins: in a channel that is laid out, in a result */
    int64_t rows, cols; /* of places */
    int64_t ld;         /* columns of the tile, in whole vectors */
    int64_t runs, T;    /* runs of T columns each, pitch apart */
} agni_tile;

/* Fills in all but row; false if the layout would be far larger than the image. */
bool agni_windows_plan(agni_windows *t, const agni_conv *g, int64_t bytes,
                       int64_t lanes);
/* row[depth]: where the row of each tap of each channel begins */
void agni_windows_rows(const agni_windows *t, int64_t *row);
/* one plane of an image into its layout, or back, where pixels that no tap meets are 0 */
void agni_windows_copy_plane(const agni_windows *t, char *to, char *image, bool back);
/* tile number i of an image; and where a run of it begins in a channel that is laid out */
agni_tile agni_tile_at(const agni_windows *t, int64_t i);
int64_t agni_window_run(const agni_windows *t, const agni_tile *a, int64_t run);
/* the result's numbers of a tile, all channels of a group, with zeros between its rows and
   behind them; and back, without what is between */
void agni_tile_load(const agni_windows *t, const agni_tile *a, char *to, const char *result);
void agni_tile_store(const agni_windows *t, const agni_tile *a, const char *from, char *result);

#endif
