/* infer/whitening.c - linear maps in which a posterior is nearly round, learnt while a chain warms
   up: a covariance's Cholesky factor, or scales with a few directions of their own, from draws and
   gradients (Tran & Kleppe 2024 for scales, here for matrices). */
#include "infer/whitening.h"

#include <math.h>
#include <string.h>

/* ---- maps --------------------------------------------------------------------------- */

/* x += U (f(w) - 1) U^T x, f the identity or the reciprocal */
static void stretch_axes(const agni_whitening *t, double *x, bool inverse)
{
    for (int64_t k = 0; k < t->rank; k++) {
        const double *u = t->u + k * t->n;
        double dot = 0, by = (inverse ? 1 / t->w[k] : t->w[k]) - 1;
        for (int64_t i = 0; i < t->n; i++)
            dot += u[i] * x[i];
        for (int64_t i = 0; i < t->n; i++)
            x[i] += by * dot * u[i];
    }
}
void agni_whitening_forward(const agni_whitening *t, double *x, const double *q)
{
    int64_t n = t->n;
    if (t->kind == AGN_METRIC_DENSE) {
        for (int64_t i = n; i-- > 0;) {
            double sum = 0;
            for (int64_t j = 0; j <= i; j++)
                sum += t->factor[i * n + j] * q[j];
            x[i] = sum;
        }
        return;
    }
    memmove(x, q, (size_t)n * sizeof *x);
    stretch_axes(t, x, false);
    for (int64_t i = 0; i < n; i++)
        x[i] *= t->scale[i];
}
void agni_whitening_inverse(const agni_whitening *t, double *q, const double *x)
{
    int64_t n = t->n;
    if (t->kind == AGN_METRIC_DENSE) {
        for (int64_t i = 0; i < n; i++) {
            double sum = x[i];
            for (int64_t j = 0; j < i; j++)
                sum -= t->factor[i * n + j] * q[j];
            q[i] = sum / t->factor[i * n + i];
        }
        return;
    }
    for (int64_t i = 0; i < n; i++)
        q[i] = x[i] / t->scale[i];
    stretch_axes(t, q, true);
}
void agni_whitening_transpose(const agni_whitening *t, double *gq, const double *gx)
{
    int64_t n = t->n;
    if (t->kind == AGN_METRIC_DENSE) {
        for (int64_t j = 0; j < n; j++)
            gq[j] = 0;
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j <= i; j++)
                gq[j] += t->factor[i * n + j] * gx[i];
        return;
    }
    for (int64_t i = 0; i < n; i++)
        gq[i] = t->scale[i] * gx[i];
    stretch_axes(t, gq, false);
}
void agni_whitening_transpose_inverse(const agni_whitening *t, double *gx, const double *gq)
{
    int64_t n = t->n;
    memmove(gx, gq, (size_t)n * sizeof *gx);
    if (t->kind == AGN_METRIC_DENSE) {
        for (int64_t i = n; i-- > 0;) {
            gx[i] /= t->factor[i * n + i];
            for (int64_t j = 0; j < i; j++)
                gx[j] -= t->factor[i * n + j] * gx[i];
        }
        return;
    }
    stretch_axes(t, gx, true);
    for (int64_t i = 0; i < n; i++)
        gx[i] /= t->scale[i];
}

/* ---- learning ----------------------------------------------------------------------- */

agn_status agni_whitening_make(agni_whitening *t, agni_window *w, const char *op, int kind,
                               int64_t n, int32_t rank)
{
    *t = (agni_whitening){.kind = kind, .n = n};
    *w = (agni_window){.most = kind == AGN_METRIC_LOW_RANK ? 200
                               : n < 200                   ? 400
                               : n < 500                   ? 2 * n
                                                           : 1000,
                       .rank = rank < n ? rank : n};
    int64_t own = kind == AGN_METRIC_DENSE ? n * n : n + 2 * w->rank * (n + 1), all;
    if (!agni_checked_mul(2 * w->most + 2, n * 8, &all) || own > INT64_MAX / 16)
        return agni_fail(AGN_ENOMEM, "%s: a metric of %lld numbers", op, (long long)n);
    t->factor = agni_zalloc((size_t)own * sizeof *t->factor);
    t->raw = agni_zalloc((size_t)(2 * n) * sizeof *t->raw);
    w->q = agni_zalloc((size_t)all);
    if (!t->factor || !t->raw || !w->q)
        return agni_nomem(op, (size_t)all);
    t->tmp = t->raw + n;
    w->g = w->q + w->most * n;
    if (kind == AGN_METRIC_DENSE)
        for (int64_t i = 0; i < n; i++)
            t->factor[i * n + i] = 1;
    else {
        t->scale = t->factor;
        t->u = t->scale + n;
        t->w = t->u + 2 * w->rank * n;
        for (int64_t i = 0; i < n; i++)
            t->scale[i] = 1;
    }
    return AGN_OK;
}
void agni_whitening_free(agni_whitening *t, agni_window *w)
{
    agni_free(t->factor);
    agni_free(t->raw);
    agni_free(w->q);
}
/* Of more draws than there is room for, the oldest are dropped. */
void agni_window_add(agni_window *w, const agni_whitening *t, const double *q, const double *g)
{
    int64_t at = w->n++ % w->most;
    agni_whitening_forward(t, w->q + at * t->n, q);
    agni_whitening_transpose_inverse(t, w->g + at * t->n, g);
}
static void centre_columns(double *v, int64_t m, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        double mean = 0;
        for (int64_t k = 0; k < m; k++)
            mean += v[k * n + i] / (double)m;
        for (int64_t k = 0; k < m; k++)
            v[k * n + i] -= mean;
    }
}
static double spread_of(const double *v, int64_t m, int64_t n, int64_t i)
{
    double sum = 0;
    for (int64_t k = 0; k < m; k++)
        sum += v[k * n + i] * v[k * n + i];
    return sum / (double)(m - 1);
}
/* covariance of the draws, its correlations drawn towards 0 as by five more draws */
static bool learn_dense(agni_whitening *t, const agni_window *w, int64_t m)
{
    int64_t n = t->n;
    double by = (double)m / (double)(m + 5) / (double)(m - 1);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++) {
            double sum = 0;
            for (int64_t k = 0; k < m; k++)
                sum += w->q[k * n + i] * w->q[k * n + j];
            t->factor[i * n + j] = i == j ? sum / (double)(m - 1) : sum * by;
        }
    return agni_lower_factor(t->factor, n);
}

