/* linalg/functions/cpu/riccati_refine.c - Newton's method for Riccati's equations (Kleinman 1968;
   Hewer 1971): each step solves the equation of Lyapunov or Stein of the closed loop f, by Schur's
   form of f (Bartels & Stewart 1972), for a residual in long double. With the gain g the residual
   is written f^H x + x f + g^H r g + q, or f^H x f - x + g^H r g + q, in which an error of g
   counts squared (Joseph's form). */
#include "linalg/functions/cpu/riccati.h"

#include <string.h>

typedef long double fine;
typedef struct pair {
    fine re, im;
} pair;

typedef struct newton {
    const agni_riccati_system *s;
    pair *a, *b, *q, *r, *x; /* as given */
    pair *g, *f, *residual, *xb, *m,
        *small; /* gain [k, n], loop, xb [n, k], m [n, n], small [k, k] */
    pair *rg;   /* [k, n] */
    double complex *t, *u, *y, *c, *kept, *w, *work;
    int64_t lwork;
    fine norm, scale; /* of the residual, and of its terms */
} newton;

/* ---- products in long double, by columns ---------------------------------------------------- */

/* c [m, n] = op(a) b with inner size k; op(a) is a [m, k], or the adjoint of a [k, m] */
static void multiply_pairs(bool adjoint, int64_t m, int64_t n, int64_t k, const pair *a,
                           const pair *b, pair *c)
{
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++) {
            fine re = 0, im = 0;
            for (int64_t l = 0; l < k; l++) {
                pair u = adjoint ? a[i * k + l] : a[l * m + i], v = b[j * k + l];
                fine turned = adjoint ? -u.im : u.im;
                re += u.re * v.re - turned * v.im;
                im += u.re * v.im + turned * v.re;
            }
            c[j * m + i] = (pair){re, im};
        }
}
static pair divide_pairs(pair a, pair b)
{
    fine top = fmaxl(fabsl(b.re), fabsl(b.im)), x = b.re / top, y = b.im / top,
         d = (x * x + y * y) * top;
    return (pair){(a.re * x + a.im * y) / d, (a.im * x - a.re * y) / d};
}
static void subtract_product(pair *y, pair a, pair b)
{
    y->re -= a.re * b.re - a.im * b.im;
    y->im -= a.re * b.im + a.im * b.re;
}
static fine size_of_pairs(const pair *a, int64_t n)
{
    fine sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += a[i].re * a[i].re + a[i].im * a[i].im;
    return sqrtl(sum);
}
static void widen_matrix(pair *to, const double complex *from, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = (pair){creal(from[i]), cimag(from[i])};
}

/* y := s^-1 y with s [k, k], which is lost, y [k, n]; is s regular to so many digits? */
static bool solve_pairs(pair *s, pair *y, int64_t k, int64_t n, fine eps)
{
    fine norm = size_of_pairs(s, k * k);
    for (int64_t j = 0; j < k; j++) {
        int64_t p = j;
        for (int64_t i = j + 1; i < k; i++)
            if (hypotl(s[j * k + i].re, s[j * k + i].im) > hypotl(s[j * k + p].re, s[j * k + p].im))
                p = i;
        if (!(hypotl(s[j * k + p].re, s[j * k + p].im) > eps * norm))
            return false;
        for (int64_t l = 0; l < k + n && p != j; l++) {
            pair *col = l < k ? s + l * k : y + (l - k) * k, kept = col[p];
            col[p] = col[j];
            col[j] = kept;
        }
        for (int64_t i = j + 1; i < k; i++) {
            pair factor = divide_pairs(s[j * k + i], s[j * k + j]);
            for (int64_t l = j + 1; l < k + n; l++) {
                pair *col = l < k ? s + l * k : y + (l - k) * k;
                subtract_product(col + i, factor, col[j]);
            }
        }
    }
    for (int64_t c = 0; c < n; c++)
        for (int64_t i = k - 1; i >= 0; i--) {
            for (int64_t l = i + 1; l < k; l++)
                subtract_product(y + c * k + i, s[l * k + i], y[c * k + l]);
            y[c * k + i] = divide_pairs(y[c * k + i], s[i * k + i]);
        }
    return true;
}

bool agni_riccati_weight_is_regular(const agni_riccati_system *s, char *room)
{
    pair *r = (pair *)(void *)room;
    widen_matrix(r, s->r, s->k * s->k);
    return solve_pairs(r, NULL, s->k, 0, 2 * s->eps);
}

