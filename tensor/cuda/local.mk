# Sources of the CUDA module; kernels.cu files need nvcc, the others the toolkit's headers.
libagnesi_cuda_la_SOURCES += %D%/cuda.h %D%/device.h %D%/blas.h %D%/backend.c %D%/device.c %D%/walk.c \
	%D%/moves.c %D%/matmul.c %D%/convert.cu %D%/reduce.cu %D%/gather.cu %D%/random.cu \
	%D%/matmul-int.cu %D%/scalar.cuh %D%/elementwise.cuh %D%/ew-bool.cu %D%/ew-i32.cu \
	%D%/ew-i64.cu %D%/ew-f32.cu %D%/ew-f64.cu %D%/ew-c64.cu %D%/ew-c128.cu
EXTRA_DIST += %D%/README.md
