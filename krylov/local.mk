agninclude_HEADERS += include/agnesi/krylov.h
libagnesi_la_SOURCES += %D%/krylov.h krylov/cpu/chunked_vector.h krylov/cpu/chunked_vector_body.h krylov/chunked_vector.c krylov/driver.c %D%/cg.c %D%/minres.c \
	%D%/gmres.c %D%/bicgstab.c krylov/lsqr_lsmr.c krylov/implicit_solver.c krylov/krylov_schur.h krylov/krylov_schur.c
LEVEL_SOURCES += krylov/cpu/chunked_vector.c
EXTRA_DIST += %D%/README.md
