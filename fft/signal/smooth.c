/* fft/signal/smooth.c - polynomials fitted to windows (Savitzky & Golay 1964), running medians. A
   fit is a sum of orthonormal polynomials of the places (Gram), whose recurrence, differentiated,
   stays exact for high orders. */
#include "fft/cpu/running_median.h"
#include "fft/signal/signal.h"

#include <agnesi/ag.h>
#include <math.h>
#include <string.h>

enum { MOST_WINDOW = 1 << 20, MOST_ORDER = 64 };

/* c[i]: what value i of the window adds to derivative d at the place at, 0 to m - 1; work holds
   4 m + 3 (d + 1) numbers. Places are counted in halves of the window. */
static void fit_weights(double *c, double *work, int64_t m, int order, int d, int64_t at,
                        double delta)
{
    double half = m > 1 ? (double)(m - 1) / 2 : 1, *u = work, *now = u + m, *before = now + m,
           *next = before + m;
    double *dn = next + m, *db = dn + d + 1, *dx = db + d + 1, size = 1 / sqrt((double)m), b = 0;
    for (int64_t i = 0; i < m; i++) {
        u[i] = ((double)i - (double)(m - 1) / 2) / half;
        now[i] = size;
        before[i] = c[i] = 0;
    }
    for (int j = 0; j <= d; j++)
        db[j] = dn[j] = 0;
    dn[0] = size; /* derivatives 0 to d of the polynomial at the place */
    for (int k = 0;; k++) {
        for (int64_t i = 0; i < m; i++)
            c[i] += now[i] * dn[d];
        if (k == order)
            break;
        double norm = 0;
        for (int64_t i = 0; i < m; i++) {
            next[i] = u[i] * now[i] - b * before[i];
            norm += next[i] * next[i];
        }
        norm = sqrt(norm);
        for (int j = d; j >= 0; j--)
            dx[j] = (u[at] * dn[j] + (j ? j * dn[j - 1] : 0) - b * db[j]) / norm;
        for (int64_t i = 0; i < m; i++) {
            before[i] = now[i];
            now[i] = next[i] / norm;
        }
        for (int j = 0; j <= d; j++) {
            db[j] = dn[j];
            dn[j] = dx[j];
        }
        b = norm;
    }
    for (int64_t i = 0; i < m; i++)
        c[i] /= pow(half * delta, d);
}

static agn_status check_fit(const char *op, int64_t window, int32_t order, int32_t derivative,
                            double delta)
{
    if (window < 1 || window % 2 == 0 || window > MOST_WINDOW || order < 0 || order >= window ||
        order > MOST_ORDER)
        return agni_fail(
            AGN_EARG,
            "%s: a window of %lld for order %d; windows are odd, below %d, orders lower, and "
            "at most %d",
            op, (long long)window, order, MOST_WINDOW, MOST_ORDER);
    if (derivative < 0 || derivative > MOST_ORDER || !(delta > 0) || !isfinite(delta))
        return agni_fail(
            AGN_EARG,
            "%s: derivative %d of samples %g apart; the first is 0 to %d, the second positive", op,
            derivative, delta, MOST_ORDER);
    return AGN_OK;
}

/* weights [m, places] of the places from, from + 1, ... */
static agn_status make_weights(agn_tensor **out, const char *op, int64_t m, int order, int d,
                               double delta, int64_t from, int64_t places)
{
    size_t size = (size_t)(m * places + 5 * m + 3 * (d + 1)) * sizeof(double);
    double *w = agni_alloc(size);
    if (!w)
        return agni_nomem(op, size);
    double *c = w + m * places, *work = c + m;
    for (int64_t p = 0; p < places; p++) {
        fit_weights(c, work, m, order, d, from + p, delta);
        for (int64_t i = 0; i < m; i++)
            w[i * places + p] = c[i];
    }
    agn_status st = agn_from_host(out, AGN_F64, 2, (int64_t[]){m, places}, w);
    agni_free(w);
    return st;
}

agn_status agn_signal_savgol_coefficients(agn_tensor **out, int64_t window, int32_t order,
                                          int32_t derivative, double delta)
{
    static const char op[] = "signal_savgol_coefficients";
    agn_tensor *w = NULL;
    if (!out)
        return agni_fail(AGN_ENULL, "%s: out is NULL", op);
    agn_status st = check_fit(op, window, order, derivative, delta);
    if (!st)
        st = make_weights(&w, op, window, order, derivative, delta, window / 2, 1);
    if (!st)
        st = agn_reshape(out, w, 1, &window);
    agn_release(w);
    return st;
}

/* rows of x, [..., m], times weights: [..., places] */
static const agn_tensor *apply_weights(agn_scope *s, const agn_tensor *x, agn_status st,
                                       agn_tensor *w)
{
    const agn_tensor *c = agni_adopt_constant(s, st, w);
    if (!x || !c)
        return NULL;
    return ag_squeeze(s, ag_matmul(s, ag_expand_dims(s, x, -2), agni_cast(s, c, x->dtype)), -2);
}

