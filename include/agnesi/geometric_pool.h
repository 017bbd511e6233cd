/**
 * agnesi/geometric_pool.h - rows of nodes pooled: by the best scores, by attention, set to set, by
 * clusters
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sums, means and extremes over the nodes of each graph of a batch are segments:
 * agn_geometric_segment_reduce. What is chosen depends on values, so that choices cannot be traced;
 * rows that are gathered by them can be.
 */
#ifndef AGNESI_GEOMETRIC_POOL_H
#define AGNESI_GEOMETRIC_POOL_H

#include <agnesi/geometric_graph.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the best nodes -------------------------------------------------------------------- */

/**
 * agn_geometric_segment_topk - the rows of each segment that have the largest scores
 *
 * Of n rows ceil(ratio n), segment after segment, the largest score first; of equal ones the lower
 * row.
 *
 * @param out    out, i64 [k], which rows
 * @param score  in, [n]  real, no NaN
 * @param ids    in, [n], an integer dtype, 0 or more; NULL: one segment
 * @param ratio  in (0, 1]
 * @errors       AGN_ENULL, AGN_ESHAPE (score has not one axis, not an id for each), AGN_EDTYPE
 *               (complex; ids that are no integers), AGN_EINDEX (an id below 0: names its place),
 *               AGN_EDOMAIN (ratio; names the row whose score is NaN), AGN_EUNSUPPORTED (sparse),
 *               AGN_EDEVICE, AGN_ESYMBOLIC, AGN_ENOMEM
 * @grad         none: integers
 * @cost         O(n log n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_geometric_segment_topk(agn_tensor **out,
                                                             const agn_tensor *score,
                                                             const agn_tensor *ids, double ratio);

/**
 * agn_graph_top_k_score - how far each row goes along a direction: x w / |w|
 *
 * @param out  out, [n]
 * @param x    in, [n, f]  f32 f64, others by promotion
 * @param w    in, [f], not 0
 * @errors     AGN_ENULL, AGN_ESHAPE (names what does not fit), AGN_EDTYPE (complex),
 *             AGN_EUNSUPPORTED (sparse), AGN_ENOMEM
 * @grad       in x and w
 * @cost       O(n f)
 * @ref        Gao and Ji 2019
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_top_k_score(agn_tensor **out, const agn_tensor *x,
                                                        const agn_tensor *w);

/**
 * agn_graph_sag_score - scores of nodes by a graph convolution
 *
 * agn_graph_gcn with one output.
 *
 * @param out     out, [n]
 * @param g       a graph whose sources and destinations are the same nodes
 * @param x       in, [n, f]  f32 f64, others by promotion
 * @param w       in, [f]
 * @param bias    in, []; NULL: none
 * @errors        AGN_ENULL, AGN_ESHAPE (names what does not fit), AGN_EDTYPE (complex), AGN_EARG
 *                (sources and destinations differ in number),
 *                AGN_EUNSUPPORTED (sparse), AGN_EDEVICE, AGN_ENOMEM
 * @grad          in x, w, bias
 * @cost          O(n f + e)
 * @ref           Lee, Lee and Kang 2019
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_sag_score(agn_tensor **out, const agn_graph *g,
                                                      const agn_tensor *x, const agn_tensor *w,
                                                      const agn_tensor *bias);

/**
 * agn_graph_gate_rows - chosen rows times the hyperbolic tangent of their scores
 *
 * By it a choice has a slope in its scores: x[nodes] tanh(score[nodes]).
 *
 * @param out    out, [k, ...]
 * @param x      in, [n, ...]  f32 f64, others by promotion
 * @param score  in, [n]
 * @param nodes  in, [k], an integer dtype, as of agn_geometric_segment_topk
 * @errors       AGN_ENULL, AGN_ESHAPE (names what does not fit), AGN_EDTYPE (complex; nodes are no
 *               integers), AGN_EINDEX, AGN_EUNSUPPORTED (sparse), AGN_ENOMEM
 * @grad         in x and score
 * @cost         O(size of out)
 * @ref          Gao and Ji 2019
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_gate_rows(agn_tensor **out, const agn_tensor *x,
                                                      const agn_tensor *score,
                                                      const agn_tensor *nodes);

/* ---- all nodes ------------------------------------------------------------------------- */

