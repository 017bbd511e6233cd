/* jet_series.c - series as a graph: hash-consed applications of ops, and the partial derivatives of
   each, recorded on symbols and read as further series. */
#include "autograd/modes/jet.h"

#include <string.h>

/* ---- applications ----------------------------------------------------------------------- */

static agni_jet_application *new_application(agni_jet_context *j, enum agni_jet_kind kind,
                                             const agni_op *op, const agni_attr *at, int nin,
                                             int nout)
{
    size_t nc = (size_t)nout * (size_t)(j->K + 1), slots = (size_t)(nin > nout ? nin : nout);
    size_t bytes = sizeof(agni_jet_application) + (size_t)nin * sizeof(agni_jet_series) +
                   slots * sizeof(agni_jet_series) +
                   2 * (nc + (size_t)nout) * sizeof(agn_tensor *) + slots * sizeof(int) +
                   (size_t)nout + 2 * nc;
    agni_jet_application *a = agni_zalloc(bytes);
    if (!a) {
        agn_scope_fail(j->s, agni_nomem("jet", bytes));
        return NULL;
    }
    a->kind = kind;
    a->op = op;
    a->at = at;
    a->nin = nin;
    a->nout = nout;
    a->in = (agni_jet_series *)(void *)(a + 1);
    a->d = a->in + nin;
    a->zeros = (const agn_tensor **)(void *)(a->d + slots);
    a->c = a->zeros + nout;
    a->own = a->c + nc;
    a->like = a->own + nc;
    a->sign = (int *)(void *)(a->like + nout);
    a->state = (char *)(void *)(a->sign + slots);
    a->dirty = a->state + nc;
    a->zeros_known = a->dirty + nc;
    a->next = j->all;
    j->all = a;
    return a;
}

void agni_jet_set_coefficient(agni_jet_context *j, agni_jet_application *a, int o, int k,
                              const agn_tensor *c)
{
    a->c[o * (j->K + 1) + k] = c;
    a->state[o * (j->K + 1) + k] = AGNI_JET_KNOWN;
}

/* a tensor of the shape and dtype of x */
const agn_tensor *agni_jet_value_like(agni_jet_context *j, agni_jet_series x)
{
    return x.a && x.a->like[x.o] ? x.a->like[x.o] : agni_jet_coefficient(j, x, 0);
}

agni_jet_series agni_jet_constant_series(agni_jet_context *j, const agn_tensor *x)
{
    agni_jet_application *a = new_application(j, AGNI_JET_GIVEN, NULL, NULL, 0, 1);
    if (a) {
        agni_jet_set_coefficient(j, a, 0, 0, x);
        a->like[0] = x;
    }
    return (agni_jet_series){a, 0};
}

/* the part of degree k is k x_k, or (k + 1) x_(k + 1) */
static agni_jet_series derivative_series(agni_jet_context *j, agni_jet_series x)
{
    agni_jet_application *a = new_application(j, AGNI_JET_DERIVATIVE, NULL, NULL, 1, 1);
    if (a) {
        a->in[0] = x;
        a->live = a->tangent = true;
        a->low = j->curves ? 0 : x.a && x.a->low > 1 ? x.a->low : 1;
        a->like[0] = agni_jet_value_like(j, x);
    }
    return (agni_jet_series){a, 0};
}

/* the homogeneous part of degree m */
agni_jet_series agni_jet_homogeneous_series(agni_jet_context *j, agni_jet_series x, int m)
{
    agni_jet_application *a = new_application(j, AGNI_JET_HOMOGENEOUS, NULL, NULL, 1, 1);
    if (a) {
        a->in[0] = x;
        a->live = a->tangent = true;
        a->low = m;
        a->like[0] = agni_jet_value_like(j, x);
    }
    return (agni_jet_series){a, 0};
}

bool agni_jet_is_bilinear(const agni_op *op)
{
    return op->cls == AGNI_MULTI || op == &agni_op_mul || op == &agni_op_mulz;
}

/* Lowest degree of a part that is not zero: above 0 only for what is linear in some x', F and its
   subexpressions. */
static int lowest_degree(const agni_op *op, int nin, const agni_jet_series *in)
{
    int least = 0, sum = 0;
    for (int i = 0; i < nin; i++) {
        int l = in[i].a->low;
        sum += l;
        least = l && (!least || l < least) ? l : least;
    }
    return agni_jet_is_bilinear(op) ? sum : least;
}

/* ---- hash-consing --------------------------------------------------------------------------- */

/* An application of op to in, or the literal or tensor x where op is NULL. */
typedef struct series_key {
    const agni_op *op;
    const agni_attr *at;
    int nin;
    const agni_jet_series *in;
    const agn_tensor *x;
} series_key;

