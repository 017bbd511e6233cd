/* t-revolve - reverse mode of a loop within a given memory: the gradient has the bits
   of the one that saves all, the steps taken again are as many as the optimum, and all
   modes agree. */
#include "tests/control.h"
#include "tests/counted.h"

static int64_t evaluated(void)
{
    return small_ones + big_ones;
}
static void count_from_zero(void)
{
    small_ones = big_ones = 0;
}

static agn_status step(void *k, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    out[0] = counted(s, ag_tanh(s, ag_add(s, ag_mul(s, in[0], in[2]), k)));
    out[1] = ag_add(s, in[1], ag_mul(s, out[0], in[0]));
    out[2] = ag_mul(s, out[0], in[2]);
    return agn_scope_status(s);
}

/* f(slices, k) of the loop from (k, 2 k); a whole number is carried, too */
typedef struct how {
    int64_t length;
    agn_scan_options opts;
} how;
static agn_status looped(void *user, agn_scope *s, const agn_tensor *const *in,
                         const agn_tensor **out)
{
    const how *h = user;
    agn_fn *f = NULL, *loop = NULL;
    const agn_tensor *y[3] = {NULL, NULL, NULL};
    agn_status st = agn_fn_new(&f, step, (void *)(uintptr_t)in[1], NULL, 3, 3);
    if (!st)
        st = agn_fn_scan_with(&loop, f, 2, 0, h->length, &h->opts);
    if (!st)
        st = agn_fn_apply(s, y, 3, loop, AGN_ARGS(in[1], ag_mul_c(s, in[1], 2), in[0]));
    if (!st) {
        const agn_tensor *weights = ag_arange(s, AGN_F64, 1, (double)h->length + 1, 1);
        out[0] = ag_add(s, ag_add(s, y[0], y[1]),
                        ag_sum_all(s, ag_mul(s, y[2], weights)));
    }
    agn_fn_release(f);
    agn_fn_release(loop);
    return st;
}

static agn_tensor *slices(int64_t n)
{
    double v[256];
    for (int i = 0; i < n; i++)
        v[i] = sin(1.7 * i + 0.3);
    return vec(n, v);
}

/* the least number of steps forth for n steps with s states, by its recursion: keep a
   state after m steps, reverse what is right of it with one state fewer, then the left
   */
static int64_t least(int n, int s)
{
    static int64_t t[130][130];
    if (n <= 1)
        return 0;
    if (s == 1)
        return (int64_t)n * (n - 1) / 2;
    if (t[n][s])
        return t[n][s];
    int64_t best = INT64_MAX;
    for (int m = 1; m < n; m++) {
        int64_t c = m + least(n - m, s - 1) + least(m, s);
        best = c < best ? c : best;
    }
    return t[n][s] = best;
}
static int64_t over(int64_t n, int64_t k)
{
    double b = 1;
    for (int64_t i = 1; i <= k; i++)
        b = b * (double)(n - k + i) / (double)i;
    return (int64_t)llround(b);
}
static int64_t stated(int64_t n, int64_t s) /* the formula of the manual */
{
    int64_t r = 0;
    while (over(s + r, s) < n)
        r++;
    return r ? r * n - over(s + r, s + 1) : 0;
}

