/* tests/t-ad-laws.c - defects of derivatives that other libraries had (laws H), as tests. */
#include "whole.h"

#include <pthread.h>

static agn_tensor *watched(const agn_tensor *x)
{
    agn_tensor *w = NULL;
    must(agn_watch(&w, x));
    return w;
}

/* ---- H1, H2: norms at zero ------------------------------------------------------------------------ */

typedef struct power {
    double p;
} power;
BODY(distance)
{
    out[0] = ag_dist(s, in[0], in[1], ((const power *)user)->p);
    return agn_scope_status(s);
}
/* g / max(1, |g|): clipping */
FORMULA(clipped, ag_div(s, in[0],
                        ag_maximum(s, ag_lit(s, 1),
                                   ag_sqrt(s, ag_sum_all(s, ag_square(s, in[0]))))))
static bool all_are(const agn_tensor *x, double v)
{
    bool good = x != NULL;
    for (int64_t i = 0; good && i < agn_numel(x); i++)
        good = peek(x, i) == v;
    return good;
}
static void norms(void)
{
    tally t = {0, 0};
    agn_tensor *x = of_reals(AGN_F64, 2, I64(2, 3), (double[]){1, 2, 3, -1, 0, 5}),
               *g[4] = {NULL};
    agn_tensor *row = NULL, *zero = NULL;
    must(agn_index_axis(&row, x, 0, 0));
    for (int i = 0; i < 4; i++) {
        power p = {(double[]){1, 2, 3, (double)INFINITY}[i]};
        agn_fn *f = whole_fn(distance, &p, 2, 1),
               *d = MADE(agn_fn_grad(&made_, f, I32(0, 1), 2)),
               *h = MADE(agn_fn_hvp(&made_, f, I32(0, 1), 2));
        must(agn_fn_call(g, 2, d, AGN_ARGS(x, x)));
        check(&t, all_are(g[0], 0) && all_are(g[1], 0), "first derivative, p = %g",
              p.p);
        agn_release(g[0]);
        agn_release(g[1]);
        must(agn_fn_call(g, 2, h, AGN_ARGS(x, x, x, x)));
        for (int64_t k = 0; k < 6; k++)
            check(&t, isfinite(peek(g[0], k)) == (p.p != 2), "second derivative, p = %g", p.p);
        agn_release(g[0]);
        agn_release(g[1]);
        /* shapes that broadcast, one argument asked for */
        agn_fn *one = MADE(agn_fn_grad(&made_, f, I32(1), 1));
        must(agn_fn_call(g, 1, one, AGN_ARGS(x, row)));
        check(&t, same_shapes(g[0], row), "broadcast, p = %g", p.p);
        agn_release(g[0]);
        agn_fn_release(one);
        agn_fn_release(f);
        agn_fn_release(d);
        agn_fn_release(h);
    }
    tell(&t, "H1: distances of equal points have gradient 0, the Euclidean one no second derivative");
    must(agn_full(&zero, AGN_F64, 1, I64(4), 0));
    agn_fn *f = whole_fn(clipped, NULL, 1, 1);
    must(agn_fn_call(g, 1, f, AGN_ARGS(zero)));
    ok(all_are(g[0], 0), "H2: a gradient of zeros clipped by its norm is zeros");
    agn_release(g[0]);
    agn_fn_release(f);
    agn_release(x);
    agn_release(row);
    agn_release(zero);
}

/* ---- H4, H12, H13: custom functions ------------------------------------------------------------------ */

/* x -> 2 x, a whole number that nobody differentiates, 3 x, and x itself; dtypes mixed */
FORMULA(four_results, ag_mul_c(s, in[0], 2), ag_cast(s, in[1], AGN_I64),
        ag_mul_c(s, in[2], 3), in[0])
