/* Loops and branches of plans on a device: scan, while, cond, switch, one within the other, a line search and
   conjugate gradients as conditional nodes of one graph, whose numbers are the CPU's; the same bits where the host queues
   their steps, because the driver has no such nodes or each kernel is waited for. */
#include "cuda.h"
#include <agnesi/control.h>

#define BODY(name, ...) \
    static agn_status name(void *user, agn_scope *s, const agn_tensor *const *in, \
                           const agn_tensor **out) \
    { \
        (void)user; \
        __VA_ARGS__ \
        return agn_scope_status(s); \
    }

enum { N = 12, STEPS = 7 };

/* a loop as an argument of another body: apply it, or combine what it gives */
static void apply(agn_scope *s, void *loop, int n_out, const agn_tensor *const *in, int n_in,
                  const agn_tensor **out)
{
    (void)agn_fn_apply(s, out, n_out, loop, in, n_in);
}

/* ---- bodies ---------------------------------------------------------------------------------- */

/* scan: h [N] carried, x [N] a slice, w [N, N] */
BODY(cell, out[0] = ag_tanh(s, ag_add(s, ag_matmul(s, in[2], in[0]), in[1]));
     out[1] = ag_mul(s, out[0], in[1]); out[2] = ag_sum_all(s, ag_square(s, in[0]));)
/* two values that change places, one of another dtype that counts */
BODY(exchange, out[0] = in[1]; out[1] = ag_mul(s, in[0], in[3]); out[2] = ag_add_c(s, in[2], 2);
     out[3] = in[3];)

/* while: x and its square root by Newton's method */
BODY(newton, out[0] = ag_mul_c(s, ag_add(s, in[0], ag_div(s, in[1], in[0])), 0.5);)
BODY(is_far, out[0] = ag_gt(s, ag_sum_all(s, ag_abs(s, ag_sub(s, ag_square(s, in[0]), in[1]))),
                            ag_lit(s, 1e-3));)
BODY(is_never, out[0] = ag_lt(s, ag_sum_all(s, ag_abs(s, in[0])), ag_lit(s, -1));)

/* backtracking: the step t is halved until f(x - t g) < f(x) - t/2 |g|^2, f = sum x^4 */
static const agn_tensor *quartic(agn_scope *s, const agn_tensor *x)
{
    return ag_sum_all(s, ag_square(s, ag_square(s, x)));
}
BODY(halve, out[0] = ag_mul_c(s, in[0], 0.5);)
BODY(is_too_long, const agn_tensor *y = ag_sub(s, in[1], ag_mul(s, in[0], in[2]));
     const agn_tensor *least = ag_mul(s, ag_mul_c(s, in[0], 0.5),
                                      ag_sum_all(s, ag_square(s, in[2])));
     out[0] = ag_gt(s, quartic(s, y), ag_sub(s, quartic(s, in[1]), least));)

/* conjugate gradients: x, r, p, r.r; A */
BODY(gradients, const agn_tensor *q = ag_matmul(s, in[4], in[2]);
     const agn_tensor *a = ag_div(s, in[3], ag_sum_all(s, ag_mul(s, in[2], q)));
     out[0] = ag_add(s, in[0], ag_mul(s, a, in[2])); out[1] = ag_sub(s, in[1], ag_mul(s, a, q));
     out[3] = ag_sum_all(s, ag_square(s, out[1]));
     out[2] = ag_add(s, out[1], ag_mul(s, ag_div(s, out[3], in[3]), in[2]));)
BODY(is_residual, out[0] = ag_gt(s, in[3], ag_lit(s, 1e-6));)

/* a scan whose step is a while: square roots of the slices from the one before */
BODY(root_of_slice, const agn_tensor *y[2]; apply(s, user, 2, AGN_ARGS(in[0], in[1]), y);
     out[0] = y[0]; out[1] = ag_mul(s, y[0], in[0]); out[2] = y[1];)

BODY(run_scan, const agn_tensor *y[3];
     apply(s, user, 3, AGN_ARGS(ag_sin(s, in[0]), ag_cos(s, in[1]), in[2]), y);
     out[0] = ag_exp(s, y[0]); out[1] = ag_add_c(s, y[1], 1); out[2] = y[2];)
