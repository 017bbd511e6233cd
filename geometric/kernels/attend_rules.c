/* geometric/kernels/attend_rules.c - tangents and cotangents of attention by terms of nodes:
   sums of the same kind, so that they may be differentiated again, and nothing is written for an
   edge. */
#include "geometric/kernels/attend.h"

#include <agnesi/ag.h>

enum {
    A = AGNI_ATTEND_A,
    B = AGNI_ATTEND_B,
    L = AGNI_ATTEND_L,
    X = AGNI_ATTEND_X,
    Z = AGNI_ATTEND_Z
};

static agni_attending read_attributes(const agni_rule *r)
{
    return (agni_attending){r->at->obj, r->at->i[0], r->at->i[1], r->at->f[0]};
}
static agni_attending increase_power(agni_attending q)
{
    q.power++;
    return q;
}
static agni_attending swap_sides(agni_attending q)
{
    q.to = 1 - q.to;
    return q;
}
/* the term of scores that stands at the side of the result, and the other one */
static int near_term(agni_attending q)
{
    return q.to == AGN_GRAPH_DST ? B : A;
}

static const agn_tensor *sum_attended(agn_scope *s, agni_attending q, const agni_rule *r,
                                      const agn_tensor *x)
{
    return agni_graph_attend(s, q, r->x[A], r->x[B], r->x[L], x);
}
static const agn_tensor *dot_attended(agn_scope *s, agni_attending q, const agni_rule *r,
                                      const agn_tensor *x, const agn_tensor *z)
{
    return agni_graph_attend_dot(s, q, r->x[A], r->x[B], r->x[L], x, z);
}
static const agn_tensor *unbroadcast_present(agn_scope *s, const agn_tensor *y, const agn_tensor *x)
{
    return y ? agni_unbroadcast(s, y, x) : NULL;
}
/* a product; NULL after a failure */
static const agn_tensor *multiply_present(agn_scope *s, const agn_tensor *a, const agn_tensor *b)
{
    return a && b ? ag_mul(s, a, b) : NULL;
}
static const agn_tensor *negate_present(agn_scope *s, const agn_tensor *a)
{
    return a ? ag_neg(s, a) : NULL;
}
static void add_to(agn_scope *s, const agn_tensor **sum, const agn_tensor *part)
{
    *sum = *sum ? agni_add_present(s, *sum, part) : part;
}

/* sums with x, or with x and z: what z and the kind of sum leave alike */
static const agn_tensor *sum_of(agn_scope *s, agni_attending q, const agni_rule *r,
                                const agn_tensor *x, const agn_tensor *z)
{
    return z ? dot_attended(s, q, r, x, z) : sum_attended(s, q, r, x);
}

/* ---- tangents -------------------------------------------------------------------------------- */

/* of the sums with x (and z), by tangents of a, b, l, x (and z) */
static const agn_tensor *tangent_of_sum(agn_scope *s, agni_attending q, const agni_rule *r,
                                        const agn_tensor *const *t, const agn_tensor *z,
                                        const agn_tensor *tz)
{
    const agn_tensor *x = r->x[X], *y = NULL, *near = t[near_term(q)],
                     *far = t[near_term(swap_sides(q))];
    if (t[X])
        add_to(s, &y, sum_of(s, q, r, t[X], z));
    if (tz)
        add_to(s, &y, dot_attended(s, q, r, x, tz));
    if (near)
        add_to(s, &y, multiply_present(s, near, sum_of(s, increase_power(q), r, x, z)));
    if (far)
        add_to(s, &y, sum_of(s, increase_power(q), r, multiply_present(s, far, x), z));
    if (t[L] && q.to == AGN_GRAPH_DST)
        add_to(s, &y, negate_present(s, multiply_present(s, t[L], sum_of(s, q, r, x, z))));
    else if (t[L])
        add_to(s, &y, negate_present(s, sum_of(s, q, r, multiply_present(s, t[L], x), z)));
    return y;
}

void agni_attend_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                     const agn_tensor **ty)
{
    ty[0] = tangent_of_sum(s, read_attributes(r), r, t, NULL, NULL);
}

void agni_attend_dot_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                         const agn_tensor **ty)
{
    ty[0] = tangent_of_sum(s, read_attributes(r), r, t, r->x[Z], t[Z]);
}

/* a cotangent or a tangent in the shape of y, whose batch may be larger */
static const agn_tensor *spread_heads(agn_scope *s, const agn_tensor *t, const agn_tensor *y)
{
    return t ? agni_broadcast(s, t, y->ndim, y->shape) : NULL;
}

