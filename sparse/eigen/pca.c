/* sparse/eigen/pca.c - principal components by randomised subspace iteration, orthonormalised after
   each product (Halko, Martinsson & Tropp 2011, algorithm 4.4), and the singular values of the
   matrix on that subspace (5.1). They are the root that api.c differentiates. The singular values
   are those of the last product, so that C V = U S holds wherever the iteration ends. */
#include "sparse/eigen/eigen.h"
#include "tensor/dispatch/host_run.h"

#include <agnesi/ag.h>
#include <agnesi/random.h>
#include <float.h>
#include <lapacke.h>
#include <math.h>

/* [n, k] by rows: to LAPACK, k x n by columns, whose rows become orthonormal */
static agn_status orthonormalise(const char *op, double *x, int64_t rows, int32_t k)
{
    lapack_int n = (lapack_int)rows;
    double most[2] = {0, 0};
    LAPACKE_dgelqf_work(LAPACK_COL_MAJOR, k, n, x, k, NULL, &most[0], -1);
    LAPACKE_dorglq_work(LAPACK_COL_MAJOR, k, n, k, x, k, NULL, &most[1], -1);
    lapack_int room = (lapack_int)fmax(most[0], most[1]);
    double *work = agni_alloc((size_t)(room + k) * sizeof *work);
    if (!work)
        return agni_nomem(op, (size_t)(room + k) * sizeof *work);
    LAPACKE_dgelqf_work(LAPACK_COL_MAJOR, k, n, x, k, work + room, work, room);
    LAPACKE_dorglq_work(LAPACK_COL_MAJOR, k, n, k, x, k, work + room, work, room);
    agni_free(work);
    return AGN_OK;
}

/* singular values of [n, k], falling, and the right vectors: row j of w is that of s[j] */
static agn_status small_svd(const char *op, double *x, int64_t rows, int32_t k, double *s,
                            double *w)
{
    lapack_int n = (lapack_int)rows;
    double most = 0, none;
    LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'A', 'N', k, n, x, k, s, w, k, &none, 1, &most, -1);
    double *work = agni_alloc((size_t)most * sizeof *work);
    if (!work)
        return agni_nomem(op, (size_t)most * sizeof *work);
    lapack_int fails = LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'A', 'N', k, n, x, k, s, w, k, &none,
                                           1, work, (lapack_int)most);
    agni_free(work);
    return fails ? agni_fail(AGN_EDOMAIN, "%s: %d of %d singular values do not converge", op, fails,
                             k)
                 : AGN_OK;
}

static const agn_tensor *multiply_block(agn_scope *s, const agni_eigenproblem *q, bool adjoint,
                                        const agn_tensor *v, const agn_tensor *x)
{
    return ag_contiguous(s, agni_eigen_apply_matrix(s, q, adjoint, v, x));
}

/* orthonormal columns that span C x or C^T x */
static const agn_tensor *orthonormal_range(agn_scope *s, const agni_eigenproblem *q, bool adjoint,
                                           const agn_tensor *v, const agn_tensor *x)
{
    const agn_tensor *y = multiply_block(s, q, adjoint, v, x);
    if (!agn_scope_status(s))
        agn_scope_fail(s, orthonormalise(q->op, y->data, y->shape[0], q->k));
    return agn_scope_status(s) ? NULL : y;
}

static agn_status check_norm(const char *op, const agn_tensor *v, double *norm)
{
    double sum = 0;
    for (int64_t i = 0; i < agn_numel(v); i++)
        sum += ((const double *)v->data)[i] * ((const double *)v->data)[i];
    *norm = sqrt(sum);
    return *norm <= 1e150
               ? AGN_OK
               : agni_fail(AGN_EDOMAIN, "%s: the norm of x is %g, above 1e150 or NaN", op, *norm);
}

