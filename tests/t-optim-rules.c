/* First-order rules: their steps beside those of other libraries, as minimisers and as programs; clips,
   penalties, averages, factors; rows of sparse gradients; errors. */
#include "tests/laws.h"

#include <agnesi/optim.h>
#include <agnesi/sparse.h>

typedef const agn_tensor *T;
enum { NUMBERS = 5, SLOTS = 5 };

/* sum of (1, 2, 1/2) cosh(x - 1) + 3 |y - 1/2|^2 + x_0 y_1, of x [3] and y [2] */
static agn_status loss(void *user, agn_scope *s, T const *in, T *out)
{
    (void)user;
    static const int64_t three = 3, zero = 0, one = 1, two = 2;
    static const double weight[] = {1, 2, 0.5};
    T w = ag_cast(s, ag_from_host(s, AGN_F64, 1, &three, weight), agn_dtype_of(in[0]));
    T first = ag_sum_all(s, ag_mul(s, w, ag_cosh(s, ag_sub_c(s, in[0], 1))));
    T second = ag_mul_c(s, ag_sum_all(s, ag_square(s, ag_sub_c(s, in[1], 0.5))), 3);
    T mixed = ag_sum_all(s, ag_mul(s, ag_slice(s, in[0], 1, &zero, &one, NULL),
                                   ag_slice(s, in[1], 1, &one, &two, NULL)));
    out[0] = ag_add(s, ag_add(s, first, second), mixed);
    return agn_scope_status(s);
}
/* 0 */
static agn_status flat(void *user, agn_scope *s, T const *in, T *out)
{
    (void)user;
    out[0] = ag_add(s, ag_sum_all(s, ag_mul_c(s, in[0], 0)), ag_sum_all(s, ag_mul_c(s, in[1], 0)));
    return agn_scope_status(s);
}
/* with 0.3 |x|_1 + 0.1 |x|^2 for both, as the options l1 and l2 have it */
static agn_status penalised(void *user, agn_scope *s, T const *in, T *out)
{
    loss(user, s, in, out);
    for (int i = 0; i < 2; i++) {
        out[0] = ag_add(s, out[0], ag_mul_c(s, ag_sum_all(s, ag_abs(s, in[i])), 0.3));
        out[0] = ag_add(s, out[0], ag_mul_c(s, ag_sum_all(s, ag_square(s, in[i])), 0.1));
    }
    return agn_scope_status(s);
}

static agn_fn *objective(agn_body *body)
{
    agn_fn *f = NULL, *g = NULL;
    must(agn_fn_new(&f, body, NULL, NULL, 2, 1));
    must(agn_fn_value_and_grad(&g, f, (int32_t[]){0, 1}, 2));
    agn_fn_release(f);
    return g;
}

static void begin(agn_tensor **p, int dtype)
{
    p[0] = of_reals(dtype, 1, (int64_t[]){3}, (double[]){-1.5, 0.3, 2.5});
    p[1] = of_reals(dtype, 1, (int64_t[]){2}, (double[]){1, -0.8});
}
static void drop(agn_tensor **x, int n)
{
    for (int i = 0; i < n; i++)
        agn_release(x[i]);
}
static double apart(agn_tensor *const *p, const double *want)
{
    double most = 0;
    for (int i = 0; i < NUMBERS; i++)
        most = fmax(most, fabs((i < 3 ? peek(p[0], i) : peek(p[1], i - 3)) - want[i]));
    return most;
}

/* ---- beside other libraries ---------------------------------------------------------------------- */

