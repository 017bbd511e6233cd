/* t-control - cond, scan, checkpoint, custom and ops from outside, in every mode against the
   same computation written out. */
#include "tests/control.h"

/* ---- cond --------------------------------------------------------------------------------- */

static agn_status sine_of_square(void *u, agn_scope *s, const agn_tensor *const *in,
                                 const agn_tensor **out)
{
    (void)u;
    out[0] = ag_sin(s, ag_mul(s, in[0], in[0]));
    return AGN_OK;
}
static agn_status exponential(void *u, agn_scope *s, const agn_tensor *const *in,
                              const agn_tensor **out)
{
    (void)u;
    out[0] = ag_exp(s, in[0]);
    return AGN_OK;
}
static agn_status select_both(void *u, agn_scope *s, const agn_tensor *const *in,
                              const agn_tensor **out)
{
    (void)u;
    out[0] = ag_where(s, in[0], ag_sin(s, ag_mul(s, in[1], in[1])), ag_exp(s, in[1]));
    return AGN_OK;
}

static void test_cond(void)
{
    agn_fn *a = NULL, *b = NULL, *cond = NULL, *both = NULL, *vc = NULL, *vb = NULL;
    CHECK(agn_fn_new(&a, sine_of_square, NULL, NULL, 1, 1));
    CHECK(agn_fn_new(&b, exponential, NULL, NULL, 1, 1));
    CHECK(agn_fn_new(&both, select_both, NULL, NULL, 2, 1));
    CHECK(agn_fn_cond(&cond, a, b));
    agn_tensor *x = num(0.7);
    for (int choice = 0; choice < 2; choice++) {
        agn_tensor *p = NULL;
        CHECK(agn_full(&p, AGN_BOOL, 0, NULL, choice));
        const agn_tensor *in[2] = {p, x};
        same_in_all_modes(cond, both, in, 2, 1, choice ? "cond, true" : "cond, false");
        agn_release(p);
    }
    /* lanes choose for themselves, to order 3 */
    bool pv[3] = {true, false, true};
    const double xv[3] = {0.7, 0.3, -0.4};
    agn_tensor *p = NULL, *xs = vec(3, xv);
    CHECK(agn_from_host(&p, AGN_BOOL, 1, (int64_t[]){3}, pv));
    agn_fn *f = agn_fn_retain(cond), *g = agn_fn_retain(both);
    for (int o = 0; o <= 3; o++) {
        agn_fn *nf = NULL, *ng = NULL;
        CHECK(agn_fn_vmap(&vc, f, NULL, 0, NULL, 0));
        CHECK(agn_fn_vmap(&vb, g, NULL, 0, NULL, 0));
        same(vc, vb, (const agn_tensor *[]){p, xs}, "cond: every lane chooses");
        CHECK(agn_fn_grad(&nf, f, (int32_t[]){1}, 1));
        CHECK(agn_fn_grad(&ng, g, (int32_t[]){1}, 1));
        agn_fn_release(f);
        agn_fn_release(g);
        agn_fn_release(vc);
        agn_fn_release(vb);
        f = nf;
        g = ng;
    }
    agn_tensor *y = NULL;
    agn_status st = agn_fn_call(&y, 1, cond, AGN_ARGS(x, x));
    ok(st == AGN_EDTYPE && !y && strstr(agn_error_message(), "cond") &&
           strstr(agn_error_message(), "f64"),
       "cond: a choice that is no bool is refused");
    agn_fn *two = NULL, *bad = NULL;
    ok(agn_fn_cond(&bad, cond, a) == AGN_EARG && !bad, "cond: other numbers of arguments are refused");
    agn_fn *all[] = {a, b, cond, both, f, g, two};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        agn_fn_release(all[i]);
    agn_release(x);
    agn_release(xs);
    agn_release(p);
}

/* ---- scan ------------------------------------------------------------------------------------ */

enum { STEPS = 5 };
static bool backwards;

