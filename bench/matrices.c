/* bench/matrices.c - the sparse matrices that workloads begin with. */
#include "matrices.h"

#include <math.h>
#include <stdlib.h>

static void *room_for(int64_t n, size_t size)
{
    void *p = malloc((size_t)(n ? n : 1) * size);
    if (!p)
        bench_die("memory");
    return p;
}

double *bench_mix_of(int64_t n, double lo, double hi, int salt)
{
    double *v = room_for(n, sizeof *v);
    for (int64_t i = 0; i < n; i++) {
        double whole;
        volatile double u = modf((double)(i + 1 + 101 * salt) * 0.6180339887498949,
                                 &whole);
        volatile double square = u * u;
        volatile double scaled = (hi - lo) * modf(square * 12345.678, &whole);
        v[i] = lo + scaled;
    }
    return v;
}

agn_tensor *bench_mix(int ndim, const int64_t *shape, double lo, double hi, int salt,
                      agn_dtype dtype)
{
    int64_t n = 1;
    for (int d = 0; d < ndim; d++)
        n *= shape[d];
    return bench_tensor_of(bench_mix_of(n, lo, hi, salt), dtype, ndim, shape);
}

/* ---- from entries -------------------------------------------------------------------------- */

/* dealt out by key in their order; at[k] is where entry k of the order lies */
static void deal(int64_t *to, const int64_t *order, int64_t n, const int64_t *key,
                 int64_t keys)
{
    int64_t *count = calloc((size_t)keys + 1, sizeof *count);
    if (!count)
        bench_die("memory");
    for (int64_t k = 0; k < n; k++)
        count[key[k] + 1]++;
    for (int64_t j = 0; j < keys; j++)
        count[j + 1] += count[j];
    for (int64_t k = 0; k < n; k++) {
        int64_t e = order ? order[k] : k;
        to[count[key[e]]++] = e;
    }
    free(count);
}

agn_tensor *bench_matrix(bench_triplets *t, agn_dtype dtype)
{
    int64_t *a = room_for(t->n, sizeof *a), *b = room_for(t->n, sizeof *b), m = 0;
    int64_t *begin = room_for(t->rows + 1, sizeof *begin),
            *col = room_for(t->n, sizeof *col);
    double *v = room_for(t->n, sizeof *v);
    deal(a, NULL, t->n, t->col, t->cols);
    deal(b, a, t->n, t->row, t->rows);
    for (int64_t i = 0, k = 0; i < t->rows; i++) {
        int64_t first = m;
        begin[i] = m;
        for (; k < t->n && t->row[b[k]] == i; k++)
            if (m > first && col[m - 1] == t->col[b[k]]) {
                v[m - 1] += t->v[b[k]];
            } else {
                col[m] = t->col[b[k]];
                v[m++] = t->v[b[k]];
            }
    }
    begin[t->rows] = m;
    agn_tensor *tb = NULL, *tc = NULL, *tv = NULL, *td = NULL, *y = NULL;
    TRY(agn_from_host(&tb, AGN_I64, 1, (int64_t[]){t->rows + 1}, begin));
    TRY(agn_from_host(&tc, AGN_I64, 1, &m, col));
    TRY(agn_from_host(&tv, AGN_F64, 1, &m, v));
    TRY(agn_cast(&td, tv, dtype));
    TRY(agn_sparse_csr(&y, t->rows, t->cols, tb, tc, td));
    agn_release(tb);
    agn_release(tc);
    agn_release(tv);
    agn_release(td);
    void *all[] = {a, b, begin, col, v, t->row, t->col, t->v};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        free(all[k]);
    return y;
}

static bench_triplets triplets(int64_t rows, int64_t cols, int64_t most)
{
    return (bench_triplets){rows,
                            cols,
                            0,
                            room_for(most, sizeof(int64_t)),
                            room_for(most, sizeof(int64_t)),
                            room_for(most, sizeof(double))};
}
static void add(bench_triplets *t, int64_t row, int64_t col, double v)
{
    t->row[t->n] = row;
    t->col[t->n] = col;
    t->v[t->n++] = v;
}

agn_tensor *bench_laplacian(int64_t n, agn_dtype dtype)
{
    bench_triplets t = triplets(n * n, n * n, 5 * n * n);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            int64_t k = i * n + j;
            add(&t, k, k, 4);
            if (i > 0)
                add(&t, k, k - n, -1);
            if (j > 0)
                add(&t, k, k - 1, -1);
            if (j < n - 1)
                add(&t, k, k + 1, -1);
            if (i < n - 1)
                add(&t, k, k + n, -1);
        }
    return bench_matrix(&t, dtype);
}

bench_triplets bench_powerlaw_entries(void)
{
    int64_t n = 100000, e = 1600000;
    bench_triplets t = triplets(n, n, e);
    double *u = bench_mix_of(e, 0, 1, 0), *v = bench_mix_of(e, 0, 1, 1);
    double *w = bench_mix_of(e, -1, 1, 2);
    for (int64_t k = 0; k < e; k++) {
        volatile double uu = u[k] * u[k], vv = v[k] * v[k];
        add(&t, (int64_t)floor(uu * (double)n),
            ((int64_t)floor(vv * (double)n) * 7919 + 13) % n, w[k]);
    }
    free(u);
    free(v);
    free(w);
    return t;
}
agn_tensor *bench_powerlaw(agn_dtype dtype)
{
    bench_triplets t = bench_powerlaw_entries();
    return bench_matrix(&t, dtype);
}

agn_tensor *bench_differences(int64_t n)
{
    int64_t m = n * (n - 1);
    bench_triplets t = triplets(2 * m + n * n, n * n, 4 * m + n * n);
    for (int64_t i = 0; i < n - 1; i++)
        for (int64_t j = 0; j < n; j++) {
            add(&t, i * n + j, i * n + j, -1);
            add(&t, i * n + j, (i + 1) * n + j, 1);
        }
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n - 1; j++) {
            add(&t, m + i * (n - 1) + j, i * n + j, -1);
            add(&t, m + i * (n - 1) + j, i * n + j + 1, 1);
        }
    for (int64_t k = 0; k < n * n; k++)
        add(&t, 2 * m + k, k, 1);
    return bench_matrix(&t, AGN_F64);
}

/* ---- checks -------------------------------------------------------------------------------- */

int bench_entries(const agn_tensor *a, double *value)
{
    agn_tensor *p = NULL, *j = NULL, *v = NULL;
    TRY(agn_sparse_indptr(&p, a));
    TRY(agn_sparse_indices(&j, a));
    TRY(agn_sparse_values(&v, a));
    const int64_t *begin = agn_data(p), *col = agn_data(j), rows = agn_shape(p)[0] - 1;
    agn_tensor *w = bench_f64(v);
    const double *x = agn_data(w);
    value[0] = (double)begin[rows];
    value[1] = value[2] = 0;
    for (int64_t i = 0; i < rows; i++)
        for (int64_t e = begin[i]; e < begin[i + 1]; e++) {
            value[1] += fabs(x[e]);
            value[2] += x[e] * (double)((3 * i + 7 * col[e]) % 11);
        }
    agn_release(p);
    agn_release(j);
    agn_release(v);
    agn_release(w);
    return 3;
}

int bench_amount(const agn_tensor *y, double *value)
{
    double both[2];
    bench_both(y, both);
    value[0] = both[0];
    return 1;
}
