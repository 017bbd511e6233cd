/* fft/signal/filter.c - linear filters by their difference equation, a_0 y_t = sum b_j x_(t-j) -
   sum a_k y_(t-k) (Oppenheim & Schafer 2010, 6): the sum over x as slices, then the all-pole op. */
#include "fft/signal/signal.h"

#include <agnesi/ag.h>
#include <agnesi/signal_systems.h>

enum { FEW_TAPS = 16 };

/* x and coefficients in one floating dtype */
int agni_signal_common_dtype(int n, const agn_tensor *const *x)
{
    int d = x[0]->dtype;
    for (int k = 1; k < n; k++)
        d = agni_promote(d, x[k]->dtype);
    return agni_signal_dtype(d);
}

/* coefficient k of the last axis, as [..., 1] */
static const agn_tensor *take_coefficient(agn_scope *s, const agn_tensor *b, int64_t k)
{
    return agni_signal_part(s, b, k, 1);
}

/* sum_j b_j x_(t-j) for n + more samples */
static const agn_tensor *feed_taps(agn_scope *s, const agn_tensor *x, const agn_tensor *b,
                                   int64_t more)
{
    int64_t q = b ? b->shape[b->ndim - 1] : 0, n = x ? x->shape[x->ndim - 1] : 0;
    const agn_tensor *sum = NULL;
    if (!x || !b)
        return NULL;
    if (q > FEW_TAPS)
        return agni_signal_part(s, agni_signal_zeros(s, ag_convolve(s, x, b, 1, AGN_FULL), 0, more),
                                0, n + more);
    x = agni_signal_zeros(s, x, q - 1, more);
    for (int64_t j = 0; x && j < q; j++)
        sum = agni_add_present(
            s, sum,
            ag_mul(s, agni_signal_part(s, x, q - 1 - j, n + more), take_coefficient(s, b, j)));
    return sum;
}

/* a for all rows of v, without a_0 and divided by it; empty: no recursion */
static const agn_tensor *recursive_part(agn_scope *s, const agn_tensor *v, const agn_tensor *a,
                                        const agn_tensor *a0)
{
    int64_t p = a ? a->shape[a->ndim - 1] - 1 : 0, shape[AGNI_MAX_RANK];
    if (!v || p < 1)
        return v;
    a = ag_div(s, agni_signal_part(s, a, 1, p), a0);
    for (int d = 0; d < v->ndim - 1; d++)
        shape[d] = v->shape[d];
    shape[v->ndim - 1] = p;
    return agni_signal_allpole(s, v, agni_broadcast(s, a, v->ndim, shape), false);
}

/* v broadcast to the leading axes of a */
static const agn_tensor *for_all_rows(agn_scope *s, const agn_tensor *v, const agn_tensor *a)
{
    agni_meta m = {.ndim = 0};
    int64_t lead[AGNI_MAX_RANK];
    if (!v || !a)
        return NULL;
    for (int d = 0; d < a->ndim; d++)
        lead[d] = d == a->ndim - 1 ? 1 : a->shape[d];
    if (!agni_broadcast_into(&m, v->ndim, v->shape) || !agni_broadcast_into(&m, a->ndim, lead)) {
        agn_scope_fail(s, agni_fail(AGN_ESHAPE,
                                    "broadcast: shapes do not broadcast: x is %s, coefficients %s",
                                    AGNI_SHAPE(v), AGNI_SHAPE(a)));
        return NULL;
    }
    return agni_broadcast(s, v, m.ndim, m.shape);
}

static agn_status check_filter(const char *op, agn_tensor *const *out, const agn_tensor *b,
                               const agn_tensor *a, const agn_tensor *x)
{
    if (!b || !a)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, b ? "a" : "b");
    agn_status st = agni_signal_check(op, out, x);
    if (!st && (!b->ndim || !a->ndim || !b->shape[b->ndim - 1] || !a->shape[a->ndim - 1]))
        st = agni_fail(AGN_ESHAPE, "%s: b is %s, a %s; each has coefficients along its last axis",
                       op, AGNI_SHAPE(b), AGNI_SHAPE(a));
    return st;
}

