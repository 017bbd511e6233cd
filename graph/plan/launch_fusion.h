/* graph/plan/launch_fusion.h - fusion of element-wise nodes into one launch, in plans for a
   device. */
#ifndef AGNI_LAUNCH_FUSION_H
#define AGNI_LAUNCH_FUSION_H

#include "graph/fusion/partition.h"

/* Steps for the nodes of a stage that are in no region: chains by the device's kernel
   "fused_elementwise", each other node by whole. */
agn_status agni_plan_fuse_launches(agni_plan *p, const agni_partition *c, int stage,
                                   agn_status (*whole)(agni_plan *p, const agni_pnode *n));

#endif
