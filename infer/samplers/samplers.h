/* infer/samplers/samplers.h - what samplers of this room share. */
#ifndef AGNI_SAMPLERS_H
#define AGNI_SAMPLERS_H

#include "infer/chain.h"
#include <agnesi/infer_samplers.h>

agn_status agni_chain_options(agn_nuts_options *o, const char *op, const void *out,
                              const agn_model *m, const agn_chain_options *opts);
/* a normal law of unconstrained numbers as host numbers; its diagonal is positive */
agn_status agni_read_normal(const double **loc, const double **l, agn_tensor *kept[2],
                            const char *op, const agn_model *m, const agn_tensor *at,
                            const agn_tensor *scale_tril);

#endif
