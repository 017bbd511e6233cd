/* sparse/eigen/api.c - eigenvalues of Hermitian matrices as the root V, lambda of
     A V - M V lambda = 0,   (1 - v^H M v) / 2 = 0 for each column,
   and of any matrix as that of A V - V lambda = 0, 1 - u^H v = 0 with u the vector that was found:
   differentiated by the implicit function theorem (eigen_rules.c). Singular values are those of A^H
   A or A A^H. */
#include "sparse/eigen/eigen.h"
#include "tensor/dispatch/host_run.h"

#include <agnesi/ag.h>
#include <agnesi/implicit.h>
#include <math.h>
#include <string.h>

static void problem_destroy(agni_obj *o)
{
    agni_eigenproblem *q = (agni_eigenproblem *)o;
    agni_linear_operator_release(&q->a);
    agni_linear_operator_release(&q->mass);
    agn_fn_release(q->solve);
    agn_fn_release(q->precondition);
    agni_free(q);
}
static const agni_obj_type problem_type = {.name = "eigenproblem", .destroy = problem_destroy};

/* ---- the equation ---------------------------------------------------------------------------- */

static agn_status body_residual(void *user, agn_scope *s, const agn_tensor *const *in,
                                const agn_tensor **out)
{
    const agni_eigenproblem *q = user;
    const int32_t rows = 0;
    const agn_tensor *mv = q->weighed ? agni_linear_operator_apply(s, &q->mass, false, in[3], in[0])
                                      : in[0];
    out[0] = ag_sub(s, agni_eigen_apply(s, q, in[2], in[0]), ag_mul(s, mv, in[1]));
    if (!q->hermitian) { /* holomorphic: the vector that was found holds the one that moves */
        const agn_tensor *held = agni_conjugate(s, ag_stop_gradient(s, in[0]));
        out[1] = ag_neg(s, ag_sub_c(s, ag_sum(s, ag_mul(s, held, in[0]), &rows, 1, false), 1));
        return agn_scope_status(s);
    }
    const agn_tensor *square = ag_mul(s, agni_conjugate(s, in[0]), mv);
    if (!agn_scope_status(s) && agni_kind(square->dtype) == AGNI_KIND_COMPLEX)
        square = ag_real(s, square);
    out[1] = ag_mul_c(s, ag_sub_c(s, ag_sum(s, square, &rows, 1, false), 1), -0.5);
    return agn_scope_status(s);
}

/* ---- made for a matrix ----------------------------------------------------------------------- */

static void release_problem(void *q)
{
    agni_obj_release(q);
}

static agn_status new_shared_fn(agn_fn **out, agni_eigenproblem *q, agni_fn_run *run, int n_in)
{
    agni_obj_retain(&q->head);
    agn_status st = agni_fn_make(out, run, n_in, 2, q, release_problem);
    if (st)
        agni_obj_release(&q->head);
    return st;
}

static agn_status make_root(agn_fn **out, agni_eigenproblem *q)
{
    agn_fn *f = NULL, *find_ = NULL, *solve = NULL, *back = NULL;
    int n = 3 + q->weighed;
    agni_obj_retain(&q->head);
    agn_status st = agn_fn_new(&f, body_residual, q, release_problem, n, 2);
    if (st)
        agni_obj_release(&q->head);
    if (!st)
        st = new_shared_fn(&find_, q, q->find, n);
    if (!st)
        st = new_shared_fn(&solve, q, agni_eigen_solve, n + 2);
    if (!st)
        st = new_shared_fn(&back, q, agni_eigen_solve_adjoint, n + 2);
    if (!st)
        st = agn_fn_root(out, f, 2, find_, solve, back);
    agn_fn_release(f);
    agn_fn_release(find_);
    agn_fn_release(solve);
    agn_fn_release(back);
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
    if (agni_check_size(op, agn_eigen_options, o))
        return AGN_EARG;
    if (o->which < 0 || o->which > AGN_EIGEN_NEAREST)
        return agni_fail(AGN_EARG, "%s: which %d is none of %d", op, o->which,
                         AGN_EIGEN_NEAREST + 1);
    if (o->method < 0 || o->method > AGN_EIGEN_LOBPCG)
        return agni_fail(AGN_EARG, "%s: method %d is none of %d", op, o->method,
                         AGN_EIGEN_LOBPCG + 1);
    if (o->method == AGN_EIGEN_LOBPCG && o->which != AGN_EIGEN_LARGEST &&
        o->which != AGN_EIGEN_SMALLEST)
        return agni_fail(AGN_EARG,
                         "%s: LOBPCG finds the largest (%d) or the smallest, not which %d", op,
                         AGN_EIGEN_LARGEST, o->which);
    if (o->precondition && (o->precondition->n_in != 1 || o->precondition->n_out != 1))
        return agni_fail(AGN_EARG, "%s: precondition has %d arguments and %d results, not 1 and 1",
                         op, o->precondition->n_in, o->precondition->n_out);
    if (o->basis < 0 || o->max_products < 0 || !(o->tol >= 0) || !isfinite(o->sigma))
        return agni_fail(AGN_EARG,
                         "%s: basis %d, max_products %lld, tol %g, sigma %g: one is no such number",
                         op, o->basis, (long long)o->max_products, o->tol, o->sigma);
    if (o->solve && (o->solve->n_in != 1 || o->solve->n_out != 1))
        return agni_fail(AGN_EARG, "%s: solve has %d arguments and %d results, not 1 and 1", op,
                         o->solve->n_in, o->solve->n_out);
    return AGN_OK;
}

