/**
 * agnesi/geometric_graph.h - graphs as values, and message passing over them
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A graph is directed, and may have loops and parallel edges. Edge k goes from src[k] to dst[k];
 * features of nodes and edges are rows of tensors. Sources and destinations may be of two kinds (a
 * bipartite graph). What is found on demand, the edges of each node, is kept with the graph. A
 * graph never changes, is checked once, and may be shared by threads.
 *
 * No function here writes a message for each edge unless that is its result, forward or backward.
 * Sums are taken in the order of the edges by one thread, so that bits do not depend on the number
 * of threads.
 */
#ifndef AGNESI_GEOMETRIC_GRAPH_H
#define AGNESI_GEOMETRIC_GRAPH_H

#include <agnesi/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A graph. */
typedef struct agn_graph agn_graph;

/** Where the rows of a tensor stand. */
enum {
    AGN_GRAPH_SRC = 0, /* at the nodes where edges begin */
    AGN_GRAPH_DST = 1, /* at the nodes where they end */
    AGN_GRAPH_EDGE = 2
};

/** What an edge makes of its two operands. */
enum {
    AGN_MESSAGE_COPY = 0, /* the first one */
    AGN_MESSAGE_ADD = 1,
    AGN_MESSAGE_SUB = 2,
    AGN_MESSAGE_MUL = 3,
    AGN_MESSAGE_DIV = 4,
    AGN_MESSAGE_DOT = 5 /* the product, summed over the last axis of features; of edges alone */
};

/** What a node makes of the messages that reach it; 0 where none does. */
enum {
    AGN_GEOMETRIC_SUM = 0,
    AGN_GEOMETRIC_MEAN = 1,
    AGN_GEOMETRIC_MAX = 2,
    AGN_GEOMETRIC_MIN = 3
};

/* ---- making a graph ------------------------------------------------------------- */

/**
 * agn_graph_from_edges - a graph from the ends of its edges
 *
 * @param out    out, to be released
 * @param src    in, [e], an integer dtype; copied
 * @param dst    in, [e], an integer dtype; copied
 * @param n_src  nodes where edges begin; 0 or less: as many as are named
 * @param n_dst  nodes where edges end; 0 or less: as many as n_src, or as are named if those are
 *               more
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (not 1-D, lengths differ), AGN_EINDEX (names edge
 *               and node), AGN_EUNSUPPORTED (sparse), AGN_EDEVICE, AGN_ESYMBOLIC (no values while
 *               tracing), AGN_ENOMEM
 * @grad         none: integers
 * @cost         O(e)
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_from_edges(agn_graph **out, const agn_tensor *src,
                                                       const agn_tensor *dst, int64_t n_src,
                                                       int64_t n_dst);

/**
 * agn_graph_from_compressed - a graph from compressed rows or columns
 *
 * The edges of node i of one side are indptr[i] <= k < indptr[i + 1], and have the node index[k] at
 * their other end. With AGN_GRAPH_DST these are the colptr and row of Paddle: the neighbours that
 * reach i.
 *
 * @param out      out, to be released
 * @param indptr   in, [n + 1], an integer dtype; copied
 * @param index    in, [e], an integer dtype; copied
 * @param n_other  nodes of the other side; 0 or less: n, or as many as are named if those are more
 * @param side     AGN_GRAPH_SRC or AGN_GRAPH_DST: whose nodes indptr counts
 * @errors         AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE, AGN_EARG (side; indptr does not ascend from 0
 *                 to e), AGN_EINDEX (names edge and node), AGN_EUNSUPPORTED (sparse), AGN_EDEVICE,
 *                 AGN_ESYMBOLIC, AGN_ENOMEM
 * @grad           none: integers
 * @cost           O(n + e)
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_from_compressed(agn_graph **out,
                                                            const agn_tensor *indptr,
                                                            const agn_tensor *index,
                                                            int64_t n_other, int32_t side);

/**
 * agn_graph_retain - a new reference to a graph
 *
 * @param g  NULL gives NULL
 * @return   g
 */
AGN_API agn_graph *agn_graph_retain(const agn_graph *g);

/**
 * agn_graph_release - drop a reference to a graph
 *
 * @param g  NULL is allowed
 */
AGN_API void agn_graph_release(agn_graph *g);

/* ---- facts -------------------------------------------------------------------------- */