static void test_optimum(void)
{
    static const int lengths[] = {1, 2, 3, 7, 10, 31, 64, 100, 128},
                     states[] = {1, 2, 3, 4, 7, 20, 128, 1000};
    int wrong_count = 0, wrong_bits = 0, wrong_formula = 0, n = 0;
    int32_t both[2] = {0, 1};
    agn_tensor *k = num(0.3);
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
        for (int rev = 0; rev < 2; rev++) {
            how plain = {lengths[l], {.size = sizeof plain.opts, .reverse = rev}};
            agn_tensor *xs = slices(lengths[l]), *g[2] = {NULL, NULL};
            const agn_tensor *in[2] = {xs, k};
            agn_fn *f = NULL, *df = NULL;
            CHECK(agn_fn_new(&f, looped, &plain, NULL, 2, 1));
            CHECK(agn_fn_grad(&df, f, both, 2));
            count_from_zero();
            CHECK(agn_fn_call(g, 2, df, in, 2));
            ok(evaluated() == 2 * lengths[l],
               "all saved: each of %d steps is taken twice", lengths[l]);
            agn_fn *planned = NULL;
            agn_tensor *pg[2] = {NULL, NULL};
            CHECK(agn_fn_compile(&planned, df, NULL));
            for (int time = 0; time < 2; time++) { /* the first traces and plans */
                count_from_zero();
                CHECK(agn_fn_call(pg, 2, planned, in, 2));
                agn_release(pg[0]);
                agn_release(pg[1]);
            }
            ok(evaluated() == lengths[l], "and once in a plan (%d)", (int)evaluated());
            agn_fn_release(planned);
            double want[2][256], have[2][256];
            CHECK(agn_to_host(want[0], g[0], sizeof(double) * (size_t)lengths[l]));
            CHECK(agn_to_host(want[1], g[1], sizeof(double)));
            for (size_t i = 0; i < sizeof states / sizeof *states; i++, n++) {
                how few = plain;
                agn_fn *h = NULL, *dh = NULL, *plan = NULL;
                int s = states[i] < lengths[l] ? states[i] : lengths[l];
                few.opts.keep = states[i];
                CHECK(agn_fn_new(&h, looped, &few, NULL, 2, 1));
                CHECK(agn_fn_grad(&dh, h, both, 2));
                CHECK(agn_fn_compile(&plan, dh, NULL));
                for (int p = 0; p < 2; p++) {
                    agn_tensor *y[2] = {NULL, NULL};
                    count_from_zero();
                    CHECK(agn_fn_call(y, 2, p ? plan : dh, in, 2));
                    /* a plan needs no result of the loop itself: it does not run it */
                    int64_t taken = evaluated() - lengths[l] - (p ? 0 : lengths[l]);
                    wrong_count += taken != least(lengths[l], s);
                    wrong_formula += least(lengths[l], s) != stated(lengths[l], s);
                    CHECK(agn_to_host(have[0], y[0],
                                      sizeof(double) * (size_t)lengths[l]));
                    CHECK(agn_to_host(have[1], y[1], sizeof(double)));
                    wrong_bits += memcmp(have[0], want[0],
                                         sizeof(double) * (size_t)lengths[l]) ||
                                  have[1][0] != want[1][0];
                    agn_release(y[0]);
                    agn_release(y[1]);
                }
                agn_fn_release(h);
                agn_fn_release(dh);
                agn_fn_release(plan);
            }
            agn_release(g[0]);
            agn_release(g[1]);
            agn_fn_release(f);
            agn_fn_release(df);
            agn_release(xs);
        }
    ok(!wrong_count, "%d schedules take the least number of steps (%d do not)", n,
       wrong_count);
    ok(!wrong_formula, "which is the number that the manual states");
    ok(!wrong_bits, "and give the bits of the gradient that saves all");
    agn_release(k);
}

static void test_modes(void)
{
    enum { N = 11 };
    static const agn_scan_options opts[] = {
        {.size = sizeof *opts, .keep = 1},
        {.size = sizeof *opts, .keep = 3},
        {.size = sizeof *opts, .keep = 3, .reverse = true},
        {.size = sizeof *opts, .keep = AGN_KEEP_LOG},
        {.size = sizeof *opts, .keep_bytes = 64}};
    agn_tensor *xs = slices(N), *k = num(0.3);
    for (size_t i = 0; i < sizeof opts / sizeof *opts; i++) {
        how plain = {N, {.size = sizeof plain.opts, .reverse = opts[i].reverse}},
            few = {N, opts[i]};
        agn_fn *f = NULL, *g = NULL, *hf = NULL, *hg = NULL;
        char name[32];
        CHECK(agn_fn_new(&f, looped, &few, NULL, 2, 1));
        CHECK(agn_fn_new(&g, looped, &plain, NULL, 2, 1));
        const agn_tensor *in[2] = {xs, k};
        snprintf(name, sizeof name, "few states, %zu", i);
        same_in_all_modes(f, g, in, 2, 1, name);
        CHECK(agn_fn_hessian(&hf, f, 0));
        CHECK(agn_fn_hessian(&hg, g, 0));
        same(hf, hg, in, "the Hessian in the slices");
        agn_fn *all[] = {f, g, hf, hg};
        for (int j = 0; j < 4; j++)
            agn_fn_release(all[j]);
    }
    agn_release(xs);
    agn_release(k);
}

