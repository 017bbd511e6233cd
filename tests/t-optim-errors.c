/* Minimisers and bad input: every documented error, and every allocation failing in turn. */
#include "tests/laws.h"

static agn_optim *const nothing = (agn_optim *)(uintptr_t)0x0b5e55ed;

/* status, op and two facts, and *out as it was */
static bool no_optim(agn_status st, agn_status want, const char *fact1, const char *fact2,
                     const agn_optim *out)
{
    return refused(st, want, "optim_new", fact1, fact2, untouched) && out == nothing;
}

static agn_status squares(void *user, agn_scope *s, const agn_tensor *const *in,
                          const agn_tensor **out)
{
    (void)user;
    out[0] = ag_sum_all(s, ag_square(s, ag_sub_c(s, in[0], 1)));
    return agn_scope_status(s);
}
/* value and gradient, with faults on demand */
typedef struct faults {
    int calls, fail_at;
    int value, gradient; /* 0 right, 1 other shape, 2 other dtype */
    agn_optim *read;     /* this one is read meanwhile */
    agn_status seen;
} faults;
static agn_status faulty(void *user, agn_scope *s, const agn_tensor *const *in,
                         const agn_tensor **out)
{
    faults *f = user;
    f->calls++;
    if (f->read) {
        agn_tensor *x = untouched;
        f->seen = agn_optim_state_get(&x, f->read);
        if (f->seen)
            f->seen = refused(f->seen, AGN_EARG, "optim_state_get", "in use", "step", x) ? AGN_EARG
                                                                                         : AGN_OK;
    }
    if (f->fail_at && f->calls >= f->fail_at) {
        static const int32_t axis = 9;
        out[0] = ag_sum(s, in[0], &axis, 1, false);
        return agn_scope_status(s);
    }
    const agn_tensor *e = ag_sub_c(s, in[0], 1), *y = ag_sum_all(s, ag_square(s, e));
    out[0] = f->value == 1   ? ag_square(s, e)
             : f->value == 2 ? ag_cast(s, y, AGN_I64)
                             : y;
    out[1] = ag_mul_c(s, e, 2);
    if (f->gradient == 1)
        out[1] = ag_expand_dims(s, out[1], 0);
    if (f->gradient == 2)
        out[1] = ag_cast(s, out[1], AGN_F32);
    return agn_scope_status(s);
}

static agn_tensor *point(void)
{
    return of_reals(AGN_F64, 1, (int64_t[]){3}, (double[]){-1.2, 1, 3});
}

