/* linalg/structured/cpu/levinson.c - Toeplitz systems by Levinson's recursion in double precision;
   where the residual is not that of a stable method a second pass solves for it, and LU factors
   where that does not help. */
#include "linalg/cpu/lapack_calls.h"

#include <string.h>

enum { SMALL_MINOR = 1 };

#define NUMBER double
#define MODULUS fabs
#define NAME(x) x##_real
#include "linalg/structured/cpu/levinson_body.h"
#undef NUMBER
#undef MODULUS
#undef NAME
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
        if (q->wide == AGN_F64)
            fill_dense_real(n, (const double *)(const void *)at, (double *)(void *)a);
        else
            fill_dense_complex(n, (const double complex *)(const void *)at,
                               (double complex *)(void *)a);
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
#define SOLVE_TWICE(name, T, levinson, residual_is_small) \
    static bool name(int64_t n, int64_t k, const T *at, T *f, T *g, const T *b, T *x, T *rest, \
                     T *step) \
    { \
        if (levinson(n, k, at, f, g, b, x)) \
            return false; \
        if (residual_is_small(n, k, at, b, x, rest)) \
            return true; \
        if (levinson(n, k, at, f, g, rest, step)) \
            return false; \
        for (int64_t i = 0; i < n * k; i++) \
            x[i] += step[i]; \
        return residual_is_small(n, k, at, b, x, rest); \
    }
SOLVE_TWICE(solve_twice_real, double, levinson_real, residual_is_small_real)
SOLVE_TWICE(solve_twice_complex, double complex, levinson_complex, residual_is_small_complex)

static int64_t solve_one(void *user, int64_t i, char *room)
{
    const toeplitz_job *q = user;
    const agn_array *y = q->c->out;
    int64_t n = q->n, k = q->k, z = q->bytes;
    char *line = room, *f = line + 2 * n * z, *g = f + n * z, *b = g + n * z, *x = b + n * k * z,
         *rest = x + n * k * z, *step = rest + n * k * z;
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
    void *p = at, *pf = f, *pg = g, *pb = b, *px = x, *pr = rest, *ps = step;
    bool good = q->wide == AGN_F64 ? solve_twice_real(n, k, p, pf, pg, pb, px, pr, ps)
                                   : solve_twice_complex(n, k, p, pf, pg, pb, px, pr, ps);
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
    int64_t room = (4 + 4 * q.k) * q.n * q.bytes;
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
