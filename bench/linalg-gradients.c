/* bench/linalg-gradients.c - values and gradients of scalars made of factorisations. Inputs as in
   bench/linalg.c. */
#include "linalg.h"
#include "task.h"

#include <agnesi/ag.h>
#include <agnesi/linalg.h>
#include <math.h>
#include <string.h>

#define BODY(NAME) \
    static agn_status NAME(void *user, agn_scope *s, const agn_tensor *const *in, \
                           const agn_tensor **out)

static const agn_tensor *sum_of_product(agn_scope *s, const agn_tensor *a, const agn_tensor *b)
{
    return ag_sum_all(s, ag_mul(s, a, b));
}

BODY(cholesky_form)
{
    (void)user;
    const agn_tensor *l = ag_linalg_cholesky(s, in[0], false);
    const agn_tensor *v = ag_linalg_triangular_solve(s, l, in[1], false);
    const agn_tensor *logs = ag_sum_all(s, ag_log(s, ag_diagonal(s, l, 0, -2, -1)));
    out[0] = ag_add(s, ag_add(s, logs, logs), sum_of_product(s, v, v));
    return AGN_OK;
}
BODY(solved)
{
    (void)user;
    out[0] = ag_sum_all(s, ag_sin(s, ag_linalg_solve(s, in[0], in[1])));
    return AGN_OK;
}
BODY(eigenvalues)
{
    agn_tensor *w = NULL, *v = NULL;
    (void)user;
    agn_status st = agn_linalg_eigh(&w, &v, in[0], false);
    const agn_tensor *W = agn_scope_adopt(s, st, &w);
    agn_scope_adopt(s, st, &v);
    out[0] = sum_of_product(s, W, in[1]);
    return st;
}
typedef struct svd_parts {
    const agn_tensor *u, *s, *vh;
} svd_parts;
static agn_status decompose(svd_parts *p, agn_scope *s, const agn_tensor *a)
{
    agn_tensor *u = NULL, *w = NULL, *vh = NULL;
    agn_status st = agn_linalg_svd(&u, &w, &vh, a, false);
    p->u = agn_scope_adopt(s, st, &u);
    p->s = agn_scope_adopt(s, st, &w);
    p->vh = agn_scope_adopt(s, st, &vh);
    return st;
}
BODY(singular_values)
{
    svd_parts p;
    (void)user;
    agn_status st = decompose(&p, s, in[0]);
    out[0] = sum_of_product(s, p.s, in[1]);
    return st;
}
BODY(singular_vectors)
{
    svd_parts p;
    (void)user;
    agn_status st = decompose(&p, s, in[0]);
    out[0] = sum_of_product(s, ag_matmul(s, ag_mul(s, p.u, ag_sin(s, p.s)), p.vh), in[1]);
    return st;
}
BODY(orthonormal)
{
    agn_tensor *q = NULL, *r = NULL;
    (void)user;
    agn_status st = agn_linalg_qr(&q, &r, in[0], false);
    const agn_tensor *Q = agn_scope_adopt(s, st, &q), *R = agn_scope_adopt(s, st, &r);
    out[0] = ag_add(s, sum_of_product(s, ag_sin(s, ag_mul(s, R, R)), in[1]),
                    sum_of_product(s, ag_mul(s, Q, Q), in[1]));
    return st;
}
BODY(exponential)
{
    (void)user;
    out[0] = sum_of_product(s, ag_linalg_matrix_exp(s, in[0]), in[1]);
    return AGN_OK;
}
/* of a Gaussian process; in: logarithms of length, scale and noise; squares of distances; values */
BODY(likelihood)
{
    (void)user;
    const agn_tensor *two = ag_full(s, AGN_F64, 0, NULL, 2.0), *t[3];
    for (int k = 0; k < 3; k++)
        t[k] = ag_mul(s, two, ag_index_axis(s, in[0], 0, k));
    const agn_tensor *d = ag_mul(s, ag_mul(s, in[1], ag_full(s, AGN_F64, 0, NULL, -0.5)),
                                 ag_exp(s, ag_neg(s, t[0])));
    agn_tensor *eye = NULL;
    agn_status st = agn_eye(&eye, AGN_F64, agn_shape(in[1])[0], agn_shape(in[1])[0], 0);
    const agn_tensor *one = agn_scope_adopt(s, st, &eye);
    const agn_tensor *k = ag_add(s, ag_exp(s, ag_add(s, d, t[1])), ag_mul(s, ag_exp(s, t[2]), one));
    const agn_tensor *l = ag_linalg_cholesky(s, k, false);
    const agn_tensor *v = ag_linalg_triangular_solve(s, l, in[2], false);
    const double n = (double)agn_shape(in[1])[0];
    const agn_tensor *logs = ag_sum_all(s, ag_log(s, ag_diagonal(s, l, 0, -2, -1)));
    out[0] = ag_sub(
        s, ag_sub(s, ag_mul(s, ag_full(s, AGN_F64, 0, NULL, -0.5), sum_of_product(s, v, v)), logs),
        ag_full(s, AGN_F64, 0, NULL, n / 2 * log(2 * 3.14159265358979323846)));
    return st;
}

