/**
 * agnesi/geometric.h - messages along the edges of a graph
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A graph of e edges is a pair of integer tensors [e]: where each edge begins (src) and
 * where it ends (dst). Features of nodes are rows of a tensor.
 */
#ifndef AGNESI_GEOMETRIC_H
#define AGNESI_GEOMETRIC_H

#include <agnesi/geometric_graph.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * agn_geometric_send_u_recv - rows of x sent along edges and reduced where these end
 *
 * Row d of the result combines x[src[k]] over all edges k with dst[k] = d, in the order
 * of the edges: the same bits every time. Nodes no edge ends at get zeros. A graph that is used
 * more than once is better kept: agn_graph_gspmm.
 *
 * @param out       out, [out_size, ...]
 * @param x         in, [n, ...]  i32 i64 f32 f64 c64 c128 (sums and means), others by promotion;
 *                  any strides
 * @param src       in, [e], an integer dtype, in [0, n)
 * @param dst       in, [e], an integer dtype, in [0, out_size)
 * @param out_size  rows of the result; 0 or less for those of x
 * @param reduce    AGN_GEOMETRIC_SUM, _MEAN, _MAX or _MIN; a mean of integers is f64
 * @errors          AGN_ENULL, AGN_ESHAPE (x is 0-D, src or dst not 1-D, lengths
 *                  differ), AGN_EDTYPE, AGN_EINDEX (a node out of range: names edge and
 *                  node), AGN_EARG (reduce), AGN_EUNSUPPORTED (sparse), AGN_EDEVICE,
 *                  AGN_ENOMEM
 * @grad            in x; ties of an extreme share equally; one that is NaN: messages that are
 * @cost            O(e) rows; no messages are written but where x is complex or on a device, or
 *                  where the edges are traced
 */
AGN_API AGN_MUST_CHECK agn_status
agn_geometric_send_u_recv(agn_tensor **out, const agn_tensor *x, const agn_tensor *src,
                          const agn_tensor *dst, int64_t out_size, int32_t reduce);

/**
 * agn_geometric_send_ue_recv - rows of x combined with rows of the edges, reduced where these end
 *
 * @param out       out, [out_size, ...]
 * @param x         in, [n, ...]  i32 i64 f32 f64 c64 c128, others by promotion
 * @param y         in, [e, ...]; axes behind the first broadcast with those of x from the last
 * @param src       in, [e], an integer dtype, in [0, n)
 * @param dst       in, [e], an integer dtype, in [0, out_size)
 * @param out_size  rows of the result; 0 or less for those of x
 * @param message   AGN_MESSAGE_ADD, _SUB, _MUL or _DIV
 * @param reduce    AGN_GEOMETRIC_SUM to AGN_GEOMETRIC_MIN
 * @errors          those of agn_geometric_send_u_recv; AGN_EARG (message), AGN_ESHAPE (y has not
 *                  one row an edge, features do not broadcast)
 * @grad            in x and y; ties of an extreme share equally; one that is NaN: messages that are
 * @cost            as agn_geometric_send_u_recv
 */
AGN_API AGN_MUST_CHECK agn_status agn_geometric_send_ue_recv(
    agn_tensor **out, const agn_tensor *x, const agn_tensor *y, const agn_tensor *src,
    const agn_tensor *dst, int64_t out_size, int32_t message, int32_t reduce);

/**
 * agn_geometric_send_uv - a row for each edge from the rows at its ends
 *
 * @param out      out, [e, ...]: x[src[k]] and y[dst[k]] combined
 * @param x        in, [n, ...]  i32 i64 f32 f64 c64 c128, others by promotion
 * @param y        in, [m, ...]; axes behind the first broadcast with those of x from the last
 * @param src      in, [e], an integer dtype, in [0, n)
 * @param dst      in, [e], an integer dtype, in [0, m)
 * @param message  AGN_MESSAGE_ADD, _SUB, _MUL or _DIV
 * @errors         those of agn_geometric_send_u_recv; AGN_EARG (message), AGN_ESHAPE (features do
 *                 not broadcast)
 * @grad           in x and y
 * @cost           O(e) rows
 */
AGN_API AGN_MUST_CHECK agn_status agn_geometric_send_uv(agn_tensor **out, const agn_tensor *x,
                                                        const agn_tensor *y,
                                                        const agn_tensor *src,
                                                        const agn_tensor *dst, int32_t message);

/**
 * agn_geometric_segment_reduce - rows reduced by the segment each belongs to
 *
 * Rows may come in any order, and a segment may have none: it gets zeros.
 *
 * @param out       out, [segments, ...]
 * @param x         in, [e, ...]  i32 i64 f32 f64 c64 c128 (sums and means), others by promotion
 * @param ids       in, [e], an integer dtype, in [0, segments)
 * @param segments  rows of the result; 0 or less: one more than the largest of ids
 * @param reduce    AGN_GEOMETRIC_SUM to AGN_GEOMETRIC_MIN
 * @errors          those of agn_geometric_send_u_recv for x, ids and reduce; AGN_ESYMBOLIC (ids
 *                  while tracing, without segments)
 * @grad            in x; ties of an extreme share equally; one that is NaN: messages that are
 * @cost            O(e) rows
 */
AGN_API AGN_MUST_CHECK agn_status agn_geometric_segment_reduce(agn_tensor **out,
                                                               const agn_tensor *x,
                                                               const agn_tensor *ids,
                                                               int64_t segments, int32_t reduce);

