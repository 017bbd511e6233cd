/**
 * agnesi/geometric_points.h - graphs of points in space
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Points are rows of d coordinates, of any number d. Edges come by destinations, the nearest source first; of equal
 * distances the lower number comes first. Sizes of results depend on values, so that nothing here can be traced.
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
 * Edges go from points of x to points of y. Several clouds are told apart by ids: only points of one id are neighbours.
 *
 * @param out    out, to be released
 * @param x      in, [n, d]  real, finite
 * @param y      in, [m, d]  real, finite; NULL: x, and no point is its own neighbour
 * @param ids_x  in, [n], an integer dtype, the cloud of each point; NULL: one cloud
 * @param ids_y  in, [m], an integer dtype; NULL where ids_x or y is
 * @param k      neighbours of one point, as far as there are
 * @errors       AGN_ENULL (also ids of one side alone), AGN_ESHAPE (not two axes, coordinates or ids differ in number),
 *               AGN_EDTYPE (complex; ids that are no integers), AGN_EARG (k below 0), AGN_EDOMAIN (names the point with
 *               a coordinate that is not finite), AGN_EUNSUPPORTED (sparse), AGN_EDEVICE, AGN_ESYMBOLIC, AGN_ENOMEM
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
 * @errors        those of agn_graph_knn but AGN_EARG; AGN_EDOMAIN (radius is negative or not finite)
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
 * @errors       AGN_ENULL, AGN_ESHAPE (not two axes), AGN_EDTYPE (complex), AGN_EARG (count), AGN_EINDEX (start),
 *               AGN_EDOMAIN (names the point with a coordinate that is not finite), AGN_EUNSUPPORTED (sparse),
 *               AGN_EDEVICE, AGN_ESYMBOLIC, AGN_ENOMEM
 * @grad         none: integers
 * @cost         O(n count d)
 * @ref          Gonzalez 1985; Eldar et al. 1997
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_farthest_points(agn_tensor **out, const agn_tensor *x,
                                                            int64_t count, int64_t start);

#ifdef __cplusplus
}
#endif
#endif
