agninclude_HEADERS += include/agnesi/krylov.h

# krylov
libagnesi_la_SOURCES += %D%/krylov.h
libagnesi_la_SOURCES += %D%/cpu/chunked_vector.h
libagnesi_la_SOURCES += %D%/cpu/chunked_vector_body.h
libagnesi_la_SOURCES += %D%/chunked_vector.c
libagnesi_la_SOURCES += %D%/driver.c
libagnesi_la_SOURCES += %D%/cg.c
libagnesi_la_SOURCES += %D%/minres.c
libagnesi_la_SOURCES += %D%/gmres.c
libagnesi_la_SOURCES += %D%/bicgstab.c
libagnesi_la_SOURCES += %D%/lsqr_lsmr.c
libagnesi_la_SOURCES += %D%/implicit_solver.c
libagnesi_la_SOURCES += %D%/krylov_schur.h
libagnesi_la_SOURCES += %D%/krylov_schur.c
LEVEL_SOURCES += %D%/cpu/chunked_vector.c
EXTRA_DIST += %D%/README.md
