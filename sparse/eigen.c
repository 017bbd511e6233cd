/* sparse/eigen.c - eigenvalues of Hermitian matrices as the root V, lambda of
     A V - M V lambda = 0,   (1 - v^H M v) / 2 = 0 for each column,
   found by Krylov-Schur and differentiated by the implicit function theorem. The Jacobian, column by
   column [A - lambda M, -M v; -(M v)^H, 0], is self-adjoint, and MINRES solves with it (Magnus 1985).
   A complex vector may turn by a phase, along which the Jacobian is singular: MINRES gives the shortest
   solution, that is v^H M v' real. Singular values are those of A^H A or A A^H.                    */
#include "krylov/eigen.h"
#include "sparse/shift.h"

#include <agnesi/ag.h>
#include <agnesi/implicit.h>
#include <math.h>
#include <string.h>

enum { NONE, TALL, WIDE }; /* squared: A^H A, A A^H */

/* What the functions of one equation share. */
typedef struct problem {
    agni_obj head;
    const char *op;
    agni_operand a, mass;
    bool weighed, hermitian;
    int squared;
    int64_t n;
    int32_t k;
    agn_eigen_options o;
    agn_fn *solve;
    agn_eigen_info *report;
} problem;

static void problem_destroy(agni_obj *o)
{
    problem *q = (problem *)o;
    agni_operand_drop(&q->a);
    agni_operand_drop(&q->mass);
    agn_fn_release(q->solve);
    agni_free(q);
}
static const agni_obj_type problem_type = {"eigenproblem", problem_destroy, NULL};

/* ---- the equation ---------------------------------------------------------------------------------- */

static const agn_tensor *times(agn_scope *s, const problem *q, const agn_tensor *v,
                               const agn_tensor *x)
{
    x = agni_operand_times(s, &q->a, q->squared == WIDE, v, x);
    return q->squared ? agni_operand_times(s, &q->a, q->squared == TALL, v, x) : x;
}

static agn_status body_residual(void *user, agn_scope *s, const agn_tensor *const *in,
                                const agn_tensor **out)
{
    const problem *q = user;
    const int32_t rows = 0;
    const agn_tensor *mv = q->weighed ? agni_operand_times(s, &q->mass, false, in[3], in[0]) : in[0];
    out[0] = ag_sub(s, times(s, q, in[2], in[0]), ag_mul(s, mv, in[1]));
    const agn_tensor *square = ag_mul(s, agni_conjugate(s, in[0]), mv);
    if (!agn_scope_status(s) && agni_kind(square->dtype) == AGNI_KIND_COMPLEX)
        square = ag_real(s, square);
    out[1] = ag_mul_c(s, ag_sub_c(s, ag_sum(s, square, &rows, 1, false), 1), -0.5);
    return agn_scope_status(s);
}

/* ---- products on arrays ------------------------------------------------------------------------------ */

typedef struct live {
    const problem *q;
    agn_tensor *v, *vh, *m, *mh; /* values of A and the mass; for adjoints */
    agn_sparse_factor *inverse;
    int dtype;
    void *t; /* [max(rows, cols)] */
    /* a column of the Jacobian */
    const void *mv;
    double lambda;
} live;

static agn_status product(const live *c, const void *x, void *y)
{
    const problem *q = c->q;
    if (!q->squared)
        return agni_operand_product(&q->a, c->v, c->vh, false, x, y);
    agn_status st = agni_operand_product(&q->a, c->v, c->vh, q->squared == WIDE, x, c->t);
    return st ? st : agni_operand_product(&q->a, c->v, c->vh, q->squared == TALL, c->t, y);
}

static agn_status weigh(void *user, bool adjoint, const void *x, void *y)
{
    const live *c = user;
    (void)adjoint;
    return agni_operand_product(&c->q->mass, c->m, c->mh, false, x, y);
}