BODY(run_exchange, const agn_tensor *y[4];
     apply(s, user, 4, AGN_ARGS(in[0], ag_mul_c(s, in[0], 3), in[1], in[2]), y); out[0] = y[0];
     out[1] = y[1]; out[2] = y[2]; out[3] = y[3];)
BODY(run_while, const agn_tensor *y[2];
     apply(s, user, 2, AGN_ARGS(in[0], ag_mul_c(s, in[0], 2)), y);
     out[0] = ag_add(s, y[0], in[0]); out[1] = y[1];)
BODY(run_search, const agn_tensor *y[2];
     const agn_tensor *g = ag_mul_c(s, ag_mul(s, in[0], ag_square(s, in[0])), 4);
     apply(s, user, 2, AGN_ARGS(ag_add_c(s, ag_sum_all(s, ag_mul_c(s, in[1], 0)), 1), in[0], g), y);
     out[0] = ag_sub(s, in[0], ag_mul(s, y[0], g)); out[1] = y[1];)
BODY(run_gradients, const agn_tensor *y[5];
     const agn_tensor *a = ag_add(s, ag_matmul(s, ag_transpose(s, in[1]), in[1]),
                                  ag_eye(s, AGN_F64, N, N, 0));
     apply(s, user, 5, AGN_ARGS(ag_mul_c(s, in[0], 0), in[0], in[0],
                                ag_sum_all(s, ag_square(s, in[0])), a), y);
     out[0] = y[0]; out[1] = y[4];)
BODY(run_nested, const agn_tensor *y[3];
     apply(s, user, 3, AGN_ARGS(ag_add_c(s, ag_square(s, in[0]), 1),
                                ag_add_c(s, ag_square(s, in[1]), 1)), y);
     out[0] = y[0]; out[1] = y[1]; out[2] = y[2];)
BODY(energy, const agn_tensor *y[3]; if (run_scan(user, s, in, y)) return agn_scope_status(s);
     out[0] = ag_add(s, ag_sum_all(s, ag_square(s, y[0])), ag_sum_all(s, ag_mul(s, y[1], y[1])));)

/* cond and switch: branches of x [N] and w [N, N]; one gives an argument itself */
BODY(turn, out[0] = ag_sin(s, ag_matmul(s, in[1], in[0])); out[1] = ag_sum_all(s, in[0]);)
BODY(keep, out[0] = in[0]; out[1] = ag_sum_all(s, ag_square(s, in[1]));)
BODY(fall, out[0] = ag_cos(s, in[0]); out[1] = ag_sum_all(s, ag_mul(s, in[1], in[0]));)
BODY(run_cond, const agn_tensor *y[2];
     apply(s, user, 2, AGN_ARGS(ag_gt(s, ag_sum_all(s, in[0]), ag_lit(s, 0)), in[0], in[1]), y);
     out[0] = ag_exp(s, y[0]); out[1] = ag_mul(s, y[1], y[1]);)
BODY(run_switch, const agn_tensor *y[2]; apply(s, user, 2, AGN_ARGS(in[2], in[0], in[1]), y);
     out[0] = ag_mul_c(s, y[0], 2); out[1] = y[1];)
BODY(sum_of_cond, const agn_tensor *y[2]; if (run_cond(user, s, in, y)) return agn_scope_status(s);
     out[0] = ag_add(s, ag_sum_all(s, y[0]), y[1]);)
/* a step that turns its state where the slice says so */
BODY(turn_or_keep, const agn_tensor *y[2];
     apply(s, user, 2, AGN_ARGS(ag_gt(s, ag_sum_all(s, in[1]), ag_lit(s, 0)), in[0], in[2]), y);
     out[0] = y[0]; out[1] = ag_add(s, in[1], y[1]);)
BODY(run_turns, const agn_tensor *y[2]; apply(s, user, 2, AGN_ARGS(in[0], in[1], in[2]), y);
     out[0] = y[0]; out[1] = y[1];)

/* ---- functions ------------------------------------------------------------------------------- */

