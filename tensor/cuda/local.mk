# Sources of the CUDA module; kernels.cu files need nvcc, the others the toolkit's headers.
libagnesi_cuda_la_SOURCES += %D%/cuda.h %D%/device.h tensor/matmul/cuda/blas.h registry/cuda_backend.c %D%/device.c tensor/cuda/strided_index.c \
	tensor/movement/cuda/moves.c tensor/matmul/cuda/matmul.c tensor/cuda/cast.cu tensor/reduce/cuda/reduce.cu tensor/index/cuda/gather.cu tensor/random/cuda/random.cu \
	tensor/matmul/cuda/matmul_int.cu tensor/elementwise/cuda/scalar.cuh tensor/elementwise/cuda/elementwise.cuh tensor/elementwise/cuda/ew_bool.cu tensor/elementwise/cuda/ew_i32.cu \
	tensor/elementwise/cuda/ew_i64.cu tensor/elementwise/cuda/ew_f32.cu tensor/elementwise/cuda/ew_f64.cu tensor/elementwise/cuda/ew_c64.cu tensor/elementwise/cuda/ew_c128.cu
EXTRA_DIST += %D%/README.md
