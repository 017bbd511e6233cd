agninclude_HEADERS += include/agnesi/tensor.h include/agnesi/elementwise.h \
	include/agnesi/shape.h include/agnesi/indexing.h include/agnesi/reduce.h \
	include/agnesi/product.h include/agnesi/random.h include/agnesi/exchange.h
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
