/* bench/steps.h - training steps of networks: what a row of their table says. */
#ifndef AGNESI_BENCH_STEPS_H
#define AGNESI_BENCH_STEPS_H

#include "bench.h"

enum { BENCH_STEP_AXES = 10, BENCH_STEP_ARGS = 24 };

/* A network; features: inputs of its first layer in place of the axes, 0: the axes; beside, again:
   inputs beside those of the first layer, and of each later one. */
struct bench_step;
typedef const agn_tensor *bench_step_network(const struct bench_step *p, agn_scope *s,
                                             const agn_tensor *const *in, const agn_tensor *x);
typedef struct bench_step_kind {
    bench_step_network *apply;
    int features, beside, again;
    bool gates;
} bench_step_kind;
extern const bench_step_kind bench_step_plain, bench_step_residual, bench_step_gated,
    bench_step_fourier, bench_step_normalised, bench_step_distance, bench_step_skip,
    bench_step_bounded;

/* d: u and its derivatives in the order of the table, or what the operator gives; more: the
   arguments behind the points */
typedef const agn_tensor *bench_step_loss(const struct bench_step *p, agn_scope *s,
                                          const agn_tensor *const *d,
                                          const agn_tensor *const *more);
typedef agn_status bench_step_operator(agn_fn **out, const agn_fn *f, int32_t argnum);

typedef struct bench_step_row {
    const char *id;
    const bench_step_kind *kind;
    bench_activation *activation;
    int hidden, width, n_out, n_axis;
    int64_t points;
    bench_step_loss *loss;
    bench_step_operator *operator; /* or, if NULL: */
    int32_t n, alpha[2 * BENCH_STEP_AXES * BENCH_STEP_AXES];
    const char *more;   /* arguments behind the points: see fill_more */
    const char *dtypes; /* of f64 and f32 */
} bench_step_row;

typedef struct bench_step {
    bench_step_row r;
    agn_fn *derivatives, *call;
    agn_tensor *in[BENCH_STEP_ARGS], *out[BENCH_STEP_ARGS];
    int n_layer, n_param, n_in, n_train;
} bench_step;

extern const bench_step_row bench_step_rows[];
extern const size_t bench_n_step_rows;

#endif
