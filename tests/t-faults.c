/* tests/t-faults.c - every allocation of every tensor function made to fail in turn: the call
   says so, writes nothing, leaks nothing, and works the next time. */
#include "laws.h"

#undef I /* of <complex.h> */

/* ---- operands, made once -------------------------------------------------------------- */

static agn_tensor *X, *Y, *P, *I, *H, *Z, *B, *M, *C, *K, *J, *E, *N, *L, *O;
static agn_tensor *const *const all[] = {&X, &Y, &P, &I, &H, &Z, &B,
                                         &M, &C, &K, &J, &E, &N, &L, &O};
static agn_generator *G;
static const int64_t two[2] = {3, 4}, three[3] = {2, 3, 4};
static const char *saved = "t-faults.tmp.npy";

static void prepare(bool watched)
{
    X = random_of(AGN_F64, 2, two, 0.2, 0.8);
    Y = random_of(AGN_F64, 2, two, 1.2, 1.8);
    P = random_of(AGN_F32, 3, three, 0.2, 0.8);
    I = random_of(AGN_I32, 2, two, 1, 9);
    H = random_of(AGN_F16, 2, two, 0.2, 0.8);
    Z = random_of(AGN_C128, 2, two, 0.2, 0.8);
    B = random_of(AGN_BOOL, 2, two, 0, 1);
    M = random_of(AGN_F64, 2, (int64_t[]){4, 5}, -1, 1);
    C = random_of(AGN_F64, 1, (int64_t[]){4}, -1, 1);
    J = of_reals(AGN_I64, 2, two, (double[]){0, 1, 2, 0, 1, 2, 0, 1, 2, -1, -2, -3});
    E = random_of(AGN_F64, 2, (int64_t[]){0, 3}, 0, 1);
    N = scalar_of(AGN_I64, 7);
    O = scalar_of(AGN_I64, 0);
    must(agn_generator_new(&G, 1));
    must(agn_key(&K, G));
    must(agn_lit(&L, 0.25));
    agn_tensor *const *const leaves[] = {&X, &Y, &P, &H, &Z, &M, &C};
    for (int k = 0; watched && k < COUNT(leaves); k++) {
        agn_tensor *w = NULL;
        must(agn_watch(&w, *leaves[k]));
        agn_release(*leaves[k]);
        *(agn_tensor **)(uintptr_t)leaves[k] = w;
    }
}
static void put_away(void)
{
    for (int k = 0; k < COUNT(all); k++)
        agn_release(*all[k]);
    agn_generator_release(G);
}

/* ---- the calls -------------------------------------------------------------------------- */

typedef agn_status call(agn_tensor **o);
#define AXES(...)     \
    (const int32_t[]) \
    {                 \
        __VA_ARGS__   \
    }
#define LONGS(...)    \
    (const int64_t[]) \
    {                 \
        __VA_ARGS__   \
    }
#define TENSORS(...)       \
    (const agn_tensor *[]) \
    {                      \
        __VA_ARGS__        \
    }
#define EACH_UNARY(F)                                                                  \
    F(neg, X)                                                                          \
    F(abs, X) F(sign, X) F(square, X) F(reciprocal, X) F(sqrt, X) F(rsqrt, X)          \
        F(exp, X) F(exp2, X) F(expm1, X) F(log, X) F(log2, X) F(log10, X) F(log1p, X)  \
            F(sin, X) F(cos, X) F(tan, X) F(asin, X) F(acos, X) F(atan, X) F(sinh, X)  \
                F(cosh, X) F(tanh, X) F(asinh, X) F(acosh, Y) F(atanh, X) F(erf, X)    \
                    F(erfc, X) F(lgamma, X) F(digamma, X) F(sigmoid, X) F(softplus, X) \
                        F(relu, X) F(gelu, X) F(floor, X) F(ceil, X) F(round, X)       \
                            F(trunc, X) F(isnan, X) F(isfinite, X) F(logical_not, X)   \
                                F(conj, Z) F(real, Z) F(imag, Z) F(copy, X)            \
                                    F(stop_gradient, X) F(transpose, X) F(sum_all, X)  \
                                        F(mean_all, X) F(watch, X)
#define EACH_NEW_UNARY(F)                                                              \
    F(cbrt, X)                                                                         \
    F(logit, X) F(deg2rad, X) F(rad2deg, X) F(erfinv, X) F(ndtr, X) F(ndtri, X)        \
        F(log_ndtr, X) F(entr, X) F(frac, X) F(isinf, X) F(isposinf, X) F(isneginf, X) \
            F(isreal, Z) F(signbit, X) F(bitwise_not, J) F(popcount, J) F(sinc, X)     \
                F(erfcx, X) F(i0, X) F(i0e, X) F(i1, X) F(i1e, X) F(positive, X)       \
                    F(airy_ai, X) F(airy_aip, X) F(airy_bi, X) F(airy_bip, X)          \
                    F(fresnel_s, X) F(fresnel_c, X) F(expi, X) F(ellipk, X)            \
                    F(ellipe, X) F(dawsn, X) F(wofz, Z)                                \
                    F(sine_integral, X) F(cosine_integral, X) F(sinh_integral, X)      \
                    F(cosh_integral, X) F(clausen, X) F(rgamma, X) F(gamma, X)         \
                    F(digammainv, X) F(wright_omega, X) F(exprel, X) F(cosm1, X)       \
                    F(log1pmx, X) F(kolmogorov, X)                                     \
                    F(ellipkm1, X) F(spence, X) F(dirichlet_eta, X)                    \
                    F(angle, Z) F(as_real, Z)
