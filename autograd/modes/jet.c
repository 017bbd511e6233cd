/* autograd/modes/jet.c - Taylor coefficients of any order from the one rule of each op.

   Every value is a series whose parts x_k, one for each degree, are computed when asked for;
   absent parts are absent. How many tensors a part is, and how parts multiply, says the grading
   (autograd/modes/grading.h). With x' the series of k x_k, the derivative along the degree, or along
   curves the series of (k + 1) x_(k + 1), rules are:
     element-wise   y' = sum_i f_i(x, y) x_i', so k y_k = sum_i sum_j j x_ij d_i,k-j with d_i the
                    series of the partial derivative, itself an expression in x and y
     bilinear       Leibniz: y_k = sum_j op(a_j, b_k-j)
     linear         y_k = op(x_k)
     any other      y' = F(x, y, x') linear in x': k y_k = F_k, where y_k meets x'_0 = 0 only,
                    or k y_k = F_k-1 along curves
   The expressions f_i and F are recorded once on leaves without values and become further
   series. Equal applications are one series (sin and cos share theirs), so order K costs
   O(K^2) products (Griewank & Walther 2008, chapter 13).

   An op G that appears in its own F (solve) would ask for ever. There it is linear in what
   depends on x', so it is taken apart by the degree m of that: G(a, w_m) begins with
   G(a_0, w_m), and its part k > m is 1 / (k - m) of that of the derivative in a alone.        */
#include "autograd/modes/grading.h"
#include "autograd/modes/modes.h"

#include <string.h>

typedef struct app app;

/* one result of one application */
typedef struct series {
    app *a;
    int o;
} series;

enum kind { GIVEN, APPLIED, DERIVATIVE, PURE };
struct app {
    enum kind kind;
    bool live;  /* has coefficients beyond the first? */
    bool ready; /* f or d is built */
    bool pure;  /* what of its arguments depends on x' is of degree low alone */
    int low;    /* parts of smaller degree are zero */
    int64_t asked; /* by which question it was met last */
    const agni_op *op;
    const agni_attr *at;
    int nin, nout;
    series *in;
    series *d;            /* partials by argument, or F by result; d.a NULL: +-1 in sign */
    int *sign;
    const agn_tensor **like; /* [nout]: shape and dtype of the value, where known */
    const agn_tensor **c;    /* [nout][K + 1] */
    char *state;             /* of each: */
    app *next, *bucket;   /* all, and of one hash */
};

enum { UNKNOWN, KNOWN, BUSY };

enum { BUCKETS = 1024, MANY = 32 };
typedef struct jets {
    agn_scope *s;
    const agni_grading *g;
    int K;
    bool curves; /* lanes are curves, each by itself */
    int64_t questions;
    app *all, *bucket[BUCKETS];
} jets;

static const agn_tensor *coefficient(jets *j, series x, int k);

/* ---- applications ----------------------------------------------------------------------- */

static app *app_new(jets *j, enum kind kind, const agni_op *op, const agni_attr *at, int nin,
                    int nout)
{
    size_t nc = (size_t)nout * (size_t)(j->K + 1), slots = (size_t)(nin > nout ? nin : nout);
    size_t bytes = sizeof(app) + (size_t)nin * sizeof(series) + slots * sizeof(series) +
                   (nc + (size_t)nout) * sizeof(agn_tensor *) + slots * sizeof(int) + nc;
    app *a = agni_zalloc(bytes);
    if (!a) {
        agn_scope_fail(j->s, agni_nomem("jet", bytes));
        return NULL;
    }
    a->kind = kind;
    a->op = op;
    a->at = at;
    a->nin = nin;
    a->nout = nout;
    a->in = (series *)(void *)(a + 1);
    a->d = a->in + nin;
    a->c = (const agn_tensor **)(void *)(a->d + slots);
    a->like = a->c + nc;
    a->sign = (int *)(void *)(a->like + nout);
    a->state = (char *)(void *)(a->sign + slots);
    a->next = j->all;
    j->all = a;
    return a;
}

