/* linalg/forms/schur.c - Schur's and Hessenberg's forms: records and public functions. Neither is unique, and LAPACK's choice
   has no derivative here: it is refused by name. */
#include "linalg/linalg.h"

#include <agnesi/ag.h>
#include <agnesi/linalg.h>

static agn_status infer_form(agni_call *c)
{
    agn_status st = agni_check_square(c->op->name, c->in[0]);
    st = st ? st : agni_infer_same(c);
    if (!st)
        c->meta[1] = c->meta[0];
    return st;
}

static void refuse_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t, const agn_tensor **ty)
{
    (void)t, (void)ty;
    agn_scope_fail(s, agni_fail(AGN_EUNSUPPORTED,
                                "%s: no derivative of the form of %s: its basis is LAPACK's choice; functions of "
                                "matrices, linalg_eig and linalg_solve_sylvester have one",
                                r->op->name, AGNI_SHAPE(r->x[0])));
}

static agni_slots slots[2];
#define RECORD(op, number, text)                                           \
    const agni_op agni_op_linalg_##op = {.name = "linalg_" #op,            \
                                         .takes = "a",                     \
                                         .cls = AGNI_SOLVE,                \
                                         .nin = 1,                         \
                                         .nout = 2,                        \
                                         .dtypes = AGNI_FIELDS,            \
                                         .diff = 1,                        \
                                         .promote = 1,                     \
                                         .ew = -1,                         \
                                         .infer = infer_form,              \
                                         .cpu = agni_cpu_##op,             \
                                         .jvp = refuse_jvp,                \
                                         .batch = agni_batch_front,        \
                                         .slots = &slots[number],          \
                                         .lo = -2,                         \
                                         .hi = 2,                          \
                                         .doc = text}
RECORD(schur, 0, "a = z t z^H with t upper triangular, of a real matrix in blocks of at most 2");
RECORD(hessenberg, 1, "a = q h q^H with h 0 below the first subdiagonal");

static agn_status apply_form(const agni_op *op, agn_tensor **form, agn_tensor **basis, const agn_tensor *a)
{
    agn_tensor *y[2] = {NULL};
    agn_status st = agni_apply(op, NULL, 1, &a, 2, y);
    if (st)
        return st;
    *form = y[0];
    *basis = y[1];
    return AGN_OK;
}

agn_status agn_linalg_schur(agn_tensor **t, agn_tensor **z, const agn_tensor *a)
{
    AGNI_NEED("linalg_schur", t);
    AGNI_NEED("linalg_schur", z);
    AGNI_NEED("linalg_schur", a);
    return apply_form(&agni_op_linalg_schur, t, z, a);
}

agn_status agn_linalg_hessenberg(agn_tensor **h, agn_tensor **q, const agn_tensor *a)
{
    AGNI_NEED("linalg_hessenberg", h);
    AGNI_NEED("linalg_hessenberg", q);
    AGNI_NEED("linalg_hessenberg", a);
    return apply_form(&agni_op_linalg_hessenberg, h, q, a);
}
