/* agnesi-bench - how long workloads take
 *
 *     agnesi-bench [--json] [--threads N] [--explain] [REGEX]
 *
 * One line per workload whose id matches: with --json an object of id, peer, version, ms
 * (median), ms_min, first_ms (first call, with tracing and planning), reps, threads, rss_mb,
 * check (numbers that any correct program must reproduce). */
#include <agnesi/agnesi.h>
#include <agnesi/ag.h>

#include <math.h>
#include <regex.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static bool json, explain;
static int threads = 1;
static regex_t wanted;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void die(const char *what)
{
    fprintf(stderr, "agnesi-bench: %s: %s\n", what, agn_error_message());
    exit(1);
}
#define TRY(call)       \
    do {                \
        if (call)       \
            die(#call); \
    } while (0)

/* ---- inputs ------------------------------------------------------------------------------ */

static const double PHI = 0.6180339887498949;

/* lo + (hi - lo) frac((i + 1 + 101 salt) step), the product rounded by itself */
static void sequence(double *v, int64_t n, int64_t stride, double lo, double hi,
                     int salt, double step)
{
    for (int64_t i = 0; i < n; i++) {
        volatile double product = (double)(i + 1 + 101 * salt) * step;
        double whole, scaled = (hi - lo) * modf(product, &whole);
        v[i * stride] = lo + scaled;
    }
}

/* takes v */
static agn_tensor *tensor_of(double *v, agn_dtype dtype, int ndim, const int64_t *shape)
{
    agn_tensor *x = NULL, *y = NULL;
    TRY(agn_from_host(&x, AGN_F64, ndim, shape, v));
    TRY(agn_cast(&y, x, dtype));
    agn_release(x);
    free(v);
    return y;
}

static agn_tensor *grid(int ndim, const int64_t *shape, double lo, double hi, int salt,
                        agn_dtype dtype)
{
    int64_t n = 1;
    for (int d = 0; d < ndim; d++)
        n *= shape[d];
    double *v = malloc((size_t)(n ? n : 1) * sizeof *v);
    if (!v)
        die("memory");
    sequence(v, n, 1, lo, hi, salt, PHI);
    return tensor_of(v, dtype, ndim, shape);
}

static agn_tensor *points(int64_t n, agn_dtype dtype)
{
    double *v = malloc((size_t)(2 * n) * sizeof *v);
    if (!v)
        die("memory");
    sequence(v, n, 2, -1, 1, 1, 0.7548776662466927);
    sequence(v + 1, n, 2, 0, 1, 1, 0.5698402909980532);
    return tensor_of(v, dtype, 2, (int64_t[]){n, 2});
}

/* ---- measuring ------------------------------------------------------------------------------- */

/* the way of shared peers: one call, inner repetitions for at least 20 ms, 7 times or 2 s */
typedef void work(void *user);
typedef int checks(void *user, double *value);

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool asked(const char *id)
{
    return regexec(&wanted, id, 0, NULL, 0) == 0;
}

static void measure(const char *id, work *call, checks *check, void *user, double scale)
{
    enum { REPS = 7 };
    double t = now(), ts[REPS + 1], value[8];
    call(user);
    double first = now() - t;
    t = now();
    call(user);
    double once = now() - t, budget = 2;
    long inner = once > 0.02 ? 1 : (long)(0.02 / once) + 1;
    int reps = 0;
    for (double start = now(); reps < REPS && (reps == 0 || now() - start < budget);
         reps++) {
        t = now();
        for (long i = 0; i < inner; i++)
            call(user);
        ts[reps] = (now() - t) / (double)inner;
    }
    qsort(ts, (size_t)reps, sizeof *ts, by_value);
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    int n = check(user, value);
    double ms = scale * 1e3 *
                (reps % 2 ? ts[reps / 2] : (ts[reps / 2 - 1] + ts[reps / 2]) / 2);
    if (!json) {
        printf("%-40s %12.6g ms  (first %.4g ms)\n", id, ms, first * 1e3);
    } else {
        printf(
            "{\"id\": \"%s\", \"peer\": \"agnesi\", \"version\": \"%s\", \"ms\": %.6f, "
            "\"ms_min\": %.6f, \"first_ms\": %.3f, \"reps\": %d, \"threads\": %d, "
            "\"rss_mb\": %ld, \"check\": [",
            id, agn_version(), ms, scale * 1e3 * ts[0], first * 1e3, reps, threads,
            use.ru_maxrss / 1024);
        for (int i = 0; i < n; i++)
            printf("%s%.12g", i ? ", " : "", value[i]);
        printf("]}\n");
    }
    fflush(stdout);
}

/* ---- pinn ------------------------------------------------------------------------------------------ */

enum { MAX_LAYERS = 9, MAX_OUT = 2 * MAX_LAYERS + 1 };

typedef struct residuals {
    const char *name;
    int32_t orders[12]; /* alpha: two numbers for each derivative */
    int n;
    const agn_tensor *(*loss)(agn_scope *s, const agn_tensor *const *d);
} residuals;

typedef struct pinn {
    const residuals *eq;
    int n_layer;
    agn_fn *derivatives, *step;
    agn_tensor *in[MAX_OUT + 1]; /* parameters, then the points */
    agn_tensor *out[MAX_OUT];
    int n_param;
} pinn;

static agn_status network(void *user, agn_scope *s, const agn_tensor *const *in,
                          const agn_tensor **out)
{
    const pinn *p = user;
    const agn_tensor *h = in[p->n_param];
    for (int l = 0; l < p->n_layer; l++) {
        h = ag_add(s, ag_matmul(s, h, in[2 * l]), in[2 * l + 1]);
        if (l < p->n_layer - 1)
            h = ag_tanh(s, h);
    }
    out[0] = h;
    return AGN_OK;
}

static const agn_tensor *mean_square(agn_scope *s, const agn_tensor *r)
{
    return ag_mean_all(s, ag_square(s, r));
}
static const agn_tensor *plus(agn_scope *s, const agn_tensor *a, const agn_tensor *b)
{
    return ag_add(s, a, b);
}
static const agn_tensor *scale_by(agn_scope *s, const agn_tensor *a, double c)
{
    return ag_mul_c(s, a, c);
}
static const agn_tensor *times(agn_scope *s, const agn_tensor *a, const agn_tensor *b)
{
    return ag_mul(s, a, b);
}

/* d: u, then the derivatives in the order of the table */
static const agn_tensor *burgers(agn_scope *s, const agn_tensor *const *d)
{
    const agn_tensor *r = plus(s, d[2], times(s, d[0], d[1]));
    return mean_square(s, ag_sub(s, r, scale_by(s, d[3], 0.01 / acos(-1))));
}
static const agn_tensor *kdv(agn_scope *s, const agn_tensor *const *d)
{
    const agn_tensor *r = plus(s, d[2], times(s, d[0], d[1]));
    return mean_square(s, plus(s, r, scale_by(s, d[3], 0.022 * 0.022)));
}
static const agn_tensor *ks(agn_scope *s, const agn_tensor *const *d)
{
    const agn_tensor *r = plus(s, d[2], scale_by(s, times(s, d[0], d[1]), 100.0 / 16));
    r = plus(s, r, scale_by(s, d[3], 100.0 / 256));
    return mean_square(s, plus(s, r, scale_by(s, d[4], 100.0 / 65536)));
}
static const agn_tensor *column(agn_scope *s, const agn_tensor *x, int64_t j)
{
    return ag_index_axis(s, x, 1, j);
}
static const agn_tensor *momentum(agn_scope *s, const agn_tensor *const *d, int64_t j)
{
    const agn_tensor *r = plus(s, times(s, column(s, d[0], 0), column(s, d[1], j)),
                               times(s, column(s, d[0], 1), column(s, d[2], j)));
    r = plus(s, r, column(s, j ? d[2] : d[1], 2));
    const agn_tensor *lap = plus(s, column(s, d[3], j), column(s, d[4], j));
    return mean_square(s, ag_sub(s, r, ag_div_c(s, lap, 40)));
}
static const agn_tensor *ns2d(agn_scope *s, const agn_tensor *const *d)
{
    const agn_tensor *mass = plus(s, column(s, d[1], 0), column(s, d[2], 1));
    return plus(s, plus(s, momentum(s, d, 0), momentum(s, d, 1)), mean_square(s, mass));
}

static agn_status loss(void *user, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    const pinn *p = user;
    const agn_tensor *d[8];
    agn_fn_apply(p->derivatives, s, d, in);
    out[0] = agn_scope_status(s) ? NULL : p->eq->loss(s, d);
    return AGN_OK;
}

static void pinn_call(void *user)
{
    pinn *p = user;
    for (int i = 0; i <= p->n_param; i++) {
        agn_release(p->out[i]);
        p->out[i] = NULL;
    }
    TRY(agn_fn_call(p->step, p->out, (const agn_tensor *const *)p->in));
}

static int pinn_check(void *user, double *value)
{
    pinn *p = user;
    double norm = 0;
    for (int i = 0; i <= p->n_param; i++) {
        agn_tensor *y = NULL, *z = NULL;
        TRY(agn_cast(&y, p->out[i], AGN_F64));
        TRY(agn_contiguous(&z, y));
        const double *v = agn_data(z);
        for (int64_t k = 0; i && k < agn_numel(z); k++)
            norm += v[k] * v[k];
        if (!i)
            value[0] = v[0];
        agn_release(z);
        agn_release(y);
    }
    value[1] = sqrt(norm);
    return 2;
}

static void run_pinn(const char *id, const residuals *eq, int n_size,
                     const int64_t *size, int64_t n, agn_dtype dtype)
{
    pinn p = {.eq = eq, .n_layer = n_size - 1, .n_param = 2 * (n_size - 1)};
    if (!asked(id))
        return;
    for (int l = 0; l < p.n_layer; l++) {
        double a = sqrt(6.0 / (double)(size[l] + size[l + 1]));
        p.in[2 * l] = grid(2, size + l, -a, a, 10 + 2 * l, dtype);
        p.in[2 * l + 1] = grid(1, size + l + 1, -0.1, 0.1, 11 + 2 * l, dtype);
    }
    p.in[p.n_param] = points(n, dtype);
    agn_fn *u = NULL, *f = NULL, *g = NULL;
    int32_t argnums[MAX_OUT];
    for (int i = 0; i < p.n_param; i++)
        argnums[i] = i;
    TRY(agn_fn_new(&u, network, &p, NULL, p.n_param + 1, 1));
    TRY(agn_fn_partials(&p.derivatives, u, p.n_param, 2, eq->orders, eq->n));
    TRY(agn_fn_new(&f, loss, &p, NULL, p.n_param + 1, 1));
    TRY(agn_fn_value_and_grad(&g, f, argnums, p.n_param));
    TRY(agn_fn_compile(&p.step, g, NULL));
    measure(id, pinn_call, pinn_check, &p, 1);
    if (explain) {
        size_t need = 0;
        TRY(agn_plan_explain(NULL, 0, &need, p.step));
        char *text = malloc(need);
        if (!text)
            die("memory");
        TRY(agn_plan_explain(text, need, NULL, p.step));
        fputs(text, stdout);
        free(text);
    }
    for (int i = 0; i <= p.n_param; i++) {
        agn_release(p.out[i]);
        agn_release(p.in[i]);
    }
    agn_fn_release(p.step);
    agn_fn_release(g);
    agn_fn_release(f);
    agn_fn_release(p.derivatives);
    agn_fn_release(u);
}

static void bench_pinn(void)
{
    static const residuals eq_burgers = {"burgers", {1, 0, 0, 1, 2, 0}, 3, burgers};
    static const residuals eq_kdv = {"kdv", {1, 0, 0, 1, 3, 0}, 3, kdv};
    static const residuals eq_ks = {"ks", {1, 0, 0, 1, 2, 0, 4, 0}, 4, ks};
    static const residuals eq_ns2d = {"ns2d", {1, 0, 0, 1, 2, 0, 0, 2}, 4, ns2d};
    static const int64_t deep[] = {2, 20, 20, 20, 20, 20, 20, 20, 20, 1};
    static const int64_t wide64[] = {2, 64, 64, 64, 64, 1};
    static const int64_t wide256[] = {2, 256, 256, 256, 256, 1};
    static const int64_t six[] = {2, 30, 30, 30, 30, 30, 30, 1};
    static const int64_t five[] = {2, 50, 50, 50, 50, 50, 1};
    static const int64_t flow[] = {2, 50, 50, 50, 50, 50, 3};
    for (int64_t n = 100; n <= 100000; n *= 10)
        for (int f32 = 0; f32 < 2; f32++) {
            char id[64];
            snprintf(id, sizeof id, "pinn/burgers/n%lld/%s", (long long)n,
                     f32 ? "f32" : "f64");
            run_pinn(id, &eq_burgers, 10, deep, n, f32 ? AGN_F32 : AGN_F64);
        }
    run_pinn("pinn/wide64/n4096/f64", &eq_burgers, 6, wide64, 4096, AGN_F64);
    run_pinn("pinn/wide64/n4096/f32", &eq_burgers, 6, wide64, 4096, AGN_F32);
    run_pinn("pinn/wide256/n4096/f64", &eq_burgers, 6, wide256, 4096, AGN_F64);
    run_pinn("pinn/wide256/n4096/f32", &eq_burgers, 6, wide256, 4096, AGN_F32);
    run_pinn("pinn/kdv/n5000/f64", &eq_kdv, 8, six, 5000, AGN_F64);
    run_pinn("pinn/ks/n2048/f64", &eq_ks, 7, five, 2048, AGN_F64);
    run_pinn("pinn/ns2d/n4096/f64", &eq_ns2d, 7, flow, 4096, AGN_F64);
}

/* ---- eager ------------------------------------------------------------------------------------------- */

typedef struct eager {
    agn_tensor *x, *b, *y, *g;
    bool recording;
} eager;

static void add_call(void *user)
{
    eager *e = user;
    agn_tensor *x = NULL;
    if (e->recording)
        TRY(agn_watch(&x, e->x));
    else
        x = agn_retain(e->x);
    for (int i = 0; i < 1000; i++) {
        agn_tensor *y = NULL;
        TRY(agn_add(&y, x, e->b));
        agn_release(x);
        x = y;
    }
    agn_release(e->y);
    e->y = x;
}
static double total(const agn_tensor *x, bool square)
{
    agn_tensor *y = NULL;
    double sum = 0;
    TRY(agn_contiguous(&y, x));
    const double *v = agn_data(y);
    for (int64_t i = 0; i < agn_numel(y); i++)
        sum += square ? v[i] * v[i] : v[i];
    agn_release(y);
    return sum;
}
static int add_check(void *user, double *value)
{
    value[0] = total(((eager *)user)->y, false);
    return 1;
}

static void grad_call(void *user)
{
    eager *e = user;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x0 = ag_watch(s, e->x), *x = x0;
    for (int i = 0; i < 50; i++)
        x = ag_mul(s, ag_sin(s, x), e->b);
    const agn_tensor *v = ag_sum_all(s, x);
    agn_tensor *g = NULL;
    if (!agn_scope_status(s)) {
        agn_status st = agn_gradient(&g, &v, 1, &x0, 1, NULL);
        agn_scope_adopt(s, st, agn_retain(g));
    }
    agn_release(e->y);
    agn_release(e->g);
    e->y = NULL;
    e->g = g;
    agn_scope_return(s, &e->y, v);
    TRY(agn_scope_close(s));
}
static int grad_check(void *user, double *value)
{
    eager *e = user;
    value[0] = total(e->y, false);
    value[1] = sqrt(total(e->g, true));
    return 2;
}

static void bench_eager(void)
{
    static const int64_t four[] = {4};
    for (int recording = 0; recording < 2; recording++) {
        const char *id = recording ? "eager/add4x1000-recording/f64"
                                   : "eager/add4x1000/f64";
        if (!asked(id))
            continue;
        eager e = {grid(1, four, 0, 1, 1, AGN_F64), grid(1, four, 0, 1e-3, 2, AGN_F64),
                   NULL, NULL, recording};
        measure(id, add_call, add_check, &e, 1); /* ms of 1000 = microseconds of one */
        agn_release(e.x);
        agn_release(e.b);
        agn_release(e.y);
    }
    if (asked("eager/grad100/f64")) {
        eager e = {grid(1, four, 0.5, 1, 3, AGN_F64), grid(1, four, 1, 1.1, 4, AGN_F64),
                   NULL, NULL, true};
        measure("eager/grad100/f64", grad_call, grad_check, &e, 1);
        agn_release(e.x);
        agn_release(e.b);
        agn_release(e.y);
        agn_release(e.g);
    }
}

/* ---- tensor -------------------------------------------------------------------------------------------- */

typedef struct simple {
    agn_tensor *a, *b, *y;
    agn_fn *f;
} simple;

static agn_status chain_body(void *user, agn_scope *s, const agn_tensor *const *in,
                             const agn_tensor **out)
{
    const agn_tensor *x = in[0];
    (void)user;
    out[0] = ag_add(s, ag_mul(s, ag_exp(s, ag_neg(s, ag_mul(s, x, x))), ag_sin(s, x)),
                    ag_mul_c(s, x, 0.5));
    return AGN_OK;
}
static agn_status add_body(void *user, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    (void)user;
    out[0] = ag_add(s, in[0], in[1]);
    return AGN_OK;
}
static void call_fresh(void *user)
{
    simple *q = user;
    agn_release(q->y);
    q->y = NULL;
    const agn_tensor *in[2] = {q->a, q->b};
    TRY(agn_fn_call(q->f, &q->y, in));
}
static void call_into(void *user)
{
    simple *q = user;
    const agn_tensor *in[2] = {q->a, q->b};
    TRY(agn_fn_call_into(q->f, &q->y, in));
}
static void call_matmul(void *user)
{
    simple *q = user;
    agn_release(q->y);
    q->y = NULL;
    TRY(agn_matmul(&q->y, q->a, q->b));
}
/* sum |y|, y.flat[size / 3] */
static int array_check(void *user, double *value)
{
    agn_tensor *y = NULL;
    TRY(agn_cast(&y, ((simple *)user)->y, AGN_F64));
    const double *v = agn_data(y);
    value[0] = 0;
    for (int64_t i = 0; i < agn_numel(y); i++)
        value[0] += fabs(v[i]);
    value[1] = v[agn_numel(y) / 3];
    agn_release(y);
    return 2;
}

static void bench_tensor(void)
{
    for (int f32 = 0; f32 < 2; f32++) {
        agn_dtype dtype = f32 ? AGN_F32 : AGN_F64;
        const char *tail = f32 ? "f32" : "f64";
        char id[64];
        agn_fn *f = NULL;
        for (int64_t n = 10000; n <= 10000000; n = n == 10000 ? 1000000 : 10 * n) {
            snprintf(id, sizeof id, "tensor/chain/n%lld/%s", (long long)n, tail);
            if (!asked(id))
                continue;
            simple q = {grid(1, &n, -3, 3, 1, dtype), NULL, NULL, NULL};
            TRY(agn_fn_new(&f, chain_body, NULL, NULL, 1, 1));
            TRY(agn_fn_compile(&q.f, f, NULL));
            measure(id, call_fresh, array_check, &q, 1);
            agn_fn_release(f);
            agn_fn_release(q.f);
            agn_release(q.a);
            agn_release(q.y);
        }
        snprintf(id, sizeof id, "tensor/add-out/n16000000/%s", tail);
        if (asked(id)) {
            int64_t n = 16000000;
            simple q = {grid(1, &n, 0, 1, 1, dtype), grid(1, &n, 0, 1, 2, dtype), NULL,
                        NULL};
            TRY(agn_empty(&q.y, dtype, 1, &n, AGN_CPU));
            TRY(agn_fn_new(&f, add_body, NULL, NULL, 2, 1));
            TRY(agn_fn_compile(&q.f, f, NULL));
            measure(id, call_into, array_check, &q, 1);
            agn_fn_release(f);
            agn_fn_release(q.f);
            agn_release(q.a);
            agn_release(q.b);
            agn_release(q.y);
        }
        for (int64_t n = 64; n <= 1024; n *= 4) {
            snprintf(id, sizeof id, "tensor/matmul/%lld/%s", (long long)n, tail);
            if (!asked(id))
                continue;
            int64_t shape[2] = {n, n};
            simple q = {grid(2, shape, -1, 1, 1, dtype),
                        grid(2, shape, -1, 1, 2, dtype), NULL, NULL};
            /* grid(n^2, -1, 1, .): the definition of tensor/matmul */
            measure(id, call_matmul, array_check, &q, 1);
            agn_release(q.a);
            agn_release(q.b);
            agn_release(q.y);
        }
    }
}

int main(int argc, char **argv)
{
    const char *pattern = "";
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--json")) {
            json = true;
        } else if (!strcmp(argv[i], "--explain")) {
            explain = true;
        } else if (!strcmp(argv[i], "--threads") && i + 1 < argc) {
            threads = atoi(argv[++i]);
        } else if (argv[i][0] != '-') {
            pattern = argv[i];
        } else {
            fprintf(stderr, "usage: %s [--json] [--threads N] [--explain] [REGEX]\n",
                    argv[0]);
            return 2;
        }
    if (regcomp(&wanted, pattern, REG_EXTENDED | REG_NOSUB)) {
        fprintf(stderr, "agnesi-bench: \"%s\" is no extended regular expression\n",
                pattern);
        return 2;
    }
    TRY(agn_threads_set(threads));
    bench_pinn();
    bench_eager();
    bench_tensor();
    regfree(&wanted);
    return 0;
}
