agninclude_HEADERS += include/agnesi/sparse_iterative.h
agninclude_HEADERS += include/agnesi/sparse_graph.h
agninclude_HEADERS += include/agnesi/sparse.h
agninclude_HEADERS += include/agnesi/sparse_derivative.h
agninclude_HEADERS += include/agnesi/sparse_direct.h
agninclude_HEADERS += include/agnesi/sparse_layout.h

# sparse
EXTRA_DIST += %D%/README.md

# sparse/pattern
EXTRA_DIST += %D%/pattern/README.md
libagnesi_la_SOURCES += %D%/pattern/pattern.h
libagnesi_la_SOURCES += %D%/pattern/pattern.c
libagnesi_la_SOURCES += %D%/pattern/pattern_transpose.c
libagnesi_la_SOURCES += %D%/pattern/pattern_transpose_body.h
libagnesi_la_SOURCES += %D%/pattern/column_partition.c
libagnesi_la_SOURCES += %D%/pattern/pair_cache.c
libagnesi_la_SOURCES += %D%/pattern/mirror_entries.c
libagnesi_la_SOURCES += %D%/pattern/sparse_tensor.c

# sparse/layout
EXTRA_DIST += %D%/layout/README.md
libagnesi_la_SOURCES += %D%/layout/csr.c
libagnesi_la_SOURCES += %D%/layout/layout.h
libagnesi_la_SOURCES += %D%/layout/coordinates.c
libagnesi_la_SOURCES += %D%/layout/place_values.c
libagnesi_la_SOURCES += %D%/layout/convert.c
libagnesi_la_SOURCES += %D%/layout/construct.c
libagnesi_la_SOURCES += %D%/layout/structured.c
libagnesi_la_SOURCES += %D%/layout/sparse_random.c
libagnesi_la_SOURCES += %D%/layout/borrow_csr.c
libagnesi_la_SOURCES += %D%/layout/packed_keys.h
libagnesi_la_SOURCES += %D%/layout/cpu/packed_keys.c

# sparse/products
EXTRA_DIST += %D%/products/README.md
libagnesi_cuda_la_SOURCES += %D%/products/cuda/kernels.h
libagnesi_cuda_la_SOURCES += %D%/products/cuda/spmm.c
libagnesi_cuda_la_SOURCES += %D%/products/cuda/entries.cu
libagnesi_la_SOURCES += %D%/products/products.h
libagnesi_la_SOURCES += %D%/products/ops.c
libagnesi_la_SOURCES += %D%/products/spmm_sddmm.c
libagnesi_la_SOURCES += %D%/products/rules.c
libagnesi_la_SOURCES += %D%/products/api.c
libagnesi_la_SOURCES += %D%/products/spgemm.h
libagnesi_la_SOURCES += %D%/products/spgemm.c
libagnesi_la_SOURCES += %D%/products/spgemm_pairs.c
libagnesi_la_SOURCES += %D%/products/cpu/spgemm_symbolic.c
libagnesi_la_SOURCES += %D%/products/cpu/multiply_add.h
libagnesi_la_SOURCES += %D%/products/cpu/spgemm_types.h
libagnesi_la_SOURCES += %D%/products/cpu/spgemm_body.h
libagnesi_la_SOURCES += %D%/products/cpu/spgemm_numeric.c
libagnesi_la_SOURCES += %D%/products/cpu/spmm_kernels.h
libagnesi_la_SOURCES += %D%/products/cpu/spmm_types.h
libagnesi_la_SOURCES += %D%/products/cpu/spmm_body.h
libagnesi_la_SOURCES += %D%/products/cpu/spmm.c
libagnesi_la_SOURCES += %D%/products/cpu/collect.c
LEVEL_SOURCES += %D%/products/cpu/spmm_kernels.c

# sparse/ops
EXTRA_DIST += %D%/ops/README.md
libagnesi_la_SOURCES += %D%/ops/sparse_dispatch.c
libagnesi_la_SOURCES += %D%/ops/ops.h
libagnesi_la_SOURCES += %D%/ops/entry_view.h
libagnesi_la_SOURCES += %D%/ops/elementwise.c
libagnesi_la_SOURCES += %D%/ops/zip.c
libagnesi_la_SOURCES += %D%/ops/movement.c
libagnesi_la_SOURCES += %D%/ops/slice_concat.c
libagnesi_la_SOURCES += %D%/ops/reduce.c
libagnesi_la_SOURCES += %D%/ops/softmax.c
libagnesi_la_SOURCES += %D%/ops/semiring.h
libagnesi_la_SOURCES += %D%/ops/semiring.c
libagnesi_la_SOURCES += %D%/ops/matmul.c
libagnesi_la_SOURCES += %D%/ops/masked.c
libagnesi_la_SOURCES += %D%/ops/embedding.c
libagnesi_la_SOURCES += %D%/ops/where.c
libagnesi_la_SOURCES += %D%/ops/merge_patterns.h
libagnesi_la_SOURCES += %D%/ops/merge_patterns.c
libagnesi_la_SOURCES += %D%/ops/cpu/merge_patterns_body.h
libagnesi_la_SOURCES += %D%/ops/cpu/merge_patterns.c

