/* operator.c - linear differential operators, exact: Laplacian, biharmonic, partial derivatives,
   any operator. */
#include "autograd/operators/operator.h"

#include "autograd/operators/derivative_space.h"

#include <agnesi/ag.h>
#include <math.h>

/* ---- one expansion ------------------------------------------------------------------------- */

int64_t agni_column_count(agn_scope *s, const char *op, int argnum, const agn_tensor *x)
{
    agn_status st = AGN_OK;
    if (!agni_is_differentiable(x))
        st = agni_fail(AGN_EDTYPE, "%s: argument %d is %s; a floating dtype is needed", op, argnum,
                       agni_dtypes[x->dtype].name);
    else if (x->ndim < 1)
        st = agni_fail(AGN_ESHAPE, "%s: argument %d is %s; its last axis must be columns", op,
                       argnum, AGNI_SHAPE(x));
    return agn_scope_fail(s, st) ? -1 : x->shape[x->ndim - 1];
}

const agn_tensor *agni_seed_rows(agn_scope *s, const double *v, int64_t n, int64_t d,
                            const agn_tensor *x)
{
    agn_tensor *t = NULL;
    int64_t shape[AGNI_MAX_RANK + 1] = {n};
    if (agn_scope_status(s))
        return NULL;
    for (int k = 1; k < x->ndim; k++)
        shape[k] = 1;
    shape[x->ndim] = d;
    agn_status st = n == 1 ? agn_from_host(&t, AGN_F64, 1, &d, v)
                           : agn_from_host(&t, AGN_F64, x->ndim + 1, shape, v);
    const agn_tensor *rows = agni_adopt_constant(s, st, t);
    return rows ? agni_cast(s, rows, x->dtype) : NULL;
}

const agn_tensor *agni_unit_rows(agn_scope *s, const agn_tensor *x)
{
    int64_t d = x->shape[x->ndim - 1], shape[AGNI_MAX_RANK + 1] = {d};
    agn_tensor *t = NULL;
    if (agn_scope_status(s))
        return NULL;
    agn_status st = agn_eye(&t, x->dtype, d, d, 0);
    const agn_tensor *eye = agni_adopt_constant(s, st, t);
    for (int k = 1; k < x->ndim; k++)
        shape[k] = 1;
    shape[x->ndim] = d;
    if (!eye)
        return NULL;
    return d == 1 ? agni_reshape(s, eye, 1, shape) : agni_reshape(s, eye, x->ndim + 1, shape);
}

agn_status agni_expand_jet_along(const agn_fn *f, agn_scope *s, const agni_grading *g, int argnum,
                                 const agn_tensor *seed, const agn_tensor *const *in,
                                 const agn_tensor **y)
{
    int n = g->K + 1;
    const agn_tensor **c = agni_zalloc((size_t)((f->n_in + f->n_out) * n) * sizeof *c);
    if (!c)
        return agn_scope_fail(s, agni_nomem("operator", (size_t)(f->n_in * n) * sizeof *c));
    const agn_tensor *x = in[argnum], **all = c + f->n_in * n;
    int64_t shape[AGNI_MAX_RANK + 1] = {g->lanes[1]};
    memcpy(shape + 1, x->shape, (size_t)x->ndim * sizeof *shape);
    for (int i = 0; i < f->n_in; i++)
        c[i * n] = in[i];
    if (g->K && seed)
        c[argnum * n + 1] = agni_has_lanes(g, 1) ? agni_broadcast(s, seed, x->ndim + 1, shape)
                                                 : agni_broadcast(s, seed, x->ndim, x->shape);
    if (!agn_scope_status(s) && !agni_expand_jet(f, s, g, c, all))
        memcpy(y, all, (size_t)n * sizeof *y);
    agni_free(c);
    return agn_scope_status(s);
}

const agn_tensor *agni_scaled_or_zero(agn_scope *s, const agn_tensor *y, double w,
                                      const agn_tensor *value)
{
    if (agn_scope_status(s) || !y)
        return value ? agni_zeros_like(s, value) : NULL;
    return w == 1 ? y
                  : agni_apply_in(s, &agni_op_mul, NULL, 2,
                                  (const agn_tensor *[]){y, agni_literal(s, w)});
}

