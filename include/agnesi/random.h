/**
 * agnesi/random.h - random numbers
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Counter-based (Philox4x32-10): a draw is a function of its key, the same on every device, for
 * any number of threads, at every CPU level. Parameters of laws are tensors that broadcast to the
 * shape asked for. Laws that move and stretch numbers without parameters (agn_random_uniform,
 * _normal, _log_normal, _exponential, _laplace, _cauchy, _gumbel) take any parameters: a negative
 * scale turns the law round, NaN and infinities spread; the others name the entry that no law has.
 * Leading axes of a key are lanes, each with numbers of its own; they come in front of the shape.
 */
#ifndef AGNESI_RANDOM_H
#define AGNESI_RANDOM_H

#include <agnesi/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- keys ----------------------------------------------------------------------- */

/**
 * agn_key - the next key of a generator
 *
 * @param out  out, i64 [2]: seed and stream; a value like any other, may be an argument
 * @param g    advanced by one stream
 * @errors     AGN_ENULL, AGN_ENOMEM
 * @grad       none: a key
 * @cost       O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_key(agn_tensor **out, agn_generator *g);

/**
 * agn_key_fold - a key made of a key and a number, for one lane or step
 *
 * @param out  out, i64 [2]
 * @param key  i64 [2]
 * @param n    i64 []; different numbers give independent keys
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE, AGN_ENOMEM
 * @grad       none: a key
 * @cost       O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_key_fold(agn_tensor **out, const agn_tensor *key,
                                               const agn_tensor *n);

/**
 * agn_key_split - several keys made of one
 *
 * They are those that agn_key_fold makes of 0, 1, ..., n - 1.
 *
 * @param out  out, i64 [n, 2]
 * @param key  i64 [2]
 * @param n    number of keys
 * @errors     AGN_ENULL, AGN_EARG (n), AGN_EDTYPE, AGN_ESHAPE, AGN_ENOMEM
 * @grad       none: keys
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_key_split(agn_tensor **out, const agn_tensor *key,
                                                int64_t n);

/* ---- numbers without parameters ------------------------------------------------- */

/**
 * agn_uniform - uniform random numbers in [0, 1)
 *
 * @param out    out, [shape...]
 * @param key    i64 [2]
 * @param dtype  AGN_F32 (24 bits), AGN_F64 (53 bits), AGN_F16 (11 bits) or AGN_BF16 (8 bits)
 * @param ndim   number of axes
 * @param shape  sizes
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE, AGN_ENOMEM
 * @grad         none: a constant
 * @cost         O(n)
 * @ref          Salmon et al. 2011 (Philox4x32-10)
 */
AGN_API AGN_MUST_CHECK agn_status agn_uniform(agn_tensor **out, const agn_tensor *key,
                                              agn_dtype dtype, int32_t ndim,
                                              const int64_t *shape);

/**
 * agn_normal - standard normal random numbers
 *
 * @param out    out, [shape...]
 * @param key    i64 [2]
 * @param dtype  AGN_F32 or AGN_F64; AGN_F16 and AGN_BF16 by rounding
 * @param ndim   number of axes
 * @param shape  sizes
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE, AGN_ENOMEM
 * @grad         none: a constant
 * @cost         O(n)
 * @ref          Wichura 1988 (AS 241)
 */
AGN_API AGN_MUST_CHECK agn_status agn_normal(agn_tensor **out, const agn_tensor *key,
                                             agn_dtype dtype, int32_t ndim,
                                             const int64_t *shape);

/**
 * agn_exponential - exponential random numbers of mean 1, never 0
 *
 * @param out    out, [shape...]
 * @param key    i64 [2]
 * @param dtype  AGN_F32 or AGN_F64; AGN_F16 and AGN_BF16 by rounding
 * @param ndim   number of axes
 * @param shape  sizes
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE, AGN_ENOMEM
 * @grad         none: a constant
 * @cost         O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_exponential(agn_tensor **out, const agn_tensor *key,
                                                  agn_dtype dtype, int32_t ndim,
                                                  const int64_t *shape);

/**
 * agn_random_bits - the integers of a stream, from any place on
 *
 * @param out    out, i64 [shape...]: numbers first, first + 1, ... of the 2^64 of the stream
 * @param key    i64 [2]
 * @param first  number of the first, read as unsigned
 * @param ndim   number of axes
 * @param shape  sizes
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE, AGN_ENOMEM
 * @grad         none: integers
 * @cost         O(n), wherever first is
 */
