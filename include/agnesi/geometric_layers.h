/**
 * agnesi/geometric_layers.h - layers of graph networks as functions of their parameters
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A layer is a composition of messages over a graph and products with weights, with derivatives of any
 * order in every mode, in rows and parameters. Nothing is kept: parameters are arguments. Loops are
 * edges like others: agn_graph_add_loops gives each node one.
 */
#ifndef AGNESI_GEOMETRIC_LAYERS_H
#define AGNESI_GEOMETRIC_LAYERS_H

#include <agnesi/geometric_graph.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * agn_graph_add_loops - the same graph with an edge from each node to itself
 *
 * The edges keep their numbers; loops of nodes that have none follow, by node.
 *
 * @param out  out, to be released
 * @param g    a graph whose sources and destinations are the same nodes
 * @errors     AGN_ENULL, AGN_EARG (sources and destinations differ in number), AGN_ENOMEM
 * @grad       none: integers
 * @cost       O(n + e)
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_add_loops(agn_graph **out, const agn_graph *g);

/**
 * agn_graph_gcn - graph convolution: sums over neighbours, weighed by degrees
 *
 * y = D^-1/2 A D^-1/2 x W^T + b, where A[i, j] is the weight of the edges from j to i and D their sum for i;
 * a node whose sum is not above 0 gives and gets nothing.
 *
 * @param out     out, [n, o]
 * @param g       a graph whose sources and destinations are the same nodes
 * @param x       in, [n, f]  f32 f64, others by promotion
 * @param w       in, [e], weights of edges; NULL: 1
 * @param weight  in, [o, f]; NULL: none
 * @param bias    in, [o]; NULL: none
 * @errors        AGN_ENULL, AGN_ESHAPE (names what does not fit), AGN_EDTYPE (complex), AGN_EARG (sources
 *                and destinations differ in number), AGN_EUNSUPPORTED (sparse, a device other than the
 *                host), AGN_EDEVICE, AGN_ENOMEM
 * @grad          in x, w, weight, bias
 * @cost          O(e) rows of the shorter of f and o, O(n f o)
 * @ref           Kipf and Welling 2017
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_gcn(agn_tensor **out, const agn_graph *g,
                                                const agn_tensor *x, const agn_tensor *w,
                                                const agn_tensor *weight, const agn_tensor *bias);

/**
 * agn_graph_sage - a node's own row and its neighbours', each times weights of its own
 *
 * y = reduce(u) W_u^T + v W_v^T + b
 *
 * @param out     out, [n_dst, o]
 * @param g       a graph
 * @param u       in, [n_src, f]  f32 f64, others by promotion
 * @param v       in, [n_dst, h]; NULL: without own rows
 * @param w_u     in, [o, f]
 * @param w_v     in, [o, h]; NULL where v is
 * @param bias    in, [o]; NULL: none
 * @param reduce  AGN_GEOMETRIC_SUM to AGN_GEOMETRIC_MIN
 * @errors        AGN_ENULL, AGN_ESHAPE, AGN_EDTYPE (complex), AGN_EARG (reduce), AGN_EUNSUPPORTED (sparse, a
 *                device other than the host), AGN_EDEVICE, AGN_ENOMEM
 * @grad          in rows, weights, bias
 * @cost          O(e f), O(n o (f + h))
 * @ref           Hamilton, Ying and Leskovec 2017
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_sage(agn_tensor **out, const agn_graph *g,
                                                 const agn_tensor *u, const agn_tensor *v,
                                                 const agn_tensor *w_u, const agn_tensor *w_v,
                                                 const agn_tensor *bias, int32_t reduce);

/**
 * agn_graph_gin - a node's own row times 1 + eps, and the sum of its neighbours'
 *
 * @param out  out, [n, ...]
 * @param g    a graph whose sources and destinations are the same nodes
 * @param x    in, [n, ...]  f32 f64, others by promotion
 * @param eps  in, []: what a parameter may be; NULL: 0
 * @errors     AGN_ENULL, AGN_ESHAPE (rows; eps has axes), AGN_EDTYPE (complex), AGN_EARG (sources and
 *             destinations differ in number), AGN_EUNSUPPORTED (sparse, a device other than the host),
 *             AGN_EDEVICE, AGN_ENOMEM
 * @grad       in x and eps
 * @cost       O(e) rows
 * @ref        Xu et al. 2019, How powerful are graph neural networks?
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_gin(agn_tensor **out, const agn_graph *g,
                                                const agn_tensor *x, const agn_tensor *eps);

/**
 * agn_graph_gat - attention whose scores are a sum of one number of each end
 *
 * y[i] = sum of a_k u[src[k]] over the edges k that reach i, a the softmax of leaky_relu(u . s + v . t). Rows of
 * nodes come projected, by heads.
 *
 * @param out    out, [n_dst, heads, f]
 * @param g      a graph
 * @param u      in, [n_src, heads, f]  f32 f64, others by promotion
 * @param v      in, [n_dst, heads, f]; NULL: u, where sources and destinations are the same nodes
 * @param s      in, [heads, f], attention of sources
 * @param t      in, [heads, f], attention of destinations
 * @param slope  of leaky_relu below 0
 * @errors       AGN_ENULL, AGN_ESHAPE (names what does not fit), AGN_EDTYPE (complex), AGN_EUNSUPPORTED
 *               (sparse, a device other than the host), AGN_EDEVICE, AGN_ENOMEM
 * @grad         in u, v, s, t
 * @cost         O(e heads f); two numbers a head and edge are written
 * @ref          Velickovic et al. 2018
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_gat(agn_tensor **out, const agn_graph *g,
                                                const agn_tensor *u, const agn_tensor *v,
                                                const agn_tensor *s, const agn_tensor *t,
                                                double slope);

/**
 * agn_graph_attention - scaled dot products of queries at destinations and keys at sources
 *
 * y[i] = sum of a_k v[src[k]] over the edges k that reach i, a the softmax of q[i] . k[src[k]] / sqrt(f).
 *
 * @param out     out, [n_dst, heads, h]
 * @param g       a graph
 * @param query   in, [n_dst, heads, f]  f32 f64, others by promotion
 * @param key     in, [n_src, heads, f]
 * @param value   in, [n_src, heads, h]
 * @errors        AGN_ENULL, AGN_ESHAPE (names what does not fit), AGN_EDTYPE (complex), AGN_EUNSUPPORTED
 *                (sparse, a device other than the host), AGN_EDEVICE, AGN_ENOMEM
 * @grad          in query, key, value
 * @cost          O(e heads (f + h)); two numbers a head and edge are written
 * @ref           Shi et al. 2021, Masked label prediction
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_attention(agn_tensor **out, const agn_graph *g,
                                                      const agn_tensor *query,
                                                      const agn_tensor *key,
                                                      const agn_tensor *value);

#ifdef __cplusplus
}
#endif
#endif
