/* sparse/ops/elementwise.c - functions of one sparse argument, element by element. A position
   without an entry is 0, so f must keep 0: then it is applied to the entries. */
#include "sparse/ops/ops.h"

#include <agnesi/ag.h>

/* rows that do not take every dtype, and the functions that do */
static const struct {
    const agni_op *op;
    const agn_tensor *(*f)(agn_scope *s, const agn_tensor *x);
} by_parts[] = {{&agni_op_expm1, ag_expm1}, {&agni_op_log1p, ag_log1p}, {&agni_op_imag, ag_imag},
              {&agni_op_sign, ag_sign}};

const agn_tensor *agni_sparse_map(agn_scope *s, const agni_call *c)
{
    const agn_tensor *a = c->in[0];
    if (a->layout == AGN_COO)
        a = agni_as_coo(s, c->op->name, a);
    const agn_tensor *v = a ? agni_values_of(a) : NULL;
    const agn_tensor *(*f)(agn_scope *, const agn_tensor *) = NULL;
    for (int i = 0; i < AGNI_COUNT(by_parts); i++)
        if (by_parts[i].op == c->op)
            f = by_parts[i].f;
    if (v)
        v = f ? f(s, v) : agni_apply_in(s, c->op, c->at, 1, &v);
    return v ? agni_with_values_in(s, c->op->name, a, v) : NULL;
}

/* ---- does f keep 0? --------------------------------------------------------------------- */

/* 0-D numbers on the host */
bool agni_scalar_is_zero(agn_scope *s, const agn_tensor *x)
{
    const agn_tensor *z = x ? agni_cast(s, x, AGN_C128) : NULL;
    const double *v = z && z->st ? z->data : NULL;
    return v && v[0] == 0 && v[1] == 0;
}

const agn_tensor *agni_fail_would_fill(agn_scope *s, const agni_call *c)
{
    bool second = c->in[0]->layout == AGN_DENSE;
    return agni_fail_null(s,
                          agni_fail(AGN_EUNSUPPORTED,
                                    "%s: places without entries would not stay 0: %s %s is sparse; "
                                    "sparse_to_dense makes it dense",
                                    c->op->name, agni_dtypes[c->in[second]->dtype].name,
                                    AGNI_SHAPE(c->in[second])));
}

/* functions with a parameter, such as the order of a Bessel function, which decides whether f keeps
   0 */
const agn_tensor *agni_sparse_map_of_order(agn_scope *s, const agni_call *c)
{
    const agn_tensor *zero = agni_full(s, 0, c->in[0]->dtype, 0, NULL);
    if (agni_scalar_is_zero(s, zero ? agni_apply_in(s, c->op, c->at, 1, &zero) : NULL))
        return agni_sparse_map(s, c);
    return agn_scope_status(s) ? NULL : agni_fail_would_fill(s, c);
}
