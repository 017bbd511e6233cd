/* tensor/compose/histogram.c - counts of integers and of values between edges. A bin holds its
   lower edge, the last one its upper edge too; values outside and NaN are in no bin. */
#include "tensor/reduce/reduce.h"
#include "tensor/create/constants.h"

#include <agnesi/ag.h>
#include <math.h>

/* ---- counting ----------------------------------------------------------------------------- */

/* weights (ones where NULL) added at the places i of a vector of n zeros */
static const agn_tensor *scatter_counts(agn_scope *s, const agn_tensor *i,
                                        const agn_tensor *weights, int64_t n)
{
    const agn_tensor *w = weights ? agni_bools_to_ints(s, weights) : ag_lit(s, 1);
    const agn_tensor *flat = ag_reshape(s, i, 1, (int64_t[]){-1});
    if (!w || !flat)
        return NULL;
    w = weights ? ag_reshape(s, w, 1, (int64_t[]){-1})
                : ag_broadcast_to(s, w, 1, flat->shape);
    return w ? ag_scatter_add(s, agni_full(s, 0, w->dtype, 1, &n), flat, w, 0) : NULL;
}

static agn_status check_weights(const char *op, const agn_tensor *x, const agn_tensor *weights)
{
    if (!weights || agni_same_shape(x, weights))
        return AGN_OK;
    return agni_fail(AGN_ESHAPE, "%s: weights are %s, x is %s", op, AGNI_SHAPE(weights),
                     AGNI_SHAPE(x));
}

/* gather and scatter spoke of an index that stands for all numbers below 0: names the lowest */
static agn_status name_negative(const agn_tensor *x, int64_t length, agn_status st)
{
    int64_t low = 0, at = 0;
    agn_scope *s = st == AGN_EINDEX && x->st ? agn_scope_open(NULL) : NULL;
    const agn_tensor *row = s ? ag_cast(s, ag_ravel(s, x), AGN_I64) : NULL;
    const agn_tensor *least = s ? ag_min(s, row, NULL, 0, false) : NULL;
    const agn_tensor *place = s ? ag_argmin(s, row, 0, false) : NULL;
    if (least && place) {
        agn_scope_fail(s, agn_item_i64(&low, least));
        agn_scope_fail(s, agn_item_i64(&at, place));
    }
    if (s && !agn_scope_close(s) && low < 0)
        return agni_fail(AGN_EINDEX,
                         "bincount: %lld at place %lld of x, %s, is out of range for size %lld",
                         (long long)low, (long long)at, AGNI_SHAPE(x), (long long)length);
    return st;
}

/* more than any memory holds, and each a number of f64 */
static const int64_t MOST_BINS = INT64_C(1) << 53;

agn_status agn_bincount(agn_tensor **out, const agn_tensor *x, const agn_tensor *weights,
                        int64_t length)
{
    AGNI_NEED("bincount", out);
    AGNI_NEED("bincount", x);
    agn_status st = check_weights("bincount", x, weights);
    if (st)
        return st;
    if (agni_kind(x->dtype) > AGNI_KIND_INT)
        return agni_fail(AGN_EDTYPE, "bincount: x is %s %s, an integer dtype is needed",
                         agni_dtypes[x->dtype].name, AGNI_SHAPE(x));
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *i = ag_cast(s, x, AGN_I64);
    if (length < 0) { /* as many as the largest needs: an index of a value */
        int64_t top = -1;
        const agn_tensor *most = x->size ? ag_max(s, i, NULL, 0, false) : NULL;
        if (most)
            agn_scope_fail(s, agn_item_i64(&top, most));
        if (top >= MOST_BINS)
            agn_scope_fail(s, agni_fail(AGN_ENOMEM,
                                        "bincount: %lld needs as many bins and one more; "
                                        "there can be %lld",
                                        (long long)top, (long long)MOST_BINS));
        length = top < 0 ? 0 : top < MOST_BINS ? top + 1 : MOST_BINS;
    } else if (length > MOST_BINS) {
        agn_scope_fail(s, agni_fail(AGN_ENOMEM, "bincount: %lld bins; there can be %lld",
                                    (long long)length, (long long)MOST_BINS));
        length = MOST_BINS;
    }
    /* gather counts negative places from the end: here they are out of range */
    const agn_tensor *behind = agni_full(s, (double)length, AGN_I64, 0, NULL);
    i = ag_where(s, ag_lt(s, i, ag_lit(s, 0)), behind, i);
    return name_negative(
        x, length,
        agni_return("bincount", s, out, i ? scatter_counts(s, i, weights, length) : NULL));
}