static agn_fn *make_scan(agn_body *body, void *user, int nc, int nk, int n_in, int n_out,
                         bool reverse)
{
    agn_fn *f, *loop;
    must(agn_fn_new(&f, body, user, NULL, n_in, n_out));
    must(agn_fn_scan(&loop, f, nc, nk, STEPS, reverse));
    agn_fn_release(f);
    return loop;
}
static agn_fn *make_while(agn_body *cond, agn_body *body, int n_in, int n_out, int most)
{
    agn_fn *c, *b, *loop;
    must(agn_fn_new(&c, cond, NULL, NULL, n_in, 1));
    must(agn_fn_new(&b, body, NULL, NULL, n_in, n_out));
    must(agn_fn_while(&loop, c, b,
                      &(agn_while_options){.size = sizeof(agn_while_options), .max_steps = most}));
    agn_fn_release(c), agn_fn_release(b);
    return loop;
}

/* ---- what is held ---------------------------------------------------------------------------- */

static long (*emulator_count)(const char *what);
static long count(const char *what)
{
    return emulator_count ? emulator_count(what) : 0;
}
static int count_text(const agn_fn *plan, const char *what)
{
    static char text[1 << 20];
    size_t need;
    int n = 0;
    must(agn_plan_explain(text, sizeof text, &need, plan));
    if (need > sizeof text)
        bail_out("a plan of %zu bytes of text", need);
    for (const char *at = text; (at = strstr(at, what)); at++)
        n++;
    return n;
}

static bool same_bits(const agn_tensor *a, const agn_tensor *b)
{
    agn_tensor *x = on_host(a), *y = on_host(b);
    bool same = agn_dtype_of(x) == agn_dtype_of(y) && same_shapes(x, y) &&
                !memcmp(agn_data(x), agn_data(y),
                        (size_t)agn_numel(x) * agn_dtype_size(agn_dtype_of(x)));
    agn_release(x), agn_release(y);
    return same;
}

/* the numbers in result o of f, which count steps, added; -1: none */
static int count_steps(const agn_fn *f, agn_tensor *const *h, int n, int o)
{
    agn_tensor *y[4], *sum;
    int64_t steps = 0;
    if (o < 0)
        return 0;
    must(agn_fn_call(y, agn_fn_n_out(f), f, (const agn_tensor *const *)h, n));
    must(agn_sum_all(&sum, y[o]));
    must(agn_item_i64(&steps, sum));
    for (int i = 0; i < agn_fn_n_out(f); i++)
        agn_release(y[i]);
    agn_release(sum);
    return (int)steps;
}

