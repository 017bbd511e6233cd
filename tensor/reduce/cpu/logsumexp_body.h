/* tensor/reduce/cpu/logsumexp_body.h - log-sum-exp of blocks for the type bound by real.h:
   m + log sum exp(x - m), m the maximum where finite, else 0. No guard. */

/* m where it is finite, else 0 */
static REAL FN(finite_part)(REAL m)
{
    return m - m == 0 ? m : 0;
}

static REAL FN(sum_exp)(const REAL *x, int64_t n, REAL m)
{
    enum { LEAF_V = 16 };
    if (n > LEAF_V * LANES * 4) {
        int64_t half = (n / 2 + LANES - 1) / LANES * LANES;
        return FN(sum_exp)(x, half, m) + FN(sum_exp)(x + half, n - half, m);
    }
    VEC a = {0}, b = {0}, c = {0}, d = {0};
    const VEC v = SPLAT(m);
    int64_t k = 0;
    for (; k + 4 * LANES <= n; k += 4 * LANES) {
        a += FN(agni_vx_exp)(LOAD(x + k) - v);
        b += FN(agni_vx_exp)(LOAD(x + k + LANES) - v);
        c += FN(agni_vx_exp)(LOAD(x + k + 2 * LANES) - v);
        d += FN(agni_vx_exp)(LOAD(x + k + 3 * LANES) - v);
    }
    for (; k + LANES <= n; k += LANES)
        a += FN(agni_vx_exp)(LOAD(x + k) - v);
    if (k < n) {
        REAL t[LANES] = {0};
        STORE_PART(t, FN(agni_vx_exp)(LOAD_PART(x + k, n - k) - v), n - k);
        b += LOAD(t);
    }
    return FN(agni_hsum)((a + b) + (c + d));
}

/* columns, online (Milakov & Gimelshein 2018): groups of rows, the sums so far rescaled to the new
   maximum. A sum of 0 is replaced, not rescaled: the factor may be infinite. */
static void FN(lse_columns)(REAL *y, const REAL *x, int64_t n, int64_t ld, int64_t m)
{
    enum { GROUP = 16, MOST = AGNI_REDUCE_WIDE / LANES };
    const VEC zero = {0};
    const int64_t vectors = (m + LANES - 1) / LANES;
    VEC tops[MOST], bases[MOST], sums[MOST];
    for (int64_t i = 0; i < vectors; i++) {
        tops[i] = SPLAT(-(REAL)INFINITY);
        bases[i] = sums[i] = zero;
    }
    for (int64_t i = 0; i < n; i += GROUP) {
        const int64_t rows = n - i < GROUP ? n - i : GROUP;
        for (int64_t j = 0; j < vectors; j++) {
            const int64_t w = m - j * LANES < LANES ? m - j * LANES : LANES;
            const REAL *from = x + i * ld + j * LANES;
            VEC v[GROUP], top = tops[j], part = zero;
            for (int64_t k = 0; k < rows; k++) {
                __builtin_prefetch((const void *)((uintptr_t)(from + k * ld) +
                                                  (uintptr_t)(GROUP * ld) * sizeof(REAL)));
                v[k] = w == LANES ? LOAD(from + k * ld) : LOAD_PART(from + k * ld, w);
                top = SELECT(v[k] != v[k], v[k], FN(agni_max)(top, v[k]));
            }
            const VEC base = SELECT(top - top == zero, top, zero);
            for (int64_t k = 0; k < rows; k++)
                part += FN(agni_vx_exp)(v[k] - base);
            sums[j] = SELECT(sums[j] == zero, part,
                             sums[j] * FN(agni_vx_exp)(bases[j] - base) + part);
            tops[j] = top;
            bases[j] = base;
        }
    }
    for (int64_t j = 0; j < vectors; j++) {
        const VEC r = FN(agni_vx_log)(sums[j]) + bases[j];
        if (m - j * LANES >= LANES)
            STORE(y + j * LANES, r);
        else
            STORE_PART(y + j * LANES, r, m - j * LANES);
    }
}

static void FN(lse)(void *yv, int64_t yld, const void *xv, int64_t xld, const void *cv,
                    int64_t cld, int64_t many, int64_t n, int64_t ld, int64_t m)
{
    REAL *y = yv;
    const REAL *x = xv;
    (void)cv, (void)cld;
    for (int64_t i = 0; i < many; i++, y += yld, x += xld)
        if (m == 1 && ld == 1) {
            REAL top;
            FN(max)(&top, 1, x, n, NULL, 0, 1, n, 1, 1);
            REAL base = FN(finite_part)(top), sum = FN(sum_exp)(x, n, base);
            REAL t[LANES];
            STORE(t, FN(agni_vx_log)(SPLAT(sum)) + SPLAT(base));
            y[0] = t[0];
        } else {
            FN(lse_columns)(y, x, n, ld, m);
        }
}
