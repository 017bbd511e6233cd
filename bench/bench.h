/* bench/bench.h - what the workloads of agnesi-bench share: inputs, clock, measuring. */
#ifndef AGNESI_BENCH_H
#define AGNESI_BENCH_H

#include <agnesi/agnesi.h>
#include <stdbool.h>

extern bool bench_explain; /* --explain: show plans */

#define TRY(call)             \
    do {                      \
        if (call)             \
            bench_die(#call); \
    } while (0)
void bench_die(const char *what);

/* a tensor of the n elements of v, which it takes */
agn_tensor *bench_tensor_of(double *v, agn_dtype dtype, int ndim, const int64_t *shape);
/* lo + (hi - lo) frac((i + 1 + 101 salt) phi), i in row-major order */
agn_tensor *bench_grid(int ndim, const int64_t *shape, double lo, double hi, int salt,
                       agn_dtype dtype);
/* n quasi-random points in [-1, 1] x [0, 1] */
agn_tensor *bench_points(int64_t n, agn_dtype dtype);

/* One workload. bound_ms: what memory and arithmetic of this machine allow, 0 where nobody
   counted. */
typedef struct bench_work {
    void (*call)(void *user);
    int (*check)(void *user, double *value);
    void *user;
    double bound_ms;
} bench_work;
bool bench_asked(const char *id);
void bench_measure(const char *id, const bench_work *w);
/* the work that is measured next runs f, compiled: its flops and bytes are told */
void bench_plan(const agn_fn *f, bool f32);

/* ms to move bytes or do flops on one core, as measured in this run */
double bench_bytes_ms(double bytes);
double bench_flops_ms(double flops, agn_dtype dtype);

/* sum |y| in f64 and y.flat[size / 3]; returns 2 */
int bench_both(const agn_tensor *y, double *value);

/* weights W_0, b_0, W_1, ... of a network of these sizes */
void bench_parameters(agn_tensor **in, int n_layer, const int64_t *size, agn_dtype dtype);
/* h <- activation(h W + b) after each layer but the last; bench_network has tanh */
typedef const agn_tensor *bench_activation(agn_scope *s, const agn_tensor *x);
const agn_tensor *bench_network_of(agn_scope *s, const agn_tensor *h,
                                   const agn_tensor *const *parameters, int n_layer,
                                   bench_activation *activation);
const agn_tensor *bench_network(agn_scope *s, const agn_tensor *h,
                                const agn_tensor *const *parameters, int n_layer);
/* contiguous, in f64 */
agn_tensor *bench_f64(const agn_tensor *x);
/* with --explain: the plan of f */
void bench_explained(const agn_fn *f);

void bench_pinn(void);
void bench_operator(void);
void bench_steps(void);
void bench_steps_networks(void);
void bench_eager(void);
void bench_autograd(void);
void bench_adbench(void);
void bench_hand(void);
void bench_cost(void);
void bench_tensor(void);
void bench_sparse(void);
void bench_sparse_products(void);
void bench_sparse_structure(void);
void bench_sparse_iterative(void);
void bench_optim(void);
void bench_sparse_solvers(void);
void bench_linalg(void);
void bench_geometric(void);
void bench_geometric_blocks(void);
void bench_fft(void);
void bench_audio(void);
void bench_distribution(void);
void bench_posteriors(void);

#endif