#define EACH_BINARY(F)                                                          \
    F(add)                                                                      \
    F(sub) F(mul) F(div) F(mulz) F(pow) F(atan2) F(hypot) F(maximum) F(minimum) \
        F(floor_divide) F(remainder) F(eq) F(ne) F(lt) F(le) F(gt) F(ge)        \
            F(logical_and) F(logical_or) F(complex) F(fmax) F(fmin) F(fmod) F(copysign) \
                F(ldexp) F(heaviside) F(xlogy) F(xlog1py) F(rel_entr) F(logaddexp)      \
                    F(logaddexp2) F(zeta) F(gammainc) F(gammaincc) F(gammaincinv)       \
                    F(gammainccinv) F(owens_t) F(ellippi) F(ellipkinc) F(ellipeinc)     \
                    F(fermi_dirac) F(beta) F(betaln) F(binom) F(boxcox) F(boxcox1p)     \
                    F(inv_boxcox) F(inv_boxcox1p) F(agm) F(parabolic_d) F(parabolic_v) F(stdtr) \
                    F(poch) F(kl_div) F(huber) F(pseudo_huber)                          \
                    F(stdtrc) F(stdtrit) F(chdtr) F(chdtrc) F(chdtri) F(pdtr) F(pdtrc)  \
                    F(pdtri) F(log_gammainc) F(log_gammaincc) F(hankel1) F(hankel2)     \
                    F(elliprc) F(struve) F(modstruve) F(polylog) F(jacobi_am) F(jacobi_sn)     \
                    F(jacobi_cn) F(jacobi_dn) F(jv) F(yv) F(iv) F(kv) F(ive) F(kve) F(nextafter)                                        \
                        F(logical_xor) F(float_power) F(polar) F(equal_all)
#define EACH_LITERAL(F) F(add) F(sub) F(mul) F(div) F(pow) F(maximum) F(minimum)
#define EACH_REDUCTION(F)                                                       \
    F(sum)  F(sum_compensated)                                                  \
    F(mean) F(prod) F(max) F(min) F(amax) F(amin) F(logsumexp) F(all) F(any)    \
        F(count_nonzero) F(ptp) F(nansum) F(nanprod) F(nanmean) F(nanmax) F(nanmin)  \
            F(median) F(nanmedian)
