/* tensor/cuda/compiler.c - NVRTC, found at run time: programs as text become code of one
   architecture. Without it, or with AGNESI_NVRTC=0, texts are refused but for those whose code was
   made before. AGNESI_CUDA_ARCHITECTURES="80 90" makes it for these as well, to be taken to
   machines without a compiler (AGNESI_CUDA_KERNELS, code_cache.c). */
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

static agn_status fail_compilation(agn_status st, const char *what, const char *why)
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
    agn_status st = fail_compilation(AGN_EUNSUPPORTED, "refuses a region", told ? log : "it does not say why");
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
        return fail_compilation(AGN_ENOMEM, "takes no program", "it has no memory");
    agn_status st = rtc.compile(p, sizeof options / sizeof *options, options) ? fail_refused(p)
                                                                              : AGN_OK;
    if (!st && (rtc.code_size(p, bytes) || !*bytes))
        st = fail_compilation(AGN_EUNSUPPORTED, "gives no code", arch);
    if (!st && !(made = malloc(*bytes)))
        st = fail_compilation(AGN_ENOMEM, "gives code", "no memory for it");
    if (!st && rtc.code(p, made))
        st = fail_compilation(AGN_EUNSUPPORTED, "gives no code", arch);
    (void)rtc.destroy(&p);
    if (st)
        free(made);
    else
        *code = made;
    return st;
}

static agn_status compile_key(const agni_cu_code_key *key, void **code, size_t *bytes)
{
    size_t n = strlen(key->head), m = strlen(key->text);
    char *src = malloc(n + m + 2);
    if (!src)
        return fail_compilation(AGN_ENOMEM, "takes no program", "no memory for its text");
    memcpy(src, key->head, n);
    src[n] = '\n';
    memcpy(src + n + 1, key->text, m + 1);
    agn_status st = run_compiler(code, bytes, src, key->capability);
    free(src);
    return st;
}

agn_status agni_cu_compile_text(agni_cu_code *code, const char *head, const char *text,
                                int capability, bool fresh)
{
    pthread_once(&once, find_compiler);
    bool none = rtc.why[0];
    *code = (agni_cu_code){
        .key = {head, text, capability, none ? -1 : rtc.major, none ? 0 : rtc.minor}};
    if (!fresh)
        code->data = agni_cu_cache_read(&code->key, &code->bytes);
    code->kept = code->data;
    if (code->kept)
        return AGN_OK;
    if (none)
        return fail_compilation(AGN_EUNSUPPORTED, "is not at hand", rtc.why);
    return compile_key(&code->key, &code->data, &code->bytes);
}

/* A failure is told in the manifest: this machine needs no code of another architecture. */
static void compile_ahead(const agni_cu_code_key *own, int capability)
{
    agni_cu_code_key key = {own->head, own->text, capability, rtc.major, rtc.minor};
    size_t bytes = 0;
    void *data = agni_cu_cache_read(&key, &bytes);
    if (!data) {
        if (compile_key(&key, &data, &bytes))
            agni_cu_cache_note_refusal(&key);
        else
            agni_cu_cache_write(&key, data, bytes);
    }
    free(data);
}

void agni_cu_settle_code(const agni_cu_code *code, bool taken)
{
    const char *list = getenv("AGNESI_CUDA_ARCHITECTURES");
    if (!taken) {
        if (code->kept)
            agni_cu_cache_remove(&code->key);
        return;
    }
    if (!code->kept)
        agni_cu_cache_write(&code->key, code->data, code->bytes);
    for (char *end; list && *list && !rtc.why[0]; list = end) {
        long capability = strtol(list, &end, 10);
        if (end == list) /* a separator */
            end++;
        else if (capability > 0 && capability < 10000 && capability != code->key.capability)
            compile_ahead(&code->key, (int)capability);
    }
}
