/* autograd/jet.c - Taylor coefficients of any order from the one rule of each op.

   Every value is a series x(t) = sum x_k t^k whose coefficients are computed when asked for;
   absent coefficients are absent. Rules:
     element-wise   y' = sum_i f_i(x, y) x_i', so k y_k = sum_i sum_j j x_ij d_i,k-j with d_i the
                    series of the partial derivative, itself an expression in x and y
     bilinear       Leibniz: y_k = sum_j op(a_j, b_k-j)
     linear         y_k = op(x_k)
     any other      y' = F(x, y, x') linear in x': k y_k = coefficient k - 1 of F
   The expressions f_i and F are recorded once on leaves without values and become further
   series. Equal applications are one series (sin and cos share theirs), so order K costs
   O(K^2) products (Griewank & Walther 2008, chapter 13).                                  */
#include "autograd/sweep.h"

#include <string.h>

typedef struct app app;

/* one result of one application */
typedef struct series {
    app *a;
    int o;
} series;

enum kind { GIVEN, APPLIED, DERIVATIVE };
struct app {
    enum kind kind;
    bool live;  /* has coefficients beyond the first? */
    bool ready; /* f or d is built */
    const agni_op *op;
    const agni_attr *at;
    int nin, nout;
    series *in;
    series *d;            /* partials by argument, or F by result; d.a NULL: +-1 in sign */
    int *sign;
    const agn_tensor **c; /* [nout][K + 1] */
    bool *known;
    app *next, *bucket;   /* all, and of one hash */
};

enum { BUCKETS = 1024, MANY = 32 };
typedef struct jets {
    agn_scope *s;
    int K;
    app *all, *bucket[BUCKETS];
} jets;

static const agn_tensor *coefficient(jets *j, series x, int k);

/* ---- applications ----------------------------------------------------------------------- */

static app *app_new(jets *j, enum kind kind, const agni_op *op, const agni_attr *at, int nin,
                    int nout)
{
    size_t nc = (size_t)nout * (size_t)(j->K + 1), slots = (size_t)(nin > nout ? nin : nout);
    size_t bytes = sizeof(app) + (size_t)nin * sizeof(series) + slots * sizeof(series) +
                   nc * sizeof(agn_tensor *) + slots * sizeof(int) + nc;
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
    a->sign = (int *)(void *)(a->c + nc);
    a->known = (bool *)(void *)(a->sign + slots);
    a->next = j->all;
    j->all = a;
    return a;
}

static void set(jets *j, app *a, int o, int k, const agn_tensor *c)
{
    a->c[o * (j->K + 1) + k] = c;
    a->known[o * (j->K + 1) + k] = true;
}

static series constant(jets *j, const agn_tensor *x)
{
    app *a = app_new(j, GIVEN, NULL, NULL, 0, 1);
    if (a)
        set(j, a, 0, 0, x);
    return (series){a, 0};
}

/* m-th coefficient is (m + 1) x_(m + 1) */
static series derivative(jets *j, series x)
{
    app *a = app_new(j, DERIVATIVE, NULL, NULL, 1, 1);
    if (a) {
        a->in[0] = x;
        a->live = true;
    }
    return (series){a, 0};
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
    a->bucket = *slot;
    *slot = a;
    return a;
}

/* ---- expressions recorded on symbols become series ----------------------------------------- */

typedef struct binding {
    const agn_tensor *symbol;
    series is;
} binding;

