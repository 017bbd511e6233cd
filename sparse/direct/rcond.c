/* sparse/direct/rcond.c - reciprocal condition number from a factor: |a|_1 exactly, |a^-1|_1
   estimated by solves with a and a^H (Hager 1984; Higham 1988, algorithm 4.1). */
#include "sparse/direct/factor.h"

#include <math.h>
#include <string.h>

static double entry_magnitude(const double *x, int64_t k, int parts)
{
    return parts == 2 ? hypot(x[2 * k], x[2 * k + 1]) : fabs(x[k]);
}

/* |a|_1: the largest sum of a column; lower: of the matrix that the lower triangle stands for */
static agn_status norm_one(const agni_direct_problem *a, bool lower, double *out)
{
    double *sum = agni_zalloc((size_t)(a->p->cols + 1) * sizeof *sum);
    if (!sum)
        return agni_nomem(a->op, (size_t)a->p->cols * sizeof *sum);
    for (int64_t i = 0; i < a->p->rows; i++)
        for (int64_t e = agni_row_begin(a->p, i); e < agni_row_begin(a->p, i + 1); e++) {
            int64_t j = agni_entry_col(a->p, e);
            double size = lower && j > i ? 0 : entry_magnitude(a->v, e, a->parts);
            sum[j] += size;
            if (lower && j < i)
                sum[i] += size;
        }
    *out = 0;
    for (int64_t j = 0; j < a->p->cols; j++)
        *out = sum[j] > *out ? sum[j] : *out;
    agni_free(sum);
    return AGN_OK;
}

/* x_i / |x_i|, 1 for 0 */
static void to_unit_signs(double *x, int64_t n, int parts)
{
    for (int64_t i = 0; i < n; i++) {
        double s = entry_magnitude(x, i, parts);
        x[i * parts] = s > 0 ? x[i * parts] / s : 1;
        if (parts == 2)
            x[2 * i + 1] = s > 0 ? x[2 * i + 1] / s : 0;
    }
}
static void conjugate_vector(double *x, int64_t n, int parts)
{
    for (int64_t i = 0; parts == 2 && i < n; i++)
        x[2 * i + 1] = -x[2 * i + 1];
}

agn_status agn_sparse_factor_rcond(double *out, const agn_sparse_factor *f)
{
    static const char *const op = "sparse_factor_rcond";
    AGNI_NEED("sparse_factor_rcond", out);
    AGNI_NEED("sparse_factor_rcond", f);
    const agni_direct_problem a = agni_factor_problem(op, f);
    int64_t n = f->p->rows, last = -1;
    int parts = a.parts;
    double norm = 0, best = 0, *x = agni_alloc((size_t)(2 * n * parts) * sizeof *x);
    agn_status st = x ? norm_one(&a, f->how.method == AGN_SPARSE_CHOLESKY_LOWER, &norm)
                      : agni_nomem(op, (size_t)(2 * n * parts) * sizeof *x);
    double *y = x + n * parts;
    for (int64_t i = 0; !st && i < n * parts; i++)
        x[i] = parts == 2 && i % 2 ? 0 : 1 / (double)n;
    for (int round = 0; !st && round < 5; round++) {
        double sum = 0;
        st = agni_numeric_solve(f->num, &a, AGNI_SOLVE_PLAIN, 1, x, y);
        for (int64_t i = 0; !st && i < n; i++)
            sum += entry_magnitude(y, i, parts);
        if (st || !(sum > best))
            break;
        best = sum;
        to_unit_signs(y, n, parts);
        conjugate_vector(y, n, parts); /* a^-H s by a^-T of its conjugate */
        st = agni_numeric_solve(f->num, &a, AGNI_SOLVE_TRANSPOSED, 1, y, x);
        if (st)
            break;
        int64_t at = 0;
        for (int64_t i = 1; i < n; i++)
            at = entry_magnitude(x, i, parts) > entry_magnitude(x, at, parts) ? i : at;
        if (at == last)
            break;
        last = at;
        memset(x, 0, (size_t)(n * parts) * sizeof *x);
        x[at * parts] = 1;
    }
    /* Higham's vector of alternating signs, for matrices on which the iteration stops early */
    for (int64_t i = 0; !st && i < n; i++) {
        x[i * parts] = (i % 2 ? -1 : 1) * (1 + (double)i / (double)(n > 1 ? n - 1 : 1));
        if (parts == 2)
            x[2 * i + 1] = 0;
    }
    if (!st)
        st = agni_numeric_solve(f->num, &a, AGNI_SOLVE_PLAIN, 1, x, y);
    if (!st) {
        double sum = 0;
        for (int64_t i = 0; i < n; i++)
            sum += entry_magnitude(y, i, parts);
        best = fmax(best, 2 * sum / (3 * (double)n));
        *out = norm * best > 0 ? 1 / (norm * best) : 0;
    }
    agni_free(x);
    return st;
}
