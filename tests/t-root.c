/* tests/t-root.c - functions defined by equations: roots and linear systems with the user's solvers,
   which read values as they please; derivatives of the equation, in every mode. */
#include "whole.h"

static agn_tensor *b3, *p3, *W; /* [3], [3], [3,3] small */

/* ---- linear systems --------------------------------------------------------------------------------- */

/* (diag(exp p) + W) x, W captured */
FORMULA(operator, ag_add(s, ag_mul(s, ag_exp(s, in[1]), in[0]), ag_matmul(s, (T)user, in[0])))
static T matrix(agn_scope *s, T p)
{
    T eye = ag_eye(s, AGN_F64, 3, 3, 0);
    return ag_add(s, ag_mul(s, eye, ag_exp(s, p)), W);
}
FORMULA(direct, ag_linalg_solve(s, matrix(s, in[1]), in[0]))
FORMULA(direct_adjoint, ag_linalg_solve(s, ag_swapaxes(s, matrix(s, in[1]), 0, 1), in[0]))

static int sweeps_done;
/* x <- (b - W x) / exp p until nothing moves; user: transposed? It reads a value, so no tracer sees
   through it. */
BODY(jacobi)
{
    T w = *(const bool *)user ? ag_swapaxes(s, W, 0, 1) : W, d = ag_exp(s, in[1]), x = ag_div(s, in[0], d);
    double moved = 1;
    for (int i = 0; i < 200 && x && moved > 1e-17; i++) {
        T y = ag_div(s, ag_sub(s, in[0], ag_matmul(s, w, x)), d);
        T far = ag_sum_all(s, ag_abs(s, ag_sub(s, y, x)));
        if (!far || agn_scope_fail(s, agn_item_f64(&moved, far)))
            break;
        x = y;
        sweeps_done++;
    }
    out[0] = x;
    return agn_scope_status(s);
}
static const bool no = false, yes = true;

static void linear_systems(void)
{
    agn_fn *a = whole_fn(operator, W, 2, 1), *by_hand = whole_fn(direct, NULL, 2, 1),
           *adjoint = whole_fn(direct_adjoint, NULL, 2, 1), *it = whole_fn(jacobi, (void *)(uintptr_t)&no, 2, 1),
           *itt = whole_fn(jacobi, (void *)(uintptr_t)&yes, 2, 1);
    const T in[2] = {b3, p3};
    const agn_fn *const solvers[3][2] = {{NULL, NULL}, {by_hand, adjoint}, {it, itt}};
    static const char *const names[3] = {"by its matrix", "by a traceable solver", "by iterations in C"};
    for (int k = 0; k < 3; k++) {
        agn_fn *f = MADE(agn_fn_linear_solve(&made_, a, 1, solvers[k][0], solvers[k][1]));
        whole_same(f, in, by_hand, in, 0, 1e-14, names[k]);
        whole(f, 2, in, 1e-6, names[k]);
        agn_fn_release(f);
    }
    ok(sweeps_done > 100, "the solver in C ran %d times", sweeps_done);
    agn_fn *all[] = {a, by_hand, adjoint, it, itt};
    for (int i = 0; i < COUNT(all); i++)
        agn_fn_release(all[i]);
}

/* complex unknowns, an operator that is linear over the reals alone; two unknowns of different shapes */
FORMULA(with_conjugate, ag_add(s, ag_mul(s, in[1], in[0]), ag_mul_c(s, ag_conj(s, in[0]), 0.3)))
FORMULA(two_unknowns, ag_add(s, ag_mul(s, in[2], in[0]), ag_broadcast_to(s, ag_mul_c(s, in[1], 0.2), 1, I64(3))),
        ag_add(s, ag_mul_c(s, in[1], 2), ag_mul_c(s, ag_sum_all(s, ag_mul(s, in[2], in[0])), 0.1)))
