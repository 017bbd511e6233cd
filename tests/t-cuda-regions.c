/* Regions of plans as kernels of a device that are made at run time, and plans that are replayed
   as one graph: the numbers of the CPU, with how many launches; on the emulator also what is
   queued. */
#include "cuda.h"

typedef agn_status body_of(void *user, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out);
#define BODY(name, ...) \
    static agn_status name(void *user, agn_scope *s, const agn_tensor *const *in, \
                           const agn_tensor **out) \
    { \
        (void)user; \
        __VA_ARGS__ \
        return agn_scope_status(s); \
    }

/* in: x [n, k], row [k], column [n, 1], w [k, k], v [k, 3] */
static const int32_t last[] = {-1}, first[] = {0};

BODY(chain, out[0] = ag_tanh(s, ag_add(s, ag_mul(s, in[0], in[1]), in[2]));
     out[1] = ag_mul(s, ag_sigmoid(s, in[0]), ag_softplus(s, out[0]));)
BODY(choices, const agn_tensor *more = ag_gt(s, in[0], in[2]);
     out[0] = ag_where(s, more, ag_square(s, in[0]), ag_abs(s, in[1]));
     out[1] = ag_logical_and(s, more, ag_isfinite(s, ag_log(s, in[0])));
     out[2] = ag_maximum(s, ag_relu(s, in[0]), ag_minimum(s, in[1], in[2]));)
BODY(functions, const agn_tensor *x = in[0], *y = ag_add(s, ag_sin(s, x), ag_cos(s, x));
     y = ag_add(s, y, ag_mul(s, ag_erf(s, x), ag_erfc(s, x)));
     y = ag_add(s, y, ag_mul(s, ag_expm1(s, x), ag_log1p(s, ag_exp(s, x))));
     y = ag_sub(s, y, ag_gelu(s, x));
     y = ag_sub(s, y, ag_reciprocal(s, ag_sqrt(s, ag_add_c(s, ag_square(s, x), 1))));
     y = ag_add(s, y, ag_rsqrt(s, ag_add_c(s, ag_abs(s, x), 0.5)));
     out[0] = ag_add(s, y, ag_mul(s, ag_sign(s, x), ag_floor(s, ag_mul_c(s, x, 3))));
     out[1] = ag_add(s, ag_ceil(s, ag_mul_c(s, x, 5)),
                     ag_mul(s, ag_round(s, ag_mul_c(s, x, 7)),
                            ag_trunc(s, ag_neg(s, ag_mul_c(s, x, 9)))));)
BODY(row_sums, const agn_tensor *e = ag_exp(s, ag_sub(s, in[0], in[2]));
     out[0] = ag_sum(s, e, last, 1, false);
     out[1] = ag_max(s, ag_mul(s, e, in[1]), last, 1, true);
     out[2] = ag_logsumexp(s, ag_mul(s, in[0], in[1]), last, 1, false);
     out[3] = ag_div(s, e, ag_sum(s, e, last, 1, true));)
BODY(batch_sums, const agn_tensor *e = ag_tanh(s, ag_sub(s, in[0], in[2]));
     out[0] = ag_sum(s, e, first, 1, false);
     out[1] = ag_mean_all(s, ag_square(s, ag_mul(s, e, in[1])));
     out[2] = ag_matmul(s, ag_transpose(s, ag_mul(s, e, in[0])), ag_square(s, e));
     out[3] = ag_mul(s, e, out[0]);)
BODY(layers, const agn_tensor *h = ag_tanh(s, ag_add(s, ag_matmul(s, in[0], in[3]), in[1]));
     h = ag_tanh(s, ag_matmul(s, h, in[3]));
     out[0] = ag_matmul(s, h, in[4]);
     out[1] = ag_sum_all(s, ag_square(s, ag_sub(s, out[0], in[2])));)
BODY(pieces, const agn_tensor *left = ag_slice(s, ag_exp(s, in[0]), 2, (int64_t[]){0, 0},
                                               (int64_t[]){AGN_END, 2}, (int64_t[]){1, 1});
     const agn_tensor *both[] = {ag_sin(s, in[0]), ag_mul(s, left, in[2]), ag_cos(s, in[2])};
     out[0] = ag_tanh(s, ag_concat(s, both, 3, 1));)
