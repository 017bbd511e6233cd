/* fft/derivative.c - spectral differentiation of periodic samples: bin k times (2 pi i k / L)^order
   (Trefethen, Spectral Methods in MATLAB, 2000, 3). The bin between the signs of frequencies, that
   of n / 2 for even n, counts as both: odd derivatives of it are 0. */
#include "fft/fft.h"

#include <agnesi/ag.h>
#include <math.h>

static void make_multipliers(double *v, int64_t n, int64_t bins, int32_t order, double length)
{
    for (int64_t k = 0; k < bins; k++) {
        int64_t f = 2 * k <= n ? k : k - n;
        double p = order % 2 && 2 * k == n
                       ? 0
                       : pow(2 * 3.14159265358979323846 * (double)f / length, order);
        bool minus = order % 4 >= 2;
        v[2 * k] = order % 2 ? 0 : minus ? -p : p;
        v[2 * k + 1] = order % 2 ? (minus ? -p : p) : 0;
    }
}

agn_status agn_fft_derivative(agn_tensor **out, const agn_tensor *x, int32_t order, double length,
                              int32_t axis)
{
    static const char op[] = "fft_derivative";
    int d;
    if (!out || !x)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, out ? "x" : "out");
    agn_status st = agni_axis(op, axis, x->ndim, &d);
    if (st)
        return st;
    int64_t n = x->shape[d];
    if (order < 0 || !(length > 0) || !isfinite(length) || n < 1 || n > AGNI_FFT_MOST_POINTS)
        return agni_fail(AGN_EARG,
                         "%s: order %d of %lld samples over a length of %g; the order is not "
                         "negative, the length positive, and there are samples",
                         op, order, (long long)n, length);
    bool z = agni_kind(x->dtype) == AGNI_KIND_COMPLEX;
    int64_t bins = z ? n : n / 2 + 1;
    double *v = agni_alloc((size_t)bins * 2 * sizeof *v);
    if (!v)
        return agni_nomem(op, (size_t)bins * 2 * sizeof *v);
    make_multipliers(v, n, bins, order, length);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = z ? ag_fft_fft(s, x, 0, axis, AGN_FFT_BACKWARD)
                            : ag_fft_rfft(s, x, 0, axis, AGN_FFT_BACKWARD);
    const agn_tensor *m = y ? agni_fft_constant(s, y->dtype, bins, v) : NULL;
    agni_free(v);
    if (m) {
        int64_t shape[AGNI_MAX_RANK];
        int ndim = y->ndim - d;
        for (int k = 0; k < ndim; k++)
            shape[k] = k ? 1 : bins;
        m = agni_reshape(s, m, ndim, shape);
    }
    y = ag_mul(s, y, m);
    y = z ? ag_fft_ifft(s, y, 0, axis, AGN_FFT_BACKWARD)
          : ag_fft_irfft(s, y, n, axis, AGN_FFT_BACKWARD);
    return agni_return(op, s, out, y);
}
