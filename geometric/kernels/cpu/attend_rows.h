/* geometric/kernels/cpu/attend_rows.h - attention over the edges of a graph without an array of
   scores: the loops of one CPU level. */
#ifndef AGNI_ATTEND_ROWS_H
#define AGNI_ATTEND_ROWS_H

#include <stdbool.h>
#include <stdint.h>

/* The rows of one side are near, those at the other ends of their edges far. A score is phi(near
   + far) with phi(v) = v above 0, else slope v; its weight is exp(score - norm), norm of the
   destination. */
typedef struct agni_attend_rows {
    const void *begin, *other; /* integers of the graph: edges of near row i, and where they lead */
    const void *near, *far;    /* [rows, heads] */
    const void *norm;          /* [rows, heads] at the far side, else the near one */
    bool norm_is_far;
    const void *x; /* [far rows, heads, width] */
    const void *z; /* [near rows, heads, width] to contract with, or NULL */
    void *y;       /* [near rows, heads, width], [near rows, heads] where z is given */
    int64_t heads, width;
    double slope;
    int power; /* weights times phi' to this power */
} agni_attend_rows;

typedef void agni_attend_fn(const agni_attend_rows *q, int64_t lo, int64_t hi);
typedef struct agni_attend_kernels {
    agni_attend_fn *weigh; /* sums of weights times far rows */
    agni_attend_fn
        *norm; /* log of the sum of exponentials of the scores of a row; 0 without edges */
} agni_attend_kernels;
/* by width of the integers (i32, i64) and dtype (f32, f64) */
typedef const agni_attend_kernels agni_attend_table[2][2];
extern agni_attend_table agni_attention_base, agni_attention_avx2, agni_attention_avx512;

#endif
