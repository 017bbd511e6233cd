/* roots.c - limits where a power undoes a root: (u^q)^p with whole pq >= 1 is u^(pq), for
   derivatives alone. At u = 0 the factors of the chain rule are 0 and infinite, and u^(pq) is
   smooth; values keep their kernels. A root of a sum of squares is a norm, whose gradient at 0
   is 0 by convention. A product with a truth value that was cast chooses, as where does. */
#include "autograd/modes/zeros.h"
#include "core/memory/scope.h"
#include "tensor/rows/traits.h"

#include <math.h>
#include <string.h>

extern const agni_op agni_op_square, agni_op_sqrt, agni_op_cbrt, agni_op_pow, agni_op_abs,
    agni_op_hypot, agni_op_div, agni_op_reciprocal, agni_op_squared_deviation, agni_op_div_z,
    agni_op_ge, agni_op_watched, agni_op_cast;

/* ---- what stands for the op in derivatives --------------------------------------------------- */

/* f: exponent e, exponent p of the factor; i: is a value NaN for u < 0? */
static const agn_tensor *power_partial(agn_scope *s, const agni_rule *r, int i)
{
    const agn_tensor *u = r->x[0], *d = &agni_one;
    double e = r->at->f[0], p = r->at->f[1];
    (void)i;
    if (e != 1)
        d = agni_apply_binary(
            s, &agni_op_mul, agni_literal(s, e),
            e == 2 ? u : agni_apply_binary(s, &agni_op_pow, u, agni_literal(s, e - 1)));
    if (r->nin > 1) { /* (c u^q)^p */
        const agn_tensor *c = agni_apply_binary(s, &agni_op_pow, r->x[1], agni_literal(s, p));
        d = d == &agni_one ? c : agni_apply_binary(s, &agni_op_mul, d, c);
    }
    if (r->at->i[0]) { /* NaN below 0, of any order */
        const agn_tensor *in = agni_apply_in(
            s, &agni_op_where, NULL, 3,
            (const agn_tensor *[]){
                agni_apply_binary(s, &agni_op_ge, u, agni_literal(s, 0)), agni_full_like(s, 1, u),
                agni_apply_binary(s, &agni_op_mul, u, agni_literal(s, (double)NAN))});
        d = d == &agni_one ? in : agni_apply_binary(s, &agni_op_mul, d, in);
    }
    return d;
}

/* (a^2 + b^2)^(p / 2): p a (a^2 + b^2)^(p / 2 - 1) */
static const agn_tensor *hypot_partial(agn_scope *s, const agni_rule *r, int i)
{
    const agn_tensor *a = r->x[0], *b = r->x[1];
    double p = r->at->f[0];
    const agn_tensor *d = agni_apply_binary(s, &agni_op_mul, agni_literal(s, p), r->x[i]);
    if (p == 2)
        return d;
    const agn_tensor *q = agni_apply_binary(s, &agni_op_add,
                                            agni_apply_in(s, &agni_op_square, NULL, 1, &a),
                                            agni_apply_in(s, &agni_op_square, NULL, 1, &b));
    return agni_apply_binary(
        s, &agni_op_mul, d,
        p == 4 ? q : agni_apply_binary(s, &agni_op_pow, q, agni_literal(s, p / 2 - 1)));
}

static const agn_tensor *norm_partial(agn_scope *s, const agni_rule *r, int i)
{
    (void)i;
    return agni_apply_binary(s, &agni_op_div_z, agni_literal(s, 0.5), r->y[0]);
}

/* u c with a truth value c, or what a cast made of one */
static const agn_tensor *choice_partial(agn_scope *s, const agni_rule *r, int i)
{
    (void)i;
    return r->x[1]->dtype == AGN_BOOL ? r->x[1] : agni_nonzero_mask(s, r->x[1]);
}

#define STAND_IN(name_, n, args, traits_, d) \
    {.name = name_, .cls = AGNI_EW, .nin = n, .nout = 1, .dtypes = AGNI_FLOATS, .diff = args, \
     .ew = -1, .traits = traits_, .result = AGNI_OUT_SAME, .partial = d}
static const agni_op power_of_root = STAND_IN("power of a root", 1, 1, 0, power_partial);
static const agni_op power_of_scaled_root = STAND_IN("power of a root", 2, 1, 0, power_partial);
static const agni_op power_of_hypot = STAND_IN("power of hypot", 2, 3, 0, hypot_partial);
static const agni_op norm_root = STAND_IN("norm", 1, 1, AGNI_SINGULAR, norm_partial);
static const agni_op masked_product = {.name = "masked product",
                                       .cls = AGNI_EW,
                                       .nin = 2,
                                       .nout = 1,
                                       .dtypes = AGNI_FLOATS | AGNI_COMPLEXES,
                                       .diff = 1,
                                       .ew = -1,
                                       .traits = AGNI_MASKS,
                                       .result = AGNI_OUT_SAME,
                                       .partial = choice_partial};