static void odd_systems(void)
{
    agn_tensor *z = random_of(AGN_C128, 1, I64(2), 1, 2), *c = random_of(AGN_C128, 1, I64(2), 1, 2);
    agn_tensor *one = random_of(AGN_F64, 0, NULL, 1, 2), *none = NULL;
    agn_fn *a = whole_fn(with_conjugate, NULL, 2, 1), *f = MADE(agn_fn_linear_solve(&made_, a, 1, NULL, NULL));
    whole(f, 2, (const T[]){z, c}, 1e-6, "complex unknowns as pairs");
    agn_fn_release(f);
    agn_fn_release(a);
    a = whole_fn(two_unknowns, NULL, 3, 2);
    f = MADE(agn_fn_linear_solve(&made_, a, 2, NULL, NULL));
    whole(f, 3, (const T[]){b3, one, p3}, 1e-6, "two unknowns");
    agn_fn_release(f);
    agn_fn_release(a);
    must(agn_full(&none, AGN_F64, 1, I64(0), 0));
    a = whole_fn(with_conjugate, NULL, 2, 1);
    f = MADE(agn_fn_linear_solve(&made_, a, 1, NULL, NULL));
    agn_tensor *y = NULL;
    must(agn_fn_call(&y, 1, f, AGN_ARGS(none, none)));
    ok(agn_numel(y) == 0, "no unknowns at all");
    agn_fn_release(f);
    agn_fn_release(a);
    agn_tensor *drop[] = {z, c, one, none, y};
    for (int i = 0; i < COUNT(drop); i++)
        agn_release(drop[i]);
}

/* ---- roots ---------------------------------------------------------------------------------------------- */

/* x^2 - a */
FORMULA(square_less, ag_sub(s, ag_square(s, in[0]), in[1]))
static int calls;
BODY(newton_sqrt)
{
    T x = in[0];
    double moved = 1;
    (void)user;
    calls++;
    for (int i = 0; i < 60 && x && moved > 1e-16; i++) {
        T y = ag_mul_c(s, ag_add(s, x, ag_div(s, in[1], x)), 0.5);
        T far = ag_max(s, ag_abs(s, ag_sub(s, y, x)), NULL, 0, false);
        if (!far || agn_scope_fail(s, agn_item_f64(&moved, far)))
            break;
        x = y;
    }
    out[0] = x;
    return agn_scope_status(s);
}
FORMULA(square_root, ag_sqrt(s, in[1]))

/* x^3 + a x + 0.3 sum x - captured q */
FORMULA(coupled, ag_sub(s, ag_add(s, ag_mul(s, ag_square(s, in[0]), in[0]),
                                  ag_add(s, ag_mul(s, in[1], in[0]), ag_mul_c(s, ag_sum_all(s, in[0]), 0.3))),
                        (T)user))
static T slope(agn_scope *s, T x, T a) /* df/dx, symmetric */
{
    T d = ag_add(s, ag_mul_c(s, ag_square(s, x), 3), a);
    return ag_add_c(s, ag_mul(s, ag_eye(s, AGN_F64, 3, 3, 0), d), 0.3);
}
/* b, x, a and what the solver alone looks at */
FORMULA(slope_solve, ag_linalg_solve(s, slope(s, in[1], in[2]), in[0]))
BODY(newton)
{
    T x = in[0], f = NULL;
    (void)user;
    for (int i = 0; i < 12 && x; i++) {
        coupled((void *)(uintptr_t)in[2], s, (const T[]){x, in[1]}, &f);
        x = ag_sub(s, x, ag_linalg_solve(s, slope(s, x, in[1]), f));
    }
    double read;
    out[0] = x;
    return x && f ? agn_item_f64(&read, ag_sum_all(s, x)) : agn_scope_status(s);
}
/* guess, a, q: the equation captures q, and the solver, which needs values, is passed it */
typedef struct with_solver {
    bool own;
} with_solver;
BODY(capturing)
{
    const with_solver *q = user;
    agn_fn *f = whole_fn_in(s, coupled, (void *)(uintptr_t)in[2], 3, 1), *solver = NULL, *lin = NULL, *root = NULL;
    solver = whole_fn_in(s, newton, NULL, 3, 1);
    lin = q->own ? whole_fn_in(s, slope_solve, NULL, 4, 1) : NULL;
    if (!agn_scope_status(s) && !agn_scope_fail(s, agn_fn_root(&root, f, 1, solver, lin, lin)))
        agn_fn_apply(s, out, agn_fn_n_out(root), root, in, agn_fn_n_in(root));
    agn_fn_release(root);
    agn_fn_release(lin);
    agn_fn_release(solver);
    agn_fn_release(f);
    return agn_scope_status(s);
}