/* ---- checks ------------------------------------------------------------------------------ */

static int value_and_sums(const task *t, double *value)
{
    value[0] = element(t->out[0], 0);
    for (int i = 1; i < t->n_out; i++)
        value[i] = bench_sum_abs(t->out[i]);
    return t->n_out;
}
/* libraries differ in whether the gradient in a symmetric matrix is symmetric: its symmetric part
   is compared */
static int value_and_symmetric(const task *t, double *value)
{
    agn_tensor *turned = NULL, *sum = NULL;
    value_and_sums(t, value);
    TRY(agn_swapaxes(&turned, t->out[1], -2, -1));
    TRY(agn_add(&sum, turned, t->out[1]));
    value[1] = bench_sum_abs(sum) / 2;
    agn_release(sum);
    agn_release(turned);
    return t->n_out;
}
static int value_and_three(const task *t, double *value)
{
    value[0] = element(t->out[0], 0);
    for (int k = 0; k < 3; k++)
        value[1 + k] = element(t->out[1], k);
    return 4;
}

/* ---- all ---- */

typedef struct gradient {
    const char *id;
    agn_body *body;
    matrix_kind kind, other;   /* of in[0] and in[1] */
    int64_t batch, n, columns; /* columns of in[1]; 0: it is 0, 1, ... n - 1 */
    int n_wanted;
    int (*check)(const task *t, double *value);
} gradient;

static const gradient gradients[] = {
    {"linalg/grad-logdet-quad-cholesky/500/f64", cholesky_form, SPD, PLAIN, 1, 500, 1, 2,
     value_and_symmetric},
    {"linalg/grad-solve/500/f64", solved, WELL, PLAIN, 1, 500, 1, 2, value_and_sums},
    {"linalg/grad-eigh/200/f64", eigenvalues, SYM, PLAIN, 1, 200, 0, 1, value_and_symmetric},
    {"linalg/grad-svd/200/f64", singular_values, PLAIN, PLAIN, 1, 200, 0, 1, value_and_sums},
    {"linalg/grad-svd-uv/200/f64", singular_vectors, WELL, PLAIN, 1, 200, 200, 1, value_and_sums},
    {"linalg/grad-qr/200/f64", orthonormal, WELL, PLAIN, 1, 200, 200, 1, value_and_sums},
    {"linalg/grad-expm/100/f64", exponential, THIN, PLAIN, 1, 100, 100, 1, value_and_sums},
    {"linalg/grad-batched-solve/10000x4x4/f64", solved, WELL, PLAIN, 10000, 4, 1, 2,
     value_and_sums},
};

static agn_tensor *counted(int64_t n)
{
    agn_tensor *x = NULL;
    TRY(agn_arange(&x, AGN_F64, 0, (double)n, 1));
    return x;
}

static void measure_gradient(const char *id, task *t, agn_body *body, int n_in, int n_wanted)
{
    static const int32_t wanted[] = {0, 1};
    agn_fn *f = NULL, *df = NULL;
    TRY(agn_fn_new(&f, body, NULL, NULL, n_in, 1));
    TRY(agn_fn_value_and_grad(&df, f, wanted, n_wanted));
    task_run(id, t, f, df);
    task_close(t);
}

static void run_process(void)
{
    enum { N = 1000 };
    if (!bench_asked("linalg/gp-lml-grad/1000/f64"))
        return;
    agn_tensor *x = bench_mixed(3 * N, 0, 1, 7);
    const double *p = agn_data(x);
    agn_tensor *d = bench_matrices(PLAIN, AGN_F64, 1, N, N, 0),
               *y = bench_matrices(PLAIN, AGN_F64, 1, N, 1, 0);
    void *square_of = NULL, *value_of = NULL;
    TRY(agn_data_mut(&square_of, d));
    TRY(agn_data_mut(&value_of, y));
    double *square = square_of, *v = value_of;
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            square[i * N + j] = 0;
            for (int k = 0; k < 3; k++)
                square[i * N + j] += (p[3 * i + k] - p[3 * j + k]) * (p[3 * i + k] - p[3 * j + k]);
        }
        v[i] = sin(6 * p[3 * i]) + p[3 * i + 1] * p[3 * i + 2];
    }
    const double start[] = {log(0.5), log(1.0), log(0.1)};
    task t = {.in = {NULL, d, y}, .check = value_and_three};
    TRY(agn_from_host(&t.in[0], AGN_F64, 1, (int64_t[]){3}, start));
    measure_gradient("linalg/gp-lml-grad/1000/f64", &t, likelihood, 3, 1);
    agn_release(x);
}

void bench_linalg_gradients(void)
{
    for (size_t k = 0; k < sizeof gradients / sizeof *gradients; k++) {
        const gradient *g = gradients + k;
        if (!bench_asked(g->id))
            continue;
        task t = {.check = g->check};
        t.in[0] = bench_matrices(g->kind, AGN_F64, g->batch, g->n, g->n, 0);
        t.in[1] = g->columns ? bench_matrices(g->other, AGN_F64, g->batch, g->n, g->columns, 5)
                             : counted(g->n);
        measure_gradient(g->id, &t, g->body, 2, g->n_wanted);
    }
    run_process();
}
