/* bench/linalg.h - matrices of the workloads `linalg/`. */
#ifndef AGNESI_BENCH_LINALG_H
#define AGNESI_BENCH_LINALG_H

#include "bench.h"

/* of G in [-1, 1]: G; G / sqrt(n) + 2; the lower triangle of that; G / sqrt(n); G G^H / n + 1; (G
   + G^T) / 2 */
typedef enum matrix_kind { PLAIN, WELL, LOWER, THIN, SPD, SYM } matrix_kind;

/* [n, m], or [batch, n, m] */
agn_tensor *bench_matrices(matrix_kind kind, agn_dtype dtype, int64_t batch, int64_t n, int64_t m,
                           int salt);
/* n numbers in [lo, hi] */
agn_tensor *bench_mixed(int64_t n, double lo, double hi, int salt);
double bench_sum_abs(const agn_tensor *x);

void bench_linalg_gradients(void);

#endif