/* ---- the Laplacian: a collapsed jet over the unit vectors ------------------------------------ */

/* In a program of symbols, few columns take a curve each: what lanes would have in common the plan
   computes once, sums before products collapse the rest (graph/passes/factor_sums.c), and tiles
   keep each coefficient in rows of its own. Few points are better beside each other as lanes, for
   which the weights are read once. */
static bool takes_curves(const agn_fn *f, const agn_tensor *const *in, int argnum, int64_t d)
{
    enum { MOST_CURVES = 8, LEAST_POINTS = 256 };
    bool symbolic = false;
    for (int i = 0; i < f->n_in; i++)
        symbolic |= agni_is_symbolic(in[i]);
    return symbolic && d > 0 && d <= MOST_CURVES && in[argnum]->size >= LEAST_POINTS * d;
}

static agn_status sum_over_curves(const agn_fn *f, agn_scope *s, int argnum, int64_t d,
                                  const agn_tensor *const *in, const agn_tensor **out)
{
    agni_grading g = agni_grading_along(2, 1, false);
    const agn_tensor *sum = NULL, *value = NULL;
    double e[16] = {0};
    for (int64_t i = 0; i < d && !agn_scope_status(s); i++) {
        const agn_tensor *y[3] = {NULL};
        e[i] = 1;
        const agn_tensor *seed = agni_seed_rows(s, e, 1, d, in[argnum]);
        e[i] = 0;
        if (!seed || agni_expand_jet_along(f, s, &g, argnum, seed, in, y))
            break;
        value = value ? value : y[0];
        if (y[2])
            sum = agni_add_present(s, sum, y[2]);
    }
    out[0] = agni_scaled_or_zero(s, sum, 2, value);
    out[1] = value;
    return agn_scope_status(s);
}

static agn_status run_laplacian(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                                const agn_tensor **out)
{
    const agni_transform *m = f->data;
    const agn_tensor *x = in[m->order], *y[3] = {NULL};
    int64_t d = agni_column_count(s, "laplacian", m->order, x);
    if (d < 0)
        return agn_scope_status(s);
    if (takes_curves(m->f, in, m->order, d))
        return sum_over_curves(m->f, s, m->order, d, in, out);
    agni_grading g = agni_grading_along(2, d, true);
    if (!agni_expand_jet_along(m->f, s, &g, m->order, d ? agni_unit_rows(s, x) : NULL, in, y)) {
        out[0] = agni_scaled_or_zero(s, y[2], 2, y[0]);
        out[1] = y[0];
    }
    return agn_scope_status(s);
}

agn_status agn_fn_laplacian(agn_fn **out, const agn_fn *f, int32_t argnum)
{
    agn_status st = agni_check_argnum("fn_laplacian", out, f, argnum);
    return st ? st : agni_transform_new(out, run_laplacian, f, f->n_in, 2, 0, NULL, 0, argnum);
}

/* ---- operators by their polynomials ---------------------------------------------------------- */

/* the value of each polynomial, v[n_poly], and of f's first result */
static const agn_tensor *evaluate_polynomials(const agn_fn *f, agn_scope *s,
                                              const agni_derivative_space *a, int argnum,
                                              const agn_tensor *const *in, int n_poly,
                                              const agn_tensor **v)
{
    const agn_tensor *y[AGNI_MAX_ORDER + 1] = {NULL}, *x = in[argnum];
    const agn_tensor *seed =
        a->g.K ? agni_seed_rows(s, a->seed, a->g.lanes[1], a->d, x) : NULL;
    if (agn_scope_status(s) || agni_expand_jet_along(f, s, &a->g, argnum, seed, in, y))
        return NULL;
    for (int32_t i = 0; i < a->n_read && !agn_scope_status(s); i++) {
        const agni_readout *r = &a->read[i];
        const agn_tensor *part = y[r->degree];
        if (part && agni_has_lanes(&a->g, r->degree))
            part = ag_index_axis(s, part, 0, r->lane);
        if (part)
            v[r->poly] = agni_add_present(s, v[r->poly], agni_scaled_or_zero(s, part, r->w, y[0]));
    }
    for (int q = 0; q < n_poly; q++)
        v[q] = v[q] ? v[q] : agni_zeros_like(s, y[0]);
    return y[0];
}

