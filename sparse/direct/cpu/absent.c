/* sparse/direct/cpu/absent.c - what a build without SuiteSparse has in place of
   factorisations. */
#include "sparse/direct/direct.h"

static agn_status analyse(void **out, const char *op, const agni_pattern *p, int order)
{
    (void)out;
    return agni_fail(
        AGN_EUNSUPPORTED,
        "%s: this library was built without SuiteSparse (rows %lld, order %d)", op,
        (long long)p->rows, order);
}
const agni_method agni_cholesky = {.name = "cholesky", .analyse = analyse};
const agni_method agni_cholesky_lower = {.name = "cholesky_lower", .analyse = analyse};
const agni_method agni_ldl = {.name = "ldl", .analyse = analyse};
const agni_method agni_umfpack = {.name = "lu", .analyse = analyse};
const agni_method agni_klu = {.name = "klu", .analyse = analyse};
const agni_method agni_spqr = {.name = "qr", .analyse = analyse};
