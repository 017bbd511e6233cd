/* linalg/forms/pencils.c - pairs of matrices: generalised Schur's form (Moler & Stewart 1973) and
   eigenpairs; Schur's form with chosen values first. */
#include "linalg/forms/forms.h"

#include <agnesi/ag.h>
#include <agnesi/linalg.h>
#include <string.h>

/* matrices of one order, whose batches broadcast: the shape of a result */
static agn_status infer_pair(agni_call *c)
{
    const agn_tensor *a = c->in[0], *b = c->nin > 1 ? c->in[1] : a;
    agn_status st = agni_check_square(c->op->name, a);
    st = st ? st : agni_check_square(c->op->name, b);
    if (st)
        return st;
    int64_t n = a->shape[a->ndim - 1];
    if (b->shape[b->ndim - 1] != n)
        return agni_fail(AGN_ESHAPE, "%s: orders differ: a is %s, b is %s", c->op->name,
                         AGNI_SHAPE(a), AGNI_SHAPE(b));
    return agni_infer_batches(c, n, n);
}

static agn_status infer_ordered(agni_call *c)
{
    if (c->at->i[0] < AGN_ORDER_NONE || c->at->i[0] > AGN_ORDER_OUTSIDE)
        return agni_fail(AGN_EARG, "%s: there is no order %lld of %d", c->op->name,
                         (long long)c->at->i[0], AGN_ORDER_OUTSIDE + 1);
    agn_status st = infer_pair(c);
    for (int k = 1; !st && k < c->nout; k++)
        c->meta[k] = c->meta[0];
    if (!st) {
        c->meta[c->nout - 1].dtype = AGN_I64;
        c->meta[c->nout - 1].ndim -= 2;
    }
    return st;
}

static agn_status infer_eig_pencil(agni_call *c)
{
    agn_status st = infer_pair(c);
    if (!st) {
        c->meta[1] = c->meta[2] = c->meta[0];
        c->meta[1].ndim--;
    }
    return st;
}

/* with p = u (da v - db v diag(w)), u = (b v)^-1: dw = diag(p), dv = v (p_ij / (w_j - w_i)), turned
   and stretched so that columns keep their length and phase, du = -u (db v + b dv) u */
static void eig_pencil_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                           const agn_tensor **ty)
{
    const agn_tensor *v = r->y[0], *w = r->y[1], *u = r->y[2],
                     *rhs = t[0] ? ag_matmul(s, t[0], v) : NULL;
    const agn_tensor *moved = t[1] ? ag_matmul(s, t[1], v) : NULL;
    if (moved)
        rhs = agni_add_present(s, rhs, ag_neg(s, ag_mul(s, moved, ag_expand_dims(s, w, -2))));
    const agn_tensor *p = ag_matmul(s, u, rhs);
    ty[1] = agni_tie_diagonal(s, p, w, 1, false);
    const agn_tensor *dv = ag_matmul(s, v, agni_gap_quotient(s, p, w, w, 1, true));
    if (!dv || v->shape[v->ndim - 1] == 0) {
        ty[0] = ty[2] = dv;
        return;
    }
    const agn_tensor *along = ag_sum(s, ag_real(s, ag_mul(s, ag_conj(s, v), dv)),
                                     (const int32_t[]){-2}, 1, true);
    dv = agni_hold_phases(s, v, ag_sub(s, dv, ag_mul(s, v, along)));
    ty[0] = dv;
    const agn_tensor *d = agni_add_present(s, ag_matmul(s, r->x[1], dv), moved);
    ty[2] = ag_neg(s, ag_matmul(s, u, ag_matmul(s, d, u)));
}

static agni_slots slots[3];
#define RECORD(op, text_in, ins, outs, mask, fields, infer_, rule, batch_, number, text) \
    const agni_op agni_op_linalg_##op = {.name = "linalg_" #op,                \
                                         .takes = text_in,                     \
                                         .cls = AGNI_SOLVE,                    \
                                         .nin = ins,                           \
                                         .nout = outs,                         \
                                         .dtypes = fields,                     \
                                         .diff = mask,                         \
                                         .promote = mask,                      \
                                         .ew = -1,                             \
                                         .infer = infer_,                      \
                                         .cpu = agni_cpu_##op,                 \
                                         .jvp = rule,                          \
                                         .batch = batch_,                      \
                                         .slots = &slots[number],              \
                                         .lo = -2,                             \
                                         .hi = 2,                              \
                                         .lo2 = 1,                             \
                                         .hi2 = 2,                             \
                                         .doc = text}