AGN_API AGN_MUST_CHECK agn_status agn_random_bits(agn_tensor **out, const agn_tensor *key,
                                                  int64_t first, int32_t ndim,
                                                  const int64_t *shape);

/* ---- real laws ------------------------------------------------------------------ */

/**
 * agn_random_uniform - uniform random numbers in [low, high)
 *
 * In (high, low] where low is the larger one; NaN where a bound is infinite.
 *
 * @param out    out, [shape...]
 * @param key    i64 [2]
 * @param low    real
 * @param high   real
 * @param ndim   number of axes
 * @param shape  sizes, to which parameters broadcast
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE, AGN_ENOMEM
 * @grad         in low and high
 * @cost         O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_random_uniform(agn_tensor **out, const agn_tensor *key,
                                                     const agn_tensor *low,
                                                     const agn_tensor *high, int32_t ndim,
                                                     const int64_t *shape);

/**
 * agn_random_normal - normal random numbers
 *
 * @param out        out, [shape...]
 * @param key        i64 [2]
 * @param mean       real
 * @param deviation  real; standard deviation
 * @param ndim       number of axes
 * @param shape      sizes, to which parameters broadcast
 * @errors           AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE, AGN_ENOMEM
 * @grad             in mean and deviation
 * @cost             O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_random_normal(agn_tensor **out, const agn_tensor *key,
                                                    const agn_tensor *mean,
                                                    const agn_tensor *deviation, int32_t ndim,
                                                    const int64_t *shape);

/**
 * agn_random_log_normal - numbers whose logarithms are normal
 *
 * @param out        out, [shape...]
 * @param key        i64 [2]
 * @param mean       real; of the logarithm
 * @param deviation  real; of the logarithm
 * @param ndim       number of axes
 * @param shape      sizes, to which parameters broadcast
 * @errors           AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE, AGN_ENOMEM
 * @grad             in mean and deviation
 * @cost             O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_random_log_normal(agn_tensor **out, const agn_tensor *key,
                                                        const agn_tensor *mean,
                                                        const agn_tensor *deviation,
                                                        int32_t ndim, const int64_t *shape);

/**
 * agn_random_truncated_normal - normal random numbers between two bounds, in any tail
 *
 * @param out        out, [shape...]
 * @param key        i64 [2]
 * @param mean       real
 * @param deviation  real, positive
 * @param low        real, -infinity allowed
 * @param high       real, not below low; infinity allowed
 * @param ndim       number of axes
 * @param shape      sizes, to which parameters broadcast
 * @errors           AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE, AGN_ENOMEM, AGN_EDOMAIN (low above high,
 *                   NaN: names the entry)
 * @grad             in all four, of the number that keeps its share of the probability; a
 *                   relative error of 2^-53 over the width of the interval
 * @cost             O(n)
 * @ref              Marsaglia 1964; Figurnov, Mohamed and Mnih 2018
 */
AGN_API AGN_MUST_CHECK agn_status agn_random_truncated_normal(
    agn_tensor **out, const agn_tensor *key, const agn_tensor *mean, const agn_tensor *deviation,
    const agn_tensor *low, const agn_tensor *high, int32_t ndim, const int64_t *shape);

