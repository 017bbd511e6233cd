agninclude_HEADERS += include/agnesi/graph.h
libagnesi_la_SOURCES += %D%/prog.h %D%/prog.c %D%/fn.c
