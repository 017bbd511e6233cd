/**
 * agnesi/geometric_points.h - graphs of points in space
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Points are rows of d coordinates, of any number d. Edges come by destinations, the nearest source
 * first; of equal distances the lower number comes first. Sizes of results depend on values, so
 * that nothing here can be traced.
 */
#ifndef AGNESI_GEOMETRIC_POINTS_H
#define AGNESI_GEOMETRIC_POINTS_H

#include <agnesi/geometric_graph.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * agn_graph_knn - edges from the nearest points
 *
 * Edges go from points of x to points of y. Several clouds are told apart by ids: only points of
 * one id are neighbours.
 *
 * @param out    out, to be released
 * @param x      in, [n, d]  real, finite
 * @param y      in, [m, d]  real, finite; NULL: x, and no point is its own neighbour
 * @param ids_x  in, [n], an integer dtype, the cloud of each point; NULL: one cloud
 * @param ids_y  in, [m], an integer dtype; NULL where ids_x or y is
 * @param k      neighbours of one point, as far as there are
 * @errors       AGN_ENULL (also ids of one side alone), AGN_ESHAPE (not two axes, coordinates or
 *               ids differ in number), AGN_EDTYPE (complex; ids that are no integers), AGN_EARG (k
 *               below 0), AGN_EDOMAIN (names the point with a coordinate that is not finite),
 *               AGN_EUNSUPPORTED (sparse), AGN_EDEVICE, AGN_ESYMBOLIC, AGN_ENOMEM
 * @grad         none: integers
 * @cost         O((n + m k) log n) in few dimensions, O(n m d) at worst
 * @ref          Friedman, Bentley and Finkel 1977
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_knn(agn_graph **out, const agn_tensor *x,
                                                const agn_tensor *y, const agn_tensor *ids_x,
                                                const agn_tensor *ids_y, int64_t k);

