/* geometric/blocks/messages.h - functions of the caller's as messages, for other rooms. */
#ifndef AGNI_GRAPH_BLOCK_MESSAGES_H
#define AGNI_GRAPH_BLOCK_MESSAGES_H

#include "geometric/blocks/edge_blocks.h"
#include "geometric/message/message.h"

enum { AGNI_MESSAGE_ROWS = 4 }; /* most operands, most results */

/* f of rows in[n] at side[n], its results reduced at destinations */
typedef struct agni_messages {
    const agn_graph *g;
    const agn_fn *f;
    int n;
    const agn_tensor *in[AGNI_MESSAGE_ROWS];
    int64_t side[AGNI_MESSAGE_ROWS];
    int32_t reduce;
} agni_messages;
/* False where f may look at several edges at once, draws, or has results of other dtypes: nothing was done. */
bool agni_block_messages(agn_scope *s, const agni_messages *m, const agn_tensor **out);

/* Attention over the edges that reach a node: rows [n_src, heads, h] weighed by the softmax of the sums over the last axis of
   weight leaky_relu(far + near), or of far near where weight is NULL. far [n_src, heads, f], near [n_dst, heads, f],
   weight [heads, f], all f32 or all f64. 0 where no edge ends. */
typedef struct agni_edge_scores {
    const agn_graph *g;
    const agn_tensor *far, *near, *rows, *weight;
    double slope;
} agni_edge_scores;
const agn_tensor *agni_block_attention(agn_scope *s, const agni_edge_scores *q);

#endif
