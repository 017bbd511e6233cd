/* fft/nonuniform.c - Fourier sums at any points (Dutt & Rokhlin 1993; Barnett, Magland & af
   Klinteberg 2019): a transform of twice as many samples, and some of them about each point, by the
   ops of fft/spread.c. Modes are divided by the transform of the kernel. */
#include "fft/nonuniform.h"

#include "fft/cpu/spread_lanes.h"

#include <agnesi/ag.h>
#include <agnesi/fft.h>
#include <math.h>

#define PI AGNI_FFT_PI

agn_status agni_fft_check_points(agni_fft_sums *q, const agn_tensor *x, const agn_tensor *points,
                                 int32_t sign, double tolerance)
{
    if (agni_kind(points->dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "%s: points is %s %s; points are real", q->op,
                         agni_dtypes[points->dtype].name, AGNI_SHAPE(points));
    if (points->ndim != 2 || points->shape[1] < 1 || points->shape[1] > AGNI_FFT_SUM_AXES)
        return agni_fail(AGN_ESHAPE, "%s: points is %s for x %s; it is [points, 1 to %d axes]",
                         q->op, AGNI_SHAPE(points), AGNI_SHAPE(x), AGNI_FFT_SUM_AXES);
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
    int width = (int)ceil(-log10(tolerance)) + 1;
    width = width < 3 ? 3 : width > AGNI_SPREAD_WIDTH ? AGNI_SPREAD_WIDTH : width;
    q->kernel = (agni_spread_kernel){(int)points->shape[1], width, 2.3 * width};
    return AGN_OK;
}

static agn_status choose_grid(agni_fft_sums *q)
{
    q->all = 1;
    for (int d = 0; d < q->axes; d++) {
        if (q->modes[d] < 1 || q->modes[d] > INT32_MAX / 4)
            return agni_fail(AGN_EARG, "%s: %lld modes along axis %d; there are 1 to %d", q->op,
                             (long long)q->modes[d], d, INT32_MAX / 4);
        int64_t least = q->modes[d] > q->kernel.width ? q->modes[d] : q->kernel.width;
        q->grid[d] = agni_fft_fast_length(2 * least);
        if (!agni_checked_mul(q->all, q->grid[d], &q->all) || q->all > INT64_C(1) << 50)
            return agni_fail(AGN_EARG, "%s: %lld modes along axis %d make more than 2^50 samples",
                             q->op, (long long)q->modes[d], d);
    }
    return AGN_OK;
}

/* ---- modes ---------------------------------------------------------------------------------- */

/* the kernel's transform at theta is the sum of weight cos(width / 2 theta at), by the trapezoidal
   rule after z = sin t */
void agni_fft_place_nodes(double *at, double *weight, const agni_fft_sums *q)
{
    for (int j = 0; j < AGNI_FFT_NODES; j++) { /* half of them: the kernel is even */
        double t = PI / 2 * j / (AGNI_FFT_NODES - 1);
        at[j] = sin(t);
        weight[j] = exp(q->kernel.beta * (cos(t) - 1)) * cos(t) * PI / (2 * (AGNI_FFT_NODES - 1)) *
                    q->kernel.width / (j == 0 || j == AGNI_FFT_NODES - 1 ? 2 : 1);
    }
}

/* one over the transform of the kernel at -n / 2, ... */
static agn_status make_factors(agn_tensor **out, const agni_fft_sums *q, int d)
{
    enum { ANEW = 32 };
    double at[AGNI_FFT_NODES], weight[AGNI_FFT_NODES];
    int64_t n = q->modes[d];
    double *v = agni_alloc((size_t)n * sizeof *v);
    if (!v)
        return agni_nomem(q->op, (size_t)n * sizeof *v);
    agni_fft_place_nodes(at, weight, q);
    double c[AGNI_FFT_NODES] = {0}, s[AGNI_FFT_NODES] = {0}, dc[AGNI_FFT_NODES], ds[AGNI_FFT_NODES],
        one = PI * q->kernel.width / (double)q->grid[d];
    for (int j = 0; j < AGNI_FFT_NODES; j++) {
        dc[j] = cos(one * at[j]);
        ds[j] = sin(one * at[j]);
    }
    for (int64_t k = 0; k <= n / 2; k++) {
        double sum = 0;
        for (int j = 0; j < AGNI_FFT_NODES; j++) { /* turned from mode to mode, now and then anew */
            double was = c[j];
            c[j] = k % ANEW ? was * dc[j] - s[j] * ds[j] : cos(one * (double)k * at[j]);
            s[j] = k % ANEW ? s[j] * dc[j] + was * ds[j] : sin(one * (double)k * at[j]);
            sum += weight[j] * c[j];
        }
        v[n / 2 - k] = 1 / sum;
        if (n / 2 + k < n)
            v[n / 2 + k] = 1 / sum;
    }
    agn_status st = agn_from_host(out, AGN_F64, 1, &n, v);
    agni_free(v);
    return st;
}

static const agn_tensor *divide_modes(agn_scope *s, const agni_fft_sums *q, const agn_tensor *f)
{
    for (int d = 0; d < q->axes && !agn_scope_status(s); d++) {
        agn_tensor *made = NULL;
        int64_t shape[AGNI_FFT_SUM_AXES];
        agn_status st = make_factors(&made, q, d);
        const agn_tensor *v = agni_adopt_constant(s, st, made);
        for (int k = d; k < q->axes; k++)
            shape[k - d] = k == d ? q->modes[d] : 1;
        v = v ? agni_reshape(s, agni_cast(s, v, q->real), q->axes - d, shape) : NULL;
        f = ag_mul(s, f, v);
    }
    return f;
}

/* sums over all axes, unscaled, with the sign */
static const agn_tensor *transform_sums(agn_scope *s, const agni_fft_sums *q, const agn_tensor *g,
                                        int32_t sign)
{
    static const int32_t axes[] = {-3, -2, -1};
    const int32_t *last = axes + AGNI_FFT_SUM_AXES - q->axes;
    return sign < 0 ? ag_fft_fftn(s, g, NULL, last, q->axes, AGN_FFT_BACKWARD)
                    : ag_fft_ifftn(s, g, NULL, last, q->axes, AGN_FFT_FORWARD);
}

const agn_tensor *agni_fft_roll_modes(agn_scope *s, const agni_fft_sums *q, const agn_tensor *g,
                                      bool to_front)
{
    static const int32_t axes[] = {-3, -2, -1};
    int64_t by[AGNI_FFT_SUM_AXES];
    for (int d = 0; d < q->axes; d++)
        by[d] = to_front ? q->modes[d] / 2 : -(q->modes[d] / 2);
    return ag_roll(s, g, by, axes + AGNI_FFT_SUM_AXES - q->axes, q->axes);
}

/* points times a factor for each axis */
const agn_tensor *agni_fft_scale_points(agn_scope *s, const agni_fft_sums *q,
                                        const agn_tensor *points, const double *by)
{
    agn_tensor *made = NULL;
    agn_status st = agn_scope_status(s);
    if (!st)
        st = agn_from_host(&made, AGN_F64, 1, (int64_t[]){q->axes}, by);
    const agn_tensor *f = agni_adopt_constant(s, st, made);
    return ag_mul(s, agni_cast(s, points, AGN_F64), f);
}

/* points in samples of the grid */
static const agn_tensor *find_places(agn_scope *s, const agni_fft_sums *q, const agn_tensor *points)
{
    double by[AGNI_FFT_SUM_AXES];
    for (int d = 0; d < q->axes; d++)
        by[d] = (double)q->grid[d] / (2 * PI);
    return agni_fft_scale_points(s, q, points, by);
}

agn_status agn_fft_modes_to_nonuniform(agn_tensor **out, const agn_tensor *x,
                                       const agn_tensor *points, int32_t sign, double tolerance)
{
    agni_fft_sums q = {.op = "fft_modes_to_nonuniform"};
    if (!out || !x || !points)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", q.op, !out ? "out" : x ? "points" : "x");
    agn_status st = agni_fft_check_points(&q, x, points, sign, tolerance);
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
    int64_t lo[AGNI_MAX_RANK] = {0}, hi[AGNI_MAX_RANK] = {0};
    for (int d = 0; d < q.axes; d++)
        hi[x->ndim - q.axes + d] = q.grid[d] - q.modes[d];
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *g = divide_modes(s, &q, agni_cast(s, x, q.dtype));
    g = agni_fft_roll_modes(s, &q, ag_pad(s, g, x->ndim, lo, hi, 0), false);
    g = agni_fft_gather(s, &q.kernel, transform_sums(s, &q, g, sign), find_places(s, &q, points));
    return agni_return(q.op, s, out, g);
}

agn_status agn_fft_nonuniform_to_modes(agn_tensor **out, const agn_tensor *x,
                                       const agn_tensor *points, const int64_t *modes,
                                       int32_t n_modes, int32_t sign, double tolerance)
{
    agni_fft_sums q = {.op = "fft_nonuniform_to_modes"};
    if (!out || !x || !points || !modes)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", q.op,
                         !out     ? "out"
                         : !x     ? "x"
                         : points ? "modes"
                                  : "points");
    agn_status st = agni_fft_check_points(&q, x, points, sign, tolerance);
    if (!st && n_modes != q.axes)
        st = agni_fail(AGN_ESHAPE,
                       "%s: %d numbers of modes for points %s; there is one for each axis", q.op,
                       n_modes, AGNI_SHAPE(points));
    if (!st && (!x->ndim || x->shape[x->ndim - 1] != points->shape[0] ||
                x->ndim + AGNI_FFT_SUM_AXES > AGNI_MAX_RANK))
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
    const agn_tensor *g = agni_fft_spread(s, &q.kernel, agni_cast(s, x, q.dtype),
                                          find_places(s, &q, points), q.grid);
    g = agni_fft_roll_modes(s, &q, transform_sums(s, &q, g, sign), true);
    for (int d = 0; d < ndim; d++) {
        stop[d] = d < x->ndim - 1 ? x->shape[d] : q.modes[d - (x->ndim - 1)];
        step[d] = 1;
    }
    return agni_return(q.op, s, out, divide_modes(s, &q, ag_slice(s, g, ndim, start, stop, step)));
}
