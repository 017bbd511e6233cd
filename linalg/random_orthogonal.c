/* linalg/random_orthogonal.c - random orthogonal matrices: the factor q of a matrix of normal
   random numbers, with the signs of the diagonal of r, has Haar's distribution
   (Mezzadri 2007). */
#include "linalg/linalg.h"
#include "tensor/dispatch/host_run.h"
#include "tensor/dispatch/op_helpers.h"

#include <agnesi/ag.h>
#include <complex.h>
#define lapack_complex_float float complex
#define lapack_complex_double double complex
#include <lapacke.h>

static agn_status check_arguments(agn_tensor *const *out, const agn_tensor *key, agn_dtype dtype,
                                  int32_t ndim, const int64_t *shape)
{
    int64_t size;
    if (!out || !key || !shape)
        return agni_fail(AGN_ENULL, "linalg_orthogonal: %s is NULL",
                         !out   ? "out"
                         : !key ? "key"
                                : "shape");
    if (dtype < 0 || dtype >= AGN_NDTYPES || agni_kind(dtype) != AGNI_KIND_FLOAT)
        return agni_fail(AGN_EDTYPE,
                         "linalg_orthogonal: the dtype is %s; f16, bf16, f32 or f64 is "
                         "needed",
                         agn_dtype_name(dtype));
    if (ndim < 2 || ndim > AGN_MAX_RANK)
        return agni_fail(AGN_ESHAPE, "linalg_orthogonal: %d axes; 2 to %d are possible",
                         ndim, AGN_MAX_RANK);
    agn_status st = agni_shape_check("linalg_orthogonal", ndim, shape, &size);
    if (!st && (shape[ndim - 2] > INT32_MAX || shape[ndim - 1] > INT32_MAX))
        st = agni_fail(AGN_EUNSUPPORTED,
                       "linalg_orthogonal: %lld x %lld is beyond the sizes of "
                       "LAPACK",
                       (long long)shape[ndim - 2], (long long)shape[ndim - 1]);
    return st;
}

/* n x k numbers by columns, n >= k > 0, to k orthonormal columns */
static agn_status orthonormalise_columns(double *a, int64_t n, int64_t k)
{
    lapack_int N = (lapack_int)n, K = (lapack_int)k;
    double most[2] = {0, 0};
    LAPACKE_dgeqrf_work(LAPACK_COL_MAJOR, N, K, a, N, NULL, &most[0], -1);
    LAPACKE_dorgqr_work(LAPACK_COL_MAJOR, N, K, K, a, N, NULL, &most[1], -1);
    int64_t room = (int64_t)(most[0] > most[1] ? most[0] : most[1]);
    size_t bytes = (size_t)(room + 2 * k) * sizeof(double);
    double *work = agni_alloc(bytes);
    if (!work)
        return agni_nomem("linalg_orthogonal", bytes);
    double *tau = work + room, *sign = tau + k;
    LAPACKE_dgeqrf_work(LAPACK_COL_MAJOR, N, K, a, N, tau, work, (lapack_int)room);
    for (int64_t j = 0; j < k; j++)
        sign[j] = a[j * n + j] < 0 ? -1 : 1;
    LAPACKE_dorgqr_work(LAPACK_COL_MAJOR, N, K, K, a, N, tau, work, (lapack_int)room);
    for (int64_t j = 0; j < k; j++)
        for (int64_t i = 0; i < n; i++)
            a[j * n + i] *= sign[j];
    agni_free(work);
    return AGN_OK;
}

agn_status agn_linalg_orthogonal(agn_tensor **out, const agn_tensor *key,
                                 agn_dtype dtype, int32_t ndim, const int64_t *shape)
{
    agni_host_call h;
    if (agni_host_call_begin(&h, "linalg_orthogonal", 1, (const agn_tensor *[]){key})) {
        agn_status st = h.st ? h.st : agn_linalg_orthogonal(out ? &h.y[0] : NULL, h.in[0], dtype,
                                                            ndim, shape);
        return agni_host_call_end(&h, st, 1, (agn_tensor * *[]){out});
    }
    agn_status st = check_arguments(out, key, dtype, ndim, shape);
    if (st)
        return st;
    /* the shorter side counts columns, which lie one behind the other: rows to C */
    bool tall = shape[ndim - 2] > shape[ndim - 1];
    int64_t rows[AGN_MAX_RANK], n, k, batch = 1;
    for (int d = 0; d < ndim; d++)
        rows[d] = shape[d];
    for (int d = 0; d < ndim - 2; d++)
        batch *= shape[d];
    rows[ndim - 2] = k = shape[tall ? ndim - 1 : ndim - 2];
    rows[ndim - 1] = n = shape[tall ? ndim - 2 : ndim - 1];
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *z = ag_copy(s, ag_normal(s, key, AGN_F64, ndim, rows));
    if (z && agni_is_symbolic(z))
        agn_scope_fail(s, agni_fail(AGN_ESYMBOLIC,
                                    "linalg_orthogonal: the key %s has no value "
                                    "while tracing",
                                    AGNI_SHAPE(key)));
    else if (z)
        agn_scope_fail(s, agni_require_host(z, "linalg_orthogonal"));
    for (int64_t i = 0; z && k && i < batch && !agn_scope_status(s); i++)
        agn_scope_fail(s, orthonormalise_columns((double *)z->data + i * n * k, n, k));
    const agn_tensor *y = tall ? ag_contiguous(s, ag_transpose(s, z)) : z;
    return agni_return("linalg_orthogonal", s, out, ag_cast(s, y, dtype));
}