/**
 * agn_random_exponential - waiting times
 *
 * @param out    out, [shape...]
 * @param key    i64 [2]
 * @param rate   real, positive; 1 / mean
 * @param ndim   number of axes
 * @param shape  sizes, to which parameters broadcast
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE, AGN_ENOMEM
 * @grad         in rate
 * @cost         O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_random_exponential(agn_tensor **out, const agn_tensor *key,
                                                         const agn_tensor *rate, int32_t ndim,
                                                         const int64_t *shape);

/**
 * agn_random_laplace - numbers with density exp(-|x - location| / scale) / (2 scale)
 *
 * @param out       out, [shape...]
 * @param key       i64 [2]
 * @param location  real
 * @param scale     real
 * @param ndim      number of axes
 * @param shape     sizes, to which parameters broadcast
 * @errors          AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE, AGN_ENOMEM
 * @grad            in location and scale
 * @cost            O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_random_laplace(agn_tensor **out, const agn_tensor *key,
                                                     const agn_tensor *location,
                                                     const agn_tensor *scale, int32_t ndim,
                                                     const int64_t *shape);

/**
 * agn_random_cauchy - Cauchy numbers, whose density is the curve of Agnesi
 *
 * @param out       out, [shape...]
 * @param key       i64 [2]
 * @param location  real
 * @param scale     real
 * @param ndim      number of axes
 * @param shape     sizes, to which parameters broadcast
 * @errors          AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE, AGN_ENOMEM
 * @grad            in location and scale
 * @cost            O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_random_cauchy(agn_tensor **out, const agn_tensor *key,
                                                    const agn_tensor *location,
                                                    const agn_tensor *scale, int32_t ndim,
                                                    const int64_t *shape);

/**
 * agn_random_gumbel - numbers with distribution function exp(-exp(-(x - location) / scale))
 *
 * @param out       out, [shape...]; always finite
 * @param key       i64 [2]
 * @param location  real
 * @param scale     real
 * @param ndim      number of axes
 * @param shape     sizes, to which parameters broadcast
 * @errors          AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE, AGN_ENOMEM
 * @grad            in location and scale
 * @cost            O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_random_gumbel(agn_tensor **out, const agn_tensor *key,
                                                    const agn_tensor *location,
                                                    const agn_tensor *scale, int32_t ndim,
                                                    const int64_t *shape);

/**
 * agn_random_gamma - gamma numbers of rate 1
 *
 * Divide by a rate, or multiply by a scale, for others.
 *
 * @param out            out, [shape...]; 0 where the number is below all of its dtype
 * @param key            i64 [2]
 * @param concentration  real, 2^-1000 to 2^1000; the shape parameter
 * @param ndim           number of axes
 * @param shape          sizes, to which parameters broadcast
 * @errors               AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE, AGN_ENOMEM, AGN_EDOMAIN (names the
 *                       entry), AGN_EUNSUPPORTED (above the sixth derivative)
 * @grad                 in concentration, by implicit differentiation of the distribution function
 * @cost                 O(n); about 100 exponentials for each derivative of a number
 * @ref                  Marsaglia & Tsang 2000; Figurnov, Mohamed & Mnih 2018 (derivative)
 */
AGN_API AGN_MUST_CHECK agn_status agn_random_gamma(agn_tensor **out, const agn_tensor *key,
                                                   const agn_tensor *concentration, int32_t ndim,
                                                   const int64_t *shape);

/**
 * agn_random_log_gamma - logarithms of the numbers that agn_random_gamma draws
 *
 * They are finite where the numbers themselves are too small for any dtype.
 *
 * @param out            out, [shape...]
 * @param key            i64 [2]
 * @param concentration  real, 2^-1000 to 2^1000; the shape parameter
 * @param ndim           number of axes
 * @param shape          sizes, to which parameters broadcast
 * @errors               as for agn_random_gamma
 * @grad                 as for agn_random_gamma
 * @cost                 as for agn_random_gamma
 */
AGN_API AGN_MUST_CHECK agn_status agn_random_log_gamma(agn_tensor **out, const agn_tensor *key,
                                                       const agn_tensor *concentration,
                                                       int32_t ndim, const int64_t *shape);

/**
 * agn_random_beta - beta numbers, with density proportional to x^(a - 1) (1 - x)^(b - 1)
 *
 * @param out    out, [shape...]
 * @param key    i64 [2]
 * @param a      real, 2^-1000 to 2^1000
 * @param b      likewise
 * @param ndim   number of axes
 * @param shape  sizes, to which parameters broadcast
 * @errors       as for agn_random_gamma
 * @grad         in a and b
 * @cost         O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_random_beta(agn_tensor **out, const agn_tensor *key,
                                                  const agn_tensor *a, const agn_tensor *b,
                                                  int32_t ndim, const int64_t *shape);

/* ---- integers ------------------------------------------------------------------- */

