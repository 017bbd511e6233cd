/* tests/t-nan.c - H25: the first op that makes a NaN, by name and place: in values, tangents, cotangents and
   coefficients, under vmap and in plans. */
#include "whole.h"

static agn_nan_place met;
static char met_op[32], met_label[32];
static int n_met;
static agn_status remember(void *user, const agn_nan_place *place)
{
    if (!n_met++) {
        met = *place;
        snprintf(met_op, sizeof met_op, "%s", place->op);
        snprintf(met_label, sizeof met_label, "%s", place->label ? place->label : "");
    }
    return user ? AGN_ECANCELLED : AGN_OK;
}
static bool met_is(const char *op, int index, int walk, int which)
{
    bool good = n_met && !strcmp(met_op, op) && met.index == index &&
                met.walk == walk && met.which == which;
    if (!good)
        diag("%d met: %s, op %d of %d, walk %d, %d", n_met, met_op, met.index,
             met.total, met.walk, met.which);
    n_met = 0;
    return good;
}

/* op 0 mul, 1 log, 2 add, 3 exp; NaN at x < 0 */
FORMULA(logarithm, ag_exp(s, ag_add(s, ag_log(s, ag_mul(s, in[0], in[1])), in[1])))
/* op 0 square, 1 sqrt, 2 mul: 0 has the value 0, and inf * 0 on the way back is no NaN; squaring the
   infinite slope times a zero from outside is */
FORMULA(root, ag_mul(s, ag_sqrt(s, ag_square(s, in[0])), in[1]))
/* a smooth function with nothing wrong */
FORMULA(smooth, ag_sum_all(s, ag_tanh(s, ag_matmul(s, in[0], in[1]))),
        ag_sort(s, in[0], 0, false))

/* an op whose walk back makes a NaN of its own */
FORMULA(bad_eval, ag_mul_c(s, in[0], 2))
FORMULA(bad_infer, s ? in[0] : NULL)
FORMULA(bad_vjp, ag_mul_c(s, in[2], (double)NAN))
FORMULA(bad_jvp, ag_mul_c(s, in[2], (double)NAN))
FORMULA(bad_batch, ag_mul_c(s, in[0], 2))
static const agn_op_def bad = {.size = sizeof bad,
                               .name = "t_bad_slope",
                               .doc = "2 x",
                               .n_in = 1,
                               .n_out = 1,
                               .eval = bad_eval,
                               .infer = bad_infer,
                               .jvp = bad_jvp,
                               .vjp = bad_vjp,
                               .batch = bad_batch};
static T apply_bad(agn_scope *s, T x)
{
    agn_tensor *y = NULL;
    if (agn_scope_status(s))
        return NULL;
    agn_status st = agn_op_apply(&y, 1, "t_bad_slope", &x, 1, NULL, 0, NULL, 0);
    return agn_scope_adopt(s, st, &y);
}
/* op 0 sin, 1 t_bad_slope, 2 exp */
FORMULA(steep_at_zero, ag_sqrt(s, ag_mul_c(s, in[0], 3)))
FORMULA(bad_inside, ag_sum_all(s, ag_exp(s, apply_bad(s, ag_sin(s, in[0])))))
BODY(calls)
{
    T y = NULL;
    if (!agn_fn_apply(s, &y, 1, user, in, agn_fn_n_in(user)))
        out[0] = ag_sin(s, y);
    return agn_scope_status(s);
}

