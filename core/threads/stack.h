/* core/threads/stack.h - how much is left of the stack of a thread: functions that nest without
   end, and threads that are given little, end in an error. Stacks of coroutines, which the system
   does not know, are taken to be long enough. */
#ifndef AGNI_STACK_H
#define AGNI_STACK_H

#include "core/thread_record.h"

/* What an op may take in its deepest kernel (a sieve of sort's takes 64 KB), with room for whom it
   calls. */
enum { AGNI_STACK_OP = 96 << 10 };
/* What a loop over elements that lie in order takes: measured 23 KB at most, of which 16 are strips
   of operands that repeat. */
enum { AGNI_STACK_LOOP = 28 << 10 };

/* AGN_ENOMEM where fewer than bytes are left, or AGN_OK: by the long way */
agn_status agni_stack_look(const char *op, size_t bytes);

/* false: fewer than AGNI_STACK_OP bytes are left, or nobody has looked yet */
static inline bool agni_stack_is_deep(void)
{
    const agni_thread_record *a = agni_thread_record_own;
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    return a && here - a->stack_base < a->stack_room;
}

static inline agn_status agni_stack_check(const char *op)
{
    return agni_stack_is_deep() ? AGN_OK : agni_stack_look(op, AGNI_STACK_OP);
}

/* Calls f(user) where the stack has so many bytes left, here or on a thread of its own: for
   functions of others that take much. false: there is no memory for one. */
bool agni_on_deep_stack(size_t bytes, void (*f)(void *user), void *user);

#endif