static void set(jets *j, app *a, int o, int k, const agn_tensor *c)
{
    a->c[o * (j->K + 1) + k] = c;
    a->state[o * (j->K + 1) + k] = KNOWN;
}

/* a value of the shape and dtype of x */
static const agn_tensor *like(jets *j, series x)
{
    return x.a && x.a->like[x.o] ? x.a->like[x.o] : coefficient(j, x, 0);
}

static series constant(jets *j, const agn_tensor *x)
{
    app *a = app_new(j, GIVEN, NULL, NULL, 0, 1);
    if (a) {
        set(j, a, 0, 0, x);
        a->like[0] = x;
    }
    return (series){a, 0};
}

/* the part of degree k is k x_k, or (k + 1) x_(k + 1) */
static series derivative(jets *j, series x)
{
    app *a = app_new(j, DERIVATIVE, NULL, NULL, 1, 1);
    if (a) {
        a->in[0] = x;
        a->live = true;
        a->low = j->curves ? 0 : x.a && x.a->low > 1 ? x.a->low : 1;
        a->like[0] = like(j, x);
    }
    return (series){a, 0};
}

/* the part of degree m alone */
static series pure(jets *j, series x, int m)
{
    app *a = app_new(j, PURE, NULL, NULL, 1, 1);
    if (a) {
        a->in[0] = x;
        a->live = true;
        a->low = m;
        a->like[0] = like(j, x);
    }
    return (series){a, 0};
}

static bool bilinear(const agni_op *op)
{
    return op->cls == AGNI_MULTI || op == &agni_op_mul || op == &agni_op_mulz;
}

/* Only what is linear in some x' has no low parts: F, and what it is made of. */
static int low_of(const agni_op *op, int nin, const series *in)
{
    int least = 0, sum = 0;
    for (int i = 0; i < nin; i++) {
        int l = in[i].a->low;
        sum += l;
        least = l && (!least || l < least) ? l : least;
    }
    return bilinear(op) ? sum : least;
}

/* the application of op, new or found */
static app *applied(jets *j, const agni_op *op, const agni_attr *at, int nin, const series *in,
                    int nout)
{
    uint64_t h = (uint64_t)(uintptr_t)op;
    bool live = false;
    for (int i = 0; i < nin; i++) {
        if (!in[i].a)
            return NULL;
        h = (h ^ (uint64_t)(uintptr_t)in[i].a ^ (uint64_t)in[i].o) * 0x9E3779B97F4A7C15u;
        live |= agni_diff(op, i) && in[i].a->live;
    }
    app **slot = &j->bucket[(h >> 32) % BUCKETS];
    for (app *a = *slot; a; a = a->bucket) {
        bool same = a->op == op && a->nin == nin;
        for (int i = 0; same && i < nin; i++)
            same = a->in[i].a == in[i].a && a->in[i].o == in[i].o;
        if (same && (a->at == at || (a->at && at && agni_attr_equal(a->at, at))))
            return a;
    }
    app *a = app_new(j, APPLIED, op, at, nin, nout);
    if (!a)
        return NULL;
    memcpy(a->in, in, (size_t)nin * sizeof *in);
    a->live = live && op->cls != AGNI_DISCRETE && op->cls != AGNI_RANDOM;
    a->low = low_of(op, nin, in);
    a->bucket = *slot;
    *slot = a;
    return a;
}

/* ---- expressions recorded on symbols become series ----------------------------------------- */

typedef struct binding {
    const agn_tensor *symbol;
    series is;
} binding;

/* is x a number that a rule, or the user, wrote down? */
static bool written(const agn_tensor *x, uint64_t *bits)
{
    bool is = x->weak && !x->ndim && x->dtype == AGN_F64 && !x->node && !x->stale && x->st &&
              x->st->device == AGN_CPU;
    if (is)
        memcpy(bits, x->data, sizeof *bits);
    return is;
}

