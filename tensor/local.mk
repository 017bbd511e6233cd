agninclude_HEADERS += include/agnesi/tensor.h
agninclude_HEADERS += include/agnesi/dtype.h
agninclude_HEADERS += include/agnesi/elementwise.h
agninclude_HEADERS += include/agnesi/special.h
agninclude_HEADERS += include/agnesi/hypergeometric.h
agninclude_HEADERS += include/agnesi/integrals.h
agninclude_HEADERS += include/agnesi/create.h
agninclude_HEADERS += include/agnesi/shape.h
agninclude_HEADERS += include/agnesi/rearrange.h
agninclude_HEADERS += include/agnesi/indexing.h
agninclude_HEADERS += include/agnesi/reduce.h
agninclude_HEADERS += include/agnesi/scan.h
agninclude_HEADERS += include/agnesi/order.h
agninclude_HEADERS += include/agnesi/statistics.h
agninclude_HEADERS += include/agnesi/calculus.h
agninclude_HEADERS += include/agnesi/distance.h
agninclude_HEADERS += include/agnesi/product.h
agninclude_HEADERS += include/agnesi/random.h
agninclude_HEADERS += include/agnesi/print.h

# tensor/value
libagnesi_la_SOURCES += %D%/value/tensor.h
libagnesi_la_SOURCES += %D%/value/foreign_memory.h
libagnesi_la_SOURCES += %D%/value/coalesce.h
libagnesi_la_SOURCES += %D%/value/handle_checks.h
libagnesi_la_SOURCES += %D%/value/handle_checks.c
libagnesi_la_SOURCES += %D%/value/trace_guards.h
libagnesi_la_SOURCES += %D%/value/tensor.c
libagnesi_la_SOURCES += %D%/value/dtype.c
libagnesi_la_SOURCES += %D%/value/constant.c
libagnesi_la_SOURCES += %D%/value/convert_elements.c
libagnesi_la_SOURCES += %D%/value/shape.c
libagnesi_la_SOURCES += %D%/value/trace_guards.c
EXTRA_DIST += %D%/value/README.md

# tensor/dispatch
libagnesi_la_SOURCES += %D%/dispatch/op.h
libagnesi_la_SOURCES += %D%/dispatch/op_helpers.h
libagnesi_la_SOURCES += %D%/dispatch/node.c
libagnesi_la_SOURCES += %D%/dispatch/apply.c
libagnesi_la_SOURCES += %D%/dispatch/run.c
libagnesi_la_SOURCES += %D%/dispatch/host_access.c
libagnesi_la_SOURCES += %D%/dispatch/host_run.c
libagnesi_la_SOURCES += %D%/dispatch/host_run.h
libagnesi_la_SOURCES += %D%/dispatch/signature.c
libagnesi_la_SOURCES += %D%/dispatch/op_registry.c
libagnesi_la_SOURCES += %D%/dispatch/op_helpers.c
libagnesi_la_SOURCES += %D%/dispatch/destination.h
libagnesi_la_SOURCES += %D%/dispatch/destination.c
libagnesi_la_SOURCES += %D%/dispatch/shape_attributes.h
EXTRA_DIST += %D%/dispatch/README.md

# tensor/rows
libagnesi_la_SOURCES += %D%/rows/elementwise.h
libagnesi_la_SOURCES += %D%/rows/row_numbers.h
libagnesi_la_SOURCES += %D%/rows/fused_chain.h
libagnesi_la_SOURCES += %D%/rows/loop_kernels.h
libagnesi_la_SOURCES += %D%/rows/ops.def
libagnesi_la_SOURCES += %D%/rows/ops_alike.h
libagnesi_la_SOURCES += %D%/rows/ops_end.h
libagnesi_la_SOURCES += %D%/rows/traits.h
libagnesi_la_SOURCES += %D%/rows/traits.c
EXTRA_DIST += %D%/rows/README.md

