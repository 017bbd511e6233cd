/* linalg/structured/cpu/levinson.c - Toeplitz systems by Levinson's recursion in double precision;
   where the residual is not that of a stable method a second pass solves for it, and LU factors
   where that does not help. */
#include "tensor/cpu/level_dispatch.h" /* before complex.h, which takes the name I */

#include "linalg/cpu/lanes/lanes.h"
#include "linalg/cpu/lapack_calls.h"

#include <string.h>

enum { SMALL_MINOR = 1 };

#define NUMBER double complex
#define MODULUS cabs
#define NAME(x) x##_complex
#include "linalg/structured/cpu/levinson_body.h"

typedef struct toeplitz_job {
    const agn_kernel_call *c;
    int dtype, wide;
    int64_t n, k, bytes;
} toeplitz_job;

static int64_t solve_dense(const toeplitz_job *q, const char *at, const char *b, char *x)
{
    int64_t n = q->n, z = q->bytes;
    char *a = agni_alloc((size_t)(n * n * z));
    lapack_int *piv = agni_alloc((size_t)n * sizeof *piv), code = 0, N = (lapack_int)n,
               K = (lapack_int)q->k;
    const int col = LAPACK_COL_MAJOR;
    int64_t answer = AGNI_NO_ROOM;
    if (a && piv) {
        for (int64_t j = 0; j < n; j++) /* column j begins with entry -j */
            for (int64_t h = 0; h < n; h++)
                memcpy(a + (j * n + h) * z, at + (h - j) * z, (size_t)z);
        memcpy(x, b, (size_t)(n * q->k * z));
        answer = agni_factor_lu(q->wide, n, n, a, piv);
        if (!answer)
            code = q->wide == AGN_F64
                       ? LAPACKE_dgetrs_work(col, 'N', N, K, (void *)a, N, piv, (void *)x, N)
                       : LAPACKE_zgetrs_work(col, 'N', N, K, (void *)a, N, piv, (void *)x, N);
        answer = code ? AGNI_LAPACK_REFUSED : answer;
    }
    agni_free(a);
    agni_free(piv);
    return answer;
}

/* is x the answer of a stable method? f and g: room for n numbers; rest and step: for as many as b
   has */
static bool solve_complex(int64_t n, int64_t k, const double complex *at, double complex *f,
                          double complex *g, const double complex *b, double complex *x,
                          double complex *rest, double complex *step)
{
    if (levinson_complex(n, k, at, f, g, b, x))
        return false;
    if (residual_is_small_complex(n, k, at, b, x, rest))
        return true;
    if (levinson_complex(n, k, at, f, g, rest, step))
        return false;
    for (int64_t i = 0; i < n * k; i++)
        x[i] += step[i];
    return residual_is_small_complex(n, k, at, b, x, rest);
}

/* is the residual of every column within 8 eps |t| |x|, as of a stable method, with |t| the sum
   over its numbers? */
static bool real_residual_is_small(const agni_vlanes *own, int64_t n, int64_t k, const double *t,
                                   const double *b, const double *x, double *rest)
{
    double norm = 0;
    bool good = true;
    for (int64_t i = 0; i < 2 * n - 1; i++)
        norm += fabs(t[i]);
    for (int64_t c = 0; c < k * n; c += n) {
        double most = 0, off = own->toeplitz_residual(n, t, b + c, x + c, rest + c);
        for (int64_t i = 0; i < n; i++)
            most = fmax(most, fabs(x[c + i]));
        good = good && off <= 8 * 0x1p-52 * norm * most;
    }
    return good;
}

/* the same of real numbers: t [i, j] = t[n - 1 - i + j]; g: room for 2 n */
static bool solve_real(int64_t n, int64_t k, const double *t, double *f, double *g,
                       const double *b, double *x, double *rest, double *step)
{
    const agni_vlanes *own = &agni_simd_kernels_get()->lanes[AGNI_SIMD_F64];
    if (!own->levinson(n, k, t, f, g, b, x))
        return false;
    if (real_residual_is_small(own, n, k, t, b, x, rest))
        return true;
    if (!own->levinson(n, k, t, f, g, rest, step))
        return false;
    for (int64_t i = 0; i < n * k; i++)
        x[i] += step[i];
    return real_residual_is_small(own, n, k, t, b, x, rest);
}

