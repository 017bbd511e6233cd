/* sparse/direct/factor.c - factor objects: values, and a numeric factor that lives as long as the
   object. Solves go through the ops, so they are recorded and differentiated like any solve. */
#include "sparse/direct/factor.h"

#include <string.h>

static void destroy_factor(agni_obj *o)
{
    agn_sparse_factor *f = (agn_sparse_factor *)o;
    agni_numeric_unref(f->num);
    agn_release(f->given);
    agn_release(f->values);
    agn_release(f->like);
    if (f->p)
        agni_obj_release(&f->p->head);
    agni_obj_free(&f->head, sizeof *f);
}
static const agni_obj_type type = {.name = "sparse factor", .destroy = destroy_factor};

void agn_sparse_factor_release(agn_sparse_factor *f)
{
    if (f)
        agni_obj_release(&f->head);
}

const char *agn_sparse_factor_method(const agn_sparse_factor *f)
{
    return f ? agni_numeric_method(f->num) : NULL;
}

/* a factor object without its numeric factor */
static agn_status new_factor(agn_sparse_factor **out, const char *op, const agni_pattern *p,
                             const agn_tensor *values, const agn_sparse_solver *how)
{
    agn_tensor *alias = NULL, *wide = NULL, *rows = NULL;
    if (values->ndim != 1 || values->shape[0] != p->nnz)
        return agni_fail(AGN_ESHAPE, "%s: values are %s, the pattern has %lld entries",
                         op, AGNI_SHAPE(values), (long long)p->nnz);
    if (!(AGNI_FIELDS >> values->dtype & 1))
        return agni_fail(AGN_EDTYPE,
                         "%s: values are %s; f32, f64, c64 or c128 is needed", op,
                         agni_dtypes[values->dtype].name);
    agn_status st = agni_require_host(values, op);
    if (st)
        return st;
    bool complex_ = agni_kind(values->dtype) == AGNI_KIND_COMPLEX;
    agn_sparse_factor *f = agni_zalloc(sizeof *f);
    alias = agni_tensor_alias(values);
    if (!f || !alias)
        st = agni_nomem(op, sizeof *f);
    if (!st)
        st = agn_cast(&wide, alias, complex_ ? AGN_C128 : AGN_F64);
    if (!st)
        st = agn_contiguous(&rows, wide);
    agn_release(alias);
    agn_release(wide);
    if (st) {
        agni_free(f);
        return st;
    }
    agni_ref_init(&f->head.ref);
    f->head.type = &type;
    f->p = (agni_pattern *)agni_obj_retain(&p->head);
    f->given = agni_tensor_ref(values);
    f->values = rows;
    f->how = *how;
    *out = f;
    return AGN_OK;
}

static agn_status factor_values(agn_sparse_factor **out, const char *op, const agni_pattern *p,
                                const agn_tensor *values, const agn_sparse_solver *how)
{
    agn_sparse_factor *f = NULL;
    if (p->rows != p->cols || !p->rows)
        return agni_fail(AGN_ESHAPE, "%s: a square matrix %sis needed, a is [%lld,%lld]",
                         op, p->rows ? "" : "with rows ", (long long)p->rows,
                         (long long)p->cols);
    agn_status st = new_factor(&f, op, p, values, how);
    if (st)
        return st;
    const agni_direct_problem a = agni_factor_problem(op, f);
    st = agni_numeric_get(&f->num, &a, how->method, how->order, values->node ? 1 : 0);
    if (st)
        agni_obj_release(&f->head);
    else
        *out = f;
    return st;
}

/* of a sparse matrix in any layout, with the pattern p unless that is NULL */
static agn_status factor_matrix(agn_sparse_factor **out, const char *op, const agn_tensor *a,
                                const agni_pattern *p, const agn_sparse_solver *how)
{
    agn_tensor *rows = NULL;
    agn_sparse_factor *f = NULL;
    agn_status st = a->layout == AGN_CSR ? AGN_OK
                                         : agni_rename_error(op, agn_sparse_to_csr(&rows, a));
    if (st)
        return st;
    const agni_csr *c = agni_csr_of(rows ? rows : a);
    if (p && c->pattern != p && !p->head.type->equal(&c->pattern->head, &p->head))
        st = agni_fail(
            AGN_EARG,
            "%s: another pattern: a is %s with %lld entries, the factor [%lld,%lld] with %lld", op,
            AGNI_SHAPE(a), (long long)c->pattern->nnz, (long long)p->rows, (long long)p->cols,
            (long long)p->nnz);
    if (!st)
        st = factor_values(&f, op, p ? p : c->pattern, c->values, how);
    if (!st && rows)
        f->like = agni_tensor_ref(a);
    agn_release(rows);
    if (!st)
        *out = f;
    return st;
}

