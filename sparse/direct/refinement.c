/* sparse/direct/refinement.c - iterative refinement (Wilkinson 1963; Higham 2002, 12) of solves
   with a factor whose pivots may have grown: it ends by a small backward error, or says that there
   is none. */
#include "sparse/direct/direct.h"

#include <math.h>

/* a small multiple of rounding, and what is still called a solution */
static const double good_error = 0x1p-46, worst_error = 1e-11;
enum { MOST_STEPS = 5 };

static double part_size(const double *x, int64_t i, int parts)
{
    return parts == 2 ? hypot(x[2 * i], x[2 * i + 1]) : fabs(x[i]);
}

/* r = b - a x or b - a^T x; the largest |r| by that of |a| |x| + |b|, which is 0 for 0 by 0 */
static double backward_error(const agni_direct_problem *a, bool turned, const double *b,
                             const double *x, double *r, double *size)
{
    const agni_pattern *p = a->p;
    int parts = a->parts;
    double most = 0, scale = 0;
    for (int64_t i = 0; i < p->rows; i++) {
        size[i] = part_size(b, i, parts);
        for (int c = 0; c < parts; c++)
            r[i * parts + c] = b[i * parts + c];
    }
    for (int64_t i = 0; i < p->rows; i++)
        for (int64_t e = agni_row_begin(p, i); e < agni_row_begin(p, i + 1); e++) {
            int64_t j = agni_entry_col(p, e), to = turned ? j : i, from = turned ? i : j;
            const double *v = a->v + e * parts, *y = x + from * parts;
            size[to] += part_size(v, 0, parts) * part_size(y, 0, parts);
            if (parts == 1) {
                r[to] -= v[0] * y[0];
                continue;
            }
            r[2 * to] -= v[0] * y[0] - v[1] * y[1];
            r[2 * to + 1] -= v[0] * y[1] + v[1] * y[0];
        }
    for (int64_t i = 0; i < p->rows; i++) {
        double now = part_size(r, i, parts);
        if (!(now <= most))
            most = now; /* also NaN, which stays */
        scale = fmax(scale, size[i]);
    }
    return most == 0 ? 0 : most / scale;
}

static agn_status fail_growth(const agni_method *by, const agni_direct_problem *a, double error)
{
    return agni_fail(
        AGN_EDOMAIN,
        "%s: %s: pivots of matrix %lld grew, and none is exchanged: a backward error of "
        "%.2g; lu exchanges them",
        a->op, by->name, (long long)a->lane, error);
}

agn_status agni_check_growth(const agni_method *by, void *what, void *symbolic,
                             const agni_direct_problem *a)
{
    int64_t len = a->p->rows * a->parts;
    size_t bytes = (size_t)(4 * len + 1) * sizeof(double);
    double *b = agni_alloc(bytes), *x = b + len;
    if (!b)
        return agni_nomem(a->op, bytes);
    for (int64_t i = 0; i < len; i++)
        b[i] = cos((double)i);
    agn_status st = by->solve(what, symbolic, a, AGNI_SOLVE_PLAIN, 1, b, x);
    double error = st ? 0 : backward_error(a, false, b, x, x + len, x + 2 * len);
    if (!st && !(error <= worst_error))
        st = fail_growth(by, a, error);
    agni_free(b);
    return st;
}

agn_status agni_refine_solution(const agni_method *by, void *what, void *symbolic,
                                const agni_direct_problem *a, agni_direct_system system, int64_t k,
                                const double *b, double *x)
{
    int64_t n = a->p->rows, len = n * a->parts;
    size_t bytes = (size_t)(3 * len + 1) * sizeof(double);
    double *r = agni_alloc(bytes), *d = r + len, *size = d + len;
    if (!r)
        return agni_nomem(a->op, bytes);
    agn_status st = AGN_OK;
    for (int64_t c = 0; c < k && !st; c++, b += len, x += len) {
        double last = INFINITY;
        for (int step = 0; !st; step++) {
            double error = backward_error(a, system == AGNI_SOLVE_TRANSPOSED, b, x, r, size);
            if (error <= good_error || (error <= worst_error && !(error < last / 2)))
                break;
            if (step == MOST_STEPS || !(error < last)) {
                st = fail_growth(by, a, error);
                break;
            }
            last = error;
            st = by->solve(what, symbolic, a, system, 1, r, d);
            for (int64_t i = 0; !st && i < len; i++)
                x[i] += d[i];
        }
    }
    agni_free(r);
    return st;
}
