/* implicit_solver.c - Krylov solvers of linear_solve and root: the operator is a function,
   compiled and called into given memory. */
#include "krylov/implicit_solver.h"

#include "krylov/krylov.h"

#include <string.h>

enum { NO_GUESS = -1 };

typedef struct krylov_solver {
    agni_split_operator a, back; /* compiled: x, p to A x and its adjoint */
    agn_krylov_options o;
    agn_fn *m, *m_back; /* of r and the first n_p of p */
    int n, n_p, guess;  /* unknowns; which argument is the guess */
    bool adjoint;
} krylov_solver;

static void free_solver(void *data)
{
    krylov_solver *q = data;
    agni_split_operator_free(&q->a);
    agni_split_operator_free(&q->back);
    agn_fn_release(q->m);
    agn_fn_release(q->m_back);
    agni_free(q);
}

/* ---- functions as maps ----------------------------------------------------------------------- */

/* One call of a solver. */
typedef struct solver_call {
    const krylov_solver *q;
    agn_tensor *const *in; /* b, p: values without nodes */
    const agn_fn *a;        /* what is left of the operator, for each product, */
    const agn_tensor **arg; /* and its arguments: room for x, then p and what is held */
    int32_t device;         /* of the vectors */
} solver_call;

/* unknowns like those of the call over the memory at x, one after the other */
static agn_status view_unknowns(const solver_call *c, const void *x, bool readonly, agn_tensor **t)
{
    char *at = (char *)(uintptr_t)x;
    agn_status st = AGN_OK;
    for (int i = 0; !st && i < c->q->n; i++) {
        const agn_tensor *like = c->in[i];
        st = agni_tensor_wrap(&t[i], "krylov_solve", like->dtype, like->ndim, like->shape, NULL,
                              &(agni_memory){c->device, at, readonly, NULL, NULL});
        at += (size_t)like->size * agn_dtype_size(like->dtype);
    }
    return st;
}

static void release_tensors(agn_tensor **t, int n)
{
    for (int i = 0; i < n; i++)
        agn_release(t[i]);
}

static agn_status apply_operator(void *user, bool adjoint, const void *x, void *y)
{
    const solver_call *c = user;
    const krylov_solver *q = c->q;
    (void)adjoint; /* as the solver: no method for functions asks for the other */
    agn_tensor *to[AGNI_MOST_ARGS] = {NULL}, *from[AGNI_MOST_ARGS] = {NULL};
    agn_status st = view_unknowns(c, x, true, from);
    if (!st)
        st = view_unknowns(c, y, false, to);
    memcpy(c->arg, from, (size_t)q->n * sizeof *from);
    if (!st)
        st = agn_fn_call_into(to, agn_fn_n_out(c->a), c->a, c->arg, agn_fn_n_in(c->a));
    release_tensors(from, q->n);
    release_tensors(to, q->n);
    return st;
}

/* by the user's function, which may do as it likes: called, its results copied */
static agn_status apply_preconditioner(void *user, bool adjoint, const void *x, void *y)
{
    const solver_call *c = user;
    const krylov_solver *q = c->q;
    agn_tensor *from[AGNI_MOST_ARGS] = {NULL}, *z[AGNI_MOST_ARGS] = {NULL};
    const agn_tensor *in[AGNI_MOST_ARGS];
    agn_status st = view_unknowns(c, x, true, from);
    memcpy(in, from, (size_t)q->n * sizeof *in);
    for (int i = 0; i < q->n_p; i++)
        in[q->n + i] = c->in[q->n + i];
    if (!st)
        st = agn_fn_call(z, agn_fn_n_out(adjoint && q->m_back ? q->m_back : q->m),
                         adjoint && q->m_back ? q->m_back : q->m, in,
                         agn_fn_n_in(adjoint && q->m_back ? q->m_back : q->m));
    if (!st)
        st = agni_check_alike("krylov_solve", "the preconditioner's result", q->n,
                              (const agn_tensor *const *)z, in);
    if (!st)
        st = agni_krylov_store(c->device, y, q->n, z);
    release_tensors(from, q->n);
    release_tensors(z, q->n);
    return st;
}

/* ---- a call ---------------------------------------------------------------------------------- */

