/* linalg/orthogonal/least_squares.c - least squares by LAPACK's four drivers, with constraints, of
   general linear models, and damped ones (Bjorck 1996; Golub & Van Loan 2013, chapter 6). */
#include "linalg/linalg.h"
#include "tensor/dispatch/host_run.h"
#include "tensor/create/constants.h"

#include <agnesi/ag.h>
#include <agnesi/linalg.h>
#include <math.h>
#include <string.h>

/* ---- the op ---------------------------------------------------------------------- */

static agn_status infer_lstsq(agni_call *c)
{
    const agn_tensor *a = c->in[0], *b = c->in[1];
    agn_status st = agni_check_matrix(c->op->name, a);
    st = st ? st : agni_check_matrix(c->op->name, b);
    if (st)
        return st;
    if (c->at->i[0] < AGN_LSTSQ_GELS || c->at->i[0] > AGN_LSTSQ_GELSS)
        return agni_fail(AGN_EARG, "%s: there is no driver %lld of %d", c->op->name,
                         (long long)c->at->i[0], AGN_LSTSQ_GELSS + 1);
    if (!(c->at->f[0] < 1))
        return agni_fail(AGN_EARG, "%s: rcond is %g, not below %g", c->op->name, c->at->f[0], 1.0);
    int64_t m = a->shape[a->ndim - 2], n = a->shape[a->ndim - 1], size;
    if (b->shape[b->ndim - 2] != m)
        return agni_fail(AGN_ESHAPE, "%s: rows differ: a is %s, b is %s", c->op->name,
                         AGNI_SHAPE(a), AGNI_SHAPE(b));
    agni_meta *o = c->meta;
    o->dtype = b->dtype;
    o->ndim = a->ndim - 2;
    memcpy(o->shape, a->shape, (size_t)o->ndim * sizeof *o->shape);
    if (!agni_broadcast_into(o, b->ndim - 2, b->shape))
        return agni_fail(AGN_ESHAPE, "%s: batches do not broadcast: a is %s, b is %s", c->op->name,
                         AGNI_SHAPE(a), AGNI_SHAPE(b));
    o[1] = o[2] = *o;
    o[1].dtype = AGN_I64;
    o[2].dtype = b->dtype == AGN_C64 ? AGN_F32 : b->dtype == AGN_C128 ? AGN_F64 : b->dtype;
    o[2].shape[o[2].ndim++] = c->at->i[0] < AGN_LSTSQ_GELSD ? 0 : m < n ? m : n;
    o->shape[o->ndim++] = n;
    o->shape[o->ndim++] = b->shape[b->ndim - 1];
    return agni_shape_check(c->op->name, o->ndim, o->shape, &size);
}

/* the pseudoinverse that a driver stands for: of full rank by QR */
static const agn_tensor *pseudoinverse_of(agn_scope *s, const agni_rule *r)
{
    const agn_tensor *a = r->x[0], *f[2] = {NULL};
    const bool wide = a->shape[a->ndim - 2] < a->shape[a->ndim - 1];
    if (r->at->i[0] != AGN_LSTSQ_GELS)
        return ag_linalg_pinv(s, a, r->at->f[0]);
    a = wide ? agni_conjugate_transpose(s, a) : a;
    if (!a || !agni_apply_many_in(s, &agni_op_linalg_qr,
                                  &(agni_attr){.ni = 1, .i = (const int64_t[]){0}}, 1, &a, 2, f))
        return NULL;
    const agn_tensor *p = ag_linalg_triangular_solve(s, f[1], agni_conjugate_transpose(s, f[0]),
                                                     true);
    return wide ? agni_conjugate_transpose(s, p) : p;
}

/* with p the pseudoinverse and r = b - a x: dx = p (db - da x) + p p^H da^H r + (1 - p a) da^H p^H
   x, along matrices of the same rank (Golub & Pereyra 1973), where of full rank the second term is
   0 unless rows are more, the third unless columns are; NaN where the pseudoinverse finds another
   rank than the driver. The size of p, and its square, may leave the range where the size of da
   brings it back: what stands between the two is multiplied by p of size 1. */
