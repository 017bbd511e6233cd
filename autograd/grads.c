/* autograd/grads.c - gradients that add up, keyed by what was watched. */
#include "autograd/transform.h"

#include <agnesi/tape.h>

#include <string.h>

typedef struct entry {
    agn_tensor *x;   /* a header with the node and no need of memory: the key */
    agn_tensor *sum; /* NULL: none yet */
    bool reached;    /* by the value in hand */
} entry;

struct agn_grads {
    entry *at;
    int64_t n, room;
};

static bool same(const agn_tensor *a, const agn_tensor *b)
{
    return a->node == b->node && a->out == b->out;
}

static entry *find(const agn_grads *g, const agn_tensor *x)
{
    for (int64_t i = 0; i < g->n; i++)
        if (same(g->at[i].x, x))
            return g->at + i;
    return NULL;
}

static agn_status append(agn_grads *g, const agn_tensor *x)
{
    if (g->n == g->room) {
        int64_t room = 2 * g->room + 8;
        entry *at = agni_realloc(g->at, (size_t)room * sizeof *at);
        if (!at)
            return agni_nomem("backward", (size_t)room * sizeof *at);
        g->at = at;
        g->room = room;
    }
    g->at[g->n++] = (entry){agni_tensor_ref(x), NULL, false};
    return AGN_OK;
}

agn_status agn_grads_new(agn_grads **out)
{
    if (!out)
        return agni_fail(AGN_ENULL, "grads_new: out is NULL");
    agn_grads *g = agni_zalloc(sizeof *g);
    if (!g)
        return agni_nomem("grads_new", sizeof *g);
    *out = g;
    return AGN_OK;
}

void agn_grads_release(agn_grads *g)
{
    if (!g)
        return;
    for (int64_t i = 0; i < g->n; i++) {
        agn_release(g->at[i].x);
        agn_release(g->at[i].sum);
    }
    agni_free(g->at);
    agni_free(g);
}

static agn_status recorded(const char *op, const agn_tensor *x)
{
    if (!x->node)
        return agni_fail(AGN_EARG, "%s: %s %s is not recorded: nothing behind it is watched", op,
                         agni_dtypes[x->dtype].name, AGNI_SHAPE(x));
    if (!agni_smooth(x))
        return agni_fail(AGN_EDTYPE, "%s: %s is %s; a floating dtype is needed", op, AGNI_SHAPE(x),
                         agni_dtypes[x->dtype].name);
    return AGN_OK;
}

agn_status agn_grads_retain(agn_grads *g, const agn_tensor *x)
{
    if (!g || !x)
        return agni_fail(AGN_ENULL, "grads_retain: %s is NULL", g ? "x" : "the map");
    agn_status st = recorded("grads_retain", x);
    if (st)
        return st;
    return find(g, x) ? AGN_OK : append(g, x);
}

agn_status agn_grads_get(agn_tensor **out, const agn_grads *g, const agn_tensor *x)
{
    if (!out || !g || !x)
        return agni_fail(AGN_ENULL, "grads_get: %s is NULL", !out ? "out" : !g ? "the map" : "x");
    const entry *e = x->node ? find(g, x) : NULL;
    if (!e || !e->sum)
        return agni_fail(AGN_EARG, "grads_get: no gradient of this %s %s has been summed, of %lld",
                         agni_dtypes[x->dtype].name, AGNI_SHAPE(x), (long long)g->n);
    *out = agni_tensor_ref(e->sum);
    return AGN_OK;
}

agn_status agn_grads_clear(agn_grads *g, bool to_zero)
{
    if (!g)
        return agni_fail(AGN_ENULL, "grads_clear: the map is NULL");
    agn_tensor **zero = agni_zalloc((size_t)(g->n + 1) * sizeof *zero);
    agn_status st = zero ? AGN_OK : agni_nomem("grads_clear", (size_t)g->n * sizeof *zero);
    for (int64_t i = 0; to_zero && i < g->n && !st; i++)
        if (g->at[i].sum)
            st = agn_full(&zero[i], g->at[i].x->dtype, g->at[i].x->ndim, g->at[i].x->shape, 0);
    for (int64_t i = 0; i < g->n && zero; i++) {
        if (st) {
            agn_release(zero[i]);
        } else {
            agn_release(g->at[i].sum);
            g->at[i].sum = zero[i];
        }
    }
    agni_free(zero);
    return st;
}

/* ---- the leaves behind a value ------------------------------------------------------------- */

/* Nodes that have been met, by open addressing, and those to look at. */
typedef struct search {
    const agni_node **met, **next;
    size_t room, n_met, n_next; /* room: a power of 2, of both */
} search;

static size_t slot_of(const search *q, const agni_node *node)
{
    size_t i = (size_t)(node->id * UINT64_C(0x9E3779B97F4A7C15)) & (q->room - 1);
    while (q->met[i] && q->met[i] != node)
        i = (i + 1) & (q->room - 1);
    return i;
}

