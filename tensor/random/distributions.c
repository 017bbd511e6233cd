/* tensor/random/distributions.c - distributions by reparameterisation: compositions of draws
   without parameters, so that derivatives in the parameters follow; parameters broadcast to the
   shape. */
#include "tensor/random/sampler.h"

#include "tensor/cpu/special/special.h"
#include <agnesi/ag.h>
#include <string.h>

enum { MOST = 4 };

typedef struct draw_args {
    agn_scope *s;
    const agn_tensor *key;
    int dtype; /* f32 or f64 */
    int32_t ndim;
    const int64_t *shape;
    const agn_tensor *p[MOST];
} draw_args;
typedef const agn_tensor *distribution_fn(const draw_args *d);

/* dtype of the parameters, and the one in which numbers are drawn */
static agn_status find_dtypes(const char *op, int n, const agn_tensor *const *p, int *dtype,
                              int *wide)
{
    agni_promotion mix = {-1, -1};
    for (int i = 0; i < n; i++)
        agni_promotion_add(&mix, p[i]);
    *dtype = agni_promotion_dtype(&mix);
    *dtype = agni_kind(*dtype) <= AGNI_KIND_INT ? AGN_F64 : *dtype;
    *wide = agni_dtypes[*dtype].wide;
    return *wide == AGN_F32 || *wide == AGN_F64
               ? AGN_OK
               : agni_fail(AGN_EDTYPE, "%s: parameters are %s, a real dtype is needed", op,
                           agni_dtypes[*dtype].name);
}

static agn_status sample_distribution(agn_tensor **out, const char *op, distribution_fn *of,
                                      const agn_tensor *key, int n, const agn_tensor *const *p,
                                      int32_t ndim, const int64_t *shape)
{
    if (!out || !key)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, out ? "key" : "out");
    for (int i = 0; i < n; i++)
        if (!p[i])
            return agni_fail(AGN_ENULL, "%s: parameter %d of %d is NULL", op, i, n);
    int64_t size;
    int dtype;
    draw_args d = {.key = key, .ndim = ndim, .shape = shape};
    agn_status st = agni_shape_check(op, ndim, shape, &size);
    if (!st)
        st = find_dtypes(op, n, p, &dtype, &d.dtype);
    if (st)
        return st;
    memcpy(d.p, p, (size_t)n * sizeof *p);
    d.s = agn_scope_open(NULL);
    const agn_tensor *y = of(&d);
    int lanes = key->ndim - 1;
    if (y && (y->ndim != lanes + ndim ||
              (ndim && memcmp(y->shape + lanes, shape, (size_t)ndim * sizeof *shape))))
        agn_scope_fail(d.s, agni_fail(AGN_ESHAPE,
                                      "%s: parameters broadcast to %s, not to the shape %s", op,
                                      AGNI_SHAPE(y),
                                      agni_shape_text((char[96]){0}, 96, ndim, shape)));
    agn_scope_return(d.s, out, agn_scope_status(d.s) ? NULL : agni_cast(d.s, y, dtype));
    return agni_rename_error(op, agn_scope_close(d.s));
}

/* ---- draws without parameters ---------------------------------------------------------------- */

static const agn_tensor *draw_uniform(const draw_args *d)
{
    return ag_uniform(d->s, d->key, d->dtype, d->ndim, d->shape);
}
static const agn_tensor *draw_exponential(const draw_args *d)
{
    return ag_exponential(d->s, d->key, d->dtype, d->ndim, d->shape);
}
/* a second, independent draw of each element */
static draw_args with_second_key(const draw_args *d)
{
    draw_args e = *d;
    e.key = ag_key_fold(d->s, d->key, agni_full(d->s, 1, AGN_I64, 0, NULL));
    return e;
}
static const agn_tensor *shift_and_scale(const draw_args *d, const agn_tensor *x)
{
    return ag_add(d->s, d->p[0], ag_mul(d->s, d->p[1], x));
}

/* ---- distributions --------------------------------------------------------------------------- */

/* low + (high - low) u, with both bounds halved where the width overflows. Where rounding reaches
   high, which is excluded, the result is low; of an infinite interval it is NaN. */
