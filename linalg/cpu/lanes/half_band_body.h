/* linalg/cpu/lanes/half_band_body.h - triangular systems and Cholesky's method for bands (Golub &
   Van Loan 2013, 4.3), for the numbers bound by number.h.

   Diagonals are turned to columns, some at a time that stay in a cache. What is not ordinary
   (seen_body.h) is for LAPACK: then the answer is false. */

#undef EACH
#undef DIVISOR
#define EACH (WIDTH / LANES) /* REALs of a number */
#define DIVISOR (EACH > 1 ? LEAST : FEWEST)

#ifndef AGNI_COMPLEX_LANES
/* columns turned at a time; vectors in one */
enum { FN(COLUMNS) = 32, FN(PARTS) = 4 };

#undef NEXT_LANE
#undef LAST_LANE
#define NEXT_LANE(l, n, s) ((l) + (s))
#define LAST_LANE(l, n, s) ((l) ? (l) + (s) : 2 * (n) + (s))
#endif

/* lane l is lane l + 1 of a, the last one lane 0 of b */
AGNI_INLINE NUM NF(shift_down)(NUM a, NUM b)
{
    return NF(of_parts)(__builtin_shufflevector(NF(real_part)(a), NF(real_part)(b),
                                                EVERY(NEXT_LANE, 1)),
                        __builtin_shufflevector(NF(imaginary_part)(a), NF(imaginary_part)(b),
                                                EVERY(NEXT_LANE, 1)));
}
/* lane l is lane l - 1 of a, the first one the last of b */
AGNI_INLINE NUM NF(shift_up)(NUM a, NUM b)
{
    return NF(of_parts)(__builtin_shufflevector(NF(real_part)(a), NF(real_part)(b),
                                                EVERY(LAST_LANE, -1)),
                        __builtin_shufflevector(NF(imaginary_part)(a), NF(imaginary_part)(b),
                                                EVERY(LAST_LANE, -1)));
}
/* lane 0 in all lanes */
AGNI_INLINE NUM NF(spread_first)(NUM a)
{
    return NF(of_parts)(SPLAT(NF(real_part)(a)[0]), SPLAT(NF(imaginary_part)(a)[0]));
}
/* lane 0 to a tensor */
AGNI_INLINE void NF(put_first)(REAL *x, NUM a)
{
    x[0] = NF(real_part)(a)[0];
    if (EACH > 1)
        x[EACH - 1] = NF(imaginary_part)(a)[0];
}

/* Number k of column j lies down k + along j numbers from p; it exists where j + k < n, or,
   above, j >= k */
typedef struct NF(half_band) {
    const REAL *p;
    int64_t down, along, w, n;
    bool above, conjugate;
    /* columns that are turned begin with number `first`, 0 or 1; in REALs */
    int64_t first, stride, plane;
    FN(seen) seen;
} NF(half_band);

/* one chain of comparisons would take longer than all else, so there are several */
static void NF(look_at_columns)(NF(half_band) *q, int64_t count, const REAL *col)
{
    enum { CHAINS = 4 };
    FN(seen) part[CHAINS] = {{.most = {0}}};
    for (int64_t e = 0; e < EACH; e++)
        for (int64_t k = q->first; k < q->w; k += LANES) {
            int64_t c = 0;
            for (; c + CHAINS <= count; c += CHAINS)
                AGNI_UNROLL
                for (int i = 0; i < CHAINS; i++)
                    FN(look_at)(&part[i], LOAD(col + e * q->plane + (c + i) * q->stride + k));
            for (; c < count; c++)
                FN(look_at)(&part[0], LOAD(col + e * q->plane + c * q->stride + k));
        }
    for (int i = 0; i < CHAINS; i++) {
        q->seen.most = FN(agni_least)(q->seen.most, part[i].most);
        q->seen.bad += part[i].bad;
    }
}

