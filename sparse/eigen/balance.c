/* sparse/eigen/balance.c - a diagonal similarity by powers of two, D^-1 A D, that makes rows and
   columns as long as each other (Parlett & Reinsch 1969): rounding is then measured by what the
   matrix is, not by its units. No bit of an entry changes but the exponent. */
#include "sparse/eigen/eigen.h"

#include <math.h>
#include <string.h>

enum { SWEEPS = 100, FARTHEST = 480 }; /* exponents: two of them leave a number a number */

/* entries by rows, and by columns through `by_column` */
typedef struct entries {
    int64_t n, count;
    int64_t *row, *col, *row_begin, *column_begin, *by_column;
    double *size; /* |a| */
} entries;

static void list_entries(entries *q, const agni_linear_operator *o, const agn_tensor *v)
{
    const agni_z *a = v->data;
    int64_t k = 0;
    for (int64_t i = 0; i < q->n; i++) {
        q->row_begin[i] = k;
        if (o->pattern)
            for (int64_t e = agni_row_begin(o->pattern, i); e < agni_row_begin(o->pattern, i + 1);
                 e++)
                q->col[k++] = agni_entry_col(o->pattern, e);
        else
            for (int64_t j = 0; j < q->n; j++)
                q->col[k++] = j;
        for (int64_t e = q->row_begin[i]; e < k; e++)
            q->row[e] = i;
    }
    q->row_begin[q->n] = k;
    memset(q->column_begin, 0, (size_t)(q->n + 2) * sizeof *q->column_begin);
    for (int64_t e = 0; e < k; e++) {
        q->size[e] = cabs(a[e]);
        q->column_begin[q->col[e] + 2]++;
    }
    for (int64_t j = 0; j < q->n; j++)
        q->column_begin[j + 2] += q->column_begin[j + 1];
    for (int64_t e = 0; e < k; e++)
        q->by_column[q->column_begin[q->col[e] + 1]++] = e;
}

static double scaled_size(const entries *q, const int32_t *d, int64_t e)
{
    return q->row[e] == q->col[e] ? 0 : ldexp(q->size[e], d[q->col[e]] - d[q->row[e]]);
}

/* by how much d[i] is to change: 2^(that) is nearest to sqrt(row / column) */
static int32_t find_step(const entries *q, const int32_t *d, int64_t i)
{
    double row = 0, column = 0;
    for (int64_t e = q->row_begin[i]; e < q->row_begin[i + 1]; e++)
        row += scaled_size(q, d, e);
    for (int64_t k = q->column_begin[i]; k < q->column_begin[i + 1]; k++)
        column += scaled_size(q, d, q->by_column[k]);
    if (!(row > 0) || !(column > 0) || !isfinite(row) || !isfinite(column))
        return 0;
    int32_t step = (int32_t)lround(log2(row / column) / 2);
    int32_t to = d[i] + step;
    to = to > FARTHEST ? FARTHEST : to < -FARTHEST ? -FARTHEST : to;
    step = to - d[i];
    return ldexp(row, -step) + ldexp(column, step) < 0.95 * (row + column) ? step : 0;
}

static agn_status scale_entries(agn_tensor **out, const entries *q, const int32_t *d,
                                const agn_tensor *v)
{
    agn_status st = agn_copy(out, v);
    double *a = st ? NULL : (*out)->data;
    for (int64_t e = 0; a && e < q->count; e++)
        for (int part = 0; part < 2; part++)
            a[2 * e + part] = ldexp(a[2 * e + part], d[q->col[e]] - d[q->row[e]]);
    return st;
}

agn_status agni_eigen_balance(agn_tensor **out, int32_t *d, const char *op,
                              const agni_linear_operator *o, const agn_tensor *v)
{
    entries q = {.n = o->rows, .count = v->size};
    size_t ints = (size_t)(3 * q.count + 2 * q.n + 4), bytes = ints * sizeof(int64_t);
    int64_t *room = agni_alloc(bytes);
    q.size = agni_alloc((size_t)(q.count + 1) * sizeof *q.size);
    agn_status st = room && q.size ? AGN_OK : agni_nomem(op, bytes);
    bool changed = false;
    memset(d, 0, (size_t)q.n * sizeof *d);
    if (!st) {
        q.row = room;
        q.col = q.row + q.count;
        q.by_column = q.col + q.count;
        q.row_begin = q.by_column + q.count;
        q.column_begin = q.row_begin + q.n + 1;
        list_entries(&q, o, v);
        bool moved = true;
        for (int sweep = 0; sweep < SWEEPS && moved; sweep++) {
            moved = false;
            for (int64_t i = 0; i < q.n; i++) {
                int32_t step = find_step(&q, d, i);
                d[i] += step;
                moved = moved || step;
            }
            changed = changed || moved;
        }
        if (changed)
            st = scale_entries(out, &q, d, v);
        else
            *out = agni_tensor_ref(v);
    }
    agni_free(room);
    agni_free(q.size);
    return st;
}

void agni_eigen_unbalance(int64_t n, const int32_t *d, agni_z *x)
{
    int32_t most = -FARTHEST;
    for (int64_t i = 0; i < n; i++)
        most = d[i] > most && x[i] != 0 ? d[i] : most;
    for (int64_t i = 0; i < n; i++)
        x[i] *= ldexp(1, d[i] - most);
    double size = agni_vector_norm(AGN_C128, n, x);
    if (size > 0)
        agni_vector_axpby(AGN_C128, n, 0, x, 1 / size, x);
}