# tensor/cpu
LEVEL_SOURCES += %D%/cpu/vector_loops.c
libagnesi_la_SOURCES += %D%/cpu/level_dispatch.c
libagnesi_la_SOURCES += %D%/cpu/level_dispatch.h
libagnesi_la_SOURCES += %D%/cpu/vector_loops_body.h
EXTRA_DIST += %D%/cpu/README.md
LEVEL_SOURCES += %D%/cpu/fused_elementwise.c
libagnesi_la_SOURCES += %D%/cpu/fused_elementwise_body.h

# tensor/cpu/special
EXTRA_DIST += %D%/cpu/special/special.py
libagnesi_la_SOURCES += %D%/cpu/special/portable_log.h
libagnesi_la_SOURCES += %D%/cpu/special/portable_exp.h
libagnesi_la_SOURCES += %D%/cpu/special/ppnd16.h
libagnesi_la_SOURCES += %D%/cpu/special/gamma_slope.h
libagnesi_la_SOURCES += %D%/cpu/special/incomplete_inverse.h
libagnesi_la_SOURCES += %D%/cpu/special/beta_slope.h
libagnesi_la_SOURCES += %D%/cpu/special/zeta_slope.h
libagnesi_la_SOURCES += %D%/cpu/special/gauss_legendre.h
libagnesi_la_SOURCES += %D%/cpu/special/constants.h
libagnesi_la_SOURCES += %D%/cpu/special/special.h
libagnesi_la_SOURCES += %D%/cpu/special/special.def
libagnesi_la_SOURCES += %D%/cpu/special/special.c
libagnesi_la_SOURCES += %D%/cpu/special/normal.h
libagnesi_la_SOURCES += %D%/cpu/special/double_double.h
libagnesi_la_SOURCES += %D%/cpu/special/incomplete.h
libagnesi_la_SOURCES += %D%/cpu/special/bessel.h
libagnesi_la_SOURCES += %D%/cpu/special/coef.h

# tensor/cpu/simd
libagnesi_la_SOURCES += %D%/cpu/simd/kernel_table.h
libagnesi_la_SOURCES += %D%/cpu/simd/level_functions.h
libagnesi_la_SOURCES += %D%/cpu/simd/level_functions_body.h
libagnesi_la_SOURCES += %D%/cpu/simd/vec.h
libagnesi_la_SOURCES += %D%/cpu/simd/vec_isa.h
libagnesi_la_SOURCES += %D%/cpu/simd/vec_body.h
libagnesi_la_SOURCES += %D%/cpu/simd/vec_transpose.h
libagnesi_la_SOURCES += %D%/cpu/simd/real.h
libagnesi_la_SOURCES += %D%/cpu/simd/fused_steps.def

# tensor/cpu/vmath
LEVEL_SOURCES += %D%/cpu/vmath/vmath.c
libagnesi_la_SOURCES += %D%/cpu/vmath/vmath.h
libagnesi_la_SOURCES += %D%/cpu/vmath/vmath_body.h
libagnesi_la_SOURCES += %D%/cpu/vmath/vmath_trig_body.h
libagnesi_la_SOURCES += %D%/cpu/vmath/special_maps.h
libagnesi_la_SOURCES += %D%/cpu/vmath/vmath_gamma.h
libagnesi_la_SOURCES += %D%/cpu/vmath/vmath_normal.h
libagnesi_la_SOURCES += %D%/cpu/vmath/vmath_power.h
libagnesi_la_SOURCES += %D%/cpu/vmath/vmath_special.h
libagnesi_la_SOURCES += %D%/cpu/vmath/vmath_large_f64.h
libagnesi_la_SOURCES += %D%/cpu/vmath/vmath_large_f32.h
libagnesi_la_SOURCES += %D%/cpu/vmath/vmath_loops.h
libagnesi_la_SOURCES += %D%/cpu/vmath/coef_f64.h
libagnesi_la_SOURCES += %D%/cpu/vmath/coef_f32.h
libagnesi_la_SOURCES += %D%/cpu/vmath/coef_gamma.h
libagnesi_la_SOURCES += %D%/cpu/vmath/coef_power.h
EXTRA_DIST += %D%/cpu/vmath/coeffs.py %D%/cpu/vmath/gamma_coeffs.py
EXTRA_DIST += %D%/cpu/vmath/power_coeffs.py

