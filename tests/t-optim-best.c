/* The best parameters of a run: against a record of every value and point, by every method, over
   data that change, saved and carried on; what is refused, every allocation failing in turn. */
#include "tests/laws.h"

enum { KINDS = 5, STEPS = 60 };

/* sum of (x - a)^2, x^4 and a cosine: steps of Adam that are too long run over it */
static agn_status waves(void *user, agn_scope *s, const agn_tensor *const *in,
                        const agn_tensor **out)
{
    (void)user;
    const agn_tensor *e = ag_sub(s, in[0], in[1]), *q = ag_square(s, e);
    out[0] = ag_sum_all(s, ag_add(s, ag_add(s, q, ag_square(s, q)), ag_cos(s, ag_mul_c(s, e, 3))));
    return agn_scope_status(s);
}
static agn_fn *objective(void)
{
    agn_fn *f, *g, *plan;
    must(agn_fn_new(&f, waves, NULL, NULL, 2, 1));
    must(agn_fn_value_and_grad(&g, f, (int32_t[]){0}, 1));
    must(agn_fn_compile(&plan, g, NULL));
    agn_fn_release(f);
    agn_fn_release(g);
    return plan;
}
static agn_tensor *three(int dtype, double a, double b, double c)
{
    return of_reals(dtype, 1, (int64_t[]){3}, (double[]){a, b, c});
}
static double value_at(const agn_fn *f, const agn_tensor *x, const agn_tensor *a)
{
    agn_tensor *y[2];
    must(agn_fn_call(y, 2, f, AGN_ARGS(x, a)));
    double v = peek(y[0], 0);
    agn_release(y[0]);
    agn_release(y[1]);
    return v;
}

static const agn_optim_options keeping = {.size = sizeof keeping, .rate = 0.4, .keep_best = true};
static agn_optim *minimiser(int kind, const agn_tensor *x)
{
    agn_optim *o;
    must(agn_optim_new(&o, kind, &x, 1, &keeping));
    return o;
}

/* the values that steps see: Adam those before, the others those after */
static void test_record(int kind, int dtype)
{
    agn_fn *f = objective();
    agn_tensor *x = three(dtype, -1.2, 2, 0.3), *a = three(dtype, 1, 0, -1), *best, *lowest = NULL;
    agn_optim *o = minimiser(kind, x);
    double value, least = INFINITY, found;
    must(agn_optim_best(&best, 1, &value, o));
    ok(isnan(value) && same_values(best, x), "kind %d: before a step, the start and no value",
       kind);
    agn_release(best);
    int32_t reason = AGN_OPTIM_RUNNING;
    for (int i = 0; i < STEPS && reason == AGN_OPTIM_RUNNING; i++) {
        agn_tensor *before, *after;
        must(agn_optim_params(&before, 1, o));
        must(agn_optim_step(&found, &reason, o, f, (const agn_tensor *const *)&a, 1));
        must(agn_optim_params(&after, 1, o));
        bool adam = kind == AGN_OPTIM_ADAM, first = !adam && i == 0;
        double seen = first ? fmin(found, value_at(f, x, a)) : found;
        if (seen < least) {
            least = seen;
            agn_release(lowest);
            lowest = agn_retain(adam ? before : after);
        }
        agn_release(before);
        agn_release(after);
    }
    must(agn_optim_best(&best, 1, &value, o));
    ok(value == least && same_values(best, lowest),
       "kind %d, dtype %d: the lowest of all values, %.17g", kind, dtype, value);
    ok(agn_dtype_of(best) == dtype && (dtype == AGN_F32 || value_at(f, best, a) == value),
       "which is the value there");
    ok(kind || least < found, "Adam went on to higher ones: %g after %g", found, least);
    agn_release(best);
    agn_release(lowest);
    agn_optim_release(o);
    agn_fn_release(f);
    agn_release(x);
    agn_release(a);
}

/* another objective: for a search along lines a new run */
static void test_new_data(void)
{
    agn_fn *f = objective();
    agn_tensor *x = three(AGN_F64, -1.2, 2, 0.3), *a = three(AGN_F64, 1, 0, -1),
               *b = three(AGN_F64, 5, 6, 7), *best;
    for (int kind = 1; kind < KINDS; kind++) {
        agn_optim *o = minimiser(kind, x);
        double value;
        must(agn_optim_minimise(NULL, o, f, (const agn_tensor *const *)&a, 1, 30, NULL, NULL));
        must(agn_optim_minimise(NULL, o, f, (const agn_tensor *const *)&b, 1, 1, NULL, NULL));
        must(agn_optim_best(&best, 1, &value, o));
        ok(value == value_at(f, best, b), "kind %d: the best is of the objective that was last, %g",
           kind, value);
        agn_release(best);
        agn_optim_release(o);
    }
    agn_fn_release(f);
    agn_release(x), agn_release(a), agn_release(b);
}

