/* fft/signal/spectral.c - spectral densities by Welch's method (Welch 1967): means over frames of
   what short-time transforms give, and what is made of them. */
#include "fft/signal/signal.h"

#include <agnesi/ag.h>
#include <agnesi/fft.h>
#include <math.h>

typedef agn_signal_welch_options options;

static agn_status complete_options(options *a, const char *op, const options *given,
                                   const agn_tensor *x)
{
    if (agni_check_size(op, agn_signal_welch_options, given))
        return AGN_EARG;
    *a = given ? *given : (options){.size = sizeof *a};
    int64_t n = x->shape[x->ndim - 1];
    if (!a->length)
        a->length = a->window && a->window->ndim ? a->window->shape[0] : n < 256 ? n : 256;
    if (!a->hop)
        a->hop = a->length - a->length / 2;
    if (a->rate == 0)
        a->rate = 1;
    if (a->length < 1 || a->length > n || a->hop < 1)
        return agni_fail(AGN_ESHAPE, "%s: frames of %lld at steps of %lld do not fit x %s", op,
                         (long long)a->length, (long long)a->hop, AGNI_SHAPE(x));
    if (!(a->rate > 0) || !isfinite(a->rate))
        return agni_fail(AGN_EARG, "%s: a rate of %g for x %s; it is positive", op, a->rate,
                         AGNI_SHAPE(x));
    if (a->window && (a->window->ndim != 1 || a->window->shape[0] != a->length))
        return agni_fail(AGN_ESHAPE, "%s: the window is %s, frames have %lld", op,
                         AGNI_SHAPE(a->window), (long long)a->length);
    return AGN_OK;
}

static agn_status check_pair(const char *op, agn_tensor *const *out, const agn_tensor *x,
                             const agn_tensor *y)
{
    if (!y)
        return agni_fail(AGN_ENULL, "%s: y is NULL", op);
    agn_status st = agni_signal_check(op, out, x);
    const agn_tensor *both[] = {x, y};
    for (int k = 0; !st && k < 2; k++)
        if (agni_kind(both[k]->dtype) == AGNI_KIND_COMPLEX)
            st = agni_fail(AGN_EDTYPE, "%s: %s is %s; a real dtype is needed", op, k ? "y" : "x",
                           agni_dtypes[both[k]->dtype].name);
    if (!st && (!y->ndim || y->shape[y->ndim - 1] != x->shape[x->ndim - 1]))
        st = agni_fail(AGN_ESHAPE, "%s: x is %s, y %s; they have the same times", op, AGNI_SHAPE(x),
                       AGNI_SHAPE(y));
    return st;
}

/* spectra [..., frames, bins] of frames without their mean, times the window */
static const agn_tensor *frame_spectra(agn_scope *s, const options *a, const agn_tensor *x,
                                       int dtype, const agn_tensor *w)
{
    const agn_tensor *f = agni_signal_frames(s, agni_cast(s, x, dtype), a->length, a->hop);
    if (!a->keep_mean)
        f = ag_sub(s, f, ag_mean(s, f, (int32_t[]){-1}, 1, true));
    return ag_fft_rfft(s, ag_mul(s, f, w), 0, -1, AGN_FFT_BACKWARD);
}