#define O(...) {.size = sizeof(agn_optim_options), __VA_ARGS__}
static const double halves[] = {1, 2}, decays[] = {1, 0.25};
static const struct {
    const char *name;
    int kind;
    agn_optim_options opt;
    bool average; /* that of the parameters is asked for */
} rules[] = {
    {"SGD", AGN_OPTIM_SGD, O(.rate = 0.02), false},
    {"SGD with groups", AGN_OPTIM_SGD, O(.rate = 0.02, .rate_factors = (double[]){0.5, 2}), false},
    {"momentum", AGN_OPTIM_MOMENTUM, O(.rate = 0.02, .momentum = 0.8), false},
    {"Nesterov", AGN_OPTIM_MOMENTUM, O(.rate = 0.02, .momentum = 0.8, .nesterov = true, .l2 = 0.1), false},
    {"AdamW", AGN_OPTIM_ADAM, O(.rate = 0.03, .weight_decay = 0.1), false},
    {"Adam with groups", AGN_OPTIM_ADAM,
     O(.rate = 0.03, .weight_decay = 0.1, .rate_factors = halves, .decay_factors = decays), false},
    {"Adamax", AGN_OPTIM_ADAMAX, O(.rate = 0.03), false},
    {"Adagrad", AGN_OPTIM_ADAGRAD, O(.rate = 0.1), false},
    {"Adadelta", AGN_OPTIM_ADADELTA, O(.rate = 1), false},
    {"RMSProp", AGN_OPTIM_RMSPROP, O(.rate = 0.01), false},
    {"RMSProp with momentum", AGN_OPTIM_RMSPROP, O(.rate = 0.003, .momentum = 0.7), false},
    {"RMSProp, centred", AGN_OPTIM_RMSPROP, O(.rate = 0.003, .momentum = 0.7, .centred = true), false},
    {"Rprop", AGN_OPTIM_RPROP, O(.rate = 0.02), false},
    {"NAdam", AGN_OPTIM_NADAM, O(.rate = 0.03), false},
    {"RAdam", AGN_OPTIM_RADAM, O(.rate = 0.03), false},
    {"AMSGrad", AGN_OPTIM_AMSGRAD, O(.rate = 0.03), false},
    {"ASGD", AGN_OPTIM_ASGD, O(.rate = 0.02, .weight_decay = 0.01, .average_start = 10), false},
    {"ASGD, averaged", AGN_OPTIM_ASGD, O(.rate = 0.02, .weight_decay = 0.01, .average_start = 10), true},
    {"clipped by value", AGN_OPTIM_SGD, O(.rate = 0.1, .clip_value = 0.4), false},
    {"clipped by norms", AGN_OPTIM_SGD, O(.rate = 0.1, .clip_norm = 0.6), false},
    {"clipped by the global norm", AGN_OPTIM_SGD, O(.rate = 0.1, .clip_global_norm = 0.9), false},
    {"AdaBelief", AGN_OPTIM_ADABELIEF, O(.rate = 0.03), false},
    {"Lion", AGN_OPTIM_LION, O(.rate = 0.02, .weight_decay = 0.1), false},
    {"LAMB", AGN_OPTIM_LAMB, O(.rate = 0.03), false},
    {"LARS", AGN_OPTIM_LARS,
     O(.rate = 0.5, .momentum = 0.8, .trust = 0.01, .weight_decay = AGN_OPTIM_NONE), false},
    {"LARS with decay", AGN_OPTIM_LARS,
     O(.rate = 0.5, .momentum = 0.8, .trust = 0.01, .weight_decay = 0.05), false},
    {"LookAhead", AGN_OPTIM_ADAM, O(.rate = 0.03, .lookahead_steps = 6), false},
};
static const struct {
    const char *name;
    double want[NUMBERS];
} references[] = {
#include "tests/data/optim-rules.inc"
};
static const double *reference(const char *name)
{
    for (int i = 0; i < COUNT(references); i++)
        if (!strcmp(references[i].name, name))
            return references[i].want;
    bail_out("no reference of %s", name);
    return NULL;
}

/* 50 steps of the function of a step, the parameters after them to p */
static void run_program(agn_tensor **p, int row, int dtype, const agn_fn *g, bool compiled, bool rated)
{
    agn_tensor *state[SLOTS + 3], *next[SLOTS + 3];
    agn_fn *step = NULL, *plan = NULL;
    int slots = agn_optim_slots(rules[row].kind, &rules[row].opt), n = slots + 2;
    int64_t m = NUMBERS;
    begin(p, dtype);
    agn_optim_options opt = rules[row].opt;
    if (rated)
        opt.rate = 7; /* not that */
    must(agn_fn_optim(&step, rules[row].kind, g, (T const *)p, 2, &opt));
    if (compiled)
        must(agn_fn_compile(&plan, step, NULL));
    must(agn_optim_pack(&state[0], (T const *)p, 2));
    for (int i = 1; i <= slots; i++)
        must(agn_zeros(&state[i], (agn_dtype)dtype, 1, &m));
    if (rated)
        must(agn_from_host(&state[n - 1], AGN_F64, 1, (int64_t[]){2}, (double[]){0, rules[row].opt.rate}));
    else
        must(agn_full(&state[n - 1], AGN_F64, 0, NULL, 0));
    for (int k = 0; k < 50; k++) {
        must(agn_fn_call(next, n + 1, compiled ? plan : step, (T const *)state, n));
        drop(state, n);
        agn_release(next[n]);
        memcpy(state, next, (size_t)n * sizeof *next);
    }
    agn_tensor *like[2] = {p[0], p[1]};
    must(agn_optim_unpack(p, rules[row].average ? state[1] : state[0], (T const *)like, 2));
    drop(state, n), drop(like, 2);
    agn_fn_release(step);
    agn_fn_release(plan);
}

static void test_references(int dtype)
{
    agn_fn *g = objective(loss);
    double tol = dtype == AGN_F64 ? 1e-14 : 2e-6;
    for (int i = 0; i < COUNT(rules); i++) {
        const double *want = reference(rules[i].name);
        agn_tensor *p[2], *q[2];
        agn_optim *o = NULL;
        begin(p, dtype);
        must(agn_optim_new(&o, rules[i].kind, (T const *)p, 2, &rules[i].opt));
        for (int k = 0; k < 50; k++)
            must(agn_optim_step(NULL, NULL, o, g, NULL, 0));
        must((rules[i].average ? agn_optim_average : agn_optim_params)(q, 2, o));
        double host = apart(q, want);
        drop(p, 2), drop(q, 2);
        agn_optim_release(o);
        double program[3];
        for (int way = 0; way < 3; way++) {
            run_program(p, i, dtype, g, way > 0, way == 2);
            program[way] = apart(p, want);
            drop(p, 2);
        }
        ok(host < tol && program[0] < tol && program[1] < tol && program[2] < tol,
           "%s, %s: 50 steps to %.1e, as a program %.1e, planned %.1e, with the rate %.1e",
           rules[i].name, agn_dtype_name((agn_dtype)dtype), host, program[0], program[1], program[2]);
    }
    agn_fn_release(g);
}

/* ---- laws ------------------------------------------------------------------------------------------- */

