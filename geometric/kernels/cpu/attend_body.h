/* geometric/kernels/cpu/attend_body.h - the loops of attend_rows.h for the type that real.h binds
   and integers INT; OF(name) names a function. A tile holds `many` edges of one row, weights of
   `heads` heads edge by edge; what is summed over a tile stays in registers. */
#undef OF
#define OF_(x) IN(x)
#define OF(name) OF_(FN(name))

/* Terms of edges e .. e + many - 1 of row i, heads [h0, h0 + heads), and what is taken from
   their scores. */
static inline __attribute__((always_inline)) void
OF(gather_terms)(const agni_attend_rows *q, REAL *w, REAL *less, int64_t i, int64_t e,
                 int64_t many, int64_t end, int64_t h0, int64_t heads)
{
    const INT *other = (const INT *)q->other + e;
    const REAL *near = (const REAL *)q->near + i * q->heads + h0, *norm = q->norm;
    const REAL *x = (const REAL *)q->x + h0 * q->width, *all = (const REAL *)q->far + h0;
    const int64_t row = q->heads * q->width, bytes = heads * q->width * (int64_t)sizeof(REAL);
    for (int64_t k = 0; k < many; k++) {
        const int64_t j = other[k];
        const REAL *far = all + j * q->heads;
        if (e + k + AHEAD < end) {
            const int64_t next = other[k + AHEAD];
            if (q->x)
                prefetch_row(x + next * row, bytes);
            __builtin_prefetch(all + next * q->heads);
            if (norm && q->norm_is_far)
                __builtin_prefetch(norm + next * q->heads + h0);
        }
        for (int64_t h = 0; h < heads; h++)
            w[k * heads + h] = near[h] + far[h];
        if (norm) {
            const REAL *own = norm + (q->norm_is_far ? j : i) * q->heads + h0;
            for (int64_t h = 0; h < heads; h++)
                less[k * heads + h] = own[h];
        }
    }
}

/* weights of n scores in w */
static inline void OF(weigh_scores)(const agni_attend_rows *q, REAL *w, const REAL *less,
                                    int64_t n)
{
    const VEC slope = SPLAT(q->slope), one = SPLAT(1);
    VEC under = one;
    for (int k = 0; k < q->power; k++)
        under = under * slope;
    for (int64_t k = 0; k < n; k += LANES) {
        const VEC v = LOAD(w + k);
        VEC p = SELECT((IVEC)(v > (VEC){0}), v, v * slope);
        p = FN(agni_vx_exp)(p - LOAD(less + k));
        STORE(w + k, q->power ? p * SELECT((IVEC)(v > (VEC){0}), one, under) : p);
    }
}

static inline void OF(tile_weights)(const agni_attend_rows *q, REAL *w, REAL *less, int64_t i,
                                    int64_t e, int64_t many, int64_t end, int64_t h0,
                                    int64_t heads)
{
    switch (heads) {
    case 1: OF(gather_terms)(q, w, less, i, e, many, end, h0, 1); break;
    case 2: OF(gather_terms)(q, w, less, i, e, many, end, h0, 2); break;
    case 4: OF(gather_terms)(q, w, less, i, e, many, end, h0, 4); break;
    case 8: OF(gather_terms)(q, w, less, i, e, many, end, h0, 8); break;
    default: OF(gather_terms)(q, w, less, i, e, many, end, h0, heads);
    }
    if (q->norm)
        OF(weigh_scores)(q, w, less, many * heads);
}

/* A tile of a row: what is added to its result y, or to the sums got[heads] where z is given. */
typedef struct OF(tile) {
    const REAL *w, *x, *z;
    REAL *y, *got;
    const INT *other;
    int64_t many, heads, width, row; /* row: elements of a row of x */
    bool first;
} OF(tile);

