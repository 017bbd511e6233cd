/* Plans on a device: a physics-informed step, Adam's and L-BFGS's, as one call each that copies nothing to the host and
   allocates its results alone; steps whose key, count and rate stay on the device, as graphs beside which nothing is queued;
   plans with an op of the host between two graphs; what a plan may capture, and what it says of values on another device. */
#include "cuda.h"
#include <agnesi/fft.h>
#include <agnesi/optim.h>

enum { POINTS = 60, WIDE = 10, PARAMS = 6 };

/* u(x, t) by a network of two hidden layers */
static const agn_tensor *network(agn_scope *s, const agn_tensor *z, const agn_tensor *const *p)
{
    const agn_tensor *h = ag_tanh(s, ag_add(s, ag_matmul(s, z, p[0]), p[1]));
    h = ag_tanh(s, ag_add(s, ag_matmul(s, h, p[2]), p[3]));
    return ag_add(s, ag_matmul(s, h, p[4]), p[5]);
}
static agn_status field(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    (void)user;
    out[0] = network(s, in[PARAMS], in);
    return agn_scope_status(s);
}
/* mean of (u_t + u u_x - 0.01 u_xx)^2 over the points, and of u^2 at the ends; d: u, u_x, u_t, u_xx */
static agn_status burgers(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const agn_tensor *d[4];
    agn_fn *partials = user;
    if (agn_fn_apply(s, d, 4, partials, in, PARAMS + 1))
        return agn_scope_status(s);
    const agn_tensor *r = ag_sub(s, ag_add(s, d[2], ag_mul(s, d[0], d[1])), ag_mul_c(s, d[3], 0.01));
    const agn_tensor *edge = network(s, in[PARAMS + 1], in);
    out[0] = ag_add(s, ag_mean_all(s, ag_square(s, r)), ag_mean_all(s, ag_square(s, edge)));
    return agn_scope_status(s);
}

static int count_text(const char *text, const char *what)
{
    int n = 0;
    for (const char *at = text; (at = strstr(at, what)); at++)
        n++;
    return n;
}
/* how many launches a plan of f has, by its own description; 0: a region that no kernel of the
   device stands for, which is the CPU's */
static int count_launches(const agn_fn *plan)
{
    static char text[1 << 20];
    size_t need;
    must(agn_plan_explain(text, sizeof text, &need, plan));
    if (need > sizeof text)
        bail_out("a plan of %zu bytes of text", need);
    int launches = 0, regions = count_text(text, " region of ");
    const char *at = strstr(text, "\nlaunches: ");
    diag("%d steps, %d of them regions, in %d kernels that are made for them", count_text(text, "\nstep "), regions,
         count_text(text, "\n    one kernel of "));
    return at && sscanf(at, " launches: %d", &launches) == 1 &&
                   regions == count_text(text, "\n    blocks of ")
               ? launches
               : 0;
}
/* do regions become kernels on this device? */
static bool has_regions(void)
{
    const char *wish = getenv("AGNESI_NVRTC");
    return !wish || strcmp(wish, "0") != 0;
}

/* most: launches of a call */
static void compare_steps(const agn_fn *step, int n, agn_tensor *const *h, int carried, int steps, double tol,
                          int most, const char *what)
{
    agn_tensor *a[16], *b[16], *out[16];
    agn_fn *plan;
    int n_out = agn_fn_n_out(step);
    agn_status st = AGN_OK;
    must(agn_fn_compile(&plan, step, NULL));
    for (int i = 0; i < n; i++) {
        a[i] = agn_retain(h[i]);
        b[i] = on_device(h[i]);
    }
    double worst = 0;
    int64_t live[2] = {0, 0};
    for (int k = 0; k < steps && !st; k++) {
        must(agn_fn_call(out, n_out, plan, (const agn_tensor *const *)a, n));
        agn_tensor *have[16] = {NULL};
        st = agn_fn_call(have, n_out, plan, (const agn_tensor *const *)b, n);
        if (st)
            diag("%s", agn_error_message());
        for (int o = 0; o < n_out; o++) {
            worst = st ? (double)INFINITY : fmax(worst, relative(have[o], out[o]));
            if (o < carried && !st) {
                agn_release(a[o]), agn_release(b[o]);
                a[o] = out[o], b[o] = have[o];
            } else {
                agn_release(out[o]), agn_release(have[o]);
            }
        }
        agn_memory_live(&live[k == steps - 1], NULL, NULL);
    }
    ok(!st && worst <= tol, "%s, %d steps in plans on the device: %.2g", what, steps, worst);
    int launches = count_launches(plan);
    ok(!st && launches > 0 && launches <= (has_regions() ? most : 100) && live[1] <= live[0],
       "%s: %d launches, and nothing stays behind", what, launches);
    for (int i = 0; i < n; i++)
        agn_release(a[i]), agn_release(b[i]);
    agn_fn_release(plan);
}