/* ---- edges -------------------------------------------------------------------------------- */

/* bins + 1 numbers from lo to hi, the last one exactly; half to either side where they meet */
static const agn_tensor *equal_edges(agn_scope *s, const agn_tensor *lo, const agn_tensor *hi,
                                     int64_t bins)
{
    const agn_tensor *half = ag_mul_c(s, ag_cast(s, ag_eq(s, lo, hi), AGN_F64), 0.5);
    const agn_tensor *a = ag_sub(s, lo, half), *b = ag_add(s, hi, half);
    const agn_tensor *step = ag_div_c(s, ag_sub(s, b, a), (double)bins);
    const agn_tensor *k = ag_cast(s, agni_range(s, bins), AGN_F64);
    const agn_tensor *e = ag_add(s, ag_mul(s, k, step), a);
    b = ag_reshape(s, b, 1, (int64_t[]){1});
    return ag_concat(s, (const agn_tensor *[]){e, b}, 2, 0);
}

/* a number of the caller's, on the device of x: edges lie with what they cut */
static const agn_tensor *number_beside(agn_scope *s, double v, const agn_tensor *x)
{
    const agn_tensor *y = agni_full(s, v, AGN_F64, 0, NULL);
    agn_tensor *z = NULL;
    if (!y || !x->st)
        return y;
    agn_status st = agni_copy_to_device(&z, y, x->st->device);
    return agn_scope_adopt(s, st, &z);
}