/* a root within an equation: y = sqrt(y / 2 + a) with the inner root by newton_sqrt */
BODY(nested_equation)
{
    T y = NULL;
    agn_fn *root = user;
    T arg[2] = {ag_full(s, AGN_F64, 1, I64(3), 1), ag_add(s, ag_mul_c(s, in[0], 0.5), in[1])};
    if (!agn_scope_status(s) && !agn_fn_apply(s, &y, 1, root, arg, 2))
        out[0] = ag_sub(s, y, in[0]);
    return agn_scope_status(s);
}
BODY(fixed_point)
{
    T y = in[0];
    (void)user;
    for (int i = 0; i < 60; i++)
        y = ag_sqrt(s, ag_add(s, ag_mul_c(s, y, 0.5), in[1]));
    out[0] = y;
    return agn_scope_status(s);
}

/* the same equation with x^2 from a loop */
BODY(times_x)
{
    (void)user;
    out[0] = ag_mul(s, in[0], in[1]);
    return agn_scope_status(s);
}
BODY(square_less_by_loop)
{
    T y, a[] = {ag_add_c(s, ag_zeros_like(s, in[0]), 1), ag_stack(s, (T[]){in[0], in[0]}, 2, 0)};
    if (!agn_scope_status(s) && !agn_fn_apply(s, &y, 1, user, a, 2))
        out[0] = ag_sub(s, y, in[1]);
    return agn_scope_status(s);
}
static void root_of_loop(void)
{
    agn_fn *one = whole_fn(times_x, NULL, 2, 1), *loop = MADE(agn_fn_scan(&made_, one, 1, 0, 2,
                                                                          false)),
           *f = whole_fn(square_less_by_loop, loop, 2, 1), *solver = whole_fn(newton_sqrt, NULL, 2, 1),
           *closed = whole_fn(square_root, NULL, 2, 1), *root = MADE(agn_fn_root(&made_, f, 1, solver, NULL, NULL));
    agn_tensor *guess = NULL;
    must(agn_full(&guess, AGN_F64, 1, I64(3), 1));
    const T in[2] = {guess, p3};
    whole_same(root, in, closed, in, 0, 1e-15, "a root of an equation with a loop");
    whole(root, 2, in, 1e-6, "a root of an equation with a loop");
    agn_release(guess);
    agn_fn *drop[] = {one, loop, f, solver, closed, root};
    for (int i = 0; i < COUNT(drop); i++)
        agn_fn_release(drop[i]);
}

static void roots(void)
{
    agn_fn *f = whole_fn(square_less, NULL, 2, 1), *solver = whole_fn(newton_sqrt, NULL, 2, 1),
           *closed = whole_fn(square_root, NULL, 2, 1), *root = MADE(agn_fn_root(&made_, f, 1, solver, NULL, NULL));
    agn_tensor *guess = NULL, *four = scalar_of(AGN_F64, 4), *one = scalar_of(AGN_F64, 1),
               *zero = scalar_of(AGN_F64, 0);
    must(agn_full(&guess, AGN_F64, 1, I64(3), 1));
    const T in[2] = {guess, p3};
    whole_same(root, in, closed, in, 0, 1e-15, "a square root by Newton");
    whole(root, 2, in, 1e-6, "a square root by Newton");
    /* Taylor: sqrt(4 + t) */
    agn_fn *jet = MADE(agn_fn_jet(&made_, root, 8));
    T c[18] = {one};
    for (int i = 1; i < 18; i++)
        c[i] = zero;
    c[9] = four;
    c[10] = one;
    agn_tensor *y[9] = {NULL};
    calls = 0;
    must(agn_fn_call(y, 9, jet, c, 18));
    tally t = {0, 0};
    double want = 2, k = 0.5;
    for (int i = 0; i <= 8; i++, want *= k / i / 4, k -= 1)
        check(&t, fabs(peek(y[i], 0) - want) < 1e-15 * fabs(want) + 1e-17, "coefficient %d: %.17g, not %.17g", i,
              peek(y[i], 0), want);
    check(&t, calls <= 2, "the solver ran %d times", calls);
    tell(&t, "a jet of order 8 of a root; the solver ran once");
    for (int i = 0; i < 9; i++)
        agn_release(y[i]);
    agn_fn_release(jet);
    /* the guess has no derivative, even of a solver that returns it */
    agn_fn *g = MADE(agn_fn_vjp(&made_, root));
    agn_tensor *gy[3] = {NULL};
    must(agn_fn_call(gy, 3, g, AGN_ARGS(guess, p3, b3)));
    ok(peek(gy[1], 0) == 0 && fabs(peek(gy[2], 0) - peek(b3, 0) / 2 / sqrt(peek(p3, 0))) < 1e-15,
       "the guess has none");
    for (int i = 0; i < 3; i++)
        agn_release(gy[i]);
    agn_fn_release(g);
    /* nested */
    agn_fn *eq = whole_fn(nested_equation, root, 2, 1), *fix = whole_fn(fixed_point, NULL, 2, 1),
           *outer = MADE(agn_fn_root(&made_, eq, 1, fix, NULL, NULL));
    whole(outer, 2, in, 1e-6, "a root within an equation");
    agn_fn *all[] = {f, solver, closed, root, eq, fix, outer};
    for (int i = 0; i < COUNT(all); i++)
        agn_fn_release(all[i]);
    for (int own = 0; own < 2; own++) {
        with_solver q = {own};
        f = whole_fn(capturing, &q, 3, 1);
        whole(f, 3, (const T[]){guess, p3, b3}, 1e-6, own ? "coupled, with linear solvers" : "coupled, dense");
        agn_fn_release(f);
    }
    agn_tensor *drop[] = {guess, four, one, zero};
    for (int i = 0; i < COUNT(drop); i++)
        agn_release(drop[i]);
}