static const agn_tensor *uniform_between(const draw_args *d)
{
    agn_scope *s = d->s;
    const agn_tensor *fits = ag_isfinite(s, ag_sub(s, d->p[1], d->p[0]));
    const agn_tensor *unit = ag_where(s, fits, ag_lit(s, 1), ag_lit(s, 0.5));
    const agn_tensor *low = ag_mul(s, d->p[0], unit);
    const agn_tensor *width = ag_sub(s, ag_mul(s, d->p[1], unit), low);
    const agn_tensor *x = ag_add(s, low, ag_mul(s, width, draw_uniform(d)));
    const agn_tensor *reached = ag_ge(s, ag_abs(s, ag_sub(s, x, low)), ag_abs(s, width));
    const agn_tensor *end = ag_add(s, d->p[0], ag_mul_c(s, width, 0));
    return ag_where(s, reached, end, ag_div(s, x, unit));
}
static const agn_tensor *draw_normal(const draw_args *d)
{
    return shift_and_scale(d, ag_normal(d->s, d->key, d->dtype, d->ndim, d->shape));
}
static const agn_tensor *draw_log_normal(const draw_args *d)
{
    return ag_exp(d->s, draw_normal(d));
}
static const agn_tensor *draw_exponential_rate(const draw_args *d)
{
    return ag_div(d->s, draw_exponential(d), d->p[0]);
}
/* the difference of two exponential numbers */
static const agn_tensor *draw_laplace(const draw_args *d)
{
    draw_args e = with_second_key(d);
    return shift_and_scale(d, ag_sub(d->s, draw_exponential(d), draw_exponential(&e)));
}
static const agn_tensor *draw_cauchy(const draw_args *d)
{
    const agn_tensor *u = ag_sub(d->s, draw_uniform(d), ag_lit(d->s, 0.5));
    return shift_and_scale(d, ag_tan(d->s, ag_mul_c(d->s, u, AGNI_PI)));
}
static const agn_tensor *draw_gumbel(const draw_args *d)
{
    return shift_and_scale(d, ag_neg(d->s, ag_log(d->s, draw_exponential(d))));
}
/* g / (g + h) of gamma numbers, by their logarithms: small shapes do not underflow to 0 / 0 */
static const agn_tensor *draw_beta(const draw_args *d)
{
    draw_args e = with_second_key(d);
    const agn_tensor *g = ag_random_log_gamma(d->s, d->key, ag_cast(d->s, d->p[0], d->dtype),
                                              d->ndim, d->shape);
    const agn_tensor *h = ag_random_log_gamma(e.s, e.key, ag_cast(d->s, d->p[1], d->dtype),
                                              d->ndim, d->shape);
    return ag_sigmoid(d->s, ag_sub(d->s, g, h));
}
/* standardised bounds; the result is clamped, as rounding may leave the interval */
static const agn_tensor *draw_truncated_normal(const draw_args *d)
{
    agn_scope *s = d->s;
    const agn_tensor *lo = ag_div(s, ag_sub(s, d->p[2], d->p[0]), d->p[1]);
    const agn_tensor *hi = ag_div(s, ag_sub(s, d->p[3], d->p[0]), d->p[1]);
    const agn_tensor *z = agni_truncated_normal(s, d->key, ag_cast(s, lo, d->dtype),
                                                ag_cast(s, hi, d->dtype), d->ndim, d->shape);
    return ag_minimum(s, ag_maximum(s, shift_and_scale(d, z), d->p[2]), d->p[3]);
}

/* ---- public functions ------------------------------------------------------------------------ */

#define OF_ONE(name, of, a) \
    agn_status agn_##name(agn_tensor **out, const agn_tensor *key, const agn_tensor *a, \
                          int32_t ndim, const int64_t *shape) \
    { \
        return sample_distribution(out, #name, of, key, 1, &a, ndim, shape); \
    }
#define OF_TWO(name, of, a, b) \
    agn_status agn_##name(agn_tensor **out, const agn_tensor *key, const agn_tensor *a, \
                          const agn_tensor *b, int32_t ndim, const int64_t *shape) \
    { \
        return sample_distribution(out, #name, of, key, 2, (const agn_tensor *[]){a, b}, ndim, \
                                   shape); \
    }
OF_TWO(random_uniform, uniform_between, low, high)
OF_TWO(random_normal, draw_normal, mean, deviation)
OF_TWO(random_log_normal, draw_log_normal, mean, deviation)
OF_ONE(random_exponential, draw_exponential_rate, rate)
OF_TWO(random_laplace, draw_laplace, location, scale)
OF_TWO(random_cauchy, draw_cauchy, location, scale)
OF_TWO(random_gumbel, draw_gumbel, location, scale)
OF_TWO(random_beta, draw_beta, a, b)

agn_status agn_random_truncated_normal(agn_tensor **out, const agn_tensor *key,
                                       const agn_tensor *mean, const agn_tensor *deviation,
                                       const agn_tensor *low, const agn_tensor *high, int32_t ndim,
                                       const int64_t *shape)
{
    return sample_distribution(out, "random_truncated_normal", draw_truncated_normal, key, 4,
                               (const agn_tensor *[]){mean, deviation, low, high}, ndim, shape);
}
