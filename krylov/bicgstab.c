/* bicgstab.c - stabilised bi-conjugate gradients (van der Vorst 1992), the preconditioner on the
   right. It breaks down where a divisor vanishes; the driver then restarts it with another
   shadow vector. */
#include "krylov/krylov.h"

#include <math.h>
#include <string.h>

enum { R, SHADOW, P, P_HAT, V, S_HAT, STEP, VECTORS };

/* after a breakdown: another shadow vector, with random elements set to 0 */
static void drop_shadow_elements(agni_krylov *k, void *shadow)
{
    uint64_t bits = (uint64_t)k->breakdowns;
    for (int64_t i = 0; i < k->n; i++) {
        bits = bits * 6364136223846793005u + 1442695040888963407u; /* Knuth's MMIX */
        if (bits >> 63)
            agni_krylov_zero(k, 1, (char *)shadow + (size_t)i * agn_dtype_size(k->dtype));
    }
}

int agni_krylov_bicgstab(agni_krylov *k, const void *r0, void *x)
{
    int reason = AGN_KRYLOV_RUNNING;
    int64_t n = k->n;
    void *room = agni_krylov_alloc(k, VECTORS, n), *u[VECTORS];
    if (!room)
        return reason;
    for (int i = 0; i < VECTORS; i++)
        u[i] = agni_krylov_vector_at(k, room, n, i);
    agni_krylov_zero(k, n, x);
    agni_krylov_copy(k, n, r0, u[R]);
    agni_krylov_copy(k, n, r0, u[SHADOW]);
    agni_krylov_copy(k, n, r0, u[P]);
    if (k->breakdowns)
        drop_shadow_elements(k, u[SHADOW]);
    double tiny = agni_krylov_eps(k->dtype), shadow = agni_krylov_norm(k, n, u[SHADOW]), r, t2, now;
    agni_z rho = agni_krylov_dot(k, n, u[SHADOW], u[R]), alpha, omega, next;
    for (;;) {
        if (!agni_krylov_precondition(k, u[P], u[P_HAT]) ||
            !agni_krylov_apply(k, false, u[P_HAT], u[V]))
            break;
        agni_z sigma = agni_krylov_dot(k, n, u[SHADOW], u[V]);
        if (!(cabs(sigma) > tiny * tiny * shadow * agni_krylov_norm(k, n, u[V]))) {
            reason = isfinite(cabs(sigma)) ? AGN_KRYLOV_BREAKDOWN : AGN_KRYLOV_NOT_FINITE;
            break;
        }
        alpha = rho / sigma;
        agni_krylov_axpby(k, n, alpha, u[P_HAT], 1, x);
        r = agni_krylov_axpby_norm(k, n, -alpha, u[V], 1, u[R]);
        if (r <= k->target) {
            agni_krylov_step(k, r, &reason);
            break;
        }
        if (!agni_krylov_precondition(k, u[R], u[S_HAT]) ||
            !agni_krylov_apply(k, false, u[S_HAT], u[STEP]))
            break;
        t2 = creal(agni_krylov_dot(k, n, u[STEP], u[STEP]));
        omega = t2 > 0 ? agni_krylov_dot(k, n, u[STEP], u[R]) / t2 : 0;
        agni_krylov_axpby(k, n, omega, u[S_HAT], 1, x);
        now = agni_krylov_axpby_norm(k, n, -omega, u[STEP], 1, u[R]);
        if (!agni_krylov_step(k, now, &reason))
            break;
        next = agni_krylov_dot(k, n, u[SHADOW], u[R]);
        if (!(cabs(next) > tiny * shadow * now) || omega == 0) {
            reason = AGN_KRYLOV_BREAKDOWN;
            break;
        }
        agni_krylov_axpby(k, n, -omega, u[V], 1, u[P]);
        agni_krylov_axpby(k, n, 1, u[R], next / rho * (alpha / omega), u[P]);
        rho = next;
    }
    agni_krylov_free(k, room, VECTORS, n);
    return reason;
}
