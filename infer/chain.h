/* infer/chain.h - one chain of Hamiltonian Monte Carlo: its point, its metric, its step size. */
#ifndef AGNI_INFER_CHAIN_H
#define AGNI_INFER_CHAIN_H

#include "infer/infer.h"

/* position, momentum, gradient of the log density */
typedef struct agni_phase {
    double *q, *p, *g;
    double log_density;
} agni_phase;

/* Dual averaging of log step sizes (Nesterov 2009; Hoffman & Gelman 2014, 3.2) */
typedef struct agni_dual {
    double mu, gap, log_mean;
    int64_t n;
} agni_dual;
void agni_dual_start(agni_dual *a, double step);
double agni_dual_next(agni_dual *a, double accept, double target); /* the next step size */
double agni_dual_mean(const agni_dual *a);

/* Running variances of draws and gradients (Welford 1962) */
typedef struct agni_spread {
    int64_t n;
    double *mean_q, *sum_q, *mean_g, *sum_g;
} agni_spread;

typedef struct agni_chain {
    agni_density *density;
    agni_stream stream;
    int64_t n;
    double step, *metric; /* inverse of the mass, by element */
    agni_phase z;
    double *work; /* all vectors of this chain */
    int max_depth, steps; /* steps: of HMC; 0: NUTS */
    double max_error;     /* of the energy within a step; 0: steps are not halved */
    /* of the last transition */
    double accept, energy;
    int depth;
    int64_t leapfrogs;
    bool divergent;
    double **level; /* vectors of each depth of a tree */
    bool warming;
    void *own; /* of the sampler */
} agni_chain;

/* A way from one point to the next. */
typedef struct agni_sampler {
    agn_status (*next)(agni_chain *c); /* the next point, in z */
    bool by_gradient; /* steps and metric are learnt; else next does so while it warms up */
    void *own;
} agni_sampler;
agn_status agni_next_hamiltonian(agni_chain *c);
/* sample.c: fills in defaults */
agn_status agni_check_options(const char *op, agn_nuts_options *o);
/* sample.c: chains on threads; opts are complete */
agn_status agni_run_chains(agn_dict **out, const char *op, const agn_model *m,
                           const agn_nuts_options *opts, const agni_sampler *by);
/* kinetic energy of p */
double agni_kinetic(const agni_chain *c, const double *p);
agn_status agni_leapfrog(agni_chain *c, agni_phase *z, double step, bool *finite);
void agni_draw_momentum(agni_chain *c, double *p);

enum { AGNI_LEVEL_VECTORS = 15 }; /* that a chain needs beside those of each depth */

#endif
