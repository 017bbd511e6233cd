/* bench/sparse.c - sparse Hessian and Jacobian of functions of many variables. */
#include "bench.h"

#include <agnesi/sparse_derivative.h>
#include <stdio.h>

typedef struct sparse {
    agn_fn *f;
    agn_tensor *x, *y;
} sparse;

static const agn_tensor *part(agn_scope *s, const agn_tensor *x, int64_t start,
                              int64_t stop)
{
    return ag_slice(s, x, 1, &start, &stop, NULL);
}

/* sum 100 (x[i + 1] - x[i]^2)^2 + (1 - x[i])^2 */
static agn_status rosenbrock(void *user, agn_scope *s, const agn_tensor *const *in,
                             const agn_tensor **out)
{
    (void)user;
    const agn_tensor *a = part(s, in[0], 0, -1), *b = part(s, in[0], 1, AGN_END);
    const agn_tensor *d = ag_square(s, ag_sub(s, b, ag_square(s, a)));
    const agn_tensor *e = ag_square(s, ag_sub_c(s, a, 1));
    out[0] = ag_sum_all(s, ag_add(s, ag_mul_c(s, d, 100), e));
    return agn_scope_status(s);
}

static const agn_tensor *laplacian(agn_scope *s, const agn_tensor *u)
{
    const agn_tensor *sum = ag_mul_c(s, u, -4);
    for (int k = 0; k < 4; k++) {
        int64_t by = k % 2 ? 1 : -1;
        int32_t axis = k / 2;
        sum = ag_add(s, sum, ag_roll(s, u, &by, &axis, 1));
    }
    return sum;
}

/* the right-hand side on a periodic grid; y [2, N, N] are u and v */
static agn_status brusselator(void *user, agn_scope *s, const agn_tensor *const *in,
                              const agn_tensor **out)
{
    (void)user;
    const agn_tensor *u = ag_index_axis(s, in[0], 0, 0),
                     *v = ag_index_axis(s, in[0], 0, 1);
    if (agn_scope_status(s))
        return agn_scope_status(s);
    double n = (double)agn_shape(u)[0], c = 0.02 * n * n;
    const agn_tensor *uuv = ag_mul(s, ag_mul(s, u, u), v), *d[2];
    d[0] = ag_sub(s, ag_add_c(s, uuv, 1), ag_mul_c(s, u, 4.4));
    d[0] = ag_add(s, d[0], ag_mul_c(s, laplacian(s, u), c));
    d[1] = ag_sub(s, ag_mul_c(s, u, 3.4), uuv);
    d[1] = ag_add(s, d[1], ag_mul_c(s, laplacian(s, v), c));
    out[0] = ag_stack(s, d, 2, 0);
    return agn_scope_status(s);
}

static void sparse_call(void *user)
{
    sparse *p = user;
    agn_release(p->y);
    p->y = NULL;
    TRY(agn_fn_call(&p->y, 1, p->f, (const agn_tensor *const *)&p->x, 1));
}
static int sparse_check(void *user, double *value)
{
    sparse *p = user;
    agn_tensor *v = NULL;
    TRY(agn_sparse_values(&v, p->y));
    const double *d = agn_data(v);
    value[0] = value[1] = 0;
    for (int64_t k = 0; k < agn_numel(v); k++) {
        value[0] += d[k];
        value[1] += d[k] * d[k];
    }
    agn_release(v);
    return 2;
}

static void run_sparse(const char *id, agn_body *body, bool hessian, agn_tensor *x,
                       const agn_sparse_options *opts)
{
    sparse p = {NULL, x, NULL};
    agn_fn *f = NULL;
    TRY(agn_fn_new(&f, body, NULL, NULL, 1, 1));
    TRY(hessian ? agn_fn_sparse_hessian(&p.f, f, 0, NULL, opts)
                : agn_fn_sparse_jacobian(&p.f, f, 0, NULL, opts));
    bench_measure(id, &(bench_work){sparse_call, sparse_check, &p, 0});
    if (bench_explain) {
        static char text[1 << 16];
        TRY(agn_fn_sparse_explain(text, sizeof text, NULL, p.f));
        fputs(text, stdout);
    }
    agn_fn_release(p.f);
    agn_fn_release(f);
    agn_release(p.y);
    agn_release(x);
}

void bench_sparse(void)
{
    static const agn_sparse_options coloured = {.size = sizeof coloured,
                                                .coloured = true};
    for (int c = 0; c < 2; c++) {
        const char *id = c ? "sparse/rosenbrock-hessian-coloured/n10000/f64"
                           : "sparse/rosenbrock-hessian/n10000/f64";
        if (bench_asked(id))
            run_sparse(id, rosenbrock, true,
                       bench_grid(1, (int64_t[]){10000}, -1, 1, 1, AGN_F64),
                       c ? &coloured : NULL);
        id = c ? "sparse/brusselator-jacobian-coloured/g64/f64"
               : "sparse/brusselator-jacobian/g64/f64";
        if (bench_asked(id)) {
            agn_tensor *y = NULL;
            const agn_tensor *uv[2] = {
                bench_grid(2, (int64_t[]){64, 64}, 0.5, 1.5, 1, AGN_F64),
                bench_grid(2, (int64_t[]){64, 64}, 2, 4, 2, AGN_F64)};
            TRY(agn_stack(&y, uv, 2, 0));
            run_sparse(id, brusselator, false, y, c ? &coloured : NULL);
            agn_release((agn_tensor *)(uintptr_t)uv[0]);
            agn_release((agn_tensor *)(uintptr_t)uv[1]);
        }
    }
}
