/* fft/rules.c - adjoints of the transforms, in the pairing Re<u, v>.

   r2c: Re sum_k conj(g_k) w_k sum_j x_j e^-ijk = sum_j x_j Re sum_k w_k g_k e^ijk over the given
   bins. c2r takes twice the real part of the inside bins: the adjoint of r2c with weight w is c2r
   with w / 2, that of c2r is r2c with 2 w. */
#include "fft/fft.h"

#include <string.h>

/* the integers of an adjoint: its first ones, then those of r from number k on */
static agni_attr with_more_axes(const agni_rule *r, int64_t *i, int first, int k, int nf,
                                const double *f)
{
    int more = r->at->ni - k;
    memcpy(i + first, r->at->i + k, (size_t)more * sizeof *i);
    return (agni_attr){.ni = first + more, .i = i, .nf = nf, .f = f};
}

const agn_tensor *agni_r2c_transpose(agn_scope *s, const agni_rule *r, int i,
                                     const agn_tensor *g)
{
    (void)i;
    const agn_tensor *x = r->x[0];
    int64_t at[AGNI_MAX_RANK + 2] = {r->at->i[0], x->shape[x->ndim + r->at->i[0]]};
    double f[] = {r->at->f[0], r->at->f[1] / 2};
    agni_attr a = with_more_axes(r, at, 2, 1, 2, f);
    return agni_apply_in(s, &agni_op_fft_c2r, &a, 1, &g);
}

const agn_tensor *agni_c2r_transpose(agn_scope *s, const agni_rule *r, int i,
                                     const agn_tensor *g)
{
    (void)i;
    int64_t at[AGNI_MAX_RANK + 2] = {r->at->i[0]};
    double f[] = {r->at->f[0], r->at->f[1] * 2};
    agni_attr a = with_more_axes(r, at, 1, 2, 2, f);
    return agni_apply_in(s, &agni_op_fft_r2c, &a, 1, &g);
}

const agn_tensor *agni_c2c_transpose(agn_scope *s, const agni_rule *r, int i,
                                     const agn_tensor *g)
{
    (void)i;
    int64_t at[AGNI_MAX_RANK + 2] = {r->at->i[0], -r->at->i[1]};
    agni_attr a = with_more_axes(r, at, 2, 2, 1, r->at->f);
    return agni_apply_in(s, &agni_op_fft_c2c, &a, 1, &g);
}

const agn_tensor *agni_r2r_transpose(agn_scope *s, const agni_rule *r, int i,
                                     const agn_tensor *g)
{
    (void)i;
    const agni_r2r_kind *kind = &agni_r2r_kinds[r->at->i[1]];
    int64_t at[AGNI_MAX_RANK + 2] = {r->at->i[0], kind->dual};
    double f[] = {r->at->f[0], kind->after ? r->at->f[2] * kind->twice : 1,
                  kind->before ? r->at->f[1] / kind->half : 1};
    agni_attr a = with_more_axes(r, at, 2, 2, 3, f);
    return agni_apply_in(s, &agni_op_fft_r2r, &a, 1, &g);
}
