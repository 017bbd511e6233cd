/* markov.c - a Gaussian Markov random field: how far its values hang together and how much they
   vary, by the gradient of the likelihood, whose determinant is that of a sparse matrix */
#include <agnesi/agnesi.h>
#include <math.h>
#include <stdio.h>

enum { SIDE = 30, CELLS = SIDE * SIDE, EDGES = 4 * SIDE * (SIDE - 1) };

/* the precision exp(t0) (exp(t1) + L), with the Laplacian L of the grid, user */
static const agn_tensor *precision(agn_scope *s, const agn_tensor *l, const agn_tensor *t)
{
    const int32_t first = 0;
    const agn_tensor *scale = ag_index_axis(s, ag_exp(s, t), first, 0);
    const agn_tensor *near = ag_index_axis(s, ag_exp(s, t), first, 1);
    static double diagonal[CELLS + EDGES];
    const double *v = agn_data(ag_sparse_values(s, l));
    const int64_t n = CELLS + EDGES;
    for (int e = 0; v && e < n; e++)
        diagonal[e] = v[e] > 0;
    const agn_tensor *one = ag_from_host(s, AGN_F64, 1, &n, diagonal);
    const agn_tensor *w = ag_add(s, ag_sparse_values(s, l), ag_mul(s, one, near));
    return ag_sparse_with_values(s, l, ag_mul(s, w, scale));
}

/* minus the log-likelihood of parameters in[0] for fields in[1], one a column */
static agn_status surprise(void *user, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    const agn_tensor *q = precision(s, user, in[0]);
    const agn_tensor *fit = ag_sum_all(s, ag_mul(s, in[1], ag_sparse_matmul(s, q, in[1])));
    const agn_tensor *det = ag_sparse_logdet(s, q, NULL);
    if (agn_scope_status(s))
        return agn_scope_status(s);
    double fields = (double)agn_shape(in[1])[1];
    out[0] = ag_mul_c(s, ag_sub(s, fit, ag_mul_c(s, det, fields)), 0.5);
    return agn_scope_status(s);
}

static const agn_tensor *laplacian(agn_scope *s)
{
    static int64_t begin[CELLS + 1], to[EDGES];
    int64_t n = 0, ends = CELLS + 1;
    for (int i = 0; i < CELLS; i++) {
        const int next[4] = {i >= SIDE ? i - SIDE : -1, i % SIDE ? i - 1 : -1,
                             (i + 1) % SIDE ? i + 1 : -1, i < CELLS - SIDE ? i + SIDE : -1};
        for (int m = 0; m < 4; m++)
            if (next[m] >= 0)
                to[n++] = next[m];
        begin[i + 1] = n;
    }
    const agn_tensor *one = ag_full(s, AGN_F64, 1, &n, 1);
    return ag_sparse_laplacian(s,
                               ag_sparse_csr(s, CELLS, CELLS,
                                             ag_from_host(s, AGN_I64, 1, &ends, begin),
                                             ag_from_host(s, AGN_I64, 1, &n, to), one),
                               false);
}

int main(void)
{
    const double truth[2] = {log(2.0), log(0.2)};
    const int64_t two = 2, shape[2] = {CELLS, 4};
    agn_generator *g = NULL;
    agn_tensor *key = NULL, *best = NULL, *h = NULL;
    agn_fn *f = NULL, *df = NULL, *H = NULL;
    agn_optim *o = NULL;
    agn_scope *s = agn_scope_open(NULL);
    agn_status st = agn_generator_new(&g, 7);
    st = st ? st : agn_key(&key, g);
    agn_scope_fail(s, st);
    /* fields of this law: L^-T z for the Cholesky factor of the precision, here a dense one */
    const agn_tensor *l = laplacian(s);
    const agn_tensor *q = precision(s, l, ag_from_host(s, AGN_F64, 1, &two, truth));
    const agn_tensor *c = ag_linalg_cholesky(s, ag_sparse_to_dense(s, q), true);
    const agn_tensor *z = ag_normal(s, key, AGN_F64, 2, shape);
    const agn_tensor *x = ag_linalg_triangular_solve(s, c, z, true);
    const agn_tensor *guess = ag_full(s, AGN_F64, 1, &two, 0);
    st = agn_scope_status(s);
    st = st ? st : agn_fn_new(&f, surprise, (void *)(uintptr_t)l, NULL, 2, 1);
    st = st ? st : agn_fn_value_and_grad(&df, f, NULL, 1);
    st = st ? st : agn_fn_hessian(&H, f, 0);
    st = st ? st : agn_optim_new(&o, AGN_OPTIM_BFGS, &guess, 1, NULL);
    st = st ? st : agn_optim_minimise(NULL, o, df, &x, 1, 50, NULL, NULL);
    st = st ? st : agn_optim_params(&best, 1, o);
    st = st ? st : agn_fn_call(&h, 1, H, AGN_ARGS(best, x));
    if (st)
        fprintf(stderr, "%s\n", agn_error_message());
    else {
        const double *t = agn_data(best), *v = agn_data(h);
        double det = v[0] * v[3] - v[1] * v[2];
        printf("log scale  %6.3f, found %6.3f +- %.3f\n", truth[0], t[0], sqrt(v[3] / det));
        printf("log range  %6.3f, found %6.3f +- %.3f\n", truth[1], t[1], sqrt(v[0] / det));
    }
    agn_tensor *all[] = {key, best, h};
    for (int i = 0; i < 3; i++)
        agn_release(all[i]);
    agn_optim_release(o);
    agn_fn *made[] = {f, df, H};
    for (int i = 0; i < 3; i++)
        agn_fn_release(made[i]);
    agn_generator_release(g);
    return agn_scope_close(s) || st;
}
