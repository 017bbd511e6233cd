agninclude_HEADERS += include/agnesi/sparse_iterative.h include/agnesi/eigen.h include/agnesi/sparse_graph.h
libagnesi_la_SOURCES += %D%/operand.h %D%/operand.c %D%/shift.h %D%/shift.c %D%/eigen.h %D%/eigen.c %D%/eigen_find.c %D%/eigen_slope.c %D%/lobpcg.c %D%/pca.c %D%/expm.c %D%/graph.h %D%/graph.c %D%/graph_weights.c %D%/iterative.h %D%/iterative.c %D%/iterative_run.c %D%/precondition.h %D%/precondition.inc.h %D%/precondition.c
agninclude_HEADERS += include/agnesi/sparse.h include/agnesi/sparse_derivative.h
# direct solvers
agninclude_HEADERS += include/agnesi/sparse_direct.h
libagnesi_la_SOURCES += %D%/direct.h %D%/direct.c %D%/solve.c %D%/systems.c %D%/factor.c \
	%D%/cpu/direct.c %D%/cpu/direct-triangular.c
libagnesi_la_SOURCES += %D%/sparse.h %D%/pattern.c %D%/turn.c %D%/turn-body.h %D%/cuts.c %D%/ops.c %D%/along.c %D%/rules.c %D%/matrix.c %D%/products.c %D%/kept.c %D%/triple.h %D%/triple.c %D%/cpu/symbolic.c %D%/cpu/mac.h \
	%D%/cpu/spgemm-types.h %D%/cpu/spgemm-body.h %D%/cpu/spgemm.c \
	%D%/cpu/products.h %D%/cpu/products-types.h %D%/cpu/products-body.h %D%/cpu/spmm.c %D%/cpu/collect.c \
	%D%/derivative.h %D%/sets.h %D%/sets.c %D%/sources.c %D%/detect.c %D%/flow.h %D%/flow.c %D%/colour.c \
	%D%/lanes.c %D%/strands.c %D%/derivative.c
LEVEL_SOURCES += %D%/cpu/products.c
if HAVE_SUITESPARSE
libagnesi_la_SOURCES += %D%/cpu/alone.h %D%/cpu/cholmod.h %D%/cpu/supernodal.h %D%/cpu/supernodal.c %D%/cpu/direct-cholmod.c %D%/cpu/selected-body.h %D%/cpu/direct-umfpack.c \
	%D%/cpu/direct-klu.c %D%/cpu/direct-spqr.c
else
libagnesi_la_SOURCES += %D%/cpu/absent.c
endif
EXTRA_DIST += %D%/README.md

# layouts, and what ops mean on them
agninclude_HEADERS += include/agnesi/sparse_layout.h
libagnesi_la_SOURCES += %D%/layout.h %D%/places.c %D%/handle.c %D%/settle.c %D%/convert.c \
	%D%/make.c %D%/structure.c %D%/chance.c %D%/meaning.c %D%/elementwise.c %D%/move.c \
	%D%/fold.c %D%/softmax.c %D%/semiring.h %D%/semiring.c %D%/matmul.c %D%/masked.c %D%/rows.c %D%/where.c %D%/wrap.c \
	%D%/join.h %D%/join.c %D%/cpu/join-body.h %D%/cpu/join.c %D%/keys.h %D%/cpu/keys.c