/* the gradient of a sum over lanes: no matrix of all lanes is formed */
BODY(lanes_sum)
{
    T y = NULL;
    if (!agn_fn_apply(s, &y, 1, user, in, agn_fn_n_in(user)))
        out[0] = ag_sum_all(s, y);
    return agn_scope_status(s);
}
static int64_t peak_of_lanes(int64_t lanes, bool *right)
{
    agn_fn *f = whole_fn(square_less, NULL, 2, 1), *solver = whole_fn(newton_sqrt, NULL, 2, 1),
           *root = MADE(agn_fn_root(&made_, f, 1, solver, NULL, NULL)),
                   *all = MADE(agn_fn_vmap(&made_, root, NULL, 0, NULL, 0)),
           *sum = whole_fn(lanes_sum, all, 2, 1), *g = MADE(agn_fn_grad(&made_, sum, I32(1), 1));
    agn_tensor *a = random_of(AGN_F64, 2, I64(lanes, 2), 1, 2), *x = NULL, *y = NULL;
    int64_t before, peak;
    must(agn_full(&x, AGN_F64, 2, I64(lanes, 2), 1));
    agn_memory_reset_peak();
    agn_memory_live(&before, NULL, NULL);
    must(agn_fn_call(&y, 1, g, AGN_ARGS(x, a)));
    agn_memory_live(NULL, NULL, &peak);
    *right = true;
    for (int64_t i = 0; i < 2 * lanes; i++)
        *right &= fabs(peek(y, i) * 2 * sqrt(peek(a, i)) - 1) < 1e-14;
    agn_tensor *drop[] = {a, x, y};
    for (int i = 0; i < COUNT(drop); i++)
        agn_release(drop[i]);
    agn_fn *fns[] = {f, solver, root, all, sum, g};
    for (int i = 0; i < COUNT(fns); i++)
        agn_fn_release(fns[i]);
    return peak - before;
}

/* ---- errors ---------------------------------------------------------------------------------------------- */

