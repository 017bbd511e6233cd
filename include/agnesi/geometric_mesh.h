/**
 * agnesi/geometric_mesh.h - meshes as graphs
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A mesh is nodes and cells: cells [m, k] names the k nodes of each of m cells of one kind, in the
 * order of VTK.
 */
#ifndef AGNESI_GEOMETRIC_MESH_H
#define AGNESI_GEOMETRIC_MESH_H

#include <agnesi/geometric_graph.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Kinds of cells: the numbers of VTK. */
enum {
    AGN_CELL_LINE = 3,       /* 2 nodes */
    AGN_CELL_TRIANGLE = 5,   /* 3 */
    AGN_CELL_QUAD = 9,       /* 4 */
    AGN_CELL_TETRA = 10,     /* 4 */
    AGN_CELL_HEXAHEDRON = 12, /* 8 */
    AGN_CELL_WEDGE = 13,     /* 6 */
    AGN_CELL_PYRAMID = 14    /* 5 */
};

/**
 * agn_graph_from_cells - the edges of cells, both ways
 *
 * Each edge once, in the order of cells; the other way round behind all of them.
 *
 * @param out    out, to be released
 * @param cells  in, [m, k], an integer dtype
 * @param kind   AGN_CELL_LINE to AGN_CELL_PYRAMID
 * @param n      nodes; 0 or less: as many as are named
 * @errors       AGN_ENULL, AGN_ESHAPE (not two axes, or another k than the kind has), AGN_EDTYPE,
 *               AGN_EARG (kind), AGN_EINDEX (names cell and node), AGN_EUNSUPPORTED (sparse),
 *               AGN_EDEVICE, AGN_ESYMBOLIC, AGN_ENOMEM
 * @grad         none: integers
 * @cost         O(n + m k)
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_from_cells(agn_graph **out, const agn_tensor *cells,
                                                       int32_t kind, int64_t n);

/**
 * agn_graph_cell_nodes - the graph from cells to their nodes
 *
 * Edge i k + j goes from cell i to its node j: by it rows of cells are summed at nodes, and
 * reversed those of nodes at cells.
 *
 * @param out    out, to be released: sources are cells, destinations nodes
 * @param cells  in, [m, k], an integer dtype
 * @param n      nodes; 0 or less: as many as are named
 * @errors       AGN_ENULL, AGN_ESHAPE (not two axes), AGN_EDTYPE, AGN_EINDEX (names cell and node),
 *               AGN_EUNSUPPORTED (sparse), AGN_EDEVICE, AGN_ESYMBOLIC, AGN_ENOMEM
 * @grad         none: integers
 * @cost         O(m k)
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_cell_nodes(agn_graph **out, const agn_tensor *cells,
                                                       int64_t n);

/**
 * agn_graph_cell_dual - edges between cells that share a facet, both ways
 *
 * A facet is a node of a line, an edge of a triangle or quad, a face of a solid.
 *
 * @param out    out, to be released: nodes are cells
 * @param cells  in, [m, k], an integer dtype
 * @param kind   AGN_CELL_LINE to AGN_CELL_PYRAMID
 * @errors       AGN_ENULL, AGN_ESHAPE (not two axes, or another k than the kind has), AGN_EDTYPE,
 *               AGN_EARG (kind), AGN_EINDEX (names cell and node), AGN_EUNSUPPORTED (sparse),
 *               AGN_EDEVICE, AGN_ESYMBOLIC, AGN_ENOMEM
 * @grad         none: integers
 * @cost         O(m k log m)
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_cell_dual(agn_graph **out, const agn_tensor *cells,
                                                      int32_t kind);

/**
 * agn_graph_cell_boundary - the nodes of facets that belong to one cell alone
 *
 * @param out    out, i64 [b], each node once, rising
 * @param cells  in, [m, k], an integer dtype
 * @param kind   AGN_CELL_LINE to AGN_CELL_PYRAMID
 * @errors       AGN_ENULL, AGN_ESHAPE (not two axes, or another k than the kind has), AGN_EDTYPE,
 *               AGN_EARG (kind), AGN_EINDEX (names cell and node), AGN_EUNSUPPORTED (sparse),
 *               AGN_EDEVICE, AGN_ESYMBOLIC, AGN_ENOMEM
 * @grad         none: integers
 * @cost         O(m k log m)
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_cell_boundary(agn_tensor **out, const agn_tensor *cells,
                                                          int32_t kind);

/**
 * agn_mesh_triangulate - the Delaunay triangulation of points
 *
 * Triangles in the plane, tetrahedra in space, which fill the convex hull and have no point inside
 * of the spheres through their nodes. Where more points lie on one sphere, it is one of several; in
 * space the faces of neighbours may then cross. Cells are turned as VTK has them and in lexical
 * order, their lowest nodes first. Of points that coincide one is in cells; cells that are flat to
 * rounding are left out.
 *
 * @param cells  out, i64 [m, d + 1], AGN_CELL_TRIANGLE or AGN_CELL_TETRA
 * @param x      in, [n, d], d 2 or 3  real, finite
 * @errors       AGN_ENULL, AGN_ESHAPE (not two axes, or neither two nor three coordinates),
 *               AGN_EDTYPE (complex), AGN_EDOMAIN (names the point with a coordinate that is not
 *               finite; too few points; all on a line or in a plane), AGN_EUNSUPPORTED (sparse;
 *               more than 2^28 points; a library built without Qhull), AGN_EDEVICE, AGN_ESYMBOLIC,
 *               AGN_ENOMEM
 * @grad         none: integers
 * @cost         O(n log n); in space O(n^2) at worst
 * @ref          Barber, Dobkin and Huhdanpaa 1996
 */
AGN_API AGN_MUST_CHECK agn_status agn_mesh_triangulate(agn_tensor **cells, const agn_tensor *x);

/**
 * agn_mesh_sample - points on the triangles of a mesh, as dense everywhere
 *
 * A triangle is drawn by its area, then a point of it: sum of weight[i, k] x[cells[cell[i], k]].
 * The same key gives the same points.
 *
 * @param points  out, [count, d]
 * @param cell    out, i64 [count], the triangle of each; NULL to skip
 * @param weight  out, f64 [count, 3], barycentric coordinates; NULL to skip
 * @param x       in, [n, d], 2 or more coordinates  f32 f64, others by promotion
 * @param cells   in, [m, 3], an integer dtype
 * @param count   how many points, 0 or more
 * @param key     i64 [2]
 * @errors        AGN_ENULL, AGN_ESHAPE (names what does not fit), AGN_EDTYPE (complex; cells that
 *                are no integers), AGN_EARG (count), AGN_EINDEX (names cell and node), AGN_EDOMAIN
 *                (names the point with a coordinate that is not finite; no area),
 *                AGN_EUNSUPPORTED (sparse), AGN_EDEVICE, AGN_ESYMBOLIC, AGN_ENOMEM
 * @grad          points in x, triangles and weights held
 * @cost          O(m + count log m)
 * @ref           Osada et al. 2002
 */
AGN_API AGN_MUST_CHECK agn_status agn_mesh_sample(agn_tensor **points, agn_tensor **cell,
                                                  agn_tensor **weight, const agn_tensor *x,
                                                  const agn_tensor *cells, int64_t count,
                                                  const agn_tensor *key);

#ifdef __cplusplus
}
#endif
#endif
