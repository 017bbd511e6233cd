agninclude_HEADERS += include/agnesi/exchange.h
agninclude_HEADERS += include/agnesi/exchange_graph.h

# exchange
libagnesi_la_SOURCES += %D%/chrome_trace.c
libagnesi_la_SOURCES += %D%/dlpack.h
libagnesi_la_SOURCES += %D%/dlpack.c
EXTRA_DIST += %D%/README.md
EXTRA_DIST += %D%/file/README.md
EXTRA_DIST += %D%/formats/README.md
EXTRA_DIST += %D%/text/README.md
EXTRA_DIST += %D%/program/README.md

# exchange/file
libagnesi_la_SOURCES += %D%/file/file.h
libagnesi_la_SOURCES += %D%/file/input.c
libagnesi_la_SOURCES += %D%/file/atomic_write.c
libagnesi_la_SOURCES += %D%/file/temporary_file.c
libagnesi_la_SOURCES += %D%/file/dict.h
libagnesi_la_SOURCES += %D%/file/dict.c
libagnesi_la_SOURCES += %D%/file/readers.h
libagnesi_la_SOURCES += %D%/file/zip.h
libagnesi_la_SOURCES += %D%/file/zip_read.c
libagnesi_la_SOURCES += %D%/file/zip_write.c
libagnesi_la_SOURCES += %D%/file/mmap.c
if HAVE_ZLIB
libagnesi_la_SOURCES += %D%/file/deflate.c
else
libagnesi_la_SOURCES += %D%/file/deflate_absent.c
endif

# exchange/formats
libagnesi_la_SOURCES += %D%/formats/npy.h
libagnesi_la_SOURCES += %D%/formats/npy_header.c
libagnesi_la_SOURCES += %D%/formats/npy.c
libagnesi_la_SOURCES += %D%/formats/npz.c
libagnesi_la_SOURCES += %D%/formats/npz_sparse.c
libagnesi_la_SOURCES += %D%/formats/json.h
libagnesi_la_SOURCES += %D%/formats/json.c
libagnesi_la_SOURCES += %D%/formats/safetensors.h
libagnesi_la_SOURCES += %D%/formats/safetensors_header.c
libagnesi_la_SOURCES += %D%/formats/safetensors.c

# exchange/text
libagnesi_la_SOURCES += %D%/text/mtx.h
libagnesi_la_SOURCES += %D%/text/mtx_read.c
libagnesi_la_SOURCES += %D%/text/mtx_matrix.c
libagnesi_la_SOURCES += %D%/text/mtx_write.c
libagnesi_la_SOURCES += %D%/text/harwell_boeing.c
libagnesi_la_SOURCES += %D%/text/text.h
libagnesi_la_SOURCES += %D%/text/text.c
libagnesi_la_SOURCES += %D%/text/edge_list.c
libagnesi_la_SOURCES += %D%/text/edge_list_write.c
libagnesi_la_SOURCES += %D%/text/mesh.c
libagnesi_la_SOURCES += %D%/text/mesh_write.c
libagnesi_la_SOURCES += %D%/text/vtu.c


# exchange/program
libagnesi_la_SOURCES += %D%/program/program.h
libagnesi_la_SOURCES += %D%/program/program_write.c
libagnesi_la_SOURCES += %D%/program/program_read.c
libagnesi_la_SOURCES += %D%/program/attribute_objects.c
libagnesi_la_SOURCES += %D%/program/sparse_objects.c
libagnesi_la_SOURCES += %D%/program/graph_object.c
libagnesi_la_SOURCES += %D%/program/verify_control.c
libagnesi_la_SOURCES += %D%/program/program.c
