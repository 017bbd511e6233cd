/* linalg/structured/cpu/levinson_body.h - Levinson's recursion (Golub & Van Loan 2013, 4.7) in the
   numbers NUMBER: complex ones, real ones go along vectors (linalg/cpu/lanes/toeplitz_body.h). t
   [i, j] = at[i - j]; f and g, n numbers each, solve t f = e_1 and t g = e_n of the leading blocks.
   No pivots: leading minors that are small cost digits, which the residual shows. */
/* sums of down[-i] f[i] and up[-i] g[i] for i < m, in four parts each: a sum waits for its last
   term */
static void NAME(run_dots)(int64_t m, const NUMBER *down, const NUMBER *f, const NUMBER *up,
                           const NUMBER *g, NUMBER *ef, NUMBER *eg)
{
    NUMBER x[4] = {0}, y[4] = {0};
    int64_t i = 0;
    for (; i + 4 <= m; i += 4)
        for (int k = 0; k < 4; k++) {
            x[k] += down[-i - k] * f[i + k];
            y[k] += up[-i - k] * g[i + k];
        }
    for (; i < m; i++) {
        x[0] += down[-i] * f[i];
        y[0] += up[-i] * g[i];
    }
    *ef = x[0] + x[1] + (x[2] + x[3]);
    *eg = y[0] + y[1] + (y[2] + y[3]);
}
static NUMBER NAME(run_dot)(int64_t m, const NUMBER *down, const NUMBER *y)
{
    NUMBER x[4] = {0};
    int64_t i = 0;
    for (; i + 4 <= m; i += 4)
        for (int k = 0; k < 4; k++)
            x[k] += down[-i - k] * y[i + k];
    for (; i < m; i++)
        x[0] += down[-i] * y[i];
    return x[0] + x[1] + (x[2] + x[3]);
}

static int64_t NAME(levinson)(int64_t n, int64_t k, const NUMBER *at, NUMBER *f, NUMBER *g,
                              const NUMBER *b, NUMBER *x)
{
    for (int64_t m = 0; m < n; m++) {
        if (m == 0) {
            if (at[0] == 0)
                return SMALL_MINOR;
            f[0] = g[0] = 1 / at[0];
        } else {
            NUMBER ef, eg, before = 0;
            NAME(run_dots)(m, at + m, f, at - 1, g, &ef, &eg);
            NUMBER d = 1 - ef * eg;
            if (d == 0)
                return SMALL_MINOR;
            NUMBER scale = 1 / d;
            f[m] = g[m] = 0;
            for (int64_t i = 0; i <= m; i++) { /* g moves by one */
                NUMBER gi = before, fi = f[i];
                before = g[i];
                f[i] = (fi - ef * gi) * scale;
                g[i] = (gi - eg * fi) * scale;
            }
        }
        for (int64_t c = 0; c < k; c++) {
            NUMBER *y = x + c * n, e = b[c * n + m] - NAME(run_dot)(m, at + m, y);
            y[m] = 0;
            for (int64_t i = 0; i <= m; i++)
                y[i] += e * g[i];
        }
    }
    return 0;
}

/* b - t x to `rest`; is all of it within 8 eps |t| |x|, as of a stable method, with |t| the sum
   over its numbers? */
static bool NAME(residual_is_small)(int64_t n, int64_t k, const NUMBER *at, const NUMBER *b,
                                    const NUMBER *x, NUMBER *rest)
{
    double norm = 0;
    bool good = true;
    for (int64_t i = 1 - n; i < n; i++)
        norm += MODULUS(at[i]);
    for (int64_t c = 0; c < k; c++) {
        double most = 0, off = 0;
        for (int64_t i = 0; i < n; i++)
            most = fmax(most, MODULUS(x[c * n + i]));
        for (int64_t i = 0; i < n; i++) {
            NUMBER e = b[c * n + i] - NAME(run_dot)(n, at + i, x + c * n);
            rest[c * n + i] = e;
            off = MODULUS(e) > off || e != e ? MODULUS(e) : off;
        }
        good = good && off <= 8 * 0x1p-52 * norm * most;
    }
    return good;
}
