/* linalg/cpu/lanes/tridiagonal_body.h - eigenpairs of symmetric tridiagonal matrices by QL steps
   with implicit shifts (Martin & Wilkinson 1968; Dubrulle 1970), values alone by such steps without
   square roots (Pal, Walker & Kahan; Parlett 1998, 8.15), in lanes; of Hermitian matrices, for the
   numbers bound by number.h, by reduction to these. */

#ifndef AGNI_COMPLEX_LANES
enum { FN(STEPS) = 50 }; /* for one value */

/* In the lanes of turn, up to row l of each: rows are apart whose e is small. The row from which on
   this is one block comes to m, its diagonal to bottom */
AGNI_INLINE IVEC FN(last_of_block)(const REAL *d, REAL *e, int64_t n, int64_t l, VEC *bottom)
{
    const VEC tiny = SPLAT(ROUNDING / 2), none = SPLAT(PICK(0x1p-450, 0x1p-45));
    IVEC m = (IVEC){0} + (SINT)(n - 1);
    VEC below = LOAD(d + (n - 1) * LANES);
    *bottom = below;
    for (int64_t i = n - 2; i >= l; i--) {
        const VEC here = LOAD(d + i * LANES), x = LOAD(e + i * LANES), size = ABS(x);
        const IVEC apart = (size <= (ABS(here) + ABS(below)) * tiny) | (size <= none);
        STORE(e + i * LANES, SELECT(apart, SPLAT(0), x));
        m = (m & ~apart) | (((IVEC){0} + (SINT)i) & apart);
        *bottom = SELECT(apart, here, *bottom);
        below = here;
    }
    return m;
}

/* c and s turn (f, g) to (r, 0), which is the result; both so small that they are nothing: by 0 */
AGNI_INLINE VEC FN(rotation)(VEC f, VEC g, VEC *c, VEC *s)
{
    const VEC square = FMA(f, f, g * g);
    const IVEC some = square > SPLAT(PICK(0x1p-900, 0x1p-90));
    const VEC inverse = SPLAT(1) / FN(agni_sqrt)(SELECT(some, square, SPLAT(1)));
    *c = SELECT(some, f * inverse, SPLAT(1));
    *s = SELECT(some, g * inverse, SPLAT(0));
    return SELECT(some, square * inverse, f);
}

/* rotations of rows high - 1 and high, ..., low and low + 1 of z, of which the second ones name c
   and s: x and y become c x - s y and s x + c y */
AGNI_INLINE void FN(turn_columns)(REAL *z, int64_t width, int64_t low, int64_t high, const REAL *c,
                                  const REAL *s, const int columns)
{
    VEC y[8];
    AGNI_UNROLL
    for (int k = 0; k < columns; k++)
        y[k] = LOAD(z + (high * width + k) * LANES);
    for (int64_t i = high; i > low; i--) {
        const VEC ci = LOAD(c + i * LANES), si = LOAD(s + i * LANES);
        REAL *row = z + i * width * LANES;
        AGNI_UNROLL
        for (int k = 0; k < columns; k++) {
            const VEC x = LOAD(row + (k - width) * LANES);
            STORE(row + k * LANES, FMA(si, x, ci * y[k]));
            y[k] = FNMA(si, y[k], ci * x);
        }
    }
    AGNI_UNROLL
    for (int k = 0; k < columns; k++)
        STORE(z + (low * width + k) * LANES, y[k]);
}
AGNI_INLINE void FN(turn_rows)(REAL *z, int64_t width, int64_t low, int64_t high, const REAL *c,
                               const REAL *s)
{
    int64_t k = 0;
    for (; k + 8 <= width; k += 8)
        FN(turn_columns)(z + k * LANES, width, low, high, c, s, 8);
    for (; k + 2 <= width; k += 2)
        FN(turn_columns)(z + k * LANES, width, low, high, c, s, 2);
    if (k < width)
        FN(turn_columns)(z + k * LANES, width, low, high, c, s, 1);
}

/* One step in the lanes of turn, from row m of each, whose entry is bottom, up to row l; its
   rotations, from the row that is the result on */
