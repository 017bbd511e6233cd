/* core/device/backend_registry.c - registry of back ends. They are only ever added: their table is
   read without a lock, an entry is complete before it is counted. The reasons for refusals are kept
   by name. */
#include "core/fork_mutex.h"
#include "core/thread_record.h"
#include "core/device/backend_registry.h"
#include "core/device/backend_loader.h"
#include <string.h>

enum { NAME_BYTES = 32, MAX_DEVICES = 256, MAX_REFUSED = 16 };

typedef struct entry {
    const agn_backend *backend;
    int32_t n_devices;
    char device_name[MAX_DEVICES][NAME_BYTES + 8];
} entry;

typedef struct refusal {
    char name[NAME_BYTES];
    char why[AGNI_REASON_BYTES];
} refusal;

static entry entries[AGNI_MAX_BACKENDS] = {
    {.backend = &agni_cpu_backend, .n_devices = 1, .device_name = {"cpu"}}};
static atomic_int n_entries = 1;
static refusal refused[MAX_REFUSED];
static int n_refused;
/* never held while calling out */
static agni_mutex lock = AGNI_MUTEX_INIT;

/* ---- names ---------------------------------------------------------------------- */

/* A name becomes part of a file name and of "name:0". */
static bool is_valid_name(const char *name, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char c = name[i];
        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'))
            return false;
    }
    return n > 0 && n < NAME_BYTES;
}

static const entry *find_entry(const char *name)
{
    int n = atomic_load_explicit(&n_entries, memory_order_acquire);
    for (int i = 0; i < n; i++) {
        if (strcmp(entries[i].backend->name, name) == 0)
            return &entries[i];
    }
    return NULL;
}

bool agni_backend_known(const char *name)
{
    return find_entry(name) != NULL;
}

static const entry *find_device_entry(int32_t device)
{
    int k = agni_backend_index(device);
    if (k < 0 || k >= atomic_load_explicit(&n_entries, memory_order_acquire) ||
        agni_device_ordinal(device) >= entries[k].n_devices)
        return NULL;
    return &entries[k];
}

agn_status agni_fail_no_device(const char *op, int32_t device)
{
    return agni_fail(AGN_EDEVICE,
                     "%s: there is no device number %d: back ends are 0 to %d", op,
                     device, atomic_load(&n_entries) - 1);
}

const agn_backend *agni_backend_of(int32_t device)
{
    const entry *e = find_device_entry(device);
    return e ? e->backend : NULL;
}

const char *agn_device_name(int32_t device)
{
    const entry *e = find_device_entry(device);
    return e ? e->device_name[agni_device_ordinal(device)] : "?";
}

/* ---- refusals ------------------------------------------------------------------- */

void agni_backend_refuse(const char *name, const char *why)
{
    agni_mutex_lock(&lock);
    int k = 0;
    while (k < n_refused && strcmp(refused[k].name, name) != 0)
        k++;
    if (k == MAX_REFUSED)
        k--; /* the last entry is overwritten */
    else if (k == n_refused)
        n_refused++;
    agni_format(refused[k].name, sizeof refused[k].name, "%s", name);
    agni_format(refused[k].why, sizeof refused[k].why, "%s", why);
    agni_mutex_unlock(&lock);
}

bool agni_backend_refused(const char *name, char *why, size_t n)
{
    bool found = false;
    agni_mutex_lock(&lock);
    for (int k = 0; k < n_refused && !found; k++) {
        found = strcmp(refused[k].name, name) == 0;
        if (found)
            agni_format(why, n, "%s", refused[k].why);
    }
    agni_mutex_unlock(&lock);
    return found;
}

/* ---- registration --------------------------------------------------------------- */

static const char *find_missing_function(const agn_backend *b)
{
    const struct {
        const char *name;
        bool there;
    } needed[] = {
        {"probe", b->probe},
        {"alloc", b->alloc},
        {"free", b->free},
        {"to_device", b->to_device},
        {"to_host", b->to_host},
        {"copy", b->copy},
        {"stream", b->stream},
        {"record", b->record},
        {"wait", b->wait},
        {"synchronize", b->synchronize},
        {"kernels", b->kernels || b->n_kernels == 0},
    };
    for (int i = 0; i < AGNI_COUNT(needed); i++) {
        if (!needed[i].there)
            return needed[i].name;
    }
    return NULL;
}

static agn_status check_backend(const agn_backend *b)
{
    if (!b)
        return agni_fail(AGN_ENULL, "backend_register: the back end is NULL");
    if (b->size < AGNI_BACKEND_LEAST || b->abi != AGN_BACKEND_ABI)
        return agni_fail(AGN_EARG,
                         "backend_register: wrong interface version: the back end "
                         "has %d of %zu bytes, the library %d of %zu or more",
                         b->abi, b->size, AGN_BACKEND_ABI, (size_t)AGNI_BACKEND_LEAST);
    if (!b->name || !is_valid_name(b->name, strlen(b->name)))
        return agni_fail(AGN_EARG,
                         "backend_register: bad name \"%s\": 1 to %d of a-z, 0-9, _",
                         b->name ? b->name : "", NAME_BYTES - 1);
    const char *missing = find_missing_function(b);
    if (missing)
        return agni_fail(AGN_EARG, "backend_register: back end \"%s\" has no %s",
                         b->name, missing);
    return AGN_OK;
}

