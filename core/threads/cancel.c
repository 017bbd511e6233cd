/* core/threads/cancel.c - cancellation points: kernels ask the host by the clock whether to
   stop. */
#include "core/threads/cancel.h"
#include "core/internal.h"
#include "core/thread_record.h"

enum { ASK_EVERY_NS = 5000000 };

bool agni_cancellable(void)
{
    const agni_thread_record *a = agni_has_interrupt() ? agni_thread_record_get() : NULL;
    return a && !a->cancel_held;
}

bool agni_progress_is_heard(void)
{
    return agni_has_progress();
}

bool agni_cancel_point(void)
{
    agni_thread_record *a = agni_thread_record_own;
    if (a && a->cancelled)
        return true;
    if (!agni_cancellable())
        return false;
    a = agni_thread_record_get();
    int64_t now = agni_now_ns();
    if (now - a->last_asked < ASK_EVERY_NS)
        return false;
    a->last_asked = now;
    bool stop = agni_check_interrupt(); /* the host may run kernels meanwhile */
    return a->cancelled = stop;
}

agn_status agni_cancel_end(const char *op, agn_status st)
{
    agni_thread_record *a = agni_thread_record_own;
    if (!a || !a->cancelled)
        return st;
    a->cancelled = false;
    return st ? st : agni_fail(AGN_ECANCELLED, "%s: cancelled by the host", op);
}

void agni_cancel_hold(int change)
{
    agni_thread_record *a = agni_thread_record_get();
    if (a)
        a->cancel_held += change;
}
