/* tools/cases-control.c - ops that take programs: each over small ones, whose values are known. */
#include "cases.h"

#include <agnesi/control.h>
#include <agnesi/implicit.h>
#include <agnesi/tape.h>
#include <agnesi/check.h>

enum { TURNS = 3, UNKNOWNS = 3, SHIFT = 4 };

/* ---- functions of the host ------------------------------------------------------------------ */

#define BODY(name)                                                                           \
    static agn_status name(void *user, agn_scope *s, const agn_tensor *const *in,            \
                           const agn_tensor **out)
#define GIVE(expression)                                                                     \
    {                                                                                        \
        (void)user;                                                                          \
        out[0] = expression;                                                                 \
        return agn_scope_status(s);                                                          \
    }

BODY(same) GIVE(in[0])
BODY(twice) GIVE(ag_add(s, in[0], in[0]))
BODY(power) GIVE(ag_add(s, ag_mul(s, in[0], in[0]), in[0]))
BODY(with_name) GIVE(ag_named(s, ag_add(s, ag_mul(s, in[0], in[0]), in[0]), "x^2 + x"))
/* x, y and t or g: of a custom rule */
static const agn_tensor *slope(agn_scope *s, const agn_tensor *x)
{
    return ag_add_c(s, ag_mul_c(s, x, 2), 1);
}
BODY(tangent) GIVE(ag_mul(s, slope(s, in[0]), in[2]))
BODY(cotangent) GIVE(ag_mul(s, ag_conj(s, slope(s, in[0])), in[2]))
/* coefficient k of x^2 + x */
static agn_status coefficients(void *user, agn_scope *s, int32_t order, const agn_tensor *const *in,
                               const agn_tensor **out)
{
    (void)user;
    for (int32_t k = 1; k <= order; k++) {
        out[k - 1] = in[k];
        for (int32_t j = 0; j <= k; j++)
            out[k - 1] = ag_add(s, out[k - 1], ag_mul(s, in[j], in[k - j]));
    }
    return agn_scope_status(s);
}
/* h and x to h x + x, twice */
BODY(step)
{
    (void)user;
    out[0] = out[1] = ag_add(s, ag_mul(s, in[0], in[1]), in[1]);
    return agn_scope_status(s);
}
/* x and the number of turns */
BODY(turn)
{
    (void)user;
    out[0] = ag_add(s, ag_mul(s, in[0], in[0]), in[0]);
    out[1] = ag_add_c(s, in[1], 1);
    return agn_scope_status(s);
}
BODY(again) GIVE(ag_lt(s, in[1], beside(s, in[1], ag_full(s, AGN_I64, 0, NULL, 2))))
/* x and a to (a + 4) x; b and a to x, and the same for the adjoint */
static const agn_tensor *shifted(agn_scope *s, const agn_tensor *a)
{
    const agn_tensor *one = beside(s, a, ag_eye(s, agn_dtype_of(a), UNKNOWNS, UNKNOWNS, 0));
    return ag_add(s, a, ag_mul_c(s, one, SHIFT));
}
BODY(applied) GIVE(ag_matmul(s, shifted(s, in[1]), in[0]))
BODY(solved) GIVE(ag_linalg_solve(s, shifted(s, in[1]), in[0]))
BODY(solved_back) GIVE(ag_linalg_solve(s, ag_conj(s, ag_transpose(s, shifted(s, in[1]))), in[0]))
/* x and a to x^2 - (a / 8 + 1), and the root near 1 by Newton's steps */
static const agn_tensor *target(agn_scope *s, const agn_tensor *a)
{
    return ag_add_c(s, ag_mul_c(s, a, 0.125), 1);
}
BODY(residual) GIVE(ag_sub(s, ag_mul(s, in[0], in[0]), target(s, in[1])))
BODY(newton)
{
    (void)user;
    const agn_tensor *x = ag_add_c(s, ag_mul_c(s, in[0], 0), 1), *to = target(s, in[1]);
    for (int k = 0; k < 8; k++)
        x = ag_mul_c(s, ag_add(s, x, ag_div(s, to, x)), 0.5);
    out[0] = x;
    return agn_scope_status(s);
}

/* ---- calls -------------------------------------------------------------------------------------- */

