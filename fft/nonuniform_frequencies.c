/* fft/nonuniform_frequencies.c - Fourier sums over any points at any frequencies (Lee & Greengard
   2005): the values are spread over a grid, whose modes are then wanted at points. */
#include "fft/nonuniform.h"

#include <agnesi/ag.h>
#include <agnesi/fft.h>
#include <math.h>

#define PI AGNI_FFT_PI

/* samples of a grid on which points lie kappa apart: turns from one to the next are at most a
   quarter of a circle */
static agn_status choose_steps(agni_fft_sums *q, double *kappa, const double *extent)
{
    q->all = 1;
    for (int d = 0; d < q->axes; d++) {
        double x = extent[d], k = extent[q->axes + d], n = 4 / PI * x * k + q->kernel.width + 2;
        if (!(x >= 0 && k >= 0 && n < INT32_MAX / 8))
            return agni_fail(
                AGN_EARG,
                "%s: extents %g and %g along axis %d; they are not negative, their product below 2^27",
                q->op, x, k, d);
        kappa[d] = k > 0 ? PI / (2 * k) : x > 0 ? x : 1;
        q->grid[d] = agni_fft_fast_length((int64_t)ceil(k > 0 ? n : q->kernel.width + 6));
        q->modes[d] = q->grid[d];
        if (!(isnormal(kappa[d]) && isnormal(1 / kappa[d])))
            return agni_fail(AGN_EARG,
                             "%s: extents %g and %g along axis %d are beyond the range of doubles",
                             q->op, x, k, d);
        if (!agni_checked_mul(q->all, q->grid[d], &q->all) || q->all > INT64_C(1) << 46)
            return agni_fail(AGN_EARG,
                             "%s: extents %g and %g along axis %d make more than 2^46 samples",
                             q->op, x, k, d);
    }
    return AGN_OK;
}

/* 1 within the extents, NaN beyond them: [points] */
static const agn_tensor *mark_far(agn_scope *s, const agni_fft_sums *q, const agn_tensor *points,
                                  const double *extent)
{
    agn_tensor *made = NULL;
    agn_status st = agn_scope_status(s);
    if (!st)
        st = agn_from_host(&made, AGN_F64, 1, (int64_t[]){q->axes}, extent);
    const agn_tensor *most = agni_adopt_constant(s, st, made), *one = NULL, *none = NULL;
    const agn_tensor *x = ag_abs(s, agni_cast(s, ag_stop_gradient(s, points), AGN_F64));
    if (x && most) {
        one = agni_full_like(s, 1, x);
        none = agni_full_like(s, (double)NAN, x);
    }
    x = ag_where(s, ag_le(s, x, most), one, none);
    return agni_cast(s, x ? ag_prod(s, x, (int32_t[]){-1}, 1, false) : NULL, q->real);
}

/* one over the transform of the kernel at turns theta, [points, axes]: [points] */
static const agn_tensor *divide_turns(agn_scope *s, const agni_fft_sums *q, const agn_tensor *theta)
{
    double at[AGNI_FFT_NODES], weight[AGNI_FFT_NODES];
    agn_tensor *made = NULL, *made2 = NULL;
    agn_status st = agn_scope_status(s);
    agni_fft_place_nodes(at, weight, q);
    for (int j = 0; j < AGNI_FFT_NODES; j++)
        at[j] *= q->kernel.width / 2.0;
    if (!st)
        st = agn_from_host(&made, AGN_F64, 1, (int64_t[]){AGNI_FFT_NODES}, at);
    const agn_tensor *nodes = agni_adopt_constant(s, st, made);
    st = agn_scope_status(s);
    if (!st)
        st = agn_from_host(&made2, AGN_F64, 1, (int64_t[]){AGNI_FFT_NODES}, weight);
    const agn_tensor *w = agni_adopt_constant(s, st, made2);
    const agn_tensor *v = ag_cos(s, ag_mul(s, ag_expand_dims(s, theta, -1), nodes));
    v = ag_prod(s, ag_matmul(s, v, w), (int32_t[]){-1}, 1, false);
    return agni_cast(s, ag_reciprocal(s, v), q->real);
}

agn_status agn_fft_nonuniform_to_nonuniform(agn_tensor **out, const agn_tensor *x,
                                            const agn_tensor *points, const agn_tensor *frequencies,
                                            const double *extent, int32_t n_extent, int32_t sign,
                                            double tolerance)
{
    agni_fft_sums q = {.op = "fft_nonuniform_to_nonuniform"};
    double kappa[AGNI_FFT_SUM_AXES], to_grid[AGNI_FFT_SUM_AXES];
    if (!out || !x || !points || !frequencies || !extent)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", q.op,
                         !out          ? "out"
                         : !x          ? "x"
                         : !points     ? "points"
                         : frequencies ? "extent"
                                       : "frequencies");
    agn_status st = agni_fft_check_points(&q, x, points, sign, tolerance);
    if (!st && agni_kind(frequencies->dtype) == AGNI_KIND_COMPLEX)
        st = agni_fail(AGN_EDTYPE, "%s: frequencies is %s %s; frequencies are real", q.op,
                       agni_dtypes[frequencies->dtype].name, AGNI_SHAPE(frequencies));
    if (!st &&
        (frequencies->ndim != 2 || frequencies->shape[1] != q.axes || n_extent != 2 * q.axes))
        st = agni_fail(
            AGN_ESHAPE,
            "%s: frequencies is %s with %d extents for points %s; it has their axes, and two extents "
            "for each",
            q.op, AGNI_SHAPE(frequencies), n_extent, AGNI_SHAPE(points));
    if (!st && (!x->ndim || x->shape[x->ndim - 1] != points->shape[0] ||
                x->ndim + AGNI_FFT_SUM_AXES > AGNI_MAX_RANK))
        st = agni_fail(AGN_ESHAPE, "%s: x is %s, points %s; x is [..., points]", q.op,
                       AGNI_SHAPE(x), AGNI_SHAPE(points));
    if (!st)
        st = choose_steps(&q, kappa, extent);
    if (st)
        return st;
    for (int d = 0; d < q.axes; d++)
        to_grid[d] = 1 / kappa[d]; /* in samples */
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *v = ag_mul(s, agni_cast(s, x, q.dtype), mark_far(s, &q, points, extent));
    const agn_tensor *places = agni_fft_scale_points(s, &q, points, to_grid);
    const agn_tensor *g = agni_fft_spread(s, &q.kernel, v, places, q.grid);
    const agn_tensor *theta = agni_fft_scale_points(s, &q, frequencies, kappa);
    g = agni_fft_roll_modes(s, &q, g, true);
    g = g && theta ? ag_fft_modes_to_nonuniform(s, g, theta, sign, tolerance) : NULL;
    g = ag_mul(
        s, g, ag_mul(s, divide_turns(s, &q, theta), mark_far(s, &q, frequencies, extent + q.axes)));
    return agni_return(q.op, s, out, g);
}
