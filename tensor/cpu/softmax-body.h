/* softmax of one lane, or of columns side by side, for the type bound by real.h. A sum runs over
   parts of ROWS: its error grows with their number and with ROWS, not with the product. */

AGNI_INLINE REAL FN(largest)(const REAL *x, int64_t n)
{
    VEC a = SPLAT(x[0]), b = a, c = a, d = a;
    int64_t k = 0;
    for (; k + 4 * LANES <= n; k += 4 * LANES) {
        a = FN(agni_max)(a, LOAD(x + k));
        b = FN(agni_max)(b, LOAD(x + k + LANES));
        c = FN(agni_max)(c, LOAD(x + k + 2 * LANES));
        d = FN(agni_max)(d, LOAD(x + k + 3 * LANES));
    }
    for (; k < n; k += LANES)
        a = FN(agni_max)(a, k + LANES <= n ? LOAD(x + k) : LOAD_PART(x + k, n - k));
    REAL t[LANES], top;
    STORE(t, FN(agni_max)(FN(agni_max)(a, b), FN(agni_max)(c, d)));
    top = t[0];
    for (int l = 1; l < LANES; l++)
        top = t[l] > top || t[l] != t[l] ? t[l] : top;
    return top;
}

static void FN(lane)(REAL *y, const REAL *x, int64_t n)
{
    const VEC v = SPLAT(FN(largest)(x, n));
    double sum = 0;
    for (int64_t k = 0; k < n;) {
        int64_t end = n - k < ROWS * LANES ? n : k + ROWS * LANES;
        VEC a = {0}, b = {0};
        for (; k + 2 * LANES <= end; k += 2 * LANES) {
            VEC p = FN(agni_vx_exp)(LOAD(x + k) - v), q = FN(agni_vx_exp)(LOAD(x + k + LANES) - v);
            STORE(y + k, p);
            STORE(y + k + LANES, q);
            a += p;
            b += q;
        }
        for (; k + LANES <= end; k += LANES) {
            VEC p = FN(agni_vx_exp)(LOAD(x + k) - v);
            STORE(y + k, p);
            a += p;
        }
        if (k < end) {
            REAL t[LANES] = {0};
            VEC p = FN(agni_vx_exp)(LOAD_PART(x + k, end - k) - v);
            STORE_PART(t, p, end - k);
            STORE_PART(y + k, p, end - k);
            b += LOAD(t);
            k = end;
        }
        sum += (double)FN(agni_hsum)(a + b);
    }
    REAL total = (REAL)sum;
    for (int64_t k = 0; k < n; k++)
        y[k] /= total;
}

/* Rows are asked for ahead of use: a processor's own guesses end with each page. Rows that are
   not there are asked for in vain. */
AGNI_INLINE void FN(ask)(const REAL *x, int64_t ld)
{
    __builtin_prefetch((const void *)((uintptr_t)x + (uintptr_t)(AHEAD * ld) * sizeof(REAL)));
}

/* m is a multiple of LANES here */
AGNI_INLINE void FN(columns)(REAL *y, const REAL *x, int64_t n, int64_t ld, int64_t m)
{
    enum { MOST = AGNI_SOFTMAX_TILE / LANES };
    VEC top[MOST], sum[MOST], part[MOST];
    for (int64_t j = 0; j < m; j += LANES) {
        top[j / LANES] = LOAD(x + j);
        sum[j / LANES] = (VEC){0};
    }
    for (int64_t k = 1; k < n; k++)
        for (int64_t j = 0; j < m; j += LANES)
        {
            FN(ask)(x + k * ld + j, ld);
            top[j / LANES] = FN(agni_max)(top[j / LANES], LOAD(x + k * ld + j));
        }
    for (int64_t k = 0; k < n;) {
        int64_t end = n - k < ROWS ? n : k + ROWS;
        memset(part, 0, sizeof part);
        for (; k < end; k++)
            for (int64_t j = 0; j < m; j += LANES) {
                FN(ask)(x + k * ld + j, ld);
                VEC p = FN(agni_vx_exp)(LOAD(x + k * ld + j) - top[j / LANES]);
                STORE(y + k * ld + j, p);
                part[j / LANES] += p;
            }
        for (int64_t j = 0; j < m; j += LANES)
            sum[j / LANES] += part[j / LANES];
    }
    for (int64_t k = 0; k < n; k++)
        for (int64_t j = 0; j < m; j += LANES) {
            FN(ask)(y + k * ld + j, ld);
            STORE(y + k * ld + j, LOAD(y + k * ld + j) / sum[j / LANES]);
        }
}

/* the columns that fill no vector, through one */
static void FN(rest)(REAL *y, const REAL *x, int64_t n, int64_t ld, int64_t m)
{
    VEC top = LOAD_PART(x, m), sum = {0}, part = {0};
    for (int64_t k = 1; k < n; k++)
        top = FN(agni_max)(top, LOAD_PART(x + k * ld, m));
    for (int64_t k = 0; k < n; k++) {
        VEC p = FN(agni_vx_exp)(LOAD_PART(x + k * ld, m) - top);
        STORE_PART(y + k * ld, p, m);
        part += p;
        if (k % ROWS == ROWS - 1 || k == n - 1) {
            sum += part;
            part = (VEC){0};
        }
    }
    for (int64_t k = 0; k < n; k++)
        STORE_PART(y + k * ld, LOAD_PART(y + k * ld, m) / sum, m);
}

static void FN(softmax)(void *yv, const void *xv, int64_t n, int64_t ld, int64_t m)
{
    REAL *y = yv;
    const REAL *x = xv;
    int64_t whole = m / LANES * LANES;
    if (ld == 1) {
        FN(lane)(y, x, n);
        return;
    }
    if (whole)
        FN(columns)(y, x, n, ld, whole);
    if (whole < m)
        FN(rest)(y + whole, x + whole, n, ld, m - whole);
}
