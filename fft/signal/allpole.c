/* fft/signal/allpole.c - the recursive part of a filter, y_t = v_t - sum_k a_k y_(t-k), as an op: a
   banded triangular solve. Its tangent is the same filter of v' - sum_k a'_k y_(t-k), its adjoint
   in v the filter run backwards, so derivatives of any order cost one filter each. */
#include "fft/signal/signal.h"

#include <agnesi/ag.h>
#include <string.h>

static bool is_varying(const agn_tensor *v, const agn_tensor *a)
{
    return a->ndim > v->ndim;
}

static agn_status infer_allpole(agni_call *c)
{
    const agn_tensor *v = c->in[0], *a = c->in[1];
    bool same = v->ndim && (a->ndim == v->ndim || a->ndim == v->ndim + 1);
    for (int d = 0; same && d < a->ndim - 1; d++)
        same = a->shape[d] == v->shape[d];
    if (!same)
        return agni_fail(AGN_ESHAPE, "signal_allpole: v is %s, a %s; a is [..., p] or [..., n, p]",
                         AGNI_SHAPE(v), AGNI_SHAPE(a));
    return agni_infer_same(c);
}

typedef struct allpole_job {
    const agn_kernel_call *c;
    int64_t n, p;
    bool varying, back;
} allpole_job;

/* One row. Two poles keep their state in registers; coefficients of the time t apply to what is
   added to y_t, run backwards to what y_t adds to others. */
#define RUN(T, s)                                                                              \
    static void run_##s(const allpole_job *q, const void *vv, const void *av, void *yv)        \
    {                                                                                          \
        const T *v = vv, *a = av;                                                              \
        T *y = yv;                                                                             \
        int64_t n = q->n, p = q->p;                                                            \
        if (!q->varying && p == 2) {                                                           \
            T y1 = 0, y2 = 0, a1 = a[0], a2 = a[1];                                            \
            int64_t step = q->back ? -1 : 1, t = q->back ? n - 1 : 0;                          \
            for (int64_t i = 0; i < n; i++, t += step) {                                       \
                T now = (v[t] - a2 * y2) - a1 * y1;                                            \
                y[t] = now;                                                                    \
                y2 = y1;                                                                       \
                y1 = now;                                                                      \
            }                                                                                  \
            return;                                                                            \
        }                                                                                      \
        if (!q->back)                                                                          \
            for (int64_t t = 0; t < n; t++) {                                                  \
                T sum = v[t];                                                                  \
                const T *at = q->varying ? a + t * p : a;                                      \
                for (int64_t k = t < p ? t : p; k > 0; k--)                                    \
                    sum -= at[k - 1] * y[t - k];                                               \
                y[t] = sum;                                                                    \
            }                                                                                  \
        else                                                                                   \
            for (int64_t t = n - 1; t >= 0; t--) {                                             \
                T sum = v[t];                                                                  \
                int64_t most = n - 1 - t < p ? n - 1 - t : p;                                  \
                for (int64_t k = most; k > 0; k--)                                             \
                    sum -= (q->varying ? a[(t + k) * p + k - 1] : a[k - 1]) * y[t + k];        \
                y[t] = sum;                                                                    \
            }                                                                                  \
    }
RUN(float, f32)
RUN(double, f64)
RUN(float _Complex, c64)
RUN(double _Complex, c128)

static void run_row(void *user, int64_t r, int worker)
{
    static void (*const by_dtype[AGN_NDTYPES])(const allpole_job *, const void *, const void *,
                                               void *) = {
        [AGN_F32] = run_f32, [AGN_F64] = run_f64, [AGN_C64] = run_c64, [AGN_C128] = run_c128};
    const allpole_job *q = user;
    const agn_kernel_call *c = q->c;
    int64_t bytes = agni_dtypes[c->in[0].dtype].bytes, each = q->varying ? q->n * q->p : q->p;
    (void)worker;
    by_dtype[c->in[0].dtype](q, (const char *)c->in[0].data + r * q->n * bytes,
                             (const char *)c->in[1].data + r * each * bytes,
                             (char *)c->out[0].data + r * q->n * bytes);
}

