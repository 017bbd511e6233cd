/* tests/t-linearize.c - the linear part of a function at a point, transposes of linear functions,
   Gauss-Newton and Fisher products, Jacobians and Hessians in parts and in chunks. */
#include "whole.h"

/* x [3], w [3,2] to [2] and [3] */
FORMULA(network, ag_tanh(s, ag_matmul(s, in[0], in[1])),
        ag_mul(s, ag_sin(s, in[0]), ag_sum(s, in[1], I32(1), 1, false)))
FORMULA(energy, ag_sum_all(s, ag_exp(s, ag_matmul(s, ag_sin(s, in[0]), in[1]))))
FORMULA(loss, ag_add(s, ag_sum_all(s, ag_exp(s, in[0])), ag_sum_all(s, ag_square(s, in[1]))))
/* row by row: x [4,2], w [2,3] to [4,3] and [4] */
FORMULA(rows, ag_tanh(s, ag_matmul(s, in[0], in[1])),
        ag_sum(s, ag_matmul(s, ag_square(s, in[0]), in[1]), I32(1), 1, false))
FORMULA(row_sum, ag_sum_all(s, ag_exp(s, ag_matmul(s, in[0], in[1]))))

static agn_tensor *x, *w, *v, *vw, *u, *u2;

/* ---- linearize ---------------------------------------------------------------------------------- */

/* point, then tangents or cotangents: linearises anew; user: forward? */
BODY(linearised)
{
    bool forward = *(const bool *)user;
    agn_fn *f = whole_fn_in(s, network, NULL, 2, 2), *lin = NULL;
    if (f && !agn_scope_fail(s, agn_fn_linearize(forward ? &lin : NULL, forward ? NULL : &lin, NULL,
                                                 0, f, in, agn_fn_n_in(f), I32(0, 1), 2)))
        agn_fn_apply(s, out, agn_fn_n_out(lin), lin, in + 2, agn_fn_n_in(lin));
    agn_fn_release(lin);
    agn_fn_release(f);
    return agn_scope_status(s);
}

static void linearising(void)
{
    agn_fn *f = whole_fn(network, NULL, 2, 2), *to = NULL, *from = NULL, *jvp, *vjp, *fast, *g;
    agn_tensor *y[2] = {NULL}, *z[2] = {NULL};
    const T at[4] = {x, w, v, vw}, at2[4] = {x, w, u, u2};
    must(agn_fn_linearize(&to, &from, y, 2, f, at, 2, I32(0, 1), 2));
    must(agn_fn_call(z, 2, f, at, 2));
    ok(modes_apart(y[0], z[0]) == 0 && modes_apart(y[1], z[1]) == 0, "the results at the point");
    for (int i = 0; i < 2; i++) {
        agn_release(y[i]);
        agn_release(z[i]);
    }
    jvp = MADE(agn_fn_jvp(&made_, f));
    vjp = MADE(agn_fn_vjp(&made_, f));
    whole_same(to, (const T[]){v, vw}, jvp, at, 2, 1e-15, "forward is the tangent");
    whole_same(from, (const T[]){u, u2}, vjp, at2, 2, 1e-15, "reverse is the cotangent");
    fast = MADE(agn_fn_compile(&made_, to, NULL));
    whole_same(fast, (const T[]){v, vw}, jvp, at, 2, 1e-15, "forward compiled");
    agn_fn_release(fast);
    /* one argument alone, and the Hessian as an operator */
    agn_fn *e = whole_fn(energy, NULL, 2, 1), *grad = MADE(agn_fn_grad(&made_, e, NULL, 0)),
           *hvp = MADE(agn_fn_hvp(&made_, e, NULL, 0)), *h = NULL, *ht = NULL;
    must(agn_fn_linearize(&h, &ht, NULL, 0, grad, at, 2, NULL, 0));
    is_int(agn_fn_n_in(h), 1, "one named argument, one tangent");
    whole_same(h, (const T[]){v}, hvp, at, 0, 1e-14, "of the gradient: H v");
    whole_same(ht, (const T[]){v}, hvp, at, 0, 1e-14, "which is symmetric");
    whole(h, 1, (const T[]){v}, 1e-6, "H v at a point");
    /* lanes: the whole Jacobian from products */
    agn_tensor *eye = NULL;
    must(agn_eye(&eye, AGN_F64, 3, 3, 0));
    agn_fn *lanes = MADE(agn_fn_vmap(&made_, h, NULL, 0, NULL, 0)),
           *hess = MADE(agn_fn_hessian(&made_, e, 0));
    whole_same(lanes, (const T[]){eye}, hess, at, 0, 1e-14, "H from its products with an identity");
    agn_release(eye);
    /* the point as a variable of outer transforms */
    for (int k = 0; k < 2; k++) {
        bool forward = k == 0;
        g = whole_fn(linearised, &forward, 4, 2);
        whole(g, 4, forward ? at : at2, 1e-6, forward ? "forward, at a variable point"
                                                      : "reverse, at a variable point");
        agn_fn_release(g);
    }
    agn_fn *all[] = {f, to, from, jvp, vjp, e, grad, hvp, h, ht, lanes, hess};
    for (int i = 0; i < COUNT(all); i++)
        agn_fn_release(all[i]);
}

FORMULA(squares, ag_mul(s, in[0], in[0]))
FORMULA(sine, ag_sin(s, in[0]))

/* a write to the point is noticed where the products read it, and harmless elsewhere */
static void stale(agn_body *body, agn_status want, const char *what)
{
    double *data = malloc(3 * sizeof *data);
    agn_tensor *mine = NULL, *before = NULL, *after = untouched;
    agn_fn *f = whole_fn(body, NULL, 1, 1), *to = NULL;
    void *p = NULL;
    for (int i = 0; i < 3; i++)
        data[i] = peek(x, i);
    must(agn_wrap_host(&mine, AGN_F64, 1, I64(3), NULL, data, false, free, data));
    must(agn_fn_linearize(&to, NULL, NULL, 0, f, AGN_ARGS(mine), NULL, 0));
    must(agn_fn_call(&before, 1, to, AGN_ARGS(v)));
    must(agn_data_mut(&p, mine));
    data[0] = 7;
    is_int(agn_fn_call(&after, 1, to, AGN_ARGS(v)), want, "%s, at a point that was written", what);
    ok(want ? after == untouched : modes_apart(after, before) == 0, "is refused or right");
    agn_release(want ? NULL : after);
    agn_release(before);
    agn_release(mine);
    agn_fn_release(to);
    agn_fn_release(f);
}

/* ---- transposes ------------------------------------------------------------------------------------ */

FORMULA(linear_in_first, ag_sum(s, ag_mul(s, ag_matmul(s, in[0], in[1]), ag_lit(s, 3)), I32(0), 1, true),
        ag_sub(s, ag_flip(s, in[0], I32(0), 1), ag_div(s, in[0], ag_lit(s, 2))))
