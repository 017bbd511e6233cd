/* linalg/cpu/lanes/ldl_body.h - columns of a = l d l^T by bounded Bunch & Kaufman pivoting
   (Ashcraft, Grimes & Lewis 1998), looking left within a panel (sytrf_rk), for the element type
   bound by real.h. Rows of the upper triangle of a lie `lead` apart, a multiple of LANES with zeros
   behind them; what lies before the diagonal is room, which whole vectors may write. */

typedef struct FN(ldl) {
    REAL *s, *w; /* the matrix; columns of -l d of this panel */
    int64_t lead, n, from;
} FN(ldl);

enum { FN(LDL_WIDEST) = 128, FN(LDL_PARTS) = 4 }; /* columns; vectors of one at a time */

/* y less l d l^T, vectors of some rows, of an even number of columns: two sums at a time, since one
   waits for the one before it */
AGNI_INLINE void FN(ldl_update)(REAL *y, const REAL *l, int64_t lead, int64_t count, const REAL *by,
                                const int parts)
{
    VEC even[FN(LDL_PARTS)], odd[FN(LDL_PARTS)];
    AGNI_UNROLL
    for (int h = 0; h < parts; h++) {
        even[h] = LOAD(y + h * LANES);
        odd[h] = SPLAT(0);
    }
    for (int64_t p = 0; p < count; p += 2, l += 2 * lead) {
        const VEC one = SPLAT(by[p]), two = SPLAT(by[p + 1]);
        AGNI_UNROLL
        for (int h = 0; h < parts; h++) {
            even[h] = FMA(LOAD(l + h * LANES), one, even[h]);
            odd[h] = FMA(LOAD(l + lead + h * LANES), two, odd[h]);
        }
    }
    AGNI_UNROLL
    for (int h = 0; h < parts; h++)
        STORE(y + h * LANES, even[h] + odd[h]);
}

/* column r less the k - from columns of this panel, from entry k on, to y */
static void FN(ldl_column)(const FN(ldl) *q, int64_t k, int64_t r, REAL *y)
{
    const int64_t lead = q->lead, count = k - q->from, pairs = count / 2 * 2;
    const REAL *s = q->s, *l = s + q->from * lead;
    REAL by[FN(LDL_WIDEST)];
    for (int64_t p = 0; p < count; p++)
        by[p] = q->w[p * lead + r];
    for (int64_t i = k; i < r; i++)
        y[i] = s[i * lead + r];
    memcpy(y + r, s + r * lead + r, (size_t)(lead - r) * sizeof *y);
    int64_t i = k / LANES * LANES;
    if (pairs < count) {
        const VEC last = SPLAT(by[pairs]);
        for (int64_t j = i; j < lead; j += LANES)
            STORE(y + j, FMA(LOAD(l + pairs * lead + j), last, LOAD(y + j)));
    }
    for (; i + 4 * LANES <= lead; i += 4 * LANES)
        FN(ldl_update)(y + i, l + i, lead, pairs, by, 4);
    if (i + 2 * LANES <= lead) {
        FN(ldl_update)(y + i, l + i, lead, pairs, by, 2);
        i += 2 * LANES;
    }
    if (i < lead)
        FN(ldl_update)(y + i, l + i, lead, pairs, by, 1);
}