static void values(void)
{
    agn_tensor *x = of_reals(AGN_F64, 1, I64(3), (double[]){1, -1, 2}),
               *w = of_reals(AGN_F64, 1, I64(3), (double[]){1, 1, 1});
    agn_tensor *y = untouched,
               *fine = of_reals(AGN_F64, 1, I64(3), (double[]){1, 1, 2});
    agn_fn *f = whole_fn(logarithm, NULL, 2, 1),
           *g = MADE(agn_fn_watch_nan(&made_, f, NULL));
    agn_status st = agn_fn_call(&y, 1, g, AGN_ARGS(x, w));
    ok(refused(st, AGN_EDOMAIN, "watch_nan", "log, op 1 of 4", "value 0", y),
       "the message: %s", agn_error_message());
    whole_same(g, (const T[]){fine, w}, f, (const T[]){fine, w}, 0, 1e-300,
               "where there is none, the same");
    const agn_nan_hook hook = {
        .size = sizeof hook, .found = remember, .label = "layer 2"};
    agn_fn *h = MADE(agn_fn_watch_nan(&made_, f, &hook));
    must(agn_fn_call(&y, 1, h, AGN_ARGS(x, w)));
    agn_release(y);
    ok(met_is("log", 1, AGN_NAN_VALUE, 0) && met.total == 4 &&
           !strcmp(met_label, "layer 2"),
       "the place: op %d of %d, in %s", met.index, met.total, met_label);
    /* the argument is to blame: nobody here made it */
    agn_tensor *nan = of_reals(AGN_F64, 1, I64(3), (double[]){1, (double)NAN, 2});
    must(agn_fn_call(&y, 1, h, AGN_ARGS(nan, w)));
    agn_release(y);
    is_int(n_met, 0, "a NaN that came in is not made");
    agn_fn *plan = MADE(agn_fn_compile(&made_, h, NULL)),
           *lanes = MADE(agn_fn_vmap(&made_, h, NULL, 0, NULL, 0)),
           *both = MADE(agn_fn_compile(&made_, lanes, NULL));
    for (int k = 0; k < 2; k++) {
        must(agn_fn_call(&y, 1, plan, AGN_ARGS(x, w)));
        agn_release(y);
        ok(met_is("log", 1, AGN_NAN_VALUE, 0), "in a plan");
        must(agn_fn_call(&y, 1, k ? lanes : both, AGN_ARGS(x, w)));
        agn_release(y);
        ok(met_is("log", 1, AGN_NAN_VALUE, 0), "in lanes");
    }
    /* within another watched function, and under a hook that stops */
    const agn_nan_hook outer = {
        .size = sizeof outer, .found = remember, .user = f, .label = "model"};
    agn_fn *c = whole_fn(calls, h, 2, 1),
           *o = MADE(agn_fn_watch_nan(&made_, c, &outer));
    must(agn_fn_call(&y, 1, o, AGN_ARGS(x, w)));
    agn_release(y);
    ok(met_is("log", 1, AGN_NAN_VALUE, 0) && !strcmp(met_label, "layer 2"),
       "the innermost label");
    agn_fn *stop = MADE(agn_fn_watch_nan(&made_, f, &outer));
    y = untouched;
    is_int(agn_fn_call(&y, 1, stop, AGN_ARGS(x, w)), AGN_ECANCELLED,
           "a hook may stop the call");
    ok(y == untouched && n_met == 1, "at once");
    n_met = 0;
    const agn_nan_hook inf = {.size = sizeof inf, .found = remember, .infinite = true};
    agn_tensor *zero = of_reals(AGN_F64, 1, I64(3), (double[]){1, 0, 2});
    agn_fn *i = MADE(agn_fn_watch_nan(&made_, f, &inf));
    must(agn_fn_call(&y, 1, i, AGN_ARGS(zero, w)));
    agn_release(y);
    ok(met_is("log", 1, AGN_NAN_VALUE, 0), "an infinity, on request");
    must(agn_fn_call(&y, 1, h, AGN_ARGS(zero, w)));
    agn_release(y);
    is_int(n_met, 0, "and not otherwise");
    agn_fn *fns[] = {f, g, h, plan, lanes, both, c, o, stop, i};
    for (int k = 0; k < COUNT(fns); k++)
        agn_fn_release(fns[k]);
    agn_tensor *drop[] = {x, w, fine, nan, zero};
    for (int k = 0; k < COUNT(drop); k++)
        agn_release(drop[k]);
}

static void derivatives(void)
{
    const agn_nan_hook hook = {.size = sizeof hook, .found = remember},
                       inf = {.size = sizeof inf, .found = remember, .infinite = true};
    agn_tensor *x = of_reals(AGN_F64, 1, I64(2), (double[]){0.5, 1}),
               *t = of_reals(AGN_F64, 1, I64(2), (double[]){1, 1}), *y[4] = {NULL};
    agn_fn *f = whole_fn(bad_inside, NULL, 1, 1),
           *h = MADE(agn_fn_watch_nan(&made_, f, &hook)),
           *g = MADE(agn_fn_grad(&made_, h, NULL, 0)), *j = MADE(agn_fn_jvp(&made_, h)),
           *k = MADE(agn_fn_jet(&made_, h, 2));
    must(agn_fn_call(y, 1, h, AGN_ARGS(x)));
    agn_release(y[0]);
    is_int(n_met, 0, "the value has none");
    must(agn_fn_call(y, 1, g, AGN_ARGS(x)));
    agn_release(y[0]);
    ok(met_is("t_bad_slope", 1, AGN_NAN_COTANGENT, 0), "a gradient");
    must(agn_fn_call(y, 2, j, AGN_ARGS(x, t)));
    agn_release(y[0]);
    agn_release(y[1]);
    ok(met_is("t_bad_slope", 1, AGN_NAN_TANGENT, 0), "a tangent");
    must(agn_fn_call(y, 3, k, AGN_ARGS(x, t, t)));
    for (int i = 0; i < 3; i++)
        agn_release(y[i]);
    ok(met_is("t_bad_slope", 1, AGN_NAN_COEFFICIENT, 1), "a coefficient");
    agn_fn *fast = MADE(agn_fn_compile(&made_, g, NULL));
    must(agn_fn_call(y, 1, fast, AGN_ARGS(x)));
    agn_release(y[0]);
    ok(met_is("t_bad_slope", 1, AGN_NAN_COTANGENT, 0), "a gradient in a plan");
    agn_tensor *row = NULL;
    must(agn_expand_dims(&row, x, 0));
    /* op 0 mul, 1 sqrt: an infinite slope at 0 */
    agn_fn *steep = whole_fn(steep_at_zero, NULL, 1, 1),
           *hs = MADE(agn_fn_watch_nan(&made_, steep, &inf)),
           *lanes = MADE(agn_fn_vmap(&made_, g, NULL, 0, NULL, 0)),
           *all = MADE(agn_fn_vmap(&made_, hs, NULL, 0, NULL, 0)),
           *back = MADE(agn_fn_vjp(&made_, all));
    must(agn_fn_call(y, 1, lanes, AGN_ARGS(row)));
    agn_release(y[0]);
    ok(met_is("t_bad_slope", 1, AGN_NAN_COTANGENT, 0), "lanes of a gradient");
    agn_tensor *one = of_reals(AGN_F64, 1, I64(3), (double[]){1, 1, 1}),
               *ends = of_reals(AGN_F64, 1, I64(3), (double[]){1, 0, 2});
    must(agn_fn_call(y, 2, back, AGN_ARGS(ends, one)));
    agn_release(y[0]);
    agn_release(y[1]);
    ok(met_is("sqrt", 1, AGN_NAN_COTANGENT, 0), "a gradient of lanes");
    /* a tape */
    agn_tensor *w = NULL, *v = NULL, *gr = NULL;
    must(agn_watch(&w, x));
    must(agn_fn_call(&v, 1, h, AGN_ARGS(w)));
    must(agn_gradient(&gr, (const T[]){v}, 1, (const T[]){w}, 1, NULL));
    ok(met_is("t_bad_slope", 1, AGN_NAN_COTANGENT, 0), "on the tape");
    /* the default: an error from the gradient, nothing written */
    agn_fn *strict = MADE(agn_fn_watch_nan(&made_, f, NULL)),
           *gs = MADE(agn_fn_grad(&made_, strict, NULL, 0));
    agn_tensor *out = untouched;
    agn_status st = agn_fn_call(&out, 1, gs, AGN_ARGS(x));
    ok(refused(st, AGN_EDOMAIN, "watch_nan", "t_bad_slope, op 1 of 4", "cotangent 0",
               out),
       "the message: %s", agn_error_message());
    agn_fn *fns[] = {f, h, g, j, k, fast, lanes, all, back, strict, gs, steep, hs};
    for (int i = 0; i < COUNT(fns); i++)
        agn_fn_release(fns[i]);
    agn_tensor *drop[] = {x, t, row, one, ends, w, v, gr};
    for (int i = 0; i < COUNT(drop); i++)
        agn_release(drop[i]);
}

