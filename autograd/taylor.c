/* autograd/taylor.c - Taylor coefficients and partial derivatives as functions. */
#include "autograd/transform.h"

/* c[i * (K + 1) + k], NULL for zero; y[o * (K + 1) + k] likewise, k = 0 the value */
static agn_status expand(const agn_fn *f, agn_scope *s, int K, const agn_tensor *const *c,
                         const agn_tensor **y)
{
    const agn_tensor **x = agni_zalloc((size_t)(f->n_in + 1) * sizeof *x);
    agni_recorded r = {.p = NULL};
    if (!x)
        return agn_scope_fail(s, agni_nomem("jet", (size_t)f->n_in * sizeof *x));
    for (int i = 0; i < f->n_in; i++)
        x[i] = c[i * (K + 1)];
    if (agni_record_call(&r, s, f, x, NULL)) {
        agni_sweep_jet(&r.w, K, c, y);
        for (int o = 0; o < f->n_out && !agn_scope_status(s); o++) {
            y[o * (K + 1)] = agni_result(&r, s, o);
            for (int k = 1; k <= K; k++)
                y[o * (K + 1) + k] = agni_own(s, y[o * (K + 1) + k]);
        }
    }
    agni_forget(&r);
    agni_free(x);
    return agn_scope_status(s);
}

static agn_status run_jet(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                          const agn_tensor **out)
{
    const agni_made *m = f->data;
    int n = m->order + 1;
    const agn_tensor **c = agni_zalloc((size_t)(m->f->n_in * n + 1) * sizeof *c);
    if (!c)
        return agni_nomem("jet", (size_t)(m->f->n_in * n) * sizeof *c);
    for (int i = 0; i < m->f->n_in * n && !agn_scope_status(s); i++) /* in the dtype of x */
        c[i] = i % n && agni_smooth(in[i - i % n])
                   ? agni_seed(s, "jet", "coefficient", i % n, in[i], in[i - i % n])
                   : in[i];
    agn_status st = expand(m->f, s, m->order, c, out);
    for (int o = 0; !st && o < m->f->n_out * n; o++)
        if (!out[o])
            out[o] = agni_zeros_like(s, out[o - o % n]);
    agni_free(c);
    return agn_scope_status(s);
}

agn_status agn_fn_jet(agn_fn **out, const agn_fn *f, int32_t order)
{
    agn_status st = agni_need("fn_jet", out, f);
    if (!st && (order < 1 || order > 64))
        st = agni_fail(AGN_EARG, "fn_jet: order %d is not in 1 to %d", order, 64);
    return st ? st
              : agni_make(out, run_jet, f, f->n_in * (order + 1), f->n_out * (order + 1), 0, NULL, 0,
                     order);
}

/* ---- partial derivatives ------------------------------------------------------------------------------------ */

/* d^m/dx_axis^m of the first result of f, as a function: one jet along the axis */
typedef struct along {
    const agn_fn *f;
    int argnum, axis, order; /* results: derivatives 0 to order of the first result */
    bool last;               /* only the highest one */
} along;

static const agn_tensor *unit(agn_scope *s, const agn_tensor *x, int axis)
{
    /* ones in one column */
    int64_t d = x->shape[x->ndim - 1];
    agn_tensor *e = NULL, *row = NULL;
    agn_status st = agn_eye(&e, x->dtype, 1, d, axis);
    const agn_tensor *eye = agni_constant(s, st, e);
    st = eye ? agn_squeeze(&row, eye, 0) : AGN_OK;
    const agn_tensor *r = agn_scope_adopt(s, st, row);
    return r ? agni_broadcast(s, r, x->ndim, x->shape) : NULL;
}

static agn_status derive(const along *q, agn_scope *s, const agn_tensor *const *in,
                         const agn_tensor **out)
{
    int K = q->order, n = K + 1, ni = q->f->n_in, no = q->f->n_out;
    const agn_tensor **c = agni_zalloc((size_t)((ni + no) * n) * sizeof *c);
    if (!c)
        return agni_nomem("partials", (size_t)(ni * n) * sizeof *c);
    for (int i = 0; i < ni; i++)
        c[i * n] = in[i];
    c[q->argnum * n + 1] = unit(s, in[q->argnum], q->axis);
    const agn_tensor **y = c + ni * n;
    if (!agn_scope_status(s))
        expand(q->f, s, K, c, y);
    double factorial = 1;
    for (int k = 0; k <= K && !agn_scope_status(s); k++) {
        factorial *= k ? k : 1;
        const agn_tensor *t = y[k] ? y[k] : agni_zeros_like(s, y[0]);
        if (t && factorial != 1)
            t = agni_ap(s, &agni_op_mul, NULL, 2,
                        (const agn_tensor *[]){t, agni_literal(s, factorial)});
        if (!q->last)
            out[k] = t;
        else if (k == K)
            out[0] = t;
    }
    agni_free(c);
    return agn_scope_status(s);
}

