/* linalg/cpu/lanes/tridiagonal_body.h - eigenpairs of symmetric matrices that are too large for
   rotations to pay: to tridiagonal form by reflectors, in lanes (Householder 1958), then by QL
   steps with implicit shifts, lane by lane (Martin & Wilkinson 1968; Dubrulle 1970); values alone
   by such steps without square roots, in lanes (Pal, Walker & Kahan; Parlett 1998, 8.15). For the
   element type bound by real.h. */

enum { FN(STEPS) = 50 }; /* for one value */

/* a (lower triangle, scaled) becomes tridiagonal: d [n], e [n - 1]; reflectors stay below, their
   factors in tau */
AGNI_INLINE void FN(reduce_to_tridiagonal)(REAL *a, int64_t n, REAL *d, REAL *e, REAL *tau)
{
#define A(i, j) (a + ((i) * n + (j)) * LANES)
    REAL p[AGNI_LANES_ORDER * LANES] __attribute__((aligned(64)));
    for (int64_t k = 0; k < n - 1; k++) {
        VEC alpha = LOAD(A(k + 1, k)), sum = SPLAT(0);
        for (int64_t i = k + 2; i < n; i++)
            sum = FMA(LOAD(A(i, k)), LOAD(A(i, k)), sum);
        /* what is smaller is nothing beside the largest entry, 1, and its square may have lost
           digits */
        IVEC some = sum > SPLAT(PICK(0x1p-900, 0x1p-90));
        VEC norm = FN(agni_sqrt)(FMA(alpha, alpha, sum)), beta = FN(agni_with_sign)(norm, -alpha);
        VEC t = SELECT(some, (beta - alpha) / SELECT(some, beta, SPLAT(1)), SPLAT(0)),
            r = SELECT(some, SPLAT(1) / SELECT(some, alpha - beta, SPLAT(1)), SPLAT(0));
        STORE(d + k * LANES, LOAD(A(k, k)));
        STORE(e + k * LANES, SELECT(some, beta, alpha));
        STORE(tau + k * LANES, t);
        STORE(A(k + 1, k), SPLAT(1));
        for (int64_t i = k + 2; i < n; i++)
            STORE(A(i, k), LOAD(A(i, k)) * r);
        /* p = t a v, by the lower triangle */
        for (int64_t i = k + 1; i < n; i++)
            STORE(p + i * LANES, SPLAT(0));
        for (int64_t i = k + 1; i < n; i++) {
            VEC v = LOAD(A(i, k)), dot = LOAD(A(i, i)) * v;
            for (int64_t j = k + 1; j < i; j++) {
                VEC x = LOAD(A(i, j));
                dot = FMA(x, LOAD(A(j, k)), dot);
                STORE(p + j * LANES, FMA(x, v, LOAD(p + j * LANES)));
            }
            STORE(p + i * LANES, LOAD(p + i * LANES) + dot);
        }
        VEC inner = SPLAT(0);
        for (int64_t i = k + 1; i < n; i++) {
            VEC x = LOAD(p + i * LANES) * t;
            STORE(p + i * LANES, x);
            inner = FMA(x, LOAD(A(i, k)), inner);
        }
        inner *= t * SPLAT(0.5);
        for (int64_t i = k + 1; i < n; i++)
            STORE(p + i * LANES, FNMA(inner, LOAD(A(i, k)), LOAD(p + i * LANES)));
        for (int64_t i = k + 1; i < n; i++) { /* a -= v p^T + p v^T */
            VEC v = LOAD(A(i, k)), w = LOAD(p + i * LANES);
            for (int64_t j = k + 1; j <= i; j++)
                STORE(A(i, j), FNMA(v, LOAD(p + j * LANES), FNMA(w, LOAD(A(j, k)), LOAD(A(i, j)))));
        }
    }
    STORE(d + (n - 1) * LANES, LOAD(A(n - 1, n - 1)));
}

/* rows of v are the columns of the product of the reflectors */
AGNI_INLINE void FN(multiply_reflectors)(const REAL *a, int64_t n, const REAL *tau, REAL *v)
{
    FN(set_identity)(v, n);
    for (int64_t k = n - 3; k >= 0; k--) {
        VEC t = LOAD(tau + k * LANES);
        for (int64_t j = k + 1; j < n; j++) {
            REAL *row = v + j * n * LANES;
            VEC sum = LOAD(row + (k + 1) * LANES);
            for (int64_t i = k + 2; i < n; i++)
                sum = FMA(LOAD(A(i, k)), LOAD(row + i * LANES), sum);
            sum *= t;
            for (int64_t i = k + 1; i < n; i++)
                STORE(row + i * LANES, FNMA(LOAD(A(i, k)), sum, LOAD(row + i * LANES)));
        }
    }
#undef A
}

