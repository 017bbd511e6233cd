/* tensor/create/layout_copy.c - copies between layouts: cache-blocked transposition. Squares whose
   side is one cache line: each line is read once and written once, whatever the strides. */
#include "tensor/create/layout_copy.h"

#include "tensor/cpu/level_dispatch.h"
#include "tensor/create/nontemporal.h"

#include <string.h>

enum { LINE = 64, STRIP = 128, JOB_BYTES = 1 << 18 };

/* ---- two axes ---------------------------------------------------------------------------- */

/* eight bytes are also a c64, which lies where a float may lie */
typedef uint64_t eight __attribute__((aligned(4)));
typedef struct wide {
    uint64_t half[2];
} wide;

typedef void square_fn(char *y, int64_t y_row, const char *x, int64_t x_col, int64_t rows,
                       int64_t cols);

/* the bounds of a whole square are constants */
#define SQUARE(T)                                                                       \
    static void square_##T(char *y, int64_t y_row, const char *x, int64_t x_col,        \
                           int64_t rows, int64_t cols)                                  \
    {                                                                                   \
        enum { SIDE = LINE / sizeof(T) };                                               \
        if (rows == SIDE && cols == SIDE) {                                             \
            for (int i = 0; i < SIDE; i++)                                              \
                for (int j = 0; j < SIDE; j++)                                          \
                    ((T *)(void *)(y + i * y_row))[j] =                                 \
                        ((const T *)(const void *)(x + j * x_col))[i];                  \
            return;                                                                     \
        }                                                                               \
        for (int64_t i = 0; i < rows; i++)                                              \
            for (int64_t j = 0; j < cols; j++)                                          \
                ((T *)(void *)(y + i * y_row))[j] =                                     \
                    ((const T *)(const void *)(x + j * x_col))[i];                      \
    }
SQUARE(uint8_t)
SQUARE(uint16_t)
SQUARE(uint32_t)
SQUARE(eight)
SQUARE(wide)

static square_fn *select_square(int bytes)
{
    return bytes == 1   ? square_uint8_t
           : bytes == 2 ? square_uint16_t
           : bytes == 4 ? square_uint32_t
           : bytes == 8 ? square_eight
                        : square_wide;
}