/**
 * agn_geometric_attention_pool - sums of the rows of each segment, weighed by a softmax of scores
 *
 * 0 where there are none.
 *
 * @param out       out, [segments, ...]
 * @param x         in, [n, ...]  f32 f64, others by promotion
 * @param score     in, [n]
 * @param ids       in, [n], an integer dtype, in [0, segments)
 * @param segments  rows of the result; 0 or less: one more than the largest of ids
 * @errors          AGN_ENULL, AGN_ESHAPE (not a row or a score for each id), AGN_EDTYPE (complex;
 *                  ids that are no integers), AGN_EINDEX (names the row as an edge),
 *                  AGN_EUNSUPPORTED (sparse), AGN_EDEVICE,
 *                  AGN_ESYMBOLIC (ids while tracing), AGN_ENOMEM
 * @grad            in x and score
 * @cost            O(n) rows
 * @ref             Li et al. 2016
 */
AGN_API AGN_MUST_CHECK agn_status agn_geometric_attention_pool(agn_tensor **out,
                                                               const agn_tensor *x,
                                                               const agn_tensor *score,
                                                               const agn_tensor *ids,
                                                               int64_t segments);

/**
 * agn_geometric_set2set - rows of each segment read several times by a network with a memory
 *
 * q = LSTM([q, r]), r = sum of softmax(x . q) x over the rows of a segment; from q = r = 0. Gates
 * stand in the order input, forget, cell, output.
 *
 * @param out       out, [segments, 2 f]: q and r side by side
 * @param x         in, [n, f]  f32 f64, others by promotion
 * @param ids       in, [n], an integer dtype, in [0, segments)
 * @param segments  rows of the result; 0 or less: one more than the largest of ids
 * @param w_in      in, [4 f, 2 f]
 * @param w_state   in, [4 f, f]
 * @param bias      in, [4 f]; NULL: none
 * @param steps     0 or more
 * @errors          AGN_ENULL, AGN_ESHAPE (names what does not fit), AGN_EDTYPE (complex; ids that
 *                  are no integers), AGN_EARG (steps), AGN_EINDEX (names the row as an edge),
 *                  AGN_EUNSUPPORTED (sparse), AGN_EDEVICE,
 *                  AGN_ESYMBOLIC (ids while tracing), AGN_ENOMEM
 * @grad            in x, w_in, w_state, bias
 * @cost            O(steps (n f + segments f^2))
 * @ref             Vinyals, Bengio and Kudlur 2016
 */
AGN_API AGN_MUST_CHECK agn_status agn_geometric_set2set(agn_tensor **out, const agn_tensor *x,
                                                        const agn_tensor *ids, int64_t segments,
                                                        const agn_tensor *w_in,
                                                        const agn_tensor *w_state,
                                                        const agn_tensor *bias, int32_t steps);

/**
 * agn_geometric_segment_lstm - the last state of an LSTM along the rows of each segment
 *
 * Rows are read in their order, from a state and a memory of 0. Gates stand in the order input,
 * forget, cell, output. A segment without rows gets 0.
 *
 * @param out       out, [segments, o]
 * @param x         in, [n, f]  f32 f64, others by promotion
 * @param ids       in, [n], an integer dtype, in [0, segments)
 * @param segments  rows of the result; 0 or less: one more than the largest of ids
 * @param w_in      in, [4 o, f]
 * @param w_state   in, [4 o, o]
 * @param bias      in, [4 o]; NULL: none
 * @errors          AGN_ENULL, AGN_ESHAPE (names what does not fit), AGN_EDTYPE (complex; ids that
 *                  are no integers), AGN_EINDEX (names the row as an edge), AGN_EUNSUPPORTED
 *                  (sparse), AGN_EDEVICE, AGN_ESYMBOLIC (ids while tracing), AGN_ENOMEM
 * @grad            in x, w_in, w_state, bias
 * @cost            O(n f o), O(segments longest o^2): all segments take as many steps as the longest
 * @ref             Hamilton, Ying and Leskovec 2017
 */
