/* linalg/cpu/lanes/factor_body.h - Cholesky and LU factorisation and determinants of matrices in lanes,
   for the numbers bound by number.h. */

#undef AT
#define AT(i, j) (a + ((i) * rs + (j) * cs) * WIDTH)

#ifndef AGNI_COMPLEX_LANES
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

/* integers beside the lanes */
typedef int32_t FN(indices) __attribute__((vector_size(LANES * 4)));
AGNI_INLINE IVEC FN(load_indices)(const int32_t *p)
{
    FN(indices) x;
    memcpy(&x, p, sizeof x);
    return __builtin_convertvector(x, IVEC);
}
AGNI_INLINE void FN(store_indices)(int32_t *p, IVEC i)
{
    const FN(indices) x = __builtin_convertvector(i, FN(indices));
    memcpy(p, &x, sizeof x);
}

#endif

AGNI_INLINE IVEC NF(is_faint)(VEC size)
{
    return ~((size >= SPLAT(LEAST)) & (size <= SPLAT(MOST)));
}

/* ---- Cholesky: columns from the left ------------------------------------------------ */

/* entries i .. i + rows - 1 of column j, less what the columns before it took */
AGNI_INLINE void NF(column_part)(const REAL *a, int64_t rs, int64_t cs, int64_t i, int64_t j,
                                 const int rows, NUM *sum)
{
    AGNI_UNROLL
    for (int r = 0; r < rows; r++)
        sum[r] = GET(AT(i + r, j));
    for (int64_t k = 0; k < j; k++) {
        NUM l = GET(AT(j, k));
        AGNI_UNROLL
        for (int r = 0; r < rows; r++)
            sum[r] = NF(less_adjoint)(GET(AT(i + r, k)), l, sum[r]);
    }
}

AGNI_INLINE void NF(column_rows)(REAL *a, int64_t n, int64_t rs, int64_t cs, int64_t i, int64_t j,
                                 const int rows, VEC *d, IVEC *bad)
{
    NUM x[4];
    NF(column_part)(a, rs, cs, i, j, rows, x);
    if (i == j) {
        VEC pivot = NF(real_part)(x[0]);
        IVEC good = (pivot > SPLAT(0)) &
                    (pivot <= SPLAT(PICK(0x1.fffffffffffffp1023, 0x1.fffffep127))) &
                    (NF(imaginary_part)(x[0]) * SPLAT(0) == SPLAT(0));
        *bad |= ~good;
        VEC root = FN(agni_sqrt)(SELECT(good, pivot, SPLAT(1)));
        *d = n <= FN(DIVIDES) ? root : SPLAT(1) / root;
        PUT(AT(j, j), NF(of_real)(root));
    }
    AGNI_UNROLL
    for (int r = 0; r < rows; r++)
        if (i + r > j)
            PUT(AT(i + r, j), n <= FN(DIVIDES) ? NF(over_real)(x[r], *d) : NF(scaled)(x[r], *d));
}

AGNI_INLINE uint32_t NF(cholesky_of)(REAL *a, const int64_t n, int64_t rs, int64_t cs)
{
    IVEC bad = {0};
    for (int64_t j = 0; j < n; j++) {
        VEC d = SPLAT(1);
        int64_t i = j;
        for (; i + 4 <= n; i += 4)
            NF(column_rows)(a, n, rs, cs, i, j, 4, &d, &bad);
        if (n - i == 3)
            NF(column_rows)(a, n, rs, cs, i, j, 3, &d, &bad);
        else if (n - i == 2)
            NF(column_rows)(a, n, rs, cs, i, j, 2, &d, &bad);
        else if (n - i == 1)
            NF(column_rows)(a, n, rs, cs, i, j, 1, &d, &bad);
    }
    return FN(lane_mask)(bad);
}

static uint32_t NF(cholesky)(void *a, int64_t n, int64_t rs, int64_t cs)
{
    return NF(cholesky_of)(a, n, rs, cs);
}

/* ---- LU: panels of four rows, then what is below them ------------------------------------- */

/* columns k and piv[] of one row change places */
AGNI_INLINE void NF(swap_few)(REAL *row, int64_t k, IVEC p, const int64_t n)
{
    NUM x = GET(row + k * WIDTH);
    for (int64_t j = k + 1; j < n; j++) {
        NUM y = GET(row + j * WIDTH);
        IVEC here = p == (SINT)j;
        PUT(row + j * WIDTH, NF(choose)(here, x, y));
        x = NF(choose)(here, y, x);
    }
    PUT(row + k * WIDTH, x);
}
AGNI_INLINE void NF(swap_lanes)(REAL *row, int64_t k, const int32_t *piv)
{
    for (int l = 0; l < WIDTH; l++) { /* of both parts */
        REAL *x = row + k * WIDTH + l,
             *y = row + (int64_t)(piv[k * LANES + l % LANES] - 1) * WIDTH + l, t = *x;
        *x = *y;
        *y = t;
    }
}

