/* linear_solve.c - linear_solve: A(p) x = b by a given solver, derivatives from the equation.

   x' = A^-1 (b' - A' x), with A' x the tangent of p -> A(p) x at the solution; backwards g_b =
   A^-* g and g_p = -(p -> A(p) x)^* g_b (Giles 2008 for matrices). */
#include "autograd/implicit/implicit.h"
#include "autograd/modes/linearity.h"

#include <agnesi/implicit.h>

static void system_destroy(agni_obj *o)
{
    agni_linear_system *q = (agni_linear_system *)o;
    agni_prog_release(q->a);
    agn_fn_release(q->solve);
    agn_fn_release(q->adjoint);
    if (q->one)
        agni_obj_release((agni_obj *)(uintptr_t)&q->one->head);
    agni_free(q);
}
static const agni_obj_type system_type = {.name = "system", .destroy = system_destroy};

agn_status agni_system_new(agni_linear_system **out, agni_prog *a, int n, int n_in,
                           const agn_fn *solve, const agn_fn *adjoint, bool transposed)
{
    agni_linear_system *q = agni_zalloc(sizeof *q);
    if (!q) {
        agni_prog_release(a);
        return agni_nomem("linear_solve", sizeof *q);
    }
    agni_ref_init(&q->head.ref);
    q->head.type = &system_type;
    q->a = a;
    q->n = n;
    q->n_in = n_in;
    q->solve = agn_fn_retain(solve);
    q->adjoint = agn_fn_retain(adjoint);
    q->transposed = transposed;
    *out = q;
    return AGN_OK;
}

static const agni_linear_system *system_of(const agni_attr *at)
{
    return (const agni_linear_system *)at->obj;
}

agn_status agni_check_alike(const char *op, const char *what, int n,
                            const agn_tensor *const *y, const agn_tensor *const *x)
{
    for (int i = 0; i < n; i++) {
        if (!agni_same_shape(y[i], x[i]))
            return agni_fail(AGN_ESHAPE, "%s: %s %d is %s, the unknown %s", op, what, i,
                             AGNI_SHAPE(y[i]), AGNI_SHAPE(x[i]));
        if (y[i]->dtype != x[i]->dtype)
            return agni_fail(AGN_EDTYPE, "%s: %s %d is %s, the unknown %s", op, what, i,
                             agni_dtypes[y[i]->dtype].name,
                             agni_dtypes[x[i]->dtype].name);
    }
    return AGN_OK;
}

/* ---- the operator ---------------------------------------------------------------------------- */

agn_status agni_system_apply(void *user, agn_scope *s, const agn_tensor *const *in,
                             const agn_tensor **out)
{
    const agni_linear_system *q = user;
    if (!q->transposed)
        return agni_prog_replay(q->a, s, in, out, NULL);
    /* the adjoint of x -> A x is the same at any x */
    int n = q->n_in;
    bool *want = agni_zalloc((size_t)n + 1);
    const agn_tensor **x = agni_zalloc(2 * (size_t)n * sizeof *x), **gx = x + n;
    agni_traversal w = {.p = NULL};
    if (!want || !x)
        agn_scope_fail(s, agni_nomem("linear_solve", 2 * (size_t)n * sizeof *x));
    for (int i = 0; want && x && i < n; i++) {
        want[i] = i < q->n;
        x[i] = i < q->n ? agni_zeros_like(s, in[i]) : in[i];
    }
    if (!agn_scope_status(s) && agni_traversal_replay(&w, s, q->a, x, want)) {
        agni_traverse_vjp(&w, in, gx);
        for (int i = 0; i < q->n && !agn_scope_status(s); i++)
            out[i] = agni_or_zero(s, gx[i], in[i]);
    }
    agni_traversal_close(&w);
    agni_free(want);
    agni_free(x);
    return agn_scope_status(s);
}

