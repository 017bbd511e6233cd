/* t-control - cond, scan, checkpoint, custom and ops from outside, in every mode against the
   same computation written out. */
#include <agnesi/agnesi.h>

#include "tests/tap.h"
#include <math.h>
#include <string.h>

#define CHECK(call) check_ok(call, #call)
static void check_ok(agn_status st, const char *what)
{
    if (st)
        ok(false, "%s: %s", what, agn_error_message());
}

static agn_tensor *vec(int64_t n, const double *v)
{
    agn_tensor *x = NULL;
    CHECK(agn_from_host(&x, AGN_F64, 1, &n, v));
    return x;
}
static agn_tensor *num(double v)
{
    agn_tensor *x = NULL;
    CHECK(agn_full(&x, AGN_F64, 0, NULL, v));
    return x;
}

/* largest difference of two tensors, relative to 1 + |b|; infinite where shapes differ */
static double distance(const agn_tensor *a, const agn_tensor *b)
{
    double va[512], vb[512], d = 0;
    if (!a || !b || agn_numel(a) != agn_numel(b) || agn_numel(a) > 512)
        return INFINITY;
    size_t n = (size_t)agn_numel(a);
    if (agn_to_host(va, a, n * sizeof *va) || agn_to_host(vb, b, n * sizeof *vb))
        return INFINITY;
    for (size_t i = 0; i < n; i++) {
        double e = fabs(va[i] - vb[i]) / (1 + fabs(vb[i]));
        d = e > d || e != e ? e : d;
    }
    return d;
}

/* Calls f and g and compares all results. */
static void same(const agn_fn *f, const agn_fn *g, const agn_tensor *const *in, const char *what)
{
    agn_tensor *a[16] = {NULL}, *b[16] = {NULL};
    double worst = 0;
    agn_status sa = agn_fn_call(f, a, in), sb = agn_fn_call(g, b, in);
    for (int i = 0; i < agn_fn_n_out(f) && !sa && !sb; i++) {
        double d = distance(a[i], b[i]);
        worst = d > worst || d != d ? d : worst;
    }
    ok(!sa && !sb && worst < 1e-12, "%s: %s %.1e", what, sa || sb ? agn_error_message() : "differs by",
       worst);
    for (int i = 0; i < 16; i++) {
        agn_release(a[i]);
        agn_release(b[i]);
    }
}