/**
 * agn_graph_radius - edges from the points within a distance
 *
 * @param out     out, to be released
 * @param x       in, [n, d]  real, finite
 * @param y       in, [m, d]  real, finite; NULL: x, and no point is its own neighbour
 * @param ids_x   in, [n], an integer dtype, the cloud of each point; NULL: one cloud
 * @param ids_y   in, [m], an integer dtype; NULL where ids_x or y is
 * @param radius  from 0 on; points at that distance are within
 * @param most    neighbours of one point, the nearest ones; below 0: all
 * @errors        those of agn_graph_knn but AGN_EARG; AGN_EDOMAIN (radius is negative or not
 *                finite)
 * @grad          none: integers
 * @cost          O(n log n + m log n + e log e) in few dimensions, O(n m d) at worst
 * @ref           Bentley 1975
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_radius(agn_graph **out, const agn_tensor *x,
                                                   const agn_tensor *y, const agn_tensor *ids_x,
                                                   const agn_tensor *ids_y, double radius,
                                                   int64_t most);

/**
 * agn_graph_farthest_points - points that are spread, each the farthest from those before it
 *
 * @param out    out, i64 [count], numbers of points, each once
 * @param x      in, [n, d]  real, finite
 * @param count  how many, 0 to n
 * @param start  the first of them
 * @errors       AGN_ENULL, AGN_ESHAPE (not two axes), AGN_EDTYPE (complex), AGN_EARG (count),
 *               AGN_EINDEX (start), AGN_EDOMAIN (names the point with a coordinate that is not
 *               finite), AGN_EUNSUPPORTED (sparse), AGN_EDEVICE, AGN_ESYMBOLIC, AGN_ENOMEM
 * @grad         none: integers
 * @cost         O(n count d)
 * @ref          Gonzalez 1985; Eldar et al. 1997
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_farthest_points(agn_tensor **out, const agn_tensor *x,
                                                            int64_t count, int64_t start);

/**
 * agn_graph_radius_periodic - edges from the points within a distance, where space repeats
 *
 * Point i stands at x[i] + any whole combination of the rows of cell. An edge of shift s leads from
 * x[src] + s cell to x[dst]; there may be several of a pair, and of a point to itself. Edges come
 * by destinations, the nearest first.
 *
 * @param out     out, to be released
 * @param shift   out, i64 [edges, d]
 * @param x       in, [n, d]  real, finite, also outside of the cell
 * @param cell    in, [d, d], vectors by rows  real, finite; a row of zeros does not repeat
 * @param radius  above 0; points at that distance are within
 * @errors        AGN_ENULL, AGN_ESHAPE (x has not two axes, or cell not [d, d]), AGN_EDTYPE
 *                (complex), AGN_EDOMAIN (names the point with a coordinate that is not finite;
 *                radius; cell has no volume), AGN_EUNSUPPORTED (sparse, d above 8), AGN_EDEVICE,
 *                AGN_ESYMBOLIC, AGN_ENOMEM
 * @grad          none: integers
 * @cost          O(images log images + e log e)
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_radius_periodic(agn_graph **out, agn_tensor **shift,
                                                            const agn_tensor *x,
                                                            const agn_tensor *cell, double radius);

/**
 * agn_graph_knn_periodic - edges from the nearest points, where space repeats
 *
 * As agn_graph_radius_periodic has points, edges and shifts; of equal distances the lower source,
 * then the lower shift.
 *
 * @param out    out, to be released
 * @param shift  out, i64 [edges, d]
 * @param x      in, [n, d]  real, finite, also outside of the cell
 * @param cell   in, [d, d], vectors by rows  real, finite; a row of zeros does not repeat
 * @param k      neighbours of one point; fewer only where no row repeats and there are no more
 *               points
 * @errors       AGN_ENULL, AGN_ESHAPE (x has not two axes, or cell not [d, d]), AGN_EDTYPE
 *               (complex), AGN_EARG (k below 0), AGN_EDOMAIN (names the point with a coordinate
 *               that is not finite; a cell without volume), AGN_EUNSUPPORTED (sparse, more than 8
 *               coordinates), AGN_EDEVICE, AGN_ESYMBOLIC, AGN_ENOMEM
 * @grad         none: integers
 * @cost         O((n + images) log images)
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_knn_periodic(agn_graph **out, agn_tensor **shift,
                                                         const agn_tensor *x,
                                                         const agn_tensor *cell, int64_t k);

/**
 * agn_graph_farthest_points_batch - points that are spread over each cloud
 *
 * Of n points of a cloud ceil(ratio n), from its first point on; clouds by rising ids.
 *
 * @param out    out, i64 [k], numbers of points, each once
 * @param x      in, [n, d]  real, finite
 * @param ids    in, [n], an integer dtype, the cloud of each point
 * @param ratio  in (0, 1]
 * @errors       AGN_ENULL, AGN_ESHAPE (not two axes, not an id for each), AGN_EDTYPE (complex; ids
 *               that are no integers), AGN_EDOMAIN (ratio; names the point with a coordinate that
 *               is not finite), AGN_EUNSUPPORTED (sparse), AGN_EDEVICE, AGN_ESYMBOLIC, AGN_ENOMEM
 * @grad         none: integers
 * @cost         O(ratio n^2 d) of each cloud
 * @ref          Gonzalez 1985; Eldar et al. 1997
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_farthest_points_batch(agn_tensor **out,
                                                                  const agn_tensor *x,
                                                                  const agn_tensor *ids,
                                                                  double ratio);

/**
 * agn_graph_grid_cluster - the box of a grid that each point lies in
 *
 * Boxes begin at the least coordinates, and are numbered by their first points.
 *
 * @param ids    out, i64 [n]
 * @param count  out, how many boxes have points; may be NULL
 * @param x      in, [n, d]  real, finite
 * @param size   in, [d], edges of a box  real, finite, above 0
 * @errors       AGN_ENULL, AGN_ESHAPE (not two axes, not a size for each coordinate), AGN_EDTYPE
 *               (complex), AGN_EDOMAIN (names the point with a coordinate that is not finite; a
 *               size; 2^62 boxes along an axis), AGN_EUNSUPPORTED (sparse, 2^31 points),
 *               AGN_EDEVICE, AGN_ESYMBOLIC, AGN_ENOMEM
 * @grad         none: integers
 * @cost         O(n d log n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_grid_cluster(agn_tensor **ids, int64_t *count,
                                                         const agn_tensor *x,
                                                         const agn_tensor *size);

#ifdef __cplusplus
}
#endif
#endif
