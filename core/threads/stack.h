/* core/threads/stack.h - how much is left of the stack of a thread: functions that nest without end, and
   threads that are given little, end in an error. Stacks of coroutines, which the system does not
   know, are taken to be long enough. */
#ifndef AGNI_STACK_H
#define AGNI_STACK_H

#include "core/core.h"

/* What an op may take in its deepest kernel, with room for whom it calls. */
enum { AGNI_STACK_OP = 64 << 10 };

/* bytes [low, low + size) of this thread; size is 0 before the first look */
typedef struct agni_stack {
    uintptr_t low, size;
} agni_stack;
extern AGNI_TLS_EXTERN agni_stack agni_stack_mine;

/* AGN_ENOMEM where fewer than bytes are left, or AGN_OK: by the long way */
agn_status agni_stack_look(const char *op, size_t bytes);

static inline agn_status agni_stack_check(const char *op)
{
    uintptr_t left = (uintptr_t)__builtin_frame_address(0) - agni_stack_mine.low;
    return left < agni_stack_mine.size && left >= AGNI_STACK_OP ? AGN_OK
                                                                : agni_stack_look(op, AGNI_STACK_OP);
}

/* Calls f(user) where the stack has so many bytes left, here or on a thread of its own: for functions
   of others that take much. false: there is no memory for one. */
bool agni_on_deep_stack(size_t bytes, void (*f)(void *user), void *user);

#endif