static const agn_tensor *cell(agn_scope *s, const agn_tensor *c, const agn_tensor *x,
                              const agn_tensor *k)
{
    return ag_tanh(s, ag_add(s, ag_mul(s, c, x), k));
}
static agn_status step(void *k, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    out[0] = cell(s, in[0], in[1], k); /* captures k */
    out[1] = ag_mul(s, out[0], in[1]);
    return AGN_OK;
}
static agn_status looped(void *u, agn_scope *s, const agn_tensor *const *in,
                         const agn_tensor **out)
{
    agn_fn *f = NULL, *loop = NULL;
    const agn_tensor *r[2] = {NULL, NULL};
    (void)u;
    agn_status st = agn_fn_new(&f, step, (void *)(uintptr_t)in[1], NULL, 2, 2);
    if (!st)
        st = agn_fn_scan(&loop, f, 1, 0, STEPS, backwards);
    if (!st)
        st = agn_fn_apply(s, r, 2, loop, AGN_ARGS(ag_mul_c(s, in[1], 2), in[0]));
    if (!st) {
        const agn_tensor *weights = ag_arange(s, AGN_F64, 1, STEPS + 1, 1);
        out[0] = ag_add(s, ag_sum_all(s, ag_mul(s, r[1], weights)), r[0]);
    }
    agn_fn_release(f);
    agn_fn_release(loop);
    return st;
}
static agn_status unrolled(void *u, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    const agn_tensor *c = ag_mul_c(s, in[1], 2), *sum = NULL;
    (void)u;
    for (int i = 0; i < STEPS; i++) {
        int at = backwards ? STEPS - 1 - i : i;
        const agn_tensor *x = ag_index_axis(s, in[0], 0, at);
        c = cell(s, c, x, in[1]);
        const agn_tensor *y = ag_mul_c(s, ag_mul(s, c, x), at + 1);
        sum = sum ? ag_add(s, sum, y) : y;
    }
    out[0] = ag_add(s, sum, c);
    return AGN_OK;
}

/* a loop whose rules a user makes of its transforms */
static agn_status loop_tangent(void *jvp, agn_scope *s, const agn_tensor *const *in,
                               const agn_tensor **out)
{
    const agn_tensor *y[2] = {NULL, NULL};
    agn_fn_apply(s, y, 2, jvp, AGN_ARGS(in[0], in[1], in[3], in[4]));
    out[0] = y[1];
    return agn_scope_status(s);
}
static agn_status loop_cotangents(void *vjp, agn_scope *s, const agn_tensor *const *in,
                                  const agn_tensor **out)
{
    const agn_tensor *y[3] = {NULL, NULL, NULL};
    agn_fn_apply(s, y, 3, vjp, AGN_ARGS(in[0], in[1], in[3]));
    out[0] = y[1];
    out[1] = y[2];
    return agn_scope_status(s);
}
static void drop_fn(void *f)
{
    agn_fn_release(f);
}
static void loops_with_rules(const agn_fn *f, agn_fn *plain, const agn_tensor *const *in)
{
    for (int forward = 0; forward < 2; forward++) {
        agn_fn *rule = NULL, *c = NULL;
        if (forward)
            CHECK(agn_fn_jvp(&rule, f));
        else
            CHECK(agn_fn_vjp(&rule, f));
        agn_custom_rule given = {.size = sizeof given, .user = rule, .destroy = drop_fn};
        given.jvp = forward ? loop_tangent : NULL;
        given.vjp = forward ? NULL : loop_cotangents;
        CHECK(agn_fn_custom(&c, f, &given));
        same_in_all_modes(c, plain, in, 2, 1, forward ? "scan, custom by jvp" : "scan, custom by vjp");
        agn_fn_release(c);
    }
}

