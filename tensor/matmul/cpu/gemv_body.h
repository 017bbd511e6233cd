/* tensor/matmul/cpu/gemv_body.h - GEMV kernels for the element type bound by real.h; see gemm.h.
   Four rows at a time: one stream of memory is slower by a third than four. No guard. */

/* two accumulators for each row, independent of the other rows */
AGNI_INLINE void FN(dot_row_block)(int R, REAL *y, const REAL *a, int64_t lda, const REAL *x,
                                   int64_t k)
{
    VEC s[4][2];
    AGNI_UNROLL
    for (int r = 0; r < R; r++)
        s[r][0] = s[r][1] = (VEC){0};
    int64_t j = 0;
    for (; j <= k - 2 * LANES; j += 2 * LANES) {
        const VEC v = LOAD(x + j), w = LOAD(x + j + LANES);
        AGNI_UNROLL
        for (int r = 0; r < R; r++) {
            s[r][0] = FMA(LOAD(a + r * lda + j), v, s[r][0]);
            s[r][1] = FMA(LOAD(a + r * lda + j + LANES), w, s[r][1]);
        }
    }
    if (j <= k - LANES) {
        const VEC v = LOAD(x + j);
        AGNI_UNROLL
        for (int r = 0; r < R; r++)
            s[r][0] = FMA(LOAD(a + r * lda + j), v, s[r][0]);
        j += LANES;
    }
    REAL rest[4] = {0};
    for (; j < k; j++)
        AGNI_UNROLL
        for (int r = 0; r < R; r++)
            rest[r] += a[r * lda + j] * x[j];
    AGNI_UNROLL
    for (int r = 0; r < R; r++)
        y[r] = k < LANES ? rest[r] : FN(agni_hsum)(s[r][0] + s[r][1]) + rest[r]; /* 0 + rest is rest */
}

static void FN(dot_rows)(void *to, const void *from, int64_t lda, const void *x, int64_t m,
                         int64_t k)
{
    REAL *y = to;
    const REAL *a = from;
    int64_t i = 0;
    for (; i <= m - 4; i += 4)
        FN(dot_row_block)(4, y + i, a + i * lda, lda, x, k);
    for (; i < m; i++)
        FN(dot_row_block)(1, y + i, a + i * lda, lda, x, k);
}

/* y[j] += x[0] a[0][j] + ... + x[R - 1] a[R - 1][j], in this order */
AGNI_INLINE void FN(add_row_block)(int R, REAL *y, const REAL *a, int64_t lda, const REAL *x,
                                   int64_t n)
{
    VEC w[8];
    AGNI_UNROLL
    for (int r = 0; r < R; r++)
        w[r] = SPLAT(x[r]);
    int64_t j = 0;
    for (; j <= n - LANES; j += LANES) {
        VEC s = LOAD(y + j);
        AGNI_UNROLL
        for (int r = 0; r < R; r++)
            s = FMA(w[r], LOAD(a + r * lda + j), s);
        STORE(y + j, s);
    }
    for (; j < n; j++) {
        REAL s = y[j];
        AGNI_UNROLL
        for (int r = 0; r < R; r++)
            s += x[r] * a[r * lda + j];
        y[j] = s;
    }
}

static void FN(combine_rows)(void *to, const void *from, int64_t lda, const void *with, int64_t m,
                             int64_t n)
{
    const REAL *a = from, *x = with;
    int64_t i = 0;
    memset(to, 0, (size_t)n * sizeof(REAL));
    for (; i <= m - 8; i += 8)
        FN(add_row_block)(8, to, a + i * lda, lda, x + i, n);
    for (; i < m; i++)
        FN(add_row_block)(1, to, a + i * lda, lda, x + i, n);
}
