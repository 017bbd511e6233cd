/* linalg/cpu/lanes/jacobi_body.h - eigenpairs of symmetric matrices by cyclic rotations (Jacobi
   1846; Rutishauser 1966) and singular values by rotations of columns (Hestenes 1958; Demmel &
   Veselic 1992), for matrices in lanes and the element type bound by real.h. A lane that has
   converged is turned no further, so that its result does not depend on the others; adding 0 at the
   end makes 0 of -0, which a rotation by nothing may turn. */

enum { FN(SWEEPS) = 30 };

/* x and y, n numbers each, step apart, become c x - s y and s x + c y */
AGNI_INLINE void FN(rotate)(REAL *x, int64_t xs, REAL *y, int64_t ys, int64_t n, VEC c, VEC s)
{
    for (int64_t i = 0; i < n; i++, x += xs * LANES, y += ys * LANES) {
        VEC u = LOAD(x), v = LOAD(y);
        STORE(x, FNMA(s, v, c * u));
        STORE(y, FMA(s, u, c * v));
    }
}

/* the tangent of the smaller angle that makes [a, g; g, b] diagonal, 0 where turn is not set */
AGNI_INLINE VEC FN(tangent)(VEC a, VEC b, VEC g, IVEC turn)
{
    turn &= g != SPLAT(0);
    VEC z = (b - a) / (SELECT(turn, g, SPLAT(1)) * 2);
    VEC size = ABS(z), t = SPLAT(1) / (size + FN(agni_sqrt)(FMA(size, size, SPLAT(1))));
    return SELECT(turn, FN(agni_with_sign)(t, z), SPLAT(0));
}

/* ---- eigenpairs ------------------------------------------------------------------------- */

#define A(i, j) (a + ((i) * n + (j)) * LANES)
AGNI_INLINE uint32_t FN(eigh_of)(REAL *a, bool upper, const int64_t n, REAL *v, REAL *w)
{
    IVEC bad = {0};
    VEC back = FN(mirror_and_scale)(a, upper, n, &bad), whole = SPLAT(0);
    for (int64_t i = 0; i < n * n; i++)
        whole = FMA(LOAD(a + i * LANES), LOAD(a + i * LANES), whole);
    const VEC small = whole * SPLAT(ROUNDING * ROUNDING / 16);
    if (v)
        FN(set_identity)(v, n);
    for (int sweep = 0;; sweep++) {
        VEC off = SPLAT(0);
        for (int64_t i = 1; i < n; i++)
            for (int64_t j = 0; j < i; j++)
                off = FMA(LOAD(A(i, j)), LOAD(A(i, j)), off);
        IVEC turn = (off > small) & ~bad;
        if (!ANY(turn))
            break;
        if (sweep == FN(SWEEPS)) {
            bad |= turn;
            break;
        }
        for (int64_t q = 1; q < n; q++)
            for (int64_t p = 0; p < q; p++) { /* the lower triangle alone */
                VEC g = LOAD(A(q, p)), x = LOAD(A(p, p)), y = LOAD(A(q, q));
                VEC t = FN(tangent)(x, y, g, turn),
                    c = SPLAT(1) / FN(agni_sqrt)(FMA(t, t, SPLAT(1))), s = t * c;
                STORE(A(p, p), FNMA(t, g, x));
                STORE(A(q, q), FMA(t, g, y));
                STORE(A(q, p), SELECT(turn, SPLAT(0), g));
                FN(rotate)(A(p, 0), 1, A(q, 0), 1, p, c, s);
                FN(rotate)(A(p + 1, p), n, A(q, p + 1), 1, q - p - 1, c, s);
                FN(rotate)(A(q + 1, p), n, A(q + 1, q), n, n - 1 - q, c, s);
                if (v)
                    FN(rotate)(v + p * n * LANES, 1, v + q * n * LANES, 1, n, c, s);
            }
    }
    for (int64_t i = 0; i < n; i++)
        STORE(w + i * LANES, LOAD(A(i, i)) * back + SPLAT(0));
#undef A
    for (int64_t i = 0; v && i < n * n; i++)
        STORE(v + i * LANES, LOAD(v + i * LANES) + SPLAT(0));
    return FN(lane_mask)(bad);
}

/* ---- singular values ------------------------------------------------------------------------ */

AGNI_INLINE VEC FN(product)(const REAL *x, const REAL *y, int64_t m)
{
    VEC a = SPLAT(0), b = SPLAT(0);
    int64_t i = 0;
    for (; i + 2 <= m; i += 2) {
        a = FMA(LOAD(x + i * LANES), LOAD(y + i * LANES), a);
        b = FMA(LOAD(x + (i + 1) * LANES), LOAD(y + (i + 1) * LANES), b);
    }
    return i < m ? FMA(LOAD(x + i * LANES), LOAD(y + i * LANES), a + b) : a + b;
}

/* a [n][m]: its rows are columns, which become u s; v [n][n]: rows are right vectors */
AGNI_INLINE uint32_t FN(svd_of)(REAL *a, const int64_t m, const int64_t n, REAL *v, REAL *w)
{
    IVEC bad = {0};
    VEC back, scale = FN(scale_of)(a, m * n, &back, &bad);
    for (int64_t i = 0; i < m * n; i++)
        STORE(a + i * LANES, LOAD(a + i * LANES) * scale);
    if (v)
        FN(set_identity)(v, n);
    const VEC small = SPLAT(ROUNDING * ROUNDING * (REAL)m);
    IVEC turn = ~bad;
    for (int sweep = 0; ANY(turn); sweep++) {
        IVEC turned = {0};
        if (sweep == FN(SWEEPS)) {
            bad |= turn;
            break;
        }
        for (int64_t j = 0; j < n; j++) /* squares of lengths, kept up within a sweep */
            STORE(w + j * LANES, FN(product)(a + j * m * LANES, a + j * m * LANES, m));
        for (int64_t q = 1; q < n; q++)
            for (int64_t p = 0; p < q; p++) {
                REAL *x = a + p * m * LANES, *y = a + q * m * LANES;
                VEC aa = LOAD(w + p * LANES), bb = LOAD(w + q * LANES), g = FN(product)(x, y, m);
                IVEC large = turn & (g * g > small * aa * bb);
                if (!ANY(large))
                    continue;
                turned |= large;
                VEC t = FN(tangent)(aa, bb, g, large),
                    c = SPLAT(1) / FN(agni_sqrt)(FMA(t, t, SPLAT(1))), s = t * c;
                STORE(w + p * LANES, FNMA(t, g, aa));
                STORE(w + q * LANES, FMA(t, g, bb));
                FN(rotate)(x, 1, y, 1, m, c, s);
                if (v)
                    FN(rotate)(v + p * n * LANES, 1, v + q * n * LANES, 1, n, c, s);
            }
        turn = turned;
    }
    for (int64_t j = 0; j < n; j++) {
        VEC sum = FN(product)(a + j * m * LANES, a + j * m * LANES, m);
        bad |= ~(sum > SPLAT(PICK(0x1p-200, 0x1p-40))); /* no direction is left of this column */
        VEC root = FN(agni_sqrt)(sum);
        STORE(w + j * LANES, root * back);
        for (int64_t i = 0; v && i < m; i++)
            STORE(a + (j * m + i) * LANES, LOAD(a + (j * m + i) * LANES) / root + SPLAT(0));
    }
    for (int64_t i = 0; v && i < n * n; i++)
        STORE(v + i * LANES, LOAD(v + i * LANES) + SPLAT(0));
    return FN(lane_mask)(bad);
}
