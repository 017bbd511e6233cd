/* bench/cost.c - what a derivative costs beside its function: both planned, called by turns, the
   least time of each. Limits: reverse mode 3 times a program that computes, forward mode 2.5
   times (of weights and data together a product takes three, which is the least that a product of
   two linear polynomials modulo t^2 can take: Winograd 1977; of the data alone two), a jet of
   order K (K + 1)(K + 2) / 2 products for one, the Laplacian of a network in D variables as much as
   the network at D + 2 points for each. */
#include "measure.h"
#include "task.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

typedef struct timed {
    agn_fn *f;
    agn_tensor *const *in;
    double best;
} timed;

static void call(timed *q)
{
    agn_tensor *out[64] = {NULL};
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    TRY(agn_fn_call(out, agn_fn_n_out(q->f), q->f, (const agn_tensor *const *)q->in,
                    agn_fn_n_in(q->f)));
    clock_gettime(CLOCK_MONOTONIC, &b);
    double ms = 1e3 * (double)(b.tv_sec - a.tv_sec) + 1e-6 * (double)(b.tv_nsec - a.tv_nsec);
    q->best = q->best > 0 && q->best < ms ? q->best : ms;
    for (int i = 0; i < agn_fn_n_out(q->f); i++)
        agn_release(out[i]);
}

/* takes df; in[] of f and of df */
static void compare(const char *id, const agn_fn *f, agn_tensor *const *in, agn_fn *df,
                    agn_tensor *const *din, double limit)
{
    enum { TURNS = 40 };
    timed one = {.in = in}, two = {.in = din};
    if (bench_asked(id)) {
        TRY(agn_fn_compile(&one.f, f, NULL));
        TRY(agn_fn_compile(&two.f, df, NULL));
        double spent = 0;
        for (int i = 0; i < TURNS && spent < 4e3; i++) {
            call(&one);
            call(&two);
            if (i == 0) /* traced and planned */
                one.best = two.best = 0;
            spent += one.best + two.best;
        }
        if (bench_json)
            printf("{\"id\": \"%s\", \"peer\": \"agnesi\", \"ms_min\": %.6f, \"of_ms_min\": %.6f, "
                   "\"ratio\": %.3f, \"at_most\": %g}\n",
                   id, two.best, one.best, two.best / one.best, limit);
        else
            printf("%-46s %11.5g ms  %.3g times %.5g ms, at most %g\n", id, two.best,
                   two.best / one.best, one.best, limit);
        fflush(stdout);
        bench_explained(two.f);
        agn_fn_release(one.f);
        agn_fn_release(two.f);
    }
    agn_fn_release(df);
}

/* f of its arguments from the n-th on; the others are held */
typedef struct held {
    const agn_fn *f;
    int n;
    agn_tensor *const *in;
} held;
static agn_status of_rest(void *user, agn_scope *s, const agn_tensor *const *in,
                          const agn_tensor **out)
{
    const held *h = user;
    const agn_tensor *a[16];
    for (int i = 0; i < agn_fn_n_in(h->f); i++)
        a[i] = i < h->n ? h->in[i] : in[i - h->n];
    return agn_fn_apply(s, out, agn_fn_n_out(h->f), h->f, a, agn_fn_n_in(h->f));
}
/* forward mode in the arguments of f from the n-th on */
static void forward_in_rest(const char *name, const agn_fn *f, int n, agn_tensor *const *in)
{
    char id[64];
    held h = {f, n, in};
    int m = agn_fn_n_in(f) - n;
    agn_fn *g = NULL, *dg = NULL;
    agn_tensor *with[2 * 16];
    for (int i = 0; i < m; i++)
        with[i] = with[m + i] = in[n + i];
    snprintf(id, sizeof id, "autograd/cost-jvp-data/%s", name);
    TRY(agn_fn_new(&g, of_rest, &h, NULL, m, 1));
    TRY(agn_fn_jvp(&dg, g));
    compare(id, g, in + n, dg, with, 2.5);
    agn_fn_release(g);
}