static series series_of(jets *j, const agn_tensor *x, uint64_t first, const binding *b, int nb)
{
    for (int i = 0; i < nb; i++)
        if (x == b[i].symbol)
            return b[i].is;
    if (!x->node || x->node->id < first)
        return constant(j, x);
    const agni_node *n = x->node;
    series few[MANY] = {{NULL, 0}}, *in = few;
    if (n->nin > MANY && !(in = agni_alloc((size_t)n->nin * sizeof *in))) {
        agn_scope_fail(j->s, agni_nomem("jet", (size_t)n->nin * sizeof *in));
        return (series){NULL, 0};
    }
    for (int i = 0; i < n->nin; i++)
        in[i] = series_of(j, n->in[i], first, b, nb);
    app *a = applied(j, n->op, n->at, n->nin, in, n->nout);
    if (in != few)
        agni_free(in);
    return (series){a, x->out};
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
    binding b[3 * MANY];
    const agn_tensor *x[MANY], *y[MANY], *t[MANY], *ty[MANY] = {NULL};
    int nb = 0;
    bool elementwise = a->op->cls == AGNI_EW && a->op->partial;
    for (int i = 0; i < a->nin; i++) {
        x[i] = symbol_like(j, coefficient(j, a->in[i], 0));
        b[nb++] = (binding){x[i], a->in[i]};
    }
    for (int o = 0; o < a->nout; o++) {
        y[o] = symbol_like(j, coefficient(j, (series){a, o}, 0));
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
            t[i] = on && agni_smooth(x[i]) ? symbol_like(j, x[i]) : NULL;
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
    return !agn_scope_status(j->s);
}

/* ---- coefficients ------------------------------------------------------------------------------ */

static const agn_tensor *scaled(jets *j, const agn_tensor *x, double c)
{
    if (!x || c == 1)
        return x;
    return agni_ap(j->s, &agni_op_mul, NULL, 2, (const agn_tensor *[]){x, agni_literal(j->s, c)});
}

static const agn_tensor *fitted(jets *j, const agn_tensor *c, const agn_tensor *y)
{
    if (!c || !y)
        return NULL;
    if (c->dtype != y->dtype)
        c = agni_cast(j->s, c, y->dtype);
    return c ? agni_broadcast(j->s, c, y->ndim, y->shape) : NULL;
}

static const agn_tensor *leibniz(jets *j, app *a, int k)
{
    const agn_tensor *x[MANY], *sum = NULL;
    int d[2], n = 0;
    for (int i = 0; i < a->nin; i++) {
        if (agni_diff(a->op, i) && n < 2)
            d[n++] = i;
        else
            x[i] = coefficient(j, a->in[i], 0);
    }
    for (int m = 0; m <= k; m++) {
        x[d[0]] = coefficient(j, a->in[d[0]], m);
        x[d[1]] = x[d[0]] ? coefficient(j, a->in[d[1]], k - m) : NULL;
        if (x[d[0]] && x[d[1]])
            sum = agni_plus(j->s, sum, agni_ap(j->s, a->op, a->at, a->nin, x));
    }
    return sum;
}

static const agn_tensor *linear(jets *j, app *a, int o, int k)
{
    const agn_tensor *few[MANY], **x = few, *y[MANY] = {NULL};
    bool any = false;
    if (a->nin > MANY && !(x = agni_alloc((size_t)a->nin * sizeof *x))) {
        agn_scope_fail(j->s, agni_nomem("jet", (size_t)a->nin * sizeof *x));
        return NULL;
    }
    for (int i = 0; i < a->nin; i++) {
        bool on = agni_diff(a->op, i);
        x[i] = coefficient(j, a->in[i], on ? k : 0);
        any |= on && x[i];
    }
    for (int i = 0; any && i < a->nin; i++)
        if (!x[i])
            x[i] = agni_zeros_like(j->s, coefficient(j, a->in[i], 0));
    if (any)
        agni_apn(j->s, a->op, a->at, a->nin, x, a->nout, y);
    if (x != few)
        agni_free(x);
    return y[o];
}

static const agn_tensor *elementwise(jets *j, app *a, int k)
{
    const agn_tensor *sum = NULL;
    if (!make_ready(j, a))
        return NULL;
    for (int i = 0; i < a->nin; i++) {
        if (!agni_diff(a->op, i) || !a->in[i].a->live)
            continue;
        if (a->sign[i]) {
            const agn_tensor *u = coefficient(j, a->in[i], k);
            if (u && a->sign[i] < 0)
                u = agni_ap(j->s, &agni_op_neg, NULL, 1, &u);
            sum = agni_plus(j->s, sum, u);
            continue;
        }
        for (int m = 1; a->d[i].a && m <= k; m++) {
            const agn_tensor *u = coefficient(j, a->in[i], m);
            const agn_tensor *d = u ? coefficient(j, a->d[i], k - m) : NULL;
            if (u && d)
                sum = agni_plus(j->s, sum,
                                scaled(j, agni_times(j->s, u, d, a->op->bounded),
                                       (double)m / k));
        }
    }
    return sum;
}

/* results of control ops come all at once */
static void strict(jets *j, app *a)
{
    int n = j->K + 1;
    const agn_tensor **c = agni_zalloc((size_t)(a->nin + a->nout) * (size_t)n * sizeof *c);
    const agn_tensor **x = agni_zalloc((size_t)(a->nin + a->nout) * sizeof *x);
    if (!c || !x) {
        agn_scope_fail(j->s, agni_nomem("jet", (size_t)n * sizeof *c));
    } else {
        for (int i = 0; i < a->nin; i++)
            for (int k = 0; k < n; k++) {
                c[i * n + k] = coefficient(j, a->in[i], k);
                if (!k)
                    x[i] = c[i * n];
            }
        for (int o = 0; o < a->nout; o++)
            x[a->nin + o] = coefficient(j, (series){a, o}, 0);
        agni_rule r = {a->op, a->at, a->nin, a->nout, x, x + a->nin};
        if (!agn_scope_status(j->s))
            a->op->jet(j->s, &r, j->K, c, c + a->nin * n);
        for (int o = 0; o < a->nout; o++)
            for (int k = 1; k < n; k++)
                set(j, a, o, k, c[(a->nin + o) * n + k]);
    }
    agni_free(c);
    agni_free(x);
}

static void first_coefficients(jets *j, app *a)
{
    const agn_tensor *few[MANY], **x = few, *y[MANY] = {NULL};
    if (a->nin > MANY && !(x = agni_alloc((size_t)a->nin * sizeof *x))) {
        agn_scope_fail(j->s, agni_nomem("jet", (size_t)a->nin * sizeof *x));
        return;
    }
    for (int i = 0; i < a->nin; i++)
        x[i] = coefficient(j, a->in[i], 0);
    agni_apn(j->s, a->op, a->at, a->nin, x, a->nout, y);
    for (int o = 0; o < a->nout; o++)
        set(j, a, o, 0, y[o]);
    if (x != few)
        agni_free(x);
}

static const agn_tensor *compute(jets *j, app *a, int o, int k)
{
    const agni_op *op = a->op;
    if (op->cls == AGNI_LINEAR)
        return linear(j, a, o, k);
    if (op->cls == AGNI_MULTI || op == &agni_op_mul || op == &agni_op_mulz)
        return leibniz(j, a, k);
    if (op->cls == AGNI_EW && op->partial)
        return elementwise(j, a, k);
    if (!make_ready(j, a) || !a->d[o].a)
        return NULL;
    return scaled(j, coefficient(j, a->d[o], k - 1), 1.0 / k);
}

static const agn_tensor *coefficient(jets *j, series x, int k)
{
    app *a = x.a;
    if (!a || agn_scope_status(j->s))
        return NULL;
    int at = x.o * (j->K + 1) + k;
    if (a->known[at])
        return a->c[at];
    if (a->kind == DERIVATIVE) {
        const agn_tensor *c = k < j->K ? scaled(j, coefficient(j, a->in[0], k + 1), k + 1) : NULL;
        if (!c && k == 0)
            c = agni_zeros_like(j->s, coefficient(j, a->in[0], 0));
        set(j, a, x.o, k, c);
        return c;
    }
    if (a->kind == APPLIED && k == 0) {
        first_coefficients(j, a);
        return a->c[at];
    }
    if (!a->live)
        return NULL;
    const agn_tensor *y = coefficient(j, (series){a, x.o}, 0);
    if (!y || !agni_smooth(y)) { /* nothing flows through an integer */
        set(j, a, x.o, k, NULL);
        return NULL;
    }
    if (a->kind == APPLIED && a->op->jet) {
        strict(j, a);
        return a->c[at];
    }
    const agn_tensor *c = a->kind == APPLIED ? compute(j, a, x.o, k) : NULL;
    c = fitted(j, c, y);
    set(j, a, x.o, k, c);
    return c;
}

/* ---- a program --------------------------------------------------------------------------------------- */

void agni_sweep_jet(agni_walk *w, int K, const agn_tensor *const *c, const agn_tensor **out)
{
    const agni_prog *p = w->p;
    jets *j = agni_zalloc(sizeof *j);
    series *v = agni_zalloc((size_t)(p->n_val + 1) * sizeof *v), *in = NULL;
    if (j && v)
        in = agni_alloc((size_t)w->width * sizeof *in);
    if (!in) {
        agn_scope_fail(w->s, agni_nomem("jet", (size_t)p->n_val * sizeof *v));
        goto done;
    }
    j->s = w->s;
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
            if (!a->known[o * (K + 1)])
                set(j, a, o, 0, w->prim[q->val + o]);
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