BODY(joined, const agn_tensor *all[5], *flat = ag_exp(s, in[0]);
     all[0] = ag_reshape(s, flat, 1, (int64_t[]){agn_numel(flat)}); all[1] = ag_sin(s, in[1]);
     all[2] = ag_cos(s, in[1]); all[3] = in[1]; all[4] = ag_square(s, in[1]);
     out[0] = ag_concat(s, all, 5, 0);)
BODY(energy, const agn_tensor *y[2]; if (layers(user, s, in, y)) return agn_scope_status(s);
     out[0] = ag_div(s, y[1], ag_sum_all(s, ag_add_c(s, ag_square(s, in[2]), 1)));)

/* small steps behind a region: rows of functions, truth values, broadcasts, copies, products */
BODY(small, const agn_tensor *v = ag_sum(s, ag_tanh(s, ag_mul(s, in[0], in[2])), first, 1, false);
     const agn_tensor *x = ag_mul_c(s, v, 0.3), *c = ag_reshape(s, x, 2, (int64_t[]){5, 1});
     const agn_tensor *m = ag_sub(s, in[1], c), *low = ag_lt(s, m, ag_mul_c(s, x, 0.5));
     const agn_tensor *odd = ag_logical_or(s, ag_gt(s, m, x), ag_isnan(s, ag_log(s, m)));
     out[0] = ag_where(s, ag_logical_and(s, odd, ag_logical_not(s, low)),
                       ag_pow(s, ag_abs(s, m), x), ag_maximum(s, m, ag_minimum(s, x, c)));
     const agn_tensor *y = ag_add(s, ag_sin(s, m), ag_mul(s, ag_cos(s, x), ag_exp(s, c)));
     y = ag_add(s, y, ag_sub(s, ag_sigmoid(s, m), ag_softplus(s, ag_relu(s, m))));
     y = ag_add(s, y, ag_div(s, ag_erf(s, m), ag_sqrt(s, ag_add_c(s, ag_square(s, m), 1))));
     y = ag_add(s, y, ag_add(s, ag_sign(s, m), ag_floor(s, ag_mul_c(s, m, 3))));
     y = ag_add(s, y, ag_mul(s, ag_round(s, ag_mul_c(s, m, 7)), ag_trunc(s, ag_neg(s, x))));
     y = ag_add(s, y, ag_add(s, ag_expm1(s, m), ag_log1p(s, ag_abs(s, m))));
     out[1] = ag_add(s, y, ag_add(s, ag_reciprocal(s, ag_add_c(s, ag_ceil(s, ag_abs(s, m)), 1)),
                                  ag_rsqrt(s, ag_add_c(s, ag_tan(s, ag_square(s, x)), 9))));
     const agn_tensor *pieces[] = {m, ag_transpose(s, y), c, ag_erfc(s, m)};
     out[2] = ag_concat(s, pieces, 4, 1); out[3] = ag_matmul(s, ag_transpose(s, m), y);
     out[4] = ag_cast(s, ag_concat(s, (const agn_tensor *[]){x, v}, 2, 0), AGN_F64);
     out[5] = ag_le(s, m, c); out[6] = ag_logical_not(s, ag_ge(s, out[1], m));
     out[7] = ag_cast(s, ag_ne(s, m, ag_mul(s, m, ag_tanh(s, c))), agn_dtype_of(m));
     out[8] = ag_eq(s, m, ag_maximum(s, m, c));)

static const struct {
    const char *name;
    body_of *body;
    int n_out;
} bodies[] = {{"chain", chain, 2},       {"choices", choices, 3},       {"functions", functions, 2},
              {"row_sums", row_sums, 4}, {"batch_sums", batch_sums, 4}, {"layers", layers, 2},
              {"pieces", pieces, 1},     {"joined", joined, 1}};

static void make_arguments(agn_tensor *h[5], int dtype, int64_t n, int64_t k)
{
    h[0] = random_of(dtype, 2, (int64_t[]){n, k}, -1, 1);
    h[1] = random_of(dtype, 1, (int64_t[]){k}, -1, 1);
    h[2] = random_of(dtype, 2, (int64_t[]){n, 1}, -1, 1);
    h[3] = random_of(dtype, 2, (int64_t[]){k, k}, -0.4, 0.4);
    h[4] = random_of(dtype, 2, (int64_t[]){k, 3}, -0.5, 0.5);
}

