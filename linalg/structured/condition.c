/* linalg/structured/condition.c - estimates of condition numbers: record and public function. */
#include "linalg/linalg.h"

#include <agnesi/ag.h>
#include <agnesi/linalg.h>
#include <string.h>

static agn_status infer_rcond(agni_call *c)
{
    const agn_tensor *a = c->in[0];
    agn_status st = agni_check_square(c->op->name, a);
    c->meta->dtype = a->dtype == AGN_C64 ? AGN_F32 : a->dtype == AGN_C128 ? AGN_F64 : a->dtype;
    c->meta->ndim = st ? 0 : a->ndim - 2;
    memcpy(c->meta->shape, a->shape, (size_t)c->meta->ndim * sizeof *a->shape);
    return st;
}

static agni_slots slots;
const agni_op agni_op_linalg_rcond = {
    .name = "linalg_rcond",
    .takes = "a",
    .cls = AGNI_DISCRETE,
    .nin = 1,
    .nout = 1,
    .dtypes = AGNI_FIELDS,
    .promote = 1,
    .ew = -1,
    .infer = infer_rcond,
    .cpu = agni_cpu_rcond,
    .batch = agni_batch_front,
    .slots = &slots,
    .lo = -2,
    .hi = 2,
    .doc = "estimate of the reciprocal condition number in the 1-norm"};

agn_status agn_linalg_rcond(agn_tensor **out, const agn_tensor *a)
{
    AGNI_NEED("linalg_rcond", out);
    AGNI_NEED("linalg_rcond", a);
    return agni_apply_public(out, &agni_op_linalg_rcond, NULL, 1, &a);
}