# tensor/create
LEVEL_SOURCES += %D%/create/cpu/transpose_tile.c
libagnesi_la_SOURCES += %D%/create/cpu/transpose_tile_body.h
libagnesi_la_SOURCES += %D%/create/cast.c
libagnesi_la_SOURCES += %D%/create/nontemporal.h
libagnesi_la_SOURCES += %D%/create/layout_copy.h
libagnesi_la_SOURCES += %D%/create/layout_copy.c
libagnesi_la_SOURCES += %D%/create/full_like.c
libagnesi_la_SOURCES += %D%/create/create.c
libagnesi_la_SOURCES += %D%/create/constants.h
libagnesi_la_SOURCES += %D%/create/constants.c
libagnesi_la_SOURCES += %D%/create/complex_views.c
EXTRA_DIST += %D%/create/README.md

# tensor/elementwise
libagnesi_cuda_la_SOURCES += %D%/rows/cuda/loops.cu
libagnesi_cuda_la_SOURCES += %D%/elementwise/cuda/scalar.cuh
libagnesi_cuda_la_SOURCES += %D%/elementwise/cuda/elementwise.cuh
libagnesi_cuda_la_SOURCES += %D%/elementwise/cuda/row_words.cuh
libagnesi_cuda_la_SOURCES += %D%/elementwise/cuda/fused_chain.cu
libagnesi_cuda_la_SOURCES += %D%/elementwise/cuda/ew_bool.cu
libagnesi_cuda_la_SOURCES += %D%/elementwise/cuda/ew_i32.cu
libagnesi_cuda_la_SOURCES += %D%/elementwise/cuda/ew_i64.cu
libagnesi_cuda_la_SOURCES += %D%/elementwise/cuda/ew_f32.cu
libagnesi_cuda_la_SOURCES += %D%/elementwise/cuda/ew_f64.cu
libagnesi_cuda_la_SOURCES += %D%/elementwise/cuda/ew_c64.cu
libagnesi_cuda_la_SOURCES += %D%/elementwise/cuda/ew_c128.cu
LEVEL_SOURCES += %D%/elementwise/cpu/elementwise.c
libagnesi_la_SOURCES += %D%/elementwise/cpu/scalar.h
libagnesi_la_SOURCES += %D%/elementwise/cpu/dtype_loops.inc.h
libagnesi_la_SOURCES += %D%/elementwise/elementwise.c
libagnesi_la_SOURCES += %D%/elementwise/elements.h
libagnesi_la_SOURCES += %D%/elementwise/elements.c
libagnesi_la_SOURCES += %D%/elementwise/partials.c
libagnesi_la_SOURCES += %D%/elementwise/partials.h
libagnesi_la_SOURCES += %D%/elementwise/strided_loop.c
libagnesi_la_SOURCES += %D%/elementwise/small_call.c
EXTRA_DIST += %D%/elementwise/README.md

