/* linalg/cpu/lanes/factor_body.h - Cholesky and LU factorisation, triangular solves, determinants
   of matrices in lanes, for the element type bound by real.h. */

#undef AT
#undef LEAST
#undef MOST
#define AT(i, j) (a + ((i) * rs + (j) * cs) * LANES)
/* pivots within these have reciprocals that are normal numbers, with room to spare */
#define LEAST PICK(0x1p-1000, 0x1p-120)
#define MOST PICK(0x1p1000, 0x1p120)

/* up to this order quotients are quotients: exact where they can be; above products with
   reciprocals */
enum { FN(DIVIDES) = 8 };

AGNI_INLINE uint32_t FN(lane_mask)(IVEC m)
{
    uint32_t bits = 0;
    if (!ANY(m))
        return 0;
    SINT lane[LANES];
    memcpy(lane, &m, sizeof lane);
    for (int l = 0; l < LANES; l++)
        bits |= (uint32_t)(lane[l] != 0) << l;
    return bits;
}

AGNI_INLINE IVEC FN(is_faint)(VEC d)
{
    VEC size = ABS(d);
    return ~((size >= SPLAT(LEAST)) & (size <= SPLAT(MOST)));
}

/* ---- Cholesky: columns from the left ------------------------------------------------ */

/* entries i .. i + rows - 1 of column j, less what the columns before it took */
AGNI_INLINE void FN(column_part)(const REAL *a, int64_t rs, int64_t cs, int64_t i, int64_t j,
                                 const int rows, VEC *sum)
{
    AGNI_UNROLL
    for (int r = 0; r < rows; r++)
        sum[r] = LOAD(AT(i + r, j));
    for (int64_t k = 0; k < j; k++) {
        VEC l = LOAD(AT(j, k));
        AGNI_UNROLL
        for (int r = 0; r < rows; r++)
            sum[r] = FNMA(LOAD(AT(i + r, k)), l, sum[r]);
    }
}

AGNI_INLINE void FN(column_rows)(REAL *a, int64_t n, int64_t rs, int64_t cs, int64_t i, int64_t j,
                                 const int rows, VEC *d, IVEC *bad)
{
    VEC x[4];
    FN(column_part)(a, rs, cs, i, j, rows, x);
    if (i == j) {
        IVEC good = (x[0] > SPLAT(0)) &
                    (x[0] <= SPLAT(PICK(0x1.fffffffffffffp1023, 0x1.fffffep127)));
        *bad |= ~good;
        VEC root = FN(agni_sqrt)(SELECT(good, x[0], SPLAT(1)));
        *d = n <= FN(DIVIDES) ? root : SPLAT(1) / root;
        STORE(AT(j, j), root);
    }
    AGNI_UNROLL
    for (int r = 0; r < rows; r++)
        if (i + r > j)
            STORE(AT(i + r, j), n <= FN(DIVIDES) ? x[r] / *d : x[r] * *d);
}

AGNI_INLINE uint32_t FN(cholesky_of)(REAL *a, const int64_t n, int64_t rs, int64_t cs)
{
    IVEC bad = {0};
    for (int64_t j = 0; j < n; j++) {
        VEC d = SPLAT(1);
        int64_t i = j;
        for (; i + 4 <= n; i += 4)
            FN(column_rows)(a, n, rs, cs, i, j, 4, &d, &bad);
        if (n - i == 3)
            FN(column_rows)(a, n, rs, cs, i, j, 3, &d, &bad);
        else if (n - i == 2)
            FN(column_rows)(a, n, rs, cs, i, j, 2, &d, &bad);
        else if (n - i == 1)
            FN(column_rows)(a, n, rs, cs, i, j, 1, &d, &bad);
    }
    return FN(lane_mask)(bad);
}

static uint32_t FN(cholesky)(void *a, int64_t n, int64_t rs, int64_t cs)
{
    return FN(cholesky_of)(a, n, rs, cs);
}

/* ---- LU: panels of four rows, then what is below them ------------------------------------- */

/* columns k and piv[] of one row change places */
AGNI_INLINE void FN(swap_few)(REAL *row, int64_t k, IVEC p, const int64_t n)
{
    VEC x = LOAD(row + k * LANES);
    for (int64_t j = k + 1; j < n; j++) {
        VEC y = LOAD(row + j * LANES);
        IVEC here = p == (SINT)j;
        STORE(row + j * LANES, SELECT(here, x, y));
        x = SELECT(here, y, x);
    }
    STORE(row + k * LANES, x);
}
AGNI_INLINE void FN(swap_lanes)(REAL *row, int64_t k, const int32_t *piv)
{
    for (int l = 0; l < LANES; l++) {
        REAL *x = row + k * LANES + l, *y = row + (int64_t)piv[k * LANES + l] * LANES + l, t = *x;
        *x = *y;
        *y = t;
    }
}

