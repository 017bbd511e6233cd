/* optim/traced_step.c - steps as functions: value, gradient and update are one program, so that
   a plan runs them in one call and a loop over steps is a program, too. The parameters are one
   vector: gradients are written in place into their slices, and the update is one loop. */
#include "optim/optim.h"

#include "core/memory/scope.h"
#include "tensor/dispatch/op_helpers.h"
#include <agnesi/ag.h>
#include <agnesi/linalg.h>
#include <string.h>

/* ---- a vector of parameters -------------------------------------------------------------- */

static agn_status check_params(const char *op, const agn_tensor *const *params,
                               int32_t n)
{
    if (n < 1)
        return agni_fail(AGN_EARG, "%s: there are %d parameters; at least 1 is needed",
                         op, n);
    for (int i = 0; i < n; i++)
        if (!params[i])
            return agni_fail(AGN_ENULL, "%s: parameter %d of %d is NULL", op, i, n);
    for (int i = 0; i < n; i++)
        if (params[i]->dtype != params[0]->dtype ||
            !(AGNI_FLOATS >> params[i]->dtype & 1))
            return agni_fail(
                AGN_EDTYPE,
                "%s: parameter %d is %s, parameter 0 %s; all must be f32 or all f64",
                op, i, agni_dtypes[params[i]->dtype].name,
                agni_dtypes[params[0]->dtype].name);
    return AGN_OK;
}

static const agn_tensor *concat_params(agn_scope *s, const agn_tensor *const *part, int32_t n)
{
    const agn_tensor **row = agni_alloc((size_t)n * sizeof *row), *x = NULL;
    if (!row)
        agn_scope_fail(s, agni_nomem("optim", (size_t)n * sizeof *row));
    for (int i = 0; row && i < n; i++)
        row[i] = ag_reshape(s, part[i], 1, (int64_t[]){part[i] ? part[i]->size : 0});
    if (row)
        x = ag_concat(s, row, n, 0);
    agni_free(row);
    return x;
}

/* the slice of x from *at on with the shape of a parameter */
static const agn_tensor *slice_param(agn_scope *s, const agn_tensor *x, const agn_tensor *like,
                                     int64_t *at)
{
    int64_t from = *at, to = *at += like->size;
    return ag_reshape(s, ag_slice(s, x, 1, &from, &to, NULL), like->ndim, like->shape);
}

agn_status agn_optim_pack(agn_tensor **out, const agn_tensor *const *params, int32_t n)
{
    if (!out || !params)
        return agni_fail(AGN_ENULL, "optim_pack: %s is NULL", out ? "params" : "out");
    agn_status st = check_params("optim_pack", params, n);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    agn_scope_return(s, out, concat_params(s, params, n));
    return agn_scope_close(s);
}

agn_status agn_optim_unpack(agn_tensor *out[], const agn_tensor *x,
                            const agn_tensor *const *like, int32_t n)
{
    if (!out || !x || !like)
        return agni_fail(AGN_ENULL, "optim_unpack: %s is NULL",
                         !out ? "out"
                         : !x ? "x"
                              : "like");
    agn_status st = check_params("optim_unpack", like, n);
    int64_t size = 0, at = 0;
    for (int i = 0; !st && i < n; i++)
        size += like[i]->size;
    if (!st && (x->ndim != 1 || x->size != size))
        st = agni_fail(AGN_ESHAPE,
                       "optim_unpack: x is %s, the parameters have %lld numbers",
                       AGNI_SHAPE(x), (long long)size);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    for (int i = 0; i < n; i++)
        agn_scope_return(s, out + i, slice_param(s, x, like[i], &at));
    return agn_scope_close(s);
}

/* ---- an objective of a vector --------------------------------------------------------------- */

typedef struct program {
    agn_fn *objective;
    agn_optim_options opt;
    int32_t n;
    agn_tensor **like; /* descriptions of the parameters */
    int64_t size;      /* numbers in all of them */
} program;