# tensor/special
libagnesi_la_SOURCES += %D%/special/values.h
libagnesi_la_SOURCES += %D%/special/special.h
libagnesi_la_SOURCES += %D%/special/airy.c
libagnesi_la_SOURCES += %D%/special/bessel_modified.h
libagnesi_la_SOURCES += %D%/special/bessel.c
libagnesi_la_SOURCES += %D%/special/bessel_order.c
libagnesi_la_SOURCES += %D%/special/elliptic.c
libagnesi_la_SOURCES += %D%/special/exponential_integral.c
libagnesi_la_SOURCES += %D%/special/faddeeva.c
libagnesi_la_SOURCES += %D%/special/lambert_w.c
libagnesi_la_SOURCES += %D%/special/owens_t.c
libagnesi_la_SOURCES += %D%/special/polynomials.c
libagnesi_la_SOURCES += %D%/special/quadrature_roots.c
libagnesi_la_SOURCES += %D%/special/airy_op.c
libagnesi_la_SOURCES += %D%/special/bessel_op.c
libagnesi_la_SOURCES += %D%/special/elliptic_op.c
libagnesi_la_SOURCES += %D%/special/exponential_op.c
libagnesi_la_SOURCES += %D%/special/faddeeva_op.c
libagnesi_la_SOURCES += %D%/special/polynomial_op.c
libagnesi_cuda_la_SOURCES += %D%/special/hypergeometric/cuda/elements.cuh
libagnesi_cuda_la_SOURCES += %D%/special/hypergeometric/cuda/special.cu
libagnesi_cuda_la_SOURCES += %D%/special/hypergeometric/cuda/slopes.h
libagnesi_cuda_la_SOURCES += %D%/special/hypergeometric/cuda/slopes.cu
libagnesi_cuda_la_SOURCES += %D%/special/laws/cuda/integrals.cu
EXTRA_DIST += %D%/special/README.md

# tensor/special/parameters
libagnesi_la_SOURCES += %D%/special/parameters/values.h
libagnesi_la_SOURCES += %D%/special/parameters/jet.h
libagnesi_la_SOURCES += %D%/special/parameters/gamma_jet.c
libagnesi_la_SOURCES += %D%/special/parameters/kummer_slope.c
libagnesi_la_SOURCES += %D%/special/parameters/tricomi_slope.c
libagnesi_la_SOURCES += %D%/special/parameters/gauss_slope.c
libagnesi_la_SOURCES += %D%/special/parameters/struve_slope.c
libagnesi_la_SOURCES += %D%/special/parameters/polylog_slope.c
libagnesi_la_SOURCES += %D%/special/parameters/lerch.c
EXTRA_DIST += %D%/special/parameters/README.md

# tensor/special/hypergeometric
libagnesi_la_SOURCES += %D%/special/hypergeometric/values.h
libagnesi_la_SOURCES += %D%/special/hypergeometric/kummer.c
libagnesi_la_SOURCES += %D%/special/hypergeometric/gauss.c
libagnesi_la_SOURCES += %D%/special/hypergeometric/struve.c
libagnesi_la_SOURCES += %D%/special/hypergeometric/polylog.c
libagnesi_la_SOURCES += %D%/special/hypergeometric/jacobi_elliptic.c
libagnesi_la_SOURCES += %D%/special/hypergeometric/spherical_bessel.c
libagnesi_la_SOURCES += %D%/special/hypergeometric/lambert_plane.c
libagnesi_la_SOURCES += %D%/special/hypergeometric/wigner.c
libagnesi_la_SOURCES += %D%/special/hypergeometric/wigner_6j.c
libagnesi_la_SOURCES += %D%/special/hypergeometric/bessel_zeros.c
libagnesi_la_SOURCES += %D%/special/hypergeometric/hypergeometric_op.c
libagnesi_la_SOURCES += %D%/special/hypergeometric/struve_op.c
libagnesi_la_SOURCES += %D%/special/hypergeometric/jacobi_op.c
libagnesi_la_SOURCES += %D%/special/hypergeometric/spherical_op.c
EXTRA_DIST += %D%/special/hypergeometric/README.md