/* records p -> A(p) x at the solution, for traversals in p and extra */
static bool record_operator_at(agni_recorded *r, agn_scope *s, const agni_linear_system *q,
                               const agn_tensor *const *x, const agn_tensor *const *p,
                               const bool *want)
{
    const agn_tensor *a[AGNI_MOST_ARGS];
    bool on[AGNI_MOST_ARGS] = {false};
    int n = q->n_in;
    *r = (agni_recorded){.p = NULL};
    memcpy(a, x, (size_t)q->n * sizeof *a);
    memcpy(a + q->n, p, (size_t)(n - q->n) * sizeof *a);
    for (int i = q->n; i < n; i++)
        on[i] = want[i];
    return !agn_scope_status(s) &&
           !agn_scope_fail(s, agni_trace_body(&r->p, &r->first, agni_system_apply,
                                              (void *)(uintptr_t)q, n, a, q->n, false)) &&
           agni_traversal_open(&r->w, s, r->p, r->first, on);
}

/* ---- the op ---------------------------------------------------------------------------------- */

void agni_system_solve(agn_scope *s, const agni_linear_system *q, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    if (!q->solve && !q->adjoint)
        agni_dense_solve(s, q, agni_system_apply, in, out);
    else if (!(q->transposed ? q->adjoint : q->solve))
        agn_scope_fail(s, agni_fail(AGN_EUNSUPPORTED,
                                    "linear_solve: reverse mode needs a solver of the "
                                    "adjoint system of %d unknowns",
                                    q->n));
    else
        agni_apply_many_in(s, &agni_op_linear_solve,
                           &(agni_attr){.obj = (agni_obj *)(uintptr_t)&q->head}, q->n_in, in, q->n,
                           out);
}

agn_status agni_run_solver(const char *op, const agn_fn *f, int n,
                           const agn_tensor *const *in, agn_tensor **out)
{
    agn_status st = agn_fn_call(out, agn_fn_n_out(f), f, in, agn_fn_n_in(f));
    if (st)
        return st;
    for (int i = 0; !st && i < n; i++)
        if (!out[i]->st)
            st = agni_fail(
                AGN_ESYMBOLIC,
                "%s: result %d, %s, of the solver has no value: it captures what "
                "is being traced; pass that as an argument",
                op, i, AGNI_SHAPE(out[i]));
    if (!st)
        st = agni_check_alike(op, "the solver's result", n,
                              (const agn_tensor *const *)out, in);
    for (int i = 0; st && i < n; i++) {
        agn_release(out[i]);
        out[i] = NULL;
    }
    return st;
}

static agn_status eval_solve(const agni_call *c, agn_tensor **out)
{
    const agni_linear_system *q = system_of(c->at);
    return agni_run_solver("linear_solve", q->transposed ? q->adjoint : q->solve, q->n,
                           c->in, out);
}

static void jvp_solve(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                      const agn_tensor **ty)
{
    const agni_linear_system *q = system_of(r->at);
    if (q->one) {
        agni_callback_lanes_jvp(s, r, (agni_obj *)(uintptr_t)&q->one->head, q->lanes, t, ty);
        return;
    }
    const agn_tensor *a[AGNI_MOST_ARGS], *tp[AGNI_MOST_ARGS] = {NULL},
                                         *d[AGNI_MOST_ARGS] = {NULL};
    bool want[AGNI_MOST_ARGS] = {false}, any = false;
    for (int i = q->n; i < r->nin; i++) {
        tp[i] = t[i];
        any |= want[i] = t[i] != NULL;
    }
    agni_recorded at = {.p = NULL};
    if (any && record_operator_at(&at, s, q, r->y, r->x + q->n, want))
        agni_traverse_jvp(&at.w, tp, d);
    for (int i = 0; i < r->nin && !agn_scope_status(s); i++)
        a[i] = i >= q->n ? r->x[i]
               : d[i]    ? agni_add_present(s, t[i], agni_apply_in(s, &agni_op_neg, NULL, 1, d + i))
               : t[i]    ? t[i]
                         : agni_zeros_like(s, r->x[i]);
    if (!agn_scope_status(s))
        agni_system_solve(s, q, a, ty);
    agni_recorded_close(&at);
}

