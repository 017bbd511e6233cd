/* core/threads/stack.c - the bounds of a thread's stack, and a deeper one where that is too short. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "core/threads/stack.h"
#include "core/internal.h"
#include <pthread.h>
#include <signal.h>

AGNI_TLS_EXTERN agni_stack agni_stack_mine;

#if defined(__linux__)
static agni_stack bounds(void)
{
    pthread_attr_t a;
    void *low = NULL;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &a) == 0) {
        if (pthread_attr_getstack(&a, &low, &size))
            size = 0;
        pthread_attr_destroy(&a);
    }
    return (agni_stack){(uintptr_t)low, size ? size : 1};
}
#else
static agni_stack bounds(void)
{
    return (agni_stack){0, 1}; /* not known */
}
#endif

/* bytes below this frame; SIZE_MAX: not known */
static size_t left_here(void)
{
    if (!agni_stack_mine.size)
        agni_stack_mine = bounds();
    uintptr_t left = (uintptr_t)__builtin_frame_address(0) - agni_stack_mine.low;
    return left < agni_stack_mine.size ? left : SIZE_MAX;
}

agn_status agni_stack_look(const char *op, size_t bytes)
{
    size_t left = left_here();
    return left >= bytes ? AGN_OK
                         : agni_fail(AGN_ENOMEM,
                                     "%s: %zu of the %zu KB of this thread's stack are left, %zu are "
                                     "needed: it is short, or functions are nested too deeply",
                                     op, left >> 10, (size_t)agni_stack_mine.size >> 10, bytes >> 10);
}

typedef struct errand {
    void (*f)(void *user);
    void *user;
} errand;

static void *run_errand(void *p)
{
    const errand *e = p;
    e->f(e->user);
    return NULL;
}

bool agni_on_deep_stack(size_t bytes, void (*f)(void *user), void *user)
{
    if (left_here() >= bytes) {
        f(user);
        return true;
    }
    errand e = {f, user};
    pthread_attr_t a;
    pthread_t t;
    sigset_t all, before;
    if (pthread_attr_init(&a))
        return false;
    sigfillset(&all); /* signals are the host's */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool made = !pthread_attr_setstacksize(&a, bytes + (bytes >> 1)) &&
                !pthread_create(&t, &a, run_errand, &e);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&a);
    if (made)
        pthread_join(t, NULL);
    return made;
}
