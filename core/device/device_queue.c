/* core/device/device_queue.c - the queue of a device as its users see it: marks, streams, calls on
   the host, time. */
#include "core/internal.h"
#include "core/device/backend_registry.h"

/* the back end of a device, or NULL and a failure */
static const agn_backend *find_backend(const char *op, int32_t device, agn_status *st)
{
    const agn_backend *b = agni_backend_of(device);
    *st = b ? AGN_OK : agni_fail_no_device(op, device);
    return b;
}

static agn_status fail_missing(const char *op, int32_t device, const char *what)
{
    return agni_fail(AGN_EUNSUPPORTED, "%s: the back end of %s has no %s", op,
                     agn_device_name(device), what);
}

agn_status agn_device_synchronize(int32_t device)
{
    agn_status st;
    const agn_backend *b = find_backend("device_synchronize", device, &st);
    return b ? b->synchronize(agni_device_ordinal(device)) : st;
}

/* ---- marks ------------------------------------------------------------------------------ */

agn_status agn_device_record(uint64_t *out, int32_t device)
{
    agn_status st;
    if (!out)
        return agni_fail(AGN_ENULL, "device_record: out is NULL");
    const agn_backend *b = find_backend("device_record", device, &st);
    if (b)
        *out = b->record(agni_device_ordinal(device));
    return st;
}

agn_status agn_device_wait(int32_t device, uint64_t mark)
{
    agn_status st;
    const agn_backend *b = find_backend("device_wait", device, &st);
    if (!b)
        return st;
    return AGNI_BACKEND_HAS(b, wait_fault)
               ? b->wait_fault(b->context, agni_device_ordinal(device), mark)
               : b->wait(agni_device_ordinal(device), mark);
}

/* ---- streams ---------------------------------------------------------------------------- */

agn_status agn_device_stream(void **out, int32_t device)
{
    agn_status st;
    if (!out)
        return agni_fail(AGN_ENULL, "device_stream: out is NULL");
    const agn_backend *b = find_backend("device_stream", device, &st);
    if (b)
        *out = b->stream(agni_device_ordinal(device));
    return st;
}

agn_status agn_device_set_stream(int32_t device, void *stream)
{
    agn_status st;
    const agn_backend *b = find_backend("device_set_stream", device, &st);
    if (b)
        st = AGNI_BACKEND_HAS(b, use_stream)
                 ? b->use_stream(b->context, agni_device_ordinal(device), stream)
                 : fail_missing("device_set_stream", device, "streams of the caller's");
    return st;
}

static agn_status join_stream(const char *op, int32_t device, void *stream, bool back)
{
    agn_status st;
    if (!stream)
        return agni_fail(AGN_ENULL, "%s: the stream is NULL", op);
    const agn_backend *b = find_backend(op, device, &st);
    if (b)
        st = AGNI_BACKEND_HAS(b, join_stream)
                 ? b->join_stream(b->context, agni_device_ordinal(device), stream, back)
                 : fail_missing(op, device, "streams of the caller's");
    return st;
}

agn_status agn_device_wait_stream(int32_t device, void *stream)
{
    return join_stream("device_wait_stream", device, stream, false);
}

agn_status agn_stream_wait_device(void *stream, int32_t device)
{
    return join_stream("stream_wait_device", device, stream, true);
}

/* ---- calls and time --------------------------------------------------------------------- */

agn_status agn_device_call_host(int32_t device, void (*run)(void *user), void *user)
{
    agn_status st;
    if (!run)
        return agni_fail(AGN_ENULL, "device_call_host: run is NULL");
    const agn_backend *b = find_backend("device_call_host", device, &st);
    if (b && AGNI_BACKEND_HAS(b, call_host))
        return b->call_host(b->context, agni_device_ordinal(device), run, user);
    if (b)
        st = b->synchronize(agni_device_ordinal(device));
    if (!st)
        run(user);
    return st;
}

static bool has_clock(const agn_backend *b)
{
    return AGNI_BACKEND_HAS(b, start_timer) && AGNI_BACKEND_HAS(b, stop_timer);
}

agn_status agn_device_timer_start(void **out, int32_t device)
{
    agn_status st;
    if (!out)
        return agni_fail(AGN_ENULL, "device_timer_start: out is NULL");
    const agn_backend *b = find_backend("device_timer_start", device, &st);
    void *timer = NULL;
    if (b)
        st = has_clock(b) ? b->start_timer(b->context, agni_device_ordinal(device), &timer)
                          : fail_missing("device_timer_start", device, "clock");
    if (!st)
        *out = timer;
    return st;
}

agn_status agn_device_timer_stop(double *seconds, int32_t device, void *timer)
{
    agn_status st;
    double s = 0;
    if (!timer)
        return agni_fail(AGN_ENULL, "device_timer_stop: the timer is NULL");
    const agn_backend *b = find_backend("device_timer_stop", device, &st);
    if (b)
        st = has_clock(b) ? b->stop_timer(b->context, agni_device_ordinal(device), timer, &s)
                          : fail_missing("device_timer_stop", device, "clock");
    if (!st && seconds)
        *seconds = s;
    return st;
}
