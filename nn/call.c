/* nn/call.c - the frame of every function of this module: checks, common dtype, reduction,
   errors. */
#include "nn/nn.h"
#include "tensor/dispatch/op_helpers.h"

#include <string.h>

static agn_status check_arguments(const agni_nn *c, agn_tensor *const *out)
{
    if (!out)
        return agni_fail(AGN_ENULL, "%s: out is NULL", c->op);
    for (int i = 0; i < AGNI_NN_ARGS && c->in[i].name; i++) {
        const agn_tensor *x = c->in[i].x;
        int flags = c->in[i].flags;
        if (!x && !(flags & AGNI_NN_OPTIONAL))
            return agni_fail(AGN_ENULL, "%s: %s is NULL", c->op, c->in[i].name);
        if (x && flags & AGNI_NN_WHOLE && agni_kind(x->dtype) != AGNI_KIND_INT)
            return agni_fail(AGN_EDTYPE, "%s: %s is %s %s; integers are needed", c->op,
                             c->in[i].name, agni_dtypes[x->dtype].name, AGNI_SHAPE(x));
        if (x && agni_kind(x->dtype) == AGNI_KIND_COMPLEX)
            return agni_fail(AGN_EDTYPE, "%s: %s is %s %s; real numbers are needed",
                             c->op, c->in[i].name, agni_dtypes[x->dtype].name,
                             AGNI_SHAPE(x));
    }
    if (c->reduction < AGN_NN_MEAN || c->reduction > AGN_NN_BATCHMEAN)
        return agni_fail(AGN_EARG, "%s: there is no reduction %d; there are 0 to %d",
                         c->op, c->reduction, AGN_NN_BATCHMEAN);
    return AGN_OK;
}

/* of the floating arguments; literals and integers follow them, and are f64 alone */
static int common_dtype(const agni_nn *c)
{
    int strong = -1, weak = -1;
    for (int i = 0; i < AGNI_NN_ARGS && c->in[i].name; i++) {
        const agn_tensor *x = c->in[i].x;
        if (!x || agni_kind(x->dtype) != AGNI_KIND_FLOAT)
            continue;
        int *mine = x->weak ? &weak : &strong;
        *mine = *mine < 0 ? x->dtype : agni_promote(*mine, x->dtype);
    }
    return strong >= 0 ? strong : weak >= 0 ? weak : AGN_F64;
}

agn_status agni_nn_open(agni_nn *c, agn_tensor **out)
{
    agn_status st = check_arguments(c, out);
    if (st)
        return st;
    c->dtype = common_dtype(c);
    c->wide = agni_dtypes[c->dtype].wide;
    c->s = agn_scope_open(NULL);
    for (int i = 0; i < AGNI_NN_ARGS && c->in[i].name; i++) {
        const agn_tensor *x = c->in[i].x;
        c->x[i] = !x || c->in[i].flags & AGNI_NN_WHOLE ? x
                                                       : agni_cast(c->s, x, c->wide);
    }
    return AGN_OK;
}

agn_status agni_nn_close(agni_nn *c, agn_tensor **out, const agn_tensor *y)
{
    return agni_nn_done(c, out, y ? agni_cast(c->s, y, c->dtype) : NULL);
}

agn_status agni_nn_done(agni_nn *c, agn_tensor **out, const agn_tensor *y)
{
    agn_scope_return(c->s, out, y);
    return agni_rename_error(c->op, agn_scope_close(c->s));
}

/* ---- shapes ---------------------------------------------------------------------- */

bool agni_nn_axis(agni_nn *c, int i, int32_t axis, int *out)
{
    return !agn_scope_fail(c->s, agni_axis(c->op, axis, c->in[i].x->ndim, out));
}

bool agni_nn_fits(agni_nn *c, int i, int less)
{
    const agn_tensor *x = c->in[0].x, *y = c->in[i].x;
    if (x->ndim < less)
        return !AGNI_NN_FAIL(c, AGN_ESHAPE, "%s: %s is %s; it needs %d axes or more",
                             c->op, c->in[0].name, AGNI_SHAPE(x), less);
    if (!y || i == 0)
        return true;
    int lead = x->ndim - less;
    bool fits = y->ndim <= lead;
    for (int d = 0; fits && d < y->ndim; d++)
        fits = y->shape[d] == 1 || y->shape[d] == x->shape[lead - y->ndim + d];
    return fits || !AGNI_NN_FAIL(c, AGN_ESHAPE, "%s: %s is %s; it must broadcast to %s",
                                 c->op, c->in[i].name, AGNI_SHAPE(y),
                                 agni_shape_text((char[96]){0}, 96, lead, x->shape));
}