agni_linear_system *agni_system_adjoint(agn_scope *s, const agni_linear_system *q)
{
    agni_linear_system *f = NULL;
    agni_prog *a = (agni_prog *)(uintptr_t)agni_obj_retain(&q->a->head);
    agn_scope_fail(
        s, agni_system_new(&f, a, q->n, q->n_in, q->solve, q->adjoint, !q->transposed));
    return f;
}

static void vjp_solve(agn_scope *s, const agni_rule *r, const agn_tensor *const *g,
                      const bool *want, const agn_tensor **gx)
{
    const agni_linear_system *q = system_of(r->at);
    if (q->one) {
        agni_callback_lanes_vjp(s, r, (agni_obj *)(uintptr_t)&q->one->head, q->lanes, g, want, gx);
        return;
    }
    const agn_tensor *a[AGNI_MOST_ARGS], *w[AGNI_MOST_ARGS],
        *gp[AGNI_MOST_ARGS] = {NULL};
    bool any = false;
    agni_linear_system *f = agni_system_adjoint(s, q);
    for (int i = 0; i < r->nin; i++) {
        a[i] = i >= q->n ? r->x[i] : g[i] ? g[i] : agni_zeros_like(s, r->x[i]);
        any |= i >= q->n && want[i];
    }
    if (f && !agn_scope_status(s))
        agni_system_solve(s, f, a, w);
    agni_recorded at = {.p = NULL};
    if (any && record_operator_at(&at, s, q, r->y, r->x + q->n, want))
        agni_traverse_vjp(&at.w, w, gp);
    for (int i = 0; i < r->nin && !agn_scope_status(s); i++)
        if (want[i])
            gx[i] = i < q->n ? w[i]
                    : gp[i]  ? agni_apply_in(s, &agni_op_neg, NULL, 1, gp + i)
                             : NULL;
    agni_recorded_close(&at);
    if (f)
        agni_obj_release(&f->head);
}

static void batch_solve(agn_scope *s, const agni_rule *r, int64_t lanes,
                        const agn_tensor *const *in, const bool *batched,
                        const agn_tensor **out, bool *bout)
{
    const agni_linear_system *q = system_of(r->at);
    const agn_tensor *a[AGNI_MOST_ARGS];
    agni_linear_system *all = NULL;
    agn_fn *solve = NULL, *adjoint = NULL;
    for (int i = 0; i < r->nin; i++)
        a[i] = agni_ensure_batch_axis(s, in[i], batched[i], lanes);
    agn_status st = agn_scope_status(s);
    if (!st && q->solve)
        st = agni_fn_over_lanes(&solve, q->solve);
    if (!st && q->adjoint)
        st = agni_fn_over_lanes(&adjoint, q->adjoint);
    if (!st)
        st = agni_system_new(&all, NULL, q->n, q->n_in, solve, adjoint, q->transposed);
    if (!st) {
        all->one = (const agni_linear_system *)agni_obj_retain(&q->head);
        all->lanes = lanes;
    }
    if (!agn_scope_fail(s, st))
        agni_system_solve(s, all, a, out);
    for (int o = 0; o < r->nout; o++)
        bout[o] = true;
    if (all)
        agni_obj_release(&all->head);
    agn_fn_release(solve);
    agn_fn_release(adjoint);
}

const agni_op agni_op_linear_solve = {
    AGNI_CONTROL_ROW("linear_solve", "args* system:o"),
    .infer = agni_infer_each,
    .eval = eval_solve,
    .jvp = jvp_solve,
    .vjp = vjp_solve,
    .batch = batch_solve,
    .doc = "a linear system by a solver of the user's"};

/* ---- solvers made for the equation ----------------------------------------------------------- */

static void free_system(void *data)
{
    agni_obj_release(data);
}
static agn_status run_apply(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                            const agn_tensor **out)
{
    return agni_system_apply(f->data, s, in, out);
}

