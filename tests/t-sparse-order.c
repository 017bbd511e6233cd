/* t-sparse-order - many entries in any order, sorted and summed into rows, columns or places; two
   matrices whose entries meet; sums along axes: against tables, and the same bits for any number
   of threads. */
#include "modes.h"

#include <agnesi/sparse.h>
#include <agnesi/sparse_layout.h>

/* how entries lie: 0 anywhere, 1 in one row, 2 in one place, 3 in order, 4 backwards */
static int64_t place_of(int how, int64_t e, int64_t n, int64_t size)
{
    int64_t any = (int64_t)rnd_in(0, (double)size);
    any = any < size ? any : size - 1;
    return how == 0   ? any
           : how == 2 ? size / 2
           : how == 3 ? e * size / n
                      : (n - 1 - e) * size / n;
}

/* n entries of [rows, cols]; whole numbers, so that any order of sums gives the same */
static agn_tensor *loose(int how, int dtype, int64_t n, int64_t rows, int64_t cols, bool whole)
{
    int64_t *at = room_for((size_t)(2 * n + 1) * sizeof *at);
    double *v = room_for((size_t)(n + 1) * sizeof *v);
    for (int64_t e = 0; e < n; e++) {
        int64_t p = how == 1 ? rows / 3 * cols + place_of(0, e, n, cols)
                             : place_of(how, e, n, rows * cols);
        at[e] = p / cols;
        at[n + e] = p % cols;
        v[e] = whole ? (double)(int)rnd_in(-9, 9) : rnd_in(-1, 1);
    }
    agn_tensor *i = NULL, *x = NULL, *y = NULL, *a = NULL;
    must(agn_from_host(&i, AGN_I64, 2, (int64_t[]){2, n}, at));
    must(agn_from_host(&x, AGN_F64, 1, &n, v));
    must(agn_cast(&y, x, dtype));
    must(agn_sparse_coo(&a, 2, (int64_t[]){rows, cols}, i, y));
    free(at);
    free(v);
    agn_release(i);
    agn_release(x);
    agn_release(y);
    return a;
}

/* all elements, by adding up entries; shape [rows, cols] or, of three axes, that in rows */
static double *table_of(const agn_tensor *a)
{
    agn_tensor *at = NULL, *v = NULL;
    must(agn_sparse_coordinates(&at, a));
    must(agn_sparse_values(&v, a));
    int nd = agn_ndim(a);
    int64_t size = 1, n = agn_numel(v);
    for (int d = 0; d < nd; d++)
        size *= agn_shape(a)[d];
    double *t = room_for((size_t)(size + 1) * sizeof *t);
    memset(t, 0, (size_t)size * sizeof *t);
    for (int64_t e = 0; e < n; e++) {
        int64_t p = 0;
        for (int d = 0; d < nd; d++)
            p = p * agn_shape(a)[d] + (int64_t)creal(peekz(at, d * n + e));
        t[p] += creal(peekz(v, e));
    }
    agn_release(at);
    agn_release(v);
    return t;
}

/* are the places of a in strict order, by rows or by columns? */
static bool in_order(const agn_tensor *a, bool columns)
{
    agn_tensor *at = NULL;
    must(agn_sparse_coordinates(&at, a));
    int64_t n = agn_shape(at)[1], was = -1;
    bool good = true;
    for (int64_t e = 0; good && e < n; e++) {
        int64_t i = (int64_t)creal(peekz(at, e)), j = (int64_t)creal(peekz(at, n + e));
        int64_t p = columns ? j * agn_shape(a)[0] + i : i * agn_shape(a)[1] + j;
        good = p > was;
        was = p;
    }
    agn_release(at);
    return good;
}

static bool same_tables(const double *a, const double *b, int64_t n)
{
    for (int64_t k = 0; k < n; k++)
        if (a[k] != b[k])
            return false;
    return true;
}

