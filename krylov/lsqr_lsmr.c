/* lsqr_lsmr.c - least squares by the bidiagonalisation of Golub & Kahan 1965: LSQR (Paige &
   Saunders 1982) and LSMR (Fong & Saunders 2011), whose names the variables bear. Damping is in the
   operator. From d = 0 they give the shortest of all solutions.

   Every vector of the solution's space is A^H times one of b's space, by the same recurrence: where
   it is asked for, these are carried along, and the z with d = A^H z costs no product. */
#include "krylov/krylov.h"

#include <math.h>
#include <string.h>

/* vectors of the solution's space (side 0), each A^H times its twin (side 1) */
enum { V, W, H, X, PAIRS };

typedef struct bidiagonal {
    agni_krylov *k;
    void *u, *t, *at[2][PAIRS]; /* at[1]: NULL where nobody asks */
    double alpha, beta;
    double largest, size2; /* of the columns of the bidiagonal; all its squares: |A| by two norms */
} bidiagonal;

/* y = a x + b y, of both sides */
static void combine_vectors(const bidiagonal *q, double a, int x, double b, int y)
{
    agni_krylov *k = q->k;
    agni_krylov_axpby(k, k->n, a, q->at[0][x], b, q->at[0][y]);
    if (q->at[1][X])
        agni_krylov_axpby(k, k->rows, a, q->at[1][x], b, q->at[1][y]);
}

static void copy_direction(const bidiagonal *q, int to)
{
    agni_krylov *k = q->k;
    agni_krylov_copy(k, k->n, q->at[0][V], q->at[0][to]);
    if (q->at[1][X])
        agni_krylov_copy(k, k->rows, q->at[1][V], q->at[1][to]);
}

/* y = y / |y| where that is not 0; gives |y| */
static double normalise_vector(agni_krylov *k, int64_t n, void *y)
{
    double size = agni_krylov_norm(k, n, y);
    if (size > 0)
        agni_krylov_axpby(k, n, 0, y, 1 / size, y);
    return size;
}

/* alpha v = v, which is A^H u - before v: the same for its twin */
static void normalise_direction(bidiagonal *q, double before)
{
    agni_krylov *k = q->k;
    q->alpha = normalise_vector(k, k->n, q->at[0][V]);
    if (q->at[1][X] && q->alpha > 0)
        agni_krylov_axpby(k, k->rows, 1 / q->alpha, q->u, -before / q->alpha, q->at[1][V]);
}

static int count_vectors(const agni_krylov *k)
{
    return 2 + (k->dz ? 2 : 1) * X;
}
static int64_t longest_vector(const agni_krylov *k)
{
    return k->rows > k->n ? k->rows : k->n;
}

static bool start_bidiagonalisation(bidiagonal *q, agni_krylov *k, const void *b, void *x)
{
    int64_t longest = longest_vector(k);
    int count = count_vectors(k);
    void *room = agni_krylov_alloc(k, count, longest);
    *q = (bidiagonal){.k = k, .u = room};
    if (!room)
        return false;
    q->t = agni_krylov_vector_at(k, room, longest, 1);
    for (int i = 2; i < count; i++) {
        void *v = agni_krylov_vector_at(k, room, longest, i);
        agni_krylov_zero(k, longest, v);
        q->at[(i - 2) / X][(i - 2) % X] = v;
    }
    q->at[0][X] = x;
    q->at[1][X] = k->dz;
    agni_krylov_zero(k, k->n, x);
    if (k->dz)
        agni_krylov_zero(k, k->rows, k->dz);
    agni_krylov_copy(k, k->rows, b, q->u);
    q->beta = normalise_vector(k, k->rows, q->u);
    if (!agni_krylov_apply(k, true, q->u, q->at[0][V]))
        return false;
    normalise_direction(q, 0);
    q->size2 = q->alpha * q->alpha;
    return true;
}

/* the next pair of vectors */
static bool advance_bidiagonalisation(bidiagonal *q)
{
    agni_krylov *k = q->k;
    double alpha = q->alpha;
    void *v = q->at[0][V];
    if (!agni_krylov_apply(k, false, v, q->t))
        return false;
    agni_krylov_axpby(k, k->rows, 1, q->t, -alpha, q->u);
    q->beta = normalise_vector(k, k->rows, q->u);
    q->largest = fmax(q->largest, hypot(alpha, q->beta));
    if (!agni_krylov_apply(k, true, q->u, q->t))
        return false;
    agni_krylov_axpby(k, k->n, 1, q->t, -q->beta, v);
    normalise_direction(q, q->beta);
    q->size2 += q->alpha * q->alpha + q->beta * q->beta;
    return true;
}

