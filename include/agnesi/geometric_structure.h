/**
 * agnesi/geometric_structure.h - simple graphs, line graphs, and what the shape of a graph tells of
 * its nodes
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Functions that give graphs keep the order of the edges, and say which edges they kept.
 */
#ifndef AGNESI_GEOMETRIC_STRUCTURE_H
#define AGNESI_GEOMETRIC_STRUCTURE_H

#include <agnesi/geometric_graph.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- simpler graphs ----------------------------------------------------------------- */

/**
 * agn_graph_coalesce - parallel edges joined
 *
 * An edge stands where the first of those that it joins stood. Rows of edges are joined by
 * agn_geometric_segment_reduce over ids.
 *
 * @param out  out, to be released
 * @param ids  out, i64 [edges of g], the edge that each became; NULL to skip
 * @param g    a graph
 * @errors     AGN_ENULL, AGN_ENOMEM
 * @grad       none: integers
 * @cost       O(n + e)
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_coalesce(agn_graph **out, agn_tensor **ids,
                                                     const agn_graph *g);

/**
 * agn_graph_undirected - each edge both ways, none twice
 *
 * Edges of g come first, then those the other way round that are new. Parallel edges are joined.
 *
 * @param out    out, to be released
 * @param edges  out, i64 [k], the edge of g that each is, or is the other way round; NULL to skip
 * @param g      a graph whose sources and destinations are the same nodes
 * @errors       AGN_ENULL, AGN_EARG (sources and destinations differ in number), AGN_ENOMEM
 * @grad         none: integers
 * @cost         O(n + e)
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_undirected(agn_graph **out, agn_tensor **edges,
                                                       const agn_graph *g);

/**
 * agn_graph_drop_loops - a graph without edges from a node to itself
 *
 * @param out    out, to be released
 * @param edges  out, i64 [k], which edges of g are kept; NULL to skip
 * @param g      a graph whose sources and destinations are the same nodes
 * @errors       AGN_ENULL, AGN_EARG (sources and destinations differ in number), AGN_ENOMEM
 * @grad         none: integers
 * @cost         O(e)
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_drop_loops(agn_graph **out, agn_tensor **edges,
                                                       const agn_graph *g);

/**
 * agn_graph_line - the graph whose nodes are the edges of another
 *
 * An edge leads from a to b where b begins at the node at which a ends: the triplets k -> j -> i of
 * directional message passing, for which back is false.
 *
 * @param out    out, to be released: its nodes are the edges of g
 * @param nodes  out, i64 [k], the node between; NULL to skip
 * @param g      a graph whose sources and destinations are the same nodes
 * @param back   also where b ends at the node at which a begins
 * @errors       AGN_ENULL, AGN_EARG (sources and destinations differ in number), AGN_ENOMEM
 * @grad         none: integers
 * @cost         O(n + edges of both)
 * @ref          Gasteiger, Gross and Gunnemann 2020
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_line(agn_graph **out, agn_tensor **nodes,
                                                 const agn_graph *g, bool back);

/* ---- adjacency ------------------------------------------------------------------------ */

