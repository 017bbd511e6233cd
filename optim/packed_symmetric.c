/* optim/packed_symmetric.c - a packed symmetric matrix, the inverse Hessian of BFGS: its
   rank-two update and its product with a vector in one pass over its memory, by threads in a
   fixed order. */
#include "optim/optim.h"

#include <math.h>
#include <string.h>

enum { LANES = 2 };
typedef double lanes __attribute__((vector_size(LANES * sizeof(double))));

static inline lanes load_lanes(const double *a)
{
    lanes v;
    memcpy(&v, a, sizeof v);
    return v;
}
static inline double sum_lanes(lanes v)
{
    return v[0] + v[1];
}

typedef struct packed_pass {
    int64_t n;
    int chunks;
    double *h, *part;
    const double *x;
    bool update;
    double scale;
    const double *s, *u, *p, *q;
} packed_pass;

int agni_packed_chunks(int64_t n)
{
    return n < 256 ? 1 : 16;
}

/* chunks of rows with about the same number of elements */
static int64_t first_row(const packed_pass *w, int64_t i)
{
    return i == w->chunks ? w->n : (int64_t)((double)w->n * sqrt((double)i / w->chunks));
}

/* one row without its diagonal: y += x_i row; returns row . x */
static inline double multiply_row(int64_t n, const double *row, const double *x, double xi,
                                  double *y)
{
    lanes sum = {0}, c = {xi, xi};
    int64_t j = 0;
    for (; j + LANES <= n; j += LANES) {
        lanes h = load_lanes(row + j), v = load_lanes(y + j) + h * c;
        sum += h * load_lanes(x + j);
        memcpy(y + j, &v, sizeof v);
    }
    double rest = 0;
    for (; j < n; j++) {
        rest += row[j] * x[j];
        y[j] += row[j] * xi;
    }
    return sum_lanes(sum) + rest;
}

/* the same of the row after its change, which is written back */
static inline double update_and_multiply_row(const packed_pass *w, int64_t i, double *row,
                                             double *y)
{
    double si = w->s[i], ui = w->u[i], xi = w->x[i];
    lanes sum = {0}, it = {w->scale, w->scale}, sv = {si, si}, uv = {ui, ui}, c = {xi, xi};
    int64_t j = 0;
    for (; j + LANES <= i; j += LANES) {
        lanes h = load_lanes(row + j) * it +
                  (sv * load_lanes(w->p + j) + uv * load_lanes(w->q + j));
        lanes v = load_lanes(y + j) + h * c;
        sum += h * load_lanes(w->x + j);
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
    return sum_lanes(sum) + rest;
}

static void process_chunk(void *user, int64_t c, int worker)
{
    const packed_pass *w = user;
    (void)worker;
    double *y = w->part + c * w->n;
    int64_t from = first_row(w, c), to = first_row(w, c + 1);
    memset(y, 0, (size_t)to * sizeof *y);
    for (int64_t i = from; i < to; i++) {
        double *row = w->h + i * (i + 1) / 2;
        double sum = w->update ? update_and_multiply_row(w, i, row, y)
                               : multiply_row(i, row, w->x, w->x[i], y);
        y[i] += sum + row[i] * w->x[i];
    }
}

void agni_packed_update_multiply(int64_t n, double *h, const double *x, double *y, double *part,
                                 const agni_optim_scalars *update, const double *s, const double *u,
                                 double *p, double *q)
{
    packed_pass w = {n, agni_packed_chunks(n), h, part, x, update != NULL, 1, s, u, p, q};
    if (update) {
        w.scale = update->scale;
        for (int64_t j = 0; j < n; j++) {
            p[j] = update->ss * s[j] + update->su * u[j];
            q[j] = update->su * s[j] + update->uu * u[j];
        }
    }
    agni_parallel_for(w.chunks, process_chunk, &w);
    memset(y, 0, (size_t)n * sizeof *y);
    for (int c = 0; c < w.chunks; c++)
        for (int64_t j = 0, to = first_row(&w, c + 1); j < to; j++)
            y[j] += part[c * n + j];
}
