/* tensor/order/radix_sort_body.h - MSD radix sort of one item type: ITEM, KEY(item), an unsigned
   number; FN names it. No guard. */

/* sorts `from` into `to`, which may be the same */
static void FN(insertion_sort)(const ITEM *from, ITEM *to, int64_t n)
{
    for (int64_t k = 0; k < n; k++) {
        ITEM x = from[k];
        int64_t j = k;
        for (; j > 0 && KEY(to[j - 1]) > KEY(x); j--)
            to[j] = to[j - 1];
        to[j] = x;
    }
}

static void FN(sort_by_digit)(ITEM *from, ITEM *to, int64_t n, int64_t lo, int64_t hi, bool in_to);

/* the buckets of one digit, distributed over threads by their sizes */
typedef struct FN(shares) {
    ITEM *from, *to;
    const int64_t *end;
    int64_t n, buckets, lo, hi;
    bool in_to;
} FN(shares);

static void FN(buckets)(const FN(shares) *q, int64_t first, int64_t last)
{
    for (int64_t b = first; b < last; b++) {
        int64_t at = b ? q->end[b - 1] : 0, n = q->end[b] - at;
        if (n == 0 || at >= q->hi || at + n <= q->lo)
            continue;
        if (q->n > MANY && b % ASK == 0 && agni_cancel_point())
            return; /* both arrays hold items of from, though some twice */
        if (n <= FEW)
            FN(insertion_sort)(q->to + at, q->in_to ? q->to + at : q->from + at, n);
        else
            FN(sort_by_digit)(q->to + at, q->from + at, n, q->lo - at, q->hi - at, !q->in_to);
    }
}

/* the first bucket that ends beyond an index */
static int64_t FN(find_bucket)(const FN(shares) * q, int64_t index)
{
    int64_t lo = 0, hi = q->buckets;
    while (lo < hi) {
        int64_t mid = (lo + hi) / 2;
        if (q->end[mid] > index)
            hi = mid;
        else
            lo = mid + 1;
    }
    return lo;
}

static void FN(sort_share)(void *user, int64_t i, int worker)
{
    const FN(shares) *q = user;
    (void)worker;
    int64_t first = i ? FN(find_bucket)(q, q->n / SHARES * i) : 0;
    int64_t last = i + 1 < SHARES ? FN(find_bucket)(q, q->n / SHARES * (i + 1)) : q->buckets;
    FN(buckets)(q, first, last);
}

/* sorts from[n] into to, or back into from, using the other */
static void FN(sort_by_digit)(ITEM *from, ITEM *to, int64_t n, int64_t lo, int64_t hi, bool in_to)
{
    if (n <= FEW) {
        FN(insertion_sort)(from, in_to ? to : from, n);
        return;
    }
    uint64_t differ = 0, key = KEY(from[0]);
    int64_t falls = 0;
    for (int64_t k = 1; k < n; k++) {
        differ |= KEY(from[k]) ^ key;
        falls += KEY(from[k]) < KEY(from[k - 1]);
    }
    if (!falls) {
        if (in_to)
            memcpy(to, from, (size_t)n * sizeof *to);
        return;
    }
    int64_t few[1 << DIGIT], *count = few, *held = NULL;
    int top = 64 - __builtin_clzll(differ), bits = digit_bits(n, top);
    if (bits > DIGIT && (held = agni_alloc(sizeof *held << bits)))
        count = held;
    else if (bits > DIGIT)
        bits = DIGIT;
    int shift = top - bits;
    uint64_t mask = ((uint64_t)1 << bits) - 1;
    int64_t buckets = (int64_t)1 << bits;
    memset(count, 0, (size_t)buckets * sizeof *count);
    for (int64_t k = 0; k < n; k++)
        count[KEY(from[k]) >> shift & mask]++;
    int64_t sum = 0;
    for (int64_t b = 0; b < buckets; b++) {
        int64_t c = count[b];
        count[b] = sum;
        sum += c;
    }
    if (lo <= 0 && hi >= n) {
        for (int64_t k = 0; k < n; k++)
            to[count[KEY(from[k]) >> shift & mask]++] = from[k];
    } else {
        /* only the buckets that meet the window, which are adjacent, are moved */
        int64_t first = 0, last = buckets - 1;
        while (first + 1 < buckets && count[first + 1] <= lo)
            first++;
        while (last > first && count[last] >= hi)
            last--;
        int64_t start = count[first];
        for (int64_t k = 0; k < n; k++) {
            int64_t b = (int64_t)(KEY(from[k]) >> shift & mask);
            if (b >= first && b <= last)
                to[count[b]++] = from[k];
        }
        for (int64_t b = 0; b < first; b++)
            count[b] = start;
        for (int64_t b = last + 1; b < buckets; b++)
            count[b] = count[last];
    }
    FN(shares) q = {from, to, count, n, buckets, lo, hi, in_to};
    if (n > MANY)
        agni_parallel_for(SHARES, FN(sort_share), &q);
    else
        FN(buckets)(&q, 0, buckets);
    agni_free(held);
}

void FN(agni_radix_msd)(ITEM *v, ITEM *tmp, int64_t n, int64_t lo, int64_t hi)
{
    FN(sort_by_digit)(v, tmp, n, lo, hi, false);
}
