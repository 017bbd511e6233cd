/* bench/references-elliptic.c - values of elliptic integrals and Jacobi's functions (DLMF 19, 22),
   Lambert's W. */
#include "bench/special-references.h"

/* a complex function of real arguments */
#define COMPLEX(n, call) \
    { \
        acb_struct z[n + 1]; \
        UNUSED_K; \
        for (int i = 0; i <= n; i++) \
            acb_init(z + i); \
        for (int i = 0; i < n; i++) \
            acb_set_arb(z + i, x + i); \
        acb_ptr w = z + n; \
        call; \
        keep_real(y, w); \
        for (int i = 0; i <= n; i++) \
            acb_clear(z + i); \
    }

/* clang-format off */
VALUE(ellipk) COMPLEX(1, acb_elliptic_k(w, z, prec))
VALUE(ellipkm1) COMPLEX(1, acb_sub_ui(z, z, 1, prec); acb_neg(z, z); acb_elliptic_k(w, z, prec))
VALUE(ellipe) COMPLEX(1, acb_elliptic_e(w, z, prec))
VALUE(ellipkinc) COMPLEX(2, acb_elliptic_f(w, z, z + 1, 0, prec))
VALUE(elliprf) COMPLEX(3, acb_elliptic_rf(w, z, z + 1, z + 2, 0, prec))
VALUE(elliprc) COMPLEX(2, acb_elliptic_rf(w, z, z + 1, z + 1, 0, prec))
VALUE(elliprd) COMPLEX(3, acb_elliptic_rj(w, z, z + 1, z + 2, z + 2, 0, prec))
/* clang-format on */
VALUE(agm)
{
    UNUSED_K;
    arb_agm(y, x, x + 1, prec);
}

/* ---- R_J of real arguments by duplication (Carlson, Numer. Algorithms 10, 13) ------------------------- */

