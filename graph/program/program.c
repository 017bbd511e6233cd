/* graph/program/program.c - programs gathered from recorded values, stored, and replayed. */
#include "graph/program/program.h"

#include "core/memory/scope.h"
#include "tensor/dispatch/op_helpers.h"
#include "tensor/value/trace_guards.h"
#include <stdlib.h>
#include <string.h>

/* ---- memory ------------------------------------------------------------------------ */

static void prog_destroy(agni_obj *o)
{
    agni_prog *p = (agni_prog *)o;
    for (int i = 0; i < p->n_node; i++)
        if (p->node[i].at)
            agni_obj_release(&p->node[i].at->head);
    /* results first: a long chain is then freed node by node */
    for (int i = p->n_val - 1; p->val && i >= 0; i--)
        agn_release(p->val[i]);
    agni_free(p->node);
    agni_free(p->arg);
    agni_free(p->out);
    agni_free(p->val);
    agni_free(p->cap_version);
    if (p->guards)
        agni_obj_release(&p->guards->head);
    agni_free(p);
}
static const agni_obj_type prog_type = {.name = "program", .destroy = prog_destroy};

void agni_prog_release(agni_prog *p)
{
    if (p)
        agni_obj_release(&p->head);
}

/* arrays of a program whose counts are set; false without memory */
agni_prog *agni_prog_new(int n_in, int n_cap, int n_node, int n_val, int n_out, int n_arg)
{
    agni_prog *p = agni_zalloc(sizeof *p);
    if (!p)
        return NULL;
    agni_ref_init(&p->head.ref);
    p->head.type = &prog_type;
    p->n_in = n_in;
    p->n_cap = n_cap;
    p->n_val = n_val;
    p->n_out = n_out;
    p->n_arg = n_arg;
#define ROOM(n) ((size_t)((n) > 0 ? (n) : 1))
    p->node = agni_zalloc(ROOM(n_node) * sizeof *p->node);
    p->arg = agni_alloc(ROOM(n_arg) * sizeof *p->arg);
    p->out = agni_alloc(ROOM(n_out) * sizeof *p->out);
    p->val = agni_zalloc(ROOM(n_val) * sizeof *p->val);
    p->cap_version = agni_zalloc(ROOM(n_cap) * sizeof *p->cap_version);
    if (!p->node || !p->arg || !p->out || !p->val || !p->cap_version) {
        agni_prog_release(p);
        return NULL;
    }
    p->n_node = n_node;
    return p;
}

/* ---- a map from pointers to numbers ---------------------------------------------------- */

typedef struct map {
    const void **key;
    int32_t *value;
    size_t cap, n;
} map;

static size_t find_slot(const map *m, const void *key)
{
    uint64_t h = (uint64_t)(uintptr_t)key * 0x9E3779B97F4A7C15u;
    size_t i = (size_t)(h >> 20) & (m->cap - 1);
    while (m->key[i] && m->key[i] != key)
        i = (i + 1) & (m->cap - 1);
    return i;
}
static int32_t map_get(const map *m, const void *key)
{
    size_t i = m->cap ? find_slot(m, key) : 0;
    return m->cap && m->key[i] ? m->value[i] : -1;
}
static bool map_put(map *m, const void *key, int32_t value)
{
    if (2 * (m->n + 1) > m->cap) {
        map b = {NULL, NULL, m->cap ? 2 * m->cap : 64, 0};
        b.key = agni_zalloc(b.cap * sizeof *b.key);
        b.value = agni_alloc(b.cap * sizeof *b.value);
        if (!b.key || !b.value) {
            agni_free(b.key);
            agni_free(b.value);
            return false;
        }
        for (size_t i = 0; i < m->cap; i++)
            if (m->key[i]) {
                size_t k = find_slot(&b, m->key[i]);
                b.key[k] = m->key[i];
                b.value[k] = m->value[i];
            }
        b.n = m->n;
        agni_free(m->key);
        agni_free(m->value);
        *m = b;
    }
    size_t i = find_slot(m, key);
    m->n += !m->key[i];
    m->key[i] = key;
    m->value[i] = value;
    return true;
}
static void map_free(map *m)
{
    agni_free(m->key);
    agni_free(m->value);
}

/* ---- gathering ------------------------------------------------------------------------------ */

/* a node that was met: in the list by time, elsewhere by the number it was met as */
typedef struct found {
    agni_node *node;
    int32_t met;
    int32_t reads; /* where its arguments begin in `reads` */
} found;