/* ends an iteration with the estimates of |r|, |A^H r|, |A^+|; false: stop for *reason */
static bool end_iteration(bidiagonal *q, double r, double normal, double inverse, int *reason)
{
    agni_krylov *k = q->k;
    k->size = fmax(k->size, sqrt(q->size2));
    k->inverse = fmax(k->inverse, inverse);
    k->info.condition = k->size * k->inverse;
    agni_krylov_note_normal(k, normal);
    if (!agni_krylov_step(k, r, reason))
        return false;
    if (normal > 4 * agni_krylov_eps(k->dtype) * q->largest * r)
        return true;
    *reason = AGN_KRYLOV_LEAST;
    return false;
}

static void run_lsqr(bidiagonal *q, int *reason)
{
    agni_krylov *k = q->k;
    double phibar = q->beta, rhobar = q->alpha, inverse2 = 0; /* |R^-1|^2, by the directions */
    copy_direction(q, W);
    while (advance_bidiagonalisation(q)) {
        double rho = hypot(rhobar, q->beta), c = rhobar / rho, s = q->beta / rho;
        double phi = c * phibar, theta = s * q->alpha;
        double w = agni_krylov_norm(k, k->n, q->at[0][W]) / rho;
        inverse2 += w * w;
        rhobar = -c * q->alpha;
        phibar *= s;
        combine_vectors(q, phi / rho, W, 1, X);
        combine_vectors(q, 1, V, -theta / rho, W);
        if (!end_iteration(q, phibar, phibar * q->alpha * fabs(c), sqrt(inverse2), reason))
            return;
    }
}

static void run_lsmr(bidiagonal *q, int *reason)
{
    double alphabar = q->alpha, zetabar = q->alpha * q->beta, rho = 1, rhobar = 1, cbar = 1,
           sbar = 0;
    /* of |r| */
    double betadd = q->beta, betad = 0, rhod = 1, tautilde = 0, thetatilde = 0, zeta = 0;
    double smallest = INFINITY; /* of the second triangle's diagonal: a singular value, nearly */
    copy_direction(q, H);
    while (advance_bidiagonalisation(q)) {
        double rho_old = rho, rhobar_old = rhobar, zeta_old = zeta;
        rho = hypot(alphabar, q->beta);
        double c = alphabar / rho, s = q->beta / rho, theta = s * q->alpha, thetabar = sbar * rho;
        alphabar = c * q->alpha;
        smallest = fmin(smallest, fabs(cbar * rho)); /* before the next column joins it */
        double inverse = 1 / smallest;
        rhobar = hypot(cbar * rho, theta);
        cbar = cbar * rho / rhobar;
        sbar = theta / rhobar;
        zeta = cbar * zetabar;
        zetabar *= -sbar;
        combine_vectors(q, 1, H, -thetabar * rho / (rho_old * rhobar_old), W);
        combine_vectors(q, zeta / (rho * rhobar), W, 1, X);
        combine_vectors(q, 1, V, -theta / rho, H);
        double betahat = c * betadd, theta_old = thetatilde, rhotilde = hypot(rhod, thetabar);
        double ct = rhod / rhotilde, st = thetabar / rhotilde;
        betadd *= -s;
        thetatilde = st * rhobar;
        rhod = ct * rhobar;
        betad = ct * betahat - st * betad;
        tautilde = (zeta_old - theta_old * tautilde) / rhotilde;
        double r = hypot(betad - (zeta - thetatilde * tautilde) / rhod, betadd);
        if (!end_iteration(q, r, fabs(zetabar), inverse, reason))
            return;
    }
}

static int run_method(agni_krylov *k, const void *b, void *x, void (*run)(bidiagonal *, int *))
{
    bidiagonal q;
    int reason = AGN_KRYLOV_RUNNING;
    if (start_bidiagonalisation(&q, k, b, x)) {
        if (q.alpha > 0)
            run(&q, &reason);
        else
            reason = q.alpha == 0 ? AGN_KRYLOV_LEAST : AGN_KRYLOV_NOT_FINITE;
    }
    agni_krylov_free(k, q.u, count_vectors(k), longest_vector(k));
    return reason;
}

int agni_krylov_lsqr(agni_krylov *k, const void *b, void *x)
{
    return run_method(k, b, x, run_lsqr);
}

int agni_krylov_lsmr(agni_krylov *k, const void *b, void *x)
{
    return run_method(k, b, x, run_lsmr);
}
