/* agnesi-bench - how long workloads take
 *
 *     agnesi-bench [--json] [--threads N] [--explain] [--calls N] [REGEX]
 *
 * One line per workload whose id matches: with --json an object of id, peer, version, ms
 * (median), ms_min, first_ms (first call, with tracing and planning), reps, threads, rss_mb,
 * bound_ms (what the measured bandwidth and arithmetic of one core allow, where they are
 * counted), check (numbers that any correct program must reproduce); where a plan runs also its
 * flops and bytes and the peak_gflops and peak_gbs measured beside. With --calls each workload
 * is called so often and nothing is measured, for tools that count. */
#include "bench.h"
#include "measure.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool bench_explain;

void bench_die(const char *what)
{
    fprintf(stderr, "agnesi-bench: %s: %s\n", what, agn_error_message());
    exit(1);
}

/* The linked BLAS has threads of its own; here they are as many as ours. */
static void blas_threads(int n)
{
    void *p = dlsym(RTLD_DEFAULT, "openblas_set_num_threads");
    void (*set)(int);
    memcpy(&set, &p, sizeof set);
    if (p && n > 0)
        set(n);
}

int main(int argc, char **argv)
{
    const char *pattern = "";
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--json")) {
            bench_json = true;
        } else if (!strcmp(argv[i], "--explain")) {
            bench_explain = true;
        } else if (!strcmp(argv[i], "--threads") && i + 1 < argc) {
            bench_threads = atoi(argv[++i]);
        } else if (!strcmp(argv[i], "--calls") && i + 1 < argc) {
            bench_calls = atoi(argv[++i]);
        } else if (argv[i][0] != '-') {
            pattern = argv[i];
        } else {
            fprintf(stderr, "usage: %s [--json] [--threads N] [--explain] [--calls N] [REGEX]\n",
                    argv[0]);
            return 2;
        }
    if (regcomp(&bench_wanted, pattern, REG_EXTENDED | REG_NOSUB)) {
        fprintf(stderr, "agnesi-bench: \"%s\" is no extended regular expression\n",
                pattern);
        return 2;
    }
    TRY(agn_threads_set(bench_threads));
    blas_threads(bench_threads);
    bench_pinn();
    bench_operator();
    bench_steps();
    bench_steps_networks();
    bench_eager();
    bench_autograd();
    bench_adbench();
    bench_cost();
    bench_tensor();
    bench_sparse();
    bench_sparse_products();
    bench_sparse_structure();
    bench_sparse_iterative();
    bench_optim();
    bench_sparse_solvers();
    bench_linalg();
    bench_geometric();
    bench_geometric_blocks();
    bench_fft();
    bench_audio();
    bench_distribution();
    bench_posteriors();
    regfree(&bench_wanted);
    return 0;
}
