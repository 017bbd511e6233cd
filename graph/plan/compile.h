/* graph/plan/compile.h - what others ask of a compiled function. */
#ifndef AGNI_COMPILE_H
#define AGNI_COMPILE_H

#include "graph/memory/plan.h"

/* The plan of f, which must be compiled, for arguments that a plan can take: a new reference. */
agn_status agni_compiled_plan(const char *op, agni_plan **out, const agn_fn *f,
                              const agn_tensor *const *in);
/* a call whose steps are timed, where clock is not NULL, and whose results are dropped */
agn_status agni_plan_run_timed(agni_plan *p, const agn_tensor *const *in, agni_clock *clock);

#endif
