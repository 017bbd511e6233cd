/* autograd/scan_save.c - a loop backwards that keeps all: one scan forth and one back. A step back
   looks at what the step forth computed from its state and slices; that is taken out of it, and
   saved by the scan forth. What costs next to nothing (views, joins, sums, products of elements) is
   computed again rather than saved, and so is what a checkpoint within the step computes again. */
#include "autograd/back.h"
#include "autograd/call.h"

#include <string.h>

/* The step back as a program, its inputs: carried, state, slices, seeds, constants. */
typedef struct apart {
    const agni_back_steps *q;
    agni_prog *p;
    bool *early; /* of a value: made of the state and slices, and not of constants alone */
    bool *forth, *back; /* of a node: who runs it */
    bool *need;  /* of a value: by the step back, or to save what it needs */
    int32_t *saved; /* values */
    int n_saved;
} apart;

extern const agni_op agni_op_sub, agni_op_square, agni_op_div;
static bool cheap(const agni_pnode *n)
{
    static const agni_op *const arithmetic[] = {&agni_op_add,  &agni_op_sub, &agni_op_mul,
                                                &agni_op_mulz, &agni_op_neg, &agni_op_square,
                                                &agni_op_div,  &agni_op_conj};
    for (int i = 0; i < AGNI_COUNT(arithmetic); i++)
        if (n->op == arithmetic[i])
            return true;
    return n->op == &agni_op_concat || (n->op->view && n->nin == 1);
}

static bool any_value(const bool *of, const agni_pnode *n)
{
    bool any = false;
    for (int o = 0; o < n->nout; o++)
        any |= of[n->val + o];
    return any;
}

/* which values are early, going forth; which nodes the step back runs and what it reads, going back;
   what the step forth runs for that */
static void take_apart(apart *a)
{
    const agni_back *b = a->q->b;
    const agni_prog *p = a->p;
    int first_seed = b->nl + b->nc + b->nx, first_const = first_seed + b->ng;
    bool *late = a->need + p->n_val; /* made of what is carried, or of seeds */
    for (int v = 0; v < p->n_in; v++) {
        late[v] = v < b->nl || (v >= first_seed && v < first_const);
        a->early[v] = v >= b->nl && v < first_seed;
    }
    for (int k = 0; k < p->n_node; k++) {
        const agni_pnode *n = &p->node[k];
        bool on = false, off = agni_is_again(n->op, n->at);
        for (int i = 0; i < n->nin; i++) {
            on |= a->early[p->arg[n->arg + i]];
            off |= late[p->arg[n->arg + i]];
        }
        for (int o = 0; o < n->nout; o++) {
            late[n->val + o] = off;
            a->early[n->val + o] = on && !off;
        }
    }
    for (int o = 0; o < p->n_out; o++)
        a->need[p->out[o]] = true;
    for (int k = p->n_node - 1; k >= 0; k--) {
        const agni_pnode *n = &p->node[k];
        if (!any_value(a->need, n))
            continue;
        a->forth[k] = a->early[n->val] && !cheap(n);
        a->back[k] = !a->forth[k];
        for (int o = 0; o < n->nout && a->forth[k]; o++)
            if (a->need[n->val + o])
                a->saved[a->n_saved++] = n->val + o;
        for (int i = 0; i < n->nin && a->back[k]; i++)
            a->need[p->arg[n->arg + i]] = true;
    }
    for (int v = b->nl; v < b->nl + b->nc; v++)
        if (a->need[v])
            a->saved[a->n_saved++] = v;
    bool *wanted = late; /* of the step forth; what is late is not asked any more */
    memset(wanted, 0, (size_t)p->n_val);
    for (int i = 0; i < a->n_saved; i++)
        wanted[a->saved[i]] = true;
    for (int k = p->n_node - 1; k >= 0; k--) {
        const agni_pnode *n = &p->node[k];
        a->forth[k] = any_value(wanted, n);
        for (int i = 0; i < n->nin && a->forth[k]; i++)
            wanted[p->arg[n->arg + i]] = true;
    }
}

static bool open_apart(apart *a, agn_scope *s, const agn_tensor *const *in)
{
    const agni_back_steps *q = a->q;
    const agni_back *b = q->b;
    int first_const = b->nl + b->nc + b->nx + b->ng, n_in = first_const + b->nk;
    const agn_tensor **x = agni_zalloc((size_t)(n_in + 1) * sizeof *x);
    uint64_t first;
    if (!x) {
        agn_scope_fail(s, agni_nomem("scan", (size_t)n_in * sizeof *x));
        return false;
    }
    for (int i = 0; i < n_in && !agn_scope_status(s); i++)
        x[i] = i >= b->nl + b->nc && i < first_const ? agni_one_slice(s, in[i]) : in[i];
    if (!agn_scope_status(s))
        agn_scope_fail(s, agni_trace_body(&a->p, &first, q->back.body, q->back.user, n_in, x,
                                          b->nl + b->ny, true));
    agni_free(x);
    if (agn_scope_status(s))
        return false;
    size_t nv = (size_t)a->p->n_val + 1, nn = (size_t)a->p->n_node + 1;
    a->early = agni_zalloc(3 * nv);
    a->forth = agni_zalloc(2 * nn);
    a->saved = agni_zalloc(nv * sizeof *a->saved);
    if (!a->early || !a->forth || !a->saved) {
        agn_scope_fail(s, agni_nomem("scan", nv * sizeof *a->saved));
        return false;
    }
    a->need = a->early + nv;
    a->back = a->forth + nn;
    take_apart(a);
    return true;
}