static agn_fn *host(agn_body *body, int n_in, int n_out)
{
    agn_fn *f = NULL;
    return agn_fn_new(&f, body, NULL, NULL, n_in, n_out) ? NULL : f;
}

/* a call of g, which is released, with those of its results but one */
static agn_status finish(agn_tensor **out, agn_status st, agn_fn *g, int which,
                         const agn_tensor *const *x)
{
    agn_tensor *y[MOST_ARGS] = {NULL};
    if (!st)
        st = agn_fn_call(y, agn_fn_n_out(g), g, x, agn_fn_n_in(g));
    for (int o = 0; o < MOST_ARGS; o++)
        if (o == which)
            *out = y[o];
        else
            agn_release(y[o]);
    agn_fn_release(g);
    return st;
}

#define RUN(name)                                                                          \
    static agn_status run_##name(agn_tensor **out, const op_case *c, int dtype,            \
                                 const agn_tensor *const *x)
/* by one function of one function */
#define RUN_OF(name, body, make)                                                           \
    RUN(name)                                                                              \
    {                                                                                      \
        (void)c, (void)dtype;                                                              \
        agn_fn *f = host(body, 1, 1), *g = NULL;                                           \
        agn_status st = f ? make : AGN_ENOMEM;                                             \
        agn_fn_release(f);                                                                 \
        return finish(out, st, g, 0, x);                                                   \
    }
#define RULE(...) &(agn_custom_rule){.size = sizeof(agn_custom_rule), __VA_ARGS__}
RUN_OF(checkpoint, power, agn_fn_checkpoint(&g, f))
RUN_OF(named, with_name, (g = agn_fn_retain(f), AGN_OK))
RUN_OF(custom, power, agn_fn_custom(&g, f, RULE(.jvp = tangent, .vjp = cotangent)))
RUN_OF(custom_jet, power, agn_fn_custom(&g, f, RULE(.jet = coefficients, .vjp = cotangent)))
RUN_OF(watched, power, agn_fn_watch_nan(&g, f, NULL))

RUN(branch)
{
    (void)dtype;
    agn_fn *f[] = {host(twice, 1, 1), host(power, 1, 1), host(same, 1, 1)}, *g = NULL;
    bool fine = f[0] && f[1] && f[2];
    agn_status st = !fine                 ? AGN_ENOMEM
                    : c->role[0] == 'B' ? agn_fn_cond(&g, f[0], f[1])
                                          : agn_fn_switch(&g, (const agn_fn *const *)f, 3);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *in[] = {x[0], x[1]};
    if (c->role[0] != 'B') /* a number from 20 on: 0, 1 or 2 */
        in[0] = ag_remainder(s, x[0], beside(s, x[0], ag_full(s, AGN_I64, 0, NULL, 3)));
    st = agn_scope_fail(s, st);
    agn_tensor *y = NULL;
    st = finish(&y, st, g, 0, in);
    agn_scope_return(s, out, agn_scope_adopt(s, st, &y));
    for (int k = 0; k < 3; k++)
        agn_fn_release(f[k]);
    return agn_scope_close(s);
}

RUN(scan)
{
    (void)c, (void)dtype;
    agn_fn *f = host(step, 2, 2), *g = NULL;
    agn_status st = f ? agn_fn_scan(&g, f, 1, 0, TURNS, false) : AGN_ENOMEM;
    agn_fn_release(f);
    return finish(out, st, g, 1, x);
}

/* what goes back through it to the first h from ones for its results */
RUN(scan_back)
{
    (void)c, (void)dtype;
    agn_scope *s = agn_scope_open(NULL);
    agn_fn *f = host(step, 2, 2), *g = NULL, *back = NULL;
    agn_status st = f ? agn_fn_scan_with(&g, f, 1, 0, TURNS,
                                         &(agn_scan_options){.size = sizeof(agn_scan_options), .keep = 1})
                      : AGN_ENOMEM;
    if (!st)
        st = agn_fn_vjp(&back, g);
    const agn_tensor *in[] = {x[0], x[1], ag_zeros_like(s, x[0]), ag_ones_like(s, x[1])};
    agn_tensor *y = NULL;
    st = finish(&y, agn_scope_fail(s, st), back, 2, in);
    agn_scope_return(s, out, agn_scope_adopt(s, st, &y));
    agn_fn_release(g);
    agn_fn_release(f);
    return agn_scope_close(s);
}

