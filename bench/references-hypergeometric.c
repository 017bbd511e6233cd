/* bench/references-hypergeometric.c - values of hypergeometric functions, orthogonal polynomials
   and harmonics. */
#include "bench/special-references.h"

VALUE(hyp1f1)
{
    UNUSED_K;
    arb_hypgeom_1f1(y, x, x + 1, x + 2, 0, prec);
}
VALUE(hyperu)
{
    UNUSED_K;
    if (arb_is_zero(x + 2)) /* a pole, or a limit that Arb does not give */
        arb_indeterminate(y);
    else
        arb_hypgeom_u(y, x, x + 1, x + 2, prec);
}
VALUE(hyp2f1)
{
    UNUSED_K;
    arb_hypgeom_2f1(y, x, x + 1, x + 2, x + 3, 0, prec);
}
VALUE(polylog)
{
    UNUSED_K;
    arb_polylog(y, x, x + 1, prec);
}
/* the sum, and what continues it left of -1; z above 1 is the cut, at 1 the sum has to have an end */
VALUE(lerch_phi)
{
    acb_t w, z, s, a;
    UNUSED_K;
    const int beyond = arf_cmp_si(arb_midref(x), 1);
    if (beyond > 0 || (beyond == 0 && arf_cmp_si(arb_midref(x + 1), 1) <= 0)) {
        arb_indeterminate(y);
        return;
    }
    acb_init(w);
    acb_init(z);
    acb_init(s);
    acb_init(a);
    acb_set_arb(z, x);
    acb_set_arb(s, x + 1);
    acb_set_arb(a, x + 2);
    acb_dirichlet_lerch_phi(w, z, s, a, prec);
    keep_real(y, w);
    acb_clear(w);
    acb_clear(z);
    acb_clear(s);
    acb_clear(a);
}

/* D_v(x) = 2^(v/2) exp(-x^2/4) (sqrt(pi) / gamma((1 - v)/2) M(-v/2, 1/2, x^2/2)
   - sqrt(2 pi) x / gamma(-v/2) M((1 - v)/2, 3/2, x^2/2)) (DLMF 12.4.1) */
VALUE(parabolic_d)
{
    arb_t a, b, q, s, t;
    UNUSED_K;
    arb_init(a);
    arb_init(b);
    arb_init(q);
    arb_init(s);
    arb_init(t);
    arb_mul_2exp_si(a, x, -1);
    arb_neg(a, a);
    arb_sqr(q, x + 1, prec);
    arb_mul_2exp_si(q, q, -1);
    arb_set_d(b, 0.5);
    if (arf_cmp_si(arb_midref(x + 1), 3) > 0) {
        arb_hypgeom_u(s, a, b, q, prec);
    } else {
        arb_hypgeom_1f1(s, a, b, q, 0, prec);
        arb_add(a, a, b, prec);
        arb_rgamma(t, a, prec);
        arb_mul(s, s, t, prec);
        arb_set_d(b, 1.5);
        arb_hypgeom_1f1(t, a, b, q, 0, prec);
        arb_set_d(b, 0.5);
        arb_sub(a, a, b, prec);
        arb_rgamma(b, a, prec);
        arb_mul(t, t, b, prec);
        arb_mul(t, t, x + 1, prec);
        arb_sqrt_ui(b, 2, prec);
        arb_mul(t, t, b, prec);
        arb_sub(s, s, t, prec);
        arb_const_sqrt_pi(t, prec);
        arb_mul(s, s, t, prec);
    }
    arb_mul_2exp_si(q, q, -1);
    arb_neg(q, q);
    arb_exp(q, q, prec);
    arb_mul(s, s, q, prec);
    arb_set_ui(t, 2);
    arb_mul_2exp_si(a, x, -1);
    arb_pow(t, t, a, prec);
    arb_mul(y, s, t, prec);
    arb_clear(a);
    arb_clear(b);
    arb_clear(q);
    arb_clear(s);
    arb_clear(t);
}