FORMULA(not_linear, ag_mul(s, in[0], ag_square(s, ag_add(s, in[0], in[1]))))
FORMULA(too_long, ag_concat(s, (const T[]){in[0], in[0]}, 2, 0))
FORMULA(too_narrow, ag_cast(s, in[0], AGN_F32))
FORMULA(fails_to_converge, user ? in[0] : ag_div(s, in[0], in[1]))
FORMULA(passes, s ? in[0] : NULL)
BODY(gives_up)
{
    (void)user, (void)s, (void)in, (void)out;
    return AGN_ENOCONV;
}
BODY(reads)
{
    double v;
    (void)user;
    T n = ag_sum_all(s, in[0]);
    out[0] = in[0];
    return n ? agn_item_f64(&v, n) : agn_scope_status(s);
}
/* guess, a: the solver captures a, which has no value under vmap */
FORMULA(gives_captured, (T)user && s ? (T)user : in[0])
BODY(solver_captures)
{
    agn_fn *f = whole_fn_in(s, square_less, NULL, 2, 1), *root = NULL,
           *solver = whole_fn_in(s, gives_captured, (void *)(uintptr_t)in[1], 2, 1);
    (void)user;
    if (!agn_scope_status(s) && !agn_scope_fail(s, agn_fn_root(&root, f, 1, solver, NULL, NULL)))
        agn_fn_apply(s, out, agn_fn_n_out(root), root, in, agn_fn_n_in(root));
    agn_fn_release(root);
    agn_fn_release(solver);
    agn_fn_release(f);
    return agn_scope_status(s);
}
FORMULA(many, ag_add(s, in[0], in[33]))

FORMULA(adds_argument, ag_add(s, ag_mul_c(s, in[0], 2), ag_sum_all(s, in[1])))
FORMULA(adds_nothing, ag_add(s, ag_mul_c(s, in[0], 2), ag_mul_c(s, ag_sum_all(s, in[1]), 0)))

