/* core/threads/thread_pool.c - the thread pool behind agni_parallel_for.

   One region runs at a time; a second host thread that comes while one runs does its
   work alone. The items of a region are cut into one contiguous lane per thread, so
   that a thread meets the same data again in the next region; a thread whose lane is
   empty steals from the others. Workers enter and leave a region through a gate. The
   caller closes it when no item is left and waits only for those inside: a worker that
   wakes late delays nobody. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "core/thread_record.h"
#include "core/threads/fpmode.h"
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <time.h>

enum {
    MAX_WORKERS = 1024, /* the caller is worker 0 */
    CLOSED = 1 << 30,   /* bit of the gate; below it the number of workers inside */
    WORKER_SPIN_NS = 20000,
    CALLER_SPIN_NS = 50000
};

typedef struct lane {
    _Alignas(64) _Atomic int64_t next;
    int64_t end;
} lane;

static struct {
    /* the region: written while the gate is closed and nobody is inside */
    agni_job *job;
    void *user;
    int width;
    int cpu; /* where the caller runs; -1: not known */
    uint64_t fpmode;

    _Alignas(64) atomic_int gate;
    atomic_uint generation; /* number of the region */
    atomic_int sleepers;
    atomic_bool caller_sleeps;
    atomic_bool stop;
    atomic_bool spin; /* the region has a CPU for each thread: waiting may burn time */
    pthread_mutex_t lock;
    pthread_cond_t wake, done;

    _Alignas(64) atomic_bool busy; /* guards what follows, and the right to a region */
    int n_workers, most_workers, n_cpus;
    pthread_t worker[MAX_WORKERS];
} pool = {.gate = CLOSED,
          .lock = PTHREAD_MUTEX_INITIALIZER,
          .wake = PTHREAD_COND_INITIALIZER,
          .done = PTHREAD_COND_INITIALIZER,
          .n_workers = 1,
          .most_workers = MAX_WORKERS};
static lane lanes[MAX_WORKERS];
static pthread_once_t fork_once = PTHREAD_ONCE_INIT;

AGNI_TLS_WORD bool inside_region;

/* Defined where the host's OpenMP run-time is linked in, else NULL. */
extern int omp_in_parallel(void) __attribute__((weak));


/* ---- waiting -------------------------------------------------------------------- */

int64_t agni_now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static inline void cpu_relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static bool is_region_new(unsigned seen)
{
    return atomic_load(&pool.generation) != seen || atomic_load(&pool.stop);
}

static bool have_all_left(unsigned unused)
{
    (void)unused;
    return atomic_load(&pool.gate) == CLOSED;
}

/* true as soon as ready(arg); false when the time is over */
static bool spin_until(bool (*ready)(unsigned), unsigned arg, int64_t ns)
{
    if (ready(arg))
        return true;
    if (!atomic_load_explicit(&pool.spin, memory_order_relaxed))
        return false;
    for (int64_t end = agni_now_ns() + ns; agni_now_ns() < end;) {
        for (int i = 0; i < 16; i++) {
            if (ready(arg))
                return true;
            cpu_relax();
        }
    }
    return false;
}

/* Whoever sleeps says so before the last look, whoever wakes looks for sleepers after
   the change: with sequentially consistent order one of the two sees the other. */
static void wait_for_region(unsigned seen)
{
    if (spin_until(is_region_new, seen, WORKER_SPIN_NS))
        return;
    pthread_mutex_lock(&pool.lock);
    atomic_fetch_add(&pool.sleepers, 1);
    while (!is_region_new(seen))
        pthread_cond_wait(&pool.wake, &pool.lock);
    atomic_fetch_sub(&pool.sleepers, 1);
    pthread_mutex_unlock(&pool.lock);
}

static void wait_for_workers(void)
{
    if (spin_until(have_all_left, 0, CALLER_SPIN_NS))
        return;
    pthread_mutex_lock(&pool.lock);
    atomic_store(&pool.caller_sleeps, true);
    while (!have_all_left(0))
        pthread_cond_wait(&pool.done, &pool.lock);
    atomic_store(&pool.caller_sleeps, false);
    pthread_mutex_unlock(&pool.lock);
}

static void announce_region(void)
{
    atomic_fetch_add(&pool.generation, 1);
    if (atomic_load(&pool.sleepers) == 0)
        return;
    pthread_mutex_lock(&pool.lock);
    pthread_cond_broadcast(&pool.wake);
    pthread_mutex_unlock(&pool.lock);
}

static bool enter_gate(void)
{
    return !(atomic_fetch_add(&pool.gate, 1) & CLOSED);
}

static void leave_gate(void)
{
    if (atomic_fetch_sub(&pool.gate, 1) != CLOSED + 1 ||
        !atomic_load(&pool.caller_sleeps))
        return;
    pthread_mutex_lock(&pool.lock);
    pthread_cond_signal(&pool.done);
    pthread_mutex_unlock(&pool.lock);
}

/* ---- affinity ------------------------------------------------------------------ */

/* A worker that the system wakes on the CPU of its caller shares that CPU with it, and while each
   of them sleeps now and then the load balancer does not separate them: seen with two CPUs, where
   all regions of a loop then took twice their time. The worker moves off that CPU once; from then
   on the system wakes it where it ran last. */
#if defined(__linux__)
static int current_cpu(void)
{
    return sched_getcpu();
}