/* y, and the state behind it where final is given */
const agn_tensor *agni_signal_filter(agn_scope *s, const agn_tensor *b, const agn_tensor *a,
                                     const agn_tensor *x, const agn_tensor *zi,
                                     const agn_tensor **final)
{
    int64_t q = b->shape[b->ndim - 1], p = a->shape[a->ndim - 1], order = (q > p ? q : p) - 1;
    int64_t n = x->shape[x->ndim - 1], more = final ? order : 0;
    int dtype = agni_signal_common_dtype(3, (const agn_tensor *[]){b, a, x});
    b = agni_cast(s, b, dtype);
    a = agni_cast(s, a, dtype);
    const agn_tensor *a0 = take_coefficient(s, a, 0);
    const agn_tensor *v = for_all_rows(s, agni_cast(s, x, dtype), a);
    v = for_all_rows(s, v, b);
    v = feed_taps(s, v, ag_div(s, b, a0), more);
    if (zi && order) {
        int64_t room = n + more - order;
        zi = agni_cast(s, zi, dtype);
        v = ag_add(s, v, room >= 0 ? agni_signal_zeros(s, zi, 0, room)
                                   : agni_signal_part(s, zi, 0, n + more));
    }
    const agn_tensor *y = recursive_part(s, agni_signal_part(s, v, 0, n), a, a0);
    if (final && order) {
        /* what x, zi and y leave for the next samples */
        *final = agni_signal_part(s, v, n, order);
        if (p > 1) {
            const agn_tensor *gone = ag_div(s, agni_signal_part(s, a, 1, p - 1), a0);
            gone = agni_signal_zeros(s, gone, 1, 0);
            *final = ag_sub(s, *final, agni_signal_part(s, feed_taps(s, y, gone, order), n, order));
        }
    } else if (final) {
        *final = agni_signal_part(s, v, n, 0);
    }
    return y;
}

agn_status agn_signal_lfilter(agn_tensor **out, const agn_tensor *b, const agn_tensor *a,
                              const agn_tensor *x)
{
    static const char op[] = "signal_lfilter";
    agn_status st = check_filter(op, out, b, a, x);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    return agni_return(op, s, out, agni_signal_filter(s, b, a, x, NULL, NULL));
}

agn_status agn_signal_lfilter_state(agn_tensor **out, agn_tensor **final, const agn_tensor *b,
                                    const agn_tensor *a, const agn_tensor *x,
                                    const agn_tensor *initial)
{
    static const char op[] = "signal_lfilter_state";
    if (!final)
        return agni_fail(AGN_ENULL, "%s: final is NULL", op);
    agn_status st = check_filter(op, out, b, a, x);
    if (st)
        return st;
    int64_t q = b->shape[b->ndim - 1], p = a->shape[a->ndim - 1], order = (q > p ? q : p) - 1;
    if (initial && (!initial->ndim || initial->shape[initial->ndim - 1] != order))
        return agni_fail(AGN_ESHAPE,
                         "%s: the initial state is %s; a filter of order %lld has [..., %lld]", op,
                         AGNI_SHAPE(initial), (long long)order, (long long)order);
    agn_tensor *y = NULL, *z = NULL;
    const agn_tensor *last = NULL;
    agn_scope *s = agn_scope_open(NULL);
    agn_scope_return(s, &y, agni_signal_filter(s, b, a, x, initial, &last));
    agn_scope_return(s, &z, last);
    st = agni_rename_error(op, agn_scope_close(s));
    if (st) {
        agn_release(y);
        agn_release(z);
        return st;
    }
    *out = y;
    *final = z;
    return AGN_OK;
}

agn_status agn_signal_lfilter_varying(agn_tensor **out, const agn_tensor *b, const agn_tensor *a,
                                      const agn_tensor *x)
{
    static const char op[] = "signal_lfilter_varying";
    agn_status st = check_filter(op, out, b, a, x);
    if (st)
        return st;
    int64_t n = x->shape[x->ndim - 1], q = b->shape[b->ndim - 1], p = a->shape[a->ndim - 1];
    if (b->ndim < 2 || a->ndim < 2 || b->shape[b->ndim - 2] != n || a->shape[a->ndim - 2] != n)
        return agni_fail(AGN_ESHAPE, "%s: b is %s, a %s; for x %s they are [..., %lld, taps]", op,
                         AGNI_SHAPE(b), AGNI_SHAPE(a), AGNI_SHAPE(x), (long long)n);
    int dtype = agni_signal_common_dtype(3, (const agn_tensor *[]){b, a, x});
    agn_scope *s = agn_scope_open(NULL);
    b = agni_cast(s, b, dtype);
    a = agni_cast(s, a, dtype);
    const agn_tensor *a0 = take_coefficient(s, a, 0);
    const agn_tensor *past = agni_signal_zeros(s, agni_cast(s, x, dtype), q - 1, 0);
    past = ag_flip(s, agni_signal_frames(s, past, q, 1), (int32_t[]){-1}, 1);
    const agn_tensor *v = ag_sum(s, ag_mul(s, past, ag_div(s, b, a0)), (int32_t[]){-1}, 1, false);
    if (p > 1 && v) {
        agni_meta m = {.ndim = 0};
        a = ag_div(s, agni_signal_part(s, a, 1, p - 1), a0);
        if (a && (!agni_broadcast_into(&m, v->ndim, v->shape) ||
                  !agni_broadcast_into(&m, a->ndim - 1, a->shape)))
            agn_scope_fail(s, agni_fail(AGN_ESHAPE, "%s: shapes do not broadcast: x is %s, a %s",
                                        op, AGNI_SHAPE(x), AGNI_SHAPE(a)));
        v = agn_scope_status(s) ? NULL : agni_broadcast(s, v, m.ndim, m.shape);
        m.shape[m.ndim] = p - 1;
        a = agn_scope_status(s) ? NULL : agni_broadcast(s, a, m.ndim + 1, m.shape);
        v = agni_signal_allpole(s, v, a, false);
    }
    return agni_return(op, s, out, v);
}

