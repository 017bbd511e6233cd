/* graph/passes/like_terms.c - like terms of sums of products are one, and a factor of several terms
   stands once before them (Horner's rule for several variables: Ceberio and Kreinovich 2004):

       y^2 g + 2 y (y g) = 3 y^2 g,     2 y (y h + g r) + 4 y g r + y^2 h = y (3 y h + 6 g r)

   Powers that are written as products, and derivatives of them, are full of such sums, and what
   varies along fewer axes is added before it meets the rest. No product
   is spread over a sum, which could cancel; terms of two signs stay apart; numbers go into a sum
   where they are powers of two. Products are formed in another order, and round accordingly. */
#include "graph/passes/ir.h"

#include <math.h>
#include <string.h>

enum { MOST_TERMS = 12, MOST_FACTORS = 6, MOST_NODES = 64 /* that one sum looks at */, NONE = -1 };

/* c times the values factor[], in ascending order */
typedef struct monomial {
    double c;
    int32_t n, factor[MOST_FACTORS];
} monomial;
typedef struct polynomial {
    int32_t n;
    monomial term[MOST_TERMS];
} polynomial;

typedef struct collecting {
    const agni_ir *ir;
    int32_t *use, *name; /* of values: how often each is read; its name in the new program */
    bool *inside;        /* of values: within a sum that is written anew */
    bool *root;          /* of nodes: a sum to be written anew */
    const agn_tensor *like;
    int32_t axes;        /* of the sum in hand, a bit each */
    int32_t saved, seen; /* nodes of its size less, and looked at, for the sum in hand */
    bool joined, factored, negated, any; /* negated: a sum within a difference is its terms */
} collecting;

/* ---- a value as terms ------------------------------------------------------------------------ */

static bool match_number(const agni_ir *ir, int32_t v, double *c)
{
    const agni_ir_value *q = agni_broadcast_source(ir, v);
    *c = q->num;
    return q->constant && q->splat;
}
static const agni_pnode *definition(const collecting *w, int32_t v)
{
    int32_t k = w->ir->val[v].node;
    const agn_tensor *t = w->ir->val[v].t;
    bool fits = k >= 0 && t->dtype == w->like->dtype && agni_same_shape(t, w->like);
    return fits ? &w->ir->node[k] : NULL;
}
static bool is_sum(const agni_pnode *n)
{
    return n && (n->op == &agni_op_add || n->op == &agni_op_sub);
}
/* m times v, whose products are looked through; false: of too many factors */
static bool multiply_by(collecting *w, monomial *m, int32_t v, bool alone)
{
    const agni_ir *ir = w->ir;
    const agni_pnode *n = definition(w, v);
    double c;
    bool product = n &&
                   (n->op == &agni_op_mul || n->op == &agni_op_square || n->op == &agni_op_neg);
    if (match_number(ir, v, &c) && agni_ir_is_normal(m->c * c, w->like->dtype)) {
        m->c *= c;
        return true;
    }
    if (product && ++w->seen < MOST_NODES) {
        const monomial before = *m;
        const int32_t saved = w->saved;
        int32_t a = agni_node_arg(ir, n, 0),
                b = n->op == &agni_op_mul ? agni_node_arg(ir, n, 1) : a;
        bool own = alone && w->use[v] == 1, fits = multiply_by(w, m, a, own);
        m->c = n->op == &agni_op_neg ? -m->c : m->c;
        if (fits && (n->op == &agni_op_neg || multiply_by(w, m, b, own))) {
            w->saved += own;
            return true;
        }
        *m = before;
        w->saved = saved;
    }
    if (m->n == MOST_FACTORS)
        return false;
    int32_t at = m->n++;
    for (; at > 0 && m->factor[at - 1] > v; at--)
        m->factor[at] = m->factor[at - 1];
    m->factor[at] = v;
    return true;
}
static bool is_power_of_two(double c)
{
    int e;
    return fabs(frexp(c, &e)) == 0.5;
}
/* p + c v; top: v is the sum in hand, or nobody else reads it */
static bool add_terms(collecting *w, polynomial *p, double c, int32_t v, bool top)
{
    const agni_ir *ir = w->ir;
    const agni_pnode *n = top ? definition(w, v) : NULL;
    double number;
    if (is_sum(n)) {
        double minus = n->op == &agni_op_sub ? -c : c;
        int32_t a = agni_node_arg(ir, n, 0), b = agni_node_arg(ir, n, 1);
        w->saved++;
        w->negated |= c < 0;
        return ++w->seen < MOST_NODES && add_terms(w, p, c, a, w->use[a] == 1) &&
               add_terms(w, p, minus, b, w->use[b] == 1);
    }
    for (int i = 0; n && n->op == &agni_op_mul && i < 2; i++) {
        int32_t x = agni_node_arg(ir, n, !i);
        if (match_number(ir, agni_node_arg(ir, n, i), &number) && is_power_of_two(number) &&
            agni_ir_is_normal(c * number, w->like->dtype) && w->use[x] == 1 &&
            is_sum(definition(w, x))) {
            w->saved++;
            return add_terms(w, p, c * number, x, true);
        }
    }
    if (p->n == MOST_TERMS)
        return false;
    monomial m = {.c = c};
    if (!multiply_by(w, &m, v, top) || m.n == 0)
        return false;
    for (int32_t i = 0; i < p->n; i++) {
        monomial *o = &p->term[i];
        if (o->n == m.n && o->c * m.c > 0 && agni_ir_is_normal(o->c + m.c, w->like->dtype) &&
            !memcmp(o->factor, m.factor, (size_t)m.n * sizeof *m.factor)) {
            o->c += m.c;
            w->joined = true;
            return true;
        }
    }
    p->term[p->n++] = m;
    return true;
}

