agninclude_HEADERS += include/agnesi/tensor.h
libagnesi_la_SOURCES += %D%/tensor.h %D%/op.h %D%/elementwise.h %D%/ops.def %D%/ops_end.h
# LEVEL_SOURCES += %D%/cpu/X.c
noinst_HEADERS += %D%/cpu/loops.inc.h %D%/cpu/scalar.h %D%/cpu/special.h