static void close_apart(apart *a)
{
    agni_prog_release(a->p);
    agni_free(a->early);
    agni_free(a->forth);
    agni_free(a->saved);
}

/* runs the nodes that are asked for; v[] holds the inputs */
static bool run(const apart *a, agn_scope *s, const bool *asked, const agn_tensor **v)
{
    const agni_prog *p = a->p;
    const agn_tensor **x = agni_zalloc((size_t)(p->n_arg + 1) * sizeof *x);
    if (!x)
        agn_scope_fail(s, agni_nomem("scan", (size_t)p->n_arg * sizeof *x));
    for (int i = 0; i < p->n_cap; i++)
        v[p->n_in + i] = p->val[p->n_in + i];
    for (int k = 0; k < p->n_node && !agn_scope_status(s); k++) {
        const agni_pnode *n = &p->node[k];
        for (int i = 0; i < n->nin; i++)
            x[i] = v[p->arg[n->arg + i]];
        if (asked[k])
            agni_apn(s, n->op, n->at, n->nin, x, n->nout, v + n->val);
    }
    agni_free(x);
    return !agn_scope_status(s);
}

static const agn_tensor **room(agn_scope *s, const agni_prog *p)
{
    const agn_tensor **v = agni_zalloc((size_t)(p->n_val + 1) * sizeof *v);
    if (!v)
        agn_scope_fail(s, agni_nomem("scan", (size_t)p->n_val * sizeof *v));
    return v;
}

/* in: state, slices, constants; out: the next state, what is saved */
static agn_status body_forth(void *user, agn_scope *s, const agn_tensor *const *in,
                             const agn_tensor **out)
{
    const apart *a = user;
    const agni_back *b = a->q->b;
    const agn_tensor **v = room(s, a->p);
    if (v && !a->q->forth.body(a->q->forth.user, s, in, out)) {
        memcpy(v + b->nl, in, (size_t)(b->nc + b->nx) * sizeof *v);
        memcpy(v + b->nl + b->nc + b->nx + b->ng, in + b->nc + b->nx, (size_t)b->nk * sizeof *v);
        if (run(a, s, a->forth, v))
            for (int i = 0; i < a->n_saved; i++)
                out[b->nc + i] = v[a->saved[i]];
    }
    agni_free(v);
    return agn_scope_status(s);
}

/* in: carried, what is saved, slices, seeds, constants */
static agn_status body_back(void *user, agn_scope *s, const agn_tensor *const *in,
                            const agn_tensor **out)
{
    const apart *a = user;
    const agni_back *b = a->q->b;
    const agn_tensor **v = room(s, a->p);
    if (v) {
        memcpy(v, in, (size_t)b->nl * sizeof *v);
        in += b->nl;
        for (int i = 0; i < a->n_saved; i++)
            v[a->saved[i]] = in[i];
        memcpy(v + b->nl + b->nc, in + a->n_saved, (size_t)(b->nx + b->ng + b->nk) * sizeof *v);
        if (run(a, s, a->back, v))
            for (int o = 0; o < a->p->n_out; o++)
                out[o] = v[a->p->out[o]];
    }
    agni_free(v);
    return agn_scope_status(s);
}

agn_status agni_back_plain(void *user, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    const agni_back_steps *q = user;
    const agni_back *b = q->b;
    apart a = {.q = q};
    const agn_tensor **x = NULL;
    if (agn_scope_status(s) || !open_apart(&a, s, in))
        goto done;
    agni_scan forth = {.nc = b->nc, .nx = b->nx, .nk = b->nk, .ny = a.n_saved,
                       .length = b->length, .reverse = b->reverse};
    agni_scan back = {.nc = b->nl, .nx = a.n_saved + b->nx + b->ng, .nk = b->nk, .ny = b->ny,
                      .length = b->length, .reverse = !b->reverse};
    int n_forth = b->nc + b->nx + b->nk, n_back = back.nc + back.nx + back.nk;
    if (!(x = agni_zalloc((size_t)(n_forth + b->nc + forth.ny + n_back) * sizeof *x + 1))) {
        agn_scope_fail(s, agni_nomem("scan", (size_t)n_back * sizeof *x));
        goto done;
    }
    const agn_tensor **made = x + n_forth, **y = made + b->nc + forth.ny;
    memcpy(x, in + b->nl, (size_t)(b->nc + b->nx) * sizeof *x);
    memcpy(x + b->nc + b->nx, in + b->nl + b->nc + b->nx + b->ng, (size_t)b->nk * sizeof *x);
    agni_scan_emit(s, body_forth, &a, forth, x, made);
    memcpy(y, in, (size_t)b->nl * sizeof *y);
    memcpy(y + b->nl, made + b->nc, (size_t)a.n_saved * sizeof *y);
    memcpy(y + b->nl + a.n_saved, in + b->nl + b->nc, (size_t)(b->nx + b->ng + b->nk) * sizeof *y);
    if (!agn_scope_status(s))
        agni_scan_emit(s, body_back, &a, back, y, out);
done:
    close_apart(&a);
    agni_free(x);
    return agn_scope_status(s);
}
