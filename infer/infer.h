/* infer/infer.h - models as functions of unconstrained numbers, and what samplers share. */
#ifndef AGNI_INFER_H
#define AGNI_INFER_H

#include "core/core.h"
#include <agnesi/infer.h>

/* One parameter of a model: where its unconstrained numbers lie, and its shape. */
typedef struct agni_parameter {
    char *name;
    int64_t offset, size; /* unconstrained */
    int32_t ndim;
    int64_t shape[AGN_MAX_RANK]; /* of the value */
    bool derived;                /* a quantity to report: no unconstrained numbers */
} agni_parameter;

enum { AGNI_MAX_CHAINS = 256 };

struct agn_model {
    agni_obj head;
    agn_model_body *body;
    void *user;
    void (*destroy)(void *user);
    agni_parameter *parameter;
    int32_t n, room;
    int64_t dims;
};

struct agn_model_trace {
    agn_model *making;      /* first run: what is met is noted here; else NULL */
    const agn_model *model; /* later runs */
    const agn_tensor *point; /* [dims] */
    const agn_tensor *sum;   /* log density so far; NULL: none */
    const agn_tensor **value; /* of each parameter in turn; NULL: not asked for */
    int32_t next;
};

/* unconstrain.c: a value on the support of d from unconstrained numbers of the same shape, and the sum of
   the logs of the slopes */
const agn_tensor *agni_constrain(agn_scope *s, const agn_distribution *d, const agn_tensor *x,
                                 const agn_tensor **log_det);

/* Random numbers of a sampler: a stream of Philox for each chain. */
typedef struct agni_stream {
    uint64_t key, block;
    double spare;
    bool has_spare;
} agni_stream;
double agni_stream_uniform(agni_stream *g); /* (0, 1) */
double agni_stream_normal(agni_stream *g);

/* A log density with its gradient at host vectors, by a plan of its own. */
typedef struct agni_density {
    agn_fn *plan;
    int64_t n;
    agn_tensor *at, *value, *slope;
} agni_density;
agn_status agni_density_make(agni_density *d, const char *op, const agn_fn *log_density, int64_t n);
/* false in *finite: -inf, NaN or a gradient that is not finite */
agn_status agni_density_at(agni_density *d, const double *q, double *value, double *slope,
                           bool *finite);
void agni_density_free(agni_density *d);

#endif
