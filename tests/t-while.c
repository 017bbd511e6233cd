/* t-while - loops that stop by a condition, in every mode against the same steps
   written out under a mask; lanes that stop by themselves; loops that would never end.
   */
#include "tests/control.h"

enum { MOST = 9, ENOUGH = 30 };

/* carried: u, a sum of squares; constant: k */
static agn_status step(void *u, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    (void)u;
    out[0] = ag_add_c(s, ag_sin(s, ag_mul(s, in[0], in[2])), 1);
    out[1] = ag_add(s, in[1], ag_mul(s, out[0], out[0]));
    return AGN_OK;
}
static agn_status small(void *u, agn_scope *s, const agn_tensor *const *in,
                        const agn_tensor **out)
{
    (void)u;
    out[0] = ag_lt(s, in[1], ag_lit(s, 6));
    return AGN_OK;
}
static agn_status always(void *u, agn_scope *s, const agn_tensor *const *in,
                         const agn_tensor **out)
{
    (void)u;
    out[0] = ag_le(s, ag_mul(s, in[0], ag_lit(s, 0)), ag_lit(s, 0));
    return AGN_OK;
}
static agn_status never(void *u, agn_scope *s, const agn_tensor *const *in,
                        const agn_tensor **out)
{
    (void)u;
    out[0] = ag_gt(s, ag_mul(s, in[0], ag_lit(s, 0)), ag_lit(s, 0));
    return AGN_OK;
}

static agn_fn *make(agn_body *cond, agn_body *body, int n_in, int n_out,
                    const agn_while_options *opts)
{
    agn_fn *c = NULL, *b = NULL, *loop = NULL;
    CHECK(agn_fn_new(&c, cond, NULL, NULL, n_in, 1));
    CHECK(agn_fn_new(&b, body, NULL, NULL, n_in, n_out));
    CHECK(agn_fn_while(&loop, c, b, opts));
    agn_fn_release(c);
    agn_fn_release(b);
    return loop;
}

/* f(x, k) of the loop from (x, x/10), with the loop as user */
static agn_status by_loop(void *loop, agn_scope *s, const agn_tensor *const *in,
                          const agn_tensor **out)
{
    const agn_tensor *y[3] = {NULL, NULL, NULL};
    agn_fn_apply(s, y, 3, loop, AGN_ARGS(in[0], ag_mul_c(s, in[0], 0.1), in[1]));
    out[0] = ag_add(s, ag_mul(s, y[0], in[0]), ag_mul_c(s, y[1], 2));
    return AGN_OK;
}
/* the same under a mask; user: how many steps, and whether none is taken */
typedef struct as_written {
    int steps;
    bool none;
} as_written;
static agn_status written_out(void *user, agn_scope *s, const agn_tensor *const *in,
                              const agn_tensor **out)
{
    const agn_tensor *c[3] = {in[0], ag_mul_c(s, in[0], 0.1), in[1]};
    const as_written *w = user;
    for (int i = 0; i < w->steps; i++) {
        const agn_tensor *go = NULL, *next[2] = {NULL, NULL};
        (w->none ? never : small)(NULL, s, c, &go);
        step(NULL, s, c, next);
        for (int k = 0; k < 2; k++)
            c[k] = ag_where(s, go, next[k], c[k]);
    }
    out[0] = ag_add(s, ag_mul(s, c[0], in[0]), ag_mul_c(s, c[1], 2));
    return AGN_OK;
}

static void test_modes(void)
{
    static const agn_while_options opts[] = {
        {.size = sizeof *opts},
        {.size = sizeof *opts, .max_steps = MOST},
        {.size = sizeof *opts, .max_steps = MOST, .keep = 2},
        {.size = sizeof *opts, .keep = AGN_KEEP_LOG},
        {.size = sizeof *opts, .max_steps = MOST}};
    static const char *const name[] = {"while", "bounded while", "while, 2 states",
                                       "while, log states", "while, no steps"};
    agn_tensor *x = num(0.7), *k = num(1.3);
    const agn_tensor *in[2] = {x, k};
    for (int i = 0; i < 5; i++) {
        as_written w = {opts[i].max_steps ? MOST : ENOUGH, i == 4};
        agn_fn *f = NULL, *g = NULL,
               *loop = make(i == 4 ? never : small, step, 3, 2, &opts[i]);
        CHECK(agn_fn_new(&f, by_loop, loop, NULL, 2, 1));
        CHECK(agn_fn_new(&g, written_out, &w, NULL, 2, 1));
        for (int32_t arg = 0; arg < 2; arg++)
            same_in_modes(f, g, in, 2, arg, opts[i].max_steps > 0, name[i]);
        agn_fn_release(f);
        agn_fn_release(g);
        agn_fn_release(loop);
    }
    agn_release(x);
    agn_release(k);
}

/* ---- lanes ----------------------------------------------------------------------- */

static agn_status halve(void *u, agn_scope *s, const agn_tensor *const *in,
                        const agn_tensor **out)
{
    (void)u;
    out[0] = ag_mul_c(s, in[0], 0.5);
    return AGN_OK;
}
static agn_status above_one(void *u, agn_scope *s, const agn_tensor *const *in,
                            const agn_tensor **out)
{
    (void)u;
    out[0] = ag_gt(s, in[0], ag_lit(s, 1));
    return AGN_OK;
}

