/* infer/criticism/pareto.h - Pareto-smoothed weights. */
#ifndef AGNI_PARETO_H
#define AGNI_PARETO_H

#include "infer/infer.h"

/* Log ratios of n draws become log weights whose exponentials sum to 1; their shape k in *k:
   infinite where there are too few draws, or they are all the same. relative: effective draws over
   draws, for the length of the tail. tmp: 2 n numbers. false: none is finite. */
bool agni_smooth_weights(double *log_weight, double *k, int64_t n, double relative, double *tmp);
double agni_log_sum(const double *v, int64_t n);

#endif
