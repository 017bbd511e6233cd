/* fft/r2r.c - discrete cosine and sine transforms of types 1 to 4 (Wang & Hunt 1985), as FFTW
   defines them:
     cosine  1  x_0 + (-1)^k x_n-1 + 2 sum x_j cos(pi j k / (n - 1)), j from 1 to n - 2
             2  2 sum x_j cos(pi (j + 1/2) k / n)
             3  x_0 + 2 sum x_j cos(pi j (k + 1/2) / n), j from 1
             4  2 sum x_j cos(pi (j + 1/2) (k + 1/2) / n)
     sine    1  2 sum x_j sin(pi (j + 1) (k + 1) / (n + 1))
             2  2 sum x_j sin(pi (j + 1/2) (k + 1) / n)
             3  (-1)^k x_n-1 + 2 sum x_j sin(pi (j + 1) (k + 1/2) / n), j to n - 2
             4  2 sum x_j sin(pi (j + 1/2) (k + 1/2) / n)
   Twice a row is the inverse of its dual times the period. With 1/sqrt(period) and factors at the
   ends of an axis each matrix is orthogonal. */
#include "fft/fft.h"

#include <agnesi/ag.h>
#include <math.h>

enum { FIRST = 1, LAST = 2 };

const agni_r2r_kind agni_r2r_kinds[8] = {
    /* fftw, dual, before, after, twice, half, longer */
    {3, 0, FIRST | LAST, FIRST | LAST, 2, 2, -1}, /* REDFT00 */
    {5, 2, 0, FIRST, 2, 1, 0},                    /* REDFT10 */
    {4, 1, FIRST, 0, 1, 2, 0},                    /* REDFT01 */
    {6, 3, 0, 0, 1, 1, 0},                        /* REDFT11 */
    {7, 4, 0, 0, 1, 1, 1},                        /* RODFT00 */
    {9, 6, 0, LAST, 2, 1, 0},                     /* RODFT10 */
    {8, 5, LAST, 0, 1, 2, 0},                     /* RODFT01 */
    {10, 7, 0, 0, 1, 1, 0},                       /* RODFT11 */
};

static const agn_tensor *apply_r2r(agn_scope *s, const agn_tensor *x, const agni_attr *at)
{
    if (x && agni_kind(x->dtype) == AGNI_KIND_COMPLEX)
        return ag_complex(s, apply_r2r(s, ag_real(s, x), at), apply_r2r(s, ag_imag(s, x), at));
    return x ? agni_apply_in(s, &agni_op_fft_r2r, at, 1, &x) : NULL;
}

static agn_status transform_axes(agn_tensor **out, const char *op, const agn_tensor *x, bool sine,
                                 bool inverse, int32_t type, int32_t n_axes, const int32_t *axes,
                                 const int64_t *n, int32_t norm)
{
    agni_fft_axes a;
    if (!out || !x)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, out ? "x" : "out");
    if (type < 1 || type > 4)
        return agni_fail(AGN_EARG, "%s: type %d is none of 1, 2, 3, 4", op, type);
    agn_status st = agni_fft_check_norm(op, norm);
    if (!st)
        st = agni_fft_find_axes(&a, op, x, n_axes, axes, n, false);
    if (st)
        return st;
    int k = (sine ? 4 : 0) + type - 1;
    if (inverse)
        k = agni_r2r_kinds[k].dual;
    const agni_r2r_kind *kind = &agni_r2r_kinds[k];
    bool ortho = norm == AGN_FFT_ORTHO;
    double f[3] = {1, ortho && kind->before ? sqrt(2) : 1, ortho && kind->after ? sqrt(0.5) : 1};
    int64_t i[AGNI_MAX_RANK + 1] = {0, k};
    agn_scope *s = agn_scope_open(NULL);
    for (int d = 0; d < a.count; d++) {
        x = agni_fft_resize(s, x, a.axis[d], a.n[d]);
        i[d ? d + 1 : 0] = a.axis[d] - (x ? x->ndim : 0);
        f[0] *= agni_fft_scale(2 * (double)(a.n[d] + kind->longer), norm, inverse);
    }
    x = a.count ? apply_r2r(s, x, &(agni_attr){.ni = a.count + 1, .i = i, .nf = 3, .f = f}) : x;
    return agni_return(op, s, out, x);
}

agn_status agn_fft_dct(agn_tensor **out, const agn_tensor *x, int32_t type, int64_t n, int32_t axis,
                       int32_t norm)
{
    return transform_axes(out, "fft_dct", x, false, false, type, 1, &axis, &n, norm);
}
agn_status agn_fft_idct(agn_tensor **out, const agn_tensor *x, int32_t type, int64_t n,
                        int32_t axis, int32_t norm)
{
    return transform_axes(out, "fft_idct", x, false, true, type, 1, &axis, &n, norm);
}
agn_status agn_fft_dst(agn_tensor **out, const agn_tensor *x, int32_t type, int64_t n, int32_t axis,
                       int32_t norm)
{
    return transform_axes(out, "fft_dst", x, true, false, type, 1, &axis, &n, norm);
}
agn_status agn_fft_idst(agn_tensor **out, const agn_tensor *x, int32_t type, int64_t n,
                        int32_t axis, int32_t norm)
{
    return transform_axes(out, "fft_idst", x, true, true, type, 1, &axis, &n, norm);
}
agn_status agn_fft_dctn(agn_tensor **out, const agn_tensor *x, int32_t type, const int64_t *n,
                        const int32_t *axes, int32_t n_axes, int32_t norm)
{
    return transform_axes(out, "fft_dctn", x, false, false, type, n_axes, axes, n, norm);
}
agn_status agn_fft_idctn(agn_tensor **out, const agn_tensor *x, int32_t type, const int64_t *n,
                         const int32_t *axes, int32_t n_axes, int32_t norm)
{
    return transform_axes(out, "fft_idctn", x, false, true, type, n_axes, axes, n, norm);
}
agn_status agn_fft_dstn(agn_tensor **out, const agn_tensor *x, int32_t type, const int64_t *n,
                        const int32_t *axes, int32_t n_axes, int32_t norm)
{
    return transform_axes(out, "fft_dstn", x, true, false, type, n_axes, axes, n, norm);
}
agn_status agn_fft_idstn(agn_tensor **out, const agn_tensor *x, int32_t type, const int64_t *n,
                         const int32_t *axes, int32_t n_axes, int32_t norm)
{
    return transform_axes(out, "fft_idstn", x, true, true, type, n_axes, axes, n, norm);
}