static agn_status check_registrable(const agn_backend *b)
{
    if (find_entry(b->name))
        return agni_fail(
            AGN_EARG, "backend_register: there is a back end \"%s\" already", b->name);
    if (atomic_load(&n_entries) == AGNI_MAX_BACKENDS)
        return agni_fail(AGN_EARG,
                         "backend_register: too many: \"%s\" comes after %d others",
                         b->name, AGNI_MAX_BACKENDS);
    return AGN_OK;
}

static void add_entry(const agn_backend *b, int32_t n_devices)
{
    int k = atomic_load(&n_entries);
    entry *e = &entries[k];
    e->backend = b;
    e->n_devices = n_devices;
    for (int i = 0; i < n_devices; i++)
        agni_format(e->device_name[i], sizeof e->device_name[i], "%s:%d", b->name, i);
    atomic_store_explicit(&n_entries, k + 1, memory_order_release);
}

agn_status agn_backend_register(const agn_backend *b)
{
    agn_status st = check_backend(b);
    if (!st)
        st = check_registrable(b);
    if (st)
        return st;
    char why[AGNI_REASON_BYTES] = "";
    int32_t n = b->probe(why, sizeof why);
    why[sizeof why - 1] = '\0';
    if (n <= 0) {
        agni_backend_refuse(b->name,
                            why[0] ? why : "it found no device and gave no reason");
        return agni_fail(AGN_EDEVICE, "backend_register: \"%s\" has no device: %s",
                         b->name, why[0] ? why : "it gave no reason");
    }
    agni_mutex_lock(&lock);
    st = check_registrable(b); /* another thread may have been faster */
    if (!st)
        add_entry(b, n < MAX_DEVICES ? n : MAX_DEVICES);
    agni_mutex_unlock(&lock);
    return st;
}

agn_status agn_backend_fail(agn_status st, const char *text)
{
    return agni_fail(st, "%s", text ? text : agn_status_name(st));
}

int32_t agn_backend_status(const char *name, const char **why)
{
    char reason[AGNI_REASON_BYTES] = "";
    if (name && is_valid_name(name, strlen(name)))
        agni_backend_load(name);
    const entry *e = name ? find_entry(name) : NULL;
    if (!e && (!name || !agni_backend_refused(name, reason, sizeof reason)))
        agni_format(reason, sizeof reason, "\"%s\" is no name of a back end",
                    name ? name : "NULL");
    agni_thread_record *a = agni_thread_record_get();
    if (a)
        memcpy(a->reason, reason, sizeof reason);
    if (why)
        *why = a ? a->reason : "out of memory";
    return e ? e->n_devices : 0;
}

const agn_extension *agn_backend_extension(const char *backend, const char *name)
{
    const entry *e = backend && name ? find_entry(backend) : NULL;
    const agn_extension *x = e && AGNI_BACKEND_HAS(e->backend, extensions) ? e->backend->extensions
                                                                           : NULL;
    while (x && strcmp(x->name, name) != 0)
        x = x->next;
    return x;
}

/* ---- finding a device ----------------------------------------------------------- */

static void list_devices(char *buf, size_t n)
{
    int len = 0, count = atomic_load(&n_entries);
    for (int k = 0; k < count && (size_t)len < n; k++)
        len += agni_format(buf + len, n - (size_t)len, "%s%s", k ? ", " : "",
                           entries[k].device_name[0]);
}

/* The number after the colon; -1 if it is none. */
static int parse_ordinal(const char *s)
{
    int n = 0;
    if (!*s)
        return -1;
    for (; *s; s++) {
        if (*s < '0' || *s > '9' || n >= MAX_DEVICES)
            return -1;
        n = 10 * n + (*s - '0');
    }
    return n;
}

agn_status agn_device_find(int32_t *out, const char *name)
{
    if (!out || !name)
        return agni_fail(AGN_ENULL, "device_find: %s is NULL",
                         !out ? "out" : "the name");
    char base[NAME_BYTES], there[256], reason[AGNI_REASON_BYTES] = "";
    size_t n = strcspn(name, ":");
    int ordinal = name[n] ? parse_ordinal(name + n + 1) : 0;
    list_devices(there, sizeof there);
    if (!is_valid_name(name, n) || ordinal < 0)
        return agni_fail(AGN_EDEVICE,
                         "device_find: \"%s\" is no name of a device; there are "
                         "%s",
                         name, there);
    memcpy(base, name, n);
    base[n] = '\0';
    agni_backend_load(base);
    const entry *e = find_entry(base);
    if (!e) {
        agni_backend_refused(base, reason, sizeof reason);
        return agni_fail(AGN_EDEVICE,
                         "device_find: there is no \"%s\": %s; there are %s", name,
                         reason, there);
    }
    if (ordinal >= e->n_devices)
        return agni_fail(AGN_EDEVICE,
                         "device_find: there is no \"%s\": %s has %d device%s", name,
                         base, e->n_devices, e->n_devices == 1 ? "" : "s");
    *out = (int32_t)(e - entries) * MAX_DEVICES + ordinal;
    return AGN_OK;
}
