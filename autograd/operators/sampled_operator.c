/* sampled_operator.c - operators estimated from random directions.

   Directions have mean zero and covariance one, so that E v'Hv is the trace of H (Hutchinson
   1990); for normal ones E (v . grad)^4 u is three times the biharmonic (Hu et al. 2024, 4.3). */
#include "autograd/operators/operator.h"

#include <agnesi/ag.h>
#include <math.h>

enum { MOST = 4096 };

/* n directions for each row of x: [n, shape of x...] */
static const agn_tensor *draw_directions(agn_scope *s, const agn_tensor *key, agn_directions law,
                                         int64_t n, const agn_tensor *x)
{
    int64_t shape[AGNI_MAX_RANK + 1] = {n};
    int ndim = x->ndim + 1;
    memcpy(shape + 1, x->shape, (size_t)x->ndim * sizeof *shape);
    if (law == AGN_DIRECTIONS_NORMAL)
        return ag_normal(s, key, x->dtype, ndim, shape);
    if (law == AGN_DIRECTIONS_SIGNS) {
        const agn_tensor *coin = ag_floor(
            s, ag_mul_c(s, ag_uniform(s, key, x->dtype, ndim, shape), 2));
        return ag_sub(s, ag_mul_c(s, coin, 2), agni_literal(s, 1));
    }
    int64_t d = shape[ndim - 1];
    shape[ndim - 1] = 1;
    const agn_tensor *column = ag_random_integers(s, key, agni_literal(s, 0),
                                                  agni_literal(s, (double)d), AGN_I64, ndim, shape);
    const agn_tensor *hit = ag_eq(s, column, ag_arange(s, AGN_I64, 0, (double)d, 1));
    return hit ? ag_mul_c(s, agni_cast(s, hit, x->dtype), sqrt((double)d)) : NULL;
}

/* What an estimate needs: the order, which coefficient, and whether lanes are summed within. */
typedef struct estimate {
    const char *op;
    int order;
    double weight; /* of the sum of the highest coefficients, over n */
} estimate;
static const estimate of_laplacian = {"laplacian_sampled", 2, 2},
                      of_biharmonic = {"biharmonic_sampled", 4, 8},
                      of_divergence = {"divergence_sampled", 1, 1};

static agn_status sample_estimate(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                                  const agn_tensor **out, const estimate *q)
{
    const agni_transform *m = f->data;
    int64_t n = m->n;
    bool field = q->order == 1;
    const agn_tensor *x = in[m->order], *y[5] = {NULL};
    int64_t d = agni_column_count(s, q->op, m->order, x);
    if (d < 0)
        return agn_scope_status(s);
    if (agni_kind(x->dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "%s: argument %d is %s; a real dtype is needed", q->op,
                         m->order, agni_dtypes[x->dtype].name);
    agni_grading g = agni_grading_along(q->order, n, !field);
    const agn_tensor *v = d ? draw_directions(s, in[m->f->n_in], (agn_directions)m->list[0], n, x)
                            : NULL,
                     *seed = v;
    if (v && n == 1)
        seed = agni_reshape(s, v, x->ndim, x->shape);
    if (agn_scope_status(s) || agni_expand_jet_along(m->f, s, &g, m->order, seed, in, y))
        return agn_scope_status(s);
    const agn_tensor *top = y[q->order];
    out[1] = y[0];
    if (field) {
        if (y[0]->ndim < 1 || y[0]->shape[y[0]->ndim - 1] != d)
            return agni_fail(AGN_ESHAPE, "%s: the field is %s, its argument %s: their last axes "
                                         "differ",
                             q->op, AGNI_SHAPE(y[0]), AGNI_SHAPE(x));
        if (top && n > 1)
            top = agni_sum_axes(s, ag_mul(s, top, v), 2, (int64_t[]){0, -1}, false);
        else
            top = agni_sum_axes(s, top ? ag_mul(s, top, seed) : agni_zeros_like(s, y[0]), 1,
                                (int64_t[]){-1}, false);
        out[0] = top ? agni_scaled_or_zero(s, top, 1.0 / (double)n, NULL) : NULL;
    } else {
        out[0] = agni_scaled_or_zero(s, top, q->weight / (double)n, y[0]);
    }
    return agn_scope_status(s);
}

static agn_status run_laplacian(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                                const agn_tensor **out)
{
    return sample_estimate(f, s, in, out, &of_laplacian);
}
static agn_status run_biharmonic(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                                 const agn_tensor **out)
{
    return sample_estimate(f, s, in, out, &of_biharmonic);
}
static agn_status run_divergence(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                                 const agn_tensor **out)
{
    return sample_estimate(f, s, in, out, &of_divergence);
}

static agn_status make_sampled(agn_fn **out, const char *op, agni_fn_run *run, const agn_fn *f,
                               int32_t argnum, int32_t n, agn_directions law)
{
    agn_status st = agni_check_argnum(op, out, f, argnum);
    int32_t list = (int32_t)law;
    if (!st && (n < 1 || n > MOST))
        st = agni_fail(AGN_EARG, "%s: %d directions are not in 1 to %d", op, n, MOST);
    if (!st && (list < AGN_DIRECTIONS_SIGNS || list > AGN_DIRECTIONS_SPARSE))
        st = agni_fail(AGN_EARG, "%s: law %d is not in 0 to %d", op, list, AGN_DIRECTIONS_SPARSE);
    return st ? st : agni_transform_new(out, run, f, f->n_in + 1, 2, n, &list, 1, argnum);
}

agn_status agn_fn_laplacian_sampled(agn_fn **out, const agn_fn *f, int32_t argnum, int32_t n,
                                    agn_directions law)
{
    return make_sampled(out, "fn_laplacian_sampled", run_laplacian, f, argnum, n, law);
}
agn_status agn_fn_biharmonic_sampled(agn_fn **out, const agn_fn *f, int32_t argnum, int32_t n)
{
    return make_sampled(out, "fn_biharmonic_sampled", run_biharmonic, f, argnum, n,
                        AGN_DIRECTIONS_NORMAL);
}
agn_status agn_fn_divergence_sampled(agn_fn **out, const agn_fn *f, int32_t argnum, int32_t n,
                                     agn_directions law)
{
    return make_sampled(out, "fn_divergence_sampled", run_divergence, f, argnum, n, law);
}
