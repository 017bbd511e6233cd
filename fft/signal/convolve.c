/* fft/signal/convolve.c - convolution along time: directly, by one transform, or by transforms of
   blocks whose results are added where they overlap (Stockham 1966; Oppenheim & Schafer 2010,
   8.7). */
#include "fft/fft.h"
#include "fft/signal/signal.h"

#include <agnesi/ag.h>
#include <agnesi/fft.h>
#include <agnesi/signal_analysis.h>
#include <math.h>

/* multiplications that a direct sum does while a transform does one step of n log2 n: measured, for
   f64 */
#define STEPS_OF_DIRECT 9.0

/* steps of both transforms, the kernel's and the signal's, in blocks of n samples */
static double cost_of_blocks(double more, double less, double n)
{
    double blocks = ceil(more / (n - less + 1));
    return (2 * blocks + 1) * n * log2(n + 1);
}

/* the length of a block: a power of two, or that of the whole */
static int64_t choose_block(int64_t more, int64_t less)
{
    int64_t whole = agni_fft_fast_length(more + less - 1), best = whole;
    double least = cost_of_blocks((double)more, (double)less, (double)whole);
    for (int64_t n = 64; n < whole; n *= 2) {
        double cost = n >= 2 * less ? cost_of_blocks((double)more, (double)less, (double)n)
                                    : (double)INFINITY;
        /* blocks fit the caches: a length of more than 2^16 has to be better by a third */
        if (cost < least * (best > 1 << 16 ? 1.3 : 1)) {
            least = cost;
            best = n;
        }
    }
    return best;
}

static void find_part(int32_t mode, int64_t n, int64_t m, int64_t *from, int64_t *count)
{
    int64_t less = n < m ? n : m, more = n < m ? m : n;
    *from = mode == AGN_FULL ? 0 : mode == AGN_SAME ? (m - 1) / 2 : less - 1;
    *count = mode == AGN_FULL ? n + m - 1 : mode == AGN_SAME ? n : more - less + 1;
}

/* x, [..., n], in rows of length each: [..., blocks, length] */
static const agn_tensor *cut_blocks(agn_scope *s, const agn_tensor *x, int64_t length)
{
    int64_t shape[AGNI_MAX_RANK], n = x ? x->shape[x->ndim - 1] : 0,
                                  blocks = (n + length - 1) / length;
    x = agni_signal_zeros(s, x, 0, blocks * length - n);
    if (!x)
        return NULL;
    for (int d = 0; d < x->ndim - 1; d++)
        shape[d] = x->shape[d];
    shape[x->ndim - 1] = blocks;
    shape[x->ndim] = length;
    return agni_reshape(s, x, x->ndim + 1, shape);
}

static agn_status convolve_blocks(agn_tensor **out, const char *op, const agn_tensor *a,
                                  const agn_tensor *v, int32_t mode, int64_t block)
{
    int dtype = agni_promote(a->dtype, v->dtype);
    bool whole = agni_kind(dtype) <= AGNI_KIND_INT, complex;
    int wide = whole ? AGN_F64 : agni_dtypes[dtype].wide;
    int64_t n = a->shape[a->ndim - 1], m = v->shape[v->ndim - 1], less = n < m ? n : m,
            hop = block - less + 1, from, count;
    complex = agni_kind(wide) == AGNI_KIND_COMPLEX;
    find_part(mode, n, m, &from, &count);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x = agni_cast(s, n < m ? v : a, wide), *h = agni_cast(s, n < m ? a : v, wide);
    x = cut_blocks(s, x, hop);
    h = ag_expand_dims(s, h, -2);
    if (x && h) {
        x = complex ? ag_fft_fft(s, x, block, -1, AGN_FFT_BACKWARD)
                    : ag_fft_rfft(s, x, block, -1, AGN_FFT_BACKWARD);
        h = complex ? ag_fft_fft(s, h, block, -1, AGN_FFT_BACKWARD)
                    : ag_fft_rfft(s, h, block, -1, AGN_FFT_BACKWARD);
    }
    x = ag_mul(s, x, h);
    if (x)
        x = complex ? ag_fft_ifft(s, x, block, -1, AGN_FFT_BACKWARD)
                    : ag_fft_irfft(s, x, block, -1, AGN_FFT_BACKWARD);
    if (x)
        x = agni_signal_overlap_add(s, x, (x->shape[x->ndim - 2] - 1) * hop + block, hop);
    x = agni_signal_part(s, x, from, count);
    return agni_return(op, s, out, ag_contiguous(s, whole || !x ? x : agni_cast(s, x, dtype)));
}