enum { MOST = 6, CALLS = 3 };
/* runs: of bodies in a call, all loops together */
static void test_function(const char *name, const agn_fn *f, agn_tensor *const *h, int n, int runs,
                          double tol)
{
    int n_out = agn_fn_n_out(f);
    agn_tensor *d[MOST], *want[MOST], *into[MOST] = {NULL}, *slow[MOST] = {NULL};
    agn_fn *cpu, *plan, *old, *each;
    must(agn_fn_compile(&cpu, f, NULL));
    must(agn_fn_compile(&plan, f, NULL));
    must(agn_fn_compile(&old, f, NULL));
    must(agn_fn_compile(&each, f, NULL));
    for (int i = 0; i < n; i++)
        d[i] = on_device(h[i]);
    must(agn_fn_call(want, n_out, cpu, (const agn_tensor *const *)h, n));
    long before = count("runs of a body");
    agn_status st = agn_fn_call(into, n_out, plan, (const agn_tensor *const *)d, n);
    st = st ? st : agn_device_synchronize(cuda);
    if (st)
        bail_out("%s: %s", name, agn_error_message());
    double worst = 0;
    for (int o = 0; o < n_out; o++)
        worst = fmax(worst, relative(into[o], want[o]));
    ok(worst <= tol, "%s: %.2g apart from the CPU", name, worst);
    ok(count_text(plan, "one node of a graph") > 0 && !count_text(plan, "the host queued"),
       "its plan says that the device repeats it");
    if (emulator_count)
        is_int(count("runs of a body") - before, runs, "bodies run at the first call");
    /* again into the same memory: the same bits, and nothing but one launch of a graph */
    bool same = true;
    long graphs = 0, others = 0;
    for (int k = 0; k < CALLS; k++) {
        agn_tensor *was[MOST];
        for (int o = 0; o < n_out; o++)
            must(agn_copy(&was[o], into[o]));
        must(agn_device_synchronize(cuda));
        const char *other[] = {"launches",         "cudaMallocAsync",    "copy to the device",
                               "copy to the host", "copy on the device", "cudaStreamSynchronize"};
        graphs -= count("cudaGraphLaunch");
        for (int i = 0; i < 6 && k; i++) /* the first makes the graph */
            others -= count(other[i]);
        must(agn_fn_call_into(into, n_out, plan, (const agn_tensor *const *)d, n));
        graphs += count("cudaGraphLaunch");
        for (int i = 0; i < 6 && k; i++)
            others += count(other[i]);
        for (int o = 0; o < n_out; o++) {
            same = same && same_bits(was[o], into[o]);
            agn_release(was[o]);
        }
    }
    ok(same, "the same bits in every call");
    if (emulator_count) {
        is_int(graphs, CALLS, "each call is one launch");
        is_int(others, 0, "no kernel, copy, wait or block of memory beside it");
    }
    /* the host queues the steps */
    int64_t reads[2];
    setenv("EMULATOR_DRIVER", "12030", 1);
    agn_host_run_count(NULL, &reads[0]);
    must(agn_fn_call(slow, n_out, old, (const agn_tensor *const *)d, n));
    agn_host_run_count(NULL, &reads[1]);
    unsetenv("EMULATOR_DRIVER");
    same = true;
    for (int o = 0; o < n_out; o++) {
        same = same && same_bits(slow[o], into[o]);
        agn_release(slow[o]);
        slow[o] = NULL;
    }
    ok(same, "the same bits where the driver has no conditional nodes");
    if (emulator_count)
        ok(count_text(old, "the driver has no conditional nodes") > 0 &&
               (runs == 0 || count_text(old, "the host queued its body") > 0),
           "which the plan says; %lld conditions were read", (long long)(reads[1] - reads[0]));
    setenv("AGNESI_SYNC", "1", 1);
    must(agn_fn_call(slow, n_out, each, (const agn_tensor *const *)d, n));
    unsetenv("AGNESI_SYNC");
    same = true;
    for (int o = 0; o < n_out; o++)
        same = same && same_bits(slow[o], into[o]);
    ok(same, "and where each kernel is waited for");
    for (int o = 0; o < n_out; o++)
        agn_release(slow[o]), agn_release(want[o]), agn_release(into[o]);
    for (int i = 0; i < n; i++)
        agn_release(d[i]);
    agn_fn_release(cpu), agn_fn_release(plan), agn_fn_release(old), agn_fn_release(each);
}

/* f of n arguments over the loop, which both go. Bodies run so many times in a call, and as often as
   result `steps` says. */
static void test_loop(const char *name, agn_body *body, agn_fn *loop, agn_tensor *const *h, int n,
                      int n_out, int runs, int steps, double tol)
{
    agn_fn *f;
    must(agn_fn_new(&f, body, loop, NULL, n, n_out));
    runs += count_steps(f, h, n, steps);
    test_function(name, f, h, n, runs, tol);
    agn_fn_release(f), agn_fn_release(loop);
}


