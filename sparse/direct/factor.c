/* sparse/direct/factor.c - factors as objects: values, and numbers that are held as long as the object.
   What they solve goes through the ops, so it is recorded and differentiated like any solve. */
#include "sparse/direct/direct.h"

#include <math.h>
#include <string.h>

struct agn_sparse_factor {
    agni_obj head;
    agni_pattern *p;
    agn_tensor *given;  /* values as they were given: any dtype, watched or not */
    agn_tensor *values; /* f64 or c128, contiguous, without a node */
    agn_tensor *like;   /* what it was made of, where that is no AGN_CSR: other values are in its order */
    agn_sparse_solver how;
    agni_numeric *num;
};

static void destroy(agni_obj *o)
{
    agn_sparse_factor *f = (agn_sparse_factor *)o;
    agni_numeric_unref(f->num);
    agn_release(f->given);
    agn_release(f->values);
    agn_release(f->like);
    if (f->p)
        agni_obj_release(&f->p->head);
    agni_free(f);
}
static const agni_obj_type type = {.name = "sparse factor", .destroy = destroy};

void agn_sparse_factor_release(agn_sparse_factor *f)
{
    if (f)
        agni_obj_release(&f->head);
}

const char *agn_sparse_factor_method(const agn_sparse_factor *f)
{
    return f ? agni_numeric_method(f->num) : NULL;
}

static agni_problem problem_of(const char *op, const agn_sparse_factor *f)
{
    return (agni_problem){.op = op, .p = f->p, .v = f->values->data,
                          .parts = f->values->dtype == AGN_C128 ? 2 : 1};
}

