/* tensor/random/truncated_normal.c - standard normal numbers between two bounds, also far in the
   tail, with implicit reparameterisation in the bounds. */
#include "tensor/random/cpu/rejection.h"
#include "tensor/random/sampler.h"

#include <agnesi/ag.h>
#include <math.h>

static void draw_truncated(const agni_sample *b, agni_sample_block_values *y)
{
    agni_between q = {.a = (double)NAN};
    for (int j = 0; j < b->n; j++)
        y->f[j] = agni_draw_one_truncated(b->key, (uint64_t)(b->first + j), b->p[0].f[j],
                                          b->p[1].f[j], &q);
}

static agn_status check_truncated(const agni_sample *b)
{
    for (int j = 0; j < b->n; j++) {
        double lo = b->p[0].f[j], hi = b->p[1].f[j];
        if (!(lo < (double)INFINITY))
            return agni_sample_fail_parameter(b, j, 0, "(low - mean) / deviation",
                                              "a number below infinity");
        if (!(hi >= lo && hi > -(double)INFINITY))
            return agni_sample_fail_parameter(b, j, 1, "(high - mean) / deviation",
                                              "a number not below that of low");
    }
    return AGN_OK;
}
static agn_status cpu_truncated(const agn_kernel_call *c)
{
    return agni_sample_draw_all(c, draw_truncated, check_truncated);
}

static agni_slots slots_truncated;
const agni_op agni_op_random_truncated = {.name = "random_truncated",
                                          .takes = "key low high shape:i*",
                                          .cls = AGNI_RANDOM,
                                          .nin = 3,
                                          .nout = 1,
                                          .dtypes = AGNI_FLOATS,
                                          .promote = 6,
                                          .result = AGNI_OUT_SAME,
                                          .ew = -1,
                                          .infer = agni_infer_distribution,
                                          .cpu = cpu_truncated,
                                          .contiguous = true,
                                          .batch = agni_batch_sample,
                                          .slots = &slots_truncated,
                                          .lo = -2,
                                          .hi = 0.9,
                                          .doc = "normal random numbers between two bounds"};

/* ---- truncated_path(z, low, high): how the number moves with its bounds
   ---------------------------

   What keeps its place between the bounds is the share of the probability below z, of which the
   implicit function theorem makes, with Q the upper tail and f the density,
     dz/dlow = f(low) / f(z) (Q(z) - Q(high)) / (Q(low) - Q(high)), dz/dhigh alike
   (Figurnov, Mohamed & Mnih 2018). Bounds are mirrored where the lower tail is the smaller one, and
   tails that are small enter as 2 Q(x) / exp(-x^2 / 2) = erfcx(x / sqrt(2)). */

/* An infinite bound has limits that are constants: 0 stands in for it, and where() keeps its
   derivatives, which would be 0 times infinity, structural zeros. */
static const agn_tensor *finite_bound(agn_scope *s, const agn_tensor *x)
{
    return ag_where(s, ag_isinf(s, x), ag_lit(s, 0), x);
}
/* exp((x^2 - y^2) / 2), 0 for an infinite y */
static const agn_tensor *density_ratio(agn_scope *s, const agn_tensor *x, const agn_tensor *y)
{
    const agn_tensor *b = finite_bound(s, y);
    const agn_tensor *r = ag_exp(s, ag_mul_c(s, ag_mul(s, ag_sub(s, x, b), ag_add(s, x, b)), 0.5));
    return ag_where(s, ag_isinf(s, y), ag_lit(s, 0), r);
}
/* 2 Q(x), 0 or 2 for an infinite x */
static const agn_tensor *tail_above(agn_scope *s, const agn_tensor *x)
{
    const agn_tensor *q = ag_erfc(s, ag_mul_c(s, finite_bound(s, x), AGNI_SQRT1_2));
    const agn_tensor *limit = ag_where(s, ag_gt(s, x, ag_lit(s, 0)), ag_lit(s, 0), ag_lit(s, 2));
    return ag_where(s, ag_isinf(s, x), limit, q);
}
/* 2 Q(x) - 2 Q(y), over exp(-x^2 / 2) if scaled */
static const agn_tensor *tail_between(agn_scope *s, const agn_tensor *x, const agn_tensor *y,
                                      bool scaled)
{
    if (!scaled)
        return ag_sub(s, tail_above(s, x), tail_above(s, y));
    const agn_tensor *u = ag_mul_c(s, finite_bound(s, x), AGNI_SQRT1_2);
    const agn_tensor *v = ag_mul_c(s, finite_bound(s, y), AGNI_SQRT1_2);
    return ag_sub(s, ag_erfcx(s, u), ag_mulz(s, density_ratio(s, x, y), ag_erfcx(s, v)));
}
typedef struct bounds {
    const agn_tensor *low, *high;
} bounds;
static bounds bound_slopes(agn_scope *s, const agn_tensor *z, bounds at, bool scaled)
{
    const agn_tensor *all = tail_between(s, at.low, at.high, scaled);
    const agn_tensor *above = ag_div(s, tail_between(s, z, at.high, scaled), all);
    const agn_tensor *below = ag_div(s, tail_between(s, at.low, z, scaled), all);
    if (!scaled)
        above = ag_mulz(s, above, density_ratio(s, z, at.low));
    return (bounds){above, ag_mulz(s, below, density_ratio(s, z, at.high))};
}

