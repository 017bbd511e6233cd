/* graph/plan/scalar_loops.h - steps on small arrays as loops over addresses known beforehand. */
#ifndef AGNI_FEW_H
#define AGNI_FEW_H

#include "graph/memory/plan.h"
#include "tensor/rows/elementwise.h"

typedef struct agni_scalar_operand {
    int32_t buffer, offset; /* in bytes */
    int32_t step;         /* in elements */
} agni_scalar_operand;

/* n elements: those of the result, then of the operands */
typedef struct agni_scalar_loop {
    int32_t kind, n;
    agni_scalar_operand at[4];
    agni_loop *loop; /* of a kind that has none of its own */
    const int64_t *ints;
} agni_scalar_loop;

/* Writes down the loops of each such step, those of neighbours one behind the other. */
agn_status agni_plan_scalar_loops(agni_plan *p);
void agni_run_scalar_loops(const agni_scalar_loop *q, int32_t n, char *const *base);

#endif
