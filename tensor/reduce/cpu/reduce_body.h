/* tensor/reduce/cpu/reduce_body.h - one reduction of one type: OP over TERM(x, c) of T, pairwise
   with W accumulators, so that the error of a sum grows like log n (Higham 2002, 4.2). A sum of
   at least two numbers begins with 0: -0 + -0 gives 0. Undefines T and S. No guard. */

#define FIRST(x, n) ((T)(IDEMPOTENT || (n) == 1 ? (x) : OP(0, x)))

/* W accumulators over n numbers in rows of m, where m divides W: accumulator j is of column j %
   m, and about is W numbers too. Extremes compare as if there were no NaN and keep the last NaN
   separately: one instruction for each number. */
static void NAME(NAME(WORD, leaves), S)(T *restrict y, const T *x, const T *about, int64_t n, int m)
{
    T a[W], nan[W];
    if (n > LEAF) {
        int64_t half = (n / 2 + LEAF - 1) / LEAF * LEAF;
        NAME(NAME(WORD, leaves), S)(y, x, about, half, m);
        NAME(NAME(WORD, leaves), S)(a, x + half, about, n - half, m);
        for (int j = 0; j < W; j++)
            y[j] = (T)OP(y[j], a[j]);
        return;
    }
    if (IDEMPOTENT && n < W)
        for (int j = 0; j < W; j++)
            nan[j] = a[j] = x[j & (m - 1)];
    else
        for (int j = 0; j < W; j++)
            nan[j] = a[j] = IDEMPOTENT ? x[j] : 0;
    int64_t k = 0;
    for (; k + W <= n; k += W) {
        for (int j = 0; j < W; j += LINE / (int)sizeof(T))
            __builtin_prefetch((const void *)((uintptr_t)(x + k + j) + AHEAD), 0, 0);
        for (int j = 0; j < W; j++) {
            a[j] = (T)ORDERED(a[j], TERM(x[k + j], about[j]));
            nan[j] = IDEMPOTENT && IS_NAN(x[k + j]) ? x[k + j] : nan[j];
        }
    }
    for (int j = 0; IDEMPOTENT && j < W; j++)
        a[j] = IS_NAN(nan[j]) ? nan[j] : a[j];
    for (int j = 0; k < n; k++, j++)
        a[j] = (T)OP(a[j], TERM(x[k], about[j]));
    for (int j = 0; j < W; j++)
        y[j] = a[j];
}

/* the same over four streams `apart` numbers from each other; n is a multiple of W. Extremes
   compare one by one, which compiles to fewer instructions. */
static void NAME(NAME(WORD, four_streams), S)(T *restrict y, const T *x, int64_t apart,
                                              const T *about, int64_t n, int m)
{
    T a[W], nan[W];
    const T *b = x + apart, *c = b + apart, *d = c + apart;
    if (n > LEAF) {
        int64_t half = (n / 2 + LEAF - 1) / LEAF * LEAF;
        NAME(NAME(WORD, four_streams), S)(y, x, apart, about, half, m);
        NAME(NAME(WORD, four_streams), S)(a, x + half, apart, about, n - half, m);
        for (int j = 0; j < W; j++)
            y[j] = (T)OP(y[j], a[j]);
        return;
    }
    for (int j = 0; j < W; j++)
        nan[j] = a[j] = IDEMPOTENT ? x[j] : 0;
    for (int64_t k = 0; k < n; k += W) {
        for (int j = 0; !IDEMPOTENT && j < W; j++) {
            T p = (T)OP(TERM(x[k + j], about[j]), TERM(b[k + j], about[j]));
            T q = (T)OP(TERM(c[k + j], about[j]), TERM(d[k + j], about[j])), r = (T)OP(p, q);
            a[j] = (T)OP(a[j], r);
        }
        for (int i = 0; IDEMPOTENT && i < 4; i++)
            for (int j = 0; j < W; j++) {
                const T next = x[i * apart + k + j];
                a[j] = (T)ORDERED(a[j], next);
                nan[j] = IS_NAN(next) ? next : nan[j];
            }
    }
    for (int j = 0; j < W; j++)
        y[j] = IDEMPOTENT && IS_NAN(nan[j]) ? nan[j] : a[j];
}

static void NAME(NAME(WORD, run), S)(T *y, const T *x, const T *about, int64_t n, int m)
{
    T a[W], b[W], repeated[W];
    for (int j = 0; about && j < W; j++)
        repeated[j] = about[j & (m - 1)];
    const int64_t part = n * (int64_t)sizeof(T) < LONG ? 0 : n / (4 * W) * W, rest = n - 4 * part;
    if (part)
        NAME(NAME(WORD, four_streams), S)(a, x, part, repeated, part, m);
    if (rest)
        NAME(NAME(WORD, leaves), S)(part ? b : a, x + 4 * part, repeated, rest, m);
    for (int j = 0; part && rest && j < W; j++)
        a[j] = (T)OP(a[j], b[j]);
    AGNI_UNROLL
    for (int h = W / 2; h > 0; h /= 2)
        for (int j = 0; h >= m && j < h; j++)
            a[j] = (T)OP(a[j], a[j + h]);
    for (int j = 0; j < m; j++)
        y[j] = a[j];
}

/* as wide as T: what a vector of T says is a vector of these */
#define TRUTH __typeof__(_Generic((T)0, double: (int64_t)0, default: (int32_t)0))

