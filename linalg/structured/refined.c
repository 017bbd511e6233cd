/* linalg/structured/refined.c - solutions with error bounds (Higham 2002, chapters 7 and 12), by
   factors of half the digits, and in the way that zeros and symmetry of the matrix allow. */
#include "linalg/linalg.h"

#include <agnesi/ag.h>
#include <agnesi/linalg.h>
#include <string.h>

static agn_status infer_system(agni_call *c)
{
    const agn_tensor *a = c->in[0], *b = c->in[1];
    agn_status st = agni_check_square(c->op->name, a);
    st = st ? st : agni_check_matrix(c->op->name, b);
    if (st)
        return st;
    int64_t n = a->shape[a->ndim - 1];
    if (b->shape[b->ndim - 2] != n)
        return agni_fail(AGN_ESHAPE, "%s: rows differ: a is %s, b is %s", c->op->name,
                         AGNI_SHAPE(a), AGNI_SHAPE(b));
    st = agni_infer_batches(c, n, b->shape[b->ndim - 1]);
    for (int k = 1; k < c->nout; k++) {
        c->meta[k] = *c->meta;
        c->meta[k].ndim -= 2;
    }
    return st;
}

static agn_status infer_refined(agni_call *c)
{
    agn_status st = infer_system(c);
    agni_meta *o = c->meta;
    for (int k = 1; !st && k < 4; k++) {
        o[k].dtype = o->dtype == AGN_C64 ? AGN_F32 : o->dtype == AGN_C128 ? AGN_F64 : o->dtype;
        if (k > 1)
            o[k].shape[o[k].ndim++] = o->shape[o->ndim - 1];
    }
    return st;
}
static agn_status infer_any(agni_call *c)
{
    agn_status st = infer_system(c);
    if (!st)
        c->meta[1].dtype = AGN_I32;
    return st;
}

static const agn_tensor *rest_of(agn_scope *s, const agni_rule *r, const agn_tensor *const *t)
{
    const agn_tensor *rhs = t[1];
    if (t[0])
        rhs = agni_add_present(s, rhs, ag_neg(s, ag_matmul(s, t[0], r->y[0])));
    return rhs;
}

/* dx = a^-1 (db - da x); bounds are constants */
static void refined_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                        const agn_tensor **ty)
{
    ty[0] = ag_linalg_solve(s, r->x[0], rest_of(s, r, t));
}

static const agn_tensor *solve_by_looking(agn_scope *s, const agn_tensor *a, const agn_tensor *b)
{
    const agn_tensor *y[2] = {NULL};
    if (a && b)
        agni_apply_many_in(s, &agni_op_linalg_any_solve, NULL, 2, (const agn_tensor *[]){a, b}, 2,
                           y);
    return y[0];
}

static void any_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                    const agn_tensor **ty)
{
    ty[0] = solve_by_looking(s, r->x[0], rest_of(s, r, t));
}
static void any_vjp(agn_scope *s, const agni_rule *r, const agn_tensor *const *g, const bool *want,
                    const agn_tensor **gx)
{
    if (!g[0])
        return;
    const agn_tensor *w = solve_by_looking(s, agni_conjugate_transpose(s, r->x[0]), g[0]);
    if (want[1])
        gx[1] = agni_unbroadcast(s, w, r->x[1]);
    if (want[0])
        gx[0] = agni_unbroadcast(
            s, ag_neg(s, ag_matmul(s, w, agni_conjugate_transpose(s, r->y[0]))), r->x[0]);
}

static agni_slots slots[3];
const agni_op agni_op_linalg_mixed_solve = {
    .name = "linalg_mixed_solve",
    .takes = "a b",
    .cls = AGNI_SOLVE,
    .nin = 2,
    .nout = 2,
    .dtypes = AGNI_FIELDS,
    .diff = 3,
    .promote = 3,
    .ew = -1,
    .infer = infer_any,
    .cpu = agni_cpu_mixed_solve,
    .may_fail = true,
    .jvp = refined_jvp,
    .batch = agni_batch_aligned,
    .slots = &slots[2],
    .lo = -2,
    .hi = 2,
    .lo2 = -2,
    .hi2 = 2,
    .doc = "x of a x = b by factors of half the digits, and steps of refinement"};
const agni_op agni_op_linalg_refined_solve = {
    .name = "linalg_refined_solve",
    .takes = "a b",
    .cls = AGNI_SOLVE,
    .nin = 2,
    .nout = 4,
    .dtypes = AGNI_FIELDS,
    .diff = 3,
    .promote = 3,
    .ew = -1,
    .infer = infer_refined,
    .cpu = agni_cpu_refined_solve,
    .may_fail = true,
    .jvp = refined_jvp,
    .batch = agni_batch_aligned,
    .slots = &slots[0],
    .lo = -2,
    .hi = 2,
    .lo2 = -2,
    .hi2 = 2,
    .doc = "x of a x = b, refined, condition and error bounds"};
