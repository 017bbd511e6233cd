/* Rows become columns, for the element type bound by real.h. */

/* to[j ldt + i] = from[i ldf + j] for i < m, j < n. A cache line of i's at a time, so that a line is
 * written once; the last vector of a side ends with its last number, and repeats some. */
void AGNI_LV(FN(agni_vturn))(void *to, int64_t ldt, const void *from, int64_t ldf, int64_t m, int64_t n)
{
    enum { LINE = 64 / sizeof(REAL) > LANES ? 64 / sizeof(REAL) : LANES };
    REAL *y = to;
    const REAL *x = from;
    if (m < LANES || n < LANES) {
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = 0; i < m; i++)
                y[j * ldt + i] = x[i * ldf + j];
        return;
    }
    for (int64_t i0 = 0; i0 < m; i0 += LINE)
        for (int64_t j0 = 0; j0 < n; j0 += LANES) {
            const int64_t j = j0 + LANES < n ? j0 : n - LANES;
            for (int64_t i1 = i0; i1 < m && i1 < i0 + LINE; i1 += LANES) {
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
}
