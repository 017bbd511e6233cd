/* fft/signal/multirate.c - filters between two rates: x with up - 1 zeros behind each sample,
   filtered, every down-th sample kept (Crochiere & Rabiner 1983). With g = gcd(up, down), P = up /
   g and D = down / g, the P outputs that follow i D inputs are frames of x times matrices of taps,
   one for neighbouring phases: frames are views. Phases of one matrix begin at the same sample
   where P or D is at most MOST_GROUPS: then an output sees its taps' samples alone, and a NaN
   among the others stays where it is. */
#include "fft/signal/signal.h"

#include <agnesi/ag.h>
#include <math.h>

enum { MOST_ENTRIES = 1 << 26, MOST_RATE = 1 << 24, MOST_GROUPS = 16 };

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b) {
        int64_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}

typedef struct rates {
    int64_t up, down, phases, hop, taps, length; /* taps of a phase; samples that all phases see */
} rates;

static agn_status check_rates(rates *q, const char *op, int64_t up, int64_t down, int64_t n_taps)
{
    if (up < 1 || down < 1 || up > MOST_RATE || down > MOST_RATE)
        return agni_fail(AGN_EARG, "%s: %lld up and %lld down; both are 1 to %d", op, (long long)up,
                         (long long)down, MOST_RATE);
    int64_t g = common_divisor(up, down);
    *q = (rates){
        .up = up, .down = down, .phases = up / g, .hop = down / g, .taps = (n_taps - 1) / up + 1};
    q->length = q->taps + (q->phases - 1) * q->hop / q->phases;
    if (q->length > MOST_ENTRIES / q->phases)
        return agni_fail(
            AGN_EARG,
            "%s: %lld up and %lld down with %lld taps make %lld phases of %lld; there is room "
            "for %d",
            op, (long long)up, (long long)down, (long long)n_taps, (long long)q->phases,
            (long long)q->length, MOST_ENTRIES);
    return AGN_OK;
}

/* the sample at which phase p begins, after that of phase 0 */
static int64_t phase_begin(const rates *q, int64_t p)
{
    return p * q->hop / q->phases;
}

/* Phases lo to hi: [samples that they see, hi - lo], taps r + j up of phase p, where p down = q up +
   r, behind each other, 0 elsewhere; h ends with a zero. */
static const agn_tensor *phase_matrix(agn_scope *s, const char *op, const rates *q,
                                      const agn_tensor *h, int64_t lo, int64_t hi)
{
    int64_t first = phase_begin(q, lo), side = hi - lo,
            size = (q->taps + phase_begin(q, hi - 1) - first) * side, n = h->shape[0] - 1;
    int64_t *at = agni_alloc((size_t)size * sizeof *at);
    agn_tensor *index = NULL;
    if (!at) {
        agn_scope_fail(s, agni_nomem(op, (size_t)size * sizeof *at));
        return NULL;
    }
    for (int64_t k = 0; k < size; k++)
        at[k] = n;
    for (int64_t p = lo; p < hi; p++)
        for (int64_t j = 0; j < q->taps; j++) {
            int64_t tap = p * q->down % q->up + j * q->up;
            if (tap < n)
                at[(q->taps - 1 + phase_begin(q, p) - first - j) * side + p - lo] = tap;
        }
    agn_status st = agn_from_host(&index, AGN_I64, 2, (int64_t[]){size / side, side}, at);
    agni_free(at);
    return ag_gather(s, h, agni_adopt_constant(s, st, index), 0);
}

/* x, whose first frame begins at its first sample, to [..., blocks, phases] */
static const agn_tensor *apply_phases(agn_scope *s, const char *op, const rates *q,
                                      const agn_tensor *h, const agn_tensor *x, int64_t blocks)
{
    const agn_tensor *part[MOST_GROUPS];
    int64_t groups = q->phases < q->hop ? q->phases : q->hop;
    groups = groups < MOST_GROUPS ? groups : MOST_GROUPS;
    h = agni_signal_zeros(s, h, 0, 1);
    for (int64_t g = 0; g < groups; g++) {
        int64_t lo = (g * q->phases + groups - 1) / groups,
                hi = ((g + 1) * q->phases + groups - 1) / groups;
        const agn_tensor *m = h && x ? phase_matrix(s, op, q, h, lo, hi) : NULL;
        if (!m)
            return NULL;
        const agn_tensor *from = agni_signal_part(s, x, phase_begin(q, lo),
                                                  (blocks - 1) * q->hop + m->shape[0]);
        part[g] = ag_matmul(s, agni_signal_frames(s, from, m->shape[0], q->hop), m);
    }
    if (agn_scope_status(s))
        return NULL;
    return groups == 1 ? part[0] : ag_concat(s, part, (int32_t)groups, -1);
}

/* outputs from to from + count */
static const agn_tensor *filter_phases(agn_scope *s, const char *op, const rates *q,
                                       const agn_tensor *h, const agn_tensor *x, int64_t from,
                                       int64_t count)
{
    if (!x || !h)
        return NULL;
    int64_t first = from / q->phases, blocks = (from + count - 1) / q->phases - first + 1;
    int64_t n = x->shape[x->ndim - 1], begin = first * q->hop - (q->taps - 1),
            end = begin + (blocks - 1) * q->hop + q->length; /* samples of x that frames see */
    int64_t shape[AGNI_MAX_RANK];
    int64_t lo = begin > 0 ? begin : 0, hi = end < n ? end : n;
    if (hi <= lo) { /* behind the signal: one sample of it, which no frame reaches, keeps the shape */
        x = ag_mul_c(s, agni_signal_part(s, x, 0, 1), 0);
        x = agni_signal_zeros(s, x, 0, end - begin - 1);
    } else {
        x = agni_signal_zeros(s, agni_signal_part(s, x, lo, hi - lo), lo - begin, end - hi);
    }
    const agn_tensor *y = apply_phases(s, op, q, h, x, blocks);
    if (!y)
        return NULL;
    for (int d = 0; d < x->ndim - 1; d++)
        shape[d] = x->shape[d];
    shape[x->ndim - 1] = blocks * q->phases;
    y = agni_reshape(s, y, x->ndim, shape);
    return agni_signal_part(s, y, from - first * q->phases, count);
}

