/* graph/plan/cost.h - what a step must do at least, and how fast this machine does it. */
#ifndef AGNI_COST_H
#define AGNI_COST_H

#include "graph/memory/plan.h"

/* flops: two for each term of a product, one for each number that any other node makes,
   whatever it takes. bytes: each array that is read or written, once. */
typedef struct agni_cost {
    double flops, bytes;
    bool f32; /* the flops are of this dtype, else of f64 */
} agni_cost;
agni_cost agni_step_cost(const agni_plan *p, const agni_step *s);

/* of those of s, the ones of nodes that steps before it have computed; seen: of nodes, kept up */
double agni_repeated_flops(const agni_plan *p, const agni_step *s, bool *seen);

/* the pattern of sparse entries that a step is about, or NULL */
const agni_pattern *agni_step_pattern(const agni_step *s);

/* Of one thread, measured once per process: products of tiles, copies out of every cache. */
typedef struct agni_rates {
    double flops64, flops32, bytes; /* per second */
} agni_rates;
agn_status agni_rates_get(agni_rates *out, const char *op);

/* milliseconds that one thread needs at least: the roofline of Williams, Waterman & Patterson
   2009 */
double agni_bound_ms(const agni_cost *c, const agni_rates *r);

#endif