/* mean over frames of conj(X) Y, one-sided: times 2 inside, over rate and window */
static const agn_tensor *mean_product(agn_scope *s, const options *a, const agn_tensor *fx,
                                      const agn_tensor *fy, const agn_tensor *w)
{
    const agn_tensor *p = fx == fy ? ag_add(s, ag_square(s, ag_real(s, fx)),
                                            ag_square(s, ag_imag(s, fx)))
                                   : ag_mul(s, ag_conj(s, fx), fy);
    p = ag_mean(s, p, (int32_t[]){-2}, 1, false);
    int64_t bins = a->length / 2 + 1;
    double *v = agn_scope_status(s) ? NULL : agni_alloc((size_t)bins * sizeof *v);
    agn_tensor *sides = NULL;
    if (!v) {
        if (!agn_scope_status(s))
            agn_scope_fail(s, agni_nomem("signal_welch", (size_t)bins * sizeof *v));
        return NULL;
    }
    for (int64_t k = 0; k < bins; k++)
        v[k] = (k == 0 || 2 * k == a->length ? 1 : 2) / (a->spectrum ? 1 : a->rate);
    agn_status st = agn_from_host(&sides, AGN_F64, 1, &bins, v);
    agni_free(v);
    const agn_tensor *m = agni_adopt_constant(s, st, sides);
    const agn_tensor *norm = a->spectrum ? ag_square(s, ag_sum(s, w, (int32_t[]){-1}, 1, true))
                                         : ag_sum(s, ag_square(s, w), (int32_t[]){-1}, 1, true);
    m = w && m ? ag_div(s, agni_cast(s, m, w->dtype), norm) : NULL;
    return ag_mul(s, p, m);
}

enum { DENSITY, WHOLE, CROSS, COHERENCE };

static agn_status estimate_density(agn_tensor **out, const char *op, const agn_tensor *x,
                                   const agn_tensor *y, const options *given, int what)
{
    options a;
    agn_status st = check_pair(op, out, x, y);
    if (!st)
        st = complete_options(&a, op, given, x);
    if (st)
        return st;
    int dtype = agni_signal_dtype(agni_promote(x->dtype, y->dtype));
    agn_tensor *made = NULL;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *w = a.window;
    if (!w) {
        st = agn_signal_window(&made, what == WHOLE ? AGN_WINDOW_BOXCAR : AGN_WINDOW_HANN, dtype,
                               a.length, NULL, 0, false);
        w = agni_adopt_constant(s, st, made);
    } else {
        w = agni_cast(s, w, dtype);
    }
    const agn_tensor *fx = frame_spectra(s, &a, x, dtype, w),
                     *fy = x == y ? fx : frame_spectra(s, &a, y, dtype, w);
    const agn_tensor *p = mean_product(s, &a, fx, fy, w);
    if (what == COHERENCE) {
        p = ag_add(s, ag_square(s, ag_real(s, p)), ag_square(s, ag_imag(s, p)));
        p = ag_div(s, p, ag_mul(s, mean_product(s, &a, fx, fx, w), mean_product(s, &a, fy, fy, w)));
    }
    return agni_return(op, s, out, p);
}

agn_status agn_signal_welch(agn_tensor **out, const agn_tensor *x,
                            const agn_signal_welch_options *opts)
{
    if (!out || !x)
        return agni_fail(AGN_ENULL, "signal_welch: %s is NULL", out ? "x" : "out");
    return estimate_density(out, "signal_welch", x, x, opts, DENSITY);
}
agn_status agn_signal_csd(agn_tensor **out, const agn_tensor *x, const agn_tensor *y,
                          const agn_signal_welch_options *opts)
{
    return estimate_density(out, "signal_csd", x, y, opts, CROSS);
}
agn_status agn_signal_coherence(agn_tensor **out, const agn_tensor *x, const agn_tensor *y,
                                const agn_signal_welch_options *opts)
{
    return estimate_density(out, "signal_coherence", x, y, opts, COHERENCE);
}

agn_status agn_signal_periodogram(agn_tensor **out, const agn_tensor *x,
                                  const agn_signal_welch_options *opts)
{
    static const char op[] = "signal_periodogram";
    options a = {.size = sizeof a};
    agn_status st = agni_signal_check(op, out, x);
    if (!st && agni_check_size(op, agn_signal_welch_options, opts))
        st = AGN_EARG;
    if (st)
        return st;
    if (opts)
        a = *opts;
    a.length = a.hop = x->shape[x->ndim - 1];
    return estimate_density(out, op, x, x, &a, WHOLE);
}