/* a bool chooses, of either value; an integer, of either kind, also beyond the branches */
static void test_branches(agn_tensor *v, agn_tensor *w, agn_tensor *xs)
{
    agn_fn *f[3], *cond, *sw, *g, *e;
    agn_tensor *negative, *args[3] = {v, w, NULL};
    must(agn_neg(&negative, v));
    must(agn_fn_new(&f[0], turn, NULL, NULL, 2, 2));
    must(agn_fn_new(&f[1], keep, NULL, NULL, 2, 2));
    must(agn_fn_new(&f[2], fall, NULL, NULL, 2, 2));
    must(agn_fn_cond(&cond, f[0], f[1]));
    must(agn_fn_switch(&sw, (const agn_fn *[]){f[1], f[0], f[2]}, 3));
    must(agn_fn_new(&g, run_cond, cond, NULL, 2, 2));
    test_function("the first branch", g, args, 2, 1, 1e-12);
    args[0] = negative;
    test_function("the second branch", g, args, 2, 1, 1e-12);
    agn_fn_release(g);
    must(agn_fn_new(&g, sum_of_cond, cond, NULL, 2, 1));
    must(agn_fn_value_and_grad(&e, g, (int32_t[]){0, 1}, 2));
    test_function("the gradient of a branch", e, args, 2, 2, 1e-12);
    agn_fn_release(g), agn_fn_release(e);
    must(agn_fn_new(&g, run_switch, sw, NULL, 3, 2));
    for (int k = -1; k < 4; k++) {
        args[2] = scalar_of(k % 2 ? AGN_I64 : AGN_I32, k == 3 ? 1e9 : k);
        test_function(k % 2 ? "a branch by i64" : "a branch by i32", g, args, 3, 1, 1e-12);
        agn_release(args[2]);
    }
    agn_fn_release(g);
    must(agn_fn_new(&g, turn_or_keep, cond, NULL, 3, 2));
    must(agn_fn_scan(&e, g, 1, 1, STEPS, false));
    test_loop("branches within a scan", run_turns, e, (agn_tensor *[]){v, xs, w}, 3, 2, 2 * STEPS, -1,
              1e-12);
    agn_fn_release(g), agn_fn_release(cond), agn_fn_release(sw);
    for (int k = 0; k < 3; k++)
        agn_fn_release(f[k]);
    agn_release(negative);
}

/* a matrix that a body captures, written afterwards: the plan is stale, as on the CPU */
BODY(with_captured, agn_tensor *w = *(agn_tensor **)user; out[0] = ag_matmul(s, w, in[0]);)
static void test_stale(void)
{
    agn_tensor *w = NULL, *h = random_of(AGN_F64, 1, (int64_t[]){N}, -1, 1), *d = on_device(h),
               *m = random_of(AGN_F64, 2, (int64_t[]){N, N}, -0.2, 0.2), *y = NULL;
    w = on_device(m);
    agn_fn *step, *loop, *plan;
    must(agn_fn_new(&step, with_captured, &w, NULL, 1, 1));
    must(agn_fn_scan(&loop, step, 1, 0, STEPS, false));
    must(agn_fn_compile(&plan, loop, NULL));
    must(agn_fn_call(&y, 1, plan, AGN_ARGS(d)));
    agn_release(y);
    y = NULL;
    agn_tensor *into = w;
    must(agn_neg_into(into, w));
    is_int(agn_fn_call(&y, 1, plan, AGN_ARGS(d)), AGN_ESTALE, "a captured matrix was written: %s",
           agn_error_message());
    agn_fn_release(plan), agn_fn_release(loop), agn_fn_release(step);
    agn_release(h), agn_release(d), agn_release(m), agn_release(w), agn_release(y);
}

/* each block of device memory in turn is not to be had: loops within loops give their numbers or
   AGN_ENOMEM, and nothing stays */
static void test_failing(agn_tensor *v, agn_tensor *xs)
{
    void *f = emulator_symbol("agn_emulator_fail"), *l = emulator_symbol("agn_emulator_live");
    long (*fail)(long after, long many), (*live)(void);
    memcpy(&fail, &f, sizeof f);
    memcpy(&live, &l, sizeof l);
    agn_tensor *d[] = {on_device(v), on_device(xs)}, *y[3], *want[3];
    agn_fn *few = make_while(is_far, newton, 2, 1, 3), *scan, *g, *plan;
    scan = make_scan(root_of_slice, few, 1, 0, 2, 3, false);
    must(agn_fn_new(&g, run_nested, scan, NULL, 2, 3));
    must(agn_fn_call(want, 3, g, AGN_ARGS(v, xs)));
    must(agn_device_synchronize(cuda));
    long before = live();
    int failed = 0, wrong = 0;
    for (long k = 0, left = 0; !left; k++) {
        must(agn_fn_compile(&plan, g, NULL));
        fail(k, 2); /* the module tries twice */
        agn_status st = agn_fn_call(y, 3, plan, (const agn_tensor *const *)d, 2);
        left = fail(-1, 0);
        failed += st == AGN_ENOMEM;
        wrong += st && (st != AGN_ENOMEM || left);
        for (int o = 0; o < 3 && !st; o++) {
            wrong += !(relative(y[o], want[o]) <= 1e-13);
            agn_release(y[o]);
        }
        agn_fn_release(plan);
        must(agn_device_synchronize(cuda));
        wrong += live() != before;
    }
    /* a stream that lags holds freed blocks, which are had by waiting for it */
    const char *lag = getenv("EMULATOR_LAG");
    ok(failed > (lag && *lag == '1' ? 0 : 3) && !wrong, "%d allocations failed: AGN_ENOMEM or the numbers, no block stays",
       failed);
    for (int o = 0; o < 3; o++)
        agn_release(want[o]);
    agn_release(d[0]), agn_release(d[1]);
    agn_fn_release(few), agn_fn_release(scan), agn_fn_release(g);
}

