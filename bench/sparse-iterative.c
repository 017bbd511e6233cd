/* bench/sparse-iterative.c - conjugate gradients, and the smallest eigenvalues. */
#include "matrices.h"

#include <agnesi/eigen.h>
#include <agnesi/sparse_iterative.h>

typedef struct grid {
    agn_tensor *a, *b, *y;
} grid;

static void solve(void *user)
{
    grid *p = user;
    agn_release(p->y);
    p->y = NULL;
    TRY(agn_krylov_solve(&p->y, NULL, p->a, p->b, NULL,
                         &(agn_krylov_options){.size = sizeof(agn_krylov_options),
                                               .method = AGN_KRYLOV_CG,
                                               .rtol = 1e-10}));
}
static int solved(void *user, double *value)
{
    return bench_amount(((grid *)user)->y, value);
}

/* the factor is of this call: other values, as far as the library knows */
static void smallest(void *user)
{
    grid *p = user;
    agn_tensor *v = NULL, *copy = NULL, *a = NULL;
    agn_release(p->y);
    p->y = NULL;
    TRY(agn_sparse_values(&v, p->a));
    TRY(agn_copy(&copy, v));
    TRY(agn_sparse_with_values(&a, p->a, copy));
    TRY(agn_eigsh(&p->y, NULL, NULL, a, 10,
                  &(agn_eigen_options){.size = sizeof(agn_eigen_options),
                                       .which = AGN_EIGEN_NEAREST}));
    agn_release(v);
    agn_release(copy);
    agn_release(a);
}
static int found(void *user, double *value)
{
    const double *d = agn_data(((grid *)user)->y);
    value[0] = 0;
    for (int k = 0; k < 10; k++)
        value[0] += d[k];
    value[1] = d[0];
    value[2] = d[9];
    return 3;
}

void bench_sparse_iterative(void)
{
    static const struct {
        const char *id;
        void (*call)(void *user);
        int (*check)(void *user, double *value);
    } rows[] = {{"sparse/cg-1e-10/grid-300x300/f64", solve, solved},
                {"sparse/eigsh-10-smallest/grid-300x300/f64", smallest, found}};
    for (int k = 0; k < 2; k++) {
        if (!bench_asked(rows[k].id))
            continue;
        grid p = {.a = bench_laplacian(300, AGN_F64)};
        p.b = bench_mix(1, (int64_t[]){90000}, -1, 1, 5, AGN_F64);
        bench_measure(rows[k].id, &(bench_work){rows[k].call, rows[k].check, &p, 0});
        agn_release(p.a);
        agn_release(p.b);
        agn_release(p.y);
    }
}