agn_status agn_sparse_factor_new(agn_sparse_factor **out, const agn_tensor *a,
                                 const agn_sparse_solver *opts)
{
    static const char *const op = "sparse_factor_new";
    AGNI_NEED("sparse_factor_new", out);
    AGNI_NEED("sparse_factor_new", a);
    agn_sparse_solver how;
    agn_status st = a->layout == AGN_DENSE ? agni_csr_parts(op, a, NULL)
                                           : agni_solver_options(op, opts, &how);
    return st ? st : factor_matrix(out, op, a, NULL, &how);
}

agn_status agn_sparse_factor_refactor(agn_sparse_factor **out,
                                      const agn_sparse_factor *f,
                                      const agn_tensor *values)
{
    static const char *const op = "sparse_factor_refactor";
    AGNI_NEED("sparse_factor_refactor", out);
    AGNI_NEED("sparse_factor_refactor", f);
    AGNI_NEED("sparse_factor_refactor", values);
    if (values->layout != AGN_DENSE)
        return factor_matrix(out, op, values, f->p, &f->how);
    if (!f->like)
        return factor_values(out, op, f->p, values, &f->how);
    agn_tensor *a = NULL;
    agn_status st = agni_rename_error(op, agn_sparse_with_values(&a, f->like, values));
    if (!st)
        st = factor_matrix(out, op, a, f->p, &f->how);
    agn_release(a);
    return st;
}

/* Known numbers on both sides and none of them watched: the factor is applied without an op. */
static bool can_solve_directly(const agn_sparse_factor *f, const agn_tensor *b)
{
    return b->layout == AGN_DENSE && (b->ndim == 1 || b->ndim == 2) && b->size &&
           b->shape[0] == f->p->rows && b->st && b->st->device == AGN_CPU && !b->node &&
           !f->given->node && b->dtype == f->given->dtype && b->dtype == f->values->dtype &&
           agni_is_contiguous(b);
}

static agn_status solve_directly(agn_tensor **out, const char *op, const agn_sparse_factor *f,
                                 const agn_tensor *b, bool turned)
{
    const agni_direct_problem a = agni_factor_problem(op, f);
    agn_tensor *x = NULL;
    int64_t n = f->p->rows;
    agn_status st = agni_tensor_make(&x, op, b->dtype, b->ndim, b->shape, AGN_CPU);
    if (!st)
        st = agni_numeric_solve_rows(f->num, &a, turned ? AGNI_SOLVE_TRANSPOSED : AGNI_SOLVE_PLAIN,
                                     n, n, b->size / n, b->data, x->data);
    if (st)
        agn_release(x);
    else
        *out = x;
    return st;
}

agn_status agn_sparse_factor_solve(agn_tensor **out, const agn_sparse_factor *f,
                                   const agn_tensor *b, bool transposed)
{
    static const char *const op = "sparse_factor_solve";
    AGNI_NEED("sparse_factor_solve", out);
    AGNI_NEED("sparse_factor_solve", f);
    AGNI_NEED("sparse_factor_solve", b);
    agn_tensor *a = NULL;
    agn_sparse_solver how = f->how;
    how.transposed = how.transposed != transposed;
    if (can_solve_directly(f, b))
        return solve_directly(out, op, f, b, how.transposed);
    agni_numeric_touch(f->num, f->p, how.method, how.order);
    agn_status st = agni_csr_new(&a, op, f->p, f->given);
    if (!st)
        st = agni_rename_error(op, agn_sparse_solve_with(out, a, b, &how));
    agn_release(a);
    return st;
}

agn_status agn_sparse_factor_logdet(agn_tensor **out, const agn_sparse_factor *f)
{
    static const char *const op = "sparse_factor_logdet";
    AGNI_NEED("sparse_factor_logdet", out);
    AGNI_NEED("sparse_factor_logdet", f);
    agn_tensor *a = NULL;
    agni_numeric_touch(f->num, f->p, f->how.method, f->how.order);
    agn_status st = agni_csr_new(&a, op, f->p, f->given);
    if (!st)
        st = agni_rename_error(op, agn_sparse_logdet(out, a, &f->how));
    agn_release(a);
    return st;
}

