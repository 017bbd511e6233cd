/* tensor/conv/conv_im2col.h - where the windows of images lie, and which of them go together.

   Each channel of an image is laid out once, with the zeros around it, and with the pixels
   of one remainder by the stride side by side. Then every tap of every channel is one row
   of numbers at a fixed offset from the place where the window begins, and neighbouring
   places are neighbours in it: the matrix of all windows needs no memory of its own. A tile
   is some rows of places. Each row is a run of columns; where rows are short, all rows of a
   tile are one run, and the numbers between two rows give places that nobody asked for. */
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

/* Fills in all but row; false where the layout would be far larger than what lies in it. */
bool agni_windows_plan(agni_windows *t, const agni_conv *g, int64_t bytes,
                       int64_t lanes);
/* row[depth]: where the row of each tap of each channel begins */
void agni_windows_rows(const agni_windows *t, int64_t *row);
/* one plane of an image into its layout, or back, where pixels that no tap meets are 0 */
void agni_windows_lay(const agni_windows *t, char *to, char *image, bool back);
/* tile number i of an image; and where a run of it begins in a channel that is laid out */
agni_tile agni_tile_at(const agni_windows *t, int64_t i);
int64_t agni_window_run(const agni_windows *t, const agni_tile *a, int64_t run);
/* the result's numbers of a tile, all channels of a group, with zeros between its rows and
   behind them; and back, without what is between */
void agni_tile_take(const agni_windows *t, const agni_tile *a, char *to,
                    const char *result);
void agni_tile_put(const agni_windows *t, const agni_tile *a, const char *from,
                   char *result);

#endif
