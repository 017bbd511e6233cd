/* linalg/cpu/spectral_gaps.c - quotients by gaps between eigenvalues, and diagonals at ties: what
   is a tie, and what is refused there (linalg/spectral_gaps.c). */
#include "linalg/cpu/lapack_calls.h"

#include <math.h>
#include <string.h>

static double largest_entry(int dtype, const void *p, int64_t n)
{
    double most = 0;
    for (int64_t i = 0; dtype == AGN_F64 && i < n; i++) {
        const double a = fabs(((const double *)p)[i]);
        most = a > most || a != a ? a : most;
    }
    if (dtype == AGN_F64)
        return most;
    for (int64_t i = 0; i < n; i++) {
        double a = cabs(agni_number_get(dtype, p, i));
        most = a > most || a != a ? a : most;
    }
    return most;
}

/* below this part of the scale a gap of that order is a tie */
static double tie_of(int dtype, int64_t order, int64_t n)
{
    if (order == 0)
        return 8 * (double)n * agni_eps_of(dtype);
    return pow(agni_eps_of(dtype), 0.5 / (double)(order > 1 ? order : 1));
}

static agn_status refuse_tie(const agn_kernel_call *c, int64_t batch, int64_t i, int64_t j,
                             double gap)
{
    return agni_fail(AGN_EDOMAIN,
                     "%s: matrix %lld: values %lld and %lld are equal or nearly so (gap %.3g), and "
                     "the derivative depends on the choice of their vectors",
                     c->op, (long long)batch, (long long)i, (long long)j, gap);
}

/* quotients of a row of real numbers from j to n, as far as gaps from u are no ties; where it
   stops */
#define DIVIDE(T) \
    do { \
        const T *a = p, *w = v; \
        const double from = (double)*(const T *)u; \
        for (; j < n; j++) { \
            const double gap = (double)w[j] - from; \
            if (!(fabs(gap) > tie)) \
                break; \
            ((T *)y)[j] = (T)((double)a[j] / gap); \
        } \
    } while (0)
static int64_t divide_wide_gaps(int dtype, const void *p, const void *u, const void *v, double tie,
                                int64_t j, int64_t n, void *y)
{
    if (dtype == AGN_F64)
        DIVIDE(double);
    else if (dtype == AGN_F32)
        DIVIDE(float);
    return j;
}

agn_status agni_cpu_gap_quotient(const agn_kernel_call *c)
{
    const agn_array *p = c->in, *u = c->in + 1, *v = c->in + 2, *y = c->out;
    int dtype = y->dtype;
    int64_t m = y->shape[y->ndim - 2], n = y->shape[y->ndim - 1], bytes = agni_dtypes[dtype].bytes;
    double tie = tie_of(dtype, c->ints[0], m + n),
           noise = 16 * (double)(m + n) * agni_eps_of(dtype);
    int64_t batch = agni_batch_count(y, 2);
    for (int64_t b = 0; b < batch; b++) {
        const char *pb = (const char *)p->data + b * m * n * bytes,
                   *ub = (const char *)u->data + b * m * bytes,
                   *vb = (const char *)v->data + b * n * bytes;
        char *yb = (char *)y->data + b * m * n * bytes;
        double scale = fmax(largest_entry(dtype, ub, m), largest_entry(dtype, vb, n));
        double most = largest_entry(dtype, pb, m * n);
        for (int64_t i = 0; i < m; i++)
            for (int64_t j = 0; j < n; j++) {
                const bool skip = c->ints[1] && j <= i;
                const int64_t row = i * n * bytes;
                j = divide_wide_gaps(dtype, pb + row, ub + i * bytes, vb, tie * scale, j,
                                     skip && i < n ? i : n, yb + row);
                if (j == n)
                    break;
                if (c->ints[1] && i == j) {
                    agni_number_set(dtype, yb, i * n + j, 0);
                    continue;
                }
                double complex a = agni_number_get(dtype, pb, i * n + j),
                               gap = agni_number_get(dtype, vb, j) - agni_number_get(dtype, ub, i);
                if (cabs(gap) <= tie * scale) {
                    if (cabs(a) > noise * most)
                        return refuse_tie(c, b, i, j, cabs(gap));
                    a = a == a ? 0 : a; /* NaN stays */
                    gap = 1;
                }
                agni_number_set(dtype, yb, i * n + j, a / gap);
            }
    }
    return AGN_OK;
}

