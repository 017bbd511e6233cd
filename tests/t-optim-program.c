/* t-optim-program - steps of optimisers as programs: Adam's is agn_optim_step's, planned or not; an
   epoch with points drawn in the plan is one call; the direction of L-BFGS is that of the two
   loops. */
#include "nets.h"

#include <math.h>

typedef const agn_tensor *const *args;
typedef const agn_tensor *T;
enum { N = 4, M = 41 };

static agn_tensor *in[NET_ARGS];

static double apart(T a, T b)
{
    double worst = 0, largest = 1;
    for (int64_t i = 0; i < agn_numel(a); i++) {
        double x = agn_dtype_of(a) == AGN_F64 ? ((const double *)agn_data(a))[i]
                                              : (double)((const float *)agn_data(a))[i];
        double y = agn_dtype_of(b) == AGN_F64 ? ((const double *)agn_data(b))[i]
                                              : (double)((const float *)agn_data(b))[i];
        worst = fmax(worst, fabs(x - y));
        largest = fmax(largest, fabs(y));
    }
    return agn_numel(a) == agn_numel(b) ? worst / largest : (double)INFINITY;
}

/* objective with the parameters first: w1 b1 w2 b2, points */
static agn_status turned(void *user, agn_scope *s, const T *x, T *out)
{
    const T a[] = {x[4], x[0], x[1], x[2], x[3]};
    return net_loss(user, s, a, out);
}
static agn_fn *objective(agn_body *body)
{
    static const int32_t argnums[] = {0, 1, 2, 3};
    agn_fn *f = NULL, *g = NULL;
    must(agn_fn_new(&f, body, NULL, NULL, 5, 1));
    must(agn_fn_value_and_grad(&g, f, argnums, 4));
    agn_fn_release(f);
    return g;
}
static void begin(agn_tensor **state, int dtype)
{
    must(agn_optim_pack(&state[0], (args)in + 1, N));
    must(agn_zeros(&state[1], dtype, 1, (int64_t[]){M}));
    must(agn_zeros(&state[2], dtype, 1, (int64_t[]){M}));
    must(agn_full(&state[3], AGN_F64, 0, NULL, 0));
}

/* ---- Adam ------------------------------------------------------------------------------------ */

static void test_adam(int dtype)
{
    agn_fn *g = objective(turned), *step = NULL, *plan = NULL, *fast = NULL;
    agn_optim *o = NULL;
    agn_optim_options opt = {.size = sizeof opt, .rate = 0.01, .weight_decay = 0.02};
    agn_tensor *state[5], *eager[5], *next[5], *have[N];
    double worst = 0, between = 0, value = 0;
    net_arguments(in, 200, dtype);
    must(agn_optim_new(&o, AGN_OPTIM_ADAM, (args)in + 1, N, &opt));
    must(agn_fn_compile(&fast, g, NULL));
    must(agn_fn_adam(&step, g, (args)in + 1, N, &opt));
    must(agn_fn_compile(&plan, step, NULL));
    begin(state, dtype);
    begin(eager, dtype);
    for (int k = 0; k < 20; k++) {
        must(agn_optim_step(&value, NULL, o, fast, (args)in, 1));
        must(agn_fn_call(next, 5, plan, AGN_ARGS(state[0], state[1], state[2], state[3], in[0])));
        double v = dtype == AGN_F64 ? *(const double *)agn_data(next[4])
                                    : (double)*(const float *)agn_data(next[4]);
        worst = fmax(worst, fabs(v - value));
        net_drop(state, 4);
        agn_release(next[4]);
        memcpy(state, next, 4 * sizeof *next);
        must(agn_fn_call(next, 5, step, AGN_ARGS(eager[0], eager[1], eager[2], eager[3], in[0])));
        net_drop(eager, 4);
        agn_release(next[4]);
        memcpy(eager, next, 4 * sizeof *next);
    }
    must(agn_optim_unpack(have, state[0], (args)in + 1, N));
    agn_tensor *want[N];
    must(agn_optim_params(want, N, o));
    for (int i = 0; i < N; i++)
        worst = fmax(worst, apart(have[i], want[i]));
    for (int i = 0; i < 4; i++)
        between = fmax(between, apart(state[i], eager[i]));
    double most = dtype == AGN_F64 ? 1e-13 : 2e-5;
    ok(worst < most, "%s: 20 steps are those of agn_optim_step to %.1e",
       dtype == AGN_F64 ? "f64" : "f32", worst);
    ok(between < most, "planned is eager to %.1e", between);
    net_drop(have, N);
    net_drop(want, N);
    net_drop(state, 4);
    net_drop(eager, 4);
    net_drop(in, NET_ARGS);
    agn_optim_release(o);
    agn_fn *all[] = {g, step, plan, fast};
    for (int k = 0; k < 4; k++)
        agn_fn_release(all[k]);
}