static agn_status run_biharmonic(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                                 const agn_tensor **out)
{
    const agni_transform *m = f->data;
    int64_t d = agni_column_count(s, "biharmonic", m->order, in[m->order]);
    agni_derivative_space *a = NULL;
    if (d < 0)
        return agn_scope_status(s);
    if (d * (d + 1) / 2 > AGNI_MAX_LANES)
        return agni_fail(AGN_EUNSUPPORTED, "biharmonic: %lld columns have more than %d second "
                                           "derivatives; take samples",
                         (long long)d, AGNI_MAX_LANES);
    int32_t n = (int32_t)(d * d), w = (int32_t)d;
    int32_t *alpha = agni_zalloc((size_t)(n * w + n + 1) * sizeof *alpha), *poly = alpha + n * w;
    double *c = agni_alloc((size_t)(n + 1) * sizeof *c);
    if (!alpha || !c) {
        agn_scope_fail(s, agni_nomem("biharmonic", (size_t)(n * w) * sizeof *alpha));
    } else {
        for (int32_t t = 0; t < n; t++) { /* d_i^2 d_j^2 */
            alpha[t * w + t / w] += 2;
            alpha[t * w + t % w] += 2;
            c[t] = 1;
        }
        if (!agn_scope_fail(s, agni_derivative_space_make(&a, "biharmonic", w, n, alpha, c, poly)))
            out[1] = evaluate_polynomials(m->f, s, a, m->order, in, 1, out);
    }
    agni_derivative_space_free(a);
    agni_free(alpha);
    agni_free(c);
    return agn_scope_status(s);
}

agn_status agn_fn_biharmonic(agn_fn **out, const agn_fn *f, int32_t argnum)
{
    agn_status st = agni_check_argnum("fn_biharmonic", out, f, argnum);
    return st ? st : agni_transform_new(out, run_biharmonic, f, f->n_in, 2, 0, NULL, 0, argnum);
}

/* what operators and sets of partial derivatives remember */
typedef struct operator_data {
    agn_fn *f;
    agni_derivative_space *a;
    const char *op;
    int32_t argnum, d, n_poly;
    int32_t *alpha; /* of partial derivatives: n rows of d orders */
    int32_t n;
} operator_data;

static void free_operator(void *data)
{
    operator_data *q = data;
    agn_fn_release(q->f);
    agni_derivative_space_free(q->a);
    agni_free(q->alpha);
    agni_free(q);
}

static agn_status check_argument(const operator_data *q, agn_scope *s, const agn_tensor *x)
{
    if (x->ndim < 1 || x->shape[x->ndim - 1] != q->d)
        return agn_scope_fail(s, agni_fail(AGN_ESHAPE,
                                           "%s: argument %d is %s, %d columns are needed", q->op,
                                           q->argnum, AGNI_SHAPE(x), q->d));
    agni_column_count(s, q->op, q->argnum, x);
    return agn_scope_status(s);
}

/* polynomial 0 + sum over q of polynomial q times further argument q - 1 */
static agn_status run_operator(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                               const agn_tensor **out)
{
    const operator_data *q = f->data;
    const agn_tensor **v = agni_zalloc((size_t)q->n_poly * sizeof *v), *sum = NULL;
    if (!v)
        return agni_nomem(q->op, (size_t)q->n_poly * sizeof *v);
    if (!check_argument(q, s, in[q->argnum]))
        out[1] = evaluate_polynomials(q->f, s, q->a, q->argnum, in, q->n_poly, v);
    for (int i = 0; i < q->n_poly && !agn_scope_status(s); i++)
        sum = agni_add_present(s, sum, i ? ag_mul(s, v[i], in[q->f->n_in + i - 1]) : v[i]);
    out[0] = sum;
    agni_free(v);
    return agn_scope_status(s);
}

/* the column in which all of the order is; -1: several, -2: none */
static int pure_column(const int32_t *alpha, int32_t d)
{
    int column = -2;
    for (int j = 0; j < d; j++)
        if (alpha[j])
            column = column == -2 ? j : -1;
    return column;
}

