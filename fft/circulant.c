/* fft/circulant.c - systems with circulant matrices and products with Toeplitz matrices, by
   transforms (Golub & Van Loan 2013, 4.8). Compositions: their derivatives are those of transforms,
   products and quotients. */
#include "tensor/dispatch/op_helpers.h"

#include <agnesi/ag.h>
#include <agnesi/fft.h>
#include <agnesi/linalg.h>
#include <math.h>

/* eigenvalues, NaN where they are 0 to rounding: transforms round by a few eps log2(n) of the
   largest, and what is left of a 0 would be divided by */
static const agn_tensor *refuse_zero_eigenvalues(agn_scope *s, const agn_tensor *values, int64_t n)
{
    if (!values)
        return NULL;
    const int32_t rows = -2;
    double eps = values->dtype == AGN_C64 ? 0x1p-23 : 0x1p-52,
           bound = 8 * eps * (1 + log2((double)n));
    const agn_tensor *size = ag_abs(s, values), *most = ag_amax(s, size, &rows, 1, true);
    return ag_where(s, ag_le(s, size, ag_mul_c(s, most, bound)),
                    ag_full_like(s, values, (double)NAN), values);
}

agn_status agn_linalg_solve_circulant(agn_tensor **out, const agn_tensor *c, const agn_tensor *b)
{
    static const char op[] = "linalg_solve_circulant";
    AGNI_NEED(op, out);
    AGNI_NEED(op, c);
    AGNI_NEED(op, b);
    if (c->layout != AGN_DENSE || b->layout != AGN_DENSE)
        return agni_fail(AGN_EUNSUPPORTED,
                         "%s: a sparse argument, dense ones are needed: c is %s, b is %s", op,
                         AGNI_SHAPE(c), AGNI_SHAPE(b));
    int64_t n = c->ndim < 1 ? 0 : c->shape[c->ndim - 1];
    if (n < 1 || b->ndim < 1 || b->shape[b->ndim == 1 ? 0 : b->ndim - 2] != n)
        return agni_fail(AGN_ESHAPE, "%s: sizes differ: c is %s, b is %s", op, AGNI_SHAPE(c),
                         AGNI_SHAPE(b));
    agn_scope *s = agn_scope_open(NULL);
    int dtype = agni_promote(c->dtype, b->dtype); /* before the transforms, each of which has the width of its argument */
    bool real = agni_kind(dtype) != AGNI_KIND_COMPLEX;
    const agn_tensor *y = agni_cast(s, b->ndim == 1 ? ag_expand_dims(s, b, -1) : b, dtype);
    const agn_tensor *x = agni_cast(s, ag_expand_dims(s, c, -1), dtype);
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

/* the product with a circulant matrix of order m + n - 1 or more that holds the Toeplitz matrix in
   its corner */
agn_status agn_linalg_matmul_toeplitz(agn_tensor **out, const agn_tensor *c, const agn_tensor *r,
                                      const agn_tensor *x)
{
    static const char op[] = "linalg_matmul_toeplitz";
    AGNI_NEED(op, out);
    AGNI_NEED(op, c);
    AGNI_NEED(op, x);
    if (c->layout != AGN_DENSE || (r && r->layout != AGN_DENSE) || x->layout != AGN_DENSE)
        return agni_fail(AGN_EUNSUPPORTED,
                         "%s: a sparse argument, dense ones are needed: c is %s, x is %s", op,
                         AGNI_SHAPE(c), AGNI_SHAPE(x));
    int64_t m = c->ndim < 1 ? 0 : c->shape[c->ndim - 1], n = !r            ? m
                                                             : r->ndim < 1 ? 0
                                                                           : r->shape[r->ndim - 1];
    if (m < 1 || n < 1 || x->ndim < 1 || x->shape[x->ndim == 1 ? 0 : x->ndim - 2] != n)
        return agni_fail(AGN_ESHAPE, "%s: sizes differ: c is %s, r is %s, x is %s", op,
                         AGNI_SHAPE(c), r ? AGNI_SHAPE(r) : "absent", AGNI_SHAPE(x));
    if (c->ndim >= AGNI_MAX_RANK || (r && r->ndim >= AGNI_MAX_RANK))
        return agni_fail(AGN_ESHAPE, "%s: %d axes, at most %d", op, c->ndim, AGNI_MAX_RANK - 1);
    agn_scope *s = agn_scope_open(NULL);
    int64_t order = m + n - 1, head = m;
    const agn_tensor *y = x->ndim == 1 ? ag_expand_dims(s, x, -1) : x, *row = r;
    if (!r)
        row = agni_kind(c->dtype) == AGNI_KIND_COMPLEX ? ag_conj(s, c) : c;
    const agn_tensor *h = c;
    if (n > 1 && row) {
        int64_t start[AGNI_MAX_RANK] = {0}, stop[AGNI_MAX_RANK], step[AGNI_MAX_RANK];
        for (int d = 0; d < row->ndim; d++)
            stop[d] = row->shape[d], step[d] = 1;
        start[row->ndim - 1] = 1;
        const agn_tensor *tail = ag_flip(s, ag_slice(s, row, row->ndim, start, stop, step),
                                         (const int32_t[]){-1}, 1);
        agni_meta all = {.ndim = 0};
        agni_broadcast_into(&all, c->ndim - 1, c->shape);
        if (tail && !agni_broadcast_into(&all, tail->ndim - 1, tail->shape))
            agn_scope_fail(s,
                           agni_fail(AGN_ESHAPE, "%s: batches do not broadcast: c is %s, r is %s",
                                     op, AGNI_SHAPE(c), AGNI_SHAPE(r)));
        all.shape[all.ndim] = head;
        h = ag_broadcast_to(s, h, all.ndim + 1, all.shape);
        all.shape[all.ndim] = n - 1;
        h = ag_concat(
            s, (const agn_tensor *[]){h, ag_broadcast_to(s, tail, all.ndim + 1, all.shape)}, 2, -1);
    }
    h = ag_expand_dims(s, h, -1);
    int dtype = h ? agni_promote(h->dtype, x->dtype) : x->dtype;
    h = agni_cast(s, h, dtype);
    y = agni_cast(s, y, dtype);
    bool real = agni_kind(dtype) != AGNI_KIND_COMPLEX;
    if (real)
        y = ag_fft_irfft(s,
                         ag_mul(s, ag_fft_rfft(s, h, order, -2, AGN_FFT_BACKWARD),
                                ag_fft_rfft(s, y, order, -2, AGN_FFT_BACKWARD)),
                         order, -2, AGN_FFT_BACKWARD);
    else
        y = ag_fft_ifft(s,
                        ag_mul(s, ag_fft_fft(s, h, order, -2, AGN_FFT_BACKWARD),
                               ag_fft_fft(s, y, order, -2, AGN_FFT_BACKWARD)),
                        order, -2, AGN_FFT_BACKWARD);
    if (y) {
        int64_t start[AGNI_MAX_RANK] = {0}, stop[AGNI_MAX_RANK], step[AGNI_MAX_RANK];
        for (int d = 0; d < y->ndim; d++)
            stop[d] = y->shape[d], step[d] = 1;
        stop[y->ndim - 2] = m;
        y = ag_slice(s, y, y->ndim, start, stop, step);
    }
    return agni_return(op, s, out, x->ndim == 1 && y ? ag_squeeze(s, y, -1) : y);
}
