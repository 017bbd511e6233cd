/**
 * agnesi/geometric_segment.h - softmax, logsumexp, spread and products of segments of rows
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Row k of x belongs to segment ids[k]. Rows may come in any order, and a segment may have none.
 * Compositions of the messages of agnesi/geometric_graph.h, with derivatives of any order in every
 * mode, and the same bits for any number of threads. ids are read, and cannot be traced.
 */
#ifndef AGNESI_GEOMETRIC_SEGMENT_H
#define AGNESI_GEOMETRIC_SEGMENT_H

#include <agnesi/geometric_graph.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * agn_geometric_segment_softmax - exponentials over their sums, of the rows of each segment
 *
 * @param out  out, as x
 * @param x    in, [e, ...]  f32 f64, others by promotion; -inf is a row that is absent
 * @param ids  in, [e], an integer dtype, 0 or more
 * @errors     AGN_ENULL, AGN_ESHAPE (not a row for each id), AGN_EDTYPE (complex; ids that are no
 *             integers), AGN_EINDEX (names the row whose id is out of range as an edge),
 *             AGN_EUNSUPPORTED (sparse), AGN_EDEVICE, AGN_ESYMBOLIC
 *             (ids while tracing), AGN_ENOMEM
 * @grad       in x
 * @cost       O(e) rows
 */
AGN_API AGN_MUST_CHECK agn_status agn_geometric_segment_softmax(agn_tensor **out,
                                                                const agn_tensor *x,
                                                                const agn_tensor *ids);

/**
 * agn_geometric_segment_logsumexp - logarithms of sums of exponentials of the rows of each segment
 *
 * -inf where there are none.
 *
 * @param out       out, [segments, ...]
 * @param x         in, [e, ...]  f32 f64, others by promotion
 * @param ids       in, [e], an integer dtype, in [0, segments)
 * @param segments  rows of the result; 0 or less: one more than the largest of ids
 * @errors          those of agn_geometric_segment_softmax
 * @grad            in x
 * @cost            O(e) rows
 */
AGN_API AGN_MUST_CHECK agn_status agn_geometric_segment_logsumexp(agn_tensor **out,
                                                                  const agn_tensor *x,
                                                                  const agn_tensor *ids,
                                                                  int64_t segments);

/**
 * agn_geometric_segment_var - variances of the rows of each segment
 *
 * NaN where correction leaves nothing to divide by, as of segments without rows.
 *
 * @param out         out, [segments, ...]
 * @param x           in, [e, ...]  f32 f64, others by promotion; integers give f64
 * @param ids         in, [e], an integer dtype, in [0, segments)
 * @param segments    rows of the result; 0 or less: one more than the largest of ids
 * @param correction  taken from the number of rows: 0, or 1 for samples
 * @errors            those of agn_geometric_segment_softmax; AGN_EDOMAIN (correction is not finite)
 * @grad              in x
 * @cost              O(e) rows
 * @ref               Chan, Golub and LeVeque 1983
 */
AGN_API AGN_MUST_CHECK agn_status agn_geometric_segment_var(agn_tensor **out, const agn_tensor *x,
                                                            const agn_tensor *ids, int64_t segments,
                                                            double correction);

/**
 * agn_geometric_segment_std - standard deviations of the rows of each segment
 *
 * @param out         out, [segments, ...]
 * @param x           in, [e, ...]  f32 f64, others by promotion; integers give f64
 * @param ids         in, [e], an integer dtype, in [0, segments)
 * @param segments    rows of the result; 0 or less: one more than the largest of ids
 * @param correction  taken from the number of rows: 0, or 1 for samples
 * @errors            those of agn_geometric_segment_var
 * @grad              in x; 0 where all rows of a segment are equal
 * @cost              O(e) rows
 */
AGN_API AGN_MUST_CHECK agn_status agn_geometric_segment_std(agn_tensor **out, const agn_tensor *x,
                                                            const agn_tensor *ids, int64_t segments,
                                                            double correction);

/**
 * agn_geometric_segment_prod - products of the rows of each segment
 *
 * 1 where there are none. Neighbours are multiplied in pairs, then pairs of those: nothing is
 * divided, so that rows with zeros have their derivatives of every order.
 *
 * @param out       out, [segments, ...]
 * @param x         in, [e, ...]  any dtype but bool
 * @param ids       in, [e], an integer dtype, in [0, segments)
 * @param segments  rows of the result; 0 or less: one more than the largest of ids
 * @errors          those of agn_geometric_segment_softmax, but complex is taken
 * @grad            in x
 * @cost            O(e + segments log(rows of the largest)) rows
 */