FORMULA(joint, ag_add(s, ag_mul_c(s, in[0], 2), ag_neg(s, in[1])))
FORMULA(solves, ag_linalg_solve(s, in[1], in[0]))
FORMULA(chooses, ag_where(s, ag_gt(s, in[1], ag_lit(s, 0)), in[0], ag_zeros_like(s, in[0])))
FORMULA(adds, ag_add_c(s, in[0], 1))
FORMULA(joins, ag_concat(s, (const T[]){in[0], in[1]}, 2, 0))
FORMULA(rounds, ag_mul(s, in[1], ag_round(s, in[0])))
FORMULA(masks, ag_where(s, ag_gt(s, in[0], ag_lit(s, 0)), in[0], ag_zeros_like(s, in[0])))
FORMULA(gives_second, s ? in[1] : NULL)
BODY(reads)
{
    double d;
    (void)user;
    out[0] = in[0];
    T sum = ag_sum_all(s, in[0]);
    return sum ? agn_item_f64(&d, sum) : agn_scope_status(s);
}

static void not_linear(agn_body *body, const char *op, agn_status want)
{
    agn_fn *f = whole_fn(body, NULL, 2, 1), *t = MADE(agn_fn_linear_transpose(&made_, f, NULL, 0));
    agn_tensor *y = NULL, *g = untouched;
    must(agn_fn_call(&y, 1, f, AGN_ARGS(x, v)));
    agn_tensor *cot = modes_random_like(y);
    agn_status st = agn_fn_call(&g, 1, t, AGN_ARGS(x, v, cot));
    ok(st == want && g == untouched && strstr(agn_error_message(), op), "%s is refused: %s", op,
       agn_error_message());
    agn_release(y);
    agn_release(cot);
    agn_fn_release(t);
    agn_fn_release(f);
}

/* loops: c' = c / 2 + x, y = c + 3 x k, and the same with a product of two that depend on x */
FORMULA(step, ag_add(s, ag_mul_c(s, in[0], 0.5), in[1]), ag_add(s, in[0], ag_mul(s, in[1], in[2])))
FORMULA(bent, ag_add(s, ag_mul_c(s, in[0], 0.5), in[1]), ag_mul(s, in[0], in[1]))
FORMULA(thrice, ag_mul_c(s, in[0], 3))
BODY(looped)
{
    agn_fn *const *f = user;
    const agn_tensor *a[] = {ag_mul(s, in[0], in[1]), in[0], in[1]};
    a[0] = a[0] ? ag_index_axis(s, a[0], 0, 0) : NULL;
    const agn_tensor *y[2] = {NULL};
    if (!agn_scope_status(s) && !agn_fn_apply(s, y, 2, f[0], a, 3))
        agn_fn_apply(s, out, agn_fn_n_out(f[1]), f[1], y + 1, 1);
    return agn_scope_status(s);
}
static agn_fn *loop_fn(agn_body *body, agn_fn *f[2])
{
    agn_fn *one = whole_fn(body, NULL, 3, 2), *lane = whole_fn(thrice, NULL, 1, 1);
    f[0] = MADE(agn_fn_scan(&made_, one, 1, 0, 3, false));
    f[1] = MADE(agn_fn_map(&made_, lane, NULL, 0, NULL, 0, 1));
    agn_fn_release(one);
    agn_fn_release(lane);
    return whole_fn(looped, f, 2, 1);
}
static void transposing_loops(void)
{
    agn_fn *inner[2], *f = loop_fn(step, inner), *t = MADE(agn_fn_linear_transpose(&made_, f, NULL, 0)),
           *vjp = MADE(agn_fn_vjp(&made_, f)), *solve, *fast;
    const T in[] = {x, v, u2};
    whole_same(t, in, vjp, in, 1, 1e-15, "of a scan and a map");
    fast = MADE(agn_fn_compile(&made_, t, NULL));
    whole_same(fast, in, vjp, in, 1, 1e-15, "of a scan and a map, compiled");
    agn_fn_release(fast);
    agn_fn_release(t);
    agn_fn_release(vjp);
    /* a system whose operator is a loop: A of the solution is the right-hand side */
    agn_tensor *y = NULL, *b = NULL;
    solve = MADE(agn_fn_linear_solve(&made_, f, 1, NULL, NULL));
    must(agn_fn_call(&y, 1, solve, AGN_ARGS(x, v)));
    must(agn_fn_call(&b, 1, f, AGN_ARGS(y, v)));
    ok(modes_apart(b, x) < 1e-13, "linear_solve of a loop: apart %.1e", modes_apart(b, x));
    agn_release(y);
    agn_release(b);
    agn_fn_release(solve);
    agn_fn_release(f);
    for (int i = 0; i < 2; i++)
        agn_fn_release(inner[i]);
    f = loop_fn(bent, inner);
    agn_tensor *g = untouched;
    t = MADE(agn_fn_linear_transpose(&made_, f, NULL, 0));
    agn_status st = agn_fn_call(&g, 1, t, in, 3);
    ok(st == AGN_EDOMAIN && g == untouched && strstr(agn_error_message(), "scan"),
       "a product within a loop is refused: %s", agn_error_message());
    agn_fn_release(t);
    agn_fn_release(f);
    for (int i = 0; i < 2; i++)
        agn_fn_release(inner[i]);
}

/* t, x, v to the tangent alone: the loops carry values of x, which are no constants of a map of t */
BODY(tangent_in_first)
{
    T a[] = {in[1], in[2], in[0], ag_zeros_like(s, in[2])}, y[2] = {NULL};
    if (!agn_scope_status(s))
        agn_fn_apply(s, y, 2, user, a, 4);
    out[0] = y[1];
    return agn_scope_status(s);
}
FORMULA(bent_turn, ag_add(s, ag_mul(s, ag_tanh(s, in[0]), in[1]), ag_sin(s, in[0])), in[1])
FORMULA(bent_once, ag_add(s, ag_mul(s, ag_tanh(s, in[0]), in[1]), ag_sin(s, in[0])))
FORMULA(bent_going, ag_lt(s, ag_sum_all(s, in[0]), ag_lit(s, 1e3)))
BODY(first_of_two)
{
    T y[3] = {NULL}; /* values and their number of steps */
    agn_fn_apply(s, y, 3, user, in, agn_fn_n_in(user));
    out[0] = y[0];
    return agn_scope_status(s);
}
static void transposing_tangents_of_loops(void)
{
    static const char *const names[] = {"the tangent of a scan", "of while", "of a checkpoint"};
    agn_fn *inner[2], *turn = whole_fn(bent_turn, NULL, 2, 2), *once = whole_fn(bent_once, NULL, 2, 1),
           *going = whole_fn(bent_going, NULL, 2, 1);
    agn_while_options opts = {.size = sizeof opts, .max_steps = 3};
    agn_fn *round = MADE(agn_fn_while(&made_, going, turn, &opts));
    agn_fn *all[] = {loop_fn(bent, inner), whole_fn(first_of_two, round, 2, 1),
                     MADE(agn_fn_checkpoint(&made_, once))};
    for (int i = 0; i < COUNT(all); i++) {
        agn_fn *d = MADE(agn_fn_jvp(&made_, all[i])), *vjp = MADE(agn_fn_vjp(&made_, all[i]));
        agn_fn *h = whole_fn(tangent_in_first, d, 3, 1), *t = MADE(agn_fn_linear_transpose(&made_, h, NULL, 0));
        agn_fn *fast = MADE(agn_fn_compile(&made_, t, NULL));
        const T in[] = {u2, x, v, u2}, at[] = {x, v, u2};
        whole_same(t, in, vjp, at, 1, 1e-14, names[i]);
        whole_same(fast, in, vjp, at, 1, 1e-14, names[i]);
        agn_fn *drop[] = {d, vjp, h, t, fast, all[i]};
        for (int k = 0; k < COUNT(drop); k++)
            agn_fn_release(drop[k]);
    }
    agn_fn *drop[] = {inner[0], inner[1], turn, once, going, round};
    for (int k = 0; k < COUNT(drop); k++)
        agn_fn_release(drop[k]);
}