static int destroyed;
static void destroy(void *user)
{
    (void)user;
    destroyed++;
}

int main(void)
{
    int64_t before, blocks;
    must(agn_op_register(&bad)); /* lives as long as the process */
    agn_memory_live(NULL, &before, NULL);
    values();
    derivatives();
    agn_tensor *x = random_of(AGN_F64, 1, I64(3), -1, 1),
               *w = random_of(AGN_F64, 2, I64(3, 2), -1, 1);
    agn_fn *f = whole_fn(smooth, NULL, 2, 2),
           *g = MADE(agn_fn_watch_nan(&made_, f, NULL)), *out = f;
    whole(g, 2, (const T[]){x, w}, 1e-6, "a watched function");
    agn_fn_release(g);
    agn_fn *r = whole_fn(root, NULL, 2, 1),
           *zero_ok = MADE(agn_fn_watch_nan(&made_, r, NULL)),
           *gr = MADE(agn_fn_grad(&made_, zero_ok, NULL, 0));
    agn_tensor *zero = scalar_of(AGN_F64, 0), *one = scalar_of(AGN_F64, 1), *y = NULL;
    is_int(agn_fn_call(&y, 1, gr, AGN_ARGS(zero, one)), AGN_OK,
           "sqrt of a square at 0 makes no NaN: %s", agn_error_message());
    agn_release(y);
    const agn_nan_hook hook = {.size = sizeof hook, .destroy = destroy},
                       small = {.size = 8, .destroy = destroy};
    tally t = {0, 0};
    check(&t,
          refused(agn_fn_watch_nan(&out, f, &small), AGN_EARG, "fn_watch_nan",
                  "8 bytes", "agn_nan_hook", untouched),
          "size");
    check(&t,
          refused(agn_fn_watch_nan(&out, NULL, &hook), AGN_ENULL, "fn_watch_nan",
                  "f is", NULL, untouched),
          "f");
    check(&t,
          refused(agn_fn_watch_nan(NULL, f, &hook), AGN_ENULL, "fn_watch_nan", "out is",
                  NULL, untouched),
          "out");
    check(&t, destroyed == 0 && out == f, "destroy is not called on failure");
    agn_fn_release(MADE(agn_fn_watch_nan(&made_, f, &hook)));
    check(&t, destroyed == 1, "and once in the end");
    tell(&t, "refusals");
    agn_tensor *drop[] = {x, w, zero, one};
    for (int i = 0; i < COUNT(drop); i++)
        agn_release(drop[i]);
    agn_fn *fns[] = {f, r, zero_ok, gr};
    for (int i = 0; i < COUNT(fns); i++)
        agn_fn_release(fns[i]);
    agn_memory_live(NULL, &blocks, NULL);
    ok(blocks == before, "nothing is left: %" PRId64 " blocks", blocks - before);
    return done();
}