AGN_API AGN_MUST_CHECK agn_status agn_geometric_segment_lstm(agn_tensor **out, const agn_tensor *x,
                                                             const agn_tensor *ids,
                                                             int64_t segments,
                                                             const agn_tensor *w_in,
                                                             const agn_tensor *w_state,
                                                             const agn_tensor *bias);

/**
 * agn_geometric_segment_gru - the last state of a gated recurrent unit along the rows of each
 * segment
 *
 * As agn_geometric_segment_lstm(), with gates as in agn_graph_gated().
 *
 * @param out       out, [segments, o]
 * @param x         in, [n, f]  f32 f64, others by promotion
 * @param ids       in, [n], an integer dtype, in [0, segments)
 * @param segments  rows of the result; 0 or less: one more than the largest of ids
 * @param w_in      in, [3 o, f]
 * @param w_state   in, [3 o, o]
 * @param b_in      in, [3 o]; NULL: none
 * @param b_state   in, [3 o]; NULL: none
 * @errors          as for agn_geometric_segment_lstm()
 * @grad            in x, w_in, w_state, b_in, b_state
 * @cost            as of agn_geometric_segment_lstm()
 * @ref             Cho et al. 2014
 */
AGN_API AGN_MUST_CHECK agn_status agn_geometric_segment_gru(
    agn_tensor **out, const agn_tensor *x, const agn_tensor *ids, int64_t segments,
    const agn_tensor *w_in, const agn_tensor *w_state, const agn_tensor *b_in,
    const agn_tensor *b_state);

/* ---- clusters ------------------------------------------------------------------------------- */

/**
 * agn_graph_match - nodes in pairs along heavy edges
 *
 * Nodes come in order, or in an order that a key draws: each one that is alone is joined with the
 * neighbour that is alone and to which edges of the largest weight lead, if there is one. Edges are
 * taken both ways.
 *
 * @param ids    out, i64 [n], the pair of each node, numbered by their lowest nodes
 * @param count  out, how many pairs and single nodes; may be NULL
 * @param g      a graph whose sources and destinations are the same nodes
 * @param w      in, [e], weights  real, no NaN; NULL: 1 each
 * @param key    in, a key; NULL: in order
 * @errors       AGN_ENULL, AGN_ESHAPE (not one weight for each edge; key), AGN_EDTYPE, AGN_EARG
 *               (sources and destinations differ in number), AGN_EDOMAIN (names the edge whose
 *               weight is NaN), AGN_EUNSUPPORTED (sparse), AGN_EDEVICE, AGN_ESYMBOLIC, AGN_ENOMEM
 * @grad         none: integers
 * @cost         O(n + e)
 * @ref          Dhillon, Guan and Kulis 2007, Graclus
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_match(agn_tensor **ids, int64_t *count,
                                                  const agn_graph *g, const agn_tensor *w,
                                                  const agn_tensor *key);

/**
 * agn_graph_partition - nodes in parts of about equal number, with few edges between
 *
 * By levels: heavy edges are contracted until few nodes are left, parts grow from their seeds, and
 * each level moves nodes at borders where that cuts fewer edges. No part has more than 1.05 n /
 * parts + 1 nodes. Edges are taken both ways.
 *
 * @param ids    out, i64 [n], the part of each node, in [0, parts)
 * @param cut    out, the number of edges of g between parts; may be NULL
 * @param g      a graph whose sources and destinations are the same nodes
 * @param parts  1 or more
 * @errors       AGN_ENULL, AGN_EARG (parts; sources and destinations differ in number), AGN_ENOMEM
 * @grad         none: integers
 * @cost         O((n + e) log n)
 * @ref          Karypis and Kumar 1998
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_partition(agn_tensor **ids, int64_t *cut,
                                                      const agn_graph *g, int64_t parts);

/**
 * agn_graph_contract - the graph between clusters of nodes
 *
 * Edges within a cluster go, those between two clusters are joined. Rows of nodes are pooled by
 * agn_geometric_segment_reduce over ids, those of edges over edges[k], where it is not -1.
 *
 * @param out    out, to be released
 * @param edges  out, i64 [edges of g], the edge that each became, -1 within a cluster; NULL to skip
 * @param g      a graph whose sources and destinations are the same nodes
 * @param ids    in, [n], an integer dtype, the cluster of each node
 * @param count  how many clusters; 0 or less: one more than the largest of ids
 * @errors       AGN_ENULL, AGN_ESHAPE (not an id for each node), AGN_EDTYPE, AGN_EARG (sources and
 *               destinations differ in number), AGN_EINDEX (an id out of range: names its place),
 *               AGN_EUNSUPPORTED (sparse), AGN_EDEVICE, AGN_ESYMBOLIC, AGN_ENOMEM
 * @grad         none: integers
 * @cost         O(n + e)
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_contract(agn_graph **out, agn_tensor **edges,
                                                     const agn_graph *g, const agn_tensor *ids,
                                                     int64_t count);

/* ---- dense batches ---------------------------------------------------------------------- */