/* values that are handed on as they are: a slice to one place, from there to another, and back and forth */
enum { CARRIED = 5 };
static agn_status hand_on(void *k, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const agn_tensor *x = in[CARRIED];
    out[0] = in[1];
    out[1] = x;
    out[2] = in[3];
    out[3] = in[2];
    out[4] = ag_add(s, cell(s, in[0], in[4], k), ag_mul(s, in[1], ag_mul(s, in[2], x)));
    out[5] = in[0];
    out[6] = x;
    return agn_scope_status(s);
}
static void begin(agn_scope *s, const agn_tensor *k, const agn_tensor **c)
{
    for (int i = 0; i < CARRIED; i++)
        c[i] = ag_mul_c(s, k, i - 1.5);
}
static const agn_tensor *end(agn_scope *s, const agn_tensor *const *c, const agn_tensor *sum)
{
    for (int i = 0; i < CARRIED; i++)
        sum = ag_add(s, sum, ag_mul_c(s, ag_square(s, c[i]), i + 1));
    return sum;
}
static agn_status handed_on(void *keep, agn_scope *s, const agn_tensor *const *in,
                            const agn_tensor **out)
{
    agn_fn *f = NULL, *loop = NULL;
    const agn_tensor *a[CARRIED + 1] = {NULL}, *r[CARRIED + 2] = {NULL};
    agn_scan_options o = {.size = sizeof o, .reverse = backwards, .keep = *(const int *)keep};
    begin(s, in[1], a);
    a[CARRIED] = in[0];
    agn_status st = agn_fn_new(&f, hand_on, (void *)(uintptr_t)in[1], NULL, CARRIED + 1, CARRIED + 2);
    if (!st)
        st = agn_fn_scan_with(&loop, f, CARRIED, 0, STEPS, &o);
    if (!st)
        st = agn_fn_apply(s, r, CARRIED + 2, loop, a, CARRIED + 1);
    if (!st) {
        const agn_tensor *weights = ag_arange(s, AGN_F64, 1, STEPS + 1, 1);
        out[0] = end(s, r, ag_sum_all(s, ag_mul(s, ag_mul(s, r[CARRIED], r[CARRIED + 1]), weights)));
    }
    agn_fn_release(f);
    agn_fn_release(loop);
    return st;
}
static agn_status handed_on_unrolled(void *u, agn_scope *s, const agn_tensor *const *in,
                                     const agn_tensor **out)
{
    const agn_tensor *c[CARRIED + 1] = {NULL}, *r[CARRIED + 2], *sum = NULL;
    (void)u;
    begin(s, in[1], c);
    for (int i = 0; i < STEPS; i++) {
        int at = backwards ? STEPS - 1 - i : i;
        c[CARRIED] = ag_index_axis(s, in[0], 0, at);
        if (hand_on((void *)(uintptr_t)in[1], s, c, r))
            return agn_scope_status(s);
        memcpy(c, r, CARRIED * sizeof *c);
        const agn_tensor *y = ag_mul_c(s, ag_mul(s, r[CARRIED], r[CARRIED + 1]), at + 1);
        sum = sum ? ag_add(s, sum, y) : y;
    }
    out[0] = end(s, c, sum);
    return agn_scope_status(s);
}
static void test_handing_on(void)
{
    const double xv[STEPS] = {0.3, 0.6, -0.9, 1.2, 0.5};
    agn_tensor *xs = vec(STEPS, xv), *k = num(0.25);
    const agn_tensor *in[2] = {xs, k};
    for (int back = 0; back < 2; back++)
        for (int keep = 0; keep < 3; keep++) {
            agn_fn *f = NULL, *g = NULL, *df = NULL, *dg = NULL;
            char name[64];
            backwards = back;
            snprintf(name, sizeof name, "scan%s, values handed on, %d states", back ? ", reversed" : "", keep);
            CHECK(agn_fn_new(&f, handed_on, &keep, NULL, 2, 1));
            CHECK(agn_fn_new(&g, handed_on_unrolled, NULL, NULL, 2, 1));
            same_in_all_modes(f, g, in, 2, 1, name);
            CHECK(agn_fn_grad(&df, f, (int32_t[]){0, 1}, 2));
            CHECK(agn_fn_grad(&dg, g, (int32_t[]){0, 1}, 2));
            same(df, dg, in, name);
            agn_fn *all[] = {f, g, df, dg};
            for (int i = 0; i < 4; i++)
                agn_fn_release(all[i]);
        }
    agn_release(xs);
    agn_release(k);
}