AGNI_INLINE int64_t FN(turn_pairs)(REAL *d, REAL *e, int64_t n, int64_t l, IVEC m, VEC bottom,
                                   IVEC turn, REAL *c, REAL *s)
{
    const VEC top = LOAD(d + l * LANES), beside = SELECT(turn, LOAD(e + l * LANES), SPLAT(1));
    const VEC half = (LOAD(d + (l + 1) * LANES) - top) / (beside * 2);
    const VEC far = FN(agni_with_sign)(FN(agni_sqrt)(FMA(half, half, SPLAT(1))), half);
    VEC g = bottom - top + beside / (half + far), cosine = SPLAT(1), sine = cosine, p = SPLAT(0);
    int64_t high = l;
    for (int64_t i = n - 2; i >= l; i--) {
        const IVEC on = turn & (m > (SINT)i), first = m == (SINT)i + 1;
        if (!ANY(on))
            continue;
        high = high > i ? high : i + 1;
        const VEC x = LOAD(e + i * LANES), b = cosine * x, next = LOAD(d + (i + 1) * LANES);
        VEC c1, s1, r = FN(rotation)(g, sine * x, &c1, &s1);
        STORE(e + (i + 1) * LANES,
              SELECT(on, SELECT(first, SPLAT(0), r), LOAD(e + (i + 1) * LANES)));
        const VEC g1 = next - p, rest = FMA(LOAD(d + i * LANES) - g1, s1, c1 * b * 2),
                  p1 = s1 * rest;
        STORE(d + (i + 1) * LANES, SELECT(on, g1 + p1, next));
        g = SELECT(on, c1 * rest - b, g);
        p = SELECT(on, p1, p);
        cosine = SELECT(on, c1, SPLAT(1));
        sine = SELECT(on, s1, SPLAT(1));
        STORE(c + (i + 1) * LANES, cosine);
        STORE(s + (i + 1) * LANES, SELECT(on, s1, SPLAT(0)));
    }
    STORE(d + l * LANES, SELECT(turn, top - p, top));
    STORE(e + l * LANES, SELECT(turn, g, LOAD(e + l * LANES)));
    return high;
}

/* d, e (room for n): eigenvalues come to d, rows of z, `width` vectors each, turn with them; lanes
   that are bad, or did not converge */
AGNI_INLINE IVEC FN(find_pairs)(REAL *d, REAL *e, int64_t n, REAL *z, int64_t width, IVEC bad)
{
    REAL c[AGNI_LANES_ORDER * LANES] __attribute__((aligned(64))),
        s[AGNI_LANES_ORDER * LANES] __attribute__((aligned(64)));
    for (int64_t l = 0; l < n - 1; l++)
        for (int step = 0;; step++) {
            VEC bottom;
            const IVEC m = FN(last_of_block)(d, e, n, l, &bottom), turn = (m > (SINT)l) & ~bad;
            if (!ANY(turn))
                break;
            if (step == FN(STEPS)) {
                bad |= turn;
                break;
            }
            FN(turn_rows)(z, width, l, FN(turn_pairs)(d, e, n, l, m, bottom, turn, c, s), c, s);
        }
    return bad;
}

/* One step without square roots in the lanes of turn, from row m of each, whose entry is bottom, up
   to row l; of what lies beside the diagonal d, e2 holds squares */
AGNI_INLINE void FN(turn_squares)(REAL *d, REAL *e2, int64_t n, int64_t l, IVEC m, VEC bottom,
                                  IVEC turn)
{
    const VEC none = SPLAT(PICK(0x1p-900, 0x1p-90)), top = LOAD(d + l * LANES);
    const VEC beside = FN(agni_sqrt)(SELECT(turn, LOAD(e2 + l * LANES), SPLAT(1)));
    const VEC half = (LOAD(d + (l + 1) * LANES) - top) / (beside * 2);
    const VEC far = FN(agni_with_sign)(FN(agni_sqrt)(FMA(half, half, SPLAT(1))), half);
    const VEC shift = top - beside / (half + far);
    VEC c = SPLAT(1), s = SPLAT(0), gamma = bottom - shift, p = gamma * gamma;
    for (int64_t i = n - 2; i >= l; i--) {
        const IVEC on = turn & (m > (SINT)i), below = on & (m > (SINT)i + 1);
        REAL *next = d + (i + 1) * LANES, *square = e2 + (i + 1) * LANES;
        const VEC b = LOAD(e2 + i * LANES), alpha = LOAD(d + i * LANES), sum = p + b;
        const VEC inverse = SPLAT(1) / SELECT(on, sum, SPLAT(1)), cosine = p * inverse;
        const VEC sine = b * inverse, rest = FNMA(sine, gamma, cosine * (alpha - shift));
        const IVEC some = cosine > SPLAT(0);
        VEC q = SELECT(some, rest * rest / SELECT(some, cosine, SPLAT(1)), c * b);
        q = SELECT(q > none, q, SPLAT(0));
        STORE(square, SELECT(below, s * sum, LOAD(square)));
        STORE(next, SELECT(on, gamma + (alpha - rest), LOAD(next)));
        p = SELECT(on, q, p);
        c = SELECT(on, cosine, c);
        s = SELECT(on, sine, s);
        gamma = SELECT(on, rest, gamma);
    }
    STORE(e2 + l * LANES, SELECT(turn, s * p, LOAD(e2 + l * LANES)));
    STORE(d + l * LANES, SELECT(turn, shift + gamma, top));
}

