/* registry/loop_table.c - what plans for a device ask about loops, which are ops of a room above
   them. */
#include "autograd/loops/scan.h"
#include "graph/plan/device_loop.h"

static bool describe_loop(agni_loop_form *f, const agni_op *op, const agni_attr *at, int n_in)
{
    if (op != &agni_op_scan && op != &agni_op_while)
        return false;
    agni_scan q = agni_scan_describe(op, at, n_in);
    *f = (agni_loop_form){.body = q.p,
                          .n_carried = q.nc,
                          .n_array = q.nx,
                          .length = q.length,
                          .reverse = q.reverse,
                          .open = q.open};
    return true;
}

const agni_loop_table agni_loop_forms = {describe_loop, agni_loop_check_guards};
