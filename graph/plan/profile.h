/* graph/plan/profile.h - when the steps of a plan and the chunks of its regions ran. */
#ifndef AGNI_PROFILE_H
#define AGNI_PROFILE_H

#include "graph/memory/clock.h"
#include "graph/memory/plan.h"

typedef struct agni_profile {
    agni_plan *plan;
    int64_t start;
    int32_t calls, n_span; /* of each call */
    int32_t *first;        /* of each step: its first chunk, behind the steps */
    agni_span *span;       /* [calls][n_span] */
} agni_profile;

/* Runs the plan for in, which is made first if it must be, calls + 1 times; the first call is not
   counted. */
agn_status agni_profile_make(agni_profile **out, const char *op, const agn_fn *f,
                             const agn_tensor *const *in, int32_t calls);
void agni_profile_free(agni_profile *q);
/* what a step is called: its op, or "region of 1000 rows" */
void agni_step_name(char *buf, size_t n, const agni_step *s);

#endif
