agninclude_HEADERS += include/agnesi/krylov.h
libagnesi_la_SOURCES += %D%/krylov.h %D%/cpu/vector.h %D%/cpu/vector-body.h %D%/vector.c %D%/solve.c %D%/cg.c %D%/minres.c \
	%D%/gmres.c %D%/bicgstab.c %D%/least.c %D%/equation.c %D%/eigen.h %D%/schur.c
LEVEL_SOURCES += %D%/cpu/vector.c
EXTRA_DIST += %D%/README.md