static void errors(void)
{
    tally t = {0, 0};
    agn_fn *a = whole_fn(operator, W, 2, 1), *sol = whole_fn(direct, NULL, 2, 1), *f1 = whole_fn(passes, NULL, 1, 1),
           *f;
    agn_tensor *whole_number = scalar_of(AGN_I64, 3);
    const T in[2] = {b3, p3};
    NO_FN(AGN_ENULL, "fn_linear_solve", "a is", NULL, agn_fn_linear_solve(&out, NULL, 1, NULL, NULL));
    NO_FN(AGN_ENULL, "fn_linear_solve", "out is", NULL, agn_fn_linear_solve(NULL, a, 1, NULL, NULL));
    NO_FN(AGN_EARG, "fn_linear_solve", "0 unknowns", "2", agn_fn_linear_solve(&out, a, 0, NULL, NULL));
    NO_FN(AGN_EARG, "fn_linear_solve", "2 unknowns", "1", agn_fn_linear_solve(&out, a, 2, NULL, NULL));
    NO_FN(AGN_EARG, "fn_linear_solve", "solve has 1", "2", agn_fn_linear_solve(&out, a, 1, f1, NULL));
    NO_FN(AGN_EARG, "fn_linear_solve", "adjoint has 1", "2", agn_fn_linear_solve(&out, a, 1, sol, f1));
    NO_FN(AGN_EARG, "fn_linear_solve", "adjoint is given", "1", agn_fn_linear_solve(&out, a, 1, NULL, sol));
    check(&t, no_call(MADE(agn_fn_linear_solve(&made_, a, 1, sol, sol)), (const T[]){whole_number, p3}, AGN_EDTYPE,
                      "linear_solve", "i64"), "a whole number");
    agn_body *const bodies[] = {not_linear, too_long, too_narrow, reads};
    const agn_status wants[] = {AGN_EDOMAIN, AGN_ESHAPE, AGN_EDTYPE, AGN_ESYMBOLIC};
    static const char *const facts[] = {"square", "[6]", "f32", "item"};
    for (int i = 0; i < COUNT(bodies); i++) {
        f = whole_fn(bodies[i], NULL, 2, 1);
        check(&t, no_call(MADE(agn_fn_linear_solve(&made_, f, 1, NULL, NULL)), in, wants[i],
                          i == 3 ? NULL : "linear_solve", facts[i]), "equation %d: %s", i, agn_error_message());
        if (i)
            check(&t, no_call(MADE(agn_fn_root(&made_, f, 1, sol, NULL, NULL)), in, wants[i], i == 3 ? NULL : "root",
                              facts[i]), "residual %d: %s", i, agn_error_message());
        if (i == 1 || i == 2) {
            check(&t, no_call(MADE(agn_fn_linear_solve(&made_, a, 1, f, f)), in, wants[i], "linear_solve", facts[i]),
                  "solver %d", i);
            check(&t,
                  no_call(MADE(agn_fn_root(&made_, a, 1, f, NULL, NULL)), in, wants[i], "root",
                          facts[i]),
                  "solver %d", i);
        }
        agn_fn_release(f);
    }
    f = whole_fn(adds_argument, NULL, 2, 1);
    check(&t, no_call(MADE(agn_fn_linear_solve(&made_, f, 1, NULL, NULL)), in, AGN_EDOMAIN, "linear_solve", "constant"),
          "an argument is added: %s", agn_error_message());
    check(&t, no_call(MADE(agn_fn_linear_solve(&made_, f, 1, sol, sol)), in, AGN_EDOMAIN, "linear_solve", "constant"),
          "the same with a solver: %s", agn_error_message());
    agn_fn_release(f);
    f = whole_fn(adds_nothing, NULL, 2, 1);
    agn_fn *halves = MADE(agn_fn_linear_solve(&made_, f, 1, NULL, NULL));
    agn_tensor *half = NULL;
    must(agn_fn_call(&half, 1, halves, in, 2));
    check(&t, peek(half, 0) == peek(b3, 0) / 2, "a zero is added");
    agn_release(half);
    agn_fn_release(halves);
    agn_fn_release(f);
    f = whole_fn(gives_up, NULL, 2, 1);
    check(&t, no_call(MADE(agn_fn_linear_solve(&made_, a, 1, f, f)), in, AGN_ENOCONV, NULL, NULL), "a solver gives up");
    check(&t, no_call(MADE(agn_fn_root(&made_, a, 1, f, NULL, NULL)), in, AGN_ENOCONV, NULL, NULL),
          "a solver gives up");
    agn_fn_release(f);
    f = whole_fn(solver_captures, NULL, 2, 1);
    check(&t, no_call(MADE(agn_fn_vmap(&made_, f, NULL, 0, NULL, 0)), in, AGN_ESYMBOLIC, "root", "captures"),
          "a solver captures a symbol: %s", agn_error_message());
    agn_fn_release(f);
    /* no adjoint solver: forward works, backwards is refused */
    f = MADE(agn_fn_linear_solve(&made_, a, 1, sol, NULL));
    agn_fn *d = MADE(agn_fn_jvp(&made_, f));
    agn_tensor *y[2] = {NULL};
    must(agn_fn_call(y, 2, d, AGN_ARGS(b3, p3, p3, b3)));
    agn_release(y[0]);
    agn_release(y[1]);
    agn_fn_release(d);
    check(&t,
          no_call(MADE(agn_fn_vjp(&made_, f)), (const T[]){b3, p3, b3}, AGN_EUNSUPPORTED,
                  "linear_solve", "adjoint"),
          "no adjoint");
    agn_fn_release(f);
    /* a singular matrix, and a singular slope at a root */
    agn_tensor *zero = modes_zeros_like(b3);
    f = whole_fn(with_conjugate, NULL, 2, 1);
    agn_fn *eq = whole_fn(square_less, NULL, 2, 1), *guess = whole_fn(passes, NULL, 2, 1);
    agn_fn *mul = whole_fn(fails_to_converge, NULL, 2, 1);
    d = MADE(agn_fn_root(&made_, eq, 1, guess, NULL, NULL));
    check(&t,
          no_call(MADE(agn_fn_jvp(&made_, d)), (const T[]){zero, zero, b3, p3}, AGN_EDOMAIN,
                  "linalg_solve", "singular"),
          "the slope is zero: %s", agn_error_message());
    agn_fn_release(d);
    agn_fn *wide = whole_fn(many, NULL, 34, 1);
    T arg[34];
    for (int i = 0; i < 34; i++)
        arg[i] = i ? zero : b3;
    agn_fn *own = whole_fn(many, NULL, 34, 1);
    check(&t,
          no_call(MADE(agn_fn_root(&made_, wide, 1, own, NULL, NULL)), arg, AGN_EUNSUPPORTED,
                  "root", "32"),
          "34 arguments");
    agn_fn_release(own);
    agn_fn_release(wide);
    agn_fn_release(guess);
    agn_fn_release(mul);
    agn_fn_release(eq);
    agn_fn_release(f);
    NO_FN(AGN_ENULL, "fn_root", "solver", NULL, agn_fn_root(&out, a, 1, NULL, NULL, NULL));
    NO_FN(AGN_ENULL, "fn_root", "f is", NULL, agn_fn_root(&out, NULL, 1, sol, NULL, NULL));
    NO_FN(AGN_ENULL, "fn_root", "out is", NULL, agn_fn_root(NULL, a, 1, sol, NULL, NULL));
    NO_FN(AGN_EARG, "fn_root", "3 unknowns", "2", agn_fn_root(&out, a, 3, sol, NULL, NULL));
    NO_FN(AGN_EARG, "fn_root", "1 arguments", "2", agn_fn_root(&out, a, 1, f1, NULL, NULL));
    NO_FN(AGN_EARG, "fn_root", "2 arguments", "3", agn_fn_root(&out, a, 1, sol, sol, NULL));
    f = whole_fn(slope_solve, NULL, 3, 1);
    NO_FN(AGN_EARG, "fn_root", "adjoint is given", "1", agn_fn_root(&out, a, 1, sol, NULL, f));
    agn_fn_release(f);
    check(&t, no_call(MADE(agn_fn_root(&made_, a, 1, sol, NULL, NULL)), (const T[]){whole_number, p3}, AGN_EDTYPE,
                      "root", "i64"), "a whole number");
    tell(&t, "refusals");
    agn_release(whole_number);
    agn_release(zero);
    agn_fn_release(a);
    agn_fn_release(sol);
    agn_fn_release(f1);
}

