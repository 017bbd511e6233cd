/* linalg/cpu/lanes/secular_body.h - the secular equation of divide and conquer, several roots at a
   time (Cuppen 1981; Li 1993; Gu & Eisenstat 1995), for the element type bound by real.h.

   1 / rho + sum of z2[j] / (p[j] - x) = 0 with k ascending poles p: d, or the squares of d. A root
   x is kept as its distance t from the nearer of the poles beside it, its origin, so that distances
   from all poles keep their digits. */

/* p[j] - p[o] by d */
AGNI_INLINE VEC FN(pole_gap)(VEC dj, VEC from, bool squares)
{
    return squares ? (dj - from) * (dj + from) : dj - from;
}

typedef struct FN(secular_sums) {
    VEC left, left_slope, right, right_slope, error; /* terms of poles to i, and from i + 1 on */
} FN(secular_sums);

/* terms of poles [from, to) at t from `origin`; in the lanes of the others they are left out */
AGNI_INLINE FN(secular_sums) FN(secular_sums_at)(int64_t k, const REAL *d, const REAL *z2,
                                                 bool squares, int64_t first, VEC index,
                                                 VEC origin, VEC t)
{
    FN(secular_sums) s = {SPLAT(0), SPLAT(0), SPLAT(0), SPLAT(0), SPLAT(0)};
    const int64_t last = first + LANES < k ? first + LANES : k;
    for (int64_t j = 0; j < last; j++) {
        const VEC r = SPLAT(1) / (FN(pole_gap)(SPLAT(d[j]), origin, squares) - t);
        VEC q = SPLAT(z2[j]) * r;
        if (j >= first)
            q = SELECT(SPLAT(j) <= index, q, SPLAT(0));
        s.left += q;
        s.left_slope = FMA(q, r, s.left_slope);
        s.error -= s.left;
    }
    for (int64_t j = k - 1; j > first; j--) {
        const VEC r = SPLAT(1) / (FN(pole_gap)(SPLAT(d[j]), origin, squares) - t);
        VEC q = SPLAT(z2[j]) * r;
        if (j < last)
            q = SELECT(SPLAT(j) > index, q, SPLAT(0));
        s.right += q;
        s.right_slope = FMA(q, r, s.right_slope);
        s.error += s.right;
    }
    return s;
}

/* of c x^2 - a x + b, of whose roots one lies between two poles: that one */
AGNI_INLINE VEC FN(root_between)(VEC c, VEC a, VEC b)
{
    const VEC square = FNMA(SPLAT(4) * b, c, a * a),
              root = FN(agni_sqrt)(SELECT(square > SPLAT(0), square, SPLAT(0)));
    return SELECT(a <= SPLAT(0), (a - root) / (SPLAT(2) * c), SPLAT(2) * b / (a + root));
}

