/* linalg/structured/cholesky_update.c - Cholesky factors after a change of low rank: record,
   derivative, public functions. */
#include "linalg/linalg.h"

#include <agnesi/ag.h>
#include <agnesi/linalg.h>
#include <string.h>

static agn_status infer_update(agni_call *c)
{
    const agn_tensor *l = c->in[0], *x = c->in[1];
    agn_status st = agni_check_square(c->op->name, l);
    st = st ? st : agni_check_matrix(c->op->name, x);
    if (st)
        return st;
    int64_t n = l->shape[l->ndim - 1], size;
    if (x->shape[x->ndim - 2] != n)
        return agni_fail(AGN_ESHAPE, "%s: rows differ: l is %s, x is %s", c->op->name,
                         AGNI_SHAPE(l), AGNI_SHAPE(x));
    agni_meta *o = c->meta;
    o->dtype = l->dtype;
    o->ndim = l->ndim - 2;
    memcpy(o->shape, l->shape, (size_t)o->ndim * sizeof *o->shape);
    if (!agni_broadcast_into(o, x->ndim - 2, x->shape))
        return agni_fail(AGN_ESHAPE, "%s: batches do not broadcast: l is %s, x is %s", c->op->name,
                         AGNI_SHAPE(l), AGNI_SHAPE(x));
    o->shape[o->ndim++] = n;
    o->shape[o->ndim++] = n;
    return agni_shape_check(c->op->name, o->ndim, o->shape, &size);
}

/* the lower factor that is read, of its diagonal the real part */
static const agn_tensor *lower_factor(agn_scope *s, const agn_tensor *l, bool upper)
{
    if (upper)
        l = agni_conjugate_transpose(s, l);
    if (!l || agni_kind(l->dtype) != AGNI_KIND_COMPLEX)
        return ag_tril(s, l, 0);
    const agn_tensor *d = ag_cast(s, ag_real(s, ag_diagonal(s, l, 0, -2, -1)), l->dtype);
    return ag_add(s, ag_tril(s, l, -1), ag_diag_embed(s, d, 0, -2, -1));
}

/* the rule of Cholesky's factor of l l^H +- x x^H (Murray 2016) */
static void update_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                       const agn_tensor **ty)
{
    const double half = 0.5;
    bool upper = r->at->i[0], down = r->at->i[1];
    const agn_tensor *y = upper ? agni_conjugate_transpose(s, r->y[0]) : r->y[0], *da = NULL;
    if (t[0])
        da = ag_matmul(s, lower_factor(s, t[0], upper),
                       agni_conjugate_transpose(s, lower_factor(s, r->x[0], upper)));
    if (t[1]) {
        const agn_tensor *p = ag_matmul(s, t[1], agni_conjugate_transpose(s, r->x[1]));
        da = agni_add_present(s, da, down ? ag_neg(s, p) : p);
    }
    const agn_tensor *p = ag_linalg_triangular_solve(s, y, da, false);
    p = ag_linalg_triangular_solve(s, y, agni_conjugate_transpose(s, p), false);
    p = ag_add(s, p, agni_conjugate_transpose(s, p));
    p = agni_apply_in(s, &agni_op_linalg_triangle,
                      &(agni_attr){.ni = 1, .i = (const int64_t[]){0}, .nf = 1, .f = &half}, 1, &p);
    p = ag_matmul(s, y, p);
    ty[0] = upper ? agni_conjugate_transpose(s, p) : p;
}

static agni_slots slots;
const agni_op agni_op_linalg_cholesky_update = {
    .name = "linalg_cholesky_update",
    .takes = "l x upper:b down:b",
    .cls = AGNI_SOLVE,
    .nin = 2,
    .nout = 1,
    .dtypes = AGNI_FIELDS,
    .diff = 3,
    .promote = 3,
    .result = AGNI_OUT_SAME,
    .ew = -1,
    .infer = infer_update,
    .cpu = agni_cpu_cholesky_update,
    .may_fail = true,
    .jvp = update_jvp,
    .batch = agni_batch_aligned,
    .slots = &slots,
    .lo = 1,
    .hi = 2,
    .lo2 = -2,
    .hi2 = 2,
    .doc = "Cholesky factor of l l^H + x x^H or l l^H - x x^H"};

static agn_status change_factor(const char *op, agn_tensor **out, const agn_tensor *l,
                                const agn_tensor *x, bool upper, bool down)
{
    AGNI_NEED(op, out);
    AGNI_NEED(op, l);
    AGNI_NEED(op, x);
    agn_status st = agni_rename_error(op, agni_need_square(op, l));
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *in[] = {l, x->ndim == 1 ? ag_expand_dims(s, x, -1) : x};
    const agn_tensor *y = in[1] ? agni_apply_in(
                                      s, &agni_op_linalg_cholesky_update,
                                      &(agni_attr){.ni = 2, .i = (const int64_t[]){upper, down}}, 2,
                                      in)
                                : NULL;
    return agni_return(op, s, out, y);
}

agn_status agn_linalg_cholesky_update(agn_tensor **out, const agn_tensor *l, const agn_tensor *x,
                                      bool upper)
{
    return change_factor("linalg_cholesky_update", out, l, x, upper, false);
}

agn_status agn_linalg_cholesky_downdate(agn_tensor **out, const agn_tensor *l, const agn_tensor *x,
                                        bool upper)
{
    return change_factor("linalg_cholesky_downdate", out, l, x, upper, true);
}