/* V and lambda of C^T C or C C^T, rising, from random vectors */
static agn_status find_components(const agni_eigenproblem *q, const agn_tensor *x,
                                  const agn_tensor *v, double *vectors, double *lambda)
{
    bool wide = q->squared == AGNI_SQUARE_WIDE;
    int32_t k = q->k;
    double norm = 0;
    agn_status st = check_norm(q->op, v, &norm);
    if (st || !k)
        return st;
    size_t bytes = ((size_t)q->n + (size_t)k + 1) * (size_t)k * sizeof(double);
    double *rows = agni_alloc_aligned(bytes);
    if (!rows)
        return agni_nomem(q->op, bytes);
    double *w = rows + q->n * k, *sv = w + (size_t)k * (size_t)k;
    agn_scope *s = agn_scope_open(NULL);
    for (int32_t round = 0; round <= q->rounds && !agn_scope_status(s); round++)
        x = orthonormal_range(s, q, !wide, v, orthonormal_range(s, q, wide, v, x));
    const agn_tensor *y = multiply_block(s, q, wide, v, x);
    if (!agn_scope_status(s) &&
        !agn_scope_fail(s, small_svd(q->op, y->data, y->shape[0], k, sv, w))) {
        const double *z = x->data;
        for (int32_t j = 0; j < k; j++)
            for (int64_t i = 0; i < q->n; i++) {
                double sum = 0;
                for (int32_t l = 0; l < k; l++)
                    sum += w[(int64_t)j * k + l] * z[i * k + l];
                rows[j * q->n + i] = sum;
            }
        agni_eigen_problem e = {.dtype = AGN_F64, .n = q->n, .k = k, .vectors = rows};
        for (int32_t j = 0; j < k; j++) {
            bool noise = sv[j] <= 32 * DBL_EPSILON * norm;
            agni_eigen_write_vector(&e, j, k - 1 - j, vectors);
            lambda[k - 1 - j] = noise ? 0 : sv[j] * sv[j];
        }
    }
    st = agn_scope_close(s);
    agni_free(rows);
    return st;
}

agn_status agni_pca_find(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                         const agn_tensor **out)
{
    const agni_eigenproblem *q = f->data;
    agn_tensor *v[3] = {NULL}, *x = NULL, *lambda = NULL;
    agn_status st = agni_krylov_host_values(q->op, f->n_in, in, v);
    if (!st)
        st = agni_tensor_make(&x, q->op, AGN_F64, 2, (int64_t[]){q->n, q->k}, AGN_CPU);
    if (!st)
        st = agni_tensor_make(&lambda, q->op, AGN_F64, 1, (int64_t[]){q->k}, AGN_CPU);
    if (!st)
        st = find_components(q, v[0], v[2], x->data, lambda->data);
    return agni_eigen_finish(s, st, f->n_in, v, x, lambda, out);
}

