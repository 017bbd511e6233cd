/* fft/signal/systems/places.c - feedback for wanted poles (Kautsky, Nichols & van Dooren 1985), on
   the host: what is given and returned; vectors.c has the search. */
#include "fft/signal/systems/systems.h"
#include "tensor/dispatch/host_run.h"

#include <agnesi/ag.h>
#include <agnesi/linalg.h>
#include <float.h>
#include <math.h>
#include <string.h>

typedef double complex number;

/* x as c128 on the host, transposed: its columns lie one after the other; all finite */
static agn_status read_columns(number **y, const char *op, const char *name, const agn_tensor *x)
{
    agn_tensor *wide = NULL, *turned = NULL, *row = NULL;
    const void *v = NULL;
    agn_status st = agn_cast(&wide, x, AGN_C128);
    if (!st && x->ndim == 2)
        st = agn_transpose(&turned, wide);
    if (!st)
        st = agn_contiguous(&row, turned ? turned : wide);
    if (!st)
        st = agn_data_contiguous(&v, row);
    st = st ? agni_rename_error(op, st) : AGN_OK;
    for (int64_t i = 0; !st && i < x->size; i++)
        if (!isfinite(creal(((const number *)v)[i])) || !isfinite(cimag(((const number *)v)[i])))
            st = agni_fail(AGN_EDOMAIN, "%s: %s %s holds a number that is not finite", op, name,
                           AGNI_SHAPE(x));
    if (!st && !(*y = agni_alloc((size_t)x->size * sizeof **y)))
        st = agni_nomem(op, (size_t)x->size * sizeof **y);
    if (!st)
        memcpy(*y, v, (size_t)x->size * sizeof **y);
    agn_release(wide);
    agn_release(turned);
    agn_release(row);
    return st;
}

static bool comes_before(number a, number b)
{
    return creal(a) < creal(b) || (creal(a) == creal(b) && cimag(a) < cimag(b));
}

/* reals first, then pairs, the one below the axis before its conjugate */
static agn_status order_poles(agni_placement *p, number *v)
{
    int64_t n = p->n, count = 0;
    for (int64_t i = 0; i < n; i++) /* by insertion */
        for (int64_t k = i; k > 0 && comes_before(v[k], v[k - 1]); k--) {
            number t = v[k];
            v[k] = v[k - 1];
            v[k - 1] = t;
        }
    for (int64_t i = 0; i < n; i++)
        if (cimag(v[i]) == 0)
            p->pole[count++] = v[i];
    p->reals = count;
    for (int64_t i = 0; i < n; i++) {
        int64_t below = 0, above = 0;
        for (int64_t k = 0; k < n; k++) {
            below += v[k] == v[i];
            above += v[k] == conj(v[i]);
        }
        if (cimag(v[i]) != 0 && below != above)
            return agni_fail(AGN_EDOMAIN, "%s: pole %g%+gi is there %lld times, its conjugate %lld",
                             p->op, creal(v[i]), cimag(v[i]), (long long)below, (long long)above);
        if (below > p->rank)
            return agni_fail(AGN_EDOMAIN,
                             "%s: pole %g%+gi is there %lld times, the rank of b is %lld", p->op,
                             creal(v[i]), cimag(v[i]), (long long)below, (long long)p->rank);
        if (cimag(v[i]) < 0) {
            p->pole[count++] = v[i];
            p->pole[count++] = conj(v[i]);
        }
    }
    return AGN_OK;
}

