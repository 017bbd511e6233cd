/* tests/t-plans.c - the plans of a compiled function: found without a lock, by several threads
   at once, while others take their places. */
#include <agnesi/agnesi.h>

#include "tests/tap.h"

#include <dlfcn.h>
#include <pthread.h>

typedef const agn_tensor *T;
#define MUST(call) \
    if (call)      \
    bail_out("%s: %s", #call, agn_error_message())

#if defined(__SANITIZE_THREAD__)
#define WATCHES_LOCKS 0 /* the sanitizer stands where the counting would */
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define WATCHES_LOCKS 0
#endif
#endif
#ifndef WATCHES_LOCKS
#define WATCHES_LOCKS 1
#endif

/* ---- a call takes no lock --------------------------------------------------------------------- */

static _Thread_local int locks; /* workers that go to sleep take theirs */
#if WATCHES_LOCKS
__attribute__((visibility("default"))) int pthread_mutex_lock(pthread_mutex_t *m)
{
    static int (*real)(pthread_mutex_t *);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "pthread_mutex_lock");
    locks++;
    return real(m);
}
#endif

static agn_status body(void *user, agn_scope *s, const T *in, T *out)
{
    (void)user;
    out[0] = ag_sum_all(s, ag_mul(s, ag_tanh(s, in[0]), in[0]));
    return agn_scope_status(s);
}

static agn_fn *compiled(int max_plans)
{
    agn_fn *f = NULL, *c = NULL;
    agn_compile_options o = {.size = sizeof o, .max_plans = max_plans};
    MUST(agn_fn_new(&f, body, NULL, NULL, 1, 1));
    MUST(agn_fn_compile(&c, f, &o));
    agn_fn_release(f);
    return c;
}
static agn_tensor *ones(int64_t n)
{
    agn_tensor *x = NULL;
    MUST(agn_full(&x, AGN_F64, 1, &n, 1));
    return x;
}

static void no_lock(void)
{
    if (!WATCHES_LOCKS) {
        skip("locks are not counted under a sanitizer of threads");
        return;
    }
    agn_fn *f = compiled(0);
    agn_tensor *x[3] = {ones(40), ones(50), ones(600)}, *y = NULL;
    MUST(agn_threads_set(1));
    for (int i = 0; i < 3; i++) {
        MUST(agn_fn_call(&y, 1, f, AGN_ARGS(x[i])));
        agn_release(y);
    }
    MUST(agn_fn_call(&y, 1, f, AGN_ARGS(x[0])));
    int before = locks;
    ok(before > 0, "locks are counted");
    for (int i = 0; i < 300; i++)
        MUST(agn_fn_call_into(&y, 1, f, AGN_ARGS(x[i % 3])));
    is_int(locks - before, 0, "300 calls for three shapes take no lock");
    MUST(agn_threads_set(0));
    agn_release(y);
    for (int i = 0; i < 3; i++)
        agn_release(x[i]);
    agn_fn_release(f);
}

/* ---- more shapes than plans, from several threads ----------------------------------------------- */

enum { THREADS = 4, SHAPES = 5 };

typedef struct shared {
    agn_fn *f;
    agn_tensor *x[SHAPES];
    double want[SHAPES];
    int wrong;
} shared;
typedef struct caller {
    shared *q;
    int first, step;
} caller;

static void *calls(void *user)
{
    const caller *me = user;
    shared *q = me->q;
    for (int i = 0, k = me->first; i < tap_scale(400);
         i++, k = (k + me->step) % SHAPES) {
        agn_tensor *y = NULL;
        double v = 0;
        size_t need;
        char text[16];
        bool good = !agn_fn_call(&y, 1, q->f, AGN_ARGS(q->x[k])) &&
                    !agn_item_f64(&v, y) && fabs(v - q->want[k]) < 1e-9 &&
                    !agn_plan_explain(text, 16, &need, q->f);
        __atomic_fetch_add(&q->wrong, !good, __ATOMIC_SEQ_CST);
        agn_release(y);
    }
    return NULL;
}

static void many_threads(int max_plans)
{
    int64_t before, between, after;
    agn_memory_live(NULL, &before, NULL);
    shared q = {.f = compiled(max_plans)};
    pthread_t t[THREADS];
    caller c[THREADS];
    for (int i = 0; i < SHAPES; i++) {
        q.x[i] = ones(10 + i);
        q.want[i] = (10 + i) * tanh(1);
    }
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < THREADS; i++) {
            c[i] = (caller){&q, i, i % 2};
            pthread_create(&t[i], NULL, calls, &c[i]);
        }
        for (int i = 0; i < THREADS; i++)
            pthread_join(t[i], NULL);
        for (int i = 0; i < 2 * SHAPES;
             i++) { /* now alone: what was replaced is freed */
            agn_tensor *y = NULL;
            MUST(agn_fn_call(&y, 1, q.f, AGN_ARGS(q.x[i % SHAPES])));
            agn_release(y);
        }
        agn_memory_live(NULL, round ? &after : &between, NULL);
    }
    is_int(q.wrong, 0, "%d threads, %d shapes and %d plans: no call is wrong", THREADS,
           SHAPES, max_plans);
    if (max_plans < SHAPES) /* else work space of several threads stays with a plan */
        ok(after == between, "and no plan stays alive: %lld blocks, then %lld",
           (long long)between, (long long)after);
    for (int i = 0; i < SHAPES; i++)
        agn_release(q.x[i]);
    agn_fn_release(q.f);
    agn_memory_live(NULL, &after, NULL);
    ok(after <= before, "all is released");
}

int main(void)
{
    no_lock();
    many_threads(1);
    many_threads(3);
    many_threads(16);
    return done();
}
