/* fft/cpu/spread_lanes_body.h - one point after the other, for the type bound by real.h. parts:
   vectors of pairs along the last axis. */

/* the first of width samples about u, and the place of u in its cell from -1 to 1 */
AGNI_INLINE int64_t FN(find_first)(double u, int width, REAL *place)
{
    double low = u - 0.5 * width, first = ceil(low);
    *place = (REAL)(2 * (first - low) - 1);
    return (int64_t)first;
}

AGNI_INLINE int64_t FN(wrap)(int64_t i, int64_t n)
{
    return i < 0 ? i + n : i >= n ? i - n : i;
}

/* lanes of the polynomials at x */
AGNI_INLINE VEC FN(weigh)(const REAL *c, int64_t step, int terms, VEC x)
{
    VEC sum = LOAD(c);
    for (int t = 1; t < terms; t++)
        sum = FMA(sum, x, LOAD(c + t * step));
    return sum;
}

/* a row of samples from first on: where it lies, or a copy where it reaches over the end */
AGNI_INLINE const REAL *FN(read_row)(REAL *room, const REAL *row, int64_t first, int width,
                                     int padded, int64_t n)
{
    if (first >= 0 && first + padded <= n)
        return row + 2 * first;
    for (int j = 0; j < padded; j++) {
        int64_t i = FN(wrap)(first + j, n);
        room[2 * j] = j < width ? row[2 * i] : 0;
        room[2 * j + 1] = j < width ? row[2 * i + 1] : 0;
    }
    return room;
}

/* weights of a point: those of rows, and of pairs along a row */
typedef struct FN(point) {
    int64_t first[AGNI_SPREAD_AXES];
    REAL slow[2][AGNI_SPREAD_WIDTH];
} FN(point);

AGNI_INLINE void FN(place_point)(FN(point) *p, VEC *fast, const agni_spread_form *q,
                                 const double *u, int parts)
{
    REAL x;
    int last = q->axes - 1;
    for (int d = 0; d < last; d++) {
        const REAL *c = q->coefficient[d];
        p->first[d] = FN(find_first)(u[d], q->width, &x);
        for (int l = 0; l < q->padded; l += LANES)
            STORE(p->slow[d] + l, FN(weigh)(c + l, q->padded, q->terms, SPLAT(x)));
    }
    const REAL *c = q->coefficient[last];
    p->first[last] = FN(find_first)(u[last], q->width, &x);
    const int64_t step = 2 * q->padded;
    const VEC place = SPLAT(x);
    AGNI_UNROLL
    for (int v = 0; v < parts; v++)
        fast[v] = LOAD(c + v * LANES);
    for (int t = 1; t < q->terms; t++) {
        c += step;
        AGNI_UNROLL
        for (int v = 0; v < parts; v++)
            fast[v] = FMA(fast[v], place, LOAD(c + v * LANES));
    }
}