static void destroy_program(void *data)
{
    program *p = data;
    for (int i = 0; p->like && i < p->n; i++)
        agn_release(p->like[i]);
    agni_free(p->like);
    agn_fn_release(p->objective);
    agni_free(p);
}

/* value and gradient [size] at x, with constants after it */
static bool trace_objective(const program *p, agn_scope *s, const agn_tensor *x,
                            const agn_tensor *const *constants, const agn_tensor **value,
                            const agn_tensor **gradient)
{
    const agn_fn *f = p->objective;
    const agn_tensor **in = agni_alloc((size_t)f->n_in * sizeof *in),
                     **out = agni_alloc((size_t)f->n_out * sizeof *out);
    int64_t at = 0;
    if (!in || !out)
        agn_scope_fail(s, agni_nomem("optim", (size_t)f->n_in * sizeof *in));
    for (int i = 0; in && i < f->n_in; i++)
        in[i] = i < p->n ? slice_param(s, x, p->like[i], &at) : constants[i - p->n];
    if (!agn_scope_status(s) && !agn_fn_apply(s, out, agn_fn_n_out(f), f, in, agn_fn_n_in(f))) {
        *value = out[0];
        *gradient = concat_params(s, out + f->n_out - p->n, p->n);
    }
    agni_free(in);
    agni_free(out);
    return !agn_scope_status(s);
}

static agn_status check_vector(const program *p, const char *op, const char *what,
                               const agn_tensor *x, int ndim)
{
    int dtype = p->like[0]->dtype;
    if (x->dtype != dtype)
        return agni_fail(AGN_EDTYPE, "%s: %s is %s, the parameters are %s", op, what,
                         agni_dtypes[x->dtype].name, agni_dtypes[dtype].name);
    if (x->ndim != ndim || x->shape[ndim - 1] != p->size)
        return agni_fail(AGN_ESHAPE, "%s: %s is %s, the parameters have %lld numbers",
                         op, what, AGNI_SHAPE(x), (long long)p->size);
    return AGN_OK;
}

static agn_status make_step_fn(agn_fn **out, const char *op, agni_fn_run *run, int lead,
                               int results, const agn_fn *objective,
                               const agn_tensor *const *params, int32_t n,
                               const agn_optim_options *opts)
{
    static const agn_optim_options none = {.size = sizeof none};
    if (!out || !objective || !params)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op,
                         !out         ? "out"
                         : !objective ? "objective"
                                      : "params");
    if (agni_check_size(op, agn_optim_options, opts))
        return AGN_EARG;
    agn_optim_options a = opts ? *opts : none;
    agn_status st = agni_optim_fill_options(op, &a);
    st = st ? st : check_params(op, params, n);
    if (!st && (objective->n_in < n || objective->n_out < n + 1))
        st = agni_fail(
            AGN_EARG,
            "%s: an objective of %d arguments and %d results does not fit %d "
            "parameters",
            op, objective->n_in, objective->n_out, n);
    program *p = st ? NULL : agni_zalloc(sizeof *p);
    if (!p)
        return st ? st : agni_nomem(op, sizeof *p);
    *p = (program){.objective = agn_fn_retain(objective), .opt = a, .n = n};
    p->opt.inverse_hessian = NULL;
    if (!(p->like = agni_zalloc((size_t)n * sizeof *p->like)))
        st = agni_nomem(op, (size_t)n * sizeof *p->like);
    for (int i = 0; !st && i < n; i++) {
        p->like[i] = agni_tensor_header(params[i]->dtype, params[i]->ndim,
                                        params[i]->shape);
        st = p->like[i] ? AGN_OK : agni_nomem(op, sizeof **p->like);
        p->size += params[i]->size;
    }
    if (!st)
        st = agni_fn_make(out, run, lead + objective->n_in - n, results, p, destroy_program);
    if (st)
        destroy_program(p);
    return st;
}

/* ---- Adam (adam.c has the formulas) --------------------------------------------------------- */

enum { X, MEAN, SQUARE, COUNT, VALUE };