static agn_status problem_new(agni_eigenproblem **out, const char *op, const agn_tensor *a,
                              int32_t k, const agn_eigen_options *opts, int squared)
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
    int64_t rows = a->shape[0], cols = a->shape[1], n = squared == AGNI_SQUARE_TALL ? cols : rows;
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
    agni_eigenproblem *q = agni_zalloc(sizeof *q);
    if (!q)
        return agni_nomem(op, sizeof *q);
    agni_ref_init(&q->head.ref);
    q->head.type = &problem_type;
    q->op = op;
    q->a = agni_linear_operator_of(a);
    q->weighed = mass != NULL;
    if (mass)
        q->mass = agni_linear_operator_of(mass);
    q->hermitian = true;
    q->find = agni_eigen_find;
    q->squared = squared;
    q->n = n;
    q->k = k;
    q->o = opts ? *opts : (agn_eigen_options){.size = sizeof *opts};
    q->o.mass = NULL;
    q->solve = agn_fn_retain(q->o.solve);
    q->precondition = agn_fn_retain(q->o.precondition);
    *out = q;
    return AGN_OK;
}

static int wide_dtype(int dtype)
{
    return agni_kind(dtype) == AGNI_KIND_COMPLEX ? AGN_C128 : AGN_F64;
}
static const agn_tensor *cast_to(agn_scope *s, const agn_tensor *x, int dtype)
{
    return x && x->dtype != dtype ? agni_cast(s, x, dtype) : x;
}
static const agn_tensor *make_zeros(agn_scope *s, int dtype, int ndim, const int64_t *shape)
{
    agn_tensor *x = NULL;
    agn_status st = agn_full(&x, dtype, ndim, shape, 0);
    return agni_adopt_constant(s, st, x);
}

/* V and lambda, in f64 or c128 */
static void solve_root(agn_scope *s, agni_eigenproblem *q, const agn_tensor *a,
                       const agn_tensor *mass, const agn_tensor *guess, agn_eigen_info *info,
                       const agn_tensor **y)
{
    agn_fn *f = NULL;
    int dtype = q->hermitian ? wide_dtype(agni_promote(a->dtype, mass ? mass->dtype : a->dtype))
                             : AGN_C128;
    const agn_tensor *in[4];
    in[0] = guess ? guess : make_zeros(s, dtype, 2, (int64_t[]){q->n, q->k});
    in[1] = make_zeros(s, q->hermitian ? AGN_F64 : AGN_C128, 1, (int64_t[]){q->k});
    in[2] = cast_to(s, agni_linear_operator_values(a), dtype);
    in[3] = mass ? cast_to(s, agni_linear_operator_values(mass), dtype) : NULL;
    agn_eigen_info told = {.size = sizeof told, .wanted = q->k};
    q->report = &told;
    if (!agn_scope_status(s) && !agn_scope_fail(s, make_root(&f, q)))
        agni_fn_run_in(f, s, in, y);
    q->report = NULL;
    if (info)
        *info = told;
    agn_fn_release(f);
}

/* Are the values on a device whose vectors the method takes? Factors of sparse matrices are the
   host's; what else a mass or LOBPCG asks for is as well. */
static bool stays_on_device(const agn_tensor *a, const agn_eigen_options *o)
{
    const agn_tensor *v = a && a->ndim == 2 ? agni_linear_operator_values(a) : NULL;
    bool factors = o && o->size == sizeof *o &&
                   (o->mass || o->method || (o->which == AGN_EIGEN_NEAREST && !o->solve));
    return v && v->st && !factors &&
           agni_krylov_device(v->st->device, wide_dtype(agni_promote(a->dtype, AGN_F32))) !=
               AGN_CPU;
}