/* ---- what is looked for ---------------------------------------------------------------------- */

typedef struct search {
    const agni_prog *p, *whole; /* as it is read, through watched ops, and as it is */
    const bool *active;
    int32_t *maker; /* node of each value, -1: none */
    agni_prog *copy; /* NULL: nothing found yet */
    bool *changed;   /* nodes */
} search;

static const agni_pnode *maker_of(const search *q, int32_t v)
{
    return q->maker[v] < 0 ? NULL : &q->p->node[q->maker[v]];
}
static int32_t find_argument(const search *q, const agni_pnode *n, int i)
{
    return q->p->arg[n->arg + i];
}
static bool is_real(const search *q, int32_t v)
{
    return agni_kind(q->p->val[v]->dtype) == AGNI_KIND_FLOAT;
}
/* Are the numbers of x 0 and 1 by a cast, and nobody wrote others since? */
static bool holds_truth(const agn_tensor *x)
{
    return x->truth && (!x->st || atomic_load(&x->st->version) == 0);
}
/* the truth value of which v is made by a cast, or v that holds it, moved or not; or -1 */
static int32_t find_condition(const search *q, int32_t v)
{
    const agni_pnode *n = maker_of(q, v);
    if (v >= q->p->n_in && holds_truth(q->p->val[v])) /* an argument of the next call may hold others */
        return v;
    while (n && n->op == &agni_op_broadcast_to)
        n = maker_of(q, find_argument(q, n, 0));
    int32_t c = n && n->op == &agni_op_cast ? find_argument(q, n, 0) : -1;
    return c >= 0 && q->p->val[c]->dtype == AGN_BOOL ? c : -1;
}
/* the number that is written there */
static bool find_number(const search *q, int32_t v, double *c)
{
    const agn_tensor *x = q->p->val[v];
    bool is = v >= q->p->n_in && !agni_is_node_value(q->p, v) && x->weak && !x->ndim &&
              x->dtype == AGN_F64 && !x->node && !x->stale && x->st && x->st->device == AGN_CPU &&
              x->data;
    if (is)
        memcpy(c, x->data, sizeof *c);
    return is;
}

typedef struct root {
    const agni_op *op;
    int32_t u, w; /* w: the second argument of hypot, or -1 */
    int32_t c;    /* a factor, or -1 */
    double q;
    bool domain; /* NaN for u < 0 */
} root;

static bool find_root(const search *q, int32_t v, root *r)
{
    const agni_pnode *n = maker_of(q, v);
    double c;
    if (!n || !is_real(q, v) || !q->active[v])
        return false;
    *r = (root){n->op, find_argument(q, n, 0), -1, -1, 1, false};
    if (n->op == &agni_op_sqrt) {
        r->q = 0.5;
        r->domain = true;
    } else if (n->op == &agni_op_cbrt) {
        r->q = 1.0 / 3;
    } else if (n->op == &agni_op_pow && find_number(q, find_argument(q, n, 1), &c) && c > 0 &&
               c < 1) {
        r->q = c;
        r->domain = true;
    } else if (n->op == &agni_op_hypot) {
        r->w = find_argument(q, n, 1);
    } else if (n->op == &agni_op_mul) {
        int32_t a = find_argument(q, n, 0), b = find_argument(q, n, 1), f = q->active[a] ? b : a;
        if (q->active[a] == q->active[b] || !is_real(q, f) || !find_root(q, f == a ? b : a, r) ||
            r->c >= 0 || r->op == &agni_op_hypot || r->op == &agni_op_abs)
            return false;
        r->c = f;
    } else if (n->op != &agni_op_abs) {
        return false;
    }
    return is_real(q, r->u);
}

/* 1 / x: of what? */
static bool find_reciprocal(const search *q, int32_t v, int32_t *x)
{
    const agni_pnode *n = maker_of(q, v);
    double one;
    if (!n || !is_real(q, v))
        return false;
    *x = find_argument(q, n, n->op == &agni_op_div);
    return n->op == &agni_op_reciprocal ||
           (n->op == &agni_op_div && find_number(q, find_argument(q, n, 0), &one) && one == 1 &&
            agni_same_shape(q->p->val[v], q->p->val[*x]));
}

