libagnesi_cuda_la_SOURCES += sparse/products/cuda/kernels.h sparse/products/cuda/spmm.c sparse/products/cuda/entries.cu
