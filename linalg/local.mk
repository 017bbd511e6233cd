agninclude_HEADERS += include/agnesi/linalg.h
libagnesi_la_SOURCES += %D%/linalg.h %D%/ops.c %D%/rules.c %D%/cpu/matrix.h %D%/cpu/matrix.c \
	%D%/cpu/cholesky.c %D%/cpu/solve.c
libagnesi_la_SOURCES += %D%/orthogonal.c
EXTRA_DIST += %D%/README.md
