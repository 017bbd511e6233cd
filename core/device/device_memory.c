/* core/device/device_memory.c - memory of devices by kinds, fills, and copies between devices and
   the host. What a back end has no function for is made of what every back end has. */
#include "core/internal.h"
#include "core/device/backend_registry.h"
#include <string.h>

enum { STAGE_BYTES = 4 << 20 }; /* for what goes by way of the host */

agn_status agni_device_alloc(int32_t device, size_t bytes, void **p)
{
    const agn_backend *b = agni_backend_of(device);
    if (!b)
        return agni_fail_no_device("device_alloc", device);
    agn_status st = b->alloc(agni_device_ordinal(device), bytes, p);
    if (st == AGN_ENOMEM && device != AGN_CPU && agni_memory_pressure(bytes))
        st = b->alloc(agni_device_ordinal(device), bytes, p); /* the host freed some */
    return st;
}

void agni_device_free(int32_t device, void *p, size_t bytes)
{
    const agn_backend *b = agni_backend_of(device);
    if (b && p)
        b->free(agni_device_ordinal(device), p, bytes);
}

/* ---- copies ----------------------------------------------------------------------------- */

/* Between two devices: by way of the host. */
static agn_status copy_staged(int32_t dst_dev, char *dst, int32_t src_dev,
                              const char *src, size_t bytes)
{
    size_t most = bytes < STAGE_BYTES ? bytes : STAGE_BYTES;
    char *stage = agni_alloc_aligned(most);
    if (!stage)
        return agni_nomem("device_copy", most);
    agn_status st = AGN_OK;
    for (size_t at = 0; at < bytes && !st; at += most) {
        size_t n = bytes - at < most ? bytes - at : most;
        st = agni_backend_of(src_dev)->to_host(agni_device_ordinal(src_dev), stage,
                                               src + at, n);
        if (!st)
            st = agni_backend_of(dst_dev)->to_device(agni_device_ordinal(dst_dev),
                                                     dst + at, stage, n);
    }
    agni_free(stage);
    return st;
}

agn_status agni_device_copy(int32_t dst_dev, void *dst, int32_t src_dev,
                            const void *src, size_t bytes)
{
    const agn_backend *to = agni_backend_of(dst_dev), *from = agni_backend_of(src_dev);
    int32_t there = agni_device_ordinal(dst_dev), here = agni_device_ordinal(src_dev);
    if (!to || !from)
        return agni_fail_no_device("device_copy", to ? src_dev : dst_dev);
    if (bytes == 0)
        return AGN_OK;
    if (dst_dev == src_dev)
        return to->copy(there, dst, src, bytes);
    if (src_dev == AGN_CPU)
        return to->to_device(there, dst, src, bytes);
    if (dst_dev == AGN_CPU)
        return from->to_host(here, dst, src, bytes);
    if (to == from && AGNI_BACKEND_HAS(to, copy_peer))
        return to->copy_peer(to->context, there, dst, here, src, bytes);
    return copy_staged(dst_dev, dst, src_dev, src, bytes);
}

agn_status agn_device_copy(uint64_t *mark, int32_t dst_device, void *dst, int32_t src_device,
                           const void *src, size_t bytes)
{
    if (bytes && (!dst || !src))
        return agni_fail(AGN_ENULL, "device_copy: %s is NULL", dst ? "src" : "dst");
    int32_t device = dst_device == AGN_CPU ? src_device : dst_device;
    const agn_backend *b = agni_backend_of(device);
    bool crosses = (dst_device == AGN_CPU) != (src_device == AGN_CPU);
    agn_status st = AGN_OK;
    if (mark && b && bytes && crosses && AGNI_BACKEND_HAS(b, copy_async))
        st = b->copy_async(b->context, agni_device_ordinal(device), dst, src, bytes,
                           dst_device == AGN_CPU);
    else
        st = agni_device_copy(dst_device, dst, src_device, src, bytes);
    return st || !mark ? st : agn_device_record(mark, device);
}

/* ---- kinds ------------------------------------------------------------------------------ */

static const char *const kind_name[AGN_MEMORY_KINDS] = {"device", "pinned", "managed"};

/* Is it memory that alloc gives? All kinds are, where the host touches the device's. */
static bool is_plain(const agn_backend *b, agn_memory kind)
{
    return kind == AGN_MEMORY_DEVICE || b->host_visible;
}

