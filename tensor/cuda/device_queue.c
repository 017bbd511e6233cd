/* tensor/cuda/device_queue.c - the second half of the back end's table: streams of the caller's,
   kinds of memory, copies that are not waited for, calls on the host, time (CUDA C++ Programming
   Guide, asynchronous concurrent execution). */
#include "tensor/cuda/cuda.h"
#include "tensor/cuda/device.h"

#include <stdlib.h>
#include <string.h>

/* Queues on later what waits for all that earlier holds now. */
static cudaError_t order_streams(cudaStream_t earlier, cudaStream_t later)
{
    cudaEvent_t done;
    cudaError_t e = cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
    if (e)
        return e;
    e = cudaEventRecord(done, earlier);
    if (!e)
        e = cudaStreamWaitEvent(later, done, 0);
    (void)cudaEventDestroy(done); /* CUDA keeps it until it has been waited for */
    return e;
}

agn_status agni_cu_join_stream(void *context, int32_t device, void *stream, bool back)
{
    (void)context;
    cudaStream_t own = agni_cu_stream(device), other = stream;
    if (!own)
        return AGN_EDEVICE;
    int was = agni_cu_enter(device);
    cudaError_t e = back ? order_streams(own, other) : order_streams(other, own);
    agni_cu_leave(was);
    return agni_cu_check(device, "join_stream", e);
}

agn_status agni_cu_use_stream(void *context, int32_t device, void *stream)
{
    (void)context;
    cudaStream_t now = agni_cu_stream(device);
    if (!now)
        return AGN_EDEVICE;
    cudaStream_t next = stream ? stream : agni_cu_own_stream(device);
    int was = agni_cu_enter(device);
    cudaError_t e = next == now ? cudaSuccess : order_streams(now, next);
    agni_cu_leave(was);
    if (!e)
        agni_cu_put_stream(device, next);
    return agni_cu_check(device, "set_stream", e);
}

agn_status agni_cu_wait_fault(void *context, int32_t device, uint64_t mark)
{
    (void)context;
    agn_status st = agni_cu_wait(device, mark);
    return st ? st : agni_cu_report_fault(device, mark);
}

agn_status agni_cu_call_host(void *context, int32_t device, void (*run)(void *user), void *user)
{
    (void)context;
    cudaStream_t s = agni_cu_stream(device);
    if (!s)
        return AGN_EDEVICE;
    int was = agni_cu_enter(device);
    cudaError_t e = cudaLaunchHostFunc(s, run, user);
    agni_cu_leave(was);
    return agni_cu_check(device, "call_host", e);
}

/* ---- memory -------------------------------------------------------------------------------- */

agn_status agni_cu_alloc_kind(void *context, int32_t device, agn_memory kind, size_t bytes,
                              void **p)
{
    (void)context;
    void *q = NULL;
    if (!agni_cu_stream(device))
        return AGN_EDEVICE;
    int was = agni_cu_enter(device);
    cudaError_t e = kind == AGN_MEMORY_PINNED
                        ? cudaHostAlloc(&q, bytes ? bytes : 1, cudaHostAllocPortable)
                        : cudaMallocManaged(&q, bytes ? bytes : 1, cudaMemAttachGlobal);
    agni_cu_leave(was);
    agn_status st = agni_cu_check(device, "device_alloc", e);
    if (!st)
        *p = q;
    return st;
}

/* what is queued may still use it */
void agni_cu_free_kind(void *context, int32_t device, agn_memory kind, void *p, size_t bytes)
{
    (void)context;
    (void)bytes;
    cudaStream_t s = agni_cu_stream(device);
    int was = agni_cu_enter(device);
    cudaError_t e = s ? cudaStreamSynchronize(s) : cudaSuccess;
    if (!e)
        e = kind == AGN_MEMORY_PINNED ? cudaFreeHost(p) : cudaFree(p);
    agni_cu_leave(was);
    (void)agni_cu_check(device, "device_free", e);
}

agn_status agni_cu_copy_async(void *context, int32_t device, void *dst, const void *src,
                              size_t bytes, bool to_host)
{
    (void)context;
    cudaStream_t s = agni_cu_stream(device);
    if (!s)
        return AGN_EDEVICE;
    int was = agni_cu_enter(device);
    cudaError_t e = cudaMemcpyAsync(dst, src, bytes,
                                    to_host ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice, s);
    agni_cu_leave(was);
    return agni_cu_check(device, "device_copy", e);
}