/* Loops of which some carried values depend on the argument at once, some late, some never (a held
   tensor's powers, a count): beside the same loop written out, also within a loop, a checkpoint and
   lanes, in every mode. */
FORMULA(one_turn, ag_add(s, in[0], ag_lit(s, 1)),            /* a count */
        ag_mul(s, in[1], ag_sin(s, in[1])),                  /* never */
        ag_add(s, ag_sin(s, in[3]), ag_mul(s, in[2], in[1])), /* late */
        ag_add(s, ag_mul(s, in[3], in[4]), ag_cos(s, in[1])), /* at once */
        ag_mul(s, in[2], in[1]), ag_mul_c(s, in[1], 2))       /* stacked: late, never */
FORMULA(going_on, ag_lt(s, in[0], ag_lit(s, 4)))
FORMULA(one_round, ag_add(s, in[0], ag_lit(s, 1)), ag_mul(s, in[1], ag_sin(s, in[1])),
        ag_add(s, ag_sin(s, in[3]), ag_mul(s, in[2], in[1])), ag_add(s, ag_mul(s, in[3], in[4]), ag_cos(s, in[1])),
        in[4])
typedef struct late {
    agn_fn *loop;
    T held;
    int n; /* carried; of a while everything is */
} late;
static T put_together(agn_scope *s, T a, T b, T c, T stack, T other)
{
    T sum = ag_add(s, ag_add(s, a, ag_mul(s, b, b)), c);
    return stack ? ag_add(s, sum, ag_mul(s, ag_sum_all(s, stack), ag_sum_all(s, other))) : sum;
}
BODY(late_loop)
{
    const late *q = user;
    T y[6] = {NULL}, xs = q->n == 4 ? ag_stack(s, (T[]){in[0], in[0], in[0], in[0]}, 4, 0) : in[0];
    T a[] = {ag_full(s, AGN_I64, 0, NULL, 0), q->held, ag_zeros_like(s, q->held), ag_zeros_like(s, q->held), xs};
    if (!agn_scope_status(s) && !agn_fn_apply(s, y, 6, q->loop, a, 5))
        out[0] = put_together(s, y[1], y[2], y[3], q->n == 4 ? y[4] : NULL, y[5]);
    return agn_scope_status(s);
}
BODY(late_written_out)
{
    const late *q = user;
    T a[5] = {ag_lit(s, 0), q->held, ag_zeros_like(s, q->held), ag_zeros_like(s, q->held), in[0]}, y[6], stack = NULL,
      other = NULL;
    for (int i = 0; i < 4 && !agn_scope_status(s); i++) {
        one_turn(NULL, s, a, y);
        memcpy(a, y, 4 * sizeof *a);
        stack = i ? ag_add(s, stack, ag_sum_all(s, y[4])) : ag_sum_all(s, y[4]);
        other = i ? ag_add(s, other, ag_sum_all(s, y[5])) : ag_sum_all(s, y[5]);
    }
    out[0] = put_together(s, a[1], a[2], a[3], q->n == 4 ? stack : NULL, other);
    return agn_scope_status(s);
}
static void values_that_no_tangent_reaches(void)
{
    agn_fn *one = whole_fn(one_turn, NULL, 5, 6), *going = whole_fn(going_on, NULL, 5, 1),
           *again = whole_fn(one_round, NULL, 5, 5);
    agn_while_options opts = {.size = sizeof opts, .max_steps = 6};
    late loops[] = {{MADE(agn_fn_scan(&made_, one, 4, 0, 4, false)), v, 4},
                    {MADE(agn_fn_while(&made_, going, again, &opts)), v, 5}};
    for (int i = 0; i < COUNT(loops); i++) {
        agn_fn *f = whole_fn(late_loop, &loops[i], 1, 1), *g = whole_fn(late_written_out, &loops[i], 1, 1);
        agn_fn *held = MADE(agn_fn_checkpoint(&made_, f)), *df = MADE(agn_fn_jacobian(&made_, f, 0)),
               *dg = MADE(agn_fn_jacobian(&made_, g, 0)), *lf = MADE(agn_fn_vmap(&made_, df, NULL,
                                                                                 0, NULL, 0)),
               *lg = MADE(agn_fn_vmap(&made_, dg, NULL, 0, NULL, 0));
        agn_tensor *many = random_of(AGN_F64, 2, I64(4, 3), -1, 1);
        const char *name = i ? "while: some carried values stay" : "scan: some carried values stay";
        whole(f, 1, (const T[]){x}, 1e-6, name);
        whole(held, 1, (const T[]){x}, 1e-6, name);
        whole_same(df, (const T[]){x}, dg, (const T[]){x}, 0, 1e-13, name);
        whole_same(lf, (const T[]){many}, lg, (const T[]){many}, 0, 1e-13, name);
        agn_fn *drop[] = {f, g, held, df, dg, lf, lg, loops[i].loop};
        for (int k = 0; k < COUNT(drop); k++)
            agn_fn_release(drop[k]);
        agn_release(many);
    }
    agn_fn *drop[] = {one, going, again};
    for (int k = 0; k < COUNT(drop); k++)
        agn_fn_release(drop[k]);
}

