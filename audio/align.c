/* audio/align.c - the cheapest path through a table of costs (dynamic time warping; Sakoe & Chiba
   1978): one step along either axis, or along both. */
#include "audio/audio.h"
#include "tensor/dispatch/host_run.h"

#include <math.h>

agn_status agn_audio_dtw(agn_tensor **total, agn_tensor **path, const agn_tensor *cost)
{
    agni_host_call h;
    if (agni_host_call_begin(&h, "audio_dtw", 1, (const agn_tensor *[]){cost})) {
        agn_status st = h.st ? h.st : agn_audio_dtw(total ? &h.y[0] : NULL, path ? &h.y[1] : NULL,
                                                    h.in[0]);
        return agni_host_call_end(&h, st, 2, (agn_tensor * *[]){total, path});
    }
    static const char op[] = "audio_dtw";
    agn_tensor *wide = NULL, *rows = NULL, *sums = NULL, *way = NULL;
    const void *data = NULL;
    if (!total || !path || !cost)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op,
                         !total  ? "total"
                         : !path ? "path"
                                 : "cost");
    if (agni_kind(cost->dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "%s: cost is %s %s; a real dtype is needed", op,
                         agni_dtypes[cost->dtype].name, AGNI_SHAPE(cost));
    if (cost->ndim != 2 || !cost->size)
        return agni_fail(AGN_ESHAPE, "%s: cost is %s; it is [n, m], neither 0", op,
                         AGNI_SHAPE(cost));
    int64_t n = cost->shape[0], m = cost->shape[1], steps = 0;
    agn_status st = agn_cast(&wide, cost, AGN_F64);
    if (!st)
        st = agn_contiguous(&rows, wide);
    agn_release(wide);
    if (!st)
        st = agn_data_contiguous(&data, rows);
    size_t size = (size_t)(n * m) * sizeof(double) + (size_t)(n + m) * 2 * sizeof(int64_t);
    double *d = st ? NULL : agni_alloc(size);
    if (!st && !d)
        st = agni_nomem(op, size);
    if (st) {
        agn_release(rows);
        return agni_rename_error(op, st);
    }
    int64_t *back = (int64_t *)(d + n * m), *at = back + 2 * (n + m);
    const double *c = data;
    bool nan = false;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < m; j++) {
            double best = i && j ? d[(i - 1) * m + j - 1] : i + j ? (double)INFINITY : 0;
            if (i && d[(i - 1) * m + j] < best)
                best = d[(i - 1) * m + j];
            if (j && d[i * m + j - 1] < best)
                best = d[i * m + j - 1];
            d[i * m + j] = best + c[i * m + j];
            nan = nan || isnan(c[i * m + j]);
        }
    /* from the end, the diagonal first where steps are equally cheap */
    for (int64_t i = n - 1, j = m - 1;; steps++) {
        at -= 2;
        at[0] = i;
        at[1] = j;
        if (!i && !j)
            break;
        double both = i && j ? d[(i - 1) * m + j - 1] : (double)INFINITY,
               up = i ? d[(i - 1) * m + j] : (double)INFINITY,
               left = j ? d[i * m + j - 1] : (double)INFINITY;
        bool diagonal = i && j && both <= up && both <= left;
        bool from_up = i && (!j || (!diagonal && up <= left));
        i -= diagonal || from_up;
        j -= diagonal || !from_up;
    }
    if (nan)
        st = agni_fail(AGN_EDOMAIN, "%s: cost %s has a NaN; no path is the cheapest", op,
                       AGNI_SHAPE(cost));
    if (!st)
        st = agn_from_host(&sums, AGN_F64, 2, (int64_t[]){n, m}, d);
    if (!st)
        st = agn_from_host(&way, AGN_I64, 2, (int64_t[]){steps + 1, 2}, at);
    agni_free(d);
    agn_release(rows);
    if (st) {
        agn_release(sums);
        agn_release(way);
        return st;
    }
    *total = sums;
    *path = way;
    return AGN_OK;
}
