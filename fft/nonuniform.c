/* fft/nonuniform.c - Fourier sums at any points (Dutt & Rokhlin 1993; Barnett, Magland & af
   Klinteberg 2019): a transform of twice as many samples, and w of them about each point, weighted
   by exp(b (sqrt(1 - z^2) - 1)), |z| <= 1. Modes are divided by the transform of that kernel.
   Weights are functions of the points: derivatives of any order follow. */
#include "fft/fft.h"

#include <agnesi/ag.h>
#include <agnesi/fft.h>
#include <math.h>

#define PI 3.14159265358979323846

enum { MOST_AXES = 3, MOST_WIDTH = 16 };

typedef struct sums {
    const char *op;
    int axes, width; /* samples about a point, along each axis */
    double beta;
    int64_t modes[MOST_AXES], grid[MOST_AXES], all;
    int dtype, real; /* of values */
} sums;

static agn_status check_points(sums *q, const agn_tensor *x, const agn_tensor *points, int32_t sign,
                               double tolerance)
{
    if (agni_kind(points->dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "%s: points is %s %s; points are real", q->op,
                         agni_dtypes[points->dtype].name, AGNI_SHAPE(points));
    if (points->ndim != 2 || points->shape[1] < 1 || points->shape[1] > MOST_AXES)
        return agni_fail(AGN_ESHAPE, "%s: points is %s for x %s; it is [points, 1 to %d axes]",
                         q->op, AGNI_SHAPE(points), AGNI_SHAPE(x), MOST_AXES);
    q->axes = (int)points->shape[1];
    q->real = agni_dtypes[x->dtype].wide;
    q->real = agni_dtypes[q->real].real == AGN_F32 ? AGN_F32 : AGN_F64;
    q->dtype = q->real == AGN_F32 ? AGN_C64 : AGN_C128;
    double best = q->real == AGN_F32 ? 1e-6 : 1e-13;
    if ((sign != 1 && sign != -1) || !(tolerance >= 0 && tolerance < 1))
        return agni_fail(AGN_EARG,
                         "%s: sign %d, tolerance %g; the first is 1 or -1, the second 0 to 1",
                         q->op, sign, tolerance);
    tolerance = tolerance < best ? best : tolerance;
    q->width = (int)ceil(-log10(tolerance)) + 1;
    q->width = q->width < 3 ? 3 : q->width > MOST_WIDTH ? MOST_WIDTH : q->width;
    q->beta = 2.3 * q->width;
    return AGN_OK;
}

static agn_status choose_grid(sums *q)
{
    q->all = 1;
    for (int d = 0; d < q->axes; d++) {
        if (q->modes[d] < 1 || q->modes[d] > INT32_MAX / 4)
            return agni_fail(AGN_EARG, "%s: %lld modes along axis %d; there are 1 to %d", q->op,
                             (long long)q->modes[d], d, INT32_MAX / 4);
        int64_t least = q->modes[d] > q->width ? q->modes[d] : q->width;
        q->grid[d] = agni_fft_fast_length(2 * least);
        if (!agni_checked_mul(q->all, q->grid[d], &q->all) || q->all > INT64_C(1) << 50)
            return agni_fail(AGN_EARG, "%s: %lld modes along axis %d make more than 2^50 samples",
                             q->op, (long long)q->modes[d], d);
    }
    return AGN_OK;
}

/* ---- points --------------------------------------------------------------------------------- */

/* a count-vector along axis at of ndim axes */
static const agn_tensor *steps_along(agn_scope *s, int64_t count, int at, int ndim)
{
    int64_t shape[MOST_AXES + 1];
    agn_tensor *made = NULL;
    agn_status st = agn_scope_status(s);
    for (int d = 0; d < ndim; d++)
        shape[d] = d == at ? count : 1;
    if (!st)
        st = agn_arange(&made, AGN_F64, 0, (double)count, 1);
    const agn_tensor *y = agni_adopt_constant(s, st, made);
    return y ? agni_reshape(s, y, ndim, shape) : NULL;
}

/* places in the grid, i64, and weights, both [points, width^axes] */
static void weigh_points(agn_scope *s, const sums *q, const agn_tensor *points,
                         const agn_tensor **place, const agn_tensor **weight)
{
    int64_t m = points->shape[0], shape[MOST_AXES + 1] = {m, 1, 1, 1}, around = 1;
    const agn_tensor *x = agni_cast(s, points, AGN_F64), *at = NULL, *w = NULL;
    for (int d = 0; d < q->axes && !agn_scope_status(s); d++) {
        double n = (double)q->grid[d], half = (double)q->width / 2;
        const agn_tensor *u = ag_mul_c(s, ag_index_axis(s, x, -1, d), n / (2 * PI));
        u = u ? agni_reshape(s, u, q->axes + 1, shape) : NULL;
        const agn_tensor *i = ag_add(s, ag_ceil(s, ag_add_c(s, u, -half)),
                                     steps_along(s, q->width, d + 1, q->axes + 1));
        /* 1 - z^2 is 0 where a point lies half a width from a sample: the slope of the root there
           is left out */
        const agn_tensor *z = ag_mul_c(s, ag_sub(s, i, u), 1 / half);
        z = ag_maximum_c(s, ag_add_c(s, ag_neg(s, ag_square(s, z)), 1), 1e-20);
        const agn_tensor *k = ag_exp(s, ag_mul_c(s, ag_add_c(s, ag_sqrt(s, z), -1), q->beta));
        i = ag_sub(s, i, ag_mul_c(s, ag_floor(s, ag_mul_c(s, i, 1 / n)), n));
        /* 1 / n times a multiple of n may fall below it */
        i = i ? ag_where(s, ag_ge(s, i, agni_full_like(s, n, i)), ag_add_c(s, i, -n), i) : NULL;
        at = d ? ag_add(s, ag_mul_c(s, at, n), i) : i;
        w = d ? ag_mul(s, w, k) : k;
        around *= q->width;
    }
    at = ag_cast(s, ag_stop_gradient(s, at), AGN_I64);
    *place = at ? agni_reshape(s, at, 2, (int64_t[]){m, around}) : NULL;
    *weight = w ? agni_cast(s, agni_reshape(s, w, 2, (int64_t[]){m, around}), q->real) : NULL;
}

/* ---- modes ---------------------------------------------------------------------------------- */

enum { NODES = 61 };

/* the kernel's transform at theta is the sum of weight cos(width / 2 theta at), by the trapezoidal
   rule after z = sin t */
static void place_nodes(double *at, double *weight, const sums *q)
{
    for (int j = 0; j < NODES; j++) { /* half of them: the kernel is even */
        double t = PI / 2 * j / (NODES - 1);
        at[j] = sin(t);
        weight[j] = exp(q->beta * (cos(t) - 1)) * cos(t) * PI / (2 * (NODES - 1)) * q->width /
                    (j == 0 || j == NODES - 1 ? 2 : 1);
    }
}

/* one over the transform of the kernel at -n / 2, ... */
static agn_status make_factors(agn_tensor **out, const sums *q, int d)
{
    double at[NODES], weight[NODES];
    int64_t n = q->modes[d];
    double *v = agni_alloc((size_t)n * sizeof *v);
    if (!v)
        return agni_nomem(q->op, (size_t)n * sizeof *v);
    place_nodes(at, weight, q);
    for (int64_t k = 0; k <= n / 2; k++) {
        double sum = 0, turn = PI * (double)k * q->width / (double)q->grid[d];
        for (int j = 0; j < NODES; j++)
            sum += weight[j] * cos(turn * at[j]);
        v[n / 2 - k] = 1 / sum;
        if (n / 2 + k < n)
            v[n / 2 + k] = 1 / sum;
    }
    agn_status st = agn_from_host(out, AGN_F64, 1, &n, v);
    agni_free(v);
    return st;
}

static const agn_tensor *divide_modes(agn_scope *s, const sums *q, const agn_tensor *f)
{
    for (int d = 0; d < q->axes && !agn_scope_status(s); d++) {
        agn_tensor *made = NULL;
        int64_t shape[MOST_AXES];
        agn_status st = make_factors(&made, q, d);
        const agn_tensor *v = agni_adopt_constant(s, st, made);
        for (int k = d; k < q->axes; k++)
            shape[k - d] = k == d ? q->modes[d] : 1;
        v = v ? agni_reshape(s, agni_cast(s, v, q->real), q->axes - d, shape) : NULL;
        f = ag_mul(s, f, v);
    }
    return f;
}

/* the grid's last axes as one axis, or the other way round */
static const agn_tensor *reshape_grid(agn_scope *s, const sums *q, const agn_tensor *g, bool flat)
{
    int64_t shape[AGNI_MAX_RANK];
    if (!g)
        return NULL;
    int lead = g->ndim - (flat ? q->axes : 1);
    for (int d = 0; d < lead; d++)
        shape[d] = g->shape[d];
    for (int d = 0; d < q->axes; d++)
        shape[lead + d] = flat ? q->all : q->grid[d];
    return agni_reshape(s, g, lead + (flat ? 1 : q->axes), shape);
}

/* sums over all axes, unscaled, with the sign */
static const agn_tensor *transform_sums(agn_scope *s, const sums *q, const agn_tensor *g,
                                        int32_t sign)
{
    static const int32_t axes[] = {-3, -2, -1};
    const int32_t *last = axes + MOST_AXES - q->axes;
    return sign < 0 ? ag_fft_fftn(s, g, NULL, last, q->axes, AGN_FFT_BACKWARD)
                    : ag_fft_ifftn(s, g, NULL, last, q->axes, AGN_FFT_FORWARD);
}

static const agn_tensor *roll_modes(agn_scope *s, const sums *q, const agn_tensor *g, bool to_front)
{
    static const int32_t axes[] = {-3, -2, -1};
    int64_t by[MOST_AXES];
    for (int d = 0; d < q->axes; d++)
        by[d] = to_front ? q->modes[d] / 2 : -(q->modes[d] / 2);
    return ag_roll(s, g, by, axes + MOST_AXES - q->axes, q->axes);
}

/* strengths [..., points] added to the grid about each point */
static const agn_tensor *spread_points(agn_scope *s, const sums *q, const agn_tensor *x,
                                       const agn_tensor *points)
{
    const agn_tensor *place = NULL, *weight = NULL;
    int64_t shape[AGNI_MAX_RANK];
    if (!x || !points) /* the scope has failed */
        return NULL;
    weigh_points(s, q, points, &place, &weight);
    const agn_tensor *v = ag_mul(s, ag_expand_dims(s, x, -1), weight);
    for (int d = 0; d < x->ndim; d++)
        shape[d] = d == x->ndim - 1 ? q->all : x->shape[d];
    const agn_tensor *g = agn_scope_status(s) ? NULL : agni_full(s, 0, q->dtype, x->ndim, shape);
    return reshape_grid(s, q, ag_scatter_add(s, g, place, v, -1), false);
}

agn_status agn_fft_modes_to_nonuniform(agn_tensor **out, const agn_tensor *x,
                                       const agn_tensor *points, int32_t sign, double tolerance)
{
    sums q = {.op = "fft_modes_to_nonuniform"};
    if (!out || !x || !points)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", q.op, !out ? "out" : x ? "points" : "x");
    agn_status st = check_points(&q, x, points, sign, tolerance);
    if (!st && (x->ndim < q.axes || x->ndim + 2 > AGNI_MAX_RANK))
        st = agni_fail(AGN_ESHAPE,
                       "%s: x is %s, points %s; x is [..., modes], with an axis for each", q.op,
                       AGNI_SHAPE(x), AGNI_SHAPE(points));
    for (int d = 0; !st && d < q.axes; d++)
        q.modes[d] = x->shape[x->ndim - q.axes + d];
    if (!st)
        st = choose_grid(&q);
    if (st)
        return st;
    const agn_tensor *place = NULL, *weight = NULL;
    int64_t lo[AGNI_MAX_RANK] = {0}, hi[AGNI_MAX_RANK] = {0};
    for (int d = 0; d < q.axes; d++)
        hi[x->ndim - q.axes + d] = q.grid[d] - q.modes[d];
    agn_scope *s = agn_scope_open(NULL);
    weigh_points(s, &q, points, &place, &weight);
    const agn_tensor *g = divide_modes(s, &q, agni_cast(s, x, q.dtype));
    g = roll_modes(s, &q, ag_pad(s, g, x->ndim, lo, hi, 0), false);
    g = reshape_grid(s, &q, transform_sums(s, &q, g, sign), true);
    g = ag_gather(s, g, place, -1);
    return agni_return(q.op, s, out, ag_sum(s, ag_mul(s, g, weight), (int32_t[]){-1}, 1, false));
}

agn_status agn_fft_nonuniform_to_modes(agn_tensor **out, const agn_tensor *x,
                                       const agn_tensor *points, const int64_t *modes,
                                       int32_t n_modes, int32_t sign, double tolerance)
{
    sums q = {.op = "fft_nonuniform_to_modes"};
    if (!out || !x || !points || !modes)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", q.op,
                         !out     ? "out"
                         : !x     ? "x"
                         : points ? "modes"
                                  : "points");
    agn_status st = check_points(&q, x, points, sign, tolerance);
    if (!st && n_modes != q.axes)
        st = agni_fail(AGN_ESHAPE,
                       "%s: %d numbers of modes for points %s; there is one for each axis", q.op,
                       n_modes, AGNI_SHAPE(points));
    if (!st && (!x->ndim || x->shape[x->ndim - 1] != points->shape[0] ||
                x->ndim + MOST_AXES > AGNI_MAX_RANK))
        st = agni_fail(AGN_ESHAPE, "%s: x is %s, points %s; x is [..., points]", q.op,
                       AGNI_SHAPE(x), AGNI_SHAPE(points));
    for (int d = 0; !st && d < q.axes; d++)
        q.modes[d] = modes[d];
    if (!st)
        st = choose_grid(&q);
    if (st)
        return st;
    int64_t start[AGNI_MAX_RANK] = {0}, stop[AGNI_MAX_RANK], step[AGNI_MAX_RANK];
    int ndim = x->ndim - 1 + q.axes;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *g = spread_points(s, &q, agni_cast(s, x, q.dtype), points);
    g = roll_modes(s, &q, transform_sums(s, &q, g, sign), true);
    for (int d = 0; d < ndim; d++) {
        stop[d] = d < x->ndim - 1 ? x->shape[d] : q.modes[d - (x->ndim - 1)];
        step[d] = 1;
    }
    return agni_return(q.op, s, out, divide_modes(s, &q, ag_slice(s, g, ndim, start, stop, step)));
}

