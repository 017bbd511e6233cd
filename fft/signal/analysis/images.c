/* fft/signal/analysis/images.c - windows that move over images: Wiener's filter (Lim 1990, 9.2),
   ranks, convolution that
   goes on beyond the edges; analytic images (Hahn 1992) and Hartley's transform (Bracewell 1983).
   */
#include "fft/signal/signal.h"

#include <agnesi/ag.h>
#include <agnesi/fft.h>
#include <agnesi/signal_analysis.h>
#include <math.h>

/* out given, x real, of n axes and more, none of the last n empty */
static agn_status check_image(const char *op, agn_tensor *const *out, const agn_tensor *x, int n)
{
    AGNI_NEED(op, out);
    AGNI_NEED(op, x);
    if (agni_kind(x->dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "%s: x is %s %s; a real dtype is needed", op,
                         agni_dtypes[x->dtype].name, AGNI_SHAPE(x));
    bool empty = x->ndim < n;
    for (int d = 1; !empty && d <= n; d++)
        empty = !x->shape[x->ndim - d];
    if (empty)
        return agni_fail(AGN_ESHAPE,
                         "%s: x is %s of rank %d; it has %d axes at least, the last not empty", op,
                         AGNI_SHAPE(x), x->ndim, n);
    return AGN_OK;
}

agn_status agn_signal_wiener(agn_tensor **out, const agn_tensor *x, const int64_t *sizes,
                             int32_t n_axes, double noise)
{
    static const char op[] = "signal_wiener";
    static const int32_t last[] = {-2, -1};
    int64_t count = 1;
    AGNI_NEED(op, sizes);
    if (n_axes < 1 || n_axes > 2)
        return agni_fail(AGN_EARG, "%s: %d axes; there are 1 or 2", op, n_axes);
    agn_status st = check_image(op, out, x, n_axes);
    for (int d = 0; !st && d < n_axes; d++) {
        int64_t n = x->shape[x->ndim - n_axes + d];
        if (sizes[d] < 1 || sizes[d] % 2 == 0)
            st = agni_fail(AGN_EARG, "%s: a window of %lld along axis %d of x %s; it is odd", op,
                           (long long)sizes[d], d - n_axes, AGNI_SHAPE(x));
        else if (sizes[d] > n)
            st = agni_fail(AGN_ESHAPE, "%s: x is %s; a window of %lld along axis %d is longer", op,
                           AGNI_SHAPE(x), (long long)sizes[d], d - n_axes);
        count *= st ? 1 : sizes[d];
    }
    if (!st && isnan(noise))
        st = agni_fail(AGN_EARG, "%s: a noise of %g for x %s; it is a variance, or negative", op,
                       noise, AGNI_SHAPE(x));
    if (st)
        return st;
    const int32_t *axes = last + 2 - n_axes;
    int dtype = agni_signal_dtype(x->dtype);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = agni_cast(s, x, dtype),
                     *box = agni_full(s, 1.0 / (double)count, dtype, n_axes, sizes);
    const agn_tensor *mean = ag_correlate(s, y, box, n_axes, AGN_SAME);
    const agn_tensor *var = ag_sub(s, ag_correlate(s, ag_square(s, y), box, n_axes, AGN_SAME),
                                   ag_square(s, mean));
    const agn_tensor *level = noise < 0 ? ag_mean(s, var, axes, n_axes, true)
                                        : ag_full_like(s, var, noise);
    const agn_tensor *weak = ag_lt(s, var, level),
                     *safe = ag_where(s, weak, ag_add_c(s, ag_mul_c(s, var, 0), 1), var);
    const agn_tensor *part = ag_sub(s, ag_full_like(s, var, 1), ag_div(s, level, safe));
    const agn_tensor *near = ag_add(s, mean, ag_mul(s, part, ag_sub(s, y, mean)));
    return agni_return(op, s, out, ag_where(s, weak, mean, near));
}

agn_status agn_signal_rank_filter(agn_tensor **out, const agn_tensor *x, int64_t rows,
                                  int64_t columns, int64_t rank)
{
    static const char op[] = "signal_rank_filter";
    int64_t lo[AGNI_MAX_RANK] = {0};
    agn_status st = check_image(op, out, x, 2);
    if (!st && x->ndim + 2 > AGNI_MAX_RANK)
        st = agni_fail(AGN_ESHAPE, "%s: x is of rank %d; windows need two axes more", op, x->ndim);
    if (!st &&
        (rows < 1 || columns < 1 || rows % 2 == 0 || columns % 2 == 0 || rows >= 1 << 20 ||
         columns >= 1 << 20 || rows * columns >= 1 << 20 || rank < 0 || rank >= rows * columns))
        st = agni_fail(
            AGN_EARG,
            "%s: rank %lld of windows of %lld times %lld; sides are odd, the rank below "
            "their product, "
            "which is below 2^20",
            op, (long long)rank, (long long)rows, (long long)columns);
    if (st)
        return st;
    lo[x->ndim - 2] = rows / 2;
    lo[x->ndim - 1] = columns / 2;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = ag_pad(s, agni_cast(s, x, agni_signal_dtype(x->dtype)), x->ndim, lo, lo,
                                 0);
    y = ag_unfold(s, ag_unfold(s, y, x->ndim - 2, rows, 1), x->ndim - 1, columns, 1);
    y = ag_sort(s, ag_flatten(s, y, -2, -1), -1, false);
    return agni_return(op, s, out, ag_index_axis(s, y, -1, rank));
}

/* both ways: a correlation is the convolution with the conjugate, turned, whose middle is rounded
   up */
static agn_status filter_image(agn_tensor **out, const char *op, const agn_tensor *a,
                               const agn_tensor *v, int32_t mode, int32_t edge, double fill,
                               bool turned)
{
    AGNI_NEED(op, out);
    AGNI_NEED(op, a);
    AGNI_NEED(op, v);
    if ((mode != AGN_FULL && mode != AGN_SAME && mode != AGN_VALID) ||
        (edge != -1 && edge != AGN_PAD_EDGE && edge != AGN_PAD_REFLECT &&
         edge != AGN_PAD_SYMMETRIC && edge != AGN_PAD_WRAP))
        return agni_fail(
            AGN_EARG,
            "%s: mode %d, edge %d; modes are full, same and valid, edges a kind of padding or -1",
            op, mode, edge);
    bool bad = a->ndim < 2 || v->ndim < 2;
    int64_t n[2] = {0}, m[2] = {0}, lo[AGNI_MAX_RANK] = {0};
    for (int d = 0; !bad && d < 2; d++) {
        n[d] = a->shape[a->ndim - 2 + d];
        m[d] = v->shape[v->ndim - 2 + d];
        bad = !n[d] || !m[d] || (mode == AGN_VALID && m[d] > n[d]);
        lo[a->ndim - 2 + d] = mode == AGN_VALID ? 0 : m[d] - 1;
    }
    if (bad)
        return agni_fail(
            AGN_ESHAPE,
            "%s: a is %s, v %s; both have two axes that are not empty, v within a where "
            "it is valid",
            op, AGNI_SHAPE(a), AGNI_SHAPE(v));
    int dtype = agni_signal_common_dtype(2, (const agn_tensor *[]){a, v});
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = agni_cast(s, a, dtype), *w = agni_cast(s, v, dtype);
    if (turned)
        w = ag_flip(s, ag_conj(s, w), (int32_t[]){-2, -1}, 2);
    if (mode != AGN_VALID)
        y = edge == -1 ? ag_pad(s, y, a->ndim, lo, lo, fill)
                       : ag_pad_with(s, y, a->ndim, lo, lo, (agn_pad_kind)edge);
    y = ag_convolve(s, y, w, 2, AGN_VALID);
    if (mode == AGN_SAME && y) {
        int64_t start[AGNI_MAX_RANK] = {0}, stop[AGNI_MAX_RANK], step[AGNI_MAX_RANK];
        for (int d = 0; d < y->ndim; d++) {
            stop[d] = y->shape[d];
            step[d] = 1;
        }
        for (int d = 0; d < 2; d++) {
            start[y->ndim - 2 + d] = (turned ? m[d] : m[d] - 1) / 2;
            stop[y->ndim - 2 + d] = start[y->ndim - 2 + d] + n[d];
        }
        y = ag_slice(s, y, y->ndim, start, stop, step);
    }
    return agni_return(op, s, out, y);
}

agn_status agn_signal_convolve2d(agn_tensor **out, const agn_tensor *a, const agn_tensor *v,
                                 int32_t mode, int32_t edge, double fill)
{
    return filter_image(out, "signal_convolve2d", a, v, mode, edge, fill, false);
}
agn_status agn_signal_correlate2d(agn_tensor **out, const agn_tensor *a, const agn_tensor *v,
                                  int32_t mode, int32_t edge, double fill)
{
    return filter_image(out, "signal_correlate2d", a, v, mode, edge, fill, true);
}

/* 1 at 0, 2 at positive frequencies, 0 at half the rate and at negative ones */
static const agn_tensor *make_sides(agn_scope *s, int dtype, int64_t n)
{
    agn_tensor *wide = NULL, *made = NULL;
    size_t size = (size_t)n * sizeof(double);
    double *v = agn_scope_status(s) ? NULL : agni_alloc(size);
    if (!v) {
        if (!agn_scope_status(s))
            agn_scope_fail(s, agni_nomem("signal_hilbert2", size));
        return NULL;
    }
    for (int64_t k = 0; k < n; k++)
        v[k] = k == 0 ? 1 : 2 * k < n ? 2 : 0;
    agn_status st = agn_from_host(&wide, AGN_F64, 1, &n, v);
    if (!st)
        st = agn_cast(&made, wide, (agn_dtype)dtype);
    agni_free(v);
    agn_release(wide);
    return agni_adopt_constant(s, st, made);
}

agn_status agn_signal_hilbert2(agn_tensor **out, const agn_tensor *x)
{
    static const char op[] = "signal_hilbert2";
    agn_status st = check_image(op, out, x, 2);
    if (st)
        return st;
    int dtype = agni_signal_dtype(x->dtype);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *rows = ag_expand_dims(s, make_sides(s, dtype, x->shape[x->ndim - 2]), -1),
                     *columns = make_sides(s, dtype, x->shape[x->ndim - 1]);
    const agn_tensor *z = ag_fft_fft2(s, agni_cast(s, x, dtype), NULL, NULL, AGN_FFT_BACKWARD);
    z = ag_mul(s, ag_mul(s, z, rows), columns);
    return agni_return(op, s, out, ag_fft_ifft2(s, z, NULL, NULL, AGN_FFT_BACKWARD));
}

agn_status agn_signal_hartley(agn_tensor **out, const agn_tensor *x)
{
    static const char op[] = "signal_hartley";
    agn_status st = check_image(op, out, x, 1);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *z = ag_fft_fft(s, agni_cast(s, x, agni_signal_dtype(x->dtype)), 0, -1,
                                     AGN_FFT_BACKWARD);
    return agni_return(op, s, out, ag_sub(s, ag_real(s, z), ag_imag(s, z)));
}
