/* distribution/univariate/stable.h - densities and probabilities of stable laws. */
#ifndef AGNI_DISTRIBUTION_STABLE_H
#define AGNI_DISTRIBUTION_STABLE_H

#include "distribution/expression.h"

T agni_stable_log_prob(agn_scope *s, const agn_distribution *d, T x);
T agni_stable_cdf(agn_scope *s, const agn_distribution *d, T x);
T agni_stable_survival(agn_scope *s, const agn_distribution *d, T x);

#endif