static agn_status sum_above_one(void *u, agn_scope *s, const agn_tensor *const *in,
                                const agn_tensor **out)
{
    (void)u;
    out[0] = ag_gt(s, ag_sum_all(s, in[0]), ag_lit(s, 1));
    return AGN_OK;
}

static void test_lanes(void)
{
    agn_fn *loop = make(above_one, halve, 1, 1, NULL), *v = NULL, *plan = NULL,
           *vv = NULL;
    agn_fn *capped = make(
        above_one, halve, 1, 1,
        &(agn_while_options){.size = sizeof(agn_while_options), .max_steps = 3});
    const double start[6] = {100, 0.5, 1, 3, 1024, 1.5},
                 end[6] = {0.78125, 0.5, 1, 0.75, 1, 0.75};
    const int64_t steps[6] = {7, 0, 0, 2, 10, 1};
    agn_tensor *x = NULL, *y[2] = {NULL, NULL};
    CHECK(agn_from_host(&x, AGN_F64, 2, (int64_t[]){2, 3}, start));
    CHECK(agn_fn_vmap(&v, loop, NULL, 0, NULL, 0));
    CHECK(agn_fn_vmap(&vv, v, NULL, 0, NULL, 0));
    CHECK(agn_fn_compile(&plan, vv, NULL));
    for (int i = 0; i < 2; i++) {
        double have[6];
        int64_t n[6];
        CHECK(agn_fn_call(y, 2, i ? plan : vv, AGN_ARGS(x)));
        CHECK(agn_to_host(have, y[0], sizeof have));
        CHECK(agn_to_host(n, y[1], sizeof n));
        ok(!memcmp(have, end, sizeof end), "lanes of lanes stop by themselves%s",
           i ? ", in a plan" : "");
        ok(!memcmp(n, steps, sizeof n), "each counts its own steps");
        agn_release(y[0]);
        agn_release(y[1]);
    }
    double have[6];
    const double cut[6] = {12.5, 0.5, 1, 0.75, 128, 0.75};
    agn_fn_release(v);
    CHECK(agn_fn_vmap(&v, capped, NULL, 0, NULL, 0));
    agn_tensor *flat = NULL;
    CHECK(agn_reshape(&flat, x, 1, (int64_t[]){6}));
    CHECK(agn_fn_call(y, 2, v, AGN_ARGS(flat)));
    CHECK(agn_to_host(have, y[0], sizeof have));
    ok(!memcmp(have, cut, sizeof cut), "at most 3 steps in every lane");
    agn_release(y[0]);
    agn_release(y[1]);
    agn_tensor *none = NULL;
    CHECK(agn_zeros(&none, AGN_F64, 1, (int64_t[]){0}));
    CHECK(agn_fn_call(y, 2, v, AGN_ARGS(none)));
    ok(agn_numel(y[0]) == 0 && agn_numel(y[1]) == 0, "no lanes");
    agn_fn *fs[] = {loop, capped, v, vv, plan};
    for (int i = 0; i < 5; i++)
        agn_fn_release(fs[i]);
    agn_tensor *ts[] = {x, flat, none, y[0], y[1]};
    for (int i = 0; i < 5; i++)
        agn_release(ts[i]);
}

/* ---- loops that do not end, and errors ------------------------------------------- */

static int asked;
static bool stop_at_last(void *user)
{
    (void)user;
    return ++asked > 1000;
}

static void fails(const agn_fn *f, const agn_tensor *const *in, agn_status want,
                  const char *word, const char *word2, const char *what)
{
    agn_tensor *y[8] = {NULL};
    agn_status st = agn_fn_call(y, agn_fn_n_out(f), f, in, agn_fn_n_in(f));
    ok(st == want && !y[0] && strstr(agn_error_message(), word) &&
           strstr(agn_error_message(), word2),
       "%s: %d %s", what, (int)st, agn_error_message());
    for (int i = 0; i < 8; i++)
        agn_release(y[i]);
}

static agn_status reads(void *u, agn_scope *s, const agn_tensor *const *in,
                        const agn_tensor **out)
{
    double v;
    (void)u;
    out[0] = in[0];
    return agn_scope_fail(s, agn_item_f64(&v, in[0]));
}
static agn_status itself(void *u, agn_scope *s, const agn_tensor *const *in,
                         const agn_tensor **out)
{
    (void)u, (void)s;
    out[0] = in[0];
    return AGN_OK;
}
static agn_status twice(void *u, agn_scope *s, const agn_tensor *const *in,
                        const agn_tensor **out)
{
    (void)u;
    out[0] = ag_stack(s, (const agn_tensor *[]){in[0], in[0]}, 2, 0);
    return AGN_OK;
}
static agn_status narrowed(void *u, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    (void)u;
    out[0] = ag_cast(s, in[0], AGN_F32);
    return AGN_OK;
}

