/* sparse/direct/api.c - agn_sparse_solve, _solve_with, _lstsq, _logdet, _rank: arguments are
   checked, promoted to f64 or c128 and passed to the ops of rules.c. */
#include "sparse/direct/direct.h"
#include "sparse/products/products.h"

#include <agnesi/sparse_iterative.h>
#include <string.h>

agn_status agni_solver_options(const char *op, const agn_sparse_solver *opts,
                               agn_sparse_solver *out)
{
    *out = (agn_sparse_solver){.size = sizeof *out};
    if (!opts)
        return AGN_OK;
    if (agni_check_size(op, agn_sparse_solver, opts))
        return AGN_EARG;
    *out = *opts;
    if (out->method < 0 || out->method >= AGN_SPARSE_N_METHODS)
        return agni_fail(AGN_EARG, "%s: method %d is none of %d", op, (int)out->method,
                         AGN_SPARSE_N_METHODS);
    if (out->order < 0 || out->order >= AGN_SPARSE_N_ORDERS)
        return agni_fail(AGN_EARG, "%s: order %d is none of %d", op, (int)out->order,
                         AGN_SPARSE_N_ORDERS);
    return AGN_OK;
}

static int wide_dtype(int dtype)
{
    return agni_kind(dtype) == AGNI_KIND_COMPLEX ? AGN_C128 : AGN_F64;
}
static const agn_tensor *as_dtype(agn_scope *s, const agn_tensor *x, int dtype)
{
    return x && x->dtype != dtype ? agni_cast(s, x, dtype) : x;
}

static agn_status needs_square(const char *op, const agn_tensor *a,
                               const agni_pattern *p)
{
    if (p->rows == p->cols)
        return AGN_OK;
    return agni_fail(AGN_ESHAPE,
                     "%s: a square matrix is needed, a is %s with %lld entries", op,
                     AGNI_SHAPE(a), (long long)p->nnz);
}
static agn_status needs_rows(const char *op, const agn_tensor *a, const agn_tensor *b,
                             int64_t rows)
{
    if (b->ndim && b->shape[b->ndim == 1 ? 0 : b->ndim - 2] == rows)
        return AGN_OK;
    return agni_fail(AGN_ESHAPE, "%s: rows differ: a is %s, b is %s", op, AGNI_SHAPE(a),
                     AGNI_SHAPE(b));
}

/* values and right-hand side in one wide dtype, the op, and back */
static agn_status solve_values(const char *op, agn_tensor **out, const agni_csr *c,
                               const agn_tensor *b, const agni_op *by, const agni_attr *at)
{
    int p = agni_promote(c->values->dtype, b->dtype), w = wide_dtype(p);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *v = as_dtype(s, c->values, w),
                     *B = agni_add_column_axis(s, as_dtype(s, b, w)), *x = NULL;
    if (v && B)
        x = agni_apply_in(s, by, at, 2, (const agn_tensor *[]){v, B});
    x = agni_drop_column_axis(s, x, b->ndim == 1);
    x = as_dtype(s, x, agni_kind(p) >= AGNI_KIND_FLOAT ? p : w);
    return agni_return(op, s, out, x);
}

static agn_status solve_system(agn_tensor **out, const char *op, const agn_tensor *a,
                               const agn_tensor *b, const agn_sparse_solver *o)
{
    const agni_csr *c = NULL;
    agn_status st = agni_csr_parts(op, a, &c);
    if (!st)
        st = agni_require_dense(b, op);
    if (!st)
        st = needs_square(op, a, c->pattern);
    if (!st)
        st = needs_rows(op, a, b, c->pattern->rows);
    if (st)
        return st;
    int64_t how[3] = {o->transposed, o->method, o->order};
    return solve_values(op, out, c, b, &agni_op_sparse_linsolve,
                        &(agni_attr){.ni = 3, .i = how, .obj = &c->pattern->head});
}

