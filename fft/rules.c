/* fft/rules.c - adjoints of the transforms, in the pairing Re<u, v>.

   r2c: Re sum_k conj(g_k) w_k sum_j x_j e^-ijk = sum_j x_j Re sum_k w_k g_k e^ijk over the given
   bins. c2r takes twice the real part of the inside bins: the adjoint of r2c with weight w is c2r
   with w / 2, that of c2r is r2c with 2 w. */
#include "fft/fft.h"

const agn_tensor *agni_r2c_transpose(agn_scope *s, const agni_rule *r, int i,
                                     const agn_tensor *g)
{
    (void)i;
    const agn_tensor *x = r->x[0];
    int64_t at[] = {r->at->i[0], x->shape[x->ndim + r->at->i[0]]};
    double f[] = {r->at->f[0], r->at->f[1] / 2};
    return agni_apply_in(s, &agni_op_fft_c2r, &(agni_attr){.ni = 2, .i = at, .nf = 2, .f = f}, 1,
                         &g);
}

const agn_tensor *agni_c2r_transpose(agn_scope *s, const agni_rule *r, int i,
                                     const agn_tensor *g)
{
    (void)i;
    double f[] = {r->at->f[0], r->at->f[1] * 2};
    return agni_apply_in(s, &agni_op_fft_r2c, &(agni_attr){.ni = 1, .i = r->at->i, .nf = 2, .f = f},
                         1, &g);
}

const agn_tensor *agni_c2c_transpose(agn_scope *s, const agni_rule *r, int i,
                                     const agn_tensor *g)
{
    (void)i;
    int64_t at[] = {r->at->i[0], -r->at->i[1]};
    return agni_apply_in(s, &agni_op_fft_c2c,
                         &(agni_attr){.ni = 2, .i = at, .nf = 1, .f = r->at->f}, 1, &g);
}
