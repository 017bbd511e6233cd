/* linalg/eig.c - eigenpairs of general matrices: records, derivatives, public functions (Magnus
   1985). The rule is written in the inverse of the vectors, which only derivatives need; its rows
   are NaN where a value is defective, and so is every derivative that meets one. */
#include "linalg/linalg.h"
#include "tensor/create/constants.h"

#include <agnesi/ag.h>
#include <agnesi/linalg.h>
#include <math.h>
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

/* a + (b - a) without a derivative: the value of b, the derivatives of a */
static const agn_tensor *valued_as(agn_scope *s, const agn_tensor *a, const agn_tensor *b)
{
    return a && b ? ag_add(s, a, ag_stop_gradient(s, ag_sub(s, b, a))) : NULL;
}

/* 1 for values whose rows of the inverse u are known, else NaN, as a column: a value is defective,
   or so near to it that its gap times its cosine |y^H x| is the backward error, where its
   derivative is infinite or nothing of it is known */
static const agn_tensor *known_rows(agn_scope *s, const agn_tensor *a, const agn_tensor *w,
                                    const agn_tensor *u, const agn_tensor *good)
{
    const int32_t last = -1, both[] = {-2, -1};
    const agn_tensor *length = ag_pnorm(s, u, 2, &last, 1, false),
                     *norm = ag_pnorm(s, a, 2, both, 2, false);
    if (!length || !norm)
        return NULL;
    const int64_t n = w->shape[w->ndim - 1];
    const double eps = length->dtype == AGN_F32 ? 0x1p-23 : 0x1p-52;
    const agn_tensor *gap = ag_abs(s,
                                   ag_sub(s, ag_expand_dims(s, w, -1), ag_expand_dims(s, w, -2)));
    const agn_tensor *self = gap ? ag_cast(s, agni_eye_beside(s, n, n, gap), AGN_BOOL) : NULL;
    gap = gap ? ag_where(s, self, agni_full_like(s, (double)INFINITY, gap), gap) : NULL;
    gap = ag_amin(s, gap, &last, 1, false);
    const agn_tensor *noise = ag_mul_c(s, ag_mul(s, length, ag_expand_dims(s, norm, -1)),
                                       32 * (double)n * eps);
    const agn_tensor *fair = ag_lt(s, ag_mul_c(s, length, 32 * sqrt((double)n * eps)),
                                   ag_ones_like(s, length));
    fair = ag_logical_or(s, fair, ag_gt(s, gap, noise));
    fair = ag_logical_and(s, ag_logical_and(s, fair, ag_isfinite(s, length)),
                          ag_expand_dims(s, good, -1));
    return fair ? ag_expand_dims(s,
                                 ag_where(s, fair, agni_full_like(s, 1, length),
                                          agni_full_like(s, (double)NAN, length)),
                                 -1)
                : NULL;
}

/* the inverse u of the vectors; NaN in rows that are not known, and in what is derived from them */
static const agn_tensor *invert_vectors(agn_scope *s, const agn_tensor *a, const agn_tensor *w,
                                        const agn_tensor *v)
{
    const agn_tensor *f[4] = {NULL}, *one = agni_identity_like(s, v);
    const int64_t plain = 0;
    if (!one || v->shape[v->ndim - 1] == 0)
        return v;
    if (!agni_apply_many_in(s, &agni_op_linalg_lu_info, NULL, 1, &v, 3, f))
        return NULL;
    const agn_tensor *good = f[2] ? ag_eq(s, f[2], agni_full_like(s, 0, f[2])) : NULL;
    const agn_tensor *over = good ? ag_expand_dims(s, ag_expand_dims(s, good, -1), -1) : NULL;
    f[2] = over ? valued_as(s, v, ag_where(s, over, v, ag_broadcast_like(s, one, v))) : NULL;
    f[3] = one;
    const agn_tensor *u = f[2] ? agni_apply_in(s, &agni_op_linalg_lu_solve,
                                               &(agni_attr){.ni = 1, .i = &plain}, 4, f)
                               : NULL;
    if (!u)
        return NULL;
    const agn_tensor *known = known_rows(s, ag_stop_gradient(s, a), ag_stop_gradient(s, w),
                                         ag_stop_gradient(s, u), good);
    return known ? ag_mul(s, u, ag_stop_gradient(s, known)) : NULL;
}

/* with u = v^-1 and p = u da v: dw = diag(p), dv = v (p_ij / (w_j - w_i)), turned and stretched so
   that columns keep their length and phase */
static void eig_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                    const agn_tensor **ty)
{
    const agn_tensor *w = r->y[0], *v = r->y[1], *u = invert_vectors(s, r->x[0], w, v);
    const agn_tensor *p = ag_matmul(s, u, ag_matmul(s, t[0], v));
    ty[0] = agni_tie_diagonal(s, p, w, 1, false);
    const agn_tensor *dv = ag_matmul(s, v, agni_gap_quotient(s, p, w, w, 1, true));
    if (!dv || v->shape[v->ndim - 1] == 0) {
        ty[1] = dv;
        return;
    }
    const agn_tensor *along = ag_sum(s, ag_real(s, ag_mul(s, ag_conj(s, v), dv)),
                                     (const int32_t[]){-2}, 1, true);
    ty[1] = agni_hold_phases(s, v, ag_sub(s, dv, ag_mul(s, v, along)));
}

static void eigvals_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                        const agn_tensor **ty)
{
    const agn_tensor *y[2] = {NULL};
    if (!agni_apply_many_in(s, &agni_op_linalg_eig, NULL, 1, r->x, 2, y))
        return;
    const agn_tensor *u = invert_vectors(s, r->x[0], y[0], y[1]);
    ty[0] = agni_tie_diagonal(s, ag_matmul(s, u, ag_matmul(s, t[0], y[1])), y[0], 1, false);
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
RECORD(eig, 2, 0, "eigenvalues and vectors of a general matrix");
RECORD(eigvals, 1, 1, "eigenvalues of a general matrix");

const agn_tensor *agni_as_complex(agn_scope *s, const agn_tensor *x)
{
    x = agni_as_field(s, x);
    return x && agni_kind(x->dtype) != AGNI_KIND_COMPLEX
               ? ag_cast(s, x, x->dtype == AGN_F32 ? AGN_C64 : AGN_C128)
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
    const agn_tensor *x = agni_as_complex(s, a), *y[2] = {NULL};
    if (x)
        agni_apply_many_in(s, &agni_op_linalg_eig, NULL, 1, &x, 2, y);
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