static void transposing(void)
{
    agn_fn *f = whole_fn(linear_in_first, NULL, 2, 2),
           *t = MADE(agn_fn_linear_transpose(&made_, f, NULL, 0)), *vjp = MADE(agn_fn_vjp(&made_, f));
    agn_tensor *one = random_of(AGN_F64, 1, I64(1), -1, 1);
    const T in[4] = {x, w, one, v};
    whole_same(t, in, vjp, in, 2, 1e-15, "the transpose is the cotangent");
    /* linear in the cotangents, not in w */
    whole(t, 4, in, 1e-6, "a transpose");
    agn_fn_release(t);
    agn_fn_release(vjp);
    agn_fn_release(f);
    agn_release(one);
    f = whole_fn(joint, NULL, 2, 1);
    t = MADE(agn_fn_linear_transpose(&made_, f, I32(1, 0), 2));
    agn_tensor *g[2] = {NULL};
    must(agn_fn_call(g, 2, t, AGN_ARGS(x, v, u2)));
    ok(peek(g[0], 1) == -peek(u2, 1) && peek(g[1], 1) == 2 * peek(u2, 1), "of two arguments together");
    agn_release(g[0]);
    agn_release(g[1]);
    agn_fn_release(t);
    agn_fn_release(f);
    agn_tensor *a = random_of(AGN_F64, 2, I64(3, 3), 1, 2), *d = NULL, *at = NULL;
    must(agn_eye(&d, AGN_F64, 3, 3, 0));
    must(agn_add(&at, a, d));
    agn_release(a);
    a = at;
    f = whole_fn(solves, NULL, 2, 1);
    t = MADE(agn_fn_linear_transpose(&made_, f, NULL, 0));
    vjp = MADE(agn_fn_vjp(&made_, f));
    whole_same(t, (const T[]){x, a, v}, vjp, (const T[]){x, a, v}, 1, 1e-12, "of a solve");
    agn_release(a);
    agn_release(d);
    agn_fn_release(t);
    agn_fn_release(vjp);
    agn_fn_release(f);
    f = whole_fn(chooses, NULL, 2, 1);
    t = MADE(agn_fn_linear_transpose(&made_, f, NULL, 0));
    vjp = MADE(agn_fn_vjp(&made_, f));
    whole_same(t, (const T[]){x, v, u2}, vjp, (const T[]){x, v, u2}, 1, 1e-15, "of a choice");
    agn_fn_release(t);
    agn_fn_release(vjp);
    agn_fn_release(f);
    not_linear(sine, "sin", AGN_EDOMAIN);
    not_linear(adds, "add", AGN_EDOMAIN);
    not_linear(joins, "concat", AGN_EDOMAIN);
    not_linear(squares, "mul", AGN_EDOMAIN);
    not_linear(rounds, "round", AGN_EDOMAIN);
    not_linear(masks, "gt", AGN_EDOMAIN);
    not_linear(gives_second, "constant", AGN_EDOMAIN);
    not_linear(reads, "item", AGN_ESYMBOLIC);
}

/* ---- curvature ---------------------------------------------------------------------------------------- */

/* J^T H J v from the parts */
BODY(by_parts)
{
    const bool *with_loss = user;
    agn_fn *f = whole_fn(network, NULL, 2, 2), *to = NULL, *from = NULL, *l = whole_fn(loss, NULL, 2, 1),
           *h = NULL;
    T y[2], jv[2], a[4];
    agn_tensor *yy[2] = {NULL};
    must(agn_fn_linearize(&to, &from, yy, 2, f, in, agn_fn_n_in(f), I32(0, 1), 2));
    must(agn_fn_hvp(&h, l, I32(0, 1), 2));
    for (int i = 0; i < 2; i++)
        a[i] = agn_scope_adopt(s, AGN_OK, &yy[i]);
    if (!agn_fn_apply(s, jv, 2, to, in + 2, agn_fn_n_in(to))) {
        a[2] = jv[0];
        a[3] = jv[1];
        if (*with_loss)
            agn_fn_apply(s, y, 2, h, a, 4);
        agn_fn_apply(s, out, agn_fn_n_out(from), from, *with_loss ? y : jv, agn_fn_n_in(from));
    }
    agn_fn_release(f);
    agn_fn_release(to);
    agn_fn_release(from);
    agn_fn_release(l);
    agn_fn_release(h);
    return agn_scope_status(s);
}

static void curvature(void)
{
    agn_fn *f = whole_fn(network, NULL, 2, 2), *l = whole_fn(loss, NULL, 2, 1), *g, *p;
    const T in[4] = {x, w, v, vw};
    for (int k = 0; k < 2; k++) {
        bool with_loss = k;
        p = whole_fn(by_parts, &with_loss, 4, 2);
        g = MADE(agn_fn_gauss_newton(&made_, f, with_loss ? l : NULL, I32(0, 1), 2));
        whole_same(g, in, p, in, 0, 1e-14, k ? "Gauss-Newton with a loss" : "Gauss-Newton, least squares");
        whole(g, 4, in, 1e-6, k ? "the product with a loss" : "the product");
        agn_fn_release(g);
        agn_fn_release(p);
    }
    /* scores by rows: sum_i s_i (s_i' v) */
    g = MADE(agn_fn_fisher(&made_, f, NULL, 0));
    agn_fn *jac = MADE(agn_fn_jacobian(&made_, f, 0));
    agn_tensor *scores = NULL, *sv = NULL, *want = NULL, *st = NULL, *have = NULL;
    must(agn_fn_call(&scores, 1, jac, in, 2));
    must(agn_matmul(&sv, scores, v));
    must(agn_swapaxes(&st, scores, 0, 1));
    must(agn_matmul(&want, st, sv));
    must(agn_fn_call(&have, 1, g, AGN_ARGS(x, w, v)));
    double e = modes_apart(have, want);
    ok(e < 1e-15, "Fisher: the sum of outer products of scores, apart %.1e", e);
    agn_tensor *drop[] = {scores, sv, want, st, have};
    for (int i = 0; i < COUNT(drop); i++)
        agn_release(drop[i]);
    agn_fn_release(jac);
    agn_fn_release(g);
    agn_fn_release(l);
    agn_fn_release(f);
}

/* ---- Jacobians --------------------------------------------------------------------------------------------- */

static agn_jacobian_options options(int mode, int64_t chunk, int results, bool values, int batch)
{
    return (agn_jacobian_options){.size = sizeof(agn_jacobian_options), .mode = mode, .chunk = chunk,
                                  .results = results, .values = values, .batch = batch};
}

