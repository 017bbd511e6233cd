/**
 * agnesi/statistics.h - spread, quantiles and histograms
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef AGNESI_STATISTICS_H
#define AGNESI_STATISTICS_H

#include <agnesi/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/* how to take a quantile between two places of the order */
enum {
    AGN_QUANTILE_LINEAR,   /* between both elements */
    AGN_QUANTILE_LOWER,    /* the smaller one */
    AGN_QUANTILE_HIGHER,   /* the larger one */
    AGN_QUANTILE_MIDPOINT, /* their mean */
    AGN_QUANTILE_NEAREST   /* the nearer one; half-way, that at the even place */
};

/**
 * agn_var - variance
 *
 * Real; |x - mean|^2 of complex numbers. NaN where correction leaves nothing to divide
 * by.
 *
 * @param out         out, x without the axes; with them as 1 if keep
 * @param x           any dtype; integers give f64
 * @param axes        n different axes; NULL for all
 * @param n           number of axes
 * @param correction  taken from the number of elements: 0, or 1 for samples
 * @param keep        keep the reduced axes with size 1
 * @errors            AGN_ENULL, AGN_EINDEX (axis out of range), AGN_EARG (axis twice),
 *                    AGN_ENOMEM
 * @grad              everywhere
 * @cost              O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_var(agn_tensor **out, const agn_tensor *x,
                                          const int32_t *axes, int32_t n, double correction,
                                          bool keep);

/**
 * agn_std - standard deviation
 *
 * Real; |x - mean|^2 of complex numbers. NaN where correction leaves nothing to divide
 * by.
 *
 * @param out         out, x without the axes; with them as 1 if keep
 * @param x           any dtype; integers give f64
 * @param axes        n different axes; NULL for all
 * @param n           number of axes
 * @param correction  taken from the number of elements: 0, or 1 for samples
 * @param keep        keep the reduced axes with size 1
 * @errors            AGN_ENULL, AGN_EINDEX (axis out of range), AGN_EARG (axis twice),
 *                    AGN_ENOMEM
 * @grad              everywhere; 0 where all are equal
 * @cost              O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_std(agn_tensor **out, const agn_tensor *x,
                                          const int32_t *axes, int32_t n, double correction,
                                          bool keep);

/**
 * agn_var_mean - variance and mean
 *
 * @param var         out, real, x without the axes; with them as 1 if keep
 * @param mean        out, the same shape
 * @param x           any dtype; integers give f64
 * @param axes        n different axes; NULL for all
 * @param n           number of axes
 * @param correction  taken from the number of elements: 0, or 1 for samples
 * @param keep        keep the reduced axes with size 1
 * @errors            AGN_ENULL, AGN_EINDEX (axis out of range), AGN_EARG (axis twice),
 *                    AGN_ENOMEM
 * @grad              everywhere
 * @cost              O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_var_mean(agn_tensor **var, agn_tensor **mean,
                                               const agn_tensor *x, const int32_t *axes,
                                               int32_t n, double correction, bool keep);

/**
 * agn_std_mean - standard deviation and mean
 *
 * @param std         out, real, x without the axes; with them as 1 if keep
 * @param mean        out, the same shape
 * @param x           any dtype; integers give f64
 * @param axes        n different axes; NULL for all
 * @param n           number of axes
 * @param correction  taken from the number of elements: 0, or 1 for samples
 * @param keep        keep the reduced axes with size 1
 * @errors            AGN_ENULL, AGN_EINDEX (axis out of range), AGN_EARG (axis twice),
 *                    AGN_ENOMEM
 * @grad              everywhere
 * @cost              O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_std_mean(agn_tensor **std, agn_tensor **mean,
                                               const agn_tensor *x, const int32_t *axes,
                                               int32_t n, double correction, bool keep);

/**
 * agn_nanvar - variance without NaN
 *
 * NaN where correction leaves nothing to divide by.
 *
 * @param out         out, x without the axes; with them as 1 if keep
 * @param x           any dtype; integers give f64
 * @param axes        n different axes; NULL for all
 * @param n           number of axes
 * @param correction  taken from the number of elements: 0, or 1 for samples
 * @param keep        keep the reduced axes with size 1
 * @errors            AGN_ENULL, AGN_EINDEX (axis out of range), AGN_EARG (axis twice),
 *                    AGN_ENOMEM
 * @grad              everywhere; 0 for NaN
 * @cost              O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_nanvar(agn_tensor **out, const agn_tensor *x,
                                             const int32_t *axes, int32_t n,
                                             double correction, bool keep);

/**
 * agn_nanstd - standard deviation without NaN
 *
 * NaN where correction leaves nothing to divide by.
 *
 * @param out         out, x without the axes; with them as 1 if keep
 * @param x           any dtype; integers give f64
 * @param axes        n different axes; NULL for all
 * @param n           number of axes
 * @param correction  taken from the number of elements: 0, or 1 for samples
 * @param keep        keep the reduced axes with size 1
 * @errors            AGN_ENULL, AGN_EINDEX (axis out of range), AGN_EARG (axis twice),
 *                    AGN_ENOMEM
 * @grad              everywhere; 0 for NaN
 * @cost              O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_nanstd(agn_tensor **out, const agn_tensor *x,
                                             const int32_t *axes, int32_t n,
                                             double correction, bool keep);

/**
 * agn_median - middle element, or the mean of the two middle ones
 *
 * NaN if there is one.
 *
 * @param out   out, x without the axes; with them as 1 if keep
 * @param x     real; integers give f64
 * @param axes  n different axes; NULL for all
 * @param n     number of axes
 * @param keep  keep the reduced axes with size 1
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_EINDEX (axis out of range), AGN_EARG (axis
 *              twice), AGN_ESHAPE (nothing to order), AGN_ENOMEM
 * @grad        to the middle elements
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_median(agn_tensor **out, const agn_tensor *x,
                                             const int32_t *axes, int32_t n, bool keep);

/**
 * agn_nanmedian - median without NaN
 *
 * NaN where nothing is left.
 *
 * @param out   out, x without the axes; with them as 1 if keep
 * @param x     real; integers give f64
 * @param axes  n different axes; NULL for all
 * @param n     number of axes
 * @param keep  keep the reduced axes with size 1
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_EINDEX (axis out of range), AGN_EARG (axis
 *              twice), AGN_ESHAPE (nothing to order), AGN_ENOMEM
 * @grad        to the middle elements
 * @cost        O(n log n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_nanmedian(agn_tensor **out, const agn_tensor *x,
                                                const int32_t *axes, int32_t n, bool keep);

/**
 * agn_quantile - quantiles
 *
 * Element (N - 1) q of the N in order; NaN if there is one.
 *
 * @param out     out, [n_q, ..]: x without the axes, with them as 1 if keep
 * @param x       real; integers give f64
 * @param q       n_q numbers in 0 to 1
 * @param n_q     at least 1
 * @param axes    n different axes; NULL for all
 * @param n       number of axes
 * @param keep    keep the reduced axes with size 1
 * @param method  AGN_QUANTILE_LINEAR, ...
 * @errors        AGN_ENULL, AGN_EDTYPE (complex), AGN_EDOMAIN (q), AGN_EINDEX (axis out
 *                of range), AGN_EARG (axis twice, n_q, method), AGN_ESHAPE (nothing to
 *                order), AGN_ENOMEM
 * @grad          to the elements at both sides of the place
 * @cost          O(n) for near places, else O(n log n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_quantile(agn_tensor **out, const agn_tensor *x,
                                               const double *q, int32_t n_q,
                                               const int32_t *axes, int32_t n, bool keep,
                                               int32_t method);

/**
 * agn_nanquantile - quantiles without NaN
 *
 * NaN where nothing is left.
 *
 * @param out     out, [n_q, ..]: x without the axes, with them as 1 if keep
 * @param x       real; integers give f64
 * @param q       n_q numbers in 0 to 1
 * @param n_q     at least 1
 * @param axes    n different axes; NULL for all
 * @param n       number of axes
 * @param keep    keep the reduced axes with size 1
 * @param method  AGN_QUANTILE_LINEAR, ...
 * @errors        AGN_ENULL, AGN_EDTYPE (complex), AGN_EDOMAIN (q), AGN_EINDEX (axis out
 *                of range), AGN_EARG (axis twice, n_q, method), AGN_ESHAPE (nothing to
 *                order), AGN_ENOMEM
 * @grad          to the elements at both sides of the place
 * @cost          O(n log n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_nanquantile(agn_tensor **out, const agn_tensor *x,
                                                  const double *q, int32_t n_q,
                                                  const int32_t *axes, int32_t n, bool keep,
                                                  int32_t method);

/**
 * agn_percentile - percentiles: quantiles of p / 100
 *
 * @param out     out, [n_p, ..]: x without the axes, with them as 1 if keep
 * @param x       real; integers give f64
 * @param p       n_p numbers in 0 to 100
 * @param n_p     at least 1
 * @param axes    n different axes; NULL for all
 * @param n       number of axes
 * @param keep    keep the reduced axes with size 1
 * @param method  AGN_QUANTILE_LINEAR, ...
 * @errors        AGN_ENULL, AGN_EDTYPE (complex), AGN_EDOMAIN (p), AGN_EINDEX (axis out
 *                of range), AGN_EARG (axis twice, n_p, method), AGN_ESHAPE (nothing to
 *                order), AGN_ENOMEM
 * @grad          to the elements at both sides of the place
 * @cost          O(n) for near places, else O(n log n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_percentile(agn_tensor **out, const agn_tensor *x,
                                                 const double *p, int32_t n_p,
                                                 const int32_t *axes, int32_t n, bool keep,
                                                 int32_t method);

/**
 * agn_nanpercentile - percentiles without NaN: nanquantiles of p / 100
 *
 * NaN where nothing is left.
 *
 * @param out     out, [n_p, ..]: x without the axes, with them as 1 if keep
 * @param x       real; integers give f64
 * @param p       n_p numbers in 0 to 100
 * @param n_p     at least 1
 * @param axes    n different axes; NULL for all
 * @param n       number of axes
 * @param keep    keep the reduced axes with size 1
 * @param method  AGN_QUANTILE_LINEAR, ...
 * @errors        AGN_ENULL, AGN_EDTYPE (complex), AGN_EDOMAIN (p), AGN_EINDEX (axis out
 *                of range), AGN_EARG (axis twice, n_p, method), AGN_ESHAPE (nothing to
 *                order), AGN_ENOMEM
 * @grad          to the elements at both sides of the place
 * @cost          O(n log n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_nanpercentile(agn_tensor **out, const agn_tensor *x,
                                                    const double *p, int32_t n_p,
                                                    const int32_t *axes, int32_t n, bool keep,
                                                    int32_t method);

/**
 * agn_bincount - how often each number from 0 on occurs
 *
 * @param out      out, [length]: i64, or sums of weights
 * @param x        integers from 0 on, any shape
 * @param weights  shape of x; NULL for ones
 * @param length   of the result; -1 for as much as the largest number needs
 * @errors         AGN_ENULL, AGN_EDTYPE (x not integer), AGN_ESHAPE (weights),
 *                 AGN_EINDEX (a number below 0 or not below length), AGN_ESYMBOLIC
 *                 (length -1 while tracing), AGN_EDEVICE, AGN_ENOMEM
 * @grad           everywhere in weights
 * @cost           O(n + length)
 */