static long (*emulator_count)(const char *what);
static long count(const char *what)
{
    return emulator_count ? emulator_count(what) : 0;
}
/* what a graph is instead of */
static long count_others(void)
{
    static const char *const other[] = {
        "launches",           "cudaMallocAsync",  "cudaFreeAsync",     "cudaStreamSynchronize",
        "copy to the device", "copy to the host", "copy on the device"};
    long n = 0;
    for (int i = 0; i < 7; i++)
        n += count(other[i]);
    return n;
}

/* A schedule writes the rate into the memory where a graph reads it: steps to and fro between two
   places, each known after two calls. */
static void test_schedule(const agn_fn *adam, const agn_tensor *x, const agn_tensor *const *data,
                          double tol)
{
    enum { STEPS = 8, KNOWN = 4, N = 6 };
    agn_tensor *d[2][N], *want[N], *h[N];
    agn_fn *plan;
    double worst = 0;
    long graphs = 0, others = 0;
    must(agn_fn_compile(&plan, adam, NULL));
    for (int i = 0; i < N; i++) {
        if (i < 3)
            must(i ? agn_zeros_like(&h[i], x) : agn_copy(&h[i], x));
        else if (i == 3)
            must(agn_from_host(&h[i], AGN_F64, 1, (int64_t[]){2}, (double[]){0, 0}));
        else
            h[i] = agn_retain((agn_tensor *)data[i - 4]);
        d[0][i] = on_device(h[i]);
        d[1][i] = i < 4 ? on_device(h[i]) : agn_retain(d[0][i]);
    }
    agn_tensor *loss = NULL, *there = NULL;
    must(agn_zeros(&loss, agn_dtype_of(x), 0, NULL));
    there = on_device(loss);
    agn_release(loss);
    for (int k = 0; k < STEPS; k++) {
        agn_tensor *const *from = d[k % 2], *to[5] = {d[(k + 1) % 2][0], d[(k + 1) % 2][1],
                                                      d[(k + 1) % 2][2], d[(k + 1) % 2][3], there};
        agn_tensor *minus, *lent;
        must(agn_from_host(&minus, AGN_F64, 1, (int64_t[]){2}, (double[]){-k, -0.02 / (k + 1)}));
        lent = on_device(minus);
        agn_release(h[3]);
        must(agn_neg(&h[3], minus));
        must(agn_neg_into(from[3], lent));
        agn_release(minus), agn_release(lent);
        must(agn_device_synchronize(cuda));
        graphs -= k < KNOWN ? 0 : count("cudaGraphLaunch");
        others -= k < KNOWN ? 0 : count_others();
        must(agn_fn_call_into(to, 5, plan, (const agn_tensor *const *)from, N));
        graphs += k < KNOWN ? 0 : count("cudaGraphLaunch");
        others += k < KNOWN ? 0 : count_others();
        must(agn_fn_call(want, 5, adam, (const agn_tensor *const *)h, N));
        for (int i = 0; i < 5; i++) {
            worst = fmax(worst, relative(to[i], want[i]));
            agn_release(i < 4 ? h[i] : want[i]);
            if (i < 4)
                h[i] = want[i];
        }
    }
    ok(worst <= tol, "%d steps of Adam by a schedule: %.2g apart", STEPS, worst);
    if (emulator_count && has_regions()) {
        is_int(graphs, STEPS - KNOWN, "each is the graph of its place, whatever the rate");
        is_int(others, 0, "and nothing is queued, copied or allocated beside it");
    }
    for (int i = 0; i < N; i++)
        agn_release(h[i]), agn_release(d[0][i]), agn_release(d[1][i]);
    agn_release(there);
    agn_fn_release(plan);
}

/* A step is one launch in phases where all blocks run at once, several where they do not: the bits are the same, however
   many run. */