/* columns j0 .. j0 + count - 1 to col; what does not exist stays 0 or becomes it */
static void NF(read_columns)(NF(half_band) *q, int64_t j0, int64_t count, REAL *col)
{
    const int64_t w = q->w, n = q->n, stride = q->stride, plane = q->plane, down = q->down * EACH,
                  along = q->along * EACH, ahead = (q->above ? -2 : 2) * FN(COLUMNS) * EACH;
    const VEC sign = SPLAT(q->conjugate ? -1 : 1);
    const bool whole = count == FN(COLUMNS) && q->along == 1 &&
                       (q->above ? j0 >= w : j0 + count + w <= n);
    col -= q->first;
    for (int64_t k = q->first; whole && k < w; k += LANES) /* squares of numbers */
        for (int64_t c = 0; c < count; c += LANES) {
            VEC re[LANES], im[LANES];
            const REAL *from = q->p + k * down + (j0 + c) * EACH;
            AGNI_UNROLL
            for (int i = 0; i < LANES; i++) {
                const NUM v = NF(get_pairs)(from + (k + i < w ? i : 0) * down);
                re[i] = k + i < w ? NF(real_part)(v) : SPLAT(0);
                im[i] = k + i < w ? NF(imaginary_part)(v) * sign : SPLAT(0);
                /* so many lines are too many for hardware */
                for (int64_t e = 0; e < EACH; e++)
                    __builtin_prefetch(from + i * down + e * LANES + ahead);
            }
            FN(agni_transpose_square)(re);
            if (EACH > 1)
                FN(agni_transpose_square)(im);
            AGNI_UNROLL
            for (int i = 0; i < LANES; i++) {
                STORE(col + (c + i) * stride + k, re[i]);
                if (EACH > 1)
                    STORE(col + (c + i) * stride + plane + k, im[i]);
            }
        }
    for (int64_t k = q->first; !whole && k < w; k++)
        for (int64_t c = 0; c < count; c++) {
            const REAL *from = q->p + k * down + (j0 + c) * along;
            const bool is = q->above ? j0 + c >= k : j0 + c + k < n;
            REAL *to = col + c * stride + k;
            to[0] = is ? from[0] : 0;
            if (EACH > 1)
                to[plane] = is ? from[EACH - 1] * sign[0] : 0;
        }
    NF(look_at_columns)(q, count, col);
}

/* ---- a triangle: what is known is taken from the right-hand sides that follow, which stay in
   registers and move by a lane with each column ------------------------------------------------ */

static int64_t NF(triangle_room)(void)
{
    return FN(COLUMNS) * (FN(PARTS) * LANES + 1);
}

/* 1 over the pivots of columns; false where one is near 0 */
static bool NF(invert_pivots)(NF(half_band) *q, int64_t j0, int64_t count, REAL *d)
{
    IVEC faint = {0};
    const REAL *from = q->p + j0 * q->along * EACH;
    for (int64_t c = 0; c < FN(COLUMNS); c += LANES) {
        NUM v;
        if (q->along == 1 && c + LANES <= count)
            v = NF(get_pairs)(from + c * EACH);
        else {
            for (int64_t i = 0; i < LANES; i++)
                for (int64_t e = 0; e < EACH; e++)
                    d[e * FN(COLUMNS) + c + i] =
                        from[(c + i < count ? c + i : 0) * q->along * EACH + e];
            v = NF(get_planes)(d + c, FN(COLUMNS));
        }
        FN(look_at)(&q->seen, NF(real_part)(v));
        FN(look_at)(&q->seen, NF(imaginary_part)(v));
        faint |= ~(NF(size)(v) >= SPLAT(DIVISOR));
        NF(put_planes)(d + c, FN(COLUMNS), NF(reciprocal)(v));
    }
    return !ANY(faint);
}

/* number i of x in all lanes, or 0 */
AGNI_INLINE NUM NF(number_or_0)(const REAL *x, int64_t i, bool is)
{
    const REAL none[2] = {0, 0};
    return NF(splat_planes)(is ? x + i * EACH : none, 1);
}