AGN_API AGN_MUST_CHECK agn_status agn_bincount(agn_tensor **out, const agn_tensor *x,
                                               const agn_tensor *weights, int64_t length);

/**
 * agn_histogram_bin_edges - edges of equal bins
 *
 * From the smallest to the largest element, or over a range; half to either side where
 * these are one number, 0 to 1 where there is nothing.
 *
 * @param out    out, f64, [bins + 1]
 * @param x      real
 * @param bins   at least 1
 * @param range  two numbers, the lower first; NULL for those of x
 * @errors       AGN_ENULL, AGN_EDTYPE (complex), AGN_EARG (bins), AGN_EDOMAIN (range or
 *               x not finite), AGN_ENOMEM
 * @grad         none
 * @cost         O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_histogram_bin_edges(agn_tensor **out,
                                                          const agn_tensor *x, int64_t bins,
                                                          const double *range);

/**
 * agn_histogram - how many elements lie between edges
 *
 * A bin holds its lower edge, the last one its upper edge too. Elements outside, and
 * NaN, are in none.
 *
 * @param out      out, [k]: i64, or sums of weights, or densities
 * @param x        real, any shape
 * @param edges    [k + 1], ascending, as agn_histogram_bin_edges makes them
 * @param weights  shape of x; NULL for ones
 * @param density  divided by their sum and by the width of each bin
 * @errors         AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (edges, weights), AGN_ENOMEM
 * @grad           everywhere in weights
 * @cost           O(n log k)
 */
AGN_API AGN_MUST_CHECK agn_status agn_histogram(agn_tensor **out, const agn_tensor *x,
                                                const agn_tensor *edges,
                                                const agn_tensor *weights, bool density);

/**
 * agn_histogramdd - how many points lie in boxes
 *
 * @param out      out, [k0, k1, ..]: i64, or sums of weights, or densities
 * @param x        [m, n] points
 * @param edges    n tensors [k + 1], one for each coordinate
 * @param n        number of coordinates
 * @param weights  [m]; NULL for ones
 * @param density  divided by their sum and by the size of each box
 * @errors         AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (edges, weights, points),
 *                 AGN_ENOMEM
 * @grad           everywhere in weights
 * @cost           O(m n log k + boxes)
 */
AGN_API AGN_MUST_CHECK agn_status agn_histogramdd(agn_tensor **out, const agn_tensor *x,
                                                  const agn_tensor *const *edges, int32_t n,
                                                  const agn_tensor *weights, bool density);

#ifdef __cplusplus
}
#endif
#endif