static void test_errors(void)
{
    agn_tensor *x = num(0.5), *xs = vec(2, (double[]){1, 2});
    const agn_tensor *in[1] = {x};
    agn_hooks hooks = {.size = sizeof hooks, .interrupt = stop_at_last};
    agn_fn *endless = make(always, halve, 1, 1, NULL), *plan = NULL, *grad = NULL,
           *v = NULL;
    CHECK(agn_hooks_set(&hooks));
    fails(endless, in, AGN_ECANCELLED, "while", "stopped at step",
          "an endless loop asks the interrupt hook");
    ok(!strstr(agn_error_message(), "of -1"), "and nobody says of how many steps: %s", agn_error_message());
    CHECK(agn_fn_compile(&plan, endless, NULL));
    asked = 0;
    fails(plan, in, AGN_ECANCELLED, "while", "stopped", "in a plan, too");
    CHECK(agn_fn_vmap(&v, endless, NULL, 0, NULL, 0));
    asked = 0;
    fails(v, (const agn_tensor *[]){xs}, AGN_ECANCELLED, "while", "stopped",
          "and under vmap");
    CHECK(agn_hooks_set(NULL));
    agn_fn_release(plan);
    agn_fn_release(v);

    agn_fn *loop = make(above_one, halve, 1, 1, NULL);
    CHECK(agn_fn_grad(&grad, loop, NULL, 0));
    CHECK(agn_fn_compile(&plan, grad, NULL));
    fails(plan, in, AGN_EUNSUPPORTED, "while: reverse mode", "max_steps",
          "reverse mode in a plan without a bound");
    CHECK(agn_fn_vmap(&v, grad, NULL, 0, NULL, 0));
    fails(v, (const agn_tensor *[]){xs}, AGN_EUNSUPPORTED, "while: reverse mode",
          "max_steps", "and under vmap");
    static const struct {
        agn_body *cond, *body;
        agn_status want;
        const char *word, *word2, *what;
    } bad[] = {
        {reads, halve, AGN_ESYMBOLIC, "item_f64", "cond",
         "a condition that reads a value"},
        {above_one, reads, AGN_ESYMBOLIC, "item_f64", "cond",
         "a body that reads a value"},
        {itself, halve, AGN_EDTYPE, "condition gives f64", "bool",
         "a condition that is no bool"},
        {above_one, narrowed, AGN_EDTYPE, "f64 []", "f32 []",
         "a carried value that changes its dtype"},
        {sum_above_one, twice, AGN_ESHAPE, "f64 []", "[2]",
         "a carried value that changes its shape"},
    };
    agn_tensor *big = num(4);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        agn_fn *f = make(bad[i].cond, bad[i].body, 1, 1, NULL), *p = NULL;
        CHECK(agn_fn_compile(&p, f, NULL));
        fails(p, (const agn_tensor *[]){big}, bad[i].want, bad[i].word, bad[i].word2,
              bad[i].what);
        agn_fn_release(f);
        agn_fn_release(p);
    }
    fails(loop, (const agn_tensor *[]){xs}, AGN_ESHAPE, "condition gives bool [2]",
          "[] is needed", "a condition of two");

    agn_fn *one = NULL, *two = NULL, *out = NULL;
    CHECK(agn_fn_new(&one, halve, NULL, NULL, 1, 1));
    CHECK(agn_fn_new(&two, halve, NULL, NULL, 2, 2));
    ok(agn_fn_while(NULL, one, one, NULL) == AGN_ENULL, "out is NULL");
    ok(agn_fn_while(&out, NULL, one, NULL) == AGN_ENULL, "cond is NULL");
    ok(agn_fn_while(&out, one, NULL, NULL) == AGN_ENULL, "body is NULL");
    ok(agn_fn_while(&out, one, two, NULL) == AGN_EARG &&
           strstr(agn_error_message(), "1 arguments"),
       "other numbers of arguments");
    ok(agn_fn_while(&out, two, two, NULL) == AGN_EARG, "a condition with two results");
    agn_while_options o = {.size = 1};
    ok(agn_fn_while(&out, one, one, &o) == AGN_EARG, "options of another size");
    o = (agn_while_options){.size = sizeof o, .max_steps = -1};
    ok(agn_fn_while(&out, one, one, &o) == AGN_EARG, "a negative bound");
    o = (agn_while_options){.size = sizeof o, .keep = -2};
    ok(agn_fn_while(&out, one, one, &o) == AGN_EARG, "a negative number of states");
    o = (agn_while_options){.size = sizeof o, .keep = 2, .keep_bytes = 100};
    ok(agn_fn_while(&out, one, one, &o) == AGN_EARG && !out, "states and bytes");
    agn_fn *fs[] = {endless, plan, grad, v, loop, one, two};
    for (int i = 0; i < 7; i++)
        agn_fn_release(fs[i]);
    agn_release(x);
    agn_release(xs);
    agn_release(big);
}

int main(void)
{
    test_modes();
    test_lanes();
    test_errors();
    int64_t blocks = 0;
    agn_memory_live(NULL, &blocks, NULL);
    ok(blocks <= 8, "all is released: %lld blocks are alive", (long long)blocks);
    return done();
}