agn_status agn_signal_savgol_filter(agn_tensor **out, const agn_tensor *x, int64_t window,
                                    int32_t order, int32_t derivative, double delta)
{
    static const char op[] = "signal_savgol_filter";
    agn_status st = agni_signal_check(op, out, x);
    if (!st)
        st = check_fit(op, window, order, derivative, delta);
    if (st)
        return st;
    int64_t n = x->shape[x->ndim - 1], half = window / 2;
    if (window > n || x->ndim + 2 > AGNI_MAX_RANK)
        return agni_fail(AGN_ESHAPE, "%s: x is %s; a window of %lld has no room", op, AGNI_SHAPE(x),
                         (long long)window);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *v = agni_cast(s, x, agni_signal_dtype(x->dtype)), *part[3];
    agn_tensor *w = NULL;
    st = make_weights(&w, op, window, order, derivative, delta, half, 1);
    const agn_tensor *frames = agni_signal_frames(s, v, window, 1),
                     *c = agni_adopt_constant(s, st, w);
    c = frames && c ? agni_cast(s, c, frames->dtype) : NULL;
    part[1] = ag_squeeze(s, ag_matmul(s, frames, c), -1);
    if (half && !agn_scope_status(s)) { /* the ends: one fit each, at half a window of places */
        w = NULL;
        st = make_weights(&w, op, window, order, derivative, delta, 0, half);
        part[0] = apply_weights(s, agni_signal_part(s, v, 0, window), st, w);
        w = NULL;
        st = agn_scope_status(s)
                 ? agn_scope_status(s)
                 : make_weights(&w, op, window, order, derivative, delta, half + 1, half);
        part[2] = apply_weights(s, agni_signal_part(s, v, n - window, window), st, w);
        part[1] = agn_scope_status(s) ? NULL : ag_concat(s, part, 3, -1);
    }
    return agni_return(op, s, out, part[1]);
}

/* The medians of frames of v, values that are known: gathered from where they lie. */
static const agn_tensor *gather_medians(agn_scope *s, const char *op, const agn_tensor *v,
                                        int64_t window)
{
    agn_tensor *wide = NULL, *dense = NULL, *place = NULL, *nan = NULL;
    int64_t n = v->shape[v->ndim - 1], frames = n - window + 1, rows = v->size / n,
            shape[AGNI_MAX_RANK];
    size_t bytes = (size_t)(rows * frames) * (sizeof(int64_t) + 1);
    const void *data = NULL;
    const agn_tensor *plain = agni_detach_node(s, op, v);
    agn_status st = plain ? agn_cast(&wide, plain, AGN_F64) : agn_scope_status(s);
    if (!st)
        st = agn_contiguous(&dense, wide);
    if (!st)
        st = agn_data_contiguous(&data, dense);
    int64_t *at = st ? NULL : agni_alloc(bytes);
    bool *bad = at ? (bool *)(at + rows * frames) : NULL, any = false;
    if (!st && (!at || !agni_signal_find_medians(data, rows, n, window, at, bad)))
        st = agni_nomem(op, bytes);
    memcpy(shape, v->shape, (size_t)v->ndim * sizeof *shape);
    shape[v->ndim - 1] = frames;
    if (!st)
        st = agn_from_host(&place, AGN_I64, v->ndim, shape, at);
    for (int64_t k = 0; !st && !any && k < rows * frames; k++)
        any = bad[k];
    if (!st && any)
        st = agn_from_host(&nan, AGN_BOOL, v->ndim, shape, bad);
    agni_free(at);
    agn_release(wide);
    agn_release(dense);
    const agn_tensor *y = ag_take_along_axis(s, v, agni_adopt_constant(s, st, place), -1);
    return any && !st ? ag_where(s, agni_adopt_constant(s, st, nan), ag_lit(s, (double)NAN), y) : y;
}

agn_status agn_signal_medfilt(agn_tensor **out, const agn_tensor *x, int64_t window)
{
    static const char op[] = "signal_medfilt";
    agn_status st = agni_signal_check(op, out, x);
    if (!st && agni_kind(x->dtype) == AGNI_KIND_COMPLEX)
        st = agni_fail(AGN_EDTYPE, "%s: x is %s %s; a real dtype is needed", op,
                       agni_dtypes[x->dtype].name, AGNI_SHAPE(x));
    if (!st && (window < 1 || window % 2 == 0 || window > MOST_WINDOW))
        st = agni_fail(AGN_EARG, "%s: a window of %lld for x %s; it is odd, below %d", op,
                       (long long)window, AGNI_SHAPE(x), MOST_WINDOW);
    if (!st && x->ndim == AGNI_MAX_RANK)
        st = agni_fail(AGN_ESHAPE, "%s: x is %s of rank %d; its frames have no room", op,
                       AGNI_SHAPE(x), x->ndim);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *v = agni_signal_zeros(s, agni_cast(s, x, agni_signal_dtype(x->dtype)),
                                            window / 2, window / 2);
    bool known = v && v->size && !agn_is_symbolic(v) && agn_device_of(v) == AGN_CPU;
    return agni_return(
        op, s, out,
        known ? gather_medians(s, op, v, window)
              : ag_median(s, agni_signal_frames(s, v, window, 1), (int32_t[]){-1}, 1, false));
}