/* row[j] -= l u[j] for from <= j < n */
AGNI_INLINE void FN(subtract_row)(REAL *row, VEC l, const REAL *u, int64_t from, const int64_t n)
{
    for (int64_t j = from; j < n; j++)
        STORE(row + j * LANES, FNMA(l, LOAD(u + j * LANES), LOAD(row + j * LANES)));
}

/* row i behind a panel: its part of l, and what four rows of u take from the rest */
AGNI_INLINE void FN(subtract_panel)(REAL *row, const REAL *a, int64_t k, const int64_t n)
{
    const REAL *u0 = a + k * n * LANES, *u1 = u0 + n * LANES, *u2 = u1 + n * LANES,
               *u3 = u2 + n * LANES;
#define U(m, j) LOAD(u##m + (k + (j)) * LANES)
    VEC l0 = LOAD(row + k * LANES), l1 = LOAD(row + (k + 1) * LANES),
        l2 = LOAD(row + (k + 2) * LANES), l3 = LOAD(row + (k + 3) * LANES);
    l1 = FNMA(l0, U(0, 1), l1);
    l2 = FNMA(l1, U(1, 2), FNMA(l0, U(0, 2), l2));
    l3 = FNMA(l2, U(2, 3), FNMA(l1, U(1, 3), FNMA(l0, U(0, 3), l3)));
#undef U
    STORE(row + (k + 1) * LANES, l1);
    STORE(row + (k + 2) * LANES, l2);
    STORE(row + (k + 3) * LANES, l3);
    for (int64_t j = k + 4; j < n; j++) {
        VEC x = FNMA(l0, LOAD(u0 + j * LANES), LOAD(row + j * LANES));
        x = FNMA(l1, LOAD(u1 + j * LANES), x);
        x = FNMA(l2, LOAD(u2 + j * LANES), x);
        STORE(row + j * LANES, FNMA(l3, LOAD(u3 + j * LANES), x));
    }
}

AGNI_INLINE uint32_t FN(lu_of)(REAL *a, int32_t *piv, const int64_t n)
{
    IVEC bad = {0};
    for (int64_t k0 = 0; k0 < n; k0 += 4) {
        int64_t end = k0 + 4 < n ? k0 + 4 : n;
        for (int64_t k = k0; k < end; k++) {
            REAL *row = a + k * n * LANES;
            for (int64_t m = k0; m < k; m++)
                FN(subtract_row)(row, LOAD(row + m * LANES), a + m * n * LANES, m + 1, n);
            VEC best = ABS(LOAD(row + k * LANES));
            IVEC at = (IVEC){0} + (SINT)k;
            for (int64_t j = k + 1; j < n; j++) {
                VEC size = ABS(LOAD(row + j * LANES));
                IVEC more = size > best;
                best = SELECT(more, size, best);
                at = (at & ~more) | (((IVEC){0} + (SINT)j) & more);
            }
            bad |= FN(is_faint)(best);
            SINT column[LANES];
            memcpy(column, &at, sizeof column);
            for (int l = 0; l < LANES; l++)
                piv[k * LANES + l] = (int32_t)column[l];
            if (n <= FN(DIVIDES))
                for (int64_t i = 0; i < n; i++)
                    FN(swap_few)(a + i * n * LANES, k, at, n);
            else
                for (int64_t i = k0; i < end; i++)
                    FN(swap_lanes)(a + i * n * LANES, k, piv);
            VEC d = LOAD(row + k * LANES), r = SPLAT(1) / d;
            for (int64_t j = k + 1; j < n; j++) {
                VEC x = LOAD(row + j * LANES);
                STORE(row + j * LANES, n <= FN(DIVIDES) ? x / d : x * r);
            }
        }
        for (int64_t i = 0; i < n; i++) {
            REAL *row = a + i * n * LANES;
            if (n > FN(DIVIDES) && (i < k0 || i >= end))
                for (int64_t k = k0; k < end; k++)
                    FN(swap_lanes)(row, k, piv);
            if (i >= end)
                FN(subtract_panel)(row, a, k0, n);
        }
    }
    return FN(lane_mask)(bad);
}

static uint32_t FN(lu)(void *a, int32_t *piv, int64_t n)
{
    switch (n) { /* in registers */
    case 2:
        return FN(lu_of)(a, piv, 2);
    case 3:
        return FN(lu_of)(a, piv, 3);
    case 4:
        return FN(lu_of)(a, piv, 4);
    default:
        return FN(lu_of)(a, piv, n);
    }
}