/* the spaces where (a - pole) x lies in that of b, and vectors within to begin with */
static void begin_vectors(agni_placement *p)
{
    int64_t n = p->n, r = p->rank, m = n - r;
    number *u = p->work + n * n; /* of b = u z: the rest of its columns are what b does not reach */
    if (r == n) {                /* any matrix: real blocks of the poles */
        memset(p->x, 0, (size_t)(n * n) * sizeof *p->x);
        for (int64_t i = 0; i < n; i++)
            p->x[i * n + i] = 1;
        return;
    }
    memcpy(p->work, p->b, (size_t)(n * r) * sizeof *p->b);
    agni_place_reflect(u, p->work, n, r);
    for (int64_t j = 0; j < n; j++) {
        number *space = p->space + j * n * r, *x = p->x + j * n, *t = p->work;
        for (int64_t k = 0; k < m; k++) /* (u1^T (a - pole))^T, as the algorithm has it */
            for (int64_t i = 0; i < n; i++) {
                number sum = -p->pole[j] * u[(r + k) * n + i];
                for (int64_t l = 0; l < n; l++)
                    sum += p->a[i * n + l] * u[(r + k) * n + l];
                t[k * n + i] = sum;
            }
        agni_place_reflect(p->q, t, n, m);
        memcpy(space, p->q + m * n, (size_t)(n * r) * sizeof *space);
        memset(x, 0, (size_t)n * sizeof *x);
        for (int64_t k = 0; k < r; k++)
            for (int64_t i = 0; i < n; i++)
                x[i] += space[k * n + i];
        double size = agni_place_measure(x, n);
        for (int64_t i = 0; i < n; i++)
            x[i] /= size;
        if (j >= p->reals) { /* the next is its conjugate */
            memcpy(space + n * r, space, (size_t)(n * r) * sizeof *space);
            for (int64_t i = 0; i < n; i++) {
                x[n + i] = cimag(x[i]);
                x[i] = creal(x[i]);
            }
            j++;
        }
    }
}

/* f [rank, n], in rows: a - b f = x diag(pole) x^-1 =: m, by b = u z */
static agn_status find_gain(const agni_placement *p, double *f)
{
    int64_t n = p->n, r = p->rank;
    number *xt = p->work, *m = xt + n * n, *z = m + n * n;
    for (int64_t j = 0; j < n; j++) {
        int64_t pair = j - (j >= p->reals ? (j - p->reals) % 2 : 0);
        double sign = j == pair ? -1 : 1;
        for (int64_t i = 0; i < n; i++) {
            number x = j < p->reals
                           ? p->x[j * n + i]
                           : p->x[pair * n + i] + sign * (number)I * p->x[(pair + 1) * n + i];
            xt[i * n + j] = x;
            m[i * n + j] = x * p->pole[j]; /* x^T m^T = (x diag)^T */
        }
    }
    if (!(agni_place_eliminate(xt, m, n, n) > 0))
        return agni_fail(
            AGN_EDOMAIN,
            "%s: no feedback gives all of these %lld poles: a and b have not the control", p->op,
            (long long)n);
    memcpy(z, p->b, (size_t)(n * r) * sizeof *z);
    agni_place_reflect(p->q, z, n, r);
    for (int64_t j = 0; j < n; j++)
        for (int64_t k = r - 1; k >= 0; k--) {
            number sum = 0; /* column j of q^T (a - m), of which m lies transposed */
            for (int64_t i = 0; i < n; i++)
                sum += conj(p->q[k * n + i]) * (p->a[j * n + i] - m[i * n + j]);
            for (int64_t l = k + 1; l < r; l++)
                sum -= z[l * n + k] * f[l * n + j];
            f[k * n + j] = creal(sum / z[k * n + k]);
        }
    return AGN_OK;
}

/* b [n, m] as [n, rank] columns and what takes them back, [rank, m] in rows; b itself where it has
   full rank */
