# AGN_CUDA - option --with-cuda=yes|no|DIR; finds the toolkit of the CUDA module. The core
# never links it, so nothing here may leak into LIBS.
AC_DEFUN([AGN_CUDA], [
  AC_ARG_WITH([cuda],
    [AS_HELP_STRING([--with-cuda@<:@=yes|no|DIR@:>@],
      [build the CUDA module with the toolkit in DIR (default: where one is found)])],
    [], [with_cuda=auto])
  AC_ARG_VAR([NVCC], [CUDA compiler])
  AC_ARG_VAR([NVCCFLAGS], [flags for the CUDA compiler])
  AC_ARG_VAR([CUDA_GENCODE], [architectures to compile for, as -gencode flags])
  agn_cuda=no agn_cuda_why="not wanted"
  AS_IF([test "x$with_cuda" != xno], [
    AS_CASE([$with_cuda], [yes|auto], [CUDA_HOME=${CUDA_HOME:-/usr/local/cuda}],
      [CUDA_HOME=$with_cuda])
    AC_PATH_PROG([NVCC], [nvcc], [], [$CUDA_HOME/bin:$PATH])
    AS_IF([test -z "$NVCC"], [agn_cuda_why="no nvcc in $CUDA_HOME/bin or on PATH"],
      [_AGN_CUDA_TRY])])
  AS_IF([test $agn_cuda = no], [AS_CASE([$with_cuda], [no|auto], [],
    [AC_MSG_ERROR([CUDA was asked for and cannot be used: $agn_cuda_why])])])
  AS_VAR_SET_IF([NVCCFLAGS], [], [NVCCFLAGS=-O2])
  # code for Turing (the floor of CUDA 13), Ampere with Ada, and Hopper; PTX of the newest for
  # what follows
  AS_VAR_SET_IF([CUDA_GENCODE], [], [CUDA_GENCODE="dnl
-gencode=arch=compute_75,code=sm_75 -gencode=arch=compute_80,code=sm_80 dnl
-gencode=arch=compute_90,code=@<:@sm_90,compute_90@:>@"])
  AC_SUBST([CUDA_CPPFLAGS])
  AC_SUBST([CUDA_LIBDIR])
  AM_CONDITIONAL([HAVE_CUDA], [test $agn_cuda = yes])])

# Headers, version, link libraries (no driver needed) and one kernel: sets agn_cuda, or why not.
AC_DEFUN([_AGN_CUDA_TRY], [
  AS_IF([test ! -d "$CUDA_HOME/include"],
    [CUDA_HOME=`AS_DIRNAME(["$NVCC"])`; CUDA_HOME=`AS_DIRNAME(["$CUDA_HOME"])`])
  for agn_dir in "$CUDA_HOME/lib64" "$CUDA_HOME/targets/$host_cpu-linux/lib" "$CUDA_HOME/lib"
  do AS_IF([test -e "$agn_dir/libcudart.so"], [CUDA_LIBDIR=$agn_dir; break]); done
  CUDA_CPPFLAGS="-isystem $CUDA_HOME/include"
  agn_save_CPPFLAGS=$CPPFLAGS agn_save_LDFLAGS=$LDFLAGS agn_save_LIBS=$LIBS
  CPPFLAGS="$CPPFLAGS $CUDA_CPPFLAGS" LDFLAGS="$LDFLAGS -L$CUDA_LIBDIR"
  agn_cuda=yes
  AC_CHECK_HEADERS([cuda_runtime_api.h cublas_v2.h cusparse.h cusolverDn.h cufft.h nvrtc.h],
    [], [agn_cuda=no agn_cuda_why="no $ac_header"; break])
  AS_IF([test $agn_cuda = yes], [
    AC_MSG_CHECKING([for CUDA 12.8 or newer])
    AC_PREPROC_IFELSE([AC_LANG_SOURCE([[#include <cuda_runtime_api.h>
#if CUDART_VERSION < 12080
#error too old
#endif]])], [AC_MSG_RESULT([yes])],
      [AC_MSG_RESULT([no]); agn_cuda=no agn_cuda_why="older than 12.8"])])
  AS_IF([test $agn_cuda = yes], [
    AC_CHECK_LIB([cudart], [cudaGetDeviceCount], [:], [agn_cuda=no agn_cuda_why="no libcudart"])
    AC_CHECK_LIB([nvrtc], [nvrtcVersion], [:], [agn_cuda=no agn_cuda_why="no libnvrtc"])])
  AS_IF([test $agn_cuda = yes], [
    AC_MSG_CHECKING([whether $NVCC compiles a kernel])
    AS_ECHO(['__global__ void k(float *p) { p@<:@threadIdx.x@:>@ = 1; }']) > conftest.cu
    AS_IF(["$NVCC" -c -arch=sm_80 -o conftest_cu.o conftest.cu >&AS_MESSAGE_LOG_FD 2>&1],
      [AC_MSG_RESULT([yes])],
      [AC_MSG_RESULT([no]); agn_cuda=no agn_cuda_why="$NVCC fails (see config.log)"])
    rm -f conftest.cu conftest_cu.o])
  CPPFLAGS=$agn_save_CPPFLAGS LDFLAGS=$agn_save_LDFLAGS LIBS=$agn_save_LIBS])