AGN_API AGN_MUST_CHECK agn_status agn_geometric_segment_prod(agn_tensor **out, const agn_tensor *x,
                                                             const agn_tensor *ids,
                                                             int64_t segments);

/**
 * agn_geometric_segment_mm - each row times the matrix of its segment
 *
 * Row k is x[k] w[ids[k]]. One product of matrices a segment; rows that do not come by segments are
 * put in that order and back.
 *
 * @param out  out, [e, o]
 * @param x    in, [e, f]  any dtype of agn_matmul
 * @param w    in, [segments, f, o]
 * @param ids  in, [e], an integer dtype, in [0, segments)
 * @errors     those of agn_geometric_segment_softmax, but complex is taken; AGN_ESHAPE (x or w does
 *             not fit, no matrix)
 * @grad       in x and w
 * @cost       O(e f o); a gradient in w also O(segments^2 f o)
 * @ref        Schlichtkrull et al. 2018
 */
AGN_API AGN_MUST_CHECK agn_status agn_geometric_segment_mm(agn_tensor **out, const agn_tensor *x,
                                                           const agn_tensor *w,
                                                           const agn_tensor *ids);

/**
 * agn_geometric_segment_log_softmax - logarithms of the softmax of the rows of each segment
 *
 * @param out  out, as x
 * @param x    in, [e, ...]  f32 f64, others by promotion; -inf is a row that is absent
 * @param ids  in, [e], an integer dtype, 0 or more
 * @errors     those of agn_geometric_segment_softmax
 * @grad       in x
 * @cost       O(e) rows
 */
AGN_API AGN_MUST_CHECK agn_status agn_geometric_segment_log_softmax(agn_tensor **out,
                                                                    const agn_tensor *x,
                                                                    const agn_tensor *ids);

/* ---- segments that are kept: sorted once ----------------------------------------------- */

/**
 * agn_graph_from_segments - segments as a graph, whose edges are rows and whose destinations are segments
 *
 * Row k is edge k: agn_graph_gspmm of edges alone reduces them, agn_graph_edge_softmax,
 * agn_graph_edge_logsumexp and the others below take them; the order of the rows by segments is
 * found once.
 *
 * @param out       out, to be released; all edges begin at one source
 * @param ids       in, [e], an integer dtype, in [0, segments); copied
 * @param segments  0 or less: one more than the largest of ids
 * @errors          AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (not 1-D), AGN_EINDEX (names the row as an
 *                  edge), AGN_EUNSUPPORTED (sparse), AGN_EDEVICE, AGN_ESYMBOLIC, AGN_ENOMEM
 * @grad            none: integers
 * @cost            O(e)
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_from_segments(agn_graph **out, const agn_tensor *ids,
                                                          int64_t segments);

/**
 * agn_graph_edge_logsumexp - agn_geometric_segment_logsumexp of the edges that reach each node
 *
 * @param out  out, [n_dst, ...]
 * @param g    a graph
 * @param x    in, [edges, ...]  f32 f64, others by promotion
 * @errors     AGN_ENULL, AGN_ESHAPE (rows), AGN_EDTYPE (complex),
 *             AGN_EUNSUPPORTED (sparse), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in x
 * @cost       O(edges) rows
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_edge_logsumexp(agn_tensor **out, const agn_graph *g,
                                                           const agn_tensor *x);

/**
 * agn_graph_edge_var - agn_geometric_segment_var of the edges that reach each node
 *
 * @param out         out, [n_dst, ...]
 * @param g           a graph
 * @param x           in, [edges, ...]  f32 f64, others by promotion; integers give f64
 * @param correction  taken from the number of edges: 0, or 1 for samples
 * @errors            those of agn_graph_edge_logsumexp; AGN_EDOMAIN (correction is not finite)
 * @grad              in x
 * @cost              O(edges) rows
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_edge_var(agn_tensor **out, const agn_graph *g,
                                                     const agn_tensor *x, double correction);

/**
 * agn_graph_edge_std - agn_geometric_segment_std of the edges that reach each node
 *
 * @param out         out, [n_dst, ...]
 * @param g           a graph
 * @param x           in, [edges, ...]  f32 f64, others by promotion; integers give f64
 * @param correction  taken from the number of edges: 0, or 1 for samples
 * @errors            those of agn_graph_edge_var
 * @grad              in x; 0 where all rows of a node are equal
 * @cost              O(edges) rows
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_edge_std(agn_tensor **out, const agn_graph *g,
                                                     const agn_tensor *x, double correction);

/**
 * agn_graph_edge_prod - agn_geometric_segment_prod of the edges that reach each node
 *
 * @param out  out, [n_dst, ...]
 * @param g    a graph
 * @param x    in, [edges, ...]  any dtype but bool
 * @errors     those of agn_graph_edge_logsumexp, but complex is taken
 * @grad       in x
 * @cost       O(edges + nodes log(largest degree)) rows
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_edge_prod(agn_tensor **out, const agn_graph *g,
                                                      const agn_tensor *x);

/**
 * agn_graph_edge_mm - agn_geometric_segment_mm of edges, with a matrix for each node that they reach
 *
 * @param out  out, [edges, o]
 * @param g    a graph
 * @param x    in, [edges, f]  any dtype of agn_matmul
 * @param w    in, [n_dst, f, o]
 * @errors     AGN_ENULL, AGN_ESHAPE (x or w does not fit), AGN_EUNSUPPORTED (sparse), AGN_EDEVICE,
 *             AGN_ENOMEM
 * @grad       in x and w
 * @cost       O(edges f o); a gradient in w also O(n_dst^2 f o)
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_edge_mm(agn_tensor **out, const agn_graph *g,
                                                    const agn_tensor *x, const agn_tensor *w);

/**
 * agn_geometric_segment_quantile - quantiles of the rows of each segment
 *
 * Each column for itself: of n values in order that at q (n - 1), between two of them on the line
 * through them. 0.5: the median. NaN where there is none, and where one is NaN.
 *
 * @param out       out, [segments, ...]
 * @param x         in, [n, ...]  f32 f64, others by promotion
 * @param ids       in, [n], an integer dtype, in [0, segments)
 * @param segments  rows of the result; 0 or less: one more than the largest of ids
 * @param q         in [0, 1]
 * @errors          AGN_ENULL, AGN_ESHAPE (not a row for each id), AGN_EDTYPE (complex; ids that
 *                  are no integers), AGN_EINDEX (names the row as an edge), AGN_EDOMAIN (q),
 *                  AGN_EUNSUPPORTED (sparse), AGN_EDEVICE,
 *                  AGN_ESYMBOLIC (ids while tracing), AGN_ENOMEM
 * @grad            in x, to the one or two values that are met; of equal ones to the earlier row
 * @cost            O(size of x log n)
 * @ref             Hyndman and Fan 1996
 */
