/* sampled_terms.c - any linear differential operator estimated from random
   directions.

   A derivative of order k is a sum of pure ones along other directions (Kan 2008),

       d^alpha = 1/k! sum over i <= alpha of (-1)^|i| C(alpha, i) (h . grad)^k,   h = alpha / 2 - i,

   so the terms of one order are sum_j w_j (v_j . grad)^k with |v_j| = 1. Drawn with
   probabilities |w_j| / W, W their sum, each direction counts W and no weight is left: the sum
   over the lanes of a collapsed jet is the estimate (Shi, Hu, Lin & Kawaguchi 2024). Negative
   w_j turn v_j where k is odd and are drawn by themselves where it is even. Orders 0 and 1 are
   exact. */
#include "autograd/operators/derivative_space.h"
#include "autograd/operators/operator.h"

#include <agnesi/ag.h>
#include <math.h>

enum { MOST_SAMPLES = 4096, MOST_ROWS = 1 << 20, KINDS = 2 * (AGNI_MAX_ORDER + 1) };

/* a distribution over directions: one order, one sign, one factor */
typedef struct bundle {
    int32_t poly, order;
    double size; /* W, with the sign */
    int64_t rows, room;
    double *v, *upto; /* [rows][d]; [rows]: w summed so far, over W once all are there */
} bundle;

typedef struct sampled {
    agn_fn *f;
    int32_t argnum, d, n_poly, n;
    int64_t samples;
    bundle at[]; /* [n_poly * KINDS], those of no rows as well */
} sampled;

static void free_sampled(void *data)
{
    sampled *q = data;
    agn_fn_release(q->f);
    for (int32_t i = 0; i < q->n; i++) {
        agni_free(q->at[i].v);
        agni_free(q->at[i].upto);
    }
    agni_free(q);
}

/* ---- terms as powers of directions --------------------------------------------------------- */

/* a row for w (h . grad)^k, of which columns[n] of h are not always 0 */
static agn_status add_row(sampled *q, int32_t poly, int32_t k, double w, int32_t n,
                          const int32_t *column, const double *h)
{
    double norm = 0;
    for (int32_t j = 0; j < n; j++)
        norm += h[j] * h[j];
    norm = sqrt(norm);
    w *= pow(norm, k);
    if (w == 0)
        return AGN_OK;
    bool turn = w < 0 && k % 2, minus = w < 0 && !turn;
    bundle *b = &q->at[poly * KINDS + 2 * k + minus];
    if (b->rows == b->room) {
        int64_t room = 2 * b->room + 8;
        if (room * q->d > (int64_t)MOST_ROWS * 16)
            return agni_fail(AGN_EUNSUPPORTED,
                             "fn_operator_sampled: more than %lld directions of %d columns "
                             "would be kept",
                             (long long)b->rows, q->d);
        double *v = agni_realloc(b->v, (size_t)(room * q->d) * sizeof *v);
        b->v = v ? v : b->v;
        double *upto = v ? agni_realloc(b->upto, (size_t)room * sizeof *upto) : NULL;
        if (!upto)
            return agni_nomem("fn_operator_sampled", (size_t)(room * q->d) * sizeof *v);
        b->upto = upto;
        b->room = room;
    }
    double *row = b->v + b->rows * q->d;
    memset(row, 0, (size_t)q->d * sizeof *row);
    for (int32_t j = 0; j < n; j++)
        row[column[j]] = (turn ? -h[j] : h[j]) / norm;
    b->poly = poly;
    b->order = k;
    b->size += minus ? w : fabs(w);
    b->upto[b->rows++] = fabs(b->size);
    return AGN_OK;
}