/* what an expression takes as given: the same tensor, or number, is one series */
static series given(jets *j, const agn_tensor *x)
{
    uint64_t bits = 0, other = 0;
    bool is = written(x, &bits);
    uint64_t h = (is ? bits : (uint64_t)(uintptr_t)x) * 0x9E3779B97F4A7C15u;
    app **slot = &j->bucket[(h >> 32) % BUCKETS];
    for (app *a = *slot; a; a = a->bucket)
        if (a->kind == GIVEN &&
            (a->like[0] == x || (is && written(a->like[0], &other) && bits == other)))
            return (series){a, 0};
    series y = constant(j, x);
    if (y.a) {
        y.a->bucket = *slot;
        *slot = y.a;
    }
    return y;
}

typedef struct expression {
    const binding *b;
    int nb;
    uint64_t first;
    const agni_node **node, **open; /* by number from first on, where they matter; to be looked at */
    app **is;
} expression;

static bool inner(const expression *e, const agn_tensor *x)
{
    for (int i = 0; i < e->nb; i++)
        if (x == e->b[i].symbol)
            return false;
    return x->node && x->node->id >= e->first;
}
static series argument(jets *j, const expression *e, const agn_tensor *x)
{
    for (int i = 0; i < e->nb; i++)
        if (x == e->b[i].symbol)
            return e->b[i].is;
    if (!inner(e, x))
        return given(j, x);
    app *a = e->is[x->node->id - e->first];
    if (a && !a->like[x->out])
        a->like[x->out] = x;
    return (series){a, x->out};
}

/* marks what x is made of */
static void gather(const expression *e, const agn_tensor *x)
{
    int64_t n = 0;
    e->open[n++] = e->node[x->node->id - e->first] = x->node;
    while (n) {
        const agni_node *at = e->open[--n];
        for (int i = 0; i < at->nin; i++) {
            const agn_tensor *y = at->in[i];
            if (inner(e, y) && !e->node[y->node->id - e->first])
                e->open[n++] = e->node[y->node->id - e->first] = y->node;
        }
    }
}

static app *application(jets *j, const expression *e, const agni_node *n)
{
    series few[MANY] = {{NULL, 0}}, *in = few;
    if (n->nin > MANY && !(in = agni_alloc((size_t)n->nin * sizeof *in))) {
        agn_scope_fail(j->s, agni_nomem("jet", (size_t)n->nin * sizeof *in));
        return NULL;
    }
    for (int i = 0; i < n->nin; i++)
        in[i] = argument(j, e, n->in[i]);
    app *a = applied(j, n->op, n->at, n->nin, in, n->nout);
    if (in != few)
        agni_free(in);
    for (int o = 0; a && o < n->nout; o++)
        if (n->saved && !a->like[o])
            a->like[o] = n->saved[o];
    return a;
}

/* Each application once, after what it reads: much of an expression may be used many times. */
static series series_of(jets *j, const agn_tensor *x, uint64_t first, const binding *b, int nb)
{
    expression e = {.b = b, .nb = nb, .first = first};
    if (!inner(&e, x))
        return argument(j, &e, x);
    size_t n = (size_t)(x->node->id - first) + 1;
    e.node = agni_zalloc(3 * n * sizeof *e.node);
    if (!e.node) {
        agn_scope_fail(j->s, agni_nomem("jet", 3 * n * sizeof *e.node));
        return (series){NULL, 0};
    }
    e.open = e.node + n;
    e.is = (app **)(void *)(e.open + n);
    gather(&e, x);
    for (size_t i = 0; i < n && !agn_scope_status(j->s); i++)
        if (e.node[i])
            e.is[i] = application(j, &e, e.node[i]);
    series y = argument(j, &e, x);
    agni_free(e.node);
    return y;
}