/* the same cell, with k as a constant of the loop and one more that is not used */
static agn_status step_of_constant(void *u, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    (void)u;
    out[0] = cell(s, in[0], in[1], in[3]);
    out[1] = ag_mul(s, out[0], in[1]);
    return AGN_OK;
}
static agn_status looped_with_constants(void *loop, agn_scope *s, const agn_tensor *const *in,
                                        const agn_tensor **out)
{
    const agn_tensor *r[2] = {NULL, NULL};
    agn_status st = agn_fn_apply(s, r, 2, loop, AGN_ARGS(ag_mul_c(s, in[1], 2), in[0], in[0], in[1]));
    if (!st) {
        const agn_tensor *weights = ag_arange(s, AGN_F64, 1, STEPS + 1, 1);
        out[0] = ag_add(s, ag_sum_all(s, ag_mul(s, r[1], weights)), r[0]);
    }
    return st;
}
static void test_scan_constants(void)
{
    const double xv[STEPS] = {0.3, 0.6, -0.9, 1.2, 0.5};
    agn_tensor *xs = vec(STEPS, xv), *k = num(0.25), *y[2] = {NULL, NULL};
    const agn_tensor *in[2] = {xs, k};
    agn_fn *f = NULL, *g = NULL, *cell_fn = NULL, *loop = NULL, *none = NULL;
    CHECK(agn_fn_new(&cell_fn, step_of_constant, NULL, NULL, 4, 2));
    CHECK(agn_fn_new(&g, unrolled, NULL, NULL, 2, 1));
    for (int back = 0; back < 2; back++)
        for (int keep = 0; keep < 3; keep += 2) {
            agn_scan_options o = {.size = sizeof o, .reverse = back, .keep = keep};
            backwards = back;
            CHECK(keep ? agn_fn_scan_with(&loop, cell_fn, 1, 2, STEPS, &o)
                       : agn_fn_scan(&loop, cell_fn, 1, 2, STEPS, back));
            CHECK(agn_fn_new(&f, looped_with_constants, loop, NULL, 2, 1));
            same_in_all_modes(f, g, in, 2, 1, keep ? "scan with constants, 2 states" : "scan with constants");
            agn_fn_release(f);
            agn_fn_release(loop);
        }
    ok(agn_fn_scan(&none, cell_fn, 1, -1, 3, false) == AGN_EARG && !none &&
           strstr(agn_error_message(), "-1 constants"),
       "scan: a negative number of constants");
    ok(agn_fn_scan(&none, cell_fn, 1, 4, 3, false) == AGN_EARG && !none &&
           strstr(agn_error_message(), "4 constants") && strstr(agn_error_message(), "4 arguments"),
       "scan: more constants than arguments are left");
    CHECK(agn_fn_scan(&loop, cell_fn, 1, 3, 4, false)); /* nothing is sliced: x is a constant, too */
    agn_tensor *x = num(0.5);
    CHECK(agn_fn_call(y, 2, loop, AGN_ARGS(k, x, x, k)));
    double c = 0.25;
    for (int i = 0; i < 4; i++)
        c = tanh(c * 0.5 + 0.25);
    double got = 0;
    CHECK(agn_item_f64(&got, y[0]));
    ok(fabs(got - c) < 1e-15 && agn_numel(y[1]) == 4, "scan: constants alone");
    agn_fn *all[] = {g, cell_fn, loop};
    for (int i = 0; i < 3; i++)
        agn_fn_release(all[i]);
    agn_release(xs), agn_release(k), agn_release(x), agn_release(y[0]), agn_release(y[1]);
}

static agn_status grows(void *u, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    (void)u;
    out[0] = ag_stack(s, (const agn_tensor *[]){in[0], in[0]}, 2, 0);
    return AGN_OK;
}

