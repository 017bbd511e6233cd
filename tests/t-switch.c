/* t-switch - one of several functions in every mode, against the same by where; numbers
   beyond the branches, lanes that choose differently, branches that see other captured
   values. */
#include "tests/control.h"

static agn_status by_sine(void *u, agn_scope *s, const agn_tensor *const *in,
                          const agn_tensor **out)
{
    (void)u;
    out[0] = ag_sin(s, ag_mul(s, in[0], in[1]));
    return AGN_OK;
}
static agn_status by_square(void *u, agn_scope *s, const agn_tensor *const *in,
                            const agn_tensor **out)
{
    (void)u;
    out[0] = ag_mul(s, in[0], in[0]);
    return AGN_OK;
}
static agn_status by_captured(void *k, agn_scope *s, const agn_tensor *const *in,
                              const agn_tensor **out)
{
    out[0] = ag_exp(s, ag_mul(s, in[1], k));
    return AGN_OK;
}

/* f(choice, x, y), one branch capturing x + y; user: 0 by switch, 1 by where */
static agn_status choose(void *by_where, agn_scope *s, const agn_tensor *const *in,
                         const agn_tensor **out)
{
    static agn_body *const body[3] = {by_sine, by_square, by_captured};
    const agn_tensor *k = ag_add(s, in[1], in[2]), *y[3];
    agn_fn *f[3] = {NULL}, *sw = NULL;
    agn_status st = AGN_OK;
    if (by_where) {
        for (int i = 0; i < 3; i++)
            body[i]((void *)(uintptr_t)k, s, in + 1, &y[i]);
        out[0] = ag_where(s, ag_le(s, in[0], ag_lit(s, 0)), y[0],
                          ag_where(s, ag_le(s, in[0], ag_lit(s, 1)), y[1], y[2]));
        return AGN_OK;
    }
    for (int i = 0; i < 3 && !st; i++)
        st = agn_fn_new(&f[i], body[i], (void *)(uintptr_t)k, NULL, 2, 1);
    if (!st)
        st = agn_fn_switch(&sw, (const agn_fn *const *)f, 3);
    if (!st)
        st = agn_fn_apply(s, out, agn_fn_n_out(sw), sw, in, 3);
    for (int i = 0; i < 3; i++)
        agn_fn_release(f[i]);
    agn_fn_release(sw);
    return st;
}

static void test_modes(void)
{
    agn_fn *f = NULL, *g = NULL;
    agn_tensor *x = num(0.7), *y = num(-0.4);
    CHECK(agn_fn_new(&f, choose, NULL, NULL, 3, 1));
    CHECK(agn_fn_new(&g, choose, &f, NULL, 3, 1));
    for (int c = -1; c <= 3; c++) {
        agn_tensor *choice = NULL;
        char name[32];
        CHECK(agn_full(&choice, c % 2 ? AGN_I32 : AGN_I64, 0, NULL, c));
        const agn_tensor *in[3] = {choice, x, y};
        snprintf(name, sizeof name, "switch, %d of 3", c);
        same_in_all_modes(f, g, in, 3, 1, name);
        same_in_all_modes(f, g, in, 3, 2, name);
        agn_release(choice);
    }
    /* lanes choose for themselves, to order 3, in a plan, too */
    const int64_t cv[5] = {1, 7, -3, 2, 0};
    const double xv[5] = {0.7, 0.3, -0.4, 0.2, 1.1}, yv[5] = {0.2, -0.5, 0.4, 0.9, 0.1};
    agn_tensor *cs = NULL, *xs = vec(5, xv), *ys = vec(5, yv);
    CHECK(agn_from_host(&cs, AGN_I64, 1, (int64_t[]){5}, cv));
    for (int order = 0; order <= 3; order++) {
        agn_fn *vf = NULL, *vg = NULL, *p = NULL, *nf = NULL, *ng = NULL;
        CHECK(agn_fn_vmap(&vf, f, NULL, 0, NULL, 0));
        CHECK(agn_fn_vmap(&vg, g, NULL, 0, NULL, 0));
        CHECK(agn_fn_compile(&p, vf, NULL));
        same(vf, vg, (const agn_tensor *[]){cs, xs, ys}, "switch: every lane chooses");
        same(p, vg, (const agn_tensor *[]){cs, xs, ys}, "switch: the same in a plan");
        CHECK(agn_fn_grad(&nf, f, (int32_t[]){1 + order % 2}, 1));
        CHECK(agn_fn_grad(&ng, g, (int32_t[]){1 + order % 2}, 1));
        agn_fn *old[] = {f, g, vf, vg, p};
        for (int i = 0; i < 5; i++)
            agn_fn_release(old[i]);
        f = nf;
        g = ng;
    }
    agn_fn_release(f);
    agn_fn_release(g);
    agn_tensor *all[] = {x, y, cs, xs, ys};
    for (int i = 0; i < 5; i++)
        agn_release(all[i]);
}

