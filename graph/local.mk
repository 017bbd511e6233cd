# agninclude_HEADERS += include/agnesi/X.h
# libagnesi_la_SOURCES += %D%/X.c %D%/X.h
