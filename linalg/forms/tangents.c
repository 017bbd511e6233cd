/* linalg/forms/tangents.c - derivatives of the generalised Schur form, and of the complex form of
   a real one. Both write tangents of bases as the basis times a skew matrix, whose strict triangle
   follows from what stays 0 (Golub & Van Loan 2013, 7.7; Higham 2008, 3). */
#include "linalg/forms/forms.h"

#include <agnesi/ag.h>
#include <agnesi/linalg.h>
#include <string.h>

static bool is_complex(const agn_tensor *x)
{
    return x && agni_kind(x->dtype) == AGNI_KIND_COMPLEX;
}
static const agn_tensor *skew_of(agn_scope *s, const agn_tensor *low)
{
    return ag_sub(s, low, agni_conjugate_transpose(s, low));
}
/* i x, of real x */
static const agn_tensor *imaginary_part(agn_scope *s, const agn_tensor *x)
{
    return x ? ag_complex(s, ag_zeros_like(s, x), x) : NULL;
}

/* ---- generalised Schur form ----------------------------------------------------------------- */

/* largest modulus of each matrix, as a constant [..., 1, 1] of its dtype */
static const agn_tensor *largest_entry(agn_scope *s, const agn_tensor *x)
{
    const agn_tensor *y = ag_amax(s, ag_abs(s, x), (const int32_t[]){-2, -1}, 2, true);
    return y ? ag_stop_gradient(s, ag_cast(s, y, x->dtype)) : NULL;
}
static const agn_tensor *squared_modulus(agn_scope *s, const agn_tensor *x)
{
    return x ? ag_cast(s, ag_abs(s, ag_stop_gradient(s, x)), x->dtype) : NULL;
}

/* reciprocals of a diagonal m [..., k] as [..., k, 1]; refused beside rounding, which is eps^(1/2)
   of scale [..., 1, 1] */
static const agn_tensor *invert_gaps(agn_scope *s, const agn_tensor *m, const agn_tensor *scale)
{
    const agn_tensor *both = scale ? ag_concat(
                                         s, (const agn_tensor *[]){ag_expand_dims(s, m, -1), scale},
                                         2, -2)
                                   : NULL;
    const agn_tensor *ones = both ? ag_ones_like(s, both) : NULL,
                     *zero = scale ? ag_zeros_like(s, ag_squeeze(s, scale, -1)) : NULL;
    const agn_tensor *from = both ? ag_neg(s, ag_squeeze(s, both, -1)) : NULL;
    int64_t k = m ? m->shape[m->ndim - 1] : 0;
    return agni_matrix_block(s, agni_gap_quotient(s, ones, from, zero, 1, false), 0, k, 0, 1);
}

/* With dq = q x, dz = z y, p = q^H da z and r = q^H db z: ds = p - x s + s y and dt = r - x t + t
   y are upper triangular. Below the diagonal, column j of x and y: x s_jj - s y = p_j, x t_jj - t
   y = r_j, s and t from row j + 1 on, p and r without what earlier columns give. So (s_jj t - t_jj
   s) y = t_jj p_j - s_jj r_j, whose diagonal is 0 where two values are equal. Phases: z's are
   held, and q's follow, for the diagonal of t is real. */
