/* fft/circulant.c - systems with a circulant matrix, which the Fourier transform diagonalises (Golub & Van Loan 2013,
   4.8). A composition: its derivatives are those of transforms and a quotient. */
#include "tensor/dispatch/op_helpers.h"

#include <agnesi/ag.h>
#include <agnesi/fft.h>
#include <agnesi/linalg.h>
#include <math.h>

/* eigenvalues, NaN where they are 0 to rounding: transforms round by a few eps log2(n) of the largest, and what
   is left of a 0 would be divided by */
static const agn_tensor *refuse_zero_eigenvalues(agn_scope *s, const agn_tensor *values, int64_t n)
{
    if (!values)
        return NULL;
    const int32_t rows = -2;
    double eps = values->dtype == AGN_C64 ? 0x1p-23 : 0x1p-52, bound = 8 * eps * (1 + log2((double)n));
    const agn_tensor *size = ag_abs(s, values), *most = ag_amax(s, size, &rows, 1, true);
    return ag_where(s, ag_le(s, size, ag_mul_c(s, most, bound)), ag_full_like(s, values, (double)NAN), values);
}

agn_status agn_linalg_solve_circulant(agn_tensor **out, const agn_tensor *c, const agn_tensor *b)
{
    static const char op[] = "linalg_solve_circulant";
    AGNI_NEED(op, out);
    AGNI_NEED(op, c);
    AGNI_NEED(op, b);
    if (c->layout != AGN_DENSE || b->layout != AGN_DENSE)
        return agni_fail(AGN_EUNSUPPORTED, "%s: a sparse argument, dense ones are needed: c is %s, b is %s", op,
                         AGNI_SHAPE(c), AGNI_SHAPE(b));
    int64_t n = c->ndim < 1 ? 0 : c->shape[c->ndim - 1];
    if (n < 1 || b->ndim < 1 || b->shape[b->ndim == 1 ? 0 : b->ndim - 2] != n)
        return agni_fail(AGN_ESHAPE, "%s: sizes differ: c is %s, b is %s", op, AGNI_SHAPE(c), AGNI_SHAPE(b));
    agn_scope *s = agn_scope_open(NULL);
    bool real = agni_kind(c->dtype) != AGNI_KIND_COMPLEX && agni_kind(b->dtype) != AGNI_KIND_COMPLEX;
    const agn_tensor *y = b->ndim == 1 ? ag_expand_dims(s, b, -1) : b, *x = ag_expand_dims(s, c, -1);
    if (real) {
        x = refuse_zero_eigenvalues(s, ag_fft_rfft(s, x, n, -2, AGN_FFT_BACKWARD), n);
        x = ag_div(s, ag_fft_rfft(s, y, n, -2, AGN_FFT_BACKWARD), x);
        x = ag_fft_irfft(s, x, n, -2, AGN_FFT_BACKWARD);
    } else {
        x = refuse_zero_eigenvalues(s, ag_fft_fft(s, x, n, -2, AGN_FFT_BACKWARD), n);
        x = ag_div(s, ag_fft_fft(s, y, n, -2, AGN_FFT_BACKWARD), x);
        x = ag_fft_ifft(s, x, n, -2, AGN_FFT_BACKWARD);
    }
    return agni_return(op, s, out, b->ndim == 1 && x ? ag_squeeze(s, x, -1) : x);
}
