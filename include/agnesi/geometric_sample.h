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
 * Without replacement, in the order of the edges. With weights, edges are drawn one after the other,
 * each with a probability that is its weight over those that are left; one of weight 0 is never drawn.
 * What is drawn for the node at place i of the list depends on the key and on i.
 *
 * @param neighbors  out, i64 [k], where the drawn edges begin: those of the first node, then those of
 *                   the second, and so on
 * @param counts     out, i64 [n], how many each node has
 * @param edges      out, i64 [k], which edges they are; NULL to skip
 * @param g          a graph
 * @param nodes      in, [n], an integer dtype, destinations of g
 * @param most       edges of one node at most; below 0: all
 * @param weights    in, [edges of g]  real, not negative; NULL: all alike
 * @param key        in, a key; NULL where most is below 0
 * @errors           AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE, AGN_EINDEX (a node out of range: names its place),
 *                   AGN_EDOMAIN (names the edge whose weight is negative or not finite), AGN_EUNSUPPORTED
 *                   (sparse), AGN_EDEVICE, AGN_ESYMBOLIC (no values while tracing), AGN_ENOMEM
 * @grad             none: integers
 * @cost             O(k most) without weights or O(edges of a node), O(edges of a node times log) with
 * @ref              Floyd, in Bentley 1987; Efraimidis and Spirakis 2006 (weights)
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_sample_neighbors(
    agn_tensor **neighbors, agn_tensor **counts, agn_tensor **edges, const agn_graph *g,
    const agn_tensor *nodes, int64_t most, const agn_tensor *weights, const agn_tensor *key);

/**
 * agn_graph_sample_khop - the sampled neighbourhood of some nodes over several hops
 *
 * The first hop draws edges that reach the seeds, each other hop edges that reach the nodes that the one
 * before met first. The result numbers the seeds 0, 1, ... in their order and then every other node as it
 * is met: sampled edge j goes from src[j] to dst[j], node i was called nodes[i].
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
 * Each step takes one of the edges that leave a node, all alike, or as node2vec does: an edge back to
 * where the walk came from has weight 1/p, one to a node that an edge from there reaches 1, others 1/q.
 *
 * @param out    out, i64 [n, length + 1], the nodes of each walk, its start first; -1 behind a node that
 *               no edge leaves
 * @param g      a graph whose sources and destinations are the same nodes
 * @param start  in, [n], an integer dtype
 * @param length steps, 0 or more
 * @param p      above 0: large values avoid steps back
 * @param q      above 0: large values stay near; p = q = 1: all edges alike
 * @param key    in, a key
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE, AGN_EINDEX (a start out of range: names its place),
 *               AGN_EARG (length below 0; sources and destinations differ in number), AGN_EDOMAIN (p or q
 *               not above 0, or not finite), AGN_EUNSUPPORTED (sparse), AGN_EDEVICE, AGN_ESYMBOLIC,
 *               AGN_ENOMEM
 * @grad         none: integers
 * @cost         O(n length); with p or q other than 1 the edges of a node for each step
 * @ref          Grover and Leskovec 2016, by rejection
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_random_walk(agn_tensor **out, const agn_graph *g,
                                                        const agn_tensor *start, int64_t length,
                                                        double p, double q, const agn_tensor *key);

#ifdef __cplusplus
}
#endif
#endif
