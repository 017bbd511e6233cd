/* t-depth - functions within functions within functions: equal branches are traced once, tracing
   asks the interrupt hook, loops nest beyond the largest rank, and what is too deep is refused,
   not run out of stack. */
#include "tests/control.h"

#include <stdatomic.h>

typedef const agn_tensor *T;

static agn_status apply_inner(void *f, agn_scope *s, const T *in, T *out)
{
    return agn_fn_apply(s, out, agn_fn_n_out(f), f, in, agn_fn_n_in(f));
}
static void release_inner(void *f)
{
    agn_fn_release(f);
}
/* out = a function that applies f; takes f over */
static agn_fn *wrapped(agn_fn *f, int n_in)
{
    agn_fn *g = NULL;
    CHECK(agn_fn_new(&g, apply_inner, f, release_inner, n_in, 1));
    return g;
}

static atomic_int ran;
static agn_status sine(void *u, agn_scope *s, const T *in, T *out)
{
    (void)u;
    atomic_fetch_add(&ran, 1);
    out[0] = ag_mul_c(s, ag_sin(s, in[0]), 1.1);
    return AGN_OK;
}
static double number_at(const agn_fn *f, const T *in)
{
    agn_tensor *y = NULL;
    double v = 0;
    CHECK(agn_fn_call(&y, 1, f, in, agn_fn_n_in(f)));
    CHECK(agn_item_f64(&v, y));
    agn_release(y);
    return v;
}

/* ---- branches -------------------------------------------------------------------------------- */

enum { DEEP = 40 };

static void test_equal_branches(void)
{
    agn_fn *f = NULL, *g = NULL, *d = NULL;
    CHECK(agn_fn_new(&f, sine, NULL, NULL, 1, 1));
    T in[DEEP + 1];
    agn_tensor *x = num(0.7), *p = NULL;
    CHECK(agn_full(&p, AGN_BOOL, 0, NULL, 1));
    for (int k = 0; k < DEEP; k++) {
        in[k] = p;
        CHECK(agn_fn_cond(&g, f, f));
        agn_fn_release(f);
        f = g;
    }
    in[DEEP] = x;
    atomic_store(&ran, 0);
    double v = number_at(f, in);
    ok(fabs(v - 1.1 * sin(0.7)) < 1e-15 && atomic_load(&ran) <= DEEP + 1,
       "cond(f, f) %d deep: f runs %d times", DEEP, atomic_load(&ran));
    atomic_store(&ran, 0);
    CHECK(agn_fn_grad(&d, f, (int32_t[]){DEEP}, 1));
    v = number_at(d, in);
    ok(fabs(v - 1.1 * cos(0.7)) < 1e-15 && atomic_load(&ran) <= DEEP + 1,
       "its gradient: f runs %d times", atomic_load(&ran));
    agn_tensor *y = NULL;
    in[0] = x;
    agn_status st = agn_fn_call(&y, 1, f, in, DEEP + 1);
    ok(st == AGN_EDTYPE && !y, "a choice that is no bool is refused there, too");
    agn_fn_release(f);
    agn_fn_release(d);
    agn_release(x);
    agn_release(p);
}

typedef struct host {
    atomic_int asked;
    int most;
} host;
static bool interrupt(void *user)
{
    host *h = user;
    return atomic_fetch_add(&h->asked, 1) >= h->most;
}

/* different branches over the same function: 2^DEEP traces, which the hook ends */
static void test_interrupt(void)
{
    agn_fn *f = NULL, *g = NULL;
    CHECK(agn_fn_new(&f, sine, NULL, NULL, 1, 1));
    T in[DEEP + 1];
    agn_tensor *x = num(0.7), *p = NULL, *y = NULL;
    CHECK(agn_full(&p, AGN_BOOL, 0, NULL, 1));
    for (int k = 0; k < DEEP; k++) {
        agn_fn *a = wrapped(agn_fn_retain(f), k + 1), *b = wrapped(f, k + 1);
        in[k] = p;
        CHECK(agn_fn_cond(&g, a, b));
        agn_fn_release(a);
        agn_fn_release(b);
        f = g;
    }
    in[DEEP] = x;
    host h = {.most = 300};
    atomic_init(&h.asked, 0);
    CHECK(agn_hooks_set(&(agn_hooks){.size = sizeof(agn_hooks), .user = &h, .interrupt = interrupt}));
    atomic_store(&ran, 0);
    agn_status st = agn_fn_call(&y, 1, f, in, DEEP + 1);
    CHECK(agn_hooks_set(NULL));
    ok(st == AGN_ECANCELLED && !y && strstr(agn_error_message(), "cond"),
       "tracing %d nested conditionals asks the hook: %s", DEEP, agn_error_message());
    ok(atomic_load(&ran) <= 2 * h.most, "and stops: f ran %d times", atomic_load(&ran));
    agn_fn_release(f);
    agn_release(x);
    agn_release(p);
}