/* n columns of four rows, and of y if it is begun; is there a NaN? */
static inline TRUTH NAME(NAME(WORD, four_rows), S)(T *restrict y, const T *a, int64_t ld, int64_t n,
                                                   bool begun)
{
    const T *b = a + ld, *c = b + ld, *d = c + ld;
    TRUTH nan = 0;
    for (int64_t j = 0; j < n; j++) {
        T p = (T)ORDERED(a[j], b[j]), q = (T)ORDERED(c[j], d[j]), r = (T)ORDERED(p, q);
        nan |= (IS_NAN(a[j]) | IS_NAN(b[j])) | (IS_NAN(c[j]) | IS_NAN(d[j]));
        y[j] = (T)(begun ? ORDERED(y[j], r) : r);
    }
    return nan;
}

/* Extremes of n >= 4 rows as if there were no NaN, in the order of rows below: the same bits, by
   one instruction a number. False where there is one: y is to be formed again. The next four rows
   are asked for meanwhile: each is a page of its own. */
static bool NAME(NAME(WORD, ordered_rows), S)(T *restrict y, const T *x, int64_t n, int64_t ld,
                                              int64_t m)
{
    TRUTH nan = 0;
    int64_t i = 0;
    for (; i + 4 <= n; i += 4) {
        const T *a = x + i * ld;
        int64_t j = 0;
        for (; j + W <= m; j += W) {
            for (int k = 0; k < 4; k++)
                for (int l = 0; l < W; l += LINE / (int)sizeof(T))
                    __builtin_prefetch((const void *)((uintptr_t)(a + j + l) +
                                                      (uintptr_t)((4 + k) * ld) * sizeof(T)), 0, 3);
            nan |= NAME(NAME(WORD, four_rows), S)(y + j, a + j, ld, W, i > 0);
        }
        nan |= NAME(NAME(WORD, four_rows), S)(y + j, a + j, ld, m - j, i > 0);
    }
    for (; i < n; i++) {
        const T *a = x + i * ld;
        for (int64_t j = 0; j < m; j++) {
            nan |= IS_NAN(a[j]);
            y[j] = (T)ORDERED(y[j], a[j]);
        }
    }
    return !nan;
}
#undef TRUTH

/* n rows of m, reduced pairwise; tmp has a row for each halving */
static void NAME(NAME(WORD, rows), S)(T *restrict y, const T *x, const T *about, int64_t n,
                                      int64_t ld, int64_t m, T *restrict tmp)
{
    if (n > ROWS) {
        int64_t half = (n / 2 + ROWS - 1) / ROWS * ROWS;
        NAME(NAME(WORD, rows), S)(y, x, about, half, ld, m, tmp);
        NAME(NAME(WORD, rows), S)(tmp, x + half * ld, about, n - half, ld, m, tmp + m);
        for (int64_t j = 0; j < m; j++)
            y[j] = (T)OP(y[j], tmp[j]);
        return;
    }
    int64_t i = 0;
    if (IDEMPOTENT && n >= 4 && NAME(NAME(WORD, ordered_rows), S)(y, x, n, ld, m))
        return;
    if (n < 4) {
        for (int64_t j = 0; j < m; j++)
            y[j] = FIRST(TERM(x[j], about[j]), n);
        i = 1;
    } else {
        const T *a = x, *b = x + ld, *c = b + ld, *d = c + ld;
        for (int64_t j = 0; j < m; j++) {
            T p = (T)OP(TERM(a[j], about[j]), TERM(b[j], about[j]));
            T q = (T)OP(TERM(c[j], about[j]), TERM(d[j], about[j]));
            y[j] = FIRST((T)OP(p, q), n);
        }
        i = 4;
    }
    for (; i + 4 <= n; i += 4) {
        const T *a = x + i * ld, *b = a + ld, *c = b + ld, *d = c + ld;
        for (int64_t j = 0; j < m; j++) {
            T p = (T)OP(TERM(a[j], about[j]), TERM(b[j], about[j]));
            T q = (T)OP(TERM(c[j], about[j]), TERM(d[j], about[j])), r = (T)OP(p, q);
            y[j] = (T)OP(y[j], r);
        }
    }
    for (; i < n; i++) {
        const T *a = x + i * ld;
        for (int64_t j = 0; j < m; j++)
            y[j] = (T)OP(y[j], TERM(a[j], about[j]));
    }
}

static void NAME(WORD, S)(void *yv, int64_t yld, const void *xv, int64_t xld, const void *cv,
                          int64_t cld, int64_t many, int64_t n, int64_t ld, int64_t m)
{
    T *y = yv;
    const T *x = xv, *about = cv;
    for (int64_t i = 0; i < many; i++, y += yld, x += xld, about = about ? about + cld : NULL) {
        if (m == 1 && n < 8) {
            T a = FIRST(TERM(x[0], about[0]), n);
            for (int64_t k = 1; k < n; k++)
                a = (T)OP(a, TERM(x[k * ld], about[0]));
            y[0] = a;
        } else if (W % m == 0 && ld == m) {
            NAME(NAME(WORD, run), S)(y, x, about, n * m, (int)m);
        } else {
            /* a tile of AGNI_REDUCE_BLOCK numbers is halved log2(n / ROWS) times */
            T tmp[4 * AGNI_REDUCE_WIDE];
            NAME(NAME(WORD, rows), S)(y, x, about, n, ld, m, tmp);
        }
    }
}
#undef FIRST
#undef T
#undef S
