/* t-checkpoint - what a policy saves is not computed again, what it does not save is;
   nested ones, names, every mode; and the errors. */
#include "tests/control.h"
#include "tests/counted.h"

/* of a number: five values "wide", one "narrow" */
static agn_status busy(void *u, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    (void)u;
    const agn_tensor *n = ag_arange(s, AGN_F64, 1, 6, 1);
    const agn_tensor *wide = ag_named(s, counted(s, ag_sin(s, ag_mul(s, n, in[0]))),
                                      "wide");
    const agn_tensor *narrow = ag_named(
        s, counted(s, ag_sum_all(s, ag_mul(s, wide, wide))), "narrow");
    out[0] = ag_exp(s, ag_mul_c(s, ag_mul(s, narrow, in[0]), 0.1));
    return AGN_OK;
}

static const char *const wide_name[] = {"other", "wide"}, *const narrow_name[] = {
                                                              "narrow"};
static const struct {
    agn_checkpoint_options opts;
    int again_big, again_small; /* evaluations of a gradient beyond the first */
    const char *name;
} policies[] = {
    {{.size = sizeof policies[0].opts}, 1, 1, "nothing"},
    {{.size = sizeof policies[0].opts, .save = AGN_SAVE_EVERYTHING},
     0,
     0,
     "everything"},
    {{.size = sizeof policies[0].opts,
      .save = AGN_SAVE_NAMED,
      .n_names = 2,
      .names = wide_name},
     0,
     1,
     "wide"},
    {{.size = sizeof policies[0].opts,
      .save = AGN_SAVE_NAMED,
      .n_names = 1,
      .names = narrow_name},
     1,
     0,
     "narrow"},
    {{.size = sizeof policies[0].opts, .save = AGN_SAVE_SMALL, .max_bytes = 8},
     1,
     0,
     "one number"},
    {{.size = sizeof policies[0].opts,
      .save = AGN_SAVE_SMALL | AGN_SAVE_NAMED,
      .max_bytes = 8,
      .n_names = 2,
      .names = wide_name},
     0,
     0,
     "wide, or one number"},
};
enum { POLICIES = sizeof policies / sizeof *policies };

static void test_policies(void)
{
    agn_fn *f = NULL, *df = NULL;
    agn_tensor *x = num(0.7), *want = NULL;
    const agn_tensor *in[1] = {x};
    CHECK(agn_fn_new(&f, busy, NULL, NULL, 1, 1));
    CHECK(agn_fn_grad(&df, f, NULL, 0));
    CHECK(agn_fn_call(&want, 1, df, in, 1));
    for (int i = 0; i < POLICIES; i++) {
        agn_fn *c = NULL, *dc = NULL, *plan = NULL, *cc = NULL;
        agn_tensor *y[2] = {NULL, NULL};
        char name[64];
        CHECK(agn_fn_checkpoint_with(&c, f, &policies[i].opts));
        CHECK(agn_fn_value_and_grad(&dc, c, NULL, 0));
        CHECK(agn_fn_compile(&plan, dc, NULL));
        for (int p = 0; p < 2; p++) {
            small_ones = big_ones = 0;
            CHECK(agn_fn_call(y, 2, p ? plan : dc, in, 1));
            ok(distance(y[1], want) <= (p ? 1e-14 : 0), "%s saved: the same gradient",
               policies[i].name);
            ok(big_ones == 1 + policies[i].again_big &&
                   small_ones == 1 + policies[i].again_small,
               "%s saved%s: wide values computed %d times, narrow ones %d times",
               policies[i].name, p ? ", in a plan" : "", big_ones, small_ones);
            agn_release(y[0]);
            agn_release(y[1]);
        }
        snprintf(name, sizeof name, "%s saved", policies[i].name);
        same_in_all_modes(c, f, in, 1, 0, name);
        CHECK(agn_fn_checkpoint(&cc, c));
        same_in_all_modes(cc, f, in, 1, 0, "a checkpoint of it");
        agn_fn *all[] = {c, dc, plan, cc};
        for (int k = 0; k < 4; k++)
            agn_fn_release(all[k]);
    }
    agn_fn_release(f);
    agn_fn_release(df);
    agn_release(x);
    agn_release(want);
}

/* ---- products, as a plan shows them ---------------------------------------------- */

