/* t-cancel - the host's hooks while a plan runs: progress goes up to 1, a call is cancelled
   before any step and in the middle of a region, by the hook or by another thread, with one
   to eight threads; nothing leaks, no result is written, and the next call has the bits of an
   undisturbed one. */
#include "nets.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

typedef const agn_tensor *const *args;
enum { ROWS = 20000 };

static agn_fn *f;
static agn_tensor *in[NET_ARGS], *want[NET_OUT];

typedef struct host {
    atomic_int asked, left; /* left: times to go on; negative: for ever */
    atomic_bool stop;
    double last;
    int told;
    bool monotone;
} host;

static bool interrupt(void *user)
{
    host *h = user;
    atomic_fetch_add(&h->asked, 1);
    return atomic_load(&h->stop) ||
           (atomic_load(&h->left) >= 0 && atomic_fetch_sub(&h->left, 1) <= 0);
}
static void progress(void *user, const char *what, double done)
{
    host *h = user;
    if (strcmp(what, "call") != 0)
        return;
    h->monotone = h->monotone && done >= h->last && done <= 1;
    h->last = done;
    h->told++;
}
static void install(host *h, int left)
{
    memset(h, 0, sizeof *h);
    h->monotone = true;
    atomic_store(&h->left, left);
    must(agn_hooks_set(&(agn_hooks){.size = sizeof(agn_hooks),
                                    .user = h,
                                    .interrupt = interrupt,
                                    .progress = progress}));
}

static bool undisturbed(void)
{
    agn_tensor *have[NET_OUT] = {NULL};
    must(agn_hooks_set(NULL));
    must(agn_fn_call(have, NET_OUT, f, (args)in, agn_fn_n_in(f)));
    bool same = net_same_bits(want, have, NET_OUT);
    net_drop(have, NET_OUT);
    return same;
}

/* ---- by the hook: at every place where it is asked -------------------------------------- */

static void test_everywhere(int threads)
{
    host h;
    agn_tensor *y[NET_OUT] = {NULL};
    int steps = 0;
    install(&h, 0);
    agn_status early = agn_fn_call(y, NET_OUT, f, (args)in, agn_fn_n_in(f));
    const char *of = strstr(agn_error_message(), "step 0 of ");
    if (early == AGN_ECANCELLED && of)
        steps = atoi(of + strlen("step 0 of "));
    install(&h, -1);
    must(agn_fn_call(y, NET_OUT, f, (args)in, agn_fn_n_in(f)));
    net_drop(y, NET_OUT);
    int places = atomic_load(&h.asked), wrong = 0;
    ok(steps > 0 && h.monotone && h.last == 1 && h.told > steps,
       "%d threads: progress goes up to 1 in %d notes, for %d steps", threads, h.told, steps);
    int64_t before, after, blocks, blocks_after;
    agn_memory_live(&before, &blocks, NULL);
    for (int k = 0; k < places; k++) {
        install(&h, k);
        agn_status st = agn_fn_call(y, NET_OUT, f, (args)in, agn_fn_n_in(f));
        /* with several threads the hook is asked a little more or less often */
        bool cancelled = st == AGN_ECANCELLED && !y[0] &&
                         strstr(agn_error_message(), "cancelled");
        wrong += !cancelled && (st || threads == 1);
        net_drop(y, NET_OUT);
        wrong += !undisturbed();
    }
    agn_memory_live(&after, &blocks_after, NULL);
    is_int(wrong, 0, "%d threads: cancelled at each of %d places", threads, places);
    ok(after == before && blocks == blocks_after, "%d threads: nothing is left behind",
       threads);
}

/* ---- by another thread -------------------------------------------------------------------- */

static void *stop_soon(void *user)
{
    host *h = user;
    while (atomic_load(&h->asked) < 3) /* the call has begun */
        nanosleep(&(struct timespec){0, 20000}, NULL);
    atomic_store(&h->stop, true);
    return NULL;
}

static void test_other_thread(int threads)
{
    int cancelled = 0, wrong = 0;
    for (int rep = 0; rep < tap_scale(8); rep++) {
        host h;
        pthread_t other;
        agn_status st = AGN_OK;
        install(&h, -1);
        if (pthread_create(&other, NULL, stop_soon, &h))
            bail_out("no thread");
        while (!st) { /* a host's loop, until somebody stops it */
            agn_tensor *y[NET_OUT] = {NULL};
            st = agn_fn_call(y, agn_fn_n_out(f), f, (args)in, agn_fn_n_in(f));
            net_drop(y, NET_OUT);
        }
        pthread_join(other, NULL);
        cancelled += st == AGN_ECANCELLED;
        wrong += !undisturbed();
    }
    ok(cancelled == tap_scale(8) && wrong == 0,
       "%d threads: cancelled from another thread", threads);
}

/* ---- into given memory, and while it is profiled -------------------------------------------- */

static void test_other_calls(void)
{
    host h;
    agn_tensor *y[NET_OUT] = {NULL};
    char text[16];
    must(agn_fn_call(y, NET_OUT, f, (args)in, agn_fn_n_in(f)));
    install(&h, 2);
    is_int(agn_fn_call_into(y, NET_OUT, f, (args)in, agn_fn_n_in(f)), AGN_ECANCELLED,
           "a call into given memory");
    install(&h, 2);
    is_int(agn_plan_profile(text, sizeof text, NULL, f, (args)in, agn_fn_n_in(f), 3), AGN_ECANCELLED,
           "a profile");
    ok(undisturbed(), "both leave the plan as it was");
    net_drop(y, NET_OUT);
}

int main(void)
{
    static const int threads[] = {1, 2, 3, 4, 8};
    int32_t before = agn_threads();
    agn_fn *g = net_steps();
    must(agn_fn_compile(&f, g, NULL));
    net_arguments(in, ROWS, AGN_F64);
    must(agn_threads_set(8));
    must(agn_fn_call(want, agn_fn_n_out(f), f, (args)in, agn_fn_n_in(f)));
    for (int t = 0; t < COUNT(threads); t++) {
        must(agn_threads_set(threads[t]));
        test_everywhere(threads[t]);
        test_other_thread(threads[t]);
    }
    test_other_calls();
    must(agn_threads_set(before));
    net_drop(want, NET_OUT);
    net_drop(in, NET_ARGS);
    agn_fn_release(f);
    agn_fn_release(g);
    return done();
}