/* the operator, or its adjoint, as functions of x, p, extra */
static agn_status operator_parts(agni_split_operator *out, const agni_prog *a, int n, int n_in,
                                 bool transposed)
{
    agni_linear_system *bare = NULL;
    agn_fn *f = NULL;
    agni_prog *p = (agni_prog *)(uintptr_t)agni_obj_retain(&a->head);
    agn_status st = agni_system_new(&bare, p, n, n_in, NULL, NULL, transposed);
    if (!st && (st = agni_fn_make(&f, run_apply, n_in, n, bare, free_system)))
        agni_obj_release(&bare->head);
    if (!st)
        st = agni_split_operator_new(out, f, n, (const agn_tensor *const *)a->val);
    agn_fn_release(f);
    return st;
}

agn_status agni_system_new_by(agni_linear_system **out, agni_prog *a, int n, int n_in,
                              const agni_solver_maker *by)
{
    agni_split_operator to = {NULL, NULL}, from = {NULL, NULL};
    agn_fn *solve = NULL, *adjoint = NULL;
    agn_status st = operator_parts(&to, a, n, n_in, false);
    if (!st)
        st = operator_parts(&from, a, n, n_in, true);
    if (!st)
        st = by->make(by->user, &solve, &adjoint, &to, &from, n);
    if (!st)
        st = agni_system_new(out, a, n, n_in, solve, adjoint, false);
    else
        agni_prog_release(a);
    agni_split_operator_free(&to);
    agni_split_operator_free(&from);
    agn_fn_release(solve);
    agn_fn_release(adjoint);
    return st;
}

/* ---- the public function --------------------------------------------------------------------- */

typedef struct solver {
    agn_fn *a, *solve, *adjoint;
    int32_t n;
    agni_solver_maker by; /* makes the solvers where by.make is not NULL */
} solver;

static void free_solver(void *data)
{
    solver *q = data;
    agn_fn_release(q->a);
    agn_fn_release(q->solve);
    agn_fn_release(q->adjoint);
    if (q->by.drop)
        q->by.drop(q->by.user);
    agni_free(q);
}

/* records a at the shapes of b and p, which must be linear; open: if what p adds is 0 */
static agn_status record_system(agni_prog **live, agn_scope *s, const solver *q,
                                const agn_tensor *const *in, bool *open)
{
    uint64_t first;
    agni_traversal w = {.p = NULL};
    bool *named = agni_zalloc((size_t)q->a->n_in + 1);
    if (!named)
        return agni_nomem("linear_solve", (size_t)q->a->n_in);
    memset(named, true, (size_t)q->n);
    agn_status st = agni_trace(live, &first, q->a, in, true);
    if (!st && agni_traversal_open(&w, s, *live, first, NULL))
        st = agni_rename_error("linear_solve", agni_check_linear(&w, named, open));
    for (int i = 0; !st && i < q->n; i++)
        st = agni_check_alike("linear_solve", "the equation's result", 1,
                              (const agn_tensor *const *)&(*live)->val[(*live)->out[i]],
                              in + i);
    agni_traversal_close(&w);
    agni_free(named);
    return st ? st : agn_scope_status(s);
}

/* Is a(0, p) zero? Without values there is no telling. */
static agn_status check_zero(const agni_prog *a, int n, const agn_tensor *const *in)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x[AGNI_MOST_ARGS], *y[AGNI_MOST_ARGS];
    bool known = true;
    for (int i = 0; i < a->n_in; i++) {
        known &= i < n || in[i]->st;
        x[i] = i < n ? agni_zeros_like(s, in[i]) : agni_detach_node(s, "linear_solve", in[i]);
    }
    if (known && !agn_scope_status(s) && !agni_prog_replay(a, s, x, y, NULL))
        for (int o = 0; o < n && !agn_scope_status(s); o++)
            if (agni_is_nonzero(s, y[o]))
                agn_scope_fail(
                    s, agni_fail(AGN_EDOMAIN,
                                 "linear_solve: the equation adds a constant: result %d, %s, is "
                                 "not zero at zero",
                                 o, AGNI_SHAPE(y[o])));
    return agn_scope_close(s);
}