/* ---- memory ---------------------------------------------------------------------- */

enum { WIDE = 4096, LONG = 1000 };
static agn_status wide_step(void *u, agn_scope *s, const agn_tensor *const *in,
                            const agn_tensor **out)
{
    (void)u;
    out[0] = ag_sin(s, in[0]);
    return AGN_OK;
}
static agn_status wide_sum(void *loop, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    const agn_tensor *y = NULL;
    if (!agn_fn_apply(s, &y, 1, loop, in, agn_fn_n_in(loop)))
        out[0] = ag_sum_all(s, y);
    return AGN_OK;
}
static int64_t peak_of(int64_t keep)
{
    agn_fn *f = NULL, *loop = NULL, *sum = NULL, *grad = NULL;
    agn_tensor *x = NULL, *g = NULL;
    agn_scan_options o = {.size = sizeof o, .keep = keep};
    CHECK(agn_full(&x, AGN_F64, 1, (int64_t[]){WIDE}, 0.5));
    CHECK(agn_fn_new(&f, wide_step, NULL, NULL, 1, 1));
    CHECK(agn_fn_scan_with(&loop, f, 1, 0, LONG, &o));
    CHECK(agn_fn_new(&sum, wide_sum, loop, NULL, 1, 1));
    CHECK(agn_fn_grad(&grad, sum, NULL, 0));
    int64_t before = 0, peak = 0;
    agn_memory_live(&before, NULL, NULL);
    agn_memory_reset_peak();
    CHECK(agn_fn_call(&g, 1, grad, AGN_ARGS(x)));
    agn_memory_live(NULL, NULL, &peak);
    agn_release(g);
    agn_release(x);
    agn_fn *all[] = {f, loop, sum, grad};
    for (int j = 0; j < 4; j++)
        agn_fn_release(all[j]);
    return (peak - before) / (WIDE * (int64_t)sizeof(double));
}
static void test_memory(void)
{
    int64_t all = peak_of(0), few = peak_of(8), log = peak_of(AGN_KEEP_LOG);
    ok(all >= LONG, "all states: %lld of them at the peak", (long long)all);
    ok(few <= 8 + 12, "8 states: %lld at the peak, of %d steps", (long long)few, LONG);
    ok(log <= 10 + 12, "a logarithm: %lld at the peak", (long long)log);
}

static void test_errors(void)
{
    agn_fn *f = NULL, *none = NULL;
    CHECK(agn_fn_new(&f, wide_step, NULL, NULL, 1, 1));
    ok(agn_fn_scan_with(NULL, f, 1, 0, 3, NULL) == AGN_ENULL, "out is NULL");
    ok(agn_fn_scan_with(&none, NULL, 1, 0, 3, NULL) == AGN_ENULL, "step is NULL");
    ok(agn_fn_scan_with(&none, f, 2, 0, 3, NULL) == AGN_EARG, "too many carried values");
    ok(agn_fn_scan_with(&none, f, 1, 0, 3, &(agn_scan_options){.size = 3}) == AGN_EARG &&
           strstr(agn_error_message(), "3 bytes"),
       "options of another size");
    agn_scan_options o = {.size = sizeof o, .keep = -2};
    ok(agn_fn_scan_with(&none, f, 1, 0, 3, &o) == AGN_EARG &&
           strstr(agn_error_message(), "-2"),
       "a negative number of states");
    o = (agn_scan_options){.size = sizeof o, .keep_bytes = -1};
    ok(agn_fn_scan_with(&none, f, 1, 0, 3, &o) == AGN_EARG, "a negative number of bytes");
    o = (agn_scan_options){.size = sizeof o, .keep = 1, .keep_bytes = 1};
    ok(agn_fn_scan_with(&none, f, 1, 0, 3, &o) == AGN_EARG && !none, "states and bytes");
    agn_fn_release(f);
}

int main(void)
{
    CHECK(agn_op_register(&counter));
    test_optimum();
    test_modes();
    test_memory();
    test_errors();
    int64_t blocks = 0;
    agn_memory_live(NULL, &blocks, NULL);
    ok(blocks <= 8, "all is released: %lld blocks are alive", (long long)blocks);
    return done();
}
