/* jet_rules.c - coefficient k of one application: the rules of jet.c for each class of ops. */
#include "autograd/modes/jet.h"

const agn_tensor *agni_jet_scale_by(agni_jet_context *j, const agn_tensor *x, double c)
{
    if (!x || c == 1)
        return x;
    return agni_apply_in(j->s, &agni_op_mul, NULL, 2,
                         (const agn_tensor *[]){x, agni_literal(j->s, c)});
}

/* part k with the rank of y */
static const agn_tensor *align_rank(agni_jet_context *j, const agn_tensor *c, int k,
                                    const agn_tensor *y)
{
    return c && y ? agni_align_rank(j->s, c, agni_has_lanes(j->g, k), y->ndim) : NULL;
}

const agn_tensor *agni_jet_fit_to_value(agni_jet_context *j, const agn_tensor *c, int k,
                                        const agn_tensor *y)
{
    if (!c || !y)
        return NULL;
    if (c->dtype != y->dtype)
        c = agni_cast(j->s, c, y->dtype);
    if (!agni_has_lanes(j->g, k))
        return c ? agni_broadcast(j->s, c, y->ndim, y->shape) : NULL;
    int64_t shape[AGNI_MAX_RANK + 1] = {j->g->lanes[k]};
    for (int d = 0; d < y->ndim; d++)
        shape[1 + d] = y->shape[d];
    c = align_rank(j, c, k, y);
    return c ? agni_broadcast(j->s, c, y->ndim + 1, shape) : NULL;
}

/* op of a at x, batched where on; y[nout] */
static void apply_to_lanes(agni_jet_context *j, const agni_jet_application *a,
                           const agn_tensor *const *x, const bool *on, int64_t lanes,
                           const agn_tensor **y)
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
            one[i] = agni_jet_value_like(j, a->in[i]);
        for (int o = 0; o < a->nout; o++)
            one[a->nin + o] = agni_jet_value_like(j,
                                                  (agni_jet_series){(agni_jet_application *)a, o});
        agni_rule r = {a->op, a->at, a->nin, a->nout, one, one + a->nin};
        if (!agn_scope_status(j->s))
            agni_node_batch(j->s, &r, lanes, x, on, y, bout);
    }
    agni_free(one);
    agni_free(bout);
}

/* ---- products of parts: the element-wise product, or a bilinear op in two of its arguments */

typedef struct pairing {
    agni_jet_context *j;
    const agni_jet_application *a;
    int rank; /* a NULL: of the product of elements */
    const agn_tensor *x[AGNI_JET_MANY];
    int d[2];
} pairing;

static const agn_tensor *multiply_elements(void *user, const agn_tensor *u, bool ul,
                                           const agn_tensor *v, bool vl, int64_t lanes)
{
    const pairing *p = user;
    (void)lanes;
    return agni_apply_in(p->j->s, &agni_op_mul, NULL, 2,
                         (const agn_tensor *[]){agni_align_rank(p->j->s, u, ul, p->rank),
                                                agni_align_rank(p->j->s, v, vl, p->rank)});
}

static const agn_tensor *apply_bilinear(void *user, const agn_tensor *u, bool ul,
                                        const agn_tensor *v, bool vl, int64_t lanes)
{
    pairing *p = user;
    const agn_tensor *y[AGNI_JET_MANY] = {NULL};
    bool on[AGNI_JET_MANY] = {false};
    p->x[p->d[0]] = u;
    p->x[p->d[1]] = v;
    on[p->d[0]] = ul;
    on[p->d[1]] = vl;
    apply_to_lanes(p->j, p->a, p->x, on, lanes, y);
    return y[0];
}

/* product of the parts u of degree m and v of degree k - m */
static agni_masked multiply_parts(pairing *p, int m, agni_masked u, int k, agni_masked v)
{
    agni_jet_context *j = p->j;
    agni_masked y = {NULL};
    if (p->a) { /* a contraction: masks end */
        u.v = agni_clean_masked(j->s, u);
        v.v = agni_clean_masked(j->s, v);
    } else {
        y.m = agni_join_masks(j->s, u.m, v.m);
    }
    y.v = agni_graded_product(j->s, j->g, m, u.v, k - m, v.v,
                              p->a ? apply_bilinear : multiply_elements, p);
    y.dirty = y.m != NULL;
    return y;
}