static bool is_rule(int kind)
{
    return agn_optim_slots(kind, NULL) >= 0;
}
static agn_optim *optimiser(int kind, agn_tensor *const *p, const agn_optim_options *opt)
{
    agn_optim *o = NULL;
    must(agn_optim_new(&o, kind, (T const *)p, 2, opt));
    return o;
}
static bool same_states(const agn_optim *a, const agn_optim *b)
{
    agn_tensor *x = NULL, *y = NULL;
    must(agn_optim_state_get(&x, a));
    must(agn_optim_state_get(&y, b));
    bool same = same_values(x, y);
    agn_release(x), agn_release(y);
    return same;
}

/* of as many numbers, but other ones */
static void test_layouts(void)
{
    const agn_optim_options with[] = {O(.average_decay = 0.9), O(.lookahead_steps = 3),
                                      O(.keep_best = true), O(.momentum = 0.9)};
    int64_t taken = 0;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++) {
            agn_tensor *p[2], *state = NULL;
            begin(p, AGN_F64);
            agn_optim *from = optimiser(AGN_OPTIM_RMSPROP, p, &with[i]),
                      *to = optimiser(AGN_OPTIM_RMSPROP, p, &with[k]);
            must(agn_optim_state_get(&state, from));
            if (i == k)
                must(agn_optim_state_set(to, state));
            else
                taken += !refused(agn_optim_state_set(to, state), AGN_EFORMAT, "optim_state_set",
                                  "layout", "rmsprop", untouched);
            drop(p, 2);
            agn_release(state);
            agn_optim_release(from), agn_optim_release(to);
        }
    is_int(taken, 0, "states of other vectors of memory that are taken");
}

/* with averages and slow parameters: taken up again; none allocates */
static void test_resume(void)
{
    agn_fn *g = objective(loss), *fast = NULL;
    must(agn_fn_compile(&fast, g, NULL));
    for (int kind = 0; kind < AGN_OPTIM_KINDS; kind++) {
        if (!is_rule(kind))
            continue;
        agn_optim_options opt = O(.rate = 0.01, .keep_best = true);
        if (kind != AGN_OPTIM_ASGD)
            opt.average_decay = 0.9, opt.lookahead_steps = 3;
        agn_tensor *p[2], *other[2], *saved = NULL;
        begin(p, AGN_F32);
        begin(other, AGN_F32);
        agn_optim *all = optimiser(kind, p, &opt), *o = optimiser(kind, other, &opt);
        int64_t allocations = 0;
        for (int k = 0; k < 12; k++) {
            if (k == 7)
                must(agn_optim_state_get(&saved, all));
            int64_t before = agn_memory_count();
            must(agn_optim_step(NULL, NULL, all, fast, NULL, 0));
            allocations += k > 2 ? agn_memory_count() - before : 0;
        }
        must(agn_optim_step(NULL, NULL, o, fast, NULL, 0));
        must(agn_optim_state_set(o, saved));
        for (int k = 7; k < 12; k++)
            must(agn_optim_step(NULL, NULL, o, fast, NULL, 0));
        ok(same_states(all, o) && !allocations,
           "method %d: taken up after 7 of 12 steps, the same bits; %d allocations", kind,
           (int)allocations);
        agn_release(saved);
        drop(p, 2), drop(other, 2);
        agn_optim_release(all), agn_optim_release(o);
    }
    agn_fn_release(g), agn_fn_release(fast);
}

static agn_status valley(void *user, agn_scope *s, T const *in, T *out)
{
    (void)user;
    out[0] = ag_add(s, ag_sum_all(s, ag_cosh(s, ag_sub_c(s, in[0], 1))),
                    ag_sum_all(s, ag_square(s, in[1])));
    return agn_scope_status(s);
}
/* more elements than a task has, whose edges are not those of parameters */
static void test_threads(void)
{
    agn_fn *g = objective(valley);
    for (int kind = 0; kind < AGN_OPTIM_KINDS; kind++) {
        if (!is_rule(kind))
            continue;
        agn_tensor *state[3], *p[2] = {random_of(AGN_F64, 1, (int64_t[]){30001}, -1, 1),
                                       random_of(AGN_F64, 2, (int64_t[]){130, 170}, -1, 1)};
        agn_optim_options opt = O(.rate = 0.01, .clip_global_norm = 2);
        for (int i = 0; i < 3; i++) {
            must(agn_threads_set(i == 0 ? 1 : i == 1 ? 2 : 7));
            agn_optim *o = optimiser(kind, p, &opt);
            for (int k = 0; k < 5; k++)
                must(agn_optim_step(NULL, NULL, o, g, NULL, 0));
            must(agn_optim_state_get(&state[i], o));
            agn_optim_release(o);
        }
        ok(same_values(state[0], state[1]) && same_values(state[0], state[2]),
           "method %d: the same bits with 1, 2 and 7 threads", kind);
        drop(state, 3), drop(p, 2);
    }
    must(agn_threads_set(0));
    agn_fn_release(g);
}

