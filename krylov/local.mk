agninclude_HEADERS += include/agnesi/krylov.h
agninclude_HEADERS += include/agnesi/eigen.h

# krylov
libagnesi_la_SOURCES += %D%/krylov.h
libagnesi_la_SOURCES += %D%/driver.c
libagnesi_la_SOURCES += %D%/vector_step.h
libagnesi_la_SOURCES += %D%/vectors.c
libagnesi_cuda_la_SOURCES += %D%/cuda/kernels.h
libagnesi_cuda_la_SOURCES += %D%/cuda/vectors.cu
libagnesi_la_SOURCES += %D%/cg.c
libagnesi_la_SOURCES += %D%/minres.c
libagnesi_la_SOURCES += %D%/gmres.c
libagnesi_la_SOURCES += %D%/bicgstab.c
libagnesi_la_SOURCES += %D%/lsqr_lsmr.c
libagnesi_la_SOURCES += %D%/least_squares.c
libagnesi_la_SOURCES += %D%/implicit_solver.h
libagnesi_la_SOURCES += %D%/implicit_solver.c
libagnesi_la_SOURCES += %D%/krylov_schur.h
libagnesi_la_SOURCES += %D%/krylov_schur.c
EXTRA_DIST += %D%/README.md