static void test_processors(const agn_fn *adam, const agn_tensor *x, const agn_tensor *const *data, double tol)
{
    enum { N = 6, OUT = 5, WAYS = 4, STEPS = 3 };
    static const long processors[WAYS] = {0, 1, 3, 7};
    void (*set_processors)(long) = NULL;
    void *symbol = emulator_symbol("agn_emulator_processors");
    memcpy(&set_processors, &symbol, sizeof symbol);
    if (!set_processors || !has_regions())
        return;
    agn_tensor *want[OUT], *zero, *count_of;
    long together[WAYS];
    int launches[WAYS], same = 0;
    double worst = 0;
    must(agn_zeros_like(&zero, x));
    must(agn_zeros(&count_of, AGN_F64, 0, NULL));
    const agn_tensor *h[N] = {x, zero, zero, count_of, data[0], data[1]};
    must(agn_fn_call(want, OUT, adam, h, N));
    agn_tensor *d[N], *first[OUT] = {NULL};
    for (int i = 0; i < N; i++)
        d[i] = on_device((agn_tensor *)h[i]);
    for (int w = 0; w < WAYS; w++) {
        agn_fn *plan;
        set_processors(processors[w]);
        must(agn_fn_compile(&plan, adam, NULL));
        together[w] = -count("cooperative launches");
        for (int k = 0; k < STEPS; k++) {
            agn_tensor *out[OUT];
            must(agn_fn_call(out, OUT, plan, (const agn_tensor *const *)d, N));
            for (int o = 0; o < OUT; o++) {
                worst = fmax(worst, relative(out[o], want[o]));
                same += first[o] && worst_ulps(out[o], first[o]) == 0;
                first[o] = first[o] ? first[o] : on_host(out[o]);
                agn_release(out[o]);
            }
        }
        together[w] += count("cooperative launches");
        launches[w] = count_launches(plan);
        agn_fn_release(plan);
    }
    set_processors(-1);
    ok(worst <= tol && same == OUT * (WAYS * STEPS - 1), "the same bits by 0, 1, 3 and 7 processors, %.2g from the CPU's",
       worst);
    ok(launches[0] > 1 && !together[0], "blocks that need not run at once: %d launches", launches[0]);
    for (int w = 1; w < WAYS; w++)
        ok(launches[w] == 1 && together[w] >= 1, "%ld processors: one launch of all blocks at once", processors[w]);
    for (int i = 0; i < N; i++)
        agn_release(d[i]);
    for (int o = 0; o < OUT; o++)
        agn_release(want[o]), agn_release(first[o]);
    agn_release(zero), agn_release(count_of);
}

/* a network of this width over so many points and 12 of the boundary; launches of a step at most */
static void test_optimisers(int dtype, int64_t wide, int64_t points, int most_adam, int most_lbfgs)
{
    double tol = dtype == AGN_F32 ? 1e-3 : 1e-9;
    const int64_t shape[PARAMS][2] = {{2, wide}, {wide, 0}, {wide, wide}, {wide, 0}, {wide, 1}, {1, 0}};
    agn_tensor *p[PARAMS], *x, *zero, *pairs, *count;
    for (int i = 0; i < PARAMS; i++)
        p[i] = random_of(dtype, shape[i][1] ? 2 : 1, shape[i], -0.7, 0.7);
    agn_tensor *z = random_of(dtype, 2, (int64_t[]){points, 2}, -1, 1);
    agn_tensor *ends = random_of(dtype, 2, (int64_t[]){12, 2}, -1, 1);
    agn_fn *u, *partials, *loss, *objective, *adam, *lbfgs;
    must(agn_fn_new(&u, field, NULL, NULL, PARAMS + 1, 1));
    must(agn_fn_partials(&partials, u, PARAMS, (const int32_t[]){1, 0, 0, 1, 2, 0}, 3, 2));
    must(agn_fn_new(&loss, burgers, partials, NULL, PARAMS + 2, 1));
    must(agn_fn_value_and_grad(&objective, loss, (int32_t[]){0, 1, 2, 3, 4, 5}, PARAMS));
    must(agn_fn_adam(&adam, objective, AGN_ARGS(p[0], p[1], p[2], p[3], p[4], p[5]), NULL));
    must(agn_fn_lbfgs(&lbfgs, objective, AGN_ARGS(p[0], p[1], p[2], p[3], p[4], p[5])));
    must(agn_optim_pack(&x, AGN_ARGS(p[0], p[1], p[2], p[3], p[4], p[5])));
    must(agn_zeros_like(&zero, x));
    must(agn_zeros(&count, AGN_F64, 0, NULL));
    agn_tensor *step[6] = {x, zero, zero, count, z, ends};
    compare_steps(adam, 6, step, 4, 4, tol, most_adam, "Adam on Burgers' equation");
    test_schedule(adam, x, (const agn_tensor *const[]){z, ends}, tol);
    test_processors(adam, x, (const agn_tensor *const[]){z, ends}, tol);
    pairs = random_of(dtype, 2, (int64_t[]){5, agn_numel(x)}, -1, 1);
    agn_tensor *direction[5] = {x, pairs, pairs, z, ends};
    compare_steps(lbfgs, 5, direction, 0, 2, tol, most_lbfgs, "a direction of L-BFGS");
    for (int i = 0; i < PARAMS; i++)
        agn_release(p[i]);
    agn_release(x), agn_release(zero), agn_release(pairs), agn_release(count), agn_release(z), agn_release(ends);
    agn_fn_release(u), agn_fn_release(partials), agn_fn_release(loss), agn_fn_release(objective);
    agn_fn_release(adam), agn_fn_release(lbfgs);
}

