/* bench/sparse-products.c - products with sparse matrices. */
#include "matrices.h"

#include <stdio.h>

typedef struct product {
    agn_tensor *a, *x, *w, *y; /* w: the second operand of sddmm */
    bool turned;
} product;

static void call(void *user)
{
    product *p = user;
    agn_release(p->y);
    p->y = NULL;
    TRY(p->turned ? agn_sparse_matmul_t(&p->y, p->a, p->x)
                  : agn_sparse_matmul(&p->y, p->a, p->x));
}
static int check(void *user, double *value)
{
    return bench_amount(((product *)user)->y, value);
}

static int entries_check(void *user, double *value)
{
    return bench_entries(((product *)user)->y, value);
}

static void run(const char *what, const char *matrix, agn_tensor *(*make)(agn_dtype),
                agn_dtype dtype, int64_t n, bool turned)
{
    char id[96];
    snprintf(id, sizeof id, "sparse/%s/%s/%s", what, matrix, agn_dtype_name(dtype));
    if (!bench_asked(id))
        return;
    product p = {.a = make(dtype), .turned = turned};
    int64_t rows = agn_shape(p.a)[0], nnz = 0;
    agn_tensor *v = NULL;
    TRY(agn_sparse_values(&v, p.a));
    nnz = agn_numel(v);
    agn_release(v);
    p.x = bench_mix(n ? 2 : 1, (int64_t[]){rows, n}, -1, 1, 5, dtype);
    double b = (double)agn_dtype_size(dtype), k = n ? (double)n : 1;
    double bytes = (double)nnz * (b + 4) + (double)rows * (4 + 2 * b * k);
    bench_measure(id, &(bench_work){call, check, &p, bench_bytes_ms(bytes)});
    agn_release(p.a);
    agn_release(p.x);
    agn_release(p.y);
}

static agn_tensor *laplacian(agn_dtype dtype)
{
    return bench_laplacian(1000, dtype);
}

/* the gradient of sum(A X * W) in the values is what is asked for, without the sum */
static void sampled(void *user)
{
    product *p = user;
    agn_release(p->y);
    p->y = NULL;
    TRY(agn_sparse_sddmm(&p->y, p->a, p->x, p->w));
}
static int sampled_check(void *user, double *value)
{
    product *p = user;
    agn_tensor *v = NULL;
    TRY(agn_sparse_values(&v, p->y));
    int n = bench_amount(v, value);
    agn_release(v);
    return n;
}

static agn_status sines(void *user, agn_scope *s, const agn_tensor *const *in,
                        const agn_tensor **out)
{
    const agn_tensor *a = ag_sparse_with_values(s, user, in[0]);
    out[0] = ag_sum_all(s, ag_sin(s, ag_sparse_matmul(s, a, in[1])));
    return agn_scope_status(s);
}
typedef struct gradient {
    agn_fn *f;
    agn_tensor *in[2], *out[3];
    int n_out;
} gradient;
static void gradient_call(void *user)
{
    gradient *g = user;
    for (int k = 0; k < g->n_out; k++) {
        agn_release(g->out[k]);
        g->out[k] = NULL;
    }
    TRY(agn_fn_call(g->out, agn_fn_n_out(g->f), g->f, (const agn_tensor *const *)g->in,
                    agn_fn_n_in(g->f)));
}
static int gradient_check(void *user, double *value)
{
    gradient *g = user;
    TRY(agn_item_f64(value, g->out[0]));
    for (int k = 1; k < g->n_out; k++)
        bench_amount(g->out[k], value + k);
    return g->n_out;
}

static void run_gradient(const char *id, bool value_only)
{
    if (!bench_asked(id))
        return;
    gradient g = {.n_out = value_only ? 1 : 3};
    agn_tensor *a = bench_powerlaw(AGN_F64);
    agn_fn *f = NULL, *d = NULL;
    TRY(agn_sparse_values(&g.in[0], a));
    g.in[1] = bench_mix(1, (int64_t[]){100000}, -1, 1, 5, AGN_F64);
    TRY(agn_fn_new(&f, sines, a, NULL, 2, 1));
    if (value_only)
        d = f, f = NULL;
    else
        TRY(agn_fn_value_and_grad(&d, f, (int32_t[]){0, 1}, 2));
    TRY(agn_fn_compile(&g.f, d, NULL));
    bench_measure(id, &(bench_work){gradient_call, gradient_check, &g, 0});
    agn_fn_release(g.f);
    agn_fn_release(d);
    agn_fn_release(f);
    for (int k = 0; k < 3; k++)
        agn_release(g.out[k]);
    agn_release(g.in[0]);
    agn_release(g.in[1]);
    agn_release(a);
}

void bench_sparse_products(void)
{
    run("spmv", "laplacian-1000x1000", laplacian, AGN_F64, 0, false);
    run("spmm32", "laplacian-1000x1000", laplacian, AGN_F64, 32, false);
    run("spmv-t", "laplacian-1000x1000", laplacian, AGN_F64, 0, true);
    for (int d = 0; d < 2; d++) {
        agn_dtype dtype = d ? AGN_F32 : AGN_F64;
        run("spmv", "powerlaw-100k", bench_powerlaw, dtype, 0, false);
        run("spmm64", "powerlaw-100k", bench_powerlaw, dtype, 64, false);
    }
    run("spmv-t", "powerlaw-100k", bench_powerlaw, AGN_F64, 0, true);
    if (bench_asked("sparse/sddmm64/powerlaw-100k/f32")) {
        int64_t shape[2] = {100000, 64};
        product p = {.a = bench_powerlaw(AGN_F32)};
        p.x = bench_mix(2, shape, -1, 1, 5, AGN_F32);
        p.w = bench_mix(2, shape, -1, 1, 6, AGN_F32);
        bench_measure("sparse/sddmm64/powerlaw-100k/f32",
                      &(bench_work){sampled, sampled_check, &p, 0});
        agn_release(p.a);
        agn_release(p.x);
        agn_release(p.w);
        agn_release(p.y);
    }
    if (bench_asked("sparse/spgemm/powerlaw-100k/f64")) {
        product p = {.a = bench_powerlaw(AGN_F64)};
        p.x = agn_retain(p.a);
        bench_measure("sparse/spgemm/powerlaw-100k/f64",
                      &(bench_work){call, entries_check, &p, 0});
        agn_release(p.a);
        agn_release(p.x);
        agn_release(p.y);
    }
    run_gradient("sparse/grad-spmv/powerlaw-100k/f64", false);
    run_gradient("sparse/value-spmv/powerlaw-100k/f64", true);
}
