/* Packing and blocks of products for the element type bound by real.h; see gemm.h. */

/* to[p n + q] = x[q rs + p cs] for q < n and p < k; n is known, but for the last panel */
AGNI_INLINE void FN(pack_plain)(REAL *to, int64_t n, const REAL *x, int64_t rs, int64_t cs,
                                int64_t k)
{
    for (int64_t p = 0; p < k; p++, to += n)
        for (int64_t q = 0; q < n; q++)
            to[q] = x[q * rs + p * cs];
}

/* The same of n rows that are contiguous: squares turned in registers. What a vector writes beyond
   its n, where these are less than LANES, those that follow write over. */
AGNI_INLINE void FN(pack_turned)(REAL *to, int n, const REAL *x, int64_t rs, int64_t k)
{
    int64_t p = 0;
    for (; p < k - LANES; p += LANES, to += n * LANES) {
        AGNI_UNROLL
        for (int i = 0; i < n; i += LANES) {
            const int first = i + LANES <= n || n < LANES ? i : n - LANES;
            VEC v[LANES];
            AGNI_UNROLL
            for (int l = 0; l < LANES; l++)
                v[l] = first + l < n ? LOAD(x + (first + l) * rs + p) : (VEC){0};
            FN(agni_turn)(v);
            AGNI_UNROLL
            for (int l = 0; l < LANES; l++)
                STORE(to + l * n + first, v[l]);
        }
    }
    FN(pack_plain)(to, n, x + p, rs, 1, k - p);
}

/* n numbers from here to there, as vectors, the last of which ends with them */
AGNI_INLINE void FN(pack_row)(REAL *to, const REAL *from, int n)
{
    if (n < LANES)
        memcpy(to, from, (size_t)n * sizeof *to);
    AGNI_UNROLL
    for (int i = 0; n >= LANES && i < n; i += LANES) {
        const int first = i + LANES <= n ? i : n - LANES;
        STORE(to + first, LOAD(from + first));
    }
}

/* Panels of n numbers of each of k rows, read along, some rows at a time for all panels: panel by
   panel, a line would come back for each that shares it, from as many pages as there are rows. */
AGNI_INLINE void FN(pack_along)(REAL *to, int n, const REAL *x, int64_t ld, int64_t k,
                                int64_t panels)
{
    enum { AT_ONCE = 8 };
    for (int64_t p = 0; p < k; p += AT_ONCE) {
        const int64_t rows = k - p < AT_ONCE ? k - p : AT_ONCE;
        for (int64_t j = 0; j < panels; j++) {
            const REAL *from = x + p * ld + j * n;
            REAL *d = to + (j * k + p) * n;
            for (int64_t q = 0; q < rows; q++, from += ld, d += n)
                FN(pack_row)(d, from, n);
        }
    }
}

/* panels of n of the m numbers, whole ones */
AGNI_INLINE void FN(pack_whole)(REAL *to, int n, const REAL *x, int64_t rs, int64_t cs, int64_t k,
                                int64_t m)
{
    if (rs == 1)
        FN(pack_along)(to, n, x, cs, k, m / n);
    else
        for (int64_t i = 0; i <= m - n; i += n, x += n * rs, to += n * k)
            if (cs == 1)
                FN(pack_turned)(to, n, x, rs, k);
            else
                FN(pack_plain)(to, n, x, rs, cs, k);
}

static void FN(pack_a)(void *to, const void *from, int64_t rs, int64_t cs, int64_t m, int64_t k)
{
    const int64_t whole = m / ROWS * ROWS;
    FN(pack_whole)(to, ROWS, from, rs, cs, k, m);
    FN(pack_plain)((REAL *)to + whole * k, m - whole, (const REAL *)from + whole * rs, rs, cs, k);
}

/* c columns, no whole panel: whole vectors while they end within the rows that follow, for nobody
   looks beyond c */