/* ---- points to points ----------------------------------------------------------------------- */

/* samples of a grid on which points lie kappa apart: turns from one to the next are at most a
   quarter of a circle */
static agn_status choose_steps(sums *q, double *kappa, const double *extent)
{
    q->all = 1;
    for (int d = 0; d < q->axes; d++) {
        double x = extent[d], k = extent[q->axes + d], n = 4 / PI * x * k + q->width + 2;
        if (!(x >= 0 && k >= 0 && n < INT32_MAX / 8))
            return agni_fail(
                AGN_EARG,
                "%s: extents %g and %g along axis %d; they are not negative, their product below 2^27",
                q->op, x, k, d);
        kappa[d] = k > 0 ? PI / (2 * k) : x > 0 ? x : 1;
        q->modes[d] = q->grid[d] = agni_fft_fast_length((int64_t)ceil(k > 0 ? n : q->width + 6));
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

/* points times a factor for each axis */
static const agn_tensor *scale_points(agn_scope *s, const sums *q, const agn_tensor *points,
                                      const double *by)
{
    agn_tensor *made = NULL;
    agn_status st = agn_scope_status(s);
    if (!st)
        st = agn_from_host(&made, AGN_F64, 1, (int64_t[]){q->axes}, by);
    const agn_tensor *f = agni_adopt_constant(s, st, made);
    return ag_mul(s, agni_cast(s, points, AGN_F64), f);
}

/* 1 within the extents, NaN beyond them: [points] */
static const agn_tensor *mark_far(agn_scope *s, const sums *q, const agn_tensor *points,
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
static const agn_tensor *divide_turns(agn_scope *s, const sums *q, const agn_tensor *theta)
{
    double at[NODES], weight[NODES];
    agn_tensor *made = NULL, *made2 = NULL;
    agn_status st = agn_scope_status(s);
    place_nodes(at, weight, q);
    for (int j = 0; j < NODES; j++)
        at[j] *= q->width / 2.0;
    if (!st)
        st = agn_from_host(&made, AGN_F64, 1, (int64_t[]){NODES}, at);
    const agn_tensor *nodes = agni_adopt_constant(s, st, made);
    st = agn_scope_status(s);
    if (!st)
        st = agn_from_host(&made2, AGN_F64, 1, (int64_t[]){NODES}, weight);
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
    sums q = {.op = "fft_nonuniform_to_nonuniform"};
    double kappa[MOST_AXES], to_grid[MOST_AXES];
    if (!out || !x || !points || !frequencies || !extent)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", q.op,
                         !out          ? "out"
                         : !x          ? "x"
                         : !points     ? "points"
                         : frequencies ? "extent"
                                       : "frequencies");
    agn_status st = check_points(&q, x, points, sign, tolerance);
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
                x->ndim + MOST_AXES > AGNI_MAX_RANK))
        st = agni_fail(AGN_ESHAPE, "%s: x is %s, points %s; x is [..., points]", q.op,
                       AGNI_SHAPE(x), AGNI_SHAPE(points));
    if (!st)
        st = choose_steps(&q, kappa, extent);
    if (st)
        return st;
    for (int d = 0; d < q.axes; d++)
        to_grid[d] = 2 * PI / (double)q.grid[d] / kappa[d];
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *v = ag_mul(s, agni_cast(s, x, q.dtype), mark_far(s, &q, points, extent));
    const agn_tensor *g = spread_points(s, &q, v, scale_points(s, &q, points, to_grid));
    const agn_tensor *theta = scale_points(s, &q, frequencies, kappa);
    g = roll_modes(s, &q, g, true);
    g = g && theta ? ag_fft_modes_to_nonuniform(s, g, theta, sign, tolerance) : NULL;
    g = ag_mul(
        s, g, ag_mul(s, divide_turns(s, &q, theta), mark_far(s, &q, frequencies, extent + q.axes)));
    return agni_return(q.op, s, out, g);
}