static void lstsq_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                      const agn_tensor **ty)
{
    const agn_tensor *a = r->x[0], *x = r->y[0], *p = pseudoinverse_of(s, r), *dx = NULL;
    if (t[1])
        dx = ag_matmul(s, p, t[1]);
    if (t[0]) {
        const int64_t m = a->shape[a->ndim - 2], n = a->shape[a->ndim - 1];
        const bool any_rank = r->at->i[0] != AGN_LSTSQ_GELS;
        const agn_tensor *dh = agni_conjugate_transpose(s, t[0]);
        dx = agni_add_present(s, dx, ag_neg(s, ag_matmul(s, p, ag_matmul(s, t[0], x))));
        const bool some = agn_numel(p) > 0; /* of nothing the others are 0 */
        const agn_tensor *unit = some ? agni_unit_scale(s, p) : NULL,
                         *near = some ? ag_mul(s, p, unit) : NULL,
                         *nh = some ? agni_conjugate_transpose(s, near) : NULL;
        if (some && (any_rank || m > n)) {
            const agn_tensor *rest = ag_sub(s, r->x[1], ag_matmul(s, a, x));
            rest = ag_matmul(s, nh, ag_matmul(s, dh, ag_div(s, rest, unit)));
            dx = ag_add(s, dx, ag_matmul(s, near, ag_div(s, rest, unit)));
        }
        if (some && (any_rank || m < n)) {
            const agn_tensor *low = ag_div(s, ag_matmul(s, dh, ag_matmul(s, nh, x)), unit);
            for (int k = 0; k < 2; k++) /* as of pinv_jvp */
                low = ag_sub(s, low, ag_matmul(s, p, ag_matmul(s, a, low)));
            dx = ag_add(s, dx, low);
        }
    }
    if (r->at->i[0] != AGN_LSTSQ_GELS && dx) {
        const agn_tensor *same = ag_eq(s, ag_linalg_matrix_rank(s, a, r->at->f[0]), r->y[1]);
        same = ag_expand_dims(s, ag_expand_dims(s, same, -1), -1);
        dx = ag_where(s, same, dx, agni_full_like(s, (double)NAN, dx));
    }
    ty[0] = dx;
}

/* where a device has no kernel: of full rank by factors q and r */
static agn_status eval_lstsq(const agni_call *c, agn_tensor **out)
{
    if (c->at->i[0] != AGN_LSTSQ_GELS)
        return agni_fail(AGN_EUNSUPPORTED,
                         "%s: driver %lld of %d runs on the CPU alone: a is %s on device %d",
                         c->op->name, (long long)c->at->i[0], AGN_LSTSQ_GELSS + 1,
                         AGNI_SHAPE(c->in[0]), (int)agni_tensor_device(c->in[0]));
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *a = agni_detach_node(s, c->op->name, c->in[0]),
                     *b = agni_detach_node(s, c->op->name, c->in[1]);
    const agni_meta *rank = c->meta + 1, *values = c->meta + 2;
    int64_t m = c->in[0]->shape[c->in[0]->ndim - 2], n = c->in[0]->shape[c->in[0]->ndim - 1];
    const agn_tensor *y[3] = {
        agni_lstsq_by_qr(s, a, b),
        agni_put_beside(
            s, agni_full(s, (double)(m < n ? m : n), AGN_I64, rank->ndim, rank->shape), a),
        agni_put_beside(s, agni_full(s, 0, values->dtype, values->ndim, values->shape), a)};
    for (int k = 0; k < 3; k++)
        agn_scope_return(s, &out[k], y[k]);
    return agni_rename_error(c->op->name, agn_scope_close(s));
}

static agni_slots slots;
const agni_op agni_op_linalg_lstsq = {.name = "linalg_lstsq",
                                      .takes = "a b driver:i rcond:r",
                                      .cls = AGNI_SOLVE,
                                      .nin = 2,
                                      .nout = 3,
                                      .dtypes = AGNI_FIELDS,
                                      .diff = 3,
                                      .promote = 3,
                                      .ew = -1,
                                      .infer = infer_lstsq,
                                      .cpu = agni_cpu_dense_lstsq,
                                      .eval = eval_lstsq,
                                      .may_fail = true,
                                      .jvp = lstsq_jvp,
                                      .batch = agni_batch_aligned,
                                      .slots = &slots,
                                      .lo = -2,
                                      .hi = 2,
                                      .lo2 = -2,
                                      .hi2 = 2,
                                      .doc = "x of least |a x - b|, the rank, singular values"};

/* b as columns; true where it is one column */
static bool as_columns(agn_scope *s, const agn_tensor **b)
{
    bool one = (*b)->ndim == 1;
    *b = agni_as_field(s, *b);
    if (one)
        *b = ag_expand_dims(s, *b, -1);
    return one;
}

