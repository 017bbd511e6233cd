agninclude_HEADERS += include/agnesi/exchange.h
libagnesi_la_SOURCES += exchange/file/file.h exchange/file/input.c exchange/file/atomic_write.c \
	exchange/formats/npy.h exchange/formats/npy_header.c exchange/formats/npy.c \
	exchange/file/dict.h exchange/file/dict.c exchange/file/readers.h \
	exchange/file/zip.h exchange/file/zip_read.c exchange/file/zip_write.c exchange/formats/npz.c exchange/formats/npz_sparse.c \
	exchange/formats/json.h exchange/formats/json.c exchange/formats/safetensors.h exchange/formats/safetensors_header.c exchange/formats/safetensors.c \
	exchange/formats/mtx.h exchange/formats/mtx_read.c exchange/formats/mtx_matrix.c exchange/formats/mtx_write.c \
	exchange/program/program.h exchange/program/program_write.c exchange/program/program_read.c exchange/program/attribute_objects.c exchange/program/sparse_objects.c \
	exchange/program/verify_control.c exchange/program/program.c exchange/chrome_trace.c exchange/file/mmap.c %D%/dlpack.h %D%/dlpack.c
if HAVE_ZLIB
libagnesi_la_SOURCES += exchange/file/deflate.c
else
libagnesi_la_SOURCES += exchange/file/deflate_absent.c
endif
EXTRA_DIST += %D%/README.md
