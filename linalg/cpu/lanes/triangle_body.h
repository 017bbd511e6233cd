/* linalg/cpu/lanes/triangle_body.h - solves with triangles in lanes by substitution (Golub & Van
   Loan, Matrix Computations, 3.1), for the numbers bound by number.h; read after factor_body.h. */

/* columns c .. c + cols - 1 of x; step 1 downwards, -1 upwards */
AGNI_INLINE void NF(substitute_columns)(const REAL *a, int64_t rs, int64_t cs, bool upper,
                                        bool unit, const int64_t n, const REAL *inverse, REAL *x,
                                        int64_t k, const int cols)
{
    for (int64_t s = 0; s < n; s++) {
        int64_t i = upper ? n - 1 - s : s;
        NUM sum[4];
        AGNI_UNROLL
        for (int c = 0; c < cols; c++)
            sum[c] = GET(x + (i * k + c) * WIDTH);
        for (int64_t t = 0; t < s; t++) {
            int64_t m = upper ? n - 1 - t : t;
            NUM l = GET(AT(i, m));
            AGNI_UNROLL
            for (int c = 0; c < cols; c++)
                sum[c] = NF(less)(l, GET(x + (m * k + c) * WIDTH), sum[c]);
        }
        NUM d = unit ? NF(of_real)(SPLAT(1)) : n <= FN(DIVIDES) ? GET(AT(i, i))
                                                                  : GET(inverse + i * WIDTH);
        AGNI_UNROLL
        for (int c = 0; c < cols; c++)
            PUT(x + (i * k + c) * WIDTH, unit                ? sum[c]
                                         : n <= FN(DIVIDES) ? NF(quotient)(sum[c], d)
                                                             : NF(times)(sum[c], d));
    }
}

/* one right-hand side: what is known is taken from all that is not */
AGNI_INLINE void NF(substitute_one)(const REAL *a, int64_t rs, int64_t cs, bool upper, bool unit,
                                    const int64_t n, const REAL *inverse, REAL *x)
{
    for (int64_t s = 0; s < n; s++) {
        int64_t i = upper ? n - 1 - s : s, from = upper ? 0 : i + 1, to = upper ? i : n;
        NUM y = GET(x + i * WIDTH);
        if (!unit) {
            y = n <= FN(DIVIDES) ? NF(quotient)(y, GET(AT(i, i)))
                                 : NF(times)(y, GET(inverse + i * WIDTH));
            PUT(x + i * WIDTH, y);
        }
        for (int64_t m = from; m < to; m++)
            PUT(x + m * WIDTH, NF(less)(GET(AT(m, i)), y, GET(x + m * WIDTH)));
    }
}

AGNI_INLINE uint32_t NF(solve_triangle_of)(const REAL *a, int64_t rs, int64_t cs, bool upper,
                                           bool unit, const int64_t n, REAL *x, int64_t k)
{
    REAL inverse[AGNI_LANES_ORDER * WIDTH] __attribute__((aligned(64)));
    IVEC bad = {0};
    for (int64_t i = 0; i < n && !unit; i++) {
        NUM d = GET(AT(i, i));
        bad |= NF(is_faint)(NF(size)(d));
        if (n > FN(DIVIDES))
            PUT(inverse + i * WIDTH, NF(reciprocal)(d));
    }
    int64_t c = 0;
    if (k == 1) {
        NF(substitute_one)(a, rs, cs, upper, unit, n, inverse, x);
        return FN(lane_mask)(bad);
    }
    for (; c + 4 <= k; c += 4)
        NF(substitute_columns)(a, rs, cs, upper, unit, n, inverse, x + c * WIDTH, k, 4);
    for (; c < k; c++)
        NF(substitute_columns)(a, rs, cs, upper, unit, n, inverse, x + c * WIDTH, k, 1);
    return FN(lane_mask)(bad);
}

static uint32_t NF(solve_triangle)(const void *t, int64_t rs, int64_t cs, bool upper, bool unit,
                                   int64_t n, void *x, int64_t k)
{
    if (n == 4 && upper)
        return NF(solve_triangle_of)(t, rs, cs, true, unit, 4, x, k);
    if (n == 4)
        return NF(solve_triangle_of)(t, rs, cs, false, unit, 4, x, k);
    return upper ? NF(solve_triangle_of)(t, rs, cs, true, unit, n, x, k)
                 : NF(solve_triangle_of)(t, rs, cs, false, unit, n, x, k);
}
