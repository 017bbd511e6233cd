/* registry/loop_table.c - what plans for a device ask about loops and branches, which are ops of
   rooms above them. */
#include "autograd/control/subprograms.h"
#include "autograd/loops/scan.h"
#include "graph/plan/device_loop.h"

static bool is_loop(const agni_op *op)
{
    return op == &agni_op_scan || op == &agni_op_while;
}
static bool is_branch(const agni_op *op)
{
    return op == &agni_op_cond || op == &agni_op_switch;
}

static int count_bodies(const agni_op *op, const agni_attr *at)
{
    return is_loop(op) ? 1 : is_branch(op) ? agni_subprograms_of(at)->n : 0;
}

static void describe_body(agni_loop_form *f, const agni_op *op, const agni_attr *at, int n_in,
                          int k)
{
    if (is_branch(op)) {
        const agni_subprograms *b = agni_subprograms_of(at);
        *f = (agni_loop_form){.body = b->at[k].p, .length = 1, .branch = k, .n_branch = b->n};
        return;
    }
    agni_scan q = agni_scan_describe(op, at, n_in);
    *f = (agni_loop_form){.body = q.p,
                          .n_carried = q.nc,
                          .n_array = q.nx,
                          .length = q.length,
                          .reverse = q.reverse,
                          .open = q.open};
}

/* the choice comes first */
static int input_of_body(const agni_op *op, const agni_attr *at, int k, int i)
{
    return is_branch(op) ? 1 + agni_subprograms_input_index(agni_subprograms_of(at), k, i - 1) : i;
}

static agn_status check_guards(const agni_op *op, const agni_attr *at)
{
    agn_status st = is_branch(op) ? AGN_OK : agni_loop_check_guards(at);
    for (int k = 0; !st && is_branch(op) && k < agni_subprograms_of(at)->n; k++)
        st = agni_prog_check_guards(agni_subprograms_of(at)->at[k].p);
    return st;
}

const agni_loop_table agni_loop_forms = {count_bodies, describe_body, input_of_body, check_guards};
