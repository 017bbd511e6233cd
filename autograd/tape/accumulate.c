/* accumulate.c - gradients accumulated over backward calls, keyed by watched tensor. */
#include "autograd/transforms/transform.h"
#include "core/memory/hash_index.h"

#include <agnesi/tape.h>

#include <string.h>

/* ---- results of nodes, numbered as they come, found by hashing ------------------------------- */

typedef struct key {
    const agni_node *node;
    int32_t out;
} key;
/* at[0] ... at[n - 1] in the order of their first use */
typedef struct keys {
    agni_hash_index index;
    key *at;
    int32_t n, cap;
} keys;

static uint64_t hash_key(key k)
{
    return agni_hash_word(k.node->id, (uint64_t)k.out);
}

static uint64_t hash_of_item(const void *items, int32_t i)
{
    return hash_key(((const key *)items)[i]);
}

static bool equal_key(const void *items, int32_t i, const void *wanted)
{
    const key *a = (const key *)items + i, *b = wanted;
    return a->node == b->node && a->out == b->out;
}

static int32_t find_number(const keys *q, key k) /* -1: none */
{
    return agni_hash_index_find(&q->index, hash_key(k), equal_key, q->at, &k);
}

/* its number, new or not; -1 without memory */
static int32_t number_key(keys *q, key k)
{
    int32_t i = find_number(q, k);
    if (i >= 0)
        return i;
    if (q->n == INT32_MAX || !agni_reserve_items(&q->at, &q->cap, q->n + 1, sizeof *q->at) ||
        !agni_hash_index_reserve(&q->index, q->n + 1, hash_of_item, q->at))
        return -1;
    q->at[q->n] = k;
    agni_hash_index_add(&q->index, hash_key(k), q->n);
    return q->n++;
}

static void drop_last_key(keys *q)
{
    q->n--;
    agni_hash_index_remove(&q->index, hash_key(q->at[q->n]), q->n, hash_of_item, q->at);
}

static void free_keys(keys *q)
{
    agni_free(q->at);
    agni_hash_index_free(&q->index);
}

/* ---- the map -------------------------------------------------------------------------------- */

typedef struct entry {
    agn_tensor *x;   /* a header with the node and no need of memory: holds the key */
    agn_tensor *sum; /* NULL: none yet */
    bool reached;    /* by the value of this backward call */
} entry;

struct agn_grads {
    keys keys;
    entry *at;
    int64_t n, room;
};

static key tensor_key(const agn_tensor *x)
{
    return (key){x->node, x->out};
}

static entry *find_entry(const agn_grads *g, const agn_tensor *x)
{
    int32_t i = find_number(&g->keys, tensor_key(x));
    return i < 0 ? NULL : g->at + i;
}

/* an entry of x, unless there is one */
static agn_status add_entry(agn_grads *g, const agn_tensor *x)
{
    if (g->n == g->room) {
        int64_t room = 2 * g->room + 8;
        entry *at = agni_realloc(g->at, (size_t)room * sizeof *at);
        if (!at)
            return agni_nomem("backward", (size_t)room * sizeof *at);
        g->at = at;
        g->room = room;
    }
    int32_t i = number_key(&g->keys, tensor_key(x));
    if (i < 0)
        return agni_nomem("backward", (size_t)g->room * sizeof(key));
    if (i == g->n)
        g->at[g->n++] = (entry){agni_tensor_ref(x), NULL, false};
    return AGN_OK;
}

static void drop_last_entry(agn_grads *g)
{
    drop_last_key(&g->keys);
    agn_release(g->at[--g->n].x);
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
    free_keys(&g->keys);
    agni_free(g->at);
    agni_free(g);
}

static agn_status check_recorded(const char *op, const agn_tensor *x)
{
    if (!x->node)
        return agni_fail(AGN_EARG, "%s: %s %s is not recorded: nothing behind it is watched", op,
                         agni_dtypes[x->dtype].name, AGNI_SHAPE(x));
    if (!agni_is_differentiable(x))
        return agni_fail(AGN_EDTYPE, "%s: %s is %s; a floating dtype is needed", op, AGNI_SHAPE(x),
                         agni_dtypes[x->dtype].name);
    return AGN_OK;
}

agn_status agn_grads_retain(agn_grads *g, const agn_tensor *x)
{
    if (!g || !x)
        return agni_fail(AGN_ENULL, "grads_retain: %s is NULL", g ? "x" : "the map");
    agn_status st = check_recorded("grads_retain", x);
    if (st)
        return st;
    return add_entry(g, x);
}

agn_status agn_grads_get(agn_tensor **out, const agn_grads *g, const agn_tensor *x)
{
    if (!out || !g || !x)
        return agni_fail(AGN_ENULL, "grads_get: %s is NULL", !out ? "out" : !g ? "the map" : "x");
    const agn_tensor *leaf = x->layout == AGN_DENSE ? x : agni_values_of(x);
    const entry *e = leaf->node ? find_entry(g, leaf) : NULL;
    if (!e || !e->sum)
        return agni_fail(AGN_EARG, "grads_get: no gradient of this %s %s has been summed, of %lld",
                         agni_dtypes[x->dtype].name, AGNI_SHAPE(x), (long long)g->n);
    if (leaf != x)
        return agni_sparse.revalue(out, "grads_get", x, e->sum);
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

/* ---- the leaves of a value ------------------------------------------------------------- */

/* the result of a node as a key */
static agn_tensor *node_result(const agni_node *node)
{
    agn_tensor *x = agni_tensor_alias(node->in[0]);
    if (!x)
        return NULL;
    x->out = 0;
    x->node = (agni_node *)(uintptr_t)agni_obj_retain((agni_obj *)(uintptr_t)&node->head);
    return x;
}

/* adds every watched tensor that y depends on to the map, without a sum, and marks it reached;
   nodes are visited breadth first */
static agn_status add_leaves(agn_grads *g, const agn_tensor *y)
{
    keys met = {.at = NULL};
    bool ok = number_key(&met, (key){y->node, 0}) >= 0;
    agn_status st = AGN_OK;
    for (int32_t k = 0; ok && !st && k < met.n; k++) {
        const agni_node *node = met.at[k].node;
        if (node->op == &agni_op_watch && agni_is_differentiable(node->in[0])) {
            agn_tensor *x = node_result(node);
            ok = x != NULL;
            if (ok)
                st = add_entry(g, x);
            agn_release(x);
        }
        for (int i = 0; ok && i < node->nin; i++)
            if (node->in[i]->node)
                ok = number_key(&met, (key){node->in[i]->node, 0}) >= 0;
    }
    for (int64_t i = 0; ok && i < g->n; i++)
        g->at[i].reached = find_number(&met, (key){g->at[i].x->node, 0}) >= 0;
    free_keys(&met);
    return ok ? st : agni_nomem("backward", (size_t)met.n * sizeof *met.at);
}

/* ---- adding up ------------------------------------------------------------------------------- */

/* the new sums, in out[g->n]; NULL: unchanged */
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
        st = agni_rename_error("backward",
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
    agn_status st = check_recorded("backward", y);
    if (st)
        return st;
    int64_t before = g->n;
    agn_tensor **sum = NULL;
    st = add_leaves(g, y);
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
        drop_last_entry(g);
    agni_free(sum);
    return st;
}