agn_status agni_krylov_plain_values(int n, const agn_tensor *const *in, agn_tensor **out)
{
    agn_status st = AGN_OK;
    for (int i = 0; !st && i < n; i++) {
        agn_tensor *alias = NULL;
        if (!in[i]->st || in[i]->stale)
            st = agni_require_host(in[i], "krylov_solve");
        else if (!(alias = agni_tensor_alias(in[i])))
            st = agni_nomem("krylov_solve", sizeof *alias);
        else if (agni_is_contiguous(alias))
            out[i] = agn_retain(alias);
        else
            st = agn_copy(&out[i], alias);
        agn_release(alias);
    }
    return st;
}

agn_status agni_krylov_host_values(const char *op, int n, const agn_tensor *const *in,
                                   agn_tensor **out)
{
    agn_status st = AGN_OK;
    for (int i = 0; !st && i < n; i++)
        st = agni_require_host(in[i], op);
    return st ? st : agni_krylov_plain_values(n, in, out);
}

static agn_status solve_values(const krylov_solver *q, agn_tensor *const *in, int n_in,
                               agn_tensor **x)
{
    int64_t n = 0;
    for (int i = 0; i < q->n; i++) {
        n += in[i]->size;
        if (in[i]->dtype != in[0]->dtype)
            return agni_fail(AGN_EDTYPE, "krylov_solve: unknown %d is %s, unknown 0 %s; one dtype "
                                         "is needed",
                             i, agni_dtypes[in[i]->dtype].name, agni_dtypes[in[0]->dtype].name);
    }
    const agni_split_operator *a = q->adjoint ? &q->back : &q->a;
    int n_held = a->held ? a->held->n_out : 0;
    size_t args = (size_t)(n_in + n_held);
    agn_tensor **held = agni_zalloc(2 * args * sizeof *held);
    if (!held)
        return agni_nomem("krylov_solve", 2 * args * sizeof *held);
    int32_t device = agni_krylov_device(in[0]->st->device, in[0]->dtype);
    solver_call c = {q, in, a->rest, (const agn_tensor **)held + args, device};
    agni_krylov k = {.op = "krylov_solve",
                     .dtype = in[0]->dtype,
                     .rows = n,
                     .n = n,
                     .a = {apply_operator, &c},
                     .m = {q->m ? apply_preconditioner : NULL, &c},
                     .adjoint = q->adjoint,
                     .device = device};
    agn_status st = agni_krylov_defaults(k.op, &k.o, &q->o, k.dtype, n);
    if (!st && n_held)
        st = agn_fn_call(held, agn_fn_n_out(a->held), a->held, (const agn_tensor *const *)in,
                         agn_fn_n_in(a->held));
    for (int i = 0; !st && i < n_in + n_held; i++)
        c.arg[i] = i < n_in ? in[i] : held[i - n_in];
    enum { B, GUESS, X, ALL };
    char *room = st ? NULL : agni_krylov_alloc(&k, ALL, n + !n), *at[ALL] = {NULL};
    for (int i = 0; i < ALL && room; i++)
        at[i] = agni_krylov_vector_at(&k, room, n + !n, i);
    if (!st)
        st = k.st;
    if (!st)
        st = agni_krylov_store(device, at[B], q->n, in);
    if (!st && q->guess != NO_GUESS)
        st = agni_krylov_store(device, at[GUESS], 1, in + q->guess);
    if (!st)
        st = agni_krylov_run(&k, at[B], q->guess == NO_GUESS ? NULL : at[GUESS], at[X]);
    const char *from = at[X];
    for (int i = 0; !st && i < q->n; i++) {
        size_t bytes = (size_t)in[i]->size * agn_dtype_size(in[i]->dtype);
        st = agni_tensor_make(&x[i], k.op, in[i]->dtype, in[i]->ndim, in[i]->shape, device);
        if (!st)
            st = agni_device_copy(device, x[i]->data, device, from, bytes);
        from += bytes;
    }
    agni_krylov_free(&k, room, ALL, n + !n);
    release_tensors(held, n_held);
    agni_free(held);
    return st;
}

