/* transpose_tile_body.h - transposition, for the element type bound by real.h. The rows of a side
   have a
 * constant distance, or are given by pointers. */

/* row k begins at row[k] + at, or at base + k ld */
typedef struct FN(side) {
    char *const *row;
    int64_t at;
    REAL *base;
    int64_t ld;
} FN(side);
AGNI_INLINE REAL *FN(side_row)(const FN(side) *s, int64_t k)
{
    return s->row ? (REAL *)(void *)s->row[k] + s->at : s->base + k * s->ld;
}

/* LINE numbers by LANES, from (i0, j0) on, of m by n */
AGNI_INLINE void FN(turn_line)(const FN(side) * y, const FN(side) * x, int64_t m, int64_t n,
                               int64_t i0, int64_t j0, const int line)
{
    const int64_t j = j0 + LANES < n ? j0 : n - LANES;
    for (int64_t i1 = i0; i1 < m && i1 < i0 + line; i1 += LANES) {
        const int64_t i = i1 + LANES < m ? i1 : m - LANES;
        VEC v[LANES];
        AGNI_UNROLL
        for (int l = 0; l < LANES; l++)
            v[l] = LOAD(FN(side_row)(x, i + l) + j);
        FN(agni_transpose_square)(v);
        AGNI_UNROLL
        for (int l = 0; l < LANES; l++)
            STORE(FN(side_row)(y, j + l) + i, v[l]);
    }
}

/* a remainder of columns, from j0 on: row by row, each within one cache line */
AGNI_INLINE void FN(turn_columns)(const FN(side) * y, const FN(side) * x, int64_t m, int64_t j0,
                                  const int n)
{
    REAL *to[4];
    for (int j = 0; j < n; j++)
        to[j] = FN(side_row)(y, j0 + j);
    for (int64_t i = 0; i < m; i++) {
        const REAL *from = FN(side_row)(x, i) + j0;
        AGNI_UNROLL
        for (int j = 0; j < n; j++)
            to[j][i] = from[j];
    }
}
/* and of rows */
AGNI_INLINE void FN(turn_rows)(const FN(side) * y, const FN(side) * x, int64_t n, int64_t i0,
                               const int m)
{
    const REAL *from[4];
    for (int i = 0; i < m; i++)
        from[i] = FN(side_row)(x, i0 + i);
    for (int64_t j = 0; j < n; j++) {
        REAL *to = FN(side_row)(y, j) + i0;
        AGNI_UNROLL
        for (int i = 0; i < m; i++)
            to[i] = from[i][j];
    }
}

/* y[j][i] = x[i][j] for i < m, j < n. i advances by a cache line, so that a line is written once;
   where
 * m < n, by m, so that lines shared by rows of y are written together. The last vector of a side
 * ends with its last element and overlaps the one before. */
AGNI_INLINE void FN(turn)(const FN(side) *y, const FN(side) *x, int64_t m, int64_t n)
{
    enum { LINE = 64 / sizeof(REAL) > LANES ? 64 / sizeof(REAL) : LANES };
    int64_t k = 0;
    if (n < LANES) {
        for (; k + 4 <= n; k += 4)
            FN(turn_columns)(y, x, m, k, 4);
        if (n & 2)
            FN(turn_columns)(y, x, m, k, 2);
        if (n & 1)
            FN(turn_columns)(y, x, m, n - 1, 1);
    } else if (m < LANES) {
        for (; k + 4 <= m; k += 4)
            FN(turn_rows)(y, x, n, k, 4);
        if (m & 2)
            FN(turn_rows)(y, x, n, k, 2);
        if (m & 1)
            FN(turn_rows)(y, x, n, m - 1, 1);
    } else if (m < n) {
        for (int64_t j0 = 0; j0 < n; j0 += LANES)
            for (int64_t i0 = 0; i0 < m; i0 += LINE)
                FN(turn_line)(y, x, m, n, i0, j0, LINE);
    } else {
        for (int64_t i0 = 0; i0 < m; i0 += LINE)
            for (int64_t j0 = 0; j0 < n; j0 += LANES)
                FN(turn_line)(y, x, m, n, i0, j0, LINE);
    }
}

void AGNI_LV(FN(agni_transpose_rows))(void *to, int64_t ldt, const void *from, int64_t ldf,
                                      int64_t m, int64_t n)
{
    FN(turn)
    (&(FN(side)){NULL, 0, to, ldt}, &(FN(side)){NULL, 0, (REAL *)(uintptr_t)from, ldf}, m, n);
}
void AGNI_LV(FN(agni_transpose_in))(char *const *to, int64_t at, const void *from, int64_t ldf,
                                    int64_t m, int64_t n)
{
    FN(turn)
    (&(FN(side)){to, at, NULL, 0}, &(FN(side)){NULL, 0, (REAL *)(uintptr_t)from, ldf}, m, n);
}
void AGNI_LV(FN(agni_transpose_out))(void *to, int64_t ldt, char *const *from, int64_t at,
                                     int64_t m, int64_t n)
{
    FN(turn)(&(FN(side)){NULL, 0, to, ldt}, &(FN(side)){from, at, NULL, 0}, m, n);
}
