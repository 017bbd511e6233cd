/* tensor/cuda/device.h - the functions of the back end's table. */
#ifndef AGNI_CUDA_DEVICE_H
#define AGNI_CUDA_DEVICE_H

#include <agnesi/backend.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

agn_status agni_cu_alloc(int32_t device, size_t bytes, void **p);
void agni_cu_free(int32_t device, void *p, size_t bytes);
agn_status agni_cu_to_device(int32_t device, void *dst, const void *src, size_t bytes);
agn_status agni_cu_to_host(int32_t device, void *dst, const void *src, size_t bytes);
agn_status agni_cu_copy(int32_t device, void *dst, const void *src, size_t bytes);
void *agni_cu_stream(int32_t device);
uint64_t agni_cu_record(int32_t device);
agn_status agni_cu_wait(int32_t device, uint64_t mark);
agn_status agni_cu_synchronize(int32_t device);

/* version 2 (device_queue.c, fill.cu) */
agn_status agni_cu_properties(void *context, int32_t device, agn_device_properties *out);
agn_status agni_cu_alloc_kind(void *context, int32_t device, agn_memory kind, size_t bytes,
                              void **p);
void agni_cu_free_kind(void *context, int32_t device, agn_memory kind, void *p, size_t bytes);
agn_status agni_cu_fill(void *context, int32_t device, void *dst, const void *value,
                        size_t value_bytes, size_t count);
agn_status agni_cu_copy_async(void *context, int32_t device, void *dst, const void *src,
                              size_t bytes, bool to_host);
agn_status agni_cu_copy_peer(void *context, int32_t dst_device, void *dst, int32_t src_device,
                             const void *src, size_t bytes);
agn_status agni_cu_use_stream(void *context, int32_t device, void *stream);
agn_status agni_cu_join_stream(void *context, int32_t device, void *stream, bool back);
agn_status agni_cu_wait_fault(void *context, int32_t device, uint64_t mark);
agn_status agni_cu_call_host(void *context, int32_t device, void (*run)(void *user), void *user);
agn_status agni_cu_start_timer(void *context, int32_t device, void **timer);
agn_status agni_cu_stop_timer(void *context, int32_t device, void *timer, double *seconds);

agn_status agni_cu_workspace(void *context, const agn_kernel_call *c, size_t *bytes);
/* of kernels that take memory once, before they queue anything */
agn_status agni_cu_sort_workspace(const agn_kernel_call *c, size_t *bytes);
agn_status agni_cu_scatter_workspace(const agn_kernel_call *c, size_t *bytes);

/* A device that is there and of no use: whoever uses it hears why. */
void agni_cu_refuse(int32_t device, const char *why);
/* The stream of the device itself, and the one that work is queued on from now on. */
void *agni_cu_own_stream(int32_t device);
void agni_cu_put_stream(int32_t device, void *stream);
/* The fault of work up to a mark that has been waited for; each is reported once. */
agn_status agni_cu_report_fault(int32_t device, uint64_t mark);

/* Libraries that ask threads to take turns; those of other devices do not wait. */
enum { AGNI_CU_BLAS, AGNI_CU_SOLVER, AGNI_CU_SPARSE, AGNI_CU_LIBRARIES };
void agni_cu_take_turn(int32_t device, int library);
void agni_cu_end_turn(int32_t device, int library);

/* Until it is called with false, memory, copies and waits of this thread fail. */
void agni_cu_forbid(bool all);
bool agni_cu_is_forbidden(void);
/* Around the making of what outlives a call: this thread may do so although its kernels become a
   graph. The second is given what the first gave. */
int agni_cu_begin_lasting(void);
void agni_cu_end_lasting(int was);

#ifdef __cplusplus
}
#endif

#endif