static agn_status compress_inputs(agni_placement *p, number **back, const agn_tensor *b)
{
    int64_t n = b->shape[0], m = b->shape[1], k = n < m ? n : m;
    agn_tensor *wide = NULL, *f[3] = {NULL};
    const void *u = NULL, *v = NULL, *d = NULL;
    agn_status st = agn_cast(&wide, b, AGN_F64);
    if (!st)
        st = agn_linalg_svd(&f[0], &f[1], &f[2], wide, false);
    if (!st)
        st = agn_data_contiguous(&d, f[1]);
    const double *size = d;
    for (int64_t i = 0; !st && i < k; i++)
        p->rank += size[i] > size[0] * (double)(n > m ? n : m) * DBL_EPSILON;
    if (!st && !p->rank)
        st = agni_fail(AGN_EDOMAIN, "%s: b %s is 0", p->op, AGNI_SHAPE(b));
    if (!st && p->rank < m) {
        agn_tensor *rows[2] = {NULL};
        st = agn_contiguous(&rows[0], f[0]);
        if (!st)
            st = agn_contiguous(&rows[1], f[2]);
        if (!st)
            st = agn_data_contiguous(&u, rows[0]);
        if (!st)
            st = agn_data_contiguous(&v, rows[1]);
        if (!st && !(*back = agni_alloc((size_t)(p->rank * m) * sizeof **back)))
            st = agni_nomem(p->op, (size_t)(p->rank * m) * sizeof **back);
        for (int64_t j = 0; !st && j < p->rank; j++) {
            for (int64_t i = 0; i < n; i++)
                p->b[j * n + i] = ((const double *)u)[i * k + j] * size[j];
            for (int64_t i = 0; i < m; i++)
                (*back)[j * m + i] = ((const double *)v)[j * m + i];
        }
        agn_release(rows[0]);
        agn_release(rows[1]);
    }
    agn_release(wide);
    for (int i = 0; i < 3; i++)
        agn_release(f[i]);
    return st ? agni_rename_error(p->op, st) : AGN_OK;
}