static void move_off_cpu(int from)
{
    cpu_set_t allowed, others;
    if (from < 0 || sched_getcpu() != from ||
        pthread_getaffinity_np(pthread_self(), sizeof allowed, &allowed) != 0)
        return;
    others = allowed;
    CPU_CLR((size_t)from, &others);
    if (CPU_COUNT(&others) == 0)
        return;
    pthread_setaffinity_np(pthread_self(), sizeof others, &others);
    pthread_setaffinity_np(pthread_self(), sizeof allowed, &allowed);
}
#else
static int current_cpu(void)
{
    return -1;
}

static void move_off_cpu(int from)
{
    (void)from;
}
#endif

/* ---- working -------------------------------------------------------------------- */

static void run_lane(lane *l, int worker)
{
    while (atomic_load_explicit(&l->next, memory_order_relaxed) < l->end) {
        int64_t i = atomic_fetch_add_explicit(&l->next, 1, memory_order_relaxed);
        if (i >= l->end)
            return;
        pool.job(pool.user, i, worker);
    }
}

static void run_lanes(int worker)
{
    for (int k = 0; k < pool.width; k++)
        run_lane(&lanes[(worker + k) % pool.width], worker);
}

static void *run_worker(void *arg)
{
    int worker = (int)(intptr_t)arg;
    agni_thread_record *record = agni_thread_record_get();
    if (!record) /* no memory: the other threads take this one's lane */
        return NULL;
    inside_region = record->is_pool_worker = true;
    while (!atomic_load(&pool.stop)) {
        unsigned seen = atomic_load(&pool.generation);
        if (enter_gate() && worker < pool.width) {
            if (agni_fp_mode_get() != pool.fpmode)
                agni_fp_mode_set(pool.fpmode);
            move_off_cpu(pool.cpu);
            run_lanes(worker);
        }
        leave_gate();
        wait_for_region(seen);
    }
    return NULL;
}

/* ---- threads -------------------------------------------------------------------- */

/* A forked child has no workers, and the locks may have been held by one of them. */
static void reset_in_child(void)
{
    pool.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    pool.wake = pool.done = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    atomic_store(&pool.gate, CLOSED);
    atomic_store(&pool.sleepers, 0);
    atomic_store(&pool.caller_sleeps, false);
    atomic_store(&pool.busy, false);
    pool.n_workers = 1;
    pool.most_workers = MAX_WORKERS;
}

static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, reset_in_child);
}

/* Signals go to the host's threads, except those that report a fault of the thread
 * itself. */
static int start_thread(pthread_t *t, int worker)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
    sigset_t blocked, before;
    sigfillset(&blocked);
    for (int i = 0; i < AGNI_COUNT(faults); i++)
        sigdelset(&blocked, faults[i]);
    pthread_sigmask(SIG_SETMASK, &blocked, &before);
    int failed = pthread_create(t, NULL, run_worker, (void *)(intptr_t)worker);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed;
}

/* As many workers as the system gives: fewer only make it slower. */
static void ensure_workers(int width)
{
    pthread_once(&fork_once, watch_forks);
    if (pool.n_cpus == 0)
        pool.n_cpus = agni_cpu_count();
    atomic_store_explicit(&pool.spin, width <= pool.n_cpus, memory_order_relaxed);
    while (pool.n_workers < width && pool.n_workers < pool.most_workers) {
        if (start_thread(&pool.worker[pool.n_workers], pool.n_workers) != 0) {
            pool.most_workers = pool.n_workers;
            agni_log_message(2, "threads: the system gives %d, not %d", pool.n_workers, width);
            break;
        }
        pool.n_workers++;
    }
}

/* At exit, and before the library is unloaded. A host that exits within a region keeps
   its workers: waiting for them could take for ever. */
__attribute__((destructor)) static void stop_workers(void)
{
    if (inside_region || atomic_exchange(&pool.busy, true))
        return;
    pthread_mutex_lock(&pool.lock);
    atomic_store(&pool.stop, true);
    pthread_cond_broadcast(&pool.wake);
    pthread_mutex_unlock(&pool.lock);
    for (int i = 1; i < pool.n_workers; i++)
        pthread_join(pool.worker[i], NULL);
    pool.n_workers = 1;
}

/* ---- regions -------------------------------------------------------------------- */

int agni_parallel_width(void)
{
    if (inside_region || (omp_in_parallel && omp_in_parallel()))
        return 1;
    return agn_threads();
}

static void open_region(int64_t n, agni_job *job, void *user, int width)
{
    pool.job = job;
    pool.user = user;
    pool.width = width;
    pool.fpmode = agni_fp_mode_get();
    pool.cpu = width <= pool.n_cpus ? current_cpu() : -1;
    int64_t share = n / width, more = n % width, begin = 0;
    for (int k = 0; k < width; k++) {
        lanes[k].end = begin + share + (k < more);
        atomic_store_explicit(&lanes[k].next, begin, memory_order_relaxed);
        begin = lanes[k].end;
    }
    atomic_fetch_and(&pool.gate, ~CLOSED);
}

void agni_parallel_for(int64_t n, agni_job *job, void *user)
{
    int width = n > 1 ? agni_parallel_width() : 1;
    if (width > n)
        width = (int)n;
    if (width <= 1 || atomic_exchange(&pool.busy, true)) {
        for (int64_t i = 0; i < n; i++)
            job(user, i, 0);
        return;
    }
    ensure_workers(width);
    open_region(n, job, user, width);
    inside_region = true;
    announce_region();
    run_lanes(0);
    inside_region = false;
    atomic_fetch_or(&pool.gate, CLOSED);
    wait_for_workers();
    atomic_store(&pool.busy, false);
}