/* Up to rank directions in which rows of v (m of them) spread most, if by more than twice what is
   usual; appended to rows of u that are orthonormal. */
static agn_status find_widest(double *u, int64_t *have, int64_t rank, const double *v, int64_t m,
                              int64_t n)
{
    bool small = m < n; /* of two Gram matrices the smaller one */
    int64_t k = small ? m : n;
    double *gram = agni_alloc((size_t)(2 * k * k + k + n) * sizeof *gram);
    if (!gram)
        return agni_nomem("whitening", (size_t)(2 * k * k + k + n) * sizeof *gram);
    double *vectors = gram + k * k, *values = vectors + k * k, *x = values + k;
    for (int64_t i = 0; i < k; i++)
        for (int64_t j = 0; j < k; j++) {
            double sum = 0;
            if (small)
                for (int64_t c = 0; c < n; c++)
                    sum += v[i * n + c] * v[j * n + c];
            else
                for (int64_t c = 0; c < m; c++)
                    sum += v[c * n + i] * v[c * n + j];
            gram[i * k + j] = sum / (double)(m - 1);
        }
    agn_status st = agni_eigh(values, vectors, gram, k);
    for (int64_t e = 0; !st && e < rank && e < k && values[k - 1 - e] > 2; e++) {
        for (int64_t c = 0; c < n; c++) {
            x[c] = 0;
            if (!small)
                x[c] = vectors[c * k + k - 1 - e];
            else
                for (int64_t i = 0; i < m; i++)
                    x[c] += vectors[i * k + k - 1 - e] * v[i * n + c];
        }
        double before = 0, left = 0;
        for (int64_t c = 0; c < n; c++)
            before += x[c] * x[c];
        for (int twice = 0; twice < 2; twice++)
            for (int64_t r = 0; r < *have; r++) {
                double dot = 0;
                for (int64_t c = 0; c < n; c++)
                    dot += x[c] * u[r * n + c];
                for (int64_t c = 0; c < n; c++)
                    x[c] -= dot * u[r * n + c];
            }
        for (int64_t c = 0; c < n; c++)
            left += x[c] * x[c];
        if (!(left > 1e-4 * before) || *have >= n)
            continue;
        for (int64_t c = 0; c < n; c++)
            u[*have * n + c] = x[c] / sqrt(left);
        ++*have;
    }
    agni_free(gram);
    return st;
}
/* covariance of rows of v along rows of u, with a little of 1: as by ten more draws of it */
static void project_covariance(double *cov, const double *v, int64_t m, int64_t n, const double *u,
                               int64_t r, double *x)
{
    memset(cov, 0, (size_t)(r * r) * sizeof *cov);
    for (int64_t k = 0; k < m; k++) {
        for (int64_t a = 0; a < r; a++) {
            x[a] = 0;
            for (int64_t c = 0; c < n; c++)
                x[a] += u[a * n + c] * v[k * n + c];
        }
        for (int64_t a = 0; a < r; a++)
            for (int64_t b = 0; b < r; b++)
                cov[a * r + b] += x[a] * x[b];
    }
    for (int64_t a = 0; a < r * r; a++)
        cov[a] = (cov[a] + (a % (r + 1) ? 0 : 1)) / (double)m;
}
/* y = a^p of a symmetric matrix */
static agn_status power_of(double *y, const double *a, double p, int64_t r, double *w, double *v)
{
    agn_status st = agni_eigh(w, v, a, r);
    for (int64_t i = 0; !st && i < r; i++)
        for (int64_t j = 0; j < r; j++) {
            y[i * r + j] = 0;
            for (int64_t k = 0; k < r; k++)
                y[i * r + j] += v[i * r + k] * pow(w[k] > 1e-12 ? w[k] : 1e-12, p) * v[j * r + k];
        }
    return st;
}
static void geometric_mean(double *y, const double *a, const double *b, int64_t r, double *x) /* a b a */
{
    for (int64_t i = 0; i < r; i++)
        for (int64_t j = 0; j < r; j++) {
            x[i * r + j] = 0;
            for (int64_t k = 0; k < r; k++)
                x[i * r + j] += a[i * r + k] * b[k * r + j];
        }
    for (int64_t i = 0; i < r; i++)
        for (int64_t j = 0; j < r; j++) {
            y[i * r + j] = 0;
            for (int64_t k = 0; k < r; k++)
                y[i * r + j] += x[i * r + k] * a[k * r + j];
        }
}
/* The symmetric S for which draws and gradients have one covariance, S G S = Q: the geometric mean
   of Q and G^-1, G^-1/2 (G^1/2 Q G^1/2)^1/2 G^-1/2 (Bhatia 2007, 4.1); along its eigenvectors the
   map stretches by roots. */
