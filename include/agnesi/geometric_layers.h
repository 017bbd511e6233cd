/**
 * agnesi/geometric_layers.h - layers of graph networks as functions of their parameters
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A layer is a composition of messages over a graph and products with weights, with derivatives of
 * any order in every mode, in rows and parameters. Nothing is kept: parameters are arguments. Loops
 * are edges like others: agn_graph_add_loops gives each node one.
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
 * y = D^-1/2 A D^-1/2 x W^T + b, where A[i, j] is the weight of the edges from j to i and D their
 * sum for i; a node whose sum is not above 0 gives and gets nothing.
 *
 * @param out     out, [n, o]
 * @param g       a graph whose sources and destinations are the same nodes
 * @param x       in, [n, f]  f32 f64, others by promotion
 * @param w       in, [e], weights of edges; NULL: 1
 * @param weight  in, [o, f]; NULL: none
 * @param bias    in, [o]; NULL: none
 * @errors        AGN_ENULL, AGN_ESHAPE (names what does not fit), AGN_EDTYPE (complex), AGN_EARG
 *                (sources and destinations differ in number),
 *                AGN_EUNSUPPORTED (sparse), AGN_EDEVICE, AGN_ENOMEM
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
 * @errors        AGN_ENULL, AGN_ESHAPE, AGN_EDTYPE (complex), AGN_EARG (reduce), AGN_EUNSUPPORTED
 *                (sparse), AGN_EDEVICE, AGN_ENOMEM
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
 * @errors     AGN_ENULL, AGN_ESHAPE (rows; eps has axes), AGN_EDTYPE (complex), AGN_EARG (sources
 *             and destinations differ in number),
 *             AGN_EUNSUPPORTED (sparse), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in x and eps
 * @cost       O(e) rows
 * @ref        Xu et al. 2019, How powerful are graph neural networks?
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_gin(agn_tensor **out, const agn_graph *g,
                                                const agn_tensor *x, const agn_tensor *eps);

/**
 * agn_graph_gat - attention whose scores are a sum of one number of each end
 *
 * y[i] = sum of a_k u[src[k]] over the edges k that reach i, a the softmax of leaky_relu(u . s + v
 * . t). Rows of nodes come projected, by heads.
 *
 * @param out    out, [n_dst, heads, f]
 * @param g      a graph
 * @param u      in, [n_src, heads, f]  f32 f64, others by promotion
 * @param v      in, [n_dst, heads, f]; NULL: u, where sources and destinations are the same nodes
 * @param s      in, [heads, f], attention of sources
 * @param t      in, [heads, f], attention of destinations
 * @param slope  of leaky_relu below 0
 * @errors       AGN_ENULL, AGN_ESHAPE (names what does not fit), AGN_EDTYPE (complex),
 *               AGN_EUNSUPPORTED (sparse), AGN_EDEVICE, AGN_ENOMEM
 * @grad         in u, v, s, t
 * @cost         O(e heads f); no number is written for an edge, forward or backward: weights are
 *               made again from three numbers a head and node
 * @ref          Velickovic et al. 2018; Dao et al. 2022
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_gat(agn_tensor **out, const agn_graph *g,
                                                const agn_tensor *u, const agn_tensor *v,
                                                const agn_tensor *s, const agn_tensor *t,
                                                double slope);

/**
 * agn_graph_attention - scaled dot products of queries at destinations and keys at sources
 *
 * y[i] = sum of a_k v[src[k]] over the edges k that reach i, a the softmax of q[i] . k[src[k]] /
 * sqrt(f).
 *
 * @param out     out, [n_dst, heads, h]
 * @param g       a graph
 * @param query   in, [n_dst, heads, f]  f32 f64, others by promotion
 * @param key     in, [n_src, heads, f]
 * @param value   in, [n_src, heads, h]
 * @errors        AGN_ENULL, AGN_ESHAPE (names what does not fit), AGN_EDTYPE (complex),
 *                AGN_EUNSUPPORTED (sparse), AGN_EDEVICE, AGN_ENOMEM
 * @grad          in query, key, value
 * @cost          O(e heads (f + h)); no number is written for an edge, forward or backward
 * @ref           Shi et al. 2021, Masked label prediction
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_attention(agn_tensor **out, const agn_graph *g,
                                                      const agn_tensor *query,
                                                      const agn_tensor *key,
                                                      const agn_tensor *value);

/**
 * agn_graph_gatv2 - attention whose scores are not monotone in either end alone
 *
 * y[i] = sum of a_k u[src[k]] over the edges k that reach i, a the softmax of a .
 * leaky_relu(u[src[k]] + v[i]). Rows of nodes come projected, by heads.
 *
 * @param out    out, [n_dst, heads, f]
 * @param g      a graph
 * @param u      in, [n_src, heads, f]  f32 f64, others by promotion
 * @param v      in, [n_dst, heads, f]; NULL: u, where sources and destinations are the same nodes
 * @param a      in, [heads, f]
 * @param slope  of leaky_relu below 0
 * @errors       AGN_ENULL, AGN_ESHAPE (names what does not fit), AGN_EDTYPE (complex),
 *               AGN_EUNSUPPORTED (sparse), AGN_EDEVICE, AGN_ENOMEM
 * @grad         in u, v, a
 * @cost         O(e heads f); no number is written for an edge, forward or backward
 * @ref          Brody, Alon and Yahav 2022
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_gatv2(agn_tensor **out, const agn_graph *g,
                                                  const agn_tensor *u, const agn_tensor *v,
                                                  const agn_tensor *a, double slope);

/**
 * agn_graph_cheb - Chebyshev polynomials of the Laplacian
 *
 * y = sum of T_k(2 L / largest - I) x W_k^T + b, L = I - D^-1/2 A D^-1/2, as in agn_graph_gcn.
 *
 * @param out      out, [n, o]
 * @param g        a graph whose sources and destinations are the same nodes
 * @param x        in, [n, f]  f32 f64, others by promotion
 * @param w        in, [e], weights of edges; NULL: 1
 * @param weight   in, [terms, o, f]
 * @param bias     in, [o]; NULL: none
 * @param largest  a bound of the eigenvalues of L: 2 is one
 * @errors         AGN_ENULL, AGN_ESHAPE (names what does not fit; no term), AGN_EDTYPE (complex),
 *                 AGN_EDOMAIN (largest is not above 0), AGN_EARG (sources and destinations differ
 *                 in number), AGN_EUNSUPPORTED (sparse), AGN_EDEVICE,
 *                 AGN_ENOMEM
 * @grad           in x, w, weight, bias
 * @cost           O(terms e) rows, O(terms n f o)
 * @ref            Defferrard, Bresson and Vandergheynst 2016
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_cheb(agn_tensor **out, const agn_graph *g,
                                                 const agn_tensor *x, const agn_tensor *w,
                                                 const agn_tensor *weight, const agn_tensor *bias,
                                                 double largest);

/**
 * agn_graph_tag - powers of the normalised adjacency, each times weights of its own
 *
 * y = sum of (D^-1/2 A D^-1/2)^k x W_k^T + b, k from 0 on.
 *
 * @param out     out, [n, o]
 * @param g       a graph whose sources and destinations are the same nodes
 * @param x       in, [n, f]  f32 f64, others by promotion
 * @param w       in, [e], weights of edges; NULL: 1
 * @param weight  in, [terms, o, f]
 * @param bias    in, [o]; NULL: none
 * @errors        AGN_ENULL, AGN_ESHAPE (names what does not fit; no term), AGN_EDTYPE (complex),
 *                AGN_EARG (sources and destinations differ in number),
 *                AGN_EUNSUPPORTED (sparse), AGN_EDEVICE, AGN_ENOMEM
 * @grad          in x, w, weight, bias
 * @cost          O(terms e) rows, O(terms n f o)
 * @ref           Du et al. 2017
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_tag(agn_tensor **out, const agn_graph *g,
                                                const agn_tensor *x, const agn_tensor *w,
                                                const agn_tensor *weight, const agn_tensor *bias);

/**
 * agn_graph_arma - autoregressive moving averages: steps towards a rational function of the adjacency
 *
 * y_1 = relu(P x W_0^T + x V^T + b), y_t = relu(P y_(t-1) W^T + x V^T + b), P = D^-1/2 A D^-1/2;
 * the mean over stacks.
 *
 * @param out     out, [n, o]
 * @param g       a graph whose sources and destinations are the same nodes
 * @param x       in, [n, f]  f32 f64, others by promotion
 * @param w       in, [e], weights of edges; NULL: 1
 * @param first   in, [stacks, o, f], W_0
 * @param weight  in, [stacks, o, o], W; NULL where layers is 1
 * @param root    in, [stacks, o, f], V
 * @param bias    in, [stacks, o]; NULL: none
 * @param layers  steps, 1 or more
 * @errors        AGN_ENULL, AGN_ESHAPE (names what does not fit), AGN_EDTYPE (complex), AGN_EARG
 *                (layers; sources and destinations differ in number),
 *                AGN_EUNSUPPORTED (sparse), AGN_EDEVICE, AGN_ENOMEM
 * @grad          in x, w, first, weight, root, bias
 * @cost          O(layers e stacks o), O(n stacks o (f + layers o))
 * @ref           Bianchi et al. 2021
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_arma(agn_tensor **out, const agn_graph *g,
                                                 const agn_tensor *x, const agn_tensor *w,
                                                 const agn_tensor *first, const agn_tensor *weight,
                                                 const agn_tensor *root, const agn_tensor *bias,
                                                 int32_t layers);

/**
 * agn_graph_rgcn - edges of several types, each with weights of its own
 *
 * y = sum over types r of reduce_r(u) W_r^T, + v W_0^T + b
 *
 * @param out     out, [n_dst, o]
 * @param g       in, the edges of each type as a graph, over the same nodes
 * @param n_g     how many types, 1 or more
 * @param u       in, [n_src, f]  f32 f64, others by promotion
 * @param v       in, [n_dst, h]; NULL: without own rows
 * @param weight  in, [n_g, o, f]
 * @param root    in, [o, h], W_0; NULL where v is
 * @param bias    in, [o]; NULL: none
 * @param reduce  AGN_GEOMETRIC_SUM to AGN_GEOMETRIC_MIN, of each type
 * @errors        AGN_ENULL, AGN_ESHAPE (names what does not fit), AGN_EDTYPE (complex), AGN_EARG
 *                (n_g, reduce; graphs differ in nodes: names them),
 *                AGN_EUNSUPPORTED (sparse), AGN_EDEVICE, AGN_ENOMEM
 * @grad          in u, v, weight, root, bias
 * @cost          O(e) rows of the shorter of f and o (of f for extremes), O(n_g n f o)
 * @ref           Schlichtkrull et al. 2018
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_rgcn(agn_tensor **out, const agn_graph *const *g,
                                                 int32_t n_g, const agn_tensor *u,
                                                 const agn_tensor *v, const agn_tensor *weight,
                                                 const agn_tensor *root, const agn_tensor *bias,
                                                 int32_t reduce);

/**
 * agn_graph_edge_conv - the largest of one dense layer of differences and own rows
 *
 * y[i] = largest of relu(theta (u[src[k]] - v[i]) + phi v[i] + b) over the edges k that reach i, 0
 * where none does. The layer is taken of nodes, no message is written.
 *
 * @param out    out, [n_dst, o]
 * @param g      a graph, of nearest neighbours as a rule
 * @param u      in, [n_src, f]  f32 f64, others by promotion
 * @param v      in, [n_dst, f]; NULL: u, where sources and destinations are the same nodes
 * @param theta  in, [o, f]
 * @param phi    in, [o, f]
 * @param bias   in, [o]; NULL: none
 * @errors       AGN_ENULL, AGN_ESHAPE (names what does not fit), AGN_EDTYPE (complex),
 *               AGN_EUNSUPPORTED (sparse), AGN_EDEVICE, AGN_ENOMEM
 * @grad         in u, v, theta, phi, bias; ties share equally
 * @cost         O(e o), O(n f o)
 * @ref          Wang et al. 2019, Dynamic graph CNN
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_edge_conv(agn_tensor **out, const agn_graph *g,
                                                      const agn_tensor *u, const agn_tensor *v,
                                                      const agn_tensor *theta,
                                                      const agn_tensor *phi,
                                                      const agn_tensor *bias);

/**
 * agn_graph_pna - four reductions, each also scaled by the logarithm of the degree and by its inverse
 *
 * Mean, largest, smallest and standard deviation, side by side; behind them these times t, then
 * these over t, t = log(d + 1) / delta with d the degree, or 1. A dense layer follows as a rule.
 *
 * @param out    out, [n_dst, 12 f]
 * @param g      a graph
 * @param u      in, [n_src, f]  f32 f64, others by promotion
 * @param delta  the mean of log(d + 1) over the nodes of the training graphs
 * @errors       AGN_ENULL, AGN_ESHAPE (names what does not fit), AGN_EDTYPE (complex), AGN_EDOMAIN
 *               (delta is not above 0), AGN_EUNSUPPORTED (sparse),
 *               AGN_EDEVICE, AGN_ENOMEM
 * @grad         in u; of a standard deviation of 0 it is 0
 * @cost         O(e f); differences from the means are written, one row an edge
 * @ref          Corso et al. 2020
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_pna(agn_tensor **out, const agn_graph *g,
                                                const agn_tensor *u, double delta);

/**
 * agn_graph_appnp - rows spread by personalised PageRank
 *
 * z <- (1 - alpha) D^-1/2 A D^-1/2 z + alpha x, from z = x; degrees as agn_graph_gcn has them.
 *
 * @param out    out, [n, f]
 * @param g      a graph whose sources and destinations are the same nodes
 * @param x      in, [n, f]  f32 f64, others by promotion
 * @param w      in, [e], weights; NULL: 1 each
 * @param alpha  in [0, 1], the chance to start anew
 * @param steps  0 or more
 * @errors       AGN_ENULL, AGN_ESHAPE (names what does not fit), AGN_EDTYPE (complex), AGN_EARG
 *               (steps; sources and destinations differ in number), AGN_EDOMAIN (alpha),
 *               AGN_EUNSUPPORTED (sparse), AGN_EDEVICE, AGN_ENOMEM
 * @grad         in x and w
 * @cost         O(steps (n + e) f)
 * @ref          Gasteiger, Bojchevski and Gunnemann 2019
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_appnp(agn_tensor **out, const agn_graph *g,
                                                  const agn_tensor *x, const agn_tensor *w,
                                                  double alpha, int32_t steps);

/**
 * agn_graph_gcn2 - a convolution for deep networks: initial rows come back in, weights are near 1
 *
 * h = (1 - alpha) D^-1/2 A D^-1/2 x + alpha first, y = (1 - beta) h + beta h weight^T.
 *
 * @param out     out, [n, f]
 * @param g       a graph whose sources and destinations are the same nodes
 * @param x       in, [n, f]  f32 f64, others by promotion
 * @param first   in, [n, f]
 * @param w       in, [e], weights; NULL: 1 each
 * @param weight  in, [f, f]
 * @param alpha   in [0, 1]
 * @param beta    in [0, 1]
 * @errors        AGN_ENULL, AGN_ESHAPE (names what does not fit), AGN_EDTYPE (complex), AGN_EARG
 *                (sources and destinations differ in number), AGN_EDOMAIN (alpha, beta),
 *                AGN_EUNSUPPORTED (sparse), AGN_EDEVICE, AGN_ENOMEM
 * @grad          in x, first, w, weight
 * @cost          O(n f^2 + e f)
 * @ref           Chen et al. 2020, GCNII
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_gcn2(agn_tensor **out, const agn_graph *g,
                                                 const agn_tensor *x, const agn_tensor *first,
                                                 const agn_tensor *w, const agn_tensor *weight,
                                                 double alpha, double beta);

/**
 * agn_graph_sgc - a power of the normalised adjacency, then one dense layer
 *
 * y = (D^-1/2 A D^-1/2)^steps x weight^T + bias
 *
 * @param out     out, [n, o]
 * @param g       a graph whose sources and destinations are the same nodes
 * @param x       in, [n, f]  f32 f64, others by promotion
 * @param w       in, [e], weights of edges; NULL: 1
 * @param weight  in, [o, f]
 * @param bias    in, [o]; NULL: none
 * @param steps   0 or more
 * @errors        AGN_ENULL, AGN_ESHAPE (names what does not fit), AGN_EDTYPE (complex), AGN_EARG
 *                (steps; sources and destinations differ in number),
 *                AGN_EUNSUPPORTED (sparse), AGN_EDEVICE, AGN_ENOMEM
 * @grad          in x, w, weight, bias
 * @cost          O(steps e) rows of the shorter of f and o, O(n f o)
 * @ref           Wu et al. 2019, Simplifying graph convolutional networks
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_sgc(agn_tensor **out, const agn_graph *g,
                                                const agn_tensor *x, const agn_tensor *w,
                                                const agn_tensor *weight, const agn_tensor *bias,
                                                int32_t steps);

/**
 * agn_graph_pan - sums over paths of every length up to a bound, each length with a weight
 *
 * y = Z^-1/2 M Z^-1/2 x weight^T + bias, M = sum of coef[l] A^l from l = 0, Z the sums of its rows;
 * a node whose sum is not above 0 gives and gets nothing.
 *
 * @param out     out, [n, o]
 * @param g       a graph whose sources and destinations are the same nodes
 * @param x       in, [n, f]  f32 f64, others by promotion
 * @param coef    in, [l], one number or more
 * @param weight  in, [o, f]
 * @param bias    in, [o]; NULL: none
 * @errors        AGN_ENULL, AGN_ESHAPE (names what does not fit), AGN_EDTYPE (complex), AGN_EARG
 *                (sources and destinations differ in number),
 *                AGN_EUNSUPPORTED (sparse), AGN_EDEVICE, AGN_ENOMEM
 * @grad          in x, coef, weight, bias
 * @cost          O(l e) rows of o, O(n f o)
 * @ref           Ma et al. 2020, Path integral based convolution and pooling
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_pan(agn_tensor **out, const agn_graph *g,
                                                const agn_tensor *x, const agn_tensor *coef,
                                                const agn_tensor *weight, const agn_tensor *bias);

/**
 * agn_graph_leconv - local extremes: a node's own row and its differences from its neighbours'
 *
 * y[i] = x[i] W_1^T + b + sum of w_e (x[i] W_2^T - x[src[e]] W_3^T) over the edges e that reach i
 *
 * @param out   out, [n, o]
 * @param g     a graph whose sources and destinations are the same nodes
 * @param x     in, [n, f]  f32 f64, others by promotion
 * @param w     in, [e], weights of edges; NULL: 1
 * @param w1    in, [o, f]
 * @param w2    in, [o, f]
 * @param w3    in, [o, f]
 * @param bias  in, [o]; NULL: none
 * @errors      AGN_ENULL, AGN_ESHAPE (names what does not fit), AGN_EDTYPE (complex), AGN_EARG
 *              (sources and destinations differ in number),
 *              AGN_EUNSUPPORTED (sparse), AGN_EDEVICE, AGN_ENOMEM
 * @grad        in x, w, the weights, bias
 * @cost        O(e o), O(n f o)
 * @ref         Ranjan, Sanyal and Talukdar 2020 (ASAP)
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_leconv(agn_tensor **out, const agn_graph *g,
                                                   const agn_tensor *x, const agn_tensor *w,
                                                   const agn_tensor *w1, const agn_tensor *w2,
                                                   const agn_tensor *w3, const agn_tensor *bias);

/**
 * agn_graph_gine - sums over neighbours and the rows of their edges
 *
 * y[i] = (1 + eps) x[i] + sum of relu(x[src[e]] + rows[e]) over the edges e that reach i
 *
 * @param out   out, [n, ...]
 * @param g     a graph whose sources and destinations are the same nodes
 * @param x     in, [n, ...]  f32 f64, others by promotion
 * @param rows  in, [e, ...], as long as those of x
 * @param eps   in, []; NULL: 0
 * @errors      AGN_ENULL, AGN_ESHAPE (names what does not fit), AGN_EDTYPE (complex), AGN_EARG
 *              (sources and destinations differ in number),
 *              AGN_EUNSUPPORTED (sparse), AGN_EDEVICE, AGN_ENOMEM
 * @grad        in x, rows, eps
 * @cost        O(e) rows; no array of messages
 * @ref         Hu et al. 2020, Strategies for pre-training graph neural networks
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_gine(agn_tensor **out, const agn_graph *g,
                                                 const agn_tensor *x, const agn_tensor *rows,
                                                 const agn_tensor *eps);

/**
 * agn_graph_res_gated - messages behind a gate of their edge
 *
 * y[i] = sum of sigmoid(key[i] + query[src[e]]) value[src[e]], number by number, over the edges e
 * that reach i. The maps of rows to keys, queries and values, and what is added of the node itself,
 * are dense layers around it.
 *
 * @param out    out, [n_dst, ...]
 * @param g      a graph
 * @param key    in, [n_dst, ...]  f32 f64, others by promotion
 * @param query  in, [n_src, ...], rows as long
 * @param value  in, [n_src, ...], rows as long
 * @errors       AGN_ENULL, AGN_ESHAPE (names what does not fit), AGN_EDTYPE (complex),
 *               AGN_EUNSUPPORTED (sparse), AGN_EDEVICE, AGN_ENOMEM
 * @grad         in key, query, value
 * @cost         O(e) rows; no array of messages
 * @ref          Bresson and Laurent 2017
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_res_gated(agn_tensor **out, const agn_graph *g,
                                                      const agn_tensor *key,
                                                      const agn_tensor *query,
                                                      const agn_tensor *value);

/**
 * agn_graph_gated - sums over neighbours that update the state of a gated recurrent unit
 *
 * From h = x, step k takes m[i] = sum of weights[e] w[k] h[src[e]] over the edges that reach i, then
 * h = GRU(m, h): r, z = sigmoid(W_in m + b_in + W_state h + b_state) in their rows, n = tanh(W_in m
 * + b_in + r (W_state h + b_state)) in its own, h = (1 - z) n + z h. Gates stand in the order reset,
 * update, new.
 *
 * @param out      out, [n, f]
 * @param g        a graph whose sources and destinations are the same nodes
 * @param x        in, [n, f]  f32 f64, others by promotion
 * @param weights  in, [edges]; NULL: 1
 * @param w        in, [steps, f, f]
 * @param w_in     in, [3 f, f]
 * @param w_state  in, [3 f, f]
 * @param b_in     in, [3 f]; NULL: none
 * @param b_state  in, [3 f]; NULL: none
 * @errors         AGN_ENULL, AGN_ESHAPE (names what does not fit), AGN_EDTYPE (complex), AGN_EARG
 *                 (sources and destinations differ in number), AGN_EUNSUPPORTED (sparse),
 *                 AGN_EDEVICE, AGN_ENOMEM
 * @grad           in x, weights, w, w_in, w_state, b_in, b_state
 * @cost           O(steps (e f + n f^2)); no array of messages
 * @ref            Li, Tarlow, Brockschmidt and Zemel 2016
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_gated(
    agn_tensor **out, const agn_graph *g, const agn_tensor *x, const agn_tensor *weights,
    const agn_tensor *w, const agn_tensor *w_in, const agn_tensor *w_state, const agn_tensor *b_in,
    const agn_tensor *b_state);

/**
 * agn_graph_film - messages that the node they reach scales and shifts
 *
 * y[i] = reduce of relu(gamma[i] u[src[e]] + beta[i]), elements by elements, over the edges e that
 * reach i
 *
 * @param out     out, [n_dst, ...]
 * @param g       a graph
 * @param u       in, [n_src, ...]  f32 f64, others by promotion
 * @param gamma   in, [n_dst, ...], rows as long
 * @param beta    in, [n_dst, ...], rows as long
 * @param reduce  AGN_GEOMETRIC_SUM to AGN_GEOMETRIC_MIN
 * @errors        AGN_ENULL, AGN_ESHAPE (names what does not fit), AGN_EDTYPE (complex), AGN_EARG
 *                (reduce), AGN_EUNSUPPORTED (sparse), AGN_EDEVICE, AGN_ENOMEM
 * @grad          in u, gamma, beta
 * @cost          O(e) rows; no array of messages
 * @ref           Brockschmidt 2020
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_film(agn_tensor **out, const agn_graph *g,
                                                 const agn_tensor *u, const agn_tensor *gamma,
                                                 const agn_tensor *beta, int32_t reduce);

/**
 * agn_graph_supergat - attention that a product of both ends gates
 *
 * y[i] = sum of a_k u[src[k]] over the edges k that reach i, a the softmax of leaky_relu((u . s +
 * v . t) sigmoid(u . v)). The scores, one for each edge and head, are written.
 *
 * @param out    out, [n_dst, heads, f]
 * @param g      a graph
 * @param u      in, [n_src, heads, f]  f32 f64, others by promotion
 * @param v      in, [n_dst, heads, f]; NULL: u, where sources and destinations are the same nodes
 * @param s      in, [heads, f]
 * @param t      in, [heads, f]
 * @param slope  of leaky_relu below 0
 * @errors       AGN_ENULL, AGN_ESHAPE (names what does not fit), AGN_EDTYPE (complex),
 *               AGN_EUNSUPPORTED (sparse), AGN_EDEVICE, AGN_ENOMEM
 * @grad         in u, v, s, t
 * @cost         O(e heads f)
 * @ref          Kim and Oh 2021 (MX)
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_supergat(agn_tensor **out, const agn_graph *g,
                                                     const agn_tensor *u, const agn_tensor *v,
                                                     const agn_tensor *s, const agn_tensor *t,
                                                     double slope);

/**
 * agn_graph_hypergraph - convolution over edges that join any number of nodes
 *
 * y = D^-1 H W B^-1 H^T x weight^T + bias: the mean of the nodes of each hyperedge, then of each
 * node the mean of its hyperedges, weighed by w. D is the sum of the weights that meet a node; one
 * whose sum is 0 gets the bias alone.
 *
 * @param out     out, [n, o]
 * @param g       a graph from nodes to the hyperedges that have them
 * @param x       in, [n, f]  f32 f64, others by promotion
 * @param w       in, [hyperedges], their weights; NULL: 1
 * @param weight  in, [o, f]; NULL: none
 * @param bias    in, [o]; NULL: none
 * @errors        AGN_ENULL, AGN_ESHAPE (names what does not fit), AGN_EDTYPE (complex),
 *                AGN_EUNSUPPORTED (sparse), AGN_EDEVICE, AGN_ENOMEM
 * @grad          in x, w, weight, bias
 * @cost          O(e) rows of the shorter of f and o, O(n f o)
 * @ref           Feng et al. 2019; Bai, Zhang and Torr 2021
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_hypergraph(agn_tensor **out, const agn_graph *g,
                                                       const agn_tensor *x, const agn_tensor *w,
                                                       const agn_tensor *weight,
                                                       const agn_tensor *bias);

/**
 * agn_graph_hgt - attention over edges of several types at once
 *
 * y[i] = sum of a_k value_r[src[k]] over the edges k of all types r that reach i, a the softmax of
 * prior[r] query[i] . key_r[src[k]] / sqrt(f) over all of them. Rows come projected, by type and
 * head; types have sources of their own and destinations in common.
 *
 * @param out    out, [n_dst, heads, h]
 * @param g      in, the edges of each type as a graph
 * @param n_g    how many types, 1 or more
 * @param query  in, [n_dst, heads, f]  f32 f64, others by promotion
 * @param key    in, for each type [n_src of it, heads, f]
 * @param value  in, for each type [n_src of it, heads, h]
 * @param prior  in, [n_g, heads]; NULL: 1
 * @errors       AGN_ENULL, AGN_ESHAPE (names what does not fit), AGN_EDTYPE (complex), AGN_EARG
 *               (n_g; destinations differ in number), AGN_EUNSUPPORTED (sparse), AGN_EDEVICE,
 *               AGN_ENOMEM
 * @grad         in query, key, value, prior
 * @cost         O(e heads (f + h)); two numbers for each node and head are kept
 * @ref          Hu, Dong, Wang and Sun 2020
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_hgt(agn_tensor **out, const agn_graph *const *g,
                                                int32_t n_g, const agn_tensor *query,
                                                const agn_tensor *const *key,
                                                const agn_tensor *const *value,
                                                const agn_tensor *prior);

/**
 * agn_geometric_semantic_attention - rows of several views of the same nodes, weighed by view
 *
 * y = sum over r of a_r x_r, a the softmax of the means over nodes of q . tanh(x_r weight^T +
 * bias). With agn_graph_gat over the graphs of several metapaths it is HAN.
 *
 * @param out     out, [n, f]
 * @param x       in, [views, n, f]  f32 f64, others by promotion
 * @param weight  in, [h, f]
 * @param bias    in, [h]; NULL: none
 * @param q       in, [h]
 * @errors        AGN_ENULL, AGN_ESHAPE (names what does not fit), AGN_EDTYPE (complex),
 *                AGN_EUNSUPPORTED (sparse), AGN_EDEVICE, AGN_ENOMEM
 * @grad          everywhere
 * @cost          O(views n f h)
 * @ref           Wang et al. 2019, Heterogeneous graph attention network
 */
AGN_API AGN_MUST_CHECK agn_status agn_geometric_semantic_attention(agn_tensor **out,
                                                                   const agn_tensor *x,
                                                                   const agn_tensor *weight,
                                                                   const agn_tensor *bias,
                                                                   const agn_tensor *q);

#ifdef __cplusplus
}
#endif
#endif
