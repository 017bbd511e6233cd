/* linalg/cpu/lanes/band_body.h - banded and tridiagonal systems by Gaussian elimination with
   partial pivoting, row by row
   (Golub & Van Loan 2013, 4.3), for the element type bound by real.h.

   Right-hand sides are carried along and rows of u are kept where they were made, so that nothing
   is moved and no row of l is stored. Numbers that are not finite, of extreme size or pivots near 0
   are for LAPACK: then the answer is false. */

/* numbers from the start of a row of u to that of the next: w + 1, and whole vectors behind the
   first two */
static int64_t FN(band_stride)(int64_t w)
{
    return 2 + (w - 1 + LANES - 1) / LANES * LANES;
}
static int64_t FN(band_room)(int64_t n, int64_t w)
{
    return n * FN(band_stride)(w) + n;
}

typedef struct FN(band) {
    const REAL *ab; /* row r: diagonals from the highest, strides rs and cs */
    int64_t rs, cs, l, u, w, n, k, stride;
    FN(seen) seen;
} FN(band);

/* rows i .. end - 1 from the diagonals; a row begins with column max(0, i - l), or with the one
   before that where it is odd: columns are eliminated by twos */
static void FN(read_rows)(FN(band) *q, int64_t i0, int64_t end, REAL *rows)
{
    const int64_t w = q->w, n = q->n, l = q->l, stride = q->stride;
    for (int64_t i = i0; i < end; i++)
        memset(rows + i * stride, 0, (size_t)stride * sizeof(REAL));
    for (int64_t c = 0; c < w; c++) { /* entry [i, i - l + c] */
        const REAL *from = q->ab + (w - 1 - c) * q->rs;
        const int64_t first = i0 > l - c ? i0 : l - c, last = n + l - c < end ? n + l - c : end;
        for (int64_t i = first; i < last; i++)
            rows[i * stride + c + (i < l ? i - l : (i - l) & 1)] = from[(i - l + c) * q->cs];
    }
    FN(look_along)(&q->seen, rows + i0 * stride, (end - i0) * stride);
}

/* the row of the largest entry in place `at` of rows j .. end - 1 becomes row j, or false */
AGNI_INLINE bool FN(choose_row)(const FN(band) *q, const REAL *rows, int32_t *order, int64_t j,
                                int64_t end, int64_t at)
{
    REAL best = 0;
    int64_t p = j;
    for (int64_t i = j; i < end; i++) {
        REAL v = rows[order[i] * q->stride + at];
        v = v < 0 ? -v : v;
        p = v > best ? i : p;
        best = v > best ? v : best;
    }
    const int32_t row = order[p];
    order[p] = order[j];
    order[j] = row;
    return best >= FEWEST;
}

/* row - f p, moved by one to the left; row of w + 1 numbers, p of w */
AGNI_INLINE void FN(eliminate_row)(REAL *row, const REAL *p, REAL f, int64_t w)
{
    const VEC by = SPLAT(f);
    const REAL last = row[w];
    for (int64_t c = 1; c < w; c += LANES)
        STORE(row + c - 1, FNMA(by, LOAD(p + c), LOAD(row + c)));
    row[w - 1] = last;
    row[w] = 0;
}

/* row - f p - g q, moved by two to the left; q begins a column later than p */
AGNI_INLINE void FN(eliminate_twice)(REAL *row, const REAL *p, REAL f, const REAL *q, REAL g,
                                     int64_t w)
{
    const VEC by = SPLAT(f), too = SPLAT(g);
    for (int64_t c = 2; c <= w; c += LANES)
        STORE(row + c - 2,
              FNMA(too, LOAD(q + c - 1), FNMA(by, LOAD(p + c), LOAD(row + c))));
    row[w - 1] = row[w] = 0;
}

/* u x = y from below; row j of u and of y is order[j] */
static void FN(substitute_band)(const FN(band) *q, const REAL *rows, const REAL *y,
                                const int32_t *order, REAL *x)
{
    const int64_t w = q->w, n = q->n, k = q->k;
    for (int64_t j = n - 1; j >= 0; j--) {
        const REAL *u = rows + order[j] * q->stride, *from = y + order[j] * k;
        const int64_t m = n - j < w ? n - j : w;
        REAL *to = x + j * k, pivot = u[0];
        if (k == 1) { /* the number that was found last comes last */
            VEC part = SPLAT(0);
            int64_t c = 2;
            for (; c + LANES <= m; c += LANES)
                part = FMA(LOAD(u + c), LOAD(to + c), part);
            REAL rest = from[0] - FN(total)(part)[0];
            for (; c < m; c++)
                rest -= u[c] * to[c];
            to[0] = (m > 1 ? rest - u[1] * to[1] : rest) / pivot;
            continue;
        }
        for (int64_t h = 0; h < k; h++)
            to[h] = from[h];
        for (int64_t c = 1; c < m; c++)
            for (int64_t h = 0; h < k; h++)
                to[h] -= u[c] * to[c * k + h];
        for (int64_t h = 0; h < k; h++)
            to[h] /= pivot;
    }
}

/* Of two columns at a time each row is written once: the multiplier of the first one lies in place
   0 of a row meanwhile, what is left of the second one in place 1. */
