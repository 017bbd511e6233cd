/* sparse/cpu/absent.c - what a build without SuiteSparse has in place of
   factorisations. */
#include "sparse/direct.h"

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

static agn_status analyse(void **out, const char *op, const agni_pattern *p, int order)
{
    (void)out;
    return agni_fail(
        AGN_EUNSUPPORTED,
        "%s: this library was built without SuiteSparse (rows %lld, order %d)", op,
        (long long)p->rows, order);
}
const agni_method agni_cholesky = {.name = "cholesky", .analyse = analyse};
const agni_method agni_ldl = {.name = "ldl", .analyse = analyse};
const agni_method agni_umfpack = {.name = "lu", .analyse = analyse};
const agni_method agni_klu = {.name = "klu", .analyse = analyse};
const agni_method agni_spqr = {.name = "qr", .analyse = analyse};
