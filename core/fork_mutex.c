/* core/fork_mutex.c - mutexes that a fork finds free: a list of those in use, and the handlers of
   pthread_atfork that take all of them before and set them free after (POSIX.1-2017). */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "core/fork_mutex.h"
#include "core/internal.h"
#include <time.h>

/* Held around changes of the list, and by the thread that forks. */
static pthread_mutex_t listing = PTHREAD_MUTEX_INITIALIZER;
static agni_mutex *first;
static pthread_once_t watched = PTHREAD_ONCE_INIT;

static void init_mutex(agni_mutex *m)
{
    if (!m->recursive) {
        m->m = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
        return;
    }
    pthread_mutexattr_t recursive;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&m->m, &recursive);
    pthread_mutexattr_destroy(&recursive);
}

/* ---- around a fork ------------------------------------------------------------------------- */

/* All or none: who waits for one holds none, so mutexes may be nested in any order. */
static bool take_all(void)
{
    pthread_mutex_lock(&listing);
    agni_mutex *m = first;
    while (m && !pthread_mutex_trylock(&m->m))
        m = m->after;
    if (!m)
        return true;
    for (agni_mutex *k = first; k != m; k = k->after)
        pthread_mutex_unlock(&k->m);
    pthread_mutex_unlock(&listing);
    return false;
}

static void before_fork(void)
{
    static const struct timespec a_little = {.tv_nsec = 50000};
    while (!take_all())
        nanosleep(&a_little, NULL);
}

static void after_in_parent(void)
{
    for (agni_mutex *m = first; m; m = m->after)
        pthread_mutex_unlock(&m->m);
    pthread_mutex_unlock(&listing);
}

/* A mutex that knows its owner knows the parent's thread: it begins anew. */
static void after_in_child(void)
{
    for (agni_mutex *m = first; m; m = m->after)
        init_mutex(m);
    listing = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}

static void watch_forks(void)
{
    pthread_atfork(before_fork, after_in_parent, after_in_child);
}

/* ---- the list ------------------------------------------------------------------------------- */

static AGNI_COLD void list_mutex(agni_mutex *m)
{
    pthread_once(&watched, watch_forks);
    pthread_mutex_lock(&listing);
    if (!atomic_load_explicit(&m->listed, memory_order_relaxed)) {
        if (m->recursive)
            init_mutex(m); /* a static one has no such initialiser */
        m->before = NULL;
        m->after = first;
        if (first)
            first->before = m;
        first = m;
        atomic_store_explicit(&m->listed, true, memory_order_release);
    }
    pthread_mutex_unlock(&listing);
}

void agni_mutex_init(agni_mutex *m)
{
    *m = (agni_mutex)AGNI_MUTEX_INIT;
}

void agni_mutex_destroy(agni_mutex *m)
{
    if (atomic_load_explicit(&m->listed, memory_order_acquire)) {
        pthread_mutex_lock(&listing);
        *(m->before ? &m->before->after : &first) = m->after;
        if (m->after)
            m->after->before = m->before;
        pthread_mutex_unlock(&listing);
    }
    pthread_mutex_destroy(&m->m);
}

void agni_mutex_lock(agni_mutex *m)
{
    if (!atomic_load_explicit(&m->listed, memory_order_acquire))
        list_mutex(m);
    pthread_mutex_lock(&m->m);
}

bool agni_mutex_try(agni_mutex *m)
{
    if (!atomic_load_explicit(&m->listed, memory_order_acquire))
        list_mutex(m);
    return !pthread_mutex_trylock(&m->m);
}

void agni_mutex_unlock(agni_mutex *m)
{
    pthread_mutex_unlock(&m->m);
}
