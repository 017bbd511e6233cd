agninclude_HEADERS += include/agnesi/geometric.h
libagnesi_la_SOURCES += %D%/ops.c %D%/reindex.c
EXTRA_DIST += %D%/README.md
