/**
 * agnesi/geometric_sample.h - samples of a graph: neighbours, hops, walks
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Draws depend on the key and on what they are for, never on threads: the same key gives the same
 * sample. Sizes of results depend on values, so that nothing here can be traced.
 */
#ifndef AGNESI_GEOMETRIC_SAMPLE_H
#define AGNESI_GEOMETRIC_SAMPLE_H

#include <agnesi/geometric_graph.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * agn_graph_sample_neighbors - some of the edges that reach each of a list of nodes
 *
 * Without replacement, in the order of the edges. With weights, edges are drawn one after the
 * other, each with a probability that is its weight over those that are left; one of weight 0 is
 * never drawn. What is drawn for the node at place i of the list depends on the key and on i.
 *
 * @param neighbors  out, i64 [k], where the drawn edges begin: those of the first node, then those
 *                   of the second, and so on
 * @param counts     out, i64 [n], how many each node has
 * @param edges      out, i64 [k], which edges they are; NULL to skip
 * @param g          a graph
 * @param nodes      in, [n], an integer dtype, destinations of g
 * @param most       edges of one node at most; below 0: all
 * @param weights    in, [edges of g]  real, not negative; NULL: all alike
 * @param key        in, a key; NULL where most is below 0
 * @errors           AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE, AGN_EINDEX (a node out of range: names its
 *                   place), AGN_EDOMAIN (names the edge whose weight is negative or not finite),
 *                   AGN_EUNSUPPORTED (sparse), AGN_EDEVICE, AGN_ESYMBOLIC (no values while
 *                   tracing), AGN_ENOMEM
 * @grad             none: integers
 * @cost             O(k most) without weights or O(edges of a node), O(edges of a node times log)
 *                   with
 * @ref              Floyd, in Bentley 1987; Efraimidis and Spirakis 2006 (weights)
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_sample_neighbors(
    agn_tensor **neighbors, agn_tensor **counts, agn_tensor **edges, const agn_graph *g,
    const agn_tensor *nodes, int64_t most, const agn_tensor *weights, const agn_tensor *key);