static const struct {
    int64_t n, rows, cols;
} sizes[] = {{0, 3, 4},     {1, 1, 1},        {7, 5, 1},        {31, 4, 9},      {33, 40, 3},
             {900, 30, 40}, {5000, 900, 700}, {70000, 333, 17}, {140000, 2, 400}, {9000, 1, 1000}};

static void conversions(void)
{
    bool good = true;
    for (int how = 0; how < 5; how++)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            int64_t r = sizes[k].rows, c = sizes[k].cols;
            agn_tensor *a = loose(how, AGN_F64, sizes[k].n, r, c, true), *y[3] = {NULL, NULL, NULL};
            double *want = table_of(a);
            must(agn_sparse_to_csr(&y[0], a));
            must(agn_sparse_to_csc(&y[1], a));
            must(agn_sparse_coalesce(&y[2], a));
            for (int i = 0; i < 3; i++) {
                double *got = table_of(y[i]);
                good &= same_tables(want, got, r * c) && in_order(y[i], i == 1);
                good &= agn_sparse_nnz(y[i]) == agn_sparse_nnz(y[2]);
                free(got);
                agn_release(y[i]);
            }
            free(want);
            agn_release(a);
        }
    ok(good, "entries in any order, by rows, by columns and by places");
}

/* coordinates that fit no word: sorted by each of them */
static void large_places(void)
{
    int64_t big = INT64_MAX / 64, n = 3000, *at = room_for((size_t)(3 * n) * sizeof *at);
    for (int64_t e = 0; e < 3 * n; e++)
        at[e] = (int64_t)rnd_in(0, e < n ? 3 : 1e6) * (e < n ? 1 : 1000003);
    memcpy(at + 2 * n, at + n, (size_t)n * sizeof *at);
    agn_tensor *i = NULL, *v = random_of(AGN_F64, 1, &n, -1, 1), *a = NULL, *y = NULL, *j = NULL;
    must(agn_from_host(&i, AGN_I64, 2, (int64_t[]){3, n}, at));
    must(agn_sparse_coo(&a, 3, (int64_t[]){3, big, big}, i, v));
    must(agn_sparse_coalesce(&y, a));
    must(agn_sparse_coordinates(&j, y));
    int64_t m = agn_shape(j)[1];
    const int64_t *p = agn_data(j);
    bool good = m <= n && agn_sparse_is_coalesced(y);
    for (int64_t e = 1; good && e < m; e++)
        good = p[e - 1] < p[e] || (p[e - 1] == p[e] && p[m + e - 1] < p[m + e]);
    ok(good, "coordinates of more than 64 bits together");
    free(at);
    agn_release(i);
    agn_release(v);
    agn_release(a);
    agn_release(y);
    agn_release(j);
}

static agn_tensor *by_rows(int dtype, int64_t n, int64_t rows, int64_t cols, bool wide, bool whole)
{
    agn_tensor *a = loose(0, dtype, n, rows, cols, whole), *y = NULL, *z = NULL;
    must(agn_sparse_to_csr(&y, a));
    must(agn_sparse_with_index(&z, y, wide ? AGN_I64 : AGN_I32));
    agn_release(a);
    agn_release(y);
    return z;
}

typedef agn_status binary(agn_tensor **out, const agn_tensor *a, const agn_tensor *b);
static binary *const functions[] = {agn_add, agn_sub, agn_mul, agn_maximum, agn_lt};