/* ---- polynomials of degree k[0], their parameters as special-functions.c gives them --------- */

VALUE(legendre)
{
    arb_hypgeom_legendre_p_ui(y, NULL, (ulong)k[0], x, prec);
}
VALUE(chebyshev_t)
{
    arb_chebyshev_t_ui(y, (ulong)k[0], x, prec);
}
VALUE(chebyshev_u)
{
    arb_chebyshev_u_ui(y, (ulong)k[0], x, prec);
}

/* u_(j+1) = (a x + b) u_j - c u_(j-1) by names: the recurrence of each kind (DLMF 18.9) in balls */
static void run_recurrence(arb_ptr y, const arb_t x, int64_t n, int kind, double p, double q,
                           slong prec)
{
    arb_t u, v, t, f;
    arb_init(u);
    arb_init(v);
    arb_init(t);
    arb_init(f);
    arb_one(v);
    for (int64_t j = 0; j < n; j++) {
        double s = (double)j, w = 2 * s + p + q;
        switch (kind) {
        case 0: /* Hermite, of exp(-x^2) */
            arb_mul(t, v, x, prec);
            arb_mul_2exp_si(t, t, 1);
            arb_mul_ui(f, u, 2 * (ulong)j, prec);
            arb_sub(t, t, f, prec);
            break;
        case 1: /* of exp(-x^2 / 2) */
            arb_mul(t, v, x, prec);
            arb_mul_ui(f, u, (ulong)j, prec);
            arb_sub(t, t, f, prec);
            break;
        case 2: /* Laguerre */
            arb_set_d(f, 2 * s + 1 + p);
            arb_sub(f, f, x, prec);
            arb_mul(t, v, f, prec);
            arb_set_d(f, s + p);
            arb_mul(f, f, u, prec);
            arb_sub(t, t, f, prec);
            arb_div_ui(t, t, (ulong)j + 1, prec);
            break;
        case 3: /* Gegenbauer */
            arb_set_d(f, 2 * (s + p));
            arb_mul(t, v, x, prec);
            arb_mul(t, t, f, prec);
            arb_set_d(f, s + 2 * p - 1);
            arb_mul(f, f, u, prec);
            arb_sub(t, t, f, prec);
            arb_div_ui(t, t, (ulong)j + 1, prec);
            break;
        default: /* Jacobi */
            if (j == 0) {
                arb_set_d(f, (p - q) / 2);
                arb_set_d(t, (p + q + 2) / 2);
                arb_mul(t, t, x, prec);
                arb_add(t, t, f, prec);
                break;
            }
            arb_set_d(f, w * (w + 2));
            arb_mul(t, x, f, prec);
            arb_set_d(f, p * p - q * q);
            arb_add(t, t, f, prec);
            arb_set_d(f, w + 1);
            arb_mul(t, t, f, prec);
            arb_mul(t, t, v, prec);
            arb_set_d(f, 2 * (s + p) * (s + q) * (w + 2));
            arb_mul(f, f, u, prec);
            arb_sub(t, t, f, prec);
            arb_set_d(f, 2 * (s + 1) * (s + p + q + 1) * w);
            arb_div(t, t, f, prec);
        }
        arb_swap(u, v);
        arb_swap(v, t);
    }
    arb_set(y, v);
    arb_clear(u);
    arb_clear(v);
    arb_clear(t);
    arb_clear(f);
}
VALUE(hermite)
{
    run_recurrence(y, x, k[0], 0, 0, 0, prec);
}
VALUE(hermite_e)
{
    run_recurrence(y, x, k[0], 1, 0, 0, prec);
}
VALUE(laguerre)
{
    run_recurrence(y, x, k[0], 2, 0.5, 0, prec);
}
VALUE(gegenbauer)
{
    run_recurrence(y, x, k[0], 3, 0.75, 0, prec);
}
VALUE(jacobi)
{
    run_recurrence(y, x, k[0], 4, 0.5, 1.25, prec);
}
/* the larger of the polynomial and its neighbour in the degree */
#define NEIGHBOUR(name) \
    UNIT(name) \
    { \
        arb_t a; \
        int64_t up[2] = {k[0] + 1, 0}; \
        arb_init(a); \
        value_##name(a, x, up, prec); \
        arb_abs(a, a); \
        arb_abs(u, y); \
        if (k[0] && arb_lt(u, a) && arf_cmpabs_ui(arb_midref(x), name##_end(k[0])) < 0) \
            arb_set(u, a); \
        arb_clear(a); \
    }
/* where the oscillation ends */
static ulong end_of_one(int64_t n)
{
    (void)n;
    return 1;
}
static ulong end_of_hermite(int64_t n)
{
    ulong r = 1;
    while (r * r < 2 * (ulong)n + 1)
        r++;
    return r;
}
static ulong end_of_hermite_e(int64_t n)
{
    return 2 * end_of_hermite(n);
}
static ulong end_of_laguerre(int64_t n)
{
    return 4 * (ulong)n + 4;
}
#define legendre_end end_of_one
#define chebyshev_t_end end_of_one
#define chebyshev_u_end end_of_one
#define gegenbauer_end end_of_one
#define jacobi_end end_of_one
#define hermite_end end_of_hermite
#define hermite_e_end end_of_hermite_e
#define laguerre_end end_of_laguerre
NEIGHBOUR(legendre)
NEIGHBOUR(chebyshev_t)
NEIGHBOUR(chebyshev_u)
NEIGHBOUR(gegenbauer)
NEIGHBOUR(jacobi)
NEIGHBOUR(hermite)
NEIGHBOUR(hermite_e)
NEIGHBOUR(laguerre)

/* ---- harmonics: degree k[0], order k[1] ----------------------------------------------------- */

VALUE(assoc_legendre)
{
    acb_t w, z, l, m;
    acb_init(w);
    acb_init(z);
    acb_init(l);
    acb_init(m);
    acb_set_arb(z, x);
    acb_set_si(l, (slong)k[0]);
    acb_set_si(m, (slong)k[1]);
    acb_hypgeom_legendre_p(w, l, m, z, 0, prec);
    keep_real(y, w);
    acb_clear(w);
    acb_clear(z);
    acb_clear(l);
    acb_clear(m);
}
/* sqrt((l + m)! / (l - m)!), the size of the normalised function; outside of [-1, 1] the value */
UNIT(assoc_legendre)
{
    UNUSED_UNIT;
    arb_one(u);
    if (arf_cmpabs_ui(arb_midref(x), 1) > 0) {
        arb_abs(u, y);
        return;
    }
    for (int64_t i = k[0] - k[1] + 1; i <= k[0] + k[1]; i++)
        arb_mul_si(u, u, (slong)i, 64);
    arb_sqrt(u, u, 64);
}
VALUE(sph_harm)
{
    acb_t w, theta, phi;
    acb_init(w);
    acb_init(theta);
    acb_init(phi);
    acb_set_arb(theta, x);
    acb_set_arb(phi, x + 1);
    acb_hypgeom_spherical_y(w, (slong)k[0], (slong)k[1], theta, phi, prec);
    arb_set(y, acb_realref(w));
    arb_set(y + 1, acb_imagref(w));
    acb_clear(w);
    acb_clear(theta);
    acb_clear(phi);
}
/* sqrt((2 l + 1) / (4 pi)), the largest value of the degree */
UNIT(sph_harm)
{
    UNUSED_UNIT;
    arb_const_pi(u, 64);
    arb_inv(u, u, 64);
    arb_mul_si(u, u, 2 * (slong)k[0] + 1, 64);
    arb_mul_2exp_si(u, u, -2);
    arb_sqrt(u, u, 64);
}