static agn_status learn_low_rank(agni_whitening *t, agni_window *w, int64_t m)
{
    int64_t n = t->n, r = 0;
    double *u = agni_zalloc((size_t)(2 * w->rank * n) * sizeof *u), *v = w->q, *g = w->g;
    if (!u)
        return agni_nomem("whitening", (size_t)(2 * w->rank * n) * sizeof *u);
    for (int64_t i = 0; i < n; i++) {
        double s = sqrt(sqrt(spread_of(v, m, n, i) / spread_of(g, m, n, i)));
        t->scale[i] = isfinite(s) && s > 1e-10 && s < 1e10 ? s : 1;
        for (int64_t k = 0; k < m; k++) {
            v[k * n + i] /= t->scale[i];
            g[k * n + i] *= t->scale[i];
        }
    }
    agn_status st = find_widest(u, &r, w->rank, v, m, n);
    st = st ? st : find_widest(u, &r, w->rank, g, m, n);
    double *room = st || !r ? NULL : agni_alloc((size_t)(7 * r * r + r + n) * sizeof *room);
    if (!st && r && !room)
        st = agni_nomem("whitening", (size_t)(7 * r * r) * sizeof *room);
    if (room) {
        double *cq = room, *cg = cq + r * r, *root = cg + r * r, *back = root + r * r,
               *x = back + r * r, *y = x + r * r, *vectors = y + r * r, *values = vectors + r * r;
        project_covariance(cq, v, m, n, u, r, x);
        project_covariance(cg, g, m, n, u, r, x);
        st = power_of(root, cg, 0.5, r, values, vectors);
        st = st ? st : power_of(back, cg, -0.5, r, values, vectors);
        if (!st) {
            geometric_mean(y, root, cq, r, x);
            memcpy(cq, y, (size_t)(r * r) * sizeof *y);
            st = power_of(y, cq, 0.5, r, values, vectors);
        }
        if (!st) {
            geometric_mean(cq, back, y, r, x);
            st = agni_eigh(values, vectors, cq, r);
        }
        for (int64_t k = 0; !st && k < r; k++) {
            double s = sqrt(values[k]);
            t->w[k] = isfinite(s) && s > 1e-6 && s < 1e6 ? s : 1;
            for (int64_t c = 0; c < n; c++) {
                t->u[k * n + c] = 0;
                for (int64_t a = 0; a < r; a++)
                    t->u[k * n + c] += vectors[a * r + k] * u[a * n + c];
            }
        }
    }
    if (!st)
        t->rank = r;
    agni_free(room);
    agni_free(u);
    return st;
}
/* From the draws of the window, which is empty then; false in *learnt: there are too few, or they
   do not spread. */
agn_status agni_whitening_learn(agni_whitening *t, agni_window *w, bool *learnt)
{
    int64_t m = w->n < w->most ? w->n : w->most, n = t->n;
    agn_status st = AGN_OK;
    *learnt = m >= 10;
    for (int64_t i = 0; *learnt && i < m * n; i++)
        *learnt = isfinite(w->q[i]) && isfinite(w->g[i]);
    if (*learnt) {
        centre_columns(w->q, m, n);
        centre_columns(w->g, m, n);
        if (t->kind == AGN_METRIC_LOW_RANK)
            st = learn_low_rank(t, w, m);
        else if (!learn_dense(t, w, m)) {
            *learnt = false;
            memset(t->factor, 0, (size_t)(n * n) * sizeof *t->factor);
            for (int64_t i = 0; i < n; i++)
                t->factor[i * n + i] = 1;
        }
    }
    w->n = 0;
    return st;
}