/* ---- update --------------------------------------------------------------------------------- */

/* v += or -= w w^H for the columns of w [k, n]; AGN_EARG where the pattern has no such entry */
static agn_status add_outer_products(const char *op, const agni_pattern *p, double *v, int64_t k,
                                     const double *w, bool down)
{
    int64_t n = p->rows;
    for (int64_t c = 0; c < k; c++, w += n)
        for (int64_t i = 0; i < n; i++) {
            int64_t e = agni_row_begin(p, i), end = agni_row_begin(p, i + 1);
            for (int64_t j = 0; w[i] != 0 && j < n; j++) {
                while (e < end && agni_entry_col(p, e) < j)
                    e++;
                if (w[j] == 0)
                    continue;
                if (e == end || agni_entry_col(p, e) != j)
                    return agni_fail(
                        AGN_EARG,
                        "%s: w w^H has an entry [%lld,%lld] that a does not store", op,
                        (long long)i, (long long)j);
                v[e] += (down ? -1 : 1) * (w[i] * w[j]);
            }
        }
    return AGN_OK;
}

/* w [n, k] or [n] as columns on the host */
static agn_status read_columns(const char *op, const agn_tensor *w, int64_t n, double **out,
                               int64_t *k)
{
    if (w->ndim < 1 || w->ndim > 2 || w->shape[0] != n)
        return agni_fail(AGN_ESHAPE, "%s: rows differ: a has %lld, w is %s", op,
                         (long long)n, AGNI_SHAPE(w));
    if (agni_kind(w->dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EUNSUPPORTED,
                         "%s: w is %s; CHOLMOD updates f64 alone (%lld rows)", op,
                         agni_dtypes[w->dtype].name, (long long)n);
    agn_status st = agni_require_host(w, op);
    if (st)
        return st;
    *k = w->ndim == 2 ? w->shape[1] : 1;
    agn_tensor *alias = agni_tensor_alias(w), *wide = NULL, *rows = NULL;
    double *to = agni_alloc((size_t)(n * *k + 1) * sizeof *to);
    if (!alias || !to)
        st = agni_nomem(op, (size_t)(n * *k) * sizeof *to);
    if (!st)
        st = agn_cast(&wide, alias, AGN_F64);
    if (!st)
        st = agn_contiguous(&rows, wide);
    const double *x = st ? NULL : rows->data;
    for (int64_t i = 0; !st && i < n; i++)
        for (int64_t j = 0; j < *k; j++)
            to[j * n + i] = x[i * *k + j];
    agn_release(alias);
    agn_release(wide);
    agn_release(rows);
    if (st)
        agni_free(to);
    else
        *out = to;
    return st;
}

agn_status agn_sparse_factor_update(agn_sparse_factor **out, const agn_sparse_factor *f,
                                    const agn_tensor *w, bool down)
{
    static const char *const op = "sparse_factor_update";
    AGNI_NEED("sparse_factor_update", out);
    AGNI_NEED("sparse_factor_update", f);
    AGNI_NEED("sparse_factor_update", w);
    double *columns = NULL;
    int64_t k = 0, nnz = f->p->nnz;
    agn_tensor *values = NULL;
    agn_sparse_factor *g = NULL;
    if (w->layout != AGN_DENSE)
        return agni_require_dense(w, op);
    if (f->values->dtype != AGN_F64)
        return agni_fail(
            AGN_EUNSUPPORTED, "%s: a factor of %s; CHOLMOD updates f64 alone (%s)", op,
            agni_dtypes[f->values->dtype].name, agni_numeric_method(f->num));
    agn_status st = read_columns(op, w, f->p->rows, &columns, &k);
    if (!st)
        st = agn_from_host(&values, AGN_F64, 1, &nnz, f->values->data);
    if (!st)
        st = add_outer_products(op, f->p, values->data, k, columns, down);
    if (!st)
        st = new_factor(&g, op, f->p, values, &f->how);
    if (!st) {
        g->like = f->like ? agni_tensor_ref(f->like) : NULL;
        const agni_direct_problem a = agni_factor_problem(op, g);
        st = agni_numeric_update(&g->num, f->num, &a, k, columns, down);
    }
    agni_free(columns);
    agn_release(values);
    if (st && g)
        agni_obj_release(&g->head);
    if (!st)
        *out = g;
    return st;
}