#define EACH_OTHER(F)                                                                  \
    F(from_host, agn_from_host(o, AGN_F64, 1, LONGS(2), (double[]){1, 2}))             \
    F(from_host_bool, agn_from_host(o, AGN_BOOL, 1, LONGS(2), (char[]){1, 0}))         \
    F(wrap_host, agn_wrap_host(o, AGN_F64, 1, LONGS(2), NULL, (void *)(uintptr_t)some, \
                               true, NULL, NULL))                                      \
    F(empty, agn_empty(o, AGN_F64, 2, two, AGN_CPU))                                   \
    F(lit, agn_lit(o, 0.5))                                                            \
    F(full, agn_full(o, AGN_F32, 2, two, 0.5))                                         \
    F(full_i64, agn_full_i64(o, AGN_F32, 2, two, 5))                                   \
    F(arange, agn_arange(o, AGN_F32, 0, 5, 1))                                         \
    F(linspace, agn_linspace(o, AGN_F32, 0, 5, 9))                                     \
    F(eye, agn_eye(o, AGN_F32, 3, 4, 0))                                               \
    F(to_device, agn_to_device(o, X, AGN_CPU))                                         \
    F(abs_complex, agn_abs(o, Z))                                                      \
    F(sign_complex, agn_sign(o, Z))                                                    \
    F(exp_int, agn_exp(o, I))                                                          \
    F(exp_half, agn_exp(o, H))                                                         \
    F(imag_real, agn_imag(o, X))                                                       \
    F(conj_real, agn_conj(o, X))                                                       \
    F(polygamma, agn_polygamma(o, X, 2))                                               \
    F(add_mixed, agn_add(o, I, H))                                                     \
    F(add_broadcast, agn_add(o, X, C))                                                 \
    F(add_literal, agn_add(o, L, P))                                                   \
    F(where, agn_where(o, B, X, Y))                                                    \
    F(where_mixed, agn_where(o, I, H, Y))                                              \
    F(cast, agn_cast(o, X, AGN_F32))                                                   \
    F(contiguous, agn_contiguous(o, X))                                                \
    F(reshape, agn_reshape(o, X, 1, LONGS(-1)))                                        \
    F(permute, agn_permute(o, P, AXES(2, 0, 1), 3))                                    \
    F(expand_dims, agn_expand_dims(o, X, 0))                                           \
    F(squeeze, agn_squeeze(o, N ? squeezable() : X, 0))                                \
    F(broadcast_to, agn_broadcast_to(o, C, 2, two))                                    \
    F(slice, agn_slice(o, X, 1, LONGS(1), LONGS(3), NULL))                             \
    F(index_axis, agn_index_axis(o, X, 0, -1))                                                   \
    F(flip, agn_flip(o, X, NULL, 0))                                                   \
    F(pad, agn_pad(o, X, 2, LONGS(1, 0), LONGS(0, 2), 0))                              \
    F(pad_value, agn_pad(o, X, 2, LONGS(1, 0), LONGS(0, 2), 3.5))                      \
    F(concat, agn_concat(o, TENSORS(X, I, Y), 3, 0))                                   \
    F(concat_many, agn_concat(o, TENSORS(X, Y, X, Y, X, Y, X, Y, X, I, X, Y), 12, 1))  \
    F(stack, agn_stack(o, TENSORS(X, Y), 2, 1))                                        \
    F(gather, agn_gather(o, X, J, 0))                                                  \
    F(take_along_axis, agn_take_along_axis(o, X, J, 0))                                \
    F(take_along_axis_last, agn_take_along_axis(o, X, J, 1))                           \
    F(scatter_add, agn_scatter_add(o, X, N ? index_of() : J, Y, 0))                    \
    F(index, agn_index(o, P, AGN_IX(agn_ix_array(rows()), agn_ix_all(), agn_ix_array(rows()))))  \
    F(index_mask, agn_index(o, X, AGN_IX(agn_ix_array(B))))                            \
    F(index_str, agn_index_str(o, P, "[0, 1], None, -1, ::2"))                         \
    F(index_put_str, agn_index_put_str(o, P, "True, 0, ::2", C))                       \
    F(index_add_str, agn_index_add_str(o, P, "..., [1, 2, 0, 1]", C))                  \
    F(index_add, agn_index_add(o, X, AGN_IX(agn_ix_array(B)), N))                      \
    F(index_put, agn_index_put(o, X, AGN_IX(agn_ix_array(J), agn_ix_array(J)), Y))                             \
    F(index_put_one, agn_index_put(o, X, AGN_IX(agn_ix_array(index_of())), C))           \
    F(as_strided, agn_as_strided(o, P, 2, LONGS(2, 2), LONGS(4, 1), 3))                \
    F(unfold, agn_unfold(o, X, 1, 2, 1))                                               \
    F(diagonal, agn_diagonal(o, X, 1, 0, 1))                                           \
    F(diagonal_scatter, agn_diagonal_scatter(o, X, N, 1, 0, 1))                        \
    F(diag_embed, agn_diag_embed(o, C, 1, 0, 1))                                       \
    F(diag, agn_diag(o, C, 1))                                                         \
    F(tril, agn_tril(o, X, 0))                                                         \
    F(tril_indices, agn_tril_indices(o, 3, 3, 0))                                      \
    F(block_diag, agn_block_diag(o, TENSORS(X, C), 2))                                 \
    F(cartesian_prod, agn_cartesian_prod(o, TENSORS(C, C), 2))                         \
    F(combinations, agn_combinations(o, C, 2, true))                                   \
    F(vander, agn_vander(o, C, 3, true))                                               \
    F(zeros_like, agn_zeros_like(o, X))                                                \
    F(logspace, agn_logspace(o, AGN_F32, 0, 1, 3, 2))                                  \
    F(bitcast, agn_bitcast(o, X, AGN_I64))                                             \
    F(moveaxis, agn_moveaxis(o, P, AXES(0), AXES(2), 1))                               \
    F(unflatten, agn_unflatten(o, X, 1, 2, LONGS(2, 2)))                               \
    F(tile, agn_tile(o, X, 2, LONGS(2, 3)))                                            \
    F(repeat_interleave, agn_repeat_interleave(o, X, index_of(), 0))                   \
    F(roll, agn_roll(o, X, LONGS(1), NULL, 1))                                         \
    F(rot90, agn_rot90(o, X, 3, 0, 1))                                                 \
    F(pad_with, agn_pad_with(o, X, 2, LONGS(1, 0), LONGS(0, 2), AGN_PAD_WRAP))         \
    F(pad_ramp, agn_pad_with(o, X, 2, LONGS(1, 0), LONGS(0, 2), AGN_PAD_LINEAR_RAMP))  \
    F(pad_median, agn_pad_with(o, X, 2, LONGS(1, 0), LONGS(0, 2), AGN_PAD_MEDIAN))     \
    F(hstack, agn_hstack(o, TENSORS(X, Y), 2))                                         \
    F(column_stack, agn_column_stack(o, TENSORS(C, C), 2))                             \
    F(insert, agn_insert(o, X, index_of(), Y, 0))                                      \
    F(delete, agn_delete(o, X, index_of(), 0))                                         \
    F(scatter_put, agn_scatter_put(o, X, index_of(), Y, 0))                            \
    F(put_along_axis, agn_put_along_axis(o, X, J, Y, 0))                               \
    F(scatter_reduce, agn_scatter_reduce(o, X, J, Y, 0, AGN_REDUCE_PROD, true))        \
    F(index_reduce, agn_index_reduce(o, X, index_of(), Y, 0, AGN_REDUCE_AMAX, false))  \
    F(index_mean, agn_index_reduce(o, X, index_of(), Y, 0, AGN_REDUCE_MEAN, false))    \
    F(index_fill, agn_index_fill(o, X, index_of(), 0, N))                              \
    F(slice_scatter, agn_slice_scatter(o, X, C, 1, LONGS(0), LONGS(2), NULL))          \
    F(select_scatter, agn_select_scatter(o, X, C, 0, 1))                               \
    F(gather_nd, agn_gather_nd(o, P, rows()))                                          \
    F(scatter_nd, agn_scatter_nd(o, rows(), C, 2, LONGS(3, 4)))                        \
    F(take, agn_take(o, X, J, AGN_RANGE_WRAP))                                         \
    F(choose, agn_choose(o, rows(), TENSORS(C, C), 2, AGN_RANGE_CLIP))                 \
    F(select, agn_select(o, TENSORS(B, X), 2, Y))                                      \
    F(masked_fill, agn_masked_fill(o, X, B, N))                                        \
    F(masked_scatter, agn_masked_scatter(o, X, B, Y))                                  \
    F(extract, agn_extract(o, X, B))                                                   \
    F(shard_index, agn_shard_index(o, J, 4, 2, 1, -1))                                 \
    F(sum_half, agn_sum(o, H, AXES(0), 1, true))                                       \
    F(mean_half, agn_mean(o, H, AXES(0), 1, true))                                     \
    F(sum_axes, agn_sum(o, P, AXES(0, 2), 2, false))                                   \
    F(sum_bool, agn_sum(o, B, NULL, 0, false))                                         \
    F(prod_nothing, agn_prod(o, E, AXES(0), 1, false))                                 \
    F(logsumexp_nothing, agn_logsumexp(o, E, AXES(0), 1, false))                       \
    F(argmax, agn_argmax(o, X, 0, true))                                               \
    F(argmin, agn_argmin(o, X, 1, false))                                              \
    F(cumsum, agn_cumsum(o, X, 0))                                                     \
    F(cumsum_int, agn_cumsum(o, I, 0))                                                 \
    F(cumsum_as, agn_cumsum_as(o, X, 0, 3))                                            \
    F(cumprod, agn_cumprod(o, X, 1, 1))                                                \
    F(cumprod_exclusive, agn_cumprod(o, H, 0, 2))                                      \
    F(logcumsumexp, agn_logcumsumexp(o, H, 0, 1))                                      \
    F(recurrence, agn_recurrence(o, X, C, 1, 0))                                       \
    F(nancumsum, agn_nancumsum(o, X, 0))                                               \
    F(nancumprod, agn_nancumprod(o, X, 0))                                             \
    F(nanargmax, agn_nanargmax(o, X, 0, true))                                         \
    F(nanargmin, agn_nanargmin(o, X, 1, false))                                        \
    F(squeeze_all, agn_squeeze_all(o, E))                                              \
    F(bitcast_parts, agn_bitcast(o, X, AGN_U8))                                        \
    F(bitcast_whole, agn_bitcast(o, X, AGN_C128))                                      \
    F(cummax, agn_cummax(o, NULL, X, 0))                                               \
    F(cummin, first(agn_cummin(o, &second, X, 0)))                                     \
    F(aminmax, first(agn_aminmax(o, &second, X, NULL, 0, false)))                      \
    F(var_mean, first(agn_var_mean(o, &second, X, NULL, 0, 1, false)))                 \
    F(std_mean, first(agn_std_mean(o, &second, X, AXES(0), 1, 1, false)))              \
    F(topk, first(agn_topk(o, &second, X, 2, 0, true)))                                \
    F(kthvalue, first(agn_kthvalue(o, &second, X, 2, 0, false)))                       \
    F(mode, first(agn_mode(o, &second, X, 0, false)))                                  \
    F(unique, first(agn_unique(o, NULL, &second, NULL, X)))                            \
    F(unique_along, first(agn_unique_along(o, &second, NULL, NULL, X, 1)))             \
    F(unique_consecutive, first(agn_unique_consecutive(o, NULL, &second, X)))          \
    F(unique_consecutive_along, first(agn_unique_consecutive_along(o, &second, NULL, X, 0))) \
    F(argwhere, agn_argwhere(o, I))                                                    \
    F(nonzero, coordinates_of(o))                                                      \
    F(sum_as, agn_sum_as(o, I, AXES(0), 1, false, AGN_F32))                            \
    F(reduce_as, agn_reduce_as(o, X, C))                                               \
    F(trace, agn_trace(o, P, 1, 0, 2))                                                 \
    F(average, agn_average(o, X, C, AXES(1), 1, true))                                 \
    F(var, agn_var(o, Z, AXES(0), 1, 1, false))                                        \
    F(std, agn_std(o, H, NULL, 0, 1, true))                                            \
    F(nanvar, agn_nanvar(o, Z, AXES(0), 1, 1, false))                                  \
    F(nanstd, agn_nanstd(o, H, NULL, 0, 1, true))                                      \
    F(quantile, agn_quantile(o, X, thirds, 2, AXES(0), 1, false, 3))                   \
    F(quantile_many, agn_quantile(o, X, thirds, 9, NULL, 0, false, 0))                 \
    F(nanquantile, agn_nanquantile(o, H, thirds, 2, AXES(0), 1, true, 3))              \
    F(nanpercentile, agn_nanpercentile(o, X, thirds, 2, NULL, 0, true, 4))             \
    F(percentile, agn_percentile(o, X, thirds, 2, NULL, 0, true, 4))                   \
    F(bincount, agn_bincount(o, I, NULL, -1))                                          \
    F(bincount_weights, agn_bincount(o, I, X, 12))                                     \
    F(histogram_bin_edges, agn_histogram_bin_edges(o, X, 3, NULL))                     \
    F(histogram, agn_histogram(o, X, C_SORTED, X, true))                               \
    F(histogramdd, agn_histogramdd(o, X, TENSORS(C_SORTED, C_SORTED, C_SORTED, C_SORTED), 4, NULL, true)) \
    F(diff, agn_diff(o, X, 2, 1, X, NULL))                                             \
    F(gradient_of_samples, agn_gradient_of_samples(o, X, 1, C, 1, 2))                  \
    F(gradient_of_equal_samples, agn_gradient_of_samples(o, H, 0, NULL, 0.5, 1))       \
    F(trapezoid, agn_trapezoid(o, X, C, 1, 1))                                         \
    F(cumulative_trapezoid, agn_cumulative_trapezoid(o, X, X, 1, 0))                   \
    F(interp, agn_interp(o, X, C_SORTED, C))                                           \
    F(polyval, agn_polyval(o, C, X))                                                   \
    F(pnorm, agn_pnorm(o, X, 3, AXES(1), 1, false))                                    \
    F(dist, agn_dist(o, X, Y, 2))                                                      \
    F(cdist, agn_cdist(o, X, Y, 1))                                                    \
    F(pdist, agn_pdist(o, X, 2))                                                       \
    F(renorm, agn_renorm(o, X, 2, 0, 0.5))                                             \
    F(lexsort, agn_lexsort(o, TENSORS(X, Y, I), 3, 1))                                 \
    F(partition, agn_partition(o, X, 1, 0))                                            \
    F(argpartition, agn_argpartition(o, X, 1, 0))                                      \
    F(searchsorted, agn_searchsorted(o, C_SORTED, H, true))                            \
    F(bucketize, agn_bucketize(o, X, C_SORTED, false))                                 \
    F(sort, agn_sort(o, X, 0, false))                                                  \
    F(argsort, agn_argsort(o, X, 0, true))                                             \
    F(matmul, agn_matmul(o, X, M))                                                     \
    F(matmul_vector, agn_matmul(o, X, C))                                              \
    F(matmul_mixed, agn_matmul(o, I, M))                                               \
    F(matmul_batch, agn_matmul(o, P, M))                                               \
    F(einsum, agn_einsum(o, "ij,jk,j->ki", TENSORS(X, M, C), 3))                       \
    F(einsum_diagonal, agn_einsum(o, "iji->j", TENSORS(P == NULL ? X : cube()), 1))    \
    F(einsum_half, agn_einsum(o, "ij,ij->", TENSORS(H, H), 2))                         \
    F(betainc, agn_betainc(o, X, Y, C))                                                \
    F(betaincc, agn_betaincc(o, X, Y, C))                                              \
    F(betaincinv, agn_betaincinv(o, X, Y, C))                                          \
    F(betainccinv, agn_betainccinv(o, X, Y, C))                                        \
    F(lambertw, agn_lambertw(o, X, -1))                                                \
    F(expn, agn_expn(o, X, 2))                                                         \
    F(spherical_jn, agn_spherical_jn(o, X, 2))                                         \
    F(spherical_yn, agn_spherical_yn(o, X, 2))                                         \
    F(spherical_in, agn_spherical_in(o, X, 2))                                         \
    F(spherical_kn, agn_spherical_kn(o, X, 2))                                         \
    F(assoc_legendre, agn_assoc_legendre(o, X, 3, 1))                                  \
    F(assoc_legendre_even, agn_assoc_legendre(o, X, 3, 2))                             \
    F(sph_harm, agn_sph_harm(o, X, Y, 3, -1))                                          \
    F(hyp1f1, agn_hyp1f1(o, X, Y, C))                                                  \
    F(hyperu, agn_hyperu(o, X, Y, C))                                                  \
    F(elliprg, agn_elliprg(o, X, Y, C))                                                    \
    F(fdtr, agn_fdtr(o, X, Y, C))                                                          \
    F(fdtrc, agn_fdtrc(o, X, Y, C))                                                        \
    F(fdtri, agn_fdtri(o, X, Y, C))                                                        \
    F(gdtr, agn_gdtr(o, X, Y, C))                                                          \
    F(gdtrc, agn_gdtrc(o, X, Y, C))                                                        \
    F(gdtrix, agn_gdtrix(o, X, Y, C))                                                      \
    F(bdtr, agn_bdtr(o, X, Y, C))                                                          \
    F(bdtrc, agn_bdtrc(o, X, Y, C))                                                        \
    F(bdtri, agn_bdtri(o, X, Y, C))                                                        \
    F(nbdtr, agn_nbdtr(o, X, Y, C))                                                        \
    F(nbdtrc, agn_nbdtrc(o, X, Y, C))                                                      \
    F(nbdtri, agn_nbdtri(o, X, Y, C))                                                      \
    F(log_betainc, agn_log_betainc(o, X, Y, C))                                            \
    F(log_betaincc, agn_log_betaincc(o, X, Y, C))                                          \
    F(debye, agn_debye(o, X, 2))                                                           \
    F(transport, agn_transport(o, X, 2))                                                   \
    F(kelvin_ber, agn_kelvin_ber(o, X, 2))                                                 \
    F(mathieu_a, agn_mathieu_a(o, X, 2))                                                   \
    F(mathieu_b, agn_mathieu_b(o, X, 2))                                                   \
    F(mathieu_modcem1, agn_mathieu_modcem1(o, X, 1.5, 2))                                  \
    F(mathieu_modcem2, agn_mathieu_modcem2(o, X, 1.5, 2))                                  \
    F(mathieu_modsem1, agn_mathieu_modsem1(o, X, 1.5, 2))                                  \
    F(mathieu_modsem2, agn_mathieu_modsem2(o, X, 1.5, 2))                                  \
    F(bessel_integral, agn_bessel_integral(o, X, 2))                                       \
    F(mathieu_ce, agn_mathieu_ce(o, X, Y, 2))                                              \
    F(mathieu_se, agn_mathieu_se(o, X, Y, 2))                                              \
    F(chndtr, agn_chndtr(o, X, Y, C))                                                      \
    F(chndtrix, agn_chndtrix(o, C, X, Y))                                                  \
    F(ncfdtr, agn_ncfdtr(o, X, Y, C, X))                                                   \
    F(ncfdtri, agn_ncfdtri(o, X, Y, C, C))                                                 \
    F(nctdtr, agn_nctdtr(o, X, Y, C))                                                      \
    F(nctdtrit, agn_nctdtrit(o, X, Y, C))                                                  \
    F(wright_bessel, agn_wright_bessel(o, X, Y, C))                                        \
    F(log_wright_bessel, agn_log_wright_bessel(o, X, Y, C))                                \
    F(pro_cv, agn_pro_cv(o, X, 0, 2))                                                      \
    F(obl_cv, agn_obl_cv(o, X, 0, 2))                                                      \
    F(pro_ang1, agn_pro_ang1(o, X, C, 0, 2))                                               \
    F(obl_ang1, agn_obl_ang1(o, X, C, 0, 2))                                               \
    F(airy_zeros, agn_airy_zeros(o, 0, 3))                                                 \
    F(legendre_q, agn_legendre_q(o, X, 2))                                                 \
    F(pro_rad1, agn_pro_rad1(o, X, 1.5, 0, 2))                                             \
    F(pro_rad2, agn_pro_rad2(o, X, 1.5, 0, 2))                                             \
    F(obl_rad1, agn_obl_rad1(o, X, 1.5, 0, 2))                                             \
    F(obl_rad2, agn_obl_rad2(o, X, 1.5, 0, 2))                                             \
    F(parabolic_w, agn_parabolic_w(o, X, 1))                                               \
    F(ellip_harm, agn_ellip_harm(o, X, 1, 2, 2, 1))                                        \
    F(ellip_harm_2, agn_ellip_harm_2(o, X, 1, 2, 2, 1))                                    \
    F(ellip_normal, agn_ellip_normal(o, 1, 2, 2, 1))                                       \
    F(besselpoly, agn_besselpoly(o, X, 1, 0))                                              \
    F(smirnov, agn_smirnov(o, X, 3))                                                       \
    F(smirnovi, agn_smirnovi(o, X, 3))                                                     \
    F(tklmbda, agn_tklmbda(o, X, Y))                                                       \
    F(erf_zeros, agn_erf_zeros(o, 3))                                                      \
    F(fresnel_zeros, agn_fresnel_zeros(o, 0, 3))                                           \
    F(kelvin_zeros, agn_kelvin_zeros(o, 0, 3))                                             \
    F(zeta_complex, agn_zeta_complex(o, X))                                                \
    F(dirichlet_eta_complex, agn_dirichlet_eta_complex(o, X))                              \
    F(kelvin_bei, agn_kelvin_bei(o, X, 2))                                                 \
    F(kelvin_ker, agn_kelvin_ker(o, X, 2))                                                 \
    F(kelvin_kei, agn_kelvin_kei(o, X, 2))                                                 \
    F(hyp2f1, agn_hyp2f1(o, X, Y, C, X))                                               \
    F(lerch_phi, agn_lerch_phi(o, C, X, Y))                                            \
    F(lambertw_complex, agn_lambertw_complex(o, X, 1))                                 \
    F(voigt_profile, agn_voigt_profile(o, X, Y, C))                                    \
    F(wofz_real, agn_wofz(o, X))                                                       \
    F(ellippiinc, agn_ellippiinc(o, X, Y, C))                                          \
    F(elliprf, agn_elliprf(o, X, Y, C))                                                \
    F(elliprd, agn_elliprd(o, X, Y, C))                                                \
    F(elliprj, agn_elliprj(o, X, Y, C, C))                                             \
    F(jacobi, agn_jacobi(o, X, 3, 0.5, 1))                                             \
    F(gegenbauer, agn_gegenbauer(o, X, 3, 0.7))                                        \
    F(legendre, agn_legendre(o, X, 3))                                                 \
    F(chebyshev_t, agn_chebyshev_t(o, X, 3))                                           \
    F(chebyshev_u, agn_chebyshev_u(o, X, 3))                                           \
    F(laguerre, agn_laguerre(o, X, 3, 0.5))                                            \
    F(hermite, agn_hermite(o, X, 3))                                                   \
    F(hermite_e, agn_hermite_e(o, X, 3))                                               \
    F(lerp, agn_lerp(o, X, Y, C))                                                      \
    F(bessel_i, agn_bessel_i(o, X, 3))                                                 \
    F(bessel_ie, agn_bessel_ie(o, X, 3))                                               \
    F(bitwise_and, agn_bitwise_and(o, J, J))                                           \
    F(gcd, agn_gcd(o, J, I))                                                           \
    F(shift, agn_logical_right_shift(o, J, J))                                         \
    F(scale, agn_scale(o, X, 2, 1))                                                    \
    F(addcmul, agn_addcmul(o, X, Y, C, 2))                                             \
    F(addcdiv, agn_addcdiv(o, X, Y, C, 2))                                             \
    F(stanh, agn_stanh(o, X, 2, 1))                                                    \
    F(add_n, agn_add_n(o, TENSORS(X, Y, C), 3))                                        \
    F(multiplex, agn_multiplex(o, TENSORS(X, Y, X), 3, N ? index_of() : J))            \
    F(clip, agn_clip(o, X, Y, C))                                                      \
    F(clip_c, agn_clip_c(o, X, -1, 1))                                                 \
    F(nan_to_num, agn_nan_to_num(o, X, 0, 1, -1))                                      \
    F(nan_to_num_complex, agn_nan_to_num(o, Z, 0, 1, -1))                              \
    F(multigammaln, agn_multigammaln(o, X, 3))                                         \
    F(isclose, agn_isclose(o, X, Y, 1e-3, 1e-3, true))                                 \
    F(allclose, agn_allclose(o, X, Y, 1e-3, 1e-3, true))                               \
    F(isin, agn_isin(o, X, C, true))                                                   \
    F(as_complex, as_complex_of(o))                                                    \
    F(divmod, both(o, agn_divmod))                                                     \
    F(frexp, parts(o))                                                                 \
    F(key, agn_key(o, G))                                                              \
    F(key_fold, agn_key_fold(o, K, N))                                                 \
    F(uniform, agn_uniform(o, K, AGN_F32, 2, two))                                     \
    F(normal, agn_normal(o, K, AGN_F64, 2, two))                                       \
    F(key_split, agn_key_split(o, K, 3))                                               \
    F(uniform_half, agn_uniform(o, K, AGN_F16, 2, two))                                \
    F(normal_half, agn_normal(o, K, AGN_BF16, 2, two))                                 \
    F(exponential, agn_exponential(o, K, AGN_F64, 2, two))                             \
    F(random_bits, agn_random_bits(o, K, 5, 2, two))                                   \
    F(random_uniform, agn_random_uniform(o, K, X, L, 2, two))                          \
    F(random_normal, agn_random_normal(o, K, X, L, 2, two))                            \
    F(random_log_normal, agn_random_log_normal(o, K, X, L, 2, two))                    \
    F(random_truncated_normal, agn_random_truncated_normal(o, K, X, L, L, Y, 2, two))  \
    F(random_exponential, agn_random_exponential(o, K, X, 2, two))                     \
    F(random_laplace, agn_random_laplace(o, K, X, L, 2, two))                          \
    F(random_cauchy, agn_random_cauchy(o, K, X, L, 2, two))                            \
    F(random_gumbel, agn_random_gumbel(o, K, X, L, 2, two))                            \
    F(random_gamma, agn_random_gamma(o, K, X, 2, two))                                 \
    F(random_log_gamma, agn_random_log_gamma(o, K, X, 2, two))                         \
    F(random_beta, agn_random_beta(o, K, X, L, 2, two))                                \
    F(random_integers, agn_random_integers(o, K, O, N, AGN_I32, 2, two))               \
    F(random_bernoulli, agn_random_bernoulli(o, K, L, 2, two))                         \
    F(random_poisson, agn_random_poisson(o, K, L, AGN_I64, 2, two))                    \
    F(random_binomial, agn_random_binomial(o, K, N, L, AGN_I64, 2, two))               \
    F(random_multinomial, agn_random_multinomial(o, K, Y, 3, true))                    \
    F(random_multinomial_once, agn_random_multinomial(o, K, Y, 2, false))              \
    F(random_permutation, agn_random_permutation(o, K, 9))                             \
    F(random_shuffle, agn_random_shuffle(o, K, X, 1))                                  \
    F(sobol, agn_sobol(o, NULL, AGN_F64, 1, 5, 3))                                     \
    F(sobol_scrambled, agn_sobol(o, K, AGN_F32, 1, 5, 3))                              \
    F(halton, agn_halton(o, K, AGN_F64, 1, 5, 3))                                      \
    F(latin_hypercube, agn_latin_hypercube(o, K, AGN_F64, 5, 3))                       \
    F(npy_load, agn_npy_load(o, saved))                                                \
    F(op_apply, agn_op_apply(o, 1, "add", TENSORS(X, Y), 2, NULL, 0, NULL, 0))

