agninclude_HEADERS += include/agnesi/distribution.h

# distribution
libagnesi_la_SOURCES += %D%/distribution.h
libagnesi_la_SOURCES += %D%/distribution.c
libagnesi_la_SOURCES += %D%/api.c
libagnesi_la_SOURCES += %D%/normal.c
EXTRA_DIST += %D%/README.md
