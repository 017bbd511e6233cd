/* bench/matrices.h - the sparse matrices that workloads begin with. */
#ifndef AGNESI_BENCH_MATRICES_H
#define AGNESI_BENCH_MATRICES_H

#include "bench.h"

/* u = grid(n, 0, 1, salt); lo + (hi - lo) frac((u u) 12345.678) */
double *bench_mix_of(int64_t n, double lo, double hi, int salt);
agn_tensor *bench_mix(int ndim, const int64_t *shape, double lo, double hi, int salt,
                      agn_dtype dtype);

/* entry by entry, of which equal ones are summed; takes the arrays */
typedef struct bench_triplets {
    int64_t rows, cols, n;
    int64_t *row, *col;
    double *v;
} bench_triplets;
agn_tensor *bench_matrix(bench_triplets *t, agn_dtype dtype);

/* 4 on the diagonal, -1 for each neighbour on an n x n grid */
agn_tensor *bench_laplacian(int64_t n, agn_dtype dtype);
/* 100000 rows, 1598164 entries; few rows and columns have many */
agn_tensor *bench_powerlaw(agn_dtype dtype);
bench_triplets bench_powerlaw_entries(void);
/* differences along x, along y and the identity on an n x n grid */
agn_tensor *bench_differences(int64_t n);

/* entries, sum |v|, sum v ((3 row + 7 col) mod 11); returns 3 */
int bench_entries(const agn_tensor *a, double *value);
/* sum |y| alone; returns 1 */
int bench_amount(const agn_tensor *y, double *value);

#endif