static const double some[2] = {1, 2};
static const double thirds[9] = {0.25, 0.75, 0.5, 0, 1, 0.1, 0.2, 0.3, 0.4};
#define C_SORTED four_edges
static agn_tensor *four_edges, *second;
/* of two results the first one is looked at */
static agn_status first(agn_status st)
{
    if (!st)
        agn_release(second);
    second = NULL;
    return st;
}
static agn_tensor *one_row, *three_rows, *two_rows, *a_cube, *in_pairs;
static const agn_tensor *squeezable(void)
{
    return one_row;
}
static const agn_tensor *index_of(void)
{
    return three_rows;
}
static const agn_tensor *rows(void)
{
    return two_rows;
}
static const agn_tensor *cube(void)
{
    return a_cube;
}
static agn_status coordinates_of(agn_tensor **o)
{
    agn_tensor *y[2];
    agn_status st = agn_nonzero(y, 2, I);
    if (!st) {
        *o = y[0];
        agn_release(y[1]);
    }
    return st;
}

/* pairs that do not lie together: a copy is made */
static agn_status as_complex_of(agn_tensor **o)
{
    agn_tensor *pairs = NULL, *turned = NULL;
    agn_status st = agn_as_real(&pairs, Z);
    if (!st)
        st = agn_flip(&turned, pairs, AXES(-1), 1);
    if (!st)
        st = agn_as_complex(o, turned);
    agn_release(pairs);
    agn_release(turned);
    return st;
}
/* two results at once: the second one is looked at */
static agn_status both(agn_tensor **o, agn_status (*f)(agn_tensor **, agn_tensor **,
                                                       const agn_tensor *, const agn_tensor *))
{
    agn_tensor *first = NULL;
    agn_status st = f(&first, o, X, Y);
    agn_release(first);
    return st;
}
static agn_status parts(agn_tensor **o)
{
    agn_tensor *first = NULL;
    agn_status st = agn_frexp(&first, o, X);
    agn_release(first);
    return st;
}

