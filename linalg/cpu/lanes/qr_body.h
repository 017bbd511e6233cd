/* linalg/cpu/lanes/qr_body.h - QR factorisation by reflectors (Householder 1958) of matrices in
   lanes, for the element type bound by real.h. Signs as LAPACK's larfg: none where a column is 0
   below its diagonal. */

/* columns j .. j + cols - 1 of a from row k on: h = 1 - tau (1; v) (1; v)^T from the left */
AGNI_INLINE void FN(reflect)(REAL *a, int64_t width, int64_t m, int64_t k, int64_t j, const REAL *v,
                             int64_t vs, VEC tau, const int cols)
{
    VEC sum[4];
    REAL *top = a + (k * width + j) * LANES;
    AGNI_UNROLL
    for (int c = 0; c < cols; c++)
        sum[c] = LOAD(top + c * LANES);
    for (int64_t i = k + 1; i < m; i++) {
        VEC x = LOAD(v + i * vs * LANES);
        AGNI_UNROLL
        for (int c = 0; c < cols; c++)
            sum[c] = FMA(x, LOAD(a + (i * width + j + c) * LANES), sum[c]);
    }
    AGNI_UNROLL
    for (int c = 0; c < cols; c++) {
        sum[c] *= tau;
        STORE(top + c * LANES, LOAD(top + c * LANES) - sum[c]);
    }
    for (int64_t i = k + 1; i < m; i++) {
        VEC x = LOAD(v + i * vs * LANES);
        AGNI_UNROLL
        for (int c = 0; c < cols; c++) {
            REAL *at = a + (i * width + j + c) * LANES;
            STORE(at, FNMA(x, sum[c], LOAD(at)));
        }
    }
}

AGNI_INLINE void FN(reflect_from)(REAL *a, int64_t width, int64_t m, int64_t k, int64_t j,
                                  const REAL *v, int64_t vs, VEC tau)
{
    for (; j + 4 <= width; j += 4)
        FN(reflect)(a, width, m, k, j, v, vs, tau, 4);
    for (; j < width; j++)
        FN(reflect)(a, width, m, k, j, v, vs, tau, 1);
}

/* a [m, n] times *scale becomes r and, below its diagonal, reflectors */
AGNI_INLINE void FN(reduce)(REAL *a, const int64_t m, const int64_t n, REAL *tau, VEC *scale,
                            VEC *back, IVEC *bad)
{
    int64_t rank = m < n ? m : n;
    *scale = FN(scale_of)(a, m * n, back, bad);
    for (int64_t i = 0; i < m * n; i++)
        STORE(a + i * LANES, LOAD(a + i * LANES) * *scale);
    for (int64_t k = 0; k < rank; k++) {
        VEC alpha = LOAD(a + k * (n + 1) * LANES), sum = SPLAT(0), most = ABS(alpha);
        for (int64_t i = k + 1; i < m; i++) {
            VEC x = LOAD(a + (i * n + k) * LANES);
            sum = FMA(x, x, sum);
            most = FN(agni_least)(most, ABS(x));
        }
        *bad |= (most > SPLAT(0)) &
                (most < SPLAT(PICK(0x1p-480, 0x1p-50))); /* its square is lost */
        IVEC some = sum > SPLAT(0);
        VEC norm = FN(agni_sqrt)(FMA(alpha, alpha, sum)), beta = FN(agni_with_sign)(norm, -alpha);
        VEC t = SELECT(some, (beta - alpha) / beta, SPLAT(0)),
            r = SPLAT(1) / SELECT(some, alpha - beta, SPLAT(1));
        STORE(tau + k * LANES, t);
        STORE(a + k * (n + 1) * LANES, SELECT(some, beta, alpha));
        for (int64_t i = k + 1; i < m; i++) {
            REAL *x = a + (i * n + k) * LANES;
            STORE(x, LOAD(x) * r);
        }
        FN(reflect_from)(a, n, m, k, k + 1, a + k * LANES, n, t);
    }
}