/* ---- what is captured ------------------------------------------------------------------------------- */

static agn_status with_captured(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const agn_tensor *c = *(agn_tensor **)user;
    const agn_tensor *eye = ag_eye(s, AGN_F64, 4, 4, 0), *ones = ag_ones(s, AGN_F64, 1, (int64_t[]){4});
    out[0] = ag_sum_all(s, ag_mul(s, ag_matmul(s, ag_add(s, in[0], eye), c), ones));
    return agn_scope_status(s);
}

static void test_captured(void)
{
    agn_tensor *h = random_of(AGN_F64, 2, (int64_t[]){4, 4}, -1, 1), *c = random_of(AGN_F64, 2, (int64_t[]){4, 4}, -1, 1);
    agn_tensor *dx = on_device(h), *captured = on_device(c), *want = NULL, *have = NULL;
    agn_fn *f, *plan;
    must(agn_fn_new(&f, with_captured, &c, NULL, 1, 1));
    must(agn_fn_call(&want, 1, f, AGN_ARGS(h)));
    must(agn_fn_compile(&plan, f, NULL));
    is_int(agn_fn_call(&have, 1, plan, AGN_ARGS(dx)), AGN_EDEVICE, "a captured tensor of the host is refused");
    ok(!have && strstr(agn_error_message(), "cpu") && strstr(agn_error_message(), "cuda:0"), "both devices are named: %s",
       agn_error_message());
    agn_fn_release(plan), agn_fn_release(f);
    must(agn_fn_new(&f, with_captured, &captured, NULL, 1, 1));
    must(agn_fn_compile(&plan, f, NULL));
    for (int k = 0; k < 2; k++) {
        must(agn_fn_call(&have, 1, plan, AGN_ARGS(dx)));
        ok(relative(have, want) <= 1e-14, "one of the device, and constants that the body makes: %.2g", relative(have, want));
        agn_release(have);
    }
    agn_tensor *there = NULL, *host = random_of(AGN_F64, 0, NULL, 0, 1);
    must(agn_sum_all(&there, dx));
    have = host;
    agn_status st = agn_fn_call_into(&have, 1, plan, AGN_ARGS(dx));
    ok(st == AGN_EARG && strstr(agn_error_message(), "is not on the arguments' device"), "results of the host: %s",
       agn_error_message());
    have = there;
    must(agn_fn_call_into(&have, 1, plan, AGN_ARGS(dx)));
    ok(relative(there, want) <= 1e-14, "memory of the device");
    agn_fn_release(plan), agn_fn_release(f);
    agn_release(h), agn_release(c), agn_release(dx), agn_release(captured), agn_release(want), agn_release(there);
    agn_release(host);
}

/* ---- graphs, and what stands beside them ------------------------------------------------------------- */

enum { STATE = 5, CALLS = 8 };
/* Langevin's step down sum x^4: x, its momentum, a count, the rate, a key; noise from the key and the count */
static agn_status langevin(void *user, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    (void)user;
    const agn_tensor *x = in[0], *g = ag_mul_c(s, ag_mul(s, x, ag_square(s, x)), 4);
    const agn_tensor *key = ag_key_fold(s, in[4], in[2]);
    const agn_tensor *noise = ag_normal(s, key, agn_dtype_of(x), 1, (int64_t[]){POINTS});
    out[1] = ag_add(s, ag_mul_c(s, in[1], 0.9), ag_add(s, g, ag_mul(s, noise, ag_sqrt(s, in[3]))));
    out[0] = ag_sub(s, x, ag_mul(s, in[3], out[1]));
    out[2] = ag_add_c(s, in[2], 1);
    out[3] = ag_mul_c(s, in[3], 0.75);
    out[4] = key;
    return agn_scope_status(s);
}

