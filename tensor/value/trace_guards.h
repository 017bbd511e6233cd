/* tensor/value/trace_guards.h - guards of a trace: the memory it has read, and its version. Ops on
   numbers that were there before, and reads of them, are not recorded in the program, only their
   results; so the program holds as long as that memory is not written. Memory made during a trace
   is the trace's own and needs no guard. */
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
    agni_guard *guard;
    struct agni_guards *outer;
} agni_guards;

/* Guards of the trace that this thread runs; NULL: none. Every op asks, so the first question is a
   plain number: how many traces all threads run. */
extern AGNI_TLS_EXTERN agni_guards *agni_guards_own;
extern atomic_int agni_guards_open;
static inline agni_guards *agni_guards_current(void)
{
    return atomic_load_explicit(&agni_guards_open, memory_order_relaxed) ? agni_guards_own : NULL;
}

/* Begins recording; NULL without memory. */
agni_guards *agni_guards_begin(void);
/* Ends it. *out is NULL where nothing was read; AGN_ENOMEM: some was not recorded. */
agn_status agni_guards_end(agni_guards **out, agni_guards *w);

/* Add to the current guards, which exist: the memory of a value; of the operands of an op, if all
   have values; that of other guards. */
void agni_guard_value(const agn_tensor *x);
void agni_guard_operands(int n, const agn_tensor *const *in);
void agni_guards_inherit(const agni_guards *w);

/* AGN_ESTALE where guarded memory was written since; w may be NULL. */
agn_status agni_guards_check(const agni_guards *w);

#endif