agn_status agn_signal_oaconvolve(agn_tensor **out, const agn_tensor *a, const agn_tensor *v,
                                 int32_t mode)
{
    static const char op[] = "signal_oaconvolve";
    agn_status st = agni_check_sliding(op, out, a, v, 1, mode);
    if (st)
        return st;
    int64_t n = a->shape[a->ndim - 1], m = v->shape[v->ndim - 1],
            rank = a->ndim > v->ndim ? a->ndim : v->ndim;
    if (n > INT32_MAX / 2 || m > INT32_MAX / 2 || rank == AGNI_MAX_RANK)
        return agni_fail(AGN_EARG, "%s: a is %s, v %s; at most 2^30 - 1 samples and %d axes", op,
                         AGNI_SHAPE(a), AGNI_SHAPE(v), AGNI_MAX_RANK - 1);
    return convolve_blocks(out, op, a, v, mode, choose_block(n < m ? m : n, n < m ? n : m));
}

agn_status agn_signal_convolve(agn_tensor **out, const agn_tensor *a, const agn_tensor *v,
                               int32_t mode, int32_t method)
{
    static const char op[] = "signal_convolve";
    agn_status st = agni_check_sliding(op, out, a, v, 1, mode);
    if (!st && (method < AGN_CONVOLVE_AUTO || method > AGN_CONVOLVE_OVERLAP_ADD))
        st = agni_fail(AGN_EARG, "%s: method %d is none of 0 to %d", op, method,
                       AGN_CONVOLVE_OVERLAP_ADD);
    if (st)
        return st;
    if (method == AGN_CONVOLVE_AUTO) {
        int64_t n = a->shape[a->ndim - 1], m = v->shape[v->ndim - 1], less = n < m ? n : m,
                more = n < m ? m : n;
        bool whole = agni_kind(agni_promote(a->dtype, v->dtype)) <= AGNI_KIND_INT;
        int rank = a->ndim > v->ndim ? a->ndim : v->ndim;
        method = AGN_CONVOLVE_DIRECT;
        if (!whole && more <= INT32_MAX / 2 && rank < AGNI_MAX_RANK) {
            int64_t block = choose_block(more, less);
            if (STEPS_OF_DIRECT * cost_of_blocks((double)more, (double)less, (double)block) <
                (double)less * (double)more)
                method = block < more ? AGN_CONVOLVE_OVERLAP_ADD : AGN_CONVOLVE_FFT;
        }
    }
    st = method == AGN_CONVOLVE_DIRECT ? agn_convolve(out, a, v, 1, mode)
         : method == AGN_CONVOLVE_FFT  ? agn_fft_convolve(out, a, v, 1, mode)
                                       : agn_signal_oaconvolve(out, a, v, mode);
    return agni_rename_error(op, st);
}

agn_status agn_signal_correlation_lags(agn_tensor **out, int64_t n, int64_t m, int32_t mode)
{
    static const char op[] = "signal_correlation_lags";
    AGNI_NEED(op, out);
    if (n < 1 || m < 1 || n > INT64_MAX / 2 || m > INT64_MAX / 2 ||
        (mode != AGN_FULL && mode != AGN_SAME && mode != AGN_VALID))
        return agni_fail(
            AGN_EARG,
            "%s: %lld and %lld samples, mode %d; there are samples, modes are full, same and valid",
            op, (long long)n, (long long)m, mode);
    int64_t less = n < m ? n : m, from = mode == AGN_FULL   ? 1 - m
                                         : mode == AGN_SAME ? (m + n - 1) / 2 - n / 2 + 1 - m
                                         : n < m            ? n - m
                                                            : 0;
    int64_t count = mode == AGN_FULL ? n + m - 1 : mode == AGN_SAME ? n : n + m - 2 * less + 1;
    return agni_rename_error(op, agn_arange(out, AGN_I64, (double)from, (double)(from + count), 1));
}