RUN(while)
{
    (void)c, (void)dtype;
    const agn_while_options few = {.size = sizeof few, .max_steps = 4};
    agn_scope *s = agn_scope_open(NULL);
    agn_fn *f = host(turn, 2, 2), *more = host(again, 2, 1), *g = NULL;
    agn_status st = f && more ? agn_fn_while(&g, more, f, &few) : AGN_ENOMEM;
    const agn_tensor *in[] = {x[0], ag_zeros(s, AGN_I64, 0, NULL)};
    agn_tensor *y = NULL;
    st = finish(&y, agn_scope_fail(s, st), g, 0, in);
    agn_scope_return(s, out, agn_scope_adopt(s, st, &y));
    agn_fn_release(more);
    agn_fn_release(f);
    return agn_scope_close(s);
}

RUN(linear_solve)
{
    (void)c, (void)dtype;
    agn_fn *f = host(applied, 2, 1), *solver = host(solved, 2, 1), *back = host(solved_back, 2, 1);
    agn_fn *g = NULL;
    agn_status st = f && solver && back ? agn_fn_linear_solve(&g, f, 1, solver, back) : AGN_ENOMEM;
    agn_fn_release(back);
    agn_fn_release(solver);
    agn_fn_release(f);
    return finish(out, st, g, 0, (const agn_tensor *[]){x[1], x[0]});
}

RUN(root)
{
    (void)c, (void)dtype;
    agn_fn *f = host(residual, 2, 1), *solver = host(newton, 2, 1), *g = NULL;
    agn_status st = f && solver ? agn_fn_root(&g, f, 1, solver, NULL, NULL) : AGN_ENOMEM;
    agn_fn_release(solver);
    agn_fn_release(f);
    return finish(out, st, g, 0, (const agn_tensor *[]){x[0], x[0]});
}

RUN(hook)
{
    (void)c, (void)dtype;
    agn_fn *f = host(power, 1, 1), *look = host(same, 1, 1), *g = NULL;
    agn_status st = f && look ? agn_fn_hook(&g, f, look, look) : AGN_ENOMEM;
    agn_fn_release(look);
    agn_fn_release(f);
    return finish(out, st, g, 0, x);
}

RUN(packed)
{
    (void)c, (void)dtype;
    agn_fn *f = host(power, 1, 1), *keep = host(same, 1, 1), *g = NULL;
    agn_status st = f && keep ? agn_fn_pack(&g, f, keep, keep) : AGN_ENOMEM;
    agn_fn_release(keep);
    agn_fn_release(f);
    return finish(out, st, g, 0, x);
}

/* what a watched function sends back: its cotangents are looked at */
RUN(nan_check)
{
    (void)c, (void)dtype;
    agn_scope *s = agn_scope_open(NULL);
    agn_fn *f = host(power, 1, 1), *g = NULL, *back = NULL;
    agn_status st = f ? agn_fn_watch_nan(&g, f, NULL) : AGN_ENOMEM;
    if (!st)
        st = agn_fn_vjp(&back, g);
    agn_tensor *y = NULL;
    st = finish(&y, agn_scope_fail(s, st), back, 1, (const agn_tensor *[]){x[0], ag_ones_like(s, x[0])});
    agn_scope_return(s, out, agn_scope_adopt(s, st, &y));
    agn_fn_release(g);
    agn_fn_release(f);
    return agn_scope_close(s);
}

/* ---- what they should give ------------------------------------------------------------------------ */

#define WANT(name) static void want_##name(const op_case *c, int dtype, wide *const *x, wide *y)

