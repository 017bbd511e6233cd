/* sparse/direct/cpu/triangular.c - substitution with a triangle whose diagonal is stored. */
#include "sparse/direct/direct.h"

#include <complex.h>
#include <math.h>

typedef struct symbolic {
    bool upper;
} symbolic;

static agn_status analyse_matrix(void **out, const char *op, const agni_pattern *p, int order)
{
    bool lower = true, upper = true;
    int64_t bad = -1;
    (void)order;
    for (int64_t i = 0; i < p->rows && (lower || upper); i++) {
        int64_t e = agni_row_begin(p, i), end = agni_row_begin(p, i + 1);
        lower = lower && e < end && agni_entry_col(p, end - 1) == i;
        upper = upper && e < end && agni_entry_col(p, e) == i;
        bad = i;
    }
    if (!lower && !upper)
        return agni_fail(
            AGN_EARG,
            "%s: the pattern of [%lld,%lld] is no triangle with its diagonal: row "
            "%lld",
            op, (long long)p->rows, (long long)p->cols, (long long)bad);
    symbolic *s = agni_alloc(sizeof *s);
    if (!s)
        return agni_nomem(op, sizeof *s);
    s->upper = !lower;
    *out = s;
    return AGN_OK;
}

/* the values are the factor; the diagonal is checked for 0 */
static agn_status factor_matrix(void **out, void *sym, const agni_direct_problem *a)
{
    const symbolic *s = sym;
    const agni_pattern *p = a->p;
    for (int64_t i = 0; i < p->rows; i++) {
        int64_t e = s->upper ? agni_row_begin(p, i) : agni_row_begin(p, i + 1) - 1;
        const double *d = a->v + e * a->parts;
        if (d[0] == 0 && (a->parts == 1 || d[1] == 0))
            return agni_fail(AGN_EDOMAIN,
                             "%s: matrix %lld is singular: row %lld of %lld", a->op,
                             (long long)a->lane, (long long)i, (long long)p->rows);
    }
    *out = NULL;
    return AGN_OK;
}

/* x_i = (b_i - sum of v_e x_j) / v_ii by rows; transposed, x_i is subtracted from the rows that
   follow. */
#define SUBSTITUTE(T, name)                                                            \
    static void name(const agni_pattern *p, const T *v, bool upper, bool turned, T *x) \
    {                                                                                  \
        int64_t n = p->rows;                                                           \
        bool down = upper == turned; /* from the first row on */                       \
        for (int64_t k = 0; k < n; k++) {                                              \
            int64_t i = down ? k : n - 1 - k;                                          \
            int64_t first = agni_row_begin(p, i), last = agni_row_begin(p, i + 1);             \
            int64_t d = upper ? first++ : --last;                                      \
            if (turned) {                                                              \
                x[i] /= v[d];                                                          \
                for (int64_t e = first; e < last; e++)                                 \
                    x[agni_entry_col(p, e)] -= v[e] * x[i];                                  \
            } else {                                                                   \
                for (int64_t e = first; e < last; e++)                                 \
                    x[i] -= v[e] * x[agni_entry_col(p, e)];                                  \
                x[i] /= v[d];                                                          \
            }                                                                          \
        }                                                                              \
    }
SUBSTITUTE(double, substitute_f64)
SUBSTITUTE(double complex, substitute_c128)

static agn_status solve_columns(void *what, void *sym, const agni_direct_problem *a,
                                agni_direct_system system, int64_t k, const double *b, double *x)
{
    const symbolic *s = sym;
    int64_t n = a->p->rows;
    bool turned = system == AGNI_SOLVE_TRANSPOSED;
    (void)what;
    for (int64_t c = 0; c < k; c++, b += n * a->parts, x += n * a->parts) {
        for (int64_t i = 0; i < n * a->parts; i++)
            x[i] = b[i];
        if (a->parts == 2)
            substitute_c128(a->p, (const double complex *)(const void *)a->v, s->upper,
                            turned, (double complex *)(void *)x);
        else
            substitute_f64(a->p, a->v, s->upper, turned, x);
    }
    return AGN_OK;
}

static agn_status log_determinant(void *what, void *sym, const agni_direct_problem *a, double *log_,
                                  double *sign)
{
    const symbolic *s = sym;
    double sum = 0;
    double complex c = 1;
    (void)what;
    for (int64_t i = 0; i < a->p->rows; i++) {
        int64_t e = s->upper ? agni_row_begin(a->p, i) : agni_row_begin(a->p, i + 1) - 1;
        const double *d = a->v + e * a->parts;
        double complex z = d[0];
        if (a->parts == 2)
            __imag__(z) = d[1];
        sum += log(cabs(z));
        c *= z / cabs(z);
    }
    *log_ = sum;
    if (sign) {
        sign[0] = creal(c);
        sign[1] = cimag(c);
    }
    return AGN_OK;
}

static void free_numeric(void *what)
{
    (void)what;
}

const agni_method agni_triangular = {.name = "triangular",
                                     .analyse = analyse_matrix,
                                     .free_symbolic = agni_free,
                                     .factor = factor_matrix,
                                     .free_numeric = free_numeric,
                                     .solve = solve_columns,
                                     .det = log_determinant};
