/* optim/traced_step.c - steps as functions: value, gradient and update are one program, so that
   a plan runs them in one call and a loop over steps is a program, too. The parameters are one
   vector: gradients are written in place into their slices, and the update is one loop. */
#include "optim/traced_step.h"

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

const agn_tensor *agni_optim_concat(agn_scope *s, const agn_tensor *const *part, int32_t n)
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
const agn_tensor *agni_optim_slice(agn_scope *s, const agn_tensor *x, const agn_tensor *like,
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
    agn_scope_return(s, out, agni_optim_concat(s, params, n));
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
        agn_scope_return(s, out + i, agni_optim_slice(s, x, like[i], &at));
    return agn_scope_close(s);
}

/* ---- an objective of a vector --------------------------------------------------------------- */

static void destroy_program(void *data)
{
    agni_optim_program *p = data;
    for (int i = 0; p->like && i < p->n; i++)
        agn_release(p->like[i]);
    agni_free(p->like);
    agni_free(p->factors);
    agn_fn_release(p->objective);
    agni_free(p);
}

bool agni_optim_trace_objective(const agni_optim_program *p, agn_scope *s, const agn_tensor *x,
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
        in[i] = i < p->n ? agni_optim_slice(s, x, p->like[i], &at) : constants[i - p->n];
    if (!agn_scope_status(s) && !agn_fn_apply(s, out, agn_fn_n_out(f), f, in, agn_fn_n_in(f))) {
        *value = out[0];
        *gradient = agni_optim_concat(s, out + f->n_out - p->n, p->n);
    }
    agni_free(in);
    agni_free(out);
    return !agn_scope_status(s);
}

agn_status agni_optim_check_vector(const agni_optim_program *p, const char *op, const char *what,
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

agn_status agni_optim_make_step_fn(agn_fn **out, const char *op, agni_fn_run *run, int32_t kind,
                                   int lead, int results, const agn_fn *objective,
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
    agn_status st = check_params(op, params, n);
    st = st ? st : agni_optim_fill_options(op, kind, n, &a);
    if (!st && (objective->n_in < n || objective->n_out < n + 1))
        st = agni_fail(
            AGN_EARG,
            "%s: an objective of %d arguments and %d results does not fit %d "
            "parameters",
            op, objective->n_in, objective->n_out, n);
    agni_optim_program *p = st ? NULL : agni_zalloc(sizeof *p);
    if (!p)
        return st ? st : agni_nomem(op, sizeof *p);
    *p = (agni_optim_program){.objective = agn_fn_retain(objective), .opt = a, .kind = kind, .n = n};
    p->opt.inverse_hessian = NULL;
    p->opt.rate_factors = p->opt.decay_factors = NULL;
    p->like = agni_zalloc((size_t)n * sizeof *p->like);
    p->factors = agni_alloc(2 * (size_t)n * sizeof *p->factors);
    if (!p->like || !p->factors)
        st = agni_nomem(op, (size_t)n * sizeof *p->like);
    p->own_rates = a.rate_factors != NULL;
    p->own_decays = a.decay_factors != NULL;
    for (int i = 0; !st && i < n; i++) {
        p->factors[i] = a.rate_factors ? a.rate_factors[i] : 1;
        p->factors[n + i] = a.decay_factors ? a.decay_factors[i] : 1;
    }
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
    const agni_optim_program *p = f->data;
    agn_status st = agni_optim_check_vector(p, "lbfgs", "x", in[0], 1);
    st = st ? st : agni_optim_check_vector(p, "lbfgs", "the steps", in[1], 2);
    st = st ? st : agni_optim_check_vector(p, "lbfgs", "the changes of the gradient", in[2], 2);
    if (!st && (in[1]->shape[0] < 1 || in[1]->shape[0] != in[2]->shape[0]))
        st = agni_fail(AGN_ESHAPE,
                       "lbfgs: the steps are %s, the changes of the gradient %s",
                       AGNI_SHAPE(in[1]), AGNI_SHAPE(in[2]));
    if (st || !agni_optim_trace_objective(p, s, in[0], in + 3, &out[0], &out[1]))
        return st ? st : agn_scope_status(s);
    out[2] = compact_direction(s, in[1], in[2], out[1]);
    return agn_scope_status(s);
}

agn_status agn_fn_lbfgs(agn_fn **out, const agn_fn *objective,
                        const agn_tensor *const *params, int32_t n)
{
    return agni_optim_make_step_fn(out, "fn_lbfgs", run_lbfgs, AGN_OPTIM_LBFGS, 3, 3, objective, params,
                                   n, NULL);
}