static void test_scan(void)
{
    const double xv[STEPS] = {0.3, 0.6, -0.9, 1.2, 0.5};
    agn_tensor *xs = vec(STEPS, xv), *k = num(0.25);
    for (int back = 0; back < 2; back++) {
        agn_fn *f = NULL, *g = NULL, *gx = NULL, *hx = NULL;
        backwards = back;
        CHECK(agn_fn_new(&f, looped, NULL, NULL, 2, 1));
        CHECK(agn_fn_new(&g, unrolled, NULL, NULL, 2, 1));
        const agn_tensor *in[2] = {xs, k};
        same_in_all_modes(f, g, in, 2, 1, back ? "scan, reversed" : "scan");
        loops_with_rules(f, g, in);
        CHECK(agn_fn_hessian(&gx, f, 0));
        CHECK(agn_fn_hessian(&hx, g, 0));
        same(gx, hx, in, "scan: Hessian in the slices");
        agn_fn *both[] = {f, g, gx, hx};
        for (int i = 0; i < 4; i++)
            agn_fn_release(both[i]);
    }
    agn_fn *f = NULL, *loop = NULL;
    agn_tensor *y[2] = {NULL, NULL};
    CHECK(agn_fn_new(&f, grows, NULL, NULL, 1, 1));
    CHECK(agn_fn_scan(&loop, f, 1, 0, 3, false));
    agn_status st = agn_fn_call(y, 1, loop, AGN_ARGS(k));
    ok(st == AGN_ESHAPE && !y[0] && strstr(agn_error_message(), "scan") &&
           strstr(agn_error_message(), "[]") && strstr(agn_error_message(), "[2]"),
       "scan: a carried value that changes its shape is refused");
    agn_fn *none = NULL;
    ok(agn_fn_scan(&none, f, 2, 0, 3, false) == AGN_EARG && !none, "scan: too many carried values");
    ok(agn_fn_scan(&none, f, 1, 0, -1, false) == AGN_EARG && !none, "scan: a negative length");
    agn_fn *st2 = NULL, *zero = NULL;
    CHECK(agn_fn_new(&st2, step, k, NULL, 2, 2));
    CHECK(agn_fn_scan(&zero, st2, 1, 0, 0, false));
    agn_tensor *empty = vec(0, NULL);
    st = agn_fn_call(y, 2, zero, AGN_ARGS(k, empty));
    ok(!st && distance(y[0], k) == 0 && agn_numel(y[1]) == 0, "scan: no steps");
    agn_release(y[0]);
    agn_release(y[1]);
    agn_fn *all[] = {f, loop, st2, zero};
    for (int i = 0; i < 4; i++)
        agn_fn_release(all[i]);
    agn_release(empty);
    agn_release(xs);
    agn_release(k);
}

/* ---- checkpoint and custom ---------------------------------------------------------------------- */

static int freed;
static void count_free(void *u)
{
    (void)u;
    freed++;
}
static agn_status exp_tangent(void *u, agn_scope *s, const agn_tensor *const *in,
                              const agn_tensor **out)
{
    (void)u;
    out[0] = ag_mul(s, in[2], in[1]); /* x, y, x' */
    return AGN_OK;
}
static agn_status wrong_shape(void *u, agn_scope *s, const agn_tensor *const *in,
                              const agn_tensor **out)
{
    (void)u;
    out[0] = ag_stack(s, (const agn_tensor *[]){in[2], in[2]}, 2, 0);
    return AGN_OK;
}

static void test_calls(void)
{
    agn_fn *f = NULL, *e = NULL, *k = NULL, *kk = NULL, *c = NULL;
    agn_tensor *x = num(0.7);
    const agn_tensor *in[1] = {x};
    CHECK(agn_fn_new(&f, sine_of_square, NULL, NULL, 1, 1));
    CHECK(agn_fn_new(&e, exponential, NULL, NULL, 1, 1));
    CHECK(agn_fn_checkpoint(&k, f));
    CHECK(agn_fn_checkpoint(&kk, k));
    same_in_all_modes(k, f, in, 1, 0, "checkpoint");
    same_in_all_modes(kk, f, in, 1, 0, "checkpoint of a checkpoint");
    for (int forward = 0; forward < 2; forward++) {
        agn_custom_rule rule = {.size = sizeof rule, .destroy = count_free};
        rule.jvp = forward ? exp_tangent : NULL;
        rule.vjp = forward ? NULL : exp_tangent; /* the same formula: y times the cotangent */
        CHECK(agn_fn_custom(&c, e, &rule));
        same_in_all_modes(c, e, in, 1, 0, forward ? "custom by jvp" : "custom by vjp");
        agn_fn_release(c);
    }
    ok(freed == 2, "custom: the user's data is freed once per function");
    agn_custom_rule bad = {.size = sizeof bad, .vjp = wrong_shape};
    agn_fn *g = NULL;
    agn_tensor *y = NULL;
    CHECK(agn_fn_custom(&c, e, &bad));
    CHECK(agn_fn_grad(&g, c, NULL, 0));
    ok(agn_fn_call(&y, 1, g, in, 1) == AGN_ESHAPE && !y && strstr(agn_error_message(), "custom") &&
           strstr(agn_error_message(), "[2]"),
       "custom: a cotangent of another shape is refused");
    agn_fn_release(c);
    c = NULL;
    ok(agn_fn_custom(&c, e, &(agn_custom_rule){.size = sizeof(agn_custom_rule)}) == AGN_EARG && !c,
       "custom: a rule is needed");
    agn_fn *all[] = {f, e, k, kk, g};
    for (int i = 0; i < 5; i++)
        agn_fn_release(all[i]);
    agn_release(x);
}

