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

#ifdef __cplusplus
}
#endif
#endif