agn_status agn_histogram_bin_edges(agn_tensor **out, const agn_tensor *x, int64_t bins,
                                   const double *range)
{
    AGNI_NEED("histogram_bin_edges", out);
    AGNI_NEED("histogram_bin_edges", x);
    if (agni_kind(x->dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE,
                         "histogram_bin_edges: %s numbers %s have no order, real ones have",
                         agni_dtypes[x->dtype].name, AGNI_SHAPE(x));
    if (bins < 1)
        return agni_fail(AGN_EARG, "histogram_bin_edges: %lld bins, at least %d is needed",
                         (long long)bins, 1);
    if (range && !(range[0] <= range[1] && range[0] - range[0] == 0 && range[1] - range[1] == 0))
        return agni_fail(AGN_EDOMAIN, "histogram_bin_edges: the range %g to %g is no finite one",
                         range[0], range[1]);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *lo, *hi, *z = NULL;
    if (range || x->size == 0) {
        lo = number_beside(s, range ? range[0] : 0, x);
        hi = number_beside(s, range ? range[1] : 1, x);
    } else {
        z = ag_cast(s, ag_stop_gradient(s, x), AGN_F64);
        lo = ag_min(s, z, NULL, 0, false);
        hi = ag_max(s, z, NULL, 0, false);
        double a = 0, b = 0;
        if (lo && hi && lo->st && agni_tensor_device(lo) == AGN_CPU &&
            !agn_scope_fail(s, agn_item_f64(&a, lo)) && !agn_scope_fail(s, agn_item_f64(&b, hi)) &&
            !(a - a == 0 && b - b == 0))
            agn_scope_fail(s, agni_fail(AGN_EDOMAIN, "histogram_bin_edges: x reaches from %g to "
                                                     "%g, no finite range", a, b));
    }
    return agni_return("histogram_bin_edges", s, out, equal_edges(s, lo, hi, bins));
}

/* ---- histograms --------------------------------------------------------------------------- */

/* the bin of each element of x between n + 1 edges, n where it is in none */
static const agn_tensor *find_bins(agn_scope *s, const agn_tensor *x, const agn_tensor *edges)
{
    int64_t n = edges->shape[0] - 1;
    const agn_tensor *last = ag_index_axis(s, edges, 0, n), *one = ag_lit(s, 1);
    const agn_tensor *none = agni_full(s, (double)n, AGN_I64, 0, NULL);
    const agn_tensor *i = ag_sub(s, ag_searchsorted(s, edges, x, true), one);
    i = ag_where(s, ag_eq(s, x, last), ag_sub(s, none, one), i);
    return ag_where(s, ag_lt(s, i, ag_lit(s, 0)), none, i);
}

static const agn_tensor *bin_widths(agn_scope *s, const agn_tensor *edges)
{
    int64_t n = edges->shape[0] - 1;
    return ag_sub(s, agni_slice_axis(s, edges, 0, 1, n), agni_slice_axis(s, edges, 0, 0, n));
}

static agn_status check_edges(const char *op, const agn_tensor *edges, int k)
{
    if (!edges)
        return agni_fail(AGN_ENULL, "%s: edges %d of axis %d are NULL", op, k, k);
    if (edges->ndim != 1 || edges->shape[0] < 2)
        return agni_fail(AGN_ESHAPE, "%s: edges %d are %s, at least two along one axis are needed",
                         op, k, AGNI_SHAPE(edges));
    return AGN_OK;
}

/* points [m, d] in boxes between edges[d]; one more bin along each axis for what is outside */
static agn_status count_in_boxes(const char *op, agn_tensor **out, const agn_tensor *points,
                                 const agn_tensor *const *edges, int32_t d,
                                 const agn_tensor *weights, bool density)
{
    int64_t shape[AGNI_MAX_RANK], size = 1;
    for (int k = 0; k < d; k++)
        if (!agni_checked_mul(size, shape[k] = edges[k]->shape[0], &size))
            return agni_fail(AGN_ENOMEM, "%s: %d axes of bins have too many boxes, %lld along one",
                             op, d, (long long)shape[k]);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *at = NULL;
    for (int k = 0; k < d; k++) {
        const agn_tensor *i = find_bins(s, ag_index_axis(s, points, 1, k), edges[k]);
        at = at ? ag_add(s, ag_mul_c(s, at, (double)shape[k]), i) : i;
    }
    const agn_tensor *y = at ? scatter_counts(s, at, weights, size) : NULL;
    y = y ? agni_reshape(s, y, d, shape) : NULL;
    for (int k = 0; k < d; k++)
        y = agni_slice_axis(s, y, k, 0, shape[k] - 1);
    if (density) {
        y = ag_div(s, agni_widen(s, y), ag_sum_all(s, y));
        for (int k = 0; k < d; k++) {
            const agn_tensor *w = bin_widths(s, edges[k]);
            int64_t along[AGNI_MAX_RANK];
            for (int j = 0; j < d; j++)
                along[j] = j == k ? shape[k] - 1 : 1;
            y = ag_div(s, y, w ? agni_reshape(s, w, d, along) : NULL);
        }
    }
    return agni_return(op, s, out, y);
}

agn_status agn_histogram(agn_tensor **out, const agn_tensor *x, const agn_tensor *edges,
                         const agn_tensor *weights, bool density)
{
    AGNI_NEED("histogram", out);
    AGNI_NEED("histogram", x);
    agn_status st = check_edges("histogram", edges, 0);
    if (!st)
        st = check_weights("histogram", x, weights);
    if (st)
        return st;
    agn_tensor *points = NULL;
    st = agn_reshape(&points, x, 2, (int64_t[]){x->size, 1});
    if (!st)
        st = count_in_boxes("histogram", out, points, &edges, 1, weights, density);
    agn_release(points);
    return st;
}

agn_status agn_histogramdd(agn_tensor **out, const agn_tensor *x, const agn_tensor *const *edges,
                           int32_t n, const agn_tensor *weights, bool density)
{
    AGNI_NEED("histogramdd", out);
    AGNI_NEED("histogramdd", x);
    AGNI_NEED("histogramdd", edges);
    if (x->ndim != 2 || n < 1 || n > AGNI_MAX_RANK || x->shape[1] != n)
        return agni_fail(AGN_ESHAPE, "histogramdd: x is %s, not [m,%d] for %d axes of bins",
                         AGNI_SHAPE(x), n, n);
    agn_status st = AGN_OK;
    for (int k = 0; !st && k < n; k++)
        st = check_edges("histogramdd", edges[k], k);
    if (!st && weights && (weights->ndim != 1 || weights->shape[0] != x->shape[0]))
        st = agni_fail(AGN_ESHAPE, "histogramdd: weights are %s, x is %s", AGNI_SHAPE(weights),
                       AGNI_SHAPE(x));
    return st ? st : count_in_boxes("histogramdd", out, x, edges, n, weights, density);
}