static agn_status run_solver(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                             const agn_tensor **out)
{
    const krylov_solver *q = f->data;
    agn_tensor *v[AGNI_MOST_ARGS] = {NULL}, *x[AGNI_MOST_ARGS] = {NULL};
    agn_status st = agni_krylov_plain_values(f->n_in, in, v);
    if (!st)
        st = solve_values(q, v, f->n_in, x);
    for (int i = 0; i < q->n; i++)
        out[i] = agn_scope_adopt(s, st, &x[i]);
    release_tensors(v, f->n_in);
    agn_scope_fail(s, st);
    return st;
}

/* ---- made for an equation -------------------------------------------------------------------- */

static agn_status compile_direction(agn_fn **out, const krylov_solver *like, int n_in, bool adjoint)
{
    krylov_solver *q = agni_zalloc(sizeof *q);
    if (!q)
        return agni_nomem("krylov_solve", sizeof *q);
    *q = *like;
    q->adjoint = adjoint;
    agn_fn *const kept[] = {q->a.held, q->a.rest, q->back.held, q->back.rest};
    for (int i = 0; i < 4; i++)
        agn_fn_retain(kept[i]);
    agn_fn_retain(q->m);
    agn_fn_retain(q->m_back);
    agn_status st = agni_fn_make(out, run_solver, n_in, q->n, q, free_solver);
    if (st)
        free_solver(q);
    return st;
}

/* the functions that the options name, kept: they may go before the result does */
typedef struct kept_options {
    agn_krylov_options o;
    agn_fn *m, *m_back;
    int n_p, guess;
} kept_options;

static agn_status compile_operator(agni_split_operator *out, const agni_split_operator *a)
{
    agn_status st = a->held ? agn_fn_compile(&out->held, a->held, NULL) : AGN_OK;
    return st ? st : agn_fn_compile(&out->rest, a->rest, NULL);
}

static agn_status make_solvers(const void *user, agn_fn **solve, agn_fn **adjoint,
                               const agni_split_operator *a, const agni_split_operator *back, int n)
{
    const kept_options *c = user;
    krylov_solver q = {.o = c->o, .m = c->m, .m_back = c->m_back, .n = n, .guess = c->guess};
    agn_fn *to = NULL, *from = NULL;
    int n_in = a->rest->n_in - (a->held ? a->held->n_out : 0);
    q.n_p = c->n_p < 0 ? n_in - n : c->n_p;
    agn_status st = compile_operator(&q.a, a);
    if (!st)
        st = compile_operator(&q.back, back);
    if (!st)
        st = compile_direction(&to, &q, n_in, false);
    if (!st)
        st = compile_direction(&from, &q, n_in, true);
    agni_split_operator_free(&q.a);
    agni_split_operator_free(&q.back);
    if (st) {
        agn_fn_release(to);
        agn_fn_release(from);
    } else {
        *solve = to;
        *adjoint = from;
    }
    return st;
}

static void free_options(void *user)
{
    kept_options *c = user;
    agn_fn_release(c->m);
    agn_fn_release(c->m_back);
    agni_free(c);
}

agn_status agni_krylov_solver_maker(agni_solver_maker *by, const char *op,
                                    const agn_krylov_options *o, int n_p, int guess)
{
    agn_krylov_options filled;
    agn_status st = agni_krylov_defaults(op, &filled, o, AGN_F64, 0);
    if (!st && filled.precondition)
        st = agni_fail(AGN_EARG, "%s: precondition %d is for a matrix; a function has none", op,
                       filled.precondition);
    if (!st && filled.method >= AGN_KRYLOV_LSQR)
        st = agni_fail(AGN_EARG, "%s: method %d is for a matrix; a function has no adjoint of its "
                                 "own shape",
                       op, filled.method);
    if (st)
        return st;
    kept_options *c = agni_zalloc(sizeof *c);
    if (!c)
        return agni_nomem(op, sizeof *c);
    *c = (kept_options){.n_p = n_p, .guess = guess};
    c->o = o ? *o : (agn_krylov_options){.size = sizeof *o};
    c->m = agn_fn_retain(c->o.preconditioner);
    c->m_back = agn_fn_retain(c->o.preconditioner_adjoint);
    *by = (agni_solver_maker){make_solvers, free_options, c};
    return AGN_OK;
}

/* ---- the public function --------------------------------------------------------------------- */

/* x, p, guess to A x: the guess is an argument of the node, and of no equation */
static agn_status run_without_guess(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                                    const agn_tensor **out)
{
    return agni_fn_run_in(f->data, s, in, out);
}

