/* sparse/eigen/eigen_rules.c - the linear systems of derivatives of eigenpairs, column by column.
   Where A is Hermitian, the bordered matrix [A - lambda M, -M v; -(M v)^H, 0] is self-adjoint and
   MINRES solves with it; it is singular along the phase of a complex vector, and the solution of
   least norm is taken. Any other A has [A - lambda, -v; -v^H, 0] (from v^H x = 1), whose adjoint is
   the same of A^H and conj(lambda), for left vectors; GMRES solves with both (Magnus 1985). */
#include "sparse/eigen/eigen.h"

#include <math.h>
#include <string.h>

static agn_status multiply_bordered(void *user, bool adjoint, const void *x, void *y)
{
    const agni_eigen_state *c = user;
    const agni_eigenproblem *q = c->q;
    int64_t n = q->n;
    size_t one = agn_dtype_size(c->dtype);
    const char *xi = (const char *)x + (size_t)n * one;
    agni_z border = one == sizeof(agni_z) ? *(const agni_z *)(const void *)xi
                                          : *(const double *)(const void *)xi;
    agn_status st = agni_eigen_multiply(c, adjoint, x, y);
    if (st)
        return st;
    const void *mx = x;
    if (q->weighed) {
        st = agni_eigen_multiply_mass((void *)(uintptr_t)c, false, x, c->t);
        mx = c->t;
    }
    agni_vector_axpby(c->dtype, n, -(adjoint ? conj(c->lambda) : c->lambda), mx, 1, y);
    agni_vector_axpby(c->dtype, n, -border, c->mv, 1, y);
    border = -agni_vector_dot(c->dtype, n, c->mv, x);
    if (one == sizeof(agni_z))
        memcpy((char *)y + (size_t)n * one, &border, one);
    else
        memcpy((char *)y + (size_t)n * one, (double *)&border, one);
    return st;
}

/* one column: b of n + 1 elements to x of as many */
static agn_status solve_column(agni_eigen_state *c, bool adjoint, const void *b, void *x)
{
    enum { MOST_KEPT = 400 }; /* vectors of GMRES: all that a small problem has */
    const agni_eigenproblem *q = c->q;
    agni_krylov k = {.op = q->op, .dtype = c->dtype, .rows = q->n + 1, .n = q->n + 1,
                     .adjoint = adjoint};
    k.a = (agni_vector_op){multiply_bordered, c};
    agn_krylov_options o = {.size = sizeof o,
                            .method = q->hermitian ? AGN_KRYLOV_MINRES : AGN_KRYLOV_GMRES,
                            .rtol = 1e-13,
                            .accept = true,
                            .max_iterations = 1000 + 20 * (q->n < INT32_MAX ? q->n : INT32_MAX)};
    if (!q->hermitian)
        o.restart = q->n < MOST_KEPT ? (int32_t)q->n + 1 : MOST_KEPT;
    agn_status st = agni_krylov_defaults(q->op, &k.o, &o, c->dtype, q->n + 1);
    if (!st)
        st = agni_krylov_run(&k, b, NULL, x);
    bool phase = q->hermitian && c->dtype == AGN_C128 && k.info.reason == AGN_KRYLOV_LEAST;
    if (!st && !phase && k.info.residual > 1e5 * k.info.target)
        st = agni_fail(AGN_EDOMAIN,
                       "%s: the derivative of the vector of value %.17g: no convergence (residual "
                       "%.3g after %lld iterations); it must be simple",
                       q->op, creal(c->lambda), k.info.residual, (long long)k.info.iterations);
    return st;
}

/* element i of numbers that are real or complex */
static agni_z number_at(const agn_tensor *x, int64_t i)
{
    return x->dtype == AGN_C128 ? ((const agni_z *)x->data)[i] : ((const double *)x->data)[i];
}

static agn_status run_solve(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                            const agn_tensor **out, bool adjoint)
{
    const agni_eigenproblem *q = f->data;
    agn_tensor *v[6] = {NULL}, *x = NULL, *l = NULL;
    agni_eigen_state c = {.q = q};
    int64_t n = q->n, k = q->k;
    agn_status st = agni_krylov_host_values(q->op, f->n_in, in, v);
    if (!st)
        st = agni_eigen_state_open(&c, q, v[4], q->weighed ? v[5] : NULL);
    if (!st)
        st = agni_tensor_make(&x, q->op, v[0]->dtype, 2, (int64_t[]){n, k}, AGN_CPU);
    if (!st)
        st = agni_tensor_make(&l, q->op, v[3]->dtype, 1, &k, AGN_CPU);
    size_t one = st ? 16 : agn_dtype_size(c.dtype);
    size_t part = (size_t)(n + 1) * one;
    char *b = st ? NULL : agni_zalloc(4 * part);
    if (!st && !b)
        st = agni_nomem(q->op, 4 * part);
    char *y = st ? NULL : b + part, *vec = st ? NULL : y + part, *mv = st ? NULL : vec + part;
    for (int64_t j = 0; !st && j < k; j++) {
        for (int64_t i = 0; i < n; i++) {
            memcpy(b + (size_t)i * one, (const char *)v[0]->data + (size_t)(i * k + j) * one, one);
            memcpy(vec + (size_t)i * one, (const char *)v[2]->data + (size_t)(i * k + j) * one,
                   one);
        }
        agni_z last = number_at(v[1], j);
        memcpy(b + (size_t)n * one, &last, one);
        c.lambda = number_at(v[3], j);
        c.mv = q->weighed ? mv : vec;
        if (q->weighed)
            st = agni_eigen_multiply_mass(&c, false, vec, mv);
        if (!st)
            st = solve_column(&c, adjoint, b, y);
        for (int64_t i = 0; !st && i < n; i++)
            memcpy((char *)x->data + (size_t)(i * k + j) * one, y + (size_t)i * one, one);
        if (!st)
            memcpy((char *)l->data + (size_t)j * agn_dtype_size(l->dtype), y + (size_t)n * one,
                   agn_dtype_size(l->dtype));
    }
    agni_free(b);
    agni_eigen_state_close(&c);
    return agni_eigen_finish(s, st, f->n_in, v, x, l, out);
}

agn_status agni_eigen_solve(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                            const agn_tensor **out)
{
    return run_solve(f, s, in, out, false);
}
agn_status agni_eigen_solve_adjoint(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                                    const agn_tensor **out)
{
    return run_solve(f, s, in, out, true);
}