/* the rate beside the count: a step is that of a program made for this rate; the rate is handed on */
static void test_rate(int dtype)
{
    agn_fn *g = objective(turned), *rated = NULL, *plan = NULL;
    agn_tensor *state[5], *want[5], *have[5];
    double worst = 0;
    net_arguments(in, 60, dtype);
    must(agn_fn_adam(&rated, g, (args)in + 1, N, NULL));
    must(agn_fn_compile(&plan, rated, NULL));
    begin(state, dtype);
    for (int k = 0; k < 6; k++) {
        agn_fn *fixed = NULL;
        agn_tensor *both = NULL, *count = NULL;
        const double rate = 0.03 / (k + 1), pair[] = {k, rate};
        agn_optim_options opt = {.size = sizeof opt, .rate = rate};
        must(agn_fn_adam(&fixed, g, (args)in + 1, N, &opt));
        must(agn_from_host(&both, AGN_F64, 1, (int64_t[]){2}, pair));
        must(agn_full(&count, AGN_F64, 0, NULL, k));
        must(agn_fn_call(want, 5, fixed, AGN_ARGS(state[0], state[1], state[2], count, in[0])));
        must(agn_fn_call(have, 5, plan, AGN_ARGS(state[0], state[1], state[2], both, in[0])));
        for (int i = 0; i < 5; i++)
            worst = i == 3 ? worst : fmax(worst, apart(have[i], want[i]));
        const double *next = agn_data(have[3]);
        worst = next[0] == k + 1 && next[1] == rate ? worst : (double)INFINITY;
        net_drop(state, 3);
        memcpy(state, have, 3 * sizeof *have);
        agn_release(have[3]), agn_release(have[4]);
        net_drop(want, 5);
        agn_release(both), agn_release(count);
        agn_fn_release(fixed);
    }
    ok(worst < (dtype == AGN_F64 ? 1e-13 : 2e-5), "six rates in one plan: %.1e apart", worst);
    net_drop(state, 4);
    net_drop(in, NET_ARGS);
    agn_fn_release(g), agn_fn_release(rated), agn_fn_release(plan);
}

/* ---- an epoch with resampling --------------------------------------------------------------------- */

enum { STEPS = 25, POINTS = 300 };

/* the points are drawn from a key */
static agn_status drawn(void *user, agn_scope *s, const T *x, T *out)
{
    const T u = ag_uniform(s, x[4], AGN_F64, 2, (int64_t[]){POINTS, NET_IN});
    const T a[] = {ag_sub_c(s, ag_mul_c(s, u, 2), 1), x[0], x[1], x[2], x[3]};
    return net_loss(user, s, a, out);
}

static void test_epoch(void)
{
    agn_fn *g = objective(drawn), *step = NULL, *one = NULL, *loop = NULL,
           *epoch = NULL;
    agn_generator *gen = NULL;
    agn_tensor *key = NULL, *keys = NULL, *state[5], *next[5], *all[5];
    static char text[1 << 15];
    net_arguments(in, 10, AGN_F64);
    must(agn_generator_new(&gen, 3));
    must(agn_key(&key, gen));
    must(agn_key_split(&keys, key, STEPS));
    must(agn_fn_adam(&step, g, (args)in + 1, N, NULL));
    must(agn_fn_compile(&one, step, NULL));
    must(agn_fn_scan(&loop, step, 4, 0, STEPS, false));
    must(agn_fn_compile(&epoch, loop, NULL));
    begin(state, AGN_F64);
    must(agn_fn_call(all, 5, epoch, AGN_ARGS(state[0], state[1], state[2], state[3], keys)));
    double worst = 0, first = 0, last = 0;
    for (int k = 0; k < STEPS; k++) {
        agn_tensor *kk = NULL;
        must(agn_index_axis(&kk, keys, 0, k));
        must(agn_fn_call(next, 5, one, AGN_ARGS(state[0], state[1], state[2], state[3], kk)));
        last = *(const double *)agn_data(next[4]);
        first = k ? first : last;
        worst = fmax(worst, fabs(last - ((const double *)agn_data(all[4]))[k]));
        agn_release(kk);
        net_drop(state, 4);
        agn_release(next[4]);
        memcpy(state, next, 4 * sizeof *next);
    }
    for (int i = 0; i < 4; i++)
        worst = fmax(worst, apart(all[i], state[i]));
    ok(worst < 1e-13 && last < first,
       "an epoch in one call is its steps to %.1e, from %.3g to %.3g", worst, first,
       last);
    is_int((int64_t) * (const double *)agn_data(all[3]), STEPS, "and counts them");
    must(agn_plan_explain(text, sizeof text, NULL, one));
    ok(strstr(text, "region of 300 rows"), "points that are drawn begin a region");
    net_drop(all, 5);
    net_drop(state, 4);
    net_drop(in, NET_ARGS);
    agn_release(key);
    agn_release(keys);
    agn_generator_release(gen);
    agn_fn *fs[] = {g, step, one, loop, epoch};
    for (int k = 0; k < 5; k++)
        agn_fn_release(fs[k]);
}