static const agn_tensor *symbol_like(jets *j, const agn_tensor *x)
{
    agn_tensor *y = NULL;
    if (!x || agn_scope_status(j->s))
        return NULL;
    agn_status st = agni_symbol(&y, x->dtype, x->ndim, x->shape, x->weak);
    return agn_scope_adopt(j->s, st, y);
}

/* Records the partial derivatives, or F, of a and binds x, y and x'. */
static bool make_ready(jets *j, app *a)
{
    if (a->ready)
        return true;
    a->ready = true;
    uint64_t first = agni_node_now();
    size_t width = (size_t)(a->nin + a->nout); /* of a user's op there is no limit */
    binding *b = agni_alloc(2 * width * sizeof *b);
    const agn_tensor **x = agni_zalloc(2 * width * sizeof *x), **y = x + a->nin;
    const agn_tensor **t = x + width, **ty = t + a->nin;
    if (!b || !x) {
        agn_scope_fail(j->s, agni_nomem("jet", 2 * width * sizeof *b));
        goto done;
    }
    int nb = 0;
    bool elementwise = a->op->cls == AGNI_EW && a->op->partial;
    for (int i = 0; i < a->nin; i++) {
        x[i] = symbol_like(j, like(j, a->in[i]));
        b[nb++] = (binding){x[i], a->in[i]};
    }
    for (int o = 0; o < a->nout; o++) {
        y[o] = symbol_like(j, like(j, (series){a, o}));
        b[nb++] = (binding){y[o], {a, o}};
    }
    agni_rule r = {a->op, a->at, a->nin, a->nout, x, y};
    for (int i = 0; i < a->nin && !agn_scope_status(j->s); i++) {
        bool on = agni_diff(a->op, i) && a->in[i].a->live;
        if (elementwise && on) {
            const agn_tensor *d = a->op->partial(j->s, &r, i);
            a->sign[i] = d == &agni_one ? 1 : d == &agni_minus_one ? -1 : 0;
            if (d && !a->sign[i])
                a->d[i] = series_of(j, d, first, b, nb);
        } else if (!elementwise) {
            on &= agni_smooth(x[i]) && !(a->pure && a->in[i].a->low);
            t[i] = on ? symbol_like(j, x[i]) : NULL;
            if (t[i])
                b[nb++] = (binding){t[i], derivative(j, a->in[i])};
        }
    }
    if (!elementwise && !agn_scope_status(j->s)) {
        agni_node_jvp(j->s, &r, t, ty);
        for (int o = 0; o < a->nout && !agn_scope_status(j->s); o++)
            if (ty[o])
                a->d[o] = series_of(j, ty[o], first, b, nb);
    }
done:
    agni_free(b);
    agni_free(x);
    return !agn_scope_status(j->s);
}

/* ---- coefficients ------------------------------------------------------------------------------ */

static const agn_tensor *scaled(jets *j, const agn_tensor *x, double c)
{
    if (!x || c == 1)
        return x;
    return agni_apply_in(j->s, &agni_op_mul, NULL, 2,
                         (const agn_tensor *[]){x, agni_literal(j->s, c)});
}

/* part k of a value of the rank of y */
static const agn_tensor *aligned(jets *j, const agn_tensor *c, int k, const agn_tensor *y)
{
    return c && y ? agni_align(j->s, c, agni_laned(j->g, k), y->ndim) : NULL;
}

static const agn_tensor *fitted(jets *j, const agn_tensor *c, int k, const agn_tensor *y)
{
    if (!c || !y)
        return NULL;
    if (c->dtype != y->dtype)
        c = agni_cast(j->s, c, y->dtype);
    if (!agni_laned(j->g, k))
        return c ? agni_broadcast(j->s, c, y->ndim, y->shape) : NULL;
    int64_t shape[AGNI_MAX_RANK + 1] = {j->g->lanes[k]};
    for (int d = 0; d < y->ndim; d++)
        shape[1 + d] = y->shape[d];
    c = aligned(j, c, k, y);
    return c ? agni_broadcast(j->s, c, y->ndim + 1, shape) : NULL;
}

