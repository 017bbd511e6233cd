/* sparse/eigen/lobpcg.c - the locally optimal block preconditioned conjugate gradient method of
   Knyazev (2001) for A x = lambda M x: Rayleigh and Ritz on the span of the vectors, their
   preconditioned residuals and the last directions. That basis is made orthonormal by the
   eigenvalues of its Gram matrix, and what is dependent to rounding is dropped (Stathopoulos &
   Wu 2002), so that blocks may converge one after the other. */
#include "sparse/eigen/eigen.h"

#include <agnesi/ag.h>
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

typedef struct blocks {
    const agni_eigenproblem *q;
    const agn_tensor *v, *m;
    int dtype;
    int64_t products;
} blocks;

typedef const agn_tensor *tensor;

static tensor adjoint_of(agn_scope *s, tensor x)
{
    return x ? agni_conjugate(s, ag_swapaxes(s, x, 0, 1)) : NULL;
}
static tensor apply_mass(agn_scope *s, const blocks *b, tensor x)
{
    return b->q->weighed && x ? agni_linear_operator_apply(s, &b->q->mass, false, b->m, x) : x;
}
static tensor apply_operator(agn_scope *s, blocks *b, tensor x)
{
    b->products += x ? x->shape[1] : 0;
    return x ? agni_eigen_apply(s, b->q, b->v, x) : NULL;
}

/* zheev in memory with room behind it: zgemv of OpenBLAS 0.3.21 reads one element more than a
   vector has. Row-major memory is the conjugate to LAPACK, whose vectors are conjugates in its
   rows. */
static lapack_int run_zheev(lapack_int n, double complex *z, double *values)
{
    size_t square = (size_t)n * (size_t)n, lwork = 34 * (size_t)n;
    double complex *a = agni_alloc((square + lwork + 3 * (size_t)n) * sizeof *a);
    if (!a)
        return LAPACK_WORK_MEMORY_ERROR;
    memcpy(a, z, square * sizeof *a);
    lapack_int fails = LAPACKE_zheev_work(LAPACK_COL_MAJOR, 'V', 'U', n, a, n, values, a + square,
                                          (lapack_int)lwork, (double *)(a + square + lwork));
    for (size_t i = 0; i < square; i++)
        z[i] = conj(a[i % (size_t)n * (size_t)n + i / (size_t)n]);
    agni_free(a);
    return fails;
}

/* values, rising, and vectors of a small Hermitian matrix */
static void solve_small_hermitian(agn_scope *s, const blocks *b, tensor h, tensor *part)
{
    agn_tensor *z = NULL, *l = NULL;
    if (agn_scope_status(s))
        return;
    int64_t n = h->shape[0];
    agn_status st = agni_tensor_make(&z, b->q->op, h->dtype, 2, h->shape, AGN_CPU);
    if (!st)
        st = agni_tensor_make(&l, b->q->op, AGN_F64, 1, &n, AGN_CPU);
    if (!st)
        st = agn_to_host(z->data, h, (size_t)(n * n) * agn_dtype_size(h->dtype));
    for (int64_t i = 0; !st && i < 2 * n * n && (i < n * n || h->dtype == AGN_C128); i++)
        if (!isfinite(((const double *)z->data)[i]))
            st = agni_fail(AGN_EDOMAIN, "%s: a product of the matrix %s is not finite", b->q->op,
                           AGNI_SHAPE(h));
    lapack_int fails = 0, m = (lapack_int)n;
    if (!st && n && h->dtype == AGN_C128)
        fails = run_zheev(m, z->data, l->data);
    else if (!st && n)
        fails = LAPACKE_dsyev(LAPACK_ROW_MAJOR, 'V', 'L', m, z->data, m, l->data);
    if (fails)
        st = fails == LAPACK_WORK_MEMORY_ERROR || fails == LAPACK_TRANSPOSE_MEMORY_ERROR
                 ? agni_nomem(b->q->op, (size_t)(n * n) * agn_dtype_size(h->dtype))
                 : agni_fail(AGN_ENOCONV, "%s: the small eigenproblem %s did not converge: %d",
                             b->q->op, AGNI_SHAPE(h), (int)fails);
    if (st) {
        agn_release(l);
        agn_release(z);
        agn_scope_fail(s, st);
        return;
    }
    part[0] = agn_scope_adopt(s, AGN_OK, &l);
    part[1] = agn_scope_adopt(s, AGN_OK, &z);
}

/* columns [from, to) */
static tensor slice_columns(agn_scope *s, tensor x, int64_t from, int64_t to)
{
    return ag_slice(s, x, 2, (int64_t[]){0, from}, (int64_t[]){AGN_END, to}, NULL);
}

