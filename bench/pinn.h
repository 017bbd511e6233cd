/* bench/pinn.h - a physics-informed network: its loss and what it is a function of. */
#ifndef AGNESI_BENCH_PINN_H
#define AGNESI_BENCH_PINN_H

#include "bench.h"

enum { MAX_LAYERS = 9, MAX_OUT = 2 * MAX_LAYERS + 1 };

typedef struct residuals residuals;
typedef struct pinn {
    const residuals *eq;
    bench_activation *activation; /* tanh, unless it is changed before the first call */
    int n_layer;
    agn_fn *u, *derivatives, *loss, *step;
    agn_tensor *in[MAX_OUT + 1]; /* parameters, then the points */
    agn_tensor *out[MAX_OUT];
    int n_param;
    int32_t argnums[MAX_OUT];
} pinn;

/* p stays where it is: its functions know it */
void pinn_open(pinn *p, const residuals *eq, int n_size, const int64_t *size, int64_t n,
               agn_dtype dtype);
void pinn_close(pinn *p);

extern const residuals pinn_burgers;
extern const int64_t pinn_deep[10];

#endif
