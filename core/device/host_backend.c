/* core/device/host_backend.c - the CPU as a back end: host memory, no streams, nothing to wait for.
   Its kernels are not listed here: the row of an op names them. */
#include "core/device/backend_loader.h"
#include <string.h>

static int32_t host_probe(char *why, size_t n)
{
    (void)why;
    (void)n;
    return 1;
}

static agn_status host_alloc(int32_t device, size_t bytes, void **p)
{
    (void)device;
    void *q = agni_alloc_aligned(bytes);
    if (!q)
        return agni_nomem("device_alloc", bytes);
    *p = q;
    return AGN_OK;
}

static void host_free(int32_t device, void *p, size_t bytes)
{
    (void)device;
    (void)bytes;
    agni_free(p);
}

static agn_status host_copy(int32_t device, void *dst, const void *src, size_t bytes)
{
    (void)device;
    memmove(dst, src, bytes);
    return AGN_OK;
}

static void *host_stream(int32_t device)
{
    (void)device;
    return NULL;
}

static uint64_t host_record(int32_t device)
{
    (void)device;
    return 0;
}

static agn_status host_wait(int32_t device, uint64_t mark)
{
    (void)device;
    (void)mark;
    return AGN_OK;
}

static agn_status host_synchronize(int32_t device)
{
    (void)device;
    return AGN_OK;
}

const agn_backend agni_cpu_backend = {
    .size = sizeof(agn_backend),
    .abi = AGN_BACKEND_ABI,
    .name = "cpu",
    .host_visible = true,
    .probe = host_probe,
    .alloc = host_alloc,
    .free = host_free,
    .to_device = host_copy,
    .to_host = host_copy,
    .copy = host_copy,
    .stream = host_stream,
    .record = host_record,
    .wait = host_wait,
    .synchronize = host_synchronize,
};
