/* optim/chunked_vector.c - sums and products of vectors, in fixed chunks: the bits depend on the
   length alone, not on the number of threads. */
#include "optim/optim.h"

#include <math.h>
#include <string.h>

enum { LANES = 2, MOST_CHUNKS = 64, SMALL = 1 << 15 };
typedef double lanes __attribute__((vector_size(LANES * sizeof(double))));

static inline lanes load(const double *a)
{
    lanes v;
    memcpy(&v, a, sizeof v);
    return v;
}
static inline double total(lanes v)
{
    return v[0] + v[1];
}

/* ---- one vector or two ------------------------------------------------------------- */

typedef struct chunked {
    int64_t n, each;
    const double *a, *b;
    double *y, c;
    double sum[MOST_CHUNKS];
} chunked;

static int64_t split(chunked *w)
{
    w->each = w->n <= SMALL ? w->n : (w->n + MOST_CHUNKS - 1) / MOST_CHUNKS;
    return w->n ? (w->n + w->each - 1) / w->each : 0;
}
static int64_t end_of(const chunked *w, int64_t i)
{
    int64_t end = (i + 1) * w->each;
    return end < w->n ? end : w->n;
}

static void dot_chunk(void *user, int64_t i, int worker)
{
    chunked *w = user;
    (void)worker;
    int64_t j = i * w->each, end = end_of(w, i);
    lanes s[4] = {{0}};
    for (; j + 4 * LANES <= end; j += 4 * LANES)
        for (int l = 0; l < 4; l++)
            s[l] += load(w->a + j + l * LANES) * load(w->b + j + l * LANES);
    double rest = 0;
    for (; j < end; j++)
        rest += w->a[j] * w->b[j];
    w->sum[i] = total((s[0] + s[1]) + (s[2] + s[3])) + rest;
}
double agni_optim_dot(int64_t n, const double *a, const double *b)
{
    chunked w = {.n = n, .a = a, .b = b};
    int64_t chunks = split(&w);
    agni_parallel_for(chunks, dot_chunk, &w);
    double sum = 0;
    for (int64_t i = 0; i < chunks; i++)
        sum += w.sum[i];
    return sum;
}

static void axpy_chunk(void *user, int64_t i, int worker)
{
    chunked *w = user;
    (void)worker;
    for (int64_t j = i * w->each, end = end_of(w, i); j < end; j++)
        w->y[j] += w->c * w->a[j];
}
void agni_optim_axpy(int64_t n, double c, const double *a, double *y)
{
    chunked w = {.n = n, .a = a, .y = y, .c = c};
    agni_parallel_for(split(&w), axpy_chunk, &w);
}

/* NaN if there is one */
double agni_optim_largest(int64_t n, const double *a)
{
    double most = 0;
    bool nan = false;
    for (int64_t i = 0; i < n; i++) {
        most = fabs(a[i]) > most ? fabs(a[i]) : most;
        nan |= a[i] != a[i];
    }
    return nan ? (double)NAN : most;
}

/* ---- a packed symmetric matrix: changed and multiplied in one pass over its memory ---- */

typedef struct sweep {
    int64_t n;
    int chunks;
    double *h, *part;
    const double *x;
    bool update;
    double scale;
    const double *s, *u, *p, *q;
} sweep;

int agni_optim_chunks(int64_t n)
{
    return n < 256 ? 1 : 16;
}

/* chunks of rows with about the same number of elements */
static int64_t first_row(const sweep *w, int64_t i)
{
    return i == w->chunks ? w->n : (int64_t)((double)w->n * sqrt((double)i / w->chunks));
}

/* one row without its diagonal: y += x_i row; returns row . x */
static inline double row_product(int64_t n, const double *row, const double *x, double xi, double *y)
{
    lanes sum = {0}, c = {xi, xi};
    int64_t j = 0;
    for (; j + LANES <= n; j += LANES) {
        lanes h = load(row + j), v = load(y + j) + h * c;
        sum += h * load(x + j);
        memcpy(y + j, &v, sizeof v);
    }
    double rest = 0;
    for (; j < n; j++) {
        rest += row[j] * x[j];
        y[j] += row[j] * xi;
    }
    return total(sum) + rest;
}

/* the same of the row after its change, which is written back */
static inline double row_update(const sweep *w, int64_t i, double *row, double *y)
{
    double si = w->s[i], ui = w->u[i], xi = w->x[i];
    lanes sum = {0}, it = {w->scale, w->scale}, sv = {si, si},
          uv = {ui, ui}, c = {xi, xi};
    int64_t j = 0;
    for (; j + LANES <= i; j += LANES) {
        lanes h = load(row + j) * it + (sv * load(w->p + j) + uv * load(w->q + j));
        lanes v = load(y + j) + h * c;
        sum += h * load(w->x + j);
        memcpy(row + j, &h, sizeof h);
        memcpy(y + j, &v, sizeof v);
    }
    double rest = 0;
    for (; j < i; j++) {
        row[j] = row[j] * w->scale + (si * w->p[j] + ui * w->q[j]);
        rest += row[j] * w->x[j];
        y[j] += row[j] * xi;
    }
    row[i] = row[i] * w->scale + (si * w->p[i] + ui * w->q[i]);
    return total(sum) + rest;
}

static void sweep_chunk(void *user, int64_t c, int worker)
{
    const sweep *w = user;
    (void)worker;
    double *y = w->part + c * w->n;
    int64_t from = first_row(w, c), to = first_row(w, c + 1);
    memset(y, 0, (size_t)to * sizeof *y);
    for (int64_t i = from; i < to; i++) {
        double *row = w->h + i * (i + 1) / 2;
        double sum = w->update ? row_update(w, i, row, y)
                               : row_product(i, row, w->x, w->x[i], y);
        y[i] += sum + row[i] * w->x[i];
    }
}

void agni_optim_sweep(int64_t n, double *h, const double *x, double *y, double *part,
                      const agni_optim_scalars *update, const double *s, const double *u,
                      double *p, double *q)
{
    sweep w = {n, agni_optim_chunks(n), h, part, x, update != NULL, 1, s, u, p, q};
    if (update) {
        w.scale = update->scale;
        for (int64_t j = 0; j < n; j++) {
            p[j] = update->ss * s[j] + update->su * u[j];
            q[j] = update->su * s[j] + update->uu * u[j];
        }
    }
    agni_parallel_for(w.chunks, sweep_chunk, &w);
    memset(y, 0, (size_t)n * sizeof *y);
    for (int c = 0; c < w.chunks; c++)
        for (int64_t j = 0, to = first_row(&w, c + 1); j < to; j++)
            y[j] += part[c * n + j];
}
