agninclude_HEADERS += include/agnesi/geometric.h

# geometric
libagnesi_la_SOURCES += %D%/message_passing.c
libagnesi_la_SOURCES += %D%/reindex.c
EXTRA_DIST += %D%/README.md