AGN_API AGN_MUST_CHECK agn_status agn_geometric_segment_quantile(agn_tensor **out,
                                                                 const agn_tensor *x,
                                                                 const agn_tensor *ids,
                                                                 int64_t segments, double q);

/**
 * agn_geometric_graph_norm - rows of each graph brought to a mean and a spread, column by column
 *
 * (x - alpha mean) / sqrt(mean of (x - alpha mean)^2 + eps) gamma + beta, means over the rows of a
 * segment.
 *
 * @param out    out, as x
 * @param x      in, [n, f]  f32 f64, others by promotion
 * @param ids    in, [n], an integer dtype, 0 or more: the graph of each node
 * @param alpha  in, [f], how much of the mean is taken away; NULL: all (instance norm)
 * @param gamma  in, [f]; NULL: 1
 * @param beta   in, [f]; NULL: 0
 * @param eps    above 0
 * @errors       those of agn_geometric_segment_softmax; AGN_ESHAPE (x has not two axes; alpha,
 *               gamma or beta does not fit), AGN_EDOMAIN (eps)
 * @grad         in x, alpha, gamma, beta
 * @cost         O(n f)
 * @ref          Cai et al. 2021
 */
AGN_API AGN_MUST_CHECK agn_status agn_geometric_graph_norm(agn_tensor **out, const agn_tensor *x,
                                                           const agn_tensor *ids,
                                                           const agn_tensor *alpha,
                                                           const agn_tensor *gamma,
                                                           const agn_tensor *beta, double eps);

/**
 * agn_geometric_pair_norm - rows of each graph centred, their distances of one total
 *
 * scale (x - mean) / sqrt(mean of |x - mean|^2 + eps) over the rows of a segment; each row over its
 * own length with each.
 *
 * @param out    out, as x
 * @param x      in, [n, f]  f32 f64, others by promotion
 * @param ids    in, [n], an integer dtype, 0 or more: the graph of each node
 * @param scale  of the result
 * @param each   every row by its own length
 * @param eps    above 0
 * @errors       those of agn_geometric_segment_softmax; AGN_ESHAPE (x has not two axes),
 *               AGN_EDOMAIN (eps)
 * @grad         in x
 * @cost         O(n f)
 * @ref          Zhao and Akoglu 2020
 */
AGN_API AGN_MUST_CHECK agn_status agn_geometric_pair_norm(agn_tensor **out, const agn_tensor *x,
                                                          const agn_tensor *ids, double scale,
                                                          bool each, double eps);

#ifdef __cplusplus
}
#endif
#endif