static void jacobians(void)
{
    agn_fn *f = whole_fn(network, NULL, 2, 2), *j[2], *g, *first;
    const T in[2] = {x, w};
    tally t = {0, 0};
    agn_tensor *want[4] = {NULL};
    /* the four blocks, each from vjp over an identity by hand: compare all ways with each other */
    agn_jacobian_options o = options(AGN_JACOBIAN_REVERSE, 0, 2, false, 0);
    j[0] = MADE(agn_fn_jacobian_with(&made_, f, I32(0, 1), 2, &o));
    must(agn_fn_call(want, 4, j[0], in, 2));
    for (int mode = 0; mode < 3; mode++)
        for (int64_t chunk = 0; chunk < 8; chunk++) {
            agn_tensor *have[6] = {NULL};
            o = options(mode, chunk, 2, true, 0);
            g = MADE(agn_fn_jacobian_with(&made_, f, I32(0, 1), 2, &o));
            must(agn_fn_call(have, 6, g, in, 2));
            for (int k = 0; k < 4; k++) {
                double e = modes_apart(have[2 + k], want[k]);
                check(&t, e < 1e-15, "mode %d, chunks of %d, block %d: apart %.1e", mode, (int)chunk, k, e);
            }
            check(&t, agn_numel(have[0]) == 2 && agn_numel(have[1]) == 3, "values come first");
            for (int k = 0; k < 6; k++)
                agn_release(have[k]);
            agn_fn_release(g);
        }
    const int64_t shape[] = {3, 3, 2};
    check(&t, has_shape(want[3], 3, shape) && has_shape(want[0], 2, I64(2, 3)), "shapes of blocks");
    tell(&t, "four blocks in every mode and chunk");
    first = MADE(agn_fn_jacobian(&made_, f, 0));
    agn_tensor *one = NULL;
    must(agn_fn_call(&one, 1, first, in, 2));
    ok(modes_apart(one, want[0]) < 1e-15, "and the one of agn_fn_jacobian");
    agn_release(one);
    for (int k = 0; k < 4; k++)
        agn_release(want[k]);
    agn_fn_release(j[0]);
    agn_fn_release(first);
    o = options(AGN_JACOBIAN_FORWARD, 2, 2, false, 0);
    j[0] = MADE(agn_fn_jacobian_with(&made_, f, I32(1, 0), 2, &o));
    whole(j[0], 2, in, 1e-6, "a Jacobian forward, in chunks");
    o = options(AGN_JACOBIAN_REVERSE, 1, 1, true, 0);
    j[1] = MADE(agn_fn_jacobian_with(&made_, f, I32(1, 0), 2, &o));
    whole(j[1], 2, in, 1e-6, "a Jacobian in reverse, in chunks");
    agn_fn_release(j[0]);
    agn_fn_release(j[1]);
    agn_fn_release(f);

    /* a batch of rows: the diagonal blocks of the whole */
    t = (tally){0, 0};
    agn_tensor *xs = random_of(AGN_F64, 2, I64(4, 2), -1, 1), *ws = random_of(AGN_F64, 2, I64(2, 3), -1, 1);
    const T rin[2] = {xs, ws};
    f = whole_fn(rows, NULL, 2, 2);
    agn_tensor *all[2] = {NULL}, *part[2] = {NULL};
    o = options(0, 0, 2, false, 0);
    g = MADE(agn_fn_jacobian_with(&made_, f, NULL, 0, &o));
    must(agn_fn_call(all, 2, g, rin, 2));
    agn_fn_release(g);
    for (int mode = 1; mode < 3; mode++)
        for (int64_t chunk = 0; chunk < 3; chunk++) {
            o = options(mode, chunk, 2, false, 1);
            g = MADE(agn_fn_jacobian_with(&made_, f, NULL, 0, &o));
            must(agn_fn_call(part, 2, g, rin, 2));
            check(&t, has_shape(part[0], 3, I64(4, 3, 2)) && has_shape(part[1], 2, I64(4, 2)), "shapes");
            for (int64_t r = 0; r < 4; r++)
                for (int64_t c = 0; c < 2; c++) {
                    check(&t, fabs(peek(part[1], 2 * r + c) - peek(all[1], (4 * r + r) * 2 + c)) < 1e-15,
                          "row %d", (int)r);
                    for (int64_t y = 0; y < 3; y++)
                        check(&t, fabs(peek(part[0], (3 * r + y) * 2 + c) -
                                       peek(all[0], ((3 * r + y) * 4 + r) * 2 + c)) < 1e-15,
                              "row %d of mode %d", (int)r, mode);
                }
            agn_release(part[0]);
            agn_release(part[1]);
            if (chunk == 1)
                whole(g, 2, rin, 1e-6, mode == 1 ? "rows, forward" : "rows, in reverse");
            agn_fn_release(g);
        }
    tell(&t, "with batch axes the blocks on the diagonal");
    agn_release(all[0]);
    agn_release(all[1]);
    agn_fn_release(f);
    agn_release(xs);
    agn_release(ws);
}

static void hessians(void)
{
    agn_fn *f = whole_fn(energy, NULL, 2, 1), *g, *h[2], *b;
    const T in[2] = {x, w};
    tally t = {0, 0};
    agn_tensor *all[4] = {NULL}, *own[2] = {NULL}, *blocks[2] = {NULL}, *trace[2] = {NULL};
    g = MADE(agn_fn_hessian_with(&made_, f, I32(0, 1), 2, NULL));
    must(agn_fn_call(all, 4, g, in, 2));
    for (int i = 0; i < 2; i++) {
        h[i] = MADE(agn_fn_hessian(&made_, f, i));
        must(agn_fn_call(own + i, agn_fn_n_out(h[i]), h[i], in, 2));
        check(&t, modes_apart(all[3 * i], own[i]) < 1e-15, "block %d", i);
        agn_fn_release(h[i]);
    }
    for (int64_t a = 0; a < 3; a++)
        for (int64_t c = 0; c < 6; c++)
            check(&t, fabs(peek(all[1], 6 * a + c) - peek(all[2], 3 * c + a)) < 1e-14, "symmetry");
    agn_jacobian_options o = options(AGN_JACOBIAN_FORWARD, 2, 0, false, 0);
    b = MADE(agn_fn_hessian_blocks(&made_, f, I32(0, 1), 2, &o));
    must(agn_fn_call(blocks, 2, b, in, 2));
    for (int64_t chunk = 0; chunk < 8; chunk += 3) {
        agn_fn *d = MADE(agn_fn_hessian_diagonal(&made_, f, I32(0, 1), 2, chunk));
        must(agn_fn_call(trace, 2, d, in, 2));
        for (int i = 0; i < 2; i++) {
            int64_t n = agn_numel(trace[i]);
            check(&t, modes_apart(blocks[i], own[i]) < 1e-15 && same_shapes(trace[i], in[i]), "shapes");
            for (int64_t k = 0; k < n; k++)
                check(&t, fabs(peek(trace[i], k) - peek(own[i], k * n + k)) < 1e-14, "entry %d of %d",
                      (int)k, i);
            agn_release(trace[i]);
        }
        if (chunk == 3)
            whole(d, 2, in, 1e-6, "the diagonal of a Hessian");
        agn_fn_release(d);
    }
    tell(&t, "blocks, blocks on the diagonal, the diagonal");
    whole(b, 2, in, 1e-6, "the blocks on the diagonal of a Hessian");
    for (int i = 0; i < 2; i++) {
        agn_release(own[i]);
        agn_release(blocks[i]);
    }
    for (int i = 0; i < 4; i++)
        agn_release(all[i]);
    agn_fn_release(b);
    agn_fn_release(g);
    agn_fn_release(f);
    /* a sum over rows: [4,2,2] at the price of a row */
    agn_tensor *xs = random_of(AGN_F64, 2, I64(4, 2), -1, 1), *ws = random_of(AGN_F64, 2, I64(2, 3), -1, 1);
    agn_tensor *full = NULL, *part = NULL;
    f = whole_fn(row_sum, NULL, 2, 1);
    g = MADE(agn_fn_hessian(&made_, f, 0));
    o = options(0, 0, 0, false, 1);
    b = MADE(agn_fn_hessian_blocks(&made_, f, NULL, 0, &o));
    must(agn_fn_call(&full, 1, g, AGN_ARGS(xs, ws)));
    must(agn_fn_call(&part, 1, b, AGN_ARGS(xs, ws)));
    t = (tally){0, 0};
    for (int64_t r = 0; r < 4; r++)
        for (int64_t k = 0; k < 4; k++)
            check(&t, fabs(peek(part, 4 * r + k) - peek(full, (((2 * r + k / 2) * 4 + r) * 2) + k % 2)) < 1e-14,
                  "row %d", (int)r);
    tell(&t, "a Hessian by rows");
    agn_tensor *drop[] = {xs, ws, full, part};
    for (int i = 0; i < COUNT(drop); i++)
        agn_release(drop[i]);
    agn_fn_release(f);
    agn_fn_release(g);
    agn_fn_release(b);
}