/**
 * agn_geometric_dense_rows - rows by segment as one array, filled up with 0
 *
 * @param out       out, [segments, most, ...], the rows of each segment in their order
 * @param mask      out, bool [segments, most], where there is a row; NULL to skip
 * @param x         in, [n, ...]  i32 i64 f32 f64 c64 c128
 * @param ids       in, [n], an integer dtype; NULL: one segment
 * @param segments  how many; 0 or less: one more than the largest of ids
 * @param most      rows of a segment, at most; 0 or less: as many as the largest has
 * @errors          AGN_ENULL, AGN_ESHAPE (x has no axis, not an id for each row; names a segment
 *                  with more rows than most), AGN_EDTYPE, AGN_EINDEX (an id out of range: names its
 *                  row), AGN_EUNSUPPORTED (sparse), AGN_EDEVICE, AGN_ESYMBOLIC (ids), AGN_ENOMEM
 * @grad            in x
 * @cost            O(size of out)
 */
AGN_API AGN_MUST_CHECK agn_status agn_geometric_dense_rows(agn_tensor **out, agn_tensor **mask,
                                                           const agn_tensor *x,
                                                           const agn_tensor *ids,
                                                           int64_t segments, int64_t most);

/**
 * agn_graph_dense - the adjacency of each graph of a batch as one array, filled up with 0
 *
 * Entry [b, i, j] is the sum of the rows of the edges from node i to node j of graph b, nodes
 * counted as agn_geometric_dense_rows has them.
 *
 * @param out       out, [segments, most, most, ...]
 * @param g         a graph whose sources and destinations are the same nodes
 * @param e         in, [edges, ...]  i32 i64 f32 f64 c64 c128; NULL: 1 each, f64
 * @param ids       in, [n], an integer dtype; NULL: one graph
 * @param segments  as in agn_geometric_dense_rows
 * @param most      nodes of a graph, at most, as there
 * @errors          AGN_ENULL, AGN_ESHAPE (not a row for each edge, not an id for each node; names a
 *                  segment with more nodes than most), AGN_EDTYPE, AGN_EARG (sources and
 *                  destinations differ in number), AGN_EINDEX (an id out of range: names its place;
 *                  an edge between two segments: names it), AGN_EUNSUPPORTED (sparse), AGN_EDEVICE,
 *                  AGN_ESYMBOLIC (ids), AGN_ENOMEM
 * @grad            in e
 * @cost            O(size of out + size of e)
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_dense(agn_tensor **out, const agn_graph *g,
                                                  const agn_tensor *e, const agn_tensor *ids,
                                                  int64_t segments, int64_t most);

enum { AGN_POOL_DIFF, AGN_POOL_MINCUT, AGN_POOL_DMON };

/**
 * agn_geometric_dense_pool - nodes of dense graphs pooled by soft clusters, and what trains these
 *
 * With S the softmax of score over clusters, 0 where mask is, rows become S^T x and the adjacency
 * S^T a S. AGN_POOL_DIFF has the losses |a - S S^T| / size of a and the mean entropy of the rows of
 * S. AGN_POOL_MINCUT and _DMON take loops from the adjacency, divide it by the roots of its row
 * sums, and have -tr(S^T a S) / tr(S^T D S), or the modularity of S with the sign turned; then how
 * far S^T S / |S^T S| is from I / sqrt(k), and _DMON how far clusters are from equal sizes,
 * sqrt(k) |sum of S| / n - 1; means over graphs. Norms are Frobenius's. _DMON applies selu to rows.
 *
 * @param x_out  out, [batch, k, f]
 * @param a_out  out, [batch, k, k]
 * @param loss   out, [2], of AGN_POOL_DMON [3]
 * @param x      in, [batch, n, f]  f32 f64, others by promotion
 * @param a      in, [batch, n, n]
 * @param score  in, [batch, n, k], k 1 or more
 * @param mask   in, bool [batch, n]; NULL: true
 * @param kind   AGN_POOL_DIFF, AGN_POOL_MINCUT, AGN_POOL_DMON
 * @errors       AGN_ENULL, AGN_ESHAPE (names what does not fit), AGN_EDTYPE (complex; mask),
 *               AGN_EARG (kind), AGN_EUNSUPPORTED (sparse), AGN_EDEVICE, AGN_ENOMEM
 * @grad         in x, a, score
 * @cost         O(batch n (n + f) k)
 * @ref          Ying et al. 2018; Bianchi, Grattarola and Alippi 2020; Tsitsulin et al. 2023
 */
