/* linalg/eig.c - eigenpairs of general matrices: records, derivatives, public functions (Magnus 1985). The rule
   is written in the inverse of the vectors, which the op gives beside them; its rows are NaN where a value is
   defective, and so is every derivative that meets one. */
#include "linalg/linalg.h"

#include <agnesi/ag.h>
#include <agnesi/linalg.h>
#include <string.h>

static agn_status infer_eig(agni_call *c)
{
    const agn_tensor *a = c->in[0];
    agn_status st = agni_check_square(c->op->name, a);
    st = st ? st : agni_infer_same(c);
    if (!st)
        for (int o = 1; o < c->nout; o++)
            c->meta[o] = c->meta[0];
    if (!st)
        c->meta[0].ndim--;
    return st;
}

/* with u = v^-1 and p = u da v: dw = diag(p), dv = v (p_ij / (w_j - w_i)), turned and stretched so that
   columns keep their length and phase, du = -u dv u */
static void eig_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t, const agn_tensor **ty)
{
    const agn_tensor *w = r->y[0], *v = r->y[1], *u = r->y[2];
    const agn_tensor *p = ag_matmul(s, u, ag_matmul(s, t[0], v));
    ty[0] = agni_tie_diagonal(s, p, w, 1, false);
    const agn_tensor *dv = ag_matmul(s, v, agni_gap_quotient(s, p, w, w, 1, true));
    if (!dv || v->shape[v->ndim - 1] == 0) {
        ty[1] = ty[2] = dv;
        return;
    }
    const agn_tensor *along = ag_sum(s, ag_real(s, ag_mul(s, ag_conj(s, v), dv)), (const int32_t[]){-2}, 1, true);
    dv = agni_hold_phases(s, v, ag_sub(s, dv, ag_mul(s, v, along)));
    ty[1] = dv;
    ty[2] = ag_neg(s, ag_matmul(s, u, ag_matmul(s, dv, u)));
}

static void eigvals_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t, const agn_tensor **ty)
{
    const agn_tensor *y[3] = {NULL};
    if (agni_apply_many_in(s, &agni_op_linalg_eig, NULL, 1, r->x, 3, y))
        ty[0] = agni_tie_diagonal(s, ag_matmul(s, y[2], ag_matmul(s, t[0], y[1])), y[0], 1, false);
}

static agni_slots slots[2];
#define RECORD(op, outs, number, text)                                     \
    const agni_op agni_op_linalg_##op = {.name = "linalg_" #op,            \
                                         .takes = "a",                     \
                                         .cls = AGNI_SOLVE,                \
                                         .nin = 1,                         \
                                         .nout = outs,                     \
                                         .dtypes = AGNI_COMPLEXES,         \
                                         .diff = 1,                        \
                                         .promote = 1,                     \
                                         .ew = -1,                         \
                                         .infer = infer_eig,               \
                                         .cpu = agni_cpu_##op,             \
                                         .jvp = op##_jvp,                  \
                                         .batch = agni_batch_front,        \
                                         .slots = &slots[number],          \
                                         .lo = -2,                         \
                                         .hi = 2,                          \
                                         .doc = text}
RECORD(eig, 3, 0, "eigenvalues, vectors and the inverse of the vectors, of a general matrix");
RECORD(eigvals, 1, 1, "eigenvalues of a general matrix");

const agn_tensor *agni_as_complex(agn_scope *s, const agn_tensor *x)
{
    x = agni_as_field(s, x);
    return x && agni_kind(x->dtype) != AGNI_KIND_COMPLEX ? ag_cast(s, x, x->dtype == AGN_F32 ? AGN_C64 : AGN_C128)
                                                         : x;
}

agn_status agn_linalg_eig(agn_tensor **w, agn_tensor **v, const agn_tensor *a)
{
    AGNI_NEED("linalg_eig", w);
    AGNI_NEED("linalg_eig", v);
    AGNI_NEED("linalg_eig", a);
    agn_status st = agni_need_square("linalg_eig", a);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x = agni_as_complex(s, a), *y[3] = {NULL};
    if (x)
        agni_apply_many_in(s, &agni_op_linalg_eig, NULL, 1, &x, 3, y);
    agn_scope_return(s, w, y[0]);
    agn_scope_return(s, v, y[1]);
    return agn_scope_close(s);
}

agn_status agn_linalg_eigvals(agn_tensor **out, const agn_tensor *a)
{
    AGNI_NEED("linalg_eigvals", out);
    AGNI_NEED("linalg_eigvals", a);
    agn_status st = agni_need_square("linalg_eigvals", a);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x = agni_as_complex(s, a);
    return agni_return("linalg_eigvals", s, out,
                       x ? agni_apply_in(s, &agni_op_linalg_eigvals, NULL, 1, &x) : NULL);
}
