# Sources compiled once per CPU level (AGNI_LEVEL), and the choice between the levels.
LEVEL_SOURCES += tensor/cpu/vmath/vmath.c %D%/basic.c tensor/matmul/cpu/tile_matmul.c tensor/cpu/kernel_table.c
libagnesi_la_SOURCES += tensor/cpu/level.c tensor/cpu/level.h tensor/cpu/simd/kernel_table.h tensor/cpu/simd/level_functions.h \
    tensor/cpu/simd/level_functions_body.h tensor/cpu/simd/vec.h tensor/cpu/simd/vec_isa.h tensor/cpu/simd/vec_body.h tensor/cpu/simd/vec_transpose.h \
    tensor/cpu/simd/real.h tensor/cpu/vmath/vmath.h tensor/cpu/vmath/vmath_body.h tensor/cpu/vmath/vmath_trig_body.h \
    tensor/cpu/vmath/vmath_widened.h tensor/cpu/vmath/vmath_large_f64.h tensor/cpu/vmath/vmath_large_f32.h tensor/cpu/vmath/vmath_loops.h tensor/cpu/basic_body.h \
    tensor/matmul/cpu/tile_matmul_body.h tensor/cpu/vmath/coef_f64.h tensor/cpu/vmath/coef_f32.h
EXTRA_DIST += tensor/cpu/vmath/coeffs.py tensor/cpu/special/special.py %D%/README.md
EXTRA_DIST += tensor/cpu/vmath/coeffs.py %D%/README.md
LEVEL_SOURCES += tensor/random/cpu/philox_vector.c
LEVEL_SOURCES += tensor/order/cpu/quicksort.c
LEVEL_SOURCES += tensor/reduce/cpu/softmax.c
LEVEL_SOURCES += tensor/matmul/cpu/gemm.c
libagnesi_la_SOURCES += tensor/matmul/cpu/gemm.h tensor/matmul/cpu/gemm_body.h tensor/matmul/cpu/gemv_body.h
libagnesi_la_SOURCES += tensor/reduce/cpu/softmax.h tensor/reduce/cpu/softmax_body.h
libagnesi_la_SOURCES += tensor/order/cpu/sort.h tensor/order/cpu/quicksort_body.h tensor/order/cpu/presort_body.h
libagnesi_la_SOURCES += tensor/random/cpu/random.h
libagnesi_la_SOURCES += tensor/cpu/special/portable_log.h
libagnesi_la_SOURCES += tensor/cpu/special/portable_exp.h
libagnesi_la_SOURCES += tensor/cpu/special/ppnd16.h
libagnesi_la_SOURCES += tensor/cpu/special/gamma_slope.h
LEVEL_SOURCES += tensor/cpu/fused_elementwise.c
LEVEL_SOURCES += tensor/create/cpu/transpose_tile.c
libagnesi_la_SOURCES += tensor/create/cpu/transpose_tile_body.h
libagnesi_la_SOURCES += tensor/cpu/simd/fused_steps.def tensor/cpu/fused_elementwise_body.h