/* op of a at x, of which some have lanes; y[nout] */
static void apply_lanes(jets *j, const app *a, const agn_tensor *const *x, const bool *on,
                        int64_t lanes, const agn_tensor **y)
{
    bool any = false;
    for (int i = 0; i < a->nin; i++)
        any |= on[i];
    if (!any) {
        agni_apply_many_in(j->s, a->op, a->at, a->nin, x, a->nout, y);
        return;
    }
    const agn_tensor **one = agni_zalloc((size_t)(a->nin + a->nout) * sizeof *one);
    bool *bout = agni_zalloc((size_t)a->nout);
    if (!one || !bout) {
        agn_scope_fail(j->s, agni_nomem("jet", (size_t)a->nin * sizeof *one));
    } else {
        for (int i = 0; i < a->nin; i++)
            one[i] = like(j, a->in[i]);
        for (int o = 0; o < a->nout; o++)
            one[a->nin + o] = like(j, (series){(app *)a, o});
        agni_rule r = {a->op, a->at, a->nin, a->nout, one, one + a->nin};
        if (!agn_scope_status(j->s))
            agni_node_batch(j->s, &r, lanes, x, on, y, bout);
    }
    agni_free(one);
    agni_free(bout);
}

/* ---- products of parts: the element-wise product, or a bilinear op in two of its arguments */

typedef struct pairing {
    jets *j;
    const app *a;
    const agni_op *op; /* a NULL: mul or mulz of values of these ranks */
    int rank;
    const agn_tensor *x[MANY];
    int d[2];
} pairing;

static const agn_tensor *times(void *user, const agn_tensor *u, bool ul, const agn_tensor *v,
                               bool vl, int64_t lanes)
{
    const pairing *p = user;
    (void)lanes;
    return agni_apply_in(p->j->s, p->op, NULL, 2,
                         (const agn_tensor *[]){agni_align(p->j->s, u, ul, p->rank),
                                                agni_align(p->j->s, v, vl, p->rank)});
}

static const agn_tensor *applied_to(void *user, const agn_tensor *u, bool ul,
                                    const agn_tensor *v, bool vl, int64_t lanes)
{
    pairing *p = user;
    const agn_tensor *y[MANY] = {NULL};
    bool on[MANY] = {false};
    p->x[p->d[0]] = u;
    p->x[p->d[1]] = v;
    on[p->d[0]] = ul;
    on[p->d[1]] = vl;
    apply_lanes(p->j, p->a, p->x, on, lanes, y);
    return y[0];
}

static const agn_tensor *leibniz(jets *j, app *a, int k)
{
    const agn_tensor *sum = NULL, *y = like(j, (series){a, 0});
    pairing p = {.j = j, .a = a};
    int n = 0;
    for (int i = 0; i < a->nin; i++) {
        if (agni_diff(a->op, i) && n < 2)
            p.d[n++] = i;
        else
            p.x[i] = coefficient(j, a->in[i], 0);
    }
    series u = a->in[p.d[0]], v = a->in[p.d[1]];
    bool each = a->op->cls == AGNI_EW; /* as in the other modes, 0 times anything is 0 */
    p.op = &agni_op_mulz;
    p.rank = y ? y->ndim : 0;
    for (int m = u.a->low; m <= k - v.a->low; m++) {
        const agn_tensor *um = coefficient(j, u, m);
        const agn_tensor *vm = um ? coefficient(j, v, k - m) : NULL;
        const agn_tensor *t = agni_graded_product(j->s, j->g, m, um, k - m, vm,
                                                  each ? times : applied_to, &p);
        sum = agni_add_present(j->s, sum, aligned(j, t, k, y));
    }
    return sum;
}

