/* core/threads/cancel.h - cancellation points within a kernel: where a long one asks the host
   whether to stop. A kernel that is told so leaves its results unfinished and returns, by whatever
   functions; the one that called it learns it at its end and gives AGN_ECANCELLED. */
#ifndef AGNI_CANCEL_H
#define AGNI_CANCEL_H

#include "core/core.h"

/* Is there somebody to ask? On threads of the pool there is not. */
bool agni_cancellable(void);
/* Is there a hook that hears of progress? */
bool agni_progress_is_heard(void);
/* Asks every few milliseconds at most. true: stop; it stays true up to the end of the kernel. */
bool agni_cancel_point(void);
/* st, the status of op's kernel that just ended on this thread, or that it was cancelled */
agn_status agni_cancel_end(const char *op, agn_status st);
/* Calls that write where a failure must change nothing are not cancelled half-way: +1, later -1. */
void agni_cancel_hold(int change);

#endif
