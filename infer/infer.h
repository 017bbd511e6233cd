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

/* Data met by a body: shape, and where its log densities lie in the vector of all. */
typedef struct agni_observation {
    int64_t offset, size;
    int32_t ndim;
    int64_t shape[AGN_MAX_RANK]; /* of the data */
} agni_observation;

enum { AGNI_MAX_CHAINS = 256 };

struct agn_model {
    agni_obj head;
    agn_model_body *body;
    void *user;
    void (*destroy)(void *user);
    agni_parameter *parameter;
    int32_t n, room;
    int64_t dims;
    agni_observation *observation;
    int32_t n_observed, observed_room, n_added; /* n_added: terms without a law */
    int64_t observed_size;
    agn_tensor **data; /* n_observed tensors in place of those of the body; NULL: none */
};

/* Which terms of a log density a run sums. */
enum { AGNI_ALL_TERMS, AGNI_PRIOR_TERMS, AGNI_OTHER_TERMS };

struct agn_model_trace {
    agn_model *making;      /* first run: what is met is noted here; else NULL */
    const agn_model *model; /* later runs */
    const agn_tensor *point; /* [dims] */
    const agn_tensor *sum;   /* log density so far; NULL: none */
    const agn_tensor **value; /* of each parameter in turn; NULL: not asked for */
    int32_t next;
    int terms;                 /* AGNI_ALL_TERMS, ... */
    int32_t n_seen;            /* data met so far */
    const agn_tensor **each;   /* log densities of data, by observation; NULL: not asked for */
    const agn_tensor *key;     /* parameters are drawn from their priors; NULL: they are read from point */
    const agn_tensor **drawn;  /* their unconstrained numbers, by parameter */
    const agn_tensor *data_key; /* data are drawn */
    const agn_tensor **predicted;
};

/* model.c */
agn_status agni_run_model(agn_scope *s, const agn_model *m, const agn_tensor *point,
                          agn_model_trace *t);
agn_status agni_model_function(agn_fn **out, const char *op, const agn_model *m, agn_body *body,
                               int32_t n_in, int32_t n_out);
/* predict.c: what a run meets and draws */
void agni_meet_data(agn_scope *s, agn_model_trace *t, const agn_distribution *d,
                    const agn_tensor *data);
const agn_tensor *agni_draw_parameter(agn_scope *s, agn_model_trace *t,
                                      const agn_distribution *prior, int32_t ndim,
                                      const int64_t *shape);

/* unconstrain.c: a value on the support of d from unconstrained numbers of the same shape, and the
   sum of the logs of the slopes */
const agn_tensor *agni_constrain(agn_scope *s, const agn_distribution *d, const agn_tensor *x,
                                 const agn_tensor **log_det);
const agn_tensor *agni_unconstrain(agn_scope *s, const agn_distribution *d, const agn_tensor *y);

/* Random numbers of a sampler: a stream of Philox for each chain. */
typedef struct agni_stream {
    uint64_t key, block;
    double spare;
    bool has_spare;
} agni_stream;
double agni_stream_uniform(agni_stream *g); /* (0, 1) */
double agni_stream_normal(agni_stream *g);

/* A linear map from the numbers that a chain walks in to those of the density, x = T q
   (whitening.c): lower triangular, or D (1 + U (diag(w) - 1) U^T). */
typedef struct agni_whitening {
    int kind; /* AGN_METRIC_DIAGONAL: q itself */
    int64_t n, rank;
    double *factor;         /* [n, n] lower, row by row */
    double *scale, *u, *w;  /* D; U^T, [rank, n]; w */
    double *raw;            /* [n], where the density was asked last */
    double *tmp;            /* [n] */
} agni_whitening;
void agni_whitening_forward(const agni_whitening *t, double *x, const double *q);
void agni_whitening_inverse(const agni_whitening *t, double *q, const double *x);
void agni_whitening_transpose(const agni_whitening *t, double *gq, const double *gx);         /* T^T gx */
void agni_whitening_transpose_inverse(const agni_whitening *t, double *gx, const double *gq); /* T^-T gq */

/* A log density with its gradient at host vectors, by a plan of its own. */
typedef struct agni_density {
    agn_fn *plan;
    int64_t n;
    agn_tensor *at, *value, *slope; /* slope is NULL where only values are asked for */
    agni_whitening *whitening;              /* NULL: none */
} agni_density;
agn_status agni_density_make(agni_density *d, const char *op, const agn_fn *log_density, int64_t n,
                             bool with_slope);
/* false in *finite: -inf, NaN or a gradient that is not finite */
agn_status agni_density_at(agni_density *d, const double *q, double *value, double *slope,
                           bool *finite);
void agni_density_free(agni_density *d);

/* matrices.c: symmetric matrices at host vectors, row by row; false: not positive definite, not
   finite */
bool agni_lower_factor(double *a, int64_t n);
agn_status agni_eigh(double *w, double *v, const double *a, int64_t n); /* eigenvectors are columns of v */
agn_status agni_put_host(agn_dict *d, const char *name, int dtype, int ndim, const int64_t *shape,
                         const void *v);
/* diagnostics.c: of the mean of [chains, draws], 4 at least; NaN where they do not move */
double agni_effective_draws(const double *v, int64_t chains, int64_t draws);
/* sample.c: parameters and derived quantities at points [chains, draws, dims], into d */
agn_status agni_put_values(agn_dict *d, const char *op, const agn_model *m, int64_t chains,
                           int64_t draws, const double *points);
/* f64 of rank ndim with the shape given (-1: any size), as host numbers that *kept holds */
agn_status agni_read_host(const double **v, agn_tensor **kept, const char *op, const char *name,
                          const agn_tensor *x, int ndim, const int64_t *shape);

#endif
