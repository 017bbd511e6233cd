libagnesi_cuda_la_SOURCES += %D%/factor.h %D%/factor.c %D%/triangle.cu
