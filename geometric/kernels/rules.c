/* geometric/kernels/rules.c - adjoints and tangents of message passing. Nothing here writes one
   message an edge: a cotangent of nodes is again a reduction over edges. */
#include "geometric/kernels/kernels.h"

#include <agnesi/ag.h>
#include <string.h>

/* ---- applying -------------------------------------------------------------------------------- */

static const agn_tensor *apply_kernel(agn_scope *s, const agni_op *op, agni_at g, int ni,
                                      const int64_t *i, int nin, const agn_tensor *const *in)
{
    for (int k = 0; k < nin; k++)
        if (!in[k])
            return NULL;
    agni_attr at = {.ni = ni, .i = i, .obj = (agni_obj *)(uintptr_t)g.graph};
    return agni_apply_in(s, op, &at, nin, in);
}

const agn_tensor *agni_graph_copy(agn_scope *s, agni_at g, const agn_tensor *x, int64_t from,
                                  int64_t to)
{
    return apply_kernel(s, &agni_op_graph_copy, g, 3, (int64_t[]){from, to, g.features}, 1, &x);
}

const agn_tensor *agni_graph_add(agn_scope *s, agni_at g, const agn_tensor *a, int64_t at_a,
                                 const agn_tensor *b, int64_t at_b, int64_t to, bool minus)
{
    return apply_kernel(s, &agni_op_graph_add, g, 5, (int64_t[]){at_a, at_b, to, g.features, minus},
                        2, (const agn_tensor *[]){a, b});
}

const agn_tensor *agni_graph_mul(agn_scope *s, agni_at g, const agn_tensor *a, int64_t at_a,
                                 const agn_tensor *b, int64_t at_b, int64_t to, const int64_t *sums)
{
    int64_t i[3 + AGNI_MAX_RANK] = {at_a, at_b, to};
    if (sums)
        memcpy(i + 3, sums, (size_t)g.features * sizeof *i);
    return apply_kernel(s, &agni_op_graph_mul, g, 3 + g.features, i, 2,
                        (const agn_tensor *[]){a, b});
}

const agn_tensor *agni_graph_div(agn_scope *s, agni_at g, const agn_tensor *a, int64_t at_a,
                                 const agn_tensor *b, int64_t at_b, int64_t to)
{
    return apply_kernel(s, &agni_op_graph_div, g, 4, (int64_t[]){at_a, at_b, to, g.features}, 2,
                        (const agn_tensor *[]){a, b});
}

const agn_tensor *agni_graph_extreme(agn_scope *s, agni_at g, const agn_tensor *a, int64_t at_a,
                                     const agn_tensor *b, int64_t at_b, int64_t to, int message,
                                     bool largest)
{
    return apply_kernel(s, &agni_op_graph_extreme, g, 6,
                        (int64_t[]){at_a, at_b, to, message, g.features, largest}, 2,
                        (const agn_tensor *[]){a, b});
}

const agn_tensor *agni_graph_softmax(agn_scope *s, agni_at g, const agn_tensor *x, int64_t side)
{
    return apply_kernel(s, &agni_op_graph_softmax, g, 2, (int64_t[]){side, g.features}, 1, &x);
}

/* ---- what rules share ----------------------------------------------------------------------- */

static agni_at place_of(const agni_rule *r, const agni_graph_form *f)
{
    return (agni_at){r->at->obj, f->features};
}
static agni_graph_form form_of(const agni_rule *r)
{
    agni_graph_form f;
    agni_graph_read_form(&f, r->op->name, r->at->ni, r->at->i, r->at->obj);
    return f;
}

/* ones at a side, [n, 1...]: broadcast to all features */
static const agn_tensor *ones_at(agn_scope *s, const agni_graph_form *f, int64_t side, int dtype)
{
    int64_t shape[AGNI_MAX_RANK] = {agni_graph_count(f->g, side)};
    for (int d = 0; d < f->features; d++)
        shape[1 + d] = 1;
    return agni_full(s, 1, dtype, 1 + f->features, shape);
}

/* Which feature axes are summed in the cotangent of x: those that it has one element of. True where
   there are any. */