static bool is_written_zero(agni_jet_context *j, agni_jet_series x)
{
    return x.a && !x.a->live && agni_is_written_zero(agni_jet_coefficient(j, x, 0));
}

static agni_masked leibniz_coefficient(agni_jet_context *j, agni_jet_application *a, int k)
{
    agni_masked sum = {NULL};
    const agn_tensor *y = agni_jet_value_like(j, (agni_jet_series){a, 0});
    pairing p = {.j = j, .a = a->op->cls == AGNI_EW ? NULL : a};
    int n = 0;
    for (int i = 0; i < a->nin; i++) {
        if (agni_is_diff_argument(a->op, i) && n < 2)
            p.d[n++] = i;
        else
            p.x[i] = agni_jet_coefficient(j, a->in[i], 0);
    }
    agni_jet_series u = a->in[p.d[0]], v = a->in[p.d[1]];
    p.rank = y ? y->ndim : 0;
    if (is_written_zero(j, u) || is_written_zero(j, v))
        return sum;
    for (int m = u.a->low; m <= k - v.a->low; m++) {
        agni_masked um = agni_jet_masked(j, u, m), vm = {NULL};
        if (um.v)
            vm = agni_jet_masked(j, v, k - m);
        if (!vm.v)
            continue;
        agni_masked t = multiply_parts(&p, m, um, k, vm);
        t.v = align_rank(j, t.v, k, y);
        sum = agni_add_masked(j->s, sum, t, true);
    }
    return sum;
}

static agni_masked linear_coefficient(agni_jet_context *j, agni_jet_application *a, int o, int k)
{
    const agn_tensor *local[AGNI_JET_MANY], **x = local, *y[AGNI_JET_MANY] = {NULL};
    bool lanes[AGNI_JET_MANY] = {false}, *on = lanes, any = false;
    agni_masked c = {NULL};
    bool raw = agni_keeps_masks(a->op, a->nin); /* masks go along, and nothing is cleaned */
    if (a->nin > AGNI_JET_MANY) {
        x = agni_alloc((size_t)a->nin * sizeof *x);
        on = agni_zalloc((size_t)a->nin);
        if (!x || !on) {
            agn_scope_fail(j->s, agni_nomem("jet", (size_t)a->nin * sizeof *x));
            goto done;
        }
    }
    for (int i = 0; i < a->nin; i++) {
        bool diff = agni_is_diff_argument(a->op, i);
        agni_masked part = {NULL};
        if (diff)
            part = agni_jet_masked(j, a->in[i], k);
        c.dirty |= raw && part.v && part.dirty;
        x[i] = diff && raw ? part.v : agni_jet_coefficient(j, a->in[i], diff ? k : 0);
        on[i] = diff && x[i] && agni_has_lanes(j->g, k);
        any |= diff && x[i];
    }
    for (int i = 0; any && i < a->nin; i++)
        if (!x[i])
            x[i] = agni_zeros_like(j->s, agni_jet_value_like(j, a->in[i]));
    if (any && !agn_scope_status(j->s))
        apply_to_lanes(j, a, x, on, j->g->lanes[k], y);
done:
    if (x != local)
        agni_free(x);
    if (on != lanes)
        agni_free(on);
    c.v = y[o];
    c.m = agni_jet_zeros(j, (agni_jet_series){a, o});
    if (!c.m && c.v)
        c.m = agni_jet_own_mask(j, a, o, k);
    return c;
}

