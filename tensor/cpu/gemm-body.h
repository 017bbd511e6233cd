/* Packing and blocks of products for the element type bound by real.h; see gemm.h. */

static void FN(pack_a)(void *to, const void *from, int64_t rs, int64_t cs, int64_t m, int64_t k)
{
    REAL *d = to;
    for (int64_t i = 0; i < m; i += ROWS) {
        const REAL *a = (const REAL *)from + i * rs;
        const int64_t r = m - i < ROWS ? m - i : ROWS;
        if (r == ROWS && rs == 1)
            for (int64_t p = 0; p < k; p++, d += ROWS)
                memcpy(d, a + p * cs, ROWS * sizeof *d);
        else if (r == ROWS)
            for (int64_t p = 0; p < k; p++, d += ROWS)
                for (int q = 0; q < ROWS; q++)
                    d[q] = a[q * rs + p * cs];
        else
            for (int64_t p = 0; p < k; p++, d += r)
                for (int64_t q = 0; q < r; q++)
                    d[q] = a[q * rs + p * cs];
    }
}

static void FN(pack_b)(void *to, const void *from, int64_t rs, int64_t cs, int64_t k, int64_t n)
{
    enum { COLS = VECS * LANES };
    REAL *d = to;
    for (int64_t j = 0; j < n; j += COLS) {
        const REAL *b = (const REAL *)from + j * cs;
        const int64_t c = n - j < COLS ? n - j : COLS, w = (c + LANES - 1) / LANES * LANES;
        if (c == COLS && cs == 1)
            for (int64_t p = 0; p < k; p++, d += COLS)
                memcpy(d, b + p * rs, COLS * sizeof *d);
        else if (c == COLS)
            for (int64_t p = 0; p < k; p++, d += COLS)
                for (int q = 0; q < COLS; q++)
                    d[q] = b[p * rs + q * cs];
        else { /* whole vectors while they end within the rows that follow: nobody looks beyond c */
            int64_t p = 0, in = cs == 1 && rs >= c ? (k - 1) - (w - c + rs - 1) / rs : -1;
            for (; p <= in; p++)
                for (int64_t q = 0; q < w; q += LANES, d += LANES)
                    STORE(d, LOAD(b + p * rs + q));
            for (; p < k; p++, d += w) {
                for (int64_t q = 0; q < c; q++)
                    d[q] = b[p * rs + q * cs];
                for (int64_t q = c; q < w; q++)
                    d[q] = 0;
            }
        }
    }
}

/* R rows by V vectors of the result stay in registers while the sums run over a[q rs + p cs] */
AGNI_INLINE void FN(sums)(int R, int V, REAL *c, int64_t ldc, const REAL *a, int64_t rs, int64_t cs,
                          const REAL *b, int64_t k, bool accumulate)
{
    VEC s[ROWS][VECS];
    AGNI_UNROLL
    for (int q = 0; q < R; q++) {
        __builtin_prefetch(c + q * ldc, 1);
        AGNI_UNROLL
        for (int r = 0; r < V; r++)
            s[q][r] = (VEC){0};
    }
    for (int64_t p = 0; p < k; p++, a += cs, b += V * LANES) {
        VEC v[VECS];
        AGNI_UNROLL
        for (int r = 0; r < V; r++)
            v[r] = LOAD(b + r * LANES);
        AGNI_UNROLL
        for (int q = 0; q < R; q++) {
            const VEC w = SPLAT(a[q * rs]);
            AGNI_UNROLL
            for (int r = 0; r < V; r++)
                s[q][r] = FMA(w, v[r], s[q][r]);
        }
    }
    AGNI_UNROLL
    for (int q = 0; q < R; q++) {
        AGNI_UNROLL
        for (int r = 0; r < V; r++) {
            REAL *to = c + q * ldc + r * LANES;
            STORE(to, accumulate ? LOAD(to) + s[q][r] : s[q][r]);
        }
    }
}

typedef void FN(sums_fn)(REAL *c, int64_t ldc, const REAL *a, int64_t rs, int64_t cs, const REAL *b,
                         int64_t k, bool accumulate);

/* of a packed panel, whose strides are constants, and of a as it lies */
#undef SUMS
#undef PACKED_ENTRY
#undef DIRECT_ENTRY
#define SUMS(r, v)                                                                           \
    static void FN(packed_##r##_##v)(REAL * c, int64_t ldc, const REAL *a, int64_t rs,       \
                                     int64_t cs, const REAL *b, int64_t k, bool accumulate)  \
    {                                                                                        \
        (void)rs, (void)cs;                                                                  \
        FN(sums)(r, v, c, ldc, a, 1, r, b, k, accumulate);                                   \
    }                                                                                        \
    static void FN(direct_##r##_##v)(REAL * c, int64_t ldc, const REAL *a, int64_t rs,       \
                                     int64_t cs, const REAL *b, int64_t k, bool accumulate)  \
    {                                                                                        \
        FN(sums)(r, v, c, ldc, a, rs, cs, b, k, accumulate);                                 \
    }
#define PACKED_ENTRY(r, v) [r][v] = FN(packed_##r##_##v),
#define DIRECT_ENTRY(r, v) [r][v] = FN(direct_##r##_##v),
SIZES(SUMS)
static FN(sums_fn) *const FN(sums_of)[2][ROWS + 1][VECS + 1] = {{SIZES(DIRECT_ENTRY)},
                                                                {SIZES(PACKED_ENTRY)}};

static void FN(block)(void *to, int64_t ldc, const void *from, int64_t rs, int64_t cs,
                      const void *panels, int64_t m, int64_t n, int64_t k, bool accumulate)
{
    enum { COLS = VECS * LANES };
    const bool packed = rs == 0;
    const REAL *b = panels;
    for (int64_t j = 0; j < n; j += COLS) {
        const int64_t cols = n - j < COLS ? n - j : COLS, v = (cols + LANES - 1) / LANES;
        for (int64_t i = 0; i < m; i += ROWS) {
            const int64_t rows = m - i < ROWS ? m - i : ROWS;
            const REAL *a = (const REAL *)from + i * (packed ? k : rs);
            FN(sums_fn) *f = FN(sums_of)[packed][rows][v];
            REAL *c = (REAL *)to + i * ldc + j;
            if (cols == v * LANES) {
                f(c, ldc, a, rs, cs, b, k, accumulate);
            } else { /* the last columns, which are no whole vectors */
                REAL edge[ROWS * COLS];
                f(edge, COLS, a, rs, cs, b, k, false);
                for (int64_t q = 0; q < rows; q++)
                    for (int64_t r = 0; r < cols; r++)
                        c[q * ldc + r] =
                            accumulate ? c[q * ldc + r] + edge[q * COLS + r] : edge[q * COLS + r];
            }
        }
        b += v * LANES * k;
    }
}