static bool axes_to_sum(const agni_graph_form *f, const agn_tensor *x, int n,
                        const agn_tensor *const *others, int64_t *sums)
{
    bool any = false;
    for (int d = 0; d < f->features; d++) {
        int back = f->features - d;
        sums[d] = 0;
        for (int k = 0; k < n; k++)
            sums[d] |= x->shape[x->ndim - back] == 1 &&
                       others[k]->shape[others[k]->ndim - back] != 1;
        any |= sums[d] != 0;
    }
    return any;
}

/* the cotangent y of x in the shape of x: one element of a feature axis may stand for all of it */
static const agn_tensor *fit_shape(agn_scope *s, const agni_graph_form *f, const agn_tensor *y,
                                   const agn_tensor *x)
{
    int64_t shape[AGNI_MAX_RANK];
    if (!y)
        return NULL;
    memcpy(shape, y->shape, (size_t)y->ndim * sizeof *shape);
    for (int back = 1; back <= f->features; back++)
        shape[y->ndim - back] = x->shape[x->ndim - back];
    y = agni_broadcast(s, y, y->ndim, shape);
    return y ? agni_unbroadcast(s, y, x) : NULL;
}

/* ---- linear in each argument ---------------------------------------------------------------- */

const agn_tensor *agni_graph_copy_transpose(agn_scope *s, const agni_rule *r, int i,
                                            const agn_tensor *g)
{
    agni_graph_form f = form_of(r);
    (void)i;
    return agni_graph_copy(s, place_of(r, &f), g, f.to, f.at[0]);
}

const agn_tensor *agni_graph_add_transpose(agn_scope *s, const agni_rule *r, int i,
                                           const agn_tensor *g)
{
    agni_graph_form f = form_of(r);
    int64_t sums[AGNI_MAX_RANK];
    const agn_tensor *y;
    if (axes_to_sum(&f, r->x[i], 1, &g, sums))
        y = agni_graph_mul(s, place_of(r, &f), g, f.to, ones_at(s, &f, f.to, g->dtype), f.to,
                           f.at[i], sums);
    else
        y = agni_graph_copy(s, place_of(r, &f), g, f.to, f.at[i]);
    if (y && i == 1 && f.message == AGNI_MESSAGE_SUB)
        y = ag_neg(s, y);
    return fit_shape(s, &f, y, r->x[i]);
}

const agn_tensor *agni_graph_mul_transpose(agn_scope *s, const agni_rule *r, int i,
                                           const agn_tensor *g)
{
    agni_graph_form f = form_of(r);
    int64_t sums[AGNI_MAX_RANK];
    const agn_tensor *others[2] = {g, r->x[!i]};
    axes_to_sum(&f, r->x[i], 2, others, sums);
    const agn_tensor *y = agni_graph_mul(s, place_of(r, &f), g, f.to, r->x[!i], f.at[!i], f.at[i],
                                         sums);
    return fit_shape(s, &f, y, r->x[i]);
}

static const agn_tensor *apply_tie(agn_scope *s, const agni_graph_form *f,
                                   const agn_tensor *const *in, const int64_t *at, int64_t to,
                                   const int64_t *sums)
{
    int64_t i[7 + AGNI_MAX_RANK] = {at[0], at[1], at[2], at[3], at[4], to, f->message};
    if (sums)
        memcpy(i + 7, sums, (size_t)f->features * sizeof *i);
    return apply_kernel(s, &agni_op_graph_tie, (agni_at){&f->g->head, f->features}, 7 + f->features,
                        i, 5, in);
}

const agn_tensor *agni_graph_tie_transpose(agn_scope *s, const agni_rule *r, int i,
                                           const agn_tensor *g)
{
    agni_graph_form f = form_of(r);
    int64_t sums[AGNI_MAX_RANK];
    int other = i == 3 ? 4 : 3;
    const agn_tensor *in[5] = {r->x[0], r->x[1], r->x[2], g, r->x[other]};
    int64_t at[5] = {f.at[0], f.at[1], f.at[2], f.to, f.at[other]};
    axes_to_sum(&f, r->x[i], 5, in, sums);
    const agn_tensor *y = apply_tie(s, &f, in, at, f.at[i], sums);
    return fit_shape(s, &f, y, r->x[i]);
}

