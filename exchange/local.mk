agninclude_HEADERS += include/agnesi/exchange.h
libagnesi_la_SOURCES += %D%/file.h %D%/input.c %D%/output.c \
	%D%/npy.h %D%/npy_header.c %D%/npy.c \
	%D%/dict.h %D%/dict.c %D%/readers.h \
	%D%/zip.h %D%/zip_read.c %D%/zip_write.c %D%/npz.c %D%/npz_sparse.c \
	%D%/json.h %D%/json.c %D%/safetensors.h %D%/safetensors_header.c %D%/safetensors.c \
	%D%/mtx.h %D%/mtx_read.c %D%/mtx_matrix.c %D%/mtx_write.c \
	%D%/program.h %D%/program_write.c %D%/program_read.c %D%/program_object.c %D%/program_sparse.c \
	%D%/program_fit.c %D%/program.c %D%/trace.c %D%/map.c %D%/dlpack.h %D%/dlpack.c
if HAVE_ZLIB
libagnesi_la_SOURCES += %D%/deflate.c
else
libagnesi_la_SOURCES += %D%/no_deflate.c
endif
EXTRA_DIST += %D%/README.md
