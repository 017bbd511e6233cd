/* sparse/cpu/absent.c - what a build without SuiteSparse has in place of
   factorisations. */
#include "sparse/sparse.h"

agn_status agni_analysis_get(const agni_pattern *p, int64_t *size)
{
    (void)size;
    return agni_fail(
        AGN_EUNSUPPORTED,
        "sparse_solve: this library was built without SuiteSparse (order %lld)",
        (long long)p->rows);
}
void agni_analysis_free(agni_analysis *a)
{
    (void)a;
}
agn_status agni_cpu_factor(const agn_kernel_call *c)
{
    int64_t size;
    return agni_analysis_get(c->object, &size);
}
agn_status agni_cpu_factor_solve(const agn_kernel_call *c)
{
    int64_t size;
    return agni_analysis_get(c->object, &size);
}
