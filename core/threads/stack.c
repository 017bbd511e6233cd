/* core/threads/stack.c - the bounds of a thread's stack, and a deeper one where that is too
   short. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "core/threads/stack.h"
#include "core/internal.h"
#include <pthread.h>
#include <signal.h>

/* the addresses [low, low + size) */
typedef struct stack_bounds {
    uintptr_t low, size;
} stack_bounds;

#if defined(__linux__)
static stack_bounds find_bounds(void)
{
    pthread_attr_t a;
    void *low = NULL;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &a) == 0) {
        if (pthread_attr_getstack(&a, &low, &size))
            size = 0;
        pthread_attr_destroy(&a);
    }
    return (stack_bounds){(uintptr_t)low, size};
}
#else
static stack_bounds find_bounds(void)
{
    return (stack_bounds){0, 0};
}
#endif

/* Bytes below this frame; SIZE_MAX: not known. The thread's record gets what agni_stack_check
   reads. */
static size_t left_here(size_t *size)
{
    agni_thread_record *a = agni_thread_record_get();
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    stack_bounds b = {0, 0};
    if (a && a->stack_room)
        b = (stack_bounds){a->stack_base - AGNI_STACK_OP, a->stack_room + AGNI_STACK_OP};
    else
        b = find_bounds();
    *size = b.size;
    if (a && b.size > AGNI_STACK_OP) {
        a->stack_base = b.low + AGNI_STACK_OP;
        a->stack_room = b.size - AGNI_STACK_OP;
    }
    return here - b.low < b.size ? here - b.low : SIZE_MAX;
}

agn_status agni_stack_look(const char *op, size_t bytes)
{
    size_t size, left = left_here(&size);
    return left >= bytes
               ? AGN_OK
               : agni_fail(AGN_ENOMEM,
                           "%s: %zu of the %zu KB of this thread's stack are left, %zu are "
                           "needed: it is short, or functions are nested too deeply",
                           op, left >> 10, size >> 10, bytes >> 10);
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
    size_t size;
    if (left_here(&size) >= bytes) {
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