static agn_status add_term(sampled *q, int32_t poly, const int32_t *alpha, double c)
{
    int32_t column[AGNI_MAX_ORDER], i[AGNI_MAX_ORDER] = {0}, n = 0, k = 0;
    double h[AGNI_MAX_ORDER];
    for (int32_t j = 0; j < q->d; j++)
        if (alpha[j]) {
            column[n++] = j;
            k += alpha[j];
        }
    if (k == 0) {
        q->at[poly * KINDS].size += c;
        return AGN_OK;
    }
    for (;;) {
        double w = c;
        for (int32_t j = 0; j < n; j++) {
            h[j] = 0.5 * alpha[column[j]] - i[j];
            for (int32_t m = 0; m < i[j]; m++) /* -C(alpha, i), a factor at a time */
                w *= -(double)(alpha[column[j]] - m) / (m + 1);
        }
        for (int32_t m = 2; m <= k; m++)
            w /= m;
        agn_status st = add_row(q, poly, k, w, n, column, h);
        int32_t j = 0;
        while (j < n && i[j] == alpha[column[j]])
            i[j++] = 0;
        if (st || j == n)
            return st;
        i[j]++;
    }
}

/* ---- a call ---------------------------------------------------------------------------------- */

static const agn_tensor *constant_array(agn_scope *s, int ndim, const int64_t *shape,
                                        const double *x)
{
    agn_tensor *t = NULL;
    agn_status st = agn_scope_status(s);
    if (!st)
        st = agn_from_host(&t, AGN_F64, ndim, shape, x);
    return agni_adopt_constant(s, st, t);
}

/* directions for each row of x: [samples, shape of x...] */
static const agn_tensor *draw_directions(agn_scope *s, const sampled *q, const bundle *b,
                                         const agn_tensor *key, const agn_tensor *x)
{
    int64_t shape[AGNI_MAX_RANK + 1] = {q->samples};
    memcpy(shape + 1, x->shape, (size_t)x->ndim * sizeof *shape);
    const agn_tensor *upto = constant_array(s, 1, &b->rows, b->upto);
    const agn_tensor *v = constant_array(s, 2, (int64_t[]){b->rows, q->d}, b->v);
    const agn_tensor *which =
        ag_searchsorted(s, upto, ag_uniform(s, key, AGN_F64, x->ndim, shape), true);
    return agni_cast(s, ag_gather(s, v, which, 0), x->dtype);
}

/* adds what b makes of it; *value: that of f, once it is known */
static const agn_tensor *add_bundle_estimate(agn_scope *s, const sampled *q, const bundle *b,
                                             const agn_tensor *key, const agn_tensor *const *in,
                                             const agn_tensor **value)
{
    const agn_tensor *y[AGNI_MAX_ORDER + 1] = {NULL}, *x = in[q->argnum], *seed;
    int64_t n = b->order == 1 ? 1 : q->samples;
    double w = b->order == 1 ? 1 : b->size / (double)n;
    agni_grading g = agni_grading_along(b->order, n, true);
    if (b->order == 1) {
        seed = agni_seed_rows(s, b->v, 1, q->d, x);
    } else {
        seed = draw_directions(s, q, b, key, x);
        seed = seed && n == 1 ? agni_reshape(s, seed, x->ndim, x->shape) : seed;
    }
    if (!seed || agni_expand_jet_along(q->f, s, &g, q->argnum, seed, in, y))
        return NULL;
    for (int32_t k = 2; k <= b->order; k++)
        w *= k;
    *value = y[0];
    return agni_scaled_or_zero(s, y[b->order], w, y[0]);
}

