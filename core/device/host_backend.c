/* core/device/host_backend.c - the CPU as a back end: host memory, no streams, nothing to wait for.
   Its kernels are not listed here: the row of an op names them. */
#include "core/device/backend_loader.h"
#include <string.h>
#include <time.h>
#include <unistd.h>

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

/* ---- what may be NULL elsewhere --------------------------------------------------- */

static agn_status host_properties(void *context, int32_t device, agn_device_properties *out)
{
    (void)context;
    (void)device;
    int64_t page = sysconf(_SC_PAGESIZE), all = sysconf(_SC_PHYS_PAGES);
    agni_format(out->name, sizeof out->name, "cpu");
    out->units = (int32_t)sysconf(_SC_NPROCESSORS_ONLN);
    out->memory_total = page > 0 && all > 0 ? page * all : -1;
#ifdef _SC_AVPHYS_PAGES
    int64_t rest = sysconf(_SC_AVPHYS_PAGES);
    out->memory_free = page > 0 && rest >= 0 ? page * rest : -1;
#endif
    return AGN_OK;
}

static agn_status host_call(void *context, int32_t device, void (*run)(void *user), void *user)
{
    (void)context;
    (void)device;
    run(user);
    return AGN_OK;
}

static agn_status host_start_timer(void *context, int32_t device, void **timer)
{
    (void)context;
    (void)device;
    struct timespec *t = agni_alloc(sizeof *t);
    if (!t)
        return agni_nomem("device_timer_start", sizeof *t);
    clock_gettime(CLOCK_MONOTONIC, t);
    *timer = t;
    return AGN_OK;
}

static agn_status host_stop_timer(void *context, int32_t device, void *timer, double *seconds)
{
    (void)context;
    (void)device;
    struct timespec *from = timer, to;
    clock_gettime(CLOCK_MONOTONIC, &to);
    *seconds = (double)(to.tv_sec - from->tv_sec) + 1e-9 * (double)(to.tv_nsec - from->tv_nsec);
    agni_free(from);
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
    .properties = host_properties,
    .call_host = host_call,
    .start_timer = host_start_timer,
    .stop_timer = host_stop_timer,
};