/* ---- an op from outside ----------------------------------------------------------------------------- */

static agn_status cube_eval(void *u, agn_scope *s, const agn_tensor *const *in,
                            const agn_tensor **out)
{
    (void)u;
    out[0] = ag_mul(s, in[0], ag_mul(s, in[0], in[0]));
    return AGN_OK;
}
static agn_status cube_infer(void *u, agn_scope *s, const agn_tensor *const *in,
                             const agn_tensor **out)
{
    (void)u, (void)s;
    out[0] = in[0];
    return AGN_OK;
}
static agn_status cube_jvp(void *u, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    (void)u;
    out[0] = ag_mul(s, in[2], ag_mul_c(s, ag_mul(s, in[0], in[0]), 3));
    return AGN_OK;
}
static const agn_op_def cube = {.size = sizeof(agn_op_def), .name = "test_cube", .doc = "x^3",
                                .n_in = 1, .n_out = 1, .eval = cube_eval, .infer = cube_infer,
                                .jvp = cube_jvp, .batch = cube_eval, .lo = -2, .hi = 2};
static const agn_op_def opaque = {.size = sizeof(agn_op_def), .name = "test_opaque", .n_in = 1,
                                  .n_out = 1, .eval = cube_eval, .infer = cube_infer};

static agn_status by_op(void *u, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    agn_tensor *y = NULL;
    agn_status st = agn_op_apply(&y, 1, u, in, 1, NULL, 0, NULL, 0);
    out[0] = agn_scope_adopt(s, st, &y);
    return st;
}

static void test_outside(void)
{
    int before = agn_op_count();
    CHECK(agn_op_register(&cube));
    CHECK(agn_op_register(&opaque));
    ok(agn_op_count() == before + 2, "op_register: the table has two rows more");
    ok(agn_op_register(&cube) == AGN_EARG && strstr(agn_error_message(), "test_cube"),
       "op_register: a name is taken once");
    agn_fn *f = NULL, *g = NULL, *o = NULL, *d = NULL, *j = NULL;
    agn_tensor *x = num(0.7), *y = NULL;
    const agn_tensor *in[1] = {x};
    CHECK(agn_fn_new(&f, by_op, (void *)(uintptr_t) "test_cube", NULL, 1, 1));
    CHECK(agn_fn_new(&g, cube_eval, NULL, NULL, 1, 1));
    same_in_all_modes(f, g, in, 1, 0, "op from outside");
    CHECK(agn_fn_new(&o, by_op, (void *)(uintptr_t) "test_opaque", NULL, 1, 1));
    CHECK(agn_fn_grad(&d, o, NULL, 0));
    ok(agn_fn_call(&y, 1, d, in, 1) == AGN_EUNSUPPORTED && !y &&
           strstr(agn_error_message(), "test_opaque") && strstr(agn_error_message(), "reverse"),
       "an op without a rule: the error names op and mode");
    CHECK(agn_fn_vmap(&j, o, NULL, 0, NULL, 0));
    agn_tensor *xs = vec(2, (double[]){1, 2});
    ok(agn_fn_call(&y, 1, j, AGN_ARGS(xs)) == AGN_EUNSUPPORTED && !y &&
           strstr(agn_error_message(), "vmap"),
       "an op without a batch rule: the error says so");
    agn_fn *all[] = {f, g, o, d, j};
    for (int i = 0; i < 5; i++)
        agn_fn_release(all[i]);
    agn_release(x);
    agn_release(xs);
}