/* atan(sqrt e) / sqrt e, e > -1 */
static void set_atan_over(arb_t y, const arb_t e, slong prec)
{
    arb_t t;
    arb_init(t);
    if (arf_cmpabs_2exp_si(arb_midref(e), -16) < 0) { /* alternates, or is below a geometric series */
        slong terms = prec / 16 + 2;
        arb_zero(y);
        for (slong i = terms; i >= 0; i--) {
            arb_mul(y, y, e, prec);
            arb_neg(y, y);
            arb_set_ui(t, 1);
            arb_div_ui(t, t, 2 * (ulong)i + 1, prec);
            arb_add(y, y, t, prec);
        }
        arb_pow_ui(t, e, (ulong)terms + 1, 64);
        arb_mul_2exp_si(t, t, 1);
        mag_t m;
        mag_init(m);
        arb_get_mag(m, t);
        arb_add_error_mag(y, m);
        mag_clear(m);
    } else if (arb_is_positive(e)) {
        arb_sqrt(t, e, prec);
        arb_atan(y, t, prec);
        arb_div(y, y, t, prec);
    } else {
        arb_neg(t, e);
        arb_sqrt(t, t, prec);
        arb_atanh(y, t, prec);
        arb_div(y, y, t, prec);
    }
    arb_clear(t);
}
/* v: x, y, z not below 0, p above it; the series to order 5 has a rest below 3 max^6 (1 - max)^(-3/2) */
static void set_rj(arb_t y, arb_srcptr v, slong prec)
{
    arb_ptr s = _arb_vec_init(4), r = _arb_vec_init(4), t = _arb_vec_init(8);
    arb_t a, delta, sum, e2, e3, xyz;
    arb_init(a);
    arb_init(delta);
    arb_init(sum);
    arb_init(e2);
    arb_init(e3);
    arb_init(xyz);
    int zeros = 0;
    bool bad = !arb_is_positive(v + 3);
    arb_one(delta);
    arb_mul_2exp_si(a, v + 3, 1);
    for (int i = 0; i < 3; i++) {
        zeros += arb_contains_zero(v + i);
        bad = bad || arb_is_negative(v + i);
        arb_sub(t, v + 3, v + i, prec);
        arb_mul(delta, delta, t, prec);
        arb_add(a, a, v + i, prec);
    }
    arb_div_ui(a, a, 5, prec);
    bad = bad || zeros > 1 || !arb_is_finite(a);
    for (int i = 0; i < 4; i++)
        arb_set(s + i, v + i);
    bool near = false;
    slong m = 0;
    for (; !bad && !near && m < 400; m++) {
        for (int i = 0; i < 4; i++)
            arb_sqrt(r + i, s + i, prec);
        arb_add(t, r, r + 1, prec);
        arb_mul(t, t, r + 2, prec);
        arb_addmul(t, r, r + 1, prec); /* lambda */
        arb_one(t + 1);
        for (int i = 0; i < 3; i++) {
            arb_add(t + 2, r + 3, r + i, prec);
            arb_mul(t + 1, t + 1, t + 2, prec); /* d */
        }
        arb_sqr(t + 2, t + 1, prec);
        arb_div(t + 2, delta, t + 2, prec);
        arb_mul_2exp_si(t + 2, t + 2, -6 * m);
        set_atan_over(t + 3, t + 2, prec);
        arb_div(t + 3, t + 3, t + 1, prec);
        arb_mul_2exp_si(t + 3, t + 3, -2 * m);
        arb_add(sum, sum, t + 3, prec);
        arb_add(a, a, t, prec);
        arb_mul_2exp_si(a, a, -2);
        near = true;
        for (int i = 0; i < 4; i++) {
            arb_add(s + i, s + i, t, prec);
            arb_mul_2exp_si(s + i, s + i, -2);
            arb_sub(t + 4 + i, a, s + i, prec);
            arb_div(t + 4 + i, t + 4 + i, a, prec);
            near = near && arf_cmpabs_2exp_si(arb_midref(t + 4 + i), -prec / 6 - 2) < 0;
        }
    }
    if (near && !bad) {
        arb_srcptr p = t + 7;
        arb_mul(xyz, t + 4, t + 5, prec);
        arb_set(e2, xyz);
        arb_mul(xyz, xyz, t + 6, prec);
        arb_add(t, t + 4, t + 5, prec);
        arb_addmul(e2, t, t + 6, prec);
        arb_sqr(t, p, prec);
        arb_submul_ui(e2, t, 3, prec);
        arb_mul(t + 1, t, p, prec); /* p^3 */
        arb_mul(e3, e2, p, prec);
        arb_mul_2exp_si(e3, e3, 1);
        arb_add(e3, e3, xyz, prec);
        arb_mul_2exp_si(t + 2, t + 1, 2);
        arb_add(e3, e3, t + 2, prec);
        arb_mul_2exp_si(t + 2, xyz, 1); /* e4 = (2 xyz + e2 p + 3 p^3) p */
        arb_addmul(t + 2, e2, p, prec);
        arb_addmul_ui(t + 2, t + 1, 3, prec);
        arb_mul(t + 2, t + 2, p, prec);
        arb_mul(t + 3, xyz, t, prec); /* e5 = xyz p^2 */
        arb_one(y);
        static const struct { slong up; ulong down; } c[6] = {{-3, 14}, {1, 6}, {9, 88}, {-3, 22}, {-9, 52}, {3, 26}};
        for (int i = 0; i < 6; i++) {
            switch (i) {
            case 0: arb_set(t, e2); break;
            case 1: arb_set(t, e3); break;
            case 2: arb_sqr(t, e2, prec); break;
            case 3: arb_set(t, t + 2); break;
            case 4: arb_mul(t, e2, e3, prec); break;
            default: arb_set(t, t + 3);
            }
            arb_mul_si(t, t, c[i].up, prec);
            arb_div_ui(t, t, c[i].down, prec);
            arb_add(y, y, t, prec);
        }
        mag_t rest, most;
        mag_init(rest);
        mag_init(most);
        for (int i = 4; i < 8; i++) {
            arb_get_mag(rest, t + i);
            mag_max(most, most, rest);
        }
        mag_pow_ui(rest, most, 6);
        mag_mul_2exp_si(rest, rest, 3);
        arb_add_error_mag(y, rest);
        mag_clear(rest);
        mag_clear(most);
        arb_rsqrt(t, a, prec);
        arb_div(t, t, a, prec);
        arb_mul(y, y, t, prec);
        arb_mul_2exp_si(y, y, -2 * m);
        arb_mul_ui(sum, sum, 6, prec);
        arb_add(y, y, sum, prec);
    } else {
        arb_indeterminate(y);
    }
    _arb_vec_clear(s, 4);
    _arb_vec_clear(r, 4);
    _arb_vec_clear(t, 8);
    arb_clear(a);
    arb_clear(delta);
    arb_clear(sum);
    arb_clear(e2);
    arb_clear(e3);
    arb_clear(xyz);
}
static void set_rf(arb_t y, arb_srcptr v, slong prec)
{
    acb_ptr z = _acb_vec_init(4);
    for (int i = 0; i < 3; i++)
        acb_set_arb(z + i, v + i);
    acb_elliptic_rf(z + 3, z, z + 1, z + 2, 0, prec);
    keep_real(y, z + 3);
    _acb_vec_clear(z, 4);
}
VALUE(elliprj)
{
    UNUSED_K;
    set_rj(y, x, prec);
}
/* 2 R_G = z R_F - (x - z) (y - z) R_D / 3 + sqrt(x y / z), z the largest (19.21.10) */
VALUE(elliprg)
{
    UNUSED_K;
    arb_ptr v = _arb_vec_init(4), t = _arb_vec_init(2);
    for (int i = 0; i < 3; i++)
        arb_set(v + i, x + i);
    for (int i = 0; i < 2; i++)
        if (arf_cmp(arb_midref(v + i), arb_midref(v + 2)) > 0)
            arb_swap(v + i, v + 2);
    arb_set(v + 3, v + 2);
    set_rf(y, v, prec);
    arb_mul(y, y, v + 2, prec);
    set_rj(t, v, prec);
    for (int i = 0; i < 2; i++) {
        arb_sub(t + 1, v + i, v + 2, prec);
        arb_mul(t, t, t + 1, prec);
    }
    arb_div_ui(t, t, 3, prec);
    arb_sub(y, y, t, prec);
    arb_mul(t, v, v + 1, prec);
    arb_div(t, t, v + 2, prec);
    arb_sqrt(t, t, prec);
    arb_add(y, y, t, prec);
    arb_mul_2exp_si(y, y, -1);
    _arb_vec_clear(v, 4);
    _arb_vec_clear(t, 2);
}
/* of the angle a (19.25.9, 19.25.14): of the second kind with n = 0 and third false */
static void set_legendre_form(arb_ptr y, const arb_t n, const arb_t angle, const arb_t m, bool third, slong prec)
{
    arb_ptr v = _arb_vec_init(4);
    arb_t s, t, q;
    arb_init(s);
    arb_init(t);
    arb_init(q);
    arb_sin_cos(s, v, angle, prec);
    arb_sqr(v, v, prec);
    arb_sqr(q, s, prec);
    arb_mul(v + 1, q, m, prec);
    arb_sub_ui(v + 1, v + 1, 1, prec);
    arb_neg(v + 1, v + 1);
    arb_one(v + 2);
    arb_one(v + 3);
    if (third)
        arb_submul(v + 3, q, n, prec);
    set_rf(y, v, prec);
    set_rj(t, v, prec);
    arb_mul(t, t, q, prec);
    arb_div_ui(t, t, 3, prec);
    arb_mul(t, t, third ? n : m, prec);
    if (third)
        arb_add(y, y, t, prec);
    else
        arb_sub(y, y, t, prec);
    arb_mul(y, y, s, prec);
    _arb_vec_clear(v, 4);
    arb_clear(s);
    arb_clear(t);
    arb_clear(q);
}
/* at pi / 2, whose cosine is 0 */
static void set_complete(arb_ptr y, const arb_t n, const arb_t m, bool third, slong prec)
{
    arb_ptr v = _arb_vec_init(4);
    arb_t t;
    arb_init(t);
    arb_sub_ui(v + 1, m, 1, prec);
    arb_neg(v + 1, v + 1);
    arb_one(v + 2);
    arb_one(v + 3);
    if (third)
        arb_sub(v + 3, v + 3, n, prec);
    set_rf(y, v, prec);
    set_rj(t, v, prec);
    arb_div_ui(t, t, 3, prec);
    arb_mul(t, t, third ? n : m, prec);
    if (third)
        arb_add(y, y, t, prec);
    else
        arb_sub(y, y, t, prec);
    _arb_vec_clear(v, 4);
    arb_clear(t);
}
/* angles beyond a quarter turn: k half turns have 2 k complete ones */
static void set_incomplete(arb_ptr y, const arb_t n, const arb_t angle, const arb_t m, bool third, slong prec)
{
    arb_t turns, rest, t;
    arb_init(turns);
    arb_init(rest);
    arb_init(t);
    arb_const_pi(t, prec);
    arb_div(turns, angle, t, prec);
    arb_set_round(rest, turns, prec);
    arb_set_d(y, 0.5);
    arb_add(turns, turns, y, prec);
    arb_floor(turns, turns, prec);
    if (!arb_is_finite(turns) || !arb_is_exact(turns)) {
        arb_indeterminate(y);
    } else {
        arb_mul(t, t, turns, prec);
        arb_sub(rest, angle, t, prec);
        set_legendre_form(y, n, rest, m, third, prec);
        if (!arb_is_zero(turns)) {
            set_complete(t, n, m, third, prec);
            arb_mul(t, t, turns, prec);
            arb_mul_2exp_si(t, t, 1);
            arb_add(y, y, t, prec);
        }
    }
    arb_clear(turns);
    arb_clear(rest);
    arb_clear(t);
}
VALUE(ellippi)
{
    UNUSED_K;
    set_complete(y, x, x + 1, true, prec);
}
VALUE(ellippiinc)
{
    UNUSED_K;
    set_incomplete(y, x, x + 1, x + 2, true, prec);
}
VALUE(ellipeinc)
{
    UNUSED_K;
    set_incomplete(y, x, x, x + 1, false, prec);
}