static void path_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                     const agn_tensor **ty)
{
    const agn_tensor *z = r->y[0], *low = r->x[1], *high = r->x[2];
    const agn_tensor *negated = ag_neg(s, high), *mirror = ag_gt(s, negated, low);
    bounds at = {ag_where(s, mirror, negated, low), ag_where(s, mirror, ag_neg(s, low), high)};
    const agn_tensor *w = ag_where(s, mirror, ag_neg(s, z), z);
    const agn_tensor *zero = ag_lit(s, 0), *one = ag_lit(s, 1);
    const agn_tensor *far = ag_ge(s, at.low, zero), *wide = ag_lt(s, at.low, at.high);
    bounds outer = bound_slopes(s, w, (bounds){ag_where(s, far, at.low, zero), at.high}, true);
    bounds inner = bound_slopes(s, w, at, false);
    /* bounds that meet take the number along */
    const agn_tensor *dl = ag_where(s, wide, ag_where(s, far, outer.low, inner.low), one);
    const agn_tensor *dh = ag_where(s, wide, ag_where(s, far, outer.high, inner.high), zero);
    if (d[1])
        ty[0] = ag_mulz(s, d[1], ag_where(s, mirror, dh, dl));
    if (d[2])
        ty[0] = agni_add_present(s, ty[0], ag_mulz(s, d[2], ag_where(s, mirror, dl, dh)));
}

static agni_slots slots_path;
const agni_op agni_op_truncated_path = {.name = "truncated_path",
                                        .takes = "z low high",
                                        .cls = AGNI_SOLVE,
                                        .nin = 3,
                                        .nout = 1,
                                        .dtypes = AGNI_FLOATS,
                                        .diff = 6,
                                        .promote = 7,
                                        .result = AGNI_OUT_SAME,
                                        .ew = -1,
                                        .infer = agni_infer_reparameterised,
                                        .view = agni_view_reparameterised,
                                        .cpu = agni_sample_copy,
                                        .contiguous = true,
                                        .jvp = path_jvp,
                                        .batch = agni_batch_reparameterised,
                                        .slots = &slots_path,
                                        .lo = -2,
                                        .hi = 2,
                                        .doc = "a normal number that moves with its bounds"};

const agn_tensor *agni_truncated_normal(agn_scope *s, const agn_tensor *key, const agn_tensor *low,
                                        const agn_tensor *high, int32_t ndim, const int64_t *shape)
{
    agn_tensor *y = NULL;
    if (agn_scope_status(s))
        return NULL;
    agn_status st = agni_sample_apply_public(&y, &agni_op_random_truncated, key, 2,
                                             (const agn_tensor *[]){low, high}, 0, NULL, ndim,
                                             shape);
    const agn_tensor *z = agn_scope_adopt(s, st, &y);
    return agni_apply_in(s, &agni_op_truncated_path, NULL, 3, (const agn_tensor *[]){z, low, high});
}
