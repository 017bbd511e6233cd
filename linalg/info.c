/* linalg/info.c - forms of factorisations that go on with a batch after a failure and tell where it
   was. A matrix that fails is replaced by the identity, whose result is replaced by NaN: what
   succeeds has its value and derivatives. Each is factored once. */
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
    st = st ? st : agni_infer_same(c);
    c->meta[1].dtype = AGN_I32;
    c->meta[1].ndim = st ? 0 : a->ndim - 2;
    memcpy(c->meta[1].shape, a->shape, (size_t)c->meta[1].ndim * sizeof *a->shape);
    return st;
}

static agni_slots slots;
const agni_op agni_op_linalg_cholesky_info = {
    .name = "linalg_cholesky_info",
    .takes = "a upper:b",
    .cls = AGNI_SOLVE,
    .nin = 1,
    .nout = 2,
    .dtypes = AGNI_FIELDS,
    .diff = 1,
    .promote = 1,
    .ew = -1,
    .infer = infer_info,
    .cpu = agni_cpu_cholesky_info,
    .jvp = agni_cholesky_info_jvp,
    .batch = agni_batch_front,
    .slots = &slots,
    .lo = -2,
    .hi = 2,
    .doc = "Cholesky factor, or the identity, and where there is none"};

/* [..., 1, 1] of [...] */
static const agn_tensor *over_matrices(agn_scope *s, const agn_tensor *x)
{
    return ag_expand_dims(s, ag_expand_dims(s, x, -1), -1);
}

/* is it so that code is 0? */
static const agn_tensor *code_is_zero(agn_scope *s, const agn_tensor *code)
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

/* which matrices have no number that is not finite; the code of the others is -1 */
static const agn_tensor *find_finite(agn_scope *s, const agn_tensor *x)
{
    return ag_all(s, ag_isfinite(s, ag_stop_gradient(s, x)), (const int32_t[]){-2, -1}, 2, false);
}
static const agn_tensor *mark_not_finite(agn_scope *s, const agn_tensor *finite,
                                         const agn_tensor *code)
{
    return ag_where(s, finite, code, code ? agni_full_like(s, -1, code) : NULL);
}

/* 1 + the first number of d that is 0, else 0 */
static const agn_tensor *first_zero(agn_scope *s, const agn_tensor *d)
{
    const int32_t last = -1;
    if (!d)
        return NULL;
    if (d->shape[d->ndim - 1] == 0)
        return ag_cast(s, ag_count_nonzero(s, d, &last, 1, false), AGN_I32);
    const agn_tensor *none = ag_cast(s, code_is_zero(s, d), AGN_I32);
    const agn_tensor *first = ag_add_c(s, ag_argmax(s, none, -1, false), 1);
    return ag_mul(s, ag_cast(s, first, AGN_I32), ag_amax(s, none, &last, 1, false));
}

static agn_status return_with_info(const char *op, agn_scope *s, agn_tensor **out,
                                   agn_tensor **info, const agn_tensor *y, const agn_tensor *code)
{
    agn_scope_return(s, out, y);
    agn_scope_return(s, info, code);
    return agni_rename_error(op, agn_scope_close(s));
}

agn_status agn_linalg_cholesky_ex(agn_tensor **out, agn_tensor **info, const agn_tensor *a,
                                  bool upper)
{
    static const char op[] = "linalg_cholesky_ex";
    AGNI_NEED(op, out);
    AGNI_NEED(op, info);
    AGNI_NEED(op, a);
    agn_status st = agni_need_square(op, a);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x = agni_as_field(s, a), *f[2] = {NULL};
    if (x)
        agni_apply_many_in(s, &agni_op_linalg_cholesky_info,
                           &(agni_attr){.ni = 1, .i = (const int64_t[]){upper}}, 1, &x, 2, f);
    return return_with_info(op, s, out, info, spoil_bad(s, code_is_zero(s, f[1]), f[0]), f[1]);
}