typedef struct gathering {
    const agn_tensor *const *leaf;
    int n_leaf;
    uint64_t first;
    map leaves, nodes, caps; /* of a leaf's node, of what was met, of captured tensors */
    uint64_t leaf_ids;       /* the low six bits of their nodes' ids: most nodes are none of them */
    int32_t *next_leaf;      /* another one of the same node, or -1 */
    found *list;
    int n, cap;
    const agn_tensor **captured;
    int n_cap, cap_cap;
    int32_t *val;   /* number of the first result of a node, as met */
    int32_t
        *reads; /* arguments, node by node as met: a number, or ~ the node that it is a result of */
    int32_t n_reads, cap_reads;
    int32_t *arg;  /* numbers of the arguments, node by node in order of time */
    bool *twin; /* nodes that do what an earlier one does */
    int n_twin;
} gathering;

static bool add_leaves(gathering *g)
{
    if (g->n_leaf && !(g->next_leaf = agni_alloc((size_t)g->n_leaf * sizeof *g->next_leaf)))
        return false;
    for (int i = g->n_leaf - 1; i >= 0; i--) {
        g->next_leaf[i] = map_get(&g->leaves, g->leaf[i]->node);
        if (!map_put(&g->leaves, g->leaf[i]->node, i))
            return false;
        g->leaf_ids |= (uint64_t)1 << (g->leaf[i]->node->id & 63);
    }
    return true;
}

