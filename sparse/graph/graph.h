/* sparse/graph/graph.h - the edges of a square sparse matrix, for the graph algorithms. */
#ifndef AGNI_SPARSE_GRAPH_H
#define AGNI_SPARSE_GRAPH_H

#include "sparse/pattern/pattern.h"

#include <agnesi/sparse_graph.h>

/* A square sparse matrix as edges, and room for integers. */
typedef struct agni_edges {
    const char *op;
    const agni_csr *c;
    int64_t n;
    const int64_t *to, *begin; /* of node i: to[begin[i]] to to[begin[i + 1] - 1] */
    const int64_t *of, *start; /* the edges that lead to a node, where both */
    int64_t *room;             /* arrays of n + 1 each */
    agn_tensor *rows;          /* a by compressed rows, where it was not */
} agni_edges;

/* both: with the edges that lead to a node; arrays: of n + 1 integers, zero */
agn_status agni_edges_open(agni_edges *g, const char *op, const agn_tensor *a, bool both,
                           int arrays);
void agni_edges_close(agni_edges *g);
/* array number k of the room */
static inline int64_t *agni_edges_room(const agni_edges *g, int k)
{
    return g->room + k * (g->n + 1);
}
agn_status agni_edges_ints(agn_tensor **out, const agni_edges *g, int64_t n, const int64_t *v);
/* the same within a scope */
const agn_tensor *agni_edges_indices(agn_scope *s, const agni_edges *g, int64_t n,
                                     const int64_t *v);
/* values with a zero behind them, from which what has no edge is gathered */
const agn_tensor *agni_append_zero(agn_scope *s, const agn_tensor *v);
/* the weights in f64, to be released; no batch, AGN_EDTYPE where complex */
agn_status agni_edges_weights(agn_tensor **out, const agni_edges *g);

/* the lowest node of a set, of which each knows a lower one; paths are halved (Tarjan 1975) */
static inline int64_t agni_find_root(int64_t *up, int64_t i)
{
    for (; up[i] != i; i = up[i])
        up[i] = up[up[i]];
    return i;
}

#endif