/* launches of a plan by its own description; regions in it; numbers of weights that their blocks
   keep in shared memory; rows of the smallest tile; kernels whose tiles lie outside of it */
static int kept, tile, outside;
static int count_launches(const agn_fn *plan, int *regions)
{
    static char text[1 << 18];
    int n = 0;
    size_t need;
    must(agn_plan_explain(text, sizeof text, &need, plan));
    if (need > sizeof text)
        bail_out("a plan of %zu bytes of text", need);
    *regions = kept = outside = 0;
    tile = 1 << 10;
    const char *at = strstr(text, "\nlaunches: ");
    if (!at || sscanf(at, " launches: %d", &n) != 1)
        bail_out("a plan that does not say how many launches it has");
    for (at = text; (at = strstr(at, "\n    blocks of ")); at++) {
        int weights = 0;
        ++*regions;
        if (sscanf(at, " blocks of %*d threads, %d numbers", &weights) == 1)
            kept += weights;
    }
    for (at = text; (at = strstr(at, ", tiles of ")); at++) {
        int rows = 0;
        if (sscanf(at, ", tiles of %d", &rows) == 1 && rows < tile)
            tile = rows;
    }
    for (at = text; (at = strstr(at, "; its tiles lie in device memory")); at++)
        outside++;
    return n;
}

static double largest_difference(agn_fn *f, const agn_tensor *const *h, int n, int n_out,
                                 int *launches, int *regions)
{
    agn_tensor *d[16], *want[16] = {NULL}, *have[16] = {NULL};
    agn_fn *plan;
    double worst = 0;
    must(agn_fn_call(want, n_out, f, h, n));
    must(agn_fn_compile(&plan, f, NULL));
    for (int i = 0; i < n; i++)
        d[i] = on_device(h[i]);
    agn_status st = agn_fn_call(have, n_out, plan, (const agn_tensor *const *)d, n);
    if (st)
        diag("%s", agn_error_message());
    for (int o = 0; o < n_out; o++) {
        worst = st ? (double)INFINITY : fmax(worst, relative(have[o], want[o]));
        agn_release(have[o]), agn_release(want[o]);
    }
    *launches = st ? 0 : count_launches(plan, regions);
    for (int i = 0; i < n; i++)
        agn_release(d[i]);
    agn_fn_release(plan);
    return worst;
}

/* do regions become kernels on this device? */
static bool has_regions(void)
{
    const char *wish = getenv("AGNESI_NVRTC");
    return !wish || strcmp(wish, "0") != 0;
}

static void test_bodies(int dtype)
{
    static const int64_t sizes[][2] = {{8, 3}, {31, 5}, {32, 17}, {33, 4}, {300, 6}, {2100, 2}};
    double tol = dtype == AGN_F32 ? 2e-5 : 1e-12;
    for (int b = 0; b < (int)(sizeof bodies / sizeof *bodies); b++) {
        double worst = 0;
        int most = 0, made = 0, bad = 0;
        agn_fn *f;
        must(agn_fn_new(&f, bodies[b].body, NULL, NULL, 5, bodies[b].n_out));
        for (int z = 0; z < (int)(sizeof sizes / sizeof *sizes); z++) {
            agn_tensor *h[5];
            int launches, regions = 0;
            make_arguments(h, dtype, sizes[z][0], sizes[z][1]);
            double d = largest_difference(f, (const agn_tensor *const *)h, 5, bodies[b].n_out,
                                          &launches, &regions);
            bad += !(d <= tol);
            worst = fmax(worst, d);
            most = launches > most ? launches : most;
            made += regions > 0;
            for (int i = 0; i < 5; i++)
                agn_release(h[i]);
        }
        /* pieces of memory joined in place: those that were not are copied by one launch */
        bool few = bodies[b].body == joined ? most <= 3 : made == 6;
        ok(!bad && (!has_regions() || few),
           "%s, %s: %.2g apart, at most %d launches, %d of 6 plans with regions", bodies[b].name,
           agn_dtype_name(dtype), worst, most, made);
        agn_fn_release(f);
    }
}