#define UNARY(name, x)                         \
    static agn_status c_##name(agn_tensor **o) \
    {                                          \
        return agn_##name(o, x);               \
    }
#define BINARY(name)                           \
    static agn_status c_##name(agn_tensor **o) \
    {                                          \
        return agn_##name(o, X, Y);            \
    }
#define LITERAL(name)                              \
    static agn_status c_##name##_c(agn_tensor **o) \
    {                                              \
        return agn_##name##_c(o, X, 0.5);          \
    }
#define OTHER(name, expr)                      \
    static agn_status c_##name(agn_tensor **o) \
    {                                          \
        return expr;                           \
    }
EACH_UNARY(UNARY)
EACH_NEW_UNARY(UNARY)
EACH_BINARY(BINARY)
EACH_LITERAL(LITERAL)
#define REDUCTION(name)                              \
    static agn_status r_##name(agn_tensor **o)       \
    {                                                \
        return agn_##name(o, X, AXES(-1), 1, false); \
    }                                                \
    static agn_status k_##name(agn_tensor **o)       \
    {                                                \
        return agn_##name(o, X, NULL, 0, true);      \
    }
EACH_REDUCTION(REDUCTION)
EACH_OTHER(OTHER)

static const struct {
    const char *name;
    call *f;
} calls[] = {
#define ENTER1(name, x) {#name, c_##name},
#define ENTER2(name) {#name, c_##name},
#define ENTER3(name) {#name "_c", c_##name##_c},
#define ENTER4(name) {#name, r_##name}, {#name " of all", k_##name},
#define ENTER5(name, expr) {#name, c_##name},
    EACH_UNARY(ENTER1) EACH_NEW_UNARY(ENTER1) EACH_BINARY(ENTER2) EACH_LITERAL(ENTER3) EACH_REDUCTION(ENTER4)
        EACH_OTHER(ENTER5)};

