agninclude_HEADERS += include/agnesi/linalg.h
libagnesi_la_SOURCES += %D%/linalg.h %D%/ops.c %D%/rules.c linalg/cpu/matrix_batch.h linalg/cpu/matrix_batch.c \
	linalg/cpu/potrf.c linalg/cpu/getrf_trsm.c
libagnesi_la_SOURCES += linalg/random_orthogonal.c
EXTRA_DIST += %D%/README.md
