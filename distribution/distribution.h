/* distribution/distribution.h - a law is a row of expressions in its parameters. */
#ifndef AGNI_DISTRIBUTION_H
#define AGNI_DISTRIBUTION_H

#include "tensor/value/tensor.h"
#include <agnesi/distribution.h>

enum { AGNI_LAW_PARAMS = 2 };

typedef struct agni_law {
    const char *name;
    int n;                              /* parameters */
    const char *param[AGNI_LAW_PARAMS]; /* their names */
    bool positive[AGNI_LAW_PARAMS];     /* else any finite number */
    /* shape is that of the result */
    const agn_tensor *(*rsample)(agn_scope *s, const agn_distribution *d, const agn_tensor *key,
                                 int ndim, const int64_t *shape);
    const agn_tensor *(*log_prob)(agn_scope *s, const agn_distribution *d, const agn_tensor *x);
    const agn_tensor *(*cdf)(agn_scope *s, const agn_distribution *d, const agn_tensor *x);
    /* of any shape that broadcasts to the batch shape */
    const agn_tensor *(*mean)(agn_scope *s, const agn_distribution *d);
    const agn_tensor *(*variance)(agn_scope *s, const agn_distribution *d);
    const agn_tensor *(*entropy)(agn_scope *s, const agn_distribution *d);
    const agn_tensor *(*kl)(agn_scope *s, const agn_distribution *p, const agn_distribution *q);
} agni_law;
extern const agni_law agni_law_normal;

struct agn_distribution {
    agni_obj head;
    const agni_law *law;
    agn_tensor *param[AGNI_LAW_PARAMS]; /* of one dtype, not broadcast */
    agni_meta batch;
};

/* params[law->n] are checked, cast to a common dtype and kept. op names the caller. */
agn_status agni_distribution_make(agn_distribution **out, const char *op, const agni_law *law,
                                  const agn_tensor *const *params,
                                  const agn_distribution_options *opts);

#endif
