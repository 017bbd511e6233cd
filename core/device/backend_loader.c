/* core/device/backend_loader.c - back ends as modules loaded at run time (dlopen):
   libagnesi-NAME.so with one exported entry.
   A module that was opened stays open, even a refused one: CUDA's libraries do not
   survive being closed, and what they start may outlive the call. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "core/internal.h"
#include "core/device/backend_loader.h"
#include "core/fork_mutex.h"
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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

/* The folder at the beginning of a list separated by colons, with its length; NULL: there is
   none */
static const char *next_folder(const char *list, size_t *len)
{
    while (*list == ':')
        list++;
    *len = strcspn(list, ":");
    return *len ? list : NULL;
}

/* May code be taken from there? What others may change runs with our rights. Of a folder that
   everybody may write to, as /tmp, what is ours is safe where only owners may remove (S_ISVTX). */
static bool is_trusted(const char *path, char *why, size_t why_n)
{
    struct stat at;
    if (stat(path, &at))
        agni_format(why, why_n, "%s: %s", path, strerror(errno));
    else if (at.st_uid != 0 && at.st_uid != geteuid())
        agni_format(why, why_n, "%s belongs to user %lld; the process runs as %lld", path,
                    (long long)at.st_uid, (long long)geteuid());
    else if (at.st_mode & S_IWOTH && !(S_ISDIR(at.st_mode) && at.st_mode & S_ISVTX))
        agni_format(why, why_n, "%s may be written by everybody", path);
    else
        return true;
    return false;
}

/* A process with rights that its user has not, by set-user-id or capabilities, hears no names of
   his. */
static const char *folders_of_user(void)
{
#if defined(__linux__)
    const char *list = secure_getenv("AGNESI_BACKEND_PATH");
#else
    bool same = getuid() == geteuid() && getgid() == getegid();
    const char *list = same ? getenv("AGNESI_BACKEND_PATH") : NULL;
#endif
    return list && *list ? list : NULL;
}

static void *open_module(const char *name, char *path, size_t n, char *why,
                         size_t why_n)
{
    const char *user = folders_of_user(), *list = user ? user : AGNI_MODULE_DIR;
    size_t len;
    agni_format(why, why_n, "libagnesi-%s.so is not in %s", name, list);
    for (const char *f = list; (f = next_folder(f, &len)) != NULL; f += len) {
        int most = len < INT_MAX ? (int)len : INT_MAX;
        if (*f != '/') {
            agni_format(why, why_n,
                        "\"%.*s\" in AGNESI_BACKEND_PATH is no absolute name of a folder", most, f);
            break;
        }
        agni_format(path, n, "%.*s/libagnesi-%s.so", most, f, name);
        if (access(path, F_OK) != 0)
            continue;
        char folder[PATH_BYTES];
        agni_format(folder, sizeof folder, "%.*s", most, f);
        if (user && (!is_trusted(folder, why, why_n) || !is_trusted(path, why, why_n)))
            break;
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
    else if (b->abi != AGN_BACKEND_ABI || b->size < AGNI_BACKEND_LEAST)
        agni_format(why, n,
                    "%s has interface version %d of %zu bytes, the library %d of %zu or more",
                    path, b->abi, b->size, AGN_BACKEND_ABI, (size_t)AGNI_BACKEND_LEAST);
    else if (!b->name || strcmp(b->name, name) != 0)
        agni_format(why, n, "%s calls itself \"%s\"", path, b->name ? b->name : "");
    else if (agn_backend_register(b) && !agni_backend_refused(name, why, n))
        agni_format(why, n, "%s", agn_error_message());
}

/* held while a module starts, which may look for devices */
static agni_mutex loading = {.recursive = true};

void agni_backend_load(const char *name)
{
    char why[AGNI_REASON_BYTES] = "";
    if (agni_backend_known(name))
        return;
    agni_mutex_lock(&loading);
    if (!agni_backend_known(name) && !agni_backend_refused(name, why, sizeof why)) {
        load_module(name, why, sizeof why);
        if (!agni_backend_known(name))
            agni_backend_refuse(name, why);
    }
    agni_mutex_unlock(&loading);
}