static void FN(determinant)(const void *p, const int32_t *piv, int64_t n, void *m, int32_t *e)
{
    const REAL *a = p;
    const UINT one = (UINT)BIAS << MANT, digits = ((UINT)1 << MANT) - 1,
               sign = (UINT)1 << (8 * sizeof(REAL) - 1);
    VEC product = SPLAT(1);
    IVEC exponent = {0};
    for (int64_t k = 0; k < n; k++) {
        UVEC u = (UVEC)LOAD(a + k * (n + 1) * LANES);
        exponent += (IVEC)((u & ~sign) >> MANT) - BIAS;
        product *= (VEC)((u & (sign | digits)) | one); /* below 4 */
        UVEC v = (UVEC)product;
        exponent += (IVEC)((v & ~sign) >> MANT) - BIAS;
        product = (VEC)((v & (sign | digits)) | one);
    }
    SINT power[LANES];
    memcpy(power, &exponent, sizeof power);
    STORE((REAL *)m, product);
    for (int l = 0; l < LANES; l++) {
        bool odd = false;
        for (int64_t k = 0; k < n; k++)
            odd ^= piv[k * LANES + l] != k;
        e[l] = (int32_t)power[l];
        ((REAL *)m)[l] *= (REAL)(odd ? -1 : 1);
    }
}

/* ---- triangular solves ------------------------------------------------------------------- */

/* columns c .. c + cols - 1 of x; step 1 downwards, -1 upwards */
AGNI_INLINE void FN(substitute_columns)(const REAL *a, int64_t rs, int64_t cs, bool upper,
                                        bool unit, const int64_t n, const REAL *inverse, REAL *x,
                                        int64_t k, const int cols)
{
    for (int64_t s = 0; s < n; s++) {
        int64_t i = upper ? n - 1 - s : s;
        VEC sum[8];
        AGNI_UNROLL
        for (int c = 0; c < cols; c++)
            sum[c] = LOAD(x + (i * k + c) * LANES);
        for (int64_t t = 0; t < s; t++) {
            int64_t m = upper ? n - 1 - t : t;
            VEC l = LOAD(AT(i, m));
            AGNI_UNROLL
            for (int c = 0; c < cols; c++)
                sum[c] = FNMA(l, LOAD(x + (m * k + c) * LANES), sum[c]);
        }
        VEC d = unit ? SPLAT(1) : n <= FN(DIVIDES) ? LOAD(AT(i, i)) : LOAD(inverse + i * LANES);
        AGNI_UNROLL
        for (int c = 0; c < cols; c++)
            STORE(x + (i * k + c) * LANES,
                  unit ? sum[c] : n <= FN(DIVIDES) ? sum[c] / d : sum[c] * d);
    }
}

/* one right-hand side: what is known is taken from all that is not */
AGNI_INLINE void FN(substitute_one)(const REAL *a, int64_t rs, int64_t cs, bool upper, bool unit,
                                    const int64_t n, const REAL *inverse, REAL *x)
{
    for (int64_t s = 0; s < n; s++) {
        int64_t i = upper ? n - 1 - s : s, from = upper ? 0 : i + 1, to = upper ? i : n;
        VEC y = LOAD(x + i * LANES);
        if (!unit) {
            y = n <= FN(DIVIDES) ? y / LOAD(AT(i, i)) : y * LOAD(inverse + i * LANES);
            STORE(x + i * LANES, y);
        }
        for (int64_t m = from; m < to; m++)
            STORE(x + m * LANES, FNMA(LOAD(AT(m, i)), y, LOAD(x + m * LANES)));
    }
}

AGNI_INLINE uint32_t FN(solve_triangle_of)(const REAL *a, int64_t rs, int64_t cs, bool upper,
                                           bool unit, const int64_t n, REAL *x, int64_t k)
{
    REAL inverse[AGNI_LANES_ORDER * LANES] __attribute__((aligned(64)));
    IVEC bad = {0};
    for (int64_t i = 0; i < n && !unit; i++) {
        VEC d = LOAD(AT(i, i));
        bad |= FN(is_faint)(d);
        if (n > FN(DIVIDES))
            STORE(inverse + i * LANES, SPLAT(1) / d);
    }
    int64_t c = 0;
    if (k == 1) {
        FN(substitute_one)(a, rs, cs, upper, unit, n, inverse, x);
        return FN(lane_mask)(bad);
    }
    for (; c + 4 <= k; c += 4)
        FN(substitute_columns)(a, rs, cs, upper, unit, n, inverse, x + c * LANES, k, 4);
    for (; c < k; c++)
        FN(substitute_columns)(a, rs, cs, upper, unit, n, inverse, x + c * LANES, k, 1);
    return FN(lane_mask)(bad);
}

static uint32_t FN(solve_triangle)(const void *t, int64_t rs, int64_t cs, bool upper, bool unit,
                                   int64_t n, void *x, int64_t k)
{
    if (n == 4 && upper)
        return FN(solve_triangle_of)(t, rs, cs, true, unit, 4, x, k);
    if (n == 4)
        return FN(solve_triangle_of)(t, rs, cs, false, unit, 4, x, k);
    return upper ? FN(solve_triangle_of)(t, rs, cs, true, unit, n, x, k)
                 : FN(solve_triangle_of)(t, rs, cs, false, unit, n, x, k);
}