/* ---- L-BFGS --------------------------------------------------------------------------------------- */

enum { PAIRS = 5 };

static double dot(const double *a, const double *b)
{
    double d = 0;
    for (int i = 0; i < M; i++)
        d += a[i] * b[i];
    return d;
}
/* Nocedal & Wright 2006, algorithm 7.4, over the last n of PAIRS rows */
static void two_loops(double *d, const double *g, const double *S, const double *Y,
                      int n)
{
    double alpha[PAIRS], c = 1;
    for (int i = 0; i < M; i++)
        d[i] = -g[i];
    for (int k = PAIRS - 1; k >= PAIRS - n; k--) {
        alpha[k] = dot(S + k * M, d) / dot(S + k * M, Y + k * M);
        for (int i = 0; i < M; i++)
            d[i] -= alpha[k] * Y[k * M + i];
    }
    const double *s = S + (PAIRS - 1) * M, *y = Y + (PAIRS - 1) * M;
    if (n)
        c = dot(s, y) / dot(y, y);
    for (int i = 0; i < M; i++)
        d[i] *= c;
    for (int k = PAIRS - n; k < PAIRS; k++) {
        double beta = dot(Y + k * M, d) / dot(S + k * M, Y + k * M);
        for (int i = 0; i < M; i++)
            d[i] += (alpha[k] - beta) * S[k * M + i];
    }
}

static void test_lbfgs(void)
{
    agn_fn *g = objective(turned), *f = NULL, *plan = NULL;
    net_arguments(in, 100, AGN_F64);
    must(agn_fn_lbfgs(&f, g, (args)in + 1, N));
    must(agn_fn_compile(&plan, f, NULL));
    agn_tensor *x = NULL;
    must(agn_optim_pack(&x, (args)in + 1, N));
    for (int n = 0; n <= PAIRS; n++) {
        static double S[PAIRS * M], Y[PAIRS * M], want[M];
        for (int k = 0; k < PAIRS * M; k++) {
            bool used = k / M >= PAIRS - n;
            S[k] = used ? rnd_in(-1, 1) : 0;
            Y[k] = used ? (1 + 0.2 * (k % 7)) * S[k] : 0; /* curvature is positive */
        }
        agn_tensor *s = NULL, *y = NULL, *out[3], *planned[3];
        must(agn_from_host(&s, AGN_F64, 2, (int64_t[]){PAIRS, M}, S));
        must(agn_from_host(&y, AGN_F64, 2, (int64_t[]){PAIRS, M}, Y));
        must(agn_fn_call(out, 3, f, AGN_ARGS(x, s, y, in[0])));
        must(agn_fn_call(planned, 3, plan, AGN_ARGS(x, s, y, in[0])));
        two_loops(want, agn_data(out[1]), S, Y, n);
        agn_tensor *w = NULL;
        must(agn_from_host(&w, AGN_F64, 1, (int64_t[]){M}, want));
        double worst = fmax(apart(out[2], w), apart(planned[2], w));
        ok(worst < 1e-12, "%d pairs: the direction of the two loops to %.1e", n, worst);
        net_drop(out, 3);
        net_drop(planned, 3);
        agn_release(s);
        agn_release(y);
        agn_release(w);
    }
    agn_release(x);
    net_drop(in, NET_ARGS);
    agn_fn_release(f);
    agn_fn_release(g);
    agn_fn_release(plan);
}

/* ---- what is refused -------------------------------------------------------------------------------- */

static void says(agn_status st, agn_status want, const char *a, const char *b)
{
    ok(st == want && strstr(agn_error_message(), a) && strstr(agn_error_message(), b),
       "%s", agn_error_message());
}