void agni_qz_jvp(agn_scope *scope, const agni_rule *rule, const agn_tensor *const *da,
                 const agn_tensor **ty)
{
    const agn_tensor *s = rule->y[0], *t = rule->y[1], *q = rule->y[2], *z = rule->y[3],
                     *qh = agni_conjugate_transpose(scope, q);
    const agn_tensor *p = da[0] ? ag_matmul(scope, qh, ag_matmul(scope, da[0], z))
                                : ag_zeros_like(scope, s);
    const agn_tensor *r = da[1] ? ag_matmul(scope, qh, ag_matmul(scope, da[1], z))
                                : ag_zeros_like(scope, t);
    const agn_tensor *x = ag_zeros_like(scope, s), *y = x;
    int64_t n = s->shape[s->ndim - 1];
    if (!p || !r || !x)
        return;
    if (n == 0) {
        ty[0] = ty[1] = ty[2] = ty[3] = x;
        return;
    }
    if (n > 1) {
        const agn_tensor *one = agni_refuse_blocks(scope, s), *left = ag_mul(scope, p, one),
                         *right = ag_mul(scope, r, one);
        const agn_tensor *big_s = largest_entry(scope, s), *big_t = largest_entry(scope, t),
                         *xs = NULL, *ys = NULL;
        for (int64_t j = 0; j + 1 < n; j++) {
            const agn_tensor *sj = agni_matrix_block(scope, s, j, j + 1, j, j + 1),
                             *tj = agni_matrix_block(scope, t, j, j + 1, j, j + 1);
            const agn_tensor *sb = agni_matrix_block(scope, s, j + 1, n, j + 1, n),
                             *tb = agni_matrix_block(scope, t, j + 1, n, j + 1, n);
            const agn_tensor *pj = agni_matrix_block(scope, left, j + 1, n, j, j + 1),
                             *rj = agni_matrix_block(scope, right, j + 1, n, j, j + 1);
            const agn_tensor *m = ag_sub(scope, ag_mul(scope, sj, tb), ag_mul(scope, tj, sb));
            const agn_tensor *scale = ag_add(scope,
                                             ag_mul(scope, squared_modulus(scope, sj), big_t),
                                             ag_mul(scope, squared_modulus(scope, tj), big_s));
            const agn_tensor *g = invert_gaps(scope, ag_diagonal(scope, m, 0, -2, -1), scale);
            const agn_tensor *unit = ag_add(scope, agni_identity_like(scope, m),
                                            ag_mul(scope, g, ag_triu(scope, m, 1)));
            const agn_tensor *rhs = ag_sub(scope, ag_mul(scope, tj, pj), ag_mul(scope, sj, rj));
            const agn_tensor *yj = ag_linalg_triangular_solve(scope, unit, ag_mul(scope, g, rhs),
                                                              true);
            const agn_tensor *sc = agni_conjugate_dense(scope, sj),
                             *tc = agni_conjugate_dense(scope, tj);
            const agn_tensor *sum = ag_add(
                scope, ag_mul(scope, sc, ag_add(scope, pj, ag_matmul(scope, sb, yj))),
                ag_mul(scope, tc, ag_add(scope, rj, ag_matmul(scope, tb, yj))));
            const agn_tensor *xj = ag_div(
                scope, sum, ag_add(scope, ag_mul(scope, sc, sj), ag_mul(scope, tc, tj)));
            xj = agni_pad_column(scope, xj, n);
            yj = agni_pad_column(scope, yj, n);
            left = ag_sub(scope, left,
                          ag_matmul(scope, xj, agni_matrix_block(scope, s, j, j + 1, 0, n)));
            right = ag_sub(scope, right,
                           ag_matmul(scope, xj, agni_matrix_block(scope, t, j, j + 1, 0, n)));
            xs = xs ? ag_concat(scope, (const agn_tensor *[]){xs, xj}, 2, -1) : xj;
            ys = ys ? ag_concat(scope, (const agn_tensor *[]){ys, yj}, 2, -1) : yj;
            if (!xs || !ys)
                return;
        }
        const agn_tensor *none = ag_zeros_like(scope, agni_matrix_block(scope, x, 0, n, 0, 1));
        x = skew_of(scope, ag_concat(scope, (const agn_tensor *[]){xs, none}, 2, -1));
        y = skew_of(scope, ag_concat(scope, (const agn_tensor *[]){ys, none}, 2, -1));
    }
    const agn_tensor *dz = ag_matmul(scope, z, y);
    if (is_complex(z)) {
        dz = agni_hold_phases(scope, z, dz);
        y = ag_matmul(scope, agni_conjugate_transpose(scope, z), dz);
        const agn_tensor *dt = ag_add(
            scope, r, ag_sub(scope, ag_matmul(scope, t, y), ag_matmul(scope, x, t)));
        const agn_tensor *turn = ag_imag(scope, ag_diagonal(scope, dt, 0, -2, -1));
        turn = ag_div(scope, turn, ag_real(scope, ag_diagonal(scope, t, 0, -2, -1)));
        x = ag_add(scope, x, imaginary_part(scope, ag_diag_embed(scope, turn, 0, -2, -1)));
    }
    ty[0] = ag_triu(
        scope, ag_add(scope, p, ag_sub(scope, ag_matmul(scope, s, y), ag_matmul(scope, x, s))), 0);
    ty[1] = ag_triu(
        scope, ag_add(scope, r, ag_sub(scope, ag_matmul(scope, t, y), ag_matmul(scope, x, t))), 0);
    ty[2] = ag_matmul(scope, q, x);
    ty[3] = dz;
}

