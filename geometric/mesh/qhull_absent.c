/* geometric/mesh/qhull_absent.c - a library that was built without Qhull refuses to triangulate. */
#include "geometric/mesh/delaunay.h"

agn_status agni_delaunay_cells(int64_t **cells, int64_t *m, const char *op, int64_t n, int64_t d,
                               double *x)
{
    (void)cells, (void)m, (void)n, (void)d, (void)x;
    return agni_fail(AGN_EUNSUPPORTED, "%s: this library was built without Qhull", op);
}