/* reverse and forward mode in the first n arguments of f */
static void both_modes(const char *name, const agn_fn *f, int n, agn_tensor *const *in)
{
    static const int32_t all[] = {0, 1, 2, 3, 4, 5, 6, 7};
    char id[64];
    agn_fn *df = NULL;
    agn_tensor *with[2 * 16];
    int m = agn_fn_n_in(f);
    snprintf(id, sizeof id, "autograd/cost-reverse/%s", name);
    TRY(agn_fn_value_and_grad(&df, f, all, n));
    compare(id, f, in, df, in, 3);
    for (int i = 0; i < m; i++)
        with[i] = with[m + i] = in[i];
    snprintf(id, sizeof id, "autograd/cost-jvp/%s", name);
    TRY(agn_fn_jvp(&df, f));
    compare(id, f, in, df, with, 2.5);
}

static void drop(agn_fn *f, agn_tensor **in, int n)
{
    for (int i = 0; i < n; i++)
        agn_release(in[i]);
    agn_fn_release(f);
}

/* ---- programs that compute ------------------------------------------------------------------- */

static agn_status network_loss(void *user, agn_scope *s, const agn_tensor *const *in,
                               const agn_tensor **out)
{
    (void)user;
    out[0] = ag_mean_all(s, ag_square(s, bench_network(s, in[6], in, 3)));
    return AGN_OK;
}
static agn_status rounds(void *user, agn_scope *s, const agn_tensor *const *in,
                         const agn_tensor **out)
{
    const agn_tensor *x = in[0];
    (void)user;
    for (int i = 0; i < 8; i++)
        x = ag_add(s, ag_mul(s, ag_exp(s, ag_neg(s, ag_square(s, x))), ag_sin(s, x)), in[1]);
    out[0] = ag_sum_all(s, x);
    return AGN_OK;
}
static agn_status solved(void *user, agn_scope *s, const agn_tensor *const *in,
                         const agn_tensor **out)
{
    (void)user;
    out[0] = ag_sum_all(s, ag_square(s, ag_linalg_solve(s, in[0], in[1])));
    return AGN_OK;
}
static agn_status step(void *user, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    out[0] = ag_tanh(s, ag_add(s, in[1], ag_matmul(s, in[0], *(const agn_tensor *const *)user)));
    return AGN_OK;
}
typedef struct recurrence {
    const agn_tensor *W;
    agn_fn *loop;
} recurrence;
static agn_status recurrent(void *user, agn_scope *s, const agn_tensor *const *in,
                            const agn_tensor **out)
{
    recurrence *r = user;
    const agn_tensor *a[] = {in[2], in[1]}, *y;
    r->W = in[0];
    agn_fn_apply(s, &y, 1, r->loop, a, 2);
    if (!agn_scope_status(s))
        out[0] = ag_sum_all(s, ag_square(s, y));
    return AGN_OK;
}