static const agn_tensor *linear(jets *j, app *a, int o, int k)
{
    const agn_tensor *few[MANY], **x = few, *y[MANY] = {NULL};
    bool lanes[MANY] = {false}, *on = lanes, any = false;
    if (a->nin > MANY) {
        x = agni_alloc((size_t)a->nin * sizeof *x);
        on = agni_zalloc((size_t)a->nin);
        if (!x || !on) {
            agn_scope_fail(j->s, agni_nomem("jet", (size_t)a->nin * sizeof *x));
            goto done;
        }
    }
    for (int i = 0; i < a->nin; i++) {
        bool diff = agni_diff(a->op, i);
        x[i] = coefficient(j, a->in[i], diff ? k : 0);
        on[i] = diff && x[i] && agni_laned(j->g, k);
        any |= diff && x[i];
    }
    for (int i = 0; any && i < a->nin; i++)
        if (!x[i])
            x[i] = agni_zeros_like(j->s, like(j, a->in[i]));
    if (any && !agn_scope_status(j->s))
        apply_lanes(j, a, x, on, j->g->lanes[k], y);
done:
    if (x != few)
        agni_free(x);
    if (on != lanes)
        agni_free(on);
    return y[o];
}

static const agn_tensor *elementwise(jets *j, app *a, int k)
{
    const agn_tensor *sum = NULL, *y = like(j, (series){a, 0});
    if (!make_ready(j, a))
        return NULL;
    for (int i = 0; i < a->nin; i++) {
        if (!agni_diff(a->op, i) || !a->in[i].a->live)
            continue;
        if (a->sign[i]) {
            const agn_tensor *u = coefficient(j, a->in[i], k);
            if (u && a->sign[i] < 0)
                u = agni_apply_in(j->s, &agni_op_neg, NULL, 1, &u);
            sum = agni_add_present(j->s, sum, aligned(j, u, k, y));
            continue;
        }
        series d = a->d[i];
        if (!d.a)
            continue;
        pairing p = {.j = j, .op = a->op->bounded ? &agni_op_mul : &agni_op_mulz};
        int least = a->in[i].a->low > 1 ? a->in[i].a->low : 1;
        for (int m = least; m <= k - d.a->low; m++) {
            const agn_tensor *u = coefficient(j, a->in[i], m);
            const agn_tensor *v = u ? coefficient(j, d, k - m) : NULL;
            if (!v)
                continue;
            int ru = like(j, a->in[i])->ndim, rv = like(j, d)->ndim;
            p.rank = ru > rv ? ru : rv;
            v = agni_graded_product(j->s, j->g, m, u, k - m, v, times, &p);
            sum = agni_add_present(j->s, sum, aligned(j, scaled(j, v, (double)m / k), k, y));
        }
    }
    return sum;
}

/* Is a part of what a is made of being computed, for which a is asked? Behind what is complete or
   constant there is none. */
static bool within_itself(const jets *j, app *a)
{
    a->asked = j->questions;
    for (int i = 0; i < a->nin; i++) {
        app *b = a->in[i].a;
        bool busy = false, complete = true;
        for (int k = 1; b->live && k <= j->K; k++)
            for (int o = 0; o < b->nout; o++) {
                busy |= b->state[o * (j->K + 1) + k] == BUSY;
                complete &= b->state[o * (j->K + 1) + k] == KNOWN;
            }
        if (busy || (b->live && !complete && b->asked != j->questions && within_itself(j, b)))
            return true;
    }
    return false;
}

/* Results of control ops come all at once, or up to part k where more of the arguments is to follow
   from it, as from a loop within the equation of a root. */