/* ---- one step ----------------------------------------------------------------------------- */

/* gain, loop, residual and their sizes; is the matrix of the gain regular? */
static bool find_residual(newton *w)
{
    const agni_riccati_system *s = w->s;
    int64_t n = s->n, k = s->k, nn = n * n;
    widen_matrix(w->x, s->x, nn);
    multiply_pairs(false, n, k, n, w->x, w->b, w->xb);
    memcpy(w->small, w->r, (size_t)(k * k) * sizeof(pair));
    if (s->discrete) {
        multiply_pairs(true, k, k, n, w->b, w->xb, w->rg); /* k <= n or not, rg has room for it */
        for (int64_t i = 0; i < k * k; i++) {
            w->small[i].re += w->rg[i].re;
            w->small[i].im += w->rg[i].im;
        }
        multiply_pairs(true, k, n, n, w->xb, w->a, w->g);
    } else
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = 0; i < k; i++)
                w->g[j * k + i] = (pair){w->xb[i * n + j].re, -w->xb[i * n + j].im};
    if (k && !solve_pairs(w->small, w->g, k, n, 2 * s->eps))
        return false;
    multiply_pairs(false, n, n, k, w->b, w->g, w->m);
    for (int64_t i = 0; i < nn; i++)
        w->f[i] = (pair){w->a[i].re - w->m[i].re, w->a[i].im - w->m[i].im};
    multiply_pairs(false, k, n, k, w->r, w->g, w->rg);
    multiply_pairs(true, n, n, k, w->g, w->rg, w->residual);
    fine part = size_of_pairs(w->residual, nn), size = size_of_pairs(w->x, nn),
         loop = size_of_pairs(w->f, nn);
    multiply_pairs(false, n, n, n, w->x, w->f, w->m); /* x f */
    if (s->discrete) {
        pair *xf = w->m, *fxf = w->a + nn; /* spare */
        multiply_pairs(true, n, n, n, w->f, xf, fxf);
        for (int64_t i = 0; i < nn; i++) {
            w->residual[i].re += fxf[i].re - w->x[i].re + w->q[i].re;
            w->residual[i].im += fxf[i].im - w->x[i].im + w->q[i].im;
        }
    } else
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = 0; i < n; i++) {
                w->residual[j * n + i].re += w->m[j * n + i].re + w->m[i * n + j].re +
                                             w->q[j * n + i].re;
                w->residual[j * n + i].im += w->m[j * n + i].im - w->m[i * n + j].im +
                                             w->q[j * n + i].im;
            }
    w->norm = size_of_pairs(w->residual, nn);
    w->scale = size_of_pairs(w->q, nn) + part + size * (s->discrete ? 1 + loop * loop : 2 * loop);
    return true;
}

/* y of t^H y + y t = -c, or of y - t^H y t = c; t upper triangular. False: two values are mirror
   images */
static bool solve_triangular_equation(const newton *w)
{
    int64_t n = w->s->n;
    bool discrete = w->s->discrete;
    const double complex *t = w->t;
    for (int64_t j = 0; j < n; j++) {
        double complex *y = w->y + j * n, *left = w->w; /* y t up to column j */
        for (int64_t i = 0; i < n; i++) {
            left[i] = 0;
            for (int64_t l = 0; l < j; l++)
                left[i] += w->y[l * n + i] * t[j * n + l];
        }
        double complex tj = t[j * n + j];
        for (int64_t i = 0; i < n; i++) {
            double complex rhs = discrete ? w->c[j * n + i] + conj(t[i * n + i]) * left[i]
                                          : -w->c[j * n + i] - left[i];
            for (int64_t l = 0; l < i; l++)
                rhs += conj(t[i * n + l]) * (discrete ? left[l] + tj * y[l] : -y[l]);
            double complex d = discrete ? 1 - tj * conj(t[i * n + i]) : conj(t[i * n + i]) + tj;
            if (d == 0)
                return false;
            y[i] = rhs / d;
        }
    }
    return true;
}

