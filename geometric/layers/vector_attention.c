/* geometric/layers/vector_attention.c - attention whose scores and rows are functions of the
   caller's (vector attention; Zhao, Jiang, Jia, Torr and Koltun 2021, Point transformer), each
   number with a weight of its own: the largest score of a node first, then sums of exponentials. */
#include "geometric/blocks/messages.h"
#include "geometric/layers/layers.h"

#include <agnesi/ag.h>
#include <agnesi/geometric_networks.h>

typedef struct attended {
    const char *op;
    const agn_fn *f;
    int n; /* its arguments */
} attended;

/* scores and rows of edges */
static bool call_scores(const attended *q, agn_scope *s, const agn_tensor *const *in,
                        const agn_tensor **y)
{
    int64_t rows = in[0]->shape[0];
    if (agn_fn_apply(s, y, 2, q->f, in, q->n))
        return false;
    for (int k = 0; k < 2; k++) {
        agn_status st = AGN_OK;
        if (y[k]->ndim == 0 || y[k]->shape[0] != rows)
            st = agni_fail(AGN_ESHAPE, "%s: result %d of f is %s, %lld rows are needed", q->op, k,
                           AGNI_SHAPE(y[k]), (long long)rows);
        else if (agni_kind(y[k]->dtype) == AGNI_KIND_COMPLEX)
            st = agni_fail(AGN_EDTYPE, "%s: result %d of f is %s, a real dtype is needed", q->op, k,
                           agni_dtypes[y[k]->dtype].name);
        if (agn_scope_fail(s, st))
            return false;
    }
    bool same = y[0]->ndim == y[1]->ndim;
    for (int d = 1; same && d < y[1]->ndim; d++)
        same = y[0]->shape[d] == y[1]->shape[d] || y[0]->shape[d] == 1;
    if (!same)
        agn_scope_fail(s, agni_fail(AGN_ESHAPE, "%s: scores are %s, rows %s: they do not fit",
                                    q->op, AGNI_SHAPE(y[0]), AGNI_SHAPE(y[1])));
    return same;
}

static agn_status score_body(void *user, agn_scope *s, const agn_tensor *const *in,
                             const agn_tensor **out)
{
    const agn_tensor *y[2];
    if (call_scores(user, s, in, y))
        out[0] = agni_cast(s, y[0], agni_layer_dtype(y[0]));
    return agn_scope_status(s);
}

/* arguments of f, the largest score of the destination; sums of weights, and of what they weigh */
static agn_status weigh_body(void *user, agn_scope *s, const agn_tensor *const *in,
                             const agn_tensor **out)
{
    const attended *q = user;
    const agn_tensor *y[2];
    if (call_scores(q, s, in, y)) {
        out[0] = ag_exp(s, ag_sub(s, agni_cast(s, y[0], agni_layer_dtype(y[0])), in[q->n]));
        out[1] = ag_mul(s, out[0], agni_cast(s, y[1], agni_layer_dtype(y[1])));
    }
    return agn_scope_status(s);
}

static const agn_tensor *attend(agn_scope *s, agni_messages *m, attended *q)
{
    const agn_tensor *most, *y[2] = {NULL};
    m->body = (agni_c_body){score_body, q};
    m->n_out = 1;
    m->target[0] = AGNI_LARGEST;
    agni_run_messages(s, m, &most);
    if (agn_scope_status(s) || !(most = ag_stop_gradient(s, most)))
        return NULL; /* any number gives the same weights */
    m->side[m->n] = AGN_GRAPH_DST;
    m->in[m->n++] = most;
    m->body.body = weigh_body;
    m->n_out = 2;
    m->target[0] = m->target[1] = AGN_GRAPH_DST;
    agni_run_messages(s, m, y);
    if (agn_scope_status(s))
        return NULL;
    const agn_tensor *zero = agni_full(s, 0, y[0]->dtype, 0, NULL),
                     *one = agni_full(s, 1, y[0]->dtype, 0, NULL);
    const agn_tensor *none = zero && one ? ag_eq(s, y[0], zero) : NULL;
    return none ? ag_div(s, y[1], ag_where(s, none, one, y[0])) : NULL;
}

agn_status agn_graph_vector_attention(agn_tensor **out, const agn_graph *g, const agn_fn *f,
                                      const agn_tensor *u, const agn_tensor *v, const agn_tensor *e)
{
    static const char op[] = "graph_vector_attention";
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    AGNI_NEED(op, f);
    AGNI_NEED_ALL(op, u || v || e, "u, and v and e too,");
    const agn_tensor *given[3] = {u, v, e};
    static const char *const names[3] = {"u", "v", "e"};
    agni_messages m = {.g = g};
    agn_status st = AGN_OK;
    for (int side = 0; side < 3; side++)
        if (given[side]) {
            st = st ? st
                    : agni_check_rows(op, names[side], given[side], agni_graph_count(g, side));
            m.side[m.n] = side;
            m.in[m.n++] = given[side];
        }
    if (!st && (agn_fn_n_in(f) != m.n || agn_fn_n_out(f) != 2))
        st = agni_fail(AGN_EARG, "%s: f has %d arguments and %d results, %d and 2 are needed", op,
                       agn_fn_n_in(f), agn_fn_n_out(f), m.n);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    attended q = {op, f, m.n};
    return agni_return(op, s, out, attend(s, &m, &q));
}
