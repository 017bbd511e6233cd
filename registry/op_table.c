/* registry/op_table.c - the table of all ops, and the table by which dense ops reach sparse ones. A
   module adds its lines to ops.def; lower layers know the tables as extern constants. */
#include "sparse/ops/ops.h"

const agni_op *const agni_ops[] = {
#define EW1(c, name, ...) &agni_op_##name,
#include "tensor/rows/ops_alike.h"
#define OP(name) &agni_op_##name,
#include "tensor/rows/ops.def"
#include "tensor/rows/ops_end.h"
#include "registry/ops.def"
#undef OP
};
const int agni_n_ops = (int)(sizeof agni_ops / sizeof *agni_ops);

const agni_sparse_table agni_sparse = {agni_sparse_takes, agni_sparse_apply, agni_sparse_triangle,
                                       agni_sparse_diagonal, agni_sparse_polar,
                                       agni_sparse_revalue, agni_is_pattern};
