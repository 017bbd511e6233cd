/* linalg/spectral_gaps.c - what derivatives of eigenvalues and singular values are made of:
   quotients by gaps, and diagonals, that know of ties (Kato 1995, II.2; Magnus 1985).

   Order counts how often the rule was applied to itself. A quotient by a gap g loses eps ||a|| / g,
   one of order k that to the power k: pairs nearer than eps^(1/2k) ||a|| are a tie, at which a
   quotient is 0 where its numerator is, and else there is none. Of order 0 are quotients by pivots,
   where rounding alone makes a tie. */
#include "linalg/linalg.h"

#include <agnesi/ag.h>
#include <string.h>

/* ---- shapes ---------------------------------------------------------------------- */

static bool same_batch(const agn_tensor *p, int pa, const agn_tensor *u, int ua)
{
    return p->ndim - pa == u->ndim - ua &&
           !memcmp(p->shape, u->shape, (size_t)(p->ndim - pa) * sizeof *p->shape);
}

static agn_status refuse_shapes(const agni_call *c)
{
    return agni_fail(AGN_ESHAPE, "%s: sizes differ: the first is %s, the second %s", c->op->name,
                     AGNI_SHAPE(c->in[0]), AGNI_SHAPE(c->in[1]));
}

static agn_status infer_quotient(agni_call *c)
{
    const agn_tensor *p = c->in[0], *u = c->in[1], *v = c->in[2];
    if (p->ndim < 2 || u->ndim < 1 || v->ndim < 1 || !same_batch(p, 2, u, 1) ||
        !same_batch(p, 2, v, 1) || u->shape[u->ndim - 1] != p->shape[p->ndim - 2] ||
        v->shape[v->ndim - 1] != p->shape[p->ndim - 1])
        return refuse_shapes(c);
    return agni_infer_same(c);
}

static int real_partner(int dtype)
{
    return dtype == AGN_C64 ? AGN_F32 : dtype == AGN_C128 ? AGN_F64 : dtype;
}

/* p [..., n, n] and w [..., n] of its real dtype, or of its own: values of a general matrix */
static agn_status infer_diagonal(agni_call *c)
{
    const agn_tensor *p = c->in[0], *w = c->in[1];
    if (p->ndim < 2 || w->ndim < 1 || !same_batch(p, 2, w, 1) ||
        w->shape[w->ndim - 1] != p->shape[p->ndim - 2] ||
        w->shape[w->ndim - 1] != p->shape[p->ndim - 1])
        return refuse_shapes(c);
    if (w->dtype != real_partner(p->dtype) && w->dtype != p->dtype)
        return agni_fail(AGN_EDTYPE, "%s: the matrix is %s, the values are %s", c->op->name,
                         agni_dtypes[p->dtype].name, agni_dtypes[w->dtype].name);
    agni_meta *o = c->meta;
    o->dtype = w->dtype;
    o->ndim = w->ndim;
    memcpy(o->shape, w->shape, (size_t)w->ndim * sizeof *w->shape);
    return AGN_OK;
}

static agn_status infer_embed(agni_call *c)
{
    const agn_tensor *g = c->in[0], *w = c->in[1];
    if (g->ndim < 1 || g->ndim >= AGNI_MAX_RANK || !same_batch(g, 0, w, 0))
        return refuse_shapes(c);
    agn_status st = agni_infer_same(c);
    if (!st) {
        c->meta->shape[c->meta->ndim] = g->shape[g->ndim - 1];
        c->meta->ndim++;
    }
    return st;
}

/* ---- applying -------------------------------------------------------------------- */

const agn_tensor *agni_gap_quotient(agn_scope *s, const agn_tensor *p, const agn_tensor *u,
                                    const agn_tensor *v, int64_t order, bool skip)
{
    return agni_apply_in(s, &agni_op_linalg_gap_quotient,
                         &(agni_attr){.ni = 2, .i = (const int64_t[]){order, skip}}, 3,
                         (const agn_tensor *[]){p, u, v});
}

const agn_tensor *agni_tie_diagonal(agn_scope *s, const agn_tensor *p, const agn_tensor *w,
                                    int64_t order, bool zero)
{
    return agni_apply_in(s, &agni_op_linalg_tie_diagonal,
                         &(agni_attr){.ni = 2, .i = (const int64_t[]){order, zero}}, 2,
                         (const agn_tensor *[]){p, w});
}

static const agn_tensor *tie_embed(agn_scope *s, const agn_tensor *g, const agn_tensor *w,
                                   int64_t order, bool zero)
{
    return agni_apply_in(s, &agni_op_linalg_tie_embed,
                         &(agni_attr){.ni = 2, .i = (const int64_t[]){order, zero}}, 2,
                         (const agn_tensor *[]){g, w});
}

/* ---- rules ----------------------------------------------------------------------- */

