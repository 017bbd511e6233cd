/* linalg/cpu/stedc_body.h - divide and conquer of symmetric tridiagonal matrices (Cuppen 1981; Dongarra
   & Sorensen 1987; Gu & Eisenstat 1995) of T; GEMM, ROT, COPY and STEQR of BLAS and LAPACK. No
   guard. */

/* what a merge has in hand: columns of q by their place among the n of a block */
typedef struct FN(merge) {
    const agni_vlanes *v;
    int64_t lead; /* of q */
    T *d, *e, *q; /* of all */
    T *z, *pole, *weight, *square, *distance, *packed, *s;
    int32_t *order, *sorted, *kind, *kept, *place, *origin;
} FN(merge);

/* two ascending lists of columns, [0, a) and [a, n) of `from`, to one */
static void FN(merge_orders)(const T *d, const int32_t *from, int64_t a, int64_t n, int32_t *to)
{
    int64_t i = 0, j = a;
    for (int64_t k = 0; k < n; k++)
        to[k] = from[j == n || (i < a && d[from[i]] <= d[from[j]]) ? i++ : j++];
}

/* Which columns stay as they are: those of no weight, and one of two whose values are as good as
   equal, after a turn that takes its weight. kept [count] ascending, the others behind, in any
   order; kinds say which half of a column is not 0. */
static int64_t FN(deflate)(FN(merge) *w, T *d, T *q, int64_t n, T rho, T most)
{
    const T tol = 8 * HALF_EPS * most;
    int64_t count = 0, last = n;
    int32_t open = -1;
    for (int64_t p = 0; p < n; p++) {
        const int32_t j = w->sorted[p];
        if (rho * ABSOLUTE(w->z[j]) <= tol) {
            w->kept[--last] = j;
            continue;
        }
        if (open < 0) {
            open = j;
            continue;
        }
        const T size = HYPOT(w->z[j], w->z[open]), c = w->z[j] / size, s = -w->z[open] / size;
        if (ABSOLUTE((d[j] - d[open]) * c * s) > tol) {
            w->kept[count++] = open;
            open = j;
            continue;
        }
        const T x = d[open], y = d[j];
        w->z[j] = size;
        ROT((int)n, q + open * w->lead, 1, q + j * w->lead, 1, c, s);
        w->kind[j] |= w->kind[open];
        d[open] = x * c * c + y * s * s;
        d[j] = x * s * s + y * c * c;
        w->kept[--last] = open;
        open = j;
    }
    if (open >= 0)
        w->kept[count++] = open;
    return count;
}

/* vectors of the k roots: new columns [0, k) of q are old ones, halves that are 0 left out, times
   the vectors of the small problem; deflated ones follow */
static void FN(multiply_back)(FN(merge) *w, T *q, int64_t m, int64_t n, int64_t k)
{
    enum { TOP = 1, BOTTOM = 2 };
    const int64_t low = n - m, lead = w->lead;
    int64_t count[4] = {0}, at[4];
    for (int64_t i = 0; i < k; i++)
        count[w->kind[w->kept[i]]]++;
    at[TOP] = 0;
    at[TOP | BOTTOM] = count[TOP];
    at[BOTTOM] = count[TOP] + count[TOP | BOTTOM];
    const int64_t tops = at[BOTTOM], first_low = count[TOP], lows = k - first_low;
    T *top = w->packed, *bottom = top + tops * m, *rest = bottom + lows * low;
    for (int64_t i = 0; i < k; i++) {
        const int32_t j = w->kept[i], kind = w->kind[j];
        const int64_t to = at[kind]++;
        w->place[i] = (int32_t)to;
        if (kind & TOP)
            memcpy(top + to * m, q + j * lead, (size_t)m * sizeof *q);
        if (kind & BOTTOM)
            memcpy(bottom + (to - first_low) * low, q + j * lead + m, (size_t)low * sizeof *q);
    }
    for (int64_t i = k; i < n; i++)
        memcpy(rest + (i - k) * n, q + w->kept[i] * lead, (size_t)n * sizeof *q);
    for (int64_t i = k; i < n; i++)
        memcpy(q + i * lead, rest + (i - k) * n, (size_t)n * sizeof *q);
    for (int64_t j = 0; j < k; j++) {
        T *column = w->s + j * k, *y = w->square;
        const double sum = w->v->secular_column(k, w->pole, w->weight, false, w->origin[j],
                                                (double)w->distance[j], y);
        const T by = (T)(1 / sqrt(sum));
        for (int64_t i = 0; i < k; i++)
            column[w->place[i]] = y[i] * by;
    }
    const enum CBLAS_TRANSPOSE plain = CblasNoTrans;
    if (tops)
        GEMM(CblasColMajor, plain, plain, (int)m, (int)k, (int)tops, 1, top, (int)m, w->s, (int)k, 0,
             q, (int)lead);
    if (lows)
        GEMM(CblasColMajor, plain, plain, (int)low, (int)k, (int)lows, 1, bottom, (int)low,
             w->s + first_low, (int)k, 0, q + m, (int)lead);
    for (int64_t j = 0; j < k && !tops; j++)
        memset(q + j * lead, 0, (size_t)m * sizeof *q);
    for (int64_t j = 0; j < k && !lows; j++)
        memset(q + j * lead + m, 0, (size_t)low * sizeof *q);
}

