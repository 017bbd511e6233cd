/* linalg/info.c - forms of factorisations that go on with a batch after a failure and tell where it was.
   A matrix that fails is replaced by the identity, whose result is replaced by NaN: what succeeds has its
   value and derivatives. */
#include "linalg/linalg.h"
#include "tensor/create/constants.h"

#include <agnesi/ag.h>
#include <agnesi/linalg.h>
#include <math.h>
#include <string.h>

static agn_status infer_info(agni_call *c)
{
    const agn_tensor *a = c->in[0];
    agn_status st = agni_check_square(c->op->name, a);
    c->meta->dtype = AGN_I32;
    c->meta->ndim = st ? 0 : a->ndim - 2;
    memcpy(c->meta->shape, a->shape, (size_t)c->meta->ndim * sizeof *a->shape);
    return st;
}

static agni_slots slots;
const agni_op agni_op_linalg_cholesky_info = {.name = "linalg_cholesky_info",
                                              .takes = "a upper:b",
                                              .cls = AGNI_DISCRETE,
                                              .nin = 1,
                                              .nout = 1,
                                              .dtypes = AGNI_FIELDS,
                                              .promote = 1,
                                              .ew = -1,
                                              .infer = infer_info,
                                              .cpu = agni_cpu_cholesky_info,
                                              .batch = agni_batch_front,
                                              .slots = &slots,
                                              .lo = -2,
                                              .hi = 2,
                                              .doc = "order of the first minor that is not positive"};

/* [..., 1, 1] of [...] */
static const agn_tensor *over_matrices(agn_scope *s, const agn_tensor *x)
{
    return ag_expand_dims(s, ag_expand_dims(s, x, -1), -1);
}

/* is it so that code is 0? */
static const agn_tensor *succeeded(agn_scope *s, const agn_tensor *code)
{
    return code ? ag_eq(s, code, agni_full_like(s, 0, code)) : NULL;
}

/* x where it is good, else the identity */
static const agn_tensor *keep_good(agn_scope *s, const agn_tensor *good, const agn_tensor *x)
{
    if (!x)
        return NULL;
    int64_t n = x->shape[x->ndim - 1];
    return ag_where(s, over_matrices(s, good), x, agni_eye_beside(s, n, n, x));
}

/* y where it is good, else NaN */
static const agn_tensor *spoil_bad(agn_scope *s, const agn_tensor *good, const agn_tensor *y)
{
    return y ? ag_where(s, over_matrices(s, good), y, agni_full_like(s, (double)NAN, y)) : NULL;
}

/* -1 not finite, 1 + the first pivot that is 0, else 0; by the factors of what is finite */
static const agn_tensor *pivot_info(agn_scope *s, const agn_tensor *a)
{
    const agn_tensor *x = ag_stop_gradient(s, a), *f[2] = {NULL};
    const agn_tensor *finite = ag_all(s, ag_isfinite(s, x), (const int32_t[]){-2, -1}, 2, false);
    x = keep_good(s, finite, x);
    if (!x || !agni_apply_many_in(s, &agni_op_linalg_lu, NULL, 1, &x, 2, f))
        return NULL;
    const agn_tensor *info = ag_sum(s, ag_zeros_like(s, ag_cast(s, f[1], AGN_I32)), (const int32_t[]){-1}, 1, false);
    if (x->shape[x->ndim - 1] > 0) {
        const agn_tensor *none = ag_cast(s, succeeded(s, ag_diagonal(s, f[0], 0, -2, -1)), AGN_I32);
        const agn_tensor *first = ag_add_c(s, ag_argmax(s, none, -1, false), 1);
        info = ag_mul(s, ag_cast(s, first, AGN_I32), ag_amax(s, none, (const int32_t[]){-1}, 1, false));
    }
    return ag_where(s, finite, info, info ? agni_full_like(s, -1, info) : NULL);
}

static agn_status return_with_info(const char *op, agn_scope *s, agn_tensor **out, agn_tensor **info,
                                   const agn_tensor *y, const agn_tensor *code)
{
    agn_scope_return(s, out, y);
    agn_scope_return(s, info, code);
    return agni_rename_error(op, agn_scope_close(s));
}

agn_status agn_linalg_cholesky_ex(agn_tensor **out, agn_tensor **info, const agn_tensor *a, bool upper)
{
    static const char op[] = "linalg_cholesky_ex";
    AGNI_NEED(op, out);
    AGNI_NEED(op, info);
    AGNI_NEED(op, a);
    agn_status st = agni_need_square(op, a);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x = agni_as_field(s, a);
    const agn_tensor *code = agni_apply_in(s, &agni_op_linalg_cholesky_info,
                                           &(agni_attr){.ni = 1, .i = (const int64_t[]){upper}}, 1, &x);
    const agn_tensor *good = succeeded(s, code);
    return return_with_info(op, s, out, info, spoil_bad(s, good, ag_linalg_cholesky(s, keep_good(s, good, x), upper)), code);
}

agn_status agn_linalg_solve_ex(agn_tensor **out, agn_tensor **info, const agn_tensor *a, const agn_tensor *b)
{
    static const char op[] = "linalg_solve_ex";
    AGNI_NEED(op, out);
    AGNI_NEED(op, info);
    AGNI_NEED(op, a);
    AGNI_NEED(op, b);
    agn_status st = agni_need_square(op, a);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x = agni_as_field(s, a), *code = pivot_info(s, x), *good = succeeded(s, code);
    const agn_tensor *y = b->ndim == 1 ? ag_expand_dims(s, b, -1) : b;
    y = spoil_bad(s, good, ag_linalg_solve(s, keep_good(s, good, x), y));
    return return_with_info(op, s, out, info, b->ndim == 1 && y ? ag_squeeze(s, y, -1) : y, code);
}

agn_status agn_linalg_inv_ex(agn_tensor **out, agn_tensor **info, const agn_tensor *a)
{
    static const char op[] = "linalg_inv_ex";
    AGNI_NEED(op, out);
    AGNI_NEED(op, info);
    AGNI_NEED(op, a);
    agn_status st = agni_need_square(op, a);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x = agni_as_field(s, a), *code = pivot_info(s, x), *good = succeeded(s, code);
    return return_with_info(op, s, out, info, spoil_bad(s, good, ag_linalg_inv(s, keep_good(s, good, x))), code);
}

agn_status agn_linalg_lu_factor_ex(agn_tensor **lu, agn_tensor **perm, agn_tensor **info, const agn_tensor *a)
{
    static const char op[] = "linalg_lu_factor_ex";
    AGNI_NEED(op, lu);
    AGNI_NEED(op, perm);
    AGNI_NEED(op, info);
    AGNI_NEED(op, a);
    agn_status st = agni_need_square(op, a);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x = agni_as_field(s, a), *code = pivot_info(s, x), *f[2] = {NULL};
    const agn_tensor *finite = code ? ag_ge(s, code, agni_full_like(s, 0, code)) : NULL;
    x = keep_good(s, finite, x);
    if (x)
        agni_apply_many_in(s, &agni_op_linalg_lu, NULL, 1, &x, 2, f);
    agn_scope_return(s, perm, f[1]);
    return return_with_info(op, s, lu, info, spoil_bad(s, finite, f[0]), code);
}