/**
 * agn_geometric_segment_sum - sums of the rows of each segment
 *
 * agn_geometric_segment_reduce with as many segments as the largest of ids says; zeros where one
 * has no row.
 *
 * @param out  out, [largest id + 1, ...]
 * @param x    in, [e, ...]  i32 i64 f32 f64 c64 c128, others by promotion
 * @param ids  in, [e], an integer dtype, 0 or more, in any order
 * @errors     those of agn_geometric_segment_reduce
 * @grad       in x
 * @cost       O(e) rows
 */
AGN_API AGN_MUST_CHECK agn_status agn_geometric_segment_sum(agn_tensor **out, const agn_tensor *x,
                                                            const agn_tensor *ids);

/**
 * agn_geometric_segment_mean - means of the rows of each segment
 *
 * agn_geometric_segment_reduce with as many segments as the largest of ids says; zeros where one
 * has no row.
 *
 * @param out  out, [largest id + 1, ...]
 * @param x    in, [e, ...]  i32 i64 f32 f64 c64 c128, others by promotion
 * @param ids  in, [e], an integer dtype, 0 or more, in any order
 * @errors     those of agn_geometric_segment_reduce
 * @grad       in x
 * @cost       O(e) rows
 */
AGN_API AGN_MUST_CHECK agn_status agn_geometric_segment_mean(agn_tensor **out, const agn_tensor *x,
                                                             const agn_tensor *ids);

/**
 * agn_geometric_segment_max - maxima of the rows of each segment
 *
 * agn_geometric_segment_reduce with as many segments as the largest of ids says; zeros where one
 * has no row.
 *
 * @param out  out, [largest id + 1, ...]
 * @param x    in, [e, ...]  i32 i64 f32 f64, others by promotion
 * @param ids  in, [e], an integer dtype, 0 or more, in any order
 * @errors     those of agn_geometric_segment_reduce
 * @grad       in x; ties share equally
 * @cost       O(e) rows
 */
AGN_API AGN_MUST_CHECK agn_status agn_geometric_segment_max(agn_tensor **out, const agn_tensor *x,
                                                            const agn_tensor *ids);

/**
 * agn_geometric_segment_min - minima of the rows of each segment
 *
 * agn_geometric_segment_reduce with as many segments as the largest of ids says; zeros where one
 * has no row.
 *
 * @param out  out, [largest id + 1, ...]
 * @param x    in, [e, ...]  i32 i64 f32 f64, others by promotion
 * @param ids  in, [e], an integer dtype, 0 or more, in any order
 * @errors     those of agn_geometric_segment_reduce
 * @grad       in x; ties share equally
 * @cost       O(e) rows
 */
AGN_API AGN_MUST_CHECK agn_status agn_geometric_segment_min(agn_tensor **out, const agn_tensor *x,
                                                            const agn_tensor *ids);

/**
 * agn_geometric_reindex - the nodes of a sampled neighbourhood numbered from 0
 *
 * centres are nodes of a large graph by any integer names, neighbours those of the first
 * centre, then those of the second, and so on; counts says how many each has. The result
 * numbers the centres 0, 1, ... in their order and then every other node in the order in which
 * it first appears: edge k goes from src[k] to dst[k], and node j was called nodes[j]. A centre
 * may be named once only; a neighbour may be named often, and may be a centre.
 *
 * @param src         out, i64 [e], numbers of the neighbours
 * @param dst         out, i64 [e], numbers of their centres
 * @param nodes       out, i64 [n], the centres' names, then the others'
 * @param centres     in, [c], an integer dtype
 * @param neighbours  in, [e], an integer dtype
 * @param counts      in, [c], an integer dtype, adding up to e
 * @errors            AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (not 1-D, counts are not one for each
 *                    centre), AGN_EARG (a centre twice: names both places; a count below 0;
 *                    counts do not add up), AGN_EUNSUPPORTED (sparse), AGN_EDEVICE,
 *                    AGN_ESYMBOLIC (no values while tracing), AGN_ENOMEM
 * @grad              none: integers
 * @cost              O(c + e) expected
 */
AGN_API AGN_MUST_CHECK agn_status agn_geometric_reindex(
    agn_tensor **src, agn_tensor **dst, agn_tensor **nodes, const agn_tensor *centres,
    const agn_tensor *neighbours, const agn_tensor *counts);

/**
 * agn_geometric_reindex_heter - the same over several types of edges with common nodes
 *
 * Edges come by types: those of the first, then those of the second, and so on.
 *
 * @param src         out, i64 [e], e of all types
 * @param dst         out, i64 [e]
 * @param nodes       out, i64 [n]
 * @param centres     in, [c], an integer dtype
 * @param neighbours  in, types tensors [e of this type], an integer dtype
 * @param counts      in, types tensors [c], an integer dtype
 * @param types       how many types, 0 or more
 * @errors            as agn_geometric_reindex; AGN_EARG (types below 0)
 * @grad              none: integers
 * @cost              O(c types + e) expected
 */
AGN_API AGN_MUST_CHECK agn_status agn_geometric_reindex_heter(
    agn_tensor **src, agn_tensor **dst, agn_tensor **nodes, const agn_tensor *centres,
    const agn_tensor *const *neighbours, const agn_tensor *const *counts, int32_t types);

#ifdef __cplusplus
}
#endif
#endif