/* the first numbers of right-hand sides, `step` apart, for the lanes of `parts` vectors */
AGNI_INLINE void NF(fill_lanes)(NUM *p, const REAL *y, int64_t step, int64_t n, const int parts)
{
    REAL start[2 * FN(PARTS) * LANES] = {0};
    for (int64_t i = 0; i < parts * LANES && i < n; i++)
        for (int64_t e = 0; e < EACH; e++)
            start[e * FN(PARTS) * LANES + i] = y[i * step * EACH + e];
    for (int h = 0; h < parts; h++)
        p[h] = NF(get_planes)(start + h * LANES, FN(PARTS) * LANES);
}

/* the known number leaves, the next one comes; v times what a column holds beside its pivot is
   taken from all */
AGNI_INLINE void NF(take_column)(NUM *p, const REAL *column, NUM v, NUM next, const int parts)
{
    AGNI_UNROLL
    for (int h = 0; h < parts; h++) {
        p[h] = NF(shift_down)(p[h], h + 1 < parts ? p[h + 1] : next);
        p[h] = NF(less)(NF(get_planes)(column + h * LANES, parts * LANES), v, p[h]);
    }
}

AGNI_INLINE bool NF(run_triangle)(NF(half_band) *q, const REAL *y, REAL *x, REAL *col, REAL *d,
                                  const int parts)
{
    const int64_t n = q->n, turn = q->above ? -1 : 1, from = q->above ? n - 1 : 0,
                  ahead = parts * LANES;
    NUM p[FN(PARTS) + 1];
    q->plane = ahead;
    q->stride = EACH * ahead;
    NF(fill_lanes)(p, y + from * EACH, turn, n, parts);
    for (int64_t t = 0; t < n; t += FN(COLUMNS)) {
        const int64_t count = n - t < FN(COLUMNS) ? n - t : FN(COLUMNS);
        const int64_t j0 = q->above ? n - t - count : t;
        NF(read_columns)(q, j0, count, col);
        if (!NF(invert_pivots)(q, j0, count, d))
            return false;
        for (int64_t k = 0; k < count; k++) {
            const int64_t c = q->above ? count - 1 - k : k, j = from + turn * (t + k);
            const NUM v = NF(times)(NF(spread_first)(p[0]), NF(splat_planes)(d + c, FN(COLUMNS)));
            NF(take_column)(p, col + c * q->stride, v,
                            NF(number_or_0)(y, j + turn * ahead, t + k + ahead < n), parts);
            NF(put_first)(x + j * EACH, v);
        }
    }
    return FN(is_ordinary)(&q->seen);
}

/* f(.., parts) with a constant number of vectors */
#undef BY_PARTS
#define BY_PARTS(w, f, ...) \
    ((w) <= LANES       ? f(__VA_ARGS__, 1) \
     : (w) <= 2 * LANES ? f(__VA_ARGS__, 2) \
     : (w) <= 3 * LANES ? f(__VA_ARGS__, 3) \
     : (w) <= 4 * LANES ? f(__VA_ARGS__, 4) \
                        : false)

static bool NF(solve_band_triangle)(const void *ab, int64_t rs, int64_t cs, bool upper, int64_t w,
                                    int64_t n, const void *y, void *x, void *room)
{
    NF(half_band) q = {.p = ab, .down = rs, .along = cs, .w = w, .n = n, .above = upper,
                       .first = 1};
    REAL *col = room, *d = col + FN(COLUMNS) * FN(PARTS) * LANES * EACH;
    if (upper) {
        q.p += (w - 1) * rs * EACH;
        q.down = -rs;
    }
    memset(room, 0, (size_t)(d - col) * sizeof *col);
    return BY_PARTS(w - 1, NF(run_triangle), &q, y, x, col, d);
}

/* ---- Cholesky's method: a column less the w - 1 before it --------------------------------- */

static int64_t NF(half_band_vectors)(int64_t w)
{
    return (w + LANES - 1) / LANES * LANES;
}
static int64_t NF(half_band_room)(int64_t n, int64_t w, bool kept)
{
    const int64_t ahead = NF(half_band_vectors)(w);
    return (w + FN(COLUMNS)) * 2 * ahead + (kept ? n * (ahead + 1) : FN(COLUMNS));
}

/* Columns have room for twice their numbers, 0 behind them: what lies c before is read from its
   number c on. 1 over the pivot to d */