/* t and origin of all roots; false where one does not settle */
static bool FN(secular_roots)(int64_t k, const void *poles, const void *weights, double rho_of,
                              bool squares, int32_t *origin, void *distance)
{
    enum { STEPS = 40 };
    const REAL *d = poles, *z2 = weights, rho = (REAL)rho_of;
    REAL *t_out = distance, sum = 0;
    const VEC eps = SPLAT(0x1p-53), inverse = SPLAT(1 / rho), none = SPLAT(0);
    for (int64_t j = 0; j < k; j++)
        sum += z2[j];
    for (int64_t first = 0; first < k; first += LANES) {
        REAL at[LANES], from[LANES], to[LANES], gap[LANES], wl[LANES], wr[LANES];
        for (int l = 0; l < LANES; l++) { /* lanes behind the last repeat it, which has no pole to
                                             its right: one of no weight */
            const int64_t i = first + l < k ? first + l : k - 1;
            const bool end = i == k - 1;
            at[l] = (REAL)i;
            from[l] = d[i];
            to[l] = end ? 0 : d[i + 1];
            gap[l] = end       ? 2 * rho * sum
                     : squares ? (d[i + 1] - d[i]) * (d[i + 1] + d[i])
                               : d[i + 1] - d[i];
            wl[l] = z2[i];
            wr[l] = end ? 0 : z2[i + 1];
        }
        const VEC index = LOAD(at), left = LOAD(from), right = LOAD(to), whole = LOAD(gap),
                  zl = LOAD(wl), zr = LOAD(wr), half = whole * SPLAT(0.5);
        const IVEC end = index == SPLAT(k - 1);
        /* in the middle, without the two terms beside it */
        FN(secular_sums) s = FN(secular_sums_at)(k, d, z2, squares, first, index, left, half);
        const VEC beside_l = -zl / half, beside_r = zr / half,
                  rest = inverse + (s.left - beside_l) + (s.right - beside_r),
                  middle = inverse + s.left + s.right;
        const IVEC near_right = (middle < none) & ~end;
        VEC lo = SELECT(near_right, -half, none),
            hi = SELECT(near_right, none, SELECT(end, whole, half));
        const VEC base = SELECT(near_right, right, left),
                  pl = SELECT(near_right, -whole, none), pr = SELECT(near_right, none, whole);
        VEC t = FN(root_between)(rest, FMA(rest, SELECT(near_right, -whole, whole), zl + zr),
                                 SELECT(near_right, -zr, zl) * whole);
        t = SELECT((t > lo) & (t < hi), t, (lo + hi) * SPLAT(0.5));
        IVEC open = index == index;
        for (int step = 0;; step++) {
            s = FN(secular_sums_at)(k, d, z2, squares, first, index, base, t);
            const VEC f = inverse + s.left + s.right, slope = s.left_slope + s.right_slope;
            const VEC error = FMA(SPLAT(8), s.right - s.left, s.error) + inverse + ABS(t) * slope;
            open &= ~(ABS(f) <= eps * error);
            if (!ANY(open))
                break;
            if (step == STEPS)
                return false;
            lo = SELECT(open & (f < none), t, lo);
            hi = SELECT(open & (f > none), t, hi);
            const VEC dl = pl - t, dr = pr - t, both = dl * dr,
                      c = FNMA(dr, s.right_slope, FNMA(dl, s.left_slope, f)),
                      a = FNMA(both, slope, (dl + dr) * f), b = both * f;
            VEC next = t + FN(root_between)(c, a, b);
            next = SELECT((next > lo) & (next < hi), next, t - f / slope);
            next = SELECT((next > lo) & (next < hi), next, (lo + hi) * SPLAT(0.5));
            open &= next != t; /* nothing between */
            t = SELECT(open, next, t);
        }
        REAL out[LANES], turned[LANES];
        STORE(out, t);
        STORE(turned, SELECT(near_right, SPLAT(1), none));
        for (int l = 0; l < LANES && first + l < k; l++) {
            t_out[first + l] = out[l];
            origin[first + l] = (int32_t)(first + l + (turned[l] > 0));
        }
    }
    return true;
}

/* rho times the squares of weights of which these are the roots to all digits (Loewner 1934) */
static void FN(secular_weights)(int64_t k, const void *poles, bool squares, const int32_t *origin,
                                const void *distance, void *weights)
{
    const REAL *d = poles, *t = distance;
    REAL *z2 = weights;
    for (int64_t i0 = 0; i0 < k; i0 += LANES) {
        const int64_t width = k - i0 < LANES ? k - i0 : LANES;
        REAL at[LANES];
        for (int l = 0; l < LANES; l++)
            at[l] = (REAL)(i0 + (l < width ? l : width - 1));
        const VEC here = LOAD_PART(d + i0, width), index = LOAD(at);
        VEC product = SPLAT(1);
        for (int64_t j = 0; j < k; j++) {
            const VEC up = FN(pole_gap)(here, SPLAT(d[origin[j]]), squares) - SPLAT(t[j]);
            VEC down = FN(pole_gap)(here, SPLAT(d[j]), squares);
            if (j >= i0 && j < i0 + LANES)
                down = SELECT(SPLAT(j) == index, SPLAT(-1), down);
            product *= up / down;
        }
        STORE_PART(z2 + i0, product, width);
    }
}

/* z[i] / (p[i] - x) of one root; the sum of their squares */
static double FN(secular_column)(int64_t k, const void *poles, const void *z_of, bool squares,
                                 int32_t origin, double distance, void *column)
{
    const REAL *d = poles, *z = z_of;
    REAL *y = column;
    const VEC base = SPLAT(d[origin]), t = SPLAT(distance);
    double sum = 0;
    VEC part = SPLAT(0);
    int64_t i = 0;
    for (; i + LANES <= k; i += LANES) {
        const VEC v = LOAD(z + i) / (FN(pole_gap)(LOAD(d + i), base, squares) - t);
        part = FMA(v, v, part);
        STORE(y + i, v);
    }
    for (; i < k; i++) {
        const REAL gap = squares ? (d[i] - d[origin]) * (d[i] + d[origin]) : d[i] - d[origin];
        y[i] = z[i] / (gap - (REAL)distance);
        sum += (double)y[i] * (double)y[i];
    }
    return sum + (double)FN(total)(part)[0];
}