/* is x a literal, of a rule or of the user? */
static bool is_literal_number(const agn_tensor *x, uint64_t *bits)
{
    bool is = x->weak && !x->ndim && x->dtype == AGN_F64 && !x->node && !x->stale && x->st &&
              x->st->device == AGN_CPU;
    if (is)
        memcpy(bits, x->data, sizeof *bits);
    return is;
}
static uint64_t hash_key(const series_key *k)
{
    uint64_t bits, h = agni_hash_pointer(1, k->op);
    if (!k->op)
        return is_literal_number(k->x, &bits) ? agni_hash_word(h, bits)
                                              : agni_hash_pointer(h, k->x);
    for (int i = 0; i < k->nin; i++)
        h = agni_hash_word(agni_hash_pointer(h, k->in[i].a), (uint64_t)k->in[i].o);
    return h;
}
static uint64_t hash_interned(const void *items, int32_t i)
{
    const agni_jet_application *a = ((agni_jet_application *const *)items)[i];
    return hash_key(&(series_key){a->op, a->at, a->nin, a->in, a->op ? NULL : a->like[0]});
}
static bool equals_key(const void *items, int32_t i, const void *key)
{
    const agni_jet_application *a = ((agni_jet_application *const *)items)[i];
    const series_key *k = key;
    uint64_t bits, other;
    if (a->op != k->op || a->nin != k->nin)
        return false;
    if (!k->op)
        return a->like[0] == k->x || (is_literal_number(k->x, &bits) &&
                                      is_literal_number(a->like[0], &other) && bits == other);
    for (int n = 0; n < k->nin; n++)
        if (a->in[n].a != k->in[n].a || a->in[n].o != k->in[n].o)
            return false;
    return a->at == k->at || (a->at && k->at && agni_attr_equal(a->at, k->at));
}
static agni_jet_application *find_interned(const agni_jet_context *j, const series_key *k)
{
    int32_t i = agni_hash_index_find(&j->index, hash_key(k), equals_key, j->interned, k);
    return i < 0 ? NULL : j->interned[i];
}
/* a, which find_interned does not find under k; NULL without memory */
static agni_jet_application *add_interned(agni_jet_context *j, const series_key *k,
                                          agni_jet_application *a)
{
    if (!a)
        return NULL;
    if (!agni_reserve_items(&j->interned, &j->cap_interned, j->n_interned + 1,
                            sizeof *j->interned) ||
        !agni_hash_index_reserve(&j->index, j->n_interned + 1, hash_interned, j->interned)) {
        agn_scope_fail(j->s, agni_nomem("jet", sizeof *j->interned));
        return NULL;
    }
    agni_hash_index_add(&j->index, hash_key(k), j->n_interned);
    return j->interned[j->n_interned++] = a;
}

agni_jet_application *agni_jet_intern_application(agni_jet_context *j, const agni_op *op,
                                                  const agni_attr *at, int nin,
                                                  const agni_jet_series *in, int nout)
{
    const series_key k = {op, at, nin, in, NULL};
    bool live = false, tangent = false;
    for (int i = 0; i < nin; i++) {
        if (!in[i].a)
            return NULL;
        live |= agni_is_diff_argument(op, i) && in[i].a->live;
        tangent |= in[i].a->tangent;
    }
    agni_jet_application *a = find_interned(j, &k);
    if (a)
        return a;
    a = new_application(j, AGNI_JET_APPLIED, op, at, nin, nout);
    if (!a)
        return NULL;
    memcpy(a->in, in, (size_t)nin * sizeof *in);
    a->live = live && op->cls != AGNI_DISCRETE && op->cls != AGNI_RANDOM;
    a->tangent = tangent;
    a->low = lowest_degree(op, nin, in);
    return add_interned(j, &k, a);
}

/* the constant series of x; equal literals share one */
static agni_jet_series intern_constant(agni_jet_context *j, const agn_tensor *x)
{
    const series_key k = {.x = x};
    agni_jet_application *a = find_interned(j, &k);
    if (!a)
        a = add_interned(j, &k, agni_jet_constant_series(j, x).a);
    return (agni_jet_series){a, 0};
}

/* ---- expressions recorded on symbols become series ----------------------------------------- */

typedef struct binding {
    const agn_tensor *symbol;
    agni_jet_series is;
} binding;

typedef struct expression {
    const binding *b;
    int nb;
    uint64_t first;
    const agni_node **node, **open; /* nodes needed, by id - first; stack of the search */
    agni_jet_application **is;
} expression;

static bool is_inner_node(const expression *e, const agn_tensor *x)
{
    for (int i = 0; i < e->nb; i++)
        if (x == e->b[i].symbol)
            return false;
    return x->node && x->node->id >= e->first;
}
static agni_jet_series argument_series(agni_jet_context *j, const expression *e,
                                       const agn_tensor *x)
{
    for (int i = 0; i < e->nb; i++)
        if (x == e->b[i].symbol)
            return e->b[i].is;
    if (!is_inner_node(e, x))
        return intern_constant(j, x);
    agni_jet_application *a = e->is[x->node->id - e->first];
    if (a && !a->like[x->out])
        a->like[x->out] = x;
    return (agni_jet_series){a, x->out};
}