# tensor/special/integrals
libagnesi_la_SOURCES += %D%/special/integrals/values.h
libagnesi_la_SOURCES += %D%/special/integrals/complex_parts.h
libagnesi_la_SOURCES += %D%/special/wide.h
libagnesi_la_SOURCES += %D%/special/integrals/sine_integral.c
libagnesi_la_SOURCES += %D%/special/integrals/debye.c
libagnesi_la_SOURCES += %D%/special/integrals/bessel_integral.c
libagnesi_la_SOURCES += %D%/special/integrals/kelvin.c
libagnesi_la_SOURCES += %D%/special/integrals/gamma_inverse.c
libagnesi_la_SOURCES += %D%/special/integrals/tridiagonal.h
libagnesi_la_SOURCES += %D%/special/integrals/tridiagonal.c
libagnesi_la_SOURCES += %D%/special/integrals/mathieu.c
libagnesi_la_SOURCES += %D%/special/integrals/spheroidal.c
libagnesi_la_SOURCES += %D%/special/integrals/spheroidal_op.c
libagnesi_la_SOURCES += %D%/special/integrals/function_zeros.c
libagnesi_la_SOURCES += %D%/special/integrals/eta_plane.c
libagnesi_la_SOURCES += %D%/special/integrals/mathieu_op.c
libagnesi_la_SOURCES += %D%/special/integrals/number_sequences.c
libagnesi_la_SOURCES += %D%/special/integrals/integrals_op.c
libagnesi_la_SOURCES += %D%/special/integrals/kelvin_op.c
libagnesi_la_SOURCES += %D%/special/integrals/quotients.c
libagnesi_la_SOURCES += %D%/special/integrals/deviations.c
EXTRA_DIST += %D%/special/integrals/README.md

# tensor/special/laws
libagnesi_la_SOURCES += %D%/special/laws/values.h
libagnesi_la_SOURCES += %D%/special/laws/fisher.c
libagnesi_la_SOURCES += %D%/special/laws/fisher_op.c
libagnesi_la_SOURCES += %D%/special/laws/noncentral.c
libagnesi_la_SOURCES += %D%/special/laws/noncentral_op.c
libagnesi_la_SOURCES += %D%/special/laws/wright.c
libagnesi_la_SOURCES += %D%/special/laws/distribution_functions.c
libagnesi_la_SOURCES += %D%/special/laws/smirnov.c
libagnesi_la_SOURCES += %D%/special/laws/tukey_lambda.c
libagnesi_la_SOURCES += %D%/special/laws/smirnov_op.c
EXTRA_DIST += %D%/special/laws/README.md

# tensor/special/waves
libagnesi_la_SOURCES += %D%/special/waves/values.h
libagnesi_la_SOURCES += %D%/special/waves/taylor_walk.h
libagnesi_la_SOURCES += %D%/special/waves/legendre_q.c
libagnesi_la_SOURCES += %D%/special/waves/spheroidal_radial.c
libagnesi_la_SOURCES += %D%/special/waves/parabolic_w.c
libagnesi_la_SOURCES += %D%/special/waves/lame.c
libagnesi_la_SOURCES += %D%/special/waves/bessel_moment.c
libagnesi_la_SOURCES += %D%/special/waves/plane_zeros.c
libagnesi_la_SOURCES += %D%/special/waves/waves_op.c
EXTRA_DIST += %D%/special/waves/README.md

# tensor/movement
libagnesi_cuda_la_SOURCES += %D%/movement/cuda/moves.c
libagnesi_la_SOURCES += %D%/movement/axes.c
libagnesi_la_SOURCES += %D%/movement/reshape.c
libagnesi_la_SOURCES += %D%/movement/slice.c
libagnesi_la_SOURCES += %D%/movement/concat.c
libagnesi_la_SOURCES += %D%/movement/affine_view.h
libagnesi_la_SOURCES += %D%/movement/affine_view.c
EXTRA_DIST += %D%/movement/README.md

# tensor/index
libagnesi_cuda_la_SOURCES += %D%/index/cuda/gather.cu
libagnesi_la_SOURCES += %D%/index/gather.h
libagnesi_la_SOURCES += %D%/index/gather.c
libagnesi_la_SOURCES += %D%/index/scatter_extreme.c
libagnesi_la_SOURCES += %D%/index/scatter.c
libagnesi_la_SOURCES += %D%/index/nonzero.c
libagnesi_la_SOURCES += %D%/index/nonzero.h
libagnesi_la_SOURCES += %D%/index/index.h
libagnesi_la_SOURCES += %D%/index/index_resolve.c
libagnesi_la_SOURCES += %D%/index/index_parse.c
libagnesi_la_SOURCES += %D%/index/index.c
EXTRA_DIST += %D%/index/README.md

