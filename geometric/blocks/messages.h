/* geometric/blocks/messages.h - messages that are programs of rows, for other rooms. */
#ifndef AGNI_GRAPH_BLOCK_MESSAGES_H
#define AGNI_GRAPH_BLOCK_MESSAGES_H

#include "geometric/blocks/edge_blocks.h"
#include "geometric/message/message.h"

enum { AGNI_MESSAGE_ROWS = 5, AGNI_MESSAGE_RESULTS = 2 }; /* most operands, most results */

/* targets of messages by AGN_GEOMETRIC_SUM ... */
enum { AGNI_MEAN = AGNI_SMALLEST + 1 };
static const int64_t agni_reduction_targets[AGNI_GEOMETRIC_REDUCTIONS] = {
    AGN_GRAPH_DST, AGNI_MEAN, AGNI_LARGEST, AGNI_SMALLEST};

/* A body of rows in[n] at side[n], whose results stand at target[n_out]: see edge_blocks.h, or
   AGNI_MEAN. */
typedef struct agni_messages {
    const agn_graph *g;
    agni_c_body body;
    int n, n_out;
    const agn_tensor *in[AGNI_MESSAGE_ROWS];
    int64_t side[AGNI_MESSAGE_ROWS], target[AGNI_MESSAGE_RESULTS];
} agni_messages;
/* By blocks of edges; where the body may look at several edges at once, draws, or has results that
   are not summed, over rows of all edges. */
void agni_run_messages(agn_scope *s, const agni_messages *m, const agn_tensor **out);
/* rows of the nodes where an edge begins or ends, a row for each edge */
const agn_tensor *agni_gather_ends(agn_scope *s, const agn_graph *g, const agn_tensor *x,
                                   int64_t side);

/* Attention over the edges that reach a node: rows [n_src, heads, h] weighed by the softmax of the
   sums over the last axis of weight leaky_relu(far + near), or of far near where weight is NULL.
   far [n_src, heads, f], near [n_dst, heads, f], weight [heads, f], all f32 or all f64. 0 where no
   edge ends. */
typedef struct agni_edge_scores {
    const agn_graph *g;
    const agn_tensor *far, *near, *rows, *weight;
    double slope;
} agni_edge_scores;
const agn_tensor *agni_block_attention(agn_scope *s, const agni_edge_scores *q);

#endif
