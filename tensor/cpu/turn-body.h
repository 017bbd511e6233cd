/* Rows become columns, for the element type bound by real.h. */

/* LINE numbers by LANES, from (i0, j0) on, of m by n */
AGNI_INLINE void FN(turn_line)(REAL *y, int64_t ldt, const REAL *x, int64_t ldf, int64_t m, int64_t n,
                               int64_t i0, int64_t j0, const int line)
{
    const int64_t j = j0 + LANES < n ? j0 : n - LANES;
    for (int64_t i1 = i0; i1 < m && i1 < i0 + line; i1 += LANES) {
        const int64_t i = i1 + LANES < m ? i1 : m - LANES;
        VEC v[LANES];
        AGNI_UNROLL
        for (int l = 0; l < LANES; l++)
            v[l] = LOAD(x + (i + l) * ldf + j);
        FN(agni_turn)(v);
        AGNI_UNROLL
        for (int l = 0; l < LANES; l++)
            STORE(y + (j + l) * ldt + i, v[l]);
    }
}

/* few columns: a row at a time, which is one line of memory */
AGNI_INLINE void FN(turn_columns)(REAL *y, int64_t ldt, const REAL *x, int64_t ldf, int64_t m, const int n)
{
    for (int64_t i = 0; i < m; i++) {
        AGNI_UNROLL
        for (int j = 0; j < n; j++)
            y[j * ldt + i] = x[i * ldf + j];
    }
}

/* to[j ldt + i] = from[i ldf + j] for i < m, j < n. A cache line of i's at a time, so that a line is
 * written once; where there are fewer i's than j's, as many of them, so that lines which rows of to
 * share are written together. The last vector of a side ends with its last number, and repeats some. */
void AGNI_LV(FN(agni_vturn))(void *to, int64_t ldt, const void *from, int64_t ldf, int64_t m, int64_t n)
{
    enum { LINE = 64 / sizeof(REAL) > LANES ? 64 / sizeof(REAL) : LANES };
    REAL *y = to;
    const REAL *x = from;
    if (n < LANES) {
        for (; n >= 4; n -= 4, y += 4 * ldt, x += 4)
            FN(turn_columns)(y, ldt, x, ldf, m, 4);
        if (n & 2)
            FN(turn_columns)(y, ldt, x, ldf, m, 2);
        if (n & 1)
            FN(turn_columns)(y + (n & 2) * ldt, ldt, x + (n & 2), ldf, m, 1);
    } else if (m < LANES) {
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = 0; i < m; i++)
                y[j * ldt + i] = x[i * ldf + j];
    } else if (m < n) {
        for (int64_t j0 = 0; j0 < n; j0 += LANES)
            for (int64_t i0 = 0; i0 < m; i0 += LINE)
                FN(turn_line)(y, ldt, x, ldf, m, n, i0, j0, LINE);
    } else {
        for (int64_t i0 = 0; i0 < m; i0 += LINE)
            for (int64_t j0 = 0; j0 < n; j0 += LANES)
                FN(turn_line)(y, ldt, x, ldf, m, n, i0, j0, LINE);
    }
}
