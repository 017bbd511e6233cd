/* The thread pool: every item once, whatever the number of threads, nesting, forks and
   other threads of the host. Clean under the thread sanitizer. */
#include "tests/tap.h"
#include "core/core.h"
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if defined(__SANITIZE_THREAD__)
#define TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TSAN 1
#endif
#endif
#ifndef TSAN
#define TSAN 0
#endif

/* Stands in for a host's OpenMP run-time. */
static atomic_bool in_openmp;
int omp_in_parallel(void);
int omp_in_parallel(void)
{
    return in_openmp;
}

typedef struct squares {
    int64_t *out;
    int times; /* work per item */
    _Atomic int64_t worker_out_of_range;
    atomic_int workers[1024];
} squares;

static void square(void *user, int64_t i, int worker)
{
    squares *s = user;
    volatile int64_t x = 0;
    for (int k = 0; k < s->times; k++)
        x += k;
    (void)x;
    s->out[i] += i * i;
    if (worker < 0 || worker >= agn_threads())
        s->worker_out_of_range++;
    else
        atomic_fetch_add_explicit(&s->workers[worker], 1, memory_order_relaxed);
}

static int workers_used(const squares *s)
{
    int n = 0;
    for (int i = 0; i < 1024; i++)
        n += atomic_load(&s->workers[i]) > 0;
    return n;
}

/* Each item exactly once. */
static bool squares_right(squares *s, int64_t n)
{
    bool right = s->worker_out_of_range == 0;
    for (int64_t i = 0; i < n; i++)
        right = right && s->out[i] == i * i;
    return right;
}

static bool run_squares(int64_t n, int times, int *used)
{
    static squares zero;
    squares *s = malloc(sizeof *s);
    memcpy(s, &zero, sizeof *s);
    s->times = times;
    s->out = calloc((size_t)n + 1, sizeof *s->out);
    agni_parallel_for(n, square, s);
    bool right = squares_right(s, n);
    if (used)
        *used = workers_used(s);
    free(s->out);
    free(s);
    return right;
}

static void test_counts(void)
{
    static const int64_t sizes[] = {0, 1, 2, 3, 7, 64, 1000, 10007};
    int used = 0;
    for (int t = 1; t <= 16; t++) {
        bool right = agn_threads_set(t) == AGN_OK && agn_threads() == t;
        for (int i = 0; i < AGNI_COUNT(sizes); i++)
            right = right && run_squares(sizes[i], 0, NULL);
        ok(right, "%d threads: each item exactly once", t);
    }
    ok(agn_threads_set(4) == AGN_OK && run_squares(64, 100000, &used), "larger items");
    diag("%d of 4 threads took part", used);
    ok(used >= 1 && used <= 4, "no more threads than asked for");
    ok(agn_threads_set(2) == AGN_OK && run_squares(64, 100000, &used) && used <= 2,
       "a smaller number leaves the other workers out");
    ok(agn_threads_set(1) == AGN_OK && run_squares(64, 10, &used) && used == 1,
       "one thread");
    is_int(agni_parallel_width(), 1, "width of one thread");
}

static void test_settings(void)
{
    is_int(agn_threads_set(3), AGN_OK, "threads_set");
    is_int(agn_threads_set(-1), AGN_EARG, "negative");
    is_int(agn_threads_set(1025), AGN_EARG, "too many: %s", agn_error_message());
    is_int(agn_threads(), 3, "errors change nothing");
    is_int(agni_parallel_width(), 3, "width");
    is_int(agn_threads_set(0), AGN_OK, "the default");
    ok(agn_threads() >= 1 && agn_threads() <= 1024, "%d CPUs", (int)agn_threads());
}

static _Atomic int64_t inner_sum;
static atomic_int inner_width;

static void add_item(void *user, int64_t i, int worker)
{
    (void)user;
    if (worker == 0)
        inner_sum += i;
}

