/* linalg/cpu/bdsdc_body.h - divide and conquer of upper bidiagonal matrices (Gu & Eisenstat 1995;
   the steps of LAPACK's lasd2) of T; ROT and BDSQR of BLAS and LAPACK. No guard.

   A block has n rows and n + more columns, more 0 or 1: left vectors u [n, n], right ones q [n +
   more, n + more], the last of which is of no value. */

/* as FN(deflate) of eigenvalues: of columns beside `middle`, which is kept as the first */
static int64_t FN(deflate_values)(FN(merge) *w, const T *d, T *u, T *q, int64_t n, int32_t middle,
                                  T tol)
{
    int64_t count = 0, last = n;
    int32_t open = -1;
    w->kept[count++] = middle;
    for (int64_t p = 0; p < n - 1; p++) {
        const int32_t j = w->sorted[p];
        if (ABSOLUTE(w->z[j]) <= tol) {
            w->kept[--last] = j;
            continue;
        }
        if (open >= 0 && d[j] - d[open] <= tol) {
            const T size = HYPOT(w->z[j], w->z[open]), c = w->z[j] / size, s = -w->z[open] / size;
            w->z[j] = size;
            ROT((int)n, u + open * w->lead, 1, u + j * w->lead, 1, c, s);
            ROT((int)(n + w->more), q + open * w->lead, 1, q + j * w->lead, 1, c, s);
            w->kind[j] |= w->kind[open];
            w->kept[--last] = open;
        } else if (open >= 0)
            w->kept[count++] = open;
        open = j;
    }
    if (open >= 0)
        w->kept[count++] = open;
    return count;
}

/* two vectors of no value, of the halves, become the one that counts, at `middle`, and one of no
   value, the last: the weight that counts */
static T FN(join_empty)(FN(merge) *w, T *q, int64_t middle, int64_t n, T first, T second, T tol)
{
    const T size = HYPOT(first, second), c = size <= tol ? 1 : first / size,
            s = size <= tol ? 0 : second / size;
    ROT((int)(n + 1), q + middle * w->lead, 1, q + n * w->lead, 1, c, s);
    return size;
}

/* blocks of rows [0, m) and [m + 1, n) of the block at lo, which row m joins, to one */
static bool FN(merge_blocks)(FN(merge) *w, int64_t lo, int64_t m, int64_t n, int64_t more)
{
    T *d = w->d + lo, *q = w->q + lo * (w->lead + 1), *u = w->u + lo * (w->lead + 1);
    int32_t *order = w->order + lo;
    const T alpha = d[m], beta = w->e[lo + m];
    T most = ABSOLUTE(alpha) > ABSOLUTE(beta) ? ABSOLUTE(alpha) : ABSOLUTE(beta);
    w->more = more;
    d[m] = 0;
    for (int64_t j = 0; j < n; j++) {
        w->z[j] = j <= m ? alpha * q[m + j * w->lead] : beta * q[m + 1 + j * w->lead];
        w->kind[j] = j < m ? TOP : j > m ? BOTTOM : 0;
        most = d[j] > most ? d[j] : most;
    }
    for (int64_t j = m; j < n - 1; j++) /* the middle has no place among them */
        order[j] = order[j + 1] + (int32_t)m + 1;
    const T part = 8 * HALF_EPS * most, tol = part > TINY ? part : TINY; /* of all, which is 1 */
    if (more)
        w->z[m] = FN(join_empty)(w, q, m, n, w->z[m], beta * q[m + 1 + n * w->lead], tol);
    if (ABSOLUTE(w->z[m]) <= tol)
        w->z[m] = tol;
    FN(merge_orders)(d, order, m, n - 1, w->sorted);
    const int64_t k = FN(deflate_values)(w, d, u, q, n, (int32_t)m, tol);
    for (int64_t i = 0; i < k; i++) {
        w->pole[i] = d[w->kept[i]];
        w->weight[i] = w->z[w->kept[i]];
    }
    if (k > 1 && w->pole[1] <= (double)tol / 2)
        w->pole[1] = (double)tol / 2;
    if (!FN(solve_secular)(w, k, 1, true))
        return false;
    for (int64_t i = k; i < n; i++)
        w->z[i] = d[w->kept[i]];
    FN(multiply_back)(w, LEFT, u, m, m + 1, n - m - 1, k, n);
    w->kind[m] = more ? TOP | BOTTOM : TOP;
    FN(multiply_back)(w, RIGHT, q, m + 1, m + 1, n - m - 1 + more, k, n);
    for (int64_t i = 0; i < n; i++) {
        const double from = i < k ? w->pole[w->origin[i]] : 0, t = i < k ? w->distance[i] : 0;
        d[i] = i < k ? (T)(from + t / (from + sqrt(from * from + t))) : w->z[i];
    }
    FN(order_columns)(w, d, k, n, order);
    return true;
}

