/* linalg/cpu/lanes/toeplitz_body.h - Levinson's recursion (Golub & Van Loan 2013, 4.7) along whole
   vectors, for the element type bound by real.h. t [i, j] = at[i - j] lies backwards, turned[n - 1
   - d] = at[d], so that sums run upwards in both factors. */

AGNI_INLINE REAL FN(run_sum)(int64_t m, const REAL *a, const REAL *b)
{
    VEC part[4] = {SPLAT(0), SPLAT(0), SPLAT(0), SPLAT(0)};
    int64_t i = 0;
    for (; i + 4 * LANES <= m; i += 4 * LANES) {
        AGNI_UNROLL
        for (int p = 0; p < 4; p++)
            part[p] = FMA(LOAD(a + i + p * LANES), LOAD(b + i + p * LANES), part[p]);
    }
    for (; i + LANES <= m; i += LANES)
        part[0] = FMA(LOAD(a + i), LOAD(b + i), part[0]);
    REAL rest = 0;
    for (; i < m; i++)
        rest += a[i] * b[i];
    return rest + FN(total)(part[0] + part[1] + (part[2] + part[3]))[0];
}

/* f and g solve t f = e_1 and t g = e_m of the leading blocks; g moves down by one at each step, so
   it begins one number earlier in its room of 2 n numbers, f has n. False: a minor is 0 */
static bool FN(levinson)(int64_t n, int64_t k, const void *turned, void *f_room, void *g_room,
                         const void *rhs, void *out)
{
    const REAL *t = turned, *b = rhs;
    REAL *f = f_room, *g = (REAL *)g_room + n, *x = out;
    if (t[n - 1] == 0)
        return false;
    f[0] = g[0] = 1 / t[n - 1];
    for (int64_t m = 0; m < n; m++) {
        if (m) {
            const REAL ef = FN(run_sum)(m, t + n - 1 - m, f), eg = FN(run_sum)(m, t + n, g),
                       d = 1 - ef * eg;
            if (d == 0)
                return false;
            const REAL scale = 1 / d;
            const VEC by = SPLAT(scale), vf = SPLAT(ef), vg = SPLAT(eg);
            *--g = f[m] = 0;
            int64_t i = 0;
            for (; i + LANES <= m + 1; i += LANES) {
                const VEC fi = LOAD(f + i), gi = LOAD(g + i);
                STORE(f + i, FNMA(vf, gi, fi) * by);
                STORE(g + i, FNMA(vg, fi, gi) * by);
            }
            for (; i <= m; i++) {
                const REAL fi = f[i], gi = g[i];
                f[i] = (fi - ef * gi) * scale;
                g[i] = (gi - eg * fi) * scale;
            }
        }
        for (int64_t c = 0; c < k; c++) {
            REAL *y = x + c * n;
            const REAL e = b[c * n + m] - FN(run_sum)(m, t + n - 1 - m, y);
            const VEC by = SPLAT(e);
            y[m] = 0;
            int64_t i = 0;
            for (; i + LANES <= m + 1; i += LANES)
                STORE(y + i, FMA(by, LOAD(g + i), LOAD(y + i)));
            for (; i <= m; i++)
                y[i] += e * g[i];
        }
    }
    return true;
}

/* b - t x to `rest`, and the largest of its numbers; NaN where one is */
static double FN(toeplitz_residual)(int64_t n, const void *turned, const void *rhs, const void *x,
                                    void *rest)
{
    const REAL *t = turned, *b = rhs;
    REAL *r = rest;
    double most = 0;
    for (int64_t i = 0; i < n; i++) {
        r[i] = b[i] - FN(run_sum)(n, t + n - 1 - i, x);
        const double size = r[i] < 0 ? -(double)r[i] : (double)r[i];
        most = size > most || size != size ? size : most;
    }
    return most;
}