static int64_t live(void)
{
    int64_t blocks = 0;
    agn_memory_live(NULL, &blocks, NULL);
    return blocks;
}

static int64_t injected, tolerated;

static void fail_each(tally *t, const char *name, call *f)
{
    agn_tensor *y = NULL;
    must(f(&y)); /* whatever is made once is made now */
    agn_release(y);
    int64_t base = live(), before = agn_memory_count();
    y = NULL;
    must(f(&y));
    int64_t count = agn_memory_count() - before;
    uint64_t want = agn_is_symbolic(y) || !strcmp(name, "empty") || !strcmp(name, "key")
                        ? 0
                        : hash_of(y);
    agn_release(y);
    check(t, live() == base, "%s leaks %d blocks", name, (int)(live() - base));
    for (int64_t n = 0; n <= count; n++) {
        y = untouched;
        agn_memory_fail_after(n);
        agn_status st = f(&y);
        agn_memory_fail_after(-1);
        injected += n < count;
        if (!st) {
            check(t, !want || hash_of(y) == want,
                  "%s is another after allocation %d failed", name, (int)n);
            tolerated += n < count;
            agn_release(y);
        } else {
            check(t, n < count && st == AGN_ENOMEM && y == untouched,
                  "%s, allocation %d of %d: %s, \"%s\"%s", name, (int)n, (int)count,
                  agn_status_name(st), agn_error_message(),
                  y == untouched ? "" : ", out written");
            check(t, strstr(agn_error_message(), "out of memory") != NULL, "%s: \"%s\"",
                  name, agn_error_message());
        }
        check(t, live() == base, "%s, allocation %d of %d: %d blocks leaked", name,
              (int)n, (int)count, (int)(live() - base));
    }
}