static int64_t smaller_of(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* a square whose lines are written by non-temporal stores */
static void copy_square_nontemporal(square_fn *square, char *y, int64_t y_row, const char *x,
                                    int64_t x_col, int64_t rows, int64_t cols, int64_t bytes)
{
    _Alignas(LINE) char t[LINE][LINE];
    if (((uintptr_t)y | (uintptr_t)y_row) % LINE || cols * bytes < LINE) {
        square(y, y_row, x, x_col, rows, cols);
        return;
    }
    square(t[0], LINE, x, x_col, rows, cols);
    for (int64_t i = 0; i < rows; i++)
        agni_nontemporal_copy(y + i * y_row, t[i], LINE);
}

/* Processors fetch lines in pairs, and no hardware prefetcher follows such strides: two squares one
   below the other, and the lines of the next two are prefetched. */
static void copy_square_pair(square_fn *square, char *y, int64_t y_row, const char *x,
                             int64_t x_col, int64_t rows, int64_t cols, int64_t side, bool more,
                             bool far)
{
    if (more)
        for (int64_t k = side; k < 2 * side; k++)
            __builtin_prefetch(x + k * x_col);
    for (int64_t i = 0; i < rows; i += side, y += side * y_row, x += LINE)
        if (far)
            copy_square_nontemporal(square, y, y_row, x, x_col, smaller_of(side, rows - i), cols,
                                    LINE / side);
        else
            square(y, y_row, x, x_col, smaller_of(side, rows - i), cols);
}

/* Small arrays, which are in the caches, are transposed by the vector kernel of the level. */
static bool transpose_in_cache(char *y, int64_t y_row, const char *x, int64_t x_col, int64_t rows,
                               int64_t cols, int bytes)
{
    enum { NEAR = 1 << 19 };
    if ((bytes != 8 && bytes != 4) || rows * cols * bytes > NEAR)
        return false;
    agni_simd_kernels_get()->real[bytes == 8 ? AGNI_SIMD_F64 : AGNI_SIMD_F32].transpose(
        y, y_row / bytes, x, x_col / bytes, cols, rows);
    return true;
}

static void transpose_blocked(char *y, int64_t y_row, const char *x, int64_t x_col, int64_t rows,
                      int64_t cols, int bytes, bool far)
{
    square_fn *square = select_square(bytes);
    if (!far && transpose_in_cache(y, y_row, x, x_col, rows, cols, bytes))
        return;
    int64_t side = LINE / bytes;
    for (int64_t j0 = 0; j0 < cols; j0 += STRIP) { /* few pages (TLB entries) at a time */
        int64_t end = smaller_of(cols, j0 + STRIP);
        for (int64_t i = 0; i < rows; i += 2 * side)
            for (int64_t j = j0; j < end; j += side)
                copy_square_pair(square, y + i * y_row + j * bytes, y_row,
                                x + i * bytes + j * x_col, x_col, smaller_of(2 * side, rows - i),
                                smaller_of(side, end - j), side, j + 2 * side <= end, far);
    }
}

void agni_transpose_matrix(char *y, int64_t y_row, const char *x, int64_t x_col, int64_t rows,
                    int64_t cols, int bytes)
{
    transpose_blocked(y, y_row, x, x_col, rows, cols, bytes, false);
}

/* ---- any number of axes ------------------------------------------------------------------- */

typedef struct axis {
    int64_t n, y, x; /* size; bytes from one to the next */
} axis;

typedef struct plan {
    int ndim, bytes;
    bool square; /* the last two axes are transposed */
    bool far;    /* larger than the caches */
    int64_t grain; /* of axis 0, for one job */
    char *y;
    const char *x;
    axis at[AGNI_MAX_RANK];
} plan;

/* axes in descending order of y's stride; neighbours that are one axis in both arrays are merged */
static void order_axes(plan *p, const agn_array *y, const agn_array *x)
{
    int n = 0;
    for (int d = 0; d < y->ndim; d++) {
        axis a = {y->shape[d], y->stride[d] * p->bytes, x->stride[d] * p->bytes};
        if (a.n == 1)
            continue;
        if (a.y < 0) { /* the same elements in reverse order */
            p->y += (a.n - 1) * a.y;
            p->x += (a.n - 1) * a.x;
            a.y = -a.y;
            a.x = -a.x;
        }
        int k = n++;
        for (; k > 0 && p->at[k - 1].y < a.y; k--)
            p->at[k] = p->at[k - 1];
        p->at[k] = a;
    }
    int m = 0;
    for (int k = 0; k < n; k++) {
        axis *a = p->at + k, *b = m ? p->at + m - 1 : NULL;
        if (b && b->y == a->y * a->n && b->x == a->x * a->n)
            *b = (axis){b->n * a->n, a->y, a->x};
        else
            p->at[m++] = *a;
    }
    p->ndim = m;
}

/* If y is dense along the last axis and x along another one, that axis becomes the last but one. */
static void pair_dense_axes(plan *p)
{
    int last = p->ndim - 1;
    if (last < 1 || p->at[last].y != p->bytes || p->at[last].x == p->bytes)
        return;
    for (int k = 0; k < last; k++)
        if (p->at[k].x == p->bytes) {
            axis a = p->at[k];
            memmove(p->at + k, p->at + k + 1, (size_t)(last - 1 - k) * sizeof a);
            p->at[last - 1] = a;
            p->square = true;
            return;
        }
}

/* y[k] = x[2 k] for whole lines of y; returns the number of elements done. The second of two
   vectors begins one element early, so that no load reads beyond the last element. Rows of several
   operands are copied in turn, a strip each: what the next strips read is asked for meanwhile
   (4.5, then 3.2 ms for sums of two arrays of 2^22 f32 on Zen 5). */
enum { AHEAD = 2048 };
#define EVERY_SECOND(T, word, ...)                                                 \
    static int64_t seconds_##T(T *y, const T *x, int64_t n)                        \
    {                                                                              \
        enum { SIDE = 16 / sizeof(T), BLOCK = LINE / sizeof(T) };                  \
        word __attribute__((vector_size(16))) u, v;                                \
        int64_t k = 0;                                                             \
        for (; k + BLOCK <= n; k += BLOCK) {                                       \
            const uintptr_t next = (uintptr_t)(x + 2 * k) + AHEAD;                 \
            __builtin_prefetch((const void *)next);                                \
            __builtin_prefetch((const void *)(next + LINE));                       \
            for (int i = 0; i < BLOCK; i += SIDE) {                                \
                memcpy(&u, x + 2 * (k + i), sizeof u);                             \
                memcpy(&v, x + 2 * (k + i) + SIDE - 1, sizeof v);                  \
                u = __builtin_shufflevector(u, v, __VA_ARGS__);                    \
                memcpy(y + k + i, &u, sizeof u);                                   \
            }                                                                      \
        }                                                                          \
        return k;                                                                  \
    }
EVERY_SECOND(uint32_t, uint32_t, 0, 2, 5, 7)
EVERY_SECOND(eight, uint64_t, 0, 3)
#define NO_EVERY_SECOND(T)                                      \
    static int64_t seconds_##T(T *y, const T *x, int64_t n)     \
    {                                                           \
        (void)y, (void)x, (void)n;                              \
        return 0;                                               \
    }
NO_EVERY_SECOND(uint8_t)
NO_EVERY_SECOND(uint16_t)
NO_EVERY_SECOND(wide)

/* Steps of 0 (broadcast) and of two elements (parts of complex numbers) have vector loops. */
#define ROW(T)                                                                               \
    static void row_##T(char *yp, int64_t y_step, const char *xp, int64_t x_step, int64_t n) \
    {                                                                                        \
        enum { SIZE = sizeof(T), BLOCK = 2 * LINE / SIZE };                                  \
        T *restrict y = (T *)(void *)yp;                                                     \
        const T *x = (const T *)(const void *)xp;                                            \
        int64_t k = 0;                                                                       \
        if (y_step == SIZE && x_step == 0)                                                   \
            for (const T one = *x; k + BLOCK <= n; k += BLOCK)                               \
                for (int i = 0; i < BLOCK; i++)                                              \
                    y[k + i] = one;                                                          \
        else if (y_step == SIZE && x_step == 2 * SIZE)                                       \
            k = seconds_##T(y, x, n);                                                        \
        for (; k < n; k++)                                                                   \
            *(T *)(void *)(yp + k * y_step) = *(const T *)(const void *)(xp + k * x_step);   \
    }
ROW(uint8_t)
ROW(uint16_t)
ROW(uint32_t)
ROW(eight)
ROW(wide)

void agni_copy_row(char *y, int64_t y_step, const char *x, int64_t x_step, int64_t n, int bytes)
{
    if (y_step == bytes && x_step == bytes)
        memmove(y, x, (size_t)(n * bytes));
    else if (bytes == 8)
        row_eight(y, y_step, x, x_step, n);
    else if (bytes == 4)
        row_uint32_t(y, y_step, x, x_step, n);
    else if (bytes == 16)
        row_wide(y, y_step, x, x_step, n);
    else if (bytes == 2)
        row_uint16_t(y, y_step, x, x_step, n);
    else
        row_uint8_t(y, y_step, x, x_step, n);
}

static void copy_nest(const plan *p, int d, int64_t n, char *y, const char *x)
{
    const axis *a = p->at + d;
    int left = p->ndim - d;
    if (left == 2 && p->square)
        transpose_blocked(y, a->y, x, a[1].x, n, a[1].n, p->bytes, p->far);
    else if (left == 1 && p->far && a->y == p->bytes && a->x == p->bytes)
        agni_nontemporal_copy(y, x, n * p->bytes);
    else if (left == 1)
        agni_copy_row(y, a->y, x, a->x, n, p->bytes);
    else
        for (int64_t i = 0; i < n; i++)
            copy_nest(p, d + 1, a[1].n, y + i * a->y, x + i * a->x);
}

static void copy_job(void *user, int64_t k, int worker)
{
    const plan *p = user;
    int64_t lo = k * p->grain;
    (void)worker;
    copy_nest(p, 0, smaller_of(p->grain, p->at[0].n - lo), p->y + lo * p->at[0].y,
              p->x + lo * p->at[0].x);
    if (p->far)
        agni_nontemporal_fence();
}

void agni_copy_part(const agn_array *y, const agn_array *x, int64_t whole)
{
    plan p = {.bytes = agni_dtypes[y->dtype].bytes, .y = y->data, .x = x->data};
    p.far = whole * p.bytes >= AGNI_NONTEMPORAL_BYTES && x->data != y->data;
    int64_t size = 1;
    for (int d = 0; d < y->ndim; d++)
        size *= y->shape[d];
    if (!size)
        return;
    order_axes(&p, y, x);
    if (!p.ndim) {
        memcpy(p.y, p.x, (size_t)p.bytes);
        return;
    }
    pair_dense_axes(&p);
    int64_t n = p.at[0].n, one = size / n * p.bytes, side = LINE / p.bytes;
    p.grain = (JOB_BYTES + one - 1) / one;
    if (p.square && p.ndim == 2)
        p.grain = (p.grain + side - 1) / side * side;
    if (p.grain >= n) {
        p.grain = n;
        copy_job(&p, 0, 0);
    } else {
        agni_parallel_for((n + p.grain - 1) / p.grain, copy_job, &p);
    }
}

void agni_copy_elements(const agn_array *y, const agn_array *x)
{
    int64_t size = 1;
    for (int d = 0; d < y->ndim; d++)
        size *= y->shape[d];
    agni_copy_part(y, x, size);
}