agn_status agn_sparse_solve(agn_tensor **out, const agn_tensor *a, const agn_tensor *b)
{
    AGNI_NEED("sparse_solve", out);
    AGNI_NEED("sparse_solve", a);
    AGNI_NEED("sparse_solve", b);
    AGNI_BY_ROWS("sparse_solve", a, agn_sparse_solve(out, a, b));
    return solve_system(out, "sparse_solve", a, b,
                        &(agn_sparse_solver){.size = sizeof(agn_sparse_solver)});
}

agn_status agn_sparse_solve_with(agn_tensor **out, const agn_tensor *a,
                                 const agn_tensor *b, const agn_sparse_solver *opts)
{
    AGNI_NEED("sparse_solve_with", out);
    AGNI_NEED("sparse_solve_with", a);
    AGNI_NEED("sparse_solve_with", b);
    AGNI_BY_ROWS("sparse_solve_with", a, agn_sparse_solve_with(out, a, b, opts));
    static const char *const op = "sparse_solve_with";
    const agni_csr *c = NULL;
    agn_sparse_solver o;
    bool iterative = opts && opts->size >= sizeof o &&
                     opts->method == AGN_SPARSE_ITERATIVE;
    agn_status st = agni_csr_parts(op, a, &c);
    if (!st)
        st = agni_require_dense(b, op);
    if (!st && iterative && opts->transposed)
        st = agni_fail(
            AGN_EUNSUPPORTED,
            "%s: transposed and iterative: pass the transpose of a, %s (b is %s)", op,
            AGNI_SHAPE(a), AGNI_SHAPE(b));
    if (!st && iterative)
        return agni_rename_error(op, agn_krylov_solve(out, NULL, a, b, NULL, NULL));
    if (!st)
        st = agni_solver_options(op, opts, &o);
    return st ? st : solve_system(out, op, a, b, &o);
}

/* the shortest of all solutions, by a QR factorisation of A^H */
static agn_status solve_least_norm(const char *op, agn_tensor **out, const agni_csr *c,
                                   const agn_tensor *b, int64_t order)
{
    const agni_transposed_pattern *t = agni_pattern_transposed(c->pattern);
    agn_tensor *from = NULL, *v = NULL;
    if (!t)
        return agni_nomem(op, (size_t)c->pattern->nnz * 2 * sizeof(int32_t));
    agn_status st = agni_pattern_view(&from, c->pattern, c->pattern->nnz, t->from);
    if (!st)
        st = agn_gather(&v, c->values, from, -1);
    int p = st ? 0 : agni_promote(v->dtype, b->dtype), w = wide_dtype(p);
    agn_scope *s = agn_scope_open(NULL);
    if (!agn_scope_fail(s, st)) {
        const agn_tensor *h = agni_conjugate(s, as_dtype(s, v, w));
        const agn_tensor *B = agni_add_column_axis(s, as_dtype(s, b, w)), *x = NULL;
        int64_t how[2] = {AGNI_SOLVE_LEAST_NORM - AGNI_SOLVE_LEAST_SQUARES, order};
        if (h && B)
            x = agni_apply_in(s, &agni_op_sparse_lstsq,
                              &(agni_attr){.ni = 2, .i = how, .obj = &t->p->head}, 2,
                              (const agn_tensor *[]){h, B});
        x = agni_drop_column_axis(s, x, b->ndim == 1);
        agn_scope_return(s, out,
                         as_dtype(s, x, agni_kind(p) >= AGNI_KIND_FLOAT ? p : w));
    }
    agn_release(from);
    agn_release(v);
    return agni_rename_error(op, agn_scope_close(s));
}