/**
 * agn_random_integers - integers of [low, high), each as likely as the others
 *
 * @param out    out, [shape...]
 * @param key    i64 [2]
 * @param low    integer
 * @param high   integer, above low; the difference may be anything below 2^64, and both are within
 *               the dtype, high one beyond it at most (but of AGN_I64)
 * @param dtype  any integer dtype, of the result
 * @param ndim   number of axes
 * @param shape  sizes, to which parameters broadcast
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE, AGN_ENOMEM, AGN_EDOMAIN (names the entry)
 * @grad         none: integers
 * @cost         O(n)
 * @ref          Lemire 2019
 */
AGN_API AGN_MUST_CHECK agn_status agn_random_integers(agn_tensor **out, const agn_tensor *key,
                                                      const agn_tensor *low,
                                                      const agn_tensor *high, agn_dtype dtype,
                                                      int32_t ndim, const int64_t *shape);

/**
 * agn_random_bernoulli - true with a probability
 *
 * @param out    out, bool [shape...]
 * @param key    i64 [2]
 * @param p      real, 0 to 1
 * @param ndim   number of axes
 * @param shape  sizes, to which parameters broadcast
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE, AGN_ENOMEM, AGN_EDOMAIN (p is no probability:
 *               names the entry)
 * @grad         none: booleans
 * @cost         O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_random_bernoulli(agn_tensor **out, const agn_tensor *key,
                                                       const agn_tensor *p, int32_t ndim,
                                                       const int64_t *shape);

/**
 * agn_random_poisson - counts of events at a rate
 *
 * @param out    out, [shape...]
 * @param key    i64 [2]
 * @param rate   real, 0 to 2^62 (2^30 for AGN_I32)
 * @param dtype  AGN_I64 or AGN_I32, of the result
 * @param ndim   number of axes
 * @param shape  sizes, to which parameters broadcast
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE, AGN_ENOMEM, AGN_EDOMAIN (names the entry)
 * @grad         none: integers
 * @cost         O(n)
 * @ref          Hoermann 1993 (PTRS); Loader 2000 (probabilities)
 */
AGN_API AGN_MUST_CHECK agn_status agn_random_poisson(agn_tensor **out, const agn_tensor *key,
                                                     const agn_tensor *rate, agn_dtype dtype,
                                                     int32_t ndim, const int64_t *shape);

/**
 * agn_random_binomial - successes in n trials
 *
 * @param out    out, [shape...]
 * @param key    i64 [2]
 * @param n      integer, 0 to 2^62 (2^31 - 1 for AGN_I32)
 * @param p      real, 0 to 1
 * @param dtype  AGN_I64 or AGN_I32, of the result
 * @param ndim   number of axes
 * @param shape  sizes, to which parameters broadcast
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE, AGN_ENOMEM, AGN_EDOMAIN (names the entry)
 * @grad         none: integers
 * @cost         O(size of the result)
 * @ref          Hoermann 1993 (BTRS); Loader 2000 (probabilities)
 */
AGN_API AGN_MUST_CHECK agn_status agn_random_binomial(agn_tensor **out, const agn_tensor *key,
                                                      const agn_tensor *n, const agn_tensor *p,
                                                      agn_dtype dtype, int32_t ndim,
                                                      const int64_t *shape);

/* ---- choice and order ----------------------------------------------------------- */

/**
 * agn_random_multinomial - categories with given weights
 *
 * A category of weight 0 is never drawn.
 *
 * @param out          out, i64 [..., count]: categories of each row, in the order of drawing
 * @param key          i64 [2]
 * @param weights      real, [..., n]: not negative, finite; not normalised
 * @param count        how many are drawn from each row
 * @param replacement  whether a category may come again
 * @errors             AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (no axis, count), AGN_ENOMEM, AGN_EDOMAIN
 *                     (a weight, too few positive ones: names row and weight)
 * @grad               none: integers
 * @cost               O(n + count log n) for each row
 * @ref                Efraimidis & Spirakis 2006 (without replacement)
 */