static void test_small_steps(int dtype)
{
    enum { RESULTS = 9 };
    const double at[] = {0.3, NAN, -0.0, 0.7, -1.25}; /* of the row, whose NaN comes through */
    for (int special = 0; special < 2; special++) {
        agn_tensor *h[5], *d[5], *want[RESULTS], *have[RESULTS], *row;
        agn_fn *f, *plan;
        static char text[1 << 18];
        double worst = 0;
        int wrong = 0, steps;
        make_arguments(h, dtype, 70, 5);
        if (special) {
            must(agn_from_host(&row, AGN_F64, 1, (int64_t[]){5}, at));
            agn_release(h[1]);
            must(agn_cast(&h[1], row, dtype));
            agn_release(row);
        }
        for (int i = 0; i < 5; i++)
            d[i] = on_device(h[i]);
        must(agn_fn_new(&f, small, NULL, NULL, 5, RESULTS));
        must(agn_fn_compile(&plan, f, NULL));
        must(agn_fn_call(want, RESULTS, f, (const agn_tensor *const *)h, 5));
        must(agn_fn_call(have, RESULTS, plan, (const agn_tensor *const *)d, 5));
        must(agn_plan_explain(text, sizeof text, NULL, plan));
        const char *tail = strstr(text, "; the last block runs ");
        if (!tail || sscanf(tail, "; the last block runs %d", &steps) != 1)
            steps = 0;
        for (int o = 0; o < RESULTS; o++) {
            agn_tensor *back = on_host(have[o]), *a, *b;
            must(agn_cast(&a, back, AGN_F64));
            must(agn_cast(&b, want[o], AGN_F64));
            const double *p = agn_data(a), *q = agn_data(b);
            for (int64_t i = 0; i < agn_numel(a); i++) {
                bool nan = isnan(p[i]) || isnan(q[i]);
                wrong += nan && isnan(p[i]) != isnan(q[i]);
                worst = nan ? worst : fmax(worst, fabs(p[i] - q[i]) / (1 + fabs(q[i])));
            }
            agn_release(back), agn_release(a), agn_release(b);
            agn_release(want[o]), agn_release(have[o]);
        }
        ok(!wrong && worst <= (dtype == AGN_F32 ? 2e-5 : 1e-12),
           "small steps, %s%s: %.2g apart, %d NaN where the other has a number",
           agn_dtype_name(dtype), special ? ", of special values" : "", worst, wrong);
        ok(!has_regions() || steps >= 6, "of which the last block runs %d", steps);
        for (int i = 0; i < 5; i++)
            agn_release(h[i]), agn_release(d[i]);
        agn_fn_release(plan), agn_fn_release(f);
    }
}

/* gradients, also where a tile of 32 rows is more than shared memory holds */
static void test_gradients(int dtype)
{
    static const int64_t sizes[][2] = {{64, 10}, {129, 20}, {40, 120}, {270, 100}};
    double tol = dtype == AGN_F32 ? 5e-5 : 1e-12;
    agn_fn *f, *g;
    must(agn_fn_new(&f, energy, NULL, NULL, 5, 1));
    must(agn_fn_value_and_grad(&g, f, (int32_t[]){0, 1, 3, 4}, 4));
    for (int z = 0; z < 4; z++) {
        agn_tensor *h[5];
        int launches, regions = 0;
        make_arguments(h, dtype, sizes[z][0], sizes[z][1]);
        double d = largest_difference(g, (const agn_tensor *const *)h, 5, 5, &launches, &regions);
        ok(d <= tol &&
               (!has_regions() || (regions > 0 && kept >= sizes[z][1] * (z < 3 ? 3 : sizes[z][1]))),
           "gradient of %d rows, width %d, %s: %.2g apart, %d launches, %d numbers of weights kept",
           (int)sizes[z][0], (int)sizes[z][1], agn_dtype_name(dtype), d, launches, kept);
        bool wide = sizes[z][1] >= 100;
        ok(!has_regions() || (!outside && (wide && dtype == AGN_F64 ? tile < 32 : tile <= 32)),
           "tiles of %d rows at least, all in shared memory", tile);
        for (int i = 0; i < 5; i++)
            agn_release(h[i]);
    }
    agn_fn_release(f), agn_fn_release(g);
}