static agn_status invert(const live *c, const void *px, void *py)
{
    const problem *q = c->q;
    if (!q->solve)
        return agni_inverse_apply(c->inverse, c->dtype, q->n, px, py);
    agn_tensor *x = NULL, *y = NULL;
    agn_status st =
        agni_tensor_over(&x, q->op, c->dtype, 1, &q->n, NULL,
                         &(agni_memory){AGN_CPU, (void *)(uintptr_t)px, true, NULL, NULL});
    if (!st)
        st = agn_fn_call(q->solve, &y, (const agn_tensor *const *)&x);
    if (!st && (!agni_same_shape(x, y) || y->dtype != x->dtype))
        st = agni_fail(AGN_ESHAPE, "%s: solve makes %s %s of %s %s", q->op,
                       agni_dtypes[y->dtype].name, AGNI_SHAPE(y), agni_dtypes[x->dtype].name,
                       AGNI_SHAPE(x));
    if (!st)
        st = agn_to_host(py, y, (size_t)q->n * agn_dtype_size(c->dtype));
    agn_release(x);
    agn_release(y);
    return st;
}

/* A, M^-1 A, or (A - sigma M)^-1 M */
static agn_status iterated(void *user, bool adjoint, const void *x, void *y)
{
    live *c = user;
    const problem *q = c->q;
    bool nearest = q->o.which == AGN_EIGEN_NEAREST;
    (void)adjoint;
    if (!nearest && !q->weighed)
        return product(c, x, y);
    if (nearest && !q->weighed)
        return invert(c, x, y);
    agn_status st = nearest ? weigh(c, false, x, c->t) : product(c, x, c->t);
    return st ? st : invert(c, c->t, y);
}

static void live_close(live *c)
{
    agn_release(c->v);
    agn_release(c->vh);
    agn_release(c->m);
    agn_release(c->mh);
    agn_sparse_factor_release(c->inverse);
    agni_free(c->t);
}

static agn_status live_open(live *c, const problem *q, const agn_tensor *v, const agn_tensor *m)
{
    int64_t longest = q->a.rows > q->a.cols ? q->a.rows : q->a.cols;
    *c = (live){.q = q, .dtype = v->dtype};
    c->v = agni_tensor_ref(v);
    c->m = agni_tensor_ref(m);
    c->t = agni_alloc_aligned((size_t)(longest + 1) * agn_dtype_size(v->dtype));
    agn_status st = c->t ? AGN_OK : agni_nomem(q->op, (size_t)longest * sizeof(double));
    if (!st)
        st = agni_operand_turned(&c->vh, &q->a, v);
    if (!st && m)
        st = agni_operand_turned(&c->mh, &q->mass, m);
    return st;
}

/* ---- finding ----------------------------------------------------------------------------------------- */

/* rows of e->vectors as columns; the largest entry of each is made positive */
static void turn(const agni_eigen *e, int32_t from, int32_t to, void *out)
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

/* values and vectors of the problem, into row-major [k] and [n, k] */
static agn_status find(const problem *q, const agn_tensor *v, const agn_tensor *m, agni_z *values,
                       void *vectors)
{
    live c;
    bool nearest = q->o.which == AGN_EIGEN_NEAREST;
    int32_t basis = q->o.basis ? q->o.basis : 2 * q->k + 1 > 20 ? 2 * q->k + 1 : 20;
    agni_eigen e = {.op = q->op,
                    .dtype = v->dtype,
                    .n = q->n,
                    .k = q->k,
                    .basis = basis < q->n ? basis : (int32_t)q->n,
                    .which = nearest ? AGN_EIGEN_LARGEST_MAGNITUDE : q->o.which,
                    .hermitian = q->hermitian,
                    .tol = q->o.tol > 0 ? q->o.tol : 1e-12,
                    .values = values};
    e.max_products = q->o.max_products ? q->o.max_products : 1000 + 100 * (int64_t)q->k;
    agn_status st = live_open(&c, q, v, m);
    if (!st && !q->solve && nearest && q->n)
        st = agni_inverse_open(&c.inverse, q->op, &q->a, v, q->o.sigma, q->weighed ? &q->mass : NULL,
                               m);
    else if (!st && !q->solve && q->weighed && q->n)
        st = agni_inverse_open(&c.inverse, q->op, &q->mass, m, 0, NULL, NULL);
    size_t bytes = (size_t)q->n * (size_t)(q->k + 1) * agn_dtype_size(v->dtype);
    int32_t *order = agni_alloc((size_t)(q->k + 1) * sizeof *order);
    e.vectors = agni_alloc_aligned(bytes);
    if (!st && (!order || !e.vectors))
        st = agni_nomem(q->op, bytes);
    e.a = (agni_map){iterated, &c};
    e.mass = (agni_map){q->weighed && q->hermitian ? weigh : NULL, &c};
    if (!st)
        st = agni_eigen_run(&e);
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
    for (int32_t i = 0; !st && i < q->k; i++)
        turn(&e, order[i], i, vectors);
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
    live_close(&c);
    return st;
}

