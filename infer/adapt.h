/* infer/adapt.h - steps and metrics of a chain that warms up. */
#ifndef AGNI_INFER_ADAPT_H
#define AGNI_INFER_ADAPT_H

#include "infer/chain.h"

void agni_spread_clear(agni_spread *v, int64_t n);
void agni_spread_add(agni_spread *v, int64_t n, const double *q, const double *g);
void agni_spread_metric(const agni_spread *v, int64_t n, double *metric);
agn_status agni_first_step(agni_chain *c);

#endif