static void meetings(void)
{
    static const int dtypes[] = {AGN_F32, AGN_F64, AGN_C64, AGN_C128, AGN_I32};
    bool good = true;
    for (int wide = 0; wide < 4; wide++)
        for (int d = 0; d < 5; d++)
            for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
                for (int f = 0; f < (d == 2 || d == 3 ? 3 : 5); f++) {
                    int64_t r = sizes[k].rows, c = sizes[k].cols;
                    if (d > 1 && sizes[k].n > 10000)
                        continue;
                    agn_tensor *a = by_rows(dtypes[d], sizes[k].n, r, c, wide & 1, true);
                    agn_tensor *b = by_rows(dtypes[d], sizes[k].n / 2 + 1, r, c, wide & 2, true);
                    agn_tensor *y = NULL, *x[2] = {NULL, NULL}, *z = NULL;
                    must(functions[f](&y, a, b));
                    must(agn_sparse_to_dense(&x[0], a));
                    must(agn_sparse_to_dense(&x[1], b));
                    must(functions[f](&z, x[0], x[1]));
                    double *got = table_of(y);
                    good &= in_order(y, false) && agn_dtype_of(y) == agn_dtype_of(z);
                    for (int64_t e = 0; good && e < r * c; e++)
                        good = got[e] == creal(peekz(z, e));
                    free(got);
                    agn_tensor *all[] = {a, b, y, x[0], x[1], z};
                    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
                        agn_release(all[i]);
                }
    ok(good, "functions of two matrices whose entries meet here and there");
}

static void sums(void)
{
    bool good = true;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (int axis = 0; axis < 2; axis++)
            for (int keep = 0; keep < 2; keep++)
                for (int columns = 0; columns < 2; columns++) {
                    int64_t r = sizes[k].rows, c = sizes[k].cols;
                    agn_tensor *a = by_rows(AGN_F64, sizes[k].n, r, c, false, true), *x = NULL;
                    agn_tensor *b = NULL, *y = NULL, *z = NULL;
                    must((columns ? agn_sparse_to_csc : agn_sparse_to_csr)(&b, a));
                    must(agn_sum(&y, b, (int32_t[]){axis}, 1, keep));
                    must(agn_sparse_to_dense(&x, a));
                    must(agn_sum(&z, x, (int32_t[]){axis}, 1, keep));
                    good &= same_shapes(y, z) && agn_sparse_nnz(y) <= sizes[k].n;
                    double *got = table_of(y);
                    for (int64_t e = 0; good && e < agn_numel(z); e++)
                        good = got[e] == creal(peekz(z, e));
                    free(got);
                    agn_tensor *all[] = {a, b, x, y, z};
                    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
                        agn_release(all[i]);
                }
    ok(good, "sums along either axis");
}

static bool same_bits(const agn_tensor *a, const agn_tensor *b)
{
    int64_t n = agn_numel(a);
    return same_shapes(a, b) &&
           (n == 0 || !memcmp(agn_data(a), agn_data(b), (size_t)n * sizeof(double)));
}

static void threads(void)
{
    agn_tensor *y[2][5];
    agn_tensor *a = loose(0, AGN_F64, 300000, 400, 700, false);
    agn_tensor *b = by_rows(AGN_F64, 200000, 400, 700, false, false);
    for (int t = 0; t < 2; t++) {
        must(agn_threads_set(t ? 4 : 1));
        must(agn_sparse_to_csr(&y[t][0], a));
        must(agn_sparse_coalesce(&y[t][1], a));
        must(agn_add(&y[t][2], y[t][0], b));
        must(agn_sum(&y[t][3], b, (int32_t[]){0}, 1, false));
        must(agn_sum(&y[t][4], b, (int32_t[]){1}, 1, false));
    }
    must(agn_threads_set(1));
    bool good = true;
    for (int k = 0; k < 5; k++) {
        agn_tensor *v[2] = {NULL, NULL}, *at[2] = {NULL, NULL};
        for (int t = 0; t < 2; t++) {
            must(agn_sparse_values(&v[t], y[t][k]));
            must(agn_sparse_coordinates(&at[t], y[t][k]));
        }
        good &= same_bits(v[0], v[1]) && same_bits(at[0], at[1]);
        for (int t = 0; t < 2; t++) {
            agn_release(v[t]);
            agn_release(at[t]);
            agn_release(y[t][k]);
        }
    }
    agn_release(a);
    agn_release(b);
    ok(good, "the same bits for one thread and four");
}

int main(void)
{
    conversions();
    large_places();
    meetings();
    sums();
    threads();
    return done();
}
