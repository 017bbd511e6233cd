/* tensor/matmul/cpu/gemm_macro_kernel_body.h - the macro-kernel: the micro-kernel over the
   panels of a block of a and a strip of b, for the element type bound by real.h. No guard. */

static void FN(macro_kernel)(void *to, int64_t ldc, const void *from, int64_t rs, int64_t cs,
                             const void *panels, int64_t ldb, int64_t m, int64_t n, int64_t k,
                             bool accumulate)
{
    enum { COLS = VECS * LANES };
    const bool packed = rs == 0;
    const REAL *b = panels;
    for (int64_t j = 0; j < n; j += COLS) {
        const int64_t cols = n - j < COLS ? n - j : COLS, v = (cols + LANES - 1) / LANES;
        for (int64_t i = 0; i < m; i += ROWS) {
            const int64_t rows = m - i < ROWS ? m - i : ROWS;
            const REAL *a = (const REAL *)from + i * (packed ? k : rs);
            const int how = !ldb ? (packed ? PACKED : UNPACKED_A)
                            : i  ? UNPACKED
                                 : UNPACKED_PREFETCHED;
            FN(micro_kernel_fn) *f = FN(micro_kernels)[how][rows][v];
            REAL *c = (REAL *)to + i * ldc + j;
            if (cols == v * LANES) {
                f(c, ldc, a, rs, cs, b, ldb, k, accumulate);
            } else { /* the last columns, less than whole vectors */
                REAL edge[ROWS * COLS];
                f(edge, COLS, a, rs, cs, b, ldb, k, false);
                for (int64_t q = 0; q < rows; q++)
                    for (int64_t r = 0; r < cols; r++)
                        c[q * ldc + r] = accumulate ? c[q * ldc + r] + edge[q * COLS + r]
                                                    : edge[q * COLS + r];
            }
        }
        b += ldb ? COLS : v * LANES * k;
    }
}