static agn_status into_host(agn_tensor **o)
{
    double buf[12];
    (void)o;
    return agn_to_host(buf, X, sizeof buf);
}
static agn_status into_f64(agn_tensor **o)
{
    double v;
    (void)o;
    return agn_item_f64(&v, N);
}
static agn_status into_i64(agn_tensor **o)
{
    int64_t v;
    (void)o;
    return agn_item_i64(&v, N);
}
static agn_status into_text(agn_tensor **o)
{
    char text[400];
    (void)o;
    return agn_format(text, sizeof text, NULL, X);
}
static agn_status into_file(agn_tensor **o)
{
    (void)o;
    return agn_npy_save(saved, X);
}

/* the same for calls that make no tensor */
static void fail_each_plain(tally *t, const char *name, call *f)
{
    must(f(NULL));
    int64_t base = live(), before = agn_memory_count();
    must(f(NULL));
    int64_t count = agn_memory_count() - before;
    for (int64_t n = 0; n <= count; n++) {
        agn_memory_fail_after(n);
        agn_status st = f(NULL);
        agn_memory_fail_after(-1);
        injected += n < count;
        tolerated += n < count && !st;
        check(t, !st || (n < count && st == AGN_ENOMEM), "%s, allocation %d of %d: %s",
              name, (int)n, (int)count, agn_status_name(st));
        check(t, live() == base, "%s, allocation %d: %d blocks leaked", name, (int)n,
              (int)(live() - base));
    }
}

