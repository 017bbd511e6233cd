/* geometric/points/farthest.c - farthest point sampling (Gonzalez 1985; Eldar et al. 1997). */
#include "geometric/points/points.h"

#include <agnesi/ag.h>
#include <agnesi/geometric_points.h>
#include <math.h>

agn_status agn_graph_farthest_points(agn_tensor **out, const agn_tensor *x, int64_t count, int64_t start)
{
    static const char op[] = "graph_farthest_points";
    agni_cloud c;
    agn_tensor *y = NULL;
    double *square = NULL;
    AGNI_NEED(op, out);
    AGNI_NEED(op, x);
    agn_scope *s = agn_scope_open(NULL);
    bool good = agni_read_cloud(s, op, "x", x, NULL, &c);
    if (good && (count < 0 || count > c.n))
        agn_scope_fail(s, agni_fail(AGN_EARG, "%s: %lld of %lld points", op, (long long)count, (long long)c.n));
    else if (good && count && (start < 0 || start >= c.n))
        agn_scope_fail(s, agni_fail(AGN_EINDEX, "%s: start %lld is out of range for %lld points", op, (long long)start,
                                    (long long)c.n));
    if (good && !agn_scope_status(s)) {
        agn_status st = agni_tensor_make(&y, op, AGN_I64, 1, &count, AGN_CPU);
        square = agni_alloc((size_t)(c.n + 1) * sizeof *square);
        if (!st && !square)
            st = agni_nomem(op, (size_t)c.n * sizeof *square);
        for (int64_t i = 0; !st && i < c.n; i++)
            square[i] = (double)INFINITY;
        for (int64_t k = 0, at = start; !st && k < count; k++) {
            int64_t next = 0;
            ((int64_t *)y->data)[k] = at;
            square[at] = -1; /* taken once */
            for (int64_t i = 0; i < c.n; i++) {
                double sum = 0;
                for (int64_t j = 0; j < c.d; j++) {
                    double e = c.x[i * c.d + j] - c.x[at * c.d + j];
                    sum += e * e;
                }
                square[i] = sum < square[i] ? sum : square[i];
                next = square[i] > square[next] ? i : next;
            }
            at = next;
        }
        if (st) {
            agn_release(y);
            y = NULL;
        }
        agn_scope_return(s, out, agn_scope_adopt(s, st, &y));
    }
    agni_free(square);
    return agni_rename_error(op, agn_scope_close(s));
}
