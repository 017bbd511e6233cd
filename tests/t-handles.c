/* tests/t-handles.c - the checking mode: uses of released tensors, bodies that keep or write what they compute
   from are refused and named; what is right is left alone; off, nothing is. */
#include "tests/laws.h"

#undef I /* of <complex.h> */

static int logged;
static char last_log[512];
static void note(void *user, int32_t level, const char *text)
{
    (void)user;
    if (level == 3) {
        logged++;
        snprintf(last_log, sizeof last_log, "%s", text);
    }
}

static agn_tensor *three(double first)
{
    return of_reals(AGN_F64, 1, (int64_t[]){3}, (double[]){first, first + 1, first + 2});
}

/* one more fault, which this text names, in the message and to the log */
static void found(int64_t before, agn_status st, agn_status want, const char *op, const char *maker,
                  const char *what, const char *about)
{
    const char *text = want ? agn_error_message() : last_log;
    ok(st == want && agn_handle_faults() == before + 1 && strstr(text, op) && strstr(text, maker) &&
           strstr(text, what) && strstr(text, "f64 [3]") && !strcmp(last_log, agn_error_message()),
       "%s: %s", about, text);
}

/* ---- releases -------------------------------------------------------------------------------- */

static void test_releases(void)
{
    agn_tensor *x = three(1), *y = NULL, *z = untouched;
    must(agn_sin(&y, x));
    agn_release(y);
    int64_t n = agn_handle_faults();
    found(n, agn_mul(&z, x, y), AGN_ESTALE, "mul: ", "made by sin", "was released", "use after release");
    ok(z == untouched, "and nothing is written");
    found(n + 1, agn_mul(&z, y, x), AGN_ESTALE, "mul: ", "made by sin", "was released", "the other operand");
    double v[3];
    found(n + 2, agn_to_host(v, y, sizeof v), AGN_ESTALE, "to_host: ", "made by sin", "was released", "a read");
    ok(!agn_data(y) && agn_handle_faults() == n + 4, "its data: %s", agn_error_message());
    agn_release(y);
    found(n + 4, AGN_OK, AGN_OK, "release: ", "made by sin", "was released before", "a double release");
    agn_release(y);
    ok(agn_handle_faults() == n + 6, "and again");
    must(agn_cos(&y, x));
    agn_tensor *twice = agn_retain(y);
    agn_release(y);
    must(agn_mul(&z, twice, x));
    agn_release(z), agn_release(twice);
    ok(agn_handle_faults() == n + 6, "two references may be released");
    agn_release(x);
}

static void test_scopes(void)
{
    agn_tensor *x = three(1), *y = NULL, *z = untouched;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *inner = ag_exp(s, x), *kept = ag_neg(s, inner);
    agn_scope_return(s, &y, kept);
    must(agn_scope_close(s));
    int64_t n = agn_handle_faults();
    found(n, agn_add(&z, x, inner), AGN_ESTALE, "add: ", "made by exp", "its scope, which is closed",
          "a scope's tensor after it closed");
    must(agn_add(&z, x, kept));
    ok(agn_handle_faults() == n + 1, "a result of the scope lives on");
    agn_release(x), agn_release(y), agn_release(z);
}

/* ---- bodies ------------------------------------------------------------------------------------ */

typedef struct keeper {
    agn_tensor *kept; /* sin of the first argument, or of a constant */
    bool constant;
    int calls;
} keeper;

static agn_status keeping(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    keeper *k = user;
    k->calls++;
    if (!k->kept)
        k->kept = agn_retain(k->constant ? ag_sin(s, ag_ones(s, AGN_F64, 1, (int64_t[]){3})) : ag_sin(s, in[0]));
    out[0] = ag_sum_all(s, ag_mul(s, k->kept, in[0]));
    return agn_scope_status(s);
}
static agn_status dangling(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const agn_tensor **kept = user;
    if (!*kept)
        *kept = ag_tanh(s, in[0]);
    out[0] = ag_sum_all(s, ag_mul(s, *kept, in[0]));
    return agn_scope_status(s);
}