/* ---- numbers drawn once, whatever a derivative does ------------------------------------------- */

static agn_status drawing_step(void *key, agn_scope *s, const agn_tensor *const *in,
                               const agn_tensor **out)
{
    const agn_tensor *u = NULL, *a = ag_add_c(s, ag_square(s, in[0]), 0.5);
    agn_tensor *y = NULL;
    agn_status st = agn_op_apply(&y, 1, "random_gamma", (const agn_tensor *[]){key, a}, 2,
                                 (const int64_t[]){0, 3}, 2, NULL, 0);
    u = agn_scope_adopt(s, st, &y);
    out[0] = ag_sin(s, ag_mul(s, in[0], ag_add_c(s, u, 1)));
    return agn_scope_status(s);
}
/* the Jacobian of f and its plan, against that of g */
static void same_jacobians(const agn_fn *f, const agn_fn *g, const agn_tensor *x, const char *what)
{
    agn_fn *jf = NULL, *jg = NULL, *plan = NULL;
    CHECK(agn_fn_jacobian(&jf, f, 0));
    CHECK(agn_fn_jacobian(&jg, g, 0));
    CHECK(agn_fn_compile(&plan, jf, NULL));
    same(jf, jg, &x, what);
    same(plan, jg, &x, what);
    agn_fn *all[] = {jf, jg, plan};
    for (int i = 0; i < 3; i++)
        agn_fn_release(all[i]);
}
static agn_status twice_drawn(void *key, agn_scope *s, const agn_tensor *const *in,
                              const agn_tensor **out)
{
    const agn_tensor *y = NULL;
    drawing_step(key, s, in, &y);
    return agn_scope_status(s) ? agn_scope_status(s) : drawing_step(key, s, &y, out);
}
static void test_draws(void)
{
    agn_tensor *key = NULL, *x = NULL;
    CHECK(agn_from_host(&key, AGN_I64, 1, (const int64_t[]){2}, (const int64_t[]){7, 3}));
    CHECK(agn_from_host(&x, AGN_F64, 1, (const int64_t[]){3}, (const double[]){0.3, -0.7, 1.1}));
    agn_fn *step1 = NULL, *loop = NULL, *plain = NULL, *kept = NULL, *sums[4] = {NULL};
    CHECK(agn_fn_new(&step1, drawing_step, key, NULL, 1, 1));
    CHECK(agn_fn_scan(&loop, step1, 1, 0, 2, false));
    CHECK(agn_fn_new(&plain, twice_drawn, key, NULL, 1, 1));
    CHECK(agn_fn_checkpoint(&kept, plain));
    same_jacobians(loop, plain, x, "Jacobian of a loop that draws");
    same_jacobians(kept, plain, x, "Jacobian of a checkpoint that draws");
    CHECK(agn_fn_new(&sums[0], summed, loop, NULL, 1, 1));
    CHECK(agn_fn_new(&sums[1], summed, plain, NULL, 1, 1));
    CHECK(agn_fn_grad(&sums[2], sums[0], NULL, 0));
    CHECK(agn_fn_grad(&sums[3], sums[1], NULL, 0));
    same_jacobians(sums[0], sums[1], x, "gradient, as a Jacobian, of a loop that draws");
    same_jacobians(sums[2], sums[3], x, "Jacobian of the gradient of a loop that draws");
    agn_fn *all[] = {step1, loop, plain, kept, sums[0], sums[1], sums[2], sums[3]};
    for (int i = 0; i < 8; i++)
        agn_fn_release(all[i]);
    agn_release(key);
    agn_release(x);
}

int main(void)
{
    test_draws();
    test_cond();
    test_scan();
    test_scan_constants();
    test_handing_on();
    test_calls();
    test_outside();
    int64_t blocks = 0;
    agn_memory_live(NULL, &blocks, NULL);
    ok(blocks <= 8, "all is released: %lld blocks are alive", (long long)blocks);
    return done();
}