static agn_status cpu_allpole(const agn_kernel_call *c)
{
    const agn_array *v = c->in, *a = c->in + 1;
    allpole_job q = {c, v->shape[v->ndim - 1], a->shape[a->ndim - 1], a->ndim > v->ndim,
                     c->ints[0] != 0};
    int64_t rows = 1;
    for (int d = 0; d < v->ndim - 1; d++)
        rows *= v->shape[d];
    if (q.n)
        agni_parallel_for(rows, run_row, &q);
    return AGN_OK;
}

/* ---- derivatives -------------------------------------------------------------------------- */

/* Few coefficients that stay are taken one by one, along the rows of memory; frames have them side
   by side, which is short for a loop. */
enum { FEW_POLES = 8 };

static bool is_short(const agn_tensor *y, const agn_tensor *a)
{
    return a->ndim == y->ndim && a->shape[a->ndim - 1] <= FEW_POLES;
}

/* sum over k of a_k y_(t-k), or y_(t+k) */
static const agn_tensor *sum_lags(agn_scope *s, const agn_tensor *y, const agn_tensor *a,
                                  bool ahead)
{
    int64_t n = y->shape[y->ndim - 1], p = a->shape[a->ndim - 1];
    const agn_tensor *sum = NULL;
    y = agni_signal_zeros(s, y, ahead ? 0 : p, ahead ? p : 0);
    for (int64_t k = 1; y && k <= p; k++)
        sum = agni_add_present(s, sum,
                               ag_mul(s, agni_signal_part(s, y, ahead ? k : p - k, n),
                                      agni_signal_part(s, a, k - 1, 1)));
    return sum;
}

/* [..., p] of sums over t of x_t y_(t-k) */
static const agn_tensor *correlate_lags(agn_scope *s, const agn_tensor *x, const agn_tensor *y,
                                        int64_t p)
{
    const agn_tensor *part[FEW_POLES] = {NULL};
    int64_t n = x->shape[x->ndim - 1];
    for (int64_t k = 1; k <= p && !agn_scope_status(s); k++) {
        int64_t m = k < n ? n - k : 0;
        part[k - 1] = ag_sum(s, ag_mul(s, agni_signal_part(s, x, n - m, m),
                                       agni_signal_part(s, y, 0, m)), (int32_t[]){-1}, 1, true);
    }
    return agn_scope_status(s) ? NULL
           : p > 1             ? ag_concat(s, part, (int32_t)p, -1)
                               : part[0];
}

/* [..., n, p] of y_(t-1) to y_(t-p), zeros before its begin */
static const agn_tensor *past_frames(agn_scope *s, const agn_tensor *y, int64_t p)
{
    int64_t n = y ? y->shape[y->ndim - 1] : 0;
    y = agni_signal_zeros(s, y, p, 0);
    y = agni_signal_part(s, y, 0, n + p - 1);
    return ag_flip(s, agni_signal_frames(s, y, p, 1), (int32_t[]){-1}, 1);
}

/* sum over k of a_k y_(t-k) */
static const agn_tensor *feed_back(agn_scope *s, const agn_tensor *y, const agn_tensor *a)
{
    if (y && a && is_short(y, a))
        return sum_lags(s, y, a, false);
    const agn_tensor *past = y && a ? past_frames(s, y, a->shape[a->ndim - 1]) : NULL;
    if (past && a->ndim == y->ndim)
        a = ag_expand_dims(s, a, -2);
    return ag_sum(s, ag_mul(s, past, a), (int32_t[]){-1}, 1, false);
}

