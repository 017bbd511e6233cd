/* linalg/cpu/lanes/bidiagonal_body.h - singular values and vectors of bidiagonal matrices by QR
   steps with implicit shifts (Golub & Kahan 1965; Demmel & Kahan 1990), in lanes; of other
   matrices, for the numbers bound by number.h, by reduction to these. */

#ifndef AGNI_COMPLEX_LANES
typedef struct FN(block) { /* of rows l to m of a lane */
    IVEC m;
    VEC bottom, beside, least, most; /* d[m], e[m - 1], sizes on the diagonal */
} FN(block);

AGNI_INLINE FN(block) FN(find_block)(const REAL *d, REAL *e, int64_t n, int64_t l)
{
    FN(block) k = {.beside = SPLAT(0)};
    k.m = FN(last_of_block)(d, e, n, l, &k.bottom);
    k.least = k.most = ABS(k.bottom);
    for (int64_t i = n - 2; i >= l; i--) {
        const IVEC in = k.m > (SINT)i;
        const VEC size = ABS(LOAD(d + i * LANES));
        k.beside = SELECT(k.m == (SINT)i + 1, LOAD(e + i * LANES), k.beside);
        k.least = SELECT(in & (size < k.least), size, k.least);
        k.most = SELECT(in & (size > k.most), size, k.most);
    }
    return k;
}

/* the smaller singular value of [f, g; 0, h] */
AGNI_INLINE VEC FN(least_of_two)(VEC f, VEC g, VEC h)
{
    f = ABS(f);
    h = ABS(h);
    const VEC sum = f + h, gap = f - h, square = g * g;
    const VEC around = FN(agni_sqrt)(FMA(sum, sum, square)) + FN(agni_sqrt)(FMA(gap, gap, square));
    return f * h * 2 / SELECT(around > SPLAT(0), around, SPLAT(1));
}

/* One step in the lanes of turn, from the last row of each block up to row l, with a shift by the
   block's first two rows unless 0 is a singular value up to rounding; its rotations c and s of left
   vectors, and of right ones n rows behind, from the row that is the result on */
AGNI_INLINE int64_t FN(turn_bidiagonal)(REAL *d, REAL *e, int64_t n, int64_t l, FN(block) k,
                                        IVEC turn, REAL *c, REAL *s)
{
    const VEC one = SPLAT(1), none = SPLAT(0);
    VEC shift = FN(least_of_two)(LOAD(d + l * LANES), LOAD(e + l * LANES),
                                 LOAD(d + (l + 1) * LANES));
    shift = SELECT(k.least > k.most * SPLAT(ROUNDING), shift, none);
    VEC f = (ABS(k.bottom) - shift) *
            (FN(agni_with_sign)(one, k.bottom) +
             shift / SELECT(k.bottom != none, k.bottom, one)),
        g = k.beside;
    int64_t high = l;
    for (int64_t i = n - 1; i > l; i--) {
        const IVEC on = turn & (k.m >= (SINT)i), inner = on & (k.m > (SINT)i);
        if (!ANY(on))
            continue;
        high = high > i ? high : i;
        REAL *di = d + i * LANES, *du = di - LANES, *ei = e + i * LANES, *eu = ei - LANES;
        const VEC a = LOAD(di), b = LOAD(eu), x = LOAD(du);
        VEC c1, s1, c2, s2, r = FN(rotation)(f, g, &c1, &s1);
        STORE(ei, SELECT(inner, r, LOAD(ei)));
        const VEC over = FNMA(s1, a, c1 * b), up = c1 * x;
        r = FN(rotation)(FMA(s1, b, c1 * a), s1 * x, &c2, &s2);
        STORE(di, SELECT(on, r, a));
        STORE(du, SELECT(on, FNMA(s2, over, c2 * up), x));
        f = SELECT(on, FMA(s2, up, c2 * over), f);
        if (i > l + 1) {
            REAL *ev = eu - LANES;
            const VEC y = LOAD(ev);
            g = SELECT(on, s2 * y, g);
            STORE(ev, SELECT(on, c2 * y, y));
        }
        STORE(c + i * LANES, SELECT(on, c1, one));
        STORE(s + i * LANES, SELECT(on, s1, none));
        STORE(c + (n + i) * LANES, SELECT(on, c2, one));
        STORE(s + (n + i) * LANES, SELECT(on, s2, none));
    }
    STORE(e + l * LANES, SELECT(turn, f, LOAD(e + l * LANES)));
    return high;
}

