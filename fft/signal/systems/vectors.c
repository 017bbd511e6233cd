/* fft/signal/systems/vectors.c - right vectors of placed poles as independent as they can be: one
   at a time (Kautsky, Nichols & van Dooren 1985, method 0), or two (Tits & Yang 1996). */
#include "fft/signal/systems/systems.h"

#include <agnesi/linalg.h>
#include <float.h>
#include <math.h>
#include <string.h>

typedef double complex number;

/* ---- small matrices ----------------------------------------------------------------------- */

void agni_place_reflect(number *q, number *r, int64_t n, int64_t m)
{
    memset(q, 0, (size_t)(n * n) * sizeof *q);
    for (int64_t k = 0; k < n; k++)
        q[k * n + k] = 1;
    for (int64_t k = 0; k < m && k < n; k++) {
        number *v = r + k * n, top = v[k];
        double tail = 0, size = 0;
        for (int64_t i = k + 1; i < n; i++)
            tail = hypot(tail, cabs(v[i]));
        if (tail == 0 && cimag(top) == 0)
            continue;
        size = hypot(tail, cabs(top));
        double end = creal(top) > 0 ? -size : size;
        number tau = (end - top) / end, scale = 1 / (top - end);
        for (int64_t i = k + 1; i < n; i++)
            v[i] *= scale;
        /* 1 - conj(tau) v v^H from the left of r; 1 - tau v v^H from the right of q */
        for (int64_t j = k + 1; j < m; j++) {
            number *c = r + j * n, sum = c[k];
            for (int64_t i = k + 1; i < n; i++)
                sum += conj(v[i]) * c[i];
            sum *= conj(tau);
            c[k] -= sum;
            for (int64_t i = k + 1; i < n; i++)
                c[i] -= v[i] * sum;
        }
        for (int64_t row = 0; row < n; row++) {
            number sum = q[k * n + row];
            for (int64_t i = k + 1; i < n; i++)
                sum += q[i * n + row] * v[i];
            sum *= tau;
            q[k * n + row] -= sum;
            for (int64_t i = k + 1; i < n; i++)
                q[i * n + row] -= sum * conj(v[i]);
        }
        v[k] = end;
    }
}

double agni_place_eliminate(number *a, number *rhs, int64_t n, int64_t m)
{
    double det = 1, largest = 0;
    for (int64_t i = 0; i < n * n; i++)
        largest = fmax(largest, cabs(a[i]));
    for (int64_t k = 0; k < n; k++) {
        int64_t p = k;
        for (int64_t i = k + 1; i < n; i++)
            p = cabs(a[k * n + i]) > cabs(a[k * n + p]) ? i : p;
        if (!(cabs(a[k * n + p]) > (double)n * DBL_EPSILON * largest))
            return 0;
        det *= cabs(a[k * n + p]);
        for (int64_t j = k; p != k && j < n; j++) {
            number t = a[j * n + k];
            a[j * n + k] = a[j * n + p];
            a[j * n + p] = t;
        }
        for (int64_t j = 0; p != k && j < m; j++) {
            number t = rhs[j * n + k];
            rhs[j * n + k] = rhs[j * n + p];
            rhs[j * n + p] = t;
        }
        for (int64_t i = k + 1; i < n; i++)
            a[k * n + i] /= a[k * n + k];
        for (int64_t j = k + 1; j < n; j++)
            for (int64_t i = k + 1; i < n; i++)
                a[j * n + i] -= a[k * n + i] * a[j * n + k];
        for (int64_t j = 0; j < m; j++)
            for (int64_t i = k + 1; i < n; i++)
                rhs[j * n + i] -= a[k * n + i] * rhs[j * n + k];
    }
    for (int64_t j = 0; j < m; j++)
        for (int64_t k = n - 1; k >= 0; k--) {
            rhs[j * n + k] /= a[k * n + k];
            for (int64_t i = 0; i < k; i++)
                rhs[j * n + i] -= a[k * n + i] * rhs[j * n + k];
        }
    return det;
}

/* y = a^H x of a [n, m]; y = a x of it */
static void project(number *y, const number *a, const number *x, int64_t n, int64_t m)
{
    for (int64_t j = 0; j < m; j++) {
        y[j] = 0;
        for (int64_t i = 0; i < n; i++)
            y[j] += conj(a[j * n + i]) * x[i];
    }
}
static void combine(number *y, const number *a, const number *x, int64_t n, int64_t m)
{
    memset(y, 0, (size_t)n * sizeof *y);
    for (int64_t j = 0; j < m; j++)
        for (int64_t i = 0; i < n; i++)
            y[i] += a[j * n + i] * x[j];
}
double agni_place_measure(const number *x, int64_t n)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum = hypot(sum, cabs(x[i]));
    return sum;
}
/* no part of x is above what NumPy calls close to 0 */
static bool is_nothing(const number *x, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        if (cabs(x[i]) > 1e-8)
            return false;
    return true;
}

