/* linalg/orthogonal/reflectors.c - QR as LAPACK stores it, applied, of tall matrices by blocks of
   rows (Demmel et al. 2012), and as a choice of columns (Cheng et al. 2005); blocks of unitary
   matrices by cosines and sines; balancing. */
#include "linalg/linalg.h"

#include <agnesi/ag.h>
#include <agnesi/linalg.h>
#include <string.h>

/* ---- records ---------------------------------------------------------------------- */

static int real_partner(int dtype)
{
    return dtype == AGN_C64 ? AGN_F32 : dtype == AGN_C128 ? AGN_F64 : dtype;
}

static agn_status infer_geqrf(agni_call *c)
{
    const agn_tensor *a = c->in[0];
    agn_status st = agni_check_matrix(c->op->name, a);
    st = st ? st : agni_infer_same(c);
    if (!st) {
        int64_t m = a->shape[a->ndim - 2], n = a->shape[a->ndim - 1];
        c->meta[1] = c->meta[0];
        c->meta[1].ndim--;
        c->meta[1].shape[a->ndim - 2] = m < n ? m : n;
    }
    return st;
}

static agn_status infer_balance(agni_call *c)
{
    agn_status st = agni_check_square(c->op->name, c->in[0]);
    st = st ? st : agni_infer_same(c);
    if (!st) {
        c->meta[0].ndim--;
        c->meta[1] = c->meta[0];
        c->meta[0].dtype = real_partner(c->meta[0].dtype);
        c->meta[1].dtype = AGN_I64;
    }
    return st;
}

static agn_status infer_cossin(agni_call *c)
{
    const agn_tensor *x = c->in[0];
    agn_status st = agni_check_square(c->op->name, x);
    st = st ? st : agni_infer_same(c);
    if (st)
        return st;
    int64_t m = x->shape[x->ndim - 1], p = c->at->i[0], q = c->at->i[1];
    if (p < 0 || p > m || q < 0 || q > m)
        return agni_fail(AGN_EARG, "%s: blocks of %lld rows and %lld columns, x is %s", c->op->name,
                         (long long)p, (long long)q, AGNI_SHAPE(x));
    const int64_t order[] = {p, m - p, 0, q, m - q};
    agni_meta *o = c->meta, first = *o;
    int nd = first.ndim;
    for (int k = 0; k < 5; k++) {
        o[k] = first;
        o[k].shape[nd - 2] = o[k].shape[nd - 1] = order[k];
    }
    int64_t least = p < m - p ? p : m - p, other = q < m - q ? q : m - q;
    o[2].ndim--;
    o[2].dtype = real_partner(first.dtype);
    o[2].shape[nd - 2] = least < other ? least : other;
    return AGN_OK;
}

static void refuse_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                       const agn_tensor **ty)
{
    (void)t, (void)ty;
    agn_scope_fail(
        s, agni_fail(AGN_EUNSUPPORTED,
                     "%s: no derivative of the factors of %s: linalg_qr and linalg_svd have one",
                     r->op->name, AGNI_SHAPE(r->x[0])));
}

static agni_slots slots[3];
#define RECORD(op, text_in, class_, outs, mask, rule, number, text) \
    const agni_op agni_op_linalg_##op = {.name = "linalg_" #op,    \
                                         .takes = text_in,         \
                                         .cls = class_,            \
                                         .nin = 1,                 \
                                         .nout = outs,             \
                                         .dtypes = AGNI_FIELDS,    \
                                         .diff = mask,             \
                                         .promote = 1,             \
                                         .ew = -1,                 \
                                         .infer = infer_##op,      \
                                         .cpu = agni_cpu_##op,     \
                                         .jvp = rule,              \
                                         .batch = agni_batch_front, \
                                         .slots = &slots[number],  \
                                         .lo = -2,                 \
                                         .hi = 2,                  \
                                         .doc = text}
RECORD(geqrf, "a", AGNI_SOLVE, 2, 1, refuse_jvp, 0,
       "QR as LAPACK stores it: reflectors below r, and their factors");
RECORD(cossin, "x p:i q:i", AGNI_SOLVE, 5, 1, refuse_jvp, 1,
       "blocks of a unitary matrix by cosines and sines");
RECORD(balance, "a", AGNI_DISCRETE, 2, 0, NULL, 2,
       "scales and order that bring rows and columns to like norms");

