/* y = (x - c)^2; c is n numbers, or one if step is 0 */
AGNI_INLINE void FN(squares)(REAL *y, const REAL *x, const REAL *c, int64_t step, int64_t n)
{
    int64_t j = 0;
    for (; j + LANES <= n; j += LANES) {
        VEC d = LOAD(x + j) - (step ? LOAD(c + j) : SPLAT(*c));
        STORE(y + j, d * d);
    }
    for (; j < n; j++)
        y[j] = (x[j] - c[j * step]) * (x[j] - c[j * step]);
}

/* Sums of squares about given numbers, for the type bound by real.h: squares of some rows at a
   time, summed as any rows are. */
static void FN(about)(void *yv, int64_t yld, const void *xv, int64_t xld, const void *cv,
                      int64_t cld, int64_t many, int64_t n, int64_t ld, int64_t m)
{
    enum { ROOM = 4 * AGNI_FOLD_WIDE };
    REAL square[ROOM], part[AGNI_FOLD_WIDE];
    REAL *y = yv;
    const REAL *x = xv, *c = cv;
    int64_t group = ROOM / m;
    for (int64_t i = 0; i < many; i++, y += yld, x += xld, c += cld)
        for (int64_t k = 0; k < n; k += group) {
            int64_t rows = n - k < group ? n - k : group;
            if (m == 1)
                FN(squares)(square, x + k, c, 0, rows);
            for (int64_t r = 0; m > 1 && r < rows; r++)
                FN(squares)(square + r * m, x + (k + r) * ld, c, 1, m);
            FN(sum)(part, m, square, 0, 1, rows, m, m);
            for (int64_t j = 0; j < m; j++)
                y[j] = k ? y[j] + part[j] : part[j];
        }
}