/* one block whole, by QR steps; a column more is turned away first */
static bool FN(solve_leaf)(FN(merge) *w, int64_t lo, int64_t n, int64_t more)
{
    const int64_t cols = n + more;
    T *d = w->d + lo, *e = w->e + lo, *u = w->u + lo * (w->lead + 1),
      *q = w->q + lo * (w->lead + 1);
    T *vt = w->s, *work = vt + cols * cols;
    memset(vt, 0, (size_t)(cols * cols) * sizeof *vt);
    for (int64_t j = 0; j < cols; j++) {
        vt[j * (cols + 1)] = 1;
        u[j % n * (w->lead + 1)] = 1;
    }
    for (int64_t i = 0; more && i < n; i++) { /* to lower bidiagonal form */
        const T r = HYPOT(d[i], e[i]), c = r > 0 ? d[i] / r : 1, s = r > 0 ? e[i] / r : 0;
        d[i] = r;
        e[i] = i + 1 < n ? s * d[i + 1] : 0;
        if (i + 1 < n)
            d[i + 1] *= c;
        ROT((int)cols, vt + i, (int)cols, vt + i + 1, (int)cols, c, s);
    }
    if (BDSQR(LAPACK_COL_MAJOR, more ? 'L' : 'U', (lapack_int)n, (lapack_int)cols, (lapack_int)n, 0,
              d, e, vt, (lapack_int)cols, u, (lapack_int)w->lead, NULL, 1, work))
        return false;
    for (int64_t j = 0; j < cols; j++)
        for (int64_t i = 0; i < cols; i++)
            q[i + j * w->lead] = vt[j + i * cols];
    for (int64_t j = 0; j < n; j++)
        w->order[lo + j] = (int32_t)(n - 1 - j);
    return true;
}

static bool FN(conquer_values)(FN(merge) *w, int64_t lo, int64_t n, int64_t more)
{
    enum { LEAF = 24 };
    if (n <= LEAF)
        return FN(solve_leaf)(w, lo, n, more);
    const int64_t m = n / 2;
    return FN(conquer_values)(w, lo, m, 1) && FN(conquer_values)(w, lo + m + 1, n - m - 1, more) &&
           FN(merge_blocks)(w, lo, m, n, more);
}

static bool FN(bdsdc)(const agni_vlanes *v, int64_t n, T *d, T *e, T *u, T *q, T *spare, char *room)
{
    FN(merge) w = {.v = v, .lead = n, .d = d, .e = e, .q = q, .u = u, .packed = spare,
                   .s = spare + n * n};
    FN(take_room)(&w, n + 1, room);
    const T up = (T)ldexp(1, FN(scale_lines)(d, e, n)); /* squares of values are poles */
    e[n - 1] = 0;
    for (int64_t i = 0; i < n; i++) { /* what is nothing beside 1 has too few digits to turn by */
        d[i] = ABSOLUTE(d[i]) < TINY ? 0 : d[i];
        e[i] = ABSOLUTE(e[i]) < TINY ? 0 : e[i];
    }
    memset(u, 0, (size_t)(n * n) * sizeof *u);
    memset(q, 0, (size_t)(n * n) * sizeof *q);
    if (!FN(conquer_values)(&w, 0, n, 0))
        return false;
    for (int64_t j = 0; j < n; j++) {
        const int64_t from = w.order[n - 1 - j];
        w.z[j] = d[from] * up;
        memcpy(spare + j * n, u + from * n, (size_t)n * sizeof *u);
        memcpy(spare + (n + j) * n, q + from * n, (size_t)n * sizeof *q);
    }
    memcpy(d, w.z, (size_t)n * sizeof *d);
    return true;
}