AGNI_INLINE bool NF(factor_column)(REAL *col, int64_t stride, int64_t plane, int64_t w, REAL *d,
                                   const int parts)
{
    NUM p[FN(PARTS)], q[FN(PARTS)];
    for (int h = 0; h < parts; h++) {
        p[h] = NF(get_planes)(col + h * LANES, plane);
        q[h] = NF(of_real)(SPLAT(0));
    }
    int64_t c = w - 1;
    for (; c >= 2; c -= 2) {
        const REAL *one = col - c * stride + c, *two = one + stride - 1;
        const NUM u = NF(splat_planes)(one, plane), v = NF(splat_planes)(two, plane);
        AGNI_UNROLL
        for (int h = 0; h < parts; h++) {
            p[h] = NF(less_adjoint)(NF(get_planes)(one + h * LANES, plane), u, p[h]);
            q[h] = NF(less_adjoint)(NF(get_planes)(two + h * LANES, plane), v, q[h]);
        }
    }
    for (int h = 0; h < parts; h++)
        p[h] = NF(plus)(p[h], q[h]);
    if (c == 1) {
        const REAL *one = col - stride + 1;
        const NUM u = NF(splat_planes)(one, plane);
        for (int h = 0; h < parts; h++)
            p[h] = NF(less_adjoint)(NF(get_planes)(one + h * LANES, plane), u, p[h]);
    }
    const REAL pivot = NF(real_part)(p[0])[0];
    if (!(pivot >= FEWEST))
        return false;
    const REAL root = (REAL)sqrt(pivot), by = 1 / root;
    for (int h = 0; h < parts; h++)
        NF(put_planes)(col + h * LANES, plane, NF(scaled)(p[h], SPLAT(by)));
    col[0] = root;
    if (EACH > 1)
        col[plane] = 0;
    *d = by;
    return true;
}

/* columns of the factor back to diagonals, which lie as those of the matrix, along 1 */
static void NF(write_columns)(const NF(half_band) *q, int64_t j0, int64_t count, const REAL *col,
                              REAL *out, int64_t down)
{
    const int64_t w = q->w, n = q->n, stride = q->stride, plane = q->plane;
    const VEC sign = SPLAT(q->conjugate ? -1 : 1);
    const bool whole = count == FN(COLUMNS) && j0 + count + w <= n;
    for (int64_t k = 0; whole && k < w; k += LANES)
        for (int64_t c = 0; c < count; c += LANES) {
            VEC re[LANES], im[LANES];
            AGNI_UNROLL
            for (int i = 0; i < LANES; i++) {
                re[i] = LOAD(col + (c + i) * stride + k);
                im[i] = EACH > 1 ? LOAD(col + (c + i) * stride + plane + k) * sign : SPLAT(0);
            }
            FN(agni_transpose_square)(re);
            if (EACH > 1)
                FN(agni_transpose_square)(im);
            for (int i = 0; i < LANES && k + i < w; i++)
                NF(put_pairs)(out + ((k + i) * down + j0 + c) * EACH, NF(of_parts)(re[i], im[i]));
        }
    for (int64_t k = 0; !whole && k < w; k++)
        for (int64_t c = 0; c < count && j0 + c + k < n; c++) {
            REAL *to = out + (k * down + j0 + c) * EACH;
            to[0] = col[c * stride + k];
            if (EACH > 1)
                to[EACH - 1] = col[c * stride + plane + k] * sign[0];
        }
}

