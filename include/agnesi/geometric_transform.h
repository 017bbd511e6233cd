/**
 * agnesi/geometric_transform.h - graphs from graphs
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each gives a new graph. Edges keep their order, and a tensor says where the features of edges go.
 */
#ifndef AGNESI_GEOMETRIC_TRANSFORM_H
#define AGNESI_GEOMETRIC_TRANSFORM_H

#include <agnesi/geometric_graph.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * agn_graph_batch - many graphs as one, without edges between them
 *
 * Nodes and edges of the first graph come first, then those of the second, and so on: rows of
 * features are joined by agn_concat. Segments of ids reduce over the nodes of each graph.
 *
 * @param out  out, to be released
 * @param ids  out, i64 [n_dst of all], the graph of each destination; NULL to skip
 * @param g    in, n_g graphs
 * @param n_g  their number, 0 or more
 * @errors     AGN_ENULL (names the graph), AGN_EARG (n_g below 0), AGN_ENOMEM
 * @grad       none: integers
 * @cost       O(n + e)
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_batch(agn_graph **out, agn_tensor **ids,
                                                  const agn_graph *const *g, int32_t n_g);

/**
 * agn_graph_split - the edges of each type as a graph of its own, over the same nodes
 *
 * @param out    out, n_out graphs to be released; all or none are written
 * @param n_out  how many types
 * @param g      a graph
 * @param types  in, [e], an integer dtype, in [0, n_out)
 * @errors       AGN_ENULL, AGN_ESHAPE (not one type for each edge), AGN_EDTYPE, AGN_EARG (n_out
 *               below 0), AGN_EINDEX (names the edge whose type is out of range), AGN_EUNSUPPORTED
 *               (sparse), AGN_EDEVICE, AGN_ESYMBOLIC, AGN_ENOMEM
 * @grad         none: integers
 * @cost         O(n_out + e)
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_split(agn_graph *out[], int32_t n_out,
                                                  const agn_graph *g, const agn_tensor *types);

/**
 * agn_graph_subgraph - some nodes and the edges between them
 *
 * @param out    out, to be released; node i of it is nodes[i]
 * @param edges  out, i64 [k], which edges of g are kept; NULL to skip
 * @param g      a graph whose sources and destinations are the same nodes
 * @param nodes  in, [m], an integer dtype, each node once
 * @errors       AGN_ENULL, AGN_ESHAPE, AGN_EDTYPE, AGN_EINDEX (a node out of range: names its
 *               place), AGN_EARG (a node twice: names both places; sources and destinations differ
 *               in number), AGN_EUNSUPPORTED (sparse), AGN_EDEVICE, AGN_ESYMBOLIC, AGN_ENOMEM
 * @grad         none: integers
 * @cost         O(n + e)
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_subgraph(agn_graph **out, agn_tensor **edges,
                                                     const agn_graph *g, const agn_tensor *nodes);

/**
 * agn_graph_drop_edges - a graph without some of its edges, drawn by a key
 *
 * @param out    out, to be released; the nodes are those of g
 * @param edges  out, i64 [k], which edges of g are kept; NULL to skip
 * @param g      a graph
 * @param p      the probability that an edge is dropped, each on its own
 * @param key    in, a key
 * @errors       AGN_ENULL, AGN_EDOMAIN (p is not in [0, 1]), AGN_EDTYPE, AGN_ESHAPE (key),
 *               AGN_EUNSUPPORTED (sparse), AGN_EDEVICE, AGN_ESYMBOLIC, AGN_ENOMEM
 * @grad         none: integers
 * @cost         O(e)
 * @ref          Rong et al. 2020, DropEdge
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_drop_edges(agn_graph **out, agn_tensor **edges,
                                                       const agn_graph *g, double p,
                                                       const agn_tensor *key);

/**
 * agn_graph_compose - edges where a path of two leads, one of each graph
 *
 * Of a graph with itself the nodes two hops away; of graphs of several types a metapath.
 *
 * @param out    out, to be released: sources of g, destinations of h, each pair once, in the order
 *               of the edges of g, then those of h
 * @param paths  out, i64 [edges of out], how many paths each is; NULL to skip
 * @param g      a graph
 * @param h      a graph whose sources are the destinations of g
 * @errors       AGN_ENULL, AGN_EARG (numbers of nodes between differ), AGN_ENOMEM
 * @grad         none: integers
 * @cost         O(n + paths)
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_compose(agn_graph **out, agn_tensor **paths,
                                                    const agn_graph *g, const agn_graph *h);

/**
 * agn_graph_edge_subgraph - some edges and the nodes that they touch
 *
 * Of all edges: the graph without nodes that have none.
 *
 * @param out    out, to be released; edge i of it is edges[i], node i nodes[i]
 * @param nodes  out, i64 [m], rising
 * @param g      a graph whose sources and destinations are the same nodes
 * @param edges  in, [k], an integer dtype, also some of them twice; NULL: all
 * @errors       AGN_ENULL, AGN_ESHAPE, AGN_EDTYPE, AGN_EINDEX (an edge out of range: names its
 *               place), AGN_EARG (sources and destinations differ in number), AGN_EUNSUPPORTED
 *               (sparse), AGN_EDEVICE, AGN_ESYMBOLIC, AGN_ENOMEM
 * @grad         none: integers
 * @cost         O(n + k)
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_edge_subgraph(agn_graph **out, agn_tensor **nodes,
                                                          const agn_graph *g,
                                                          const agn_tensor *edges);

/**
 * agn_graph_reverse - each edge the other way round
 *
 * @param out  out, to be released
 * @param g    a graph
 * @errors     AGN_ENULL, AGN_ENOMEM
 * @grad       none: integers
 * @cost       O(e)
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_reverse(agn_graph **out, const agn_graph *g);

/**
 * agn_graph_join - edges of several types that end at the same nodes, as one graph
 *
 * Sources stand side by side, those of g[0] first, and edges too.
 *
 * @param out  out, to be released
 * @param g    in, the graphs
 * @param n_g  how many, 1 or more
 * @errors     AGN_ENULL, AGN_EARG (n_g; destinations differ in number), AGN_ENOMEM
 * @grad       none: integers
 * @cost       O(e)
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_join(agn_graph **out, const agn_graph *const *g,
                                                 int32_t n_g);

/**
 * agn_graph_complete - every pair of nodes with the same id
 *
 * Edges come by destination, then by source. agn_graph_attention over it is attention of each graph
 * of a batch to itself.
 *
 * @param out    out, to be released
 * @param ids    in, [n], an integer dtype, 0 or more
 * @param loops  whether nodes are paired with themselves
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (not one axis), AGN_EINDEX (an id below 0: names
 *               its place), AGN_EUNSUPPORTED (sparse), AGN_EDEVICE, AGN_ESYMBOLIC, AGN_ENOMEM
 * @grad         none: integers
 * @cost         O(n + e)
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_complete(agn_graph **out, const agn_tensor *ids,
                                                     bool loops);

#ifdef __cplusplus
}
#endif
#endif