/* Behind what both queues hold; what comes later in either waits for it. */
agn_status agni_cu_copy_peer(void *context, int32_t dst_device, void *dst, int32_t src_device,
                             const void *src, size_t bytes)
{
    (void)context;
    cudaStream_t to = agni_cu_stream(dst_device), from = to ? agni_cu_stream(src_device) : NULL;
    if (!from)
        return AGN_EDEVICE;
    int was = agni_cu_enter(src_device);
    cudaError_t e = order_streams(from, to);
    if (!e)
        e = cudaMemcpyPeerAsync(dst, dst_device, src, src_device, bytes, to);
    agni_cu_leave(was);
    was = agni_cu_enter(dst_device);
    if (!e)
        e = order_streams(to, from);
    agni_cu_leave(was);
    return agni_cu_check(dst_device, "device_copy", e);
}

agn_status agni_cu_properties(void *context, int32_t device, agn_device_properties *out)
{
    (void)context;
    struct cudaDeviceProp p;
    size_t rest = 0, all = 0;
    if (!agni_cu_stream(device))
        return AGN_EDEVICE;
    int was = agni_cu_enter(device);
    cudaError_t e = cudaGetDeviceProperties(&p, device);
    if (!e)
        e = cudaMemGetInfo(&rest, &all);
    agni_cu_leave(was);
    agn_status st = agni_cu_check(device, "device_get_properties", e);
    if (st)
        return st;
    for (size_t i = 0; i + 1 < sizeof out->name && p.name[i]; i++)
        out->name[i] = p.name[i], out->name[i + 1] = '\0';
    out->version[0] = p.major, out->version[1] = p.minor;
    out->units = p.multiProcessorCount;
    out->memory_kinds = 1u << AGN_MEMORY_DEVICE | 1u << AGN_MEMORY_PINNED |
                        (p.managedMemory ? 1u << AGN_MEMORY_MANAGED : 0);
    out->memory_total = (int64_t)all, out->memory_free = (int64_t)rest;
    return AGN_OK;
}

agn_status agni_cu_workspace(void *context, const agn_kernel_call *c, size_t *bytes)
{
    static const struct {
        const char *op;
        agn_status (*measure)(const agn_kernel_call *c, size_t *bytes);
    } rows[] = {
        {"sort", agni_cu_sort_workspace},
        {"argsort", agni_cu_sort_workspace},
        {"argsort_window", agni_cu_sort_workspace},
        {"scatter_add", agni_cu_scatter_workspace},
        {"scatter_put", agni_cu_scatter_workspace},
        {"scatter_max", agni_cu_scatter_workspace},
        {"scatter_min", agni_cu_scatter_workspace},
    };
    (void)context;
    *bytes = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!strcmp(rows[i].op, c->op))
            return rows[i].measure(c, bytes);
    return AGN_OK;
}

/* ---- time ---------------------------------------------------------------------------------- */

typedef struct timer {
    cudaEvent_t from, to;
} timer;

static void free_timer(timer *t)
{
    if (t->from)
        (void)cudaEventDestroy(t->from);
    if (t->to)
        (void)cudaEventDestroy(t->to);
    free(t);
}

agn_status agni_cu_start_timer(void *context, int32_t device, void **out)
{
    (void)context;
    cudaStream_t s = agni_cu_stream(device);
    if (!s)
        return AGN_EDEVICE;
    timer *t = calloc(1, sizeof *t);
    if (!t)
        return agn_backend_fail(AGN_ENOMEM, "device_timer_start: out of memory");
    int was = agni_cu_enter(device);
    cudaError_t e = cudaEventCreateWithFlags(&t->from, cudaEventDefault);
    if (!e)
        e = cudaEventCreateWithFlags(&t->to, cudaEventDefault);
    if (!e)
        e = cudaEventRecord(t->from, s);
    if (e)
        free_timer(t);
    agni_cu_leave(was);
    agn_status st = agni_cu_check(device, "device_timer_start", e);
    if (!st)
        *out = t;
    return st;
}

agn_status agni_cu_stop_timer(void *context, int32_t device, void *given, double *seconds)
{
    (void)context;
    timer *t = given;
    float ms = 0;
    cudaStream_t s = agni_cu_stream(device);
    int was = agni_cu_enter(device);
    cudaError_t e = s ? cudaEventRecord(t->to, s) : cudaErrorDevicesUnavailable;
    if (!e)
        e = cudaEventSynchronize(t->to);
    if (!e)
        e = cudaEventElapsedTime(&ms, t->from, t->to);
    free_timer(t);
    agni_cu_leave(was);
    *seconds = 1e-3 * (double)ms;
    return agni_cu_check(device, "device_timer_stop", e);
}
