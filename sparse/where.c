/* sparse/where.c - a choice between elements, on entries: the places of the condition and of both
   operands are joined by adding zeros to each, then where chooses among values that stand in the same
   order. Also x at the places of a sparse mask, by the same means. */
#include "sparse/layout.h"

#include <agnesi/ag.h>
#include <agnesi/sparse_layout.h>

extern const agni_op agni_op_logical_and;

static bool number(const agn_tensor *x)
{
    return x->layout == AGN_DENSE && x->size == 1;
}

/* +, and or of bools */
static const agn_tensor *joined(agn_scope *s, const agn_tensor *a, const agn_tensor *b)
{
    if (!a || !b)
        return NULL;
    return a->dtype == AGN_BOOL ? ag_logical_or(s, a, b) : ag_add(s, a, b);
}

/* the entries of a, each v in another dtype */
static const agn_tensor *stamped(agn_scope *s, const char *op, const agn_tensor *a, int dtype,
                                 double v)
{
    const agn_tensor *old = agni_values_of(a);
    const agn_tensor *x = agni_full(s, v, dtype, old->ndim, old->shape);
    return x ? agni_revalued(s, op, a, x) : NULL;
}

/* what is at the places of p: of a sparse x 0 where it has no entry, of a number that number */
static const agn_tensor *at_places(agn_scope *s, const char *op, const agn_tensor *x,
                                   const agn_tensor *p)
{
    if (number(x))
        return x->ndim ? agni_reshape(s, x, 0, NULL) : x;
    if (x->layout == AGN_DENSE)
        x = ag_sparse_mask_as(s, agni_broadcast(s, x, p->ndim, p->shape), p);
    else
        x = joined(s, stamped(s, op, p, x->dtype, 0), x);
    x = x ? agni_as_coo(s, op, x) : NULL;
    return x ? agni_values_of(x) : NULL;
}

static const agn_tensor *densely(agn_scope *s, const agni_call *c)
{
    const agn_tensor *in[3];
    for (int i = 0; i < 3; i++)
        if (!(in[i] = agni_as_dense(s, c->op->name, c->in[i])))
            return NULL;
    return agni_ap(s, c->op, c->at, 3, in);
}

static const agn_tensor *would_fill(agn_scope *s, const agni_call *c)
{
    return agni_refused(s, agni_fail(AGN_EUNSUPPORTED,
                                     "where: places without entries would not stay 0: %s, %s and %s; "
                                     "sparse_to_dense makes them dense",
                                     AGNI_SHAPE(c->in[0]), AGNI_SHAPE(c->in[1]),
                                     AGNI_SHAPE(c->in[2])));
}

/* is the number x 0? while tracing nobody knows */
static bool is_zero(agn_scope *s, const agn_tensor *x)
{
    const agn_tensor *z = agni_cast(s, agni_unrecorded(s, "where", x), AGN_C128);
    const double *v = z && z->st ? z->data : NULL;
    return v && v[0] == 0 && v[1] == 0;
}

/* the three in one shape: sparse ones repeated, with coordinates for every axis */
static bool alike(agn_scope *s, const char *op, const agni_call *c, const agn_tensor **in)
{
    agni_meta m = {.ndim = 0};
    for (int i = 0; i < 3; i++)
        if (!agni_broadcast_into(&m, c->in[i]->ndim, c->in[i]->shape)) {
            agni_refused(s, agni_fail(AGN_ESHAPE, "%s: shapes do not broadcast: %s, %s and %s", op,
                                      AGNI_SHAPE(c->in[0]), AGNI_SHAPE(c->in[1]),
                                      AGNI_SHAPE(c->in[2])));
            return false;
        }
    for (int i = 0; i < 3; i++) {
        in[i] = c->in[i];
        if (in[i]->layout != AGN_DENSE && (in[i] = agni_broadcast(s, in[i], m.ndim, m.shape)))
            in[i] = agni_as_pure(s, op, in[i]);
        if (!in[i])
            return false;
    }
    return true;
}

/* May x be chosen where nothing is stored? Then it must be sparse, or 0. */
static bool fills(agn_scope *s, const agn_tensor *x)
{
    return x->layout == AGN_DENSE && !(number(x) && x->st && is_zero(s, x));
}

const agn_tensor *agni_sparse_where(agn_scope *s, const agni_call *c)
{
    static const char op[] = "where";
    const agn_tensor *cond = c->in[0], *p = NULL;
    int dtype = agni_promote(c->in[1]->dtype, c->in[2]->dtype), layout = -1;
    bool known = cond->layout != AGN_DENSE; /* that it is false where nothing is stored */
    if (fills(s, c->in[2]) || (!known && fills(s, c->in[1]))) {
        bool whole = number(c->in[2]) && (known || number(c->in[1]));
        return whole || agn_scope_status(s) ? would_fill(s, c) : densely(s, c);
    }
    const agn_tensor *v[3], *in[3]; /* the condition is bool: agn_where sees to it */
    if (!alike(s, op, c, in))
        return NULL;
    for (int i = 0; i < 3; i++) {
        if (in[i]->layout == AGN_DENSE || (i == 1 && known))
            continue;
        layout = layout < 0 ? c->in[i]->layout : layout;
        const agn_tensor *x = stamped(s, op, in[i], AGN_I32, 0);
        p = p ? joined(s, p, x) : x;
        if (!p)
            return NULL;
    }
    for (int i = 0; i < 3; i++) {
        const agn_tensor *x = i && in[i]->dtype != dtype ? agni_cast(s, in[i], dtype) : in[i];
        /* entries of the first where the condition has none do not count */
        if (i == 1 && known && x && x->layout != AGN_DENSE)
            x = joined(s, stamped(s, op, p, dtype, 0),
                       agni_ap(s, dtype == AGN_BOOL ? &agni_op_logical_and : &agni_op_mul, NULL, 2,
                               (const agn_tensor *[]){stamped(s, op, p, dtype, 1), x}));
        if (!(v[i] = x ? at_places(s, op, x, p) : NULL))
            return NULL;
    }
    const agn_tensor *y = agni_ap(s, &agni_op_where, NULL, 3, v);
    return y ? agni_like(s, op, agni_coo_made(s, op, agni_coo_of(p)->places, y,
                                              agni_coo_of(p)->dense), layout)
             : NULL;
}

const agn_tensor *agni_sparse_masked(agn_scope *s, const char *op, const agn_tensor *x,
                                     const agn_tensor *mask)
{
    mask = agni_as_coo(s, op, mask);
    const agn_tensor *one = mask ? stamped(s, op, mask, x->dtype, 1) : NULL;
    const agn_tensor *met = one ? agni_ap(s, x->dtype == AGN_BOOL ? &agni_op_logical_and
                                                                  : &agni_op_mul,
                                          NULL, 2, (const agn_tensor *[]){one, x})
                                : NULL;
    return met ? joined(s, stamped(s, op, mask, x->dtype, 0), met) : NULL;
}
