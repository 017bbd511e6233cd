/* minres.c - the least residual over Krylov spaces of a self-adjoint operator (Paige &
   Saunders 1975): Lanczos vectors, a plane rotation each, and three terms for the directions. A
   positive definite preconditioner changes the norm (Choi 2006, 3.1). */
#include "krylov/krylov.h"

#include <math.h>
#include <string.h>

typedef struct minres {
    agni_krylov *k;
    void *v, *r1, *r2, *y, *w, *w1, *w2;
    double beta;
} minres;

/* y = M^-1 r2 and beta^2 = <r2, y>; false where that is negative */
static bool apply_preconditioner(minres *q, int *reason)
{
    agni_krylov *k = q->k;
    if (!agni_krylov_precondition(k, q->r2, q->y))
        return false;
    double b2 = creal(agni_krylov_dot(k, k->n, q->r2, q->y));
    if (b2 < 0) {
        *reason = AGN_KRYLOV_INDEFINITE;
        agni_format(k->why, sizeof k->why,
                    "the preconditioner is not positive definite: its quadratic form is %.3g",
                    b2 * k->scale * k->scale);
        return false;
    }
    q->beta = sqrt(b2);
    return true;
}

static void rotate_three(void **a, void **b, void **c)
{
    void *t = *a;
    *a = *b;
    *b = *c;
    *c = t;
}

static int run_iterations(minres *q, double norm, void *x)
{
    agni_krylov *k = q->k;
    int reason = AGN_KRYLOV_RUNNING;
    int64_t n = k->n;
    double eps = agni_krylov_eps(k->dtype), size2 = 0, old = 0;
    double dbar = 0, epsln = 0, cs = -1, sn = 0;
    if (!apply_preconditioner(q, &reason))
        return reason;
    double phibar = q->beta, unit = norm / q->beta; /* of the norm that M gives to |r| */
    for (int64_t i = 0;; i++) {
        double beta = q->beta;
        agni_krylov_axpby(k, n, 1 / beta, q->y, 0, q->v);
        if (!agni_krylov_apply(k, false, q->v, q->y))
            return reason;
        if (i)
            agni_krylov_axpby(k, n, -beta / old, q->r1, 1, q->y);
        double alpha = creal(agni_krylov_dot(k, n, q->v, q->y));
        agni_krylov_axpby(k, n, -alpha / beta, q->r2, 1, q->y);
        rotate_three(&q->r1, &q->r2, &q->y); /* y is free now */
        size2 += alpha * alpha + beta * beta * (i > 0);
        old = beta;
        if (!apply_preconditioner(q, &reason))
            return reason;
        size2 += q->beta * q->beta;
        double oldeps = epsln, delta = cs * dbar + sn * alpha, gbar = sn * dbar - cs * alpha;
        epsln = sn * q->beta;
        dbar = -cs * q->beta;
        /* |A r| against |A| |r|: only the part of b out of the range of A is left */
        if (hypot(gbar, dbar) <= 4 * eps * sqrt(size2))
            return AGN_KRYLOV_LEAST;
        double gamma = hypot(gbar, q->beta);
        cs = gbar / gamma;
        sn = q->beta / gamma;
        rotate_three(&q->w1, &q->w2, &q->w); /* the two directions before move down */
        agni_krylov_axpby(k, n, 1 / gamma, q->v, 0, q->w);
        agni_krylov_axpby(k, n, -oldeps / gamma, q->w1, 1, q->w);
        agni_krylov_axpby(k, n, -delta / gamma, q->w2, 1, q->w);
        agni_krylov_axpby(k, n, cs * phibar, q->w, 1, x);
        phibar *= sn;
        if (!agni_krylov_step(k, fabs(phibar) * unit, &reason))
            return reason;
    }
}

int agni_krylov_minres(agni_krylov *k, const void *r0, void *x)
{
    void *room = agni_krylov_alloc(k, 7, k->n);
    if (!room)
        return AGN_KRYLOV_RUNNING;
    void *at[7];
    for (int i = 0; i < 7; i++) {
        at[i] = agni_krylov_vector_at(k, room, k->n, i);
        agni_krylov_zero(k, k->n, at[i]);
    }
    minres q = {k, at[0], at[1], at[2], at[3], at[4], at[5], at[6], 0};
    agni_krylov_zero(k, k->n, x);
    agni_krylov_copy(k, k->n, r0, q.r2);
    int reason = run_iterations(&q, agni_krylov_norm(k, k->n, r0), x);
    agni_krylov_free(k, room, 7, k->n);
    return reason;
}
