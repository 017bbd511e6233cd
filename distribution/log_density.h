/* distribution/log_density.h - sums of log densities as one op, with slopes written out (Carpenter
   & al. 2015, The Stan Math Library, 4.1). */
#ifndef AGNI_LOG_DENSITY_H
#define AGNI_LOG_DENSITY_H

#include "distribution/distribution.h"

/* The sum of the log density of d at x, []: by the op where the law has one and numbers are few,
   else by its expressions. */
const agn_tensor *agni_log_density_sum(agn_scope *s, const agn_distribution *d,
                                       const agn_tensor *x);

#endif
