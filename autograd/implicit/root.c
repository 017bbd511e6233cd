/* root.c - root: f(x, a) = 0 by the user's solver, derivatives by the implicit
   function theorem. The rule, x' = -(df/dx)^-1 (df/da) a' at the root, and its transpose are
   written with ops and hold the root itself as a value, so that every order and mode follows
   from them. Systems of few unknowns are solved by their matrix, others by Krylov methods
   (krylov/implicit_solver.c), unless the user says how. */
#include "autograd/implicit/implicit.h"

#include <agnesi/implicit.h>

/* Numbers among the unknowns up to which a matrix is formed: 8 MB of f64, factored in the time of
   some hundred products with it. */
enum { MOST_ROWS = 1024 };

/* The counted attribute. A node has the arguments x0, a and extra. */
typedef struct equation {
    agni_obj head;
    int32_t n;
    agni_prog *f; /* x, a, extra to n residuals; NULL where there are lanes */
    agn_fn *solver, *solve, *adjoint; /* of x0, a; of b, x, a */
    agn_fn *made;                     /* owner of by */
    const agni_solver_maker *by;      /* makes solve and adjoint */
    struct equation *one;             /* the equation of one lane */
    int64_t lanes;
} equation;

static void equation_destroy(agni_obj *o)
{
    equation *q = (equation *)o;
    agni_prog_release(q->f);
    agn_fn_release(q->solver);
    agn_fn_release(q->solve);
    agn_fn_release(q->adjoint);
    agn_fn_release(q->made);
    if (q->one)
        agni_obj_release(&q->one->head);
    agni_free(q);
}
static const agni_obj_type equation_type = {.name = "equation", .destroy = equation_destroy};

/* takes over f, which may be NULL */
static agn_status equation_new(equation **out, agni_prog *f, int n,
                               const agn_fn *solver, const agn_fn *solve,
                               const agn_fn *adjoint)
{
    equation *q = agni_zalloc(sizeof *q);
    if (!q) {
        agni_prog_release(f);
        return agni_nomem("root", sizeof *q);
    }
    agni_ref_init(&q->head.ref);
    q->head.type = &equation_type;
    q->f = f;
    q->n = n;
    q->solver = agn_fn_retain(solver);
    q->solve = agn_fn_retain(solve);
    q->adjoint = agn_fn_retain(adjoint);
    *out = q;
    return AGN_OK;
}
static const equation *equation_of(const agni_attr *at)
{
    return (const equation *)at->obj;
}

static agn_status eval_root(const agni_call *c, agn_tensor **out)
{
    const equation *q = equation_of(c->at);
    return agni_run_solver("root", q->solver, q->n, c->in, out);
}

/* ---- the tangent ----------------------------------------------------------------------------- */

/* v, x, a, extra to df/dx v: the operator of the tangent's system */
static agn_status slope_body(void *user, agn_scope *s, const agn_tensor *const *in,
                             const agn_tensor **out)
{
    const equation *q = user;
    const agn_tensor *t[AGNI_MOST_ARGS] = {NULL}, *ty[AGNI_MOST_ARGS] = {NULL};
    bool want[AGNI_MOST_ARGS] = {false};
    agni_traversal w = {.p = NULL};
    for (int i = 0; i < q->n; i++) {
        t[i] = in[i];
        want[i] = true;
    }
    if (agni_traversal_replay(&w, s, q->f, in + q->n, want)) {
        agni_traverse_jvp(&w, t, ty);
        for (int i = 0; i < q->n && !agn_scope_status(s); i++)
            out[i] = agni_or_zero(s, ty[i], in[i]);
    }
    agni_traversal_close(&w);
    return agn_scope_status(s);
}

/* few unknowns, or dtypes that Krylov methods do not take */
static bool is_solved_densely(const equation *q)
{
    int64_t rows = 0;
    bool one = true;
    for (int i = 0; i < q->n; i++) {
        const agn_tensor *x = q->f->val[i];
        rows += x->size;
        one &= x->dtype == q->f->val[0]->dtype &&
               (x->dtype == AGN_F32 || x->dtype == AGN_F64);
    }
    return rows <= MOST_ROWS || !one;
}