/* count results of a decomposition as rows of numbers on the host */
static agn_status read_rows(const void **v, agn_tensor **f, int count)
{
    agn_status st = AGN_OK;
    for (int k = 0; k < count && !st; k++) {
        agn_tensor *row = NULL;
        st = agn_contiguous(&row, f[k]);
        agn_release(f[k]);
        f[k] = row;
        if (!st)
            st = agn_data_contiguous(&v[k], row);
    }
    return st;
}

/* left and right vectors, by falling singular values, of m [n, n]; of a Hermitian one its vectors to
   left, by falling sizes of their values */
static agn_status decompose(const number *m, number *left, double *value, number *right, int64_t n)
{
    const void *v[3] = {NULL};
    agn_tensor *a = NULL, *f[3] = {NULL};
    agn_status st = agn_from_host(&a, AGN_C128, 2, (int64_t[]){n, n}, m); /* its transpose */
    if (!st)
        st = right ? agn_linalg_svd(&f[0], &f[1], &f[2], a, false)
                   : agn_linalg_eigh(&f[1], &f[0], a, false);
    if (!st)
        st = read_rows(v, f, right ? 3 : 2);
    const number *u = v[0], *h = v[2];
    const double *d = v[1];
    for (int64_t i = 0, lo = 0, hi = n - 1; !st && i < n; i++) {
        int64_t k = right ? i : fabs(d[lo]) > fabs(d[hi]) ? lo++ : hi--;
        value[i] = fabs(d[k]);
        for (int64_t j = 0; j < n; j++) { /* m = (u d h)^T: left h^T, right conj(u) */
            left[i * n + j] = right ? h[k * n + j] : conj(u[j * n + k]);
            if (right)
                right[i * n + j] = conj(u[j * n + k]);
        }
    }
    for (int k = 0; k < 3; k++)
        agn_release(f[k]);
    agn_release(a);
    return st;
}

/* ---- sweeps ------------------------------------------------------------------------------- */

/* the last columns of q are orthogonal to all of x but columns i and j */
static void span_others(agni_placement *p, int64_t i, int64_t j)
{
    int64_t n = p->n, m = 0;
    for (int64_t k = 0; k < n; k++)
        if (k != i && k != j)
            memcpy(p->work + m++ * n, p->x + k * n, (size_t)n * sizeof *p->x);
    agni_place_reflect(p->q, p->work, n, m);
}

/* column j as far from the others as its space lets it (KNV, method 0) */
static void turn_one(agni_placement *p, int64_t j)
{
    int64_t n = p->n;
    const number *space = p->space + j * n * p->rank;
    span_others(p, j, j);
    number *coef = p->work, *y = p->work + p->rank;
    project(coef, space, p->q + (n - 1) * n, n, p->rank);
    combine(y, space, coef, n, p->rank);
    double size = agni_place_measure(y, n);
    for (int64_t i = 0; !is_nothing(y, n) && i < n; i++)
        p->x[j * n + i] = y[i] / size;
}

/* vectors of the largest singular value, two where the second is equal to it */
static int count_largest(const double *value)
{
    return fabs(value[0] - value[1]) <= 1e-8 + 1e-5 * fabs(value[1]) ? 2 : 1;
}

/* two real columns at once */
static agn_status turn_reals(agni_placement *p, int64_t i, int64_t j)
{
    int64_t n = p->n, r = p->rank;
    const number *si = p->space + i * n * r, *sj = p->space + j * n * r;
    span_others(p, i, j);
    const number *u = p->q + (n - 2) * n, *v = p->q + (n - 1) * n;
    number *m = p->work, *left = m + r * r, *right = left + r * r, *iu = right + r * r;
    number *iv = iu + r, *ju = iv + r, *jv = ju + r, *to = jv + r, *from = to + 2 * n,
           *part = from + 2 * n;
    double value[AGNI_PLACE_MOST];
    project(iu, si, u, n, r);
    project(iv, si, v, n, r);
    project(ju, sj, u, n, r);
    project(jv, sj, v, n, r);
    for (int64_t b = 0; b < r; b++)
        for (int64_t a = 0; a < r; a++)
            m[b * r + a] = iu[a] * conj(jv[b]) - iv[a] * conj(ju[b]);
    agn_status st = decompose(m, left, value, right, r);
    if (st)
        return st;
    int pairs = count_largest(value);
    memset(to, 0, (size_t)(2 * n) * sizeof *to);
    memcpy(from, p->x + i * n, (size_t)n * sizeof *from);
    memcpy(from + n, p->x + j * n, (size_t)n * sizeof *from);
    for (int k = 0; k < pairs; k++) {
        combine(part, si, left + k * r, n, r);
        combine(part + n, sj, right + k * r, n, r);
        number size = 0;
        for (int64_t t = 0; t < 2 * n; t++)
            size += conj(part[t]) * from[t];
        for (int64_t t = 0; t < 2 * n; t++)
            to[t] += part[t] * size;
    }
    /* nothing of the old ones is left: the new ones as they are */
    if (is_nothing(to, 2 * n)) {
        combine(to, si, left, n, r);
        combine(to + n, sj, right, n, r);
    } else {
        double size = sqrt(2) / agni_place_measure(to, 2 * n);
        for (int64_t t = 0; t < 2 * n; t++)
            to[t] *= size;
    }
    memcpy(p->x + i * n, to, (size_t)n * sizeof *to);
    memcpy(p->x + j * n, to + n, (size_t)n * sizeof *to);
    return AGN_OK;
}

