/* tensor/matmul/cpu/tile_matmul.c - matrix products on tiles of one CPU level: small matrices
 * with the batch innermost, outer products, row sums. The register block holds 12 accumulators
 * of 16 registers on SSE2 and AVX2, 24 of 32 on AVX-512 and NEON (25 of outer products). */
#include "tensor/cpu/simd/vec_transpose.h"
#include "tensor/cpu/simd/level_functions.h"

#if defined(__AVX512F__) || defined(__aarch64__)
#define AGNI_RJ 8
#define AGNI_RV 3
#define AGNI_SUMS 24
#define AGNI_WIDTHS {0, 8, 8, 8, 6, 4, 4, 3, 3}
#define AGNI_ROWWISE {{0}, {0}, {0}, {0}, {6, 4}, {4, 5}, {4, 6}, {6, 4}, {6, 4}}
#define AGNI_WIDE(X, j) X(j, 1) X(j, 2) X(j, 3)
#define AGNI_TALL(X)           \
    AGNI_WIDE(X, 7)            \
    AGNI_WIDE(X, 8)            \
    X(2, 5) X(2, 6) X(2, 7) X(2, 8) X(3, 4) X(3, 5) X(3, 6) X(3, 7) X(3, 8) X(4, 4) X(4, 5) X(4, 6) \
    X(5, 4) X(6, 4)
#define AGNI_PANELS_TALL(X) X(7) X(8)
#define AGNI_PK 5
#define AGNI_PJ 5
#define AGNI_DOTS_WIDE(X, k) X(k, 4) X(k, 5)
#define AGNI_DOTS_TALL(X) AGNI_DOTS_OF(X, 5)
#else
#define AGNI_RJ 6
#define AGNI_RV 2
#define AGNI_SUMS 12
#define AGNI_WIDTHS {0, 8, 4, 3, 3, 2, 2}
#define AGNI_ROWWISE {{0}}
#define AGNI_WIDE(X, j) X(j, 1) X(j, 2)
#define AGNI_TALL(X) X(1, 3) X(2, 3) X(3, 3) X(4, 3)
#define AGNI_PANELS_TALL(X)
#define AGNI_PK 4
#define AGNI_PJ 3
#define AGNI_DOTS_WIDE(X, k)
#define AGNI_DOTS_TALL(X)
#endif
#define AGNI_PANELS(X) X(1) X(2) X(3) X(4) X(5) X(6) AGNI_PANELS_TALL(X)
#define AGNI_WIDEST 8
#define AGNI_BLOCKS(X)                                              \
    AGNI_WIDE(X, 1)                                                 \
    AGNI_WIDE(X, 2)                                                 \
    AGNI_WIDE(X, 3) AGNI_WIDE(X, 4) AGNI_WIDE(X, 5) AGNI_WIDE(X, 6) \
    X(1, 4) X(1, 5) X(1, 6) X(1, 7) X(1, 8) X(2, 4) AGNI_TALL(X)
#define AGNI_DOTS_OF(X, k) X(k, 1) X(k, 2) X(k, 3) AGNI_DOTS_WIDE(X, k)
#define AGNI_DOTS(X) \
    AGNI_DOTS_OF(X, 1) \
    AGNI_DOTS_OF(X, 2) \
    AGNI_DOTS_OF(X, 3) AGNI_DOTS_OF(X, 4) AGNI_DOTS_TALL(X)
/* Outer products with fewer rows on either side go by dot products (no less than lanes); up to this
 * many they may; cost of the horizontal sum of an accumulator, in vectors of work. */
#define AGNI_DOTS_BELOW 32
#define AGNI_DOTS_UP_TO 64
#define AGNI_FOLD_COST 6

/* One side of sums of outer products, n rows of each tile: row i of tile m is at tile[m].p +
 * i tile[m].ld, or + row[i] if there is row. */
typedef struct outer_operand {
    const agni_simd_tile *tile;
    const int64_t *row;
    int64_t n;
} outer_operand;

/* An iterator over J rows in count panels whose sizes differ by one at most: panel i begins at row
 * i J / count. */
typedef struct panels {
    int64_t least, more, count, part, row; /* row: where the next panel begins */
} panels;
AGNI_INLINE panels agni_panels_from(int64_t J, int64_t count, int64_t i)
{
    return (panels){J / count, J % count, count, i * (J % count) % count, i * J / count};
}
/* rows of the next one, which begins at p->row before the call */
AGNI_INLINE int64_t agni_panels_next(panels *p)
{
    int64_t rows = p->least;
    p->part += p->more;
    if (p->part >= p->count) {
        p->part -= p->count;
        rows++;
    }
    p->row += rows;
    return rows;
}

#define AGNI_REAL_F64
#include "tensor/cpu/simd/real.h"
#include "tensor/matmul/cpu/tile_matmul_body.h"
#undef AGNI_REAL_F64
#define AGNI_REAL_F32
#include "tensor/cpu/simd/real.h"
#include "tensor/matmul/cpu/tile_matmul_body.h"
#undef AGNI_REAL_F32