/* takes over p */
static agn_status make_system(agni_linear_system **out, const equation *q, agni_prog *p)
{
    agni_solver_maker by = {NULL, NULL, NULL};
    int n_in = q->n + q->f->n_in;
    if (q->by)
        return agni_system_new_by(out, p, q->n, n_in, q->by);
    if (q->solve || is_solved_densely(q))
        return agni_system_new(out, p, q->n, n_in, q->solve, q->adjoint, false);
    agn_status st = agni_solvers.krylov(&by, "root", NULL, -1, -1);
    if (st) {
        agni_prog_release(p);
        return st;
    }
    st = agni_system_new_by(out, p, q->n, n_in, &by);
    by.drop(by.user);
    return st;
}

/* in: x, a, extra */
static agni_linear_system *linearise_at(agn_scope *s, const equation *q,
                                        const agn_tensor *const *in)
{
    const agn_tensor *like[AGNI_MOST_ARGS], **extra = NULL;
    agni_prog *live = NULL, *p = NULL;
    agni_linear_system *sys = NULL;
    uint64_t first;
    int n = q->f->n_in, n_extra;
    memcpy(like, in, (size_t)q->n * sizeof *like);
    memcpy(like + q->n, in, (size_t)n * sizeof *like);
    agn_status st = agni_trace_body(&live, &first, slope_body, (void *)(uintptr_t)q, q->n + n, like,
                                    q->n, true);
    if (!st)
        st = agni_prog_store(&p, live, &n_extra,
                             &extra); /* all it reads is passed: no extra */
    if (!st)
        st = make_system(&sys, q, p);
    agni_free(extra);
    agni_prog_release(live);
    agn_scope_fail(s, st);
    return sys;
}

static void jvp_root(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                     const agn_tensor **ty)
{
    const equation *q = equation_of(r->at);
    if (q->one) {
        agni_callback_lanes_jvp(s, r, &q->one->head, q->lanes, t, ty);
        return;
    }
    const agn_tensor *in[2 * AGNI_MOST_ARGS], *ta[AGNI_MOST_ARGS] = {NULL},
                                              *d[AGNI_MOST_ARGS] = {NULL};
    const agn_tensor **x = in + q->n; /* the root, a, extra; in front of them, b */
    bool want[AGNI_MOST_ARGS] = {false}, any = false;
    for (int i = 0; i < r->nin; i++) {
        x[i] = i < q->n ? r->y[i] : r->x[i];
        ta[i] = i < q->n ? NULL : t[i];
        want[i] = ta[i] != NULL;
    }
    agni_traversal w = {.p = NULL};
    if (agni_traversal_replay(&w, s, q->f, x, want))
        agni_traverse_jvp(&w, ta, d);
    for (int i = 0; i < q->n && !agn_scope_status(s); i++) {
        any |= d[i] != NULL;
        in[i] = d[i] ? agni_apply_in(s, &agni_op_neg, NULL, 1, d + i) : agni_zeros_like(s, r->y[i]);
    }
    agni_linear_system *sys = any && !agn_scope_status(s) ? linearise_at(s, q, x) : NULL;
    if (sys) {
        agni_system_solve(s, sys, in, ty);
        agni_obj_release(&sys->head);
    }
    agni_traversal_close(&w);
}

