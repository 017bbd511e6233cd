/* graph/passes/merge_nodes.c - nodes merged: two applications of an op that knows how to be one,
   such as loops that carry the same values, and two that another op computes together. */
#include "graph/passes/source.h"

/* Copies what node j, later than k, needs; false where that is node k itself. */
static bool copy_dependencies(agni_ir *ir, agni_source *q, int j, int k)
{
    bool *need = agni_zalloc((size_t)q->of.n_val + 1), *asked = agni_zalloc((size_t)j + 1);
    bool apart = need && asked;
    if (!apart)
        ir->st = agni_nomem("compile", (size_t)q->of.n_val);
    for (int m = j; apart && m >= k; m--) {
        const agni_pnode *n = &q->of.node[m];
        asked[m] = m == j;
        for (int o = 0; o < n->nout; o++)
            asked[m] |= need[n->val + o];
        for (int i = 0; i < n->nin && asked[m]; i++)
            need[q->of.arg[n->arg + i]] = true;
    }
    apart = apart && !asked[k];
    for (int m = k; apart && m < j && !ir->st; m++)
        if (asked[m] && !q->done[m])
            agni_copy_node(ir, q, m);
    agni_free(need);
    agni_free(asked);
    return apart && !ir->st;
}

/* Nodes wide and narrow as one application, if their op knows it. */
static bool merge_by_op(agni_ir *ir, agni_source *q, int wide, int narrow)
{
    const agni_pnode *w = &q->of.node[wide], *n = &q->of.node[narrow];
    int32_t few[AGNI_FEW_ARGS], *a = NULL, *which = agni_alloc((size_t)n->nout * sizeof *which);
    agni_attr *at = NULL;
    int nout = 0;
    if (!which)
        ir->st = agni_nomem("compile", (size_t)n->nout * sizeof *which);
    else
        ir->st = n->op->merge(&(agni_use){w->op, w->at, w->nin, w->nout, q->of.arg + w->arg},
                              &(agni_use){n->op, n->at, n->nin, n->nout, q->of.arg + n->arg}, &at,
                              &nout, which);
    if (at && (wide < narrow || copy_dependencies(ir, q, wide, narrow)) &&
        (a = agni_map_arguments(ir, q, w, few))) {
        int32_t v = agni_emit_results(ir, w->op, at, w->nin, a, nout);
        agni_rename_results(q, w, v, NULL);
        agni_rename_results(q, n, v, which);
        q->done[wide] = q->done[narrow] = true;
        ir->changed++;
    }
    if (at)
        agni_obj_release(&at->head);
    if (a != few)
        agni_free(a);
    agni_free(which);
    return q->done[narrow];
}

void agni_merge_node(agni_ir *ir, agni_source *q, int k)
{
    for (int j = k + 1; j < q->of.n_node && !q->done[k] && !ir->st; j++)
        if (q->live[j] && !q->done[j] && q->of.node[j].op == q->of.node[k].op &&
            !merge_by_op(ir, q, j, k) && !ir->st)
            merge_by_op(ir, q, k, j);
}

/* Nodes one and other by an op that gives the results of both; false where there is none. */
static bool pair_by_op(agni_ir *ir, agni_source *q, int one, int other)
{
    const agni_pnode *n = &q->of.node[one], *m = &q->of.node[other];
    int first = one < other ? one : other, later = one < other ? other : one;
    int32_t x[AGNI_MOST_ALONG];
    const agni_op *op = n->op->along
                            ? n->op->along(
                                  &(agni_use){n->op, n->at, n->nin, n->nout, q->of.arg + n->arg},
                                  &(agni_use){m->op, m->at, m->nin, m->nout, q->of.arg + m->arg},
                                  agni_source_tensor(&q->of, n->val),
                                  agni_source_tensor(&q->of, m->val), x)
                            : NULL;
    if (!op || !copy_dependencies(ir, q, later, first))
        return false;
    for (int i = 0; i < op->nin; i++)
        x[i] = q->map[x[i]];
    int32_t v = agni_emit_results(ir, op, n->at, op->nin, x, 2);
    agni_rename_results(q, n, v, NULL);
    agni_rename_results(q, m, v < 0 ? v : v + 1, NULL);
    return q->done[one] = q->done[other] = true;
}

void agni_pair_node(agni_ir *ir, agni_source *q, int k)
{
    for (int j = k + 1; q->of.node[k].op->along && j < q->of.n_node && !q->done[k] && !ir->st; j++)
        if (q->live[j] && !q->done[j])
            pair_by_op(ir, q, k, j);
    for (int i = 0; i < q->n_along && !q->done[k] && !ir->st; i++)
        if (q->along[i] > k && !q->done[q->along[i]])
            pair_by_op(ir, q, q->along[i], k);
}