static const int32_t first[] = {0};

static void test_keeping(void)
{
    agn_tensor *x = three(1), *y = NULL, *z = untouched;
    for (int mode = 0; mode < 3; mode++)
        for (int constant = 0; constant < 2; constant++) {
            keeper k = {.constant = constant};
            agn_fn *f = NULL, *g = NULL;
            must(agn_fn_new(&f, keeping, &k, NULL, 1, 1));
            must(mode == 0   ? agn_fn_grad(&g, f, first, 1)
                 : mode == 1 ? agn_fn_hessian(&g, f, 0)
                             : agn_fn_vmap(&g, f, (const int32_t[]){AGN_UNBATCHED}, 1, NULL, 0));
            if (mode == 2)
                agn_fn_release(g), g = agn_fn_retain(f);
            int64_t n = agn_handle_faults();
            must(agn_fn_call(&y, 1, g, AGN_ARGS(x)));
            agn_release(y);
            z = untouched;
            agn_status st = agn_fn_call(&z, 1, g, AGN_ARGS(x));
            if (constant) {
                ok(!st && agn_handle_faults() == n, "a constant may be kept");
                agn_release(z);
            } else {
                found(n, st, AGN_ESTALE, "mul: ", "made by sin", "was kept by this body", "a body that keeps a value");
                ok(z == untouched, "and nothing is written");
            }
            agn_release(k.kept);
            agn_fn_release(f), agn_fn_release(g);
        }
    const agn_tensor *kept = NULL;
    agn_fn *f = NULL;
    must(agn_fn_new(&f, dangling, &kept, NULL, 1, 1));
    must(agn_fn_call(&y, 1, f, AGN_ARGS(x)));
    int64_t n = agn_handle_faults();
    found(n, agn_fn_call(&z, 1, f, AGN_ARGS(x)), AGN_ESTALE, "mul: ", "made by tanh", "its scope, which is closed",
          "a body that keeps a scope's tensor without a reference");
    agn_fn_release(f);
    agn_release(x), agn_release(y);
}

typedef struct writer {
    agn_tensor *buffer;
    int how; /* 0: after its use, 1: before it, 2: an _into form after its use, 3: the argument */
} writer;

static agn_status writing(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const writer *w = user;
    void *p = NULL;
    agn_status st = w->how == 1 ? agn_data_mut(&p, w->buffer) : AGN_OK;
    if (p)
        ((double *)p)[0] += 1;
    const agn_tensor *y = ag_mul(s, w->buffer, in[0]);
    if (w->how == 0)
        st = agn_data_mut(&p, w->buffer);
    if (w->how == 2)
        st = agn_exp_into(w->buffer, in[0]);
    if (w->how == 3)
        st = agn_data_mut(&p, (agn_tensor *)(uintptr_t)in[0]);
    agn_scope_fail(s, st);
    out[0] = ag_sum_all(s, y);
    return agn_scope_status(s);
}

static void test_writing(void)
{
    agn_tensor *x = three(1), *y = NULL, *one = three(0);
    for (int how = 0; how < 4; how++) {
        writer w = {.how = how};
        agn_fn *f = NULL;
        must(agn_sqrt(&w.buffer, one));
        must(agn_fn_new(&f, writing, &w, NULL, 1, 1));
        int64_t n = agn_handle_faults();
        agn_status st = agn_fn_call(&y, 1, f, AGN_ARGS(x));
        if (how == 1)
            ok(!st && agn_handle_faults() == n, "what is not used yet may be written: %s", agn_error_message());
        else
            found(n, st, AGN_ESTALE, how == 2 ? "exp: " : "data_mut: ", how == 3 ? "made by no op" : "made by sqrt",
                  "is written by a body that computed from it", "a body that writes what it computed from");
        if (!st)
            agn_release(y);
        void *p = NULL;
        n = agn_handle_faults();
        ok(!agn_data_mut(&p, w.buffer) && agn_handle_faults() == n, "between calls it may be written");
        agn_fn_release(f);
        agn_release(w.buffer);
    }
    agn_release(x), agn_release(one);
}

