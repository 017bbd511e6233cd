/* mode_choice.c - forward or reverse mode for a Jacobian, by estimated cost. Both cost the same
   at a node and seed (a linear program and its transpose have the same products), but each runs
   only nodes between its source and some sink, and a product with seeds, rows of an identity, is
   free. */

#include "autograd/transforms/transform.h"

/* Marks of each value. */
typedef struct marks {
    bool *from, *to;         /* depends on a source; a sink depends on it */
    bool *argument, *result; /* a source or a sink itself, up to views */
} marks;

static bool is_active_edge(const agni_prog *p, const agni_pnode *n, int i)
{
    return agni_is_diff_argument(n->op, i) && agni_is_differentiable(p->val[p->arg[n->arg + i]]);
}
static bool is_differentiable_node(const agni_pnode *n)
{
    return n->op->cls != AGNI_DISCRETE && n->op->cls != AGNI_RANDOM;
}

static void mark_reached(const agni_prog *p, const marks *m)
{
    for (int k = 0; k < p->n_node; k++) {
        const agni_pnode *n = &p->node[k];
        bool on = false;
        for (int i = 0; i < n->nin && is_differentiable_node(n); i++)
            on |= is_active_edge(p, n, i) && m->from[p->arg[n->arg + i]];
        for (int o = 0; o < n->nout; o++) {
            m->from[n->val + o] = on && agni_is_differentiable(p->val[n->val + o]);
            m->argument[n->val + o] = n->op->view && m->argument[p->arg[n->arg]];
        }
    }
}
static void mark_needed(const agni_prog *p, const marks *m)
{
    for (int k = p->n_node - 1; k >= 0; k--) {
        const agni_pnode *n = &p->node[k];
        bool on = false;
        for (int o = 0; o < n->nout && is_differentiable_node(n); o++)
            on |= m->to[n->val + o] && agni_is_differentiable(p->val[n->val + o]);
        for (int i = 0; on && i < n->nin; i++)
            m->to[p->arg[n->arg + i]] |= is_active_edge(p, n, i);
        if (n->op->view && m->result[n->val])
            m->result[p->arg[n->arg]] = true;
    }
}

/* flops of a node as graph/plan/cost.c counts them; a loop counts its body once per step */
static double count_flops(const agni_prog *p, const agni_pnode *n)
{
    double most = 0;
    for (int o = 0; o < n->nout; o++)
        most += (double)p->val[n->val + o]->size;
    if (n->op == &agni_op_matmul) {
        const agn_tensor *x = p->val[p->arg[n->arg]];
        return 2 * most * (double)x->shape[x->ndim - 1];
    }
    for (int i = 0; i < n->nin; i++) {
        double size = (double)p->val[p->arg[n->arg + i]]->size;
        most = size > most ? size : most;
    }
    const agni_obj *o = n->at ? n->at->obj : NULL;
    const agni_prog *body = NULL;
    if (n->op->cls != AGNI_CONTROL || !o || !o->type->programs || !o->type->programs(o, 0, &body) ||
        !body)
        return n->op->view ? 0 : most;
    double all = 0, steps = 1;
    if (n->op->loop) {
        int64_t length = n->op->loop(n->at).length;
        steps = length > 0 ? (double)length : 1;
    }
    for (int k = 0; k < body->n_node; k++)
        all += count_flops(body, &body->node[k]);
    return steps * all;
}

/* flops of one seed through all marked nodes */
static double cost_of_seed(const agni_prog *p, const marks *m, bool forward)
{
    double sum = 0;
    for (int k = 0; k < p->n_node; k++) {
        const agni_pnode *n = &p->node[k];
        bool met = false, done = false;
        for (int o = 0; o < n->nout; o++) {
            met |= m->from[n->val + o] && m->to[n->val + o];
            done |= m->result[n->val + o];
        }
        bool product = n->op->cls == AGNI_MULTI;
        int times = 0;
        for (int i = 0; met && i < n->nin; i++) {
            int32_t v = p->arg[n->arg + i];
            bool seed = product && (forward ? m->argument[v] : done);
            times += is_active_edge(p, n, i) && m->from[v] && !seed;
        }
        if (times)
            sum += (product ? times : 1) * count_flops(p, n);
    }
    return sum;
}

/* seeds of source v: its elements per batch row, twice where v is complex and a sink real */
static double count_seeds(const agni_prog *p, int32_t v, int batch, int n, const int32_t *sink)
{
    const agn_tensor *x = p->val[v];
    double many = 1;
    bool twice = false;
    for (int d = batch; d < x->ndim; d++)
        many *= (double)x->shape[d];
    for (int i = 0; i < n; i++)
        twice |= agni_is_complex(x) && !agni_is_complex(p->val[sink[i]]);
    return twice ? 2 * many : many;
}

/* cost of all seeds of sources v[n] to all sinks, or with pairs each to its own */
static double cost_of_mode(const agni_prog *p, const marks *m, bool forward, int n,
                           const int32_t *v, int many, const int32_t *sink, int batch, bool pairs)
{
    double sum = 0;
    size_t size = (size_t)p->n_val;
    for (int i = 0; i < n; i++) {
        int first = pairs ? i : 0, count = pairs ? 1 : many;
        memset(m->from, false, 4 * size);
        for (int k = 0; k < (forward ? 1 : count); k++) {
            int32_t a = forward ? v[i] : sink[first + k];
            m->from[a] = m->argument[a] = true;
        }
        for (int k = 0; k < (forward ? count : 1); k++) {
            int32_t y = forward ? sink[first + k] : v[i];
            m->to[y] = m->result[y] = true;
        }
        mark_reached(p, m);
        mark_needed(p, m);
        sum += count_seeds(p, v[i], batch, count, sink + first) * (1 + cost_of_seed(p, m, forward));
    }
    return sum;
}

double agni_bytes_of_seed(const agni_prog *p)
{
    double sum = 0;
    for (int k = 0; k < p->n_node; k++) {
        const agni_pnode *n = &p->node[k];
        for (int o = 0; o < n->nout && !n->op->view; o++) {
            const agn_tensor *x = p->val[n->val + o];
            sum += (double)x->size * agni_dtypes[x->dtype].bytes;
        }
    }
    return sum;
}

agn_status agni_choose_forward(bool *yes, const agni_linear_map *q, int batch, bool pairs)
{
    const agni_prog *p = q->r->p;
    size_t size = (size_t)p->n_val + 1;
    bool *all = agni_alloc(4 * size);
    int32_t *v = agni_alloc((size_t)(q->n + q->n_y + 1) * sizeof *v), *y = v + q->n;
    if (!all || !v) {
        agni_free(all);
        agni_free(v);
        return agni_nomem("jacobian", 4 * size);
    }
    size--;
    marks m = {all, all + size, all + 2 * size, all + 3 * size};
    for (int i = 0; i < q->n; i++)
        v[i] = q->list[i];
    for (int o = 0; o < q->n_y; o++)
        y[o] = p->out[q->y[o]];
    *yes = cost_of_mode(p, &m, true, q->n, v, q->n_y, y, batch, pairs) <=
           cost_of_mode(p, &m, false, q->n_y, y, q->n, v, batch, pairs);
    agni_free(all);
    agni_free(v);
    return AGN_OK;
}
