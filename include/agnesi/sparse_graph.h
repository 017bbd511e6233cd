/**
 * agnesi/sparse_graph.h - graphs as sparse matrices
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A stored entry [i, j] of a square matrix is an edge from i to j, also where its value is 0.
 */
#ifndef AGNESI_SPARSE_GRAPH_H
#define AGNESI_SPARSE_GRAPH_H

#include <agnesi/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * agn_sparse_components - the connected component of each node
 *
 * Components are numbered by their lowest nodes, rising.
 *
 * @param labels  out, i64 [n]
 * @param count   out, number of components; may be NULL
 * @param a       in, sparse [..., n, n]; its pattern alone counts
 * @param strong  nodes belong together if each can be reached from the other along edges; else
 *                edges are taken both ways
 * @errors        AGN_ENULL, AGN_EUNSUPPORTED (a is dense), AGN_ESHAPE (not square), AGN_ENOMEM
 * @grad          none: integers
 * @cost          O(n + nnz)
 * @ref           Tarjan 1972
 */
AGN_API AGN_MUST_CHECK agn_status agn_sparse_components(agn_tensor **labels, int64_t *count,
                                                        const agn_tensor *a, bool strong);

/**
 * agn_sparse_bfs - nodes in breadth-first order from one of them
 *
 * @param order  out, i64 [number reached], neighbours by rising number
 * @param from   out, i64 [n], the node from which each was reached; -1 for the start and for those
 *               that were not; may be NULL
 * @param a      in, sparse [..., n, n]; its pattern alone counts
 * @param start  a node
 * @errors       AGN_ENULL, AGN_EUNSUPPORTED (a is dense), AGN_ESHAPE (not square), AGN_EINDEX
 *               (start), AGN_ENOMEM
 * @grad         none: integers
 * @cost         O(n + nnz)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sparse_bfs(agn_tensor **order, agn_tensor **from,
                                                 const agn_tensor *a, int64_t start);

/**
 * agn_sparse_dijkstra - lengths of the shortest paths from one node
 *
 * @param length  out, [n], infinite where no path leads; f64 for integers and bool
 * @param from    out, i64 [n], the node before each on its path; -1 for the start and where there
 *                is none; may be NULL
 * @param a       in, sparse [n, n], real, no entry negative
 * @param start   a node
 * @errors        AGN_ENULL, AGN_EUNSUPPORTED (a is dense), AGN_ESHAPE (not square, a batch),
 *                AGN_EDTYPE (complex), AGN_EINDEX (start), AGN_EDOMAIN (an entry is negative or
 *                NaN: names it), AGN_ESYMBOLIC (no value while tracing), AGN_ENOMEM
 * @grad          in the values of a, along the paths that were found
 * @cost          O((n + nnz) log nnz)
 * @ref           Dijkstra 1959
 */
AGN_API AGN_MUST_CHECK agn_status agn_sparse_dijkstra(agn_tensor **length, agn_tensor **from,
                                                      const agn_tensor *a, int64_t start);

/**
 * agn_sparse_spanning_tree - the edges of least weight that connect what is connected
 *
 * Edges are taken both ways; of equal weights the entry that is stored first is taken.
 *
 * @param out  out, sparse [n, n]: those entries of a
 * @param a    in, sparse [n, n], real
 * @errors     AGN_ENULL, AGN_EUNSUPPORTED (a is dense), AGN_ESHAPE (not square, a batch),
 *             AGN_EDTYPE (complex), AGN_EDOMAIN (an entry is NaN: names it), AGN_ESYMBOLIC (no
 *             value while tracing), AGN_ENOMEM
 * @grad       in the values that are taken
 * @cost       O(n + nnz log nnz)
 * @ref        Kruskal 1956
 */
AGN_API AGN_MUST_CHECK agn_status agn_sparse_spanning_tree(agn_tensor **out, const agn_tensor *a);

/**
 * agn_sparse_rcm - an order of rows and columns in which entries lie near the diagonal
 *
 * Reverse Cuthill-McKee, from a node at the rim of each component. Edges are taken both ways.
 *
 * @param order  out, i64 [n], the nodes in their new order: a[order][:, order] has the small band
 * @param a      in, sparse [..., n, n]; its pattern alone counts
 * @errors       AGN_ENULL, AGN_EUNSUPPORTED (a is dense), AGN_ESHAPE (not square), AGN_ENOMEM
 * @grad         none: integers
 * @cost         O(nnz log(largest degree)), times a few searches for the rim
 * @ref          Cuthill & McKee 1969; George & Liu 1979
 */
AGN_API AGN_MUST_CHECK agn_status agn_sparse_rcm(agn_tensor **order, const agn_tensor *a);

/**
 * agn_sparse_laplacian - the Laplacian of a graph with weights on its edges
 *
 * D - A with D the sums of the rows of A; entries on the diagonal of A do not count. Normalised,
 * D^-1/2 (D - A) D^-1/2, where 0 has 1 for a root: a node alone has a row of zeros.
 *
 * @param out         out, sparse [..., n, n]: the pattern of a and the diagonal
 * @param a           in, sparse [..., n, n]  f32 f64 c64 c128
 * @param normalised  divide by the roots of the sums, which should not be negative
 * @errors            AGN_ENULL, AGN_EUNSUPPORTED (a is dense), AGN_ESHAPE (not square), AGN_ENOMEM
 * @grad              in the values of a; normalised where no sum is 0
 * @cost              O(n + nnz)
 * @ref               Chung 1997
 */
AGN_API AGN_MUST_CHECK agn_status agn_sparse_laplacian(agn_tensor **out, const agn_tensor *a,
                                                       bool normalised);

#ifdef __cplusplus
}
#endif
#endif
