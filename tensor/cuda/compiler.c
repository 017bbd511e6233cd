/* tensor/cuda/compiler.c - NVRTC, found at run time: programs as text become code of one
   architecture. Without it, or with AGNESI_NVRTC=0, texts are refused. */
#include "tensor/cuda/compiler.h"

#include <agnesi/backend.h>
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <nvrtc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 512 };

static struct nvrtc {
    nvrtcResult (*version)(int *major, int *minor);
    nvrtcResult (*create)(nvrtcProgram *p, const char *src, const char *name, int n,
                          const char *const *headers, const char *const *names);
    nvrtcResult (*compile)(nvrtcProgram p, int n, const char *const *options);
    nvrtcResult (*code_size)(nvrtcProgram p, size_t *bytes);
    nvrtcResult (*code)(nvrtcProgram p, char *code);
    nvrtcResult (*log_size)(nvrtcProgram p, size_t *bytes);
    nvrtcResult (*log)(nvrtcProgram p, char *log);
    nvrtcResult (*destroy)(nvrtcProgram *p);
    int major, minor;
    char why[TEXT];
} rtc;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void *open_library(void)
{
    char name[64];
    snprintf(name, sizeof name, "libnvrtc.so.%d", CUDART_VERSION / 1000);
    void *lib = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    return lib ? lib : dlopen("libnvrtc.so", RTLD_NOW | RTLD_LOCAL);
}

static void find_compiler(void)
{
    const char *wish = getenv("AGNESI_NVRTC");
    if (wish && strcmp(wish, "0") == 0) {
        snprintf(rtc.why, sizeof rtc.why, "AGNESI_NVRTC is 0");
        return;
    }
    void *lib = open_library();
    if (!lib) {
        snprintf(rtc.why, sizeof rtc.why, "%s", dlerror());
        return;
    }
    const struct {
        void *at;
        const char *name;
    } needed[] = {
        {&rtc.version, "nvrtcVersion"},        {&rtc.create, "nvrtcCreateProgram"},
        {&rtc.compile, "nvrtcCompileProgram"}, {&rtc.code_size, "nvrtcGetCUBINSize"},
        {&rtc.code, "nvrtcGetCUBIN"},          {&rtc.log_size, "nvrtcGetProgramLogSize"},
        {&rtc.log, "nvrtcGetProgramLog"},      {&rtc.destroy, "nvrtcDestroyProgram"},
    };
    for (size_t i = 0; i < sizeof needed / sizeof *needed && !rtc.why[0]; i++) {
        void *f = dlsym(lib, needed[i].name);
        memcpy(needed[i].at, &f, sizeof f);
        if (!f)
            snprintf(rtc.why, sizeof rtc.why, "it has no %s", needed[i].name);
    }
    if (!rtc.why[0] && rtc.version(&rtc.major, &rtc.minor))
        snprintf(rtc.why, sizeof rtc.why, "it does not tell its version");
}

static agn_status fail(agn_status st, const char *what, const char *why)
{
    char text[2 * TEXT];
    snprintf(text, sizeof text, "compile: NVRTC %s: %.400s", what, why);
    return agn_backend_fail(st, text);
}

static agn_status fail_refused(nvrtcProgram p)
{
    size_t n = 0;
    char *log = rtc.log_size(p, &n) || !n ? NULL : malloc(n + 1);
    bool told = log && !rtc.log(p, log);
    if (told)
        log[n] = '\0';
    agn_status st = fail(AGN_EUNSUPPORTED, "refuses a region", told ? log : "it does not say why");
    free(log);
    return st;
}

static agn_status run_compiler(void **code, size_t *bytes, const char *src, int capability)
{
    char arch[32];
    snprintf(arch, sizeof arch, "-arch=sm_%d", capability);
    const char *options[] = {arch, "-std=c++17", "-fmad=false"};
    nvrtcProgram p = NULL;
    void *made = NULL;
    if (rtc.create(&p, src, "region.cu", 0, NULL, NULL))
        return fail(AGN_ENOMEM, "takes no program", "it has no memory");
    agn_status st = rtc.compile(p, sizeof options / sizeof *options, options) ? fail_refused(p)
                                                                              : AGN_OK;
    if (!st && (rtc.code_size(p, bytes) || !*bytes))
        st = fail(AGN_EUNSUPPORTED, "gives no code", arch);
    if (!st && !(made = malloc(*bytes)))
        st = fail(AGN_ENOMEM, "gives code", "no memory for it");
    if (!st && rtc.code(p, made))
        st = fail(AGN_EUNSUPPORTED, "gives no code", arch);
    (void)rtc.destroy(&p);
    if (st)
        free(made);
    else
        *code = made;
    return st;
}

agn_status agni_cu_compile_text(void **code, size_t *bytes, const char *head, const char *text,
                                int capability)
{
    pthread_once(&once, find_compiler);
    if (rtc.why[0])
        return fail(AGN_EUNSUPPORTED, "is not at hand", rtc.why);
    agni_cu_code_key key = {head, text, capability, rtc.major, rtc.minor};
    void *made = agni_cu_cache_read(&key, bytes);
    if (made) {
        *code = made;
        return AGN_OK;
    }
    size_t n = strlen(head), m = strlen(text);
    char *src = malloc(n + m + 2);
    if (!src)
        return fail(AGN_ENOMEM, "takes no program", "no memory for its text");
    memcpy(src, head, n);
    src[n] = '\n';
    memcpy(src + n + 1, text, m + 1);
    agn_status st = run_compiler(code, bytes, src, capability);
    free(src);
    if (!st)
        agni_cu_cache_write(&key, *code, *bytes);
    return st;
}
