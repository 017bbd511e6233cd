libagnesi_cuda_la_SOURCES += fft/cuda/kernels.h fft/cuda/cufft.c %D%/scale.cu