static void test_loops(agn_tensor *v, agn_tensor *w, agn_tensor *xs, agn_tensor *three, agn_tensor *numbers,
                       agn_tensor *large)
{
    test_loop("values that change places", run_exchange,
              make_scan(exchange, NULL, 3, 1, 4, 4, false), (agn_tensor *[]){three, numbers, three},
              3, 4, STEPS, -1, 1e-6);
    test_loop("Newton's method", run_while, make_while(is_far, newton, 2, 1, 0), &large, 1, 2, 0, 1,
              1e-13);
    test_loop("at most 3 steps of it", run_while, make_while(is_far, newton, 2, 1, 3), &large, 1, 2,
              3, -1, 1e-13);
    test_loop("a condition that is false", run_while, make_while(is_never, newton, 2, 1, 0), &large,
              1, 2, 0, -1, 1e-13);
    agn_fn *few = make_while(is_far, newton, 2, 1, 3);
    test_loop("whiles within a scan", run_nested, make_scan(root_of_slice, few, 1, 0, 2, 3, false),
              (agn_tensor *[]){v, xs}, 2, 3, STEPS, 2, 1e-13);
    agn_fn_release(few);
    test_loop("a line search", run_search, make_while(is_too_long, halve, 3, 1, 0),
              (agn_tensor *[]){large, v}, 2, 2, 0, 1, 1e-12);
    test_loop("conjugate gradients", run_gradients, make_while(is_residual, gradients, 5, 4, 0),
              (agn_tensor *[]){v, w}, 2, 2, 0, 1, 1e-7);
}

/* an argument: only branches */
int main(int argc, char **argv)
{
    const bool all = argc < 2 || strcmp(argv[1], "branches") != 0;
    int result;
    if (!cuda_ready(&result))
        return result;
    void *symbol = emulator_symbol("agn_emulator_count");
    memcpy(&emulator_count, &symbol, sizeof symbol);
    agn_tensor *v = random_of(AGN_F64, 1, (int64_t[]){N}, 0.5, 2), *xs, *w, *three, *numbers,
               *large;
    xs = random_of(AGN_F64, 2, (int64_t[]){STEPS, N}, -1, 1);
    w = random_of(AGN_F64, 2, (int64_t[]){N, N}, -0.4, 0.4);
    three = random_of(AGN_F32, 1, (int64_t[]){3}, -1, 1);
    numbers = random_of(AGN_I32, 1, (int64_t[]){3}, -5, 5);
    must(agn_mul_c(&large, v, 40));
    for (int reverse = 0; all && reverse < 2; reverse++) {
        agn_fn *scan = make_scan(cell, NULL, 1, 1, 3, 3, reverse), *e, *g;
        agn_tensor *of_scan[] = {v, xs, w};
        must(agn_fn_new(&e, energy, scan, NULL, 3, 1));
        must(agn_fn_value_and_grad(&g, e, (int32_t[]){0, 1, 2}, 3));
        test_function("the gradient of a scan", g, of_scan, 3, 2 * STEPS, 1e-12);
        agn_fn_release(g), agn_fn_release(e);
        test_loop(reverse ? "a scan from the last slice" : "a scan", run_scan, scan, of_scan, 3, 3,
                  STEPS, -1, 1e-13);
    }
    if (all)
        test_loops(v, w, xs, three, numbers, large);
    test_branches(v, w, xs);
    if (all)
        test_stale();
    if (all && emulator_count)
        test_failing(v, xs);
    is_int(agn_device_synchronize(cuda), AGN_OK, "no fault is left");
    agn_release(v), agn_release(xs), agn_release(w), agn_release(three), agn_release(numbers);
    agn_release(large);
    return done();
}