static void test_state(int dtype)
{
    agn_tensor *h[STATE], *d[2][STATE], *want[STATE];
    agn_fn *f, *plan;
    h[0] = random_of(dtype, 1, (int64_t[]){POINTS}, -1, 1);
    must(agn_zeros_like(&h[1], h[0]));
    must(agn_from_host(&h[2], AGN_I64, 0, NULL, (int64_t[]){0}));
    h[3] = random_of(dtype, 0, NULL, 0.02, 0.05);
    must(agn_from_host(&h[4], AGN_I64, 1, (int64_t[]){2}, (int64_t[]){17, -5}));
    must(agn_fn_new(&f, langevin, NULL, NULL, STATE, STATE));
    must(agn_fn_compile(&plan, f, NULL));
    for (int i = 0; i < STATE; i++) {
        d[0][i] = on_device(h[i]);
        d[1][i] = on_device(h[i]);
    }
    double worst = 0;
    bool ints = true;
    long graphs = 0, others = 0;
    for (int k = 0; k < CALLS;
         k++) { /* to and fro between two places; each is met twice before it is a graph */
        agn_tensor *const *from = d[k % 2], **to = d[(k + 1) % 2];
        must(agn_fn_call(want, STATE, f, (const agn_tensor *const *)h, STATE));
        must(agn_device_synchronize(cuda));
        graphs -= k < 4 ? 0 : count("cudaGraphLaunch");
        others -= k < 4 ? 0 : count_others();
        must(agn_fn_call_into(to, STATE, plan, (const agn_tensor *const *)from, STATE));
        graphs += k < 4 ? 0 : count("cudaGraphLaunch");
        others += k < 4 ? 0 : count_others();
        for (int i = 0; i < STATE; i++) {
            if (i == 2 || i == 4)
                ints = ints && worst_ulps(to[i], want[i]) == 0;
            else
                worst = fmax(worst, relative(to[i], want[i]));
            agn_release(h[i]);
            h[i] = want[i];
        }
    }
    ok(worst <= (dtype == AGN_F32 ? 1e-4 : 1e-12) && ints,
       "%d steps with noise, %s: %.2g apart, counts and keys equal", CALLS, agn_dtype_name(dtype),
       worst);
    if (emulator_count) {
        is_int(graphs, CALLS - 4, "once both places are known each step is one graph");
        is_int(
            others, 0,
            "no kernel, copy, wait or block of memory beside it: key, count and rate are on the device");
    }
    for (int i = 0; i < STATE; i++)
        agn_release(h[i]), agn_release(d[0][i]), agn_release(d[1][i]);
    agn_fn_release(plan), agn_fn_release(f);
}

/* products, a root that the host takes, a network's layer */
static agn_status with_root(void *user, agn_scope *s, const agn_tensor *const *in,
                            const agn_tensor **out)
{
    (void)user;
    const agn_tensor *a = ag_matmul(s, ag_transpose(s, ag_sin(s, in[0])), ag_sin(s, in[0]));
    a = ag_add(s, a, ag_eye(s, AGN_F64, WIDE, WIDE, 0));
    const agn_tensor *y = ag_linalg_sqrtm(s, a);
    out[0] = ag_tanh(s, ag_matmul(s, in[0], y));
    out[1] = ag_sum_all(s, ag_square(s, ag_matmul(s, y, y)));
    return agn_scope_status(s);
}

