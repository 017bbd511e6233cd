/* sparse/eigen/krylov_schur.c - eigenvalues by Krylov-Schur restarts (Stewart 2001) with the
   matrix, or with the inverse of the shifted one. */
#include "sparse/eigen/eigen.h"
#include "tensor/dispatch/host_run.h"

#include <agnesi/ag.h>
#include <math.h>
#include <string.h>

/* less their mean: (1 - e e^T / n) x, by which A less the mean of its rows is a product with A */
static void subtract_mean(int64_t n, double *x)
{
    double mean = 0;
    for (int64_t i = 0; i < n; i++)
        mean += x[i] / (double)n;
    for (int64_t i = 0; i < n; i++)
        x[i] -= mean;
}

/* ---- products on arrays ---------------------------------------------------------------------- */

agn_status agni_eigen_multiply(const agni_eigen_state *c, bool adjoint, const void *x, void *y)
{
    const agni_eigenproblem *q = c->q;
    if (!q->squared)
        return agni_linear_operator_multiply(&q->a, c->v, c->vh, adjoint, x, y);
    bool wide = q->squared == AGNI_SQUARE_WIDE;
    if (q->centred && wide) {
        memcpy(y, x, (size_t)q->n * sizeof(double));
        subtract_mean(q->n, y);
        x = y;
    }
    agn_status st = agni_linear_operator_multiply(&q->a, c->v, c->vh, wide, x, c->t);
    if (!st && q->centred && !wide)
        subtract_mean(q->a.rows, c->t);
    if (!st)
        st = agni_linear_operator_multiply(&q->a, c->v, c->vh, !wide, c->t, y);
    if (!st && q->centred && wide)
        subtract_mean(q->n, y);
    return st;
}

agn_status agni_eigen_multiply_mass(void *user, bool adjoint, const void *x, void *y)
{
    const agni_eigen_state *c = user;
    (void)adjoint;
    return agni_linear_operator_multiply(&c->q->mass, c->m, c->mh, false, x, y);
}

static agn_status apply_inverse(const agni_eigen_state *c, const void *px, void *py)
{
    const agni_eigenproblem *q = c->q;
    if (!q->solve)
        return agni_shift_invert_solve(c->inverse, c->dtype, q->n, px, py);
    agn_tensor *x = NULL, *y = NULL;
    int32_t device = c->vectors.device;
    agn_status st =
        agni_tensor_wrap(&x, q->op, c->dtype, 1, &q->n, NULL,
                         &(agni_memory){device, (void *)(uintptr_t)px, true, NULL, NULL});
    if (!st)
        st = agn_fn_call(&y, 1, q->solve, (const agn_tensor *const *)&x, 1);
    if (!st && (!agni_same_shape(x, y) || y->dtype != x->dtype))
        st = agni_fail(AGN_ESHAPE, "%s: solve makes %s %s of %s %s", q->op,
                       agni_dtypes[y->dtype].name, AGNI_SHAPE(y), agni_dtypes[x->dtype].name,
                       AGNI_SHAPE(x));
    if (!st)
        st = agni_krylov_store(device, py, 1, &y);
    agn_release(x);
    agn_release(y);
    return st;
}

/* A, M^-1 A, or (A - sigma M)^-1 M */
static agn_status multiply_iterated(void *user, bool adjoint, const void *x, void *y)
{
    agni_eigen_state *c = user;
    const agni_eigenproblem *q = c->q;
    bool nearest = q->o.which == AGN_EIGEN_NEAREST;
    (void)adjoint;
    if (!nearest && !q->weighed)
        return agni_eigen_multiply(c, false, x, y);
    if (nearest && !q->weighed)
        return apply_inverse(c, x, y);
    agn_status st = nearest ? agni_eigen_multiply_mass(c, false, x, c->t)
                            : agni_eigen_multiply(c, false, x, c->t);
    return st ? st : apply_inverse(c, c->t, y);
}

static int64_t length_of_room(const agni_eigenproblem *q)
{
    return (q->a.rows > q->a.cols ? q->a.rows : q->a.cols) + 1;
}
void agni_eigen_state_close(agni_eigen_state *c)
{
    agn_release(c->v);
    agn_release(c->vh);
    agn_release(c->m);
    agn_release(c->mh);
    agn_sparse_factor_release(c->inverse);
    agni_krylov_free(&c->vectors, c->t, 1, length_of_room(c->q));
    agni_krylov_end(&c->vectors);
}

