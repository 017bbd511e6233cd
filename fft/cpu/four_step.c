/* fft/cpu/four_step.c - long transforms of single numbers as short ones of rows and columns of a
   matrix (Gentleman & Sande 1966; Bailey 1990): some columns at a time lie side by side in a cache
   while they are transformed, turned and stored as rows; then the columns of those. FFTW, which
   estimates its plans, walks through memory more often. */
#include "fft/fft.h"

#include <math.h>
#include <string.h>

/* MOST: turns of 32 MB are kept */
enum { LEAST = 1 << 17, MOST = 1 << 22, SHORTEST = 256, ASIDE = 32, TILE = 8, ROOTS = 1 << 12 };

typedef struct pair {
    float part[2];
} pair;
enum { PAIR = sizeof(pair) };

/* n = n1 n2, n1 <= n2, both whole tiles and about as long; false where there are none */
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
    return key->kind == AGNI_C2C && key->single && key->rank == 1 && d->n >= LEAST &&
           d->n <= MOST && d->is == 1 && d->os == 1 && split_length(d->n, &n1, &n2);
}

/* ---- parts -------------------------------------------------------------------------------- */

/* n pairs, a whole number of tiles, of each of m columns, step apart, to rows, and back */
static void gather_columns(pair *restrict rows, int64_t ld, const pair *restrict x,
                           int64_t step, int64_t n, int64_t m)
{
    for (int64_t i = 0; i < n; i += TILE, x += TILE * step)
        for (int64_t k = 0; k < m; k += TILE)
            for (int a = 0; a < TILE; a++)
                for (int j = 0; j < TILE; j++)
                    rows[(k + a) * ld + i + j] = x[j * step + k + a];
}
static void scatter_columns(pair *restrict y, int64_t step, const pair *restrict rows,
                            int64_t ld, int64_t n, int64_t m)
{
    for (int64_t i = 0; i < n; i += TILE, y += TILE * step)
        for (int64_t k = 0; k < m; k += TILE)
            for (int j = 0; j < TILE; j++)
                for (int a = 0; a < TILE; a++)
                    y[j * step + k + a] = rows[(k + a) * ld + i + j];
}

static void turn_row(float *restrict to, const float *restrict x, const float *restrict w,
                     int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        float a = x[2 * i], b = x[2 * i + 1], c = w[2 * i], d = w[2 * i + 1];
        to[2 * i] = a * c - b * d;
        to[2 * i + 1] = a * d + b * c;
    }
}

typedef struct split {
    int64_t n1, n2, ld;
    int sign;
    pair *x, *y, *t;
    const float *turns;
    bool second;
    atomic_bool failed;
} split;

/* m rows of n side by side in place */
static agni_fft_plan *find_plan(const split *q, int64_t n, int64_t m, void *rows)
{
    agni_fft_key key;
    memset(&key, 0, sizeof key); /* keys are compared by bytes */
    key.kind = AGNI_C2C;
    key.sign = q->sign;
    key.single = 1;
    key.in_place = 1;
    key.rank = 1;
    key.many = 1;
    key.dim[0] = (agni_fft_dim){n, 1, 1};
    key.dim[1] = (agni_fft_dim){m, q->ld, q->ld};
    key.align_in = key.align_out = agni_fft_alignment(true, rows);
    return agni_fft_acquire(&key, rows, rows);
}

/* columns from j on: of x to rows of t; of t to columns of y */
static void run_columns(void *user, int64_t i, int worker)
{
    split *q = user;
    (void)worker;
    int64_t n = q->second ? q->n2 : q->n1, side = q->second ? q->n1 : q->n2, j = i * ASIDE,
            m = side - j < ASIDE ? side - j : ASIDE;
    pair *rows = agni_alloc_aligned((size_t)(m * q->ld * PAIR));
    agni_fft_plan *p = rows ? find_plan(q, n, m, rows) : NULL;
    if (p) {
        gather_columns(rows, q->ld, (q->second ? q->t : q->x) + j, side, n, m);
        agni_fft_execute(p, rows, rows);
        agni_fft_release(p);
        if (q->second)
            scatter_columns(q->y + j, side, rows, q->ld, n, m);
        for (int64_t k = 0; !q->second && k < m; k++)
            turn_row((float *)(q->t + (j + k) * n), (const float *)(rows + k * q->ld),
                     q->turns + 2 * (j + k) * n, n);
    } else {
        atomic_store(&q->failed, true);
    }
    agni_free(rows);
}

/* exp(sign 2 pi i j k / n) of rows j < n2, k < n1, from two tables whose products they are */
void agni_fft_fill_turns(float *to, int64_t n1, int64_t n2, int sign, double *room)
{
    int64_t n = n1 * n2;
    double step = sign * 2 * 3.14159265358979323846 / (double)n;
    for (int64_t i = 0; i < ROOTS; i++) {
        double fine = step * (double)i, coarse = step * (double)((i * ROOTS) % n);
        room[4 * i] = cos(fine);
        room[4 * i + 1] = sin(fine);
        room[4 * i + 2] = cos(coarse);
        room[4 * i + 3] = sin(coarse);
    }
    for (int64_t j = 0; j < n2; j++)
        for (int64_t k = 0; k < n1; k++, to += 2) {
            const double *a = room + 4 * (j * k % ROOTS), *b = room + 4 * (j * k / ROOTS) + 2;
            to[0] = (float)(a[0] * b[0] - a[1] * b[1]);
            to[1] = (float)(a[0] * b[1] + a[1] * b[0]);
        }
}

/* one line */
static bool run_line(split *q)
{
    q->second = false;
    agni_parallel_for((q->n2 + ASIDE - 1) / ASIDE, run_columns, q);
    q->second = true;
    if (!atomic_load(&q->failed))
        agni_parallel_for((q->n1 + ASIDE - 1) / ASIDE, run_columns, q);
    return !atomic_load(&q->failed);
}

bool agni_fft_run_split(const agni_fft_key *key, char *in, char *out)
{
    split q = {.sign = key->sign};
    int64_t at[AGN_MAX_RANK] = {0}, n = key->dim->n;
    if (!split_length(n, &q.n1, &q.n2))
        return false;
    q.ld = q.n2 + 16; /* off the powers of two, and with n1 it says n2: the plan keeps the turns */
    atomic_init(&q.failed, false);
    pair *room = agni_alloc_aligned((size_t)(n + ASIDE * q.ld) * PAIR);
    q.t = room;
    agni_fft_plan *p = room ? find_plan(&q, q.n1, ASIDE, room + n) : NULL;
    q.turns = p ? agni_fft_get_products(p, q.n1, q.n2) : NULL;
    bool good = q.turns != NULL;
    while (good) {
        q.x = (pair *)in;
        q.y = (pair *)out;
        good = run_line(&q);
        int k = key->many;
        for (; k > 0; k--) {
            const agni_fft_dim *d = key->dim + k;
            in += d->is * PAIR;
            out += d->os * PAIR;
            if (++at[k] < d->n)
                break;
            in -= d->n * d->is * PAIR;
            out -= d->n * d->os * PAIR;
            at[k] = 0;
        }
        if (k == 0)
            break;
    }
    if (p)
        agni_fft_release(p);
    agni_free(room);
    return good;
}