static agn_status check_matrices(const char *op, const agn_tensor *a, const agn_tensor *b,
                                 const agn_tensor *poles)
{
    if (agni_kind(a->dtype) == AGNI_KIND_COMPLEX || agni_kind(b->dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "%s: a is %s, b %s; they are real", op,
                         agni_dtypes[a->dtype].name, agni_dtypes[b->dtype].name);
    if (a->ndim != 2 || !a->size || a->shape[0] != a->shape[1] || a->shape[0] > AGNI_PLACE_MOST ||
        b->ndim != 2 || !b->size || b->shape[0] != a->shape[0] || b->shape[1] > AGNI_PLACE_MOST ||
        poles->ndim != 1 || poles->size != a->shape[0])
        return agni_fail(AGN_ESHAPE,
                         "%s: a is %s, b %s, poles %s; they are [n, n], [n, inputs] and [n], to %d",
                         op, AGNI_SHAPE(a), AGNI_SHAPE(b), AGNI_SHAPE(poles), AGNI_PLACE_MOST);
    return AGN_OK;
}

/* the gain of p in rows [inputs, n] */
static agn_status give_gain(agn_tensor **out, const agni_placement *p, const double *f,
                            const number *back, int64_t inputs)
{
    size_t size = (size_t)(inputs * p->n) * sizeof(double);
    double *all = agni_alloc(size);
    if (!all)
        return agni_nomem(p->op, size);
    for (int64_t i = 0; i < inputs; i++)
        for (int64_t j = 0; j < p->n; j++) {
            all[i * p->n + j] = back ? 0 : f[i * p->n + j];
            for (int64_t k = 0; back && k < p->rank; k++)
                all[i * p->n + j] += creal(back[k * inputs + i]) * f[k * p->n + j];
        }
    agn_status st = agn_from_host(out, AGN_F64, 2, (int64_t[]){inputs, p->n}, all);
    agni_free(all);
    return st;
}

/* what the gain f leaves has the poles, but for what a - b f rounds off: vectors that nearly depend
   on each other lose them */
static agn_status check_poles(const agni_placement *p, const agn_tensor *a, const agn_tensor *b,
                              const agn_tensor *gain, const double *f)
{
    agn_scope *s = agn_scope_open(NULL);
    agn_tensor *have = NULL, *row = NULL;
    const void *data = NULL;
    const agn_tensor *m = ag_sub(s, ag_cast(s, a, AGN_F64),
                                 ag_matmul(s, ag_cast(s, b, AGN_F64), gain));
    agn_scope_return(s, &have, ag_linalg_eigvals(s, m));
    agn_status st = agn_scope_close(s);
    if (!st)
        st = agn_contiguous(&row, have);
    if (!st)
        st = agn_data_contiguous(&data, row);
    double most = 0, size = 0;
    for (int64_t i = 0; i < p->n; i++)
        most = fmax(most, cabs(p->pole[i]));
    for (int64_t i = 0; i < p->rank * p->n; i++)
        size = hypot(size, f[i]);
    size = agni_place_measure(p->a, p->n * p->n) + size * agni_place_measure(p->b, p->n * p->rank);
    const double least = 1e-3 * most + (double)p->n * DBL_EPSILON * size;
    for (int64_t i = 0; i < p->n && !st; i++) {
        double off = (double)INFINITY;
        for (int64_t k = 0; k < p->n; k++)
            off = fmin(off, cabs(((const number *)data)[k] - p->pole[i]));
        if (!(off <= least))
            st = agni_fail(AGN_EDOMAIN, "%s: the best feedback found misses the pole %g%+gi by %g",
                           p->op, creal(p->pole[i]), cimag(p->pole[i]), off);
    }
    agn_release(have);
    agn_release(row);
    return st;
}

agn_status agn_signal_place_poles(agn_tensor **gain, const agn_tensor *a, const agn_tensor *b,
                                  const agn_tensor *poles, int32_t method, int32_t iterations,
                                  double tolerance)
{
    agni_host_call h;
    if (agni_host_call_begin(&h, "signal_place_poles", 3, (const agn_tensor *[]){a, b, poles})) {
        agn_status st = h.st ? h.st
                             : agn_signal_place_poles(gain ? &h.y[0] : NULL, h.in[0], h.in[1],
                                                      h.in[2], method, iterations, tolerance);
        return agni_host_call_end(&h, st, 1, (agn_tensor * *[]){gain});
    }
    agni_placement p = {.op = "signal_place_poles"};
    AGNI_NEED(p.op, gain);
    AGNI_NEED(p.op, a);
    AGNI_NEED(p.op, b);
    AGNI_NEED(p.op, poles);
    agn_status st = check_matrices(p.op, a, b, poles);
    if (!st &&
        (method < AGN_PLACE_YT || method > AGN_PLACE_KNV0 || iterations < 1 || !(tolerance <= 1)))
        st = agni_fail(
            AGN_EARG,
            "%s: method %d, %d iterations, a tolerance of %g; methods are 0 and 1, iterations "
            "positive, tolerances at most 1",
            p.op, method, iterations, tolerance);
    if (st)
        return st;
    int64_t n = p.n = a->shape[0], inputs = b->shape[1];
    number *back = NULL, *given = NULL;
    agn_tensor *made = NULL;
    st = read_columns(&p.a, p.op, "a", a);
    if (!st)
        st = read_columns(&p.b, p.op, "b", b);
    if (!st)
        st = read_columns(&given, p.op, "poles", poles);
    if (!st)
        st = compress_inputs(&p, &back, b);
    int64_t r = p.rank, rooms = n * r + 2 * n * n + (4 * n * n + 8 * n) + n;
    size_t size = (size_t)(rooms + n * r * n) * sizeof(number) + (size_t)(r * n) * sizeof(double);
    p.pole = st ? NULL : agni_alloc(size);
    if (!st && !p.pole)
        st = agni_nomem(p.op, size);
    if (!st) {
        p.x = p.pole + n;
        p.q = p.x + n * n;
        p.work = p.q + n * n;
        p.space = p.work + 4 * n * n + 8 * n + n * r;
        double *f = (double *)(p.space + n * n * r);
        st = order_poles(&p, given);
        if (!st && method == AGN_PLACE_KNV0 && p.reals < n)
            st = agni_fail(AGN_EDOMAIN, "%s: %lld of %lld poles are complex; KNV0 places real ones",
                           p.op, (long long)(n - p.reals), (long long)n);
        if (!st)
            begin_vectors(&p);
        if (!st && r > 1 && r < n)
            st = agni_place_improve(&p, method, iterations, tolerance);
        if (!st)
            st = find_gain(&p, f);
        if (!st)
            st = give_gain(&made, &p, f, back, inputs);
        if (!st)
            st = check_poles(&p, a, b, made, f);
    }
    agni_free(p.pole);
    agni_free(given);
    agni_free(back);
    agni_free(p.a);
    agni_free(p.b);
    if (!st)
        *gain = made;
    else
        agn_release(made);
    return st;
}
