libagnesi_cuda_la_SOURCES += linalg/cuda/kernels.h %D%/factor.c %D%/triangle.cu
