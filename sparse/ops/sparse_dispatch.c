/* sparse/ops/sparse_dispatch.c - the table from ops to their functions on sparse operands; an
   element-wise op needs no row. Dispatch comes here when an argument is sparse (registry/op_table.c
   ties the two). A result has the layout of the first sparse operand where it can. */
#include "sparse/ops/ops.h"

#include <string.h>

static const struct {
    const agni_op *op;
    agni_sparse_fn *f;
} rows[] = {
    {&agni_op_cast, agni_sparse_map},
    {&agni_op_copy, agni_sparse_map},
    {&agni_op_stop_gradient, agni_sparse_map},
    {&agni_op_bessel_i, agni_sparse_map_of_order},
    {&agni_op_bessel_ie, agni_sparse_map_of_order},
    {&agni_op_sum, agni_sparse_sum},
    {&agni_op_max, agni_sparse_extreme},
    {&agni_op_min, agni_sparse_extreme},
    {&agni_op_amax, agni_sparse_extreme},
    {&agni_op_amin, agni_sparse_extreme},
    {&agni_op_permute, agni_sparse_permute},
    {&agni_op_reshape, agni_sparse_reshape},
    {&agni_op_broadcast_to, agni_sparse_broadcast},
    {&agni_op_slice, agni_sparse_slice},
    {&agni_op_unslice, agni_sparse_unslice},
    {&agni_op_concat, agni_sparse_concat},
    {&agni_op_gather, agni_sparse_gather_slices},
    {&agni_op_matmul, agni_sparse_product},
    {&agni_op_where, agni_sparse_where},
    {&agni_op_watch, agni_sparse_watch},
};

/* a leaf of the values, on the pattern of a */
const agn_tensor *agni_sparse_watch(agn_scope *s, const agni_call *c)
{
    agn_tensor *v = NULL;
    agn_status st = agni_make_leaf(&v, agni_values_of(c->in[0]));
    const agn_tensor *leaf = agn_scope_adopt(s, st, &v);
    return leaf ? agni_with_values_in(s, "watch", c->in[0], leaf) : NULL;
}

agn_status agni_sparse_revalue(agn_tensor **out, const char *op, const agn_tensor *like,
                               const agn_tensor *values)
{
    agn_scope *s = agn_scope_open(NULL);
    return agni_return(op, s, out, agni_with_values_in(s, op, like, values));
}

static agni_sparse_fn *find_sparse_rule(const agni_op *op)
{
    for (int i = 0; i < AGNI_COUNT(rows); i++)
        if (rows[i].op == op)
            return rows[i].f;
    if (op->ew < 0)
        return NULL;
    if (op->nin == 1)
        return op->zero ? agni_sparse_map : NULL;
    return op->nin == 2 ? agni_sparse_zip : NULL;
}

bool agni_sparse_takes(const agni_op *op)
{
    return find_sparse_rule(op) != NULL;
}

static agn_status fail_unsupported(const agni_op *op, int i, const agn_tensor *x)
{
    if (op->ew >= 0 && op->nin == 1)
        return agni_fail(AGN_EUNSUPPORTED,
                         "%s: argument %d is sparse, a dense one is needed: 0 does not stay 0, so "
                         "%s %s would fill up",
                         op->name, i, agni_dtypes[x->dtype].name, AGNI_SHAPE(x));
    return agni_fail(AGN_EUNSUPPORTED, "%s: argument %d is sparse, a dense one is needed", op->name,
                     i);
}

agn_status agni_sparse_apply(const agni_op *op, const agni_attr *at, int nin,
                             const agn_tensor *const *in, int nout, agn_tensor **out)
{
    agni_sparse_fn *f = find_sparse_rule(op);
    int first = 0;
    while (in[first]->layout == AGN_DENSE)
        first++;
    if (!f || nout != 1)
        return fail_unsupported(op, first, in[first]);
    agni_call c = {op, at, nin, nout, in, NULL};
    agn_scope *s = agn_scope_open(NULL);
    agn_tensor *y = NULL;
    const agn_tensor *z = agn_scope_status(s) ? NULL : f(s, &c);
    if (!z && !agn_scope_status(s))
        agn_scope_fail(s, agni_nomem(op->name, sizeof *z));
    agn_scope_return(s, &y, z);
    agn_status st = agni_rename_error(op->name, agn_scope_close(s));
    if (!st)
        out[0] = y;
    return st;
}
