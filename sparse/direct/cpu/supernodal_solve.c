/* sparse/direct/cpu/supernodal_solve.c - L L^T x = b for one right-hand side and a supernodal
   factor of CHOLMOD (Chen, Davis, Hager & Rajamanickam 2008, section 4): supernode s has the
   columns super[s] to super[s + 1], the rows s + pi[s], and its entries by columns at x + px[s].
   CHOLMOD calls BLAS twice for each of thousands of supernodes of few columns; here each entry is
   read once in each direction, four columns at a time. */
#include "sparse/direct/cpu/supernodal_solve.h"

enum { AT_ONCE = 4 };

typedef struct block {
    int64_t first, cols, rows; /* rows: those of the triangle among them */
    const int64_t *row;
    const double *x;
} block;

static block block_view(const cholmod_factor *l, size_t s)
{
    const int64_t *super = l->super, *pi = l->pi, *px = l->px;
    return (block){super[s], super[s + 1] - super[s], pi[s + 1] - pi[s],
                   (const int64_t *)l->s + pi[s], (const double *)l->x + px[s]};
}

/* y -= l z for columns from j on, of rows from `from` on; y begins at row 0 of the block */
static void subtract_columns(double *restrict y, const block *q, int64_t j, int64_t n, int64_t from,
                             const double *z)
{
    const double *c = q->x + j * q->rows;
    int64_t m = q->rows;
    if (n == AT_ONCE) {
        const double z0 = z[0], z1 = z[1], z2 = z[2], z3 = z[3];
        for (int64_t i = from; i < m; i++)
            y[i] -= (c[i] * z0 + c[m + i] * z1) + (c[2 * m + i] * z2 + c[3 * m + i] * z3);
        return;
    }
    for (int64_t k = 0; k < n; k++, c += m)
        for (int64_t i = from; i < m; i++)
            y[i] -= c[i] * z[k];
}

/* s[k] += columns j + k of rows from `from` on, times y */
static void dot_columns(double *restrict s, const block *q, int64_t j, int64_t n, int64_t from,
                        const double *y)
{
    const double *c = q->x + j * q->rows;
    int64_t m = q->rows;
    if (n == AT_ONCE) {
        double s0 = s[0], s1 = s[1], s2 = s[2], s3 = s[3];
        for (int64_t i = from; i < m; i++) {
            s0 += c[i] * y[i];
            s1 += c[m + i] * y[i];
            s2 += c[2 * m + i] * y[i];
            s3 += c[3 * m + i] * y[i];
        }
        s[0] = s0;
        s[1] = s1;
        s[2] = s2;
        s[3] = s3;
        return;
    }
    for (int64_t k = 0; k < n; k++, c += m)
        for (int64_t i = from; i < m; i++)
            s[k] += c[i] * y[i];
}

/* y: scratch for the rows of the block; the first cols of them are x[first ...], the others are
   gathered */
static void solve_forward(double *x, double *y, const block *q)
{
    for (int64_t i = 0; i < q->cols; i++)
        y[i] = x[q->first + i];
    for (int64_t i = q->cols; i < q->rows; i++)
        y[i] = 0;
    for (int64_t j = 0; j < q->cols; j += AT_ONCE) {
        int64_t n = q->cols - j < AT_ONCE ? q->cols - j : AT_ONCE;
        for (int64_t k = j; k < j + n; k++) { /* the triangle of these columns */
            y[k] /= q->x[k * q->rows + k];
            for (int64_t i = k + 1; i < j + n; i++)
                y[i] -= q->x[k * q->rows + i] * y[k];
        }
        subtract_columns(y, q, j, n, j + n,
                         (const double[]){y[j], n > 1 ? y[j + 1] : 0, n > 2 ? y[j + 2] : 0,
                                          n > 3 ? y[j + 3] : 0});
    }
    for (int64_t i = 0; i < q->cols; i++)
        x[q->first + i] = y[i];
    for (int64_t i = q->cols; i < q->rows; i++)
        x[q->row[i]] += y[i];
}

static void solve_backward(double *x, double *y, const block *q)
{
    for (int64_t i = 0; i < q->rows; i++)
        y[i] = x[q->row[i]];
    for (int64_t j = (q->cols - 1) / AT_ONCE * AT_ONCE; j >= 0; j -= AT_ONCE) {
        int64_t n = q->cols - j < AT_ONCE ? q->cols - j : AT_ONCE;
        double s[AT_ONCE] = {0, 0, 0, 0};
        dot_columns(s, q, j, n, j + n, y);
        for (int64_t k = j + n - 1; k >= j; k--) {
            double z = y[k] - s[k - j];
            for (int64_t i = k + 1; i < j + n; i++)
                z -= q->x[k * q->rows + i] * y[i];
            y[k] = z / q->x[k * q->rows + k];
        }
    }
    for (int64_t i = 0; i < q->cols; i++)
        x[q->first + i] = y[i];
}

bool agni_is_supernodal(const cholmod_factor *l)
{
    return l->is_super && l->is_ll && l->xtype == CHOLMOD_REAL;
}

agn_status agni_supernodal_solve(const char *op, const cholmod_factor *l, const double *b,
                                 double *x)
{
    const int64_t *perm = l->Perm;
    int64_t n = (int64_t)l->n, most = 0;
    for (size_t s = 0; s < l->nsuper; s++)
        most = block_view(l, s).rows > most ? block_view(l, s).rows : most;
    double *z = agni_alloc((size_t)(n + most) * sizeof *z), *y = z + n;
    if (!z)
        return agni_nomem(op, (size_t)(n + most) * sizeof *z);
    for (int64_t k = 0; k < n; k++)
        z[k] = b[perm ? perm[k] : k];
    for (size_t s = 0; s < l->nsuper; s++) {
        const block q = block_view(l, s);
        solve_forward(z, y, &q);
    }
    for (size_t s = l->nsuper; s-- > 0;) {
        const block q = block_view(l, s);
        solve_backward(z, y, &q);
    }
    for (int64_t k = 0; k < n; k++)
        x[perm ? perm[k] : k] = z[k];
    agni_free(z);
    return AGN_OK;
}
