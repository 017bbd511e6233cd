/* core/device/backend_loader.c - back ends as modules loaded at run time (dlopen):
   libagnesi-NAME.so with one exported entry.
   A module that was opened stays open, even a refused one: CUDA's libraries do not
   survive being closed, and what they start may outlive the call. */
#include "core/internal.h"
#include "core/device/backend_loader.h"
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef AGNI_MODULE_DIR
#define AGNI_MODULE_DIR "/usr/lib/agnesi"
#endif

enum { PATH_BYTES = 4096 };

typedef const agn_backend *entry_fn(void);

/* ISO C has no conversion between object and function pointers; POSIX promises it. */
static void find_function(void *function_pointer, void *library, const char *name)
{
    void *p = dlsym(library, name);
    memcpy(function_pointer, &p, sizeof p);
}

/* ---- probe of the driver, before a gigabyte of CUDA libraries is mapped --------- */

/* The driver's interface is stable and needs no header (CUDA driver API: cuInit,
   cuDeviceGetCount, cuGetErrorString). */
static bool cuda_driver_ready(char *why, size_t n)
{
    void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!driver) {
        agni_format(why, n, "no NVIDIA driver: %s", dlerror());
        return false;
    }
    int (*init)(unsigned), (*count)(int *), (*text_of)(int, const char **);
    find_function(&init, driver, "cuInit");
    find_function(&count, driver, "cuDeviceGetCount");
    find_function(&text_of, driver, "cuGetErrorString");
    if (!init || !count) {
        agni_format(why, n, "libcuda.so.1 is not a driver: it has no %s",
                    init ? "cuDeviceGetCount" : "cuInit");
        return false;
    }
    int devices = 0, error = init(0);
    if (!error)
        error = count(&devices);
    if (!error && devices > 0)
        return true;
    const char *text = NULL;
    if (error && text_of)
        text_of(error, &text);
    if (error)
        agni_format(why, n, "the NVIDIA driver reports error %d: %s", error,
                    text ? text : "no text");
    else
        agni_format(why, n, "the NVIDIA driver sees no device");
    return false;
}

/* ---- opening -------------------------------------------------------------------- */

/* libagnesi-NAME.so in the next folder of a list separated by colons; NULL at its end.
 */
static const char *format_next_path(char *path, size_t n, const char *list, const char *name)
{
    while (*list == ':')
        list++;
    size_t len = strcspn(list, ":");
    if (len == 0)
        return NULL;
    int most = len < INT_MAX ? (int)len : INT_MAX;
    agni_format(path, n, "%.*s/libagnesi-%s.so", most, list, name);
    return list + len;
}

static void *open_module(const char *name, char *path, size_t n, char *why,
                         size_t why_n)
{
    const char *list = getenv("AGNESI_BACKEND_PATH");
    if (!list || !*list)
        list = AGNI_MODULE_DIR;
    agni_format(why, why_n, "libagnesi-%s.so is not in %s", name, list);
    for (const char *p = list; (p = format_next_path(path, n, p, name)) != NULL;) {
        if (access(path, F_OK) != 0)
            continue;
        void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        if (module)
            return module;
        agni_format(why, why_n, "cannot be loaded: %s", dlerror());
        break; /* a module that is found but broken is an error: no later folder is tried */
    }
    return NULL;
}

static void load_module(const char *name, char *why, size_t n)
{
    char path[PATH_BYTES];
    if (strcmp(name, "cuda") == 0 && !cuda_driver_ready(why, n))
        return;
    void *module = open_module(name, path, sizeof path, why, n);
    if (!module)
        return;
    entry_fn *entry;
    find_function(&entry, module, "agn_backend_entry");
    const agn_backend *b = entry ? entry() : NULL;
    why[0] = '\0';
    if (!b)
        agni_format(why, n, "%s is no back end: agn_backend_entry %s", path,
                    entry ? "gave NULL" : "is missing");
    else if (b->abi != AGN_BACKEND_ABI || b->size != sizeof *b)
        agni_format(why, n,
                    "%s has interface version %d of %zu bytes, the library %d of %zu",
                    path, b->abi, b->size, AGN_BACKEND_ABI, sizeof *b);
    else if (!b->name || strcmp(b->name, name) != 0)
        agni_format(why, n, "%s calls itself \"%s\"", path, b->name ? b->name : "");
    else if (agn_backend_register(b) && !agni_backend_refused(name, why, n))
        agni_format(why, n, "%s", agn_error_message());
}

static pthread_mutex_t
    loading; /* held while a module starts, which may look for devices */
static pthread_once_t loading_once = PTHREAD_ONCE_INIT;

static void init_loading_lock(void)
{
    pthread_mutexattr_t recursive;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&loading, &recursive);
    pthread_mutexattr_destroy(&recursive);
}

void agni_backend_load(const char *name)
{
    char why[AGNI_REASON_BYTES] = "";
    if (agni_backend_known(name))
        return;
    pthread_once(&loading_once, init_loading_lock);
    pthread_mutex_lock(&loading);
    if (!agni_backend_known(name) && !agni_backend_refused(name, why, sizeof why)) {
        load_module(name, why, sizeof why);
        if (!agni_backend_known(name))
            agni_backend_refuse(name, why);
    }
    pthread_mutex_unlock(&loading);
}
