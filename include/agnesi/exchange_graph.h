/**
 * agnesi/exchange_graph.h - graphs and meshes in files
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Text is read alike in every locale. A damaged file is named with the line.
 */
#ifndef AGNESI_EXCHANGE_GRAPH_H
#define AGNESI_EXCHANGE_GRAPH_H

#include <agnesi/geometric_graph.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * agn_edge_list_load - a graph from lines that each name an edge
 *
 * A line has two nodes, integers from 0 on, and may have a number behind them, all lines or none; blanks, tabs,
 * commas and semicolons separate. Lines that begin with # or % and empty ones are passed over.
 *
 * @param out      out, to be released: as many nodes as are named, sources and destinations the same
 * @param values   out, f64 [e], the third column; NULL tensor where there is none; NULL to skip
 * @param path     a file
 * @errors         AGN_ENULL, AGN_EIO, AGN_EFORMAT (names the line), AGN_ENOMEM
 * @grad           none: constants
 * @cost           O(size of the file)
 */
AGN_API AGN_MUST_CHECK agn_status agn_edge_list_load(agn_graph **out, agn_tensor **values,
                                                     const char *path);

/**
 * agn_citations_load - a graph of documents from two files of text, as Cora and its kin come
 *
 * Lines of content: a name, numbers, a label. Lines of cites: the names of a document and of one that cites it; an
 * edge leads from the second to the first. Labels are numbered in the order of their names.
 *
 * @param out      out, to be released
 * @param x        out, f64 [n, f], the numbers, documents in the order of content
 * @param labels   out, i64 [n]
 * @param unknown  out, how many lines of cites name a document that content lacks: they are passed over; may be NULL
 * @param content  a file
 * @param cites    a file
 * @errors         AGN_ENULL, AGN_EIO, AGN_EFORMAT (names the line; a document twice), AGN_ENOMEM
 * @grad           none: constants
 * @cost           O(size of the files) expected
 * @ref            Sen et al. 2008
 */
AGN_API AGN_MUST_CHECK agn_status agn_citations_load(agn_graph **out, agn_tensor **x,
                                                     agn_tensor **labels, int64_t *unknown,
                                                     const char *content, const char *cites);

/**
 * agn_mesh_load - nodes and cells of a mesh
 *
 * By the end of the name: .off, .obj (nodes and faces alone), .vtu (as text, or in base64 without compression, in one
 * piece). Faces of different sizes, or of more than 4 nodes, become triangles that fan out from their first nodes.
 *
 * @param points  out, f64 [n, 3]
 * @param cells   out, i64 [m, k]
 * @param kind    out, AGN_CELL_LINE to AGN_CELL_PYRAMID
 * @param path    a file
 * @errors        AGN_ENULL, AGN_EIO, AGN_EFORMAT (names the line, or what of a .vtu is missing), AGN_EUNSUPPORTED (another
 *                ending; cells of several kinds in a .vtu: names them; compressed or appended data), AGN_ENOMEM
 * @grad          none: constants
 * @cost          O(size of the file)
 */
AGN_API AGN_MUST_CHECK agn_status agn_mesh_load(agn_tensor **points, agn_tensor **cells, int32_t *kind,
                                                const char *path);

#ifdef __cplusplus
}
#endif
#endif