agn_status agn_eigsh(agn_tensor **values, agn_tensor **vectors, agn_eigen_info *info,
                     const agn_tensor *a, int32_t k, const agn_eigen_options *opts)
{
    agni_host_call h;
    if (!stays_on_device(a, opts) &&
        agni_host_call_begin(&h, "eigsh", 1, (const agn_tensor *[]){a})) {
        agn_status st = h.st ? h.st : agn_eigsh(values ? &h.y[0] : NULL, vectors ? &h.y[1] : NULL,
                                                info, h.in[0], k, opts);
        return agni_host_call_end(&h, st, 2, (agn_tensor * *[]){values, vectors});
    }
    AGNI_NEED("eigsh", values);
    AGNI_NEED("eigsh", a);
    AGNI_BY_ROWS("eigsh", a, agn_eigsh(values, vectors, info, a, k, opts));
    if (opts && opts->size == sizeof *opts && opts->mass) {
        agn_eigen_options o = *opts;
        AGNI_BY_ROWS("eigsh", o.mass, agn_eigsh(values, vectors, info, a, k, &o));
    }
    agni_eigenproblem *q = NULL;
    agn_status st = agni_check_size("eigsh", agn_eigen_info, info);
    if (!st)
        st = problem_new(&q, "eigsh", a, k, opts, AGNI_SQUARE_NONE);
    if (st)
        return st;
    const agn_tensor *mass = opts ? opts->mass : NULL, *y[2] = {NULL, NULL};
    int p = agni_promote(agni_promote(a->dtype, mass ? mass->dtype : a->dtype), AGN_F32);
    agn_scope *s = agn_scope_open(NULL);
    solve_root(s, q, a, mass, NULL, info, y);
    agn_scope_return(s, values, cast_to(s, y[1], agni_dtypes[p].real));
    if (vectors)
        agn_scope_return(s, vectors, cast_to(s, y[0], p));
    agni_obj_release(&q->head);
    return agn_scope_close(s);
}

/* ---- singular values ------------------------------------------------------------------------- */

agn_status agni_singular_problem_new(agni_eigenproblem **out, const char *op, const agn_tensor *a,
                                     int32_t k, const agn_eigen_options *opts)
{
    bool tall = a->ndim == 2 && a->shape[0] >= a->shape[1];
    return problem_new(out, op, a, k, opts, tall ? AGNI_SQUARE_TALL : AGNI_SQUARE_WIDE);
}

void agni_singular_solve(agn_scope *s, agni_eigenproblem *q, const agn_tensor *a,
                         const agn_tensor *guess, agn_eigen_info *info, const agn_tensor *out[3])
{
    int p = agni_promote(a->dtype, AGN_F32);
    bool tall = q->squared == AGNI_SQUARE_TALL;
    const int32_t last[2] = {0, 1};
    const agn_tensor *y[2] = {NULL, NULL};
    solve_root(s, q, a, NULL, guess, info, y);
    const agn_tensor *x = ag_flip(s, y[0], last + 1, 1), *l = ag_flip(s, y[1], last, 1);
    const agn_tensor *zero = agni_literal(s, 0), *one = agni_literal(s, 1);
    /* rounding may make a square negative; what belongs to 0 stays 0 */
    const agn_tensor *some = ag_gt(s, l, zero);
    const agn_tensor *root = ag_where(s, some, ag_sqrt(s, ag_where(s, some, l, one)), zero);
    const agn_tensor *by = ag_where(s, some, root, one);
    const agn_tensor *v = cast_to(s, agni_linear_operator_values(a), wide_dtype(p));
    const agn_tensor *other = NULL;
    if (!agn_scope_status(s))
        other = ag_div(s, agni_eigen_apply_matrix(s, q, !tall, v, x), by);
    out[0] = cast_to(s, tall ? other : x, p);
    out[1] = cast_to(s, root, agni_dtypes[p].real);
    out[2] = cast_to(s, tall ? x : other, p);
}