# tensor/reduce
EXTRA_DIST += %D%/reduce/README.md
LEVEL_SOURCES += %D%/reduce/cpu/softmax.c
libagnesi_la_SOURCES += %D%/reduce/cpu/softmax.h
libagnesi_la_SOURCES += %D%/reduce/cpu/softmax_body.h
libagnesi_cuda_la_SOURCES += %D%/reduce/cuda/fold.cuh
libagnesi_cuda_la_SOURCES += %D%/reduce/cuda/lanes.cuh
libagnesi_cuda_la_SOURCES += %D%/reduce/cuda/reduce.cu
libagnesi_cuda_la_SOURCES += %D%/reduce/cuda/folds.cu
libagnesi_cuda_la_SOURCES += %D%/reduce/cuda/scans.cu
libagnesi_cuda_la_SOURCES += %D%/reduce/cuda/softmax.cu
LEVEL_SOURCES += %D%/reduce/cpu/reduce.c
LEVEL_SOURCES += %D%/reduce/cpu/compensated_sum.c
libagnesi_la_SOURCES += %D%/reduce/reduce.h
libagnesi_la_SOURCES += %D%/reduce/reduce.c
libagnesi_la_SOURCES += %D%/reduce/cpu/reduce.h
libagnesi_la_SOURCES += %D%/reduce/cpu/reduce_body.h
libagnesi_la_SOURCES += %D%/reduce/cpu/reduce_types.h
libagnesi_la_SOURCES += %D%/reduce/cpu/logsumexp_body.h
libagnesi_la_SOURCES += %D%/reduce/reduce_axes.c
libagnesi_la_SOURCES += %D%/reduce/sum.c
libagnesi_la_SOURCES += %D%/reduce/cpu/compensated_sum.h
libagnesi_la_SOURCES += %D%/reduce/compensated_sum.c
libagnesi_la_SOURCES += %D%/reduce/reduce_prod.c
libagnesi_la_SOURCES += %D%/reduce/max_min.c
libagnesi_la_SOURCES += %D%/reduce/logsumexp.c
libagnesi_la_SOURCES += %D%/reduce/softmax.c
libagnesi_la_SOURCES += %D%/reduce/cumsum.c
libagnesi_la_SOURCES += %D%/reduce/linear_recurrence.c
libagnesi_la_SOURCES += %D%/reduce/cumulative_extremes.c
libagnesi_la_SOURCES += %D%/reduce/count.c
libagnesi_la_SOURCES += %D%/reduce/variance.c

# tensor/order
EXTRA_DIST += %D%/order/README.md
LEVEL_SOURCES += %D%/order/cpu/quicksort.c
libagnesi_la_SOURCES += %D%/order/cpu/sort.h
libagnesi_la_SOURCES += %D%/order/cpu/quicksort_body.h
libagnesi_la_SOURCES += %D%/order/cpu/presort_body.h
libagnesi_la_SOURCES += %D%/order/radix_sort.h
libagnesi_la_SOURCES += %D%/order/radix_sort_body.h
libagnesi_la_SOURCES += %D%/order/merge_runs.c
libagnesi_la_SOURCES += %D%/order/radix_sort.c
libagnesi_la_SOURCES += %D%/order/sort.c
libagnesi_la_SOURCES += %D%/order/sort.h
libagnesi_la_SOURCES += %D%/order/sort_values.c
libagnesi_la_SOURCES += %D%/order/searchsorted.c
libagnesi_la_SOURCES += %D%/order/topk.c
libagnesi_cuda_la_SOURCES += %D%/order/cuda/order.cu
libagnesi_la_SOURCES += %D%/order/unique.c