/* with complex numbers on one side the same in either direction, in what dtypes the gradient has; on both
   sides refused unless it is a holomorphic function */
FORMULA(turn, ag_exp(s, ag_complex(s, ag_mul(s, in[0], ag_lit(s, 0.5)), in[0])))
FORMULA(length, ag_abs(s, in[0]))
FORMULA(square_length, ag_sum_all(s, ag_square(s, ag_abs(s, in[0]))))
FORMULA(square, ag_mul(s, in[0], in[0]))
FORMULA(mirror, ag_conj(s, in[0]))
FORMULA(narrow, ag_cast(s, ag_sin(s, in[0]), AGN_F32))

static agn_tensor *jacobian_by(int mode, int64_t chunk, bool holomorphic, agn_body *body, T at)
{
    agn_jacobian_options o = options(mode, chunk, 1, false, 0);
    agn_tensor *y = NULL;
    o.holomorphic = holomorphic;
    agn_fn *f = whole_fn(body, NULL, 1, 1), *j = MADE(agn_fn_jacobian_with(&made_, f, NULL, 0, &o));
    must(agn_fn_call(&y, 1, j, &at, 1));
    agn_fn_release(j);
    agn_fn_release(f);
    return y;
}

static void complex_jacobians(void)
{
    agn_tensor *z = random_of(AGN_C128, 1, I64(3), -1, 1);
    double a[6], d[18];
    tally t = {0, 0};
    must(agn_to_host(a, z, sizeof a));
    for (int mode = AGN_JACOBIAN_BY_COST; mode <= AGN_JACOBIAN_REVERSE; mode++)
        for (int64_t chunk = 0; chunk < 3; chunk++) {
            agn_tensor *j = jacobian_by(mode, chunk, false, turn, x);
            check(&t, agn_dtype_of(j) == AGN_C128, "dtype of dy/dx");
            must(agn_to_host(d, j, sizeof d));
            for (int k = 0; k < 9; k++) { /* (1/2 + i) exp(x/2 + i x) on the diagonal */
                double at = peek(x, k / 3), r = k % 4 ? 0 : exp(at / 2);
                double re = r * (cos(at) / 2 - sin(at)), im = r * (cos(at) + sin(at) / 2);
                check(&t, fabs(d[2 * k] - re) < 1e-14 && fabs(d[2 * k + 1] - im) < 1e-14,
                      "mode %d, chunk %d: entry %d of dy/dx is %g + %g i, not %g + %g i", mode,
                      (int)chunk, k, d[2 * k], d[2 * k + 1], re, im);
            }
            agn_release(j);
            j = jacobian_by(mode, chunk, false, length, z);
            check(&t, agn_dtype_of(j) == AGN_C128, "dtype of the gradient");
            must(agn_to_host(d, j, sizeof d));
            for (int k = 0; k < 9; k++) { /* z / |z| */
                double r = hypot(a[2 * (k / 3)], a[2 * (k / 3) + 1]);
                for (int i = 0; i < 2; i++)
                    check(&t, fabs(d[2 * k + i] - (k % 4 ? 0 : a[2 * (k / 3) + i] / r)) < 1e-14,
                          "mode %d, chunk %d: number %d of entry %d of a gradient is %g", mode,
                          (int)chunk, i, k, d[2 * k + i]);
            }
            agn_release(j);
            j = jacobian_by(mode, chunk, true, square, z);
            must(agn_to_host(d, j, sizeof d));
            for (int k = 0; k < 18; k++)
                check(&t, fabs(d[k] - (k / 2 % 4 ? 0 : 2 * a[2 * (k / 6) + k % 2])) < 1e-14,
                      "mode %d, chunk %d: number %d of 2 z is %g", mode, (int)chunk, k, d[k]);
            agn_release(j);
            j = jacobian_by(mode, chunk, false, narrow, x);
            check(&t, agn_dtype_of(j) == AGN_F64, "mode %d: f32 by f64 is f64", mode);
            agn_release(j);
            agn_jacobian_options o = options(mode, chunk, 1, false, 0);
            agn_fn *f = whole_fn(mirror, NULL, 1, 1);
            check(&t, no_call(MADE(agn_fn_jacobian_with(&made_, f, NULL, 0, &o)), (const T[]){z},
                              AGN_EDTYPE, "jacobian", "holomorphic"), "of conj");
            agn_fn_release(f);
            f = whole_fn(square_length, NULL, 1, 1);
            check(&t, no_call(MADE(agn_fn_hessian_with(&made_, f, NULL, 0, &o)), (const T[]){z},
                              AGN_EDTYPE, "jacobian", "holomorphic"), "a Hessian");
            agn_fn_release(f);
        }
    agn_release(z);
    tell(&t, "Jacobians with complex numbers on one side, and of holomorphic functions");
}

/* Where seeds are many but short of way, their number misleads. x [4] goes a long way, w [60] a short one. */
static agn_tensor *wide_in, *wide_out;
#define LONG_WAY(x) \
    ag_matmul(s, ag_tanh(s, ag_matmul(s, ag_tanh(s, ag_matmul(s, x, wide_in)), square_weights)), wide_out)
static agn_tensor *square_weights;
FORMULA(few_far, ag_mul(s, LONG_WAY(in[0]), in[1]))
FORMULA(far_to_few, ag_index_str(s, LONG_WAY(ag_index_str(s, ag_sin(s, in[1]), "0:4")), "0:4"),
        ag_sin(s, in[1]))
FORMULA(straight, LONG_WAY(in[0]))