/* a leaf's node is not followed: -1 if the value is no leaf */
static int leaf_index(const gathering *g, const agn_tensor *x)
{
    int i = x->node && g->leaf_ids >> (x->node->id & 63) & 1 ? map_get(&g->leaves, x->node) : -1;
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
        int32_t met = map_get(&g->nodes, x->node);
        if (met < 0) {
            met = g->n;
            if (!agni_reserve_items(&g->list, &g->cap, g->n + 1, sizeof *g->list) ||
                !map_put(&g->nodes, x->node, met))
                return false;
            g->list[g->n++] = (found){x->node, met, 0};
        }
        *what = ~met;
        return true;
    }
    int32_t cap = map_get(&g->caps, x);
    if (cap < 0) {
        cap = g->n_cap;
        if (!agni_reserve_items(&g->captured, &g->cap_cap, g->n_cap + 1, sizeof *g->captured) ||
            !map_put(&g->caps, x, cap))
            return false;
        g->captured[g->n_cap++] = x;
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

/* ---- equal applications ------------------------------------------------------------------ */

static uint64_t mix_hash(uint64_t h, uint64_t x)
{
    h = (h ^ x) * 0xD6E8FEB86659FD93u;
    return h ^ h >> 29;
}

static bool same_application(const agni_node *a, const int32_t *arg_a, const agni_node *b,
                  const int32_t *arg_b)
{
    if (a->op != b->op || a->nin != b->nin || a->nout != b->nout ||
        !agni_attr_equal(a->at, b->at))
        return false;
    for (int i = 0; i < a->nin; i++)
        if (arg_a[i] != arg_b[i] || a->version[i] != b->version[i])
            return false;
    return true;
}

/* An open table of nodes that were numbered, by what they do. */
typedef struct seen {
    int32_t k; /* in the list; -1: free */
    int32_t arg;
} seen;

/* Numbers the results; a node that does what an earlier one does shares its numbers, so that a
   sweep meets each value once: the value of a function whose derivatives along several
   directions are asked for is one. The leaves of this program are not in the list; a leaf of an
   inner derivative, which is done by now, is an identity like any other. */
static bool number_nodes(gathering *g, int64_t *n_val, int64_t *n_arg)
{
    size_t cap = 64;
    while (cap < 2 * (size_t)g->n)
        cap *= 2;
    seen *table = agni_alloc(cap * sizeof *table);
    for (size_t i = 0; table && i < cap; i++)
        table[i].k = -1;
    int32_t *arg = g->arg;
    for (int k = 0; table && k < g->n; k++) {
        const agni_node *n = g->list[k].node;
        uint64_t h = mix_hash((uint64_t)(uintptr_t)n->op, (uint64_t)n->nin);
        for (int i = 0; i < n->nin; i++) {
            arg[i] = value_number(g, n->in[i], g->reads[g->list[k].reads + i]);
            h = mix_hash(h, (uint64_t)arg[i]);
        }
        for (int i = 0; n->at && i < n->at->ni; i++)
            h = mix_hash(h, (uint64_t)n->at->i[i]);
        size_t slot = (h ^ h >> 32) & (cap - 1);
        bool shared = n->nin > 0;
        while (shared && table[slot].k >= 0 &&
               !same_application(g->list[table[slot].k].node, g->arg + table[slot].arg, n, arg))
            slot = (slot + 1) & (cap - 1);
        if (shared && table[slot].k >= 0) {
            g->val[g->list[k].met] = g->val[g->list[table[slot].k].met];
            g->twin[k] = true;
            g->n_twin++;
        } else {
            if (shared)
                table[slot] = (seen){k, (int32_t)(arg - g->arg)};
            g->val[g->list[k].met] = (int32_t)*n_val;
            *n_val += n->nout;
            *n_arg += n->nin;
        }
        arg += n->nin;
    }
    agni_free(table);
    return table != NULL;
}

static bool fill_program(agni_prog *p, gathering *g, int n_out, const agn_tensor *const *outs)
{
    for (int i = 0; i < g->n_leaf; i++)
        p->val[i] = agni_tensor_ref(g->leaf[i]);
    for (int i = 0; i < g->n_cap; i++) {
        p->val[g->n_leaf + i] = agni_tensor_ref(g->captured[i]);
        p->cap_version[i] = agni_tensor_version(g->captured[i]);
    }
    int32_t used = 0;
    const int32_t *arg = g->arg;
    for (int k = 0, kept = 0; k < g->n; k++) {
        const agni_node *n = g->list[k].node;
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
        arg += n->nin;
    }
    for (int i = 0; i < n_out; i++) {
        int32_t what;
        if (!visit_value(g, outs[i], &what))
            return false;
        int32_t v = p->out[i] = value_number(g, outs[i], what);
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
    bool ok = add_leaves(&g);
    int32_t what;
    for (int i = 0; ok && i < n_out; i++)
        ok = visit_value(&g, outs[i], &what);
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
    map_free(&g.leaves);
    map_free(&g.nodes);
    map_free(&g.caps);
    if (!ok) {
        agni_prog_release(p);
        return foreign ? agni_fail(AGN_ESYMBOLIC, "trace: an argument of an inner function is used "
                                                  "after its call; it never had a value")
                       : agni_nomem("trace", (size_t)g.n * sizeof(agni_pnode));
    }
    *out = p;
    return AGN_OK;
}

const agn_tensor *agni_detach(agn_scope *s, const agn_tensor *x, uint64_t first)
{
    if (!x || !x->node || !x->st || x->node->low < first)
        return x;
    return agni_detach_node(s, "detach", x);
}

/* ---- storing --------------------------------------------------------------------------------- */

/* shape and dtype alone */
static agn_tensor *describe_value(const agn_tensor *x)
{
    agn_tensor *y = agni_tensor_header(x->dtype, x->ndim, x->shape);
    if (y)
        y->weak = x->weak;
    return y;
}

agn_status agni_prog_store(agni_prog **out, const agni_prog *p, int *n_extra,
                           const agn_tensor ***extra)
{
    int live = 0;
    for (int i = 0; i < p->n_cap; i++) {
        const agn_tensor *c = p->val[p->n_in + i];
        live += c->node || !c->st;
    }
    agni_prog *q = agni_prog_new(p->n_in + live, p->n_cap - live, p->n_node, p->n_val, p->n_out,
                            p->n_arg);
    int32_t *renamed = agni_alloc((size_t)(p->n_val ? p->n_val : 1) * sizeof *renamed);
    const agn_tensor **ex = agni_alloc((size_t)(live ? live : 1) * sizeof *ex);
    bool ok = q && renamed && ex;
    int li = 0, ci = 0;
    for (int v = 0; ok && v < p->n_val; v++) {
        const agn_tensor *x = p->val[v];
        bool captured = v >= p->n_in && v < p->n_in + p->n_cap;
        bool constant = captured && !x->node && x->st;
        renamed[v] = v;
        if (constant) {
            q->cap_version[ci] = p->cap_version[v - p->n_in];
            renamed[v] = q->n_in + ci++;
        } else if (captured) {
            ex[li] = x;
            renamed[v] = p->n_in + li++;
        }
        q->val[renamed[v]] = constant ? agni_tensor_ref(x) : describe_value(x);
        ok = q->val[renamed[v]] != NULL;
    }
    for (int k = 0; ok && k < p->n_node; k++) {
        q->node[k] = p->node[k];
        if (q->node[k].at)
            agni_obj_retain(&q->node[k].at->head);
    }
    for (int i = 0; ok && i < p->n_arg; i++)
        q->arg[i] = renamed[p->arg[i]];
    for (int i = 0; ok && i < p->n_out; i++)
        q->out[i] = renamed[p->out[i]];
    agni_free(renamed);
    if (!ok) {
        agni_free(ex);
        agni_prog_release(q);
        return agni_nomem("store", (size_t)p->n_val * sizeof *p->val);
    }
    agni_prog_copy_guards(q, p);
    *out = q;
    *n_extra = live;
    *extra = ex;
    return AGN_OK;
}

void agni_prog_copy_guards(agni_prog *q, const agni_prog *p)
{
    if (q->guards)
        agni_obj_release(&q->guards->head);
    q->guards = p && p->guards ? (agni_guards *)agni_obj_retain(&p->guards->head) : NULL;
}

agn_status agni_prog_check_guards(const agni_prog *p)
{
    if (agni_guards_current()) { /* another trace, which now rests on this one */
        agni_guards_inherit(p->guards);
        for (int i = 0; i < p->n_cap; i++)
            agni_guard_value(p->val[p->n_in + i]);
    }
    for (int i = 0; i < p->n_cap; i++) {
        const agn_tensor *c = p->val[p->n_in + i];
        if (agni_tensor_version(c) != p->cap_version[i])
            return agni_fail(AGN_ESTALE, "call: a captured tensor %s %s was written after it was "
                                         "captured; pass it as an argument",
                             agni_dtypes[c->dtype].name, AGNI_SHAPE(c));
    }
    return agni_guards_check(p->guards);
}

/* ---- replaying ------------------------------------------------------------------------------- */

/* are the results of node k given? Then they are taken */
static bool use_given_results(const agni_pnode *n, const agn_tensor *const *given,
                              const agn_tensor **v)
{
    for (int o = 0; o < n->nout; o++)
        if (!given || !given[n->val + o])
            return false;
    for (int o = 0; o < n->nout; o++)
        v[n->val + o] = given[n->val + o];
    return true;
}

agn_status agni_prog_replay_from(const agni_prog *p, agn_scope *s, const agn_tensor *const *in,
                                 const agn_tensor *const *given, const agn_tensor **out,
                                 const agn_tensor **vals)
{
    agn_status st = agn_scope_status(s);
    if (!st)
        st = agn_scope_fail(s, agni_prog_check_guards(p));
    if (st)
        return st;
    const agn_tensor **v = vals ? vals : agni_zalloc((size_t)(p->n_val + 1) * sizeof *v);
    if (!v)
        return agn_scope_fail(s, agni_nomem("call", (size_t)p->n_val * sizeof *v));
    for (int i = 0; i < p->n_in; i++)
        v[i] = in[i];
    for (int i = p->n_in; i < p->n_in + p->n_cap; i++)
        v[i] = given && given[i] ? given[i] : p->val[i];
    for (int k = 0; k < p->n_node; k++) {
        const agni_pnode *n = &p->node[k];
        const agn_tensor *few[16], **a = few;
        if (use_given_results(n, given, v))
            continue;
        if (n->nin > AGNI_COUNT(few) && !(a = agni_alloc((size_t)n->nin * sizeof *a))) {
            agn_scope_fail(s, agni_nomem("call", (size_t)n->nin * sizeof *a));
            break;
        }
        for (int i = 0; i < n->nin; i++)
            a[i] = v[p->arg[n->arg + i]];
        bool ok = agni_apply_many_in(s, n->op, n->at, n->nin, a, n->nout, v + n->val);
        if (a != few)
            agni_free(a);
        if (!ok)
            break;
    }
    st = agn_scope_status(s);
    for (int i = 0; !st && i < p->n_out; i++)
        out[i] = v[p->out[i]];
    if (v != vals)
        agni_free(v);
    return st;
}

agn_status agni_prog_replay(const agni_prog *p, agn_scope *s, const agn_tensor *const *in,
                            const agn_tensor **out, const agn_tensor **vals)
{
    return agni_prog_replay_from(p, s, in, NULL, out, vals);
}

agn_status agni_prog_infer(const agni_prog *p, agni_call *c)
{
    for (int o = 0; o < c->nout; o++)
        agni_meta_like(&c->meta[o], p->val[p->out[o]]);
    return AGN_OK;
}

agn_status agni_prog_eval(const agni_prog *p, const agni_call *c, agn_tensor **out)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor **y = agni_alloc((size_t)p->n_out * sizeof *y);
    if (!y)
        agn_scope_fail(s, agni_nomem(c->op->name, (size_t)p->n_out * sizeof *y));
    else if (!agni_prog_replay(p, s, c->in, y, NULL))
        for (int o = 0; o < c->nout; o++)
            agn_scope_return(s, out + o, y[o]);
    agni_free(y);
    return agn_scope_close(s);
}
