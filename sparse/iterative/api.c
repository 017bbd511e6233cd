/* sparse/iterative/api.c - agn_krylov_solve: an iterative solve with a matrix as a differentiable
   equation. Least squares are the system of twice the size
     [1 A; A^H -damp^2] [r; x] = [b; 0],
   which is square, self-adjoint, and smooth in A; where A is wide, A^H takes the place of A and r
   is the solution of least norm. */
#include "sparse/iterative/iterative.h"
#include "tensor/dispatch/host_run.h"

#include <agnesi/ag.h>
#include <agnesi/implicit.h>
#include <agnesi/sparse_iterative.h>
#include <agnesi/sparse_layout.h>
#include <string.h>

static const char op[] = "krylov_solve";

static void matrix_destroy(agni_obj *o)
{
    agni_iteration *q = (agni_iteration *)o;
    agni_kept_precondition_free(atomic_load(&q->spare));
    agni_linear_operator_release(&q->a);
    agn_fn_release(q->m);
    agn_fn_release(q->m_back);
    agni_free(q);
}
static const agni_obj_type matrix_type = {.name = "matrix", .destroy = matrix_destroy};

/* ---- the equation ---------------------------------------------------------------------------- */

static agn_status body_square(void *user, agn_scope *s, const agn_tensor *const *in,
                              const agn_tensor **out)
{
    out[0] = agni_linear_operator_apply(s, &((const agni_iteration *)user)->a, false, in[1], in[0]);
    return agn_scope_status(s);
}

static agn_status body_least(void *user, agn_scope *s, const agn_tensor *const *in,
                             const agn_tensor **out)
{
    const agni_iteration *q = user;
    double d2 = q->o.damp * q->o.damp;
    out[0] = ag_add(s, in[0], agni_linear_operator_apply(s, &q->a, q->wide, in[2], in[1]));
    out[1] = agni_linear_operator_apply(s, &q->a, !q->wide, in[2], in[0]);
    if (d2 > 0)
        out[1] = ag_sub(s, out[1], ag_mul_c(s, in[1], d2));
    return agn_scope_status(s);
}

/* ---- made for a matrix ----------------------------------------------------------------------- */

static void free_solver(void *data)
{
    agni_iteration_side *q = data;
    agni_obj_release(&q->q->head);
    agni_free(q);
}

static agn_status solver_new(agn_fn **out, agni_iteration *q, bool adjoint)
{
    agni_iteration_side *f = agni_zalloc(sizeof *f);
    if (!f)
        return agni_nomem(op, sizeof *f);
    *f = (agni_iteration_side){(agni_iteration *)agni_obj_retain(&q->head), adjoint};
    int n = 1 + q->least;
    agn_status st = agni_fn_make(out, agni_iteration_run, n + 1 + q->guess, n, f, free_solver);
    if (st)
        free_solver(f);
    return st;
}

static void release_matrix(void *q)
{
    agni_obj_release(q);
}

/* b, values and the guess to x */
static agn_status solve_fn(agn_fn **out, agni_iteration *q)
{
    agn_fn *a = NULL, *solve = NULL, *adjoint = NULL;
    int n = 1 + q->least;
    agni_obj_retain(&q->head);
    agn_status st = agn_fn_new(&a, q->least ? body_least : body_square, q, release_matrix,
                               n + 1 + q->guess, n);
    if (st)
        agni_obj_release(&q->head);
    if (!st)
        st = solver_new(&solve, q, false);
    if (!st && !q->least)
        st = solver_new(&adjoint, q, true);
    if (!st)
        st = agn_fn_linear_solve(out, a, n, solve, q->least ? solve : adjoint);
    agn_fn_release(a);
    agn_fn_release(solve);
    agn_fn_release(adjoint);
    return st;
}

/* ---- the public function --------------------------------------------------------------------- */

