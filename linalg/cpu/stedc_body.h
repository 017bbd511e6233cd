/* linalg/cpu/stedc_body.h - divide and conquer of symmetric tridiagonal matrices (Cuppen 1981;
   Dongarra & Sorensen 1987; Gu & Eisenstat 1995) of T; ROT and STEQR of BLAS and LAPACK. No
   guard. */

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
        w->kind[j] = j < m ? TOP : BOTTOM;
        most = ABSOLUTE(d[j]) > most ? ABSOLUTE(d[j]) : most;
        most = ABSOLUTE(w->z[j]) > most ? ABSOLUTE(w->z[j]) : most;
        order[j] += j < m ? 0 : (int32_t)m;
    }
    rho = 2 * ABSOLUTE(rho);
    FN(merge_orders)(d, order, m, n, w->sorted);
    const int64_t k = FN(deflate)(w, d, q, n, rho, most);
    for (int64_t i = 0; i < k; i++) {
        w->pole[i] = d[w->kept[i]];
        w->weight[i] = w->z[w->kept[i]];
    }
    if (!FN(solve_secular)(w, k, (double)rho, false))
        return false;
    for (int64_t i = k; i < n; i++) /* their values, for a moment */
        w->z[i] = d[w->kept[i]];
    FN(multiply_back)(w, EIGEN, q, m, m, n - m, k, n);
    for (int64_t i = 0; i < n; i++)
        d[i] = i < k ? (T)(w->pole[w->origin[i]] + w->distance[i]) : w->z[i];
    FN(order_columns)(w, d, k, n, order);
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
    FN(take_room)(&w, n, room);
    const T up = (T)ldexp(1, FN(scale_lines)(d, e, n)); /* weights of size 1 are beside values */
    memset(q, 0, (size_t)(n * n) * sizeof *q);
    if (!FN(conquer)(&w, 0, n))
        return false;
    for (int64_t j = 0; j < n; j++) {
        w.z[j] = d[w.order[j]] * up;
        memcpy(z + j * n, q + w.order[j] * n, (size_t)n * sizeof *z);
    }
    memcpy(d, w.z, (size_t)n * sizeof *d);
    return true;
}
