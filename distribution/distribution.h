/* distribution/distribution.h - a law is a row of expressions in its parameters. */
#ifndef AGNI_DISTRIBUTION_H
#define AGNI_DISTRIBUTION_H

#include "tensor/value/tensor.h"
#include <agnesi/distribution.h>
#include <agnesi/laws.h>
#include <agnesi/transform.h>

enum { AGNI_LAW_PARAMS = 8, AGNI_LAW_ORDERS = 2 };

/* What the entries of a parameter may be; all are finite but for the last. */
typedef enum agni_domain {
    AGNI_REAL,
    AGNI_POSITIVE,
    AGNI_NONNEGATIVE,
    AGNI_PROBABILITY, /* 0 to 1 */
    AGNI_INSIDE_UNIT, /* between 0 and 1, neither */
    AGNI_COUNT,       /* 0, 1, ... */
    AGNI_ABOVE_ONE,
    AGNI_SIGNED_UNIT, /* -1 to 1 */
    AGNI_UP_TO_TWO,   /* above 0 */
    AGNI_ANY          /* infinities too, NaN not */
} agni_domain;

typedef const agn_tensor *agni_of_x(agn_scope *s, const agn_distribution *d, const agn_tensor *x);
typedef const agn_tensor *agni_of_parameters(agn_scope *s, const agn_distribution *d);
typedef const agn_tensor *agni_kl_rule(agn_scope *s, const agn_distribution *p,
                                       const agn_distribution *q);

typedef struct agni_law {
    const char *name;
    int n;                              /* parameters */
    const char *param[AGNI_LAW_PARAMS]; /* their names */
    agni_domain domain[AGNI_LAW_PARAMS];
    int rank[AGNI_LAW_PARAMS]; /* last axes of a parameter that belong to one event */
    struct {                   /* param[low] <= param[high]; where strict, < */
        int low, high;
        bool strict;
    } order[AGNI_LAW_ORDERS];
    int n_order;
    agn_support support;
    /* its ends; NULL: what the support says, or none */
    agni_of_parameters *low, *high;
    int event_rank; /* axes of one number drawn: those of param[0] at its end */
    /* Random numbers; shape is that of the result. draw: of whole numbers, without derivatives. */
    const agn_tensor *(*rsample)(agn_scope *s, const agn_distribution *d, const agn_tensor *key,
                                 int ndim, const int64_t *shape);
    const agn_tensor *(*draw)(agn_scope *s, const agn_distribution *d, const agn_tensor *key,
                              int ndim, const int64_t *shape);
    /* Between the ends of the support: what lies beyond is seen to in api.c. NULL: api.c has
       another way, or refuses. */
    agni_of_x *log_prob, *cdf, *survival, *log_cdf, *log_survival, *icdf;
    /* of any shape that broadcasts to the batch shape */
    agni_of_parameters *mean, *variance, *mode, *entropy;
    agni_kl_rule *kl; /* of a law of the same row; pairs of others stand in laws.def */
    /* what parameters have to be beyond domains and orders, their shapes above all; NULL:
       nothing */
    agn_status (*check)(const char *op, const agn_distribution *d);
} agni_law;

struct agn_distribution {
    agni_obj head;
    const agni_law *law;
    agn_tensor *param[AGNI_LAW_PARAMS]; /* of one dtype, not broadcast */
    agni_meta batch;
    agni_meta event;
    agn_distribution *base; /* of a wrapper, with its map; else NULL */
    agn_transform *map;
};

/* params[law->n] are checked, cast to a common dtype and kept. Errors begin with
   distribution_NAME. */
agn_status agni_distribution_make(agn_distribution **out, const agni_law *law,
                                  const agn_tensor *const *params,
                                  const agn_distribution_options *opts);

/* A copy that shares parameters, base and map. */
agn_status agni_distribution_copy(agn_distribution **out, const agn_distribution *d);

/* The values of x as f64, *v for agni_free; NULL where there are none (an empty tensor, or a
   trace). */
agn_status agni_law_values(const char *op, const agn_tensor *x, double **v);

/* Whole numbers alone have a probability. */
bool agni_support_is_discrete(agn_support support);

/* kl.c; NULL where no formula is known */
agni_kl_rule *agni_find_kl(const agni_law *p, const agni_law *q);

/* api.c: by a formula, of counts, or by quantile.c, of a law of one real number with a cdf */
bool agni_has_quantile(const agn_distribution *d);
const agn_tensor *agni_quantile(agn_scope *s, const agn_distribution *d, const agn_tensor *p);

/* Each law of laws.def as agni_law_NAME, and its divergence from a law of its own kind. */
#define LAW(name) extern const agni_law agni_law_##name;
#define KL(p, q, rule) agni_kl_rule agni_kl_##rule;
#include "distribution/laws.def"
#undef LAW
#undef KL

#endif