static agn_status run_sampled(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                              const agn_tensor **out)
{
    const sampled *q = f->data;
    const agn_tensor *x = in[q->argnum], *value = NULL,
                     **sum = agni_zalloc((size_t)q->n_poly * sizeof *sum);
    if (!sum)
        return agni_nomem("operator_sampled", (size_t)q->n_poly * sizeof *sum);
    if (agni_column_count(s, "operator_sampled", q->argnum, x) >= 0 &&
        x->shape[x->ndim - 1] != q->d)
        agn_scope_fail(s, agni_fail(AGN_ESHAPE,
                                    "operator_sampled: argument %d is %s, %d columns are needed",
                                    q->argnum, AGNI_SHAPE(x), q->d));
    else if (agni_kind(x->dtype) == AGNI_KIND_COMPLEX)
        agn_scope_fail(s, agni_fail(AGN_EDTYPE,
                                    "operator_sampled: argument %d is %s; a real dtype is needed",
                                    q->argnum, agni_dtypes[x->dtype].name));
    for (int32_t i = 0; i < q->n && !agn_scope_status(s); i++) {
        const bundle *b = &q->at[i];
        const agn_tensor *key = b->rows ? ag_key_fold(s, in[f->n_in - 1], agni_literal(s, i))
                                        : NULL;
        const agn_tensor *part = key ? add_bundle_estimate(s, q, b, key, in, &value) : NULL;
        if (part)
            sum[i / KINDS] = agni_add_present(s, sum[i / KINDS], part);
    }
    if (!value && !agn_scope_status(s)) { /* nothing but f itself */
        const agn_tensor *y[1] = {NULL};
        agni_grading g = agni_grading_along(0, 1, false);
        agni_expand_jet_along(q->f, s, &g, q->argnum, NULL, in, y);
        value = y[0];
    }
    for (int32_t p = 0; p < q->n_poly && !agn_scope_status(s); p++) {
        double c = q->at[p * KINDS].size;
        const agn_tensor *v = c != 0 ? agni_add_present(s, sum[p],
                                                        agni_scaled_or_zero(s, value, c, value))
                                     : sum[p];
        if (v)
            out[0] = agni_add_present(s, out[0], p ? ag_mul(s, v, in[q->f->n_in + p - 1]) : v);
    }
    if (!agn_scope_status(s)) {
        out[0] = out[0] ? out[0] : agni_zeros_like(s, value);
        out[1] = value;
    }
    agni_free(sum);
    return agn_scope_status(s);
}

/* order 1 is one exact direction, the sum; other orders get probabilities */
static void normalise_probabilities(sampled *q)
{
    for (int32_t i = 0; i < q->n; i++) {
        bundle *b = &q->at[i];
        for (int64_t r = 0; r < b->rows && b->order == 1; r++) {
            double w = b->upto[r] - (r ? b->upto[r - 1] : 0);
            for (int32_t j = 0; j < q->d; j++)
                b->v[r * q->d + j] *= w;
            for (int32_t j = 0; r && j < q->d; j++)
                b->v[j] += b->v[r * q->d + j];
        }
        for (int64_t r = 0; r < b->rows; r++)
            b->upto[r] = r + 1 < b->rows ? b->upto[r] / fabs(b->size) : 1;
    }
}

agn_status agn_fn_operator_sampled(agn_fn **out, const agn_fn *f, int32_t argnum,
                                   const int32_t *alpha, int32_t n, int32_t d, const double *c,
                                   const int32_t *factor, int32_t samples)
{
    int32_t n_poly = 1;
    agn_status st = agni_check_argnum("fn_operator_sampled", out, f, argnum);
    st = st ? st : agni_check_terms("fn_operator_sampled", d, alpha, n, c, factor, &n_poly);
    if (!st && (samples < 1 || samples > MOST_SAMPLES))
        st = agni_fail(AGN_EARG, "fn_operator_sampled: %d directions are not in 1 to %d", samples,
                       MOST_SAMPLES);
    if (st)
        return st;
    size_t bytes = sizeof(sampled) + (size_t)(n_poly * KINDS) * sizeof(bundle);
    sampled *q = agni_zalloc(bytes);
    if (!q)
        return agni_nomem("fn_operator_sampled", bytes);
    q->f = agn_fn_retain(f);
    q->argnum = argnum;
    q->d = d;
    q->n_poly = n_poly;
    q->n = n_poly * KINDS;
    q->samples = samples;
    for (int32_t t = 0; t < n && !st; t++)
        st = add_term(q, factor ? factor[t] + 1 : 0, alpha + (int64_t)t * d, c ? c[t] : 1);
    if (!st) {
        normalise_probabilities(q);
        st = agni_fn_make_derived(out, run_sampled, f->n_in + n_poly, 2, q, free_sampled);
    }
    if (st)
        free_sampled(q);
    return st;
}
