/* Quicksort of one type: ABOVE, a mask; LOWER and UPPER of two; SPREAD, a number in all lanes; LAST,
   which nothing exceeds; MASK, a bit for each lane, and PLACES, the table for it. Undefines them, T
   and S. */

/* R vectors of which `swap` lanes each hold a column in order: 2 swap lanes do then. s: the
   halves of 32 bits that make `swap` lanes; w: those of a lane. */
AGNI_INLINE void NAME(merge, S)(__m256i *v, const int R, const int s, const int w)
{
    AGNI_UNROLL
    for (int r = 0; r < R / 2; r++) { /* one turned round: the lower ones to one side */
        __m256i a = v[r], b = v[R - 1 - r];
        __m256i pa = swapped(a, 2 * s - w), pb = swapped(b, 2 * s - w);
        v[r] = mixed(LOWER(a, pb), UPPER(a, pb), s);
        v[R - 1 - r] = mixed(LOWER(b, pa), UPPER(b, pa), s);
    }
    AGNI_UNROLL
    for (int t = s / 2; t >= w; t /= 2) {
        AGNI_UNROLL
        for (int r = 0; r < R; r++) {
            __m256i p = swapped(v[r], t);
            v[r] = mixed(LOWER(v[r], p), UPPER(v[r], p), t);
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
/* lanes s of 32 bits apart change places with vectors as far apart */
AGNI_INLINE void NAME(turn_by, S)(__m256i *v, const int rows, const int s, const int w)
{
    const int far = s / w;
    AGNI_UNROLL
    for (int k = 0; k < rows / 2; k++) {
        const int i = 2 * k - k % far; /* without the bit that far is */
        __m256i a = v[i], b = v[i + far];
        v[i] = mixed(a, swapped(b, s), s);
        v[i + far] = mixed(swapped(a, s), b, s);
    }
}
/* in each square of rows lane i of the j-th becomes lane j of the i-th */
AGNI_INLINE void NAME(turn, S)(__m256i *v, const int rows, const int w)
{
    NAME(turn_by, S)(v, rows, 4, w);
    NAME(turn_by, S)(v, rows, 2, w);
    if (w == 1)
        NAME(turn_by, S)(v, rows, 1, w);
}

/* n <= rows vectors of them: columns are sorted, then merged; all: of rows and lanes the more */
AGNI_INLINE void NAME(network, S)(T *x, int64_t n, const int rows, const int all)
{
    enum { LANES_ = 32 / sizeof(T), W = sizeof(T) / 4 };
    _Alignas(32) T t[17 * LANES_];
    __m256i v[16];
    int64_t whole = n / LANES_;
    for (int r = 0; r < rows; r++)
        if (r < whole)
            store(t + r * LANES_, load(x + r * LANES_));
        else
            for (int64_t k = r * LANES_; k < (r + 1) * LANES_; k++)
                t[k] = k < n ? x[k] : LAST;
    AGNI_UNROLL
    for (int r = 0; r < rows; r++)
        v[r] = load(t + r * LANES_);
    if (rows == 4) {
        NET4(EXCHANGE)
    } else if (rows == 8) {
        NET8(EXCHANGE)
    } else {
        NET16(EXCHANGE)
    }
    AGNI_UNROLL
    for (int s = W; s < 8; s *= 2)
        NAME(merge, S)(v, rows, s, W);
    /* columns lie one behind the other; where one is half a vector the next overwrites the rest */
    AGNI_UNROLL
    for (int r = rows; r < all; r++)
        v[r] = v[0];
    NAME(turn, S)(v, all, W);
    AGNI_UNROLL
    for (int r = 0; r < all; r++)
        store(t + r % LANES_ * rows + r / LANES_ * LANES_, v[r]);
    int64_t k = 0;
    for (; k + LANES_ <= n; k += LANES_)
        store(x + k, load(t + k));
    for (; k < n; k++)
        x[k] = t[k];
}

static void NAME(few, S)(T *x, int64_t n)
{
    enum { LANES_ = 32 / sizeof(T) };
    if (n <= 4 * LANES_)
        NAME(network, S)(x, n, 4, LANES_);
    else if (n <= 8 * LANES_)
        NAME(network, S)(x, n, 8, 8);
    else
        NAME(network, S)(x, n, 16, 16);
}

/* `many` vectors from v on: what is above the pivot below *high, the rest from *low on */
AGNI_INLINE void NAME(deal, S)(const T *v, T **low, T **high, __m256i p, const bool with,
                               const int many)
{
    enum { LANES_ = 32 / sizeof(T) };
    __m256i x[4];
    int64_t up[4];
    AGNI_UNROLL
    for (int i = 0; i < many; i++) {
        x[i] = load(v + i * LANES_);
        unsigned m = MASK(with ? ABOVE(p, x[i]) : ABOVE(x[i], p));
        m = with ? m ^ ((1u << LANES_) - 1) : m;
        x[i] = parted(x[i], PLACES[m]);
        up[i] = __builtin_popcount(m);
    }
    AGNI_UNROLL
    for (int i = 0; i < many; i++) {
        store(*low, x[i]);
        store(*high - LANES_, x[i]);
        *low += LANES_ - up[i];
        *high -= up[i];
    }
}

/* What is above the pivot goes behind the rest (or what is not below it, if `with`); where. */
AGNI_INLINE int64_t NAME(part, S)(T *v, T *tmp, int64_t n, T pivot, const bool with)
{
    enum { LANES_ = 32 / sizeof(T) };
    __m256i p = SPREAD(pivot);
    T *low = v, *end = tmp + n, *high = end; /* grows downwards */
    int64_t k = 0;
    for (; k + 4 * LANES_ <= n; k += 4 * LANES_)
        NAME(deal, S)(v + k, &low, &high, p, with, 4);
    for (; k + LANES_ <= n; k += LANES_)
        NAME(deal, S)(v + k, &low, &high, p, with, 1);
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

/* the middle of numbers from all over the array */
static T NAME(pivot, S)(const T *v, int64_t n)
{
    enum { MANY = 32 / sizeof(T) * 8 };
    T t[MANY];
    int many = n < 1 << 13 ? MANY / 4 : MANY;
    uint64_t seed = (uint64_t)n;
    for (int i = 0; i < many; i++)
        t[i] = v[drawn(&seed, n)];
    NAME(few, S)(t, many);
    return t[many / 2 - 1];
}

static void NAME(split, S)(void *vv, void *tmp, int64_t n, int64_t end[2])
{
    T *v = vv, pivot = NAME(pivot, S)(v, n);
    end[0] = end[1] = NAME(part, S)(v, tmp, n, pivot, false);
    if (end[0] == n) /* nothing is above the pivot */
        end[0] = NAME(part, S)(v, tmp, n, pivot, true);
}

/* the longer part last, so that calls are no deeper than log2(n) */
static void NAME(quick, S)(void *vv, void *tmp, int64_t n)
{
    enum { FEW = 32 / sizeof(T) * 16 };
    T *v = vv;
    while (n > FEW) {
        int64_t end[2];
        NAME(split, S)(v, tmp, n, end);
        if (end[0] < n - end[1]) {
            NAME(quick, S)(v, tmp, end[0]);
            v += end[1];
            n -= end[1];
        } else {
            NAME(quick, S)(v + end[1], tmp, n - end[1]);
            n = end[0];
        }
    }
    NAME(few, S)(v, n);
}
#undef EXCHANGE
#undef T
#undef S
#undef MASK
#undef PLACES
#undef LAST
#undef ABOVE
#undef LOWER
#undef UPPER
#undef SPREAD