/* all pure derivatives along one column from one curve: y[0 .. top] */
static agn_status pure_partials_along(const operator_data *q, agn_scope *s, int column,
                                      const agn_tensor *const *in, const agn_tensor **out)
{
    const agn_tensor *y[AGNI_MAX_ORDER + 1] = {NULL};
    double *e = agni_zalloc((size_t)q->d * sizeof *e);
    int top = 0;
    if (!e)
        return agn_scope_fail(s, agni_nomem(q->op, (size_t)q->d * sizeof *e));
    e[column] = 1;
    for (int t = 0; t < q->n; t++)
        if (pure_column(q->alpha + t * q->d, q->d) == column && q->alpha[t * q->d + column] > top)
            top = q->alpha[t * q->d + column];
    agni_grading g = agni_grading_along(top, 1, false);
    const agn_tensor *seed = top ? agni_seed_rows(s, e, 1, q->d, in[q->argnum]) : NULL;
    if (seed && !agni_expand_jet_along(q->f, s, &g, q->argnum, seed, in, y)) {
        double factorial = 1;
        out[0] = out[0] ? out[0] : y[0];
        for (int k = 1; k <= top && !agn_scope_status(s); k++) {
            factorial *= k;
            const agn_tensor *part = NULL;
            for (int t = 0; t < q->n; t++)
                if (pure_column(q->alpha + t * q->d, q->d) == column &&
                    q->alpha[t * q->d + column] == k)
                    out[1 + t] = part = part ? part : agni_scaled_or_zero(s, y[k], factorial, y[0]);
        }
    }
    agni_free(e);
    return agn_scope_status(s);
}

/* First derivatives by a sweep back where that is less work; else pure derivatives by a curve along
   each column, mixed ones by what they need together. */
static agn_status run_partials(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                               const agn_tensor **out)
{
    const operator_data *q = f->data;
    const agn_tensor **v = agni_zalloc((size_t)(q->n_poly + 1) * sizeof *v);
    if (!v)
        return agni_nomem(q->op, (size_t)q->n_poly * sizeof *v);
    if (!check_argument(q, s, in[q->argnum]) &&
        agni_partials_by_gradient(q->f, s, q->argnum, q->alpha, q->n, q->d, in, out)) {
        agni_free(v);
        return agn_scope_status(s);
    }
    for (int t = 0; t < q->n && !agn_scope_status(s); t++) {
        int column = pure_column(q->alpha + t * q->d, q->d);
        if (column >= 0 && !out[1 + t])
            pure_partials_along(q, s, column, in, out);
    }
    if ((q->n_poly || !out[0]) && !agn_scope_status(s)) {
        const agn_tensor *y = evaluate_polynomials(q->f, s, q->a, q->argnum, in, q->n_poly, v);
        out[0] = out[0] ? out[0] : y;
    }
    for (int t = 0, m = 0; t < q->n; t++) {
        int column = pure_column(q->alpha + t * q->d, q->d);
        out[1 + t] = column == -1 ? v[m++] : column == -2 ? out[0] : out[1 + t];
    }
    agni_free(v);
    return agn_scope_status(s);
}

/* total orders of rows of alpha */
static agn_status check_orders(const char *op, const int32_t *alpha, int32_t d, int32_t n)
{
    if (!alpha && n)
        return agni_fail(AGN_ENULL, "%s: alpha is NULL, n is %d", op, n);
    if (d < 1 || n < 0 || n > 1 << 16 || d > 1 << 14 || (int64_t)n * d > 1 << 26)
        return agni_fail(AGN_EARG, "%s: %d columns and %d derivatives are not possible", op, d, n);
    for (int q = 0; q < n; q++)
        for (int j = 0, total = 0; j < d; j++) {
            int a = alpha[q * d + j];
            if (a < 0 || a > AGNI_MAX_ORDER || (total += a) > AGNI_MAX_ORDER)
                return agni_fail(AGN_EARG, "%s: derivative %d has order %d in column %d; 0 to %d "
                                           "in all are possible",
                                 op, q, a, j, AGNI_MAX_ORDER);
        }
    return AGN_OK;
}

