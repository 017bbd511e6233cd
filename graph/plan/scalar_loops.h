/* graph/plan/scalar_loops.h - steps on few numbers as loops over places known beforehand. */
#ifndef AGNI_FEW_H
#define AGNI_FEW_H

#include "graph/memory/plan.h"
#include "tensor/rows/elementwise.h"

typedef struct agni_few_at {
    int32_t root, offset; /* in bytes */
    int32_t step;         /* in elements */
} agni_few_at;

/* n elements: those of the result, then of the operands */
typedef struct agni_few {
    int32_t kind, n;
    agni_few_at at[4];
    agni_loop *loop; /* of a kind that has none of its own */
    const int64_t *ints;
} agni_few;

/* Writes down the loops of each such step, those of neighbours one behind the other. */
agn_status agni_plan_few(agni_plan *p);
void agni_few_run(const agni_few *q, int32_t n, char *const *base);

#endif