/**
 * agn_graph_sample_khop - the sampled neighbourhood of some nodes over several hops
 *
 * The first hop draws edges that reach the seeds, each other hop edges that reach the nodes that
 * the one before met first. The result numbers the seeds 0, 1, ... in their order and then every
 * other node as it is met: sampled edge j goes from src[j] to dst[j], node i was called nodes[i].
 *
 * @param src    out, i64 [k]
 * @param dst    out, i64 [k]
 * @param nodes  out, i64 [m]
 * @param edges  out, i64 [k], which edges of g they are; NULL to skip
 * @param g      a graph whose sources and destinations are the same nodes
 * @param seeds  in, [n], an integer dtype, each node once
 * @param most   in, for each hop: edges of one node at most; below 0: all
 * @param n_most number of hops
 * @param key    in, a key
 * @errors       those of agn_graph_sample_neighbors; AGN_EARG (a seed twice: names both places; a
 *               number of hops below 0; sources and destinations differ in number)
 * @grad         none: integers
 * @cost         that of the hops
 * @ref          Hamilton, Ying and Leskovec 2017
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_sample_khop(
    agn_tensor **src, agn_tensor **dst, agn_tensor **nodes, agn_tensor **edges, const agn_graph *g,
    const agn_tensor *seeds, const int64_t *most, int32_t n_most, const agn_tensor *key);

/**
 * agn_graph_random_walk - walks along the edges from some nodes
 *
 * Each step takes one of the edges that leave a node, all alike, or as node2vec does: an edge back
 * to where the walk came from has weight 1/p, one to a node that an edge from there reaches 1,
 * others 1/q.
 *
 * @param out    out, i64 [n, length + 1], the nodes of each walk, its start first; -1 behind a node
 *               that no edge leaves
 * @param g      a graph whose sources and destinations are the same nodes
 * @param start  in, [n], an integer dtype
 * @param length steps, 0 or more
 * @param p      above 0: large values avoid steps back
 * @param q      above 0: large values stay near; p = q = 1: all edges alike
 * @param key    in, a key
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE, AGN_EINDEX (a start out of range: names its
 *               place), AGN_EARG (length below 0; sources and destinations differ in number),
 *               AGN_EDOMAIN (p or q not above 0, or not finite), AGN_EUNSUPPORTED (sparse),
 *               AGN_EDEVICE, AGN_ESYMBOLIC, AGN_ENOMEM
 * @grad         none: integers
 * @cost         O(n length); with p or q other than 1 the edges of a node for each step
 * @ref          Grover and Leskovec 2016, by rejection
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_random_walk(agn_tensor **out, const agn_graph *g,
                                                        const agn_tensor *start, int64_t length,
                                                        double p, double q, const agn_tensor *key);

/**
 * agn_graph_sample_khop_weighted - the sampled neighbourhood over several hops, drawn by weights of edges
 *
 * As agn_graph_sample_khop, with the weights of agn_graph_sample_neighbors: a bias by types or
 * features of edges.
 *
 * @param src     out, i64 [k]
 * @param dst     out, i64 [k]
 * @param nodes   out, i64 [m]
 * @param edges   out, i64 [k], which edges of g they are; NULL to skip
 * @param g       a graph whose sources and destinations are the same nodes
 * @param seeds   in, [n], an integer dtype, each node once
 * @param most    in, for each hop: edges of one node at most; below 0: all that have weight
 * @param n_most  number of hops
 * @param weights in, [edges of g]  real, not negative
 * @param key     in, a key
 * @errors        those of agn_graph_sample_khop; AGN_EDOMAIN (names the edge whose weight is
 *                negative or not finite)
 * @grad          none: integers
 * @cost          that of the hops
 * @ref           Hamilton, Ying and Leskovec 2017
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_sample_khop_weighted(
    agn_tensor **src, agn_tensor **dst, agn_tensor **nodes, agn_tensor **edges, const agn_graph *g,
    const agn_tensor *seeds, const int64_t *most, int32_t n_most, const agn_tensor *weights,
    const agn_tensor *key);

/**
 * agn_graph_sample_temporal - some of the edges that reached each of a list of nodes by a time
 *
 * Of the edges whose time is not after that of the list's entry: all alike, or the latest ones; of
 * equal times the edge of higher number is the later one. In the order of the edges.
 *
 * @param neighbors   out, i64 [k], where the drawn edges begin
 * @param counts      out, i64 [n], how many each node has
 * @param edges       out, i64 [k], which edges they are; NULL to skip
 * @param g           a graph
 * @param nodes       in, [n], an integer dtype, destinations of g
 * @param times       in, [n]  real, no NaN
 * @param edge_times  in, [edges of g]  real, no NaN
 * @param most        edges of one node at most; below 0: all
 * @param key         in, a key; NULL: the latest ones
 * @errors            AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE, AGN_EINDEX (a node out of range: names its
 *                    place), AGN_EDOMAIN (names the time that is NaN), AGN_EUNSUPPORTED (sparse),
 *                    AGN_EDEVICE, AGN_ESYMBOLIC, AGN_ENOMEM
 * @grad              none: integers
 * @cost              O(edges of the nodes)
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_sample_temporal(
    agn_tensor **neighbors, agn_tensor **counts, agn_tensor **edges, const agn_graph *g,
    const agn_tensor *nodes, const agn_tensor *times, const agn_tensor *edge_times, int64_t most,
    const agn_tensor *key);

/**
 * agn_graph_sample_heter - the sampled neighbourhood over several hops, of nodes and edges of several types
 *
 * Graph r leads from nodes of type from[r] to nodes of type to[r]. Each hop draws, for each graph,
 * edges that reach the nodes of type to[r] that the hop before met first. Nodes of each type are
 * numbered as they are met, seeds first.
 *
 * @param src    out, n_g tensors i64, sampled edges of each graph: numbers of sources
 * @param dst    out, n_g tensors i64: numbers of destinations
 * @param nodes  out, n_seeds tensors i64, names of the nodes of each type
 * @param g      in, n_g graphs
 * @param from   in, n_g types
 * @param to     in, n_g types
 * @param n_g    how many graphs, 0 or more
 * @param seeds  in, n_seeds tensors, an integer dtype, nodes of each type, each once; NULL: none of
 *               that type
 * @param n_seeds how many types of nodes, 1 or more
 * @param most   in, hops rows of n_g: edges of one node at most; below 0: all
 * @param hops   how many, 0 or more
 * @param key    in, a key
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE, AGN_EINDEX (a seed out of range: names its
 *               place), AGN_EARG (n_g, n_seeds, hops; a type out of range; a seed twice; a type has
 *               other numbers of nodes in two graphs: names them), AGN_EUNSUPPORTED (sparse),
 *               AGN_EDEVICE, AGN_ESYMBOLIC, AGN_ENOMEM
 * @grad         none: integers
 * @cost         O(nodes) and that of the hops
 * @ref          Hu et al. 2020
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_sample_heter(
    agn_tensor *src[], agn_tensor *dst[], agn_tensor *nodes[], const agn_graph *const *g,
    const int32_t *from, const int32_t *to, int32_t n_g, const agn_tensor *const *seeds,
    int32_t n_seeds, const int64_t *most, int32_t hops, const agn_tensor *key);

/**
 * agn_graph_sample_negative - pairs of nodes that no edge joins
 *
 * Each of the pairs that are no edges is as likely as any other, and may come again.
 *
 * @param src    out, i64 [count]
 * @param dst    out, i64 [count]
 * @param g      a graph
 * @param count  how many, 0 or more
 * @param loops  whether a node may be paired with itself
 * @param key    in, a key
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (key), AGN_EARG (count), AGN_EDOMAIN (every pair
 *               is an edge), AGN_EUNSUPPORTED (sparse, 2^62 pairs), AGN_EDEVICE, AGN_ESYMBOLIC,
 *               AGN_ENOMEM
 * @grad         none: integers
 * @cost         O(n + e log e + count (log n + edges of a node))
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_sample_negative(agn_tensor **src, agn_tensor **dst,
                                                            const agn_graph *g, int64_t count,
                                                            bool loops, const agn_tensor *key);

/** How agn_graph_sample_saint draws. */
enum {
    AGN_SAINT_NODE = 0, /* nodes, by the number of edges that arrive */
    AGN_SAINT_EDGE = 1, /* both ends of edges, by the sum of the inverse degrees of the ends */
    AGN_SAINT_WALK = 2  /* random walks from nodes that are all alike */
};