/* the power of s that n is */
static bool find_power(const search *q, const agni_pnode *n, int32_t *s, double *p)
{
    *s = n->nin ? find_argument(q, n, 0) : -1;
    *p = 2;
    if (n->op == &agni_op_square)
        return true;
    if (n->op == &agni_op_pow)
        return find_number(q, find_argument(q, n, 1), p);
    if (n->op != &agni_op_mul)
        return false;
    int32_t b = find_argument(q, n, 1);
    const agni_pnode *m = maker_of(q, *s), *k = maker_of(q, b);
    if (*s == b)
        return true;
    bool same = m && k && m->op == k->op && m->op->cls == AGNI_EW && m->nin == k->nin;
    for (int i = 0; same && i < m->nin; i++) {
        double x, y;
        int32_t u = find_argument(q, m, i), w = find_argument(q, k, i);
        same = u == w || (find_number(q, u, &x) && find_number(q, w, &y) && x == y);
    }
    return same;
}

static bool is_sum_of_squares(const search *q, int32_t v)
{
    const agni_pnode *n = maker_of(q, v);
    double c;
    if (!n || q->changed[n - q->p->node] || !is_real(q, v))
        return false;
    int32_t a = find_argument(q, n, 0), b = n->nin > 1 ? find_argument(q, n, 1) : -1;
    if (n->op == &agni_op_square || n->op == &agni_op_squared_deviation)
        return is_real(q, a);
    if (n->op == &agni_op_pow)
        return find_number(q, b, &c) && c == 2;
    if (n->op == &agni_op_mul && a == b)
        return true;
    if (n->op == &agni_op_add)
        return is_sum_of_squares(q, a) && is_sum_of_squares(q, b);
    if (n->op == &agni_op_mul || n->op == &agni_op_div)
        return q->active[a] && !q->active[b] && is_sum_of_squares(q, a);
    return n->op->cls == AGNI_LINEAR && n->nin == 1 && n->op->zeros && is_sum_of_squares(q, a);
}

/* ---- the program for derivatives ------------------------------------------------------------- */

static bool replace_node(agn_scope *s, search *q, int k, const agni_op *op, int32_t a, int32_t b,
                         double e, double p, bool domain)
{
    const agni_prog *from = q->whole;
    if (!q->copy) {
        agni_prog *c = agni_zalloc(sizeof *c);
        size_t nodes = (size_t)(from->n_node + 1) * sizeof *c->node;
        size_t args = (size_t)(from->n_arg + 2 * from->n_node + 1) * sizeof *c->arg;
        if (c) {
            *c = *from;
            c->node = agni_alloc(nodes);
            c->arg = agni_alloc(args);
        }
        if (!c || !c->node || !c->arg) {
            if (c) {
                agni_free(c->node);
                agni_free(c->arg);
            }
            agni_free(c);
            agn_scope_fail(s, agni_nomem("derivative", nodes + args));
            return false;
        }
        memcpy(c->node, from->node, (size_t)from->n_node * sizeof *c->node);
        memcpy(c->arg, from->arg, (size_t)from->n_arg * sizeof *c->arg);
        q->copy = c;
    }
    agni_attr *at = agni_attr_keep(&(agni_attr){
        .ni = 1, .i = (int64_t[]){domain}, .nf = 2, .f = (double[]){e, p}});
    if (!at) {
        agn_scope_fail(s, agni_nomem("derivative", sizeof *at));
        return false;
    }
    if (agni_scope_adopt(s, &at->head))
        return false;
    agni_pnode *n = &q->copy->node[k];
    n->op = op;
    n->at = at;
    n->nin = op->nin;
    n->arg = q->copy->n_arg;
    q->copy->arg[q->copy->n_arg++] = a;
    if (op->nin > 1)
        q->copy->arg[q->copy->n_arg++] = b;
    q->changed[k] = true;
    return true;
}