/* guesses, values of A and of the mass to V and lambda */
static agn_status run_find(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    const problem *q = f->data;
    agn_tensor *v[4] = {NULL}, *x = NULL, *lambda = NULL;
    agni_z *z = agni_alloc((size_t)(q->k + 1) * sizeof *z);
    agn_status st = z ? agni_krylov_values(f->n_in, in, v)
                      : agni_nomem(q->op, (size_t)q->k * sizeof *z);
    int64_t k = q->k;
    if (!st)
        st = agni_tensor_make(&x, q->op, v[2]->dtype, 2, (int64_t[]){q->n, k}, AGN_CPU);
    if (!st)
        st = agni_tensor_make(&lambda, q->op, AGN_F64, 1, &k, AGN_CPU);
    if (!st)
        st = find(q, v[2], q->weighed ? v[3] : NULL, z, x->data);
    for (int64_t i = 0; !st && i < k; i++)
        ((double *)lambda->data)[i] = creal(z[i]);
    agni_free(z);
    for (int i = 0; i < f->n_in; i++)
        agn_release(v[i]);
    if (st) {
        agn_release(x);
        agn_release(lambda);
        return agn_scope_fail(s, st);
    }
    out[0] = agn_scope_adopt(s, AGN_OK, x);
    out[1] = agn_scope_adopt(s, AGN_OK, lambda);
    return agn_scope_status(s);
}

/* ---- derivatives ------------------------------------------------------------------------------------- */

static agn_status bordered(void *user, bool adjoint, const void *x, void *y)
{
    const live *c = user;
    const problem *q = c->q;
    int64_t n = q->n;
    size_t one = agn_dtype_size(c->dtype);
    const char *xi = (const char *)x + (size_t)n * one;
    (void)adjoint;
    agni_z border = one == sizeof(agni_z) ? *(const agni_z *)(const void *)xi
                                          : *(const double *)(const void *)xi;
    agn_status st = product(c, x, y);
    if (st)
        return st;
    const void *mx = x;
    if (q->weighed) {
        st = weigh((void *)(uintptr_t)c, false, x, c->t);
        mx = c->t;
    }
    agni_mix_vectors(c->dtype, n, -c->lambda, mx, 1, y);
    agni_mix_vectors(c->dtype, n, -border, c->mv, 1, y);
    border = -agni_dot(c->dtype, n, c->mv, x);
    if (one == sizeof(agni_z))
        memcpy((char *)y + (size_t)n * one, &border, one);
    else
        memcpy((char *)y + (size_t)n * one, (double *)&border, one);
    return st;
}

/* one column: b of n + 1 elements to x of as many */
static agn_status solve_column(live *c, const void *b, void *x)
{
    const problem *q = c->q;
    agni_krylov k = {.op = q->op, .dtype = c->dtype, .rows = q->n + 1, .n = q->n + 1};
    k.a = (agni_map){bordered, c};
    agn_krylov_options o = {.size = sizeof o,
                            .method = AGN_KRYLOV_MINRES,
                            .rtol = 1e-13,
                            .accept = true,
                            .max_iterations = 1000 + 20 * (q->n < INT32_MAX ? q->n : INT32_MAX)};
    agn_status st = agni_krylov_defaults(q->op, &k.o, &o, c->dtype, q->n + 1);
    if (!st)
        st = agni_krylov_run(&k, b, NULL, x);
    bool phase = c->dtype == AGN_C128 && k.info.reason == AGN_KRYLOV_LEAST;
    if (!st && !phase && k.info.residual > 1e5 * k.info.target)
        st = agni_fail(AGN_EDOMAIN,
                       "%s: the derivative of the vector of value %.17g: no convergence (residual "
                       "%.3g after %lld iterations); it must be simple",
                       q->op, c->lambda, k.info.residual, (long long)k.info.iterations);
    return st;
}