/* the parameter is written between the root and its gradient */
static agn_status write_between(const agn_fn *f)
{
    double *data = malloc(3 * sizeof *data);
    agn_tensor *mine = NULL, *w = NULL, *y = NULL, *g = untouched;
    void *p = NULL;
    data[0] = 1, data[1] = 2, data[2] = 3;
    must(agn_wrap_host(&mine, AGN_F64, 1, I64(3), NULL, data, false, free, data));
    must(agn_watch(&w, mine));
    must(agn_fn_call(&y, 1, f, AGN_ARGS(b3, w)));
    must(agn_data_mut(&p, mine));
    data[0] = 7;
    agn_status st = agn_gradient(&g, (const T[]){y}, 1, (const T[]){w}, 1, NULL);
    if (!st)
        agn_release(g);
    agn_release(y);
    agn_release(w);
    agn_release(mine);
    return st;
}
static void stale(void)
{
    agn_fn *eq = whole_fn(square_less, NULL, 2, 1),
           *solver = whole_fn(newton_sqrt, NULL, 2, 1), *a = whole_fn(operator, W, 2, 1),
           *sol = whole_fn(direct, NULL, 2, 1), *adj = whole_fn(direct_adjoint, NULL, 2, 1),
           *root = MADE(agn_fn_root(&made_, eq, 1, solver, NULL, NULL)),
           *lin = MADE(agn_fn_linear_solve(&made_, a, 1, sol, adj));
    is_int(write_between(root), AGN_ESTALE, "a root whose parameter was written");
    is_int(write_between(lin), AGN_ESTALE, "a linear system whose parameter was written");
    agn_fn *fns[] = {eq, solver, a, sol, adj, root, lin};
    for (int i = 0; i < COUNT(fns); i++)
        agn_fn_release(fns[i]);
}

int main(void)
{
    b3 = random_of(AGN_F64, 1, I64(3), 0.5, 1);
    p3 = random_of(AGN_F64, 1, I64(3), 1, 2);
    W = random_of(AGN_F64, 2, I64(3, 3), -0.3, 0.3);
    linear_systems();
    odd_systems();
    roots();
    root_of_loop();
    bool right[2];
    int64_t few = peak_of_lanes(50, right), more = peak_of_lanes(500, right + 1);
    ok(right[0] && right[1] && more < 20 * few, "a gradient over lanes: %" PRId64 " bytes for 50 lanes, %" PRId64
       " for 500", few, more);
    errors();
    stale();
    agn_release(b3);
    agn_release(p3);
    agn_release(W);
    int64_t blocks;
    agn_memory_live(NULL, &blocks, NULL);
    ok(blocks == 0, "nothing is left: %" PRId64 " blocks", blocks);
    return done();
}