AGN_API AGN_MUST_CHECK agn_status agn_random_multinomial(agn_tensor **out, const agn_tensor *key,
                                                         const agn_tensor *weights, int64_t count,
                                                         bool replacement);

/**
 * agn_random_permutation - the numbers 0 to n - 1 in random order
 *
 * @param out  out, i64 [n]
 * @param key  i64 [2]
 * @param n    how many
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (key, n), AGN_ENOMEM
 * @grad       none: integers
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_random_permutation(agn_tensor **out, const agn_tensor *key,
                                                         int64_t n);

/**
 * agn_random_shuffle - the slices along an axis in random order
 *
 * @param out   out, shape of x
 * @param key   i64 [2]
 * @param x     any dtype
 * @param axis  in [-ndim, ndim)
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (key), AGN_EINDEX (axis), AGN_ENOMEM
 * @grad        everywhere in x
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_random_shuffle(agn_tensor **out, const agn_tensor *key,
                                                     const agn_tensor *x, int32_t axis);

/* ---- points of the unit cube ---------------------------------------------------- */

/**
 * agn_sobol - points of the Sobol sequence, in Gray code order
 *
 * Any 2^k points that begin at a multiple of 2^k have one in each of 2^k equal parts of every
 * axis. With a key, a random linear scramble and a random shift keep that, and make every point
 * uniform.
 *
 * @param out    out, [n, dims] in [0, 1)
 * @param key    i64 [2], or NULL for the plain sequence
 * @param dtype  AGN_F64, or AGN_F32: the same numbers cut to 24 bits
 * @param first  number of the first point; the plain sequence begins with 0
 * @param n      number of points; first + n at most 2^53
 * @param dims   dimensions, 1 to 1024
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (key), AGN_EARG (first, n, dims), AGN_ENOMEM
 * @grad         none: a constant
 * @cost         O(n dims)
 * @ref          Joe & Kuo 2008 (direction numbers); Matousek 1998 (scramble)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sobol(agn_tensor **out, const agn_tensor *key,
                                            agn_dtype dtype, int64_t first, int64_t n,
                                            int64_t dims);

/**
 * agn_halton - points of the Halton sequence, with a prime base for each dimension
 *
 * With a key, digits are scrambled by random linear functions modulo the base.
 *
 * @param out    out, [n, dims] in [0, 1)
 * @param key    i64 [2], or NULL for the plain sequence
 * @param dtype  AGN_F32 or AGN_F64
 * @param first  number of the first point; the plain sequence begins with 0
 * @param n      number of points; first + n at most 2^53
 * @param dims   dimensions, 1 to 1000
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (key), AGN_EARG (first, n, dims), AGN_ENOMEM
 * @grad         none: a constant
 * @cost         O(n dims log(first + n))
 * @ref          Halton 1960; Matousek 1998 (scramble)
 */
AGN_API AGN_MUST_CHECK agn_status agn_halton(agn_tensor **out, const agn_tensor *key,
                                             agn_dtype dtype, int64_t first, int64_t n,
                                             int64_t dims);

/**
 * agn_latin_hypercube - points of which each of n equal parts of every axis holds one
 *
 * @param out    out, [n, dims] in [0, 1)
 * @param key    i64 [2]
 * @param dtype  AGN_F32 or AGN_F64
 * @param n      number of points
 * @param dims   dimensions
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (key), AGN_EARG (n, dims), AGN_ENOMEM
 * @grad         none: a constant
 * @cost         O(n dims)
 * @ref          McKay, Beckman & Conover 1979
 */
AGN_API AGN_MUST_CHECK agn_status agn_latin_hypercube(agn_tensor **out, const agn_tensor *key,
                                                      agn_dtype dtype, int64_t n, int64_t dims);

#ifdef __cplusplus
}
#endif
#endif