/* g_a = -(df/da)^* w with (df/dx)^* w = g */
static void vjp_root(agn_scope *s, const agni_rule *r, const agn_tensor *const *g,
                     const bool *want, const agn_tensor **gx)
{
    const equation *q = equation_of(r->at);
    if (q->one) {
        agni_callback_lanes_vjp(s, r, &q->one->head, q->lanes, g, want, gx);
        return;
    }
    const agn_tensor *in[2 * AGNI_MOST_ARGS], *w[AGNI_MOST_ARGS] = {NULL},
                                              *gp[AGNI_MOST_ARGS] = {NULL};
    const agn_tensor **x = in + q->n;
    bool on[AGNI_MOST_ARGS] = {false};
    for (int i = 0; i < r->nin; i++) {
        x[i] = i < q->n ? r->y[i] : r->x[i];
        on[i] = i >= q->n && want[i];
    }
    for (int i = 0; i < q->n; i++)
        in[i] = g[i] ? g[i] : agni_zeros_like(s, r->y[i]);
    agni_linear_system *sys = agn_scope_status(s) ? NULL : linearise_at(s, q, x);
    agni_linear_system *back = sys ? agni_system_adjoint(s, sys) : NULL;
    if (back)
        agni_system_solve(s, back, in, w);
    agni_traversal back_w = {.p = NULL};
    if (!agn_scope_status(s) && agni_traversal_replay(&back_w, s, q->f, x, on))
        agni_traverse_vjp(&back_w, w, gp);
    for (int i = q->n; i < r->nin && !agn_scope_status(s); i++)
        if (want[i] && gp[i])
            gx[i] = agni_apply_in(s, &agni_op_neg, NULL, 1, gp + i);
    agni_traversal_close(&back_w);
    if (back)
        agni_obj_release(&back->head);
    if (sys)
        agni_obj_release(&sys->head);
}

static void batch_root(agn_scope *s, const agni_rule *r, int64_t lanes,
                       const agn_tensor *const *in, const bool *batched,
                       const agn_tensor **out, bool *bout)
{
    const equation *q = equation_of(r->at);
    const agn_tensor *a[AGNI_MOST_ARGS];
    agn_fn *solver = NULL;
    equation *all = NULL;
    for (int i = 0; i < r->nin; i++)
        a[i] = agni_ensure_batch_axis(s, in[i], batched[i], lanes);
    agn_status st = agn_scope_status(s);
    if (!st)
        st = agni_fn_over_lanes(&solver, q->solver);
    if (!st)
        st = equation_new(&all, NULL, q->n, solver, NULL, NULL);
    if (!st) {
        all->one = (equation *)agni_obj_retain(&q->head);
        all->lanes = lanes;
    }
    if (!agn_scope_fail(s, st))
        agni_apply_many_in(s, r->op, &(agni_attr){.obj = &all->head}, r->nin, a, r->nout, out);
    for (int o = 0; o < r->nout; o++)
        bout[o] = true;
    if (all)
        agni_obj_release(&all->head);
    agn_fn_release(solver);
}

const agni_op agni_op_root = {
    AGNI_CONTROL_ROW("root", "args* equation:o"),
    .infer = agni_infer_each,
    .eval = eval_root,
    .jvp = jvp_root,
    .vjp = vjp_root,
    .batch = batch_root,
    .doc = "a root by a solver of the user's"};

/* ---- the public function --------------------------------------------------------------------- */

typedef struct finder {
    agn_fn *f, *solver, *solve, *adjoint;
    int32_t n;
    agni_solver_maker by; /* of use where by.make is not NULL */
} finder;

static void free_finder(void *data)
{
    finder *q = data;
    agn_fn_release(q->f);
    agn_fn_release(q->solver);
    agn_fn_release(q->solve);
    agn_fn_release(q->adjoint);
    if (q->by.drop)
        q->by.drop(q->by.user);
    agni_free(q);
}