static double planned_flops(agn_body *body, int mode, int n, int results, const T *in)
{
    static char text[1 << 16];
    double flops = 0;
    agn_tensor *y[4] = {NULL};
    agn_jacobian_options o = options(mode, 0, results, false, 0);
    agn_fn *f = whole_fn(body, NULL, 2, results),
           *j = MADE(agn_fn_jacobian_with(&made_, f, I32(0, 1), n, &o)),
           *plan = MADE(agn_fn_compile(&made_, j, NULL));
    must(agn_fn_call(y, agn_fn_n_out(plan), plan, in, agn_fn_n_in(plan)));
    must(agn_plan_explain(text, sizeof text, NULL, plan));
    const char *at = strstr(text, "bound: ");
    if (!at || sscanf(at, "bound: %lf flops", &flops) != 1)
        bail_out("no flops in %s", text);
    for (int i = 0; i < 4; i++)
        agn_release(y[i]);
    agn_fn_release(plan);
    agn_fn_release(j);
    agn_fn_release(f);
    return flops;
}

static void cheaper_way(void)
{
    static const struct {
        const char *name;
        agn_body *body;
        int n, results;
    } table[] = {{"64 arguments, 60 results, 60 arguments nearby", few_far, 2, 1},
                 {"64 arguments, 64 results, 60 of them nearby", far_to_few, 2, 2},
                 {"4 arguments, 60 results", straight, 1, 1}};
    wide_in = random_of(AGN_F64, 2, I64(4, 50), -1, 1);
    square_weights = random_of(AGN_F64, 2, I64(50, 50), -1, 1);
    wide_out = random_of(AGN_F64, 2, I64(50, 60), -1, 1);
    agn_tensor *few = random_of(AGN_F64, 1, I64(4), -1, 1), *many = random_of(AGN_F64, 1, I64(60), -1, 1);
    const T in[2] = {few, many};
    for (int i = 0; i < COUNT(table); i++) {
        double way[3];
        for (int mode = 0; mode < 3; mode++)
            way[mode] = planned_flops(table[i].body, mode, table[i].n, table[i].results, in);
        ok(way[0] == fmin(way[1], way[2]), "%s: %g flops, forward %g, reverse %g", table[i].name, way[0],
           way[1], way[2]);
    }
    agn_tensor *drop[] = {wide_in, square_weights, wide_out, few, many};
    for (int i = 0; i < COUNT(drop); i++)
        agn_release(drop[i]);
}

/* memory of a chunked Jacobian does not grow with the number of seeds */
FORMULA(long_chain, ag_sin(s, ag_mul(s, ag_cumsum(s, ag_sin(s, in[0]), 0), ag_exp(s, ag_neg(s, in[0])))))
static int64_t peak_of(int64_t chunk)
{
    agn_tensor *big = random_of(AGN_F64, 1, I64(400), -1, 1), *y = NULL;
    agn_fn *f = whole_fn(long_chain, NULL, 1, 1);
    agn_jacobian_options o = options(AGN_JACOBIAN_FORWARD, chunk, 1, false, 0);
    agn_fn *g = MADE(agn_fn_jacobian_with(&made_, f, NULL, 0, &o));
    int64_t bytes, blocks, before, peak;
    agn_memory_reset_peak();
    agn_memory_live(&before, &blocks, &peak);
    must(agn_fn_call(&y, 1, g, AGN_ARGS(big)));
    agn_memory_live(&bytes, &blocks, &peak);
    agn_release(y);
    agn_release(big);
    agn_fn_release(g);
    agn_fn_release(f);
    return peak - before;
}

/* ---- errors -------------------------------------------------------------------------------------------------- */

