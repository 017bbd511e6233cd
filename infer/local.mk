agninclude_HEADERS += include/agnesi/infer.h

# infer
libagnesi_la_SOURCES += %D%/infer.h
libagnesi_la_SOURCES += %D%/chain.h
libagnesi_la_SOURCES += %D%/adapt.h
libagnesi_la_SOURCES += %D%/model.c
libagnesi_la_SOURCES += %D%/unconstrain.c
libagnesi_la_SOURCES += %D%/stream.c
libagnesi_la_SOURCES += %D%/nuts.c
libagnesi_la_SOURCES += %D%/adapt.c
libagnesi_la_SOURCES += %D%/sample.c
libagnesi_la_SOURCES += %D%/diagnostics.c
libagnesi_la_SOURCES += %D%/summary.c
EXTRA_DIST += %D%/README.md