static agn_status check_taps(const char *op, const agn_tensor *h, const agn_tensor *x)
{
    if (h && (h->ndim != 1 || !h->shape[0]))
        return agni_fail(AGN_ESHAPE, "%s: h is %s for x %s; it is [taps]", op, AGNI_SHAPE(h),
                         AGNI_SHAPE(x));
    if (x->ndim + 1 > AGNI_MAX_RANK)
        return agni_fail(AGN_ESHAPE, "%s: x is %s of rank %d; its frames have no room", op,
                         AGNI_SHAPE(x), x->ndim);
    return AGN_OK;
}

static int64_t divide_up(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

agn_status agn_signal_upfirdn(agn_tensor **out, const agn_tensor *h, const agn_tensor *x,
                              int64_t up, int64_t down)
{
    static const char op[] = "signal_upfirdn";
    rates q;
    if (!h)
        return agni_fail(AGN_ENULL, "%s: h is NULL", op);
    agn_status st = agni_signal_check(op, out, x);
    if (!st)
        st = check_taps(op, h, x);
    if (!st)
        st = check_rates(&q, op, up, down, h->shape[0]);
    int64_t n = st ? 0 : x->shape[x->ndim - 1], all = 0;
    if (!st && (!agni_checked_mul(n - 1, up, &all) || !agni_checked_add(all, h->shape[0], &all)))
        st = agni_fail(AGN_ESHAPE, "%s: x is %s, %lld up; there are fewer than 2^63 samples", op,
                       AGNI_SHAPE(x), (long long)up);
    if (st)
        return st;
    int dtype = agni_signal_dtype(agni_promote(h->dtype, x->dtype));
    agn_scope *s = agn_scope_open(NULL);
    return agni_return(op, s, out,
                       filter_phases(s, op, &q, agni_cast(s, h, dtype), agni_cast(s, x, dtype), 0,
                                     divide_up(all, down)));
}

/* 20 periods of the lower rate of sin(t) / t under a Kaiser window (beta = 5), of sum 1, as
   SciPy's */
static agn_status make_default(agn_tensor **h, const char *op, int64_t up, int64_t down)
{
    int64_t most = up > down ? up : down, taps = most == 1 ? 1 : 20 * most + 1;
    agn_tensor *w = NULL;
    const void *data = NULL;
    double sum = 0, *v = agni_alloc((size_t)taps * sizeof *v);
    if (!v)
        return agni_nomem(op, (size_t)taps * sizeof *v);
    agn_status st = agn_signal_window(&w, AGN_WINDOW_KAISER, AGN_F64, taps, (double[]){5}, 1, true);
    if (!st)
        st = agn_data_contiguous(&data, w);
    for (int64_t k = 0; !st && k < taps; k++) {
        double t = 3.14159265358979323846 * (double)(k - taps / 2) / (double)most;
        v[k] = ((const double *)data)[k] * (t == 0 ? 1 : sin(t) / t);
        sum += v[k];
    }
    for (int64_t k = 0; !st && k < taps; k++)
        v[k] /= sum;
    if (!st)
        st = agn_from_host(h, AGN_F64, 1, &taps, v);
    agni_free(v);
    agn_release(w);
    return agni_rename_error(op, st);
}

agn_status agn_signal_resample_poly(agn_tensor **out, const agn_tensor *x, int64_t up, int64_t down,
                                    const agn_tensor *h)
{
    static const char op[] = "signal_resample_poly";
    rates q;
    agn_status st = agni_signal_check(op, out, x);
    if (!st)
        st = check_taps(op, h, x);
    if (!st)
        st = check_rates(&q, op, up, down, 1);
    if (st)
        return st;
    up = q.phases;
    down = q.hop;
    int64_t n = x->shape[x->ndim - 1], count, most = up > down ? up : down;
    if (!h && most > 1 << 15)
        return agni_fail(AGN_EARG,
                         "%s: %lld up and %lld down without a filter; at most %d of each then", op,
                         (long long)up, (long long)down, 1 << 15);
    if (!agni_checked_mul(n, up, &count))
        return agni_fail(AGN_ESHAPE, "%s: x is %s, %lld up; there are fewer than 2^63 samples", op,
                         AGNI_SHAPE(x), (long long)up);
    count = divide_up(count, down);
    int64_t taps = h ? h->shape[0] : most == 1 ? 1 : 20 * most + 1, half = (taps - 1) / 2,
            before = down - half % down;
    st = check_rates(&q, op, up, down, taps + before);
    if (st)
        return st;
    int dtype = h ? agni_signal_dtype(agni_promote(h->dtype, x->dtype))
                  : agni_signal_dtype(x->dtype);
    agn_scope *s = agn_scope_open(NULL);
    if (!h) {
        agn_tensor *made = NULL;
        st = make_default(&made, op, up, down);
        h = agni_adopt_constant(s, st, made);
    }
    /* the middle of h falls on a sample that is kept */
    h = agni_signal_zeros(s, ag_mul_c(s, agni_cast(s, h, dtype), (double)up), before, 0);
    return agni_return(
        op, s, out,
        filter_phases(s, op, &q, h, agni_cast(s, x, dtype), (half + before) / down, count));
}
