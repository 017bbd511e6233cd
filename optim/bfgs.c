/* optim/bfgs.c - BFGS and its self-scaled relatives with the whole inverse Hessian H, as a
   packed lower triangle.

   With s = x' - x, y = g' - g and u = H y every method of the family makes
       H' = (H - u u' / y'u + phi v v') / tau + s s' / s'y,
       v  = sqrt(y'u) (s / s'y - u / y'u)
   (Al-Baali & Khalfan 2005). All changes lie in the span of s and u, and H y = H g' - H g
   where H g = -d is known. So a step needs one product with H, and the change is carried
   out while the next product passes over the memory: one pass of n^2 / 2 numbers.          */
#include "optim/optim.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* own: s, u, H */
static bool bfgs_memory(const agn_optim *o, int64_t *saved)
{
    int64_t n = o->n, twice;
    return agni_checked_mul(n, n + 1, &twice) && agni_checked_add(twice / 2, 2 * n, saved);
}
static void bfgs_start(agn_optim *o)
{
    o->s = o->own;
    o->u = o->own + o->n;
    o->h = o->own + 2 * o->n;
    o->k.h0 = 1;
}

static bool bfgs_reset(agn_optim *o)
{
    bool had = o->k.has_h != 0;
    o->k.has_h = o->k.has_d = o->k.pending = 0;
    o->k.h0 = 1;
    return had;
}

/* y = H g; the pending update of H is applied in the same pass */
static void multiply_inverse_hessian(agn_optim *o, double *y)
{
    agni_packed_update_multiply(o->n, o->h, o->g, y, o->part, o->k.pending != 0 ? &o->k : NULL,
                                o->s, o->u, o->v1, o->v2);
    o->k.pending = 0;
}

static void bfgs_direction(agn_optim *o)
{
    if (o->k.has_d != 0)
        return;
    if (o->k.has_h != 0)
        multiply_inverse_hessian(o, o->d);
    for (int64_t i = 0; i < o->n; i++)
        o->d[i] = o->k.has_h != 0 ? -o->d[i] : -o->k.h0 * o->g[i];
    o->k.has_d = 1;
}

/* Al-Baali & Khalfan 2005; in the letters of Urban, Stefanou & Pons 2025, section 2: b and h are
   the curvatures s'Bs and y'Hy over s'y, a = b h - 1 >= 0 */
static void self_scaling(const agn_optim *o, double b, double h, double *tau, double *phi)
{
    *tau = *phi = 1;
    if (o->kind == AGN_OPTIM_BFGS)
        return;
    *tau = fmin(1, 1 / b);
    double a = b * h - 1;
    if (o->kind == AGN_OPTIM_SSBFGS || o->n == 1 || !(a > 64 * DBL_EPSILON))
        return;
    double low = fmin(1, h * (1 - sqrt(a / (1 + a))));
    double theta = fmax((low - 1) / a, fmin(1 / low, (1 - b) / b));
    double sigma = 1 + a * theta;
    double volume = pow(sigma, -1 / ((double)o->n - 1));
    *tau = theta > 0 ? *tau * fmin(volume, 1 / theta) : fmin(*tau * volume, sigma);
    *phi = (1 - theta) / sigma;
}

/* H = c I */
static void set_identity(agn_optim *o, double c)
{
    int64_t n = o->n;
    memset(o->h, 0, (size_t)(n * (n + 1) / 2) * sizeof *o->h);
    for (int64_t i = 0; i < n; i++)
        o->h[i * (i + 1) / 2 + i] = c;
    o->k.h0 = c;
    o->k.has_h = 1;
}

/* x0 and g0 become s and y; o->s and o->u are still needed by the pending change */
static void bfgs_update(agn_optim *o)
{
    agni_optim_scalars *k = &o->k;
    int64_t n = o->n;
    double *s = o->x0, *y = o->g0, *d = o->d, *w = o->w, length = k->length;
    k->has_d = 0;
    for (int64_t i = 0; i < n; i++)
        s[i] = o->x[i] - s[i];
    double sg = agni_vector_dot_f64(n, s, o->g0);
    for (int64_t i = 0; i < n; i++)
        y[i] = o->g[i] - y[i];
    double sy = agni_vector_dot_f64(n, s, y), yy = agni_vector_dot_f64(n, y, y),
           ss = agni_vector_dot_f64(n, s, s);
    if (!(sy > 8 * DBL_EPSILON * sqrt(ss) * sqrt(yy)) || !isfinite(1 / sy))
        return;
    if (k->has_h != 0) {
        multiply_inverse_hessian(o, w);
    } else { /* Nocedal & Wright 2006, (6.20) */
        double gamma = sy / yy, change = gamma / k->h0;
        set_identity(o, gamma);
        length /= change;
        for (int64_t i = 0; i < n; i++) {
            d[i] *= change;
            w[i] = gamma * o->g[i];
        }
    }
    double *u = o->u;
    memcpy(o->s, s, (size_t)n * sizeof *s);
    for (int64_t i = 0; i < n; i++)
        u[i] = w[i] + d[i];
    double yu = agni_vector_dot_f64(n, y, u), tau, phi;
    double b = -length * sg / sy, h = yu / sy;
    if (!(yu > 0) || !(b > 0)) {
        bfgs_reset(o);
        return;
    }
    self_scaling(o, b, h, &tau, &phi);
    k->scale = 1 / tau;
    k->ss = phi * yu * k->scale / sy / sy + 1 / sy;
    k->su = -phi * k->scale / sy;
    k->uu = (phi - 1) * k->scale / yu;
    if (!isfinite(k->scale) || !isfinite(k->ss) || !isfinite(k->su) || !isfinite(k->uu)) {
        bfgs_reset(o);
        return;
    }
    double gs = agni_vector_dot_f64(n, s, o->g), gu = agni_vector_dot_f64(n, u, o->g);
    double cs = k->ss * gs + k->su * gu, cu = k->su * gs + k->uu * gu;
    for (int64_t i = 0; i < n; i++)
        d[i] = -(k->scale * w[i] + (cs * s[i] + cu * u[i]));
    k->pending = k->has_d = 1;
}

const agni_optim_method agni_optim_bfgs = {"bfgs",         bfgs_memory, bfgs_start,
                                           bfgs_direction, bfgs_update, bfgs_reset};