/* WIDE vectors from column c on, each within one head; the last has `left` elements */
static inline __attribute__((always_inline)) void
OF(add_columns)(const OF(tile) *t, int64_t c, const int WIDE, int64_t left)
{
    VEC sum[4] = {{0}};
    const REAL *w[4];
    for (int l = 0; l < WIDE; l++)
        w[l] = t->w + (c + l * LANES) / t->width;
    for (int64_t k = 0; k < t->many; k++) {
        const REAL *from = t->x + (int64_t)t->other[k] * t->row + c;
        for (int l = 0; l < WIDE; l++)
            sum[l] = FMA(SPLAT(w[l][k * t->heads]),
                         left < LANES ? LOAD_PART(from, left) : LOAD(from + l * LANES), sum[l]);
    }
    for (int l = 0; l < WIDE; l++) {
        REAL *y = t->y + c + l * LANES;
        if (t->z) {
            const REAL *z = t->z + c + l * LANES;
            REAL part[LANES], *got = t->got + (c + l * LANES) / t->width;
            if (left == LANES) {
                *got += FN(agni_hsum)(sum[l] * LOAD(z));
                continue;
            }
            STORE(part, sum[l]);
            for (int64_t j = 0; j < left; j++)
                *got += part[j] * z[j];
        } else if (left < LANES) {
            STORE_PART(y, t->first ? sum[l] : LOAD_PART(y, left) + sum[l], left);
        } else {
            STORE(y, t->first ? sum[l] : LOAD(y) + sum[l]);
        }
    }
}

static inline __attribute__((always_inline)) void
OF(add_narrow)(const OF(tile) *t, int64_t heads)
{
    REAL sum[HEADS] = {0};
    for (int64_t k = 0; k < t->many; k++)
        for (int64_t h = 0; h < heads; h++)
            sum[h] += t->w[k * heads + h] * t->x[(int64_t)t->other[k] * t->row + h];
    for (int64_t h = 0; h < heads; h++)
        if (t->z)
            t->got[h] += sum[h] * t->z[h];
        else
            t->y[h] = t->first ? sum[h] : t->y[h] + sum[h];
}

static inline void OF(add_tile)(const OF(tile) *t)
{
    const int64_t all = t->heads * t->width;
    int64_t c = 0;
    if (t->width == 1) {
        switch (t->heads) {
        case 1: OF(add_narrow)(t, 1); break;
        case 2: OF(add_narrow)(t, 2); break;
        case 4: OF(add_narrow)(t, 4); break;
        case 8: OF(add_narrow)(t, 8); break;
        default: OF(add_narrow)(t, t->heads);
        }
    } else if (t->width % LANES == 0) {
        for (; c + 4 * LANES <= all; c += 4 * LANES)
            OF(add_columns)(t, c, 4, LANES);
        for (; c < all; c += LANES)
            OF(add_columns)(t, c, 1, LANES);
    } else {
        for (int64_t h = 0; h < t->heads; h++)
            for (c = h * t->width; c < (h + 1) * t->width; c += LANES) {
                int64_t left = (h + 1) * t->width - c;
                if (left < LANES)
                    OF(add_columns)(t, c, 1, left);
                else
                    OF(add_columns)(t, c, 1, LANES);
            }
    }
}