bool agni_nn_shaped(agni_nn *c, int i, int ndim, const int64_t *shape)
{
    const agn_tensor *y = c->in[i].x;
    if (!y || (y->ndim == ndim &&
               (!ndim || !memcmp(y->shape, shape, (size_t)ndim * sizeof *shape))))
        return true;
    return !AGNI_NN_FAIL(c, AGN_ESHAPE, "%s: %s is %s; with %s %s it must be %s", c->op,
                         c->in[i].name, AGNI_SHAPE(y), c->in[0].name,
                         AGNI_SHAPE(c->in[0].x),
                         agni_shape_text((char[96]){0}, 96, ndim, shape));
}

const agn_tensor *agni_nn_along(agni_nn *c, int i, int ndim, int axis, int64_t n)
{
    int64_t shape[AGNI_MAX_RANK];
    if (!c->x[i] || !agni_nn_shaped(c, i, 1, &n))
        return NULL;
    for (int d = 0; d < ndim; d++)
        shape[d] = d == axis ? n : 1;
    return agni_reshape(c->s, c->x[i], ndim, shape);
}

/* ---- numbers that name something ------------------------------------------------- */

static agn_status check_values(const char *op, const agn_tensor *idx, const char *name,
                               const char *what, int64_t n)
{
    agn_tensor *wide = NULL;
    size_t bytes = (size_t)idx->size * sizeof(int64_t);
    int64_t *v = agni_alloc(bytes);
    agn_status st = v ? agn_cast(&wide, idx, AGN_I64) : agni_nomem(op, bytes);
    if (!st)
        st = agn_to_host(v, wide, bytes);
    for (int64_t k = 0; !st && k < idx->size; k++)
        if (v[k] < 0 || v[k] >= n)
            st = agni_fail(AGN_EINDEX,
                           "%s: %s %lld at place %lld of %s %s is not in 0 to %lld", op,
                           what, (long long)v[k], (long long)k, name, AGNI_SHAPE(idx),
                           (long long)n - 1);
    agn_release(wide);
    agni_free(v);
    return st;
}

const agn_tensor *agni_nn_in_range(agni_nn *c, const agn_tensor *idx, const char *name,
                                   const char *what, int64_t n)
{
    agn_scope *s = c->s;
    if (!idx)
        return NULL;
    if (!agni_is_symbolic(idx)) {
        agn_scope_fail(s, check_values(c->op, idx, name, what, n));
        return ag_cast(s, idx, AGN_I64);
    }
    /* gather checks when the program runs; it would take -1 for the last one */
    const agn_tensor *i = ag_cast(s, idx, AGN_I64);
    const agn_tensor *low = ag_mul_c(s, ag_cast(s, ag_lt(s, i, ag_lit(s, 0)), AGN_I64),
                                     -1);
    const agn_tensor *at = ag_add(s, i, ag_mul_c(s, low, (double)n));
    return ag_add(s, i, ag_gather(s, agni_full(s, 0, AGN_I64, 1, &n), at, 0));
}

const agn_tensor *agni_nn_checked(agni_nn *c, int i, const char *what, int64_t n)
{
    return agni_nn_in_range(c, c->x[i], c->in[i].name, what, n);
}

const agn_tensor *agni_nn_count(agn_scope *s, int64_t n)
{
    agn_tensor *x = NULL;
    if (agn_scope_status(s))
        return NULL;
    agn_status st = agn_arange(&x, AGN_I64, 0, (double)n, 1);
    return agni_adopt_constant(s, st, x);
}

const agn_tensor *agni_nn_hot(agn_scope *s, const agn_tensor *idx, int64_t n, int dtype)
{
    const agn_tensor *at = ag_expand_dims(s, idx, -1);
    return ag_cast(s, ag_eq(s, at, agni_nn_count(s, n)), dtype);
}

const agn_tensor *agni_nn_pick(agn_scope *s, const agn_tensor *x, const agn_tensor *idx)
{
    return ag_squeeze(s, ag_take_along_axis(s, x, ag_expand_dims(s, idx, -1), -1), -1);
}

/* ---- reductions ------------------------------------------------------------------ */

const agn_tensor *agni_nn_reduce(agni_nn *c, const agn_tensor *loss)
{
    if (!loss || c->reduction == AGN_NN_NONE)
        return loss;
    if (c->reduction == AGN_NN_MEAN)
        return ag_mean_all(c->s, loss);
    const agn_tensor *sum = ag_sum_all(c->s, loss);
    int64_t batch = loss->ndim ? loss->shape[0] : 1;
    return c->reduction == AGN_NN_SUM ? sum : ag_div_c(c->s, sum, (double)batch);
}