static bool look_at(agn_scope *s, search *q, int k)
{
    const agni_pnode *n = &q->p->node[k];
    int32_t v, x;
    double p;
    root r;
    if (n->nout != 1 || !q->active[n->val])
        return true;
    for (int i = 0; n->op == &agni_op_mul && i < 2; i++)
        if (q->active[find_argument(q, n, i)] && !q->active[find_argument(q, n, 1 - i)] &&
            (v = find_condition(q, find_argument(q, n, 1 - i))) >= 0)
            return replace_node(s, q, k, &masked_product, find_argument(q, n, i), v, 0, 0, false);
    if (!is_real(q, n->val))
        return true;
    if (find_reciprocal(q, n->val, &v) && find_reciprocal(q, v, &x) && q->active[x] &&
        is_real(q, x))
        return replace_node(s, q, k, &power_of_root, x, -1, 1, 0, false);
    if (n->op == &agni_op_sqrt)
        return !is_sum_of_squares(q, find_argument(q, n, 0)) ||
               replace_node(s, q, k, &norm_root, find_argument(q, n, 0), -1, 0, 0, false);
    for (int i = 0; n->op == &agni_op_mul && i < 2; i++) /* u u^q */
        if (find_root(q, find_argument(q, n, i), &r) && r.u == find_argument(q, n, 1 - i) &&
            r.c < 0 && r.domain)
            return replace_node(s, q, k, &power_of_root, r.u, -1, 1 + r.q, 0, false);
    if (!find_power(q, n, &v, &p) || !find_root(q, v, &r))
        return true;
    double e = p * r.q, whole = nearbyint(e);
    bool even = p >= 2 && fmod(p, 2) == 0;
    if (r.op == &agni_op_hypot)
        return !even || replace_node(s, q, k, &power_of_hypot, r.u, r.w, p, 0, false);
    if (r.op == &agni_op_abs)
        return !even || replace_node(s, q, k, &power_of_root, r.u, -1, p, 0, false);
    if (fabs(e - whole) > 1e-12 || whole < 1 || (r.c >= 0 && p != floor(p)))
        return true;
    return replace_node(s, q, k, r.c < 0 ? &power_of_root : &power_of_scaled_root, r.u, r.c, whole,
                        p, r.domain);
}

/* The op that agn_fn_watch_nan watches at n, of the same arguments and results; NULL: none, or not
   one with the arguments in order. */
static const agni_pnode *watched_node(const agni_pnode *n)
{
    const agni_prog *p = n->op == &agni_op_watched ? ((const agni_one_op *)n->at->obj)->p : NULL;
    const agni_pnode *q = p && p->n_node == 1 ? p->node : NULL;
    bool same = q && q->nin == n->nin && q->nout == n->nout;
    for (int i = 0; same && i < q->nin; i++)
        same = p->arg[q->arg + i] == i;
    for (int o = 0; same && o < q->nout; o++)
        same = p->out[o] == q->val + o;
    return same ? q : NULL;
}

bool agni_find_roots(agni_traversal *w)
{
    const agni_prog *p = w->p;
    bool any = false;
    for (int k = 0; k < p->n_node; k++) {
        const agni_pnode *n = watched_node(&p->node[k]);
        const agni_op *op = n ? n->op : p->node[k].op;
        for (int i = 0; op == &agni_op_mul && i < 2; i++)
            any |= holds_truth(p->val[p->arg[p->node[k].arg + i]]);
        any |= op == &agni_op_sqrt || op == &agni_op_cbrt || op == &agni_op_pow ||
               op == &agni_op_abs || op == &agni_op_hypot || op == &agni_op_div ||
               op == &agni_op_reciprocal || op == &agni_op_cast;
    }
    if (!any)
        return true;
    agni_prog read = *p;
    search q = {.p = &read, .whole = p, .active = w->active};
    size_t values = (size_t)p->n_val + 1, nodes = (size_t)p->n_node + 1;
    q.maker = agni_alloc(values * sizeof *q.maker + nodes);
    read.node = agni_alloc(nodes * sizeof *read.node);
    bool good = q.maker && read.node;
    if (!good) {
        agni_free(q.maker);
        agni_free(read.node);
        agn_scope_fail(w->s, agni_nomem("derivative", values * sizeof *q.maker));
        return false;
    }
    memcpy(read.node, p->node, (size_t)p->n_node * sizeof *read.node);
    for (int k = 0; k < p->n_node; k++) {
        const agni_pnode *n = watched_node(&p->node[k]);
        read.node[k].op = n ? n->op : read.node[k].op;
        read.node[k].at = n ? n->at : read.node[k].at;
    }
    q.changed = (bool *)(q.maker + values);
    memset(q.changed, 0, (size_t)p->n_node + 1);
    for (int v = 0; v < p->n_val; v++)
        q.maker[v] = -1;
    for (int k = 0; k < p->n_node; k++)
        for (int o = 0; o < p->node[k].nout; o++)
            q.maker[p->node[k].val + o] = k;
    for (int k = 0; good && k < p->n_node; k++)
        good = look_at(w->s, &q, k);
    w->rewritten = q.copy;
    w->p = q.copy ? q.copy : p;
    agni_free(q.maker);
    agni_free(read.node);
    return good;
}

void agni_forget_roots(agni_traversal *w)
{
    if (w->rewritten) {
        agni_free(w->rewritten->node);
        agni_free(w->rewritten->arg);
        agni_free(w->rewritten);
    }
    w->rewritten = NULL;
}
