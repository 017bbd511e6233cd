/* fft/cpu/four_step.c - long transforms as short ones of the rows and columns of a matrix
   (Gentleman & Sande 1966; Bailey 1990): as many columns as a vector has lanes are transformed and
   stored as blocks of rows; then columns of those are turned and transformed. Memory is read and
   written twice, in whole lines; FFTW, which estimates its plans, does so more often. */
#include "config.h"

#include "fft/cpu/lane_passes.h"
#include "fft/fft.h"

#include "core/device/cpu_level.h"

#include <math.h>
#include <string.h>

/* MOST: tables of 32 MB are kept */
enum { LEAST = 1 << 12, LEAST_NARROW = 1 << 17, MOST = 1 << 24, SHORTEST = 32, LINE = 64 };
enum { TILE = AGNI_MOST_LANES, ASIDE_BYTES = 1 << 23, CHUNK = 32 };

static const agni_lane_kernels *select_kernels(bool single)
{
    static const agni_lane_kernels *const levels[] = {
        [AGNI_CPU_BASE] = agni_lane_transforms_base,
#ifdef AGNI_HAVE_AVX2
        [AGNI_CPU_AVX2] = agni_lane_transforms_avx2,
#endif
#ifdef AGNI_HAVE_AVX512
        [AGNI_CPU_AVX512] = agni_lane_transforms_avx512,
#endif
    };
    return &levels[agni_cpu_level_below(AGNI_COUNT(levels))][single];
}

static int64_t pair_bytes(bool single)
{
    return single ? 8 : 16;
}

/* n = n1 n2, n1 <= n2, both whole tiles, with small factors, about as long; false where there are
   none */
static bool split_length(int64_t n, int64_t *n1, int64_t *n2)
{
    int64_t a = (int64_t)sqrt((double)n) / TILE * TILE;
    for (; a >= SHORTEST && n / a <= 4 * a; a -= TILE)
        if (n % a == 0 && n / a % TILE == 0 && n / a >= a) {
            *n1 = a;
            *n2 = n / a;
            return agni_fft_fast_length(*n1) == *n1 && agni_fft_fast_length(*n2) == *n2;
        }
    return false;
}

bool agni_fft_splits(const agni_fft_key *key)
{
    int64_t n1, n2;
    const agni_fft_dim *d = key->dim;
    if (key->kind != AGNI_C2C || key->rank != 1 || d->n < LEAST || d->n > MOST || d->is != 1 ||
        d->os != 1)
        return false;
    /* rows of less than a cache line pay only where many are walked through */
    bool narrow = select_kernels(key->single)->lanes * pair_bytes(key->single) < LINE;
    return (!narrow || (key->single && d->n >= LEAST_NARROW)) && split_length(d->n, &n1, &n2);
}

/* ---- tables --------------------------------------------------------------------------------- */

typedef struct split_tables {
    agni_lane_plan columns, rows;
    const char *base, *lanes; /* turns of a block's first bin, and of its other lanes beside it */
} split_tables;

/* exp(-2 pi i k / n), its angle folded into an eighth of the circle */
static void find_root(int64_t k, int64_t n, double *c, double *s)
{
    int64_t whole = 8 * n, a = 8 * k;
    bool below = a > whole / 2, left = false, steep = false;
    a = below ? whole - a : a;
    if ((left = a > whole / 4))
        a = whole / 2 - a;
    if ((steep = a > whole / 8))
        a = whole / 4 - a;
    double angle = 2 * 3.14159265358979323846 * (double)a / (double)whole, x = cos(angle),
           y = sin(angle);
    *c = (left ? -1 : 1) * (steep ? y : x);
    *s = (below ? 1 : -1) * (steep ? x : y);
}

/* real number i of those at p */
static void put(char *p, bool single, int64_t i, double v)
{
    if (single)
        ((float *)p)[i] = (float)v;
    else
        ((double *)p)[i] = v;
}

static void append_radix(agni_lane_plan *p, int radix)
{
    p->radix[p->count++] = radix;
}

/* few passes of about the same radix; how many pairs its turns are */
static int64_t plan_passes(agni_lane_plan *p, int64_t n)
{
    int64_t rest = n, pairs = 0;
    int twos = 0;
    p->n = n;
    p->count = 0;
    for (int radix = 7; radix > 2; radix -= 2)
        for (; rest % radix == 0; rest /= radix)
            append_radix(p, radix);
    for (; rest > 1; rest /= 2)
        twos++;
    for (int left = (twos + 3) / 4; left > 0; left--) {
        int power = (twos + left - 1) / left;
        append_radix(p, 1 << power);
        twos -= power;
    }
    rest = n;
    for (int k = 0; k + 1 < p->count; k++) {
        rest /= p->radix[k];
        pairs += rest * (p->radix[k] - 1);
    }
    return pairs;
}

static char *fill_passes(agni_lane_plan *p, bool single, char *at)
{
    int64_t whole = p->n;
    double c, s;
    for (int k = 0; k + 1 < p->count; k++) {
        int radix = p->radix[k];
        int64_t groups = whole / radix, i = 0;
        p->w[k] = at;
        for (int64_t g = 0; g < groups; g++)
            for (int j = 1; j < radix; j++) {
                find_root(g * j % whole, whole, &c, &s);
                put(at, single, i++, c);
                put(at, single, i++, s);
            }
        at += i / 2 * pair_bytes(single);
        whole = groups;
    }
    p->w[p->count - 1] = NULL;
    return at;
}

