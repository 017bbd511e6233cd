# one file a line
agninclude_HEADERS += include/agnesi/tensor.h
agninclude_HEADERS += include/agnesi/elementwise.h
agninclude_HEADERS += include/agnesi/shape.h
agninclude_HEADERS += include/agnesi/indexing.h
agninclude_HEADERS += include/agnesi/reduce.h
agninclude_HEADERS += include/agnesi/product.h
agninclude_HEADERS += include/agnesi/random.h
agninclude_HEADERS += include/agnesi/exchange.h
LEVEL_SOURCES += %D%/cpu/elementwise.c
libagnesi_la_SOURCES += %D%/tensor.h %D%/op.h %D%/help.h %D%/elementwise.h %D%/ops.def \
	%D%/ops_end.h %D%/cpu/scalar.h %D%/cpu/special.h %D%/cpu/loops.inc.h \
	%D%/tensor.c %D%/node.c %D%/dispatch.c %D%/signature.c %D%/registry.c %D%/dtype.c \
	%D%/shape.c %D%/elementwise.c %D%/ew_run.c %D%/help.c %D%/convert.c %D%/gather.c \
	%D%/tensor.c %D%/node.c %D%/dispatch.c %D%/registry.c %D%/dtype.c %D%/shape.c \
	%D%/elementwise.c %D%/ew_run.c %D%/help.c %D%/convert.c %D%/gather.c \
	%D%/tensor.c %D%/node.c %D%/dispatch.c %D%/into.h %D%/into.c %D%/registry.c %D%/dtype.c %D%/shape.c \
	%D%/elementwise.c %D%/ew_run.c %D%/help.c %D%/convert.c %D%/move.c %D%/gather.c \
	%D%/reduce.c %D%/sort.c %D%/product.c %D%/einsum.c %D%/create.c %D%/random.c \
	%D%/move.h %D%/reshape.c %D%/slice.c %D%/concat.c \
	%D%/decimal.h %D%/decimal.c %D%/print.h %D%/print_elements.c %D%/print.c \
	%D%/npy.h %D%/npy_header.c %D%/npy.c \
	house/table.c house/ops.def
libagnesi_la_SOURCES += %D%/tensor.h
libagnesi_la_SOURCES += %D%/op.h
libagnesi_la_SOURCES += %D%/help.h
libagnesi_la_SOURCES += %D%/elementwise.h
libagnesi_la_SOURCES += %D%/ops.def
libagnesi_la_SOURCES += %D%/ops_end.h
libagnesi_la_SOURCES += %D%/cpu/scalar.h
libagnesi_la_SOURCES += %D%/cpu/special.h
libagnesi_la_SOURCES += %D%/cpu/loops.inc.h
libagnesi_la_SOURCES += %D%/tensor.c
libagnesi_la_SOURCES += %D%/node.c
libagnesi_la_SOURCES += %D%/dispatch.c
libagnesi_la_SOURCES += %D%/into.h
libagnesi_la_SOURCES += %D%/into.c
libagnesi_la_SOURCES += %D%/registry.c
libagnesi_la_SOURCES += %D%/dtype.c
libagnesi_la_SOURCES += %D%/shape.c
libagnesi_la_SOURCES += %D%/elementwise.c
libagnesi_la_SOURCES += %D%/ew_run.c
libagnesi_la_SOURCES += %D%/help.c
libagnesi_la_SOURCES += %D%/convert.c
libagnesi_la_SOURCES += %D%/gather.c
libagnesi_la_SOURCES += %D%/reduce.c
libagnesi_la_SOURCES += %D%/sort.c
libagnesi_la_SOURCES += %D%/product.c
libagnesi_la_SOURCES += %D%/einsum.c
libagnesi_la_SOURCES += %D%/create.c
libagnesi_la_SOURCES += %D%/random.c
libagnesi_la_SOURCES += %D%/move.h
libagnesi_la_SOURCES += %D%/reshape.c
libagnesi_la_SOURCES += %D%/slice.c
libagnesi_la_SOURCES += %D%/concat.c
libagnesi_la_SOURCES += %D%/decimal.h
libagnesi_la_SOURCES += %D%/decimal.c
libagnesi_la_SOURCES += %D%/print.h
libagnesi_la_SOURCES += %D%/print_elements.c
libagnesi_la_SOURCES += %D%/print.c
libagnesi_la_SOURCES += %D%/npy.h
libagnesi_la_SOURCES += %D%/npy_header.c
libagnesi_la_SOURCES += %D%/npy.c