agn_status agn_sparse_lstsq(agn_tensor **out, const agn_tensor *a, const agn_tensor *b,
                            const agn_sparse_solver *opts)
{
    AGNI_NEED("sparse_lstsq", out);
    AGNI_NEED("sparse_lstsq", a);
    AGNI_NEED("sparse_lstsq", b);
    AGNI_BY_ROWS("sparse_lstsq", a, agn_sparse_lstsq(out, a, b, opts));
    static const char *const op = "sparse_lstsq";
    const agni_csr *c = NULL;
    agn_sparse_solver o;
    agn_status st = agni_csr_parts(op, a, &c);
    if (!st)
        st = agni_require_dense(b, op);
    if (!st)
        st = agni_solver_options(op, opts, &o);
    if (!st && o.transposed)
        st = agni_fail(AGN_EUNSUPPORTED,
                       "%s: transposed: a is %s, pass its transpose (b is %s)", op,
                       AGNI_SHAPE(a), AGNI_SHAPE(b));
    if (!st)
        st = needs_rows(op, a, b, c->pattern->rows);
    if (st)
        return st;
    if (c->pattern->rows < c->pattern->cols)
        return solve_least_norm(op, out, c, b, o.order);
    int64_t how[2] = {0, o.order};
    return solve_values(op, out, c, b, &agni_op_sparse_lstsq,
                        &(agni_attr){.ni = 2, .i = how, .obj = &c->pattern->head});
}

agn_status agn_sparse_logdet(agn_tensor **out, const agn_tensor *a,
                             const agn_sparse_solver *opts)
{
    AGNI_NEED("sparse_logdet", out);
    AGNI_NEED("sparse_logdet", a);
    AGNI_BY_ROWS("sparse_logdet", a, agn_sparse_logdet(out, a, opts));
    static const char *const op = "sparse_logdet";
    const agni_csr *c = NULL;
    agn_sparse_solver o;
    agn_status st = agni_csr_parts(op, a, &c);
    if (!st)
        st = agni_solver_options(op, opts, &o);
    if (!st)
        st = needs_square(op, a, c->pattern);
    if (st)
        return st;
    int64_t how[2] = {o.method, o.order};
    int p = c->values->dtype;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *v = as_dtype(s, c->values, wide_dtype(p)), *y = NULL;
    if (v)
        y = agni_apply_in(s, &agni_op_sparse_logdet,
                          &(agni_attr){.ni = 2, .i = how, .obj = &c->pattern->head}, 1, &v);
    bool single = p == AGN_F32 || p == AGN_C64;
    return agni_return(op, s, out, as_dtype(s, y, single ? AGN_F32 : AGN_F64));
}

agn_status agn_sparse_rank(int64_t *out, const agn_tensor *a)
{
    AGNI_NEED("sparse_rank", out);
    AGNI_NEED("sparse_rank", a);
    AGNI_BY_ROWS("sparse_rank", a, agn_sparse_rank(out, a));
    static const char *const op = "sparse_rank";
    const agni_csr *c = NULL;
    agni_numeric *n = NULL;
    agn_tensor *v = NULL, *rows = NULL;
    agn_status st = agni_csr_parts(op, a, &c);
    if (!st && c->values->ndim != 1)
        st = agni_fail(AGN_ESHAPE, "%s: one matrix is needed, a is %s with %d axes", op,
                       AGNI_SHAPE(a), a->ndim);
    if (!st)
        st = agni_require_host(c->values, op);
    if (!st)
        st = agn_cast(&v, c->values, wide_dtype(c->values->dtype));
    if (!st)
        st = agn_contiguous(&rows, v);
    int64_t rank = 0;
    if (!st && c->pattern->nnz) {
        const agni_direct_problem q = {
            .op = op, .p = c->pattern, .v = rows->data, .parts = rows->dtype == AGN_C128 ? 2 : 1};
        st = agni_numeric_get(&n, &q, AGN_SPARSE_QR, AGN_ORDER_DEFAULT, 1);
        if (!st)
            st = agni_numeric_rank(n, &rank);
    }
    agni_numeric_unref(n);
    agn_release(v);
    agn_release(rows);
    if (!st)
        *out = rank;
    return st;
}
