# agninclude_HEADERS += include/agnesi/tensor.h
# LEVEL_SOURCES += %D%/cpu/X.c
libagnesi_la_SOURCES += %D%/tensor.h %D%/op.h
