/* tensor/reduce/cpu/softmax_body.h - softmax of one lane, or of adjacent columns, for the type
   bound by real.h. Sums are two-level, of blocks of ROWS: their error grows with ROWS plus the
   number of blocks. No guard. */

AGNI_INLINE REAL FN(lane_max)(const REAL *x, int64_t n)
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
    return FN(agni_hmax)(FN(agni_max)(FN(agni_max)(a, b), FN(agni_max)(c, d)));
}

/* the first n lanes, and zeros */
AGNI_INLINE VEC FN(first_lanes)(VEC a, int64_t n)
{
    static const SINT number[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    IVEC lane;
    memcpy(&lane, number, sizeof lane);
    return FN(agni_select)((IVEC)(lane < (SINT)n), a, (VEC){0});
}

/* a lane that one vector holds */
AGNI_INLINE void FN(softmax_vector)(REAL *y, const REAL *x, int64_t n)
{
    VEC a = n < LANES ? LOAD_PART(x, n) : LOAD(x);
    VEC p = FN(agni_vx_exp)(a - SPLAT(FN(agni_hmax)(a)));
    p = p / SPLAT(FN(agni_hsum)(FN(first_lanes)(p, n)));
    if (n < LANES)
        STORE_PART(y, p, n);
    else
        STORE(y, p);
}

static void FN(softmax_lane)(REAL *y, const REAL *x, int64_t n)
{
    if (n <= LANES) {
        FN(softmax_vector)(y, x, n);
        return;
    }
    VEC rest = {0};
    int64_t left = n % LANES, whole = n - left;
    const VEC v = SPLAT(FN(lane_max)(x, n));
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
            rest = FN(agni_vx_exp)(LOAD_PART(x + k, left) - v);
            b += FN(first_lanes)(rest, left);
            k = end;
        }
        sum += (double)FN(agni_hsum)(a + b);
    }
    const VEC total = SPLAT((REAL)sum);
    for (int64_t k = 0; k < whole; k += LANES)
        STORE(y + k, LOAD(y + k) / total);
    if (left)
        STORE_PART(y + whole, rest / total, left);
}

/* Rows are asked for ahead of use: a processor's own guesses end with each page. Rows that are
   not there are asked for in vain. */
AGNI_INLINE void FN(prefetch_row)(const REAL *x, int64_t ld)
{
    __builtin_prefetch((const void *)((uintptr_t)x + (uintptr_t)(AHEAD * ld) * sizeof(REAL)));
}

/* ---- columns side by side: three passes over rows -------------------------------------------- */

static void FN(column_max)(void *topv, const void *xv, int64_t n, int64_t ld, int64_t m)
{
    REAL *top = topv;
    const REAL *x = xv;
    memcpy(top, x, (size_t)m * sizeof *top);
    for (int64_t k = 1; k < n; k++) {
        const REAL *row = x + k * ld;
        int64_t j = 0;
        for (; j + LANES <= m; j += LANES) {
            FN(prefetch_row)(row + j, ld);
            STORE(top + j, FN(agni_max)(LOAD(top + j), LOAD(row + j)));
        }
        if (j < m)
            STORE_PART(top + j, FN(agni_max)(LOAD_PART(top + j, m - j), LOAD_PART(row + j, m - j)),
                       m - j);
    }
}

static void FN(exp_and_sum)(void *sumv, void *yv, const void *xv, const void *topv, int64_t n,
                            int64_t ld, int64_t m)
{
    REAL *sum = sumv;
    const REAL *top = topv;
    memset(sum, 0, (size_t)m * sizeof *sum);
    for (int64_t k = 0; k < n; k++) {
        const REAL *x = (const REAL *)xv + k * ld;
        REAL *y = (REAL *)yv + k * ld;
        int64_t j = 0;
        for (; j + LANES <= m; j += LANES) {
            FN(prefetch_row)(x + j, ld);
            VEC p = FN(agni_vx_exp)(LOAD(x + j) - LOAD(top + j));
            STORE(y + j, p);
            STORE(sum + j, LOAD(sum + j) + p);
        }
        if (j < m) {
            VEC p = FN(agni_vx_exp)(LOAD_PART(x + j, m - j) - LOAD_PART(top + j, m - j));
            STORE_PART(y + j, p, m - j);
            STORE_PART(sum + j, LOAD_PART(sum + j, m - j) + p, m - j);
        }
    }
}