WANT(power)
{
    (void)dtype;
    for (int64_t k = 0; k < shape_count(&c->out); k++)
        y[k] = x[0][k] * x[0][k] + x[0][k];
}
WANT(branch)
{
    (void)dtype;
    int64_t which = (int64_t)creall(x[0][0]);
    which = c->role[0] == 'B' ? !which : which % 3;
    for (int64_t k = 0; k < shape_count(&c->out); k++)
        y[k] = which == 0 ? 2 * x[1][k] : which == 1 ? x[1][k] * x[1][k] + x[1][k] : x[1][k];
}
WANT(scan)
{
    (void)dtype;
    int64_t n = c->out.size[1];
    for (int64_t k = 0; k < shape_count(&c->out); k++)
        y[k] = (k < n ? x[0][k] : y[k - n]) * x[1][k] + x[1][k];
}
/* products of the first one, two, three x */
WANT(scan_back)
{
    (void)dtype;
    int64_t n = c->out.size[0];
    for (int64_t j = 0; j < n; j++) {
        wide all = 1;
        y[j] = 0;
        for (int k = 0; k < TURNS; k++)
            y[j] += all *= conjl(x[1][k * n + j]);
    }
}
WANT(while)
{
    (void)dtype;
    for (int64_t k = 0; k < shape_count(&c->out); k++) {
        y[k] = x[0][k] * x[0][k] + x[0][k];
        y[k] = y[k] * y[k] + y[k];
    }
}
WANT(root)
{
    (void)dtype;
    for (int64_t k = 0; k < shape_count(&c->out); k++)
        y[k] = csqrtl(x[0][k] / 8 + 1);
}
WANT(slope)
{
    (void)dtype;
    for (int64_t k = 0; k < shape_count(&c->out); k++)
        y[k] = conjl(2 * x[0][k] + 1);
}

/* ---- the cases ---------------------------------------------------------------------------------------- */

enum {
    NUMBERS = 1 << AGN_I32 | 1 << AGN_I64 | 1 << AGN_F32 | 1 << AGN_F64 | 1 << AGN_C64 | 1 << AGN_C128,
    FIELDS = 1 << AGN_F32 | 1 << AGN_F64 | 1 << AGN_C64 | 1 << AGN_C128
};
#define S(n, ...) {n, {__VA_ARGS__}}
#define CALL(name, wanted, on, of) \
    .want = want_##wanted, .run = run_##name, .run_diff = on, .run_dtypes = of, .inner = true
const op_case cases_control[] = {
    {"checkpoint", 1, "D", {S(1, 3)}, S(1, 3), CALL(checkpoint, power, 1, NUMBERS)},
    {"named", 1, "D", {S(1, 3)}, S(1, 3), CALL(named, power, 1, NUMBERS)},
    {"custom", 1, "D", {S(1, 3)}, S(1, 3), CALL(custom, power, 1, NUMBERS), .host = true},
    {"custom_jet", 1, "D", {S(1, 3)}, S(1, 3), CALL(custom_jet, power, 1, NUMBERS), .host = true},
    {"cond", 2, "BD", {{.ndim = 0}, S(1, 3)}, S(1, 3), CALL(branch, branch, 2, NUMBERS)},
    {"switch", 2, "ND", {{.ndim = 0}, S(1, 3)}, S(1, 3), CALL(branch, branch, 2, NUMBERS)},
    {"scan", 2, "DD", {S(1, 2), S(2, 3, 2)}, S(2, 3, 2), CALL(scan, scan, 3, NUMBERS)},
    {"while", 1, "D", {S(1, 3)}, S(1, 3), CALL(while, while, 1, NUMBERS)},
    {"scan_back", 2, "DD", {S(1, 2), S(2, 3, 2)}, S(1, 2), CALL(scan_back, scan_back, 3, FIELDS)},
    {"linear_solve", 2, "DD", {S(2, 3, 3), S(2, 3, 2)}, S(2, 3, 2), .want = want_solution,
     .run = run_linear_solve, .run_diff = 3, .run_dtypes = FIELDS, .inner = true, .host = true},
    {"root", 1, "D", {S(1, 3)}, S(1, 3), CALL(root, root, 1, FIELDS), .host = true},
    {"hook", 1, "D", {S(1, 3)}, S(1, 3), CALL(hook, power, 1, NUMBERS), .host = true},
    {"packed", 1, "D", {S(1, 3)}, S(1, 3), CALL(packed, power, 1, NUMBERS)},
    {"watched", 1, "D", {S(1, 3)}, S(1, 3), CALL(watched, power, 1, NUMBERS), .host = true},
    {"nan_check", 1, "D", {S(1, 3)}, S(1, 3), CALL(nan_check, slope, 1, FIELDS), .host = true},
    {.op = NULL},
};
