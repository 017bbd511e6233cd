/* sparse/ops/where.c - where on sparse operands: over the union of the entries of the condition and
   of both choices, on values brought into its order. Also x at the entries of a sparse mask. */
#include "sparse/ops/ops.h"

#include <agnesi/ag.h>
#include <agnesi/sparse_layout.h>

static bool is_number(const agn_tensor *x)
{
    return x->layout == AGN_DENSE && x->size == 1;
}

/* integer zeros at the entries of a: sums of such tensors have the union of their entries */
static const agn_tensor *zeros_at_entries(agn_scope *s, const char *op, const agn_tensor *a)
{
    const agn_tensor *v = agni_values_of(a), *x = agni_full(s, 0, AGN_I32, v->ndim, v->shape);
    return x ? agni_with_values_in(s, op, a, x) : NULL;
}

/* x at the entries of p: 0 where a sparse x has none, a number as it is */
static const agn_tensor *values_at(agn_scope *s, const char *op, const agn_tensor *x,
                                   const agn_tensor *p)
{
    if (is_number(x))
        return x->ndim ? agni_reshape(s, x, 0, NULL) : x;
    if (x->layout != AGN_DENSE)
        return agni_values_at(s, op, x, agni_coo_of(p)->places);
    x = ag_sparse_mask_as(s, agni_broadcast(s, x, p->ndim, p->shape), p);
    return x ? agni_values_of(x) : NULL;
}

static const agn_tensor *where_dense(agn_scope *s, const agni_call *c)
{
    const agn_tensor *in[3];
    for (int i = 0; i < 3; i++)
        if (!(in[i] = agni_as_dense(s, c->op->name, c->in[i])))
            return NULL;
    return agni_apply_in(s, c->op, c->at, 3, in);
}

static const agn_tensor *would_fill(agn_scope *s, const agni_call *c)
{
    return agni_fail_null(
        s, agni_fail(AGN_EUNSUPPORTED,
                     "where: places without entries would not stay 0: %s, %s and %s; "
                     "sparse_to_dense makes them dense",
                     AGNI_SHAPE(c->in[0]), AGNI_SHAPE(c->in[1]), AGNI_SHAPE(c->in[2])));
}

/* the three in one shape: sparse ones repeated, with coordinates for every axis */
static bool broadcast_operands(agn_scope *s, const char *op, const agni_call *c,
                               const agn_tensor **in)
{
    agni_meta m = {.ndim = 0};
    for (int i = 0; i < 3; i++)
        if (!agni_broadcast_into(&m, c->in[i]->ndim, c->in[i]->shape)) {
            agni_fail_null(s, agni_fail(AGN_ESHAPE, "%s: shapes do not broadcast: %s, %s and %s",
                                        op, AGNI_SHAPE(c->in[0]), AGNI_SHAPE(c->in[1]),
                                        AGNI_SHAPE(c->in[2])));
            return false;
        }
    for (int i = 0; i < 3; i++) {
        in[i] = c->in[i];
        if (in[i]->layout != AGN_DENSE && (in[i] = agni_broadcast(s, in[i], m.ndim, m.shape)))
            in[i] = agni_as_pure_coo(s, op, in[i]);
        if (!in[i])
            return false;
    }
    return true;
}

/* May x be chosen where nothing is stored? Then it must be sparse, or 0. */
static bool fills_absent(agn_scope *s, const agn_tensor *x)
{
    return x->layout == AGN_DENSE &&
           !(is_number(x) && x->st && agni_scalar_is_zero(s, agni_detach_node(s, "where", x)));
}

const agn_tensor *agni_sparse_where(agn_scope *s, const agni_call *c)
{
    static const char op[] = "where";
    const agn_tensor *cond = c->in[0], *p = NULL;
    int layout = -1;
    agni_promotion mix = {-1, -1};
    bool known = cond->layout != AGN_DENSE; /* that it is false where nothing is stored */
    if (fills_absent(s, c->in[2]) || (!known && fills_absent(s, c->in[1]))) {
        bool whole = is_number(c->in[2]) && (known || is_number(c->in[1]));
        return whole || agn_scope_status(s) ? would_fill(s, c) : where_dense(s, c);
    }
    const agn_tensor *v[3], *in[3]; /* the condition is bool: agn_where sees to it */
    if (!broadcast_operands(s, op, c, in))
        return NULL;
    for (int i = 0; i < 3; i++) {
        if (i)
            agni_promotion_add(&mix, c->in[i]);
        /* entries of the first where the condition has none do not count */
        if (in[i]->layout == AGN_DENSE || (i == 1 && known))
            continue;
        layout = layout < 0 ? c->in[i]->layout : layout;
        const agn_tensor *x = zeros_at_entries(s, op, in[i]);
        p = p && x ? ag_add(s, p, x) : x;
        if (!p)
            return NULL;
    }
    for (int i = 0; i < 3; i++) {
        const agn_tensor *x = i ? agni_cast(s, in[i], agni_promotion_dtype(&mix)) : in[i];
        if (!(v[i] = x ? values_at(s, op, x, p) : NULL))
            return NULL;
    }
    const agn_tensor *y = agni_apply_in(s, &agni_op_where, NULL, 3, v);
    return y ? agni_restore_layout(
                   s, op, agni_coo_new_in(s, op, agni_coo_of(p)->places, y, agni_coo_of(p)->dense),
                   layout)
             : NULL;
}

const agn_tensor *agni_sparse_masked(agn_scope *s, const char *op, const agn_tensor *x,
                                     const agn_tensor *mask)
{
    x = agni_as_coo(s, op, x);
    mask = agni_as_coo(s, op, mask);
    if (!x || !mask || !agni_sparse_align(s, op, &x, &mask))
        return NULL;
    const agni_coordinates *p = agni_coo_of(mask)->places;
    const agn_tensor *v = agni_values_at(s, op, x, p);
    return v ? agni_coo_new_in(s, op, p, v, agni_coo_of(mask)->dense) : NULL;
}