# tensor/vector
EXTRA_DIST += %D%/vector/README.md
libagnesi_la_SOURCES += %D%/vector/chunked_vector.h
libagnesi_la_SOURCES += %D%/vector/chunked_vector.c
libagnesi_la_SOURCES += %D%/vector/cpu/vector_kernels.h
libagnesi_la_SOURCES += %D%/vector/cpu/vector_kernels_body.h
LEVEL_SOURCES += %D%/vector/cpu/vector_kernels.c

# tensor/matmul
EXTRA_DIST += %D%/matmul/README.md
LEVEL_SOURCES += %D%/matmul/cpu/tile_matmul.c
libagnesi_la_SOURCES += %D%/matmul/cpu/tile_matmul_body.h
LEVEL_SOURCES += %D%/matmul/cpu/gemm.c
libagnesi_la_SOURCES += %D%/matmul/cpu/gemm.h
libagnesi_la_SOURCES += %D%/matmul/cpu/gemm_packing_body.h
libagnesi_la_SOURCES += %D%/matmul/cpu/gemm_micro_kernel_body.h
libagnesi_la_SOURCES += %D%/matmul/cpu/gemm_macro_kernel_body.h
libagnesi_la_SOURCES += %D%/matmul/cpu/gemv_body.h
libagnesi_cuda_la_SOURCES += %D%/matmul/cuda/blas.h
libagnesi_cuda_la_SOURCES += %D%/matmul/cuda/matmul.c
libagnesi_cuda_la_SOURCES += %D%/matmul/cuda/matmul_int.cu
libagnesi_la_SOURCES += %D%/matmul/matmul.c
libagnesi_la_SOURCES += %D%/matmul/matmul.h
libagnesi_la_SOURCES += %D%/matmul/matmul_kernel.c
libagnesi_la_SOURCES += %D%/matmul/matmul_prepacked.c
libagnesi_la_SOURCES += %D%/matmul/gemm.c
libagnesi_la_SOURCES += %D%/matmul/gemm.h
libagnesi_la_SOURCES += %D%/matmul/gemv.c
libagnesi_la_SOURCES += %D%/matmul/gemv.h
libagnesi_la_SOURCES += %D%/matmul/contractions.c
libagnesi_la_SOURCES += %D%/matmul/multi_dot.c
libagnesi_la_SOURCES += %D%/matmul/einsum.h
libagnesi_la_SOURCES += %D%/matmul/einsum_path.c
libagnesi_la_SOURCES += %D%/matmul/einsum.c
libagnesi_la_SOURCES += %D%/matmul/einsum_parse.c

# tensor/conv
EXTRA_DIST += %D%/conv/README.md
libagnesi_la_SOURCES += %D%/conv/conv.h
libagnesi_la_SOURCES += %D%/conv/conv.c
libagnesi_cuda_la_SOURCES += %D%/conv/cuda/conv.cu
libagnesi_la_SOURCES += %D%/conv/conv_direct.c
libagnesi_la_SOURCES += %D%/conv/conv_line.c
libagnesi_la_SOURCES += %D%/conv/conv_im2col.h
libagnesi_la_SOURCES += %D%/conv/conv_im2col.c
libagnesi_la_SOURCES += %D%/conv/conv_gemm.c
libagnesi_la_SOURCES += %D%/conv/correlate.c

# tensor/compose
EXTRA_DIST += %D%/compose/README.md
libagnesi_la_SOURCES += %D%/compose/compositions.c
libagnesi_la_SOURCES += %D%/compose/select.c
libagnesi_la_SOURCES += %D%/compose/rearrange.c
libagnesi_la_SOURCES += %D%/compose/split.c
libagnesi_la_SOURCES += %D%/compose/pad.c
libagnesi_la_SOURCES += %D%/compose/tril_triu.c
libagnesi_la_SOURCES += %D%/compose/grid.c
libagnesi_la_SOURCES += %D%/compose/nan_reductions.c
libagnesi_la_SOURCES += %D%/compose/quantile.c
libagnesi_la_SOURCES += %D%/compose/histogram.c
libagnesi_la_SOURCES += %D%/compose/differences.c
libagnesi_la_SOURCES += %D%/compose/norms.c