agn_status agni_eigen_state_open(agni_eigen_state *c, const agni_eigenproblem *q,
                                 const agn_tensor *v, const agn_tensor *m)
{
    *c = (agni_eigen_state){.q = q, .dtype = v->dtype};
    c->vectors = (agni_krylov){.op = q->op, .dtype = v->dtype, .device = v->st->device};
    c->v = agni_tensor_ref(v);
    c->m = agni_tensor_ref(m);
    c->t = agni_krylov_alloc(&c->vectors, 1, length_of_room(q));
    agn_status st = c->vectors.st;
    if (!st)
        st = agni_linear_operator_adjoint_values(&c->vh, &q->a, v);
    if (!st && m)
        st = agni_linear_operator_adjoint_values(&c->mh, &q->mass, m);
    return st;
}

static const agn_tensor *centre_columns(agn_scope *s, const agn_tensor *x)
{
    const int32_t rows = 0;
    return ag_sub(s, x, ag_mean(s, x, &rows, 1, true));
}
const agn_tensor *agni_eigen_apply_matrix(agn_scope *s, const agni_eigenproblem *q, bool adjoint,
                                          const agn_tensor *v, const agn_tensor *x)
{
    if (q->centred && adjoint)
        x = centre_columns(s, x);
    x = agni_linear_operator_apply(s, &q->a, adjoint, v, x);
    return q->centred && !adjoint ? centre_columns(s, x) : x;
}

const agn_tensor *agni_eigen_apply(agn_scope *s, const agni_eigenproblem *q, const agn_tensor *v,
                                   const agn_tensor *x)
{
    x = agni_eigen_apply_matrix(s, q, q->squared == AGNI_SQUARE_WIDE, v, x);
    return q->squared ? agni_eigen_apply_matrix(s, q, q->squared == AGNI_SQUARE_TALL, v, x) : x;
}

/* ---- finding --------------------------------------------------------------------------------- */

void agni_eigen_write_vector(const agni_eigen_problem *e, int32_t from, int32_t to, void *out)
{
    int64_t n = e->n, best = 0;
    const double *x = (const double *)e->vectors;
    bool c = e->dtype == AGN_C128;
    const agni_z *z = (const agni_z *)e->vectors + (size_t)from * (size_t)n;
    x += (size_t)from * (size_t)n;
    for (int64_t i = 1; i < n; i++) /* later ones must win clearly: rounding does not choose */
        if ((c ? cabs(z[i]) > 1.0001 * cabs(z[best]) : fabs(x[i]) > 1.0001 * fabs(x[best])))
            best = i;
    for (int64_t i = 0; i < n; i++) {
        if (c)
            ((agni_z *)out)[i * e->k + to] = z[i] * (conj(z[best]) / cabs(z[best]));
        else
            ((double *)out)[i * e->k + to] = x[i] * (x[best] < 0 ? -1 : 1);
    }
}

agn_status agni_eigen_move(agn_tensor **x, int32_t device)
{
    agn_tensor *y = NULL;
    if (!*x || (*x)->st->device == device)
        return AGN_OK;
    agn_status st = agn_to_device(&y, *x, device);
    if (!st) {
        agn_release(*x);
        *x = y;
    }
    return st;
}

/* values of D^-1 A D where v is; what says which powers of two is read on the host */
static agn_status balance_values(const agni_eigenproblem *q, const agn_tensor *v, int32_t *units,
                                 agn_tensor **balanced)
{
    agn_tensor *near = NULL;
    agn_status st = agni_read_on_host(&near, v, q->op);
    if (!st)
        st = agni_eigen_balance(balanced, units, q->op, &q->a, near);
    if (!st)
        st = agni_eigen_move(balanced, v->st->device);
    agn_release(near);
    return st;
}

