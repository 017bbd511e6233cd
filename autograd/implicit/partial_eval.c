/* partial_eval.c - partial evaluation of a linear operator A(p): the part that depends on p
   alone runs once per solve, the rest once per product. */
#include "autograd/implicit/implicit.h"

/* One of the two parts. Values are numbered as in p. */
typedef struct part {
    agni_prog *p; /* x, a to A(a) x */
    bool *dependent; /* depends on x */
    int32_t *held, n_held;
    bool rest;
} part;

static void free_part(void *data)
{
    part *q = data;
    agni_prog_release(q->p);
    agni_free(q->dependent);
    agni_free(q->held);
    agni_free(q);
}

/* Held: x, which is not read, and a to the values held. Rest: x, a and those to A(a) x. */
static agn_status run_part(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    const part *q = f->data;
    const agni_prog *p = q->p;
    size_t n = (size_t)p->n_val;
    const agn_tensor **given = agni_zalloc((2 * n + (size_t)p->n_out + 1) * sizeof *given);
    if (!given)
        return agni_nomem("linear_solve", 2 * n * sizeof *given);
    const agn_tensor **vals = given + n, **y = vals + n;
    for (int i = 0; q->rest && i < q->n_held; i++)
        given[q->held[i]] = in[p->n_in + i];
    for (int32_t v = 0; !q->rest && v < p->n_val; v++)
        if (q->dependent[v])
            given[v] = in[0]; /* a stand-in: nothing that is asked for reads it */
    agn_status st = agni_prog_replay_from(p, s, in, given, y, vals);
    for (int o = 0; !st && o < f->n_out; o++)
        out[o] = q->rest ? y[o] : vals[q->held[o]];
    agni_free(given);
    return st;
}

/* Is a value computed by op worth caching? A view costs nothing, and B (C x) is cheaper than a
   cached B C; nor may the cache take much more memory than the arguments. */
static bool is_worth_caching(const agni_op *op, const agn_tensor *y, int64_t unknowns, int64_t most)
{
    bool product = op->cls == AGNI_MULTI && op->ew < 0;
    return !op->view && y->size <= (product ? unknowns : most);
}

/* which values depend on x, and which of the others are cached */
static agn_status analyse_dependence(part *q, int n)
{
    const agni_prog *p = q->p;
    int64_t unknowns = 0, most = 0;
    bool *recomputed = agni_zalloc((size_t)p->n_val + 1), *hold = agni_zalloc((size_t)p->n_val + 1);
    q->dependent = agni_zalloc((size_t)p->n_val + 1);
    q->held = agni_alloc((size_t)(p->n_val + 1) * sizeof *q->held);
    bool good = recomputed && hold && q->dependent && q->held;
    for (int i = 0; good && i < p->n_in; i++) {
        q->dependent[i] = i < n;
        unknowns += i < n ? p->val[i]->size : 0;
        most += p->val[i]->size;
    }
    for (int k = 0; good && k < p->n_node; k++) {
        const agni_pnode *e = &p->node[k];
        bool reached = false;
        for (int i = 0; i < e->nin; i++)
            reached |= q->dependent[p->arg[e->arg + i]];
        memset(q->dependent + e->val, reached, (size_t)e->nout);
    }
    for (int o = 0; good && o < p->n_out; o++)
        recomputed[p->out[o]] = true;
    /* recomputed: by the rest, which then needs its operands */
    for (int k = p->n_node - 1; good && k >= 0; k--) {
        const agni_pnode *e = &p->node[k];
        bool wanted = false;
        for (int32_t v = e->val; v < e->val + e->nout; v++) {
            hold[v] = recomputed[v] && !q->dependent[v] &&
                      is_worth_caching(e->op, p->val[v], unknowns, most);
            wanted |= recomputed[v] && !hold[v];
        }
        for (int i = 0; wanted && i < e->nin; i++)
            recomputed[p->arg[e->arg + i]] = true;
    }
    for (int32_t v = 0; good && v < p->n_val; v++)
        if (hold[v])
            q->held[q->n_held++] = v;
    agni_free(recomputed);
    agni_free(hold);
    return good ? AGN_OK : agni_nomem("linear_solve", (size_t)p->n_val * sizeof *q->held);
}

static agn_status extract_part(agn_fn **out, const agni_prog *p, int n, bool rest)
{
    part *q = agni_zalloc(sizeof *q);
    if (!q)
        return agni_nomem("linear_solve", sizeof *q);
    q->p = (agni_prog *)(uintptr_t)agni_obj_retain(&p->head);
    q->rest = rest;
    agn_status st = analyse_dependence(q, n);
    if (!st && (rest || q->n_held))
        st = agni_fn_make(out, run_part, p->n_in + (rest ? q->n_held : 0),
                          rest ? p->n_out : q->n_held, q, free_part);
    if (!*out)
        free_part(q);
    return st;
}

agn_status agni_split_operator_new(agni_split_operator *out, const agn_fn *a, int n,
                                   const agn_tensor *const *in)
{
    agni_prog *p = NULL;
    agni_split_operator q = {NULL, NULL};
    agn_status st = agni_trace_stored("linear_solve", &p, a, in);
    if (!st)
        st = extract_part(&q.held, p, n, false);
    if (!st)
        st = extract_part(&q.rest, p, n, true);
    agni_prog_release(p);
    if (st)
        agn_fn_release(q.held);
    else
        *out = q;
    return st;
}

void agni_split_operator_free(agni_split_operator *q)
{
    agn_fn_release(q->held);
    agn_fn_release(q->rest);
}