/* ---- terms as a value ------------------------------------------------------------------------ */

/* the axes of v beyond one element, a bit each, the last one first */
static int32_t axes_of(const collecting *w, int32_t v)
{
    const agn_tensor *t = w->ir->val[v].t;
    int32_t axes = 0;
    for (int d = 0; d < t->ndim; d++)
        axes |= (t->shape[d] != 1) << (t->ndim - 1 - d);
    return axes;
}
/* Where ir is NULL nodes are counted only, and a value is its axes. */
static int32_t emit_factor(const collecting *w, const agni_ir *ir, int32_t v)
{
    return ir ? w->name[v] : axes_of(w, v);
}
static int32_t emit(collecting *w, agni_ir *ir, const agni_op *op, int32_t a, int32_t b)
{
    w->saved -= !ir && (a | b) == w->axes;
    return ir ? agni_emit_node(ir, op, NULL, 2, (int32_t[]){a, b}) : a | b;
}
static int32_t emit_square(collecting *w, agni_ir *ir, int32_t x)
{
    w->saved -= !ir && x == w->axes;
    return ir ? agni_emit_node(ir, &agni_op_square, NULL, 1, &x) : x;
}
/* those of the same axes first */
static int32_t emit_monomial(collecting *w, agni_ir *ir, const monomial *m, double c)
{
    int32_t axes[MOST_FACTORS], part[MOST_FACTORS] = {NONE}, n = 0;
    for (int32_t i = 0; i < m->n; i++) {
        int32_t own = axes_of(w, m->factor[i]), x = emit_factor(w, ir, m->factor[i]), k = 0;
        if (i + 1 < m->n && m->factor[i + 1] == m->factor[i]) {
            x = emit_square(w, ir, x);
            i++;
        }
        while (k < n && axes[k] != own)
            k++;
        part[k] = k < n ? emit(w, ir, &agni_op_mul, part[k], x) : x;
        axes[k] = own;
        n += k == n;
    }
    if (c != 1)
        part[0] = emit(w, ir, &agni_op_mul, part[0],
                       ir ? agni_ir_add_number(ir, c, w->like->dtype) : 0);
    for (int32_t k = 1; k < n; k++)
        part[0] = emit(w, ir, &agni_op_mul, part[0], part[k]);
    return part[0];
}
/* the factor of most terms, of two at least */
static int32_t common_factor(const polynomial *p)
{
    int32_t best = NONE, most = 1;
    for (int32_t i = 0; i < p->n; i++)
        for (int32_t k = 0; k < p->term[i].n; k++) {
            int32_t v = p->term[i].factor[k], many = 0;
            for (int32_t j = 0; j < p->n; j++) {
                bool has = false;
                for (int32_t l = 0; l < p->term[j].n; l++)
                    has |= p->term[j].factor[l] == v;
                many += has;
            }
            if (many > most) {
                most = many;
                best = v;
            }
        }
    return best;
}
/* Takes the terms with factor v out of p, without it; a sum left alone becomes its terms. */
static bool divide(collecting *w, polynomial *p, int32_t v, polynomial *group)
{
    int32_t kept = 0;
    bool fits = true;
    group->n = 0;
    for (int32_t i = 0; i < p->n; i++) {
        monomial m = p->term[i];
        int32_t at = 0;
        while (at < m.n && m.factor[at] != v)
            at++;
        if (at == m.n || m.n == 1) {
            p->term[kept++] = m;
            continue;
        }
        memmove(m.factor + at, m.factor + at + 1, (size_t)(--m.n - at) * sizeof *m.factor);
        bool sum = m.n == 1 && w->use[m.factor[0]] == 1 && is_power_of_two(m.c) &&
                   is_sum(definition(w, m.factor[0]));
        if (sum)
            fits = fits && add_terms(w, group, m.c, m.factor[0], true);
        else if (group->n < MOST_TERMS)
            group->term[group->n++] = m;
        else
            fits = false;
    }
    p->n = kept;
    return fits;
}
static int32_t emit_polynomial(collecting *w, agni_ir *ir, polynomial *p, bool *ok)
{
    int32_t y = NONE, v;
    while (*ok && (v = common_factor(p)) >= 0) {
        polynomial group;
        int32_t before = p->n;
        *ok = divide(w, p, v, &group) && p->n < before;
        w->factored = true;
        if (!*ok)
            return NONE;
        int32_t x = emit_polynomial(w, ir, &group, ok);
        x = emit(w, ir, &agni_op_mul, x, emit_factor(w, ir, v));
        y = y == NONE ? x : emit(w, ir, &agni_op_add, y, x);
    }
    for (int32_t i = 0; *ok && i < p->n; i++) {
        double c = p->term[i].c;
        bool less = c < 0 && y != NONE;
        int32_t x = emit_monomial(w, ir, &p->term[i], less ? -c : c);
        y = y == NONE ? x : emit(w, ir, less ? &agni_op_sub : &agni_op_add, y, x);
    }
    return y;
}

