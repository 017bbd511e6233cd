/* tensor/elementwise.h - the element-wise rows by number, and their loops by CPU level. */
#ifndef AGNI_ELEMENTWISE_H
#define AGNI_ELEMENTWISE_H

#include "tensor/op.h"

enum {
#define EW1(c, name, ...) AGNI_EW_##name,
#include "tensor/ops_alike.h"
#include "tensor/ops.def"
#include "tensor/ops_end.h"
    AGNI_EW_where,
    AGNI_EW_COUNT
};

/* p[0] is the output, p[1..] the inputs, of n elements side by side; at the integer attributes.
   The output equals an input or overlaps none. */
typedef void agni_loop(char *const *p, int64_t n, const int64_t *at);
typedef agni_loop *const agni_loops[AGNI_EW_COUNT][AGN_NDTYPES];
extern agni_loops agni_ew_base, agni_ew_avx2, agni_ew_avx512;
agni_loop *agni_ew_loop(int row, int dtype); /* of the CPU level in use; NULL if none */

/* The same with any steps in bytes between elements: what does not lie side by side passes through
   strips that do. */
void agni_ew_strips(agni_loop *loop, int n_op, char *const *p, const int64_t *step,
                    const int *bytes, int64_t n, const int64_t *at);

/* Runs a row over whole arrays of any strides: operands broadcast to out's shape. */
agn_status agni_ew_run(int row, int dtype, const agn_array *out, int nin,
                       const agn_array *in, const int64_t *at);

#endif
