/* tensor/value/trace_guards.h - what the tracing of a function has looked at. Ops on numbers that were there before,
   and reads of them, leave no trace in the program, only what came out of them; so a witness remembers the
   memory and its version, and the program holds for as long as that is not written.
   Memory that was made during a trace is the trace's own. */
#ifndef AGNI_TRACE_GUARDS_H
#define AGNI_TRACE_GUARDS_H

#include "tensor/value/tensor.h"

typedef struct agni_guard {
    agni_storage *st;
    int64_t version;
} agni_guard;

typedef struct agni_guards {
    agni_obj head;
    bool failed;    /* without memory */
    int32_t n, cap;
    agni_guard *of;
    struct agni_guards *outer;
} agni_guards;

/* that of the trace that this thread is in; NULL: none. Every op asks, so most ask a plain number. */
extern AGNI_TLS_EXTERN agni_guards *agni_guards_own;
extern atomic_int agni_guards_open; /* of all threads */
static inline agni_guards *agni_guards_current(void)
{
    return atomic_load_explicit(&agni_guards_open, memory_order_relaxed) ? agni_guards_own : NULL;
}

/* from here on one looks; NULL without memory */
agni_guards *agni_guards_begin(void);
/* no more. NULL where there was nothing to see; AGN_ENOMEM: some was missed */
agn_status agni_guards_end(agni_guards **out, agni_guards *w);

/* what the present witness sees, of which there is one: a value; the operands of an op, all of which
   have values; what another one saw */
void agni_guard_value(const agn_tensor *x);
void agni_guard_operands(int n, const agn_tensor *const *in);
void agni_guards_inherit(const agni_guards *w);

/* is all as it was? else AGN_ESTALE; w may be NULL */
agn_status agni_guards_check(const agni_guards *w);

#endif