/* ---- tangents ------------------------------------------------------------------------------- */

/* t / b / b, not t / b^2, which is 0 or infinite long before */
static const agn_tensor *divide_twice(agn_scope *s, const agn_tensor *t, const agn_tensor *inverse)
{
    return ag_mul(s, inverse, ag_mul(s, inverse, t));
}

/* d(a / b) = da (1 / b) - a (db / b^2) */
void agni_graph_div_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                        const agn_tensor **ty)
{
    agni_graph_form f = form_of(r);
    agni_at g = place_of(r, &f);
    const agn_tensor *one = ag_reciprocal(s, r->x[1]), *y = NULL;
    if (t[0])
        y = agni_graph_mul(s, g, t[0], f.at[0], one, f.at[1], f.to, NULL);
    if (t[1]) {
        const agn_tensor *u = divide_twice(s, t[1], one);
        u = agni_graph_mul(s, g, r->x[0], f.at[0], u, f.at[1], f.to, NULL);
        y = t[0] ? ag_sub(s, y, u) : ag_neg(s, u);
    }
    ty[0] = y;
}

/* The mean of the tangents of the messages that attain the extreme; if there are NaN, of these. */
void agni_graph_extreme_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                            const agn_tensor **ty)
{
    agni_graph_form f = form_of(r);
    const agn_tensor *a = r->x[0], *b = r->x[1], *one = ones_at(s, &f, f.to, r->y[0]->dtype), *p[2],
                     *q[2];
    const agn_tensor *in[5] = {r->y[0], a, b, one, one}, *sum = NULL;
    int64_t at[5] = {f.to, f.at[0], f.at[1], f.to, f.to};
    if (!one)
        return;
    const agn_tensor *many = apply_tie(s, &f, in, at, f.to, NULL);
    const agn_tensor *inverse = f.message == AGNI_MESSAGE_DIV ? ag_reciprocal(s, b) : NULL;
    for (int i = 0; i < 2; i++) {
        int64_t at_q = f.to;
        p[i] = t[i];
        q[i] = one;
        if (!t[i] || (i == 1 && f.message == AGNI_MESSAGE_COPY))
            continue;
        if (f.message == AGNI_MESSAGE_MUL) {
            q[i] = r->x[!i];
            at_q = f.at[!i];
        } else if (f.message == AGNI_MESSAGE_DIV) {
            p[i] = i ? ag_neg(s, divide_twice(s, t[1], inverse)) : t[0];
            q[i] = i ? a : inverse;
            at_q = f.at[!i];
        } else if (f.message == AGNI_MESSAGE_SUB && i == 1) {
            p[i] = ag_neg(s, t[1]);
        }
        in[3] = p[i];
        in[4] = q[i];
        at[3] = f.at[i];
        at[4] = at_q;
        const agn_tensor *u = apply_tie(s, &f, in, at, f.to, NULL);
        sum = sum ? ag_add(s, sum, u) : u;
    }
    many = many ? ag_maximum_c(s, many, 1) : NULL;
    ty[0] = sum && many ? ag_div(s, sum, many) : NULL;
}

/* y (t - sum y t); where y is 0 and t is not finite there is no slope */
void agni_graph_softmax_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                            const agn_tensor **ty)
{
    agni_at g = {r->at->obj, (int)r->at->i[1]};
    int64_t side = r->at->i[0];
    const agn_tensor *w = ag_mulz(s, r->y[0], t[0]);
    const agn_tensor *sum = w ? agni_graph_copy(s, g, w, AGN_GRAPH_EDGE, side) : NULL;
    const agn_tensor *u = sum ? agni_graph_mul(s, g, r->y[0], AGN_GRAPH_EDGE, sum, side,
                                               AGN_GRAPH_EDGE, NULL)
                              : NULL;
    ty[0] = u ? ag_sub(s, w, u) : NULL;
}