static agni_masked elementwise_coefficient(agni_jet_context *j, agni_jet_application *a, int k)
{
    agni_masked sum = {NULL};
    const agn_tensor *y = agni_jet_value_like(j, (agni_jet_series){a, 0});
    if (!agni_jet_record_derivative(j, a))
        return sum;
    for (int i = 0; i < a->nin; i++) {
        if (!agni_is_diff_argument(a->op, i) || !a->in[i].a->live)
            continue;
        agni_jet_series d = a->d[i];
        const agn_tensor *dl = d.a ? agni_jet_value_like(j, d) : NULL;
        if (a->sign[i] || (dl && dl->dtype == AGN_BOOL)) {
            agni_masked u = agni_jet_masked(j, a->in[i], k);
            if (u.v && a->sign[i] < 0)
                u.v = agni_apply_in(j->s, &agni_op_neg, NULL, 1, &u.v);
            u.v = align_rank(j, u.v, k, y);
            if (u.v && !a->sign[i])
                u = agni_choose_masked(j->s, u, agni_jet_coefficient(j, d, 0));
            sum = agni_add_masked(j->s, sum, u, true);
            continue;
        }
        if (!dl || is_written_zero(j, d))
            continue;
        pairing p = {.j = j};
        int least = a->in[i].a->low > 1 ? a->in[i].a->low : 1;
        for (int m = least; m <= k - d.a->low; m++) {
            agni_masked u = agni_jet_masked(j, a->in[i], m), v = {NULL};
            if (u.v)
                v = agni_jet_masked(j, d, k - m);
            if (!v.v)
                continue;
            int ru = agni_jet_value_like(j, a->in[i])->ndim, rv = dl->ndim;
            p.rank = ru > rv ? ru : rv;
            agni_masked t = multiply_parts(&p, m, u, k, v);
            t.v = align_rank(j, agni_jet_scale_by(j, t.v, (double)m / k), k, y);
            t = agni_choose_present(j->s, a->op, t, agni_jet_coefficient(j, a->in[i], 0));
            sum = agni_add_masked(j->s, sum, t, true);
        }
    }
    return sum;
}

/* Does computing a series that a depends on require a (a cycle through a BUSY part)? Complete and
   constant series end the search. */
static bool is_self_dependent(const agni_jet_context *j, agni_jet_application *a)
{
    a->query = j->n_queries;
    for (int i = 0; i < a->nin; i++) {
        agni_jet_application *b = a->in[i].a;
        bool busy = false, complete = true;
        for (int k = 1; b->live && k <= j->K; k++)
            for (int o = 0; o < b->nout; o++) {
                busy |= b->state[o * (j->K + 1) + k] == AGNI_JET_BUSY;
                complete &= b->state[o * (j->K + 1) + k] == AGNI_JET_KNOWN;
            }
        if (busy || (b->live && !complete && b->query != j->n_queries && is_self_dependent(j, b)))
            return true;
    }
    return false;
}

/* The jet rule of an op (control ops) gives all orders at once; or those up to k, where higher
   parts of the arguments depend on them, as of a loop within the equation of a root. */
void agni_jet_compute_all_orders(agni_jet_context *j, agni_jet_application *a, int k)
{
    agni_grading g = *j->g;
    j->n_queries++;
    g.K = j->curves && is_self_dependent(j, a) ? k : j->K;
    int n = g.K + 1;
    const agn_tensor **c = agni_zalloc((size_t)(a->nin + a->nout) * (size_t)n * sizeof *c);
    const agn_tensor **x = agni_zalloc(2 * (size_t)(a->nin + a->nout) * sizeof *x);
    const agn_tensor **m_in = x + a->nin + a->nout;
    if (!c || !x) {
        agn_scope_fail(j->s, agni_nomem("jet", (size_t)n * sizeof *c));
    } else {
        for (int i = 0; i < a->nin; i++) {
            for (int m = 0; m < n; m++)
                c[i * n + m] = agni_jet_coefficient(j, a->in[i], m);
            x[i] = c[i * n];
            m_in[i] = agni_jet_zeros(j, a->in[i]);
        }
        for (int o = 0; o < a->nout; o++)
            x[a->nin + o] = agni_jet_coefficient(j, (agni_jet_series){a, o}, 0);
        agni_rule r = {a->op, a->at, a->nin, a->nout, x, x + a->nin};
        if (!agn_scope_status(j->s))
            agni_jet_rule(j->s, &r, &g, c, m_in, c + a->nin * n, m_in + a->nin);
        for (int o = 0; o < a->nout; o++) {
            for (int m = 1; m < n; m++)
                agni_jet_set_coefficient(j, a, o, m, c[(a->nin + o) * n + m]);
            a->zeros[o] = m_in[a->nin + o];
            a->zeros_known[o] = true;
        }
    }
    agni_free(c);
    agni_free(x);
}