static agn_status check_rows(const char *op, const agn_tensor *a, const agn_tensor *b,
                             const char *what, const char *rhs)
{
    agn_status st = agni_need_matrix(op, a);
    if (!st && b->layout != AGN_DENSE)
        st = agni_fail(AGN_EUNSUPPORTED, "%s: %s is sparse, a dense one is needed: %s", op, rhs,
                       AGNI_SHAPE(b));
    if (!st && (b->ndim == 0 || b->shape[b->ndim == 1 ? 0 : b->ndim - 2] != a->shape[a->ndim - 2]))
        st = agni_fail(AGN_ESHAPE, "%s: rows differ: %s is %s, %s is %s", op, what, AGNI_SHAPE(a),
                       rhs, AGNI_SHAPE(b));
    return st;
}

agn_status agn_linalg_lstsq_with(agn_tensor **out, agn_tensor **rank, agn_tensor **values,
                                 const agn_tensor *a, const agn_tensor *b, agn_lstsq_driver driver,
                                 double rcond)
{
    static const char op[] = "linalg_lstsq_with";
    AGNI_NEED(op, out);
    AGNI_NEED(op, a);
    AGNI_NEED(op, b);
    agn_status st = check_rows(op, a, b, "a", "b");
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *in[2] = {agni_as_field(s, a), b}, *y[3] = {NULL};
    bool one = as_columns(s, &in[1]);
    if (in[0] && in[1])
        agni_apply_many_in(
            s, &agni_op_linalg_lstsq,
            &(agni_attr){.ni = 1, .i = (const int64_t[]){driver}, .nf = 1, .f = &rcond}, 2, in, 3,
            y);
    agn_scope_return(s, out, one && y[0] ? ag_squeeze(s, y[0], -1) : y[0]);
    if (rank)
        agn_scope_return(s, rank, y[1]);
    if (values)
        agn_scope_return(s, values, y[2]);
    return agni_rename_error(op, agn_scope_close(s));
}

/* ---- damped: the stacked system [a; alpha^1/2] x = [b; 0] ------------------------------- */

agn_status agn_linalg_ridge(agn_tensor **out, const agn_tensor *a, const agn_tensor *b,
                            const agn_tensor *alpha)
{
    static const char op[] = "linalg_ridge";
    AGNI_NEED(op, out);
    AGNI_NEED(op, a);
    AGNI_NEED(op, b);
    AGNI_NEED(op, alpha);
    agn_status st = check_rows(op, a, b, "a", "b");
    if (!st && agni_kind(alpha->dtype) == AGNI_KIND_COMPLEX)
        st = agni_fail(AGN_EDTYPE, "%s: alpha is %s, a real number is needed for a of %s", op,
                       agni_dtypes[alpha->dtype].name, AGNI_SHAPE(a));
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x = agni_as_field(s, a), *y = b;
    bool one = as_columns(s, &y);
    if (!x || !y)
        return agni_return(op, s, out, NULL);
    int64_t n = x->shape[x->ndim - 1];
    const agn_tensor *root = ag_expand_dims(
        s, ag_expand_dims(s, ag_sqrt(s, agni_as_field(s, alpha)), -1), -1);
    const agn_tensor *low = ag_mul(s, ag_cast(s, root, x->dtype), agni_eye_beside(s, n, n, x));
    agni_meta all = {.ndim = x->ndim - 2};
    memcpy(all.shape, x->shape, (size_t)all.ndim * sizeof *all.shape);
    if (!low || !agni_broadcast_into(&all, y->ndim - 2, y->shape) ||
        !agni_broadcast_into(&all, low->ndim - 2, low->shape)) {
        if (low)
            agn_scope_fail(s,
                           agni_fail(AGN_ESHAPE,
                                     "%s: batches do not broadcast: a is %s, b is %s, alpha is %s",
                                     op, AGNI_SHAPE(a), AGNI_SHAPE(b), AGNI_SHAPE(alpha)));
        return agni_return(op, s, out, NULL);
    }
    int64_t rows = x->shape[x->ndim - 2], k = y->shape[y->ndim - 1];
    int nd = all.ndim + 2;
    int64_t *tail = all.shape + all.ndim;
    tail[0] = rows, tail[1] = n;
    x = ag_broadcast_to(s, x, nd, all.shape);
    tail[0] = n;
    low = ag_broadcast_to(s, low, nd, all.shape);
    tail[1] = k;
    const agn_tensor *none = x ? agni_full(s, 0, x->dtype, nd, all.shape) : NULL;
    tail[0] = rows;
    y = ag_broadcast_to(s, x && y->dtype != x->dtype ? ag_cast(s, y, x->dtype) : y, nd, all.shape);
    const agn_tensor *z = ag_linalg_lstsq(s, ag_concat(s, (const agn_tensor *[]){x, low}, 2, -2),
                                          ag_concat(s, (const agn_tensor *[]){y, none}, 2, -2));
    return agni_return(op, s, out, one && z ? ag_squeeze(s, z, -1) : z);
}

