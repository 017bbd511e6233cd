/* tensor/cuda/compiler.h - CUDA C++ as text, compiled at run time. */
#ifndef AGNI_CUDA_COMPILER_H
#define AGNI_CUDA_COMPILER_H

#include <agnesi/core.h>
#include <stddef.h>

/* Code for compute capability 10 major + minor, from the cache or by NVRTC; freed by the caller.
   AGN_EUNSUPPORTED: there is no NVRTC on this machine, or it refuses the text. */
agn_status agni_cu_compile_text(void **code, size_t *bytes, const char *head, const char *text,
                                int capability);

/* ---- code_cache.c ---- */

typedef struct agni_cu_code_key {
    const char *head, *text;
    int capability, major, minor; /* of the device; version of NVRTC */
} agni_cu_code_key;
/* NULL: it is not there, or not to be trusted */
void *agni_cu_cache_read(const agni_cu_code_key *k, size_t *bytes);
void agni_cu_cache_write(const agni_cu_code_key *k, const void *code, size_t bytes);

#endif
