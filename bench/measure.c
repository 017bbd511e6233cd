/* bench/measure.c - how long a call takes, and what the machine allows. */
#include "bench.h"
#include "measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

bool bench_json;
int bench_calls;
int bench_threads = 1;
regex_t bench_wanted;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

bool bench_asked(const char *id)
{
    return regexec(&bench_wanted, id, 0, NULL, 0) == 0;
}

static const agn_fn *next_plan;
static bool next_f32;
void bench_plan(const agn_fn *f, bool f32)
{
    next_plan = f;
    next_f32 = f32;
}

/* what agn_plan_explain says of a plan and the machine */
typedef struct planned {
    double flops, bytes, ms, gflops64, gflops32, gbs;
} planned;

static bool read_plan(planned *p, const agn_fn *f)
{
    size_t need = 0;
    if (!f || agn_plan_explain(NULL, 0, &need, f))
        return false;
    char *text = malloc(need), *line = NULL;
    if (text && !agn_plan_explain(text, need, NULL, f))
        line = strstr(text, "bound: ");
    int n = line ? sscanf(line,
                          "bound: %lf flops, %lf bytes: %lf ms in one thread of this machine (%lf "
                          "Gflop/s f64, %lf f32, %lf GB/s)",
                          &p->flops, &p->bytes, &p->ms, &p->gflops64, &p->gflops32, &p->gbs)
                 : 0;
    free(text);
    return n == 6;
}

static void print_json(const char *id, const bench_work *w, const double *ts, int reps, double ms,
                       double first)
{
    double value[8];
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    int n = w->check(w->user, value);
    printf("{\"id\": \"%s\", \"peer\": \"agnesi\", \"version\": \"%s\", \"ms\": %.6f, "
           "\"ms_min\": %.6f, \"first_ms\": %.3f, \"reps\": %d, \"threads\": %d, "
           "\"rss_mb\": %ld, ",
           id, agn_version(), ms, 1e3 * ts[0], first * 1e3, reps, bench_threads,
           use.ru_maxrss / 1024);
    planned p;
    if (read_plan(&p, next_plan))
        printf("\"bound_ms\": %.6f, \"flops\": %.6g, \"bytes\": %.6g, \"peak_gflops\": %.4g, "
               "\"peak_gbs\": %.4g, ",
               p.ms, p.flops, p.bytes, next_f32 ? p.gflops32 : p.gflops64, p.gbs);
    else if (w->bound_ms > 0)
        printf("\"bound_ms\": %.6f, ", w->bound_ms);
    printf("\"check\": [");
    for (int i = 0; i < n; i++)
        printf("%s%.12g", i ? ", " : "", value[i]);
    printf("]}\n");
}

/* One call, then inner repetitions for at least 20 ms, 7 times or 2 s: as the peers' scripts. */
void bench_measure(const char *id, const bench_work *w)
{
    enum { REPS = 7 };
    for (int i = 0; i < bench_calls; i++)
        w->call(w->user);
    if (bench_calls)
        return;
    double t = now(), ts[REPS + 1];
    w->call(w->user);
    double first = now() - t;
    t = now();
    w->call(w->user);
    double once = now() - t, budget = 2;
    long inner = once > 0.02 ? 1 : (long)(0.02 / once) + 1;
    int reps = 0;
    for (double start = now(); reps < REPS && (reps == 0 || now() - start < budget); reps++) {
        t = now();
        for (long i = 0; i < inner; i++)
            w->call(w->user);
        ts[reps] = (now() - t) / (double)inner;
    }
    qsort(ts, (size_t)reps, sizeof *ts, by_value);
    double ms = 1e3 * (reps % 2 ? ts[reps / 2] : (ts[reps / 2 - 1] + ts[reps / 2]) / 2);
    if (bench_json)
        print_json(id, w, ts, reps, ms, first);
    else if (w->bound_ms > 0)
        printf("%-46s %11.5g ms  (first %.4g ms, bound %.4g ms)\n", id, ms, first * 1e3,
               w->bound_ms);
    else
        printf("%-46s %11.5g ms  (first %.4g ms)\n", id, ms, first * 1e3);
    fflush(stdout);
    next_plan = NULL;
}

void bench_explained(const agn_fn *f)
{
    size_t need = 0;
    if (!bench_explain)
        return;
    TRY(agn_plan_explain(NULL, 0, &need, f));
    char *text = malloc(need);
    if (!text)
        bench_die("memory");
    TRY(agn_plan_explain(text, need, NULL, f));
    fputs(text, stdout);
    free(text);
}

/* ---- the machine ------------------------------------------------------------------------ */

/* Best of several copies of arrays out of every cache, each byte counted read and written. */
double bench_bytes_ms(double bytes)
{
    enum { MIB = 128, TRIES = 7 };
    static double per_byte;
    if (per_byte == 0) {
        size_t n = (size_t)MIB << 20;
        char *a = malloc(n), *b = malloc(n);
        if (!a || !b)
            bench_die("memory");
        memset(a, 1, n);
        memset(b, 2, n);
        for (int i = 0; i < TRIES; i++) {
            double t = now();
            memcpy(i % 2 ? a : b, i % 2 ? b : a, n);
            t = 1e3 * (now() - t) / (2.0 * (double)n);
            per_byte = !i || t < per_byte ? t : per_byte;
        }
        free(a);
        free(b);
    }
    return bytes * per_byte;
}

/* Best of several products of matrices that fit a cache: the rate of the linked BLAS. */
double bench_flops_ms(double flops, agn_dtype dtype)
{
    enum { N = 512, TRIES = 9 };
    static double per_flop[AGN_NDTYPES];
    if (per_flop[dtype] == 0) {
        static const int64_t square[2] = {N, N};
        agn_tensor *a = bench_grid(2, square, -1, 1, 1, dtype), *y = NULL;
        TRY(agn_matmul(&y, a, a));
        for (int i = 0; i < TRIES; i++) {
            double t = now();
            TRY(agn_matmul_into(y, a, a));
            t = 1e3 * (now() - t) / (2.0 * N * N * N);
            per_flop[dtype] = !i || t < per_flop[dtype] ? t : per_flop[dtype];
        }
        agn_release(a);
        agn_release(y);
    }
    return flops * per_flop[dtype];
}
