/* geometric/mesh/delaunay.h - what stands between triangulations and the library that finds
   them. */
#ifndef AGNI_DELAUNAY_H
#define AGNI_DELAUNAY_H

#include "core/core.h"

/* Delaunay cells of n points of d finite coordinates: m rows of d + 1 numbers of points, in any
   order, to be freed */
agn_status agni_delaunay_cells(int64_t **cells, int64_t *m, const char *op, int64_t n, int64_t d,
                               double *x);

#endif