/* a penalty in the gradient alone is one of the function; value by value */
static void test_penalties(void)
{
    agn_fn *g = objective(loss), *h = objective(penalised);
    static const int kinds[] = {AGN_OPTIM_SGD, AGN_OPTIM_ADAM, AGN_OPTIM_LARS};
    for (int i = 0; i < COUNT(kinds); i++) {
        agn_tensor *p[2], *x[2], *y[2];
        agn_optim_options with = O(.rate = 0.02, .l1 = 0.3, .l2 = 0.2), bare = O(.rate = 0.02);
        begin(p, AGN_F64);
        agn_optim *a = optimiser(kinds[i], p, &with), *b = optimiser(kinds[i], p, &bare);
        for (int k = 0; k < 30; k++) {
            must(agn_optim_step(NULL, NULL, a, g, NULL, 0));
            must(agn_optim_step(NULL, NULL, b, h, NULL, 0));
        }
        must(agn_optim_params(x, 2, a));
        must(agn_optim_params(y, 2, b));
        double most = 0;
        for (int k = 0; k < NUMBERS; k++)
            most = fmax(most, fabs(peek(x[k / 3], k % 3) - peek(y[k / 3], k % 3)));
        ok(most < 1e-12, "method %d: penalties l1 and l2 are those of a function (%.1e)", kinds[i], most);
        drop(p, 2), drop(x, 2), drop(y, 2);
        agn_optim_release(a), agn_optim_release(b);
    }
    agn_fn_release(g), agn_fn_release(h);
}

/* of an objective whose gradient is 0 */
static void test_penalties_alone(void)
{
    agn_fn *g = objective(flat);
    for (int way = 0; way < 3; way++) {
        agn_tensor *p[2], *x[2];
        int32_t reason = -1;
        begin(p, AGN_F64);
        agn_optim_options opt = O(.rate = 0.5, .l2 = way == 1 ? 0.5 : 0, .l1 = way == 2 ? 0.5 : 0);
        agn_optim *o = optimiser(AGN_OPTIM_SGD, p, &opt);
        must(agn_optim_step(NULL, &reason, o, g, NULL, 0));
        must(agn_optim_params(x, 2, o));
        const double want[] = {-1.5, way == 1 ? -1.125 : -1.25};
        ok(peek(x[0], 0) == want[way > 0] &&
               reason == (way ? AGN_OPTIM_RUNNING : AGN_OPTIM_GRADIENT),
           "a gradient of 0, penalty %d: the reason is %s", way, agn_optim_reason_name(reason));
        drop(p, 2), drop(x, 2);
        agn_optim_release(o);
    }
    agn_fn_release(g);
}

static void test_averages(void)
{
    agn_fn *g = objective(loss);
    agn_tensor *p[2], *x[2];
    agn_optim_options opt = O(.rate = 0.05, .average_decay = 0.8, .lookahead_steps = 4);
    begin(p, AGN_F64);
    agn_optim *o = optimiser(AGN_OPTIM_MOMENTUM, p, &opt);
    must(agn_optim_average(x, 2, o));
    ok(same_values(x[0], p[0]) && same_values(x[1], p[1]), "an average of no step is where it begins");
    drop(x, 2);
    double sum[NUMBERS] = {0}, weights = 0;
    for (int k = 0; k < 20; k++) {
        must(agn_optim_step(NULL, NULL, o, g, NULL, 0));
        must(agn_optim_params(x, 2, o));
        for (int i = 0; i < NUMBERS; i++)
            sum[i] = 0.8 * sum[i] + peek(x[i / 3], i % 3);
        weights = 0.8 * weights + 1;
        drop(x, 2);
    }
    for (int i = 0; i < NUMBERS; i++)
        sum[i] /= weights;
    must(agn_optim_average(x, 2, o));
    ok(apart(x, sum) < 1e-13, "an exponential average of 20 steps");
    drop(x, 2), drop(p, 2);
    agn_optim_release(o);
    agn_fn_release(g);
}

/* gradients whose squares leave the range, and none at all */
static agn_status steep(void *user, agn_scope *s, T const *in, T *out)
{
    const double *slope = user;
    out[0] = ag_add(s, ag_sum_all(s, ag_mul_c(s, in[0], *slope)), ag_sum_all(s, ag_mul_c(s, in[1], 0)));
    return agn_scope_status(s);
}
static void test_clip(void)
{
    static const double slopes[] = {1e200, 1e-200, 0};
    for (int i = 0; i < COUNT(slopes); i++)
        for (int way = 0; way < 3; way++) {
            double slope = slopes[i], most = slope > 1 ? 0.3 : 3e-201;
            agn_tensor *p[2], *x[2], *state[2], *next[3];
            agn_fn *f = NULL, *g = NULL, *step = NULL;
            agn_optim_options opt = O(.rate = slope > 1 ? 1 : 1e200, .gradient_tol = AGN_OPTIM_NONE);
            *(way == 0 ? &opt.clip_value : way == 1 ? &opt.clip_norm : &opt.clip_global_norm) = most;
            must(agn_fn_new(&f, steep, &slope, NULL, 2, 1));
            must(agn_fn_value_and_grad(&g, f, (int32_t[]){0, 1}, 2));
            begin(p, AGN_F64);
            agn_optim *o = optimiser(AGN_OPTIM_SGD, p, &opt);
            must(agn_optim_step(NULL, NULL, o, g, NULL, 0));
            must(agn_optim_params(x, 2, o));
            double go = slope > 0 ? opt.rate * (way ? most / sqrt(3) : most) : 0;
            double want[] = {-1.5 - go, 0.3 - go, 2.5 - go, 1, -0.8}, off = apart(x, want);
            drop(x, 2);
            must(agn_fn_optim(&step, AGN_OPTIM_SGD, g, (T const *)p, 2, &opt));
            must(agn_optim_pack(&state[0], (T const *)p, 2));
            must(agn_full(&state[1], AGN_F64, 0, NULL, 0));
            must(agn_fn_call(next, 3, step, (T const *)state, 2));
            must(agn_optim_unpack(x, next[0], (T const *)p, 2));
            off = fmax(off, apart(x, want));
            ok(slope > 0 ? off < 1e-15 : off == 0, "gradients of %g, clip %d: %.1e off", slope, way, off);
            drop(x, 2), drop(p, 2), drop(state, 2), drop(next, 3);
            agn_optim_release(o);
            agn_fn_release(f), agn_fn_release(g), agn_fn_release(step);
        }
}