/* 1 - beta^count, in the parameters' dtype */
static const agn_tensor *bias_correction(agn_scope *s, double beta, const agn_tensor *count,
                                         int dtype)
{
    const agn_tensor *power = ag_pow(s, ag_full(s, AGN_F64, 0, NULL, beta), count);
    return ag_cast(s, ag_sub(s, ag_full(s, AGN_F64, 0, NULL, 1), power), dtype);
}

/* a b + (1 - b) c */
static const agn_tensor *moving_average(agn_scope *s, const agn_tensor *a, double b,
                                        const agn_tensor *c)
{
    return ag_add(s, ag_mul_c(s, a, b), ag_mul_c(s, c, 1 - b));
}

/* the count of steps, alone or with the rate */
static agn_status check_count(const agn_tensor *count)
{
    bool fits = !count->ndim || (count->ndim == 1 && count->shape[0] == 2);
    if (count->dtype == AGN_F64 && fits)
        return AGN_OK;
    return agni_fail(fits ? AGN_EDTYPE : AGN_ESHAPE,
                     "adam: the count is %s %s, f64 [] is needed, or f64 [2] with the rate",
                     agni_dtypes[count->dtype].name, AGNI_SHAPE(count));
}
static const agn_tensor *pick(agn_scope *s, const agn_tensor *x, int64_t i)
{
    int64_t end = i + 1;
    return ag_reshape(s, ag_slice(s, x, 1, &i, &end, NULL), 0, NULL);
}

static agn_status run_adam(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    static const char *const names[] = {"x", "mean", "square"};
    const program *p = f->data;
    const agn_optim_options *a = &p->opt;
    agn_status st = AGN_OK;
    for (int i = X; !st && i <= SQUARE; i++)
        st = check_vector(p, "adam", names[i], in[i], 1);
    st = st ? st : check_count(in[COUNT]);
    bool rated = !st && in[COUNT]->ndim;
    const agn_tensor *g = NULL, *count = NULL;
    int dtype = p->like[0]->dtype;
    if (st || !trace_objective(p, s, in[X], in + COUNT + 1, &out[VALUE], &g))
        return st ? st : agn_scope_status(s);
    count = ag_add(s, rated ? pick(s, in[COUNT], 0) : in[COUNT], ag_full(s, AGN_F64, 0, NULL, 1));
    out[COUNT] = count;
    out[MEAN] = moving_average(s, in[MEAN], a->beta1, g);
    out[SQUARE] = moving_average(s, in[SQUARE], a->beta2, ag_square(s, g));
    const agn_tensor *c1 = bias_correction(s, a->beta1, count, dtype),
                     *c2 = bias_correction(s, a->beta2, count, dtype);
    const agn_tensor *size = ag_add_c(s, ag_sqrt(s, ag_div(s, out[SQUARE], c2)),
                                      a->eps);
    const agn_tensor *move = ag_div(s, ag_div(s, out[MEAN], c1), size);
    if (a->weight_decay != 0)
        move = ag_add(s, move, ag_mul_c(s, in[X], a->weight_decay));
    if (!rated) {
        out[X] = ag_sub(s, in[X], ag_mul_c(s, move, a->rate));
        return agn_scope_status(s);
    }
    const agn_tensor *rate = pick(s, in[COUNT], 1);
    const agn_tensor *both[] = {ag_reshape(s, count, 1, (int64_t[]){1}),
                                ag_reshape(s, rate, 1, (int64_t[]){1})};
    out[COUNT] = ag_concat(s, both, 2, 0);
    out[X] = ag_sub(s, in[X], ag_mul(s, ag_cast(s, rate, dtype), move));
    return agn_scope_status(s);
}

agn_status agn_fn_adam(agn_fn **out, const agn_fn *objective,
                       const agn_tensor *const *params, int32_t n,
                       const agn_optim_options *opts)
{
    return make_step_fn(out, "fn_adam", run_adam, COUNT + 1, VALUE + 1, objective, params, n, opts);
}

/* ---- L-BFGS --------------------------------------------------------------------------------- */