/* ---- diagonals ------------------------------------------------------------------- */

/* eigenvalues of a Hermitian block, by Jacobi's rotations: blocks are small */
static void block_values(double complex *h, int64_t n, double *w, bool descending)
{
    for (int sweep = 0; sweep < 60; sweep++) {
        double off = 0, all = 0;
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < n; j++) {
                double a = cabs(h[i * n + j]);
                all += a * a;
                off += i == j ? 0 : a * a;
            }
        if (!(off > 0x1p-106 * all))
            break;
        for (int64_t p = 0; p < n; p++)
            for (int64_t q = p + 1; q < n; q++) {
                double complex z = h[p * n + q];
                double r = cabs(z);
                if (!(r > 0))
                    continue;
                double theta = (creal(h[q * n + q]) - creal(h[p * n + p])) / (2 * r);
                double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
                double cs = 1 / sqrt(t * t + 1), sn = t * cs;
                double complex e = z / r;
                for (int64_t k = 0; k < n; k++) { /* columns: h [c, s e; -s conj e, c] */
                    double complex a = h[k * n + p], b = h[k * n + q];
                    h[k * n + p] = cs * a - sn * conj(e) * b;
                    h[k * n + q] = sn * e * a + cs * b;
                }
                for (int64_t k = 0; k < n; k++) {
                    double complex a = h[p * n + k], b = h[q * n + k];
                    h[p * n + k] = cs * a - sn * e * b;
                    h[q * n + k] = sn * conj(e) * a + cs * b;
                }
            }
    }
    for (int64_t i = 0; i < n; i++) {
        double x = creal(h[i * n + i]);
        int64_t k = i;
        for (; k > 0 && (descending ? w[k - 1] < x : w[k - 1] > x); k--)
            w[k] = w[k - 1];
        w[k] = x;
    }
}

typedef struct tie_job {
    const agn_kernel_call *c;
    int dtype, real;
    int64_t n, batch;
    bool zero; /* values are not negative, and 0 is a tie with its mirror */
    double scale, noise, most;
    const char *w;
} tie_job;

static double value_at(const tie_job *q, int64_t i)
{
    return creal(agni_number_get(q->real, q->w, i));
}

/* the diagonal of one matrix at clusters of values that are equal to rounding */
static agn_status read_diagonal(const tie_job *q, const char *p, char *y, int64_t batch)
{
    int64_t n = q->n, order = q->c->ints[0];
    double eps = agni_eps_of(q->dtype), equal = 8 * (double)n * eps * q->scale;
    for (int64_t i = 0, k; i < n; i = k) {
        for (k = i + 1; k < n && fabs(value_at(q, k) - value_at(q, k - 1)) <= equal; k++)
            ;
        bool dark = q->zero && fabs(value_at(q, i)) <= equal;
        double off = 0;
        for (int64_t a = i; a < k; a++)
            for (int64_t b = i; b < k; b++)
                if (a != b || dark)
                    off = fmax(off, cabs(agni_number_get(q->dtype, p, a * n + b)));
        if (off > q->noise * q->most && (order > 1 || dark))
            return refuse_tie(q->c, batch, i, k - 1, fabs(value_at(q, k - 1) - value_at(q, i)));
        if (off <= q->noise * q->most) {
            for (int64_t a = i; a < k; a++)
                agni_number_set(q->real, y, a,
                                creal(agni_number_get(q->dtype, p, a * n + a)));
            continue;
        }
        int64_t size = k - i, bytes = size * size * 16 + size * 8;
        double complex *h = agni_alloc((size_t)bytes);
        if (!h)
            return agni_nomem(q->c->op, (size_t)bytes);
        double *w = (double *)(h + size * size);
        for (int64_t a = 0; a < size; a++)
            for (int64_t b = 0; b < size; b++)
                h[a * size + b] = (agni_number_get(q->dtype, p, (i + a) * n + i + b) +
                                   conj(agni_number_get(q->dtype, p, (i + b) * n + i + a))) / 2;
        block_values(h, size, w, q->zero);
        for (int64_t a = 0; a < size; a++)
            agni_number_set(q->real, y, i + a, w[a]);
        agni_free(h);
    }
    return AGN_OK;
}