static agn_status product(void *u, agn_scope *s, const agn_tensor *const *in,
                          const agn_tensor **out)
{
    (void)u;
    out[0] = ag_sum_all(s, ag_sin(s, ag_matmul(s, in[0], in[1])));
    return AGN_OK;
}
static int products_of(uint32_t save)
{
    agn_checkpoint_options o = {.size = sizeof o, .save = save};
    agn_fn *f = NULL, *c = NULL, *d = NULL, *plan = NULL;
    agn_tensor *x = NULL, *y = NULL;
    char text[8192];
    int n = 0;
    CHECK(agn_full(&x, AGN_F64, 2, (int64_t[]){3, 3}, 0.4));
    CHECK(agn_fn_new(&f, product, NULL, NULL, 2, 1));
    CHECK(agn_fn_checkpoint_with(&c, f, &o));
    CHECK(agn_fn_grad(&d, c, NULL, 0));
    CHECK(agn_fn_compile(&plan, d, NULL));
    CHECK(agn_fn_call(&y, 1, plan, AGN_ARGS(x, x)));
    CHECK(agn_plan_explain(text, sizeof text, NULL, plan));
    for (const char *p = text; (p = strstr(p, "matmul")); p++)
        n++;
    agn_fn *all[] = {f, c, d, plan};
    for (int k = 0; k < 4; k++)
        agn_fn_release(all[k]);
    agn_release(x);
    agn_release(y);
    return n;
}

/* ---- names, and errors ----------------------------------------------------------- */

static void test_names(void)
{
    agn_tensor *x = num(0.5), *y = NULL;
    ok(agn_named(NULL, x, "a") == AGN_ENULL && agn_named(&y, NULL, "a") == AGN_ENULL &&
           agn_named(&y, x, NULL) == AGN_ENULL && !y,
       "named: NULLs");
    ok(agn_named(&y, x, "") == AGN_EARG && !y && strstr(agn_error_message(), "empty"),
       "an empty name");
    CHECK(agn_named(&y, x, "a"));
    ok(distance(y, x) == 0, "a name changes no value");
    agn_release(y);
    agn_release(x);

    agn_fn *f = NULL, *c = NULL;
    CHECK(agn_fn_new(&f, product, NULL, NULL, 2, 1));
    agn_checkpoint_options o = {.size = 7};
    ok(agn_fn_checkpoint_with(NULL, f, NULL) == AGN_ENULL, "out is NULL");
    ok(agn_fn_checkpoint_with(&c, NULL, NULL) == AGN_ENULL, "f is NULL");
    ok(agn_fn_checkpoint_with(&c, f, &o) == AGN_EARG &&
           strstr(agn_error_message(), "7 bytes"),
       "options of another size");
    o = (agn_checkpoint_options){.size = sizeof o, .save = 64};
    ok(agn_fn_checkpoint_with(&c, f, &o) == AGN_EARG &&
           strstr(agn_error_message(), "64"),
       "an unknown policy");
    o = (agn_checkpoint_options){.size = sizeof o, .n_names = -1};
    ok(agn_fn_checkpoint_with(&c, f, &o) == AGN_EARG, "a negative number of names");
    o = (agn_checkpoint_options){.size = sizeof o, .max_bytes = -1};
    ok(agn_fn_checkpoint_with(&c, f, &o) == AGN_EARG, "a negative number of bytes");
    o = (agn_checkpoint_options){
        .size = sizeof o, .n_names = 2, .names = (const char *const[]){"a", NULL}};
    ok(agn_fn_checkpoint_with(&c, f, &o) == AGN_ENULL && !c &&
           strstr(agn_error_message(), "name 1"),
       "a name is NULL");
    agn_fn_release(f);
}

/* ---- within loops ---------------------------------------------------------------- */

enum { TURNS = 7 };
static agn_status turn(void *f, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const agn_tensor *y = NULL;
    agn_fn_apply(s, &y, 1, f, in, agn_fn_n_in(f));
    out[0] = agn_scope_status(s) ? NULL : ag_mul_c(s, y, 0.9);
    return agn_scope_status(s);
}
static agn_status always(void *u, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    (void)u;
    out[0] = ag_lt(s, in[0], ag_lit(s, 1e9));
    return AGN_OK;
}
static agn_status first_result(void *f, agn_scope *s, const agn_tensor *const *in,
                               const agn_tensor **out)
{
    const agn_tensor *y[2] = {NULL};
    agn_fn_apply(s, y, agn_fn_n_out(f), f, in, agn_fn_n_in(f));
    out[0] = y[0];
    return agn_scope_status(s);
}