/* ---- the pass -------------------------------------------------------------------------------- */

/* v as it is written anew, in ir or counted; NONE: it stays */
static int32_t rewrite_sum(collecting *w, agni_ir *ir, int32_t v)
{
    polynomial p = {.n = 0};
    bool ok = true;
    w->like = w->ir->val[v].t;
    w->axes = axes_of(w, v);
    w->saved = w->seen = 0;
    w->joined = w->factored = w->negated = false;
    if (!add_terms(w, &p, 1, v, true))
        return NONE;
    int32_t y = emit_polynomial(w, ir, &p, &ok);
    if (ir && ok && y >= 0 && !agni_same_shape(ir->val[y].t, w->like)) /* a number had its axes */
        y = agni_emit_node(ir, &agni_op_broadcast_to,
                           &(agni_attr){.ni = w->like->ndim, .i = w->like->shape}, 1, &y);
    return ok && w->saved > (w->joined ? 0 : 1) ? y : NONE;
}
/* what the sum in hand alone reads is no sum of its own */
static void mark_inside(collecting *w, int32_t v)
{
    const agni_pnode *n = definition(w, v);
    if (!n ||
        (!is_sum(n) && n->op != &agni_op_mul && n->op != &agni_op_neg && n->op != &agni_op_square))
        return;
    for (int i = 0; i < n->nin; i++) {
        int32_t x = agni_node_arg(w->ir, n, i);
        if (w->use[x] == 1 && !w->inside[x]) {
            w->inside[x] = true;
            mark_inside(w, x);
        }
    }
}
static void find_sums(collecting *w)
{
    const agni_ir *ir = w->ir;
    for (int k = 0; k < ir->n_node; k++)
        for (int i = 0; i < ir->node[k].nin; i++)
            w->use[agni_node_arg(ir, &ir->node[k], i)]++;
    for (int i = 0; i < ir->n_out; i++)
        w->use[ir->out[i]] += 2; /* never within a sum */
    for (int k = ir->n_node - 1; k >= 0; k--) {
        const agni_pnode *n = &ir->node[k];
        int dtype = ir->val[n->val].t->dtype;
        if (!is_sum(n) || w->inside[n->val] || (dtype != AGN_F64 && dtype != AGN_F32) ||
            rewrite_sum(w, NULL, n->val) == NONE)
            continue;
        w->root[k] = w->any = true;
        mark_inside(w, n->val);
    }
}
static int32_t write_anew(void *user, agni_ir *ir, int k, const int32_t *arg)
{
    collecting *w = user;
    const agni_pnode *n = &w->ir->node[k];
    for (int i = 0; i < n->nin; i++)
        w->name[agni_node_arg(w->ir, n, i)] = arg[i];
    if (!w->root[k])
        return NONE;
    /* f x + f y may be 0 where f (x + y) is -0, as z - x - y where z - (x + y) is */
    return rewrite_sum(w, NULL, n->val) != NONE && !((w->factored || w->negated) && ir->sign)
               ? rewrite_sum(w, ir, n->val)
               : NONE;
}

agn_status agni_ir_collect_terms(agni_ir **ir)
{
    const size_t n = (size_t)(*ir)->n_val + 1, m = (size_t)(*ir)->n_node + 1;
    collecting w = {.ir = *ir,
                    .use = agni_zalloc(n * sizeof *w.use),
                    .name = agni_zalloc(n * sizeof *w.name),
                    .inside = agni_zalloc(n),
                    .root = agni_zalloc(m)};
    agni_ir *next = NULL;
    agn_status st = AGN_OK;
    if (!w.use || !w.name || !w.inside || !w.root)
        st = agni_nomem("compile", n * sizeof *w.use);
    if (!st) {
        find_sums(&w);
        st = w.any ? agni_ir_copy(&next, *ir, write_anew, &w) : AGN_OK;
    }
    agni_free(w.use);
    agni_free(w.name);
    agni_free(w.inside);
    agni_free(w.root);
    if (next) {
        agni_ir_free(*ir);
        *ir = next;
    }
    return st;
}