static bool grow(search *q)
{
    search b = {.room = q->room ? 2 * q->room : 256};
    b.met = agni_zalloc(b.room * sizeof *b.met);
    b.next = agni_realloc(q->next, b.room * sizeof *b.next);
    q->next = b.next ? b.next : q->next;
    if (!b.met || !b.next) {
        agni_free(b.met);
        return false;
    }
    for (size_t i = 0; i < q->room; i++)
        if (q->met[i])
            b.met[slot_of(&b, q->met[i])] = q->met[i];
    agni_free(q->met);
    b.n_met = q->n_met;
    b.n_next = q->n_next;
    *q = b;
    return true;
}

static bool meet(search *q, const agni_node *node)
{
    if (2 * (q->n_met + 1) > q->room && !grow(q))
        return false;
    size_t i = slot_of(q, node);
    if (!q->met[i]) {
        q->met[i] = node;
        q->n_met++;
        q->next[q->n_next++] = node;
    }
    return true;
}

/* the result of a node as a key */
static agn_tensor *result_of(const agni_node *node)
{
    agn_tensor *x = agni_tensor_alias(node->in[0]);
    if (!x)
        return NULL;
    x->out = 0;
    x->node = (agni_node *)(uintptr_t)agni_obj_retain((agni_obj *)(uintptr_t)&node->head);
    return x;
}

/* adds every watched tensor behind y to the map, without a sum, and marks what y reaches */
static agn_status add_leaves(agn_grads *g, const agn_tensor *y)
{
    search q = {.room = 0};
    bool ok = meet(&q, y->node);
    agn_status st = AGN_OK;
    while (ok && !st && q.n_next) {
        const agni_node *node = q.next[--q.n_next];
        if (node->op == &agni_op_watch && agni_smooth(node->in[0])) {
            agn_tensor *x = result_of(node);
            if (!x)
                ok = false;
            else if (!find(g, x))
                st = append(g, x);
            agn_release(x);
        }
        for (int i = 0; ok && i < node->nin; i++)
            if (node->in[i]->node)
                ok = meet(&q, node->in[i]->node);
    }
    for (int64_t i = 0; ok && i < g->n; i++)
        g->at[i].reached = q.met[slot_of(&q, g->at[i].x->node)] != NULL;
    agni_free(q.met);
    agni_free(q.next);
    return ok ? st : agni_nomem("backward", q.room * sizeof *q.met);
}

/* ---- adding up -------------------------------------------------------------------------------- */

/* the sums as they will be, in out[g->n]; NULL where nothing changes */
static agn_status new_sums(const agn_grads *g, agn_tensor **out, const agn_tensor *y,
                           const agn_tensor *cotangent)
{
    size_t bytes = (size_t)(g->n + 1) * sizeof(void *);
    const agn_tensor **x = agni_alloc(bytes);
    agn_tensor **gx = agni_zalloc(bytes);
    agn_status st = x && gx ? AGN_OK : agni_nomem("backward", bytes);
    int32_t n = 0;
    for (int64_t i = 0; !st && i < g->n; i++)
        if (g->at[i].reached)
            x[n++] = g->at[i].x;
    if (!st)
        st = agni_in_name_of("backward",
                             agn_gradient(gx, &y, 1, x, n, cotangent ? &cotangent : NULL));
    for (int64_t i = g->n - 1; !st && i >= 0; i--)
        if (g->at[i].reached) {
            out[i] = gx[--n];
            gx[n] = NULL;
        }
    agni_free(x);
    agni_free(gx);
    for (int64_t i = 0; !st && i < g->n; i++)
        if (g->at[i].sum && out[i]) {
            agn_tensor *sum = NULL;
            st = agn_add(&sum, g->at[i].sum, out[i]);
            agn_release(out[i]);
            out[i] = sum;
        }
    return st;
}

agn_status agn_backward(agn_grads *g, const agn_tensor *y, const agn_tensor *cotangent)
{
    if (!g || !y)
        return agni_fail(AGN_ENULL, "backward: %s is NULL", g ? "y" : "the map");
    agn_status st = recorded("backward", y);
    if (st)
        return st;
    int64_t before = g->n;
    agn_tensor **sum = NULL;
    st = add_leaves(g, y);
    if (!st && g->n > INT32_MAX)
        st = agni_fail(AGN_EARG, "backward: %lld watched tensors, at most %d", (long long)g->n,
                       INT32_MAX);
    if (!st && !(sum = agni_zalloc((size_t)(g->n + 1) * sizeof *sum)))
        st = agni_nomem("backward", (size_t)g->n * sizeof *sum);
    if (!st)
        st = new_sums(g, sum, y, cotangent);
    for (int64_t i = 0; i < g->n; i++)
        if (!st && sum[i]) {
            agn_release(g->at[i].sum);
            g->at[i].sum = sum[i];
        } else if (st && sum) {
            agn_release(sum[i]);
        }
    while (st && g->n > before)
        agn_release(g->at[--g->n].x);
    agni_free(sum);
    return st;
}
