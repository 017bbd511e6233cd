/* graph/plan/replay.h - calls of a plan as one launch of a graph, or a few around steps of the host. */
#ifndef AGNI_REPLAY_H
#define AGNI_REPLAY_H

#include "graph/memory/plan.h"

/* steps [from, to) one after the other */
typedef agn_status agni_run_part(agni_plan *p, agni_workspace *w, int32_t from, int32_t to);
/* The steps of a plan on a device, by run, or by the graph that an earlier run with the same memory
   left. */
agn_status agni_replay_or_run(agni_plan *p, agni_workspace *w, agni_run_part *run);
void agni_replays_free(const agni_workspace *w, int32_t device);

#endif