/* ---- with constraints --------------------------------------------------------------------- */

/* x = x0 + n y with x0 the shortest of b x0 = d, n a basis of the null space of b, y of least |a n
   y - (c - a x0)| */
agn_status agn_linalg_lstsq_constrained(agn_tensor **out, const agn_tensor *a, const agn_tensor *c,
                                        const agn_tensor *b, const agn_tensor *d)
{
    agni_host_call h;
    const agn_tensor *const far[] = {a, c, b, d};
    if (agni_host_call_begin(&h, "linalg_lstsq_constrained", 4, far)) {
        agn_status st = h.st ? h.st : agn_linalg_lstsq_constrained(out ? &h.y[0] : NULL, h.in[0],
                                                                   h.in[1], h.in[2], h.in[3]);
        return agni_host_call_end(&h, st, 1, (agn_tensor * *[]){out});
    }
    static const char op[] = "linalg_lstsq_constrained";
    AGNI_NEED(op, out);
    AGNI_NEED(op, a);
    AGNI_NEED(op, c);
    AGNI_NEED(op, b);
    AGNI_NEED(op, d);
    agn_status st = check_rows(op, a, c, "a", "c");
    st = st ? st : check_rows(op, b, d, "b", "d");
    int64_t m = st ? 0 : a->shape[a->ndim - 2], n = st ? 0 : a->shape[a->ndim - 1],
            p = st ? 0 : b->shape[b->ndim - 2];
    if (!st &&
        (b->shape[b->ndim - 1] != n || p > n || n > m + p || (c->ndim == 1) != (d->ndim == 1)))
        st = agni_fail(AGN_ESHAPE, "%s: sizes do not fit: a is %s, b is %s, c is %s, d is %s", op,
                       AGNI_SHAPE(a), AGNI_SHAPE(b), AGNI_SHAPE(c), AGNI_SHAPE(d));
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x = agni_as_field(s, a), *y = agni_as_field(s, b), *f = c, *g = d;
    bool one = as_columns(s, &f);
    as_columns(s, &g);
    const agn_tensor *z = ag_linalg_lstsq(s, y, g);
    if (p < n) {
        const agn_tensor *basis = ag_linalg_null_space(s, y, p, -1);
        const agn_tensor *rest = ag_sub(s, f, ag_matmul(s, x, z));
        z = ag_add(s, z, ag_matmul(s, basis, ag_linalg_lstsq(s, ag_matmul(s, x, basis), rest)));
    }
    return agni_return(op, s, out, one && z ? ag_squeeze(s, z, -1) : z);
}

/* with n a basis of what is orthogonal to the columns of a: n^H b y = n^H d, the shortest; then a x
   = d - b y */
agn_status agn_linalg_gauss_markov(agn_tensor **x, agn_tensor **y, const agn_tensor *a,
                                   const agn_tensor *b, const agn_tensor *d)
{
    static const char op[] = "linalg_gauss_markov";
    AGNI_NEED(op, x);
    AGNI_NEED(op, y);
    AGNI_NEED(op, a);
    AGNI_NEED(op, b);
    AGNI_NEED(op, d);
    agn_status st = check_rows(op, a, d, "a", "d");
    st = st ? st : check_rows(op, b, d, "b", "d");
    int64_t m = st ? 0 : a->shape[a->ndim - 2], n = st ? 0 : a->shape[a->ndim - 1],
            p = st ? 0 : b->shape[b->ndim - 1];
    if (!st && (n > m || m > n + p))
        st = agni_fail(AGN_ESHAPE, "%s: sizes do not fit: a is %s, b is %s", op, AGNI_SHAPE(a),
                       AGNI_SHAPE(b));
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *f = agni_as_field(s, a), *g = agni_as_field(s, b), *rhs = d, *v, *u;
    bool one = as_columns(s, &rhs);
    if (n == m)
        v = ag_matmul(s, agni_conjugate_transpose(s, g), ag_zeros_like(s, rhs));
    else {
        const agn_tensor *nh = agni_conjugate_transpose(
            s, ag_linalg_null_space(s, agni_conjugate_transpose(s, f), n, -1));
        v = ag_linalg_lstsq(s, ag_matmul(s, nh, g), ag_matmul(s, nh, rhs));
    }
    u = ag_linalg_lstsq(s, f, ag_sub(s, rhs, ag_matmul(s, g, v)));
    agn_scope_return(s, x, one && u ? ag_squeeze(s, u, -1) : u);
    agn_scope_return(s, y, one && v ? ag_squeeze(s, v, -1) : v);
    return agni_rename_error(op, agn_scope_close(s));
}