/* cotangents of values within rounding of each other must be equal: else which is which decides */
static agn_status check_equal(const tie_job *q, const char *g, int64_t batch)
{
    double eps = agni_eps_of(q->dtype), blur = (double)q->n * eps * q->scale;
    double most = largest_entry(q->real, g, q->n), allowed = sqrt(eps) * most;
    for (int64_t i = 0; i < q->n; i++) {
        double here = creal(agni_number_get(q->real, g, i));
        double next = i + 1 < q->n ? creal(agni_number_get(q->real, g, i + 1)) : here;
        double gap = i + 1 < q->n ? fabs(value_at(q, i + 1) - value_at(q, i)) : 1;
        if (fabs(next - here) * blur > allowed * gap && fabs(next - here) > q->noise * most)
            return refuse_tie(q->c, batch, i, i + 1, gap);
        double zero = fabs(value_at(q, i));
        if (q->zero && fabs(here) * blur > allowed * zero)
            return refuse_tie(q->c, batch, i, i, zero);
    }
    return AGN_OK;
}

static tie_job open_ties(const agn_kernel_call *c)
{
    const agn_array *x = c->in, *w = c->in + 1;
    tie_job q = {.c = c, .dtype = x->dtype, .real = w->dtype, .n = w->shape[w->ndim - 1],
                 .zero = c->ints[1]};
    q.noise = 32 * (double)q.n * agni_eps_of(q.dtype);
    q.batch = agni_batch_count(w, 1);
    return q;
}

agn_status agni_cpu_tie_diagonal(const agn_kernel_call *c)
{
    if (agni_kind(c->in[1].dtype) == AGNI_KIND_COMPLEX)
        return agni_general_tie_diagonal(c);
    tie_job q = open_ties(c);
    int64_t n = q.n, bytes = agni_dtypes[q.dtype].bytes, wide = agni_dtypes[q.real].bytes;
    agn_status st = AGN_OK;
    for (int64_t b = 0; !st && b < q.batch; b++) {
        const char *p = (const char *)c->in->data + b * n * n * bytes;
        q.w = (const char *)c->in[1].data + b * n * wide;
        q.scale = largest_entry(q.real, q.w, n);
        q.most = largest_entry(q.dtype, p, n * n);
        st = read_diagonal(&q, p, (char *)c->out->data + b * n * wide, b);
    }
    return st;
}

agn_status agni_cpu_tie_embed(const agn_kernel_call *c)
{
    tie_job q = open_ties(c);
    int64_t n = q.n, wide = agni_dtypes[q.real].bytes;
    bool general = agni_kind(c->in[1].dtype) == AGNI_KIND_COMPLEX;
    agn_status st = general ? agni_general_tie_check(c) : AGN_OK;
    memset(c->out->data, 0, (size_t)(q.batch * n * n * wide));
    for (int64_t b = 0; !st && b < q.batch; b++) {
        const char *g = (const char *)c->in->data + b * n * wide;
        char *y = (char *)c->out->data + b * n * n * wide;
        q.w = (const char *)c->in[1].data + b * n * wide;
        q.scale = largest_entry(q.real, q.w, n);
        st = general ? AGN_OK : check_equal(&q, g, b);
        for (int64_t i = 0; i < n; i++)
            memcpy(y + i * (n + 1) * wide, g + i * wide, (size_t)wide);
    }
    return st;
}