/* row[j] -= l u[j] for from <= j < n */
AGNI_INLINE void NF(subtract_row)(REAL *row, NUM l, const REAL *u, int64_t from, const int64_t n)
{
    for (int64_t j = from; j < n; j++)
        PUT(row + j * WIDTH, NF(less)(l, GET(u + j * WIDTH), GET(row + j * WIDTH)));
}

/* row i behind a panel: its part of l, and what four rows of u take from the rest */
AGNI_INLINE void NF(subtract_panel)(REAL *row, const REAL *a, int64_t k, const int64_t n)
{
    const REAL *u0 = a + k * n * WIDTH, *u1 = u0 + n * WIDTH, *u2 = u1 + n * WIDTH,
               *u3 = u2 + n * WIDTH;
#define U(m, j) GET(u##m + (k + (j)) * WIDTH)
    NUM l0 = GET(row + k * WIDTH), l1 = GET(row + (k + 1) * WIDTH),
        l2 = GET(row + (k + 2) * WIDTH), l3 = GET(row + (k + 3) * WIDTH);
    l1 = NF(less)(l0, U(0, 1), l1);
    l2 = NF(less)(l1, U(1, 2), NF(less)(l0, U(0, 2), l2));
    l3 = NF(less)(l2, U(2, 3), NF(less)(l1, U(1, 3), NF(less)(l0, U(0, 3), l3)));
#undef U
    PUT(row + (k + 1) * WIDTH, l1);
    PUT(row + (k + 2) * WIDTH, l2);
    PUT(row + (k + 3) * WIDTH, l3);
    for (int64_t j = k + 4; j < n; j++) {
        NUM x = NF(less)(l0, GET(u0 + j * WIDTH), GET(row + j * WIDTH));
        x = NF(less)(l1, GET(u1 + j * WIDTH), x);
        x = NF(less)(l2, GET(u2 + j * WIDTH), x);
        PUT(row + j * WIDTH, NF(less)(l3, GET(u3 + j * WIDTH), x));
    }
}

AGNI_INLINE uint32_t NF(lu_of)(REAL *a, int32_t *piv, const int64_t n)
{
    IVEC bad = {0};
    VEC most = SPLAT(0), top = SPLAT(0);
    for (int64_t i = 0; i < n * n; i++)
        most = FN(agni_least)(most, NF(largest_part)(GET(a + i * WIDTH)));
    for (int64_t k0 = 0; k0 < n; k0 += 4) {
        int64_t end = k0 + 4 < n ? k0 + 4 : n;
        for (int64_t k = k0; k < end; k++) {
            REAL *row = a + k * n * WIDTH;
            for (int64_t m = k0; m < k; m++)
                NF(subtract_row)(row, GET(row + m * WIDTH), a + m * n * WIDTH, m + 1, n);
            VEC best = NF(size)(GET(row + k * WIDTH));
            IVEC at = (IVEC){0} + (SINT)k;
            for (int64_t j = k + 1; j < n; j++) {
                VEC size = NF(size)(GET(row + j * WIDTH));
                IVEC more = size > best;
                best = SELECT(more, size, best);
                at = (at & ~more) | (((IVEC){0} + (SINT)j) & more);
            }
            bad |= NF(is_faint)(best);
            FN(store_indices)(piv + k * LANES, at + 1);
            if (n <= FN(DIVIDES))
                for (int64_t i = 0; i < n; i++)
                    NF(swap_few)(a + i * n * WIDTH, k, at, n);
            else
                for (int64_t i = k0; i < end; i++)
                    NF(swap_lanes)(a + i * n * WIDTH, k, piv);
            NUM d = GET(row + k * WIDTH), r = NF(reciprocal)(d);
            top = FN(agni_least)(top, NF(largest_part)(d));
            for (int64_t j = k + 1; j < n; j++) {
                NUM x = GET(row + j * WIDTH);
                PUT(row + j * WIDTH, n <= FN(DIVIDES) ? NF(quotient)(x, d) : NF(times)(x, r));
            }
        }
        for (int64_t i = 0; i < n; i++) {
            REAL *row = a + i * n * WIDTH;
            if (n > FN(DIVIDES) && (i < k0 || i >= end))
                for (int64_t k = k0; k < end; k++)
                    NF(swap_lanes)(row, k, piv);
            if (i >= end)
                NF(subtract_panel)(row, a, k0, n);
        }
    }
    return FN(lane_mask)(bad | (top > most * SPLAT(AGNI_MUCH_GROWTH)));
}

