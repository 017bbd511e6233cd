/* sparse/eigen/eigen_rules.c - the linear systems of derivatives of eigenpairs, column by column.
   Where A is Hermitian, the bordered matrix [A - lambda M, -M v; -(M v)^H, 0] is self-adjoint and
   MINRES solves with it; it is singular along the phase of a complex vector, and the solution of
   least norm is taken. Any other A has [A - lambda, -v; -v^H, 0] (from v^H x = 1), whose adjoint is
   the same of A^H and conj(lambda), for left vectors; GMRES solves with both (Magnus 1985). */
#include "sparse/eigen/eigen.h"

#include <agnesi/ag.h>
#include <math.h>
#include <string.h>

/* the number at the end of a vector of n + 1 elements, on the host */
static agn_status copy_border(const agni_eigen_state *c, bool back, agni_z *border, char *vector)
{
    size_t one = agn_dtype_size(c->dtype);
    char *at = vector + (size_t)c->q->n * one;
    int32_t from = back ? AGN_CPU : c->vectors.device, to = back ? c->vectors.device : AGN_CPU;
    if (!back)
        *border = 0; /* of a real number the imaginary part */
    return agni_device_copy(to, back ? (void *)at : border, from, back ? (void *)border : at, one);
}

static agn_status multiply_bordered(void *user, bool adjoint, const void *x, void *y)
{
    agni_eigen_state *c = user;
    const agni_eigenproblem *q = c->q;
    int64_t n = q->n;
    agni_krylov *k = &c->vectors;
    agni_z border;
    agn_status st = copy_border(c, false, &border, (char *)(uintptr_t)x);
    if (!st)
        st = agni_eigen_multiply(c, adjoint, x, y);
    const void *mx = x;
    if (!st && q->weighed) {
        st = agni_eigen_multiply_mass(c, false, x, c->t);
        mx = c->t;
    }
    if (st)
        return st;
    agni_krylov_axpby(k, n, -(adjoint ? conj(c->lambda) : c->lambda), mx, 1, y);
    agni_krylov_axpby(k, n, -border, c->mv, 1, y);
    border = -agni_krylov_dot(k, n, c->mv, x);
    return k->st ? k->st : copy_border(c, true, &border, y);
}

/* one column: b of n + 1 elements to x of as many */
static agn_status solve_column(agni_eigen_state *c, bool adjoint, const void *b, void *x)
{
    enum { MOST_KEPT = 400 }; /* vectors of GMRES: all that a small problem has */
    const agni_eigenproblem *q = c->q;
    agni_krylov k = {.op = q->op, .dtype = c->dtype, .rows = q->n + 1, .n = q->n + 1,
                     .adjoint = adjoint, .device = c->vectors.device};
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

/* columns of a row-major [n, k] one after the other, contiguous; of the scope */
static const agn_tensor *columns_of(agn_scope *s, const agn_tensor *x)
{
    return ag_copy(s, ag_swapaxes(s, x, 0, 1));
}

static agn_status run_solve(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                            const agn_tensor **out, bool adjoint)
{
    const agni_eigenproblem *q = f->data;
    agn_tensor *v[6] = {NULL}, *x = NULL, *l = NULL, *near[2] = {NULL};
    agni_eigen_state c = {.q = q};
    int64_t n = q->n, k = q->k;
    agn_scope *own = agn_scope_open(NULL);
    agn_status st = agni_krylov_plain_values(f->n_in, in, v);
    int32_t device = st ? AGN_CPU : agni_krylov_device(v[4]->st->device, v[4]->dtype);
    if (!st && device != v[4]->st->device)
        st = agni_require_host(in[4], q->op);
    for (int i = 0; !st && i < 4; i++) /* zeros of the library may be the host's */
        st = agni_eigen_move(&v[i], device);
    if (!st)
        st = agni_eigen_state_open(&c, q, v[4], q->weighed ? v[5] : NULL);
    const agn_tensor *b = st ? NULL : columns_of(own, v[0]);
    const agn_tensor *vec = st ? NULL : columns_of(own, v[2]);
    st = st ? st : agn_scope_status(own);
    for (int i = 0; !st && i < 2; i++)
        st = agn_to_device(&near[i], v[2 * i + 1], AGN_CPU);
    if (!st)
        st = agni_tensor_make(&x, q->op, v[0]->dtype, 2, (int64_t[]){k, n}, device);
    if (!st)
        st = agni_tensor_make(&l, q->op, v[3]->dtype, 1, &k, AGN_CPU);
    size_t one = st ? 16 : agn_dtype_size(c.dtype);
    agni_krylov *w = &c.vectors;
    char *room = st ? NULL : agni_krylov_alloc(w, 3, n + 1), *at[3] = {NULL};
    st = st ? st : w->st;
    for (int i = 0; !st && i < 3; i++)
        at[i] = agni_krylov_vector_at(w, room, n + 1, i);
    for (int64_t j = 0; !st && j < k; j++) {
        size_t column = (size_t)(j * n) * one;
        agni_z last = number_at(near[0], j);
        c.lambda = number_at(near[1], j);
        c.mv = (const char *)vec->data + column;
        agni_krylov_copy(w, n, (const char *)b->data + column, at[0]);
        st = w->st ? w->st : copy_border(&c, true, &last, at[0]);
        if (!st && q->weighed) {
            st = agni_eigen_multiply_mass(&c, false, c.mv, at[2]);
            c.mv = at[2];
        }
        if (!st)
            st = solve_column(&c, adjoint, at[0], at[1]);
        if (!st)
            agni_krylov_copy(w, n, at[1], (char *)x->data + column);
        if (!st)
            st = copy_border(&c, false, &last, at[1]);
        if (!st)
            memcpy((char *)l->data + (size_t)j * agn_dtype_size(l->dtype), &last,
                   agn_dtype_size(l->dtype));
        st = st ? st : w->st;
    }
    agni_krylov_free(w, room, 3, n + 1);
    agni_eigen_state_close(&c);
    for (int i = 0; i < 2; i++)
        agn_release(near[i]);
    if (!st)
        st = agni_eigen_move(&l, device);
    agn_tensor *turned = NULL;
    if (!st)
        agn_scope_return(own, &turned, columns_of(own, x));
    agn_status closed = agn_scope_close(own);
    agn_release(x);
    return agni_eigen_finish(s, st ? st : closed, f->n_in, v, turned, l, out);
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