/**
 * agn_graph_sample_saint - the nodes of a sampled subgraph
 *
 * agn_graph_subgraph gives the edges between them.
 *
 * @param nodes   out, i64 [m], each node once, rising
 * @param g       a graph whose sources and destinations are the same nodes
 * @param how     AGN_SAINT_NODE to AGN_SAINT_WALK
 * @param count   draws of nodes, edges or walks, with replacement, 0 or more
 * @param length  steps of a walk, 0 or more
 * @param key     in, a key
 * @errors        AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (key), AGN_EARG (how, count, length; sources and
 *                destinations differ in number), AGN_EDOMAIN (draws of a graph without nodes or, by
 *                edges, without edges), AGN_EUNSUPPORTED (sparse), AGN_EDEVICE, AGN_ESYMBOLIC,
 *                AGN_ENOMEM
 * @grad          none: integers
 * @cost          O(n + e + count (log e + length))
 * @ref           Zeng et al. 2020, GraphSAINT
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_sample_saint(agn_tensor **nodes, const agn_graph *g,
                                                         int32_t how, int64_t count, int64_t length,
                                                         const agn_tensor *key);

/**
 * agn_graph_saint_weights - by how much samples of agn_graph_sample_saint have to be weighed
 *
 * Sums over many samples become those over the graph: rows of losses are weighed by the inverse of
 * how often their node is in a sample, messages by how often their destination is over how often
 * their edge is. Both are estimated by samples; what none of them has gets 0.
 *
 * @param nodes    out, f64 [n]: samples over those that have the node
 * @param edges    out, f64 [edges of g]: samples that have the destination over those that have the
 *                 edge
 * @param g        a graph whose sources and destinations are the same nodes
 * @param how      AGN_SAINT_NODE to AGN_SAINT_WALK
 * @param count    as agn_graph_sample_saint has it
 * @param length   likewise
 * @param samples  how many to estimate by, 0 or more
 * @param key      in, a key; each sample has one of its own under it
 * @errors         those of agn_graph_sample_saint; AGN_EARG (samples below 0)
 * @grad           none: constants
 * @cost           samples times that of agn_graph_sample_saint and O(e)
 * @ref            Zeng et al. 2020, GraphSAINT
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_saint_weights(agn_tensor **nodes, agn_tensor **edges,
                                                          const agn_graph *g, int32_t how,
                                                          int64_t count, int64_t length,
                                                          int64_t samples, const agn_tensor *key);

/**
 * agn_graph_sample_visits - for each of a list of nodes those that short walks from it visit most
 *
 * Walks take edges that leave a node, all alike, and end early with a probability after each step.
 * The start itself is not counted. The most visited come first, of equal ones the lower number.
 *
 * @param neighbors  out, i64 [k], those of the first node, then those of the second, and so on
 * @param counts     out, i64 [n], how many each node has
 * @param visits     out, i64 [k], how often each was visited; NULL to skip
 * @param g          a graph whose sources and destinations are the same nodes
 * @param nodes      in, [n], an integer dtype
 * @param walks      from each node, 0 or more
 * @param length     steps of a walk at most, 0 or more
 * @param stop       in [0, 1], the probability that a walk ends after a step
 * @param most       neighbours of one node at most; below 0: all
 * @param key        in, a key
 * @errors           AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE, AGN_EINDEX (a node out of range: names its
 *                   place), AGN_EARG (walks, length; sources and destinations differ in number),
 *                   AGN_EDOMAIN (stop), AGN_EUNSUPPORTED (sparse), AGN_EDEVICE, AGN_ESYMBOLIC,
 *                   AGN_ENOMEM
 * @grad             none: integers
 * @cost             O(n walks length log)
 * @ref              Ying et al. 2018, PinSAGE
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_sample_visits(agn_tensor **neighbors,
                                                          agn_tensor **counts, agn_tensor **visits,
                                                          const agn_graph *g,
                                                          const agn_tensor *nodes, int64_t walks,
                                                          int64_t length, double stop, int64_t most,
                                                          const agn_tensor *key);

/**
 * agn_graph_sample_shared - edges that reach a list of nodes, drawn so that few sources are met
 *
 * Each source has one uniform number for the whole list; an edge to a node that d edges reach is
 * drawn where that of its source is below mean / d. A node has so many edges in the mean, all of
 * them where it has no more, and its edges are drawn independently of each other.
 *
 * @param neighbors  out, i64 [k], where the drawn edges begin: those of the first node and so on
 * @param counts     out, i64 [n], how many each node has
 * @param edges      out, i64 [k], which edges they are, rising for a node; NULL to skip
 * @param g          a graph
 * @param nodes      in, [n], an integer dtype, destinations of g
 * @param mean       edges of one node in the mean, 0 or more
 * @param key        in, a key
 * @errors           AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE, AGN_EINDEX (a node out of range: names its
 *                   place), AGN_EDOMAIN (mean), AGN_EUNSUPPORTED (sparse), AGN_EDEVICE,
 *                   AGN_ESYMBOLIC, AGN_ENOMEM
 * @grad             none: integers
 * @cost             O(edges of the nodes)
 * @ref              Balin and Catalyurek 2023, LABOR-0
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_sample_shared(agn_tensor **neighbors,
                                                          agn_tensor **counts, agn_tensor **edges,
                                                          const agn_graph *g,
                                                          const agn_tensor *nodes, double mean,
                                                          const agn_tensor *key);

/**
 * agn_graph_sample_cluster - the nodes of some parts of a graph, drawn without replacement
 *
 * @param nodes  out, i64 [m], rising
 * @param ids    in, [n], an integer dtype, the part of each node, in [0, parts), as of
 *               agn_graph_partition
 * @param parts  how many parts there are
 * @param count  how many of them are drawn, 0 to parts
 * @param key    in, a key
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (ids, key), AGN_EARG (parts below 0, count),
 *               AGN_EINDEX (an id out of range: names its place), AGN_EUNSUPPORTED (sparse),
 *               AGN_EDEVICE, AGN_ESYMBOLIC, AGN_ENOMEM
 * @grad         none: integers
 * @cost         O(n + parts)
 * @ref          Chiang et al. 2019, Cluster-GCN
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_sample_cluster(agn_tensor **nodes,
                                                           const agn_tensor *ids, int64_t parts,
                                                           int64_t count, const agn_tensor *key);

#ifdef __cplusplus
}
#endif
#endif