static void strict(jets *j, app *a, int k)
{
    agni_grading g = *j->g;
    j->questions++;
    g.K = j->curves && within_itself(j, a) ? k : j->K;
    int n = g.K + 1;
    const agn_tensor **c = agni_zalloc((size_t)(a->nin + a->nout) * (size_t)n * sizeof *c);
    const agn_tensor **x = agni_zalloc((size_t)(a->nin + a->nout) * sizeof *x);
    if (!c || !x) {
        agn_scope_fail(j->s, agni_nomem("jet", (size_t)n * sizeof *c));
    } else {
        for (int i = 0; i < a->nin; i++)
            for (int m = 0; m < n; m++) {
                c[i * n + m] = coefficient(j, a->in[i], m);
                if (!m)
                    x[i] = c[i * n];
            }
        for (int o = 0; o < a->nout; o++)
            x[a->nin + o] = coefficient(j, (series){a, o}, 0);
        agni_rule r = {a->op, a->at, a->nin, a->nout, x, x + a->nin};
        if (!agn_scope_status(j->s))
            a->op->jet(j->s, &r, &g, c, c + a->nin * n);
        for (int o = 0; o < a->nout; o++)
            for (int m = 1; m < n; m++)
                set(j, a, o, m, c[(a->nin + o) * n + m]);
    }
    agni_free(c);
    agni_free(x);
}

static void first_coefficients(jets *j, app *a)
{
    const agn_tensor *few[MANY] = {NULL}, **x = few;
    int n = a->nin + a->nout;
    if (n > MANY && !(x = agni_zalloc((size_t)n * sizeof *x))) {
        agn_scope_fail(j->s, agni_nomem("jet", (size_t)n * sizeof *x));
        return;
    }
    const agn_tensor **y = x + a->nin;
    for (int i = 0; i < a->nin; i++)
        x[i] = coefficient(j, a->in[i], 0);
    agni_apply_many_in(j->s, a->op, a->at, a->nin, x, a->nout, y);
    for (int o = 0; o < a->nout; o++)
        set(j, a, o, 0, y[o]);
    if (x != few)
        agni_free(x);
}

/* part k of an op that is linear in the arguments which have low parts */
static const agn_tensor *by_degrees(jets *j, app *a, int o, int k)
{
    const agn_tensor *sum = NULL;
    series in[MANY];
    for (int m = a->low; m <= k && !agn_scope_status(j->s); m++) {
        for (int i = 0; i < a->nin; i++)
            in[i] = a->in[i].a->low ? pure(j, a->in[i], m) : a->in[i];
        app *b = applied(j, a->op, a->at, a->nin, in, a->nout);
        if (!b)
            return NULL;
        b->pure = true;
        for (int q = 0; q < a->nout; q++)
            b->like[q] = like(j, (series){a, q});
        sum = agni_add_present(j->s, sum, coefficient(j, (series){b, o}, k));
    }
    return sum;
}
static const agn_tensor *begin(jets *j, app *a, int o)
{
    const agn_tensor *x[MANY], *y[MANY] = {NULL};
    bool on[MANY];
    for (int i = 0; i < a->nin; i++) {
        int k = a->in[i].a->low;
        x[i] = coefficient(j, a->in[i], k);
        x[i] = x[i] ? x[i] : agni_grading_zeros(j->s, j->g, k, like(j, a->in[i]));
        on[i] = k && agni_laned(j->g, k);
    }
    apply_lanes(j, a, x, on, j->g->lanes[a->low], y);
    return y[o];
}

static const agn_tensor *compute(jets *j, app *a, int o, int k)
{
    const agni_op *op = a->op;
    if (op->cls == AGNI_LINEAR)
        return linear(j, a, o, k);
    if (bilinear(op))
        return leibniz(j, a, k);
    if (op->cls == AGNI_EW && op->partial)
        return elementwise(j, a, k);
    if (a->low && !a->pure)
        return by_degrees(j, a, o, k);
    if (a->pure && k == a->low)
        return begin(j, a, o);
    if (!make_ready(j, a) || !a->d[o].a)
        return NULL;
    return scaled(j, coefficient(j, a->d[o], k - j->curves), 1.0 / (k - a->low));
}