/* in f32, whose norm of three such numbers is infinite */
static void test_clip_narrow(void)
{
    for (int way = 0; way < 2; way++) {
        double slope = 3e38, go = 0.3 / sqrt(3), want[] = {-1.5 - go, 0.3 - go, 2.5 - go, 1, -0.8};
        agn_tensor *p[2], *x[2], *state[2], *next[3];
        agn_fn *f = NULL, *g = NULL, *step = NULL;
        agn_optim_options opt = O(.rate = 1);
        *(way ? &opt.clip_norm : &opt.clip_global_norm) = 0.3;
        must(agn_fn_new(&f, steep, &slope, NULL, 2, 1));
        must(agn_fn_value_and_grad(&g, f, (int32_t[]){0, 1}, 2));
        begin(p, AGN_F32);
        must(agn_fn_optim(&step, AGN_OPTIM_SGD, g, (T const *)p, 2, &opt));
        must(agn_optim_pack(&state[0], (T const *)p, 2));
        must(agn_full(&state[1], AGN_F64, 0, NULL, 0));
        must(agn_fn_call(next, 3, step, (T const *)state, 2));
        must(agn_optim_unpack(x, next[0], (T const *)p, 2));
        double off = apart(x, want);
        ok(off < 1e-5, "gradients of 3e38 in f32, clip by norm %d: %.1e off", way, off);
        drop(x, 2), drop(p, 2), drop(state, 2), drop(next, 3);
        agn_fn_release(f), agn_fn_release(g), agn_fn_release(step);
    }
}