void agni_attend_plus_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                          const agn_tensor **ty)
{
    const agn_tensor *y = tangent_of_sum(s, read_attributes(r), r, t, NULL, NULL);
    for (int i = 4; i < 8; i++)
        if (t[i])
            add_to(s, &y, multiply_present(s, t[i], r->x[i % 2 ? i - 1 : i + 1]));
    ty[0] = spread_heads(s, y, r->y[0]);
}

static const agn_tensor *ones_at(agn_scope *s, agni_attending q, int64_t side,
                                 const agn_tensor *like)
{
    int64_t shape[3] = {agni_graph_count((const agn_graph *)q.graph, side),
                        like->shape[like->ndim - 2], 1};
    return agni_full(s, 1, like->dtype, 3, shape);
}

/* weights of which the sum is 1 */
void agni_attend_norm_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                          const agn_tensor **ty)
{
    agni_attending q = increase_power(read_attributes(r));
    const agn_tensor *a = r->x[A], *b = r->x[B], *l = r->y[0], *y = NULL;
    if (t[A])
        add_to(s, &y, agni_graph_attend(s, q, a, b, l, t[A]));
    if (t[B])
        add_to(s, &y,
               multiply_present(s, t[B],
                                agni_graph_attend(s, q, a, b, l, ones_at(s, q, AGN_GRAPH_SRC, l))));
    ty[0] = y;
}

/* ---- cotangents ------------------------------------------------------------------------------ */

/* of a, b, l and x, for a sum with x whose rows have the cotangents g */
static void pull_sum(agn_scope *s, agni_attending q, const agni_rule *r, const agn_tensor *g,
                     const bool *want, const agn_tensor **gx)
{
    int near = near_term(q), far = near_term(swap_sides(q));
    const agn_tensor *x = r->x[X];
    if (want[X])
        gx[X] = unbroadcast_present(s, sum_attended(s, swap_sides(q), r, g), x);
    if (want[near])
        gx[near] = unbroadcast_present(s, dot_attended(s, increase_power(q), r, x, g), r->x[near]);
    if (want[far])
        gx[far] = unbroadcast_present(s, dot_attended(s, increase_power(swap_sides(q)), r, g, x),
                                      r->x[far]);
    if (want[L] && q.to == AGN_GRAPH_DST)
        gx[L] = unbroadcast_present(s, negate_present(s, dot_attended(s, q, r, x, g)), r->x[L]);
    else if (want[L])
        gx[L] = unbroadcast_present(s, negate_present(s, dot_attended(s, swap_sides(q), r, g, x)),
                                    r->x[L]);
}

void agni_attend_vjp(agn_scope *s, const agni_rule *r, const agn_tensor *const *g, const bool *want,
                     const agn_tensor **gx)
{
    if (g[0])
        pull_sum(s, read_attributes(r), r, g[0], want, gx);
}

void agni_attend_dot_vjp(agn_scope *s, const agni_rule *r, const agn_tensor *const *g,
                         const bool *want, const agn_tensor **gx)
{
    agni_attending q = read_attributes(r);
    if (!g[0])
        return;
    if (want[A] || want[B] || want[L] || want[X])
        pull_sum(s, q, r, multiply_present(s, g[0], r->x[Z]), want, gx);
    if (want[Z])
        gx[Z] = unbroadcast_present(s, multiply_present(s, g[0], sum_attended(s, q, r, r->x[X])),
                                    r->x[Z]);
}

/* sums of g times a row, over the width, or over the nodes */
void agni_attend_plus_vjp(agn_scope *s, const agni_rule *r, const agn_tensor *const *g,
                          const bool *want, const agn_tensor **gx)
{
    if (!g[0])
        return;
    pull_sum(s, read_attributes(r), r, g[0], want, gx);
    for (int i = 4; i < 8; i++)
        if (want[i])
            gx[i] = unbroadcast_present(s, multiply_present(s, g[0], r->x[i % 2 ? i - 1 : i + 1]),
                                        r->x[i]);
}

void agni_attend_norm_vjp(agn_scope *s, const agni_rule *r, const agn_tensor *const *g,
                          const bool *want, const agn_tensor **gx)
{
    agni_attending q = increase_power(read_attributes(r));
    const agn_tensor *a = r->x[A], *b = r->x[B], *l = r->y[0];
    if (!g[0])
        return;
    if (want[A])
        gx[A] = unbroadcast_present(s, agni_graph_attend(s, swap_sides(q), a, b, l, g[0]), a);
    if (want[B])
        gx[B] = unbroadcast_present(
            s,
            multiply_present(s, g[0],
                             agni_graph_attend(s, q, a, b, l, ones_at(s, q, AGN_GRAPH_SRC, l))),
            b);
}
