/* graph/plan/plan_cache.h - the plans of one compiled function, by shapes and dtypes of its
   arguments. */
#ifndef AGNI_PLANS_H
#define AGNI_PLANS_H

#include "graph/memory/plan.h"

typedef struct agni_plans agni_plans;

agni_plans *agni_plans_new(int most); /* of them are kept; NULL without memory */
void agni_plans_free(agni_plans *c);
/* the plan for n arguments like in[], a new reference; NULL: there is none */
agni_plan *agni_plans_find(agni_plans *c, int n, const agn_tensor *const *in);
/* keeps a reference to p; the plan not used for longest makes room */
agn_status agni_plans_keep(agni_plans *c, agni_plan *p, int n,
                           const agn_tensor *const *in);
/* the one found or kept last, a new reference; NULL: none yet */
agni_plan *agni_plans_last(agni_plans *c);

#endif
