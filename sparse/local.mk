agninclude_HEADERS += include/agnesi/sparse.h
libagnesi_la_SOURCES += %D%/sparse.h %D%/pattern.c %D%/ops.c %D%/rules.c %D%/matrix.c \
	%D%/cpu/loops.inc.h %D%/cpu/spmm.c
if HAVE_SUITESPARSE
libagnesi_la_SOURCES += %D%/cpu/cholesky.c
else
libagnesi_la_SOURCES += %D%/cpu/absent.c
endif
EXTRA_DIST += %D%/README.md
