/* linalg/cpu/conquer_body.h - what the two kinds of divide and conquer share (Gu & Eisenstat 1995):
   room, scale, order, and products of vectors with those of a small problem, of T; GEMM of BLAS. No
   guard. */

/* what a merge has in hand: columns of q by their place among the n of a block */
typedef struct FN(merge) {
    const agni_vlanes *v;
    int64_t lead, more; /* of q and u; columns of a block beyond its rows */
    T *d, *e, *q, *u;   /* of all; u: left vectors, q right ones, of singular values */
    T *z, *packed, *s;
    double *pole, *weight, *square, *distance; /* of the secular equation, f64 for its range */
    int32_t *order, *sorted, *kind, *kept, *place, *origin;
} FN(merge);

/* two ascending lists of columns, [0, a) and [a, n) of `from`, to one */
static void FN(merge_orders)(const T *d, const int32_t *from, int64_t a, int64_t n, int32_t *to)
{
    int64_t i = 0, j = a;
    for (int64_t k = 0; k < n; k++)
        to[k] = from[j == n || (i < a && d[from[i]] <= d[from[j]]) ? i++ : j++];
}

/* column j of the small problem, in the places that its rows have among the old vectors */
static void FN(form_column)(FN(merge) *w, int of, int64_t k, int64_t j, T *column)
{
    double *y = w->square, sum = w->v->secular_column(k, w->pole, w->weight, of != EIGEN,
                                                      w->origin[j], w->distance[j], y);
    if (of == LEFT) {
        y[0] = -1;
        sum = 1;
        for (int64_t i = 1; i < k; i++) {
            y[i] *= w->pole[i];
            sum += y[i] * y[i];
        }
    }
    const double by = 1 / sqrt(sum);
    for (int64_t i = 0; i < k; i++)
        column[w->place[i]] = (T)(y[i] * by);
}

/* New columns [0, k) of q are the kept old ones, halves that are 0 left out, times the vectors of
   the small problem; the other old columns of n follow. Halves are rows [0, high) and [from, from +
   low); a row between them is that of a kept column of neither kind, the first. */
static void FN(multiply_back)(FN(merge) *w, int of, T *q, int64_t high, int64_t from, int64_t low,
                              int64_t k, int64_t n)
{
    const int64_t lead = w->lead, rows = from + low;
    int64_t count[4] = {0}, at[4];
    for (int64_t i = 0; i < k; i++)
        count[w->kind[w->kept[i]]]++;
    at[0] = 0;
    at[TOP] = count[0];
    at[TOP | BOTTOM] = at[TOP] + count[TOP];
    at[BOTTOM] = at[TOP | BOTTOM] + count[TOP | BOTTOM];
    const int64_t first_top = at[TOP], tops = at[BOTTOM] - first_top,
                  first_low = at[TOP | BOTTOM], lows = k - first_low;
    T *top = w->packed, *bottom = top + tops * high, *rest = bottom + lows * low;
    for (int64_t i = 0; i < k; i++) {
        const int32_t j = w->kept[i], kind = w->kind[j];
        const int64_t to = at[kind]++;
        w->place[i] = (int32_t)to;
        if (kind & TOP)
            memcpy(top + (to - first_top) * high, q + j * lead, (size_t)high * sizeof *q);
        if (kind & BOTTOM)
            memcpy(bottom + (to - first_low) * low, q + j * lead + from, (size_t)low * sizeof *q);
    }
    for (int64_t i = k; i < n; i++)
        memcpy(rest + (i - k) * rows, q + w->kept[i] * lead, (size_t)rows * sizeof *q);
    for (int64_t i = k; i < n; i++)
        memcpy(q + i * lead, rest + (i - k) * rows, (size_t)rows * sizeof *q);
    for (int64_t j = 0; j < k; j++) {
        FN(form_column)(w, of, k, j, w->s + j * k);
        if (first_top)
            q[j * lead + high] = w->s[j * k];
    }
    const enum CBLAS_TRANSPOSE plain = CblasNoTrans;
    if (tops)
        GEMM(CblasColMajor, plain, plain, (int)high, (int)k, (int)tops, 1, top, (int)high,
             w->s + first_top, (int)k, 0, q, (int)lead);
    if (lows)
        GEMM(CblasColMajor, plain, plain, (int)low, (int)k, (int)lows, 1, bottom, (int)low,
             w->s + first_low, (int)k, 0, q + from, (int)lead);
    for (int64_t j = 0; j < k && !tops; j++)
        memset(q + j * lead, 0, (size_t)high * sizeof *q);
    for (int64_t j = 0; j < k && !lows; j++)
        memset(q + j * lead + from, 0, (size_t)low * sizeof *q);
}

/* The secular equation of poles and weights [k]: roots, and weights that have them exactly */
static bool FN(solve_secular)(FN(merge) *w, int64_t k, double rho, bool squares)
{
    double sum = 0;
    for (int64_t i = 0; i < k; i++)
        sum += w->weight[i] * w->weight[i];
    for (int64_t i = 0; i < k; i++)
        w->square[i] = w->weight[i] * w->weight[i] / sum;
    if (!w->v->secular_roots(k, w->pole, w->square, sum * rho, squares, w->origin, w->distance))
        return false;
    w->v->secular_weights(k, w->pole, squares, w->origin, w->distance, w->square);
    for (int64_t i = 0; i < k; i++) {
        if (!(w->square[i] > 0))
            return false;
        const double size = sqrt(w->square[i]);
        w->weight[i] = w->weight[i] < 0 ? -size : size;
    }
    return true;
}

/* columns of ascending values [0, k), then others in any order: all of them ascending */
static void FN(order_columns)(FN(merge) *w, const T *d, int64_t k, int64_t n, int32_t *order)
{
    for (int64_t i = 0; i < n; i++) {
        int64_t at = i;
        for (; i > k && at > k && d[w->sorted[at - 1]] > d[i]; at--)
            w->sorted[at] = w->sorted[at - 1];
        w->sorted[at] = (int32_t)i;
    }
    FN(merge_orders)(d, w->sorted, k, n, order);
}

/* d [n] and e [n - 1] times the power of 2 that makes the largest less than 1, at least a half:
   its exponent back. Sizes that are nothing are measured by 1 in part (Anderson et al. 1999,
   stedc) */
static int FN(scale_lines)(T *d, T *e, int64_t n)
{
    int scale = 0;
    T most = 0;
    for (int64_t i = 0; i < 2 * n - 1; i++) {
        const T size = ABSOLUTE(i < n ? d[i] : e[i - n]);
        most = size > most ? size : most;
    }
    frexp((double)most, &scale);
    const T down = (T)ldexp(1, -scale);
    for (int64_t i = 0; i < 2 * n - 1; i++)
        *(i < n ? d + i : e + i - n) *= down;
    return scale;
}

/* lines and lists of n numbers each in the room */
static void FN(take_room)(FN(merge) *w, int64_t n, char *room)
{
    double **lines[] = {&w->pole, &w->weight, &w->square, &w->distance};
    int32_t **lists[] = {&w->order, &w->sorted, &w->kind, &w->kept, &w->place, &w->origin};
    for (int i = 0; i < CONQUER_LINES; i++, room += agni_room_of(n * (int64_t)sizeof(double)))
        *lines[i] = (double *)(void *)room;
    for (int i = 0; i < CONQUER_LISTS; i++, room += agni_room_of(n * (int64_t)sizeof(int32_t)))
        *lists[i] = (int32_t *)(void *)room;
    w->z = (T *)(void *)room;
}