/* b of V, b of lambda, V, lambda, values of A and of the mass */
static agn_status run_solve(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                            const agn_tensor **out)
{
    const problem *q = f->data;
    agn_tensor *v[6] = {NULL}, *x = NULL, *l = NULL;
    live c = {.q = q};
    int64_t n = q->n, k = q->k;
    agn_status st = agni_krylov_values(f->n_in, in, v);
    if (!st)
        st = live_open(&c, q, v[4], q->weighed ? v[5] : NULL);
    if (!st)
        st = agni_tensor_make(&x, q->op, v[0]->dtype, 2, (int64_t[]){n, k}, AGN_CPU);
    if (!st)
        st = agni_tensor_make(&l, q->op, AGN_F64, 1, &k, AGN_CPU);
    size_t one = st ? 16 : agn_dtype_size(c.dtype);
    char *room = st ? NULL : agni_zalloc(4 * (size_t)(n + 1) * one);
    char *b = room, *y = room + (size_t)(n + 1) * one, *vec = y + (size_t)(n + 1) * one,
         *mv = vec + (size_t)(n + 1) * one;
    if (!st && !room)
        st = agni_nomem(q->op, 4 * (size_t)(n + 1) * one);
    for (int64_t j = 0; !st && j < k; j++) {
        for (int64_t i = 0; i < n; i++) {
            memcpy(b + (size_t)i * one, (const char *)v[0]->data + (size_t)(i * k + j) * one, one);
            memcpy(vec + (size_t)i * one, (const char *)v[2]->data + (size_t)(i * k + j) * one, one);
        }
        agni_z last = ((const double *)v[1]->data)[j];
        memcpy(b + (size_t)n * one, &last, one);
        c.lambda = ((const double *)v[3]->data)[j];
        c.mv = q->weighed ? mv : vec;
        if (q->weighed)
            st = weigh(&c, false, vec, mv);
        if (!st)
            st = solve_column(&c, b, y);
        for (int64_t i = 0; !st && i < n; i++)
            memcpy((char *)x->data + (size_t)(i * k + j) * one, y + (size_t)i * one, one);
        if (!st)
            memcpy((double *)l->data + j, y + (size_t)n * one, sizeof(double));
    }
    agni_free(room);
    live_close(&c);
    for (int i = 0; i < f->n_in; i++)
        agn_release(v[i]);
    if (st) {
        agn_release(x);
        agn_release(l);
        return agn_scope_fail(s, st);
    }
    out[0] = agn_scope_adopt(s, AGN_OK, x);
    out[1] = agn_scope_adopt(s, AGN_OK, l);
    return agn_scope_status(s);
}

/* ---- made for a matrix ------------------------------------------------------------------------------ */

static void drop(void *q)
{
    agni_obj_release(q);
}

static agn_status shared(agn_fn **out, problem *q, agni_fn_run *run, int n_in)
{
    agni_obj_retain(&q->head);
    agn_status st = agni_fn_make(out, run, n_in, 2, q, drop);
    if (st)
        agni_obj_release(&q->head);
    return st;
}

static agn_status root_of(agn_fn **out, problem *q)
{
    agn_fn *f = NULL, *find_ = NULL, *solve = NULL;
    int n = 3 + q->weighed;
    agni_obj_retain(&q->head);
    agn_status st = agn_fn_new(&f, body_residual, q, drop, n, 2);
    if (st)
        agni_obj_release(&q->head);
    if (!st)
        st = shared(&find_, q, run_find, n);
    if (!st)
        st = shared(&solve, q, run_solve, n + 2);
    if (!st)
        st = agn_fn_root(out, f, 2, find_, solve, solve);
    agn_fn_release(f);
    agn_fn_release(find_);
    agn_fn_release(solve);
    return st;
}