static bool FN(solve_wide)(FN(band) *q, REAL *y, REAL *x, REAL *room)
{
    enum { AHEAD = 16 };
    const int64_t l = q->l, n = q->n, k = q->k, w = q->w, stride = q->stride;
    REAL *rows = room;
    int32_t *order = (int32_t *)(void *)(rows + n * stride);
    int64_t read = 0; /* rows that are there */
    for (int64_t i = 0; i < n; i++)
        order[i] = (int32_t)i;
    for (int64_t j = 0; j < n; j += 2) {
        const int64_t first = j + l + 1 < n ? j + l + 1 : n, end = first < n ? first + 1 : n;
        if (end > read) {
            const int64_t more = end + AHEAD < n ? end + AHEAD : n;
            FN(read_rows)(q, read, more, rows);
            read = more;
        }
        if (!FN(choose_row)(q, rows, order, j, first, 0))
            return false;
        const REAL *one = rows + order[j] * stride, *rhs = y + order[j] * k;
        const REAL by = 1 / one[0];
        for (int64_t i = j + 1; i < end; i++) { /* 0 begins the row that comes last */
            REAL *row = rows + order[i] * stride, *side = y + order[i] * k;
            row[0] *= by;
            row[1] -= row[0] * one[1];
            for (int64_t h = 0; h < k; h++)
                side[h] -= row[0] * rhs[h];
        }
        if (j + 1 == n)
            break;
        if (!FN(choose_row)(q, rows, order, j + 1, end, 1))
            return false;
        REAL *two = rows + order[j + 1] * stride;
        const REAL pivot = two[1], too = 1 / pivot;
        FN(eliminate_row)(two, one, two[0], w);
        two[0] = pivot;
        rhs = y + order[j + 1] * k;
        for (int64_t i = j + 2; i < end; i++) {
            REAL *row = rows + order[i] * stride, *side = y + order[i] * k;
            const REAL g = row[1] * too;
            FN(eliminate_twice)(row, one, row[0], two, g, w);
            for (int64_t h = 0; h < k; h++)
                side[h] -= g * rhs[h];
        }
    }
    if (!FN(is_ordinary)(&q->seen))
        return false;
    FN(substitute_band)(q, rows, y, order, x);
    return true;
}

/* ---- three diagonals: rows change places with the next one only --------------------- */

static bool FN(solve_three)(FN(band) *q, REAL *y, REAL *x, REAL *room)
{
    const int64_t n = q->n, k = q->k;
    const REAL *upper = q->ab, *middle = upper + q->rs, *lower = middle + q->rs;
    REAL *d = room, *du = d + n, *more = du + n;
    FN(look_along)(&q->seen, middle, n);
    FN(look_along)(&q->seen, lower, n - 1);
    FN(look_along)(&q->seen, upper + 1, n - 1);
    if (!FN(is_ordinary)(&q->seen))
        return false;
    REAL here = middle[0], right = n > 1 ? upper[1] : 0, side = y[0];
    for (int64_t i = 0; i + 1 < n; i++) {
        const REAL below = lower[i], next = middle[i + 1], far = i + 2 < n ? upper[i + 2] : 0;
        const REAL a = here < 0 ? -here : here, b = below < 0 ? -below : below;
        if (!((a > b ? a : b) >= FEWEST))
            return false;
        REAL *one = y + i * k, *two = one + k, f;
        if (a >= b) {
            f = below / here;
            d[i] = here;
            du[i] = right;
            more[i] = 0;
            here = next - f * right;
            right = far;
            if (k == 1) {
                one[0] = side;
                side = two[0] - f * side;
            } else
                for (int64_t h = 0; h < k; h++)
                    two[h] -= f * one[h];
        } else {
            f = here / below;
            d[i] = below;
            du[i] = next;
            more[i] = far;
            here = right - f * next;
            right = -f * far;
            if (k == 1) {
                one[0] = two[0];
                side -= f * two[0];
            } else
                for (int64_t h = 0; h < k; h++) {
                    const REAL v = one[h];
                    one[h] = two[h];
                    two[h] = v - f * two[h];
                }
        }
    }
    if (!(here >= FEWEST || here <= -FEWEST))
        return false;
    d[n - 1] = here;
    if (k == 1) {
        y[n - 1] = side;
        REAL near = 0, after = 0;
        du[n - 1] = more[n - 1] = 0;
        for (int64_t i = n - 1; i >= 0; i--) {
            const REAL v = (y[i] - more[i] * after - du[i] * near) / d[i];
            after = near;
            near = v;
            x[i] = v;
        }
        return true;
    }
    for (int64_t i = n - 1; i >= 0; i--)
        for (int64_t h = 0; h < k; h++) {
            REAL v = y[i * k + h];
            if (i + 1 < n)
                v -= du[i] * x[(i + 1) * k + h];
            if (i + 2 < n)
                v -= more[i] * x[(i + 2) * k + h];
            x[i * k + h] = v / d[i];
        }
    return true;
}

static bool FN(solve_band)(const void *ab, int64_t rs, int64_t cs, int64_t l, int64_t u, int64_t n,
                           int64_t k, void *y, void *x, void *room)
{
    FN(band) q = {.ab = ab, .rs = rs, .cs = cs, .l = l, .u = u, .w = l + u + 1, .n = n, .k = k};
    q.stride = FN(band_stride)(q.w);
    return l == 1 && u == 1 && cs == 1 ? FN(solve_three)(&q, y, x, room)
                                     : FN(solve_wide)(&q, y, x, room);
}