static void test_state(int kind)
{
    agn_fn *f = objective();
    agn_tensor *x = three(AGN_F64, -1.2, 2, 0.3), *a = three(AGN_F64, 1, 0, -1), *state, *one,
               *other;
    agn_optim *o = minimiser(kind, x), *again = minimiser(kind, a), *plain;
    double v, w;
    must(agn_optim_minimise(NULL, o, f, (const agn_tensor *const *)&a, 1, 9, NULL, NULL));
    must(agn_optim_state_get(&state, o));
    must(agn_optim_state_set(again, state));
    for (int i = 0; i < 2; i++) {
        must(agn_optim_best(&one, 1, &v, o));
        must(agn_optim_best(&other, 1, &w, again));
        ok(v == w && same_values(one, other), "kind %d: the best %s", kind,
           i ? "after more steps" : "of a state");
        agn_release(one);
        agn_release(other);
        must(agn_optim_minimise(NULL, o, f, (const agn_tensor *const *)&a, 1, 9, NULL, NULL));
        must(agn_optim_minimise(NULL, again, f, (const agn_tensor *const *)&a, 1, 9, NULL, NULL));
    }
    must(agn_optim_new(&plain, kind, (const agn_tensor *const *)&x, 1, NULL));
    ok(refused(agn_optim_state_set(plain, state), AGN_ESHAPE, "optim_state_set", "numbers",
               "state is", untouched),
       "a state with it fits no minimiser without");
    agn_optim_release(plain);
    agn_optim_release(o);
    agn_optim_release(again);
    agn_fn_release(f);
    agn_release(state), agn_release(x), agn_release(a);
}

static void test_one_call(void)
{
    agn_fn *f, *g = objective();
    agn_tensor *x = three(AGN_F64, -1.2, 2, 0.3), *a = three(AGN_F64, 1, 0, -1), *kept, *last;
    double best, end;
    agn_optim_options without = keeping;
    without.keep_best = false;
    must(agn_fn_new(&f, waves, NULL, NULL, 2, 1));
    must(
        agn_fn_minimise(&kept, 1, &best, NULL, f, AGN_ARGS(x, a), AGN_OPTIM_ADAM, STEPS, &keeping));
    must(agn_fn_minimise(&last, 1, &end, NULL, f, AGN_ARGS(x, a), AGN_OPTIM_ADAM, STEPS, &without));
    ok(best < end && best == value_at(g, kept, a), "one call: %g there, %g in the end", best, end);
    agn_release(kept), agn_release(last), agn_release(x), agn_release(a);
    agn_fn_release(f);
    agn_fn_release(g);
}

static void test_errors(void)
{
    agn_tensor *x = three(AGN_F64, 1, 2, 3), *out = untouched;
    agn_optim *o = minimiser(AGN_OPTIM_LBFGS, x), *plain;
    must(agn_optim_new(&plain, AGN_OPTIM_LBFGS, (const agn_tensor *const *)&x, 1, NULL));
    double v = 5;
    ok(refused(agn_optim_best(NULL, 1, &v, o), AGN_ENULL, "optim_best", "out", "NULL", out), "out");
    ok(refused(agn_optim_best(&out, 1, &v, NULL), AGN_ENULL, "optim_best", "o is", "NULL", out),
       "o");
    ok(refused(agn_optim_best(&out, 2, &v, o), AGN_EARG, "optim_best", "room for 2", "has 1", out),
       "room");
    ok(refused(agn_optim_best(&out, 1, &v, plain), AGN_EARG, "optim_best", "3 numbers", "keep_best",
               out),
       "without the option");
    for (int n = 0;; n++) {
        agn_memory_fail_after(n);
        agn_status st = agn_optim_best(&out, 1, &v, o);
        agn_memory_fail_after(-1);
        if (!st || st != AGN_ENOMEM || out != untouched || v != 5) {
            ok(!st && n > 1, "each of %d allocations failed in turn", n);
            break;
        }
    }
    agn_release(out);
    agn_optim_release(o);
    agn_optim_release(plain);
    agn_release(x);
}

int main(void)
{
    for (int kind = 0; kind < KINDS; kind++) {
        test_record(kind, AGN_F64);
        test_record(kind, AGN_F32);
        test_state(kind);
    }
    test_new_data();
    test_one_call();
    test_errors();
    return done();
}