/* rows x and y of n numbers become c x - s y and s x + c y */
AGNI_INLINE void FN(turn_rows_of_one)(REAL *x, REAL *y, int64_t n, REAL c, REAL s)
{
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES) {
        VEC u = LOAD(x + i), v = LOAD(y + i);
        STORE(x + i, FNMA(SPLAT(s), v, u * c));
        STORE(y + i, FMA(SPLAT(s), u, v * c));
    }
    for (; i < n; i++) {
        REAL u = x[i], v = y[i];
        x[i] = c * u - s * v;
        y[i] = s * u + c * v;
    }
}

/* d, e (room for n): eigenvalues come to d; rows of z [n, n] turn with them; false: they do not
   converge */
static bool FN(ql_steps)(double *d, double *e, int64_t n, REAL *z)
{
    const double tiny = PICK(0x1p-53, 0x1p-28);
    e[n - 1] = 0;
    for (int64_t l = 0; l < n; l++)
        for (int step = 0;; step++) {
            int64_t m = l;
            while (m < n - 1 && !(fabs(e[m]) <= tiny * (fabs(d[m]) + fabs(d[m + 1]))))
                m++;
            if (m == l)
                break;
            if (step == FN(STEPS))
                return false;
            double g = (d[l + 1] - d[l]) / (2 * e[l]), r = sqrt(g * g + 1), s = 1, c = 1, p = 0;
            g = d[m] - d[l] + e[l] / (g + copysign(r, g));
            int64_t i = m - 1;
            for (; i >= l; i--) {
                double f = s * e[i], b = c * e[i], square = f * f + g * g;
                r = square > 0x1p-900 ? sqrt(square) : hypot(f, g);
                e[i + 1] = r;
                if (r == 0) {
                    d[i + 1] -= p;
                    e[m] = 0;
                    break;
                }
                s = f / r;
                c = g / r;
                g = d[i + 1] - p;
                r = (d[i] - g) * s + 2 * c * b;
                p = s * r;
                d[i + 1] = g + p;
                g = c * r - b;
                FN(turn_rows_of_one)(z + i * n, z + (i + 1) * n, n, (REAL)c, (REAL)s);
            }
            if (i >= l)
                continue;
            d[l] -= p;
            e[l] = g;
            e[m] = 0;
        }
    return true;
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

static uint32_t FN(eigh_by_ql)(REAL *a, bool upper, int64_t n, REAL *v, REAL *w)
{
    REAL e[AGNI_LANES_ORDER * LANES] __attribute__((aligned(64))),
        tau[AGNI_LANES_ORDER * LANES] __attribute__((aligned(64))),
        z[AGNI_LANES_ORDER * AGNI_LANES_ORDER] __attribute__((aligned(64)));
    double values[AGNI_LANES_ORDER], beside[AGNI_LANES_ORDER];
    IVEC bad = {0};
    VEC back = FN(mirror_and_scale)(a, upper, n, &bad);
    FN(reduce_to_tridiagonal)(a, n, w, e, tau);
    if (v)
        FN(multiply_reflectors)(a, n, tau, v);
    else
        bad = FN(find_values)(w, e, n, bad);
    uint32_t mask = FN(lane_mask)(bad);
    for (int l = 0; v && l < LANES; l++) {
        for (int64_t i = 0; i < n; i++) {
            values[i] = (double)w[i * LANES + l];
            beside[i] = i < n - 1 ? (double)e[i * LANES + l] : 0;
        }
        if (mask >> l & 1)
            continue;
        for (int64_t i = 0; i < n * n; i++)
            z[i] = v[i * LANES + l];
        if (!FN(ql_steps)(values, beside, n, z))
            mask |= (uint32_t)1 << l;
        for (int64_t i = 0; i < n * n; i++)
            v[i * LANES + l] = z[i];
        for (int64_t i = 0; i < n; i++)
            w[i * LANES + l] = (REAL)values[i];
    }
    for (int64_t i = 0; i < n; i++)
        STORE(w + i * LANES, LOAD(w + i * LANES) * back);
    return mask;
}

static uint32_t FN(eigh)(void *a, bool upper, int64_t n, void *v, void *w)
{
    enum { ROTATIONS = 8 }; /* the largest order at which they are faster */
    return n > ROTATIONS ? FN(eigh_by_ql)(a, upper, n, v, w)
           : n == 2      ? FN(eigh_of)(a, upper, 2, v, w)
           : n == 3      ? FN(eigh_of)(a, upper, 3, v, w)
           : n == 4      ? FN(eigh_of)(a, upper, 4, v, w)
                         : FN(eigh_of)(a, upper, n, v, w);
}