void agni_jet_compute_value(agni_jet_context *j, agni_jet_application *a)
{
    const agn_tensor *local[AGNI_JET_MANY] = {NULL}, **x = local;
    int n = a->nin + a->nout;
    if (n > AGNI_JET_MANY && !(x = agni_zalloc((size_t)n * sizeof *x))) {
        agn_scope_fail(j->s, agni_nomem("jet", (size_t)n * sizeof *x));
        return;
    }
    const agn_tensor **y = x + a->nin;
    for (int i = 0; i < a->nin; i++)
        x[i] = agni_jet_coefficient(j, a->in[i], 0);
    agni_apply_many_in(j->s, a->op, a->at, a->nin, x, a->nout, y);
    for (int o = 0; o < a->nout; o++)
        agni_jet_set_coefficient(j, a, o, 0, y[o]);
    if (x != local)
        agni_free(x);
}

/* part k of an op that is linear in the arguments without low parts: sum over the degree m of
   these */
static const agn_tensor *coefficient_by_degree(agni_jet_context *j, agni_jet_application *a, int o,
                                               int k)
{
    const agn_tensor *sum = NULL;
    agni_jet_series in[AGNI_JET_MANY];
    for (int m = a->low; m <= k && !agn_scope_status(j->s); m++) {
        for (int i = 0; i < a->nin; i++)
            in[i] = a->in[i].a->low ? agni_jet_homogeneous_series(j, a->in[i], m) : a->in[i];
        agni_jet_application *b = agni_jet_intern_application(j, a->op, a->at, a->nin, in, a->nout);
        if (!b)
            return NULL;
        b->homogeneous = true;
        for (int q = 0; q < a->nout; q++)
            b->like[q] = agni_jet_value_like(j, (agni_jet_series){a, q});
        sum = agni_add_present(j->s, sum, agni_jet_coefficient(j, (agni_jet_series){b, o}, k));
    }
    return sum;
}
static const agn_tensor *lowest_coefficient(agni_jet_context *j, agni_jet_application *a, int o)
{
    const agn_tensor *x[AGNI_JET_MANY], *y[AGNI_JET_MANY] = {NULL};
    bool on[AGNI_JET_MANY];
    for (int i = 0; i < a->nin; i++) {
        int k = a->in[i].a->low;
        x[i] = agni_jet_coefficient(j, a->in[i], k);
        x[i] = x[i] ? x[i] : agni_grading_zeros(j->s, j->g, k, agni_jet_value_like(j, a->in[i]));
        on[i] = k && agni_has_lanes(j->g, k);
    }
    apply_to_lanes(j, a, x, on, j->g->lanes[a->low], y);
    return y[o];
}

agni_masked agni_jet_compute_coefficient(agni_jet_context *j, agni_jet_application *a, int o, int k)
{
    const agni_op *op = a->op;
    if (op->cls == AGNI_LINEAR)
        return linear_coefficient(j, a, o, k);
    if (agni_jet_is_bilinear(op))
        return leibniz_coefficient(j, a, k);
    if (op->cls == AGNI_EW && op->partial)
        return elementwise_coefficient(j, a, k);
    agni_masked c = {NULL};
    if (a->low && !a->homogeneous)
        c.v = coefficient_by_degree(j, a, o, k);
    else if (a->homogeneous && k == a->low)
        c.v = lowest_coefficient(j, a, o);
    else if (agni_jet_record_derivative(j, a) && a->d[o].a)
        c.v = agni_jet_scale_by(j, agni_jet_coefficient(j, a->d[o], k - j->curves),
                                1.0 / (k - a->low));
    return c;
}