static agn_status as_f32(void *u, agn_scope *s, const agn_tensor *const *in,
                         const agn_tensor **out)
{
    (void)u;
    out[0] = ag_cast(s, in[0], AGN_F32);
    return AGN_OK;
}
static agn_status in_front(void *u, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    (void)u;
    out[0] = ag_expand_dims(s, in[0], 0);
    return AGN_OK;
}

static agn_status by_its_value(void *u, agn_scope *s, const agn_tensor *const *in,
                               const agn_tensor **out)
{
    double v = 0;
    (void)u;
    if (!agn_scope_fail(s, agn_item_f64(&v, in[0])))
        out[0] = ag_mul_c(s, in[0], v);
    return agn_scope_status(s);
}

static void test_errors(void)
{
    agn_fn *a = NULL, *b = NULL, *c = NULL, *d = NULL, *sw = NULL, *none = NULL,
           *p = NULL;
    agn_tensor *x = num(0.5), *k = NULL, *ks = NULL, *y = NULL;
    CHECK(agn_full(&k, AGN_I64, 0, NULL, 1));
    CHECK(agn_full(&ks, AGN_I64, 1, (int64_t[]){2}, 1));
    CHECK(agn_fn_new(&a, by_square, NULL, NULL, 1, 1));
    CHECK(agn_fn_new(&b, as_f32, NULL, NULL, 1, 1));
    CHECK(agn_fn_new(&c, in_front, NULL, NULL, 1, 1));
    CHECK(agn_fn_new(&d, by_sine, NULL, NULL, 2, 1));
    ok(agn_fn_switch(NULL, (const agn_fn *[]){a}, 1) == AGN_ENULL, "out is NULL");
    ok(agn_fn_switch(&none, NULL, 1) == AGN_ENULL, "branch is NULL");
    ok(agn_fn_switch(&none, (const agn_fn *[]){a, NULL}, 2) == AGN_ENULL &&
           strstr(agn_error_message(), "branch 1 of 2"),
       "one of the branches is NULL");
    ok(agn_fn_switch(&none, (const agn_fn *[]){a}, 0) == AGN_EARG, "no branches");
    ok(agn_fn_switch(&none, (const agn_fn *[]){a, d}, 2) == AGN_EARG && !none &&
           strstr(agn_error_message(), "1 arguments") &&
           strstr(agn_error_message(), "2"),
       "branches with other arguments");
    CHECK(agn_fn_switch(&sw, (const agn_fn *[]){a}, 1));
    ok(agn_fn_call(&y, 1, sw, AGN_ARGS(x, x)) == AGN_EDTYPE && !y &&
           strstr(agn_error_message(), "switch") && strstr(agn_error_message(), "f64"),
       "a choice that is no integer");
    ok(agn_fn_call(&y, 1, sw, AGN_ARGS(ks, x)) == AGN_ESHAPE && !y &&
           strstr(agn_error_message(), "[2]"),
       "a choice of two");
    agn_fn_release(sw);
    agn_fn *other[2] = {b, c};
    for (int i = 0; i < 2; i++) {
        CHECK(agn_fn_switch(&sw, (const agn_fn *[]){a, other[i]}, 2));
        CHECK(agn_fn_compile(&p, sw, NULL));
        ok(agn_fn_call(&y, 1, p, AGN_ARGS(k, x)) ==
                   (i ? AGN_ESHAPE : AGN_EDTYPE) &&
               !y && strstr(agn_error_message(), "switch: result 0") &&
               strstr(agn_error_message(), "branch 1"),
           "branches with other results: %s", agn_error_message());
        agn_fn_release(p);
        for (int chosen = 0; chosen < 2; chosen++) {
            agn_tensor *which = NULL;
            CHECK(agn_full(&which, AGN_I64, 0, NULL, chosen));
            ok(agn_fn_call(&y, 1, sw, AGN_ARGS(which, x)) ==
                       (i ? AGN_ESHAPE : AGN_EDTYPE) &&
                   !y && strstr(agn_error_message(), "switch: result 0"),
               "the same where a value chooses %d: %s", chosen, agn_error_message());
            agn_release(which);
        }
        agn_fn_release(sw);
        CHECK(agn_fn_cond(&sw, other[i], a));
        for (int chosen = 0; chosen < 2; chosen++) {
            agn_tensor *which = NULL;
            CHECK(agn_full(&which, AGN_BOOL, 0, NULL, chosen));
            ok(agn_fn_call(&y, 1, sw, AGN_ARGS(which, x)) ==
                       (i ? AGN_ESHAPE : AGN_EDTYPE) &&
                   !y && strstr(agn_error_message(), "cond: result 0"),
               "cond: branches with other results where a value chooses: %s", agn_error_message());
            agn_release(which);
        }
        agn_fn_release(sw);
    }
    /* a branch that asks for a value, which a trace has not, runs where it is chosen */
    agn_fn *asks = NULL;
    CHECK(agn_fn_new(&asks, by_its_value, NULL, NULL, 1, 1));
    CHECK(agn_fn_switch(&sw, (const agn_fn *[]){a, asks}, 2));
    CHECK(agn_fn_call(&y, 1, sw, AGN_ARGS(k, x)));
    ok(y && agn_ndim(y) == 0, "a branch that looks at a value is run by a value");
    agn_release(y);
    agn_fn_release(sw);
    agn_fn_release(asks);
    agn_fn *all[] = {a, b, c, d};
    for (int i = 0; i < 4; i++)
        agn_fn_release(all[i]);
    agn_release(x);
    agn_release(k);
    agn_release(ks);
}