/* ---- factors ------------------------------------------------------------------------ */

agn_status agn_linalg_geqrf(agn_tensor **packed, agn_tensor **tau, const agn_tensor *a)
{
    AGNI_NEED("linalg_geqrf", packed);
    AGNI_NEED("linalg_geqrf", tau);
    AGNI_NEED("linalg_geqrf", a);
    agn_tensor *y[2] = {NULL};
    agn_status st = agni_apply(&agni_op_linalg_geqrf, NULL, 1, &a, 2, y);
    if (st)
        return st;
    *packed = y[0];
    *tau = y[1];
    return AGN_OK;
}

agn_status agn_linalg_cossin(agn_tensor **u1, agn_tensor **u2, agn_tensor **theta, agn_tensor **v1h,
                             agn_tensor **v2h, const agn_tensor *x, int64_t p, int64_t q)
{
    static const char op[] = "linalg_cossin";
    AGNI_NEED(op, u1);
    AGNI_NEED(op, u2);
    AGNI_NEED(op, theta);
    AGNI_NEED(op, v1h);
    AGNI_NEED(op, v2h);
    AGNI_NEED(op, x);
    agn_tensor *y[5] = {NULL}, **const to[5] = {u1, u2, theta, v1h, v2h};
    agn_status st = agni_apply(&agni_op_linalg_cossin,
                               &(agni_attr){.ni = 2, .i = (const int64_t[]){p, q}}, 1, &x, 5, y);
    for (int k = 0; !st && k < 5; k++)
        *to[k] = y[k];
    return st;
}

/* rows (axis -2) or columns (-1) of x in the order perm [..., n] */
static const agn_tensor *take_order(agn_scope *s, const agn_tensor *x, const agn_tensor *perm,
                                    int axis)
{
    if (!x || !perm)
        return NULL;
    return ag_take_along_axis(
        s, x, ag_broadcast_to(s, ag_expand_dims(s, perm, axis == -2 ? -1 : -2), x->ndim, x->shape),
        axis);
}

agn_status agn_linalg_balance(agn_tensor **out, agn_tensor **scale, agn_tensor **perm,
                              const agn_tensor *a)
{
    static const char op[] = "linalg_balance";
    AGNI_NEED(op, out);
    AGNI_NEED(op, scale);
    AGNI_NEED(op, perm);
    AGNI_NEED(op, a);
    agn_status st = agni_need_square(op, a);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x = agni_as_field(s, a), *y[2] = {NULL};
    if (x && agni_apply_many_in(s, &agni_op_linalg_balance, NULL, 1, &x, 2, y)) {
        x = take_order(s, take_order(s, x, y[1], -2), y[1], -1);
        x = ag_div(s, ag_mul(s, x, ag_expand_dims(s, y[0], -2)), ag_expand_dims(s, y[0], -1));
    }
    agn_scope_return(s, out, x);
    agn_scope_return(s, scale, y[0]);
    agn_scope_return(s, perm, y[1]);
    return agni_rename_error(op, agn_scope_close(s));
}

/* ---- compositions of QR --------------------------------------------------------------- */

static bool factor_qr(agn_scope *s, const agn_tensor *x, bool complete, const agn_tensor **f)
{
    f[0] = f[1] = NULL;
    return x &&
           agni_apply_many_in(s, &agni_op_linalg_qr,
                              &(agni_attr){.ni = 1, .i = (const int64_t[]){complete}}, 1, &x, 2, f);
}

agn_status agn_linalg_qr_multiply(agn_tensor **out, agn_tensor **r, const agn_tensor *a,
                                  const agn_tensor *c, bool left, bool adjoint)
{
    static const char op[] = "linalg_qr_multiply";
    AGNI_NEED(op, out);
    AGNI_NEED(op, r);
    AGNI_NEED(op, a);
    AGNI_NEED(op, c);
    agn_status st = agni_need_matrix(op, a);
    st = st ? st : agni_need_matrix(op, c);
    if (st)
        return st;
    int64_t m = a->shape[a->ndim - 2], n = a->shape[a->ndim - 1], k = m < n ? m : n;
    if (c->shape[c->ndim - (left ? 2 : 1)] != (left == adjoint ? m : k))
        return agni_fail(AGN_ESHAPE, "%s: sizes differ: q is %lld by %lld, c is %s", op,
                         (long long)m, (long long)k, AGNI_SHAPE(c));
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *f[2];
    factor_qr(s, agni_as_field(s, a), false, f);
    const agn_tensor *q = adjoint ? agni_conjugate_transpose(s, f[0]) : f[0],
                     *x = agni_as_field(s, c);
    agn_scope_return(s, out, left ? ag_matmul(s, q, x) : ag_matmul(s, x, q));
    agn_scope_return(s, r, f[1]);
    return agni_rename_error(op, agn_scope_close(s));
}