/* ---- complex form of a real one ---------------------------------------------------------------
   */

static const agn_tensor *slice_parts(agn_scope *s, const agn_tensor *x, int64_t from, int64_t to)
{
    return x ? ag_squeeze(s, agni_matrix_block(s, ag_expand_dims(s, x, -2), 0, 1, from, to), -2)
             : NULL;
}

/* With u the blocks of order 2 that turn t, du = u x with x skew, in blocks likewise: p = u^H dt
   u, and the entry below the diagonal of p + t1 x - x t1 stays 0. x has no trace, and the phase of
   the lower left entry of a block of u is that of t there. */
void agni_schur_complex_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                            const agn_tensor **ty)
{
    const agn_tensor *t = r->x[0], *t1 = r->y[0], *eye = agni_identity_like(s, t),
                     *form[2] = {NULL};
    int64_t n = t->shape[t->ndim - 1];
    if (!eye || !agni_apply_many_in(s, r->op, r->at, 2, (const agn_tensor *[]){t, eye}, 2, form))
        return;
    const agn_tensor *u = form[1];
    if (d[1])
        ty[1] = ag_matmul(s, d[1], u);
    if (!d[0])
        return;
    const agn_tensor *p = ag_matmul(s, agni_conjugate_transpose(s, u), ag_matmul(s, d[0], u));
    if (n < 2) {
        ty[0] = p;
        return;
    }
    const agn_tensor *low = ag_diagonal(s, t, -1, -2, -1), *dlow = ag_diagonal(s, d[0], -1, -2, -1);
    const agn_tensor *block = ag_ne(s, ag_stop_gradient(s, low),
                                    low ? ag_zeros_like(s, low) : NULL);
    const agn_tensor *w = ag_diagonal(s, t1, 0, -2, -1),
                     *ud = slice_parts(s, ag_diagonal(s, u, 0, -2, -1), 1, n);
    const agn_tensor *gap = ag_sub(s, slice_parts(s, w, 0, n - 1), slice_parts(s, w, 1, n)),
                     *one = gap ? ag_ones_like(s, gap) : NULL;
    const agn_tensor *none = one ? ag_zeros_like(s, one) : NULL;
    const agn_tensor *xl = ag_where(
        s, block, ag_div(s, ag_diagonal(s, p, -1, -2, -1), ag_where(s, block, gap, one)), none);
    const agn_tensor *ul = ag_diagonal(s, u, -1, -2, -1);
    const agn_tensor *size = ag_where(s, block, ag_mul(s, ul, agni_conjugate_dense(s, low)), one);
    const agn_tensor *off = ag_add(s, ag_mul(s, ag_mul(s, ud, xl), agni_conjugate_dense(s, low)),
                                   ag_mul(s, ul, agni_conjugate_dense(s, dlow)));
    const agn_tensor *turn = ag_div(s, ag_imag(s, ag_where(s, block, off, none)),
                                    ag_real(s, size)); /* -1 times the angle */
    const agn_tensor *zero = turn ? ag_zeros_like(s, slice_parts(s, turn, 0, 1)) : NULL;
    const agn_tensor *angle = ag_sub(s, ag_concat(s, (const agn_tensor *[]){zero, turn}, 2, -1),
                                     ag_concat(s, (const agn_tensor *[]){turn, zero}, 2, -1));
    const agn_tensor *x = ag_add(s, skew_of(s, ag_diag_embed(s, xl, -1, -2, -1)),
                                 imaginary_part(s, ag_diag_embed(s, angle, 0, -2, -1)));
    ty[0] = ag_triu(s, ag_add(s, p, ag_sub(s, ag_matmul(s, t1, x), ag_matmul(s, x, t1))), 0);
    ty[1] = agni_add_present(s, ty[1], ag_matmul(s, r->y[1], x));
}
