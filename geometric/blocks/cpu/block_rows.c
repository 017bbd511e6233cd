/* geometric/blocks/cpu/block_rows.c - gather and scatter-add of rows (Fey and Lenssen 2019) around
   a block of edges, compiled once per CPU level. */
#include "geometric/blocks/cpu/block_rows.h"

#include "tensor/cpu/vmath/vmath.h"

#include <string.h>

/* Rows are met in no order: those of the edge AHEAD are asked for, of at most MOST_LINES lines. */
enum { LINE = 64, MOST_LINES = 8, AHEAD = 32, VECTOR = 32 };
typedef int64_t bytes_vec __attribute__((vector_size(VECTOR), aligned(1), may_alias));

static inline void prefetch_to_read(const char *row, int64_t bytes)
{
    for (int64_t k = 0; k < bytes && k < MOST_LINES * LINE; k += LINE)
        __builtin_prefetch(row + k, 0, 3);
}
static inline void prefetch_to_write(const char *row, int64_t bytes)
{
    for (int64_t k = 0; k < bytes && k < MOST_LINES * LINE; k += LINE)
        __builtin_prefetch(row + k, 1, 3);
}

static inline void copy_row(char *restrict to, const char *restrict from, int64_t bytes)
{
    int64_t k = 0;
    for (; k + 4 * VECTOR <= bytes; k += 4 * VECTOR)
        for (int v = 0; v < 4; v++)
            *(bytes_vec *)(void *)(to + k + v * VECTOR) =
                *(const bytes_vec *)(const void *)(from + k + v * VECTOR);
    for (; k + VECTOR <= bytes; k += VECTOR)
        *(bytes_vec *)(void *)(to + k) = *(const bytes_vec *)(const void *)(from + k);
    for (; k + 4 <= bytes; k += 4)
        memcpy(to + k, from + k, 4);
    for (; k < bytes; k++)
        to[k] = from[k];
}

static void gather_rows(const agni_block_rows *q, int64_t lo, int64_t hi)
{
    const int64_t *at = q->at, row = q->row;
    const char *from = q->from;
    char *to = q->to;
    for (int64_t i = lo; i < hi; i++) {
        if (i + AHEAD < hi)
            prefetch_to_read(from + at[i + AHEAD] * row, row);
        copy_row(to + i * row, from + at[i] * row, row);
    }
}
static void scatter_rows(const agni_block_rows *q, int64_t lo, int64_t hi)
{
    const int64_t *at = q->at, row = q->row;
    const char *from = q->from;
    char *to = q->to;
    for (int64_t i = lo; i < hi; i++)
        copy_row(to + at[i] * row, from + i * row, row);
}

/* WIDE vectors of one row of the result, which the rows [i, end) of the block are added to */
#define ADD_COLUMNS(T, vec, WIDE) \
    for (; j + (WIDE) * PER_VECTOR <= hi; j += (WIDE) * PER_VECTOR) { \
        vec sum[WIDE]; \
        for (int v = 0; v < (WIDE); v++) \
            sum[v] = *(const vec *)(const void *)(y + j + v * PER_VECTOR); \
        for (int64_t k = i; k < end; k++) \
            for (int v = 0; v < (WIDE); v++) \
                sum[v] += *(const vec *)(const void *)(x + k * w + j + v * PER_VECTOR); \
        for (int v = 0; v < (WIDE); v++) \
            *(vec *)(void *)(y + j + v * PER_VECTOR) = sum[v]; \
    }
/* U: sums of integers wrap around */
#define ADD_ROWS(T, U, name) \
    typedef U name##_vec __attribute__((vector_size(VECTOR), aligned(sizeof(T)), may_alias)); \
    static void add_rows_##name(const agni_block_rows *q, int64_t lo, int64_t hi) \
    { \
        enum { PER_VECTOR = VECTOR / (int)sizeof(T) }; \
        const int64_t w = q->row / (int64_t)sizeof(T), *at = q->at; \
        const U *x = q->from; \
        for (int64_t i = 0, end; i < q->n; i = end) { \
            U *y = (U *)q->to + at[i] * w; \
            int64_t j = lo; \
            for (end = i + 1; end < q->n && at[end] == at[i]; end++) \
                ; \
            if (i + AHEAD < q->n && at[i + AHEAD] != at[i]) \
                prefetch_to_write((const char *)q->to + (at[i + AHEAD] * w + lo) * (int64_t)sizeof(T), \
                                  (hi - lo) * (int64_t)sizeof(T)); \
            ADD_COLUMNS(U, name##_vec, 4) \
            ADD_COLUMNS(U, name##_vec, 1) \
            for (; j < hi; j++) { \
                U sum = y[j]; \
                for (int64_t k = i; k < end; k++) \
                    sum += x[k * w + j]; \
                y[j] = sum; \
            } \
        } \
    }
ADD_ROWS(float, float, f32)
ADD_ROWS(double, double, f64)
ADD_ROWS(int32_t, uint32_t, i32)
ADD_ROWS(int64_t, uint64_t, i64)

/* MASK: integers of the size of T */
#define EXTREME_ROWS(T, MASK, name) \
    typedef T name##_numbers __attribute__((vector_size(VECTOR), aligned(sizeof(T)), may_alias)); \
    typedef MASK name##_mask __attribute__((vector_size(VECTOR), aligned(sizeof(T)), may_alias)); \
    static inline __attribute__((always_inline)) void name##_row(T *y, const T *x, int64_t j, \
                                                                 int64_t hi, bool largest) \
    { \
        enum { PER_VECTOR = VECTOR / (int)sizeof(T) }; \
        for (; j + PER_VECTOR <= hi; j += PER_VECTOR) { \
            name##_numbers a = *(const name##_numbers *)(const void *)(y + j), \
                           b = *(const name##_numbers *)(const void *)(x + j); \
            name##_mask m = (largest ? (name##_mask)(b > a) : (name##_mask)(b < a)) | \
                            (name##_mask)(b != b); \
            *(name##_mask *)(void *)(y + j) = (m & (name##_mask)b) | (~m & (name##_mask)a); \
        } \
        for (; j < hi; j++) \
            y[j] = (largest ? x[j] > y[j] : x[j] < y[j]) || x[j] != x[j] ? x[j] : y[j]; \
    } \
    static void choose_rows_##name(const agni_block_rows *q, int64_t lo, int64_t hi) \
    { \
        const int64_t w = q->row / (int64_t)sizeof(T); \
        for (int64_t i = 0; i < q->n; i++) { \
            T *y = (T *)q->to + q->at[i] * w; \
            const T *x = (const T *)q->from + i * w; \
            if (q->first[i]) \
                memcpy(y + lo, x + lo, (size_t)(hi - lo) * sizeof(T)); \
            else if (q->largest) \
                name##_row(y, x, lo, hi, true); \
            else \
                name##_row(y, x, lo, hi, false); \
        } \
    }
EXTREME_ROWS(float, int32_t, f32)
EXTREME_ROWS(double, int64_t, f64)
EXTREME_ROWS(int32_t, int32_t, i32)
EXTREME_ROWS(int64_t, int64_t, i64)

agni_block_table AGNI_LV(agni_block_rows) = {
    gather_rows,
    scatter_rows,
    {add_rows_f32, add_rows_f64, add_rows_i32, add_rows_i64},
    {choose_rows_f32, choose_rows_f64, choose_rows_i32, choose_rows_i64}};