/* Branches that are not chosen are looked at once for each kind of arguments, not at each call. */
static agn_status counted(void *times, agn_scope *s, const agn_tensor *const *in,
                          const agn_tensor **out)
{
    ++*(int *)times;
    out[0] = ag_exp(s, in[0]);
    return AGN_OK;
}
static void test_looks(void)
{
    enum { SHAPES = 3, CALLS = 5 };
    int taken = 0, left = 0;
    agn_fn *a = NULL, *b = NULL, *sw = NULL;
    agn_tensor *k = NULL, *x[SHAPES], *y = NULL;
    CHECK(agn_fn_new(&a, counted, &taken, NULL, 1, 1));
    CHECK(agn_fn_new(&b, counted, &left, NULL, 1, 1));
    CHECK(agn_fn_cond(&sw, a, b));
    CHECK(agn_full(&k, AGN_BOOL, 0, NULL, 1));
    for (int i = 0; i < SHAPES; i++)
        CHECK(agn_full(&x[i], AGN_F64, 1, (const int64_t[]){i + 1}, 0.5));
    for (int c = 0; c < CALLS; c++)
        for (int i = 0; i < SHAPES; i++) {
            CHECK(agn_fn_call(&y, 1, sw, AGN_ARGS(k, x[i])));
            agn_release(y);
            y = NULL;
        }
    ok(left == SHAPES && taken == SHAPES + SHAPES * CALLS,
       "%d kinds of arguments, %d calls: the branch left ran %d times, the one taken %d", SHAPES,
       SHAPES * CALLS, left, taken);
    for (int i = 0; i < SHAPES; i++)
        agn_release(x[i]);
    agn_release(k);
    agn_fn_release(sw);
    agn_fn_release(a);
    agn_fn_release(b);
}

int main(void)
{
    test_modes();
    test_looks();
    test_errors();
    int64_t blocks = 0;
    agn_memory_live(NULL, &blocks, NULL);
    ok(blocks <= 8, "all is released: %lld blocks are alive", (long long)blocks);
    return done();
}