static agn_status run_along(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                            const agn_tensor **out)
{
    return derive(f->data, s, in, out);
}

/* a mixed derivative: pure ones along one axis after the other, each of the one before */
static const agn_tensor *mixed(const agni_made *m, agn_scope *s, const agn_tensor *const *in,
                               const int32_t *alpha, int d)
{
    agn_fn *g[AGNI_MAX_RANK];
    along q[AGNI_MAX_RANK];
    const agn_fn *f = m->f;
    const agn_tensor *y = NULL;
    int n = 0;
    for (int j = 0; j < d && n < AGNI_COUNT(q) && !agn_scope_status(s); j++) {
        if (!alpha[j])
            continue;
        q[n] = (along){f, m->order, j, alpha[j], true};
        if (agn_scope_fail(s, agni_fn_make(&g[n], run_along, f->n_in, 1, &q[n], NULL)))
            break;
        f = g[n++];
    }
    if (!agn_scope_status(s))
        agni_fn_run_in(f, s, in, &y);
    while (n)
        agn_fn_release(g[--n]);
    return y;
}

/* list: d, then n rows of d orders */
static agn_status run_partials(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                               const agn_tensor **out)
{
    const agni_made *m = f->data;
    int d = m->list[0];
    const int32_t *alpha = m->list + 1;
    const agn_tensor *x = in[m->order];
    if (x->ndim < 1 || x->shape[x->ndim - 1] != d)
        return agni_fail(AGN_ESHAPE, "partials: argument %d is %s, %d columns are needed", m->order,
                         AGNI_SHAPE(x), d);
    for (int j = 0; j < d && !agn_scope_status(s); j++) {
        /* one jet serves all pure derivatives along j */
        int top = 0;
        for (int q = 0; q < m->n; q++) {
            int total = 0;
            for (int k = 0; k < d; k++)
                total += alpha[q * d + k];
            if (alpha[q * d + j] == total && total > top)
                top = total;
        }
        if (!top)
            continue;
        const agn_tensor *y[16];
        along along_j = {m->f, m->order, j, top, false};
        if (derive(&along_j, s, in, y))
            break;
        out[0] = out[0] ? out[0] : y[0];
        for (int q = 0; q < m->n; q++) {
            int total = 0;
            for (int k = 0; k < d; k++)
                total += alpha[q * d + k];
            if (total && alpha[q * d + j] == total)
                out[1 + q] = y[total];
        }
    }
    for (int q = 0; q < m->n && !agn_scope_status(s); q++)
        if (!out[1 + q])
            out[1 + q] = mixed(m, s, in, alpha + q * d, d);
    if (!out[0] && !agn_scope_status(s))
        out[0] = mixed(m, s, in, (const int32_t[AGNI_MAX_RANK]){0}, 0);
    return agn_scope_status(s);
}

agn_status agn_fn_partials(agn_fn **out, const agn_fn *f, int32_t argnum, int32_t d,
                           const int32_t *alpha, int32_t n)
{
    agn_status st = agni_check_argnum("fn_partials", out, f, argnum);
    if (st)
        return st;
    if (!alpha && n)
        return agni_fail(AGN_ENULL, "fn_partials: alpha is NULL, n is %d", n);
    if (d < 1 || n < 0 || n > 1 << 16 || d > 1 << 14 || (int64_t)n * d > 1 << 26)
        return agni_fail(AGN_EARG, "fn_partials: %d columns and %d derivatives are not possible", d, n);
    for (int q = 0; q < n; q++) {
        int total = 0;
        for (int j = 0; j < d; j++) {
            int a = alpha[q * d + j];
            if (a < 0 || a > 10 || (total += a) > 10)
                return agni_fail(AGN_EARG, "fn_partials: derivative %d has order %d in column %d; 0 to 10 "
                                           "in all are possible",
                                 q, a, j);
        }
    }
    int32_t *list = agni_alloc((size_t)(1 + n * d) * sizeof *list);
    if (!list)
        return agni_nomem("fn_partials", (size_t)(n * d) * sizeof *list);
    list[0] = d;
    if (n)
        memcpy(list + 1, alpha, (size_t)(n * d) * sizeof *list);
    st = agni_make(out, run_partials, f, f->n_in, 1 + n, n, list, 1 + n * d, argnum);
    agni_free(list);
    return st;
}
