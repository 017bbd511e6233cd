agninclude_HEADERS += include/agnesi/core.h include/agnesi/backend.h
libagnesi_la_SOURCES += %D%/version.c %D%/core.h %D%/device.h