/* a y = b by one factor, NaN where there is none; the code of that in *code */
static const agn_tensor *solve_going_on(agn_scope *s, const agn_tensor *x, const agn_tensor *y,
                                        const agn_tensor **code)
{
    const agn_tensor *f[4] = {NULL};
    if (!x || !y || !agni_apply_many_in(s, &agni_op_linalg_lu_info, NULL, 1, &x, 3, f))
        return NULL;
    *code = f[2];
    const agn_tensor *good = code_is_zero(s, *code);
    f[2] = keep_good(s, good, x);
    f[3] = y;
    const int64_t plain = 0;
    const agn_tensor *z = f[2] ? agni_apply_in(s, &agni_op_linalg_lu_solve,
                                               &(agni_attr){.ni = 1, .i = &plain}, 4, f)
                               : NULL;
    return spoil_bad(s, good, z);
}

agn_status agn_linalg_solve_ex(agn_tensor **out, agn_tensor **info, const agn_tensor *a,
                               const agn_tensor *b)
{
    static const char op[] = "linalg_solve_ex";
    AGNI_NEED(op, out);
    AGNI_NEED(op, info);
    AGNI_NEED(op, a);
    AGNI_NEED(op, b);
    agn_status st = agni_need_square(op, a);
    if (st)
        return st;
    if (b->layout != AGN_DENSE)
        return agni_fail(AGN_EUNSUPPORTED, "%s: b is sparse, a dense one is needed: %s", op,
                         AGNI_SHAPE(b));
    /* cast before a is factored: an f32 factor does not solve an f64 system */
    int p = agni_promote(a->dtype, b->dtype),
        w = agni_kind(p) <= AGNI_KIND_INT ? AGN_F64 : agni_dtypes[p].wide;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x = ag_cast(s, a, (agn_dtype)w), *code = NULL;
    const agn_tensor *y = ag_cast(s, b->ndim == 1 ? ag_expand_dims(s, b, -1) : b, (agn_dtype)w);
    y = solve_going_on(s, x, y, &code);
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
    const agn_tensor *x = agni_as_field(s, a), *code = NULL;
    const agn_tensor *y = solve_going_on(s, x, agni_identity_like(s, x), &code);
    return return_with_info(op, s, out, info, y, code);
}

agn_status agn_linalg_lu_factor_ex(agn_tensor **lu, agn_tensor **perm, agn_tensor **info,
                                   const agn_tensor *a)
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
    const agn_tensor *x = agni_as_field(s, a), *f[2] = {NULL};
    const agn_tensor *finite = find_finite(s, x);
    x = keep_good(s, finite, x);
    if (x)
        agni_apply_many_in(s, &agni_op_linalg_lu, NULL, 1, &x, 2, f);
    const agn_tensor *code = first_zero(s, ag_diagonal(s, ag_stop_gradient(s, f[0]), 0, -2, -1));
    code = mark_not_finite(s, finite, code);
    agn_scope_return(s, perm, f[1]);
    return return_with_info(op, s, lu, info, spoil_bad(s, finite, f[0]), code);
}

agn_status agn_linalg_ldl_factor_ex(agn_tensor **l, agn_tensor **d, agn_tensor **perm,
                                    agn_tensor **info, const agn_tensor *a, bool upper,
                                    bool hermitian)
{
    static const char op[] = "linalg_ldl_factor_ex";
    AGNI_NEED(op, l);
    AGNI_NEED(op, d);
    AGNI_NEED(op, perm);
    AGNI_NEED(op, info);
    AGNI_NEED(op, a);
    agn_status st = agni_need_square(op, a);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x = agni_as_field(s, a), *f[3] = {NULL};
    x = upper ? ag_triu(s, x, 0) : ag_tril(s, x, 0); /* the other triangle may hold anything */
    const int32_t last = -1;
    const agn_tensor *finite = find_finite(s, x);
    x = keep_good(s, finite, x);
    if (x)
        agni_apply_many_in(s, &agni_op_linalg_ldl,
                           &(agni_attr){.ni = 2, .i = (const int64_t[]){upper, hermitian}}, 1, &x,
                           3, f);
    const agn_tensor *size = ag_abs(s, ag_stop_gradient(s, f[1]));
    const agn_tensor *code = first_zero(s, ag_sum(s, size, &last, 1, false));
    code = mark_not_finite(s, finite, code);
    agn_scope_return(s, d, spoil_bad(s, finite, f[1]));
    agn_scope_return(s, perm, f[2]);
    return return_with_info(op, s, l, info, spoil_bad(s, finite, f[0]), code);
}