AGN_API AGN_MUST_CHECK agn_status agn_geometric_dense_pool(agn_tensor **x_out, agn_tensor **a_out,
                                                           agn_tensor **loss, const agn_tensor *x,
                                                           const agn_tensor *a,
                                                           const agn_tensor *score,
                                                           const agn_tensor *mask, int32_t kind);

/**
 * agn_geometric_memory_pool - rows pooled by their distances from keys
 *
 * C_h[n, k] = (1 + |x[n] - key_h[k]|^2 / tau)^(-(tau + 1) / 2) over its sum over k; S is the
 * softmax over k of the sum over h of weight[h] C_h, 0 where mask is; the result is S^T x.
 *
 * @param out     out, [batch, k, f]
 * @param assign  out, [batch, n, k]: S; NULL to skip
 * @param x       in, [batch, n, f]  f32 f64, others by promotion
 * @param key     in, [heads, k, f], k 1 or more
 * @param weight  in, [heads]
 * @param tau     degrees of freedom, above 0
 * @param mask    in, bool [batch, n]; NULL: true
 * @errors        AGN_ENULL, AGN_ESHAPE (names what does not fit), AGN_EDTYPE (complex; mask),
 *                AGN_EDOMAIN (tau), AGN_EUNSUPPORTED (sparse), AGN_EDEVICE, AGN_ENOMEM
 * @grad          in x, key, weight
 * @cost          O(batch n heads k f)
 * @ref           Khasahmadi et al. 2020
 */
AGN_API AGN_MUST_CHECK agn_status agn_geometric_memory_pool(agn_tensor **out, agn_tensor **assign,
                                                            const agn_tensor *x,
                                                            const agn_tensor *key,
                                                            const agn_tensor *weight, double tau,
                                                            const agn_tensor *mask);

#ifdef __cplusplus
}
#endif
#endif
