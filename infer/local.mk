agninclude_HEADERS += include/agnesi/infer.h
agninclude_HEADERS += include/agnesi/infer_samplers.h
agninclude_HEADERS += include/agnesi/infer_approximation.h
agninclude_HEADERS += include/agnesi/infer_check.h

# infer
libagnesi_la_SOURCES += %D%/infer.h
libagnesi_la_SOURCES += %D%/chain.h
libagnesi_la_SOURCES += %D%/adapt.h
libagnesi_la_SOURCES += %D%/whitening.h
libagnesi_la_SOURCES += %D%/model.c
libagnesi_la_SOURCES += %D%/predict.c
libagnesi_la_SOURCES += %D%/unconstrain.c
libagnesi_la_SOURCES += %D%/matrices.c
libagnesi_la_SOURCES += %D%/whitening.c
libagnesi_la_SOURCES += %D%/stream.c
libagnesi_la_SOURCES += %D%/nuts.c
libagnesi_la_SOURCES += %D%/adapt.c
libagnesi_la_SOURCES += %D%/sample.c
libagnesi_la_SOURCES += %D%/diagnostics.c
libagnesi_la_SOURCES += %D%/summary.c
EXTRA_DIST += %D%/README.md

# infer/samplers
libagnesi_la_SOURCES += %D%/samplers/samplers.h
libagnesi_la_SOURCES += %D%/samplers/chains.c
libagnesi_la_SOURCES += %D%/samplers/gibbs.c
libagnesi_la_SOURCES += %D%/samplers/smc.c
EXTRA_DIST += %D%/samplers/README.md

# infer/approximation
libagnesi_la_SOURCES += %D%/approximation/approximation.h
libagnesi_la_SOURCES += %D%/approximation/nested_laplace.c
libagnesi_la_SOURCES += %D%/approximation/laplace.c
libagnesi_la_SOURCES += %D%/approximation/importance.c
libagnesi_la_SOURCES += %D%/approximation/variational.h
libagnesi_la_SOURCES += %D%/approximation/variational.c
libagnesi_la_SOURCES += %D%/approximation/flow.c
libagnesi_la_SOURCES += %D%/approximation/pathfinder.c
libagnesi_la_SOURCES += %D%/approximation/em.c
EXTRA_DIST += %D%/approximation/README.md

# infer/criticism
libagnesi_la_SOURCES += %D%/criticism/pareto.c
libagnesi_la_SOURCES += %D%/criticism/pareto.h
libagnesi_la_SOURCES += %D%/criticism/leave_one_out.c
libagnesi_la_SOURCES += %D%/criticism/predictive.c
EXTRA_DIST += %D%/criticism/README.md