/* ---- sn, cn, dn and am of u, for m up to 1: by theta functions of 0 <= m < 1 (22.2), m below 0 by
   m / (m - 1) (22.17)
   ------------------------------------------------------------------------------------- */

static void set_jacobi(arb_ptr f, const arb_t u, const arb_t m, slong prec)
{
    acb_t t[8], z, tau, k, kc;
    arb_t v, p, turns, q;
    for (int i = 0; i < 8; i++)
        acb_init(t[i]);
    acb_init(z);
    acb_init(tau);
    acb_init(k);
    acb_init(kc);
    arb_init(v);
    arb_init(p);
    arb_init(turns);
    arb_init(q);
    bool below = arb_is_negative(m);
    arb_sub_ui(q, m, 1, prec);
    arb_neg(q, q); /* 1 - m */
    if (below) {
        arb_div(p, m, q, prec);
        arb_neg(p, p);
        arb_sqrt(v, q, prec);
        arb_mul(v, v, u, prec);
    } else {
        arb_set(p, m);
        arb_set(v, u);
    }
    acb_set_arb(z, p);
    acb_elliptic_k(k, z, prec);
    if (below)
        arb_inv(acb_realref(z), q, prec); /* 1 - p */
    else
        arb_set(acb_realref(z), q);
    acb_elliptic_k(kc, z, prec);
    acb_div(tau, kc, k, prec);
    acb_mul_onei(tau, tau);
    acb_mul_2exp_si(k, k, 1);
    arb_div(acb_realref(z), v, acb_realref(k), prec); /* v / (2 K), of period 2 */
    arb_zero(acb_imagref(z));
    arb_set_d(turns, 0.5); /* whole turns of am: periods 4 K */
    arb_mul_2exp_si(v, acb_realref(z), -1);
    arb_add(turns, turns, v, prec);
    arb_floor(turns, turns, prec);
    acb_modular_theta(t[0], t[1], t[2], t[3], z, tau, prec);
    acb_zero(z);
    acb_modular_theta(t[4], t[5], t[6], t[7], z, tau, prec);
    /* sn = th3 th1(z) / (th2 th4(z)), cn = th4 th2(z) / (th2 th4(z)), dn = th4 th3(z) / (th3
       th4(z)); FLINT numbers them th1 to th4, its th1 is minus ours */
    acb_mul(z, t[6], t[0], prec);
    acb_div(z, z, t[5], prec);
    acb_div(z, z, t[3], prec);
    arb_set(f, acb_realref(z));
    acb_mul(z, t[7], t[1], prec);
    acb_div(z, z, t[5], prec);
    acb_div(z, z, t[3], prec);
    arb_set(f + 1, acb_realref(z));
    acb_mul(z, t[7], t[2], prec);
    acb_div(z, z, t[6], prec);
    acb_div(z, z, t[3], prec);
    arb_set(f + 2, acb_realref(z));
    if (below) { /* sn = sd / sqrt(1 - m), cn = cd, dn = nd */
        arb_sqrt(v, q, prec);
        arb_div(f, f, v, prec);
        arb_inv(v, f + 2, prec);
        arb_mul(f, f, v, prec);
        arb_mul(f + 1, f + 1, v, prec);
        arb_set(f + 2, v);
    }
    arb_atan2(f + 3, f, f + 1, prec);
    arb_const_pi(v, prec);
    arb_mul_2exp_si(v, v, 1);
    arb_addmul(f + 3, v, turns, prec);
    for (int i = 0; i < 8; i++)
        acb_clear(t[i]);
    acb_clear(z);
    acb_clear(tau);
    acb_clear(k);
    acb_clear(kc);
    arb_clear(v);
    arb_clear(p);
    arb_clear(turns);
    arb_clear(q);
}
static void set_jacobi_part(arb_ptr y, arb_srcptr x, int kind, slong prec)
{
    arb_ptr f = _arb_vec_init(4);
    set_jacobi(f, x, x + 1, prec);
    arb_set(y, f + kind);
    _arb_vec_clear(f, 4);
}
VALUE(jacobi_sn)
{
    UNUSED_K;
    set_jacobi_part(y, x, 0, prec);
}
VALUE(jacobi_cn)
{
    UNUSED_K;
    set_jacobi_part(y, x, 1, prec);
}
VALUE(jacobi_dn)
{
    UNUSED_K;
    set_jacobi_part(y, x, 2, prec);
}
VALUE(jacobi_am)
{
    UNUSED_K;
    set_jacobi_part(y, x, 3, prec);
}
/* "1e-14 of the amplitude next to u = 0, of u beyond" */
UNIT(jacobi_elliptic)
{
    arb_t a;
    UNUSED_UNIT;
    arb_init(a);
    arb_abs(u, y);
    arb_one(a);
    if (arb_lt(u, a))
        arb_set(u, a);
    arb_abs(a, x);
    if (arb_lt(u, a))
        arb_set(u, a);
    arb_clear(a);
}

/* ---- Lambert's W ---------------------------------------------------------------------------- */

VALUE(lambertw)
{
    arb_lambertw(y, x, k[0] ? 1 : 0, prec);
}
VALUE(lambertw_complex)
{
    acb_t w, z;
    fmpz_t branch;
    acb_init(w);
    acb_init(z);
    fmpz_init_set_si(branch, (slong)k[0]);
    acb_set_arb_arb(z, x, x + 1);
    acb_lambertw(w, z, branch, 0, prec);
    arb_set(y, acb_realref(w));
    arb_set(y + 1, acb_imagref(w));
    acb_clear(w);
    acb_clear(z);
    fmpz_clear(branch);
}
VALUE(wright_omega)
{
    arb_t t;
    UNUSED_K;
    arb_init(t);
    arb_exp(t, x, prec);
    arb_lambertw(y, t, 0, prec);
    arb_clear(t);
}
