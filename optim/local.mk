agninclude_HEADERS += include/agnesi/optim.h
libagnesi_la_SOURCES += %D%/optim.h optim/minimiser.c %D%/state.c optim/objective.c optim/chunked_vector.c \
	optim/line_search.c %D%/adam.c %D%/lbfgs.c %D%/bfgs.c optim/iterate.c optim/traced_step.c optim/sparse_gradient.c
EXTRA_DIST += %D%/README.md