BODY(four_back)
{
    (void)user; /* 3 arguments, 4 results, 4 cotangents */
    out[0] = ag_add(s, ag_mul_c(s, in[7], 2), in[10]);
    out[1] = ag_zeros_like(s, in[1]);
    out[2] = ag_mul_c(s, in[9], 3);
    return agn_scope_status(s);
}
FORMULA(cube, ag_mul(s, in[0], ag_square(s, in[0])))
FORMULA(cube_back, ag_mul(s, in[2], ag_mul_c(s, ag_square(s, in[0]), 3)))
BODY(calls)
{
    T y = NULL;
    if (!agn_fn_apply(s, &y, 1, user, in, agn_fn_n_in(user)))
        out[0] = ag_sin(s, y);
    return agn_scope_status(s);
}
BODY(sine_back) /* of sin(cube): x, y, g */
{
    agn_fn *inner = user;
    T c = NULL;
    if (!agn_fn_apply(s, &c, 1, inner, in, agn_fn_n_in(inner)))
        out[0] = ag_mul(s, in[2],
                        ag_mul(s, ag_cos(s, c), ag_mul_c(s, ag_square(s, in[0]), 3)));
    return agn_scope_status(s);
}

static void custom(void)
{
    tally t = {0, 0};
    agn_fn *f = whole_fn(four_results, NULL, 3, 4),
           *c = MADE(agn_fn_custom(
               &made_, f,
               &(agn_custom_rule){.size = sizeof(agn_custom_rule), .vjp = four_back}));
    agn_tensor *x = of_reals(AGN_F32, 1, I64(2), (double[]){1, 2}),
               *n = of_reals(AGN_I64, 1, I64(2), (double[]){4, 5}),
               *z = random_of(AGN_C128, 1, I64(2), -1, 1), *y[4] = {NULL},
               *g[2] = {NULL};
    agn_tensor *wx = watched(x), *wz = watched(z);
    must(agn_fn_call(y, 4, c, AGN_ARGS(wx, n, wz)));
    check(&t,
          agn_dtype_of(y[0]) == AGN_F32 && agn_dtype_of(y[1]) == AGN_I64 &&
              agn_dtype_of(y[2]) == AGN_C128 && all_are(y[3], 1) == false &&
              peek(y[3], 1) == 2,
          "dtypes");
    must(agn_gradient(g, (const T[]){y[0], y[2]}, 2, (const T[]){wx, wz}, 2, NULL));
    check(&t, all_are(g[0], 2) && peek(g[1], 0) == 3,
          "results 0 and 2 are used, 1 and 3 are not");
    agn_release(g[0]);
    agn_release(g[1]);
    must(agn_gradient(g, (const T[]){y[3]}, 1, (const T[]){wx}, 1, NULL));
    check(&t, all_are(g[0], 1), "a result that is an argument");
    agn_release(g[0]);
    tell(
        &t,
        "H4 H12 H13: custom functions of mixed dtypes, some results unused, one whole, one an argument");
    for (int i = 0; i < 4; i++)
        agn_release(y[i]);
    agn_fn_release(c);
    agn_fn_release(f);
    f = whole_fn(cube, NULL, 1, 1);
    c = MADE(agn_fn_custom(
        &made_, f,
        &(agn_custom_rule){.size = sizeof(agn_custom_rule), .vjp = cube_back}));
    agn_fn *outer = whole_fn(calls, c, 1, 1),
           *nested = MADE(agn_fn_custom(
               &made_, outer,
               &(agn_custom_rule){
                   .size = sizeof(agn_custom_rule), .user = c, .vjp = sine_back}));
    agn_tensor *at = random_of(AGN_F64, 1, I64(3), 0.3, 1);
    whole(nested, 1, (const T[]){at}, 1e-6,
          "H13: a custom function within another, to order 3");
    agn_fn *fns[] = {f, c, outer, nested};
    for (int i = 0; i < COUNT(fns); i++)
        agn_fn_release(fns[i]);
    agn_tensor *drop[] = {x, n, z, wx, wz, at};
    for (int i = 0; i < COUNT(drop); i++)
        agn_release(drop[i]);
}

/* ---- H7: what has no derivative says so ------------------------------------------------------------------ */

FORMULA(bare_eval, ag_mul_c(s, in[0], 2))
FORMULA(bare_infer, s ? in[0] : NULL)
static const agn_op_def bare = {.size = sizeof bare,
                                .name = "t_law_bare",
                                .doc = "2 x",
                                .n_in = 1,
                                .n_out = 1,
                                .eval = bare_eval,
                                .infer = bare_infer,
                                .batch = bare_eval};