/* the columns of a pair, by vectors of the Hermitian space^H (w w^H - conj(w) w^T) space */
static agn_status turn_pair(agni_placement *p, int64_t i)
{
    int64_t n = p->n, r = p->rank;
    const number *si = p->space + i * n * r;
    span_others(p, i, i + 1);
    number *m = p->work, *left = m + r * r, *w = left + r * r;
    number *a = w + n, *b = a + r, *to = b + r, *part = to + n, *from = part + n;
    double value[AGNI_PLACE_MOST];
    for (int64_t t = 0; t < n; t++)
        w[t] = sqrt(2) * (p->q[(n - 2) * n + t] + (number)I * p->q[(n - 1) * n + t]);
    project(a, si, w, n, r);
    for (int64_t t = 0; t < n; t++)
        w[t] = conj(w[t]);
    project(b, si, w, n, r);
    for (int64_t l = 0; l < r; l++)
        for (int64_t k = 0; k < r; k++)
            m[l * r + k] = a[k] * conj(a[l]) - b[k] * conj(b[l]);
    agn_status st = decompose(m, left, value, NULL, r);
    if (st)
        return st;
    int many = count_largest(value);
    memset(to, 0, (size_t)n * sizeof *to);
    for (int64_t t = 0; t < n; t++)
        from[t] = p->x[i * n + t] + (number)I * p->x[(i + 1) * n + t];
    for (int k = 0; k < many; k++) {
        number size = 0;
        combine(part, si, left + k * r, n, r);
        for (int64_t t = 0; t < n; t++)
            size += conj(part[t]) * from[t];
        for (int64_t t = 0; t < n; t++)
            to[t] += part[t] * size;
    }
    double size = 1;
    if (is_nothing(to, n))
        combine(to, si, left, n, r);
    else
        size = agni_place_measure(to, n);
    for (int64_t t = 0; t < n; t++) {
        p->x[i * n + t] = creal(to[t]) / size;
        p->x[(i + 1) * n + t] = cimag(to[t]) / size;
    }
    return AGN_OK;
}

static agn_status turn(agni_placement *p, int64_t i, int64_t j)
{
    if (i == j)
        turn_one(p, i);
    return i == j ? AGN_OK : i < p->reals ? turn_reals(p, i, j) : turn_pair(p, i);
}
static agn_status turn_pairs(agni_placement *p)
{
    agn_status st = AGN_OK;
    for (int64_t i = p->reals; i < p->n && !st; i += 2)
        st = turn_pair(p, i);
    return st;
}

/* One sweep of Tits & Yang, as SLICOT orders it: reals in pairs that overlap, at several distances,
   pairs of complex ones after each. Numbers count from 1. */
static agn_status sweep_pairs(agni_placement *p)
{
    int64_t n = p->reals, half = n / 2, odd = n % 2;
    agn_status st = n ? turn(p, n - 1, 0) : AGN_OK;
    for (int64_t k = 1; k < half + odd && !st; k++)
        st = turn(p, 2 * k - 1, 2 * k);
    if (!st)
        st = turn_pairs(p);
    for (int64_t k = 1; k <= half && !st; k++)
        st = turn(p, 2 * k - 2, 2 * k - 1);
    for (int pass = 0; pass < 4 && !st; pass++) {
        if (!half && n)
            st = turn(p, 0, 0);
        if (!st)
            st = turn_pairs(p);
        int64_t first = pass == 1 ? half + 1 : 1, last = pass == 1 ? n : half;
        int64_t lo = pass < 2 ? 2 : half, hi = pass < 2 ? half + odd : half + 1;
        for (int64_t d = lo; pass < 3 && d < hi && !st; d++)
            for (int64_t i = first; i <= last && !st; i++)
                st = turn(p, i - 1, (i + d > n ? i + d - n : i + d) - 1);
    }
    return st;
}

static double find_determinant(agni_placement *p)
{
    memcpy(p->work, p->x, (size_t)(p->n * p->n) * sizeof *p->x);
    return agni_place_eliminate(p->work, NULL, p->n, 0);
}

agn_status agni_place_improve(agni_placement *p, int32_t method, int32_t iterations,
                              double tolerance)
{
    static const double least = 1.4901161193847656e-8; /* sqrt(eps) */
    agn_status st = AGN_OK;
    for (int32_t k = 0; k < iterations && !st; k++) {
        double before = find_determinant(p);
        if (method == AGN_PLACE_YT)
            st = sweep_pairs(p);
        else
            for (int64_t j = 0; j < p->n; j++)
                turn_one(p, j);
        double now = fmax(least, find_determinant(p));
        if (fabs(now - before) / now < tolerance && now > least)
            break;
    }
    return st;
}
