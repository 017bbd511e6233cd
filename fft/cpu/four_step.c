/* fft/cpu/four_step.c - long transforms as short ones of the rows and columns of a matrix
   (Gentleman & Sande 1966; Bailey 1990): as many columns as a vector has lanes are transformed and
   stored as blocks of rows; then columns of those are turned and transformed. Memory is read and
   written twice, in whole lines; FFTW, which estimates its plans, does so more often. Real numbers
   of an even length go as half as many pairs. */
#include "fft/cpu/lane_tables.h"

#include <math.h>
#include <string.h>

/* MOST: tables of 32 MB are kept */
enum { LEAST = 1 << 12, LEAST_NARROW = 1 << 17, MOST = 1 << 24, SHORTEST = 32, LINE = 64 };
enum { TILE = AGNI_MOST_LANES, ASIDE_BYTES = 1 << 23, CHUNK = 32 };

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

/* the pairs that are transformed; 0: not this way */
static int64_t count_pairs(const agni_fft_key *key)
{
    int64_t n = key->dim->n;
    return key->kind == AGNI_C2C                                                     ? n
           : (key->kind == AGNI_R2C || key->kind == AGNI_C2R) && n % 2 == 0 ? n / 2
                                                                                     : 0;
}

bool agni_fft_splits(const agni_fft_key *key)
{
    int64_t n1, n2, n = count_pairs(key);
    const agni_fft_dim *d = key->dim;
    if (key->rank != 1 || n < LEAST || n > MOST || d->is != 1 || d->os != 1)
        return false;
    /* rows of less than a cache line pay only where many are walked through */
    bool narrow = agni_fft_lanes(key->single)->lanes * agni_pair_bytes(key->single) < LINE;
    return (!narrow || (key->single && n >= LEAST_NARROW)) && split_length(n, &n1, &n2);
}

/* ---- both steps ----------------------------------------------------------------------------- */

typedef struct split {
    const agni_lane_kernels *kernels;
    const agni_lane_tables *tables;
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
    split q = {.kernels = agni_fft_lanes(key->single),
               .pair = agni_pair_bytes(key->single),
               .inverse = key->sign > 0};
    bool halves = key->kind == AGNI_R2C, back = key->kind == AGNI_C2R;
    int64_t at[AGN_MAX_RANK] = {0}, n = count_pairs(key), in_bytes = q.pair >> halves,
            out_bytes = q.pair >> back;
    if (!split_length(n, &q.n1, &q.n2))
        return false;
    atomic_init(&q.failed, false);
    q.t = agni_alloc_aligned((size_t)(n * q.pair));
    agni_fft_plan *p = q.t ? agni_fft_acquire_tables(q.kernels, key->single, halves || back, q.n1,
                                                     q.n2, &q.tables)
                           : NULL;
    bool good = p != NULL;
    while (good) {
        q.x = back ? out : in;
        q.y = out;
        q.aside = !halves && n * q.pair >= ASIDE_BYTES && (uintptr_t)out % LINE == 0;
        if (back)
            q.kernels->tangle(out, in, q.tables->halves, n);
        good = run_line(&q);
        if (halves && good)
            q.kernels->untangle(out, out, q.tables->halves, n);
        int k = key->many;
        for (; k > 0; k--) {
            const agni_fft_dim *d = key->dim + k;
            in += d->is * in_bytes;
            out += d->os * out_bytes;
            if (++at[k] < d->n)
                break;
            in -= d->n * d->is * in_bytes;
            out -= d->n * d->os * out_bytes;
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
