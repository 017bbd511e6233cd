/* lsqr_lsmr.c - least squares by the bidiagonalisation of Golub & Kahan 1965: LSQR (Paige &
   Saunders 1982) and LSMR (Fong & Saunders 2011), whose names the variables bear. Damping is in the
   operator. From d = 0 they give the shortest of all solutions. */
#include "krylov/krylov.h"

#include <math.h>
#include <string.h>

typedef struct bidiagonal {
    agni_krylov *k;
    void *u, *v, *w, *h, *t;
    double alpha, beta, size2; /* the sum of all their squares is |A|^2 at least */
} bidiagonal;

/* y = y / |y| where that is not 0; gives |y| */
static double normalise_vector(const agni_krylov *k, int64_t n, void *y)
{
    double size = agni_vector_norm(k->dtype, n, y);
    if (size > 0)
        agni_vector_axpby(k->dtype, n, 0, y, 1 / size, y);
    return size;
}

static bool start_bidiagonalisation(bidiagonal *q, agni_krylov *k, const void *b, void *x)
{
    int64_t longest = k->rows > k->n ? k->rows : k->n;
    size_t one = agn_dtype_size(k->dtype);
    void *room = agni_krylov_alloc(k, 5, longest);
    *q = (bidiagonal){.k = k, .u = room};
    if (!room)
        return false;
    void **at[] = {&q->v, &q->w, &q->h, &q->t};
    for (int i = 0; i < 4; i++) {
        *at[i] = agni_krylov_vector_at(k, room, longest, i + 1);
        memset(*at[i], 0, (size_t)longest * one);
    }
    memset(x, 0, (size_t)k->n * one);
    memcpy(q->u, b, (size_t)k->rows * one);
    q->beta = normalise_vector(k, k->rows, q->u);
    if (!agni_krylov_apply(k, true, q->u, q->v))
        return false;
    q->alpha = normalise_vector(k, k->n, q->v);
    q->size2 = q->alpha * q->alpha;
    return true;
}

/* the next pair of vectors */
static bool advance_bidiagonalisation(bidiagonal *q)
{
    agni_krylov *k = q->k;
    if (!agni_krylov_apply(k, false, q->v, q->t))
        return false;
    agni_vector_axpby(k->dtype, k->rows, 1, q->t, -q->alpha, q->u);
    q->beta = normalise_vector(k, k->rows, q->u);
    if (!agni_krylov_apply(k, true, q->u, q->t))
        return false;
    agni_vector_axpby(k->dtype, k->n, 1, q->t, -q->beta, q->v);
    q->alpha = normalise_vector(k, k->n, q->v);
    q->size2 += q->alpha * q->alpha + q->beta * q->beta;
    return true;
}

/* is |A^H r| small against |A| |r|? */
static bool is_least_squares(const bidiagonal *q, double normal, double r)
{
    double tol = fmax(q->k->o.rtol, agni_krylov_eps(q->k->dtype));
    return normal <= tol * sqrt(q->size2) * r;
}

int agni_krylov_lsqr(agni_krylov *k, const void *b, void *x)
{
    bidiagonal q;
    int reason = AGN_KRYLOV_RUNNING, dt = k->dtype;
    if (!start_bidiagonalisation(&q, k, b, x))
        goto done;
    if (q.alpha == 0) {
        reason = AGN_KRYLOV_LEAST;
        goto done;
    }
    double phibar = q.beta, rhobar = q.alpha;
    memcpy(q.w, q.v, (size_t)k->n * agn_dtype_size(dt));
    while (advance_bidiagonalisation(&q)) {
        double rho = hypot(rhobar, q.beta), c = rhobar / rho, s = q.beta / rho;
        double phi = c * phibar, theta = s * q.alpha;
        rhobar = -c * q.alpha;
        phibar *= s;
        agni_vector_axpby(dt, k->n, phi / rho, q.w, 1, x);
        agni_vector_axpby(dt, k->n, 1, q.v, -theta / rho, q.w);
        if (!agni_krylov_step(k, phibar, &reason))
            break;
        if (is_least_squares(&q, phibar * q.alpha * fabs(c), phibar)) {
            reason = AGN_KRYLOV_LEAST;
            break;
        }
    }
done:
    agni_free(q.u);
    return reason;
}

int agni_krylov_lsmr(agni_krylov *k, const void *b, void *x)
{
    bidiagonal q;
    int reason = AGN_KRYLOV_RUNNING, dt = k->dtype;
    if (!start_bidiagonalisation(&q, k, b, x))
        goto done;
    if (q.alpha == 0) {
        reason = AGN_KRYLOV_LEAST;
        goto done;
    }
    double alphabar = q.alpha, zetabar = q.alpha * q.beta, rho = 1, rhobar = 1, cbar = 1, sbar = 0;
    /* of |r| */
    double betadd = q.beta, betad = 0, rhod = 1, tautilde = 0, thetatilde = 0, zeta = 0;
    memcpy(q.h, q.v, (size_t)k->n * agn_dtype_size(dt));
    while (advance_bidiagonalisation(&q)) {
        double rho_old = rho, rhobar_old = rhobar, zeta_old = zeta;
        rho = hypot(alphabar, q.beta);
        double c = alphabar / rho, s = q.beta / rho, theta = s * q.alpha, thetabar = sbar * rho;
        alphabar = c * q.alpha;
        rhobar = hypot(cbar * rho, theta);
        cbar = cbar * rho / rhobar;
        sbar = theta / rhobar;
        zeta = cbar * zetabar;
        zetabar *= -sbar;
        agni_vector_axpby(dt, k->n, 1, q.h, -thetabar * rho / (rho_old * rhobar_old), q.w);
        agni_vector_axpby(dt, k->n, zeta / (rho * rhobar), q.w, 1, x);
        agni_vector_axpby(dt, k->n, 1, q.v, -theta / rho, q.h);
        double betahat = c * betadd, theta_old = thetatilde, rhotilde = hypot(rhod, thetabar);
        double ct = rhod / rhotilde, st = thetabar / rhotilde;
        betadd *= -s;
        thetatilde = st * rhobar;
        rhod = ct * rhobar;
        betad = ct * betahat - st * betad;
        tautilde = (zeta_old - theta_old * tautilde) / rhotilde;
        double r = hypot(betad - (zeta - thetatilde * tautilde) / rhod, betadd);
        if (!agni_krylov_step(k, r, &reason))
            break;
        if (is_least_squares(&q, fabs(zetabar), r)) {
            reason = AGN_KRYLOV_LEAST;
            break;
        }
    }
done:
    agni_free(q.u);
    return reason;
}
