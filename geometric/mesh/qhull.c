/* geometric/mesh/qhull.c - Delaunay cells by Qhull, as the lower hull of points lifted to a
   paraboloid (Barber, Dobkin and Huhdanpaa 1996; Edelsbrunner and Seidel 1986). */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "geometric/mesh/delaunay.h"

#include <stdio.h>
#include <string.h>
#include <libqhull_r/libqhull_r.h>

static agn_status copy_cells(int64_t **cells, int64_t *m, const char *op, qhT *qh, int64_t n,
                             int64_t d)
{
    facetT *facet;
    vertexT *vertex, **vertexp;
    int64_t count = 0, *to;
    FORALLfacets count += !facet->upperdelaunay;
    to = agni_alloc((size_t)(count * (d + 1) + 1) * sizeof *to);
    if (!to)
        return agni_nomem(op, (size_t)(count * (d + 1)) * sizeof *to);
    count = 0;
    FORALLfacets
    {
        int64_t k = 0, *row = to + count * (d + 1);
        bool own = !facet->upperdelaunay && facet->simplicial;
        if (own)
            FOREACHvertex_(facet->vertices)
            {
                int64_t i = qh_pointid(qh, vertex->point);
                own &= k <= d && i >= 0 && i < n; /* the point at infinity is number n */
                if (own)
                    row[k++] = i;
            }
        count += own && k == d + 1;
    }
    *cells = to;
    *m = count;
    return AGN_OK;
}

agn_status agni_delaunay_cells(int64_t **cells, int64_t *m, const char *op, int64_t n, int64_t d,
                               double *x)
{
    char said[512] = "", command[] = "qhull d Qt Qbb Qc Qz Q12";
    int left = 0, blocks = 0;
    agn_status st = AGN_OK;
    qhT *qh = agni_zalloc(sizeof *qh);
    FILE *err = fmemopen(said, sizeof said, "w");
    if (!qh || !err) {
        if (err)
            fclose(err);
        agni_free(qh);
        return agni_nomem(op, sizeof *qh);
    }
    qh_zero(qh, err);
    int code = qh_new_qhull(qh, (int)d, (int)n, x, False, command, NULL, err);
    if (!code)
        st = copy_cells(cells, m, op, qh, n, d);
    qh_freeqhull(qh, !qh_ALL);
    qh_memfreeshort(qh, &left, &blocks);
    fclose(err);
    agni_free(qh);
    if (code == qh_ERRmem)
        return agni_nomem(op, (size_t)n * sizeof(facetT));
    if (code) { /* of a report of several lines the first */
        said[strcspn(said, "\n")] = 0;
        return agni_fail(AGN_EDOMAIN, "%s: the points lie %s: %s", op,
                         d == 2 ? "on a line" : "in a plane",
                         said[0] ? said : "Qhull finds no cells");
    }
    return st;
}
