/* least_squares.c - what makes a least-squares solution of LSQR or LSMR one that may be believed.

   With P the projection on the range of A, |r|^2 = |r_least|^2 + |P r|^2 and |P r| <= |A^+| |A^H
   r|: the true |A^H r| and the method's estimate of |A^+| (Paige & Saunders 1982, 5.3; Fong &
   Saunders 2011, 3.4) bound how far |r| is from the least. A singular value below the rounding of A
   is seen by no Krylov space, but by a column that is as short: r must be orthogonal to each column
   by the length of that column (componentwise: Higham 2002, 20.1). */
#include "krylov/krylov.h"

#include <math.h>
#include <string.h>

void agni_krylov_note_normal(agni_krylov *k, double normal)
{
    k->info.normal = normal * k->scale * k->unit;
}

/* the |P r| / |r| that is let pass: half its square is the excess of |r| */
static double allowed_excess(const agni_krylov *k)
{
    double eps = agni_krylov_eps(k->dtype);
    return fmin(fmax(sqrt(k->o.rtol), 64 * sqrt(eps)), 1e-2);
}

/* notes |A^H r|; is r what the range of A cannot take away? t: room */
static bool is_least_residual(agni_krylov *k, const void *r, double size, void *t)
{
    if (!agni_krylov_apply(k, true, r, t))
        return false;
    double normal = agni_krylov_norm(k, k->n, t), most = allowed_excess(k) * size;
    agni_krylov_note_normal(k, normal);
    return normal * k->inverse <= most &&
           (!k->column_cosine || k->column_cosine(k->a.user, r) <= allowed_excess(k));
}

/* y = y + c dy, of the solution and of what makes it */
static void add_correction(agni_krylov *k, double c, const void *d, void *x)
{
    agni_krylov_axpby(k, k->n, c, d, 1, x);
    if (k->z)
        agni_krylov_axpby(k, k->rows, c, k->dz, 1, k->z);
}

int agni_krylov_refine_least(agni_krylov *k, agni_krylov_method *method, const void *b, void *x,
                             void *r, void *d, void *t, double *now)
{
    for (double normal = INFINITY;;) {
        if (!isfinite(*now))
            return AGN_KRYLOV_NOT_FINITE;
        if (*now <= k->target)
            return AGN_KRYLOV_CONVERGED;
        double before = *now;
        int reason = agni_krylov_blame(k, method(k, r, d), r, d);
        if (k->st || reason == AGN_KRYLOV_NOT_FINITE || reason == AGN_KRYLOV_BREAKDOWN)
            return reason;
        add_correction(k, 1, d, x);
        *now = agni_krylov_residual(k, b, x, r);
        if (k->st)
            return reason;
        bool worse = !(*now <= before);
        if (worse) { /* rounding: what there was is the best */
            add_correction(k, -1, d, x);
            *now = agni_krylov_residual(k, b, x, r);
        }
        bool least = !k->st && is_least_residual(k, r, *now, t);
        if (k->st || *now <= k->target)
            return k->st ? reason : AGN_KRYLOV_CONVERGED;
        if (reason == AGN_KRYLOV_CANCELLED)
            return reason;
        /* where the iterations ended first: were there enough to meet every singular value? */
        if (least && (reason != AGN_KRYLOV_ITERATIONS || k->info.iterations >= k->n))
            return AGN_KRYLOV_LEAST;
        if (reason == AGN_KRYLOV_ITERATIONS || k->info.iterations >= k->o.max_iterations)
            return AGN_KRYLOV_ITERATIONS;
        /* the recurrences of the method were misled by rounding: again, while that brings
           something */
        if (worse || (*now > 0.5 * before && !(k->info.normal < 0.5 * normal)))
            return reason == AGN_KRYLOV_LEAST ? AGN_KRYLOV_ILL_CONDITIONED : AGN_KRYLOV_STAGNATION;
        normal = k->info.normal;
    }
}