static agn_status run_finder(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                             const agn_tensor **out)
{
    const finder *q = f->data;
    agni_prog *live = NULL, *p = NULL;
    const agn_tensor **extra = NULL, *a[AGNI_MOST_ARGS];
    equation *e = NULL;
    uint64_t first;
    int n_extra = 0;
    for (int i = 0; i < q->n; i++)
        if (!agni_is_differentiable(in[i]))
            return agni_fail(AGN_EDTYPE,
                             "root: guess %d is %s; a floating dtype is needed", i,
                             agni_dtypes[in[i]->dtype].name);
    agn_status st = agni_trace(&live, &first, q->f, in, true);
    for (int i = 0; !st && i < q->n; i++)
        st = agni_check_alike("root", "residual", 1,
                              (const agn_tensor *const *)&live->val[live->out[i]],
                              in + i);
    if (!st)
        st = agni_prog_store(&p, live, &n_extra, &extra);
    if (!st && p->n_in + q->n > AGNI_MOST_ARGS)
        st = agni_fail(AGN_EUNSUPPORTED,
                       "root: %d arguments, captured tensors and unknowns; at most %d",
                       p->n_in + q->n, AGNI_MOST_ARGS);
    if (!st) {
        memcpy(a, in, (size_t)f->n_in * sizeof *a);
        memcpy(a + f->n_in, extra, (size_t)n_extra * sizeof *a);
        int n_in = p->n_in;
        st = equation_new(&e, p, q->n, q->solver, q->solve, q->adjoint);
        p = NULL;
        if (!st && q->by.make) {
            e->made = agn_fn_retain(f);
            e->by = &q->by;
        }
        if (!agn_scope_fail(s, st))
            agni_apply_many_in(s, &agni_op_root, &(agni_attr){.obj = &e->head}, n_in, a, q->n, out);
    }
    agn_scope_fail(s, st);
    if (e)
        agni_obj_release(&e->head);
    agni_prog_release(p);
    agni_prog_release(live);
    agni_free(extra);
    return agn_scope_status(s);
}

/* what is given is kept; by, which may be NULL, is taken over */
static agn_status make_finder(agn_fn **out, const char *op, const agn_fn *f, int32_t n,
                              const agn_fn *solver, const agn_fn *solve, const agn_fn *adjoint,
                              const agni_solver_maker *by)
{
    finder *q = agni_zalloc(sizeof *q);
    if (!q) {
        if (by)
            by->drop(by->user);
        return agni_nomem(op, sizeof *q);
    }
    *q = (finder){.f = agn_fn_retain(f),
                  .solver = agn_fn_retain(solver),
                  .solve = agn_fn_retain(solve),
                  .adjoint = agn_fn_retain(adjoint),
                  .n = n};
    if (by)
        q->by = *by;
    agn_status st = agni_fn_make(out, run_finder, f->n_in, n, q, free_finder);
    if (st)
        free_finder(q);
    return st;
}

agn_status agn_fn_root(agn_fn **out, const agn_fn *f, int32_t n, const agn_fn *solver,
                       const agn_fn *solve, const agn_fn *adjoint)
{
    if (!out || !f || !solver)
        return agni_fail(AGN_ENULL, "fn_root: %s is NULL",
                         !out ? "out"
                         : !f ? "f"
                              : "solver");
    if (n < 1 || n > f->n_in || f->n_out != n)
        return agni_fail(AGN_EARG,
                         "fn_root: %d unknowns, f has %d arguments and %d results", n,
                         f->n_in, f->n_out);
    const agn_fn *const given[3] = {solver, solve, adjoint};
    for (int i = 0; i < 3; i++)
        if (given[i] &&
            (given[i]->n_in != f->n_in + (i ? n : 0) || given[i]->n_out != n))
            return agni_fail(
                AGN_EARG,
                "fn_root: a solver has %d arguments and %d results, not %d and %d",
                given[i]->n_in, given[i]->n_out, f->n_in + (i ? n : 0), n);
    if (adjoint && !solve)
        return agni_fail(
            AGN_EARG, "fn_root: adjoint is given and solve is not, for %d unknowns", n);
    return make_finder(out, "fn_root", f, n, solver, solve, adjoint, NULL);
}

agn_status agni_fn_root_by(agn_fn **out, const agn_fn *f, int32_t n, const agn_fn *solver,
                           const agni_solver_maker *by)
{
    return make_finder(out, "fn_krylov_root", f, n, solver, NULL, NULL, by);
}
