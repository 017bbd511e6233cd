/* graph/passes/cse.c - common subexpression elimination by hash-consing (Ershov 1958): equal
   applications of an op are one node. */
#include "graph/passes/ir.h"

#include <string.h>

bool agni_has_attributes(const agni_attr *at)
{
    return at && (at->ni || at->nf || at->obj);
}

static bool same_attributes(const agni_attr *a, const agni_attr *b)
{
    return agni_has_attributes(a) == agni_has_attributes(b) &&
           (!agni_has_attributes(a) || agni_attr_equal(a, b));
}

typedef struct application {
    const agni_op *op;
    const agni_attr *at;
    int32_t nin, nout;
    const int32_t *arg;
} application;

static uint64_t hash_application(const agni_op *op, const agni_attr *at, int nin,
                                 const int32_t *arg)
{
    uint64_t h = agni_hash_pointer((uint64_t)nin, op);
    for (int i = 0; i < nin; i++)
        h = agni_hash_word(h, (uint64_t)arg[i]);
    for (int i = 0; at && i < at->ni; i++)
        h = agni_hash_word(h, (uint64_t)at->i[i]);
    return h;
}

static uint64_t hash_node(const void *items, int32_t k)
{
    const agni_ir *ir = items;
    const agni_pnode *q = &ir->node[k];
    return hash_application(q->op, q->at, q->nin, ir->arg + q->arg);
}

static bool node_applies(const void *items, int32_t k, const void *key)
{
    const agni_ir *ir = items;
    const agni_pnode *q = &ir->node[k];
    const application *a = key;
    return q->op == a->op && q->nin == a->nin && q->nout == a->nout &&
           same_attributes(q->at, a->at) &&
           (!a->nin || !memcmp(ir->arg + q->arg, a->arg, (size_t)a->nin * sizeof *a->arg));
}

bool agni_cse_reserve(agni_ir *ir)
{
    if (!ir->shares || agni_hash_index_reserve(&ir->applications, ir->n_node + 1, hash_node, ir))
        return true;
    ir->st = agni_nomem("compile", (size_t)ir->n_node * sizeof(agni_hash_slot));
    return false;
}

int32_t agni_cse_find(const agni_ir *ir, const agni_op *op, const agni_attr *at, int nin,
                      const int32_t *arg, int nout)
{
    const application a = {op, at, nin, nout, arg};
    return ir->shares ? agni_hash_index_find(&ir->applications, hash_application(op, at, nin, arg),
                                             node_applies, ir, &a)
                      : -1;
}

void agni_cse_add(agni_ir *ir, int32_t k)
{
    if (ir->shares)
        agni_hash_index_add(&ir->applications, hash_node(ir, k), k);
}
