/* bench/task.h - a compiled function as a workload, and the same written by hand. */
#ifndef AGNESI_BENCH_TASK_H
#define AGNESI_BENCH_TASK_H

#include "bench.h"
#include "by-hand.h"

enum { MOST_IN = 8, MOST_OUT = 8 };

/* A compiled function, its arguments, and what its results are checked by. */
typedef struct task {
    agn_fn *step;
    agn_tensor *in[MOST_IN], *out[MOST_OUT];
    int n_in, n_out;
    int (*check)(const struct task *t, double *value);
} task;

/* measures the derivative df of f, and lets go of both */
void task_run(const char *id, task *t, agn_fn *f, agn_fn *df);
/* measures the same by hand under id-by-hand: results of so many elements of dtype */
void task_by_hand(const char *id, task *t, by_hand *f, const void *sizes, agn_dtype dtype,
                  int n_out, const int64_t *elements);
bool task_asked(const char *id); /* or its id-by-hand */
void task_close(task *t);        /* lets go of arguments and results */

agn_tensor *grid1(int64_t n, double lo, double hi, int salt, agn_dtype dtype);
agn_tensor *grid2(int64_t m, int64_t n, double lo, double hi, int salt, agn_dtype dtype);
agn_tensor *grid3(int64_t k, int64_t m, int64_t n, double lo, double hi, int salt,
                  agn_dtype dtype);

/* checks: the first result and the norm of the others; sums of squares; and pieces of them */
int value_and_norm(const task *t, double *value);
int each_square_sum(const task *t, double *value);
double square_sum(const agn_tensor *x);
double element(const agn_tensor *x, int64_t i);

#endif
