/* linalg/structured/cpu/levinson_body.h - Levinson's recursion (Golub & Van Loan 2013, 4.7) in the numbers NUMBER, read once
   per type. t [i, j] = at[i - j]; f and g, n numbers each, solve t f = e_1 and t g = e_n of the leading blocks. No
   pivots: leading minors that are small cost digits, which the residual shows. */
static int64_t NAME(levinson)(int64_t n, int64_t k, const NUMBER *at, NUMBER *f, NUMBER *g, const NUMBER *b, NUMBER *x)
{
    for (int64_t m = 0; m < n; m++) {
        if (m == 0) {
            if (at[0] == 0)
                return SMALL_MINOR;
            f[0] = g[0] = 1 / at[0];
        } else {
            NUMBER ef = 0, eg = 0, before = 0;
            for (int64_t i = 0; i < m; i++) {
                ef += at[m - i] * f[i];
                eg += at[-1 - i] * g[i];
            }
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
            NUMBER *y = x + c * n, e = b[c * n + m];
            for (int64_t i = 0; i < m; i++)
                e -= at[m - i] * y[i];
            y[m] = 0;
            for (int64_t i = 0; i <= m; i++)
                y[i] += e * g[i];
        }
    }
    return 0;
}

/* is every |b - t x| within 8 eps |t| |x|, as of a stable method, with |t| the sum over its numbers? */
static bool NAME(residual_is_small)(int64_t n, int64_t k, const NUMBER *at, const NUMBER *b, const NUMBER *x)
{
    double norm = 0;
    for (int64_t i = 1 - n; i < n; i++)
        norm += MODULUS(at[i]);
    for (int64_t c = 0; c < k; c++) {
        double most = 0, off = 0;
        for (int64_t i = 0; i < n; i++)
            most = fmax(most, MODULUS(x[c * n + i]));
        for (int64_t i = 0; i < n; i++) {
            NUMBER e = b[c * n + i];
            for (int64_t j = 0; j < n; j++)
                e -= at[i - j] * x[c * n + j];
            off = MODULUS(e) > off || e != e ? MODULUS(e) : off;
        }
        if (!(off <= 8 * 0x1p-52 * norm * most))
            return false;
    }
    return true;
}

static void NAME(fill_dense)(int64_t n, const NUMBER *at, NUMBER *a)
{
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++)
            a[j * n + i] = at[i - j];
}