/* key: n1 and n2, and in place of a sign the lanes */
static void *make_tables(const agni_fft_key *key)
{
    int64_t n1 = key->dim[0].n, n2 = key->dim[1].n, n = n1 * n2, lanes = key->sign;
    bool single = key->single;
    split_tables t;
    int64_t pairs = plan_passes(&t.columns, n1) + plan_passes(&t.rows, n2) + n / lanes + n2 * lanes;
    int64_t head = ((int64_t)sizeof t + LINE - 1) / LINE * LINE;
    char *all = agni_alloc_aligned((size_t)(head + pairs * pair_bytes(single)));
    double c, s;
    if (!all)
        return NULL;
    char *at = fill_passes(&t.rows, single, fill_passes(&t.columns, single, all + head));
    t.base = at;
    for (int64_t k = 0, i = 0; k < n1; k += lanes)
        for (int64_t j = 0; j < n2; j++) {
            find_root(j * k, n, &c, &s);
            put(at, single, i++, c);
            put(at, single, i++, s);
        }
    at += n / lanes * pair_bytes(single);
    t.lanes = at;
    for (int64_t j = 0; j < n2; j++)
        for (int64_t l = 0; l < lanes; l++) {
            find_root(j * l, n, &c, &s);
            put(at, single, 2 * j * lanes + l, c);
            put(at, single, (2 * j + 1) * lanes + l, s);
        }
    memcpy(all, &t, sizeof t);
    return all;
}

static agni_fft_plan *acquire_tables(const agni_lane_kernels *v, bool single, int64_t n1,
                                     int64_t n2)
{
    agni_fft_key key;
    memset(&key, 0, sizeof key); /* keys are compared by bytes */
    key.kind = AGNI_TABLES;
    key.sign = v->lanes;
    key.single = single;
    key.rank = key.many = 1;
    key.dim[0].n = n1;
    key.dim[1].n = n2;
    return agni_fft_acquire(&key, NULL, NULL);
}

/* ---- both steps ----------------------------------------------------------------------------- */

typedef struct split {
    const agni_lane_kernels *kernels;
    const split_tables *tables;
    int64_t n1, n2, pair;
    bool inverse, aside, second;
    char *x, *y, *t;
    atomic_bool failed;
} split;

/* columns of x from j on, as rows j to j + lanes of all blocks */
static void transform_columns(const split *q, int64_t j, void *a, void *b)
{
    const agni_lane_kernels *v = q->kernels;
    v->load(a, q->x + j * q->pair, q->n2, q->n1, q->inverse);
    v->turn_over(q->t + j * v->lanes * q->pair, q->n2, v->run(&q->tables->columns, a, b), q->n1);
}

/* the block of bins from k on */
static void transform_block(const split *q, int64_t k, void *a, void *b)
{
    const agni_lane_kernels *v = q->kernels;
    int64_t at = k * q->n2 * q->pair;
    v->multiply(a, q->t + at, q->tables->base + at / v->lanes, q->tables->lanes, q->n2);
    v->store(q->y + k * q->pair, q->n1, v->run(&q->tables->rows, a, b), q->n2, q->inverse,
             q->aside);
}

static void run_chunk(void *user, int64_t i, int worker)
{
    split *q = user;
    (void)worker;
    int64_t side = q->second ? q->n1 : q->n2, end = side < (i + 1) * CHUNK ? side : (i + 1) * CHUNK;
    int64_t bytes = q->n2 * q->kernels->lanes * q->pair;
    char *rows = agni_alloc_aligned((size_t)(2 * bytes));
    if (!rows)
        atomic_store(&q->failed, true);
    for (int64_t k = i * CHUNK; rows && k < end; k += q->kernels->lanes)
        (q->second ? transform_block : transform_columns)(q, k, rows, rows + bytes);
    agni_free(rows);
}

/* one line */
static bool run_line(split *q)
{
    q->second = false;
    agni_parallel_for((q->n2 + CHUNK - 1) / CHUNK, run_chunk, q);
    q->second = true;
    if (!atomic_load(&q->failed))
        agni_parallel_for((q->n1 + CHUNK - 1) / CHUNK, run_chunk, q);
    return !atomic_load(&q->failed);
}

bool agni_fft_run_split(const agni_fft_key *key, char *in, char *out)
{
    split q = {.kernels = select_kernels(key->single),
               .pair = pair_bytes(key->single),
               .inverse = key->sign > 0};
    int64_t at[AGN_MAX_RANK] = {0}, n = key->dim->n;
    if (!split_length(n, &q.n1, &q.n2))
        return false;
    atomic_init(&q.failed, false);
    q.t = agni_alloc_aligned((size_t)(n * q.pair));
    agni_fft_plan *p = q.t ? acquire_tables(q.kernels, key->single, q.n1, q.n2) : NULL;
    q.tables = p ? agni_fft_get_table(p, make_tables) : NULL;
    bool good = q.tables != NULL;
    while (good) {
        q.x = in;
        q.y = out;
        q.aside = n * q.pair >= ASIDE_BYTES && (uintptr_t)out % LINE == 0;
        good = run_line(&q);
        int k = key->many;
        for (; k > 0; k--) {
            const agni_fft_dim *d = key->dim + k;
            in += d->is * q.pair;
            out += d->os * q.pair;
            if (++at[k] < d->n)
                break;
            in -= d->n * d->is * q.pair;
            out -= d->n * d->os * q.pair;
            at[k] = 0;
        }
        if (k == 0)
            break;
    }
    if (p)
        agni_fft_release(p);
    agni_free(q.t);
    return good;
}