/* ---- forwards and backwards ----------------------------------------------------------------- */

/* x continued at both ends by its point reflections, 2 x_0 - x_k */
const agn_tensor *agni_signal_extend_odd(agn_scope *s, const agn_tensor *x, int64_t m)
{
    if (!x || !m)
        return x;
    int64_t n = x->shape[x->ndim - 1];
    const agn_tensor *before = ag_flip(s, agni_signal_part(s, x, 1, m), (int32_t[]){-1}, 1),
                     *after = ag_flip(s, agni_signal_part(s, x, n - 1 - m, m), (int32_t[]){-1}, 1);
    before = ag_sub(s, ag_mul_c(s, agni_signal_part(s, x, 0, 1), 2), before);
    after = ag_sub(s, ag_mul_c(s, agni_signal_part(s, x, n - 1, 1), 2), after);
    return agn_scope_status(s) ? NULL
                               : ag_concat(s, (const agn_tensor *[]){before, x, after}, 3, -1);
}

/* the state that a step of height 1 leaves for ever (Gustafsson 1996) */
const agn_tensor *agni_signal_steady_state(agn_scope *s, const agn_tensor *b, const agn_tensor *a,
                                           int64_t order)
{
    const agn_tensor *a0 = take_coefficient(s, a, 0);
    b = agni_signal_zeros(s, ag_div(s, b, a0), 0, order + 1 - b->shape[b->ndim - 1]);
    a = agni_signal_zeros(s, ag_div(s, a, a0), 0, order + 1 - a->shape[a->ndim - 1]);
    const agn_tensor *b0 = take_coefficient(s, b, 0);
    const agn_tensor *diff = ag_sub(s, agni_signal_part(s, b, 1, order),
                                    ag_mul(s, agni_signal_part(s, a, 1, order), b0));
    const agn_tensor *total = ag_div(s, ag_sum(s, diff, (int32_t[]){-1}, 1, true),
                                     ag_sum(s, a, (int32_t[]){-1}, 1, true));
    /* z_k = (a_0 + ... + a_k) z_0 - (diff_0 + ... + diff_(k-1)) */
    const agn_tensor *as = ag_cumsum(s, agni_signal_part(s, a, 0, order), -1);
    const agn_tensor *ds = ag_cumsum_as(s, diff, -1, AGN_SCAN_EXCLUSIVE);
    return ag_sub(s, ag_mul(s, as, total), ds);
}

agn_status agn_signal_lfilter_steady(agn_tensor **out, const agn_tensor *b, const agn_tensor *a)
{
    static const char op[] = "signal_lfilter_steady";
    if (!out || !b || !a)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, !out ? "out" : b ? "a" : "b");
    int64_t q = b->ndim ? b->shape[b->ndim - 1] : 0, p = a->ndim ? a->shape[a->ndim - 1] : 0;
    if (!q || !p || (q < 2 && p < 2))
        return agni_fail(AGN_ESHAPE,
                         "%s: b is %s, a %s; one of them has two coefficients along its last axis",
                         op, AGNI_SHAPE(b), AGNI_SHAPE(a));
    int dtype = agni_signal_common_dtype(2, (const agn_tensor *[]){b, a});
    agn_scope *s = agn_scope_open(NULL);
    b = agni_cast(s, b, dtype);
    a = agni_cast(s, a, dtype);
    return agni_return(op, s, out,
                       b && a ? agni_signal_steady_state(s, b, a, (q > p ? q : p) - 1) : NULL);
}