static agn_status check_matrix(const char *op, const char *what, const agn_tensor *a)
{
    return a->ndim == 2
               ? AGN_OK
               : agni_fail(AGN_ESHAPE, "%s: %s is %s with %d axes, two are needed", op, what,
                           AGNI_SHAPE(a), a->ndim);
}

static agn_status check_options(const char *op, const agn_eigen_options *o)
{
    if (o->size != sizeof *o)
        return agni_fail(AGN_EARG, "%s: options of %zu bytes, %zu are known", op, o->size, sizeof *o);
    if (o->which < 0 || o->which > AGN_EIGEN_NEAREST)
        return agni_fail(AGN_EARG, "%s: which %d is none of %d", op, o->which,
                         AGN_EIGEN_NEAREST + 1);
    if (o->basis < 0 || o->max_products < 0 || !(o->tol >= 0) || !isfinite(o->sigma))
        return agni_fail(AGN_EARG,
                         "%s: basis %d, max_products %lld, tol %g, sigma %g: one is no such number",
                         op, o->basis, (long long)o->max_products, o->tol, o->sigma);
    if (o->solve && (o->solve->n_in != 1 || o->solve->n_out != 1))
        return agni_fail(AGN_EARG, "%s: solve has %d arguments and %d results, not 1 and 1", op,
                         o->solve->n_in, o->solve->n_out);
    return AGN_OK;
}

static agn_status problem_new(problem **out, const char *op, const agn_tensor *a, int32_t k,
                              const agn_eigen_options *opts, int squared)
{
    agn_status st = check_matrix(op, "a", a);
    if (!st && opts)
        st = check_options(op, opts);
    if (st)
        return st;
    const agn_tensor *mass = opts ? opts->mass : NULL;
    if (mass)
        st = check_matrix(op, "the mass", mass);
    if (st)
        return st;
    int64_t rows = a->shape[0], cols = a->shape[1], n = squared == TALL ? cols : rows;
    if (!squared && rows != cols)
        return agni_fail(AGN_ESHAPE, "%s: a is %s, a square matrix is needed, not %lld rows", op,
                         AGNI_SHAPE(a), (long long)rows);
    if (mass && (!agni_same_shape(mass, a) || mass->layout != a->layout))
        return agni_fail(AGN_ESHAPE, "%s: the mass is %s %s, a is %s %s", op,
                         mass->layout == AGN_CSR ? "csr" : "dense", AGNI_SHAPE(mass),
                         a->layout == AGN_CSR ? "csr" : "dense", AGNI_SHAPE(a));
    if (k < 0 || k > n)
        return agni_fail(AGN_EARG, "%s: %d values are wanted of %lld", op, k, (long long)n);
    if (opts && opts->basis && opts->basis < k + 2 && opts->basis < n)
        return agni_fail(AGN_EARG, "%s: a basis of %d is too small for %d values", op, opts->basis,
                         k);
    problem *q = agni_zalloc(sizeof *q);
    if (!q)
        return agni_nomem(op, sizeof *q);
    agni_ref_init(&q->head.ref);
    q->head.type = &problem_type;
    q->op = op;
    q->a = agni_operand_of(a);
    q->weighed = mass != NULL;
    if (mass)
        q->mass = agni_operand_of(mass);
    q->hermitian = true;
    q->squared = squared;
    q->n = n;
    q->k = k;
    q->o = opts ? *opts : (agn_eigen_options){.size = sizeof *opts};
    q->o.mass = NULL;
    q->solve = agn_fn_retain(q->o.solve);
    *out = q;
    return AGN_OK;
}

