/* graph/plan/scalar_loops.h - steps on small arrays as loops over addresses known beforehand. */
#ifndef AGNI_FEW_H
#define AGNI_FEW_H

#include "graph/memory/plan.h"
#include "tensor/rows/elementwise.h"

enum { AGNI_LOOP_OPERANDS = 4 };

typedef struct agni_scalar_operand {
    int32_t buffer, offset; /* in bytes */
    int32_t step, bytes;    /* elements to the next, bytes of one */
} agni_scalar_operand;

/* a loop of the table, or an operation on so wide elements that lie in such a way */
enum {
    FEW_MOVE, FEW_ADD, FEW_SUB, FEW_MUL, FEW_MUL_ADD, FEW_MUL_SUB, FEW_SUB_MUL, FEW_DIV, FEW_NEG,
    FEW_SQUARE, FEW_RECIPROCAL, FEW_WHERE, FEW_LESS, FEW_ISINF, FEW_ISPOSINF, FEW_NOT, FEW_AND,
    FEW_OR, FEW_SUM, FEW_LOOP
};
enum { ANY_STEPS, SIDE_BY_SIDE, FIRST_ONCE, SECOND_ONCE, ONE, WAYS };
enum { KIND_LOOP = 2 * WAYS * FEW_LOOP };
#define KIND(operation, wide, way) (((operation)*2 + (wide)) * WAYS + (way))

/* n elements: those of the result, then of the operands; apart: how many arrays a loop of the table
   has, where one of them does not lie side by side, else 0 */
typedef struct agni_scalar_loop {
    int32_t kind, n, apart;
    agni_scalar_operand at[AGNI_LOOP_OPERANDS];
    agni_loop *loop; /* of a kind that has none of its own */
    const int64_t *ints;
} agni_scalar_loop;

/* Writes down the loops of each such step, those of neighbours one behind the other. */
agn_status agni_plan_scalar_loops(agni_plan *p);
void agni_run_scalar_loops(const agni_scalar_loop *q, int32_t n, char *const *base);

#endif
