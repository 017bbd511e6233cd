/* geometric/kernels/cpu/message_rows.h - loops over the edges of a graph that combine rows of
   operands and reduce them: the table of one CPU level. A slot is an edge as one row of the result
   sees it. */
#ifndef AGNI_MESSAGE_ROWS_H
#define AGNI_MESSAGE_ROWS_H

#include <stdbool.h>
#include <stdint.h>

enum { AGNI_MESSAGE_OPERANDS = 5 };
/* what an edge makes of a and b */
enum {
    AGNI_MESSAGE_COPY, /* a */
    AGNI_MESSAGE_ADD,
    AGNI_MESSAGE_SUB,
    AGNI_MESSAGE_MUL,
    AGNI_MESSAGE_DIV,
    AGNI_MESSAGES
};
enum { AGNI_MESSAGE_SUM, AGNI_MESSAGE_MAX, AGNI_MESSAGE_MIN, AGNI_MESSAGE_REDUCTIONS };

/* Rows of the result are made of blocks of n neighbouring elements. An operand has either elements
   of its own in a block (step 1) or one for all of it (step 0); the result has one where products
   are summed over the block. Integers are i32 or i64, as the graph's. */
typedef struct agni_message_rows {
    const void *begin; /* slots of row i are begin[i] .. begin[i + 1] - 1; NULL: row i has the slot i */
    const void *at[AGNI_MESSAGE_OPERANDS]; /* an operand's row by slot; NULL: the row of the result, or */
    bool along[AGNI_MESSAGE_OPERANDS];     /* the slot itself */
    const void *x[AGNI_MESSAGE_OPERANDS];
    int64_t width[AGNI_MESSAGE_OPERANDS]; /* elements of a row */
    int32_t step[AGNI_MESSAGE_OPERANDS];
    void *y;
    int64_t y_width;
    int32_t y_step;
    int64_t n, blocks;
    const int64_t *shift[AGNI_MESSAGE_OPERANDS + 1]; /* where a block begins in each operand, in y */
} agni_message_rows;

/* rows [lo, hi) of the result; each element is reduced in the order of the slots */
typedef void agni_message_fn(const agni_message_rows *q, int64_t lo, int64_t hi);
typedef struct agni_message_kernels {
    agni_message_fn *reduce[AGNI_MESSAGES][AGNI_MESSAGE_REDUCTIONS]; /* f(a, b) */
    agni_message_fn *dot;                                            /* a b, summed over blocks too */
    agni_message_fn *tie[AGNI_MESSAGES]; /* p q where f(a, b) = y, of operands y, a, b, p, q */
} agni_message_kernels;
/* by width of the integers (i32, i64) and dtype (f32, f64, i32, i64) */
typedef const agni_message_kernels agni_message_table[2][4];
extern agni_message_table agni_messages_base, agni_messages_avx2, agni_messages_avx512;

#endif
