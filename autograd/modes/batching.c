/* batching.c - vmap of a program by one batching rule for each op: the batch axis is carried as the
   leading axis, and no node is repeated. */
#include "autograd/modes/modes.h"

#include <agnesi/ag.h>
#include <string.h>

/* How lanes draw random numbers in the running traversal; the rules that it calls read it, too. */
typedef struct drawing {
    const agn_tensor *first; /* number of the first lane of this chunk, NULL: 0 */
    bool alike; /* all lanes draw the same numbers: lanes are seeds of a derivative of one call */
} drawing;
static const drawing separate_draws = {NULL, false};
static _Thread_local const drawing *draws; /* NULL: each lane its own */
static const drawing *current_drawing(void)
{
    return draws ? draws : &separate_draws;
}

/* key of lane i of a random op whose key has no lanes: fold(key, i) */
static const agn_tensor *fold_lanes_into_key(agn_scope *s, const agn_tensor *key, int64_t lanes)
{
    agn_tensor *n = NULL, *k = NULL, *row = NULL;
    agn_status st = agn_arange(&n, AGN_I64, 0, (double)lanes, 1);
    const agn_tensor *lane = agni_adopt_constant(s, st, n);
    if (current_drawing()->first && lane)
        lane = ag_add(s, lane, current_drawing()->first);
    int64_t shape[AGNI_MAX_RANK] = {lanes}; /* before the batch axes that the key has already */
    for (int d = 1; key && d < key->ndim; d++)
        shape[d] = 1;
    lane = lane && key ? agni_reshape(s, lane, key->ndim, shape) : NULL;
    if (!lane)
        return NULL;
    st = agn_expand_dims(&row, key, 0);
    const agn_tensor *one = agn_scope_adopt(s, st, &row);
    st = one ? agn_key_fold(&k, one, lane) : AGN_OK;
    return one ? agn_scope_adopt(s, st, &k) : NULL;
}

typedef struct batched_values {
    const agn_tensor **val;
    bool *on;
    const agn_tensor **a;
    bool *b;
} batched_values;

void agni_node_batch(agn_scope *s, const agni_rule *r, int64_t lanes,
                     const agn_tensor *const *in, const bool *batched, const agn_tensor **out,
                     bool *bout)
{
    bool any = false;
    for (int i = 0; i < r->nin; i++)
        any |= batched[i];
    if (!any)
        agni_apply_many_in(s, r->op, r->at, r->nin, in, r->nout, out);
    else if (r->op->batch)
        r->op->batch(s, r, lanes, in, batched, out, bout);
    else
        agni_fail_no_rule(s, r->op, "vmap");
}

static void batch_node(agn_scope *s, const agni_prog *p, int k, int64_t lanes, batched_values *q)
{
    const agni_pnode *n = &p->node[k];
    bool any = false;
    for (int i = 0; i < n->nin; i++) {
        int v = p->arg[n->arg + i];
        q->a[i] = q->val[v];
        any |= q->b[i] = q->on[v];
    }
    const bool alike = current_drawing()->alike;
    if (n->op->cls == AGNI_RANDOM && !q->b[0] && (any || !alike)) {
        q->a[0] = alike ? agni_ensure_batch_axis(s, q->a[0], false, lanes)
                        : fold_lanes_into_key(s, q->a[0], lanes);
        q->b[0] = true;
    }
    /* rules see the shapes of one lane */
    const agn_tensor *local[16], **x = local;
    if (n->nin > AGNI_COUNT(local) && !(x = agni_alloc((size_t)n->nin * sizeof *x))) {
        agn_scope_fail(s, agni_nomem("vmap", (size_t)n->nin * sizeof *x));
        return;
    }
    for (int i = 0; i < n->nin; i++)
        x[i] = p->val[p->arg[n->arg + i]];
    agni_rule r = {n->op, n->at, n->nin, n->nout, x,
                   (const agn_tensor *const *)p->val + n->val};
    agni_node_batch(s, &r, lanes, q->a, q->b, q->val + n->val, q->on + n->val);
    if (x != local)
        agni_free(x);
}

void agni_traverse_batch(agn_scope *s, const agni_prog *p, int64_t lanes,
                         const agn_tensor *const *in, const bool *batched, const agn_tensor **out,
                         bool *bout)
{
    size_t nv = (size_t)p->n_val + 1, width = 1;
    for (int k = 0; k < p->n_node; k++)
        width = (size_t)p->node[k].nin > width ? (size_t)p->node[k].nin : width;
    batched_values q = {agni_zalloc(nv * sizeof *q.val), agni_zalloc(nv),
                        agni_zalloc(width * sizeof *q.a), agni_zalloc(width)};
    if (!q.val || !q.on || !q.a || !q.b) {
        agn_scope_fail(s, agni_nomem("vmap", nv * sizeof *q.val));
    } else {
        for (int i = 0; i < p->n_in; i++) {
            q.val[i] = in[i];
            q.on[i] = batched[i];
        }
        for (int i = 0; i < p->n_cap; i++)
            q.val[p->n_in + i] = p->val[p->n_in + i];
        for (int k = 0; k < p->n_node && !agn_scope_status(s); k++)
            batch_node(s, p, k, lanes, &q);
        for (int o = 0; o < p->n_out && !agn_scope_status(s); o++) {
            out[o] = q.val[p->out[o]];
            bout[o] = q.on[p->out[o]];
        }
    }
    agni_free(q.val);
    agni_free(q.on);
    agni_free(q.a);
    agni_free(q.b);
}

void agni_traverse_batch_from(agn_scope *s, const agn_tensor *first, const agni_prog *p,
                              int64_t lanes, const agn_tensor *const *in, const bool *batched,
                              const agn_tensor **out, bool *bout)
{
    const drawing *outer = draws, now = {first, false};
    draws = &now;
    agni_traverse_batch(s, p, lanes, in, batched, out, bout);
    draws = outer;
}

void agni_batch_same_draws(agn_scope *s, const agni_prog *p, int64_t lanes,
                           const agn_tensor *const *in, const bool *batched, const agn_tensor **out,
                           bool *bout)
{
    const drawing *outer = draws, now = {current_drawing()->first, true};
    draws = &now;
    agni_traverse_batch(s, p, lanes, in, batched, out, bout);
    draws = outer;
}

void agni_batch_over_seeds(agn_scope *s, const agni_prog *p, int64_t n, const agn_tensor *in,
                           const agn_tensor **out, bool *bout)
{
    agni_batch_same_draws(s, p, n, &in, &(bool){true}, out, bout);
}
