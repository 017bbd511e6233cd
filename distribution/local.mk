agninclude_HEADERS += include/agnesi/distribution.h
libagnesi_la_SOURCES += %D%/distribution.h %D%/distribution.c distribution/api.c %D%/normal.c
EXTRA_DIST += %D%/README.md
