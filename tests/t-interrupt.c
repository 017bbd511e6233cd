/* tests/t-interrupt.c - kernels that take long ask the host meanwhile whether to stop, and what is stopped
   gives no result and leaves nothing changed. */
#include "tests/laws.h"

#undef I /* of <complex.h> */

static int asked, stop_at; /* 0: never */

static bool ask(void *user)
{
    (void)user;
    return ++asked == stop_at;
}
static void listen(int at)
{
    asked = 0;
    stop_at = at;
    must(agn_hooks_set(&(agn_hooks){.size = sizeof(agn_hooks), .interrupt = ask}));
}

static agn_tensor *x;

static agn_status product(agn_tensor **y)
{
    return agn_matmul(y, x, x);
}
static agn_status flat(agn_tensor **out, const char *what)
{
    static const int64_t all = -1;
    agn_tensor *v = NULL;
    must(agn_reshape(&v, x, 1, &all));
    agn_status st = *what == 's' ? agn_sort(out, v, 0, false) : agn_argsort(out, v, 0, true);
    agn_release(v);
    return st;
}
static agn_status sorted(agn_tensor **y)
{
    return flat(y, "sort");
}
static agn_status order(agn_tensor **y)
{
    return flat(y, "argsort");
}
static agn_status rows_sorted(agn_tensor **y)
{
    return agn_sort(y, x, 0, true);
}
static agn_status body(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    (void)user;
    out[0] = ag_sum_all(s, ag_matmul(s, in[0], in[0]));
    return agn_scope_status(s);
}
static agn_fn *compiled;
static agn_status in_a_plan(agn_tensor **y)
{
    return agn_fn_call(y, 1, compiled, AGN_ARGS(x));
}

static const struct {
    const char *name, *op;
    agn_status (*run)(agn_tensor **y);
    int more; /* questions of a plan itself */
} calls[] = {
    {"a product", "matmul", product, 0},     {"a sort", "sort", sorted, 0},
    {"an order", "argsort", order, 0},       {"a sort of columns", "sort", rows_sorted, 0},
    {"a plan", "call", in_a_plan, 2},
};

static void test_calls(int threads)
{
    must(agn_threads_set(threads));
    for (int k = 0; k < COUNT(calls); k++) {
        agn_tensor *want = NULL, *y = NULL;
        must(agn_hooks_set(NULL));
        must(calls[k].run(&want));
        listen(0);
        must(calls[k].run(&y));
        int times = asked;
        ok(times > calls[k].more, "%s with %d threads asks %d times", calls[k].name, threads, times);
        ok(same_values(want, y), "and gives the same bits");
        agn_release(y);
        int64_t before, after;
        agn_memory_live(&before, NULL, NULL);
        for (int at = 1; at <= times; at += 1 + times / (tap_quick() ? 2 : 4)) {
            y = untouched;
            listen(at);
            agn_status st = calls[k].run(&y);
            /* questions come by the clock: a fast run may end before this one */
            if (asked >= at)
                ok(refused(st, AGN_ECANCELLED, calls[k].op, "cancelled", NULL, y),
                   "stopped at question %d", at);
            else
                agn_release(y);
        }
        listen(0);
        must(calls[k].run(&y));
        ok(same_values(want, y), "the next call is as if nothing had been");
        agn_release(y);
        agn_memory_live(&after, NULL, NULL);
        ok(after <= before, "and nothing is kept");
        agn_release(want);
    }
}

/* what is written into the caller's memory is not stopped half-way */
static void test_into(void)
{
    agn_tensor *y = NULL, *want = NULL;
    must(agn_hooks_set(NULL));
    must(agn_matmul(&want, x, x));
    must(agn_empty(&y, AGN_F64, 2, agn_shape(x), AGN_CPU));
    listen(1);
    agn_status st = agn_matmul_into(y, x, x);
    ok(!st && same_values(y, want), "a product into memory is whole");
    is_int(asked, 0, "nobody was asked");
    agn_release(y), agn_release(want);
}

int main(void)
{
    int64_t n = tap_scale(2000);
    agn_fn *f = NULL;
    agn_tensor *key = NULL;
    agn_generator *g = NULL;
    agn_tensor *mean = scalar_of(AGN_F64, 0), *one = scalar_of(AGN_F64, 1);
    n = n < 1000 ? 1000 : n;
    must(agn_generator_new(&g, 1));
    must(agn_key(&key, g));
    must(agn_random_normal(&x, key, mean, one, 2, (int64_t[]){n, n}));
    must(agn_fn_new(&f, body, NULL, NULL, 1, 1));
    must(agn_fn_compile(&compiled, f, NULL));
    test_calls(1);
    test_calls(2);
    test_into();
    must(agn_hooks_set(NULL));
    agn_fn_release(f), agn_fn_release(compiled);
    agn_generator_release(g);
    agn_release(key), agn_release(x), agn_release(mean), agn_release(one);
    return done();
}