/**
 * agn_graph_size - numbers of nodes and edges
 *
 * @param n_src  out, NULL to skip
 * @param n_dst  out, NULL to skip
 * @param edges  out, NULL to skip
 * @param g      a graph
 * @errors       AGN_ENULL
 * @cost         O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_size(int64_t *n_src, int64_t *n_dst, int64_t *edges,
                                                 const agn_graph *g);

/**
 * agn_graph_edges - where edges begin and end, in their order
 *
 * @param src  out, i32 or i64 [e], read-only: the graph's own
 * @param dst  out, i32 or i64 [e], read-only
 * @param g    a graph
 * @errors     AGN_ENULL, AGN_ENOMEM
 * @grad       none: integers
 * @cost       O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_edges(agn_tensor **src, agn_tensor **dst,
                                                  const agn_graph *g);

/**
 * agn_graph_incidence - the edges of each node of a side
 *
 * Those of node i are edge[k] for indptr[i] <= k < indptr[i + 1], ascending; other[k] is the node
 * at their other end.
 *
 * @param indptr  out, i32 or i64 [n + 1], read-only: the graph's own
 * @param other   out, i32 or i64 [e], read-only
 * @param edge    out, i32 or i64 [e], read-only
 * @param g       a graph
 * @param side    AGN_GRAPH_SRC or AGN_GRAPH_DST
 * @errors        AGN_ENULL, AGN_EARG (side), AGN_ENOMEM
 * @grad          none: integers
 * @cost          O(n + e) the first time, then O(1), or O(e) for edges that come in order
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_incidence(agn_tensor **indptr, agn_tensor **other,
                                                      agn_tensor **edge, const agn_graph *g,
                                                      int32_t side);

/**
 * agn_graph_degrees - how many edges each node of a side has
 *
 * @param out   out, i64 [n]
 * @param g     a graph
 * @param side  AGN_GRAPH_SRC: edges that leave, AGN_GRAPH_DST: edges that arrive
 * @errors      AGN_ENULL, AGN_EARG (side), AGN_ENOMEM
 * @grad        none: integers
 * @cost        O(n + e)
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_degrees(agn_tensor **out, const agn_graph *g,
                                                    int32_t side);

/* ---- messages ------------------------------------------------------------------------ */

/**
 * agn_graph_gspmm - messages of sources and edges, reduced at destinations
 *
 * y[d] combines f(u[src[k]], e[k]) over the edges k with dst[k] = d; axes of features, those behind
 * the first, broadcast from the last. Without e (NULL) a message is u[src[k]], without u it is
 * e[k]; message is then AGN_MESSAGE_COPY.
 *
 * @param out      out, [n_dst, ...]
 * @param g        a graph
 * @param u        in, [n_src, ...]  i32 i64 f32 f64, others by promotion; NULL: edges alone
 * @param e        in, [edges, ...]; NULL: sources alone
 * @param message  AGN_MESSAGE_COPY to AGN_MESSAGE_DIV; quotients and means of integers are f64
 * @param reduce   AGN_GEOMETRIC_SUM to AGN_GEOMETRIC_MIN
 * @errors         AGN_ENULL, AGN_ESHAPE (rows, or features that do not broadcast), AGN_EDTYPE
 *                 (complex), AGN_EARG (message, reduce, both of u and e or none), AGN_EUNSUPPORTED
 *                 (sparse), AGN_EDEVICE, AGN_ENOMEM
 * @grad           in u and e; ties of an extreme share equally
 * @cost           O(edges) rows, memory of arguments and result
 * @ref            Wang et al. 2019, Deep Graph Library
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_gspmm(agn_tensor **out, const agn_graph *g,
                                                  const agn_tensor *u, const agn_tensor *e,
                                                  int32_t message, int32_t reduce);

/**
 * agn_graph_gsddmm - a row for each edge, from rows at its ends or its own
 *
 * @param out      out, [edges, ...]; the last axis is 1 for AGN_MESSAGE_DOT
 * @param g        a graph
 * @param a        in, [n of side_a, ...]  i32 i64 f32 f64, others by promotion
 * @param side_a   AGN_GRAPH_SRC, AGN_GRAPH_DST or AGN_GRAPH_EDGE
 * @param b        in, [n of side_b, ...]; NULL for AGN_MESSAGE_COPY
 * @param side_b   as side_a
 * @param message  AGN_MESSAGE_COPY to AGN_MESSAGE_DOT
 * @errors         AGN_ENULL, AGN_ESHAPE (rows, features that do not broadcast, none to sum over),
 *                 AGN_EDTYPE (complex), AGN_EARG (sides, message),
 *                 AGN_EUNSUPPORTED (sparse), AGN_EDEVICE, AGN_ENOMEM
 * @grad           in a and b
 * @cost           O(edges) rows
 * @ref            Wang et al. 2019, Deep Graph Library
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_gsddmm(agn_tensor **out, const agn_graph *g,
                                                   const agn_tensor *a, int32_t side_a,
                                                   const agn_tensor *b, int32_t side_b,
                                                   int32_t message);

/**
 * agn_graph_edge_softmax - exponentials over their sums, of the edges of each node
 *
 * @param out   out, as x
 * @param g     a graph
 * @param x     in, [edges, ...]  f32 f64, others by promotion; -inf is an edge that is absent
 * @param side  AGN_GRAPH_DST: sums over the edges that reach a node, AGN_GRAPH_SRC: that leave it
 * @errors      AGN_ENULL, AGN_ESHAPE (rows), AGN_EDTYPE (complex), AGN_EARG (side),
 *              AGN_EUNSUPPORTED (sparse), AGN_EDEVICE, AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(edges) rows
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_edge_softmax(agn_tensor **out, const agn_graph *g,
                                                         const agn_tensor *x, int32_t side);

#ifdef __cplusplus
}
#endif
#endif
