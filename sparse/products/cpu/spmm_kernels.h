/* sparse/products/cpu/spmm_kernels.h - the table of SpMM kernels of one CPU level. */
#ifndef AGNI_SPMM_KERNELS_H
#define AGNI_SPMM_KERNELS_H

#include <stdbool.h>
#include <stdint.h>

/* Rows of a pattern or of its transpose; integers of one width. from: NULL for the pattern
   itself, else the index of an entry's value. far: numbers by column are more than caches hold. */
typedef struct agni_lines {
    const void *indptr, *index, *from;
    bool far;
} agni_lines;

/* rows [lo, hi) of y = A x, x of n columns; or of v_e = u[row] . w[col], u and w of n */
typedef void agni_lines_fn(const agni_lines *a, const void *v, const void *x, void *y,
                           int64_t n, int64_t lo, int64_t hi);
/* y += A^T x, one column, for the entries [first[i], last[i]) of rows [lo, hi); and u_e = x[row]
   w[col], unless w is NULL. paired: y and w take turns in memory, w behind y */
typedef void agni_spread_fn(const agni_lines *a, const void *v, const void *x, const void *w,
                            void *y, void *u, const void *first, const void *last, int64_t lo,
                            int64_t hi, bool paired);

typedef struct agni_products {
    agni_lines_fn *spmm, *sddmm;
    agni_spread_fn *spread;
} agni_products;
/* by width of the integers (i32, i64) and dtype (f32, f64, c64, c128) */
typedef const agni_products agni_product_table[2][4];
extern agni_product_table agni_products_base, agni_products_avx2, agni_products_avx512;

#endif