/* as functions: their derivatives too, at 0 and on both sides of the bound */
static agn_status clipped(void *user, agn_scope *s, T const *in, T *out)
{
    const double *most = user;
    agn_tensor *made[2] = {NULL, NULL};
    agn_status st = agn_optim_clip_by_global_norm(made, in, 2, *most);
    T both[] = {agn_scope_adopt(s, st, &made[0]), agn_scope_adopt(s, st, &made[1])};
    T one = ag_optim_clip_by_norm(s, in[0], *most);
    out[0] = ag_sum_all(s, ag_exp(s, ag_add(s, ag_mul(s, both[0], one), both[1])));
    return agn_scope_status(s);
}
static void test_clip_functions(void)
{
    agn_tensor *p[2] = {of_reals(AGN_F64, 1, (int64_t[]){2}, (double[]){3, -4}),
                        of_reals(AGN_F64, 1, (int64_t[]){2}, (double[]){12, 0})},
               *y[2], *z = NULL, *zero = NULL, *huge = NULL, *narrow = NULL;
    must(agn_optim_clip_by_norm(&z, p[0], 2));
    ok(fabs(peek(z, 0) - 1.2) < 1e-15 && fabs(peek(z, 1) + 1.6) < 1e-15, "(3, -4) of norm 2");
    agn_release(z);
    must(agn_optim_clip_by_norm(&z, p[0], 5));
    ok(same_values(z, p[0]), "of norm 5: its bits");
    agn_release(z);
    must(agn_optim_clip_by_global_norm(y, (T const *)p, 2, 6.5));
    ok(peek(y[0], 0) == 1.5 && peek(y[0], 1) == -2 && peek(y[1], 0) == 6, "both of norm 13 at 6.5");
    drop(y, 2);
    must(agn_zeros_like(&zero, p[0]));
    must(agn_mul_c(&huge, p[0], 1e300));
    must(agn_cast(&narrow, p[1], AGN_F32));
    must(agn_optim_clip_by_global_norm(y, AGN_ARGS(zero, huge), 2));
    ok(same_values(y[0], zero) && fabs(peek(y[1], 0) - 1.2) < 1e-15, "0 stays 0 beside 5e300");
    drop(y, 2);
    must(agn_optim_clip_by_global_norm(y, AGN_ARGS(p[0], narrow), 6.5));
    ok(agn_dtype_of(y[1]) == AGN_F32 && peek(y[1], 0) == 6, "of two dtypes");
    drop(y, 2);
    for (int dtype = AGN_F32; dtype <= AGN_F64; dtype++) { /* of which f32 and f64 have no norm */
        double most = dtype == AGN_F32 ? 3e38 : 1.5e308, off = 0;
        agn_tensor *far = of_reals(dtype, 1, (int64_t[]){4}, (double[]){most, most, -most, most});
        must(agn_optim_clip_by_global_norm(y, AGN_ARGS(far, zero), 1e-3));
        for (int i = 0; i < 4; i++)
            off = fmax(off, fabs(fabs(peek(y[0], i)) - 5e-4) / 5e-4);
        ok(off < (dtype == AGN_F32 ? 1e-7 : 1e-10), "4 numbers of %g: %.1e off", most, off);
        drop(y, 2);
        agn_release(far);
    }
    for (int i = 0; i < 3; i++) {
        double most = i == 0 ? 0.7 : i == 1 ? 4 : 20, worst = 0;
        agn_fn *f = NULL, *g = NULL;
        agn_tensor *x[2] = {of_reals(AGN_F64, 1, (int64_t[]){2}, (double[]){1, -0.5}),
                            of_reals(AGN_F64, 1, (int64_t[]){2}, (double[]){0.3, 0.6})}, *d[2];
        must(agn_fn_new(&f, clipped, &most, NULL, 2, 1));
        ok(agn_check_grads(NULL, f, (T const *)x, 2, NULL) == AGN_OK, "derivatives at the bound %g", most);
        must(agn_fn_grad(&g, f, (int32_t[]){0, 1}, 2));
        drop(x, 2);
        must(agn_zeros_like(&x[0], zero));
        must(agn_zeros_like(&x[1], zero));
        must(agn_fn_call(d, 2, g, (T const *)x, 2));
        for (int k = 0; k < 2; k++)
            worst = fmax(worst, fabs(peek(d[0], k)) + fabs(peek(d[1], k) - 1));
        ok(worst < 1e-15, "and at 0");
        drop(x, 2), drop(d, 2);
        agn_fn_release(f), agn_fn_release(g);
    }
    agn_tensor *whole = of_reals(AGN_I64, 1, (int64_t[]){2}, (double[]){1, 2}), *out = untouched;
    T gap[] = {p[0], NULL}, mixed[] = {p[0], whole};
#define ONE(call, want, a, b) \
    ok(refused(call, want, "optim_clip_by_norm", a, b, out), "%s", agn_error_message())
#define ALL(call, want, a, b) \
    ok(refused(call, want, "optim_clip_by_global_norm", a, b, out), "%s", agn_error_message())
    ONE(agn_optim_clip_by_norm(NULL, p[0], 1), AGN_ENULL, "out", "NULL");
    ONE(agn_optim_clip_by_norm(&out, NULL, 1), AGN_ENULL, "x", "NULL");
    ONE(agn_optim_clip_by_norm(&out, whole, 1), AGN_EDTYPE, "i64", "f64");
    ONE(agn_optim_clip_by_norm(&out, p[0], 0), AGN_EARG, "at most 0", "positive");
    ALL(agn_optim_clip_by_global_norm(NULL, (T const *)p, 2, 1), AGN_ENULL, "out", "NULL");
    ALL(agn_optim_clip_by_global_norm(&out, NULL, 2, 1), AGN_ENULL, "x", "NULL");
    ALL(agn_optim_clip_by_global_norm(&out, gap, 2, 1), AGN_ENULL, "gradient 1", "NULL");
    ALL(agn_optim_clip_by_global_norm(&out, mixed, 2, 1), AGN_EDTYPE, "gradient 1", "i64");
    ALL(agn_optim_clip_by_global_norm(&out, (T const *)p, 0, 1), AGN_EARG, "0 gradients", "1");
    ALL(agn_optim_clip_by_global_norm(&out, (T const *)p, 2, (double)NAN), AGN_EARG, "nan", "positive");
    drop(p, 2);
    agn_release(zero), agn_release(huge), agn_release(narrow), agn_release(whole);
}

/* ---- sparse gradients ------------------------------------------------------------------------------ */

enum { TABLE = 9, WIDE = 3 };
static agn_status training(void *user, agn_scope *s, T const *in, T *out)
{
    (void)user;
    T y = ag_sparse_embedding(s, in[0], in[2]);
    out[0] = ag_sum_all(s, ag_square(s, ag_sub_c(s, ag_mul(s, y, in[1]), 0.25)));
    return agn_scope_status(s);
}
/* two rows of a table move as in a table of their own; rules of whole parameters refuse */
static void test_sparse(void)
{
    agn_fn *f = NULL, *g = NULL;
    must(agn_fn_new(&f, training, NULL, NULL, 3, 1));
    must(agn_fn_value_and_grad(&g, f, (int32_t[]){0, 1}, 2));
    agn_tensor *p[2] = {random_of(AGN_F32, 2, (int64_t[]){TABLE, WIDE}, -1, 1),
                        random_of(AGN_F32, 1, (int64_t[]){WIDE}, 0.5, 1)},
               *some = of_reals(AGN_I64, 1, (int64_t[]){3}, (double[]){7, 2, 7}),
               *local = of_reals(AGN_I64, 1, (int64_t[]){3}, (double[]){1, 0, 1}),
               *two = of_reals(AGN_I64, 1, (int64_t[]){2}, (double[]){2, 7}), *small[2] = {NULL, p[1]};
    must(agn_gather(&small[0], p[0], two, 0));
    for (int kind = 0; kind < AGN_OPTIM_KINDS; kind++) {
        if (!is_rule(kind))
            continue;
        bool whole = kind == AGN_OPTIM_ASGD || kind == AGN_OPTIM_LAMB || kind == AGN_OPTIM_LARS;
        agn_optim_options opt = O(.rate = 0.02, .clip_value = 0.2, .l2 = 0.01), with = opt;
        with.average_decay = whole ? 0 : 0.9;
        agn_optim *a = optimiser(kind, p, &opt), *b = optimiser(kind, small, &opt),
                  *c = optimiser(kind, p, &with);
        agn_tensor *x[2], *y[2], *rows = NULL;
        for (int k = 0; !whole && k < 6; k++) {
            must(agn_optim_step(NULL, NULL, a, g, AGN_ARGS(some)));
            must(agn_optim_step(NULL, NULL, b, g, AGN_ARGS(local)));
        }
        must(agn_optim_params(x, 2, a));
        must(agn_optim_params(y, 2, b));
        must(agn_gather(&rows, x[0], two, 0));
        int moved = 0;
        for (int i = 0; i < TABLE * WIDE; i++)
            moved += peek(x[0], i) != peek(p[0], i);
        ok(same_values(rows, y[0]) && same_values(x[1], y[1]) && moved == (whole ? 0 : 2 * WIDE),
           "method %d: rows as in a table of their own, %d numbers moved", kind, moved);
        ok(refused(agn_optim_step(NULL, NULL, c, g, AGN_ARGS(some)), AGN_EUNSUPPORTED, "optim_step",
                   "every number", "gradient 0", untouched), "%s", agn_error_message());
        drop(x, 2), drop(y, 2);
        agn_release(rows);
        agn_optim_release(a), agn_optim_release(b), agn_optim_release(c);
    }
    drop(p, 2);
    agn_release(some), agn_release(local), agn_release(two), agn_release(small[0]);
    agn_fn_release(f), agn_fn_release(g);
}

