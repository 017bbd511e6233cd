/* graph/program/gather.c - from recorded values to a program in SSA form: topological order by time
   of recording, equal applications numbered once (value numbering: Cocke & Schwartz 1970). */
#include "core/memory/hash_index.h"
#include "graph/program/program.h"

#include <stdlib.h>

/* ---- what the results depend on ------------------------------------------------------------- */

/* a node that was met: in the list by time, elsewhere by the number it was met as */
typedef struct found {
    agni_node *node;
    int32_t met;
    int32_t reads; /* where its arguments begin in `reads` */
    int32_t arg;   /* where their numbers begin in `arg` */
} found;

typedef struct gathering {
    const agn_tensor *const *leaf;
    int n_leaf;
    uint64_t first;
    agni_hash_index leaves, nodes, caps; /* leaves by their node, what was met, captured tensors */
    uint64_t leaf_ids;  /* the low six bits of their nodes' ids: most nodes are none of them */
    int32_t *next_leaf; /* another one of the same node, or -1 */
    found *list;
    int n, cap;
    const agn_tensor **captured;
    int n_cap, cap_cap;
    int32_t *val;   /* number of the first result of a node, as met */
    int32_t *reads; /* arguments, node by node as met: a number, or ~ the node that makes it */
    int32_t n_reads, cap_reads;
    int32_t *ends; /* the results, in the same way */
    int32_t *arg;  /* numbers of the arguments, node by node in order of time */
    bool *twin;    /* nodes that do what an earlier one does */
    int n_twin;
} gathering;

static bool leaf_has_node(const void *items, int32_t i, const void *key)
{
    return ((const gathering *)items)->leaf[i]->node == key;
}
static uint64_t hash_leaf(const void *items, int32_t i)
{
    return agni_hash_pointer(0, ((const gathering *)items)->leaf[i]->node);
}
static bool was_met(const void *items, int32_t i, const void *key)
{
    return ((const gathering *)items)->list[i].node == key;
}
static uint64_t hash_met(const void *items, int32_t i)
{
    return agni_hash_pointer(0, ((const gathering *)items)->list[i].node);
}
static bool was_captured(const void *items, int32_t i, const void *key)
{
    return ((const gathering *)items)->captured[i] == key;
}
static uint64_t hash_captured(const void *items, int32_t i)
{
    return agni_hash_pointer(0, ((const gathering *)items)->captured[i]);
}

/* the first leaf of that node, -1 */
static int32_t leaf_of(const gathering *g, const agni_node *node)
{
    return agni_hash_index_find(&g->leaves, agni_hash_pointer(0, node), leaf_has_node, g, node);
}

static bool add_leaves(gathering *g)
{
    if (!g->n_leaf)
        return true;
    if (!(g->next_leaf = agni_alloc((size_t)g->n_leaf * sizeof *g->next_leaf)) ||
        !agni_hash_index_reserve(&g->leaves, g->n_leaf, hash_leaf, g))
        return false;
    for (int i = 0; i < g->n_leaf; i++) {
        const agni_node *node = g->leaf[i]->node;
        g->next_leaf[i] = -1;
        if (leaf_of(g, node) < 0)
            agni_hash_index_add(&g->leaves, agni_hash_pointer(0, node), i);
        g->leaf_ids |= (uint64_t)1 << (node->id & 63);
    }
    for (int i = g->n_leaf - 1; i > 0; i--) { /* in their order: of equal leaves the first is found */
        int32_t head = leaf_of(g, g->leaf[i]->node);
        if (head == i)
            continue;
        g->next_leaf[i] = g->next_leaf[head];
        g->next_leaf[head] = i;
    }
    return true;
}

/* a leaf's node is not followed: -1 if the value is no leaf */
static int leaf_index(const gathering *g, const agn_tensor *x)
{
    int i = x->node && g->leaf_ids >> (x->node->id & 63) & 1 ? leaf_of(g, x->node) : -1;
    while (i >= 0 && g->leaf[i]->out != x->out)
        i = g->next_leaf[i];
    return i;
}

/* What x is goes into *what, as in reads. */
static bool visit_value(gathering *g, const agn_tensor *x, int32_t *what)
{
    if ((*what = leaf_index(g, x)) >= 0)
        return true;
    if (x->node && x->node->id >= g->first) {
        uint64_t hash = agni_hash_pointer(0, x->node);
        int32_t met = agni_hash_index_find(&g->nodes, hash, was_met, g, x->node);
        if (met < 0) {
            met = g->n;
            if (!agni_reserve_items(&g->list, &g->cap, g->n + 1, sizeof *g->list) ||
                !agni_hash_index_reserve(&g->nodes, g->n + 1, hash_met, g))
                return false;
            g->list[g->n++] = (found){.node = x->node, .met = met};
            agni_hash_index_add(&g->nodes, hash, met);
        }
        *what = ~met;
        return true;
    }
    uint64_t hash = agni_hash_pointer(0, x);
    int32_t cap = agni_hash_index_find(&g->caps, hash, was_captured, g, x);
    if (cap < 0) {
        cap = g->n_cap;
        if (!agni_reserve_items(&g->captured, &g->cap_cap, g->n_cap + 1, sizeof *g->captured) ||
            !agni_hash_index_reserve(&g->caps, g->n_cap + 1, hash_captured, g))
            return false;
        g->captured[g->n_cap++] = x;
        agni_hash_index_add(&g->caps, hash, cap);
    }
    *what = g->n_leaf + cap;
    return true;
}