/* the factor to out, or its columns to kept with 1 over their pivots in d [n] */
AGNI_INLINE bool NF(run_factor)(NF(half_band) *q, REAL *room, REAL *out, int64_t down, REAL *kept,
                                REAL *d, const int parts)
{
    const int64_t n = q->n, w = q->w, ahead = parts * LANES, stride = 2 * ahead * EACH;
    REAL *col = room + w * stride;
    q->plane = 2 * ahead;
    q->stride = stride;
    memset(room, 0, (size_t)((w + FN(COLUMNS)) * stride) * sizeof *room);
    for (int64_t t = 0; t < n; t += FN(COLUMNS)) {
        const int64_t count = n - t < FN(COLUMNS) ? n - t : FN(COLUMNS);
        NF(read_columns)(q, t, count, col);
        for (int64_t c = 0; c < count; c++) {
            REAL *now = col + c * stride;
            if (!NF(factor_column)(now, stride, 2 * ahead, w, d + (kept ? t : 0) + c, parts))
                return false;
            for (int64_t e = 0; kept && e < EACH; e++)
                for (int h = 0; h < parts; h++)
                    STORE(kept + ((t + c) * EACH + e) * ahead + h * LANES,
                          LOAD(now + e * 2 * ahead + h * LANES + 1));
        }
        if (out)
            NF(write_columns)(q, t, count, col, out, down);
        memmove(room, room + count * stride, (size_t)(w * stride) * sizeof *room);
    }
    return FN(is_ordinary)(&q->seen);
}

static bool NF(factor_half_band)(const void *ab, int64_t down, int64_t along, bool conjugate,
                                 int64_t w, int64_t n, void *out, int64_t out_down, void *room)
{
    NF(half_band) q = {.p = ab, .down = down, .along = along, .w = w, .n = n,
                       .conjugate = conjugate};
    REAL *d = (REAL *)room + (w + FN(COLUMNS)) * 2 * NF(half_band_vectors)(w) * EACH;
    return BY_PARTS(w, NF(run_factor), &q, room, out, out_down, NULL, d);
}

/* ---- l l^H x = b by the columns of l ----------------------------------------------------- */

AGNI_INLINE bool NF(run_solve)(int64_t n, const REAL *l, const REAL *d, const REAL *b, REAL *x,
                               int64_t k, const int parts)
{
    const int64_t ahead = parts * LANES, step = k * EACH;
    NUM p[FN(PARTS) + 1];
    NF(fill_lanes)(p, b, k, n, parts);
    for (int64_t j = 0; j < n; j++) {
        const NUM v = NF(scaled)(NF(spread_first)(p[0]), SPLAT(d[j]));
        NF(take_column)(p, l + j * ahead * EACH, v,
                        NF(number_or_0)(b, (j + ahead) * k, j + ahead < n), parts);
        NF(put_first)(x + j * step, v);
    }
    for (int h = 0; h < parts; h++)
        p[h] = NF(of_real)(SPLAT(0));
    for (int64_t j = n - 1; j >= 0; j--) { /* lane i: number 1 + i of column j, unknown j + 1 + i */
        NUM sum = NF(of_real)(SPLAT(0));
        AGNI_UNROLL
        for (int h = parts - 1; h >= 0; h--)
            sum = NF(plus_adjoint)(NF(get_planes)(l + j * ahead * EACH + h * LANES, ahead), p[h],
                                   sum);
        sum = NF(of_parts)(FN(total)(NF(real_part)(sum)), FN(total)(NF(imaginary_part)(sum)));
        const NUM v = NF(scaled)(NF(minus)(NF(splat_planes)(x + j * step, 1), sum), SPLAT(d[j]));
        AGNI_UNROLL
        for (int h = parts - 1; h >= 0; h--)
            p[h] = NF(shift_up)(p[h], h ? p[h ? h - 1 : 0] : v);
        NF(put_first)(x + j * step, v);
    }
    return true;
}

static bool NF(solve_half_band)(const void *ab, int64_t down, int64_t along, int64_t w, int64_t n,
                                const void *b, void *x, int64_t k, void *room)
{
    const int64_t ahead = NF(half_band_vectors)(w);
    NF(half_band) q = {.p = ab, .down = down, .along = along, .w = w, .n = n};
    REAL *kept = (REAL *)room + (w + FN(COLUMNS)) * 2 * ahead * EACH, *d = kept + n * ahead * EACH;
    bool done = BY_PARTS(w, NF(run_factor), &q, room, NULL, 0, kept, d);
    for (int64_t h = 0; done && h < k; h++)
        done = BY_PARTS(w, NF(run_solve), n, kept, d, (const REAL *)b + h * EACH,
                        (REAL *)x + h * EACH, k);
    return done;
}
