agninclude_HEADERS += include/agnesi/sparse_iterative.h include/agnesi/eigen.h include/agnesi/sparse_graph.h
libagnesi_la_SOURCES += sparse/iterative/linear_operator.h sparse/iterative/linear_operator.c sparse/eigen/shift_invert.h sparse/eigen/shift_invert.c sparse/eigen/eigen.h sparse/eigen/api.c sparse/eigen/krylov_schur.c sparse/eigen/eigen_rules.c sparse/eigen/lobpcg.c sparse/eigen/pca.c sparse/iterative/expm_multiply.c sparse/graph/graph.h sparse/graph/traversal.c sparse/graph/weighted.c sparse/iterative/iterative.h sparse/iterative/api.c sparse/iterative/run.c sparse/iterative/preconditioner.h sparse/iterative/preconditioner_body.h sparse/iterative/preconditioner.c
agninclude_HEADERS += include/agnesi/sparse.h include/agnesi/sparse_derivative.h
# direct solvers
agninclude_HEADERS += include/agnesi/sparse_direct.h
libagnesi_la_SOURCES += sparse/direct/direct.h sparse/direct/factor_cache.c sparse/direct/rules.c sparse/direct/api.c sparse/direct/factor.c \
	sparse/direct/batch.c sparse/direct/cpu/triangular.c
libagnesi_la_SOURCES += sparse/pattern/pattern.h sparse/pattern/pattern.c sparse/pattern/pattern_transpose.c sparse/pattern/pattern_transpose_body.h sparse/pattern/column_partition.c sparse/products/ops.c sparse/products/spmm_sddmm.c sparse/products/rules.c sparse/layout/csr.c sparse/products/api.c sparse/pattern/pair_cache.c sparse/products/spgemm.h sparse/products/spgemm.c sparse/products/cpu/spgemm_symbolic.c sparse/products/cpu/multiply_add.h \
	sparse/products/cpu/spgemm_types.h sparse/products/cpu/spgemm_body.h sparse/products/cpu/spgemm_numeric.c \
	sparse/products/cpu/spmm_kernels.h sparse/products/cpu/spmm_types.h sparse/products/cpu/spmm_body.h sparse/products/cpu/spmm.c sparse/products/cpu/collect.c \
	sparse/derivative/derivative.h sparse/derivative/index_sets.h sparse/derivative/index_sets.c sparse/derivative/dependence.c sparse/derivative/detect_pattern.c sparse/derivative/control_flow.h sparse/derivative/control_flow.c sparse/derivative/colouring.c \
	sparse/derivative/compressed_columns.c sparse/derivative/sparse_tangents.c sparse/derivative/api.c
LEVEL_SOURCES += sparse/products/cpu/spmm_kernels.c
if HAVE_SUITESPARSE
libagnesi_la_SOURCES += sparse/direct/cpu/single_thread.h sparse/direct/cpu/cholmod.h sparse/direct/cpu/supernodal_solve.h sparse/direct/cpu/supernodal_solve.c sparse/direct/cpu/cholmod.c sparse/direct/cpu/selected_inverse_body.h sparse/direct/cpu/umfpack.c \
	sparse/direct/cpu/klu.c sparse/direct/cpu/spqr.c
else
libagnesi_la_SOURCES += sparse/direct/cpu/absent.c
endif
EXTRA_DIST += %D%/README.md

# layouts, and what ops mean on them
agninclude_HEADERS += include/agnesi/sparse_layout.h
libagnesi_la_SOURCES += sparse/layout/layout.h sparse/layout/coordinates.c sparse/pattern/sparse_tensor.c sparse/layout/place_values.c sparse/layout/convert.c \
	sparse/layout/construct.c sparse/layout/structured.c sparse/layout/sparse_random.c sparse/ops/sparse_dispatch.c sparse/ops/elementwise.c sparse/ops/movement.c \
	sparse/ops/reduce.c sparse/ops/softmax.c sparse/ops/semiring.h sparse/ops/semiring.c sparse/ops/matmul.c sparse/ops/masked.c sparse/ops/embedding.c sparse/ops/where.c sparse/layout/borrow_csr.c \
	sparse/ops/merge_patterns.h sparse/ops/merge_patterns.c sparse/ops/cpu/merge_patterns_body.h sparse/ops/cpu/merge_patterns.c sparse/layout/packed_keys.h sparse/layout/cpu/packed_keys.c
