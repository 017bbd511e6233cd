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

#include <agnesi/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a node makes of the messages that reach it. */
enum {
    AGN_GEOMETRIC_SUM = 0, /* 0 where none arrives */
    AGN_GEOMETRIC_MEAN = 1 /* 0 where none arrives */
};

/**
 * agn_geometric_send_u_recv - rows of x sent along edges and gathered where these end
 *
 * Row d of the result combines x[src[k]] over all edges k with dst[k] = d, in the order
 * of the edges: the same bits every time. Nodes no edge ends at get zeros.
 *
 * @param out       out, [out_size, ...]
 * @param x         in, [n, ...]  i32 i64 f32 f64 c64 c128, others by promotion; any
 *                  strides
 * @param src       in, [e], an integer dtype, in [0, n)
 * @param dst       in, [e], an integer dtype, in [0, out_size)
 * @param out_size  rows of the result; 0 or less for those of x
 * @param reduce    AGN_GEOMETRIC_SUM or AGN_GEOMETRIC_MEAN; a mean of integers is f64
 * @errors          AGN_ENULL, AGN_ESHAPE (x is 0-D, src or dst not 1-D, lengths
 *                  differ), AGN_EDTYPE, AGN_EINDEX (a node out of range: names edge and
 *                  node), AGN_EARG (reduce), AGN_EUNSUPPORTED (sparse), AGN_EDEVICE,
 *                  AGN_ENOMEM
 * @grad            in x
 * @cost            O(e) rows
 */
AGN_API AGN_MUST_CHECK agn_status
agn_geometric_send_u_recv(agn_tensor **out, const agn_tensor *x, const agn_tensor *src,
                          const agn_tensor *dst, int64_t out_size, int32_t reduce);

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