/* NaN, infinities and zeros of both signs go through as on the CPU */
static void test_specials(void)
{
    const double at[] = {NAN, INFINITY, -INFINITY, 0.0, -0.0, 1e-320, -1e300, 1};
    agn_tensor *h[5], *d[5], *want[3], *have[3];
    agn_fn *f, *plan;
    make_arguments(h, AGN_F64, 64, 8);
    agn_release(h[0]);
    double v[64 * 8];
    for (int i = 0; i < 64 * 8; i++)
        v[i] = at[(i + i / 8) % 8];
    must(agn_from_host(&h[0], AGN_F64, 2, (int64_t[]){64, 8}, v));
    for (int i = 0; i < 5; i++)
        d[i] = on_device(h[i]);
    must(agn_fn_new(&f, choices, NULL, NULL, 5, 3));
    must(agn_fn_compile(&plan, f, NULL));
    must(agn_fn_call(want, 3, f, (const agn_tensor *const *)h, 5));
    must(agn_fn_call(have, 3, plan, (const agn_tensor *const *)d, 5));
    for (int o = 0; o < 3; o++) {
        double u = worst_ulps(have[o], want[o]);
        ok(u == 0, "choices at NaN, infinities and zeros, result %d: %g ulp", o, u);
        agn_release(want[o]), agn_release(have[o]);
    }
    for (int i = 0; i < 5; i++)
        agn_release(h[i]), agn_release(d[i]);
    agn_fn_release(plan), agn_fn_release(f);
}

/* ---- replay ---------------------------------------------------------------------------------- */

static long (*emulator_count)(const char *what);
/* what a graph is instead of */
static long count_others(void)
{
    return emulator_count("launches") + emulator_count("cudaMallocAsync") +
           emulator_count("copy to the device") + emulator_count("copy to the host");
}

static void test_replay(void)
{
    enum { CALLS = 6, SAME = 1 }; /* the first makes the graph */
    agn_tensor *h[5], *d[5], *want[5], *into[5];
    agn_fn *f, *g, *plan;
    make_arguments(h, AGN_F64, 96, 12);
    must(agn_fn_new(&f, energy, NULL, NULL, 5, 1));
    must(agn_fn_value_and_grad(&g, f, (int32_t[]){0, 1, 3, 4}, 4));
    must(agn_fn_compile(&plan, g, NULL));
    for (int i = 0; i < 5; i++)
        d[i] = on_device(h[i]);
    must(agn_fn_call(into, 5, plan, (const agn_tensor *const *)d, 5));
    void *count = emulator_symbol("agn_emulator_count");
    bool counts = count;
    memcpy(&emulator_count, &count, sizeof count);
    long graphs = 0, others = 0;
    double worst = 0;
    for (int k = 0; k < CALLS; k++) {
        /* other numbers in the same memory */
        agn_tensor *fresh = random_of(AGN_F64, 2, (int64_t[]){96, 12}, -1, 1),
                   *there = on_device(fresh);
        must(agn_neg_into(d[0], there));
        must(agn_neg_into(h[0], fresh));
        agn_release(fresh), agn_release(there);
        must(agn_fn_call(want, 5, g, (const agn_tensor *const *)h, 5));
        must(agn_device_synchronize(cuda));
        if (counts) {
            graphs -= emulator_count("cudaGraphLaunch");
            others -= k < SAME ? 0 : count_others();
        }
        must(agn_fn_call_into(into, 5, plan, (const agn_tensor *const *)d, 5));
        must(agn_device_synchronize(cuda));
        if (counts) {
            graphs += emulator_count("cudaGraphLaunch");
            others += k < SAME ? 0 : count_others();
        }
        for (int o = 0; o < 5; o++) {
            worst = fmax(worst, relative(into[o], want[o]));
            agn_release(want[o]);
        }
    }
    ok(worst <= 1e-12, "%d calls into the same memory: %.2g apart", CALLS, worst);
    if (counts) {
        is_int(graphs, CALLS,
               "each as a graph: the call that made the results was the first in this memory");
        is_int(others, 0, "no launch, copy or block of memory beside it");
    }
    for (int i = 0; i < 5; i++)
        agn_release(h[i]), agn_release(d[i]), agn_release(into[i]);
    agn_fn_release(plan), agn_fn_release(g), agn_fn_release(f);
}

int main(void)
{
    int result;
    if (!cuda_ready(&result))
        return result;
    test_bodies(AGN_F64);
    test_bodies(AGN_F32);
    test_small_steps(AGN_F64);
    test_small_steps(AGN_F32);
    test_gradients(AGN_F64);
    test_gradients(AGN_F32);
    test_specials();
    test_replay();
    is_int(agn_device_synchronize(cuda), AGN_OK, "no fault is left");
    return done();
}