static void programs(void)
{
    static const int64_t size[] = {64, 256, 256, 1};
    agn_fn *f = NULL;
    agn_tensor *net[7] = {NULL};
    bench_parameters(net, 3, size, AGN_F64);
    net[6] = grid2(1024, 64, -1, 1, 1, AGN_F64);
    TRY(agn_fn_new(&f, network_loss, NULL, NULL, 7, 1));
    both_modes("network-64-256-256-1-b1024", f, 6, net);
    forward_in_rest("network-64-256-256-1-b1024", f, 6, net);
    drop(f, net, 7);
    agn_tensor *x[2] = {grid1(100000, -1, 1, 1, AGN_F64), grid1(100000, 0, 0.1, 2, AGN_F64)};
    TRY(agn_fn_new(&f, rounds, NULL, NULL, 2, 1));
    both_modes("elements-n100000", f, 2, x);
    drop(f, x, 2);
    agn_tensor *A[2] = {grid2(384, 384, -1, 1, 1, AGN_F64), grid1(384, -1, 1, 2, AGN_F64)};
    TRY(agn_fn_new(&f, solved, NULL, NULL, 2, 1));
    both_modes("solve-n384", f, 2, A);
    drop(f, A, 2);
    recurrence r = {NULL, NULL};
    agn_tensor *in[3] = {grid2(128, 128, -0.1, 0.1, 1, AGN_F64),
                         grid3(100, 64, 128, -1, 1, 2, AGN_F64), grid2(64, 128, -1, 1, 3, AGN_F64)};
    TRY(agn_fn_new(&f, step, &r.W, NULL, 2, 1));
    TRY(agn_fn_scan(&r.loop, f, 1, 0, 100, false));
    agn_fn_release(f);
    TRY(agn_fn_new(&f, recurrent, &r, NULL, 3, 1));
    both_modes("scan-t100-b64-h128", f, 3, in);
    forward_in_rest("scan-t100-b64-h128", f, 1, in);
    drop(f, in, 3);
    agn_fn_release(r.loop);
}

/* ---- jets of a product, the Laplacian ------------------------------------------------------- */

static agn_status product(void *user, agn_scope *s, const agn_tensor *const *in,
                          const agn_tensor **out)
{
    (void)user;
    out[0] = ag_matmul(s, in[0], in[1]);
    return AGN_OK;
}
static void jets(void)
{
    enum { MOST = 6 };
    agn_fn *f = NULL, *jet = NULL;
    agn_tensor *x[2 * (MOST + 1)];
    for (int k = 0; k <= MOST; k++)
        for (int i = 0; i < 2; i++)
            x[i * (MOST + 1) + k] = grid2(256, 256, -1, 1, 1 + 2 * k + i, AGN_F64);
    TRY(agn_fn_new(&f, product, NULL, NULL, 2, 1));
    for (int K = 1; K <= MOST; K++) {
        char id[64];
        agn_tensor *in[2] = {x[0], x[MOST + 1]}, *with[2 * (MOST + 1)];
        for (int k = 0; k <= K; k++) {
            with[k] = x[k];
            with[K + 1 + k] = x[MOST + 1 + k];
        }
        snprintf(id, sizeof id, "autograd/cost-jet%d/product-256", K);
        TRY(agn_fn_jet(&jet, f, K));
        compare(id, f, in, jet, with, (K + 1) * (K + 2) / 2.0);
    }
    drop(f, x, 2 * (MOST + 1));
}

static agn_status network(void *user, agn_scope *s, const agn_tensor *const *in,
                          const agn_tensor **out)
{
    (void)user;
    out[0] = bench_network(s, in[10], in, 5);
    return AGN_OK;
}
static void laplacian(int64_t d)
{
    enum { POINTS = 16, PARAMETERS = 10 };
    const int64_t size[] = {d, 768, 768, 512, 512, 1};
    char id[64];
    agn_fn *f = NULL, *l = NULL;
    agn_tensor *in[PARAMETERS + 1], *many[PARAMETERS + 1];
    snprintf(id, sizeof id, "autograd/cost-laplacian/d%lld", (long long)d);
    if (!bench_asked(id))
        return;
    bench_parameters(in, 5, size, AGN_F64);
    for (int i = 0; i < PARAMETERS; i++)
        many[i] = in[i];
    in[PARAMETERS] = grid2(POINTS, d, -1, 1, 1, AGN_F64);
    many[PARAMETERS] = grid2(POINTS * (d + 2), d, -1, 1, 1, AGN_F64);
    TRY(agn_fn_new(&f, network, NULL, NULL, PARAMETERS + 1, 1));
    TRY(agn_fn_laplacian(&l, f, PARAMETERS));
    compare(id, f, many, l, in, 1);
    agn_release(many[PARAMETERS]);
    drop(f, in, PARAMETERS + 1);
}

void bench_cost(void)
{
    programs();
    jets();
    laplacian(10);
    laplacian(50);
}