/* a loop over the checkpointed function: of each step, the policy's values are saved */
static agn_fn *loop_of(const agn_fn *c, bool open)
{
    agn_fn *step = NULL, *going = NULL, *loop = NULL, *f = NULL;
    CHECK(agn_fn_new(&step, turn, (void *)(uintptr_t)c, NULL, 1, 1));
    CHECK(agn_fn_new(&going, always, NULL, NULL, 1, 1));
    if (open)
        CHECK(agn_fn_while(&loop, going, step,
                           &(agn_while_options){.size = sizeof(agn_while_options), .max_steps = TURNS}));
    else
        CHECK(agn_fn_scan(&loop, step, 1, 0, TURNS, false));
    CHECK(agn_fn_new(&f, first_result, loop, (void (*)(void *))agn_fn_release, 1, 1));
    agn_fn_release(step);
    agn_fn_release(going);
    return f;
}

static void test_loops(void)
{
    agn_fn *f = NULL;
    agn_tensor *x = num(0.7);
    const agn_tensor *in[1] = {x};
    CHECK(agn_fn_new(&f, busy, NULL, NULL, 1, 1));
    for (int open = 0; open < 2; open++) {
        agn_fn *plain = loop_of(f, open), *dplain = NULL;
        agn_tensor *want = NULL;
        CHECK(agn_fn_grad(&dplain, plain, NULL, 0));
        CHECK(agn_fn_call(&want, 1, dplain, in, 1));
        for (int i = 0; i < POLICIES; i++) {
            agn_fn *c = NULL, *d = NULL, *plan = NULL;
            agn_tensor *y[2] = {NULL, NULL};
            CHECK(agn_fn_checkpoint_with(&c, f, &policies[i].opts));
            agn_fn *loop = loop_of(c, open);
            CHECK(agn_fn_value_and_grad(&d, loop, NULL, 0));
            CHECK(agn_fn_compile(&plan, d, NULL));
            for (int p = 0; p < (open ? 1 : 2); p++) {
                small_ones = big_ones = 0;
                CHECK(agn_fn_call(y, 2, p ? plan : d, in, 1));
                int runs = p ? 1 : 2; /* values, and forth again where there is no plan */
                ok(distance(y[1], want) <= 1e-13, "%s, %s saved: the same gradient",
                   open ? "while" : "scan", policies[i].name);
                is_int(big_ones, (runs + policies[i].again_big) * TURNS, "%s, %s saved%s: wide ones",
                       open ? "while" : "scan", policies[i].name, p ? ", planned" : "");
                is_int(small_ones, (runs + policies[i].again_small) * TURNS, "narrow ones");
                agn_release(y[0]);
                agn_release(y[1]);
            }
            agn_fn_release(c);
            agn_fn_release(loop);
            agn_fn_release(d);
            agn_fn_release(plan);
        }
        agn_release(want);
        agn_fn_release(plain);
        agn_fn_release(dplain);
    }
    agn_fn_release(f);
    agn_release(x);
}

