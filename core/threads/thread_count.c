/* core/threads/thread_count.c - number of threads: environment, affinity mask, container quota. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "core/internal.h"
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MAX_THREADS = 1024 };

static atomic_int threads;
static pthread_once_t threads_once = PTHREAD_ONCE_INIT;

#if defined(__linux__)
static int count_affinity_cpus(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return CPU_COUNT(&set);
    return (int)sysconf(_SC_NPROCESSORS_ONLN);
}

/* A container's share of CPU time, "quota period" or "max period" (kernel
   documentation, control group v2, cpu.max); 0 if there is none. */
static int count_quota_cpus(void)
{
    FILE *f = fopen("/sys/fs/cgroup/cpu.max", "re");
    if (!f)
        return 0;
    char line[64] = "";
    char *quota = fgets(line, sizeof line, f), *period;
    fclose(f);
    if (!quota)
        return 0;
    long long share = strtoll(line, &period, 10), of = strtoll(period, NULL, 10);
    return share > 0 && of > 0 ? (int)((share + of - 1) / of) : 0;
}
#else
static int count_affinity_cpus(void)
{
    return (int)sysconf(_SC_NPROCESSORS_ONLN);
}

static int count_quota_cpus(void)
{
    return 0;
}
#endif

int agni_cpu_count(void)
{
    int n = count_affinity_cpus(), quota = count_quota_cpus();
    if (quota > 0 && quota < n)
        n = quota;
    return n < 1 ? 1 : n > MAX_THREADS ? MAX_THREADS : n;
}

static void initialise_count(void)
{
    const char *text = getenv("AGNESI_THREADS");
    char *end = NULL;
    long n = text ? strtol(text, &end, 10) : 0;
    bool good = text && end != text && *end == '\0' && n >= 0 && n <= MAX_THREADS;
    if (text && *text && !good)
        agni_log_message(2, "AGNESI_THREADS is not a number from 0 to %d: \"%s\"", MAX_THREADS,
                 text);
    atomic_store(&threads, good && n > 0 ? (int)n : agni_cpu_count());
}

agn_status agn_threads_set(int32_t n)
{
    if (n < 0 || n > MAX_THREADS)
        return agni_fail(AGN_EARG, "threads_set: out of range: n is %d, the most is %d",
                         n, MAX_THREADS);
    pthread_once(&threads_once, initialise_count);
    atomic_store(&threads, n > 0 ? n : agni_cpu_count());
    return AGN_OK;
}

int32_t agn_threads(void)
{
    int n = atomic_load_explicit(&threads, memory_order_relaxed);
    if (n > 0)
        return n;
    pthread_once(&threads_once, initialise_count);
    return atomic_load_explicit(&threads, memory_order_relaxed);
}