/* what node k of the list reads; the list grows */
static bool visit_inputs(gathering *g, int k)
{
    const agni_node *n = g->list[k].node;
    if (n->nin > INT32_MAX - g->n_reads ||
        !agni_reserve_items(&g->reads, &g->cap_reads, g->n_reads + n->nin, sizeof *g->reads))
        return false;
    g->list[k].reads = g->n_reads;
    g->n_reads += n->nin;
    for (int i = 0; i < n->nin; i++)
        if (!visit_value(g, n->in[i], g->reads + g->list[k].reads + i))
            return false;
    return true;
}

static int compare_time(const void *a, const void *b)
{
    uint64_t x = ((const found *)a)->node->id, y = ((const found *)b)->node->id;
    return (x > y) - (x < y);
}

/* The oldest first. A chain is met from its end, which needs no sorting. */
static void sort_by_time(gathering *g)
{
    bool backward = true;
    for (int k = 1; k < g->n && backward; k++)
        backward = g->list[k].node->id < g->list[k - 1].node->id;
    if (!backward)
        qsort(g->list, (size_t)g->n, sizeof *g->list, compare_time);
    for (int i = 0, k = g->n - 1; backward && i < k; i++, k--) {
        found f = g->list[i];
        g->list[i] = g->list[k];
        g->list[k] = f;
    }
}

/* a value written after a node saved it */
static agn_tensor *stale_alias(const agn_tensor *x)
{
    agn_tensor *y = agni_tensor_alias(x);
    if (y)
        y->stale = true;
    return y;
}

/* the number of x, which is `what` */
static int32_t value_number(const gathering *g, const agn_tensor *x, int32_t what)
{
    return what >= 0 ? what : g->val[~what] + x->out;
}

/* ---- equal applications: value numbering ------------------------------------------------- */

static uint64_t hash_application(const void *items, int32_t k)
{
    const gathering *g = items;
    const agni_node *n = g->list[k].node;
    const int32_t *arg = g->arg + g->list[k].arg;
    uint64_t h = agni_hash_pointer((uint64_t)n->nin, n->op);
    for (int i = 0; i < n->nin; i++)
        h = agni_hash_word(h, (uint64_t)arg[i]);
    for (int i = 0; n->at && i < n->at->ni; i++)
        h = agni_hash_word(h, (uint64_t)n->at->i[i]);
    return h;
}

/* do nodes k and *key of the list the same? */
static bool same_application(const void *items, int32_t k, const void *key)
{
    const gathering *g = items;
    const found *f = &g->list[k], *e = &g->list[*(const int32_t *)key];
    const agni_node *a = f->node, *b = e->node;
    if (a->op != b->op || a->nin != b->nin || a->nout != b->nout ||
        !agni_attr_equal(a->at, b->at))
        return false;
    for (int i = 0; i < a->nin; i++)
        if (g->arg[f->arg + i] != g->arg[e->arg + i] || a->version[i] != b->version[i])
            return false;
    return true;
}

/* Numbers the results; a node that does what an earlier one does shares its numbers, so that a
   traversal meets each value once: the value of a function whose derivatives along several
   directions are asked for is one. The leaves of this program are not in the list; a leaf of an
   inner derivative, which is done by now, is an identity like any other. */
static bool number_nodes(gathering *g, int64_t *n_val, int64_t *n_arg)
{
    agni_hash_index seen = {0};
    if (!agni_hash_index_reserve(&seen, g->n, hash_application, g))
        return false;
    int32_t used = 0;
    for (int32_t k = 0; k < g->n; k++) {
        found *f = &g->list[k];
        const agni_node *n = f->node;
        f->arg = used;
        used += n->nin;
        for (int i = 0; i < n->nin; i++)
            g->arg[f->arg + i] = value_number(g, n->in[i], g->reads[f->reads + i]);
        uint64_t hash = n->nin ? hash_application(g, k) : 0;
        int32_t twin = n->nin ? agni_hash_index_find(&seen, hash, same_application, g, &k) : -1;
        if (twin >= 0) {
            g->val[f->met] = g->val[g->list[twin].met];
            g->twin[k] = true;
            g->n_twin++;
            continue;
        }
        if (n->nin)
            agni_hash_index_add(&seen, hash, k);
        g->val[f->met] = (int32_t)*n_val;
        *n_val += n->nout;
        *n_arg += n->nin;
    }
    agni_hash_index_free(&seen);
    return true;
}