BODY(uses_bare)
{
    agn_tensor *y = NULL;
    (void)user;
    agn_status st = agn_op_apply(&y, 1, "t_law_bare", in, 1, NULL, 0, NULL, 0);
    out[0] = ag_sum_all(s, agn_scope_adopt(s, st, &y));
    return agn_scope_status(s);
}
/* custom whose rule uses the op without one: order 1 is there, order 2 is not */
FORMULA(doubles, ag_sum_all(s, ag_square(s, in[0])))
BODY(rule_of_bare)
{
    agn_tensor *y = NULL;
    (void)user;
    agn_status st = agn_op_apply(&y, 1, "t_law_bare", in, 1, NULL, 0, NULL, 0);
    out[0] = ag_mul(s, agn_scope_adopt(s, st, &y), in[2]);
    return agn_scope_status(s);
}
static void no_rule(void)
{
    tally t = {0, 0};
    agn_tensor *x = of_reals(AGN_F64, 1, I64(2), (double[]){1, 2}), *y[4];
    agn_fn *f = whole_fn(uses_bare, NULL, 1, 1), *sq = whole_fn(doubles, NULL, 1, 1),
           *c = MADE(agn_fn_custom(&made_, sq,
                                   &(agn_custom_rule){.size = sizeof(agn_custom_rule),
                                                      .vjp = rule_of_bare})),
           *g = MADE(agn_fn_grad(&made_, c, NULL, 0));
    const char *modes = "RFJ";
    for (const char *m = modes; *m; m++) {
        agn_fn *d = *m == 'R'   ? MADE(agn_fn_grad(&made_, f, NULL, 0))
                    : *m == 'F' ? MADE(agn_fn_jvp(&made_, f))
                                : MADE(agn_fn_jet(&made_, f, 1));
        y[0] = untouched;
        agn_status st = agn_fn_call(y, agn_fn_n_out(d), d, (const T[]){x, x},
                                    agn_fn_n_in(d));
        check(&t,
              st == AGN_EUNSUPPORTED && strstr(agn_error_message(), "t_law_bare") &&
                  y[0] == untouched,
              "mode %c: %s", *m, agn_error_message());
        agn_fn_release(d);
    }
    must(agn_fn_call(y, 1, g, AGN_ARGS(x)));
    check(&t, peek(y[0], 1) == 4, "order 1");
    agn_release(y[0]);
    agn_fn *h = MADE(agn_fn_jvp(&made_, g));
    y[0] = untouched;
    agn_status st = agn_fn_call(y, 2, h, AGN_ARGS(x, x));
    check(&t, st == AGN_EUNSUPPORTED && strstr(agn_error_message(), "t_law_bare"),
          "order 2: %s", agn_error_message());
    tell(
        &t,
        "H7: an op without a rule is an error that names it, at the order that asks, never zeros");
    agn_fn *fns[] = {f, sq, c, g, h};
    for (int i = 0; i < COUNT(fns); i++)
        agn_fn_release(fns[i]);
    agn_release(x);
}

/* ---- H17, H19, H21, H23 ------------------------------------------------------------------------------------ */

FORMULA(third_order, ag_sum_all(s, ag_mul(s, ag_tanh(s, ag_matmul(s, in[0], in[1])),
                                          ag_add(s, in[2], in[2]))))
static void released_early(void)
{
    agn_tensor *a = random_of(AGN_F64, 2, I64(3, 3), -1, 1),
               *b = random_of(AGN_F64, 2, I64(3, 3), -1, 1), *g = NULL, *want = NULL;
    agn_tensor *wa = watched(a), *wb = watched(b), *m = NULL, *u = NULL, *y = NULL;
    agn_fn *f = whole_fn(third_order, NULL, 3, 1),
           *d = MADE(agn_fn_grad(&made_, f, NULL, 0));
    must(agn_fn_call(&want, 1, d, AGN_ARGS(a, b, b)));
    must(agn_fn_call(&y, 1, f, AGN_ARGS(wa, wb, wb)));
    must(agn_matmul(&m, wa, wb));
    must(agn_tanh(&u, m));
    agn_release(m);
    agn_release(u);
    agn_release(b);
    agn_release(wb); /* everything but y and wa is gone */
    must(agn_gradient(&g, (const T[]){y}, 1, (const T[]){wa}, 1, NULL));
    ok(modes_apart(g, want) < 1e-15,
       "H19: arguments released right after they were used");
    agn_tensor *drop[] = {a, wa, y, g, want};
    for (int i = 0; i < COUNT(drop); i++)
        agn_release(drop[i]);
    agn_fn_release(f);
    agn_fn_release(d);
}