/* ---- what is right ----------------------------------------------------------------------------- */

static agn_status wave(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const agn_tensor *scale = user;
    out[0] = ag_sum_all(s, ag_mul(s, ag_sin(s, ag_mul(s, scale, in[0])), ag_exp(s, in[0])));
    return agn_scope_status(s);
}
/* a body that differentiates another function twice, between its own steps */
static agn_status outer(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const agn_fn *g = user;
    const agn_tensor *y = NULL, *x = ag_square(s, in[0]);
    agn_fn_apply(s, &y, 1, g, &x, 1);
    agn_fn_apply(s, &y, 1, g, &y, 1);
    out[0] = ag_sum_all(s, ag_mul(s, y, x));
    return agn_scope_status(s);
}
static agn_status step(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    (void)user;
    out[0] = ag_add(s, ag_mul(s, in[0], in[2]), in[1]);
    out[1] = ag_sum_all(s, out[0]);
    return agn_scope_status(s);
}
static agn_status of_loop(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const agn_tensor *y[2];
    if (!agn_fn_apply(s, y, 2, user, in, 3))
        out[0] = ag_add(s, ag_sum_all(s, y[0]), ag_sum_all(s, y[1]));
    return agn_scope_status(s);
}

static void test_right(void)
{
    agn_tensor *x = three(0.5), *scale = three(1), *xs = NULL;
    int64_t n = agn_handle_faults();
    agn_fn *f = NULL, *g = NULL, *h = NULL, *loop = NULL, *l = NULL, *made[8] = {NULL};
    must(agn_fn_new(&f, wave, scale, NULL, 1, 1));
    must(agn_fn_grad(&g, f, first, 1));
    must(agn_fn_new(&h, outer, g, NULL, 1, 1));
    must(agn_zeros(&xs, AGN_F64, 2, (int64_t[]){4, 3}));
    must(agn_fn_new(&l, step, NULL, NULL, 3, 2));
    must(agn_fn_scan(&loop, l, 1, 1, 4, false));
    agn_fn_release(l);
    must(agn_fn_new(&l, of_loop, loop, NULL, 3, 1));
    must(agn_fn_grad(&made[0], h, first, 1));
    must(agn_fn_hessian(&made[1], h, 0));
    must(agn_fn_jacobian(&made[2], g, 0));
    must(agn_fn_compile(&made[3], made[0], NULL));
    must(agn_fn_checkpoint(&made[4], f));
    must(agn_fn_grad(&made[5], made[4], first, 1));
    must(agn_fn_grad(&made[6], l, first, 1));
    must(agn_fn_compile(&made[7], made[6], NULL));
    for (int k = 0; k < COUNT(made); k++)
        for (int i = 0; i < 3; i++) {
            agn_tensor *y = NULL;
            agn_status st = k < 6 ? agn_fn_call(&y, 1, made[k], AGN_ARGS(x))
                                  : agn_fn_call(&y, 1, made[k], AGN_ARGS(x, xs, scale));
            ok(!st && agn_handle_faults() == n, "function %d, call %d: %s", k, i, st ? agn_error_message() : "no fault");
            agn_release(y);
        }
    for (int k = 0; k < COUNT(made); k++)
        agn_fn_release(made[k]);
    agn_fn_release(f), agn_fn_release(g), agn_fn_release(h), agn_fn_release(loop), agn_fn_release(l);
    agn_release(x), agn_release(scale), agn_release(xs);
}