const agni_op agni_op_linalg_any_solve = {
    .name = "linalg_any_solve",
    .takes = "a b",
    .cls = AGNI_SOLVE,
    .nin = 2,
    .nout = 2,
    .dtypes = AGNI_FIELDS,
    .diff = 3,
    .promote = 3,
    .ew = -1,
    .infer = infer_any,
    .cpu = agni_cpu_any_solve,
    .may_fail = true,
    .jvp = any_jvp,
    .vjp = any_vjp,
    .batch = agni_batch_aligned,
    .slots = &slots[1],
    .lo = -2,
    .hi = 2,
    .lo2 = -2,
    .hi2 = 2,
    .doc = "x of a x = b as the structure of a allows, and the kind found"};

static agn_status check_system(const char *op, const agn_tensor *a, const agn_tensor *b)
{
    agn_status st = agni_need_square(op, a);
    if (!st && b->layout != AGN_DENSE)
        st = agni_fail(AGN_EUNSUPPORTED, "%s: b is sparse, a dense one is needed: %s", op,
                       AGNI_SHAPE(b));
    if (!st && (b->ndim == 0 || b->shape[b->ndim == 1 ? 0 : b->ndim - 2] != a->shape[a->ndim - 1]))
        st = agni_fail(AGN_ESHAPE, "%s: rows differ: a is %s, b is %s", op, AGNI_SHAPE(a),
                       AGNI_SHAPE(b));
    return st;
}

agn_status agn_linalg_solve_refined(agn_tensor **out, agn_tensor **rcond, agn_tensor **forward,
                                    agn_tensor **backward, const agn_tensor *a, const agn_tensor *b)
{
    static const char op[] = "linalg_solve_refined";
    AGNI_NEED(op, out);
    AGNI_NEED(op, rcond);
    AGNI_NEED(op, forward);
    AGNI_NEED(op, backward);
    AGNI_NEED(op, a);
    AGNI_NEED(op, b);
    agn_status st = check_system(op, a, b);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    bool one = b->ndim == 1;
    const agn_tensor *in[2] = {agni_as_field(s, a),
                               agni_as_field(s, one ? ag_expand_dims(s, b, -1) : b)},
                     *y[4] = {NULL};
    if (in[0] && in[1])
        agni_apply_many_in(s, &agni_op_linalg_refined_solve, NULL, 2, in, 4, y);
    agn_tensor **const to[4] = {out, rcond, forward, backward};
    for (int k = 0; k < 4; k++)
        agn_scope_return(s, to[k], one && y[k] && k != 1 ? ag_squeeze(s, y[k], -1) : y[k]);
    return agni_rename_error(op, agn_scope_close(s));
}

/* x and what else the op says of each matrix */
static agn_status solve_and_tell(const char *op, const agni_op *by, agn_tensor **out,
                                 agn_tensor **told, const agn_tensor *a, const agn_tensor *b)
{
    agn_status st = check_system(op, a, b);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    bool one = b->ndim == 1;
    const agn_tensor *in[2] = {agni_as_field(s, a),
                               agni_as_field(s, one ? ag_expand_dims(s, b, -1) : b)},
                     *y[2] = {NULL};
    if (in[0] && in[1])
        agni_apply_many_in(s, by, NULL, 2, in, 2, y);
    agn_scope_return(s, out, one && y[0] ? ag_squeeze(s, y[0], -1) : y[0]);
    if (told)
        agn_scope_return(s, told, y[1]);
    return agni_rename_error(op, agn_scope_close(s));
}

agn_status agn_linalg_solve_structured(agn_tensor **out, agn_tensor **kind, const agn_tensor *a,
                                       const agn_tensor *b)
{
    static const char op[] = "linalg_solve_structured";
    AGNI_NEED(op, out);
    AGNI_NEED(op, a);
    AGNI_NEED(op, b);
    return solve_and_tell(op, &agni_op_linalg_any_solve, out, kind, a, b);
}

agn_status agn_linalg_solve_mixed(agn_tensor **out, agn_tensor **steps, const agn_tensor *a,
                                  const agn_tensor *b)
{
    static const char op[] = "linalg_solve_mixed";
    AGNI_NEED(op, out);
    AGNI_NEED(op, a);
    AGNI_NEED(op, b);
    return solve_and_tell(op, &agni_op_linalg_mixed_solve, out, steps, a, b);
}
