/* graph/passes/dead_code.c - dead code elimination (Aho, Lam, Sethi & Ullman 2006, 8.5): what no
   result needs is not live, and a rewrite emits live nodes alone. */
#include "graph/passes/source.h"

/* A node lives whose results are read, and its arguments are read then. */
void agni_mark_live(agni_source *q)
{
    for (int i = 0; i < q->of.n_out; i++)
        q->read[q->of.out[i]] = true;
    for (int k = q->of.n_node - 1; k >= 0; k--) {
        const agni_pnode *n = &q->of.node[k];
        for (int o = 0; o < n->nout; o++)
            q->live[k] |= q->read[n->val + o];
        for (int i = 0; q->live[k] && i < n->nin; i++)
            q->read[q->of.arg[n->arg + i]] = true;
    }
}
