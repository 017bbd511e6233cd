/**
 * agnesi/exchange_graph.h - graphs and meshes in files
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Text is read alike in every locale. A damaged file is named with the line.
 */
#ifndef AGNESI_EXCHANGE_GRAPH_H
#define AGNESI_EXCHANGE_GRAPH_H

#include <agnesi/exchange.h>
#include <agnesi/geometric_graph.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * agn_edge_list_load - a graph from lines that each name an edge
 *
 * A line has two nodes, integers from 0 on, and may have a number behind them, all lines or none;
 * blanks, tabs, commas and semicolons separate. Lines that begin with # or % and empty ones are
 * passed over.
 *
 * @param out      out, to be released: as many nodes as are named, sources and destinations the
 *                 same
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
 * Lines of content: a name, numbers, a label. Lines of cites: the names of a document and of one
 * that cites it; an edge leads from the second to the first. Labels are numbered in the order of
 * their names.
 *
 * @param out      out, to be released
 * @param x        out, f64 [n, f], the numbers, documents in the order of content
 * @param labels   out, i64 [n]
 * @param unknown  out, how many lines of cites name a document that content lacks: they are passed
 *                 over; may be NULL
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
 * By the end of the name: .off, .obj (nodes and faces alone), .vtu (as text, or in base64 without
 * compression, in one piece). Faces of different sizes, or of more than 4 nodes, become triangles
 * that fan out from their first nodes.
 *
 * @param points  out, f64 [n, 3]
 * @param cells   out, i64 [m, k]
 * @param kind    out, AGN_CELL_LINE to AGN_CELL_PYRAMID
 * @param path    a file
 * @errors        AGN_ENULL, AGN_EIO, AGN_EFORMAT (names the line, or what of a .vtu is missing),
 *                AGN_EUNSUPPORTED (another ending; cells of several kinds in a .vtu: names them;
 *                compressed or appended data), AGN_ENOMEM
 * @grad          none: constants
 * @cost          O(size of the file)
 */
AGN_API AGN_MUST_CHECK agn_status agn_mesh_load(agn_tensor **points, agn_tensor **cells,
                                                int32_t *kind, const char *path);

/**
 * agn_edge_list_save - the edges of a graph as lines of a file, in their order
 *
 * Two nodes, blank between, and the number where there is one, which reads back as it was. Nodes
 * without edges behind the last one that has some are not told.
 *
 * @param path    replaced as a whole, or left as it was
 * @param g       a graph
 * @param values  in, [edges]  real; NULL: none
 * @errors        AGN_ENULL, AGN_ESHAPE, AGN_EDTYPE (complex), AGN_EUNSUPPORTED (sparse),
 *                AGN_EDEVICE, AGN_ESYMBOLIC, AGN_EIO, AGN_ENOMEM
 * @cost          O(edges)
 */
AGN_API AGN_MUST_CHECK agn_status agn_edge_list_save(const char *path, const agn_graph *g,
                                                     const agn_tensor *values);

/**
 * agn_mesh_save - nodes and cells of a mesh, and fields over them, as a file
 *
 * By the end of the name: .off, .obj (triangles or quads alone) as text, .vtu with arrays in
 * base64. Numbers read back as they were.
 *
 * @param path       replaced as a whole, or left as it was
 * @param points     in, [n, 2] or [n, 3]  real, finite; in the plane the third coordinate is 0
 * @param cells      in, [m, k], an integer dtype
 * @param kind       AGN_CELL_LINE to AGN_CELL_PYRAMID
 * @param at_points  fields [n] or [n, c] by name, real; f16 and bf16 as f32; NULL: none
 * @param at_cells   fields [m] or [m, c] by name; NULL: none
 * @errors           AGN_ENULL, AGN_ESHAPE (names the field), AGN_EDTYPE (complex; cells that are no
 *                   integers), AGN_EARG (kind), AGN_EINDEX (names cell and node), AGN_EDOMAIN
 *                   (names the point with a coordinate that is not finite), AGN_EUNSUPPORTED
 *                   (another ending; a kind or fields that the format lacks; sparse), AGN_EDEVICE,
 *                   AGN_ESYMBOLIC, AGN_EIO, AGN_ENOMEM
 * @cost             O(size of the file)
 */
AGN_API AGN_MUST_CHECK agn_status agn_mesh_save(const char *path, const agn_tensor *points,
                                                const agn_tensor *cells, int32_t kind,
                                                const agn_dict *at_points,
                                                const agn_dict *at_cells);

#ifdef __cplusplus
}
#endif
#endif