agn_status agn_svds(agn_tensor **u, agn_tensor **sv, agn_tensor **vh, agn_eigen_info *info,
                    const agn_tensor *a, int32_t k, const agn_eigen_options *opts)
{
    agni_host_call h;
    if (!stays_on_device(a, NULL) &&
        agni_host_call_begin(&h, "svds", 1, (const agn_tensor *[]){a})) {
        agn_status st = h.st ? h.st : agn_svds(u ? &h.y[0] : NULL, sv ? &h.y[1] : NULL,
                                               vh ? &h.y[2] : NULL, info, h.in[0], k, opts);
        return agni_host_call_end(&h, st, 3, (agn_tensor * *[]){u, sv, vh});
    }
    AGNI_NEED_ALL("svds", sv, "s");
    AGNI_NEED("svds", a);
    AGNI_BY_ROWS("svds", a, agn_svds(u, sv, vh, info, a, k, opts));
    agni_eigenproblem *q = NULL;
    agn_status st = agni_check_size("svds", agn_eigen_info, info);
    if (!st && opts &&
        (opts->which || opts->mass || opts->solve || opts->method || opts->precondition ||
         opts->sigma != 0))
        st = agni_fail(AGN_EARG, "svds: which is %d, sigma %g; there is a choice of basis, tol and "
                                 "max_products alone",
                       opts->which, opts->sigma);
    if (!st)
        st = agni_singular_problem_new(&q, "svds", a, k, opts);
    if (st)
        return st;
    const agn_tensor *y[3];
    agn_scope *s = agn_scope_open(NULL);
    agni_singular_solve(s, q, a, NULL, info, y);
    agn_scope_return(s, sv, y[1]);
    if (u)
        agn_scope_return(s, u, y[0]);
    if (vh)
        agn_scope_return(s, vh, agni_conjugate(s, ag_swapaxes(s, y[2], 0, 1)));
    agni_obj_release(&q->head);
    return agn_scope_close(s);
}

/* ---- any square matrix ----------------------------------------------------------------------- */

/* Vectors that move with v^H x = 1 brought back to norm 1, and to the phase in which the largest
   entry stays positive. The value does not change. */
static const agn_tensor *normalise_vectors(agn_scope *s, const agn_tensor *x)
{
    const int32_t rows = 0;
    const agn_tensor *size = ag_sqrt(
        s, ag_sum(s, ag_real(s, ag_mul(s, agni_conjugate(s, x), x)), &rows, 1, true));
    const agn_tensor *most = ag_argmax(s, ag_abs(s, ag_stop_gradient(s, x)), 0, true);
    const agn_tensor *top = ag_take_along_axis(s, x, most, 0);
    const agn_tensor *phase = ag_div(s, top, ag_abs(s, top));
    phase = ag_div(s, phase, ag_stop_gradient(s, phase));
    size = ag_div(s, size, ag_stop_gradient(s, size));
    return ag_div(s, x, ag_mul(s, phase, size));
}

agn_status agn_eigs(agn_tensor **values, agn_tensor **vectors, agn_eigen_info *info,
                    const agn_tensor *a, int32_t k, const agn_eigen_options *opts)
{
    agni_host_call h;
    if (!stays_on_device(a, opts) &&
        agni_host_call_begin(&h, "eigs", 1, (const agn_tensor *[]){a})) {
        agn_status st = h.st ? h.st : agn_eigs(values ? &h.y[0] : NULL, vectors ? &h.y[1] : NULL,
                                               info, h.in[0], k, opts);
        return agni_host_call_end(&h, st, 2, (agn_tensor * *[]){values, vectors});
    }
    AGNI_NEED("eigs", values);
    AGNI_NEED("eigs", a);
    AGNI_BY_ROWS("eigs", a, agn_eigs(values, vectors, info, a, k, opts));
    agni_eigenproblem *q = NULL;
    agn_status st = agni_check_size("eigs", agn_eigen_info, info);
    if (!st && opts && (opts->mass || opts->method != AGN_EIGEN_KRYLOV_SCHUR))
        st = agni_fail(AGN_EARG, "eigs: %s is for eigsh; a is %s", opts->mass ? "a mass" : "LOBPCG",
                       AGNI_SHAPE(a));
    if (!st)
        st = problem_new(&q, "eigs", a, k, opts, AGNI_SQUARE_NONE);
    if (st)
        return st;
    q->hermitian = false;
    const agn_tensor *y[2] = {NULL, NULL};
    int p = agni_promote(agni_promote(a->dtype, AGN_F32), AGN_C64);
    agn_scope *s = agn_scope_open(NULL);
    solve_root(s, q, a, NULL, NULL, info, y);
    agn_scope_return(s, values, cast_to(s, y[1], p));
    if (vectors)
        agn_scope_return(s, vectors, cast_to(s, k ? normalise_vectors(s, y[0]) : y[0], p));
    agni_obj_release(&q->head);
    return agn_scope_close(s);
}
