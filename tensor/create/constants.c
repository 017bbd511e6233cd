/* tensor/create/constants.c - constants that bodies of compositions make of numbers alone: they
   follow the device of what they meet */
#include "tensor/create/constants.h"

const agn_tensor *agni_range(agn_scope *s, int64_t n)
{
    agn_tensor *x = NULL;
    if (agn_scope_status(s))
        return NULL;
    agn_status st = agn_arange(&x, AGN_I64, 0, (double)n, 1);
    return agni_adopt_constant(s, st, x);
}

const agn_tensor *agn_scope_adopt_constant(agn_scope *s, agn_status st, agn_tensor *const *t)
{
    agn_tensor *x = !st && t ? *t : NULL;
    if (x && !x->weak && x->st && x->st->device == AGN_CPU) /* literals are everywhere as it is */
        x->uncommitted = true;
    return agn_scope_adopt(s, st, t);
}

const agn_tensor *agni_put_beside(agn_scope *s, const agn_tensor *y, const agn_tensor *x)
{
    agn_tensor *z = NULL;
    if (!x || !y || agn_scope_status(s))
        return NULL;
    if (!x->st || x->uncommitted)
        return y;
    agn_status st = agni_copy_to_device(&z, y, x->st->device);
    return agn_scope_adopt(s, st, &z);
}

const agn_tensor *agni_eye_beside(agn_scope *s, int64_t rows, int64_t cols, const agn_tensor *x)
{
    agn_tensor *y = NULL;
    if (!x || agn_scope_status(s))
        return NULL;
    agn_status st = agn_eye(&y, x->dtype, rows, cols, 0);
    return agni_put_beside(s, agni_adopt_constant(s, st, y), x);
}
