/* tensor/order/cpu/quicksort_body.h - vectorised quicksort of one type. ABOVE: a comparison
   mask; LOWER and UPPER: minimum and maximum; SPREAD: a number in all lanes; LAST: the largest
   number; MASK: a bit for each lane, and PERMUTATIONS, the table for it. Undefines them, T and
   S. No guard. */

/* Bitonic merge: columns of R vectors that are sorted over s / w lanes each become sorted over
   twice as many. s, w: 32-bit lanes of a sorted group, of one number. */
AGNI_INLINE void NAME(merge_columns, S)(__m256i *v, const int R, const int s, const int w)
{
    AGNI_UNROLL
    for (int r = 0; r < R / 2; r++) { /* one reversed: the lower ones to one side */
        __m256i a = v[r], b = v[R - 1 - r];
        __m256i pa = swap_lanes(a, 2 * s - w), pb = swap_lanes(b, 2 * s - w);
        v[r] = blend_lanes(LOWER(a, pb), UPPER(a, pb), s);
        v[R - 1 - r] = blend_lanes(LOWER(b, pa), UPPER(b, pa), s);
    }
    AGNI_UNROLL
    for (int t = s / 2; t >= w; t /= 2) {
        AGNI_UNROLL
        for (int r = 0; r < R; r++) {
            __m256i p = swap_lanes(v[r], t);
            v[r] = blend_lanes(LOWER(v[r], p), UPPER(v[r], p), t);
        }
    }
    AGNI_UNROLL
    for (int h = R / 2; h > 0; h /= 2) {
        AGNI_UNROLL
        for (int r = 0; r < R; r++)
            if (!(r & h)) {
                __m256i lo = LOWER(v[r], v[r + h]), hi = UPPER(v[r], v[r + h]);
                v[r] = lo;
                v[r + h] = hi;
            }
    }
}

#define EXCHANGE(i, j) \
    { \
        __m256i lo = LOWER(v[i], v[j]), hi = UPPER(v[i], v[j]); \
        v[i] = lo; \
        v[j] = hi; \
    }
/* exchanges lanes s 32-bit lanes apart with vectors s / w apart: one step of a transpose */
AGNI_INLINE void NAME(exchange_lanes, S)(__m256i *v, const int rows, const int s, const int w)
{
    const int far = s / w;
    AGNI_UNROLL
    for (int k = 0; k < rows / 2; k++) {
        const int i = 2 * k - k % far; /* the indices whose bit `far` is not set */
        __m256i a = v[i], b = v[i + far];
        v[i] = blend_lanes(a, swap_lanes(b, s), s);
        v[i + far] = blend_lanes(swap_lanes(a, s), b, s);
    }
}
/* transposes each square of rows and lanes */
AGNI_INLINE void NAME(transpose_squares, S)(__m256i *v, const int rows, const int w)
{
    NAME(exchange_lanes, S)(v, rows, 4, w);
    NAME(exchange_lanes, S)(v, rows, 2, w);
    if (w == 1)
        NAME(exchange_lanes, S)(v, rows, 1, w);
}

/* sorts n numbers in at most `rows` vectors: columns by a sorting network, then bitonic merges;
   all: the larger of rows and lanes */
AGNI_INLINE void NAME(sort_network, S)(T *x, int64_t n, const int rows, const int all)
{
    enum { LANES_ = 32 / sizeof(T), W = sizeof(T) / 4 };
    _Alignas(32) T t[17 * LANES_];
    __m256i v[16];
    int64_t whole = n / LANES_;
    for (int r = 0; r < rows; r++)
        if (r < whole)
            store_vector(t + r * LANES_, load_vector(x + r * LANES_));
        else
            for (int64_t k = r * LANES_; k < (r + 1) * LANES_; k++)
                t[k] = k < n ? x[k] : LAST;
    AGNI_UNROLL
    for (int r = 0; r < rows; r++)
        v[r] = load_vector(t + r * LANES_);
    if (rows == 4) {
        NET4(EXCHANGE)
    } else if (rows == 8) {
        NET8(EXCHANGE)
    } else {
        NET16(EXCHANGE)
    }
    AGNI_UNROLL
    for (int s = W; s < 8; s *= 2)
        NAME(merge_columns, S)(v, rows, s, W);
    /* columns are stored in order; where one is half a vector the next overwrites the rest */
    AGNI_UNROLL
    for (int r = rows; r < all; r++)
        v[r] = v[0];
    NAME(transpose_squares, S)(v, all, W);
    AGNI_UNROLL
    for (int r = 0; r < all; r++)
        store_vector(t + r % LANES_ * rows + r / LANES_ * LANES_, v[r]);
    int64_t k = 0;
    for (; k + LANES_ <= n; k += LANES_)
        store_vector(x + k, load_vector(t + k));
    for (; k < n; k++)
        x[k] = t[k];
}

