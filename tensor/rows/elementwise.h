/* tensor/rows/elementwise.h - the element-wise rows by number, and their loops by CPU level. */
#ifndef AGNI_ELEMENTWISE_H
#define AGNI_ELEMENTWISE_H

#include "tensor/dispatch/op.h"
#include "tensor/value/coalesce.h"
#include "tensor/rows/row_numbers.h"

/* p[0] is the output, p[1..] the inputs, each of n contiguous elements; at the integer attributes.
   The output equals an input or overlaps none. */
typedef void agni_loop(char *const *p, int64_t n, const int64_t *at);
typedef agni_loop *const agni_loops[AGNI_EW_COUNT][AGN_NDTYPES];
extern agni_loops agni_ew_base, agni_ew_avx2, agni_ew_avx512;
agni_loop *agni_ew_find_loop(int row, int dtype); /* of the CPU level in use; NULL if none */

/* The same with any steps in bytes: operands that are not contiguous are copied in strips. */
void agni_ew_run_strided(agni_loop *loop, int n_op, char *const *p, const int64_t *step,
                    const int *bytes, int64_t n, const int64_t *at);

/* The fast path of rows with one or two operands: agni_op.small. */
bool agni_apply_small_elementwise(const agni_op *op, int nin, const agn_tensor *const *in,
                                  agn_tensor **out, agn_status *st);

/* Runs a row over whole arrays of any strides: operands broadcast to out's shape. */
agn_status agni_ew_run(int row, int dtype, const agn_array *out, int nin,
                       const agn_array *in, const int64_t *at);

#endif
