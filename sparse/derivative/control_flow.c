/* sparse/derivative/control_flow.c - dependence through the bodies of control ops: the union over
   the branches of cond and switch, scan step by step, while until a fixed point. */
#include "sparse/derivative/control_flow.h"

#include "autograd/control/subprograms.h"
#include "autograd/control/call.h"
#include "autograd/loops/scan.h"

#include <string.h>

static const int32_t *argument_sets(const agni_flow *f, const agni_pnode *n, int i)
{
    return f->set[f->p->arg[n->arg + i]];
}

static agn_status propagate_call(agni_flow *f, const agni_pnode *n)
{
    const agni_prog *p = agni_callee_of(n->at)->p; /* it may have further results */
    const int32_t **in = agni_alloc((size_t)(n->nin + 1) * sizeof *in);
    int32_t **out = agni_zalloc((size_t)(p->n_out + 1) * sizeof *out);
    agn_status st = in && out ? AGN_OK
                              : agni_nomem("pattern", (size_t)n->nin * sizeof *in);
    for (int i = 0; !st && i < n->nin; i++)
        in[i] = argument_sets(f, n, i);
    if (!st)
        st = agni_flow_through(f->z, p, in, out);
    for (int o = 0; out && o < p->n_out; o++)
        if (!st && o < n->nout)
            f->set[n->val + o] = out[o];
        else
            agni_free(out[o]);
    agni_free(in);
    agni_free(out);
    return st;
}

static agn_status propagate_branches(agni_flow *f, const agni_pnode *n)
{
    const agni_subprograms *b = agni_subprograms_of(n->at);
    const int32_t **in = agni_alloc((size_t)(n->nin + 1) * sizeof *in);
    agn_status st = in ? AGN_OK : agni_nomem("pattern", (size_t)n->nin * sizeof *in);
    for (int k = 0; !st && k < b->n; k++) {
        for (int i = 0; i < b->at[k].p->n_in; i++)
            in[i] = argument_sets(f, n, 1 + agni_subprograms_input_index(b, k, i));
        st = agni_flow_through(f->z, b->at[k].p, in, f->set + n->val);
    }
    agni_free(in);
    return st;
}

/* ---- loops ---------------------------------------------------------------------- */

/* Sets before a step and after it; inputs of the body are carried, slices, constants. */
typedef struct steps {
    agni_flow *f;
    const agni_pnode *n;
    agni_scan q;
    const int32_t **in;     /* [n_in] */
    int32_t **carry, **out; /* [nc], [n_out] */
    bool more;              /* the last step added something */
} steps;

static int64_t result_size(const steps *w, int o)
{
    return w->q.p->val[w->q.p->out[o]]->size;
}

/* the step at slice `at`; out[] replaces what is carried, or is joined to it */
static agn_status propagate_step(steps *w, int64_t at, bool join)
{
    const agni_scan *q = &w->q;
    agni_sets *z = w->f->z;
    for (int i = 0; i < q->p->n_in; i++) {
        const int32_t *x = i < q->nc ? w->carry[i] : argument_sets(w->f, w->n, i);
        bool slice = x && i >= q->nc && i < q->nc + q->nx;
        w->in[i] = slice ? x + at * q->p->val[i]->size : x;
    }
    agn_status st = agni_flow_through(z, q->p, w->in, w->out);
    w->more = false;
    for (int i = 0; i < q->nc; i++) {
        int64_t n = result_size(w, i);
        for (int64_t e = 0; !st && join && w->out[i] && e < n; e++) {
            int32_t before = w->carry[i] ? w->carry[i][e] : 0;
            w->more |= agni_sets_join(z, before, w->out[i][e]) != before;
        }
        if (!st && join)
            st = agni_flow_join(z, &w->out[i], w->carry[i], n);
        agni_free(w->carry[i]);
        w->carry[i] = w->out[i];
        w->out[i] = NULL;
    }
    for (int o = q->nc; o < q->p->n_out; o++) {
        int64_t n = result_size(w, o);
        int32_t **to = &w->f->set[w->n->val + o];
        size_t bytes = (size_t)(q->length * n + 1) * sizeof **to;
        if (!st && w->out[o] && !*to && !(*to = agni_zalloc(bytes)))
            st = agni_nomem("pattern", bytes);
        if (!st && w->out[o])
            memcpy(*to + at * n, w->out[o], (size_t)n * sizeof **to);
        agni_free(w->out[o]);
        w->out[o] = NULL;
    }
    return st ? st : agni_sets_failed(z) ? agni_nomem("pattern", sizeof *w) : AGN_OK;
}

static agn_status propagate_loop(agni_flow *f, const agni_pnode *n)
{
    steps w = {f, n, agni_scan_describe(n->op, n->at, n->nin), NULL, NULL, NULL, true};
    const agni_scan *q = &w.q;
    int no = q->p->n_out, nc = q->nc;
    w.in = agni_alloc((size_t)(q->p->n_in + 1) * sizeof *w.in);
    w.carry = agni_zalloc((size_t)(nc + no + 1) * sizeof *w.carry);
    agn_status st = w.in && w.carry
                        ? AGN_OK
                        : agni_nomem("pattern", (size_t)(nc + no) * sizeof *w.carry);
    w.out = st ? NULL : w.carry + nc;
    for (int i = 0; !st && i < nc; i++)
        st = agni_flow_join(f->z, &w.carry[i], argument_sets(f, n, i), result_size(&w, i));
    if (q->open)
        while (!st && w.more)
            st = propagate_step(&w, 0, true);
    else
        for (int64_t k = 0; !st && k < q->length; k++)
            st = propagate_step(&w, q->reverse ? q->length - 1 - k : k, false);
    for (int i = 0; w.carry && i < nc; i++) {
        if (!st)
            f->set[n->val + i] = w.carry[i];
        else
            agni_free(w.carry[i]);
    }
    agni_free(w.carry);
    agni_free(w.in);
    return st;
}

agni_flow_fn *agni_flow_of(const agni_op *op)
{
    static const struct {
        const agni_op *op;
        agni_flow_fn *flow;
    } rules[] = {
        {&agni_op_checkpoint, propagate_call}, {&agni_op_cond, propagate_branches},
        {&agni_op_switch, propagate_branches}, {&agni_op_scan, propagate_loop},
        {&agni_op_while, propagate_loop},
    };
    for (size_t k = 0; k < AGNI_COUNT(rules); k++)
        if (rules[k].op == op)
            return rules[k].flow;
    return NULL;
}
