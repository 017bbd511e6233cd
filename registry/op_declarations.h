/* registry/op_declarations.h - declares the record of every op, agni_op_NAME, from the two lists of
   names: the element-wise rows and registry/ops.def. tensor/dispatch/op.h includes it; no other
   file declares an op. */
#ifndef AGNI_OP_DECLARATIONS_H
#define AGNI_OP_DECLARATIONS_H

#define EW1(c, name, ...) extern const agni_op agni_op_##name;
#include "tensor/rows/ops_alike.h"
#include "tensor/rows/ops.def"
#include "tensor/rows/ops_end.h"
#define OP(name) extern const agni_op agni_op_##name;
#include "registry/ops.def"
#undef OP

#endif
