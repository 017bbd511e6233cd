agninclude_HEADERS += include/agnesi/linalg.h

# linalg
libagnesi_cuda_la_SOURCES += %D%/cuda/kernels.h
libagnesi_cuda_la_SOURCES += %D%/cuda/factor.c
libagnesi_cuda_la_SOURCES += %D%/cuda/triangle.cu
libagnesi_la_SOURCES += %D%/linalg.h
libagnesi_la_SOURCES += %D%/ops.c
libagnesi_la_SOURCES += %D%/rules.c
libagnesi_la_SOURCES += %D%/gaps.c
libagnesi_la_SOURCES += %D%/spectral.c
libagnesi_la_SOURCES += %D%/functions.c
libagnesi_la_SOURCES += %D%/derived.c
libagnesi_la_SOURCES += %D%/structured.c
libagnesi_la_SOURCES += %D%/cpu/matrix_batch.h
libagnesi_la_SOURCES += %D%/cpu/matrix_batch.c
libagnesi_la_SOURCES += %D%/cpu/potrf.c
libagnesi_la_SOURCES += %D%/cpu/getrf_trsm.c
libagnesi_la_SOURCES += %D%/cpu/lapack_calls.h
libagnesi_la_SOURCES += %D%/cpu/lapack_calls.c
libagnesi_la_SOURCES += %D%/cpu/eigh_svd.c
libagnesi_la_SOURCES += %D%/cpu/gelqf.c
libagnesi_la_SOURCES += %D%/cpu/gaps.c
libagnesi_la_SOURCES += %D%/cpu/det_expm_pinv.c
libagnesi_la_SOURCES += %D%/random_orthogonal.c
EXTRA_DIST += %D%/README.md