static agn_status run_solver(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                             const agn_tensor **out)
{
    const solver *q = f->data;
    agni_prog *live = NULL, *p = NULL;
    const agn_tensor **extra = NULL, *a[AGNI_MOST_ARGS];
    agni_linear_system *sys = NULL;
    int n_extra = 0;
    for (int i = 0; i < q->n; i++)
        if (!agni_is_differentiable(in[i]))
            return agni_fail(
                AGN_EDTYPE,
                "linear_solve: right-hand side %d is %s; a floating dtype is needed", i,
                agni_dtypes[in[i]->dtype].name);
    bool open = false;
    agn_status st = record_system(&live, s, q, in, &open);
    if (!st)
        st = agni_prog_store(&p, live, &n_extra, &extra);
    if (!st && p->n_in > AGNI_MOST_ARGS)
        st = agni_fail(AGN_EUNSUPPORTED,
                       "linear_solve: %d arguments and captured tensors; at most %d",
                       p->n_in, AGNI_MOST_ARGS);
    if (!st) {
        memcpy(a, in, (size_t)f->n_in * sizeof *a);
        memcpy(a + f->n_in, extra, (size_t)n_extra * sizeof *a);
        st = open ? check_zero(p, q->n, a) : AGN_OK;
    }
    if (!st) {
        int n_in = p->n_in;
        st = q->by.make ? agni_system_new_by(&sys, p, q->n, n_in, &q->by)
                        : agni_system_new(&sys, p, q->n, n_in, q->solve, q->adjoint, false);
        p = NULL;
    }
    if (!agn_scope_fail(s, st))
        agni_system_solve(s, sys, a, out);
    if (sys)
        agni_obj_release(&sys->head);
    agni_prog_release(p);
    agni_prog_release(live);
    agni_free(extra);
    return agn_scope_status(s);
}

static agn_status check_solver(const char *what, const agn_fn *f, int n_in, int n_out)
{
    if (f && (f->n_in != n_in || f->n_out != n_out))
        return agni_fail(
            AGN_EARG,
            "fn_linear_solve: %s has %d arguments and %d results, not %d and %d", what,
            f->n_in, f->n_out, n_in, n_out);
    return AGN_OK;
}

agn_status agn_fn_linear_solve(agn_fn **out, const agn_fn *a, int32_t n,
                               const agn_fn *solve, const agn_fn *adjoint)
{
    if (!out || !a)
        return agni_fail(AGN_ENULL, "fn_linear_solve: %s is NULL", out ? "a" : "out");
    if (n < 1 || n > a->n_in || a->n_out != n)
        return agni_fail(
            AGN_EARG, "fn_linear_solve: %d unknowns, a has %d arguments and %d results",
            n, a->n_in, a->n_out);
    agn_status st = check_solver("solve", solve, a->n_in, n);
    if (!st)
        st = check_solver("adjoint", adjoint, a->n_in, n);
    if (!st && adjoint && !solve)
        st = agni_fail(
            AGN_EARG,
            "fn_linear_solve: adjoint is given and solve is not, for %d unknowns", n);
    if (st)
        return st;
    solver *q = agni_zalloc(sizeof *q);
    if (!q)
        return agni_nomem("fn_linear_solve", sizeof *q);
    *q = (solver){.a = agn_fn_retain(a),
                  .solve = agn_fn_retain(solve),
                  .adjoint = agn_fn_retain(adjoint),
                  .n = n};
    st = agni_fn_make(out, run_solver, a->n_in, n, q, free_solver);
    if (st)
        free_solver(q);
    return st;
}

agn_status agni_fn_linear_solve_by(agn_fn **out, const agn_fn *a, int32_t n,
                                   const agni_solver_maker *by)
{
    solver *q = agni_zalloc(sizeof *q);
    if (!q) {
        by->drop(by->user);
        return agni_nomem("fn_linear_solve", sizeof *q);
    }
    *q = (solver){.a = agn_fn_retain(a), .n = n, .by = *by};
    agn_status st = agni_fn_make(out, run_solver, a->n_in, n, q, free_solver);
    if (st)
        free_solver(q);
    return st;
}
