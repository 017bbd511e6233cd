/* graph/plan/whole_steps.h - steps on whole arrays. */
#ifndef AGNI_GRAPH_WHOLE_STEPS_H
#define AGNI_GRAPH_WHOLE_STEPS_H
#include "graph/memory/plan.h"

/* Plans n as a view of its operand, a slice of a concat, or a step by a kernel or by other ops. */
agn_status agni_plan_whole_node(agni_plan *p, const agni_pnode *n);

#endif