#undef LARGER_STAGE
#undef NO_LANE
#undef A_LANE
#define NO_LANE(l, n, s) 0
#define A_LANE(l, n, s) -1
#define LARGER_STAGE(t, n, s) \
    v = FN(agni_least)(v, __builtin_shufflevector(v, v, AGNI_LANES_##n(PARTNER, 0, n, s)));
/* the largest of all lanes, in each */
AGNI_INLINE VEC FN(ldl_largest_lane)(VEC v)
{
#ifdef AGNI_REAL_F64
    AGNI_STAGES_F64(LARGER_STAGE)
#else
    AGNI_STAGES_F32(LARGER_STAGE)
#endif
    return v;
}

/* the largest magnitude from entry k on, and where it is first; NaN does not count */
static REAL FN(ldl_largest)(const FN(ldl) *q, const REAL *y, int64_t k, int64_t *at)
{
    const int64_t start = k / LANES * LANES;
    static const SINT first[] = {EVERY(NO_LANE, 0), EVERY(A_LANE, 0)};
    IVEC from;
    memcpy(&from, first + LANES - (k - start), sizeof from);
    const VEC head = SELECT(from, ABS(LOAD(y + start)), SPLAT(0)); /* before k there is anything */
    VEC even = FN(agni_least)(head, SPLAT(0)), odd = SPLAT(0);
    int64_t i = start + LANES;
    for (; i + 2 * LANES <= q->lead; i += 2 * LANES) {
        even = FN(agni_least)(ABS(LOAD(y + i)), even);
        odd = FN(agni_least)(ABS(LOAD(y + i + LANES)), odd);
    }
    if (i < q->lead)
        even = FN(agni_least)(ABS(LOAD(y + i)), even);
    const VEC top = FN(ldl_largest_lane)(FN(agni_least)(even, odd));
    for (i = start + LANES; !ANY(head == top) && i < q->lead && !ANY(ABS(LOAD(y + i)) == top);)
        i += LANES;
    i = ANY(head == top) ? k : i;
    while (i < q->n - 1 && y[i] != top[0] && y[i] != -top[0])
        i++;
    *at = i;
    return top[0];
}

AGNI_INLINE void FN(ldl_swap)(REAL *x, int64_t lead, int64_t count, int64_t a, int64_t b)
{
    for (int64_t p = 0; p < count; p++, x += lead) {
        const REAL was = x[a];
        x[a] = x[b];
        x[b] = was;
    }
}

/* rows and columns a < b change places; column a is in w alone from now on, as are `count` of w */
static void FN(ldl_interchange)(const FN(ldl) *q, int64_t a, int64_t b, int64_t done, int64_t count)
{
    const int64_t lead = q->lead;
    REAL *s = q->s;
    if (a == b)
        return;
    for (int64_t j = a + 1; j < b; j++)
        s[j * lead + b] = s[a * lead + j];
    s[b * lead + b] = s[a * lead + a];
    memcpy(s + b * lead + b + 1, s + a * lead + b + 1, (size_t)(q->n - b - 1) * sizeof *s);
    FN(ldl_swap)(s + q->from * lead, lead, done, a, b);
    FN(ldl_swap)(q->w, lead, count, a, b);
}

/* what makes reciprocals of pivots near the end of the range finite */
AGNI_INLINE REAL FN(ldl_lift)(REAL pivot)
{
    const REAL size = pivot < 0 ? -pivot : pivot;
    return size < PICK(0x1p-900, 0x1p-100) ? PICK(0x1p200, 0x1p60) : 1;
}

/* l of one pivot or of a block of two, and -w of w */
static void FN(ldl_divide)(const FN(ldl) *q, int64_t k, REAL *w, REAL pivot)
{
    REAL *l = q->s + k * q->lead;
    const REAL up = FN(ldl_lift)(pivot), over = pivot == 0 ? 0 : 1 / (pivot * up);
    const VEC lift = SPLAT(up), by = SPLAT(over);
    for (int64_t i = k / LANES * LANES; i < q->lead; i += LANES) {
        const VEC x = LOAD(w + i);
        STORE(l + i, x * lift * by);
        STORE(w + i, -x);
    }
}
static void FN(ldl_divide_two)(const FN(ldl) *q, int64_t k, REAL *w)
{
    const int64_t lead = q->lead;
    REAL *l = q->s + k * lead;
    const REAL off = w[k + 1], first = w[lead + k + 1] / off, second = w[k] / off,
               up = FN(ldl_lift)(off), over = 1 / (first * second - 1) / (off * up);
    const VEC by = SPLAT(over), lift = SPLAT(up), d11 = SPLAT(first), d22 = SPLAT(second);
    for (int64_t i = k / LANES * LANES; i < lead; i += LANES) {
        const VEC x = LOAD(w + i), y = LOAD(w + lead + i);
        STORE(l + i, FMA(d11, x, -y) * lift * by);
        STORE(l + lead + i, FMA(d22, y, -x) * lift * by);
        STORE(w + i, -x);
        STORE(w + lead + i, -y);
    }
    l[k + 1] = 0;
}

/* w holds column k: 1 or 2 columns of a pivot in w, and the rows that come to k and k + 1 in to */
static int FN(ldl_choose)(const FN(ldl) *q, int64_t k, REAL *w, int64_t *to)
{
    const REAL alpha = (REAL)0.64038820320220757; /* (1 + sqrt 17) / 8 */
    int64_t at, next = k;
    REAL most = FN(ldl_largest)(q, w, k, &at);
    to[0] = to[1] = k;
    if (at == k || !((w[k] < 0 ? -w[k] : w[k]) < alpha * most))
        return 1;
    for (int64_t p = k;; p = at, at = next) {
        REAL *two = w + q->lead;
        FN(ldl_column)(q, k, at, two);
        const REAL top = FN(ldl_largest)(q, two, k, &next),
                   size = two[at] < 0 ? -two[at] : two[at];
        const bool one = next == at || !(size < alpha * top);
        to[0] = one ? at : p;
        to[1] = at;
        if (!one && (next == p || next == k || top <= most)) /* k: larger by rounding alone */
            return 2;
        memcpy(w + k, two + k, (size_t)(q->lead - k) * sizeof *w);
        most = top;
        if (one)
            return 1;
    }
}

static int64_t FN(ldl_panel)(void *matrix, int64_t lead, int64_t n, int64_t from, int64_t width,
                             void *room, void *diagonal, void *below, int32_t *piv)
{
    const FN(ldl) q = {.s = matrix, .w = room, .lead = lead, .n = n, .from = from};
    REAL *d = diagonal, *e = below;
    const int64_t end = n - from < width ? n : from + width;
    int64_t k = from;
    while (k < end && (k < end - 1 || end == n)) {
        const int64_t done = k - from;
        REAL *w = q.w + done * lead;
        int64_t to[2];
        FN(ldl_column)(&q, k, k, w);
        const int step = FN(ldl_choose)(&q, k, w, to);
        for (int h = 0; h < step; h++) {
            FN(ldl_interchange)(&q, k + h, to[h], done, done + step);
            piv[k + h] = (int32_t)to[h];
            d[k + h] = w[h * lead + k + h];
            e[k + h] = 0;
        }
        if (step == 2)
            e[k] = w[k + 1];
        if (step == 2)
            FN(ldl_divide_two)(&q, k, w);
        else
            FN(ldl_divide)(&q, k, w, d[k]);
        k += step;
    }
    return k - from;
}

/* columns from .. from + count of l, whose row r is entry order[r] of them */
static void FN(ldl_rows)(const void *matrix, int64_t lead, int64_t n, int64_t from, int64_t count,
                         const int32_t *order, void *out)
{
    const REAL *s = (const REAL *)matrix + from * lead;
    for (int64_t r = from; r < n; r++) {
        REAL *to = (REAL *)out + r * n + from;
        const REAL *x = s + order[r];
        const int64_t known = r - from < count ? r - from : count;
        for (int64_t c = 0; c < known; c++)
            to[c] = x[c * lead];
    }
}
