libagnesi_cuda_la_SOURCES += %D%/sparse.h %D%/spmm.c %D%/entries.cu
