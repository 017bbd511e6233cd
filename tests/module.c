/* A back end in a module of its own, and a driver of CUDA: neither does anything. The
   environment tells what is wrong with them. Compiled by t-device while it runs. */
#include <agnesi/backend.h>
#include <stdlib.h>
#include <string.h>

static int is(const char *variable, const char *value)
{
    const char *text = getenv(variable);
    return text && strcmp(text, value) == 0;
}

#if defined(MODULE)
static int32_t probe(char *why, size_t n)
{
    if (!is("TEST_MODULE", "old-driver"))
        return is("TEST_MODULE", "silent") ? 0 : 2;
    strncpy(why, "the driver is 470, this module needs 580", n - 1);
    return 0;
}

static agn_status no_memory(int32_t device, size_t bytes, void **p)
{
    (void)device, (void)bytes, (void)p;
    return AGN_ENOMEM;
}

static void no_free(int32_t device, void *p, size_t bytes)
{
    (void)device, (void)p, (void)bytes;
}

static agn_status no_copy(int32_t device, void *to, const void *from, size_t bytes)
{
    (void)device, (void)to, (void)from, (void)bytes;
    return AGN_EDEVICE;
}

static void *no_stream(int32_t device)
{
    (void)device;
    return NULL;
}

static uint64_t no_mark(int32_t device)
{
    (void)device;
    return 0;
}

static agn_status no_wait(int32_t device, uint64_t mark)
{
    (void)device, (void)mark;
    return AGN_OK;
}

static agn_status no_fault(int32_t device)
{
    (void)device;
    return AGN_OK;
}

AGN_API
const agn_backend *agn_backend_entry(void);
const agn_backend *agn_backend_entry(void)
{
    static agn_backend b;
    const char *name = getenv("TEST_NAME");
    b = (agn_backend){.size = sizeof b,
                      .abi = AGN_BACKEND_ABI,
                      .name = name,
                      .probe = probe,
                      .alloc = no_memory,
                      .free = no_free,
                      .to_device = no_copy,
                      .to_host = no_copy,
                      .copy = no_copy,
                      .stream = no_stream,
                      .record = no_mark,
                      .wait = no_wait,
                      .synchronize = no_fault};
    if (is("TEST_MODULE", "wrong-abi"))
        b.abi = 99;
    if (is("TEST_MODULE", "wrong-size"))
        b.size = 24;
    if (is("TEST_MODULE", "wrong-name"))
        b.name = "another";
    if (is("TEST_MODULE", "incomplete"))
        b.wait = NULL;
    return is("TEST_MODULE", "null") ? NULL : &b;
}
#endif

#if defined(DRIVER)
AGN_API
int cuInit(unsigned flags);
int cuInit(unsigned flags)
{
    (void)flags;
    return is("TEST_DRIVER", "stub") ? 34 : is("TEST_DRIVER", "none") ? 100 : 0;
}

AGN_API
int cuDeviceGetCount(int *n);
int cuDeviceGetCount(int *n)
{
    *n = is("TEST_DRIVER", "zero") ? 0 : 1;
    return 0;
}

AGN_API
int cuGetErrorString(int error, const char **text);
int cuGetErrorString(int error, const char **text)
{
    *text = error == 34 ? "CUDA driver is a stub library"
                        : "no CUDA-capable device is detected";
    return 0;
}
#endif

#if defined(NO_DRIVER)
AGN_API
int something_else(void);
int something_else(void)
{
    return is("TEST_DRIVER", "");
}
#endif
