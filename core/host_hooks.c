/* core/host_hooks.c - callbacks into the host: log, memory pressure, interrupt, progress.
   Readers take no lock: the members are guarded by a sequence number (seqlock) that is
   odd while they change (Boehm 2012, "Can seqlocks get along with programming language
   memory models?"). No hook is called while anything is locked, nor on a thread of the
   pool. */
#include "core/fork_mutex.h"
#include "core/internal.h"
#include "core/thread_record.h"
#include <string.h>

typedef void log_hook(void *user, int32_t level, const char *text);
typedef bool pressure_hook(void *user, size_t bytes);
typedef bool interrupt_hook(void *user);
typedef void progress_hook(void *user, const char *what, double done);

static agni_mutex writers = AGNI_MUTEX_INIT;
static atomic_uint sequence;
static void *_Atomic hook_user;
static log_hook *_Atomic hook_log;
static pressure_hook *_Atomic hook_pressure;
static interrupt_hook *_Atomic hook_interrupt;
static progress_hook *_Atomic hook_progress;

AGNI_TLS_WORD bool in_pressure_hook;

agn_status agn_hooks_set(const agn_hooks *h)
{
    static const agn_hooks none = {.size = sizeof none};
    if (!h)
        h = &none;
    if (agni_check_size("hooks_set", agn_hooks, h))
        return AGN_EARG;
    agni_mutex_lock(&writers);
    unsigned now = atomic_load_explicit(&sequence, memory_order_relaxed);
    atomic_store_explicit(&sequence, now + 1, memory_order_relaxed);
    atomic_store_explicit(&hook_user, h->user, memory_order_release);
    atomic_store_explicit(&hook_log, h->log, memory_order_release);
    atomic_store_explicit(&hook_pressure, h->memory_pressure, memory_order_release);
    atomic_store_explicit(&hook_interrupt, h->interrupt, memory_order_release);
    atomic_store_explicit(&hook_progress, h->progress, memory_order_release);
    atomic_store_explicit(&sequence, now + 2, memory_order_release);
    agni_mutex_unlock(&writers);
    return AGN_OK;
}

static agn_hooks read_hooks(void)
{
    agn_hooks h = {.size = sizeof h};
    unsigned before, after;
    do {
        before = atomic_load_explicit(&sequence, memory_order_acquire);
        h.user = atomic_load_explicit(&hook_user, memory_order_acquire);
        h.log = atomic_load_explicit(&hook_log, memory_order_acquire);
        h.memory_pressure = atomic_load_explicit(&hook_pressure, memory_order_acquire);
        h.interrupt = atomic_load_explicit(&hook_interrupt, memory_order_acquire);
        h.progress = atomic_load_explicit(&hook_progress, memory_order_acquire);
        after = atomic_load_explicit(&sequence, memory_order_relaxed);
    } while (before != after || before % 2 != 0);
    return h;
}

/* The common case, no hook, is one load. */
#define HOOKED(member) \
    (atomic_load_explicit(&hook_##member, memory_order_relaxed) && !agni_on_pool_worker())

bool agni_check_interrupt(void)
{
    if (!HOOKED(interrupt))
        return false;
    agn_hooks h = read_hooks();
    return h.interrupt && h.interrupt(h.user);
}

bool agni_has_interrupt(void)
{
    return HOOKED(interrupt);
}

bool agni_has_progress(void)
{
    return HOOKED(progress);
}

/* The host's collector may call into the library and run out of memory again. */
bool agni_memory_pressure(size_t bytes)
{
    if (!HOOKED(pressure) || in_pressure_hook)
        return false;
    agn_hooks h = read_hooks();
    in_pressure_hook = true;
    bool again = h.memory_pressure && h.memory_pressure(h.user, bytes);
    in_pressure_hook = false;
    return again;
}

void agni_log_message(int level, const char *fmt, ...)
{
    if (!HOOKED(log))
        return;
    agn_hooks h = read_hooks();
    char text[512];
    va_list ap;
    va_start(ap, fmt);
    agni_vformat(text, sizeof text, fmt, ap);
    va_end(ap);
    if (h.log)
        h.log(h.user, level, text);
}

void agni_report_progress(const char *what, double done)
{
    if (!HOOKED(progress))
        return;
    agn_hooks h = read_hooks();
    if (h.progress)
        h.progress(h.user, what, done);
}