/* values and vectors of the problem, into row-major [k] and [n, k] of the host */
static agn_status find_pairs(const agni_eigenproblem *q, const agn_tensor *v, const agn_tensor *m,
                             agni_z *values, void *vectors)
{
    agni_eigen_state c;
    bool nearest = q->o.which == AGN_EIGEN_NEAREST;
    int32_t basis = q->o.basis ? q->o.basis : 2 * q->k + 1 > 20 ? 2 * q->k + 1 : 20;
    agni_eigen_problem e = {.op = q->op,
                            .dtype = v->dtype,
                            .n = q->n,
                            .k = q->k,
                            .basis = basis < q->n ? basis : (int32_t)q->n,
                            .which = nearest ? AGN_EIGEN_LARGEST_MAGNITUDE : q->o.which,
                            .hermitian = q->hermitian,
                            .tol = q->o.tol > 0 ? q->o.tol : 1e-12,
                            .values = values};
    e.max_products = q->o.max_products ? q->o.max_products : 1000 + 100 * (int64_t)q->k;
    agn_tensor *balanced = NULL; /* the user's inverse is that of A as it is */
    int32_t *units = NULL;
    agn_status st = AGN_OK;
    if (!q->hermitian && !q->solve && q->n) {
        units = agni_alloc((size_t)q->n * sizeof *units);
        st = units ? balance_values(q, v, units, &balanced)
                   : agni_nomem(q->op, (size_t)q->n * sizeof *units);
        v = st ? v : balanced;
    }
    c = (agni_eigen_state){.q = q};
    if (!st)
        st = agni_eigen_state_open(&c, q, v, m);
    if (!st && !q->solve && nearest && q->n)
        st = agni_shift_invert_factor(&c.inverse, q->op, &q->a, v, q->o.sigma,
                                      q->weighed ? &q->mass : NULL, m);
    else if (!st && !q->solve && q->weighed && q->n)
        st = agni_shift_invert_factor(&c.inverse, q->op, &q->mass, m, 0, NULL, NULL);
    size_t bytes = (size_t)q->n * (size_t)(q->k + 1) * agn_dtype_size(v->dtype);
    int32_t *order = agni_alloc((size_t)(q->k + 1) * sizeof *order);
    e.vectors = agni_alloc_aligned(bytes);
    if (!st && (!order || !e.vectors))
        st = agni_nomem(q->op, bytes);
    e.device = c.vectors.device;
    e.a = (agni_vector_op){multiply_iterated, &c};
    e.mass = (agni_vector_op){q->weighed && q->hermitian ? agni_eigen_multiply_mass : NULL, &c};
    if (!st)
        st = agni_krylov_schur(&e);
    if (q->report)
        *q->report = e.info;
    for (int32_t i = 0; !st && i < q->k; i++) {
        if (nearest)
            values[i] = q->o.sigma + 1 / values[i];
        int32_t to = i; /* rising where they are real, else as they come */
        for (; q->hermitian && to > 0 && creal(values[order[to - 1]]) > creal(values[i]); to--)
            order[to] = order[to - 1];
        order[to] = i;
    }
    for (int32_t i = 0; !st && units && i < q->k; i++)
        agni_eigen_unbalance(q->n, units, (agni_z *)e.vectors + (size_t)i * (size_t)q->n);
    for (int32_t i = 0; !st && i < q->k; i++)
        agni_eigen_write_vector(&e, order[i], i, vectors);
    agni_z *copy = e.vectors; /* room enough for the values where there are any */
    if (!st && q->k) {
        copy = agni_alloc((size_t)q->k * sizeof *copy);
        if (!copy)
            st = agni_nomem(q->op, (size_t)q->k * sizeof *copy);
        for (int32_t i = 0; !st && i < q->k; i++)
            copy[i] = values[order[i]];
        if (!st)
            memcpy(values, copy, (size_t)q->k * sizeof *copy);
        agni_free(copy);
    }
    agni_free(order);
    agni_free(e.vectors);
    agni_eigen_state_close(&c);
    agn_release(balanced);
    agni_free(units);
    return st;
}

agn_status agni_eigen_finish(agn_scope *s, agn_status st, int n_in, agn_tensor *const *v,
                             agn_tensor *x, agn_tensor *lambda, const agn_tensor **out)
{
    for (int i = 0; i < n_in; i++)
        agn_release(v[i]);
    if (st) {
        agn_release(x);
        agn_release(lambda);
        return agn_scope_fail(s, st);
    }
    out[0] = agn_scope_adopt(s, AGN_OK, &x);
    out[1] = agn_scope_adopt(s, AGN_OK, &lambda);
    return agn_scope_status(s);
}

/* Is <A x, y> that of x and A y, to half of the digits? Two products; what is not self-adjoint
   gives real numbers that belong to no matrix. */