static void test_refused(void)
{
    agn_fn *g = objective(turned), *f = NULL, *l = NULL;
    agn_tensor *i32 = NULL, *x = NULL, *y[5], *state[5];
    const agn_optim_options small = {.size = 4}, far = {.size = sizeof far, .beta1 = 2};
    net_arguments(in, 10, AGN_F64);
    must(agn_full(&i32, AGN_I32, 1, (int64_t[]){3}, 1));
    const T mixed[] = {in[1], i32}, gap[] = {in[1], NULL};
    says(agn_optim_pack(NULL, mixed, 2), AGN_ENULL, "optim_pack", "out");
    says(agn_optim_pack(&x, NULL, 2), AGN_ENULL, "optim_pack", "params");
    says(agn_optim_pack(&x, mixed, 0), AGN_EARG, "optim_pack", "0 parameters");
    says(agn_optim_pack(&x, mixed, 2), AGN_EDTYPE, "i32", "f64");
    says(agn_optim_pack(&x, gap, 2), AGN_ENULL, "parameter 1", "NULL");
    says(agn_optim_unpack(NULL, in[1], (args)in + 1, N), AGN_ENULL, "optim_unpack",
         "out");
    says(agn_optim_unpack(y, NULL, (args)in + 1, N), AGN_ENULL, "optim_unpack", "x");
    says(agn_optim_unpack(y, in[1], NULL, N), AGN_ENULL, "optim_unpack", "like");
    says(agn_optim_unpack(y, in[2], (args)in + 1, N), AGN_ESHAPE, "[8]", "41");
    says(agn_fn_adam(NULL, g, (args)in + 1, N, NULL), AGN_ENULL, "fn_adam", "out");
    says(agn_fn_adam(&f, NULL, (args)in + 1, N, NULL), AGN_ENULL, "fn_adam",
         "objective");
    says(agn_fn_adam(&f, g, NULL, N, NULL), AGN_ENULL, "fn_adam", "params");
    says(agn_fn_adam(&f, g, (args)in, 5, NULL), AGN_EARG, "5 results", "5 parameters");
    says(agn_fn_adam(&f, g, (args)in + 1, N, &small), AGN_EARG, "4 bytes", "agn_optim_options");
    says(agn_fn_adam(&f, g, (args)in + 1, N, &far), AGN_EARG, "beta1", "2");
    says(agn_fn_lbfgs(&f, g, mixed, 2), AGN_EDTYPE, "fn_lbfgs", "i32");
    must(agn_fn_adam(&f, g, (args)in + 1, N, NULL));
    must(agn_fn_lbfgs(&l, g, (args)in + 1, N));
    begin(state, AGN_F64);
    says(agn_fn_call(y, 5, f, AGN_ARGS(in[2], state[1], state[2], state[3], in[0])),
         AGN_ESHAPE, "x is [8]", "41");
    says(agn_fn_call(y, 5, f, AGN_ARGS(state[0], i32, state[2], state[3], in[0])),
         AGN_EDTYPE, "slot 0", "i32");
    says(agn_fn_call(y, 5, f, AGN_ARGS(state[0], state[1], state[2], i32, in[0])),
         AGN_ESHAPE, "count", "[3]");
    says(agn_fn_call(y, 3, l, AGN_ARGS(state[0], state[1], state[2], in[0])),
         AGN_ESHAPE, "steps", "41");
    /* each allocation */
    int failed = 0, wrong = 0;
    for (int64_t k = 0, done = 0; !done; k++) {
        int64_t before, after;
        agn_fn *h = NULL;
        agn_memory_live(&before, NULL, NULL);
        agn_memory_fail_after(k);
        agn_status st = agn_fn_adam(&h, g, (args)in + 1, N, NULL);
        agn_memory_fail_after(-1);
        agn_memory_live(&after, NULL, NULL);
        wrong += st && (st != AGN_ENOMEM || after != before || h);
        failed += st != AGN_OK;
        done = !st;
        agn_fn_release(h);
    }
    ok(failed > 3 && !wrong, "making: each of %d allocations fails cleanly", failed);
    failed = 0;
    for (int64_t k = 0, done = 0; !done; k++) {
        agn_tensor *out[5] = {NULL};
        int64_t before, after;
        agn_memory_live(&before, NULL, NULL);
        agn_memory_fail_after(k);
        agn_status st = agn_fn_call(out, 5, f,
                                    AGN_ARGS(state[0], state[1], state[2], state[3], in[0]));
        agn_memory_fail_after(-1);
        agn_memory_live(&after, NULL, NULL);
        wrong += st && (st != AGN_ENOMEM || after != before || out[0]);
        failed += st != AGN_OK;
        done = !st;
        net_drop(out, 5);
    }
    ok(failed > 50 && !wrong, "calling: each of %d allocations fails cleanly", failed);
    net_drop(state, 4);
    net_drop(in, NET_ARGS);
    agn_release(i32);
    agn_fn_release(f);
    agn_fn_release(l);
    agn_fn_release(g);
}

int main(void)
{
    test_adam(AGN_F64);
    test_adam(AGN_F32);
    test_rate(AGN_F64);
    test_rate(AGN_F32);
    test_epoch();
    test_lbfgs();
    test_refused();
    return done();
}