static void test_new(void)
{
    agn_optim *o = nothing;
    agn_tensor *x = point(), *i64 = scalar_of(AGN_I64, 1);
    const agn_tensor *p[] = {x, NULL}, *q[] = {x, i64};
    ok(refused(agn_optim_new(NULL, 0, p, 1, NULL), AGN_ENULL, "optim_new", "out", "NULL", untouched),
       "out is NULL");
    ok(no_optim(agn_optim_new(&o, 0, NULL, 1, NULL), AGN_ENULL, "params", "1", o), "params is NULL");
    ok(no_optim(agn_optim_new(&o, 0, p, 2, NULL), AGN_ENULL, "parameter 1", NULL, o),
       "a parameter is NULL");
    ok(no_optim(agn_optim_new(&o, AGN_OPTIM_KINDS, p, 1, NULL), AGN_EARG, "method 20", "0 to 19", o),
       "kind 20");
    ok(no_optim(agn_optim_new(&o, -1, p, 1, NULL), AGN_EARG, "-1", "0 to 19", o), "kind -1");
    ok(no_optim(agn_optim_new(&o, 0, p, 0, NULL), AGN_EARG, "0 parameters", "1", o), "no parameter");
    ok(no_optim(agn_optim_new(&o, 0, q, 2, NULL), AGN_EDTYPE, "parameter 1", "i64", o),
       "an integer parameter");

    static const struct {
        size_t at;
        double value;
        const char *name;
    } bad[] = {
#define BAD(member, value) {offsetof(agn_optim_options, member), value, #member}
        BAD(rate, -2),         BAD(rate, (double)NAN),       BAD(rate, (double)INFINITY), BAD(rate, -1),
        BAD(beta1, 1),         BAD(beta1, -0.5),     BAD(beta2, 1.5),     BAD(beta2, (double)NAN),
        BAD(eps, -2),          BAD(weight_decay, -3), BAD(c1, -1),        BAD(c1, 1),
        BAD(c2, 1.5),          BAD(c2, 1e-5),        BAD(gradient_tol, -2), BAD(step_tol, (double)NAN),
        BAD(value_tol, (double)INFINITY),
#undef BAD
    };
    tally t = {0, 0};
    for (int i = 0; i < COUNT(bad); i++) {
        agn_optim_options a = {.size = sizeof a};
        memcpy((char *)&a + bad[i].at, &bad[i].value, sizeof bad[i].value);
        bool held = no_optim(agn_optim_new(&o, 1, p, 1, &a), AGN_EARG,
                             bad[i].value == 1e-5 ? "c1" : bad[i].name, NULL, o);
        check(&t, held, "%s = %g", bad[i].name, bad[i].value);
    }
    agn_optim_options a = {.size = 3};
    check(&t, no_optim(agn_optim_new(&o, 1, p, 1, &a), AGN_EARG, "size", "3", o), "size");
    a = (agn_optim_options){.size = sizeof a, .history = -1};
    check(&t, no_optim(agn_optim_new(&o, 1, p, 1, &a), AGN_EARG, "history", "-1", o), "history");
    a = (agn_optim_options){.size = sizeof a, .idle_steps = -2};
    check(&t, no_optim(agn_optim_new(&o, 1, p, 1, &a), AGN_EARG, "idle_steps", "-2", o),
          "idle_steps");
    a = (agn_optim_options){.size = sizeof a, .max_evaluations = -7};
    check(&t, no_optim(agn_optim_new(&o, 1, p, 1, &a), AGN_EARG, "max_evaluations", "-7", o),
          "max_evaluations");
    tell(&t, "options out of range");

    static const struct {
        double h[9];
        agn_status st;
        const char *fact1, *fact2;
    } wrong[] = {
        {{1, 0, 0, 0, -1, 0, 0, 0, 1}, AGN_EDOMAIN, "positive definite", "minor 2"},
        {{1, 2, 0, 2, 1, 0, 0, 0, 1}, AGN_EDOMAIN, "positive definite", "minor 2"},
        {{1, 0, 0, 0, 1, 0, 0, 0, 0}, AGN_EDOMAIN, "positive definite", "minor 3"},
        {{2, 0, 0, 1, 2, 0, 0, 0, 2}, AGN_EDOMAIN, "not symmetric", "(1,0)"},
        {{2, 0, 0, 0, (double)NAN, 0, 0, 0, 2}, AGN_EDOMAIN, "not symmetric", "(1,1)"},
    };
    for (int i = 0; i < COUNT(wrong); i++) {
        agn_tensor *h = of_reals(AGN_F64, 2, (int64_t[]){3, 3}, wrong[i].h);
        a = (agn_optim_options){.size = sizeof a, .inverse_hessian = h};
        ok(no_optim(agn_optim_new(&o, 2 + i % 3, p, 1, &a), wrong[i].st, wrong[i].fact1,
                    wrong[i].fact2, o),
           "inverse Hessian: %s, %s", wrong[i].fact1, wrong[i].fact2);
        agn_release(h);
    }
    agn_tensor *h = random_of(AGN_F64, 2, (int64_t[]){3, 2}, 0, 1),
               *narrow = random_of(AGN_F32, 2, (int64_t[]){3, 3}, 0, 1);
    a = (agn_optim_options){.size = sizeof a, .inverse_hessian = h};
    ok(no_optim(agn_optim_new(&o, 2, p, 1, &a), AGN_ESHAPE, "[3,2]", "3", o), "its shape");
    ok(no_optim(agn_optim_new(&o, 1, p, 1, &a), AGN_EARG, "lbfgs", "[3,2]", o), "for L-BFGS");
    a.inverse_hessian = narrow;
    ok(no_optim(agn_optim_new(&o, 2, p, 1, &a), AGN_EDTYPE, "f32", "f64", o), "its dtype");
    a.inverse_hessian = i64;
    ok(no_optim(agn_optim_new(&o, 2, p, 1, &a), AGN_EDTYPE, "i64", NULL, o), "its dtype again");

    double one = 1;
    static const int64_t huge[] = {(int64_t)1 << 40}, none[] = {0};
    agn_tensor *wide;
    must(agn_wrap_host(&wide, AGN_F64, 1, huge, none, &one, true, NULL, NULL));
    p[0] = wide;
    for (int kind = 0; kind < 5; kind++)
        ok(no_optim(agn_optim_new(&o, kind, p, 1, NULL), AGN_ENOMEM, NULL, NULL, o),
           "2^40 numbers, kind %d", kind);
    agn_release(wide);
    agn_release(h);
    agn_release(narrow);
    agn_release(i64);
    agn_release(x);
}