static agn_status check_hermitian(const agni_eigenproblem *q, const agn_tensor *v,
                                  const agn_tensor *m)
{
    enum { X, Y, AX, AY, VECTORS };
    if (!q->hermitian || q->squared || !q->n)
        return AGN_OK;
    agni_eigen_state c;
    size_t bytes = (size_t)q->n * agn_dtype_size(v->dtype);
    double *near = agni_alloc(bytes);
    agn_status st = agni_eigen_state_open(&c, q, v, m);
    agni_krylov *k = &c.vectors;
    void *room = st ? NULL : agni_krylov_alloc(k, VECTORS, q->n), *at[VECTORS];
    if (!st && !near)
        st = agni_nomem(q->op, bytes);
    st = st ? st : k->st;
    uint64_t bits = 1;
    for (int i = 0; i < VECTORS && !st; i++) {
        at[i] = agni_krylov_vector_at(k, room, q->n, i);
        if (i > Y)
            continue;
        for (size_t j = 0; j < bytes / sizeof(double); j++) {
            bits = bits * 6364136223846793005u + 1442695040888963407u; /* Knuth's MMIX */
            near[j] = (double)(int64_t)bits * 0x1p-63;
        }
        st = agni_device_copy(k->device, at[i], AGN_CPU, near, bytes);
    }
    for (int which = 0; which <= q->weighed && !st; which++) {
        for (int i = X; i <= Y && !st; i++)
            st = which ? agni_eigen_multiply_mass(&c, false, at[i], at[i + AX])
                       : agni_eigen_multiply(&c, false, at[i], at[i + AX]);
        if (st)
            break;
        agni_z left = agni_krylov_dot(k, q->n, at[AX], at[Y]);
        agni_z right = agni_krylov_dot(k, q->n, at[X], at[AY]);
        double size = agni_krylov_norm(k, q->n, at[AX]) * agni_krylov_norm(k, q->n, at[Y]) +
                      agni_krylov_norm(k, q->n, at[AY]) * agni_krylov_norm(k, q->n, at[X]);
        st = k->st;
        if (!st && cabs(left - right) > 1e-6 * size)
            st = agni_fail(AGN_EDOMAIN,
                           "%s: %s is not %s: two products that should agree differ by %.3g of "
                           "%.3g",
                           q->op, which ? "the mass" : "a",
                           v->dtype == AGN_C128 ? "Hermitian" : "symmetric", cabs(left - right),
                           size);
    }
    agni_krylov_free(k, room, VECTORS, q->n);
    agni_eigen_state_close(&c);
    agni_free(near);
    return st;
}

/* guesses, values of A and of the mass to V and lambda */
agn_status agni_eigen_find(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    const agni_eigenproblem *q = f->data;
    agn_tensor *v[4] = {NULL}, *x = NULL, *lambda = NULL;
    agni_z *z = agni_alloc((size_t)(q->k + 1) * sizeof *z);
    agn_status st = z ? agni_krylov_plain_values(f->n_in, in, v)
                      : agni_nomem(q->op, (size_t)q->k * sizeof *z);
    int64_t k = q->k;
    int32_t device = st ? AGN_CPU : agni_krylov_device(v[2]->st->device, v[2]->dtype);
    if (!st && device != v[2]->st->device)
        st = agni_require_host(in[2], q->op);
    if (!st)
        st = agni_tensor_make(&x, q->op, v[2]->dtype, 2, (int64_t[]){q->n, k}, AGN_CPU);
    if (!st)
        st = agni_tensor_make(&lambda, q->op, q->hermitian ? AGN_F64 : AGN_C128, 1, &k, AGN_CPU);
    if (!st)
        st = check_hermitian(q, v[2], q->weighed ? v[3] : NULL);
    if (!st)
        st = (q->o.method == AGN_EIGEN_LOBPCG ? agni_lobpcg : find_pairs)(
            q, v[2], q->weighed ? v[3] : NULL, z, x->data);
    for (int64_t i = 0; !st && i < k; i++)
        if (q->hermitian)
            ((double *)lambda->data)[i] = creal(z[i]);
        else
            ((agni_z *)lambda->data)[i] = z[i];
    agni_free(z);
    if (!st)
        st = agni_eigen_move(&x, device);
    if (!st)
        st = agni_eigen_move(&lambda, device);
    return agni_eigen_finish(s, st, f->n_in, v, x, lambda, out);
}