/* all but the numbers */
static agn_status begun(agn_sparse_factor **out, const char *op, const agni_pattern *p,
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

static agn_status made(agn_sparse_factor **out, const char *op, const agni_pattern *p,
                       const agn_tensor *values, const agn_sparse_solver *how)
{
    agn_sparse_factor *f = NULL;
    if (p->rows != p->cols || !p->rows)
        return agni_fail(AGN_ESHAPE, "%s: a square matrix %sis needed, a is [%lld,%lld]",
                         op, p->rows ? "" : "with rows ", (long long)p->rows,
                         (long long)p->cols);
    agn_status st = begun(&f, op, p, values, how);
    if (st)
        return st;
    const agni_problem a = problem_of(op, f);
    st = agni_numeric_get(&f->num, &a, how->method, how->order, values->node ? 1 : 0);
    if (st)
        agni_obj_release(&f->head);
    else
        *out = f;
    return st;
}

/* of a sparse matrix in any layout, with the pattern p unless that is NULL */
static agn_status made_of(agn_sparse_factor **out, const char *op, const agn_tensor *a,
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
        st = agni_fail(AGN_EARG,
                       "%s: another pattern: a is %s with %lld entries, the factor [%lld,%lld] with %lld",
                       op, AGNI_SHAPE(a), (long long)c->pattern->nnz, (long long)p->rows,
                       (long long)p->cols, (long long)p->nnz);
    if (!st)
        st = made(&f, op, p ? p : c->pattern, c->values, how);
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
    agn_status st = a->layout == AGN_DENSE ? agni_csr_parts(op, a, NULL) : agni_solver_options(op, opts, &how);
    return st ? st : made_of(out, op, a, NULL, &how);
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
        return made_of(out, op, values, f->p, &f->how);
    if (!f->like)
        return made(out, op, f->p, values, &f->how);
    agn_tensor *a = NULL;
    agn_status st = agni_rename_error(op, agn_sparse_with_values(&a, f->like, values));
    if (!st)
        st = made_of(out, op, a, f->p, &f->how);
    agn_release(a);
    return st;
}

/* Numbers on both sides and none of them watched: the solver itself, without an op around it. */
static bool at_hand(const agn_sparse_factor *f, const agn_tensor *b)
{
    return b->layout == AGN_DENSE && (b->ndim == 1 || b->ndim == 2) && b->size &&
           b->shape[0] == f->p->rows && b->st && b->st->device == AGN_CPU && !b->node &&
           !f->given->node && b->dtype == f->given->dtype && b->dtype == f->values->dtype &&
           agni_is_contiguous(b);
}

static agn_status solve_it(agn_tensor **out, const char *op, const agn_sparse_factor *f,
                           const agn_tensor *b, bool turned)
{
    const agni_problem a = problem_of(op, f);
    agn_tensor *x = NULL;
    int64_t n = f->p->rows;
    agn_status st = agni_tensor_make(&x, op, b->dtype, b->ndim, b->shape, AGN_CPU);
    if (!st)
        st = agni_numeric_solve_rows(f->num, &a, turned ? AGNI_TURNED : AGNI_PLAIN, n, n,
                                     b->size / n, b->data, x->data);
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
    if (at_hand(f, b))
        return solve_it(out, op, f, b, how.transposed);
    agni_numeric_recall(f->num, f->p, how.method, how.order);
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
    agni_numeric_recall(f->num, f->p, f->how.method, f->how.order);
    agn_status st = agni_csr_new(&a, op, f->p, f->given);
    if (!st)
        st = agni_rename_error(op, agn_sparse_logdet(out, a, &f->how));
    agn_release(a);
    return st;
}

/* ---- update --------------------------------------------------------------------------------- */

/* every pair of entries of a column of w [k, n] has a place in the pattern: adds to v */
static agn_status added(const char *op, const agni_pattern *p, double *v, int64_t k,
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
static agn_status columns_of(const char *op, const agn_tensor *w, int64_t n,
                             double **out, int64_t *k)
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
    agn_status st = columns_of(op, w, f->p->rows, &columns, &k);
    if (!st)
        st = agn_from_host(&values, AGN_F64, 1, &nnz, f->values->data);
    if (!st)
        st = added(op, f->p, values->data, k, columns, down);
    if (!st)
        st = begun(&g, op, f->p, values, &f->how);
    if (!st) {
        g->like = f->like ? agni_tensor_ref(f->like) : NULL;
        const agni_problem a = problem_of(op, g);
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

/* ---- condition --------------------------------------------------------------------------------- */

static double size_of(const double *x, int64_t k, int parts)
{
    return parts == 2 ? hypot(x[2 * k], x[2 * k + 1]) : fabs(x[k]);
}

/* |a|_1: the largest sum of a column; lower: of the matrix that the lower triangle stands for */
static agn_status norm_one(const agni_problem *a, bool lower, double *out)
{
    double *sum = agni_zalloc((size_t)(a->p->cols + 1) * sizeof *sum);
    if (!sum)
        return agni_nomem(a->op, (size_t)a->p->cols * sizeof *sum);
    for (int64_t i = 0; i < a->p->rows; i++)
        for (int64_t e = agni_row_begin(a->p, i); e < agni_row_begin(a->p, i + 1); e++) {
            int64_t j = agni_entry_col(a->p, e);
            double size = lower && j > i ? 0 : size_of(a->v, e, a->parts);
            sum[j] += size;
            if (lower && j < i)
                sum[i] += size;
        }
    *out = 0;
    for (int64_t j = 0; j < a->p->cols; j++)
        *out = sum[j] > *out ? sum[j] : *out;
    agni_free(sum);
    return AGN_OK;
}

/* x to x / |x|, 1 for 0; conjugated where asked */
static void signs(double *x, int64_t n, int parts)
{
    for (int64_t i = 0; i < n; i++) {
        double s = size_of(x, i, parts);
        x[i * parts] = s > 0 ? x[i * parts] / s : 1;
        if (parts == 2)
            x[2 * i + 1] = s > 0 ? x[2 * i + 1] / s : 0;
    }
}
static void conjugate(double *x, int64_t n, int parts)
{
    for (int64_t i = 0; parts == 2 && i < n; i++)
        x[2 * i + 1] = -x[2 * i + 1];
}

agn_status agn_sparse_factor_rcond(double *out, const agn_sparse_factor *f)
{
    static const char *const op = "sparse_factor_rcond";
    AGNI_NEED("sparse_factor_rcond", out);
    AGNI_NEED("sparse_factor_rcond", f);
    const agni_problem a = problem_of(op, f);
    int64_t n = f->p->rows, last = -1;
    int parts = a.parts;
    double norm = 0, best = 0, *x = agni_alloc((size_t)(2 * n * parts) * sizeof *x);
    agn_status st = x ? norm_one(&a, f->how.method == AGN_SPARSE_CHOLESKY_LOWER, &norm)
                      : agni_nomem(op, (size_t)(2 * n * parts) * sizeof *x);
    double *y = x + n * parts;
    for (int64_t i = 0; !st && i < n * parts; i++)
        x[i] = parts == 2 && i % 2 ? 0 : 1 / (double)n;
    for (int round = 0; !st && round < 5; round++) {
        double sum = 0;
        st = agni_numeric_solve(f->num, &a, AGNI_PLAIN, 1, x, y);
        for (int64_t i = 0; !st && i < n; i++)
            sum += size_of(y, i, parts);
        if (st || !(sum > best))
            break;
        best = sum;
        signs(y, n, parts);
        conjugate(y, n, parts); /* a^-H s by a^-T of its conjugate */
        st = agni_numeric_solve(f->num, &a, AGNI_TURNED, 1, y, x);
        if (st)
            break;
        int64_t at = 0;
        for (int64_t i = 1; i < n; i++)
            at = size_of(x, i, parts) > size_of(x, at, parts) ? i : at;
        if (at == last)
            break;
        last = at;
        memset(x, 0, (size_t)(n * parts) * sizeof *x);
        x[at * parts] = 1;
    }
    /* the vector with alternating signs, for matrices that deceive the rest */
    for (int64_t i = 0; !st && i < n; i++) {
        x[i * parts] = (i % 2 ? -1 : 1) * (1 + (double)i / (double)(n > 1 ? n - 1 : 1));
        if (parts == 2)
            x[2 * i + 1] = 0;
    }
    if (!st)
        st = agni_numeric_solve(f->num, &a, AGNI_PLAIN, 1, x, y);
    if (!st) {
        double sum = 0;
        for (int64_t i = 0; i < n; i++)
            sum += size_of(y, i, parts);
        best = fmax(best, 2 * sum / (3 * (double)n));
        *out = norm * best > 0 ? 1 / (norm * best) : 0;
    }
    agni_free(x);
    return st;
}