static void OF(weigh_rows)(const agni_attend_rows *q, int64_t lo, int64_t hi)
{
    REAL w[SCORES + LANES], less[SCORES + LANES], got[HEADS];
    const INT *begin = q->begin;
    const int64_t width = q->heads * (q->z ? 1 : q->width);
    memset(w, 0, sizeof w);
    memset(less, 0, sizeof less);
    for (int64_t i = lo; i < hi; i++) {
        if (begin[i] == begin[i + 1] && width)
            memset((REAL *)q->y + i * width, 0, (size_t)width * sizeof(REAL));
        for (int64_t h0 = 0; h0 < q->heads; h0 += HEADS) {
            const int64_t heads = q->heads - h0 < HEADS ? q->heads - h0 : HEADS;
            const int64_t tile = SCORES / heads;
            const int64_t at = (i * q->heads + h0) * q->width;
            OF(tile) t = {.w = w,
                          .x = (const REAL *)q->x + h0 * q->width,
                          .z = q->z ? (const REAL *)q->z + at : NULL,
                          .y = (REAL *)q->y + (q->z ? i * q->heads + h0 : at),
                          .got = got,
                          .heads = heads,
                          .width = q->width,
                          .row = q->heads * q->width};
            memset(got, 0, sizeof got);
            for (int64_t e = begin[i]; e < begin[i + 1]; e += tile) {
                t.many = begin[i + 1] - e < tile ? begin[i + 1] - e : tile;
                t.other = (const INT *)q->other + e;
                t.first = e == begin[i];
                OF(tile_weights)(q, w, less, i, e, t.many, begin[hi], h0, heads);
                OF(add_tile)(&t);
            }
            if (q->z && begin[i] < begin[i + 1])
                memcpy(t.y, got, (size_t)heads * sizeof *got);
        }
    }
}

static inline void OF(tile_scores)(const agni_attend_rows *q, REAL *w, int64_t i, int64_t e,
                                   int64_t many, int64_t h0, int64_t heads)
{
    const VEC slope = SPLAT(q->slope);
    OF(tile_weights)(q, w, NULL, i, e, many, e + many, h0, heads);
    for (int64_t k = 0; k < many * heads; k += LANES) {
        const VEC v = LOAD(w + k);
        STORE(w + k, SELECT((IVEC)(v > (VEC){0}), v, v * slope));
    }
}

static inline void OF(exponentials)(REAL *w, int64_t n)
{
    for (int64_t k = 0; k < n; k += LANES)
        STORE(w + k, FN(agni_vx_exp)(LOAD(w + k)));
}

/* NaN wins */
static inline void OF(tile_most)(REAL *most, const REAL *w, int64_t many, int64_t heads, bool first)
{
    for (int64_t k = 0; k < many; k++)
        for (int64_t h = 0; h < heads; h++) {
            REAL v = w[k * heads + h];
            most[h] = (first && k == 0) || v > most[h] || v != v ? v : most[h];
        }
}

static void OF(norm_rows)(const agni_attend_rows *q, int64_t lo, int64_t hi)
{
    REAL w[SCORES + LANES], most[HEADS];
    double sum[HEADS];
    const INT *begin = q->begin;
    memset(w, 0, sizeof w);
    for (int64_t i = lo; i < hi; i++)
        for (int64_t h0 = 0; h0 < q->heads; h0 += HEADS) {
            const int64_t heads = q->heads - h0 < HEADS ? q->heads - h0 : HEADS;
            const int64_t tile = SCORES / heads;
            const int64_t n = begin[i + 1] - begin[i];
            REAL *y = (REAL *)q->y + i * q->heads + h0;
            for (int64_t k = 0; k < n; k += tile) {
                const int64_t many = n - k < tile ? n - k : tile;
                OF(tile_scores)(q, w, i, begin[i] + k, many, h0, heads);
                OF(tile_most)(most, w, many, heads, k == 0);
            }
            memset(sum, 0, sizeof sum);
            for (int64_t k = 0; k < n; k += tile) {
                const int64_t many = n - k < tile ? n - k : tile;
                if (n > tile)
                    OF(tile_scores)(q, w, i, begin[i] + k, many, h0, heads);
                for (int64_t j = 0; j < many; j++)
                    for (int64_t h = 0; h < heads; h++)
                        w[j * heads + h] -= most[h];
                OF(exponentials)(w, many * heads);
                for (int64_t j = 0; j < many; j++)
                    for (int64_t h = 0; h < heads; h++)
                        sum[h] += (double)w[j * heads + h];
            }
            for (int64_t h = 0; h < heads; h++)
                y[h] = n ? (REAL)((double)most[h] + log(sum[h])) : 0;
        }
}
#undef OF_
