/* tensor/cuda/compiler.h - CUDA C++ as text, compiled at run time. */
#ifndef AGNI_CUDA_COMPILER_H
#define AGNI_CUDA_COMPILER_H

#include <agnesi/core.h>
#include <stdbool.h>
#include <stddef.h>

/* What code is made of: capability is 10 major + minor of the device; the version is NVRTC's,
   major -1: any. */
typedef struct agni_cu_code_key {
    const char *head, *text;
    int capability, major, minor;
} agni_cu_code_key;

typedef struct agni_cu_code {
    agni_cu_code_key key;
    void *data; /* freed by the caller */
    size_t bytes;
    bool kept; /* it was made before */
} agni_cu_code;

/* Code of a text: what was kept or built ahead, else by NVRTC; or fresh, by NVRTC alone.
   AGN_EUNSUPPORTED: there is no NVRTC on this machine, or it refuses the text. */
agn_status agni_cu_compile_text(agni_cu_code *code, const char *head, const char *text,
                                int capability, bool fresh);
/* What the driver says of it: code that it takes is kept, with that of the architectures which
   AGNESI_CUDA_ARCHITECTURES names; other code is kept no longer. */
void agni_cu_settle_code(const agni_cu_code *code, bool taken);

/* ---- code_cache.c ---- */

/* NULL: it is not there, or not to be trusted. k gets the version that was found. */
void *agni_cu_cache_read(agni_cu_code_key *k, size_t *bytes);
void agni_cu_cache_write(const agni_cu_code_key *k, const void *code, size_t bytes);
void agni_cu_cache_remove(const agni_cu_code_key *k);
void agni_cu_cache_note_refusal(const agni_cu_code_key *k);

#endif