/* each allocation of making and of calling a step with all that is around a rule */
static void test_memory(void)
{
    agn_fn *g = objective(loss);
    agn_tensor *p[2], *state[8], *out[9];
    agn_optim_options opt = O(.clip_norm = 0.5, .rate_factors = halves, .decay_factors = decays,
                              .average_decay = 0.9, .lookahead_steps = 2);
    int kind = AGN_OPTIM_LAMB, n = agn_optim_slots(kind, &opt) + 2, failed = 0, wrong = 0;
    begin(p, AGN_F64);
    must(agn_optim_pack(&state[0], (T const *)p, 2));
    for (int i = 1; i < n; i++)
        must(i < n - 1 ? agn_zeros_like(&state[i], state[0]) : agn_zeros(&state[i], AGN_F64, 0, NULL));
    for (int64_t k = 0, finished = 0; !finished; k++) {
        agn_fn *step = NULL;
        int64_t before, after;
        agn_memory_live(&before, NULL, NULL);
        for (int i = 0; i <= n; i++)
            out[i] = NULL;
        agn_memory_fail_after(k);
        agn_status st = agn_fn_optim(&step, kind, g, (T const *)p, 2, &opt);
        st = st ? st : agn_fn_call(out, n + 1, step, (T const *)state, n);
        agn_memory_fail_after(-1);
        agn_fn_release(step);
        agn_memory_live(&after, NULL, NULL);
        wrong += st && (st != AGN_ENOMEM || after != before || out[0]);
        failed += st != AGN_OK;
        finished = !st;
    }
    ok(failed > 100 && !wrong, "each of %d allocations of a step fails cleanly", failed);
    drop(out, n + 1), drop(state, n), drop(p, 2);
    agn_fn_release(g);
}

/* ---- errors -------------------------------------------------------------------------------------------- */