static void errors(void)
{
    tally t = {0, 0};
    agn_fn *f = whole_fn(network, NULL, 2, 2), *e = whole_fn(energy, NULL, 2, 1), *back = NULL;
    agn_tensor *whole_number = scalar_of(AGN_I64, 3), *z = random_of(AGN_C128, 1, I64(3), -1, 1);
    const T in[2] = {x, w}, bad[2] = {x, NULL};
    NO_FN(AGN_ENULL, "fn_linearize", "forward", NULL, agn_fn_linearize(NULL, NULL, NULL, 0, f, in,
                                                                       2, NULL, 0));
    NO_FN(AGN_ENULL, "fn_linearize", "f is", NULL, agn_fn_linearize(&out, &back, NULL, 0, NULL, in,
                                                                    2, NULL, 0));
    NO_FN(AGN_ENULL, "fn_linearize", "in is", NULL,
          agn_fn_linearize(&out, &back, NULL, 0, f, NULL, 2, NULL, 0));
    NO_FN(AGN_EARG, "fn_linearize", "1 arguments", "has 2",
          agn_fn_linearize(&out, &back, NULL, 0, f, in, 1, NULL, 0));
    NO_FN(AGN_EARG, "fn_linearize", "room for 1", "has 2",
          agn_fn_linearize(&out, &back, (agn_tensor *[]){NULL}, 1, f, in, 2, NULL, 0));
    NO_FN(AGN_ENULL, "fn_linearize", "y is", NULL,
          agn_fn_linearize(&out, &back, NULL, 2, f, in, 2, NULL, 0));
    NO_FN(AGN_ENULL, "fn_linearize", "argument 1", "2", agn_fn_linearize(&out, &back, NULL, 0, f,
                                                                         bad, 2, NULL, 0));
    NO_FN(AGN_EINDEX, "fn_linearize", "argument 2", "2", agn_fn_linearize(&out, &back, NULL, 0, f,
                                                                          in, 2, I32(2), 1));
    NO_FN(AGN_EARG, "fn_linearize", "twice", "1", agn_fn_linearize(&out, &back, NULL, 0, f, in, 2,
                                                                   I32(1, 1), 2));
    NO_FN(AGN_EDTYPE, "linearize", "i64", "argument 0",
          agn_fn_linearize(&out, &back, NULL, 0, f, AGN_ARGS(whole_number, w), NULL, 0));
    check(&t, back == NULL, "reverse is untouched");
    agn_fn *to = NULL;
    must(agn_fn_linearize(&to, NULL, NULL, 0, f, in, 2, NULL, 0));
    check(&t, no_call(agn_fn_retain(to), (const T[]){w}, AGN_ESHAPE, "linearize", "[3,2]"), "a tangent's shape");
    check(&t, no_call(to, (const T[]){z}, AGN_EDTYPE, "linearize", "c128"), "a complex tangent");
    NO_FN(AGN_ENULL, "fn_linear_transpose", "f", NULL, agn_fn_linear_transpose(&out, NULL, NULL, 0));
    NO_FN(AGN_EINDEX, "fn_linear_transpose", "7", NULL, agn_fn_linear_transpose(&out, f, I32(7), 1));
    NO_FN(AGN_EARG, "fn_linear_transpose", "twice", NULL, agn_fn_linear_transpose(&out, f, I32(0, 0), 2));
    agn_fn *lin = whole_fn(joint, NULL, 2, 1);
    check(&t, no_call(MADE(agn_fn_linear_transpose(&made_, lin, NULL, 0)), (const T[]){x, v, w}, AGN_EDOMAIN,
                      "linear_transpose", "add"), "joint in both, not in one");
    check(&t, no_call(MADE(agn_fn_linear_transpose(&made_, lin, I32(0, 1), 2)), (const T[]){x, v, w}, AGN_ESHAPE,
                      "linear_transpose", "[3,2]"), "a cotangent's shape");
    check(&t, no_call(MADE(agn_fn_linear_transpose(&made_, lin, I32(0, 1), 2)), (const T[]){x, v, z}, AGN_EDTYPE,
                      "linear_transpose", "c128"), "a complex cotangent");
    check(&t, no_call(MADE(agn_fn_linear_transpose(&made_, lin, NULL, 0)), (const T[]){whole_number, v, x},
                      AGN_EDTYPE, "linear_transpose", "i64"), "a whole number");
    NO_FN(AGN_ENULL, "fn_gauss_newton", "out", NULL, agn_fn_gauss_newton(NULL, f, NULL, NULL, 0));
    NO_FN(AGN_EARG, "fn_gauss_newton", "1", "2", agn_fn_gauss_newton(&out, f, e, I32(0, 2), 2) == AGN_EINDEX
              ? agn_fn_gauss_newton(&out, e, f, NULL, 0) : AGN_OK);
    check(&t, no_call(MADE(agn_fn_gauss_newton(&made_, f, NULL, NULL, 0)), (const T[]){x, w, w}, AGN_ESHAPE,
                      "gauss_newton", "[3,2]"), "a vector's shape");
    check(&t, no_call(MADE(agn_fn_gauss_newton(&made_, f, NULL, NULL, 0)), (const T[]){x, w, z}, AGN_EDTYPE,
                      "gauss_newton", "c128"), "a complex vector");
    NO_FN(AGN_ENULL, "fn_fisher", "f", NULL, agn_fn_fisher(&out, NULL, NULL, 0));
    agn_jacobian_options o = options(3, 0, 0, false, 0);
    NO_FN(AGN_EARG, "fn_jacobian_with", "mode 3", "2", agn_fn_jacobian_with(&out, f, NULL, 0, &o));
    o = options(0, -1, 0, false, 0);
    NO_FN(AGN_EARG, "fn_jacobian_with", "-1", NULL, agn_fn_jacobian_with(&out, f, NULL, 0, &o));
    o = options(0, 0, 3, false, 0);
    NO_FN(AGN_EARG, "fn_jacobian_with", "3", "2", agn_fn_jacobian_with(&out, f, NULL, 0, &o));
    o.size = 3;
    NO_FN(AGN_EARG, "fn_jacobian_with", "3 bytes", "agn_jacobian_options", agn_fn_jacobian_with(&out, f, NULL, 0, &o));
    NO_FN(AGN_EINDEX, "fn_jacobian_with", "9", "2", agn_fn_jacobian_with(&out, f, I32(9), 1, NULL));
    NO_FN(AGN_ENULL, "fn_jacobian_with", "out", NULL, agn_fn_jacobian_with(NULL, f, NULL, 0, NULL));
    o = options(0, 0, 0, false, 1);
    check(&t, no_call(MADE(agn_fn_jacobian_with(&made_, f, NULL, 0, &o)), in, AGN_ESHAPE, "jacobian", "1 leading"),
          "no common batch");
    check(&t, no_call(MADE(agn_fn_jacobian_with(&made_, f, NULL, 0, NULL)), (const T[]){whole_number, w},
                      AGN_EDTYPE, "jacobian", "i64"), "a whole number");
    o = options(0, 0, 0, true, 0);
    NO_FN(AGN_EARG, "fn_hessian_with", "values", NULL, agn_fn_hessian_with(&out, e, NULL, 0, &o));
    NO_FN(AGN_ENULL, "fn_hessian_with", "f", NULL, agn_fn_hessian_with(&out, NULL, NULL, 0, NULL));
    NO_FN(AGN_EARG, "fn_hessian_blocks", "values", NULL, agn_fn_hessian_blocks(&out, e, NULL, 0, &o));
    check(&t, no_call(MADE(agn_fn_hessian_with(&made_, f, NULL, 0, NULL)), in, AGN_ESHAPE, "grad", "scalar"),
          "not a scalar");
    NO_FN(AGN_EARG, "fn_hessian_diagonal", "-2", NULL, agn_fn_hessian_diagonal(&out, e, NULL, 0, -2));
    NO_FN(AGN_EINDEX, "fn_hessian_diagonal", "2", NULL, agn_fn_hessian_diagonal(&out, e, I32(2), 1, 0));
    NO_FN(AGN_ENULL, "fn_hessian_diagonal", "f", NULL, agn_fn_hessian_diagonal(&out, NULL, NULL, 0, 0));
    check(&t, no_call(MADE(agn_fn_hessian_diagonal(&made_, f, NULL, 0, 0)), in, AGN_ESHAPE, "hessian_diagonal",
                      "scalar"), "not a scalar");
    check(&t, no_call(MADE(agn_fn_hessian_diagonal(&made_, e, NULL, 0, 0)), (const T[]){z, w}, AGN_EDTYPE,
                      "hessian_diagonal", "c128"), "complex");
    check(&t, no_call(MADE(agn_fn_hessian_diagonal(&made_, e, NULL, 0, 0)), (const T[]){whole_number, w},
                      AGN_EDTYPE, "hessian_diagonal", "i64"), "a whole number");
    tell(&t, "refusals");
    agn_release(whole_number);
    agn_release(z);
    agn_fn_release(lin);
    agn_fn_release(f);
    agn_fn_release(e);
}

int main(void)
{
    x = random_of(AGN_F64, 1, I64(3), -1, 1);
    w = random_of(AGN_F64, 2, I64(3, 2), -1, 1);
    v = random_of(AGN_F64, 1, I64(3), 0.5, 1);
    vw = random_of(AGN_F64, 2, I64(3, 2), -1, 1);
    u = random_of(AGN_F64, 1, I64(2), -1, 1);
    u2 = random_of(AGN_F64, 1, I64(3), -1, 1);
    linearising();
    stale(squares, AGN_ESTALE, "x x");
    stale(sine, AGN_OK, "sin x");
    transposing();
    transposing_loops();
    transposing_tangents_of_loops();
    values_that_no_tangent_reaches();
    curvature();
    jacobians();
    complex_jacobians();
    cheaper_way();
    hessians();
    int64_t whole_peak = peak_of(0), part = peak_of(20);
    ok(part < whole_peak, "chunks bound memory: %" PRId64 " bytes for 400 seeds, %" PRId64 " for 20",
       whole_peak, part);
    errors();
    agn_tensor *drop[] = {x, w, v, vw, u, u2};
    for (int i = 0; i < COUNT(drop); i++)
        agn_release(drop[i]);
    int64_t bytes, blocks;
    agn_memory_live(&bytes, &blocks, NULL);
    ok(blocks == 0, "nothing is left: %" PRId64 " blocks", blocks);
    return done();
}