/* blocks of rows, each factored; then what they leave */
agn_status agn_linalg_tsqr(agn_tensor **q, agn_tensor **r, const agn_tensor *a, int64_t rows)
{
    static const char op[] = "linalg_tsqr";
    AGNI_NEED(op, q);
    AGNI_NEED(op, r);
    AGNI_NEED(op, a);
    agn_status st = agni_need_matrix(op, a);
    if (st)
        return st;
    int64_t m = a->shape[a->ndim - 2], n = a->shape[a->ndim - 1], shape[AGNI_MAX_RANK + 1];
    if (rows < 1 || rows < n || m % rows)
        return agni_fail(AGN_EARG, "%s: blocks of %lld rows, a is %s", op, (long long)rows,
                         AGNI_SHAPE(a));
    if (a->ndim >= AGNI_MAX_RANK)
        return agni_fail(AGN_ESHAPE, "%s: %d axes, at most %d", op, a->ndim, AGNI_MAX_RANK - 1);
    agn_scope *s = agn_scope_open(NULL);
    int d = a->ndim - 2;
    memcpy(shape, a->shape, (size_t)d * sizeof *shape);
    shape[d] = m / rows, shape[d + 1] = rows, shape[d + 2] = n;
    const agn_tensor *f[2], *g[2] = {NULL}, *y = NULL;
    if (factor_qr(s, ag_reshape(s, agni_as_field(s, a), d + 3, shape), false, f)) {
        shape[d] = m / rows * n, shape[d + 1] = n;
        if (factor_qr(s, ag_reshape(s, f[1], d + 2, shape), false, g)) {
            shape[d] = m / rows, shape[d + 1] = n, shape[d + 2] = n;
            y = ag_matmul(s, f[0], ag_reshape(s, g[0], d + 3, shape));
            shape[d] = m, shape[d + 1] = n;
            y = ag_reshape(s, y, d + 2, shape);
        }
    }
    agn_scope_return(s, q, y);
    agn_scope_return(s, r, g[1]);
    return agni_rename_error(op, agn_scope_close(s));
}

/* a[:, perm] = q r: the first k columns times r_11^-1 r_12 are near the others */
agn_status agn_linalg_interpolative(agn_tensor **perm, agn_tensor **proj, const agn_tensor *a,
                                    int64_t k)
{
    static const char op[] = "linalg_interpolative";
    AGNI_NEED(op, perm);
    AGNI_NEED(op, proj);
    AGNI_NEED(op, a);
    agn_status st = agni_need_matrix(op, a);
    if (st)
        return st;
    int64_t m = a->shape[a->ndim - 2], n = a->shape[a->ndim - 1], least = m < n ? m : n;
    if (k < 0 || k > least)
        return agni_fail(AGN_EARG, "%s: a rank of %lld, a is %s", op, (long long)k, AGNI_SHAPE(a));
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x = agni_as_field(s, a), *order = NULL, *y = NULL;
    if (x)
        order = agni_apply_in(s, &agni_op_linalg_qr_pivots, NULL, 1, &x);
    x = take_order(s, x, order, -1);
    if (x) {
        int64_t start[AGNI_MAX_RANK] = {0}, stop[AGNI_MAX_RANK], step[AGNI_MAX_RANK];
        for (int d = 0; d < x->ndim; d++)
            stop[d] = x->shape[d], step[d] = 1;
        stop[x->ndim - 1] = k;
        const agn_tensor *skeleton = ag_slice(s, x, x->ndim, start, stop, step);
        start[x->ndim - 1] = k, stop[x->ndim - 1] = n;
        const agn_tensor *others = ag_slice(s, x, x->ndim, start, stop, step);
        y = ag_linalg_lstsq(s, skeleton, others);
    }
    agn_scope_return(s, perm, order);
    agn_scope_return(s, proj, y);
    return agni_rename_error(op, agn_scope_close(s));
}