/* d, e (room for n): singular values come to d; rows of u and v (NULL: none), of so many vectors,
   turn with them; lanes that are bad, or did not converge */
AGNI_INLINE IVEC FN(find_singular)(REAL *d, REAL *e, int64_t n, REAL *u, int64_t u_width, REAL *v,
                                   int64_t v_width, IVEC bad)
{
    REAL c[2 * AGNI_LANES_ORDER * LANES] __attribute__((aligned(64))),
        s[2 * AGNI_LANES_ORDER * LANES] __attribute__((aligned(64)));
    for (int64_t l = 0; l < n - 1; l++)
        for (int step = 0;; step++) {
            const FN(block) k = FN(find_block)(d, e, n, l);
            const IVEC turn = (k.m > (SINT)l) & ~bad;
            if (!ANY(turn))
                break;
            if (step == FN(STEPS)) {
                bad |= turn;
                break;
            }
            const int64_t high = FN(turn_bidiagonal)(d, e, n, l, k, turn, c, s);
            if (!v)
                continue;
            FN(turn_rows)(u, u_width, l, high, c, s);
            FN(turn_rows)(v, v_width, l, high, c + n * LANES, s + n * LANES);
        }
    for (int64_t i = 0; i < n; i++) {
        const VEC x = LOAD(d + i * LANES), sign = SELECT(x < SPLAT(0), SPLAT(-1), SPLAT(1));
        STORE(d + i * LANES, x * sign);
        for (int64_t j = 0; v && j < v_width; j++)
            STORE(v + (i * v_width + j) * LANES, LOAD(v + (i * v_width + j) * LANES) * sign);
    }
    return bad;
}
#endif

static uint32_t NF(svd_by_qr)(REAL *a, int64_t m, int64_t n, REAL *v, REAL *w)
{
    REAL e[AGNI_LANES_ORDER * LANES] __attribute__((aligned(64))),
        left[AGNI_LANES_ORDER * WIDTH] __attribute__((aligned(64))),
        right[AGNI_LANES_ORDER * WIDTH] __attribute__((aligned(64)));
    IVEC bad = {0};
    VEC back, scale = FN(scale_of)(a, m * n * (WIDTH / LANES), &back, &bad);
    NF(scale_all)(a, m * n, scale);
    NF(reduce_to_bidiagonal)(a, m, n, w, e, left, right);
    if (v) {
        NF(multiply_reflectors)(a, m, n, right, v);
        NF(form_columns)(a, m, n, left);
    }
    bad = FN(find_singular)(w, e, n, a, m * (WIDTH / LANES), v, n * (WIDTH / LANES), bad);
    FN(scale_all)(w, n, back);
    for (int k = 0; v && k < 2; k++)
        NF(scale_all)(k ? a : v, n * (k ? m : n), SPLAT(1));
    return FN(lane_mask)(bad);
}

static uint32_t NF(svd)(void *a, int64_t m, int64_t n, void *v, void *w)
{
#ifndef AGNI_COMPLEX_LANES
    enum { ROTATIONS = 8 }; /* the largest order at which they are faster */
    if (n <= ROTATIONS)
        return m == 4 && n == 4   ? FN(svd_of)(a, 4, 4, v, w)
               : m == 3 && n == 3 ? FN(svd_of)(a, 3, 3, v, w)
                                  : FN(svd_of)(a, m, n, v, w);
#endif
    return NF(svd_by_qr)(a, m, n, v, w);
}