static int64_t solve_one(void *user, int64_t i, char *room)
{
    const toeplitz_job *q = user;
    const agn_array *y = q->c->out;
    int64_t n = q->n, k = q->k, z = q->bytes;
    char *line = room, *turned = line + 2 * n * z, *f = turned + 2 * n * z, *g = f + n * z,
         *b = g + 2 * n * z, *x = b + n * k * z, *rest = x + n * k * z, *step = rest + n * k * z;
    /* a first column and a first row stand as one column each */
    agni_lapack_matrix c = agni_matrix_at(q->c->in, y, i), r = agni_matrix_at(q->c->in + 1, y, i),
                       rhs = agni_matrix_at(q->c->in + 2, y, i);
    int64_t narrow = agni_dtypes[q->dtype].bytes, middle = n - 1;
    for (int64_t j = 0; j < n; j++)
        agni_number_set(q->wide, line, middle + j,
                        agni_number_get(q->dtype, c.p + j * c.rs * narrow, 0));
    for (int64_t j = 1; j < n; j++)
        agni_number_set(q->wide, line, middle - j,
                        agni_number_get(q->dtype, r.p + j * r.rs * narrow, 0));
    if (!agni_all_finite(q->wide, line, 2 * n - 1))
        return AGNI_NOT_FINITE;
    double most = 0; /* the largest is about 1: reciprocals do not overflow */
    int e = 0;
    for (int64_t j = 0; j < 2 * n - 1; j++) {
        double complex v = agni_number_get(q->wide, line, j);
        most = fmax(most, fmax(fabs(creal(v)), fabs(cimag(v))));
    }
    frexp(most, &e);
    for (int64_t j = 0; j < 2 * n - 1; j++)
        agni_number_set(q->wide, line, j, agni_scale_parts(agni_number_get(q->wide, line, j), -e));
    for (int64_t j = 0; j < n; j++)
        for (int64_t h = 0; h < k; h++)
            agni_number_set(
                q->wide, b, h * n + j,
                agni_number_get(q->dtype, rhs.p + (j * rhs.rs + h * rhs.cs) * narrow, 0));
    char *at = line + middle * z;
    void *p = at, *pt = turned, *pf = f, *pg = g, *pb = b, *px = x, *pr = rest, *ps = step;
    for (int64_t j = 0; j < 2 * n - 1 && q->wide == AGN_F64; j++)
        ((double *)pt)[j] = ((const double *)p)[middle - j];
    bool good = q->wide == AGN_F64 ? solve_real(n, k, pt, pf, pg, pb, px, pr, ps)
                                   : solve_complex(n, k, p, pf, pg, pb, px, pr, ps);
    int64_t code = good ? 0 : solve_dense(q, at, b, x);
    if (code)
        return code;
    char *to = (char *)y->data + i * n * k * narrow;
    for (int64_t j = 0; j < n; j++)
        for (int64_t h = 0; h < k; h++)
            agni_number_set(q->dtype, to, j * k + h,
                            agni_scale_parts(agni_number_get(q->wide, x, h * n + j), -e));
    return 0;
}

agn_status agni_cpu_toeplitz_solve(const agn_kernel_call *c)
{
    const agn_array *y = c->out;
    toeplitz_job q = {
        .c = c, .dtype = y->dtype, .n = y->shape[y->ndim - 2], .k = y->shape[y->ndim - 1]};
    q.wide = agni_kind(q.dtype) == AGNI_KIND_COMPLEX ? AGN_C128 : AGN_F64;
    q.bytes = agni_dtypes[q.wide].bytes;
    int64_t batch = agni_batch_count(y, 2), at = 0;
    if (!batch || !q.n || !q.k)
        return AGN_OK;
    int64_t room = (7 + 4 * q.k) * q.n * q.bytes;
    int64_t order = (int64_t)cbrt((double)q.n * (double)q.n * (double)(q.k + 1));
    int64_t code = agni_each_with_room(batch, order, room, solve_one, &q, &at);
    if (code == AGNI_NOT_FINITE)
        return agni_fail(AGN_EDOMAIN, "%s: matrix %lld of %lld is not finite", c->op, (long long)at,
                         (long long)batch);
    if (code > 0)
        return agni_fail(AGN_EDOMAIN, "%s: matrix %lld of %lld is singular: pivot %lld is 0", c->op,
                         (long long)at, (long long)batch, (long long)code - 1);
    return code ? agni_lapack_failed(c, code, at, batch, room, "") : AGN_OK;
}