agn_status agn_device_alloc(void **out, int32_t device, agn_memory kind, size_t bytes)
{
    const agn_backend *b = agni_backend_of(device);
    if (!out)
        return agni_fail(AGN_ENULL, "device_alloc: out is NULL");
    if (!b)
        return agni_fail_no_device("device_alloc", device);
    if ((unsigned)kind >= AGN_MEMORY_KINDS)
        return agni_fail(AGN_EARG, "device_alloc: %d is no kind of memory; there are 0 to %d",
                         (int)kind, AGN_MEMORY_KINDS - 1);
    void *p = NULL;
    agn_status st;
    if (is_plain(b, kind))
        st = agni_device_alloc(device, bytes, &p);
    else if (AGNI_BACKEND_HAS(b, alloc_kind) && AGNI_BACKEND_HAS(b, free_kind))
        st = b->alloc_kind(b->context, agni_device_ordinal(device), kind, bytes, &p);
    else
        st = agni_fail(AGN_EUNSUPPORTED, "device_alloc: %s has no %s memory",
                       agn_device_name(device), kind_name[kind]);
    if (!st)
        *out = p;
    return st;
}

void agn_device_free(int32_t device, agn_memory kind, void *p, size_t bytes)
{
    const agn_backend *b = agni_backend_of(device);
    if (!b || !p || (unsigned)kind >= AGN_MEMORY_KINDS)
        return;
    if (is_plain(b, kind))
        agni_device_free(device, p, bytes);
    else if (AGNI_BACKEND_HAS(b, free_kind))
        b->free_kind(b->context, agni_device_ordinal(device), kind, p, bytes);
}

agn_status agn_device_get_properties(agn_device_properties *out, int32_t device)
{
    const agn_backend *b = agni_backend_of(device);
    if (!out)
        return agni_fail(AGN_ENULL, "device_get_properties: out is NULL");
    if (agni_check_size("device_get_properties", agn_device_properties, out))
        return AGN_EARG;
    if (!b)
        return agni_fail_no_device("device_get_properties", device);
    agn_device_properties p = {.size = sizeof p,
                               .version = {-1, -1},
                               .units = -1,
                               .memory_kinds = b->host_visible ? (1u << AGN_MEMORY_KINDS) - 1
                                                               : 1u << AGN_MEMORY_DEVICE,
                               .memory_total = -1,
                               .memory_free = -1};
    agn_status st = AGNI_BACKEND_HAS(b, properties)
                        ? b->properties(b->context, agni_device_ordinal(device), &p)
                        : AGN_OK;
    p.name[sizeof p.name - 1] = '\0';
    if (!st)
        *out = p;
    return st;
}

/* ---- fills ------------------------------------------------------------------------------ */

/* copies of a value one after the other; bytes is a multiple of value_bytes */
static void repeat_value(char *dst, const void *value, size_t value_bytes, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += value_bytes)
        memcpy(dst + at, value, value_bytes);
}

static agn_status fill_from_host(int32_t device, char *dst, const void *value, size_t value_bytes,
                                 size_t bytes)
{
    const agn_backend *b = agni_backend_of(device);
    size_t most = bytes < STAGE_BYTES ? bytes : STAGE_BYTES;
    char *stage = agni_alloc_aligned(most);
    if (!stage)
        return agni_nomem("device_fill", most);
    repeat_value(stage, value, value_bytes, most);
    agn_status st = AGN_OK;
    for (size_t at = 0; at < bytes && !st; at += most)
        st = b->to_device(agni_device_ordinal(device), dst + at, stage,
                          bytes - at < most ? bytes - at : most);
    agni_free(stage);
    return st;
}

agn_status agn_device_fill(int32_t device, void *dst, const void *value, size_t value_bytes,
                           size_t count)
{
    const agn_backend *b = agni_backend_of(device);
    if (!value || (count && !dst))
        return agni_fail(AGN_ENULL, "device_fill: %s is NULL", value ? "dst" : "value");
    if (!b)
        return agni_fail_no_device("device_fill", device);
    if (!value_bytes || value_bytes > 16 || (value_bytes & (value_bytes - 1)))
        return agni_fail(AGN_EARG, "device_fill: a value has %zu bytes; 1, 2, 4, 8 and 16 can be",
                         value_bytes);
    if (count > PTRDIFF_MAX / value_bytes)
        return agni_fail(AGN_EARG, "device_fill: %zu values of %zu bytes are too many", count,
                         value_bytes);
    if (!count)
        return AGN_OK;
    if (AGNI_BACKEND_HAS(b, fill))
        return b->fill(b->context, agni_device_ordinal(device), dst, value, value_bytes, count);
    return fill_from_host(device, dst, value, value_bytes, count * value_bytes);
}
