/* fft/signal/stft.c - short-time Fourier transform and its least-squares inverse (Griffin & Lim
   1984), over the ops of stft_op.c: edges, windows, and what they leave uncovered. */
#include "fft/fft.h"
#include "fft/signal/signal.h"

#include <agnesi/ag.h>
#include <agnesi/fft.h>
#include <math.h>
#include <string.h>

/* ---- options -------------------------------------------------------------------------------- */

typedef agn_signal_stft_options options;

static agn_status complete_options(options *a, const char *op, const options *given)
{
    if (agni_check_size(op, agn_signal_stft_options, given))
        return AGN_EARG;
    *a = given ? *given : (options){.size = sizeof *a};
    if (a->n_fft < 0 || a->n_fft > INT32_MAX || a->win_length < 0 || a->hop < 0)
        return agni_fail(AGN_EARG,
                         "%s: n_fft is %lld, win_length %lld, hop %lld; none may be negative, "
                         "n_fft at most %d",
                         op, (long long)a->n_fft, (long long)a->win_length, (long long)a->hop,
                         INT32_MAX);
    if (!a->n_fft)
        a->n_fft = 512;
    if (!a->win_length)
        a->win_length = a->n_fft;
    if (!a->hop)
        a->hop = a->win_length < 4 ? 1 : a->win_length / 4;
    if (a->win_length > a->n_fft)
        return agni_fail(AGN_EARG, "%s: win_length is %lld; it fits in an n_fft of %lld", op,
                         (long long)a->win_length, (long long)a->n_fft);
    if (a->edge < AGN_SIGNAL_REFLECT || a->edge > AGN_SIGNAL_UNCENTRED)
        return agni_fail(AGN_EARG, "%s: there is no edge %d; there are 0 to %d", op, a->edge,
                         AGN_SIGNAL_UNCENTRED);
    const agn_tensor *w = a->window;
    if (w && agni_kind(w->dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "%s: the window is %s %s; it must be real", op,
                         agni_dtypes[w->dtype].name, AGNI_SHAPE(w));
    if (w && (w->ndim != 1 || w->size != a->win_length))
        return agni_fail(AGN_ESHAPE, "%s: the window is %s, win_length %lld", op, AGNI_SHAPE(w),
                         (long long)a->win_length);
    return AGN_OK;
}

/* the window in the middle of a frame, real, of the precision of dtype */
static const agn_tensor *padded_window(agn_scope *s, const options *a, int dtype)
{
    int real = agni_dtypes[dtype].real;
    const agn_tensor *w = a->window;
    if (!w && !agn_scope_status(s)) {
        agn_tensor *hann = NULL;
        agn_status st = agn_signal_window(&hann, AGN_WINDOW_HANN, real, a->win_length, NULL, 0,
                                          false);
        w = agni_adopt_constant(s, st, hann);
    }
    int64_t room = a->n_fft - a->win_length;
    w = w && a->window && agni_signal_dtype(w->dtype) != real ? ag_cast(s, w, real) : w;
    return agni_signal_zeros(s, w, room / 2, room - room / 2);
}

agn_status agn_signal_stft(agn_tensor **out, const agn_tensor *x,
                           const agn_signal_stft_options *opts)
{
    static const char op[] = "signal_stft";
    options a;
    agn_status st = agni_signal_check(op, out, x);
    if (!st)
        st = complete_options(&a, op, opts);
    if (st)
        return st;
    bool z = agni_kind(x->dtype) == AGNI_KIND_COMPLEX, centred = a.edge != AGN_SIGNAL_UNCENTRED;
    int64_t n = x->shape[x->ndim - 1], half = centred ? a.n_fft / 2 : 0;
    if (z && !a.two_sided)
        return agni_fail(AGN_EDTYPE,
                         "%s: x is %s; of complex signals both sides of the spectrum are kept", op,
                         agni_dtypes[x->dtype].name);
    if (n + 2 * half < a.n_fft)
        return agni_fail(AGN_ESHAPE, "%s: x is %s; it is shorter than a frame of %lld", op,
                         AGNI_SHAPE(x), (long long)a.n_fft);
    if (x->ndim == AGNI_MAX_RANK)
        return agni_fail(AGN_ESHAPE, "%s: x has rank %d; there is no room for frames", op, x->ndim);
    int dtype = agni_signal_dtype(x->dtype);
    int32_t norm = a.normalized ? AGN_FFT_ORTHO : AGN_FFT_BACKWARD;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = agni_signal_pad(s, agni_cast(s, x, dtype), half, half, a.edge);
    const agn_tensor *w = padded_window(s, &a, dtype);
    if (a.two_sided)
        y = agni_fft_to_complex(s, y);
    y = agni_signal_apply_stft(s, y, w, a.hop, a.two_sided ? -1 : 0,
                               agni_fft_scale((double)a.n_fft, norm, false), 1);
    return agni_return(op, s, out, ag_transpose(s, y));
}

/* ---- inverse -------------------------------------------------------------------------------- */

/* Nonzero overlap-add: the sums of squared windows, where samples are wanted. Values of symbols are
   not known; there what is uncovered is 0 / 0. */
static agn_status check_cover(agn_scope *s, const char *op, const agn_tensor *sums, int64_t from,
                              int64_t count, int64_t hop)
{
    agn_tensor *rows = NULL;
    if (!sums || agn_is_symbolic(sums) || agn_device_of(sums) != AGN_CPU)
        return agn_scope_status(s);
    agn_status st = agn_cast(&rows, sums, AGN_F64);
    agn_tensor *dense = NULL;
    if (!st)
        st = agn_contiguous(&dense, rows);
    agn_release(rows);
    const void *data = NULL;
    if (!st)
        st = agn_data_contiguous(&data, dense);
    const double *v = st ? NULL : data;
    double most = 0;
    for (int64_t i = 0; v && i < dense->size; i++)
        most = v[i] > most ? v[i] : most;
    for (int64_t i = from; v && !st && i < from + count; i++)
        if (!(v[i] > 1e-11 * most))
            st = agni_fail(AGN_EDOMAIN,
                           "%s: in steps of %lld the windows leave sample %lld uncovered: the "
                           "sum of their squares is %g",
                           op, (long long)hop, (long long)(i - from), v[i]);
    agn_release(dense);
    return st;
}

agn_status agn_signal_istft(agn_tensor **out, const agn_tensor *x, int64_t length,
                            const agn_signal_stft_options *opts)
{
    static const char op[] = "signal_istft";
    options a;
    if (!out || !x)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, out ? "x" : "out");
    agn_status st = complete_options(&a, op, opts);
    if (st)
        return st;
    int64_t bins = a.two_sided ? a.n_fft : a.n_fft / 2 + 1;
    if (x->ndim < 2 || x->shape[x->ndim - 2] != bins || !x->shape[x->ndim - 1])
        return agni_fail(AGN_ESHAPE, "%s: x is %s; [..., %lld, frames] belongs to an n_fft of %lld",
                         op, AGNI_SHAPE(x), (long long)bins, (long long)a.n_fft);
    if (length < 0)
        return agni_fail(AGN_EARG, "%s: length %lld is negative", op, (long long)length);
    int64_t frames = x->shape[x->ndim - 1], half = a.edge != AGN_SIGNAL_UNCENTRED ? a.n_fft / 2 : 0,
            n;
    if (!agni_checked_mul(frames - 1, a.hop, &n) || !agni_checked_add(n, a.n_fft, &n))
        return agni_fail(AGN_ESHAPE, "%s: %lld frames in steps of %lld are more than 2^63 samples",
                         op, (long long)frames, (long long)a.hop);
    int64_t have = n - half, keep = length ? (length < have ? length : have) : n - 2 * half;
    if (keep < 1)
        return agni_fail(AGN_ESHAPE,
                         "%s: x is %s; frames of %lld leave no sample between their centres", op,
                         AGNI_SHAPE(x), (long long)a.n_fft);
    int32_t norm = a.normalized ? AGN_FFT_ORTHO : AGN_FFT_BACKWARD;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = agni_fft_to_complex(s, ag_transpose(s, x));
    const agn_tensor *w = y ? padded_window(s, &a, y->dtype) : NULL;
    y = agni_signal_apply_stft_adjoint(s, y, w, n, a.hop, a.two_sided ? 1 : 0,
                                       agni_fft_scale((double)a.n_fft, norm, true), 1);
    const agn_tensor *w2 = ag_square(s, w);
    w2 = w2 ? agni_broadcast(s, w2, 2, (int64_t[]){frames, a.n_fft}) : NULL;
    const agn_tensor *sums = agni_signal_overlap_add(s, w2, n, a.hop);
    st = check_cover(s, op, sums, half, keep, a.hop);
    if (st)
        agn_scope_fail(s, st);
    y = ag_div(s, agni_signal_part(s, y, half, keep), agni_signal_part(s, sums, half, keep));
    return agni_return(op, s, out, agni_signal_zeros(s, y, 0, length > keep ? length - keep : 0));
}
