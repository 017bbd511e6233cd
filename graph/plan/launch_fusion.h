/* graph/plan/launch_fusion.h - fusion of element-wise nodes into one launch, in plans for a
   device. */
#ifndef AGNI_LAUNCH_FUSION_H
#define AGNI_LAUNCH_FUSION_H

#include "graph/memory/plan.h"

/* Steps for all nodes of p->ir: chains by the device's kernel "fused_elementwise", each other node
   by whole. */
agn_status agni_plan_fuse_launches(agni_plan *p,
                                   agn_status (*whole)(agni_plan *p, const agni_pnode *n));

#endif