/* d, e (room for n): eigenvalues come to d; lanes that are bad, or did not converge */
AGNI_INLINE IVEC FN(find_values)(REAL *d, REAL *e, int64_t n, IVEC bad)
{
    const VEC tiny = SPLAT(ROUNDING * ROUNDING / 4), none = SPLAT(PICK(0x1p-900, 0x1p-90));
    for (int64_t i = 0; i < n; i++)
        STORE(e + i * LANES, i < n - 1 ? LOAD(e + i * LANES) * LOAD(e + i * LANES) : SPLAT(0));
    for (int64_t l = 0; l < n - 1; l++)
        for (int step = 0;; step++) {
            VEC below = LOAD(d + (n - 1) * LANES), bottom = below;
            IVEC m = (IVEC){0} + (SINT)(n - 1);
            for (int64_t i = n - 2; i >= l; i--) { /* m: the first row apart from the next */
                const VEC here = LOAD(d + i * LANES), square = LOAD(e + i * LANES);
                const IVEC apart = (square <= ABS(here * below) * tiny) | (square <= none);
                STORE(e + i * LANES, SELECT(apart, SPLAT(0), square));
                m = (m & ~apart) | (((IVEC){0} + (SINT)i) & apart);
                bottom = SELECT(apart, here, bottom);
                below = here;
            }
            const IVEC turn = (m > (SINT)l) & ~bad;
            if (!ANY(turn))
                break;
            if (step == FN(STEPS)) {
                bad |= turn;
                break;
            }
            FN(turn_squares)(d, e, n, l, m, bottom, turn);
        }
    return bad;
}
#endif

static uint32_t NF(eigh_by_ql)(REAL *a, bool upper, int64_t n, REAL *v, REAL *w)
{
    REAL e[AGNI_LANES_ORDER * LANES] __attribute__((aligned(64))),
        tau[AGNI_LANES_ORDER * WIDTH] __attribute__((aligned(64)));
    IVEC bad = {0};
    VEC back = NF(mirror_and_scale)(a, upper, n, &bad);
    NF(reduce_to_tridiagonal)(a, n, w, e, tau);
    if (v) {
        NF(multiply_reflectors)(a, n, n, tau, v);
        bad = FN(find_pairs)(w, e, n, v, n * (WIDTH / LANES), bad);
        NF(scale_all)(v, n * n, SPLAT(1));
    } else
        bad = FN(find_values)(w, e, n, bad);
    FN(scale_all)(w, n, back);
    return FN(lane_mask)(bad);
}

static uint32_t NF(eigh)(void *a, bool upper, int64_t n, void *v, void *w)
{
#ifndef AGNI_COMPLEX_LANES
    enum { ROTATIONS = 8 }; /* the largest order at which they are faster */
    if (n <= ROTATIONS)
        return n == 2   ? FN(eigh_of)(a, upper, 2, v, w)
               : n == 3 ? FN(eigh_of)(a, upper, 3, v, w)
               : n == 4 ? FN(eigh_of)(a, upper, 4, v, w)
                        : FN(eigh_of)(a, upper, n, v, w);
#endif
    return NF(eigh_by_ql)(a, upper, n, v, w);
}
