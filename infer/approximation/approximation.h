/* infer/approximation/approximation.h - what approximations share. */
#ifndef AGNI_APPROXIMATION_H
#define AGNI_APPROXIMATION_H

#include "infer/infer.h"
#include <agnesi/infer_approximation.h>

/* importance.c: weights of n draws whose log ratios of densities are given, and results as a
   dictionary */
agn_status agni_weigh_draws(agn_dict **out, const char *op, const agn_model *m,
                            const double *points, const double *log_ratio, int64_t n,
                            int64_t resample, uint64_t seed);
/* log densities of points [n, dims] at once; -inf where they are not finite */
agn_status agni_log_densities(double *y, const agn_model *m, const double *points, int64_t n);

#endif
