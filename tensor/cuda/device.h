/* tensor/cuda/device.h - the functions of the back end's table. */
#ifndef AGNI_CUDA_DEVICE_H
#define AGNI_CUDA_DEVICE_H

#include <agnesi/backend.h>

agn_status agni_cu_alloc(int32_t device, size_t bytes, void **p);
void agni_cu_free(int32_t device, void *p, size_t bytes);
agn_status agni_cu_to_device(int32_t device, void *dst, const void *src, size_t bytes);
agn_status agni_cu_to_host(int32_t device, void *dst, const void *src, size_t bytes);
agn_status agni_cu_copy(int32_t device, void *dst, const void *src, size_t bytes);
void *agni_cu_stream(int32_t device);
uint64_t agni_cu_record(int32_t device);
agn_status agni_cu_wait(int32_t device, uint64_t mark);
agn_status agni_cu_synchronize(int32_t device);

/* Until it is called with false, memory, copies and waits of this thread fail. */
void agni_cu_forbid(bool all);

#endif