AGNI_INLINE uint32_t FN(qr_of)(REAL *a, const int64_t m, const int64_t n, REAL *q,
                               const int64_t columns)
{
    REAL tau[AGNI_LANES_ORDER * LANES] __attribute__((aligned(64)));
    IVEC bad = {0};
    int64_t rank = m < n ? m : n;
    VEC back, scale;
    FN(reduce)(a, m, n, tau, &scale, &back, &bad);
    for (int64_t i = 0; i < m * columns; i++)
        STORE(q + i * LANES, SPLAT(i / columns == i % columns));
    for (int64_t k = rank - 1; k >= 0; k--)
        FN(reflect_from)(q, columns, m, k, k, a + k * LANES, n, LOAD(tau + k * LANES));
    for (int64_t i = 0; i < rank; i++)
        for (int64_t j = 0; j < n; j++) {
            REAL *x = a + (i * n + j) * LANES;
            STORE(x, j < i ? SPLAT(0) : LOAD(x) * back);
        }
    for (int64_t i = rank * n; i < m * n; i++)
        STORE(a + i * LANES, SPLAT(0));
    return FN(lane_mask)(bad);
}

static uint32_t FN(qr)(void *a, int64_t m, int64_t n, void *q, int64_t columns)
{
    return m == 4 && n == 4 ? FN(qr_of)(a, 4, 4, q, 4) : FN(qr_of)(a, m, n, q, columns);
}

/* columns or rows that are dependent up to rounding, or numbers near the ends of the range, are bad */
static uint32_t FN(lstsq)(void *matrix, int64_t m, int64_t n, bool wide, void *right, int64_t k)
{
    REAL tau[AGNI_LANES_ORDER * LANES] __attribute__((aligned(64)));
    REAL *a = matrix, *b = right;
    IVEC bad = {0};
    VEC back, scale, far = SPLAT(PICK(0x1p500, 0x1p60)), near = SPLAT(PICK(0x1p-500, 0x1p-60));
    FN(reduce)(a, m, n, tau, &scale, &back, &bad);
    bad |= ~((scale < far) & (scale > near));
    VEC size = SPLAT(0), sum = SPLAT(0);
    for (int64_t i = 0; i < (wide ? n : m) * k; i++) {
        sum += LOAD(b + i * LANES) * SPLAT(0);
        size = FN(agni_least)(size, ABS(LOAD(b + i * LANES)));
    }
    bad |= (sum != SPLAT(0)) | ((size != SPLAT(0)) & ~((size < far) & (size > near)));
    VEC most = SPLAT(0), low = SPLAT(PICK(0x1p1000, 0x1p120));
    for (int64_t i = 0; i < n; i++) {
        VEC d = ABS(LOAD(a + i * (n + 1) * LANES));
        most = FN(agni_least)(most, d);
        low = SELECT(d < low, d, low);
    }
    bad |= ~(low > most * SPLAT((REAL)m * ROUNDING));
    uint32_t mask = FN(lane_mask)(bad);
    if (wide) {
        mask |= FN(solve_triangle)(a, 1, n, false, false, n, b, k);
        for (int64_t i = n * k; i < m * k; i++)
            STORE(b + i * LANES, SPLAT(0));
        for (int64_t j = n - 1; j >= 0; j--)
            FN(reflect_from)(b, k, m, j, 0, a + j * LANES, n, LOAD(tau + j * LANES));
    } else {
        for (int64_t j = 0; j < n; j++)
            FN(reflect_from)(b, k, m, j, 0, a + j * LANES, n, LOAD(tau + j * LANES));
        mask |= FN(solve_triangle)(a, n, 1, true, false, n, b, k);
    }
    for (int64_t i = 0; i < (wide ? m : n) * k; i++)
        STORE(b + i * LANES, LOAD(b + i * LANES) * scale);
    return mask;
}