# tensor/random
EXTRA_DIST += %D%/random/README.md
LEVEL_SOURCES += %D%/random/cpu/philox_vector.c
libagnesi_la_SOURCES += %D%/random/cpu/random.h
libagnesi_la_SOURCES += %D%/random/cpu/gamma_body.h
libagnesi_la_SOURCES += %D%/random/cpu/gamma_slope_body.h
libagnesi_la_SOURCES += %D%/random/cpu/rejection.h
libagnesi_la_SOURCES += %D%/random/cpu/sequences.h
libagnesi_cuda_la_SOURCES += %D%/random/cuda/random.cu
libagnesi_cuda_la_SOURCES += %D%/random/cuda/samplers.cu
libagnesi_la_SOURCES += %D%/random/sampler.h
libagnesi_la_SOURCES += %D%/random/sampler.c
libagnesi_la_SOURCES += %D%/random/key.c
libagnesi_la_SOURCES += %D%/random/uniform_normal.c
libagnesi_la_SOURCES += %D%/random/discrete.c
libagnesi_la_SOURCES += %D%/random/discrete.h
libagnesi_la_SOURCES += %D%/random/poisson_binomial.c
libagnesi_la_SOURCES += %D%/random/gamma.c
libagnesi_la_SOURCES += %D%/random/permutation.c
libagnesi_la_SOURCES += %D%/random/distributions.c
libagnesi_la_SOURCES += %D%/random/truncated_normal.c
libagnesi_la_SOURCES += %D%/random/quasi_random.c
libagnesi_la_SOURCES += %D%/random/quasi_random.h
libagnesi_la_SOURCES += %D%/random/sobol.c
libagnesi_la_SOURCES += %D%/random/halton.c
libagnesi_la_SOURCES += %D%/random/sobol.inc
EXTRA_DIST += %D%/random/sobol.py

# tensor/print
EXTRA_DIST += %D%/print/README.md
libagnesi_la_SOURCES += %D%/print/decimal.h
libagnesi_la_SOURCES += %D%/print/decimal.c
libagnesi_la_SOURCES += %D%/print/print.h
libagnesi_la_SOURCES += %D%/print/print_elements.c
libagnesi_la_SOURCES += %D%/print/print.c
libagnesi_la_SOURCES += %D%/print/debug_line.c

# tensor/cuda
libagnesi_cuda_la_SOURCES += %D%/cuda/cuda.h
libagnesi_cuda_la_SOURCES += %D%/cuda/device.h
libagnesi_cuda_la_SOURCES += %D%/cuda/device.c
libagnesi_cuda_la_SOURCES += %D%/cuda/device_queue.c
libagnesi_cuda_la_SOURCES += %D%/cuda/fill.cu
libagnesi_cuda_la_SOURCES += %D%/cuda/strided_index.c
libagnesi_cuda_la_SOURCES += %D%/cuda/compiler.h
libagnesi_cuda_la_SOURCES += %D%/cuda/compiler.c
libagnesi_cuda_la_SOURCES += %D%/cuda/code_cache.c
libagnesi_cuda_la_SOURCES += %D%/cuda/region.h
libagnesi_cuda_la_SOURCES += %D%/cuda/region.c
libagnesi_cuda_la_SOURCES += %D%/cuda/region_functions.h
libagnesi_cuda_la_SOURCES += %D%/cuda/launch_graph.c
libagnesi_cuda_la_SOURCES += %D%/cuda/cast.cu
EXTRA_DIST += %D%/cuda/README.md

# tensor
EXTRA_DIST += %D%/README.md