/**
 * agn_graph_sparse - a graph as a sparse matrix
 *
 * Entry [i, j] is the sum of the weights of the edges from i to j, as the functions of
 * agnesi/sparse_graph.h have it.
 *
 * @param out  out, sparse [n_src, n_dst], AGN_CSR
 * @param g    a graph
 * @param w    in, [e], weights  f32 f64, others by promotion; NULL: 1 each, f64
 * @errors     AGN_ENULL, AGN_ESHAPE (not one weight for each edge), AGN_EDTYPE (complex),
 *             AGN_EUNSUPPORTED (sparse), AGN_ENOMEM
 * @grad       in w
 * @cost       O(e log e)
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_sparse(agn_tensor **out, const agn_graph *g,
                                                   const agn_tensor *w);

/**
 * agn_graph_components - the connected component of each node
 *
 * Components are numbered by their lowest nodes, rising.
 *
 * @param labels  out, i64 [n]
 * @param count   out, number of components; may be NULL
 * @param g       a graph whose sources and destinations are the same nodes
 * @param strong  nodes belong together if each can be reached from the other along edges; else
 *                edges are taken both ways
 * @errors        AGN_ENULL, AGN_EARG (sources and destinations differ in number), AGN_ENOMEM
 * @grad          none: integers
 * @cost          O(n + e log e)
 * @ref           Tarjan 1972
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_components(agn_tensor **labels, int64_t *count,
                                                       const agn_graph *g, bool strong);

/**
 * agn_graph_normalize - weights of edges over the sums of them at their ends
 *
 * With AGN_GRAPH_SRC those that leave a node sum to 1: the chances of a random walk; with
 * AGN_GRAPH_DST those that arrive. With AGN_GRAPH_EDGE a weight is divided by the square roots of
 * the sums that arrive at both ends, as in agn_graph_gcn. A sum that is not above 0 gives 0.
 *
 * @param out   out, [e]
 * @param g     a graph
 * @param w     in, [e], weights  f32 f64, others by promotion; NULL: 1 each, f64
 * @param side  AGN_GRAPH_SRC, AGN_GRAPH_DST or AGN_GRAPH_EDGE
 * @errors      AGN_ENULL, AGN_ESHAPE (not one weight for each edge), AGN_EDTYPE (complex), AGN_EARG
 *              (side; with AGN_GRAPH_EDGE sources and destinations differ in number),
 *              AGN_EUNSUPPORTED (sparse), AGN_EDEVICE, AGN_ENOMEM
 * @grad        in w, where no sum is 0
 * @cost        O(n + e)
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_normalize(agn_tensor **out, const agn_graph *g,
                                                      const agn_tensor *w, int32_t side);

/* ---- what nodes are ----------------------------------------------------------------------- */

/**
 * agn_graph_k_core - how deep in the core of a graph each node is
 *
 * The largest k for which the node is in a part of the graph where each has k neighbours or more.
 * Edges are taken both ways; loops and parallel edges do not count.
 *
 * @param out  out, i64 [n]
 * @param g    a graph whose sources and destinations are the same nodes
 * @errors     AGN_ENULL, AGN_EARG (sources and destinations differ in number), AGN_ENOMEM
 * @grad       none: integers
 * @cost       O(n + e)
 * @ref        Batagelj and Zaversnik 2003
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_k_core(agn_tensor **out, const agn_graph *g);

/**
 * agn_graph_laplacian_encoding - eigenvectors of the Laplacian as coordinates of nodes
 *
 * Those of I - D^-1/2 A D^-1/2 with the smallest eigenvalues but for the first; edges are taken
 * both ways, weights of both directions are added, loops do not count.
 *
 * @param values   out, [k] rising
 * @param vectors  out, [n, k] of norm 1; the entry largest in magnitude is positive
 * @param g        a graph whose sources and destinations are the same nodes
 * @param w        in, [e], weights, not negative  f32 f64, others by promotion; NULL: 1 each, f64
 * @param k        how many, below the number of nodes
 * @errors         AGN_ENULL, AGN_ESHAPE (not one weight for each edge), AGN_EDTYPE (complex),
 *                 AGN_EARG (k; sources and destinations differ in number), AGN_EDOMAIN (weights
 *                 that leave NaN), AGN_ENOCONV, AGN_EUNSUPPORTED (sparse), AGN_ENOMEM
 * @grad           in w; of vectors where their values are simple
 * @cost           that of agn_eigsh
 * @ref            Belkin and Niyogi 2003; Dwivedi et al. 2023
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_laplacian_encoding(agn_tensor **values,
                                                               agn_tensor **vectors,
                                                               const agn_graph *g,
                                                               const agn_tensor *w, int32_t k);

/**
 * agn_graph_random_walk_encoding - chances to be back after 1, 2, ... steps
 *
 * A step takes an edge that leaves a node by its weight over their sum.
 *
 * @param out  out, [n, k]
 * @param g    a graph whose sources and destinations are the same nodes
 * @param w    in, [e], weights  f32 f64, others by promotion; NULL: 1 each, f64
 * @param k    how many steps, 0 or more
 * @errors     AGN_ENULL, AGN_ESHAPE (not one weight for each edge), AGN_EDTYPE (complex), AGN_EARG
 *             (k; sources and destinations differ in number), AGN_EUNSUPPORTED (sparse, a device
 *             other than the host, 2^31 nodes), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in w, where no sum is 0
 * @cost       O(k n e)
 * @ref        Dwivedi et al. 2022
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_random_walk_encoding(agn_tensor **out,
                                                                 const agn_graph *g,
                                                                 const agn_tensor *w, int32_t k);

#ifdef __cplusplus
}
#endif
#endif