/* -H g by the compact form (Byrd, Nocedal & Schnabel 1994, theorem 2.2), with c = s'y / y'y of the
   last pair; pairs are rows, the oldest first. A zero pair has no effect: its row and column of R
   are those of the identity. */
static const agn_tensor *compact_direction(agn_scope *s, const agn_tensor *S, const agn_tensor *Y,
                                           const agn_tensor *g)
{
    int64_t m = S->shape[0], last = m - 1, end = m;
    const agn_tensor *Yt = ag_transpose(s, Y), *St = ag_transpose(s, S);
    const agn_tensor *SY = ag_matmul(s, S, Yt), *D = ag_diagonal(s, SY, 0, -2, -1);
    const agn_tensor *zero = ag_mul_c(s, D, 0), *one = ag_add_c(s, zero, 1);
    const agn_tensor *empty = ag_eq(s, D, zero), *mended = ag_where(s, empty, one, D);
    const agn_tensor *eye = ag_cast(s, ag_eye(s, AGN_F64, m, m, 0), S->dtype);
    const agn_tensor *R = ag_add(s, ag_triu(s, SY, 1), ag_mul(s, eye, mended));
    const agn_tensor *y = ag_slice(s, Y, 1, &last, &end, NULL); /* [1, n] */
    const agn_tensor *sy = ag_slice(s, D, 1, &last, &end, NULL);
    const agn_tensor *yy = ag_reshape(s, ag_matmul(s, y, ag_transpose(s, y)), 1,
                                      (int64_t[]){1});
    const agn_tensor *fresh = ag_eq(s, yy, ag_mul_c(s, yy, 0)),
                     *unit = ag_add_c(s, ag_mul_c(s, yy, 0), 1);
    const agn_tensor *c = ag_where(s, fresh, unit,
                                   ag_div(s, sy, ag_where(s, fresh, unit, yy)));
    const agn_tensor *col = ag_reshape(s, g, 2, (int64_t[]){g->size, 1});
    const agn_tensor *w = ag_linalg_triangular_solve(s, R, ag_matmul(s, S, col), true);
    const agn_tensor *inner = ag_add(
        s, ag_mul(s, ag_reshape(s, D, 2, (int64_t[]){m, 1}), w),
        ag_mul(s, c,
               ag_sub(s, ag_matmul(s, ag_matmul(s, Y, Yt), w), ag_matmul(s, Y, col))));
    const agn_tensor *u = ag_linalg_triangular_solve(s, ag_transpose(s, R), inner,
                                                     false);
    const agn_tensor *h = ag_add(s, ag_mul(s, c, ag_sub(s, col, ag_matmul(s, Yt, w))),
                                 ag_matmul(s, St, u));
    return ag_reshape(s, ag_neg(s, h), 1, (int64_t[]){g->size});
}

static agn_status run_lbfgs(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                            const agn_tensor **out)
{
    const program *p = f->data;
    agn_status st = check_vector(p, "lbfgs", "x", in[0], 1);
    st = st ? st : check_vector(p, "lbfgs", "the steps", in[1], 2);
    st = st ? st : check_vector(p, "lbfgs", "the changes of the gradient", in[2], 2);
    if (!st && (in[1]->shape[0] < 1 || in[1]->shape[0] != in[2]->shape[0]))
        st = agni_fail(AGN_ESHAPE,
                       "lbfgs: the steps are %s, the changes of the gradient %s",
                       AGNI_SHAPE(in[1]), AGNI_SHAPE(in[2]));
    if (st || !trace_objective(p, s, in[0], in + 3, &out[0], &out[1]))
        return st ? st : agn_scope_status(s);
    out[2] = compact_direction(s, in[1], in[2], out[1]);
    return agn_scope_status(s);
}

agn_status agn_fn_lbfgs(agn_fn **out, const agn_fn *objective,
                        const agn_tensor *const *params, int32_t n)
{
    return make_step_fn(out, "fn_lbfgs", run_lbfgs, 3, 3, objective, params, n, NULL);
}