int main(void)
{
    must(agn_threads_set(1));
    int64_t start = live();
    for (int watched = 0; watched < 2; watched++) {
        tally t = {0};
        injected = tolerated = 0;
        prepare(watched);
        one_row = random_of(AGN_F64, 2, (int64_t[]){1, 3}, 0, 1);
        three_rows = of_reals(AGN_I64, 1, (int64_t[]){3}, (double[]){2, 0, 2});
        two_rows = of_reals(AGN_I32, 2, (int64_t[]){2, 1}, (double[]){1, 0});
        agn_tensor *pairs = random_of(AGN_F64, 2, (int64_t[]){2, 3}, 0, 1);
        must(agn_transpose(&in_pairs, pairs));
        agn_release(pairs);
        a_cube = random_of(AGN_F64, 3, (int64_t[]){3, 2, 3}, 0, 1);
        four_edges = of_reals(AGN_F64, 1, (int64_t[]){4}, (double[]){0.1, 0.4, 0.6, 0.9});
        for (int k = 0; k < COUNT(calls); k++) {
            if (!strcmp(calls[k].name, "npy_load"))
                fail_each_plain(&t, "npy_save", into_file);
            if (watched && !strcmp(calls[k].name, "npy_load"))
                continue;
            fail_each(&t, calls[k].name, calls[k].f);
        }
        fail_each_plain(&t, "to_host", into_host);
        fail_each_plain(&t, "item_f64", into_f64);
        fail_each_plain(&t, "item_i64", into_i64);
        fail_each_plain(&t, "format", into_text);
        put_away();
        agn_release(one_row), agn_release(three_rows), agn_release(two_rows);
        agn_release(a_cube), agn_release(four_edges), agn_release(in_pairs);
        diag("%d functions, %" PRId64 " allocations failed, %" PRId64
             " of them done without",
             COUNT(calls) + 5, injected, tolerated);
        tell(&t,
             "%" PRId64 " failed allocations, %s: AGN_ENOMEM, out untouched, no leak",
             injected, watched ? "recorded operands" : "plain operands");
    }
    remove(saved);
    is_int(live(), start, "nothing is left alive");
    return done();
}
