/* house/table.c - the one file that sees every room: the list of all ops. A module adds its
   line here; lower layers know the list only as extern arrays. */
#include "tensor/op.h"

#define EW1(c, name, ...) extern const agni_op agni_op_##name;
#define EW1X EW1
#define EW1P EW1
#define EW2 EW1
#define INNER2 EW1
#define LIN1 EW1
#define LIN2 EW1
#define DISC1 EW1
#define DISC1X EW1
#define DISC2 EW1
#define INNERD2 EW1
#define OP(name) extern const agni_op agni_op_##name;
#include "tensor/ops.def"
#include "tensor/ops_end.h"
#include "house/ops.def"
#undef OP

const agni_op *const agni_ops[] = {
#define EW1(c, name, ...) &agni_op_##name,
#define EW1X EW1
#define EW1P EW1
#define EW2 EW1
#define INNER2 EW1
#define LIN1 EW1
#define LIN2 EW1
#define DISC1 EW1
#define DISC1X EW1
#define DISC2 EW1
#define INNERD2 EW1
#define OP(name) &agni_op_##name,
#include "tensor/ops.def"
#include "tensor/ops_end.h"
#include "house/ops.def"
#undef OP
};
const int agni_n_ops = (int)(sizeof agni_ops / sizeof *agni_ops);