static void test_host_step(void)
{
    enum { MANY = 4 };
    agn_tensor *h = random_of(AGN_F64, 2, (int64_t[]){POINTS, WIDE}, -1, 1), *d = on_device(h),
               *want[2], *have[2];
    agn_fn *f, *plan, *other;
    must(agn_fn_new(&f, with_root, NULL, NULL, 1, 2));
    must(agn_fn_compile(&plan, f, NULL));
    must(agn_fn_compile(&other, f, NULL));
    must(agn_fn_call(want, 2, f, AGN_ARGS(h)));
    bool was = agn_host_run_allow(false);
    agn_status st = agn_fn_call(have, 2, other, AGN_ARGS(d));
    agn_host_run_allow(was);
    ok(st == AGN_EUNSUPPORTED && strstr(agn_error_message(), "linalg_sqrtm"),
       "where runs on the host are not allowed the plan is refused: %s", agn_error_message());
    must(agn_fn_call(have, 2, plan, AGN_ARGS(d)));
    int64_t runs[2];
    agn_host_run_count(&runs[0], NULL);
    long graphs = 0;
    for (int k = 0; k < MANY; k++) {
        graphs = -count("cudaGraphLaunch");
        must(agn_fn_call_into(have, 2, plan, AGN_ARGS(d)));
        graphs += count("cudaGraphLaunch");
    }
    agn_host_run_count(&runs[1], NULL);
    ok(relative(have[0], want[0]) <= 1e-12 && relative(have[1], want[1]) <= 1e-12,
       "an op of the host in a plan: %.2g apart",
       fmax(relative(have[0], want[0]), relative(have[1], want[1])));
    ok(runs[1] - runs[0] == MANY && !strcmp(agn_host_run_last(), "linalg_sqrtm"),
       "counted and named: %d runs of %s", (int)(runs[1] - runs[0]), agn_host_run_last());
    static char text[1 << 18];
    must(agn_plan_explain(text, sizeof text, NULL, plan));
    ok(count_text(text, "    on the host, with copies there and back: ") == 1,
       "the plan's text names it");
    if (emulator_count)
        is_int(graphs, 2, "what stands before and after it are two graphs");
    for (int i = 0; i < 2; i++)
        agn_release(want[i]), agn_release(have[i]);
    agn_release(h), agn_release(d);
    agn_fn_release(plan), agn_fn_release(other), agn_fn_release(f);
}

/* a transform between steps: a graph keeps its plan of cuFFT, whatever other lengths come meanwhile */
enum { LONG = 64, LENGTHS = 40 };
static agn_status with_transform(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    (void)user;
    const agn_tensor *z = ag_fft_rfft(s, ag_sin(s, in[0]), 0, -1, AGN_FFT_BACKWARD);
    out[0] = ag_mul_c(s, ag_abs(s, z), 2);
    return agn_scope_status(s);
}
static void test_transforms(void)
{
    agn_tensor *h = random_of(AGN_F64, 2, (int64_t[]){3, LONG}, -1, 1), *d = on_device(h), *want, *have = NULL;
    agn_fn *f, *plan;
    long graphs = 0;
    double worst = 0;
    must(agn_fn_new(&f, with_transform, NULL, NULL, 1, 1));
    must(agn_fn_compile(&plan, f, NULL));
    must(agn_fn_call(&want, 1, f, AGN_ARGS(h)));
    must(agn_fn_call(&have, 1, plan, AGN_ARGS(d)));
    for (int k = 0; k < 4; k++) {
        agn_tensor *line, *there, *y;
        for (int n = 65; k == 3 && n < 65 + LENGTHS; n++) {
            line = random_of(AGN_F64, 1, (int64_t[]){n}, -1, 1), there = on_device(line);
            must(agn_fft_rfft(&y, there, 0, -1, AGN_FFT_BACKWARD));
            agn_release(line), agn_release(there), agn_release(y);
        }
        graphs = -count("cudaGraphLaunch");
        must(agn_fn_call_into(&have, 1, plan, AGN_ARGS(d)));
        graphs += count("cudaGraphLaunch");
        worst = fmax(worst, relative(have, want));
    }
    ok(worst <= 1e-14, "transforms in a plan, %d other lengths before its last call: %.2g apart", LENGTHS, worst);
    if (emulator_count)
        is_int(graphs, 1, "they are part of its graph");
    agn_release(h), agn_release(d), agn_release(want), agn_release(have);
    agn_fn_release(plan), agn_fn_release(f);
}

int main(void)
{
    int result;
    if (!cuda_ready(&result))
        return result;
    void *symbol = emulator_symbol("agn_emulator_count");
    memcpy(&emulator_count, &symbol, sizeof symbol);
    test_state(AGN_F64);
    test_state(AGN_F32);
    test_host_step();
    test_transforms();
    test_optimisers(AGN_F64, WIDE, POINTS, 1, 5);
    test_optimisers(AGN_F32, WIDE, POINTS, 1, 5);
    /* fewer points than it is wide: cut along the points all the same */
    test_optimisers(AGN_F32, 128, 64, 1, 5);
    test_captured();
    is_int(agn_device_synchronize(cuda), AGN_OK, "no fault is left");
    return done();
}