/* takes over q.alpha on success only */
static agn_status make_operator(agn_fn **out, agni_fn_run *run, operator_data q, int n_out,
                                const int32_t *alpha, int32_t n, const double *c, const int32_t *of)
{
    operator_data *keep = agni_alloc(sizeof *keep);
    const agn_fn *f = q.f;
    int more = run == run_operator ? q.n_poly - 1 : 0;
    agn_status st = keep ? agni_derivative_space_make(&q.a, q.op, q.d, n, alpha, c, of)
                         : agni_nomem(q.op, sizeof *keep);
    if (st) {
        agni_free(keep);
        return st;
    }
    q.f = agn_fn_retain(f);
    *keep = q;
    st = agni_fn_make_derived(out, run, f->n_in + more, n_out, keep, free_operator);
    if (st) {
        keep->alpha = NULL;
        free_operator(keep);
    }
    return st;
}

agn_status agni_check_terms(const char *op, int32_t d, const int32_t *alpha, int32_t n,
                            const double *c, const int32_t *factor, int32_t *n_poly)
{
    enum { MOST = 1 << 10 };
    agn_status st = check_orders(op, alpha, d, n);
    *n_poly = 1;
    for (int t = 0; !st && t < n; t++) {
        if (c && !isfinite(c[t]))
            st = agni_fail(AGN_EARG, "%s: coefficient %d of %d is not finite", op, t, n);
        else if (factor && (factor[t] < -1 || factor[t] >= MOST))
            st = agni_fail(AGN_EINDEX, "%s: factor %d of term %d is not in -1 to %d", op, factor[t],
                           t, MOST - 1);
        else if (factor && factor[t] + 2 > *n_poly)
            *n_poly = factor[t] + 2;
    }
    return st;
}

agn_status agn_fn_operator(agn_fn **out, const agn_fn *f, int32_t argnum, const int32_t *alpha,
                           int32_t n, int32_t d, const double *c, const int32_t *factor)
{
    int32_t n_poly = 1;
    agn_status st = agni_check_argnum("fn_operator", out, f, argnum);
    st = st ? st : agni_check_terms("fn_operator", d, alpha, n, c, factor, &n_poly);
    if (st)
        return st;
    double *w = agni_alloc((size_t)(n + 1) * sizeof *w);
    int32_t *of = agni_alloc((size_t)(n + 1) * sizeof *of);
    for (int t = 0; w && of && t < n; t++) {
        w[t] = c ? c[t] : 1;
        of[t] = factor ? factor[t] + 1 : 0;
    }
    operator_data q = {
        .f = (agn_fn *)(uintptr_t)f, .op = "operator", .argnum = argnum, .d = d, .n_poly = n_poly};
    st = w && of ? make_operator(out, run_operator, q, 2, alpha, n, w, of)
                 : agni_nomem("fn_operator", (size_t)n * sizeof *w);
    agni_free(w);
    agni_free(of);
    return st;
}

agn_status agn_fn_partials(agn_fn **out, const agn_fn *f, int32_t argnum, const int32_t *alpha,
                           int32_t n, int32_t d)
{
    agn_status st = agni_check_argnum("fn_partials", out, f, argnum);
    st = st ? st : check_orders("fn_partials", alpha, d, n);
    if (st)
        return st;
    size_t room = (size_t)n * (size_t)d + 1;
    operator_data q = {.f = (agn_fn *)(uintptr_t)f,
                       .op = "partials",
                       .argnum = argnum,
                       .d = d,
                       .n = n,
                       .alpha = agni_alloc(room * sizeof *q.alpha)};
    double *w = agni_alloc((size_t)(n + 1) * sizeof *w);
    int32_t *mixed = agni_alloc(room * sizeof *mixed),
            *of = agni_alloc((size_t)(n + 1) * sizeof *of);
    if (!q.alpha || !w || !mixed || !of)
        st = agni_nomem("fn_partials", room * sizeof *mixed);
    for (int t = 0; !st && t < n; t++) {
        memcpy(q.alpha + t * d, alpha + t * d, (size_t)d * sizeof *alpha);
        if (pure_column(alpha + t * d, d) != -1)
            continue;
        memcpy(mixed + q.n_poly * d, alpha + t * d, (size_t)d * sizeof *alpha);
        w[q.n_poly] = 1;
        of[q.n_poly] = q.n_poly;
        q.n_poly++;
    }
    st = st ? st : make_operator(out, run_partials, q, 1 + n, mixed, q.n_poly, w, of);
    if (st)
        agni_free(q.alpha);
    agni_free(w);
    agni_free(mixed);
    agni_free(of);
    return st;
}