static agn_status run_public(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                             const agn_tensor **out)
{
    const agn_fn *solve = f->data;
    const agn_tensor *a[AGNI_MOST_ARGS];
    if (f->n_in > AGNI_MOST_ARGS)
        return agni_fail(AGN_EUNSUPPORTED, "krylov_solve: %d arguments; at most %d", f->n_in,
                         AGNI_MOST_ARGS);
    agn_status st = agni_check_alike("krylov_solve", "the guess and the right-hand side: argument",
                                     1, in, in + 1);
    if (st)
        return st;
    memcpy(a, in + 1, (size_t)(f->n_in - 1) * sizeof *a);
    a[f->n_in - 1] = agni_apply_in(s, &agni_op_stop_gradient, NULL, 1, in);
    return agn_scope_status(s) ? agn_scope_status(s) : agni_fn_run_in(solve, s, a, out);
}

static void free_function(void *data)
{
    agn_fn_release(data);
}

agn_status agn_fn_krylov_solve(agn_fn **out, const agn_fn *a, const agn_krylov_options *opts)
{
    if (!out || !a)
        return agni_fail(AGN_ENULL, "fn_krylov_solve: %s is NULL", out ? "a" : "out");
    if (a->n_in < 1 || a->n_out != 1)
        return agni_fail(AGN_EARG, "fn_krylov_solve: a has %d arguments and %d results; 1 result "
                                   "is needed",
                         a->n_in, a->n_out);
    const agn_fn *const m[2] = {opts ? opts->preconditioner : NULL,
                                opts ? opts->preconditioner_adjoint : NULL};
    for (int i = 0; i < 2; i++)
        if (m[i] && (m[i]->n_in != a->n_in || m[i]->n_out != 1))
            return agni_fail(AGN_EARG, "fn_krylov_solve: a preconditioner has %d arguments and %d "
                                       "results, not %d and 1",
                             m[i]->n_in, m[i]->n_out, a->n_in);
    agni_solver_maker by;
    agn_fn *wide = NULL, *solve = NULL;
    agn_status st = agni_krylov_solver_maker(&by, "fn_krylov_solve", opts, a->n_in - 1, a->n_in);
    if (st)
        return st;
    agn_fn *inner = agn_fn_retain(a);
    st = agni_fn_make(&wide, run_without_guess, a->n_in + 1, 1, inner, free_function);
    if (st)
        agn_fn_release(inner);
    if (st)
        by.drop(by.user);
    else
        st = agni_fn_linear_solve_by(&solve, wide, 1, &by);
    agn_fn_release(wide);
    if (!st)
        st = agni_fn_make(out, run_public, a->n_in + 1, 1, solve, free_function);
    if (st)
        agn_fn_release(solve);
    return st;
}

agn_status agn_fn_krylov_root(agn_fn **out, const agn_fn *f, int32_t n, const agn_fn *solver,
                              const agn_krylov_options *opts)
{
    if (!out || !f || !solver)
        return agni_fail(AGN_ENULL, "fn_krylov_root: %s is NULL",
                         !out ? "out"
                         : !f ? "f"
                              : "solver");
    if (n < 1 || n > f->n_in || f->n_out != n)
        return agni_fail(AGN_EARG, "fn_krylov_root: %d unknowns, f has %d arguments and %d results",
                         n, f->n_in, f->n_out);
    const agn_fn *const given[3] = {solver, opts ? opts->preconditioner : NULL,
                                    opts ? opts->preconditioner_adjoint : NULL};
    for (int i = 0; i < 3; i++)
        if (given[i] && (given[i]->n_in != f->n_in + (i ? n : 0) || given[i]->n_out != n))
            return agni_fail(AGN_EARG, "fn_krylov_root: a %s has %d arguments and %d results, not "
                                       "%d and %d",
                             i ? "preconditioner" : "solver", given[i]->n_in, given[i]->n_out,
                             f->n_in + (i ? n : 0), n);
    agni_solver_maker by;
    agn_status st = agni_krylov_solver_maker(&by, "fn_krylov_root", opts, f->n_in, NO_GUESS);
    return st ? st : agni_fn_root_by(out, f, n, solver, &by);
}