/* x += dx; a loop that is not stable is refused */
static int64_t step_newton(newton *w)
{
    const agni_riccati_system *s = w->s;
    int64_t n = s->n, nn = n * n;
    lapack_int N = (lapack_int)n, none = 0;
    const double complex one = 1, zero = 0;
    double norm = (double)size_of_pairs(w->f, nn);
    for (int64_t i = 0; i < nn; i++) {
        w->t[i] = agni_join_parts((double)w->f[i].re, (double)w->f[i].im);
        w->c[i] = agni_join_parts((double)w->residual[i].re, (double)w->residual[i].im);
    }
    if (!isfinite(norm) || !isfinite((double)w->norm))
        return AGNI_NO_SOLUTION;
    lapack_int code = LAPACKE_zgees_work(LAPACK_COL_MAJOR, 'V', 'N', NULL, N, w->t, N, &none, w->w,
                                         w->u, N, w->work, (lapack_int)w->lwork,
                                         (double *)(w->w + n), NULL);
    if (code)
        return code < 0 ? AGNI_LAPACK_REFUSED : AGNI_NO_SOLUTION;
    double margin = 8 * (double)n * s->eps;
    for (int64_t i = 0; i < n; i++) {
        double complex v = w->t[i * (n + 1)];
        if (s->discrete ? !(cabs(v) < 1 - margin) : !(creal(v) < -margin * norm))
            return AGNI_NO_SOLUTION;
    }
    cblas_zgemm(CblasColMajor, CblasConjTrans, CblasNoTrans, N, N, N, &one, w->u, N, w->c, N, &zero,
                w->y, N);
    cblas_zgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, N, N, N, &one, w->y, N, w->u, N, &zero,
                w->c, N);
    if (!solve_triangular_equation(w))
        return AGNI_NO_SOLUTION;
    cblas_zgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, N, N, N, &one, w->u, N, w->y, N, &zero,
                w->c, N);
    cblas_zgemm(CblasColMajor, CblasNoTrans, CblasConjTrans, N, N, N, &one, w->c, N, w->u, N, &zero,
                w->y, N);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i <= j; i++) {
            double complex d = (w->y[j * n + i] + conj(w->y[i * n + j])) / 2,
                           v = s->x[j * n + i] + d;
            s->x[j * n + i] = v;
            s->x[i * n + j] = conj(v);
        }
    return 0;
}

static int64_t pairs_of(int64_t n, int64_t k)
{
    int64_t wide = n > k ? n : k;
    return 7 * n * n + 2 * n * k + 2 * k * k + 2 * k * wide;
}
int64_t agni_refine_riccati_room(int64_t n, int64_t k, int64_t work)
{
    return agni_room_of(pairs_of(n, k) * (int64_t)sizeof(pair)) + agni_overread_room(AGN_C128, n) +
           (5 * n * n + 2 * n + work) * (int64_t)sizeof(double complex);
}

int64_t agni_refine_riccati(const agni_riccati_system *s, char *room, int64_t work)
{
    enum { MOST = 20 };
    int64_t n = s->n, k = s->k, nn = n * n, code = 0;
    newton w = {.s = s, .a = (pair *)(void *)room, .lwork = work};
    w.b = w.a + 2 * nn; /* a matrix of room behind a */
    w.q = w.b + n * k;
    w.r = w.q + nn;
    w.x = w.r + k * k;
    w.f = w.x + nn;
    w.residual = w.f + nn;
    w.m = w.residual + nn;
    w.xb = w.m + nn;
    w.small = w.xb + n * k;
    w.g = w.small + k * k;
    w.rg = w.g + k * (n > k ? n : k);
    w.t = (double complex *)(void *)(room + agni_room_of(pairs_of(n, k) * (int64_t)sizeof(pair)));
    w.u = w.t + nn;
    w.y = w.u + nn;
    w.c = w.y + nn;
    w.kept = w.c + nn;
    w.w = w.kept + nn;
    w.work = w.w + 2 * n;
    widen_matrix(w.a, s->a, nn);
    widen_matrix(w.b, s->b, n * k);
    widen_matrix(w.q, s->q, nn);
    widen_matrix(w.r, s->r, k * k);
    fine best = 0, scale = 0;
    for (int step = 0; step < MOST && !code; step++) {
        if (!find_residual(&w))
            return AGNI_SINGULAR_WEIGHT;
        if (step && !(w.norm < best / 2)) {
            if (!(w.norm < best))
                memcpy(s->x, w.kept, (size_t)nn * sizeof *s->x);
            break;
        }
        best = w.norm;
        scale = w.scale;
        memcpy(w.kept, s->x, (size_t)nn * sizeof *s->x);
        code = step_newton(&w);
    }
    return code ? code : best <= 64 * (fine)n * 0x1p-52L * scale ? 0 : AGNI_NO_SOLUTION;
}