/* z with z^H M z = 1 and the span of x, but for what is dependent to rounding */
static tensor orthonormalise(agn_scope *s, const blocks *b, tensor x)
{
    for (int again = 0; again < 2 && !agn_scope_status(s); again++) {
        tensor gram = ag_matmul(s, adjoint_of(s, x), apply_mass(s, b, x)), part[2];
        if (agn_scope_status(s))
            return NULL;
        /* columns of one length first, so that what is small is dependent, not short */
        tensor length = ag_sqrt(s, ag_real(s, ag_diagonal(s, gram, 0, 0, 1)));
        const double *d = agn_scope_status(s) ? NULL : length->data;
        double floor = 0;
        for (int64_t j = 0; d && j < length->size; j++)
            floor = fmax(floor, d[j]);
        length = ag_maximum_c(s, length, floor * DBL_MIN + DBL_MIN);
        x = ag_div(s, x, length);
        gram = ag_div(s, ag_div(s, gram, length), ag_expand_dims(s, length, 1));
        solve_small_hermitian(s, b, gram, part);
        if (agn_scope_status(s))
            return NULL;
        tensor l = ag_contiguous(s, part[0]);
        if (agn_scope_status(s))
            return NULL;
        int64_t n = l->size, drop = 0;
        const double *w = l->data;
        while (drop < n && !(w[drop] > 1e-12 * w[n - 1]))
            drop++;
        tensor kept = slice_columns(s, part[1], drop, n);
        tensor root = ag_sqrt(s, ag_slice(s, l, 1, &drop, &n, NULL));
        x = ag_matmul(s, x, ag_div(s, kept, root));
    }
    return agn_scope_status(s) ? NULL : x;
}

/* y less what the columns of x, orthonormal, have of it; twice is enough (Giraud & al. 2005) */
static tensor project_out(agn_scope *s, const blocks *b, tensor x, tensor y)
{
    for (int again = 0; again < 2; again++)
        y = ag_sub(s, y, ag_matmul(s, x, ag_matmul(s, adjoint_of(s, x), apply_mass(s, b, y))));
    return y;
}

/* k numbers and their combinations of a basis, the one wanted most first */
static void rayleigh_ritz(agn_scope *s, blocks *b, tensor z, int64_t k, tensor *l, tensor *x)
{
    tensor part[2], az = apply_operator(s, b, z), h = ag_matmul(s, adjoint_of(s, z), az);
    h = ag_mul_c(s, ag_add(s, h, adjoint_of(s, h)), 0.5);
    if (!agn_scope_status(s))
        solve_small_hermitian(s, b, h, part);
    if (agn_scope_status(s))
        return;
    int64_t n = part[0]->shape[0], zero = 0;
    if (b->q->o.which == AGN_EIGEN_LARGEST) {
        part[0] = ag_flip(s, part[0], (int32_t[]){0}, 1);
        part[1] = ag_flip(s, part[1], (int32_t[]){1}, 1);
    }
    k = k < n ? k : n;
    *l = ag_contiguous(s, ag_slice(s, part[0], 1, &zero, &k, NULL));
    *x = ag_matmul(s, z, slice_columns(s, part[1], 0, k));
}

/* numbers without a pattern, the same in every run */
static tensor start_vectors(agn_scope *s, const blocks *b, int64_t k)
{
    agn_tensor *x = NULL;
    int64_t n = b->q->n;
    agn_status st = agni_tensor_make(&x, b->q->op, AGN_F64, 2, (int64_t[]){n, k}, AGN_CPU);
    uint64_t seed = 1;
    for (int64_t i = 0; !st && i < n * k; i++) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        ((double *)x->data)[i] = (double)(seed >> 11) * 0x1p-52 - 1;
    }
    tensor y = agn_scope_adopt(s, st, &x);
    return y && b->dtype != AGN_F64 ? agni_cast(s, y, b->dtype) : y;
}

static tensor apply_preconditioner(agn_scope *s, const blocks *b, tensor r)
{
    if (!b->q->precondition || !r)
        return r;
    agn_tensor *y = NULL;
    agn_status st = agn_fn_call(&y, 1, b->q->precondition, &r, 1);
    if (!st && (!agni_same_shape(y, r) || y->dtype != r->dtype)) {
        st = agni_fail(AGN_ESHAPE, "%s: precondition makes %s %s of %s %s", b->q->op,
                       agni_dtypes[y->dtype].name, AGNI_SHAPE(y), agni_dtypes[r->dtype].name,
                       AGNI_SHAPE(r));
        agn_release(y);
        y = NULL;
    }
    return agn_scope_adopt(s, st, &y);
}

/* how many of the residuals are small, and the largest against its limit */
static int32_t count_converged(const double *l, const double *r, int64_t k, double tol,
                               double scale, double *worst)
{
    int32_t n = 0;
    *worst = 0;
    for (int64_t j = 0; j < k; j++) {
        double limit = fmax(tol * fabs(l[j]), 64 * DBL_EPSILON * scale);
        n += r[j] <= limit;
        *worst = fmax(*worst, r[j]);
    }
    return n;
}