static agn_status matrix_new(agni_iteration **out, const agn_tensor *a, bool guess,
                             const agn_krylov_options *opts, int dtype)
{
    agn_krylov_options filled;
    int64_t rows = a->shape[a->ndim - 2], cols = a->shape[a->ndim - 1];
    agn_status st = agni_krylov_defaults(op, &filled, opts, dtype, cols);
    if (st)
        return st;
    const agn_fn *const m[2] = {filled.preconditioner, filled.preconditioner_adjoint};
    for (int i = 0; i < 2; i++)
        if (m[i] && (m[i]->n_in != 1 || m[i]->n_out != 1))
            return agni_fail(AGN_EARG,
                             "%s: a preconditioner has %d arguments and %d results, not 1 and 1",
                             op, m[i]->n_in, m[i]->n_out);
    bool least = filled.method >= AGN_KRYLOV_LSQR;
    if (!least && rows != cols)
        return agni_fail(AGN_ESHAPE, "%s: a is %s; but for lsqr and lsmr a square one is needed, "
                                     "not %lld rows",
                         op, AGNI_SHAPE(a), (long long)rows);
    agni_iteration *q = agni_zalloc(sizeof *q);
    if (!q)
        return agni_nomem(op, sizeof *q);
    agni_ref_init(&q->head.ref);
    q->head.type = &matrix_type;
    q->a = agni_linear_operator_of(a);
    q->least = least;
    q->wide = least && rows < cols && !(filled.damp > 0);
    q->guess = guess;
    q->o = opts ? *opts : (agn_krylov_options){.size = sizeof *opts};
    q->m = agn_fn_retain(m[0]);
    q->m_back = agn_fn_retain(m[1]);
    atomic_init(&q->spare, NULL);
    *out = q;
    return AGN_OK;
}

static const agn_tensor *broadcast_columns(agn_scope *s, const agn_tensor *x, bool vector,
                                           int dtype, const agni_meta *batch, int64_t rows,
                                           int64_t k)
{
    int64_t shape[AGNI_MAX_RANK + 2];
    const agn_tensor *y = vector ? agni_reshape(s, x, x->ndim + 1,
                                                (memcpy(shape, x->shape,
                                                        (size_t)x->ndim * sizeof *shape),
                                                 shape[x->ndim] = 1, shape))
                                 : x;
    y = y && y->dtype != dtype ? agni_cast(s, y, dtype) : y;
    memcpy(shape, batch->shape, (size_t)batch->ndim * sizeof *shape);
    shape[batch->ndim] = rows;
    shape[batch->ndim + 1] = k;
    return y ? agni_broadcast(s, y, batch->ndim + 2, shape) : NULL;
}

static agn_status check_arguments(const agn_tensor *a, const agn_tensor *b, const agn_tensor *guess,
                                  agni_meta *batch, int *dtype)
{
    agn_status st = agni_require_dense(b, op);
    if (!st && guess)
        st = agni_require_dense(guess, op);
    if (st)
        return st;
    if (a->ndim < 2)
        return agni_fail(AGN_ESHAPE, "%s: a is %s with %d axes, two are needed", op, AGNI_SHAPE(a),
                         a->ndim);
    int64_t rows = a->shape[a->ndim - 2], cols = a->shape[a->ndim - 1];
    bool vector = b->ndim == 1;
    if (b->ndim == 0 || b->shape[vector ? 0 : b->ndim - 2] != rows)
        return agni_fail(AGN_ESHAPE, "%s: rows differ: a is %s, b is %s", op, AGNI_SHAPE(a),
                         AGNI_SHAPE(b));
    *dtype = agni_promote(agni_promote(a->dtype, b->dtype), AGN_F32);
    batch->ndim = a->ndim - 2;
    memcpy(batch->shape, a->shape, (size_t)batch->ndim * sizeof *batch->shape);
    if (!vector && !agni_broadcast_into(batch, b->ndim - 2, b->shape))
        return agni_fail(AGN_ESHAPE, "%s: batches do not broadcast: a is %s, b is %s", op,
                         AGNI_SHAPE(a), AGNI_SHAPE(b));
    if (batch->ndim + 2 > AGNI_MAX_RANK)
        return agni_fail(AGN_ESHAPE, "%s: the result has rank %d, above %d", op, batch->ndim + 2,
                         AGN_MAX_RANK);
    int tail = vector ? 1 : 2;
    bool fits = !guess || guess->ndim == batch->ndim + tail;
    for (int d = 0; guess && fits && d < batch->ndim; d++)
        fits = guess->shape[d] == batch->shape[d];
    if (guess && fits)
        fits = guess->shape[batch->ndim] == cols &&
               (vector || guess->shape[batch->ndim + 1] == b->shape[b->ndim - 1]);
    if (!fits)
        return agni_fail(AGN_ESHAPE, "%s: the guess is %s; of a %s and b %s it does not fit", op,
                         AGNI_SHAPE(guess), AGNI_SHAPE(a), AGNI_SHAPE(b));
    if (guess && agni_promote(guess->dtype, *dtype) != *dtype)
        return agni_fail(AGN_EDTYPE, "%s: the guess is %s, the solution %s", op,
                         agni_dtypes[guess->dtype].name, agni_dtypes[*dtype].name);
    return AGN_OK;
}

