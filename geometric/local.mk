agninclude_HEADERS += include/agnesi/geometric.h
libagnesi_la_SOURCES += geometric/message_passing.c %D%/reindex.c
EXTRA_DIST += %D%/README.md