static agn_status check_arguments(const agn_tensor *key, const agn_tensor *x, int32_t niter)
{
    static const char op[] = "pca_lowrank";
    if (key->ndim != 1)
        return agni_fail(AGN_ESHAPE, "%s: the key is %s, with %d axes, one is needed", op,
                         AGNI_SHAPE(key), key->ndim);
    if (agni_kind(x->dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "%s: x is %s, real numbers are needed", op,
                         agni_dtypes[x->dtype].name);
    if (niter < 0 || niter == INT32_MAX)
        return agni_fail(AGN_EARG, "%s: niter is %d, not 0 to %d", op, niter, INT32_MAX - 1);
    for (int d = 0; d < x->ndim; d++)
        if (x->shape[d] > INT32_MAX)
            return agni_fail(AGN_EUNSUPPORTED,
                             "%s: x is %s; %lld is beyond the 32-bit sizes of LAPACK", op,
                             AGNI_SHAPE(x), (long long)x->shape[d]);
    return AGN_OK;
}

/* of every matrix along the first axis; where there is none, of zeros, which are cut off again */
static agn_status pca_of_batch(agn_tensor **to[3], const agn_tensor *key, const agn_tensor *x,
                               int32_t k, bool center, int32_t niter)
{
    int64_t none = x->shape[0] == 0, n = x->shape[0] + none;
    const agn_tensor **y = agni_alloc(3 * (size_t)n * sizeof *y), *cut;
    if (!y)
        return agni_nomem("pca_lowrank", 3 * (size_t)n * sizeof *y);
    agn_scope *s = agn_scope_open(NULL);
    for (int64_t i = 0; i < n && !agn_scope_status(s); i++) {
        agn_tensor *one[3] = {NULL};
        const agn_tensor *m = none ? agni_full(s, 0, x->dtype, x->ndim - 1, x->shape + 1)
                                   : ag_index_axis(s, x, 0, i);
        if (m &&
            !agn_scope_fail(s, agn_pca_lowrank(to[0] ? one : NULL, one + 1, to[2] ? one + 2 : NULL,
                                               key, m, k, center, niter)))
            for (int j = 0; j < 3; j++)
                y[j * n + i] = one[j] ? agn_scope_adopt(s, AGN_OK, &one[j]) : NULL;
    }
    agn_tensor *all[3] = {NULL};
    for (int j = 0; j < 3 && !agn_scope_status(s); j++)
        if (to[j]) {
            cut = ag_stack(s, y + j * n, (int32_t)n, 0);
            cut = none ? ag_slice(s, cut, 1, (int64_t[]){0}, (int64_t[]){0}, NULL) : cut;
            agn_scope_return(s, all + j, cut);
        }
    agni_free(y);
    agn_status st = agn_scope_close(s);
    for (int j = 0; j < 3; j++)
        if (to[j] && !st)
            *to[j] = all[j];
        else
            agn_release(all[j]);
    return st;
}

agn_status agn_pca_lowrank(agn_tensor **u, agn_tensor **sv, agn_tensor **v, const agn_tensor *key,
                           const agn_tensor *x, int32_t k, bool center, int32_t niter)
{
    agni_host_call h;
    if (agni_host_call_begin(&h, "pca_lowrank", 2, (const agn_tensor *[]){key, x})) {
        agn_status st = h.st ? h.st : agn_pca_lowrank(u ? &h.y[0] : NULL, sv ? &h.y[1] : NULL,
                                                      v ? &h.y[2] : NULL, h.in[0], h.in[1], k,
                                                      center, niter);
        return agni_host_call_end(&h, st, 3, (agn_tensor * *[]){u, sv, v});
    }
    static const char op[] = "pca_lowrank";
    AGNI_NEED_ALL(op, sv, "s");
    AGNI_NEED(op, key);
    AGNI_NEED(op, x);
    if (x->ndim > 2)
        return pca_of_batch((agn_tensor **[]){u, sv, v}, key, x, k, center, niter);
    AGNI_BY_ROWS(op, x, agn_pca_lowrank(u, sv, v, key, x, k, center, niter));
    agni_eigenproblem *q = NULL;
    agn_status st = check_arguments(key, x, niter);
    if (!st)
        st = agni_singular_problem_new(&q, op, x, k, NULL);
    if (st)
        return st;
    q->centred = center;
    q->rounds = niter;
    q->find = agni_pca_find;
    const agn_tensor *y[3];
    agn_tensor **to[3] = {u, sv, v};
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *guess = ag_normal(s, key, AGN_F64, 2, (int64_t[]){q->n, k});
    if (guess)
        agni_singular_solve(s, q, x, guess, NULL, y);
    for (int i = 0; i < 3 && !agn_scope_status(s); i++)
        if (to[i])
            agn_scope_return(s, to[i], y[i]);
    agni_obj_release(&q->head);
    return agni_rename_error(op, agn_scope_close(s));
}

agn_status agn_svd_lowrank(agn_tensor **u, agn_tensor **sv, agn_tensor **v, const agn_tensor *key,
                           const agn_tensor *x, int32_t k, int32_t niter)
{
    agni_host_call h;
    if (agni_host_call_begin(&h, "svd_lowrank", 2, (const agn_tensor *[]){key, x})) {
        agn_status st = h.st ? h.st : agn_svd_lowrank(u ? &h.y[0] : NULL, sv ? &h.y[1] : NULL,
                                                      v ? &h.y[2] : NULL, h.in[0], h.in[1], k,
                                                      niter);
        return agni_host_call_end(&h, st, 3, (agn_tensor * *[]){u, sv, v});
    }
    static const char op[] = "svd_lowrank";
    AGNI_NEED_ALL(op, sv, "s");
    AGNI_NEED(op, key);
    AGNI_NEED(op, x);
    return agni_rename_error(op, agn_pca_lowrank(u, sv, v, key, x, k, false, niter));
}
