agninclude_HEADERS += include/agnesi/krylov.h
libagnesi_la_SOURCES += %D%/krylov.h %D%/vector.inc.h %D%/vector.c %D%/solve.c %D%/cg.c %D%/minres.c \
	%D%/gmres.c %D%/bicgstab.c %D%/least.c %D%/equation.c
EXTRA_DIST += %D%/README.md
