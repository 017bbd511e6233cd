/* core/fork_mutex.h - mutexes that a fork finds free (POSIX, pthread_atfork, rationale): whoever
   forks takes them all first, so what they guard is whole in the child, and nobody holds them
   there who is not there. A thread must not fork while it holds one. */
#ifndef AGNI_FORK_MUTEX_H
#define AGNI_FORK_MUTEX_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

typedef struct agni_mutex {
    pthread_mutex_t m;
    bool recursive;
    atomic_bool listed; /* from its first use on */
    struct agni_mutex *before, *after;
} agni_mutex;

/* a static one needs no more; one in an object is destroyed with it */
#define AGNI_MUTEX_INIT {.m = PTHREAD_MUTEX_INITIALIZER}
void agni_mutex_init(agni_mutex *m);
void agni_mutex_destroy(agni_mutex *m);
void agni_mutex_lock(agni_mutex *m);
bool agni_mutex_try(agni_mutex *m); /* true: it is taken */
void agni_mutex_unlock(agni_mutex *m);

#endif