static int wide_of(int dtype)
{
    return agni_kind(dtype) == AGNI_KIND_COMPLEX ? AGN_C128 : AGN_F64;
}
static const agn_tensor *as(agn_scope *s, const agn_tensor *x, int dtype)
{
    return x && x->dtype != dtype ? agni_cast(s, x, dtype) : x;
}
static const agn_tensor *zeros(agn_scope *s, int dtype, int ndim, const int64_t *shape)
{
    agn_tensor *x = NULL;
    agn_status st = agn_full(&x, dtype, ndim, shape, 0);
    return agni_constant(s, st, x);
}

/* V and lambda, in f64 or c128 */
static void solve_root(agn_scope *s, problem *q, const agn_tensor *a, const agn_tensor *mass,
                       agn_eigen_info *info, const agn_tensor **y)
{
    agn_fn *f = NULL;
    int dtype = wide_of(agni_promote(a->dtype, mass ? mass->dtype : a->dtype));
    const agn_tensor *in[4];
    in[0] = zeros(s, dtype, 2, (int64_t[]){q->n, q->k});
    in[1] = zeros(s, AGN_F64, 1, (int64_t[]){q->k});
    in[2] = as(s, agni_operand_values(a), dtype);
    in[3] = mass ? as(s, agni_operand_values(mass), dtype) : NULL;
    agn_eigen_info told = {.size = sizeof told, .wanted = q->k};
    q->report = &told;
    if (!agn_scope_status(s) && !agn_scope_fail(s, root_of(&f, q)))
        agni_fn_run_in(f, s, in, y);
    q->report = NULL;
    if (info)
        *info = told;
    agn_fn_release(f);
}

static agn_status check_info(const char *op, const agn_eigen_info *info)
{
    return info && info->size != sizeof *info
               ? agni_fail(AGN_EARG, "%s: info of %zu bytes, %zu are known", op, info->size,
                           sizeof *info)
               : AGN_OK;
}

agn_status agn_eigsh(agn_tensor **values, agn_tensor **vectors, agn_eigen_info *info,
                     const agn_tensor *a, int32_t k, const agn_eigen_options *opts)
{
    AGNI_NEED("eigsh", values);
    AGNI_NEED("eigsh", a);
    AGNI_BY_ROWS("eigsh", a, agn_eigsh(values, vectors, info, a, k, opts));
    if (opts && opts->size == sizeof *opts && opts->mass) {
        agn_eigen_options o = *opts;
        AGNI_BY_ROWS("eigsh", o.mass, agn_eigsh(values, vectors, info, a, k, &o));
    }
    problem *q = NULL;
    agn_status st = check_info("eigsh", info);
    if (!st)
        st = problem_new(&q, "eigsh", a, k, opts, NONE);
    if (st)
        return st;
    const agn_tensor *mass = opts ? opts->mass : NULL, *y[2] = {NULL, NULL};
    int p = agni_promote(agni_promote(a->dtype, mass ? mass->dtype : a->dtype), AGN_F32);
    agn_scope *s = agn_scope_open(NULL);
    solve_root(s, q, a, mass, info, y);
    agn_scope_return(s, values, as(s, y[1], agni_dtypes[p].real));
    if (vectors)
        agn_scope_return(s, vectors, as(s, y[0], p));
    agni_obj_release(&q->head);
    return agn_scope_close(s);
}