/* marks the nodes that x depends on (depth first) */
static void mark_needed_nodes(const expression *e, const agn_tensor *x)
{
    int64_t n = 0;
    e->open[n++] = e->node[x->node->id - e->first] = x->node;
    while (n) {
        const agni_node *at = e->open[--n];
        for (int i = 0; i < at->nin; i++) {
            const agn_tensor *y = at->in[i];
            if (is_inner_node(e, y) && !e->node[y->node->id - e->first])
                e->open[n++] = e->node[y->node->id - e->first] = y->node;
        }
    }
}

static agni_jet_application *apply_node(agni_jet_context *j, const expression *e,
                                        const agni_node *n)
{
    agni_jet_series local[AGNI_JET_MANY] = {{NULL, 0}}, *in = local;
    if (n->nin > AGNI_JET_MANY && !(in = agni_alloc((size_t)n->nin * sizeof *in))) {
        agn_scope_fail(j->s, agni_nomem("jet", (size_t)n->nin * sizeof *in));
        return NULL;
    }
    for (int i = 0; i < n->nin; i++)
        in[i] = argument_series(j, e, n->in[i]);
    agni_jet_application *a = agni_jet_intern_application(j, n->op, n->at, n->nin, in, n->nout);
    if (in != local)
        agni_free(in);
    for (int o = 0; a && o < n->nout; o++)
        if (n->saved && !a->like[o])
            a->like[o] = n->saved[o];
    return a;
}

/* In the order of recording, each node once: subexpressions may be shared many times. */
static agni_jet_series build_series(agni_jet_context *j, const agn_tensor *x, uint64_t first,
                                    const binding *b, int nb)
{
    expression e = {.b = b, .nb = nb, .first = first};
    if (!is_inner_node(&e, x))
        return argument_series(j, &e, x);
    size_t n = (size_t)(x->node->id - first) + 1;
    e.node = agni_zalloc(3 * n * sizeof *e.node);
    if (!e.node) {
        agn_scope_fail(j->s, agni_nomem("jet", 3 * n * sizeof *e.node));
        return (agni_jet_series){NULL, 0};
    }
    e.open = e.node + n;
    e.is = (agni_jet_application **)(void *)(e.open + n);
    mark_needed_nodes(&e, x);
    for (size_t i = 0; i < n && !agn_scope_status(j->s); i++)
        if (e.node[i])
            e.is[i] = apply_node(j, &e, e.node[i]);
    agni_jet_series y = argument_series(j, &e, x);
    agni_free(e.node);
    return y;
}

static const agn_tensor *new_symbol_like(agni_jet_context *j, const agn_tensor *x)
{
    agn_tensor *y = NULL;
    if (!x || agn_scope_status(j->s))
        return NULL;
    agn_status st = agni_make_symbol(&y, x->dtype, x->ndim, x->shape, x->weak);
    return agn_scope_adopt(j->s, st, &y);
}

/* Records the partial derivatives of a, or F, on symbols bound to x, y and x'. */
bool agni_jet_record_derivative(agni_jet_context *j, agni_jet_application *a)
{
    if (a->ready)
        return true;
    a->ready = true;
    uint64_t first = agni_next_node_id();
    size_t width = (size_t)(a->nin + a->nout); /* a user's op may have any number */
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
        uint64_t bits;
        x[i] = agni_jet_value_like(j, a->in[i]);
        if (a->in[i].a->live || !x[i] || !is_literal_number(x[i], &bits)) /* else rules read it */
            x[i] = new_symbol_like(j, x[i]);
        b[nb++] = (binding){x[i], a->in[i]};
    }
    for (int o = 0; o < a->nout; o++) {
        y[o] = new_symbol_like(j, agni_jet_value_like(j, (agni_jet_series){a, o}));
        b[nb++] = (binding){y[o], {a, o}};
    }
    const agn_tensor *whole = x[0];
    agni_rule r = {a->op, a->at, a->nin, a->nout, x, y};
    if (a->nin == 1)
        x[0] = agni_present_argument(j->s, a->op, whole, agni_jet_zeros(j, a->in[0]));
    for (int i = 0; i < a->nin && !agn_scope_status(j->s); i++) {
        bool on = agni_is_diff_argument(a->op, i) && a->in[i].a->live;
        if (elementwise && on) {
            const agn_tensor *d = a->op->partial(j->s, &r, i);
            a->sign[i] = d == &agni_one ? 1 : d == &agni_minus_one ? -1 : 0;
            if (d && !a->sign[i])
                a->d[i] = build_series(j, d, first, b, nb);
        } else if (!elementwise) {
            on &= agni_is_differentiable(x[i]) && !(a->homogeneous && a->in[i].a->low);
            t[i] = on ? new_symbol_like(j, x[i]) : NULL;
            if (t[i])
                b[nb++] = (binding){t[i], derivative_series(j, a->in[i])};
        }
    }
    if (!elementwise && !agn_scope_status(j->s)) {
        agni_node_jvp(j->s, &r, t, ty);
        for (int o = 0; o < a->nout && !agn_scope_status(j->s); o++)
            if (ty[o])
                a->d[o] = build_series(j, ty[o], first, b, nb);
    }
done:
    agni_free(b);
    agni_free(x);
    return !agn_scope_status(j->s);
}
