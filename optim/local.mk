agninclude_HEADERS += include/agnesi/optim.h
libagnesi_la_SOURCES += %D%/optim.h %D%/optim.c %D%/state.c %D%/evaluate.c %D%/vector.c \
	%D%/search.c %D%/adam.c %D%/lbfgs.c %D%/bfgs.c %D%/step.c %D%/program.c %D%/spans.c
EXTRA_DIST += %D%/README.md