/* Are all of them on one device whose vectors the methods take? Preconditioners of this library
   are the host's. */
static bool stays_on_device(const agn_tensor *a, const agn_tensor *b, const agn_tensor *guess,
                            const agn_krylov_options *o)
{
    const agn_tensor *v = a && a->ndim > 1 ? agni_linear_operator_values(a) : NULL;
    if (!v || !b || !v->st || !b->st || (guess && !guess->st) || (o && o->size < sizeof *o))
        return false;
    int32_t device = v->st->device;
    int dtype = agni_promote(agni_promote(a->dtype, b->dtype), AGN_F32);
    return (!o || !o->precondition) && b->st->device == device &&
           (!guess || guess->st->device == device) && agni_krylov_device(device, dtype) != AGN_CPU;
}

agn_status agn_krylov_solve(agn_tensor **out, agn_krylov_info *info, const agn_tensor *a,
                            const agn_tensor *b, const agn_tensor *guess,
                            const agn_krylov_options *opts)
{
    agni_host_call h;
    if (!stays_on_device(a, b, guess, opts) &&
        agni_host_call_begin(&h, "krylov_solve", 3, (const agn_tensor *[]){a, b, guess})) {
        agn_status st = h.st ? h.st : agn_krylov_solve(out ? &h.y[0] : NULL, info, h.in[0], h.in[1],
                                                       h.in[2], opts);
        return agni_host_call_end(&h, st, 1, (agn_tensor * *[]){out});
    }
    AGNI_NEED(op, out);
    AGNI_NEED(op, a);
    AGNI_NEED(op, b);
    AGNI_BY_ROWS(op, a, agn_krylov_solve(out, info, a, b, guess, opts));
    agni_meta batch;
    int dtype = AGN_F64;
    agni_iteration *q = NULL;
    agn_fn *f = NULL;
    agn_krylov_info told = {.size = sizeof told};
    if (agni_check_size(op, agn_krylov_info, info))
        return AGN_EARG;
    agn_status st = check_arguments(a, b, guess, &batch, &dtype);
    if (!st)
        st = matrix_new(&q, a, guess != NULL, opts, dtype);
    if (!st)
        st = solve_fn(&f, q);
    if (st) {
        if (q)
            agni_obj_release(&q->head);
        return st;
    }
    bool vector = b->ndim == 1;
    int64_t k = vector ? 1 : b->shape[b->ndim - 1];
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *in[4], *y[2] = {NULL, NULL}, *x = NULL;
    const agn_tensor *B = broadcast_columns(s, b, vector, dtype, &batch, q->a.rows, k);
    int n = 1 + q->least;
    in[q->wide] = B;
    if (q->least) {
        agn_tensor *zero = NULL;
        st = agn_full(&zero, dtype, 0, NULL, 0);
        x = agni_adopt_constant(s, st, zero);
        int64_t shape[AGNI_MAX_RANK];
        memcpy(shape, batch.shape, (size_t)batch.ndim * sizeof *shape);
        shape[batch.ndim] = q->a.cols;
        shape[batch.ndim + 1] = k;
        in[!q->wide] = x ? agni_broadcast(s, x, batch.ndim + 2, shape) : NULL;
    }
    const agn_tensor *v = agni_linear_operator_values(a);
    in[n] = v->dtype == dtype ? v : agni_cast(s, v, dtype);
    if (guess) {
        const agn_tensor *g = broadcast_columns(s, guess, vector, dtype, &batch, q->a.cols, k);
        in[n + 1] = g ? agni_apply_in(s, &agni_op_stop_gradient, NULL, 1, &g) : NULL;
    }
    told.method = q->o.method;
    q->report = &told;
    if (!agn_scope_status(s))
        agni_fn_run_in(f, s, in, y);
    q->report = NULL;
    x = agn_scope_status(s) ? NULL : y[q->least && !q->wide];
    if (x && vector)
        x = agni_reshape(s, x, x->ndim - 1, x->shape);
    agn_scope_return(s, out, x);
    st = agn_scope_close(s);
    if (info)
        *info = told;
    agn_fn_release(f);
    agni_obj_release(&q->head);
    return st;
}