/* one step: x, l and p become the next ones; true: done, or s has failed */
static bool lobpcg_step(agn_scope *s, blocks *b, int64_t k, tensor *x, tensor *l, tensor *p,
                        double *scale)
{
    const agni_eigenproblem *q = b->q;
    const int32_t rows = 0;
    tensor ax = apply_operator(s, b, *x);
    tensor r = ag_sub(s, ax, ag_mul(s, apply_mass(s, b, *x), *l));
    tensor size = ag_contiguous(s,
                                ag_sqrt(s, ag_sum(s, ag_square(s, ag_abs(s, r)), &rows, 1, false)));
    tensor whole = ag_contiguous(
        s, ag_sqrt(s, ag_sum(s, ag_square(s, ag_abs(s, ax)), &rows, 1, false)));
    if (agn_scope_status(s))
        return true;
    for (int64_t j = 0; j < k; j++)
        *scale = fmax(*scale, ((const double *)whole->data)[j]);
    int32_t n = count_converged((*l)->data, size->data, k, q->o.tol > 0 ? q->o.tol : 1e-12, *scale,
                                &q->report->residual);
    q->report->converged = n;
    q->report->products = b->products;
    if (n == k)
        return true;
    q->report->restarts++;
    tensor w = apply_preconditioner(s, b, r);
    w = project_out(s, b, *x, w);
    tensor all[3] = {*x, w, *p}, old = *x;
    tensor z = orthonormalise(s, b, ag_concat(s, all, *p ? 3 : 2, 1));
    rayleigh_ritz(s, b, z, k, l, x);
    if (agn_scope_status(s))
        return true;
    *p = project_out(s, b, old, *x);
    return agn_scope_status(s) != AGN_OK;
}

agn_status agni_lobpcg(const agni_eigenproblem *q, const agn_tensor *v, const agn_tensor *m,
                       agni_z *values, void *vectors)
{
    blocks b = {.q = q, .v = v, .m = m, .dtype = v->dtype};
    agn_eigen_info none = {.size = sizeof none};
    agni_eigenproblem asked = *q;
    asked.report = q->report ? q->report : &none;
    b.q = &asked;
    int64_t k = q->k, most = q->o.max_products ? q->o.max_products : 10 * (1000 + 100 * k);
    double scale = 0;
    agn_tensor *held[3] = {NULL, NULL, NULL}; /* x, l, p between steps */
    agn_status st = AGN_OK;
    bool done = k == 0;
    for (bool first = true; !st && !done; first = false) {
        agn_scope *s = agn_scope_open(NULL);
        tensor x = held[0], l = held[1], p = held[2];
        if (first)
            rayleigh_ritz(s, &b, orthonormalise(s, &b, start_vectors(s, &b, k)), k, &l, &x);
        done = agn_scope_status(s) || lobpcg_step(s, &b, k, &x, &l, &p, &scale);
        agn_tensor *next[3] = {NULL, NULL, NULL};
        if (!agn_scope_status(s)) {
            agn_scope_return(s, &next[0], x);
            agn_scope_return(s, &next[1], l);
            if (p)
                agn_scope_return(s, &next[2], p);
        }
        st = agn_scope_close(s);
        for (int i = 0; i < 3; i++) {
            agn_release(held[i]);
            held[i] = next[i];
        }
        if (!st && !done && agni_check_interrupt())
            st = agni_fail(AGN_ECANCELLED, "%s: cancelled after %lld products", q->op,
                           (long long)b.products);
        if (!st && !done && b.products > most)
            st = agni_fail(AGN_ENOCONV, "%s: %d of %d values after %lld products (residual %.3g)",
                           q->op, asked.report->converged, q->k, (long long)b.products,
                           asked.report->residual);
    }
    bool falls = q->o.which == AGN_EIGEN_LARGEST;
    for (int64_t j = 0; !st && j < k; j++)
        values[j] = ((const double *)held[1]->data)[falls ? k - 1 - j : j];
    if (!st && k) {
        agn_scope *s = agn_scope_open(NULL);
        tensor rows = ag_contiguous(s, ag_swapaxes(s, held[0], 0, 1));
        for (int32_t j = 0; j < k && !agn_scope_status(s); j++) /* rising */
            agni_eigen_write_vector(
                &(agni_eigen_problem){
                    .dtype = b.dtype, .n = q->n, .k = q->k, .vectors = rows->data},
                falls ? (int32_t)k - 1 - j : j, j, vectors);
        st = agn_scope_close(s);
    }
    for (int i = 0; i < 3; i++)
        agn_release(held[i]);
    return st;
}
