/* infer/approximation/variational.h - a loss of parameters and random numbers, minimised by Adam
   with a rate that falls. */
#ifndef AGNI_VARIATIONAL_H
#define AGNI_VARIATIONAL_H

#include "infer/approximation/approximation.h"

/* loss: of one vector f64 [params] and normal numbers f64 [draws, dims], to minus the bound. The
   mean of the last third of the steps replaces params. */
agn_status agni_descend(double *params, int64_t n_params, const char *op, const agn_fn *loss,
                        int64_t draws, int64_t dims, int64_t steps, double rate, agni_stream *g);

#endif