RECORD(
    qz, "a b order:i", 2, 5, 3, AGNI_FIELDS, infer_ordered, agni_qz_jvp, agni_batch_aligned, 0,
    "a = q s z^H and b = q t z^H with triangular s and t, of real matrices s in blocks of at most 2");
RECORD(schur_ordered, "a order:i", 1, 3, 1, AGNI_FIELDS, infer_ordered, agni_schur_jvp,
       agni_batch_front, 1, "a = z t z^H with chosen values first");
RECORD(eig_pencil, "a b", 2, 3, 3, AGNI_COMPLEXES, infer_eig_pencil, eig_pencil_jvp,
       agni_batch_aligned, 2, "a v = b v diag(w), and (b v)^-1, of general matrices");

/* ---- public functions ------------------------------------------------------------ */

agn_status agn_linalg_qz_ordered(agn_tensor **s, agn_tensor **t, agn_tensor **q, agn_tensor **z,
                                 agn_tensor **count, const agn_tensor *a, const agn_tensor *b,
                                 agn_spectral_order order)
{
    static const char op[] = "linalg_qz_ordered";
    AGNI_NEED(op, s);
    AGNI_NEED(op, t);
    AGNI_NEED(op, q);
    AGNI_NEED(op, z);
    AGNI_NEED(op, count);
    AGNI_NEED(op, a);
    AGNI_NEED(op, b);
    agn_tensor *y[5] = {NULL};
    agn_status st = agni_rename_error(
        op, agni_apply(&agni_op_linalg_qz, &(agni_attr){.ni = 1, .i = (const int64_t[]){order}}, 2,
                       (const agn_tensor *[]){a, b}, 5, y));
    if (st)
        return st;
    *s = y[0];
    *t = y[1];
    *q = y[2];
    *z = y[3];
    *count = y[4];
    return AGN_OK;
}

agn_status agn_linalg_qz(agn_tensor **s, agn_tensor **t, agn_tensor **q, agn_tensor **z,
                         const agn_tensor *a, const agn_tensor *b)
{
    static const char op[] = "linalg_qz";
    AGNI_NEED(op, s);
    AGNI_NEED(op, t);
    AGNI_NEED(op, q);
    AGNI_NEED(op, z);
    AGNI_NEED(op, a);
    AGNI_NEED(op, b);
    agn_tensor *count = NULL;
    agn_status st = agni_rename_error(
        op, agn_linalg_qz_ordered(s, t, q, z, &count, a, b, AGN_ORDER_NONE));
    agn_release(count);
    return st;
}

agn_status agn_linalg_schur_ordered(agn_tensor **t, agn_tensor **z, agn_tensor **count,
                                    const agn_tensor *a, agn_spectral_order order)
{
    static const char op[] = "linalg_schur_ordered";
    AGNI_NEED(op, t);
    AGNI_NEED(op, z);
    AGNI_NEED(op, count);
    AGNI_NEED(op, a);
    agn_tensor *y[3] = {NULL};
    agn_status st = agni_apply(&agni_op_linalg_schur_ordered,
                               &(agni_attr){.ni = 1, .i = (const int64_t[]){order}}, 1, &a, 3, y);
    if (st)
        return st;
    *t = y[0];
    *z = y[1];
    *count = y[2];
    return AGN_OK;
}

agn_status agn_linalg_eig_generalized(agn_tensor **w, agn_tensor **v, const agn_tensor *a,
                                      const agn_tensor *b)
{
    static const char op[] = "linalg_eig_generalized";
    AGNI_NEED(op, w);
    AGNI_NEED(op, v);
    AGNI_NEED(op, a);
    AGNI_NEED(op, b);
    agn_status st = agni_need_square(op, a);
    st = st ? st : agni_need_square(op, b);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x[2] = {agni_as_complex(s, a), agni_as_complex(s, b)}, *y[3] = {NULL};
    if (x[0] && x[1])
        agni_apply_many_in(s, &agni_op_linalg_eig_pencil, NULL, 2, x, 3, y);
    agn_scope_return(s, w, y[1]);
    agn_scope_return(s, v, y[0]);
    return agni_rename_error(op, agn_scope_close(s));
}