/* f and g are equal in every mode: gradients to order 3 and mixed ones, tangents, jets, lanes */
static void same_in_all_modes(agn_fn *f, agn_fn *g, const agn_tensor *const *in, int n_in,
                              int32_t arg, const char *name)
{
    char what[96];
    agn_fn *df[4], *dg[4];
    same(f, g, in, name);
    df[0] = agn_fn_retain(f);
    dg[0] = agn_fn_retain(g);
    for (int o = 1; o <= 3; o++) {
        agn_fn *sf = NULL, *sg = NULL;
        /* a scalar to differentiate again: the sum of the gradient is its jvp with ones; use
           the Hessian-vector chain by grad of grad where the argument is a number */
        CHECK(agn_fn_grad(&sf, df[o - 1], &arg, 1));
        CHECK(agn_fn_grad(&sg, dg[o - 1], &arg, 1));
        df[o] = sf;
        dg[o] = sg;
        snprintf(what, sizeof what, "%s: reverse, order %d", name, o);
        same(sf, sg, in, what);
    }
    agn_fn *jf = NULL, *jg = NULL, *hf = NULL, *hg = NULL;
    CHECK(agn_fn_jacobian(&jf, df[2], arg)); /* forward over reverse over reverse */
    CHECK(agn_fn_jacobian(&jg, dg[2], arg));
    snprintf(what, sizeof what, "%s: forward over reverse, order 3", name);
    same(jf, jg, in, what);
    /* jets of order 4 along ones */
    agn_fn *tf = NULL, *tg = NULL;
    CHECK(agn_fn_jet(&tf, f, 4));
    CHECK(agn_fn_jet(&tg, g, 4));
    const agn_tensor *c[40];
    agn_scope *s = agn_scope_open(NULL);
    for (int i = 0; i < n_in; i++)
        for (int k = 0; k <= 4; k++)
            c[5 * i + k] = k == 0 ? in[i]
                           : agn_dtype_of(in[i]) == AGN_BOOL
                               ? in[i]
                               : ag_full(s, AGN_F64, agn_ndim(in[i]), agn_shape(in[i]),
                                         k == 1 ? 1 : k == 2 ? 0.5 : 0);
    snprintf(what, sizeof what, "%s: jet of order 4", name);
    same(tf, tg, c, what);
    /* the gradient, mapped over three values of the argument */
    agn_fn *vf = NULL, *vg = NULL;
    int32_t axes[8];
    const agn_tensor *lanes[8];
    for (int i = 0; i < n_in; i++) {
        axes[i] = i == arg ? 0 : AGN_UNBATCHED;
        lanes[i] = in[i];
    }
    const agn_tensor *three[3] = {in[arg], ag_mul_c(s, in[arg], 1.25), ag_mul_c(s, in[arg], -0.5)};
    lanes[arg] = ag_stack(s, three, 3, 0);
    CHECK(agn_fn_vmap(&vf, df[2], axes, NULL));
    CHECK(agn_fn_vmap(&vg, dg[2], axes, NULL));
    snprintf(what, sizeof what, "%s: lanes of order 2", name);
    same(vf, vg, lanes, what);
    /* and the gradient of a mapped function */
    CHECK(agn_fn_vmap(&hf, f, axes, NULL));
    CHECK(agn_fn_vmap(&hg, g, axes, NULL));
    agn_fn *kf = NULL, *kg = NULL;
    CHECK(agn_fn_jacobian(&kf, hf, arg));
    CHECK(agn_fn_jacobian(&kg, hg, arg));
    snprintf(what, sizeof what, "%s: Jacobian of lanes", name);
    same(kf, kg, lanes, what);
    CHECK(agn_scope_close(s));
    for (int o = 0; o <= 3; o++) {
        agn_fn_release(df[o]);
        agn_fn_release(dg[o]);
    }
    agn_fn *all[] = {jf, jg, hf, hg, tf, tg, vf, vg, kf, kg};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        agn_fn_release(all[i]);
}

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
        CHECK(agn_fn_vmap(&vc, f, NULL, NULL));
        CHECK(agn_fn_vmap(&vb, g, NULL, NULL));
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
    agn_status st = agn_fn_call(cond, &y, (const agn_tensor *[]){x, x});
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
        st = agn_fn_scan(&loop, f, 1, STEPS, backwards);
    if (!st)
        st = agn_fn_apply(loop, s, r, (const agn_tensor *[]){ag_mul_c(s, in[1], 2), in[0]});
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
    CHECK(agn_fn_scan(&loop, f, 1, 3, false));
    agn_status st = agn_fn_call(loop, y, (const agn_tensor *[]){k});
    ok(st == AGN_ESHAPE && !y[0] && strstr(agn_error_message(), "scan") &&
           strstr(agn_error_message(), "[]") && strstr(agn_error_message(), "[2]"),
       "scan: a carried value that changes its shape is refused");
    agn_fn *none = NULL;
    ok(agn_fn_scan(&none, f, 2, 3, false) == AGN_EARG && !none, "scan: too many carried values");
    ok(agn_fn_scan(&none, f, 1, -1, false) == AGN_EARG && !none, "scan: a negative length");
    agn_fn *st2 = NULL, *zero = NULL;
    CHECK(agn_fn_new(&st2, step, k, NULL, 2, 2));
    CHECK(agn_fn_scan(&zero, st2, 1, 0, false));
    agn_tensor *empty = vec(0, NULL);
    st = agn_fn_call(zero, y, (const agn_tensor *[]){k, empty});
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
    ok(agn_fn_call(g, &y, in) == AGN_ESHAPE && !y && strstr(agn_error_message(), "custom") &&
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
    out[0] = agn_scope_adopt(s, st, y);
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
    ok(agn_fn_call(d, &y, in) == AGN_EUNSUPPORTED && !y &&
           strstr(agn_error_message(), "test_opaque") && strstr(agn_error_message(), "reverse"),
       "an op without a rule: the error names op and mode");
    CHECK(agn_fn_vmap(&j, o, NULL, NULL));
    agn_tensor *xs = vec(2, (double[]){1, 2});
    ok(agn_fn_call(j, &y, (const agn_tensor *[]){xs}) == AGN_EUNSUPPORTED && !y &&
           strstr(agn_error_message(), "vmap"),
       "an op without a batch rule: the error says so");
    agn_fn *all[] = {f, g, o, d, j};
    for (int i = 0; i < 5; i++)
        agn_fn_release(all[i]);
    agn_release(x);
    agn_release(xs);
}

int main(void)
{
    test_cond();
    test_scan();
    test_calls();
    test_outside();
    int64_t blocks = 0;
    agn_memory_live(NULL, &blocks, NULL);
    ok(blocks <= 8, "all is released: %lld blocks are alive", (long long)blocks);
    return done();
}