agn_status agn_signal_filtfilt(agn_tensor **out, const agn_tensor *b, const agn_tensor *a,
                               const agn_tensor *x)
{
    static const char op[] = "signal_filtfilt";
    agn_status st = check_filter(op, out, b, a, x);
    if (st)
        return st;
    int64_t q = b->shape[b->ndim - 1], p = a->shape[a->ndim - 1], order = (q > p ? q : p) - 1;
    int64_t n = x->shape[x->ndim - 1], m = 3 * (order + 1);
    if (n <= m)
        return agni_fail(AGN_ESHAPE,
                         "%s: x is %s; a filter of order %lld needs more than %lld samples", op,
                         AGNI_SHAPE(x), (long long)order, (long long)m);
    int dtype = agni_signal_common_dtype(3, (const agn_tensor *[]){b, a, x});
    agn_scope *s = agn_scope_open(NULL);
    b = agni_cast(s, b, dtype);
    a = agni_cast(s, a, dtype);
    const agn_tensor *y = agni_signal_extend_odd(s, agni_cast(s, x, dtype), m);
    const agn_tensor *zi = order && b && a ? agni_signal_steady_state(s, b, a, order) : NULL;
    for (int pass = 0; y && b && a && pass < 2; pass++) {
        const agn_tensor *start = order ? ag_mul(s, zi, agni_signal_part(s, y, 0, 1)) : NULL;
        y = agni_signal_filter(s, b, a, y, start, NULL);
        y = ag_flip(s, y, (int32_t[]){-1}, 1);
    }
    return agni_return(op, s, out, y ? agni_signal_part(s, y, m, n) : NULL);
}

/* the latest count of x, zeros where there are fewer */
static const agn_tensor *take_latest(agn_scope *s, const agn_tensor *x, int64_t count)
{
    int64_t have = x ? x->shape[x->ndim - 1] : 0;
    return have < count ? agni_signal_zeros(s, x, 0, count - have)
                        : agni_signal_part(s, x, 0, count);
}

/* sums over k from 0 of c_(m + 1 + k) x_k, for m below order */
static const agn_tensor *sum_past(agn_scope *s, const agn_tensor *c, const agn_tensor *x,
                                  int64_t order)
{
    x = take_latest(s, x, order);
    if (!c || !x)
        return NULL;
    c = agni_signal_zeros(s, agni_signal_part(s, c, 1, c->size - 1), 0, 2 * order - c->size);
    c = agni_signal_frames(s, c, order, 1); /* [m, k] */
    return ag_squeeze(s, ag_matmul(s, c, ag_expand_dims(s, x, -1)), -1);
}

agn_status agn_signal_lfiltic(agn_tensor **out, const agn_tensor *b, const agn_tensor *a,
                              const agn_tensor *y, const agn_tensor *x)
{
    static const char op[] = "signal_lfiltic";
    AGNI_NEED(op, out);
    AGNI_NEED(op, b);
    AGNI_NEED(op, a);
    AGNI_NEED(op, y);
    const agn_tensor *scalar = !y->ndim ? y : x && !x->ndim ? x : NULL;
    agn_status st = AGN_OK;
    if (scalar)
        st = agni_fail(AGN_ESHAPE, "%s: %s is []; its last axis is that of samples, or of none", op,
                       scalar == y ? "y" : "x");
    if (!st && (b->ndim != 1 || a->ndim != 1 || !b->size || !a->size))
        st = agni_fail(AGN_ESHAPE, "%s: b is %s, a %s; both are [taps], of one at least", op,
                       AGNI_SHAPE(b), AGNI_SHAPE(a));
    if (st)
        return st;
    int64_t order = (b->size > a->size ? b->size : a->size) - 1;
    int dtype = agni_signal_common_dtype(x ? 4 : 3, (const agn_tensor *[]){b, a, y, x});
    agn_scope *s = agn_scope_open(NULL);
    b = agni_cast(s, b, dtype);
    a = agni_cast(s, a, dtype);
    y = agni_cast(s, y, dtype);
    if (!order)
        return agni_return(op, s, out, agni_signal_part(s, y, 0, 0));
    const agn_tensor *z = ag_neg(s, sum_past(s, a, y, order));
    if (x)
        z = ag_add(s, sum_past(s, b, agni_cast(s, x, dtype), order), z);
    return agni_return(op, s, out, ag_div(s, z, a ? agni_signal_part(s, a, 0, 1) : NULL));
}