/* bytes at most of a gradient of a long loop of wide steps */
static agn_status deep(void *u, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const agn_tensor *x = in[0];
    (void)u;
    for (int i = 0; i < 10; i++)
        x = ag_sin(s, ag_mul_c(s, x, 1.1));
    out[0] = x;
    return AGN_OK;
}
static int64_t peak_of_loop(uint32_t save)
{
    enum { WIDE = 1000, LONG = 100 };
    agn_fn *f = NULL, *c = NULL, *loop = NULL, *v = NULL;
    agn_tensor *x = NULL, *one = NULL, *y[2] = {NULL};
    int64_t before, peak;
    CHECK(agn_full(&x, AGN_F64, 1, (const int64_t[]){WIDE}, 0.3));
    CHECK(agn_full(&one, AGN_F64, 1, (const int64_t[]){WIDE}, 1));
    CHECK(agn_fn_new(&f, deep, NULL, NULL, 1, 1));
    CHECK(agn_fn_checkpoint_with(&c, f, &(agn_checkpoint_options){.size = sizeof(agn_checkpoint_options),
                                                                  .save = save}));
    CHECK(agn_fn_scan(&loop, c, 1, 0, LONG, false));
    CHECK(agn_fn_vjp(&v, loop));
    agn_memory_live(&before, NULL, NULL);
    agn_memory_reset_peak();
    CHECK(agn_fn_call(y, 2, v, AGN_ARGS(x, one)));
    agn_memory_live(NULL, NULL, &peak);
    agn_tensor *gone[] = {x, one, y[0], y[1]};
    agn_fn *drop[] = {f, c, loop, v};
    for (int i = 0; i < 4; i++) {
        agn_release(gone[i]);
        agn_fn_release(drop[i]);
    }
    return peak - before;
}

/* eight layers of eight ops of an array; without a plan, too, a walk holds what is still to be read */
enum { WIDE = 20000, LAYERS = 8, OPS = 8 };
static agn_status layer(void *u, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    (void)u;
    const agn_tensor *x = in[0];
    for (int k = 0; k < OPS; k++)
        x = ag_sin(s, x);
    out[0] = x;
    return agn_scope_status(s);
}
static agn_status layers(void *u, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const agn_tensor *x = in[0];
    for (int k = 0; k < LAYERS; k++)
        agn_fn_apply(s, &x, 1, u, AGN_ARGS(x));
    out[0] = ag_sum_all(s, x);
    return agn_scope_status(s);
}

/* arrays at the peak of a derivative that is called with values */
static int64_t peak_of_call(const agn_fn *one, bool forward)
{
    agn_fn *f = NULL, *d = NULL;
    agn_tensor *x = NULL, *y[2] = {NULL, NULL};
    int64_t before, peak;
    CHECK(agn_fn_new(&f, layers, (void *)(uintptr_t)one, NULL, 1, 1));
    CHECK(forward ? agn_fn_jvp(&d, f) : agn_fn_grad(&d, f, NULL, 0));
    CHECK(agn_linspace(&x, AGN_F64, 0, 1, WIDE));
    agn_memory_live(&before, NULL, NULL);
    agn_memory_reset_peak();
    CHECK(agn_fn_call(y, agn_fn_n_out(d), d, (const agn_tensor *[]){x, x}, agn_fn_n_in(d)));
    agn_memory_live(NULL, NULL, &peak);
    agn_release(x);
    agn_release(y[0]);
    agn_release(y[1]);
    agn_fn_release(f);
    agn_fn_release(d);
    return (peak - before) / (WIDE * (int64_t)sizeof(double));
}

static void test_calls(void)
{
    agn_fn *one = NULL, *kept = NULL;
    CHECK(agn_fn_new(&one, layer, NULL, NULL, 1, 1));
    CHECK(agn_fn_checkpoint(&kept, one));
    for (int forward = 0; forward < 2; forward++) {
        int64_t all = peak_of_call(one, forward), few = peak_of_call(kept, forward);
        ok(all <= LAYERS * OPS + 6, "%s of %d ops holds %lld arrays", forward ? "jvp" : "grad",
           LAYERS * OPS, (long long)all);
        ok(few <= LAYERS + 2 * OPS + 6, "with %d checkpoints %lld", LAYERS, (long long)few);
    }
    agn_fn_release(one);
    agn_fn_release(kept);
}

int main(void)
{
    CHECK(agn_op_register(&counter));
    test_policies();
    int without = products_of(0), with = products_of(AGN_SAVE_PRODUCTS);
    ok(with == without - 1,
       "a product that is saved is not computed again: %d and %d in the plans", without,
       with);
    test_names();
    test_loops();
    test_calls();
    int64_t none = peak_of_loop(0), all = peak_of_loop(AGN_SAVE_EVERYTHING);
    ok(all > 7 * none, "a gradient of 100 steps: %lld bytes saving all, %lld saving nothing",
       (long long)all, (long long)none);
    int64_t blocks = 0;
    agn_memory_live(NULL, &blocks, NULL);
    ok(blocks <= 8, "all is released: %lld blocks are alive", (long long)blocks);
    return done();
}
