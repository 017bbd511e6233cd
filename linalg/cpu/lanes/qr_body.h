/* linalg/cpu/lanes/qr_body.h - QR factorisation by reflectors (Householder 1958) of matrices in
   lanes, for the numbers bound by number.h. Signs as LAPACK's larfg: none where a column is 0
   below its diagonal. */

/* columns j .. j + cols - 1 of a from row k on: h = 1 - tau (1; v) (1; v)^H from the left */
AGNI_INLINE void NF(reflect)(REAL *a, int64_t width, int64_t m, int64_t k, int64_t j, const REAL *v,
                             int64_t vs, NUM tau, const int cols)
{
    NUM sum[4];
    REAL *top = a + (k * width + j) * WIDTH;
    AGNI_UNROLL
    for (int c = 0; c < cols; c++)
        sum[c] = GET(top + c * WIDTH);
    for (int64_t i = k + 1; i < m; i++) {
        NUM x = GET(v + i * vs * WIDTH);
        AGNI_UNROLL
        for (int c = 0; c < cols; c++)
            sum[c] = NF(plus_adjoint)(x, GET(a + (i * width + j + c) * WIDTH), sum[c]);
    }
    AGNI_UNROLL
    for (int c = 0; c < cols; c++) {
        sum[c] = NF(times)(sum[c], tau);
        PUT(top + c * WIDTH, NF(minus)(GET(top + c * WIDTH), sum[c]));
    }
    for (int64_t i = k + 1; i < m; i++) {
        NUM x = GET(v + i * vs * WIDTH);
        AGNI_UNROLL
        for (int c = 0; c < cols; c++) {
            REAL *at = a + (i * width + j + c) * WIDTH;
            PUT(at, NF(less)(x, sum[c], GET(at)));
        }
    }
}

AGNI_INLINE void NF(reflect_from)(REAL *a, int64_t width, int64_t m, int64_t k, int64_t j,
                                  const REAL *v, int64_t vs, NUM tau)
{
    for (; j + 4 <= width; j += 4)
        NF(reflect)(a, width, m, k, j, v, vs, tau, 4);
    for (; j < width; j++)
        NF(reflect)(a, width, m, k, j, v, vs, tau, 1);
}

/* a [m, n] times *scale becomes r and, below its diagonal, reflectors */
AGNI_INLINE void NF(reduce)(REAL *a, const int64_t m, const int64_t n, REAL *tau, VEC *scale,
                            VEC *back, IVEC *bad)
{
    int64_t rank = m < n ? m : n;
    *scale = FN(scale_of)(a, m * n * (WIDTH / LANES), back, bad);
    for (int64_t i = 0; i < m * n; i++)
        PUT(a + i * WIDTH, NF(scaled)(GET(a + i * WIDTH), *scale));
    for (int64_t k = 0; k < rank; k++) {
        NUM alpha = GET(a + k * (n + 1) * WIDTH);
        VEC top = NF(real_part)(alpha), side = NF(imaginary_part)(alpha), sum = side * side,
            most = NF(largest_part)(alpha);
        for (int64_t i = k + 1; i < m; i++) {
            NUM x = GET(a + (i * n + k) * WIDTH);
            sum = NF(plus_square)(x, sum);
            most = FN(agni_least)(most, NF(largest_part)(x));
        }
        *bad |= (most > SPLAT(0)) &
                (most < SPLAT(PICK(0x1p-480, 0x1p-50))); /* its square is lost */
        IVEC some = sum > SPLAT(0);
        VEC norm = FN(agni_sqrt)(FMA(top, top, sum)), beta = FN(agni_with_sign)(norm, -top);
        NUM none = NF(of_real)(SPLAT(0)), one = NF(of_real)(SPLAT(1)), b = NF(of_real)(beta),
            t = NF(choose)(some, NF(over_real)(NF(minus)(b, alpha), beta), none),
            r = NF(reciprocal)(NF(choose)(some, NF(minus)(alpha, b), one));
        PUT(tau + k * WIDTH, t);
        PUT(a + k * (n + 1) * WIDTH, NF(choose)(some, b, alpha));
        for (int64_t i = k + 1; i < m; i++) {
            REAL *x = a + (i * n + k) * WIDTH;
            PUT(x, NF(times)(GET(x), r));
        }
        NF(reflect_from)(a, n, m, k, k + 1, a + k * WIDTH, n, NF(conjugate)(t));
    }
}

AGNI_INLINE uint32_t NF(qr_of)(REAL *a, const int64_t m, const int64_t n, REAL *q,
                               const int64_t columns)
{
    REAL tau[AGNI_LANES_ORDER * WIDTH] __attribute__((aligned(64)));
    IVEC bad = {0};
    int64_t rank = m < n ? m : n;
    VEC back, scale;
    NF(reduce)(a, m, n, tau, &scale, &back, &bad);
    for (int64_t i = 0; i < m * columns; i++)
        PUT(q + i * WIDTH, NF(of_real)(SPLAT(i / columns == i % columns)));
    for (int64_t k = rank - 1; k >= 0; k--)
        NF(reflect_from)(q, columns, m, k, k, a + k * WIDTH, n, GET(tau + k * WIDTH));
    for (int64_t i = 0; i < rank; i++)
        for (int64_t j = 0; j < n; j++) {
            REAL *x = a + (i * n + j) * WIDTH;
            PUT(x, j < i ? NF(of_real)(SPLAT(0)) : NF(scaled)(GET(x), back));
        }
    for (int64_t i = rank * n; i < m * n; i++)
        PUT(a + i * WIDTH, NF(of_real)(SPLAT(0)));
    return FN(lane_mask)(bad);
}

static uint32_t NF(qr)(void *a, int64_t m, int64_t n, void *q, int64_t columns)
{
    return m == 4 && n == 4 ? NF(qr_of)(a, 4, 4, q, 4) : NF(qr_of)(a, m, n, q, columns);
}

#ifndef AGNI_COMPLEX_LANES
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
        VEC d = ABS(LOAD(a + i * (n + 1) * LANES)), line = d;
        for (int64_t j = 0; j < i; j++) /* of the column that d ends */
            line = FN(agni_least)(line, ABS(LOAD(a + (j * n + i) * LANES)));
        bad |= ~(d > line * SPLAT((REAL)m * ROUNDING));
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
#endif