# sparse/iterative
EXTRA_DIST += %D%/iterative/README.md
libagnesi_la_SOURCES += %D%/iterative/linear_operator.h
libagnesi_la_SOURCES += %D%/iterative/linear_operator.c
libagnesi_la_SOURCES += %D%/iterative/column_cosine.c
libagnesi_la_SOURCES += %D%/iterative/expm_multiply.c
libagnesi_la_SOURCES += %D%/iterative/iterative.h
libagnesi_la_SOURCES += %D%/iterative/api.c
libagnesi_la_SOURCES += %D%/iterative/run.c
libagnesi_la_SOURCES += %D%/iterative/preconditioner.h
libagnesi_la_SOURCES += %D%/iterative/preconditioner_body.h
libagnesi_la_SOURCES += %D%/iterative/preconditioner.c

# sparse/direct
EXTRA_DIST += %D%/direct/README.md
libagnesi_la_SOURCES += %D%/direct/direct.h
libagnesi_la_SOURCES += %D%/direct/choose_method.c
libagnesi_la_SOURCES += %D%/direct/factor_cache.c
libagnesi_la_SOURCES += %D%/direct/rules.c
libagnesi_la_SOURCES += %D%/direct/api.c
libagnesi_la_SOURCES += %D%/direct/factor.h
libagnesi_la_SOURCES += %D%/direct/factor.c
libagnesi_la_SOURCES += %D%/direct/rcond.c
libagnesi_la_SOURCES += %D%/direct/refinement.c
libagnesi_la_SOURCES += %D%/direct/batch.c
libagnesi_la_SOURCES += %D%/direct/cpu/triangular.c
if HAVE_SUITESPARSE
libagnesi_la_SOURCES += %D%/direct/cpu/single_thread.h
libagnesi_la_SOURCES += %D%/direct/cpu/cholmod.h
libagnesi_la_SOURCES += %D%/direct/cpu/supernodal_solve.h
libagnesi_la_SOURCES += %D%/direct/cpu/supernodal_solve.c
libagnesi_la_SOURCES += %D%/direct/cpu/cholmod.c
libagnesi_la_SOURCES += %D%/direct/cpu/selected_inverse_body.h
libagnesi_la_SOURCES += %D%/direct/cpu/umfpack.c
libagnesi_la_SOURCES += %D%/direct/cpu/lu_solve.h
libagnesi_la_SOURCES += %D%/direct/cpu/lu_solve.c
libagnesi_la_SOURCES += %D%/direct/cpu/klu.c
libagnesi_la_SOURCES += %D%/direct/cpu/spqr.c
else
libagnesi_la_SOURCES += %D%/direct/cpu/absent.c
endif

# sparse/eigen
EXTRA_DIST += %D%/eigen/README.md
libagnesi_la_SOURCES += %D%/eigen/shift_invert.h
libagnesi_la_SOURCES += %D%/eigen/shift_invert.c
libagnesi_la_SOURCES += %D%/eigen/eigen.h
libagnesi_la_SOURCES += %D%/eigen/api.c
libagnesi_la_SOURCES += %D%/eigen/krylov_schur.c
libagnesi_la_SOURCES += %D%/eigen/eigen_rules.c
libagnesi_la_SOURCES += %D%/eigen/balance.c
libagnesi_la_SOURCES += %D%/eigen/lobpcg.c
libagnesi_la_SOURCES += %D%/eigen/pca.c

# sparse/derivative
EXTRA_DIST += %D%/derivative/README.md
libagnesi_la_SOURCES += %D%/derivative/derivative.h
libagnesi_la_SOURCES += %D%/derivative/index_sets.h
libagnesi_la_SOURCES += %D%/derivative/index_sets.c
libagnesi_la_SOURCES += %D%/derivative/dependence.c
libagnesi_la_SOURCES += %D%/derivative/detect_pattern.c
libagnesi_la_SOURCES += %D%/derivative/control_flow.h
libagnesi_la_SOURCES += %D%/derivative/control_flow.c
libagnesi_la_SOURCES += %D%/derivative/colouring.c
libagnesi_la_SOURCES += %D%/derivative/compressed_columns.c
libagnesi_la_SOURCES += %D%/derivative/sparse_tangents.c
libagnesi_la_SOURCES += %D%/derivative/api.c

# sparse/graph
EXTRA_DIST += %D%/graph/README.md
libagnesi_la_SOURCES += %D%/graph/graph.h
libagnesi_la_SOURCES += %D%/graph/traversal.c
libagnesi_la_SOURCES += %D%/graph/shortest_path.c
libagnesi_la_SOURCES += %D%/graph/spanning_tree.c
libagnesi_la_SOURCES += %D%/graph/laplacian.c
