/* tensor/matmul/cpu/gemm_packing_body.h - packing of panels of a and b (Goto & van de Geijn
   2008) for the element type bound by real.h; gemm.h describes the layout. No guard. */

/* to[p n + q] = x[q rs + p cs] for q < n and p < k; n is a constant but for the last panel */
AGNI_INLINE void FN(pack_strided)(REAL *to, int64_t n, const REAL *x, int64_t rs, int64_t cs,
                                  int64_t k)
{
    for (int64_t p = 0; p < k; p++, to += n)
        for (int64_t q = 0; q < n; q++)
            to[q] = x[q * rs + p * cs];
}

/* The same of n contiguous rows: squares are transposed in registers. Where n < LANES, what a
   vector writes beyond its n numbers is overwritten by the next. */
AGNI_INLINE void FN(pack_transposed)(REAL *to, int n, const REAL *x, int64_t rs, int64_t k)
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
            FN(agni_transpose_square)(v);
            AGNI_UNROLL
            for (int l = 0; l < LANES; l++)
                STORE(to + l * n + first, v[l]);
        }
    }
    FN(pack_strided)(to, n, x + p, rs, 1, k - p);
}

/* copies n numbers by vectors, the last of which ends with the last number */
AGNI_INLINE void FN(copy_row)(REAL *to, const REAL *from, int n)
{
    if (n < LANES)
        memcpy(to, from, (size_t)n * sizeof *to);
    AGNI_UNROLL
    for (int i = 0; n >= LANES && i < n; i += LANES) {
        const int first = i + LANES <= n ? i : n - LANES;
        STORE(to + first, LOAD(from + first));
    }
}

/* Panels of n numbers of each of k contiguous rows, AT_ONCE rows at a time for all panels: panel by
   panel, a cache line would be loaded once for each panel that shares it, from k pages. */
AGNI_INLINE void FN(pack_rows)(REAL *to, int n, const REAL *x, int64_t ld, int64_t k,
                               int64_t panels)
{
    enum { AT_ONCE = 8 };
    for (int64_t p = 0; p < k; p += AT_ONCE) {
        const int64_t rows = k - p < AT_ONCE ? k - p : AT_ONCE;
        for (int64_t j = 0; j < panels; j++) {
            const REAL *from = x + p * ld + j * n;
            REAL *d = to + (j * k + p) * n;
            for (int64_t q = 0; q < rows; q++, from += ld, d += n)
                FN(copy_row)(d, from, n);
        }
    }
}

/* the whole panels of n of the m numbers */
AGNI_INLINE void FN(pack_whole_panels)(REAL *to, int n, const REAL *x, int64_t rs, int64_t cs,
                                       int64_t k, int64_t m)
{
    if (rs == 1)
        FN(pack_rows)(to, n, x, cs, k, m / n);
    else
        for (int64_t i = 0; i <= m - n; i += n, x += n * rs, to += n * k)
            if (cs == 1)
                FN(pack_transposed)(to, n, x, rs, k);
            else
                FN(pack_strided)(to, n, x, rs, cs, k);
}

static void FN(pack_a)(void *to, const void *from, int64_t rs, int64_t cs, int64_t m, int64_t k)
{
    const int64_t whole = m / ROWS * ROWS;
    FN(pack_whole_panels)(to, ROWS, from, rs, cs, k, m);
    FN(pack_strided)((REAL *)to + whole * k, m - whole, (const REAL *)from + whole * rs, rs, cs, k);
}

/* The last c columns, less than a panel: whole vectors, while these end within the rows that
   follow; no kernel reads the elements beyond c. */
static void FN(pack_edge)(REAL *d, const REAL *b, int64_t rs, int64_t cs, int64_t k, int64_t c)
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
    FN(pack_whole_panels)(to, COLS, from, cs, rs, k, n);
    if (whole < n)
        FN(pack_edge)
        ((REAL *)to + whole * k, (const REAL *)from + whole * cs, rs, cs, k, n - whole);
}
