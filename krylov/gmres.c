/* gmres.c - one cycle of GMRES (Saad & Schultz 1986): an Arnoldi basis, orthogonalised
   again where that cancelled (Daniel et al. 1976), and plane rotations. The preconditioner stands
   on the right, so that the residual is that of the system. */
#include "krylov/krylov.h"

#include <math.h>
#include <string.h>

typedef struct cycle {
    agni_krylov *k;
    int m;
    void *v, *z;             /* m + 1 basis vectors; M^-1 of one */
    agni_z *h, *g, *s;       /* columns of m + 1; the right side; rotations */
    double *c;
} cycle;

static void *basis_vector(const cycle *q, int j)
{
    return agni_krylov_vector_at(q->k, q->v, q->k->n, j);
}

/* orthogonalises w = basis vector j + 1 against those before; adds the products to h; returns
   |w| */
static double orthogonalise(cycle *q, int j, agni_z *h)
{
    agni_krylov *k = q->k;
    int64_t n = k->n;
    void *w = basis_vector(q, j + 1);
    double before = agni_krylov_norm(k, n, w), after = before;
    for (int i = 0; i <= j; i++)
        h[i] = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i <= j; i++) {
            agni_z c = agni_krylov_dot(k, n, basis_vector(q, i), w);
            h[i] += c;
            agni_krylov_axpby(k, n, -c, basis_vector(q, i), 1, w);
        }
        after = agni_krylov_norm(k, n, w);
        if (after > 0.7 * before)
            break;
        before = after;
    }
    return after;
}

/* [c s; -conj s c] [a; b] = [*; 0] for real b >= 0 */
static void givens_rotation(double *c, agni_z *s, agni_z a, double b)
{
    double size = hypot(cabs(a), b);
    *c = cabs(a) > 0 ? cabs(a) / size : b > 0 ? 0 : 1;
    *s = cabs(a) > 0 ? a / cabs(a) * (b / size) : b > 0;
}

/* x = M^-1 V y for the triangle of n columns */
static bool form_solution(cycle *q, int n, void *x)
{
    agni_krylov *k = q->k;
    for (int i = n - 1; i >= 0; i--) {
        agni_z sum = q->g[i];
        for (int j = i + 1; j < n; j++)
            sum -= q->h[j * (q->m + 1) + i] * q->g[j];
        q->g[i] = sum / q->h[i * (q->m + 1) + i];
    }
    agni_krylov_zero(k, k->n, q->z);
    for (int i = 0; i < n; i++)
        agni_krylov_axpby(k, k->n, q->g[i], basis_vector(q, i), 1, q->z);
    return agni_krylov_precondition(k, q->z, x);
}

static int run_cycle(cycle *q, const void *r, void *x)
{
    agni_krylov *k = q->k;
    int reason = AGN_KRYLOV_RUNNING, j = 0;
    double norm = agni_krylov_norm(k, k->n, r), eps = agni_krylov_eps(k->dtype);
    agni_krylov_axpby(k, k->n, 1 / norm, r, 0, basis_vector(q, 0));
    q->g[0] = norm;
    for (bool on = true; on && j < q->m; j++) {
        agni_z *h = q->h + j * (q->m + 1);
        if (!agni_krylov_precondition(k, basis_vector(q, j), q->z) ||
            !agni_krylov_apply(k, false, q->z, basis_vector(q, j + 1)))
            return reason;
        double size = agni_krylov_norm(k, k->n, basis_vector(q, j + 1));
        double next = orthogonalise(q, j, h);
        bool full = !(next > eps * size); /* an invariant subspace */
        if (full)
            next = 0;
        else
            agni_krylov_axpby(k, k->n, 0, basis_vector(q, j), 1 / next, basis_vector(q, j + 1));
        for (int i = 0; i < j; i++) {
            agni_z a = h[i], b = h[i + 1];
            h[i] = q->c[i] * a + q->s[i] * b;
            h[i + 1] = -conj(q->s[i]) * a + q->c[i] * b;
        }
        givens_rotation(&q->c[j], &q->s[j], h[j], next);
        h[j] = q->c[j] * h[j] + q->s[j] * next;
        if (full && !(cabs(h[j]) > eps * size)) { /* A is singular there */
            reason = isfinite(size) ? AGN_KRYLOV_BREAKDOWN : AGN_KRYLOV_NOT_FINITE;
            break;
        }
        q->g[j + 1] = -conj(q->s[j]) * q->g[j];
        q->g[j] *= q->c[j];
        on = agni_krylov_step(k, cabs(q->g[j + 1]), &reason) && !full;
    }
    if (reason == AGN_KRYLOV_NOT_FINITE || k->st || !form_solution(q, j, x))
        return reason;
    return reason;
}

int agni_krylov_gmres(agni_krylov *k, const void *r, void *x)
{
    int m = k->o.restart < k->n ? k->o.restart : (int)k->n;
    cycle q = {.k = k, .m = m};
    q.v = agni_krylov_alloc(k, m + 2, k->n);
    q.h = agni_zalloc((size_t)((m + 1) * (m + 4)) * sizeof *q.h);
    agni_krylov_zero(k, k->n, x);
    int reason = AGN_KRYLOV_RUNNING;
    if (q.v && q.h) {
        q.z = basis_vector(&q, m + 1);
        q.g = q.h + (m + 1) * m;
        q.s = q.g + m + 1;
        q.c = (double *)(q.s + m + 1);
        reason = run_cycle(&q, r, x);
    } else if (!k->st)
        k->st = agni_nomem(k->op, (size_t)((m + 1) * (m + 4)) * sizeof *q.h);
    agni_krylov_free(k, q.v, m + 2, k->n);
    agni_free(q.h);
    return reason;
}