static agn_status in_trace(void *user, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    agn_status *st = user;
    agn_optim *o = nothing;
    st[0] = agn_optim_new(&o, 0, in, 1, NULL);
    st[1] = no_optim(st[0], AGN_ESYMBOLIC, "parameter 0", "[3]", o);
    out[0] = ag_sum_all(s, in[0]);
    return agn_scope_status(s);
}

static void test_tracing(void)
{
    agn_status st[2] = {0, 0};
    agn_fn *f, *v;
    agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){2, 3}, 0, 1), *y;
    must(agn_fn_new(&f, in_trace, st, NULL, 1, 1));
    must(agn_fn_vmap(&v, f, NULL, 0, NULL, 0));
    must(agn_fn_call(&y, 1, v, (const agn_tensor *const *)&x, 1));
    ok(st[0] == AGN_ESYMBOLIC && st[1], "parameters without values");
    agn_release(x);
    agn_release(y);
    agn_fn_release(f);
    agn_fn_release(v);
}

static void test_step(void)
{
    for (int kind = 0; kind < 5; kind++) {
        faults why = {0};
        agn_fn *f, *few;
        agn_tensor *x = point(), *y;
        agn_optim *o;
        must(agn_fn_new(&f, faulty, &why, NULL, 1, 2));
        must(agn_fn_new(&few, squares, NULL, NULL, 1, 1));
        must(agn_optim_new(&o, kind, (const agn_tensor *const *)&x, 1, NULL));
        double value = 77;
        int32_t reason = 55;
        const agn_tensor *none[] = {NULL};
        tally t = {0, 0};
#define STEP(fn, args, n) agn_optim_step(&value, &reason, o, fn, args, n)
#define SAYS(call, want, a, b) \
    check(&t, refused(call, want, "optim_step", a, b, untouched) && value == 77 && reason == 55, \
          #call)
        check(&t, refused(agn_optim_step(&value, &reason, NULL, f, NULL, 0), AGN_ENULL, "optim_step",
                          "o is", "NULL", untouched), "o is NULL");
        SAYS(STEP(NULL, NULL, 0), AGN_ENULL, "fn is", "NULL");
        SAYS(STEP(f, NULL, 1), AGN_ENULL, "args is", "NULL");
        SAYS(STEP(f, none, 1), AGN_EARG, "1 arguments", "1 parameters and 1");
        SAYS(STEP(f, none, -1), AGN_EARG, "1 arguments", "-1");
        SAYS(STEP(few, NULL, 0), AGN_EARG, "1 results", "1 gradients");
        why.value = 1;
        SAYS(STEP(f, NULL, 0), AGN_ESHAPE, "scalar", "[3]");
        why.value = 2;
        SAYS(STEP(f, NULL, 0), AGN_EDTYPE, "i64", "f64");
        why.value = 0;
        why.gradient = 1;
        SAYS(STEP(f, NULL, 0), AGN_ESHAPE, "[1,3]", "[3]");
        why.gradient = 2;
        SAYS(STEP(f, NULL, 0), AGN_EDTYPE, "f32", "f64");
        why.gradient = 0;
        check(&t, refused(agn_optim_minimise(&reason, NULL, f, NULL, 0, 1, NULL, NULL), AGN_ENULL,
                          "optim_minimise", "o is", NULL, untouched) && reason == 55, "minimise: o");
        check(&t, refused(agn_optim_minimise(&reason, o, f, NULL, 0, -1, NULL, NULL), AGN_EARG,
                          "optim_minimise", "-1", "0", untouched) && reason == 55, "minimise: -1");
        /* the objective fails at the n-th call */
        for (why.fail_at = 1; why.fail_at < 4; why.fail_at++) {
            why.calls = 0;
            agn_optim *new;
            must(agn_optim_new(&new, kind, (const agn_tensor *const *)&x, 1, NULL));
            reason = 55;
            check(&t, refused(agn_optim_minimise(&reason, new, f, NULL, 0, 9, NULL, NULL), AGN_EINDEX,
                              "sum", "9", NULL, untouched) && reason == 55, "objective fails");
            agn_optim_info i = {.size = sizeof i};
            must(agn_optim_describe(&i, new));
            int64_t made = i.steps;
            must(agn_optim_params(&y, 1, new));
            why.calls = -99;
            agn_optim *other;
            must(agn_optim_new(&other, kind, (const agn_tensor *const *)&x, 1, NULL));
            must(agn_optim_minimise(NULL, other, f, NULL, 0, made, NULL, NULL));
            agn_tensor *z;
            must(agn_optim_params(&z, 1, other));
            check(&t, same_values(y, z), "parameters after %d whole steps", (int)made);
            agn_release(y);
            agn_release(z);
            agn_optim_release(new);
            agn_optim_release(other);
        }
        why.fail_at = 0;
        why.read = o;
        must(agn_optim_step(NULL, NULL, o, f, NULL, 0));
        check(&t, why.seen == AGN_EARG, "read from within the objective");
        tell(&t, "errors of a step, kind %d", kind);
        agn_optim_release(o);
        agn_fn_release(f);
        agn_fn_release(few);
        agn_release(x);
    }
}

static void test_others(void)
{
    agn_tensor *x = point(), *out = untouched, *state;
    agn_optim *o;
    agn_optim_options a = {.size = sizeof a, .history = 3};
    must(agn_optim_new(&o, AGN_OPTIM_LBFGS, (const agn_tensor *const *)&x, 1, &a));
    ok(agn_optim_n_params(NULL) == -1 && isnan(agn_optim_rate(NULL)), "accessors take NULL");
    agn_optim_release(NULL);
    ok(refused(agn_optim_params(&out, 2, o), AGN_EARG, "optim_params", "room for 2", "has 1", out),
       "params: another number");
    ok(refused(agn_optim_params(NULL, 1, o), AGN_ENULL, "optim_params", "out", "NULL", out),
       "params: out");
    ok(refused(agn_optim_params(&out, 1, NULL), AGN_ENULL, "optim_params", "o", "NULL", out),
       "params: o");
    ok(refused(agn_optim_rate_set(NULL, 1), AGN_ENULL, "optim_rate_set", "o", "NULL", out),
       "rate_set: o");
    ok(refused(agn_optim_rate_set(o, -0.5), AGN_EARG, "optim_rate_set", "-0.5", "0.001", out),
       "rate_set: negative");
    ok(refused(agn_optim_rate_set(o, (double)NAN), AGN_EARG, "optim_rate_set", "nan", "0.001", out),
       "rate_set: NaN");
    agn_optim_info info = {.size = 5};
    ok(refused(agn_optim_describe(&info, o), AGN_EARG, "optim_describe", "5", NULL, out),
       "describe: size");
    ok(refused(agn_optim_describe(NULL, o), AGN_ENULL, "optim_describe", "info", NULL, out),
       "describe: info");
    info.size = sizeof info;
    ok(refused(agn_optim_describe(&info, NULL), AGN_ENULL, "optim_describe", "o", NULL, out),
       "describe: o");
    ok(refused(agn_optim_state_get(NULL, o), AGN_ENULL, "optim_state_get", "out", NULL, out),
       "state_get: out");
    ok(refused(agn_optim_state_get(&out, NULL), AGN_ENULL, "optim_state_get", "o", NULL, out),
       "state_get: o");
    ok(refused(agn_optim_state_set(o, NULL), AGN_ENULL, "optim_state_set", "state", NULL, out),
       "state_set: state");
    must(agn_optim_state_get(&state, o));
    ok(refused(agn_optim_state_set(NULL, state), AGN_ENULL, "optim_state_set", "o", NULL, out),
       "state_set: o");
    ok(refused(agn_optim_state_set(o, x), AGN_ESHAPE, "optim_state_set", "[3]", "numbers", out),
       "state_set: size");
    agn_tensor *narrow;
    must(agn_cast(&narrow, state, AGN_F32));
    ok(refused(agn_optim_state_set(o, narrow), AGN_EDTYPE, "optim_state_set", "f32", "f64", out),
       "state_set: dtype");
    agn_release(narrow);

    /* every number in the head of the file may lie: no crash, no endless loop */
    int64_t n = agn_numel(state);
    double *v = room_for((size_t)n * sizeof *v);
    static const double lies[] = {-1, 0.5, 4, 1e300, (double)NAN, (double)INFINITY, -(double)INFINITY};
    tally t = {0, 0};
    agn_fn *f, *g;
    must(agn_fn_new(&f, squares, NULL, NULL, 1, 1));
    must(agn_fn_value_and_grad(&g, f, NULL, 1));
    int refusals = 0;
    for (int i = 0; i < n && i < 60; i++)
        for (int k = 0; k < COUNT(lies); k++) {
            memcpy(v, agn_data(state), (size_t)n * sizeof *v);
            v[i] = lies[k];
            agn_tensor *lie = of_reals(AGN_F64, 1, &n, v);
            agn_optim *p;
            must(agn_optim_new(&p, AGN_OPTIM_LBFGS, (const agn_tensor *const *)&x, 1, &a));
            agn_status st = agn_optim_state_set(p, lie);
            if (st) {
                refusals++;
                check(&t, refused(st, AGN_EFORMAT, "optim_state_set", "lbfgs", "3 numbers", out),
                      "number %d is %g", i, lies[k]);
            } else {
                must(agn_optim_minimise(NULL, p, g, NULL, 0, 10, NULL, NULL));
                check(&t, true, "survived");
            }
            agn_optim_release(p);
            agn_release(lie);
        }
    tell(&t, "a lying state is refused (%d times) or harmless", refusals);
    free(v);
    agn_fn_release(f);
    agn_fn_release(g);
    agn_release(state);
    agn_optim_release(o);
    agn_release(x);
}

/* ---- memory: each allocation of each call fails once ------------------------------------------ */

typedef struct world {
    agn_optim *o;
    agn_tensor *x, *out;
    const agn_fn *g;
    int kind;
} world;

static agn_status do_new(world *w)
{
    return agn_optim_new(&w->o, w->kind, (const agn_tensor *const *)&w->x, 1, NULL);
}
static agn_status do_step(world *w)
{
    return agn_optim_step(NULL, NULL, w->o, w->g, NULL, 0);
}
static agn_status do_params(world *w)
{
    return agn_optim_params(&w->out, 1, w->o);
}
static agn_status do_get(world *w)
{
    return agn_optim_state_get(&w->out, w->o);
}
static agn_status do_set(world *w)
{
    return agn_optim_state_set(w->o, w->out);
}

static int failures(world *w, agn_status (*call)(world *), const char *name, tally *t)
{
    for (int n = 0;; n++) {
        agn_memory_fail_after(n);
        agn_status st = call(w);
        agn_memory_fail_after(-1);
        if (!st)
            return n;
        check(t, st == AGN_ENOMEM, "%s, allocation %d: %s", name, n, agn_error_message());
        if (n > 2000)
            return n;
    }
}

static void test_memory(void)
{
    agn_fn *f, *g;
    must(agn_fn_new(&f, squares, NULL, NULL, 1, 1));
    must(agn_fn_value_and_grad(&g, f, NULL, 1));
    for (int kind = 0; kind < 5; kind++) {
        int64_t before, after;
        world w = {nothing, point(), untouched, g, kind};
        tally t = {0, 0};
        agn_memory_live(NULL, &before, NULL);
        int count = failures(&w, do_new, "optim_new", &t);
        count += failures(&w, do_step, "optim_step", &t);
        count += failures(&w, do_params, "optim_params", &t);
        agn_release(w.out);
        w.out = untouched;
        count += failures(&w, do_get, "optim_state_get", &t);
        count += failures(&w, do_set, "optim_state_set", &t);
        count += failures(&w, do_step, "optim_step", &t);
        agn_release(w.out);
        agn_optim_release(w.o);
        agn_memory_live(NULL, &after, NULL);
        tell(&t, "kind %d: %d allocations failed in turn", kind, count);
        is_int(after, before, "nothing is lost");
        agn_release(w.x);
    }
    agn_fn_release(f);
    agn_fn_release(g);
}

int main(void)
{
    test_new();
    test_tracing();
    test_step();
    test_others();
    test_memory();
    return done();
}
