/* graph/fusion/schedule.c - list scheduling of the nodes of a region by their critical paths. */
#include "graph/fusion/lower.h"

#include <stdlib.h>

typedef struct scheduled_node {
    int64_t key;
    int32_t node;
} scheduled_node;
static int compare_priority(const void *a, const void *b)
{
    const scheduled_node *x = a, *y = b;
    return x->key != y->key ? (x->key < y->key ? 1 : -1) : x->node - y->node;
}

static bool is_view_op(const agni_op *op)
{
    return op == &agni_op_reshape || op == &agni_op_permute || op == &agni_op_slice ||
           op == &agni_op_broadcast_to || op == &agni_op_unslice;
}

/* The key by which a node runs, highest first: the longest way from it to the end of the tile, so
   that each value is made as late as can be. What belongs together in the sweeps of several
   directions runs together, and little is alive at once. Sums over the batch, and what only they
   read, run as soon as their arguments are there, and so end their lives. */
static void schedule_priorities(lowering *w, int64_t *key)
{
    enum { LAYER = 1 << 12 }; /* products set the pace: layers stay side by side */
    const agni_ir *ir = w->ir;
    bool *read = agni_zalloc((size_t)ir->n_val + 1); /* by more than sums */
    w->failed = w->failed || !read;
    for (int k = ir->n_node - 1; k >= 0 && !w->failed; k--) {
        const agni_pnode *q = &ir->node[k];
        if (!w->need[k] || w->c->mode[k] == AGNI_REDUCE)
            continue;
        bool passes = is_view_op(q->op) && !read[q->val] && !agni_region_is_root(w, k);
        key[q->val] += 2 * (q->op == &agni_op_matmul ? LAYER : 1);
        for (int i = 0; i < q->nin; i++) {
            int32_t v = agni_node_arg(ir, q, i);
            read[v] |= !passes;
            key[v] = key[v] > key[q->val] ? key[v] : key[q->val];
        }
    }
    for (int k = 0; k < ir->n_node && !w->failed; k++) {
        const agni_pnode *q = &ir->node[k];
        bool sum = w->c->mode[k] == AGNI_REDUCE;
        if (w->need[k] && !sum && q->op == &agni_op_matmul) /* all of a layer before its rest */
            key[q->val] = key[q->val] / (2 * LAYER) * (2 * LAYER) - 1;
        if (!w->need[k] || (!sum && (read[q->val] || agni_region_is_root(w, k))))
            continue;
        key[q->val] = INT64_MAX;
        for (int i = 0; i < q->nin; i++) {
            int32_t v = agni_node_arg(ir, q, i), from = ir->val[v].node;
            bool here = from >= 0 && w->need[from] && w->c->axis[v] >= 0;
            if (here && key[v] - 1 < key[q->val])
                key[q->val] = key[v] - 1;
        }
    }
    agni_free(read);
}

int agni_region_schedule(lowering *w)
{
    const agni_ir *ir = w->ir;
    int64_t *key = agni_zalloc((size_t)(ir->n_val + 1) * sizeof *key);
    scheduled_node *t = agni_alloc((size_t)(ir->n_node + 1) * sizeof *t);
    int n = 0;
    w->failed = w->failed || !key || !t;
    if (!w->failed)
        schedule_priorities(w, key);
    for (int k = 0; k < ir->n_node && !w->failed; k++)
        if (w->need[k])
            t[n++] = (scheduled_node){key[ir->node[k].val], k};
    if (n)
        qsort(t, (size_t)n, sizeof *t, compare_priority);
    for (int i = 0; i < n; i++)
        w->order[i] = t[i].node;
    agni_free(key);
    agni_free(t);
    return n;
}