static const agn_tensor *coefficient(jets *j, series x, int k)
{
    app *a = x.a;
    if (!a || agn_scope_status(j->s))
        return NULL;
    int at = x.o * (j->K + 1) + k;
    if (a->state[at] == KNOWN)
        return a->c[at];
    if (a->kind == DERIVATIVE || a->kind == PURE) {
        int n = k + (a->kind == DERIVATIVE && j->curves);
        bool on = n && n <= j->K && (a->kind == DERIVATIVE || k == a->low);
        const agn_tensor *c = on ? coefficient(j, a->in[0], n) : NULL;
        if (a->kind == DERIVATIVE)
            c = scaled(j, c, n);
        if (!c && !k)
            c = agni_grading_zeros(j->s, j->g, n, a->like[0]);
        set(j, a, x.o, k, c);
        return c;
    }
    if (a->kind == APPLIED && k == 0) {
        first_coefficients(j, a);
        return a->c[at];
    }
    if (!a->live || k < a->low)
        return NULL;
    const agn_tensor *y = like(j, x);
    if (!y || !agni_smooth(y)) { /* nothing flows through an integer */
        set(j, a, x.o, k, NULL);
        return NULL;
    }
    if (a->state[at] == BUSY) { /* a tangent that is not linear */
        agni_no_rule(j->s, a->op, "Taylor mode");
        return NULL;
    }
    a->state[at] = BUSY;
    if (a->kind == APPLIED && a->op->jet && (j->curves || !a->op->curves)) {
        strict(j, a, k);
        return a->c[at];
    }
    const agn_tensor *c = a->kind == APPLIED ? compute(j, a, x.o, k) : NULL;
    c = fitted(j, c, k, y);
    set(j, a, x.o, k, c);
    return c;
}

/* ---- a program --------------------------------------------------------------------------------------- */

void agni_sweep_jet(agni_traversal *w, const agni_grading *g, const agn_tensor *const *c,
                    const agn_tensor **out)
{
    const agni_prog *p = w->p;
    int K = g->K;
    jets *j = agni_zalloc(sizeof *j);
    series *v = agni_zalloc((size_t)(p->n_val + 1) * sizeof *v), *in = NULL;
    if (j && v)
        in = agni_alloc((size_t)w->width * sizeof *in);
    if (!in) {
        agn_scope_fail(w->s, agni_nomem("jet", (size_t)p->n_val * sizeof *v));
        goto done;
    }
    j->s = w->s;
    j->g = g;
    j->curves = g->lanes[1] == 1 && !g->by;
    j->K = K;
    for (int i = 0; i < p->n_in + p->n_cap; i++) {
        v[i] = constant(j, w->prim[i]);
        for (int k = 1; v[i].a && i < p->n_in && w->active[i] && k <= K; k++) {
            const agn_tensor *x = c[i * (K + 1) + k];
            set(j, v[i].a, 0, k, x);
            v[i].a->live |= x != NULL;
        }
    }
    for (int n = 0; n < p->n_node && !agn_scope_status(w->s); n++) {
        const agni_pnode *q = &p->node[n];
        for (int i = 0; i < q->nin; i++)
            in[i] = v[p->arg[q->arg + i]];
        app *a = applied(j, q->op, q->at, q->nin, in, q->nout);
        for (int o = 0; a && o < q->nout; o++) {
            v[q->val + o] = (series){a, o};
            if (a->state[o * (K + 1)] == UNKNOWN)
                set(j, a, o, 0, w->prim[q->val + o]);
            a->like[o] = w->prim[q->val + o];
        }
        for (int o = 0; a && o < q->nout; o++)
            for (int k = 1; w->active[q->val + o] && k <= K; k++)
                coefficient(j, (series){a, o}, k); /* in order: shallow recursion */
    }
    for (int o = 0; o < p->n_out; o++)
        for (int k = 1; k <= K; k++)
            out[o * (K + 1) + k] =
                w->active[p->out[o]] ? coefficient(j, v[p->out[o]], k) : NULL;
done:
    while (j && j->all) {
        app *next = j->all->next;
        agni_free(j->all);
        j->all = next;
    }
    agni_free(in);
    agni_free(v);
    agni_free(j);
}