static void FN(add_parts)(void *sumv, const void *partv, int64_t n, int64_t ld, int64_t m)
{
    REAL *sum = sumv;
    memset(sum, 0, (size_t)m * sizeof *sum);
    for (int64_t k = 0; k < n; k++) {
        const REAL *part = (const REAL *)partv + k * ld;
        for (int64_t j = 0; j < m; j++)
            sum[j] += part[j];
    }
}

static void FN(divide_columns)(void *yv, const void *sumv, int64_t n, int64_t ld, int64_t m)
{
    const REAL *sum = sumv;
    for (int64_t k = 0; k < n; k++) {
        REAL *y = (REAL *)yv + k * ld;
        int64_t j = 0;
        for (; j + LANES <= m; j += LANES) {
            FN(prefetch_row)(y + j, ld);
            STORE(y + j, LOAD(y + j) / LOAD(sum + j));
        }
        for (; j < m; j++)
            y[j] /= sum[j];
    }
}

/* ---- rows of few columns that lie together: a vector holds several rows ---------------------- */

AGNI_INLINE VEC FN(rotate_lanes)(VEC a, int64_t by)
{
    REAL twice[2 * LANES];
    STORE(twice, a);
    STORE(twice + LANES, a);
    return LOAD(twice + by);
}

/* m divides LANES */
static void FN(softmax_narrow)(REAL *y, const REAL *x, int64_t n, int64_t m)
{
    int64_t all = n * m, left = all % LANES, whole = all - left;
    const VEC low = SPLAT(-(REAL)INFINITY);
    VEC top = low, rest = low, total = {0};
    for (int64_t k = 0; k < whole; k += LANES)
        top = FN(agni_max)(top, LOAD(x + k));
    if (left) {
        memcpy(&rest, x + whole, (size_t)left * sizeof *x);
        top = FN(agni_max)(top, rest);
    }
    for (int64_t by = LANES / 2; by >= m; by /= 2)
        top = FN(agni_max)(top, FN(rotate_lanes)(top, by));
    for (int64_t k = 0; k < all;) {
        int64_t end = all - k < ROWS * LANES ? all : k + ROWS * LANES;
        VEC sum = {0};
        for (; k + LANES <= end; k += LANES) {
            VEC p = FN(agni_vx_exp)(LOAD(x + k) - top);
            STORE(y + k, p);
            sum += p;
        }
        if (k < end) {
            rest = FN(first_lanes)(FN(agni_vx_exp)(rest - top), left);
            sum += rest;
            k = end;
        }
        total += sum;
    }
    for (int64_t by = LANES / 2; by >= m; by /= 2)
        total += FN(rotate_lanes)(total, by);
    for (int64_t k = 0; k < whole; k += LANES)
        STORE(y + k, LOAD(y + k) / total);
    if (left) {
        rest = rest / total;
        memcpy(y + whole, &rest, (size_t)left * sizeof *y);
    }
}

static void FN(softmax)(void *yv, const void *xv, int64_t n, int64_t ld, int64_t m)
{
    REAL *y = yv, top[AGNI_SOFTMAX_TILE], sum[AGNI_SOFTMAX_TILE], part[2 * AGNI_SOFTMAX_TILE];
    const REAL *x = xv;
    if (ld == 1) {
        FN(softmax_lane)(y, x, n);
        return;
    }
    if (ld == m && m <= LANES && LANES % m == 0) {
        FN(softmax_narrow)(y, x, n, m);
        return;
    }
    FN(column_max)(top, x, n, ld, m);
    memset(part, 0, (size_t)m * sizeof *part);
    for (int64_t k = 0; k < n; k += ROWS) {
        FN(exp_and_sum)(part + m, y + k * ld, x + k * ld, top, n - k < ROWS ? n - k : ROWS, ld, m);
        FN(add_parts)(sum, part, 2, m, m);
        memcpy(part, sum, (size_t)m * sizeof *sum);
    }
    FN(divide_columns)(y, part, n, ld, m);
}