/* the same of up to 4 rows, in registers */
AGNI_INLINE uint32_t NF(lu_few)(REAL *a, int32_t *piv, const int n)
{
    NUM x[4][4];
    IVEC bad = {0};
    VEC most = SPLAT(0), top = SPLAT(0);
    AGNI_UNROLL
    for (int i = 0; i < n * n; i++) {
        x[i / n][i % n] = GET(a + i * WIDTH);
        most = FN(agni_least)(most, NF(largest_part)(x[i / n][i % n]));
    }
    AGNI_UNROLL
    for (int k = 0; k < n; k++) {
        AGNI_UNROLL
        for (int m = 0; m < k; m++) {
            AGNI_UNROLL
            for (int j = m + 1; j < n; j++)
                x[k][j] = NF(less)(x[k][m], x[m][j], x[k][j]);
        }
        VEC best = NF(size)(x[k][k]);
        IVEC at = (IVEC){0} + k;
        AGNI_UNROLL
        for (int j = k + 1; j < n; j++) {
            const VEC size = NF(size)(x[k][j]);
            const IVEC more = size > best;
            best = SELECT(more, size, best);
            at = (at & ~more) | (((IVEC){0} + j) & more);
        }
        bad |= NF(is_faint)(best);
        FN(store_indices)(piv + k * LANES, at + 1);
        AGNI_UNROLL
        for (int j = k + 1; j < n; j++) {
            const IVEC here = at == j;
            AGNI_UNROLL
            for (int i = 0; i < n; i++) {
                const NUM u = x[i][k], v = x[i][j];
                x[i][k] = NF(choose)(here, v, u);
                x[i][j] = NF(choose)(here, u, v);
            }
        }
        top = FN(agni_least)(top, NF(largest_part)(x[k][k]));
        AGNI_UNROLL
        for (int j = k + 1; j < n; j++)
            x[k][j] = NF(quotient)(x[k][j], x[k][k]);
    }
    AGNI_UNROLL
    for (int i = 0; i < n * n; i++)
        PUT(a + i * WIDTH, x[i / n][i % n]);
    return FN(lane_mask)(bad | (top > most * SPLAT(AGNI_MUCH_GROWTH)));
}

static uint32_t NF(lu)(void *a, int32_t *piv, int64_t n)
{
    switch (n) {
    case 1:
        return NF(lu_few)(a, piv, 1);
    case 2:
        return NF(lu_few)(a, piv, 2);
    case 3:
        return NF(lu_few)(a, piv, 3);
    case 4:
        return NF(lu_few)(a, piv, 4);
    default:
        return NF(lu_of)(a, piv, n);
    }
}

/* rows r and at of column j of x [n, k], r < at, in up to DIVIDES rows */
AGNI_INLINE void NF(swap_entry)(REAL *x, int64_t n, int64_t k, int64_t r, int64_t j, IVEC at)
{
    NUM top = GET(x + (r * k + j) * WIDTH);
    for (int64_t i = r + 1; i < n; i++) {
        REAL *p = x + (i * k + j) * WIDTH;
        const NUM y = GET(p);
        const IVEC here = at == (SINT)i;
        PUT(p, NF(choose)(here, top, y));
        top = NF(choose)(here, y, top);
    }
    PUT(x + (r * k + j) * WIDTH, top);
}

static uint32_t NF(interchange_rows)(void *p, const int32_t *piv, int64_t n, int64_t k, bool back)
{
    REAL *x = p;
    IVEC bad = {0};
    for (int64_t i = n; i < 3 * n; i++)
        bad |= FN(load_indices)(piv + i * LANES) != 0;
    for (int64_t s = 0; s < n; s++) {
        const int64_t r = back ? n - 1 - s : s;
        IVEC at = FN(load_indices)(piv + r * LANES) - 1, outside = (at < (SINT)r) | (at >= (SINT)n);
        bad |= outside;
        if (n <= FN(DIVIDES)) {
            for (int64_t j = 0; j < k; j++)
                NF(swap_entry)(x, n, k, r, j, at);
            continue;
        }
        int32_t rows[LANES];
        FN(store_indices)(rows, (at & ~outside) | (((IVEC){0} + (SINT)r) & outside));
        for (int64_t j = 0; j < k; j++)
            for (int l = 0; l < WIDTH; l++) { /* of both parts */
                REAL *u = x + (r * k + j) * WIDTH + l,
                     *v = x + (rows[l % LANES] * k + j) * WIDTH + l, t = *u;
                *u = *v;
                *v = t;
            }
    }
    return FN(lane_mask)(bad);
}

/* x 2^-e, with a largest part in [1, 2); e is added to the exponents */
AGNI_INLINE NUM NF(without_exponent)(NUM x, IVEC *exponent)
{
    IVEC e = (IVEC)((UVEC)NF(largest_part)(x) >> MANT) - BIAS;
    *exponent += e;
    return NF(scaled)(x, (VEC)((UVEC)(BIAS - e) << MANT));
}

static void NF(determinant)(const void *p, const int32_t *piv, int64_t n, void *m, int32_t *e)
{
    const REAL *a = p;
    NUM product = NF(of_real)(SPLAT(1));
    IVEC exponent = {0};
    for (int64_t k = 0; k < n; k++) {
        NUM u = NF(without_exponent)(GET(a + k * (n + 1) * WIDTH), &exponent);
        product = NF(without_exponent)(NF(times)(product, u), &exponent);
    }
    SINT power[LANES];
    memcpy(power, &exponent, sizeof power);
    PUT((REAL *)m, product);
    for (int l = 0; l < WIDTH; l++) {
        bool odd = false;
        for (int64_t k = 0; k < n; k++)
            odd ^= piv[k * LANES + l % LANES] != k + 1;
        e[l % LANES] = (int32_t)power[l % LANES];
        ((REAL *)m)[l] *= (REAL)(odd ? -1 : 1);
    }
}