/* a handle that is no tensor: its use, and its second release, are named */
static void fault_of(agn_status st, const char *want, const char *about)
{
    static int64_t before;
    ok(st == AGN_ESTALE && agn_handle_faults() > before && !strcmp(agn_error_message(), want) &&
           !strcmp(last_log, want), "%s: %s", about, agn_error_message());
    before = agn_handle_faults();
}
static agn_status prior(void *user, agn_scope *s, agn_model_trace *t)
{
    (void)user;
    agn_distribution *d = NULL;
    agn_status st = agn_distribution_normal(&d, ag_lit(s, 0), ag_lit(s, 1), NULL);
    agn_model_parameter(s, t, "x", agn_distribution_adopt(s, st, &d), 0, NULL);
    return agn_scope_status(s);
}
static void test_other_handles(void)
{
    agn_tensor *x = three(1), *y = untouched, *rate = of_reals(AGN_F64, 0, NULL, (double[]){2});
    agn_fn *f = NULL, *g = NULL;
    must(agn_fn_new(&f, wave, rate, NULL, 1, 1));
    agn_fn_release(f);
    fault_of(agn_fn_call(&y, 1, f, AGN_ARGS(x)), "fn_call: the function was released", "a call");
    fault_of(agn_fn_grad(&g, f, (int32_t[]){0}, 1), "fn_grad: the function was released", "a transform");
    fault_of(agn_fn_compile(&g, f, NULL), "fn_compile: the function was released", "a plan");
    agn_fn_release(f);
    fault_of(AGN_ESTALE, "release: the function was released before", "a second release");
    agn_distribution *d = NULL;
    must(agn_distribution_exponential(&d, rate, NULL));
    agn_distribution_release(d);
    fault_of(agn_distribution_log_prob(&y, d, x), "log_prob: the distribution was released", "a law");
    agn_distribution_release(d);
    fault_of(AGN_ESTALE, "release: the distribution was released before", "and again");
    agn_transform *t = NULL;
    must(agn_transform_exp(&t));
    agn_transform_release(t);
    fault_of(agn_transform_forward(&y, t, x), "transform_forward: the transform was released", "a transform of laws");
    agn_optim *o = NULL;
    must(agn_optim_new(&o, AGN_OPTIM_ADAM, AGN_ARGS(x), NULL));
    agn_optim_release(o);
    must(agn_fn_new(&f, wave, rate, NULL, 1, 1));
    fault_of(agn_optim_step(NULL, NULL, o, f, NULL, 0), "optim_step: the optim was released", "a minimiser");
    agn_fn_release(f);
    agn_model *m = NULL;
    must(agn_model_new(&m, prior, NULL, NULL));
    agn_model_release(m);
    fault_of(agn_model_log_density(&f, m), "model_log_density: the model was released", "a model");
    agn_generator *r = NULL;
    must(agn_generator_new(&r, 1));
    agn_generator_release(r);
    fault_of(agn_generator_skip(r, 1), "generator_skip: the generator was released", "a generator");
    ok(y == untouched, "and nothing is written");
    agn_release(x), agn_release(rate);
}

/* headers that come back from the quarantine are handed out as new ones */
static void test_many(void)
{
    agn_tensor *x = three(1);
    int64_t n = agn_handle_faults();
    for (int i = 0; i < 100000; i++) {
        agn_tensor *y = NULL;
        must(agn_neg(&y, x));
        agn_release(y);
    }
    ok(agn_handle_faults() == n, "100000 tensors come and go");
    agn_release(x);
}

static void test_off(void)
{
    agn_handle_checks_set(false);
    int64_t n = agn_handle_faults(), before, after;
    agn_tensor *x = three(1), *y = NULL;
    keeper k = {.calls = 0};
    agn_fn *f = NULL;
    must(agn_fn_new(&f, keeping, &k, NULL, 1, 1));
    agn_memory_live(&before, NULL, NULL);
    for (int i = 0; i < 2; i++) {
        must(agn_fn_call(&y, 1, f, AGN_ARGS(x)));
        agn_release(y);
    }
    agn_release(k.kept);
    agn_memory_live(&after, NULL, NULL);
    ok(agn_handle_faults() == n && after == before, "off, nothing is said and nothing is held");
    agn_fn_release(f);
    agn_release(x);
}

int main(void)
{
    must(agn_hooks_set(&(agn_hooks){.size = sizeof(agn_hooks), .log = note}));
    agn_handle_checks_set(true);
    test_releases();
    test_scopes();
    test_keeping();
    test_writing();
    test_right();
    test_other_handles();
    test_many();
    ok(logged == agn_handle_faults(), "the log heard of every fault");
    test_off();
    must(agn_hooks_set(NULL));
    return done();
}