/* ---- loops ----------------------------------------------------------------------------------- */

/* loops of one step around the sine, and a few of two */
static void test_scans(int depth)
{
    agn_fn *f = NULL, *g = NULL, *d = NULL;
    agn_tensor *x = num(0.7);
    CHECK(agn_fn_new(&f, sine, NULL, NULL, 1, 1));
    int times = 1;
    for (int k = 0; k < depth; k++) {
        int64_t steps = k % 30 == 3 ? 2 : 1;
        times *= (int)steps;
        CHECK(agn_fn_scan(&g, f, 1, 0, steps, false));
        agn_fn_release(f);
        f = g;
    }
    double want = 1, v = 0.7;
    for (int k = 0; k < times; k++) {
        want *= 1.1 * cos(v);
        v = 1.1 * sin(v);
    }
    CHECK(agn_fn_grad(&d, f, NULL, 0));
    agn_tensor *y = NULL;
    double have = 0;
    agn_status st = agn_fn_call(&y, 1, d, AGN_ARGS(x));
    if (!st)
        st = agn_item_f64(&have, y);
    ok(!st && fabs(have - want) < 1e-14, "gradient of %d nested scans: %.17g, expected %.17g %s", depth,
       have, want, st ? agn_error_message() : "");
    agn_release(y);
    agn_fn_release(d);
    agn_fn_release(f);
    agn_release(x);
}

/* ---- transforms ------------------------------------------------------------------------------ */

static agn_fn *nested_checkpoints(int depth)
{
    agn_fn *f = NULL, *g = NULL;
    CHECK(agn_fn_new(&f, sine, NULL, NULL, 1, 1));
    for (int k = 0; k < depth; k++) {
        CHECK(agn_fn_checkpoint(&g, f));
        agn_fn_release(f);
        f = g;
    }
    return f;
}

static void test_transforms(void)
{
    agn_tensor *x = num(0.7), *y = NULL;
    agn_fn *f = nested_checkpoints(300000), *d = NULL;
    agn_status st = agn_fn_call(&y, 1, f, AGN_ARGS(x));
    ok(st == AGN_EUNSUPPORTED && !y && strstr(agn_error_message(), "within each other"),
       "300000 nested transforms are refused: %s", agn_error_message());
    CHECK(agn_fn_grad(&d, f, NULL, 0));
    ok(agn_fn_call(&y, 1, d, AGN_ARGS(x)) == AGN_EUNSUPPORTED && !y, "and so is their gradient");
    agn_fn_release(d);
    agn_fn_release(f);
    ok(true, "they are released");
    f = nested_checkpoints(900);
    CHECK(agn_fn_grad(&d, f, NULL, 0));
    double have = number_at(d, (T[]){x});
    ok(fabs(have - 1.1 * cos(0.7)) < 1e-15, "the gradient of 900 nested checkpoints");
    agn_fn_release(d);
    agn_fn_release(f);
    have = number_at(f = nested_checkpoints(1), (T[]){x});
    ok(fabs(have - 1.1 * sin(0.7)) < 1e-15, "after a refusal functions run as before");
    agn_fn_release(f);
    agn_release(x);
}

int main(void)
{
    test_equal_branches();
    test_interrupt();
    test_scans(5);
    test_scans(40);
    test_scans(100);
    test_transforms();
    int64_t blocks = 0;
    agn_memory_live(NULL, &blocks, NULL);
    ok(blocks <= 8, "all is released: %lld blocks are alive", (long long)blocks);
    return done();
}