/* a gradient within a compiled function within a gradient */
BODY(penalty)
{
    T g = NULL;
    if (!agn_fn_apply(s, &g, 1, user, in, agn_fn_n_in(user)))
        out[0] = ag_sum_all(s, ag_square(s, g));
    return agn_scope_status(s);
}
static void captured(void)
{
    agn_tensor *a = random_of(AGN_F64, 2, I64(3, 3), -1, 1),
               *b = random_of(AGN_F64, 2, I64(3, 3), -1, 1);
    agn_fn *f = whole_fn(third_order, NULL, 3, 1),
           *g = MADE(agn_fn_grad(&made_, f, NULL, 0)),
           *gp = MADE(agn_fn_compile(&made_, g, NULL)), *p = whole_fn(penalty, g, 3, 1),
           *pp = whole_fn(penalty, gp, 3, 1),
           *d = MADE(agn_fn_grad(&made_, p, I32(0, 1, 2), 3)),
           *dp = MADE(agn_fn_grad(&made_, pp, I32(0, 1, 2), 3)),
           *plan = MADE(agn_fn_compile(&made_, d, NULL)),
           *both = MADE(agn_fn_compile(&made_, dp, NULL));
    const T in[3] = {a, b, b};
    whole_same(dp, in, d, in, 0, 1e-13, "H21: a gradient of a compiled gradient");
    whole_same(plan, in, d, in, 0, 1e-13, "H21: a compiled gradient of a gradient");
    whole_same(both, in, d, in, 0, 1e-13, "H21: compiled within compiled");
    agn_fn *fns[] = {f, g, gp, p, pp, d, dp, plan, both};
    for (int i = 0; i < COUNT(fns); i++)
        agn_fn_release(fns[i]);
    agn_release(a);
    agn_release(b);
}

/* there is no mode to leak from one thread or region into another */
static agn_tensor *shared;
static void *records(void *user)
{
    agn_tensor *w = NULL, *y = NULL, *g = NULL;
    bool *good = user;
    *good = !agn_watch(&w, shared) && !agn_square(&y, w) && agn_is_watched(y) &&
            !agn_gradient(&g, (const T[]){y}, 1, (const T[]){w}, 1, NULL) &&
            peek(g, 0) == 6;
    agn_release(w);
    agn_release(y);
    agn_release(g);
    return NULL;
}
BODY(starts_thread)
{
    pthread_t th;
    (void)s;
    if (pthread_create(&th, NULL, records, user) || pthread_join(th, NULL))
        return AGN_EARG;
    out[0] = in[0];
    return AGN_OK;
}
static void threads(void)
{
    bool good = false;
    shared = scalar_of(AGN_F64, 3);
    agn_fn *f = whole_fn(starts_thread, &good, 1, 1),
           *off = MADE(agn_fn_no_grad(&made_, f));
    agn_tensor *w = watched(shared), *y = NULL;
    must(agn_fn_call(&y, 1, off, AGN_ARGS(w)));
    ok(good && !agn_is_watched(y),
       "H23: a region without gradients is no other thread's business");
    agn_release(y);
    agn_release(w);
    agn_release(shared);
    agn_fn_release(off);
    agn_fn_release(f);
}

int main(void)
{
    int64_t before, blocks;
    must(agn_op_register(&bare)); /* lives as long as the process */
    agn_memory_live(NULL, &before, NULL);
    norms();
    custom();
    no_rule();
    released_early();
    captured();
    threads();
    agn_memory_live(NULL, &blocks, NULL);
    ok(blocks == before, "nothing is left: %" PRId64 " blocks", blocks - before);
    return done();
}