agn_status agn_svds(agn_tensor **u, agn_tensor **sv, agn_tensor **vh, agn_eigen_info *info,
                    const agn_tensor *a, int32_t k, const agn_eigen_options *opts)
{
    AGNI_NEED_ALL("svds", sv, "s");
    AGNI_NEED("svds", a);
    AGNI_BY_ROWS("svds", a, agn_svds(u, sv, vh, info, a, k, opts));
    problem *q = NULL;
    bool tall = a->ndim == 2 && a->shape[0] >= a->shape[1];
    agn_status st = check_info("svds", info);
    if (!st && opts && (opts->which || opts->mass || opts->solve || opts->sigma != 0))
        st = agni_fail(AGN_EARG, "svds: which is %d, sigma %g; there is a choice of basis, tol and "
                                 "max_products alone",
                       opts->which, opts->sigma);
    if (!st)
        st = problem_new(&q, "svds", a, k, opts, tall ? TALL : WIDE);
    if (st)
        return st;
    int p = agni_promote(a->dtype, AGN_F32);
    const int32_t last[2] = {0, 1};
    const agn_tensor *y[2] = {NULL, NULL};
    agn_scope *s = agn_scope_open(NULL);
    solve_root(s, q, a, NULL, info, y);
    const agn_tensor *x = ag_flip(s, y[0], last + 1, 1), *l = ag_flip(s, y[1], last, 1);
    const agn_tensor *zero = agni_literal(s, 0), *one = agni_literal(s, 1);
    /* rounding may make a square negative; what belongs to 0 stays 0 */
    const agn_tensor *some = ag_gt(s, l, zero);
    const agn_tensor *root = ag_where(s, some, ag_sqrt(s, ag_where(s, some, l, one)), zero);
    const agn_tensor *by = ag_where(s, some, root, one);
    const agn_tensor *v = as(s, agni_operand_values(a), wide_of(p));
    const agn_tensor *other = NULL;
    if (!agn_scope_status(s))
        other = ag_div(s, agni_operand_times(s, &q->a, !tall, v, x), by);
    agn_scope_return(s, sv, as(s, root, agni_dtypes[p].real));
    const agn_tensor *left = as(s, tall ? other : x, p), *right = as(s, tall ? x : other, p);
    if (u)
        agn_scope_return(s, u, left);
    if (vh)
        agn_scope_return(s, vh, agni_conjugate(s, ag_swapaxes(s, right, 0, 1)));
    agni_obj_release(&q->head);
    return agn_scope_close(s);
}

/* ---- any square matrix -------------------------------------------------------------------------------- */

agn_status agn_eigs(agn_tensor **values, agn_tensor **vectors, agn_eigen_info *info,
                    const agn_tensor *a, int32_t k, const agn_eigen_options *opts)
{
    AGNI_NEED("eigs", values);
    AGNI_NEED("eigs", a);
    AGNI_BY_ROWS("eigs", a, agn_eigs(values, vectors, info, a, k, opts));
    problem *q = NULL;
    agn_status st = check_info("eigs", info);
    if (!st && opts && opts->mass)
        st = agni_fail(AGN_EARG, "eigs: a mass is for eigsh; a is %s", AGNI_SHAPE(a));
    if (!st)
        st = problem_new(&q, "eigs", a, k, opts, NONE);
    const agn_tensor *given = st ? NULL : agni_operand_values(a);
    if (!st && agn_is_watched(given))
        st = agni_fail(AGN_EUNSUPPORTED, "eigs: a, %s, is watched, and there is no derivative",
                       AGNI_SHAPE(a));
    agn_tensor *v = NULL, *x = NULL, *l = NULL;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *wide = st ? NULL : as(s, given, AGN_C128);
    int64_t n = q ? q->n : 0, count = k;
    if (!st)
        st = agn_scope_status(s);
    if (!st)
        st = agni_krylov_values(1, &wide, &v);
    if (!st)
        st = agni_tensor_make(&x, "eigs", AGN_C128, 2, (int64_t[]){n, count}, AGN_CPU);
    if (!st)
        st = agni_tensor_make(&l, "eigs", AGN_C128, 1, &count, AGN_CPU);
    if (!st) {
        agn_eigen_info told = {.size = sizeof told};
        q->hermitian = false;
        q->report = &told;
        st = find(q, v, NULL, l->data, x->data);
        q->report = NULL;
        if (info)
            *info = told;
    }
    const agn_tensor *vx = x ? agn_scope_adopt(s, AGN_OK, x) : NULL;
    const agn_tensor *vl = l ? agn_scope_adopt(s, AGN_OK, l) : NULL;
    if (!agn_scope_fail(s, st)) {
        int p = agni_promote(agni_promote(a->dtype, AGN_F32), AGN_C64);
        agn_scope_return(s, values, as(s, vl, p));
        if (vectors)
            agn_scope_return(s, vectors, as(s, vx, p));
    }
    agn_release(v);
    if (q)
        agni_obj_release(&q->head);
    return agn_scope_close(s);
}
