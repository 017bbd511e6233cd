/* core/device/backend_registry.h - registry of back ends and devices.
   A device number is backend index * 256 + ordinal; the CPU is back end 0. Kernels live in
   a flat table per back end, indexed [op id][dtype], filled on demand by the tensor layer. */
#ifndef AGNI_DEVICE_H
#define AGNI_DEVICE_H

#include "core/core.h"
#include <agnesi/backend.h>

enum { AGNI_MAX_BACKENDS = 8 };

/* The back end of a device number, NULL if there is none. Index 0 (the CPU) is built in:
   host memory, no streams. */
const agn_backend *agni_backend_of(int32_t device);
/* What a back end has at least, and whether it has a member beyond that. */
#define AGNI_BACKEND_LEAST offsetof(agn_backend, compile_region)
#define AGNI_BACKEND_HAS(b, member) \
    ((b)->size >= offsetof(agn_backend, member) + sizeof (b)->member && (b)->member)
/* Reports a number that is no device. */
agn_status agni_fail_no_device(const char *op, int32_t device);
/* Has it the functions that an older one lacks? */
static inline bool agni_backend_has_regions(const agn_backend *b)
{
    return b->size > offsetof(agn_backend, free_region) && b->compile_region && b->run_region &&
           b->free_region;
}
static inline bool agni_backend_has_graphs(const agn_backend *b)
{
    return b->size > offsetof(agn_backend, free_graph) && b->begin_graph && b->end_graph &&
           b->launch_graph && b->free_graph;
}
static inline int agni_backend_index(int32_t device)
{
    return device >> 8;
}
static inline int agni_device_ordinal(int32_t device)
{
    return device & 255;
}
/* Loads libagnesi-NAME.so (AGNESI_BACKEND_PATH, else the package library folder) once;
   its one exported entry is `const agn_backend *agn_backend_entry(void)`. A cheap probe of
   libcuda.so.1 comes first for "cuda". Idempotent; the reason for a refusal is kept. */
void agni_backend_load(const char *name);
/* device-to-device, host-to-device and device-to-host by device numbers; bytes may be 0 */
agn_status agni_device_copy(int32_t dst_dev, void *dst, int32_t src_dev, const void *src,
                            size_t bytes);
agn_status agni_device_alloc(int32_t dev, size_t bytes, void **p);
void agni_device_free(int32_t dev, void *p, size_t bytes);

#endif
