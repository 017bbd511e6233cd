/* optim/lbfgs.c - limited-memory BFGS: the product with the inverse Hessian by two loops over
   the last pairs (Nocedal 1980; Nocedal & Wright 2006, algorithm 7.4). */
#include "optim/optim.h"

#include <math.h>
#include <string.h>

/* own: steps [m, n], changes of the gradient [m, n], 1 / their products [m] */
static bool lbfgs_memory(const agn_optim *o, int64_t *saved)
{
    int64_t rows;
    return agni_checked_mul(o->n, 2 * (int64_t)o->opt.history, &rows) &&
           agni_checked_add(rows, o->opt.history, saved);
}
static void lbfgs_start(agn_optim *o)
{
    int64_t block = o->n * o->opt.history;
    o->history[0] = o->own;
    o->history[1] = o->own + block;
    o->history[2] = o->own + 2 * block;
}

static bool lbfgs_reset(agn_optim *o)
{
    bool had = o->k.pairs > 0;
    o->k.pairs = o->k.next = 0;
    return had;
}

static void lbfgs_direction(agn_optim *o)
{
    int m = o->opt.history, pairs = (int)o->k.pairs, next = (int)o->k.next;
    const double *s = o->history[0], *y = o->history[1], *rho = o->history[2];
    int64_t n = o->n;
    double *d = o->d, *alpha = o->part;
    for (int64_t i = 0; i < n; i++)
        d[i] = -o->g[i];
    for (int j = 1; j <= pairs; j++) {
        int row = (next - j + m) % m;
        alpha[row] = rho[row] * agni_vector_dot_f64(n, s + row * n, d);
        agni_vector_axpby(AGN_F64, n, -alpha[row], y + row * n, 1, d);
    }
    if (pairs) {
        int row = (next - 1 + m) % m;
        double gamma = 1 / (rho[row] * agni_vector_dot_f64(n, y + row * n, y + row * n));
        for (int64_t i = 0; i < n; i++)
            d[i] *= gamma;
    }
    for (int j = pairs; j >= 1; j--) {
        int row = (next - j + m) % m;
        double beta = rho[row] * agni_vector_dot_f64(n, y + row * n, d);
        agni_vector_axpby(AGN_F64, n, alpha[row] - beta, s + row * n, 1, d);
    }
}

static void lbfgs_update(agn_optim *o)
{
    int row = (int)o->k.next, m = o->opt.history;
    int64_t n = o->n;
    double *s = o->v1, *y = o->v2;
    for (int64_t i = 0; i < n; i++) {
        s[i] = o->x[i] - o->x0[i];
        y[i] = o->g[i] - o->g0[i];
    }
    double sy = agni_vector_dot_f64(n, s, y), ss = agni_vector_dot_f64(n, s, s);
    double g = sqrt(agni_vector_dot_f64(n, o->g0, o->g0));
    /* Li & Fukushima 2001, (2.10): curvature that is too small for its length is left out */
    if (!(sy > 1e-6 * fmin(g, 1) * ss) || !isfinite(1 / sy))
        return;
    memcpy(o->history[0] + row * n, s, (size_t)n * sizeof *s);
    memcpy(o->history[1] + row * n, y, (size_t)n * sizeof *y);
    o->history[2][row] = 1 / sy;
    o->k.next = (row + 1) % m;
    if (o->k.pairs < m)
        o->k.pairs++;
}

const agni_optim_method agni_optim_lbfgs = {"lbfgs",         lbfgs_memory, lbfgs_start,
                                            lbfgs_direction, lbfgs_update, lbfgs_reset};
