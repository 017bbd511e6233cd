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

VALUE(ellipk)
COMPLEX(1, acb_elliptic_k(w, z, prec)) VALUE(ellipkm1)
    COMPLEX(1, acb_sub_ui(z, z, 1, prec); acb_neg(z, z);
            acb_elliptic_k(w, z, prec)) VALUE(ellipe) COMPLEX(1, acb_elliptic_e(w, z, prec))
        VALUE(ellippi) COMPLEX(2, acb_elliptic_pi(w, z, z + 1, prec)) VALUE(ellipkinc)
            COMPLEX(2, acb_elliptic_f(w, z, z + 1, 0, prec)) VALUE(ellipeinc)
                COMPLEX(2, acb_elliptic_e_inc(w, z, z + 1, 0, prec)) VALUE(ellippiinc)
                    COMPLEX(3, acb_elliptic_pi_inc(w, z, z + 1, z + 2, 0, prec)) VALUE(elliprf)
                        COMPLEX(3, acb_elliptic_rf(w, z, z + 1, z + 2, 0, prec)) VALUE(elliprg)
                            COMPLEX(3, acb_elliptic_rg(w, z, z + 1, z + 2, 0, prec)) VALUE(elliprc)
                                COMPLEX(2,
                                        acb_elliptic_rf(w, z, z + 1, z + 1, 0, prec)) VALUE(elliprd)
                                    COMPLEX(3, acb_elliptic_rj(w, z, z + 1, z + 2, z + 2, 0, prec))
                                        VALUE(elliprj)
                                            COMPLEX(4, acb_elliptic_rj(w, z, z + 1, z + 2, z + 3, 0,
                                                                       prec)) VALUE(agm)
{
    UNUSED_K;
    arb_agm(y, x, x + 1, prec);
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
