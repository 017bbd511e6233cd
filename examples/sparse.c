/* sparse.c - heat in a rod: a tridiagonal system, and how its solution depends on each
   entry. */
#include <agnesi/agnesi.h>
#include <stdio.h>

int main(void)
{
    /* the lower triangle of tridiag(-1, 2, -1) */
    const int64_t indptr[] = {0, 1, 3, 5, 7}, columns[] = {0, 0, 1, 1, 2, 2, 3}, n = 4,
                  p = 5, e = 7;
    const double v[] = {2, -1, 2, -1, 2, -1, 2};
    agn_scope *s = agn_scope_open(NULL);
    agn_tensor *ptr = NULL, *col = NULL, *values = NULL, *w = NULL, *g = NULL;
    agn_status st = agn_from_host(&ptr, AGN_I64, 1, &p, indptr);
    st = st ? st : agn_from_host(&col, AGN_I64, 1, &e, columns);
    st = st ? st : agn_from_host(&values, AGN_F64, 1, &e, v);
    st = st ? st : agn_watch(&w, values);
    const agn_tensor *a = ag_sparse_csr(s, n, n, ptr, col, w);
    const agn_sparse_solver lower = {.size = sizeof lower, .method = AGN_SPARSE_CHOLESKY_LOWER};
    const agn_tensor *x = ag_sparse_solve_with(s, a, ag_full(s, AGN_F64, 1, &n, 1), &lower);
    const agn_tensor *sum = ag_sum_all(s, x);
    st = st ? st : agn_scope_status(s);
    st = st ? st : agn_gradient(&g, &sum, 1, (const agn_tensor *const *)&w, 1, NULL);
    char tx[80] = "", tg[120] = "";
    st = st ? st : agn_format(tx, sizeof tx, NULL, x);
    st = st ? st : agn_format(tg, sizeof tg, NULL, g);
    printf("x = %s\nd sum x / d entries = %s\n", tx, tg);
    agn_tensor *all[] = {ptr, col, values, w, g};
    for (int i = 0; i < 5; i++)
        agn_release(all[i]);
    return agn_scope_close(s) || st;
}