/* its adjoint in y: sum over k of conj(a_k) of the time t + k times g_(t+k) */
static const agn_tensor *feed_forward(agn_scope *s, const agn_tensor *g, const agn_tensor *a)
{
    if (!g || !a)
        return NULL;
    if (is_short(g, a))
        return sum_lags(s, g, a, true);
    int64_t n = g->shape[g->ndim - 1], p = a->shape[a->ndim - 1];
    if (a->ndim == g->ndim)
        a = ag_expand_dims(s, a, -2);
    const agn_tensor *all = ag_flip(s, ag_mul(s, ag_expand_dims(s, g, -1), a), (int32_t[]){-1}, 1);
    all = agni_signal_overlap_add(s, all, n + p - 1, 1);
    return agni_signal_zeros(s, agni_signal_part(s, all, p, n - 1), 0, 1);
}

const agn_tensor *agni_signal_allpole(agn_scope *s, const agn_tensor *v, const agn_tensor *a,
                                      bool reverse)
{
    int64_t i[] = {reverse};
    return v && a ? agni_apply_in(s, &agni_op_signal_allpole, &(agni_attr){.ni = 1, .i = i}, 2,
                                  (const agn_tensor *[]){v, a})
                  : NULL;
}

static void jvp_allpole(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                        const agn_tensor **ty)
{
    bool back = r->at->i[0] != 0;
    const agn_tensor *v = t[0];
    if (t[1] && r->x[1]->shape[r->x[1]->ndim - 1] && r->x[0]->shape[r->x[0]->ndim - 1])
        v = agni_add_present(
            s, v, ag_neg(s, back ? feed_forward(s, r->y[0], t[1]) : feed_back(s, r->y[0], t[1])));
    if (v)
        ty[0] = agni_signal_allpole(s, v, r->x[1], back);
}

static const agn_tensor *conjugate_if_complex(agn_scope *s, const agn_tensor *x)
{
    return x && agni_kind(x->dtype) == AGNI_KIND_COMPLEX ? ag_conj(s, x) : x;
}

/* l = A^-H g; the cotangent of a_(t,k) is -l_t conj(y_(t-k)), run backwards -l_(t-k) conj(y_t) */
static void vjp_allpole(agn_scope *s, const agni_rule *r, const agn_tensor *const *g,
                        const bool *want, const agn_tensor **gx)
{
    if (!g[0])
        return;
    bool back = r->at->i[0] != 0;
    const agn_tensor *a = r->x[1],
                     *l = agni_signal_allpole(s, g[0], conjugate_if_complex(s, a), !back);
    if (want[0])
        gx[0] = l;
    int64_t p = a->shape[a->ndim - 1];
    if (!want[1] || !l)
        return;
    if (!p || !l->shape[l->ndim - 1]) {
        gx[1] = agni_zeros_like(s, a);
        return;
    }
    const agn_tensor *y = conjugate_if_complex(s, r->y[0]);
    if (is_short(r->x[0], a)) {
        gx[1] = y ? ag_neg(s, correlate_lags(s, back ? y : l, back ? l : y, p)) : NULL;
        return;
    }
    const agn_tensor *now = back ? y : l, *past = past_frames(s, back ? l : y, p);
    const agn_tensor *all = ag_neg(s, ag_mul(s, ag_expand_dims(s, now, -1), past));
    gx[1] = is_varying(r->x[0], a) ? all : ag_sum(s, all, (int32_t[]){-2}, 1, false);
}

static agni_slots slots;
const agni_op agni_op_signal_allpole = {.name = "signal_allpole",
                                        .takes = "v a reverse:b",
                                        .cls = AGNI_SOLVE,
                                        .nin = 2,
                                        .nout = 1,
                                        .dtypes = AGNI_FIELDS,
                                        .diff = 3,
                                        .promote = 3,
                                        .result = AGNI_OUT_SAME,
                                        .ew = -1,
                                        .infer = infer_allpole,
                                        .cpu = cpu_allpole,
                                        .contiguous = true,
                                        .jvp = jvp_allpole,
                                        .vjp = vjp_allpole,
                                        .batch = agni_batch_all,
                                        .slots = &slots,
                                        .lo = -2,
                                        .hi = 2,
                                        .lo2 = -0.4,
                                        .hi2 = 0.4,
                                        .doc = "recursive filter: y_t = v_t - sum_k a_k y_(t-k)"};