/* calls of a body for each row about a point: its weight w, and row, where it begins */
#define EACH_ROW(body)                                                                             \
    do {                                                                                           \
        int64_t n = q->n[q->axes - 1];                                                             \
        if (q->axes == 1) {                                                                        \
            const REAL w = 1;                                                                      \
            const int64_t row = 0;                                                                 \
            body                                                                                   \
        } else {                                                                                   \
            for (int a = 0; a < (q->axes == 3 ? q->width : 1); a++) {                              \
                int64_t block = q->axes == 3 ? FN(wrap)(p.first[0] + a, q->n[0]) * q->n[1] : 0;    \
                REAL outer = q->axes == 3 ? p.slow[0][a] : 1;                                      \
                int d = q->axes - 2;                                                               \
                for (int b = 0; b < q->width; b++) {                                               \
                    const REAL w = outer * p.slow[d][b];                                           \
                    const int64_t row = (block + FN(wrap)(p.first[d] + b, q->n[d])) * n * 2;       \
                    body                                                                           \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
    } while (0)

AGNI_INLINE void FN(gather_parts)(const agni_spread_form *q, const REAL *grid, int64_t m,
                                  const double *u, const int64_t *at, REAL *values, int parts)
{
    for (int64_t k = 0; k < m; k++, u += q->axes) {
        FN(point) p;
        VEC fast[AGNI_SPREAD_WIDTH], sum[AGNI_SPREAD_WIDTH];
        REAL room[2 * AGNI_SPREAD_WIDTH], t[LANES], re = 0, im = 0;
        FN(place_point)(&p, fast, q, u, parts);
        AGNI_UNROLL
        for (int v = 0; v < parts; v++)
            sum[v] = (VEC){0};
        int64_t first = p.first[q->axes - 1];
        EACH_ROW({
            const REAL *g = FN(read_row)(room, grid + row, first, q->width, q->padded, n);
            AGNI_UNROLL
            for (int v = 0; v < parts; v++)
                sum[v] = FMA(SPLAT(w), LOAD(g + v * LANES), sum[v]);
        });
        AGNI_UNROLL
        for (int v = 0; v < parts; v++)
            sum[0] = v ? FMA(sum[v], fast[v], sum[0]) : sum[0] * fast[0];
        STORE(t, sum[0]);
        for (int l = 0; l < LANES; l += 2) {
            re += t[l];
            im += t[l + 1];
        }
        values[2 * at[k]] = re;
        values[2 * at[k] + 1] = im;
    }
}

AGNI_INLINE void FN(add_parts)(const agni_spread_form *q, REAL *grid, int64_t m, const double *u,
                               const int64_t *at, const REAL *values, int parts)
{
    for (int64_t k = 0; k < m; k++, u += q->axes) {
        FN(point) p;
        VEC fast[AGNI_SPREAD_WIDTH];
        REAL room[2 * AGNI_SPREAD_WIDTH], t[LANES];
        FN(place_point)(&p, fast, q, u, parts);
        for (int l = 0; l < LANES; l++)
            t[l] = values[2 * at[k] + l % 2];
        AGNI_UNROLL
        for (int v = 0; v < parts; v++)
            fast[v] *= LOAD(t);
        int64_t first = p.first[q->axes - 1];
        bool whole = first >= 0 && first + q->padded <= q->n[q->axes - 1];
        EACH_ROW({
            REAL *g = whole ? grid + row + 2 * first : room;
            AGNI_UNROLL
            for (int v = 0; v < parts; v++)
                STORE(g + v * LANES, whole ? FMA(SPLAT(w), fast[v], LOAD(g + v * LANES))
                                           : SPLAT(w) * fast[v]);
            for (int j = 0; !whole && j < q->width; j++) {
                int64_t i = row + 2 * FN(wrap)(first + j, n);
                grid[i] += room[2 * j];
                grid[i + 1] += room[2 * j + 1];
            }
        });
    }
}

/* Loops over vectors of a fixed count lie in registers, of which agni_spread_pad knows. */
#define CASE(call, count, ...)                                                                     \
    case count:                                                                                    \
        if (count * LANES <= 2 * AGNI_SPREAD_WIDTH)                                                \
            FN(call)(__VA_ARGS__, count * LANES <= 2 * AGNI_SPREAD_WIDTH ? count : 1);             \
        break;
#define BY_PARTS(call, ...)                                                                        \
    switch (2 * q->padded / LANES) {                                                               \
        CASE(call, 1, __VA_ARGS__)                                                                 \
        CASE(call, 2, __VA_ARGS__)                                                                 \
        CASE(call, 3, __VA_ARGS__)                                                                 \
        CASE(call, 4, __VA_ARGS__)                                                                 \
        CASE(call, 6, __VA_ARGS__)                                                                 \
        CASE(call, 8, __VA_ARGS__)                                                                 \
        CASE(call, 12, __VA_ARGS__)                                                                \
        CASE(call, 16, __VA_ARGS__)                                                                \
    }

static void FN(gather)(const agni_spread_form *q, const void *grid, int64_t m, const double *u,
                       const int64_t *at, void *values)
{
    BY_PARTS(gather_parts, q, grid, m, u, at, values)
}
static void FN(add)(const agni_spread_form *q, void *grid, int64_t m, const double *u,
                    const int64_t *at, const void *values)
{
    BY_PARTS(add_parts, q, grid, m, u, at, values)
}
#undef EACH_ROW
#undef CASE
#undef BY_PARTS