static void test_refused(void)
{
    static const double none[] = {1, -1}, nan[] = {(double)NAN, 1};
    static const struct {
        int kind;
        agn_optim_options opt;
        const char *fact1, *fact2;
    } bad[] = {
        {AGN_OPTIM_SGD, O(.momentum = 0.5), "sgd", "no momentum"},
        {AGN_OPTIM_MOMENTUM, O(.momentum = 1), "momentum is 1", "below 1"},
        {AGN_OPTIM_SGD, O(.nesterov = true), "sgd", "no nesterov"},
        {AGN_OPTIM_ADAM, O(.centred = true), "adam", "no centred"},
        {AGN_OPTIM_ADAM, O(.momentum_decay = 0.1), "adam", "no momentum_decay"},
        {AGN_OPTIM_NADAM, O(.momentum_decay = -1), "momentum_decay is -1", "above 0"},
        {AGN_OPTIM_RPROP, O(.grow = 0.9), "grow is 0.9", "above 1"},
        {AGN_OPTIM_RPROP, O(.shrink = 1.5), "shrink is 1.5", "below 1"},
        {AGN_OPTIM_RPROP, O(.least_step = 3, .most_step = 2), "least_step is 3", "2"},
        {AGN_OPTIM_RPROP, O(.most_step = -3), "most_step is -3", "above 0"},
        {AGN_OPTIM_RPROP, O(.rate_factors = halves), "rprop", "no rate_factors"},
        {AGN_OPTIM_ASGD, O(.average_decay = 0.9), "asgd", "no average_decay"},
        {AGN_OPTIM_ASGD, O(.power = -2), "power is -2", "at least 0"},
        {AGN_OPTIM_ASGD, O(.average_start = -2), "average_start is -2", "at least 0"},
        {AGN_OPTIM_LARS, O(.trust = -1), "trust is -1", "above 0"},
        {AGN_OPTIM_LBFGS, O(.clip_norm = 1), "lbfgs", "no clip_norm"},
        {AGN_OPTIM_BFGS, O(.l2 = 1), "bfgs", "no l2"},
        {AGN_OPTIM_LBFGS, O(.lookahead_steps = 3), "lbfgs", "no lookahead_steps"},
        {AGN_OPTIM_LBFGS, O(.decay_factors = halves), "lbfgs", "no decay_factors"},
        {AGN_OPTIM_SGD, O(.clip_value = -3), "clip_value is -3", "at least 0"},
        {AGN_OPTIM_SGD, O(.clip_norm = 1, .clip_global_norm = 2), "clip_norm 1", "clip_global_norm 2"},
        {AGN_OPTIM_SGD, O(.l1 = -2), "l1 is -2", "at least 0"},
        {AGN_OPTIM_SGD, O(.average_decay = 1), "average_decay is 1", "below 1"},
        {AGN_OPTIM_SGD, O(.lookahead_steps = -1), "lookahead_steps -1", "at least -1 and 0"},
        {AGN_OPTIM_SGD, O(.lookahead_rate = 1.5), "lookahead_rate is 1.5", "below 1"},
        {AGN_OPTIM_SGD, O(.rate_factors = none), "rate factor of parameter 1", "-1"},
        {AGN_OPTIM_SGD, O(.decay_factors = nan), "decay factor of parameter 0", "nan"},
    };
    agn_tensor *p[2], *out = untouched, *x[2];
    agn_fn *g = objective(loss), *f = NULL;
    begin(p, AGN_F64);
    for (int i = 0; i < COUNT(bad); i++) {
        agn_optim *o = NULL;
        agn_status st = agn_optim_new(&o, bad[i].kind, (T const *)p, 2, &bad[i].opt);
        ok(refused(st, AGN_EARG, "optim_new", bad[i].fact1, bad[i].fact2, untouched) && !o, "%s",
           agn_error_message());
        if (!is_rule(bad[i].kind))
            continue;
        st = agn_fn_optim(&f, bad[i].kind, g, (T const *)p, 2, &bad[i].opt);
        ok(refused(st, AGN_EARG, "fn_optim", bad[i].fact1, bad[i].fact2, untouched) && !f, "%s",
           agn_error_message());
    }
    ok(refused(agn_fn_optim(&f, AGN_OPTIM_LBFGS, g, (T const *)p, 2, NULL), AGN_EARG, "fn_optim",
               "method 1", "no rule", untouched), "%s", agn_error_message());
    ok(refused(agn_fn_optim(&f, -1, g, (T const *)p, 2, NULL), AGN_EARG, "fn_optim", "method -1",
               "no rule", untouched), "%s", agn_error_message());
    ok(refused(agn_fn_optim(&f, AGN_OPTIM_SGD, NULL, (T const *)p, 2, NULL), AGN_ENULL, "fn_optim",
               "objective", "NULL", untouched), "%s", agn_error_message());
    agn_optim_options small = {.size = 5}, averaged = O(.average_decay = 0.5, .lookahead_steps = 2);
    is_int(agn_optim_slots(AGN_OPTIM_SGD, NULL), 0, "slots of SGD");
    is_int(agn_optim_slots(AGN_OPTIM_ADAM, &averaged), 4, "of Adam with averages");
    is_int(agn_optim_slots(AGN_OPTIM_RMSPROP, NULL), 1, "of RMSProp");
    is_int(agn_optim_slots(AGN_OPTIM_LBFGS, NULL), -1, "of no rule");
    is_int(agn_optim_slots(AGN_OPTIM_KINDS, NULL), -1, "of no method");
    is_int(agn_optim_slots(AGN_OPTIM_SGD, &small), -1, "of options of another size");
    agn_optim *o = optimiser(AGN_OPTIM_SGD, p, NULL);
    ok(refused(agn_optim_average(&out, 2, o), AGN_EARG, "optim_average", "sgd", "average_decay", out),
       "%s", agn_error_message());
    ok(refused(agn_optim_average(&out, 3, o), AGN_EARG, "optim_average", "room for 3", "2", out), "%s",
       agn_error_message());
    ok(refused(agn_optim_average(NULL, 2, o), AGN_ENULL, "optim_average", "out", "NULL", out), "%s",
       agn_error_message());
    ok(refused(agn_optim_average(&out, 2, NULL), AGN_ENULL, "optim_average", "o is", "NULL", out), "%s",
       agn_error_message());
    agn_optim_release(o);
    o = optimiser(AGN_OPTIM_SGD, p, &averaged);
    must(agn_optim_step(NULL, NULL, o, g, NULL, 0));
    int failed = 0, wrong = 0;
    for (int64_t k = 0, finished = 0; !finished; k++) {
        x[0] = x[1] = untouched;
        agn_memory_fail_after(k);
        agn_status st = agn_optim_average(x, 2, o);
        agn_memory_fail_after(-1);
        wrong += st && (st != AGN_ENOMEM || x[0] != untouched);
        failed += st != AGN_OK;
        finished = !st;
    }
    ok(failed > 3 && !wrong, "average: each of %d allocations fails cleanly", failed);
    drop(x, 2), drop(p, 2);
    agn_optim_release(o);
    agn_fn_release(g);
}

int main(void)
{
    test_references(AGN_F64);
    test_references(AGN_F32);
    test_resume();
    test_layouts();
    test_threads();
    test_penalties();
    test_penalties_alone();
    test_averages();
    test_clip();
    test_clip_narrow();
    test_clip_functions();
    test_sparse();
    test_memory();
    test_refused();
    return done();
}