/* y_ij (v_j - u_i) = p_ij: the quotient of dp_ij - y_ij (dv_j - du_i) */
static void quotient_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                         const agn_tensor **ty)
{
    const agn_tensor *rhs = t[0];
    if (t[1])
        rhs = agni_add_present(s, rhs, ag_mul(s, r->y[0], ag_expand_dims(s, t[1], -1)));
    if (t[2])
        rhs = agni_add_present(s, rhs,
                               ag_neg(s, ag_mul(s, r->y[0], ag_expand_dims(s, t[2], -2))));
    ty[0] = agni_gap_quotient(s, rhs, r->x[1], r->x[2], r->at->i[0] + 1, r->at->i[1]);
}

static void quotient_vjp(agn_scope *s, const agni_rule *r, const agn_tensor *const *g,
                         const bool *want, const agn_tensor **gx)
{
    /* in p alone it is the same function; that of the values is one order more */
    int64_t order = r->at->i[0] + (want[1] || want[2]);
    const agn_tensor *h = agni_gap_quotient(s, g[0], agni_conjugate_dense(s, r->x[1]),
                                            agni_conjugate_dense(s, r->x[2]), order, r->at->i[1]);
    gx[0] = want[0] ? h : NULL;
    if (!want[1] && !want[2])
        return;
    const agn_tensor *both = ag_mul(s, h, agni_conjugate_dense(s, r->y[0]));
    if (want[1])
        gx[1] = ag_sum(s, both, (const int32_t[]){-1}, 1, false);
    if (want[2])
        gx[2] = ag_neg(s, ag_sum(s, both, (const int32_t[]){-2}, 1, false));
}

static void diagonal_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                         const agn_tensor **ty)
{
    ty[0] = agni_tie_diagonal(s, t[0], r->x[1], r->at->i[0] + 1, r->at->i[1]);
}
static void diagonal_vjp(agn_scope *s, const agni_rule *r, const agn_tensor *const *g,
                         const bool *want, const agn_tensor **gx)
{
    if (want[0])
        gx[0] = agni_cast(s, tie_embed(s, g[0], r->x[1], r->at->i[0], r->at->i[1]), r->x[0]->dtype);
}
static void embed_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                      const agn_tensor **ty)
{
    ty[0] = tie_embed(s, t[0], r->x[1], r->at->i[0] + 1, r->at->i[1]);
}
static void embed_vjp(agn_scope *s, const agni_rule *r, const agn_tensor *const *g,
                      const bool *want, const agn_tensor **gx)
{
    if (want[0])
        gx[0] = agni_tie_diagonal(s, g[0], r->x[1], r->at->i[0] + 1, r->at->i[1]);
}

/* ---- records --------------------------------------------------------------------- */

static agni_slots slots[3];
const agni_op agni_op_linalg_gap_quotient = {.name = "linalg_gap_quotient",
                                             .takes = "p u v order:i skip:b",
                                             .cls = AGNI_SOLVE,
                                             .nin = 3,
                                             .nout = 1,
                                             .dtypes = AGNI_FIELDS,
                                             .diff = 7,
                                             .promote = 7,
                                             .result = AGNI_OUT_SAME,
                                             .ew = -1,
                                             .contiguous = true,
                                             .infer = infer_quotient,
                                             .cpu = agni_cpu_gap_quotient,
                                             .jvp = quotient_jvp,
                                             .vjp = quotient_vjp,
                                             .batch = agni_batch_all,
                                             .slots = &slots[0],
                                             .lo = -2,
                                             .hi = 2,
                                             .lo2 = -9,
                                             .hi2 = -4,
                                             .lo3 = 4,
                                             .hi3 = 9,
                                             .doc = "quotients by differences of eigenvalues"};
const agni_op agni_op_linalg_tie_diagonal = {.name = "linalg_tie_diagonal",
                                             .takes = "p w order:i zero:b",
                                             .cls = AGNI_SOLVE,
                                             .nin = 2,
                                             .nout = 1,
                                             .dtypes = AGNI_FIELDS,
                                             .diff = 1,
                                             .promote = 1,
                                             .ew = -1,
                                             .contiguous = true,
                                             .infer = infer_diagonal,
                                             .cpu = agni_cpu_tie_diagonal,
                                             .jvp = diagonal_jvp,
                                             .vjp = diagonal_vjp,
                                             .batch = agni_batch_all,
                                             .slots = &slots[1],
                                             .lo = -2,
                                             .hi = 2,
                                             .lo2 = -2,
                                             .hi2 = 2,
                                             .doc = "derivatives of eigenvalues"};
const agni_op agni_op_linalg_tie_embed = {.name = "linalg_tie_embed",
                                          .takes = "g w order:i zero:b",
                                          .cls = AGNI_SOLVE,
                                          .nin = 2,
                                          .nout = 1,
                                          .dtypes = AGNI_FIELDS,
                                          .diff = 1,
                                          .promote = 3,
                                          .result = AGNI_OUT_SAME,
                                          .ew = -1,
                                          .contiguous = true,
                                          .infer = infer_embed,
                                          .cpu = agni_cpu_tie_embed,
                                          .jvp = embed_jvp,
                                          .vjp = embed_vjp,
                                          .batch = agni_batch_all,
                                          .slots = &slots[2],
                                          .lo = -2,
                                          .hi = 2,
                                          .lo2 = -2,
                                          .hi2 = 2,
                                          .doc = "cotangents of eigenvalues as a diagonal matrix"};
