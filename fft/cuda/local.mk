libagnesi_cuda_la_SOURCES += %D%/fft.h %D%/fft.c %D%/scale.cu