/* ---- the program ---------------------------------------------------------------------------- */

static bool fill_program(agni_prog *p, gathering *g, int n_out, const agn_tensor *const *outs)
{
    for (int i = 0; i < g->n_leaf; i++)
        p->val[i] = agni_tensor_ref(g->leaf[i]);
    for (int i = 0; i < g->n_cap; i++) {
        p->val[g->n_leaf + i] = agni_tensor_ref(g->captured[i]);
        p->cap_version[i] = agni_tensor_version(g->captured[i]);
    }
    int32_t used = 0;
    for (int k = 0, kept = 0; k < g->n; k++) {
        const agni_node *n = g->list[k].node;
        const int32_t *arg = g->arg + g->list[k].arg;
        if (!g->twin[k]) {
            p->node[kept++] =
                (agni_pnode){n->op, n->at, n->nin, n->nout, used, g->val[g->list[k].met]};
            if (n->at)
                agni_obj_retain(&n->at->head);
        }
        for (int i = 0; i < n->nin && !g->twin[k]; i++) {
            int32_t v = arg[i];
            p->arg[used++] = v;
            if ((uint32_t)agni_tensor_version(n->in[i]) != n->version[i]) {
                agn_release(p->val[v]);
                if (!(p->val[v] = stale_alias(n->in[i])))
                    return false;
            } else if (!p->val[v]) {
                p->val[v] = agni_tensor_ref(n->in[i]);
            }
        }
    }
    for (int i = 0; i < n_out; i++) {
        int32_t v = p->out[i] = value_number(g, outs[i], g->ends[i]);
        if (!p->val[v])
            p->val[v] = agni_tensor_ref(outs[i]);
    }
    /* results that were written by another name: aliases without a node may be. Results nobody
       holds: rules may still read them. */
    for (int k = 0; k < g->n; k++) {
        agni_node *n = g->list[k].node;
        int32_t v = g->val[g->list[k].met];
        for (int i = 0; i < n->nout; i++)
            if (p->val[v + i] && !g->twin[k] && !p->val[v + i]->stale &&
                (uint32_t)agni_tensor_version(p->val[v + i]) != n->version[n->nin + i]) {
                agn_tensor *y = stale_alias(p->val[v + i]);
                if (!y)
                    return false;
                agn_release(p->val[v + i]);
                p->val[v + i] = y;
            } else if (!p->val[v + i]) {
                agn_tensor *y = agni_tensor_alias(n->saved[i]);
                if (!y)
                    return false;
                y->node = (agni_node *)agni_obj_retain(&n->head);
                y->out = i;
                p->val[v + i] = y;
            }
    }
    return true;
}

agn_status agni_prog_gather(agni_prog **out, int n_in, const agn_tensor *const *leaves, int n_out,
                            const agn_tensor *const *outs, uint64_t first)
{
    gathering g = {.leaf = leaves, .n_leaf = n_in, .first = first};
    g.ends = agni_alloc(((size_t)n_out + 1) * sizeof *g.ends);
    bool ok = g.ends && add_leaves(&g);
    for (int i = 0; ok && i < n_out; i++)
        ok = visit_value(&g, outs[i], g.ends + i);
    bool foreign = false; /* a leaf of an inner trace, which is over */
    for (int k = 0; ok && k < g.n; k++) { /* the list grows while it is walked */
        foreign |= g.list[k].node->nin == 0;
        ok = visit_inputs(&g, k);
    }
    ok = ok && !foreign;
    if (ok) {
        sort_by_time(&g);
        g.val = agni_alloc(((size_t)g.n + 1) * sizeof *g.val);
        g.arg = agni_alloc(((size_t)g.n_reads + 1) * sizeof *g.arg);
        g.twin = agni_zalloc((size_t)g.n + 1);
    }
    int64_t n_arg = 0, n_val = n_in + g.n_cap;
    ok = ok && g.val && g.arg && g.twin && number_nodes(&g, &n_val, &n_arg);
    agni_prog *p = NULL;
    if (ok && n_val < INT32_MAX)
        p = agni_prog_new(n_in, g.n_cap, g.n - g.n_twin, (int)n_val, n_out, (int)n_arg);
    ok = p && fill_program(p, &g, n_out, outs);
    agni_free(g.val);
    agni_free(g.arg);
    agni_free(g.reads);
    agni_free(g.twin);
    agni_free(g.list);
    agni_free(g.captured);
    agni_free(g.next_leaf);
    agni_free(g.ends);
    agni_hash_index_free(&g.leaves);
    agni_hash_index_free(&g.nodes);
    agni_hash_index_free(&g.caps);
    if (!ok) {
        agni_prog_release(p);
        return foreign ? agni_fail(AGN_ESYMBOLIC, "trace: an argument of an inner function is used "
                                                  "after its call; it never had a value")
                       : agni_nomem("trace", (size_t)g.n * sizeof(agni_pnode));
    }
    *out = p;
    return AGN_OK;
}