static void nest(void *user, int64_t i, int worker)
{
    (void)user, (void)i, (void)worker;
    inner_width += agni_parallel_width();
    agni_parallel_for(10, add_item, NULL);
}

static void test_nested(void)
{
    is_int(agn_threads_set(4), AGN_OK, "4 threads");
    agni_parallel_for(100, nest, NULL);
    is_int(inner_sum, 4500, "a region within a region runs, as worker 0");
    is_int(inner_width, 100, "its width is 1");
}

static void *host_thread(void *failed)
{
    for (int i = 0; i < tap_scale(2000); i++) {
        if (!run_squares(1 + i % 50, 20, NULL))
            (*(atomic_int *)failed)++;
    }
    return NULL;
}

static void test_two_hosts(void)
{
    is_int(agn_threads_set(3), AGN_OK, "3 threads");
    atomic_int failed = 0;
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, host_thread, &failed);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    is_int(failed, 0, "three host threads at once");
}

static void tiny(void *user, int64_t i, int worker)
{
    (void)i, (void)worker;
    atomic_fetch_add_explicit((_Atomic int64_t *)user, 1, memory_order_relaxed);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void test_tiny(void)
{
    _Atomic int64_t sum = 0;
    is_int(agn_threads_set(4), AGN_OK, "4 threads");
    int regions = tap_scale(10000);
    double t = now();
    for (int i = 0; i < regions; i++)
        agni_parallel_for(4, tiny, &sum);
    diag("%.2f us for a region of 4 empty items", (now() - t) / regions * 1e6);
    is_int(sum, 4 * regions, "%d tiny regions", regions);
    sum = 0;
    struct timespec pause = {0, 100000};
    for (int i = 0; i < 200; i++) {
        nanosleep(&pause, NULL); /* let the workers fall asleep */
        agni_parallel_for(4, tiny, &sum);
    }
    is_int(sum, 800, "regions after a pause");
}

static void test_openmp(void)
{
    in_openmp = true;
    int used;
    is_int(agni_parallel_width(), 1, "width within the host's OpenMP region");
    ok(run_squares(100, 1000, &used) && used == 1, "which runs serially");
    in_openmp = false;
}

/* 100 regions; no allocation, for a sanitizer's allocator may be locked in a forked
 * child. */
static bool many_regions(void)
{
    _Atomic int64_t sum = 0;
    for (int i = 0; i < 100; i++)
        agni_parallel_for(100, tiny, &sum);
    return sum == 10000;
}

static bool fork_and_work(void)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        _exit(many_regions() ? 0 : 1);
    int status = -1;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static atomic_bool forks_over;

static void *work_on(void *failed)
{
    while (!forks_over) {
        if (!many_regions())
            (*(atomic_int *)failed)++;
    }
    return NULL;
}

static void test_fork(void)
{
    if (TSAN) {
        skip("the thread sanitizer forbids threads in a forked child");
        return;
    }
    ok(fork_and_work(), "a forked child goes on with threads of its own");
    ok(many_regions(), "and so does the parent");
    pthread_t t;
    atomic_int failed = 0;
    pthread_create(&t, NULL, work_on, &failed);
    bool all = true;
    for (int i = 0; i < tap_scale(100); i++)
        all = fork_and_work() && all;
    forks_over = true;
    pthread_join(t, NULL);
    ok(all && failed == 0, "a fork while another thread is in a region");
}

static pthread_t main_thread;
static atomic_int on_main, elsewhere;

static void note_thread(int sig)
{
    (void)sig;
    if (pthread_equal(pthread_self(), main_thread))
        on_main++;
    else
        elsewhere++;
}

static void test_signals(void)
{
    main_thread = pthread_self();
    struct sigaction act = {.sa_handler = note_thread}, old;
    sigaction(SIGUSR1, &act, &old);
    for (int i = 0; i < 50; i++) {
        kill(getpid(), SIGUSR1);
        run_squares(16, 1000, NULL);
    }
    sigaction(SIGUSR1, &old, NULL);
    is_int(elsewhere, 0, "no worker takes a signal of the host");
    ok(on_main > 0, "the host does");
}

static bool hook_called;

static bool never_here(void *user)
{
    (void)user;
    if (!pthread_equal(pthread_self(), main_thread))
        hook_called = true;
    return false;
}

static void ask_hook(void *user, int64_t i, int worker)
{
    (void)user, (void)i, (void)worker;
    agni_check_interrupt();
}

static void test_hooks_on_workers(void)
{
    agn_hooks h = {.size = sizeof h, .interrupt = never_here};
    is_int(agn_hooks_set(&h), AGN_OK, "hooks_set");
    for (int i = 0; i < 100; i++)
        agni_parallel_for(64, ask_hook, NULL);
    ok(!hook_called, "hooks are called on the thread that entered, only");
    is_int(agn_hooks_set(NULL), AGN_OK, "hooks removed");
}

/* the CPUs that the calling thread may use, as the system tells them */
static void allowed_cpus(char *line, int size)
{
    FILE *f = fopen("/proc/thread-self/status", "r");
    *line = '\0';
    while (f && fgets(line, size, f) && strncmp(line, "Cpus_allowed:", 13))
        ;
    if (f)
        fclose(f);
}

typedef struct allowances {
    char of_caller[1024];
    atomic_int others;
} allowances;

static void compare_allowed(void *user, int64_t i, int worker)
{
    allowances *a = user;
    char mine[1024];
    (void)i, (void)worker;
    allowed_cpus(mine, sizeof mine);
    atomic_fetch_add(&a->others, strcmp(mine, a->of_caller) != 0);
}

/* workers that are woken again and again, some on the CPU of their caller, from which they step aside */
static void test_places(void)
{
    static allowances a;
    allowed_cpus(a.of_caller, sizeof a.of_caller);
    for (int n = 2; n <= 3; n++) {
        is_int(agn_threads_set(n), AGN_OK, "%d threads", n);
        for (int i = 0; i < 300; i++) {
            agni_parallel_for(6, compare_allowed, &a);
            usleep((useconds_t)(i % 5 * 40));
        }
    }
    is_int(a.others, 0, "workers may use the CPUs that their caller may");
    is_int(agn_threads_set(0), AGN_OK, "threads as before");
}

static int64_t count_threads(void)
{
    int64_t n = -1;
    char line[128];
    FILE *f = fopen("/proc/self/status", "r");
    while (f && fgets(line, sizeof line, f)) {
        if (!strncmp(line, "Threads:", 8))
            n = atoll(line + 8);
    }
    if (f)
        fclose(f);
    return n;
}

/* In a process of its own, before the first use. */
static int threads_if_set(const char *text)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        setenv("AGNESI_THREADS", text, 1);
        _exit(agn_threads() & 127);
    }
    int status = -1;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void test_environment(void)
{
    int cpus = threads_if_set("");
    ok(cpus >= 0, "%d CPUs", cpus);
    is_int(threads_if_set("5"), 5, "AGNESI_THREADS=5");
    static const char *const bad[] = {
        "0", "x", "3x", "-1", "1025", "1e2", "99999999999999999999"};
    for (int i = 0; i < AGNI_COUNT(bad); i++)
        is_int(threads_if_set(bad[i]), cpus, "AGNESI_THREADS=%s", bad[i]);
}

int main(void)
{
    test_environment();
    int64_t at_start = count_threads();
    test_settings();
    if (at_start > 0 && !TSAN)
        is_int(count_threads(), at_start, "no thread before the first region");
    else
        skip("the number of threads cannot be seen here");
    test_counts();
    test_nested();
    test_two_hosts();
    test_tiny();
    test_openmp();
    test_signals();
    test_hooks_on_workers();
    test_places();
    test_fork();
    return done();
}