static void FN(pack_last)(REAL *d, const REAL *b, int64_t rs, int64_t cs, int64_t k, int64_t c)
{
    const int64_t w = (c + LANES - 1) / LANES * LANES;
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

static void FN(pack_b)(void *to, const void *from, int64_t rs, int64_t cs, int64_t k, int64_t n)
{
    enum { COLS = VECS * LANES };
    const int64_t whole = n / COLS * COLS;
    FN(pack_whole)(to, COLS, from, cs, rs, k, n);
    if (whole < n)
        FN(pack_last)((REAL *)to + whole * k, (const REAL *)from + whole * cs, rs, cs, k,
                      n - whole);
}

/* to each sum its next term */
AGNI_INLINE void FN(terms)(int R, int V, VEC s[ROWS][VECS], const REAL *a, int64_t rs,
                           const REAL *b)
{
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

/* R rows by V vectors of the result stay in registers while the sums run over a[q rs + p cs] and rows
   of b that are ldb apart; those of the next panel are asked for, if b is far */
AGNI_INLINE void FN(sums)(int R, int V, bool far, REAL *c, int64_t ldc, const REAL *a, int64_t rs,
                          int64_t cs, const REAL *b, int64_t ldb, int64_t k, bool accumulate)
{
    VEC s[ROWS][VECS];
    AGNI_UNROLL
    for (int q = 0; q < R; q++) {
        __builtin_prefetch(c + q * ldc, 1);
        AGNI_UNROLL
        for (int r = 0; r < V; r++)
            s[q][r] = (VEC){0};
    }
    int64_t p = 0;
    for (; p <= k - STEPS; p += STEPS, a += STEPS * cs, b += STEPS * ldb) {
        AGNI_UNROLL
        for (int u = 0; u < STEPS; u++) {
            if (far)
                __builtin_prefetch(b + u * ldb + V * LANES);
            FN(terms)(R, V, s, a + u * cs, rs, b + u * ldb);
            __asm__ volatile("" ::: "memory"); /* loads made earlier would cost registers */
        }
    }
    for (; p < k; p++, a += cs, b += ldb)
        FN(terms)(R, V, s, a, rs, b);
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
                         int64_t ldb, int64_t k, bool accumulate);

/* panels, whose strides are constants; a as it lies; both as they lie, where b is met for the first
   time and again */
#undef SUMS_OF
#undef SUMS
#undef PACKED_ENTRY
#undef DIRECT_ENTRY
#undef FAR_ENTRY
#undef NEAR_ENTRY
#define SUMS_OF(name, r, v, far, RS, CS, LDB)                                                \
    static void FN(name##_##r##_##v)(REAL * c, int64_t ldc, const REAL *a, int64_t rs,       \
                                     int64_t cs, const REAL *b, int64_t ldb, int64_t k,      \
                                     bool accumulate)                                        \
    {                                                                                        \
        (void)rs, (void)cs, (void)ldb;                                                       \
        FN(sums)(r, v, far, c, ldc, a, RS, CS, b, LDB, k, accumulate);                       \
    }
#define SUMS(r, v)                                    \
    SUMS_OF(packed, r, v, false, 1, r, v *LANES)      \
    SUMS_OF(direct, r, v, false, rs, cs, v *LANES)    \
    SUMS_OF(far, r, v, true, rs, 1, ldb)              \
    SUMS_OF(near, r, v, false, rs, 1, ldb)
#define PACKED_ENTRY(r, v) [r][v] = FN(packed_##r##_##v),
#define DIRECT_ENTRY(r, v) [r][v] = FN(direct_##r##_##v),
#define FAR_ENTRY(r, v) [r][v] = FN(far_##r##_##v),
#define NEAR_ENTRY(r, v) [r][v] = FN(near_##r##_##v),
SIZES(SUMS)
static FN(sums_fn) *const FN(sums_of)[][ROWS + 1][VECS + 1] = {
    [PACKED] = {SIZES(PACKED_ENTRY)},
    [DIRECT] = {SIZES(DIRECT_ENTRY)},
    [FAR] = {SIZES(FAR_ENTRY)},
    [NEAR] = {SIZES(NEAR_ENTRY)}};

static void FN(block)(void *to, int64_t ldc, const void *from, int64_t rs, int64_t cs,
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
            const int how = !ldb ? (packed ? PACKED : DIRECT) : i ? NEAR : FAR;
            FN(sums_fn) *f = FN(sums_of)[how][rows][v];
            REAL *c = (REAL *)to + i * ldc + j;
            if (cols == v * LANES) {
                f(c, ldc, a, rs, cs, b, ldb, k, accumulate);
            } else { /* the last columns, which are no whole vectors */
                REAL edge[ROWS * COLS];
                f(edge, COLS, a, rs, cs, b, ldb, k, false);
                for (int64_t q = 0; q < rows; q++)
                    for (int64_t r = 0; r < cols; r++)
                        c[q * ldc + r] =
                            accumulate ? c[q * ldc + r] + edge[q * COLS + r] : edge[q * COLS + r];
            }
        }
        b += ldb ? COLS : v * LANES * k;
    }
}