static void NAME(sort_few, S)(T *x, int64_t n)
{
    enum { LANES_ = 32 / sizeof(T) };
    if (n <= 4 * LANES_)
        NAME(sort_network, S)(x, n, 4, LANES_);
    else if (n <= 8 * LANES_)
        NAME(sort_network, S)(x, n, 8, 8);
    else
        NAME(sort_network, S)(x, n, 16, 16);
}

/* partitions `many` vectors from v on: numbers above the pivot to below *high, the rest to *low */
AGNI_INLINE void NAME(partition_vectors, S)(const T *v, T **low, T **high, __m256i p,
                                            const bool with, const int many)
{
    enum { LANES_ = 32 / sizeof(T) };
    __m256i x[4];
    int64_t up[4];
    AGNI_UNROLL
    for (int i = 0; i < many; i++) {
        x[i] = load_vector(v + i * LANES_);
        unsigned m = MASK(with ? ABOVE(p, x[i]) : ABOVE(x[i], p));
        m = with ? m ^ ((1u << LANES_) - 1) : m;
        x[i] = permute_lanes(x[i], PERMUTATIONS[m]);
        up[i] = __builtin_popcount(m);
    }
    AGNI_UNROLL
    for (int i = 0; i < many; i++) {
        store_vector(*low, x[i]);
        store_vector(*high - LANES_, x[i]);
        *low += LANES_ - up[i];
        *high -= up[i];
    }
}

/* Moves numbers above the pivot (with: not below it) behind the rest; returns the first index of
   them. */
AGNI_INLINE int64_t NAME(partition, S)(T *v, T *tmp, int64_t n, T pivot, const bool with)
{
    enum { LANES_ = 32 / sizeof(T) };
    __m256i p = SPREAD(pivot);
    T *low = v, *end = tmp + n, *high = end; /* grows downwards */
    int64_t k = 0;
    for (; k + 4 * LANES_ <= n; k += 4 * LANES_)
        NAME(partition_vectors, S)(v + k, &low, &high, p, with, 4);
    for (; k + LANES_ <= n; k += LANES_)
        NAME(partition_vectors, S)(v + k, &low, &high, p, with, 1);
    for (; k < n; k++) {
        T x = v[k];
        bool up = with ? !(x < pivot) : x > pivot;
        *low = x;
        high[-1] = x;
        low += !up;
        high -= up;
    }
    memcpy(low, high, (size_t)(end - high) * sizeof(T));
    return low - v;
}

/* the median of a random sample */
static T NAME(choose_pivot, S)(const T *v, int64_t n)
{
    enum { MANY = 32 / sizeof(T) * 8 };
    T t[MANY];
    int many = n < 1 << 13 ? MANY / 4 : MANY;
    uint64_t seed = (uint64_t)n;
    for (int i = 0; i < many; i++)
        t[i] = v[draw_index(&seed, n)];
    NAME(sort_few, S)(t, many);
    return t[many / 2 - 1];
}

static void NAME(split_by_pivot, S)(void *vv, void *tmp, int64_t n, int64_t end[2])
{
    T *v = vv, pivot = NAME(choose_pivot, S)(v, n);
    end[0] = end[1] = NAME(partition, S)(v, tmp, n, pivot, false);
    if (end[0] == n) /* no number is above the pivot */
        end[0] = NAME(partition, S)(v, tmp, n, pivot, true);
}

/* the longer part by iteration, so that the recursion is no deeper than log2(n) */
static void NAME(quicksort, S)(void *vv, void *tmp, int64_t n)
{
    enum { FEW = 32 / sizeof(T) * 16 };
    T *v = vv;
    while (n > FEW) {
        int64_t end[2];
        NAME(split_by_pivot, S)(v, tmp, n, end);
        if (end[0] < n - end[1]) {
            NAME(quicksort, S)(v, tmp, end[0]);
            v += end[1];
            n -= end[1];
        } else {
            NAME(quicksort, S)(v + end[1], tmp, n - end[1]);
            n = end[0];
        }
    }
    NAME(sort_few, S)(v, n);
}
#undef EXCHANGE
#undef T
#undef S
#undef MASK
#undef PERMUTATIONS
#undef LAST
#undef ABOVE
#undef LOWER
#undef UPPER
#undef SPREAD