/* the halves [0, m) and [m, n) of the block at lo, which rho joins, to one */
static bool FN(merge_halves)(FN(merge) *w, int64_t lo, int64_t m, int64_t n, T rho)
{
    T *d = w->d + lo, *q = w->q + lo * (w->lead + 1), most = 0;
    int32_t *order = w->order + lo;
    const T root_half = (T)0.70710678118654752440;
    for (int64_t j = 0; j < n; j++) {
        w->z[j] = (j < m ? q[m - 1 + j * w->lead] : q[m + j * w->lead]) * root_half;
        if (rho < 0 && j >= m)
            w->z[j] = -w->z[j];
        w->kind[j] = j < m ? 1 : 2;
        most = ABSOLUTE(d[j]) > most ? ABSOLUTE(d[j]) : most;
        most = ABSOLUTE(w->z[j]) > most ? ABSOLUTE(w->z[j]) : most;
        order[j] += j < m ? 0 : (int32_t)m;
    }
    rho = 2 * ABSOLUTE(rho);
    FN(merge_orders)(d, order, m, n, w->sorted);
    const int64_t k = FN(deflate)(w, d, q, n, rho, most);
    double sum = 0;
    for (int64_t i = 0; i < k; i++) {
        w->pole[i] = d[w->kept[i]];
        w->weight[i] = w->z[w->kept[i]];
        sum += (double)w->weight[i] * (double)w->weight[i];
    }
    for (int64_t i = 0; i < k; i++)
        w->square[i] = (T)((double)w->weight[i] * (double)w->weight[i] / sum);
    if (!w->v->secular_roots(k, w->pole, w->square, sum * (double)rho, false, w->origin,
                             w->distance))
        return false;
    w->v->secular_weights(k, w->pole, false, w->origin, w->distance, w->square);
    for (int64_t i = 0; i < k; i++) {
        if (!(w->square[i] > 0))
            return false;
        const T size = SQUARE_ROOT(w->square[i]);
        w->weight[i] = w->weight[i] < 0 ? -size : size;
    }
    for (int64_t i = k; i < n; i++) /* their values, for a moment */
        w->z[i] = d[w->kept[i]];
    FN(multiply_back)(w, q, m, n, k);
    for (int64_t i = 0; i < k; i++)
        d[i] = w->pole[w->origin[i]] + w->distance[i];
    for (int64_t i = k; i < n; i++)
        d[i] = w->z[i];
    /* the deflated ones into order, then both lists to one */
    for (int64_t i = 0; i < n; i++) {
        int64_t at = i;
        for (; i > k && at > k && d[w->sorted[at - 1]] > d[i]; at--)
            w->sorted[at] = w->sorted[at - 1];
        w->sorted[at] = (int32_t)i;
    }
    FN(merge_orders)(d, w->sorted, k, n, order);
    return true;
}

static bool FN(conquer)(FN(merge) *w, int64_t lo, int64_t n)
{
    enum { LEAF = 24 };
    if (n <= LEAF) {
        for (int64_t j = 0; j < n; j++)
            w->order[lo + j] = (int32_t)j;
        return !STEQR(LAPACK_COL_MAJOR, 'I', (lapack_int)n, w->d + lo, w->e + lo,
                      w->q + lo * (w->lead + 1), (lapack_int)w->lead, w->s);
    }
    const int64_t m = n / 2;
    const T rho = w->e[lo + m - 1];
    w->d[lo + m - 1] -= ABSOLUTE(rho);
    w->d[lo + m] -= ABSOLUTE(rho);
    return FN(conquer)(w, lo, m) && FN(conquer)(w, lo + m, n - m) &&
           FN(merge_halves)(w, lo, m, n, rho);
}

static bool FN(stedc)(const agni_vlanes *v, int64_t n, T *d, T *e, T *z, T *q, char *room)
{
    FN(merge) w = {.v = v, .lead = n, .d = d, .e = e, .q = q, .packed = z, .s = q + n * n};
    T **lines[] = {&w.z, &w.pole, &w.weight, &w.square, &w.distance};
    int32_t **lists[] = {&w.order, &w.sorted, &w.kind, &w.kept, &w.place, &w.origin};
    for (int i = 0; i < STEDC_LINES; i++, room += agni_room_of(n * (int64_t)sizeof(T)))
        *lines[i] = (T *)(void *)room;
    for (int i = 0; i < STEDC_LISTS; i++, room += agni_room_of(n * (int64_t)sizeof(int32_t)))
        *lists[i] = (int32_t *)(void *)room;
    memset(q, 0, (size_t)(n * n) * sizeof *q);
    if (!FN(conquer)(&w, 0, n))
        return false;
    for (int64_t j = 0; j < n; j++) {
        w.z[j] = d[w.order[j]];
        memcpy(z + j * n, q + w.order[j] * n, (size_t)n * sizeof *z);
    }
    memcpy(d, w.z, (size_t)n * sizeof *d);
    return true;
}
