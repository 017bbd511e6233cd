/* sparse/direct/cpu/absent.c - the methods of a build without SuiteSparse: each fails and says so.
   */
#include "sparse/direct/direct.h"

static agn_status fail_absent(void **out, const char *op, const agni_pattern *p, int order)
{
    (void)out;
    return agni_fail(
        AGN_EUNSUPPORTED,
        "%s: this library was built without SuiteSparse (rows %lld, order %d)", op,
        (long long)p->rows, order);
}
const agni_method agni_cholesky = {.name = "cholesky", .analyse = fail_absent};
const agni_method agni_cholesky_lower = {.name = "cholesky_lower", .analyse = fail_absent};
const agni_method agni_ldl = {.name = "ldl", .analyse = fail_absent};
const agni_method agni_umfpack = {.name = "lu", .analyse = fail_absent};
const agni_method agni_klu = {.name = "klu", .analyse = fail_absent};
const agni_method agni_spqr = {.name = "qr", .analyse = fail_absent};
