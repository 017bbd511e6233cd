/* tests/t-chain.c - long chains of recorded ops: a gradient goes back through them and a release
   frees them on a small stack, whatever their number. AGNESI_TEST_LONG: ten million nodes. */
#include "deriv.h"
#include <pthread.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct job {
    int n;
    bool good;
} job;

/* x + 1 a number of times, beginning with 2: slope 1, or 2 where the chain meets its beginning */
static void *chain(void *user)
{
    job *q = user;
    agn_tensor *x = scalar(2), *w = NULL, *y = NULL, *g = NULL;
    double t = now();
    bool good = !agn_watch(&w, x);
    y = agn_retain(w);
    for (int i = 0; good && i < q->n; i++) {
        agn_tensor *z = NULL;
        good = !(i == q->n / 2 ? agn_add(&z, y, w) : agn_add_c(&z, y, 1));
        agn_release(y);
        y = z;
    }
    double recorded = now() - t;
    t = now();
    const agn_tensor *from[] = {y}, *to[] = {w};
    good = good && !agn_gradient(&g, from, 1, to, 1, NULL);
    double back = now() - t;
    good = good && number(g) == 2 && number(y) == 2 + (q->n - 1) + 2;
    agn_release(g);
    agn_release(w);
    agn_release(x);
    t = now();
    agn_release(y); /* the last that holds the chain */
    double released = now() - t, per = 1e9 / q->n;
    diag("%d nodes, ns for each: recorded %.0f, back %.0f, released %.0f", q->n, recorded * per,
         back * per, released * per);
    q->good = good;
    if (!good)
        diag("%s", agn_error_message());
    return NULL;
}

/* the gradient of a function with so many ops: gathered, walked and thrown away */
static agn_status many(void *user, agn_scope *s, const T *in, T *out)
{
    T y = in[0];
    for (int i = 0; i < *(int *)user; i++)
        y = ag_sin(s, y);
    out[0] = y;
    return agn_scope_status(s);
}
static void *function(void *user)
{
    job *q = user;
    agn_fn *f = NULL, *df = NULL;
    agn_tensor *x = scalar(0), *g = NULL;
    q->good = !agn_fn_new(&f, many, &q->n, NULL, 1, 1) && !agn_fn_grad(&df, f, NULL, 1) &&
              !agn_fn_call(&g, 1, df, AGN_ARGS(x)) && number(g) == 1;
    if (!q->good)
        diag("%s", agn_error_message());
    agn_release(g);
    agn_release(x);
    agn_fn_release(df);
    agn_fn_release(f);
    return NULL;
}

static bool on_small_stack(void *(*f)(void *), job *q)
{
    enum { STACK = 256 << 10 };
    pthread_attr_t at;
    pthread_t thread;
    pthread_attr_init(&at);
    pthread_attr_setstacksize(&at, STACK);
    bool ran = !pthread_create(&thread, &at, f, q) && !pthread_join(thread, NULL);
    pthread_attr_destroy(&at);
    return ran && q->good;
}

int main(void)
{
    job one = {tap_long(200000, 10000000), false}, two = {tap_long(100000, 1000000), false};
    ok(on_small_stack(chain, &one), "a chain of %d nodes: gradient, release", one.n);
    ok(on_small_stack(function, &two), "a function of %d ops: gradient", two.n);
    return done();
}
