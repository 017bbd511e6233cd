/* cg.c - conjugate gradients (Hestenes & Stiefel 1952), preconditioned. */
#include "krylov/krylov.h"

#include <math.h>
#include <string.h>

static int report_indefinite(agni_krylov *k, const char *what, agni_z v)
{
    if (!isfinite(creal(v)))
        return AGN_KRYLOV_NOT_FINITE;
    agni_format(k->why, sizeof k->why,
                "%s is not positive definite: its quadratic form is %.3g", what,
                creal(v) * k->scale * k->scale);
    return AGN_KRYLOV_INDEFINITE;
}

/* a self-adjoint operator gives real numbers, up to rounding */
static bool report_not_self_adjoint(agni_krylov *k, agni_z v)
{
    if (!(fabs(cimag(v)) > sqrt(agni_krylov_eps(k->dtype)) * fabs(creal(v))))
        return false;
    agni_format(k->why, sizeof k->why,
                "the operator is not self-adjoint: its quadratic form is %.3g%+.3gi",
                creal(v) * k->scale * k->scale, cimag(v) * k->scale * k->scale);
    return true;
}

int agni_krylov_cg(agni_krylov *k, const void *r0, void *x)
{
    int reason = AGN_KRYLOV_RUNNING;
    int64_t n = k->n;
    void *room = agni_krylov_alloc(k, 4, n);
    if (!room)
        return reason;
    void *r = room, *p = agni_krylov_vector_at(k, room, n, 1),
         *q = agni_krylov_vector_at(k, room, n, 2);
    void *z = k->m.apply ? agni_krylov_vector_at(k, room, n, 3) : r;
    agni_krylov_zero(k, n, x);
    agni_krylov_copy(k, n, r0, r);
    double rr = agni_krylov_norm(k, n, r), rz = rr * rr;
    for (bool first = true;; first = false) {
        double before = rz;
        if (k->m.apply) {
            if (!agni_krylov_precondition(k, r, z))
                break;
            agni_z v = agni_krylov_dot(k, n, r, z);
            rz = creal(v);
            if (!(rz > 0)) {
                reason = report_indefinite(k, "the preconditioner", v);
                break;
            }
        } else
            rz = rr * rr;
        agni_krylov_axpby(k, n, 1, z, first ? 0 : rz / before, p);
        if (!agni_krylov_apply(k, false, p, q))
            break;
        agni_z pq = agni_krylov_dot(k, n, p, q);
        if (!(creal(pq) > 0) || report_not_self_adjoint(k, pq)) {
            reason = creal(pq) > 0 ? AGN_KRYLOV_INDEFINITE
                                   : report_indefinite(k, "the operator", pq);
            break;
        }
        double alpha = rz / creal(pq);
        agni_krylov_axpby(k, n, alpha, p, 1, x);
        rr = agni_krylov_axpby_norm(k, n, -alpha, q, 1, r);
        if (!agni_krylov_step(k, rr, &reason))
            break;
    }
    agni_krylov_free(k, room, 4, n);
    return reason;
}
